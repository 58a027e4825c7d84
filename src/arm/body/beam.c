// beam.c - links with a beam, or segments of one: finite elements in a floating frame. Theory:
// docs/theory/body.md.
#include "arm/body/kind.h"

#include <stdlib.h>

static bool is(const lim_link *link) { return link->beam.head.node; }

static lim_code count_segment(int *n, const lim_model *m, int link, int k, const bool keep[6], lim_error *err) {
  lim_stretch stretch = lim_mesh_segment(&m->links.item[link].beam, k);
  lim_mesh *mesh;
  lim_basis_matrix *shapes = NULL;
  lim_code code = lim_mesh_new(&mesh, m, link, stretch, err);
  if (code == LIM_OK) code = lim_basis_matrix_new_from(&shapes, m, link, mesh, stretch.from, keep, err);
  if (code == LIM_OK) *n += shapes->n;
  lim_basis_matrix_free(shapes);
  lim_mesh_free(mesh);
  return code;
}

static lim_code count(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err) {
  lim_code code = LIM_OK;
  for (int k = 0; k < m->links.item[link].beam.segments && code == LIM_OK; k++)
    code = count_segment(n, m, link, k, keep, err);
  return code;
}

static lim_code rigid_shapes(lim_basis_matrix **out, const lim_mesh *mesh, lim_error *err) {
  *out = calloc(1, sizeof **out);
  if (!*out) return lim_no_memory(err);
  (*out)->ndof = mesh->ndof;
  return LIM_OK;
}

static lim_code build(lim_arm *s, lim_arm_body *m, int segment, const bool keep[6], bool rigid,
                      lim_error *err) {
  const lim_beam *beam = &s->model->links.item[m->link].beam;
  lim_stretch stretch =
      rigid ? (lim_stretch){0, beam->length, beam->elements} : lim_mesh_segment(beam, segment);
  m->start = stretch.from;
  lim_code code = lim_mesh_new(&m->mesh, s->model, m->link, stretch, err);
  m->line = m->mesh;
  if (code == LIM_OK && rigid) code = rigid_shapes(&m->shapes, m->mesh, err);
  if (code == LIM_OK && !rigid)
    code = lim_basis_matrix_new_from(&m->shapes, s->model, m->link, m->mesh, m->start, keep, err);
  if (code == LIM_OK)
    code = lim_body_flexible(&m->body, &s->model->links.item[m->link], m->mesh, m->shapes, m->start,
                             s->model->solver.stiffening, err);
  return code;
}

static lim_code loaded(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                       lim_error *err) {
  return lim_body_flexible(out, link, m->mesh, m->shapes, m->start, stiffening, err);
}

static lim_code section(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, double place,
                        lim_error *err) {
  const lim_arm_body *m = &s->bodies[body];
  *out = (lim_section_motion){.X = {place * m->mesh->length}};
  if (place == 0 || m->body->n == 0) return LIM_OK; // clamped, or rigid
  return lim_body_section(out, arena, m->mesh, m->shapes, place, s->model->solver.stiffening, err);
}

static lim_code node(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, int k,
                     lim_error *err) {
  const lim_arm_body *m = &s->bodies[body];
  *out = (lim_section_motion){.X = {m->mesh->x[k]}};
  if (k == 0 || m->body->n == 0) return LIM_OK;
  return lim_body_section(out, arena, m->mesh, m->shapes, m->mesh->x[k] / m->mesh->length,
                          s->model->solver.stiffening, err);
}

// Take from the axial parts of u and du what bending shortens, where these are stretches: u'Gu/2, u'G du of all
// elements before a node.
static void shorten(double *u, double *du, const lim_mesh *mesh) {
  double place = 0, rate = 0;
  for (int e = 0; e < mesh->nelement; e++) {
    double G[144], *x = u + 6 * e, *dx = du + 6 * e;
    lim_element_shortening(G, &mesh->element[e], 1);
    for (int i = 0; i < 144; i++) {
      place += x[i / 12] * G[i] * x[i % 12] / 2;
      rate += x[i / 12] * G[i] * dx[i % 12];
    }
    x[6] -= place;
    dx[6] -= rate;
  }
}

static void node_rates(double *out, const lim_arm *s, int body, const lim_world_motion *motion, const double *q,
                       const double *rate, const double R[9], double *scratch) {
  const lim_arm_body *m = &s->bodies[body];
  double *u = scratch, *du = scratch + m->mesh->ndof; // where the nodes are, how they move
  lim_basis_matrix_expand(u, m->shapes, q + m->e);
  lim_basis_matrix_expand(du, m->shapes, rate + m->e);
  if (s->model->solver.stiffening && !m->shapes->index) shorten(u, du, m->mesh);
  for (int k = 0; k < m->mesh->nnode; k++) {
    const double X[3] = {m->mesh->x[k] + u[6 * k], u[6 * k + 1], u[6 * k + 2]};
    lim_body_place_rate(out + 6 * k, &motion[body], X, du + 6 * k, R);
  }
}

const lim_body_kind lim_body_is_beam = {
    .name = "beam",
    LIM_FLOATING_FRAME_ANSWERS,
    .split = true,
    .is = is,
    .count = count,
    .build = build,
    .loaded = loaded,
    .section = section,
    .node = node,
    .unit = lim_floating_unit,
    .node_rates = node_rates,
};
