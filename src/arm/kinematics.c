// kinematics.c - motion of bodies and sites in world axes, energies and momentum. Theory:
// docs/theory/dynamics.md.
#include "arm/kinematics.h"

#include "arm/body/kind.h"
#include "arm/rail.h"
#include "arm/section.h"
#include "math/rotation.h"

// A section against its body.
typedef struct {
  lim_section_shift by;
  double E[9], w[3], dw[3]; // rotation, its angular velocity and acceleration in the body's axes
} section_state;

// J b = b + a2 t x b + a3 t x (t x b), the left Jacobian of the rotation vector t.
static void left_jacobian(double out[3], const double t[3], double a2, double a3, const double b[3]) {
  double tb[3], ttb[3];
  lim_cross(tb, t, b);
  lim_cross(ttb, t, tb);
  for (int i = 0; i < 3; i++) out[i] = b[i] + a2 * tb[i] + a3 * ttb[i];
}

// Angular velocity and acceleration of exp(t) from t, t', t''.
static void rotation_rates(section_state *x, const double t[3], const double dt[3], const double ddt[3]) {
  double f2 = lim_dot(t, t), f = sqrt(f2), n[3];
  double a2 = 0.5 - f2 / 24 + f2 * f2 / 720, a3 = 1.0 / 6 - f2 / 120 + f2 * f2 / 5040;
  double d2 = -1.0 / 24 + f2 / 360, d3 = -1.0 / 120 + f2 / 2520; // derivatives by f^2
  if (f > 0.05) {
    double a1 = sin(f) / f;
    a2 = 2 * sin(f / 2) * sin(f / 2) / f2;
    a3 = (f - sin(f)) / (f2 * f);
    d2 = (a1 - 2 * a2) / (2 * f2);
    d3 = (a2 - 3 * a3) / (2 * f2);
  }
  for (int i = 0; i < 3; i++) n[i] = f > 0 ? t[i] / f : i == 0;
  lim_rotation_axis(x->E, n, f);
  left_jacobian(x->w, t, a2, a3, dt);
  left_jacobian(x->dw, t, a2, a3, ddt);
  double tv[3], ttv[3], vtv[3], rate = 2 * lim_dot(t, dt);
  lim_cross(tv, t, dt);
  lim_cross(ttv, t, tv);
  lim_cross(vtv, dt, tv);
  for (int i = 0; i < 3; i++) x->dw[i] += d2 * rate * tv[i] + d3 * rate * ttv[i] + a3 * vtv[i];
}

// The frame that an offset c and axes Rc make with a section at X, which moves by x.by against its body m.
static lim_world_motion carried_by(lim_world_motion m, section_state x, const double X[3], const double c[3],
                                   const double Rc[9]) {
  rotation_rates(&x, x.by.t, x.by.dt, x.by.ddt);
  double arm[3], r[3], rate[3], second[3], R[9], turned[9];
  lim_rotate(arm, x.E, c); // body axes
  for (int i = 0; i < 3; i++) {
    r[i] = X[i] + x.by.u[i] + arm[i];
    rate[i] = x.by.du[i];
    second[i] = x.by.ddu[i];
  }
  double warm[3];
  lim_cross(warm, x.w, arm);
  lim_add(rate, 1, warm);
  lim_add_cross(second, x.dw, arm);
  lim_add_cross(second, x.w, warm);
  double world[5][3]; // r, rate, second, w, dw in world axes
  const double *local[5] = {r, rate, second, x.w, x.dw};
  for (int i = 0; i < 5; i++) lim_rotate(world[i], m.R, local[i]);
  double wr[3];
  lim_cross(wr, m.w, world[0]);
  lim_add(m.p, 1, world[0]);
  lim_add(m.a, 1, world[2]);
  lim_add_cross(m.a, m.alpha, world[0]);
  lim_add_cross(m.a, m.w, wr);
  lim_add_cross(m.a, (double[3]){2 * m.w[0], 2 * m.w[1], 2 * m.w[2]}, world[1]);
  lim_add(m.v, 1, wr);
  lim_add(m.v, 1, world[1]);
  lim_add(m.alpha, 1, world[4]);
  lim_add_cross(m.alpha, m.w, world[3]);
  lim_add(m.w, 1, world[3]);
  lim_mat3_product(turned, m.R, x.E);
  lim_mat3_product(R, turned, Rc);
  memcpy(m.R, R, sizeof R);
  return m;
}

lim_world_motion lim_kinematics_site(const lim_arm *s, const lim_site *site, const lim_world_motion *body,
                                     const double *q, const double *v, const double *a) {
  static const lim_world_motion world = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  int e = site->body < 0 ? 0 : s->bodies[site->body].e;
  section_state x;
  lim_section_shift_of(&x.by, &site->section, q + e, v ? v + e : NULL, a ? a + e : NULL);
  return carried_by(body ? *body : world, x, site->section.X, site->c, site->Rc);
}

