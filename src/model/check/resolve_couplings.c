// resolve_couplings.c - couplings of joints: names into links, a ratio into factors, units.
#include "model/check/resolve.h"
#include "model/joint.h"

#include "base/units/units.h"

#include <math.h>
#include <string.h>

// --- names ---

// What else in the model is called so; NULL: nothing.
static const char *other_with_name(const lim_model *m, const char *name) {
  for (int i = 0; i < m->links.count; i++)
    if (!strcmp(m->links.item[i].joint.whole, name)) return "a joint";
  if (LIM_FIND_NAME(m->links, name) >= 0) return "a link";
  if (LIM_FIND_NAME(m->loops, name) >= 0) return "a loop";
  if (LIM_FIND_NAME(m->frames, name) >= 0) return "a frame";
  if (LIM_FIND_NAME(m->springs, name) >= 0) return "a spring";
  if (LIM_FIND_NAME(m->bushings, name) >= 0) return "a bushing";
  return LIM_FIND_NAME(m->blocks, name) >= 0 ? "a block" : NULL;
}

static void check_name(lim_resolver *v, int i) {
  const lim_head *head = &v->m->couplings.item[i].head;
  LIM_RESOLVE_UNIQUE(v, v->m->couplings, i);
  if (!head->label) return;
  const char *other = other_with_name(v->m, head->name);
  if (other)
    lim_resolve_error(v, head, "name",
                      "name is '%.40s', which is that of %s; channels could not tell them apart", head->name,
                      other);
  else if (!strcmp(head->name, "energy") || !strcmp(head->name, "frequency"))
    lim_resolve_error(v, head, "name", "name is '%s', which is taken: channels begin with it", head->name);
}

// --- joints ---

static bool is_twice(const lim_coupling *x, int i) {
  for (int k = 0; k < i; k++)
    if (x->joints.item[k].index == x->joints.item[i].index) return true;
  return false;
}

static bool resolve_joint(lim_resolver *v, const lim_coupling *x, int i) {
  lim_ref *ref = &x->joints.item[i];
  if (!ref->text) return false;
  const lim_head at = {.node = ref->node, .name = ref->text, .where = x->head.where};
  ref->index = lim_resolve_joint(v, &at);
  if (ref->index < 0) return false;
  const lim_joint *joint = &v->m->links.item[ref->index].joint;
  if (joint->head.flawed) return false;
  if (!lim_joint_is_single(joint) || lim_joint_in_ball(joint))
    lim_resolve_error(v, &at, NULL, "joint '%s' is %s; only joints with one freedom can be coupled", ref->text,
                      lim_joint_whole_kind(joint)->called);
  else if (is_twice(x, i))
    lim_resolve_error(v, &at, NULL, "joints has '%s' twice, must be different joints", ref->text);
  else
    return true;
  return false;
}

static bool resolve_joints(lim_resolver *v, const lim_coupling *x) {
  bool good = true;
  for (int i = 0; i < x->joints.count; i++) good = resolve_joint(v, x, i) && good;
  return good;
}

// --- factors ---

// How many joints and factors there are, and which of ratio and factors is given.
static bool check_counts(lim_resolver *v, const lim_coupling *x) {
  bool ratio = lim_tree_get(x->head.node, "ratio"), factors = lim_tree_get(x->head.node, "factors");
  const int joints = x->joints.count, numbers = x->factors.count, before = v->errors;
  if (ratio && factors)
    lim_resolve_error(v, &x->head, "factors",
                      "ratio and factors both say how joints are coupled; give one of them");
  else if (!ratio && !factors)
    lim_resolve_error(v, &x->head, NULL, "'ratio' is missing, or 'factors', one for each joint");
  else if (joints < 2)
    lim_resolve_error(v, &x->head, "joints", "joints has %d entr%s, must have at least 2", joints,
                      joints == 1 ? "y" : "ies");
  else if (ratio && joints > 2)
    lim_resolve_error(v, &x->head, "joints",
                      "joints has %d entries, must have 2 with a ratio; more are coupled by factors", joints);
  else if (factors && numbers != joints)
    lim_resolve_error(v, &x->head, "factors", "factors has %d entr%s, must have %d, one for each joint",
                      numbers, numbers == 1 ? "y" : "ies", joints);
  return v->errors == before;
}

static bool slides(const lim_resolver *v, const lim_ref *joint) {
  return lim_joint_is_linear(&v->m->links.item[joint->index].joint);
}

// A factor turns the unit of its joint into that of the last.
static void check_unit(lim_resolver *v, const lim_coupling *x, const char *key, const lim_node *node,
                       int joint) {
  const lim_ref *own = &x->joints.item[joint], *last = &x->joints.item[x->joints.count - 1];
  const bool pure = slides(v, own) == slides(v, last);
  const char *unit = pure ? "" : slides(v, last) ? "m/rad" : "rad/m";
  const lim_head at = {.node = node, .where = x->head.where};
  double number;
  char bad[41];
  if (node->kind != LIM_SCALAR ||
      lim_number_parse(&number, node->text, unit, bad, sizeof bad) != LIM_NUMBER_DIMENSION)
    return;
  if (own == last)
    lim_resolve_error(v, &at, NULL,
                      "%s is '%.40s': '%s' does not fit '%s', the last joint, must be a pure number", key,
                      node->text, bad, own->text);
  else
    lim_resolve_error(v, &at, NULL, "%s is '%.40s': '%s' does not fit joints '%s' and '%s', must be a %s%s",
                      key, node->text, bad, own->text, last->text, pure ? "pure number" : "number in ", unit);
}

static void check_units(lim_resolver *v, const lim_coupling *x) {
  const lim_node *factors = lim_tree_get(x->head.node, "factors"), *ratio = lim_tree_get(x->head.node, "ratio"),
                 *offset = lim_tree_get(x->head.node, "offset");
  const int last = x->joints.item[x->joints.count - 1].index;
  if (ratio) check_unit(v, x, "ratio", ratio, 0);
  for (int i = 0; factors && i < factors->count; i++) check_unit(v, x, "factors", factors->item[i], i);
  const lim_unit_side side = lim_unit_side_of(&x->head, &v->m->links.item[last]);
  if (offset) lim_resolve_unit(v, side, "offset", offset, side.linear ? "m" : "rad");
}

// second = ratio x first + offset: the factors [-ratio, 1]
static void make_factors(lim_resolver *v, lim_coupling *x) {
  if (isnan(x->ratio)) return;
  x->factors.item = lim_arena_array(&v->m->arena, 2, sizeof *x->factors.item);
  if (!x->factors.item) {
    v->code = lim_no_memory(v->err);
    return;
  }
  x->factors.item[0] = -x->ratio;
  x->factors.item[1] = 1;
  x->factors.count = 2;
}

void lim_resolve_couplings(lim_resolver *v) {
  for (int i = 0; i < v->m->couplings.count; i++) {
    lim_coupling *x = &v->m->couplings.item[i];
    if (!x->head.node) continue; // not a mapping: it has its message
    check_name(v, i);
    bool found = resolve_joints(v, x);
    if (x->head.flawed || !check_counts(v, x) || !found) continue;
    check_units(v, x);
    make_factors(v, x);
  }
}
