// evaluate.h - generated code before it is C: y' = f(y) in numbers. y are the free coordinates, their rates and
// the states of drives.
#ifndef LIM_EXPORT_CODE_EVALUATE_H
#define LIM_EXPORT_CODE_EVALUATE_H

#include "export/code/generate.h"
#include "export/code/nominal.h"

typedef struct {
  const lim_generated *g;
  lim_arena arena;
  lim_nominals size;
  int nfree, ny;
  int *coordinate;         // that are not given   (nfree)
  double *q, *v, *a;       // (n)
  double *x, *rate;        // (nstate)
  double *u;               // (ninput)
  double *terms, *scratch; // of loops, of plans
  double *S, *y;           // (nrow x nrow), (nrow)
  int *pivot;              // (nrow)
} lim_evaluator;

// c is zeroed; its arena is to be freed, also after a failure.
lim_code lim_evaluator_new(lim_evaluator *c, const lim_generated *g, lim_error *err);

// The state at which the model starts, and its inputs there.
void lim_evaluator_start(lim_evaluator *c);

// f (ny) at the present state; accelerations are in a. False: it cannot be found.
bool lim_evaluator_run(double *f, lim_evaluator *c);

// Entry i of y, and of what size it is.
double *lim_evaluator_state(lim_evaluator *c, int i, double *size);

#endif
