// generalized_alpha.c - the generalized-alpha method of Chung and Hulbert in the form of Arnold and Bruels:
// equilibrium holds at the ends of steps, so that accelerations are second order too. Theory:
// docs/theory/simulation.md (4)-(6).
#include "analysis/implicit.h"
#include "analysis/integrators.h"

// Spectral radius at infinite frequency. Below 1 it damps what a step cannot resolve; the books count that as
// error.
static const double RADIUS = 0.9;

lim_code lim_generalized_alpha_advance(lim_flow *f, double to, lim_error *err) {
  lim_implicit p = {.am = (2 * RADIUS - 1) / (RADIUS + 1), .af = RADIUS / (RADIUS + 1)};
  p.gamma = 0.5 + p.af - p.am;
  p.beta = (p.gamma + 0.5) * (p.gamma + 0.5) / 4;
  return lim_implicit_advance(f, to, p, err);
}
