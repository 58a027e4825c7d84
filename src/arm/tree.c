// tree.c - the tree of bodies from the model: segments, joints, sites.
#include "arm/tree.h"

#include "arm/air.h"
#include "arm/ball.h"
#include "arm/body/kind.h"
#include "arm/loop.h"
#include "arm/pose.h"
#include "arm/rail.h"
#include "arm/rotor.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// --- sites ---

int lim_arm_segment(double *local, const lim_arm *s, int link, double fraction) {
  int body = s->first_body[link], last = s->last_body[link];
  *local = fraction;
  if (!s->bodies[body].kind->split) return body;
  double at = fraction * s->model->links.item[link].beam.length;
  for (; body <= last; body++) {
    *local = lim_mesh_fraction(s->bodies[body].mesh, s->bodies[body].start, at);
    if (*local >= 0) return body;
  }
  *local = 1; // beyond the tip by rounding
  return last;
}

// The section at a fraction of a link: of the segment on which it lies.
static lim_code section_site(lim_site *out, lim_arm *s, int link, double fraction, lim_error *err) {
  *out = (lim_site){.body = -1};
  memcpy(out->Rc, unit, sizeof unit);
  if (link < 0) return LIM_OK;
  double place;
  out->body = lim_arm_segment(&place, s, link, fraction);
  return s->bodies[out->body].kind->section(&out->section, &s->arena, s, out->body, place, err);
}

lim_code lim_arm_site(lim_site *out, lim_arm *s, int link, lim_location_kind kind, double fraction, int frame,
                      lim_error *err) {
  lim_frame_on_link f = lim_pose_frame(s->model, link, kind, fraction, frame);
  lim_code code = section_site(out, s, f.link, f.fraction, err);
  memcpy(out->c, f.c, sizeof f.c);
  memcpy(out->Rc, f.R, sizeof f.R);
  return code;
}

// --- bodies ---

// The joint's frame: the attachment, then origin, then the constant part of a DH row.
static lim_code hang(lim_arm *s, lim_arm_body *m, lim_error *err) {
  const lim_link *a = &s->model->links.item[m->link];
  const lim_joint *j = &a->joint;
  lim_code code = lim_arm_site(&m->on, s, a->parent.index, a->at.kind, a->at.value, a->at.frame.index, err);
  lim_pose_origin(m->on.Rc, m->on.c, a);
  m->screw = lim_joint_screw(j);
  return code;
}

// On the frame of the body before.
static lim_site next_to(int body) {
  lim_site on = {.body = body};
  memcpy(on.Rc, unit, sizeof unit);
  return on;
}

static lim_code add_member(lim_arm *s, int link, int segment, const bool keep[6], bool rigid, bool motor,
                           lim_error *err) {
  lim_arm_body *m = &s->bodies[s->nbody];
  *m = lim_arm_body_of(link, lim_body_kind_of(&s->model->links.item[link]));
  s->last_body[link] = s->nbody;
  if (segment == 0) s->first_body[link] = s->nbody;
  lim_code code = m->kind->build(s, m, segment, keep, rigid, err);
  if (code != LIM_OK) {
    s->nbody++; // what there is of it is freed with the rest
    return code;
  }
  m->on = next_to(s->nbody - 1);
  if (segment > 0) {
    code = m[-1].kind->section(&m->on.section, &s->arena, s, s->nbody - 1, 1, err);
  } else {
    code = hang(s, m, err);
    if (!lim_screw_stays(&m->screw, keep)) m->screw = (lim_screw){.slides = false}; // of a ball joint
  }
  lim_arm_body_count(s, m, motor);
  if (code == LIM_OK && segment == 0 && s->model->links.item[link].joint.rail) code = lim_rail_hang(s, m, err);
  return code;
}

lim_code lim_arm_check_links(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) {
    const lim_body_kind *kind = lim_body_kind_of(&m->links.item[i]);
    lim_code code = kind->check ? kind->check(m, &m->links.item[i], err) : LIM_OK;
    if (code != LIM_OK) return code;
  }
  return LIM_OK;
}

// A joint of a planar model moves within the plane. Of a ball joint only the freedoms that do are there.
static lim_code check_axis(const lim_link *a, const bool keep[6], lim_error *err) {
  const lim_joint *j = &a->joint;
  const lim_screw screw = lim_joint_screw(j);
  if (lim_joint_in_ball(j) || lim_screw_stays(&screw, keep)) return LIM_OK;
  return lim_tree_error(err, j->head.node ? j->head.node : a->head.node,
                        "joint '%s': the motion along its axis leads out of the model's plane", j->head.name);
}