lim_world_motion lim_kinematics_on_rail(const lim_arm *s, const lim_rail_span *span, const double place[3],
                                        const lim_world_motion *body, const double *q, const double *v,
                                        const double *a) {
  static const double none[3] = {0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int e = s->bodies[span->body].e;
  section_state x;
  lim_rail_shift(&x.by, span, place, q + e, v ? v + e : NULL, a ? a + e : NULL);
  return carried_by(*body, x, none, none, axes);
}

static void move_joint(lim_world_motion *m, const lim_arm_body *b, double q, double v, double a) {
  double axis[3];
  lim_rotate(axis, m->R, b->moves.about);
  lim_screw_move(m->R, m->p, &b->moves, q);
  if (b->moves.turns) {
    double spin[3] = {v * axis[0], v * axis[1], v * axis[2]};
    lim_add(m->alpha, a, axis);
    lim_add_cross(m->alpha, m->w, spin);
    lim_add(m->w, 1, spin);
  }
  if (b->moves.slides) {
    lim_rotate(axis, m->R, b->moves.along);
    double r[3] = {q * axis[0], q * axis[1], q * axis[2]}, wr[3],
           rate[3] = {2 * v * axis[0], 2 * v * axis[1], 2 * v * axis[2]};
    lim_cross(wr, m->w, r);
    lim_add(m->a, a, axis);
    lim_add_cross(m->a, m->alpha, r);
    lim_add_cross(m->a, m->w, wr);
    lim_add_cross(m->a, m->w, rate);
    lim_add(m->v, v, axis);
    lim_add(m->v, 1, wr);
  }
}

void lim_kinematics(lim_world_motion *out, const lim_arm *s, const double *q, const double *v,
                    const double *a) {
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    const lim_site *on = lim_arm_on_at(b, q);
    out[i] = lim_kinematics_at(s, on, out, q, v, a);
    if (b->q >= 0) move_joint(&out[i], b, q[b->q], v ? v[b->q] : 0, a ? a[b->q] : 0);
  }
}

// --- energies ---

// Speed of a rotor about its axis n (world axes): its carrier turns it too.
static double rotor_speed(double n[3], const lim_arm *s, const lim_rotor *r, const lim_world_motion *body,
                          const double *q, const double *v) {
  lim_site section = r->on;
  memcpy(section.Rc, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof section.Rc);
  lim_world_motion m = lim_kinematics_at(s, &section, body, q, v, NULL);
  lim_rotate(n, m.R, r->axis);
  return r->ratio * v[r->x] + lim_dot(n, m.w);
}

// Of a simple one only its speed against the carrier counts.
static double rotor_energy(const lim_arm *s, const lim_rotor *r, const lim_world_motion *body, const double *q,
                           const double *v) {
  double n[3], speed = r->ratio * v[r->x];
  if (r->complete && r->on.body >= 0) speed = rotor_speed(n, s, r, body, q, v);
  return r->inertia * speed * speed / 2;
}

lim_energies lim_energies_of(const lim_arm *s, const lim_world_motion *body, const double *q, const double *v) {
  lim_energies e = {0};
  for (int i = 0; i < s->nbody; i++) s->bodies[i].kind->energies(&e, s, i, &body[i], q, v);
  for (int i = 0; i < s->nrotor; i++) e.kinetic += rotor_energy(s, &s->rotor[i], body, q, v);
  return e;
}

// --- momentum ---

// P = R p, L = R l + x x P of a body with its frame at x.
static void add_momentum(lim_momentum *sum, const lim_world_motion *m, const double p[3], const double l[3]) {
  double P[3], L[3];
  lim_rotate(P, m->R, p);
  lim_rotate(L, m->R, l);
  lim_add(sum->linear, 1, P);
  lim_add(sum->angular, 1, L);
  lim_add_cross(sum->angular, m->p, P);
}

lim_momentum lim_momentum_of(const lim_arm *s, const lim_world_motion *body, const double *q, const double *v) {
  lim_momentum sum = {{0}, {0}};
  for (int i = 0; i < s->nbody; i++) {
    double p[3], l[3];
    s->bodies[i].kind->momentum(p, l, s, i, &body[i], q, v);
    add_momentum(&sum, &body[i], p, l);
  }
  for (int i = 0; i < s->nrotor; i++) {
    const lim_rotor *r = &s->rotor[i];
    double n[3], speed = r->complete ? rotor_speed(n, s, r, body, q, v) : 0;
    if (r->complete) lim_add(sum.angular, r->inertia * speed, n);
  }
  return sum;
}
