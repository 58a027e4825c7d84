// control_laws.c - controllers of one joint against closed forms: pid, its limit and anti-windup, clocks and
// delays, blocks in the loop, gravity, computed torque, gains by inertia, and the gear that is too soft.
#include "analysis/statics/rest.h"
#include "analysis/vibration/modes.h"

#include "control_fixture.h"

#include <complex.h>

static int joint_error_at(double *worst, const lim_snapshot *m, double expected) {
  *worst = fmax(*worst, fabs(m->q[joint_of(m, 0)] - expected));
  return 0;
}

// --- pid ---

// Poles at -4, -8, -20: s^3 + 32 s^2 + 272 s + 640; kp, kv, ki follow with J and the ratio.
#define PID                                                                                                    \
  MOTOR_JOINT("type: pid, kp: 0.7208, kv: 8.48e-4, ki: 1.696",                                                 \
              "configuration: {arm: 0}\n"                                                                      \
              "motion: {arm: {profile: constant, value: 0.3}}\n"                                               \
              "solver: {duration: 1 s, step: 0.5 ms, tolerance: 1e-12}\n"                                      \
              "outputs: {every: 10 ms}\n")

// 0.3 (272 s + 640)/(s (s + 4)(s + 8)(s + 20)) by its residues.
static double pid_response(double t) {
  static const double pole[] = {-4, -8, -20};
  double sum = 1;
  for (int i = 0; i < 3; i++) {
    double below = pole[i];
    for (int k = 0; k < 3; k++)
      if (k != i) below *= pole[i] - pole[k];
    sum += (272 * pole[i] + 640) / below * exp(pole[i] * t);
  }
  return 0.3 * sum;
}

static void watch_pid(void *user, const lim_snapshot *m) { joint_error_at(user, m, pid_response(m->t)); }

static void pid_gives_its_closed_step_response(void **state) {
  (void)state;
  table_head("PID on a rigid joint, poles -4, -8, -20: step of 0.3 rad, largest error in 1 s [rad]");
  for (int i = 0; i < EXPLICIT; i++) {
    double worst = 0;
    run_text(PID, (const char *[]){METHODS[i], NULL}, watch_pid, &worst);
    table_bound(method_name(METHODS[i]), worst, 1e-8, "closed form");
  }
  for (int i = EXPLICIT; i < NMETHODS; i++) {
    double worst[2] = {0};
    for (int h = 0; h < 2; h++)
      run_text(PID, (const char *[]){METHODS[i], h ? "solver.step=0.5 ms" : "solver.step=1 ms", NULL},
               watch_pid, &worst[h]);
    table_row(method_name(METHODS[i]), worst[0] / worst[1], 4, 0.02, "error of a step over that of its half");
  }
}

// --- limit and anti-windup ---

// A torque of 0.02 N m at most: 2 N m at the joint. While it is limited q = a t^2/2, and the integral obeys
//   I' = ki (c - q) + (limit - kp (c - q) - I + kv ratio q')/T, I(0) = 0.
#define LIMITED                                                                                                \
  MOTOR_JOINT("type: pid, kp: 0.4, kv: 6e-4, ki: 0.8, limit: 0.02, anti_windup: 0.5 s",                        \
              "configuration: {arm: 0}\n"                                                                      \
              "motion: {arm: {profile: constant, value: 1}}\n"                                                 \
              "solver: {duration: 3 s, step: 0.5 ms, tolerance: 1e-12}\n"                                      \
              "outputs: {every: 10 ms}\n")

// I = A + B t + C t^2 + E exp(-t/T) with I' + I/T = p0 + p1 t + p2 t^2
static double integral_at_limit(double t) {
  const double T = 0.5, kp = 0.4, kv = 6e-4, ki = 0.8, L = 0.02, a = RATIO * L / INERTIA;
  const double p0 = ki + (L - kp) / T, p1 = kv * RATIO * a / T, p2 = (-ki + kp / T) * a / 2;
  const double C = p2 * T, B = (p1 - 2 * C) * T, A = (p0 - B) * T;
  return A + B * t + C * t * t - A * exp(-t / T);
}

