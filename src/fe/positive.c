// positive.c - a kinetic energy that is positive whatever the deformation. Theory:
// docs/theory/finite-elements.md (18).
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

// Inertia about the base that is left when displacements and shapes give way, which D may use up: its root, and
// the inverse of that.
static lim_code left_inertia(double root[9], double inverse[9], const positivity *p, const double *A,
                             lim_error *err) {
  const size_t size = (size_t)p->size;
  lim_arena arena = {0};
  double *E = lim_arena_array(&arena, 3 * size, sizeof *E),
         *copy = lim_arena_array(&arena, size * size, sizeof *copy);
  lim_code code = E && copy ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    memcpy(copy, A, size * size * sizeof *copy);
    for (size_t k = 0; k < 3; k++) E[k * size + 3 + k] = 1;
    code =
        lim_lapack_code(lim_dposv(p->size, 3, copy, p->size, E, p->size), "a mass matrix is not positive", err);
  }
  double V[9], w[3]; // of the inverse of what is left
  for (size_t i = 0; code == LIM_OK && i < 9; i++) V[i] = E[i / 3 * size + 3 + i % 3];
  if (code == LIM_OK) code = lim_lapack_code(lim_dsyev(3, V, 3, w), "an inertia has no eigenvalues", err);
  for (int i = 0; code == LIM_OK && i < 9; i++) {
    root[i] = inverse[i] = 0;
    for (int m = 0; m < 3; m++) {
      root[i] += V[3 * m + i / 3] * V[3 * m + i % 3] / sqrt(w[m]);
      inverse[i] += V[3 * m + i / 3] * V[3 * m + i % 3] * sqrt(w[m]);
    }
  }
  lim_arena_free(&arena);
  return code;
}

// Amplitudes that coordinates may have together: the lowest a tenth of the link's size, the others as under one
// load.
static double amplitude(const lim_fe_link *x, const double *reach, int i) {
  const double *K = x->K, lowest = K[0], own = K[i * x->n + i];
  return 0.1 * x->facts.size / reach[i] * lowest / own;
}

// B = (L x a) D (L x a), of the matrix L (3 x 3) on directions and amplitudes on coordinates; back: 1/a.
static void scale(double *B, const double *D, const double L[9], const lim_fe_link *x, const double *reach,
                  bool back) {
  const int n = x->n, wide = 3 * n;
  for (int r = 0; r < wide; r++)
    for (int c = 0; c < wide; c++) {
      const double a = amplitude(x, reach, r % n) * amplitude(x, reach, c % n);
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += L[3 * (r / n) + k] * D[(size_t)(k * n + r % n) * (size_t)wide + (size_t)(l * n + c % n)] *
                 L[3 * (c / n) + l];
      B[(size_t)r * (size_t)wide + (size_t)c] = back ? sum / a : sum * a;
    }
}

// Of eigenvalues below -1/2 what is missing: out = sum of (-1/2 - w) v v'. None: false.
static bool missing(double *out, const positivity *p, const double *V) {
  const size_t wide = (size_t)p->wide;
  memset(out, 0, wide * wide * sizeof *out);
  for (size_t m = 0; m < wide && p->w[m] < -0.5; m++)
    for (size_t r = 0; r < wide; r++)
      for (size_t c = 0; c < wide; c++)
        out[r * wide + c] -= (0.5 + p->w[m]) * V[m * wide + r] * V[m * wide + c];
  return p->w[0] < -0.5;
}

static void add(lim_fe_link *x, const double *more) {
  const int n = x->n, wide = 3 * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double J[9];
      for (int e = 0; e < 9; e++) {
        const int k = e / 3, l = e % 3;
        J[e] = (more[(k * n + i) * wide + l * n + j] + more[(k * n + j) * wide + l * n + i] +
                more[(l * n + i) * wide + k * n + j] + more[(l * n + j) * wide + k * n + i]) /
               4;
      }
      const double half = (J[0] + J[4] + J[8]) / 2; // J_xx = S_yy + S_zz, J_xy = -S_xy
      for (int e = 0; e < 9; e++) x->S[e / 3][e % 3][i * n + j] += e % 4 ? -J[e] : half - J[e];
    }
}

static lim_code mend(lim_fe_link *x, positivity *p, const double *A, const double *reach, lim_error *err) {
  const size_t wide = (size_t)p->wide;
  double root[9], inverse[9], *B = lim_arena_array(&p->arena, wide * wide, sizeof *B);
  if (!B) return lim_no_memory(err);
  lim_code code = left_inertia(root, inverse, p, A, err);
  if (code != LIM_OK) return code;
  scale(B, p->D, inverse, x, reach, false);
  code = lim_lapack_code(lim_dsyev(p->wide, B, p->wide, p->w),
                         "the inertia of a deformed link has no eigenvalues", err);
  if (code != LIM_OK || !missing(p->D, p, B)) return code;
  scale(B, p->D, root, x, reach, true);
  add(x, B);
  return LIM_OK;
}

lim_code lim_fe_make_positive(lim_fe_link *x, const lim_fe_momentum *of, const double *reach, lim_error *err) {
  positivity p = {.n = 0};
  for (int i = 0; i < x->n; i++)
    if (!(x->K[i * x->n + i] > 0) || !(reach[i] > 0) || x->M[i * x->n + i] != 1)
      return LIM_OK; // not told apart
  if (x->n == 0) return LIM_OK;
  lim_code code = start(&p, x) ? LIM_OK : lim_no_memory(err);
  double *A = lim_arena_array(&p.arena, (size_t)p.size * (size_t)p.size + 1, sizeof *A);
  if (code == LIM_OK && !A) code = lim_no_memory(err);
  if (code == LIM_OK) {
    fill_mass(&p, x);
    memcpy(A, p.A, (size_t)p.size * (size_t)p.size * sizeof *A);
    fill_columns(&p, x, of);
    code = fill_rest(&p, x, err);
  }
  if (code == LIM_OK) code = mend(x, &p, A, reach, err);
  lim_arena_free(&p.arena);
  return code;
}
