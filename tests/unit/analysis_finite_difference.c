// analysis_finite_difference.c - tests of the finite-difference method: what it shows, what it refuses.
#include "fixture.h"

#include "analysis/simulation/session.h"
#include "analysis/simulation/simulate.h"

#define LINK(axis, more)                                                                                       \
  "limber: 1\ngravity: [0, 0, 0]\n"                                                                            \
  "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"                                                          \
  "sections: {s: {shape: rectangle, y: 4 mm, z: 4 mm}, t: {shape: rectangle, y: 3 mm, z: 4 mm}}\n"             \
  "links:\n"                                                                                                   \
  "  - name: arm\n"                                                                                            \
  "    joint: {name: hub, axis: " axis "}\n"                                                                   \
  "    beam: {length: 1, section: s, material: m, elements: 10}\n"                                             \
  "    masses: [{name: hub, at: base, inertia: [0.001, 0.001, 0.001]}]\n" more                                 \
  "solver: {method: finite-difference, duration: 0.2, step: 0.2 ms}\n"
#define DRIVE "drives: {hub: {type: effort, effort: {profile: bang-bang, amplitude: 0.1, duration: 0.1}}}\n"

#define NEAR(x, expected, size) assert_true(fabs((x) - (expected)) <= (size))

enum { RECORDS = 2048 };
typedef struct {
  double t[RECORDS], tip[RECORDS][3], velocity[RECORDS][3], hub[RECORDS], effort[RECORDS];
  int count;
} record;

static lim_code keep(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  record *r = user;
  assert_true(r->count < RECORDS);
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  int k = m->system->bodies[0].q;
  r->t[r->count] = m->t;
  memcpy(r->tip[r->count], tip.p, sizeof tip.p);
  memcpy(r->velocity[r->count], tip.v, sizeof tip.v);
  r->hub[r->count] = m->q[k];
  r->effort[r->count++] = m->effort[k];
  return LIM_OK;
}

