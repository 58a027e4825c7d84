// improve.h - passes over a plan. Inside src/export only. Each leaves the values as they are; after one that
// failed for memory nothing holds but `failed`.
#ifndef LIM_EXPORT_IMPROVE_H
#define LIM_EXPORT_IMPROVE_H

#include "export/plan.h"

#include <math.h>

// An item with a copy of terms; its number, or -1.
int lim_plan_add(lim_plan *p, lim_plan_item like, const lim_plan_term *term, int count);
bool lim_plan_set(lim_plan *p, int item, const lim_plan_term *term, int count); // other terms
void lim_plan_count(lim_plan *p);                                               // uses, order

static inline bool lim_plan_unit(double k) { return fabs(k) == 1; }

// A number below n; 0 while nothing is left to chance.
static inline int lim_plan_random(lim_plan *p, int n) {
  if (!p->random) return 0;
  p->random ^= p->random << 13;
  p->random ^= p->random >> 17;
  p->random ^= p->random << 5;
  return (int)(p->random % (unsigned)n);
}

void lim_plan_gather(lim_plan *p);                                 // equal items become one
void lim_plan_open(lim_plan *p);                                   // sums that are part of one sum only
void lim_plan_draw(lim_plan *p);                                   // common factors out of sums
void lim_plan_share(lim_plan *p, lim_graph_kind kind, int rounds); // common pairs of sums or products
void lim_plan_group(lim_plan *p);                                  // k a + k b = k (a + b)
void lim_plan_keep(lim_plan *p);                                   // k f, where products with f need k
void lim_plan_absorb(lim_plan *p);                                 // f (a b + ...) where f a, ... are there
lim_plan *lim_plan_copy(const lim_plan *p);                        // of what is computed; NULL: out of memory
int lim_plan_place(const lim_plan *p, int item);                   // number of an item in a copy
int lim_plan_cost(const lim_plan *p);
lim_plan *lim_plan_cheaper(lim_plan *p, lim_plan *other);             // the other may be NULL; frees the loser
lim_plan *lim_plan_scaled(const lim_plan *p, int sum, double factor); // a copy with a sum times a factor
lim_plan *lim_plan_rescale(lim_plan *p);                              // factors of sums where they cost least
lim_plan *lim_plan_improve(lim_plan *p);                              // all of this

// Go on by chance for a number of trials; for plans of some hundred steps.
lim_plan *lim_plan_search(lim_plan *p, int trials);

#endif
