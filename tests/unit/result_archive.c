// result_archive.c - result.h5 read back: channels, shapes, model; also after the program was killed.
#include "result_files_fixture.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static int read_set(hid_t file, const char *name, double *out, int room) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  assert_true(set >= 0);
  hid_t space = H5Dget_space(set);
  int count = (int)H5Sget_simple_extent_npoints(space);
  assert_true(count <= room);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return count;
}

static void check_text(hid_t id, bool attribute, const char *name, const char *expected) {
  hid_t on = attribute ? H5Aopen(id, name, H5P_DEFAULT) : H5Dopen2(id, name, H5P_DEFAULT);
  hid_t type = attribute ? H5Aget_type(on) : H5Dget_type(on);
  char *text = calloc(1, H5Tget_size(type) + 1);
  if (attribute)
    H5Aread(on, type, text);
  else
    H5Dread(on, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  assert_string_equal(text, expected);
  free(text);
  H5Tclose(type);
  attribute ? H5Aclose(on) : H5Dclose(on);
}

static void hdf5_gives_channels_model_and_attributes_back(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, HUB, *state);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  double value[16];
  assert_int_equal(read_set(file, "time", value, 16), 3);
  NEAR(value[2], 1.5, 0);
  assert_int_equal(read_set(file, "channels/hub.position", value, 16), 3);
  NEAR(value[1], 0.25, 0);
  assert_int_equal(read_set(file, "channels/energy.balance", value, 16), 3);
  NEAR(value[1], 0.0625 / 6, 1e-15);
  hid_t set = H5Dopen2(file, "channels/hub.position", H5P_DEFAULT);
  check_text(set, true, "unit", "rad");
  H5Dclose(set);
  check_text(file, true, "mode", "nonlinear");
  check_text(file, true, "method", "generalized-alpha");
  check_text(file, true, "version", LIM_VERSION);
  check_text(file, true, "status", "done");
  check_text(file, false, "model", HUB);
  H5Fclose(file);
  lim_recorder_free(r);
  arm_end(&x);
}

#define SPLIT                                                                                                  \
  HEAD("[0, 0, 0]")                                                                                            \
  "solver: {duration: 1 s}\nlinks:\n  - name: arm\n"                                                           \
  "    beam: {length: 500 mm, section: s, material: m, elements: 4, segments: 2}\n"                            \
  "  - name: hand\n    joint: {type: fixed}\n    body: {mass: 1, tip: [0, 0.2, 0]}\n"

static void hdf5_shapes_follow_the_centre_lines(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, SPLIT, *state);
  double d = 0.02, t = 0.3, q = 0.8;
  x.q[0] = q;
  x.q[coordinate(&x, 0, 2, 1)] = d;
  x.q[coordinate(&x, 0, 2, 5)] = t;
  assert_int_equal(lim_recorder_record(r, arm_moment(&x, 0), NULL), LIM_OK);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDONLY, H5P_DEFAULT);
  double p[64], turn[64], rigid[64], at[16], link[16];
  assert_int_equal(read_set(file, "shapes/x", at, 16), 7); // 5 nodes of the beam, 2 of the body
  assert_int_equal(read_set(file, "shapes/link", link, 16), 7);
  assert_int_equal(read_set(file, "shapes/position", p, 64), 21);
  assert_int_equal(read_set(file, "shapes/rotation", turn, 64), 21);
  assert_int_equal(read_set(file, "shapes/reference", rigid, 64), 21);
  for (int i = 0; i < 5; i++) NEAR(at[i], 0.125 * i, 1e-14);
  NEAR(link[4], 0, 0);
  NEAR(link[5], 1, 0);
  double along = 0.25 + 0.25 * cos(t), across = d + 0.25 * sin(t); // the beam's tip in its own frame
  NEAR(p[12], along * cos(q) - across * sin(q), 1e-6);
  NEAR(p[13], along * sin(q) + across * cos(q), 1e-6);
  NEAR(turn[14], q + t, 1e-6);
  NEAR(p[18], p[12] - 0.2 * sin(q + t), 1e-6);
  NEAR(rigid[12], 0.5, 1e-6); // the reference stands at the configuration
  NEAR(rigid[19], 0.2, 1e-6);
  H5Fclose(file);
  lim_recorder_free(r);
  arm_end(&x);
}

// Bent to a circle of curvature k and stretched by e: M = E I k, N = E A e all along.
static const double CURVATURE = 0.01, STRETCH = 1e-5;

static void circle(double u[6], double at) {
  memset(u, 0, 6 * sizeof *u);
  u[0] = STRETCH * at;
  u[1] = CURVATURE * at * at / 2;
  u[5] = CURVATURE * at;
}

