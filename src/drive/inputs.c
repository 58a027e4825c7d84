// inputs.c - drives and loads of the model as trajectories in time. Theory: docs/theory/dynamics.md.
#include "drive/inputs.h"

#include "arm/pose.h"
#include "math/gauss.h"
#include "path/line.h"
#include "program/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

lim_sample lim_inputs_sample(const lim_trajectory *c, double t, lim_side side) {
  return side == LIM_BEFORE ? lim_trajectory_before(c, t) : lim_trajectory_at(c, t);
}

double lim_inputs_value(const lim_trajectory *c, double t, lim_side side) {
  return lim_trajectory_value(c, t, side == LIM_BEFORE);
}

// --- drives ---

// Servo compliance: given, or by the rule k = J (pi f0)^2, d = 2 sqrt(J k).
static void servo_gains(lim_joint_drive *d, const lim_drive *from) {
  bool rule = isnan(from->stiffness);
  double w = M_PI * from->frequency;
  d->stiffness = rule ? from->inertia * w * w : from->stiffness;
  d->damping = !isnan(from->damping) ? from->damping : rule ? 2 * sqrt(from->inertia * d->stiffness) : 0;
}

// A motion that a joint follows exactly may not jump in position or speed once it is under way.
// What it does at the start it has done before; what it does from the end of the run on nobody sees: `until` is
// the first time of that.
static lim_code check_smooth(const lim_trajectory *c, const lim_motion *q, double end, double *until,
                             lim_error *err) {
  for (int i = 0; i < c->nbreak; i++) {
    if (c->breaks[i].order >= 2 || c->breaks[i].time <= 0) continue;
    if (!(c->breaks[i].time >= end * (1 - 1e-12))) // NaN: there is no end
      return lim_tree_error(err, q->head.node,
                            "motion '%s': %s jumps at %g s, which a joint that follows exactly cannot do",
                            q->head.name, c->breaks[i].order ? "the speed" : "the position", c->breaks[i].time);
    *until = fmin(*until, c->breaks[i].time);
  }
  return LIM_OK;
}

// The effort of the drive, or the torque of its motor.
static lim_code build_effort(lim_joint_drive *d, const lim_drive *from, bool moves, lim_trajectory_setup setup,
                             lim_error *err) {
  const bool motor = from->type == LIM_DRIVE_MOTOR;
  const lim_signal *signal = motor ? &from->torque : &from->effort;
  d->rigid = signal->rigid;
  if (d->rigid && !moves)
    return lim_tree_error(err, from->head.node, "drive '%s': %s 'rigid' needs a motion of the joint",
                          from->head.name, motor ? "torque" : "effort");
  setup.motion = false;
  setup.start = 0;
  if (signal->block.text) return LIM_OK;
  if (d->rigid || (motor && signal->list.count == 0)) return LIM_OK;
  return lim_trajectory_new(&d->effort, signal, &setup, err);
}

static double given(double x, double fallback) { return isnan(x) ? fallback : x; }

static double motor_ratio(const lim_motor *m) { return m->ratio / given(m->radius, 1); }

static void set_motor(lim_joint_drive *d, const lim_motor *m) {
  d->ratio = motor_ratio(m);
  d->torque_limit = given(m->torque_limit, INFINITY);
  d->no_load_speed = given(m->no_load_speed, INFINITY);
  d->electrical = !isnan(m->torque_constant);
  d->resistance = given(m->resistance, 0);
  d->inductance = given(m->inductance, 0);
  d->torque_constant = given(m->torque_constant, 0);
  d->back_emf = given(m->back_emf, d->torque_constant);
  d->voltage_limit = given(m->voltage_limit, INFINITY);
}

// Signal of a block that is named; -1: none is.
static int signal_of(const lim_inputs *a, const lim_ref *block) {
  return block->text ? lim_network_signal(a->network, block->index) : -1;
}

