// rest.c - system, drives, loads and start of an arm, put together. Theory: docs/theory/dynamics.md.
#include "analysis/statics/rest.h"
#include "path/assembly.h"

#include "analysis/gain_design.h"
#include "dynamics/damping.h"

static bool wants_rigid(const lim_inputs *inputs) {
  for (int i = 0; i < inputs->s->nbody; i++)
    if (lim_drive_asks_rigid(&inputs->drive[i])) return true;
  return false;
}

// Servos, controlled motors and prescribed joints stand where they are told to at t = 0.
static void place_joints(lim_rest *a) {
  lim_arm_start(a->q, a->v, a->s);
  lim_equations_prescribe(a->e, 0, LIM_AFTER, a->q, NULL, NULL);
  for (int i = 0; i < a->s->nbody; i++) {
    const lim_joint_drive *d = &a->inputs->drive[i];
    const int both[2] = {a->s->bodies[i].q, a->s->bodies[i].m};
    for (int k = 0; k < 2; k++)
      if (both[k] >= 0 && lim_drive_yields(d)) a->q[both[k]] = lim_inputs_sample(d->motion, 0, LIM_AFTER).value;
  }
}

static lim_code start(lim_rest *a, const lim_model *model, const char *directory, bool rigid, lim_error *err) {
  *a = (lim_rest){.s = NULL};
  lim_code code = lim_arm_new(&a->built, model, rigid, err);
  if (code == LIM_OK) code = lim_arm_enter(&a->s, a->built, err);
  if (code == LIM_OK) code = lim_payload_new(&a->holds, a->s, err);
  if (a->holds) lim_payload_set(a->holds, lim_payload_at(a->holds, 0));
  if (code == LIM_OK) code = lim_inputs_new(&a->inputs, a->s, directory, err);
  if (code == LIM_OK && wants_rigid(a->inputs)) code = lim_arm_new(&a->rigid, model, true, err);
  if (code == LIM_OK) code = lim_equations_new(&a->e, a->s, a->inputs, a->rigid, err);
  if (code == LIM_OK) code = lim_gain_design(a->inputs, a->e, err);
  if (code != LIM_OK) return code;
  a->q = lim_arena_array(&a->arena, 2 * (size_t)a->s->n, sizeof *a->q);
  if (!a->q) return lim_no_memory(err);
  a->v = a->q + a->s->n;
  place_joints(a);
  return lim_damping_at(a->s, a->q, err);
}

lim_code lim_rest_start(lim_rest *a, const lim_model *model, const char *directory, lim_error *err) {
  return start(a, model, directory, false, err);
}

lim_code lim_arm_start_simulated(lim_rest *a, const lim_model *model, const char *directory, lim_error *err) {
  return start(a, model, directory, model->solver.mode == LIM_MODE_RIGID, err);
}

void lim_rest_end(lim_rest *a) {
  lim_equations_free(a->e);
  lim_inputs_free(a->inputs);
  lim_payload_free(a->holds);
  lim_arm_leave(a->s);
  lim_arm_free(a->built);
  lim_arm_free(a->rigid);
  lim_arena_free(&a->arena);
}
