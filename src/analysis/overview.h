// overview.h - what is in a model: the answer of `limber check`.
#ifndef LIM_ANALYSIS_OVERVIEW_H
#define LIM_ANALYSIS_OVERVIEW_H

#include "model/model.h"

enum { LIM_OVERVIEW_FREQUENCIES = 3 };

typedef struct {
  double mass;     // of the link and what is fixed to it [kg]
  int joint_dof;   // freedoms of its joint
  int elastic_dof; // coordinates of its deformation
  int nfrequency;
  double frequency[LIM_OVERVIEW_FREQUENCIES]; // lowest, clamped at its joint, without what it carries [Hz]
} lim_link_overview;

typedef struct {
  int joint_dof, elastic_dof;
  int motor_dof; // of motors behind elastic gears
  int closed;    // freedoms that loops and couplings take
  int redundant; // constraints of loops and couplings that follow from the others
  double mass;
  lim_link_overview *link; // (links.count)
} lim_overview;

// Loops are closed too: a configuration that cannot be is an error. *out is owned by the caller:
// free(out->link).
lim_code lim_overview_new(lim_overview *out, const lim_model *model, lim_error *err);

// A doubt about a natural frequency [Hz] that no arm has; 0 is none. `what` begins the sentence.
void lim_warn_of_frequency(lim_error *err, const char *place, const char *what, double f);

#endif
