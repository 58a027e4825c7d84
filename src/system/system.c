// system.c - the tree of bodies from the model: segments, joints, sites.
#include "system/system.h"

#include "math/rotation.h"
#include "system/damping.h"
#include "system/line.h"
#include "system/loop.h"
#include "system/motor.h"
#include "system/pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// --- sites ---

// The section at a fraction of a link: of the segment on which it lies.
static lim_code section_site(lim_site *out, lim_system *s, int link, double fraction, lim_error *err) {
  *out = (lim_site){.body = -1};
  memcpy(out->Rc, unit, sizeof unit);
  if (link < 0) return LIM_OK;
  const lim_link *a = &s->model->links.item[link];
  int body = s->first_body[link];
  out->body = body;
  if (!a->beam.head.node) {
    lim_pose_along(out->section.X, a, fraction);
    return LIM_OK;
  }
  double at = fraction * a->beam.length;
  while (body < s->last_body[link] && at > (s->member[body].start + s->member[body].mesh->length) * (1 + 1e-12))
    body++;
  const lim_member *m = &s->member[body];
  double local = fmin(fmax((at - m->start) / m->mesh->length, 0), 1);
  out->body = body;
  out->section.X[0] = local * m->mesh->length;
  if (local == 0 || m->body->n == 0) return LIM_OK; // clamped, or rigid
  return lim_body_section(&out->section, &s->arena, m->mesh, m->shapes, local, s->model->solver.stiffening,
                          err);
}

lim_code lim_system_site(lim_site *out, lim_system *s, int link, lim_place_kind kind, double fraction,
                         int frame, lim_error *err) {
  lim_frame_on_link f = lim_pose_frame(s->model, link, kind, fraction, frame);
  lim_code code = section_site(out, s, f.link, f.fraction, err);
  memcpy(out->c, f.c, sizeof f.c);
  memcpy(out->Rc, f.R, sizeof f.R);
  return code;
}

// --- bodies ---

static lim_code rigid_shapes(lim_shapes **out, const lim_mesh *mesh, lim_error *err) {
  *out = calloc(1, sizeof **out);
  if (!*out) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  (*out)->ndof = mesh->ndof;
  return LIM_OK;
}

static lim_code flexible_member(lim_system *s, lim_member *m, int segment, const bool keep[6], bool rigid,
                                lim_error *err) {
  const lim_beam *beam = &s->model->links.item[m->link].beam;
  lim_stretch stretch =
      rigid ? (lim_stretch){0, beam->length, beam->elements} : lim_mesh_segment(beam, segment);
  m->start = stretch.from;
  lim_code code = lim_mesh_new(&m->mesh, s->model, m->link, stretch, err);
  if (code == LIM_OK && rigid) code = rigid_shapes(&m->shapes, m->mesh, err);
  if (code == LIM_OK && !rigid)
    code = lim_shapes_new_from(&m->shapes, s->model, m->link, m->mesh, m->start, keep, err);
  if (code == LIM_OK)
    code = lim_body_flexible(&m->body, &s->model->links.item[m->link], m->mesh, m->shapes, m->start,
                             s->model->solver.stiffening, err);
  return code;
}

// The joint's frame: the attachment, then origin, then the constant part of a DH row.
static lim_code hang(lim_system *s, lim_member *m, lim_error *err) {
  const lim_link *a = &s->model->links.item[m->link];
  const lim_joint *j = &a->joint;
  lim_code code = lim_system_site(&m->on, s, a->parent.index, a->at.kind, a->at.value, a->at.frame.index, err);
  double turn[9];
  lim_rotation_rpy(turn, j->origin.rpy);
  lim_frame_move(m->on.Rc, m->on.c, j->origin.xyz, turn);
  lim_rotation_axis(turn, (double[3]){0, 0, 1}, j->dh.theta);
  lim_frame_move(m->on.Rc, m->on.c, (double[3]){0, 0, j->dh.d}, turn);
  m->type = j->type;
  memcpy(m->axis, j->axis, sizeof m->axis);
  return code;
}

// On the frame of the body before.
static lim_site next_to(int body) {
  lim_site on = {.body = body};
  memcpy(on.Rc, unit, sizeof unit);
  return on;
}

static void count_in(lim_system *s, lim_member *m, bool motor) {
  s->parent[s->nbody] = m->on.body;
  if (m->type == LIM_REVOLUTE || m->type == LIM_PRISMATIC) m->q = s->n++;
  if (m->q >= 0 && motor) m->m = s->n++;
  m->e = s->n;
  s->n += m->body->n;
  s->nbody++;
}

// Where a free joint puts its link in the configuration.
static void extend_by_state(lim_site *on, const lim_model *model, int link) {
  for (int i = 0; i < model->configuration.count; i++) {
    const lim_state *x = &model->configuration.item[i];
    double turn[9];
    if (x->joint != link) continue;
    lim_rotation_rpy(turn, x->rpy);
    lim_frame_move(on->Rc, on->c, x->position, turn);
  }
}

