// body_basis.c - tests of the four bases: what they keep exactly, what they converge to, what they refuse.
#include "../verification/beam_fixture.h"

#include "body/basis.h"
#include "kind_numbers.h"

#include <string.h>

static const bool SPATIAL[6] = {true, true, true, true, true, true};
static const bool PLANAR[6] = {true, true, false, false, false, true};

enum { MODES = 6 };

static lim_basis_matrix *shapes_of(const fixture *f, const lim_mesh *mesh, const bool keep[6]) {
  lim_basis_matrix *a = NULL;
  lim_error err = {0};
  assert_int_equal(lim_basis_matrix_new(&a, &f->model, 0, mesh, keep, &err), LIM_OK);
  assert_int_equal(err.count, 0);
  assert_int_equal(a->ndof, mesh->ndof);
  return a;
}

static lim_basis_matrix *shapes_with(fixture *f, const lim_mesh *mesh, int type, int count,
                                     const bool keep[6]) {
  f->link.basis.type = type;
  f->link.basis.count = count;
  return shapes_of(f, mesh, keep);
}

static lim_link_location at(double fraction) {
  return (lim_link_location){.kind = LIM_AT_FRACTION, .value = fraction};
}

// lambda (count): the lowest modes of the reduced matrices.
static void reduced_modes(double *lambda, const lim_basis_matrix *a, lim_band K, lim_band M, int count) {
  double *k = fixture_zeros(a->n * a->n), *m = fixture_zeros(a->n * a->n);
  lim_eigen_count out;
  lim_basis_matrix_reduce(k, a, K);
  lim_basis_matrix_reduce(m, a, M);
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &out, k, m, a->n, count, NULL), LIM_OK);
  assert_int_equal(out.found, count);
  free(k);
  free(m);
}

// The same of the mesh, clamped, without any basis.
static void mesh_modes(double *lambda, const lim_mesh *mesh, lim_band M, int count) {
  int n = mesh->ndof - 6;
  double *k = fixture_zeros(n * n), *m = fixture_zeros(n * n);
  lim_eigen_count out;
  lim_band_dense(k, lim_band_tail(mesh->K, 6));
  lim_band_dense(m, lim_band_tail(M, 6));
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &out, k, m, n, count, NULL), LIM_OK);
  free(k);
  free(m);
}

// u (ndof): displacements under the nodal forces p, as far as the shapes allow.
static void solve(double *u, const lim_basis_matrix *a, const lim_mesh *mesh, const double *p) {
  lim_arena arena = {0};
  lim_band K = lim_band_new(&arena, a->n, a->n - 1);
  double *k = fixture_zeros(a->n * a->n), *eta = fixture_zeros(a->n);
  lim_basis_matrix_reduce(k, a, mesh->K);
  lim_band_add_block(K, 0, k, a->n);
  lim_basis_matrix_project(eta, a, p);
  assert_int_equal(lim_band_factor(K, NULL), LIM_OK);
  lim_band_solve(K, eta, 1);
  lim_basis_matrix_expand(u, a, eta);
  free(k);
  free(eta);
  lim_arena_free(&arena);
}

// Largest difference of displacements, and of rotations, as parts of the largest of their kind.
static double distance(const double *u, const double *v, int ndof) {
  double error[2] = {0}, size[2] = {1e-300, 1e-300};
  for (int i = 0; i < ndof; i++) {
    int kind = i % 6 / 3;
    error[kind] = fmax(error[kind], fabs(u[i] - v[i]));
    size[kind] = fmax(size[kind], fabs(v[i]));
  }
  return fmax(error[0] / size[0], error[1] / size[1]);
}

// The deflection under a force and a moment at a place differs from the mesh's by no more than rounding.
static void assert_static_exact(const lim_basis_matrix *a, const lim_mesh *mesh, double place, int ncase) {
  for (int r = 0; r < ncase; r++) {
    lim_point_load point = {.at = place};
    (r < 3 ? point.force : point.moment)[r % 3] = 10;
    lim_beam_load load = {.point = &point, .npoint = 1};
    double *expected = fixture_cantilever(mesh, &load), *u = fixture_zeros(mesh->ndof),
           *p = fixture_zeros(mesh->ndof);
    lim_beam_add_load(p, mesh, &load);
    solve(u, a, mesh, p);
    assert_true(distance(u, expected, mesh->ndof) < 1e-9);
    free(expected);
    free(u);
    free(p);
  }
}

