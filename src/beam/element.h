// element.h - spatial beam elements: a kind of element is its shape functions of one plane of bending, a file
// and a row of elements.def; all else is common. Theory: docs/theory/beam.md.
//
// Two nodes with the coordinates ux uy uz tx ty tz each (displacements [m], small rotations [rad]), link axes,
// the beam along +x. Bending in x-y is (uy, tz), in x-z (uz, -ty). 12 x 12 matrices are symmetric; 6 x 12
// matrices are stored by rows.
#ifndef LIM_BEAM_ELEMENT_H
#define LIM_BEAM_ELEMENT_H

#include "beam/section.h"

enum { LIM_ELEMENT_DOF = 12 };

// Rows on (v1, theta1, v2, theta2) of one plane of bending, at one place.
typedef struct {
  double v[4], dv[4];         // deflection and its slope dv/dx
  double theta[4], dtheta[4]; // rotation of the section and its derivative
} lim_bending;

// Shape functions at s = x/L. phi = 12 EI/(kappa A G L^2) is the shear number.
typedef lim_bending lim_bending_fn(double s, double L, double phi);

// Every product of shape functions and of the constants of a linearly tapered shape is of degree 9 at most.
enum { LIM_ELEMENT_POINTS = 5 };

typedef struct {
  lim_kind_row row;
  lim_bending_fn *shape;
  int shear_points;    // Gauss points of the shear energy; 0: no shear
  bool by_flexibility; // stiffness from the flexibility of the beam itself: exact at the nodes, also where it
                       // tapers
} lim_element_kind;

#define ROW(kind) extern const lim_element_kind lim_element_##kind;
#include "beam/elements.def"
#undef ROW

const lim_element_kind *lim_element_kind_of(int type);

// Whether sections of an element turn against its axis.
static inline bool lim_element_sheared(int type) { return lim_element_kind_of(type)->shear_points > 0; }

lim_bending_fn lim_bending_cubic; // what it and euler-bernoulli share

// One element: a stretch of a piece of a beam. Its section runs from fraction f0 to f1 of the way between the
// two sections.
typedef struct {
  int type;             // row of the table of elements
  double x, L;          // start and length [m]
  double E, G, nu, rho; // [Pa] [Pa] [-] [kg/m^3]
  const lim_section *from, *to;
  double f0, f1;
  bool lumped;         // half of its mass at each node
  bool without_rotary; // no rotary inertia of sections in bending
  double phi[2];       // shear numbers in x-y and x-z, of the middle section
} lim_element;

// Fill in phi once everything else is set.
void lim_element_prepare(lim_element *e);

// The section at s in 0..1.
lim_section_data lim_element_section(const lim_element *e, double s);

// (ux uy uz tx ty tz) at s = N u
void lim_element_interpolation(double N[72], const lim_element *e, double s);

// Strains of the axis at s = B u, in the order of their section forces N Vy Vz T My Mz:
// ux', uy' - tz, uz' + ty, tx', ty', tz'.
void lim_element_strain(double B[72], const lim_element *e, double s);

void lim_element_stiffness(double K[144], const lim_element *e);
void lim_element_mass(double M[144],
                      const lim_element *e); // consistent or lumped, with or without rotary inertia

// Mass and inertia per length on (ux uy uz tx ty tz): of the section at s; of the whole element in the mean.
void lim_element_inertia(double m[6], const lim_element *e, double s);
void lim_element_mean_inertia(double m[6], const lim_element *e);

// Geometric stiffness of the axial force (tension positive) whose values at s = 0, 1/2, 1 are N[3]; quadratic
// in between.
void lim_element_geometric(double K[144], const lim_element *e, const double N[3]);

// What bending shortens the axis by between 0 and s is u'K u/2: K = integral of the squared slopes.
void lim_element_shortening(double K[144], const lim_element *e, double s);

// Consistent nodal forces p (12) of a constant force per length q [N/m], and the resultant of the body force
// of the nodal acceleration field a (12) on 0..s: force and moment [N, N m] about the section at s.
void lim_element_load(double p[12], const lim_element *e, const double q[3]);
void lim_element_body_force(double resultant[6], const lim_element *e, const double a[12], double s);

#endif
