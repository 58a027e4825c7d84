// controls.h - controllers and blocks at work: what they measure, their states, what they ask for.
// Theory: docs/theory/control.md. Part of lim_equations; nothing below allocates after lim_controls_start.
#ifndef LIM_DRIVE_CONTROLS_H
#define LIM_DRIVE_CONTROLS_H

#include "control/script.h"
#include "drive/drive.h"
#include "dynamics/recursion.h"

typedef struct {
  const lim_arm *s;
  const lim_inputs *inputs;
  bool any;       // some drive has a controller, or there are blocks
  bool any_clock; // some of them have a clock
  int nx;         // continuous states
  double *x, *rate,
      *end;         // they at the start of a step, their rates there; as the last evaluation took them (nx)
  double *z, *done; // what is held between ticks; ticks that clocks have done   (inputs->nz), (inputs->nclock)
  double *signal, *u;          // as of the last evaluation; inputs of a block
  lim_control_view *view;      // (nbody)
  lim_lua_controller **script; // of controllers in Lua; NULL: none                (nbody)
  lim_command *command;        // as of the last evaluation                       (nbody)
  lim_world_motion *body;      // where frames are measured                     (nbody)
  bool frames;
  // the arm with rigid links; NULL: nothing is asked of it
  const lim_arm *rigid;
  lim_rec_work *rigid_w;
  double *rq, *rv, *ra, *rr; // (rigid->n)
  double *needed;            // efforts along the commanded motion            (rigid->n)
  int *rigid_q;              // coordinate of each body's joint in the rigid system; -1: none   (nbody)
  // implicit steps: factors of 1 - h/2 df/dx for a step `span`
  double span, *J, *f, *g, *y, *probe;
  int *pivot;
} lim_controls;

// One moment.
typedef struct {
  double t;
  lim_side side;
  const double *q, *v;
  double span;     // > 0: of an implicit step that began with x; its end follows
  bool resting;    // at rest: commands stand still, controllers do not wait for their clocks
  bool weightless; // the arm with rigid links answers as without gravity
  bool still;      // commands stand still as at t = 0, whatever the clocks say
} lim_control_instant;

// x, rate, end (nx): room for the states. rigid: the same arm with rigid links; NULL where nothing asks for it.
lim_code lim_controls_start(lim_controls *c, lim_arena *arena, const lim_arm *s, const lim_inputs *inputs,
                            const lim_arm *rigid, lim_error *err);
void lim_controls_end(lim_controls *c);

// Whether a drive or its controller asks the arm with rigid links.
bool lim_drive_asks_rigid(const lim_joint_drive *d);

// Signals, states at the end of the step, efforts of the rigid arm, commands.
void lim_controls_evaluate(lim_controls *c, const lim_control_instant *m);

// Rates of the states x into rate.
void lim_controls_rates(lim_controls *c, const lim_control_instant *m);

// What the clocks that are due do. Fails where a controller of the user's own does.
lim_code lim_controls_tick(lim_controls *c, const lim_control_instant *m, lim_error *err);

// The next tick after t; INFINITY: none.
double lim_controls_next(const lim_controls *c, double t);

#endif
