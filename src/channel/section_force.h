// section_force.h - forces in a section of a flexible link in motion.
// Theory: docs/theory/beam.md (26)-(30) with gravity minus acceleration as body force.
#ifndef LIM_CHANNEL_SECTION_FORCE_H
#define LIM_CHANNEL_SECTION_FORCE_H

#include "analysis/simulation/simulate.h"
#include "beam/load.h"

typedef struct {
  int body;
  int n;            // coordinates of its body; 0: rigid
  lim_mesh element; // the one element it lies in, as a mesh that owns nothing
  double s;         // location in that element, 0..1
  double *U;        // nodal coordinates of the element = U eta                 (12 x n by rows)
  int first_node;   // of the element
  lim_site node[2]; // the element's nodes
  double *G;        // shortening of the element, full basis with stiffening; else NULL   (12 x 12)
  double *strains;  // rows of a body that knows its forces by them; else NULL   (6 x n)
  double *gauge;    // strain by the coordinates of a body without sections; else NULL   (n)
  double E;         // modulus there
  bool moves[6];    // kinds of nodal coordinates (ux uy uz tx ty tz) that the basis has
} lim_section_cut;

// At a fraction of a link with a beam. Memory from the arena.
lim_code lim_section_cut_start(lim_section_cut *c, lim_arena *arena, const lim_arm *s, int link,
                               double fraction, lim_error *err);

// Under a gauge of a link.
lim_code lim_section_cut_start_gauge(lim_section_cut *c, lim_arena *arena, const lim_arm *s, int link,
                                     const lim_gauge *g, lim_error *err);

// The same at a location of an element of a body with a mesh: at a node, each of its two elements has its own
// section.
lim_code lim_section_cut_start_in(lim_section_cut *c, lim_arena *arena, const lim_arm *s, int body,
                                  lim_point at, lim_error *err);

// The force on the face whose normal is +x, section axes. NaN in a rigid link. Never allocates.
lim_section_force lim_section_cut_force(const lim_section_cut *c, const lim_snapshot *m);

// Axial strain at the middle of a face under such a force; 0 in a rigid link, NaN where the section's outline
// is not known.
double lim_section_cut_strain_under(const lim_section_cut *c, lim_section_force f, lim_face face);
double lim_section_cut_strain(const lim_section_cut *c, const lim_snapshot *m, lim_face face);
double lim_section_cut_modulus(const lim_section_cut *c); // there; NaN: not known

// The same of a flexible link that does not slide, by the coordinates of its element, and gravity minus
// acceleration at its nodes: linear in both. u, field (12)
double lim_section_cut_strain_by(const lim_section_cut *c, const double *u, const double *field, lim_face face);

#endif
