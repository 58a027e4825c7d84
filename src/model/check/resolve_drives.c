// resolve_drives.c - what moves the joints: configuration, drives, motion.
#include "model/check/resolve.h"
#include "model/joint.h"
#include "model/kinds.h"
#include "model/profile.h"

#include <math.h>
#include <string.h>

static const lim_table *table_of(const char *key) { return lim_table_key(&lim_root_table, key, NULL)->table; }

static const lim_node *entry_of(const lim_model *m, const char *list, const char *name) {
  return lim_tree_get(lim_tree_get(m->head.node, list), name);
}

// Units fit the joint. Where the joint itself is wrong, its type is not known.
static bool check_units(lim_resolver *v, const lim_head *head, const lim_link *a, const char *list) {
  int before = v->errors;
  if (head->flawed || a->joint.head.flawed) return false;
  const lim_node *node = table_of(list)->whole ? entry_of(v->m, list, head->name) : head->node;
  lim_resolve_units(v, lim_unit_side_of(head, a), table_of(list), node, NULL);
  return v->errors == before;
}

// What only joints with one freedom have.
static bool has_one_freedom(int type) { return lim_joint_is_single(&(lim_joint){.type = type}); }

static void refuse_joint(lim_resolver *v, const lim_head *head, const lim_joint *j, const char *what) {
  char words[LIM_KIND_WORDS];
  lim_resolve_error(v, head, NULL, "the joint is %s; only %s joints and named freedoms have a %s",
                    lim_joint_whole_kind(j)->row.word,
                    lim_kind_words(words, lim_joint_row, has_one_freedom, " and "), what);
}

// --- configuration ---

// Keys of a state that a joint cannot have: one freedom has one number, a ball joint an orientation, which a
// free one has beside a place.
static void check_state_keys(lim_resolver *v, const lim_joint_state *s, const lim_joint *j) {
  static const char *const values[] = {"position", "velocity"}, *const turns[] = {"rpy", "quaternion",
                                                                                  "angular_velocity"};
  const bool ball = lim_joint_in_ball(j), free = ball && j->parts == LIM_MOST_FREEDOMS;
  for (int i = 0; i < 2; i++) {
    const lim_node *value = lim_tree_get(s->head.node, values[i]);
    if (free && value && value->kind != LIM_SEQUENCE)
      lim_resolve_error(v, &s->head, values[i], "%s is '%.40s', must be a list of 3 numbers: the joint is free",
                        values[i], value->text);
    if (ball && !free && value)
      lim_resolve_error(
          v, &s->head, values[i],
          "%s is for a joint that moves along something; a spherical joint has rpy or quaternion, "
          "and angular_velocity",
          values[i]);
    if (!ball && value && value->kind == LIM_SEQUENCE)
      lim_resolve_error(v, &s->head, values[i], "%s is a list, must be one number: the joint has one freedom",
                        values[i]);
  }
  for (int i = 0; i < 3; i++)
    if (!ball && lim_tree_get(s->head.node, turns[i]))
      lim_resolve_error(v, &s->head, turns[i], "%s is for a free or spherical joint, which this is not",
                        turns[i]);
}

static void check_quaternion(lim_resolver *v, lim_joint_state *s) {
  double *q = s->quaternion, size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (isnan(q[0])) return;
  if (lim_tree_get(s->head.node, "rpy"))
    lim_resolve_error(v, &s->head, "rpy",
                      "rpy and quaternion both say how the joint is turned; give one of them");
  if (!(fabs(size - 1) < 1e-2))
    lim_resolve_error(v, &s->head, "quaternion", "quaternion has length %g, must have length 1", size);
  for (int i = 0; i < 4; i++) q[i] /= size;
}

// A freedom may be written by its own name and under that of its joint.
static void check_twice(lim_resolver *v, const lim_joint_state *s) {
  for (const lim_joint_state *x = v->m->configuration.item; x < s; x++)
    if (x->joint == s->joint && x->head.label && s->head.label && !strcmp(x->head.name, s->head.name))
      lim_resolve_error(v, &s->head, NULL, "'%s' stands here a second time; the first is in line %d",
                        s->head.name, x->head.label->line);
}

