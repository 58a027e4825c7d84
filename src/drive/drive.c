// drive.c - the laws of motors, gears, controllers and servos. Theory: docs/theory/drives.md.
#include "drive/drive.h"

#include "dynamics/number/real_double.h"

#define LIM_LAWS_MOTOR
#include "drive/drive_laws.inc" // over the numbers above

typedef lim_command graded;

static graded scaled(graded x, double k) { return (graded){k * x.value, k * x.q, k * x.p, k * x.v, k * x.u}; }

static double between(double x, double low, double high) { return law_clamp(x, low, high); }

// --- the motor ---

// What is given in time, and what the controller adds.
static graded commanded(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m) {
  graded c = m->command;
  if (d->rigid) c.value += m->rigid / d->ratio;
  if (d->effort) c.value += lim_inputs_value(d->effort, t, side);
  return c;
}

// What the motor can give at the rotor's speed w.
typedef struct {
  double low, high, slope; // slope: of the bound that falls with speed, by w
} bounds;

static bounds bounds_at(const lim_joint_drive *d, double w) {
  bounds b = {.slope = 0};
  law_bounds(&b.low, &b.high, d, w);
  if (fabs(w) < d->no_load_speed && isfinite(d->no_load_speed)) b.slope = -d->torque_limit / d->no_load_speed;
  return b;
}

static graded limited(graded x, const lim_joint_drive *d, double u) {
  const double w = d->ratio * u;
  const bounds b = bounds_at(d, w);
  const double near = 1 - 1e-15; // a current at its bound gives the torque but for rounding
  if (x.value >= b.high * near) return (graded){.value = b.high, .u = w > 0 ? b.slope * d->ratio : 0};
  if (x.value <= b.low * near) return (graded){.value = b.low, .u = w < 0 ? b.slope * d->ratio : 0};
  return x;
}

// The voltage for a torque, less what the rotor induces: R c/k - back_emf w.
static graded driving_voltage(graded c, const lim_joint_drive *d, double u) {
  graded V = scaled(c, d->resistance / d->torque_constant);
  if (fabs(V.value) > d->voltage_limit) V = (graded){0};
  V.value = law_voltage(d, c.value, u);
  V.u -= d->back_emf * d->ratio;
  return V;
}

// Current of the winding, L di/dt + R i = V. By the trapezoidal rule i (1 + h R/2L) = ... + h V/2L.
static graded winding(graded V, const lim_joint_drive *d, double current, double h) {
  if (!(d->inductance > 0)) return scaled(V, 1 / d->resistance);
  const double c = h / 2 / d->inductance;
  graded i = scaled(V, c / (1 + c * d->resistance));
  i.value = current;
  return i;
}

static graded shaft(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m,
                    double current, double h) {
  if (d->type != LIM_DRIVE_MOTOR || d->motor_given) return (graded){0};
  graded c = commanded(d, t, side, m);
  if (d->electrical) c = scaled(winding(driving_voltage(c, d, m->u), d, current, h), d->torque_constant);
  return limited(c, d, m->u);
}

// --- the gear ---

typedef struct {
  double effort, k, d, energy, lost;
} gear_answer;

// Spring of the gear at the deflection x that is left beyond the play.
static lim_curve_point gear_spring(const lim_joint_drive *d, double x) {
  if (d->gear_curve) return lim_curve_at(d->gear_curve, x);
  const double k = d->gear_stiffness;
  return (lim_curve_point){k * x, k, k * x * x / 2};
}

// Without play: spring and damper. With play the flanks touch beyond half of it and cannot pull; the damper
// carries at most what the spring does.
static gear_answer gear_law(const lim_joint_drive *d, double deflection, double speed) {
  const double half = d->backlash / 2;
  if (half > 0 && fabs(deflection) <= half) return (gear_answer){0};
  const lim_curve_point s = gear_spring(d, law_beyond_play(d, deflection));
  gear_answer a = {.k = s.slope, .d = d->gear_damping, .energy = s.integral};
  const double damper = law_gear_damper(d, s.value, speed);
  if (half > 0 && fabs(d->gear_damping * speed) > fabs(s.value)) {
    a.k = (damper * s.value > 0 ? 2 : 0) * s.slope;
    a.d = 0;
  }
  a.effort = s.value + damper;
  a.lost = damper * speed;
  return a;
}

double lim_drive_held_back(const lim_joint_drive *d, double deflection, double speed) {
  const double spring = fabs(gear_spring(d, deflection - copysign(d->backlash / 2, deflection)).value),
               damper = fabs(d->gear_damping * speed);
  return damper > 0 ? (damper - spring) / (damper + spring) : -1;
}

// --- one moment ---

// Efficiency e: driving leaves e of the effort, braking needs e as much. That is a mean factor on the effort
// and friction that depends on it: (e + 1/e)/2 and (1/e - e)/2.
static double mean_factor(const lim_joint_drive *d) { return (d->efficiency + 1 / d->efficiency) / 2; }

