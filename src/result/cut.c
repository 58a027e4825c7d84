// cut.c - forces in a section: end forces of its element, then statics within it. Theory: docs/theory/beam.md
// (26)-(30).
//
// Strains of the finite element alone are off by q L^2/12 (L the element's length) between its Gauss points,
// and a shear-rigid element has no shear strain. End forces K u - p with p of the d'Alembert body force have
// neither flaw, and agree with `limber static`.
#include "result/cut.h"

#include "math/rotation.h"

#include <math.h>

// Segment of a link on which a fraction lies: of two at a joint of segments the one before it.
static int body_at(const lim_system *s, int link, double at) {
  int body = s->first_body[link];
  if (s->member[body].slide) return body;
  while (body < s->last_body[link] && at > (s->member[body].start + s->member[body].mesh->length) * (1 + 1e-12))
    body++;
  return body;
}

// The section at a node of a body; the first is clamped.
static lim_code node_site(lim_site *site, lim_arena *arena, const lim_system *s, int body, int node,
                          lim_error *err) {
  const lim_member *m = &s->member[body];
  *site = (lim_site){.body = body, .section = {.X = {m->mesh->x[node]}}, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (node == 0 || m->body->n == 0) return LIM_OK;
  return lim_body_section(&site->section, arena, m->mesh, m->shapes, m->mesh->x[node] / m->mesh->length,
                          s->model->solver.stiffening, err);
}

// U, and which kinds of coordinates the shapes move anywhere.
static lim_code fill_shapes(lim_cut *c, lim_arena *arena, const lim_shapes *shapes, int element,
                            lim_error *err) {
  c->n = shapes->n;
  c->U = lim_arena_array(arena, 12 * (size_t)c->n + 1, sizeof *c->U);
  if (!c->U) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int j = 0; j < c->n; j++) {
    const double *phi = shapes->Phi + (size_t)j * (size_t)shapes->ndof;
    for (int i = 0; i < shapes->ndof; i++)
      if (phi[i] != 0) c->moves[i % 6] = true;
    for (int i = 0; i < 12; i++) c->U[i * c->n + j] = phi[6 * element + i];
  }
  return LIM_OK;
}

// On a beam that slides, a place of its free length.
static lim_code start_sliding(lim_cut *c, lim_arena *arena, const lim_member *m, double place, lim_error *err) {
  c->n = m->slide->n;
  c->slide = m->slide;
  c->s = 0;
  c->element = (lim_mesh){.length = m->mesh->length, .nelement = 1, .nnode = 2, .element = m->mesh->element};
  c->strains = lim_arena_array(arena, 6 * (size_t)c->n + 1, sizeof *c->strains);
  if (!c->strains) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (c->n) lim_sliding_strains(c->strains, c->slide, place);
  return LIM_OK;
}

lim_code lim_cut_start_in(lim_cut *c, lim_arena *arena, const lim_system *s, int body, lim_point at,
                          lim_error *err) {
  const lim_member *m = &s->member[body];
  *c = (lim_cut){.body = body, .s = at.s};
  if (m->slide) return start_sliding(c, arena, m, (at.element + at.s) / m->mesh->nelement, err);
  c->element = (lim_mesh){.length = m->mesh->element[at.element].L,
                          .nelement = 1,
                          .nnode = 2,
                          .ndof = 12,
                          .element = &m->mesh->element[at.element],
                          .Ke = m->mesh->Ke + 144 * at.element,
                          .Me = m->mesh->Me + 144 * at.element};
  lim_code code = fill_shapes(c, arena, m->shapes, at.element, err);
  if (code == LIM_OK && m->body->nstring) {
    c->G = lim_arena_array(arena, 144, sizeof *c->G);
    if (!c->G) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
    lim_element_shortening(c->G, c->element.element, 1);
  }
  for (int k = 0; k < 2 && code == LIM_OK; k++)
    code = node_site(&c->node[k], arena, s, body, at.element + k, err);
  return code;
}

lim_code lim_cut_start(lim_cut *c, lim_arena *arena, const lim_system *s, int link, double fraction,
                       lim_error *err) {
  double at = fraction * s->model->links.item[link].beam.length;
  int body = body_at(s, link, at);
  const lim_member *m = &s->member[body];
  lim_point p = lim_mesh_point(m->mesh, fmin(fmax((at - m->start) / m->mesh->length, 0), 1));
  return lim_cut_start_in(c, arena, s, body, p, err);
}

// Gravity minus acceleration at the element's nodes, body axes; only where the basis can answer to it.
static void body_force(double field[12], const lim_cut *c, const lim_moment *m) {
  const double *R = m->body[c->body].R;
  for (int k = 0; k < 2; k++) {
    lim_motion_in_world x = lim_moment_site(m, &c->node[k]);
    double f[3], turn[3] = {-x.alpha[0], -x.alpha[1], -x.alpha[2]};
    for (int i = 0; i < 3; i++) f[i] = m->system->gravity[i] - x.a[i];
    lim_rotate_back(field + 6 * k, R, f);
    lim_rotate_back(field + 6 * k + 3, R, turn);
  }
  for (int i = 0; i < 12; i++)
    if (!c->moves[i % 6]) field[i] = 0;
}

lim_section_force lim_cut_force(const lim_cut *c, const lim_moment *m) {
  if (c->n == 0) return (lim_section_force){NAN, NAN, NAN, NAN, NAN, NAN};
  const double *eta = m->q + m->system->member[c->body].e;
  if (c->slide) return lim_sliding_force(c->slide, c->strains, eta, m->q[m->system->member[c->body].q]);
  double u[12] = {0}, field[12];
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < c->n; j++) u[i] += c->U[i * c->n + j] * eta[j];
  for (int i = 0; c->G && !m->linear && i < 144; i++)
    u[6] += u[i / 12] * c->G[i] * u[i % 12] / 2; // the stretch is what counts
  body_force(field, c, m);
  lim_beam_load load = {.field = field};
  return lim_beam_element_force(&c->element, u, &load, (lim_point){0, c->s});
}

double lim_cut_strain(const lim_cut *c, const lim_moment *m, lim_face face) {
  const lim_element *e = c->element.element;
  lim_section_data a = lim_element_section(e, c->s);
  bool on_y = face == LIM_FACE_PY || face == LIM_FACE_NY;
  double half = (on_y ? a.y : a.z) / 2, sign = face == LIM_FACE_PY || face == LIM_FACE_PZ ? 1 : -1;
  if (!(half > 0)) return NAN;
  if (c->n == 0) return 0;
  lim_section_force f = lim_cut_force(c, m);
  double bending = on_y ? -f.Mz / a.Iz : f.My / a.Iy;
  return (f.N / a.A + sign * half * bending) / e->E; // (30)
}
