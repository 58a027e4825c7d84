// static.c - an arm at rest: its equilibrium, and what follows from it. Theory: docs/theory/statics.md.
#include "analysis/static.h"

#include "analysis/equilibrium.h"
#include "analysis/inner.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "system/kinematics.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  lim_arm a;
  const lim_model *full;              // the model with all coordinates of its meshes
  double *unloaded;                   // the arm before it is loaded   (n)
  lim_motion_in_world *body, *before; // loaded, and unloaded          (nbody)
  lim_inner *inner;                   // (nbody)
  double *needed;                     // efforts that hold it          (n)
} rest;

// --- frames and joints ---

static lim_static_frame frame_result(const rest *r, const lim_named_site *x) {
  const lim_system *s = r->a.s;
  lim_static_frame f = {.name = x->name};
  int b = x->site.body;
  lim_motion_in_world now = lim_kinematics_site(s, &x->site, b < 0 ? NULL : &r->body[b], r->a.q, NULL, NULL),
                      then = lim_kinematics_site(s, &x->site, b < 0 ? NULL : &r->before[b], r->unloaded, NULL,
                                                 NULL);
  double back[9], turn[9];
  for (int i = 0; i < 3; i++) {
    f.position[i] = now.p[i];
    f.displacement[i] = now.p[i] - then.p[i];
    for (int j = 0; j < 3; j++) back[3 * i + j] = then.R[3 * j + i];
  }
  lim_mat3_product(turn, now.R, back);
  lim_rotation_vector(f.rotation, turn);
  return f;
}

