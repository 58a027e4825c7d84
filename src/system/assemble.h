// assemble.h - the mass matrix as a matrix, for modes and damping.
#ifndef LIM_SYSTEM_ASSEMBLE_H
#define LIM_SYSTEM_ASSEMBLE_H

#include "system/recursion.h"

// M (n x n): column j is the residual of the acceleration e_j alone. scratch (4 n).
void lim_assemble_mass(double *M, lim_rec_work *w, const lim_system *s, const double *q, double *scratch);

// K (n x n): stiffness of the deformations only, block by block.
void lim_assemble_stiffness(double *K, const lim_system *s, const double *q);

#endif
