// engine_options.c - options of the implicit methods against closed forms: Newmark's beta and gamma, the
// spectral radius of generalized-alpha; intervals of modal-newmark.
#include "engine_fixture.h"
#include "kind_numbers.h"

#include <complex.h>

// A block of 1 kg on a spring of 100 N/m, let go at 1 m: cos 10 t.
static const char oscillator[] =
    "limber: 1\n"
    "gravity: [0, 0, 0]\n"
    "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 1}}]\n"
    "springs: [{name: s, between: [block.base, base], stiffness: 100, length: 0}]\n"
    "configuration: {block: {position: 1}}\n"
    "solver: {duration: 1 s, step: 10 ms}\n";

enum { LAST = 4 };

static void keep_last(void *user, const lim_snapshot *m) {
  double *x = user;
  for (int i = 0; i + 1 < LAST; i++) x[i] = x[i + 1];
  x[LAST - 1] = m->q[0];
}

static double end_error(const char *newmark, const char *step) {
  double x[LAST] = {0};
  observation o = {.watch = keep_last, .user = x};
  const char *const set[] = {"solver.method=newmark", newmark, step, NULL};
  observe(&o, oscillator, set);
  return fabs(x[LAST - 1] - cos(10.0));
}

static void newmark_converges_with_the_order_of_its_gamma(void **state) {
  (void)state;
  static const struct {
    const char *set;
    double order;
  } ROWS[] = {{"solver.newmark={beta: 0.25, gamma: 0.5}", 2},
              {"solver.newmark={beta: 0.3, gamma: 0.5}", 2},
              {"solver.newmark={beta: 0.3025, gamma: 0.6}", 1},
              {"solver.newmark={beta: 0.5, gamma: 1}", 1}};
  table_head("Newmark: order in the step, from 1 ms to half, on an oscillator");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    double order =
        log2(end_error(ROWS[i].set, "solver.step=1 ms") / end_error(ROWS[i].set, "solver.step=0.5 ms"));
    table_row(ROWS[i].set, order, ROWS[i].order, 2e-2, "1 for gamma > 1/2, else 2");
  }
}

// Root near exp(i w) of (z - 1)^2 ((1 - am) z + am) + w^2 ((1 - af) z + af)(1 - g + g z + (z - 1)(1/2 - b + b
// z)): a solution z^n of the method's step, w = omega h.
static double complex root(double am, double af, double b, double g, double w) {
  double complex z = cexp(I * w);
  for (int k = 0; k < 50; k++) {
    double complex f[2];
    for (int i = 0; i < 2; i++) {
      double complex y = z + 1e-6 * i;
      f[i] = (y - 1) * (y - 1) * ((1 - am) * y + am) +
             w * w * ((1 - af) * y + af) * (1 - g + g * y + (y - 1) * (0.5 - b + b * y));
    }
    z -= f[0] * 1e-6 / (f[1] - f[0]);
  }
  return z;
}

// |z|^2 of a sequence that is the sum of z^n and its conjugate's.
static double measured(const char *const *set) {
  double x[LAST] = {0};
  observation o = {.watch = keep_last, .user = x};
  observe(&o, oscillator, set);
  return sqrt((x[2] * x[2] - x[1] * x[3]) / (x[1] * x[1] - x[0] * x[2]));
}

static void numerical_damping_is_that_of_the_characteristic_polynomial(void **state) {
  (void)state;
  static const double rho[] = {0, 0.5, 0.9, 1};
  char radius[64];
  const char *const set[] = {radius, "solver.step=50 ms", NULL};
  table_head("Shrinking per step at omega h = 0.5");
  for (int i = 0; i < 4; i++) {
    double am = (2 * rho[i] - 1) / (rho[i] + 1), af = rho[i] / (rho[i] + 1), g = 0.5 + af - am;
    snprintf(radius, sizeof radius, "solver.rho_inf=%g", rho[i]);
    table_row(radius, measured(set), cabs(root(am, af, (g + 0.5) * (g + 0.5) / 4, g, 0.5)), 1e-6, "polynomial");
  }
  const char *const newmark[] = {"solver.method=newmark", "solver.newmark={beta: 0.3025, gamma: 0.6}",
                                 "solver.step=50 ms", NULL};
  table_row("newmark, gamma 0.6", measured(newmark), cabs(root(0, 0, 0.3025, 0.6, 0.5)), 1e-6, "polynomial");
}

// --- modal Newmark ---

#define FLEXIBLE                                                                                               \
  ROD "links:\n"                                                                                               \
      "  - {name: upper, beam: {length: 1 m, section: rod, material: aluminium, elements: 4}}\n"               \
      "  - {name: fore, beam: {length: 1 m, section: rod, material: aluminium, elements: 4}}\n"                \
      "motion:\n"                                                                                              \
      "  upper: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}\n"                                  \
      "  fore: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}\n"                                   \
      "solver: {duration: 2.5 s, step: 5 ms, mode: linear}\n"

