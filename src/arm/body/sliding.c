// sliding.c - links whose beam slides through the joint: its free length is the joint's coordinate. Theory:
// docs/theory/sliding.md.
#include "arm/body/kind.h"
#include "arm/pose.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is(const lim_link *link) { return lim_joint_slides(&link->joint); }

// A sliding beam passes its guide: it is the same all along, and only its tip carries something.
static lim_code check(const lim_model *m, const lim_link *a, lim_error *err) {
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
  double strain_rate = a->damping.head.node ? a->damping.strain_rate : m->damping.strain_rate;
  if (strain_rate > 0 || lim_damping_given(&m->damping))
    return lim_tree_error(
        err, x->head.node,
        "a beam that slides has no damping by strain_rate, and none of the whole arm; give links "
        "their own, by ratio, mass or stiffness");
  if (a->air.head.node)
    return lim_tree_error(err, a->air.head.node, "a beam that slides through its joint cannot have air");
  if (a->beam.lumped || a->beam.no_rotary)
    return lim_tree_error(err, a->beam.head.node,
                          "a beam that slides through its joint has mass consistent and rotary on");
  double q, v;
  lim_pose_joint(&q, &v, m, (int)(a - m->links.item));
  if (q < 0 || q > a->beam.length)
    return lim_tree_error(err, x->head.node,
                          "joint '%s' starts at %g m; a beam of %g m has 0 to %g m beyond its guide",
                          a->joint.head.name, q, a->beam.length, a->beam.length);
  for (int i = 0; i < m->loads.count; i++) {
    const lim_load *load = &m->loads.item[i];
    if (load->along.text && &m->links.item[load->along.index] == a)
      return lim_tree_error(err, load->head.node,
                            "a load along a beam that slides through its joint; put it at its tip");
  }
  return LIM_OK;
}

// It stays in its guide.
static void range(double out[2], const lim_link *link) {
  out[0] = 0;
  out[1] = link->beam.length;
}

static lim_code count(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err) {
  lim_sliding *s = NULL;
  lim_code code = lim_sliding_new(&s, m, link, keep, false, err);
  if (code == LIM_OK) *n += s->n;
  lim_sliding_free(s);
  return code;
}

// --- building ---

// Shapes of modes do not follow what shear does at other lengths: beams with that basis are slender ones. Warns
// with what they leave out of the first frequency of a cantilever of the free length: shear, and the turning of
// sections.
static void doubt_shear(const lim_arm *s, const lim_arm_body *m, const bool keep[6], lim_error *err) {
  const lim_link *link = &s->model->links.item[m->link];
  const lim_sliding *x = m->slide;
  if (!lim_element_sheared(link->beam.element) || link->basis.type != LIM_BASIS_MODES) return;
  double l, speed, max = 0;
  lim_pose_joint(&l, &speed, s->model, m->link);
  l = fmax(l, x->edge);
  for (int f = 0; f < 2; f++) {
    double bends = x->rigidity[2 + f] / (x->shear[f] * l * l), turns = x->turning[f] / (x->mass * l * l);
    if (keep[1 + f]) max = fmax(max, 1.5 * bends + 2.32 * turns);
  }
  if (max > 1e-3)
    lim_warn(
        err, NAN, link->head.name,
        "a beam that slides has no shear and no rotary inertia of bending with basis modes: at %.3g m its "
        "first "
        "frequency is about %.2g %% too high; take basis full, or element euler-bernoulli if that is meant",
        l, 100 * max);
}

// A body without mass of its own: all is in `slide`.
static lim_code build(lim_arm *s, lim_arm_body *m, int segment, const bool keep[6], bool rigid,
                      lim_error *err) {
  (void)segment;
  lim_code code = lim_sliding_new(&m->slide, s->model, m->link, keep, rigid, err);
  if (code == LIM_OK && !rigid) doubt_shear(s, m, keep, err);
  m->body = calloc(1, sizeof *m->body);
  if (code == LIM_OK && !m->body) code = lim_no_memory(err);
  if (code != LIM_OK) return code;
  const lim_beam *beam = &s->model->links.item[m->link].beam; // for outlines and sections
  code = lim_mesh_new(&m->line, s->model, m->link, (lim_stretch){0, beam->length, beam->elements}, err);
  if (code == LIM_OK) code = lim_arm_body_bare(m, 0, err);
  if (code != LIM_OK) return code;
  m->body->n = m->slide->n;
  m->body->width = m->slide->n > 0 ? m->slide->n - 1 : 0;
  range(m->range, &s->model->links.item[m->link]);
  m->damps_itself = m->slide->D0 != NULL;
  return LIM_OK;
}

static lim_code loaded(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                       lim_error *err) {
  (void)m, (void)link, (void)stiffening, (void)err;
  *out = NULL; // masses are its tip's
  return LIM_OK;
}

// At a place of the free length.
static lim_code section(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, double place,
                        lim_error *err) {
  const lim_arm_body *m = &s->bodies[body];
  const lim_sliding *x = m->slide;
  size_t n = (size_t)x->n;
  *out = (lim_section_motion){.X = {0}};
  if (place == 0) return LIM_OK; // the guide
  *out = (lim_section_motion){
      .formulation = LIM_SLIDING_BEAM, .slide = x, .place = place, .back = m->e - m->q, .count = x->n};
  out->N = lim_arena_array(arena, 6 * n, sizeof *out->N);
  if (x->shortens && n) out->G[0] = lim_arena_array(arena, n * n, sizeof *out->G[0]);
  if (!out->N || (x->shortens && n && !out->G[0])) return lim_no_memory(err);
  if (n) lim_sliding_rows(out->N, x, place);
  if (out->G[0]) lim_sliding_shortening(out->G[0], x, place);
  return LIM_OK;
}

