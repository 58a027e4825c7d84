// stiffening_elastica.c - cantilevers that bend far under a dead tip force, split into segments that stiffen
// each for itself, and into such that do not. K. Mattiasson, Int. J. Num. Meth. Eng. 17 (1981) 145-153, from
// elliptic integrals: P L^2/EI = 1: 0.30172 L sideways, 0.05643 L back; 10: 0.81061 L and 0.55500 L. Here the
// elastica is solved anew: EI theta'' = -P cos theta, theta(0) = 0, theta'(L) = 0, by shooting.
#include "beam_fixture.h"
#include "engine_fixture.h"
#include "unit/analysis_fixture.h"

// EI = 1 kN m^2 on 1 m, neither stretching nor shear to speak of.
#define CANTILEVER                                                                                             \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nmaterials: {m: {E: 1e9, nu: 0, rho: 1000}}\n"                    \
  "sections: {s: {shape: general, A: 1, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}\nlinks:\n  - name: arm\n"                \
  "    joint: {type: fixed}\n    beam: {length: 1, section: s, material: m, elements: 32, element: "           \
  "euler-bernoulli}\n"

// --- the elastica ---

// Curvature at the tip for the curvature k0 at the root; tip (2): sideways, back.
static double shoot(double k0, double P, double tip[2]) {
  enum { STEPS = 4000 };
  double h = 1.0 / STEPS, theta = 0, k = k0, x = 0, y = 0;
  for (int i = 0; i < STEPS; i++) { // Runge and Kutta's method of the fourth order
    double a1 = k, b1 = -P * cos(theta), c1 = cos(theta), s1 = sin(theta), t2 = theta + h / 2 * a1;
    double a2 = k + h / 2 * b1, b2 = -P * cos(t2), t3 = theta + h / 2 * a2;
    double a3 = k + h / 2 * b2, b3 = -P * cos(t3), t4 = theta + h * a3;
    double a4 = k + h * b3, b4 = -P * cos(t4);
    x += h / 6 * (c1 + 2 * cos(t2) + 2 * cos(t3) + cos(t4));
    y += h / 6 * (s1 + 2 * sin(t2) + 2 * sin(t3) + sin(t4));
    theta += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    k += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
  }
  tip[0] = y;
  tip[1] = 1 - x;
  return k;
}

static void elastica(double tip[2], double P) {
  double low = 0, high = P; // the moment at the root is at most P L
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    *(shoot(middle, P, tip) < 0 ? &low : &high) = middle;
  }
}

static void shooting_gives_the_published_elastica(void **state) {
  (void)state;
  static const double rows[][3] = {{1, 0.30172, 0.05643}, {10, 0.81061, 0.55500}};
  table_head("tip of a cantilever under a force P, over its length");
  for (int i = 0; i < 2; i++) {
    double tip[2];
    char what[80];
    elastica(tip, rows[i][0]);
    snprintf(what, sizeof what, "P L^2/EI = %g, sideways", rows[i][0]);
    table_row(what, tip[0], rows[i][1], 2e-5, "Mattiasson 1981");
    snprintf(what, sizeof what, "P L^2/EI = %g, back", rows[i][0]);
    table_row(what, tip[1], rows[i][2], 1e-4, "Mattiasson 1981");
  }
}

// --- segments ---

static void tip_at_rest(double tip[2], double P, int segments, const char *stiffening) {
  char text[1000];
  snprintf(text, sizeof text,
           CANTILEVER
           "    basis: {type: full}\nloads: [{at: tip, force: [0, %g, 0]}]\nsolver: {stiffening: %s}\n",
           1000 * P, stiffening);
  char set[64];
  snprintf(set, sizeof set, "links.arm.beam.segments=%d", segments);
  rest r = {.model = model_of(text, (const char *[]){set, NULL})};
  lim_error err = {0};
  if (lim_static_new(&r.s, r.model, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  tip[0] = frame_of(r, "tip")->displacement[1];
  tip[1] = -frame_of(r, "tip")->displacement[0];
  rest_free(r);
}

// Errors of 8, 16, 32 segments; 0.1 % with 32, and the order at least 2 until rounding and elements end it.
static void segments_converge(const char *stiffening) {
  static const double force[] = {1, 10};
  for (int i = 0; i < 2; i++) {
    char title[120], what[80];
    double exact[2], error[3] = {0};
    elastica(exact, force[i]);
    snprintf(title, sizeof title, "P L^2/EI = %g, stiffening %s: tip, over the length", force[i], stiffening);
    table_head(title);
    for (int k = 0; k < 3; k++) {
      double tip[2];
      tip_at_rest(tip, force[i], 8 << k, stiffening);
      snprintf(what, sizeof what, "%d segments, sideways", 8 << k);
      table_row(what, tip[0], exact[0], k == 2 ? 1e-3 : 0.1, "elastica");
      snprintf(what, sizeof what, "%d segments, back", 8 << k);
      table_row(what, tip[1], exact[1], k == 2 ? 2e-3 : 0.1, "elastica");
      error[k] = hypot(tip[0] - exact[0], tip[1] - exact[1]);
    }
    for (int k = 0; k < 2; k++) {
      double order = log2(error[k] / error[k + 1]);
      printf("%-46s %d to %d: %22.3f\n", "order in the number of segments", 8 << k, 16 << k, order);
      assert_true(order > 1.9 || error[k + 1] < 1e-6);
    }
  }
}

static void stiffened_segments_converge_to_the_elastica(void **state) {
  (void)state;
  segments_converge("on");
}

static void segments_without_stiffening_converge_to_the_elastica(void **state) {
  (void)state;
  segments_converge("off");
}

// --- in time: the force grows slowly, the beam is damped, and comes to rest where `static` puts it ---

static void slow_load_ends_at_the_elastica(void **state) {
  (void)state;
  static const double force[] = {1, 10};
  table_head("16 stiffened segments, force within 2 s by `simulate`: tip at the end, over the length");
  for (int i = 0; i < 2; i++) {
    char text[1000], what[80];
    double exact[2], still[2];
    elastica(exact, force[i]);
    tip_at_rest(still, force[i], 16, "on");
    snprintf(text, sizeof text,
             CANTILEVER
             "    damping: {mass: 4}\nloads: [{at: tip, force: [0, %g, 0], factor: {profile: cycloidal, "
             "from: 0, to: 1, duration: 2}}]\nsolver: {duration: 8, step: 5 ms, tolerance: 1e-12}\n",
             1000 * force[i]);
    observation o = {0};
    observe(&o, text, (const char *[]){"links.arm.beam.segments=16", NULL});
    snprintf(what, sizeof what, "P L^2/EI = %g, sideways", force[i]);
    table_row(what, o.tip[1], exact[0], 5e-3, "elastica");
    table_row(what, o.tip[1], still[0], 1e-5, "static");
    snprintf(what, sizeof what, "P L^2/EI = %g, back", force[i]);
    table_row(what, 1 - o.tip[0], still[1], 1e-5, "static");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shooting_gives_the_published_elastica),
      cmocka_unit_test(stiffened_segments_converge_to_the_elastica),
      cmocka_unit_test(segments_without_stiffening_converge_to_the_elastica),
      cmocka_unit_test(slow_load_ends_at_the_elastica),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
