// resolve_links.c - the tree of links: parents, joints, beams, masses, gauges.
#include "model/check/resolve.h"
#include "model/joint.h"
#include "model/kinds.h"

#include <math.h>
#include <string.h>

static const lim_table *joint_table(void) {
  const lim_table *link = lim_table_key(&lim_root_table, "links", NULL)->table;
  return lim_table_key(link, "joint", NULL)->table;
}

// --- parents ---

// "wrist.first" may not mean a place as well.
static void check_frame_name(lim_resolver *v, const lim_link *a) {
  const int frame = LIM_FIND_NAME(v->m->frames, a->joint.whole);
  const lim_joint_kind *kind = lim_joint_whole_kind(&a->joint);
  for (int i = 0; i < v->m->frames.count && !strcmp(a->head.name, a->joint.whole) && !kind->ball; i++) {
    const lim_frame *f = &v->m->frames.item[i];
    for (int k = 0; k < kind->freedoms; k++)
      if (f->on.text && !strcmp(f->on.text, a->head.name) && !strcmp(f->head.name, kind->freedom[k].name))
        lim_resolve_error(v, &f->head, "name",
                          "'%s.%s' is also a freedom of the link's joint; name the frame otherwise",
                          a->head.name, f->head.name);
  }
  if (frame >= 0)
    lim_resolve_error(v, &v->m->frames.item[frame].head, "name",
                      "the name '%.40s' is that of a joint with several freedoms; name the frame otherwise",
                      a->joint.whole);
}

static void check_joint_name(lim_resolver *v, int i) {
  const lim_link *a = &v->m->links.item[i];
  if (lim_link_is_inserted(a)) return;
  for (int k = 0; k < i && a->joint.whole[0]; k++) {
    const lim_link *b = &v->m->links.item[k];
    if (lim_link_is_inserted(b) || strcmp(a->joint.whole, b->joint.whole) ||
        !strcmp(a->head.name, b->head.name))
      continue;
    lim_resolve_error(v, a->joint.head.node ? &a->joint.head : &a->head, "name",
                      "the name '%.40s' is used for a second joint; the first belongs to link '%s'",
                      a->joint.whole, b->head.name);
    return;
  }
  if (lim_joint_is_part(&a->joint)) check_frame_name(v, a);
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
    lim_resolve_link(v, &a->head, &a->parent, "parent");
}

static void check_order(lim_resolver *v, int i) {
  const lim_link *a = &v->m->links.item[i];
  const char *parent = a->parent.text;
  if (a->parent.index < i) return;
  if (a->parent.index == i)
    lim_resolve_error(v, &a->head, "parent", "parent is '%s', the link itself", parent);
  else if (in_cycle(v->m, i))
    lim_resolve_error(v, &a->head, "parent",
                      "parent is '%s', which hangs on '%s' in turn: a cycle; close chains under 'loops'",
                      parent, a->head.name);
  else
    lim_resolve_error(v, &a->head, "parent", "parent is '%s', which stands after it; parents come first",
                      parent);
}

// The world has no tip but its base.
static void resolve_attachment(lim_resolver *v, int i) {
  lim_link *a = &v->m->links.item[i];
  if (a->parent.index >= i || lim_ref_lost(&a->parent)) return;
  if (a->parent.index < 0 && a->at.kind == LIM_AT_TIP) {
    a->at.kind = LIM_AT_BASE;
    a->at.value = 0;
  }
  lim_resolve_link_location(v, &a->at, a->parent.index, &a->head, true);
}

// --- joints ---

static void resolve_slide(lim_resolver *v, const lim_link *a) {
  const lim_joint *j = &a->joint;
  if (!j->slide.head.node || !lim_joint_is_linear(j) || j->rail) return;
  if (!a->beam.head.node && !a->beam.head.flawed)
    lim_resolve_error(v, &j->slide.head, NULL, "slide needs a beam that slides");
  if (j->dh.head.node || j->axis[1] != 0 || j->axis[2] != 0)
    lim_resolve_error(v, &j->slide.head, NULL,
                      "a sliding beam moves along its own x; its joint needs origin and axis [1, 0, 0]");
}

