// foreshortening.c - sums over the points of an axis that bending shortens.
#include "body/foreshortening.h"

#include <math.h>
#include <stddef.h>

// What the product of coordinates i and j moves the point.
static double psi(const lim_body_point *p, const int pair[2]) {
  double h = p->H[0][pair[0] * p->count + pair[1]];
  return pair[0] == pair[1] ? h / 2 : h;
}

// Largest entry k of H along x, and of N, of all points.
static double largest_shortening(const lim_body_point *point, int npoint, int k) {
  double largest = 0;
  for (int i = 0; i < npoint; i++) largest = fmax(largest, fabs(point[i].H[0][k]));
  return largest;
}

static double largest_motion(const lim_body_point *point, int npoint, int k) {
  double largest = 0;
  for (int i = 0; i < npoint; i++) largest = fmax(largest, fabs(point[i].N[k]));
  return largest;
}

// Products above rounding.
static bool list_pairs(lim_body_foreshortening *out, lim_arena *arena, const lim_body_point *point, int npoint,
                       int n) {
  double largest = 0;
  for (int k = 0; k < n * n; k++) largest = fmax(largest, largest_shortening(point, npoint, k));
  out->pair = lim_arena_array(arena, (size_t)n * (size_t)(n + 1) / 2, sizeof *out->pair);
  if (!out->pair) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      if (largest_shortening(point, npoint, i * n + j) <= 1e-15 * largest) continue;
      out->pair[out->count][0] = i;
      out->pair[out->count++][1] = j;
    }
  return true;
}

static bool list_columns(lim_body_foreshortening *out, lim_arena *arena, const lim_body_point *point,
                         int npoint, int n) {
  double largest = 0;
  for (int k = 0; k < 3 * n; k++) largest = fmax(largest, largest_motion(point, npoint, k));
  for (int d = 0; d < 3; d++) {
    out->column[d] = lim_arena_array(arena, (size_t)n, sizeof *out->column[d]);
    if (!out->column[d]) return false;
    for (int j = 0; j < n; j++)
      if (largest_motion(point, npoint, d * n + j) > 1e-15 * largest) out->column[d][out->columns[d]++] = j;
    out->cross[d] = lim_arena_array(arena, (size_t)out->columns[d] * (size_t)out->count, sizeof(double));
    if (!out->cross[d]) return false;
  }
  return true;
}

static void add_point(lim_body_foreshortening *out, const lim_body_point *p) {
  int count = out->count;
  for (int k = 0; k < count; k++) {
    double w = p->w * psi(p, out->pair[k]);
    out->mass[k] += w;
    out->moment[k] += w * p->X[0];
    for (int l = 0; l < count; l++) out->square[k * count + l] += w * psi(p, out->pair[l]);
    for (int d = 0; d < 3; d++)
      for (int c = 0; c < out->columns[d]; c++)
        out->cross[d][c * count + k] += w * p->N[d * p->count + out->column[d][c]];
  }
}

// --- where every product of two coordinates is there ---

// x (n) times y (n), by the products of two coordinates.
static void add_product(const lim_body_foreshortening *b, double *out, double w, const double *x,
                        const double *y) {
  for (int k = 0; k < b->count; k++) {
    int i = b->pair[k][0], j = b->pair[k][1];
    out[k] += i == j ? w * x[i] * y[i] : w * (x[i] * y[j] + x[j] * y[i]);
  }
}

static void add_closed_point(lim_body_foreshortening *out, const lim_body_point *p) {
  int n = p->count, count = out->count;
  const double *H = p->H[0];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      add_product(out, out->block + (size_t)(i * (i + 1) / 2 + j) * (size_t)count, p->w, H + i * n, H + j * n);
    for (int j = 0; j < n; j++) out->draw[i * n + j] += p->w * H[i * n + j];
    for (int d = 1; d < 3; d++) {
      double *lever = out->lever[d] + (size_t)i * (size_t)count;
      for (int k = 0; k < count; k++) lever[k] += p->w * p->N[d * n + i] * psi(p, out->pair[k]);
      add_product(out, lever, -p->w, p->N + d * n, H + i * n);
    }
  }
}

static bool gather_closed(lim_body_foreshortening *out, lim_arena *arena, const lim_body_point *point,
                          int npoint, int n) {
  size_t count = (size_t)out->count, rows = (size_t)n;
  if (out->count != n * (n + 1) / 2) return true;
  out->block = lim_arena_array(arena, count * count, sizeof(double));
  out->draw = lim_arena_array(arena, rows * rows, sizeof(double));
  for (int d = 1; d < 3; d++) out->lever[d] = lim_arena_array(arena, rows * count, sizeof(double));
  if (!out->block || !out->draw || !out->lever[1] || !out->lever[2]) return false;
  for (int i = 0; i < npoint; i++) add_closed_point(out, &point[i]);
  return true;
}

bool lim_body_gather(lim_body_foreshortening *out, lim_arena *arena, const lim_body_point *point, int npoint,
                     int n) {
  *out = (lim_body_foreshortening){0};
  if (!list_pairs(out, arena, point, npoint, n)) return false;
  if (out->count > 2 * npoint) { // the square of so many products costs more than the points
    out->count = 0;
    return true;
  }
  size_t count = (size_t)out->count;
  out->mass = lim_arena_array(arena, count, sizeof(double));
  out->moment = lim_arena_array(arena, count, sizeof(double));
  out->square = lim_arena_array(arena, count * count, sizeof(double));
  if (!out->mass || !out->moment || !out->square || !list_columns(out, arena, point, npoint, n)) return false;
  for (int i = 0; i < npoint; i++) add_point(out, &point[i]);
  return gather_closed(out, arena, point, npoint, n);
}
