// integrators.c - the table of integrators.
#include "analysis/integrators.h"

#include "analysis/implicit.h"

const lim_integrator *lim_integrator_of(int method) {
  static const lim_integrator table[] = {
      {LIM_NEWMARK, "newmark", lim_implicit_pause, lim_implicit_restart, lim_newmark_advance, NULL},
      {LIM_GENERALIZED_ALPHA, "generalized-alpha", lim_implicit_pause, lim_implicit_restart,
       lim_generalized_alpha_advance, NULL},
      {LIM_RK4, "rk4", NULL, lim_rk4_restart, lim_rk4_advance, NULL},
      {LIM_MODAL_NEWMARK, "modal-newmark", NULL, lim_modal_newmark_restart, lim_modal_newmark_advance,
       lim_modal_newmark_finish},
      {LIM_CVODE, "cvode", NULL, lim_cvode_restart, lim_cvode_advance, lim_cvode_finish},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].method == method) return &table[i];
  return NULL;
}
