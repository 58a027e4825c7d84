// tangent.c - matrices of an arm, a column from each evaluation of the recursion on dual numbers: exact to
// rounding. Theory: docs/theory/modes.md (2), (3).
#include "analysis/tangent.h"

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

lim_code lim_tangent(double *T, const lim_system *s, const lim_wrench *wrench, int nwrench, lim_tangent_by by,
                     const double *q, const double *v, lim_error *err) {
  int n = s->n;
  lim_dual *x = calloc(4 * (size_t)n + 1, sizeof *x);
  lim_dual_work *w = lim_dual_work_new(s);
  lim_code code = x && w ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) {
    for (int i = 0; i < n; i++) {
      x[i].x = q[i];
      x[n + i].x = v[i];
    }
    lim_dual_apply(w, wrench, nwrench);
    fill_columns(T, x, w, n, by);
  }
  lim_dual_work_free(w);
  free(x);
  return code;
}
