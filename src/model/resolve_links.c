// resolve_links.c - the tree of links: parents, joints, beams, masses, gauges.
#include "model/resolve.h"

#include <math.h>
#include <string.h>

static const lim_table *joint_table(void) {
  const lim_table *link = lim_table_key(&lim_root_table, "links", NULL)->table;
  return lim_table_key(link, "joint", NULL)->table;
}

// --- parents ---

static void resolve_name(lim_resolver *v, int i) {
  const lim_link *a = &v->m->links.item[i];
  for (int k = 0; k < i; k++) {
    const lim_link *b = &v->m->links.item[k];
    if (a->head.name[0] && !strcmp(a->head.name, b->head.name)) {
      lim_resolve_error(v, &a->head, "name", "link '%s' is defined a second time; the first is in line %d",
                        a->head.name, b->head.node->line);
      return;
    }
    if (a->joint.head.name[0] && !strcmp(a->joint.head.name, b->joint.head.name)) {
      const lim_head *head = a->joint.head.node ? &a->joint.head : &a->head;
      lim_resolve_error(v, head, "name", "joint '%s' is defined a second time; the first belongs to link '%s'",
                        a->joint.head.name, b->head.name);
      return;
    }
  }
}

// Whether following parents from link i leads back to it.
static bool in_cycle(const lim_model *m, int i) {
  int at = m->links.item[i].parent.index;
  for (int steps = 0; at >= 0 && steps <= m->links.count; steps++) {
    if (at == i) return true;
    at = m->links.item[at].parent.index;
  }
  return false;
}

static void resolve_parent(lim_resolver *v, int i) {
  lim_link *a = &v->m->links.item[i];
  if (!a->parent.text)
    a->parent.index = i - 1;
  else
    lim_resolve_link(v, &a->parent);
}

static void check_order(lim_resolver *v, int i) {
  lim_link *a = &v->m->links.item[i];
  int parent = a->parent.index;
  if (parent < i) return;
  const char *name = a->head.name, *of = v->m->links.item[parent].head.name;
  if (parent == i)
    lim_resolve_error(v, &a->head, "parent", "link '%s' is its own parent", name);
  else if (in_cycle(v->m, i))
    lim_resolve_error(v, &a->head, "parent",
                      "link '%s' hangs on '%s', which hangs on '%s' again: a cycle; close chains under 'loops'",
                      name, of, name);
  else
    lim_resolve_error(v, &a->head, "parent", "link '%s' stands before its parent '%s'; parents come first",
                      name, of);
}

// --- joints ---

static void resolve_slide(lim_resolver *v, const lim_link *a) {
  const lim_joint *j = &a->joint;
  if (!j->slide.head.node) return;
  if (!a->beam.head.node)
    lim_resolve_error(v, &j->slide.head, NULL, "link '%s': slide needs a beam that slides", a->head.name);
  if (j->dh.head.node || j->axis[1] != 0 || j->axis[2] != 0)
    lim_resolve_error(
        v, &j->slide.head, NULL,
        "link '%s': a sliding beam moves along its own x; its joint needs origin and axis [1, 0, 0]",
        a->head.name);
}

static void resolve_joint(lim_resolver *v, lim_link *a) {
  lim_joint *j = &a->joint;
  if (j->head.node && j->dh.head.node && j->origin.head.node)
    lim_resolve_error(v, &j->head, "dh",
                      "link '%s': dh and origin both say where the joint sits; give one of them", a->head.name);
  if (j->dh.head.node && lim_tree_get(j->head.node, "axis"))
    lim_resolve_error(v, &j->head, "axis", "link '%s': a joint with a dh row acts about z; leave axis out",
                      a->head.name);
  if (j->type == LIM_REVOLUTE || j->type == LIM_PRISMATIC) lim_resolve_axis(v, j->axis, &j->head, "axis");
  if (j->limits.position[0] >= j->limits.position[1])
    lim_resolve_error(v, &j->limits.head, "position", "link '%s': the limits [%g, %g] leave no position",
                      a->head.name, j->limits.position[0], j->limits.position[1]);
  if (j->head.node) lim_resolve_units(v, joint_table(), j->head.node, j->type == LIM_PRISMATIC, NULL);
  resolve_slide(v, a);
}

// --- beams ---

