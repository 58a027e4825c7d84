// inertia.h - effective inertia: what each joint has to accelerate, seen from the joint and from its motor.
// Theory: docs/theory/inertia.md.
#ifndef LIM_ANALYSIS_INERTIA_H
#define LIM_ANALYSIS_INERTIA_H

#include "arm/kinematics.h"
#include "dynamics/recursion.h"

// All other joints are held but for free and spherical ones, which nothing holds, and pins of closed chains,
// which follow; links keep the shape that q gives them, an elastic gear moves as one.
//   arm: everything that the joint of the body moves, without the spin that its own rotor has from the gear
//        [kg m^2], [kg] for joints that slide
//   rotor: inertia of its own rotor about its axis [kg m^2]; 0 without a motor
// At the joint they add up to arm + ratio^2 rotor, at the motor to rotor + arm/ratio^2. LIM_BAD_INPUT: the
// body's joint has no freedom. Forces and springs of w do not matter. scratch (4 n). Allocates
// where there are such joints or loops.
lim_code lim_inertia_at(double *arm, double *rotor, const lim_arm *s, int body, const double *q,
                        lim_rec_work *w, double *scratch);

// The same from the nodes of the finite elements, open chains only: sum J'MJ. pose: of the bodies at q, as of
// lim_kinematics. scratch (lim_inertia_scratch).
lim_code lim_inertia_nodal(double *arm, double *rotor, const lim_arm *s, int body, const double *q,
                           const lim_world_motion *pose, double *scratch);
size_t lim_inertia_scratch(const lim_arm *s); // enough for both

typedef enum { LIM_ROUTE_MASS, LIM_ROUTE_JACOBIAN } lim_inertia_route;

typedef struct {
  lim_inertia_route route;
  int count; // moments, evenly spaced over solver.duration; 0: one per record if there are motion and duration
  double at; // this moment only [s]; NaN: see count
} lim_inertia_plan;

typedef struct {
  const char *name;
  bool slides, motor;
  double rotor, ratio; // of its motor; NaN without one
  double *arm;         // what it moves, at the joint                         (n)
  double *joint;       // arm + ratio^2 rotor: at the joint                   (n)
  double *motor_side;  // rotor + arm/ratio^2: at the motor; NaN without one  (n)
  double *kp, *kv;     // gains that its controller gets from its bandwidth with this inertia; NaN: none   (n)
} lim_inertia_joint;

typedef struct {
  lim_arena arena;                    // owns everything below
  bool along;                         // several moments of the motion
  int n;                              // moments
  double *time;                       // (n)
  LIM_LIST(lim_inertia_joint) joints; // that turn or slide
} lim_inertia;

// Joints are where they are commanded to be, others where the configuration has them; links undeformed, or in
// equilibrium (solver.start). directory: of the model file, for tables. The model must outlive the result.
lim_code lim_inertia_new(lim_inertia **out, const lim_model *model, const char *directory,
                         const lim_inertia_plan *plan, lim_error *err);
void lim_inertia_free(lim_inertia *x);

#endif