// Factor on the load with the friction that depends on it: sense +1 where that friction adds to the load.
static double load_factor(const lim_joint_drive *d, const lim_friction_law *f, int slip, double load,
                          int sense) {
  if (f->bristles || load == 0) return mean_factor(d);
  return mean_factor(d) + sense * slip * f->share * (load > 0 ? 1 : -1);
}

static void add_friction(lim_drive_answer *a, const lim_joint_drive *d, int k, double v, int slip, double z,
                         double h) {
  const lim_friction_law *f = &d->friction[k];
  lim_friction_answer x;
  if (!lim_friction_acts(f)) return;
  lim_friction_evaluate(&x, f, v, a->load, slip, z, h);
  *(k ? &a->motor : &a->joint) += x.force;
  *(k ? &a->motor_d : &a->joint_d) += x.d;
  a->level[k] = x.level;
  a->energy += x.energy;
  const double of_load = x.level > 0 ? f->share * fabs(a->load) / x.level * x.rubbed : 0;
  a->gear_loss += of_load;
  a->friction_loss += x.rubbed - of_load + x.viscous;
}

static void add_servo(lim_drive_answer *a, const lim_joint_drive *d, double t, lim_side side,
                      const lim_drive_motion *m) {
  lim_sample x = lim_inputs_sample(d->motion, t, side);
  if (m->resting) x.rate = 0;
  const double dq = x.value - m->q, dv = x.rate - m->v, effort = d->stiffness * dq + d->damping * dv;
  a->joint += effort;
  a->joint_k += d->stiffness;
  a->joint_d += d->damping;
  a->energy += d->stiffness * dq * dq / 2;
  a->work += effort * x.rate;
  a->dissipated += d->damping * dv * dv;
}

static void add_effort(lim_drive_answer *a, const lim_joint_drive *d, double t, lim_side side,
                       const lim_drive_motion *m) {
  const double effort = (d->rigid    ? m->rigid
                         : d->effort ? lim_inputs_value(d->effort, t, side)
                                     : 0) +
                        m->command.value;
  a->joint += effort;
  a->joint_k -= m->command.q;
  a->joint_d -= m->command.v;
  a->work += effort * m->v;
}

static void add_elastic(lim_drive_answer *a, const lim_joint_drive *d, const graded *E,
                        const lim_drive_motion *m, int slip) {
  const gear_answer g = gear_law(d, m->p - m->q, m->u - m->v);
  const double mean = mean_factor(d);
  a->gear = a->load = g.effort;
  a->joint += g.effort;
  a->motor += E->value - mean * g.effort;
  a->gear_k = g.k;
  a->gear_d = g.d;
  a->reaction = load_factor(d, &d->friction[1], slip, g.effort, 1);
  a->motor_k = -E->p;
  a->motor_d = -E->u;
  a->control_k = -E->q;
  a->control_d = -E->v;
  a->energy += g.energy;
  a->gear_loss += g.lost + (mean - 1) * g.effort * m->u;
}

static void add_rigid(lim_drive_answer *a, const lim_joint_drive *d, const graded *E, const lim_drive_motion *m,
                      int slip) {
  const double mean = mean_factor(d), factor = load_factor(d, &d->friction[0], slip, E->value, -1);
  a->load = E->value;
  a->joint += mean * E->value;
  a->joint_k = -factor * (E->q + E->p);
  a->joint_d = -factor * (E->v + E->u);
  a->gear_loss += (1 - mean) * E->value * m->v;
}

// The motor's side of a rigid gear is the joint's.
static lim_drive_motion sides(const lim_joint_drive *d, const lim_drive_motion *m) {
  lim_drive_motion both = *m;
  if (!d->elastic) {
    both.p = m->q;
    both.u = m->v;
  }
  return both;
}

static double scheduled(const lim_control_law *law, double t) {
  const lim_curve *c = law->schedule;
  return c ? lim_curve_at(c, between(t, c->x[0], c->x[c->n - 1])).value / law->inertia : 1;
}

lim_control_view lim_drive_view(const lim_joint_drive *d, lim_sample reference, double t,
                                const lim_drive_motion *given) {
  const lim_drive_motion m = sides(d, given);
  return (lim_control_view){.reference = reference,
                            .position = d->law.measure_motor ? m.p : m.q,
                            .speed = m.u,
                            .ratio = d->ratio,
                            .inertia = scheduled(&d->law, t)};
}

lim_command lim_drive_command(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m) {
  if (!d->law.kind) return (lim_command){0};
  const lim_control_view view = lim_drive_view(d, lim_inputs_sample(d->motion, t, side), t, m);
  return d->law.kind->torque(&d->law, &view);
}