// Phi'K Phi = diag(lambda), Phi'M Phi = 1, relative to the sizes of the two shapes of an entry.
static void assert_orthonormal(const lim_basis_matrix *a, const lim_mesh *mesh) {
  int n = a->n;
  double *k = fixture_zeros(n * n), *m = fixture_zeros(n * n);
  lim_basis_matrix_reduce(k, a, mesh->K);
  lim_basis_matrix_reduce(m, a, mesh->M);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double size = sqrt(a->lambda[i] * a->lambda[j]);
      assert_true(fabs(m[j * n + i] - (i == j)) < 1e-8);
      assert_true(fabs(k[j * n + i] / size - (i == j)) < 1e-8);
    }
  for (int j = 1; j < n; j++) assert_true(a->lambda[j] >= a->lambda[j - 1] * (1 - 2e-9));
  free(k);
  free(m);
}

static void assert_clamped(const lim_basis_matrix *a) {
  for (int j = 0; j < a->n; j++)
    for (int i = 0; i < 6; i++) assert_true(a->Phi[j * a->ndof + i] == 0);
}

static lim_band with_payload(lim_arena *arena, const lim_mesh *mesh, double place, double mass) {
  lim_band M = lim_band_new(arena, mesh->ndof, mesh->M.width);
  lim_band_copy(M, mesh->M);
  const double offset[3] = {0.02, 0, 0.01}, inertia[6] = {1e-2, 2e-2, 2e-2, 0, 0, 0};
  lim_mesh_add_mass(M, mesh, place, mass, offset, inertia);
  return M;
}

// --- full and rigid

static void full_is_identity_on_kept_coordinates(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 4);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_FULL, 0, SPATIAL);
  assert_int_equal(a->n, mesh->ndof - 6);
  for (int j = 0; j < a->n; j++) {
    assert_int_equal(a->index[j], j + 6);
    for (int i = 0; i < a->ndof; i++) assert_true(a->Phi[j * a->ndof + i] == (i == j + 6));
  }
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

static void full_frequencies_are_those_of_the_mesh(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 4);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_FULL, 0, SPATIAL);
  double expected[MODES], lambda[MODES];
  mesh_modes(expected, mesh, mesh->M, MODES);
  reduced_modes(lambda, a, mesh->K, mesh->M, MODES);
  for (int k = 0; k < MODES; k++) assert_true(fabs(lambda[k] / expected[k] - 1) < 1e-12);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

static void rigid_has_no_coordinates(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 4);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_RIGID, 0, SPATIAL);
  double *u = fixture_zeros(mesh->ndof);
  assert_int_equal(a->n, 0);
  u[7] = 1;
  lim_basis_matrix_expand(u, a, NULL);
  for (int i = 0; i < a->ndof; i++) assert_true(u[i] == 0);
  lim_basis_matrix_project(NULL, a, u);
  lim_basis_matrix_reduce(NULL, a, mesh->K);
  free(u);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

static void expand_and_project_are_transposes(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 4);
  lim_mesh *mesh = fixture_mesh(&f);
  const int types[] = {LIM_BASIS_FULL, LIM_BASIS_MODES, LIM_BASIS_CRAIG_BAMPTON};
  for (int t = 0; t < 3; t++) {
    lim_basis_matrix *a = shapes_with(&f, mesh, types[t], 3, SPATIAL);
    double *u = fixture_zeros(a->ndof), *p = fixture_zeros(a->ndof), *eta = fixture_zeros(a->n),
           *f_eta = fixture_zeros(a->n), power = 0, reduced = 0, size = 0;
    for (int i = 0; i < a->ndof; i++) p[i] = sin(1 + 3 * i);
    for (int j = 0; j < a->n; j++) eta[j] = cos(2 + 5 * j);
    lim_basis_matrix_expand(u, a, eta);
    lim_basis_matrix_project(f_eta, a, p);
    for (int i = 0; i < a->ndof; i++) power += u[i] * p[i], size += fabs(u[i] * p[i]);
    for (int j = 0; j < a->n; j++) reduced += eta[j] * f_eta[j];
    assert_true(fabs(power - reduced) < 1e-13 * size);
    free(u), free(p), free(eta), free(f_eta);
    lim_basis_matrix_free(a);
  }
  lim_mesh_free(mesh);
}

// --- modes

