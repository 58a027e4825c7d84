// arm_frames.c - frames of beams joined by fixed joints, planar and spatial, under a force and a moment at the
// tip: `static` against unit-load integrals (virtual work), which take the place of table II of the Timoshenko
// thesis:
//   d_i = sum over links of integral N n_i/EA + Vy vy_i/kGA + Vz vz_i/kGA + T t_i/GJ + My my_i/EIy + Mz
//   mz_i/EIz.
#include "math/rotation.h"

#include "beam_fixture.h"
#include "unit/analysis_fixture.h"

enum { LINKS = 3 };

typedef struct {
  const char *name, *plane;
  double length[LINKS], rpy[LINKS][3]; // each against the link before
  double force[3], moment[3];          // at the tip, world
} frame;

typedef struct {
  double R[LINKS][9], start[LINKS + 1][3]; // axes by rows, places of the joints and the tip
} geometry;

static geometry lay_out(const frame *f) {
  geometry g = {.start = {{0}}};
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < LINKS; i++) {
    double turn[9];
    lim_rotation_rpy(turn, f->rpy[i]);
    lim_mat3_product(g.R[i], R, turn);
    memcpy(R, g.R[i], sizeof R);
    for (int k = 0; k < 3; k++) g.start[i + 1][k] = g.start[i][k] + f->length[i] * R[3 * k];
  }
  return g;
}

// N Vy Vz T My Mz at a distance x on link i of a force and moment at the tip.
static void section(double out[6], const geometry *g, int i, double x, const double F[3], const double M[3]) {
  double arm[3], turn[3], m[3];
  for (int k = 0; k < 3; k++) arm[k] = g->start[LINKS][k] - g->start[i][k] - x * g->R[i][3 * k];
  lim_cross(turn, arm, F);
  for (int k = 0; k < 3; k++) m[k] = M[k] + turn[k];
  lim_rotate_back(out, g->R[i], F);
  lim_rotate_back(out + 3, g->R[i], m);
}

// Displacement (kind 0..2) or rotation (3..5) of the tip. The integrands are of second degree: two Gauss
// points.
static double unit_load(const frame *f, int kind) {
  const double soft[6] = {E * A, SHEAR_Y, SHEAR_Z, G * J, E * IY, E * IZ};
  double one[6] = {0}, sum = 0;
  one[kind] = 1;
  geometry g = lay_out(f);
  for (int i = 0; i < LINKS; i++)
    for (int p = 0; p < 2; p++) {
      double x = f->length[i] * (0.5 + (p ? 0.5 : -0.5) / sqrt(3)), real[6], virtual[6];
      section(real, &g, i, x, f->force, f->moment);
      section(virtual, &g, i, x, one, one + 3);
      for (int k = 0; k < 6; k++) sum += f->length[i] / 2 * real[k] * virtual[k] / soft[k];
    }
  return sum;
}

// With the loads times `factor`.
static rest solve(const frame *f, double factor) {
  char text[3000];
  int n = snprintf(text, sizeof text, HEAD "planar: %s\nlinks:\n", f->plane);
  for (int i = 0; i < LINKS; i++)
    n += snprintf(
        text + n, sizeof text - (size_t)n,
        "  - {name: l%d, joint: {type: fixed, origin: {rpy: [%.17g, %.17g, %.17g]}}, beam: {length: %g, "
        "section: s, material: m, elements: 2}}\n",
        i, f->rpy[i][0], f->rpy[i][1], f->rpy[i][2], f->length[i]);
  snprintf(text + n, sizeof text - (size_t)n,
           "loads: [{at: tip, force: [%.17g, %.17g, %.17g], moment: [%.17g, %.17g, %.17g]}]\n",
           factor * f->force[0], factor * f->force[1], factor * f->force[2], factor * f->moment[0],
           factor * f->moment[1], factor * f->moment[2]);
  return rest_of(text);
}

static double tip_of(rest r, int kind) {
  const lim_static_frame *tip = frame_of(r, "tip");
  return kind < 3 ? tip->displacement[kind] : tip->rotation[kind - 3];
}

// The frame is in equilibrium as it is bent. Half the difference of loads in either sense is first order to
// their square, here 1e-9.
static void compare(const frame *f) {
  static const char *const what[] = {"dx", "dy", "dz", "rotation x", "rotation y", "rotation z"};
  rest r = solve(f, 100), s = solve(f, -100);
  for (int k = 0; k < 6; k++) {
    double computed = (tip_of(r, k) - tip_of(s, k)) / 2, expected = 100 * unit_load(f, k);
    char row[80];
    snprintf(row, sizeof row, "%s, %s", f->name, what[k]);
    if (fabs(expected) > 1e-12) table_row(row, computed, expected, 1e-6, "unit-load integrals");
  }
  rest_free(r);
  rest_free(s);
}

static void kinked_planar_frame_matches_unit_loads(void **state) {
  (void)state;
  table_head("three beams in a plane, joined at angles [m, rad]");
  const frame f = {"kinked",         "xy",        {0.5, 0.3, 0.4}, {{0}, {0, 0, 1.1}, {0, 0, -1.9}},
                   {2e-5, -3e-5, 0}, {0, 0, 1e-5}};
  compare(&f);
}

static void spatial_frame_of_perpendicular_beams_matches_unit_loads(void **state) {
  (void)state;
  table_head("three beams along x, y and z [m, rad]");
  const double q = PI / 2;
  const frame f = {"perpendicular",    "no", {0.5, 0.4, 0.3}, {{0}, {0, 0, q}, {0, -q, 0}}, {1e-5, -2e-5, 3e-5},
                   {1e-5, 5e-6, -8e-6}};
  compare(&f);
}

static void skew_spatial_frame_matches_unit_loads(void **state) {
  (void)state;
  table_head("three beams at skew angles [m, rad]");
  const frame f = {"skew",
                   "no",
                   {0.3, 0.6, 0.2},
                   {{0.3, -0.5, 0.2}, {1, 0.4, -0.8}, {-0.2, 1.3, 0.6}},
                   {3e-5, 1e-5, -2e-5},
                   {4e-6, -1e-5, 6e-6}};
  compare(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinked_planar_frame_matches_unit_loads),
      cmocka_unit_test(spatial_frame_of_perpendicular_beams_matches_unit_loads),
      cmocka_unit_test(skew_spatial_frame_matches_unit_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
