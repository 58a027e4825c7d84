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
  N_Vector y, scale; // q, v, work, dissipated; absolute tolerances
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
  if (lim_equations_accelerate(f->an, f->r, f->e, t, side, f->qn, f->vn, NULL) != LIM_OK)
    return 1; // a state that has run away: CVODE tries a smaller step
  lim_equations_residual(f->r, f->e, t, side, f->qn, f->vn, f->an);
  memcpy(out, f->vn, (size_t)n * sizeof *out);
  memcpy(out + n, f->an, (size_t)n * sizeof *out);
  lim_flow_power(&out[2 * n], &out[2 * n + 1], f, t, side, f->qn, f->vn);
  f->iterations++;
  for (int i = 0; i < 2 * n; i++)
    if (!isfinite(out[i])) return 1;
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
  y[2 * f->n] = f->work;
  y[2 * f->n + 1] = f->dissipated;
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
  x[2 * f->n] = x[2 * f->n + 1] = 1e-3 * f->tolerance;
}

static bool open_session(lim_flow *f) {
  session *s = f->own = calloc(1, sizeof *s);
  if (!s || SUNContext_Create(NULL, &s->context)) return false;
  int n = 2 * f->n + 2;
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
  CVodeSetErrHandlerFn(s->memory, NULL, NULL);
  return !CVodeInit(s->memory, derivative, f->t, s->y) &&
         !CVodeSVtolerances(s->memory, f->tolerance, s->scale) && !CVodeSetUserData(s->memory, s) &&
         !CVodeSetLinearSolver(s->memory, s->solver, s->matrix) && !CVodeSetMaxNumSteps(s->memory, 1000000) &&
         !CVodeSetErrFile(s->memory, NULL);
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
  int flag = CVode(s->memory, to, s->y, &t, CV_NORMAL);
  if (flag < 0)
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s CVODE gives up (%s); try another tolerance", t,
                    CVodeGetReturnFlagName(flag));
  const double *y = N_VGetArrayPointer(s->y);
  memcpy(f->q, y, (size_t)f->n * sizeof *y);
  memcpy(f->v, y + f->n, (size_t)f->n * sizeof *y);
  f->work = y[2 * f->n];
  f->dissipated = y[2 * f->n + 1];
  f->t = to;
  f->steps++;
  lim_flow_prescribe(f, to, LIM_BEFORE, f->q, f->v, f->a);
  return lim_flow_accelerate(f, LIM_BEFORE, err);
}