// A run, with up to four overrides before the first NULL.
static record *run(const char *text, const char *const *set) {
  int count = 0;
  while (set && set[count]) count++;
  record *r = calloc(1, sizeof *r);
  assert_non_null(r);
  lim_model *m = parse_with(text, set, count);
  lim_run out;
  lim_error err = {0};
  lim_code code = lim_simulate(&out, m, NULL, &(lim_simulate_hooks){.record = keep, .user = r}, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_model_free(m);
  return r;
}

static void free_link_keeps_turning(void **state) {
  (void)state;
  static const char *const HUB[] = {"solver.hub=printed", "solver.hub=second-order"};
  for (int i = 0; i < 2; i++) {
    record *r = run(LINK("[0, 0, 1]", "configuration: {hub: {position: 0, velocity: 0.5}}\n"),
                    (const char *[]){HUB[i], NULL});
    for (int k = 0; k < r->count; k++) {
      NEAR(r->tip[k][0], 1, 1e-8);
      NEAR(r->tip[k][1], 0.5 * r->t[k], 1e-9);
      NEAR(r->velocity[k][1], 0.5, 1e-7);
      NEAR(r->hub[k], 0.5 * r->t[k], 1e-9);
    }
    free(r);
  }
}

// The plane of motion and the sense of the axis change signs and places, nothing else.
static void axes_are_alike(void **state) {
  (void)state;
  record *z = run(LINK("[0, 0, 1]", DRIVE), NULL), *back = run(LINK("[0, 0, -1]", DRIVE), NULL),
         *y = run(LINK("[0, 1, 0]", DRIVE), NULL);
  record *turned = run(LINK("[0, 0, 1]", DRIVE "configuration: {hub: 90 deg}\n"), NULL);
  assert_true(fabs(z->tip[z->count - 1][1]) > 1e-3);
  for (int k = 0; k < z->count; k++) {
    NEAR(back->tip[k][1], -z->tip[k][1], 1e-12);
    NEAR(y->tip[k][2], -z->tip[k][1], 1e-12);
    NEAR(turned->tip[k][0], -z->tip[k][1], 1e-12);
    NEAR(back->hub[k], z->hub[k], 1e-12);
    NEAR(turned->hub[k], z->hub[k] + M_PI / 2, 1e-12);
  }
  NEAR(z->effort[100], 0.1, 1e-15);
  NEAR(z->effort[400], -0.1, 1e-15);
  NEAR(z->effort[z->count - 1], 0, 1e-15);
  free(z);
  free(back);
  free(y);
  free(turned);
}

// Records off the grid of steps lie on a parabola between them; they do not change the motion.
static void records_between_steps_are_interpolated(void **state) {
  (void)state;
  record *on = run(LINK("[0, 0, 1]", DRIVE), (const char *[]){"outputs.every=0.2 ms", NULL}),
         *off = run(LINK("[0, 0, 1]", DRIVE), (const char *[]){"outputs.every=0.15 ms", NULL});
  int common = 0;
  for (int k = 0, j = 0; k < off->count; k++) {
    while (j + 1 < on->count && on->t[j + 1] <= off->t[k] + 1e-9) j++;
    double p = off->t[k] - on->t[j], expected = on->tip[j][1] + p * on->velocity[j][1];
    NEAR(off->tip[k][1], expected, 2e-6);
    if (fabs(p) > 1e-9) continue;
    NEAR(off->tip[k][1], on->tip[j][1], 1e-12);
    common++;
  }
  assert_true(common > 300);
  free(on);
  free(off);
}

// Where the torque jumps between two steps it counts for as long as it acts.
static void jump_between_steps_counts_in_full(void **state) {
  (void)state;
  const char *effort = "drives.hub.effort={profile: bang-bang, amplitude: 0.1, duration: 0.10007}";
  record *coarse = run(LINK("[0, 0, 1]", DRIVE), (const char *[]){effort, "outputs.every=1 ms", NULL}),
         *fine = run(LINK("[0, 0, 1]", DRIVE),
                     (const char *[]){effort, "outputs.every=1 ms", "solver.step=5 us", NULL});
  for (int k = 0; k < coarse->count; k++)
    NEAR(coarse->tip[k][1], fine->tip[k][1], 2e-3 * fine->tip[fine->count - 1][1]);
  free(coarse);
  free(fine);
}

static void effort_rigid_turns_the_link_as_commanded(void **state) {
  (void)state;
  record *r = run(LINK("[0, 0, 1]", "drives: {hub: {type: effort, effort: rigid}}\n"
                                    "motion: {hub: {profile: quintic, to: 0.1, duration: 0.15}}\n"),
                  (const char *[]){"links.arm.damping={strain_rate: 1}", "solver.duration=0.8",
                                   "outputs.every=1 ms", NULL});
  NEAR(r->tip[r->count - 1][1], 0.1, 1e-3);
  free(r);
}

// --- what it refuses ---

static void refused(const char *text, const char *set, lim_code expected, const char *message) {
  lim_model *m = parse_with(text, &set, set ? 1 : 0);
  lim_error err = {0};
  lim_run out;
  lim_code code = lim_simulate(&out, m, NULL, &(lim_simulate_hooks){.record = NULL}, &err);
  print_notes(&err);
  assert_int_equal(code, expected);
  assert_int_equal(err.kept, 1);
  assert_non_null(strstr(err.note[0].text, message));
  if (expected == LIM_BAD_INPUT) assert_true(err.note[0].line > 0 || set);
  lim_error_clear(&err);
  lim_model_free(m);
}

static void models_it_cannot_treat_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *set, *message;
  } ROWS[] = {
      {"gravity=[0, -9.81, 0]", "gravity in the plane"},
      {"links.arm.joint.axis=[0, 1, 1]", "along y or z"},
      {"links.arm.joint.axis=[1, 0, 0]", "along y or z"},
      {"links.arm.joint.type=prismatic", "revolute joint"},
      {"links.arm.beam.elements=2", "at least 3 elements"},
      {"links.arm.beam.segments=2", "one segment"},
      {"links.arm.beam.section={from: s, to: t}", "uniform section"},
      {"links.arm.basis={type: modes, count: 2}", "full basis"},
      {"links.arm.damping={ratio: 0.01}", "strain_rate only"},
      {"damping={ratio: 0.01}", "strain_rate only"},
      {"links.arm.masses=[{at: 0.5, mass: 1}]", "base and tip only"},
      {"links.arm.masses=[{at: tip, mass: 1, inertia: [0, 0, 1]}]", "without inertia or offset"},
      {"links.arm.masses=[{at: tip, mass: 1, xyz: [0.1, 0, 0]}]", "without inertia or offset"},
      {"drives.hub={type: servo, stiffness: 10}", "type effort"},
      {"drives.hub={type: prescribed}", "type effort"},
      {"drives.hub.friction={viscous: 1}", "no friction"},
      {"loads=[{at: tip, force: [0, 1, 0]}]", "no loads"},
      {"springs=[{name: s, between: [arm.tip, base], stiffness: 1}]", "no springs"},
      {"bushings=[{name: b, between: [arm.tip, base], stiffness: [1, 1, 1, 1, 1, 1]}]", "no bushings"},
      {"materials.m.rho=0", "beam with mass"},
      {"solver.mode=rigid", "mode linear"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    refused(LINK("[0, 0, 1]", DRIVE), ROWS[i].set, LIM_BAD_INPUT, ROWS[i].message);
  refused(LINK("[0, 0, 1]", "  - {name: more, body: {mass: 1, inertia: [1, 1, 1]}}\n"), NULL, LIM_BAD_INPUT,
          "treats one link");
  refused(LINK("[0, 0, 1]", "motion: {hub: {profile: quintic, to: 1, duration: 0.1}}\n"), NULL, LIM_BAD_INPUT,
          "not a prescribed motion");
}

static void gravity_along_the_axis_does_nothing(void **state) {
  (void)state;
  record *without = run(LINK("[0, 0, 1]", DRIVE), NULL),
         *with = run(LINK("[0, 0, 1]", DRIVE), (const char *[]){"gravity=[0, 0, -9.81]", NULL});
  for (int k = 0; k < with->count; k++) assert_true(with->tip[k][1] == without->tip[k][1]);
  free(with);
  free(without);
}

// The step that the message names is taken.
static void step_too_large_names_one_that_works(void **state) {
  (void)state;
  lim_model *m = parse_with(LINK("[0, 0, 1]", DRIVE), (const char *[]){"solver.step=2 ms"}, 1);
  lim_error err = {0};
  lim_run out;
  assert_int_equal(lim_simulate(&out, m, NULL, &(lim_simulate_hooks){.record = NULL}, &err), LIM_FAILED);
  assert_int_equal(err.kept, 1);
  const char *number = strstr(err.note[0].text, "stable up to ");
  assert_non_null(number);
  double h = strtod(number + strlen("stable up to "), NULL);
  lim_error_clear(&err);
  lim_model_free(m);
  char set[64];
  snprintf(set, sizeof set, "solver.step=%.17g", h);
  free(run(LINK("[0, 0, 1]", DRIVE), (const char *[]){set, NULL}));
  snprintf(set, sizeof set, "solver.step=%.17g", 1.001 * h);
  refused(LINK("[0, 0, 1]", DRIVE), set, LIM_FAILED, "stable up to");
}

static void stepping_by_a_program_is_refused(void **state) {
  (void)state;
  lim_model *m = parse(LINK("[0, 0, 1]", DRIVE));
  lim_sim *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_sim_new(&s, m, NULL, &err), LIM_BAD_INPUT);
  assert_null(s);
  assert_non_null(strstr(err.note[0].text, "not with finite-difference"));
  lim_error_clear(&err);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_link_keeps_turning),
      cmocka_unit_test(axes_are_alike),
      cmocka_unit_test(records_between_steps_are_interpolated),
      cmocka_unit_test(jump_between_steps_counts_in_full),
      cmocka_unit_test(effort_rigid_turns_the_link_as_commanded),
      cmocka_unit_test(models_it_cannot_treat_are_refused),
      cmocka_unit_test(gravity_along_the_axis_does_nothing),
      cmocka_unit_test(step_too_large_names_one_that_works),
      cmocka_unit_test(stepping_by_a_program_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
