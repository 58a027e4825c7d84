// planar_modes.c - coefficients of a few coordinates in a plane, gathered from those of their body.
#include "body/planar_modes.h"

#include "body/body.h"

// --- entries ---

static double band_at(const lim_body *b, const double *B, int i, int j) {
  const int row = i > j ? i : j, distance = i > j ? i - j : j - i;
  return distance > b->width ? 0 : B[row * (b->width + 1) + b->width - distance];
}

static double sparse_at(const lim_sparse *S, int i, int j) {
  for (int k = S->start[i]; k < S->start[i + 1]; k++)
    if (S->column[k] == j) return S->value[k];
  return 0;
}

static void put(lim_lanes *column, int row, double value) { column[row / 2][row % 2] = value; }

// --- columns ---

static void fill_columns(lim_planar_modes *p, const lim_body *b) {
  const int n = p->n;
  const double *x = b->first, *y = x + n, *H = b->second + 2 * n, *I = b->inertia1 + 2 * n;
  for (int k = 0; k < n; k++) {
    lim_lanes *eta = p->eta + k * lim_planar_eta(n), *v = p->v + k * lim_planar_rates(n),
              *a = p->a + k * lim_planar_rates(n);
    for (int i = 0; i < n; i++) {
      put(eta, i, band_at(b, b->K, i, k));
      put(eta, n + i, sparse_at(&b->S[0], i, k) + sparse_at(&b->S[1], i, k));
      put(eta, 2 * n + i, sparse_at(&b->B[2], i, k));
      put(v, i, sparse_at(&b->B[2], i, k));
      put(a, i, band_at(b, b->M, i, k));
    }
    const double last[3][3] = {{x[k], y[k], I[k]}, {x[k], y[k], I[k]}, {x[k], y[k], H[k]}};
    for (int i = 0; i < 3; i++) {
      put(eta, 3 * n + i, last[0][i]);
      put(v, n + i, last[1][i]);
      put(a, n + i, last[2][i]);
    }
  }
}

// Whether the axis is shortened by all products of two coordinates, in their order, and moved across by each.
static bool is_whole(const lim_body_foreshortening *f, int n) {
  if (f->count != lim_planar_products(n) || f->columns[0] || f->columns[1] != n || f->columns[2]) return false;
  for (int i = 0, k = 0; i < n; i++) {
    if (f->column[1][i] != i) return false;
    for (int j = 0; j <= i; j++, k++)
      if (f->pair[k][0] != i || f->pair[k][1] != j) return false;
  }
  return true;
}

static void fill_products(lim_planar_modes *p, const lim_body_foreshortening *f) {
  const int n = p->n;
  for (int k = 0; k < f->count; k++) {
    lim_lanes *column = p->shortened + k * lim_planar_shortened(n);
    for (int i = 0; i < n + 2; i++) {
      const double value = i == 0 ? f->mass[k] : i == 1 ? f->moment[k] : f->cross[1][(i - 2) * f->count + k];
      put(column, i, value);
      put(p->drawn + i * lim_planar_drawn(n), k, value);
    }
    for (int i = 0; i < f->count; i++) put(column, n + 2 + i, f->square[i * f->count + k]);
  }
}

// --- set-up ---

static bool take_room(lim_planar_modes *p, lim_arena *arena) {
  const size_t n = (size_t)p->n;
  p->eta = lim_arena_array(arena, n * (size_t)lim_planar_eta(p->n), sizeof *p->eta);
  p->v = lim_arena_array(arena, n * (size_t)lim_planar_rates(p->n), sizeof *p->v);
  p->a = lim_arena_array(arena, n * (size_t)lim_planar_rates(p->n), sizeof *p->a);
  return p->eta && p->v && p->a;
}

static bool take_products(lim_planar_modes *p, lim_arena *arena) {
  const size_t n = (size_t)p->n, products = (size_t)lim_planar_products(p->n);
  p->shortened = lim_arena_array(arena, products * (size_t)lim_planar_shortened(p->n), sizeof *p->shortened);
  p->drawn = lim_arena_array(arena, (n + 2) * (size_t)lim_planar_drawn(p->n), sizeof *p->drawn);
  return p->shortened && p->drawn;
}

bool lim_planar_modes_of(lim_planar_modes **out, lim_arena *arena, const lim_body *b) {
  *out = NULL;
  if (b->n < 1 || b->n > LIM_PLANAR_MODES) return true;
  lim_planar_modes *p = lim_arena_allocate(arena, sizeof *p);
  if (!p) return false;
  *p = (lim_planar_modes){.n = b->n};
  if (!take_room(p, arena)) return false;
  fill_columns(p, b);
  if (is_whole(&b->foreshortening, b->n)) {
    if (!take_products(p, arena)) return false;
    fill_products(p, &b->foreshortening);
  }
  *out = p;
  return true;
}
