// recursion_plane.c - the recursion on doubles in a plane: it simulates arms that never leave it.
#include "dynamics/number/real_double.h"
#include "dynamics/number/real_plane.h"
#include "dynamics/recursion_instances.h"

#define NAME(x) lim_plane_##x
#include "dynamics/recursion/factor.inc"

#include "dynamics/recursion/readings.inc"

#include "dynamics/recursion/energies_plane.inc"

#include "dynamics/recursion/setup.inc" // last: it knows what is there
