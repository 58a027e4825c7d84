// surface.c - the surface of a finite-element mesh as triangles and edges. A node is up to three vertices: on
// solids, sheets and beams, and on either side of a shell. Theory: docs/theory/finite-elements.md.
#include "fe/surface/surface.h"

#include "fe/surface/outer_faces.h"
#include "math/rotation.h"

#include <limits.h>
#include <stdlib.h>

enum { MIDDLE, UPPER, LOWER, SLOTS };
enum { UNSET = INT_MIN };

typedef struct {
  const lim_fe_mesh *mesh;
  lim_fe_outer_face *face;
  int nface;
  int *slot; // vertices of each node; -1: none     (SLOTS nnode)
  int *next; // edges with the same lower vertex    (most edges)
  int *head; // the last of them by vertex; -1: none (nvertex)
} work;

static const lim_fe_shape_row *row_of(const lim_fe_mesh *mesh, int element) {
  return lim_fe_shape_row_of(mesh->element[element].shape);
}

static bool is_thick(const lim_fe_mesh *mesh, int element) {
  return row_of(mesh, element)->dimension == 2 && mesh->element[element].thickness > 0;
}

// The slots that an element's nodes have: from the first up to the second.
static int first_slot(const lim_fe_mesh *mesh, int element) { return is_thick(mesh, element) ? UPPER : MIDDLE; }
static int last_slot(const lim_fe_mesh *mesh, int element) { return is_thick(mesh, element) ? LOWER : MIDDLE; }

// --- vertices --------------------------------------------------------------------------------------------

static void mark_faces(work *w) {
  int node[LIM_FE_FACE_NODES];
  for (int f = 0; f < w->nface; f++) {
    const int e = w->face[f].element, n = lim_fe_face_nodes(node, w->mesh, w->face[f], false);
    for (int slot = first_slot(w->mesh, e); slot <= last_slot(w->mesh, e); slot++)
      for (int k = 0; k < n; k++) w->slot[SLOTS * node[k] + slot] = 0;
  }
}

static void mark_beams(work *w) {
  for (int e = 0; e < w->mesh->nelement; e++) {
    const lim_fe_shape_row *row = row_of(w->mesh, e);
    const int *node = w->mesh->element_node + w->mesh->element[e].first;
    if (row->dimension != 1) continue;
    for (int k = 0; k < row->nodes; k++) w->slot[SLOTS * node[k] + MIDDLE] = 0;
  }
}

// Vertices in the order of their nodes.
static lim_code make_vertices(lim_fe_surface *out, lim_arena *arena, work *w, lim_error *err) {
  for (int i = 0; i < SLOTS * w->mesh->nnode; i++) w->slot[i] = -1;
  mark_faces(w);
  mark_beams(w);
  for (int i = 0; i < SLOTS * w->mesh->nnode; i++)
    if (w->slot[i] >= 0) w->slot[i] = out->nvertex++;
  out->vertex = lim_arena_array(arena, (size_t)out->nvertex, sizeof *out->vertex);
  if (!out->vertex) return lim_no_memory(err);
  for (int i = 0; i < SLOTS * w->mesh->nnode; i++)
    if (w->slot[i] >= 0) out->vertex[w->slot[i]] = (lim_fe_vertex){.node = i / SLOTS, .material = UNSET};
  return LIM_OK;
}

// Vertices of a face as it is seen from the side of a slot; how many.
static int face_vertices(int v[LIM_FE_FACE_NODES], const work *w, lim_fe_outer_face face, int slot) {
  const int n = lim_fe_face_nodes(v, w->mesh, face, slot == LOWER);
  for (int k = 0; k < n; k++) v[k] = w->slot[SLOTS * v[k] + slot];
  return n;
}

// --- triangles -------------------------------------------------------------------------------------------

// Faces of 3, 4, 6 and 8 nodes.
static const struct {
  int count, corner[6][3];
} PIECES[LIM_FE_FACE_NODES + 1] = {
    [3] = {1, {{0, 1, 2}}},
    [4] = {2, {{0, 1, 2}, {0, 2, 3}}},
    [6] = {4, {{0, 3, 5}, {3, 1, 4}, {4, 2, 5}, {3, 4, 5}}},
    [8] = {6, {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 6}, {4, 6, 7}}},
};

