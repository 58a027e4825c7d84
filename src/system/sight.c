// sight.c - sites and strains of measured signals. Theory: docs/theory/control.md, docs/theory/beam.md (30).
#include "system/sight.h"

#include "beam/load.h"

#include <math.h>

// Segment of a link on which a place lies: of two at a joint of segments the one before it.
static int body_at(const lim_system *s, int link, double at) {
  int body = s->first_body[link];
  while (body < s->last_body[link] && at > (s->member[body].start + s->member[body].mesh->length) * (1 + 1e-12))
    body++;
  return body;
}

// Strain on a face by the forces in the section of an element whose ends move by u.   (30)
static double strain(const lim_mesh *one, double at, const double u[12], int face) {
  const lim_element *e = one->element;
  lim_section_data a = lim_element_section(e, at);
  const bool on_y = face == LIM_FACE_PY || face == LIM_FACE_NY;
  const double half = (on_y ? a.y : a.z) / 2, sign = face == LIM_FACE_PY || face == LIM_FACE_PZ ? 1 : -1;
  const double none[12] = {0};
  const lim_beam_load load = {.field = none};
  const lim_section_force f = lim_beam_element_force(one, u, &load, (lim_point){0, at});
  return (f.N / a.A + sign * half * (on_y ? -f.Mz / a.Iz : f.My / a.Iy)) / e->E;
}

static lim_code start_strain(lim_sight *x, lim_arena *arena, const lim_system *s, lim_error *err) {
  const lim_link *link = &s->model->links.item[x->from->link];
  const lim_gauge *gauge = &link->gauges.item[x->from->gauge];
  const double at = gauge->at.value * link->beam.length;
  x->body = s->first_body[x->from->link];
  if (!s->member[x->body].mesh) return LIM_OK; // mode rigid
  x->body = body_at(s, x->from->link, at);
  const lim_member *m = &s->member[x->body];
  if (m->body->n == 0) return LIM_OK;
  const lim_point p = lim_mesh_point(m->mesh, fmin(fmax((at - m->start) / m->mesh->length, 0), 1));
  lim_mesh one = {.length = m->mesh->element[p.element].L,
                  .nelement = 1,
                  .nnode = 2,
                  .ndof = 12,
                  .element = &m->mesh->element[p.element],
                  .Ke = m->mesh->Ke + 144 * p.element,
                  .Me = m->mesh->Me + 144 * p.element};
  x->row = lim_arena_array(arena, (size_t)m->body->n, sizeof *x->row);
  if (!x->row) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int j = 0; j < m->body->n; j++) {
    double u[12];
    for (int i = 0; i < 12; i++)
      u[i] = m->shapes->Phi[(size_t)j * (size_t)m->shapes->ndof + (size_t)(6 * p.element + i)];
    x->row[j] = strain(&one, p.s, u, gauge->face);
    if (isnan(x->row[j]) || isinf(x->row[j]))
      return lim_tree_error(err, x->from->ref.node, "signal '%s': the outline of the section is not known",
                            x->from->ref.text);
  }
  return LIM_OK;
}

lim_code lim_sight_start(lim_sight *x, lim_arena *arena, lim_system *s, const lim_source *from,
                         lim_error *err) {
  *x = (lim_sight){.from = from, .body = -1};
  if (from->kind == LIM_SEE_STRAIN) return start_strain(x, arena, s, err);
  if (from->kind != LIM_SEE_FRAME_POSITION && from->kind != LIM_SEE_FRAME_VELOCITY) {
    x->body = s->first_body[from->link];
    return LIM_OK;
  }
  const lim_spot *at = &from->spot;
  return lim_system_site(&x->site, s, at->link, at->kind, at->kind == LIM_AT_TIP, at->frame, err);
}

double lim_sight_strain(const lim_sight *x, const lim_system *s, const double *q) {
  double sum = 0;
  const lim_member *m = &s->member[x->body];
  for (int j = 0; x->row && j < m->body->n; j++) sum += x->row[j] * q[m->e + j];
  return sum;
}
