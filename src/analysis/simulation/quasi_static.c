// quasi_static.c - K_t q = -r0 by iteration with the elastic stiffness: the stiffness of the gross motion is
// small beside it. Theory: docs/theory/simulation.md (6).
#include "analysis/simulation/quasi_static.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200 };

// Pins of closed chains have no stiffness of their own: a little of the mass, which the iteration takes out
// again, stands in for it [1/s^2].
static const double PIN = 1;

// Unknowns: displacements, and multipliers of loops, which go along without a weight of their own.
static void begin(lim_state *f) {
  memcpy(f->an, f->q, (size_t)f->n * sizeof *f->an);
  memcpy(f->an + f->n, f->e->lambda, (size_t)f->e->s->nrow * sizeof *f->an);
  for (int i = 0; i < f->unknowns; i++) f->weight[i] = i < f->n;
  f->anderson.count = 0;
}

// q := q - K^-1 r(q), accelerated. change is NaN or infinite where it runs away.
static void correct(lim_state *f, lim_side side, double *largest, double *change) {
  lim_equations *e = f->e;
  lim_state_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  lim_equations_solve(f->r, e, lim_state_gaps(f, f->q, 1), -1);
  *change = 0;
  for (int i = 0; i < f->n; i++) {
    f->r[i] = -f->r[i];
    *change = isfinite(f->r[i]) ? fmax(*change, fabs(f->r[i])) : NAN;
    if (isnan(*change)) return;
  }
  for (int i = 0; i < e->s->nrow; i++) f->r[f->n + i] = e->lambda[i] - f->an[f->n + i];
  lim_anderson_next(f->an, &f->anderson, f->r, f->weight);
  memcpy(f->q, f->an, (size_t)f->n * sizeof *f->q);
  memcpy(e->lambda, f->an + f->n, (size_t)e->s->nrow * sizeof *f->an);
  *largest = 0;
  for (int i = 0; i < f->n; i++) *largest = fmax(*largest, fabs(f->q[i]));
}

lim_code lim_quasi_static(lim_state *f, lim_side side, lim_error *err) {
  lim_equations *e = f->e;
  size_t size = (size_t)f->n * sizeof(double);
  memset(f->v, 0, size);
  e->resting = true;
  memset(f->a, 0, size);
  lim_code code = LIM_OK;
  for (int i = 0; i < e->s->nbody; i++) { // joints that do not yield move as the rigid arm's do
    const lim_arm_body *b = &e->s->bodies[i];
    bool yields = lim_drive_yields(&e->inputs->drive[i]);
    bool passive = e->s->passive && b->q >= 0 && e->s->passive[b->q];
    if (b->q >= 0) lim_rec_lock(e->w, b->q, !yields && b->m < 0 && !passive);
    if (b->m >= 0) lim_rec_lock(e->w, b->m, !yields);
  }
  lim_state_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  code = lim_state_factor(f, f->q, (lim_step_matrix){.M = e->s->nrow ? PIN : 0, .K = 1}, err);
  double largest = 0, change = INFINITY, rounding = 0; // of the motion to which q is added
  for (int i = 0; i < f->n; i++) rounding = fmax(rounding, 1e-15 * fabs(f->ref[i]));
  for (int k = 0; code == LIM_OK && !(change <= fmax(f->tolerance * largest, rounding)); k++) {
    if (k == 0) begin(f);
    correct(f, side, &largest, &change);
    f->iterations++;
    if (k == ITERATIONS || !isfinite(change)) {
      e->resting = false;
      return LIM_FAIL(
          err, LIM_FAILED,
          "at t = %g s no shape balances the motion: it is too fast, or loads are too large, for the "
          "stiffness of the links",
          f->t);
    }
  }
  lim_state_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  e->resting = false;
  return code;
}
