// resolve.c - names into indices, and checks that need the whole model.
#include "model/resolve.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lim_resolve_error(lim_resolver *v, const lim_head *head, const char *key, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const lim_node *at = key ? lim_tree_get(head->node, key) : NULL;
  v->code = lim_tree_error(v->err, at ? at : head->node, "%s", text);
}

void lim_resolve_unknown(lim_resolver *v, const lim_ref *ref, const char *what, lim_nearest near) {
  if (near.best)
    v->code = lim_tree_error(v->err, ref->node, "%s '%.40s' is not defined; did you mean '%s'?", what,
                             ref->text, near.best);
  else
    v->code = lim_tree_error(v->err, ref->node, "%s '%.40s' is not defined", what, ref->text);
}

// --- names ---

static int find_link(const lim_model *m, const char *name, size_t length) {
  for (int i = 0; i < m->links.count; i++) {
    const char *link = m->links.item[i].head.name;
    if (strlen(link) == length && !memcmp(link, name, length)) return i;
  }
  return -1;
}

bool lim_resolve_link(lim_resolver *v, lim_ref *ref) {
  ref->index = -1;
  if (!strcmp(ref->text, "base")) return true;
  ref->index = find_link(v->m, ref->text, strlen(ref->text));
  if (ref->index >= 0) return true;
  lim_nearest near = lim_nearest_start(ref->text);
  for (int i = 0; i < v->m->links.count; i++) lim_nearest_try(&near, v->m->links.item[i].head.name);
  lim_resolve_unknown(v, ref, "link", near);
  return false;
}

int lim_resolve_joint(lim_resolver *v, const lim_head *head) {
  lim_nearest near = lim_nearest_start(head->name);
  for (int i = 0; i < v->m->links.count; i++) {
    const char *name = v->m->links.item[i].joint.head.name;
    if (!strcmp(name, head->name)) return i;
    lim_nearest_try(&near, name);
  }
  lim_ref ref = {.text = head->name, .node = head->node};
  lim_resolve_unknown(v, &ref, "joint", near);
  return -1;
}

static int find_frame(const lim_model *m, const char *name, int link) {
  for (int i = 0; i < m->frames.count; i++) {
    const lim_frame *f = &m->frames.item[i];
    if (!strcmp(f->head.name, name) && (link < 0 || f->on.index == link)) return i;
  }
  return -1;
}

// A named frame, found: the link that carries it.
static bool spot_at_frame(lim_resolver *v, lim_spot *spot, int frame) {
  if (frame < 0) return false;
  spot->kind = LIM_AT_FRAME;
  spot->frame = frame;
  spot->link = v->m->frames.item[frame].on.index;
  return true;
}

// "link.place"
static bool spot_on_link(lim_resolver *v, lim_spot *spot, const char *dot) {
  const char *place = dot + 1;
  int link = find_link(v->m, spot->ref.text, (size_t)(dot - spot->ref.text));
  if (link < 0) return false;
  spot->link = link;
  spot->kind = LIM_AT_TIP;
  if (!strcmp(place, "tip")) return true;
  spot->kind = LIM_AT_BASE;
  return !strcmp(place, "base") || spot_at_frame(v, spot, find_frame(v->m, place, link));
}

static void unknown_spot(lim_resolver *v, const lim_spot *spot) {
  char name[136], best[136] = "";
  lim_nearest near = lim_nearest_start(spot->ref.text);
  for (int i = 0; i < v->m->frames.count; i++) lim_nearest_try(&near, v->m->frames.item[i].head.name);
  if (near.best) snprintf(best, sizeof best, "%s", near.best);
  for (int i = 0; i < 2 * v->m->links.count; i++) {
    int before = near.distance;
    snprintf(name, sizeof name, "%s.%s", v->m->links.item[i / 2].head.name, i % 2 ? "base" : "tip");
    lim_nearest_try(&near, name);
    if (near.distance < before) memcpy(best, name, sizeof best);
  }
  near.best = best[0] ? best : NULL;
  lim_resolve_unknown(v, &spot->ref, "frame", near);
}

