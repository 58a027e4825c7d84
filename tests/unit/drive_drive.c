// drive_drive.c - tests of the laws of motors, gears, controllers and servos.
#include "unit/motion_fixture.h"

#include "drive/drive.h"
#include "kind_numbers.h"

static const int sliding[2] = {1, 1}, stuck[2] = {0, 0};
static const lim_drive_states at_rest = {{0}};

// A constant torque on a shaft with a gear of ratio 50.
static lim_joint_drive motor(double torque) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", torque);
  lim_joint_drive d = lim_drive_plain(LIM_DRIVE_MOTOR);
  d.ratio = 50;
  d.effort = value_of(text);
  return d;
}

static void drop(lim_joint_drive *d) {
  lim_trajectory_free(d->motion);
  lim_trajectory_free(d->effort);
}

static lim_drive_answer answer(const lim_joint_drive *d, double t, lim_drive_motion m, const int slip[2]) {
  lim_drive_answer a;
  m.command = lim_drive_command(d, t, LIM_AFTER, &m);
  lim_drive_evaluate(&a, d, t, LIM_AFTER, &m, slip, &at_rest, 0);
  return a;
}

// --- drives without a motor ---

static void servo_is_a_spring_and_damper_to_its_command(void **state) {
  (void)state;
  lim_joint_drive d = lim_drive_plain(LIM_DRIVE_SERVO);
  d.motion = motion_of("{profile: speed, value: 2, ramp: 1}"); // at t = 3 it has gone 5 and moves with 2
  d.stiffness = 100;
  d.damping = 7;
  const lim_drive_answer a = answer(&d, 3, (lim_drive_motion){.q = 4.9, .v = 1.5}, stuck);
  assert_near(a.joint, 100 * 0.1 + 7 * 0.5, 1e-12);
  assert_near(a.reference, 5, 1e-14);
  assert_near(a.energy, 0.5, 1e-12);
  assert_near(a.work, a.joint * 2, 1e-12);
  assert_near(a.dissipated, 7 * 0.25, 1e-12);
  assert_true(a.joint_k == 100 && a.joint_d == 7);
  drop(&d);
}

static void effort_and_free_joint_have_friction_too(void **state) {
  (void)state;
  lim_joint_drive d = lim_drive_plain(LIM_DRIVE_EFFORT);
  d.effort = value_of("8");
  d.friction[0] = (lim_friction_law){.viscous = 0.5, .coulomb = 3, .stiction = 4};
  lim_drive_answer a = answer(&d, 0, (lim_drive_motion){.v = 2}, sliding);
  assert_near(a.joint, 8 - 3 - 1, 1e-15);
  assert_near(a.work, 16, 1e-15);
  assert_near(a.friction_loss, 6 + 2, 1e-15);
  assert_near(lim_drive_level(&d, &a, 0, true), 4, 0);
  assert_near(lim_drive_level(&d, &a, 0, false), 3, 0);
  assert_true(isnan(a.reference) && lim_drive_sticks(&d, 0) && !lim_drive_sticks(&d, 1));
  d.rigid = true;
  assert_near(answer(&d, 0, (lim_drive_motion){.rigid = 5}, stuck).joint, 5, 0);
  d.type = LIM_DRIVE_FREE;
  assert_near(answer(&d, 0, (lim_drive_motion){.v = 2}, sliding).joint, -4, 1e-15);
  drop(&d);
}

// --- motors ---

static void motor_torque_reaches_the_joint_by_the_ratio(void **state) {
  (void)state;
  lim_joint_drive d = motor(0.3);
  const lim_drive_answer a = answer(&d, 0, (lim_drive_motion){.v = 2}, stuck);
  assert_near(a.joint, 15, 1e-14);
  assert_near(a.torque, 0.3, 0);
  assert_near(a.work, 0.3 * 100, 1e-13); // torque x speed of the rotor
  assert_near(a.motor, 0, 0);
  drop(&d);
}

