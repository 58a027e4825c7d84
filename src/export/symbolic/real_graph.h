// real_graph.h - the numbers of the recursion as nodes of an expression graph: it writes itself down.
#ifndef LIM_EXPORT_SYMBOLIC_REAL_GRAPH_H
#define LIM_EXPORT_SYMBOLIC_REAL_GRAPH_H

#include "export/graph/nan_box.h"

#define LIM_REAL

typedef lim_expr real;

static inline real r_of(double x) { return lim_nan_unbox(x); }
static inline double r_value(real a) {
  return lim_graph_value(a);
} // at the sample: what is chosen by it is fixed
static inline double r_total(real a) { return lim_graph_value(a); }
static inline real r_add(real a, real b) { return lim_graph_add(a, b); }
static inline real r_sub(real a, real b) { return lim_graph_sub(a, b); }
static inline real r_mul(real a, real b) { return lim_graph_mul(a, b); }
static inline real r_div(real a, real b) { return lim_graph_div(a, b); }
static inline real r_neg(real a) { return lim_graph_scale(-1, a); }
static inline real r_scale(double k, real a) {
  return k == k ? lim_graph_scale(k, a) : lim_graph_mul(lim_nan_unbox(k), a);
}
static inline real r_fma(double k, real a, real b) { return lim_graph_add(r_scale(k, a), b); }
static inline real r_sin(real a) { return lim_graph_sin(a); }
static inline real r_cos(real a) { return lim_graph_cos(a); }
static inline real r_sqrt(real a) { return lim_graph_sqrt(a); }
static inline real r_atan2(real y, real x) { return lim_graph_atan2(y, x); }
static inline real r_exp(real a) { return lim_graph_exp(a); }
static inline real r_abs(real a) { return lim_graph_abs(a); }
static inline real r_select(real a, real b, real less, real fallback) {
  return lim_graph_select(a, b, less, fallback);
}

static inline void r_turn(real a, real *sine, real *versine) {
  *sine = r_sin(a);
  *versine = r_sub(r_of(1), r_cos(a));
}

static inline bool r_single(real x, real y, real z, real *f) {
  const bool there[3] = {!lim_graph_is(x, 0), !lim_graph_is(y, 0), !lim_graph_is(z, 0)};
  if (there[0] + there[1] + there[2] != 1) return false;
  *f = there[0] ? x : there[1] ? y : z;
  if (!f->n || lim_graph_uses_series(f->n->graph)) return false;
  lim_graph_mark_angle(*f);
  return true;
}

#endif
