// sim.c - a simulation that the user's own program steps: the functions lim_sim_* of limber.h.
#include "analysis/prepare.h"
#include "analysis/simulation/growth.h"
#include "analysis/simulation/session.h"
#include "arm/ball.h"
#include "channel/channels.h"
#include "dynamics/mass_matrix.h"
#include "kinematics/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lim_sim {
  lim_model *model; // the caller's, prepared
  char *directory;
  lim_session *session;
  lim_channels *channels;
  int njoint;
  int *joint;     // coordinate of each joint with one freedom, in the order of links (njoint)
  double *value;  // of the channels, as of the last evaluation (count)
  bool evaluated; // at the present state
  bool pushed;    // an effort was changed: accelerations jump
};

// Number the joints that have a position: not those that users cannot name.
static lim_code list_joints(lim_sim *s, lim_error *err) {
  const lim_arm *arm = s->session->s;
  s->joint = calloc((size_t)arm->nbody + 1, sizeof *s->joint);
  if (!s->joint) return lim_no_memory(err);
  for (int i = 0; i < arm->nbody; i++)
    if (arm->bodies[i].q >= 0 && !lim_joint_in_ball(&arm->model->links.item[arm->bodies[i].link].joint))
      s->joint[s->njoint++] = arm->bodies[i].q;
  return LIM_OK;
}

// All but the model and its folder.
static lim_code start(lim_sim *s, lim_error *err) {
  lim_code code = lim_session_new(&s->session, s->model, s->directory, err);
  if (code == LIM_OK && s->session->reference_state)
    code =
        LIM_FAIL(err, LIM_BAD_INPUT, "stepping works with methods that integrate the whole motion, not with %s",
                 s->session->method->row.word);
  if (code == LIM_OK) code = list_joints(s, err);
  if (code == LIM_OK) code = lim_channels_new(&s->channels, s->session->s, err);
  if (code == LIM_OK) {
    s->value = calloc((size_t)s->channels->count + 1, sizeof *s->value);
    code = s->value ? lim_session_restart(s->session, err) : lim_no_memory(err);
  }
  return code;
}

static lim_code prepare(lim_sim *s, const lim_model *model, const char *directory, lim_error *err) {
  s->directory = strdup(directory ? directory : model->origin.folder);
  s->model = calloc(1, sizeof *s->model);
  return s->directory && s->model ? lim_prepare_copy(s->model, model, s->directory, err) : lim_no_memory(err);
}

lim_code lim_sim_new(lim_sim **out, const lim_model *model, const char *directory, lim_error *err) {
  if (out) *out = NULL;
  if (!out || !model) return LIM_FAIL(err, LIM_BAD_INPUT, "out and model must not be NULL");
  if (model->solver.mode != LIM_MODE_NONLINEAR && model->solver.mode != LIM_MODE_RIGID)
    return LIM_FAIL(err, LIM_BAD_INPUT, "stepping works in modes nonlinear and rigid");
  lim_sim *s = calloc(1, sizeof *s);
  if (!s) return lim_no_memory(err);
  lim_code code = prepare(s, model, directory, err);
  if (code == LIM_OK) code = start(s, err);
  if (code == LIM_OK)
    *out = s;
  else
    lim_sim_free(s);
  return code;
}

static void end(lim_sim *s) {
  lim_channels_free(s->channels);
  lim_session_free(s->session);
  free(s->joint);
  free(s->value);
}

void lim_sim_free(lim_sim *s) {
  if (!s) return;
  end(s);
  if (s->model) lim_prepare_end(s->model);
  free(s->model);
  free(s->directory);
  free(s);
}

double lim_sim_time(const lim_sim *s) { return s ? s->session->motion_state->t : NAN; }

int lim_sim_joints(const lim_sim *s) { return s ? s->njoint : 0; }

const char *lim_sim_joint_name(const lim_sim *s, int joint) {
  if (!s || joint < 0 || joint >= s->njoint) return NULL;
  const lim_arm *arm = s->session->s;
  for (int i = 0; i < arm->nbody; i++)
    if (arm->bodies[i].q == s->joint[joint]) return arm->model->links.item[arm->bodies[i].link].joint.head.name;
  return NULL;
}

