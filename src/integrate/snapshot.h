// snapshot.h - what is recorded of a motion at one time. Theory: docs/theory/simulation.md.
#ifndef LIM_INTEGRATE_SNAPSHOT_H
#define LIM_INTEGRATE_SNAPSHOT_H

#include "arm/kinematics.h"
#include "integrate/equations.h"

// The energy balance of a run [J].
typedef struct {
  double kinetic, strain, gravity; // now; strain includes servos, gears and springs
  double work, dissipated;         // since the start: by drives and loads; by dampers, gears and friction
  double gear_loss, friction_loss; // parts of dissipated
  double balance; // (kinetic + strain + gravity + dissipated - work) less its value at the start
} lim_energy_balance;

// Coordinates of the rigid arm and where they put its bodies.
typedef struct {
  const double *q;              // (rigid->n)
  const lim_world_motion *body; // (rigid->nbody)
} lim_rigid_pose;

// Motions of sites at one time, each evaluated when it is first asked for.
typedef struct {
  int count;
  lim_world_motion *motion; // (count)
  bool *known;              // (count)
} lim_site_motions;

// What a snapshot keeps of the state it shows.
typedef struct {
  lim_site_motions frame, reference; // of the named sites of system, of rigid
  lim_site_motions node;             // of the nodes of the meshes of system
  int *first_node;                   // of each body among them   (nbody)
} lim_snapshot_cache;

// What is recorded at one time. Everything is the simulation's and holds until the callback returns.
typedef struct {
  double t;
  const lim_arm *system; // with its deformations
  const lim_arm *rigid;  // the same arm with rigid links: same links, same list of sites
  const lim_equations *equations;
  const double *q, *v, *a;           // coordinates of system, and derivatives                    (system->n)
  const double *effort;              // of each joint, at its coordinate                          (system->n)
  const double *lambda;              // multipliers of the rows of loops                          (system->nrow)
  const double *rq, *rv, *ra;        // coordinates of the reference: the rigid arm               (rigid->n)
  const lim_world_motion *body;      // of system (nbody)
  const lim_world_motion *reference; // of rigid  (nbody)
  lim_snapshot_cache *cache;         // NULL: nothing is kept
  // The rigid arm where its joints are, behind elastic gears where their motors are: from the reference to it
  // the arm lags, from it to the arm it is bent. body NULL: it does not lag. lag_side: as beside, of modes
  // linear.
  lim_rigid_pose lagging, lag_side[2];
  bool linear;             // frames are to first order in the deviation from the reference
  bool has_energy_balance; // modes nonlinear and rigid
  lim_energy_balance energy_balance;
  // mode linear: a little to either side of the reference along the deviation, from which first-order parts
  // follow
  const lim_dual_work *dual; // its recursion; NULL in other modes
  bool truncated;            // mode conventional: what it holds are differences to the rigid motion
  double epsilon;
  const double *perturbed[2][3];      // q, v, a (system->n)
  const lim_world_motion *at_side[2]; // bodies (nbody)
} lim_snapshot;

// Keep the motions of named sites and of nodes once they are evaluated, until lim_snapshot_renew: the state has
// changed, and those of the one before are forgotten. Memory from the arena.
lim_code lim_snapshot_keep(lim_snapshot *m, lim_arena *arena, lim_error *err);
void lim_snapshot_renew(const lim_snapshot *m);

// Motion of a site of m->system (to first order about the reference in modes linear and quasi-static), and of a
// site of m->rigid.
lim_world_motion lim_snapshot_site(const lim_snapshot *m, const lim_site *site);
lim_world_motion lim_snapshot_reference(const lim_snapshot *m, const lim_site *site);

// The same of the named site i, evaluated once for each state.
lim_world_motion lim_snapshot_frame(const lim_snapshot *m, int i);
lim_world_motion lim_snapshot_frame_reference(const lim_snapshot *m, int i);

// The same of a node of a body's mesh, of which `site` is the section.
lim_world_motion lim_snapshot_node(const lim_snapshot *m, const lim_site *site, int node);

// The same site of m->rigid where its joints are: position and axes only.
lim_world_motion lim_snapshot_lagging(const lim_snapshot *m, const lim_site *site);

// Of the whole arm, to first order about the reference in modes linear and quasi-static.
lim_momentum lim_snapshot_momentum(const lim_snapshot *m);

// What the drive of a link's joint gives it. Where the model's gear is elastic but taken as rigid (mode rigid),
// what goes through it into the link: the effort of the motor moves its rotor too.
double lim_snapshot_effort(const lim_snapshot *m, int link);

// Force and moment of the parent on a link at its joint, world axes.
void lim_snapshot_reaction(double force[3], double moment[3], const lim_snapshot *m, int link);

#endif
