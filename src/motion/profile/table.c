// table.c - a trajectory through the rows of a CSV file: t, position or t, position, velocity, acceleration of
// a motion; t, value otherwise. Theory: docs/theory/motion.md (18)-(21).
#include "motion/csv.h"
#include "motion/profile/build.h"

#include <math.h>

// From (y, v, a) to the same of the next row, h later.   (20)
static lim_arc hermite(const double *row, const double *next, double h) {
  return lim_arc_between((lim_sample){row[1], row[2], row[3]}, (lim_sample){next[1], next[2], next[3]}, h);
}

static lim_arc line(const double *row, const double *next, double h) { // (21)
  return (lim_arc){.c = {row[1], (next[1] - row[1]) / h}};
}

// One arc between any two rows that are apart in time; where they are not, it jumps.
static void pieces(lim_builder *b, const lim_csv *t, lim_arc arc(const double *, const double *, double)) {
  const double start = b->time, *row = t->value;
  lim_build_reach(b, row[0], row[1]);
  for (int i = 0; i + 1 < t->rows; i++, row += t->columns) {
    const double *next = row + t->columns, h = next[0] - row[0];
    b->time = start + row[0];
    if (h > 0) lim_build_put(b, arc(row, next, h));
  }
  b->time = start + row[0];
  lim_build_hold(b, row[1]);
}

// Times do not decrease; those of a spline rise.
static bool times_ascend(lim_builder *b, const lim_csv *t, const char *path, bool strictly) {
  for (int i = 1; i < t->rows; i++) {
    const double now = t->value[i * t->columns], before = t->value[(i - 1) * t->columns];
    if (now > before || (now == before && !strictly)) continue;
    b->code = lim_error_add(b->err, LIM_BAD_INPUT, path, t->line[i], 0, "t must %s, but %g follows %g",
                            strictly ? "rise" : "not decrease", now, before);
  }
  return b->code == LIM_OK;
}

// Whether a column is in what it should be; one whose header names no unit is.
static bool fits(lim_builder *b, const lim_csv *t, const char *path, int column, const char *unit) {
  char bad[32];
  lim_unit wanted;
  const lim_unit *is = &t->read[column];
  if (!t->unit[column][0] || !lim_unit_parse(&wanted, unit, bad, sizeof bad)) return true;
  for (int i = 0; i < LIM_NDIM; i++)
    if (is->power[i] != wanted.power[i]) {
      b->code =
          lim_error_add(b->err, LIM_BAD_INPUT, path, 1, 0, "column %d is in %s, must be in %s or the like",
                        column + 1, t->unit[column], unit);
      return false;
    }
  return true;
}

static bool columns_fit(lim_builder *b, const lim_csv *t, const char *path) {
  static const char *const unit[2][4] = {{"s", "m", "m/s", "m/s^2"}, {"s", "rad", "rad/s", "rad/s^2"}};
  bool good = fits(b, t, path, 0, "s");
  for (int i = 1; i < t->columns && i < 4 && b->setup->motion && b->setup->kind; i++)
    good = fits(b, t, path, i, unit[b->setup->kind == LIM_TRAJECTORY_TURNS][i]) && good;
  return good;
}

// More than a turn without a unit may be meant in degrees.
static void doubt_degrees(const lim_builder *b, const lim_csv *t, const lim_profile *p) {
  double low = INFINITY, high = -INFINITY;
  if (!b->setup->motion || b->setup->kind != LIM_TRAJECTORY_TURNS || t->unit[1][0]) return;
  for (int i = 0; i < t->rows; i++) {
    low = fmin(low, t->value[i * t->columns + 1]);
    high = fmax(high, t->value[i * t->columns + 1]);
  }
  if (fmax(high, -low) > 2 * LIM_PI)
    lim_warn(
        b->err, NAN, NULL,
        "%s%stable '%s' runs from %.4g to %.4g, which is read as rad because its header names no unit: write "
        "'position [deg]' there if these are degrees, 'position [rad]' if they are not",
        p->head.where ? p->head.where : "", p->head.where && p->head.where[0] ? ": " : "", p->file, low, high);
}

static void lay_down(lim_builder *b, const lim_csv *t, const char *path) {
  const bool motion = b->setup->motion, spline = motion && t->columns == 2;
  if (t->columns != 2 && !(motion && t->columns == 4))
    b->code = lim_error_add(b->err, LIM_BAD_INPUT, path, t->line[0], 0, "%d columns, must be %s", t->columns,
                            motion ? "t, position or t, position, velocity, acceleration" : "t, value");
  else if (!columns_fit(b, t, path) || !times_ascend(b, t, path, spline))
    return;
  else if (spline)
    lim_build_spline(b, t->value, t->rows, t->columns);
  else
    pieces(b, t, motion ? hermite : line);
}

static const lim_key own[] = {
    {"file", &lim_file, offsetof(lim_profile, file), "CSV file, relative to the model", .need = "*"}, {0}};

static void build(lim_builder *b, const lim_profile *p) {
  lim_text path;
  lim_csv t;
  b->code = lim_csv_of(&t, &path, &p->head, "file", p->file, b->setup->directory, b->err);
  if (b->code == LIM_OK) lay_down(b, &t, path.text);
  if (b->code == LIM_OK) doubt_degrees(b, &t, p);
  lim_csv_free(&t);
  lim_text_free(&path);
}

const lim_profile_kind lim_profile_table = {.row = {.word = "table", .help = "rows of a file", .own = own},
                                            .build = build};
