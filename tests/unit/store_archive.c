// store_archive.c - result.h5 read back: channels, shapes, model; also after the program was killed.
#include "store_fixture.h"

#include "store/archive.h"
#include "store/reading.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static int read_set(hid_t file, const char *name, double *out, int buffer) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  assert_true(set >= 0);
  hid_t space = H5Dget_space(set);
  int count = (int)H5Sget_simple_extent_npoints(space);
  assert_true(count <= buffer);
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
  assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 0), NULL), LIM_OK);
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
  assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 0), NULL), LIM_OK);
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
    assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 2.0 * i / (MOMENTS - 1)), NULL), LIM_OK);
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
    lim_recorder_record(r, arm_snapshot(&x, 1e-3 * i), NULL);
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
  hid_t file = H5Fopen(in(*state, "result.h5.part").text, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  assert_true(file >= 0);
  double value[2000];
  assert_true(read_set(file, "channels/hub.position", value, 2000) > 100);
  assert_true(read_set(file, "shapes/time", value, 2000) > 100);
  H5Fclose(file);
}

// --- whatever ends a writer, what it has flushed is there ---

// Write row after row, hub.position = row, in groups; after every flush say by `pipe` how many are there.
static void write_on(const char *directory, int pipe, long max) {
  enum { GROUP = 7 };
  arm x;
  arm_start(&x, HUB);
  const lim_recorder_setup setup = {.model = x.s->model, .directory = directory};
  lim_channels *channels;
  lim_archive a;
  double value[8] = {0};
  lim_channels_new(&channels, x.s, NULL);
  lim_code code = lim_archive_start(&a, "simulate", &setup, channels, arm_snapshot(&x, 0), NULL);
  for (long i = 0; code == LIM_OK && i < max; i++) {
    value[0] = (double)i;
    code = lim_archive_row(&a, arm_snapshot(&x, 1e-3 * (double)i), value, 1, NULL);
    if (code == LIM_OK && i % GROUP == GROUP - 1) {
      code = lim_archive_flush(&a, NULL);
      if (code == LIM_OK && write(pipe, &(long){i + 1}, sizeof(long)) < 0) _exit(2);
    }
  }
  lim_archive_free(&a);
  _exit(code == LIM_OK ? 0 : 1);
}

// The last number that a writer has said before it ended.
static long last_of(int pipe, long last) {
  long next;
  while (read(pipe, &next, sizeof next) == sizeof next) last = next;
  return last;
}

static void check_rows(const char *directory, long flushed) {
  lim_reading *r;
  lim_error err = {0};
  lim_code code = lim_reading_open(&r, in(directory, "result.h5.part").text, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_true(r->rows >= flushed);
  for (long i = 0; i < r->rows; i++) NEAR(r->channel[0].value[i], (double)i, 0);
  lim_reading_close(r);
}

static void writer_killed_at_any_moment_loses_nothing_that_was_flushed(void **state) {
  enum { KILLS = 500 };
  srand(1);
  for (int k = 0; k < KILLS; k++) {
    int ends[2];
    long flushed = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) write_on(*state, ends[1], 1000000);
    close(ends[1]);
    assert_int_equal(read(ends[0], &flushed, sizeof flushed), sizeof flushed); // the first flush
    usleep((useconds_t)(rand() % 4000));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    check_rows(*state, last_of(ends[0], flushed));
    close(ends[0]);
  }
}

static void full_disk_leaves_what_was_flushed(void **state) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){200000, 200000}); // as a disk that is full
    write_on(*state, ends[1], 1000000);
  }
  close(ends[1]);
  long flushed = last_of(ends[0], 0);
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1); // it failed and said so
  assert_true(flushed > 0);
  check_rows(*state, flushed);
  close(ends[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIRECTORY(hdf5_gives_channels_model_and_attributes_back),
      WITH_DIRECTORY(hdf5_shapes_follow_the_centre_lines),
      WITH_DIRECTORY(hdf5_shapes_show_the_difference_from_the_rigid_arm),
      WITH_DIRECTORY(long_runs_keep_all_moments_and_thin_out_shapes),
      WITH_DIRECTORY(killed_run_leaves_readable_parts),
      WITH_DIRECTORY(writer_killed_at_any_moment_loses_nothing_that_was_flushed),
      WITH_DIRECTORY(full_disk_leaves_what_was_flushed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
