// program_grip.c - parts gripped and let go: momentum, energy and what is felt, against closed forms.
#include "verification/program_fixture.h"

#include "analysis/simulation/simulate.h"

typedef struct {
  int body;        // whose joint is looked at
  double at[3];    // moments [s]
  double speed[3]; // of the joint there
  double effort[3];
  double momentum[3]; // angular, about z
  lim_energy_balance energy_balance[3];
  double balance, peak; // largest error of the books; of kinetic and strain energy
} watcher;

static lim_code watch(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  watcher *w = user;
  const int q = m->system->bodies[w->body].q;
  for (int i = 0; i < 3; i++) {
    if (m->t > w->at[i] + 1e-9) continue;
    w->speed[i] = m->v[q];
    w->effort[i] = m->effort[q];
    w->momentum[i] = lim_snapshot_momentum(m).angular[2];
    w->energy_balance[i] = m->energy_balance;
  }
  w->balance = fmax(w->balance, fabs(m->energy_balance.balance));
  w->peak = fmax(w->peak, m->energy_balance.kinetic + m->energy_balance.strain);
  return LIM_OK;
}

static lim_run run_plan(watcher *w, const char *model, const char *program) {
  lim_error err = {0};
  lim_model *m;
  lim_run run;
  lim_code code = plan_text(&m, model, program, &err);
  if (code == LIM_OK)
    code = lim_simulate(&run, m, NULL, &(lim_simulate_hooks){.record = watch, .user = w}, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_model_free(m);
  return run;
}

// A rotor that turns freely; the program has another link to move.
#define ROTOR(method)                                                                                          \
  "limber: 1\ngravity: [0, 0, 0]\nlinks:\n"                                                                    \
  "  - {name: rotor, body: {mass: 1, inertia: [0, 0, 0.2], tip: [0.4, 0, 0]}}\n"                               \
  "  - {name: other, parent: base, body: {mass: 1}}\n"                                                         \
  "configuration: {rotor: {position: 0, velocity: 3}}\n"                                                       \
  "drives: {rotor: {type: effort, effort: 0}, other: {type: prescribed}}\n"                                    \
  "solver: {step: 1 ms, method: " method "}\n"

static void rotor_picks_a_part_and_keeps_its_momentum(void **state) {
  (void)state;
  static const char *const method[] = {ROTOR("generalized-alpha"), ROTOR("rk4"), ROTOR("cvode"),
                                       ROTOR("newmark")};
  const double J = 0.2, m = 0.5, Jp = m * 0.4 * 0.4 + 0.01, w = 3, after = J * w / (J + Jp);
  for (int i = 0; i < 4; i++) {
    watcher x = {.body = 0, .at = {0.25, 0.4, 0.9}};
    run_plan(&x, method[i],
             "wait(0.3)\ngrip{mass = 0.5, inertia = {0, 0, 0.01}, frame = "
             "'rotor.tip'}\nwait(0.3)\nrelease()\nwait(0.3)\n");
    table_head(method[i] + strlen(method[i]) - 30);
    table_row("speed before [rad/s]", x.speed[0], w, 1e-9, "");
    table_row("speed after the grip [rad/s]", x.speed[1], after, 1e-9, "momentum is kept");
    table_row("momentum with the part [kg m^2/s]", x.momentum[1], J * w, 1e-9, "that of before");
    table_row("momentum without it [kg m^2/s]", x.momentum[2], J * after, 1e-9, "");
    table_row("lost in the impact [J]", x.energy_balance[1].dissipated, J * w * w / 2 * Jp / (J + Jp), 1e-8,
              "plastic impact");
    table_row("kinetic energy with the part [J]", x.energy_balance[1].kinetic, (J + Jp) * after * after / 2,
              1e-8, "");
    table_row("speed after the release [rad/s]", x.speed[2], after, 1e-9, "it leaves with its speed");
    table_row("taken away by the part [J]", -x.energy_balance[2].work, Jp * after * after / 2, 1e-8, "");
    table_bound("error of the books [J]", x.balance, 1e-9, "");
  }
}

// An arm that holds a weight: the drive feels it.
static void held_part_is_felt_by_the_drive(void **state) {
  (void)state;
  const char *arm =
      "limber: 1\ngravity: [0, -9.81, 0]\nplanar: xy\nlinks:\n"
      "  - {name: arm, body: {mass: 2, com: [0.3, 0, 0], inertia: [0, 0, 0.05], tip: [0.6, 0, 0]}}\n"
      "solver: {step: 1 ms}\n";
  watcher x = {.body = 0, .at = {0.05, 0.15, 0.25}};
  run_plan(&x, arm, "wait(0.1)\ngrip{mass = 0.7, xyz = {0.1, 0, 0}}\nwait(0.1)\nrelease('part')\nwait(0.1)\n");
  table_head("torque that holds an arm level");
  table_row("alone [N m]", x.effort[0], 2 * 9.81 * 0.3, 1e-9, "");
  table_row("with the part [N m]", x.effort[1], 9.81 * (2 * 0.3 + 0.7 * 0.7), 1e-9, "");
  table_row("alone again [N m]", x.effort[2], 2 * 9.81 * 0.3, 1e-9, "");
  table_bound("error of the books [J]", x.balance, 1e-12, "");
}

#define FLEXIBLE(mass)                                                                                         \
  "limber: 1\ngravity: [0, -9.81, 0]\nplanar: xy\n"                                                            \
  "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"                                                 \
  "sections: {bar: {shape: rectangle, y: 8 mm, z: 20 mm}}\n"                                                   \
  "links:\n"                                                                                                   \
  "  - name: upper\n"                                                                                          \
  "    beam: {length: 0.5, section: bar, material: aluminium, elements: 4}\n"                                  \
  "    basis: {type: modes, count: 2}\n"                                                                       \
  "  - name: fore\n"                                                                                           \
  "    beam: {length: 0.4, section: bar, material: aluminium, elements: 4}\n"                                  \
  "    basis: {type: modes, count: 2}\n"                                                                       \
  "    masses: [{name: load, at: tip, " mass "}]\n"                                                            \
  "solver: {step: 0.5 ms, method: cvode, tolerance: 1e-10}\n"

// Gripped before the start, or part of the model: the same.
static void part_from_the_start_is_a_mass_of_the_link(void **state) {
  (void)state;
  const char *move = "movej{upper = 0.5, fore = 0.4} wait(0.2)\n";
  char grip[200];
  watcher a = {.body = 0, .at = {0.2, 0.5, 0.6}}, b = a;
  snprintf(grip, sizeof grip, "grip{mass = 0.5, inertia = {0, 0, 1e-4}}\n%s", move);
  run_plan(&a, FLEXIBLE("mass: 0"), grip);
  run_plan(&b, FLEXIBLE("mass: 0.5, inertia: [0, 0, 1e-4]"), move);
  table_head("flexible arm, effort of the shoulder: a part held from the start, and a mass");
  for (int i = 0; i < 3; i++) table_row("effort [N m]", a.effort[i], b.effort[i], 1e-7, "");
}

// Lifted, let go: the books of a flexible arm stay closed.
static void books_of_a_flexible_arm_stay_closed(void **state) {
  (void)state;
  watcher x = {.body = 0, .at = {0.1, 0.5, 1}};
  const lim_run run = run_plan(&x, FLEXIBLE("mass: 0"),
                               "speed{joint = 2} accel{joint = 10}\n"
                               "movej{upper = 0.5, fore = 0.4}\n" // it still swings when it grips
                               "grip{mass = 0.5, inertia = {0, 0, 1e-4}}\n"
                               "movej{upper = 1} release() movej{upper = 0.4}\n");
  table_head("books of a flexible arm that lifts a part");
  table_bound("error of the books over the peak of the energy", x.balance / x.peak, 1e-6, "");
  table_bound("the same, rms [%]", run.balance_percent_rms, 1e-4, "");
  assert_true(x.energy_balance[2].dissipated > 0); // the grip costs something
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotor_picks_a_part_and_keeps_its_momentum),
      cmocka_unit_test(held_part_is_felt_by_the_drive),
      cmocka_unit_test(part_from_the_start_is_a_mass_of_the_link),
      cmocka_unit_test(books_of_a_flexible_arm_stay_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
