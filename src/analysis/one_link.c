// one_link.c - pose, inertia and loads of a single link on its joint.
#include "analysis/one_link.h"

#include "base/text.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>

// --- what cannot be treated ---

static lim_code refuse(lim_error *err, const lim_head *head, const char *what) {
  return lim_tree_error(err, head->node, "%s: static and modes treat a single link on its joint so far", what);
}

static lim_code check_scope(const lim_model *m, lim_error *err) {
  if (m->links.count > 1)
    return lim_tree_error(
        err, m->links.item[1].head.node,
        "link '%s' is the second of %d: static and modes treat a single link on its joint so far",
        m->links.item[1].head.name, m->links.count);
  if (m->loops.count) return refuse(err, &m->loops.item[0].head, "a loop");
  if (m->springs.count) return refuse(err, &m->springs.item[0].head, "a spring");
  if (m->bushings.count) return refuse(err, &m->bushings.item[0].head, "a bushing");
  if (m->links.item[0].joint.slide.head.node)
    return refuse(err, &m->links.item[0].joint.slide.head, "a sliding beam");
  const lim_drive *drive = lim_model_drive(m, 0);
  if (drive && drive->type == LIM_DRIVE_MOTOR) return refuse(err, &drive->head, "a motor");
  return LIM_OK;
}

// --- joint ---

// The joint's freedoms as motions of the link's frame.
static lim_code freedoms(lim_one_link *a, lim_error *err) {
  const lim_joint *j = &a->link->joint;
  if (j->type == LIM_FREE)
    for (int i = 0; i < 6; i++)
      if (a->keep[i]) a->freedom[a->nfree++][i] = 1;
  if (j->type != LIM_REVOLUTE && j->type != LIM_PRISMATIC) return LIM_OK;
  int first = j->type == LIM_REVOLUTE ? 3 : 0;
  for (int i = 0; i < 3; i++) {
    if (!a->keep[first + i] && fabs(j->axis[i]) > 1e-9)
      return lim_tree_error(err, j->head.node ? j->head.node : a->link->head.node,
                            "joint '%s': the motion along its axis leads out of the model's plane",
                            j->head.name);
    a->freedom[0][first + i] = j->axis[i];
  }
  a->nfree = 1;
  return LIM_OK;
}

// Servo compliance: given, or by the design rule k = J (pi f0)^2, d = 2 sqrt(J k).
static void servo(lim_one_link *a) {
  const lim_drive *d = lim_model_drive(a->model, 0);
  if (!d || d->type != LIM_DRIVE_SERVO) return;
  bool rule = isnan(d->stiffness);
  a->stiffness = rule ? d->inertia * (M_PI * d->frequency) * (M_PI * d->frequency) : d->stiffness;
  a->damping = !isnan(d->damping) ? d->damping : rule ? 2 * sqrt(d->inertia * a->stiffness) : 0;
}

// --- loads ---

static void add_load(lim_one_link *a, double at, const double offset[3], const double force[3],
                     const double moment[3]) {
  lim_point_load *p = &a->load[a->nload];
  memcpy(a->offset[a->nload], offset, 3 * sizeof *offset);
  a->nload++;
  p->at = at;
  lim_cross(p->moment, offset, force);
  for (int i = 0; i < 3; i++) {
    p->force[i] = force[i];
    p->moment[i] += moment[i];
  }
}

static lim_carried carried_spot(const lim_one_link *a, const lim_spot *spot) {
  lim_carried c = {.name = spot->ref.text, .link = spot->link, .fraction = spot->kind == LIM_AT_TIP};
  if (spot->kind != LIM_AT_FRAME) return c;
  const lim_frame *f = &a->model->frames.item[spot->frame];
  c.fraction = f->at.value;
  memcpy(c.xyz, f->xyz, sizeof c.xyz);
  return c;
}

// out = R' v without what rounding of the angles leaves in directions across v
static void turn_back(double out[3], const double R[9], const double v[3]) {
  lim_rotate_back(out, R, v);
  for (int i = 0; i < 3; i++)
    if (fabs(out[i]) < 1e-15 * sqrt(lim_dot(v, v))) out[i] = 0;
}

static void to_link_axes(double out[3], const lim_one_link *a, const lim_load *load, const double v[3]) {
  if (load->axes)
    memcpy(out, v, 3 * sizeof *v);
  else
    turn_back(out, a->R, v);
}

