// fe_memory.c - every allocation of reading a finite-element model fails once: no crash, no leak, and the code
// says so.
#include "unit/fe_read_fixture.h"

#include "memory_fixture.h"

static const char deck[] = "*NODE, NSET=ALL\n2\n1,1\n3,1,1\n4,0,1\n*ELEMENT,TYPE=S4R,ELSET=E\n1,1,2,\n3,4\n"
                           "*ELEMENT,TYPE=MASS\n3,1\n*NSET,NSET=A,GENERATE\n1,3,2\n*NSET,NSET=B\nA,4,all\n"
                           "*INCLUDE,INPUT=more\n*SHELL SECTION,ELSET=E,MATERIAL=M\n.5\n";

static lim_code read_deck(const lim_fe_files *files) {
  lim_error err = {0};
  lim_fe_mesh *m;
  lim_arena arena = {0};
  lim_symmetric A;
  double *D;
  int n;
  lim_code code = lim_fe_read(&m, files, &err);
  if (code == LIM_OK) code = lim_fe_read_further(&A, &arena, m, files->mass, files->dofs, 1, 1, &err);
  if (code == LIM_OK) code = lim_fe_read_dense(&D, &n, &arena, files->mass, &err);
  lim_fe_mesh_free(m);
  lim_arena_free(&arena);
  lim_error_clear(&err);
  return code;
}

static void every_allocation(const lim_fe_files *files) {
  fail_call(0);
  assert_int_equal(read_deck(files), LIM_OK);
  const long all = calls;
  for (long i = 1; i <= all; i++) {
    fail_call(i);
    const lim_code code = read_deck(files);
    if (code == LIM_OK) continue; // that of a warning
    if (code != LIM_NO_MEMORY || live) fail_msg("allocation %ld: code %d, %ld blocks are left", i, code, live);
  }
  fail_call(0);
}

static void a_deck_without_memory_is_given_up(void **state) {
  place *p = *state;
  put(p, 4, "more", "*MATERIAL,NAME=M\n*ELASTIC\n2e5,.3\n");
  lim_fe_files files = {.nodes = put(p, 0, "nodes", deck),
                        .dofs = put(p, 1, "dofs", "1.1\n2.1\n9.1\n"),
                        .stiffness = put(p, 2, "K", "1 1 1\n1 2 3\n2 1 3\n3 3 1\n"),
                        .mass = put(p, 3, "M", "%%MatrixMarket matrix coordinate real general\n3 3 1\n3 3 2\n"),
                        .length = 1,
                        .mass_unit = 1};
  every_allocation(&files);
}

static void named_freedoms_without_memory_are_given_up(void **state) {
  place *p = *state;
  lim_fe_files files = {.nodes = put(p, 0, "nodes", "5,0,0,0\n7,1,0,0\n"),
                        .stiffness = put(p, 2, "K", "5,1,5,1,2\n7,1,7,1,1\n7,2,7,2,1\n"),
                        .mass = put(p, 3, "M", "5,1,5,1,2\n"),
                        .length = 1,
                        .mass_unit = 1};
  lim_fe_mesh *m;
  fail_call(0);
  assert_int_equal(lim_fe_read(&m, &files, NULL), LIM_OK);
  lim_fe_mesh_free(m);
  const long all = calls;
  for (long i = 1; i <= all; i++) {
    fail_call(i);
    const lim_code code = lim_fe_read(&m, &files, NULL);
    if (code != LIM_NO_MEMORY || live || m) fail_msg("allocation %ld: code %d, %ld blocks", i, code, live);
  }
  fail_call(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_deck_without_memory_is_given_up),
      TEST(named_freedoms_without_memory_are_given_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
