// session.h - a simulation under way: the arm, what drives it, its state, and the moment that is recorded.
// Theory: docs/theory/simulation.md. simulate.c marches it to the end; a program of the user's steps it itself.
#ifndef LIM_ANALYSIS_SESSION_H
#define LIM_ANALYSIS_SESSION_H

#include "analysis/events.h"
#include "analysis/gripping.h"

typedef struct {
  lim_model planned; // a copy of the model, once its program has run; empty: there is none
  const lim_model *model;
  const lim_integrator *method, *under; // of what is recorded, of the rigid motion under it
  lim_arena arena;
  lim_system *s, *rigid; // as simulated (rigid too in mode rigid), and with rigid links
  lim_actuation *act, *rigid_act;
  lim_equations *equations, *rigid_equations;
  lim_equations *closed;  // of rigid, to close its loops at the reference; NULL: there are none
  lim_flow *flow;         // what is recorded
  lim_flow *ground;       // the rigid motion of modes linear and quasi-static; else NULL
  lim_gripping *gripping; // of parts; NULL: none
  lim_events *events;     // of its friction; NULL: none sticks
  bool quasi_static;
  lim_moment moment; // as of the last lim_session_look
  lim_motion_in_world *body, *reference, *side[2];
  double *q, *v, *a;                  // (s->n)
  double *lambda;                     // multipliers of loops, those of the rigid motion included   (s->nrow)
  double *rq, *rv, *ra, *rest, *zero; // (rigid->n)
  double *beside[2][3];               // (s->n)
  double start_energy, peak, square;
  double bend;         // largest deflection of a body's tip so far, over its length
  int bend_link;       // of that body; -1: none
  double pull;         // largest N l^2/EI of a body so far
  int pull_link;       // of that body; -1: none
  double gap, opening; // largest violation of a loop's row so far: position, velocity
  long looks;
} lim_session;

// directory: of the model file, for tables. The model must outlive the session. End with lim_session_free.
lim_code lim_session_new(lim_session **out, const lim_model *model, const char *directory, lim_error *err);
void lim_session_free(lim_session *s);

// Find the accelerations at the present time, after a jump of forces or at the start.
lim_code lim_session_restart(lim_session *s, lim_error *err);

// The next time after t at which forces jump or a controller's clock ticks; INFINITY: none.
double lim_session_next(const lim_session *s, double t);

// Advance to a time; forces do not jump before it. Never allocates.
lim_code lim_session_advance(lim_session *s, double to, lim_error *err);

// Fill in moment, and keep the books. Never allocates.
void lim_session_look(lim_session *s);

#endif
