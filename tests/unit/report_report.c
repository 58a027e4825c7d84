// report_report.c - the page of recorded results: size, hostile names, what cannot be shown.
#include "store_fixture.h"

#include "fe_tube.h"
#include "memory_fixture.h"
#include "report/describe.h"
#include "report/page.h"
#include "report/report.h"
#include "store/snapshot_file.h"

#include <hdf5.h>

static lim_code report_on(lim_report **r, const char *result, lim_error *err) {
  return lim_report_new(r, &result, 1, err);
}

// --- size ---

#define EIGHT_LINK(name)                                                                                       \
  "  - {name: " name ", joint: {axis: [0, 1, 0]}, beam: {length: 0.5, section: t, material: m, elements: 10}," \
  " basis: {type: modes, count: 4}, gauges: [{name: g, at: 0.05}]}\n"
#define EIGHT_OUT(name)                                                                                        \
  name ".position, " name ".velocity, " name ".effort, " name ".moment, " name ".g.strain, "

static const char EIGHT[] =
    "limber: 1\nname: eight\nmaterials: {m: {E: 70 GPa, nu: 0.25, rho: 2000}}\n"
    "sections: {t: {shape: tube, outer: 60 mm, inner: 54 mm}}\nlinks:\n" EIGHT_LINK("a") EIGHT_LINK("b")
        EIGHT_LINK("c") EIGHT_LINK("d") EIGHT_LINK("e") EIGHT_LINK("f") EIGHT_LINK("g")
            EIGHT_LINK("h") "solver: {duration: 10 s, step: 1 ms}\noutputs: {channels: [" EIGHT_OUT("a")
                EIGHT_OUT("b") EIGHT_OUT("c") EIGHT_OUT("d") EIGHT_OUT("e") EIGHT_OUT("f") EIGHT_OUT("g")
                    EIGHT_OUT("h") "tip, energy]}\n";

// 10 s at 1 kHz of eight links that turn, bend and shiver: worse to pack than a real motion.
static void report_of_ten_seconds_of_eight_links_stays_small(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, EIGHT, *state);
  unsigned seed = 3;
  for (int i = 0; i <= 10000; i++) {
    for (int k = 0; k < x.s->n; k++) {
      x.q[k] = 1e-3 * sin(1e-2 * i * (k % 7 + 1) + k) + 1e-5 * noise(&seed);
      x.v[k] = cos(1e-2 * i * (k % 7 + 1) + k) + 1e-2 * noise(&seed);
      x.effort[k] = noise(&seed);
    }
    x.m.energy_balance = (lim_energy_balance){1 + noise(&seed), 1, 1, noise(&seed), 1, 1e-6 * noise(&seed)};
    assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 1e-3 * i), NULL), LIM_OK);
  }
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  lim_recorder_free(r);
  arm_end(&x);
  lim_report *page;
  assert_int_equal(report_on(&page, *state, NULL), LIM_OK);
  print_message("report: %.1f MB\n", 1e-6 * (double)page->html.length);
  assert_true(page->html.length < 20e6);
  assert_non_null(strstr(page->html.text, "\"thinned\": true"));
  assert_non_null(strstr(page->html.text, "\"rows\": 10001"));
  lim_report_free(page);
}

// --- names ---

#define HOSTILE "</script><img src=x onerror=alert(1)>"

static int count(const char *text, const char *word) {
  int n = 0;
  for (text = strstr(text, word); text; text = strstr(text + 1, word)) n++;
  return n;
}

static void hostile_names_are_text(void **state) {
  arm x;
  lim_recorder *r = recorder(&x,
                             "limber: 1\nname: '" HOSTILE "'\ngravity: [0, 0, 0]\nlinks:\n"
                             "  - {name: '</script><b>&', body: {mass: 2, tip: [0.5, 0, 0]}}\n"
                             "solver: {duration: 2 s}\n",
                             *state);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  lim_error err = {0};
  LIM_FAIL(&err, LIM_FAILED, "it went <b>wrong</b>");
  assert_int_equal(lim_recorder_end(r, &(lim_run){.status = LIM_RUN_FAILED}, &err), LIM_OK);
  lim_error_clear(&err);
  lim_recorder_free(r);
  arm_end(&x);
  assert_int_equal(lim_report_folder(*state, NULL), LIM_OK);
  assert_false(exists(*state, "report.html.part"));
  lim_report *page;
  assert_int_equal(report_on(&page, *state, NULL), LIM_OK);
  assert_null(strstr(page->html.text, "<img src=x"));
  assert_int_equal(count(page->html.text, "</script"), count(lim_page, "</script"));
  assert_non_null(strstr(page->html.text, "\"name\": \"\\u003c/script\\u003e\\u003cb\\u003e\\u0026\""));
  assert_non_null(strstr(page->html.text, "\\u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e"));
  assert_non_null(strstr(page->html.text, "\"status\": \"failed\""));
  assert_non_null(strstr(page->html.text, "it went \\u003cb\\u003ewrong"));
  lim_report_free(page);
}

