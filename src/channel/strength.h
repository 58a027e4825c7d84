// strength.h - the largest stress and strain of a section.
// Theory: docs/theory/section.md, docs/theory/beam.md (30).
#ifndef LIM_CHANNEL_STRENGTH_H
#define LIM_CHANNEL_STRENGTH_H

#include "beam/element.h"

typedef struct {
  double stress; // largest von Mises stress [Pa]
  double strain; // axial strain that is largest in size, with its sign
} lim_strength;  // NaN: not known

// The section made last, to be shared along a uniform beam.
typedef struct {
  const lim_critical_section *last;
  const lim_section *of; // the beam's; NULL: a tapered one
  double nu;
} lim_strength_sections;

// The section at s of an element, made ready. Memory from the arena; NULL: there is none.
const lim_critical_section *lim_strength_section(lim_strength_sections *made, lim_arena *arena,
                                                 const lim_element *e, double s);

// Of a section of an element with the section force f.
lim_strength lim_strength_of(const lim_element *e, const lim_critical_section *c, lim_section_force f);

// The larger of both numbers; one that is not known does not count.
lim_strength lim_strength_larger(lim_strength a, lim_strength b);

#endif
