// Files that a model names: in its folder, or where they are allowed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "model/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// top/own is the model's folder, top/other another; each has a table t.csv. own/link.csv leads to other/t.csv,
// own/inner.csv to own/t.csv, own/door to other.
typedef struct {
  char top[64], own[80], other[80];
} place;

static void write_file(const char *folder, const char *name, const char *text) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void write_link(const place *p, const char *name, const char *to) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", p->own, name);
  assert_int_equal(symlink(to, path), 0);
}

static int start(void **state) {
  static place p;
  snprintf(p.top, sizeof p.top, "/tmp/limber-files-XXXXXX");
  if (!mkdtemp(p.top)) return 1;
  snprintf(p.own, sizeof p.own, "%s/own", p.top);
  snprintf(p.other, sizeof p.other, "%s/other", p.top);
  if (mkdir(p.own, 0700) || mkdir(p.other, 0700)) return 1;
  write_file(p.own, "t.csv", "0,0\n1,1\n");
  write_file(p.other, "t.csv", "0,0\n1,1\n");
  write_link(&p, "link.csv", "../other/t.csv");
  write_link(&p, "inner.csv", "t.csv");
  write_link(&p, "door", "../other");
  *state = &p;
  return 0;
}

static int end(void **state) {
  const place *p = *state;
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", p->top);
  return system(command);
}

static void model_naming(char text[512], const char *file) {
  snprintf(text, 512,
           "limber: 1\nlinks: [{name: a, body: {mass: 1, inertia: [1, 1, 1]}}]\n"
           "motion: {a: {profile: table, file: '%s'}}\n",
           file);
}

// Whether a model file that names another is taken; a message points to the name.
static lim_code loaded(const place *p, const char *file, const char *allow, lim_error *err) {
  char text[512], path[160];
  lim_model *m;
  model_naming(text, file);
  write_file(p->own, "arm.yaml", text);
  snprintf(path, sizeof path, "%s/arm.yaml", p->own);
  const lim_code code =
      lim_model_load_with(&m, path, &(lim_model_setup){.allow = &allow, .nallow = allow != NULL}, err);
  if (code == LIM_BAD_INPUT) {
    assert_int_equal(err->count, 1);
    assert_string_equal(err->note[0].file, path);
    assert_int_equal(err->note[0].line, 3);
    assert_int_equal(err->note[0].column, 36);
  }
  lim_model_free(m);
  return code;
}

static void taken(const place *p, const char *file, const char *allow) {
  lim_error err = {0};
  if (loaded(p, file, allow, &err) != LIM_OK) fail_msg("%s: %s", file, err.note[0].text);
}

static void refused(const place *p, const char *file, const char *allow, const char *suggested) {
  lim_error err = {0};
  char say[200];
  if (loaded(p, file, allow, &err) != LIM_BAD_INPUT) fail_msg("%s is taken", file);
  snprintf(say, sizeof say, "motion 'a': '%s' is outside the model's folder; say --allow %s to let", file,
           suggested);
  if (strncmp(err.note[0].text, say, strlen(say))) fail_msg("'%s' instead of '%s'", err.note[0].text, say);
  lim_error_clear(&err);
}

static void files_in_the_models_folder_are_taken(void **state) {
  const place *p = *state;
  char path[160];
  taken(p, "t.csv", NULL);
  taken(p, "./t.csv", NULL);
  taken(p, "../own/t.csv", NULL);
  taken(p, "inner.csv", NULL);
  taken(p, "missing.csv", NULL); // which is another message, when it is read
  snprintf(path, sizeof path, "%s/t.csv", p->own);
  taken(p, path, NULL);
}

static void files_outside_are_refused(void **state) {
  const place *p = *state;
  char path[160], up[160];
  refused(p, "/etc/passwd", NULL, "/etc");
  refused(p, "/etc/no-such-file", NULL, "/etc"); // whether it exists is not told
  refused(p, "/dev/zero", NULL, "/dev");
  snprintf(up, sizeof up, "%s/../other", p->own);
  refused(p, "../other/t.csv", NULL, up);
  snprintf(up, sizeof up, "%s/none/../../other", p->own);
  refused(p, "none/../../other/none.csv", NULL, up);
  snprintf(path, sizeof path, "%s-too/t.csv", p->own); // begins like the folder
  snprintf(up, sizeof up, "%s-too", p->own);
  refused(p, path, NULL, up);
  refused(p, "link.csv", NULL, p->other);
  refused(p, "door/t.csv", NULL, p->other);
  snprintf(up, sizeof up, "%s/../other", p->own);
  refused(p, "../other/t.csv", "/usr", up);
}

