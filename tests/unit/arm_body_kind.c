// arm_body_kind.c - kinds of bodies: their rows answer all that is asked, links become the right ones.
#include "fixture.h"

#include "arm/body/kind.h"

static void assert_near(double x, double y, double tolerance) { assert_true(fabs(x - y) <= tolerance); }

static void rows_answer_every_question(void **state) {
  const lim_body_kind *const rows[] = {&lim_body_is_rigid, &lim_body_is_beam, &lim_body_is_sliding};
  for (size_t i = 0; i < 3; i++) {
    const lim_body_kind *k = rows[i];
    assert_non_null(k->name);
    assert_true(k->formulation < LIM_FORMULATIONS);
    assert_true(k->is && k->count && k->build && k->loaded);
    assert_true(k->section && k->node && k->energies && k->stiffness && k->length && k->unit);
    assert_true(k->node_rates && k->part);
    assert_true(!k->strains == !k->force);
  }
  (void)state;
}

static void links_become_bodies_of_their_kind(void **state) {
  static const lim_node given;
  lim_link link = {.head = {.name = "link"}};
  assert_ptr_equal(lim_body_kind_of(&link), &lim_body_is_rigid);
  link.beam.head.node = &given;
  link.beam.length = 2;
  assert_ptr_equal(lim_body_kind_of(&link), &lim_body_is_beam);
  double range[2];
  lim_body_range(range, &link);
  assert_true(isinf(range[0]) && isinf(range[1]));
  link.joint.slide.head.node = &given;
  link.joint.slide.free_length = LIM_FREE_LENGTH_BEAM;
  assert_ptr_equal(lim_body_kind_of(&link), &lim_body_is_sliding);
  lim_body_range(range, &link);
  assert_near(range[0], 0, 0);
  assert_near(range[1], 2, 0);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_answer_every_question),
      cmocka_unit_test(links_become_bodies_of_their_kind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
