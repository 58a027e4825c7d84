// rail.c - spans of a rail from the elements of its beam. Theory: docs/theory/rails.md (1)-(4).
#include "body/rail.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 2 + 2 * LIM_RAIL_NEIGHBOURS, NODAL = 6 * NODES, FIELDS = 6 };

// --- Hermite's functions ---

lim_hermite lim_rail_hermite(const lim_rail_span *x, double s) {
  const double h = x->length, r = (s - x->start) / h, t = 1 - r;
  return (lim_hermite){
      .H = {t * t * (1 + 2 * r), h * r * t * t, r * r * (3 - 2 * r), -h * r * r * t},
      .D = {-6 * r * t / h, t * (1 - 3 * r), 6 * r * t / h, r * (3 * r - 2)},
      .DD = {(12 * r - 6) / (h * h), (6 * r - 4) / h, (6 - 12 * r) / (h * h), (6 * r - 2) / h},
  };
}

// --- rows on nodal coordinates ---

// What one span is made of: rows over the coordinates of the nodes around it, the first of them `low`.
typedef struct {
  const lim_mesh *mesh;
  int low, nodal;                         // first node; coordinates of the nodes
  double P[FIELDS][LIM_HERMITE][NODAL];   // fields
  double bent[LIM_HERMITE][NODAL][NODAL]; // of what bending shortens: slopes at the nodes
} span_rows;

// Derivatives by x of the fields of element e at s in 0..1, times c, onto rows.
static void add_slopes(double rows[FIELDS][NODAL], const span_rows *w, int e, double s, double c) {
  double N[72], B[72];
  const int at = 6 * (e - w->low);
  lim_element_interpolation(N, &w->mesh->element[e], s);
  lim_element_strain(B, &w->mesh->element[e], s);
  for (int i = 0; i < 12; i++) {
    B[12 + i] += N[5 * 12 + i]; // uy' = shear + tz
    B[24 + i] -= N[4 * 12 + i]; // uz' = shear - ty
    for (int f = 0; f < FIELDS; f++) rows[f][at + i] += c * B[12 * f + i];
  }
}

// The mean of the elements that meet at a node, the shorter one counting more.   (2)
static void weights_at(double weight[2], const lim_mesh *mesh, int node) {
  const bool before = node > 0, behind = node < mesh->nelement;
  weight[0] = before;
  weight[1] = behind;
  if (!before || !behind) return;
  const double l = mesh->element[node - 1].L, r = mesh->element[node].L;
  weight[0] = r / (l + r);
  weight[1] = l / (l + r);
}

static void slopes_at(double rows[FIELDS][NODAL], const span_rows *w, int node) {
  double weight[2];
  weights_at(weight, w->mesh, node);
  if (weight[0] > 0) add_slopes(rows, w, node - 1, 1, weight[0]);
  if (weight[1] > 0) add_slopes(rows, w, node, 0, weight[1]);
}

// A += c x x'
static void add_square(double A[NODAL][NODAL], const double x[NODAL], double c) {
  for (int i = 0; i < NODAL; i++)
    for (int j = 0; j < NODAL; j++) A[i][j] += c * x[i] * x[j];
}

// A += c times the mean of the squared slopes over element e
static void add_mean(double A[NODAL][NODAL], const span_rows *w, int e, double c) {
  double K[144];
  const int at = 6 * (e - w->low);
  lim_element_shortening(K, &w->mesh->element[e], 1);
  for (int i = 0; i < 144; i++) A[at + i / 12][at + i % 12] += c * K[i] / w->mesh->element[e].L;
}

// Slope of what bending shortens at a node: the squared slopes there; where axial coordinates are true
// displacements, less the mean of the elements, which these have already.   (3)
static void bend_at(double A[NODAL][NODAL], const span_rows *w, int node, double rows[FIELDS][NODAL],
                    bool full) {
  double weight[2];
  weights_at(weight, w->mesh, node);
  add_square(A, rows[1], 1);
  add_square(A, rows[2], 1);
  if (full && weight[0] > 0) add_mean(A, w, node - 1, -weight[0]);
  if (full && weight[1] > 0) add_mean(A, w, node, -weight[1]);
}

static void make_rows(span_rows *w, const lim_mesh *mesh, int e, bool full) {
  const int high = e + 1 + LIM_RAIL_NEIGHBOURS, last = mesh->nnode - 1;
  memset(w, 0, sizeof *w);
  w->mesh = mesh;
  w->low = e > LIM_RAIL_NEIGHBOURS ? e - LIM_RAIL_NEIGHBOURS : 0;
  w->nodal = 6 * ((high < last ? high : last) - w->low + 1);
  for (int end = 0; end < 2; end++) {
    const int node = e + end, at = 6 * (node - w->low);
    double slope[FIELDS][NODAL] = {{0}};
    slopes_at(slope, w, node);
    for (int f = 0; f < FIELDS; f++) {
      w->P[f][2 * end][at + f] = 1;
      memcpy(w->P[f][2 * end + 1], slope[f], sizeof slope[f]);
    }
    bend_at(w->bent[2 * end + 1], w, node, slope, full);
  }
}

// --- onto the coordinates of the body ---

// Coordinates of a full basis that belong to the nodes of a span.
static void find_coordinates(lim_rail_span *x, const span_rows *w, const lim_basis_matrix *shapes) {
  x->first = 0;
  x->count = shapes->n;
  if (!shapes->index) return;
  const int low = 6 * w->low, high = low + w->nodal;
  while (x->first < shapes->n && shapes->index[x->first] < low) x->first++;
  x->count = 0;
  while (x->first + x->count < shapes->n && shapes->index[x->first + x->count] < high) x->count++;
}