static void too_few_intervals_are_told_with_the_size_of_the_error(void **state) {
  (void)state;
  observation exact = {0}, frozen = {0};
  lim_error err = {0};
  observe(&exact, FLEXIBLE, NULL);
  assert_int_equal(observe_code(&frozen, FLEXIBLE, (const char *[]){"solver.method=modal-newmark", NULL}, &err),
                   LIM_OK);
  assert_int_equal(err.warnings, 1);
  const char *at = strstr(err.warning[0].text, "by up to ");
  assert_non_null(strstr(err.warning[0].text, "10 intervals"));
  assert_non_null(at);
  table_head("Flexible 2R arm, 10 intervals of frozen modes: error of the largest |dx| [m]");
  table_row("difference to 20 intervals, as warned", atof(at + strlen("by up to ")),
            frozen.error[0] - exact.error[0], 1, "mode linear");
  lim_error_clear(&err);
}

static void sliding_beam_is_refused(void **state) {
  (void)state;
  static const char arm[] = ROD "links:\n"
                                "  - name: boom\n"
                                "    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}\n"
                                "    beam: {length: 1 m, section: rod, material: aluminium, elements: 4}\n"
                                "motion: {boom: {profile: cycloidal, from: 0.5, to: 0.8, duration: 1 s}}\n"
                                "solver: {duration: 0.1 s, step: 1 ms}\n";
  static const char *const SETS[] = {"solver.method=modal-newmark", "solver.mode=conventional"};
  for (int i = 0; i < 2; i++) {
    observation o = {0};
    lim_error err = {0};
    assert_int_equal(observe_code(&o, arm, (const char *[]){SETS[i], NULL}, &err), LIM_BAD_INPUT);
    assert_non_null(strstr(err.note[0].text, "link 'boom' slides through its joint"));
    assert_true(err.note[0].line > 0);
    lim_error_clear(&err);
  }
}

// --- energy of the deviation ---

static double balance_of(const char *mode, const char *step) {
  observation o = {0};
  const char *const set[] = {mode, step, NULL};
  observe(&o, FLEXIBLE, set);
  return o.run.balance_percent_rms;
}

static void energy_of_the_deviation_balances_with_the_square_of_the_step(void **state) {
  (void)state;
  static const char *const MODE[] = {"solver.mode=linear", "solver.mode=conventional"};
  table_head("Flexible 2R arm: order of the energy balance, from 4 ms to half");
  for (int i = 0; i < 2; i++)
    table_row(MODE[i], log2(balance_of(MODE[i], "solver.step=4 ms") / balance_of(MODE[i], "solver.step=2 ms")),
              2, 2e-2, "order of the method");
}

static void keep_books(void *user, const lim_snapshot *m) { *(lim_energy_balance *)user = m->energy_balance; }

static void work_on_the_deviation_is_that_of_the_load(void **state) {
  (void)state;
  static const char arm[] =
      ROD "links: [{name: arm, joint: {type: fixed}, beam: {length: 1 m, section: rod, material: "
          "aluminium, elements: 4}, damping: {ratio: 0.05}, basis: {type: modes, count: 2}}]\n"
          "loads: [{at: tip, force: [0, 2, 0]}]\n"
          "solver: {duration: 70 ms, step: 0.1 ms, mode: linear, stiffening: off}\n";
  lim_energy_balance energy_balance = {0};
  observation o = {.watch = keep_books, .user = &energy_balance};
  observe(&o, arm, NULL);
  table_head("Load that begins to act on a cantilever, mode linear: energies after 70 ms [J]");
  table_row("work", energy_balance.work, 2 * o.error_end[1], 1e-4, "force x path");
  table_row("kinetic + strain + dissipated",
            energy_balance.kinetic + energy_balance.strain + energy_balance.dissipated, energy_balance.work,
            1e-4, "work");
  assert_true(energy_balance.dissipated > 0 && energy_balance.strain > 0);
}

static void what_is_not_audited_has_no_balance(void **state) {
  (void)state;
  static const char *const SETS[] = {"solver.mode=quasi-static", "solver.method=modal-newmark"};
  for (int i = 0; i < 2; i++) assert_true(isnan(balance_of(SETS[i], "solver.step=20 ms")));
}

static void small_motions_are_linear_whatever_the_mode(void **state) {
  (void)state;
  lim_solver s = {.method = LIM_METHOD_modal_newmark, .mode = LIM_MODE_NONLINEAR};
  assert_int_equal(lim_solver_mode(&s), LIM_MODE_LINEAR);
  s.method = LIM_METHOD_finite_difference;
  assert_int_equal(lim_solver_mode(&s), LIM_MODE_LINEAR);
  s.method = LIM_METHOD_newmark;
  assert_int_equal(lim_solver_mode(&s), LIM_MODE_NONLINEAR);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newmark_converges_with_the_order_of_its_gamma),
      cmocka_unit_test(numerical_damping_is_that_of_the_characteristic_polynomial),
      cmocka_unit_test(too_few_intervals_are_told_with_the_size_of_the_error),
      cmocka_unit_test(sliding_beam_is_refused),
      cmocka_unit_test(energy_of_the_deviation_balances_with_the_square_of_the_step),
      cmocka_unit_test(work_on_the_deviation_is_that_of_the_load),
      cmocka_unit_test(what_is_not_audited_has_no_balance),
      cmocka_unit_test(small_motions_are_linear_whatever_the_mode),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
