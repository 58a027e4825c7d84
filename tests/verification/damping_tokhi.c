// damping_tokhi.c - strain-rate damping on the aluminium manipulator of Tokhi 1995: damping ratios and
// frequencies of modes 1 to 3 of the continuous problem, EI y'''' + rho A y.. - D y''. = 0, as recomputed; the
// books; and that the end point does not depend on D.
#include "analysis/vibration/modes.h"

#include "motor_fixture.h"

#define LINK(inertia, mass, more)                                                                              \
  "limber: 1\nplanar: xy\ngravity: [0, 0, 0]\nmaterials: {al: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"             \
  "sections: {strip: {shape: rectangle, y: 3.2004 mm, z: 19.008 mm}}\n"                                        \
  "links:\n  - name: arm\n    beam: {length: 0.96, section: strip, material: al, elements: 20, element: "      \
  "euler-bernoulli}\n    masses: [{at: base, mass: 0, inertia: [0, 0, " inertia "]}, {at: tip, mass: " mass    \
  "}]\n" more

static void ratios_and_frequencies_are_those_of_the_continuous_problem(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    double hertz[3], ratio[3];
  } CASE[] = {
      {"no load",
       LINK("0", "0", "    damping: {strain_rate: 0.024}\n"),
       {12.591, 40.804, 85.134},
       {.01149, .01321, .01388}},
      {"hub",
       LINK("5.86e-4", "0", "    damping: {strain_rate: 0.024}\n"),
       {11.853, 32.238, 58.491},
       {.01054, .00882, .00896}},
      {"hub, 10 g",
       LINK("5.86e-4", "10 g", "    damping: {strain_rate: 0.024}\n"),
       {10.826, 30.366, 55.052},
       {.01090, .00946, .00906}},
      {"no load, D = 0.148",
       LINK("0", "0", "damping: {strain_rate: 0.148}\n"),
       {0},
       {.01149 * 6.1667, .01321 * 6.1667, .01388 * 6.1667}},
  };
  table_head("Strain-rate damping: frequency [Hz], damping ratio");
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
    lim_error err = {0};
    lim_modes *r = NULL;
    lim_model *m = parse(CASE[i].text);
    if (lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 3, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
    for (int k = 0; k < 3; k++) {
      char what[64];
      snprintf(what, sizeof what, "%s, mode %d", CASE[i].name, k + 1);
      if (CASE[i].hertz[k] > 0) table_row(what, r->modes.item[k].frequency, CASE[i].hertz[k], 5e-4, "exact");
      table_row(what, r->modes.item[k].damping, CASE[i].ratio[k], 3e-2, "Tokhi 1995, continuous");
    }
    lim_modes_free(r);
    lim_model_free(m);
  }
}

#define PUSH                                                                                                   \
  "    basis: {type: modes, count: 3}\ndrives: {arm: {type: effort, effort: {profile: bang-bang, "             \
  "amplitude: 0.1, duration: 0.6}}}\nsolver: {duration: 6 s, step: 0.1 ms, method: rk4}\n"                     \
  "outputs: {every: 10 ms}\n"

typedef struct {
  double angle;
} last;

static void keep(void *user, const lim_snapshot *m) { ((last *)user)->angle = m->q[0]; }

static void end_point_does_not_depend_on_damping_and_books_close(void **state) {
  (void)state;
  last weak, strong;
  table_head("Bang-bang torque, rest after 6 s");
  lim_run run =
      run_text(LINK("5.86e-4", "10 g", "    damping: {strain_rate: 0.148}\n" PUSH), NULL, keep, &strong);
  table_bound("energy balance [% rms], D = 0.148", run.balance_percent_rms, 1e-6, "closed books");
  run_text(LINK("5.86e-4", "10 g", "    damping: {strain_rate: 0.074}\n" PUSH), NULL, keep, &weak);
  table_row("joint at rest [rad], D halved", weak.angle, strong.angle, 1e-4, "the other D");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ratios_and_frequencies_are_those_of_the_continuous_problem),
      cmocka_unit_test(end_point_does_not_depend_on_damping_and_books_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
