// store_reading.c - results read back: what was recorded, parts, results without channels, and files that are
// damaged, cut off, or no results at all.
#include "store_fixture.h"

#include "base/hdf5/h5.h"
#include "store/reading.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

// HDF5 loses memory on damaged files; ours is still counted by the sanitizer.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

// result.h5 of three moments.
static void record(const char *directory, const char *text) {
  arm x;
  lim_recorder *r = recorder(&x, text, directory);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  lim_recorder_free(r);
  arm_end(&x);
}

static void open_fails(const char *at, const char *reason) {
  lim_reading *r;
  lim_error err = {0};
  assert_int_equal(lim_reading_open(&r, at, &err), LIM_IO);
  assert_null(r);
  assert_int_equal(err.count, 1);
  if (!strstr(err.note[0].text, reason)) fail_msg("'%s' does not say '%s'", err.note[0].text, reason);
  lim_error_clear(&err);
}

static void reading_gives_back_what_was_recorded(void **state) {
  static const char *const name[] = {"hub.position", "energy.kinetic", "energy.balance", "hub.effort"};
  static const char *const unit[] = {"rad", "J", "-", "N m"};
  lim_reading *r;
  record(*state, HUB);
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  assert_false(r->part);
  assert_int_equal(r->rows, 3);
  assert_int_equal(r->count, 4);
  NEAR(r->time[2], 1.5, 0);
  for (int i = 0; i < 4; i++) { // in the order of the model file, not of the alphabet
    assert_string_equal(r->channel[i].name, name[i]);
    assert_string_equal(r->channel[i].unit, unit[i]);
  }
  NEAR(r->channel[0].value[1], 0.25, 0);
  NEAR(r->channel[3].value[2], -1.0 / 3, 0);
  assert_string_equal(lim_reading_text(r, "name"), "turning");
  assert_string_equal(lim_reading_text(r, "model"), HUB);
  NEAR(lim_reading_number(r, "step"), 0.5, 0);
  const char *const *set;
  assert_int_equal(lim_reading_texts(&set, r, "overrides"), 1);
  assert_string_equal(set[0], "solver.step=0.5 s");
  long shape[3];
  const float *at = lim_reading_floats(r, "shapes/position", shape);
  assert_true(shape[0] == 3 && shape[1] == 2 && shape[2] == 3);
  NEAR(at[3], 0.5, 1e-7);
  assert_non_null(lim_reading_floats(r, "shapes/link", shape)); // integers
  assert_true(shape[0] == 2 && shape[1] == 1 && shape[2] == 1);
  lim_reading_close(r);
}

static void what_is_not_there_is_told_apart(void **state) {
  lim_reading *r;
  long shape[3];
  const char *const *list;
  record(*state, HUB);
  assert_int_equal(lim_reading_open(&r, in(*state, "result.h5").text, NULL), LIM_OK);
  assert_null(lim_reading_text(r, "nothing"));
  assert_null(lim_reading_text(r, "step"));     // a number
  assert_null(lim_reading_text(r, "channels")); // a group
  assert_true(isnan(lim_reading_number(r, "nothing")));
  assert_true(isnan(lim_reading_number(r, "mode"))); // a text
  assert_int_equal(lim_reading_texts(&list, r, "nothing"), 0);
  assert_int_equal(lim_reading_texts(&list, r, "time"), 0);
  assert_null(lim_reading_floats(r, "shapes/nothing", shape));
  assert_null(lim_reading_floats(r, "nothing/position", shape));
  assert_null(lim_reading_floats(r, "model", shape));
  assert_null(lim_reading_floats(r, "shapes", shape));
  lim_reading_close(r);
}

static void slash_in_a_name_comes_back(void **state) {
  lim_reading *r;
  record(*state, "limber: 1\nlinks:\n  - name: a/b\n    body: {mass: 1, tip: [1, 0, 0]}\n"
                 "solver: {duration: 2 s}\noutputs: {channels: [a/b.position]}\n");
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  assert_string_equal(r->channel[0].name, "a/b.position");
  lim_reading_close(r);
}

static void result_without_channels_is_fine(void **state) {
  lim_reading *r;
  lim_h5 file = lim_h5_create(in(*state, "result.h5").text);
  lim_h5_set_text(file, "version", LIM_VERSION);
  lim_h5_set_text(file, "kind", "modes");
  lim_h5_close(file);
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  assert_int_equal(r->rows, 0);
  assert_int_equal(r->count, 0);
  assert_string_equal(lim_reading_text(r, "kind"), "modes");
  lim_reading_close(r);
}

