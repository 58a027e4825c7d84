// recursion_graph.c - the recursion on expressions: it writes itself down.
#include "export/symbolic/recursion_graph.h"

#include <math.h>
#include <stdlib.h>

#include "export/symbolic/real_graph.h"

#include "dynamics/number/real_space.h"

#define NAME(x)             lim_graph_##x
#define LIM_OWN_DEFORMATION "export/symbolic/deformation_graph.inc"
#include "dynamics/recursion/acceleration.inc"

#include "dynamics/recursion/setup.inc" // last: it knows what is there

#include "export/symbolic/outputs.inc"
