// ida.c - SUNDIALS' IDA: the equations of motion as they stand, without solving for accelerations; variable
// order and step, error control. Closed chains as a differential-algebraic system of index 2 with the loops
// held at position and velocity (Gear, Gupta and Leimkuhler). Theory: docs/theory/simulation.md (5d)-(5f).
#include "integrate/integrators.h"
#include "integrate/sundials/own_steps.h"

#include <ida/ida.h>
#include <math.h>
#include <string.h>

// Places in y: q, v, books, states of drives, multipliers lambda, multipliers mu.
typedef struct {
  double *q, *v, *energy_integrals, *x, *lambda, *mu;
} places;

static places places_of(const lim_own_steps *s, N_Vector y) {
  const lim_state *f = s->motion_state;
  double *at = N_VGetArrayPointer(y);
  places p = {.q = at, .v = at + f->n, .energy_integrals = at + 2 * f->n};
  p.x = p.energy_integrals + LIM_POWERS;
  p.lambda = p.x + f->ns;
  p.mu = p.lambda + f->e->nrow;
  return p;
}

// Below, factor and rows are the second ones of the equations: those of the last set_up.

// Whether a row of the loops follows from others.
static bool follows(const lim_equations *e, int row) {
  for (int i = e->rank; i < e->nrow; i++)
    if (e->order[i] == row) return true;
  return false;
}

// q' - v + Z mu, Z = T^-1 G': mu is 0 but for the error of a step.
static void kinematic_part(places *out, const lim_own_steps *s, const places *y, const places *dy) {
  const lim_state *f = s->motion_state;
  const int n = f->n;
  for (int i = 0; i < n; i++) out->q[i] = dy->q[i] - f->vn[i];
  for (int k = 0; k < f->e->nrow; k++)
    for (int i = 0; i < n; i++) out->q[i] += f->e->Z[(size_t)k * (size_t)n + (size_t)i] * y->mu[k];
}

// The loops at position and velocity; multipliers of rows that follow from others stay as they began.
static void closing_part(places *out, const lim_own_steps *s, const places *y) {
  const lim_state *f = s->motion_state;
  lim_equations *e = f->e;
  lim_equations_rows(e, f->qn, f->vn, NULL);
  for (int k = 0; k < e->nrow; k++) {
    out->mu[k] = e->row[k].value;
    out->lambda[k] = e->row[k].rate;
  }
  for (int i = e->rank; i < e->nrow; i++) {
    out->mu[e->order[i]] = y->mu[e->order[i]];
    out->lambda[e->order[i]] = y->lambda[e->order[i]] - s->held[e->order[i]];
  }
}

static int residual(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, void *user) {
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  lim_equations *e = f->e;
  if (lim_state_stopped(f)) return -1;
  lim_equations_swap(e);
  const places y = places_of(s, yy), dy = places_of(s, yp);
  places out = places_of(s, rr);
  memcpy(f->an, dy.v, (size_t)f->n * sizeof *f->an);
  const lim_side side = lim_own_steps_take(s, t, y.q);
  if (e->nrow) memcpy(e->lambda, y.lambda, (size_t)e->nrow * sizeof *e->lambda);
  lim_equations_residual(f->r, e, t, side, f->qn, f->vn, f->an);
  lim_state_power(out.energy_integrals, f, f->qn, f->vn, f->r);
  lim_equations_rates(e, t, side, f->qn, f->vn);
  kinematic_part(&out, s, &y, &dy);
  for (int i = 0; i < f->n; i++) out.v[i] = e->given[i] ? dy.v[i] - f->an[i] : f->r[i];
  for (int i = 0; i < LIM_POWERS; i++)
    out.energy_integrals[i] = dy.energy_integrals[i] - out.energy_integrals[i];
  for (int i = 0; i < f->ns; i++) out.x[i] = dy.x[i] - ((const double *)e->rate)[i];
  if (e->nrow) closing_part(&out, s, &y);
  lim_equations_swap(e);
  f->iterations++;
  for (int i = 0; i < s->size; i++)
    if (!isfinite(out.q[i])) return 1; // a state that has run away: IDA tries a smaller step
  return 0;
}

// --- the matrix of a step: dF/dy + cj dF/dy' ---

