// recursion_space.c - the recursion on doubles in space: it simulates.
#include "dynamics/number/real_double.h"
#include "dynamics/number/real_space.h"
#include "dynamics/recursion_instances.h"

#define NAME(x) lim_space_##x
#define LIM_CONTACTS
#include "dynamics/recursion/factor.inc"

#include "dynamics/recursion/readings.inc"

#include "dynamics/recursion/setup.inc" // last: it knows what is there

void lim_rec_stretch_rates(double *x, const lim_body *b, const double *eta, const double *v) {
  stretch_rates(x, b, eta, v);
}
