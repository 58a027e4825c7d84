// generate.c - from a model to the texts of its code.
#include "export/code/generate.h"

#include "analysis/prepare.h"
#include "base/draft.h"
#include "export/code/confirm.h"
#include "export/code/source.h"
#include "export/code/stable_step.h"
#include "export/graph/optimize.h"
#include "model/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Names that are taken: words of C, its headers, files beside the code, prefixes inside FMUs, files that some
// systems do not have.
static bool taken(const char *name) {
  static const char *const word[] = {"auto",
                                     "break",
                                     "case",
                                     "char",
                                     "const",
                                     "continue",
                                     "default",
                                     "do",
                                     "double",
                                     "else",
                                     "enum",
                                     "extern",
                                     "float",
                                     "for",
                                     "goto",
                                     "if",
                                     "inline",
                                     "int",
                                     "long",
                                     "register",
                                     "restrict",
                                     "return",
                                     "short",
                                     "signed",
                                     "sizeof",
                                     "static",
                                     "struct",
                                     "switch",
                                     "typedef",
                                     "union",
                                     "unsigned",
                                     "void",
                                     "volatile",
                                     "while",
                                     "class",
                                     "new",
                                     "delete",
                                     "this",
                                     "template",
                                     "namespace",
                                     "bool",
                                     "true",
                                     "false",
                                     "assert",
                                     "ctype",
                                     "errno",
                                     "float",
                                     "limits",
                                     "locale",
                                     "math",
                                     "setjmp",
                                     "signal",
                                     "stdarg",
                                     "stdbool",
                                     "stddef",
                                     "stdint",
                                     "stdio",
                                     "stdlib",
                                     "string",
                                     "tgmath",
                                     "time",
                                     "complex",
                                     "features",
                                     "main",
                                     "all",
                                     "model",
                                     "instance",
                                     "fmi2",
                                     "fmi3",
                                     "fmu",
                                     "rotation_vector",
                                     "lim",
                                     "con",
                                     "prn",
                                     "aux",
                                     "nul"};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (!strcmp(name, word[i])) return true;
  return false;
}

// Letters, digits and lines only; not a digit first; none that is taken.
static void make_name(char *to, size_t buffer, const char *from) {
  static const char more[] = "_arm";
  size_t n = 0;
  if (!isalpha((unsigned char)*from)) to[n++] = 'm', to[n++] = '_';
  for (; *from && n + sizeof more < buffer; from++)
    to[n++] = isalnum((unsigned char)*from) ? (char)tolower((unsigned char)*from) : '_';
  to[n] = 0;
  if (taken(to)) memcpy(to + n, more, sizeof more);
}

// Plans of accelerations up to this many steps are searched for better ones: so many steps in all, so many
// plans.
enum { SEARCHED = 400, EFFORT = 3000000, TRIALS = 24000 };

static int trials_of(int steps) { return EFFORT / (steps + 1) < TRIALS ? EFFORT / (steps + 1) : TRIALS; }

static lim_code check_mode(const lim_model *m, lim_error *err) {
  char mode[LIM_WORD];
  if (m->damping.update > 0 && m->solver.mode != LIM_MODE_RIGID)
    return lim_tree_error(err, lim_tree_get(m->damping.head.node, "update"),
                          "damping: generated code has one damping matrix, that at t = 0: leave out update");
  if (m->solver.mode == LIM_MODE_NONLINEAR || m->solver.mode == LIM_MODE_RIGID) return LIM_OK;
  return lim_tree_error(err, lim_tree_get(m->solver.head.node, "mode"),
                        "mode is %s, code is generated for modes nonlinear and rigid",
                        lim_word_at(mode, "solver.mode", m->solver.mode));
}

// What the generated code does not know.
static lim_code check_parts(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->links.count; i++)
    if (m->links.item[i].air.head.node)
      return lim_tree_error(err, m->links.item[i].air.head.node,
                            "%s: code is generated without drag of the air; leave air out",
                            m->links.item[i].air.head.where);
  if (m->deformation.count)
    return lim_tree_error(err, m->deformation.item[0].head.node,
                          "%s: generated code starts undeformed; leave deformation out, and set its states",
                          m->deformation.item[0].head.where);
  return LIM_OK;
}

