// resolve_fe.c - links from finite elements: their frames become places of the model, their keys must fit
// together.
#include "model/check/resolve.h"
#include "model/joint.h"
#include "model/kinds.h"

#include "base/units/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODES = 12 }; // that are kept beside those of the frames, unless basis says otherwise

// --- places ---

static const lim_fe_frame *frame_named(const lim_fe *fe, const char *name) {
  for (int i = 0; i < fe->frames.count; i++)
    if (!strcmp(fe->frames.item[i].head.name, name)) return &fe->frames.item[i];
  return NULL;
}

// Adds a place, unless one of the name is there; its number, -1: out of memory.
static int add_place(lim_model *m, lim_fe *fe, const char *name, int frame, const lim_node *node) {
  for (int i = 0; i < fe->places.count; i++)
    if (!strcmp(fe->places.item[i].name, name)) return i;
  lim_fe_place_name *list = lim_arena_grow(&m->arena, fe->places.item, (size_t)fe->places.count, sizeof *list);
  if (!list) return -1;
  fe->places.item = list;
  list[fe->places.count] = (lim_fe_place_name){name, frame, node};
  return fe->places.count++;
}

// Base, tip, then the others. Without a frame called tip the last one is the tip; base alone is both.
static bool place_frames(lim_model *m, lim_fe *fe) {
  const int count = fe->frames.count;
  const lim_fe_frame *base = frame_named(fe, "base"), *tip = frame_named(fe, "tip");
  if (!base) return true; // it has its message
  if (!tip && &fe->frames.item[count - 1] != base) tip = &fe->frames.item[count - 1];
  for (int i = count - 2; !tip && i >= 0; i--)
    if (&fe->frames.item[i] != base) tip = &fe->frames.item[i];
  bool good = add_place(m, fe, "base", (int)(base - fe->frames.item), base->head.node) >= 0;
  const lim_fe_frame *end = tip ? tip : base;
  good =
      good && add_place(m, fe, tip ? tip->head.name : "tip", (int)(end - fe->frames.item), end->head.node) >= 0;
  for (int i = 0; i < count; i++)
    good = good && add_place(m, fe, fe->frames.item[i].head.name, i, fe->frames.item[i].head.node) >= 0;
  return good;
}

static bool place_known(lim_model *m, lim_fe *fe) {
  bool good = true;
  for (int i = 0; i < lim_fe_link_places(fe->link); i++)
    good = good && add_place(m, fe, lim_fe_link_place(fe->link, i, NULL), -1, fe->head.node) >= 0;
  return good;
}

// Roll, pitch and yaw of a rotation.
static void rpy_of(double rpy[3], const double R[9]) {
  const double flat = hypot(R[0], R[3]);
  rpy[1] = atan2(-R[6], flat);
  rpy[0] = flat > 1e-12 ? atan2(R[7], R[8]) : 0;
  rpy[2] = flat > 1e-12 ? atan2(R[3], R[0]) : atan2(-R[1], R[4]);
}

void lim_fe_axes(double R[9], const lim_fe *fe, int place) {
  double base[9], own[9];
  lim_rotation_rpy(R, (double[3]){0});
  if (place >= fe->places.count) return; // a tip that is the base
  const int frame = fe->places.item[place].frame;
  if (fe->link && frame < 0) lim_fe_link_place(fe->link, place, R);
  if (frame < 0) return;
  lim_rotation_rpy(base, frame_named(fe, "base")->rpy);
  lim_rotation_rpy(own, fe->frames.item[frame].rpy);
  lim_mat3_seen_from(R, base, own);
}

// The frame "link.name" of the model, whose place is that number.
static bool add_frame(lim_model *m, int link, int place) {
  const lim_link *a = &m->links.item[link];
  const lim_fe_place_name *x = &a->fe.places.item[place];
  lim_frame *list = lim_arena_array(&m->arena, (size_t)m->frames.count + 1, sizeof *list);
  char name[256];
  snprintf(name, sizeof name, "%.120s.%.120s", a->head.name, x->name);
  if (!list) return false;
  if (m->frames.count) memcpy(list, m->frames.item, (size_t)m->frames.count * sizeof *list);
  lim_frame *f = &list[m->frames.count++];
  m->frames.item = list;
  *f = (lim_frame){.head = {.node = x->node, .name = lim_arena_text(&m->arena, name, strlen(name))},
                   .on = {.text = a->head.name, .index = link},
                   .at = {.kind = LIM_AT_FRACTION, .value = place}};
  double R[9];
  lim_fe_axes(R, &a->fe, place);
  rpy_of(f->rpy, R);
  return f->head.name != NULL;
}

// The set of nodes of a link on which a load acts; NULL: none.
static const char *loaded_set(const lim_model *m, const lim_link *a, int load) {
  const size_t n = strlen(a->head.name);
  const char *text = m->loads.item[load].nodes.text;
  return text && !strncmp(text, a->head.name, n) && text[n] == '.' ? text + n + 1 : NULL;
}