bool lim_resolve_spot(lim_resolver *v, lim_spot *spot) {
  const char *text = spot->ref.text, *dot = strchr(text, '.');
  spot->link = spot->frame = -1;
  spot->kind = LIM_AT_BASE;
  if (!strcmp(text, "base")) return true;
  if (dot ? spot_on_link(v, spot, dot) : spot_at_frame(v, spot, find_frame(v->m, text, -1))) return true;
  if (!strcmp(text, "tip") && v->m->links.count) {
    spot->link = v->m->links.count - 1;
    spot->kind = LIM_AT_TIP;
    return true;
  }
  unknown_spot(v, spot);
  return false;
}

void lim_resolve_place(lim_resolver *v, lim_place *place, int link, const lim_head *head) {
  if (!place->node) return;
  const lim_link *on = link < 0 ? NULL : &v->m->links.item[link];
  if (!on && place->kind != LIM_AT_BASE && place->kind != LIM_AT_FRAME) {
    lim_resolve_error(v, head, "at", "at is '%s', but the world has no length; must be base",
                      place->node->text);
    return;
  }
  if (place->kind == LIM_AT_DISTANCE) {
    const double *tip = on->body.tip;
    double length =
        on->beam.head.node ? on->beam.length : sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
    if (isnan(length)) return; // the length has its own message
    if (!(place->value >= 0 && place->value <= length)) {
      lim_resolve_error(v, head, "at", "at is %s, must lie on link '%s' of %g m", place->node->text,
                        on->head.name, length);
      return;
    }
    place->value = length > 0 ? place->value / length : 0;
    place->kind = LIM_AT_FRACTION;
  }
  if (place->kind == LIM_AT_FRAME) {
    place->frame.index = find_frame(v->m, place->frame.text, link);
    if (place->frame.index >= 0) return;
    lim_nearest near = lim_nearest_start(place->frame.text);
    for (int i = 0; i < v->m->frames.count; i++)
      if (v->m->frames.item[i].on.index == link) lim_nearest_try(&near, v->m->frames.item[i].head.name);
    char what[96];
    snprintf(what, sizeof what, "on %s%.64s%s, frame", on ? "link '" : "", on ? on->head.name : "base",
             on ? "'" : "");
    lim_resolve_unknown(v, &place->frame, what, near);
  }
}

void lim_resolve_axis(lim_resolver *v, double axis[3], const lim_head *head, const char *key) {
  double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (!(n > 1e-150 && n < 1e150)) {
    if (!isnan(n))
      lim_resolve_error(v, head, key, "%s is [%g, %g, %g], must have a direction", key, axis[0], axis[1],
                        axis[2]);
    return;
  }
  for (int i = 0; i < 3; i++) axis[i] /= n;
}

// --- units of joints ---

void lim_resolve_unit(lim_resolver *v, const char *key, const lim_node *node, const char *unit) {
  double x;
  char bad[41];
  if (node->kind != LIM_SCALAR ||
      lim_number_parse(&x, node->text, unit, bad, sizeof bad) != LIM_NUMBER_DIMENSION)
    return;
  v->code = lim_tree_error(v->err, node, "%s is '%.40s': '%s' does not fit this joint, must be a number in %s",
                           key, node->text, bad, unit);
}

