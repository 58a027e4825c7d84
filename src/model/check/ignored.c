// ignored.c - what a model says and nothing reads, or what contradicts itself, so that only a part of it holds.
#include "model/check/ignored.h"

#include "model/check/plausible.h"
#include "model/kinds.h"

#include <math.h>

static const double ROUNDED = 0.02; // by which written numbers may miss what they are rounded from

// Where a key is written; NULL: it is not.
static const lim_node *written(const lim_head *head, const char *key) {
  return head->node ? lim_tree_get(head->node, key) : NULL;
}

// An isotropic material has two constants.
static void of_material(const lim_material *x, lim_error *err) {
  const lim_node *at = written(&x->head, "G");
  if (!at || !written(&x->head, "nu") || lim_plausible_any_doubted(err, x->head.node)) return;
  double G = x->E / (2 * (1 + x->nu));
  if (fabs(x->G - G) <= ROUNDED * G) return;
  lim_plausible_warn(err, at, NULL,
                     "%s: G is %.4g Pa, but E and nu give E/(2 (1 + nu)), %.4g Pa: shear and torsion go by G, "
                     "shear coefficients by nu",
                     x->head.where, x->G, G);
}

// Whether a beam with this section shears; true where no beam has it.
static bool shears(const lim_model *m, int section) {
  bool used = false;
  for (int i = 0; i < m->links.count; i++) {
    const lim_beam *b = &m->links.item[i].beam;
    for (int k = 0; k < b->pieces.count; k++) {
      if (b->pieces.item[k].from.index != section && b->pieces.item[k].to.index != section) continue;
      if (lim_element_shears(b->element)) return true;
      used = true;
    }
  }
  return !used;
}

static void of_section(const lim_model *m, int section, lim_error *err) {
  const lim_head *head = &m->sections.item[section].head;
  const lim_node *at = written(head, "kappa");
  if (at && !shears(m, section))
    lim_plausible_warn(err, at, NULL, "%s: kappa has no effect: the elements of its beams leave shear out",
                       head->where);
}

static void of_link(const lim_link *a, lim_error *err) {
  if (a->basis.type == LIM_BASIS_RIGID && a->damping.head.node && (a->beam.head.node || a->fe.head.node))
    lim_plausible_warn(err, a->damping.head.node, a->head.name,
                       "%s: damping has no effect: basis is rigid, and nothing bends that it could damp",
                       a->damping.head.where);
}

static void of_friction(const lim_friction *f, const char *joint, lim_error *err) {
  const lim_node *at = written(&f->head, "stribeck_speed");
  if (!at || !(isnan(f->stiction) || f->stiction == f->coulomb)) return;
  lim_plausible_warn(
      err, at, joint,
      "%s: stribeck_speed has no effect: stiction is not above coulomb, so that nothing falls with speed",
      f->head.where);
}

static void of_drive(const lim_drive *d, lim_error *err) {
  const lim_node *at = written(&d->control.head, "damping");
  of_friction(&d->friction, d->head.name, err);
  of_friction(&d->gear.friction, d->head.name, err);
  if (at && isnan(d->control.bandwidth))
    lim_plausible_warn(err, at, d->head.name,
                       "%s: damping has no effect: it goes with bandwidth, and kv is given",
                       d->control.head.where);
}

// --- loads ---

// The axis that a planar model leaves out of forces; -1: none.
static int normal_of(const lim_model *m) {
  static const int normal[] = {[LIM_SPATIAL] = -1, [LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  return normal[m->planar];
}

static void of_load(const lim_model *m, const lim_load *x, lim_error *err) {
  static const char *const names[] = {"x", "y", "z"};
  int normal = normal_of(m);
  if (normal >= 0 && x->axes == 0) {
    const lim_node *force = written(&x->head, "force"), *moment = written(&x->head, "moment");
    if (force && x->force[normal] != 0)
      lim_plausible_warn(err, force, NULL, "%s: its force along %s has no effect: the model is planar",
                         x->head.where, names[normal]);
    if (moment && (x->moment[(normal + 1) % 3] != 0 || x->moment[(normal + 2) % 3] != 0))
      lim_plausible_warn(err, moment, NULL,
                         "%s: of its moment only that about %s has an effect: the model is planar",
                         x->head.where, names[normal]);
  }
  const lim_node *from = written(&x->head, "from");
  if (from && written(&m->solver.head, "duration") && x->from >= m->solver.duration)
    lim_plausible_warn(err, from, NULL, "%s begins at %g s, and simulations end at %g s", x->head.where,
                       x->from, m->solver.duration);
}

void lim_ignored(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->materials.count; i++) of_material(&m->materials.item[i], err);
  for (int i = 0; i < m->sections.count; i++) of_section(m, i, err);
  for (int i = 0; i < m->links.count; i++) of_link(&m->links.item[i], err);
  for (int i = 0; i < m->drives.count; i++) of_drive(&m->drives.item[i], err);
  for (int i = 0; i < m->loads.count; i++) of_load(m, &m->loads.item[i], err);
}
