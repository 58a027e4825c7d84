// state.h - a motion on its way: the state that integrators advance. Internal to the simulation.
#ifndef LIM_INTEGRATE_STATE_H
#define LIM_INTEGRATE_STATE_H

#include "integrate/equations.h"
#include "integrate/predictor.h"
#include "math/anderson.h"
#include "model/kinds.h"

typedef struct lim_state lim_state;

// A key of the solver that means nothing with a method in some modes, and why.
typedef struct {
  const char *key;
  unsigned modes;  // a bit for each lim_mode
  int field;       // offset in the solver of what is counted only where it is 1; 0: whatever the value
  const char *why; // NULL: there is nothing that iterates
} lim_unused_key;

#define LIM_IN_MODE(mode) (1u << (mode))
#define LIM_IN_ALL_MODES  (~0u)

// A way to integrate: one file, one row of integrate/integrators.def.
typedef struct lim_integrator lim_integrator;
struct lim_integrator {
  lim_kind_row row;
  // Called at a jump of forces, while those before it still act; may be NULL.
  void (*pause)(lim_state *f);
  // Called at the start and after a jump: t, q, v hold, a is to be found.
  lim_code (*restart)(lim_state *f, lim_error *err);
  // From f->t to `to`; forces do not jump in between.
  lim_code (*advance)(lim_state *f, double to, lim_error *err);
  // q, v, a and efforts at f->t from the method's own state, before they are looked at; NULL: they are there.
  void (*show)(lim_state *f);
  // Coordinates of ball joints were written anew (recentre.h), q, v and a with them: what the method keeps
  // beside is not. NULL: it keeps nothing.
  lim_code (*recentred)(lim_state *f, lim_error *err);
  void (*finish)(lim_state *f); // may be NULL
  // It chooses its steps: what is asked of it in between is interpolated, forwards and backwards within the
  // last one. Where the flow is watched, advance stops at the end of each.
  bool own_steps;
  bool implicit; // of Newmark's family: integrates deviations from a rigid motion too
  bool unstable; // at long steps
  bool frozen;   // has frozen matrices on intervals
  bool grid;     // has a grid of its own, stable with steps that fall as the square of its spacing
  // Of methods that give small motions about another one, whatever `mode` says: what integrates that one, and
  // whether the model is one that they treat. NULL: it is a method of the whole motion.
  const lim_integrator *about;
  lim_code (*fits)(const lim_model *m, lim_error *err);
  int (*order)(const lim_solver *s); // of its error in the step; NULL: 2
  const lim_unused_key *unused;      // ends with a row without key; NULL: none
};

const lim_integrator *lim_integrator_of(int method);

// Number of the method with a word, which there is.
int lim_method_number(const char *word);

