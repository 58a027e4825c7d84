// contact.h - one-sided forces: how they press, and spheres against planes. Constant once built but for the
// states, which are those of a run. Theory: docs/theory/contact.md.
#ifndef LIM_ARM_CONTACT_H
#define LIM_ARM_CONTACT_H

#include "arm/kinematics.h"
#include "arm/loop.h"

// Whether something that only presses does. While a run goes on a state stays as it is until a moment that is
// located; LIM_PRESS_AS_IT_MOVES is what depth and rate say at every evaluation.
typedef enum {
  LIM_PRESS_AS_IT_MOVES,
  LIM_PRESS_APART, // not there yet
  LIM_PRESS_ON,    // its law holds
  LIM_PRESS_SLACK  // within, but its damper would pull more than its spring presses: no force
} lim_press;

// What depth and rate say, of a law whose force has the sign of `force` within.   (2)
lim_press lim_press_of(double depth, double rate, double force);

// How far a state is beyond its law: positive where it changes. force_depth: of the sign of the force, and a
// length or angle as the depth is.   (3)
double lim_press_beyond(lim_press now, double depth, double force_depth);

// A slip below this is rest [m/s].
#define LIM_CONTACT_STILL 1e-10

// One below this keeps the direction that its state has [m/s]: rounding would turn it about where it comes to
// rest.
#define LIM_CONTACT_SLOW 1e-6

typedef enum { LIM_CONTACT_NONE, LIM_CONTACT_SLIDES, LIM_CONTACT_STICKS } lim_contact_friction;

// A sphere about a site against a plane through another, whose third axis is its normal.
typedef struct {
  const char *name;
  const lim_contact *from;
  lim_site site[2]; // the sphere's; the plane's
  double radius, stiffness, damping, friction;
  int tangents;       // directions along the plane: 2; of planar models 1
  double along[2][3]; // in the axes of the plane
  int row;            // of its first tangent, behind all rows of loops; -1: it has no friction
} lim_contact_element;

typedef struct {
  int count, rows;
  lim_contact_element *item; // (count)
} lim_contact_elements;

// How a contact stands, as of a run.
typedef struct {
  lim_press press;
  lim_contact_friction friction;
  double direction[2]; // in which it slides, along its tangents: of length 1
  double anchor[2];    // of one that sticks: place along its tangents that it had,
  double height;       // height of the sphere's centre,
  double R[9];         // and axes of the sphere in those of the plane
} lim_contact_state;

// A contact in a moment. Vectors in world axes.
typedef struct {
  double depth, rate; // [m], [m/s]
  double place[2];    // along the tangents, from the plane's point [m]
  double slip[2];     // velocity of the sphere's point against the plane, along the tangents [m/s]
  double normal;      // force [N]
  double force[3];    // on the sphere, friction included
  double point[3];    // where it acts [m]
  double energy;      // [J]
  double dissipated;  // [W]
  bool presses;
} lim_contact_moment;

// From the motions of its two sites. lambda: multipliers of its rows; NULL: none.   (1)-(6)
lim_contact_moment lim_contact_evaluate(const lim_contact_element *c, const lim_contact_state *x,
                                        const lim_world_motion *first, const lim_world_motion *second,
                                        const double *lambda);

// Motions of its two sites from those of all bodies. v and a may be NULL.
void lim_contact_sites(lim_world_motion at[2], const lim_contact_element *c, const lim_arm *s,
                       const lim_world_motion *body, const double *q, const double *v, const double *a);

// Rows of one that sticks (tangents); 0 where it does not, or does not press.   (7)
void lim_contact_rows(lim_row_state *row, const lim_contact_element *c, const lim_contact_state *x,
                      const lim_world_motion *first, const lim_world_motion *second);

// Whether its rows hold at this depth.
static inline bool lim_contact_holds(const lim_contact_state *x, double depth) {
  return x->friction == LIM_CONTACT_STICKS &&
         (x->press == LIM_PRESS_ON || (x->press == LIM_PRESS_AS_IT_MOVES && depth > 0));
}

// What friction can hold under this normal force, at least that of a depth that is rounding.
double lim_contact_bound(const lim_contact_element *c, double normal);

// From now on it sticks where it is; carry: as far from its anchor as it was.
void lim_contact_anchor(lim_contact_state *x, const lim_contact_element *c, const lim_world_motion *first,
                        const lim_world_motion *second, bool carry);

// Of the model. Memory from the arena.
lim_code lim_contacts_build(lim_contact_elements *out, lim_arena *arena, lim_arm *s, lim_error *err);

#endif
