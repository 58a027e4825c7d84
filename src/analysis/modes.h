// modes.h - natural frequencies, damping ratios and mode shapes in a configuration. Theory:
// docs/theory/modes.md.
#ifndef LIM_ANALYSIS_MODES_H
#define LIM_ANALYSIS_MODES_H

#include "model/model.h"

typedef enum {
  LIM_JOINTS_DEFAULT, // free, held by a servo, or locked when prescribed
  LIM_JOINTS_FREE,
  LIM_JOINTS_LOCKED,
  LIM_JOINTS_HELD // by their servos; joints without one are locked
} lim_joints;

typedef struct {
  double frequency; // [Hz]
  double damping;   // ratio to critical
  const char *kind; // what moves most: "bending y", "torsion", ...
  double *shape; // nodal ux uy uz tx ty tz, link axes; the largest displacement, or rotation times length, is 1
                 // (6 nnode); NULL: a rigid link
} lim_natural_mode;

typedef struct {
  lim_arena arena; // owns everything below
  int rigid;       // modes without stiffness, not listed
  int unstable;    // modes that grow, not listed
  const char *link;
  int nnode;
  const char *joints;               // "free", "locked" or "held"
  LIM_LIST(lim_natural_mode) modes; // frequencies ascending
} lim_modes;

// The lowest `count` modes. About the undeformed link, or with the stiffness of its loads (solver.start:
// equilibrium).
lim_code lim_modes_new(lim_modes **out, const lim_model *model, lim_joints joints, int count, lim_error *err);
void lim_modes_free(lim_modes *m);

#endif
