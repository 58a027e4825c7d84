// beam_fixture.h - beams for the tests: a model with one link made by hand, its mesh, statics and modes of a
// few coordinates.
#ifndef BEAM_FIXTURE_H
#define BEAM_FIXTURE_H

#include "beam/load.h"
#include "kind_numbers.h"
#include "math/eigen/eigen.h"
#include "verification/table_fixture.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

// One link of one uniform piece; tests change what they need before they build its mesh.
typedef struct {
  lim_model model;
  lim_material material;
  lim_section section[3];
  lim_piece piece[3];
  lim_link link;
} fixture;

// The aluminium link of the Timoshenko thesis, chapter IV, of different stiffness about y and z.
static inline void fixture_init(fixture *f, int element, int elements) {
  *f = (fixture){
      .material = {.E = 70e9, .nu = 0.3, .G = 70e9 / 2.6, .rho = 2700},
      .piece = {{.length = 1}},
      .link = {.head.name = "link"},
  };
  f->section[0] = (lim_section){
      .shape = LIM_SECTION_general, .A = 350e-6, .Iy = 4e-8, .Iz = 1e-8, .J = 2e-8, .kappa = {0.8864, 0.8}};
  f->section[1] = f->section[2] = f->section[0];
  f->link.beam = (lim_beam){.length = 1, .elements = elements, .segments = 1, .element = element};
  f->link.beam.pieces.item = f->piece;
  f->link.beam.pieces.count = 1;
  f->model.materials.item = &f->material;
  f->model.sections.item = f->section;
  f->model.links.item = &f->link;
  f->model.materials.count = f->model.sections.count = f->model.links.count = 1;
}

// L = E = A = rho = 1, radius of gyration r, solid circle with nu = 0.3: the beams of the Timoshenko thesis,
// table I.
static inline void fixture_unit(fixture *f, int element, int elements, double r) {
  fixture_init(f, element, elements);
  f->material = (lim_material){.E = 1, .nu = 0.3, .G = 1 / 2.6, .rho = 1};
  double kappa = 6 * 1.3 / (7 + 6 * 0.3);
  f->section[0] = (lim_section){
      .shape = LIM_SECTION_general, .A = 1, .Iy = r * r, .Iz = r * r, .J = 2 * r * r, .kappa = {kappa, kappa}};
}

static inline lim_mesh *fixture_mesh(const fixture *f) {
  lim_mesh *mesh = NULL;
  lim_error err = {0};
  assert_int_equal(lim_mesh_new(&mesh, &f->model, 0, lim_mesh_segment(&f->link.beam, 0), &err), LIM_OK);
  return mesh;
}

static inline double *fixture_zeros(int n) {
  double *x = calloc((size_t)n + 1, sizeof *x); // never of size 0
  assert_non_null(x);
  return x;
}

// Displacements (ndof) of the link clamped at its first node under the load. To be freed.
static inline double *fixture_cantilever(const lim_mesh *mesh, const lim_beam_load *load) {
  lim_arena arena = {0};
  lim_band K = lim_band_new(&arena, mesh->ndof, mesh->K.width);
  double *u = fixture_zeros(mesh->ndof);
  lim_band_copy(K, mesh->K);
  lim_beam_add_load(u, mesh, load);
  for (int i = 0; i < 6; i++) u[i] = 0;
  lim_band tail = lim_band_tail(K, 6);
  assert_int_equal(lim_band_factor(tail, NULL), LIM_OK);
  lim_band_solve(tail, u + 6, 1);
  lim_arena_free(&arena);
  return u;
}

// Supports of bending in x-y at an end.
typedef enum { FREE_END, PINNED_END, CLAMPED_END } support;

// The coordinates uy, tz that the supports leave; returns how many.
static inline int fixture_bending(int *index, const lim_mesh *mesh, support first, support last) {
  int n = 0;
  for (int k = 0; k < mesh->nnode; k++) {
    support s = k == 0 ? first : k == mesh->nnode - 1 ? last : FREE_END;
    if (s == FREE_END) index[n++] = 6 * k + 1;
    if (s != CLAMPED_END) index[n++] = 6 * k + 5;
  }
  return n;
}

// The lowest lambda of bending in x-y with stiffness K and mass M.
static inline lim_eigen_count fixture_modes(double *lambda, int count, const lim_mesh *mesh, lim_band K,
                                            lim_band M, support first, support last) {
  int *index = calloc((size_t)mesh->ndof, sizeof *index);
  assert_non_null(index);
  int n = fixture_bending(index, mesh, first, last);
  double *k = fixture_zeros(n * n), *m = fixture_zeros(n * n);
  lim_band_gather(k, K, index, n);
  lim_band_gather(m, M, index, n);
  lim_eigen_count out;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &out, k, m, n, count, NULL), LIM_OK);
  free(k);
  free(m);
  free(index);
  return out;
}

static inline const char *element_name(int type) { return lim_element_kind_of(type)->row.word; }

#endif
