// own_steps.h - integrators of SUNDIALS: they choose their steps, and what lies between is interpolated. What
// CVODE and IDA share. Theory: docs/theory/simulation.md (5c)-(5f).
#ifndef LIM_INTEGRATE_SUNDIALS_OWN_STEPS_H
#define LIM_INTEGRATE_SUNDIALS_OWN_STEPS_H

#include "integrate/state.h"

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_spgmr.h>

typedef struct lim_own_steps lim_own_steps;

enum { LIM_OWN_STEPS_TRIES = 40 }; // of one step, ever shorter: at a corner of a law before it is located

// What CVODE and IDA call differently. Codes are theirs: negative, it failed.
typedef struct {
  const lim_integrator *method;                // whose word messages say
  int extra;                                   // vectors of rows of loops among the unknowns
  bool (*open)(lim_own_steps *s);              // at the flow's present state
  int (*again)(lim_own_steps *s);              // the same, with its memory there
  int (*step)(lim_own_steps *s);               // one step, at most to s->stop: s->t
  int (*look)(lim_own_steps *s, double t);     // y at a time within the last step
  int (*errors)(lim_own_steps *s, N_Vector x); // of the last step, estimated
  void (*close)(lim_own_steps *s);             // its memory
  const char *(*text)(long code);              // the name of a code, to be freed
} lim_own_kind;

// y: q, v, books, states of drives, then what the kind adds.
struct lim_own_steps {
  const lim_own_kind *kind;
  lim_state *motion_state;
  lim_arena arena;
  SUNContext context;
  void *memory;
  SUNLinearSolver solver;
  int size;              // of y
  double tolerance;      // of one step, relative
  int order;             // largest: 2 where vibrations are too fast to be resolved, which keeps them stable
  N_Vector y, dy, about; // of IDA only: dy, and a residual
  double *floor, *w;     // absolute tolerances; one over the error that is tolerated      (size)
  double *max;           // largest position, then speed, so far, per group               (2 ngroup)
  double t, last, stop;  // end of the last step, its length; forces are smooth up to stop
  long count;            // steps since time was looked at, which was then
  double mark;
  bool looked; // why steps are short
  // about which state the equations are linear, and when
  double base;
  lim_side side;
  double *q, *v, *a, *r; // with missing forces there                                  (n each)
  double *gap, *lambda;  // of rows there, and their multipliers                        (nrow)
  double *held;          // multipliers that rows keep which follow from others         (nrow)
  double *c, *d;         // right sides                                                 (nrow)
  double *x, *rate;      // states of drives and their rates there                      (ns)
  double *J;             // factors of 1 - step times their derivatives                 (ns x ns)
  int *pivot;
  double power[LIM_POWERS];
  double *dq, *dv, *da, *dx, *g, *z; // scratch                         (n each but dx: ns)
};

lim_code lim_own_steps_restart(lim_state *f, const lim_own_kind *kind, lim_error *err);
lim_code lim_own_steps_advance(lim_state *f, double to, lim_error *err);
void lim_own_steps_finish(lim_state *f);
extern const lim_unused_key lim_own_steps_unused[];

// One over the error tolerated in each entry of y: of the largest in its group so far, as in the implicit
// methods.
int lim_own_steps_weigh(N_Vector y, N_Vector w, void *user);

// Messages of SUNDIALS go nowhere: codes say what happened.
void lim_own_steps_say_nothing(int code, const char *module, const char *function, char *text, void *user);

// q, v and states of drives of y, given coordinates where they have to be, into qn, vn (an) of the flow and
// state of its equations.
lim_side lim_own_steps_take(lim_own_steps *s, double t, const double *y);

// Linearise about y, for a step whose matrix is M + g D + g^2 K: base, factor, states. Accelerations of the
// base are in s->a. False: it cannot be factorised.
bool lim_own_steps_linearise(lim_own_steps *s, double t, const double *y, double g, bool second);

// g (n): what a small motion along dq, dv, dx of the scratch changes in the missing forces. What it changes in
// rows, their second derivatives or their rates, into c.
void lim_own_steps_forces(lim_own_steps *s, bool second);

// dx := (1 - step d rate/d state)^-1 (dx + step times what a small motion along dq, dv changes in rates).
void lim_own_steps_states(lim_own_steps *s, double step, bool motion);

// Put q on the loops and v along them, by the least change in terms of the matrix of the step. False: it does
// not converge.
bool lim_own_steps_close(lim_own_steps *s, double *q, double *v);

// book += step times what a small motion along dq, dv, da, dx changes in powers.
void lim_own_steps_powers(double *energy_integrals, lim_own_steps *s, double step);

// x by which y is varied in a difference: this much of the tolerances.
double lim_own_steps_increment(const lim_own_steps *s);

// The longest step: where friction may give way, a short push must not lie within one. 0: any.
double lim_own_steps_longest(const lim_own_steps *s);

#endif
