// section.h - what the shape of a cross-section gives: areas, inertias, shear factors, stresses.
// Theory: docs/theory/section.md.
#ifndef LIM_BEAM_SECTION_H
#define LIM_BEAM_SECTION_H

#include "base/arena.h"
#include "model/kinds.h"

// Constants of a section. Iz resists bending in the local x-y plane.
typedef struct {
  double A;                // [m^2]
  double Iy, Iz;           // second moments about local y and z [m^4]
  double J;                // torsion constant [m^4]
  double kappa_y, kappa_z; // shear factors for forces along y and z (Cowper)
  double y, z;             // outer size along y and z [m]; 0 where unknown
} lim_section_data;

// Corners (y, z) in section axes [m], counter-clockwise seen from +x. Circles have as many as there can be.
enum { LIM_OUTLINE_POINTS = 32 };
typedef struct {
  int outer_count, inner_count; // 0: not known; not hollow
  double outer[LIM_OUTLINE_POINTS][2], inner[LIM_OUTLINE_POINTS][2];
} lim_outline;

lim_outline lim_section_outline(const lim_section *s);

// Whether its outer size holds in every direction.
bool lim_section_is_round(const lim_section *s);

// Forces in a section, on the face whose normal is +x [N, N m]:
//   N = E A u',  T = G J theta_x',  My = E Iy theta_y',  Mz = E Iz theta_z'  (so Mz' = -Vy, My' = Vz).
typedef struct {
  double N, Vy, Vz, T, My, Mz;
} lim_section_force;

// Stresses on that face [Pa].
typedef struct {
  double xx, xy, xz;
} lim_stress;

// The section `fraction` of the way from a to b (same shape; a == b: uniform). nu is Poisson's ratio.
lim_section_data lim_section_between(const lim_section *a, const lim_section *b, double fraction, double nu);

// Stress at the point (y, z) of the section; finite everywhere, also beside the material. (S15)-(S27)
lim_stress lim_section_stress(const lim_section *a, const lim_section *b, double fraction, double nu,
                              lim_section_force f, double y, double z);

double lim_stress_mises(lim_stress s);

// Largest von Mises stress over the section's critical points. NaN where the outer size is unknown
// (a general section without y and z).
double lim_section_mises(const lim_section *a, const lim_section *b, double fraction, double nu,
                         lim_section_force f);

// A section made ready for many forces: where its critical points do not depend on them, the shear stresses
// there that each unit force gives.
typedef struct lim_critical_point lim_critical_point;
typedef struct {
  lim_section section;
  lim_section_data data;
  int count; // of such points; 0: they follow the forces
  lim_critical_point *point;
} lim_critical_section;

// Memory from the arena; false where there is none. Then the same as lim_section_mises, without it.
bool lim_critical_section_start(lim_critical_section *c, lim_arena *arena, const lim_section *a,
                                const lim_section *b, double fraction, double nu);
double lim_critical_section_mises(const lim_critical_section *c, lim_section_force f);

#endif
