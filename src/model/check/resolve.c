// resolve.c - names into indices, and checks that need the whole model.
#include "model/check/resolve.h"
#include "model/joint.h"
#include "model/kinds.h"

#include "base/units/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lim_resolve_error(lim_resolver *v, const lim_head *head, const char *key, const char *format, ...) {
  char text[1000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const lim_node *at = key ? lim_tree_get(head->node, key) : NULL;
  bool entry = head->where && head->where[0];
  v->code =
      lim_tree_error(v->err, at ? at : head->node, "%s%s%s", entry ? head->where : "", entry ? ": " : "", text);
  v->errors++;
}

// --- names ---

void lim_resolve_unknown(lim_resolver *v, const lim_head *head, const lim_ref *ref, const char *what,
                         lim_choice *choice) {
  const lim_head at = {.node = ref->node, .where = head->where};
  lim_resolve_error(v, &at, NULL, "%s '%.40s' is not defined%s", what, ref->text,
                    lim_choice_say(choice, "defined:", NULL));
}

static const lim_head *head_at(const void *item, size_t size, int i) {
  return (const lim_head *)((const char *)item + (size_t)i * size);
}

int lim_find_name(const void *item, int count, size_t size, const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(head_at(item, size, i)->name, name)) return i;
  return -1;
}

// Whether a list of the model is written but could not be read at all, which has its message.
static bool unreadable(const lim_model *m, const char *key, int count) {
  const lim_node *node = lim_tree_get(m->head.node, key);
  const lim_kind *kind = lim_table_key(&lim_root_table, key, NULL)->kind;
  bool named = kind == &lim_named_records || kind == &lim_configuration;
  return node && count == 0 && (node->count > 0 || node->kind != (named ? LIM_MAPPING : LIM_SEQUENCE));
}

bool lim_resolve_name(lim_resolver *v, const lim_head *head, lim_ref *ref, const char *what, const char *key,
                      const void *item, int count, size_t size) {
  ref->index = lim_find_name(item, count, size, ref->text);
  if (ref->index >= 0) return true;
  if (unreadable(v->m, key, count)) return false;
  lim_choice choice = lim_choice_start(ref->text);
  for (int i = 0; i < count && lim_error_heard(v->err); i++)
    lim_choice_try(&choice, head_at(item, size, i)->name);
  lim_resolve_unknown(v, head, ref, what, &choice);
  return false;
}

void lim_resolve_unique(lim_resolver *v, const void *item, size_t size, int i) {
  const lim_head *head = head_at(item, size, i);
  int first = head->label ? lim_find_name(item, i, size, head->name) : -1;
  const lim_head *other = first >= 0 ? head_at(item, size, first) : NULL;
  if (other && other->label)
    lim_resolve_error(v, head, "name", "the name '%.40s' is used a second time; the first is in line %d",
                      head->name, other->label->line);
}

bool lim_ref_lost(const lim_ref *ref) { return ref->text && ref->index < 0 && strcmp(ref->text, "base") != 0; }

bool lim_resolve_link(lim_resolver *v, const lim_head *head, lim_ref *ref, const char *what) {
  const lim_model *m = v->m;
  ref->index = LIM_FIND_NAME(m->links, ref->text);
  if (ref->index >= 0 && lim_link_is_inserted(&m->links.item[ref->index])) ref->index = -1;
  if (ref->index >= 0 || !strcmp(ref->text, "base")) return true;
  lim_choice choice = lim_choice_start(ref->text);
  lim_choice_try(&choice, "base");
  for (int i = 0; i < m->links.count && lim_error_heard(v->err); i++)
    if (!lim_link_is_inserted(&m->links.item[i])) lim_choice_try(&choice, m->links.item[i].head.name);
  lim_resolve_unknown(v, head, ref, what, &choice);
  return false;
}

static int find_joint(const lim_model *m, const char *name) {
  for (int i = 0; i < m->links.count; i++) {
    const char *joint = lim_joint_shown(&m->links.item[i]);
    if (joint && !strcmp(joint, name)) return i;
  }
  return -1;
}

// The name of a whole joint whose freedoms have names, or of a link.
static bool mistaken_joint(lim_resolver *v, const lim_head *head, const lim_ref *ref) {
  const lim_head at = {.node = ref->node, .where = head->where};
  const lim_model *m = v->m;
  const int part = lim_joint_of_freedom(m, ref->text);
  if (part >= 0 && lim_joint_in_ball(&m->links.item[part].joint)) {
    const lim_joint *j = &m->links.item[part].joint;
    lim_resolve_error(v, &at, NULL, "joint '%s' is %s: its freedoms have no names", j->whole,
                      lim_joint_whole_kind(j)->row.word);
    return true;
  }
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    if (!lim_joint_is_part(j) || strcmp(j->whole, ref->text) != 0) continue;
    lim_resolve_error(v, &at, NULL, "joint '%s' has several freedoms; name one of them, as '%s'", ref->text,
                      j->head.name);
    return true;
  }
  const int link = LIM_FIND_NAME(m->links, ref->text);
  if (link < 0) return false;
  lim_resolve_error(v, &at, NULL, "joint '%s' is not defined; the joint of link '%s' is named '%s'", ref->text,
                    ref->text, m->links.item[link].joint.whole);
  return true;
}

