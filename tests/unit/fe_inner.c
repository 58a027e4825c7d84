// fe_inner.c - elements with inner freedoms: three C3D8I of CalculiX 2.20 in mm and t, which has 9 rows of its
// own for each. Frequencies are CalculiX's, of the same deck with ROOT held, to the seven digits that it
// prints.
#include "fixture.h"

#include "fe/coupling.h"
#include "fe/link.h"
#include "fe/read/read.h"

#include <unistd.h>

#define FILES "tests/models/fe/brick"

static const double CLAMPED[8] = {992.5204, 1398.142, 5495.992, 7394.643,
                                  8536.207, 12834.81, 18598.08, 22247.91}; // [Hz]

static const char *const TEXT =
    "limber: 1\n"
    "links:\n"
    "  - name: a\n"
    "    fe:\n"
    "      stiffness: " FILES ".sti\n"
    "      mass: " FILES ".mas\n"
    "      dofs: " FILES ".dof\n"
    "      nodes: " FILES ".inp\n"
    "      units: {length: mm, mass: t}\n"
    "      frames: {base: {nodes: ROOT, coupling: rigid}, tip: {nodes: TIP, coupling: mean}}\n"
    "    basis: {type: craig-bampton, count: 12}\n";

static lim_fe_mesh *mesh_of_bricks(void) {
  const lim_fe_files files = {.stiffness = FILES ".sti",
                              .mass = FILES ".mas",
                              .dofs = FILES ".dof",
                              .nodes = FILES ".inp",
                              .length = 1e-3,
                              .mass_unit = 1000};
  lim_fe_mesh *m = NULL;
  lim_error err = {0};
  const lim_code code = lim_fe_read(&m, &files, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(err.count, 0);
  return m;
}

static void nodes_that_the_deck_has_not_are_inner(void **state) {
  (void)state;
  lim_fe_mesh *m = mesh_of_bricks();
  assert_int_equal(m->nnode, 16 + 9);
  assert_int_equal(m->ninner, 9);
  assert_int_equal(m->ndof, 3 * m->nnode);
  for (int i = 0; i < m->nnode; i++) {
    assert_int_equal(m->id[i], i + 1);
    assert_int_equal(lim_fe_is_inner(m, i), i >= 16);
  }
  lim_fe_mesh_free(m);
}

// Volume between rectangles that change linearly: l/6 (b0 h0 + b1 h1 + (b0 + b1) (h0 + h1)).
static double exact_mass(void) {
  static const double x[] = {0, 45, 85, 120}, b[] = {14, 12, 11, 8}, h[] = {20, 17, 16, 12}; // [mm]
  double volume = 0;
  for (int i = 0; i < 3; i++)
    volume +=
        (x[i + 1] - x[i]) / 6 * (b[i] * h[i] + b[i + 1] * h[i + 1] + (b[i] + b[i + 1]) * (h[i] + h[i + 1]));
  return 2710e-9 * volume;
}

static void expect_close(double x, double wanted, double relative) {
  if (!(fabs(x - wanted) <= relative * fabs(wanted)))
    fail_msg("%.12g, not %.12g: off by %.2g", x, wanted, x / wanted - 1);
}

static void mass_is_exact_and_rigid_motions_are_free(void **state) {
  (void)state;
  lim_model *m = parse(TEXT);
  const lim_fe_facts *f = &m->links.item[0].fe.link->facts;
  expect_close(f->mass, exact_mass(), 1e-12);
  for (int k = 0; k < 6; k++) assert_true(fabs(f->rigid_energy[k]) < 1e-13);
  assert_int_equal(f->nodes, 16);
  expect_close(f->box[0], 0.12, 1e-12);
  expect_close(f->box[1], 0.014, 1e-12);
  for (int d = 0; d < 3; d++) assert_true(f->modal_mass[d] > 0 && f->modal_mass[d] < 1);
  lim_model_free(m);
}

static void frequencies_are_those_of_calculix(void **state) {
  (void)state;
  lim_model *m = parse(TEXT);
  const lim_fe_facts *f = &m->links.item[0].fe.link->facts;
  assert_true(f->nclamped >= 8);
  for (int i = 0; i < 8; i++) expect_close(f->clamped_hz[i], CLAMPED[i], 1e-6);
  for (int i = 0; i < 3; i++) expect_close(f->reduced_hz[i], CLAMPED[i], 1e-3);
  lim_model_free(m);
}

// S_xx + S_yy + S_zz is the mass matrix of the coordinates, if inner freedoms are in it.
static void products_of_shapes_add_up_to_the_mass_matrix(void **state) {
  (void)state;
  lim_model *m = parse(TEXT);
  const lim_fe_link *x = m->links.item[0].fe.link;
  for (int i = 0; i < x->n * x->n; i++)
    assert_true(fabs(x->S[0][0][i] + x->S[1][1][i] + x->S[2][2][i] - x->M[i]) < 1e-9);
  lim_model_free(m);
}

static void further_matrices_have_inner_freedoms_too(void **state) {
  (void)state;
  lim_fe_mesh *m = mesh_of_bricks();
  lim_arena arena = {0};
  for (int with = 0; with < 2; with++) {
    lim_symmetric A;
    assert_int_equal(
        lim_fe_read_further(&A, &arena, m, FILES ".sti", with ? FILES ".dof" : NULL, 1e-3, 1000, NULL), LIM_OK);
    assert_int_equal(A.start[A.n], m->K.start[m->K.n]);
    assert_memory_equal(A.value, m->K.value, (size_t)A.start[A.n] * sizeof *A.value);
  }
  lim_arena_free(&arena);
  lim_fe_mesh_free(m);
}

static void expect_refused(const char *set, const char *text) {
  lim_model *m = NULL;
  lim_error err = {0};
  const lim_model_setup setup = {
      .size = sizeof setup, .set = &set, .nset = 1, .allow = (const char *[]){"/tmp"}, .nallow = 1};
  assert_int_equal(lim_model_parse_with(&m, TEXT, (long)strlen(TEXT), "test.yaml", &setup, &err),
                   LIM_BAD_INPUT);
  assert_true(err.kept > 0);
  if (!strstr(err.note[0].text, text)) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
}

static void frames_have_no_inner_nodes(void **state) {
  (void)state;
  expect_refused("links.0.fe.frames.tip.nodes=[13, 14, 17]", "the mesh has no node '17'");
}

// A deck without the nodes of its tip: what the matrices have beyond it is taken for inner freedoms, which
// moves the part against them.
static void another_deck_is_found_out(void **state) {
  (void)state;
  char path[] = "/tmp/limber-fe-XXXXXX", set[100], line[200];
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *from = fopen(FILES ".inp", "r"), *to = fdopen(descriptor, "w");
  assert_true(from && to);
  for (int nodes = 0; nodes < 12 && fgets(line, sizeof line, from); nodes += line[0] != '*') fputs(line, to);
  fputs("*NSET, NSET=ROOT\n1, 2, 3, 4\n*NSET, NSET=TIP\n9, 10, 11, 12\n", to);
  fclose(from);
  fclose(to);
  snprintf(set, sizeof set, "links.0.fe.nodes=%s", path);
  expect_refused(set, "from another mesh, as 13 of their nodes are not in fe.nodes");
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_that_the_deck_has_not_are_inner),
      cmocka_unit_test(mass_is_exact_and_rigid_motions_are_free),
      cmocka_unit_test(frequencies_are_those_of_calculix),
      cmocka_unit_test(products_of_shapes_add_up_to_the_mass_matrix),
      cmocka_unit_test(further_matrices_have_inner_freedoms_too),
      cmocka_unit_test(frames_have_no_inner_nodes),
      cmocka_unit_test(another_deck_is_found_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