static lim_code node(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, int k,
                     lim_error *err) {
  return section(out, arena, s, body, (double)k / s->bodies[body].line->nelement, err);
}

// What is fixed to the tip: a rigid body of its own, from the masses alone.
static lim_code tip_loaded(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                           lim_error *err) {
  (void)m, (void)stiffening;
  const lim_link masses = {.masses = link->masses};
  return lim_body_rigid(out, &masses, err);
}

static const lim_body_kind tip = {
    .name = "tip of a sliding beam",
    .formulation = LIM_FLOATING_FRAME,
    .loaded = tip_loaded,
    .energies = lim_floating_energies,
    .momentum = lim_floating_momentum,
    .stiffness = lim_floating_stiffness,
    .length = lim_floating_length,
    .unit = lim_floating_unit,
    .part = lim_floating_part,
};

static lim_code complete(lim_arm *s, int link, lim_error *err) {
  const lim_link *a = &s->model->links.item[link];
  int boom = s->first_body[link];
  if (a->masses.count == 0) return LIM_OK;
  lim_arm_body *m = &s->bodies[s->nbody];
  *m = lim_arm_body_of(link, &tip);
  m->on = (lim_site){.body = boom, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  lim_code code = tip_loaded(&m->body, m, a, false, err);
  if (code == LIM_OK) code = lim_arm_body_bare(m, 0, err);
  if (code == LIM_OK) code = section(&m->on.section, &s->arena, s, boom, 1, err);
  if (m->body) lim_arm_body_count(s, m, false);
  return code;
}

// --- answers ---

static double part(const lim_arm_body *m, int which, const double *x, const double *q, double *scratch) {
  static const int part_of[LIM_FIELDS] = {LIM_STRETCHING, LIM_BENDING_Y, LIM_BENDING_Z,
                                          LIM_TORSION,    LIM_BENDING_Y, LIM_BENDING_Z};
  const lim_sliding *s = m->slide;
  double l[3], energy = 0;
  (void)scratch;
  lim_sliding_length(l, s, q[m->q]);
  for (int i = 0; i < s->n * s->n; i++) {
    double share[2] = {0, 0}, a = x[i / s->n], b = x[i % s->n];
    for (int k = 0; k < s->ndof; k++) { // does coordinate i / n move a field of this part?
      double *to = &share[part_of[k % LIM_NODE / 2] == which];
      *to = fmax(*to, fabs(s->Phi[(size_t)(i / s->n) * (size_t)s->ndof + (size_t)k]));
    }
    if (share[1] > 1e-6 * share[0]) energy += a * b * (s->K1[i] / l[0] + s->K3[i] / (l[0] * l[0] * l[0]));
  }
  return energy;
}

static void stiffness(double *K, size_t rows, const lim_arm_body *m, const double *q) {
  lim_sliding_stiffness(K, rows, m->slide, q[m->q]);
}

static double length(const lim_arm_body *m, const double *q) { return q[m->q]; }

static double unit(const lim_arm_body *m) {
  double largest = 0;
  for (int i = 0; i < m->slide->ndof * m->slide->n; i++) largest = fmax(largest, fabs(m->slide->Phi[i]));
  return largest;
}

// Nodes are places of the free length.
static void node_rates(double *out, const lim_arm *s, int body, const lim_world_motion *motion, const double *q,
                       const double *rate, const double R[9], double *scratch) {
  lim_arena arena = {0};
  (void)scratch;
  for (int k = 0; k < s->bodies[body].line->nnode; k++) {
    lim_site site = {.body = body, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    lim_error err = {0};
    if (node(&site.section, &arena, s, body, k, &err) != LIM_OK) break;
    lim_world_motion at = lim_kinematics_site(s, &site, &motion[body], q, rate, NULL);
    lim_rotate_back(out + 6 * k, R, at.v);
    lim_rotate_back(out + 6 * k + 3, R, at.w);
  }
  lim_arena_free(&arena);
}

static void strains(double *rows, const lim_arm_body *m, double place) {
  if (m->slide->n) lim_sliding_strains(rows, m->slide, place);
}

static lim_section_force force(const lim_arm_body *m, const double *rows, const double *q) {
  return lim_sliding_force(m->slide, rows, q + m->e, q[m->q]);
}

const lim_body_kind lim_body_is_sliding = {
    .name = "sliding beam",
    .formulation = LIM_SLIDING_BEAM,
    .inner = true,
    .varies = "slides through its joint",
    .no_code = "slides through its joint",
    .is = is,
    .check = check,
    .range = range,
    .count = count,
    .build = build,
    .complete = complete,
    .loaded = loaded,
    .section = section,
    .node = node,
    .energies = lim_sliding_energies,
    .momentum = lim_sliding_momentum,
    .stiffness = stiffness,
    .length = length,
    .unit = unit,
    .node_rates = node_rates,
    .part = part,
    .strains = strains,
    .force = force,
};
