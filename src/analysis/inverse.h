// inverse.h - efforts that move the joints as commanded, and how much of them the links' flexibility causes.
// Theory: docs/theory/statics.md (8).
#ifndef LIM_ANALYSIS_INVERSE_H
#define LIM_ANALYSIS_INVERSE_H

#include "analysis/limits.h"
#include "analysis/simulation/simulate.h"

typedef struct {
  double peak, rms; // largest absolute value, root of the mean square over time
} lim_effort_size;

typedef struct {
  const char *name;
  bool slides;                         // its efforts are forces [N], else moments [N m]
  double *effort, *rigid;              // of the flexible arm, and of the same arm with rigid links   (n)
  double *torque;                      // of its motor on its shaft [N m]; NULL: it has none          (n)
  lim_effort_size of_effort, of_rigid; //
  lim_effort_size of_difference;       // effort - rigid
  lim_effort_size of_torque;
  bool motor;        // it has one
  lim_excess beyond; // torque on the shaft above what the motor can give, and
  double max;        // that where it is worst
} lim_inverse_joint;

typedef struct {
  lim_arena arena;                    // owns everything below but the series
  int n;                              // moments
  double *time;                       // (n)
  LIM_LIST(lim_inverse_joint) joints; // with a motion
  lim_run run;
} lim_inverse;

// Joints with a motion follow it exactly, whatever their drives (behind an elastic gear the motor does); all
// others as in a simulation. Of the hooks only progress and stop are used; they may be NULL. The model must
// outlive the result.
lim_code lim_inverse_new(lim_inverse **out, const lim_model *model, const char *directory,
                         const lim_simulate_hooks *hooks, lim_error *err);
void lim_inverse_free(lim_inverse *x);

#endif
