// drive.h - the laws of joint drives: efforts, tangents, powers of one drive in one moment. Pure functions, no
// allocation. Theory: docs/theory/drives.md.
//
// Coordinates: q of the joint and, with an elastic gear, p of the motor: the rotor's angle over the ratio. With
// a rigid gear, and in drives without a motor, p = q and u = v.
#ifndef LIM_DRIVE_DRIVE_H
#define LIM_DRIVE_DRIVE_H

#include "drive/inputs.h"

typedef struct {
  double q, v;  // joint: position, speed
  double p, u;  // motor, in joint units; with a rigid gear they are not read
  double rigid; // where the drive's `rigid` is set: effort that the arm with rigid links needs; else not read
  lim_command command; // of controller and blocks: torque on the shaft; of a drive without motor, on the joint
  bool resting;        // what the joint is told stands still
} lim_drive_motion;

// First-order states: bristles of friction[k] (joint units) where it has them; current of a motor with an
// inductance [A]. Others stay 0. All begin with 0.
typedef struct {
  double z[2], current;
} lim_drive_states;

typedef struct {
  double joint;  // effort on the joint's coordinate, friction included
  double motor;  // effort on the motor's coordinate (elastic gear; else 0), friction included
  double effort; // what the drive gives the joint: through its gear, without friction; of a rigid gear ratio x
                 // torque
  double gear;   // effort of the elastic gear on the joint (0 without)
  double torque; // of the motor on its shaft [N m]
  double reference; // commanded position (NaN: none)
  // Tangents for the matrix of an implicit step, minus the derivatives of the efforts:
  //   -d joint = (joint_k + gear_k) dq + (joint_d + gear_d) dv - gear_k dp - gear_d du
  //   -d motor = (motor_k + reaction gear_k) dp + (motor_d + reaction gear_d) du
  //              + (control_k - reaction gear_k) dq + (control_d - reaction gear_d) dv
  double joint_k, joint_d, motor_k, motor_d, gear_k, gear_d; // at least 0
  double control_k, control_d; // measured on the output and fed back to the motor (elastic gear)
  double reaction;             // of the gear on the motor per effort on the joint; 1 where nothing is lost
  double load;       // what the load-dependent friction depends on: gear (elastic) or ratio x torque (rigid)
  double level[2];   // sliding friction of each side at this speed and load
  double energy;     // in servo spring, gear and bristles [J]
  double work;       // power put in by command, motor or effort [W]
  double dissipated; // power lost [W]: dampers, gear, friction; two parts of it:
  double gear_loss, friction_loss;
} lim_drive_answer;

// What its controller, if there is one, sees of this motion, and asks for by itself: without blocks, integral
// and rigid arm.
lim_control_view lim_drive_view(const lim_joint_drive *d, lim_sample reference, double t,
                                const lim_drive_motion *m);
lim_command lim_drive_command(const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m);

// Everything about a drive in one moment. slip[k]: direction in which friction k slides, -1 or +1; 0: it is
// stuck, then its force is not here (the equations hold the coordinate and find it) but viscous friction is. h:
// the step over which lim_drive_step brought the states to x with this motion, so that the tangents know of it;
// 0: x is fixed. A coordinate that is prescribed (type LIM_DRIVE_PRESCRIBED, or motor_given) has no torque
// here.
//
// The books: d(energy)/dt + dissipated = work - joint v - motor u.
void lim_drive_evaluate(lim_drive_answer *a, const lim_joint_drive *d, double t, lim_side side,
                        const lim_drive_motion *m, const int slip[2], const lim_drive_states *x, double h);

// Rates of the states, for explicit methods.
void lim_drive_rates(lim_drive_states *rate, const lim_joint_drive *d, double t, lim_side side,
                     const lim_drive_motion *m, const lim_drive_states *x);

// States after a step h by the trapezoidal rule, exactly: states and their rates at its start; time and motion
// at its end.
void lim_drive_step(lim_drive_states *end, const lim_drive_states *start, const lim_drive_states *rate,
                    double h, const lim_joint_drive *d, double t, lim_side side, const lim_drive_motion *m);

// Whether friction k (0 joint, 1 motor) is set-valued at rest.
bool lim_drive_sticks(const lim_joint_drive *d, int k);

// Bound of friction k: of the force that holds a stuck coordinate, or the force while it slides.
double lim_drive_level(const lim_joint_drive *d, const lim_drive_answer *a, int k, bool stuck);

// Of a gear with play whose flanks touch: how much more its damper would carry than its spring does, which is
// the most it may; from -1 to 1, above 0 it is held back. -1 without damper.
double lim_drive_held_back(const lim_joint_drive *d, double deflection, double speed);

// Gains from the control's bandwidth, if it has one, with J = rotor_inertia + joint_inertia/ratio^2:
// kv = 2 damping bandwidth J, kp = bandwidth^2 J ratio.
void lim_drive_design(lim_joint_drive *d, double joint_inertia, double rotor_inertia);

// Torque of the motor [N m] that gives this effort (without friction) on the coordinate it acts on, which moves
// with this speed: the joint's with a rigid gear, with its efficiency; else the motor's.
double lim_drive_torque(const lim_joint_drive *d, double effort, double speed);

// The largest torque [N m] that the motor can give in the direction of `torque` at the rotor's speed w [rad/s],
// by its torque limit and, at rest of its current, by its voltage; INFINITY: any.
double lim_drive_most(const lim_joint_drive *d, double torque, double w);

#endif