// When the torque that is asked for falls to the limit.
static double end_of_limit(void) {
  const double a = RATIO * 0.02 / INERTIA;
  double t = 0;
  while (0.4 * (1 - a * t * t / 2) + integral_at_limit(t) - 6e-4 * RATIO * a * t > 0.02) t += 1e-4;
  return t;
}

typedef struct {
  double end, q, integral, max;
} windup;

static void watch_limit(void *user, const lim_snapshot *m) {
  windup *x = user;
  const double a = RATIO * 0.02 / INERTIA, t = m->t;
  x->max = fmax(x->max, m->q[joint_of(m, 0)]);
  if (t > x->end - 1e-3) return;
  x->q = fmax(x->q, fabs(m->q[joint_of(m, 0)] - a * t * t / 2));
  x->integral = fmax(x->integral, fabs(m->equations->control.x[0] - integral_at_limit(t)));
}

static void limited_torque_holds_the_integral_back(void **state) {
  (void)state;
  table_head("PID with a limit, 1 rad: while it is limited, largest error");
  double max = 0;
  for (int i = 0; i < EXPLICIT; i++) {
    windup x = {.end = end_of_limit()};
    run_text(LIMITED, (const char *[]){METHODS[i], NULL}, watch_limit, &x);
    table_bound(method_name(METHODS[i]), x.q, 1e-10, "constant acceleration [rad]");
    table_bound("  integral [N m]", x.integral, 1e-9, "closed form");
    max = x.max;
  }
  table_row("limited until [s]", end_of_limit(), 0.3, 0.5, "long enough to see");
  windup free = {0};
  run_text(LIMITED, (const char *[]){METHODS[0], "drives.arm.control.anti_windup=1e6", NULL}, watch_limit,
           &free);
  table_row("overshoot with anti-windup over that without", (max - 1) / (free.max - 1), 0, 0.5,
            "less than half");
  assert_true(free.max > 1.1);
}

// --- clocks ---

// What a sampled controller does to a joint J q" = ratio x torque, exactly: parabolas between its changes.
typedef struct {
  double kp, kv, ki, limit, back; // back: anti-windup time
  double period, delay;
} sampled;

static const double STEP = 0.3;

static void fly(double *q, double *v, double torque, double t) {
  const double a = RATIO * torque / INERTIA;
  *q += *v * t + a * t * t / 2;
  *v += a * t;
}

// q at t, from rest at 0.
static double sampled_response(const sampled *c, double t) {
  double q = 0, v = 0, integral = 0, now = 0, torque = 0, coming[64];
  long k = 0, out = 0; // samples taken, torques set
  for (;;) {
    double take = (double)k * c->period, set = (double)out * c->period + c->delay, next = fmin(take, set);
    bool takes = take <= set + 1e-9;
    if (takes) next = take;
    if (next >= t - 1e-9) break;
    fly(&q, &v, torque, next - now);
    now = next;
    if (takes) {
      double asked = c->kp * (STEP - q) + integral - c->kv * RATIO * v;
      double given = fmin(fmax(asked, -c->limit), c->limit);
      integral += c->period * (c->ki * (STEP - q) + (given - asked) / c->back);
      coming[k++ % 64] = given;
    } else {
      torque = coming[out++ % 64];
    }
  }
  fly(&q, &v, torque, t - now);
  return q;
}

#define SAMPLED(control)                                                                                       \
  MOTOR_JOINT(control, "configuration: {arm: 0}\n"                                                             \
                       "motion: {arm: {profile: constant, value: 0.3}}\n"                                      \
                       "solver: {duration: 1 s, step: 3 ms, tolerance: 1e-12}\n"                               \
                       "outputs: {every: 7 ms}\n")

typedef struct {
  const sampled *law;
  double worst, size;
} sampled_watch;

static void watch_sampled(void *user, const lim_snapshot *m) {
  sampled_watch *x = user;
  x->size = fmax(x->size, fabs(m->q[joint_of(m, 0)]));
  joint_error_at(&x->worst, m, sampled_response(x->law, m->t));
}

