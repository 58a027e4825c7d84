// block.h - kinds of blocks, one file and one row of block/kinds.def each. Theory: docs/theory/control.md.
//
// A block takes signals and gives one. A continuous block may have states x, which the integrator advances; a
// sampled one runs at the ticks k of its clock and holds values z in between.
#ifndef LIM_CONTROL_BLOCK_H
#define LIM_CONTROL_BLOCK_H

#include "model/kinds.h"
#include "motion/curve.h"
#include "motion/trajectory.h"

typedef struct lim_block_instance lim_block_instance;

typedef struct {
  const char *directory; // of the model file, for tables
  double horizon;        // [s]
  bool wiring;           // only the wiring is looked at: files stay closed
  lim_arena *arena;
} lim_block_setup;

typedef struct {
  lim_kind_row row;
  bool linear; // of its output in its input
  // Fills numbers, nx and nz of a box; may be NULL.
  lim_code (*prepare)(lim_block_instance *b, const lim_block_setup *s, lim_error *err);
  // States and held values at the start, all 0 before; may be NULL.
  void (*start)(double *x, double *z, const lim_block_instance *b);
  // What it gives now. u: its inputs (nin); of a box that is not `direct` they must not be read.
  double (*output)(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                   const double *z);
  void (*rates)(double *rate, const lim_block_instance *b, const double *u, const double *x); // NULL: no states
  void (*tick)(double *z, const lim_block_instance *b, long k,
               const double *u); // sampled and direct; NULL: continuous
  void (*store)(double *z, const lim_block_instance *b, long k,
                const double *u);                                  // sampled, not direct: takes its input
  void (*release)(double *z, const lim_block_instance *b, long k); // and gives what it took before
} lim_block_kind;

extern const lim_block_kind *const lim_block_kinds[]; // ends with NULL

// A block at work. Constant once built.
struct lim_block_instance {
  const lim_block_kind *kind;
  const lim_block *from;
  bool direct;      // the output depends on the inputs of the same moment
  int nin;          // inputs
  int *in;          // their signals                                            (nin)
  int nx, x, nz, z; // states and held values: their number, the first of them
  int np;           // numbers of its own
  double *p;        // (np)
  double period;    // of its clock [s]; 0: continuous
  double shift;     // what it stored at a tick it releases so much later, within a period [s]
  int whole;        // and so many periods
  lim_trajectory *trajectory;
  lim_curve *curve;
};

#endif
