// utilisation.h - the largest von Mises stress of each link over the yield strength of its material, along a
// run.
#ifndef LIM_CHANNEL_UTILISATION_H
#define LIM_CHANNEL_UTILISATION_H

#include "base/json.h"
#include "channel/section_force.h"

typedef struct lim_utilisation lim_utilisation;

// Of links whose material has a yield strength, at both ends of their elements; *out is NULL where there is
// none.
lim_code lim_utilisation_new(lim_utilisation **out, const lim_arm *s, lim_error *err);
void lim_utilisation_free(lim_utilisation *x);

// The next time; a warning where a link first passes 1. Never allocates but for that.
void lim_utilisation_see(lim_utilisation *x, const lim_snapshot *m, lim_error *err);

// utilisation: {link: number}. x may be NULL: nothing.
void lim_utilisation_json(lim_json *j, const lim_utilisation *x);

#endif