// One of the freedoms of a free joint (directions, then rotations): a massless body on the one before it.
static lim_code add_freedom(lim_system *s, int link, int kind, bool first, lim_error *err) {
  static const lim_link nothing;
  lim_member *m = &s->member[s->nbody];
  *m = (lim_member){.q = -1, .m = -1, .rotor = -1, .link = link, .on = next_to(s->nbody - 1)};
  lim_code code = lim_body_rigid(&m->body, &nothing, err);
  if (code == LIM_OK && first) {
    code = hang(s, m, err);
    extend_by_state(&m->on, s->model, link);
  }
  m->type = kind < 3 ? LIM_PRISMATIC : LIM_REVOLUTE;
  for (int i = 0; i < 3; i++) m->axis[i] = i == kind % 3;
  if (m->body) count_in(s, m, false);
  return code;
}

static lim_code add_freedoms(lim_system *s, int link, const bool keep[6], lim_error *err) {
  lim_code code = LIM_OK;
  bool first = true;
  for (int kind = 0; kind < 6 && code == LIM_OK; kind++)
    if (keep[kind]) {
      code = add_freedom(s, link, kind, first, err);
      first = false;
    }
  return code;
}

static lim_code add_member(lim_system *s, int link, int segment, const bool keep[6], bool rigid, bool motor,
                           lim_error *err) {
  lim_member *m = &s->member[s->nbody];
  *m = (lim_member){.type = LIM_FIXED, .q = -1, .m = -1, .rotor = -1, .link = link};
  s->last_body[link] = s->nbody;
  if (segment == 0) s->first_body[link] = s->nbody;
  bool beam = s->model->links.item[link].beam.head.node;
  lim_code code = beam ? flexible_member(s, m, segment, keep, rigid, err)
                       : lim_body_rigid(&m->body, &s->model->links.item[link], err);
  if (code != LIM_OK) {
    s->nbody++; // what there is of it is freed with the rest
    return code;
  }
  m->on = next_to(s->nbody - 1);
  if (segment > 0) {
    const lim_member *before = m - 1;
    m->on.section.X[0] = before->mesh->length;
    if (before->body->n)
      code = lim_body_section(&m->on.section, &s->arena, before->mesh, before->shapes, 1,
                              s->model->solver.stiffening, err);
  } else if (s->model->links.item[link].joint.type != LIM_FREE) {
    code = hang(s, m, err);
  }
  count_in(s, m, motor);
  return code;
}

static lim_code refuse(lim_error *err, const lim_head *head, const char *what) {
  return lim_tree_error(err, head->node, "%s cannot be treated in this version", what);
}

static lim_code check_scope(const lim_model *m, bool floating, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    if (j->slide.head.node) return refuse(err, &j->slide.head, "a sliding beam");
    if (j->type == LIM_FREE && !floating) return refuse(err, &j->head, "a free joint");
  }
  return LIM_OK;
}

// A joint of a planar model moves within the plane.
static lim_code check_axis(const lim_link *a, const bool keep[6], lim_error *err) {
  const lim_joint *j = &a->joint;
  if (j->type != LIM_REVOLUTE && j->type != LIM_PRISMATIC) return LIM_OK;
  const bool *may = j->type == LIM_REVOLUTE ? keep + 3 : keep;
  for (int i = 0; i < 3; i++)
    if (!may[i] && fabs(j->axis[i]) > 1e-9)
      return lim_tree_error(err, j->head.node ? j->head.node : a->head.node,
                            "joint '%s': the motion along its axis leads out of the model's plane",
                            j->head.name);
  return LIM_OK;
}

static lim_code add_link(lim_system *s, int link, const double R[9], bool rigid, lim_error *err) {
  const lim_link *a = &s->model->links.item[link];
  bool keep[6];
  if (!lim_pose_keep(keep, R, s->model->planar) && a->beam.head.node)
    return lim_tree_error(err, a->head.node,
                          "link '%s': the plane of the model is not the link's own x-y or x-z plane",
                          a->head.name);
  bool stiff = rigid || a->basis.type == LIM_BASIS_RIGID;
  int segments = a->beam.head.node && !stiff ? a->beam.segments : 1;
  lim_code code = check_axis(a, keep, err);
  if (code == LIM_OK && a->joint.type == LIM_FREE) code = add_freedoms(s, link, keep, err);
  bool motor = !rigid && lim_motor_yields(lim_model_drive(s->model, link));
  for (int k = 0; k < segments && code == LIM_OK; k++) code = add_member(s, link, k, keep, stiff, motor, err);
  return code;
}

