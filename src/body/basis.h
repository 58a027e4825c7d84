// basis.h - the deformations a link may take: u = Phi eta. Theory: docs/theory/body.md (1)-(13).
//
// The link is clamped at its joint: rows of its first node are zero. The basis types of the model (full, modes,
// craig-bampton, rigid) differ in nothing else than Phi. Constant once built, it needs neither model
// nor mesh.
#ifndef LIM_BODY_BASIS_H
#define LIM_BODY_BASIS_H

#include "beam/mesh.h"

typedef struct {
  lim_arena arena; // owns everything below
  int ndof;        // nodal coordinates of the mesh, u
  int n;           // coordinates of the link, eta; 0: rigid
  double *Phi;     // shapes by columns                                                      (ndof x n)
  int *index;      // full basis: eta_j is the nodal coordinate index[j], ascending; else NULL  (n)
  double *lambda;  // modes, craig-bampton: Phi'K Phi = diag(lambda), ascending [1/s^2], and Phi'M Phi = 1 with
                   // the matrices of the bare mesh; infinite for a link without mass, where Phi'K Phi = 1;
                   // full, rigid: NULL                                                          (n)
} lim_basis_matrix;

// The shapes of a link whose mesh starts at its joint. keep: which of ux uy uz tx ty tz exist (planar: three).
// On success the caller owns *out.
lim_code lim_basis_matrix_new(lim_basis_matrix **out, const lim_model *model, int link, const lim_mesh *mesh,
                              const bool keep[6], lim_error *err);

// The same for a mesh that starts at a distance from the joint [m]: a later segment of a split link.
lim_code lim_basis_matrix_new_from(lim_basis_matrix **out, const lim_model *model, int link,
                                   const lim_mesh *mesh, double start, const bool keep[6], lim_error *err);
void lim_basis_matrix_free(lim_basis_matrix *shapes);

// out (n x n) = Phi'B Phi, B of the mesh's size: its K or M, with masses or geometric stiffness added or not.
void lim_basis_matrix_reduce(double *out, const lim_basis_matrix *shapes, lim_band B);

// u (ndof) = Phi eta; f_eta (n) = Phi'f. Neither allocates.
void lim_basis_matrix_expand(double *u, const lim_basis_matrix *shapes, const double *eta);
void lim_basis_matrix_project(double *f_eta, const lim_basis_matrix *shapes, const double *f);

#endif