static void pd_follows_the_law_of_the_seed(void **state) {
  (void)state;
  lim_joint_drive d = lim_drive_plain(LIM_DRIVE_MOTOR);
  d.motion = motion_of("{profile: constant, value: 0.4}");
  d.ratio = 260;
  d.law.kind = lim_control_kinds[LIM_CONTROL_pd];
  d.law.kp = 3.92;
  d.law.kv = 5.03e-3;
  lim_drive_motion m = {.q = 0.1, .v = 0.02, .p = 0.15, .u = 0.03};
  const double error = 0.4 - 0.1;
  assert_near(answer(&d, 0, m, stuck).torque, 3.92 * error - 5.03e-3 * 260 * 0.02, 1e-15);
  d.elastic = true;
  d.gear_stiffness = 1e4;
  assert_near(answer(&d, 0, m, stuck).torque, 3.92 * error - 5.03e-3 * 260 * 0.03, 1e-15);
  d.law.measure_motor = true;
  assert_near(answer(&d, 0, m, stuck).torque, 3.92 * 0.25 - 5.03e-3 * 260 * 0.03, 1e-15);
  drop(&d);
}

static void gains_of_the_bandwidth_are_those_of_fedem(void **state) {
  (void)state;
  static const struct {
    double high, low, ratio, kv, kp;
  } row[] = {{2.70e-4, 10.1, 260, 5.03e-3, 3.920},
             {2.66e-4, 18.6, 260, 6.48e-3, 5.060},
             {1.06e-4, 4.89, 200, 2.74e-3, 1.640},
             {2.30e-5, 0.194, 160, 3.67e-4, 0.176}};
  for (int i = 0; i < 4; i++) {
    lim_joint_drive d = lim_drive_plain(LIM_DRIVE_MOTOR);
    d.ratio = row[i].ratio;
    d.law.kind = lim_control_kinds[LIM_CONTROL_pd];
    d.law.bandwidth = 6;
    d.law.damping = 1;
    lim_drive_design(&d, row[i].low, row[i].high);
    assert_near(d.law.kv / row[i].kv, 1, 6e-3); // the table is rounded to three digits
    assert_near(d.law.kp / row[i].kp, 1, 6e-3);
  }
}

static void torque_limits_fall_with_speed_only_when_driving(void **state) {
  (void)state;
  lim_joint_drive d = motor(5);
  d.torque_limit = 2;
  assert_near(answer(&d, 0, (lim_drive_motion){.v = 100}, stuck).torque, 2, 0);
  d.no_load_speed = 200; // of the rotor: 4 of the joint
  const double v[] = {0, 1, 3, 4, 9, -1, -9}, torque[] = {2, 1.5, 0.5, 0, 0, 2, 2};
  for (int i = 0; i < 7; i++) {
    const lim_drive_answer a = answer(&d, 0, (lim_drive_motion){.v = v[i]}, stuck);
    assert_near(a.torque, torque[i], 1e-14);
    assert_near(a.joint_d, v[i] > 0 && v[i] < 4 ? 2 / 200.0 * 2500 : 0, 1e-12);
  }
  drop(&d);
  d.effort = value_of("-5");
  for (int i = 0; i < 7; i++)
    assert_near(answer(&d, 0, (lim_drive_motion){.v = -v[i]}, stuck).torque, -torque[i], 1e-14);
  drop(&d);
}

static lim_joint_drive dc_motor(double inductance) {
  lim_joint_drive d = motor(0.4);
  d.electrical = true;
  d.resistance = 2;
  d.inductance = inductance;
  d.torque_constant = 0.05;
  d.back_emf = 0.04;
  return d;
}

