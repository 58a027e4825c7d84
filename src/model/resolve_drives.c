// resolve_drives.c - what moves and loads the arm: configuration, drives, motion, loops, springs, loads.
#include "model/resolve.h"

#include <math.h>
#include <string.h>

static const lim_table *table_of(const char *key) { return lim_table_key(&lim_root_table, key, NULL)->table; }

static bool one_freedom(const lim_link *a) {
  return a->joint.type == LIM_REVOLUTE || a->joint.type == LIM_PRISMATIC;
}

static const lim_node *entry_of(const lim_model *m, const char *list, const char *name) {
  return lim_tree_get(lim_tree_get(m->head.node, list), name);
}

// --- configuration ---

static void check_free_state(lim_resolver *v, const lim_state *s) {
  static const char *const vectors[] = {"position", "velocity"};
  for (int i = 0; i < 2; i++) {
    const lim_node *node = lim_tree_get(s->head.node, vectors[i]);
    if (node && node->kind != LIM_SEQUENCE)
      lim_resolve_error(v, &s->head, vectors[i], "joint '%s' is free: its %s is a list of 3 numbers",
                        s->head.name, vectors[i]);
  }
}

static void check_state(lim_resolver *v, const lim_state *s, const lim_joint *j) {
  static const char *const vectors[] = {"rpy", "angular_velocity"};
  for (int i = 0; i < 2; i++)
    if (lim_tree_get(s->head.node, vectors[i]))
      lim_resolve_error(v, &s->head, vectors[i], "joint '%s' is not free, so it has no %s", s->head.name,
                        vectors[i]);
  const lim_node *position = lim_tree_get(s->head.node, "position");
  if (position && position->kind == LIM_SEQUENCE)
    lim_resolve_error(v, &s->head, "position", "joint '%s' has one freedom: its position is one number",
                      s->head.name);
  if (s->position[0] < j->limits.position[0] || s->position[0] > j->limits.position[1])
    lim_resolve_error(v, &s->head, "position", "joint '%s' starts at %g, outside its limits [%g, %g]",
                      s->head.name, s->position[0], j->limits.position[0], j->limits.position[1]);
}

static void resolve_state(lim_resolver *v, lim_state *s) {
  s->joint = lim_resolve_joint(v, &s->head);
  if (s->joint < 0) return;
  const lim_link *a = &v->m->links.item[s->joint];
  if (a->joint.type == LIM_FIXED)
    lim_resolve_error(v, &s->head, NULL, "joint '%s' is fixed, so it has no position", s->head.name);
  else if (a->joint.type == LIM_FREE)
    check_free_state(v, s);
  else
    check_state(v, s, &a->joint);
  lim_resolve_units(v, table_of("configuration"), s->head.node, a->joint.type != LIM_REVOLUTE, NULL);
}

// --- drives ---

static void check_servo(lim_resolver *v, const lim_drive *d) {
  bool spring = !isnan(d->stiffness), rule = !isnan(d->frequency) || !isnan(d->inertia);
  if (spring && rule)
    lim_resolve_error(v, &d->head, NULL,
                      "drive '%s': a servo has a stiffness, or a frequency and an inertia, not both",
                      d->head.name);
  else if (!spring && (isnan(d->frequency) || isnan(d->inertia)))
    lim_resolve_error(v, &d->head, NULL, "drive '%s': a servo needs a stiffness, or a frequency and an inertia",
                      d->head.name);
}

static void resolve_drive(lim_resolver *v, lim_drive *d) {
  d->joint = lim_resolve_joint(v, &d->head);
  if (d->joint < 0) return;
  const lim_link *a = &v->m->links.item[d->joint];
  if (!one_freedom(a) && !(a->joint.type == LIM_FREE && d->type == LIM_DRIVE_FREE)) {
    lim_resolve_error(v, &d->head, NULL, "drive '%s': only revolute and prismatic joints have a drive",
                      d->head.name);
    return;
  }
  if (d->type == LIM_DRIVE_SERVO) check_servo(v, d);
  if (d->type == LIM_DRIVE_FREE && entry_of(v->m, "motion", d->head.name))
    lim_resolve_error(v, &d->head, "type", "joint '%s' is free, but a motion is given for it", d->head.name);
  if (d->motor.on.ref.text) lim_resolve_spot(v, &d->motor.on);
  lim_resolve_units(v, table_of("drives"), d->head.node, a->joint.type == LIM_PRISMATIC, NULL);
}