static void resolve_section_ref(lim_resolver *v, lim_ref *ref) {
  if (!ref->text) return;
  lim_nearest near = lim_nearest_start(ref->text);
  for (int i = 0; i < v->m->sections.count; i++) {
    if (!strcmp(v->m->sections.item[i].head.name, ref->text)) {
      ref->index = i;
      return;
    }
    lim_nearest_try(&near, v->m->sections.item[i].head.name);
  }
  lim_resolve_unknown(v, ref, "section", near);
}

static void resolve_piece(lim_resolver *v, const lim_link *a, lim_piece *p) {
  bool tapered = p->head.node && lim_tree_get(p->head.node, "from");
  if (p->head.node && !p->from.text)
    lim_resolve_error(v, &p->head, NULL, "link '%s': a piece needs a section, or from and to", a->head.name);
  if (tapered && !p->to.text)
    lim_resolve_error(v, &p->head, "from", "link '%s': a tapered piece needs 'to' beside 'from'", a->head.name);
  if (!tapered && p->to.text)
    lim_resolve_error(v, &p->head, "to", "link '%s': 'to' needs 'from' beside it", a->head.name);
  resolve_section_ref(v, &p->from);
  resolve_section_ref(v, &p->to);
  if (!p->to.text) p->to = p->from;
  if (p->from.index < 0 || p->to.index < 0) return;
  const lim_section *from = &v->m->sections.item[p->from.index], *to = &v->m->sections.item[p->to.index];
  if (from->shape != to->shape)
    lim_resolve_error(v, &p->head, "to",
                      "link '%s': a piece cannot taper from '%s' to '%s', which has another shape",
                      a->head.name, from->head.name, to->head.name);
}

// The beam's length is given, is a of the DH row, or is the sum of the pieces; all that are given must agree.
static void resolve_length(lim_resolver *v, lim_link *a) {
  lim_beam *b = &a->beam;
  double sum = 0;
  int open = 0; // pieces without a length
  for (int i = 0; i < b->pieces.count; i++) {
    if (isnan(b->pieces.item[i].length))
      open++;
    else
      sum += b->pieces.item[i].length;
  }
  bool written = lim_tree_get(b->head.node, "length");
  if (!written && a->joint.dh.head.node && a->joint.dh.a > 0)
    b->length = a->joint.dh.a;
  else if (!written && open == 0)
    b->length = sum;
  else if (!written)
    lim_resolve_error(v, &b->head, NULL, "link '%s': the beam has no length", a->head.name);
  if (isnan(b->length)) return;
  if (a->joint.dh.head.node && fabs(b->length - a->joint.dh.a) > 1e-9 * b->length)
    lim_resolve_error(v, &b->head, "length", "link '%s': length is %g m, but the DH row has a = %g m",
                      a->head.name, b->length, a->joint.dh.a);
  if (open > 1 || (open == 0 && fabs(sum - b->length) > 1e-9 * b->length))
    lim_resolve_error(v, &b->head, "section",
                      "link '%s': the pieces are %g m long in all, must be the beam's %g m", a->head.name, sum,
                      b->length);
  else if (open == 1 && sum >= b->length)
    lim_resolve_error(v, &b->head, "section",
                      "link '%s': the pieces with a length leave nothing of the beam's %g m", a->head.name,
                      b->length);
  for (int i = 0; i < b->pieces.count; i++)
    if (isnan(b->pieces.item[i].length)) b->pieces.item[i].length = b->length - sum;
}

static void resolve_material_ref(lim_resolver *v, lim_ref *ref) {
  if (!ref->text) return;
  lim_nearest near = lim_nearest_start(ref->text);
  for (int i = 0; i < v->m->materials.count; i++) {
    if (!strcmp(v->m->materials.item[i].head.name, ref->text)) {
      ref->index = i;
      return;
    }
    lim_nearest_try(&near, v->m->materials.item[i].head.name);
  }
  lim_resolve_unknown(v, ref, "material", near);
}

static void resolve_beam(lim_resolver *v, lim_link *a) {
  lim_beam *b = &a->beam;
  for (int i = 0; i < b->pieces.count; i++) resolve_piece(v, a, &b->pieces.item[i]);
  resolve_length(v, a);
  resolve_material_ref(v, &b->material);
  if (b->elements < b->pieces.count)
    lim_resolve_error(v, &b->head, "elements",
                      "link '%s': elements is %d, must be at least one for each of the %d pieces", a->head.name,
                      b->elements, b->pieces.count);
  if (b->elements < b->segments)
    lim_resolve_error(v, &b->head, "segments", "link '%s': segments is %d, but there are only %d elements",
                      a->head.name, b->segments, b->elements);
}