// V = R tau/k = 16 V; at w = 100 rad/s the rotor induces 4 V.
static void dc_motor_without_inductance_is_algebraic(void **state) {
  (void)state;
  lim_joint_drive d = dc_motor(0);
  assert_near(answer(&d, 0, (lim_drive_motion){.v = 2}, stuck).torque, 0.05 * (16 - 4) / 2, 1e-14);
  d.voltage_limit = 10;
  assert_near(answer(&d, 0, (lim_drive_motion){.v = 2}, stuck).torque, 0.05 * (10 - 4) / 2, 1e-14);
  drop(&d);
}

static void dc_motor_current_rises_with_its_time_constant(void **state) {
  (void)state;
  lim_joint_drive d = dc_motor(0.01); // L/R = 5 ms
  const lim_drive_motion m = {.v = 2};
  double worst[2];
  for (int k = 0; k < 2; k++) {
    const int n = k ? 40 : 20;
    const double h = 0.02 / n;
    lim_drive_states x = {{0}}, rate;
    worst[k] = 0;
    for (int i = 1; i <= n; i++) {
      lim_drive_rates(&rate, &d, 0, LIM_AFTER, &m, &x);
      lim_drive_step(&x, &x, &rate, h, &d, 0, LIM_AFTER, &m);
      worst[k] = fmax(worst[k], fabs(x.current - 6 * (1 - exp(-i * h / 5e-3))));
    }
  }
  assert_true(worst[0] < 0.01);
  assert_near(worst[0] / worst[1], 4, 0.1); // second order
  lim_drive_states x = {.current = 6}, rate;
  lim_drive_rates(&rate, &d, 0, LIM_AFTER, &m, &x);
  assert_near(rate.current, 0, 1e-12);
  lim_drive_answer a;
  lim_drive_evaluate(&a, &d, 0, LIM_AFTER, &m, stuck, &x, 0);
  assert_near(a.torque, 0.3, 1e-15);
  drop(&d);
}

static void dc_motor_current_stays_within_the_torque_limit(void **state) {
  (void)state;
  lim_joint_drive d = dc_motor(0.01);
  d.torque_limit = 0.1; // 2 A
  const lim_drive_motion m = {.v = 2};
  lim_drive_states x = {{0}}, rate;
  for (int i = 0; i < 20; i++) {
    lim_drive_rates(&rate, &d, 0, LIM_AFTER, &m, &x);
    lim_drive_step(&x, &x, &rate, 1e-3, &d, 0, LIM_AFTER, &m);
    assert_true(x.current <= 2);
  }
  assert_near(x.current, 2, 1e-15);
  lim_drive_rates(&rate, &d, 0, LIM_AFTER, &m, &x);
  assert_near(rate.current, 0, 0);
  lim_drive_answer a;
  lim_drive_evaluate(&a, &d, 0, LIM_AFTER, &m, stuck, &x, 1e-3);
  assert_near(a.torque, 0.1, 1e-15);
  assert_near(a.joint_d, 0, 0);
  drop(&d);
}

// --- gears ---

static void rigid_gear_driving_loses_and_braking_saves(void **state) {
  (void)state;
  const double e = 0.8, E = 15;
  lim_joint_drive d = motor(0.3);
  d.efficiency = e;
  d.friction[0].share = (1 / e - e) / 2;
  const int back[2] = {-1, -1};
  lim_drive_answer a = answer(&d, 0, (lim_drive_motion){.v = 2}, sliding);
  assert_near(a.joint, e * E, 1e-14);
  assert_near(a.dissipated, (1 - e) * E * 2, 1e-13);
  assert_near(a.friction_loss, 0, 1e-13);
  a = answer(&d, 0, (lim_drive_motion){.v = -2}, back);
  assert_near(a.joint, E / e, 1e-14);
  assert_near(a.dissipated, (1 / e - 1) * E * 2, 1e-13);
  a = answer(&d, 0, (lim_drive_motion){.v = 0}, stuck); // at rest anything from one to the other
  assert_near(a.joint - lim_drive_level(&d, &a, 0, true), e * E, 1e-14);
  assert_near(a.joint + lim_drive_level(&d, &a, 0, true), E / e, 1e-14);
  assert_near(lim_drive_torque(&d, e * E, 2), 0.3, 1e-15);
  assert_near(lim_drive_torque(&d, E / e, -2), 0.3, 1e-15);
  drop(&d);
}