// What says otherwise where a joint on a rail sits or goes.
static bool check_rail(lim_resolver *v, const lim_link *a) {
  static const char *const beside[] = {"axis", "dh", "slide"};
  const int before = v->errors;
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
    if (lim_tree_get(a->joint.head.node, beside[i]))
      lim_resolve_error(v, &a->joint.head, beside[i],
                        "a joint on a rail goes along the parent's beam; leave %s out", beside[i]);
  if (lim_tree_get(a->head.node, "at"))
    lim_resolve_error(v, &a->head, "at", "a joint on a rail stands where its position says; leave at out");
  if (v->errors != before || lim_ref_lost(&a->parent)) return false;
  const lim_link *on = a->parent.index < 0 ? NULL : &v->m->links.item[a->parent.index];
  if (on && on->beam.head.flawed) return false;
  if (!on || !on->beam.head.node)
    lim_resolve_error(v, &a->joint.head, "rail", "rail needs a parent with a beam, and '%s' has none",
                      on ? on->head.name : "base");
  else if (lim_joint_slides(&on->joint))
    lim_resolve_error(v, &a->joint.head, "rail", "rail needs a beam of one length, and that of '%s' slides",
                      on->head.name);
  return v->errors == before;
}

// It slides along the beam, from its base; between its ends, unless limits say otherwise.
static void resolve_rail(lim_resolver *v, lim_link *a) {
  lim_joint *j = &a->joint;
  if (!j->rail || j->head.flawed || !check_rail(v, a)) return;
  lim_link *on = &v->m->links.item[a->parent.index];
  on->is_rail = true;
  const double along[3] = {lim_link_reversed(on) ? -1 : 1, 0, 0}, length = on->beam.length;
  double R[9];
  lim_rotation_rpy(R, j->origin.rpy);
  lim_rotate_back(j->axis, R, along);
  a->at.kind = LIM_AT_BASE;
  a->at.value = 0;
  double *limit = j->limits.position;
  if (isnan(limit[0])) {
    limit[0] = 0;
    limit[1] = length;
  } else if (limit[0] < -1e-9 * length || limit[1] > (1 + 1e-9) * length) {
    lim_resolve_error(v, &j->limits.head, "position",
                      "position is [%g, %g], must lie on the rail, from 0 to %g m", limit[0], limit[1], length);
  }
}

static void check_stop(lim_resolver *v, const lim_limits *x, bool bounded) {
  if (x->stop.head.node && !x->head.flawed && isnan(x->position[0]) && !bounded)
    lim_resolve_error(v, &x->head, "stop", "stop needs the position limits at which it stands");
}

static void check_position_limits(lim_resolver *v, const lim_limits *x) {
  if (x->position[0] >= x->position[1])
    lim_resolve_error(v, &x->head, "position", "position is [%g, %g], must be the lower limit, then the upper",
                      x->position[0], x->position[1]);
}

// A freedom of a joint that was taken apart.
static void resolve_part(lim_resolver *v, const lim_link *a) {
  const lim_joint *j = &a->joint;
  if (j->head.flawed || !j->limits.head.node || j->limits.head.flawed) return;
  check_position_limits(v, &j->limits);
  check_stop(v, &j->limits, false);
  lim_resolve_units(v, lim_unit_side_of(&j->limits.head, a), &lim_limits_table, j->limits.head.node, NULL);
}

static void resolve_joint(lim_resolver *v, lim_link *a) {
  lim_joint *j = &a->joint;
  if (!j->head.node) return;
  if (lim_joint_is_part(j)) {
    resolve_part(v, a);
    return;
  }
  if (j->dh.head.node && j->origin.head.node)
    lim_resolve_error(v, &j->head, "dh", "dh and origin both say where the joint sits; give one of them");
  if (j->dh.head.node && lim_tree_get(j->head.node, "axis"))
    lim_resolve_error(v, &j->head, "axis", "a joint with a dh row acts about z; leave axis out");
  const char *takes = lim_joint_kind_of(j)->row.takes;
  if (takes && lim_key_listed(takes, "axis")) lim_resolve_axis(v, j->axis, &j->head, "axis");
  check_position_limits(v, &j->limits);
  check_stop(v, &j->limits, j->rail);
  if (j->head.flawed) return; // its type may be what is wrong
  lim_resolve_units(v, lim_unit_side_of(&j->head, a), joint_table(), j->head.node, NULL);
  resolve_slide(v, a);
  resolve_rail(v, a);
}

// --- beams ---

