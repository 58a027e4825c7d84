// simulate.h - the motion in time: modes nonlinear, linear, quasi-static, rigid. Theory:
// docs/theory/simulation.md.
#ifndef LIM_ANALYSIS_SIMULATION_SIMULATE_H
#define LIM_ANALYSIS_SIMULATION_SIMULATE_H

#include "integrate/snapshot.h"

typedef struct {
  // Called at t = 0, then every `every` seconds (outputs.every; default the step) and at the end. A code other
  // than LIM_OK ends the run with it.
  lim_code (*record)(void *user, const lim_snapshot *m, lim_error *err);
  void (*progress)(void *user, double t, double duration); // may be NULL
  void *user;
  bool quiet;               // no warnings: another run of the same motion has given them
  const volatile int *stop; // the run ends as interrupted when it becomes nonzero; may be NULL
} lim_simulate_hooks;

typedef enum { LIM_RUN_DONE, LIM_RUN_FAILED, LIM_RUN_INTERRUPTED } lim_run_status;

typedef struct {
  lim_run_status status;
  double end;                 // time reached [s]
  long steps, iterations;     // iterations: Newton's, or evaluations of explicit methods
  double balance_percent_rms; // of books.balance over the peak of kinetic plus strain; NaN where there are none
  bool has_energy_balance;    // of this mode and method
  double bend;                // largest deflection of a floating frame's tip over its length
  int bend_link;              // the link it belongs to; -1: none
  double twist;               // largest product of twist and bending of a section of a floating frame [rad^2]
  int twist_link;             // the link it belongs to; -1: none
  double pull;   // largest axial force on a floating frame times its length squared over its bending stiffness
  int pull_link; // the link it belongs to; -1: none
  double unstiffened, unstiffened_at; // largest change of a link's lowest frequency squared by geometric
                                      // stiffening that is not known, and when
  int unstiffened_link;               // -1: none
  int constraints, redundant; // rows of closed chains at the end; of these such as follow from the others
  double gap, opening;        // largest violation of a row at records: position, velocity [m], [m/s]
  long missed; // steps of `step: auto` whose error is above the tolerance, and when the first was [s]
  double missed_at;
  long calms;    // how often vibrations that the steps do not resolve had to be damped
  double calmed; // first time of that [s]
  double wall;   // [s]
} lim_run;

// Run solver.mode with solver.method. model: prepared (analysis/prepare.h). directory: of the model file, for
// tables. *run is filled also after a failure.
lim_code lim_simulate(lim_run *run, const lim_model *model, const char *directory,
                      const lim_simulate_hooks *hooks, lim_error *err);

#endif
