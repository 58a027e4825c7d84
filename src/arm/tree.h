// tree.h - bodies in a tree of joints. Constant once built, shareable between threads; all that changes is in
// workspaces and in the arm of a run (lim_arm_enter). Theory: docs/theory/dynamics.md.
//
// Coordinates: for every body in turn, its joint's (if it has one), its motor's (behind an elastic gear), then
// those of its deformation. Velocities are their time derivatives.
#ifndef LIM_ARM_TREE_H
#define LIM_ARM_TREE_H

#include "base/suggest.h"
#include "body/body.h"
#include "model/joint.h"

// A place on a body: a section, and an offset and axes that turn with it.
typedef struct {
  int body; // -1: the world
  lim_section_motion section;
  double c[3];  // from the section, in its axes [m]
  double Rc[9]; // axes against the section's, by rows
} lim_site;

// Forces in proportion to the rates of a body's deformation: Q eta' on the deformation, F eta' on its frame.
typedef struct {
  lim_sparse Q;
  double *F; // force, then moment about the origin, body axes   (6 x n by rows)
} lim_strain_damper;

typedef struct lim_body_kind lim_body_kind; // body/kind.h
typedef struct lim_rail lim_rail;           // rail.h

typedef struct {
  const lim_body_kind *kind;
  lim_formulation formulation; // the kind's
  lim_site on;                 // where it hangs: the joint's frame
  lim_screw screw;             // of its joint; all 0: it has none
  lim_screw moves;             // of its frame by its joint; all 0: it has none, or an inner one
  bool inner;      // the joint's coordinate is one of the body itself: it moves its material, not its frame
  double range[2]; // that the body leaves to its joint's coordinate; infinite: all
  int q;           // coordinate of its joint; -1: none
  int m;           // coordinate of its motor in units of the joint, where an elastic gear parts them; -1: none
  int rotor;       // of its motor; -1: none
  int e;           // first coordinate of its deformation
  int link;        // of the model
  lim_body *body;
  lim_mesh *mesh;                   // finite elements whose nodes its deformation moves; without any: none
  lim_basis_matrix *shapes;         // of these nodes
  lim_mesh *line;                   // its centre line as it is drawn, and sections along it: a beam's mesh
  double start;                     // where its line starts on the link [m]
  double damping;                   // factor of K in its damping [s]
  lim_strain_damper *strain_damper; // strain-rate damping; NULL: none
  bool damps_itself;                // beside what dampers do
  lim_sliding *slide;               // of a sliding beam alone
  int nspan;                        // of a joint on a rail that bends: where it hangs on each of its spans,
  const lim_site *spans;            // in order (rail.h); `on` is that on the last   (nspan)
} lim_arm_body;

// The rotor of a motor turns about an axis of its carrier, by ratio times a coordinate.
typedef struct {
  int body;       // whose joint it drives
  lim_site on;    // its carrier; body -1: the world
  double axis[3]; // in the axes of the carrier's section
  double inertia; // about that axis [kg m^2]
  double ratio;   // its rotation per unit of the coordinate
  int x;          // coordinate: the motor's where there is one, else the joint's
  bool complete;  // false: of its kinetics only ratio^2 inertia on the coordinate
  bool here;      // the carrier is the section on which the joint hangs
} lim_rotor;

// A force and moment on a site. In world axes, or in those of its section, which it then follows.
typedef struct {
  lim_site site;
  bool follows;
  double force[3], moment[3];
} lim_wrench;

// Damping forces D v on a range of coordinates.
typedef struct {
  int first;
  lim_sparse D;
} lim_damper;

// A point of a beam on which the air acts, its section's axes: y and z across.
typedef struct {
  lim_site site;
  double k;    // density x drag/2 x the length it stands for [kg/m]
  double y, z; // outer size of the section [m]
  bool round;  // the same across any direction
} lim_air_point;

// A named place that analyses and channels speak of.
typedef struct {
  const char *name;
  lim_site site;
  bool hidden; // of a link that was put in between freedoms of a joint: users do not know it
} lim_named_site;

