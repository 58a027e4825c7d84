// chains.h - texts of models of any size, for costs against size.
#ifndef LIM_BENCH_CHAINS_H
#define LIM_BENCH_CHAINS_H

#include <stdbool.h>

// Bars under gravity, each on a hinge at the tip of the one before: about z, or in space about y and z in turn.
// basis: "type: full", ... To be freed.
char *bench_chain(bool planar, int links, int elements, const char *basis);

// Four-bar linkages in the plane, each on the coupler of the one below: a loop for three links. To be freed.
char *bench_ladder(int loops, const char *basis);

#endif
