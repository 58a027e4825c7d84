// sliding_motion.c - sections, energies and momentum of a sliding beam, on doubles. Theory:
// docs/theory/sliding.md.
#include "arm/body/kind.h"
#include "arm/section.h"
#include "math/rotation.h"

#include <string.h>

// --- motion ---

// x'A y: the matrices are bands.
static double sliding_form(const double *A, const double *x, const double *y, const lim_sliding *s) {
  double sum = 0;
  for (int i = 0; A && i < s->n; i++) {
    int low = i > s->width ? i - s->width : 0, high = i + s->width < s->n ? i + s->width : s->n - 1;
    double row = 0;
    for (int j = low; j <= high; j++) row += A[i * s->n + j] * y[j];
    sum += x[i] * row;
  }
  return sum;
}

// The length that bends, and its two rates.
typedef struct {
  double l, d, dd;
} bending_length;

static bending_length length_of(const lim_sliding *s, double free, double v, double a) {
  double out[3];
  lim_sliding_length(out, s, free);
  return (bending_length){out[0], out[1] * v, out[1] * a + out[2] * v * v};
}

// By the free length a section moves along; it shortens and turns over that length.
void lim_sliding_shift(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                       const double *a) {
  lim_section_rows(x->u, s, q, 0);
  lim_section_rows(x->du, s, v, 0);
  lim_section_rows(x->ddu, s, a, 0);
  lim_section_rows(x->t, s, q, 3);
  lim_section_rows(x->dt, s, v, 3);
  lim_section_rows(x->ddt, s, a, 3);
  double free[3] = {q[-s->back], v ? v[-s->back] : 0, a ? a[-s->back] : 0};
  bending_length l = length_of(s->slide, free[0], free[1], free[2]);
  double rest = 1 - s->place;
  x->u[0] += free[0] - rest * l.l;
  x->du[0] += free[1] - rest * l.d;
  x->ddu[0] += free[2] - rest * l.dd;
  if (s->count == 0) return;
  double over = 1 / l.l, d = -l.d * over * over, dd = (2 * l.d * l.d * over - l.dd) * over * over; // of 1/l
  double b = sliding_form(s->G[0], q, q, s->slide) / 2, db = v ? sliding_form(s->G[0], q, v, s->slide) : 0;
  double ddb =
      (a ? sliding_form(s->G[0], q, a, s->slide) : 0) + (v ? sliding_form(s->G[0], v, v, s->slide) : 0);
  x->u[0] -= b * over;
  x->du[0] -= db * over + b * d;
  x->ddu[0] -= ddb * over + 2 * db * d + b * dd;
  for (int i = 1; i < 3; i++) {
    x->ddt[i] = x->ddt[i] * over + 2 * x->dt[i] * d + x->t[i] * dd;
    x->dt[i] = x->dt[i] * over + x->t[i] * d;
    x->t[i] *= over;
  }
}

void lim_sliding_displacement(double u[3], const lim_section_motion *s, const double *q) {
  lim_section_rows(u, s, q, 0);
  if (s->count) u[0] -= sliding_form(s->G[0], q, q, s->slide) / 2 / length_of(s->slide, q[-s->back], 0, 0).l;
}

// --- energies and momentum ---

// Over the beam: energies, momentum and that about the guide in the body's axes.
typedef struct {
  lim_energies e;
  double p[3], l[3];
} sums;

