// growth.c - bounds on a motion under way, the same for every method. Theory: docs/theory/simulation.md.
#include "analysis/simulation/growth.h"

#include "analysis/vibration/loop_stability.h"
#include "math/packed.h"

#include <math.h>
#include <stdio.h>

// A signal or state beyond this is on its way to infinity: a square of it is not far.
static const double MOST_SIGNAL = 1e100;

static bool within(double x, double max) { return fabs(x) <= max; } // also refuses NaN

static const char *cause(const lim_session *s, int body) {
  const lim_joint_drive *d = &s->inputs->drive[body];
  if (d->wired >= 0 || d->law.kind) return "try a smaller step, or lower gains";
  if (d->type == LIM_DRIVE_EFFORT || d->type == LIM_DRIVE_MOTOR) return "its effort does not end";
  return "the step is too long, or what acts on it is unstable";
}

static lim_code joint_grows(const lim_session *s, int body, double q, double v, lim_error *err) {
  const lim_joint *j = &s->model->links.item[s->s->bodies[body].link].joint;
  const char *unit = s->s->bodies[body].screw.slides ? "m" : "rad";
  s->motion_state->advice = cause(s, body);
  return LIM_FAIL(err, LIM_FAILED,
                  "at t = %g s joint '%s' is at %.3g %s with %.3g %s/s: the motion grows without bound",
                  s->motion_state->t, j->head.name, q, unit, v, unit);
}

static lim_code check_joints(const lim_session *s, lim_error *err) {
  const lim_state *f = s->motion_state;
  for (int i = 0; i < s->s->nbody; i++) {
    const int both[2] = {s->s->bodies[i].q, s->s->bodies[i].m};
    for (int c = 0; c < 2; c++) {
      const int k = both[c];
      if (k < 0) continue;
      const double q = f->q[k] + (f->about ? f->ref[k] : 0), v = f->v[k] + (f->about ? f->ref[f->n + k] : 0);
      if (!within(q, LIM_STATE_MAX) || !within(v, LIM_STATE_MAX)) return joint_grows(s, i, q, v, err);
    }
  }
  return LIM_OK;
}

static lim_code check_coordinates(const lim_session *s, lim_error *err) {
  lim_state *f = s->motion_state;
  const double all = lim_packed_sum(f->q, f->n) + lim_packed_sum(f->v, f->n) + lim_packed_sum(f->a, f->n);
  for (int k = 0; k < f->n && !isfinite(all); k++) {
    if (isfinite(f->q[k]) && isfinite(f->v[k]) && isfinite(f->a[k])) continue;
    f->advice = "try a smaller step";
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s the motion of '%s' grows without bound", f->t,
                    lim_equations_owner(s->s, k));
  }
  return LIM_OK;
}

static lim_code check_blocks(const lim_session *s, lim_error *err) {
  const lim_network *n = s->inputs->network;
  const double *signal = s->equations->control.signal;
  for (int i = 0; n && i < n->nbox; i++) {
    const double x = signal[lim_network_signal(n, i)];
    if (within(x, MOST_SIGNAL)) continue;
    s->motion_state->advice = "";
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s block '%s' gives %.3g: it grows without bound",
                    s->motion_state->t, s->model->blocks.item[i].head.name, x);
  }
  return LIM_OK;
}

static lim_code check_states(const lim_session *s, lim_error *err) {
  const double *x = (const double *)s->equations->state;
  for (int i = 0; i < s->motion_state->ns; i++) {
    if (within(x[i], MOST_SIGNAL)) continue;
    s->motion_state->advice = "";
    return LIM_FAIL(err, LIM_FAILED,
                    "at t = %g s a state of the drives or controllers is %.3g: it grows without bound",
                    s->motion_state->t, x[i]);
  }
  return LIM_OK;
}

