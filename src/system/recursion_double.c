// recursion_double.c - the recursion on doubles: it simulates.
#include "system/recursion.h"

#include <stdlib.h>

#include "system/real_double.h"

#include "system/real3.h" // needs the numbers above

#define NAME(x) lim_rec_##x
#include "system/recursion.inc"

#include "system/elimination.inc" // goes on where the first ends
