// controls.c - controllers and blocks in one moment, over a step, at a tick. Theory: docs/theory/control.md.
#include "drive/controls.h"

#include "base/text.h"
#include "kinematics/closed_chain.h"
#include "math/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_clock(const lim_joint_drive *d) { return d->law_z >= 0; }

// --- what is measured ---

// What a joint is told; at rest the command stands still where it is.
static lim_sample told(const lim_trajectory *motion, const lim_control_instant *m) {
  lim_sample x = lim_inputs_sample(motion, m->still ? 0 : m->t, m->still ? LIM_AFTER : m->side);
  if (m->resting || m->still) x.rate = x.second = 0;
  return x;
}

static lim_sample reference_of(const lim_controls *c, int body, const lim_control_instant *m) {
  const lim_trajectory *motion = c->inputs->drive[body].motion;
  const int k = c->s->bodies[body].q;
  return motion ? told(motion, m) : (lim_sample){m->q[k], m->v[k], 0};
}

static double see_joint(const lim_controls *c, const lim_sensor *x, const lim_control_instant *m) {
  const lim_arm_body *b = &c->s->bodies[x->body];
  const int p = b->m >= 0 ? b->m : b->q;
  const double ratio = c->inputs->drive[x->body].ratio;
  switch (x->from->kind) {
  case LIM_SENSE_POSITION: return m->q[b->q];
  case LIM_SENSE_VELOCITY: return m->v[b->q];
  case LIM_SENSE_REFERENCE: return reference_of(c, x->body, m).value;
  case LIM_SENSE_REFERENCE_VELOCITY: return reference_of(c, x->body, m).rate;
  case LIM_SENSE_REFERENCE_ACCELERATION: return reference_of(c, x->body, m).second;
  case LIM_SENSE_MOTOR_POSITION: return ratio * m->q[p];
  case LIM_SENSE_MOTOR_VELOCITY: return ratio * m->v[p];
  default: return lim_sensor_strain(x, c->s, m->q);
  }
}

static double see_frame(const lim_controls *c, const lim_sensor *x, const lim_control_instant *m) {
  const lim_world_motion *body = x->site.body < 0 ? NULL : &c->body[x->site.body];
  const lim_world_motion at = lim_kinematics_site(c->s, &x->site, body, m->q, m->v, NULL);
  return (x->from->kind == LIM_SENSE_FRAME_POSITION ? at.p : at.v)[x->from->component];
}

static bool is_frame(const lim_sensor *x) {
  return x->from->kind == LIM_SENSE_FRAME_POSITION || x->from->kind == LIM_SENSE_FRAME_VELOCITY;
}

static void see(lim_controls *c, const lim_control_instant *m) {
  const int n = c->inputs->network ? c->inputs->network->nmeasured : 0;
  if (c->frames) lim_kinematics(c->body, c->s, m->q, m->v, NULL);
  for (int i = 0; i < n; i++)
    c->signal[i] = is_frame(&c->inputs->sensor[i]) ? see_frame(c, &c->inputs->sensor[i], m)
                                                   : see_joint(c, &c->inputs->sensor[i], m);
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_joint_drive *d = &c->inputs->drive[i];
    const lim_arm_body *b = &c->s->bodies[i];
    if (!d->law.kind || b->q < 0) continue;
    const int p = b->m >= 0 ? b->m : b->q;
    const lim_drive_motion x = {.q = m->q[b->q], .v = m->v[b->q], .p = m->q[p], .u = m->v[p]};
    c->view[i] = lim_drive_view(d, reference_of(c, i, m), m->t, &x);
  }
}

// --- the arm with rigid links ---

// Efforts along the commanded motion, into needed.
static void ask_needed(lim_controls *c, const lim_control_instant *m) {
  for (int i = 0; i < c->s->nbody; i++) {
    const int k = c->rigid_q[i];
    if (k < 0) continue;
    c->rv[k] = c->ra[k] = 0;
    if (!c->inputs->drive[i].motion) continue;
    const lim_sample x = told(c->inputs->drive[i].motion, m);
    c->rq[k] = x.value;
    c->rv[k] = x.rate;
    c->ra[k] = x.second;
  }
  lim_rec_residual(c->needed, c->rigid_w, c->rq, c->rv, c->ra);
}

