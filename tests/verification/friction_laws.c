// friction_laws.c - friction that depends on its load, in gears with losses, and presliding by LuGre, against
// closed forms.
#include "motor_fixture.h"

typedef struct {
  double last_q;
} follower;

static void follow(void *user, const lim_snapshot *m) { ((follower *)user)->last_q = m->q[0]; }

// Link J, rotor reflected B.
static const double J = 0.165, B = 0.1;

// --- a gear with losses ---

typedef struct {
  double q;
} place;

static void watch_place(void *user, const lim_snapshot *m) { ((place *)user)->q = m->q[0]; }

// Torque along the motion leaves e of itself, against it 1/e; here for 0.2 s on both sides of a rigid gear.
static void losses_of_a_gear_depend_on_who_drives(void **state) {
  (void)state;
  static const double e = 0.6, T = 0.03, n = 100, v = 4, t = 0.2;
  static const double I = 0.165 + 1e-5 * 1e4;
  table_head("Gear of efficiency 0.6: acceleration under a motor torque [rad/s^2]");
  for (int sense = -1; sense <= 1; sense += 2)
    for (int i = 0; i < NMETHODS; i++) {
      char text[1000], what[64];
      snprintf(text, sizeof text,
               "limber: 1\ngravity: [0, 0, 0]\n"
               "links: [{name: arm, body: {mass: 2, com: [0.25, 0, 0], inertia: [0.001, 0.04, 0.04]}}]\n"
               "drives: {arm: {type: motor, torque: %g, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: "
               "{efficiency: "
               "0.6}}}\n"
               "configuration: {arm: {position: 0, velocity: 4}}\n"
               "solver: {duration: 0.2 s, step: 1 ms}\n",
               sense * T);
      place x = {0};
      lim_run run = run_text(text, (const char *[]){METHODS[i], NULL}, watch_place, &x);
      snprintf(what, sizeof what, "%s, %s", method_name(METHODS[i]), sense > 0 ? "driving" : "braking");
      table_row(what, 2 * (x.q - v * t) / (t * t), sense > 0 ? e * n * T / I : -n * T / e / I, 1e-8,
                sense > 0 ? "efficiency x torque" : "torque/efficiency");
      table_bound("  energy balance [% rms]", run.balance_percent_rms, 1e-6, "closed books");
    }
}

// A load W on the joint: the motor holds it with any torque between e W and W/e, and lifts or lets go beyond.
static void lossy_gear_holds_a_load_within_its_band(void **state) {
  (void)state;
  static const struct {
    double torque; // ratio x torque over the load
    int moves;
  } ROWS[] = {{0.59, -1}, {0.61, 0}, {1, 0}, {1.65, 0}, {1.68, 1}};
  table_head("Gear of efficiency 0.6 under a load of 2 N m: angle after 1 s [rad]");
  for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++)
    for (int i = 0; i < NMETHODS; i++) {
      char text[1000];
      snprintf(text, sizeof text,
               "limber: 1\ngravity: [0, 0, 0]\n"
               "links: [{name: arm, body: {mass: 2, com: [0.25, 0, 0], inertia: [0.001, 0.04, 0.04]}}]\n"
               "drives: {arm: {type: motor, torque: %.17g, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: "
               "{efficiency: 0.6}}}\n"
               "loads: [{at: arm.base, moment: [0, 0, -2]}]\n"
               "solver: {duration: 1 s, step: 1 ms}\n",
               ROWS[k].torque * 2 / 100);
      place x = {0};
      run_text(text, (const char *[]){METHODS[i], NULL}, watch_place, &x);
      double lifted = ROWS[k].torque * 2 * 0.6 - 2, sunk = ROWS[k].torque * 2 / 0.6 - 2;
      double a = ROWS[k].moves > 0 ? lifted : ROWS[k].moves < 0 ? sunk : 0;
      char what[64];
      snprintf(what, sizeof what, "%s, torque %g of the load", method_name(METHODS[i]), ROWS[k].torque);
      if (ROWS[k].moves)
        table_row(what, x.q, a / (J + B) / 2, 1e-8, "constant acceleration");
      else
        table_bound(what, x.q, 1e-15, "holds");
    }
}

// --- LuGre ---

// Pressed slowly to half of its level g a block yields by -g/s0 ln(1 - 1/2) (dz/dx = 1 - s0 z/g), then rests;
// let go it comes back part of the way.
static void lugre_yields_before_it_slides(void **state) {
  (void)state;
  static const char text[] =
      BLOCK("type: effort, effort: {profile: cycloidal, from: 0, to: 1.5, duration: 2 s}",
            "law: lugre, coulomb: 3, stribeck_speed: 0.01, bristle_stiffness: 1e4, bristle_damping: 600");
  table_head("LuGre pressed to half its level: presliding [m]");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {0};
    lim_run run = run_text(text, (const char *[]){METHODS[i], "solver.duration=3 s", NULL}, follow, &x);
    table_row(method_name(METHODS[i]), x.last_q, 3 / 1e4 * log(2), 1e-5, "g/s0 ln 2");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-4 : 1, "closed books");
  }
}

// First of all it is a spring of s0.
static void lugre_begins_as_its_bristles(void **state) {
  (void)state;
  static const char text[] =
      BLOCK("type: effort, effort: {profile: cycloidal, from: 0, to: 3e-3, duration: 2 s}",
            "law: lugre, coulomb: 3, stribeck_speed: 0.01, bristle_stiffness: 1e4, bristle_damping: 600");
  table_head("LuGre under a thousandth of its level: effort over displacement [N/m]");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {0};
    run_text(text, (const char *[]){METHODS[i], "solver.duration=3 s", NULL}, follow, &x);
    table_row(method_name(METHODS[i]), 3e-3 / x.last_q, 1e4, 1e-3, "bristle stiffness");
  }
}

typedef struct {
  double effort;
} pull;

static void watch_pull(void *user, const lim_snapshot *m) { ((pull *)user)->effort = m->effort[0]; }

static void lugre_slides_at_its_level(void **state) {
  (void)state;
  static const char text[] = BLOCK(
      "type: servo, stiffness: 200, damping: 40",
      "law: lugre, coulomb: 3, stiction: 4, stribeck_speed: 0.1, bristle_stiffness: 1e4, bristle_damping: 200, "
      "viscous: 0.5") "motion: {block: {profile: speed, value: 0.1, ramp: 0.1 s}}\nconfiguration: {block: 0}\n";
  table_head("LuGre pulled at 0.1 m/s: steady pull [N]");
  for (int i = 0; i < NMETHODS; i++) {
    pull x = {0};
    run_text(text, (const char *[]){METHODS[i], "solver.duration=8 s", NULL}, watch_pull, &x);
    table_row(method_name(METHODS[i]), x.effort, 3 + exp(-1) + 0.05, 1e-6, "g(v) + viscous v");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses_of_a_gear_depend_on_who_drives),
      cmocka_unit_test(lossy_gear_holds_a_load_within_its_band),
      cmocka_unit_test(lugre_yields_before_it_slides),
      cmocka_unit_test(lugre_begins_as_its_bristles),
      cmocka_unit_test(lugre_slides_at_its_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
