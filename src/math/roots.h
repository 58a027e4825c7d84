// roots.h - all roots of a small polynomial with complex coefficients.
#ifndef LIM_MATH_ROOTS_H
#define LIM_MATH_ROOTS_H

#include <complex.h>

enum { LIM_ROOTS_MOST = 8 };

// Roots z of c[0] + c[1] z + ... + c[degree] z^degree = 0 into z (degree), multiple ones as often as they
// count. Leading coefficients below 1e-14 of the largest count as 0. Returns how many; -1: all coefficients are
// 0. degree at most LIM_ROOTS_MOST.
int lim_roots(double complex *z, const double complex *c, int degree);

#endif