static void channels_have_groups_by_their_names(void **state) {
  (void)state;
  const char *const names[] = {"tip.error.x",     "tip.position.y",   "hub.position",
                               "hub.effort",      "hub.moment.z",     "arm.section.0.5.force.x",
                               "arm.root.strain", "arm.deflection.y", "energy.kinetic",
                               "frequency.2",     "tendon.length",    "energy.tip.position.x",
                               "floor.depth",     "hub.stop"};
  const char *const groups[] = {"tool error", "tool",    "joints",      "efforts", "reactions",
                                "sections",   "strains", "deflections", "energy",  "frequencies",
                                "other",      "tool",    "contacts",    "stops"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(lim_channel_group(names[i]), groups[i]);
}

// --- several results, memory ---

static void record_into(const char *directory) {
  arm x;
  lim_recorder *r = recorder(&x, HUB, directory);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  lim_recorder_free(r);
  arm_end(&x);
}

static void several_results_of_one_mode_are_called_by_their_folders(void **state) {
  path a = in(*state, "first"), b = in(*state, "second/first");
  record_into(a.text);
  record_into(b.text);
  path file = in(*state, "first/result.h5");
  const char *const results[] = {a.text, b.text, file.text};
  lim_report *page;
  assert_int_equal(lim_report_new(&page, results, 3, NULL), LIM_OK);
  assert_string_equal(page->run[0].label, "first");
  assert_string_equal(page->run[1].label, "first (2)");
  assert_string_equal(page->run[2].label, "first (3)");
  assert_non_null(strstr(page->html.text, "\"title\": \"turning\""));
  lim_report_free(page);
}

static void report_survives_every_failed_allocation(void **state) {
  failing = 0;
  record_into(*state);
  for (long n = 1; n == 1 || calls >= failing; n++) { // until none fails
    fail_call(n);
    lim_report *page = NULL;
    lim_code code = report_on(&page, *state, NULL);
    assert_true((code == LIM_OK) == (page != NULL));
    if (calls < n) assert_int_equal(code, LIM_OK);
    lim_report_free(page);
    assert_int_equal(live, 0);
    assert_true(n < 10000);
  }
  failing = 0;
}

#define TWO                                                                                                    \
  HEAD("[0, 0, -9.81]")                                                                                        \
  "links:\n  - {name: arm, " BEAM ", masses: [{name: p, at: 0.4, mass: 1}]}\n"                                 \
  "  - {name: hand, joint: {type: fixed}, body: {mass: 1, tip: [0, 0.2, 0]}}\n"

static void survive_at_rest(const char *directory, const char *text) {
  failing = 0;
  lim_model *m = parse(text);
  lim_static *s;
  lim_modes *x;
  assert_int_equal(lim_static_new(&s, m, NULL, NULL), LIM_OK);
  assert_int_equal(lim_modes_new(&x, m, NULL, LIM_JOINTS_LOCKED, 2, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = directory, .text = text};
  for (int k = 0; k < 2; k++) {
    failing = calls = 0;
    for (long n = 1; n == 1 || calls >= failing; n++) {
      fail_call(n);
      lim_code code = k ? lim_snapshot_file_write_modes(&setup, x, "{}", NULL)
                        : lim_snapshot_file_write_static(&setup, s, "{}", NULL);
      if (calls < n) assert_int_equal(code, LIM_OK);
      assert_int_equal(live, 0);
      assert_true(n < 10000);
    }
  }
  failing = 0;
  lim_modes_free(x);
  lim_static_free(s);
  lim_model_free(m);
}

static void results_at_rest_survive_every_failed_allocation(void **state) {
  survive_at_rest(*state, TWO);
  survive_at_rest(*state, FE_TUBE);
}

// --- surfaces ---

static void write_tube(const char *directory) {
  lim_model *m = parse(FE_TUBE "drives: {hub: {type: prescribed}}\n");
  lim_static *s;
  assert_int_equal(lim_static_new(&s, m, NULL, NULL), LIM_OK);
  const lim_recorder_setup setup = {.model = m, .directory = directory};
  assert_int_equal(lim_snapshot_file_write_static(&setup, s, "{}", NULL), LIM_OK);
  lim_static_free(s);
  lim_model_free(m);
}

static void surface_is_packed_into_few_digits(void **state) {
  failing = 0;
  write_tube(*state);
  lim_report *page;
  assert_int_equal(report_on(&page, *state, NULL), LIM_OK);
  const char *at = strstr(page->html.text, "\"surfaces\":");
  assert_non_null(at);
  for (int i = 0; i < 8; i++) {
    static const char *const key[] = {"\"link\": 0",      "\"vertex\":", "\"triangle\":", "\"i32\"",
                                      "\"coordinates\":", "\"shape\":",  "\"i16\"",       "\"strain\":"};
    if (!strstr(at, key[i])) fail_msg("%s is missing", key[i]);
  }
  assert_int_equal(count(page->html.text, "\"i16\""), 2);
  print_message("page: %.0f kB, with the tube %.0f kB\n", 1e-3 * (double)strlen(lim_page),
                1e-3 * (double)page->html.length);
  assert_true(page->html.length < strlen(lim_page) + 150000);
  lim_report_free(page);
}

static void surface_without_edges_is_shown(void **state) {
  failing = 0;
  write_tube(*state);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, "shapes/surfaces/0/edge", H5P_DEFAULT) >= 0);
  H5Fclose(file);
  lim_report *page;
  assert_int_equal(report_on(&page, *state, NULL), LIM_OK);
  assert_non_null(strstr(page->html.text, "\"shape\": [0, 2]"));
  lim_report_free(page);
}

