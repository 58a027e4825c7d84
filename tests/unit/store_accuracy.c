// store_accuracy.c - tests of what is made finer and richer to tell the error of a run, and of the histories
// that are compared.
#include "fixture.h"

#include "store/accuracy.h"

#include <math.h>

#define ARM                                                                                                    \
  "limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"           \
  "sections: {s: {shape: rectangle, y: 10 mm, z: 20 mm}}\nlinks:\n  - name: arm\n"                             \
  "    beam: {length: 0.5, section: s, material: m, elements: 8}\n"                                            \
  "solver: {duration: 10 ms, step: 2 ms}\n"

static lim_model *arm_with(const char *a, const char *b) {
  const char *set[] = {a, b};
  return parse_with(ARM, set, !!a + !!b);
}

// --- finer ---

static void finer_steps_are_half_and_of_adaptive_methods_the_tolerance(void **state) {
  (void)state;
  lim_model *m = arm_with(NULL, NULL), finer;
  lim_accuracy_finer(&finer, m);
  assert_true(finer.solver.step == m->solver.step / 2);
  assert_true(finer.outputs.every == m->solver.step); // the same moments
  lim_model_free(m);
  m = arm_with("solver.method=cvode", "solver.tolerance=1e-6");
  lim_accuracy_finer(&finer, m);
  assert_true(finer.solver.step == m->solver.step);
  assert_true(fabs(finer.solver.tolerance / 1e-8 - 1) < 1e-12);
  lim_model_free(m);
  m = arm_with("solver.method=cvode", "solver.tolerance=1e-12"); // as far as numbers reach
  lim_accuracy_finer(&finer, m);
  assert_true(finer.solver.tolerance == 1e-12);
  lim_model_free(m);
}

// --- richer ---

static void richer_arm_has(const char *a, const char *b, lim_basis_type type, int count, int elements,
                           int segments) {
  lim_arena arena = {0};
  lim_model *m = arm_with(a, b), richer;
  assert_int_equal(lim_accuracy_richer(&richer, &arena, m, NULL), LIM_OK);
  const lim_link *link = &richer.links.item[0];
  assert_int_equal(link->basis.type, type);
  assert_int_equal(link->basis.count, count);
  assert_int_equal(link->beam.elements, elements);
  assert_int_equal(link->beam.segments, segments);
  assert_ptr_not_equal(link, &m->links.item[0]);
  lim_arena_free(&arena);
  lim_model_free(m);
}

static void richer_bases_carry_forces_at_the_tip(void **state) {
  (void)state;
  richer_arm_has(NULL, NULL, LIM_BASIS_FULL, 0, 16, 2);
  richer_arm_has("links.arm.basis={type: modes, count: 2}", NULL, LIM_BASIS_CRAIG_BAMPTON, 6, 16, 2);
  richer_arm_has("links.arm.basis={type: craig-bampton, count: 2}", NULL, LIM_BASIS_CRAIG_BAMPTON, 8, 16, 2);
  richer_arm_has("links.arm.basis={type: rigid}", NULL, LIM_BASIS_RIGID, 0, 8, 1);
}

static void richer_bases_of_small_meshes_are_full(void **state) {
  (void)state;
  richer_arm_has("links.arm.basis={type: modes, count: 10}", NULL, LIM_BASIS_FULL, 0, 16, 2);
  richer_arm_has("links.arm.basis={type: modes, count: 2}", "links.arm.beam.elements=2", LIM_BASIS_FULL, 0, 4,
                 2);
  richer_arm_has("links.arm.beam.elements=150", NULL, LIM_BASIS_FULL, 0, 200, 2);
  richer_arm_has("links.arm.beam={length: 1, section: s, material: m, elements: 150, segments: 150}", NULL,
                 LIM_BASIS_FULL, 0, 200, 200);
}

// --- histories ---

static lim_history history_of(double (*f)(double t), double step, int n) {
  lim_history h = {.channels = 2};
  for (int i = 0; i < n; i++) {
    double value[] = {f(step * i), -f(step * i)};
    assert_true(lim_history_add(&h, step * i, value));
  }
  return h;
}

static double arch(double t) { return 3 - (t - 1.03) * (t - 1.03); }
static double jump(double t) { return t < 1.05 ? 1 : -0.2; }

static void peak_between_moments_is_that_of_a_smooth_channel(void **state) {
  (void)state;
  lim_history h = history_of(arch, 0.1, 3000);
  for (int k = 0; k < 2; k++) {
    assert_true(lim_history_peak(&h, k, false) > 8e4); // the far end
    h.count = 21;
    assert_true(fabs(lim_history_peak(&h, k, true) - 3) < 1e-12);
    assert_true(fabs(lim_history_peak(&h, k, false) - arch(1)) < 1e-12);
    h.count = 3000;
  }
  lim_history_free(&h);
  h = history_of(jump, 0.1, 21);
  assert_true(lim_history_peak(&h, 0, true) == 1); // no parabola through a jump
  lim_history_free(&h);
}

static void value_between_moments_is_on_a_line(void **state) {
  (void)state;
  lim_history h = history_of(jump, 0.1, 21);
  assert_true(fabs(lim_history_at(&h, 0, 1.05) - 0.4) < 1e-12);
  assert_true(lim_history_at(&h, 1, -1) == -1 && lim_history_at(&h, 0, 9) == -0.2);
  assert_true(fabs(lim_history_at(&h, 0, 0.1) - 1) < 1e-15);
  lim_history_free(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finer_steps_are_half_and_of_adaptive_methods_the_tolerance),
      cmocka_unit_test(richer_bases_carry_forces_at_the_tip),
      cmocka_unit_test(richer_bases_of_small_meshes_are_full),
      cmocka_unit_test(peak_between_moments_is_that_of_a_smooth_channel),
      cmocka_unit_test(value_between_moments_is_on_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