static lim_code one_load(lim_one_link *a, const lim_load *load, lim_error *err) {
  double factor = 1, force[3], moment[3];
  if (load->from > 0) return LIM_OK; // not yet there at t = 0
  if (load->factor.list.count) {
    const lim_profile *p = &load->factor.list.item[0];
    if (p->kind != LIM_CONSTANT || load->factor.list.count > 1)
      return refuse(err, &load->head, "a load whose factor is not constant");
    factor = p->value;
  }
  to_link_axes(force, a, load, load->force);
  to_link_axes(moment, a, load, load->moment);
  for (int i = 0; i < 3; i++) {
    force[i] *= factor;
    moment[i] *= factor;
  }
  if (load->along.text) {
    for (int i = 0; i < 3; i++) a->q[i] += force[i];
    return LIM_OK;
  }
  lim_carried c = carried_spot(a, &load->at);
  if (c.link == 0) add_load(a, c.fraction, c.xyz, force, moment);
  return LIM_OK;
}

// A planar arm carries what acts across its plane without moving.
static void drop_out_of_plane(lim_one_link *a) {
  for (int i = 0; i < 3; i++) {
    if (!a->keep[i]) a->gravity[i] = a->q[i] = 0;
    for (int k = 0; k < a->nload; k++) {
      if (!a->keep[i]) a->load[k].force[i] = 0;
      if (!a->keep[3 + i]) a->load[k].moment[i] = 0;
    }
  }
}

static lim_code loads(lim_one_link *a, lim_error *err) {
  const lim_link *link = a->link;
  int room = link->masses.count + a->model->loads.count;
  a->load = lim_arena_array(&a->arena, (size_t)room, sizeof *a->load);
  a->offset = lim_arena_array(&a->arena, (size_t)room, sizeof *a->offset);
  if (!a->load || !a->offset) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  turn_back(a->gravity, a->R, a->model->gravity);
  const double zero[3] = {0};
  for (int i = 0; i < link->masses.count; i++) {
    const lim_mass *x = &link->masses.item[i];
    double weight[3] = {x->mass * a->gravity[0], x->mass * a->gravity[1], x->mass * a->gravity[2]};
    add_load(a, x->at.value, x->xyz, weight, zero);
  }
  for (int i = 0; i < a->model->loads.count; i++) {
    lim_code code = one_load(a, &a->model->loads.item[i], err);
    if (code != LIM_OK) return code;
  }
  drop_out_of_plane(a);
  return LIM_OK;
}

// --- inertia ---

// I += mass at r with inertia J about it, as seen from the link's frame.
static void add_inertia(double I[36], double mass, const double r[3], const double J[6]) {
  const double skew[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
  const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double square = 0; // (r~ r~')_ij
      for (int k = 0; k < 3; k++) square += skew[3 * i + k] * skew[3 * j + k];
      I[6 * i + j] += i == j ? mass : 0;
      I[6 * (3 + i) + j] += mass * skew[3 * i + j];
      I[6 * i + 3 + j] += mass * skew[3 * j + i];
      I[6 * (3 + i) + 3 + j] += full[3 * i + j] + mass * square;
    }
}

void lim_one_link_inertia(double I[36], const lim_one_link *a) {
  memset(I, 0, 36 * sizeof *I);
  const lim_link *link = a->link;
  if (link->body.head.node) add_inertia(I, link->body.mass, link->body.com, link->body.inertia);
  for (int i = 0; !a->mesh && i < link->masses.count; i++) {
    const lim_mass *x = &link->masses.item[i];
    double r[3];
    lim_pose_along(r, a->link, x->at.value);
    for (int k = 0; k < 3; k++) r[k] += x->xyz[k];
    add_inertia(I, x->mass, r, x->inertia);
  }
  if (!a->mesh) return;
  lim_arena scratch = {0};
  double *field = lim_arena_array(&scratch, 6 * (size_t)a->mesh->ndof, sizeof *field);
  for (int i = 0; field && i < 6; i++) {
    double v[3] = {0}, w[3] = {0};
    *(i < 3 ? &v[i] : &w[i - 3]) = 1;
    lim_mesh_rigid_field(field + (size_t)i * (size_t)a->mesh->ndof, a->mesh, v, w);
  }
  for (int i = 0; field && i < 36; i++)
    I[i] = lim_band_product(a->M, field + (size_t)(i / 6) * (size_t)a->mesh->ndof,
                            field + (size_t)(i % 6) * (size_t)a->mesh->ndof);
  lim_arena_free(&scratch);
}

