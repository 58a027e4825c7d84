// extent.c - how far a change of coordinates moves an arm. Theory: docs/theory/statics.md, "Released joints".
#include "analysis/statics/released/extent.h"

#include "arm/kinematics.h"

#include <math.h>
#include <string.h>

typedef lim_equilibrium_search search;

static void widen(double box[6], const double p[3]) {
  for (int i = 0; i < 3; i++) {
    box[i] = fmin(box[i], p[i]);
    box[3 + i] = fmax(box[3 + i], p[i]);
  }
}

double lim_extent_size(search *p, lim_world_motion *body) {
  double box[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY}, sum = 0;
  const lim_spring_elements *b = &p->e->inputs->spring_elements;
  lim_kinematics(body, &p->s, p->q, NULL, NULL);
  for (int i = 0; i < p->s.nsite + 2 * b->count; i++) {
    int k = i - p->s.nsite;
    const lim_site *site = k < 0 ? &p->s.site[i].site : &b->spring[k / 2].site[k % 2];
    widen(box, lim_kinematics_at(&p->s, site, body, p->q, NULL, NULL).p);
  }
  for (int i = 0; i < 3; i++) sum += (box[3 + i] - box[i]) * (box[3 + i] - box[i]);
  return sum > 0 ? sqrt(sum) : 1;
}

static double of_body(search *p, int i, const double *x, double reach) {
  const lim_arm_body *b = &p->s.bodies[i];
  const double length = p->size * reach;
  double max = 0;
  if (b->q >= 0) max = fabs(x[b->q]) / (b->screw.turns ? 1 : length);
  if (!b->mesh->nnode)
    for (int k = 0; k < b->body->n; k++) max = fmax(max, fabs(x[b->e + k]));
  lim_basis_matrix_expand(p->nodes, b->shapes, x + b->e);
  for (int k = 0; k < 6 * b->mesh->nnode; k++) max = fmax(max, fabs(p->nodes[k]) / (k % 6 < 3 ? p->size : 1));
  return max;
}

double lim_extent(search *p, const double *x, double reach) {
  double max = 0;
  for (int i = 0; i < p->s.nbody; i++) {
    double own = of_body(p, i, x, reach);
    if (!(own <= max)) max = own; // NaN too
  }
  return max;
}

double lim_extent_of_unknowns(search *p, const double *x, double reach) {
  memset(p->image, 0, (size_t)p->n * sizeof *p->image);
  for (int j = 0; j < p->m; j++) p->image[p->index[j]] = x[j];
  return lim_extent(p, p->image, reach);
}
