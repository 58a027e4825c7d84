// arm_elastica.c - cantilevers that bend by more than their length: `static` with segments against the
// elastica. Dead tip force: K. Mattiasson, Int. J. Num. Meth. Eng. 17 (1981) 145-153, from elliptic integrals.
// Tip moment: a circle.
#include "beam_fixture.h"
#include "unit/analysis_fixture.h"

// EI = 1 kN m^2 on 1 m, neither stretching nor shear to speak of.
#define CANTILEVER(segments)                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 1e9, nu: 0, rho: 1000}}\n"                                \
  "sections: {s: {shape: general, A: 1e3, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}\nlinks:\n  - name: arm\n"              \
  "    joint: {type: fixed}\n    beam: {length: 1, section: s, material: m, elements: " segments               \
  ", segments: " segments ", element: euler-bernoulli}\n"

static void tip_under(double out[3], const char *segments, const char *plane, const char *load) {
  char text[1000];
  snprintf(text, sizeof text, CANTILEVER("%s") "planar: %s\nloads: [{at: tip, %s}]\n", segments, segments,
           plane, load);
  rest r = rest_of(text);
  memcpy(out, frame_of(r, "tip")->displacement, 3 * sizeof *out);
  rest_free(r);
}

static void cantilever_under_a_tip_force_matches_the_elastica(void **state) {
  (void)state;
  const double rows[][3] = {// P L^2/EI, sideways/L, back/L
                            {1, 0.30172, 0.05643},
                            {2, 0.49346, 0.16064},
                            {5, 0.71379, 0.38763},
                            {10, 0.81061, 0.55500}};
  table_head("tip of a cantilever of 32 segments under a force P, over its length");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char load[80], what[80];
    double tip[3];
    snprintf(load, sizeof load, "force: [0, %g, 0]", 1000 * rows[i][0]);
    tip_under(tip, "32", "no", load);
    snprintf(what, sizeof what, "P L^2/EI = %g, sideways", rows[i][0]);
    table_row(what, tip[1], rows[i][1], 1e-3, "elliptic integrals");
    snprintf(what, sizeof what, "P L^2/EI = %g, back", rows[i][0]);
    table_row(what, -tip[0], rows[i][2], 1.5e-3, "elliptic integrals");
  }
}

// The same in a skew plane: large rotations in space.
static void plane_of_bending_does_not_matter(void **state) {
  (void)state;
  double flat[3], skew[3];
  tip_under(flat, "16", "no", "force: [0, 10 kN, 0]");
  tip_under(skew, "16", "no", "force: [0, 6 kN, -8 kN]");
  table_head("P L^2/EI = 10 in a skew plane, 16 segments");
  table_row("along y", skew[1], 0.6 * flat[1], 1e-9, "bending in the x-y plane");
  table_row("along z", skew[2], -0.8 * flat[1], 1e-9, "bending in the x-y plane");
  table_row("back", skew[0], flat[0], 1e-9, "bending in the x-y plane");
}

static void error_falls_with_the_square_of_the_segments(void **state) {
  (void)state;
  const char *segments[] = {"8", "16", "32"};
  double error[3];
  table_head("P L^2/EI = 10: error of the tip with 8, 16, 32 segments");
  for (int i = 0; i < 3; i++) {
    double tip[3];
    tip_under(tip, segments[i], "no", "force: [0, 10 kN, 0]");
    error[i] = tip[1] - 0.810609;
    printf("%-46s %16.9g\n", segments[i], error[i]);
  }
  for (int i = 0; i < 2; i++) assert_true(fabs(error[i] / error[i + 1] - 4) < 0.5);
}

// M L/EI = 2 pi closes the circle, whatever the segments. In a plane: in space a moment of fixed axis lets the
// beam swerve from M L/EI = pi on.
static void cantilever_under_a_moment_becomes_a_circle(void **state) {
  (void)state;
  double tip[3];
  table_head("cantilever of 32 segments under a tip moment, over its length");
  tip_under(tip, "32", "xy", "moment: [0, 0, 3141.592653589793]"); // half a circle of radius 1/pi
  table_row("half a circle, sideways", tip[1], 2 / PI, 2e-3, "circle");
  table_row("half a circle, back", -tip[0], 1, 1e-3, "circle");
  tip_under(tip, "32", "xy", "moment: [0, 0, 6283.185307179586]");
  table_row("a circle, sideways", tip[1], 0, 1e-9, "circle");
  table_row("a circle, back", -tip[0], 1, 1e-9, "circle");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever_under_a_tip_force_matches_the_elastica),
      cmocka_unit_test(plane_of_bending_does_not_matter),
      cmocka_unit_test(error_falls_with_the_square_of_the_segments),
      cmocka_unit_test(cantilever_under_a_moment_becomes_a_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
