// beam_mesh.c - tests of the mesh of a link, of its loads and of the section forces.
#include "kind_numbers.h"
#include "verification/beam_fixture.h"

#include <string.h>

static lim_mesh *stretch(const fixture *f, double from, double to, int elements) {
  lim_mesh *mesh = NULL;
  assert_int_equal(lim_mesh_new(&mesh, &f->model, 0, (lim_stretch){from, to, elements}, NULL), LIM_OK);
  return mesh;
}

// Two pieces, 0.1 and 0.9 m; the second is twice as stiff in x-y.
static void stepped(fixture *f, int element, int elements) {
  fixture_init(f, element, elements);
  f->section[1].Iz *= 2;
  f->piece[0].length = 0.1;
  f->piece[1] = (lim_piece){.length = 0.9, .from.index = 1, .to.index = 1};
  f->link.beam.pieces.count = 2;
}

static void pieces_end_at_nodes_and_share_elements_by_length(void **state) {
  (void)state;
  fixture f;
  stepped(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  lim_mesh *mesh = fixture_mesh(&f);
  assert_int_equal(mesh->nelement, 10);
  assert_int_equal(mesh->ndof, 66);
  for (int k = 0; k < mesh->nnode; k++) assert_true(fabs(mesh->x[k] - 0.1 * k) < 1e-14);
  assert_ptr_equal(mesh->element[0].from, &f.section[0]);
  assert_ptr_equal(mesh->element[1].from, &f.section[1]);
  lim_mesh_free(mesh);
}

static void every_piece_gets_an_element(void **state) {
  (void)state;
  fixture f;
  stepped(&f, LIM_ELEMENT_timoshenko_cubic, 1);
  lim_mesh *mesh = fixture_mesh(&f);
  assert_int_equal(mesh->nelement, 2);
  lim_mesh_free(mesh);
}

static void segments_divide_length_elements_and_mass(void **state) {
  (void)state;
  fixture f;
  stepped(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  f.section[1].A *= 3;
  f.link.beam.segments = 3;
  lim_mesh *whole = stretch(&f, 0, 1, 10);
  double mass = 0, length = 0;
  int elements = 0;
  for (int k = 0; k < 3; k++) {
    lim_stretch s = lim_mesh_segment(&f.link.beam, k);
    elements += s.elements;
    lim_mesh *part = stretch(&f, s.from, s.to, s.elements);
    mass += lim_mesh_mass(part);
    length += part->length;
    assert_true(part->x[0] == 0 && fabs(part->x[part->nnode - 1] - part->length) < 1e-15);
    lim_mesh_free(part);
  }
  assert_int_equal(elements, 10);
  assert_true(fabs(length - 1) < 1e-14);
  assert_true(fabs(mass / lim_mesh_mass(whole) - 1) < 1e-13);
  assert_true(fabs(mass / (2700 * 350e-6 * (0.1 + 0.9 * 3)) - 1) < 1e-13);
  lim_mesh_free(whole);
}

static void empty_stretch_reports_the_link(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 4);
  lim_mesh *mesh = NULL;
  lim_error err = {0};
  assert_int_equal(lim_mesh_new(&mesh, &f.model, 0, (lim_stretch){0.5, 0.5, 4}, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_mesh_new(&mesh, &f.model, 0, (lim_stretch){0, 1, 0}, &err), LIM_BAD_INPUT);
  assert_null(mesh);
  assert_non_null(strstr(err.note[0].text, "link 'link'"));
  lim_error_clear(&err);
}

static void place_at_node_belongs_to_the_element_before(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 7);
  lim_mesh *mesh = fixture_mesh(&f);
  for (int k = 1; k <= 7; k++) {
    lim_point p = lim_mesh_point(mesh, k / 7.0);
    assert_int_equal(p.element, k - 1);
    assert_true(p.s == 1);
  }
  lim_point base = lim_mesh_point(mesh, 0), inner = lim_mesh_point(mesh, 0.5);
  assert_true(base.element == 0 && base.s == 0);
  assert_true(inner.element == 3 && fabs(inner.s - 0.5) < 1e-13);
  lim_mesh_free(mesh);
}

// Ends of segments and fractions of the whole differ by rounding: each location is on one stretch all the same.
static void location_at_a_seam_is_on_one_stretch(void **state) {
  (void)state;
  for (int i = 1; i < 300; i++)
    for (int n = 2; n <= 12; n++)
      for (int k = 0; k <= n; k++) {
        lim_beam beam = {.length = 0.01 * i, .segments = n, .elements = n};
        int holders = 0;
        for (int part = 0; part < n; part++) {
          lim_stretch s = lim_mesh_segment(&beam, part);
          holders +=
              lim_mesh_fraction(&(lim_mesh){.length = s.to - s.from}, s.from, (double)k / n * beam.length) >= 0;
        }
        assert_int_equal(holders, 1);
      }
}

static void rigid_field_has_no_stiffness_and_the_inertia_of_the_body(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 5);
  lim_mesh *mesh = fixture_mesh(&f);
  double *a = fixture_zeros(mesh->ndof), *y = fixture_zeros(mesh->ndof), d[6];
  lim_mesh_rigid_field(a, mesh, (double[]){1, 2, 3}, (double[]){0.4, 0.5, 0.6});
  lim_band_times(y, 1, mesh->K, a, 0);
  for (int i = 0; i < mesh->ndof; i++) assert_true(fabs(y[i]) < 1e-13 * 70e9 * 350e-6 / 0.2);
  lim_mesh_displacement(d, mesh, a, 0.37); // v + w x (0.37, 0, 0)
  assert_true(fabs(d[1] - (2 + 0.6 * 0.37)) < 1e-14 && fabs(d[2] - (3 - 0.5 * 0.37)) < 1e-14);
  lim_mesh_rigid_field(a, mesh, (double[3]){0}, (double[]){0, 0, 1});
  double inertia = 2700 * (350e-6 / 3 + 1e-8);
  assert_true(fabs(lim_band_product(mesh->M, a, a) / inertia - 1) < 1e-12);
  free(a);
  free(y);
  lim_mesh_free(mesh);
}

