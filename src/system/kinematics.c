// kinematics.c - motion of bodies and sites in world axes, and energies. Theory: docs/theory/dynamics.md.
#include "system/kinematics.h"

#include "math/rotation.h"

static void add(double out[3], double k, const double x[3]) {
  for (int i = 0; i < 3; i++) out[i] += k * x[i];
}

// out += a x b
static void add_cross(double out[3], const double a[3], const double b[3]) {
  double c[3];
  lim_cross(c, a, b);
  add(out, 1, c);
}

// Rows first .. first + 2 of N times x; 0 where x is NULL.
static void rows(double out[3], const lim_section_motion *s, const double *x, int first) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int j = 0; x && j < s->count; j++) out[i] += s->N[(first + i) * s->count + j] * x[s->first + j];
  }
}

// A section against its body: displacement, rotation vector, and their two derivatives.
typedef struct {
  double u[3], du[3], ddu[3];
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

// x'A y of the coordinates first .. first + n - 1
static double form(const double *A, const double *x, const double *y, int first, int n) {
  double sum = 0;
  for (int i = 0; A && i < n; i++)
    for (int j = 0; j < n; j++) sum += x[first + i] * A[i * n + j] * y[first + j];
  return sum;
}

// The same of a sliding beam, whose matrices are bands.
static double slide_form(const double *A, const double *x, const double *y, const lim_sliding *s) {
  double sum = 0;
  for (int i = 0; A && i < s->n; i++) {
    int low = i > s->width ? i - s->width : 0, high = i + s->width < s->n ? i + s->width : s->n - 1;
    double row = 0;
    for (int j = low; j <= high; j++) row += A[i * s->n + j] * y[j];
    sum += x[i] * row;
  }
  return sum;
}

// The length of a sliding beam that bends, and its two rates.
typedef struct {
  double l, d, dd;
} bending_length;

static bending_length length_of(const lim_sliding *s, double free, double v, double a) {
  double out[3];
  lim_sliding_length(out, s, free);
  return (bending_length){out[0], out[1] * v, out[1] * a + out[2] * v * v};
}

// What the free length does to a section of a sliding beam: it moves along, shortens and turns over that
// length.
static void slide_section(section_state *x, double t[3], double dt[3], double ddt[3],
                          const lim_section_motion *s, const double *q, const double *v, const double *a) {
  double free[3] = {q[-s->back], v ? v[-s->back] : 0, a ? a[-s->back] : 0};
  bending_length l = length_of(s->slide, free[0], free[1], free[2]);
  double rest = 1 - s->place;
  x->u[0] += free[0] - rest * l.l;
  x->du[0] += free[1] - rest * l.d;
  x->ddu[0] += free[2] - rest * l.dd;
  if (s->count == 0) return;
  double over = 1 / l.l, d = -l.d * over * over, dd = (2 * l.d * l.d * over - l.dd) * over * over; // of 1/l
  double b = slide_form(s->G, q, q, s->slide) / 2, db = v ? slide_form(s->G, q, v, s->slide) : 0;
  double ddb = (a ? slide_form(s->G, q, a, s->slide) : 0) + (v ? slide_form(s->G, v, v, s->slide) : 0);
  x->u[0] -= b * over;
  x->du[0] -= db * over + b * d;
  x->ddu[0] -= ddb * over + 2 * db * d + b * dd;
  for (int i = 1; i < 3; i++) {
    ddt[i] = ddt[i] * over + 2 * dt[i] * d + t[i] * dd;
    dt[i] = dt[i] * over + t[i] * d;
    t[i] *= over;
  }
}

static section_state section_of(const lim_section_motion *s, const double *q, const double *v,
                                const double *a) {
  section_state x;
  double t[3], dt[3], ddt[3];
  rows(x.u, s, q, 0);
  rows(x.du, s, v, 0);
  rows(x.ddu, s, a, 0);
  const double *G = s->slide ? NULL : s->G; // of a beam that slides it is over the free length
  x.u[0] -= form(G, q, q, s->first, s->count) / 2;
  if (v) x.du[0] -= form(G, q, v, s->first, s->count);
  if (v) x.ddu[0] -= form(G, v, v, s->first, s->count);
  if (a) x.ddu[0] -= form(G, q, a, s->first, s->count);
  rows(t, s, q, 3);
  rows(dt, s, v, 3);
  rows(ddt, s, a, 3);
  if (s->slide) slide_section(&x, t, dt, ddt, s, q, v, a);
  rotation_rates(&x, t, dt, ddt);
  return x;
}

lim_motion_in_world lim_kinematics_site(const lim_system *s, const lim_site *site,
                                        const lim_motion_in_world *body, const double *q, const double *v,
                                        const double *a) {
  lim_motion_in_world m = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (body) m = *body;
  int e = site->body < 0 ? 0 : s->member[site->body].e;
  section_state x = section_of(&site->section, q + e, v ? v + e : NULL, a ? a + e : NULL);
  double arm[3], r[3], rate[3], second[3], R[9], turned[9];
  lim_rotate(arm, x.E, site->c); // body axes
  for (int i = 0; i < 3; i++) {
    r[i] = site->section.X[i] + x.u[i] + arm[i];
    rate[i] = x.du[i];
    second[i] = x.ddu[i];
  }
  double warm[3];
  lim_cross(warm, x.w, arm);
  add(rate, 1, warm);
  add_cross(second, x.dw, arm);
  add_cross(second, x.w, warm);
  double world[5][3]; // r, rate, second, w, dw in world axes
  const double *local[5] = {r, rate, second, x.w, x.dw};
  for (int i = 0; i < 5; i++) lim_rotate(world[i], m.R, local[i]);
  double wr[3];
  lim_cross(wr, m.w, world[0]);
  add(m.p, 1, world[0]);
  add(m.a, 1, world[2]);
  add_cross(m.a, m.alpha, world[0]);
  add_cross(m.a, m.w, wr);
  add_cross(m.a, (double[3]){2 * m.w[0], 2 * m.w[1], 2 * m.w[2]}, world[1]);
  add(m.v, 1, wr);
  add(m.v, 1, world[1]);
  add(m.alpha, 1, world[4]);
  add_cross(m.alpha, m.w, world[3]);
  add(m.w, 1, world[3]);
  lim_mat3_product(turned, m.R, x.E);
  lim_mat3_product(R, turned, site->Rc);
  memcpy(m.R, R, sizeof R);
  return m;
}

static void move_joint(lim_motion_in_world *m, const lim_member *b, double q, double v, double a) {
  if (b->slide) return;
  double axis[3], turn[9], R[9];
  lim_rotate(axis, m->R, b->axis);
  if (b->type == LIM_REVOLUTE) {
    lim_rotation_axis(turn, b->axis, q);
    lim_mat3_product(R, m->R, turn);
    memcpy(m->R, R, sizeof R);
    double spin[3] = {v * axis[0], v * axis[1], v * axis[2]};
    add(m->alpha, a, axis);
    add_cross(m->alpha, m->w, spin);
    add(m->w, 1, spin);
  } else if (b->type == LIM_PRISMATIC) {
    double r[3] = {q * axis[0], q * axis[1], q * axis[2]}, wr[3],
           rate[3] = {2 * v * axis[0], 2 * v * axis[1], 2 * v * axis[2]};
    lim_cross(wr, m->w, r);
    add(m->p, 1, r);
    add(m->a, a, axis);
    add_cross(m->a, m->alpha, r);
    add_cross(m->a, m->w, wr);
    add_cross(m->a, m->w, rate);
    add(m->v, v, axis);
    add(m->v, 1, wr);
  }
}

void lim_kinematics(lim_motion_in_world *out, const lim_system *s, const double *q, const double *v,
                    const double *a) {
  for (int i = 0; i < s->nbody; i++) {
    const lim_member *b = &s->member[i];
    out[i] = lim_kinematics_site(s, &b->on, b->on.body < 0 ? NULL : &out[b->on.body], q, v, a);
    if (b->q >= 0) move_joint(&out[i], b, q[b->q], v ? v[b->q] : 0, a ? a[b->q] : 0);
  }
}

// --- energies ---

static double band_form(const double *B, int width, const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = i > width ? i - width : 0; j <= i; j++)
      sum += (j < i ? 2 : 1) * x[i] * x[j] * B[i * (width + 1) + j - i + width];
  return sum;
}

