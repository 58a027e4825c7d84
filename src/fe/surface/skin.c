// skin.c - the surface of a reduced link: what is drawn, stresses, strains. Theory:
// docs/theory/finite-elements.md (15).
#include "fe/surface/skin.h"

#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_arena arena; // scratch
  const lim_fe_coupled *c;
  const lim_fe_shapes *s;
  const lim_material *material; // in place of those of the mesh; NULL: none
  lim_fe_surface surface;
  double *u;      // six of every node, file axes, of one coordinate   (6 nnode)
  double *strain; // at all vertices, file axes                        (6 nvertex)
} skinning;

static const double *axes(const skinning *w) { return w->c->at[w->c->base].R; }

// A symmetric tensor (xx yy zz xy xz yz) in axes R of the file; k: 2 where its last three are doubled, else 1.
static void turn_tensor(double out[6], const double R[9], const double e[6], double k) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const double E[9] = {e[0], e[3] / k, e[4] / k, e[3] / k, e[1], e[5] / k, e[4] / k, e[5] / k, e[2]};
  for (int c = 0; c < 6; c++) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sum += R[3 * i + pair[c][0]] * E[3 * i + j] * R[3 * j + pair[c][1]];
    out[c] = c < 3 ? sum : k * sum;
  }
}

static void gather(skinning *w, int j) {
  lim_fe_by_node(w->u, w->c->mesh, w->s->Phi + (size_t)j * (size_t)w->c->mesh->ndof);
}

// E and nu of an element or vertex; NaN: not known.
static void elastic_of(double *E, double *nu, const skinning *w, int material) {
  const lim_fe_material *own = material >= 0 ? &w->c->mesh->material[material] : NULL;
  *E = w->material ? w->material->E : own ? own->E : NAN;
  *nu = w->material ? w->material->nu : own ? own->nu : NAN;
}

// --- vertices ---

static void fill_vertex(lim_fe_skin *skin, const skinning *w, int v) {
  const lim_fe_vertex *x = &w->surface.vertex[v];
  const double *at = w->c->mesh->X + 3 * (size_t)x->node, *base = w->c->at[w->c->base].X;
  double r[3], place[3];
  for (int i = 0; i < 3; i++) r[i] = at[i] + x->offset[i] - base[i];
  lim_rotate_back(place, axes(w), r);
  skin->id[v] = w->c->mesh->id[x->node];
  for (int i = 0; i < 3; i++) skin->X[3 * v + i] = (float)place[i];
}

static void fill_shape(float *out, const skinning *w, int v) {
  const lim_fe_vertex *x = &w->surface.vertex[v];
  const double *u = w->u + 6 * (size_t)x->node;
  double d[3] = {u[0], u[1], u[2]}, moved[3];
  lim_add_cross(d, u + 3, x->offset);
  lim_rotate_back(moved, axes(w), d);
  for (int i = 0; i < 3; i++) out[i] = (float)moved[i];
}

static void fill_strength(lim_fe_skin *skin, const skinning *w, size_t at, int v) {
  double e[6], E, nu, stress[6];
  turn_tensor(e, axes(w), w->strain + 6 * (size_t)v, 2);
  elastic_of(&E, &nu, w, w->surface.vertex[v].material);
  lim_fe_stress(stress, e, E, nu);
  for (size_t i = 0; i < 6; i++) {
    skin->strain[6 * at + i] = isnan(e[i]) ? 0 : (float)e[i];
    if (skin->stress) skin->stress[6 * at + i] = isnan(stress[i]) ? 0 : (float)stress[i];
  }
}

// Whether the stress of any vertex is known.
static bool is_stressed(const skinning *w) {
  double E, nu;
  for (int v = 0; v < w->surface.nvertex; v++) {
    elastic_of(&E, &nu, w, w->surface.vertex[v].material);
    if (!isnan(E) && !isnan(nu)) return true;
  }
  return false;
}

static bool take(lim_fe_skin *s, lim_arena *arena, const skinning *w) {
  const size_t nv = (size_t)w->surface.nvertex, n = (size_t)w->s->n;
  *s = (lim_fe_skin){w->surface.nvertex, w->surface.ntriangle, w->surface.nedge};
  s->id = lim_arena_array(arena, nv + 1, sizeof *s->id);
  s->X = lim_arena_array(arena, 3 * nv + 1, sizeof *s->X);
  s->triangle = lim_arena_array(arena, 3 * (size_t)s->ntriangle + 1, sizeof *s->triangle);
  s->edge = lim_arena_array(arena, 2 * (size_t)s->nedge + 1, sizeof *s->edge);
  s->shape = lim_arena_array(arena, 3 * nv * n + 1, sizeof *s->shape);
  s->strain = lim_arena_array(arena, 6 * nv * n + 1, sizeof *s->strain);
  if (is_stressed(w)) s->stress = lim_arena_array(arena, 6 * nv * n + 1, sizeof *s->stress);
  return s->id && s->X && s->triangle && s->edge && s->shape && s->strain && (s->stress || !is_stressed(w));
}

