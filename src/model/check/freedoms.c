// freedoms.c - joints with several freedoms taken apart: each freedom becomes a joint of its own, and a
// massless link is put in before the joint's link for all but the last. From here on every joint has one
// freedom or none.
#include "model/check/resolve.h"
#include "model/joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *joined(lim_arena *arena, const char *joint, const char *freedom) {
  char text[256];
  snprintf(text, sizeof text, "%.120s.%.120s", joint, freedom);
  return lim_arena_text(arena, text, strlen(text));
}

// A link that is there to be moved: of the joint's own link it has but the place in the file.
static lim_link between(const lim_link *a) {
  lim_link x = *a;
  x.beam.head = x.body.head = x.fe.head = x.basis.head = x.damping.head = x.air.head = (lim_head){0};
  x.basis.type = LIM_BASIS_FULL;
  x.damping.ratio.count = 0;
  x.damping.mass = x.damping.stiffness = x.damping.strain_rate = NAN;
  memset(x.body.tip, 0, sizeof x.body.tip);
  x.masses.count = x.gauges.count = 0;
  return x;
}

// Hangs on the link before, without an offset.
static void follow(lim_link *x) {
  x->parent = (lim_ref){.index = -1};
  x->at = (lim_link_location){.kind = LIM_AT_TIP, .value = 1};
  memset(x->joint.origin.xyz, 0, sizeof x->joint.origin.xyz);
  memset(x->joint.origin.rpy, 0, sizeof x->joint.origin.rpy);
  x->joint.origin.head = (lim_head){0};
}

static void name_part(lim_arena *arena, lim_link *x, const char *freedom, bool inserted) {
  x->joint.head.name = joined(arena, x->joint.whole, freedom);
  if (!inserted) return;
  x->head.name = x->joint.head.name;
  x->head.label = NULL;
}

static void limit_part(lim_joint *part, const lim_joint *whole, const char *freedom) {
  part->limits = (lim_limits){.position = {NAN, NAN}, .velocity = NAN, .effort = NAN};
  for (int i = 0; i < whole->freedom_limits.count; i++)
    if (!strcmp(whole->freedom_limits.item[i].head.name, freedom)) part->limits = whole->freedom_limits.item[i];
}

// Freedom k of the joint of a link, as a link. The last is the link itself. Without a name: out of memory.
static lim_link part_of(lim_arena *arena, const lim_link *a, int k) {
  const lim_joint_kind *kind = lim_joint_kind_of(&a->joint);
  const lim_freedom *f = &kind->freedom[k];
  const bool inserted = k + 1 < kind->freedoms;
  lim_link x = inserted ? between(a) : *a;
  x.joint.type = lim_joint_type(f->slides ? "prismatic" : "revolute");
  x.joint.part = k;
  x.joint.parts = kind->freedoms;
  lim_freedom_direction(x.joint.axis, f, &a->joint);
  name_part(arena, &x, f->name, inserted);
  limit_part(&x.joint, &a->joint, f->name);
  if (k > 0) follow(&x);
  return x;
}

static void check_limits(lim_resolver *v, const lim_joint *j) {
  const lim_joint_kind *kind = lim_joint_kind_of(j);
  for (int i = 0; i < j->freedom_limits.count; i++) {
    const lim_limits *x = &j->freedom_limits.item[i];
    const lim_head at = {.node = x->head.label, .where = j->head.where};
    lim_choice choice = lim_choice_start(x->head.name);
    bool known = false;
    for (int k = 0; k < kind->freedoms; k++) {
      known = known || !strcmp(kind->freedom[k].name, x->head.name);
      lim_choice_try(&choice, kind->freedom[k].name);
    }
    if (!known)
      lim_resolve_error(v, &at, NULL, "joint '%s' has no freedom '%.40s'%s", j->whole, x->head.name,
                        lim_choice_say(&choice, "it has", NULL));
  }
}

// Directions as they were written: what is wrong with them is said once, and no freedom suffers from it.
static void check_axes(lim_resolver *v, lim_joint *j) {
  static const double z[3] = {0, 0, 1}, none[3] = {NAN, NAN, NAN};
  const int before = v->errors;
  const bool second = !isnan(j->axis2[0]) && !isnan(j->axis2[1]) && !isnan(j->axis2[2]);
  lim_resolve_axis(v, j->axis, &j->head, "axis");
  if (second) lim_resolve_axis(v, j->axis2, &j->head, "axis2");
  if (second && v->errors == before && fabs(lim_dot(j->axis, j->axis2)) > 1 - 1e-6)
    lim_resolve_error(v, &j->head, "axis2",
                      "axis2 is along axis; a universal joint turns about two directions");
  const double size = lim_dot(j->axis, j->axis);
  if (v->errors > before || !(fabs(size - 1) < 1e-9)) memcpy(j->axis, z, sizeof z);
  if (v->errors > before || !second) memcpy(j->axis2, none, sizeof none);
}

static void check_joint(lim_resolver *v, lim_joint *j) {
  const lim_joint_kind *kind = lim_joint_kind_of(j);
  if (kind->ball || !j->head.node || j->head.flawed) return;
  check_axes(v, j);
  check_limits(v, j);
}

static int parts_of(const lim_link *a) {
  const int freedoms = lim_joint_kind_of(&a->joint)->freedoms;
  return freedoms > 1 ? freedoms : 1;
}

bool lim_resolve_freedoms(lim_resolver *v) {
  lim_model *m = v->m;
  int count = 0, n = 0;
  for (int i = 0; i < m->links.count; i++) {
    lim_link *a = &m->links.item[i];
    if (!a->joint.head.name) a->joint.head.name = a->head.name;
    a->joint.whole = a->joint.head.name;
    a->joint.kind = a->joint.type;
    a->joint.parts = 1;
    count += parts_of(a);
  }
  if (count == m->links.count) return true;
  lim_link *all = lim_arena_array(&m->arena, (size_t)count, sizeof *all);
  if (!all) return false;
  for (int i = 0; i < m->links.count; i++) {
    lim_link *a = &m->links.item[i];
    const int parts = parts_of(a);
    if (parts > 1) check_joint(v, &a->joint);
    for (int k = 0; k < parts; k++) {
      all[n] = parts > 1 ? part_of(&m->arena, a, k) : *a;
      if (!all[n++].joint.head.name) return false;
    }
  }
  m->links.item = all;
  m->links.count = count;
  return true;
}
