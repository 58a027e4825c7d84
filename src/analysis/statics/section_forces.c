// section_forces.c - what acts on each body, gathered from gravity, motion, masses, loads and neighbours; then
// the clamped beam under it. Theory: docs/theory/statics.md (6), (7).
#include "analysis/statics/section_forces.h"

#include "arm/body/kind.h"
#include "arm/loop.h"
#include "arm/pose.h"
#include "arm/rail.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const lim_rest *a;
  const lim_arm *s;
  const double *q;
  lim_world_motion *motion; // of the bodies   (nbody)
  int body;                 // the one at hand
  bool keep[6];             // its nodal coordinates within the model's plane
  double *now;              // its nodal displacements as they are   (ndof)
  lim_point_load *point;
  int npoint;
  double along[3]; // load per length
} gathering;

// --- forces on one body ---

// A force and moment, world axes, about the section at a place of the body's own axis.
static void add_point(gathering *g, double at, const double force[3], const double moment[3]) {
  lim_point_load *p = &g->point[g->npoint++];
  const double *R = g->motion[g->body].R;
  p->at = fmin(fmax(at / g->s->bodies[g->body].mesh->length, 0), 1);
  lim_rotate_back(p->force, R, force);
  lim_rotate_back(p->moment, R, moment);
  for (int i = 0; i < 3; i++) {
    if (!g->keep[i]) p->force[i] = 0;
    if (!g->keep[3 + i]) p->moment[i] = 0;
  }
}

// Moment about the section of a site of a force that acts at a point, world axes.
static void lever(double moment[3], const gathering *g, lim_site section, const double at[3],
                  const double force[3]) {
  memset(section.c, 0, sizeof section.c);
  lim_world_motion x = lim_kinematics_site(g->s, &section, &g->motion[g->body], g->q, NULL, NULL);
  double arm[3] = {at[0] - x.p[0], at[1] - x.p[1], at[2] - x.p[2]};
  lim_cross(moment, arm, force);
}

// Gravity less the acceleration of a place x of the body, both in its axes.
static void body_force(double out[3], const gathering *g, const double x[3]) {
  const lim_world_motion *m = &g->motion[g->body];
  double world[3], w[3], alpha[3], wx[3], wwx[3], ax[3];
  for (int i = 0; i < 3; i++) world[i] = g->s->gravity[i] - m->a[i];
  lim_rotate_back(out, m->R, world);
  lim_rotate_back(w, m->R, m->w);
  lim_rotate_back(alpha, m->R, m->alpha);
  lim_cross(wx, w, x);
  lim_cross(wwx, w, wx);
  lim_cross(ax, alpha, x);
  for (int i = 0; i < 3; i++) out[i] = g->keep[i] ? out[i] - wwx[i] - ax[i] : 0;
}

static void add_masses(gathering *g) {
  const lim_arm_body *b = &g->s->bodies[g->body];
  const lim_link *link = &g->s->model->links.item[b->link];
  for (int i = 0; i < link->masses.count; i++) {
    const lim_mass *m = &link->masses.item[i];
    double fraction, d[6], turn[3], x[3];
    if (lim_arm_segment(&fraction, g->s, b->link, m->at.value) != g->body) continue;
    lim_mesh_displacement(d, b->mesh, g->now, fraction);
    lim_cross(turn, d + 3, m->xyz);
    for (int k = 0; k < 3; k++) x[k] = (k == 0) * fraction * b->mesh->length + d[k] + m->xyz[k] + turn[k];
    lim_point_load *p = &g->point[g->npoint++];
    p->at = fraction;
    body_force(p->force, g, x);
    for (int k = 0; k < 3; k++) p->force[k] *= m->mass;
    lim_cross(p->moment, m->xyz, p->force);
    for (int k = 0; k < 3; k++)
      if (!g->keep[3 + k]) p->moment[k] = 0;
  }
}

// Loads at frames are concentrated; those along the link have been cut into forces that are joined here again.
static void add_loads(gathering *g) {
  const lim_equations *e = g->a->e;
  for (int i = 0; i < e->inputs->nload; i++) {
    const lim_wrench *w = &e->wrench[i];
    if (w->site.body != g->body) continue;
    lim_world_motion x = lim_kinematics_site(g->s, &w->site, &g->motion[g->body], g->q, NULL, NULL);
    double section[9], force[3], moment[3], turn[3];
    for (int k = 0; k < 9; k++) section[k] = lim_dot(x.R + 3 * (k / 3), w->site.Rc + 3 * (k % 3));
    memcpy(force, w->force, sizeof force);
    memcpy(moment, w->moment, sizeof moment);
    if (w->follows) {
      lim_rotate(force, section, w->force);
      lim_rotate(moment, section, w->moment);
    }
    if (e->inputs->load[i].load->along.text) {
      double own[3];
      lim_rotate_back(own, g->motion[g->body].R, force);
      for (int k = 0; k < 3; k++) g->along[k] += g->keep[k] ? own[k] / g->s->bodies[g->body].mesh->length : 0;
      continue;
    }
    lever(turn, g, w->site, x.p, force);
    for (int k = 0; k < 3; k++) moment[k] += turn[k];
    add_point(g, w->site.section.X[0], force, moment);
  }
}

