// analysis_first_order.c - tests of `solver: {geometry: linear}`: closed forms of first-order beam theory under
// any load, and the derivative of the nonlinear equilibrium by the loads: reactions, springs, drives, loops,
// gauges.
#include "analysis_fixture.h"

#define LINEAR "solver: {geometry: linear}\n"

static rest rest_as_given(const char *text) {
  rest r = {.model = parse(text)};
  lim_error err = {0};
  if (lim_static_new(&r.s, r.model, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  return r;
}

// 10 kN bend it by 6 m and 17 rad: to first order, whatever the segments.
static void cantilever_is_that_of_the_closed_form(void **state) {
  (void)state;
  static const int segments[] = {1, 3};
  const double P = 1e4, M = 1e3, across = P * L * L * L / (3 * E * IZ) + P * L / SHEAR_Y;
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD
             "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    beam: {length: 500 mm, section: "
             "s, material: m, elements: 3, segments: %d}\n    gauges: [{name: root, at: 0, face: +y}]\n"
             "loads: [{at: tip, force: [1e4, 1e4, 0], moment: [1e3, 1e3, 0]}]\n" LINEAR,
             segments[i]);
    rest r = rest_as_given(text);
    const lim_static_frame *tip = frame_of(r, "tip");
    NEAR3(tip->displacement, P * L / (E * A), across, -M * L * L / (2 * E * IY));
    NEAR3(tip->rotation, M * L / (G * J), M * L / (E * IY), P * L * L / (2 * E * IZ));
    NEAR3(tip->position, L + P * L / (E * A), across, -M * L * L / (2 * E * IY));
    NEAR3(r.s->joints.item[0].force, -P, -P, 0);
    NEAR3(r.s->joints.item[0].moment, -M, -M, -P * L);
    NEAR(r.s->gauges.item[0].strain, P / (E * A) - P * L * SIZE_Y / 2 / (E * IZ), TIGHT);
    rest_free(r);
  }
}

static void compressed_beyond_buckling_is_told_by_no_first_order(void **state) {
  (void)state;
  rest r = rest_as_given(ARM "loads: [{at: tip, force: [-5e4, 1, 0]}]\n" LINEAR);
  NEAR3(frame_of(r, "tip")->displacement, -5e4 * L / (E * A), L * L * L / (3 * E * IZ) + L / SHEAR_Y, 0);
  rest_free(r);
}

// %g: factor of all loads.
#define EVERYTHING                                                                                             \
  "limber: 1\ngravity: [0, 0, %g]\n" MATERIAL SECTION "links:\n"                                               \
  "  - {name: upper, joint: {axis: [0, 1, 0]}, beam: {length: 1, section: s, material: m, segments: 2, "       \
  "elements: 4}, gauges: [{name: root, at: 0.1, face: +z}], masses: [{at: 0.4, mass: 0.3, xyz: [0, 0.1, "      \
  "0]}]}\n"                                                                                                    \
  "  - {name: fore, joint: {axis: [0, 0, 1], origin: {rpy: [0.3, 0.2, 1.2]}}, beam: {length: 0.7, section: "   \
  "s, material: m, elements: 3}}\n"                                                                            \
  "drives: {upper: {type: servo, stiffness: 300}}\n"                                                           \
  "springs: [{name: prop, between: [upper.tip, base], stiffness: 500, length: 1}]\n"                           \
  "bushings: [{name: rail, between: [upper.tip, ground], stiffness: [10, 20, 30, 1, 2, 3]}]\n"                 \
  "frames: [{name: ground, on: base, xyz: [1, 0, 0]}]\n"                                                       \
  "loads: [{at: tip, force: [%g, 0, 0]}, {at: upper.tip, force: [0, %g, 0], axes: link}, {along: fore, "       \
  "force: [0, 0, %g]}]\nsolver: {geometry: %s}\n"

