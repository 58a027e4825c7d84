// positive.c - a kinetic energy that is positive whatever the deformation. Theory:
// docs/theory/finite-elements.md (11a).
#include "fe/integrals.h"

#include "math/blas.h"
#include "math/lapack.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

// With z = (v, omega, eta') and y_k(eta) what omega_k does to it beyond A z at eta = 0,
//   2 T = |z + omega_k A^-1 y_k|^2_A + omega_k omega_l eta_i eta_j D,   D = <g_ki, g_lj> - y_ki'A^-1 y_lj.
typedef struct {
  lim_arena arena;
  int n, size, wide; // coordinates; rows of A: 6 + n; columns of Y: 3 n, (k, i) at k n + i
  double *A, *Y, *X; // (size x size), (size x wide), A^-1 Y
  double *D, *w;     // (wide x wide), its eigenvalues
} positivity;

static bool start(positivity *p, const lim_fe_link *x) {
  p->n = x->n;
  p->size = 6 + x->n;
  p->wide = 3 * x->n;
  const size_t size = (size_t)p->size, wide = (size_t)p->wide;
  p->A = lim_arena_array(&p->arena, size * size, sizeof *p->A);
  p->Y = lim_arena_array(&p->arena, size * wide, sizeof *p->Y);
  p->X = lim_arena_array(&p->arena, size * wide, sizeof *p->X);
  p->D = lim_arena_array(&p->arena, wide * wide, sizeof *p->D);
  p->w = lim_arena_array(&p->arena, wide, sizeof *p->w);
  return p->A && p->Y && p->X && p->D && p->w;
}

static void fill_mass(const positivity *p, const lim_fe_link *x) {
  static const int at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  const size_t size = (size_t)p->size;
  for (size_t i = 0; i < 3; i++) {
    double e[3] = {0}, c[3];
    e[i] = 1;
    lim_cross(c, e, x->moment);
    p->A[i * size + i] = x->mass;
    for (size_t k = 0; k < 3; k++) {
      p->A[(3 + i) * size + k] = p->A[k * size + 3 + i] = c[k];
      p->A[(3 + i) * size + 3 + k] = x->inertia[at[3 * i + k]];
    }
    for (size_t j = 0; j < (size_t)p->n; j++) {
      p->A[(6 + j) * size + i] = p->A[i * size + 6 + j] = x->first[i * (size_t)p->n + j];
      p->A[(6 + j) * size + 3 + i] = p->A[(3 + i) * size + 6 + j] = x->second[i * (size_t)p->n + j];
    }
  }
  for (size_t i = 0; i < (size_t)p->n; i++)
    for (size_t j = 0; j < (size_t)p->n; j++) p->A[(6 + i) * size + 6 + j] = x->M[i * (size_t)p->n + j];
}

// Products of e_k x phi_i with displacements, rotations and shapes.
static void fill_columns(const positivity *p, const lim_fe_link *x, const lim_fe_momentum *of) {
  const int n = p->n;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++) {
      double *y = p->Y + (size_t)(k * n + i) * (size_t)p->size, e[3] = {0};
      const double *H = of[i].H;
      e[k] = 1;
      lim_cross(y, e, of[i].F);
      for (int l = 0; l < 3; l++) y[3 + l] = (k == l) * (H[0] + H[4] + H[8]) - H[3 * k + l];
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      for (int j = 0; j < n; j++) y[6 + j] = x->S[a][b][i * n + j] - x->S[b][a][i * n + j];
    }
}

// (e_k x phi_i).(e_l x phi_j)
static double product(const lim_fe_link *x, int k, int i, int l, int j) {
  const int at = i * x->n + j;
  const double trace = x->S[0][0][at] + x->S[1][1][at] + x->S[2][2][at];
  return (k == l ? trace : 0) - x->S[l][k][at];
}

static lim_code fill_rest(const positivity *p, const lim_fe_link *x, lim_error *err) {
  const int n = p->n;
  memcpy(p->X, p->Y, (size_t)p->size * (size_t)p->wide * sizeof *p->X);
  int info = lim_dposv(p->size, p->wide, p->A, p->size, p->X, p->size);
  if (info) return lim_lapack_code(info, "the mass matrix of a link from finite elements is not positive", err);
  for (int c = 0; c < p->wide; c++)
    for (int r = 0; r < p->wide; r++)
      p->D[(size_t)c * (size_t)p->wide + (size_t)r] =
          (product(x, r / n, r % n, c / n, c % n) + product(x, c / n, c % n, r / n, r % n)) / 2;
  lim_blas(cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, p->wide, p->wide, p->size, -1, p->Y, p->size,
                       p->X, p->size, 1, p->D, p->wide));
  return LIM_OK;
}

// What is missing of (k, i), (l, j): minus the negative part of D.
static double missing(const positivity *p, int r, int c) {
  double sum = 0;
  for (int m = 0; m < p->wide && p->w[m] < 0; m++) {
    const double *v = p->D + (size_t)m * (size_t)p->wide;
    sum -= p->w[m] * v[r] * v[c];
  }
  return sum;
}

static void add_missing(lim_fe_link *x, const positivity *p) {
  const int n = p->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double J[3][3];
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          J[k][l] = (missing(p, k * n + i, l * n + j) + missing(p, k * n + j, l * n + i) +
                     missing(p, l * n + i, k * n + j) + missing(p, l * n + j, k * n + i)) /
                    4;
      const double half = (J[0][0] + J[1][1] + J[2][2]) / 2; // J_xx = S_yy + S_zz, J_xy = -S_xy
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) x->S[k][l][i * n + j] += k == l ? half - J[k][k] : -J[k][l];
    }
}

lim_code lim_fe_make_positive(lim_fe_link *x, const lim_fe_momentum *of, lim_error *err) {
  static const double ROUNDING = 1e-9;
  positivity p = {.n = 0};
  if (x->n == 0) return LIM_OK;
  lim_code code = start(&p, x) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    fill_mass(&p, x);
    fill_columns(&p, x, of);
    code = fill_rest(&p, x, err);
  }
  if (code == LIM_OK)
    code = lim_lapack_code(lim_dsyev(p.wide, p.D, p.wide, p.w),
                           "the inertia of a deformed link has no eigenvalues", err);
  if (code == LIM_OK && p.w[0] < -ROUNDING * fabs(p.w[p.wide - 1])) add_missing(x, &p);
  lim_arena_free(&p.arena);
  return code;
}