static void resolve_state(lim_resolver *v, lim_joint_state *s) {
  s->joint = lim_resolve_joint(v, &s->head);
  if (s->joint < 0) return;
  const lim_link *a = &v->m->links.item[s->joint];
  if (s->head.flawed || a->joint.head.flawed) return;
  if (lim_joint_kind_of(&a->joint)->freedoms == 0) {
    lim_resolve_error(v, &s->head, NULL, "the joint is fixed, so it has no position");
    return;
  }
  check_twice(v, s);
  check_state_keys(v, s, &a->joint);
  check_quaternion(v, s);
  check_units(v, &s->head, a, "configuration");
}

static void resolve_bent(lim_resolver *v, lim_bent *x) {
  x->link = (lim_ref){.text = x->head.name, .node = x->head.label ? x->head.label : x->head.node, .index = -1};
  if (!LIM_RESOLVE_NAME(v, &x->head, &x->link, "link", "links", v->m->links)) return;
  const lim_link *a = &v->m->links.item[x->link.index];
  const lim_head at = {.node = x->link.node, .where = x->head.where};
  if ((!a->beam.head.node && !a->fe.head.node) || a->basis.type == LIM_BASIS_RIGID)
    lim_resolve_error(v, &at, NULL, "the link is rigid, it cannot be deformed");
  else if (lim_joint_slides(&a->joint))
    lim_resolve_error(v, &at, NULL, "the link's beam slides through its joint; it starts undeformed");
  else if (v->m->solver.start == 1)
    lim_resolve_error(v, &at, NULL,
                      "solver.start is 'equilibrium', which says how links are deformed; give one of them");
}

// --- profiles ---

// A stroke needs an end: `to`, or what its kind takes for it.
static void check_stroke(lim_resolver *v, const lim_head *head, const lim_profile *p) {
  const lim_profile_kind *kind = lim_profile_kind_of(p);
  const char *end = kind->end;
  if (!kind->stroke || p->line.head.node || lim_tree_get(p->head.node, "to")) return;
  const lim_head at = {.node = p->head.node, .where = head->where};
  if (!end)
    lim_resolve_error(v, &at, NULL, "'to' is missing in profile; profile '%s' needs it", kind->row.word);
  else if (!lim_tree_get(p->head.node, end))
    lim_resolve_error(v, &at, NULL, "'%s' or 'to' is missing in profile; profile '%s' needs one", end,
                      kind->row.word);
}

// A shape has a mode or a frequency; what a stepper rounds is not shaped by itself.
static void check_shapes(lim_resolver *v, const lim_profile *p) {
  for (int i = 0; i < p->shapes.count; i++) {
    const lim_shaping *x = &p->shapes.item[i];
    if (x->head.flawed || x->type == LIM_UNSHAPED) continue;
    if (x->mode && !isnan(x->frequency))
      lim_resolve_error(v, &x->head, "frequency", "shape has a mode or a frequency, not both");
    else if (!x->mode && isnan(x->frequency))
      lim_resolve_error(v, &x->head, NULL, "shape needs 'mode' or 'frequency'");
  }
  for (int i = 0; i < p->of.list.count; i++)
    if (p->of.list.item[i].shapes.count)
      lim_resolve_error(v, &p->of.list.item[i].head, "shape",
                        "shape belongs to the stepper, not to what it rounds");
}

void lim_resolve_signal(lim_resolver *v, const lim_head *head, const lim_signal *s, bool line) {
  for (int i = 0; i < s->list.count; i++) {
    const lim_profile *p = &s->list.item[i];
    if (!p->head.node || p->head.flawed) continue;
    check_stroke(v, head, p);
    if (lim_profile_kind_of(p)->row.check) lim_profile_kind_of(p)->row.check(v, p);
    check_shapes(v, p);
    if (p->line.head.node && !line)
      lim_resolve_error(v, &p->head, "line", "line is for the motion of a frame, as 'arm.tip'");
    if (!p->line.head.node && line)
      lim_resolve_error(v, &p->head, NULL, "'line' is missing: a frame moves along one");
    if (p->line.head.node && line && (!isnan(p->from) || !isnan(p->to)))
      lim_resolve_error(v, &p->head, isnan(p->to) ? "from" : "to",
                        "%s is for the motion of a joint; the line says it", isnan(p->to) ? "from" : "to");
    lim_resolve_signal(v, head, &p->of, false);
  }
}

// --- drives ---

static void check_servo(lim_resolver *v, const lim_drive *d) {
  bool spring = !isnan(d->stiffness), rule = !isnan(d->frequency) || !isnan(d->inertia);
  if (spring && rule)
    lim_resolve_error(v, &d->head, NULL, "a servo has a stiffness, or a frequency and an inertia, not both");
  else if (!spring && (isnan(d->frequency) || isnan(d->inertia)))
    lim_resolve_error(v, &d->head, NULL, "a servo needs 'stiffness', or 'frequency' and 'inertia'");
}

