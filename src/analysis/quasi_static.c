// quasi_static.c - K_t q = -r0 by iteration with the elastic stiffness: the stiffness of the gross motion is
// small beside it. Theory: docs/theory/simulation.md (6).
#include "analysis/quasi_static.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200 };

// Pins of closed chains have no stiffness of their own: a little of the mass, which the iteration takes out
// again, stands in for it [1/s^2].
static const double PIN = 1;

lim_code lim_quasi_static(lim_flow *f, lim_side side, lim_error *err) {
  lim_equations *e = f->e;
  size_t size = (size_t)f->n * sizeof(double);
  memset(f->v, 0, size);
  e->resting = true;
  memset(f->a, 0, size);
  lim_code code = LIM_OK;
  for (int i = 0; i < e->s->nbody; i++) { // joints that do not yield move as the rigid arm's do
    const lim_member *b = &e->s->member[i];
    bool yields = lim_drive_yields(&e->act->drive[i]);
    bool passive = e->s->passive && b->q >= 0 && e->s->passive[b->q];
    if (b->q >= 0) lim_rec_lock(e->w, b->q, !yields && b->m < 0 && !passive);
    if (b->m >= 0) lim_rec_lock(e->w, b->m, !yields);
  }
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  code = lim_flow_factor(f, f->q, (lim_step_matrix){.M = e->s->nrow ? PIN : 0, .K = 1}, err);
  double largest = 0, change = INFINITY, rounding = 0; // of the motion to which q is added
  for (int i = 0; i < f->n; i++) rounding = fmax(rounding, 1e-15 * fabs(f->ref[i]));
  for (int k = 0; code == LIM_OK && change > fmax(f->tolerance * largest, rounding); k++) {
    lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
    lim_equations_solve(f->r, e, lim_flow_gaps(f, f->q, 1), -1);
    largest = change = 0;
    for (int i = 0; i < f->n; i++) {
      f->q[i] -= f->r[i];
      largest = fmax(largest, fabs(f->q[i]));
      change = fmax(change, fabs(f->r[i]));
    }
    f->iterations++;
    if (k == ITERATIONS || !isfinite(change)) {
      e->resting = false;
      return LIM_FAIL(err, LIM_FAILED,
                      "at t = %g s no shape balances the motion: it is too fast for the stiffness of the links",
                      f->t);
    }
  }
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  e->resting = false;
  return code;
}
