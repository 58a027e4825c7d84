// analysis_equilibrium_search.c - tests of the search for an equilibrium: numbers that are not finite, many
// unknowns, and stiffnesses of very different size.
#include "analysis_fixture.h"

#include "analysis/statics/equilibrium_search.h"

static void correction_that_is_no_number_does_not_converge(void **state) {
  (void)state;
  double q[2] = {1, 2}, start[2] = {0, 0}, x[2] = {0.5, NAN}, largest, rounding;
  int index[2] = {0, 1};
  lim_equilibrium_search p = {.n = 2, .m = 2, .q = q, .start = start, .x = x, .index = index};
  assert_true(isinf(lim_equilibrium_search_correct(&p, &largest, &rounding)));
  x[1] = INFINITY;
  q[1] = 2;
  assert_true(isinf(lim_equilibrium_search_correct(&p, &largest, &rounding)));
  x[1] = 0.25;
  q[1] = 2;
  assert_true(lim_equilibrium_search_correct(&p, &largest, &rounding) == 0.5 && largest == 1.75);
}

// A rope of 60 links, clamped level: under its weight w L it turns down within sqrt(2 EI/w L) of its clamped
// end, in the limit of a long rope that is bent there only.
static void rope_of_many_links_hangs(void **state) {
  (void)state;
  char text[8000];
  int at = snprintf(text, sizeof text,
                    "limber: 1\nmaterials: {m: {E: 200 GPa, nu: 0.25, rho: 8000}}\n"
                    "sections: {s: {shape: circle, diameter: 20 mm}}\nlinks:\n");
  for (int i = 0; i < 60; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: l%d, beam: {length: 1, section: s, material: m, elements: 1}}\n", i);
  rest r = {.model = parse(text)};
  lim_error err = {0};
  if (lim_static_new(&r.s, r.model, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  const double area = M_PI * 1e-4, EI = 200e9 * M_PI * 1e-8 / 4, weight = 8000 * area * 9.81 * 60;
  const double *tip = frame_of(r, "tip")->position;
  assert_true(fabs(tip[0] / sqrt(2 * EI / weight) - 1) < 0.06);
  assert_true(fabs(tip[2] + 60) < 0.6 && fabs(tip[1]) < 1e-9);
  rest_free(r);
}

// kappa GA grows, EI does not: digits go, which is told, until none is left, which is no lack of stability.
static void shear_factors_beyond_rounding_are_told(void **state) {
  (void)state;
  static const char *kappa[] = {"1e6", "1e12"};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "limber: 1\nmaterials: {m: {E: 210 GPa, nu: 0.3, rho: 7800}}\n"
             "sections: {s: {shape: rectangle, y: 5 mm, z: 20 mm, kappa: %s}}\n"
             "links: [{name: arm, joint: {type: fixed}, beam: {length: 1, section: s, material: m, element: "
             "timoshenko}}]\n",
             kappa[i]);
    rest r = {.model = parse(text)};
    lim_error err = {0};
    lim_code code = lim_static_new(&r.s, r.model, NULL, &err);
    assert_int_equal(code, i ? LIM_FAILED : LIM_OK);
    assert_non_null(strstr(i ? err.note[0].text : err.warning[0].text, i ? "condition number" : "rounding"));
    lim_error_clear(&err);
    rest_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(correction_that_is_no_number_does_not_converge),
      cmocka_unit_test(rope_of_many_links_hangs),
      cmocka_unit_test(shear_factors_beyond_rounding_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