static void modes_are_the_lowest_of_the_mesh(void **state) {
  (void)state;
  for (int element = LIM_ELEMENT_timoshenko; element <= LIM_ELEMENT_euler_bernoulli; element++) {
    fixture f;
    fixture_init(&f, element, 8);
    lim_mesh *mesh = fixture_mesh(&f);
    lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_MODES, MODES, SPATIAL);
    double expected[MODES];
    mesh_modes(expected, mesh, mesh->M, MODES);
    assert_int_equal(a->n, MODES);
    for (int k = 0; k < MODES; k++) assert_true(fabs(a->lambda[k] / expected[k] - 1) < 1e-10);
    assert_orthonormal(a, mesh);
    assert_clamped(a);
    lim_basis_matrix_free(a);
    lim_mesh_free(mesh);
  }
}

static void modes_ignore_masses_and_children(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 6);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *bare = shapes_with(&f, mesh, LIM_BASIS_MODES, 3, SPATIAL);
  lim_mass mass = {.at.kind = LIM_AT_TIP, .mass = 100};
  f.link.masses.item = &mass;
  f.link.masses.count = 1;
  lim_basis_matrix *loaded = shapes_of(&f, mesh, SPATIAL);
  assert_memory_equal(bare->Phi, loaded->Phi, (size_t)(3 * bare->ndof) * sizeof *bare->Phi);
  lim_basis_matrix_free(bare);
  lim_basis_matrix_free(loaded);
  lim_mesh_free(mesh);
}

static void modes_of_a_round_section_stay_in_their_planes(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 8);
  f.section[0].Iy = f.section[0].Iz;
  f.section[0].kappa[1] = f.section[0].kappa[0];
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_MODES, 4, SPATIAL);
  for (int j = 0; j < 4; j++) { // pairs: x-y before x-z, both up at the tip
    const double *tip = a->Phi + (j + 1) * a->ndof - 6;
    assert_true(tip[j % 2 ? 2 : 1] > 0.1);
    assert_true(tip[j % 2 ? 1 : 2] == 0);
  }
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

static void modes_of_all_coordinates_equal_full(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 2);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_MODES, 12, SPATIAL);
  assert_orthonormal(a, mesh);
  assert_static_exact(a, mesh, 0.3, 6);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

// --- Craig-Bampton

static void craig_bampton_tip_load_is_exact(void **state) {
  (void)state;
  for (int element = LIM_ELEMENT_timoshenko; element <= LIM_ELEMENT_euler_bernoulli; element++) {
    fixture f;
    fixture_init(&f, element, 10);
    lim_mesh *mesh = fixture_mesh(&f);
    lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 0, SPATIAL);
    assert_int_equal(a->n, 6);
    assert_static_exact(a, mesh, 1, 6);
    assert_orthonormal(a, mesh);
    assert_clamped(a);
    lim_basis_matrix_free(a);
    lim_mesh_free(mesh);
  }
}

static void craig_bampton_frame_inside_an_element_is_exact(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  lim_frame frames[] = {{.on.index = 0, .at = at(0.437)}, {.on.index = 0}, {.on.index = -1, .at = at(0.2)}};
  f.model.frames.item = frames;
  f.model.frames.count = 3;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 2, SPATIAL);
  assert_int_equal(a->n, 14); // the frame at the base and the one in the world add nothing
  assert_static_exact(a, mesh, 0.437, 6);
  assert_static_exact(a, mesh, 1, 6);
  assert_orthonormal(a, mesh);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

