// integrators.c - the table of integrators.
#include "analysis/integrators.h"

#include "analysis/implicit.h"

const lim_integrator *lim_integrator_of(int method) {
  static const lim_integrator table[] = {
      {LIM_NEWMARK, "newmark", lim_implicit_pause, lim_implicit_restart, lim_newmark_advance, NULL, NULL},
      {LIM_GENERALIZED_ALPHA, "generalized-alpha", lim_implicit_pause, lim_implicit_restart,
       lim_generalized_alpha_advance, NULL, NULL},
      {LIM_RK4, "rk4", NULL, lim_rk4_restart, lim_rk4_advance, NULL, NULL},
      {LIM_MODAL_NEWMARK, "modal-newmark", NULL, lim_modal_newmark_restart, lim_modal_newmark_advance, NULL,
       lim_modal_newmark_finish},
      {LIM_FINITE_DIFFERENCE, "finite-difference", NULL, lim_finite_difference_restart,
       lim_finite_difference_advance, lim_finite_difference_show, lim_finite_difference_finish},
      {LIM_CVODE, "cvode", NULL, lim_cvode_restart, lim_cvode_advance, NULL, lim_cvode_finish},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].method == method) return &table[i];
  return NULL;
}

const lim_integrator *lim_integrator_at_rest(void) {
  static const lim_integrator at_rest = {LIM_FINITE_DIFFERENCE, "at rest", NULL, lim_at_rest_restart,
                                         lim_at_rest_advance,   NULL,      NULL};
  return &at_rest;
}
