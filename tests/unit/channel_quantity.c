// channel_quantity.c - quantities of a snapshot against closed forms: sections, gauges, frames, joints, links,
// energies.
#include "channel_fixture.h"

#include "channel/quantity.h"
#include "math/rotation_vector.h"

// --- sections and gauges ---

static const double PX = 30, PY = 2, PZ = -3, TX = 0.4; // [N] [N m]

// Timoshenko's cantilever under a force and a torque at its tip.
static void tip_load(double u[6], double x) {
  double bend = L * x * x / 2 - x * x * x / 6, turn = L * x - x * x / 2;
  u[0] = PX * x / (E * A);
  u[1] = PY * (bend / (E * IZ) + x / SHEAR_Y);
  u[2] = PZ * (bend / (E * IY) + x / SHEAR_Z);
  u[3] = TX * x / (G * J);
  u[4] = -PZ * turn / (E * IY);
  u[5] = PY * turn / (E * IZ);
}

#define GAUGES                                                                                                 \
  "    gauges: [{name: up, at: 0.3, face: +y}, {name: down, at: 0.3, face: -y},\n"                             \
  "      {name: side, at: 0.3, face: +z}, {name: back, at: 0.3, face: -z}]\n"
#define STILL(element)                                                                                         \
  HEAD("[0, 0, 0]")                                                                                            \
  "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n"                                                 \
  "    beam: {length: 500 mm, section: s, material: m, elements: 3, element: " element "}\n" GAUGES            \
  "outputs: {channels: [arm.section.0.4, arm.section.0, arm.section.1.force.y, arm.up, arm.down.strain,\n"     \
  "  arm.side.strain, arm.back.strain, arm.deflection]}\n"

// Without the deflection of shear.
static void tip_load_shear_rigid(double u[6], double x) {
  tip_load(u, x);
  u[1] -= PY * x / SHEAR_Y;
  u[2] -= PZ * x / SHEAR_Z;
}

static void check_tip_load(const char *text, void (*shape)(double u[6], double x)) {
  probe p;
  start(&p, text);
  arm_bend(&p.arm, 0, shape);
  evaluate(&p, 0);
  double rest = 0.6 * L, arm_length = 0.7 * L; // beyond the section and beyond the gauges
  NEAR(get(&p, "arm.section.0.4.force.x"), PX, 1e-9);
  NEAR(get(&p, "arm.section.0.4.force.y"), PY, 1e-9);
  NEAR(get(&p, "arm.section.0.4.force.z"), PZ, 1e-9);
  NEAR(get(&p, "arm.section.0.4.moment.x"), TX, 1e-9);
  NEAR(get(&p, "arm.section.0.4.moment.y"), -PZ * rest, 1e-9);
  NEAR(get(&p, "arm.section.0.4.moment.z"), PY * rest, 1e-9);
  NEAR(get(&p, "arm.section.0.moment.z"), PY * L, 1e-9);
  NEAR(get(&p, "arm.section.1.force.y"), PY, 1e-9);
  double axial = PX / (E * A), y = PY * arm_length * SIZE_Y / 2 / (E * IZ),
         z = -PZ * arm_length * SIZE_Z / 2 / (E * IY);
  NEAR(get(&p, "arm.up.strain"), axial - y, 1e-9);
  NEAR(get(&p, "arm.up.stress"), E * (axial - y), 1e-9);
  NEAR(get(&p, "arm.down.strain"), axial + y, 1e-9);
  NEAR(get(&p, "arm.side.strain"), axial + z, 1e-9);
  NEAR(get(&p, "arm.back.strain"), axial - z, 1e-9);
  double u[6];
  shape(u, L);
  NEAR(get(&p, "arm.deflection.x"), u[0], 1e-12);
  NEAR(get(&p, "arm.deflection.y"), u[1], 1e-12);
  NEAR(get(&p, "arm.deflection.z"), u[2], 1e-12);
  end(&p);
}

static void cantilever_tip_force_gives_section_forces_and_strains(void **state) {
  (void)state;
  check_tip_load(STILL("timoshenko-cubic"), tip_load);
  check_tip_load(STILL("euler-bernoulli"), tip_load_shear_rigid); // its shear force is not in its strains
}

static const double WEIGHT = 2000 * 2e-4 * 9.81; // rho A g [N/m]