// Children at the tip, at a named frame and at a fraction; a mass where a child is already; others' children.
static void craig_bampton_holds_what_the_link_carries(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  lim_frame frame = {.on.index = 0, .at = at(0.5)};
  lim_mass masses[] = {{.at = at(0.75)}, {.at = at(0.25)}, {.at.kind = LIM_AT_TIP}, {.at.kind = LIM_AT_BASE}};
  f.link.parent.index = -1;
  f.link.basis = (lim_basis){.type = LIM_BASIS_CRAIG_BAMPTON};
  f.link.masses.item = masses;
  f.link.masses.count = 4;
  lim_link links[] = {
      f.link,
      {.parent.index = 0, .at.kind = LIM_AT_TIP},
      {.parent.index = 0, .at = {.kind = LIM_AT_FRAME, .frame.index = 0}},
      {.parent.index = 0, .at = at(0.75)},
      {.parent.index = 1, .at = at(0.1)},
  };
  f.model.frames.item = &frame;
  f.model.frames.count = 1;
  f.model.links.item = links;
  f.model.links.count = 5;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_of(&f, mesh, SPATIAL);
  assert_int_equal(a->n, 24); // 0.25, 0.5, 0.75, 1
  const double places[] = {0.25, 0.5, 0.75, 1};
  for (int k = 0; k < 4; k++) assert_static_exact(a, mesh, places[k], 6);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

// With a heavy payload the frequencies fall towards the mesh's as modes are added, and are nearer than with as
// many cantilever modes.
static void craig_bampton_payload_converges_from_above(void **state) {
  (void)state;
  enum { LOW = 5 };
  fixture f;
  lim_arena arena = {0};
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_band M = with_payload(&arena, mesh, 1, 10);
  double exact[LOW], before[LOW], lambda[LOW], modes[LOW];
  mesh_modes(exact, mesh, M, LOW);
  for (int i = 0; i < LOW; i++) before[i] = INFINITY;
  for (int count = 0; count <= 12; count += 2) {
    lim_basis_matrix *cb = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, count, SPATIAL);
    lim_basis_matrix *cantilever = shapes_with(&f, mesh, LIM_BASIS_MODES, cb->n, SPATIAL);
    assert_int_equal(cb->n, 6 + count);
    reduced_modes(lambda, cb, mesh->K, M, LOW);
    reduced_modes(modes, cantilever, mesh->K, M, LOW);
    double error = 0, other = 0;
    for (int i = 0; i < LOW; i++) {
      assert_true(lambda[i] >= exact[i] * (1 - 1e-10));
      assert_true(lambda[i] <= before[i] * (1 + 1e-10));
      assert_true(lambda[i] < modes[i]);
      error = fmax(error, lambda[i] / exact[i] - 1);
      other = fmax(other, modes[i] / exact[i] - 1);
      before[i] = lambda[i];
    }
    assert_true(error < other / 4);
    lim_basis_matrix_free(cb);
    lim_basis_matrix_free(cantilever);
  }
  for (int i = 0; i < LOW; i++) assert_true(before[i] / exact[i] - 1 < 1e-4);
  lim_mesh_free(mesh);
  lim_arena_free(&arena);
}

static void craig_bampton_with_all_modes_equals_full(void **state) {
  (void)state;
  fixture f;
  lim_arena arena = {0};
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 5);
  lim_frame frame = {.on.index = 0, .at = at(0.47)};
  f.model.frames.item = &frame;
  f.model.frames.count = 1;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_band M = with_payload(&arena, mesh, 0.3, 2);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 30 - 12, SPATIAL);
  double exact[30], lambda[30];
  assert_int_equal(a->n, 30);
  mesh_modes(exact, mesh, M, 30);
  reduced_modes(lambda, a, mesh->K, M, 30);
  for (int i = 0; i < 30; i++) assert_true(fabs(lambda[i] / exact[i] - 1) < 1e-8);
  assert_orthonormal(a, mesh);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
  lim_arena_free(&arena);
}

// Five places on two elements, two of them hardly apart: more constraints than coordinates.
static void craig_bampton_dependent_places_are_dropped(void **state) {
  (void)state;
  for (int element = LIM_ELEMENT_timoshenko; element <= LIM_ELEMENT_euler_bernoulli; element++) {
    fixture f;
    fixture_init(&f, element, 2);
    lim_frame frames[] = {{.on.index = 0, .at = at(0.1)},
                          {.on.index = 0, .at = at(0.3)},
                          {.on.index = 0, .at = at(0.3 + 1e-7)},
                          {.on.index = 0, .at = at(0.9)}};
    f.model.frames.item = frames;
    f.model.frames.count = 4;
    lim_mesh *mesh = fixture_mesh(&f);
    lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 0, SPATIAL);
    assert_int_equal(a->n, 12);
    assert_orthonormal(a, mesh);
    assert_static_exact(a, mesh, 0.3, 6);
    lim_basis_matrix_free(a);
    lim_mesh_free(mesh);
  }
}

static void craig_bampton_neighbouring_places_stay_independent(void **state) {
  (void)state;
  const double gaps[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
  for (int k = 0; k < 6; k++) {
    fixture f;
    fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 20);
    lim_frame frame = {.on.index = 0, .at = at(1 - gaps[k])};
    f.model.frames.item = &frame;
    f.model.frames.count = 1;
    lim_mesh *mesh = fixture_mesh(&f);
    lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 3, SPATIAL);
    assert_in_range(a->n, 9, 15);
    assert_orthonormal(a, mesh);
    assert_static_exact(a, mesh, 1, 6);
    lim_basis_matrix_free(a);
    lim_mesh_free(mesh);
  }
}

