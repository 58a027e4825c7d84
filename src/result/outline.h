// outline.h - the outline of a cross-section as polygons, for pictures. Inside src/result only.
#ifndef LIM_RESULT_OUTLINE_H
#define LIM_RESULT_OUTLINE_H

#include "beam/element.h"

enum { LIM_OUTLINE_POINTS = 32 };

// Corners (y, z) in section axes [m], counter-clockwise seen from +x. Circles have 32 corners.
typedef struct {
  int outer_count, inner_count; // 0: not known; not hollow
  double outer[LIM_OUTLINE_POINTS][2], inner[LIM_OUTLINE_POINTS][2];
} lim_outline;

// Of the section at s in 0..1 of an element. A general section is drawn as a rectangle of its outer size.
lim_outline lim_outline_of(const lim_element *e, double s);

bool lim_outline_equal(const lim_outline *a, const lim_outline *b);

#endif