enum { SAMPLES = 100000 }; // in a delay

static void check_control(lim_resolver *v, lim_control *c) {
  if (!c->head.node || c->head.flawed) return;
  const lim_kind_row *kind = lim_control_row(c->type);
  if (kind->check) kind->check(v, c);
  if (c->delay > 0 && isnan(c->rate))
    lim_resolve_error(v, &c->head, "delay", "'rate' is missing; 'delay' needs it");
  else if (c->delay * c->rate > SAMPLES)
    lim_resolve_error(v, &c->head, "delay", "delay is %g samples, must be at most %d", c->delay * c->rate,
                      SAMPLES);
  lim_resolve_block(v, &c->head, &c->block);
  lim_resolve_block(v, &c->head, &c->position);
}

// Rows of keys of which the second needs the first.
typedef struct {
  const char *needed, *key;
} need_row;

static void check_needs(lim_resolver *v, const lim_head *head, const need_row *row, int n) {
  for (int i = 0; i < n; i++)
    if (lim_tree_get(head->node, row[i].key) && !lim_tree_get(head->node, row[i].needed))
      lim_resolve_error(v, head, row[i].key, "'%s' is missing; '%s' needs it", row[i].needed, row[i].key);
}

static void resolve_motor(lim_resolver *v, lim_drive *d, const lim_joint *j) {
  static const need_row rows[] = {{"torque_limit", "no_load_speed"}, {"torque_constant", "resistance"},
                                  {"resistance", "torque_constant"}, {"torque_constant", "inductance"},
                                  {"torque_constant", "back_emf"},   {"torque_constant", "voltage_limit"}};
  lim_motor *motor = &d->motor;
  if (motor->on.ref.text) lim_resolve_location(v, &d->head, &motor->on);
  if (!motor->head.node) return;
  if (!isnan(motor->radius) && !lim_joint_is_linear(j) && !j->head.flawed)
    lim_resolve_error(v, &motor->head, "radius", "radius is for a prismatic joint, which this is not");
  lim_resolve_axis(v, motor->axis, &motor->head, "axis");
  if (!motor->head.flawed) check_needs(v, &motor->head, rows, (int)(sizeof rows / sizeof *rows));
}

bool lim_gear_is_elastic(const lim_gear *g) { return !isnan(g->stiffness) || g->torque.head.node; }

static void check_gear(lim_resolver *v, const lim_gear *g) {
  if (!g->head.node || g->head.flawed || g->torque.head.flawed) return;
  if (!isnan(g->stiffness) && g->torque.head.node)
    lim_resolve_error(v, &g->head, "torque",
                      "torque and stiffness both say how the gear yields; give one of them");
  if (lim_gear_is_elastic(g)) return;
  static const char *const keys[] = {"damping", "backlash"};
  const double value[] = {g->damping, g->backlash};
  for (int i = 0; i < 2; i++)
    if (value[i] > 0)
      lim_resolve_error(v, &g->head, keys[i], "%s needs an elastic gear: 'stiffness' or 'torque' is missing",
                        keys[i]);
}

// Behind an elastic gear the rotor has its own motion, unless that is given.
static void check_rotor(lim_resolver *v, const lim_drive *d) {
  if (!d->motor.head.node || d->motor.head.flawed) return;
  if (!lim_gear_is_elastic(&d->gear) || d->motor.rotor_inertia > 0) return;
  if (lim_drive_follows(d) && entry_of(v->m, "motion", d->head.name)) return;
  lim_resolve_error(
      v, &d->motor.head, "rotor_inertia",
      "rotor_inertia is 0, must be positive behind an elastic gear, where the rotor moves by itself");
}

static void check_lugre(lim_resolver *v, const lim_friction *f) {
  static const char *const keys[] = {"bristle_stiffness", "bristle_damping"};
  if (f->law == LIM_FRICTION_COULOMB) {
    for (int i = 0; i < 2; i++)
      if (lim_tree_get(f->head.node, keys[i]))
        lim_resolve_error(v, &f->head, keys[i], "key '%s' does not go with law 'coulomb', only with lugre",
                          keys[i]);
    return;
  }
  if (isnan(f->bristle_stiffness))
    lim_resolve_error(v, &f->head, NULL, "'bristle_stiffness' is missing in friction; law 'lugre' needs it");
  if (!(f->coulomb > 0))
    lim_resolve_error(v, &f->head, "coulomb", "coulomb is 0, must be positive for law 'lugre'");
  if (f->stiction > f->coulomb && isnan(f->stribeck_speed))
    lim_resolve_error(
        v, &f->head, NULL,
        "'stribeck_speed' is missing in friction; law 'lugre' needs it for a stiction above coulomb");
}

