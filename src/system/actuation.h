// actuation.h - what acts on the arm in time: drives of the joints, loads. Constant once built.
// Theory: docs/theory/dynamics.md.
#ifndef LIM_SYSTEM_ACTUATION_H
#define LIM_SYSTEM_ACTUATION_H

#include "motion/course.h"
#include "system/system.h"

// The drive of a joint, in the coordinates of its body.
typedef struct {
  int type;                  // lim_drive_type: prescribed, effort, servo or free
  lim_course *motion;        // commanded position; NULL: none
  lim_course *effort;        // NULL: none
  bool rigid;                // effort: what the arm with rigid links needs for the motion
  double stiffness, damping; // servo
} lim_joint_drive;

// A load: its wrench is scaled in time.
typedef struct {
  lim_course *factor; // NULL: 1
  double from, to;    // [s]
  double weight;      // part of a load per length [m]; 1 for a concentrated load
  const lim_load *load;
} lim_load_in_time;

typedef struct {
  lim_arena arena; // owns everything below but the courses
  const lim_system *s;
  lim_joint_drive *drive; // of each body; free where it has no joint            (nbody)
  int nload;
  lim_load_in_time *load; // (nload)
  lim_wrench *wrench;     // of each load at factor 1; workspaces copy it        (nload)
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