// --- motion ---

// A stroke needs an end: `to`, or the amplitude of a bang-bang.
static void check_stroke(lim_resolver *v, const lim_profile *p, const char *name) {
  bool stroke = p->kind >= LIM_CYCLOIDAL && p->kind <= LIM_BANG_BANG;
  bool pushed = p->kind == LIM_BANG_BANG && !isnan(p->amplitude);
  if (stroke && !p->line.head.node && isnan(p->to) && !pushed)
    lim_resolve_error(v, &p->head, NULL, "'%s': the profile does not say where it goes; it needs 'to'", name);
  if (!isnan(p->ramp) && !isnan(p->duration) && 2 * p->ramp > p->duration * (1 + 1e-12))
    lim_resolve_error(v, &p->head, "ramp", "'%s': ramp is %g s, must be at most half of the duration %g s",
                      name, p->ramp, p->duration);
  for (int i = 0; i < p->of.list.count; i++) check_stroke(v, &p->of.list.item[i], name);
}

static void check_signal(lim_resolver *v, const lim_signal *s, const char *name) {
  for (int i = 0; i < s->list.count; i++)
    if (s->list.item[i].head.node) check_stroke(v, &s->list.item[i], name);
}

// The first profile of a prescribed joint starts where the configuration has it.
static void check_start(lim_resolver *v, const lim_motion *q, const lim_drive *drive) {
  if (q->profile.list.count == 0 || (drive && drive->type != LIM_DRIVE_PRESCRIBED)) return;
  const lim_profile *first = &q->profile.list.item[0];
  for (int i = 0; i < v->m->configuration.count; i++) {
    const lim_state *s = &v->m->configuration.item[i];
    if (s->joint != q->joint || !s->head.node || !lim_tree_get(s->head.node, "position") || isnan(first->from))
      continue;
    if (fabs(first->from - s->position[0]) > 1e-9 * (1 + fabs(first->from)))
      lim_resolve_error(v, &first->head, "from", "joint '%s' moves from %g, but its configuration is %g",
                        q->head.name, first->from, s->position[0]);
  }
}

static bool follows_line(const lim_motion *q) {
  return q->profile.list.count > 0 && q->profile.list.item[0].line.head.node;
}

static void resolve_motion(lim_resolver *v, lim_motion *q) {
  check_signal(v, &q->profile, q->head.name);
  q->joint = -1;
  if (follows_line(q)) {
    q->frame.ref = (lim_ref){.text = q->head.name, .node = q->head.node, .index = -1};
    lim_resolve_spot(v, &q->frame);
    return;
  }
  q->joint = lim_resolve_joint(v, &q->head);
  if (q->joint < 0) return;
  const lim_link *a = &v->m->links.item[q->joint];
  if (!one_freedom(a)) {
    lim_resolve_error(v, &q->head, NULL, "joint '%s' is %s, so it has no motion", q->head.name,
                      a->joint.type == LIM_FIXED ? "fixed" : "free");
    return;
  }
  check_start(v, q, lim_model_drive(v->m, q->joint));
  lim_resolve_units(v, table_of("motion"), entry_of(v->m, "motion", q->head.name),
                    a->joint.type == LIM_PRISMATIC, NULL);
}

// --- loads and couplings ---

