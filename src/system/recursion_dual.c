// recursion_dual.c - the recursion on dual numbers: it gives exact derivatives.
#include "system/recursion.h"

#include <stdlib.h>

#include "system/real_dual.h"

#include "system/real3.h" // needs the numbers above

#define NAME(x) lim_dual_##x
#include "system/recursion.inc"

#include "system/elimination.inc" // goes on where the first ends