static void elastic_gear_driving_loses_and_braking_saves(void **state) {
  (void)state;
  const double e = 0.7, G = 40;
  lim_joint_drive d = motor(0);
  d.elastic = true;
  d.gear_stiffness = 400;
  d.efficiency = e;
  d.friction[1].share = (1 / e - e) / 2;
  const int back[2] = {-1, -1};
  lim_drive_answer a = answer(&d, 0, (lim_drive_motion){.q = 0, .p = 0.1, .v = 1, .u = 1}, sliding);
  assert_near(a.joint, G, 1e-13);
  assert_near(a.motor, -G / e, 1e-13);
  a = answer(&d, 0, (lim_drive_motion){.q = 0, .p = 0.1, .v = -1, .u = -1}, back);
  assert_near(a.motor, -G * e, 1e-13);
  assert_true(a.dissipated > 0);
  a = answer(&d, 0, (lim_drive_motion){.q = 0, .p = 0.1}, stuck);
  assert_near(-a.motor - lim_drive_level(&d, &a, 1, true), e * G, 1e-13);
  assert_near(-a.motor + lim_drive_level(&d, &a, 1, true), G / e, 1e-13);
  drop(&d);
}

static lim_drive_answer deflected(const lim_joint_drive *d, double x, double speed) {
  return answer(d, 0, (lim_drive_motion){.q = 1, .p = 1 + x, .v = 3, .u = 3 + speed}, stuck);
}

static void gear_without_play_pulls_and_pushes(void **state) {
  (void)state;
  lim_joint_drive d = motor(0);
  d.elastic = true;
  d.gear_stiffness = 1000;
  d.gear_damping = 5;
  assert_near(deflected(&d, 0.01, -4).gear, 10 - 20, 1e-11); // the damper may outweigh the spring
  assert_near(deflected(&d, -0.01, -4).joint, -10 - 20, 1e-11);
  assert_near(deflected(&d, -0.01, -4).motor, 30, 1e-11);
  assert_near(deflected(&d, 0.02, 0).energy, 0.2, 1e-13);
  assert_near(deflected(&d, 0.02, -4).gear_loss, 80, 1e-11);
  drop(&d);
}

static void gear_with_play_never_pulls(void **state) {
  (void)state;
  lim_joint_drive d = motor(0);
  d.elastic = true;
  d.gear_stiffness = 1000;
  d.gear_damping = 5;
  d.backlash = 0.02;
  for (double x = -0.01; x < 0.0101; x += 0.002) assert_near(deflected(&d, x, 9).gear, 0, 1e-11);
  assert_near(deflected(&d, 0.03, 0).gear, 20, 1e-11);
  assert_near(deflected(&d, 0.03, 2).gear, 30, 1e-11);
  assert_near(deflected(&d, -0.03, 2).gear, -10, 1e-11);
  assert_near(deflected(&d, 0.03, -50).gear, 0, 1e-11);
  assert_near(deflected(&d, -0.03, 50).gear, 0, 1e-11);
  assert_near(deflected(&d, 0.0100001, 50).gear, 0, 1e-3); // continuous where the flanks meet
  unsigned seed = 4;
  for (int i = 0; i < 500; i++) {
    const double x = uniform(&seed, -0.05, 0.05), speed = uniform(&seed, -20, 20);
    const lim_drive_answer a = deflected(&d, x, speed);
    assert_true(a.gear * x >= 0 && a.gear_loss >= 0 && a.gear_k >= 0 && a.gear_d >= 0);
  }
  drop(&d);
}

