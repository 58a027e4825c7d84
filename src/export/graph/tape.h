// tape.h - expressions in the order in which they are computed, with what several of them need computed once.
// Theory: docs/theory/generate.md.
#ifndef LIM_EXPORT_GRAPH_TAPE_H
#define LIM_EXPORT_GRAPH_TAPE_H

#include "base/arena.h"
#include "export/graph/graph.h"

typedef struct {
  int trig, add, mul, div, sqrt, other; // other: exp, fabs, selections
} lim_operations;

typedef struct {
  int item;
  double k; // of sums, functions, outputs; item -1: the constant k
} lim_tape_term;

// One step: as a node of the graph, but factors are repeated instead of raised to powers, and a division has
// its own step. A step without uses is not computed.
typedef struct {
  lim_graph_kind kind;
  bool inverse;     // a product: one over its only factor
  int array, index; // of an input
  double c;         // of a sum
  int count, capacity, uses;
  bool kept;           // a sum of one term that stays
  double pending;      // 0, or a factor by which uses are still to be multiplied
  lim_tape_term *term; // (count of room), in the tape's arena
} lim_tape_item;

typedef struct {
  int count, outputs;
  size_t capacity;       // of item
  lim_arena arena;       // of the terms
  lim_tape_item *item;   // (count)
  lim_tape_term *output; // (outputs)
  int *order;            // items that are computed, arguments first (steps)
  int steps;
  bool failed;     // out of memory
  unsigned random; // state of the choice among equals; 0: the first
} lim_tape;

// The tape of several outputs. NULL: out of memory.
lim_tape *lim_tape_new(const lim_expr *output, int count);
void lim_tape_free(lim_tape *p);

lim_operations lim_tape_operations(const lim_tape *p);

// Values of the outputs; input: by array and index. scratch (count)
void lim_tape_evaluate(double *out, const lim_tape *p, const double *const *input, double *scratch);

#endif