// Efforts of the arm at rq, rv, ra to all who ask this, or less them.
static void answer(lim_controls *c, lim_rest_question question, double sign) {
  lim_rec_residual(c->rr, c->rigid_w, c->rq, c->rv, c->ra);
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_control_kind *kind = c->inputs->drive[i].law.kind;
    if (kind && kind->asks == question) c->view[i].arm += sign * c->rr[c->rigid_q[i]];
  }
}

// The arm where it is: joints without a controller as they are, with the accelerations they are told.
static void ask(lim_controls *c, const lim_control_instant *m, lim_rest_question question) {
  const bool moves = question == LIM_ARM_EFFORT;
  for (int i = 0; i < c->s->nbody; i++) {
    const int k = c->rigid_q[i];
    if (k < 0) continue;
    const lim_control_law *law = &c->inputs->drive[i].law;
    const lim_control_view *view = &c->view[i];
    const int q = c->s->bodies[i].q;
    c->rq[k] = law->kind ? view->position : m->q[q];
    c->rv[k] = !moves ? 0 : law->kind ? view->speed : m->v[q];
    c->ra[k] = !moves                                 ? 0
               : law->kind && law->kind->acceleration ? law->kind->acceleration(law, view)
                                                      : reference_of(c, i, m).second;
  }
  answer(c, question, 1);
  if (!m->weightless) return;
  memset(c->rv, 0, 2 * (size_t)c->rigid->n * sizeof *c->rv); // and ra
  answer(c, question, -1);
}

static bool asked(const lim_controls *c, lim_rest_question question) {
  for (int i = 0; i < c->s->nbody; i++)
    if (c->inputs->drive[i].law.kind && c->inputs->drive[i].law.kind->asks == question) return true;
  return false;
}

static void ask_arm(lim_controls *c, const lim_control_instant *m) {
  if (!c->rigid) return;
  if (asked(c, LIM_ARM_WEIGHT)) ask(c, m, LIM_ARM_WEIGHT);
  if (asked(c, LIM_ARM_EFFORT)) ask(c, m, LIM_ARM_EFFORT);
}

// --- signals and states ---

// Outputs of the blocks with states x, and what controllers take of them.
static void put_out(lim_controls *c, const lim_control_instant *m, const double *x) {
  if (c->inputs->network)
    lim_network_outputs(c->signal, c->inputs->network, m->t, m->side == LIM_BEFORE, x, c->z, c->u);
}

static void take_signals(lim_controls *c) {
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_control_law *law = &c->inputs->drive[i].law;
    if (!law->kind) continue;
    if (law->position >= 0) c->view[i].position = c->signal[law->position];
    if (law->block >= 0) c->view[i].signal = c->signal[law->block];
    if (c->rigid && law->needed != 0) c->view[i].needed = c->needed[c->rigid_q[i]];
  }
}

static double integral_rate(const lim_joint_drive *d, const lim_control_view *view) {
  return lim_control_integral_rate(&d->law, view, d->law.kind->torque(&d->law, view).value);
}

// f = rates of the states at x.
static void rates(double *f, lim_controls *c, const lim_control_instant *m, const double *x) {
  put_out(c, m, x);
  take_signals(c);
  if (c->inputs->network) lim_network_rates(f, c->inputs->network, c->signal, x, c->u);
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_joint_drive *d = &c->inputs->drive[i];
    if (!d->law.kind || d->law_x < 0) continue;
    c->view[i].integral = x[d->law_x];
    f[d->law_x] = integral_rate(d, &c->view[i]);
  }
}