static void gear_by_table_stores_its_integral(void **state) {
  (void)state;
  double x[] = {-1, 0, 1, 2}, y[] = {-1, 0, 1, 4}, area[] = {0.5, 0, 0.5, 3};
  lim_curve law = {.n = 4, .x = x, .y = y, .area = area};
  lim_joint_drive d = motor(0);
  d.elastic = true;
  d.gear_curve = &law;
  d.backlash = 1;
  const lim_drive_answer a = deflected(&d, 2, 0); // 1.5 beyond the play
  assert_near(a.gear, 2.5, 1e-14);
  assert_near(a.gear_k, 3, 1e-14);
  assert_near(a.energy, 0.5 + 0.5 * (1 + 2.5) / 2, 1e-14);
  drop(&d);
}

static void motor_that_is_given_leaves_its_torque_to_the_equations(void **state) {
  (void)state;
  lim_joint_drive d = lim_drive_plain(LIM_DRIVE_MOTOR);
  d.motion = motion_of("{profile: constant, value: 0.4}");
  d.effort = value_of("3"); // not read
  d.elastic = d.motor_given = true;
  d.gear_stiffness = 100;
  const lim_drive_answer a = answer(&d, 0, (lim_drive_motion){.q = 0.3, .p = 0.4}, stuck);
  assert_near(a.joint, 10, 1e-13);
  assert_near(a.motor, -10, 1e-13);
  assert_near(a.torque, 0, 0);
  assert_near(a.reference, 0.4, 0);
  drop(&d);
}

// --- books and tangents of all of them ---

typedef struct {
  lim_joint_drive d;
  lim_curve law;
  double x[4], y[4], area[4];
} any_drive;

static lim_friction_law any_friction(unsigned *seed, bool falls) {
  lim_friction_law f = {.viscous = uniform(seed, 0, 2), .coulomb = uniform(seed, 1, 3)};
  f.stiction = f.coulomb + uniform(seed, 0, 2);
  f.stribeck = falls ? uniform(seed, 0.1, 1) : 0;
  f.bristles = uniform(seed, 0, 1) < 0.5;
  f.bristle_stiffness = 50;
  f.bristle_damping = 0.5;
  return f;
}

// Of any kind, all parts of a size that matters. falls: efforts may fall with speed.
static void draw(any_drive *x, unsigned *seed, bool falls) {
  static const int types[] = {LIM_DRIVE_SERVO, LIM_DRIVE_EFFORT, LIM_DRIVE_FREE, LIM_DRIVE_MOTOR,
                              LIM_DRIVE_MOTOR, LIM_DRIVE_MOTOR,  LIM_DRIVE_MOTOR};
  bool on[9];
  for (int i = 0; i < 9; i++) on[i] = uniform(seed, 0, 1) < 0.5;
  lim_joint_drive *d = &x->d;
  *d = lim_drive_plain(types[(int)uniform(seed, 0, 6.999)]);
  d->motion = motion_of("{profile: harmonic, amplitude: 0.3, frequency: 0.7, phase: 0.4}");
  d->effort = value_of("{profile: harmonic, amplitude: 2, frequency: 0.3}");
  d->stiffness = 30;
  d->damping = 4;
  d->friction[0] = any_friction(seed, falls);
  if (d->type != LIM_DRIVE_MOTOR) return;
  d->ratio = on[0] ? 3 : -2;
  d->elastic = on[1];
  d->gear_stiffness = 40;
  d->gear_damping = 3;
  d->backlash = on[2] ? 0.2 : 0;
  *x = (any_drive){*d, {0}, {-1, 0, 0.5, 2}, {-20, 0, 15, 100}, {10, 0, 3.75, 90}};
  x->law = (lim_curve){4, x->x, x->y, x->area};
  if (on[3]) d->gear_curve = &x->law;
  if (on[4]) d->law.kind = lim_control_kinds[LIM_CONTROL_pd];
  d->law.kp = copysign(5, d->ratio);
  d->law.kv = 0.3;
  d->law.measure_motor = on[5];
  if (on[6]) d->torque_limit = 4;
  if (on[6] && on[7]) d->no_load_speed = 5;
  d->electrical = on[8];
  d->resistance = 2;
  d->inductance = on[7] ? 0.1 : 0;
  d->torque_constant = 0.4;
  d->back_emf = 0.35;
  d->voltage_limit = 15;
  if (d->elastic) d->friction[1] = any_friction(seed, falls);
  const bool bristles = d->friction[d->elastic].bristles;
  d->efficiency = falls || !bristles ? 0.8 : 1; // tangents leave out how bristles depend on the load
  d->friction[d->elastic].share = (1 / d->efficiency - d->efficiency) / 2;
}