static void set_law(lim_control_law *x, const lim_control *c, double ratio) {
  x->kind = lim_control_kinds[c->type];
  const double sign = x->kind->asks == LIM_ARM_EFFORT ? 1 : ratio;
  x->kp = copysign(given(c->kp, 0), sign);
  x->kv = given(c->kv, 0);
  x->ki = copysign(given(c->ki, 0), sign);
  x->integral_time = given(c->integral_time, 0);
  x->bandwidth = given(c->bandwidth, 0);
  x->damping = c->damping;
  x->gains = c->gains;
  x->measure_motor = c->measure == 1;
  x->velocity = c->feedforward.velocity;
  x->acceleration = c->feedforward.acceleration;
  x->needed = c->feedforward.torque;
  x->limit = given(c->limit, INFINITY);
  x->windup = given(c->anti_windup, 0);
  x->period = isnan(c->rate) ? 0 : 1 / c->rate;
  x->delay = c->delay;
  x->script = c->file;
  x->own = c->own;
}

// States, held values and clocks of a controller come after those of the blocks.
static void set_control(lim_inputs *a, lim_joint_drive *d, const lim_control *c) {
  enum { CLOCKS = 2 };
  lim_control_law *x = &d->law;
  if (!c->head.node) return;
  set_law(x, c, d->ratio);
  x->block = signal_of(a, &c->block);
  x->position = signal_of(a, &c->position);
  if (x->kind->integral && !(x->period > 0)) d->law_x = a->nx++;
  if (!(x->period > 0)) return;
  const double ticks = x->delay / x->period, rounding = 1e-6;
  d->law_whole = (int)floor(ticks + rounding);
  d->law_shift = ticks - d->law_whole > rounding ? x->delay - d->law_whole * x->period : 0;
  d->law_z = a->nz;
  d->law_clock = a->nclock;
  a->nz += LIM_LAW_HELD + d->law_whole;
  a->nclock += CLOCKS;
}

// The torque of a gear does not fall with its deflection; with play it begins with 0 where the flanks touch.
static lim_code check_gear_curve(const lim_curve *c, const lim_gear *g, lim_error *err) {
  double max = 0;
  for (int i = 0; i < c->n; i++) max = fmax(max, fabs(c->y[i]));
  for (int i = 1; i < c->n; i++)
    if (c->y[i] < c->y[i - 1])
      return lim_tree_error(err, g->torque.head.node,
                            "gear: the torque in table '%s' falls from %g to %g, must not", g->torque.table,
                            c->y[i - 1], c->y[i]);
  const double start = lim_curve_at(c, 0).value;
  if (g->backlash > 0 && fabs(start) > 1e-12 * max)
    return lim_tree_error(
        err, g->torque.head.node,
        "gear: the torque in table '%s' is %g without deflection, must be 0 for a gear with backlash",
        g->torque.table, start);
  return LIM_OK;
}

static lim_code set_gear(lim_joint_drive *d, const lim_gear *g, const char *directory, lim_error *err) {
  d->efficiency = g->efficiency;
  if (!d->elastic) return LIM_OK;
  d->gear_stiffness = given(g->stiffness, 0);
  d->gear_damping = g->damping;
  d->backlash = g->backlash;
  if (!g->torque.head.node) return LIM_OK;
  lim_code code = lim_curve_new(&d->gear_curve, &g->torque, directory, err);
  return code == LIM_OK ? check_gear_curve(d->gear_curve, g, err) : code;
}

// Add a friction to those on its coordinate. On the motor it is one of the rotor: in units of the joint an
// effort is ratio times a torque, and a speed that of the rotor over the ratio. That they add is checked by the
// model.
static void add_friction(lim_joint_drive *d, const lim_friction *from) {
  if (!from->head.node) return;
  const double r = from->on == 1 ? fabs(d->ratio) : 1;
  lim_friction_law *f = &d->friction[from->on == 1 && d->elastic];
  f->viscous += r * r * from->viscous;
  f->coulomb += r * from->coulomb;
  f->stiction += r * given(from->stiction, from->coulomb);
  if (from->stiction > from->coulomb) f->stribeck = given(from->stribeck_speed, 0) / r;
  if (from->law != LIM_FRICTION_LUGRE) return;
  f->bristles = true;
  f->bristle_stiffness = r * r * from->bristle_stiffness;
  f->bristle_damping = r * r * given(from->bristle_damping, 0);
}

