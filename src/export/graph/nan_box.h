// nan_box.h - an expression in the place of a constant. The recursion takes its constants as doubles; one that
// is to stay adjustable is a NaN that holds the address of its expression. Products with 1 and sums with 0
// leave it as it is (IEEE 754); whether anything else was done to it is checked on the finished code.
#ifndef LIM_EXPORT_GRAPH_NAN_BOX_H
#define LIM_EXPORT_GRAPH_NAN_BOX_H

#include "export/graph/graph.h"

#include <stdint.h>
#include <string.h>

#define LIM_BOX_MARK       0x7FFC000000000000u
#define LIM_BLOCK_CAPACITY 0x0000FFFFFFFFFFFFu

static inline double lim_nan_box(const lim_expr *x) {
  uint64_t bits = LIM_BOX_MARK | ((uint64_t)(uintptr_t)x & LIM_BLOCK_CAPACITY);
  double y;
  memcpy(&y, &bits, sizeof y);
  return y;
}

// The expression of a constant.
static inline lim_expr lim_nan_unbox(double x) {
  if (x == x) return lim_graph_constant(x);
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  if ((bits & LIM_BOX_MARK) != LIM_BOX_MARK) return lim_graph_constant(x);
  const uintptr_t address = (uintptr_t)(bits & LIM_BLOCK_CAPACITY);
  const lim_expr *e;
  memcpy(&e, &address, sizeof e);
  return bits >> 63 ? lim_graph_scale(-1, *e) : *e;
}

#endif