int lim_sim_joint(const lim_sim *s, const char *name) {
  for (int i = 0; name && i < lim_sim_joints(s); i++)
    if (!strcmp(lim_sim_joint_name(s, i), name)) return i;
  return -1;
}

double lim_sim_position(const lim_sim *s, int joint) {
  return joint >= 0 && joint < lim_sim_joints(s) ? s->session->motion_state->q[s->joint[joint]] : NAN;
}

double lim_sim_velocity(const lim_sim *s, int joint) {
  return joint >= 0 && joint < lim_sim_joints(s) ? s->session->motion_state->v[s->joint[joint]] : NAN;
}

static lim_code no_sim(lim_error *err) { return LIM_FAIL(err, LIM_BAD_INPUT, "the simulation is NULL"); }

lim_code lim_sim_effort(lim_sim *s, int joint, double effort, lim_error *err) {
  if (!s) return no_sim(err);
  const lim_equations *e = s->session->equations;
  if (joint < 0 || joint >= s->njoint)
    return LIM_FAIL(err, LIM_BAD_INPUT, "joint %d does not exist; there are %d, from 0", joint, s->njoint);
  int x = s->joint[joint];
  if (e->given[x])
    return LIM_FAIL(err, LIM_BAD_INPUT, "the motion of joint '%s' is prescribed; an effort cannot move it",
                    lim_sim_joint_name(s, joint));
  if (!isfinite(effort)) return LIM_FAIL(err, LIM_BAD_INPUT, "the effort is %g, must be finite", effort);
  s->pushed = s->pushed || e->extra[x] != effort;
  e->extra[x] = effort;
  return LIM_OK;
}

lim_code lim_sim_step(lim_sim *s, double h, lim_error *err) {
  if (!s) return no_sim(err);
  lim_session *session = s->session;
  if (!(h > 0 && h < INFINITY)) return LIM_FAIL(err, LIM_BAD_INPUT, "the step is %g s, must be positive", h);
  double end = session->motion_state->t + h, slack = 1e-9 * h;
  if (!(end > session->motion_state->t))
    return LIM_FAIL(err, LIM_BAD_INPUT, "the step of %g s is lost in rounding at t = %g s", h,
                    session->motion_state->t);
  if (end > session->inputs->until + slack)
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "a motion that a joint follows exactly ends at speed at %g s; the step leads to %g s",
                    session->inputs->until, end);
  lim_code code = s->pushed ? lim_session_restart(session, err) : LIM_OK;
  s->pushed = s->evaluated = false;
  while (code == LIM_OK && session->motion_state->t < end - slack) {
    double jump = lim_session_next(session, session->motion_state->t + slack);
    code = lim_session_advance(session, jump <= end + slack ? jump : end, err);
    if (code == LIM_OK && jump <= end + slack) code = lim_session_restart(session, err);
  }
  if (code == LIM_FAILED) lim_growth_explain(session, err);
  return code;
}

int lim_sim_channel(const lim_sim *s, const char *name) {
  for (int i = 0; s && name && i < s->channels->count; i++)
    if (!strcmp(s->channels->channel[i].name, name)) return i;
  return -1;
}

const char *lim_sim_channel_name(const lim_sim *s, int channel) {
  return s && channel >= 0 && channel < s->channels->count ? s->channels->channel[channel].name : NULL;
}

static void evaluate(lim_sim *s) {
  if (s->evaluated) return;
  lim_session_sample(s->session);
  lim_channels_evaluate(s->value, s->channels, &s->session->snapshot);
  s->evaluated = true;
}

double lim_sim_value(lim_sim *s, int channel) {
  if (!s || channel < 0 || channel >= s->channels->count) return NAN;
  evaluate(s);
  return s->value[channel];
}

// --- all at once ---

int lim_sim_channels(const lim_sim *s) { return s ? s->channels->count : 0; }

static lim_code no_array(lim_error *err) {
  return LIM_FAIL(err, LIM_BAD_INPUT, "the simulation and the array must not be NULL");
}

lim_code lim_sim_values(lim_sim *s, double *values, lim_error *err) {
  if (!s || !values) return no_array(err);
  evaluate(s);
  memcpy(values, s->value, (size_t)s->channels->count * sizeof *values);
  return LIM_OK;
}

