// sensor.c - sites and strains of measured signals. Theory: docs/theory/control.md, docs/theory/beam.md (30).
#include "drive/sensor.h"

#include "arm/body/kind.h"
#include "beam/load.h"

#include <math.h>

// Strain on a face by the forces in the section of an element whose ends move by u.
static double strain(const lim_mesh *one, double at, const double u[12], int face) {
  const double none[12] = {0};
  const lim_beam_load load = {.field = none};
  const lim_section_force f = lim_beam_element_force(one, u, &load, (lim_point){0, at});
  return lim_beam_strain(one->element, at, f, (lim_face)face);
}

static lim_code start_strain(lim_sensor *x, lim_arena *arena, const lim_arm *s, lim_error *err) {
  const lim_link *link = &s->model->links.item[x->from->link];
  const lim_gauge *gauge = &link->gauges.item[x->from->gauge];
  double local;
  x->body = lim_arm_segment(&local, s, x->from->link, gauge->at.value);
  const lim_arm_body *m = &s->bodies[x->body];
  if (m->body->n == 0) return LIM_OK;
  if (m->kind->gauge) {
    double E;
    x->row = lim_arena_array(arena, (size_t)m->body->n, sizeof *x->row);
    return x->row ? m->kind->gauge(x->row, &E, s, x->body, gauge, err) : lim_no_memory(err);
  }
  const lim_point p = lim_mesh_point(m->mesh, local);
  lim_mesh one = {.length = m->mesh->element[p.element].L,
                  .nelement = 1,
                  .nnode = 2,
                  .ndof = 12,
                  .element = &m->mesh->element[p.element],
                  .Ke = m->mesh->Ke + 144 * p.element,
                  .Me = m->mesh->Me + 144 * p.element};
  x->element = p.element;
  x->row = lim_arena_array(arena, (size_t)m->body->n, sizeof *x->row);
  if (m->body->nstretch) x->G = lim_arena_array(arena, 144, sizeof *x->G);
  if (!x->row || (m->body->nstretch && !x->G)) return lim_no_memory(err);
  if (x->G) lim_element_shortening(x->G, one.element, 1);
  x->per_stretch = strain(&one, p.s, (const double[12]){[6] = 1}, gauge->face);
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

lim_code lim_sensor_start(lim_sensor *x, lim_arena *arena, lim_arm *s, const lim_source *from, lim_error *err) {
  *x = (lim_sensor){.from = from, .body = -1};
  if (from->kind == LIM_SENSE_STRAIN) return start_strain(x, arena, s, err);
  if (from->kind != LIM_SENSE_FRAME_POSITION && from->kind != LIM_SENSE_FRAME_VELOCITY) {
    x->body = s->first_body[from->link];
    return LIM_OK;
  }
  const lim_location *at = &from->spot;
  return lim_arm_site(&x->site, s, at->link, at->kind, at->kind == LIM_AT_TIP, at->frame, err);
}

// What bending adds to the stretch of the element, where axial coordinates are true displacements.
static double stretch(const lim_sensor *x, const lim_arm_body *m, const double *eta) {
  double u[12] = {0}, sum = 0;
  for (int j = 0; j < m->body->n; j++) {
    int at = m->shapes->index[j] - 6 * x->element;
    if (at >= 0 && at < 12) u[at] = eta[j];
  }
  for (int i = 0; i < 144; i++) sum += u[i / 12] * x->G[i] * u[i % 12] / 2;
  return sum;
}

double lim_sensor_strain(const lim_sensor *x, const lim_arm *s, const double *q) {
  const lim_arm_body *m = &s->bodies[x->body];
  double sum = x->G ? x->per_stretch * stretch(x, m, q + m->e) : 0;
  for (int j = 0; x->row && j < m->body->n; j++) sum += x->row[j] * q[m->e + j];
  return sum;
}