// What a piece must say: its section, or the sections at its two ends.
static void check_piece(lim_resolver *v, const lim_piece *p) {
  bool section = lim_tree_get(p->head.node, "section"), from = lim_tree_get(p->head.node, "from");
  bool to = lim_tree_get(p->head.node, "to");
  if (section && (from || to))
    lim_resolve_error(v, &p->head, from ? "from" : "to",
                      "section goes without from and to, which make a taper");
  else if (from && !to)
    lim_resolve_error(v, &p->head, NULL, "'to' is missing beside 'from'");
  else if (to && !from)
    lim_resolve_error(v, &p->head, NULL, "'from' is missing beside 'to'");
  else if (!section && !from)
    lim_resolve_error(v, &p->head, NULL, "'section' is missing, or 'from' and 'to'");
}

static void resolve_piece(lim_resolver *v, lim_piece *p) {
  const lim_model *m = v->m;
  if (p->head.node && !p->head.flawed) check_piece(v, p);
  if (p->from.text) LIM_RESOLVE_NAME(v, &p->head, &p->from, "section", "sections", m->sections);
  if (p->to.text) LIM_RESOLVE_NAME(v, &p->head, &p->to, "section", "sections", m->sections);
  if (!p->to.text) p->to = p->from;
  if (p->from.index < 0 || p->to.index < 0) return;
  const lim_section *from = &m->sections.item[p->from.index], *to = &m->sections.item[p->to.index];
  if (from->shape != to->shape && !from->head.flawed && !to->head.flawed)
    lim_resolve_error(v, &p->head, "to", "to is '%s', must have the shape of '%s'", to->head.name,
                      from->head.name);
}

// The beam's length is given, is a of the DH row, or is the sum of the pieces; all that are given must agree.
static void resolve_length(lim_resolver *v, lim_link *a) {
  lim_beam *b = &a->beam;
  const lim_dh *dh = a->joint.dh.head.node ? &a->joint.dh : NULL;
  double sum = 0;
  int open = 0; // pieces without a length
  for (int i = 0; i < b->pieces.count; i++) {
    if (isnan(b->pieces.item[i].length))
      open++;
    else
      sum += b->pieces.item[i].length;
  }
  if (b->head.flawed || (dh && dh->head.flawed)) return; // what is missing may be what was refused
  if (isnan(b->length)) b->length = dh && dh->a != 0 ? fabs(dh->a) : open ? NAN : sum;
  if (isnan(b->length))
    lim_resolve_error(v, &b->head, NULL, "'length' is missing in beam");
  else if (dh && fabs(b->length - fabs(dh->a)) > 1e-9 * b->length)
    lim_resolve_error(v, &b->head, "length", "length is %g m, must be that of a of the dh row, which is %g m",
                      b->length, dh->a);
  if (open > 1)
    lim_resolve_error(v, &b->head, "section",
                      "%d pieces have no length; only one may take what the others leave", open);
  else if (open == 0 && fabs(sum - b->length) > 1e-9 * b->length)
    lim_resolve_error(v, &b->head, "section", "the pieces are %g m long in all, must be the beam's %g m", sum,
                      b->length);
  else if (open == 1 && sum >= b->length)
    lim_resolve_error(v, &b->head, "section",
                      "the pieces with a length take %g m, which leaves nothing of the beam's %g m", sum,
                      b->length);
  for (int i = 0; i < b->pieces.count; i++)
    if (isnan(b->pieces.item[i].length)) b->pieces.item[i].length = b->length - sum;
}

static void resolve_beam(lim_resolver *v, lim_link *a) {
  lim_beam *b = &a->beam;
  for (int i = 0; i < b->pieces.count; i++) resolve_piece(v, &b->pieces.item[i]);
  resolve_length(v, a);
  if (b->material.text) LIM_RESOLVE_NAME(v, &b->head, &b->material, "material", "materials", v->m->materials);
  if (b->elements < b->pieces.count)
    lim_resolve_error(v, &b->head, "elements", "elements is %d, must be at least one for each of the %d pieces",
                      b->elements, b->pieces.count);
  if (b->elements < b->segments)
    lim_resolve_error(v, &b->head, "segments", "segments is %d, must be at most the %d elements", b->segments,
                      b->elements);
}

// --- what a link carries ---

