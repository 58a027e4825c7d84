// recursion.h - residual, factorisation and solution over the tree of bodies, each O(number of bodies).
// Theory: docs/theory/dynamics.md. The code is in recursion/, compiled for doubles in space and in the plane,
// and its residual for dual numbers. In the plane runs what never leaves it (arm/plane.h).
#ifndef LIM_DYNAMICS_RECURSION_H
#define LIM_DYNAMICS_RECURSION_H

#include "arm/contact.h"
#include "arm/coupling.h"
#include "arm/loop.h"
#include "arm/spring.h"
#include "arm/tree.h"
#include "dynamics/number/dual.h"

// Scratch, one per thread. None of the functions below allocates.
typedef struct lim_rec_work lim_rec_work;
typedef struct lim_dual_work lim_dual_work;

// The matrix of a step: factors of mass, damping and stiffness, and what drives add.
typedef struct {
  double M, D, K;
  const double *joint; // on the diagonal of joints and motors, or NULL              (n)
  const double *gear;  // of elastic gears, between joint and motor, or NULL          (nbody)
} lim_step_matrix;

lim_rec_work *lim_rec_work_new(const lim_arm *s); // NULL: out of memory
void lim_rec_work_free(lim_rec_work *w);

// Coordinates of joints and motors whose motion is given are no unknowns of factor and solve.
void lim_rec_lock(lim_rec_work *w, int coordinate, bool locked);

// Forces that residual takes into account from now on; the list stays the caller's. None: count 0.
void lim_rec_apply(lim_rec_work *w, const lim_wrench *wrench, int count);
void lim_dual_apply(lim_dual_work *w, const lim_wrench *wrench, int count);

// Derivatives about states in which links are not stretched take in the tension that they would have.
void lim_dual_slacken(lim_dual_work *w);

// Derivatives of residual and reactions are those of displacements cut to first order before virtual power is
// formed (mode conventional); their values are 0, but for springs and rotors. No body may slide, no loop carry
// a force.
void lim_dual_truncated(lim_dual_work *w);

// Springs and bushings from now on; length and its rate of springs without force (2 count); both stay the
// caller's. Allocates: false, out of memory.
bool lim_rec_bind(lim_rec_work *w, const lim_spring_element *spring, const double *length, int count);
bool lim_dual_bind(lim_dual_work *w, const lim_spring_element *spring, const double *length, int count);

// Contacts from now on, and how they stand; both stay the caller's. Their rows stand behind those of the arm:
// multipliers and rows below are then so many more. Allocates: false, out of memory.
bool lim_rec_touch(lim_rec_work *w, const lim_contact_element *contact, const lim_contact_state *state,
                   int count);
bool lim_dual_touch(lim_dual_work *w, const lim_contact_element *contact, const lim_contact_state *state,
                    int count);

// Multipliers of the rows of loops and couplings (nrow) that residual takes into account from now on; they stay
// the caller's. NULL: none act. And the rows themselves, G (nrow x n by rows), about the pose of the last
// residual.
void lim_rec_close(lim_rec_work *w, const double *lambda);
void lim_dual_close(lim_dual_work *w, const lim_dual *lambda);
void lim_rec_loop_rows(double *G, lim_rec_work *w, const double *q);

// How far loops are open at a state, and the rates (nrow). False: the last residual was not at this state.
bool lim_rec_loop_states(lim_row_state *row, lim_rec_work *w, const double *q, const double *v,
                         const double *a);

// Force and moment of the parent on each body at its joint, in the body's axes, as of the last residual.
void lim_rec_reaction(double F[3], double N[3], lim_rec_work *w, int body);

// Of that force the part along x, which pulls or presses a beam: cheaper.
double lim_rec_axial_force(const lim_rec_work *w, int body);

// Power that dampers took at the last residual [W], or at the state to which lim_rec_damp has moved them since.
void lim_rec_damp(lim_rec_work *w, const double *q, const double *v);
double lim_rec_damping_power(const lim_rec_work *w);
double lim_dual_damping_power(const lim_dual_work *w);

// Energies at a state by the sums of the residual, which is forgotten; gravity but for a constant. False: they
// are not gathered for this arm, as in space, and lim_energies_of has to be asked.
bool lim_rec_energies(lim_energies *e, lim_rec_work *w, const double *q, const double *v);

// Rates v of a body's deformation eta with the axial ones those of the stretch: without what bending shortens.
// x (n)
void lim_rec_stretch_rates(double *x, const lim_body *b, const double *eta, const double *v);

// r (n) = M a + bias - gravity - applied forces + K eta + D eta': for joints the effort that the motion needs,
// for deformations what is missing to equilibrium.
void lim_rec_residual(double *r, lim_rec_work *w, const double *q, const double *v, const double *a);

// Factorise c.M M + c.D D + c.K K about the q of the last residual; of D only its part in proportion to K,
// which is what makes steps stiff: the rest is left to the iteration. Returns the coordinate whose pivot is not
// positive (no mass), or -1.
int lim_rec_factor(lim_rec_work *w, const double *q, lim_step_matrix c);

// x (n) := (c.M M + c.D D + c.K K)^-1 x with the last factor; 0 for given coordinates.
void lim_rec_solve(double *x, lim_rec_work *w);

// The same on numbers with derivatives: r and its derivative along (q', v', a').
lim_dual_work *lim_dual_work_new(const lim_arm *s);
void lim_dual_work_free(lim_dual_work *w);
// Of dual numbers: value and derivative together, the reaction to first order.
void lim_dual_reaction(double F[3], double N[3], const lim_dual_work *w, int body);
void lim_dual_residual(lim_dual *r, lim_dual_work *w, const lim_dual *q, const lim_dual *v, const lim_dual *a);

#endif
