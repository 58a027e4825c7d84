// fe_load.c - tests of what is refused about files of links from finite elements, once they are read: where,
// and why.
#include "verification/fe_fixture.h"

#define HEAD                                                                                                   \
  "limber: 1\n"                                                                                                \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {s: {shape: general, A: 400 mm^2, Iy: 40000 mm^4, Iz: 20000 mm^4, J: 30000 mm^4}}\n"              \
  "links:\n"

enum { NODES = 5, LAST = 6 * (NODES - 1) };

// A beam of four elements, 0.5 m along x, of 0.54 kg.
static part beam(void) {
  return part_of_beam(HEAD "  - {name: a, beam: {length: 0.5 m, section: s, material: m, elements: 4}}\n");
}

#define FE_OF(count, more)                                                                                     \
  "limber: 1\n"                                                                                                \
  "links:\n"                                                                                                   \
  "  - name: arm\n"                                                                                            \
  "    basis: {type: craig-bampton, count: " count "}\n"                                                       \
  "    fe:\n"                                                                                                  \
  "      stiffness: @/beam-k.mtx\n"                                                                            \
  "      mass: @/beam-m.mtx\n"                                                                                 \
  "      nodes: @/beam.csv\n" more
#define FE(more) FE_OF("2", more)
#define FRAMES   "      frames: {base: {nodes: [1]}, tip: {nodes: [5]}}\n"

static double *at(double *A, const part *p, int i, int j) { return &A[i * p->ndof + j]; }

// The message begins so, and stands in this line of the model, or of a file of the folder.
static void expect(const char *text, const char *file, int line, const char *message) {
  lim_model *m = NULL;
  lim_error err = {0};
  const lim_code code = try_model(&m, text, NULL, &err);
  if (code != LIM_BAD_INPUT) print_notes(&err);
  assert_int_equal(code, LIM_BAD_INPUT);
  assert_null(m);
  assert_true(err.kept > 0);
  const char *slash = strrchr(err.note[0].file, '/');
  if (strncmp(err.note[0].text, message, strlen(message)) != 0) fail_msg("%s", err.note[0].text);
  assert_string_equal(slash ? slash + 1 : err.note[0].file, file);
  assert_int_equal(err.note[0].line, line);
  lim_error_clear(&err);
}

// The part as it is in *p, which ends here.
static void expect_part(part *p, const char *text, const char *file, int line, const char *message) {
  part_write(p, "beam");
  part_free(p);
  expect(text, file, line, message);
}

static void good_part_is_read(void **state) {
  (void)state;
  part p = beam();
  part_write(&p, "beam");
  part_free(&p);
  lim_model *m = fe_model(FE(FRAMES), NULL);
  assert_int_equal(m->links.item[0].fe.link->n, 8);
  lim_model_free(m);
}

// --- what the matrices are ---

// A spring to ground along z at the middle node, so much beside the sum of the diagonal along z.
static void ground(part *p, double share) {
  double sum = 0;
  for (int i = 0; i < p->nnode; i++) sum += *at(p->K, p, 6 * i + 2, 6 * i + 2);
  *at(p->K, p, 14, 14) += share * sum;
}

static void supports_are_told_with_their_direction(void **state) {
  (void)state;
  part p = beam();
  ground(&p, 0.01);
  expect_part(
      &p, FE(FRAMES), "test.yaml", 6,
      "link 'arm': the mesh is grounded: moving along z as a whole (file axes) costs 0.0099 of the energy "
      "that its freedoms would cost one by one; write the matrices without supports");
  p = beam();
  *at(p.K, &p, LAST + 3, LAST + 3) *= 1.5; // twist of the last node
  expect_part(&p, FE(FRAMES), "test.yaml", 6, "link 'arm': the mesh is grounded: turning about x as a whole");
}

static void weak_supports_are_warned_of(void **state) {
  (void)state;
  part p = beam();
  ground(&p, 1e-6);
  part_write(&p, "beam");
  part_free(&p);
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_equal(try_model(&m, FE(FRAMES), NULL, &err), LIM_OK);
  assert_int_equal(err.warnings, 1);
  assert_non_null(strstr(err.warning[0].text, "link 'arm': motions as a whole cost "));
  lim_error_clear(&err);
  lim_model_free(m);
}

// Bending becomes negative, rigid motions stay free.
static void indefinite_stiffness_is_refused(void **state) {
  (void)state;
  part p = beam();
  for (int i = 0; i < p.ndof * p.ndof; i++) p.K[i] = -p.K[i];
  expect_part(
      &p, FE(FRAMES), "test.yaml", 4,
      "link 'arm': its stiffness is indefinite: with all frames held 18 motions would give energy back");
}

