// resolve_release.c - joints that an equilibrium releases: they exist, and nothing drives them.
#include "model/check/resolve.h"
#include "model/joint.h"
#include "model/words.h"

#include <string.h>

// What keeps a joint from being released; NULL: nothing does. buffer (LIM_WORD)
static const char *driven_by(const lim_model *m, int link, char *buffer) {
  const lim_drive *d = lim_model_drive(m, link);
  if (d && d->type != LIM_DRIVE_FREE && d->type != LIM_DRIVE_EFFORT)
    return lim_word_at(buffer, "drives.type", d->type);
  return lim_model_motion(m, link) ? "motion" : NULL;
}

static void check_joint(lim_resolver *v, const lim_head *at, const lim_ref *ref) {
  const lim_joint *j = &v->m->links.item[ref->index].joint;
  char word[LIM_WORD];
  if (j->head.flawed) return;
  const char *by = driven_by(v->m, ref->index, word);
  if (!lim_joint_is_single(j))
    lim_resolve_error(v, at, NULL, "joint '%s' is fixed: there is nothing to release", ref->text);
  else if (by)
    lim_resolve_error(v, at, NULL, "joint '%s' is driven (%s): a driven joint cannot be released", ref->text,
                      by);
}

static void resolve_joint(lim_resolver *v, lim_ref *ref) {
  if (!ref->text) return; // no name: it has its message
  const lim_head at = {
      .node = ref->node, .name = ref->text, .label = ref->node, .where = v->m->solver.head.where};
  ref->index = lim_resolve_joint(v, &at);
  if (ref->index < 0) return;
  const lim_release *r = &v->m->solver.release;
  for (const lim_ref *other = r->joint.item; other < ref; other++)
    if (other->index == ref->index)
      lim_resolve_error(v, &at, NULL, "joint '%s' is named twice in release", ref->text);
  check_joint(v, &at, ref);
}

void lim_resolve_release(lim_resolver *v) {
  const lim_node *written = lim_tree_get(v->m->solver.head.node, "release");
  lim_release *r = &v->m->solver.release;
  r->all = written && written->kind == LIM_SCALAR && !strcmp(written->text, "all");
  if (r->all) r->joint.count = 0;
  for (int i = 0; i < r->joint.count; i++) resolve_joint(v, &r->joint.item[i]);
}