static void check_friction(lim_resolver *v, const lim_friction *f, const lim_drive *d, const lim_joint *j) {
  if (!f->head.node || f->head.flawed) return;
  if (lim_joint_in_ball(j))
    lim_resolve_error(v, &f->head, NULL, "friction needs a joint with one freedom; the joint is %s",
                      lim_joint_whole_kind(j)->row.word);
  if (f->on == 1 && !d->motor.head.node && lim_joint_is_linear(j))
    lim_resolve_error(v, &f->head, "on", "on is 'motor', but the drive has no motor");
  if (f->stiction < f->coulomb)
    lim_resolve_error(v, &f->head, "stiction", "stiction is %g, must be at least coulomb, which is %g",
                      f->stiction, f->coulomb);
  check_lugre(v, f);
}

static bool rubs(const lim_friction *f) { return f->coulomb > 0 || f->stiction > 0; }

// Friction of drive and gear on one coordinate add, if they can. A rigid gear has one coordinate for both
// sides.
static void check_two_frictions(lim_resolver *v, const lim_drive *d) {
  const lim_friction *a = &d->friction, *b = &d->gear.friction;
  if (!a->head.node || !b->head.node || a->head.flawed || b->head.flawed || d->gear.head.flawed) return;
  if ((lim_gear_is_elastic(&d->gear) && a->on != b->on) || !rubs(a) || !rubs(b)) return;
  bool falls = a->stiction > a->coulomb && b->stiction > b->coulomb;
  bool sudden = isnan(a->stribeck_speed) && isnan(b->stribeck_speed);
  bool same = sudden || (a->on == b->on && a->stribeck_speed == b->stribeck_speed);
  if (a->law == LIM_FRICTION_LUGRE || b->law == LIM_FRICTION_LUGRE)
    lim_resolve_error(
        v, &d->head, "friction",
        "friction of law 'lugre' must be the only one of its side, but the gear has friction too");
  else if (falls && !same)
    lim_resolve_error(v, &d->head, "friction",
                      "friction of drive and gear on the same side must have the same stribeck_speed");
}

static void check_parts(lim_resolver *v, const lim_drive *d, const lim_joint *j) {
  check_gear(v, &d->gear);
  check_rotor(v, d);
  check_friction(v, &d->friction, d, j);
  check_friction(v, &d->gear.friction, d, j);
  check_two_frictions(v, d);
}

static void resolve_drive(lim_resolver *v, lim_drive *d) {
  lim_resolve_signal(v, &d->head, &d->effort, false);
  lim_resolve_signal(v, &d->head, &d->torque, false);
  lim_resolve_block(v, &d->head, &d->effort.block);
  lim_resolve_block(v, &d->head, &d->torque.block);
  check_control(v, &d->control);
  d->joint = lim_resolve_joint(v, &d->head);
  if (d->joint < 0) return;
  const lim_joint *j = &v->m->links.item[d->joint].joint;
  const bool ball = lim_joint_in_ball(j);
  if (ball ? d->type != LIM_DRIVE_FREE : !lim_joint_is_single(j)) {
    refuse_joint(v, &d->head, j, "drive");
    return;
  }
  if (d->type == LIM_DRIVE_SERVO && !d->head.flawed) check_servo(v, d);
  if (d->type == LIM_DRIVE_FREE && entry_of(v->m, "motion", d->head.name))
    lim_resolve_error(v, &d->head, "type", "type is 'free', but a motion is given for the joint");
  resolve_motor(v, d, j);
  check_parts(v, d, j);
  check_units(v, &d->head, &v->m->links.item[d->joint], "drives");
}

// --- motion ---

bool lim_drive_follows(const lim_drive *d) {
  bool torque = d->torque.rigid || d->torque.list.count > 0 || d->torque.block.text;
  return d->type == LIM_DRIVE_MOTOR && !d->control.head.node && !torque;
}

