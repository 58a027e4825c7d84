// bent.c - a link as a force at its tip would bend it: eta = K^-1 N'(F, M) of each of its segments, F such that
// the tip moves as asked. Theory: docs/theory/simulation.md.
#include "analysis/simulation/bent.h"
#include "arm/body/kind.h"
#include "dynamics/loop_closing.h"

#include "math/band.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const lim_arm *s;
  int link;
  double *eta; // of all coordinates, by unit forces along x, y, z (3 n)
} bending;

// The section at the far end of one of the link's bodies.
static const lim_section_motion *end_of(const lim_arm *s, int link, int body) {
  return body < s->last_body[link] ? &s->bodies[body + 1].on.section : &s->site[2 + 2 * link].site.section;
}

static lim_code factor_of(lim_band *K, lim_arena *arena, const lim_body *b, lim_error *err) {
  *K = lim_band_new(arena, b->n, b->width);
  if (!K->a) return lim_no_memory(err);
  for (int i = 0; i < b->n; i++)
    for (int j = i > b->width ? i - b->width : 0; j <= i; j++)
      lim_band_add(*K, i, j, b->K[i * (b->width + 1) + j - i + b->width]);
  return lim_band_factor(*K, err);
}

// Unit forces at the tip, and their moments about the end of a body at a distance before it.
static lim_code bend_body(const bending *x, int body, double arm, lim_error *err) {
  const lim_arm_body *m = &x->s->bodies[body];
  const lim_section_motion *end = end_of(x->s, x->link, body);
  const double wrench[3][6] = {
      {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, arm}, {0, 0, 1, 0, -arm, 0}}; // F, (arm, 0, 0) x F
  lim_arena arena = {0};
  lim_band K;
  lim_code code = factor_of(&K, &arena, m->body, err);
  for (int f = 0; f < 3 && code == LIM_OK; f++) {
    double *eta = x->eta + (size_t)f * (size_t)x->s->n + (size_t)m->e;
    for (int j = 0; j < end->count; j++)
      for (int r = 0; r < 6; r++) eta[end->first + j] += end->N[r * end->count + j] * wrench[f][r];
    lim_band_solve(K, eta, 1);
  }
  lim_arena_free(&arena);
  return code;
}

// Displacement of the tip to first order: u of each body, and its turn by those before.
static void tip_of(double d[3], const bending *x, int f) {
  const lim_arm *s = x->s;
  double turn[3] = {0};
  memset(d, 0, 3 * sizeof *d);
  for (int b = s->first_body[x->link]; b <= s->last_body[x->link]; b++) {
    const lim_section_motion *end = end_of(s, x->link, b);
    const double *eta = x->eta + (size_t)f * (size_t)s->n + (size_t)s->bodies[b].e + (size_t)end->first;
    double swing[3];
    lim_cross(swing, turn, end->X);
    for (int i = 0; i < 3; i++) d[i] += swing[i];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < end->count; j++) {
        d[i] += end->N[i * end->count + j] * eta[j];
        turn[i] += end->N[(3 + i) * end->count + j] * eta[j];
      }
  }
}

// F with C F = d by elimination with pivots on the diagonal; directions in which the link does not yield are
// left out. False: one of them is asked for.
static bool forces_for(double F[3], double C[3][3], const double d[3]) {
  double A[3][4], max = fmax(C[0][0], fmax(C[1][1], C[2][2]));
  bool yields[3];
  for (int i = 0; i < 3; i++) {
    yields[i] = C[i][i] > 1e-14 * max;
    if (!yields[i] && d[i] != 0) return false;
    for (int j = 0; j < 3; j++) A[i][j] = C[i][j];
    A[i][3] = d[i];
  }
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < 3 && yields[p]; i++) {
      if (i == p || !yields[i]) continue;
      double k = A[i][p] / A[p][p];
      for (int j = 0; j < 4; j++) A[i][j] -= k * A[p][j];
    }
  for (int i = 0; i < 3; i++) F[i] = yields[i] ? A[i][3] / A[i][i] : 0;
  return true;
}

static void add(double *q, const bending *x, const double F[3]) {
  const lim_arm *s = x->s;
  for (int b = s->first_body[x->link]; b <= s->last_body[x->link]; b++)
    for (int k = s->bodies[b].e; k < s->bodies[b].e + s->bodies[b].body->n; k++)
      for (int f = 0; f < 3; f++) q[k] += F[f] * x->eta[f * s->n + k];
}

// Axial coordinates of a full basis are true displacements: the ends of elements come nearer by d'G d/2.
static void shorten_body(double *q, double *v, const lim_body *b) {
  double by = 0, rate = 0;
  for (int k = 0; k < b->nstretch; k++) {
    const lim_body_axial_stretch *x = &b->axial_stretch[k];
    for (int p = 0; p < x->planes; p++) {
      const lim_body_bend *y = &x->plane[p];
      const int *i = y->index;
      const double d[3] = {y->span[0] * q[i[0]] + y->span[1] * q[i[2]], q[i[1]], q[i[3]]};
      const double w[3] = {y->span[0] * v[i[0]] + y->span[1] * v[i[2]], v[i[1]], v[i[3]]};
      for (int m = 0; m < 9; m++) {
        by += d[m / 3] * y->G[m] * d[m % 3] / 2;
        rate += d[m / 3] * y->G[m] * w[m % 3];
      }
    }
    if (x->end[1] < 0) continue;
    q[x->end[1]] -= by;
    v[x->end[1]] -= rate;
  }
}

static lim_code bend_link(double *q, double *v, bending *x, const lim_bent *from, lim_error *err) {
  const lim_arm *s = x->s;
  const lim_link *a = &s->model->links.item[x->link];
  double C[3][3], F[3], rate[3];
  memset(x->eta, 0, 3 * (size_t)s->n * sizeof *x->eta);
  lim_code code = LIM_OK;
  for (int b = s->first_body[x->link]; b <= s->last_body[x->link] && code == LIM_OK; b++) {
    const bool segment = s->bodies[b].kind->split; // others end at their tip
    code = bend_body(x, b, segment ? a->beam.length - s->bodies[b].start - s->bodies[b].mesh->length : 0, err);
  }
  for (int f = 0; f < 3 && code == LIM_OK; f++) {
    double d[3];
    tip_of(d, x, f);
    for (int i = 0; i < 3; i++) C[i][f] = d[i];
  }
  if (code != LIM_OK) return code;
  if (!forces_for(F, C, from->tip) || !forces_for(rate, C, from->rate))
    return lim_tree_error(err, from->head.node,
                          "%s: the link cannot move that way in its basis, or in the model's plane",
                          from->head.where);
  add(q, x, F);
  add(v, x, rate);
  return LIM_OK;
}

lim_code lim_bent_start(double *q, double *v, const lim_arm *s, bool shorten, lim_error *err) {
  const lim_model *m = s->model;
  bending x = {.s = s, .eta = calloc(3 * (size_t)s->n + 1, sizeof *x.eta)};
  lim_code code = x.eta ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < m->deformation.count && code == LIM_OK; i++) {
    x.link = m->deformation.item[i].link.index;
    code = bend_link(q, v, &x, &m->deformation.item[i], err);
  }
  for (int b = 0; b < s->nbody && code == LIM_OK && shorten; b++)
    shorten_body(q + s->bodies[b].e, v + s->bodies[b].e, s->bodies[b].body);
  free(x.eta);
  return code == LIM_OK && s->nrow && m->deformation.count ? lim_loops_close(s, q, v, err) : code;
}