// Factors of 1 - h/2 df/dx; laws are linear between their corners, so that differences are exact to rounding.
static bool factor(lim_controls *c, const lim_control_instant *m, const double *x) {
  const int n = c->nx;
  rates(c->f, c, m, x);
  memcpy(c->probe, x, (size_t)n * sizeof *x);
  for (int j = 0; j < n; j++) {
    const double d = 1e-7 * (1 + fabs(x[j]));
    c->probe[j] = x[j] + d;
    rates(c->g, c, m, c->probe);
    c->probe[j] = x[j];
    for (int i = 0; i < n; i++) c->J[i * n + j] = (i == j) - m->span / 2 * (c->g[i] - c->f[i]) / d;
  }
  c->span = lim_lu_factor(c->J, c->pivot, n) ? m->span : 0;
  return c->span > 0;
}

// One correction of end = x + h/2 (rate + f(end)); its size, relative.
static double correct(lim_controls *c, const lim_control_instant *m) {
  double max = 0;
  rates(c->f, c, m, c->end);
  for (int i = 0; i < c->nx; i++) c->g[i] = c->end[i] - c->x[i] - m->span / 2 * (c->rate[i] + c->f[i]);
  lim_lu_solve(c->g, c->J, c->pivot, c->nx);
  for (int i = 0; i < c->nx; i++) {
    c->end[i] -= c->g[i];
    max = fmax(max, fabs(c->g[i]) / (1 + fabs(c->end[i])));
  }
  return max;
}

// States at the end of the step by the trapezoidal rule. The factors are kept from step to step as long as they
// serve.
static void step(lim_controls *c, const lim_control_instant *m) {
  enum { ROUNDS = 12, SLOW = 3 };
  bool fresh = false;
  if (!(c->span == m->span)) {
    for (int i = 0; i < c->nx; i++) c->end[i] = c->x[i] + m->span * c->rate[i];
    if (!factor(c, m, c->end)) return;
    fresh = true;
  }
  for (int k = 0; k < ROUNDS; k++) {
    if (correct(c, m) <= 1e-14) return;
    if (k == SLOW && !fresh) {
      if (!factor(c, m, c->end)) return;
      fresh = true;
    }
  }
}

// --- commands ---

static bool is_wired(const lim_joint_drive *d) {
  return d->wired >= 0 || (d->law.kind && d->law.block >= 0 && !has_clock(d));
}

static double wired_value(const lim_controls *c, const lim_joint_drive *d) {
  double sum = d->wired >= 0 ? c->signal[d->wired] : 0;
  if (d->law.kind && d->law.block >= 0 && !has_clock(d))
    sum += fmin(fmax(c->signal[d->law.block], -d->law.limit), d->law.limit);
  return sum;
}

// Derivative of what blocks ask of a drive by one of its own motions, at the end of an implicit step, with the
// states that follow: for the matrix of the step only, which is to stay definite.
static double slope(lim_controls *c, const lim_control_instant *m, int body, int kind, double factor) {
  const lim_joint_drive *d = &c->inputs->drive[body];
  const lim_network *n = c->inputs->network;
  const double small = 1e-6, value = wired_value(c, d);
  bool found = false;
  memcpy(c->y, c->signal, (size_t)(n->nmeasured + n->nbox) * sizeof *c->y);
  for (int i = 0; i < n->nmeasured; i++)
    if (c->inputs->sensor[i].body == body && c->inputs->sensor[i].from->kind == kind) {
      c->signal[i] += small * factor;
      found = true;
    }
  if (!found) return 0;
  memcpy(c->probe, c->end, (size_t)c->nx * sizeof *c->probe);
  if (c->nx && c->span == m->span) {
    rates(c->g, c, m, c->end);
    for (int i = 0; i < c->nx; i++) c->g[i] = m->span / 2 * (c->g[i] - c->f[i]);
    lim_lu_solve(c->g, c->J, c->pivot, c->nx);
    for (int i = 0; i < c->nx; i++) c->probe[i] += c->g[i];
  }
  put_out(c, m, c->probe);
  const double moved = wired_value(c, d);
  memcpy(c->signal, c->y, (size_t)(n->nmeasured + n->nbox) * sizeof *c->y);
  return fmin((moved - value) / small, 0);
}

