// cvode.c - SUNDIALS' CVODE: variable order and step, error control. Work and dissipation are states like the
// others.
#include "analysis/integrators.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct {
  SUNContext context;
  void *memory;
  N_Vector y, scale; // q, v, books, states of drives; absolute tolerances
  SUNMatrix matrix;
  SUNLinearSolver solver;
  lim_flow *flow;
  lim_side side;
  double to;
} session;

static int derivative(realtype t, N_Vector y, N_Vector dy, void *user) {
  session *s = user;
  lim_flow *f = s->flow;
  int n = f->n;
  const double *x = N_VGetArrayPointer(y);
  double *out = N_VGetArrayPointer(dy);
  lim_side side = t >= s->to ? LIM_BEFORE : LIM_AFTER; // a jump may wait at the end
  memcpy(f->qn, x, (size_t)n * sizeof *x);
  memcpy(f->vn, x + n, (size_t)n * sizeof *x);
  lim_flow_prescribe(f, t, side, f->qn, f->vn, f->an);
  if (f->ns) memcpy(f->e->state, x + 2 * n + LIM_POWERS, (size_t)f->ns * sizeof *x);
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK)
    return 1; // a state that has run away: CVODE tries a smaller step
  lim_equations_residual(f->r, f->e, t, side, f->qn, f->vn, f->an);
  memcpy(out, f->vn, (size_t)n * sizeof *out);
  memcpy(out + n, f->an, (size_t)n * sizeof *out);
  lim_flow_power(out + 2 * n, f, f->qn, f->vn, f->r);
  lim_equations_rates(f->e, t, side, f->qn, f->vn);
  if (f->ns) memcpy(out + 2 * n + LIM_POWERS, f->e->rate, (size_t)f->ns * sizeof *out);
  f->iterations++;
  for (int i = 0; i < 2 * n + LIM_POWERS + f->ns; i++)
    if (!isfinite(out[i])) return 1;
  return 0;
}

// Onto the loops, after each internal step.
static int project(realtype t, N_Vector y, N_Vector correction, realtype size, N_Vector error, void *user) {
  (void)size, (void)error;
  session *s = user;
  lim_flow *f = s->flow;
  int n = f->n;
  const double *x = N_VGetArrayPointer(y);
  double *out = N_VGetArrayPointer(correction);
  lim_side side = t >= s->to ? LIM_BEFORE : LIM_AFTER;
  memcpy(f->qn, x, (size_t)n * sizeof *x);
  memcpy(f->vn, x + n, (size_t)n * sizeof *x);
  lim_flow_prescribe(f, t, side, f->qn, f->vn, f->an);
  if (f->ns) memcpy(f->e->state, x + 2 * n + LIM_POWERS, (size_t)f->ns * sizeof *x);
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK) return 1;
  if (!lim_equations_project(f->e, f->qn, f->vn)) return 1;
  N_VConst(0, correction);
  for (int i = 0; i < n; i++) {
    out[i] = f->qn[i] - x[i];
    out[n + i] = f->vn[i] - x[n + i];
  }
  return 0;
}

void lim_cvode_finish(lim_flow *f) {
  session *s = f->own;
  if (!s) return;
  if (s->memory) CVodeFree(&s->memory);
  if (s->solver) SUNLinSolFree(s->solver);
  if (s->matrix) SUNMatDestroy(s->matrix);
  if (s->y) N_VDestroy(s->y);
  if (s->scale) N_VDestroy(s->scale);
  SUNContext_Free(&s->context);
  free(s);
  f->own = NULL;
}

static void load_state(session *s) {
  lim_flow *f = s->flow;
  double *y = N_VGetArrayPointer(s->y);
  memcpy(y, f->q, (size_t)f->n * sizeof *y);
  memcpy(y + f->n, f->v, (size_t)f->n * sizeof *y);
  memcpy(y + 2 * f->n, f->book, sizeof f->book);
  if (f->ns) memcpy(y + 2 * f->n + LIM_POWERS, f->e->state, (size_t)f->ns * sizeof *y);
}

