// api/check.c - limber check: is this model valid, and what is in it?
#include "cli.h"

#include <stdio.h>
#include <string.h>

static void say_tables(cli_text *out, const lim_answer *a) {
  for (int i = 0; i < lim_answer_count(a, "tables"); i++) {
    const lim_answer *x = lim_answer_item(a, "tables", i);
    const char *unit = lim_answer_text(x, "unit");
    cli_add(out, "%s  table %s (%s): %.0f rows of %.0f columns, the first from %.6g to %.6g, ", i ? "" : "\n",
            lim_answer_text(x, "file"), lim_answer_text(x, "for"), lim_answer_number(x, "rows"),
            lim_answer_number(x, "columns"), lim_answer_number(x, "over[0]"), lim_answer_number(x, "over[1]"));
    cli_add(out, "the second from %.6g to %.6g%s", lim_answer_number(x, "range[0]"),
            lim_answer_number(x, "range[1]"),
            unit[0] ? "" : ", in SI and radians as its header names no unit\n");
    if (unit[0]) cli_add(out, " once converted from %s\n", unit);
  }
}

// "1.2, 7.5, 21 Hz"
static void list_frequencies(char buffer[CLI_CELL], const lim_answer *link) {
  int n;
  const double *f = lim_answer_array(link, "frequencies_hz", &n);
  snprintf(buffer, CLI_CELL, "-");
  for (int k = 0; k < n; k++) {
    size_t used = k ? strlen(buffer) : 0;
    snprintf(buffer + used, CLI_CELL - used, "%s%.4g%s", k ? ", " : "", f[k], k + 1 < n ? "" : " Hz");
  }
}

// found: of the answer; given: of the model.
static void row(cli_table *t, const char *name, const lim_answer *found, const lim_answer *given) {
  char buffer[CLI_CELL];
  bool beam = lim_answer_at(given, "length");
  cli_table_cell(t, "%s", name);
  cli_table_cell(t, "%s", lim_answer_text(given, "parent"));
  cli_table_cell(t, "%s", lim_answer_text(found, "joint"));
  cli_table_cell(t, "%s", lim_answer_text(found, "type"));
  cli_table_cell(t, "%s", lim_answer_text(given, "basis"));
  cli_table_cell(t, "%s", beam ? cli_quantity(buffer, lim_answer_number(given, "length"), "m") : "-");
  cli_table_cell(t, "%s", cli_quantity(buffer, lim_answer_number(found, "mass"), "kg"));
  cli_table_cell(t, "%.0f", lim_answer_number(found, "elastic_dof"));
  list_frequencies(buffer, found);
  cli_table_cell(t, "%s", buffer);
}

static const char *constraints(const lim_answer *a) {
  bool loops = lim_answer_number(a, "loops") > 0, couplings = lim_answer_number(a, "couplings") > 0;
  return !couplings ? "loops" : loops ? "loops and couplings" : "couplings";
}

static void say_freedoms(cli_text *out, const lim_answer *a) {
  char buffer[CLI_CELL];
  int links = (int)lim_answer_number(a, "links"), dof = (int)lim_answer_number(a, "dof");
  int motors = (int)lim_answer_number(a, "motor_dof"), closed = (int)lim_answer_number(a, "closed_dof");
  int redundant = (int)lim_answer_number(a, "redundant_constraints");
  cli_add(out, "valid: %d link%s, %s, %d degree%s of freedom (%.0f of joints, %.0f elastic", links,
          links == 1 ? "" : "s", cli_quantity(buffer, lim_answer_number(a, "mass"), "kg"), dof,
          dof == 1 ? "" : "s", lim_answer_number(a, "joint_dof"), lim_answer_number(a, "elastic_dof"));
  if (motors) cli_add(out, ", %d of motors behind elastic gears", motors);
  if (closed) cli_add(out, ", less %d by %s", closed, constraints(a));
  cli_add(out, ")\n\n");
  if (redundant)
    cli_add(out,
            "  %d of the %d constraints of its %s follow%s from the others: their reactions are not unique\n\n",
            redundant, redundant + closed, constraints(a), redundant == 1 ? "s" : "");
}

static void as_table(cli_text *out, const lim_answer *a, const lim_answer *model, const char *path) {
  static const char *const head[] = {"link",   "on",   "joint",   "type",           "basis",
                                     "length", "mass", "elastic", "lowest, clamped"};
  cli_add(out, "%s: %s\n", path, lim_answer_text(a, "name"));
  say_freedoms(out, a);
  cli_table t = cli_table_start("lllllrrrl");
  for (int i = 0; i < 9; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(a, "link"); i++)
    row(&t, lim_answer_key(a, "link", i), lim_answer_item(a, "link", i), lim_answer_item(model, "links", i));
  cli_table_end(&t, out);
  say_tables(out, a);
  cli_say_gains(out, a);
  cli_say_program(out, a);
}

// All names that there are, list by list.
static void list_names(cli_text *out, const lim_answer *a) {
  static const char *const list[] = {"joints", "frames", "signals", "channels"};
  for (int k = 0; k < 4; k++) {
    cli_add(out, "%s%s\n", k ? "\n" : "", list[k]);
    for (int i = 0; i < lim_answer_count(a, list[k]); i++)
      cli_add(out, "  %s\n", lim_answer_text(lim_answer_item(a, list[k], i), NULL));
  }
}

enum { NAMES };

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  cli_case c;
  lim_answer *a = NULL, *model = NULL;
  lim_code code = cli_open(&c, o, err);
  if (code == LIM_OK)
    code = o->own[NAMES] ? lim_study_names(&a, c.study, err) : lim_study_check(&a, c.study, err);
  if (code == LIM_OK) code = lim_model_describe(&model, c.model, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && cli_in_words(o) && o->own[NAMES]) list_names(out, a);
  if (code == LIM_OK && cli_in_words(o) && !o->own[NAMES]) as_table(out, a, model, o->model);
  lim_answer_free(model);
  lim_answer_free(a);
  cli_close(&c);
  return code;
}

const cli_command cli_check = {
    .name = "check",
    .question = "is this model valid, and what is in it?",
    .arguments = "MODEL",
    .options = "allow",
    .own = {[NAMES] = {"names", 0, NULL,
                       "all names that there are: joints, frames, signals that blocks can take, channels"}},
    .words = 1,
    .output = CLI_FILE,
    .run = run,
};