// As left by a program that was killed between the writing of two lists.
static void write_part(const char *at, long of_second) {
  static const double x[] = {1, 2, 3};
  lim_h5_list time = {.set = -1}, a = time, b = time;
  lim_h5 file = lim_h5_create(at), group = lim_h5_group(file, "channels");
  lim_h5_set_text(file, "version", LIM_VERSION);
  lim_h5_list_start(&time, file, "time", "s", 4);
  lim_h5_list_start(&a, group, "z", "m", 4);
  lim_h5_list_start(&b, group, "a", "m", 4);
  lim_h5_list_add(&time, x, 3);
  lim_h5_list_add(&a, x, 3);
  lim_h5_list_add(&b, x, of_second);
  lim_h5_list_end(&time);
  lim_h5_list_end(&a);
  lim_h5_list_end(&b);
  lim_h5_group_close(group);
  lim_h5_close(file);
}

static void part_gives_the_rows_that_all_channels_have(void **state) {
  lim_reading *r;
  write_part(in(*state, "result.h5.part").text, 2);
  assert_int_equal(lim_reading_open(&r, *state, NULL), LIM_OK);
  assert_true(r->part);
  assert_int_equal(r->rows, 2);
  assert_string_equal(r->channel[0].name, "z");
  lim_reading_close(r);
}

static void channels_of_other_length_are_damage(void **state) {
  write_part(in(*state, "result.h5").text, 2);
  open_fails(*state, "damaged");
}

static void write_text(const char *at, const char *text, size_t length) {
  FILE *f = fopen(at, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, length, f), length);
  fclose(f);
}

static void other_files_are_refused(void **state) {
  open_fails(in(*state, "nowhere").text, "No such file");
  open_fails(*state, "no result.h5");
  path file = in(*state, "result.h5");
  assert_int_equal(mkfifo(file.text, 0600), 0); // nobody writes to it: nobody waits
  open_fails(*state, "is a pipe or device, not a result");
  unlink(file.text);
  write_text(file.text, "", 0);
  open_fails(*state, "damaged, or no HDF5 file");
  write_text(file.text, "t [s],x [m]\n0,1\n", 16);
  open_fails(*state, "no HDF5 file");
  lim_h5 foreign = lim_h5_create(file.text);
  lim_h5_set_number(foreign, "version", 3);
  lim_h5_close(foreign);
  open_fails(*state, "no result of limber");
}

// Everything that the report and the figures ask of a result, on a file that may be wrong anywhere.
static bool read_all(const char *at) {
  lim_reading *r;
  lim_error err = {0};
  lim_code code = lim_reading_open(&r, at, &err);
  assert_true(code == LIM_OK || (code == LIM_IO && err.count == 1));
  lim_error_clear(&err);
  if (code != LIM_OK) return false;
  static const char *const shapes[] = {"shapes/position", "shapes/rotation", "shapes/reference",
                                       "shapes/time",     "shapes/link",     "shapes/x"};
  const char *const *list;
  long shape[3];
  lim_reading_text(r, "model");
  lim_reading_text(r, "status");
  lim_reading_number(r, "end");
  lim_reading_texts(&list, r, "overrides");
  lim_reading_texts(&list, r, "shapes/links");
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) lim_reading_floats(r, shapes[i], shape);
  lim_reading_close(r);
  return true;
}

typedef struct {
  char *text;
  size_t length;
} bytes;

static bytes whole(const char *at) {
  struct stat info;
  assert_int_equal(stat(at, &info), 0);
  bytes b = {malloc((size_t)info.st_size), (size_t)info.st_size};
  FILE *f = fopen(at, "rb");
  assert_int_equal(fread(b.text, 1, b.length, f), b.length);
  fclose(f);
  return b;
}

static void files_that_were_cut_off_are_refused(void **state) {
  path file = in(*state, "result.h5");
  record(*state, HUB);
  bytes b = whole(file.text);
  for (size_t n = 0; n < b.length; n += 1 + b.length / 97) {
    write_text(file.text, b.text, n);
    assert_false(read_all(file.text));
  }
  free(b.text);
}

static void flipped_bytes_never_crash(void **state) {
  path file = in(*state, "result.h5");
  record(*state, TURNING); // more channels than HDF5 lists in the head of a group
  bytes b = whole(file.text);
  int refused = 0;
  for (size_t i = 0; i < b.length; i += 1 + b.length / 1000) {
    char was = b.text[i];
    b.text[i] = (char)(was ^ (1 << i % 8));
    write_text(file.text, b.text, b.length);
    refused += !read_all(file.text);
    b.text[i] = was;
  }
  assert_true(refused > 100);
  free(b.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIRECTORY(reading_gives_back_what_was_recorded),
      WITH_DIRECTORY(what_is_not_there_is_told_apart),
      WITH_DIRECTORY(slash_in_a_name_comes_back),
      WITH_DIRECTORY(result_without_channels_is_fine),
      WITH_DIRECTORY(part_gives_the_rows_that_all_channels_have),
      WITH_DIRECTORY(channels_of_other_length_are_damage),
      WITH_DIRECTORY(other_files_are_refused),
      WITH_DIRECTORY(files_that_were_cut_off_are_refused),
      WITH_DIRECTORY(flipped_bytes_never_crash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
