// resolve_forces.c - what joins and loads the arm: loops, springs, bushings, loads.
#include "model/check/resolve.h"
#include "model/joint.h"

#include <math.h>
#include <string.h>

static const lim_table *table_of(const char *key) { return lim_table_key(&lim_root_table, key, NULL)->table; }

static void resolve_between(lim_resolver *v, lim_location between[2], const lim_head *head) {
  if (!between[0].ref.text || !between[1].ref.text) return;
  bool found = lim_resolve_location(v, head, &between[0]);
  if (!lim_resolve_location(v, head, &between[1]) || !found) return;
  if (!strcmp(between[0].ref.text, between[1].ref.text))
    lim_resolve_error(v, head, "between", "between has '%s' twice, must be two different frames",
                      between[0].ref.text);
}

// A frame, and the link whose beam it stays on.
static void resolve_rail(lim_resolver *v, lim_loop *x) {
  lim_location *rail = &x->between[1];
  if (!x->between[0].ref.text || !rail->ref.text) return;
  if (LIM_FIND_NAME(v->m->links, x->between[0].ref.text) >= 0 && strchr(rail->ref.text, '.')) {
    lim_resolve_error(v, &x->head, "between",
                      "between is [%.40s, %.40s], must be a frame, then the link that is its rail",
                      x->between[0].ref.text, rail->ref.text);
    return;
  }
  lim_resolve_location(v, &x->head, &x->between[0]);
  rail->link = rail->frame = -1;
  rail->kind = LIM_AT_BASE;
  if (!lim_resolve_link(v, &x->head, &rail->ref, "link")) return;
  rail->link = rail->ref.index;
  const lim_link *on = rail->link < 0 ? NULL : &v->m->links.item[rail->link];
  if (on && on->beam.head.flawed) return;
  if (!on || !on->beam.head.node)
    lim_resolve_error(v, &x->head, "between", "between ends with '%s', must be a link with a beam",
                      rail->ref.text);
  else if (lim_joint_slides(&on->joint))
    lim_resolve_error(v, &x->head, "between", "a rail needs a beam of one length, and that of '%s' slides",
                      on->head.name);
  else if (x->between[0].link == rail->link)
    lim_resolve_error(v, &x->head, "between", "between has a frame of '%s' on '%s' itself", rail->ref.text,
                      rail->ref.text);
}

static void resolve_loop(lim_resolver *v, int i) {
  lim_loop *x = &v->m->loops.item[i];
  LIM_RESOLVE_UNIQUE(v, v->m->loops, i);
  if (x->type == LIM_LOOP_RAIL)
    resolve_rail(v, x);
  else
    resolve_between(v, x->between, &x->head);
  lim_resolve_axis(v, x->axis, &x->head, "axis");
  if (isnan(x->axis2[0]))
    memcpy(x->axis2, x->axis, sizeof x->axis2);
  else
    lim_resolve_axis(v, x->axis2, &x->head, "axis2");
}

// A free length is not negative where its profiles say so at once.
static void check_length(lim_resolver *v, const lim_head *head, const lim_signal *length) {
  for (int i = 0; i < length->list.count; i++) {
    const lim_profile *p = &length->list.item[i];
    const double min = fmin(fmin(p->from, p->to), p->value); // those not given are NaN
    const lim_head at = {.node = p->head.node, .where = head->where};
    if (!p->head.flawed && min < 0)
      lim_resolve_error(v, &at,
                        p->value < 0 ? "value"
                        : p->to < 0  ? "to"
                                     : "from",
                        "length is %g m, must be 0 or more", min);
  }
}

static void resolve_spring(lim_resolver *v, int i) {
  lim_spring *x = &v->m->springs.item[i];
  bool stiffness = lim_tree_get(x->head.node, "stiffness"), force = lim_tree_get(x->head.node, "force");
  LIM_RESOLVE_UNIQUE(v, v->m->springs, i);
  resolve_between(v, x->between, &x->head);
  if (stiffness && force)
    lim_resolve_error(v, &x->head, "force",
                      "force and stiffness both say how the spring pulls; give one of them");
  else if (!stiffness && !force && !lim_tree_get(x->head.node, "damping") && !x->head.flawed)
    lim_resolve_error(v, &x->head, NULL, "'stiffness', 'damping' or 'force' is missing");
  lim_resolve_signal(v, &x->head, &x->length, false);
  check_length(v, &x->head, &x->length);
}

// Six values: three along directions, three about them.
static void check_six_units(lim_resolver *v, const lim_head *head, const char *key) {
  const lim_node *node = lim_tree_get(head->node, key);
  if (!node || head->flawed) return;
  const lim_key *row = lim_table_key(table_of("bushings"), key, NULL);
  for (int i = 0; i < 6; i++) {
    char half[64];
    const lim_unit_side side = {head, i < 3, i < 3 ? "a direction" : "a rotation"};
    lim_resolve_unit(v, side, key, node->item[i], lim_unit_for(row->unit, side.linear, half, sizeof half));
  }
}

static void resolve_bushing(lim_resolver *v, int i) {
  lim_bushing *x = &v->m->bushings.item[i];
  LIM_RESOLVE_UNIQUE(v, v->m->bushings, i);
  resolve_between(v, x->between, &x->head);
  check_six_units(v, &x->head, "stiffness");
  check_six_units(v, &x->head, "damping");
}