static rest rest_under(double factor, const char *geometry) {
  char text[3000];
  snprintf(text, sizeof text, EVERYTHING, -9.81 * factor, 2 * factor, 3 * factor, 4 * factor, geometry);
  return rest_as_given(text);
}

static void near_slope(double first, double plus, double minus, double part, double size, int line) {
  if (fabs(first - (plus - minus) / (2 * part)) > 2e-6 * size)
    fail_msg("line %d: %.10g, expected %.10g", line, first, (plus - minus) / (2 * part));
}

static void everything_is_the_slope_of_the_nonlinear_answer(void **state) {
  (void)state;
  const double part = 1e-4;
  rest x = rest_under(1, "linear"), a = rest_under(part, "nonlinear"), b = rest_under(-part, "nonlinear");
  for (int i = 0; i < x.s->frames.count; i++)
    for (int k = 0; k < 3; k++) {
      near_slope(x.s->frames.item[i].displacement[k], a.s->frames.item[i].displacement[k],
                 b.s->frames.item[i].displacement[k], part, 0.1, __LINE__);
      near_slope(x.s->frames.item[i].rotation[k], a.s->frames.item[i].rotation[k],
                 b.s->frames.item[i].rotation[k], part, 0.1, __LINE__);
    }
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      const lim_static_joint *j = &x.s->joints.item[i], *p = &a.s->joints.item[i], *m = &b.s->joints.item[i];
      near_slope(j->force[k], p->force[k], m->force[k], part, 10, __LINE__);
      near_slope(j->moment[k], p->moment[k], m->moment[k], part, 10, __LINE__);
      near_slope(j->effort, p->effort, m->effort, part, 10, __LINE__);
    }
  near_slope(x.s->gauges.item[0].strain, a.s->gauges.item[0].strain, b.s->gauges.item[0].strain, part, 1e-4,
             __LINE__);
  assert_true(fabs(x.s->gauges.item[0].strain) > 1e-6);
  rest_free(x);
  rest_free(a);
  rest_free(b);
}

// Twice the load, twice everything; a four-bar linkage whose coupler is loaded.
static void loops_are_of_first_order_too(void **state) {
  (void)state;
  double y[2], effort[2];
  for (int i = 0; i < 2; i++) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\n" MATERIAL SECTION "links:\n"
        "  - {name: crank, beam: {length: 0.4, section: s, material: m, elements: 2}}\n"
        "  - {name: coupler, beam: {length: 1, section: s, material: m, elements: 2}}\n"
        "  - {name: rocker, parent: base, joint: {origin: {xyz: [1, 0, 0]}}, beam: {length: 0.6, section: s, "
        "material: m, elements: 2}}\n"
        "loops: [{name: pin, type: revolute, between: [coupler.tip, rocker.tip]}]\n"
        "drives: {crank: {type: prescribed}}\nconfiguration: {crank: 80 deg, coupler: -60 deg, rocker: 80 "
        "deg}\nloads: [{at: coupler.tip, force: [0, %g, 0]}]\n" LINEAR,
        1e4 * (i + 1));
    rest r = rest_as_given(text);
    y[i] = frame_of(r, "coupler.tip")->displacement[1];
    effort[i] = r.s->joints.item[0].effort;
    for (int k = 0; k < 3; k++)
      assert_true(fabs(frame_of(r, "coupler.tip")->displacement[k] -
                       frame_of(r, "rocker.tip")->displacement[k]) < 1e-10 * fabs(y[i]));
    rest_free(r);
  }
  NEAR(y[1], 2 * y[0], 1e-9);
  NEAR(effort[1], 2 * effort[0], 1e-9);
  assert_true(fabs(y[0]) > 1e-6 && fabs(effort[0]) > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever_is_that_of_the_closed_form),
      cmocka_unit_test(compressed_beyond_buckling_is_told_by_no_first_order),
      cmocka_unit_test(everything_is_the_slope_of_the_nonlinear_answer),
      cmocka_unit_test(loops_are_of_first_order_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
