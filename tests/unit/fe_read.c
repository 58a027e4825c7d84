// fe_read.c - tests of matrices of finite-element programs and of the freedoms of their rows: every format, and
// every message.
#include "unit/fe_read_fixture.h"

#include <locale.h>

// --- matrices ---

static const double K3[9] = {4, -1, 0, -1, 5, 0.5, 0, 0.5, 6};

static void expect_stiffness(place *p, const char *K) {
  lim_fe_mesh *m = mesh_of(p, one, NULL, K, unit);
  expect_matrix(&m->K, 3, K3);
  lim_fe_mesh_free(m);
}

static void triplets_of_a_triangle_or_of_both_are_the_same(void **state) {
  place *p = *state;
  expect_stiffness(p, "1 1 4\n1 2 -1\n2 2 5\n1 3 0\n2 3 .5\n3 3 6\n");
  expect_stiffness(p, "1 1 4\n2 1 -1\n2 2 5\n3 2 .5\n3 3 6\n");
  expect_stiffness(p, "3 3 6\n3 2 .5\n2 3 .5\n1 2 -1\n2 1 -1\n2 2 5\n1 1 4\n");
}

static void numbers_are_read_as_programs_write_them(void **state) {
  place *p = *state;
  expect_stiffness(
      p, "1, 1, 4.0D+00\r\n1,2,-1.D0\r\n2;2;5E0\r\n\r\n2 3 +5.0000000000000e-01\r\n\t3 3\t0.6d1 \r\n");
  expect_stiffness(p, "1.0 1.0e0 4\n1 2 -1.0-000\n2 2 0.00000000000000000000000005+26\n2 3 .5\n3 3 "
                      "6.000000000000000000000000\n");
}

static void expect_number(place *p, const char *text) {
  char K[100];
  int n;
  double *D;
  lim_arena arena = {0};
  snprintf(K, sizeof K, "1 1 %s\n", text);
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, put(p, 0, "K", K), NULL), LIM_OK);
  assert_int_equal(n, 1);
  if (D[0] != strtod(text, NULL)) fail_msg("%s is read as %.17g", text, D[0]);
  lim_arena_free(&arena);
}

static void numbers_are_those_of_strtod(void **state) {
  static const char *const text[] = {"1.2345678901234567e-05",
                                     "9007199254740993",
                                     "9007199254740995",
                                     "9007199254740993.5",
                                     "18014398509481986",
                                     "9999999999999999999",
                                     "1e22",
                                     "1e23",
                                     "4.9358974358974e+04",
                                     "-2.8888888888889e-10",
                                     "1.7976931348623157e308",
                                     "5e-324",
                                     "123456789012345678901234567890e-9",
                                     "0.1",
                                     "3.1415926535897931",
                                     "2.2250738585072011e-308"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) expect_number(*state, text[i]);
}

// Many numbers in one matrix, of 15 to 19 digits and all powers that are not left to strtod.
static void numbers_of_many_digits_are_those_of_strtod(void **state) {
  enum { N = 300 };
  place *p = *state;
  unsigned seed = 1;
  lim_arena arena = {0};
  int n;
  double *D, expected[N * N];
  FILE *file = fopen(path_of(p, 0, "K"), "wb");
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) {
      char text[40];
      const double x = noise(&seed) + 1e-8 * noise(&seed), scale = pow(10, 15 * noise(&seed));
      snprintf(text, sizeof text, "%.*e", 14 + (i + j) % 5, x * scale);
      fprintf(file, "%d %d %s\n", i + 1, j + 1, text);
      expected[i * N + j] = strtod(text, NULL);
    }
  fclose(file);
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, p->path[0], NULL), LIM_OK);
  assert_int_equal(n, N);
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) assert_true(D[i * N + j] == expected[i * N + j]);
  lim_arena_free(&arena);
}

