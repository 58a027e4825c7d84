// arm_spin.c - `modes` of spinning beams and of columns under forces that follow them.
// Spinning cantilever, bending out of the plane of rotation: A. D. Wright, C. E. Smith, R. W. Thresher, J. L.
// C. Wang, J. Appl. Mech. 49 (1982) 197-202; within the plane omega^2 is less by the square of the speed.
// Column with a following tip force: M. Beck, ZAMP 3 (1952) 225-228:
//   P^2 + 2 w^2 (1 + cos a cosh b) + P w sin a sinh b = 0,  a^2, b^2 = sqrt(P^2/4 + w^2) +- P/2.
#include "beam_fixture.h"
#include "unit/analysis_modes_fixture.h"

// L = 1, rho A = 1, EI = 1e-6: sqrt(rho A L^4/EI) = 1000 s.
#define BEAM_1(more)                                                                                           \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 1 MPa, rho: 1000}}\n"                                     \
  "sections: {s: {shape: general, A: 1e-3, Iy: 1e-12, Iz: 1e-12, J: 1e-9}}\n"                                  \
  "links:\n  - {name: arm, beam: {length: 1, section: s, material: m, element: euler-bernoulli, " more "}}\n"

static double omega(vibes v, int i) { return 2e3 * PI * hertz(v, i); }

static void spinning_cantilever_matches_wright(void **state) {
  (void)state;
  const double rows[][3] = {{0, 3.5160, 22.0345},
                            {2, 4.1373, 22.6149},
                            {4, 5.5850, 24.2734},
                            {8, 9.2568, 29.9954},
                            {12, 13.1702, 37.6031}};
  table_head("omega sqrt(rho A L^4/EI) of a cantilever that spins at W sqrt(rho A L^4/EI)");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000], what[80];
    snprintf(text, sizeof text, BEAM_1("elements: 40") "configuration: {arm: {velocity: %.12g}}\n",
             rows[i][0] * 1e-3);
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 4);
    for (int k = 0; k < 2; k++) { // lag, flap, lag, flap
      snprintf(what, sizeof what, "W = %g, out of plane, mode %d", rows[i][0], k + 1);
      table_row(what, omega(v, 2 * k + 1), rows[i][k + 1], 2e-5, "Wright 1982");
      snprintf(what, sizeof what, "W = %g, in plane, mode %d", rows[i][0], k + 1);
      double flap = omega(v, 2 * k + 1);
      table_row(what, omega(v, 2 * k), sqrt(flap * flap - rows[i][0] * rows[i][0]), 2e-5, "flap and speed");
    }
    vibes_free(v);
  }
}

// Stiffening by the axial force of each segment, or by the kinematics of many.
static void segments_stiffen_by_themselves(void **state) {
  (void)state;
  const char *rows[][2] = {{"1", "on"}, {"10", "on"}, {"10", "off"}, {"40", "off"}};
  const double tolerance[] = {3e-5, 3e-5, 2e-2, 2e-3};
  table_head("W = 12, first mode out of plane, about the stretched beam");
  for (int i = 0; i < 4; i++) {
    char text[1000], what[80];
    snprintf(text, sizeof text,
             BEAM_1("elements: 40, segments: %s") "configuration: {arm: {velocity: 0.012}}\n"
                                                  "solver: {start: equilibrium, stiffening: %s}\n",
             rows[i][0], rows[i][1]);
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 2);
    snprintf(what, sizeof what, "%s segments, stiffening %s", rows[i][0], rows[i][1]);
    table_row(what, omega(v, 1), 13.1702, tolerance[i], "Wright 1982");
    vibes_free(v);
  }
}

static double beck(double w, const void *load) {
  double P = *(const double *)load;
  double r = sqrt(P * P / 4 + w * w), a = sqrt(r + P / 2), b = sqrt(r - P / 2);
  return P * P + 2 * w * w * (1 + cos(a) * cosh(b)) + P * w * sin(a) * sinh(b);
}

static vibes column(double P) {
  char text[1000];
  snprintf(text, sizeof text,
           BEAM_1("elements: 40") "planar: xy\nloads: [{at: tip, force: [%.12g, 0, 0], axes: link}]\n"
                                  "solver: {start: equilibrium}\n",
           -1e-6 * P);
  return vibes_of(text, LIM_JOINTS_LOCKED, 2);
}

static void column_under_a_following_force_matches_beck(void **state) {
  (void)state;
  table_head("omega sqrt(rho A L^4/EI) of a column under a force P EI/L^2 that follows its tip");
  for (double P = 5; P <= 20; P += 5)
    for (int k = 0; k < 2; k++) {
      char what[80];
      vibes v = column(P);
      snprintf(what, sizeof what, "P = %g, mode %d", P, k + 1);
      table_row(what, omega(v, k), root(beck, &P, k), 1e-5, "Beck 1952");
      vibes_free(v);
    }
  double low = 19, high = 21; // flutter
  for (int i = 0; i < 16; i++) {
    vibes v = column((low + high) / 2);
    *(v.m->unstable ? &high : &low) = (low + high) / 2;
    vibes_free(v);
  }
  table_row("load at which it flutters", low, 20.0509, 1e-4, "Beck 1952");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spinning_cantilever_matches_wright),
      cmocka_unit_test(segments_stiffen_by_themselves),
      cmocka_unit_test(column_under_a_following_force_matches_beck),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
