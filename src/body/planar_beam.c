// planar_beam.c - coefficients of a beam in a plane, gathered from those of its body.
#include "body/planar_beam.h"

#include "body/body.h"

#include <stdlib.h>

enum { KINDS = 3 }; // x, y, slope

// --- matrices by nodes ---

// A matrix from which entries are taken: where all that have a place are, others stay of another kind of body.
typedef struct {
  double *A; // whole rows of a band   (n (2 width + 1))
  int n, width;
} band;

static double *entry(const band *w, int i, int j) {
  return &w->A[(size_t)i * (size_t)(2 * w->width + 1) + (size_t)(j - i + w->width)];
}

static double take(const band *w, int i, int j) {
  if (j < 0 || j >= w->n || j - i > w->width || i - j > w->width) return 0;
  const double value = *entry(w, i, j);
  *entry(w, i, j) = 0;
  return value;
}

static bool is_empty(const band *w) {
  for (int i = 0; i < w->n * (2 * w->width + 1); i++)
    if (w->A[i] != 0) return false;
  return true;
}

// Row of a coordinate with its own kind x, or with y and slope, of node k (from 0) and its neighbours.
static void along_row(lim_lanes *c, int lane, const band *w, int row, int k) {
  for (int j = 0; j < 3; j++) c[j][lane] = take(w, row, KINDS * (k + j - 1));
}

static void across_row(lim_lanes *c, int lane, const band *w, int row, int k) {
  for (int j = 0; j < 6; j++) c[j][lane] = take(w, row, KINDS * (k + j / 2 - 1) + 1 + j % 2);
}

static void near_rows(lim_lanes c[LIM_BEAM_NEAR], int lane, const band *w, int k) {
  along_row(c, lane, w, KINDS * k, k);
  across_row(c + 3, lane, w, KINDS * k + 1, k);
  across_row(c + 9, lane, w, KINDS * k + 2, k);
}

static void cross_rows(lim_lanes c[LIM_BEAM_CROSS], int lane, const band *w, int k) {
  across_row(c, lane, w, KINDS * k, k);
  along_row(c + 6, lane, w, KINDS * k + 1, k);
  along_row(c + 9, lane, w, KINDS * k + 2, k);
}

static void fill_row(lim_lanes to[KINDS], int lane, const double *from, int k) {
  for (int j = 0; j < KINDS; j++) to[j][lane] = from[KINDS * k + j];
}

// --- whole matrices ---

static void add_band(const band *w, const double *B) {
  for (int i = 0; i < w->n; i++)
    for (int j = i > w->width ? i - w->width : 0; j <= i; j++)
      *entry(w, i, j) = *entry(w, j, i) = B[i * (w->width + 1) + j - i + w->width];
}

static void add_sparse(const band *w, const lim_sparse *S) {
  for (int i = 0; i < S->n; i++)
    for (int k = S->start[i]; k < S->start[i + 1]; k++) *entry(w, i, S->column[k]) += S->value[k];
}

// The nodes' share of the beam. False: a matrix has entries without a place.
static bool fill_nodes(lim_planar_beam *p, const lim_body *b, band w[4]) {
  const size_t n = (size_t)b->n;
  add_band(&w[0], b->M);
  add_band(&w[1], b->K);
  add_sparse(&w[2], &b->S[0]);
  add_sparse(&w[2], &b->S[1]);
  add_sparse(&w[3], &b->B[2]);
  for (int k = 0; k < p->nodes; k++) {
    lim_beam_nodes *x = &p->two[k / 2];
    near_rows(x->M, k % 2, &w[0], k);
    near_rows(x->K, k % 2, &w[1], k);
    near_rows(x->S, k % 2, &w[2], k);
    cross_rows(x->B, k % 2, &w[3], k);
    fill_row(x->x, k % 2, b->first, k);
    fill_row(x->y, k % 2, b->first + n, k);
    fill_row(x->H, k % 2, b->second + 2 * n, k);
    fill_row(x->I, k % 2, b->inertia1 + 2 * n, k);
  }
  return is_empty(&w[0]) && is_empty(&w[1]) && is_empty(&w[2]) && is_empty(&w[3]);
}

// --- elements ---

// Whether element e bends in the plane alone, by the coordinates of nodes e and e + 1.
static bool is_regular(const lim_body_axial_stretch *x, int e) {
  const int before = KINDS * (e - 1), after = KINDS * e, *index = x->plane[0].index;
  if (x->planes != 1 || x->direction[0] != 1 || x->end[1] != after || index[2] != after + 1 ||
      index[3] != after + 2)
    return false;
  return e == 0 ? x->end[0] < 0 : x->end[0] == before && index[0] == before + 1 && index[1] == before + 2;
}

static void fill_element(lim_beam_elements *to, int lane, const lim_body_axial_stretch *x) {
  static const int ENTRY[6] = {0, 1, 2, 4, 5, 8};
  const lim_body_bend *y = &x->plane[0];
  to->stiffness[lane] = x->stiffness;
  to->w[lane] = x->w;
  to->X[lane] = x->X;
  for (int k = 0; k < 2; k++) to->along[k][lane] = x->along[k];
  for (int k = 0; k < 6; k++) {
    to->G[k][lane] = y->G[ENTRY[k]];
    to->H[k][lane] = y->H[ENTRY[k]];
  }
  for (int k = 0; k < 4; k++) to->N[k][lane] = y->N[k];
}

// --- set-up ---

static bool take_room(lim_planar_beam *p, lim_arena *arena) {
  const size_t pairs = ((size_t)p->nodes + 1) / 2;
  p->two = lim_arena_array(arena, pairs, sizeof *p->two);
  p->elements = lim_arena_array(arena, p->stretches ? pairs : 0, sizeof *p->elements);
  return p->two && p->elements;
}

static bool has_shape(const lim_body *b) {
  bool regular = b->n > 0 && b->n % KINDS == 0 && (b->nstretch == 0 || b->nstretch == b->n / KINDS);
  for (int e = 0; e < b->nstretch && regular; e++) regular = is_regular(&b->axial_stretch[e], e);
  return regular;
}

bool lim_planar_beam_of(lim_planar_beam **out, lim_arena *arena, const lim_body *b) {
  *out = NULL;
  if (!has_shape(b)) return true;
  const size_t size = (size_t)b->n * (size_t)(2 * b->width + 1);
  double *A = calloc(4 * size, sizeof *A);
  lim_planar_beam *p = lim_arena_allocate(arena, sizeof *p);
  if (p) *p = (lim_planar_beam){.nodes = b->n / KINDS, .stretches = b->nstretch > 0};
  const bool room = A && p && take_room(p, arena);
  band w[4];
  for (int k = 0; k < 4; k++) w[k] = (band){A + (size_t)k * size, b->n, b->width};
  if (room && fill_nodes(p, b, w)) *out = p;
  for (int e = 0; room && e < b->nstretch; e++) fill_element(&p->elements[e / 2], e % 2, &b->axial_stretch[e]);
  free(A);
  return room;
}
