// improve.h - passes over a plan. Inside src/export only. Each leaves the values as they are; after one that
// failed for memory nothing holds but `failed`.
#ifndef LIM_EXPORT_IMPROVE_H
#define LIM_EXPORT_IMPROVE_H

#include "export/plan.h"

#include <math.h>

// An item with a copy of terms; its number, or -1.
int lim_recipe_add(lim_recipe *p, lim_recipe_item like, const lim_recipe_term *term, int count);
bool lim_recipe_set(lim_recipe *p, int item, const lim_recipe_term *term, int count); // other terms
void lim_recipe_count(lim_recipe *p);                                                 // uses, order

static inline bool lim_recipe_unit(double k) { return fabs(k) == 1; }

// A number below n; 0 while nothing is left to chance.
static inline int lim_recipe_random(lim_recipe *p, int n) {
  if (!p->random) return 0;
  p->random ^= p->random << 13;
  p->random ^= p->random >> 17;
  p->random ^= p->random << 5;
  return (int)(p->random % (unsigned)n);
}

void lim_recipe_gather(lim_recipe *p);                                 // equal items become one
void lim_recipe_open(lim_recipe *p);                                   // sums that are part of one sum only
void lim_recipe_draw(lim_recipe *p);                                   // common factors out of sums
void lim_recipe_share(lim_recipe *p, lim_graph_kind kind, int rounds); // common pairs of sums or products
void lim_recipe_group(lim_recipe *p);                                  // k a + k b = k (a + b)
void lim_recipe_keep(lim_recipe *p);                                   // k f, where products with f need k
void lim_recipe_absorb(lim_recipe *p);                                 // f (a b + ...) where f a, ... are there
lim_recipe *lim_recipe_copy(const lim_recipe *p);    // of what is computed; NULL: out of memory
int lim_recipe_place(const lim_recipe *p, int item); // number of an item in a copy
int lim_recipe_cost(const lim_recipe *p);
lim_recipe *lim_recipe_cheaper(lim_recipe *p, lim_recipe *other); // the other may be NULL; frees the loser
lim_recipe *lim_recipe_scaled(const lim_recipe *p, int sum, double factor); // a copy with a sum times a factor
lim_recipe *lim_recipe_rescale(lim_recipe *p); // factors of sums where they cost least
lim_recipe *lim_recipe_improve(lim_recipe *p); // all of this

// Go on by chance for a number of trials; for plans of some hundred steps.
lim_recipe *lim_recipe_search(lim_recipe *p, int trials);

#endif
