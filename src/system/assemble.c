// assemble.c - matrices of the whole arm.
#include "system/assemble.h"

#include <string.h>

void lim_assemble_mass(double *M, lim_rec_work *w, const lim_system *s, const double *q, double *scratch) {
  size_t n = (size_t)s->n;
  double *zero = scratch, *a = scratch + n, *rest = scratch + 2 * n;
  memset(scratch, 0, 3 * n * sizeof *scratch);
  lim_rec_residual(rest, w, q, zero, zero); // gravity and stiffness
  for (size_t j = 0; j < n; j++) {
    a[j] = 1;
    lim_rec_residual(M + j * n, w, q, zero, a);
    a[j] = 0;
    for (size_t i = 0; i < n; i++) M[j * n + i] -= rest[i];
  }
}

void lim_assemble_stiffness(double *K, const lim_system *s, const double *q) {
  size_t n = (size_t)s->n;
  memset(K, 0, n * n * sizeof *K);
  for (int i = 0; i < s->nbody; i++) {
    const lim_body *b = s->member[i].body;
    size_t e = (size_t)s->member[i].e;
    if (s->member[i].slide) {
      lim_sliding_stiffness(K + e * (n + 1), n, s->member[i].slide, q[s->member[i].q]);
      continue;
    }
    for (int r = 0; r < b->n; r++)
      for (int c = r > b->width ? r - b->width : 0; c <= r; c++) {
        double x = b->K[r * (b->width + 1) + c - r + b->width];
        K[(e + (size_t)c) * n + e + (size_t)r] = K[(e + (size_t)r) * n + e + (size_t)c] = x;
      }
  }
}
