// plan.h - expressions in the order in which they are computed, with what several of them need computed once.
// Theory: docs/theory/generate.md.
#ifndef LIM_EXPORT_PLAN_H
#define LIM_EXPORT_PLAN_H

#include "export/graph.h"

typedef struct {
  int trig, add, mul, div, sqrt, other; // other: exp, fabs, selections
} lim_operations;

typedef struct {
  int item;
  double k; // of sums, functions, outputs; item -1: the constant k
} lim_recipe_term;

// One step: as a node of the graph, but factors are repeated instead of raised to powers, and a division has
// its own step. A step without uses is not computed.
typedef struct {
  lim_graph_kind kind;
  bool inverse;     // a product: one over its only factor
  int array, index; // of an input
  double c;         // of a sum
  int count, uses;
  bool kept;             // a sum of one term that stays
  double pending;        // 0, or a factor by which uses are still to be multiplied
  lim_recipe_term *term; // (count)
} lim_recipe_item;

typedef struct {
  int count, room, outputs;
  lim_recipe_item *item;   // (count)
  lim_recipe_term *output; // (outputs)
  int *order;              // items that are computed, arguments first (steps)
  int steps;
  bool failed;     // out of memory
  unsigned random; // state of the choice among equals; 0: the first
} lim_recipe;

// The plan of several outputs. NULL: out of memory.
lim_recipe *lim_recipe_new(const lim_expr *output, int count);
void lim_recipe_free(lim_recipe *p);

lim_operations lim_recipe_operations(const lim_recipe *p);

// Values of the outputs; input: by array and index. scratch (count)
void lim_recipe_evaluate(double *out, const lim_recipe *p, const double *const *input, double *scratch);

#endif