static void matrix_market_files_are_read(void **state) {
  place *p = *state;
  expect_stiffness(p, "%%MatrixMarket matrix coordinate real symmetric\n% by hand\n\n3 3 5\n1 1 4\n2 1 -1\n2 2 "
                      "5\n3 2 0.5\n3 3 6\n");
  expect_stiffness(p, "%%matrixmarket MATRIX Coordinate Real General\n3 3 7\n1 1 4\n2 1 -1\n1 2 -1\n2 2 5\n3 2 "
                      "0.5\n2 3 0.5\n3 3 6\n");
  expect_stiffness(p, "%%MatrixMarket matrix array real general\n3 3\n4\n-1\n0\n-1\n5\n.5\n0\n.5\n6\n");
  expect_stiffness(p, "%%MatrixMarket matrix array real symmetric\n3 3\n4\n-1\n0\n5 .5\n6\n");
}

static void wrong_matrices_are_told(void **state) {
  place *p = *state;
  static const struct {
    const char *K;
    int line;
    const char *text;
  } wrong[] = {
      {"", 0, "the file has no entries"},
      {"\n\n", 2, "the file has no entries"},
      {"1 1 1\n1 2\n", 2, "a number is missing"},
      {"1 1 1\n1 2 3 4\n", 2, "more than 3 columns"},
      {"1 1\n", 1, "2 columns, must be 3 (row, column, value) or 5 (node, direction, node, direction, value)"},
      {"1 1 1\n0 1 1\n", 2, "row 0: rows and columns count from 1"},
      {"1 1 1\n1 -2 1\n", 2, "column -2: rows and columns count from 1"},
      {"1 1 1\n1.5 1 1\n", 2, "'1.5' is not a whole number"},
      {"1 1 1\n4000000000 1 1\n", 2, "'4000000000' is not a whole number of at most 2147483647"},
      {"1 1 1\n1 7 1\n", 2, "column 7, but there are at most 6 freedoms (nodes: 1); dofs may say which"},
      {"1 1 nan\n", 1, "'nan' is not a finite number"},
      {"1 1 -Infinity\n", 1, "'-Infinity' is not a finite number"},
      {"1 1 1e999\n", 1, "'1e999' is not a finite number"},
      {"1 1 one\n", 1, "'one' is not a number"},
      {"1 1 0x10\n", 1, "'0x10' is not a number"},
      {"1 1 1.2e\n", 1, "'1.2e' is not a number"},
      {"1 1 1\n2 2 1.2", 2, "nothing ends the last line: the file may be cut off here"},
      {"1 1 1\n1 2 3\n1 2 3\n3 3 1\n", 3, "row 1, column 2 is given twice, also in line 2"},
      {"1 1 1\n\n1 1 1\n3 3 1\n", 3, "row 1, column 1 is given twice, also in line 1"},
      {"1 1 1\n1 2 3\n2 1 3\n2 1 3\n3 3 1\n", 4, "row 2, column 1 is given twice, also in line 3"},
      {"1 1 1\n2 2 1\n* comment\n2 1 3\n1 2 3.1\n3 3 1\n", 4,
       "the matrix is not symmetric: row 2, column 1 is 3, row 1, column 2 is 3.1 (line 5)"},
      {"1 1 1\n1 2 3\n2 1 3\n1 3 2\n3 3 1\n", 4,
       "the matrix is not symmetric: row 1, column 3 is 2, row 3, column 1 is not given"},
      {"1 1 1\n2 2 1\n", 0,
       "the matrix has 2 rows, neither 3 nor 6 per node (nodes: 1); say by `dofs` which freedom each row is"},
      {"%%MatrixMarket matrix coordinate complex symmetric\n1 1 1\n", 1,
       "field 'complex' of a Matrix Market file: must be real or integer"},
      {"%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n", 1,
       "field 'pattern' of a Matrix Market file: must be real or integer"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", 1,
       "symmetry 'hermitian' of a Matrix Market file: must be general or symmetric"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n", 1,
       "symmetry 'skew-symmetric' of a Matrix Market file: must be general or symmetric"},
      {"%%MatrixMarket vector coordinate real general\n", 1,
       "object 'vector' of a Matrix Market file: must be matrix"},
      {"%%MatrixMarket matrix coordinate real general\n% nothing\n", 2,
       "the file ends before the size of the matrix"},
      {"%%MatrixMarket matrix coordinate real general\n3 2 1\n", 2,
       "the size of a symmetric matrix is 'rows columns entries' with as many rows as columns"},
      {"%%MatrixMarket matrix array real general\n3 3 9\n", 2,
       "the size of a symmetric matrix is 'rows columns' with as many rows as columns"},
      {"%%MatrixMarket matrix coordinate real general\n9 9 1\n", 2,
       "a matrix of 9 rows, but there are at most 6 freedoms (nodes: 1); dofs may say which"},
      {"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n", 3,
       "the file ends after 1 of 2 entries"},
      {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1\n2 2 1\n", 4,
       "more than the 1 entries of the header"},
      {"%%MatrixMarket matrix coordinate real general\n3 3 1\n4 1 1\n", 3,
       "row or column 4, but the header says 3 rows"},
      {"%%MatrixMarket matrix array real symmetric\n1 1\n1 2\n", 3, "more than 1 numbers"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_wrong(p, one, NULL, wrong[i].K, unit, "K", wrong[i].line, wrong[i].text);
}

static void bytes_that_are_no_text_are_told(void **state) {
  place *p = *state;
  lim_error err = {0};
  lim_arena arena = {0};
  double *D;
  int n;
  FILE *file = fopen(path_of(p, 0, "K"), "wb");
  fwrite("1 1 1\n2 2 1\0 3\n", 1, 15, file);
  fclose(file);
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, p->path[0], &err), LIM_BAD_INPUT);
  expect_note(&err, "K", 2, "this is no text: a byte of it is 0");
  file = fopen(p->path[0], "wb");
  for (int i = 0; i < 3000000; i++) fputc('1', file);
  fclose(file);
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, p->path[0], &err), LIM_BAD_INPUT);
  expect_note(&err, "K", 1, "the line is longer than 65536 letters, or no text");
  lim_arena_free(&arena);
}

