// tangent.c - matrices of an arm, a column from each evaluation of the recursion on dual numbers: exact to
// rounding. Theory: docs/theory/modes.md (2), (3).
#include "analysis/vibration/tangent.h"

#include <stdlib.h>

// x: q, v, a and r as dual numbers, each (n)
static void fill_columns(double *T, lim_dual *x, lim_dual_work *w, int n, lim_tangent_by by) {
  lim_dual *r = x + 3 * n, *along = x + (int)by * n;
  for (int j = 0; j < n; j++) {
    along[j].d = 1;
    lim_dual_residual(r, w, x, x + n, x + 2 * n);
    along[j].d = 0;
    for (int i = 0; i < n; i++) T[(size_t)j * (size_t)n + (size_t)i] = r[i].d;
  }
}

static lim_code tangent(double *T, const lim_arm *s, const lim_equations *e, bool loads, bool spring_elements,
                        bool slack, lim_tangent_by by, const double *q, const double *v, lim_error *err) {
  int n = s->n;
  lim_dual *x = calloc(4 * (size_t)n + (size_t)e->nrow + 1, sizeof *x), *lambda = x ? x + 4 * (size_t)n : NULL;
  lim_dual_work *w = lim_dual_work_new(s);
  bool taken = x && w && (spring_elements ? lim_equations_bind_dual(w, e) : lim_dual_bind(w, NULL, NULL, 0));
  lim_code code = taken ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    for (int i = 0; i < n; i++) {
      x[i].x = q[i];
      x[n + i].x = v ? v[i] : 0;
    }
    for (int i = 0; i < e->nrow; i++) lambda[i].x = e->lambda[i];
    lim_dual_close(w, lambda);
    if (slack) lim_dual_slacken(w);
    lim_dual_apply(w, e->wrench, loads ? e->inputs->nload : 0);
    fill_columns(T, x, w, n, by);
  }
  lim_dual_work_free(w);
  free(x);
  return code;
}

lim_code lim_tangent(double *T, const lim_arm *s, const lim_equations *e, lim_tangent_by by, const double *q,
                     const double *v, lim_error *err) {
  return tangent(T, s, e, true, true, false, by, q, v, err);
}

// --- products ---

struct lim_slope {
  const lim_equations *e;
  lim_dual_work *w;
  int n, nrow;
  lim_dual *x, *lambda; // q, v, a and r (4 n); (nrow)
};

lim_code lim_slope_new(lim_slope **out, const lim_arm *s, const lim_equations *e, lim_error *err) {
  *out = calloc(1, sizeof **out);
  if (!*out) return lim_no_memory(err);
  lim_slope *x = *out;
  *x = (lim_slope){.e = e, .n = s->n, .nrow = e->nrow};
  x->x = calloc(4 * (size_t)s->n + (size_t)e->nrow + 1, sizeof *x->x);
  x->w = lim_dual_work_new(s);
  if (!x->x || !x->w || !lim_equations_bind_dual(x->w, e)) {
    lim_slope_free(x);
    *out = NULL;
    return lim_no_memory(err);
  }
  x->lambda = x->x + 4 * (size_t)s->n;
  return LIM_OK;
}

void lim_slope_free(lim_slope *x) {
  if (!x) return;
  if (x->w) lim_dual_work_free(x->w);
  free(x->x);
  free(x);
}

void lim_slope_at(lim_slope *x, const double *q, const double *v) {
  for (int i = 0; i < x->n; i++) {
    x->x[i].x = q[i];
    x->x[x->n + i].x = v ? v[i] : 0;
  }
  for (int i = 0; i < x->nrow; i++) x->lambda[i].x = x->e->lambda[i];
  lim_dual_close(x->w, x->lambda);
  lim_dual_apply(x->w, x->e->wrench, x->e->inputs->nload);
}

void lim_slope_along(double *y, lim_slope *x, const double *direction) {
  lim_dual *r = x->x + 3 * x->n;
  for (int i = 0; i < x->n; i++) x->x[i].d = direction[i];
  lim_dual_residual(r, x->w, x->x, x->x + x->n, x->x + 2 * x->n);
  for (int i = 0; i < x->n; i++) y[i] = r[i].d;
}

// --- parts ---

lim_code lim_tangent_slack(double *T, const lim_equations *e, const double *q, const double *v,
                           lim_error *err) {
  return tangent(T, e->s, e, true, true, true, LIM_BY_POSITION, q, v, err);
}

lim_code lim_tangent_add_springs(double *T, const lim_equations *e, const double *q, lim_error *err) {
  size_t square = (size_t)e->s->n * (size_t)e->s->n;
  if (e->inputs->spring_elements.count + e->inputs->contacts.count == 0) return LIM_OK;
  double *A = calloc(square + 1, sizeof *A);
  lim_code code = A ? LIM_OK : lim_no_memory(err);
  for (int k = 0; k < 2 && code == LIM_OK; k++) {
    code = tangent(A, e->s, e, false, k == 0, false, LIM_BY_POSITION, q, NULL, err);
    for (size_t i = 0; i < square && code == LIM_OK; i++) T[i] += k ? -A[i] : A[i];
  }
  free(A);
  return code;
}