static lim_code add_link(lim_arm *s, int link, const double R[9], bool rigid, lim_error *err) {
  const lim_link *a = &s->model->links.item[link];
  bool keep[6];
  if (!lim_pose_keep(keep, R, s->model->planar) && a->beam.head.node)
    return lim_tree_error(err, a->head.node,
                          "link '%s': the plane of the model is not the link's own x-y or x-z plane",
                          a->head.name);
  bool stiff = rigid || a->basis.type == LIM_BASIS_RIGID;
  const lim_body_kind *kind = lim_body_kind_of(a);
  int segments = kind->split && !stiff ? a->beam.segments : 1;
  lim_code code = check_axis(a, keep, err);
  bool motor = !rigid && lim_motor_yields(lim_model_drive(s->model, link));
  for (int k = 0; k < segments && code == LIM_OK; k++) code = add_member(s, link, k, keep, stiff, motor, err);
  if (code == LIM_OK && kind->complete) code = kind->complete(s, link, err);
  return code;
}

static lim_code add_links(lim_arm *s, bool rigid, lim_error *err) {
  const lim_model *m = s->model;
  size_t nlink = (size_t)m->links.count, capacity = 0;
  for (int i = 0; i < m->links.count; i++)
    capacity += 1 + (lim_body_kind_of(&m->links.item[i])->split ? (size_t)m->links.item[i].beam.segments : 1);
  s->bodies = lim_arena_array(&s->arena, capacity, sizeof *s->bodies);
  s->parent = lim_arena_array(&s->arena, capacity, sizeof *s->parent);
  s->first_body = lim_arena_array(&s->arena, nlink, sizeof *s->first_body);
  s->last_body = lim_arena_array(&s->arena, nlink, sizeof *s->last_body);
  lim_world_pose *pose = lim_arena_array(&s->arena, nlink, sizeof *pose);
  if (!s->bodies || !s->parent || !s->first_body || !s->last_body || !pose) return lim_no_memory(err);
  lim_pose_links(pose, m);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->links.count && code == LIM_OK; i++) code = add_link(s, i, pose[i].R, rigid, err);
  return code;
}

// --- named sites ---

static char *joined(lim_arm *s, const char *a, const char *b) {
  size_t size = strlen(a) + strlen(b) + 1;
  char *text = lim_arena_allocate(&s->arena, size);
  if (text) snprintf(text, size, "%s%s", a, b);
  return text;
}

// The site of a place of the model: by the name that sites have.
static int site_of(const lim_arm *s, const lim_location *spot) {
  if (!spot->ref.text) return 0;
  if (spot->link >= 0 && spot->kind == LIM_AT_BASE) return 1 + 2 * spot->link;
  if (spot->link >= 0 && spot->kind == LIM_AT_TIP)
    return !strcmp(spot->ref.text, "tip") ? 0 : 2 + 2 * spot->link;
  for (int i = 0; spot->kind == LIM_AT_FRAME && i < s->nsite; i++)
    if (s->site[i].name == s->model->frames.item[spot->frame].head.name) return i;
  return 0;
}

static lim_code name_sites(lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  size_t capacity = 1 + 2 * (size_t)m->links.count + (size_t)m->frames.count;
  s->site = lim_arena_array(&s->arena, capacity, sizeof *s->site);
  if (!s->site) return lim_no_memory(err);
  int last = m->links.count - 1;
  lim_code code = lim_arm_site(&s->site[0].site, s, last, LIM_AT_TIP, 1, -1, err);
  s->site[s->nsite++].name = "tip";
  for (int i = 0; i < 2 * m->links.count && code == LIM_OK; i++) {
    lim_named_site *x = &s->site[s->nsite++];
    x->name = joined(s, m->links.item[i / 2].head.name, i % 2 ? ".tip" : ".base");
    x->hidden = lim_link_is_inserted(&m->links.item[i / 2]);
    code = lim_arm_site(&x->site, s, i / 2, i % 2 ? LIM_AT_TIP : LIM_AT_BASE, i % 2, -1, err);
    if (!x->name) code = lim_no_memory(err);
  }
  for (int i = 0; i < m->frames.count && code == LIM_OK; i++) {
    bool tip = !strcmp(m->frames.item[i].head.name, "tip");
    lim_named_site *x = tip ? &s->site[0] : &s->site[s->nsite++];
    x->name = m->frames.item[i].head.name;
    code = lim_arm_site(&x->site, s, -1, LIM_AT_FRAME, 0, i, err);
  }
  if (code == LIM_OK) s->tool = site_of(s, &m->tool);
  return code;
}