// Under its own weight along -y.
static void own_weight(double u[6], double x) {
  memset(u, 0, 6 * sizeof *u);
  u[1] = -WEIGHT * (x * x * (6 * L * L - 4 * L * x + x * x) / (24 * E * IZ) + (L * x - x * x / 2) / SHEAR_Y);
  u[5] = -WEIGHT * x * (3 * L * L - 3 * L * x + x * x) / (6 * E * IZ);
}

#define SECTIONS                                                                                               \
  "outputs: {channels: [arm.section.0, arm.section.0.2, arm.section.0.5, arm.section.0.9, arm.top.strain]}\n"
#define TOP "    gauges: [{name: top, at: 0.2, face: +y}]\n"

static void check_own_weight(probe *p) {
  evaluate(p, 0);
  const double place[] = {0, 0.2, 0.5, 0.9};
  for (int i = 0; i < 4; i++) {
    char name[64];
    double beyond = L * (1 - place[i]);
    snprintf(name, sizeof name, "arm.section.%g.force.y", place[i]);
    NEAR(get(p, name), -WEIGHT * beyond, 1e-6); // rotary inertia's part of the nodal forces is left out above
    snprintf(name, sizeof name, "arm.section.%g.moment.z", place[i]);
    NEAR(get(p, name), -WEIGHT * beyond * beyond / 2, 1e-6);
  }
  double M = -WEIGHT * 0.8 * L * 0.8 * L / 2;
  NEAR(get(p, "arm.top.strain"), -M * SIZE_Y / 2 / (E * IZ), 1e-6);
  NEAR(get(p, "arm.section.0.5.force.x"), 0, 1e-9);
  NEAR(get(p, "arm.section.0.5.force.z"), 0, 1e-9);
}

static void cantilever_own_weight_is_exact_between_nodes(void **state) {
  (void)state;
  probe p;
  start(&p, HEAD("[0, -9.81, 0]") "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    " BEAM
                                  "\n" TOP SECTIONS);
  arm_bend(&p.arm, 0, own_weight);
  check_own_weight(&p);
  end(&p);
}

// Pushed up with g instead of hanging in it.
static void cantilever_accelerated_bends_as_under_weight(void **state) {
  (void)state;
  probe p;
  start(&p, HEAD("[0, 0, 0]") "links:\n  - name: arm\n    joint: {type: prismatic, axis: [0, 1, 0]}\n    " BEAM
                              "\n" TOP SECTIONS);
  arm_bend(&p.arm, 0, own_weight);
  p.arm.a[p.arm.s->bodies[0].q] = 9.81;
  check_own_weight(&p);
  end(&p);
}

// Out of the model's plane nothing bends, whatever gravity does there.
static void planar_arm_has_no_forces_out_of_its_plane(void **state) {
  (void)state;
  probe p;
  start(&p, HEAD("[0, 0, -9.81]") "planar: xy\nlinks:\n  - name: arm\n    " BEAM
                                  "\n    gauges: [{name: side, at: 0.4, face: +z}]\n"
                                  "outputs: {channels: [arm.section.0.4, arm.side.strain]}\n");
  evaluate(&p, 0);
  for (int i = 0; i < p.c->count; i++) NEAR(p.value[i], 0, 1e-15);
  end(&p);
}

static void rigid_mode_has_no_strain_and_unknown_section_forces(void **state) {
  (void)state;
  probe p;
  start(&p, HEAD("[0, 0, -9.81]") "solver: {mode: rigid}\nlinks:\n  - name: arm\n    " BEAM
                                  "\n    gauges: [{name: side, at: 0.4}]\n"
                                  "outputs: {channels: [arm.section.0.4, arm.side.strain, arm.deflection]}\n");
  evaluate(&p, 0);
  assert_true(get(&p, "arm.side.strain") == 0);
  assert_true(get(&p, "arm.deflection.y") == 0);
  assert_true(isnan(get(&p, "arm.section.0.4.moment.z")));
  end(&p);
}

// --- the converter of a gauge ---

static double bent_by; // of the bent shape below; set by the test that uses it

static void scaled(double u[6], double x) {
  tip_load(u, x);
  for (int i = 0; i < 6; i++) u[i] *= bent_by;
}

#define CONVERTER(more)                                                                                        \
  HEAD("[0, 0, 0]")                                                                                            \
  "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    " BEAM "\n"                                   \
  "    gauges: [{name: read, at: 0.3, " more "}, {name: true, at: 0.3}]\n"                                     \
  "outputs: {channels: [arm.read, arm.true]}\n"

