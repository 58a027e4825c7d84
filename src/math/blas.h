// blas.h - the only way to BLAS, and by lapack.h to LAPACK: every call of them stands in the macro below, which
// makes it on one thread. The matrices are small: further threads would only wait for each other, and the order
// of their sums, hence the last digits, would follow from their number.
//
// OpenBLAS counts threads per process. The first call that is under way notes the number and sets it to 1, the
// last one that ends puts it back, so that whoever else calls BLAS in this process finds it as it was. Someone
// who sets it from another thread in between loses his setting.
#ifndef LIM_MATH_BLAS_H
#define LIM_MATH_BLAS_H

#include <cblas.h>

void lim_blas_enter(void);
void lim_blas_leave(void);

#define lim_blas(call) (lim_blas_enter(), (call), lim_blas_leave())

// For a program that calls BLAS only through limber: no further threads from here on.
void lim_blas_one_thread(void);

double lim_blas_dot(int n, const double *x, const double *y);

#endif