int lim_resolve_joint(lim_resolver *v, const lim_head *head) {
  const lim_model *m = v->m;
  const int found = find_joint(m, head->name);
  if (found >= 0) return found;
  lim_ref ref = {.text = head->name, .node = head->label ? head->label : head->node};
  if (mistaken_joint(v, head, &ref)) return -1;
  lim_choice choice = lim_choice_start(head->name);
  for (int i = 0; i < m->links.count && lim_error_heard(v->err); i++)
    if (lim_joint_shown(&m->links.item[i])) lim_choice_try(&choice, lim_joint_shown(&m->links.item[i]));
  lim_resolve_unknown(v, head, &ref, "joint", &choice);
  return -1;
}

// --- places ---

// Of a frame on its link: those of links from finite elements are named "link.name".
static const char *name_on_link(const lim_frame *f) {
  const char *dot = strchr(f->head.name, '.');
  return dot ? dot + 1 : f->head.name;
}

static int find_frame_on(const lim_model *m, const char *name, int link) {
  for (int i = 0; i < m->frames.count; i++)
    if (m->frames.item[i].on.index == link && !strcmp(name_on_link(&m->frames.item[i]), name)) return i;
  return -1;
}

// A named frame, found: the link that carries it.
static bool spot_at_frame(lim_resolver *v, lim_location *spot, int frame) {
  if (frame < 0) return false;
  spot->kind = LIM_AT_FRAME;
  spot->frame = frame;
  spot->link = v->m->frames.item[frame].on.index;
  return true;
}

// "link.place"
static bool spot_on_link(lim_resolver *v, lim_location *spot, const char *dot) {
  const char *place = dot + 1;
  size_t n = (size_t)(dot - spot->ref.text);
  int link = 0;
  for (; link < v->m->links.count; link++) {
    const char *name = v->m->links.item[link].head.name;
    if (strlen(name) == n && !memcmp(name, spot->ref.text, n)) break;
  }
  if (link == v->m->links.count) return false;
  spot->link = link;
  spot->kind = LIM_AT_TIP;
  if (!strcmp(place, "tip")) return true;
  spot->kind = LIM_AT_BASE;
  return !strcmp(place, "base") || spot_at_frame(v, spot, find_frame_on(v->m, place, link));
}

void lim_model_frames(const lim_model *m, lim_name_fn *see, void *user) {
  for (int i = 0; i < m->frames.count; i++) see(user, m->frames.item[i].head.name);
  if (LIM_FIND_NAME(m->frames, "tip") < 0) see(user, "tip");
  see(user, "base");
  for (int i = 0; i < 2 * m->links.count; i++) {
    char name[136];
    if (lim_link_is_inserted(&m->links.item[i / 2])) continue;
    snprintf(name, sizeof name, "%.128s.%s", m->links.item[i / 2].head.name, i % 2 ? "base" : "tip");
    see(user, name);
  }
}

static void try_name(void *choice, const char *name) { lim_choice_try(choice, name); }

static void unknown_spot(lim_resolver *v, const lim_head *head, const lim_location *spot) {
  const lim_model *m = v->m;
  lim_choice choice = lim_choice_start(spot->ref.text);
  if (lim_error_heard(v->err)) lim_model_frames(m, try_name, &choice);
  if (!unreadable(m, "frames", m->frames.count)) lim_resolve_unknown(v, head, &spot->ref, "frame", &choice);
}

bool lim_resolve_location(lim_resolver *v, const lim_head *head, lim_location *spot) {
  const char *text = spot->ref.text, *dot = strchr(text, '.');
  spot->link = spot->frame = -1;
  spot->kind = LIM_AT_BASE;
  if (!strcmp(text, "base")) return true;
  if (dot ? spot_on_link(v, spot, dot) : spot_at_frame(v, spot, LIM_FIND_NAME(v->m->frames, text))) return true;
  if (!strcmp(text, "tip") && v->m->links.count) {
    spot->link = v->m->links.count - 1;
    spot->kind = LIM_AT_TIP;
    return true;
  }
  unknown_spot(v, head, spot);
  return false;
}

