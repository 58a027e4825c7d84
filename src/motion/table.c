// table.c - a course through the rows of a CSV file: t, position or t, position, velocity, acceleration of a
// motion; t, value otherwise. Theory: docs/theory/motion.md (18)-(21).
#include "base/text.h"
#include "motion/build.h"
#include "motion/csv.h"

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

static void lay_down(lim_builder *b, const lim_csv *t, const char *path) {
  const bool motion = b->setup->motion, spline = motion && t->columns == 2;
  if (t->columns != 2 && !(motion && t->columns == 4))
    b->code = lim_error_add(b->err, LIM_BAD_INPUT, path, t->line[0], 0, "%d columns, must be %s", t->columns,
                            motion ? "t, position or t, position, velocity, acceleration" : "t, value");
  else if (!times_ascend(b, t, path, spline))
    return;
  else if (spline)
    lim_build_spline(b, t->value, t->rows, t->columns);
  else
    pieces(b, t, motion ? hermite : line);
}

void lim_build_table(lim_builder *b, const lim_profile *p) {
  const char *directory = b->setup->directory;
  const bool within = directory && *directory && p->file[0] != '/';
  lim_text path = {0};
  lim_csv t = {0};
  lim_text_add(&path, "%s%s%s", within ? directory : "", within ? "/" : "", p->file);
  if (path.failed) {
    lim_build_no_memory(b);
  } else {
    b->code = lim_csv_read(&t, path.text, b->err);
    if (b->code == LIM_OK) lay_down(b, &t, path.text);
  }
  lim_csv_free(&t);
  lim_text_free(&path);
}
