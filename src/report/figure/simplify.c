// simplify.c - curves with fewer points that look the same.
#include "report/figure/simplify.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// --- columns ---

// The points first..end - 1 of one column, in their order, to p + n.
static long keep_column(lim_point *p, long n, long first, long end) {
  long low = first, high = first, last = end - 1;
  for (long i = first; i < end; i++) {
    if (p[i].y < p[low].y) low = i;
    if (p[i].y > p[high].y) high = i;
  }
  long kept[4] = {first, low < high ? low : high, low < high ? high : low, last};
  long before = -1;
  for (int k = 0; k < 4; k++) {
    if (kept[k] == before) continue;
    before = kept[k];
    p[n++] = p[before];
  }
  return n;
}

long lim_simplify_columns(lim_point *p, long count, double width) {
  long n = 0;
  for (long first = 0, end; first < count; first = end) {
    double column = floor(p[first].x / width);
    for (end = first + 1; end < count && floor(p[end].x / width) == column;) end++;
    n = keep_column(p, n, first, end);
  }
  return n;
}

// --- paths ---

static double distance(lim_point p, lim_point a, lim_point b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// The point between first and last that is farthest from their line; -1: none beyond the tolerance.
static long farthest(const lim_point *p, long first, long last, double tolerance) {
  long best = -1;
  double far = tolerance;
  for (long i = first + 1; i < last; i++) {
    double d = distance(p[i], p[first], p[last]);
    if (d > far) far = d, best = i;
  }
  return best;
}

// Long curves are cut into pieces, so that no piece costs the square of their length.
enum { PIECE = 512 };

// Points that are kept between two that are, on a stack of at most one entry per point of the piece.
static void mark(bool *kept, const lim_point *p, long first, long last, double tolerance) {
  long stack[PIECE + 2][2], depth = 0;
  stack[depth][0] = first, stack[depth++][1] = last;
  while (depth) {
    long a = stack[--depth][0], b = stack[depth][1], k = farthest(p, a, b, tolerance);
    if (k < 0) continue;
    kept[k] = true;
    stack[depth][0] = a, stack[depth++][1] = k;
    stack[depth][0] = k, stack[depth++][1] = b;
  }
}

static long simplify_once(lim_point *p, long count, double tolerance, bool *kept) {
  long n = 0;
  for (long i = 0; i < count; i++) kept[i] = i % PIECE == 0 || i == count - 1;
  for (long i = 0; i < count - 1; i += PIECE)
    mark(kept, p, i, i + PIECE < count ? i + PIECE : count - 1, tolerance);
  for (long i = 0; i < count; i++)
    if (kept[i]) p[n++] = p[i];
  return n;
}

long lim_simplify_path(lim_point *p, long count, double tolerance) {
  bool *kept = count > 2 ? malloc((size_t)count) : NULL;
  if (!kept) return count; // all of them is right, too
  for (int pass = 0; pass < 2; pass++)
    count = simplify_once(p, count, tolerance / 2, kept); // again, over the cuts
  free(kept);
  return count;
}