// Sets of nodes on which loads act: places behind the frames.
static bool place_sets(lim_model *m, int link) {
  lim_link *a = &m->links.item[link];
  bool good = true;
  for (int i = 0; i < m->loads.count; i++) {
    const char *set = loaded_set(m, a, i);
    if (set) good = good && add_place(m, &a->fe, set, -1, m->loads.item[i].nodes.node) >= 0;
  }
  return good;
}

// Of sets in a reduced file those on which loads act, as if it were the mesh.
static bool is_meant(const lim_model *m, const lim_link *a, int place) {
  bool meant = !a->fe.link || lim_fe_link_is_frame(a->fe.link, place);
  for (int i = 0; i < m->loads.count && !meant; i++) {
    const char *set = loaded_set(m, a, i);
    meant = set && !strcmp(set, a->fe.places.item[place].name);
  }
  return meant;
}

static bool place_all(lim_resolver *v, int link) {
  lim_model *m = v->m;
  lim_link *a = &m->links.item[link];
  if (!a->fe.head.node) return true;
  bool good = a->fe.link ? place_known(m, &a->fe) : place_frames(m, &a->fe) && place_sets(m, link);
  for (int i = 1; good && i < a->fe.places.count; i++)
    if (strcmp(a->fe.places.item[i].name, "tip") != 0 && is_meant(m, a, i)) good = add_frame(m, link, i);
  return good;
}

bool lim_resolve_fe_places(lim_resolver *v) {
  bool good = true;
  for (int i = 0; i < v->m->links.count; i++) good = good && place_all(v, i);
  return good;
}

int lim_fe_find_place(const lim_fe *fe, const char *name) {
  for (int i = 0; i < fe->places.count; i++)
    if (!strcmp(fe->places.item[i].name, name)) return i;
  return -1;
}

// --- what belongs together ---

static void need(lim_resolver *v, const lim_head *head, const void *given, const char *key) {
  if (!given) lim_resolve_error(v, head, NULL, "'%s' is missing in fe", key);
}

static void refuse(lim_resolver *v, const lim_head *head, const char *key, const char *beside) {
  if (lim_tree_get(head->node, key)) lim_resolve_error(v, head, key, "%s goes without %s", beside, key);
}

static void check_source(lim_resolver *v, const lim_fe *fe) {
  static const char *const of_files[] = {"stiffness", "mass", "dofs", "nodes", "prestressed", "units"};
  const char *other = fe->file ? "file" : fe->reduced.head.node ? "reduced" : NULL;
  for (size_t i = 0; other && i < sizeof of_files / sizeof *of_files; i++)
    refuse(v, &fe->head, of_files[i], other);
  if (fe->file) refuse(v, &fe->head, "frames", "file");
  if (fe->file) refuse(v, &fe->head, "reduced", "file");
  if (other) return;
  need(v, &fe->head, fe->stiffness, "stiffness");
  need(v, &fe->head, fe->mass, "mass");
  need(v, &fe->head, fe->nodes, "nodes");
}

static void check_frame(lim_resolver *v, const lim_fe *fe, const lim_fe_frame *f) {
  const bool reduced = fe->reduced.head.node;
  if (f->head.flawed || !f->head.node) return;
  if (strchr(f->head.name, '.') || !f->head.name[0])
    lim_resolve_error(v, &(lim_head){.node = f->head.label, .where = f->head.where}, NULL,
                      "name is '%.40s', must have letters and no dot", f->head.name);
  if (reduced && f->nodes.count) lim_resolve_error(v, &f->head, "nodes", "reduced goes without nodes");
  if (reduced && lim_tree_get(f->head.node, "coupling"))
    lim_resolve_error(v, &f->head, "coupling", "reduced goes without coupling: frames are in the matrices");
  if (reduced && isnan(f->xyz[0])) lim_resolve_error(v, &f->head, NULL, "'xyz' is missing");
  if (!reduced && !f->nodes.count) lim_resolve_error(v, &f->head, NULL, "'nodes' is missing");
}

static void check_frames(lim_resolver *v, const lim_fe *fe) {
  if (fe->file) return;
  for (int i = 0; i < fe->frames.count; i++) check_frame(v, fe, &fe->frames.item[i]);
  if (!frame_named(fe, "base"))
    lim_resolve_error(v, &fe->head, "frames", "frames needs 'base', where the link's joint is");
}

