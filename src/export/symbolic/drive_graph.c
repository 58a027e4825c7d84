// drive_graph.c - the laws of joint drives as expressions: those of drive/drive_laws.inc, put together.
#include "export/symbolic/drive_graph.h"

#include <math.h>

#include "export/symbolic/real_graph.h"

#define LIM_LAWS_FRICTION
#define LIM_LAWS_MOTOR
#include "drive/drive_laws.inc" // over the numbers above

// --- states: bristles of joint and motor, current ---

static bool has_current(const lim_joint_drive *d) {
  return d->type == LIM_DRIVE_MOTOR && d->electrical && d->inductance > 0 && !d->motor_given;
}

static bool has_bristles(const lim_joint_drive *d, int k) {
  return d->friction[k].bristles && (k == 0 || d->elastic);
}

int lim_graph_drive_states(const lim_joint_drive *d) {
  return has_bristles(d, 0) + has_bristles(d, 1) + has_current(d);
}

// Which of the three a state is.
static int kind_of(const lim_joint_drive *d, int k) {
  const bool there[3] = {has_bristles(d, 0), has_bristles(d, 1), has_current(d)};
  int i = 0;
  for (; i < 3; i++)
    if (there[i] && k-- == 0) break;
  return i;
}

const char *lim_graph_drive_state_name(const lim_joint_drive *d, int k) {
  static const char *const name[] = {"bristles of friction on the joint", "bristles of friction on the motor",
                                     "current of the motor", ""};
  return name[kind_of(d, k)];
}

double lim_graph_drive_state_start(const lim_joint_drive *d, int k, const lim_drive_states *at) {
  const double value[] = {at->z[0], at->z[1], at->current, 0};
  return value[kind_of(d, k)];
}

// Bristles where friction slides, the largest current.
double lim_graph_drive_state_nominal(const lim_joint_drive *d, int k) {
  const int kind = kind_of(d, k);
  double max = fmin(d->torque_limit / d->torque_constant, d->voltage_limit / d->resistance);
  if (kind < 2) {
    const lim_friction_law *f = &d->friction[kind];
    max = fmax(f->stiction, f->coulomb) / f->bristle_stiffness;
  }
  return isfinite(max) && max > 0 ? max : 1;
}

// --- laws ---

static real commanded(const lim_joint_drive *d, const lim_graph_drive_in *in) {
  real c = in->effort;
  if (d->rigid) c = r_add(c, r_scale(1 / d->ratio, in->rigid));
  if (!d->law.kind) return c; // pd: others are refused before
  c = r_add(c, r_scale(d->law.kp, r_sub(in->reference[0], d->law.measure_motor ? in->p : in->q)));
  return r_fma(-d->law.kv * d->ratio, in->u, c);
}

// Torque on the shaft, and the rate of the current if it is a state.
static real shaft(const lim_joint_drive *d, const lim_graph_drive_in *in, real current, real *rate) {
  if (d->type != LIM_DRIVE_MOTOR || d->motor_given) return r_of(0);
  real c = commanded(d, in), low, high, zero = r_of(0);
  law_bounds(&low, &high, d, r_scale(d->ratio, in->u));
  if (d->electrical) {
    real V = law_voltage(d, c, in->u);
    if (d->inductance > 0) { // the current does not grow beyond its bounds
      *rate = law_current_rate(d, V, current);
      if (isfinite(d->torque_limit)) {
        real more = r_select(zero, *rate, zero, *rate), less = r_select(*rate, zero, zero, *rate);
        *rate = r_select(r_scale(d->torque_constant, current), high,
                         r_select(low, r_scale(d->torque_constant, current), *rate, less), more);
      }
    } else {
      current = r_scale(1 / d->resistance, V);
    }
    c = r_scale(d->torque_constant, current);
  }
  return isfinite(d->torque_limit) ? law_clamp(c, low, high) : c;
}

// Friction on one side; load: what its share depends on.
static real friction(const lim_friction_law *f, real v, real load, real z, real *rate) {
  real force = r_scale(-f->viscous, v);
  if (!f->bristles) return force;
  real g = r_fma(f->share, r_abs(load), law_level(f, v));
  *rate = law_bristle_rate(v, law_release(f, v, g), z);
  return r_add(force, law_bristle_force(f, z, *rate));
}

void lim_graph_drive(lim_graph_drive_out *out, const lim_joint_drive *d, const lim_graph_drive_in *given) {
  lim_graph_drive_in in = *given;
  real x[3] = {{0}}, rate[3] = {{0}}, load = r_of(0);
  const int states = lim_graph_drive_states(d);
  for (int k = 0; k < states; k++) x[kind_of(d, k)] = in.x[k];
  *out = (lim_graph_drive_out){.joint = r_of(0)};
  if (!d->elastic) {
    in.p = in.q;
    in.u = in.v;
  }
  if (d->type == LIM_DRIVE_MOTOR) {
    const double mean = (d->efficiency + 1 / d->efficiency) / 2;
    real E = r_scale(d->ratio, shaft(d, &in, x[2], &rate[2]));
    if (d->elastic) {
      real spring = r_scale(d->gear_stiffness, law_beyond_play(d, r_sub(in.p, in.q)));
      load = r_add(spring, law_gear_damper(d, spring, r_sub(in.u, in.v)));
      out->joint = load;
      out->motor = r_fma(-mean, load, E);
    } else {
      load = E;
      out->joint = r_scale(mean, E);
    }
    out->torque = r_scale(1 / d->ratio, E);
  } else if (d->type != LIM_DRIVE_PRESCRIBED) {
    out->joint = in.effort;
    if (d->rigid) out->joint = r_add(out->joint, in.rigid);
  }
  if (d->type == LIM_DRIVE_SERVO) {
    real pull = r_scale(d->stiffness, r_sub(in.reference[0], in.q));
    out->joint = r_add(out->joint, r_fma(d->damping, r_sub(in.reference[1], in.v), pull));
  }
  out->effort = d->type == LIM_DRIVE_MOTOR ? load : out->joint;
  real drag = friction(&d->friction[0], in.v, load, x[0], &rate[0]);
  out->joint = r_add(out->joint, drag);
  if (d->type == LIM_DRIVE_PRESCRIBED) out->effort = r_scale(-1, drag);
  if (d->elastic) out->motor = r_add(out->motor, friction(&d->friction[1], in.u, load, x[1], &rate[1]));
  for (int k = 0; k < states; k++) out->rate[k] = rate[kind_of(d, k)];
}

// --- what is refused ---

lim_code lim_graph_drive_check(const lim_session *s, int body, lim_error *err) {
  const lim_joint_drive *d = &s->inputs->drive[body];
  const lim_arm_body *b = &s->s->bodies[body];
  const bool given[2] = {s->equations->prescribed[b->q], b->m < 0 || s->equations->prescribed[b->m]};
  bool sticks = false;
  for (int k = 0; k < 2; k++) sticks = sticks || (!given[k] && lim_drive_sticks(d, k));
  const char *why = sticks            ? "friction that sticks (coulomb, or a gear with losses)"
                    : d->backlash > 0 ? "backlash"
                    : d->gear_curve   ? "a gear with a table"
                                      : NULL;
  if (d->stop.stiffness > 0)
    return LIM_FAIL(err, LIM_BAD_INPUT, "joint '%s' has end stops, for which no code is generated",
                    s->model->links.item[b->link].joint.head.name);
  if (!why) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "drive '%s' has %s, for which no code is generated%s",
                  s->model->links.item[b->link].joint.head.name, why, sticks ? "; take 'law: lugre'" : "");
}
