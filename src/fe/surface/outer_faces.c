// outer_faces.c - faces of solids that no other solid shares, by lists of faces with the same lowest node; and
// shells turned alike, from neighbour to neighbour.
#include "fe/surface/outer_faces.h"

#include "math/rotation.h"

#include <stdlib.h>

// A face of a solid or an edge of a shell, by its corners.
typedef struct {
  int node[4]; // ascending, none twice; filled with -1
  int next;    // with the same lowest node; -1: the last
  int count;   // how many have these nodes; 0: the first of them counts
  int other;   // the last of these; of those that do not count the first; -1: none
  bool falls;  // an edge, which starts at the higher node
} entry;

typedef struct {
  int count, *head; // first of each node's list; -1: none   (nnode)
  entry *entry;     // (count)
} lists;

static lim_code lists_new(lists *s, int nnode, size_t most, lim_error *err) {
  *s = (lists){.head = malloc(((size_t)nnode + 1) * sizeof(int)), .entry = calloc(most + 1, sizeof(entry))};
  if (!s->head || !s->entry) return lim_no_memory(err);
  memset(s->head, 0xff, ((size_t)nnode + 1) * sizeof(int)); // all -1
  return LIM_OK;
}

static void lists_free(lists *s) {
  free(s->head);
  free(s->entry);
}

// out: the nodes in ascending order, each once, then -1
static void sort(int out[4], const int *node, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    int k = count;
    while (k > 0 && out[k - 1] > node[i]) k--;
    if (k > 0 && out[k - 1] == node[i]) continue;
    for (int j = count++; j > k; j--) out[j] = out[j - 1];
    out[k] = node[i];
  }
  for (int i = count; i < 4; i++) out[i] = -1;
}

static void add(lists *s, const int *node, int n) {
  entry e = {.count = 1, .other = -1, .falls = node[0] > node[1]};
  const int own = s->count++;
  sort(e.node, node, n);
  int i = s->head[e.node[0]];
  while (i >= 0 && memcmp(s->entry[i].node, e.node, sizeof e.node) != 0) i = s->entry[i].next;
  if (i >= 0) {
    s->entry[i].count++;
    s->entry[i].other = own;
    e.count = 0;
    e.other = i;
  } else {
    e.next = s->head[e.node[0]];
    s->head[e.node[0]] = own;
  }
  s->entry[own] = e;
}

static const lim_fe_shape_row *row_of(const lim_fe_mesh *mesh, int element) {
  return lim_fe_shape_row_of(mesh->element[element].shape);
}

int lim_fe_face_nodes(int node[LIM_FE_FACE_NODES], const lim_fe_mesh *mesh, lim_fe_outer_face face, bool back) {
  const lim_fe_shape_row *row = row_of(mesh, face.element);
  const lim_fe_face *f = &row->face[face.face];
  const int n = f->corners, *at = mesh->element_node + mesh->element[face.element].first;
  const bool reversed = back != face.turned;
  for (int k = 0; k < n; k++) {
    node[k] = at[f->node[reversed ? (n - k) % n : k]];
    if (row->middles) node[n + k] = at[f->node[n + (reversed ? n - 1 - k : k)]];
  }
  return row->middles ? 2 * n : n;
}

// --- solids ----------------------------------------------------------------------------------------------

static void list_faces(lists *s, const lim_fe_mesh *mesh) {
  int node[LIM_FE_FACE_NODES] = {0};
  for (int e = 0; e < mesh->nelement; e++) {
    const lim_fe_shape_row *row = row_of(mesh, e);
    if (row->dimension != 3) continue;
    for (int f = 0; f < row->nface; f++) {
      lim_fe_face_nodes(node, mesh, (lim_fe_outer_face){e, f, false}, false);
      add(s, node, row->face[f].corners);
    }
  }
}

// Nodes in the order of an element's mirror image: g1 x g2 . g3 < 0 in its centre.
static bool mirrored(const lim_fe_mesh *mesh, int element) {
  const lim_fe_shape_row *row = row_of(mesh, element);
  const int *node = mesh->element_node + mesh->element[element].first;
  double N[LIM_FE_NODES], dN[LIM_FE_NODES][3], g[3][3] = {{0}}, normal[3];
  row->functions(N, dN, row, row->centre);
  for (int n = 0; n < row->nodes; n++)
    for (int i = 0; i < 3; i++) lim_add(g[i], dN[n][i], mesh->X + 3 * node[n]);
  lim_cross(normal, g[0], g[1]);
  return lim_dot(normal, g[2]) < 0;
}

