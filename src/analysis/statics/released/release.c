// release.c - free joints and those that solver.release names. Theory: docs/theory/statics.md, "Released
// joints".
#include "analysis/statics/released/release.h"

#include <string.h>

// Free and spherical joints rest on what acts on them, whatever solver.release says.
static bool always(const lim_arm *s, int body) {
  return lim_joint_in_ball(&s->model->links.item[s->bodies[body].link].joint);
}

static bool follows(const lim_arm *s, int body) { return s->passive && s->passive[s->bodies[body].q]; }

static bool is_moved(const lim_arm *s, int body) { return s->moved && s->moved[body]; }

// Neither drive nor motion, or an effort, which counts as a load.
static bool undriven(const lim_equations *e, int body) {
  int type = e->inputs->drive[body].type;
  return (type == LIM_DRIVE_FREE || type == LIM_DRIVE_EFFORT) && !is_moved(e->s, body);
}

static lim_code follows_loops(const lim_equations *e, const lim_ref *ref, lim_error *err) {
  const lim_arm *s = e->s;
  const char *other = NULL;
  for (int i = 0; i < s->nbody && !other; i++)
    if (s->bodies[i].q >= 0 && undriven(e, i) && !follows(s, i)) other = lim_equations_owner(s, s->bodies[i].q);
  return lim_tree_error(
      err, ref->node, "solver: joint '%s' follows the others by loops or couplings, and needs no release%s%s%s",
      ref->text, other ? "; what is held is '" : ": every other joint is driven", other ? other : "",
      other ? "'" : "");
}

static lim_code release(bool *released, const lim_equations *e, const lim_ref *ref, lim_error *err) {
  const lim_arm *s = e->s;
  int body = s->first_body[ref->index], k = s->bodies[body].q;
  if (k < 0 || always(s, body)) return LIM_OK;
  if (is_moved(s, body))
    return lim_tree_error(
        err, ref->node, "solver: joint '%s' is moved by the line of a frame: a driven joint cannot be released",
        ref->text);
  if (follows(s, body)) return follows_loops(e, ref, err);
  released[k] = true;
  return LIM_OK;
}

lim_code lim_release_find(bool *released, const lim_equations *e, lim_error *err) {
  const lim_arm *s = e->s;
  const lim_release *r = &s->model->solver.release;
  lim_code code = LIM_OK;
  memset(released, 0, (size_t)s->n * sizeof *released);
  if (r->none) return LIM_OK;
  for (int i = 0; i < r->joint.count && code == LIM_OK; i++)
    code = release(released, e, &r->joint.item[i], err);
  for (int i = 0; i < s->nbody && code == LIM_OK; i++)
    if (s->bodies[i].q >= 0 && !follows(s, i) && (always(s, i) || (r->all && undriven(e, i))))
      released[s->bodies[i].q] = true;
  return code;
}
