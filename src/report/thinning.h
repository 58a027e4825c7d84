// thinning.h - fewer numbers that look the same in a picture.
#ifndef LIM_REPORT_THINNING_H
#define LIM_REPORT_THINNING_H

// How many of `rows` are kept when at most `most` (4 or more, even) are wanted.
long lim_thin_rows(long rows, long max);

// The kept rows are the first, two for each of (kept - 2)/2 intervals, and the last. Values of an interval: its
// smallest and its largest, in the order in which they occur; NaN counts only where there is nothing else.
// Times: its first and its last. Where kept equals rows both are copies. out (kept), x and t (rows)
void lim_thin_values(double *out, const double *x, long rows, long kept);
void lim_thin_times(double *out, const double *t, long rows, long kept);

// Number i of `kept` out of `count` at equal distances, the first and the last among them.
long lim_thin_pick(long i, long kept, long count);

#endif