// Outer faces of solids and all shells, in the order in which list_faces went.
static int collect(lim_fe_outer_face *out, const lists *s, const lim_fe_mesh *mesh) {
  int count = 0, k = 0;
  for (int e = 0; e < mesh->nelement; e++) {
    const lim_fe_shape_row *row = row_of(mesh, e);
    if (row->dimension == 2) out[count++] = (lim_fe_outer_face){e, 0, false};
    if (row->dimension != 3) continue;
    for (int f = 0; f < row->nface; f++, k++)
      if (s->entry[k].count == 1 && s->entry[k].node[2] >= 0) // no face of an element that is folded together
        out[count++] = (lim_fe_outer_face){e, f, mirrored(mesh, e)};
  }
  return count;
}

// --- shells ----------------------------------------------------------------------------------------------

// Four entries each face: edges of shells, else empty.
static void list_edges(lists *s, const lim_fe_outer_face *face, int count, const lim_fe_mesh *mesh) {
  int node[LIM_FE_FACE_NODES] = {0};
  for (int k = 0; k < count; k++) {
    const lim_fe_shape_row *row = row_of(mesh, face[k].element);
    const int edges = row->dimension == 2 ? row->corners : 0;
    lim_fe_face_nodes(node, mesh, face[k], false);
    for (int i = 0; i < edges; i++) add(s, (int[]){node[i], node[(i + 1) % edges]}, 2);
    for (int i = edges; i < 4; i++) s->entry[s->count++] = (entry){.other = -1};
  }
}

// The entry of an edge's neighbour; -1: it has none, or several.
static int across(const lists *s, int edge) {
  const entry *e = &s->entry[edge];
  if (e->other < 0 || e->node[1] < 0) return -1;
  if (e->count == 0) return s->entry[e->other].count == 2 ? e->other : -1;
  return e->count == 2 ? e->other : -1;
}

// From one shell to all that hang together with it; stack and seen: as many as faces.
static void turn_from(lim_fe_outer_face *face, int start, const lists *s, int *stack, bool *seen) {
  int n = 0;
  seen[start] = true;
  stack[n++] = start;
  while (n > 0) {
    const int at = stack[--n];
    for (int edge = 4 * at; edge < 4 * at + 4; edge++) {
      const int other = across(s, edge), next = other / 4;
      if (other < 0 || seen[next]) continue;
      const bool alike = s->entry[edge].falls != s->entry[other].falls; // each runs along the edge its own way
      face[next].turned = alike ? face[at].turned : !face[at].turned;
      seen[next] = true;
      stack[n++] = next;
    }
  }
}

static lim_code turn_shells(lim_fe_outer_face *face, int count, const lim_fe_mesh *mesh, lim_error *err) {
  lists s;
  int *stack = malloc(((size_t)count + 1) * sizeof *stack);
  bool *seen = calloc((size_t)count + 1, sizeof *seen);
  lim_code code = lists_new(&s, mesh->nnode, 4 * (size_t)count, err);
  if (!code && (!stack || !seen)) code = lim_no_memory(err);
  if (!code) {
    list_edges(&s, face, count, mesh);
    for (int k = 0; k < count; k++)
      if (!seen[k] && row_of(mesh, face[k].element)->dimension == 2) turn_from(face, k, &s, stack, seen);
  }
  lists_free(&s);
  free(stack);
  free(seen);
  return code;
}

lim_code lim_fe_outer_faces(lim_fe_outer_face **out, int *count, const lim_fe_mesh *mesh, lim_error *err) {
  size_t solids = 0, shells = 0;
  for (int e = 0; e < mesh->nelement; e++) {
    const lim_fe_shape_row *row = row_of(mesh, e);
    *(row->dimension == 3 ? &solids : &shells) += (size_t)row->nface;
  }
  lists s;
  *count = 0;
  *out = malloc((solids + shells + 1) * sizeof **out);
  lim_code code = lists_new(&s, mesh->nnode, solids, err);
  if (!code && !*out) code = lim_no_memory(err);
  if (!code) {
    list_faces(&s, mesh);
    *count = collect(*out, &s, mesh);
    if (shells > 0) code = turn_shells(*out, *count, mesh, err);
  }
  lists_free(&s);
  if (!code) return LIM_OK;
  free(*out);
  *out = NULL;
  return code;
}
