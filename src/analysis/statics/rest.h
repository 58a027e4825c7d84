// rest.h - an arm in its configuration at t = 0, ready for an analysis at rest: what static and modes share.
#ifndef LIM_ANALYSIS_STATICS_REST_H
#define LIM_ANALYSIS_STATICS_REST_H

#include "integrate/equations.h"
#include "program/result.h"

typedef struct {
  lim_arena arena;    // owns q and v
  lim_payload *holds; // parts that its program grips; NULL: none
  lim_arm *built;     // with free joints, see lim_arm_new: constant
  lim_arm *s;         // the same with what it holds at t = 0
  lim_arm *rigid;     // NULL: no drive asks for it
  lim_inputs *inputs;
  lim_equations *e;
  double *q, *v; // links undeformed, joints as configured or commanded; speeds of the joints   (s->n)
} lim_rest;

// model: prepared (analysis/prepare.h). directory: of the model file, for tables. End with lim_rest_end, also
// after a failure.
lim_code lim_rest_start(lim_rest *a, const lim_model *model, const char *directory, lim_error *err);
// The same as a simulation takes it: with rigid links in mode rigid.
lim_code lim_arm_start_simulated(lim_rest *a, const lim_model *model, const char *directory, lim_error *err);
void lim_rest_end(lim_rest *a);

#endif
