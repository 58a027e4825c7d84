// store_snapshot_file.c - result.h5 of static and modes, read back.
#include "store_fixture.h"

#include "base/draft.h"
#include "fe_tube.h"
#include "store/reading.h"
#include "store/snapshot_file.h"

#define LOADED                                                                                                 \
  HEAD("[0, 0, -9.81]")                                                                                        \
  "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    "                                             \
  "beam: {length: 500 mm, section: s, material: m, elements: 4, segments: 2}\n    basis: {type: modes, "       \
  "count: 2}\n"                                                                                                \
  "  - {name: hand, joint: {type: fixed}, body: {mass: 1, tip: [0, 0.2, 0]}}\nloads: [{along: arm, force: "    \
  "[0, 5, 0]}]\n"

static const float *floats(lim_reading *r, const char *name, long a, long b, long c) {
  long shape[3];
  const float *x = lim_reading_floats(r, name, shape);
  assert_non_null(x);
  assert_true(shape[0] == a && shape[1] == b && shape[2] == c);
  return x;
}

static void static_result_is_one_frame_with_its_stresses(void **state) {
  lim_model *m = parse(LOADED);
  lim_static *s;
  assert_int_equal(lim_static_new(&s, m, NULL, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = *state, .text = LOADED};
  assert_int_equal(lim_snapshot_file_write_static(&setup, s, "{}\n", NULL), LIM_OK);
  lim_reading *r;
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  assert_string_equal(lim_reading_text(r, "kind"), "static");
  assert_string_equal(lim_reading_text(r, "status"), "done");
  assert_non_null(lim_reading_text(r, "scene"));
  const float *moved = floats(r, "shapes/displacement", 1, 7, 3), *stress = floats(r, "shapes/stress", 1, 7, 1);
  for (int i = 0; i < 3; i++) NEAR((double)moved[12 + i], s->frames.item[2].displacement[i], 1e-6); // arm.tip
  float largest = 0;
  for (int i = 0; i < 5; i++) largest = fmaxf(largest, stress[i]);
  NEAR((double)largest, s->links.item[0].stress, 1e-6); // at the root
  assert_true(isnan(stress[5]) && isnan(stress[6]));
  lim_reading_close(r);
  assert_true(exists(*state, "summary.json"));
  assert_false(exists(*state, "result.h5.part"));
  lim_static_free(s);
  lim_model_free(m);
}

static void modes_result_has_shapes_in_world_axes(void **state) {
  lim_model *m = parse(LOADED "configuration: {arm: 90 deg}\n");
  lim_modes *x;
  assert_int_equal(lim_modes_new(&x, m, NULL, LIM_JOINTS_LOCKED, 3, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = *state};
  assert_int_equal(lim_snapshot_file_write_modes(&setup, x, "{}\n", NULL), LIM_OK);
  lim_reading *r;
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  assert_string_equal(lim_reading_text(r, "kind"), "modes");
  long shape[3];
  const double *frequency = lim_reading_doubles(r, "modes/frequency", shape);
  assert_int_equal(shape[0], 3);
  NEAR(frequency[1], x->modes.item[1].frequency, 0);
  const float *moved = floats(r, "modes/displacement", 3, 7, 3);
  for (int i = 0; i < 3; i++) {
    double largest = 0;
    for (int k = 0; k < 7; k++) {
      const float *d = moved + 21 * i + 3 * k;
      largest = fmax(largest, sqrt((double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])));
    }
    NEAR(largest, 1, 1e-6);
  }
  const double *own =
      x->modes.item[0].shape + 6 * 4; // the beam's tip in link axes: +x of the link is +y of the world
  const float *tip = moved + 3 * 4;
  NEAR((double)tip[2] * own[1], -(double)tip[0] * own[2], 1e-6);
  lim_reading_close(r);
  lim_modes_free(x);
  lim_model_free(m);
}

// Mean displacement by coordinates eta of all vertices at x = 1 m, link axes, and how many these are.
static int tip_of_tube(double out[3], lim_reading *r, const float *eta, long n) {
  long shape[3];
  const float *X = lim_reading_floats(r, "shapes/surfaces/0/vertex", shape);
  assert_true(X && shape[0] == 1 && shape[2] == 3);
  const long count = shape[1];
  const float *row = floats(r, "shapes/surfaces/0/shape", n, count, 3);
  int found = 0;
  for (int i = 0; i < 3; i++) out[i] = 0;
  for (long v = 0; v < count; v++) {
    if (X[3 * v] < 0.9999f) continue;
    found++;
    for (int i = 0; i < 3; i++)
      for (long j = 0; j < n; j++) out[i] += (double)(eta[j] * row[(j * count + v) * 3 + i]);
  }
  for (int i = 0; i < 3; i++) out[i] /= found;
  return found;
}

static void surface_bends_with_its_coordinates(void **state) {
  lim_model *m = parse(FE_TUBE "drives: {hub: {type: prescribed}}\n");
  lim_static *s;
  assert_int_equal(lim_static_new(&s, m, NULL, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = *state};
  assert_int_equal(lim_snapshot_file_write_static(&setup, s, "{}\n", NULL), LIM_OK);
  lim_reading *r;
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  long shape[3];
  double tip[3];
  const float *eta = lim_reading_floats(r, "shapes/surfaces/0/coordinates", shape);
  assert_true(eta && shape[0] == 1);
  const long n = shape[1];
  assert_true(tip_of_tube(tip, r, eta, n) > 20);
  const float *moved = floats(r, "shapes/displacement", 1, 2, 3);
  print_message("tip: %g m, of its vertices %g m\n", (double)moved[5], tip[2]);
  NEAR(tip[2], (double)moved[5], 0.01); // `mean` weighs nodes by their share of the face
  const float *stress = floats(r, "shapes/stress", 1, 2, 1);
  assert_true(stress[0] > 1e6f && stress[0] == stress[1]);
  const double *triangle = lim_reading_doubles(r, "shapes/surfaces/0/triangle", shape);
  assert_true(triangle && shape[0] > 100 && shape[1] == 3);
  assert_non_null(lim_reading_doubles(r, "shapes/surfaces/0/edge", shape));
  assert_non_null(lim_reading_floats(r, "shapes/surfaces/0/shear_modulus", shape));
  lim_reading_close(r);
  lim_static_free(s);
  lim_model_free(m);
}

static void surface_vibrates_with_its_coordinates(void **state) {
  lim_model *m = parse(FE_TUBE);
  lim_modes *x;
  assert_int_equal(lim_modes_new(&x, m, NULL, LIM_JOINTS_LOCKED, 3, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = *state};
  assert_int_equal(lim_snapshot_file_write_modes(&setup, x, "{}\n", NULL), LIM_OK);
  lim_reading *r;
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  long shape[3];
  const float *eta = lim_reading_floats(r, "modes/coordinates/0", shape);
  assert_true(eta && shape[0] == 3);
  const long n = shape[1] * shape[2];
  const float *moved = floats(r, "modes/displacement", 3, 2, 3);
  for (int i = 0; i < 3; i++) {
    double tip[3], far = 0;
    tip_of_tube(tip, r, eta + i * n, n);
    for (int c = 0; c < 3; c++) far = fmax(far, fabs(tip[c] - (double)moved[6 * i + 3 + c]));
    assert_true(far < 0.01);
  }
  lim_reading_close(r);
  lim_modes_free(x);
  lim_model_free(m);
}

static void folder_in_use_is_left_alone(void **state) {
  lim_model *m = parse(LOADED);
  lim_static *s;
  int lock;
  assert_int_equal(lim_static_new(&s, m, NULL, NULL), LIM_OK);
  assert_int_equal(lim_directory_lock(&lock, *state, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = *state};
  assert_int_equal(lim_snapshot_file_write_static(&setup, s, "{}\n", NULL), LIM_IO);
  lim_directory_unlock(lock);
  assert_false(exists(*state, "result.h5"));
  lim_static_free(s);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIRECTORY(static_result_is_one_frame_with_its_stresses),
      WITH_DIRECTORY(modes_result_has_shapes_in_world_axes),
      WITH_DIRECTORY(surface_bends_with_its_coordinates),
      WITH_DIRECTORY(surface_vibrates_with_its_coordinates),
      WITH_DIRECTORY(folder_in_use_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
