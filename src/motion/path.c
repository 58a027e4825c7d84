// path.c - points of a path, and corners rounded by quintics that agree with both sides up to the second
// derivative. Theory: docs/theory/programs.md (7)-(8).
#include "motion/path.h"

#include "base/grow.h"
#include "motion/profile/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLEND = 48 }; // points of a rounded corner

void lim_path_free(lim_path *p) {
  free(p->s);
  free(p->x);
  free(p->piece);
  *p = (lim_path){.rows = p->rows};
}

static bool make_room(lim_path *p) {
  if ((size_t)p->n < p->capacity) return true;
  const size_t capacity = lim_grow_capacity(p->capacity, (size_t)p->n + 1);
  if (!lim_grow_to(&p->s, capacity, sizeof *p->s) ||
      !lim_grow_to(&p->x, capacity, (size_t)p->rows * sizeof *p->x) ||
      !lim_grow_to(&p->piece, capacity, sizeof *p->piece))
    return false;
  p->capacity = capacity;
  return true;
}

lim_sample *lim_path_add(lim_path *p, double s, int piece) {
  if (!make_room(p)) return NULL;
  p->s[p->n] = s;
  p->piece[p->n] = piece;
  return p->x + (size_t)p->n++ * (size_t)p->rows;
}

double lim_path_length(const lim_path *p) { return p->n ? p->s[p->n - 1] - p->s[0] : 0; }

void lim_path_at(lim_sample *x, const lim_path *p, double s) {
  int lo = 0, hi = p->n - 1;
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    if (p->s[mid] <= s)
      lo = mid;
    else
      hi = mid;
  }
  const lim_sample *a = p->x + (size_t)lo * (size_t)p->rows, *b = a + p->rows;
  for (int i = 0; i < p->rows; i++) {
    const lim_arc arc = lim_arc_between(a[i], b[i], p->s[hi] - p->s[lo]);
    x[i] = lim_arc_at(&arc, s - p->s[lo]);
  }
}

// The corner: from the end of p, cut, to where `next` goes on, over the length 2 r.   (8)
static bool round_corner(lim_path *p, const lim_sample *to, double r, int piece) {
  const double s = p->s[p->n - 1];
  const int from = p->n - 1, rows = p->rows;
  for (int k = 1; k < BLEND; k++) {
    const double tau = 2 * r * k / BLEND;
    lim_sample *x = lim_path_add(p, s + tau, 2 * k < BLEND ? p->piece[from] : piece);
    if (!x) return false;
    for (int i = 0; i < rows; i++) {
      const lim_arc arc = lim_arc_between(p->x[(size_t)from * (size_t)rows + (size_t)i], to[i], 2 * r);
      x[i] = lim_arc_at(&arc, tau);
    }
  }
  return true;
}

// Cut p at s.
static bool cut(lim_path *p, double s, lim_sample *scratch) {
  lim_path_at(scratch, p, s);
  while (p->n > 1 && p->s[p->n - 1] >= s * (1 - 1e-12)) p->n--;
  lim_sample *x = lim_path_add(p, s, p->piece[p->n - 1]);
  if (x) memcpy(x, scratch, (size_t)p->rows * sizeof *x);
  return x;
}

lim_code lim_path_join(lim_path *p, const lim_path *next, double blend, double max, lim_error *err) {
  lim_sample *at = malloc((size_t)p->rows * sizeof *at);
  const double r = p->n ? fmin(blend, fmin(lim_path_length(next) / 2, max)) : 0;
  bool good = at;
  double start = next->s[0], offset = (p->n ? p->s[p->n - 1] : 0) - start;
  if (good && r > 0) {
    good = cut(p, p->s[p->n - 1] - r, at);
    lim_path_at(at, next, start + r);
    good = good && round_corner(p, at, r, next->piece[0]);
    lim_sample *x = good ? lim_path_add(p, offset + start + r, next->piece[0]) : NULL;
    if (x) memcpy(x, at, (size_t)p->rows * sizeof *x);
    good = x;
  }
  for (int k = 0; good && k < next->n; k++) {
    if (r > 0 && next->s[k] <= (start + r) * (1 + 1e-12)) continue;
    if (r == 0 && p->n && k == 0) continue;
    lim_sample *x = lim_path_add(p, offset + next->s[k], next->piece[k]);
    good = x;
    if (x) memcpy(x, next->x + (size_t)k * (size_t)p->rows, (size_t)p->rows * sizeof *x);
  }
  free(at);
  return good ? LIM_OK : lim_no_memory(err);
}

lim_code lim_path_refine(lim_path *p, int parts, lim_error *err) {
  lim_path fine = {.rows = p->rows};
  bool good = true;
  for (int k = 0; k < p->n && good; k++)
    for (int i = 0; i < (k + 1 < p->n ? parts : 1) && good; i++) {
      const double s = i ? p->s[k] + (p->s[k + 1] - p->s[k]) * i / parts : p->s[k];
      lim_sample *x = lim_path_add(&fine, s, p->piece[i ? k + 1 : k]);
      good = x;
      if (x && i) lim_path_at(x, p, s);
      if (x && !i) memcpy(x, p->x + (size_t)k * (size_t)p->rows, (size_t)p->rows * sizeof *x);
    }
  if (good) {
    lim_path_free(p);
    *p = fine;
  } else {
    lim_path_free(&fine);
  }
  return good ? LIM_OK : lim_no_memory(err);
}
