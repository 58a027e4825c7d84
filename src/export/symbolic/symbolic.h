// symbolic.h - a model as expressions: what its generated code computes, before it is C.
// Theory: docs/theory/generate.md.
#ifndef LIM_EXPORT_SYMBOLIC_SYMBOLIC_H
#define LIM_EXPORT_SYMBOLIC_SYMBOLIC_H

#include "analysis/simulation/session.h"
#include "export/symbolic/parameters.h"
#include "export/symbolic/recursion_graph.h"

// Arrays of inputs.
enum { LIM_IN_Q, LIM_IN_V, LIM_IN_U, LIM_IN_X, LIM_IN_P, LIM_IN_A, LIM_IN_ARRAYS };

// An input u: a value in time that the model has by itself, or 0.
typedef struct {
  char name[96];                    // "reference of shoulder", "effort on elbow"
  const char *unit;                 // of the value
  const lim_trajectory *trajectory; // NULL: constant
  int order;                        // 0: its value, 1: its rate, 2: its second derivative
  double constant;                  // where there is no trajectory
  double from, to;                  // [s] before and after which it is 0
} lim_input;

typedef struct {
  char name[96];
  double start, nominal;
} lim_drive_state;

// What is computed: one function of the generated code each.
typedef enum {
  LIM_OF_ACCELERATIONS, // a (n); with loops what lim_symbolic_terms says
  LIM_OF_EFFORTS,       // tau (n) that a motion q, v, a needs
  LIM_OF_MASS,          // M (n x n by rows)
  LIM_OF_FRAMES,        // 18 numbers of each frame (nsite)
  LIM_OF_ENERGIES,      // kinetic, strain, gravity
  LIM_OF_RATES,         // of the states x of drives
  LIM_OF_ROWS,          // of loops: values, rates (2 nrow)
  LIM_OF_DRIVES, // effort on the joint, torque on the motor's shaft, of every joint that moves (2 ndrive)
  LIM_OF_GAUGES, // strains under gauges, of a motion q, v, a
  LIM_FUNCTIONS
} lim_symbolic_function;

typedef struct {
  int link;
  const lim_gauge *gauge;
  double E; // under it
} lim_symbolic_gauge;

const char *lim_symbolic_name(lim_symbolic_function f); // "accelerations"

typedef struct {
  lim_arena arena;
  const lim_session *session;
  lim_arm *s; // tidy
  lim_graph *g;
  lim_graph_work *w;
  int n, ninput, nstate, nrow, ndrive;
  lim_input *input;       // (ninput)
  lim_drive_state *state; // (nstate)
  int *reference;         // of each body: first of three inputs of its motion; -1: none   (nbody)
  int *effort;            // of each body: its input; -1: none                             (nbody)
  int *drive;             // of each body: which of the drives; -1: its joint does not move   (nbody)
  int *factor;            // of each load                                                  (nload)
  int *second;            // of each given coordinate: the input that is its acceleration; -1: unknown   (n)
  // expressions
  lim_expr *q, *v, *a, *u, *x, *zero, *r; // (n), (n), (n), (ninput), (nstate), (n), (n)
  lim_expr *load;                         // factors of wrenches (nload)
  lim_wrench *wrench;                     // (nload)
  lim_symbolic_gauge *gauge;              // (count[LIM_OF_GAUGES])
  int count[LIM_FUNCTIONS];
  lim_expr *out[LIM_FUNCTIONS]; // (count)
} lim_symbolic;

// Write a session down. It must outlive the result. keep: numbers that become inputs; NULL: none. Models that
// cannot be written are refused with the reason.
lim_code lim_symbolic_new(lim_symbolic **out, const lim_session *session, lim_parameters *keep, lim_error *err);
void lim_symbolic_free(lim_symbolic *x);

// Largest number of coordinates, of operations of a function.
enum { LIM_WRITTEN_COORDINATES = 64 };

// Write the strains under gauges, after the residual and places of bodies.
lim_code lim_symbolic_gauges(lim_symbolic *x, lim_error *err);

// With loops the accelerations follow from terms: x (n), G (nrow x n), Z (nrow x n), S (nrow x nrow), c (nrow):
// S y = c - G x, a = -(x + Z' y).
int lim_symbolic_terms(const lim_symbolic *x);

#endif