static void add_slopes(lim_controls *c, const lim_control_instant *m, int body) {
  const lim_joint_drive *d = &c->inputs->drive[body];
  lim_command *x = &c->command[body];
  x->q += slope(c, m, body, LIM_SENSE_POSITION, 1);
  x->v += slope(c, m, body, LIM_SENSE_VELOCITY, 1);
  x->p += slope(c, m, body, LIM_SENSE_MOTOR_POSITION, d->ratio);
  x->u += slope(c, m, body, LIM_SENSE_MOTOR_VELOCITY, d->ratio);
}

// An integral moves along with the step: by half of its length.
static lim_command commanded(lim_controls *c, const lim_control_instant *m, int body, const double *x) {
  const lim_joint_drive *d = &c->inputs->drive[body];
  const lim_control_law *law = &d->law;
  lim_control_view *view = &c->view[body];
  if (!law->kind) return (lim_command){0};
  if (has_clock(d) && !m->resting) return (lim_command){.value = c->z[d->law_z + 1]};
  view->integral = d->law_x >= 0 ? x[d->law_x] : has_clock(d) ? c->z[d->law_z] : 0;
  lim_command asked = law->kind->torque(law, view);
  if (d->law_x >= 0 && law->position < 0) *(law->measure_motor ? &asked.p : &asked.q) -= m->span / 2 * law->ki;
  return lim_control_limited(law, asked);
}

static void command(lim_controls *c, const lim_control_instant *m, const double *x) {
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_joint_drive *d = &c->inputs->drive[i];
    if (c->s->bodies[i].q < 0) continue;
    c->command[i] = commanded(c, m, i, x);
    if (d->wired >= 0) c->command[i].value += c->signal[d->wired];
  }
  if (!(m->span > 0)) return;
  if (c->nx) rates(c->f, c, m, c->end);
  for (int i = 0; i < c->s->nbody; i++)
    if (is_wired(&c->inputs->drive[i])) add_slopes(c, m, i);
}

void lim_controls_evaluate(lim_controls *c, const lim_control_instant *m) {
  if (c->rigid) ask_needed(c, m);
  if (!c->any) return;
  see(c, m);
  if (m->span > 0 && c->nx)
    step(c, m);
  else
    memcpy(c->end, c->x, (size_t)c->nx * sizeof *c->end);
  put_out(c, m, c->end);
  take_signals(c);
  ask_arm(c, m);
  command(c, m, c->end);
}

void lim_controls_rates(lim_controls *c, const lim_control_instant *m) {
  if (!c->nx) return;
  if (c->rigid) ask_needed(c, m);
  see(c, m);
  rates(c->rate, c, m, c->x);
}

// --- clocks ---

// What a controller in Lua answers.
static lim_code ask_script(lim_controls *c, int body, const lim_control_instant *m, lim_error *err) {
  lim_control_view *view = &c->view[body];
  const lim_arm_body *b = &c->s->bodies[body];
  const int p = b->m >= 0 ? b->m : b->q;
  const lim_lua_controller_field field[] = {{"position", view->position},
                                            {"velocity", view->speed},
                                            {"reference", view->reference.value},
                                            {"reference_velocity", view->reference.rate},
                                            {"reference_acceleration", view->reference.second},
                                            {"motor_position", view->ratio * m->q[p]},
                                            {"motor_velocity", view->ratio * m->v[p]}};
  return lim_lua_controller_call(&view->signal, c->script[body], m->t, field,
                                 (int)(sizeof field / sizeof *field), err);
}

// A controller samples, and the torque that follows is on its way.
static lim_code sample(lim_controls *c, int body, long k, const lim_control_instant *m, lim_error *err) {
  const lim_joint_drive *d = &c->inputs->drive[body];
  const lim_control_law *law = &d->law;
  lim_control_view *view = &c->view[body];
  double *z = c->z + d->law_z;
  lim_code code = c->script[body] ? ask_script(c, body, m, err) : LIM_OK;
  if (code != LIM_OK) return code;
  view->integral = z[0];
  const lim_command asked = law->kind->torque(law, view);
  const double given = lim_control_limited(law, asked).value;
  if (law->kind->integral) z[0] += law->period * lim_control_integral_rate(law, view, asked.value);
  z[2 + k % (d->law_whole + 1)] = given;
  return LIM_OK;
}

