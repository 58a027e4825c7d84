// generalized_alpha.c - the generalized-alpha method of Chung and Hulbert in the form of Arnold and Bruels:
// equilibrium holds at the ends of steps, so that accelerations are second order too. Theory:
// docs/theory/simulation.md (4)-(6).
#include "integrate/implicit.h"
#include "integrate/integrators.h"

static const lim_key own[] = {
    {"rho_inf", &lim_number, offsetof(lim_solver, rho_inf),
     "spectral radius at infinite frequency: 1 damps nothing, 0 all that a step does not resolve", .unit = "",
     .range = "0..1", .preset = "0.9"},
    {0}};

static void check(lim_resolver *v, const void *solver) { lim_check_auto_mode(v, solver); }

static lim_code advance(lim_state *f, double to, lim_error *err) {
  // Spectral radius at infinite frequency. Below 1 it damps what a step cannot resolve; the books count that as
  // error.
  const double rho = f->e->s->model->solver.rho_inf;
  lim_implicit p = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1)};
  p.gamma = 0.5 + p.af - p.am;
  p.beta = (p.gamma + 0.5) * (p.gamma + 0.5) / 4;
  return lim_implicit_advance(f, to, p, err);
}

const lim_integrator lim_integrator_generalized_alpha = {
    .row = {.word = "generalized-alpha",
            .help =
                "the method of Chung and Hulbert: implicit, of second order; damps what a step cannot resolve",
            .own = own,
            .check = check},
    .pause = lim_implicit_pause,
    .restart = lim_implicit_restart,
    .advance = advance,
    .show = lim_implicit_show,
    .recentred = lim_implicit_recentred,
    .implicit = true};
