// simulate.h - the motion in time: modes nonlinear, linear, quasi-static, rigid. Theory:
// docs/theory/simulation.md.
#ifndef LIM_ANALYSIS_SIMULATE_H
#define LIM_ANALYSIS_SIMULATE_H

#include "system/equations.h"
#include "system/kinematics.h"

// The energy books of a run [J].
typedef struct {
  double kinetic, strain, gravity; // now; strain includes servos, gears and springs
  double work, dissipated;         // since the start: by drives and loads; by dampers, gears and friction
  double gear_loss, friction_loss; // parts of dissipated
  double balance; // (kinetic + strain + gravity + dissipated - work) less its value at the start
} lim_books;

// One recorded moment. Everything is the simulation's and holds until the callback returns.
typedef struct {
  double t;
  const lim_system *system; // with its deformations
  const lim_system *rigid;  // the same arm with rigid links: same links, same list of sites
  const lim_equations *equations;
  const double *q, *v, *a;         // coordinates of system, and derivatives                    (system->n)
  const double *effort;            // of each joint, at its coordinate                          (system->n)
  const double *lambda;            // multipliers of the rows of loops                          (system->nrow)
  const double *rq, *rv, *ra;      // coordinates of the reference: the rigid arm               (rigid->n)
  const lim_motion_in_world *body; // of system (nbody)
  const lim_motion_in_world *reference; // of rigid  (nbody)
  bool linear;                          // frames are to first order in the deviation from the reference
  bool has_books;                       // modes nonlinear and rigid
  lim_books books;
  // mode linear: a little to either side of the reference along the deviation, from which first-order parts
  // follow
  const lim_dual_work *dual; // its recursion; NULL in other modes
  double epsilon;
  const double *beside[2][3];            // q, v, a (system->n)
  const lim_motion_in_world *at_side[2]; // bodies (nbody)
} lim_moment;

// Motion of a site of moment->system (to first order about the reference in modes linear and quasi-static), and
// of a site of moment->rigid.
lim_motion_in_world lim_moment_site(const lim_moment *m, const lim_site *site);
lim_motion_in_world lim_moment_reference(const lim_moment *m, const lim_site *site);

// What the drive of a link's joint gives it. Where the model's gear is elastic but taken as rigid (mode rigid),
// what goes through it into the link: the effort of the motor moves its rotor too.
double lim_moment_effort(const lim_moment *m, int link);

// Force and moment of the parent on a link at its joint, world axes.
void lim_moment_reaction(double force[3], double moment[3], const lim_moment *m, int link);

typedef struct {
  // Called at t = 0, then every `every` seconds (outputs.every; default the step) and at the end. A code other
  // than LIM_OK ends the run with it.
  lim_code (*record)(void *user, const lim_moment *m, lim_error *err);
  void (*progress)(void *user, double t, double duration); // may be NULL
  void *user;
  const volatile int *stop; // the run ends as interrupted when it becomes nonzero; may be NULL
} lim_simulate_hooks;

typedef enum { LIM_RUN_DONE, LIM_RUN_FAILED, LIM_RUN_INTERRUPTED } lim_run_status;

typedef struct {
  lim_run_status status;
  double end;                 // time reached [s]
  long steps, iterations;     // iterations: Newton's, or evaluations of explicit methods
  double balance_percent_rms; // of books.balance over the peak of kinetic plus strain; NaN where there are none
  double bend;                // largest deflection of a floating frame's tip over its length
  int bend_link;              // the link it belongs to; -1: none
  double pull;   // largest axial force on a floating frame times its length squared over its bending stiffness
  int pull_link; // the link it belongs to; -1: none
  int constraints, redundant; // rows of closed chains at the end; of these such as follow from the others
  double gap, opening;        // largest violation of a row at records: position, velocity [m], [m/s]
  double wall;                // [s]
} lim_run;

// Run solver.mode with solver.method. directory: of the model file, for tables. *run is filled also after a
// failure.
lim_code lim_simulate(lim_run *run, const lim_model *model, const char *directory,
                      const lim_simulate_hooks *hooks, lim_error *err);

#endif