static void mass_has_the_rows_of_stiffness(void **state) {
  place *p = *state;
  expect_wrong(
      p, one, NULL, unit, "1 1 1\n", "M", 0,
      "the matrix has 1 rows, but the stiffness matrix has 3 (rows without entries count where `dofs` is "
      "given)");
  expect_wrong(p, one, NULL, unit, "1 1 1\n4 4 1\n", "M", 2, "row 4, but the stiffness matrix has 3 rows");
  expect_wrong(p, one, "7.1\n7.2\n", "1 1 1\n2 2 1\n", "1 1 1\n3 3 1\n", "M", 2,
               "row 3, but 'dofs' has 2 freedoms");
  expect_wrong(p, one, "7.1\n7.2\n", "1 1 1\n", "1 1 1\n", "K", 0,
               "the matrix has 1 rows, but 'dofs' has 2 freedoms");
  lim_fe_mesh *m = mesh_of(p, one, "7.1\n7.2\n", "1 1 1\n2 2 1\n", "1 1 3\n");
  expect_matrix(&m->M, 2, (double[]){3, 0, 0, 0});
  lim_fe_mesh_free(m);
}

static void missing_files_are_told(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  lim_fe_files files = {.nodes = path_of(p, 0, "none"),
                        .stiffness = path_of(p, 1, "no-K"),
                        .mass = put(p, 2, "M", unit),
                        .length = 1,
                        .mass_unit = 1};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_IO);
  expect_note(&err, "none", 0, "cannot be read: No such file or directory");
  files.nodes = put(p, 0, "nodes", one);
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_IO);
  expect_note(&err, "no-K", 0, "cannot be read: No such file or directory");
  files.stiffness = p->folder;
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_IO);
  lim_error_clear(&err);
  files.stiffness = put(p, 1, "K", unit);
  files.dofs = path_of(p, 3, "no-dofs");
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_IO);
  expect_note(&err, "no-dofs", 0, "cannot be read: No such file or directory");
}