static lim_code build_motor(lim_inputs *a, lim_joint_drive *d, const lim_drive *from, bool moves,
                            lim_trajectory_setup setup, lim_error *err) {
  set_motor(d, &from->motor);
  set_control(a, d, &from->control);
  lim_code code = set_gear(d, &from->gear, setup.directory, err);
  if (code != LIM_OK) return code;
  const double e = d->efficiency;
  d->friction[d->elastic].share = (1 / e - e) / 2;
  if (!moves || !lim_drive_follows(from)) return build_effort(d, from, moves, setup, err);
  d->motor_given = d->elastic;
  if (!d->elastic) d->type = LIM_DRIVE_PRESCRIBED;
  return LIM_OK;
}

lim_joint_drive lim_drive_plain(int type) {
  return (lim_joint_drive){.type = type,
                           .ratio = 1,
                           .efficiency = 1,
                           .torque_limit = INFINITY,
                           .no_load_speed = INFINITY,
                           .voltage_limit = INFINITY,
                           .law = {.limit = INFINITY, .block = -1, .position = -1},
                           .law_x = -1,
                           .law_z = -1,
                           .wired = -1};
}

// What the drive is made of, beside the commanded motion.
static lim_code build_parts(lim_inputs *a, lim_joint_drive *d, const lim_drive *from, bool moves,
                            const lim_trajectory_setup *setup, lim_error *err) {
  lim_code code = LIM_OK;
  if (d->type == LIM_DRIVE_EFFORT) d->wired = signal_of(a, &from->effort.block);
  if (d->type == LIM_DRIVE_MOTOR) d->wired = signal_of(a, &from->torque.block);
  if (d->type == LIM_DRIVE_SERVO) servo_gains(d, from);
  if (d->type == LIM_DRIVE_EFFORT) code = build_effort(d, from, moves, *setup, err);
  if (d->type == LIM_DRIVE_MOTOR) code = build_motor(a, d, from, moves, *setup, err);
  add_friction(d, &from->friction);
  add_friction(d, &from->gear.friction);
  return code;
}

// A table says itself where it begins, which need not be where the configuration has the joint.
static void doubt_start(const lim_model *m, const lim_motion *q, const lim_trajectory *c, lim_error *err) {
  const char *unit = lim_joint_is_linear(&m->links.item[q->joint].joint) ? "m" : "rad";
  double begin = lim_trajectory_at(c, 0).value;
  if (q->profile.list.count == 0 || !q->profile.list.item[0].file) return;
  for (int i = 0; i < m->configuration.count; i++) {
    const lim_joint_state *x = &m->configuration.item[i];
    bool given = x->joint == q->joint && lim_tree_get(x->head.node, "position");
    if (!given || fabs(begin - x->position[0]) <= 1e-9 * (1 + fabs(begin))) continue;
    lim_warn(err, NAN, q->head.name,
             "motion '%.80s': its table begins at %.6g %s, but the configuration has the joint at %.6g %s: "
             "'ik' takes "
             "the configuration, all that moves or rests the table",
             q->head.name, begin, unit, x->position[0], unit);
  }
}

static void set_stops(lim_end_stops *out, const lim_limits *x) {
  if (!x->stop.head.node || isnan(x->position[0])) return;
  memcpy(out->limit, x->position, sizeof out->limit);
  out->stiffness = x->stop.stiffness;
  out->damping = x->stop.damping;
}

// Of a body's joint. The motion of one that lines move comes later.
static lim_code build_drive(lim_inputs *a, int body, lim_trajectory_setup setup, lim_error *err) {
  const lim_arm *s = a->s;
  lim_joint_drive *d = &a->drive[body];
  const lim_model *m = s->model;
  const int link = s->bodies[body].link;
  const bool lines = s->moved && s->moved[body];
  const lim_drive *from = lim_model_drive(m, link);
  const lim_motion *q = lim_model_motion(m, link);
  double speed;
  lim_code code = LIM_OK;
  lim_pose_joint(&setup.start, &speed, m, link);
  setup.motion = true;
  setup.kind = lim_joint_is_linear(&m->links.item[link].joint) ? LIM_TRAJECTORY_SLIDES : LIM_TRAJECTORY_TURNS;
  *d = lim_drive_plain(from ? from->type : q || lines ? LIM_DRIVE_PRESCRIBED : LIM_DRIVE_FREE);
  d->elastic = s->bodies[body].m >= 0;
  set_stops(&d->stop, &m->links.item[link].joint.limits);
  if (from) code = build_parts(a, d, from, q || lines, &setup, err);
  if (code != LIM_OK || lines) return code;
  lim_signal still = {.rigid = false};
  if (q || d->type == LIM_DRIVE_PRESCRIBED || d->type == LIM_DRIVE_SERVO || d->law.kind)
    code = lim_trajectory_new(&d->motion, q ? &q->profile : &still, &setup, err);
  if (code != LIM_OK || !q || !(d->type == LIM_DRIVE_PRESCRIBED || d->motor_given)) return code;
  doubt_start(m, q, d->motion, err);
  return check_smooth(d->motion, q, setup.horizon, &a->until, err);
}

