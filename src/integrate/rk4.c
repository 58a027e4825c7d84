// rk4.c - the classical Runge-Kutta method of fourth order. Work and dissipation are states like the others.
#include "integrate/integrators.h"

#include <math.h>
#include <string.h>

// Derivatives of (q, v, work, dissipated) at (t, qn, vn) into k.
// At the start every coordinate was found to have mass, so a state where that fails is one that has run away.
static bool stage(double *k, lim_state *f, double t, lim_side side) {
  int n = f->n;
  lim_state_prescribe(f, t, side, f->qn, f->vn, f->an);
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK) return false;
  lim_equations_residual(f->r, f->e, t, side, f->qn, f->vn, f->an); // efforts of prescribed joints
  memcpy(k, f->vn, (size_t)n * sizeof *k);
  memcpy(k + n, f->an, (size_t)n * sizeof *k);
  lim_state_power(k + 2 * n, f, f->qn, f->vn, f->r);
  lim_equations_rates(f->e, t, side, f->qn, f->vn);
  if (f->ns) memcpy(k + 2 * n + LIM_POWERS, f->e->rate, (size_t)f->ns * sizeof *k);
  f->iterations++;
  return true;
}

static void along(lim_state *f, const double *k, double h) {
  for (int i = 0; i < f->n; i++) {
    f->qn[i] = f->q[i] + h * k[i];
    f->vn[i] = f->v[i] + h * k[f->n + i];
  }
  double *x = (double *)f->e->state;
  for (int i = 0; i < f->ns; i++) x[i] = f->x[i] + h * k[2 * f->n + LIM_POWERS + i];
}

static lim_code runaway(lim_state *f, double h, lim_error *err) {
  f->advice = "the step is too large for rk4; take a smaller one, fewer modes, or an implicit method";
  return LIM_FAIL(err, LIM_FAILED, "at t = %g s the motion grows without bound with a step of %g s", f->t, h);
}

static lim_code restart(lim_state *f, lim_error *err) { return lim_state_accelerate(f, LIM_AFTER, err); }

static lim_code advance(lim_state *f, double to, lim_error *err) {
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
  for (int i = 0; i < LIM_POWERS; i++) f->energy_integrals[i] += SUM(2 * n + i);
  f->t = to;
  f->steps++;
  lim_state_prescribe(f, to, LIM_BEFORE, f->q, f->v, f->a);
  if (!lim_equations_project(f->e, f->q, f->v)) return runaway(f, h, err);
  return lim_state_accelerate(f, LIM_BEFORE, NULL) == LIM_OK ? LIM_OK : runaway(f, h, err);
}

static int order(const lim_solver *s) {
  (void)s;
  return 4;
}

static const lim_unused_key unused[] = {
    {"tolerance", ~LIM_IN_MODE(LIM_MODE_QUASI_STATIC), 0,
     ": rk4 does not iterate: its error follows from the step"},
    {"criterion", LIM_IN_ALL_MODES, 0, NULL},
    {"method", LIM_IN_MODE(LIM_MODE_QUASI_STATIC), 0, LIM_SHAPES_ARE_SOLVED},
    {0}};

const lim_integrator lim_integrator_rk4 = {
    .row = {.word = "rk4",
            .help = "the classical Runge-Kutta method: explicit, of fourth order",
            .check = lim_check_no_auto},
    .restart = restart,
    .advance = advance,
    .unstable = true,
    .order = order,
    .unused = unused};
