// rows.h - a few long rows made orthogonal by rotations: singular values, and steps of damped least squares.
#ifndef LIM_MATH_ROWS_H
#define LIM_MATH_ROWS_H

// A (rows x width by rows): its rows are turned among each other until the first n entries of any two are
// orthogonal (one-sided Jacobi), but for rows that are rounding of the others; the other entries go along. Then
// A = U A0 with U orthogonal, row i is s_i v_i', and an entry beyond n of what was b is u_i.b. square (rows):
// s_i^2.
void lim_rows_orthogonal(double *A, double *square, int rows, int n, int width);

// After that with width n + 1: x (n) of least norm among those with the least |A0 x - b|^2 + damping |x|^2.
// Singular values below the share `cutoff` of the largest count as 0; returns how many do not.
int lim_rows_solve(double *x, const double *A, const double *square, int rows, int n, double damping,
                   double cutoff);

// d (n) := d without its parts along such rows (rows x width, of which n entries count); those below the share
// `cutoff` of the largest count as 0.
void lim_rows_take_off(double *d, const double *A, const double *square, int rows, int n, int width,
                       double cutoff);

#endif
