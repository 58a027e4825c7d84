// linear_energy.c - T = v'M v/2 and U = q'K q/2 of the deviation q from a rigid motion, and what the forces of
// that motion do to it. By (6), d(T + U)/dt = v'(M a + K q) + v'M'v/2, M' being the change of the mass matrix
// on the way.
#include "integrate/linear_energy.h"

#include <string.h>

// x'K y of a body
static double form(const lim_body *b, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < b->n; i++)
    for (int j = i > b->width ? i - b->width : 0; j <= i; j++) {
      double k = b->K[i * (b->width + 1) + j - i + b->width];
      sum += k * (i == j ? x[i] * y[i] : x[i] * y[j] + x[j] * y[i]);
    }
  return sum;
}

static double stiffness(const lim_state *f, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < f->e->s->nbody; i++) {
    const lim_arm_body *b = &f->e->s->bodies[i];
    if (b->body->K) sum += form(b->body, x + b->e, y + b->e);
  }
  return sum;
}

// v'M x for x = v, a, and v'M'v: from residuals at the rigid motion's place with the accelerations v and 0,
// whose derivatives are along its velocity.
static void masses(double out[3], lim_state *f) {
  int n = f->n;
  lim_dual *y = f->dx;
  memset(out, 0, 3 * sizeof *out);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++) {
      y[i] = (lim_dual){f->ref[i], f->ref[n + i]};
      y[n + i] = (lim_dual){0, 0};
      y[2 * n + i] = (lim_dual){k ? 0 : f->v[i], 0};
    }
    lim_dual_residual(y + 3 * n, f->energy_balance, y, y + n, y + 2 * n);
    for (int i = 0; i < n; i++) {
      const double sign = k ? -1 : 1;
      out[0] += sign * f->v[i] * y[3 * n + i].x;
      out[1] += sign * f->a[i] * y[3 * n + i].x;
      out[2] += sign * f->v[i] * y[3 * n + i].d;
    }
  }
}

void lim_linear_energy(lim_state *f, double h) {
  double m[3], *before = f->k[0];
  const double lost = lim_dual_damping_power(f->dual);
  masses(m, f);
  const double power[2] = {m[1] + m[2] / 2 + stiffness(f, f->v, f->q) + lost, lost};
  f->kinetic = m[0] / 2;
  f->strain = stiffness(f, f->q, f->q) / 2;
  f->energy_integrals[LIM_WORK] += h * (before[LIM_WORK] + power[0]) / 2;
  f->energy_integrals[LIM_DISSIPATED] += h * (before[LIM_DISSIPATED] + power[1]) / 2;
  before[LIM_WORK] = power[0];
  before[LIM_DISSIPATED] = power[1];
}
