// places.c - what frames and sets of nodes do by the coordinates of a link. Theory:
// docs/theory/finite-elements.md (2).
#include "fe/places.h"

#include "fe/interfaces.h"
#include "math/rotation.h"

#include <string.h>

static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Which block of six coordinates belongs to an interface; -1: it is the base.
static int block_of(const lim_fe_coupled *c, int interface) {
  return interface == c->base ? -1 : interface - (interface > c->base);
}

// Columns of a motion (6) of file axes into those of base: N (6 x n by rows).
static void turn_rows(double *N, const double R[9], int n) {
  for (int j = 0; j < n; j++)
    for (int half = 0; half < 2; half++) {
      double x[3], y[3];
      for (int i = 0; i < 3; i++) x[i] = N[(3 * half + i) * n + j];
      lim_rotate_back(y, R, x);
      for (int i = 0; i < 3; i++) N[(3 * half + i) * n + j] = y[i];
    }
}

static void locate(lim_fe_place *p, const lim_fe_interface *base, const double X[3], const double R[9]) {
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = X[i] - base->X[i];
  lim_rotate_back(p->X, base->R, r);
  lim_mat3_seen_from(p->R, base->R, R);
}

// The motion of an interface is six of the raw coordinates, which are T eta.
static void frame_rows(double *N, const lim_fe_coupled *c, const lim_fe_shapes *s, int interface) {
  const int block = block_of(c, interface), n = s->n;
  for (int i = 0; i < 6 && block >= 0; i++)
    for (int j = 0; j < n; j++) N[i * n + j] = s->T[(size_t)j * (size_t)n + (size_t)(6 * block + i)];
}

// The mean motion of nodes: C Phi. N is 0 before.
static void set_rows(double *N, lim_fe_place *p, const lim_fe_coupled *c, const lim_fe_shapes *s,
                     const lim_fe_set *set, const double X[3], double *C) {
  const size_t ndof = (size_t)c->mesh->ndof;
  p->turns = lim_fe_mean_rows(C, c->mesh, set->node, set->count, X);
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < ndof; k++) {
      if (C[i * ndof + k] == 0) continue; // most are
      for (int j = 0; j < s->n; j++)
        N[i * (size_t)s->n + (size_t)j] += C[i * ndof + k] * s->Phi[(size_t)j * ndof + k];
    }
}

static bool take(lim_fe_place *p, lim_arena *arena, const char *name, int n) {
  *p = (lim_fe_place){.name = lim_arena_text(arena, name, strlen(name))};
  p->N = lim_arena_array(arena, 6 * (size_t)n + 1, sizeof *p->N);
  return p->name && p->N;
}

static lim_code add_set(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                        const lim_fe_set *set, double *C, lim_error *err) {
  lim_fe_place *p = &link->place[link->nplace];
  double X[3] = {0};
  if (!take(p, arena, set->name, s->n)) return lim_no_memory(err);
  for (int i = 0; i < set->count; i++) lim_add(X, 1.0 / set->count, c->mesh->X + 3 * (size_t)set->node[i]);
  locate(p, &c->at[c->base], X, c->at[c->base].R);
  memcpy(p->R, unit, sizeof unit);
  set_rows(p->N, p, c, s, set, X, C);
  const lim_fe_set *own = lim_fe_find_set(c->mesh, set->name);
  for (int i = 0; own && i < 3; i++) p->left[i] = s->left[3 * (own - c->mesh->set) + i];
  turn_rows(p->N, c->at[c->base].R, s->n);
  link->nplace++;
  return LIM_OK;
}

static lim_code add_frame(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                          int interface, lim_error *err) {
  lim_fe_place *p = &link->place[link->nplace];
  if (!take(p, arena, c->at[interface].name, s->n)) return lim_no_memory(err);
  p->frame = p->turns = true;
  locate(p, &c->at[c->base], c->at[interface].X, c->at[interface].R);
  frame_rows(p->N, c, s, interface);
  turn_rows(p->N, c->at[c->base].R, s->n);
  link->nplace++;
  return LIM_OK;
}

static bool is_there(const lim_fe_link *link, const char *name) {
  for (int i = 0; i < link->nplace; i++)
    if (!strcmp(link->place[i].name, name)) return true;
  return false;
}

lim_code lim_fe_fill_places(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c,
                            const lim_fe_shapes *s, const lim_fe *fe, lim_error *err) {
  const lim_fe_mesh *mesh = c->mesh;
  lim_arena scratch = {0};
  double *C = lim_arena_array(&scratch, 6 * (size_t)mesh->ndof + 1, sizeof *C);
  link->place = lim_arena_array(arena, (size_t)(fe->places.count + mesh->nset) + 1, sizeof *link->place);
  lim_code code = C && link->place ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < fe->places.count && code == LIM_OK; i++) {
    const lim_fe_place_name *x = &fe->places.item[i];
    const lim_ref ref = {.text = x->name, .node = x->node};
    const lim_head head = {.where = fe->head.where, .node = x->node};
    int *node, count;
    const lim_fe_set *set = x->frame >= 0 ? lim_fe_find_set(mesh, x->name) : NULL;
    const lim_fe_interface *at = x->frame >= 0 ? &c->at[x->frame] : NULL;
    if (set && !strcmp(set->name, x->name) &&
        (set->count != at->count || memcmp(set->node, at->node, (size_t)set->count * sizeof *set->node) != 0))
      code = lim_tree_error(err, x->node,
                            "%s: the mesh has a set '%.60s' of other nodes; name the frame otherwise",
                            fe->head.where, x->name);
    else if (x->frame >= 0)
      code = add_frame(link, arena, c, s, x->frame, err);
    else
      code = lim_fe_nodes_of(&node, &count, &scratch, mesh, &ref, 1, &head, err);
    if (code == LIM_OK && x->frame < 0)
      code = add_set(link, arena, c, s, &(lim_fe_set){.name = x->name, .node = node, .count = count}, C, err);
  }
  for (int i = 0; i < mesh->nset && code == LIM_OK; i++)
    if (mesh->set[i].count && !is_there(link, mesh->set[i].name))
      code = add_set(link, arena, c, s, &mesh->set[i], C, err);
  lim_arena_free(&scratch);
  return code;
}
