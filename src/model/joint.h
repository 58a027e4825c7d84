// joint.h - kinds of joints. A kind is a row of joints.def: its word in the model file, the keys that go with
// it, and its freedoms, each a unit screw in the joint's frame. Nothing else asks of which kind a joint is.
#ifndef LIM_MODEL_JOINT_H
#define LIM_MODEL_JOINT_H

#include "math/rotation.h"
#include "model/schema.h"

enum { LIM_MOST_FREEDOMS = 6, LIM_OWN_AXIS = 3 };

// Moves along or turns about a direction.
typedef struct {
  bool slides; // along it [m]; else about it [rad]
  int axis;    // 0, 1, 2: x, y, z of the joint's frame; LIM_OWN_AXIS: the joint's `axis`
} lim_freedom;

typedef struct {
  lim_kind_row row;
  const char *called; // in messages
  int freedoms;
  lim_freedom freedom[LIM_MOST_FREEDOMS];
} lim_joint_kind;

// A joint's velocity: what it does to its body, in the body's axes, at rate 1.
typedef struct {
  bool slides, turns; // whether `along`, `about` are not 0
  double along[3];    // velocity
  double about[3];    // angular velocity
} lim_screw;

int lim_joint_kind_count(void);
const lim_joint_kind *lim_joint_kind_of(const lim_joint *j);

// The kind with a word; -1: there is none.
int lim_joint_type(const char *word);

// Word of kind i; NULL: there is none.
const char *lim_joint_word(int i);

// Whether it has exactly one freedom, which then bears the joint's name: it can be driven, told where to be,
// limited, measured.
bool lim_joint_is_single(const lim_joint *j);

// Whether it has several freedoms: each turns or slides what the one before it has moved.
bool lim_joint_is_several(const lim_joint *j);

// Whether it has one freedom, measured in metres.
bool lim_joint_is_linear(const lim_joint *j);

// Whether nothing holds it: six freedoms, its configuration is a pose.
bool lim_joint_floats(const lim_joint *j);

// The only freedom of a joint as a screw; all 0 for other joints.
lim_screw lim_joint_screw(const lim_joint *j);
// Freedom number i of a kind as a screw, `axis` being the joint's.
lim_screw lim_freedom_screw(const lim_freedom *f, const double axis[3]);

// The frame (R, p) of a body moved by its joint from 0 to q: the one place that says where a joint puts a body.
void lim_screw_move(double R[9], double p[3], const lim_screw *s, double q);

// What a force and a moment on the body, in its axes, do on the freedom.
static inline double lim_screw_dot(const lim_screw *s, const double force[3], const double moment[3]) {
  return lim_dot(s->along, force) + lim_dot(s->about, moment);
}

#endif