static lim_code fill_skin(lim_fe_skin *skin, skinning *w, lim_error *err) {
  const size_t nv = (size_t)skin->nvertex;
  lim_code code = LIM_OK;
  for (int v = 0; v < skin->nvertex; v++) fill_vertex(skin, w, v);
  memcpy(skin->triangle, w->surface.triangle, 3 * (size_t)skin->ntriangle * sizeof *skin->triangle);
  memcpy(skin->edge, w->surface.edge, 2 * (size_t)skin->nedge * sizeof *skin->edge);
  for (int j = 0; j < w->s->n && code == LIM_OK; j++) {
    gather(w, j);
    code = lim_fe_surface_strains(w->strain, &w->surface, w->c->mesh, w->u, err);
    for (int v = 0; v < skin->nvertex && code == LIM_OK; v++) {
      fill_shape(skin->shape + 3 * ((size_t)j * nv + (size_t)v), w, v);
      fill_strength(skin, w, (size_t)j * nv + (size_t)v, v);
    }
  }
  return code;
}

// --- elements ---

static int by_id(const void *a, const void *b) {
  const lim_fe_element *x = *(const lim_fe_element *const *)a, *y = *(const lim_fe_element *const *)b;
  return (x->id > y->id) - (x->id < y->id);
}

static bool is_shell(const lim_fe_element *x) { return x->shape >= LIM_FE_TRI3 && x->shape <= LIM_FE_QUAD8; }

// Strains of an element in coordinate j, both sides of a shell; false: not known.
static bool fill_element(float *out, const skinning *w, const lim_fe_element *x) {
  const int index = (int)(x - w->c->mesh->element);
  for (int side = 0; side < 2; side++) {
    double e[6], turned[6];
    if (!lim_fe_element_strain(e, w->c->mesh, index, is_shell(x) ? 1 - 2 * side : 0, w->u)) return false;
    turn_tensor(turned, axes(w), e, 2);
    for (int i = 0; i < 6; i++) out[6 * side + i] = (float)turned[i];
  }
  return true;
}

static lim_code fill_elements(lim_fe_strains *out, lim_arena *arena, skinning *w, lim_error *err) {
  const lim_fe_mesh *m = w->c->mesh;
  const size_t n = (size_t)w->s->n;
  const lim_fe_element **order = lim_arena_array(&w->arena, (size_t)m->nelement + 1, sizeof *order);
  if (!order) return lim_no_memory(err);
  gather(w, 0);
  for (int i = 0; i < m->nelement && n; i++) {
    float trial[12];
    if (fill_element(trial, w, &m->element[i])) order[out->count++] = &m->element[i];
  }
  qsort(order, (size_t)out->count, sizeof *order, by_id);
  out->id = lim_arena_array(arena, (size_t)out->count + 1, sizeof *out->id);
  out->E = lim_arena_array(arena, (size_t)out->count + 1, sizeof *out->E);
  out->strain = lim_arena_array(arena, (size_t)out->count * 12 * n + 1, sizeof *out->strain);
  if (!out->id || !out->E || !out->strain) return lim_no_memory(err);
  for (int i = 0; i < out->count; i++) {
    double nu;
    out->id[i] = order[i]->id;
    elastic_of(&out->E[i], &nu, w, order[i]->material);
  }
  for (size_t j = 0; j < n; j++) {
    gather(w, (int)j);
    for (int i = 0; i < out->count; i++) fill_element(out->strain + ((size_t)i * n + j) * 12, w, order[i]);
  }
  return LIM_OK;
}

lim_code lim_fe_fill_skin(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                          const lim_material *material, lim_error *err) {
  skinning w = {.c = c, .s = s, .material = material};
  lim_code code = lim_fe_surface_of(&w.surface, &w.arena, c->mesh, err);
  w.u = lim_arena_array(&w.arena, 6 * (size_t)c->mesh->nnode + 1, sizeof *w.u);
  w.strain = lim_arena_array(&w.arena, 6 * (size_t)w.surface.nvertex + 1, sizeof *w.strain);
  if (code == LIM_OK && (!w.u || !w.strain || !take(&link->skin, arena, &w))) code = lim_no_memory(err);
  if (code == LIM_OK) code = fill_skin(&link->skin, &w, err);
  if (code == LIM_OK) code = fill_elements(&link->strains, arena, &w, err);
  lim_arena_free(&w.arena);
  return code;
}
