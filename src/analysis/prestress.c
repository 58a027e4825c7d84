// prestress.c - K u = p of a clamped link, and the geometric stiffness of the forces in it. Theory:
// docs/theory/modes.md (7)-(10).
#include "analysis/prestress.h"

#include "math/rotation.h"

#include <string.h>

// Rows and columns of coordinates outside the model's plane become those of the unit matrix.
static void hold_out_of_plane(lim_band K, double *p, const bool keep[6]) {
  for (int i = 0; i < K.n; i++) {
    if (keep[i % 6]) continue;
    for (int j = i - K.width; j <= i + K.width; j++)
      if (j >= 0 && j < K.n) lim_band_add(K, i, j, -lim_band_get(K, i, j));
    lim_band_add(K, i, i, 1);
    p[i] = 0;
  }
}

// (7)
lim_code lim_rest_shape(double **u, lim_beam_load *load, lim_one_link *a, lim_error *err) {
  int n = a->mesh->ndof;
  double *x = lim_arena_array(&a->arena, (size_t)n, sizeof *x);
  double *field = lim_arena_array(&a->arena, (size_t)n, sizeof *field);
  lim_band K = lim_band_new(&a->arena, n, a->mesh->K.width);
  if (!x || !field || !K.a) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_mesh_rigid_field(field, a->mesh, a->gravity, (double[3]){0});
  *load = (lim_beam_load){.field = field, .point = a->load, .npoint = a->nload};
  memcpy(load->q, a->q, sizeof load->q);
  *u = x;
  lim_beam_add_load(x, a->mesh, load);
  lim_band_copy(K, a->mesh->K);
  lim_band clamped = lim_band_tail(K, 6);
  hold_out_of_plane(clamped, x + 6, a->keep);
  memset(x, 0, 6 * sizeof *x);
  lim_code code = lim_band_factor(clamped, err);
  if (code == LIM_OK) lim_band_solve(clamped, x + 6, 1);
  return code;
}

// A force F of fixed direction at r on a section that turns by t has the potential -F.(t x (t x r))/2, whose
// second derivative is (F.r) 1 - (F r' + r F')/2: H = tr(S) 1 - (S + S')/2 with S = F r'.   (9)
static void from_virial(double H[9], const double S[9]) {
  for (int i = 0; i < 9; i++)
    H[i] = (i % 4 == 0 ? S[0] + S[4] + S[8] : 0) - (S[i] + S[3 * (i % 3) + i / 3]) / 2;
}

void lim_prestress_rigid(double H[9], const lim_one_link *a) {
  double S[9];
  lim_one_link_virial(S, a);
  from_virial(H, S);
}

static void add_offset(lim_band K, const lim_mesh *mesh, double at, const double F[3], const double r[3]) {
  double S[9], H[9], N[72];
  for (int i = 0; i < 9; i++) S[i] = F[i / 3] * r[i % 3];
  from_virial(H, S);
  int first = lim_mesh_interpolation(N, mesh, at);
  double block[144] = {0};
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      for (int k = 0; k < 9; k++) block[12 * i + j] += N[12 * (3 + k / 3) + i] * H[k] * N[12 * (3 + k % 3) + j];
  lim_band_add_block(K, first, block, 12);
}

lim_code lim_prestress_check(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->loads.count; i++) {
    const lim_load *x = &m->loads.item[i];
    if (x->axes && x->from <= 0 && lim_dot(x->force, x->force) > 0)
      return lim_tree_error(err, x->head.node,
                            "a force that follows the link: modes about 'start: equilibrium' does not know its "
                            "stiffness, which is not symmetric; use axes: world, or start: undeformed");
  }
  return LIM_OK;
}

lim_code lim_prestress_add(lim_band K, lim_one_link *a, lim_error *err) {
  double *u = NULL;
  lim_beam_load load;
  lim_code code = lim_rest_shape(&u, &load, a, err);
  if (code != LIM_OK) return code;
  double *N = lim_arena_array(&a->arena, 3 * (size_t)a->mesh->nelement, sizeof *N);
  if (!N) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_beam_axial_force(N, a->mesh, u, &load); // (8)
  lim_mesh_add_geometric(K, a->mesh, N);
  for (int i = 0; i < a->nload; i++) add_offset(K, a->mesh, a->load[i].at, a->load[i].force, a->offset[i]);
  return LIM_OK;
}