// --- matrix input of Abaqus ---

static void freedoms_may_be_named_by_the_matrix(void **state) {
  place *p = *state;
  lim_fe_mesh *m = mesh_of(p, "5,0,0,0\n7,1,0,0\n9,2,0,0\n", NULL,
                           "** a comment\n*MATRIX INPUT, NAME=K\n7,2, 7,2, 3.\n5,1, 5,1, 2.\n7,2, 5,1, -1.\n",
                           "** mass\n*MATRIX INPUT, NAME=M\n5,1, 5,1, 0.5\n");
  assert_int_equal(m->ndof, 2);
  assert_true(m->dof_node[0] == 0 && m->dof_direction[0] == 0 && m->dof_node[1] == 1 &&
              m->dof_direction[1] == 1);
  expect_matrix(&m->K, 2, (double[]){2, -1, -1, 3});
  expect_matrix(&m->M, 2, (double[]){0.5, 0, 0, 0});
  lim_fe_mesh_free(m);
}

static void wrong_named_freedoms_are_told(void **state) {
  place *p = *state;
  const char *good = "7,1,7,1,1.\n7,2,7,2,1.\n";
  expect_wrong(p, one, NULL, "8,1,7,1,1.\n", good, "K", 1, "node 8 has no coordinates");
  expect_wrong(p, one, NULL, "7,1,7,11,1.\n", good, "K", 1,
               "direction 11 of node 7: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)");
  expect_wrong(p, one, NULL, "7,1,7,1,1.,2\n", good, "K", 1,
               "6 columns, must be 3 (row, column, value) or 5 (node, direction, node, direction, value)");
  expect_wrong(p, one, NULL, "7,1,7,1,1.\n7,1,7,1,1.\n", good, "K", 2,
               "direction 1 of node 7 with direction 1 of node 7 is given twice, also in line 1");
  expect_wrong(
      p, one, NULL, "7,1,7,1,1.\n7,1,7,2,1.\n7,2,7,1,2.\n", good, "K", 2,
      "the matrix is not symmetric: direction 1 of node 7 with direction 2 of node 7 is 1, direction 2 of "
      "node 7 with direction 1 of node 7 is 2 (line 3)");
  expect_wrong(p, one, NULL, good, "7,1,7,1,1.\n7,3,7,3,1.\n", "M", 2,
               "direction 3 of node 7 is not among the freedoms of the stiffness matrix");
  expect_wrong(
      p, one, NULL, good, "1 1 1\n2 2 1\n", "M", 0,
      "the stiffness matrix names its freedoms and this one does not; say by `dofs` which freedom each row "
      "is");
}

// --- freedoms ---

static void expect_dofs(place *p, const char *dofs) {
  lim_fe_mesh *m = mesh_of(p, "12,0,0,0\n3,1,0,0\n", dofs, unit, unit);
  static const int node[] = {1, 0, 1}, direction[] = {0, 1, 5};
  assert_int_equal(m->ndof, 3);
  assert_memory_equal(m->dof_node, node, sizeof node);
  assert_memory_equal(m->dof_direction, direction, sizeof direction);
  lim_fe_mesh_free(m);
}

static void freedoms_are_read_as_programs_write_them(void **state) {
  place *p = *state;
  expect_dofs(p, "12.1\n3.2\n12.6\n");
  expect_dofs(p, "12.1\r\n3.2\r\n12.6");
  expect_dofs(p, "12 1\n3 2\n12 6\n");
  expect_dofs(p, "12,1\n3, 2\n12 , 6\n");
  expect_dofs(p, "node, dof\n12,UX\n3,UY\n12,ROTZ\n");
  expect_dofs(p, "  Matrix Eqn   Node   DOF\n     3   12  ROTZ\n  1 12 UX\n\n 2 3 uy\n");
}

