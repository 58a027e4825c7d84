// graph.h - expressions as a graph: equal ones are one node, constants are folded, terms are gathered. What the
// recursion computes with when it writes itself down. Theory: docs/theory/generate.md.
#ifndef LIM_EXPORT_GRAPH_GRAPH_H
#define LIM_EXPORT_GRAPH_GRAPH_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct lim_graph lim_graph;
typedef struct lim_graph_node lim_graph_node;

// k times a node; without node the constant k. A zeroed expression is the constant 0.
typedef struct {
  const lim_graph_node *n;
  double k;
} lim_expr;

typedef enum {
  LIM_GRAPH_INPUT,
  LIM_GRAPH_SUM,     // c + sum k n
  LIM_GRAPH_PRODUCT, // product of n^power
  LIM_GRAPH_SIN,     // functions of the expressions k n; a constant where there is no n
  LIM_GRAPH_COS,
  LIM_GRAPH_SQRT,
  LIM_GRAPH_EXP,
  LIM_GRAPH_ABS,
  LIM_GRAPH_ATAN2,
  LIM_GRAPH_SELECT // the third where the first is less than the second, else the fourth
} lim_graph_kind;

typedef struct {
  const lim_graph_node *n;
  double k;  // of sums and functions
  int power; // of products, not 0
} lim_graph_term;

struct lim_graph_node {
  lim_graph *graph;
  lim_graph_kind kind;
  int id;           // rises from arguments to what is made of them
  int array, index; // of an input
  double c;         // of a sum
  bool angle;       // of a rotation that is written by its sine and cosine
  double natural;   // of a sum: the factor with which it came first
  int count;
  lim_graph_term *term; // (count)
  double value;         // at the sample of the inputs: where a recursion compares, it compares these
  unsigned hash;
  lim_graph_node *next; // of the same slot of the table
};

lim_graph *lim_graph_new(void); // NULL: out of memory
void lim_graph_free(lim_graph *g);

// Whether memory was out: then no expression of it means anything.
bool lim_graph_failed(const lim_graph *g);
int lim_graph_size(const lim_graph *g); // nodes

// Rotations by one angle are written by its sine and cosine, unless series are asked for: where factors that
// divide by the angle do not cancel.
void lim_graph_use_series(lim_graph *g);
bool lim_graph_uses_series(const lim_graph *g);
void lim_graph_mark_angle(lim_expr a); // one by which such factors divide
bool lim_graph_divides_by_angle(const lim_expr *a,
                                int count); // whether any of a does (true too: out of memory)

// Input `index` of an array; sample: a value that it may have.
lim_expr lim_graph_input(lim_graph *g, int array, int index, double sample);

lim_expr lim_graph_constant(double k);
double lim_graph_value(lim_expr a); // at the sample
bool lim_graph_is(lim_expr a, double constant);

lim_expr lim_graph_add(lim_expr a, lim_expr b);
lim_expr lim_graph_sub(lim_expr a, lim_expr b);
lim_expr lim_graph_mul(lim_expr a, lim_expr b);
lim_expr lim_graph_div(lim_expr a, lim_expr b);
lim_expr lim_graph_scale(double k, lim_expr a);
lim_expr lim_graph_function(lim_graph_kind kind, const lim_expr *argument, int count);
lim_expr lim_graph_sin(lim_expr a);
lim_expr lim_graph_cos(lim_expr a);
lim_expr lim_graph_sqrt(lim_expr a);
lim_expr lim_graph_exp(lim_expr a);
lim_expr lim_graph_abs(lim_expr a);
lim_expr lim_graph_atan2(lim_expr y, lim_expr x);
lim_expr lim_graph_select(lim_expr a, lim_expr b, lim_expr less,
                          lim_expr fallback); // a < b ? less : otherwise

// Derivative along a direction: that of every input, by array and index.
typedef lim_expr lim_graph_direction(const void *user, int array, int index);
// out (count) := derivatives of a (count). False: out of memory.
bool lim_graph_derivative(lim_expr *out, const lim_expr *a, int count, lim_graph_direction *direction,
                          const void *user);

#endif
