// equations.h - the equations of motion as an integrator sees them: bodies, drives, springs and loads together.
// Theory: docs/theory/dynamics.md, docs/theory/drives.md. One per thread; nothing below allocates after
// lim_equations_new.
#ifndef LIM_INTEGRATE_EQUATIONS_H
#define LIM_INTEGRATE_EQUATIONS_H

#include "drive/controls.h"
#include "drive/drive.h"
#include "drive/inputs.h"
#include "dynamics/recursion.h"

typedef struct {
  lim_arena arena;
  const lim_arm *s;
  const lim_inputs *inputs;
  lim_rec_work *w;
  lim_wrench *wrench;           // loads of the moment                                   (nload)
  double *length;               // of springs without force, and its rate                (2 nbond)
  bool *given;                  // coordinates whose motion is given: prescribed, or stuck   (n)
  bool *prescribed;             // (n)
  double *hold;                 // where stuck coordinates are                           (n)
  double *joint, *gear;         // what drives add to the matrix of a step               (n), (nbody)
  double *extra, *extra_before; // efforts a program adds on joints: from now on, and before a jump (n)
  double *tau; // efforts of drives on joints, and of motors on theirs, as of the last residual (n)
  // drives of the bodies' joints (nbody): what they do as of the last residual, states, friction
  bool stores;      // some drive or spring stores energy
  bool rate_forces; // some link has strain-rate damping, or air
  lim_drive_answer *answer;
  // first-order states, in one vector each: those of drives, then those of controllers and blocks
  int ns;                         // their number; 0: there are none
  lim_drive_states *state, *rate; // at the start of the step, and their rates there
  lim_drive_states *end;          // as the last residual took them
  lim_controls control;           // controllers and blocks
  int (*slip)[2]; // direction in which friction slides on joint and motor; 0: it sticks, or rests
  lim_press (*press)[LIM_STOPS]; // how end stops press; as they move where no moments are located   (nbody)
  bool resting;                  // commands stand still, windings have their steady current
  double span;                // of an implicit step that began with `state`: `end` follows; 0: `end` is `state`
  lim_contact_state *contact; // how contacts stand                                    (inputs->contacts.count)
  int nrow;                   // of the arm, and behind them those of contacts that may stick
  // closed chains: multipliers; rows G, T^-1 G', the factor of G T^-1 G' with the rows that are independent
  double *lambda;      // (nrow)
  double *G, *Z, *S;   // (nrow x n), (nrow x n), (nrow x nrow)
  int *order, rank;    // rows in the order of the factor; the last nrow - rank of them follow from the others
  double *y, *opening; // (nrow)
  lim_row_state *row;  // (nrow)
  lim_world_motion *body;  // (nbody)
  struct lim_spare *spare; // another factor; NULL: there is none
  long factors;            // how often a factor was made, or made useless
} lim_equations;

// rigid: the same arm with rigid links; may be NULL where no drive asks for it.
lim_code lim_equations_new(lim_equations **out, const lim_arm *s, const lim_inputs *inputs,
                           const lim_arm *rigid, lim_error *err);
void lim_equations_free(lim_equations *e);

// Springs, bushings and contacts of these equations, for another recursion. False: out of memory.
bool lim_equations_bind(lim_rec_work *w, const lim_equations *e);
bool lim_equations_bind_dual(lim_dual_work *w, const lim_equations *e);

// Make given coordinates, and only these, no unknowns; after an analysis that held others too.
void lim_equations_lock(lim_equations *e);

// Put given coordinates where they have to be at t. Any of q, v, a may be NULL.
void lim_equations_prescribe(const lim_equations *e, double t, lim_side side, double *q, double *v, double *a);

// What the drives do at a state: answer, tau. Part of the residual.
void lim_equations_drive(lim_equations *e, double t, lim_side side, const double *q, const double *v);

// What drives, loads, springs and dampers do at a state, and nothing else of its residual: what powers need,
// but for the efforts of motions that are given.
void lim_equations_act(lim_equations *e, double t, lim_side side, const double *q, const double *v);

// Whether the motion of some coordinate is given.
bool lim_equations_gives(const lim_equations *e);

// What controllers and blocks do whose clocks are due at t; the next time after t at which one is.
lim_code lim_equations_tick(lim_equations *e, double t, const double *q, const double *v, lim_error *err);
double lim_equations_next_tick(const lim_equations *e, double t);

