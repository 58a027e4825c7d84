// fe_read.c - tests of files of finite-element programs: every format, and every message.
#include "fixture.h"

#include "fe/read/read.h"

#include <dirent.h>
#include <locale.h>
#include <unistd.h>

// A folder of its own per test.
typedef struct {
  char folder[64], path[8][96];
} place;

static int setup_place(void **state) {
  static place p;
  strcpy(p.folder, "/tmp/limber-fe-XXXXXX");
  *state = &p;
  return mkdtemp(p.folder) ? 0 : -1;
}

static int remove_place(void **state) {
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

static const char *path_of(place *p, int i, const char *name) {
  strcpy(p->path[i], p->folder);
  strcat(strcat(p->path[i], "/"), name);
  return p->path[i];
}

static const char *put(place *p, int i, const char *name, const char *text) {
  FILE *file = fopen(path_of(p, i, name), "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return p->path[i];
}

static lim_code read_all(lim_fe_mesh **out, place *p, const char *nodes, const char *dofs, const char *K,
                         const char *M, lim_error *err) {
  const lim_fe_files files = {.nodes = put(p, 0, "nodes", nodes),
                              .dofs = dofs ? put(p, 1, "dofs", dofs) : NULL,
                              .stiffness = put(p, 2, "K", K),
                              .mass = put(p, 3, "M", M),
                              .length = 1,
                              .mass_unit = 1};
  return lim_fe_read(out, &files, err);
}

static lim_fe_mesh *mesh_of(place *p, const char *nodes, const char *dofs, const char *K, const char *M) {
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
static void expect_note(lim_error *err, const char *file, int line, const char *text) {
  assert_int_equal(err->count, 1);
  assert_string_equal(err->note[0].text, text);
  assert_non_null(err->note[0].file);
  assert_string_equal(strrchr(err->note[0].file, '/') + 1, file);
  assert_int_equal(err->note[0].line, line);
  lim_error_clear(err);
}

static void expect_wrong(place *p, const char *nodes, const char *dofs, const char *K, const char *M,
                         const char *file, int line, const char *text) {
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(read_all(&m, p, nodes, dofs, K, M, &err), LIM_BAD_INPUT);
  assert_null(m);
  expect_note(&err, file, line, text);
}

// One node, three freedoms.
static const char *const one = "7, 1, 2, 3\n", *const unit = "1 1 1\n2 2 1\n3 3 1\n";

static void expect_matrix(const lim_symmetric *A, int n, const double *dense) {
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

static void numbers_are_those_of_strtod(void **state) {
  place *p = *state;
  static const char *const text[] = {"1.2345678901234567e-05",
                                     "9007199254740993",
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
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    char K[100];
    int n;
    double *D;
    lim_arena arena = {0};
    snprintf(K, sizeof K, "1 1 %s\n", text[i]);
    assert_int_equal(lim_fe_read_dense(&D, &n, &arena, put(p, 0, "K", K), NULL), LIM_OK);
    assert_int_equal(n, 1);
    assert_true(D[0] == strtod(text[i], NULL));
    lim_arena_free(&arena);
  }
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
      {"1 1 1\n1 7 1\n", 2, "column 7, but there are at most 6 freedoms (nodes: 1)"},
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
       "a matrix of 9 rows, but there are at most 6 freedoms (nodes: 1)"},
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
      {"7.1\n8.1\n", 2,
       "node 8 has no coordinates (CalculiX makes nodes of its own from shells and beams: make them of solid "
       "elements)"},
      {"7.1\n7.2\n7.1\n", 3, "direction 1 of node 7 is given twice, also in line 1"},
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

// --- nodes ---

static void nodes_of_a_csv_are_sorted(void **state) {
  place *p = *state;
  static const char *const text[] = {"9,1,2,3\n4,-1,0,.5\n", "id,x,y,z\r\n9,1,2,3\r\n4,-1,0,.5",
                                     "# mm\nid;x;y;z\n9;1;2;3\n4;-1;0;.5\n",
                                     "\xEF\xBB\xBF\n9 1 2 3\n 4 -1 0 5D-1\n"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    lim_fe_mesh *m = mesh_of(p, text[i], "4.1\n", "1 1 1\n", "1 1 1\n");
    assert_int_equal(m->nnode, 2);
    assert_true(m->id[0] == 4 && m->id[1] == 9);
    assert_true(m->X[0] == -1 && m->X[1] == 0 && m->X[2] == 0.5 && m->X[5] == 3);
    assert_int_equal(m->nelement + m->nset, 0);
    lim_fe_mesh_free(m);
  }
}

static void wrong_nodes_of_a_csv_are_told(void **state) {
  place *p = *state;
  expect_wrong(p, "", NULL, unit, unit, "nodes", 0, "the file has no nodes");
  expect_wrong(p, "id,x,y,z\n", NULL, unit, unit, "nodes", 1, "the file has no nodes");
  expect_wrong(p, "1,0,0\n", NULL, unit, unit, "nodes", 1, "3 columns, must be 4: id, x, y, z");
  expect_wrong(p, "1,0,0,a\n", NULL, unit, unit, "nodes", 1, "'a' is not a number");
  expect_wrong(p, "1,0,0,0\nid,x,y,z\n", NULL, unit, unit, "nodes", 2, "'id' is not a number");
  expect_wrong(p, "0,0,0,0\n", NULL, unit, unit, "nodes", 1, "node 0: ids are positive");
  expect_wrong(p, "1,0,0,0\n2,0,0,0\n1,0,0,0\n", NULL, unit, unit, "nodes", 3,
               "duplicate node 1: also in line 1");
  expect_wrong(p, "1,0,0,0\n2,0,0,0\n1,0,0,1\n", NULL, unit, unit, "nodes", 3,
               "duplicate node 1, with other coordinates: also in line 1");
}

// --- decks ---

static lim_fe_mesh *deck_of(place *p, const char *deck) {
  return mesh_of(p, deck, "1.1\n", "1 1 1\n", "1 1 1\n");
}

static void expect_set(const lim_fe_mesh *m, const char *name, int line, int count, const int *id) {
  const lim_fe_set *s = lim_fe_find_set(m, name);
  assert_non_null(s);
  assert_int_equal(s->line, line);
  assert_int_equal(s->count, count);
  for (int i = 0; i < count; i++) assert_int_equal(m->id[s->node[i]], id[i]);
}

static void nodes_and_sets_of_a_deck_are_read(void **state) {
  place *p = *state;
  lim_fe_mesh *m = deck_of(p, "** a deck\n"
                              "*Heading\n a text, 1, 2\n"
                              "*Node, NSET=All\n3, 1., 2., 3.\n1\n2,,5\n" // lines 5 .. 7
                              "** between\n"
                              "*NODE\n10, 0, 0, 1, 0, 0, 1\n11,0,0,2\n12,0,0,3\n"
                              "*NSET, NSET = tip\n 10, 11,\n3\n"                // 13
                              "*NSET, GENERATE,\n nset=\"Odd One\"\n1, 11, 2\n" // 16
                              "*Nset,Nset=BOTH\n\"odd one\", tip\n2\n"          // 19
                              "*NSET,NSET=Tip\n12\n");
  assert_int_equal(m->nnode, 6);
  assert_true(m->X[0] == 0 && m->X[1] == 0 && m->X[2] == 0);
  assert_true(m->X[3] == 0 && m->X[4] == 5 && m->X[5] == 0);
  expect_set(m, "all", 4, 3, (int[]){1, 2, 3});
  expect_set(m, "TIP", 13, 4, (int[]){3, 10, 11, 12});
  expect_set(m, "odd one", 17, 3, (int[]){1, 3, 11});
  expect_set(m, "both", 19, 5, (int[]){1, 2, 3, 10, 11});
  assert_int_equal(m->nset, 4);
  lim_fe_mesh_free(m);
}

static void gaps_of_generated_sets_are_told(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  char expected[200];
  assert_int_equal(read_all(&m, p, "*NODE\n1\n3\n*NSET,NSET=A,GENERATE\n1,2000000000\n", "1.1\n", "1 1 1\n",
                            "1 1 1\n", &err),
                   LIM_OK);
  expect_set(m, "a", 4, 2, (int[]){1, 3});
  assert_int_equal(err.warnings, 1);
  snprintf(expected, sizeof expected,
           "%s/nodes:4: set 'A' counts 1999999998 nodes that there are not; they are left out", p->folder);
  assert_string_equal(err.warning[0].text, expected);
  lim_error_clear(&err);
  lim_fe_mesh_free(m);
}

// Nodes 1 to 20.
#define NODES                                                                                                  \
  "*NODE\n1\n2,1\n3,2\n4,3\n5,4\n6,5\n7,6\n8,7\n9,8\n10,9\n11,1,1\n12,1,2\n13,1,3\n14,1,4\n15,1,5\n16,1,"      \
  "6\n17,1,7\n"                                                                                                \
  "18,1,8\n19,1,9\n20,2,2\n"

static void elements_of_all_shapes_are_read(void **state) {
  place *p = *state;
  static const struct {
    const char *type;
    lim_fe_shape shape;
  } kind[] = {{"C3D4", LIM_FE_TET4},    {"C3D10", LIM_FE_TET10},  {"C3D10T", LIM_FE_TET10},
              {"c3d10m", LIM_FE_TET10}, {"C3D6", LIM_FE_WEDGE6},  {"C3D15", LIM_FE_WEDGE15},
              {"C3D8", LIM_FE_HEX8},    {"C3D8R", LIM_FE_HEX8},   {"C3D8I", LIM_FE_HEX8},
              {"C3D20", LIM_FE_HEX20},  {"C3D20R", LIM_FE_HEX20}, {"S3", LIM_FE_TRI3},
              {"S6", LIM_FE_TRI6},      {"S4R", LIM_FE_QUAD4},    {"S8R5", LIM_FE_QUAD8},
              {"M3D4R", LIM_FE_QUAD4},  {"CPS8", LIM_FE_QUAD8},   {"B31", LIM_FE_BEAM2},
              {"B32R", LIM_FE_BEAM3},   {"T3D2", LIM_FE_BEAM2},   {"B21", LIM_FE_BEAM2}};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    char deck[1000];
    const int n = lim_fe_shape_nodes(kind[i].shape);
    int used = snprintf(deck, sizeof deck, NODES "*ELEMENT, TYPE=%s\n8", kind[i].type);
    for (int k = 0; k < n; k++)
      used += snprintf(deck + used, sizeof deck - used, ",%s%d", k == 9 ? "\n" : "", n - k);
    snprintf(deck + used, sizeof deck - used, "\n");
    lim_fe_mesh *m = deck_of(p, deck);
    assert_int_equal(m->nelement, 1);
    assert_int_equal(m->element[0].id, 8);
    assert_int_equal(m->element[0].shape, kind[i].shape);
    assert_true(m->element[0].material == -1 && isnan(m->element[0].thickness));
    for (int k = 0; k < n; k++) assert_int_equal(m->element_node[k], n - k - 1);
    lim_fe_mesh_free(m);
  }
}

static void other_elements_are_left_out_with_a_warning(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(read_all(&m, p,
                            NODES
                            "*ELEMENT,TYPE=SPRINGA,ELSET=E\n1,2,3\n2,3,\n4\n*ELEMENT,TYPE=T3D2,ELSET=E\n3,1,2\n"
                            "*ELEMENT,TYPE=springa\n9,2,3\n*ELEMENT,TYPE=MASS\n77,5\n*ELEMENT,TYPE=GAP\n",
                            "1.1\n", "1 1 1\n", "1 1 1\n", &err),
                   LIM_OK);
  assert_int_equal(m->nelement, 1);
  assert_int_equal(err.warnings, 2);
  assert_string_equal(err.warning[0].text,
                      "3 elements of type 'SPRINGA' are neither drawn nor asked for strains");
  assert_string_equal(err.warning[1].text, "1 element of type 'MASS' is neither drawn nor asked for strains");
  lim_error_clear(&err);
  lim_fe_mesh_free(m);
}

static void materials_and_thicknesses_come_by_sections(void **state) {
  place *p = *state;
  put(p, 5, "K", "1 1 1\n");
  const lim_fe_files files = {.stiffness = p->path[5],
                              .mass = p->path[5],
                              .dofs = put(p, 6, "dofs", "1.1\n"),
                              .nodes =
                                  put(p, 7, "deck.inp",
                                      NODES "*ELEMENT,TYPE=S4,ELSET=SKIN\n1,1,2,3,4\n3,2,3,4,5\n"
                                            "*ELEMENT,TYPE=C3D8\n2,1,2,3,4,5,6,7,8\n4,1,2,3,4,5,6,7,8\n"
                                            "*ELSET,ELSET=CORE,GENERATE\n2,4,2\n*ELSET,ELSET=ONE\n3\n"
                                            "*MATERIAL,NAME=STEEL\n*DENSITY\n7.85e-9\n*ELASTIC\n210000., .3, "
                                            "20.\n190000.,.31,300\n*MATERIAL,NAME=Ply\n"
                                            "*ELASTIC,TYPE=ENGINEERING CONSTANTS\n1,2,3,4,5,6,7,8\n9\n"
                                            "*Solid Section, ELSET=CORE, MATERIAL=Steel\n,\n"
                                            "*SHELL SECTION,ELSET=SKIN,MATERIAL=STEEL\n2.5, 5\n"
                                            "*SHELL SECTION,ELSET=ONE,MATERIAL=PLY,COMPOSITE\n0.1,,PLY\n"
                                            "*STEP\n*BOUNDARY\n1,1,3\n*END STEP\n"),
                              .length = 1e-3,
                              .mass_unit = 1000};
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_OK);
  assert_int_equal(err.warnings, 0);
  assert_int_equal(m->nmaterial, 2);
  assert_true(fabs(m->material[0].E - 2.1e11) < 1 && m->material[0].nu == 0.3 && isnan(m->material[1].E));
  assert_int_equal(m->nelement, 4);
  assert_true(m->element[0].id == 1 && m->element[0].material == 0 && m->element[0].thickness == 2.5e-3);
  assert_true(m->element[1].id == 2 && m->element[1].material == 0 && isnan(m->element[1].thickness));
  assert_true(m->element[2].id == 3 && m->element[2].material == 1 && isnan(m->element[2].thickness));
  assert_true(m->X[4 * 3] == 4e-3 && m->K.value[0] == 1000);
  lim_fe_mesh_free(m);
}

static void names_of_sections_that_are_not_known_are_told(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(
      read_all(&m, p, NODES "*SOLID SECTION,ELSET=A,MATERIAL=B\n", "1.1\n", "1 1 1\n", "1 1 1\n", &err),
      LIM_OK);
  assert_int_equal(err.warnings, 2);
  assert_non_null(strstr(err.warning[0].text, "/nodes:22: element set 'A' is not known"));
  assert_non_null(strstr(err.warning[1].text, "/nodes:22: material 'B' is not known"));
  lim_error_clear(&err);
  lim_fe_mesh_free(m);
}

static void one_part_with_one_instance_is_read(void **state) {
  lim_fe_mesh *m =
      deck_of(*state, "*PART, NAME=P\n*NODE\n1\n2,1\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, "
                      "PART=P\n0., 0., 0.\n*END INSTANCE\n*NSET,NSET=S,INSTANCE=I\n2\n*END ASSEMBLY\n");
  expect_set(m, "S", 10, 1, (int[]){2});
  lim_fe_mesh_free(m);
}

static void wrong_decks_are_told(void **state) {
  place *p = *state;
  static const struct {
    const char *deck;
    int line;
    const char *text;
  } wrong[] = {
      {"*HEADING\n", 1, "the file has no nodes"},
      {"*NODE\n1\n2,a\n", 3, "'a' is not a number"},
      {"*NODE\n1\n1\n", 3, "duplicate node 1: also in line 2"},
      {"*NODE\n1\n*NODE\n2\n1,3\n", 5, "duplicate node 1, with other coordinates: also in line 2"},
      {"*NODE\n-1\n", 2, "node -1: ids are positive"},
      {"*NODE,NSET=\n1\n", 1, "NSET= without a name"},
      {"*NODE,SYSTEM=C\n1\n", 1, "*NODE with SYSTEM=C is not supported: write x, y, z"},
      {"*NODE,INPUT=a\n", 1, "*NODE with INPUT= is not supported: write *INCLUDE, INPUT= behind *NODE"},
      {"*NODE\n1\n*SYSTEM\n1,0,0\n", 3, "*SYSTEM is not supported: write all nodes in the same axes"},
      {"*NODE\n1\n*NSET,NSET=A\n1,\n2\n", 5, "node 2 of set 'A' has no coordinates"},
      {"*NODE\n1\n*NSET,NSET=A\nB\n", 4, "set 'B' is not known here"},
      {"*NODE\n1\n*NSET\n1\n", 3, "*NSET needs NSET=, the name of the set"},
      {"*NODE\n1\n*ELSET\n1\n", 3, "*ELSET needs ELSET=, the name of the set"},
      {"*NODE\n1\n*NSET,NSET=A,GENERATE\n2,1\n", 4,
       "GENERATE needs 'first, last, step' with first <= last and a positive step"},
      {"*NODE\n1\n*NSET,NSET=A,GENERATE\n1,2,0\n", 4,
       "GENERATE needs 'first, last, step' with first <= last and a positive step"},
      {"*NODE\n1\n*ELEMENT\n1,1\n", 3, "*ELEMENT needs TYPE="},
      {"*NODE\n1\n*ELEMENT,TYPE=B31,INPUT=a\n", 3,
       "*ELEMENT with INPUT= is not supported: write *INCLUDE, INPUT= behind *ELEMENT"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2\n*STEP\n", 23, "element 1 has 2 nodes, its type has 3"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2,3,4\n", 23, "element 1 has more than its 3 nodes"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2,3\n2,1,2,33\n", 24, "node 33 of element 2 has no coordinates"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2,3\n1,1,2,3\n", 24, "duplicate element 1: also in line 23"},
      {"*NODE\n1\n*MATERIAL\n", 3, "*MATERIAL needs NAME="},
      {"*NODE\n1\n*MATERIAL,NAME=A\n*ELASTIC\n-1,.3\n", 5,
       "E = -1, nu = 0.3: E must be positive, nu between -1 and 0.5"},
      {"*NODE\n1\n*SHELL SECTION,ELSET=A\n0\n", 4, "thickness 0: must be positive"},
      {"*NODE\n1\n*TRANSFORM,NSET=A\n1,0,0,0,1,0\n", 3,
       "*TRANSFORM is not supported, as rows of the matrices are then in turned axes: leave it out, and write "
       "the "
       "matrices again"},
      {"*NODE\n1\n*PART,NAME=A\n*PART,NAME=B\n", 4,
       "more than one part: write the deck flat, without parts and instances"},
      {"*NODE\n1\n*INSTANCE,NAME=A\n*INSTANCE,NAME=B\n", 4,
       "more than one instance: write the deck flat, without parts and instances"},
      {"*NODE\n1\n*INSTANCE,NAME=A\n0,1,0\n", 4,
       "an instance that is moved: write the deck flat, without parts and instances"},
      {"*INCLUDE\n", 1, "*INCLUDE needs INPUT=, the name of a file"},
      {"*INCLUDE,INPUT=/etc/passwd\n", 1, "'/etc/passwd' leads out of the folder of the deck"},
      {"*INCLUDE,INPUT=a/../../b\n", 1, "'a/../../b' leads out of the folder of the deck"},
      {"*INCLUDE,INPUT=./nodes\n", 1, "'./nodes' includes itself"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_wrong(p, wrong[i].deck, "1.1\n", "1 1 1\n", "1 1 1\n", "nodes", wrong[i].line, wrong[i].text);
}

// --- files that are included ---

static void files_are_included(void **state) {
  place *p = *state;
  put(p, 4, "a.inp", "2, 1\n3, 2\n");
  put(p, 5, "b.inp", "*INCLUDE, INPUT=\"c.inp\"\n4\n");
  put(p, 6, "c.inp", "*NSET, NSET=S\n1\n");
  lim_fe_mesh *m = deck_of(p, "*NODE\n1\n*INCLUDE, INPUT=a.inp\n4,3\n*Include, Input=b.inp\n");
  assert_int_equal(m->nnode, 4);
  assert_true(m->X[9] == 3);
  expect_set(m, "S", 1, 2, (int[]){1, 4});
  lim_fe_mesh_free(m);
}

static void wrong_included_files_are_told(void **state) {
  place *p = *state;
  put(p, 4, "a.inp", "*NODE\n2\n1\n");
  expect_wrong(p, "*NODE\n1\n*INCLUDE,INPUT=a.inp\n3,a\n", NULL, unit, unit, "nodes", 4, "'a' is not a number");
  lim_fe_mesh *m;
  lim_error err = {0};
  char expected[200];
  assert_int_equal(read_all(&m, p, "*NODE\n1\n*INCLUDE,INPUT=a.inp\n", NULL, unit, unit, &err), LIM_BAD_INPUT);
  snprintf(expected, sizeof expected, "duplicate node 1: also in line 2 of %s/nodes", p->folder);
  expect_note(&err, "a.inp", 3, expected);
  for (int i = 0; i < 10; i++) {
    char name[10], text[40];
    snprintf(name, sizeof name, "f%d", i);
    snprintf(text, sizeof text, "*INCLUDE,INPUT=f%d\n", i + 1);
    put(p, 4, name, text);
  }
  expect_wrong(p, "*NODE\n1\n*INCLUDE,INPUT=f0\n", NULL, unit, unit, "f7", 1,
               "files include each other more than 8 deep");
  assert_int_equal(read_all(&m, p, "*NODE\n1\n*INCLUDE,INPUT=none\n", NULL, unit, unit, &err), LIM_IO);
  expect_note(&err, "none", 0, "cannot be read: No such file or directory");
  assert_int_equal(symlink("/etc/hostname", path_of(p, 4, "link")), 0);
  expect_wrong(p, "*NODE\n1\n*INCLUDE,INPUT=link\n", NULL, unit, unit, "nodes", 3,
               "'link' leads out of the folder of the deck");
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_place, remove_place)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(triplets_of_a_triangle_or_of_both_are_the_same),
      TEST(numbers_are_read_as_programs_write_them),
      TEST(numbers_are_those_of_strtod),
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
      TEST(nodes_have_three_or_six_freedoms_without_a_map),
      TEST(nodes_of_a_csv_are_sorted),
      TEST(wrong_nodes_of_a_csv_are_told),
      TEST(nodes_and_sets_of_a_deck_are_read),
      TEST(gaps_of_generated_sets_are_told),
      TEST(elements_of_all_shapes_are_read),
      TEST(other_elements_are_left_out_with_a_warning),
      TEST(materials_and_thicknesses_come_by_sections),
      TEST(names_of_sections_that_are_not_known_are_told),
      TEST(one_part_with_one_instance_is_read),
      TEST(wrong_decks_are_told),
      TEST(files_are_included),
      TEST(wrong_included_files_are_told),
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
