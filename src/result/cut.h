// cut.h - forces in a section of a flexible link in motion. Inside src/result only.
// Theory: docs/theory/beam.md (26)-(30) with gravity minus acceleration as body force.
#ifndef LIM_RESULT_CUT_H
#define LIM_RESULT_CUT_H

#include "analysis/simulate.h"
#include "beam/load.h"

typedef struct {
  int body;
  int n;                    // coordinates of its body; 0: rigid
  lim_mesh element;         // the one element it lies in, as a mesh that owns nothing
  double s;                 // place in that element
  double *U;                // nodal coordinates of the element = U eta                 (12 x n by rows)
  lim_site node[2];         // the element's nodes
  double *G;                // shortening of the element, full basis with stiffening; else NULL   (12 x 12)
  const lim_sliding *slide; // of a beam that slides; NULL: it does not
  double *strains;          // its rows                                            (6 x n)
  bool moves[6];            // kinds of nodal coordinates (ux uy uz tx ty tz) that the basis has
} lim_cut;

// At a fraction of a link with a beam. Memory from the arena.
lim_code lim_cut_start(lim_cut *c, lim_arena *arena, const lim_system *s, int link, double fraction,
                       lim_error *err);

// The same at a place of an element of a body with a mesh: at a node, each of its two elements has its own
// section.
lim_code lim_cut_start_in(lim_cut *c, lim_arena *arena, const lim_system *s, int body, lim_point at,
                          lim_error *err);

// The force on the face whose normal is +x, section axes. NaN in a rigid link. Never allocates.
lim_section_force lim_cut_force(const lim_cut *c, const lim_moment *m);

// Axial strain at the middle of a face; 0 in a rigid link, NaN where the section's outline is not known.
double lim_cut_strain(const lim_cut *c, const lim_moment *m, lim_face face);

#endif