// Motions of the joints that lines of frames move, beside those that joints have themselves.
static lim_code build_lines(lim_inputs *a, lim_arm *s, double horizon, lim_error *err) {
  if (!s->moved) return LIM_OK;
  const lim_motion *q = s->model->motion.item;
  while (q->joint >= 0) q++;
  lim_trajectory **motion = lim_arena_array(&a->arena, (size_t)s->nbody, sizeof *motion);
  if (!motion) return lim_no_memory(err);
  for (int i = 0; i < s->nbody; i++) motion[i] = a->drive[i].motion;
  lim_code code = lim_lines_move(motion, s, horizon, err);
  for (int i = 0; i < s->nbody; i++) {
    lim_joint_drive *d = &a->drive[i];
    d->motion = motion[i];
    if (code == LIM_OK && s->moved[i] && (d->type == LIM_DRIVE_PRESCRIBED || d->motor_given))
      code = check_smooth(d->motion, q, horizon, &a->until, err);
  }
  return code;
}

// --- loads ---

static void add_load(lim_inputs *a, const lim_load *load, const lim_site *site, double weight,
                     lim_trajectory *factor) {
  lim_load_in_time *x = &a->load[a->nload];
  lim_wrench *w = &a->wrench[a->nload++];
  *x = (lim_load_in_time){factor,     signal_of(a, &load->factor.block),
                          load->from, isnan(load->to) ? INFINITY : load->to,
                          weight,     load};
  *w = (lim_wrench){.site = *site, .follows = load->axes == 1};
}

// A load per length as forces at the Gauss points of the elements.
static lim_code spread_load(lim_inputs *a, lim_arm *s, const lim_load *load, lim_trajectory *factor,
                            lim_error *err) {
  lim_gauss rule = lim_gauss_rule(5);
  int link = load->along.index;
  lim_code code = LIM_OK;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) {
    const lim_arm_body *m = &s->bodies[i];
    for (int e = 0; e < m->mesh->nelement; e++)
      for (int g = 0; g < rule.n && code == LIM_OK; g++) {
        const lim_element *x = &m->mesh->element[e];
        double fraction = (m->start + x->x + rule.s[g] * x->L) / s->model->links.item[link].beam.length;
        lim_site site;
        code = lim_arm_site(&site, s, link, LIM_AT_FRACTION, fraction, -1, err);
        add_load(a, load, &site, rule.w[g] * x->L, factor);
      }
  }
  return code;
}

static int load_room(const lim_arm *s, const lim_load *load) {
  if (!load->along.text) return 1;
  int count = 0;
  for (int i = s->first_body[load->along.index]; i <= s->last_body[load->along.index]; i++)
    count += 5 * s->bodies[i].mesh->nelement;
  return count;
}

static lim_code build_load(lim_inputs *a, lim_arm *s, const lim_load *load, const lim_trajectory_setup *setup,
                           lim_trajectory **factor, lim_error *err) {
  lim_code code = LIM_OK;
  if (load->factor.list.count) code = lim_trajectory_new(factor, &load->factor, setup, err);
  if (code != LIM_OK) return code;
  if (load->along.text) return spread_load(a, s, load, *factor, err);
  lim_site site;
  const lim_location *at = &load->at;
  code = lim_arm_site(&site, s, at->link, at->kind, at->kind == LIM_AT_TIP, at->frame, err);
  if (code == LIM_OK) add_load(a, load, &site, 1, *factor);
  return code;
}

