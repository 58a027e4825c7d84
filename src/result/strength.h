// strength.h - the largest stress and strain of a section. Inside src/result only.
// Theory: docs/theory/section.md, docs/theory/beam.md (30).
#ifndef LIM_RESULT_STRENGTH_H
#define LIM_RESULT_STRENGTH_H

#include "beam/element.h"

typedef struct {
  double stress; // largest von Mises stress [Pa]
  double strain; // axial strain that is largest in size, with its sign
} lim_strength;  // NaN: not known

// At s of an element with the section force f.
lim_strength lim_strength_of(const lim_element *e, double s, lim_section_force f);

// The larger of both numbers; one that is not known does not count.
lim_strength lim_strength_larger(lim_strength a, lim_strength b);

#endif
