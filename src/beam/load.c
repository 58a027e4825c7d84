// load.c - consistent nodal forces, and section forces by equilibrium. Theory: docs/theory/beam.md (22)-(30).
#include "beam/load.h"

#include <string.h>

// p (12) += N' (force, moment) at s of an element   (24)
static void add_point(double p[12], const lim_element *e, double s, const lim_point_load *load) {
  double N[72];
  lim_element_interpolation(N, e, s);
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < 12; i++) p[i] += N[12 * r + i] * load->force[r] + N[12 * (r + 3) + i] * load->moment[r];
}

// y (12) += A x
static void add_times(double y[12], const double A[144], const double x[12]) {
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) y[i] += A[12 * i + j] * x[j];
}

// p (12) += consistent forces of all but the concentrated loads on element i   (22), (23)
static void add_distributed(double p[12], const lim_mesh *mesh, const lim_beam_load *load, int i) {
  double pq[12];
  lim_element_load(pq, &mesh->element[i], load->q);
  for (int k = 0; k < 12; k++) p[k] += pq[k];
  if (load->field) add_times(p, mesh->Me + 144 * i, load->field + 6 * i);
}

void lim_beam_add_point(double *p, const lim_mesh *mesh, lim_point_load load) {
  lim_point at = lim_mesh_point(mesh, load.at);
  add_point(p + 6 * at.element, &mesh->element[at.element], at.s, &load);
}

void lim_beam_add_load(double *p, const lim_mesh *mesh, const lim_beam_load *load) {
  for (int i = 0; i < mesh->nelement; i++) add_distributed(p + 6 * i, mesh, load, i);
  for (int k = 0; k < load->npoint; k++) lim_beam_add_point(p, mesh, load->point[k]);
}

// r (6) += the force and moment f at a distance `arm` along x from the section: arm x force   (27)
static void add_at_arm(double r[6], const double force[3], const double moment[3], double arm) {
  for (int k = 0; k < 3; k++) {
    r[k] += force[k];
    r[3 + k] += moment[k];
  }
  r[4] -= arm * force[2];
  r[5] += arm * force[1];
}

// r (6) += what acts on the element between its start and s, about the section at s   (28)
static void add_behind(double r[6], const lim_mesh *mesh, const lim_beam_load *load, lim_point at) {
  const lim_element *e = &mesh->element[at.element];
  double x = at.s * e->L, zero[3] = {0}, q[3] = {x * load->q[0], x * load->q[1], x * load->q[2]};
  add_at_arm(r, q, zero, -x / 2);
  if (load->field) {
    double body[6];
    lim_element_body_force(body, e, load->field + 6 * at.element, at.s);
    for (int k = 0; k < 6; k++) r[k] += body[k];
  }
  for (int k = 0; k < load->npoint; k++) {
    const lim_point_load *f = &load->point[k];
    lim_point place = lim_mesh_point(mesh, f->at);
    if (place.element == at.element && place.s < at.s && f->at > 0)
      add_at_arm(r, f->force, f->moment, place.s * e->L - x);
  }
}

// f (12) = Ke u - pe: what its nodes exert on the element   (26)
static void end_forces(double f[12], const lim_mesh *mesh, const double *u, const lim_beam_load *load, int i) {
  double p[12] = {0};
  add_distributed(p, mesh, load, i);
  for (int k = 0; k < load->npoint; k++) {
    lim_point place = lim_mesh_point(mesh, load->point[k].at);
    bool inside = place.element == i && load->point[k].at > 0; // what acts at the root goes into what holds it
    if (inside) add_point(p, &mesh->element[i], place.s, &load->point[k]);
  }
  for (int k = 0; k < 12; k++) f[k] = -p[k];
  add_times(f, mesh->Ke + 144 * i, u + 6 * i);
}

lim_section_force lim_beam_element_force(const lim_mesh *mesh, const double *u, const lim_beam_load *load,
                                         lim_point at) {
  double f[12], r[6] = {0};
  end_forces(f, mesh, u, load, at.element);
  add_at_arm(r, f, f + 3, -at.s * mesh->element[at.element].L);
  add_behind(r, mesh, load, at);
  return (lim_section_force){-r[0], -r[1], -r[2], -r[3], -r[4], -r[5]}; // (29)
}

lim_section_force lim_beam_section_force(const lim_mesh *mesh, const double *u, const lim_beam_load *load,
                                         double fraction) {
  return lim_beam_element_force(mesh, u, load, lim_mesh_point(mesh, fraction));
}

void lim_beam_axial_force(double *N, const lim_mesh *mesh, const double *u, const lim_beam_load *load) {
  for (int i = 0; i < mesh->nelement; i++)
    for (int k = 0; k < 3; k++) N[3 * i + k] = lim_beam_element_force(mesh, u, load, (lim_point){i, 0.5 * k}).N;
}

double lim_beam_strain(const lim_element *e, double s, lim_section_force f, lim_face face) {
  lim_section_data a = lim_element_section(e, s);
  bool on_y = face == LIM_FACE_PY || face == LIM_FACE_NY;
  double half = (on_y ? a.y : a.z) / 2, sign = face == LIM_FACE_PY || face == LIM_FACE_PZ ? 1 : -1;
  if (!(half > 0)) return NAN;
  double bending = on_y ? -f.Mz / a.Iz : f.My / a.Iy;
  return (f.N / a.A + sign * half * bending) / e->E; // (30)
}