#define BENT                                                                                                   \
  HEAD("[0, 0, 0]") "solver: {duration: 1 s}\nlinks:\n  - {name: arm, joint: {name: hub}, " BEAM "}\n"

static void hdf5_shapes_show_the_difference_from_the_rigid_arm(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, BENT, *state);
  x.q[0] = x.rq[0] = 0.5;
  arm_bend(&x, 0, circle);
  assert_int_equal(lim_recorder_record(r, arm_moment(&x, 0), NULL), LIM_OK);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDONLY, H5P_DEFAULT);
  double moved[12], turn[12], rigid[6], place[12], stress[4], strain[4];
  assert_int_equal(read_set(file, "shapes/displacement", moved, 12), 12);
  assert_int_equal(read_set(file, "shapes/turn", turn, 12), 12);
  assert_int_equal(read_set(file, "shapes/rigid", rigid, 6), 6);
  assert_int_equal(read_set(file, "shapes/place", place, 12), 12);
  assert_int_equal(read_set(file, "shapes/stress", stress, 4), 4);
  assert_int_equal(read_set(file, "shapes/strain", strain, 4), 4);
  H5Fclose(file);
  double along = STRETCH * L, across = CURVATURE * L * L / 2;
  NEAR(place[9], L, 1e-12);
  NEAR(moved[9], along * cos(0.5) - across * sin(0.5), 1e-6);
  NEAR(moved[10], along * sin(0.5) + across * cos(0.5), 1e-6);
  NEAR(turn[11], CURVATURE * L, 1e-6);
  NEAR(rigid[5], 0.5, 1e-6);
  for (int i = 0; i < 4; i++) {
    NEAR(strain[i], STRETCH + CURVATURE * SIZE_Y / 2, 1e-6);
    NEAR(stress[i], E * strain[i], 1e-6);
  }
  lim_recorder_free(r);
  arm_end(&x);
}

static void long_runs_keep_all_moments_and_thin_out_shapes(void **state) {
  enum { MOMENTS = 5001 };
  arm x;
  lim_recorder *r = recorder(&x, TURNING, *state);
  for (int i = 0; i < MOMENTS; i++) {
    x.q[0] = 1e-3 * i;
    assert_int_equal(lim_recorder_record(r, arm_moment(&x, 2.0 * i / (MOMENTS - 1)), NULL), LIM_OK);
  }
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDONLY, H5P_DEFAULT);
  double *value = malloc(MOMENTS * sizeof *value);
  assert_int_equal(read_set(file, "channels/hub.position", value, MOMENTS), MOMENTS);
  for (int i = 0; i < MOMENTS; i++) NEAR(value[i], 1e-3 * i, 0);
  int frames = read_set(file, "shapes/time", value, MOMENTS);
  assert_in_range(frames, 1500, 2001);
  NEAR(value[0], 0, 0);
  NEAR(value[frames - 1], 2, 1e-15);
  free(value);
  H5Fclose(file);
  lim_recorder_free(r);
  arm_end(&x);
}

// A child records for longer than the time between two flushes and is killed.
static void record_and_die(const char *directory) {
  arm x;
  lim_recorder *r = recorder(&x, TURNING, directory);
  time_t end = time(NULL) + 3;
  for (int i = 0; time(NULL) < end; i++) {
    lim_recorder_record(r, arm_moment(&x, 1e-3 * i), NULL);
    usleep(5000);
  }
  raise(SIGKILL);
}

static void killed_run_leaves_readable_parts(void **state) {
  pid_t child = fork();
  if (child == 0) record_and_die(*state);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_false(exists(*state, "channels.csv"));
  char *csv = content(*state, "channels.csv.part");
  assert_int_equal(strncmp(csv, "t [s],tip.position.x [m],", 25), 0);
  assert_non_null(strstr(csv, "\n0.1,"));
  free(csv);
  hid_t file = H5Fopen(in(*state, "result.h5.part").text, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  double value[2000];
  assert_true(read_set(file, "channels/hub.position", value, 2000) > 100);
  assert_true(read_set(file, "shapes/time", value, 2000) > 100);
  H5Fclose(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIRECTORY(hdf5_gives_channels_model_and_attributes_back),
      WITH_DIRECTORY(hdf5_shapes_follow_the_centre_lines),
      WITH_DIRECTORY(hdf5_shapes_show_the_difference_from_the_rigid_arm),
      WITH_DIRECTORY(long_runs_keep_all_moments_and_thin_out_shapes),
      WITH_DIRECTORY(killed_run_leaves_readable_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
