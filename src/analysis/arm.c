// arm.c - system, drives, loads and start of an arm, put together. Theory: docs/theory/dynamics.md.
#include "analysis/arm.h"

#include "analysis/design.h"
#include "analysis/planning.h"

static bool wants_rigid(const lim_actuation *act) {
  for (int i = 0; i < act->s->nbody; i++)
    if (lim_drive_asks_rigid(&act->drive[i])) return true;
  return false;
}

// Servos, controlled motors and prescribed joints stand where they are told to at t = 0.
static void place_joints(lim_arm *a) {
  lim_system_start(a->q, a->v, a->s);
  lim_equations_prescribe(a->e, 0, LIM_AFTER, a->q, NULL, NULL);
  for (int i = 0; i < a->s->nbody; i++) {
    const lim_joint_drive *d = &a->act->drive[i];
    const int both[2] = {a->s->member[i].q, a->s->member[i].m};
    for (int k = 0; k < 2; k++)
      if (both[k] >= 0 && lim_drive_yields(d))
        a->q[both[k]] = lim_actuation_sample(d->motion, 0, LIM_AFTER).value;
  }
}

lim_code lim_arm_start(lim_arm *a, const lim_model *model, const char *directory, lim_error *err) {
  *a = (lim_arm){.s = NULL};
  lim_code code = lim_plan_copy(&model, &a->planned, model, directory, err);
  if (code == LIM_OK) code = lim_system_new_floating(&a->s, model, false, err);
  if (code == LIM_OK) code = lim_holds_new(&a->holds, a->s, err);
  if (a->holds) lim_holds_set(a->holds, lim_holds_at(a->holds, 0));
  if (code == LIM_OK) code = lim_actuation_new(&a->act, a->s, directory, err);
  if (code == LIM_OK && wants_rigid(a->act)) code = lim_system_new_floating(&a->rigid, model, true, err);
  if (code == LIM_OK) code = lim_equations_new(&a->e, a->s, a->act, a->rigid, err);
  if (code == LIM_OK) code = lim_design_gains(a->act, a->e, err);
  if (code != LIM_OK) return code;
  a->q = lim_arena_array(&a->arena, 2 * (size_t)a->s->n, sizeof *a->q);
  if (!a->q) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  a->v = a->q + a->s->n;
  place_joints(a);
  return LIM_OK;
}

void lim_arm_end(lim_arm *a) {
  lim_equations_free(a->e);
  lim_actuation_free(a->act);
  lim_holds_free(a->holds);
  lim_system_free(a->s);
  lim_system_free(a->rigid);
  lim_arena_free(&a->arena);
  lim_plan_end(&a->planned);
}
