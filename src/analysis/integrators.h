// integrators.h - the ways to integrate, one file each.
#ifndef LIM_ANALYSIS_INTEGRATORS_H
#define LIM_ANALYSIS_INTEGRATORS_H

#include "analysis/flow.h"

lim_code lim_newmark_advance(lim_flow *f, double to, lim_error *err);
lim_code lim_generalized_alpha_advance(lim_flow *f, double to, lim_error *err);
lim_code lim_rk4_restart(lim_flow *f, lim_error *err);
lim_code lim_rk4_advance(lim_flow *f, double to, lim_error *err);
lim_code lim_cvode_restart(lim_flow *f, lim_error *err);
lim_code lim_cvode_advance(lim_flow *f, double to, lim_error *err);
void lim_cvode_finish(lim_flow *f);

// Only about a rigid motion (mode linear).
lim_code lim_modal_newmark_restart(lim_flow *f, lim_error *err);
lim_code lim_modal_newmark_advance(lim_flow *f, double to, lim_error *err);
void lim_modal_newmark_finish(lim_flow *f);

// About the arm at rest, whatever the mode says.
lim_code lim_finite_difference_restart(lim_flow *f, lim_error *err);
lim_code lim_finite_difference_advance(lim_flow *f, double to, lim_error *err);
void lim_finite_difference_show(lim_flow *f);
void lim_finite_difference_finish(lim_flow *f);
lim_code lim_at_rest_restart(lim_flow *f, lim_error *err);
lim_code lim_at_rest_advance(lim_flow *f, double to, lim_error *err);

#endif
