// curve.c - piecewise linear laws from tables, with their slopes and integrals.
#include "motion/curve.h"

#include "base/text.h"
#include "motion/csv.h"

#include <stdlib.h>
#include <string.h>

// The stretch of x: the last that begins at or before it, the first or last one outside the table.
static int stretch(const lim_curve *c, double x) {
  int low = 0, high = c->n - 1; // x[low] <= x < x[high], but for what is outside
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (c->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// y and the integral from the beginning of a stretch, which both may be outside.
static lim_curve_point along(const lim_curve *c, int i, double x) {
  const double slope = (c->y[i + 1] - c->y[i]) / (c->x[i + 1] - c->x[i]), dx = x - c->x[i];
  return (lim_curve_point){c->y[i] + slope * dx, slope, dx * (c->y[i] + slope * dx / 2)};
}

lim_curve_point lim_curve_at(const lim_curve *c, double x) {
  const int i = stretch(c, x);
  lim_curve_point p = along(c, i, x);
  p.integral += c->area[i];
  return p;
}

static lim_code check(const lim_csv *t, const char *path, lim_error *err) {
  lim_code code = LIM_OK;
  if (t->columns != 2)
    return lim_error_add(err, LIM_BAD_INPUT, path, t->line[0], 0, "%d columns, must be 2: argument, value",
                         t->columns);
  if (t->rows < 2) return lim_error_add(err, LIM_BAD_INPUT, path, t->line[0], 0, "1 row, must be at least 2");
  for (int i = 1; i < t->rows; i++)
    if (!(t->value[2 * i] > t->value[2 * i - 2]))
      code =
          lim_error_add(err, LIM_BAD_INPUT, path, t->line[i], 0,
                        "the first column must rise, but %g follows %g", t->value[2 * i], t->value[2 * i - 2]);
  return code;
}

static lim_curve *room_for(int points) {
  const size_t n = (size_t)points;
  lim_curve *c = calloc(1, sizeof *c);
  double *scratch = calloc(3 * n, sizeof *scratch);
  if (!c || !scratch) {
    free(c);
    free(scratch);
    return NULL;
  }
  *c = (lim_curve){.n = points, .x = scratch, .y = scratch + n, .area = scratch + 2 * n};
  return c;
}

// Fills the integral.
static void integrate(lim_curve *c) {
  for (int i = 1; i < c->n; i++)
    c->area[i] = c->area[i - 1] + (c->y[i] + c->y[i - 1]) * (c->x[i] - c->x[i - 1]) / 2;
  const double before = lim_curve_at(c, 0).integral;
  for (int i = 0; i < c->n; i++) c->area[i] -= before;
}

static lim_curve *build(const lim_csv *t) {
  lim_curve *c = room_for(t->rows);
  if (!c) return NULL;
  for (int i = 0; i < c->n; i++) {
    c->x[i] = t->value[2 * i];
    c->y[i] = t->value[2 * i + 1];
  }
  integrate(c);
  return c;
}

lim_code lim_curve_through(lim_curve **out, const double *x, const double *y, int n, lim_error *err) {
  lim_curve *c = *out = room_for(n);
  if (!c) return lim_no_memory(err);
  memcpy(c->x, x, (size_t)n * sizeof *x);
  memcpy(c->y, y, (size_t)n * sizeof *y);
  integrate(c);
  return LIM_OK;
}

lim_code lim_curve_new(lim_curve **out, const lim_law *law, const char *directory, lim_error *err) {
  lim_text path;
  lim_csv t;
  *out = NULL;
  lim_code code = lim_csv_of(&t, &path, &law->head, "table", law->table, directory, err);
  if (code == LIM_OK) code = check(&t, path.text, err);
  if (code == LIM_OK && !(*out = build(&t))) code = lim_no_memory(err);
  lim_csv_free(&t);
  lim_text_free(&path);
  return code;
}

void lim_curve_free(lim_curve *c) {
  if (!c) return;
  free(c->x);
  free(c);
}