// Springs and bushings.
static void add_bonds(gathering *g) {
  const lim_equations *e = g->a->e;
  for (int i = 0; i < e->inputs->spring_elements.count; i++) {
    const lim_spring_element *b = &e->inputs->spring_elements.spring[i];
    lim_world_motion at[2];
    for (int k = 0; k < 2; k++) at[k] = lim_kinematics_at(g->s, &b->site[k], g->motion, g->q, NULL, NULL);
    lim_spring_state x = lim_spring_evaluate(b, &at[0], &at[1], e->length + 2 * i);
    for (int k = 0; k < 2; k++) {
      if (b->site[k].body != g->body) continue;
      double force[3], moment[3], turn[3], sign = k ? -1 : 1;
      for (int c = 0; c < 3; c++) force[c] = sign * x.F[c];
      lever(turn, g, b->site[k], at[0].p, force);
      for (int c = 0; c < 3; c++) moment[c] = sign * x.N[c] + turn[c];
      add_point(g, b->site[k].section.X[0], force, moment);
    }
  }
}

// On the beam of a loop on a rail, where the frame is.
static void add_rail(gathering *g, const lim_closure *c, const lim_world_motion *frame, const double F[3]) {
  static const double none[3] = {0};
  const lim_rail_point x = lim_rail_beside(g->s, c->rail, g->motion, frame, g->q, NULL, NULL);
  const double force[3] = {-F[0], -F[1], -F[2]};
  if (x.body == g->body) add_point(g, x.s - g->s->bodies[x.body].start, force, none);
}

// Contacts, at their points in the plane.
static void add_contacts(gathering *g) {
  const lim_equations *e = g->a->e;
  for (int i = 0; i < e->inputs->contacts.count; i++) {
    const lim_contact_element *c = &e->inputs->contacts.item[i];
    lim_world_motion at[2];
    for (int k = 0; k < 2; k++) at[k] = lim_kinematics_at(g->s, &c->site[k], g->motion, g->q, NULL, NULL);
    const lim_contact_moment x =
        lim_contact_evaluate(c, &e->contact[i], &at[0], &at[1], c->row < 0 ? NULL : e->lambda + c->row);
    for (int k = 0; k < 2; k++) {
      if (c->site[k].body != g->body) continue;
      double force[3], moment[3];
      for (int d = 0; d < 3; d++) force[d] = k ? -x.force[d] : x.force[d];
      lever(moment, g, c->site[k], x.point, force);
      add_point(g, c->site[k].section.X[0], force, moment);
    }
  }
}

// What closes loops.
static void add_loops(gathering *g) {
  for (int i = 0; i < g->s->nloop; i++) {
    const lim_closure *loop = &g->s->loop[i];
    const lim_site *site = loop->site;
    lim_world_motion at[2];
    double F[3], N[3];
    lim_loop_ends(at, g->s, loop, g->motion, g->q, NULL, NULL);
    lim_loop_wrench(F, N, g->s, i, g->a->e->lambda, &at[0], &at[1]);
    if (loop->rail) add_rail(g, loop, &at[0], F);
    for (int k = 0; k < 2 - (loop->rail != NULL); k++) {
      if (site[k].body != g->body) continue;
      double force[3], moment[3], turn[3], sign = k ? -1 : 1;
      for (int c = 0; c < 3; c++) force[c] = sign * F[c];
      lever(turn, g, site[k], at[0].p, force);
      for (int c = 0; c < 3; c++) moment[c] = sign * N[c] + turn[c];
      add_point(g, site[k].section.X[0], force, moment);
    }
  }
}

// Minus what the body exerts on those that hang on it.   (6)
static void add_children(gathering *g) {
  for (int i = g->body + 1; i < g->s->nbody; i++) {
    const lim_arm_body *b = &g->s->bodies[i];
    const lim_site *on = lim_arm_on_at(b, g->q);
    if (on->body != g->body) continue;
    const double X = b->nspan ? g->q[b->q] - g->s->bodies[g->body].start : on->section.X[0];
    double F[3], N[3], force[3], moment[3], turn[3];
    lim_rec_reaction(F, N, g->a->e->w, i);
    lim_rotate(force, g->motion[i].R, F);
    lim_rotate(moment, g->motion[i].R, N);
    lever(turn, g, *on, g->motion[i].p, force);
    for (int k = 0; k < 3; k++) {
      force[k] = -force[k];
      moment[k] = -moment[k] - turn[k];
    }
    add_point(g, X, force, moment);
  }
}

// Nodal field of gravity less acceleration.
static void fill_field(double *field, const gathering *g) {
  const lim_mesh *mesh = g->s->bodies[g->body].mesh;
  double alpha[3];
  lim_rotate_back(alpha, g->motion[g->body].R, g->motion[g->body].alpha);
  for (int k = 0; k < mesh->nnode; k++) {
    double x[3] = {mesh->x[k] + g->now[6 * k], g->now[6 * k + 1], g->now[6 * k + 2]};
    body_force(field + 6 * k, g, x);
    for (int i = 0; i < 3; i++) field[6 * k + 3 + i] = g->keep[3 + i] ? -alpha[i] : 0;
  }
}

