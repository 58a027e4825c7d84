// mass_matrix.c - matrices of the whole arm.
#include "dynamics/mass_matrix.h"

#include "arm/body/kind.h"

#include <string.h>

void lim_assemble_mass(double *M, lim_rec_work *w, const lim_arm *s, const double *q, double *scratch) {
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

void lim_assemble_stiffness(double *K, const lim_arm *s, const double *q) {
  size_t n = (size_t)s->n;
  memset(K, 0, n * n * sizeof *K);
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    b->kind->stiffness(K + (size_t)b->e * (n + 1), n, b, q);
  }
}
