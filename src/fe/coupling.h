// coupling.h - frames on a mesh: nodes that move as one body, or with whose mean a frame moves. Theory:
// docs/theory/finite-elements.md (1)-(4).
#ifndef LIM_FE_COUPLING_H
#define LIM_FE_COUPLING_H

#include "fe/mesh.h"

#include <stdbool.h>

// Where a frame sits, axes of the file.
typedef struct {
  const char *name;
  bool rigid;       // else by the mean
  int count, *node; // of the mesh, ascending
  double X[3], R[9];
} lim_fe_interface;

// Nodes and what holds them together.
typedef struct {
  const lim_fe_mesh *mesh;
  int count, base;            // interfaces; which of them is the link's own frame
  const lim_fe_interface *at; // (count)
  int *of_dof;                // interface that carries a freedom rigidly; -1: none   (ndof)
} lim_fe_coupled;

// Memory from the arena.
lim_code lim_fe_couple(lim_fe_coupled *out, lim_arena *arena, const lim_fe_mesh *mesh,
                       const lim_fe_interface *at, int count, int base, lim_error *err);

// u (ndof) += x (6) of a rigid interface: what its freedoms do when it moves by x (displacement, rotation),
// file axes.
void lim_fe_carry(double *u, const lim_fe_coupled *c, int interface, const double x[6]);

// Rows (6 x ndof by rows) of the mean displacement and rotation of nodes about X: x = C u. False: their
// rotation does not follow from displacements (they are on a line); its rows are 0 then.   (2)
bool lim_fe_mean_rows(double *C, const lim_fe_mesh *mesh, const int *node, int count, const double X[3]);

// Rigid motion of the whole mesh about X: R (ndof x 6 by columns), three displacements, three rotations.
void lim_fe_rigid_motion(double *R, const lim_fe_mesh *mesh, const double X[3]);

// Matrices of the freedoms that are left: those that no interface carries, then six of each rigid interface
// whose `free` is set; the others are held.
typedef struct {
  lim_symmetric K, M;
  int inner;           // freedoms that no interface carries
  int *dof;            // which they are, ascending                    (inner)
  int count, *carrier; // interfaces that are free, in order           (count)
} lim_fe_system;

lim_code lim_fe_system_of(lim_fe_system *out, lim_arena *arena, const lim_fe_coupled *c, const bool *free,
                          lim_error *err);

// The same matrix with rows C of constraints (count x inner by rows) behind it: [A C'; C 0].   (4)
lim_code lim_fe_border(lim_symmetric *out, lim_arena *arena, const lim_symmetric *A, const double *C, int inner,
                       int count, lim_error *err);

// A - sigma B of two matrices.
lim_code lim_fe_shift(lim_symmetric *out, lim_arena *arena, const lim_symmetric *A, double sigma,
                      const lim_symmetric *B, lim_error *err);

#endif
