// confirm.c - generated code against the library, before it is given away: accelerations at a state where
// everything moves. What the recursion on the graph does not know is found here and refused, not written down
// wrong.
#include "export/code/confirm.h"

#include "export/code/evaluate.h"

#include <math.h>

static const double OWN = 1e-8, BESIDE = 1e-9; // of an acceleration, of the largest

// A state off the start, by some of its size and fast, without pattern; on its loops.
static lim_code disturb(lim_evaluator *c, lim_error *err) {
  const lim_generated *g = c->g;
  lim_equations *e = g->session->equations;
  const bool loops = g->written->nrow > 0;
  lim_equations_prescribe(e, 0, LIM_AFTER, c->q, c->v, c->a);
  for (int i = 0; i < 2 * c->nfree; i++) {
    double size, *y = lim_evaluator_state(c, i, &size), part = 0.61803398874989485 * (i + 1);
    if (i < c->nfree && loops) continue;
    *y += (2 * (part - floor(part)) - 1) * (i < c->nfree ? 0.1 : 3) * size;
  }
  if (!loops) return LIM_OK;
  lim_code code = lim_equations_accelerate(c->a, c->terms, e, 0, LIM_AFTER, c->q, c->v, err);
  if (code == LIM_OK) lim_equations_project(e, c->q, c->v);
  return code;
}

static lim_code compare(lim_evaluator *c, double *mine, double *library, lim_error *err) {
  const lim_generated *g = c->g;
  lim_equations *e = g->session->equations;
  const int n = g->written->n;
  double largest = 0, worst = 0;
  if (!lim_evaluator_run(mine, c))
    return LIM_FAIL(err, LIM_FAILED, "the accelerations of the code cannot be found");
  lim_equations_prescribe(e, 0, LIM_AFTER, NULL, NULL, library);
  lim_code code = lim_equations_accelerate(library, library + n, e, 0, LIM_AFTER, c->q, c->v, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(library[i]));
  for (int i = 0; i < c->nfree; i++) {
    const double b = library[c->coordinate[i]], gap = fabs(c->a[c->coordinate[i]] - b);
    if (!(gap <= OWN * fabs(b) + BESIDE * largest))
      worst = fmax(worst, isfinite(gap) ? gap / largest : INFINITY);
  }
  if (worst == 0) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT,
                  "no code is generated: something in the model is not followed, its accelerations would be "
                  "off by %.2g of the largest",
                  worst);
}

lim_code lim_generated_confirm(const lim_generated *g, lim_error *err) {
  lim_evaluator c = {0};
  lim_code code = lim_evaluator_new(&c, g, err);
  double *out = code == LIM_OK
                    ? lim_arena_array(&c.arena, (size_t)c.ny + 2 * (size_t)g->written->n + 1, sizeof *out)
                    : NULL;
  if (code == LIM_OK && !out) code = lim_no_memory(err);
  if (code == LIM_OK) {
    lim_evaluator_start(&c);
    code = disturb(&c, err);
  }
  if (code == LIM_OK) code = compare(&c, out, out + c.ny, err);
  lim_arena_free(&c.arena);
  return code;
}
