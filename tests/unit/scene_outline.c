// scene_outline.c - outlines of sections: their areas are those of the sections, their sense is
// counter-clockwise.
#include "link_fixture.h"

#include "beam/mesh.h"
#include "kind_numbers.h"
#include "scene/outline.h"

static double area(const double p[][2], int n) {
  double twice = 0;
  for (int i = 0; i < n; i++) twice += p[i][0] * p[(i + 1) % n][1] - p[(i + 1) % n][0] * p[i][1];
  return twice / 2;
}

static double area_of(const lim_outline *o) {
  return area((const double(*)[2])o->outer, o->outer_count) -
         area((const double(*)[2])o->inner, o->inner_count);
}

// Of the whole beam between two sections, at its middle.
static void check(const char *from, const char *to, double tolerance) {
  char text[512];
  snprintf(text, sizeof text,
           "limber: 1\n" MATERIAL "sections: {a: %s, b: %s}\nlinks:\n  - name: arm\n    beam: {length: 1, "
           "section: {from: a, to: b}, material: m, elements: 1}\n",
           from, to);
  lim_model *m = parse(text);
  lim_mesh *mesh;
  assert_int_equal(lim_mesh_new(&mesh, m, 0, lim_mesh_segment(&m->links.item[0].beam, 0), NULL), LIM_OK);
  lim_outline o = lim_outline_of(&mesh->element[0], 0.5), end = lim_outline_of(&mesh->element[0], 1);
  assert_true(area((const double(*)[2])o.outer, o.outer_count) > 0);
  NEAR(area_of(&o), lim_mesh_section(mesh, 0.5).A, tolerance);
  assert_true(lim_outline_equal(&o, &o));
  assert_int_equal(lim_outline_equal(&o, &end), !strcmp(from, to));
  lim_mesh_free(mesh);
  lim_model_free(m);
}

static void outline_area_is_that_of_the_section(void **state) {
  (void)state;
  const char *const sections[] = {"{shape: rectangle, y: 10 mm, z: 20 mm}",
                                  "{shape: rectangle, y: 20 mm, z: 50 mm}",
                                  "{shape: box, y: 40 mm, z: 60 mm, wall: 3 mm}",
                                  "{shape: box, y: 60 mm, z: 30 mm, wall: 2 mm}",
                                  "{shape: i-beam, y: 80 mm, z: 40 mm, web: 4 mm, flange: 6 mm}",
                                  "{shape: i-beam, y: 60 mm, z: 30 mm, web: 4 mm, flange: 6 mm}"};
  for (int i = 0; i < 6; i += 2) {
    check(sections[i], sections[i], 1e-12);
    check(sections[i], sections[i + 1], 1e-12);
  }
  check("{shape: circle, diameter: 30 mm}", "{shape: circle, diameter: 30 mm}", 0.01); // 32 corners
  check("{shape: tube, outer: 60 mm, inner: 50 mm}", "{shape: tube, outer: 30 mm, inner: 20 mm}", 0.01);
}

static void outline_of_a_general_section_needs_its_size(void **state) {
  (void)state;
  lim_section s = {.shape = LIM_SECTION_general, .A = 1, .y = 0, .z = 0};
  lim_element e = {.from = &s, .to = &s};
  assert_int_equal(lim_outline_of(&e, 0).outer_count, 0);
  s.y = s.z = 0.1;
  assert_int_equal(lim_outline_of(&e, 0).outer_count, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outline_area_is_that_of_the_section),
      cmocka_unit_test(outline_of_a_general_section_needs_its_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
