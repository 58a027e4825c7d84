// system.h - bodies in a tree of joints. Constant once built, shareable between threads; all that changes is in
// workspaces. Theory: docs/theory/dynamics.md.
//
// Coordinates: for every body in turn, its joint's (if it has one), its motor's (behind an elastic gear), then
// those of its deformation. Velocities are their time derivatives.
#ifndef LIM_SYSTEM_SYSTEM_H
#define LIM_SYSTEM_SYSTEM_H

#include "body/body.h"

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
} lim_drag;

typedef struct {
  lim_site on; // where it hangs: the joint's frame
  int type;    // lim_joint_type
  double axis[3];
  int q;     // coordinate of its joint; -1: none
  int m;     // coordinate of its motor in units of the joint, where an elastic gear parts them; -1: none
  int rotor; // of its motor; -1: none
  int e;     // first coordinate of its deformation
  int link;  // of the model
  lim_body *body;
  lim_mesh *mesh;     // NULL: rigid
  lim_shapes *shapes; // NULL: rigid
  double start;       // where its mesh starts on the link [m]
  double damping;     // factor of K in its damping [s]
  lim_drag *drag;     // strain-rate damping; NULL: none
  lim_sliding *slide; // its beam slides through the joint, which then does not move the body; NULL: it does not
} lim_member;

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

// A named place that analyses and channels speak of.
typedef struct {
  const char *name;
  lim_site site;
} lim_named_site;

typedef struct lim_closure lim_closure; // loop.h
typedef struct lim_loop_row lim_loop_row;

typedef struct {
  lim_arena arena;             // owns everything below
  const lim_model *model;      // the masses of motors among those of the links
  int nbody, n;                // bodies, coordinates
  lim_member *member;          // parents before children   (nbody)
  int *first_body, *last_body; // of each link: more than one where it is split into segments (links.count)
  int *parent;                 // body                      (nbody)
  double gravity[3];
  int nrotor;
  lim_rotor *rotor; // (nrotor)
  int nloop, nrow;
  lim_closure *loop; // closed chains                        (nloop)
  lim_loop_row *row; // of all loops, one after the other    (nrow)
  bool *passive;     // coordinates of joints that follow from the others by loops   (n)
  bool *moved;       // bodies whose joints lines of frames move; NULL: there are no lines   (nbody)
  double *start;     // configuration and its speeds where loops or lines adjust it          (2 n)
  int ndamper;
  lim_damper *damper; // (ndamper)
  int nsite;
  lim_named_site *site; // tip, then link.base and link.tip of every link, then named frames   (nsite)
} lim_system;

// Build. `rigid` leaves out every deformation, of links and of gears. The model must outlive the system.
lim_code lim_system_new(lim_system **out, const lim_model *model, bool rigid, lim_error *err);

// The same with free joints, which lim_system_new refuses: each is a chain of massless bodies before the link's
// own, with one freedom per body, all 0 in the configuration. `first_body` of the link is the last of the
// chain.
lim_code lim_system_new_floating(lim_system **out, const lim_model *model, bool rigid, lim_error *err);
void lim_system_free(lim_system *s);

// Coordinates of the configuration at t = 0: joints as configured, links undeformed; and their speeds. (n)
void lim_system_start(double *q, double *v, const lim_system *s);

// Whether the joint of a link is told where to be: it has a motion, or a line of a frame moves it.
bool lim_system_commands(const lim_system *s, int link);

// Whether beams that slide have only what such beams can have.
lim_code lim_system_check_slides(const lim_model *m, lim_error *err);

// The section at a place 0..1 of the free length of a beam that slides, body being its own. Memory from the
// arena.
lim_code lim_system_sliding(lim_section_motion *out, lim_arena *arena, const lim_system *s, int body,
                            double place, lim_error *err);

// A place of the model as a site. LIM_AT_FRAME: index into model.frames.
lim_code lim_system_site(lim_site *out, lim_system *s, int link, lim_place_kind kind, double fraction,
                         int frame, lim_error *err);

#endif
