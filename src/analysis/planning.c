// planning.c - robot programs and shaping by modes, resolved before an analysis. Theory:
// docs/theory/programs.md.
#include "analysis/planning.h"

#include "analysis/modes.h"
#include "system/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const lim_model *model;
  const char *directory;
} planner;

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- modes ---

// The configuration with joints at the coordinates q of the rigid arm.
static lim_state *place_joints(lim_arena *arena, int *count, const lim_model *m, const double *q) {
  lim_state *list = lim_arena_array(arena, (size_t)m->links.count, sizeof *list);
  *count = 0;
  for (int i = 0, k = 0; list && i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    if (j->type != LIM_REVOLUTE && j->type != LIM_PRISMATIC) continue;
    list[(*count)++] = (lim_state){.head = {.name = j->head.name}, .joint = i, .position = {q[k++]}};
  }
  return list;
}

// Modes of the arm at rest with its joints at q, held by nothing but locked.
static lim_code modes_at(void *user, lim_swing *mode, int n, const double *q, const lim_grip *grips, int count,
                         lim_error *err) {
  const planner *p = user;
  lim_arena arena = {0};
  lim_model m = *p->model;
  m.program = NULL;
  m.plan = NULL;
  m.motion.count = 0;
  m.solver.start = 0;
  m.configuration.item = place_joints(&arena, &m.configuration.count, &m, q);
  m.links.item = lim_grips_links(&arena, p->model, grips, count);
  lim_modes *found = NULL;
  lim_code code = m.configuration.item && m.links.item
                      ? lim_modes_new(&found, &m, p->directory, LIM_JOINTS_LOCKED, n, err)
                      : no_memory(err);
  if (code == LIM_OK && found->modes.count < n)
    code =
        LIM_FAIL(err, LIM_BAD_INPUT, "shape: mode %d is asked for, but with its joints locked the arm has %d",
                 n, found->modes.count);
  for (int i = 0; code == LIM_OK && i < n; i++)
    mode[i] = (lim_swing){found->modes.item[i].frequency, fmin(found->modes.item[i].damping, 0.99)};
  lim_modes_free(found);
  lim_arena_free(&arena);
  return code;
}

lim_code lim_plan_model(lim_model *m, const char *directory, lim_error *err) {
  planner p = {m, directory};
  const lim_plan_setup setup = {modes_at, &p, directory};
  if (!m->program) return LIM_OK;
  return lim_program_run(m, &setup, err);
}

lim_code lim_plan_copy(const lim_model **plan, lim_model *copy, const lim_model *m, const char *directory,
                       lim_error *err) {
  *copy = *m;
  copy->arena = (lim_arena){0};
  lim_code code = lim_plan_model(copy, directory, err);
  *plan = code == LIM_OK && copy->arena.last ? copy : m;
  return code;
}

void lim_plan_end(lim_model *copy) { lim_arena_free(&copy->arena); }
