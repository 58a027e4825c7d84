// link.h - a link from finite elements, reduced: its coordinates eta are the combinations of the motions of its
// frames and of modes with all frames held that make stiffness and mass diagonal, with base held. All in the
// axes of base. Constant, and the model's. Theory: docs/theory/finite-elements.md.
#ifndef LIM_FE_LINK_H
#define LIM_FE_LINK_H

#include "body/body.h"
#include "fe/surface/surface.h"

// A place that joints, masses, forces and channels can mean.
typedef struct {
  const char *name;
  double X[3], R[9]; // without deformation; axes by rows
  double *N;         // ux uy uz tx ty tz by the coordinates                       (6 x n by rows)
  double *G[3];      // along x y z it moves by -eta'G eta/2; NULL: not known      (n x n)
  bool frame;        // one of its frames; else a set of nodes
  bool turns;        // rotations of a set follow from its nodes
  double left[3];    // of a set: compliance under forces along x y z that the reduction leaves out [m/N]
} lim_fe_place;

// What was found about the files, in their own axes.
enum { LIM_FE_FREQUENCIES = 10 };
typedef struct {
  double mass, com[3], inertia[6]; // about com: xx yy zz xy xz yz
  int dofs, nodes;                 // of the mesh; 0: there was none
  int nfree, nclamped;
  double free_hz[LIM_FE_FREQUENCIES];    // without the six that are 0; frames that are rigid stay so
  double clamped_hz[LIM_FE_FREQUENCIES]; // base held
  double reduced_hz[LIM_FE_FREQUENCIES]; // the same of the reduced link
  double rigid_energy[6];                // x'K x/x'diag(K) x of the six rigid motions: displacements, rotations
  double kept_hz;     // highest frequency of the modes that are kept, all frames held; NaN: none is
  double left_out_hz; // lowest frequency of the modes that are left out; NaN: none is
  double
      modal_mass[3]; // share of the mass that the kept modes carry, with all frames held; NaN: there are none
  double noise;      // energy of rigid motions over their inertia, the largest: what is uncertain of squares of
                     // frequencies [rad^2/s^2]
  double box[3], size; // of the box around it, file axes, and its diagonal [m]
} lim_fe_facts;

// The surface as it is drawn.
typedef struct {
  int nvertex, ntriangle, nedge;
  int *id;              // of the nodes                        (nvertex)
  float *X;             // (3 nvertex)
  int *triangle, *edge; // (3 ntriangle), (2 nedge)
  float *shape;         // displacement by each coordinate     (n x 3 nvertex)
  float *stress;        // xx yy zz xy xz yz, likewise [Pa]; NULL: not known   (n x 6 nvertex)
  float *strain;        // the same of strains; NULL: not known
} lim_fe_skin;

// Strains in the middle of elements, of shells on both sides.
typedef struct {
  int count;
  int *id;       // of the elements, ascending                              (count)
  double *E;     // modulus; NaN: not known                                 (count)
  float *strain; // two sides, xx yy zz xy xz yz, by each coordinate        (count x 12 x n)
} lim_fe_strains;

typedef struct lim_fe_link {
  int n, modes; // coordinates; those of them that are modes with all frames held
  int nplace;
  lim_fe_place *place;                // 0: base, 1: tip                                              (nplace)
  double mass, moment[3], inertia[6]; // as in lim_body
  double *first, *second;             // (3 x n by rows)
  double *inertia1;                   // (6 x n by rows)
  double *S[3][3];                    // sum w N_k'N_l                                 (n x n by rows)
  double *M, *K;                      // (n x n)
  double *spin[6]; // geometric stiffness by products of angular velocities xx yy zz xy xz yz; NULL: not known
  lim_fe_facts facts;
  lim_fe_skin skin;
  lim_fe_strains strains;
  const char *digest; // of its sources
} lim_fe_link;

// Place of a number that a location has; one that is not there is the base.
const lim_fe_place *lim_fe_link_at(const lim_fe_link *link, double place);

// The body of a link with its masses; rigid: without coordinates.
lim_code lim_fe_body(lim_body **out, const lim_link *link, bool rigid, bool stiffening, lim_error *err);

// Where geometric stiffening changes the square of its lowest frequency (base held) by 1 %, as it would of a
// beam of this mass, size and frequency: angular velocity [rad/s], force along it [N]. And the change at
// others.   (14)
double lim_fe_stiffening_speed(const lim_fe_link *link);
double lim_fe_stiffening_load(const lim_fe_link *link);

// Largest von Mises stress on the surface at eta [Pa]; NaN: not known. vertex: where; may be NULL.
double lim_fe_link_stress(const lim_fe_link *link, const double *eta, int *vertex);

// Strain of a gauge by the coordinates, row (n), and the modulus there (NaN: not known).
lim_code lim_fe_gauge(double *row, double *E, const lim_model *m, const lim_link *link, const lim_gauge *g,
                      lim_error *err);

#endif
