// newmark.c - Newmark's method with constant average acceleration: second order, no numerical damping.
#include "analysis/implicit.h"
#include "analysis/integrators.h"

lim_code lim_newmark_advance(lim_flow *f, double to, lim_error *err) {
  return lim_implicit_advance(f, to, (lim_implicit){.beta = 0.25, .gamma = 0.5}, err);
}