static void place_at_distance(lim_resolver *v, lim_link_location *place, const lim_link *on,
                              const lim_head *head) {
  const double *tip = on->body.tip;
  double length =
      on->beam.head.node ? on->beam.length : sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
  if (isnan(length) || on->beam.head.flawed || on->body.head.flawed) return; // the length has its own message
  if (!(place->value >= 0 && place->value <= length)) {
    lim_resolve_error(v, head, "at", "at is %.40s, must lie on link '%s', from 0 to %g m", place->node->text,
                      on->head.name, length);
    return;
  }
  place->value = length > 0 ? place->value / length : 0;
  place->kind = LIM_AT_FRACTION;
}

static void place_at_frame(lim_resolver *v, lim_link_location *place, int link, const lim_head *head) {
  const lim_model *m = v->m;
  char on[96] = "base";
  place->frame.index = find_frame_on(m, place->frame.text, link);
  if (place->frame.index >= 0 || unreadable(m, "frames", m->frames.count)) return;
  if (link >= 0) snprintf(on, sizeof on, "link '%.64s'", m->links.item[link].head.name);
  lim_choice choice = lim_choice_start(place->frame.text);
  for (int i = 0; i < m->frames.count && lim_error_heard(v->err); i++)
    if (m->frames.item[i].on.index == link) lim_choice_try(&choice, name_on_link(&m->frames.item[i]));
  lim_resolve_error(v, head, "at", "at is '%.40s', must be base, tip or a frame on %s%s", place->frame.text, on,
                    choice.count ? lim_choice_say(&choice, "it has", NULL) : "");
}

// A place of a link from finite elements by its number.
static void place_on_fe(lim_resolver *v, lim_link_location *place, const lim_link *on, const lim_head *head) {
  if (place->kind == LIM_AT_BASE || place->kind == LIM_AT_TIP || on->fe.head.flawed) return;
  const int found = place->kind == LIM_AT_FRAME ? lim_fe_find_place(&on->fe, place->frame.text) : -1;
  place->kind = LIM_AT_FRACTION;
  place->value = found;
  if (found >= 0) return;
  lim_choice choice = lim_choice_start(place->node->text);
  for (int i = 0; i < on->fe.places.count; i++) lim_choice_try(&choice, on->fe.places.item[i].name);
  lim_resolve_error(v, head, "at", "at is '%.40s', must be a frame of link '%s'%s", place->node->text,
                    on->head.name, lim_choice_say(&choice, "it has", NULL));
}

