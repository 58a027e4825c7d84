// actuation.c - drives and loads of the model as courses in time. Theory: docs/theory/dynamics.md.
#include "system/actuation.h"

#include "math/gauss.h"
#include "system/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

lim_sample lim_actuation_sample(const lim_course *c, double t, lim_side side) {
  return side == LIM_BEFORE ? lim_course_before(c, t) : lim_course_at(c, t);
}

// --- drives ---

// Servo compliance: given, or by the rule k = J (pi f0)^2, d = 2 sqrt(J k).
static void servo_gains(lim_joint_drive *d, const lim_drive *from) {
  bool rule = isnan(from->stiffness);
  double w = M_PI * from->frequency;
  d->stiffness = rule ? from->inertia * w * w : from->stiffness;
  d->damping = !isnan(from->damping) ? from->damping : rule ? 2 * sqrt(from->inertia * d->stiffness) : 0;
}

// A motion that a joint follows exactly may not jump in position or speed once it is under way.
static lim_code check_smooth(const lim_course *c, const lim_motion *q, lim_error *err) {
  for (int i = 0; i < c->nbreak; i++)
    if (c->breaks[i].order < 2 && c->breaks[i].time > 0) // what it does at the start it has done before
      return lim_tree_error(err, q->head.node,
                            "motion '%s': %s jumps at %g s, which a joint that follows exactly cannot do",
                            q->head.name, c->breaks[i].order ? "the speed" : "the position", c->breaks[i].time);
  return LIM_OK;
}

static lim_code build_effort(lim_joint_drive *d, const lim_drive *from, bool moves, lim_course_setup setup,
                             lim_error *err) {
  d->rigid = from->effort.rigid;
  if (d->rigid && !moves)
    return lim_tree_error(err, from->head.node, "drive '%s': effort 'rigid' needs a motion of the joint",
                          from->head.name);
  setup.motion = false;
  setup.start = 0;
  return d->rigid ? LIM_OK : lim_course_new(&d->effort, &from->effort, &setup, err);
}

static lim_code build_drive(lim_joint_drive *d, const lim_model *m, int link, lim_course_setup setup,
                            lim_error *err) {
  const lim_drive *from = lim_model_drive(m, link);
  const lim_motion *q = lim_model_motion(m, link);
  double speed;
  lim_code code = LIM_OK;
  lim_pose_joint(&setup.start, &speed, m, link);
  setup.motion = true;
  *d = (lim_joint_drive){.type = from ? from->type : q ? LIM_DRIVE_PRESCRIBED : LIM_DRIVE_FREE};
  bool commanded = q || d->type == LIM_DRIVE_PRESCRIBED || d->type == LIM_DRIVE_SERVO;
  lim_signal still = {.rigid = false};
  if (commanded) code = lim_course_new(&d->motion, q ? &q->profile : &still, &setup, err);
  if (code == LIM_OK && d->type == LIM_DRIVE_PRESCRIBED && q) code = check_smooth(d->motion, q, err);
  if (code != LIM_OK || !from) return code;
  if (d->type == LIM_DRIVE_SERVO) servo_gains(d, from);
  return d->type == LIM_DRIVE_EFFORT ? build_effort(d, from, q != NULL, setup, err) : LIM_OK;
}

// --- loads ---

static void add_load(lim_actuation *a, const lim_load *load, const lim_site *site, double weight,
                     lim_course *factor) {
  lim_load_in_time *x = &a->load[a->nload];
  lim_wrench *w = &a->wrench[a->nload++];
  *x = (lim_load_in_time){factor, load->from, isnan(load->to) ? INFINITY : load->to, weight, load};
  *w = (lim_wrench){.site = *site, .follows = load->axes == 1};
}

