// mesh.c - a finite-element model: what is asked of it.
#include "fe/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void lim_fe_mesh_free(lim_fe_mesh *mesh) {
  if (!mesh) return;
  lim_arena_free(&mesh->arena);
  free(mesh);
}

int lim_fe_node(const lim_fe_mesh *mesh, int id) {
  int low = 0, high = mesh->nnode;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (mesh->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < mesh->nnode && mesh->id[low] == id ? low : -1;
}

bool lim_fe_is_inner(const lim_fe_mesh *mesh, int node) { return node >= mesh->nnode - mesh->ninner; }

const lim_fe_set *lim_fe_find_set(const lim_fe_mesh *mesh, const char *name) {
  for (int i = 0; i < mesh->nset; i++)
    if (!strcasecmp(mesh->set[i].name, name)) return &mesh->set[i];
  return NULL;
}

bool lim_fe_among(const int *list, int count, int x) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (list[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && list[low] == x;
}

void lim_fe_by_node(double *node, const lim_fe_mesh *m, const double *u) {
  memset(node, 0, 6 * (size_t)m->nnode * sizeof *node);
  for (int i = 0; i < m->ndof; i++) node[6 * (size_t)m->dof_node[i] + (size_t)m->dof_direction[i]] = u[i];
}

char *lim_fe_path(lim_arena *arena, const char *directory, const char *name) {
  const bool whole = name[0] == '/';
  char *text = lim_arena_allocate(arena, strlen(directory) + strlen(name) + 2);
  if (text) sprintf(text, "%s%s%s", whole ? "" : directory, whole ? "" : "/", name);
  return text;
}

int lim_fe_shape_nodes(lim_fe_shape shape) {
  static const int count[LIM_FE_SHAPES] = {4, 10, 6, 15, 8, 20, 3, 6, 4, 8, 2, 3};
  return count[shape];
}
