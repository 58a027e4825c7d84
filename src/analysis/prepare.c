// prepare.c - robot programs and shaping by modes, resolved before an analysis. Theory:
// docs/theory/programs.md.
#include "analysis/prepare.h"

#include "analysis/vibration/modes.h"
#include "arm/pose.h"
#include "path/assembly.h"
#include "program/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const lim_model *model;
  const char *directory;
  const lim_node *at; // whom messages are about; NULL: a program
} planner;

// --- modes ---

// The coordinate of each joint in the rigid arm (links.count); -1: none.
static lim_code find_coordinates(int **out, lim_arena *arena, const lim_model *m, lim_error *err) {
  lim_arm *s = NULL;
  int *index = *out = lim_arena_array(arena, (size_t)m->links.count, sizeof *index);
  lim_model plain = *m;
  plain.motion.count = 0; // lines do not matter
  lim_code code = index ? lim_arm_new(&s, &plain, true, err) : lim_no_memory(err);
  for (int i = 0; code == LIM_OK && i < m->links.count; i++) index[i] = s->bodies[s->first_body[i]].q;
  lim_arm_free(s);
  return code;
}

// Where a ball joint is at the start, at rest: no motion moves it.
static void keep_ball(lim_joint_state *list, int *count, const lim_model *m, int link) {
  const lim_joint_state *start = lim_pose_state(m, link);
  if (!start) return;
  lim_joint_state *x = &list[(*count)++];
  *x = *start;
  memset(x->velocity, 0, sizeof x->velocity);
  memset(x->angular_velocity, 0, sizeof x->angular_velocity);
}

// The configuration with joints at the coordinates q of the rigid arm.
static lim_code place_joints(lim_model *to, lim_arena *arena, const lim_model *m, const double *q,
                             lim_error *err) {
  lim_joint_state *list = lim_arena_array(arena, (size_t)m->links.count, sizeof *list);
  int *index, count = 0;
  if (!list) return lim_no_memory(err);
  lim_code code = find_coordinates(&index, arena, m, err);
  for (int i = 0; code == LIM_OK && i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    if (lim_joint_in_ball(j))
      keep_ball(list, &count, m, i);
    else if (index[i] >= 0)
      list[count++] = (lim_joint_state){.head = {.name = j->head.name}, .joint = i, .position = {q[index[i]]}};
  }
  to->configuration.item = list;
  to->configuration.count = count;
  return code;
}

static lim_code too_few(const planner *p, int asked, int found, lim_error *err) {
  char text[120];
  snprintf(text, sizeof text, "shape: mode %d is asked for, but with its joints locked the arm has %d", asked,
           found);
  return p->at ? lim_tree_error(err, p->at, "%s", text) : LIM_FAIL(err, LIM_BAD_INPUT, "%s", text);
}

// Modes of the arm at rest with its joints at q, held by nothing but locked.
static lim_code modes_at(void *user, lim_shaped_mode *mode, int n, const double *q, const lim_grip *grips,
                         int count, lim_error *err) {
  const planner *p = user;
  lim_arena arena = {0};
  lim_model m = *p->model;
  m.program = NULL;
  m.plan = NULL;
  m.motion.count = 0;
  m.solver.start = 0;
  m.links.item = lim_grips_links(&arena, p->model, grips, count);
  lim_modes *found = NULL;
  lim_code code = m.links.item ? place_joints(&m, &arena, p->model, q, err) : lim_no_memory(err);
  if (code == LIM_OK) code = lim_modes_new(&found, &m, p->directory, LIM_JOINTS_LOCKED, n, err);
  if (code == LIM_OK && found->modes.count < n) code = too_few(p, n, found->modes.count, err);
  for (int i = 0; code == LIM_OK && i < n; i++)
    mode[i] = (lim_shaped_mode){found->modes.item[i].frequency, fmin(found->modes.item[i].damping, 0.99)};
  lim_modes_free(found);
  lim_arena_free(&arena);
  return code;
}

// --- shaping of motions ---

static int highest_mode(const lim_motion *q) {
  int mode = 0;
  for (int i = 0; i < q->profile.list.count; i++)
    for (int k = 0; k < q->profile.list.item[i].shapes.count; k++) {
      const lim_shaping *x = &q->profile.list.item[i].shapes.item[k];
      if (x->type != LIM_UNSHAPED && x->mode > mode) mode = x->mode;
    }
  return mode;
}

