// section.c - sections in a floating frame, and the table of formulations.
#include "arm/section.h"

#include "arm/kinematics.h"

void lim_section_rows(double out[3], const lim_section_motion *s, const double *x, int first) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int j = 0; x && j < s->count; j++) out[i] += s->N[(first + i) * s->count + j] * x[s->first + j];
  }
}

double lim_section_form(const double *A, const double *x, const double *y, int first, int n) {
  double sum = 0;
  for (int i = 0; A && i < n; i++)
    for (int j = 0; j < n; j++) sum += x[first + i] * A[i * n + j] * y[first + j];
  return sum;
}

// What bending takes from the displacement along a direction.
static void shorten(lim_section_shift *x, const lim_section_motion *s, int i, const double *q, const double *v,
                    const double *a) {
  const double *G = s->G[i];
  x->u[i] -= lim_section_form(G, q, q, s->first, s->count) / 2;
  if (v) x->du[i] -= lim_section_form(G, q, v, s->first, s->count);
  if (v) x->ddu[i] -= lim_section_form(G, v, v, s->first, s->count);
  if (a) x->ddu[i] -= lim_section_form(G, q, a, s->first, s->count);
}

static void floating_shift(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                           const double *a) {
  lim_section_rows(x->u, s, q, 0);
  lim_section_rows(x->du, s, v, 0);
  lim_section_rows(x->ddu, s, a, 0);
  if (s->G[0]) shorten(x, s, 0, q, v, a);
  for (int i = 1; i < 3 && s->across; i++) shorten(x, s, i, q, v, a);
  lim_section_rows(x->t, s, q, 3);
  lim_section_rows(x->dt, s, v, 3);
  lim_section_rows(x->ddt, s, a, 3);
}

static void floating_displacement(double u[3], const lim_section_motion *s, const double *q) {
  lim_section_rows(u, s, q, 0);
  for (int i = 0; i < (s->across ? 3 : 1); i++) u[i] -= lim_section_form(s->G[i], q, q, s->first, s->count) / 2;
}

static const struct {
  void (*shift)(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                const double *a);
  void (*displacement)(double u[3], const lim_section_motion *s, const double *q);
} rows[LIM_FORMULATIONS] = {
    [LIM_FLOATING_FRAME] = {floating_shift, floating_displacement},
    [LIM_SLIDING_BEAM] = {lim_sliding_shift, lim_sliding_displacement},
    [LIM_ON_RAIL] = {lim_on_rail_shift, lim_on_rail_displacement},
};

void lim_section_shift_of(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                          const double *a) {
  rows[s->formulation].shift(x, s, q, v, a);
}

void lim_kinematics_displacement(double u[3], const lim_section_motion *s, const double *q) {
  rows[s->formulation].displacement(u, s, q);
}
