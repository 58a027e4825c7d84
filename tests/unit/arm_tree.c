// arm_tree.c - locations of a link and the segments that hold them; what lies at a seam of two segments.
#include "fixture.h"

#include "path/assembly.h"

static lim_arm *arm_of(lim_model **m, double length, int segments, const char *more) {
  char text[2000];
  lim_arm *s = NULL;
  snprintf(
      text, sizeof text,
      "limber: 1\nmaterials: {m: {E: 70 GPa, rho: 2700}}\nsections: {s: {shape: tube, outer: 20 mm, inner: "
      "18 mm}}\nlinks:\n  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, basis: {type: modes, count: "
      "2}, "
      "beam: {length: %.17g, section: s, material: m, elements: %d, segments: %d}%s}\n",
      length, segments, segments, more);
  *m = parse(text);
  lim_error err = {0};
  if (lim_arm_new(&s, *m, false, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  return s;
}

static void location_at_a_seam_is_on_the_segment_before_it(void **state) {
  (void)state;
  for (int segments = 1; segments <= 12; segments++) {
    lim_model *m;
    lim_arm *s = arm_of(&m, 0.7, segments, "");
    for (int k = 0; k <= segments; k++) {
      double local;
      int body = lim_arm_segment(&local, s, 0, (double)k / segments);
      assert_int_equal(body, k ? k - 1 : 0);
      assert_true(fabs(local - (k ? 1 : 0)) < 1e-12);
      if (k == segments) continue;
      assert_int_equal(lim_arm_segment(&local, s, 0, (k + 0.25) / segments), k);
      assert_true(fabs(local - 0.25) < 1e-12);
    }
    lim_arm_free(s);
    lim_model_free(m);
  }
}

static double mass_of(const lim_arm *s) {
  double sum = 0;
  for (int i = 0; i < s->nbody; i++) sum += s->bodies[i].body->mass;
  return sum;
}

// 0.9 of a length and the end of the ninth of ten segments differ by rounding: either may be the larger one.
static void mass_at_a_seam_counts_once(void **state) {
  (void)state;
  for (int i = 1; i <= 20; i++)
    for (int k = 1; k < 10; k++) {
      lim_model *m[2];
      char more[100];
      snprintf(more, sizeof more, ", masses: [{at: %g, mass: 5}]", 0.1 * k);
      lim_arm *bare = arm_of(&m[0], 0.01 * i, 10, ""), *s = arm_of(&m[1], 0.01 * i, 10, more);
      double added = mass_of(s) - mass_of(bare);
      if (fabs(added - 5) > 1e-12) fail_msg("%g m, mass at 0.%d: %g kg instead of 5", 0.01 * i, k, added);
      lim_arm_free(s);
      lim_arm_free(bare);
      lim_model_free(m[0]);
      lim_model_free(m[1]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(location_at_a_seam_is_on_the_segment_before_it),
      cmocka_unit_test(mass_at_a_seam_counts_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