// The motion of a joint without its shaping.
static lim_code plain_course(lim_trajectory **out, lim_arena *arena, const planner *p, int joint,
                             lim_error *err) {
  const lim_model *m = p->model;
  const lim_motion *q = lim_model_motion(m, joint);
  lim_trajectory_setup setup = {.motion = true, .directory = p->directory, .horizon = m->solver.duration};
  lim_signal plain = {.rigid = false};
  double speed;
  lim_pose_joint(&setup.start, &speed, m, joint);
  if (!q) return lim_trajectory_new(out, &plain, &setup, err);
  plain = q->profile;
  plain.list.item = lim_arena_array(arena, (size_t)plain.list.count, sizeof *plain.list.item);
  if (!plain.list.item) return lim_no_memory(err);
  for (int i = 0; i < plain.list.count; i++) {
    plain.list.item[i] = q->profile.list.item[i];
    plain.list.item[i].shapes.count = 0;
  }
  return lim_trajectory_new(out, &plain, &setup, err);
}

// Where the joints are when a motion has come to its end: coordinates of the rigid arm.
static lim_code goal_of(double *q, lim_arena *arena, const planner *p, int joint, lim_error *err) {
  const lim_model *m = p->model;
  lim_trajectory *trajectory = NULL;
  lim_code code = plain_course(&trajectory, arena, p, joint, err);
  const double end = code == LIM_OK ? trajectory->end : 0;
  lim_trajectory_free(trajectory);
  if (code == LIM_OK && isinf(end)) return LIM_OK; // it cannot be shaped, which is said elsewhere
  int *index = NULL;
  if (code == LIM_OK) code = find_coordinates(&index, arena, m, err);
  for (int i = 0; code == LIM_OK && i < m->links.count; i++) {
    if (index[i] < 0) continue;
    code = plain_course(&trajectory, arena, p, i, err);
    if (code != LIM_OK) return code;
    q[index[i]] = lim_trajectory_at(trajectory, end).value;
    lim_trajectory_free(trajectory);
  }
  return code;
}

// The motion's profiles with frequencies in the place of modes.
static lim_code put_frequencies(lim_arena *arena, lim_motion *q, const lim_shaped_mode *mode, lim_error *err) {
  lim_profile *list = lim_arena_array(arena, (size_t)q->profile.list.count, sizeof *list);
  if (!list) return lim_no_memory(err);
  for (int i = 0; i < q->profile.list.count; i++) {
    list[i] = q->profile.list.item[i];
    const int count = list[i].shapes.count;
    if (count == 0) continue;
    lim_shaping *shapes = lim_arena_array(arena, (size_t)count, sizeof *shapes);
    if (!shapes) return lim_no_memory(err);
    for (int k = 0; k < count; k++) {
      lim_shaping *x = &shapes[k];
      *x = list[i].shapes.item[k];
      if (x->mode == 0) continue;
      x->frequency = mode[x->mode - 1].frequency;
      if (isnan(x->damping)) x->damping = mode[x->mode - 1].damping;
      x->mode = 0;
    }
    list[i].shapes.item = shapes;
  }
  q->profile.list.item = list;
  return LIM_OK;
}

// Motions of joints that are shaped against modes.
static lim_code resolve_shapes(lim_model *m, planner *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < m->motion.count && code == LIM_OK; i++) {
    const int n = m->motion.item[i].joint < 0 ? 0 : highest_mode(&m->motion.item[i]);
    if (n == 0) continue;
    lim_motion *list = lim_arena_array(&m->arena, (size_t)m->motion.count, sizeof *list);
    lim_shaped_mode *mode = lim_arena_array(&m->arena, (size_t)n, sizeof *mode);
    double *q = lim_arena_array(&m->arena, (size_t)m->links.count, sizeof *q);
    if (!list || !mode || !q) return lim_no_memory(err);
    p->at = m->motion.item[i].head.node;
    memcpy(list, m->motion.item, (size_t)m->motion.count * sizeof *list);
    code = goal_of(q, &m->arena, p, list[i].joint, err);
    if (code == LIM_OK) code = modes_at(p, mode, n, q, NULL, 0, err);
    if (code == LIM_OK) code = put_frequencies(&m->arena, &list[i], mode, err);
    m->motion.item = list;
  }
  return code;
}

lim_code lim_prepare_model(lim_model *m, const char *directory, lim_error *err) {
  planner p = {.model = m, .directory = directory};
  const lim_program_setup setup = {.modes = modes_at, .user = &p, .directory = directory};
  return m->program ? lim_program_run(m, &setup, err) : resolve_shapes(m, &p, err);
}

lim_code lim_prepare_copy(lim_model *copy, const lim_model *m, const char *directory, lim_error *err) {
  *copy = *m;
  copy->arena = (lim_arena){0};
  return lim_prepare_model(copy, directory, err);
}

void lim_prepare_end(lim_model *copy) { lim_arena_free(&copy->arena); }