static lim_drive_motion any_motion(unsigned *seed) {
  return (lim_drive_motion){uniform(seed, -1, 1), uniform(seed, -2, 2), uniform(seed, -1, 1),
                            uniform(seed, -2, 2)};
}

static lim_drive_states any_states(unsigned *seed) {
  return (lim_drive_states){{uniform(seed, -0.02, 0.02), uniform(seed, -0.02, 0.02)}, uniform(seed, -3, 3)};
}

static double energy_after(const lim_joint_drive *d, double t, lim_drive_motion m, lim_drive_states x,
                           const lim_drive_states *rate, double h) {
  lim_drive_answer a;
  m.q += h * m.v;
  m.p += h * m.u;
  for (int k = 0; k < 2; k++) x.z[k] += h * rate->z[k];
  lim_drive_evaluate(&a, d, t + h, LIM_AFTER, &m, sliding, &x, 0);
  return a.energy;
}

static void books_of_any_drive_balance(void **state) {
  (void)state;
  unsigned seed = 11;
  for (int i = 0; i < 400; i++) {
    any_drive one;
    draw(&one, &seed, true);
    for (int k = 0; k < 10; k++) {
      lim_drive_motion m = any_motion(&seed);
      const lim_drive_states x = any_states(&seed);
      const double t = uniform(&seed, 0, 5), h = 1e-5;
      m.command = lim_drive_command(&one.d, t, LIM_AFTER, &m);
      lim_drive_states rate;
      lim_drive_answer a;
      lim_drive_rates(&rate, &one.d, t, LIM_AFTER, &m, &x);
      lim_drive_evaluate(&a, &one.d, t, LIM_AFTER, &m, sliding, &x, 0);
      const double dE =
          (energy_after(&one.d, t, m, x, &rate, h) - energy_after(&one.d, t, m, x, &rate, -h)) / (2 * h);
      const double size = 1 + fabs(a.work) + fabs(a.dissipated) + fabs(dE);
      // a corner of the gear's law within h costs a few h
      assert_near(dE + a.dissipated, a.work - a.joint * m.v - a.motor * m.u, 1e-3 * h / 1e-5 * size);
      if (fabs(dE + a.dissipated - a.work + a.joint * m.v + a.motor * m.u) > 1e-7 * size)
        assert_true(one.d.elastic && (one.d.gear_curve || one.d.backlash > 0));
    }
    drop(&one.d);
  }
}

// Efforts after a step from x0, as an implicit method sees them (h = 0: states are fixed).
typedef struct {
  lim_drive_states start, rate;
  double t, h;
} step_from;

static lim_drive_answer stepped(const any_drive *one, const step_from *s, const lim_drive_motion *given) {
  lim_drive_states x = s->start;
  lim_drive_answer a;
  lim_drive_motion m = *given;
  m.command = lim_drive_command(&one->d, s->t, LIM_AFTER, &m);
  if (s->h > 0) lim_drive_step(&x, &s->start, &s->rate, s->h, &one->d, s->t, LIM_AFTER, &m);
  lim_drive_evaluate(&a, &one->d, s->t, LIM_AFTER, &m, sliding, &x, s->h);
  return a;
}