void lim_one_link_resultant(double f[6], const lim_one_link *a) {
  double I[36];
  lim_one_link_inertia(I, a); // weight: I times the acceleration of gravity
  for (int i = 0; i < 6; i++)
    f[i] = I[6 * i] * a->gravity[0] + I[6 * i + 1] * a->gravity[1] + I[6 * i + 2] * a->gravity[2];
  if (a->mesh)
    for (int i = 0; i < 3; i++) f[i] += a->q[i] * a->mesh->length;
  if (a->mesh) { // q acts at half the length
    f[4] -= a->q[2] * a->mesh->length * a->mesh->length / 2;
    f[5] += a->q[1] * a->mesh->length * a->mesh->length / 2;
  }
  for (int i = a->link->masses.count; i < a->nload; i++) { // weights of masses are in I
    double x[3], arm[3];
    lim_pose_along(x, a->link, a->load[i].at);
    lim_cross(arm, x, a->load[i].force);
    for (int k = 0; k < 3; k++) {
      f[k] += a->load[i].force[k];
      f[3 + k] += arm[k] + a->load[i].moment[k];
    }
  }
  for (int i = 0; i < 6; i++)
    if (!a->keep[i]) f[i] = 0;
}

static void add_outer(double S[9], const double F[3], const double r[3]) {
  for (int i = 0; i < 9; i++) S[i] += F[i / 3] * r[i % 3];
}

void lim_one_link_virial(double S[9], const lim_one_link *a) {
  double I[36];
  lim_one_link_inertia(I, a);
  memset(S, 0, 9 * sizeof *S);
  add_outer(S, a->gravity, (double[3]){I[31], I[20], I[24]}); // mass times centre
  if (a->mesh) add_outer(S, a->q, (double[3]){a->mesh->length * a->mesh->length / 2, 0, 0});
  for (int i = a->link->masses.count; i < a->nload; i++) { // weights of masses are in I
    double r[3];
    lim_pose_along(r, a->link, a->load[i].at);
    for (int k = 0; k < 3; k++) r[k] += a->offset[i][k];
    add_outer(S, a->load[i].force, r);
  }
}

// --- set-up ---

static lim_code mesh(lim_one_link *a, lim_error *err) {
  const lim_beam *beam = &a->link->beam;
  if (!beam->head.node) return LIM_OK;
  lim_code code = lim_mesh_new(&a->mesh, a->model, 0, (lim_stretch){0, beam->length, beam->elements}, err);
  if (code != LIM_OK) return code;
  a->M = lim_band_new(&a->arena, a->mesh->M.n, a->mesh->M.width);
  if (!a->M.a) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_band_copy(a->M, a->mesh->M);
  for (int i = 0; i < a->link->masses.count; i++) {
    const lim_mass *x = &a->link->masses.item[i];
    lim_mesh_add_mass(a->M, a->mesh, x->at.value, x->mass, x->xyz, x->inertia);
  }
  return LIM_OK;
}

lim_code lim_one_link_start(lim_one_link *a, const lim_model *model, lim_error *err) {
  *a = (lim_one_link){.model = model, .link = &model->links.item[0]};
  lim_code code = check_scope(model, err);
  if (code != LIM_OK) return code;
  lim_place_in_world pose;
  lim_pose_links(&pose, model);
  memcpy(a->R, pose.R, sizeof a->R);
  memcpy(a->origin, pose.p, sizeof a->origin);
  servo(a);
  if (!lim_pose_keep(a->keep, a->R, model->planar))
    code = lim_tree_error(err, a->link->head.node,
                          "link '%s': the plane of the model is not the link's own x-y or x-z plane",
                          a->link->head.name);
  if (code == LIM_OK) code = freedoms(a, err);
  if (code == LIM_OK) code = mesh(a, err);
  if (code == LIM_OK) code = loads(a, err);
  return code;
}

void lim_one_link_free(lim_one_link *a) {
  lim_mesh_free(a->mesh);
  lim_arena_free(&a->arena);
}

lim_carried *lim_one_link_frames(const lim_one_link *a, lim_arena *arena, int *count) {
  const char *link = a->link->head.name;
  int n = 0, room = 3 + a->model->frames.count;
  lim_carried *f = lim_arena_array(arena, (size_t)room, sizeof *f);
  char *names = lim_arena_take(arena, 2 * strlen(link) + 16);
  if (!f || !names) return NULL;
  char *tip = names + sprintf(names, "%s.base", link) + 1;
  sprintf(tip, "%s.tip", link);
  f[n++] = (lim_carried){.name = "tip", .fraction = 1};
  f[n++] = (lim_carried){.name = names};
  f[n++] = (lim_carried){.name = tip, .fraction = 1};
  for (int i = 0; i < a->model->frames.count; i++) {
    const lim_frame *x = &a->model->frames.item[i];
    int to = !strcmp(x->head.name, "tip") ? 0 : n++;
    f[to] = (lim_carried){.name = x->head.name, .link = x->on.index, .fraction = x->at.value};
    memcpy(f[to].xyz, x->xyz, sizeof x->xyz);
  }
  *count = n;
  return f;
}