void lim_inputs_loads(lim_wrench *wrench, const lim_inputs *a, double t, lim_side side, const double *signal) {
  for (int i = 0; i < a->nload; i++) {
    const lim_load_in_time *x = &a->load[i];
    bool on = side == LIM_BEFORE ? t > x->from && t <= x->to : t >= x->from && t < x->to;
    double k = on ? x->weight * (x->factor ? lim_inputs_value(x->factor, t, side) : 1) : 0;
    if (x->wired >= 0) k *= signal[x->wired];
    wrench[i].site = a->wrench[i].site;
    wrench[i].follows = a->wrench[i].follows;
    for (int j = 0; j < 3; j++) {
      wrench[i].force[j] = k * x->load->force[j];
      wrench[i].moment[j] = k * x->load->moment[j];
    }
  }
}

// --- breaks ---

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Jumps of a trajectory up to an order: efforts jump with the acceleration of a motion, and with a value or its
// rate.
static void add_breaks(lim_inputs *a, const lim_trajectory *c, int order) {
  for (int i = 0; c && i < c->nbreak; i++)
    if (c->breaks[i].order <= order) a->breaks[a->nbreak++] = c->breaks[i].time;
}

static lim_code gather_breaks(lim_inputs *a, lim_error *err) {
  size_t capacity = 2 * (size_t)a->nload;
  for (int i = 0; i < a->s->nbody; i++) {
    capacity += a->drive[i].motion ? (size_t)a->drive[i].motion->nbreak : 0;
    capacity += a->drive[i].effort ? (size_t)a->drive[i].effort->nbreak : 0;
  }
  for (int i = 0; i < a->nload; i++) capacity += a->load[i].factor ? (size_t)a->load[i].factor->nbreak : 0;
  for (int i = 0; i < a->spring_elements.count; i++)
    capacity += a->spring_elements.spring[i].length ? (size_t)a->spring_elements.spring[i].length->nbreak : 0;
  const int nbox = a->network ? a->network->nbox : 0;
  for (int i = 0; i < nbox; i++)
    capacity += a->network->box[i].trajectory ? (size_t)a->network->box[i].trajectory->nbreak : 0;
  const lim_program_result *plan = a->s->model->plan;
  capacity += plan ? (size_t)plan->grips.count : 0;
  // Steps that are chosen must not pass over a pulse between two moments of rest.
  const int value = a->s->model->solver.adaptive ? 3 : 1;
  a->breaks = lim_arena_array(&a->arena, capacity + 1, sizeof *a->breaks);
  if (!a->breaks) return lim_no_memory(err);
  for (int i = 0; i < a->s->nbody; i++) {
    add_breaks(a, a->drive[i].motion, 3);
    add_breaks(a, a->drive[i].effort, value);
  }
  for (int i = 0; i < a->spring_elements.count; i++) add_breaks(a, a->spring_elements.spring[i].length, value);
  for (int i = 0; i < nbox; i++) add_breaks(a, a->network->box[i].trajectory, 3);
  for (int i = 0; i < a->nload; i++) {
    add_breaks(a, a->load[i].factor, value);
    a->breaks[a->nbreak++] = a->load[i].from;
    if (a->load[i].to < INFINITY) a->breaks[a->nbreak++] = a->load[i].to;
  }
  for (int i = 0; plan && i < plan->grips.count; i++) a->breaks[a->nbreak++] = plan->grips.item[i].time;
  qsort(a->breaks, (size_t)a->nbreak, sizeof *a->breaks, by_time);
  int kept = 0;
  for (int i = 0; i < a->nbreak; i++)
    if (a->breaks[i] > 0 && (kept == 0 || a->breaks[i] > a->breaks[kept - 1] + 1e-12))
      a->breaks[kept++] = a->breaks[i];
  a->nbreak = kept;
  return LIM_OK;
}