// One column of the tangents: by q, v, p, u. False near a corner of a law, where both sides differ.
static bool column_agrees(const any_drive *one, const step_from *s, const lim_drive_motion *m, int by) {
  const lim_drive_answer a = stepped(one, s, m);
  const double e = 1e-6, r = a.reaction;
  const double joint[] = {a.joint_k + a.gear_k, a.joint_d + a.gear_d, -a.gear_k, -a.gear_d};
  const double motor[] = {a.control_k - r * a.gear_k, -r * a.gear_d, a.motor_k + r * a.gear_k,
                          a.motor_d + r * a.gear_d};
  double J[2], M[2];
  for (int k = 0; k < 2; k++) {
    lim_drive_motion n = *m;
    double *x[] = {&n.q, &n.v, &n.p, &n.u};
    *x[by] += k ? e : -e;
    const lim_drive_answer b = stepped(one, s, &n);
    J[k] = (a.joint - b.joint) / (k ? e : -e);
    M[k] = (a.motor - b.motor) / (k ? e : -e);
  }
  if (fabs(J[1] - J[0]) + fabs(M[1] - M[0]) > 0.05 * (1 + fabs(J[0]) + fabs(M[0]))) return false;
  assert_near(joint[by], (J[0] + J[1]) / 2, 1e-3 * (1 + fabs(J[0])));
  if (one->d.elastic) assert_near(motor[by], (M[0] + M[1]) / 2, 1e-3 * (1 + fabs(M[0])));
  return true;
}

static void tangents_of_any_drive_match_differences(void **state) {
  (void)state;
  unsigned seed = 23;
  int checked = 0;
  for (int i = 0; i < 400; i++) {
    any_drive one;
    draw(&one, &seed, false);
    for (int k = 0; k < 10; k++) {
      lim_drive_motion before = any_motion(&seed), m = before;
      step_from s = {.start = any_states(&seed), .t = uniform(&seed, 0, 5), .h = k % 2 ? 0.01 : 0};
      before.command = lim_drive_command(&one.d, s.t - s.h, LIM_AFTER, &before);
      lim_drive_rates(&s.rate, &one.d, s.t - s.h, LIM_AFTER, &before, &s.start);
      m.v += uniform(&seed, -0.1, 0.1);
      for (int by = 0; by < (one.d.elastic ? 4 : 2); by++) checked += column_agrees(&one, &s, &m, by);
      const lim_drive_answer a = stepped(&one, &s, &m);
      assert_true(a.joint_k >= 0 && a.joint_d >= 0 && a.motor_k >= 0 && a.motor_d >= 0);
    }
    drop(&one.d);
  }
  assert_true(checked > 8000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(servo_is_a_spring_and_damper_to_its_command),
      cmocka_unit_test(effort_and_free_joint_have_friction_too),
      cmocka_unit_test(motor_torque_reaches_the_joint_by_the_ratio),
      cmocka_unit_test(pd_follows_the_law_of_the_seed),
      cmocka_unit_test(gains_of_the_bandwidth_are_those_of_fedem),
      cmocka_unit_test(torque_limits_fall_with_speed_only_when_driving),
      cmocka_unit_test(dc_motor_without_inductance_is_algebraic),
      cmocka_unit_test(dc_motor_current_rises_with_its_time_constant),
      cmocka_unit_test(dc_motor_current_stays_within_the_torque_limit),
      cmocka_unit_test(rigid_gear_driving_loses_and_braking_saves),
      cmocka_unit_test(elastic_gear_driving_loses_and_braking_saves),
      cmocka_unit_test(gear_without_play_pulls_and_pushes),
      cmocka_unit_test(gear_with_play_never_pulls),
      cmocka_unit_test(gear_by_table_stores_its_integral),
      cmocka_unit_test(motor_that_is_given_leaves_its_torque_to_the_equations),
      cmocka_unit_test(books_of_any_drive_balance),
      cmocka_unit_test(tangents_of_any_drive_match_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