static void part_that_hangs_on_nothing_is_refused(void **state) {
  (void)state;
  part p = beam();
  for (int e = 0; e < 6; e++) // the middle node by itself
    for (int i = 0; i < p.ndof; i++) *at(p.K, &p, 12 + e, i) = *at(p.K, &p, i, 12 + e) = 0;
  part_write(&p, "beam");
  part_free(&p);
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_equal(try_model(&m, FE(FRAMES), NULL, &err), LIM_BAD_INPUT);
  assert_int_equal(err.note[0].line, 6); // what is left is no longer free to move as a whole
  lim_error_clear(&err);
}

static void mass_of_no_body_is_refused(void **state) {
  (void)state;
  part p = beam();
  for (int i = 0; i < p.ndof * p.ndof; i++) p.M[i] = -p.M[i];
  expect_part(&p, FE(FRAMES), "test.yaml", 6, "link 'arm': its mass is -0.54 kg, must be positive");
  p = beam();
  for (int i = 0; i < p.nnode; i++) *at(p.M, &p, 6 * i + 3, 6 * i + 3) -= 1;
  expect_part(&p, FE(FRAMES), "test.yaml", 6, "link 'arm': its moments of inertia [");
  p = beam();
  for (int i = 6; i < LAST; i += 6) *at(p.M, &p, i + 3, i + 3) -= 1;
  *at(p.M, &p, 3, 3) += 3; // what is taken from the others
  expect_part(&p, FE(FRAMES), "test.yaml", 6, "link 'arm': the mass of node 2 about x is -0.99");
}

static void wrong_units_are_told(void **state) {
  (void)state;
  part p = beam();
  part_write(&p, "beam");
  part_free(&p);
  expect(FE("      units: {length: mm}\n" FRAMES), "test.yaml", 9,
         "link 'arm': its mass is 0.54 kg in a box of 0.0005 x 0 x 0 m");
  expect(FE("      units: {length: km}\n" FRAMES), "test.yaml", 9,
         "link 'arm': its mass is 0.54 kg in a box of 500 x 0 x 0 m");
  expect(FE("      units: {mass: t}\n" FRAMES), "test.yaml", 9,
         "link 'arm': its mass is 540 kg in a box of 0.5 x 0 x 0 m");
}

// --- what the files hold ---

static void replace(const char *name, const char *text) {
  FILE *file = open_file(name, "");
  fputs(text, file);
  fclose(file);
}

static void put_beam(void) {
  part p = beam();
  part_write(&p, "beam");
  part_free(&p);
}

static void matrix_that_is_not_symmetric_is_refused(void **state) {
  (void)state;
  part p = beam();
  part_write(&p, "beam");
  FILE *file = open_file("beam-k.mtx", "");
  for (int i = 0; i < p.ndof; i++)
    for (int j = 0; j < p.ndof; j++)
      if (*at(p.K, &p, i, j) != 0)
        fprintf(file, "%d %d %.17g\n", i + 1, j + 1, (i == 7 && j == 17 ? 1.01 : 1) * *at(p.K, &p, i, j));
  fclose(file);
  part_free(&p);
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_equal(try_model(&m, FE(FRAMES), NULL, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].file, "beam-k.mtx"));
  assert_non_null(strstr(err.note[0].text, "the matrix is not symmetric: row 8, column 18 is "));
  assert_true(err.note[0].line > 0);
  lim_error_clear(&err);
}

static void sets_that_are_missing_are_told(void **state) {
  (void)state;
  put_beam();
  expect(FE("      frames: {base: {nodes: ROOT}, tip: {nodes: [5]}}\n"), "test.yaml", 9,
         "link 'arm', fe-frame 'base': the mesh has no set of nodes 'ROOT'");
  expect(FE("      frames: {base: {nodes: [1]}, tip: {nodes: [9]}}\n"), "test.yaml", 9,
         "link 'arm', fe-frame 'tip': the mesh has no node '9'");
  expect(FE("      frames: {base: {nodes: [1]}, tip: {nodes: [5, 5]}}\n"), "test.yaml", 9,
         "link 'arm', fe-frame 'tip': node 5 is named twice");
  expect(FE("      frames: {base: {nodes: [1]}, tip: {nodes: [1]}}\n"), "test.yaml", 9,
         "link 'arm', fe-frame 'tip': node 1 belongs to frame 'base' as well");
  expect(FE("      frames: {base: {nodes: [1]}, tip: {nodes: [4, 5], coupling: mean}}\n"), "test.yaml", 9,
         "link 'arm', fe-frame 'tip': its 2 nodes cannot turn with it about every axis");
}