static void read_at(probe *p, double t, double size) {
  bent_by = size;
  arm_bend(&p->arm, 0, scaled);
  evaluate(p, t);
}

static void gauge_rate_samples_and_holds(void **state) {
  (void)state;
  probe p;
  start(&p, CONVERTER("rate: 10 Hz"));
  read_at(&p, 0, 1);
  double one = get(&p, "arm.true.strain");
  NEAR(get(&p, "arm.read.strain"), one, 1e-15);
  read_at(&p, 0.06, 2);
  NEAR(get(&p, "arm.read.strain"), one, 1e-15); // still that of t = 0
  read_at(&p, 0.12, 4);                         // sampled at 0.1, two thirds of the way
  NEAR(get(&p, "arm.read.strain"), one * (2 + 2 * 2.0 / 3), 1e-12);
  read_at(&p, 0.3, 1); // on an instant, up to rounding
  NEAR(get(&p, "arm.read.strain"), one, 1e-12);
  NEAR(get(&p, "arm.read.stress"), one * E, 1e-12);
  end(&p);
}

static void gauge_bits_round_to_steps_and_clip(void **state) {
  (void)state;
  probe p;
  start(&p, CONVERTER("bits: 12"));
  double step = 2 * LIM_GAUGE_RANGE / 4096;
  for (int i = 0; i < 5; i++) {
    read_at(&p, i, 0.3 * i);
    double x = get(&p, "arm.read.strain"), exact = get(&p, "arm.true.strain");
    assert_true(fabs(x - exact) <= step / 2 * (1 + 1e-12));
    NEAR(x / step - round(x / step), 0, 1e-9);
  }
  read_at(&p, 5, 1e4);
  double low = get(&p, "arm.read.strain");
  NEAR(low, -LIM_GAUGE_RANGE, 1e-12);
  read_at(&p, 6, -1e4);
  NEAR(get(&p, "arm.read.strain"), LIM_GAUGE_RANGE - step, 1e-12);
  end(&p);
}

// --- frames, joints, links ---

#define TURNING                                                                                                \
  HEAD("[0, 0, 0]")                                                                                            \
  "links:\n  - name: arm\n    joint: {name: hub}\n    body: {mass: 2, com: [0.2, 0, 0], tip: [0.5, 0, 0]}\n"   \
  "frames: [{name: tool, on: arm, at: tip, xyz: [0, 0.1, 0]}]\n"

static void frames_and_joints_of_a_turning_link(void **state) {
  (void)state;
  probe p;
  start(&p, TURNING
        "outputs: {channels: [tip.position, arm.tip.velocity, tip.acceleration, tip.rotation, tip.error,\n"
        "  tool.position, arm.tool.position.x, hub.position, hub.velocity, hub.acceleration,\n"
        "  hub.effort, hub.reference]}\n");
  double q = 2, w = 3, alpha = -4, r = 1.9;
  p.arm.q[0] = q, p.arm.v[0] = w, p.arm.a[0] = alpha, p.arm.rq[0] = r, p.arm.effort[0] = 7;
  evaluate(&p, 0);
  NEAR(get(&p, "tip.position.x"), L * cos(q), 1e-14);
  NEAR(get(&p, "tip.position.y"), L * sin(q), 1e-14);
  NEAR(get(&p, "arm.tip.velocity.x"), -L * w * sin(q), 1e-14);
  NEAR(get(&p, "arm.tip.velocity.y"), L * w * cos(q), 1e-14);
  NEAR(get(&p, "tip.acceleration.x"), -L * (alpha * sin(q) + w * w * cos(q)), 1e-14);
  NEAR(get(&p, "tip.acceleration.y"), L * (alpha * cos(q) - w * w * sin(q)), 1e-14);
  NEAR(get(&p, "tip.rotation.z"), q, 1e-14);
  NEAR(get(&p, "tip.error.x"), L * (cos(q) - cos(r)), 1e-13);
  NEAR(get(&p, "tip.error.y"), L * (sin(q) - sin(r)), 1e-13);
  NEAR(get(&p, "tool.position.x"), L * cos(q) - 0.1 * sin(q), 1e-14);
  NEAR(get(&p, "arm.tool.position.x"), get(&p, "tool.position.x"), 0);
  NEAR(get(&p, "hub.position"), q, 0);
  NEAR(get(&p, "hub.velocity"), w, 0);
  NEAR(get(&p, "hub.acceleration"), alpha, 0);
  NEAR(get(&p, "hub.reference"), r, 0);
  NEAR(get(&p, "hub.effort"), 7, 0);
  end(&p);
}

