// sim.c - a simulation that the user's own program steps: the functions lim_sim_* of limber.h.
#include "analysis/session.h"
#include "result/channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lim_sim {
  lim_session *session;
  lim_channels *channels;
  double *value; // of the channels, as of the last look (count)
  bool looked;   // at the present state
  bool pushed;   // an effort was changed: accelerations jump
};

lim_code lim_sim_new(lim_sim **out, const lim_model *model, const char *directory, lim_error *err) {
  *out = NULL;
  if (model->solver.mode == LIM_MODE_LINEAR || model->solver.mode == LIM_MODE_QUASI_STATIC)
    return LIM_FAIL(err, LIM_BAD_INPUT, "stepping works in modes nonlinear and rigid");
  lim_sim *s = calloc(1, sizeof *s);
  if (!s) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = lim_session_new(&s->session, model, directory, err);
  if (code == LIM_OK && s->session->ground)
    code =
        LIM_FAIL(err, LIM_BAD_INPUT, "stepping works with methods that integrate the whole motion, not with %s",
                 s->session->method->name);
  if (code == LIM_OK) code = lim_channels_new(&s->channels, s->session->s, err);
  if (code == LIM_OK) {
    s->value = calloc((size_t)s->channels->count + 1, sizeof *s->value);
    code = s->value ? lim_session_restart(s->session, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  if (code == LIM_OK)
    *out = s;
  else
    lim_sim_free(s);
  return code;
}

void lim_sim_free(lim_sim *s) {
  if (!s) return;
  lim_channels_free(s->channels);
  lim_session_free(s->session);
  free(s->value);
  free(s);
}

double lim_sim_time(const lim_sim *s) { return s->session->flow->t; }

int lim_sim_joint(const lim_sim *s, const char *name) {
  const lim_system *arm = s->session->s;
  for (int i = 0; i < arm->nbody; i++) {
    if (arm->member[i].q < 0) continue;
    if (!strcmp(arm->model->links.item[arm->member[i].link].joint.head.name, name)) return arm->member[i].q;
  }
  return -1;
}

double lim_sim_position(const lim_sim *s, int joint) { return s->session->flow->q[joint]; }
double lim_sim_velocity(const lim_sim *s, int joint) { return s->session->flow->v[joint]; }

lim_code lim_sim_effort(lim_sim *s, int joint, double effort, lim_error *err) {
  const lim_equations *e = s->session->equations;
  if (joint < 0 || joint >= e->s->n) return LIM_FAIL(err, LIM_BAD_INPUT, "joint %d does not exist", joint);
  if (e->given[joint])
    return LIM_FAIL(err, LIM_BAD_INPUT, "the joint's motion is prescribed; an effort cannot move it");
  if (!isfinite(effort)) return LIM_FAIL(err, LIM_BAD_INPUT, "the effort is %g, must be finite", effort);
  s->pushed = s->pushed || e->extra[joint] != effort;
  e->extra[joint] = effort;
  return LIM_OK;
}

lim_code lim_sim_step(lim_sim *s, double h, lim_error *err) {
  lim_session *session = s->session;
  if (!(h > 0 && h < INFINITY)) return LIM_FAIL(err, LIM_BAD_INPUT, "the step is %g s, must be positive", h);
  double end = session->flow->t + h, slack = 1e-9 * h;
  lim_code code = s->pushed ? lim_session_restart(session, err) : LIM_OK;
  s->pushed = s->looked = false;
  while (code == LIM_OK && session->flow->t < end - slack) {
    double jump = lim_session_next(session, session->flow->t + slack);
    code = lim_session_advance(session, jump <= end + slack ? jump : end, err);
    if (code == LIM_OK && jump <= end + slack) code = lim_session_restart(session, err);
  }
  return code;
}

int lim_sim_channel(const lim_sim *s, const char *name) {
  for (int i = 0; i < s->channels->count; i++)
    if (!strcmp(s->channels->channel[i].name, name)) return i;
  return -1;
}

const char *lim_sim_channel_name(const lim_sim *s, int channel) {
  return channel >= 0 && channel < s->channels->count ? s->channels->channel[channel].name : NULL;
}

double lim_sim_value(lim_sim *s, int channel) {
  if (channel < 0 || channel >= s->channels->count) return NAN;
  if (!s->looked) {
    lim_session_look(s->session);
    lim_channels_evaluate(s->value, s->channels, &s->session->moment);
    s->looked = true;
  }
  return s->value[channel];
}
