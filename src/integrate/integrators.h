// integrators.h - the ways to integrate, one file each. Inside the rooms of integrators only.
#ifndef LIM_INTEGRATE_INTEGRATORS_H
#define LIM_INTEGRATE_INTEGRATORS_H

#include "integrate/state.h"
#include "model/check/resolve.h"

#define ROW(kind) extern const lim_integrator lim_integrator_##kind;
#include "integrate/integrators.def"
#undef ROW

// Checks of rows: `step: auto` of implicit methods is for the whole motion; others have no such steps.
void lim_check_auto_mode(lim_resolver *v, const lim_solver *s);
void lim_check_no_auto(lim_resolver *v, const void *solver);

// Why keys mean nothing.
#define LIM_SHAPES_ARE_SOLVED " on the links: mode quasi-static solves for their shape at every moment"

#endif