lim_code lim_sim_positions(const lim_sim *s, double *positions, lim_error *err) {
  if (!s || !positions) return no_array(err);
  for (int i = 0; i < s->njoint; i++) positions[i] = lim_sim_position(s, i);
  return LIM_OK;
}

lim_code lim_sim_velocities(const lim_sim *s, double *velocities, lim_error *err) {
  if (!s || !velocities) return no_array(err);
  for (int i = 0; i < s->njoint; i++) velocities[i] = lim_sim_velocity(s, i);
  return LIM_OK;
}

lim_code lim_sim_efforts(lim_sim *s, const double *efforts, lim_error *err) {
  if (!s || !efforts) return no_array(err);
  for (int i = 0; i < s->njoint; i++) {
    if (efforts[i] == 0 && s->session->equations->given[s->joint[i]]) continue; // nothing is asked of it
    lim_code code = lim_sim_effort(s, i, efforts[i], err);
    if (code != LIM_OK) return code;
  }
  return LIM_OK;
}

// --- state ---

lim_code lim_sim_reset(lim_sim *s, lim_error *err) {
  if (!s) return no_sim(err);
  lim_sim fresh = {.model = s->model, .directory = s->directory};
  lim_code code = start(&fresh, err);
  end(code == LIM_OK ? s : &fresh);
  if (code == LIM_OK) *s = fresh;
  return code;
}

// What a state is about: sizes that must agree, and how often the simulation was sampled.
enum { MARK, COORDINATES, UNKNOWNS, STATES, HELD, CLOCKS, SAMPLES, HEAD, SPANS = 15, QUATERNION = 4 };
static const double FORMAT = 1; // of states

typedef struct {
  double *at;
  size_t count;
} span;

// All numbers that a state holds.
static void list_spans(span x[SPANS], const lim_sim *s) {
  lim_session *r = s->session;
  lim_state *f = r->motion_state;
  lim_equations *e = r->equations;
  const size_t n = (size_t)f->n;
  const span all[SPANS] = {{&f->t, 1},
                           {&r->start_energy, 1},
                           {&r->peak, 1},
                           {&r->square, 1},
                           {f->energy_integrals, LIM_POWERS},
                           {f->q, n},
                           {f->v, n},
                           {f->a, n},
                           {f->A, n},
                           {f->b, (size_t)f->unknowns},
                           {f->scale, (size_t)f->ngroup},
                           {(double *)e->state, (size_t)e->ns},
                           {e->control.z, (size_t)r->inputs->nz},
                           {e->control.done, (size_t)r->inputs->nclock},
                           {e->extra, n}};
  memcpy(x, all, sizeof all);
}

static void fill_head(double head[HEAD], const lim_sim *s) {
  const lim_session *r = s->session;
  head[MARK] = FORMAT;
  head[COORDINATES] = r->motion_state->n;
  head[UNKNOWNS] = r->motion_state->unknowns;
  head[STATES] = r->equations->ns;
  head[HELD] = r->inputs->nz;
  head[CLOCKS] = r->inputs->nclock;
  head[SAMPLES] = (double)r->samples;
}

// What else the simulation remembers; NULL: nothing.
static const char *more_than_state(const lim_sim *s) {
  const lim_session *r = s->session;
  if (r->gripping) return "a program that grips parts";
  if (r->damping) return "damping that is built anew along the motion";
  for (int i = 0; r->equations->control.script && i < r->s->nbody; i++)
    if (r->equations->control.script[i]) return "a controller in Lua";
  return NULL;
}

size_t lim_sim_state_size(const lim_sim *s) {
  span x[SPANS];
  size_t count = HEAD;
  if (!s || more_than_state(s)) return 0;
  list_spans(x, s);
  for (int i = 0; i < SPANS; i++) count += x[i].count;
  return (count + QUATERNION * (size_t)s->session->s->nball) * sizeof(double);
}

static lim_code check_state(const lim_sim *s, const void *state, size_t size, lim_error *err) {
  if (!s || !state) return no_array(err);
  if (more_than_state(s))
    return LIM_FAIL(err, LIM_BAD_INPUT, "a simulation with %s has no state that can be set",
                    more_than_state(s));
  if (size == lim_sim_state_size(s)) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "the state has %zu bytes, that of this simulation %zu", size,
                  lim_sim_state_size(s));
}