// Kinetic energy of a body at an offset under rigid motion: m |v + w x r|^2/2 + w'I w/2
static void concentrated_mass_has_the_energy_of_a_rigid_body(void **state) {
  (void)state;
  const double m = 0.94, off[3] = {0.02, -0.03, 0.05}, I[6] = {3e-4, 2e-4, 1e-4, 2e-5, -1e-5, 3e-5};
  const double v[3] = {1, -2, 0.5}, w[3] = {0.3, 0.7, -1.1}, at = 0.33;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 5);
  lim_mesh *mesh = fixture_mesh(&f);
  double *a = fixture_zeros(mesh->ndof), before = 0;
  lim_mesh_rigid_field(a, mesh, v, w);
  before = lim_band_product(mesh->M, a, a);
  lim_mesh_add_mass(mesh->M, mesh, at, m, off, I);
  double r[3] = {at + off[0], off[1], off[2]};
  double c[3] = {v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2],
                 v[2] + w[0] * r[1] - w[1] * r[0]};
  double want = m * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) + I[0] * w[0] * w[0] + I[1] * w[1] * w[1] +
                I[2] * w[2] * w[2] + 2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
  assert_true(fabs((lim_band_product(mesh->M, a, a) - before) / want - 1) < 1e-12);
  free(a);
  lim_mesh_free(mesh);
}

// delta = P [ (L^3 - b^3)/(3 EI1) + b^3/(3 EI2) ] + shear, b the length of the outer piece
static void stepped_cantilever_matches_closed_form(void **state) {
  (void)state;
  fixture f;
  stepped(&f, LIM_ELEMENT_euler_bernoulli, 2);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_point_load tip = {1, {0, 10, 0}, {0}};
  lim_beam_load load = {.point = &tip, .npoint = 1};
  double *u = fixture_cantilever(mesh, &load), EI = 70e9 * 1e-8, b3 = 0.9 * 0.9 * 0.9;
  assert_true(fabs(u[mesh->ndof - 5] / (10 * ((1 - b3) / (3 * EI) + b3 / (6 * EI))) - 1) < 1e-11);
  free(u);
  lim_mesh_free(mesh);
}

static lim_section rectangle(double y, double z) {
  return (lim_section){.shape = LIM_SECTION_rectangle,
                       .y = y,
                       .z = z,
                       .A = NAN,
                       .Iy = NAN,
                       .Iz = NAN,
                       .J = NAN,
                       .kappa = {NAN, NAN}};
}

// Width (along z) tapering from b to b/2, bending in x-y: I = I0 (1 - x/2). With P at the tip
// delta = P/EI0 integral (1-x)^2/(1-x/2) dx, by Simpson's rule.
static double tapered_deflection(double P, double EI0) {
  enum { STEPS = 2000 };
  double sum = 0;
  for (int i = 0; i <= STEPS; i++) {
    double x = i / (double)STEPS, w = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
    sum += w * (1 - x) * (1 - x) / (1 - x / 2);
  }
  return P / EI0 * sum / (3 * STEPS);
}

static double tapered_error(int elements) {
  fixture f;
  fixture_init(&f, LIM_ELEMENT_euler_bernoulli, elements);
  f.section[0] = rectangle(0.01, 0.04), f.section[1] = rectangle(0.01, 0.02);
  f.piece[0].to.index = 1;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_point_load tip = {1, {0, 10, 0}, {0}};
  lim_beam_load load = {.point = &tip, .npoint = 1};
  double *u = fixture_cantilever(mesh, &load);
  double error = u[mesh->ndof - 5] / tapered_deflection(10, 70e9 * 0.04 * 1e-6 / 12) - 1;
  free(u);
  lim_mesh_free(mesh);
  return fabs(error);
}

static void tapered_cantilever_under_a_tip_force_is_exact_at_the_nodes(void **state) {
  (void)state;
  assert_true(fabs(tapered_error(1)) < 1e-6); // what five Gauss points leave of 1/I
  assert_true(fabs(tapered_error(2)) < 1e-9);
  assert_true(fabs(tapered_error(8)) < 1e-12);
}

