// build.c - a deck as it was read into nodes, sets, elements and materials of a mesh, in SI.
#include "fe/read/deck.h"

#include "base/grow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  lim_fe_mesh *m;
  lim_fe_deck *d;
  double length, mass_unit;
} builder;

static lim_code error_at(const builder *b, lim_deck_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static lim_code error_at(const builder *b, lim_deck_place at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  lim_error_addv(b->d->err, LIM_BAD_INPUT, at.file, at.line, 0, format, args);
  va_end(args);
  return LIM_BAD_INPUT;
}

// "line 5", with its file where that is another one.
enum { PLACE = 300 };
static const char *also(char out[PLACE], lim_deck_place other, lim_deck_place here) {
  const bool same = other.file == here.file;
  snprintf(out, PLACE, "line %d%s%.200s", other.line, same ? "" : " of ", same ? "" : other.file);
  return out;
}

// --- nodes ---

static int by_id(const void *x, const void *y) {
  const lim_fe_deck_node *a = x, *b = y;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static lim_code check_nodes(const builder *b) {
  char place[PLACE];
  for (size_t i = 0; i + 1 < b->d->nnode; i++) {
    const lim_fe_deck_node *x = &b->d->node[i], *y = x + 1;
    if (x->id != y->id) continue;
    const bool same = x->x[0] == y->x[0] && x->x[1] == y->x[1] && x->x[2] == y->x[2];
    return error_at(b, y->at, "duplicate node %d%s: also in %s", y->id, same ? "" : ", with other coordinates",
                    also(place, x->at, y->at));
  }
  return LIM_OK;
}

static lim_code put_nodes(const builder *b) {
  lim_fe_mesh *m = b->m;
  const size_t n = b->d->nnode;
  if (n > INT_MAX / 6) return LIM_FAIL(b->d->err, LIM_BAD_INPUT, "more than %d nodes", INT_MAX / 6);
  m->id = lim_arena_array(&m->arena, n, sizeof *m->id);
  m->X = lim_arena_array(&m->arena, 3 * n, sizeof *m->X);
  if (!m->id || !m->X) return lim_no_memory(b->d->err);
  m->nnode = (int)n;
  for (size_t i = 0; i < n; i++) {
    const lim_fe_deck_node *x = &b->d->node[i];
    m->id[i] = x->id;
    for (int k = 0; k < 3; k++) {
      m->X[3 * i + k] = x->x[k] * b->length;
      if (!isfinite(m->X[3 * i + k])) return error_at(b, x->at, "node %d is too far away", x->id);
    }
  }
  return LIM_OK;
}

static lim_code build_nodes(const builder *b) {
  bool ascending = true;
  for (size_t i = 0; i + 1 < b->d->nnode; i++) ascending = ascending && b->d->node[i].id < b->d->node[i + 1].id;
  if (!ascending) qsort(b->d->node, b->d->nnode, sizeof *b->d->node, by_id);
  lim_code code = check_nodes(b);
  return code == LIM_OK ? put_nodes(b) : code;
}

// --- sets ---

typedef struct {
  size_t count, capacity;
  int *node; // heap
} list;

// The first node whose id is not below.
static int first_from(const lim_fe_mesh *m, int id) {
  int low = 0, high = m->nnode;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (m->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Nodes of a range; *missing: how many of it there are not.
static bool add_range(list *out, long *missing, const lim_fe_mesh *m, const lim_fe_range *r) {
  long found = 0;
  for (int i = first_from(m, r->first); i < m->nnode && m->id[i] <= r->last; i++) {
    if ((m->id[i] - r->first) % r->step) continue;
    if (!LIM_GROW(out->node, out->capacity, out->count)) return false;
    out->node[out->count++] = i;
    found++;
  }
  *missing = ((long)r->last - r->first) / r->step + 1 - found;
  return true;
}

static lim_code missing_node(const builder *b, const lim_fe_group *g, const lim_fe_range *r) {
  int id = r->first;
  while (id < r->last && lim_fe_node(b->m, id) >= 0) id++;
  return error_at(b, r->at, "node %d of set '%.80s' has no coordinates", id, g->name);
}

static int by_value(const void *x, const void *y) {
  const int a = *(const int *)x, b = *(const int *)y;
  return a < b ? -1 : a > b;
}

static lim_code put_set(const builder *b, lim_fe_set *out, const lim_fe_group *g, const list *l) {
  int n = 0;
  if (l->count > 1) qsort(l->node, l->count, sizeof *l->node, by_value);
  for (size_t i = 0; i < l->count; i++)
    if (n == 0 || l->node[n - 1] != l->node[i]) l->node[n++] = l->node[i];
  int *node = lim_arena_array(&b->m->arena, (size_t)n + 1, sizeof *node);
  if (!node) return lim_no_memory(b->d->err);
  if (n) memcpy(node, l->node, (size_t)n * sizeof *node);
  *out = (lim_fe_set){g->name, n, node, g->at.line};
  return LIM_OK;
}

static lim_code build_set(const builder *b, lim_fe_set *out, const lim_fe_group *g) {
  list l = {0};
  lim_code code = LIM_OK;
  long missing = 0, lost = 0;
  for (size_t i = 0; i < g->count && code == LIM_OK; i++) {
    const lim_fe_range *r = &g->range[i];
    if (!add_range(&l, &missing, b->m, r))
      code = lim_no_memory(b->d->err);
    else if (missing && !r->generated)
      code = missing_node(b, g, r);
    lost += missing;
  }
  if (code == LIM_OK && lost)
    lim_warn(b->d->err, NAN, NULL, "%s:%d: set '%.80s' counts %ld nodes that there are not; they are left out",
             g->at.file, g->at.line, g->name, lost);
  if (code == LIM_OK) code = put_set(b, out, g, &l);
  free(l.node);
  return code;
}

static lim_code build_sets(const builder *b) {
  const lim_fe_groups *g = &b->d->nsets;
  b->m->set = lim_arena_array(&b->m->arena, g->count + 1, sizeof *b->m->set);
  if (!b->m->set) return lim_no_memory(b->d->err);
  lim_code code = LIM_OK;
  for (size_t i = 0; i < g->count && code == LIM_OK; i++)
    code = build_set(b, &b->m->set[b->m->nset++], &g->group[i]);
  return code;
}

// --- elements ---

static int by_element(const void *x, const void *y) {
  const lim_fe_deck_element *a = x, *b = y;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

static lim_code put_element(const builder *b, lim_fe_element *out, const lim_fe_deck_element *e) {
  *out = (lim_fe_element){e->id, e->shape, e->first, -1, NAN};
  for (int k = e->first; k < e->first + lim_fe_shape_nodes(e->shape); k++) {
    const int node = lim_fe_node(b->m, b->d->element_node[k]);
    if (node < 0)
      return error_at(b, e->at, "node %d of element %d has no coordinates", b->d->element_node[k], e->id);
    b->m->element_node[k] = node;
  }
  return LIM_OK;
}

static lim_code build_elements(const builder *b) {
  lim_fe_mesh *m = b->m;
  const lim_fe_deck *d = b->d;
  char place[PLACE];
  m->element = lim_arena_array(&m->arena, d->nelement + 1, sizeof *m->element);
  m->element_node = lim_arena_array(&m->arena, d->nelement_node + 1, sizeof *m->element_node);
  if (!m->element || !m->element_node) return lim_no_memory(d->err);
  if (d->nelement_node > INT_MAX) return LIM_FAIL(d->err, LIM_BAD_INPUT, "too many elements");
  if (d->nelement) qsort(d->element, d->nelement, sizeof *d->element, by_element);
  for (size_t i = 0; i < d->nelement; i++) {
    const lim_fe_deck_element *e = &d->element[i];
    if (i && e[-1].id == e->id)
      return error_at(b, e->at, "duplicate element %d: also in %s", e->id, also(place, e[-1].at, e->at));
    lim_code code = put_element(b, &m->element[m->nelement++], e);
    if (code != LIM_OK) return code;
  }
  return LIM_OK;
}

static void warn_skipped(const builder *b) {
  for (size_t i = 0; i < b->d->nskipped; i++)
    if (b->d->skipped[i].count)
      lim_warn(b->d->err, NAN, NULL, "%ld element%s of type '%.40s' %s neither drawn nor asked for strains",
               b->d->skipped[i].count, b->d->skipped[i].count == 1 ? "" : "s", b->d->skipped[i].type,
               b->d->skipped[i].count == 1 ? "is" : "are");
}

// --- materials ---

static lim_code build_materials(const builder *b) {
  lim_fe_mesh *m = b->m;
  const double pressure = b->mass_unit / b->length;
  m->material = lim_arena_array(&m->arena, b->d->nmaterial + 1, sizeof *m->material);
  if (!m->material) return lim_no_memory(b->d->err);
  m->nmaterial = (int)b->d->nmaterial;
  for (int i = 0; i < m->nmaterial; i++) {
    m->material[i] = b->d->material[i];
    m->material[i].E *= pressure;
  }
  return LIM_OK;
}

static int find_material(const lim_fe_mesh *m, const char *name) {
  for (int i = 0; i < m->nmaterial; i++)
    if (!strcasecmp(m->material[i].name, name)) return i;
  return -1;
}

static int first_element(const lim_fe_mesh *m, int id) {
  int low = 0, high = m->nelement;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (m->element[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool shell(lim_fe_shape s) { return s >= LIM_FE_TRI3 && s <= LIM_FE_QUAD8; }

static void assign(const builder *b, const lim_fe_section *s, const lim_fe_range *r, int material) {
  lim_fe_mesh *m = b->m;
  for (int i = first_element(m, r->first); i < m->nelement && m->element[i].id <= r->last; i++) {
    lim_fe_element *e = &m->element[i];
    if ((e->id - r->first) % r->step) continue;
    if (material >= 0) e->material = material;
    if (shell(e->shape)) e->thickness = s->thickness * b->length;
  }
}

// What a section says is only wanted for stresses: names that are not known are told, not refused.
static void build_sections(const builder *b) {
  for (size_t i = 0; i < b->d->nsection; i++) {
    const lim_fe_section *s = &b->d->section[i];
    const int set = s->set ? lim_fe_group_find(&b->d->elsets, s->set) : -1,
              material = s->material ? find_material(b->m, s->material) : -1;
    if (s->set && set < 0)
      lim_warn(b->d->err, NAN, NULL, "%s:%d: element set '%.80s' is not known", s->at.file, s->at.line, s->set);
    if (s->material && material < 0)
      lim_warn(b->d->err, NAN, NULL, "%s:%d: material '%.80s' is not known", s->at.file, s->at.line,
               s->material);
    if (set < 0) continue;
    const lim_fe_group *g = &b->d->elsets.group[set];
    for (size_t k = 0; k < g->count; k++) assign(b, s, &g->range[k], material);
  }
}

lim_code lim_fe_deck_build(lim_fe_mesh *out, lim_fe_deck *d, double length, double mass_unit) {
  const builder b = {out, d, length, mass_unit};
  lim_code code = build_nodes(&b);
  if (code == LIM_OK) code = build_sets(&b);
  if (code == LIM_OK) code = build_elements(&b);
  if (code == LIM_OK) code = build_materials(&b);
  if (code != LIM_OK) return code;
  build_sections(&b);
  warn_skipped(&b);
  return LIM_OK;
}
