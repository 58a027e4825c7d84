// modes.h - natural frequencies, damping ratios and mode shapes of an arm in a configuration. Theory:
// docs/theory/modes.md.
#ifndef LIM_ANALYSIS_VIBRATION_MODES_H
#define LIM_ANALYSIS_VIBRATION_MODES_H

#include "analysis/statics/rest.h"

typedef enum {
  LIM_JOINTS_DEFAULT, // each free, held by its servo, or locked when prescribed
  LIM_JOINTS_FREE,
  LIM_JOINTS_LOCKED,
  LIM_JOINTS_HELD, // by their servos; joints without one are locked
  LIM_JOINTS_OPEN  // as by default, with controllers switched off
} lim_joints;

typedef struct {
  double frequency; // [Hz]
  double damping;   // ratio to critical
  const char *kind; // what moves most: "bending y", of arms with several links "fore bending y", "joint elbow"
  double *shape;    // ux uy uz tx ty tz of every node of every link, link axes; the largest displacement, or
                    // rotation times the arm's length, is 1                                       (6 nnode)
  double *rates;    // of the coordinates, on the same scale                                       (arm.s->n)
} lim_natural_mode;

// A real eigenvalue: what decays without swinging, an overdamped mode or a state of a controller.
typedef struct {
  double time_constant; // [s]
  const char *kind;     // as of a mode
  double *shape;        // (6 nnode)
} lim_decay;

typedef struct {
  const char *name;
  int index;        // in the model
  int first, nnode; // its nodes in a shape, from base to tip; of a link without beam: base and tip
} lim_mode_link;

typedef struct {
  const char *name, *held; // "free", "locked" or "held"
} lim_mode_joint;

typedef struct {
  lim_arena arena;    // owns everything below
  int rigid;          // modes without stiffness, not listed
  int unstable;       // modes that grow, not listed
  double growth;      // of the fastest of them [1/s]
  double growing;     // its frequency [Hz]; 0: it does not swing
  const char *grows;  // what moves most in it
  const char *joints; // "free", "locked", "held"; "mixed" where they differ
  int nnode;          // of all links
  LIM_LIST(lim_mode_link) links;
  LIM_LIST(lim_mode_joint) joint;   // joints with a freedom
  LIM_LIST(lim_mode_joint) contact; // "apart", "sticks" or "slides", as they are taken
  LIM_LIST(lim_natural_mode) modes; // frequencies ascending
  LIM_LIST(lim_decay) overdamped;   // the slowest first
  lim_rest arm;                     // in the state about which it moves; owned as well
  double *unloaded;                 // its coordinates without deformation   (arm.s->n)
} lim_modes;

// The lowest `count` modes, and those of as many that only decay, about the undeformed arm, or about its
// equilibrium (solver.start: equilibrium), with the speeds of the configuration. directory: of the model file,
// for tables; NULL: the working directory.
lim_code lim_modes_new(lim_modes **out, const lim_model *model, const char *directory, lim_joints joints,
                       int count, lim_error *err);
void lim_modes_free(lim_modes *m);

#endif
