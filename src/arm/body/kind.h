// kind.h - kinds of bodies, one row each: what a link of the model becomes in the tree, and what others ask of
// it there. A new kind is one file with its row, and its name in kinds.def; if its inertia is not
// that of a floating frame (lim_body), a formulation too: a row of each table over LIM_FORMULATIONS in
// src/dynamics and in arm/section.c.
#ifndef LIM_ARM_BODY_KIND_H
#define LIM_ARM_BODY_KIND_H

#include "arm/kinematics.h"
#include "beam/load.h"
#include "fe/link.h"

// Parts of the strain energy of a beam; of others the whole.
enum { LIM_STRETCHING, LIM_BENDING_Y, LIM_BENDING_Z, LIM_TORSION, LIM_WHOLE, LIM_STRAIN_PARTS };

struct lim_body_kind {
  const char *name;
  lim_formulation formulation;
  bool split;          // a link may be several of them, one after the other
  bool inner;          // see lim_arm_body
  const char *varies;  // how its stiffness changes with its joint, after its link's name; NULL: it does not
  const char *no_code; // why no code is generated for it, likewise; NULL: it is

  bool (*is)(const lim_link *link); // such a link becomes one
  lim_code (*check)(const lim_model *m, const lim_link *link,
                    lim_error *err);                    // what it cannot have; NULL: nothing
  void (*range)(double range[2], const lim_link *link); // of its joint's coordinate; NULL: any
  // Coordinates of its deformation.
  lim_code (*count)(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err);

  // --- building ---
  // Body, mesh, shapes and line of m, whose link is set.
  lim_code (*build)(lim_arm *s, lim_arm_body *m, int segment, const bool keep[6], bool rigid, lim_error *err);
  lim_code (*complete)(lim_arm *s, int link, lim_error *err); // further bodies of the link; NULL: none
  // Its inertia anew for a link with other masses; NULL where these are not its own.
  lim_code (*loaded)(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                     lim_error *err);

  // --- motion and forces ---
  // The section at a place 0..1 of the body, and at a node of its line. Memory from the arena.
  lim_code (*section)(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, double place,
                      lim_error *err);
  lim_code (*node)(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, int node,
                   lim_error *err);
  void (*energies)(lim_energies *e, const lim_arm *s, int body, const lim_world_motion *m, const double *q,
                   const double *v);
  // Momentum, and that about the origin of its frame, in its axes: derivatives of the kinetic energy by the
  // frame's velocity and angular velocity.
  void (*momentum)(double p[3], double l[3], const lim_arm *s, int body, const lim_world_motion *m,
                   const double *q, const double *v);
  void (*stiffness)(double *K, size_t rows, const lim_arm_body *m, const double *q); // into a matrix so high
  double (*length)(const lim_arm_body *m, const double *q);                          // that bends [m]
  double (*unit)(const lim_arm_body *m); // largest displacement by 1 of a coordinate; 0: it has none

  // --- answers ---
  // Rates (6 by node, axes R) of the nodes of its line; motion: of all bodies; scratch (2 mesh.ndof)
  void (*node_rates)(double *out, const lim_arm *s, int body, const lim_world_motion *motion, const double *q,
                     const double *rate, const double R[9], double *scratch);
  // x'K x of a part of the strain energy by coordinates x (n) of the deformation at q; scratch (mesh.ndof)
  double (*part)(const lim_arm_body *m, int part, const double *x, const double *q, double *scratch);
  // Strains at a place by the coordinates, rows (6 x n), and the forces that they mean at q. NULL: the forces
  // follow from its elements and what acts on them.
  void (*strains)(double *rows, const lim_arm_body *m, double place);
  lim_section_force (*force)(const lim_arm_body *m, const double *rows, const double *q);
  // --- of a body without sections; NULL: it has some ---
  // Strain under a gauge by the coordinates, row (n), and the modulus there; NaN: not known.
  lim_code (*gauge)(double *row, double *E, const lim_arm *s, int body, const lim_gauge *g, lim_error *err);
  // Largest von Mises stress [Pa]; NaN: not known. Largest rotation of its frames [rad].
  double (*stress)(const lim_arm *s, int body, const double *q);
  double (*turn)(const lim_arm *s, int body, const double *q);
  // By how much geometric stiffening that is left out would change the square of its lowest frequency, at an
  // angular velocity [rad/s] and a force on its base, its axes [N]; 0: nothing is left out.
  double (*unstiffened)(const lim_arm *s, int body, double speed, const double F[3]);
  // The surface that is drawn, by its coordinates from m->e on, in its axes; NULL: sections along its line.
  const lim_fe_skin *(*skin)(const lim_arm *s, int body);
};

#define ROW(kind) extern const lim_body_kind lim_body_is_##kind;
#include "arm/body/kinds.def"
#undef ROW

// Of a link.
const lim_body_kind *lim_body_kind_of(const lim_link *link);

// How the stiffness or the mass of the arm changes with the joint of a link, beyond what rigid links do, after
// its name; NULL: it does not.
const char *lim_link_varies(const lim_model *m, int link);

// What the body of a link leaves to its joint's coordinate; infinite: all.
void lim_body_range(double range[2], const lim_link *link);

// A body of a link, as yet without anything.
lim_arm_body lim_arm_body_of(int link, const lim_body_kind *kind);

// A mesh and shapes without elements, and a line of so many nodes, where m has none of its own. Places of the
// nodes are the caller's.
lim_code lim_arm_body_bare(lim_arm_body *m, int nodes, lim_error *err);
void lim_arm_body_free(lim_arm_body *m);

// Coordinates for m, the next body of the tree: joint, motor, deformation.
void lim_arm_body_count(lim_arm *s, lim_arm_body *m, bool motor);

// --- shared by kinds in a floating frame ---

void lim_floating_energies(lim_energies *e, const lim_arm *s, int body, const lim_world_motion *m,
                           const double *q, const double *v);
void lim_floating_momentum(double p[3], double l[3], const lim_arm *s, int body, const lim_world_motion *m,
                           const double *q, const double *v);
void lim_floating_stiffness(double *K, size_t rows, const lim_arm_body *m, const double *q);
double lim_floating_length(const lim_arm_body *m, const double *q);
double lim_floating_unit(const lim_arm_body *m);
double lim_floating_part(const lim_arm_body *m, int part, const double *x, const double *q, double *scratch);

// What the row of such a body says of all that its lim_body answers.
#define LIM_FLOATING_FRAME_ANSWERS                                                                             \
  .formulation = LIM_FLOATING_FRAME, .energies = lim_floating_energies, .momentum = lim_floating_momentum,     \
  .stiffness = lim_floating_stiffness, .length = lim_floating_length, .part = lim_floating_part

// Of a sliding beam.
void lim_sliding_energies(lim_energies *e, const lim_arm *s, int body, const lim_world_motion *m,
                          const double *q, const double *v);
void lim_sliding_momentum(double p[3], double l[3], const lim_arm *s, int body, const lim_world_motion *m,
                          const double *q, const double *v);

// Motion of a place X of a body that also moves by d (ux uy uz tx ty tz) in it, in the axes R.
void lim_body_place_rate(double out[6], const lim_world_motion *body, const double X[3], const double d[6],
                         const double R[9]);

#endif