// A plane on a link is one on its base.
static bool resolve_carrier(lim_resolver *v, const lim_contact *x, lim_location *on) {
  const int link = LIM_FIND_NAME(v->m->links, on->ref.text);
  if (link < 0 || lim_link_is_inserted(&v->m->links.item[link]) ||
      LIM_FIND_NAME(v->m->frames, on->ref.text) >= 0)
    return lim_resolve_location(v, &x->plane.head, on);
  on->link = link;
  on->kind = LIM_AT_BASE;
  return true;
}

// Its channels begin with its name: nothing else may have one that is called name.force.
static void check_contact_name(lim_resolver *v, const lim_contact *x) {
  const lim_model *m = v->m;
  const char *name = x->head.name;
  if (!name) return;
  const char *other = LIM_FIND_NAME(m->springs, name) >= 0    ? "a spring"
                      : LIM_FIND_NAME(m->bushings, name) >= 0 ? "a bushing"
                      : LIM_FIND_NAME(m->loops, name) >= 0    ? "a loop"
                                                              : NULL;
  for (int i = 0; i < m->links.count && !other; i++)
    if (m->links.item[i].joint.whole && !strcmp(m->links.item[i].joint.whole, name)) other = "a joint";
  if (other) lim_resolve_error(v, &x->head, "name", "name is '%.40s', which is that of %s, too", name, other);
}

static void resolve_contact(lim_resolver *v, int i) {
  lim_contact *x = &v->m->contacts.item[i];
  LIM_RESOLVE_UNIQUE(v, v->m->contacts, i);
  check_contact_name(v, x);
  const bool found = x->frame.ref.text && lim_resolve_location(v, &x->head, &x->frame);
  if (!x->plane.head.node) return;
  lim_resolve_axis(v, x->plane.normal, &x->plane.head, "normal");
  if (x->plane.on.ref.text && !resolve_carrier(v, x, &x->plane.on)) return;
  if (found && x->frame.link == x->plane.on.link)
    lim_resolve_error(v, &x->head, "frame", "frame is '%.40s', which is on the same %s as the plane",
                      x->frame.ref.text, x->frame.link < 0 ? "world" : "link");
}

// What acts, and where.
static void check_load(lim_resolver *v, const lim_load *x) {
  const lim_node *node = x->head.node;
  bool at = lim_tree_get(node, "at"), along = lim_tree_get(node, "along"), nodes = lim_tree_get(node, "nodes");
  bool force = lim_tree_get(node, "force"), moment = lim_tree_get(node, "moment");
  if (nodes && (at || along))
    lim_resolve_error(v, &x->head, "nodes",
                      "a load acts on nodes, or at a frame, or along a link, not on several");
  else if (at && along)
    lim_resolve_error(v, &x->head, "along", "a load acts at a frame or along a link, not both");
  else if (!at && !along && !nodes)
    lim_resolve_error(v, &x->head, NULL, "'at' or 'along' is missing");
  else if (along && moment)
    lim_resolve_error(v, &x->head, "moment", "a load along a link is a force per length; it has no moment");
  if (!force && !moment) lim_resolve_error(v, &x->head, NULL, "'force' or 'moment' is missing");
}

// "link.SET": such places were added before.
static void resolve_nodes(lim_resolver *v, lim_load *x) {
  x->at.ref = x->nodes;
  const char *dot = strchr(x->nodes.text, '.');
  for (int i = 0; dot && i < v->m->links.count; i++) {
    const lim_link *a = &v->m->links.item[i];
    const size_t n = strlen(a->head.name);
    if (n == (size_t)(dot - x->nodes.text) && !strncmp(a->head.name, x->nodes.text, n) && a->fe.head.node) {
      lim_resolve_location(v, &x->head, &x->at);
      return;
    }
  }
  lim_resolve_error(v, &x->head, "nodes", "nodes is '%.80s', must be link.SET of a link from finite elements",
                    x->nodes.text);
}

static void resolve_load(lim_resolver *v, int i) {
  lim_load *x = &v->m->loads.item[i];
  const bool along = x->along.text;
  LIM_RESOLVE_UNIQUE(v, v->m->loads, i);
  if (!x->head.flawed) check_load(v, x);
  if (x->nodes.text && !x->at.ref.text)
    resolve_nodes(v, x);
  else if (x->at.ref.text)
    lim_resolve_location(v, &x->head, &x->at);
  if (along && LIM_RESOLVE_NAME(v, &x->head, &x->along, "link", "links", v->m->links)) {
    const lim_link *a = &v->m->links.item[x->along.index];
    if (!a->beam.head.node && !a->beam.head.flawed)
      lim_resolve_error(v, &x->head, "along", "along is '%s', must be a link with a beam", x->along.text);
  }
  lim_resolve_signal(v, &x->head, &x->factor, false);
  lim_resolve_block(v, &x->head, &x->factor.block);
  if (x->to <= x->from)
    lim_resolve_error(v, &x->head, "to", "to is %g s, must be after from, which is %g s", x->to, x->from);
  if (!x->head.flawed && !(along && x->at.ref.text)) {
    const lim_unit_side side = {&x->head, !along,
                                along ? "a load along a link" : "a load at a frame"}; // N, or N/m
    lim_resolve_units(v, side, table_of("loads"), x->head.node, NULL);
  }
}

// Entries that were not mappings have no node; they have their message already.
#define EACH(list, i)                                                                                          \
  for (int i = 0; i < v->m->list.count; i++)                                                                   \
    if (v->m->list.item[i].head.node)

void lim_resolve_forces(lim_resolver *v) {
  EACH(loops, i) resolve_loop(v, i);
  EACH(springs, i) resolve_spring(v, i);
  EACH(bushings, i) resolve_bushing(v, i);
  EACH(contacts, i) resolve_contact(v, i);
  EACH(loads, i) resolve_load(v, i);
}