static void cut(lim_fe_surface *out, const int *v, int n) {
  for (int k = 0; k < PIECES[n].count; k++) {
    const int *c = PIECES[n].corner[k];
    const int a = v[c[0]], b = v[c[1]], d = v[c[2]];
    if (a == b || b == d || d == a) continue; // of an element that is folded together
    int *t = out->triangle + 3 * out->ntriangle++;
    t[0] = a, t[1] = b, t[2] = d;
  }
}

static lim_code make_triangles(lim_fe_surface *out, lim_arena *arena, const work *w, lim_error *err) {
  int v[LIM_FE_FACE_NODES];
  size_t most = 0;
  for (int f = 0; f < w->nface; f++) {
    const int n = lim_fe_face_nodes(v, w->mesh, w->face[f], false);
    most += (size_t)PIECES[n].count * (is_thick(w->mesh, w->face[f].element) ? 2 : 1);
  }
  out->triangle = lim_arena_array(arena, 3 * most, sizeof(int));
  if (!out->triangle) return lim_no_memory(err);
  for (int f = 0; f < w->nface; f++) {
    const int e = w->face[f].element;
    for (int slot = first_slot(w->mesh, e); slot <= last_slot(w->mesh, e); slot++)
      cut(out, v, face_vertices(v, w, w->face[f], slot));
  }
  return LIM_OK;
}

// --- normals and offsets ---------------------------------------------------------------------------------

// Twice the area of a triangle between nodes, along its normal.
static void area(double out[3], const lim_fe_surface *s, const double *X, const int *triangle) {
  double side[2][3];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      side[k][i] = X[3 * s->vertex[triangle[k + 1]].node + i] - X[3 * s->vertex[triangle[0]].node + i];
  lim_cross(out, side[0], side[1]);
}

// Sums of areas; where they cancel each other, one of them.
static void make_normals(lim_fe_surface *out, const double *X) {
  double a[3];
  for (int t = 0; t < out->ntriangle; t++) {
    area(a, out, X, out->triangle + 3 * t);
    for (int k = 0; k < 3; k++) lim_add(out->vertex[out->triangle[3 * t + k]].normal, 1, a);
  }
  for (int t = 0; t < out->ntriangle; t++) {
    area(a, out, X, out->triangle + 3 * t);
    for (int k = 0; k < 3; k++) {
      double *normal = out->vertex[out->triangle[3 * t + k]].normal;
      if (lim_dot(normal, normal) <= 1e-18 * lim_dot(a, a)) memcpy(normal, a, sizeof a);
    }
  }
  for (int v = 0; v < out->nvertex; v++) {
    double *normal = out->vertex[v].normal, length = sqrt(lim_dot(normal, normal));
    for (int i = 0; i < 3 && length > 0; i++) normal[i] /= length;
  }
}

// Half the mean thickness of the shells there, along the normal.
static lim_code make_offsets(lim_fe_surface *out, const work *w, lim_error *err) {
  int v[LIM_FE_FACE_NODES], *count = calloc((size_t)out->nvertex + 1, sizeof *count);
  double *sum = calloc((size_t)out->nvertex + 1, sizeof *sum);
  for (int f = 0; f < w->nface && count && sum; f++) {
    const lim_fe_element *e = &w->mesh->element[w->face[f].element];
    for (int slot = UPPER; slot <= LOWER && is_thick(w->mesh, w->face[f].element); slot++)
      for (int n = face_vertices(v, w, w->face[f], slot); n-- > 0;) count[v[n]]++, sum[v[n]] += e->thickness;
  }
  for (int i = 0; i < out->nvertex && count && sum; i++)
    if (count[i] > 0) lim_add(out->vertex[i].offset, sum[i] / count[i] / 2, out->vertex[i].normal);
  const lim_code code = count && sum ? LIM_OK : lim_no_memory(err);
  free(count);
  free(sum);
  return code;
}

// --- materials -------------------------------------------------------------------------------------------

static void join_material(int *material, int other) {
  if (*material == UNSET)
    *material = other;
  else if (*material != other)
    *material = -1;
}

// Of solids and shells; of beams where there are none of them.
static void make_materials(lim_fe_surface *out, const work *w, bool beams) {
  for (int e = 0; e < w->mesh->nelement; e++) {
    const lim_fe_shape_row *row = row_of(w->mesh, e);
    const int *node = w->mesh->element_node + w->mesh->element[e].first;
    if ((row->dimension == 1) != beams) continue;
    for (int k = 0; k < row->nodes; k++)
      for (int slot = first_slot(w->mesh, e); slot <= last_slot(w->mesh, e); slot++) {
        const int v = w->slot[SLOTS * node[k] + slot];
        if (v < 0 || (beams && lim_dot(out->vertex[v].normal, out->vertex[v].normal) > 0)) continue;
        join_material(&out->vertex[v].material, w->mesh->element[e].material);
      }
  }
}

