// joint.h - kinds of joints. A kind is a row of joints.def: its word in the model file, the keys that go with
// it, and its freedoms, each a unit screw in the joint's frame, in the order in which each moves the next.
//
// A joint with several freedoms is read as one and then taken apart (check/freedoms.c): each freedom becomes a
// joint of its own, with a massless link put in before the joint's own link for all but the last. Nothing
// downstream asks of which kind a joint is.
#ifndef LIM_MODEL_JOINT_H
#define LIM_MODEL_JOINT_H

#include "math/rotation.h"
#include "model/schema.h"

enum { LIM_MOST_FREEDOMS = 6 };

// Directions of freedoms in the joint's frame: its axes; the joint's `axis` and `axis2`; two across `axis`, the
// first as near to x as can be.
typedef enum {
  LIM_X,
  LIM_Y,
  LIM_Z,
  LIM_OWN_AXIS,
  LIM_SECOND_AXIS,
  LIM_ACROSS,
  LIM_ACROSS_TOO
} lim_freedom_axis;

// Moves along or turns about a direction.
typedef struct {
  bool slides; // along it [m]; else about it [rad]
  lim_freedom_axis axis;
  const char *name; // behind that of the joint; NULL: it is the only one
} lim_freedom;

typedef struct {
  lim_kind_row row;
  const char *called; // in messages
  int freedoms;
  lim_freedom freedom[LIM_MOST_FREEDOMS];
  // Its last three freedoms turn about x, y and z, and are coordinates of an orientation for which no angle is
  // special (arm/ball.h): they have no names for users, and their start is that of the whole joint.
  bool ball;
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

// The kind of the whole joint that a joint is a freedom of; its own, where it is whole.
const lim_joint_kind *lim_joint_whole_kind(const lim_joint *j);

// Whether a joint as it was written has several freedoms that users can name.
bool lim_joint_has_named_freedoms(const lim_joint *j);

// Whether it is one of several freedoms, and the link between it and the next was put in for it.
static inline bool lim_joint_is_part(const lim_joint *j) { return j->parts > 1; }
static inline bool lim_link_is_inserted(const lim_link *a) { return a->joint.part + 1 < a->joint.parts; }

// Whether it is a freedom of a free or spherical joint, which users cannot name.
bool lim_joint_in_ball(const lim_joint *j);

// Whether it is the first of the three turns of such a joint.
bool lim_joint_begins_ball(const lim_joint *j);

// The link that a joint's freedom belongs to, by the index of a link; and the first freedom's.
static inline int lim_whole_link(const lim_model *m, int link) {
  const lim_joint *j = &m->links.item[link].joint;
  return link + j->parts - 1 - j->part;
}
static inline int lim_first_part(const lim_model *m, int link) { return link - m->links.item[link].joint.part; }

// Its name for users: of a ball joint that of the whole, which its link has; NULL: there is none.
static inline const char *lim_joint_shown(const lim_link *a) {
  const bool last = !lim_link_is_inserted(a);
  return !lim_joint_in_ball(&a->joint) ? a->joint.head.name : last ? a->joint.whole : NULL;
}

// A link whose joint has several freedoms and bears the name before the last point of a text, "wrist" of
// "wrist.third"; -1: there is none.
int lim_joint_of_freedom(const lim_model *m, const char *text);

// Links that the model file has, and the one of them with a number.
int lim_written_links(const lim_model *m);
int lim_written_link(const lim_model *m, int number);

// The number of the link that a link is, or was put in for, by index; -1: the base, which is less than 0.
int lim_written_number(const lim_model *m, int link);

// The number of the link on which a joint's own link hangs, through what was put in for its freedoms; -1: the
// base.
static inline int lim_written_parent(const lim_model *m, int link) {
  return lim_written_number(m, m->links.item[lim_first_part(m, link)].parent.index);
}

// Whether it has a freedom: it can be driven, told where to be, limited, measured.
bool lim_joint_is_single(const lim_joint *j);

// Whether that is measured in metres.
bool lim_joint_is_linear(const lim_joint *j);

// The only freedom of a joint as a screw; all 0 for other joints.
lim_screw lim_joint_screw(const lim_joint *j);

// The direction of a freedom in the joint's frame, the axes of the joint being unit vectors.
void lim_freedom_direction(double out[3], const lim_freedom *f, const lim_joint *j);

// The frame (R, p) of a body moved by its joint from 0 to q: the one place that says where a joint puts a body.
void lim_screw_move(double R[9], double p[3], const lim_screw *s, double q);

// What a force and a moment on the body, in its axes, do on the freedom.
static inline double lim_screw_dot(const lim_screw *s, const double force[3], const double moment[3]) {
  return lim_dot(s->along, force) + lim_dot(s->about, moment);
}

#endif