static lim_code tick_law(lim_controls *c, int body, const lim_control_instant *m, lim_error *err) {
  const lim_joint_drive *d = &c->inputs->drive[body];
  double *z = c->z + d->law_z, *done = c->done + d->law_clock;
  lim_code code = LIM_OK;
  long k;
  if (lim_clock_due(&k, d->law.period, 0, m->t, &done[0])) code = sample(c, body, k, m, err);
  if (lim_clock_due(&k, d->law.period, d->law_shift, m->t, &done[1]) && k >= d->law_whole)
    z[1] = z[2 + (k - d->law_whole) % (d->law_whole + 1)];
  return code;
}

lim_code lim_controls_tick(lim_controls *c, const lim_control_instant *m, lim_error *err) {
  if (!c->any_clock) return LIM_OK;
  if (c->rigid) ask_needed(c, m);
  see(c, m);
  if (c->inputs->network) lim_network_tick(c->signal, c->inputs->network, m->t, c->x, c->z, c->done, c->u);
  take_signals(c);
  ask_arm(c, m);
  lim_code code = LIM_OK;
  for (int i = 0; i < c->s->nbody && code == LIM_OK; i++)
    if (has_clock(&c->inputs->drive[i])) code = tick_law(c, i, m, err);
  return code;
}

double lim_controls_next(const lim_controls *c, double t) {
  double next = c->inputs->network ? lim_network_next(c->inputs->network, t) : INFINITY;
  for (int i = 0; i < c->s->nbody && c->any_clock; i++) {
    const lim_joint_drive *d = &c->inputs->drive[i];
    if (!has_clock(d)) continue;
    next = fmin(next, lim_clock_next(d->law.period, 0, t));
    if (d->law_shift > 0) next = fmin(next, lim_clock_next(d->law.period, d->law_shift, t));
  }
  return next;
}

// --- set-up ---

bool lim_drive_asks_rigid(const lim_joint_drive *d) {
  return d->rigid || (d->law.kind && (d->law.kind->asks != LIM_ARM_NOT_ASKED || d->law.needed != 0));
}

// Coordinates of the joints in the rigid system, which has the same links but other bodies.
static lim_code pair_with_rigid(lim_controls *c, lim_arena *arena, const lim_arm *rigid, lim_error *err) {
  const size_t n = (size_t)rigid->n;
  c->rigid_w = lim_rec_work_new(rigid);
  c->rq = lim_arena_array(arena, 5 * n, sizeof *c->rq);
  c->rigid_q = lim_arena_array(arena, (size_t)c->s->nbody, sizeof *c->rigid_q);
  if (!c->rigid_w || !c->rq || !c->rigid_q) return lim_no_memory(err);
  c->rv = c->rq + n;
  c->ra = c->rv + n;
  c->rr = c->ra + n;
  c->needed = c->rr + n;
  lim_arm_start(c->rq, c->rv, rigid);
  for (int i = 0; i < c->s->nbody; i++)
    c->rigid_q[i] = c->s->bodies[i].q < 0 ? -1 : lim_arm_same_freedom(rigid, c->s, i);
  c->rigid = rigid;
  return LIM_OK;
}

// Whether the loops of an arm bind its joints: that of a second rail, along which no joint leads away from it,
// does not.
static lim_code loops_bind(bool *out, const lim_arm *s, lim_error *err) {
  *out = false;
  if (s->nrow == 0) return LIM_OK;
  lim_arena arena = {0};
  double *q = lim_arena_array(&arena, 2 * (size_t)s->n, sizeof *q);
  bool *joined = lim_arena_array(&arena, (size_t)s->nbody + (size_t)s->nrow, sizeof *joined);
  bool *row = joined ? joined + s->nbody : NULL;
  lim_code code = q && joined ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(q, q + s->n, s);
    for (int i = 0; i < s->nbody; i++) joined[i] = true;
    code = lim_closed_chain_join(joined, row, s, q, NULL, err);
  }
  for (int i = 0; code == LIM_OK && i < s->nrow; i++) *out = *out || row[i];
  lim_arena_free(&arena);
  return code;
}