// --- edges -----------------------------------------------------------------------------------------------

static void add_edge(lim_fe_surface *out, work *w, int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  int i = w->head[low];
  while (i >= 0 && out->edge[2 * i + 1] != high) i = w->next[i];
  if (i >= 0 || a == b) return;
  out->edge[2 * out->nedge] = low;
  out->edge[2 * out->nedge + 1] = high;
  w->next[out->nedge] = w->head[low];
  w->head[low] = out->nedge++;
}

// Around a face of n vertices, through the middles of its edges.
static void add_rim(lim_fe_surface *out, work *w, const int *v, int n) {
  const int corners = n > 4 ? n / 2 : n;
  for (int k = 0; k < corners; k++) {
    const int next = v[(k + 1) % corners], middle = n > 4 ? v[corners + k] : next;
    add_edge(out, w, v[k], middle);
    add_edge(out, w, middle, next);
  }
}

static void add_beams(lim_fe_surface *out, work *w) {
  for (int e = 0; e < w->mesh->nelement; e++) {
    const lim_fe_shape_row *row = row_of(w->mesh, e);
    const int *node = w->mesh->element_node + w->mesh->element[e].first;
    for (int k = 0; row->dimension == 1 && k + 1 < row->nodes; k++)
      add_edge(out, w, w->slot[SLOTS * node[k] + MIDDLE], w->slot[SLOTS * node[k + 1] + MIDDLE]);
  }
}

// Room for all edges, were none shared.
static lim_code room_for_edges(lim_fe_surface *out, lim_arena *arena, work *w, lim_error *err) {
  int node[LIM_FE_FACE_NODES];
  size_t most = 0;
  for (int f = 0; f < w->nface; f++)
    most += (size_t)lim_fe_face_nodes(node, w->mesh, w->face[f], false) *
            (is_thick(w->mesh, w->face[f].element) ? 2 : 1);
  for (int e = 0; e < w->mesh->nelement; e++) most += row_of(w->mesh, e)->dimension == 1 ? 2 : 0;
  out->edge = lim_arena_array(arena, 2 * most, sizeof(int));
  w->next = malloc((most + 1) * sizeof(int));
  w->head = malloc(((size_t)out->nvertex + 1) * sizeof(int));
  if (!out->edge || !w->next || !w->head) return lim_no_memory(err);
  for (int v = 0; v < out->nvertex; v++) w->head[v] = -1;
  return LIM_OK;
}

static lim_code make_edges(lim_fe_surface *out, lim_arena *arena, work *w, lim_error *err) {
  int v[LIM_FE_FACE_NODES];
  const lim_code code = room_for_edges(out, arena, w, err);
  if (code) return code;
  for (int f = 0; f < w->nface; f++) {
    const int e = w->face[f].element;
    for (int slot = first_slot(w->mesh, e); slot <= last_slot(w->mesh, e); slot++)
      add_rim(out, w, v, face_vertices(v, w, w->face[f], slot));
  }
  add_beams(out, w);
  return LIM_OK;
}

// --- all of it -------------------------------------------------------------------------------------------

static lim_code build(lim_fe_surface *out, lim_arena *arena, work *w, lim_error *err) {
  lim_code code = make_vertices(out, arena, w, err);
  if (!code) code = make_triangles(out, arena, w, err);
  if (code) return code;
  make_normals(out, w->mesh->X);
  make_materials(out, w, false);
  make_materials(out, w, true);
  code = make_offsets(out, w, err);
  return code ? code : make_edges(out, arena, w, err);
}

lim_code lim_fe_surface_of(lim_fe_surface *out, lim_arena *arena, const lim_fe_mesh *mesh, lim_error *err) {
  work w = {.mesh = mesh, .slot = malloc(((size_t)mesh->nnode + 1) * SLOTS * sizeof(int))};
  *out = (lim_fe_surface){0};
  lim_code code = lim_fe_outer_faces(&w.face, &w.nface, mesh, err);
  if (!code && !w.slot) code = lim_no_memory(err);
  if (!code) code = build(out, arena, &w, err);
  free(w.face);
  free(w.slot);
  free(w.next);
  free(w.head);
  return code;
}