#define UNKNOWN(id)                                                                                            \
  "node " #id " has no coordinates (CalculiX makes nodes of its own for shells and beams: take solid "         \
  "elements)"
#define TWICE(id) "direction 1 of node " #id " is given twice, also in line "
#define EXPANDED                                                                                               \
  " (CalculiX expands shells and beams into solids, with several rows for each freedom: take solid elements)"

static void wrong_freedoms_are_told(void **state) {
  place *p = *state;
  static const struct {
    const char *dofs;
    int line;
    const char *text;
  } wrong[] = {
      {"", 0, "the file has no freedoms"},
      {"7.1\n7.0\n", 2, "direction 0 of node 7: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)"},
      {"7.1\n7.7\n", 2, "direction 7 of node 7: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)"},
      {"7.1\n7.10\n", 2, "direction 10 of node 7: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)"},
      {"7.1\n7\n", 2, "'7' is not node.direction, as 12.3"},
      {"7.1\n7.\n", 2, "'7.' is not node.direction, as 12.3"},
      {"7.1\nnode\n", 2, "'node' is not node.direction, as 12.3"},
      {"7.1\n6.1\n", 2, UNKNOWN(6)},
      {"7.1\n8.4\n", 2, UNKNOWN(8)}, // inner freedoms are displacements
      {"7.1\n7.2\n7.1\n", 3, TWICE(7) "1" EXPANDED},
      {"7.1\n8.1\n9.1\n8.1\n", 4, TWICE(8) "2" EXPANDED},
      {"1 7 UX\n2 7 TEMP\n", 2, "'TEMP' is not UX, UY, UZ, ROTX, ROTY or ROTZ"},
      {"1 7 UX\n1 7 UY\n", 2, "row 1 is given twice, also in line 1"},
      {"1 7 UX\n3 7 UY\n", 2, "row 3, but the file has 2 rows"},
      {"1 7 UX\n0 7 UY\n", 2, "row 0: rows count from 1"},
      {"1 7 UX\n7 2\n", 2,
       "2 columns, must be node.direction, 'node direction' or 'row node label', the same in all lines"},
      {"1 2 3 4\n", 1, "4 columns, must be node.direction, 'node direction' or 'row node label'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_wrong(p, one, wrong[i].dofs, unit, unit, "dofs", wrong[i].line, wrong[i].text);
}

static void nodes_above_those_of_the_deck_are_inner(void **state) {
  place *p = *state;
  lim_fe_mesh *m = mesh_of(p, "7,1,2,3\n5,0,0,0\n", "12.1\n5.2\n9.3\n12.2\n", "4 4 1\n", "4 4 1\n");
  assert_int_equal(m->nnode, 4);
  assert_int_equal(m->ninner, 2);
  static const int id[4] = {5, 7, 9, 12}, node[4] = {3, 0, 2, 3}, direction[4] = {0, 1, 2, 1};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(m->id[i], id[i]);
    assert_int_equal(lim_fe_is_inner(m, i), i > 1);
    assert_int_equal(m->dof_node[i], node[i]);
    assert_int_equal(m->dof_direction[i], direction[i]);
  }
  assert_true(m->X[3] == 1 && m->X[5] == 3 && m->X[6] == 0);
  lim_arena arena = {0};
  lim_error err = {0};
  lim_symmetric A;
  const char *K = put(p, 4, "K2", "1 1 4\n1 2 -1\n2 2 5\n"), *dofs = put(p, 5, "dofs2", "9.3\n12.1\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, dofs, 1e-3, 2, NULL), LIM_OK);
  expect_matrix(&A, 4, (double[]){10, 0, -2, 0, 0, 0, 0, 0, -2, 0, 8, 0, 0, 0, 0, 0});
  dofs = put(p, 5, "dofs2", "9.3\n13.1\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, dofs, 1, 1, &err), LIM_BAD_INPUT);
  expect_note(&err, "dofs2", 2, UNKNOWN(13));
  lim_arena_free(&arena);
  lim_fe_mesh_free(m);
}

static void nodes_have_three_or_six_freedoms_without_a_map(void **state) {
  place *p = *state;
  lim_fe_mesh *m = mesh_of(p, "2,0,0,0\n1,0,0,0\n", NULL, "1 1 1\n6 6 1\n", "6 6 1\n");
  assert_int_equal(m->ndof, 6);
  assert_true(m->dof_node[4] == 1 && m->dof_direction[4] == 1);
  lim_fe_mesh_free(m);
  m = mesh_of(p, "2,0,0,0\n1,0,0,0\n", NULL, "1 1 1\n12 12 1\n", "12 12 1\n");
  assert_true(m->ndof == 12 && m->dof_node[10] == 1 && m->dof_direction[10] == 4);
  lim_fe_mesh_free(m);
}

// --- units, further matrices ---

static void matrices_come_in_si_by_direction(void **state) {
  place *p = *state;
  const lim_fe_files files = {.nodes = put(p, 0, "nodes", "7,1000,0,0\n"),
                              .dofs = put(p, 1, "dofs", "7.1\n7.4\n"),
                              .stiffness = put(p, 2, "K", "1 1 1\n1 2 3\n2 2 16\n"),
                              .mass = put(p, 3, "M", "1 1 1\n1 2 3\n2 2 16\n"),
                              .length = 1e-3,
                              .mass_unit = 1000};
  lim_fe_mesh *m;
  assert_int_equal(lim_fe_read(&m, &files, NULL), LIM_OK);
  assert_true(m->X[0] == 1);
  expect_matrix(&m->K, 2, (double[]){1000, 3, 3, 16 * (1000 * 1e-3 * 1e-3)});
  expect_matrix(&m->M, 2, (double[]){1000, 3, 3, 16 * (1000 * 1e-3 * 1e-3)});
  lim_fe_mesh_free(m);
}

static void numbers_too_large_for_si_are_told(void **state) {
  place *p = *state;
  lim_error err = {0};
  lim_fe_mesh *m;
  lim_fe_files files = {.nodes = put(p, 0, "nodes", "7,1,0,0\n"),
                        .stiffness = put(p, 2, "K", "1 1 1e307\n3 3 1\n"),
                        .mass = put(p, 3, "M", unit),
                        .length = 1,
                        .mass_unit = 1000};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_BAD_INPUT);
  expect_note(&err, "K", 0, "entries are too large for numbers in SI");
  files.nodes = put(p, 0, "nodes", "7,1e307,0,0\n");
  files.length = 1000;
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_BAD_INPUT);
  expect_note(&err, "nodes", 1, "node 7 is too far away");
}

static void further_matrices_have_the_rows_of_the_mesh(void **state) {
  place *p = *state;
  lim_fe_mesh *m = mesh_of(p, "7,0,0,0\n8,0,0,0\n", "7.1\n8.1\n8.2\n", unit, unit);
  lim_arena arena = {0};
  lim_symmetric A;
  const char *K = put(p, 4, "K2", "1 1 4\n1 2 -1\n2 2 5\n2 3 .5\n3 3 6\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, NULL, 1, 1, NULL), LIM_OK);
  expect_matrix(&A, 3, K3);
  K = put(p, 4, "K2", "1 1 4\n1 2 -1\n2 2 5\n");
  const char *dofs = put(p, 5, "dofs2", "8.2\n7.1\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, dofs, 1, 2, NULL), LIM_OK);
  expect_matrix(&A, 3, (double[]){10, 0, -2, 0, 0, 0, -2, 0, 8});
  K = put(p, 4, "K2", "8,1,8,1,3\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, NULL, 1, 1, NULL), LIM_OK);
  expect_matrix(&A, 3, (double[]){0, 0, 0, 0, 3, 0, 0, 0, 0});
  lim_arena_free(&arena);
  lim_fe_mesh_free(m);
}

static void wrong_further_matrices_are_told(void **state) {
  place *p = *state;
  lim_fe_mesh *m = mesh_of(p, "7,0,0,0\n8,0,0,0\n", "7.1\n8.1\n8.2\n", unit, unit);
  lim_arena arena = {0};
  lim_symmetric A;
  lim_error err = {0};
  const char *K = put(p, 4, "K2", "1 1 4\n2 2 5\n"), *dofs = put(p, 5, "dofs2", "8.2\n7.3\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, NULL, 1, 1, &err), LIM_BAD_INPUT);
  expect_note(&err, "K2", 0, "the matrix has 2 rows, but the stiffness matrix has 3 rows");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, dofs, 1, 1, &err), LIM_BAD_INPUT);
  expect_note(&err, "dofs2", 0, "direction 3 of node 7 is no freedom of the mesh");
  dofs = put(p, 5, "dofs2", "8.2\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, dofs, 1, 1, &err), LIM_BAD_INPUT);
  expect_note(&err, "K2", 2, "row 2, but 'dofs2' has 1 freedoms");
  dofs = put(p, 5, "dofs2", "8.2\n7.1\n");
  K = put(p, 4, "K2", "1 1 4\n1 2 5\n2 1 6\n");
  assert_int_equal(lim_fe_read_further(&A, &arena, m, K, dofs, 1, 1, &err), LIM_BAD_INPUT);
  expect_note(
      &err, "K2", 2,
      "the matrix is not symmetric: direction 2 of node 8 with direction 1 of node 7 is 5, direction 1 of "
      "node 7 with direction 2 of node 8 is 6 (line 3)");
  lim_arena_free(&arena);
  lim_fe_mesh_free(m);
}

static void dense_matrices_are_symmetric(void **state) {
  place *p = *state;
  static const char *const text[] = {"1 1 4\n2 1 -1\n2 2 5\n3 2 .5\n3 3 6\n",
                                     "%%MatrixMarket matrix array real symmetric\n3 3\n4\n-1\n0\n5\n.5\n6\n"};
  for (int i = 0; i < 2; i++) {
    lim_arena arena = {0};
    double *D;
    int n;
    assert_int_equal(lim_fe_read_dense(&D, &n, &arena, put(p, 0, "D", text[i]), NULL), LIM_OK);
    assert_int_equal(n, 3);
    for (int k = 0; k < 9; k++) assert_true(D[k] == K3[k]);
    lim_arena_free(&arena);
  }
  lim_error err = {0};
  lim_arena arena = {0};
  double *D;
  int n;
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, put(p, 0, "D", "8001 1 1\n"), &err), LIM_BAD_INPUT);
  expect_note(&err, "D", 1, "row 8001, but a dense matrix has at most 8000");
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, put(p, 0, "D", "1,1,1,1,1\n"), &err), LIM_BAD_INPUT);
  expect_note(&err, "D", 1, "5 columns, must be 3 (row, column, value)");
  assert_int_equal(lim_fe_read_dense(&D, &n, &arena, path_of(p, 1, "none"), &err), LIM_IO);
  lim_error_clear(&err);
}