static void files_that_are_allowed_are_taken(void **state) {
  const place *p = *state;
  char path[160];
  snprintf(path, sizeof path, "%s/t.csv", p->other);
  taken(p, path, p->other);
  taken(p, path, path);
  taken(p, path, "/");
  taken(p, "../other/t.csv", p->top);
  taken(p, "link.csv", p->other);
  snprintf(path, sizeof path, "%s/door", p->own);
  taken(p, "door/t.csv", path);
  lim_error err = {0};
  assert_int_equal(loaded(p, "t.csv", "/no/such/folder", &err), LIM_IO);
  assert_non_null(strstr(err.note[0].text, "--allow '/no/such/folder' cannot be read"));
  lim_error_clear(&err);
}

// From memory: the folder is what the simulation is given.
static lim_code simulated(const char *file, const char *folder, const char *allow, lim_error *err) {
  char text[512];
  lim_model *m;
  lim_sim *sim;
  model_naming(text, file);
  const lim_model_setup setup = {.allow = &allow, .nallow = allow != NULL};
  assert_int_equal(lim_model_parse_with(&m, text, (long)strlen(text), "text", &setup, err), LIM_OK);
  const lim_code code = lim_sim_new(&sim, m, folder, err);
  lim_sim_free(sim);
  lim_model_free(m);
  return code;
}

static void files_of_a_model_from_memory_are_in_the_given_folder(void **state) {
  const place *p = *state;
  lim_error err = {0};
  assert_int_equal(simulated("t.csv", p->own, NULL, &err), LIM_OK);
  assert_int_equal(simulated("../other/t.csv", p->own, p->other, &err), LIM_OK);
  const char *const outside[] = {"../other/t.csv", "link.csv", "/etc/passwd"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(simulated(outside[i], p->own, NULL, &err), LIM_BAD_INPUT);
    assert_int_equal(err.count, 1);
    assert_non_null(strstr(err.note[0].text, "is outside the model's folder"));
    lim_error_clear(&err);
  }
  lim_error_clear(&err);
}

static void requests_that_are_none_are_refused(void **state) {
  (void)state;
  lim_model *m;
  const char *const none[] = {NULL};
  lim_error err = {0};
  assert_int_equal(lim_model_load_with(&m, "models/two-link.yaml", NULL, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_load_with(&m, "x", &(lim_model_setup){.nallow = -1}, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_load_with(&m, "x", &(lim_model_setup){.nallow = 1}, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_load_with(&m, "x", &(lim_model_setup){.allow = none, .nallow = 1}, &err),
                   LIM_BAD_INPUT);
  assert_int_equal(err.count, 4);
  lim_error_clear(&err);
}

// A key that names a file has the kind that is checked.
static void walk(const lim_table *table, int depth, int *files) {
  for (lim_key_walk w = lim_key_walk_start(table); depth < 8 && lim_key_next(&w);) {
    const lim_key *key = w.key;
    *files += key->kind == &lim_file;
    if (key->kind == &lim_string && strstr(key->help, "file")) fail_msg("key '%s' is not checked", key->name);
    if (key->table) walk(key->table, depth + 1, files);
  }
}

static void keys_that_name_files_are_checked(void **state) {
  (void)state;
  int files = 0;
  walk(&lim_root_table, 0, &files);
  assert_true(files >= 6);
}

static void streams_belong_to_the_working_directory(void **state) {
  (void)state;
  const char *const of[][2] = {{"/dev/stdin", "."},
                               {"/proc/self/fd/0", "."},
                               {"arm.yaml", "."},
                               {"a/b/arm.yaml", "a/b"},
                               {"/arm.yaml", "/"}};
  for (int i = 0; i < 5; i++) {
    char *folder = lim_file_folder(of[i][0]);
    assert_string_equal(folder, of[i][1]);
    free(folder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_in_the_models_folder_are_taken),
      cmocka_unit_test(files_outside_are_refused),
      cmocka_unit_test(files_that_are_allowed_are_taken),
      cmocka_unit_test(files_of_a_model_from_memory_are_in_the_given_folder),
      cmocka_unit_test(requests_that_are_none_are_refused),
      cmocka_unit_test(keys_that_name_files_are_checked),
      cmocka_unit_test(streams_belong_to_the_working_directory),
  };
  return cmocka_run_group_tests(tests, start, end);
}
