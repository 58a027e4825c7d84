// arm.h - an arm in its configuration at t = 0, ready for an analysis at rest: what static and modes share.
#ifndef LIM_ANALYSIS_ARM_H
#define LIM_ANALYSIS_ARM_H

#include "system/equations.h"
#include "system/plan.h"

typedef struct {
  lim_arena arena;   // owns q and v
  lim_model planned; // a copy of the model, once its program has run; empty: there is none
  lim_holds *holds;  // parts that its program grips; NULL: none
  lim_system *s;     // with free joints, see lim_system_new_floating
  lim_system *rigid; // NULL: no drive asks for it
  lim_actuation *act;
  lim_equations *e;
  double *q, *v; // links undeformed, joints as configured or commanded; speeds of the joints   (s->n)
} lim_arm;

// directory: of the model file, for tables. End with lim_arm_end, also after a failure.
lim_code lim_arm_start(lim_arm *a, const lim_model *model, const char *directory, lim_error *err);
void lim_arm_end(lim_arm *a);

#endif