static double sparse_form(const lim_sparse *S, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < S->n; i++)
    for (int k = S->start[i]; k < S->start[i + 1]; k++) sum += x[i] * S->value[k] * y[S->column[k]];
  return sum;
}

// First moment sum w x, and momentum of the deformation sum w N eta', in the body's axes.
static void moments(double d[3], double p[3], double L[3], const lim_body *b, const double *eta,
                    const double *v) {
  for (int i = 0; i < 3; i++) {
    d[i] = b->moment[i];
    p[i] = 0;
    L[i] = sparse_form(&b->B[i], eta, v);
    for (int j = 0; j < b->n; j++) {
      d[i] += b->first[i * b->n + j] * eta[j];
      p[i] += b->first[i * b->n + j] * v[j];
      L[i] += b->second[i * b->n + j] * v[j];
    }
  }
}

static void inertia_tensor(double J[9], const lim_body *b, const double *eta) {
  double I[6], P[6];
  for (int i = 0; i < 6; i++) {
    I[i] = b->inertia[i];
    P[i] = sparse_form(&b->S[i], eta, eta);
    for (int j = 0; j < b->n; j++) I[i] += b->inertia1[i * b->n + j] * eta[j];
  }
  const double T[6] = {I[0] + P[1] + P[2], I[1] + P[0] + P[2], I[2] + P[0] + P[1],
                       I[3] - P[3],        I[4] - P[4],        I[5] - P[5]};
  const double full[9] = {T[0], T[3], T[4], T[3], T[1], T[5], T[4], T[5], T[2]};
  memcpy(J, full, sizeof full);
}