static void sampled_controllers_give_their_exact_solution(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    sampled law;
  } row[] = {
      {"pd, 100 Hz", SAMPLED("kp: 0.4, kv: 6e-4, rate: 100 Hz"), {0.4, 6e-4, 0, INFINITY, 1, 0.01, 0}},
      {"pd, 100 Hz, 10 ms late",
       SAMPLED("kp: 0.4, kv: 6e-4, rate: 100 Hz, delay: 10 ms"),
       {0.4, 6e-4, 0, INFINITY, 1, 0.01, 0.01}},
      {"pd, 100 Hz, 23 ms late",
       SAMPLED("kp: 0.4, kv: 6e-4, rate: 100 Hz, delay: 23 ms"),
       {0.4, 6e-4, 0, INFINITY, 1, 0.01, 0.023}},
      {"pid, 60 Hz, limit",
       SAMPLED("type: pid, kp: 0.4, kv: 6e-4, ki: 0.5, rate: 60 Hz, limit: 0.03"),
       {0.4, 6e-4, 0.5, 0.03, 0.8, 1.0 / 60, 0}},
      {"pid, 60 Hz, limit, anti-windup, 5 ms late",
       SAMPLED(
           "type: pid, kp: 0.4, kv: 6e-4, ki: 0.5, rate: 60 Hz, limit: 0.03, anti_windup: 0.1 s, delay: 5 ms"),
       {0.4, 6e-4, 0.5, 0.03, 0.1, 1.0 / 60, 0.005}},
  };
  table_head("Sampled controllers: step of 0.3 rad, largest error in 1 s [rad]");
  for (size_t k = 0; k < sizeof row / sizeof *row; k++)
    for (int i = 0; i < NMETHODS; i++) {
      char what[100];
      sampled_watch x = {.law = &row[k].law};
      run_text(row[k].text, (const char *[]){METHODS[i], NULL}, watch_sampled, &x);
      snprintf(what, sizeof what, "%s, %s", row[k].name, method_name(METHODS[i]));
      table_bound(what, x.worst, i == 1 ? 1e-10 : 1e-12, "parabolas between samples"); // cvode: its tolerance
      assert_true(x.size > 0.29);
    }
}

// The same pd as a function in Lua.
static void lua_controller_is_a_sampled_controller(void **state) {
  (void)state;
  static const char text[] = SAMPLED("type: lua, file: pd.lua, rate: 100 Hz, delay: 23 ms");
  static const sampled law = {0.4, 6e-4, 0, INFINITY, 1, 0.01, 0.023};
  table_head("PD in Lua, 100 Hz, 23 ms late: largest error in 1 s [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    sampled_watch x = {.law = &law};
    lim_model *model = model_of(text, (const char *[]){METHODS[i], NULL});
    run_model(model, "tests/models", watch_sampled, &x);
    lim_model_free(model);
    table_bound(method_name(METHODS[i]), x.worst, i == 1 ? 1e-10 : 1e-12, "parabolas between samples");
  }
}

// --- blocks in the loop ---

// pd wired of blocks is pd.
static const char wired[] = RIGID_ARM
    "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, control: {type: block, block: "
    "torque}}}\n"
    "configuration: {arm: 0}\n"
    "motion: {arm: {profile: constant, value: 0.3}}\n"
    "blocks:\n"
    "  - {name: error, type: sum, input: [arm.reference, arm.position], weights: [1, -1]}\n"
    "  - {name: share, type: integrator, input: error, gain: 1.696}\n"
    "  - {name: torque, type: sum, input: [error, share, arm.motor_velocity], weights: [0.7208, 1, -8.48e-4]}\n"
    "solver: {duration: 1 s, step: 0.5 ms, tolerance: 1e-12}\n"
    "outputs: {every: 10 ms}\n";

static void wired_pid_is_the_pid(void **state) {
  (void)state;
  table_head("The same PID wired of a sum, an integrator and a sum: largest error in 1 s [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    double worst[2] = {0};
    for (int h = 0; h < 2; h++)
      run_text(wired, (const char *[]){METHODS[i], h ? "solver.step=0.5 ms" : "solver.step=1 ms", NULL},
               watch_pid, &worst[h]);
    if (i < EXPLICIT)
      table_bound(method_name(METHODS[i]), worst[1], 1e-8, "closed form");
    else
      table_row(method_name(METHODS[i]), worst[0] / worst[1], 4, 0.02, "error of a step over that of its half");
  }
}

