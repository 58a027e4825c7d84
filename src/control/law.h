// law.h - kinds of controllers, one file and one row of laws.def each: the torque that a motor is asked for.
// Theory: docs/theory/control.md.
#ifndef LIM_CONTROL_LAW_H
#define LIM_CONTROL_LAW_H

#include "model/check/resolve.h"
#include "model/kinds.h"
#include "motion/curve.h"
#include "motion/trajectory.h"

// A torque on the shaft, and its derivatives by positions and speeds of joint (q, v) and motor (p, u), the
// motor in joint units.
typedef struct {
  double value, q, p, v, u;
} lim_command;

// What a law asks of the arm with rigid links: nothing, its weight where it is measured to be, or the effort
// for an acceleration.
typedef enum { LIM_ARM_NOT_ASKED, LIM_ARM_WEIGHT, LIM_ARM_EFFORT } lim_rest_question;

typedef struct lim_control_law lim_control_law;

// One joint in one moment, in units of the joint.
typedef struct {
  lim_sample reference;
  double position, speed; // as measured: of joint or motor; of the motor
  double ratio;
  double inertia;  // at the motor now, over that with which the gains were designed (gains: scheduled); else 1
  double integral; // state of a law with an integral [N m]
  double arm;      // the arm's answer to the law's question: effort on the joint
  double needed;   // effort that the arm with rigid links needs for the commanded motion
  double signal;   // output of the block that the law names
} lim_control_view;

typedef struct {
  lim_kind_row row;
  lim_rest_question asks;
  bool integral; // has the integral of the error as its state
  bool holds;    // brings the joint to its reference
  double (*acceleration)(const lim_control_law *c, const lim_control_view *m); // that the arm is asked about
  lim_command (*torque)(const lim_control_law *c, const lim_control_view *m);
} lim_control_kind;

extern const lim_control_kind *const lim_control_kinds[]; // ends with NULL

struct lim_control_law {
  const lim_control_kind *kind; // NULL: no controller
  double kp, kv,
      ki; // [N m/rad], [N m/m] of the joint, [N m s/rad] of the rotor, kp per s; computed torque: 1/s^2, 1/s
  double bandwidth, damping;             // kp, kv follow from them [rad/s], [-]; 0: they are given
  double integral_time;                  // kp/ki where ki follows from it [s]; 0: it is given
  int gains;                             // lim_gains
  double inertia;                        // at the motor, for which gains are designed [kg m^2]
  lim_curve *schedule;                   // that inertia over time; NULL: it is taken as constant
  bool measure_motor;                    // position is measured on the motor (over the ratio), not on the joint
  double velocity, acceleration, needed; // shares of feed-forward
  double limit;                          // of the torque [N m]; INFINITY: none
  double windup;                         // time in which the integral follows the limit [s]; 0: kp/ki
  double period, delay;                  // of its clock, from a sample to its torque [s]; period 0: continuous
  const char *script;                    // Lua file; NULL: none
  const void *own;                       // keys that its kind has alone
  int block, position;                   // signals that are the torque, the measured position; -1: none
};

// Check of a controller with gains: they are given, or a bandwidth from which they follow.
void lim_control_check_gains(lim_resolver *v, const void *control);

// kp e + kv ratio (share of the commanded speed - speed) and other feed-forward: what pd, pid and pd-gravity
// share.
lim_command lim_control_feedback(const lim_control_law *c, const lim_control_view *m);

// Whether a law is only pd with constant gains on position and speed of its own joint and motor: what code that
// knows no other controller can take.
bool lim_control_plain(const lim_control_law *c);

// A torque within the limit.
lim_command lim_control_limited(const lim_control_law *c, lim_command x);

// Rate of the integral: ki e, and back to where the torque is not limited, with `asked` before the limit.   (7)
double lim_control_integral_rate(const lim_control_law *c, const lim_control_view *m, double asked);

// Gains from the bandwidth, if there is one, with the inertia J at the motor:
// kv = 2 damping bandwidth J, kp = bandwidth^2 J ratio. And ki from kp.
void lim_control_design(lim_control_law *c, double J, double ratio);

#endif