const lim_named_site *lim_arm_find_site(const lim_arm *s, const char *name) {
  for (int i = 0; i < s->nsite; i++)
    if (!s->site[i].hidden && !strcmp(s->site[i].name, name)) return &s->site[i];
  return NULL;
}

lim_choice lim_arm_sites(const lim_arm *s, const char *name) {
  lim_choice choice = lim_choice_start(name);
  for (int i = 0; i < s->nsite; i++)
    if (!s->site[i].hidden) lim_choice_try(&choice, s->site[i].name);
  return choice;
}

lim_code lim_arm_build(lim_arm **out, const lim_model *model, bool rigid, lim_error *err) {
  *out = NULL;
  lim_code code = lim_arm_check_links(model, err);
  if (code != LIM_OK) return code;
  lim_arm *s = calloc(1, sizeof *s);
  if (!s) return lim_no_memory(err);
  memcpy(s->gravity, model->gravity, sizeof s->gravity);
  code = lim_motor_masses(s, model, err);
  if (code == LIM_OK) code = add_links(s, rigid, err);
  if (code == LIM_OK) code = lim_balls_build(s, err);
  if (code == LIM_OK) code = lim_motor_rotors(s, err);
  if (code == LIM_OK) code = lim_air_build(s, err);
  if (code == LIM_OK) code = name_sites(s, err);
  if (code == LIM_OK) code = lim_loops_build(s, err);
  if (code == LIM_OK)
    *out = s;
  else
    lim_arm_free(s);
  return code;
}

void lim_arm_free(lim_arm *s) {
  if (!s) return;
  for (int i = 0; i < s->nbody; i++) lim_arm_body_free(&s->bodies[i]);
  lim_arena_free(&s->arena);
  free(s);
}

// A copy of `count` items in the arena; NULL: out of memory.
static void *copied(lim_arena *arena, const void *list, size_t count, size_t size) {
  void *copy = lim_arena_array(arena, count, size);
  if (copy && count) memcpy(copy, list, count * size);
  return copy;
}

lim_code lim_arm_enter(lim_arm **out, const lim_arm *s, lim_error *err) {
  lim_arm *own = *out = malloc(sizeof *own);
  if (!own) return lim_no_memory(err);
  *own = *s;
  own->arena = (lim_arena){0};
  own->bodies = copied(&own->arena, s->bodies, (size_t)s->nbody, sizeof *s->bodies);
  own->damper = copied(&own->arena, s->damper, (size_t)s->ndamper, sizeof *s->damper);
  own->ball = copied(&own->arena, s->ball, (size_t)s->nball, sizeof *s->ball);
  bool good = own->bodies && own->damper && own->ball;
  if (s->damped_at) {
    own->damped_at = copied(&own->arena, s->damped_at, (size_t)s->n, sizeof *s->damped_at);
    own->damped_with = copied(&own->arena, s->damped_with, (size_t)s->nbody, sizeof *s->damped_with);
    good = good && own->damped_at && own->damped_with;
  }
  if (good) return LIM_OK;
  lim_arm_leave(own);
  *out = NULL;
  return lim_no_memory(err);
}

void lim_arm_leave(lim_arm *own) {
  if (!own) return;
  lim_arena_free(&own->arena);
  free(own);
}

void lim_arm_start(double *q, double *v, const lim_arm *s) {
  if (s->start) {
    memcpy(q, s->start, (size_t)s->n * sizeof *q);
    memcpy(v, s->start + s->n, (size_t)s->n * sizeof *v);
    return;
  }
  memset(q, 0, (size_t)s->n * sizeof *q);
  memset(v, 0, (size_t)s->n * sizeof *v);
  for (int i = 0; i < s->nbody; i++) {
    int k = s->bodies[i].q, link = s->bodies[i].link;
    if (k < 0) continue;
    lim_pose_joint(&q[k], &v[k], s->model, link);
    int motor = s->bodies[i].m; // the gear is at ease
    if (motor < 0) continue;
    q[motor] = q[k];
    v[motor] = v[k];
  }
  lim_balls_start(v, s);
}

bool lim_arm_commands(const lim_arm *s, int link) {
  return lim_model_motion(s->model, link) || (s->moved && s->moved[s->first_body[link]]);
}
