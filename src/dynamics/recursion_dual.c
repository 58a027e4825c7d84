// recursion_dual.c - the residual of the recursion on dual numbers: it gives exact derivatives.
#include "dynamics/number/real_dual.h"
#include "dynamics/number/real_space.h"

#define NAME(x) lim_dual_##x
#define LIM_CONTACTS
#include "dynamics/recursion/readings.inc"

#include "dynamics/recursion/setup.inc"