// --- size ---

static const int many = 3000, band = 40;

static double value_of(int i, int j) { return i == j ? 100 + i : sin(i + 3.0 * j) / (1 + j - i); }

// Full rows in disorder, through the buffer of the reader several times.
static const char *put_many(place *p) {
  FILE *file = fopen(path_of(p, 2, "K"), "wb");
  for (int a = 0; a < many; a++)
    for (int j = 0, i = (int)(a * 1009L % many); j < many; j++)
      if (abs(i - j) < band)
        fprintf(file, "%d %d %.16e\n", i + 1, j + 1, value_of(i < j ? i : j, i < j ? j : i));
  fclose(file);
  return p->path[2];
}

static void put_nodes(place *p) {
  FILE *file = fopen(path_of(p, 0, "nodes"), "wb");
  for (int i = many / 3; i > 0; i--) fprintf(file, "%d,%d,0,0\n", i, i);
  fclose(file);
}

static void large_matrices_come_back_as_they_were(void **state) {
  place *p = *state;
  put_nodes(p);
  const lim_fe_files files = {
      .nodes = p->path[0], .stiffness = put_many(p), .mass = p->path[2], .length = 1, .mass_unit = 1};
  lim_fe_mesh *m;
  assert_int_equal(lim_fe_read(&m, &files, NULL), LIM_OK);
  assert_int_equal(m->K.n, many);
  for (int i = 0; i < many; i++) {
    long k = m->K.start[i];
    for (int j = i; j < many && j < i + band; j++, k++) {
      assert_int_equal(m->K.column[k], j);
      assert_true(m->K.value[k] == value_of(i, j));
    }
    assert_true(k == m->K.start[i + 1]);
  }
  lim_fe_mesh_free(m);
}

