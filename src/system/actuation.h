// actuation.h - what acts on the arm in time: drives of the joints, loads. Constant once built.
// Theory: docs/theory/dynamics.md.
#ifndef LIM_SYSTEM_ACTUATION_H
#define LIM_SYSTEM_ACTUATION_H

#include "motion/course.h"
#include "motion/curve.h"
#include "system/bond.h"
#include "system/friction.h"

// The drive of a joint, in the coordinates of its body. Its laws are in drive.h.
typedef struct {
  int type;                  // lim_drive_type; a motor that follows its motion by a rigid gear is prescribed
  lim_course *motion;        // commanded position; NULL: none
  lim_course *effort;        // effort on the joint; of a motor: torque on its shaft [N m]; NULL: none
  bool rigid;                // in place of effort: what the arm with rigid links needs for the motion
  double stiffness, damping; // servo
  // Motor and gear; ratio 1 and nothing else without. A prescribed motor keeps ratio and efficiency.
  double ratio;     // rotor angle per joint position [rad/rad], [rad/m]
  bool elastic;     // the motor has its own coordinate
  bool motor_given; // elastic gear: the motor's coordinate follows the motion exactly
  double gear_stiffness, gear_damping, backlash; // on the output side; stiffness 0 where there is a curve
  lim_curve *gear_curve;                         // torque over deflection instead of the stiffness; NULL: none
  double efficiency;                             // 1: no loss
  bool control;                                  // pd: torque += kp (motion - measured position) - kv ratio u
  double kp, kv; // [N m/rad], [N m/m] of the joint, with the sign of the ratio; [N m s/rad] of the rotor
  double bandwidth,
      control_damping; // gains follow from them by lim_drive_design [rad/s], [-]; 0: gains are given
  bool measure_motor;  // position is measured on the motor (over the ratio), not on the joint
  double torque_limit, no_load_speed; // of the motor [N m], [rad/s]; INFINITY: none
  bool electrical;                    // torque = torque_constant x current
  double resistance, inductance, torque_constant, back_emf,
      voltage_limit;            // [ohm], [H], [N m/A], [V s/rad], [V]
  lim_friction_law friction[2]; // of the joint, of the motor (elastic gear only), in joint units
} lim_joint_drive;

// A drive of a type (lim_drive_type) with nothing to it: no losses, no limits.
lim_joint_drive lim_drive_plain(int type);

// A load: its wrench is scaled in time.
typedef struct {
  lim_course *factor; // NULL: 1
  double from, to;    // [s]
  double weight;      // part of a load per length [m]; 1 for a concentrated load
  const lim_load *load;
} lim_load_in_time;

typedef struct {
  lim_arena arena; // owns everything below but courses and curves
  const lim_system *s;
  lim_joint_drive *drive; // of each body; free where it has no joint            (nbody)
  int nload;
  lim_load_in_time *load; // (nload)
  lim_wrench *wrench;     // of each load at factor 1; workspaces copy it        (nload)
  lim_bonds bonds;        // springs and bushings
  int nbreak;
  double *breaks; // times where efforts or accelerations jump, rising           (nbreak)
} lim_actuation;

// directory: of the model file, for tables. The system must outlive it.
lim_code lim_actuation_new(lim_actuation **out, lim_system *s, const char *directory, lim_error *err);
void lim_actuation_free(lim_actuation *a);

// Which side of a jump a moment is on.
typedef enum { LIM_AFTER, LIM_BEFORE } lim_side;

lim_sample lim_actuation_sample(const lim_course *c, double t, lim_side side);

// Loads at time t into wrench (nload).
void lim_actuation_loads(lim_wrench *wrench, const lim_actuation *a, double t, lim_side side);

// The next jump after t; INFINITY: none.
double lim_actuation_next_break(const lim_actuation *a, double t);

#endif