// --- the clamped beam ---

// Rows and columns of coordinates outside the model's plane become those of the unit matrix.
static void hold_out_of_plane(lim_band K, double *p, const bool keep[6]) {
  for (int i = 0; i < K.n; i++) {
    if (keep[i % 6]) continue;
    for (int j = i - K.width; j <= i + K.width; j++)
      if (j >= 0 && j < K.n) lim_band_add(K, i, j, -lim_band_get(K, i, j));
    lim_band_add(K, i, i, 1);
    p[i] = 0;
  }
}

// (K + Kg(N)) u = p, first node fixed; N (3 nelement): axial forces of the elements, or NULL   (7)
static lim_code solve(double *u, lim_arena *arena, const lim_mesh *mesh, const lim_beam_load *load,
                      const double *N, const bool keep[6], lim_error *err) {
  lim_band K = lim_band_new(arena, mesh->ndof, mesh->K.width);
  if (!K.a) return lim_no_memory(err);
  memset(u, 0, (size_t)mesh->ndof * sizeof *u);
  lim_beam_add_load(u, mesh, load);
  lim_band_copy(K, mesh->K);
  if (N) lim_mesh_add_geometric(K, mesh, N);
  lim_band clamped = lim_band_tail(K, 6);
  hold_out_of_plane(clamped, u + 6, keep);
  memset(u, 0, 6 * sizeof *u);
  lim_code code = lim_band_factor(clamped, err);
  if (code == LIM_OK) lim_band_solve(clamped, u + 6, 1);
  return code;
}

static int room_for_points(const gathering *g) {
  return g->a->inputs->nload +
         2 * (g->a->inputs->spring_elements.count + g->a->inputs->contacts.count + g->s->nloop) + g->s->nbody +
         g->s->model->links.item[g->s->bodies[g->body].link].masses.count;
}

static lim_code gather(lim_section_forces *out, gathering *g, lim_arena *arena, lim_error *err) {
  const lim_arm_body *b = &g->s->bodies[g->body];
  size_t ndof = (size_t)b->mesh->ndof;
  double *field = lim_arena_array(arena, 3 * ndof, sizeof *field);
  g->point = lim_arena_array(arena, (size_t)room_for_points(g), sizeof *g->point);
  if (!field || !g->point) return lim_no_memory(err);
  out->u = field + ndof;
  g->now = field + 2 * ndof;
  g->npoint = 0;
  memset(g->along, 0, sizeof g->along);
  lim_pose_keep(g->keep, g->motion[g->body].R, g->s->model->planar);
  lim_basis_matrix_expand(g->now, b->shapes, g->q + b->e);
  fill_field(field, g);
  add_masses(g);
  add_loads(g);
  add_bonds(g);
  add_contacts(g);
  add_loops(g);
  add_children(g);
  out->load = (lim_beam_load){.field = field, .point = g->point, .npoint = g->npoint};
  memcpy(out->load.q, g->along, sizeof g->along);
  lim_code code = solve(out->u, arena, b->mesh, &out->load, NULL, g->keep, err);
  if (code != LIM_OK || !g->s->model->solver.stiffening || b->body->n == 0) return code;
  double *N = lim_arena_array(arena, 3 * (size_t)b->mesh->nelement, sizeof *N);
  if (!N) return lim_no_memory(err);
  lim_beam_axial_force(N, b->mesh, out->u, &out->load);
  return solve(out->u, arena, b->mesh, &out->load, N, g->keep, err);
}

lim_code lim_section_forces_all(lim_section_forces *out, lim_arena *arena, const lim_rest *a, const double *q,
                                const double *v, lim_error *err) {
  gathering g = {.a = a, .s = a->s, .q = q};
  g.motion = lim_arena_array(arena, (size_t)a->s->nbody, sizeof *g.motion);
  if (!g.motion) return lim_no_memory(err);
  lim_kinematics(g.motion, a->s, q, v, NULL);
  lim_code code = LIM_OK;
  for (g.body = 0; g.body < a->s->nbody && code == LIM_OK; g.body++) {
    out[g.body] = (lim_section_forces){.u = NULL};
    if (a->s->bodies[g.body].mesh->nelement) code = gather(&out[g.body], &g, arena, err);
  }
  return code;
}

// Of a body that knows them by its strains.
static lim_section_force by_strains(const lim_arm_body *b, const double *q, double place) {
  lim_section_force f = {0};
  double *rows = calloc(6 * (size_t)b->body->n + 1, sizeof *rows);
  if (rows && b->body->n) {
    b->kind->strains(rows, b, place);
    f = b->kind->force(b, rows, q);
  }
  free(rows);
  return f;
}

lim_section_force lim_section_forces_at(const lim_section_forces *all, const lim_arm *s, int body, double at,
                                        const double *q) {
  const lim_arm_body *b = &s->bodies[body];
  if (b->kind->strains) return by_strains(b, q, at);
  return lim_beam_element_force(b->mesh, all[body].u, &all[body].load, lim_mesh_point(b->mesh, at));
}