static void resolve_load(lim_resolver *v, lim_load *x) {
  bool at = x->at.ref.text, along = x->along.text;
  if (at == along)
    lim_resolve_error(v, &x->head, NULL,
                      at ? "a load acts at a frame or along a link, not both" : "a load needs 'at' or 'along'");
  if (at) lim_resolve_spot(v, &x->at);
  if (along && lim_resolve_link(v, &x->along) &&
      (x->along.index < 0 || !v->m->links.item[x->along.index].beam.head.node))
    lim_resolve_error(v, &x->head, "along", "a load along '%s' needs a beam there", x->along.text);
  if (x->to <= x->from)
    lim_resolve_error(v, &x->head, "to", "the load ends at %g s, must be after its start at %g s", x->to,
                      x->from);
  if (along && lim_tree_get(x->head.node, "moment"))
    lim_resolve_error(v, &x->head, "moment", "a load along a link is a force per length; it has no moment");
  check_signal(v, &x->factor, "factor");
  lim_resolve_units(v, table_of("loads"), x->head.node, !along, NULL); // N, or N/m along a link
}

static void resolve_between(lim_resolver *v, lim_spot between[2], const lim_head *head, const char *what) {
  if (!between[0].ref.text || !between[1].ref.text) return;
  bool found = lim_resolve_spot(v, &between[0]);
  if (!lim_resolve_spot(v, &between[1]) || !found) return;
  if (!strcmp(between[0].ref.text, between[1].ref.text))
    lim_resolve_error(v, head, "between", "%s '%s' joins '%s' with itself", what, head->name,
                      between[0].ref.text);
}

// Six values: three along directions, three about them.
static void check_six_units(lim_resolver *v, const lim_head *head, const char *key) {
  const lim_node *node = lim_tree_get(head->node, key);
  if (!node || node->kind != LIM_SEQUENCE || node->count != 6) return;
  const lim_key *row = lim_table_key(table_of("bushings"), key, NULL);
  for (int i = 0; i < 6; i++) {
    char half[64];
    lim_resolve_unit(v, key, node->item[i], lim_unit_for(row->unit, i < 3, half, sizeof half));
  }
}

static void check_names(lim_resolver *v, const lim_head *head, const lim_head *earlier, const char *what) {
  if (head->name[0] && !strcmp(head->name, earlier->name))
    lim_resolve_error(v, head, "name", "%s '%s' is defined a second time", what, head->name);
}

static void resolve_loop(lim_resolver *v, int i) {
  lim_loop *x = &v->m->loops.item[i];
  resolve_between(v, x->between, &x->head, "loop");
  lim_resolve_axis(v, x->axis, &x->head, "axis");
  if (isnan(x->axis2[0])) memcpy(x->axis2, x->axis, sizeof x->axis2);
  lim_resolve_axis(v, x->axis2, &x->head, "axis2");
  for (int k = 0; k < i; k++) check_names(v, &x->head, &v->m->loops.item[k].head, "loop");
}

static void resolve_spring(lim_resolver *v, int i) {
  lim_spring *x = &v->m->springs.item[i];
  resolve_between(v, x->between, &x->head, "spring");
  for (int k = 0; k < i; k++) check_names(v, &x->head, &v->m->springs.item[k].head, "spring");
}

static void resolve_bushing(lim_resolver *v, int i) {
  lim_bushing *x = &v->m->bushings.item[i];
  resolve_between(v, x->between, &x->head, "bushing");
  check_six_units(v, &x->head, "stiffness");
  check_six_units(v, &x->head, "damping");
  for (int k = 0; k < i; k++) check_names(v, &x->head, &v->m->bushings.item[k].head, "bushing");
}

const lim_drive *lim_model_drive(const lim_model *m, int link) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].joint == link && m->drives.item[i].head.node) return &m->drives.item[i];
  return NULL;
}

// Entries that were not mappings have no node; they have their message already.
#define EACH(list, i)                                                                                          \
  for (int i = 0; i < v->m->list.count; i++)                                                                   \
    if (v->m->list.item[i].head.node)

void lim_resolve_drives(lim_resolver *v) {
  EACH(configuration, i) resolve_state(v, &v->m->configuration.item[i]);
  EACH(drives, i) resolve_drive(v, &v->m->drives.item[i]);
  EACH(motion, i) resolve_motion(v, &v->m->motion.item[i]);
  EACH(loops, i) resolve_loop(v, i);
  EACH(springs, i) resolve_spring(v, i);
  EACH(bushings, i) resolve_bushing(v, i);
  EACH(loads, i) resolve_load(v, &v->m->loads.item[i]);
}