lim_code lim_sim_state_get(const lim_sim *s, void *state, size_t size, lim_error *err) {
  span x[SPANS];
  double head[HEAD];
  char *at = state;
  lim_code code = check_state(s, state, size, err);
  if (code != LIM_OK) return code;
  fill_head(head, s);
  memcpy(at, head, sizeof head);
  at += sizeof head;
  list_spans(x, s);
  for (int i = 0; i < SPANS; at += x[i].count * sizeof(double), i++)
    if (x[i].count) memcpy(at, x[i].at, x[i].count * sizeof(double));
  const lim_arm *arm = s->session->s;
  for (int i = 0; i < arm->nball; i++, at += sizeof arm->ball[i].quaternion)
    memcpy(at, arm->ball[i].quaternion, sizeof arm->ball[i].quaternion);
  return LIM_OK;
}

// Orientations of ball joints, in both arms of the run.
static void set_balls(lim_session *r, const char *at) {
  for (int i = 0; i < r->s->nball; i++) {
    double quaternion[QUATERNION];
    memcpy(quaternion, at + (size_t)i * sizeof quaternion, sizeof quaternion);
    lim_ball_set(r->s, i, quaternion);
    lim_ball_set(r->rigid, i, quaternion);
  }
}

// A simulation at its start takes up the state, as after a jump of forces that changes nothing.
lim_code lim_sim_state_set(lim_sim *s, const void *state, size_t size, lim_error *err) {
  span x[SPANS];
  double head[HEAD], own[HEAD];
  const char *at = state;
  lim_code code = check_state(s, state, size, err);
  if (code != LIM_OK) return code;
  memcpy(head, at, sizeof head);
  at += sizeof head;
  fill_head(own, s);
  bool same = true;
  for (int i = 0; i < SAMPLES; i++) same = same && head[i] == own[i];
  if (!same)
    return LIM_FAIL(err, LIM_BAD_INPUT, "the state is of another model, or of another version of the library");
  code = lim_sim_reset(s, err);
  if (code != LIM_OK) return code;
  list_spans(x, s);
  for (int i = 0; i < SPANS; at += x[i].count * sizeof(double), i++)
    if (x[i].count) memcpy(x[i].at, at, x[i].count * sizeof(double));
  set_balls(s->session, at);
  s->session->samples = (long)head[SAMPLES];
  code = lim_events_settle(s->session->events,
                           err); // what pressed then presses, before the restart compares forces
  return code == LIM_OK ? lim_session_restart(s->session, err) : code;
}

// --- matrices ---

int lim_sim_coordinates(const lim_sim *s) { return s ? s->session->s->n : 0; }

int lim_sim_joint_coordinate(const lim_sim *s, int joint) {
  return joint >= 0 && joint < lim_sim_joints(s) ? s->joint[joint] : -1;
}

lim_code lim_sim_mass(lim_sim *s, double *M, lim_error *err) {
  if (!s || !M) return no_array(err);
  const lim_arm *arm = s->session->s;
  lim_rec_work *work = lim_rec_work_new(arm);
  double *scratch = calloc(4 * (size_t)arm->n + 1, sizeof *scratch);
  lim_code code = work && scratch ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) lim_assemble_mass(M, work, arm, s->session->motion_state->q, scratch);
  lim_rec_work_free(work);
  free(scratch);
  return code;
}

lim_code lim_sim_jacobian(lim_sim *s, const char *frame, double *J, lim_error *err) {
  if (!s || !frame || !J) return no_array(err);
  const lim_arm *arm = s->session->s;
  const lim_named_site *site = lim_arm_find_site(arm, frame);
  if (!site) return LIM_FAIL(err, LIM_BAD_INPUT, "unknown frame '%.60s'", frame);
  lim_world_motion *body = calloc((size_t)arm->nbody + 1, sizeof *body);
  double *unit = calloc((size_t)arm->n + 1, sizeof *unit);
  lim_world_pose pose;
  lim_code code = body && unit ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) lim_frame_jacobian(&pose, J, arm, &site->site, s->session->motion_state->q, body, unit);
  free(body);
  free(unit);
  return code;
}
