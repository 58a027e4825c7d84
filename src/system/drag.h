// drag.h - strain-rate damping: a force per length across a link, in proportion to the rate of its curvature.
// Theory: docs/theory/dynamics.md. Inside src/system.
#ifndef LIM_SYSTEM_DRAG_H
#define LIM_SYSTEM_DRAG_H

#include "system/system.h"

// Give the bodies of a link their drag; strength [N s].
lim_code lim_drag_build(lim_system *s, int link, double strength, lim_error *err);

#endif
