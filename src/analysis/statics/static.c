// static.c - an arm at rest: its equilibrium, and what follows from it. Theory: docs/theory/statics.md.
#include "analysis/statics/static.h"

#include "analysis/statics/contact_states.h"
#include "analysis/statics/equilibrium.h"
#include "analysis/statics/first_order.h"
#include "analysis/statics/released/release.h"
#include "analysis/statics/section_forces.h"
#include "analysis/statics/segments.h"
#include "analysis/warnings.h"
#include "arm/ball.h"
#include "arm/body/kind.h"
#include "arm/kinematics.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  lim_rest a;
  const lim_model *full;           // the model with all coordinates of its meshes
  double *unloaded;                // the arm before it is loaded   (n)
  lim_world_motion *body, *before; // loaded, and unloaded          (nbody)
  lim_section_forces *inner;       // (nbody)
  bool *released;                  // coordinates of joints that came to rest by themselves   (n)
  double *needed;                  // efforts that hold it          (n)
  lim_reaction *reaction;          // of joints                     (nbody)
  const double *displaced;         // to first order: displacements (n); NULL: the arm is deformed
} rest;

// --- frames and joints ---

// To first order: what velocities would be if displacements were rates.
static lim_static_frame frame_to_first_order(const rest *r, const lim_named_site *x) {
  lim_static_frame f = {.name = x->name};
  lim_world_motion rate = lim_kinematics_at(r->a.s, &x->site, r->before, r->unloaded, r->displaced, NULL);
  for (int i = 0; i < 3; i++) {
    f.displacement[i] = rate.v[i];
    f.position[i] = rate.p[i] + rate.v[i];
    f.rotation[i] = rate.w[i];
  }
  return f;
}