void lim_drive_evaluate(lim_drive_answer *a, const lim_joint_drive *d, double t, lim_side side,
                        const lim_drive_motion *given, const int slip[2], const lim_drive_states *x, double h) {
  const lim_drive_motion m = sides(d, given);
  *a = (lim_drive_answer){.reference = d->motion ? lim_inputs_value(d->motion, t, side) : NAN, .reaction = 1};
  if (d->type == LIM_DRIVE_SERVO) add_servo(a, d, t, side, &m);
  if (d->type == LIM_DRIVE_EFFORT) add_effort(a, d, t, side, &m);
  if (d->type == LIM_DRIVE_MOTOR) {
    const graded T = shaft(d, t, side, &m, x->current, h), E = scaled(T, d->ratio);
    a->torque = T.value;
    a->work = E.value * m.u;
    if (d->elastic)
      add_elastic(a, d, &E, &m, slip[1]);
    else
      add_rigid(a, d, &E, &m, slip[0]);
  }
  a->effort = d->type == LIM_DRIVE_MOTOR && !d->elastic ? a->load : a->joint;
  add_friction(a, d, 0, m.v, slip[0], x->z[0], h);
  if (d->elastic) add_friction(a, d, 1, m.u, slip[1], x->z[1], h);
  a->dissipated += a->gear_loss + a->friction_loss;
}

// --- first-order states ---

// The effort on which friction depends.
static double load_of(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m,
                      double current) {
  if (d->elastic) return gear_law(d, m->p - m->q, m->u - m->v).effort;
  return d->ratio * shaft(d, t, side, m, current, 0).value;
}

static bool has_current(const lim_joint_drive *d) {
  return d->type == LIM_DRIVE_MOTOR && d->electrical && d->inductance > 0 && !d->motor_given;
}

// Bounds of the current by those of the torque.
static bounds current_bounds(const lim_joint_drive *d, double u) {
  const bounds b = bounds_at(d, d->ratio * u);
  return (bounds){b.low / d->torque_constant, b.high / d->torque_constant, 0};
}

// The current does not grow beyond its bounds.
static double current_rate(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m,
                           double current) {
  const bounds b = current_bounds(d, m->u);
  const double V = driving_voltage(commanded(d, t, side, m), d, m->u).value;
  const double rate = law_current_rate(d, V, current);
  return (current >= b.high && rate > 0) || (current <= b.low && rate < 0) ? 0 : rate;
}

static double current_step(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m,
                           double current, double rate, double h) {
  const double c = h / 2 / d->inductance, V = driving_voltage(commanded(d, t, side, m), d, m->u).value;
  const bounds b = current_bounds(d, m->u);
  return between((current + h / 2 * rate + c * V) / (1 + c * d->resistance), b.low, b.high);
}

void lim_drive_rates(lim_drive_states *rate, const lim_joint_drive *d, double t, lim_side side,
                     const lim_drive_motion *given, const lim_drive_states *x) {
  const lim_drive_motion m = sides(d, given);
  *rate = (lim_drive_states){0};
  if (has_current(d)) rate->current = current_rate(d, t, side, &m, x->current);
  if (!d->friction[0].bristles && !d->friction[1].bristles) return;
  const double load = load_of(d, t, side, &m, x->current);
  rate->z[0] = lim_friction_rate(&d->friction[0], m.v, load, x->z[0]);
  rate->z[1] = lim_friction_rate(&d->friction[1], m.u, load, x->z[1]);
}

void lim_drive_step(lim_drive_states *end, const lim_drive_states *start, const lim_drive_states *rate,
                    double h, const lim_joint_drive *d, double t, lim_side side,
                    const lim_drive_motion *given) {
  const lim_drive_motion m = sides(d, given);
  lim_drive_states x = {0};
  if (has_current(d)) x.current = current_step(d, t, side, &m, start->current, rate->current, h);
  if (d->friction[0].bristles || d->friction[1].bristles) {
    const double load = load_of(d, t, side, &m, x.current);
    x.z[0] = lim_friction_step(&d->friction[0], start->z[0], rate->z[0], h, m.v, load);
    x.z[1] = lim_friction_step(&d->friction[1], start->z[1], rate->z[1], h, m.u, load);
  }
  *end = x;
}

// --- friction bounds, gains, inverse ---

bool lim_drive_sticks(const lim_joint_drive *d, int k) { return lim_friction_sticks(&d->friction[k]); }

double lim_drive_level(const lim_joint_drive *d, const lim_drive_answer *a, int k, bool stuck) {
  return stuck ? lim_friction_level(&d->friction[k], 0, a->load, true) : a->level[k];
}

void lim_drive_design(lim_joint_drive *d, double joint_inertia, double rotor_inertia) {
  lim_control_design(&d->law, rotor_inertia + joint_inertia / (d->ratio * d->ratio), d->ratio);
}

double lim_drive_torque(const lim_joint_drive *d, double effort, double speed) {
  const double power = effort * speed, e = d->efficiency;
  if (d->elastic) return effort / d->ratio;
  return effort / d->ratio / (power > 0 ? e : power < 0 ? 1 / e : mean_factor(d));
}

double lim_drive_most(const lim_joint_drive *d, double torque, double w) {
  const bounds b = bounds_at(d, w);
  const double sign = torque < 0 ? -1 : 1, max = torque < 0 ? -b.low : b.high;
  if (!d->electrical || !isfinite(d->voltage_limit)) return max;
  const double left = d->voltage_limit - sign * d->back_emf * w;
  return fmin(max, fmax(0, left) * d->torque_constant / d->resistance);
}
