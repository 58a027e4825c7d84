// nodes_csv.h - nodes as lines "id, x, y, z".
#ifndef LIM_FE_READ_NODES_CSV_H
#define LIM_FE_READ_NODES_CSV_H

#include "fe/read/deck.h"

// The lines from this one on, of which l->again gives the first; one with titles may be ahead. l->code tells
// how it went.
void lim_fe_nodes_csv(lim_fe_deck *d, lim_lines *l);

#endif