typedef struct {
  double q[101];
  int count;
} path;

static void watch_path(void *user, const lim_snapshot *m) {
  path *x = user;
  assert_true(x->count < 101);
  x->q[x->count++] = m->q[joint_of(m, 0)];
}

static double apart(const char *first, const char *const *set, const char *second, const char *const *other) {
  path a = {.count = 0}, b = {.count = 0};
  double worst = 0;
  run_text(first, set, watch_path, &a);
  run_text(second, other, watch_path, &b);
  assert_true(a.count == 101 && b.count == 101 && fabs(a.q[100]) > 1e-6);
  for (int i = 0; i < 101; i++) worst = fmax(worst, fabs(a.q[i] - b.q[i]));
  return worst;
}

// Effort of a drive, torque beside a controller, factor of a load: from a block or from a profile.
static void blocks_drive_and_disturb_like_profiles(void **state) {
  (void)state;
#define PUSH   "solver: {duration: 1 s, step: 1 ms, tolerance: 1e-12}\noutputs: {every: 10 ms}\n"
#define WAVE   "{profile: harmonic, amplitude: 0.3, frequency: 2 Hz}"
#define SOURCE "blocks: [{name: wave, type: signal, value: " WAVE "}]\n"
  static const char *const pair[][2] = {
      {RIGID_ARM "drives: {arm: {type: effort, effort: " WAVE "}}\n" PUSH,
       RIGID_ARM "drives: {arm: {type: effort, effort: {block: wave}}}\n" SOURCE PUSH},
      {RIGID_ARM "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, control: {kp: 0.4, kv: "
                 "0.002}, torque: " WAVE "}}\n" PUSH,
       RIGID_ARM "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, control: {kp: 0.4, kv: "
                 "0.002}, torque: {block: wave}}}\n" SOURCE PUSH},
      {RIGID_ARM "loads: [{at: tip, force: [0, 2, 0], factor: " WAVE "}]\n" PUSH,
       RIGID_ARM "loads: [{at: tip, force: [0, 2, 0], factor: {block: wave}}]\n" SOURCE PUSH},
  };
  static const char *const name[] = {"effort", "torque beside a controller", "factor of a load"};
  table_head("A block in place of a profile: largest difference [rad]");
  for (int k = 0; k < 3; k++) {
    table_bound(name[k], apart(pair[k][0], NULL, pair[k][1], NULL), 1e-14, "the same");
  }
}

// Feeding back what frames and gauges see: an effort drive held by the tip's position, in closed form.
static const char by_tip[] = RIGID_ARM "drives: {arm: {type: effort, effort: {block: pull}}}\n"
                                       "configuration: {arm: {position: 1e-4}}\n"
                                       "blocks: [{name: pull, type: gain, input: tip.position.y, gain: -40}]\n"
                                       "solver: {duration: 1 s, step: 0.2 ms, tolerance: 1e-12}\n"
                                       "outputs: {every: 10 ms}\n";

// 0.165 q" = -40 x 0.5 sin q, q small
static void watch_tip(void *user, const lim_snapshot *m) {
  joint_error_at(user, m, 1e-4 * cos(sqrt(20 / 0.165) * m->t));
}

static void frames_can_be_fed_back(void **state) {
  (void)state;
  table_head("A joint held by the height of its tip, 1e-4 rad: largest error in 1 s [rad]");
  for (int i = 0; i < EXPLICIT; i++) {
    double worst = 0;
    run_text(by_tip, (const char *[]){METHODS[i], NULL}, watch_tip, &worst);
    table_bound(method_name(METHODS[i]), worst, 2e-11, "an oscillation; sin q, rk4");
  }
}

// --- the weight of an arm ---

