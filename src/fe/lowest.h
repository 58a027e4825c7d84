// lowest.h - the lowest modes of a large system, perhaps with constraints: by ARPACK, of small ones by dense
// matrices.
#ifndef LIM_FE_LOWEST_H
#define LIM_FE_LOWEST_H

#include "math/sparse/factor.h"

#include <stdbool.h>

typedef struct {
  const lim_symmetric *K, *M;
  const double *C; // rows of constraints C x = 0 on the first `inner` unknowns   (nc x inner by rows)
  int nc, inner;
  lim_factor *factor; // of [K - sigma M, C'; C, 0]
  double sigma;
} lim_fe_pencil;

// Whether so many modes of n unknowns are found by dense matrices.
bool lim_fe_lowest_is_dense(int n, int count);

// lambda (count) ascending, x (n x count by columns) with x'M x = 1; found: how many, fewer where there is no
// mass.
lim_code lim_fe_lowest(double *lambda, double *x, int *found, const lim_fe_pencil *p, int count,
                       lim_error *err);

#endif