typedef struct {
  int calls;
  int stop_at;
  volatile int stop;
  double last;
  char what[64];
} watch;

static void progress(void *user, const char *what, double part) {
  watch *w = user;
  if (strcmp(w->what, what)) w->last = 0;
  assert_true(part >= w->last && part <= 1);
  w->last = part;
  snprintf(w->what, sizeof w->what, "%s", what);
  if (++w->calls == w->stop_at) w->stop = 1;
}

static void reading_tells_its_progress_and_stops(void **state) {
  place *p = *state;
  put_nodes(p);
  watch w = {0};
  lim_error err = {0};
  lim_fe_mesh *m;
  const lim_fe_files files = {.nodes = p->path[0],
                              .stiffness = put_many(p),
                              .mass = p->path[2],
                              .length = 1,
                              .mass_unit = 1,
                              .hooks = {.progress = progress, .user = &w, .stop = &w.stop}};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_OK);
  assert_true(w.calls > 8);
  assert_string_equal(w.what, "reading the mass matrix");
  lim_fe_mesh_free(m);
  w = (watch){.stop_at = 4};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_FAILED);
  assert_null(m);
  assert_string_equal(err.note[0].text, "stopped");
  assert_string_equal(w.what, "reading the stiffness matrix");
  lim_error_clear(&err);
}

