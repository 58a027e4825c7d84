// reduce.h - Craig-Bampton: a coupled mesh as a link of a few coordinates. Theory:
// docs/theory/finite-elements.md.
#ifndef LIM_FE_REDUCE_H
#define LIM_FE_REDUCE_H

#include "fe/coupling.h"
#include "fe/link.h"
#include "model/tree.h"

// What is wanted of it, and who asks.
typedef struct {
  const char *link;     // its name
  const lim_node *node; // where messages point
  int count;            // modes with all interfaces held
  double up_to;         // or all up to this frequency [Hz]; NaN: count
  lim_hooks hooks;
} lim_fe_request;

// Shapes and matrices before they are turned into integrals: by columns, axes of the file.
typedef struct {
  int n, modes;  // coordinates: six of every interface but base, in order, then modes
  double *Phi;   // displacements                                     (ndof x n)
  double *K, *M; // Phi'K Phi, Phi'M Phi                              (n x n)
  double *left;  // of each set of the mesh: compliance along the axes of base that is left out   (3 nset)
  double *T;     // they are combinations of raw ones: Phi = raw T    (n x n by columns)
} lim_fe_shapes;

// Memory from the arena. Fills what it finds of facts: free, clamped and reduced frequencies, what is left out.
lim_code lim_fe_reduce(lim_fe_shapes *out, lim_fe_facts *facts, lim_arena *arena, const lim_fe_coupled *c,
                       const lim_fe_request *request, lim_error *err);

// Combinations T of n coordinates that make K and M (n x n by columns) diagonal, M to 1; both are changed.
// Where there are coordinates without mass, nothing changes and T is 1. lambda (n): of the combinations.
lim_code lim_fe_orthonormalise(double *T, double *K, double *M, double *lambda, int n, lim_error *err);

// Progress of a request: what, how far; LIM_FAILED where it is to stop.
lim_code lim_fe_tell(const lim_fe_request *r, const char *what, double part, lim_error *err);

#endif