// Moments are not negative, and neither is any principal minor of the matrix. That one moment is at most the
// sum of the others is not asked: planar models give izz alone.
static void check_inertia(lim_resolver *v, const double I[6], const lim_head *head) {
  static const struct { int a, b, ab; } pair[3] = {{0, 1, 3}, {0, 2, 4}, {1, 2, 5}};
  for (int i = 0; i < 3; i++)
    if (I[i] < 0) {
      lim_resolve_error(v, head, "inertia", "inertia has the moment %g kg m^2, must be 0 or more", I[i]);
      return;
    }
  for (int i = 0; i < 3; i++)
    if (I[pair[i].ab] * I[pair[i].ab] > I[pair[i].a] * I[pair[i].b] * (1 + 1e-12)) {
      lim_resolve_error(v, head, "inertia", "inertia has the product %g kg m^2, too large for its moments",
                        I[pair[i].ab]);
      return;
    }
  double det = I[0] * I[1] * I[2] + 2 * I[3] * I[4] * I[5] - I[0] * I[5] * I[5] - I[1] * I[4] * I[4] -
               I[2] * I[3] * I[3];
  if (det < -1e-12 * I[0] * I[1] * I[2])
    lim_resolve_error(v, head, "inertia",
                      "inertia has a negative principal moment: its products are too large");
}

static void resolve_mass(lim_resolver *v, int link, int i) {
  lim_mass *x = &v->m->links.item[link].masses.item[i];
  if (!x->head.node) return;
  LIM_RESOLVE_UNIQUE(v, v->m->links.item[link].masses, i);
  if (!x->head.name[0]) x->head.name = x->at.node->text;
  lim_resolve_link_location(v, &x->at, link, &x->head, false);
  check_inertia(v, x->inertia, &x->head);
}

static void resolve_gauge(lim_resolver *v, int link, int i) {
  lim_link *a = &v->m->links.item[link];
  lim_gauge *g = &a->gauges.item[i];
  if (!g->head.node) return;
  LIM_RESOLVE_UNIQUE(v, a->gauges, i);
  if (a->fe.head.node || a->fe.head.flawed) return; // see resolve_fe.c
  const char *const fe[] = {"element", "nodes", "direction", "side"};
  for (int k = 0; k < 4 && a->beam.head.node; k++)
    if (lim_tree_get(g->head.node, fe[k]))
      lim_resolve_error(v, &g->head, fe[k],
                        "%s is for links from finite elements; on a beam a gauge has at and face", fe[k]);
  if (a->beam.head.node && !lim_tree_get(g->head.node, "at") && !g->head.flawed)
    lim_resolve_error(v, &g->head, NULL, "'at' is missing");
  else if (a->beam.head.node)
    lim_resolve_link_location(v, &g->at, link, &g->head, false);
  else if (!a->beam.head.flawed)
    lim_resolve_error(v, &g->head, NULL, "a strain gauge needs a beam, which the link does not have");
}

// The air needs to know how wide the beam is.
static void check_air(lim_resolver *v, const lim_link *a) {
  if (!a->air.head.node || a->air.head.flawed) return;
  if (!a->beam.head.node) {
    if (!a->beam.head.flawed)
      lim_resolve_error(v, &a->head, "air", "air needs a beam, which the link does not have");
    return;
  }
  for (int i = 0; i < 2 * a->beam.pieces.count; i++) {
    const lim_piece *p = &a->beam.pieces.item[i / 2];
    int index = i % 2 ? p->to.index : p->from.index;
    const lim_section *s = index < 0 ? NULL : &v->m->sections.item[index];
    double size[2] = {0};
    if (!s || s->head.flawed) continue;
    lim_section_size(size, s);
    if (size[0] > 0 && size[1] > 0) continue;
    lim_resolve_error(v, &a->head, "air", "air needs the outer size of section '%s'; give it y and z",
                      s->head.name);
    return;
  }
}

static void check_damping(lim_resolver *v, const lim_damping *d) {
  if (d->ratio.count && (!isnan(d->mass) || !isnan(d->stiffness)))
    lim_resolve_error(v, &d->head, "ratio", "ratio stands beside mass or stiffness; give one or the other");
  if (d->update > 0 && !d->head.flawed && !d->ratio.count && isnan(d->mass) && isnan(d->stiffness))
    lim_resolve_error(v, &d->head, "update", "update builds ratio, mass or stiffness anew; give one of them");
}

