// fd_scheme.c - the difference equations of one link. Theory: docs/theory/finite-difference.md.
#include "analysis/study/fd_scheme.h"

#include "math/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- semi-discrete equations ---

// Masses of grid points; the hub's inertia belongs to its own freedom, or as printed to the first grid point.
static void put_masses(lim_fd *s) {
  const lim_fd_link *a = &s->link;
  for (int i = 1; i <= a->n; i++) s->M[i] = a->mass * s->dx;
  s->M[a->n] = a->mass * s->dx / 2 + a->tip;
  s->M[s->first] += a->hub / (s->dx * s->dx);
  if (s->first == 1) s->M[0] = 1; // not an unknown
}

// Energy EI/2 dx sum kappa_i^2 with kappa_i = (y_i-1 - 2 y_i + y_i+1)/dx^2; kappa_0 = 2 (y_1 - y[0])/dx^2
// counts half; kappa_n = 0.
static void put_stiffness(lim_fd *s) {
  double k = s->link.stiffness / (s->dx * s->dx * s->dx);
  static const double twice[3] = {1, -2, 1};
  for (int i = 1; i < s->link.n; i++)
    for (int p = 0; p < 3; p++)
      for (int q = 0; q <= p; q++)
        if (i + q - 1 > 0) lim_band_add(s->K, i + p - 1, i + q - 1, k * twice[p] * twice[q]); // y_0 = 0
  if (s->first == 1) return;
  lim_band_add(s->K, 0, 0, 2 * k);
  lim_band_add(s->K, 1, 0, -2 * k);
  lim_band_add(s->K, 1, 1, 2 * k);
}

static bool allocate(lim_fd *s) {
  size_t n = (size_t)s->link.n + 1, padded = n + 2 * LIM_FD_PAD;
  s->M = lim_arena_array(&s->arena, n, sizeof *s->M);
  s->K = lim_band_new(&s->arena, s->link.n + 1, 2);
  double *bands = lim_arena_array(&s->arena, 8 * n, sizeof *bands),
         *levels = lim_arena_array(&s->arena, 3 * padded, sizeof *levels);
  if (!s->M || !s->K.a || !bands || !levels) return false;
  for (size_t k = 0; k < 5; k++) s->A[k] = bands + k * n;
  for (size_t k = 0; k < 3; k++) s->B[k] = bands + (5 + k) * n;
  s->now = levels + LIM_FD_PAD;
  s->before = s->now + padded;
  s->oldest = s->before + padded;
  return true;
}

lim_code lim_fd_new(lim_fd **out, const lim_fd_link *link, lim_error *err) {
  lim_fd *s = *out = calloc(1, sizeof *s);
  if (!s) return lim_no_memory(err);
  s->link = *link;
  s->dx = link->length / link->n;
  s->first = link->hub > 0 && !link->printed ? 0 : 1;
  if (!allocate(s)) {
    lim_fd_free(s);
    *out = NULL;
    return lim_no_memory(err);
  }
  put_masses(s);
  put_stiffness(s);
  return LIM_OK;
}

void lim_fd_free(lim_fd *s) {
  if (!s) return;
  lim_arena_free(&s->arena);
  free(s);
}

// --- what the equations tell ---

// C M^-1/2 in band storage, one diagonal on each side, without the row of kappa_n: a row per curvature as in
// put_stiffness, so that K = C' C.
static void put_curvatures(double *c, const lim_fd *s) {
  double k = sqrt(s->link.stiffness / (s->dx * s->dx * s->dx));
  static const double twice[3] = {1, -2, 1};
  const double *M = s->M;
  for (int i = 1; i < s->link.n; i++)
    for (int p = 0; p < 3; p++) {
      int point = i + p - 1;
      if (point > 0) c[3 * (point - s->first) + 2 - p] = k * twice[p] / sqrt(M[point]);
    }
  if (s->first == 1) return;
  c[1] = -sqrt(2) * k / sqrt(M[0]);
  c[3] = sqrt(2) * k / sqrt(M[1]);
}

