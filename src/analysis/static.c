// static.c - a single link at rest: K u = p on the undeformed link, and what follows from u.
#include "analysis/static.h"

#include "analysis/one_link.h"
#include "analysis/prestress.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>

// Deflection of the servo: its torque carries the load along the joint's freedom.
static double servo_deflection(const lim_one_link *a, const double f[6]) {
  if (!(a->stiffness > 0)) return 0;
  double along = 0;
  for (int i = 0; i < 6; i++) along += a->freedom[0][i] * f[i];
  return along / a->stiffness;
}

// Displacement and rotation of a frame, link axes: that of its section, carried over the rigid offset. u NULL:
// the link does not deform.
static void frame_motion(double d[6], const lim_one_link *a, const double *u, double servo,
                         const lim_carried *c) {
  double x[3], turn[3], swing[3];
  memset(d, 0, 6 * sizeof *d);
  if (u) lim_mesh_displacement(d, a->mesh, u, c->fraction);
  lim_cross(turn, d + 3, c->xyz);
  lim_pose_along(x, a->link, c->fraction);
  for (int i = 0; i < 3; i++) x[i] += c->xyz[i];
  lim_cross(swing, a->freedom[0] + 3, x);
  for (int i = 0; i < 3; i++) {
    d[i] += turn[i] + servo * (a->freedom[0][i] + swing[i]);
    d[3 + i] += servo * a->freedom[0][3 + i];
  }
}

static lim_static_frame frame_result(const lim_one_link *a, const double *u, double servo,
                                     const lim_carried *c) {
  lim_static_frame f = {.name = c->name};
  if (c->link < 0) { // on the world
    memcpy(f.position, c->xyz, sizeof f.position);
    return f;
  }
  double d[6], x[3], world[3];
  frame_motion(d, a, u, servo, c);
  lim_pose_along(x, a->link, c->fraction);
  for (int i = 0; i < 3; i++) x[i] += c->xyz[i];
  lim_rotate(world, a->R, x);
  lim_rotate(f.displacement, a->R, d);
  lim_rotate(f.rotation, a->R, d + 3);
  for (int i = 0; i < 3; i++) f.position[i] = a->origin[i] + world[i] + f.displacement[i];
  return f;
}

static lim_static_joint joint_result(const lim_one_link *a, const double f[6]) {
  lim_static_joint j = {.name = a->link->joint.head.name};
  double back[6];
  for (int i = 0; i < 6; i++) back[i] = -f[i];
  lim_rotate(j.force, a->R, back);
  lim_rotate(j.moment, a->R, back + 3);
  for (int i = 0; i < 6 && a->nfree == 1; i++) j.effort += a->freedom[0][i] * back[i];
  return j;
}

static double stress_at(const lim_one_link *a, const double *u, const lim_beam_load *load, lim_point p) {
  const lim_element *e = &a->mesh->element[p.element];
  lim_section_force f = lim_beam_element_force(a->mesh, u, load, p);
  return lim_section_mises(e->from, e->to, e->f0 + p.s * (e->f1 - e->f0), e->nu, f);
}

// Sought at both ends of every element and at three places between (a distributed load may have its largest
// moment there, a tapered piece its largest stress), and on both sides of concentrated loads. NaN: not known.
static double largest_stress(const lim_one_link *a, const double *u, const lim_beam_load *load) {
  double largest = 0;
  int inside = 5 * a->mesh->nelement;
  for (int i = 0; i < inside + 2 * a->nload; i++) {
    lim_point p = {i / 5, 0.25 * (i % 5)};
    if (i >= inside) p = lim_mesh_point(a->mesh, a->load[(i - inside) / 2].at);
    if (i >= inside && (i - inside) % 2) p.s = fmin(nextafter(p.s, 2), 1);
    double stress = stress_at(a, u, load, p);
    if (isnan(stress)) return NAN;
    largest = fmax(largest, stress);
  }
  return largest;
}

static lim_static_gauge gauge_result(const lim_one_link *a, const double *u, const lim_beam_load *load,
                                     const lim_gauge *g) {
  lim_section_data s = lim_mesh_section(a->mesh, g->at.value);
  double sign = g->face == LIM_FACE_PY || g->face == LIM_FACE_PZ ? 0.5 : -0.5;
  bool on_y = g->face == LIM_FACE_PY || g->face == LIM_FACE_NY;
  lim_section_force f = lim_beam_section_force(a->mesh, u, load, g->at.value);
  lim_static_gauge r = {.link = a->link->head.name, .name = g->head.name};
  r.strain = lim_beam_strain(a->mesh, g->at.value, f, on_y ? sign * s.y : 0, on_y ? 0 : sign * s.z);
  if (!(on_y ? s.y > 0 : s.z > 0)) r.strain = NAN; // a general section without an outline
  r.stress = r.strain * a->mesh->element[0].E;
  return r;
}

static lim_code fill(lim_static *s, lim_one_link *a, const double *u, const lim_beam_load *load,
                     lim_error *err) {
  int n = 0;
  lim_carried *frame = lim_one_link_frames(a, &s->arena, &n);
  const lim_link *link = a->link;
  int ngauge = a->mesh ? link->gauges.count : 0;
  s->frames.item = lim_arena_array(&s->arena, (size_t)n, sizeof *s->frames.item);
  s->joints.item = lim_arena_array(&s->arena, 1, sizeof *s->joints.item);
  s->links.item = lim_arena_array(&s->arena, 1, sizeof *s->links.item);
  s->gauges.item = lim_arena_array(&s->arena, (size_t)ngauge, sizeof *s->gauges.item);
  if (!frame || !s->frames.item || !s->joints.item || !s->links.item || !s->gauges.item)
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  double f[6];
  lim_one_link_resultant(f, a);
  double servo = servo_deflection(a, f);
  const double *bent = link->basis.type == LIM_BASIS_RIGID ? NULL : u;
  for (int i = 0; i < n; i++) s->frames.item[s->frames.count++] = frame_result(a, bent, servo, &frame[i]);
  s->joints.item[s->joints.count++] = joint_result(a, f);
  for (int i = 0; i < ngauge; i++)
    s->gauges.item[s->gauges.count++] = gauge_result(a, u, load, &link->gauges.item[i]);
  if (a->mesh) s->links.item[s->links.count++] = (lim_static_link){link->head.name, largest_stress(a, u, load)};
  return LIM_OK;
}

lim_code lim_static_new(lim_static **out, const lim_model *model, lim_error *err) {
  *out = NULL;
  lim_static *s = calloc(1, sizeof *s);
  if (!s) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_one_link a;
  double *u = NULL;
  lim_beam_load load = {0};
  lim_code code = lim_one_link_start(&a, model, err);
  if (code == LIM_OK && a.mesh) code = lim_rest_shape(&u, &load, &a, err);
  if (code == LIM_OK) code = fill(s, &a, u, &load, err);
  lim_one_link_free(&a);
  if (code == LIM_OK)
    *out = s;
  else
    lim_static_free(s);
  return code;
}

void lim_static_free(lim_static *s) {
  if (!s) return;
  lim_arena_free(&s->arena);
  free(s);
}
