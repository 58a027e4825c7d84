// gear_backlash.c - play in an elastic gear: a pushed rotor crosses it at constant speed, meets the link when
// it should, and the two bounce on their flanks as two masses on a one-sided spring do, in closed form; no
// energy is gained, and damping takes some at every touch.
#include "motor_fixture.h"

// Link J, rotor reflected B, flanks of stiffness K, play 2 HALF [rad]; half a sine of torque A at W pushes the
// rotor up to U.
static const double J = 0.165, B = 0.1, K = 2e4, HALF = 0.01, N = 100, A = 0.15, PULSE = 0.01;

#define PLAY(more)                                                                                             \
  RIGID_ARM                                                                                                    \
  "drives:\n"                                                                                                  \
  "  arm:\n"                                                                                                   \
  "    type: motor\n"                                                                                          \
  "    torque: {profile: harmonic, amplitude: 0.15, frequency: 50 Hz, duration: 10 ms}\n"                      \
  "    motor: {rotor_inertia: 1e-5, ratio: 100}\n"                                                             \
  "    gear: {stiffness: 2e4, backlash: 0.02" more "}\n"                                                       \
  "solver: {duration: 1 s, step: 0.02 ms, tolerance: 1e-12}\n"                                                 \
  "outputs: {every: 0.5 ms}\n"

static double speed(void) { return 2 * N * A / (B * 50 * TURN); }

static double time_to_contact(void) {
  return PULSE + (HALF - speed() * PULSE / 2) / speed(); // the pulse carries it by half its end speed
}

// Angles of joint and motor: the centre of mass goes on steadily, their difference crosses the play and is
// turned back by half a sine on either flank.
static void bounce(double out[2], double t, int *touches) {
  double w = 50 * TURN, u = speed(), m = J * B / (J + B), W = sqrt(K / m), touch = TURN / 2 / W,
         cross = 2 * HALF / u;
  *touches = 0;
  if (t <= PULSE) {
    out[0] = 0;
    out[1] = u / 2 * (t - sin(w * t) / w);
    return;
  }
  double x, late = t - time_to_contact(), centre = B / (J + B) * u * (t - PULSE / 2);
  if (late < 0) {
    x = HALF + u * late;
  } else {
    double period = touch + cross, in = fmod(late, period), side = (int)(late / period) % 2 ? -1 : 1;
    *touches = 1 + (int)(late / period);
    x = side * (in < touch ? HALF + u / W * sin(W * in) : HALF - u * (in - touch));
  }
  out[0] = centre - B / (J + B) * x;
  out[1] = centre + J / (J + B) * x;
}

typedef struct {
  double apart, in_play;        // from the closed form [rad]; before the first touch
  double before, after;         // last moment without, first with torque in the gear [s]
  double start, low, high, end; // energy after the pulse, range since then, at last [J]
  double rise;                  // largest growth from one record to the next [J]
  int touches;
} report;

static void watch(void *user, const lim_snapshot *m) {
  report *x = user;
  double expected[2], q = m->q[joint_of(m, 0)], p = m->q[rotor_of(m, 0)],
                      E = m->energy_balance.kinetic + m->energy_balance.strain;
  bounce(expected, m->t, &x->touches);
  double apart = fmax(fabs(q - expected[0]), fabs(p - expected[1]));
  x->apart = fmax(x->apart, apart);
  if (m->t <= time_to_contact()) x->in_play = fmax(x->in_play, apart);
  if (m->effort[joint_of(m, 0)] != 0 && x->after == 0) x->after = m->t;
  if (x->after == 0) x->before = m->t;
  if (m->t < PULSE + 1e-9) {
    x->start = x->low = x->high = x->end = E;
    return;
  }
  x->rise = fmax(x->rise, E - x->end);
  x->low = fmin(x->low, E);
  x->high = fmax(x->high, E);
  x->end = E;
}

// Moments where flanks meet or part are located, so that every method keeps its order. What the implicit ones
// make of a bounce of frequency W: (W h)^2 of it.
static double corner(double h) { return K / (J * B / (J + B)) * h * h; }

