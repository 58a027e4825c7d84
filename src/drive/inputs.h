// inputs.h - what acts on the arm in time: drives of the joints, loads. Constant once built.
// Theory: docs/theory/dynamics.md.
#ifndef LIM_DRIVE_INPUTS_H
#define LIM_DRIVE_INPUTS_H

#include "arm/spring.h"
#include "control/law.h"
#include "drive/friction.h"
#include "drive/sensor.h"
#include "drive/stop.h"

// What a controller with a clock holds: the integral, then torques on their way: the one that is given, the
// ring.
enum { LIM_LAW_HELD = 3 };

// The drive of a joint, in the coordinates of its body. Its laws are in drive.h.
typedef struct {
  int type;                  // lim_drive_type; a motor that follows its motion by a rigid gear is prescribed
  lim_trajectory *motion;    // commanded position; NULL: none
  lim_trajectory *effort;    // effort on the joint; of a motor: torque on its shaft [N m]; NULL: none
  bool rigid;                // in place of effort: what the arm with rigid links needs for the motion
  double stiffness, damping; // servo
  // Motor and gear; ratio 1 and nothing else without. A prescribed motor keeps ratio and efficiency.
  double ratio;     // rotor angle per joint position [rad/rad], [rad/m]
  bool elastic;     // the motor has its own coordinate
  bool motor_given; // elastic gear: the motor's coordinate follows the motion exactly
  double gear_stiffness, gear_damping, backlash; // on the output side; stiffness 0 where there is a curve
  lim_curve *gear_curve;                         // torque over deflection instead of the stiffness; NULL: none
  double efficiency;                             // 1: no loss
  lim_control_law law;                           // its controller
  int law_x;                                     // state of its controller's integral; -1: none
  // of a controller with a clock: what it holds (LIM_LAW_HELD + law_whole), its two clocks, its delay in whole
  // periods and the rest [s]; law_z -1: it has none
  int law_z, law_clock, law_whole;
  double law_shift;
  int wired;                          // signal of the block that is the effort or torque; -1: none
  double torque_limit, no_load_speed; // of the motor [N m], [rad/s]; INFINITY: none
  bool electrical;                    // torque = torque_constant x current
  double resistance, inductance, torque_constant, back_emf,
      voltage_limit;            // [ohm], [H], [N m/A], [V s/rad], [V]
  lim_friction_law friction[2]; // of the joint, of the motor (elastic gear only), in joint units
  lim_end_stops stop;           // of the joint
} lim_joint_drive;

// A drive of a type (lim_drive_type) with nothing to it: no losses, no limits.
lim_joint_drive lim_drive_plain(int type);

// A load: its wrench is scaled in time.
typedef struct {
  lim_trajectory *factor; // NULL: 1
  int wired;              // signal of the block that is the factor; -1: none
  double from, to;        // [s]
  double weight;          // part of a load per length [m]; 1 for a concentrated load
  const lim_load *load;
} lim_load_in_time;

typedef struct {
  lim_arena arena;       // owns everything below but trajectories and curves
  const char *directory; // of the model file, for scripts; the caller's
  const lim_arm *s;
  lim_joint_drive *drive; // of each body; free where it has no joint            (nbody)
  int nload;
  lim_load_in_time *load;              // (nload)
  lim_wrench *wrench;                  // of each load at factor 1; workspaces copy it        (nload)
  lim_spring_elements spring_elements; // springs and bushings
  lim_contact_elements contacts;       // spheres against planes
  lim_network *network;                // blocks; NULL: there are none
  lim_sensor *sensor; // what they measure                                   (network->nmeasured)
  int nx, nz, nclock; // states and held values of blocks and controllers; clocks, two of each
  double until; // [s] when a motion that joints follow exactly jumps in position or speed; INFINITY: never
  int nbreak;
  double *breaks; // times where efforts or accelerations jump, rising           (nbreak)
} lim_inputs;

// directory: of the model file, for tables. The system must outlive it.
lim_code lim_inputs_new(lim_inputs **out, lim_arm *s, const char *directory, lim_error *err);
void lim_inputs_free(lim_inputs *a);

// Which side of a jump a moment is on.
typedef enum { LIM_AFTER, LIM_BEFORE } lim_side;

lim_sample lim_inputs_sample(const lim_trajectory *c, double t, lim_side side);
double lim_inputs_value(const lim_trajectory *c, double t, lim_side side);

// Loads at time t into wrench (nload). signal: of blocks; NULL where there are none.
void lim_inputs_loads(lim_wrench *wrench, const lim_inputs *a, double t, lim_side side, const double *signal);

// The next jump after t; INFINITY: none.
double lim_inputs_next_break(const lim_inputs *a, double t);

#endif
