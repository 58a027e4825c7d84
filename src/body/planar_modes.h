// planar_modes.h - a few coordinates of a body in a plane, as a reduced basis has them: its coefficients in the
// order in which sums over them run, two at a time. Theory: docs/theory/dynamics.md, "In the plane".
#ifndef LIM_BODY_PLANAR_MODES_H
#define LIM_BODY_PLANAR_MODES_H

#include "base/arena.h"
#include "math/packed.h"

#include <stdbool.h>

struct lim_body;

enum { LIM_PLANAR_MODES = 4 }; // more are no longer a few

// Every array is of columns, each of an even number of entries, the last of which may stand for nothing.
typedef struct {
  int n;            // coordinates, 1 to LIM_PLANAR_MODES
  lim_lanes *eta;   // of each coordinate: K (n), S_xx + S_yy (n), B_z (n), x, y of `first`, zz of `inertia1`
  lim_lanes *v, *a; // B_z (n), x, y, zz; M (n), x, y, z of `second`
  lim_lanes *shortened; // of each product of two coordinates: mass, moment, cross (n), square (products)
  lim_lanes *drawn;     // of mass, moment, cross: by the products; both NULL where there are other products
} lim_planar_modes;

// Pairs of entries of these columns.
static inline int lim_planar_products(int n) { return n * (n + 1) / 2; }
static inline int lim_planar_eta(int n) { return (3 * n + 4) / 2; }
static inline int lim_planar_rates(int n) { return (n + 4) / 2; }
static inline int lim_planar_shortened(int n) { return (n + 3 + lim_planar_products(n)) / 2; }
static inline int lim_planar_drawn(int n) { return (lim_planar_products(n) + 1) / 2; }

// *out stays NULL where the body has more coordinates, or none. False: out of memory.
bool lim_planar_modes_of(lim_planar_modes **out, lim_arena *arena, const struct lim_body *b);

#endif
