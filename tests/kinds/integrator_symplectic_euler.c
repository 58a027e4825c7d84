// integrator_symplectic_euler.c - an integrator for the test of kinds: speeds first, then positions with the
// new speeds.
#include "integrate/integrators.h"

static lim_code restart(lim_state *f, lim_error *err) {
  f->started = true;
  return lim_state_accelerate(f, LIM_AFTER, err);
}

static lim_code advance(lim_state *f, double to, lim_error *err) {
  const double h = to - f->t;
  for (int i = 0; i < f->n; i++) {
    f->v[i] += h * f->a[i];
    f->q[i] += h * f->v[i];
  }
  f->t = to;
  f->steps++;
  lim_state_prescribe(f, to, LIM_BEFORE, f->q, f->v, f->a);
  return lim_state_accelerate(f, LIM_BEFORE, err);
}

static int order(const lim_solver *s) {
  (void)s;
  return 1;
}

static const lim_unused_key unused[] = {{"criterion", LIM_IN_ALL_MODES, 0, NULL}, {0}};

const lim_integrator lim_integrator_symplectic_euler = {
    .row = {.word = "symplectic-euler", .help = "explicit, of first order"},
    .restart = restart,
    .advance = advance,
    .unstable = true,
    .order = order,
    .unused = unused};
