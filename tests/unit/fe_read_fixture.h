// fe_read_fixture.h - files of a finite-element program in a passing folder, and the messages that they give.
#ifndef LIM_TESTS_FE_READ_FIXTURE_H
#define LIM_TESTS_FE_READ_FIXTURE_H

#include "fixture.h"

#include "fe/read/read.h"

#include <dirent.h>
#include <unistd.h>

// A folder of its own per test.
typedef struct {
  char folder[64], path[8][96];
} place;

static inline int setup_place(void **state) {
  static place p;
  strcpy(p.folder, "/tmp/limber-fe-XXXXXX");
  *state = &p;
  return mkdtemp(p.folder) ? 0 : -1;
}

static inline int remove_place(void **state) {
  const place *p = *state;
  DIR *folder = opendir(p->folder);
  for (struct dirent *e; (e = readdir(folder));) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", p->folder, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  closedir(folder);
  return rmdir(p->folder);
}

static inline const char *path_of(place *p, int i, const char *name) {
  strcpy(p->path[i], p->folder);
  strcat(strcat(p->path[i], "/"), name);
  return p->path[i];
}

static inline const char *put(place *p, int i, const char *name, const char *text) {
  FILE *file = fopen(path_of(p, i, name), "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return p->path[i];
}

static inline lim_code read_all(lim_fe_mesh **out, place *p, const char *nodes, const char *dofs, const char *K,
                                const char *M, lim_error *err) {
  const lim_fe_files files = {.nodes = put(p, 0, "nodes", nodes),
                              .dofs = dofs ? put(p, 1, "dofs", dofs) : NULL,
                              .stiffness = put(p, 2, "K", K),
                              .mass = put(p, 3, "M", M),
                              .length = 1,
                              .mass_unit = 1};
  return lim_fe_read(out, &files, err);
}

static inline lim_fe_mesh *mesh_of(place *p, const char *nodes, const char *dofs, const char *K,
                                   const char *M) {
  lim_fe_mesh *m;
  lim_error err = {0};
  const lim_code code = read_all(&m, p, nodes, dofs, K, M, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(err.count, 0);
  lim_error_clear(&err);
  return m;
}

// The message and its line, in the file with this name.
static inline void expect_note(lim_error *err, const char *file, int line, const char *text) {
  assert_int_equal(err->count, 1);
  assert_string_equal(err->note[0].text, text);
  assert_non_null(err->note[0].file);
  assert_string_equal(strrchr(err->note[0].file, '/') + 1, file);
  assert_int_equal(err->note[0].line, line);
  lim_error_clear(err);
}

static inline void expect_wrong(place *p, const char *nodes, const char *dofs, const char *K, const char *M,
                                const char *file, int line, const char *text) {
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(read_all(&m, p, nodes, dofs, K, M, &err), LIM_BAD_INPUT);
  assert_null(m);
  expect_note(&err, file, line, text);
}

// One node, three freedoms.
static const char *const one = "7, 1, 2, 3\n", *const unit = "1 1 1\n2 2 1\n3 3 1\n";

static inline void expect_matrix(const lim_symmetric *A, int n, const double *dense) {
  assert_int_equal(A->n, n);
  for (int i = 0; i < n; i++) {
    long k = A->start[i];
    for (int j = i; j < n; j++) {
      const bool there = k < A->start[i + 1] && A->column[k] == j;
      assert_true((there ? A->value[k] : 0) == dense[i * n + j]);
      assert_true(!there || A->value[k] != 0);
      k += there;
    }
    assert_true(k == A->start[i + 1]);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_place, remove_place)

#endif