// --- what a link carries ---

static void check_inertia(lim_resolver *v, const double I[6], const lim_head *head, const char *what,
                          const char *name) {
  static const struct { int a, b, ab; } pair[3] = {{0, 1, 3}, {0, 2, 4}, {1, 2, 5}};
  for (int i = 0; i < 3; i++)
    if (I[i] < 0) {
      lim_resolve_error(v, head, "inertia", "%s '%s': inertia has the moment %g kg m^2, must be 0 or more",
                        what, name, I[i]);
      return;
    }
  for (int i = 0; i < 3; i++)
    if (I[pair[i].ab] * I[pair[i].ab] > I[pair[i].a] * I[pair[i].b] * (1 + 1e-12)) {
      lim_resolve_error(v, head, "inertia",
                        "%s '%s': inertia has the product %g kg m^2, too large for its moments", what, name,
                        I[pair[i].ab]);
      return;
    }
}

static void resolve_mass(lim_resolver *v, int link, lim_mass *x) {
  const char *at = x->at.node ? x->at.node->text : "tip";
  if (!x->head.name[0]) x->head.name = at;
  lim_resolve_place(v, &x->at, link, &x->head);
  check_inertia(v, x->inertia, &x->head, "mass", x->head.name);
}

static void resolve_gauge(lim_resolver *v, int link, int i) {
  lim_link *a = &v->m->links.item[link];
  lim_gauge *g = &a->gauges.item[i];
  lim_resolve_place(v, &g->at, link, &g->head);
  if (!a->beam.head.node && g->head.node)
    lim_resolve_error(v, &g->head, NULL, "link '%s': a strain gauge needs a beam", a->head.name);
  for (int k = 0; k < i && g->head.name[0]; k++)
    if (!strcmp(a->gauges.item[k].head.name, g->head.name))
      lim_resolve_error(v, &g->head, "name", "link '%s': gauge '%s' is defined a second time", a->head.name,
                        g->head.name);
}

static void check_damping(lim_resolver *v, const lim_damping *d, const char *what) {
  if (!isnan(d->ratio) && (!isnan(d->mass) || !isnan(d->stiffness)))
    lim_resolve_error(v, &d->head, "ratio", "%s: damping is given by ratio or by mass and stiffness, not both",
                      what);
}

static void resolve_link(lim_resolver *v, int i) {
  lim_link *a = &v->m->links.item[i];
  resolve_joint(v, a);
  if (a->beam.head.node && a->body.head.node)
    lim_resolve_error(v, &a->head, "body", "link '%s' has a beam and a body; it is one of them", a->head.name);
  if (a->beam.head.node) resolve_beam(v, a);
  if (a->body.head.node) check_inertia(v, a->body.inertia, &a->body.head, "link", a->head.name);
  if (!a->beam.head.node && a->basis.head.node && a->basis.type != LIM_BASIS_RIGID)
    lim_resolve_error(v, &a->head, "basis", "link '%s' has no beam, so it has no deformations to choose",
                      a->head.name);
  check_damping(v, &a->damping, a->head.name);
  for (int k = 0; k < a->masses.count; k++) resolve_mass(v, i, &a->masses.item[k]);
  for (int k = 0; k < a->gauges.count; k++) resolve_gauge(v, i, k);
}

void lim_resolve_links(lim_resolver *v) {
  lim_model *m = v->m;
  if (m->links.count == 0 && m->head.node && lim_tree_get(m->head.node, "links"))
    lim_resolve_error(v, &m->head, "links", "links is empty; an arm has at least one");
  for (int i = 0; i < m->links.count; i++) {
    lim_link *a = &m->links.item[i];
    if (!a->joint.head.name) a->joint.head.name = a->head.name;
    if (a->head.node) resolve_name(v, i);
    resolve_parent(v, i);
  }
  for (int i = 0; i < m->links.count; i++) {
    lim_link *a = &m->links.item[i];
    if (!a->head.node) continue; // not a mapping: it has its message
    check_order(v, i);
    if (a->parent.index < 0 && !lim_tree_get(a->head.node, "at"))
      a->at.kind = LIM_AT_BASE; // the world has no tip
    if (a->parent.index < i) lim_resolve_place(v, &a->at, a->parent.index, &a->head);
    resolve_link(v, i);
  }
  check_damping(v, &m->damping, "model");
}
