// tidy.h - a system without what rounding left in its constants: entries beside which others are 1e12 times as
// large, and factors that differ from 1 by less.
#ifndef LIM_EXPORT_TIDY_H
#define LIM_EXPORT_TIDY_H

#include "system/loop.h"
#include "system/system.h"

// A copy with tidy constants; it shares the rest with s, which must outlive it. Memory from the arena; NULL:
// out of memory.
lim_system *lim_tidy(lim_arena *arena, const lim_system *s);

// A site with tidy constants.
lim_site lim_tidy_site(lim_arena *arena, lim_site site);

#endif
