// clean.h - a system without what rounding left in its constants: entries beside which others are 1e12 times as
// large, and factors that differ from 1 by less.
#ifndef LIM_EXPORT_SYMBOLIC_CLEAN_H
#define LIM_EXPORT_SYMBOLIC_CLEAN_H

#include "arm/loop.h"
#include "arm/tree.h"

// A copy with tidy constants; it shares the rest with s, which must outlive it. Memory from the arena; NULL:
// out of memory.
lim_arm *lim_clean(lim_arena *arena, const lim_arm *s);

// A site with tidy constants.
lim_site lim_clean_site(lim_arena *arena, lim_site site);

#endif
