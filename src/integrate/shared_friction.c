// shared_friction.c - the least of all multipliers that do the same. Theory: docs/theory/contact.md (9).
#include "integrate/shared_friction.h"

#include "math/lu.h"

#include <math.h>

bool lim_shared_friction_start(lim_shared_friction *x, lim_arena *arena, const lim_equations *e) {
  const size_t rows = (size_t)e->inputs->contacts.rows, all = rows ? (size_t)e->nrow : 0;
  x->row = lim_arena_array(arena, rows, sizeof *x->row);
  x->pivot = lim_arena_array(arena, rows, sizeof *x->pivot);
  x->C = lim_arena_array(arena, rows * all, sizeof *x->C);
  x->A = lim_arena_array(arena, rows * rows, sizeof *x->A);
  x->b = lim_arena_array(arena, rows, sizeof *x->b);
  x->bound = lim_arena_array(arena, all, sizeof *x->bound);
  return x->row && x->pivot && x->C && x->A && x->b && x->bound;
}

// A row that follows from those before it in the factor S = L L': its entries of L times the inverse of theirs.
static void follow(double *C, const lim_equations *e, int row) {
  const int m = e->nrow;
  for (int i = 0; i < m; i++) C[i] = 0;
  for (int i = e->rank - 1; i >= 0; i--) {
    double sum = e->S[row * m + e->order[i]];
    for (int k = i + 1; k < e->rank; k++) sum -= C[e->order[k]] * e->S[e->order[k] * m + e->order[i]];
    C[e->order[i]] = sum / e->S[e->order[i] * m + e->order[i]];
  }
}

// Products of two such motions of multipliers, 1 in its own row and -C in the others', by 1/bound.
static double product(const lim_shared_friction *x, const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (x->bound[i] > 0) sum += a[i] * b[i] / x->bound[i];
  return sum;
}

// What each row can hold, none less than a small part of the largest. How many contacts stick.
static int find_bounds(lim_shared_friction *x, const lim_equations *e, const lim_contact_moment *moment) {
  double most = 0;
  int sticking = 0;
  for (int i = 0; i < e->inputs->contacts.count; i++) {
    const lim_contact_element *c = &e->inputs->contacts.item[i];
    const bool sticks = lim_contact_holds(&e->contact[i], moment[i].depth);
    sticking += sticks;
    for (int k = 0; k < c->tangents && c->row >= 0; k++) {
      x->bound[c->row + k] = sticks ? lim_contact_bound(c, moment[i].normal) : 0;
      most = fmax(most, x->bound[c->row + k]);
    }
  }
  for (int k = e->s->nrow; k < e->nrow; k++)
    if (x->bound[k] > 0) x->bound[k] = fmax(x->bound[k], 1e-3 * most);
  return sticking;
}

void lim_shared_friction_spread(lim_equations *e, lim_shared_friction *x, const lim_contact_moment *moment) {
  const int n = e->nrow;
  int count = 0;
  if (find_bounds(x, e, moment) < 2) return;
  for (int k = e->rank; k < n; k++) {
    const int row = e->order[k];
    if (!(x->bound[row] > 0)) continue;
    double *C = x->C + (size_t)count * (size_t)n;
    follow(C, e, row);
    for (int i = 0; i < n; i++) C[i] = -C[i];
    C[row] = 1;
    x->row[count++] = row;
  }
  if (count == 0) return;
  for (int i = 0; i < count; i++) {
    x->b[i] = -product(x, x->C + (size_t)i * (size_t)n, e->lambda, n);
    for (int k = 0; k < count; k++)
      x->A[i * count + k] = product(x, x->C + (size_t)i * (size_t)n, x->C + (size_t)k * (size_t)n, n);
  }
  if (!lim_lu_factor(x->A, x->pivot, count)) return;
  lim_lu_solve(x->b, x->A, x->pivot, count);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < n; k++) e->lambda[k] += x->b[i] * x->C[(size_t)i * (size_t)n + (size_t)k];
}
