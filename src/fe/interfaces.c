// interfaces.c - frames of the model as interfaces of a mesh: which nodes, where, and whether they can carry a
// joint.
#include "fe/interfaces.h"

#include "math/rotation.h"
#include "model/check/resolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static lim_code refuse_at(const lim_node *node, const lim_head *head, lim_error *err, const char *text,
                          const char *name) {
  return lim_tree_error(err, node ? node : head->node, "%s: %s'%.60s'", head->where, text, name);
}

static int ascending(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static lim_code unknown_set(const lim_fe_mesh *mesh, const lim_ref *ref, const lim_head *head, lim_error *err) {
  lim_choice choice = lim_choice_start(ref->text);
  for (int i = 0; i < mesh->nset; i++) lim_choice_try(&choice, mesh->set[i].name);
  return lim_tree_error(err, ref->node, "%s: the mesh has no set of nodes '%.60s'%s", head->where, ref->text,
                        lim_choice_say(&choice, "it has", NULL));
}

lim_code lim_fe_nodes_of(int **out, int *count, lim_arena *arena, const lim_fe_mesh *mesh, const lim_ref *ref,
                         int refs, const lim_head *head, lim_error *err) {
  char *end;
  const lim_fe_set *set = refs == 1 ? lim_fe_find_set(mesh, ref->text) : NULL;
  *count = 0;
  *out = set ? set->node : lim_arena_array(arena, (size_t)refs + 1, sizeof **out);
  if (set) *count = set->count;
  if (!*out) return lim_no_memory(err);
  for (int i = 0; i < refs && !set; i++) {
    const long id = strtol(ref[i].text, &end, 10);
    if (*end || end == ref[i].text) return unknown_set(mesh, &ref[i], head, err);
    const int node = id > 0 && id <= 2147483647 ? lim_fe_node(mesh, (int)id) : -1;
    if (node < 0 || lim_fe_is_inner(mesh, node))
      return refuse_at(ref[i].node, head, err, "the mesh has no node ", ref[i].text);
    (*out)[(*count)++] = node;
  }
  if (!set) qsort(*out, (size_t)*count, sizeof **out, ascending);
  for (int i = 1; i < *count; i++)
    if ((*out)[i] == (*out)[i - 1])
      return lim_tree_error(err, ref->node, "%s: node %d is named twice", head->where, mesh->id[(*out)[i]]);
  if (*count == 0) return refuse_at(ref->node, head, err, "no node is in the set ", ref->text);
  return LIM_OK;
}

// Freedoms that nodes have: displacements in a node with all three, and rotations.
static void freedoms_of(int *moving, int *turning, const lim_fe_interface *x, const int *directions) {
  *moving = *turning = 0;
  for (int i = 0; i < x->count; i++) {
    const int d = directions[x->node[i]];
    *moving += (d & 7) == 7;
    *turning += (d & 56) == 56;
  }
}

// Nodes that lie on a line can be turned about it.
static bool on_a_line(const lim_fe_mesh *mesh, const lim_fe_interface *x) {
  double far = 0, axis[3] = {0}, off = 0;
  const double *from = mesh->X + 3 * (size_t)x->node[0];
  for (int pass = 0; pass < 2; pass++)
    for (int i = 1; i < x->count; i++) {
      const double *to = mesh->X + 3 * (size_t)x->node[i];
      const double r[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
      double across[3];
      if (pass == 0 && lim_dot(r, r) > far) {
        far = lim_dot(r, r);
        memcpy(axis, r, sizeof axis);
      }
      lim_cross(across, axis, r);
      if (pass) off = fmax(off, lim_dot(across, across));
    }
  return !(off > 1e-12 * far * far);
}

// A frame sits near its nodes: places are in metres, whatever the files have.
static lim_code check_place(const lim_fe_mesh *mesh, const lim_fe_interface *x, const lim_fe_frame *f,
                            lim_error *err) {
  double low[3], high[3], mean[3] = {0}, off[3], size[3];
  for (int k = 0; k < 3; k++) low[k] = high[k] = mesh->X[k];
  for (int i = 0; i < 3 * (mesh->nnode - mesh->ninner); i++) {
    low[i % 3] = fmin(low[i % 3], mesh->X[i]);
    high[i % 3] = fmax(high[i % 3], mesh->X[i]);
  }
  for (int i = 0; i < x->count; i++) lim_add(mean, 1.0 / x->count, mesh->X + 3 * (size_t)x->node[i]);
  for (int k = 0; k < 3; k++) {
    off[k] = x->X[k] - mean[k];
    size[k] = high[k] - low[k];
  }
  const double away = sqrt(lim_dot(off, off)), all = sqrt(lim_dot(size, size));
  if (!(away > 3 * all)) return LIM_OK;
  return lim_tree_error(
      err, f->head.node,
      "%s: xyz is %.3g m away from its nodes, and the whole mesh is %.3g m large: xyz is in metres, or has a "
      "unit",
      f->head.where, away, all);
}

static lim_code check_one(const lim_fe_mesh *mesh, const lim_fe_interface *x, const lim_fe_frame *f,
                          const int *directions, lim_error *err) {
  int moving, turning;
  freedoms_of(&moving, &turning, x, directions);
  if (moving < x->count)
    return lim_tree_error(
        err, f->head.node,
        "%s: %d of its %d nodes lack displacements in the matrices: they were held, or follow "
        "others, in the finite-element program; free them there",
        f->head.where, x->count - moving, x->count);
  const bool turns = x->count > 2 && !on_a_line(mesh, x);
  if (!turns && !(x->rigid && turning))
    return lim_tree_error(
        err, f->head.node,
        "%s: its %d node%s cannot turn with it about every axis: a frame needs three nodes that "
        "are not on one line%s",
        f->head.where, x->count, x->count == 1 ? "" : "s", x->rigid ? ", or nodes with rotations" : "");
  return LIM_OK;
}

// No node belongs to two frames.
static lim_code check_shared(const lim_fe_mesh *mesh, const lim_fe_interface *x, int count, const lim_fe *fe,
                             lim_arena *arena, lim_error *err) {
  int *owner = lim_arena_array(arena, (size_t)mesh->nnode + 1, sizeof *owner);
  if (!owner) return lim_no_memory(err);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < x[k].count; i++) {
      int *o = &owner[x[k].node[i]];
      if (*o)
        return lim_tree_error(err, fe->frames.item[k].head.node, "%s: node %d belongs to frame '%.60s' as well",
                              fe->frames.item[k].head.where, mesh->id[x[k].node[i]], x[*o - 1].name);
      *o = k + 1;
    }
  return LIM_OK;
}

static void place(lim_fe_interface *x, const lim_fe_mesh *mesh, const lim_fe_frame *f) {
  lim_rotation_rpy(x->R, f->rpy);
  memcpy(x->X, f->xyz, sizeof x->X);
  if (!isnan(f->xyz[0])) return;
  memset(x->X, 0, sizeof x->X);
  for (int i = 0; i < x->count; i++) lim_add(x->X, 1.0 / x->count, mesh->X + 3 * (size_t)x->node[i]);
}

lim_code lim_fe_interfaces(lim_fe_interface **out, lim_arena *arena, const lim_fe_mesh *mesh, const lim_fe *fe,
                           lim_error *err) {
  const int count = fe->frames.count;
  lim_fe_interface *list = *out = lim_arena_array(arena, (size_t)count, sizeof *list);
  int *directions = lim_arena_array(arena, (size_t)mesh->nnode + 1, sizeof *directions);
  if (!list || !directions) return lim_no_memory(err);
  for (int i = 0; i < mesh->ndof; i++) directions[mesh->dof_node[i]] |= 1 << mesh->dof_direction[i];
  lim_code code = LIM_OK;
  for (int k = 0; k < count; k++) {
    const lim_fe_frame *f = &fe->frames.item[k];
    lim_fe_interface *x = &list[k];
    *x = (lim_fe_interface){.name = f->head.name, .rigid = f->coupling == LIM_COUPLING_RIGID};
    lim_code one =
        lim_fe_nodes_of(&x->node, &x->count, arena, mesh, f->nodes.item, f->nodes.count, &f->head, err);
    if (one == LIM_OK) place(x, mesh, f);
    if (one == LIM_OK) one = check_one(mesh, x, f, directions, err);
    if (one == LIM_OK) one = check_place(mesh, x, f, err);
    if (one != LIM_OK) code = one;
  }
  return code == LIM_OK ? check_shared(mesh, list, count, fe, arena, err) : code;
}