static void joint_carries_the_weight(void **state) {
  (void)state;
  probe p;
  start(&p, "limber: 1\ngravity: [0, -10, 0]\ndrives: {hub: {type: prescribed}}\nlinks:\n  - name: arm\n"
            "    joint: {name: hub}\n    body: {mass: 2, com: [0.2, 0, 0], tip: [0.5, 0, 0]}\n"
            "outputs: {channels: [hub.force, hub.moment]}\n");
  double r[8] = {0};
  lim_equations_residual(r, p.arm.equations, 0, LIM_AFTER, p.arm.q, p.arm.v, p.arm.a);
  evaluate(&p, 0);
  NEAR(get(&p, "hub.force.x"), 0, 1e-14);
  NEAR(get(&p, "hub.force.y"), 20, 1e-14);
  NEAR(get(&p, "hub.moment.z"), 4, 1e-14);
  end(&p);
}

#define SPLIT                                                                                                  \
  HEAD("[0, 0, 0]")                                                                                            \
  "links:\n  - name: arm\n    beam: {length: 500 mm, section: s, material: m, elements: 4, segments: 2}\n"     \
  "outputs: {channels: [arm.deflection]}\n"

// The first half ends deflected by d and turned by t, the second half is straight; the joint turned as well.
static void deflection_of_a_split_link_is_in_the_frame_of_its_first_segment(void **state) {
  (void)state;
  probe p;
  start(&p, SPLIT);
  double d = 0.02, t = 0.3;
  p.arm.q[p.arm.s->bodies[0].q] = 0.8;
  p.arm.q[coordinate(&p.arm, 0, 2, 1)] = d;
  p.arm.q[coordinate(&p.arm, 0, 2, 5)] = t;
  evaluate(&p, 0);
  NEAR(get(&p, "arm.deflection.x"), L / 2 * (cos(t) - 1), 1e-12);
  NEAR(get(&p, "arm.deflection.y"), d + L / 2 * sin(t), 1e-12);
  NEAR(get(&p, "arm.deflection.z"), 0, 1e-15);
  lim_snapshot first_order = *arm_snapshot(&p.arm, 0);
  first_order.linear = true;
  lim_channels_evaluate(p.value, p.c, &first_order);
  NEAR(get(&p, "arm.deflection.x"), 0, 1e-15);
  NEAR(get(&p, "arm.deflection.y"), d + L / 2 * t, 1e-12);
  end(&p);
}

// --- each thing once for each state ---

static int evaluations; // of sites

lim_world_motion __real_lim_kinematics_site(const lim_arm *s, const lim_site *site,
                                            const lim_world_motion *body, const double *q, const double *v,
                                            const double *a);
lim_world_motion __wrap_lim_kinematics_site(const lim_arm *s, const lim_site *site,
                                            const lim_world_motion *body, const double *q, const double *v,
                                            const double *a);
lim_world_motion __wrap_lim_kinematics_site(const lim_arm *s, const lim_site *site,
                                            const lim_world_motion *body, const double *q, const double *v,
                                            const double *a) {
  evaluations++;
  return __real_lim_kinematics_site(s, site, body, q, v, a);
}

#define MANY                                                                                                   \
  HEAD("[0, 0, -9.81]")                                                                                        \
  "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    " BEAM "\n" GAUGES                            \
  "outputs: {channels: [tip.position, tip.velocity, tip.acceleration, tip.rotation, tip.error,\n"              \
  "  arm.section.0.4, arm.section.0.6, arm.up, arm.down]}\n"