// m v.v/2 + w.J w/2 + eta'M eta'/2 + v.(w x d + p) + w.L, all in the body's axes
static double kinetic(const lim_body *b, const lim_motion_in_world *m, const double *eta, const double *rate) {
  double v[3], w[3], d[3], p[3], L[3], J[9], Jw[3], wd[3];
  lim_rotate_back(v, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  moments(d, p, L, b, eta, rate);
  inertia_tensor(J, b, eta);
  lim_rotate(Jw, J, w);
  lim_cross(wd, w, d);
  add(wd, 1, p);
  double T = b->mass * lim_dot(v, v) / 2 + lim_dot(w, Jw) / 2 + lim_dot(v, wd) + lim_dot(w, L);
  return T + band_form(b->M, b->width, rate, b->n) / 2;
}

// A point to first order, x and its velocity r in the body's axes, and what bending adds: s, ds.
typedef struct {
  double x[3], r[3], s[3], ds[3];
} bent_point;

static bent_point bend_point(const lim_body_point *p, const double *eta, const double *rate) {
  bent_point out;
  int c = p->count;
  for (int i = 0; i < 3; i++) {
    out.x[i] = p->X[i];
    out.r[i] = 0;
    for (int j = 0; j < c; j++) {
      out.x[i] += p->N[i * c + j] * eta[p->first + j];
      out.r[i] += p->N[i * c + j] * rate[p->first + j];
    }
    out.s[i] = form(p->H[i], eta, eta, p->first, c) / 2;
    out.ds[i] = form(p->H[i], eta, rate, p->first, c);
  }
  return out;
}

// What second-order displacements add to the kinetic energy, and to the first moment d.
static double bent_kinetic(double d[3], const lim_body *b, const lim_motion_in_world *m, const double *eta,
                           const double *rate) {
  double v[3], w[3], T = 0;
  lim_rotate_back(v, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  for (int i = 0; i < b->npoint; i++) {
    bent_point p = bend_point(&b->point[i], eta, rate);
    add(d, b->point[i].w, p.s);
    add(p.r, 1, v);
    add_cross(p.r, w, p.x);
    add_cross(p.ds, w, p.s);
    T += b->point[i].w * (lim_dot(p.r, p.ds) + lim_dot(p.ds, p.ds) / 2);
  }
  return T;
}

// Energy of strings beyond that of K.
static double string_energy(const lim_body *b, const double *eta) {
  double U = 0;
  for (int k = 0; k < b->nstring; k++) {
    const lim_body_string *s = &b->string[k];
    double ends = 0, bent = 0;
    for (int e = 0; e < 2; e++)
      if (s->end[e] >= 0) ends += e ? eta[s->end[e]] : -eta[s->end[e]];
    for (int p = 0; p < s->planes; p++) {
      const lim_body_bend *x = &s->plane[p];
      const double d[3] = {x->span[0] * eta[x->index[0]] + x->span[1] * eta[x->index[2]], eta[x->index[1]],
                           eta[x->index[3]]};
      for (int i = 0; i < 9; i++) bent += d[i / 3] * x->G[i] * d[i % 3] / 2;
    }
    U += s->stiffness * (ends * bent + bent * bent / 2);
  }
  return U;
}

// Of a rotor's spin: its carrier turns it too, unless it is a simple one.
static double rotor_energy(const lim_system *s, const lim_rotor *r, const lim_motion_in_world *body,
                           const double *q, const double *v) {
  double speed = r->ratio * v[r->x];
  if (r->complete && r->on.body >= 0) {
    lim_site section = r->on;
    double n[3];
    memcpy(section.Rc, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof section.Rc);
    lim_motion_in_world m = lim_kinematics_site(s, &section, &body[r->on.body], q, v, NULL);
    lim_rotate(n, m.R, r->axis);
    speed += lim_dot(n, m.w);
  }
  return r->inertia * speed * speed / 2;
}

// A material point of a beam that slides: kinetic energy and potential.
static void add_material(lim_energies *e, const lim_system *s, const lim_motion_in_world *m, double mass,
                         const double x[3], const double rate[3]) {
  double v[3], w[3], world[3];
  lim_rotate_back(v, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  add_cross(v, w, x);
  add(v, 1, rate);
  lim_rotate(world, m->R, x);
  add(world, 1, m->p);
  e->kinetic += mass * lim_dot(v, v) / 2;
  e->gravity -= mass * lim_dot(s->gravity, world);
}

// A node of it: nodal coordinates and their rates, out (2 x LIM_NODE).
static void sliding_node(double out[2 * LIM_NODE], const lim_sliding *x, const double *eta, const double *rate,
                         int node) {
  for (int i = 0; i < LIM_NODE; i++) {
    out[i] = out[LIM_NODE + i] = 0;
    for (int j = 0; j < x->n && x->has[i / 2]; j++) {
      double phi = x->Phi[(size_t)j * (size_t)x->ndof + (size_t)(LIM_NODE * node + i)];
      out[i] += phi * eta[j];
      out[LIM_NODE + i] += phi * rate[j];
    }
  }
}

// Axial coordinates of a node become true displacements: b, its rate and those of db/ds are what bending takes.
static void draw_node(double y[2 * LIM_NODE], const double b[2], bending_length l) {
  const double *v = y + LIM_NODE;
  double slope = (y[3] * y[3] + y[5] * y[5]) / 2, rate = y[3] * v[3] + y[5] * v[5], k = l.d / l.l;
  y[LIM_NODE] -= (b[1] - k * b[0]) / l.l;
  y[LIM_NODE + 1] -= (rate - k * slope) / l.l;
  y[0] -= b[0] / l.l;
  y[1] -= slope / l.l;
}

// What bending of an element takes, and its rate, added to b. y: its two nodes.
static void add_element_bend(double b[2], const lim_sliding *x, double y[2][2 * LIM_NODE]) {
  for (int f = 1; f <= 2; f++)
    for (int i = 0; i < 16; i++) {
      int k = i / 4, l = i % 4;
      double d = y[k / 2][2 * f + k % 2], other = y[l / 2][2 * f + l % 2];
      b[0] += x->Ge[i] * d * other / 2;
      b[1] += x->Ge[i] * d * y[l / 2][LIM_NODE + 2 * f + l % 2];
    }
}

static void add_bent_part(lim_energies *e, const lim_system *s, const lim_member *b,
                          const lim_motion_in_world *m, const double *q, const double *v) {
  const lim_sliding *x = b->slide;
  bending_length l = length_of(x, q[b->q], v[b->q], 0);
  double w[3], y[2][2 * LIM_NODE], taken[2] = {0, 0};
  lim_rotate_back(w, m->R, m->w);
  sliding_node(y[1], x, q + b->e, v + b->e, 0);
  if (x->shortens) draw_node(y[1], taken, l);
  for (int k = 0; k < x->nelement; k++) {
    memcpy(y[0], y[1], sizeof y[0]);
    sliding_node(y[1], x, q + b->e, v + b->e, k + 1);
    add_element_bend(taken, x, y);
    if (x->shortens) draw_node(y[1], taken, l);
    for (int g = 0; g < LIM_SLIDING_POINTS; g++) {
      double rest = 1 - (x->s[g] + (double)k / x->nelement), f[LIM_FIELDS] = {0}, d[LIM_FIELDS] = {0};
      for (int i = 0; i < 4 * LIM_FIELDS; i++) {
        const double *node = y[i % 4 / 2] + 2 * (i / 4) + i % 2;
        f[i / 4] += x->at[g].N[i % 4] * node[0];
        d[i / 4] += x->at[g].N[i % 4] * node[LIM_NODE] + rest * l.d / l.l * x->at[g].d1[i % 4] * node[0];
      }
      double mass = x->mass * x->w[g] * l.l, spin = x->polar * x->w[g] * l.l;
      add_material(e, s, m, mass, (double[3]){q[b->q] - rest * l.l + f[0], f[1], f[2]},
                   (double[3]){v[b->q] + d[0], d[1], d[2]});
      e->kinetic += spin * (w[0] * d[3] + d[3] * d[3] / 2);
    }
  }
}

static void add_sliding(lim_energies *e, const lim_system *s, const lim_member *b, const lim_motion_in_world *m,
                        const double *q, const double *v) {
  const lim_sliding *x = b->slide;
  bending_length l = length_of(x, q[b->q], v[b->q], 0), rest = length_of(x, x->length - q[b->q], 0, 0);
  if (x->n == 0) l.l = 0;
  double w[3], straight = x->length - l.l;
  lim_rotate_back(w, m->R, m->w);
  for (int i = 0; i < 3; i++) e->kinetic += x->rotary[i] * w[i] * w[i] / 2;
  for (int g = 0; g < 2; g++) { // two points are exact
    double at = g ? 0.78867513459481288225 : 0.21132486540518711775;
    add_material(e, s, m, x->mass * straight / 2, (double[3]){q[b->q] - x->length + at * straight, 0, 0},
                 (double[3]){v[b->q], 0, 0});
  }
  if (x->n == 0) return;
  add_bent_part(e, s, b, m, q, v);
  const double *eta = q + b->e;
  e->strain += slide_form(x->K1, eta, eta, x) / (2 * l.l) +
               slide_form(x->K3, eta, eta, x) / (2 * l.l * l.l * l.l) +
               slide_form(x->Kb, eta, eta, x) / (2 * rest.l);
}

lim_energies lim_energies_of(const lim_system *s, const lim_motion_in_world *body, const double *q,
                             const double *v) {
  lim_energies e = {0};
  for (int i = 0; i < s->nbody; i++) {
    const lim_body *b = s->member[i].body;
    const double *eta = q + s->member[i].e, *rate = v + s->member[i].e;
    double d[3], p[3], L[3], world[3];
    if (s->member[i].slide) {
      add_sliding(&e, s, &s->member[i], &body[i], q, v);
      continue;
    }
    moments(d, p, L, b, eta, rate);
    e.kinetic += kinetic(b, &body[i], eta, rate) + bent_kinetic(d, b, &body[i], eta, rate);
    e.strain += band_form(b->K, b->width, eta, b->n) / 2 + string_energy(b, eta);
    lim_rotate(world, body[i].R, d);
    e.gravity -= b->mass * lim_dot(s->gravity, body[i].p) + lim_dot(s->gravity, world);
  }
  for (int i = 0; i < s->nrotor; i++) e.kinetic += rotor_energy(s, &s->rotor[i], body, q, v);
  return e;
}