// Coordinates of generated code stay where they are: its ball joints cannot turn as far as they like.
static void warn_of_balls(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->links.count && m->planar == LIM_SPATIAL; i++)
    if (lim_joint_begins_ball(&m->links.item[i].joint))
      lim_warn(err, NAN, m->links.item[i].joint.whole,
               "joint '%.80s': generated code follows it as long as it turns by less than 80 degrees from its "
               "start, and stops beyond; simulate follows any orientation",
               m->links.item[i].joint.whole);
}

static lim_code plan_all(lim_generated *g, lim_error *err) {
  for (int f = 0; f < LIM_FUNCTIONS; f++) {
    if (!g->written->count[f]) continue;
    g->tape[f] = lim_tape_new(g->written->out[f], g->written->count[f]);
    if (!g->tape[f]) return lim_no_memory(err);
    if (f == LIM_OF_ACCELERATIONS && g->tape[f]->steps <= SEARCHED) {
      g->tape[f] = lim_tape_search(g->tape[f], trials_of(g->tape[f]->steps));
    }
    g->operations[f] = lim_tape_operations(g->tape[f]);
  }
  return LIM_OK;
}

lim_code lim_generate(lim_generated **out, lim_model *model, const char *name, const char *directory,
                      lim_parameters *keep, lim_error *err) {
  *out = NULL;
  lim_generated *g = calloc(1, sizeof *g);
  if (!g) {
    lim_parameters_free(keep);
    return lim_no_memory(err);
  }
  g->keep = keep;
  make_name(g->name, sizeof g->name, name);
  model->solver.method = lim_method_number("rk4");
  g->model = model;
  g->step = model->solver.step;
  lim_code code = check_mode(model, err);
  if (code == LIM_OK) code = check_parts(model, err);
  if (code == LIM_OK) warn_of_balls(model, err);
  if (code == LIM_OK) code = lim_prepare_model(model, directory, err);
  if (code == LIM_OK) code = lim_session_new(&g->session, model, directory, err);
  if (code == LIM_OK)
    code = lim_session_restart(g->session, err); // damping of the arm is built where it starts
  if (code == LIM_OK) code = lim_symbolic_new(&g->written, g->session, keep, err);
  if (code == LIM_OK) code = plan_all(g, err);
  if (code == LIM_OK && keep) code = lim_parameters_verify(g, err);
  if (code == LIM_OK) code = lim_generated_confirm(g, err);
  if (code == LIM_OK) code = lim_generated_stabilise(g, directory, err);
  if (code == LIM_OK) {
    lim_source_header(&g->header, g);
    lim_source_code(&g->source, g);
    lim_source_main(&g->main, g);
    lim_source_readme(&g->readme, g);
    if (g->header.failed || g->source.failed || g->main.failed || g->readme.failed) code = lim_no_memory(err);
  }
  if (code == LIM_OK)
    *out = g;
  else
    lim_generated_free(g);
  return code;
}

void lim_generated_free(lim_generated *g) {
  if (!g) return;
  for (int f = 0; f < LIM_FUNCTIONS; f++) lim_tape_free(g->tape[f]);
  lim_symbolic_free(g->written);
  lim_parameters_free(g->keep);
  lim_session_free(g->session);
  lim_text_free(&g->header);
  lim_text_free(&g->source);
  lim_text_free(&g->main);
  lim_text_free(&g->readme);
  free(g);
}

static lim_code write_file(const char *folder, const char *file, const lim_text *text, lim_error *err) {
  lim_draft d = {0};
  lim_code code = lim_draft_start(&d, folder, file, err);
  if (code == LIM_OK) code = lim_draft_write(&d, text->text, err);
  lim_draft_free(&d);
  return code;
}

lim_code lim_generated_write(const lim_generated *g, const char *folder, lim_error *err) {
  char file[80];
  lim_code code = lim_directory_make(folder, err);
  snprintf(file, sizeof file, "%s.h", g->name);
  if (code == LIM_OK) code = write_file(folder, file, &g->header, err);
  snprintf(file, sizeof file, "%s.c", g->name);
  if (code == LIM_OK) code = write_file(folder, file, &g->source, err);
  if (code == LIM_OK) code = write_file(folder, "main.c", &g->main, err);
  return code == LIM_OK ? write_file(folder, "README", &g->readme, err) : code;
}
