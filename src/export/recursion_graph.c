// recursion_graph.c - the recursion on expressions: it writes itself down.
#include "export/recursion_graph.h"

#include <math.h>
#include <stdlib.h>

#include "export/real_graph.h"

#include "system/real3.h" // needs the numbers above

#define NAME(x)             lim_graph_##x
#define LIM_OWN_DEFORMATION "export/deformation_graph.inc"
#include "system/recursion.inc"

#include "system/elimination.inc" // goes on where the first ends

#include "system/acceleration.inc"

#include "export/outlook.inc"
