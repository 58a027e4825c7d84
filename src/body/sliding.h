// sliding.h - a beam that slides through a guide: what of it does not change with the free length. Theory:
// docs/theory/sliding.md.
//
// The free length is divided into equal elements; a place is s in 0..1 of it, 1 at the tip, and nodes keep
// their s while material passes them. Fields u v w t (displacements in x, y, z, twist) are cubic in each
// element and have a continuous derivative by s: each node has a value and a derivative of each field. The beam
// is uniform. With shear there are the fields b c too, of which db/ds and dc/ds are the slopes that sections
// turn by: what dv/ds and dw/ds are without it.
#ifndef LIM_BODY_SLIDING_H
#define LIM_BODY_SLIDING_H

#include "beam/section.h"

enum {
  LIM_FIELDS = 6,
  LIM_NODE = 2 * LIM_FIELDS,
  LIM_SLIDING_POINTS = 4
}; // u v w t b c; nodal coordinates; per element

// Shape functions of a field on (value, derivative) of both nodes at a place, and their derivatives by s.
typedef struct {
  double N[4], d1[4], d2[4], d3[4];
} lim_cubic;

typedef struct {
  lim_arena arena;      // owns everything below
  double length;        // of the whole beam [m]
  double edge;          // free lengths below it bend as half of it, at least [m]
  double mass, polar;   // per length [kg/m], [kg m]
  double rotary[3];     // of the whole beam about its axes [kg m^2]
  double rigidity[4];   // EA, GJ, EIz, EIy
  bool sheared;         // by shear, with the rotary inertia of bending: full basis only
  double shear[2];      // kappa G A across y and z
  double turning[2];    // rho Iz, rho Iy: of sections that turn as they bend [kg m]
  bool flexible;        // behind the guide: a spring in stretch and twist
  bool shortens;        // bending draws the tip back (stiffening)
  int nelement, ndof;   // ndof = LIM_NODE (nelement + 1)
  int n;                // coordinates
  double *Phi;          // nodal coordinates by columns                                  (ndof x n)
  int *index;           // full basis: coordinate j is the nodal one index[j]; else NULL   (n)
  bool has[LIM_FIELDS]; // which fields move
  int nbend, *bend;     // coordinates that may bend                                      (nbend)
  int *bend_of;         // full basis: which of them a nodal coordinate is, or -1         (ndof)
  int *reach;           // so many of them bend what is before each node                  (nelement + 1)
  int width;            // stiffness and shortening couple coordinates so far apart: n - 1 unless full
  double *M;            // mass at the whole length                                       (n x n)
  double *K1, *K3;      // stiffness: K1 / l of stretch, twist and shear, K3 / l^3 of bending   (n x n)
  double *R;            // inertia of sections that turn, times l                         (n x n)
  double *Kb;           // of what is behind the guide, over its length                   (n x n)
  double *D0, *D1;      // damping: D0, D1 length / l; NULL: none                         (n x n)
  double *G;            // shortening of the whole axis is eta'G eta/(2 l)                (n x n)
  double *tip;          // u v w t, and -dw/ds, dv/ds at the tip                          (6 x n by rows)
  double Ge[16];        // of one element and field: integral of squared derivatives
  double Me[16];        // of squares
  lim_cubic at[LIM_SLIDING_POINTS]; // Gauss points of every element
  double s[LIM_SLIDING_POINTS],
      w[LIM_SLIDING_POINTS]; // places in an element, weights: parts of the free length
} lim_sliding;

// keep: which of ux uy uz tx ty tz exist. rigid: no deformation.
lim_code lim_sliding_new(lim_sliding **out, const lim_model *model, int link, const bool keep[6], bool rigid,
                         lim_error *err);
void lim_sliding_free(lim_sliding *s);

// Length of the part that bends, and its two derivatives by the free length.
void lim_sliding_length(double out[3], const lim_sliding *s, double free);

// Rows (6 x n) on the coordinates at a place: u v w t, and slopes of sections, of w with the opposite sign; of
// the place's derivatives: stretch du/ds, twist dt/ds, curvatures, and their derivatives, or shear dv/ds -
// db/ds and dw/ds - dc/ds.
void lim_sliding_rows(double *rows, const lim_sliding *s, double place);
void lim_sliding_strains(double *rows, const lim_sliding *s, double place);

// Forces in the section at a place whose strain rows are given, at a free length. eta (n)
lim_section_force lim_sliding_force(const lim_sliding *s, const double *strains, const double *eta,
                                    double free);

// K at a free length, into a matrix with so many rows.
void lim_sliding_stiffness(double *K, size_t rows, const lim_sliding *s, double free);

// The shortening up to a place: eta'G eta/(2 l). G (n x n)
void lim_sliding_shortening(double *G, const lim_sliding *s, double place);

#endif