static lim_static_frame frame_result(const rest *r, const lim_named_site *x) {
  const lim_arm *s = r->a.s;
  if (r->displaced) return frame_to_first_order(r, x);
  lim_static_frame f = {.name = x->name};
  lim_world_motion now = lim_kinematics_at(s, &x->site, r->body, r->a.q, NULL, NULL),
                   then = lim_kinematics_at(s, &x->site, r->before, r->unloaded, NULL, NULL);
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

// Of a free or spherical joint; a free one transmits nothing.
static void ball_result(lim_static_joint *j, const rest *r, int link) {
  const lim_arm *s = r->a.s;
  double R[9];
  const lim_ball *b = s->ball;
  while (b->link != link) b++;
  j->turns = true;
  j->floats = lim_joint_whole_kind(&r->full->links.item[link].joint)->freedoms == LIM_MOST_FREEDOMS;
  for (int i = 0; i < 3; i++) {
    j->released = j->released || (b->turn[i] >= 0 && r->released[b->turn[i]]);
    j->translation[i] = b->shift[i] >= 0 ? r->a.q[b->shift[i]] : 0;
  }
  lim_ball_orientation(R, b, r->a.q);
  lim_rotation_vector(j->rotation, R);
}

static double stop_force(const lim_end_stops *s, double position) {
  double force = 0;
  if (!(s->stiffness > 0)) return NAN;
  for (int k = 0; k < LIM_STOPS; k++)
    force += lim_stop_evaluate(s, k, LIM_PRESS_AS_IT_MOVES, position, 0).force;
  return force;
}

// Of a joint with one freedom. One that is released has no effort but what its drive gives.
static void freedom_result(lim_static_joint *j, const rest *r, int body) {
  const lim_arm_body *b = &r->a.s->bodies[body];
  const lim_reaction *x = &r->reaction[body];
  if (b->q < 0) return;
  j->position = r->a.q[b->q];
  j->released = r->released[b->q];
  j->stop = stop_force(&r->a.inputs->drive[body].stop, j->position);
  const double given = lim_couplings_effort(r->a.s, b->q, r->a.e->lambda) + // of what acts along the joint
                       (isnan(j->stop) ? 0 : j->stop);
  if (!j->released)
    j->effort = b->inner ? r->needed[b->q] : lim_screw_dot(&b->screw, x->F, x->N) - given;
  else if (r->a.inputs->drive[body].type == LIM_DRIVE_EFFORT)
    j->effort = r->a.e->tau[b->q];
}

static lim_static_joint joint_result(const rest *r, int link) {
  const lim_joint *joint = &r->full->links.item[link].joint;
  int body = r->a.s->first_body[link];
  lim_static_joint j = {.name = lim_joint_shown(&r->full->links.item[link]),
                        .slides = lim_joint_is_linear(joint),
                        .position = NAN,
                        .stop = NAN};
  if (lim_joint_in_ball(joint))
    ball_result(&j, r, link);
  else
    freedom_result(&j, r, body);
  if (j.floats) return j;
  memcpy(j.force, r->reaction[body].force, sizeof j.force);
  memcpy(j.moment, r->reaction[body].moment, sizeof j.moment);
  keep_in_plane(j.force, j.moment, r->full->planar);
  return j;
}

// --- links ---

static double stress_at(const lim_mesh *mesh, const lim_section_forces *x, lim_point p) {
  const lim_element *e = &mesh->element[p.element];
  lim_section_force f = lim_beam_element_force(mesh, x->u, &x->load, p);
  return lim_section_mises(e->from, e->to, e->f0 + p.s * (e->f1 - e->f0), e->nu, f);
}

// Sought at both ends of every element and at three places between (a distributed load may have its largest
// moment there, a tapered piece its largest stress), and on both sides of concentrated loads. NaN: not known.
static double largest_stress(const lim_mesh *mesh, const lim_section_forces *x) {
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

// Of a body that knows its forces by its strains.
static double strained_stress(const rest *r, int body) {
  const lim_arm_body *b = &r->a.s->bodies[body];
  const lim_element *e = &b->line->element[0];
  double largest = 0;
  for (int k = 0; k <= 4 * b->line->nelement; k++) {
    lim_section_force f = lim_section_forces_at(r->inner, r->a.s, body, k / (4.0 * b->line->nelement), r->a.q);
    double stress = lim_section_mises(e->from, e->to, 0, e->nu, f);
    if (isnan(stress)) return NAN;
    largest = fmax(largest, stress);
  }
  return largest;
}

// Of a link that knows its stress as a whole.
static lim_static_link whole_result(const rest *r, int link) {
  const lim_link *a = &r->full->links.item[link];
  const int body = r->a.s->first_body[link];
  const lim_body_kind *kind = r->a.s->bodies[body].kind;
  const double stress = kind->stress(r->a.s, body, r->a.q);
  return (lim_static_link){.name = a->head.name,
                           .stress = stress,
                           .turn = kind->turn(r->a.s, body, r->a.q),
                           .unstiffened = kind->unstiffened(r->a.s, body, 0, r->reaction[body].F),
                           .utilisation = stress / lim_link_yield(r->full, link)};
}

static lim_static_link link_result(rest *r, int link, double *scratch) {
  const lim_arm *s = r->a.s;
  lim_static_link out = {.name = r->full->links.item[link].head.name};
  if (s->bodies[s->first_body[link]].kind->stress) return whole_result(r, link);
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) {
    double stress =
        s->bodies[i].kind->strains ? strained_stress(r, i) : largest_stress(s->bodies[i].mesh, &r->inner[i]);
    out.stress = isnan(stress) || isnan(out.stress) ? NAN : fmax(out.stress, stress);
    out.turn = fmax(out.turn, lim_segments_turn(&s->bodies[i], r->a.q, scratch));
  }
  out.utilisation = out.stress / lim_link_yield(r->full, link);
  return out;
}

// Of a link without sections.
static lim_code strained_gauge(lim_static_gauge *out, rest *r, int link, const lim_gauge *g, lim_error *err) {
  const lim_arm_body *b = &r->a.s->bodies[r->a.s->first_body[link]];
  double E, *row = lim_arena_array(&r->a.arena, (size_t)b->body->n + 1, sizeof *row);
  *out = (lim_static_gauge){.link = r->full->links.item[link].head.name, .name = g->head.name};
  if (!row || b->body->n == 0) return row ? LIM_OK : lim_no_memory(err);
  lim_code code = b->kind->gauge(row, &E, r->a.s, r->a.s->first_body[link], g, err);
  for (int j = 0; code == LIM_OK && j < b->body->n; j++) out->strain += row[j] * r->a.q[b->e + j];
  out->stress = E * out->strain;
  return code;
}

static lim_static_gauge gauge_result(const rest *r, int link, const lim_gauge *g) {
  double at;
  int body = lim_arm_segment(&at, r->a.s, link, g->at.value);
  const lim_mesh *mesh = r->a.s->bodies[body].line;
  const lim_point p = lim_mesh_point(mesh, at);
  lim_section_force f = lim_section_forces_at(r->inner, r->a.s, body, at, r->a.q);
  lim_static_gauge out = {.link = r->full->links.item[link].head.name, .name = g->head.name};
  out.strain = lim_beam_strain(&mesh->element[p.element], p.s, f, (lim_face)g->face);
  out.stress = out.strain * mesh->element[0].E;
  return out;
}

static lim_static_contact contact_result(const rest *r, int contact) {
  lim_contact_moment m;
  lim_static_contact out = {.name = r->full->contacts.item[contact].head.name};
  out.state = lim_contact_word(&m, r->a.e, contact, r->body, r->a.q);
  out.depth = m.depth;
  memcpy(out.force, m.force, sizeof out.force);
  return out;
}

// --- everything ---

static bool take_results(lim_static *out, const rest *r) {
  size_t gauges = 0, links = (size_t)r->full->links.count;
  for (int i = 0; i < r->full->links.count; i++) gauges += (size_t)r->full->links.item[i].gauges.count;
  return (out->frames.item = lim_arena_array(&out->arena, (size_t)r->a.s->nsite, sizeof *out->frames.item)) &&
         (out->joints.item = lim_arena_array(&out->arena, links, sizeof *out->joints.item)) &&
         (out->links.item = lim_arena_array(&out->arena, links, sizeof *out->links.item)) &&
         (out->contacts.item =
              lim_arena_array(&out->arena, (size_t)r->full->contacts.count, sizeof *out->contacts.item)) &&
         (out->gauges.item = lim_arena_array(&out->arena, gauges, sizeof *out->gauges.item));
}

// Names of frames are the system's, which goes.
static const char *own_name(lim_static *out, const char *name) {
  return lim_arena_text(&out->arena, name, strlen(name));
}

static lim_code fill(lim_static *out, rest *r, double *scratch, lim_error *err) {
  const lim_arm *s = r->a.s;
  if (!take_results(out, r)) return lim_no_memory(err);
  for (int i = 0; i < s->nsite; i++) {
    if (s->site[i].hidden) continue;
    lim_static_frame f = frame_result(r, &s->site[i]);
    if (!(f.name = own_name(out, f.name))) return lim_no_memory(err);
    out->frames.item[out->frames.count++] = f;
  }
  for (int i = 0; i < r->full->links.count; i++) {
    const lim_link *link = &r->full->links.item[i];
    if (lim_joint_shown(link)) out->joints.item[out->joints.count++] = joint_result(r, i);
    if (!link->beam.head.node && !link->fe.head.node) continue;
    out->links.item[out->links.count++] = link_result(r, i, scratch);
    for (int k = 0; k < link->gauges.count; k++) {
      lim_static_gauge *g = &out->gauges.item[out->gauges.count++];
      const bool strained = s->bodies[s->first_body[i]].kind->gauge;
      if (!strained) *g = gauge_result(r, i, &link->gauges.item[k]);
      lim_code code = strained ? strained_gauge(g, r, i, &link->gauges.item[k], err) : LIM_OK;
      if (code != LIM_OK) return code;
    }
  }
  for (int i = 0; i < r->full->contacts.count; i++)
    out->contacts.item[out->contacts.count++] = contact_result(r, i);
  return LIM_OK;
}

// --- the arm at rest: its coordinates, motion of its bodies and forces in them ---

static lim_code take_rest(rest *r, double **scratch, lim_error *err) {
  const lim_arm *s = r->a.s;
  lim_arena *arena = &r->a.arena;
  size_t nb = (size_t)s->nbody, n = (size_t)s->n, ndof = 0;
  for (int i = 0; i < s->nbody; i++)
    if ((size_t)s->bodies[i].mesh->ndof > ndof) ndof = (size_t)s->bodies[i].mesh->ndof;
  r->unloaded = lim_arena_array(arena, 3 * n, sizeof *r->unloaded);
  r->needed = lim_arena_array(arena, n, sizeof *r->needed);
  r->body = lim_arena_array(arena, 2 * nb, sizeof *r->body);
  r->inner = lim_arena_array(arena, nb, sizeof *r->inner);
  r->reaction = lim_arena_array(arena, nb, sizeof *r->reaction);
  r->released = lim_arena_array(arena, n, sizeof *r->released);
  *scratch = lim_arena_array(arena, ndof, sizeof **scratch);
  if (!r->unloaded || !r->body || !r->inner || !*scratch || !r->needed || !r->reaction || !r->released)
    return lim_no_memory(err);
  r->before = r->body + nb;
  memcpy(r->unloaded, r->a.q, n * sizeof *r->unloaded);
  return LIM_OK;
}

static lim_code settle_deformed(rest *r, lim_error *err) {
  const lim_arm *s = r->a.s;
  const double *zero = r->unloaded + s->n;
  lim_kinematics(r->before, s, r->unloaded, NULL, NULL);
  lim_code code = lim_equilibrium(r->a.q, r->a.e, 0, err);
  if (code != LIM_OK) return code;
  lim_equations_rest(r->needed, r->a.e, 0, r->a.q, zero, zero);
  lim_kinematics(r->body, s, r->a.q, NULL, NULL);
  for (int i = 0; i < s->nbody; i++) {
    lim_reaction *x = &r->reaction[i];
    lim_rec_reaction(x->F, x->N, r->a.e->w, i);
    lim_rotate(x->force, r->body[i].R, x->F);
    lim_rotate(x->moment, r->body[i].R, x->N);
  }
  return lim_section_forces_all(r->inner, &r->a.arena, &r->a, r->a.q, zero, err);
}

static lim_code settle_to_first_order(rest *r, lim_error *err) {
  const lim_arm *s = r->a.s;
  double *displaced = r->unloaded + 2 * s->n;
  lim_code code = lim_equilibrium_linear(r->a.q, r->a.e, 0, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < s->n; i++) displaced[i] = r->a.q[i] - r->unloaded[i];
  r->displaced = displaced;
  lim_kinematics(r->body, s, r->a.q, NULL, NULL);
  lim_kinematics(r->before, s, r->unloaded, displaced, NULL);
  return lim_first_order(r->reaction, r->inner, r->needed, &r->a.arena, &r->a, r->unloaded, displaced, err);
}

static lim_code settle(rest *r, double **scratch, lim_error *err) {
  lim_code code = take_rest(r, scratch, err);
  if (code == LIM_OK) code = lim_release_find(r->released, r->a.e, err);
  if (code != LIM_OK) return code;
  return r->full->solver.geometry ? settle_to_first_order(r, err) : settle_deformed(r, err);
}

// All coordinates of the meshes but of rigid links; damping does not matter at rest.
static lim_code full_model(lim_model *out, const lim_model *model, lim_arena *arena, lim_error *err) {
  *out = *model;
  out->damping = (lim_damping){.mass = 0};
  out->links.item = lim_arena_array(arena, (size_t)model->links.count, sizeof *out->links.item);
  if (!out->links.item) return lim_no_memory(err);
  for (int i = 0; i < model->links.count; i++) {
    lim_link *link = &out->links.item[i];
    *link = model->links.item[i];
    link->damping = (lim_damping){.mass = 0};
    if (link->basis.type != LIM_BASIS_RIGID) link->basis.type = LIM_BASIS_FULL;
  }
  return LIM_OK;
}

static lim_code run(lim_static *out, const lim_model *model, const char *directory, lim_error *err) {
  lim_model *full = lim_arena_allocate(&out->arena, sizeof *full);
  lim_code code = full ? full_model(full, model, &out->arena, err) : lim_no_memory(err);
  if (code != LIM_OK) return code;
  rest r = {.full = full};
  double *scratch = NULL;
  code = lim_rest_start(&r.a, full, directory, err);
  if (code == LIM_OK) code = settle(&r, &scratch, err);
  if (code == LIM_OK) code = fill(out, &r, scratch, err);
  out->arm = r.a;
  out->unloaded = r.unloaded;
  out->inner = r.inner;
  return code;
}

// --- doubts ---

// Turns from which what segments leave out may matter, and coordinates up to which a repeat is cheap.
static const double TURNS = 0.003;
enum { CHEAP = 1500 };

static bool is_doubtful(const lim_static *s) {
  double turn = 0;
  for (int i = 0; i < s->links.count; i++) turn = fmax(turn, s->links.item[i].turn);
  return turn > TURNS && s->arm.s->n <= CHEAP && !s->arm.s->model->solver.geometry;
}

// The same with twice the segments.
static lim_code compare(const lim_static *s, const lim_model *model, const char *directory, lim_error *err) {
  lim_static twice = {.arena = {0}};
  lim_error own = {0};
  lim_model more;
  bool any;
  lim_code code = lim_segments_twice(&more, &any, model, &twice.arena, err);
  if (code != LIM_OK || !any) {
    lim_arena_free(&twice.arena);
    return code;
  }
  code = run(&twice, &more, directory, &own);
  if (code == LIM_OK) lim_segments_compare_static(err, s, &twice);
  if (code == LIM_FAILED && own.kept)
    lim_warn(err, NAN, NULL, "with twice the segments in its beams the arm has %s", own.note[0].text);
  if (code == LIM_NO_MEMORY) lim_no_memory(err);
  lim_rest_end(&twice.arm);
  lim_arena_free(&twice.arena);
  lim_error_clear(&own);
  return code == LIM_NO_MEMORY ? code : LIM_OK;
}

lim_code lim_static_new(lim_static **out, const lim_model *model, const char *directory, lim_error *err) {
  *out = NULL;
  lim_static *result = calloc(1, sizeof *result);
  if (!result) return lim_no_memory(err);
  lim_code code = run(result, model, directory, err);
  if (code == LIM_OK) lim_warn_of_static(err, result);
  if (code == LIM_OK && is_doubtful(result)) code = compare(result, model, directory, err);
  if (code == LIM_OK)
    *out = result;
  else
    lim_static_free(result);
  return code;
}

void lim_static_free(lim_static *s) {
  if (!s) return;
  lim_rest_end(&s->arm);
  lim_arena_free(&s->arena);
  free(s);
}
