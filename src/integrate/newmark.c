// newmark.c - Newmark's method. With beta = 1/4, gamma = 1/2, the default, acceleration is constant at its mean
// over a step: second order, no numerical damping. Theory: docs/theory/simulation.md (1).
#include "integrate/implicit.h"
#include "integrate/integrators.h"

static const lim_key parameters[] = {{"beta", &lim_number, offsetof(lim_newmark, beta), "of displacements",
                                      .unit = "", .range = "0.001..10", .preset = "0.25"},
                                     {"gamma", &lim_number, offsetof(lim_newmark, gamma),
                                      "of velocities; above 0.5 it damps, and is of first order", .unit = "",
                                      .range = "0.5..10", .preset = "0.5"},
                                     {0}};
static const lim_table table = {"newmark", "Newmark's parameters; stable for 2 beta >= gamma >= 1/2.",
                                sizeof(lim_newmark), .key = parameters};

static const lim_key own[] = {
    {"newmark", &lim_record, offsetof(lim_solver, newmark), "its parameters", .table = &table}, {0}};

// It grows without bound for 2 beta < gamma at long steps.
static void check(lim_resolver *v, const void *solver) {
  const lim_newmark *x = &((const lim_solver *)solver)->newmark;
  lim_check_auto_mode(v, solver);
  if (2 * x->beta < x->gamma)
    lim_resolve_error(v, x->head.node ? &x->head : &v->m->solver.head, "beta",
                      "newmark: beta is %g, must be at least gamma/2 = %g to be stable", x->beta, x->gamma / 2);
}

static lim_code advance(lim_state *f, double to, lim_error *err) {
  const lim_newmark *x = &f->e->s->model->solver.newmark;
  return lim_implicit_advance(f, to, (lim_implicit){.beta = x->beta, .gamma = x->gamma}, err);
}

static int order(const lim_solver *s) { return s->newmark.gamma > 0.5 ? 1 : 2; }

const lim_integrator lim_integrator_newmark = {.row = {.word = "newmark",
                                                       .help = "Newmark's method: implicit, of second order",
                                                       .own = own,
                                                       .check = check},
                                               .pause = lim_implicit_pause,
                                               .restart = lim_implicit_restart,
                                               .advance = advance,
                                               .show = lim_implicit_show,
                                               .recentred = lim_implicit_recentred,
                                               .implicit = true,
                                               .order = order};