static int set_up(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, realtype cj, void *user) {
  (void)rr;
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  const places y = places_of(s, yy), dy = places_of(s, yp);
  memcpy(f->an, dy.v, (size_t)f->n * sizeof *f->an);
  lim_own_steps_take(s, t, y.q);
  memcpy(s->a, f->an, (size_t)f->n * sizeof *s->a);
  if (f->e->nrow) memcpy(f->e->lambda, y.lambda, (size_t)f->e->nrow * sizeof *f->e->lambda);
  return lim_own_steps_linearise(s, t, y.q, 1 / cj, false) ? 0 : 1;
}

// Z dmu into z, dmu into out: G dq = r.mu with what G dv will be, s->c.   (5e)
static void close_position(places *out, lim_own_steps *s, const places *r, double g) {
  lim_equations *e = s->motion_state->e;
  const int n = s->motion_state->n;
  for (int k = 0; k < e->nrow; k++) {
    s->d[k] = s->c[k] - r->mu[k] / g;
    for (int i = 0; i < n; i++)
      if (!e->given[i]) s->d[k] += e->G[(size_t)k * (size_t)n + (size_t)i] * r->q[i];
  }
  memset(s->z, 0, (size_t)n * sizeof *s->z);
  if (!e->nrow) return;
  lim_equations_solve(s->z, e, s->d, 0);
  for (int k = 0; k < e->nrow; k++) out->mu[k] = follows(e, k) ? r->mu[k] : e->y[k];
}

static int solve(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, N_Vector in, N_Vector to, realtype cj,
                 realtype delta, void *user) {
  (void)t, (void)yy, (void)yp, (void)rr, (void)delta;
  lim_own_steps *s = user;
  lim_state *f = s->motion_state;
  lim_equations *e = f->e;
  const double g = 1 / cj;
  const int n = f->n, m = e->nrow;
  const places r = places_of(s, in);
  places out = places_of(s, to);
  N_VScale(g, in, to); // books, and coordinates that are given
  lim_equations_swap(e);
  memset(s->dv, 0, (size_t)n * sizeof *s->dv);
  for (int i = 0; i < n; i++) s->dq[i] = g * r.q[i];
  for (int i = 0; i < f->ns; i++) s->dx[i] = g * r.x[i];
  lim_own_steps_states(s, g, false);
  for (int k = 0; k < m; k++) s->c[k] = r.lambda[k];
  close_position(&out, s, &r, g);
  for (int i = 0; i < n; i++) s->dq[i] = g * (r.q[i] - s->z[i]);
  lim_own_steps_forces(s, false);
  for (int k = 0; k < m; k++) s->c[k] = r.lambda[k];
  for (int i = 0; i < n; i++) s->g[i] = g * (r.v[i] - s->g[i]);
  lim_equations_solve(s->g, e, s->c, 0);
  for (int k = 0; k < m; k++) out.lambda[k] = follows(e, k) ? r.lambda[k] : e->y[k] / g;
  for (int i = 0; i < n; i++) {
    if (e->given[i]) continue;
    s->dv[i] = out.v[i] = s->g[i];
    s->da[i] = cj * out.v[i];
    s->dq[i] = out.q[i] = g * (r.q[i] + out.v[i] - s->z[i]);
  }
  lim_equations_swap(e);
  for (int i = 0; i < f->ns; i++) s->dx[i] = g * r.x[i];
  lim_own_steps_states(s, g, true);
  if (f->ns) memcpy(out.x, s->dx, (size_t)f->ns * sizeof *out.x);
  lim_own_steps_powers(out.energy_integrals, s, g);
  return 0;
}

// The residual about which it is varied: rows and their metric may have changed since IDA had it.
static int renew(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, realtype cj, void *user) {
  (void)rr, (void)cj;
  lim_own_steps *s = user;
  return residual(t, yy, yp, s->about, user);
}

