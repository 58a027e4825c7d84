// surface_thin.c - a surface with fewer vertices: space is cut into cells, and all vertices of a cell that face
// alike become the one that is nearest to their middle.
#include "scene/surface.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 12, CELLS = 1 << 19 }; // cells along one axis, at most

typedef struct {
  uint64_t cell; // and where it faces
  int vertex;
} member;

typedef struct {
  lim_arena arena; // scratch
  const lim_fe_skin *skin;
  float low[3];
  double size;           // of a cell
  unsigned char *facing; // axis and sign; of vertices without triangles 6   (nvertex)
  member *member;        // in the order of their cells                      (nvertex)
  int *to;               // the vertex that each becomes                     (nvertex)
  int *from;             // its vertex                                       (count)
  int count;
} thinning;

// --- where vertices face ---

static void add_normal(float (*normal)[3], const lim_fe_skin *k, const int *t) {
  const float *a = k->X + 3 * t[0], *b = k->X + 3 * t[1], *c = k->X + 3 * t[2];
  for (int i = 0; i < 3; i++) {
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    const float n = (b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p]);
    for (int v = 0; v < 3; v++) normal[t[v]][i] += n;
  }
}

static bool find_facing(thinning *w) {
  const lim_fe_skin *k = w->skin;
  float(*normal)[3] = lim_arena_array(&w->arena, (size_t)k->nvertex, sizeof *normal);
  if (!normal) return false;
  for (int t = 0; t < k->ntriangle; t++) add_normal(normal, k, k->triangle + 3 * t);
  for (int v = 0; v < k->nvertex; v++) {
    int axis = 0;
    for (int i = 1; i < 3; i++)
      if (fabsf(normal[v][i]) > fabsf(normal[v][axis])) axis = i;
    w->facing[v] = (unsigned char)(normal[v][axis] == 0 ? 6 : 2 * axis + (normal[v][axis] < 0));
  }
  return true;
}

// --- cells ---

