// mass_matrix.h - the mass matrix as a matrix, for modes and damping.
#ifndef LIM_DYNAMICS_MASS_MATRIX_H
#define LIM_DYNAMICS_MASS_MATRIX_H

#include "dynamics/recursion.h"

// M (n x n): column j is the residual of the acceleration e_j alone. scratch (4 n).
void lim_assemble_mass(double *M, lim_rec_work *w, const lim_arm *s, const double *q, double *scratch);

// K (n x n): stiffness of the deformations only, block by block.
void lim_assemble_stiffness(double *K, const lim_arm *s, const double *q);

#endif