// A message at the method of a model.
lim_code lim_method_refuse(const lim_model *m, lim_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Whether a method is of Newmark's family; whether it gives small motions about another one.
bool lim_method_is_implicit(int method);
bool lim_method_is_small(int method);

// Whether `step: auto` makes an implicit method choose its steps; whether a run chooses them in any way.
bool lim_method_controls(const lim_solver *s);
bool lim_method_adapts(const lim_solver *s);

// Positions [rad, m] and speeds [rad/s, m/s] of joints beyond this are no motion of an arm: the angle has lost
// eight digits, a metre per second is a third of light's.
#define LIM_STATE_MAX 1e8

// Newton's iteration of implicit methods, from step to step.
typedef struct {
  lim_predictor predictor;
  double rate; // by which an iteration diminishes the error; NAN: not known
  int steps;   // since it was measured
  long factor; // the number of the factor at hand, the steps that it served, and its matrix
  int served;
  double D, K;
  bool exact; // the last residual is that of the end of the step
} lim_newton;

// Coordinates of one group that follow each other.
typedef struct {
  int first, count, group;
  double most; // the largest of what was last looked at
} lim_state_run;

struct lim_state {
  lim_arena arena;
  lim_equations *e;
  lim_arm *arms[2];       // of this run, whose ball joints turn with its motion; NULL: none
  const lim_state *about; // mode linear: the rigid motion about which this is the deviation; else NULL
  int n;
  double t, tolerance;
  bool by_energy;    // tolerance is about the energy of the iteration, not about the correction
  bool by_estimate;  // no tolerance is given: what the iteration leaves is measured by the error of the step
  lim_newton newton; // implicit methods: what is known of the iteration
  double *q, *v, *a; // (n)
  int unknowns;      // n and the multipliers of loops: entries of an, r and weight of implicit methods
  double *A, *b;     // implicit methods: acceleration of the algorithm, and what it takes for a    (n)
  double step;       // the usual one [s]: what an implicit method can resolve
  double span;       // of the last step of implicit methods [s]; 0: there is none
  double error;      // of that step: in displacements, against the largest of their groups
  long missed;       // steps of `step: auto` that could not be short enough for the tolerance
  double missed_at;  // first time of that [s]
  struct lim_step_control *control; // of `step: auto`; NULL: steps are given
  bool started;
  // implicit methods, of the full equations: energy that the method itself puts in
  bool guarded;
  double peak, min;   // largest kinetic and strain energy, least balance since it last grew [J]
  int unseen;         // steps since energies were looked at
  int calm;           // steps still to be taken that damp what a step cannot resolve
  int grace;          // first steps, whose energies are too small to be a measure
  long calms;         // how often they were needed
  double calmed;      // first time of that [s]
  double horizon;     // forces do not jump before [s]; not before the end of an advance
  bool watched;       // for moments that are located
  const char *advice; // the motion was lost: what to try, behind the message; NULL: it was not
  // asked where a method's own steps have become short, at its time and with their length: whether the run is
  // to be given up; NULL: nobody knows
  lim_code (*slows)(const lim_state *f, double t, double step, lim_error *err);
  const volatile int *interrupt;       // nonzero: the run is to end; NULL: nobody asks
  double energy_integrals[LIM_POWERS]; // work, dissipated, ... [J] since the start
  long steps, iterations;
  double *r, *qn, *vn, *an, *An; // scratch                                              (n each)
  double *base;  // implicit methods: q and v at the end of the step but for its acceleration           (2 n)
  double *k[4];  // rk4: stages of v, a, books and states of drives       (2 n + LIM_POWERS + ns each)
  int ns;        // states of drives and controllers
  double *x;     // rk4: those at the start of the step                           (ns)
  double *scale; // largest |q| so far, per group                                 (ngroup)
  double *trial; // or of the present iterate                                     (ngroup)
  int *group, ngroup; // of each coordinate: joints by type, deformations by body      (n)
  lim_state_run *run; // the same, by runs of coordinates                              (nrun)
  int nrun;
  lim_anderson anderson;
  double *weight;         // of each coordinate in a correction: one over the scale of its group   (n)
  lim_world_motion *body; // scratch (nbody)
  void *own;              // of the integrator
  // mode linear
  lim_dual_work *dual;
  lim_dual *dx;                  // q, v, a, r as dual numbers                                    (4 n)
  lim_dual *dl;                  // multipliers of loops                                          (nrow)
  bool truncated;                // mode conventional: displacements are cut to first order before virtual power
  lim_dual_work *energy_balance; // for its energy, see linear_energy.h; NULL: it has none that is audited
  double kinetic, strain;        // of the deviation [J]
  double *ref;                   // q, v, a of the rigid motion in these coordinates              (3 n)
  lim_drive_answer *slope; // what drives answer to the rigid motion, and per unit of deviation   (2 nbody)
};

// Of a step of `step: auto`, unless a tolerance is given.
#define LIM_STEP_TOLERANCE 1e-5

// Of methods with steps of their own, and of corrections that are to be exact; unless one is given.
#define LIM_TOLERANCE 1e-10

// tolerance: NAN, none is given.
lim_code lim_state_new(lim_state **out, lim_equations *e, const lim_state *about, double tolerance,
                       lim_error *err);
void lim_state_free(lim_state *f);

// Whether the run is to end: a method that takes long looks, and fails without a message.
static inline bool lim_state_stopped(const lim_state *f) { return f->interrupt && *f->interrupt; }

// What is missing to equilibrium at (t, q, v, a): of the full equations, or to first order about the rigid
// motion. r (n). For mode linear, lim_state_about must have been called for this t.
void lim_state_residual(double *r, lim_state *f, double t, lim_side side, const double *q, const double *v,
                        const double *a);

// Rates of the states of drives and controllers at f->t.
void lim_state_rates(lim_state *f, lim_side side);

// Mode linear: take the rigid motion at its present time as what to linearise about.
void lim_state_about(lim_state *f);

// The matrix of a step at q (of the rigid motion in mode linear). After lim_state_residual.
lim_code lim_state_factor(lim_state *f, const double *q, lim_step_matrix c, lim_error *err);

// Power of drives, springs and loads, and what is lost (LIM_POWERS) [W], at a state whose residual r was just
// evaluated.
void lim_state_power(double *power, lim_state *f, const double *q, const double *v, const double *r);

// Prescribed joints at t; deviations of mode linear are 0.
void lim_state_prescribe(const lim_state *f, double t, lim_side side, double *q, double *v, double *a);

// Closed chains, after lim_state_factor: accelerations at which loops open, gaps times k (nrow).
const double *lim_state_openings(lim_state *f, const double *q, const double *v, const double *a);
const double *lim_state_gaps(lim_state *f, const double *q, double k);

// a from q and v at f->t.
lim_code lim_state_accelerate(lim_state *f, lim_side side, lim_error *err);

#endif