double lim_inputs_next_break(const lim_inputs *a, double t) {
  int low = 0, high = a->nbreak; // first break after t
  while (low < high) {
    int middle = (low + high) / 2;
    if (a->breaks[middle] > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low < a->nbreak ? a->breaks[low] : INFINITY;
}

// --- set-up ---

static lim_code refuse(lim_error *err, const lim_head *head, const char *key, const char *what) {
  const lim_node *at = lim_tree_get(head->node, key);
  return lim_tree_error(err, at ? at : head->node, "%s cannot be treated in this version", what);
}

// What would act in time and is not there yet must not be passed over in silence.
static lim_code check_scope(const lim_model *m, lim_error *err) {
  return m->program ? refuse(err, &m->head, "program", "a robot program that has not run") : LIM_OK;
}

static lim_code build_loads(lim_inputs *a, lim_arm *s, const lim_trajectory_setup *setup, lim_error *err) {
  const lim_model *m = s->model;
  size_t capacity = 0;
  for (int i = 0; i < m->loads.count; i++) capacity += (size_t)load_room(s, &m->loads.item[i]);
  a->load = lim_arena_array(&a->arena, capacity, sizeof *a->load);
  a->wrench = lim_arena_array(&a->arena, capacity, sizeof *a->wrench);
  if (!a->load || !a->wrench) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->loads.count && code == LIM_OK; i++) {
    lim_trajectory *factor = NULL;
    int before = a->nload;
    code = build_load(a, s, &m->loads.item[i], setup, &factor, err);
    if (factor && a->nload == before) lim_trajectory_free(factor);
  }
  return code;
}

static lim_code build_network(lim_inputs *a, lim_arm *s, const char *directory, lim_error *err) {
  if (s->model->blocks.count == 0) return LIM_OK;
  lim_code code = lim_network_new(&a->network, s->model, directory, err);
  if (code != LIM_OK) return code;
  const lim_network *n = a->network;
  a->nx = n->nx;
  a->nz = n->nz;
  a->nclock = 2 * n->nbox;
  a->sensor = lim_arena_array(&a->arena, (size_t)n->nmeasured, sizeof *a->sensor);
  if (!a->sensor) return lim_no_memory(err);
  for (int i = 0; i < n->nmeasured && code == LIM_OK; i++)
    code = lim_sensor_start(&a->sensor[i], &a->arena, s, n->measured[i], err);
  return code;
}

lim_code lim_inputs_new(lim_inputs **out, lim_arm *s, const char *directory, lim_error *err) {
  *out = NULL;
  lim_code code = check_scope(s->model, err);
  if (code == LIM_OK) code = lim_model_check_files(s->model, directory, err);
  if (code != LIM_OK) return code;
  lim_inputs *a = calloc(1, sizeof *a);
  if (!a) return lim_no_memory(err);
  a->s = s;
  a->directory = directory;
  a->until = INFINITY;
  const lim_trajectory_setup setup = {.directory = directory, .horizon = s->model->solver.duration};
  a->drive = lim_arena_array(&a->arena, (size_t)s->nbody, sizeof *a->drive);
  if (!a->drive) code = lim_no_memory(err);
  if (code == LIM_OK) code = build_network(a, s, directory, err);
  for (int i = 0; code == LIM_OK && i < s->nbody; i++) {
    a->drive[i] = lim_drive_plain(LIM_DRIVE_FREE);
    const lim_arm_body *b = &s->bodies[i];
    if (b->q >= 0) code = build_drive(a, i, setup, err);
  }
  if (code == LIM_OK) code = build_lines(a, s, setup.horizon, err);
  if (code == LIM_OK) code = build_loads(a, s, &setup, err);
  if (code == LIM_OK) code = lim_springs_build(&a->spring_elements, &a->arena, s, &setup, err);
  if (code == LIM_OK) code = lim_contacts_build(&a->contacts, &a->arena, s, err);
  if (code == LIM_OK) code = gather_breaks(a, err);
  if (code == LIM_OK)
    *out = a;
  else
    lim_inputs_free(a);
  return code;
}

void lim_inputs_free(lim_inputs *a) {
  if (!a) return;
  for (int i = 0; a->drive && i < a->s->nbody; i++) {
    lim_trajectory_free(a->drive[i].motion);
    lim_trajectory_free(a->drive[i].effort);
    lim_curve_free(a->drive[i].gear_curve);
    lim_curve_free(a->drive[i].law.schedule);
  }
  for (int i = 0; i < a->nload; i++) // the forces of a load per length share one trajectory
    if (i == 0 || a->load[i].factor != a->load[i - 1].factor) lim_trajectory_free(a->load[i].factor);
  lim_springs_free(&a->spring_elements);
  lim_network_free(a->network);
  lim_arena_free(&a->arena);
  free(a);
}
