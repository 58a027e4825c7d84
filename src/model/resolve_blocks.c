// resolve_blocks.c - blocks of controllers: what they take, and checks that need several of their keys.
#include "model/resolve.h"

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
    {"position", LIM_SEE_POSITION, false},
    {"velocity", LIM_SEE_VELOCITY, false},
    {"reference", LIM_SEE_REFERENCE, false},
    {"reference_velocity", LIM_SEE_REFERENCE_VELOCITY, false},
    {"reference_acceleration", LIM_SEE_REFERENCE_ACCELERATION, false},
    {"motor_position", LIM_SEE_MOTOR_POSITION, true},
    {"motor_velocity", LIM_SEE_MOTOR_VELOCITY, true},
};
enum { QUANTITIES = sizeof OF_JOINT / sizeof *OF_JOINT };

static bool moves(const lim_joint *j) { return j->type == LIM_REVOLUTE || j->type == LIM_PRISMATIC; }

static bool has_motor(const lim_model *m, const char *joint) {
  for (int i = 0; i < m->drives.count; i++)
    if (!strcmp(m->drives.item[i].head.name, joint)) return m->drives.item[i].type == LIM_DRIVE_MOTOR;
  return false;
}

static bool has_quantity(const lim_model *m, int link, const quantity *x) {
  const lim_joint *j = &m->links.item[link].joint;
  return moves(j) && (!x->motor || has_motor(m, j->head.name));
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

static bool of_gauge(lim_source *s, const lim_model *m) {
  char name[200];
  for (int i = 0; i < m->links.count; i++)
    for (int k = 0; k < m->links.item[i].gauges.count; k++) {
      const lim_link *a = &m->links.item[i];
      snprintf(name, sizeof name, "%s.%s.strain", a->head.name, a->gauges.item[k].head.name);
      if (strcmp(name, s->ref.text) != 0) continue;
      s->kind = LIM_SEE_STRAIN;
      s->link = i;
      s->gauge = k;
      return true;
    }
  return false;
}

// "tool.position.x": the frame before the last two parts.
static bool of_frame(lim_source *s, lim_resolver *v) {
  static const char *const END[] = {".position.x", ".position.y", ".position.z",
                                    ".velocity.x", ".velocity.y", ".velocity.z"};
  size_t n = strlen(s->ref.text);
  for (int i = 0; i < 6; i++) {
    size_t end = strlen(END[i]);
    if (n <= end || strcmp(s->ref.text + n - end, END[i]) != 0) continue;
    const char *frame = lim_arena_text(&v->m->arena, s->ref.text, n - end);
    if (!frame) {
      v->code = LIM_FAIL(v->err, LIM_NO_MEMORY, "out of memory");
      return true;
    }
    s->kind = i < 3 ? LIM_SEE_FRAME_POSITION : LIM_SEE_FRAME_VELOCITY;
    s->component = i % 3;
    s->spot.ref = (lim_ref){.text = frame, .node = s->ref.node, .index = -1};
    return true;
  }
  return false;
}

// --- names ---

static bool of_block(lim_source *s, const lim_model *m) {
  s->kind = LIM_SEE_BLOCK;
  s->ref.index = LIM_FIND_NAME(m->blocks, s->ref.text);
  return s->ref.index >= 0;
}

static void unknown_source(lim_resolver *v, const lim_head *head, const lim_source *s) {
  const lim_model *m = v->m;
  lim_choice choice = lim_choice_start(s->ref.text);
  char name[200];
  for (int i = 0; i < m->blocks.count && lim_error_heard(v->err); i++)
    lim_choice_try(&choice, m->blocks.item[i].head.name);
  for (int i = 0; i < m->links.count * QUANTITIES && lim_error_heard(v->err); i++) {
    if (!has_quantity(m, i / QUANTITIES, &OF_JOINT[i % QUANTITIES])) continue;
    joint_name(name, m, i / QUANTITIES, &OF_JOINT[i % QUANTITIES]);
    lim_choice_try(&choice, name);
  }
  lim_resolve_unknown(v, head, &s->ref, "signal", &choice);
}

static void resolve_source(lim_resolver *v, const lim_head *head, lim_source *s) {
  s->link = s->gauge = -1;
  s->spot.link = s->spot.frame = -1;
  if (!s->ref.text || of_block(s, v->m) || of_joint(s, v->m) || of_gauge(s, v->m)) return;
  if (!of_frame(s, v))
    unknown_source(v, head, s);
  else if (s->spot.ref.text)
    lim_resolve_spot(v, head, &s->spot);
}

void lim_resolve_block(lim_resolver *v, const lim_head *head, lim_ref *block) {
  if (block->text) LIM_RESOLVE_NAME(v, head, block, "block", "blocks", v->m->blocks);
}

// --- values ---

static void check_table(lim_resolver *v, const lim_block *b) {
  bool lists = b->x.count || b->y.count;
  if (lists == (b->file != NULL)) {
    lim_resolve_error(v, &b->head, b->file ? "file" : NULL, "a table has 'x' and 'y', or a 'file'%s",
                      b->file ? ", not both" : "");
    return;
  }
  if (!lists) return;
  if (b->x.count != b->y.count || b->x.count < 2)
    lim_resolve_error(v, &b->head, b->x.count ? "x" : "y",
                      "x has %d numbers and y has %d, must be as many, at least 2", b->x.count, b->y.count);
  for (int i = 1; i < b->x.count; i++)
    if (!(b->x.item[i] > b->x.item[i - 1])) {
      lim_resolve_error(v, &b->head, "x", "x must rise, but %g follows %g", b->x.item[i], b->x.item[i - 1]);
      return;
    }
}

enum { ORDER = 30, SAMPLES = 100000 }; // of a transfer function; in a delay

static void check_fraction(lim_resolver *v, const lim_block *b) {
  if (b->den.count > ORDER + 1)
    lim_resolve_error(v, &b->head, "den", "den has %d coefficients, must have at most %d", b->den.count,
                      ORDER + 1);
  else if (b->den.item[0] == 0)
    lim_resolve_error(v, &b->head, "den", "den begins with 0, must begin with the highest power of s");
  else if (b->num.count > b->den.count)
    lim_resolve_error(v, &b->head, "num",
                      "num has %d coefficients, must have at most as many as den, which has %d", b->num.count,
                      b->den.count);
}

static void check_block(lim_resolver *v, const lim_block *b, const char *type) {
  bool sum = !strcmp(type, "sum");
  if (!sum && b->inputs.count > 1)
    lim_resolve_error(v, &b->head, "input", "input has %d names, must be one: only a sum takes several",
                      b->inputs.count);
  if (sum && b->weights.count && b->weights.count != b->inputs.count)
    lim_resolve_error(v, &b->head, "weights",
                      "weights has %d numbers, must have as many as input, which has %d", b->weights.count,
                      b->inputs.count);
  if (b->limits[0] > b->limits[1])
    lim_resolve_error(v, &b->head, "limits", "limits begin with %g, must be at most the second, %g",
                      b->limits[0], b->limits[1]);
  if (!strcmp(type, "table")) check_table(v, b);
  if (!strcmp(type, "transfer-function")) check_fraction(v, b);
  if (b->delay * b->rate > SAMPLES)
    lim_resolve_error(v, &b->head, "delay", "delay is %g samples, must be at most %d", b->delay * b->rate,
                      SAMPLES);
}

static void resolve_block(lim_resolver *v, int i) {
  lim_block *b = &v->m->blocks.item[i];
  LIM_RESOLVE_UNIQUE(v, v->m->blocks, i);
  if (!strcmp(b->head.name, "energy") || !strcmp(b->head.name, "frequency"))
    lim_resolve_error(v, &b->head, "name", "name is '%s', which is taken: channels begin with it",
                      b->head.name);
  for (int k = 0; k < b->inputs.count; k++) resolve_source(v, &b->head, &b->inputs.item[k]);
  lim_resolve_signal(v, &b->head, &b->value, false);
  const lim_node *type = lim_tree_get(b->head.node, "type");
  if (!b->head.flawed && type) check_block(v, b, type->text);
}

void lim_resolve_blocks(lim_resolver *v) {
  for (int i = 0; i < v->m->blocks.count; i++)
    if (v->m->blocks.item[i].head.node) resolve_block(v, i);
}
