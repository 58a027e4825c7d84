// read.h - files of finite-element programs into a lim_fe_mesh: CalculiX, Abaqus, ANSYS, Matrix Market, CSV.
// Messages name file and line; LIM_IO: a file cannot be read, LIM_BAD_INPUT: its content is wrong.
#ifndef LIM_FE_READ_READ_H
#define LIM_FE_READ_READ_H

#include "fe/mesh.h"

// Paths, all as they are opened.
typedef struct {
  const char *stiffness, *mass;
  const char *dofs;  // NULL: see lim_fe_read_dofs
  const char *nodes; // an input deck (.inp and the like), or a CSV: id, x, y, z
  double length;     // units of the files in SI: 1e-3 for mm [m]
  double mass_unit;  // 1000 for t [kg]; time is in seconds
  lim_hooks hooks;   // told what is being read, and how much of it
} lim_fe_files;

// All of it. On success the caller owns *out; end with lim_fe_mesh_free.
lim_code lim_fe_read(lim_fe_mesh **out, const lim_fe_files *files, lim_error *err);

// A further stiffness matrix of the same mesh [SI], as that of a loaded state; memory from the arena. dofs: its
// own map where it has other rows than the mesh's (a mesh that was held): rows that it lacks are 0; NULL: the
// same rows.
lim_code lim_fe_read_further(lim_symmetric *out, lim_arena *arena, const lim_fe_mesh *mesh,
                             const char *stiffness, const char *dofs, double length, double mass_unit,
                             lim_error *err);

// A dense symmetric matrix by columns from a Matrix Market file (array or coordinate) or triplets, as it
// stands; n is its size. Memory from the arena.
lim_code lim_fe_read_dense(double **out, int *n, lim_arena *arena, const char *path, lim_error *err);

#endif