static void triangle_without_vertex_is_damage(void **state) {
  failing = 0;
  write_tube(*state);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "shapes/surfaces/0/triangle", H5P_DEFAULT);
  static int index[1 << 16];
  assert_true(H5Dget_storage_size(set) < sizeof index);
  assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, index) >= 0);
  index[7] = 1 << 20;
  assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, index) >= 0);
  H5Dclose(set);
  H5Fclose(file);
  lim_report *page;
  assert_int_equal(report_on(&page, *state, NULL), LIM_IO);
}

// --- what cannot be shown ---

static void change_format(const char *directory, double format) {
  hid_t file = H5Fopen(in(directory, "result.h5").text, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t a = H5Aopen(file, "format", H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_DOUBLE, &format);
  H5Aclose(a);
  H5Fclose(file);
}

static void newer_format_is_refused(void **state) {
  record_into(*state);
  change_format(*state, 2);
  lim_report *page;
  lim_error err = {0};
  assert_int_equal(report_on(&page, *state, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].text, "newer limber"));
  lim_error_clear(&err);
}

static void scene_that_is_no_json_is_damage(void **state) {
  record_into(*state);
  hid_t file = H5Fopen(in(*state, "result.h5").text, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "scene", H5P_DEFAULT), type = H5Dget_type(set);
  static char text[1 << 16];
  assert_true(H5Tget_size(type) < sizeof text);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
  assert_int_equal(text[0], '{');
  text[0] = '[';
  assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
  H5Tclose(type);
  H5Dclose(set);
  H5Fclose(file);
  lim_report *page;
  assert_int_equal(report_on(&page, *state, NULL), LIM_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIRECTORY(report_of_ten_seconds_of_eight_links_stays_small),
      WITH_DIRECTORY(hostile_names_are_text),
      cmocka_unit_test(channels_have_groups_by_their_names),
      WITH_DIRECTORY(several_results_of_one_mode_are_called_by_their_folders),
      WITH_DIRECTORY(report_survives_every_failed_allocation),
      WITH_DIRECTORY(results_at_rest_survive_every_failed_allocation),
      WITH_DIRECTORY(surface_is_packed_into_few_digits),
      WITH_DIRECTORY(surface_without_edges_is_shown),
      WITH_DIRECTORY(triangle_without_vertex_is_damage),
      WITH_DIRECTORY(newer_format_is_refused),
      WITH_DIRECTORY(scene_that_is_no_json_is_damage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