// A material point.
static void add_material(sums *e, const lim_arm *s, const lim_world_motion *m, double mass, const double x[3],
                         const double rate[3]) {
  double v[3], w[3], world[3], moment[3];
  lim_rotate_back(v, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  lim_add_cross(v, w, x);
  lim_add(v, 1, rate);
  lim_rotate(world, m->R, x);
  lim_add(world, 1, m->p);
  lim_cross(moment, x, v);
  e->e.kinetic += mass * lim_dot(v, v) / 2;
  e->e.gravity -= mass * lim_dot(s->gravity, world);
  lim_add(e->p, mass, v);
  lim_add(e->l, mass, moment);
}

// A node of it: nodal coordinates and their rates, out (2 x LIM_NODE).
static void sliding_node(double out[2 * LIM_NODE], const lim_sliding *x, const double *eta, const double *rate,
                         int node) {
  for (int i = 0; i < LIM_NODE; i++) {
    out[i] = out[LIM_NODE + i] = 0;
    for (int j = 0; j < x->n && x->has[i / 2]; j++) {
      double phi = x->Phi[(size_t)j * (size_t)x->ndof + (size_t)(LIM_NODE * node + i)];
      out[i] += phi * eta[j];
      out[LIM_NODE + i] += phi * rate[j];
    }
  }
}

// Axial coordinates of a node become true displacements: b, its rate and those of db/ds are what bending takes.
static void draw_node(double y[2 * LIM_NODE], const double b[2], bending_length l) {
  const double *v = y + LIM_NODE;
  double slope = (y[3] * y[3] + y[5] * y[5]) / 2, rate = y[3] * v[3] + y[5] * v[5], k = l.d / l.l;
  y[LIM_NODE] -= (b[1] - k * b[0]) / l.l;
  y[LIM_NODE + 1] -= (rate - k * slope) / l.l;
  y[0] -= b[0] / l.l;
  y[1] -= slope / l.l;
}

// What bending of an element takes, and its rate, added to b. y: its two nodes.
static void add_element_bend(double b[2], const lim_sliding *x, double y[2][2 * LIM_NODE]) {
  for (int f = 1; f <= 2; f++)
    for (int i = 0; i < 16; i++) {
      int k = i / 4, l = i % 4;
      double d = y[k / 2][2 * f + k % 2], other = y[l / 2][2 * f + l % 2];
      b[0] += x->Ge[i] * d * other / 2;
      b[1] += x->Ge[i] * d * y[l / 2][LIM_NODE + 2 * f + l % 2];
    }
}

// Sections that turn with a slope b_s/l, b the field: of one point. w: angular velocity of the body.
static void add_slope(sums *e, const lim_sliding *x, bending_length l, double y[2][2 * LIM_NODE], int g,
                      double rest, int field, const double w[3]) {
  const int axis = field == 4 ? 2 : 1, sign = field == 4 ? 1 : -1; // about which the slope turns
  double rate = 0, k = l.d / l.l;
  for (int i = 0; i < 4; i++) {
    const double *node = y[i / 2] + 2 * field + i % 2;
    rate += x->at[g].d1[i] * (node[LIM_NODE] - k * node[0]) + rest * k * x->at[g].d2[i] * node[0];
  }
  const double spin = x->turning[field - 4] * x->w[g] * rate;
  e->e.kinetic += spin * (sign * w[axis] + rate / (2 * l.l));
  e->l[axis] += sign * spin;
}

static void add_bent_part(sums *e, const lim_arm *s, const lim_arm_body *b, const lim_world_motion *m,
                          const double *q, const double *v) {
  const lim_sliding *x = b->slide;
  bending_length l = length_of(x, q[b->q], v[b->q], 0);
  double w[3], y[2][2 * LIM_NODE], taken[2] = {0, 0};
  lim_rotate_back(w, m->R, m->w);
  sliding_node(y[1], x, q + b->e, v + b->e, 0);
  if (x->shortens) draw_node(y[1], taken, l);
  for (int k = 0; k < x->nelement; k++) {
    memcpy(y[0], y[1], sizeof y[0]);
    sliding_node(y[1], x, q + b->e, v + b->e, k + 1);
    add_element_bend(taken, x, y);
    if (x->shortens) draw_node(y[1], taken, l);
    for (int g = 0; g < LIM_SLIDING_POINTS; g++) {
      double rest = 1 - (x->s[g] + (double)k / x->nelement), f[LIM_FIELDS] = {0}, d[LIM_FIELDS] = {0};
      for (int i = 0; i < 4 * LIM_FIELDS; i++) {
        const double *node = y[i % 4 / 2] + 2 * (i / 4) + i % 2;
        f[i / 4] += x->at[g].N[i % 4] * node[0];
        d[i / 4] += x->at[g].N[i % 4] * node[LIM_NODE] + rest * l.d / l.l * x->at[g].d1[i % 4] * node[0];
      }
      double mass = x->mass * x->w[g] * l.l, spin = x->polar * x->w[g] * l.l;
      add_material(e, s, m, mass, (double[3]){q[b->q] - rest * l.l + f[0], f[1], f[2]},
                   (double[3]){v[b->q] + d[0], d[1], d[2]});
      e->e.kinetic += spin * (w[0] * d[3] + d[3] * d[3] / 2);
      e->l[0] += spin * d[3];
      for (int field = 4; field < LIM_FIELDS && x->sheared; field++) add_slope(e, x, l, y, g, rest, field, w);
    }
  }
}

// All but the strain energy.
static void sum_up(sums *e, const lim_arm *s, const lim_arm_body *b, const lim_world_motion *m, const double *q,
                   const double *v) {
  const lim_sliding *x = b->slide;
  double w[3], straight = x->length - (x->n ? length_of(x, q[b->q], 0, 0).l : 0);
  lim_rotate_back(w, m->R, m->w);
  for (int i = 0; i < 3; i++) {
    e->e.kinetic += x->rotary[i] * w[i] * w[i] / 2;
    e->l[i] += x->rotary[i] * w[i];
  }
  for (int g = 0; g < 2; g++) { // two points are exact
    double at = g ? 0.78867513459481288225 : 0.21132486540518711775;
    add_material(e, s, m, x->mass * straight / 2, (double[3]){q[b->q] - x->length + at * straight, 0, 0},
                 (double[3]){v[b->q], 0, 0});
  }
  if (x->n) add_bent_part(e, s, b, m, q, v);
}

void lim_sliding_momentum(double p[3], double l[3], const lim_arm *s, int body, const lim_world_motion *m,
                          const double *q, const double *v) {
  sums all = {.p = {0}};
  sum_up(&all, s, &s->bodies[body], m, q, v);
  memcpy(p, all.p, sizeof all.p);
  memcpy(l, all.l, sizeof all.l);
}

void lim_sliding_energies(lim_energies *e, const lim_arm *s, int body, const lim_world_motion *m,
                          const double *q, const double *v) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_sliding *x = b->slide;
  sums all = {.p = {0}};
  sum_up(&all, s, b, m, q, v);
  e->kinetic += all.e.kinetic;
  e->gravity += all.e.gravity;
  if (x->n == 0) return;
  bending_length l = length_of(x, q[b->q], 0, 0), rest = length_of(x, x->length - q[b->q], 0, 0);
  const double *eta = q + b->e;
  e->strain += sliding_form(x->K1, eta, eta, x) / (2 * l.l) +
               sliding_form(x->K3, eta, eta, x) / (2 * l.l * l.l * l.l) +
               sliding_form(x->Kb, eta, eta, x) / (2 * rest.l);
}