// A load per length as forces at the Gauss points of the elements.
static lim_code spread_load(lim_actuation *a, lim_system *s, const lim_load *load, lim_course *factor,
                            lim_error *err) {
  lim_gauss rule = lim_gauss_rule(5);
  int link = load->along.index;
  lim_code code = LIM_OK;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) {
    const lim_member *m = &s->member[i];
    for (int e = 0; e < m->mesh->nelement; e++)
      for (int g = 0; g < rule.n && code == LIM_OK; g++) {
        const lim_element *x = &m->mesh->element[e];
        double fraction = (m->start + x->x + rule.s[g] * x->L) / s->model->links.item[link].beam.length;
        lim_site site;
        code = lim_system_site(&site, s, link, LIM_AT_FRACTION, fraction, -1, err);
        add_load(a, load, &site, rule.w[g] * x->L, factor);
      }
  }
  return code;
}

static int load_room(const lim_system *s, const lim_load *load) {
  if (!load->along.text) return 1;
  int count = 0;
  for (int i = s->first_body[load->along.index]; i <= s->last_body[load->along.index]; i++)
    count += 5 * s->member[i].mesh->nelement;
  return count;
}

static lim_code build_load(lim_actuation *a, lim_system *s, const lim_load *load, const lim_course_setup *setup,
                           lim_course **factor, lim_error *err) {
  lim_code code = LIM_OK;
  if (load->factor.list.count) code = lim_course_new(factor, &load->factor, setup, err);
  if (code != LIM_OK) return code;
  if (load->along.text) return spread_load(a, s, load, *factor, err);
  lim_site site;
  const lim_spot *at = &load->at;
  code = lim_system_site(&site, s, at->link, at->kind, at->kind == LIM_AT_TIP, at->frame, err);
  if (code == LIM_OK) add_load(a, load, &site, 1, *factor);
  return code;
}

void lim_actuation_loads(lim_wrench *wrench, const lim_actuation *a, double t, lim_side side) {
  for (int i = 0; i < a->nload; i++) {
    const lim_load_in_time *x = &a->load[i];
    bool on = side == LIM_BEFORE ? t > x->from && t <= x->to : t >= x->from && t < x->to;
    double k = on ? x->weight * (x->factor ? lim_actuation_sample(x->factor, t, side).value : 1) : 0;
    wrench[i].site = a->wrench[i].site;
    wrench[i].follows = a->wrench[i].follows;
    for (int j = 0; j < 3; j++) {
      wrench[i].force[j] = k * x->load->force[j];
      wrench[i].moment[j] = k * x->load->moment[j];
    }
  }
}

// --- breaks ---

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Jumps of a course up to an order: efforts jump with the acceleration of a motion, and with a value or its
// rate.
static void add_breaks(lim_actuation *a, const lim_course *c, int order) {
  for (int i = 0; c && i < c->nbreak; i++)
    if (c->breaks[i].order <= order) a->breaks[a->nbreak++] = c->breaks[i].time;
}

static lim_code gather_breaks(lim_actuation *a, lim_error *err) {
  size_t room = 2 * (size_t)a->nload;
  for (int i = 0; i < a->s->nbody; i++) {
    room += a->drive[i].motion ? (size_t)a->drive[i].motion->nbreak : 0;
    room += a->drive[i].effort ? (size_t)a->drive[i].effort->nbreak : 0;
  }
  for (int i = 0; i < a->nload; i++) room += a->load[i].factor ? (size_t)a->load[i].factor->nbreak : 0;
  a->breaks = lim_arena_array(&a->arena, room + 1, sizeof *a->breaks);
  if (!a->breaks) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < a->s->nbody; i++) {
    add_breaks(a, a->drive[i].motion, 3);
    add_breaks(a, a->drive[i].effort, 1);
  }
  for (int i = 0; i < a->nload; i++) {
    add_breaks(a, a->load[i].factor, 1);
    a->breaks[a->nbreak++] = a->load[i].from;
    if (a->load[i].to < INFINITY) a->breaks[a->nbreak++] = a->load[i].to;
  }
  qsort(a->breaks, (size_t)a->nbreak, sizeof *a->breaks, by_time);
  int kept = 0;
  for (int i = 0; i < a->nbreak; i++)
    if (a->breaks[i] > 0 && (kept == 0 || a->breaks[i] > a->breaks[kept - 1] + 1e-12))
      a->breaks[kept++] = a->breaks[i];
  a->nbreak = kept;
  return LIM_OK;
}

