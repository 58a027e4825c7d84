// rail.h - joints that run along the bending beam of their parent, and frames that stay on one: where on it,
// and how that place moves. Theory: docs/theory/rails.md.
#ifndef LIM_ARM_RAIL_H
#define LIM_ARM_RAIL_H

#include "arm/kinematics.h"
#include "arm/section.h"

// The beam of a link, from its base to its tip.
struct lim_rail {
  int link;
  double length; // [m]
  int count;
  lim_rail_span *span; // in order: those of its segments one after the other   (count)
};

// Let the joint of a body run along its parent's beam, where that bends; its coordinate is there already.
lim_code lim_rail_hang(lim_arm *s, lim_arm_body *m, lim_error *err);

// Whether all that runs on rails begins on them: a message where it does not.
lim_code lim_rails_start(const lim_arm *s, lim_error *err);

// The rail of a link, made where it is asked for first; NULL in *out: its beam does not bend.
lim_code lim_rail_of(const lim_rail **out, lim_arm *s, int link, lim_error *err);

// The site on which a body hangs while its joint is at a position, which counts for joints on rails alone.
const lim_site *lim_arm_on(const lim_arm_body *b, double position);

// The same at coordinates q of the arm.
static inline const lim_site *lim_arm_on_at(const lim_arm_body *b, const double *q) {
  return b->nspan ? lim_arm_on(b, q[b->q]) : &b->on;
}

// --- places that follow a frame ---

// Where on a rail the point p (world axes) has its nearest point: the distance from the base. body: motions of
// all bodies, q: all coordinates.
double lim_rail_nearest(const lim_rail_span **span, const lim_arm *s, const lim_rail *x,
                        const lim_world_motion *body, const double *q, const double p[3]);

// The point of the rail beside a frame, which stays beside it as the frame moves: its place, velocity and
// acceleration, but for that along the rail. Its axes: x along the rail, y and z across it.
typedef struct {
  double s, rate; // where on the rail, and how fast it goes along it [m, m/s]
  int body;       // whose section it is
  lim_world_motion at;
} lim_rail_point;
lim_rail_point lim_rail_beside(const lim_arm *s, const lim_rail *x, const lim_world_motion *body,
                               const lim_world_motion *frame, const double *q, const double *v,
                               const double *a);

// Where the frame of a loop of type rail stands on its beam, whether that bends or not: from its base [m].
double lim_rail_place(const lim_arm *s, const lim_closure *c, const lim_world_motion *body, const double *q);

// Motion of the section at place[0] that goes along at place[1] and place[2], from that of its body; without an
// offset.
lim_world_motion lim_kinematics_on_rail(const lim_arm *s, const lim_rail_span *span, const double place[3],
                                        const lim_world_motion *body, const double *q, const double *v,
                                        const double *a);

// --- for rows of other files ---

// Displacement from the body's origin, with the distance along it, and rotation of the section at place[0] that
// moves along at place[1] and place[2].
void lim_rail_shift(lim_section_shift *x, const lim_rail_span *span, const double place[3], const double *q,
                    const double *v, const double *a);

// Derivative by the place: of the point, with 1 along x; of the rotation vector (NULL: not asked).
void lim_rail_direction(double along[3], double turn[3], const lim_rail_span *span, double s, const double *q);

#endif
