// generate.c - from a model to the texts of its code.
#include "export/generate.h"

#include "export/improve.h"
#include "export/source.h"
#include "result/files.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// Letters, digits and lines only; not a digit first.
static void make_name(char *to, size_t room, const char *from) {
  size_t n = 0;
  if (!isalpha((unsigned char)*from)) to[n++] = 'm', to[n++] = '_';
  for (; *from && n + 1 < room; from++)
    to[n++] = isalnum((unsigned char)*from) ? (char)tolower((unsigned char)*from) : '_';
  to[n] = 0;
}

// Plans of accelerations up to this many steps are searched for better ones: so many steps in all, so many
// plans.
enum { SEARCHED = 400, EFFORT = 3000000, TRIALS = 24000 };

static int trials_of(int steps) { return EFFORT / (steps + 1) < TRIALS ? EFFORT / (steps + 1) : TRIALS; }

static lim_code check_mode(const lim_model *m, lim_error *err) {
  if (m->solver.mode == LIM_MODE_NONLINEAR || m->solver.mode == LIM_MODE_RIGID) return LIM_OK;
  return lim_tree_error(err, lim_tree_get(m->solver.head.node, "mode"),
                        "mode is %s, code is generated for modes nonlinear and rigid",
                        m->solver.mode == LIM_MODE_LINEAR ? "linear" : "quasi-static");
}

static lim_code plan_all(lim_generated *g, lim_error *err) {
  for (int f = 0; f < LIM_FUNCTIONS; f++) {
    if (!g->written->count[f]) continue;
    g->plan[f] = lim_recipe_new(g->written->out[f], g->written->count[f]);
    if (!g->plan[f]) return no_memory(err);
    if (f == LIM_OF_ACCELERATIONS && g->plan[f]->steps <= SEARCHED) {
      g->plan[f] = lim_recipe_search(g->plan[f], trials_of(g->plan[f]->steps));
    }
    g->operations[f] = lim_recipe_operations(g->plan[f]);
  }
  return LIM_OK;
}

// The code with other values of the kept numbers against a session that has them: efforts of a motion.
static lim_code check_kept(const lim_generated *g, lim_error *err) {
  const lim_recipe *plan = g->plan[LIM_OF_EFFORTS];
  const lim_session *other = lim_keep_check(g->keep);
  int n = g->written->n;
  double *x = calloc(5 * (size_t)n + (size_t)plan->count + (size_t)g->written->ninput + 8, sizeof *x),
         p[LIM_KEEP_MOST];
  if (!x) return no_memory(err);
  double *q = x, *v = q + n, *a = v + n, *tau = a + n, *r = tau + n, *u = r + n,
         *scratch = u + g->written->ninput + 4;
  for (int i = 0; i < 3 * n; i++) x[i] = 0.01 * sin(1 + 7.0 * i);
  for (int i = 0; i < g->keep->count; i++) p[i] = lim_keep_third();
  const double *input[LIM_IN_ARRAYS] = {q, v, u, u, p, a};
  lim_recipe_evaluate(tau, plan, input, scratch);
  lim_rec_apply(other->equations->w, NULL, 0);
  lim_rec_residual(r, other->equations->w, q, v, a);
  double worst = 0, largest = 0;
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs(tau[i] - r[i]));
    largest = fmax(largest, fabs(r[i]));
  }
  free(x);
  if (worst <= 1e-10 * largest) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT,
                  "'%s'%s cannot be kept: it enters the equations in a way that is not followed",
                  g->keep->path[0], g->keep->count > 1 ? ", or another number," : "");
}

lim_code lim_generate(lim_generated **out, lim_model *model, const char *name, const char *directory,
                      lim_keep *keep, lim_error *err) {
  *out = NULL;
  lim_generated *g = calloc(1, sizeof *g);
  if (!g) {
    lim_keep_free(keep);
    return no_memory(err);
  }
  g->keep = keep;
  make_name(g->name, sizeof g->name, name);
  model->solver.method = LIM_RK4;
  lim_code code = check_mode(model, err);
  if (code == LIM_OK) code = lim_session_new(&g->session, model, directory, err);
  if (code == LIM_OK) code = lim_written_new(&g->written, g->session, keep, err);
  if (code == LIM_OK) code = plan_all(g, err);
  if (code == LIM_OK && keep) code = check_kept(g, err);
  if (code == LIM_OK) {
    lim_source_header(&g->header, g);
    lim_source_code(&g->source, g);
    lim_source_main(&g->main, g);
    lim_source_readme(&g->readme, g);
    if (g->header.failed || g->source.failed || g->main.failed || g->readme.failed) code = no_memory(err);
  }
  if (code == LIM_OK)
    *out = g;
  else
    lim_generated_free(g);
  return code;
}

void lim_generated_free(lim_generated *g) {
  if (!g) return;
  for (int f = 0; f < LIM_FUNCTIONS; f++) lim_recipe_free(g->plan[f]);
  lim_written_free(g->written);
  lim_keep_free(g->keep);
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