// The first profile of a prescribed joint, or motor, starts where the configuration has it.
static void check_start(lim_resolver *v, const lim_motion *q, const lim_drive *drive) {
  bool exact = !drive || drive->type == LIM_DRIVE_PRESCRIBED || lim_drive_follows(drive);
  if (q->profile.list.count == 0 || !exact) return;
  const lim_profile *first = &q->profile.list.item[0];
  for (int i = 0; i < v->m->configuration.count; i++) {
    const lim_joint_state *s = &v->m->configuration.item[i];
    if (s->joint != q->joint || !lim_tree_get(s->head.node, "position") || s->head.flawed) continue;
    const lim_beginning x = lim_profile_begins(first);
    if (fabs(x.value - s->position[0]) > 1e-9 * (1 + fabs(x.value)))
      lim_resolve_error(v, &first->head, x.key, "%s %g, must be the joint's configuration, which is %g", x.says,
                        x.value, s->position[0]);
  }
}

static bool follows_line(const lim_model *m, const lim_motion *q) {
  // a freedom of a joint has a point in its name, as places on links have
  if (lim_joint_of_freedom(m, q->head.name) >= 0 &&
      !(q->profile.list.count > 0 && q->profile.list.item[0].line.head.node))
    return false;
  return strchr(q->head.name, '.') || (q->profile.list.count > 0 && q->profile.list.item[0].line.head.node);
}

// Each line begins where the one before ends.
static void check_lines(lim_resolver *v, const lim_motion *q) {
  for (int i = 1; i < q->profile.list.count; i++) {
    const lim_line *before = &q->profile.list.item[i - 1].line, *line = &q->profile.list.item[i].line;
    if (!before->head.node || !line->head.node || before->head.flawed || line->head.flawed) continue;
    double gap = 0, size = 0;
    for (int k = 0; k < 3; k++) {
      gap = fmax(gap, fabs(line->from[k] - before->to[k]));
      size = fmax(size, fmax(fabs(line->from[k]), fabs(before->to[k])));
    }
    if (gap > 1e-9 * size)
      lim_resolve_error(v, &line->head, "from",
                        "from is [%g, %g, %g], must be where the line before ends, [%g, %g, %g]", line->from[0],
                        line->from[1], line->from[2], before->to[0], before->to[1], before->to[2]);
  }
}

static void resolve_motion(lim_resolver *v, lim_motion *q) {
  bool line = follows_line(v->m, q);
  lim_resolve_signal(v, &q->head, &q->profile, line);
  q->joint = -1;
  if (line) {
    const lim_node *label = q->head.label ? q->head.label : q->head.node;
    q->frame.ref = (lim_ref){.text = q->head.name, .node = label, .index = -1};
    bool found = lim_resolve_location(v, &q->head, &q->frame);
    bool lost = q->frame.frame >= 0 && lim_ref_lost(&v->m->frames.item[q->frame.frame].on);
    if (found && !lost && q->frame.link < 0)
      lim_resolve_error(v, &q->head, NULL, "the frame belongs to the world, which does not move");
    check_lines(v, q);
    return;
  }
  q->joint = lim_resolve_joint(v, &q->head);
  if (q->joint < 0) return;
  const lim_link *a = &v->m->links.item[q->joint];
  if (!lim_joint_is_single(&a->joint) || lim_joint_in_ball(&a->joint))
    refuse_joint(v, &q->head, &a->joint, "motion");
  else if (check_units(v, &q->head, a, "motion"))
    check_start(v, q, lim_model_drive(v->m, q->joint));
}

const lim_drive *lim_model_drive(const lim_model *m, int link) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].joint == link && m->drives.item[i].head.node) return &m->drives.item[i];
  return NULL;
}

const lim_motion *lim_model_motion(const lim_model *m, int link) {
  for (int i = 0; i < m->motion.count; i++)
    if (m->motion.item[i].joint == link) return &m->motion.item[i];
  return NULL;
}

// Entries that were not mappings have no node; they have their message already.
#define EACH(list, i)                                                                                          \
  for (int i = 0; i < v->m->list.count; i++)                                                                   \
    if (v->m->list.item[i].head.node)

void lim_resolve_drives(lim_resolver *v) {
  EACH(configuration, i) resolve_state(v, &v->m->configuration.item[i]);
  EACH(deformation, i) resolve_bent(v, &v->m->deformation.item[i]);
  EACH(drives, i) resolve_drive(v, &v->m->drives.item[i]);
  EACH(motion, i) resolve_motion(v, &v->m->motion.item[i]);
}