// Absolute tolerances: a small part of what a radian, a metre, a bent link and a joule are.
static void load_scale(session *s) {
  lim_flow *f = s->flow;
  double *x = N_VGetArrayPointer(s->scale);
  for (int i = 0; i < f->n; i++) {
    double size = f->group[i] < 2 ? 1 : 1e-3;
    x[i] = 1e-3 * f->tolerance * size;
    x[f->n + i] = 1e-2 * f->tolerance * size;
  }
  for (int i = 0; i < LIM_POWERS; i++) x[2 * f->n + i] = 1e-3 * f->tolerance;
  for (int i = 0; i < f->ns; i++) {
    const bool bristles = i < 3 * f->e->s->nbody && i % 3 < 2; // m
    x[2 * f->n + LIM_POWERS + i] = (bristles ? 1e-6 : 1e-3) * f->tolerance;
  }
}

// Messages go nowhere: codes say what happened. CVODE calls its handler without asking whether there is one.
static void say_nothing(int code, const char *module, const char *function, char *text, void *user) {
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

static bool open_session(lim_flow *f) {
  session *s = f->own = calloc(1, sizeof *s);
  if (!s || SUNContext_Create(NULL, &s->context)) return false;
  int n = 2 * f->n + LIM_POWERS + f->ns;
  s->flow = f;
  s->y = N_VNew_Serial(n, s->context);
  s->scale = N_VNew_Serial(n, s->context);
  s->matrix = SUNDenseMatrix(n, n, s->context);
  s->memory = CVodeCreate(CV_BDF, s->context);
  if (!s->y || !s->scale || !s->matrix || !s->memory) return false;
  s->solver = SUNLinSol_Dense(s->y, s->matrix, s->context);
  if (!s->solver) return false;
  load_state(s);
  load_scale(s);
  CVodeSetErrHandlerFn(s->memory, say_nothing, NULL);
  return !CVodeInit(s->memory, derivative, f->t, s->y) &&
         !CVodeSVtolerances(s->memory, f->tolerance, s->scale) && !CVodeSetUserData(s->memory, s) &&
         !CVodeSetLinearSolver(s->memory, s->solver, s->matrix) && !CVodeSetMaxNumSteps(s->memory, 1000000) &&
         !CVodeSetErrFile(s->memory, NULL) && (!f->e->s->nrow || !CVodeSetProjFn(s->memory, project));
}

lim_code lim_cvode_restart(lim_flow *f, lim_error *err) {
  lim_code code = lim_flow_accelerate(f, LIM_AFTER, err);
  if (code != LIM_OK) return code;
  session *s = f->own;
  if (!s) {
    if (!open_session(f)) return LIM_FAIL(err, LIM_FAILED, "CVODE could not be set up");
    return LIM_OK;
  }
  load_state(s);
  return CVodeReInit(s->memory, f->t, s->y) ? LIM_FAIL(err, LIM_FAILED, "CVODE could not be restarted")
                                            : LIM_OK;
}

lim_code lim_cvode_advance(lim_flow *f, double to, lim_error *err) {
  session *s = f->own;
  realtype t = f->t;
  s->to = to;
  CVodeSetStopTime(s->memory, to);
  bool near = to - t <= 1e-15 * fabs(to); // as after a change of friction just before: CVODE would refuse
  int flag = near ? CV_SUCCESS : CVode(s->memory, to, s->y, &t, CV_NORMAL);
  if (flag < 0)
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s CVODE gives up (%s); try another tolerance", t,
                    CVodeGetReturnFlagName(flag));
  const double *y = N_VGetArrayPointer(s->y);
  memcpy(f->q, y, (size_t)f->n * sizeof *y);
  memcpy(f->v, y + f->n, (size_t)f->n * sizeof *y);
  memcpy(f->book, y + 2 * f->n, sizeof f->book);
  if (f->ns) memcpy(f->e->state, y + 2 * f->n + LIM_POWERS, (size_t)f->ns * sizeof *y);
  f->t = to;
  f->steps++;
  lim_flow_prescribe(f, to, LIM_BEFORE, f->q, f->v, f->a);
  if (f->e->s->nrow) { // the end is interpolated
    lim_code code = lim_flow_accelerate(f, LIM_BEFORE, err);
    if (code != LIM_OK) return code;
    lim_equations_project(f->e, f->q, f->v);
  }
  return lim_flow_accelerate(f, LIM_BEFORE, err);
}