static lim_code load_scripts(lim_controls *c, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < c->s->nbody && code == LIM_OK; i++) {
    const lim_control_law *law = &c->inputs->drive[i].law;
    if (!law->kind || !law->script) continue;
    const char *directory = c->inputs->directory;
    const bool within = directory && *directory && law->script[0] != '/';
    lim_text path = {0};
    lim_text_add(&path, "%s%s%s", within ? directory : "", within ? "/" : "", law->script);
    code = path.failed ? lim_no_memory(err) : lim_lua_controller_new(&c->script[i], path.text, err);
    lim_text_free(&path);
  }
  return code;
}

static bool allocate(lim_controls *c, lim_arena *arena) {
  const lim_network *n = c->inputs->network;
  const size_t nb = (size_t)c->s->nbody, nx = (size_t)c->nx;
  const size_t signals = n ? (size_t)(n->nmeasured + n->nbox) : 0;
  c->z = lim_arena_array(arena, (size_t)c->inputs->nz, sizeof *c->z);
  c->done = lim_arena_array(arena, (size_t)c->inputs->nclock, sizeof *c->done);
  c->signal = lim_arena_array(arena, signals, sizeof *c->signal);
  c->y = lim_arena_array(arena, signals, sizeof *c->y);
  c->u = lim_arena_array(arena, n ? (size_t)n->nin : 0, sizeof *c->u);
  c->view = lim_arena_array(arena, nb, sizeof *c->view);
  c->command = lim_arena_array(arena, nb, sizeof *c->command);
  c->script = lim_arena_array(arena, nb, sizeof(*c->script));
  c->body = lim_arena_array(arena, nb, sizeof *c->body);
  c->J = lim_arena_array(arena, nx * nx, sizeof *c->J);
  c->f = lim_arena_array(arena, 3 * nx, sizeof *c->f);
  c->pivot = lim_arena_array(arena, nx, sizeof *c->pivot);
  if (!c->z || !c->done || !c->signal || !c->y || !c->u || !c->view || !c->command || !c->script || !c->body ||
      !c->J || !c->f || !c->pivot)
    return false;
  c->g = c->f + nx;
  c->probe = c->g + nx;
  return true;
}

lim_code lim_controls_start(lim_controls *c, lim_arena *arena, const lim_arm *s, const lim_inputs *inputs,
                            const lim_arm *rigid, lim_error *err) {
  c->s = s;
  c->inputs = inputs;
  c->nx = inputs->nx;
  c->any = inputs->network != NULL;
  c->any_clock = inputs->nclock > 0;
  bool asks = false;
  for (int i = 0; i < s->nbody; i++) {
    c->any = c->any || inputs->drive[i].law.kind;
    asks = asks || lim_drive_asks_rigid(&inputs->drive[i]);
  }
  for (int i = 0; inputs->network && i < inputs->network->nmeasured; i++)
    c->frames = c->frames || is_frame(&inputs->sensor[i]);
  if (!allocate(c, arena)) return lim_no_memory(err);
  lim_code code = load_scripts(c, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < inputs->nclock; i++) c->done[i] = -1;
  if (inputs->network) lim_network_start(c->x, c->z, c->done, inputs->network);
  if (!asks) return LIM_OK;
  bool bound = false;
  code = loops_bind(&bound, rigid, err);
  if (code != LIM_OK) return code;
  if (bound)
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "what the arm with rigid links needs ('rigid', feed-forward of torque, pd-gravity, "
                    "computed-torque) is not known for closed chains and couplings; take it from 'inverse'");
  return pair_with_rigid(c, arena, rigid, err);
}

void lim_controls_end(lim_controls *c) {
  for (int i = 0; c->script && i < c->s->nbody; i++) lim_lua_controller_free(c->script[i]);
  lim_rec_work_free(c->rigid_w);
}