// Five quantities of a frame need its motion and that of the rigid arm; four sections and gauges, in the first
// two elements, their three nodes.
static void channels_evaluate_frames_and_nodes_once_for_each_state(void **state) {
  (void)state;
  probe p;
  lim_arena arena = {0};
  start(&p, MANY);
  arm_bend(&p.arm, 0, tip_load);
  evaluate(&p, 0);
  double fresh[MOST], again[MOST];
  memcpy(fresh, p.value, sizeof fresh);
  lim_snapshot m = *arm_snapshot(&p.arm, 0);
  assert_int_equal(lim_snapshot_keep(&m, &arena, NULL), LIM_OK);
  evaluations = 0;
  lim_channels_evaluate(p.value, p.c, &m);
  assert_int_equal(evaluations, 5);
  for (int i = 0; i < p.c->count; i++) assert_true(p.value[i] == fresh[i]);
  lim_channels_evaluate(p.value, p.c, &m);
  assert_int_equal(evaluations, 5); // the state is the same
  p.arm.q[p.arm.s->n - 1] += 0.01;
  evaluate(&p, 0);
  memcpy(again, p.value, sizeof again);
  lim_snapshot_renew(&m);
  evaluations = 0;
  lim_channels_evaluate(p.value, p.c, &m);
  assert_int_equal(evaluations, 5);
  for (int i = 0; i < p.c->count; i++) assert_true(p.value[i] == again[i]);
  assert_true(memcmp(fresh, again, (size_t)p.c->count * sizeof *fresh) != 0);
  lim_arena_free(&arena);
  end(&p);
}

static void energies_are_the_books_and_unknown_without_them(void **state) {
  (void)state;
  probe p;
  start(&p, TURNING "outputs: {channels: [energy]}\n");
  assert_int_equal(p.c->count, 6);
  assert_string_equal(p.c->channel[p.c->balance].name, "energy.balance");
  p.arm.m.energy_balance = (lim_energy_balance){1, 2, 3, 4, 5, .balance = 6};
  evaluate(&p, 0);
  for (int i = 0; i < 6; i++) NEAR(p.value[i], i + 1, 0);
  lim_snapshot without = *arm_snapshot(&p.arm, 0);
  without.has_energy_balance = false;
  lim_channels_evaluate(p.value, p.c, &without);
  for (int i = 0; i < 6; i++) assert_true(isnan(p.value[i]));
  end(&p);
}

static void rotation_vector_gives_axis_and_angle_back(void **state) {
  (void)state;
  const double axis[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0, -0.8}, {2 / 3.0, -1 / 3.0, 2 / 3.0}};
  const double angle[] = {0, 1e-9, 0.01, 1, 3, 3.14159, 3.141592653};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 7; k++) {
      double R[9], t[3];
      lim_rotation_axis(R, axis[i], angle[k]);
      lim_rotation_vector(t, R);
      for (int c = 0; c < 3; c++) NEAR(t[c] - angle[k] * axis[i][c], 0, 1e-14 + 4e-16 * angle[k]);
    }
}

// --- the reference ---

// Every quantity has a line of docs/reference/channels.md: "`<joint>.effort`", or ".velocity" beside its
// sisters.
static void quantities_are_on_the_page_of_channels(void **state) {
  (void)state;
  static char page[20000];
  FILE *file = fopen("docs/reference/channels.md", "r");
  assert_non_null(file);
  const size_t size = fread(page, 1, sizeof page - 1, file);
  fclose(file);
  page[size] = 0;
  for (const lim_quantity_kind *kind = lim_quantity_kinds; kind->name; kind++) {
    char name[64];
    bool found = false;
    snprintf(name, sizeof name, ".%s", kind->name);
    for (const char *at = page; kind->name[0] && !found && (at = strstr(at, name)); at++)
      found = strchr(kind->components == 3 ? "." : "`", at[strlen(name)]) != NULL;
    if (kind->name[0] && !found) fail_msg("docs/reference/channels.md does not have %s", name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantities_are_on_the_page_of_channels),
      cmocka_unit_test(cantilever_tip_force_gives_section_forces_and_strains),
      cmocka_unit_test(cantilever_own_weight_is_exact_between_nodes),
      cmocka_unit_test(cantilever_accelerated_bends_as_under_weight),
      cmocka_unit_test(planar_arm_has_no_forces_out_of_its_plane),
      cmocka_unit_test(rigid_mode_has_no_strain_and_unknown_section_forces),
      cmocka_unit_test(gauge_rate_samples_and_holds),
      cmocka_unit_test(gauge_bits_round_to_steps_and_clip),
      cmocka_unit_test(frames_and_joints_of_a_turning_link),
      cmocka_unit_test(joint_carries_the_weight),
      cmocka_unit_test(deflection_of_a_split_link_is_in_the_frame_of_its_first_segment),
      cmocka_unit_test(channels_evaluate_frames_and_nodes_once_for_each_state),
      cmocka_unit_test(energies_are_the_books_and_unknown_without_them),
      cmocka_unit_test(rotation_vector_gives_axis_and_angle_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