static void craig_bampton_without_mass_is_exact_in_statics(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 6);
  f.material.rho = 0;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 0, SPATIAL);
  double k[36];
  assert_int_equal(a->n, 6);
  lim_basis_matrix_reduce(k, a, mesh->K);
  for (int i = 0; i < 36; i++) assert_true(fabs(k[i] - (i % 7 == 0)) < 1e-10);
  for (int j = 0; j < 6; j++) assert_true(isinf(a->lambda[j]));
  assert_static_exact(a, mesh, 1, 6);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

// The second half of a link: its tip and what stands on it, at its own fractions.
static void craig_bampton_of_a_segment_holds_its_own_places(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  f.link.beam.segments = 2;
  f.link.basis = (lim_basis){.type = LIM_BASIS_CRAIG_BAMPTON};
  lim_mass masses[] = {{.at = at(0.2)}, {.at = at(0.5)}, {.at = at(0.75)}};
  f.link.masses.item = masses;
  f.link.masses.count = 3;
  for (int k = 0; k < 2; k++) {
    lim_stretch stretch = lim_mesh_segment(&f.link.beam, k);
    lim_mesh *mesh = NULL;
    lim_basis_matrix *a = NULL;
    assert_int_equal(lim_mesh_new(&mesh, &f.model, 0, stretch, NULL), LIM_OK);
    assert_int_equal(lim_basis_matrix_new_from(&a, &f.model, 0, mesh, stretch.from, SPATIAL, NULL), LIM_OK);
    assert_int_equal(a->n, 12);
    assert_static_exact(a, mesh, k == 0 ? 0.4 : 0.5, 6);
    assert_static_exact(a, mesh, 1, 6);
    lim_basis_matrix_free(a);
    lim_mesh_free(mesh);
  }
}

// Modes of a link in segments: whatever passes the end of one but the last bends it as it should; the last is a
// cantilever.
static void modes_of_a_segment_carry_what_passes_its_end(void **state) {
  (void)state;
  static const int counts[] = {4, 18}; // 18: all that the second segment has with its end held
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 11);
  f.link.beam.segments = 3;
  for (int c = 0; c < 2; c++)
    for (int k = 0; k < 3; k++) {
      int count = counts[c], all;
      lim_stretch stretch = lim_mesh_segment(&f.link.beam, k);
      lim_mesh *mesh = NULL;
      lim_basis_matrix *a = NULL;
      f.link.basis = (lim_basis){.type = LIM_BASIS_MODES, .count = count};
      assert_int_equal(lim_mesh_new(&mesh, &f.model, 0, stretch, NULL), LIM_OK);
      assert_int_equal(lim_basis_matrix_new_from(&a, &f.model, 0, mesh, stretch.from, SPATIAL, NULL), LIM_OK);
      assert_orthonormal(a, mesh);
      all = mesh->ndof - 6;
      if (k < 2) assert_int_equal(a->n, 6 + count < all ? 6 + count : all);
      if (k < 2) assert_static_exact(a, mesh, 1, 6);
      if (k == 2) {
        double lambda[18];
        mesh_modes(lambda, mesh, mesh->M, count);
        assert_int_equal(a->n, count);
        for (int j = 0; j < count; j++) assert_true(fabs(a->lambda[j] / lambda[j] - 1) < 1e-6);
      }
      lim_basis_matrix_free(a);
      lim_mesh_free(mesh);
    }
}

static void craig_bampton_stepped_link_on_a_fine_mesh_is_exact(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 30);
  f.section[1].Iz *= 3;
  f.section[1].Iy *= 2;
  f.piece[0].length = 0.4;
  f.piece[1] = (lim_piece){.length = 0.6, .from.index = 1, .to.index = 1};
  f.link.beam.pieces.count = 2;
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_CRAIG_BAMPTON, 2, SPATIAL);
  assert_static_exact(a, mesh, 1, 6);
  assert_orthonormal(a, mesh);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

// --- planar

static void planar_keeps_three_coordinates(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 6);
  lim_mesh *mesh = fixture_mesh(&f);
  const int types[] = {LIM_BASIS_FULL, LIM_BASIS_MODES, LIM_BASIS_CRAIG_BAMPTON}, n[] = {18, 4, 7};
  for (int t = 0; t < 3; t++) {
    lim_basis_matrix *a = shapes_with(&f, mesh, types[t], 4, PLANAR);
    assert_int_equal(a->n, n[t]);
    for (int j = 0; j < a->n; j++)
      for (int i = 0; i < a->ndof; i++) assert_true(PLANAR[i % 6] || a->Phi[j * a->ndof + i] == 0);
    assert_clamped(a);
    if (t > 0) assert_orthonormal(a, mesh);
    lim_basis_matrix_free(a);
  }
  lim_mesh_free(mesh);
}

