// flow.h - a motion on its way: the state that integrators advance. Internal to the simulation.
#ifndef LIM_ANALYSIS_FLOW_H
#define LIM_ANALYSIS_FLOW_H

#include "analysis/simulate.h"
#include "math/anderson.h"

typedef struct lim_flow lim_flow;

// A way to integrate: one file, one row of the table in integrators.c.
typedef struct {
  int method; // lim_method
  const char *name;
  // Called at a jump of forces, while those before it still act; may be NULL.
  void (*pause)(lim_flow *f);
  // Called at the start and after a jump: t, q, v hold, a is to be found.
  lim_code (*restart)(lim_flow *f, lim_error *err);
  // From f->t to `to`; forces do not jump in between.
  lim_code (*advance)(lim_flow *f, double to, lim_error *err);
  // q, v, a and efforts at f->t from the method's own state, before they are looked at; NULL: they are there.
  void (*show)(lim_flow *f);
  void (*finish)(lim_flow *f); // may be NULL
} lim_integrator;

const lim_integrator *lim_integrator_of(int method); // NULL: not one of these
const lim_integrator *lim_integrator_at_rest(void);  // of an arm that stays where it is

struct lim_flow {
  lim_arena arena;
  lim_equations *e;
  const lim_flow *about; // mode linear: the rigid motion about which this is the deviation; else NULL
  int n;
  double t, tolerance;
  bool by_energy;    // tolerance is about the energy of the iteration, not about the correction
  double *q, *v, *a; // (n)
  int unknowns;      // n and the multipliers of loops: entries of an, r and weight of implicit methods
  double *A, *b;     // implicit methods: acceleration of the algorithm, and what it takes for a    (n)
  double step;       // the usual one [s]: what an implicit method can resolve
  bool started;
  double book[LIM_POWERS]; // work, dissipated, ... [J] since the start
  long steps, iterations;
  double *r, *qn, *vn, *an, *An; // scratch                                              (n each)
  double *k[4];       // rk4: stages of v, a, books and states of drives       (2 n + LIM_POWERS + ns each)
  int ns;             // states of drives and controllers
  double *x;          // rk4: those at the start of the step                           (ns)
  double *scale;      // largest |q| so far, per group                                 (ngroup)
  int *group, ngroup; // of each coordinate: joints by type, deformations by body      (n)
  lim_anderson anderson;
  double *weight;            // of each coordinate in a correction: one over the scale of its group   (n)
  lim_motion_in_world *body; // scratch (nbody)
  void *own;                 // of the integrator
  // mode linear
  lim_dual_work *dual;
  lim_dual *dx; // q, v, a, r as dual numbers                                    (4 n)
  lim_dual *dl; // multipliers of loops                                          (nrow)
  double *ref;  // q, v, a of the rigid motion in these coordinates              (3 n)
};

lim_code lim_flow_new(lim_flow **out, lim_equations *e, const lim_flow *about, double tolerance,
                      lim_error *err);
void lim_flow_free(lim_flow *f);

// What is missing to equilibrium at (t, q, v, a): of the full equations, or to first order about the rigid
// motion. r (n). For mode linear, lim_flow_about must have been called for this t.
void lim_flow_residual(double *r, lim_flow *f, double t, lim_side side, const double *q, const double *v,
                       const double *a);

// Rates of the states of drives and controllers at f->t.
void lim_flow_rates(lim_flow *f, lim_side side);

// Mode linear: take the rigid motion at its present time as what to linearise about.
void lim_flow_about(lim_flow *f);

// The matrix of a step at q (of the rigid motion in mode linear). After lim_flow_residual.
lim_code lim_flow_factor(lim_flow *f, const double *q, lim_step_matrix c, lim_error *err);

// Power of drives, springs and loads, and what is lost (LIM_POWERS) [W], at a state whose residual r was just
// evaluated.
void lim_flow_power(double *power, lim_flow *f, const double *q, const double *v, const double *r);

// Prescribed joints at t; deviations of mode linear are 0.
void lim_flow_prescribe(const lim_flow *f, double t, lim_side side, double *q, double *v, double *a);

// Closed chains, after lim_flow_factor: accelerations at which loops open, gaps times k (nrow).
const double *lim_flow_openings(lim_flow *f, const double *q, const double *v, const double *a);
const double *lim_flow_gaps(lim_flow *f, const double *q, double k);

// a from q and v at f->t.
lim_code lim_flow_accelerate(lim_flow *f, lim_side side, lim_error *err);

#endif