// What acts across the plane of a planar model is carried without effect.
static void keep_in_plane(double force[3], double moment[3], int plane) {
  static const int normal[] = {[LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  if (plane == LIM_SPATIAL) return;
  for (int i = 0; i < 3; i++) *(i == normal[plane] ? &force[i] : &moment[i]) = 0;
}

static lim_static_joint joint_result(const rest *r, int link) {
  const lim_joint *joint = &r->full->links.item[link].joint;
  int body = r->a.s->first_body[link];
  lim_static_joint j = {.name = joint->head.name, .slides = joint->type == LIM_PRISMATIC};
  double F[3], N[3];
  lim_rec_reaction(F, N, r->a.e->w, body);
  const lim_member *b = &r->a.s->member[body];
  if (b->q >= 0) j.effort = b->slide ? r->needed[b->q] : lim_dot(joint->axis, j.slides ? F : N);
  lim_rotate(j.force, r->body[body].R, F);
  lim_rotate(j.moment, r->body[body].R, N);
  keep_in_plane(j.force, j.moment, r->full->planar);
  return j;
}

// --- links ---

static double stress_at(const lim_mesh *mesh, const lim_inner *x, lim_point p) {
  const lim_element *e = &mesh->element[p.element];
  lim_section_force f = lim_beam_element_force(mesh, x->u, &x->load, p);
  return lim_section_mises(e->from, e->to, e->f0 + p.s * (e->f1 - e->f0), e->nu, f);
}

// Sought at both ends of every element and at three places between (a distributed load may have its largest
// moment there, a tapered piece its largest stress), and on both sides of concentrated loads. NaN: not known.
static double largest_stress(const lim_mesh *mesh, const lim_inner *x) {
  double largest = 0;
  int inside = 5 * mesh->nelement;
  for (int i = 0; i < inside + 2 * x->load.npoint; i++) {
    lim_point p = {i / 5, 0.25 * (i % 5)};
    if (i >= inside) p = lim_mesh_point(mesh, x->load.point[(i - inside) / 2].at);
    if (i >= inside && (i - inside) % 2) p.s = fmin(nextafter(p.s, 2), 1);
    double stress = stress_at(mesh, x, p);
    if (isnan(stress)) return NAN;
    largest = fmax(largest, stress);
  }
  return largest;
}

// Largest rotation of a node against its body's frame; u (ndof) is scratch.
static double largest_turn(const lim_member *b, const double *q, double *u) {
  double largest = 0;
  lim_shapes_expand(u, b->shapes, q + b->e);
  for (int k = 0; k < b->mesh->nnode; k++) largest = fmax(largest, sqrt(lim_dot(u + 6 * k + 3, u + 6 * k + 3)));
  return largest;
}

// Of a beam that slides: forces at places of its free length, from its curvatures.
static lim_section_force sliding_force(const lim_member *b, const double *q, double place) {
  lim_section_force none = {0};
  size_t n = (size_t)b->slide->n;
  double *rows = calloc(6 * n + 1, sizeof *rows);
  if (!rows || n == 0) {
    free(rows);
    return none;
  }
  lim_sliding_strains(rows, b->slide, place);
  lim_section_force f = lim_sliding_force(b->slide, rows, q + b->e, q[b->q]);
  free(rows);
  return f;
}

static void sliding_result(lim_static_link *out, const lim_member *b, const double *q) {
  const lim_element *e = &b->mesh->element[0];
  for (int k = 0; k <= 4 * b->mesh->nelement; k++) {
    lim_section_force f = sliding_force(b, q, k / (4.0 * b->mesh->nelement));
    double stress = lim_section_mises(e->from, e->to, 0, e->nu, f);
    out->stress = isnan(stress) || isnan(out->stress) ? NAN : fmax(out->stress, stress);
  }
}

static lim_static_link link_result(rest *r, int link, double *scratch) {
  const lim_system *s = r->a.s;
  lim_static_link out = {.name = r->full->links.item[link].head.name};
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) {
    if (s->member[i].slide) {
      sliding_result(&out, &s->member[i], r->a.q);
      continue;
    }
    double stress = largest_stress(s->member[i].mesh, &r->inner[i]);
    out.stress = isnan(stress) || isnan(out.stress) ? NAN : fmax(out.stress, stress);
    out.turn = fmax(out.turn, largest_turn(&s->member[i], r->a.q, scratch));
  }
  return out;
}

static lim_static_gauge gauge_result(const rest *r, int link, const lim_gauge *g) {
  double at;
  int body = lim_inner_body(&at, r->a.s, link, g->at.value);
  const lim_mesh *mesh = r->a.s->member[body].mesh;
  lim_section_data s = lim_mesh_section(mesh, at);
  double sign = g->face == LIM_FACE_PY || g->face == LIM_FACE_PZ ? 0.5 : -0.5;
  bool on_y = g->face == LIM_FACE_PY || g->face == LIM_FACE_NY;
  const lim_member *b = &r->a.s->member[body];
  lim_section_force f = b->slide ? sliding_force(b, r->a.q, at)
                                 : lim_beam_section_force(mesh, r->inner[body].u, &r->inner[body].load, at);
  lim_static_gauge out = {.link = r->full->links.item[link].head.name, .name = g->head.name};
  out.strain = lim_beam_strain(mesh, at, f, on_y ? sign * s.y : 0, on_y ? 0 : sign * s.z);
  if (!(on_y ? s.y > 0 : s.z > 0)) out.strain = NAN; // a general section without an outline
  out.stress = out.strain * mesh->element[0].E;
  return out;
}

// --- everything ---

static bool take_results(lim_static *out, const rest *r) {
  size_t gauges = 0, links = (size_t)r->full->links.count;
  for (int i = 0; i < r->full->links.count; i++) gauges += (size_t)r->full->links.item[i].gauges.count;
  return (out->frames.item = lim_arena_array(&out->arena, (size_t)r->a.s->nsite, sizeof *out->frames.item)) &&
         (out->joints.item = lim_arena_array(&out->arena, links, sizeof *out->joints.item)) &&
         (out->links.item = lim_arena_array(&out->arena, links, sizeof *out->links.item)) &&
         (out->gauges.item = lim_arena_array(&out->arena, gauges, sizeof *out->gauges.item));
}

// Names of frames are the system's, which goes.
static const char *own_name(lim_static *out, const char *name) {
  return lim_arena_text(&out->arena, name, strlen(name));
}

static lim_code fill(lim_static *out, rest *r, double *scratch, lim_error *err) {
  const lim_system *s = r->a.s;
  if (!take_results(out, r)) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < s->nsite; i++) {
    lim_static_frame f = frame_result(r, &s->site[i]);
    if (!(f.name = own_name(out, f.name))) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
    out->frames.item[out->frames.count++] = f;
  }
  for (int i = 0; i < r->full->links.count; i++) {
    const lim_link *link = &r->full->links.item[i];
    out->joints.item[out->joints.count++] = joint_result(r, i);
    if (!link->beam.head.node) continue;
    out->links.item[out->links.count++] = link_result(r, i, scratch);
    for (int k = 0; k < link->gauges.count; k++)
      out->gauges.item[out->gauges.count++] = gauge_result(r, i, &link->gauges.item[k]);
  }
  return LIM_OK;
}