// The nodal coordinates (nodal) of coordinate j of the span at 1.
static void shape_of(double u[NODAL], const lim_rail_span *x, const span_rows *w,
                     const lim_basis_matrix *shapes, int j) {
  memset(u, 0, NODAL * sizeof *u);
  if (shapes->index)
    u[shapes->index[x->first + j] - 6 * w->low] = 1;
  else
    memcpy(u, shapes->Phi + (size_t)j * (size_t)shapes->ndof + 6 * (size_t)w->low,
           (size_t)w->nodal * sizeof *u);
}

static double product(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// While a span is made: its matrices with all their entries.
typedef struct {
  double *P; // (24 x count by rows)
  double *G; // (4 x count x count)
} full_matrices;

// P = rows Phi, G = Phi' bent Phi of the slopes.
static void map_rows(const full_matrices *to, const lim_rail_span *x, const span_rows *w,
                     const lim_basis_matrix *shapes) {
  const size_t c = (size_t)x->count;
  for (int j = 0; j < x->count; j++) {
    double u[NODAL], Au[NODAL], other[NODAL];
    shape_of(u, x, w, shapes, j);
    for (int f = 0; f < FIELDS; f++)
      for (int k = 0; k < LIM_HERMITE; k++)
        to->P[(size_t)(LIM_HERMITE * f + k) * c + (size_t)j] = product(w->P[f][k], u, NODAL);
    for (int k = 1; x->shortens && k < LIM_HERMITE; k += 2) {
      for (int i = 0; i < NODAL; i++) Au[i] = product(w->bent[k][i], u, NODAL);
      for (int i = 0; i < x->count; i++) {
        shape_of(other, x, w, shapes, i);
        to->G[(size_t)k * c * c + (size_t)i * c + (size_t)j] = product(other, Au, NODAL);
      }
    }
  }
}

// sum (n x n) += what bending of element e of a reduced basis shortens.   (3)
static void add_shortening(double *sum, double *scratch, const lim_mesh *mesh, const lim_basis_matrix *shapes,
                           int e) {
  const size_t n = (size_t)shapes->n, ndof = (size_t)shapes->ndof, first = 6 * (size_t)e;
  double K[144];
  lim_element_shortening(K, &mesh->element[e], 1);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < 12; i++)
      scratch[12 * j + i] = product(K + 12 * i, shapes->Phi + j * ndof + first, 12);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      sum[i * n + j] += product(shapes->Phi + i * ndof + first, scratch + 12 * j, 12);
}

static bool keep_matrices(lim_rail_span *x, lim_arena *arena, const full_matrices *from) {
  bool good = lim_sparse_rows(&x->P, arena, from->P, FIELDS * LIM_HERMITE, x->count);
  for (int k = 0; k < LIM_HERMITE && good && x->shortens; k++)
    good = lim_sparse_of(&x->G[k], arena, from->G + k * x->count * x->count, x->count);
  return good;
}

// Scratch for all spans.
typedef struct {
  lim_arena arena;
  span_rows *rows;
  full_matrices all;
  double *sum, *scratch; // of reduced bases: what is shortened up to the span   (n x n), (12 n)
} maker;

static bool take(maker *w, const lim_basis_matrix *shapes) {
  const size_t n = (size_t)shapes->n, most = n < NODAL || !shapes->index ? n : NODAL;
  w->rows = lim_arena_allocate(&w->arena, sizeof *w->rows);
  w->all.P = lim_arena_array(&w->arena, FIELDS * LIM_HERMITE * most, sizeof(double));
  w->all.G = lim_arena_array(&w->arena, LIM_HERMITE * most * most, sizeof(double));
  w->sum = lim_arena_array(&w->arena, shapes->index ? 0 : n * n, sizeof(double));
  w->scratch = lim_arena_array(&w->arena, 12 * n, sizeof(double));
  return w->rows && w->all.P && w->all.G && w->sum && w->scratch;
}

static bool make_span(lim_rail_span *x, lim_arena *arena, maker *w, const lim_mesh *mesh,
                      const lim_basis_matrix *shapes, int e) {
  make_rows(w->rows, mesh, e, shapes->index != NULL);
  x->start = x->origin + mesh->x[e];
  x->length = mesh->x[e + 1] - mesh->x[e];
  find_coordinates(x, w->rows, shapes);
  x->shortens = x->shortens && x->count > 0;
  const size_t size = (size_t)x->count * (size_t)x->count;
  memset(w->all.G, 0, LIM_HERMITE * size * sizeof(double));
  map_rows(&w->all, x, w->rows, shapes);
  if (x->shortens && !shapes->index) {
    memcpy(w->all.G, w->sum, size * sizeof(double));
    add_shortening(w->sum, w->scratch, mesh, shapes, e);
    memcpy(w->all.G + 2 * size, w->sum, size * sizeof(double));
  }
  return keep_matrices(x, arena, &w->all);
}

lim_code lim_rail_spans(lim_rail_span *span, lim_arena *arena, const lim_mesh *mesh,
                        const lim_basis_matrix *shapes, int body, double origin, bool stiffening,
                        lim_error *err) {
  maker w = {0};
  bool good = take(&w, shapes);
  for (int e = 0; e < mesh->nelement && good; e++) {
    span[e] = (lim_rail_span){.body = body, .origin = origin, .shortens = stiffening};
    good = make_span(&span[e], arena, &w, mesh, shapes, e);
  }
  lim_arena_free(&w.arena);
  return good ? LIM_OK : lim_no_memory(err);
}