static void planar_modes_are_the_bending_modes_of_their_plane(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 6);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_basis_matrix *a = shapes_with(&f, mesh, LIM_BASIS_MODES, 3, PLANAR);
  double expected[3];
  fixture_modes(expected, 3, mesh, mesh->K, mesh->M, CLAMPED_END, FREE_END);
  for (int k = 0; k < 3; k++) assert_true(fabs(a->lambda[k] / expected[k] - 1) < 1e-10);
  lim_basis_matrix_free(a);
  lim_mesh_free(mesh);
}

// --- errors

static void assert_refused(const fixture *f, const lim_mesh *mesh, const bool keep[6], const char *text) {
  lim_basis_matrix *a = NULL;
  lim_error err = {0};
  assert_int_equal(lim_basis_matrix_new(&a, &f->model, 0, mesh, keep, &err), LIM_BAD_INPUT);
  assert_null(a);
  assert_int_equal(err.count, 1);
  assert_string_equal(err.note[0].text, text);
  assert_int_equal(err.note[0].line, 7);
  lim_error_clear(&err);
}

static void count_beyond_the_mesh_is_refused(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 2);
  const lim_node node = {.source = "arm.yaml", .line = 7, .column = 3};
  lim_mesh *mesh = fixture_mesh(&f);
  f.link.basis = (lim_basis){.head.node = &node, .type = LIM_BASIS_MODES, .count = 13};
  assert_refused(&f, mesh, SPATIAL, "link 'link': basis has count 13, but its mesh has only 12 modes");
  f.link.basis.count = 7;
  assert_refused(&f, mesh, PLANAR, "link 'link': basis has count 7, but its mesh has only 6 modes");
  f.link.basis.type = LIM_BASIS_CRAIG_BAMPTON;
  assert_refused(&f, mesh, SPATIAL,
                 "link 'link': basis has count 7, but its mesh has only 6 modes with its frames held");
  lim_mesh_free(mesh);
  f.material.rho = 0;
  f.link.basis.type = LIM_BASIS_MODES;
  mesh = fixture_mesh(&f);
  assert_refused(&f, mesh, SPATIAL, "link 'link': basis has count 7, but its mesh has only 0 modes");
  lim_mesh_free(mesh);
}

static void free_of_nothing_is_allowed(void **state) {
  (void)state;
  lim_basis_matrix_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_is_identity_on_kept_coordinates),
      cmocka_unit_test(full_frequencies_are_those_of_the_mesh),
      cmocka_unit_test(rigid_has_no_coordinates),
      cmocka_unit_test(expand_and_project_are_transposes),
      cmocka_unit_test(modes_are_the_lowest_of_the_mesh),
      cmocka_unit_test(modes_ignore_masses_and_children),
      cmocka_unit_test(modes_of_a_round_section_stay_in_their_planes),
      cmocka_unit_test(modes_of_all_coordinates_equal_full),
      cmocka_unit_test(craig_bampton_tip_load_is_exact),
      cmocka_unit_test(craig_bampton_frame_inside_an_element_is_exact),
      cmocka_unit_test(craig_bampton_holds_what_the_link_carries),
      cmocka_unit_test(craig_bampton_payload_converges_from_above),
      cmocka_unit_test(craig_bampton_with_all_modes_equals_full),
      cmocka_unit_test(craig_bampton_dependent_places_are_dropped),
      cmocka_unit_test(craig_bampton_neighbouring_places_stay_independent),
      cmocka_unit_test(craig_bampton_without_mass_is_exact_in_statics),
      cmocka_unit_test(craig_bampton_of_a_segment_holds_its_own_places),
      cmocka_unit_test(modes_of_a_segment_carry_what_passes_its_end),
      cmocka_unit_test(craig_bampton_stepped_link_on_a_fine_mesh_is_exact),
      cmocka_unit_test(planar_keeps_three_coordinates),
      cmocka_unit_test(planar_modes_are_the_bending_modes_of_their_plane),
      cmocka_unit_test(count_beyond_the_mesh_is_refused),
      cmocka_unit_test(free_of_nothing_is_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