typedef struct lim_closure lim_closure; // loop.h
typedef struct lim_loop_row lim_loop_row;
typedef struct lim_joint_coupling lim_joint_coupling; // coupling.h

typedef struct {
  lim_arena arena;             // owns everything below
  const lim_model *model;      // the masses of motors among those of the links
  int nbody, n;                // bodies, coordinates
  lim_arm_body *bodies;        // parents before children   (nbody)
  int *first_body, *last_body; // of each link: more than one where it is split into segments (links.count)
  int *parent;                 // body                      (nbody)
  double gravity[3];
  int nball;
  struct lim_ball *ball; // free and spherical joints (ball.h)   (nball)
  int nrail;
  const lim_rail **rail; // beams that bend and carry joints or frames of loops along them (rail.h)   (nrail)
  int nrotor;
  lim_rotor *rotor; // (nrotor)
  int nloop, nrow;
  lim_closure *loop; // closed chains                        (nloop)
  lim_loop_row *row; // of all loops, one after the other, then of couplings    (nrow)
  int ncoupling;
  lim_joint_coupling *coupling; // of joints                                     (ncoupling)
  bool *passive;                // coordinates of joints that follow from the others by loops or couplings   (n)
  bool *moved;                  // bodies whose joints lines of frames move; NULL: there are no lines   (nbody)
  double *start;                // configuration and its speeds where loops or lines adjust it          (2 n)
  int ndamper;
  lim_damper *damper;           // (ndamper)
  int arm_damper;               // which of them is that of the whole arm; -1: none
  double *damped_at;            // coordinates at which it was built; NULL: there is none   (n)
  const lim_body **damped_with; // and bodies                                      (nbody)
  int nair;
  lim_air_point *air; // (nair)
  int nsite;
  lim_named_site *site; // tip, then link.base and link.tip of every link, then named frames   (nsite)
  int tool;             // which of them the model calls its tool
} lim_arm;

// Bodies, rotors, sites and rows of loops of a model: what lim_arm_new begins with. The model must outlive it.
lim_code lim_arm_build(lim_arm **out, const lim_model *model, bool rigid, lim_error *err);
void lim_arm_free(lim_arm *s);

// The arm of one run: what a run changes is its own (the bodies with the parts that they hold, the orientations
// of ball joints, the damper of the whole arm, memory for places that are asked for later), all else is that of
// s. s stays as it is, must outlive it, and may have several of them at once, in several threads. End with
// lim_arm_leave.
lim_code lim_arm_enter(lim_arm **out, const lim_arm *s, lim_error *err);
void lim_arm_leave(lim_arm *own);

// Coordinates of the configuration at t = 0: joints as configured, links undeformed; and their speeds. (n)
void lim_arm_start(double *q, double *v, const lim_arm *s);

// The coordinate in another arm of the same model, as the rigid one, of the joint by which a body moves here.
static inline int lim_arm_same_freedom(const lim_arm *other, const lim_arm *s, int body) {
  return other->bodies[other->first_body[s->bodies[body].link]].q;
}

// A frame by its name; NULL: there is none, and lim_arm_sites says what there is.
const lim_named_site *lim_arm_find_site(const lim_arm *s, const char *name);
lim_choice lim_arm_sites(const lim_arm *s, const char *name);

// Whether the joint of a link is told where to be: it has a motion, or a line of a frame moves it.
bool lim_arm_commands(const lim_arm *s, int link);

// Whether links have only what bodies of their kind can have.
lim_code lim_arm_check_links(const lim_model *m, lim_error *err);

// The body of a link that holds the location at a fraction of its length: one at a seam of segments belongs to
// the one before it. local: the fraction of that body.
int lim_arm_segment(double *local, const lim_arm *s, int link, double fraction);

// A place of the model as a site. LIM_AT_FRAME: index into model.frames.
lim_code lim_arm_site(lim_site *out, lim_arm *s, int link, lim_location_kind kind, double fraction, int frame,
                      lim_error *err);

#endif
