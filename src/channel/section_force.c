// section_force.c - forces in a section: end forces of its element, then statics within it. Theory:
// docs/theory/beam.md (26)-(30).
//
// Strains of the finite element alone are off by q L^2/12 (L the element's length) between its Gauss points,
// and a shear-rigid element has no shear strain. End forces K u - p with p of the d'Alembert body force have
// neither flaw, and agree with `limber static`.
#include "channel/section_force.h"

#include "arm/body/kind.h"
#include "math/rotation.h"

#include <math.h>

static lim_code node_site(lim_site *site, lim_arena *arena, const lim_arm *s, int body, int node,
                          lim_error *err) {
  *site = (lim_site){.body = body, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  return s->bodies[body].kind->node(&site->section, arena, s, body, node, err);
}

// U, and which kinds of coordinates the shapes move anywhere.
static lim_code fill_shapes(lim_section_cut *c, lim_arena *arena, const lim_basis_matrix *shapes, int element,
                            lim_error *err) {
  c->n = shapes->n;
  c->U = lim_arena_array(arena, 12 * (size_t)c->n + 1, sizeof *c->U);
  if (!c->U) return lim_no_memory(err);
  for (int j = 0; j < c->n; j++) {
    const double *phi = shapes->Phi + (size_t)j * (size_t)shapes->ndof;
    for (int i = 0; i < shapes->ndof; i++)
      if (phi[i] != 0) c->moves[i % 6] = true;
    for (int i = 0; i < 12; i++) c->U[i * c->n + j] = phi[6 * element + i];
  }
  return LIM_OK;
}

static lim_code start_strained(lim_section_cut *c, lim_arena *arena, const lim_arm_body *m, double fraction,
                               lim_error *err) {
  c->n = m->body->n;
  c->s = 0;
  c->element = (lim_mesh){.length = m->line->length, .nelement = 1, .nnode = 2, .element = m->line->element};
  c->strains = lim_arena_array(arena, 6 * (size_t)c->n + 1, sizeof *c->strains);
  if (!c->strains) return lim_no_memory(err);
  m->kind->strains(c->strains, m, fraction);
  return LIM_OK;
}

lim_code lim_section_cut_start_in(lim_section_cut *c, lim_arena *arena, const lim_arm *s, int body,
                                  lim_point at, lim_error *err) {
  const lim_arm_body *m = &s->bodies[body];
  *c = (lim_section_cut){.body = body, .first_node = at.element, .s = at.s};
  if (m->kind->strains) return start_strained(c, arena, m, (at.element + at.s) / m->line->nelement, err);
  c->element = (lim_mesh){.length = m->mesh->element[at.element].L,
                          .nelement = 1,
                          .nnode = 2,
                          .ndof = 12,
                          .element = &m->mesh->element[at.element],
                          .Ke = m->mesh->Ke + 144 * at.element,
                          .Me = m->mesh->Me + 144 * at.element};
  lim_code code = fill_shapes(c, arena, m->shapes, at.element, err);
  if (code == LIM_OK && m->body->nstretch) {
    c->G = lim_arena_array(arena, 144, sizeof *c->G);
    if (!c->G) return lim_no_memory(err);
    lim_element_shortening(c->G, c->element.element, 1);
  }
  for (int k = 0; k < 2 && code == LIM_OK; k++)
    code = node_site(&c->node[k], arena, s, body, at.element + k, err);
  return code;
}

lim_code lim_section_cut_start(lim_section_cut *c, lim_arena *arena, const lim_arm *s, int link,
                               double fraction, lim_error *err) {
  double local;
  int body = lim_arm_segment(&local, s, link, fraction);
  return lim_section_cut_start_in(c, arena, s, body, lim_mesh_point(s->bodies[body].line, local), err);
}

lim_code lim_section_cut_start_gauge(lim_section_cut *c, lim_arena *arena, const lim_arm *s, int link,
                                     const lim_gauge *g, lim_error *err) {
  const int body = s->first_body[link];
  const lim_arm_body *m = &s->bodies[body];
  if (!m->kind->gauge) return lim_section_cut_start(c, arena, s, link, g->at.value, err);
  *c = (lim_section_cut){.body = body, .n = m->body->n, .E = NAN};
  c->gauge = lim_arena_array(arena, (size_t)c->n + 1, sizeof *c->gauge);
  if (!c->gauge || c->n == 0) return c->gauge ? LIM_OK : lim_no_memory(err);
  return m->kind->gauge(c->gauge, &c->E, s, body, g, err);
}

double lim_section_cut_modulus(const lim_section_cut *c) { return c->gauge ? c->E : c->element.element->E; }

// Gravity minus acceleration at the element's nodes, body axes; only where the basis can answer to it.
static void body_force(double field[12], const lim_section_cut *c, const lim_snapshot *m) {
  const double *R = m->body[c->body].R;
  for (int k = 0; k < 2; k++) {
    lim_world_motion x = lim_snapshot_node(m, &c->node[k], c->first_node + k);
    double f[3], turn[3] = {-x.alpha[0], -x.alpha[1], -x.alpha[2]};
    for (int i = 0; i < 3; i++) f[i] = m->system->gravity[i] - x.a[i];
    lim_rotate_back(field + 6 * k, R, f);
    lim_rotate_back(field + 6 * k + 3, R, turn);
  }
  for (int i = 0; i < 12; i++)
    if (!c->moves[i % 6]) field[i] = 0;
}

lim_section_force lim_section_cut_force(const lim_section_cut *c, const lim_snapshot *m) {
  if (c->n == 0) return (lim_section_force){NAN, NAN, NAN, NAN, NAN, NAN};
  const lim_arm_body *b = &m->system->bodies[c->body];
  const double *eta = m->q + b->e;
  if (c->strains) return b->kind->force(b, c->strains, m->q);
  double u[12] = {0}, field[12];
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < c->n; j++) u[i] += c->U[i * c->n + j] * eta[j];
  for (int i = 0; c->G && !m->linear && i < 144; i++)
    u[6] += u[i / 12] * c->G[i] * u[i % 12] / 2; // the stretch is what counts
  body_force(field, c, m);
  lim_beam_load load = {.field = field};
  return lim_beam_element_force(&c->element, u, &load, (lim_point){0, c->s});
}

double lim_section_cut_strain_under(const lim_section_cut *c, lim_section_force f, lim_face face) {
  if (c->n == 0) f = (lim_section_force){0}; // rigid
  return lim_beam_strain(c->element.element, c->s, f, face);
}

double lim_section_cut_strain(const lim_section_cut *c, const lim_snapshot *m, lim_face face) {
  if (c->gauge) {
    double sum = 0;
    for (int j = 0; j < c->n; j++) sum += c->gauge[j] * m->q[m->system->bodies[c->body].e + j];
    return sum;
  }
  return lim_section_cut_strain_under(c, lim_section_cut_force(c, m), face);
}

double lim_section_cut_strain_by(const lim_section_cut *c, const double *u, const double *field,
                                 lim_face face) {
  lim_section_force f = {0};
  if (c->n) f = lim_beam_element_force(&c->element, u, &(lim_beam_load){.field = field}, (lim_point){0, c->s});
  return lim_section_cut_strain_under(c, f, face);
}
