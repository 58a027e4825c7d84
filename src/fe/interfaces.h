// interfaces.h - frames of the model as interfaces of a mesh.
#ifndef LIM_FE_INTERFACES_H
#define LIM_FE_INTERFACES_H

#include "fe/coupling.h"
#include "model/model.h"

// One for each of fe.frames, in their order. Memory from the arena.
lim_code lim_fe_interfaces(lim_fe_interface **out, lim_arena *arena, const lim_fe_mesh *mesh, const lim_fe *fe,
                           lim_error *err);

// Nodes of a set, or by their ids, ascending; head: who names them.
lim_code lim_fe_nodes_of(int **out, int *count, lim_arena *arena, const lim_fe_mesh *mesh, const lim_ref *ref,
                         int refs, const lim_head *head, lim_error *err);

#endif
