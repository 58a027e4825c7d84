// loop_delta.c - models/delta.yaml, a parallel robot with five loops: rigid, its platform is where three
// spheres about the elbows meet and never turns; under a load it yields as rods and arms do, and its motors
// hold it by virtual work.
#include "delta_fixture.h"
#include "loop_fixture.h"

typedef struct {
  double off, turned, way; // from the spheres' point; of the platform's axes from the world's; travelled
  double last[3];
  int records;
} flight;

static void look(void *user, const lim_snapshot *m) {
  static const char *const arms[3] = {"arm-a", "arm-b", "arm-c"};
  flight *f = user;
  lim_world_motion tip = lim_snapshot_site(m, site_called(m->system, "tip"));
  double angle[3], p[3], off = 0, way = 0;
  for (int i = 0; i < 3; i++) angle[i] = m->q[joint_of(m->system, arms[i])];
  spheres_meet(p, angle);
  for (int k = 0; k < 3; k++) {
    off = fmax(off, fabs(tip.p[k] - p[k]));
    way += f->records ? (tip.p[k] - f->last[k]) * (tip.p[k] - f->last[k]) : 0;
    f->last[k] = tip.p[k];
  }
  for (int k = 0; k < 9; k++) f->turned = fmax(f->turned, fabs(tip.R[k] - (k % 4 == 0)));
  f->off = fmax(f->off, off);
  f->way += sqrt(way);
  f->records++;
}

static void platform_is_where_three_spheres_meet_and_never_turns(void **state) {
  (void)state;
  flight f = {0};
  lim_run run = watch(
      load_with(DELTA, (const char *[]){"solver.mode=rigid", "solver.step=2 ms", "outputs.every=2 ms", NULL}),
      look, &f);
  assert_int_equal(run.status, LIM_RUN_DONE);
  table_head("Delta robot with rigid links: its platform");
  assert_true(f.records > 100 && f.way > 0.2);
  table_bound("largest distance from the point of three spheres [m]", f.off, 1e-8, "closed form");
  table_bound("largest turn of its axes", f.turned, 1e-8, "parallel rods");
}

// --- under load ---

static const double PLATFORM = 0.06, ANGLE = 20 * M_PI / 180, E = 70e9, NU = 0.33, KAPPA = 0.5;

static double ring(double outer, double inner, int power) {
  return (pow(outer, power) - pow(inner, power)) * M_PI / (power == 2 ? 4 : 64);
}

// Displacement of the platform by a force, and efforts of the motors: each pair of rods has a tension 2 n u
// along u, by which its arm bends and is pressed, and the rods grow longer: n = k u d.
static void yields(double d[3], double effort[3], const double force[3]) {
  double A = ring(0.04, 0.036, 2), I = ring(0.04, 0.036, 4), stretch = LOWER / (120e9 * ring(0.012, 0.010, 2));
  double along = UPPER / (E * A);
  double across = UPPER * UPPER * UPPER / (3 * E * I) + UPPER / (KAPPA * E / (2 * (1 + NU)) * A);
  double p[3], u[3][3], lever[3], K[3][3] = {{0}};
  spheres_meet(p, (const double[3]){ANGLE, ANGLE, ANGLE});
  double stiffness[3];
  for (int i = 0; i < 3; i++) {
    double c[3];
    centre(c, i, ANGLE);
    double out[3] = {cos(AZIMUTH[i]) * cos(ANGLE), sin(AZIMUTH[i]) * cos(ANGLE), -sin(ANGLE)};
    double down[3] = {-cos(AZIMUTH[i]) * sin(ANGLE), -sin(AZIMUTH[i]) * sin(ANGLE), -cos(ANGLE)};
    for (int k = 0; k < 3; k++) u[i][k] = (p[k] - c[k]) / LOWER;
    double pull = dot(u[i], out), bend = dot(u[i], down); // the rods lie in the plane of the arm
    stiffness[i] = 1 / (stretch + 2 * (along * pull * pull + across * bend * bend));
    lever[i] = UPPER * bend;
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++) K[k][r] += 2 * stiffness[i] * u[i][r] * u[i][k];
  }
  solve(d, K[0], K[1], K[2], force);
  for (int i = 0; i < 3; i++) effort[i] = -2 * stiffness[i] * dot(u[i], d) * lever[i];
}

// A force on the platform at the point in which the lines of the three pairs of rods meet, below its middle:
// there it turns none of them against the other of its pair.
static void compare(const double force[3]) {
  static const char *const motors = "abc";
  double d[3], effort[3], off[3], p[3], c[3];
  char load[200];
  yields(d, effort, force);
  spheres_meet(p, (const double[3]){ANGLE, ANGLE, ANGLE});
  centre(c, 0, ANGLE);
  double below = PLATFORM * (p[2] - c[2]) / (c[0] - p[0]);
  snprintf(load, sizeof load, "loads=[{at: tip, force: [%g, %g, %g], moment: [%.17g, %.17g, 0]}]", force[0],
           force[1], force[2], -below * force[1], below * force[0]);
  lim_model *m = load_with(DELTA, (const char *[]){"gravity=[0, 0, 0]", "solver.geometry=linear",
                                                   "sections.arm.kappa=0.5", load, NULL});
  lim_static *x = static_of(m);
  const double *u = x->frames.item[0].displacement;
  table_head(load);
  table_row("displacement [µm]", 1e6 * sqrt(dot(u, u)), 1e6 * sqrt(dot(d, d)), 1e-6, "rods and arms in series");
  for (int k = 0; k < 3; k++) off[k] = u[k] - d[k];
  table_bound("  off, over it", sqrt(dot(off, off) / dot(d, d)), 1e-6, "in direction, too");
  for (int i = 0, k = 0; i < x->joints.count && k < 3; i++) {
    if (strcmp(x->joints.item[i].name, (char[2]){motors[k], 0}) != 0) continue;
    table_row(x->joints.item[i].name, x->joints.item[i].effort, effort[k], 1e-6, "virtual work");
    k++;
  }
  lim_static_free(x);
  lim_model_free(m);
}

static void platform_yields_as_rods_and_arms_do(void **state) {
  (void)state;
  compare((const double[3]){0, 0, -10});
  compare((const double[3]){7, 3, 2});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(platform_is_where_three_spheres_meet_and_never_turns),
      cmocka_unit_test(platform_yields_as_rods_and_arms_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
