// engine_energy.c - the books of undamped arms in motion: energy over 25000 steps.
// What an integrator dissipates by itself counts as error. Bound: 1e-6 % of the peak of kinetic plus strain
// energy, root mean square over the run (FLEXROB, table 3 reports 2.53e-4 and 2.46e-3).
#include "engine_fixture.h"

static const char strip[] =
    STRIP("    basis: {type: modes, count: 3}\n") "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

static const char prototype[] = PROTOTYPE "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

// The spatial arm of the Timoshenko thesis on a wall, let go: the first axis is not along gravity, so that it
// falls in space.
static const char spatial[] =
    "limber: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: {steel: {E: 207 GPa, nu: 0.3, rho: 7850}}\n"
    "sections: {tube: {shape: general, A: 915 mm^2, Iy: 1.08e6 mm^4, Iz: 1.08e6 mm^4, J: 2.16e6 mm^4, kappa: "
    "0.54}}\n"
    "links:\n"
    "  - name: column\n"
    "    joint: {dh: {a: 0, alpha: 90 deg, d: 500 mm}}\n"
    "    body: {mass: 5, inertia: [0.1, 0.1, 0.05]}\n"
    "  - name: upper\n"
    "    joint: {dh: {a: 1000 mm, alpha: 0, d: 0}}\n"
    "    beam: {section: tube, material: steel, elements: 4}\n"
    "    basis: {type: modes, count: 4}\n"
    "  - name: fore\n"
    "    joint: {dh: {a: 1000 mm, alpha: 0, d: 0}}\n"
    "    beam: {section: tube, material: steel, elements: 4}\n"
    "    basis: {type: modes, count: 4}\n"
    "configuration: {upper: 30 deg, fore: -60 deg}\n"
    "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// Balance and end of each method; the end against CVODE at a tight tolerance, in parts of the arm's reach.
static void balance(const char *title, const char *text, double reach, const char *extra1, const char *extra2) {
  static const struct {
    const char *method, *name;
    double end; // bound of the distance to the reference, over the reach
  } ROWS[] = {{"solver.method=newmark", "newmark", 1e-6},
              {"solver.method=generalized-alpha", "generalized-alpha", 1e-6},
              {"solver.method=rk4", "rk4", 1e-8}};
  observation reference = {0};
  observe(&reference, text,
          (const char *[]){"solver.method=cvode", "solver.step=10 ms", "solver.tolerance=1e-9", extra1, extra2,
                           NULL});
  table_head(title);
  table_bound("cvode: rms balance [%]", reference.run.balance_percent_rms, 1e-6,
              "closed books; FLEXROB, table 3");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    observation o = {0};
    char what[64];
    observe(&o, text, (const char *[]){ROWS[i].method, extra1, extra2, NULL});
    assert_true(o.run.steps >= 25000);
    snprintf(what, sizeof what, "%s: rms balance [%%]", ROWS[i].name);
    table_bound(what, o.run.balance_percent_rms, 1e-6, "closed books; FLEXROB, table 3");
    snprintf(what, sizeof what, "%s: tip at 1 s off cvode's, over reach", ROWS[i].name);
    table_bound(what, distance(o.tip, reference.tip) / reach, ROWS[i].end, "tight reference");
  }
}

static void torque_driven_two_link_arm_balances_its_energy(void **state) {
  (void)state;
  balance("Two-link strip, torques in time", strip, 1, NULL, NULL);
  observation o = {0};
  observe(&o, strip, (const char *[]){"links.upper.basis={type: full}", "links.fore.basis={type: full}", NULL});
  table_bound("generalized-alpha, full basis: rms balance [%]", o.run.balance_percent_rms, 1e-6,
              "closed books");
}

static void rigid_torques_on_prototype_balance_its_energy(void **state) {
  (void)state;
  balance("Prototype of FLEXROB, pick and place (quintic), rigid torques", prototype, 0.8, NULL, NULL);
  balance("Prototype of FLEXROB, steps of acceleration (bang-bang), rigid torques", prototype, 0.8,
          "motion.upper.profile=bang-bang", "motion.fore.profile=bang-bang");
}

static void falling_spatial_arm_balances_its_energy(void **state) {
  (void)state;
  balance("Falling spatial 3R arm", spatial, 2, NULL, NULL);
}

// The balance of implicit methods falls with the square of the step: it is the method's, not the equations'.
static void balance_of_implicit_method_falls_with_the_square_of_the_step(void **state) {
  (void)state;
  double rms[2];
  for (int i = 0; i < 2; i++) {
    observation o = {0};
    observe(&o, spatial, (const char *[]){i ? "solver.step=0.1 ms" : "solver.step=0.2 ms", NULL});
    rms[i] = o.run.balance_percent_rms;
  }
  table_head("Falling spatial 3R arm: balance at 0.2 ms over balance at 0.1 ms");
  table_row("generalized-alpha", rms[0] / rms[1], 4, 0.1, "second order");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torque_driven_two_link_arm_balances_its_energy),
      cmocka_unit_test(rigid_torques_on_prototype_balance_its_energy),
      cmocka_unit_test(falling_spatial_arm_balances_its_energy),
      cmocka_unit_test(balance_of_implicit_method_falls_with_the_square_of_the_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
