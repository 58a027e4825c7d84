// resolve_blocks.c - blocks of controllers: what they take, and checks that need several of their keys.
#include "model/check/resolve.h"
#include "model/joint.h"
#include "model/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- what can be measured ---

typedef struct {
  const char *name;
  int kind;   // lim_source_kind
  bool motor; // only of joints with a motor
} quantity;

static const quantity OF_JOINT[] = {
    {"position", LIM_SENSE_POSITION, false},
    {"velocity", LIM_SENSE_VELOCITY, false},
    {"reference", LIM_SENSE_REFERENCE, false},
    {"reference_velocity", LIM_SENSE_REFERENCE_VELOCITY, false},
    {"reference_acceleration", LIM_SENSE_REFERENCE_ACCELERATION, false},
    {"motor_position", LIM_SENSE_MOTOR_POSITION, true},
    {"motor_velocity", LIM_SENSE_MOTOR_VELOCITY, true},
};
enum { QUANTITIES = sizeof OF_JOINT / sizeof *OF_JOINT };

static bool has_motor(const lim_model *m, const char *joint) {
  for (int i = 0; i < m->drives.count; i++)
    if (!strcmp(m->drives.item[i].head.name, joint)) return m->drives.item[i].type == LIM_DRIVE_MOTOR;
  return false;
}

static bool has_quantity(const lim_model *m, int link, const quantity *x) {
  const lim_joint *j = &m->links.item[link].joint;
  return lim_joint_is_single(j) && !lim_joint_in_ball(j) && (!x->motor || has_motor(m, j->head.name));
}

static void joint_name(char out[200], const lim_model *m, int link, const quantity *x) {
  snprintf(out, 200, "%s.%s", m->links.item[link].joint.head.name, x->name);
}

static bool of_joint(lim_source *s, const lim_model *m) {
  char name[200];
  for (int i = 0; i < m->links.count; i++)
    for (int k = 0; k < QUANTITIES; k++) {
      joint_name(name, m, i, &OF_JOINT[k]);
      if (strcmp(name, s->ref.text) != 0 || !has_quantity(m, i, &OF_JOINT[k])) continue;
      s->kind = OF_JOINT[k].kind;
      s->link = i;
      return true;
    }
  return false;
}

static void gauge_name(char out[200], const lim_link *a, int gauge) {
  snprintf(out, 200, "%s.%s.strain", a->head.name, a->gauges.item[gauge].head.name);
}

static bool of_gauge(lim_source *s, const lim_model *m) {
  char name[200];
  for (int i = 0; i < m->links.count; i++)
    for (int k = 0; k < m->links.item[i].gauges.count; k++) {
      const lim_link *a = &m->links.item[i];
      gauge_name(name, a, k);
      if (strcmp(name, s->ref.text) != 0) continue;
      s->kind = LIM_SENSE_STRAIN;
      s->link = i;
      s->gauge = k;
      return true;
    }
  return false;
}

static const char *const END[] = {".position.x", ".position.y", ".position.z",
                                  ".velocity.x", ".velocity.y", ".velocity.z"};

// "tool.position.x": the frame before the last two parts.
static bool of_frame(lim_source *s, lim_resolver *v) {
  size_t n = strlen(s->ref.text);
  for (int i = 0; i < 6; i++) {
    size_t end = strlen(END[i]);
    if (n <= end || strcmp(s->ref.text + n - end, END[i]) != 0) continue;
    const char *frame = lim_arena_text(&v->m->arena, s->ref.text, n - end);
    if (!frame) {
      v->code = lim_no_memory(v->err);
      return true;
    }
    s->kind = i < 3 ? LIM_SENSE_FRAME_POSITION : LIM_SENSE_FRAME_VELOCITY;
    s->component = i % 3;
    s->spot.ref = (lim_ref){.text = frame, .node = s->ref.node, .index = -1};
    return true;
  }
  return false;
}

// --- names ---

typedef struct {
  lim_name_fn *see;
  void *user;
} seer;

static void see_frame(void *user, const char *frame) {
  const seer *x = user;
  char name[200];
  for (int k = 0; k < 6; k++) {
    snprintf(name, sizeof name, "%.150s%s", frame, END[k]);
    x->see(x->user, name);
  }
}

void lim_model_signals(const lim_model *m, lim_name_fn *see, void *user) {
  char name[200];
  for (int i = 0; i < m->blocks.count; i++) see(user, m->blocks.item[i].head.name);
  for (int i = 0; i < m->links.count * QUANTITIES; i++) {
    if (!has_quantity(m, i / QUANTITIES, &OF_JOINT[i % QUANTITIES])) continue;
    joint_name(name, m, i / QUANTITIES, &OF_JOINT[i % QUANTITIES]);
    see(user, name);
  }
  for (int i = 0; i < m->links.count; i++)
    for (int k = 0; k < m->links.item[i].gauges.count; k++) {
      gauge_name(name, &m->links.item[i], k);
      see(user, name);
    }
  lim_model_frames(m, see_frame, &(seer){see, user});
}

static bool of_block(lim_source *s, const lim_model *m) {
  s->kind = LIM_SENSE_BLOCK;
  s->ref.index = LIM_FIND_NAME(m->blocks, s->ref.text);
  return s->ref.index >= 0;
}

static void try_name(void *choice, const char *name) { lim_choice_try(choice, name); }

static void unknown_source(lim_resolver *v, const lim_head *head, const lim_source *s) {
  lim_choice choice = lim_choice_start(s->ref.text);
  if (lim_error_heard(v->err)) lim_model_signals(v->m, try_name, &choice);
  lim_resolve_unknown(v, head, &s->ref, "signal", &choice);
}

static void resolve_source(lim_resolver *v, const lim_head *head, lim_source *s) {
  s->link = s->gauge = -1;
  s->spot.link = s->spot.frame = -1;
  if (!s->ref.text || of_block(s, v->m) || of_joint(s, v->m) || of_gauge(s, v->m)) return;
  if (!of_frame(s, v))
    unknown_source(v, head, s);
  else if (s->spot.ref.text)
    lim_resolve_location(v, head, &s->spot);
}

void lim_resolve_block(lim_resolver *v, const lim_head *head, lim_ref *block) {
  if (block->text) LIM_RESOLVE_NAME(v, head, block, "block", "blocks", v->m->blocks);
}

static void resolve_block(lim_resolver *v, int i) {
  lim_block *b = &v->m->blocks.item[i];
  LIM_RESOLVE_UNIQUE(v, v->m->blocks, i);
  if (!strcmp(b->head.name, "energy") || !strcmp(b->head.name, "frequency"))
    lim_resolve_error(v, &b->head, "name", "name is '%s', which is taken: channels begin with it",
                      b->head.name);
  for (int k = 0; k < b->inputs.count; k++) resolve_source(v, &b->head, &b->inputs.item[k]);
  lim_resolve_signal(v, &b->head, &b->value, false);
  if (!b->head.flawed && lim_block_row(b->type)->check) lim_block_row(b->type)->check(v, b);
}

void lim_resolve_blocks(lim_resolver *v) {
  for (int i = 0; i < v->m->blocks.count; i++)
    if (v->m->blocks.item[i].head.node) resolve_block(v, i);
}