// Its change along x, by a difference.
static int multiply(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, N_Vector x, N_Vector out, realtype cj,
                    void *user, N_Vector y, N_Vector dy) {
  (void)rr;
  lim_own_steps *s = user;
  if (IDAGetErrWeights(s->memory, out)) return -1;
  const double size = N_VWrmsNorm(x, out), h = size > 0 ? lim_own_steps_increment(s) / size : 1;
  N_VLinearSum(1, yy, h, x, y);
  N_VLinearSum(1, yp, h * cj, x, dy);
  const int flag = residual(t, y, dy, out, user);
  if (!flag) N_VLinearSum(1 / h, out, -1 / h, s->about, out);
  return flag;
}

// --- the kind ---

// Rates at the start: the flow holds accelerations, multipliers, and a residual that goes with them.
static void load_rates(lim_own_steps *s) {
  lim_state *f = s->motion_state;
  const places y = places_of(s, s->y), dy = places_of(s, s->dy);
  N_VConst(0, s->dy);
  memcpy(dy.q, f->v, (size_t)f->n * sizeof *dy.q);
  memcpy(dy.v, f->a, (size_t)f->n * sizeof *dy.v);
  lim_state_power(dy.energy_integrals, f, f->q, f->v, f->r);
  lim_equations_rates(f->e, f->t, LIM_AFTER, f->q, f->v);
  if (f->ns) memcpy(dy.x, f->e->rate, (size_t)f->ns * sizeof *dy.x);
  if (!f->e->nrow) return;
  memcpy(y.lambda, f->e->lambda, (size_t)f->e->nrow * sizeof *y.lambda);
  memcpy(s->held, f->e->lambda, (size_t)f->e->nrow * sizeof *s->held);
}

// Multipliers have no rates: they are left out of the error test.
static bool mark_algebraic(lim_own_steps *s) {
  N_Vector id = N_VClone(s->y);
  if (!id) return false;
  N_VConst(1, id);
  const places p = places_of(s, id);
  for (int k = 0; k < 2 * s->motion_state->e->nrow; k++) p.lambda[k] = 0;
  const bool good = !IDASetId(s->memory, id) && !IDASetSuppressAlg(s->memory, SUNTRUE);
  N_VDestroy(id);
  return good;
}

static bool open_memory(lim_own_steps *s) {
  load_rates(s);
  s->memory = IDACreate(s->context);
  if (!s->memory || IDASetErrHandlerFn(s->memory, lim_own_steps_say_nothing, NULL)) return false;
  return !IDAInit(s->memory, residual, s->motion_state->t, s->y, s->dy) &&
         !IDAWFtolerances(s->memory, lim_own_steps_weigh) && !IDASetUserData(s->memory, s) &&
         !IDASetLinearSolver(s->memory, s->solver, NULL) && !IDASetPreconditioner(s->memory, set_up, solve) &&
         !IDASetJacTimes(s->memory, renew, multiply) && !IDASetMaxOrd(s->memory, s->order) &&
         !IDASetMaxErrTestFails(s->memory, LIM_OWN_STEPS_TRIES) && mark_algebraic(s);
}

static int again(lim_own_steps *s) {
  load_rates(s);
  return IDAReInit(s->memory, s->motion_state->t, s->y, s->dy);
}

static int step(lim_own_steps *s) {
  const int flag = IDASetStopTime(s->memory, s->stop);
  return flag ? flag : IDASolve(s->memory, s->stop, &s->t, s->y, s->dy, IDA_ONE_STEP);
}

static int look(lim_own_steps *s, double t) { return IDAGetDky(s->memory, t, 0, s->y); }
static int errors(lim_own_steps *s, N_Vector x) { return IDAGetEstLocalErrors(s->memory, x); }
static void close_memory(lim_own_steps *s) { IDAFree(&s->memory); }
static const char *text(long code) { return IDAGetReturnFlagName(code); }

static const lim_own_kind kind = {&lim_integrator_ida, 2,   open_memory, again, step, look, errors,
                                  close_memory,        text};

static lim_code restart(lim_state *f, lim_error *err) { return lim_own_steps_restart(f, &kind, err); }

const lim_integrator lim_integrator_ida = {
    .row = {.word = "ida",
            .help = "SUNDIALS: steps and orders by the tolerance, on the equations of motion with their loops"},
    .restart = restart,
    .recentred = restart,
    .advance = lim_own_steps_advance,
    .finish = lim_own_steps_finish,
    .own_steps = true,
    .unused = lim_own_steps_unused};