#define TWO_LINKS(first, second, more)                                                                         \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "links:\n"                                                                                                   \
  "  - {name: upper, body: {mass: 3, com: [0.3, 0, 0], inertia: [0, 0, 0.05], tip: [0.6, 0, 0]}}\n"            \
  "  - {name: fore, body: {mass: 2, com: [0.2, 0.05, 0], inertia: [0, 0, 0.03], tip: [0.5, 0, 0]}}\n"          \
  "drives:\n"                                                                                                  \
  "  upper: {type: motor, motor: {rotor_inertia: 2e-5, ratio: 100}, control: {" first "}}\n"                   \
  "  fore: {type: motor, motor: {rotor_inertia: 1e-5, ratio: -80, mass: 1}, control: {" second "}}\n"          \
  "configuration: {upper: 0.2, fore: -0.4}\n"                                                                  \
  "motion:\n"                                                                                                  \
  "  upper: {profile: quintic, from: 0.2, to: 1, duration: 0.8 s}\n"                                           \
  "  fore: {profile: quintic, from: -0.4, to: 0.7, duration: 0.8 s}\n" more                                    \
  "solver: {duration: 4 s, step: 1 ms, tolerance: 1e-12}\n"                                                    \
  "outputs: {every: 10 ms}\n"

typedef struct {
  double worst, end[2], effort[2], q[2];
} tracking;

static void watch_tracking(void *user, const lim_snapshot *m) {
  tracking *x = user;
  for (int i = 0; i < 2; i++) {
    int k = joint_of(m, i);
    x->q[i] = m->q[k];
    x->effort[i] = m->effort[k];
    x->end[i] = m->rq[k] - m->q[k];
    x->worst = fmax(x->worst, fabs(x->end[i]));
  }
}

static tracking track(const char *text, const char *const *set) {
  tracking x = {0};
  run_text(text, set, watch_tracking, &x);
  return x;
}

// Torques of gravity about the joints of TWO_LINKS at q.
static void weight(double out[2], const double q[2]) {
  const double g = 9.81, c = cos(q[0] + q[1]), s = sin(q[0] + q[1]);
  out[1] = 2 * g * (0.2 * c - 0.05 * s);
  out[0] = (3 * 0.3 + 2 * 0.6 + 1 * 0.6) * g * cos(q[0]) + out[1];
}

static void gravity_is_carried_by_error_by_integral_or_by_the_arm(void **state) {
  (void)state;
  static const double kp[2] = {8, 4}, ratio[2] = {100, 80};
  tracking pd = track(TWO_LINKS("kp: 8, kv: 0.01", "kp: 4, kv: 0.006", ""), NULL);
  tracking arm =
      track(TWO_LINKS("type: pd-gravity, kp: 8, kv: 0.01", "type: pd-gravity, kp: 4, kv: 0.006", ""), NULL);
  tracking pid =
      track(TWO_LINKS("type: pid, kp: 8, kv: 0.01, ki: 40", "type: pid, kp: 4, kv: 0.006, ki: 20", ""), NULL);
  double w[2];
  weight(w, pd.q);
  table_head("Two rigid links at rest under gravity: error of the joints [rad]");
  for (int i = 0; i < 2; i++)
    table_row(i ? "pd, fore" : "pd, upper", pd.end[i], w[i] / (ratio[i] * kp[i]), 1e-6, "weight/(ratio kp)");
  for (int i = 0; i < 2; i++)
    table_bound(i ? "pd-gravity, fore" : "pd-gravity, upper", fabs(arm.end[i]), 1e-8, "none");
  for (int i = 0; i < 2; i++) table_bound(i ? "pid, fore" : "pid, upper", fabs(pid.end[i]), 1e-6, "none");
  weight(w, pid.q);
  for (int i = 0; i < 2; i++) table_row("  effort [N m]", fabs(pid.effort[i]), fabs(w[i]), 1e-5, "weight");
}