double lim_link_yield(const lim_model *m, int link) {
  const lim_link *a = &m->links.item[link];
  const lim_ref *material = a->beam.head.node ? &a->beam.material : a->fe.head.node ? &a->fe.material : NULL;
  return material && material->text ? m->materials.item[material->index].yield : NAN;
}

double lim_damping_ratio(const lim_damping *d, int mode) {
  return d->ratio.count ? d->ratio.item[mode < d->ratio.count ? mode : d->ratio.count - 1] : 0;
}

bool lim_damping_given(const lim_damping *d) {
  for (int i = 0; i < d->ratio.count; i++)
    if (d->ratio.item[i] > 0) return true;
  return d->mass > 0 || d->stiffness > 0;
}

static void resolve_link(lim_resolver *v, int i) {
  lim_link *a = &v->m->links.item[i];
  bool beam = a->beam.head.node;
  resolve_joint(v, a);
  if (beam && a->body.head.node)
    lim_resolve_error(v, &a->head, "body", "a link has a beam or a body, not both");
  if (beam) resolve_beam(v, a);
  if (a->fe.head.node) lim_resolve_fe_link(v, a);
  if (!isnan(a->basis.up_to) && !a->fe.head.node)
    lim_resolve_error(v, &a->basis.head, "up_to", "up_to is for links from finite elements; give count");
  if (a->body.head.node) check_inertia(v, a->body.inertia, &a->body.head);
  if (!beam && !a->fe.head.node && !a->beam.head.flawed && a->basis.head.node &&
      a->basis.type != LIM_BASIS_RIGID)
    lim_resolve_error(v, &a->head, "basis", "basis needs a beam, which the link does not have");
  check_air(v, a);
  check_damping(v, &a->damping);
  for (int k = 0; k < a->masses.count; k++) resolve_mass(v, i, k);
  for (int k = 0; k < a->gauges.count; k++) resolve_gauge(v, i, k);
}

// --- beams that run along -x ---

static void turn(double x[3]) {
  x[0] = -x[0];
  x[1] = -x[1];
}

static void turn_load(const lim_model *m, lim_load *x) {
  int link = x->along.text ? x->along.index : x->at.link;
  if (x->axes != 1 || link < 0 || !lim_link_reversed(&m->links.item[link])) return;
  turn(x->force);
  turn(x->moment);
}

static void turn_bent(const lim_model *m, lim_bent *x) {
  if (!lim_link_reversed(&m->links.item[x->link.index])) return;
  turn(x->tip);
  turn(x->rate);
}

static void turn_link(lim_model *m, int link) {
  static const int other[] = {LIM_FACE_NY, LIM_FACE_PY, LIM_FACE_PZ, LIM_FACE_NZ};
  lim_link *a = &m->links.item[link];
  for (int i = 0; i < a->masses.count; i++) {
    turn(a->masses.item[i].xyz);
    a->masses.item[i].inertia[4] *= -1; // xz, yz
    a->masses.item[i].inertia[5] *= -1;
  }
  for (int i = 0; i < a->gauges.count; i++) a->gauges.item[i].face = other[a->gauges.item[i].face];
  for (int i = 0; i < m->frames.count; i++) {
    lim_frame *f = &m->frames.item[i];
    if (f->on.index != link) continue;
    turn(f->xyz);
    f->rpy[2] += M_PI;
  }
}

void lim_resolve_reversed(lim_model *m) {
  for (int i = 0; i < m->links.count; i++)
    if (lim_link_reversed(&m->links.item[i])) turn_link(m, i);
  for (int i = 0; i < m->loads.count; i++) turn_load(m, &m->loads.item[i]);
  for (int i = 0; i < m->deformation.count; i++) turn_bent(m, &m->deformation.item[i]);
}

void lim_resolve_links(lim_resolver *v) {
  lim_model *m = v->m;
  for (int i = 0; i < m->links.count; i++) {
    lim_link *a = &m->links.item[i];
    LIM_RESOLVE_UNIQUE(v, m->links, i);
    if (a->head.node) check_joint_name(v, i);
    resolve_parent(v, i);
  }
  for (int i = 0; i < m->links.count; i++) {
    if (!m->links.item[i].head.node) continue; // not a mapping: it has its message
    if (m->links.item[i].joint.part == 0) check_order(v, i);
    resolve_link(v, i);
  }
  for (int i = 0; i < m->links.count; i++)
    if (m->links.item[i].head.node) resolve_attachment(v, i);
  check_damping(v, &m->damping);
}
