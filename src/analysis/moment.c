// moment.c - frames and reactions at a recorded moment. Theory: docs/theory/simulation.md.
#include "analysis/simulate.h"
#include "math/rotation.h"

// x0 + (x+ - x-)/(2 epsilon): the first-order part of a difference, exact to its square.
static void expand(double *x, const double *minus, const double *plus, double epsilon, int n) {
  for (int i = 0; i < n; i++) x[i] = (plus[i] + minus[i]) / 2 + (plus[i] - minus[i]) / (2 * epsilon);
}

// R0 exp(w~) where w~ is the first-order change of the axes.
static void expand_axes(double R[9], const double minus[9], const double plus[9], double epsilon) {
  double D[9], w[3], n[3], turn[9];
  for (int i = 0; i < 3; i++) // D = R-' R+, a rotation by 2 epsilon w
    for (int j = 0; j < 3; j++)
      D[3 * i + j] = minus[i] * plus[j] + minus[3 + i] * plus[3 + j] + minus[6 + i] * plus[6 + j];
  w[0] = (D[7] - D[5]) / 2;
  w[1] = (D[2] - D[6]) / 2;
  w[2] = (D[3] - D[1]) / 2;
  double sine = sqrt(lim_dot(w, w));
  for (int i = 0; i < 3; i++) n[i] = sine > 0 ? w[i] / sine : i == 0;
  double angle = asin(fmin(sine, 1)); // 2 epsilon |w|
  lim_rotation_axis(turn, n, angle / 2 + angle / (2 * epsilon));
  lim_mat3_product(R, minus, turn);
}

lim_motion_in_world lim_moment_site(const lim_moment *m, const lim_site *site) {
  if (!m->linear)
    return lim_kinematics_site(m->system, site, site->body < 0 ? NULL : &m->body[site->body], m->q, m->v, m->a);
  lim_motion_in_world side[2], x = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < 2; i++)
    side[i] = lim_kinematics_site(m->system, site, site->body < 0 ? NULL : &m->at_side[i][site->body],
                                  m->beside[i][0], m->beside[i][1], m->beside[i][2]);
  expand(x.p, side[0].p, side[1].p, m->epsilon, 3);
  expand(x.v, side[0].v, side[1].v, m->epsilon, 3);
  expand(x.w, side[0].w, side[1].w, m->epsilon, 3);
  expand(x.a, side[0].a, side[1].a, m->epsilon, 3);
  expand(x.alpha, side[0].alpha, side[1].alpha, m->epsilon, 3);
  expand_axes(x.R, side[0].R, side[1].R, m->epsilon);
  return x;
}

lim_motion_in_world lim_moment_reference(const lim_moment *m, const lim_site *site) {
  return lim_kinematics_site(m->rigid, site, site->body < 0 ? NULL : &m->reference[site->body], m->rq, m->rv,
                             m->ra);
}

void lim_moment_reaction(double force[3], double moment[3], const lim_moment *m, int link) {
  int body = m->system->first_body[link];
  double F[3], N[3];
  if (m->dual)
    lim_dual_reaction(F, N, m->dual, body);
  else
    lim_rec_reaction(F, N, m->equations->w, body);
  lim_rotate(force, m->body[body].R, F);
  lim_rotate(moment, m->body[body].R, N);
}

double lim_moment_effort(const lim_moment *m, int link) {
  const lim_system *s = m->system;
  int body = s->first_body[link];
  const lim_member *b = &s->member[body];
  const lim_drive *d = lim_model_drive(s->model, link);
  if (b->m >= 0 || b->rotor < 0 || !d || !lim_gear_is_elastic(&d->gear)) return m->effort[b->q];
  double F[3], N[3];
  lim_rec_reaction(F, N, m->equations->w, body);
  return lim_dot(b->axis, b->type == LIM_REVOLUTE ? N : F);
}