static void computed_torque_follows_a_rigid_arm_to_rounding(void **state) {
  (void)state;
  static const char text[] =
      TWO_LINKS("type: computed-torque, bandwidth: 30 rad/s", "type: computed-torque, kp: 400, kv: 40", "");
  table_head("Computed torque on two rigid links in 0.8 s: largest error of a joint [rad]");
  tracking pd = track(TWO_LINKS("bandwidth: 30 rad/s", "bandwidth: 20 rad/s", ""), NULL);
  for (int i = 0; i < NMETHODS; i++) {
    const bool coarse = i >= EXPLICIT; // what their truncation leaves is taken back by the feedback
    table_bound(method_name(METHODS[i]),
                track(text, (const char *[]){METHODS[i], "solver.step=0.2 ms", NULL}).worst,
                coarse ? 1e-6 : 1e-12, coarse ? "truncation of the method" : "rounding");
  }
  table_row("pd of 30 and 20 rad/s, for comparison", pd.worst, 0.25, 0.4, "servo lag");
  // set off by 0.1 rad, both errors die out as e" + kv e' + kp e = 0
  tracking off =
      track(text, (const char *[]){METHODS[0], "configuration.fore=-0.3", "solver.duration=0.1 s", NULL});
  table_row("0.1 rad off at first, 0.1 s later", off.end[1], -0.1 * exp(-20 * 0.1) * (1 + 20 * 0.1), 1e-8,
            "critically damped, 20 rad/s");
  table_bound("  the other joint", fabs(off.end[0]), 1e-10, "does not feel it");
}

static void feedforward_leaves_no_lag(void **state) {
  (void)state;
  tracking x = track(TWO_LINKS("bandwidth: 30 rad/s, feedforward: {velocity: 1, torque: 1}",
                               "bandwidth: 20 rad/s, feedforward: {velocity: 1, torque: 1}", ""),
                     (const char *[]){METHODS[0], "solver.step=0.2 ms", NULL});
  table_head("PD with feed-forward of speed and rigid torque: largest error [rad]");
  table_bound("two rigid links", x.worst, 1e-12, "rounding");
  static const char one[] = MOTOR_JOINT("bandwidth: 20 rad/s, feedforward: {velocity: 1, acceleration: 1}",
                                        "motion: {arm: {profile: quintic, to: 1, duration: 0.5 s}}\n"
                                        "solver: {duration: 1 s, step: 0.2 ms}\noutputs: {every: 10 ms}\n");
  path own = {.count = 0};
  run_text(one, (const char *[]){METHODS[0], NULL}, watch_path, &own);
  double worst = 0;
  for (int i = 0; i < 101; i++) {
    double s = fmin(i * 0.01 / 0.5, 1), r = s * s * s * (10 + s * (-15 + 6 * s));
    worst = fmax(worst, fabs(own.q[i] - r));
  }
  table_bound("one joint, speed and acceleration", worst, 1e-12, "rounding");
}

// --- gains by inertia ---

// Point masses 2 and 1 kg at the tips of links of 0.6 and 0.5 m: at the shoulder
//   J = 2 x 0.36 + 0.36 + 0.25 + 0.6 cos q2
static double shoulder_inertia(double q2) { return 0.72 + 0.36 + 0.25 + 0.6 * cos(q2); }

#define FOLDING(gains)                                                                                         \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: upper, body: {mass: 2, com: [0.6, 0, 0], tip: [0.6, 0, 0]}}\n"                                   \
  "  - {name: fore, body: {mass: 1, com: [0.5, 0, 0], tip: [0.5, 0, 0]}}\n"                                    \
  "drives: {upper: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 50}, control: {bandwidth: 8 rad/s" gains  \
  "}}}\n"                                                                                                      \
  "configuration: {upper: 0.05}\n"                                                                             \
  "motion: {upper: {profile: constant, value: 0}, fore: {profile: cycloidal, from: 120 deg, to: -20 deg, "     \
  "duration: 2 s}}\n"                                                                                          \
  "solver: {duration: 2 s, step: 1 ms}\n"

static double designed(const char *text, double *at_one_second) {
  lim_model *m = model_of(text, NULL);
  lim_rest a;
  lim_error err = {0};
  assert_int_equal(lim_rest_start(&a, m, NULL, &err), LIM_OK);
  const lim_joint_drive *d = &a.inputs->drive[0];
  const double kp = d->law.kp;
  // kp times the error, by the command at t = 1 s for an error of 1 rad
  *at_one_second = -lim_drive_command(d, 1, LIM_AFTER, &(lim_drive_motion){.q = 1}).value;
  lim_rest_end(&a);
  lim_model_free(m);
  return kp;
}