lim_code lim_growth_check(const lim_session *s, lim_error *err) {
  lim_code code = check_joints(s, err);
  if (code == LIM_OK) code = check_coordinates(s, err);
  if (code == LIM_OK) code = check_blocks(s, err);
  return code == LIM_OK ? check_states(s, err) : code;
}

// --- why ---

// What grows by less than a factor e until then did not end the run.
static bool explains(const lim_unstable *u, double t) { return u->growth * t > 1; }

// Whether something keeps motors from giving what is asked for, so that an unstable loop may swing within
// bounds.
static bool has_limits(const lim_inputs *inputs) {
  for (int i = 0; i < inputs->s->nbody; i++) {
    const lim_joint_drive *d = &inputs->drive[i];
    if (isfinite(d->law.limit) || isfinite(d->torque_limit) || isfinite(d->voltage_limit)) return true;
  }
  for (int i = 0; inputs->network && i < inputs->network->nbox; i++)
    if (!inputs->network->box[i].kind->linear) return true;
  return false;
}

// An unstable loop without limits ends in vibration as fast as it is wild, which takes ever shorter steps.
lim_code lim_growth_slows(const lim_state *f, double t, double step, lim_error *err) {
  enum { FOLDS = 36 }; // factors e: 16 digits
  const lim_inputs *inputs = f->e->inputs;
  const double duration = inputs->s->model->solver.duration, end = duration > t ? duration : t;
  if (has_limits(inputs)) return LIM_OK;
  lim_error own = {0};
  lim_unstable u;
  char text[1024];
  const lim_code code = lim_unstable_find(&u, inputs->s->model, inputs->directory, &own);
  lim_error_clear(&own);
  if (code != LIM_OK || !(u.growth * end > FOLDS)) return LIM_OK;
  lim_unstable_text(text, sizeof text, &u);
  return LIM_FAIL(err, LIM_FAILED, "at t = %g s the steps of the method are down to %.2g s; %s", t, step, text);
}

static const char STABLE[] = "the linearised loop is stable; ";

void lim_growth_explain(const lim_session *s, lim_error *err) {
  const char *advice =
      s->reference_state && s->reference_state->advice ? s->reference_state->advice : s->motion_state->advice;
  if (!err || !advice) return;
  lim_error own = {0};
  lim_unstable u;
  char text[1024] = "";
  const lim_code code = lim_unstable_find(&u, s->model, s->inputs->directory, &own);
  if (code == LIM_OK && explains(&u, s->motion_state->t))
    lim_unstable_text(text, sizeof text, &u);
  else if (code == LIM_OK && u.closed && u.why_not)
    snprintf(text, sizeof text,
             "%s, so that its loop cannot be linearised: look at gains, rates and delays, or %s", u.why_not,
             *advice ? advice : "try a smaller step");
  else if (*advice)
    snprintf(text, sizeof text, "%s%s", code == LIM_OK && u.closed && u.growth == 0 ? STABLE : "", advice);
  if (*text) lim_error_continue(err, "; ");
  lim_error_continue(err, text);
  lim_error_clear(&own);
}

// --- doubts ---

static bool has_controllers(const lim_inputs *inputs) {
  for (int i = 0; i < inputs->s->nbody; i++)
    if (inputs->drive[i].law.kind || inputs->drive[i].wired >= 0) return true;
  return false;
}

void lim_growth_warn(const lim_session *s, lim_error *err) {
  const lim_mode mode = lim_solver_mode(&s->model->solver);
  if (mode == LIM_MODE_QUASI_STATIC || mode == LIM_MODE_CONVENTIONAL || !has_controllers(s->inputs)) return;
  lim_error own = {0};
  lim_unstable u;
  char text[1024];
  const lim_code code = lim_unstable_find(&u, s->model, s->inputs->directory, &own);
  lim_error_clear(&own);
  if (code != LIM_OK || !lim_unstable_shows(&u, s->motion_state->t)) return;
  lim_unstable_text(text, sizeof text, &u);
  lim_warn(err, NAN, NULL, "%s", text);
}
