// cvode.c - SUNDIALS' CVODE: variable order and step, error control. Work and dissipation are states like the
// others. Theory: docs/theory/simulation.md (5c), (5f).
#include "integrate/integrators.h"
#include "integrate/sundials/own_steps.h"

#include <cvode/cvode.h>
#include <math.h>
#include <string.h>

static int derivative(realtype t, N_Vector y, N_Vector dy, void *user) {
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  const int n = f->n;
  double *out = N_VGetArrayPointer(dy);
  if (lim_state_stopped(s->motion_state)) return -1;
  const lim_side side = lim_own_steps_take(s, t, N_VGetArrayPointer(y));
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK)
    return 1; // a state that has run away: CVODE tries a smaller step
  lim_equations_residual(f->r, f->e, t, side, f->qn, f->vn, f->an);
  memcpy(out, f->vn, (size_t)n * sizeof *out);
  memcpy(out + n, f->an, (size_t)n * sizeof *out);
  lim_state_power(out + 2 * n, f, f->qn, f->vn, f->r);
  lim_equations_rates(f->e, t, side, f->qn, f->vn);
  if (f->ns) memcpy(out + 2 * n + LIM_POWERS, f->e->rate, (size_t)f->ns * sizeof *out);
  f->iterations++;
  for (int i = 0; i < s->size; i++)
    if (!isfinite(out[i])) return 1;
  return 0;
}

// --- the matrix of a step: 1 - gamma d(derivative)/dy ---

static int set_up(realtype t, N_Vector y, N_Vector dy, booleantype good, booleantype *renewed, realtype gamma,
                  void *user) {
  (void)dy, (void)good;
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  const double *x = N_VGetArrayPointer(y);
  const lim_side side = lim_own_steps_take(s, t, x);
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK) return 1;
  memcpy(s->a, f->an, (size_t)f->n * sizeof *s->a);
  *renewed = SUNTRUE;
  return lim_own_steps_linearise(s, t, x, gamma, true) ? 0 : 1;
}

// dv = rv - gamma T^-1 (D rv + K (rq + gamma rv)), dq = rq + gamma dv   (5c)
static int solve(realtype t, N_Vector y, N_Vector dy, N_Vector r, N_Vector out, realtype gamma, realtype delta,
                 int side, void *user) {
  (void)t, (void)y, (void)dy, (void)delta, (void)side;
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  const int n = f->n;
  N_VScale(1, r, out);
  double *rq = N_VGetArrayPointer(out), *rv = rq + n, *rx = rv + n + LIM_POWERS;
  for (int i = 0; i < n; i++) {
    s->dv[i] = f->e->given[i] ? 0 : rv[i];
    s->dq[i] = f->e->given[i] ? 0 : rq[i] + gamma * rv[i];
  }
  if (f->ns) memcpy(s->dx, rx, (size_t)f->ns * sizeof *rx);
  lim_own_steps_states(s, gamma, false);
  lim_own_steps_forces(s, true);
  lim_equations_swap(f->e);
  lim_equations_solve(s->g, f->e, s->c, 0);
  lim_equations_swap(f->e);
  for (int i = 0; i < n; i++) {
    if (f->e->given[i]) continue;
    s->da[i] = -s->g[i];
    s->dv[i] = rv[i] -= gamma * s->g[i];
    s->dq[i] = rq[i] += gamma * rv[i];
  }
  if (f->ns) memcpy(s->dx, rx, (size_t)f->ns * sizeof *rx);
  lim_own_steps_states(s, gamma, true);
  if (f->ns) memcpy(rx, s->dx, (size_t)f->ns * sizeof *rx);
  lim_own_steps_powers(rv + n, s, gamma);
  return 0;
}

// The derivative's change along x, by a difference wider than the tolerance.
static int multiply(N_Vector x, N_Vector out, realtype t, N_Vector y, N_Vector dy, void *user, N_Vector moved) {
  lim_own_steps *s = user;
  if (CVodeGetErrWeights(s->memory, out)) return -1;
  const double size = N_VWrmsNorm(x, out), h = size > 0 ? lim_own_steps_increment(s) / size : 1;
  N_VLinearSum(1, y, h, x, moved);
  const int flag = derivative(t, moved, out, user);
  if (!flag) N_VLinearSum(1 / h, out, -1 / h, dy, out);
  return flag;
}

// Onto the loops, after each step.
static int project(realtype t, N_Vector y, N_Vector correction, realtype size, N_Vector error, void *user) {
  (void)size, (void)error;
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  const int n = f->n;
  const double *x = N_VGetArrayPointer(y);
  double *out = N_VGetArrayPointer(correction);
  lim_own_steps_take(s, t, x);
  if (!lim_own_steps_close(s, f->qn, f->vn)) return 1;
  N_VConst(0, correction);
  for (int i = 0; i < n; i++) {
    out[i] = f->qn[i] - x[i];
    out[n + i] = f->vn[i] - x[n + i];
  }
  return 0;
}

// --- the kind ---

static bool open_memory(lim_own_steps *s) {
  s->memory = CVodeCreate(CV_BDF, s->context);
  if (!s->memory || CVodeSetErrHandlerFn(s->memory, lim_own_steps_say_nothing, NULL)) return false;
  return !CVodeInit(s->memory, derivative, s->motion_state->t, s->y) &&
         !CVodeWFtolerances(s->memory, lim_own_steps_weigh) && !CVodeSetUserData(s->memory, s) &&
         !CVodeSetLinearSolver(s->memory, s->solver, NULL) && !CVodeSetJacTimes(s->memory, NULL, multiply) &&
         !CVodeSetPreconditioner(s->memory, set_up, solve) && !CVodeSetMaxOrd(s->memory, s->order) &&
         !CVodeSetMaxStep(s->memory, lim_own_steps_longest(s)) &&
         !CVodeSetMaxErrTestFails(s->memory, LIM_OWN_STEPS_TRIES) &&
         (!s->motion_state->e->nrow || !CVodeSetProjFn(s->memory, project));
}

static int again(lim_own_steps *s) { return CVodeReInit(s->memory, s->motion_state->t, s->y); }

static int step(lim_own_steps *s) {
  const int flag = CVodeSetStopTime(s->memory, s->stop);
  return flag ? flag : CVode(s->memory, s->stop, s->y, &s->t, CV_ONE_STEP);
}

static int look(lim_own_steps *s, double t) { return CVodeGetDky(s->memory, t, 0, s->y); }
static int errors(lim_own_steps *s, N_Vector x) { return CVodeGetEstLocalErrors(s->memory, x); }
static void close_memory(lim_own_steps *s) { CVodeFree(&s->memory); }
static const char *text(long code) { return CVodeGetReturnFlagName(code); }

static const lim_own_kind kind = {&lim_integrator_cvode, 0,   open_memory, again, step, look, errors,
                                  close_memory,          text};

static lim_code restart(lim_state *f, lim_error *err) { return lim_own_steps_restart(f, &kind, err); }

const lim_integrator lim_integrator_cvode = {
    .row = {.word = "cvode", .help = "SUNDIALS: steps and orders by the tolerance, on accelerations"},
    .restart = restart,
    .recentred = restart,
    .advance = lim_own_steps_advance,
    .finish = lim_own_steps_finish,
    .own_steps = true,
    .unused = lim_own_steps_unused};