// A locale with decimal commas, where there is one.
static void numbers_do_not_depend_on_the_locale(void **state) {
  const char *const name[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
  for (int i = 0; i < 3 && !setlocale(LC_ALL, name[i]); i++) continue;
  expect_stiffness(
      *state, "1 1 4.00000000000000000000000e+00\n1 2 -1.0\n2 2 5.0\n2 3 0.50000000000000000000000\n3 3 6\n");
  setlocale(LC_ALL, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(triplets_of_a_triangle_or_of_both_are_the_same),
      TEST(numbers_are_read_as_programs_write_them),
      TEST(numbers_are_those_of_strtod),
      TEST(numbers_of_many_digits_are_those_of_strtod),
      TEST(numbers_do_not_depend_on_the_locale),
      TEST(matrix_market_files_are_read),
      TEST(wrong_matrices_are_told),
      TEST(bytes_that_are_no_text_are_told),
      TEST(mass_has_the_rows_of_stiffness),
      TEST(missing_files_are_told),
      TEST(freedoms_may_be_named_by_the_matrix),
      TEST(wrong_named_freedoms_are_told),
      TEST(freedoms_are_read_as_programs_write_them),
      TEST(wrong_freedoms_are_told),
      TEST(nodes_above_those_of_the_deck_are_inner),
      TEST(nodes_have_three_or_six_freedoms_without_a_map),
      TEST(matrices_come_in_si_by_direction),
      TEST(numbers_too_large_for_si_are_told),
      TEST(further_matrices_have_the_rows_of_the_mesh),
      TEST(wrong_further_matrices_are_told),
      TEST(dense_matrices_are_symmetric),
      TEST(large_matrices_come_back_as_they_were),
      TEST(reading_tells_its_progress_and_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
