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
  if (s->member[body].slide) return lim_system_sliding(&out->section, &s->arena, s, body, fraction, err);
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

lim_code lim_system_sliding(lim_section_motion *out, lim_arena *arena, const lim_system *s, int body,
                            double place, lim_error *err) {
  const lim_member *m = &s->member[body];
  const lim_sliding *x = m->slide;
  size_t n = (size_t)x->n;
  *out = (lim_section_motion){.X = {0}};
  if (place == 0) return LIM_OK; // the guide
  *out = (lim_section_motion){.slide = x, .place = place, .back = m->e - m->q, .count = x->n};
  out->N = lim_arena_array(arena, 6 * n, sizeof *out->N);
  if (x->shortens && n) out->G = lim_arena_array(arena, n * n, sizeof *out->G);
  if (!out->N || (x->shortens && n && !out->G)) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (n) lim_sliding_rows(out->N, x, place);
  if (out->G) lim_sliding_shortening(out->G, x, place);
  return LIM_OK;
}

// --- bodies ---

// A body without mass of its own, for a beam that slides: all is in `slide`.
static lim_code sliding_member(lim_system *s, lim_member *m, const bool keep[6], bool rigid, lim_error *err) {
  lim_code code = lim_sliding_new(&m->slide, s->model, m->link, keep, rigid, err);
  m->body = calloc(1, sizeof *m->body);
  if (code == LIM_OK && !m->body) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code != LIM_OK) return code;
  const lim_beam *beam = &s->model->links.item[m->link].beam; // for outlines and sections
  code = lim_mesh_new(&m->mesh, s->model, m->link, (lim_stretch){0, beam->length, beam->elements}, err);
  if (code != LIM_OK) return code;
  m->body->n = m->slide->n;
  m->body->width = m->slide->n > 0 ? m->slide->n - 1 : 0;
  return LIM_OK;
}

static void count_in(lim_system *s, lim_member *m, bool motor) {
  s->parent[s->nbody] = m->on.body;
  if (m->type == LIM_REVOLUTE || m->type == LIM_PRISMATIC) m->q = s->n++;
  if (m->q >= 0 && motor) m->m = s->n++;
  m->e = s->n;
  s->n += m->body->n;
  s->nbody++;
}

// What is fixed to the tip of a sliding beam: a rigid body of its own.
static lim_code add_tip(lim_system *s, int link, lim_error *err) {
  const lim_link *a = &s->model->links.item[link];
  int boom = s->first_body[link];
  if (a->masses.count == 0) return LIM_OK;
  lim_link masses = {.masses = a->masses};
  lim_member *m = &s->member[s->nbody];
  *m = (lim_member){.type = LIM_FIXED, .q = -1, .m = -1, .rotor = -1, .link = link, .on = {.body = boom}};
  memcpy(m->on.Rc, unit, sizeof unit);
  lim_code code = lim_body_rigid(&m->body, &masses, err);
  if (code == LIM_OK) code = lim_system_sliding(&m->on.section, &s->arena, s, boom, 1, err);
  if (m->body) count_in(s, m, false);
  return code;
}

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
  bool slides = lim_joint_slides(&s->model->links.item[link].joint);
  lim_code code = slides ? sliding_member(s, m, keep, rigid, err)
                  : beam ? flexible_member(s, m, segment, keep, rigid, err)
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

// A sliding beam passes its guide: it is the same all along, and only its tip carries something.
static lim_code check_slide(const lim_model *m, const lim_link *a, lim_error *err) {
  const lim_slide *x = &a->joint.slide;
  const lim_piece *first = &a->beam.pieces.item[0];
  if (a->beam.pieces.count > 1 || first->from.index != first->to.index)
    return lim_tree_error(err, x->head.node, "a beam that slides through its joint has one section all along");
  if (a->beam.segments > 1)
    return lim_tree_error(err, x->head.node,
                          "a beam that slides through its joint cannot be split into segments");
  if (a->basis.type == LIM_BASIS_CRAIG_BAMPTON)
    return lim_tree_error(err, a->basis.head.node, "a beam that slides has basis full, modes or rigid");
  for (int i = 0; i < a->masses.count; i++)
    if (a->masses.item[i].at.value < 1)
      return lim_tree_error(err, a->masses.item[i].head.node ? a->masses.item[i].head.node : a->head.node,
                            "a beam that slides through its joint carries masses at its tip only");
  double drag = a->damping.head.node ? a->damping.strain_rate : m->damping.strain_rate;
  if (drag > 0 || m->damping.ratio > 0 || m->damping.mass > 0 || m->damping.stiffness > 0)
    return lim_tree_error(
        err, x->head.node,
        "a beam that slides has no damping by strain_rate, and none of the whole arm; give links "
        "their own, by ratio, mass or stiffness");
  double q, v;
  lim_pose_joint(&q, &v, m, (int)(a - m->links.item));
  if (q < 0 || q > a->beam.length)
    return lim_tree_error(err, x->head.node,
                          "joint '%s' starts at %g m; a beam of %g m has 0 to %g m beyond its guide",
                          a->joint.head.name, q, a->beam.length, a->beam.length);
  return LIM_OK;
}

static lim_code check_loads(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->loads.count; i++) {
    const lim_load *x = &m->loads.item[i];
    if (x->along.text && lim_joint_slides(&m->links.item[x->along.index].joint))
      return lim_tree_error(err, x->head.node,
                            "a load along a beam that slides through its joint; put it at its tip");
  }
  return LIM_OK;
}

lim_code lim_system_check_slides(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) {
    if (!lim_joint_slides(&m->links.item[i].joint)) continue;
    lim_code code = check_slide(m, &m->links.item[i], err);
    if (code != LIM_OK) return code;
  }
  return check_loads(m, err);
}

static lim_code check_scope(const lim_model *m, bool floating, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    if (j->type == LIM_FREE && !floating) return refuse(err, &j->head, "a free joint");
  }
  return lim_system_check_slides(m, err);
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
  if (code == LIM_OK && lim_joint_slides(&a->joint)) code = add_tip(s, link, err);
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
    lim_sliding_free(s->member[i].slide);
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