// A force and a moment inside an element: linear moment, a jump at the place, nothing beyond.
static void concentrated_load_inside_an_element_is_balanced_exactly(void **state) {
  (void)state;
  for (int type = LIM_ELEMENT_timoshenko; type <= LIM_ELEMENT_euler_bernoulli; type++) {
    fixture f;
    fixture_init(&f, type, 4);
    lim_mesh *mesh = fixture_mesh(&f);
    lim_point_load point = {0.6, {7, 10, -4}, {2, 3, 5}};
    lim_beam_load load = {.point = &point, .npoint = 1};
    double *u = fixture_cantilever(mesh, &load);
    lim_section_force a = lim_beam_section_force(mesh, u, &load, 0.55);
    lim_section_force at = lim_beam_section_force(mesh, u, &load, 0.6);
    lim_section_force beyond = lim_beam_section_force(mesh, u, &load, 0.65);
    assert_true(fabs(a.N - 7) < 1e-9 && fabs(a.Vy - 10) < 1e-9 && fabs(a.Vz + 4) < 1e-9);
    assert_true(fabs(a.T - 2) < 1e-9 && fabs(a.My - (3 + 4 * 0.05)) < 1e-9);
    assert_true(fabs(a.Mz - (5 + 10 * 0.05)) < 1e-9 && fabs(at.Mz - 5) < 1e-9);
    assert_true(fabs(beyond.N) + fabs(beyond.Vy) + fabs(beyond.Mz) + fabs(beyond.My) < 1e-8);
    free(u);
    lim_mesh_free(mesh);
  }
}

// Weight of the wedge beyond x: root moment integral rho A g x, A = A0 (1 - x/2).
static void tapered_self_weight_is_balanced_exactly(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 3);
  f.section[0] = rectangle(0.01, 0.04), f.section[1] = rectangle(0.01, 0.02);
  f.piece[0].to.index = 1;
  lim_mesh *mesh = fixture_mesh(&f);
  double *g = fixture_zeros(mesh->ndof), w = 2700 * 4e-4 * 9.81;
  lim_mesh_rigid_field(g, mesh, (double[]){0, -9.81, 0}, (double[3]){0});
  lim_beam_load load = {.field = g};
  double *u = fixture_cantilever(mesh, &load);
  lim_section_force root = lim_beam_section_force(mesh, u, &load, 0);
  lim_section_force inner = lim_beam_section_force(mesh, u, &load, 0.5);
  assert_true(fabs(root.Vy / (-w * 0.75) - 1) < 1e-11 && fabs(root.Mz / (-w / 3) - 1) < 1e-11);
  assert_true(fabs(inner.Vy / (-w * (0.75 - 0.5 + 0.0625)) - 1) < 1e-11);
  free(g);
  free(u);
  lim_mesh_free(mesh);
}

// Root strain of a tip-loaded cantilever: -y P L/(E Iz) on +y for P along +y; on +z for P along +z likewise.
static void strain_at_the_faces_matches_closed_form(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 4);
  f.section[0].y = 0.02;
  f.section[0].z = 0.02;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_point_load tip = {1, {100, 10, 20}, {0}};
  lim_beam_load load = {.point = &tip, .npoint = 1};
  double *u = fixture_cantilever(mesh, &load), E = 70e9, axial = 100 / (E * 350e-6);
  lim_section_force root = lim_beam_section_force(mesh, u, &load, 0);
  double y = lim_beam_strain(mesh->element, 0, root, LIM_FACE_PY),
         z = lim_beam_strain(mesh->element, 0, root, LIM_FACE_PZ);
  assert_true(fabs(y / (axial - 0.01 * 10 / (E * 1e-8)) - 1) < 1e-10);
  assert_true(fabs(z / (axial - 0.01 * 20 / (E * 4e-8)) - 1) < 1e-10);
  double opposite = lim_beam_strain(mesh->element, 0, root, LIM_FACE_NY);
  assert_true(fabs((y + opposite) / (2 * axial) - 1) < 1e-10);
  f.section[0].y = NAN;
  assert_true(isnan(lim_beam_strain(mesh->element, 0, root, LIM_FACE_PY))); // the outline is not known
  free(u);
  lim_mesh_free(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_end_at_nodes_and_share_elements_by_length),
      cmocka_unit_test(every_piece_gets_an_element),
      cmocka_unit_test(segments_divide_length_elements_and_mass),
      cmocka_unit_test(empty_stretch_reports_the_link),
      cmocka_unit_test(place_at_node_belongs_to_the_element_before),
      cmocka_unit_test(location_at_a_seam_is_on_one_stretch),
      cmocka_unit_test(rigid_field_has_no_stiffness_and_the_inertia_of_the_body),
      cmocka_unit_test(concentrated_mass_has_the_energy_of_a_rigid_body),
      cmocka_unit_test(stepped_cantilever_matches_closed_form),
      cmocka_unit_test(tapered_cantilever_under_a_tip_force_is_exact_at_the_nodes),
      cmocka_unit_test(concentrated_load_inside_an_element_is_balanced_exactly),
      cmocka_unit_test(tapered_self_weight_is_balanced_exactly),
      cmocka_unit_test(strain_at_the_faces_matches_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
