// equations.h - the equations of motion as an integrator sees them: bodies, drives and loads together.
// Theory: docs/theory/dynamics.md. One per thread; nothing below allocates after lim_equations_new.
#ifndef LIM_SYSTEM_EQUATIONS_H
#define LIM_SYSTEM_EQUATIONS_H

#include "system/actuation.h"
#include "system/recursion.h"

typedef struct {
  lim_arena arena;
  const lim_system *s;
  const lim_actuation *act;
  lim_rec_work *w;
  lim_wrench *wrench;           // loads of the moment                                   (nload)
  bool *given;                  // coordinates whose motion is prescribed                (n)
  double *joint;                // what servos add to the diagonal of a step's matrix    (n)
  double *extra, *extra_before; // efforts a program adds on joints: from now on, and before a jump (n)
  double *tau;                  // efforts of drives as of the last residual             (n)
  // what the arm with rigid links needs for the commanded motion, for efforts called "rigid"
  const lim_system *rigid; // NULL: no such effort
  lim_rec_work *rigid_w;
  double *rq, *rv, *ra, *rr; // (rigid->n)
  int *rigid_q;              // coordinate of each body's joint in the rigid system; -1: none   (nbody)
} lim_equations;

// rigid: the same arm with rigid links; may be NULL where no drive asks for it.
lim_code lim_equations_new(lim_equations **out, const lim_system *s, const lim_actuation *act,
                           const lim_system *rigid, lim_error *err);
void lim_equations_free(lim_equations *e);

// Make prescribed joints, and only these, no unknowns; after an analysis that held others too.
void lim_equations_lock(lim_equations *e);

// Put prescribed joints where they have to be at t. Any of q, v, a may be NULL.
void lim_equations_prescribe(const lim_equations *e, double t, lim_side side, double *q, double *v, double *a);

// r (n): what is missing to equilibrium; for prescribed joints the effort they need.
void lim_equations_residual(double *r, lim_equations *e, double t, lim_side side, const double *q,
                            const double *v, const double *a);

// Factorise the matrix of a step with the servos in it. Fails where a coordinate has neither mass nor
// stiffness.
lim_code lim_equations_factor(lim_equations *e, const double *q, lim_step_matrix c, lim_error *err);

// Accelerations a from q and v; prescribed entries of a are used. r, a (n).
lim_code lim_equations_accelerate(double *a, double *r, lim_equations *e, double t, lim_side side,
                                  const double *q, const double *v, lim_error *err);

#endif