static lim_code add_links(lim_system *s, bool rigid, lim_error *err) {
  const lim_model *m = s->model;
  size_t nlink = (size_t)m->links.count, room = 0;
  for (int i = 0; i < m->links.count; i++)
    room += 6 + (m->links.item[i].beam.head.node ? (size_t)m->links.item[i].beam.segments : 1);
  s->member = lim_arena_array(&s->arena, room, sizeof *s->member);
  s->parent = lim_arena_array(&s->arena, room, sizeof *s->parent);
  s->first_body = lim_arena_array(&s->arena, nlink, sizeof *s->first_body);
  s->last_body = lim_arena_array(&s->arena, nlink, sizeof *s->last_body);
  lim_place_in_world *pose = lim_arena_array(&s->arena, nlink, sizeof *pose);
  if (!s->member || !s->parent || !s->first_body || !s->last_body || !pose)
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_pose_links(pose, m);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->links.count && code == LIM_OK; i++) code = add_link(s, i, pose[i].R, rigid, err);
  return code;
}

// --- named sites ---

static char *joined(lim_system *s, const char *a, const char *b) {
  size_t size = strlen(a) + strlen(b) + 1;
  char *text = lim_arena_take(&s->arena, size);
  if (text) snprintf(text, size, "%s%s", a, b);
  return text;
}

static lim_code name_sites(lim_system *s, lim_error *err) {
  const lim_model *m = s->model;
  size_t room = 1 + 2 * (size_t)m->links.count + (size_t)m->frames.count;
  s->site = lim_arena_array(&s->arena, room, sizeof *s->site);
  if (!s->site) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  int last = m->links.count - 1;
  lim_code code = lim_system_site(&s->site[0].site, s, last, LIM_AT_TIP, 1, -1, err);
  s->site[s->nsite++].name = "tip";
  for (int i = 0; i < 2 * m->links.count && code == LIM_OK; i++) {
    lim_named_site *x = &s->site[s->nsite++];
    x->name = joined(s, m->links.item[i / 2].head.name, i % 2 ? ".tip" : ".base");
    code = lim_system_site(&x->site, s, i / 2, i % 2 ? LIM_AT_TIP : LIM_AT_BASE, i % 2, -1, err);
    if (!x->name) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  for (int i = 0; i < m->frames.count && code == LIM_OK; i++) {
    bool tip = !strcmp(m->frames.item[i].head.name, "tip");
    lim_named_site *x = tip ? &s->site[0] : &s->site[s->nsite++];
    x->name = m->frames.item[i].head.name;
    code = lim_system_site(&x->site, s, -1, LIM_AT_FRAME, 0, i, err);
  }
  return code;
}

static lim_code build(lim_system **out, const lim_model *model, bool rigid, bool floating, lim_error *err) {
  *out = NULL;
  lim_code code = check_scope(model, floating, err);
  if (code != LIM_OK) return code;
  lim_system *s = calloc(1, sizeof *s);
  if (!s) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  memcpy(s->gravity, model->gravity, sizeof s->gravity);
  code = lim_motor_masses(s, model, err);
  if (code == LIM_OK) code = add_links(s, rigid, err);
  if (code == LIM_OK) code = lim_motor_rotors(s, err);
  if (code == LIM_OK) code = name_sites(s, err);
  if (code == LIM_OK) code = lim_loops_build(s, err);
  if (code == LIM_OK) code = lim_lines_start(s, err);
  if (code == LIM_OK) code = lim_damping_build(s, err);
  if (code == LIM_OK)
    *out = s;
  else
    lim_system_free(s);
  return code;
}

lim_code lim_system_new(lim_system **out, const lim_model *model, bool rigid, lim_error *err) {
  return build(out, model, rigid, false, err);
}

lim_code lim_system_new_floating(lim_system **out, const lim_model *model, bool rigid, lim_error *err) {
  return build(out, model, rigid, true, err);
}

void lim_system_free(lim_system *s) {
  if (!s) return;
  for (int i = 0; i < s->nbody; i++) {
    lim_body_free(s->member[i].body);
    lim_shapes_free(s->member[i].shapes);
    lim_mesh_free(s->member[i].mesh);
  }
  lim_arena_free(&s->arena);
  free(s);
}

void lim_system_start(double *q, double *v, const lim_system *s) {
  if (s->start) {
    memcpy(q, s->start, (size_t)s->n * sizeof *q);
    memcpy(v, s->start + s->n, (size_t)s->n * sizeof *v);
    return;
  }
  memset(q, 0, (size_t)s->n * sizeof *q);
  memset(v, 0, (size_t)s->n * sizeof *v);
  for (int i = 0; i < s->nbody; i++) {
    int k = s->member[i].q, link = s->member[i].link;
    if (k < 0 || s->model->links.item[link].joint.type == LIM_FREE) continue;
    lim_pose_joint(&q[k], &v[k], s->model, link);
    int motor = s->member[i].m; // the gear is at ease
    if (motor < 0) continue;
    q[motor] = q[k];
    v[motor] = v[k];
  }
}

bool lim_system_commands(const lim_system *s, int link) {
  return lim_model_motion(s->model, link) || (s->moved && s->moved[s->first_body[link]]);
}
