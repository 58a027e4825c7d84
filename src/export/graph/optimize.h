// optimize.h - passes over a tape. Inside src/export only. Each leaves the values as they are; after one that
// failed for memory nothing holds but `failed`.
#ifndef LIM_EXPORT_GRAPH_OPTIMIZE_H
#define LIM_EXPORT_GRAPH_OPTIMIZE_H

#include "export/graph/tape.h"

#include <math.h>

// An item with a copy of terms; its number, or -1.
int lim_tape_add(lim_tape *p, lim_tape_item like, const lim_tape_term *term, int count);
bool lim_tape_set(lim_tape *p, int item, const lim_tape_term *term, int count); // other terms
void lim_tape_count(lim_tape *p);                                               // uses, order

static inline bool lim_tape_unit(double k) { return fabs(k) == 1; }

// A number below n; 0 while nothing is left to chance.
static inline int lim_tape_random(lim_tape *p, int n) {
  if (!p->random) return 0;
  p->random ^= p->random << 13;
  p->random ^= p->random >> 17;
  p->random ^= p->random << 5;
  return (int)(p->random % (unsigned)n);
}

void lim_tape_cse(lim_tape *p);                                          // equal items become one
void lim_tape_flatten(lim_tape *p);                                      // sums that are part of one sum only
void lim_tape_factor_out(lim_tape *p);                                   // common factors out of sums
void lim_tape_share_pairs(lim_tape *p, lim_graph_kind kind, int rounds); // common pairs of sums or products
void lim_tape_group(lim_tape *p);                                        // k a + k b = k (a + b)
void lim_tape_keep(lim_tape *p);                                         // k f, where products with f need k
void lim_tape_absorb(lim_tape *p);               // f (a b + ...) where f a, ... are there
lim_tape *lim_tape_copy(const lim_tape *p);      // of what is computed; NULL: out of memory
int lim_tape_place(const lim_tape *p, int item); // number of an item in a copy
int lim_tape_cost(const lim_tape *p);
lim_tape *lim_tape_scaled(const lim_tape *p, int sum, double factor); // a copy with a sum times a factor
lim_tape *lim_tape_rescale(lim_tape *p);                              // factors of sums where they cost least
lim_tape *lim_tape_optimize(lim_tape *p);                             // all of this

// Go on by chance for a number of trials; for tapes of some hundred steps.
lim_tape *lim_tape_search(lim_tape *p, int trials);

#endif
