// session.h - a simulation under way: the arm, what drives it, its state, and what is recorded of it.
// Theory: docs/theory/simulation.md. simulate.c marches it to the end; a program of the user's steps it itself.
#ifndef LIM_ANALYSIS_SIMULATION_SESSION_H
#define LIM_ANALYSIS_SIMULATION_SESSION_H

#include "analysis/limits.h"
#include "dynamics/damping.h"
#include "integrate/events.h"
#include "integrate/gripping.h"
#include "integrate/snapshot.h"

typedef struct {
  lim_model truncated; // a copy of the model without stiffening, for mode conventional
  const lim_model *model;
  const lim_integrator *method, *reference_method; // of what is recorded, of the rigid motion under it
  lim_arena arena;
  lim_arm *built[2];  // as simulated (rigid too in mode rigid), and with rigid links: constant
  lim_arm *s, *rigid; // the same in this run
  lim_inputs *inputs, *rigid_inputs;
  lim_equations *equations, *rigid_equations;
  lim_equations *closed;      // of rigid, to close its loops at the reference; NULL: there are none
  lim_state *motion_state;    // what is recorded
  lim_state *reference_state; // the rigid motion of modes linear and quasi-static; else NULL
  lim_gripping *gripping;     // of parts; NULL: none
  lim_arm_damping *damping;   // built anew along the motion; NULL: once
  long updates;               // of it so far, with that at t = 0
  lim_events *events;         // of its friction; NULL: none sticks
  bool quasi_static;
  lim_snapshot snapshot; // as of the last lim_session_sample
  lim_world_motion *body, *reference, *side[2];
  double *q, *v, *a;                  // (s->n)
  double *lambda;                     // multipliers of loops, those of the rigid motion included   (s->nrow)
  double *rq, *rv, *ra, *rest, *zero; // (rigid->n)
  double *perturbed[2][3];            // (s->n)
  double *lag_q[3], *lag_v;           // the rigid arm where its joints are, and beside it    (rigid->n)
  lim_world_motion *lag_body[3];      // (rigid->nbody)
  double start_energy, peak, square;
  double bend;                        // largest deflection of a body's tip so far, over its length
  int bend_link;                      // of that body; -1: none
  double twist;                       // largest product of twist and bending of a body's section so far [rad^2]
  int twist_link;                     // of that body; -1: none
  double pull;                        // largest N l^2/EI of a body so far
  int pull_link;                      // of that body; -1: none
  double unstiffened, unstiffened_at; // largest change by stiffening that is left out, and when
  int unstiffened_link;               // -1: none
  double *bound;                      // limits of joints                (links.count x LIM_LIMIT_EFFORT)
  lim_excess *excess;                 // of the limits of joints so far  (links.count x LIM_LIMITS)
  double gap, opening;                // largest violation of a loop's row so far: position, velocity
  long samples;                       // taken so far
} lim_session;

// model: prepared (analysis/prepare.h). directory: of the model file, for tables. The model must outlive the
// session. End with lim_session_free.
lim_code lim_session_new(lim_session **out, const lim_model *model, const char *directory, lim_error *err);
void lim_session_free(lim_session *s);

// Whether the joint of a body runs into end stops, which give way, and is not moved through them.
bool lim_session_stopped(const lim_session *s, int body);

// Find the accelerations at the present time, after a jump of forces or at the start.
lim_code lim_session_restart(lim_session *s, lim_error *err);

// The next time after t at which forces jump or a controller's clock ticks; INFINITY: none.
double lim_session_next(const lim_session *s, double t);

// Advance to a time; forces do not jump before it. Never allocates.
lim_code lim_session_advance(lim_session *s, double to, lim_error *err);

// Fill in the snapshot, and keep the books. Never allocates.
void lim_session_sample(lim_session *s);

#endif