// The arm at rest: its coordinates, motion of its bodies and forces in them.
static lim_code settle(rest *r, double **scratch, lim_error *err) {
  const lim_system *s = r->a.s;
  lim_arena *arena = &r->a.arena;
  size_t nb = (size_t)s->nbody, n = (size_t)s->n, ndof = 0;
  for (int i = 0; i < s->nbody; i++)
    if (s->member[i].mesh && (size_t)s->member[i].mesh->ndof > ndof) ndof = (size_t)s->member[i].mesh->ndof;
  r->unloaded = lim_arena_array(arena, 2 * n, sizeof *r->unloaded);
  r->needed = lim_arena_array(arena, n, sizeof *r->needed);
  r->body = lim_arena_array(arena, 2 * nb, sizeof *r->body);
  r->inner = lim_arena_array(arena, nb, sizeof *r->inner);
  *scratch = lim_arena_array(arena, ndof, sizeof **scratch);
  if (!r->unloaded || !r->body || !r->inner || !*scratch || !r->needed)
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  r->before = r->body + nb;
  memcpy(r->unloaded, r->a.q, n * sizeof *r->unloaded);
  lim_code code = lim_equilibrium(r->a.q, r->a.e, 0, err);
  if (code != LIM_OK) return code;
  lim_equations_rest(r->needed, r->a.e, 0, r->a.q, r->unloaded + n, r->unloaded + n);
  lim_kinematics(r->body, s, r->a.q, NULL, NULL);
  lim_kinematics(r->before, s, r->unloaded, NULL, NULL);
  return lim_inner_all(r->inner, arena, &r->a, r->a.q, r->unloaded + n, err);
}

// All coordinates of the meshes but of rigid links; damping does not matter at rest.
static lim_code full_model(lim_model *out, const lim_model *model, lim_arena *arena, lim_error *err) {
  *out = *model;
  out->damping = (lim_damping){.ratio = 0};
  out->links.item = lim_arena_array(arena, (size_t)model->links.count, sizeof *out->links.item);
  if (!out->links.item) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < model->links.count; i++) {
    lim_link *link = &out->links.item[i];
    *link = model->links.item[i];
    link->damping = (lim_damping){.ratio = 0};
    if (link->basis.type != LIM_BASIS_RIGID) link->basis.type = LIM_BASIS_FULL;
  }
  return LIM_OK;
}

static lim_code run(lim_static *out, const lim_model *model, const char *directory, lim_error *err) {
  lim_model *full = lim_arena_take(&out->arena, sizeof *full);
  lim_code code =
      full ? full_model(full, model, &out->arena, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code != LIM_OK) return code;
  rest r = {.full = full};
  double *scratch = NULL;
  code = lim_arm_start(&r.a, full, directory, err);
  if (code == LIM_OK) code = settle(&r, &scratch, err);
  if (code == LIM_OK) code = fill(out, &r, scratch, err);
  out->arm = r.a;
  out->unloaded = r.unloaded;
  out->inner = r.inner;
  return code;
}

lim_code lim_static_new(lim_static **out, const lim_model *model, const char *directory, lim_error *err) {
  *out = NULL;
  lim_static *result = calloc(1, sizeof *result);
  if (!result) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = run(result, model, directory, err);
  if (code == LIM_OK)
    *out = result;
  else
    lim_static_free(result);
  return code;
}

void lim_static_free(lim_static *s) {
  if (!s) return;
  lim_arm_end(&s->arm);
  lim_arena_free(&s->arena);
  free(s);
}