// Singular values of C M^-1/2 and the rigid turning, which no curvature feels. The eigenvalues of M^-1/2 K
// M^-1/2 are their squares, but with the condition of the problem squared too: of 16 digits the lowest would
// keep 5 at 1000 points.
lim_code lim_fd_frequencies(double *omega, const lim_fd *s, lim_error *err) {
  int columns = s->link.n + 1 - s->first, rows = columns - 1;
  double *c = calloc((size_t)columns * 4, sizeof *c);
  if (!c) return lim_no_memory(err);
  double *above = c + 3 * columns, *values = omega + 1;
  put_curvatures(c, s);
  int info = lim_dgbbrd(rows, columns, 1, 1, c, 3, values, above);
  if (info == 0) info = lim_dbdsqr(rows, values, above);
  free(c);
  if (info != 0) return lim_lapack_code(info, "finite-difference: no frequencies of the grid", err);
  for (int i = 0; i < rows / 2; i++) { // descending to ascending
    double higher = values[i];
    values[i] = values[rows - 1 - i];
    values[rows - 1 - i] = higher;
  }
  omega[0] = 0;
  return LIM_OK;
}

// h^2 w^2 + 2 h w D_s/sqrt(EI rho) <= 4 for the fastest motion: of a grid without ends c + d/2 <= 1/4.
lim_code lim_fd_largest_step(double *h, const lim_fd *s, lim_error *err) {
  double *omega = malloc(((size_t)s->link.n + 1) * sizeof *omega);
  if (!omega) return lim_no_memory(err);
  lim_code code = lim_fd_frequencies(omega, s, err);
  double w = omega[s->link.n - s->first], z = s->link.damping / sqrt(s->link.stiffness * s->link.mass);
  if (code == LIM_OK) *h = (sqrt(z * z + 4) - z) / w;
  free(omega);
  return code;
}

double lim_fd_slope(const lim_fd *s, const double *y) {
  return (s->first == 0 ? y[0] : 2 * y[1] - y[2] / 2) / s->dx;
}

// --- steps ---

// A = 2 - h^2 M^-1 K - h M^-1 D, B = -1 + h M^-1 D, F = h^2/(M dx); D = D_s/dx (-1, 2, -1), 0 at hub and tip.
void lim_fd_start(lim_fd *s, double h, double speed) {
  s->h = h;
  for (int i = s->first; i <= s->link.n; i++) {
    bool inside = i > 0 && i < s->link.n;
    double d = inside ? h * s->link.damping / (s->dx * s->M[i]) : 0;
    for (int k = 0; k < 5; k++) {
      int j = i + k - 2;
      s->A[k][i] = j >= s->first && j <= s->link.n ? -h * h / s->M[i] * lim_band_get(s->K, i, j) : 0;
    }
    s->A[2][i] += 2 - 2 * d;
    s->A[1][i] += i > 1 ? d : 0;
    s->A[3][i] += d;
    s->B[0][i] = i > 1 ? -d : 0;
    s->B[1][i] = -1 + 2 * d;
    s->B[2][i] = -d;
  }
  s->F = h * h / (s->M[s->first] * s->dx);
  for (int i = s->first; i <= s->link.n; i++) {
    s->now[i] = 0;
    s->before[i] = -h * speed * s->dx * (i == 0 ? 1 : i);
  }
}

// Rows from .. to of A y + B z, by the bands.
static void rows(double *restrict next, const lim_fd *s, int from, int to) {
  const double *restrict y = s->now, *restrict z = s->before;
  double *const *A = s->A, *const *B = s->B;
  for (int i = from; i <= to; i++)
    next[i] = A[0][i] * y[i - 2] + A[1][i] * y[i - 1] + A[2][i] * y[i] + A[3][i] * y[i + 1] +
              A[4][i] * y[i + 2] + B[0][i] * z[i - 1] + B[1][i] * z[i] + B[2][i] * z[i + 1];
}

// Rows that do not see an end are alike and symmetric: LIM_FD_FLOPS operations each.
static void inner_rows(double *restrict next, const lim_fd *s, int from, int to) {
  const double *restrict y = s->now, *restrict z = s->before;
  double a0 = s->A[0][from], a1 = s->A[1][from], a2 = s->A[2][from], b0 = s->B[0][from], b1 = s->B[1][from];
  for (int i = from; i <= to; i++)
    next[i] = a2 * y[i] + b1 * z[i] + a1 * (y[i - 1] + y[i + 1]) + b0 * (z[i - 1] + z[i + 1]) +
              a0 * (y[i - 2] + y[i + 2]);
}

void lim_fd_step(lim_fd *s, double torque) {
  double *next = s->oldest;
  int n = s->link.n, low = 3, high = n - 2; // rows 1 and 2 see y_0 and the hub, n - 1 and n the tip
  if (low <= high) {
    rows(next, s, s->first, low - 1);
    inner_rows(next, s, low, high);
    rows(next, s, high + 1, n);
  } else {
    rows(next, s, s->first, n);
  }
  next[s->first] += s->F * torque;
  s->oldest = s->before;
  s->before = s->now;
  s->now = next;
}