void lim_resolve_link_location(lim_resolver *v, lim_link_location *place, int link, const lim_head *head,
                               bool of_model) {
  if (!place->node) return;
  const lim_link *on = link < 0 ? NULL : &v->m->links.item[link];
  if (place->kind == LIM_AT_FRAME && of_model)
    place_at_frame(v, place, link, head);
  else if (on && on->fe.head.node)
    place_on_fe(v, place, on, head);
  else if (place->kind == LIM_AT_FRAME)
    lim_resolve_error(v, head, "at", "at is '%.40s', must be %s", place->frame.text, LIM_PLACES_ALONG);
  else if (link < 0 && place->kind != LIM_AT_BASE)
    lim_resolve_error(v, head, "at", "at is %.40s, but the world has no length; must be base",
                      place->node->text);
  else if (place->kind == LIM_AT_DISTANCE)
    place_at_distance(v, place, on, head);
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

lim_unit_side lim_unit_side_of(const lim_head *head, const lim_link *link) {
  const lim_joint *j = &link->joint;
  const lim_joint_kind *whole = lim_joint_whole_kind(j);
  const bool linear = whole->ball || !lim_joint_is_single(j) || lim_joint_is_linear(j);
  return (lim_unit_side){head, linear, (whole->ball ? whole : lim_joint_kind_of(j))->called};
}

void lim_resolve_unit(lim_resolver *v, lim_unit_side side, const char *key, const lim_node *node,
                      const char *unit) {
  double x;
  char bad[41];
  const lim_head at = {.node = node, .where = side.head->where};
  if (node->kind == LIM_SCALAR &&
      lim_number_parse(&x, node->text, unit, bad, sizeof bad) == LIM_NUMBER_DIMENSION)
    lim_resolve_error(v, &at, NULL, "%s is '%.40s': '%s' does not fit %s, must be a number in %s", key,
                      node->text, bad, side.what, unit);
}

static void unit_of_key(lim_resolver *v, lim_unit_side side, const lim_key *key, const lim_node *node,
                        const char *outer) {
  char buffer[64], half[64];
  if (key->table) {
    const char *signal = lim_key_in_time(key) && key->unit && key->unit[0] != '@' ? key->unit : outer;
    for (int i = 0; node->kind == LIM_SEQUENCE && i < node->count; i++)
      lim_resolve_units(v, side, key->table, node->item[i], signal);
    if (node->kind == LIM_MAPPING) lim_resolve_units(v, side, key->table, node, signal);
    if (node->kind != LIM_SCALAR || !lim_key_in_time(key)) return;
    outer = signal;
  }
  const char *unit = lim_key_unit(key, outer, buffer, sizeof buffer);
  if (!strchr(unit, '|')) return;
  unit = lim_unit_for(unit, side.linear, half, sizeof half);
  if (node->kind == LIM_SCALAR) lim_resolve_unit(v, side, key->name, node, unit);
  for (int i = 0; node->kind == LIM_SEQUENCE && i < node->count; i++) {
    const lim_node *item = node->item[i];
    bool point = item->kind == LIM_SEQUENCE && item->count == 2; // [t, value]
    lim_resolve_unit(v, side, key->name, point ? item->item[1] : item, unit);
  }
}

void lim_resolve_units(lim_resolver *v, lim_unit_side side, const lim_table *table, const lim_node *node,
                       const char *outer) {
  if (table->whole) {
    unit_of_key(v, side, table->key, node, outer);
    return;
  }
  if (node->kind != LIM_MAPPING) return;
  const char *tag = lim_table_tag(table, node);
  for (int i = 0; i < node->count; i++) {
    const lim_key *key = lim_table_key(table, node->key[i]->text, tag);
    if (key) unit_of_key(v, side, key, node->item[i], outer);
  }
}

// --- entries without links ---

static void resolve_material(lim_resolver *v, lim_material *a) {
  if (isnan(a->nu)) {
    a->nu = isnan(a->G) ? 0.3 : a->E / (2 * a->G) - 1;
    if (a->nu < -0.99)
      lim_resolve_error(v, &a->head, "G", "G is %g Pa, must be at most 50 E = %g Pa", a->G, 50 * a->E);
    a->nu = fmin(a->nu, 0.5);
  }
  if (isnan(a->G)) a->G = a->E / (2 * (1 + a->nu));
}

static void resolve_section(lim_resolver *v, const lim_section *s) {
  const lim_kind_row *kind = lim_section_row(s->shape);
  if (kind->check) kind->check(v, s);
}

// Entries that were not mappings have no node; they have their message already.
#define EACH(list, i)                                                                                          \
  for (int i = 0; i < m->list.count; i++)                                                                      \
    if (m->list.item[i].head.node)

static void resolve_solver(lim_resolver *v) {
  const lim_kind_row *method = lim_method_row(v->m->solver.method);
  lim_solver *s = &v->m->solver;
  if (isnan(s->step)) {
    s->adaptive = true;
    s->step = LIM_STEP_BESIDE_AUTO;
  }
  if (method->check) method->check(v, &v->m->solver);
}

static void resolve_tool(lim_resolver *v) {
  lim_location *tool = &v->m->tool;
  if (tool->ref.text && lim_resolve_location(v, &v->m->head, tool) && tool->link < 0)
    lim_resolve_error(v, &v->m->head, "tool", "tool is '%.40s', which is fixed in the world", tool->ref.text);
}

lim_code lim_model_resolve(lim_model *m, lim_error *err) {
  lim_resolver v = {.m = m, .err = err};
  const lim_node *links = lim_tree_get(m->head.node, "links");
  EACH(materials, i) resolve_material(&v, &m->materials.item[i]);
  EACH(sections, i) resolve_section(&v, &m->sections.item[i]);
  resolve_solver(&v);
  if (!lim_resolve_freedoms(&v) || !lim_resolve_fe_places(&v)) return lim_no_memory(err);
  if (links && links->kind == LIM_SEQUENCE && links->count == 0)
    lim_resolve_error(&v, &m->head, "links", "links is empty; an arm has at least one");
  if (m->links.count == 0) return v.code; // everything else refers to them
  EACH(frames, i) {
    lim_frame *f = &m->frames.item[i];
    if (f->on.text) lim_resolve_link(&v, &f->head, &f->on, "link");
    LIM_RESOLVE_UNIQUE(&v, m->frames, i);
  }
  lim_resolve_links(&v);
  EACH(frames, i) {
    lim_frame *f = &m->frames.item[i];
    if (f->on.text && !lim_ref_lost(&f->on))
      lim_resolve_link_location(&v, &f->at, f->on.index, &f->head, false);
  }
  resolve_tool(&v);
  lim_resolve_blocks(&v);
  lim_resolve_drives(&v);
  lim_resolve_forces(&v);
  lim_resolve_release(&v);
  lim_resolve_couplings(&v);
  if (v.code == LIM_OK) lim_resolve_reversed(m);
  return v.code;
}