static void gains_take_the_inertia_that_is_asked_for(void **state) {
  (void)state;
  const double start = 120 * TURN / 360, middle = 50 * TURN / 360;
  double one;
  table_head("kp of a shoulder at 8 rad/s while the elbow goes from 120 to -20 degrees [N m/rad]");
#define KP(J) (64 * (1e-4 + (J) / 2500) * 50)
  table_row("gains: initial", designed(FOLDING(""), &one), KP(shoulder_inertia(start)), 1e-12,
            "inertia at the start");
  table_row("  at 1 s", one, KP(shoulder_inertia(start)), 1e-12, "the same");
  table_row("gains: maximum", designed(FOLDING(", gains: maximum"), &one), KP(shoulder_inertia(0)), 1e-6,
            "elbow straight");
  table_row("  at 1 s", one, KP(shoulder_inertia(0)), 1e-6, "the same");
  table_row("gains: scheduled", designed(FOLDING(", gains: scheduled"), &one), KP(shoulder_inertia(start)),
            1e-12, "inertia at the start");
  table_row("  at 1 s", one, KP(shoulder_inertia(middle)), 1e-9, "elbow at 50 degrees");
}

// --- a gear softer than the loop ---

#define SOFT(gear)                                                                                             \
  RIGID_ARM                                                                                                    \
  "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: {stiffness: " gear "}, "        \
  "control: {kp: 5, kv: 0.001}}}\n"                                                                            \
  "configuration: {arm: 0.001}\n"                                                                              \
  "motion: {arm: {profile: constant, value: 0}}\n"                                                             \
  "solver: {method: rk4, duration: 6 s, step: 1 ms}\n"                                                         \
  "outputs: {every: 1 ms}\n"

// The root s near i sqrt(k/J) of (J s^2 + k)(B s^2 + D s + k) + k (ratio kp - k) = 0.
static double _Complex swing(double k) {
  const double J = 0.165, B = 0.1, D = 0.001 * 1e4, loop = k * (500 - k);
  double _Complex s = I * sqrt(k / J);
  for (int i = 0; i < 50; i++) {
    double _Complex a = J * s * s + k, b = B * s * s + D * s + k;
    s -= (a * b + loop) / (2 * J * s * b + a * (2 * B * s + D));
  }
  return s;
}

typedef struct {
  double _Complex s;
  double size[2]; // of the swing at 2 and at 6 s, when all else has died out
} growth;

// q = Re z, v = Re(s z) give z.
static void watch_growth(void *user, const lim_snapshot *m) {
  growth *x = user;
  const double q = m->q[joint_of(m, 0)], v = m->v[joint_of(m, 0)],
               size = hypot(q, (creal(x->s) * q - v) / cimag(x->s));
  if (fabs(m->t - 2) < 1e-6) x->size[0] = size;
  x->size[1] = size;
}

static int unstable_modes(const char *text, const char *const *set) {
  lim_model *m = model_of(text, set);
  lim_modes *r = NULL;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 5, &err), LIM_OK);
  int count = r->unstable;
  lim_modes_free(r);
  lim_model_free(m);
  return count;
}

static void loop_is_stable_if_the_gear_is_stiffer_than_its_gain(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double stiffness;
  } row[] = {{SOFT("550"), 550}, {SOFT("450"), 450}};
  table_head("Output fed back through a gear, ratio x kp = 500 N m/rad");
  for (int i = 0; i < 2; i++) {
    const char *motor[] = {"drives.arm.control.measure=motor", NULL};
    growth x = {.s = swing(row[i].stiffness)};
    table_row(i ? "gear of 450 N m/rad: unstable modes" : "gear of 550 N m/rad: unstable modes",
              unstable_modes(row[i].text, NULL), i, 0.5, "stable if ratio kp < k");
    table_row("  fed back from the motor", unstable_modes(row[i].text, motor), 0, 0.5, "always stable");
    run_text(row[i].text, NULL, watch_growth, &x);
    table_row("  simulation: growth of the swing [1/s]", log(x.size[1] / x.size[0]) / 4, creal(x.s), 1e-5,
              "root of two masses");
    assert_int_equal(creal(x.s) > 0, i);
  }
}