double lim_actuation_next_break(const lim_actuation *a, double t) {
  int low = 0, high = a->nbreak; // first break after t
  while (low < high) {
    int middle = (low + high) / 2;
    if (a->breaks[middle] > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low < a->nbreak ? a->breaks[low] : INFINITY;
}

// --- set-up ---

static lim_code refuse(lim_error *err, const lim_head *head, const char *key, const char *what) {
  const lim_node *at = lim_tree_get(head->node, key);
  return lim_tree_error(err, at ? at : head->node, "%s cannot be treated in this version", what);
}

// What would act in time and is not there yet must not be passed over in silence.
static lim_code check_scope(const lim_model *m, lim_error *err) {
  if (m->program) return refuse(err, &m->head, "program", "a robot program");
  for (int i = 0; i < m->motion.count; i++)
    if (m->motion.item[i].joint < 0)
      return refuse(err, &m->motion.item[i].head, "line", "the motion of a frame along a line");
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].friction.head.node)
      return refuse(err, &m->drives.item[i].head, "friction", "friction");
  return LIM_OK;
}

static lim_code build_loads(lim_actuation *a, lim_system *s, const lim_course_setup *setup, lim_error *err) {
  const lim_model *m = s->model;
  size_t room = 0;
  for (int i = 0; i < m->loads.count; i++) room += (size_t)load_room(s, &m->loads.item[i]);
  a->load = lim_arena_array(&a->arena, room, sizeof *a->load);
  a->wrench = lim_arena_array(&a->arena, room, sizeof *a->wrench);
  if (!a->load || !a->wrench) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = LIM_OK;
  for (int i = 0; i < m->loads.count && code == LIM_OK; i++) {
    lim_course *factor = NULL;
    int before = a->nload;
    code = build_load(a, s, &m->loads.item[i], setup, &factor, err);
    if (factor && a->nload == before) lim_course_free(factor);
  }
  return code;
}

lim_code lim_actuation_new(lim_actuation **out, lim_system *s, const char *directory, lim_error *err) {
  *out = NULL;
  lim_code code = check_scope(s->model, err);
  if (code != LIM_OK) return code;
  lim_actuation *a = calloc(1, sizeof *a);
  if (!a) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  a->s = s;
  const lim_course_setup setup = {.directory = directory, .horizon = s->model->solver.duration};
  a->drive = lim_arena_array(&a->arena, (size_t)s->nbody, sizeof *a->drive);
  if (!a->drive) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; code == LIM_OK && i < s->nbody; i++) {
    a->drive[i].type = LIM_DRIVE_FREE;
    if (s->member[i].q >= 0) code = build_drive(&a->drive[i], s->model, s->member[i].link, setup, err);
  }
  if (code == LIM_OK) code = build_loads(a, s, &setup, err);
  if (code == LIM_OK) code = gather_breaks(a, err);
  if (code == LIM_OK)
    *out = a;
  else
    lim_actuation_free(a);
  return code;
}

void lim_actuation_free(lim_actuation *a) {
  if (!a) return;
  for (int i = 0; a->drive && i < a->s->nbody; i++) {
    lim_course_free(a->drive[i].motion);
    lim_course_free(a->drive[i].effort);
  }
  for (int i = 0; i < a->nload; i++) // the forces of a load per length share one course
    if (i == 0 || a->load[i].factor != a->load[i - 1].factor) lim_course_free(a->load[i].factor);
  lim_arena_free(&a->arena);
  free(a);
}