// Signals of blocks at a state, as of the end of a step: into control.signal.
void lim_equations_signals(lim_equations *e, double t, lim_side side, const double *q, const double *v);

// States of drives and controllers: their rates at a state, into rate; take those that the last residual took.
void lim_equations_rates(lim_equations *e, double t, lim_side side, const double *q, const double *v);
void lim_equations_keep(lim_equations *e);

// r (n): what is missing to equilibrium; for given coordinates the effort that they need.
void lim_equations_residual(double *r, lim_equations *e, double t, lim_side side, const double *q,
                            const double *v, const double *a);

// The same with drives that do not feel speeds: what rests, or moves steadily.
void lim_equations_rest(double *r, lim_equations *e, double t, const double *q, const double *v,
                        const double *zero);

// Whether a drive follows its command by a law, and so yields: a servo, a motor with a controller.
bool lim_drive_yields(const lim_joint_drive *d);

// What the drive of a body's joint does about small motions at rest: a joint that is not held has no
// controller, a gear is in touch and loses nothing.
lim_drive_answer lim_equations_small(const lim_equations *e, int body, const double *q, bool held);

// A (n x n by columns) += stiffness or damping of drives as they answered (nbody).
void lim_equations_matrix(double *A, const lim_arm *s, const lim_drive_answer *answer, bool damping);
// y (n) += that stiffness times x.
void lim_equations_matrix_times(double *y, const lim_arm *s, const lim_drive_answer *answer, const double *x);

// Factorise the matrix of a step with the drives, as of the last residual, in it. Fails where a coordinate has
// neither mass nor stiffness.
lim_code lim_equations_factor(lim_equations *e, const double *q, lim_step_matrix c, lim_error *err);

// x (n) := solution of T x - G' y = x, G x = c with the last factor T (lim_rec_solve where there are no loops);
// entries of given coordinates become 0. c (nrow); y is added to the multipliers times `factor`.
void lim_equations_solve(double *x, lim_equations *e, const double *c, double factor);

// Room for a second factor beside the first, and exchange the two: factor and solve work on the one at hand.
// Locks go along. False: out of memory.
bool lim_equations_spare(lim_equations *e);
void lim_equations_swap(lim_equations *e);

// The joint or link that a coordinate belongs to.
const char *lim_equations_owner(const lim_arm *s, int coordinate);

// Rows of the loops at a state, into row; v and a may be NULL.
void lim_equations_rows(lim_equations *e, const double *q, const double *v, const double *a);

// Accelerations at which loops would open at a state (nrow): what lim_equations_solve takes for c to find
// changes of accelerations.
const double *lim_equations_openings(lim_equations *e, const double *q, const double *v, const double *a);

// Put q on the loops, v along them, or both, by the least change in terms of the last factor. Any may be NULL
// (v needs q). False: it does not converge.
bool lim_equations_project(lim_equations *e, double *q, double *v);

// What drives add to the matrix of a step, into joint and gear.
void lim_equations_tangents(lim_equations *e, lim_step_matrix c);

// Accelerations a from q and v; given entries of a are used. r, a (n).
lim_code lim_equations_accelerate(double *a, double *r, lim_equations *e, double t, lim_side side,
                                  const double *q, const double *v, lim_error *err);

// Torque of the motor of a body's joint on its shaft [N m], as of the last residual; 0 without motor.
double lim_equations_torque(const lim_equations *e, int body, const double *v);

// Powers [W] of drives, springs and loads at a state whose residual was just evaluated, and what springs, gears
// and servos store [J]. body (nbody) is scratch.
enum {
  LIM_WORK,
  LIM_DISSIPATED,
  LIM_GEAR_LOSS,
  LIM_FRICTION_LOSS,
  LIM_POWERS
}; // the last two are part of dissipated
typedef struct {
  double power[LIM_POWERS], stored;
  bool motions; // those of the bodies are evaluated, in `body`
} lim_powers;
lim_powers lim_equations_power(lim_equations *e, lim_world_motion *body, const double *q, const double *v,
                               const double *r);

// The same where the motions of the bodies at q and v are known.
lim_powers lim_equations_power_at(lim_equations *e, const lim_world_motion *body, const double *q,
                                  const double *v, const double *r);

#endif
