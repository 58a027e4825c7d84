// quasi_static.c - K_t q = -r0 by iteration with the elastic stiffness: the stiffness of the gross motion is
// small beside it. Theory: docs/theory/simulation.md (6).
#include "analysis/quasi_static.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200 };

lim_code lim_quasi_static(lim_flow *f, lim_side side, lim_error *err) {
  lim_equations *e = f->e;
  size_t size = (size_t)f->n * sizeof(double);
  memset(f->v, 0, size);
  memset(f->a, 0, size);
  lim_code code = LIM_OK;
  for (int i = 0; i < e->s->nbody; i++) // joints without a servo move as the rigid arm's do
    lim_rec_lock(e->w, i, e->act->drive[i].type != LIM_DRIVE_SERVO);
  code = lim_flow_factor(f, f->q, (lim_step_matrix){.K = 1}, err);
  double largest = 0, change = INFINITY;
  for (int k = 0; code == LIM_OK && change > f->tolerance * largest; k++) {
    lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
    lim_rec_solve(f->r, e->w);
    largest = change = 0;
    for (int i = 0; i < f->n; i++) {
      f->q[i] -= f->r[i];
      largest = fmax(largest, fabs(f->q[i]));
      change = fmax(change, fabs(f->r[i]));
    }
    f->iterations++;
    if (k == ITERATIONS || !isfinite(change))
      return LIM_FAIL(err, LIM_FAILED,
                      "at t = %g s no shape balances the motion: it is too fast for the stiffness of the links",
                      f->t);
  }
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  return code;
}
