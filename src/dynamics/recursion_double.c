// recursion_double.c - the recursion on doubles: it simulates.
#include "dynamics/number/real_double.h"

#define NAME(x) lim_rec_##x
#include "dynamics/recursion/factor.inc"

#include "dynamics/recursion/readings.inc"

#include "dynamics/recursion/setup.inc" // last: it knows what is there

void lim_rec_stretch_rates(double *x, const lim_body *b, const double *eta, const double *v) {
  stretch_rates(x, b, eta, v);
}
