// rk4.c - the classical Runge-Kutta method of fourth order. Work and dissipation are states like the others.
#include "analysis/integrators.h"

#include <math.h>
#include <string.h>

// Derivatives of (q, v, work, dissipated) at (t, qn, vn) into k.
// At the start every coordinate was found to have mass, so a state where that fails is one that has run away.
static bool stage(double *k, lim_flow *f, double t, lim_side side) {
  int n = f->n;
  lim_flow_prescribe(f, t, side, f->qn, f->vn, f->an);
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK) return false;
  lim_equations_residual(f->r, f->e, t, side, f->qn, f->vn, f->an); // efforts of prescribed joints
  memcpy(k, f->vn, (size_t)n * sizeof *k);
  memcpy(k + n, f->an, (size_t)n * sizeof *k);
  lim_flow_power(k + 2 * n, f, f->qn, f->vn, f->r);
  lim_equations_rates(f->e, t, side, f->qn, f->vn);
  if (f->ns) memcpy(k + 2 * n + LIM_POWERS, f->e->rate, (size_t)f->ns * sizeof *k);
  f->iterations++;
  return true;
}

static void along(lim_flow *f, const double *k, double h) {
  for (int i = 0; i < f->n; i++) {
    f->qn[i] = f->q[i] + h * k[i];
    f->vn[i] = f->v[i] + h * k[f->n + i];
  }
  double *x = (double *)f->e->state;
  for (int i = 0; i < f->ns; i++) x[i] = f->x[i] + h * k[2 * f->n + LIM_POWERS + i];
}

static lim_code runaway(const lim_flow *f, double h, lim_error *err) {
  return LIM_FAIL(
      err, LIM_FAILED,
      "at t = %g s the motion grows without bound: a step of %g s is too large for rk4; take a smaller "
      "one, fewer modes, or an implicit method",
      f->t, h);
}

lim_code lim_rk4_restart(lim_flow *f, lim_error *err) { return lim_flow_accelerate(f, LIM_AFTER, err); }

lim_code lim_rk4_advance(lim_flow *f, double to, lim_error *err) {
  static const double at[4] = {0, 0.5, 0.5, 1};
  double h = to - f->t;
  int n = f->n;
  bool finite = true;
  if (f->ns) memcpy(f->x, f->e->state, (size_t)f->ns * sizeof *f->x);
  for (int s = 0; s < 4; s++) {
    along(f, f->k[s ? s - 1 : 0], at[s] * h);
    finite = finite && stage(f->k[s], f, f->t + at[s] * h, s < 3 ? LIM_AFTER : LIM_BEFORE);
  }
#define SUM(i) (h / 6 * (f->k[0][i] + 2 * f->k[1][i] + 2 * f->k[2][i] + f->k[3][i]))
  for (int i = 0; i < n && finite; i++) {
    f->q[i] += SUM(i);
    f->v[i] += SUM(n + i);
    finite = finite && isfinite(f->q[i]) && isfinite(f->v[i]);
  }
  if (!finite) return runaway(f, h, err);
  double *x = (double *)f->e->state;
  for (int i = 0; i < f->ns; i++) x[i] = f->x[i] + SUM(2 * n + LIM_POWERS + i);
  for (int i = 0; i < LIM_POWERS; i++) f->book[i] += SUM(2 * n + i);
  f->t = to;
  f->steps++;
  lim_flow_prescribe(f, to, LIM_BEFORE, f->q, f->v, f->a);
  if (!lim_equations_project(f->e, f->q, f->v)) return runaway(f, h, err);
  return lim_flow_accelerate(f, LIM_BEFORE, NULL) == LIM_OK ? LIM_OK : runaway(f, h, err);
}