static double frequency_of(const char *text, const char *const *set, double *damping, int *unstable) {
  lim_model *m = model_of(text, set);
  lim_modes *r = NULL;
  lim_error err = {0};
  lim_code code = lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 5, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  double f = r->modes.count ? r->modes.item[0].frequency : NAN;
  *damping = r->modes.count ? r->modes.item[0].damping : NAN;
  *unstable = r->unstable;
  lim_modes_free(r);
  lim_model_free(m);
  return f;
}

// s^3 + 2 s^2 + 101 s + 100 = (s + 1)(s^2 + s + 100); and with more integral it grows.
static void modes_know_integrals_and_filters(void **state) {
  (void)state;
  static const char pid[] = MOTOR_JOINT("type: pid, kp: 0.26765, kv: 5.3e-5, ki: 0.265",
                                        "motion: {arm: {profile: constant, value: 0}}\n");
  static const char filtered[] =
      RIGID_ARM "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, control: {type: block, "
                "block: torque}}}\n"
                "blocks:\n"
                "  - {name: error, type: sum, input: [arm.reference, arm.position], weights: [1, -1]}\n"
                "  - {name: torque, type: lead-lag, input: error, gain: 0.265, lead: 0.51, lag: 0.5}\n"
                "  - {name: idle, type: second-order, input: error, frequency: 3 Hz}\n";
  double damping;
  int unstable;
  table_head("Modes with states of controllers");
  table_row("pid: frequency [Hz]", frequency_of(pid, NULL, &damping, &unstable), 10 / TURN, 1e-8,
            "s^2 + s + 100");
  table_row("  damping ratio", damping, 0.05, 1e-7, "the same");
  frequency_of(pid, (const char *[]){"drives.arm.control.ki=0.6", NULL}, &damping, &unstable);
  table_row("pid with ki beyond kp kv ratio/J: unstable modes", unstable, 1, 0.5, "Routh");
  // (s + 2) s^2 + 100 (1.02 s + 2) = (s + a)(s^2 + b s + c)
  double a = 2;
  for (int i = 0; i < 100; i++) a -= (a * a * a - 2 * a * a + 102 * a - 200) / (3 * a * a - 4 * a + 102);
  table_row("lead-lag: frequency [Hz]", frequency_of(filtered, NULL, &damping, &unstable), sqrt(200 / a) / TURN,
            1e-8, "its cubic");
  table_row("  damping ratio", damping, (2 - a) / 2 / sqrt(200 / a), 1e-6, "its cubic");
}

static void computed_torque_has_its_bandwidth_in_modes(void **state) {
  (void)state;
  static const char text[] = TWO_LINKS("type: computed-torque, bandwidth: 5 rad/s, damping: 0.3",
                                       "type: computed-torque, bandwidth: 9 rad/s, damping: 0.5", "");
  static const char *const set[][2] = {{NULL}, {"solver.start=equilibrium", NULL}};
  table_head("Computed torque in modes: decoupled oscillators");
  for (int i = 0; i < 2; i++) {
    double damping;
    int unstable;
    table_row(i ? "about the equilibrium [Hz]" : "without gravity [Hz]",
              frequency_of(text, set[i], &damping, &unstable), 5 / TURN, 1e-7, "its bandwidth");
    table_row("  damping ratio", damping, 0.3, 1e-6, "its damping");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pid_gives_its_closed_step_response),
      cmocka_unit_test(limited_torque_holds_the_integral_back),
      cmocka_unit_test(sampled_controllers_give_their_exact_solution),
      cmocka_unit_test(lua_controller_is_a_sampled_controller),
      cmocka_unit_test(wired_pid_is_the_pid),
      cmocka_unit_test(blocks_drive_and_disturb_like_profiles),
      cmocka_unit_test(frames_can_be_fed_back),
      cmocka_unit_test(gravity_is_carried_by_error_by_integral_or_by_the_arm),
      cmocka_unit_test(computed_torque_follows_a_rigid_arm_to_rounding),
      cmocka_unit_test(feedforward_leaves_no_lag),
      cmocka_unit_test(gains_take_the_inertia_that_is_asked_for),
      cmocka_unit_test(loop_is_stable_if_the_gear_is_stiffer_than_its_gain),
      cmocka_unit_test(modes_know_integrals_and_filters),
      cmocka_unit_test(computed_torque_has_its_bandwidth_in_modes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
