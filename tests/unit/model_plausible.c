// Doubts about values: every model of tests/doubtful raises those after its "# warn: ", in their order, and
// models that are right raise none.
#include "model_fixture.h"

#include <glob.h>

static const char ARM[] =
    "limber: 1\n" MATERIALS SECTIONS "links:\n  - {name: arm, joint: {name: shoulder}, " BEAM "}\n";

// The model of a file, with the doubts about it; the caller clears err.
static void load(const char *path, lim_error *err) {
  lim_model *m = NULL;
  *err = (lim_error){0};
  lim_code code = lim_model_load(&m, path, NULL, 0, err);
  print_notes(err);
  assert_int_equal(code, LIM_OK);
  lim_model_free(m);
}

static void every_file(const char *pattern, int min, void (*check)(const char *path)) {
  glob_t found;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  assert_true((int)found.gl_pathc >= min);
  for (size_t i = 0; i < found.gl_pathc; i++) check(found.gl_pathv[i]);
  globfree(&found);
}

static void expects_its_warnings(const char *path) {
  static const char mark[] = "# warn: ";
  char line[1024], expected[1400];
  int count = 0;
  lim_error err;
  load(path, &err);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) && !strncmp(line, mark, sizeof mark - 1)) {
    line[strcspn(line, "\n")] = 0;
    snprintf(expected, sizeof expected, "%s:%s", path, line + sizeof mark - 1);
    if (count >= err.warnings) fail_msg("no warning '%s'", expected);
    assert_string_equal(err.warning[count++].text, expected);
  }
  fclose(file);
  assert_true(count > 0);
  if (count < err.warnings) fail_msg("%s: unexpected '%s'", path, err.warning[count].text);
  lim_error_clear(&err);
}

static void doubtful_models_raise_their_warnings(void **state) {
  (void)state;
  every_file("tests/doubtful/*.yaml", 50, expects_its_warnings);
}

static void raises_nothing(const char *path) {
  lim_error err;
  load(path, &err);
  if (err.warnings) fail_msg("%s: '%s'", path, err.warning[0].text);
  lim_error_clear(&err);
}

static void models_that_are_right_raise_none(void **state) {
  (void)state;
  every_file("models/*.yaml", 25, raises_nothing);
  every_file("examples/*.yaml", 1, raises_nothing);
}

// The doubts about the arm with one override; the first text into `text`.
static int doubts_with(const char *set, char text[512]) {
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_equal(lim_model_parse(&m, ARM, (long)strlen(ARM), "arm.yaml", &set, 1, &err), LIM_OK);
  int count = err.warnings;
  snprintf(text, 512, "%s", count ? err.warning[0].text : "");
  lim_model_free(m);
  lim_error_clear(&err);
  return count;
}

static void override_is_the_place_of_its_doubt(void **state) {
  (void)state;
  char text[512];
  assert_int_equal(doubts_with("configuration.shoulder=45", text), 1);
  assert_string_equal(text,
                      "--set configuration.shoulder: configuration 'shoulder': position is 45 rad, more than "
                      "two turns; did you mean 45 deg? (write '45 rad' if not)");
}

static void what_a_doubt_asks_for_ends_it(void **state) {
  (void)state;
  static const char *const sets[] = {"configuration.shoulder=45 deg", "configuration.shoulder=45 rad",
                                     "links.arm.damping.ratio=0.5 %", "links.arm.damping.ratio=50 %",
                                     "materials.alu.E=70000 MPa",     "materials.alu.E=210000 Pa",
                                     "materials.alu.rho=0",           "gravity=[0, 0, -9810 mm/s^2]"};
  char text[512];
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    if (doubts_with(sets[i], text)) fail_msg("%s: %s", sets[i], text);
}

// The doubts about a body of these principal moments, turned about its third axis.
static int doubts_of_turned(const double I[3], double angle) {
  char text[400];
  double c = cos(angle), s = sin(angle);
  snprintf(text, sizeof text,
           "limber: 1\nlinks:\n  - {name: arm, body: {mass: 5, tip: [1, 0, 0], inertia: [%.17g, %.17g, %.17g, "
           "%.17g, "
           "0, 0]}}\n",
           c * c * I[0] + s * s * I[1], s * s * I[0] + c * c * I[1], I[2], c * s * (I[0] - I[1]));
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_equal(lim_model_parse(&m, text, (long)strlen(text), "arm.yaml", NULL, 0, &err), LIM_OK);
  int count = err.warnings;
  lim_model_free(m);
  lim_error_clear(&err);
  return count;
}

// Moments of ellipsoids raise no doubt, turned as they may be; with one that is 10 % above the sum of the
// others they do.
static void triangle_inequality_holds_in_all_axes(void **state) {
  (void)state;
  unsigned seed = 7;
  for (int k = 0; k < 60; k++) {
    double r[3], I[3];
    fill(r, 3, 1, &seed);
    for (int i = 0; i < 3; i++) I[i] = pow(r[(i + 1) % 3], 2) + pow(r[(i + 2) % 3], 2);
    double angle = 3 * noise(&seed);
    assert_int_equal(doubts_of_turned(I, angle), 0);
    I[k % 3] = 1.1 * (I[(k + 1) % 3] + I[(k + 2) % 3]);
    assert_int_equal(doubts_of_turned(I, angle), 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubtful_models_raise_their_warnings),
      cmocka_unit_test(models_that_are_right_raise_none),
      cmocka_unit_test(override_is_the_place_of_its_doubt),
      cmocka_unit_test(what_a_doubt_asks_for_ends_it),
      cmocka_unit_test(triangle_inequality_holds_in_all_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