static void check_prestressed(lim_resolver *v, const lim_fe *fe, lim_fe_prestressed *p) {
  const bool force = lim_tree_get(p->head.node, "force"), spin = lim_tree_get(p->head.node, "spin");
  if (p->head.flawed) return;
  if (force == spin) {
    lim_resolve_error(v, &p->head, force ? "spin" : NULL, "prestressed needs a force at a frame, or a spin%s",
                      force ? ", not both" : "");
    return;
  }
  const double *x = force ? p->force : p->spin;
  if (!(x[0] != 0 || x[1] != 0 || x[2] != 0))
    lim_resolve_error(v, &p->head, force ? "force" : "spin", "%s is 0: nothing is loaded",
                      force ? "force" : "spin");
  if (spin && p->at.text) lim_resolve_error(v, &p->head, "at", "a spin is about the base; leave at out");
  if (spin && p->dofs)
    lim_resolve_error(
        v, &p->head, "dofs",
        "a spin needs the matrix of the whole mesh: without the rows of its base it cannot be told whether "
        "softening by spin is in it");
  if (!force) return;
  if (!p->at.text)
    lim_resolve_error(v, &p->head, NULL, "'at' is missing beside force");
  else if (LIM_RESOLVE_NAME(v, &p->head, &p->at, "frame", "frames", fe->frames) && !strcmp(p->at.text, "base"))
    lim_resolve_error(v, &p->head, "at", "at is base, which is held: a force there loads nothing");
}

static void check_unit(lim_resolver *v, const lim_fe_units *u, const char *key, const char *text,
                       const char *si) {
  char number[64], bad[41];
  double x;
  if (!text) return;
  snprintf(number, sizeof number, "1 %.40s", text);
  if (lim_number_parse(&x, number, si, bad, sizeof bad) != LIM_NUMBER_OK || !(x > 0))
    lim_resolve_error(v, &u->head, key, "%s is '%.40s', must be a unit of %s, as %s", key, text,
                      si[0] == 'm' ? "length" : "mass", si[0] == 'm' ? "mm" : "t");
}

// --- basis ---

static void resolve_basis(lim_resolver *v, lim_link *a) {
  lim_basis *b = &a->basis;
  const bool count = lim_tree_get(b->head.node, "count"), up_to = !isnan(b->up_to);
  const bool whole = a->fe.file || a->fe.reduced.head.node;
  if (b->head.flawed || b->type == LIM_BASIS_RIGID) return;
  if (b->head.node && b->type != LIM_BASIS_CRAIG_BAMPTON)
    lim_resolve_error(v, &b->head, "type",
                      "the basis of a link from finite elements is craig-bampton or rigid");
  if (whole && (count || up_to))
    lim_resolve_error(v, &b->head, count ? "count" : "up_to", "the link is reduced already; leave %s out",
                      count ? "count" : "up_to");
  if (count && up_to) lim_resolve_error(v, &b->head, "up_to", "count goes without up_to");
  b->type = LIM_BASIS_CRAIG_BAMPTON;
  if (!count) b->count = MODES;
}

// --- gauges ---

static void check_gauge(lim_resolver *v, lim_gauge *g) {
  const bool element = g->element, nodes = g->nodes.count;
  static const char *const beam[] = {"at", "face"};
  for (int i = 0; i < 2; i++)
    if (lim_tree_get(g->head.node, beam[i]))
      lim_resolve_error(v, &g->head, beam[i],
                        "%s is for beams; on a link from finite elements a gauge has an "
                        "element or nodes, and a direction",
                        beam[i]);
  if (element == nodes && !g->head.flawed)
    lim_resolve_error(v, &g->head, element ? "nodes" : NULL, "a gauge needs an element, or nodes%s",
                      element ? ", not both" : "");
  lim_resolve_axis(v, g->direction, &g->head, "direction");
}

void lim_resolve_fe_link(lim_resolver *v, lim_link *a) {
  lim_fe *fe = &a->fe;
  if (v->m->planar)
    lim_resolve_error(v, &fe->head, NULL, "a link from finite elements moves in space; leave planar out");
  if (a->beam.head.node || a->body.head.node)
    lim_resolve_error(v, &a->head, "fe", "a link has a beam, a body or fe, not several");
  if (a->joint.dh.head.node)
    lim_resolve_error(v, &a->joint.head, "dh",
                      "the frames of a link from finite elements are its own; use origin, and leave dh out");
  if (!fe->head.flawed) check_source(v, fe);
  if (!fe->head.flawed) check_frames(v, fe);
  for (int i = 0; i < fe->prestressed.count; i++) check_prestressed(v, fe, &fe->prestressed.item[i]);
  check_unit(v, &fe->units, "length", fe->units.length, "m");
  check_unit(v, &fe->units, "mass", fe->units.mass, "kg");
  if (fe->material.text)
    LIM_RESOLVE_NAME(v, &fe->head, &fe->material, "material", "materials", v->m->materials);
  if (a->damping.strain_rate > 0)
    lim_resolve_error(v, &a->damping.head, "strain_rate", "strain_rate needs a beam; give ratio or stiffness");
  resolve_basis(v, a);
  for (int i = 0; i < a->gauges.count; i++)
    if (a->gauges.item[i].head.node) check_gauge(v, &a->gauges.item[i]);
}
