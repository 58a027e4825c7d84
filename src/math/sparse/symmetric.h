// symmetric.h - large symmetric sparse matrices: the upper triangle by rows.
#ifndef LIM_MATH_SPARSE_SYMMETRIC_H
#define LIM_MATH_SPARSE_SYMMETRIC_H

// Entries (i, j), j >= i, of row i are start[i] .. start[i + 1] - 1, columns ascending, none twice. A row need
// not have a diagonal.
typedef struct {
  int n;
  long *start;   // (n + 1)
  int *column;   // (start[n])
  double *value; // (start[n])
} lim_symmetric;

// Y (n x count by columns) = A X. Sums in a fixed order.
void lim_symmetric_times(double *Y, const lim_symmetric *A, const double *X, int count);

// x'A y
double lim_symmetric_form(const lim_symmetric *A, const double *x, const double *y);

#endif