static int by_cell(const void *a, const void *b) {
  const member *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

// Sorts all vertices by cells of this size, and counts these.
static int sort_into(thinning *w, double size) {
  int count = 0;
  w->size = size;
  for (int v = 0; v < w->skin->nvertex; v++) {
    uint64_t cell = w->facing[v];
    for (int i = 0; i < 3; i++) {
      const double at = floor((double)(w->skin->X[3 * v + i] - w->low[i]) / size);
      cell = cell << 20 | (uint64_t)fmax(0, fmin(at, CELLS));
    }
    w->member[v] = (member){cell, v};
  }
  qsort(w->member, (size_t)w->skin->nvertex, sizeof *w->member, by_cell);
  for (int v = 0; v < w->skin->nvertex; v++) count += v == 0 || w->member[v].cell != w->member[v - 1].cell;
  return count;
}

// The number of cells goes with 1/size^2, as they lie on a surface.
static int choose_size(thinning *w, int most) {
  double box[3] = {0};
  for (int i = 0; i < 3; i++) w->low[i] = w->skin->X[i];
  for (int v = 0; v < w->skin->nvertex; v++)
    for (int i = 0; i < 3; i++) w->low[i] = fminf(w->low[i], w->skin->X[3 * v + i]);
  for (int v = 0; v < w->skin->nvertex; v++)
    for (int i = 0; i < 3; i++) box[i] = fmax(box[i], (double)(w->skin->X[3 * v + i] - w->low[i]));
  const double diagonal = sqrt(box[0] * box[0] + box[1] * box[1] + box[2] * box[2]);
  double size = diagonal / sqrt(most), fits = diagonal * 2; // one cell holds all
  int count = 0;
  for (int i = 0; i < TRIES && !(count <= most && count > 0.8 * most); i++) {
    count = sort_into(w, size);
    if (count <= most) fits = fmin(fits, size);
    size *= sqrt(fmax(count, 1) / (0.92 * most));
  }
  return count <= most ? count : sort_into(w, fits);
}

// --- the new surface ---

// The member from `first` to before `end` that is nearest to their middle.
static int middle_of(const thinning *w, int first, int end) {
  double sum[3] = {0}, least = INFINITY;
  int best = w->member[first].vertex;
  for (int k = first; k < end; k++)
    for (int i = 0; i < 3; i++) sum[i] += (double)w->skin->X[3 * w->member[k].vertex + i] / (end - first);
  for (int k = first; k < end; k++) {
    double far = 0;
    for (int i = 0; i < 3; i++) far += pow((double)w->skin->X[3 * w->member[k].vertex + i] - sum[i], 2);
    if (far < least) least = far, best = w->member[k].vertex;
  }
  return best;
}

static void choose_vertices(thinning *w) {
  const int nvertex = w->skin->nvertex;
  for (int first = 0, end = 0; first < nvertex; first = end) {
    while (end < nvertex && w->member[end].cell == w->member[first].cell) end++;
    w->from[w->count] = middle_of(w, first, end);
    for (int k = first; k < end; k++) w->to[w->member[k].vertex] = w->count;
    w->count++;
  }
}

static bool copy(float **out, lim_arena *arena, const thinning *w, const float *from, size_t n, size_t wide) {
  const size_t nvertex = (size_t)w->skin->nvertex, count = (size_t)w->count;
  *out = NULL;
  if (!from) return true;
  *out = lim_arena_array(arena, n * count * wide + 1, sizeof **out);
  for (size_t j = 0; *out && j < n; j++)
    for (size_t v = 0; v < count; v++)
      memcpy(*out + (j * count + v) * wide, from + (j * nvertex + (size_t)w->from[v]) * wide,
             wide * sizeof **out);
  return *out != NULL;
}

static bool copy_vertices(lim_fe_skin *out, lim_arena *arena, const thinning *w, size_t n) {
  const lim_fe_skin *k = w->skin;
  out->nvertex = w->count;
  out->id = lim_arena_array(arena, (size_t)w->count, sizeof *out->id);
  for (int v = 0; out->id && v < w->count; v++) out->id[v] = k->id[w->from[v]];
  return out->id && copy(&out->X, arena, w, k->X, 1, 3) && copy(&out->shape, arena, w, k->shape, n, 3) &&
         copy(&out->stress, arena, w, k->stress, n, 6) && copy(&out->strain, arena, w, k->strain, n, 6);
}

static bool copy_faces(lim_fe_skin *out, lim_arena *arena, const thinning *w) {
  const lim_fe_skin *k = w->skin;
  out->triangle = lim_arena_array(arena, 3 * (size_t)k->ntriangle + 1, sizeof *out->triangle);
  out->edge = lim_arena_array(arena, 2 * (size_t)k->nedge + 1, sizeof *out->edge);
  if (!out->triangle || !out->edge) return false;
  for (int t = 0; t < k->ntriangle; t++) {
    int x[3];
    for (int i = 0; i < 3; i++) x[i] = w->to[k->triangle[3 * t + i]];
    if (x[0] != x[1] && x[1] != x[2] && x[2] != x[0]) memcpy(out->triangle + 3 * out->ntriangle++, x, sizeof x);
  }
  for (int e = 0; e < k->nedge; e++) {
    const int *end = k->edge + 2 * e, x[2] = {w->to[end[0]], w->to[end[1]]};
    const bool beam = w->facing[end[0]] == 6 || w->facing[end[1]] == 6;
    if (beam && x[0] != x[1]) memcpy(out->edge + 2 * out->nedge++, x, sizeof x);
  }
  return true;
}

lim_code lim_surface_thin(lim_fe_skin *out, lim_arena *arena, const lim_fe_skin *skin, int n, int most,
                          lim_error *err) {
  thinning w = {.skin = skin};
  const size_t nvertex = (size_t)skin->nvertex;
  w.facing = lim_arena_array(&w.arena, nvertex, sizeof *w.facing);
  w.member = lim_arena_array(&w.arena, nvertex, sizeof *w.member);
  w.to = lim_arena_array(&w.arena, nvertex, sizeof *w.to);
  w.from = lim_arena_array(&w.arena, nvertex, sizeof *w.from);
  bool good = w.facing && w.member && w.to && w.from && find_facing(&w);
  *out = (lim_fe_skin){0};
  if (good) {
    choose_size(&w, most);
    choose_vertices(&w);
    good = copy_vertices(out, arena, &w, (size_t)n) && copy_faces(out, arena, &w);
  }
  lim_arena_free(&w.arena);
  return good ? LIM_OK : lim_no_memory(err);
}
