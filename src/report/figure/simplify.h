// simplify.h - curves with fewer points that look the same. Points are places on paper [mm].
#ifndef LIM_REPORT_FIGURE_SIMPLIFY_H
#define LIM_REPORT_FIGURE_SIMPLIFY_H

typedef struct {
  double x, y;
} lim_point;

// Where x never falls: of the points in a column of the paper, the first, the last, the lowest and the highest
// remain. Returns how many; in place.
long lim_simplify_columns(lim_point *p, long count, double width);

// Points that are nearer than `tolerance` to the curve through the others go (Douglas and Peucker); the ends
// remain. In place.
long lim_simplify_path(lim_point *p, long count, double tolerance);

#endif
