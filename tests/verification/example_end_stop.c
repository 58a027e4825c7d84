// example_end_stop.c - models/end-stop.yaml, docs/examples/end-stop.md: the rigid link against the damped
// oscillator, a flexible link without mass against a rotor and a mass on a spring, the energy of the impact.
#include "example_fixture.h"

#define END_STOP "models/end-stop.yaml"
static const double K = 40e3, C = 60, V = 2, WAY = 20 * M_PI / 180, ROTOR = 0.1, PAYLOAD = 2, E = 70e9,
                    RHO = 2700;

static double tube_area(void) { return M_PI / 4 * (0.04 * 0.04 - 0.036 * 0.036); }
static double tube_moment(void) { return M_PI / 64 * (pow(0.04, 4) - pow(0.036, 4)); }

// --- the rigid link ---

static void rigid_link_is_a_damped_oscillator(void **state) {
  (void)state;
  const double J = ROTOR + PAYLOAD + RHO * (tube_area() / 3 + tube_moment()), zeta = C / (2 * sqrt(K * J)),
               w = sqrt(K / J), wd = w * sqrt(1 - zeta * zeta), phase = M_PI - 2 * asin(zeta),
               part = exp(-zeta * phase / sqrt(1 - zeta * zeta)),
               depth = V / w * exp(-zeta * w * acos(zeta) / wd);
  recorded r = record_run(example(END_STOP), (const char *[]){"solver.mode=rigid", "solver.method=rk4",
                                                              "outputs.every=0.1 ms", NULL});
  const double leaves = WAY / V + phase / wd, at_the_end = 60 * M_PI / 180 +
                                                           V / wd * exp(-zeta * w * phase / wd) * sin(phase) -
                                                           V * part * (r.t[r.count - 1] - leaves);
  table_head("Rigid link on its end stop");
  table_row("speed afterwards [rad/s]", recorded_channel(&r, "shoulder.velocity")[r.count - 1], -V * part, 1e-6,
            "oscillator");
  table_row("angle at the end, by the time of the rebound [rad]",
            recorded_channel(&r, "shoulder.position")[r.count - 1], at_the_end, 1e-6, "oscillator");
  table_row("pressed in by, as recorded [rad]", example_largest(&r, "shoulder.position") - 60 * M_PI / 180,
            depth, 1e-4, "oscillator");
  table_row("lost in the stop [J]", recorded_channel(&r, "energy.dissipated")[r.count - 1],
            J * V * V / 2 * (1 - part * part), 1e-6, "oscillator");
  recorded_free(&r);
}

// --- the flexible link ---

static void energy_of_the_impact_balances(void **state) {
  (void)state;
  recorded r = record_run(example(END_STOP), (const char *[]){"links.arm.damping.ratio=0", NULL});
  const double *kinetic = recorded_channel(&r, "energy.kinetic"),
               *strain = recorded_channel(&r, "energy.strain"),
               *lost = recorded_channel(&r, "energy.dissipated"), *stop = recorded_channel(&r, "shoulder.stop");
  const int end = r.count - 1;
  double pull = 0;
  for (int i = 0; i <= end; i++) pull = fmax(pull, stop[i]);
  table_head("Flexible link without damping on its end stop, 0.1 ms");
  table_row("kept and lost [J]", kinetic[end] + strain[end] + lost[end], kinetic[0], 2e-4, "energy before");
  table_bound("the stop pulls by [N m]", pull, 0, "it never does");
  recorded_free(&r);
}

// J q'' = T + s L w, m (L q'' + w'') = -s w with s = 3 EI/L^3, T = -max(0, K d + C d').
static void rates(double out[4], const double x[4], double *torque) {
  const double s = 3 * E * tube_moment(), d = x[0];
  *torque = d > 0 ? fmax(0, K * d + C * x[2]) : 0;
  out[0] = x[2];
  out[1] = x[3];
  out[2] = (-*torque + s * x[1]) / ROTOR;
  out[3] = -s * x[1] / PAYLOAD - out[2];
}

// Angle beyond the stop and deflection of the tip, by many steps of Runge and Kutta's, from the hit on.
static double masses_on_springs(double *bends, double duration) {
  enum { STEPS = 400000 };
  const double h = duration / STEPS;
  double x[4] = {0, 0, V, 0}, largest = 0;
  *bends = 0;
  for (int i = 0; i < STEPS; i++) {
    double k[4][4], y[4], torque;
    rates(k[0], x, &torque);
    largest = fmax(largest, torque);
    *bends = fmax(*bends, fabs(x[1]));
    for (int j = 1; j < 4; j++) {
      for (int n = 0; n < 4; n++) y[n] = x[n] + (j < 3 ? h / 2 : h) * k[j - 1][n];
      rates(k[j], y, &torque);
    }
    for (int n = 0; n < 4; n++) x[n] += h / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
  }
  return largest;
}

// The tube next to without mass. What bends far shortens, and turns: parts of a per cent.
static void link_without_mass_is_a_spring_between_rotor_and_payload(void **state) {
  (void)state;
  double bends;
  const double torque = masses_on_springs(&bends, 0.1);
  recorded r = record_run(example(END_STOP),
                          (const char *[]){"links.arm.damping.ratio=0", "materials.aluminium.rho=0.1",
                                           "links.arm.beam.element=euler-bernoulli", "solver.duration=0.27",
                                           "solver.step=0.02 ms", "outputs.every=0.1 ms", NULL});
  table_head("Flexible link next to without mass on its end stop");
  table_row("largest torque of the stop [N m]", example_largest(&r, "shoulder.stop"), torque, 5e-3,
            "two masses and a spring");
  table_row("tip bends by [m]", example_largest(&r, "arm.deflection.y"), bends, 5e-3,
            "two masses and a spring");
  recorded_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_link_is_a_damped_oscillator),
      cmocka_unit_test(energy_of_the_impact_balances),
      cmocka_unit_test(link_without_mass_is_a_spring_between_rotor_and_payload),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