static void play_is_crossed_at_constant_speed_and_flanks_bounce(void **state) {
  (void)state;
  char what[96];
  table_head("Rotor pushed through the play of its gear, 1 s of bounces");
  for (int i = 0; i < NMETHODS; i++) {
    report x = {.after = 0};
    lim_run run = run_text(PLAY(""), (const char *[]){METHODS[i], NULL}, watch, &x);
    assert_true(x.touches > 30);
    snprintf(what, sizeof what, "%s (%ld steps), in the play [rad]", method_name(METHODS[i]), run.steps);
    double pulse = 50 * TURN * 2e-5; // what a step resolves of the push: error (w h)^2/12
    table_bound(what, x.in_play, i < EXPLICIT ? 1e-11 : HALF * pulse * pulse, "constant speed");
    table_bound("  all the time [rad]", x.apart, i < EXPLICIT ? 1e-8 : x.touches * HALF * corner(2e-5),
                "closed form, 38 touches");
    table_bound("  energy, largest change of its size", fmax(x.high - x.start, x.start - x.low) / x.start,
                i < EXPLICIT ? 1e-8 : corner(2e-5), "conserved");
    if (!(x.before < time_to_contact() + 1e-12 && x.after >= time_to_contact() && x.after - x.before < 0.51e-3))
      fail_msg("touches between %.6f and %.6f s, expected %.6f s", x.before, x.after, time_to_contact());
  }
}

static void bounces_do_not_cost_the_methods_their_order(void **state) {
  (void)state;
  static const char *const STEPS[] = {"solver.step=0.1 ms", "solver.step=0.05 ms", "solver.step=0.02 ms",
                                      "solver.step=0.01 ms", "solver.step=0.005 ms"};
  table_head("Bounces for 0.2 s: largest error [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    if (i == 1 || i == 2) continue; // cvode and ida choose their own
    double error[5];
    for (int k = 0; k < 5; k++) {
      report x = {.after = 0};
      run_text(PLAY(""), (const char *[]){METHODS[i], STEPS[k], "solver.duration=0.2 s", NULL}, watch, &x);
      error[k] = x.apart;
      printf("%s, %s: %.3e\n", method_name(METHODS[i]), STEPS[k] + 12, x.apart);
    }
    table_bound("  0.02 over 0.1 ms", error[2] / error[0], pow(5, i < EXPLICIT ? -3.7 : -1.9),
                i < EXPLICIT ? "fourth order" : "second order");
  }
}

static void damped_flanks_lose_energy_and_never_gain(void **state) {
  (void)state;
  char what[96];
  table_head("Flanks with a damper: energy at the end over that of the push; largest growth between records");
  double end = 0;
  for (int i = 0; i < NMETHODS; i++) {
    report x = {.after = 0};
    lim_run run = run_text(PLAY(", damping: 10"), (const char *[]){METHODS[i], NULL}, watch, &x);
    double centre = B / (J + B); // what is left when the two have come to rest against each other
    if (i == 0) end = x.end;
    snprintf(what, sizeof what, "%s (%ld steps): energy left", method_name(METHODS[i]), run.steps);
    table_row(what, x.end / x.start, end / x.start, i < EXPLICIT ? 1e-6 : 1e-3, "rk4");
    assert_true(x.end > centre * x.start && x.end < 0.9 * x.start);
    table_bound("  growth", x.rise / x.start, i < EXPLICIT ? 1e-10 : 1e-6, "none");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-6 : 100 * corner(2e-5),
                "closed books");
  }
}

// Played through slowly and pressed on: the motor's angle runs ahead of the joint's by half the play and the
// flank's compression, under either sign.
typedef struct {
  double lead;
} ahead;

static void watch_lead(void *user, const lim_snapshot *m) {
  ((ahead *)user)->lead = m->q[rotor_of(m, 0)] - m->q[joint_of(m, 0)];
}

static void pressed_gear_leads_by_half_the_play(void **state) {
  (void)state;
  table_head(
      "Gear pressed by a steady torque while viscous friction holds the joint: motor ahead of the joint [rad]");
  for (int sign = -1; sign <= 1; sign += 2) {
    ahead x = {0};
    char torque[64];
    snprintf(torque, sizeof torque, "drives.arm.torque=%g", sign * 0.02);
    run_text(
        PLAY(", damping: 20, friction: {viscous: 2}"),
        (const char *[]){torque, "solver.duration=3 s", "solver.step=0.1 ms", "solver.method=newmark", NULL},
        watch_lead, &x);
    // both turn ever faster until viscous friction carries the whole torque; the rotor's share accelerates it
    double T = sign * 0.02 * N, t = 3, M = J + B, v = T / 2 * (1 - exp(-2 * t / M)),
           a = T / M * exp(-2 * t / M);
    table_row(sign > 0 ? "forwards" : "backwards", x.lead, sign * HALF + (J * a + 2 * v) / K, 1e-4,
              "HALF + torque/K");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(play_is_crossed_at_constant_speed_and_flanks_bounce),
      cmocka_unit_test(bounces_do_not_cost_the_methods_their_order),
      cmocka_unit_test(damped_flanks_lose_energy_and_never_gain),
      cmocka_unit_test(pressed_gear_leads_by_half_the_play),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
