// outline.h - the outline of a cross-section as polygons, for pictures. Inside src/scene only.
#ifndef LIM_SCENE_OUTLINE_H
#define LIM_SCENE_OUTLINE_H

#include "beam/element.h"

// Of the section at s in 0..1 of an element. A general section is drawn as a rectangle of its outer size.
lim_outline lim_outline_of(const lim_element *e, double s);

bool lim_outline_equal(const lim_outline *a, const lim_outline *b);

#endif