static void unit_of_key(lim_resolver *v, const lim_key *key, const lim_node *node, bool linear,
                        const char *outer) {
  char room[64], half[64];
  if (key->table) {
    const char *signal = key->kind == &lim_in_time && key->unit && key->unit[0] != '@' ? key->unit : outer;
    for (int i = 0; node->kind == LIM_SEQUENCE && i < node->count; i++)
      lim_resolve_units(v, key->table, node->item[i], linear, signal);
    if (node->kind == LIM_MAPPING) lim_resolve_units(v, key->table, node, linear, signal);
    if (node->kind != LIM_SCALAR || key->kind != &lim_in_time) return;
    outer = signal;
  }
  const char *unit = lim_key_unit(key, outer, room, sizeof room);
  if (!strchr(unit, '|')) return;
  unit = lim_unit_for(unit, linear, half, sizeof half);
  if (node->kind == LIM_SCALAR) lim_resolve_unit(v, key->name, node, unit);
  for (int i = 0; node->kind == LIM_SEQUENCE && i < node->count; i++) {
    const lim_node *item = node->item[i];
    bool point = item->kind == LIM_SEQUENCE && item->count == 2; // [t, value]
    lim_resolve_unit(v, key->name, point ? item->item[1] : item, unit);
  }
}

void lim_resolve_units(lim_resolver *v, const lim_table *table, const lim_node *node, bool linear,
                       const char *outer) {
  if (table->whole) {
    unit_of_key(v, table->key, node, linear, outer);
    return;
  }
  if (node->kind != LIM_MAPPING) return;
  const char *tag = lim_table_tag(table, node);
  for (int i = 0; i < node->count; i++) {
    const lim_key *key = lim_table_key(table, node->key[i]->text, tag);
    if (key) unit_of_key(v, key, node->item[i], linear, outer);
  }
}

// --- entries without links ---

static void resolve_material(lim_resolver *v, lim_material *a) {
  if (isnan(a->nu)) a->nu = isnan(a->G) ? 0.3 : a->E / (2 * a->G) - 1;
  if (isnan(a->G)) a->G = a->E / (2 * (1 + a->nu));
  if (a->nu <= -1)
    lim_resolve_error(v, &a->head, "G",
                      "material '%s': G is %g Pa, more than any material of E = %g Pa can have", a->head.name,
                      a->G, a->E);
}

static void resolve_section(lim_resolver *v, const lim_section *s) {
  if (s->shape == LIM_TUBE && s->inner >= s->outer)
    lim_resolve_error(v, &s->head, "inner",
                      "section '%s': inner diameter is %g m, must be below the outer %g m", s->head.name,
                      s->inner, s->outer);
  if (s->shape == LIM_BOX && 2 * s->wall >= fmin(s->y, s->z))
    lim_resolve_error(v, &s->head, "wall", "section '%s': wall is %g m, must be below half of y and z",
                      s->head.name, s->wall);
  if (s->shape == LIM_I_BEAM && 2 * s->flange >= s->y)
    lim_resolve_error(v, &s->head, "flange", "section '%s': flange is %g m, must be below half of y",
                      s->head.name, s->flange);
  if (s->shape == LIM_I_BEAM && s->web > s->z)
    lim_resolve_error(v, &s->head, "web", "section '%s': web is %g m, must not be wider than the flange z",
                      s->head.name, s->web);
}

static void resolve_frame(lim_resolver *v, lim_frame *f, int i) {
  if (f->on.text) lim_resolve_link(v, &f->on);
  for (int k = 0; k < i && f->head.name[0]; k++)
    if (!strcmp(v->m->frames.item[k].head.name, f->head.name))
      lim_resolve_error(v, &f->head, "name", "frame '%s' is defined a second time", f->head.name);
}

lim_code lim_model_resolve(lim_model *m, lim_error *err) {
  lim_resolver v = {.m = m, .err = err};
  for (int i = 0; i < m->materials.count; i++) resolve_material(&v, &m->materials.item[i]);
  for (int i = 0; i < m->sections.count; i++) resolve_section(&v, &m->sections.item[i]);
  for (int i = 0; i < m->frames.count; i++) resolve_frame(&v, &m->frames.item[i], i);
  lim_resolve_links(&v);
  for (int i = 0; i < m->frames.count; i++)
    lim_resolve_place(&v, &m->frames.item[i].at, m->frames.item[i].on.index, &m->frames.item[i].head);
  lim_resolve_drives(&v);
  return v.code;
}