static void nodes_that_stand_twice_are_told(void **state) {
  (void)state;
  put_beam();
  replace("beam.csv", "1, 0, 0, 0\n2, 0.1, 0, 0\n2, 0.2, 0, 0\n");
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_equal(try_model(&m, FE(FRAMES), NULL, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].file, "beam.csv"));
  assert_int_equal(err.note[0].line, 3);
  lim_error_clear(&err);
}

// Every file cut off anywhere is refused, at a place.
static void files_that_are_cut_off_are_told(void **state) {
  (void)state;
  static const char *const name[] = {"beam-k.mtx", "beam-m.mtx", "beam.csv"};
  for (int k = 0; k < 3; k++)
    for (int eighths = 1; eighths < 8; eighths++) {
      char full[100];
      lim_model *m = NULL;
      lim_error err = {0};
      put_beam();
      snprintf(full, sizeof full, "%s/%s", FOLDER, name[k]);
      FILE *file = fopen(full, "r");
      fseek(file, 0, SEEK_END);
      const long size = ftell(file);
      fclose(file);
      assert_int_equal(truncate(full, size * eighths / 8), 0);
      assert_int_equal(try_model(&m, FE(FRAMES), NULL, &err), LIM_BAD_INPUT);
      assert_non_null(err.note[0].file);
      assert_true(err.note[0].line > 0);
      lim_error_clear(&err);
    }
}

static void more_modes_than_there_are_are_refused(void **state) {
  (void)state;
  put_beam();
  expect(FE_OF("19", FRAMES), "test.yaml", 4,
         "link 'arm': basis has count 19, but with its frames held the mesh has only 18 modes");
}

// --- states of loads ---

static void state_of_another_mesh_is_refused(void **state) {
  (void)state;
  part p = beam();
  part_write(&p, "beam");
  ground(&p, 0.5);
  write_matrix("beam", "-spin.mtx", p.K, p.ndof);
  part_free(&p);
  expect(FE(FRAMES "      prestressed: [{spin: [0, 0, 10], stiffness: @/beam-spin.mtx}]\n"), "test.yaml", 10,
         "link 'arm', prestressed: displacements of the whole mesh change its energy by ");
}

// --- matrices that were reduced elsewhere ---

#define REDUCED                                                                                                \
  "limber: 1\n"                                                                                                \
  "links:\n"                                                                                                   \
  "  - name: arm\n"                                                                                            \
  "    fe:\n"                                                                                                  \
  "      reduced: {mass: @/small-m.mtx, stiffness: @/small-k.mtx}\n"                                           \
  "      frames: {base: {xyz: [0, 0, 0]}, tip: {xyz: [0.5, 0, 0]}}\n"

static void reduced_matrices_are_checked(void **state) {
  (void)state;
  part p = part_of_beam(HEAD "  - {name: a, beam: {length: 0.5 m, section: s, material: m, elements: 1}}\n");
  write_matrix("small", "-k.mtx", p.K, 12);
  write_matrix("small", "-m.mtx", p.M, 12);
  lim_model_free(fe_model(REDUCED, NULL));
  write_matrix("small", "-m.mtx", p.M, 6);
  expect(REDUCED, "test.yaml", 5, "link 'arm': the mass matrix has ");
  *at(p.K, &p, 7, 7) *= 1.01;
  write_matrix("small", "-k.mtx", p.K, 12);
  write_matrix("small", "-m.mtx", p.M, 12);
  expect(REDUCED, "test.yaml", 5, "link 'arm': turning about z as a whole costs ");
  part_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_part_is_read),
      cmocka_unit_test(supports_are_told_with_their_direction),
      cmocka_unit_test(weak_supports_are_warned_of),
      cmocka_unit_test(indefinite_stiffness_is_refused),
      cmocka_unit_test(part_that_hangs_on_nothing_is_refused),
      cmocka_unit_test(mass_of_no_body_is_refused),
      cmocka_unit_test(wrong_units_are_told),
      cmocka_unit_test(matrix_that_is_not_symmetric_is_refused),
      cmocka_unit_test(sets_that_are_missing_are_told),
      cmocka_unit_test(nodes_that_stand_twice_are_told),
      cmocka_unit_test(files_that_are_cut_off_are_told),
      cmocka_unit_test(more_modes_than_there_are_are_refused),
      cmocka_unit_test(state_of_another_mesh_is_refused),
      cmocka_unit_test(reduced_matrices_are_checked),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
