// floating_frame.c - what bodies in a floating frame have in common: energies, momentum and stiffness of a
// lim_body. Theory: docs/theory/body.md.
#include "arm/body/kind.h"
#include "arm/section.h"
#include "math/rotation.h"

#include <math.h>

// --- energies ---

static double band_form(const double *B, int width, const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *row = B + i * (width + 1) + width - i;
    double below = 0;
    for (int j = i > width ? i - width : 0; j < i; j++) below += row[j] * x[j];
    sum += x[i] * (2 * below + row[i] * x[i]);
  }
  return sum;
}

static double sparse_form(const lim_sparse *S, const double *x, const double *y) {
  double sum = 0;
  if (S->n == 0 || S->start[S->n] == 0) return 0;
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

// And the first moment d: m v.v/2 + w.J w/2 + eta'M eta'/2 + v.(w x d + p) + w.L, all in the body's axes
static double kinetic(double d[3], const lim_body *b, const lim_world_motion *m, const double *eta,
                      const double *rate) {
  double v[3], w[3], p[3], L[3], J[9], Jw[3], wd[3];
  lim_rotate_back(v, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  moments(d, p, L, b, eta, rate);
  inertia_tensor(J, b, eta);
  lim_rotate(Jw, J, w);
  lim_cross(wd, w, d);
  lim_add(wd, 1, p);
  double T = b->mass * lim_dot(v, v) / 2 + lim_dot(w, Jw) / 2 + lim_dot(v, wd) + lim_dot(w, L);
  return T + band_form(b->M, b->width, rate, b->n) / 2;
}

// A point to first order, x and its velocity r in the body's axes, and what bending adds: s, ds.
typedef struct {
  double x[3], r[3], s[3], ds[3];
} bent_point;

// eta'H eta/2 and its rate; H (c x c) is symmetric, NULL where bending adds nothing.
static void bend_along(double *s, double *ds, const double *H, const double *eta, const double *rate, int c) {
  double value = 0, slope = 0;
  for (int i = 0; H && i < c; i++) {
    double row = 0;
    for (int j = 0; j < c; j++) row += H[i * c + j] * eta[j];
    value += eta[i] * row;
    slope += rate[i] * row;
  }
  *s = value / 2;
  *ds = slope;
}

static bent_point bend_point(const lim_body_point *p, const double *eta, const double *rate) {
  bent_point out;
  const int c = p->count;
  for (int i = 0; i < 3; i++) {
    const double *N = p->N + i * c;
    double x = p->X[i], r = 0;
    for (int j = 0; j < c && p->moves[i]; j++) {
      x += N[j] * eta[p->first + j];
      r += N[j] * rate[p->first + j];
    }
    out.x[i] = x;
    out.r[i] = r;
    bend_along(&out.s[i], &out.ds[i], p->H[i], eta + p->first, rate + p->first, c);
  }
  return out;
}

// What second-order displacements add to the kinetic energy, and to the first moment d.
static double bent_kinetic(double d[3], const lim_body *b, const lim_world_motion *m, const double *eta,
                           const double *rate) {
  double v[3], w[3], T = 0;
  lim_rotate_back(v, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  for (int i = 0; i < b->npoint; i++) {
    bent_point p = bend_point(&b->point[i], eta, rate);
    lim_add(d, b->point[i].w, p.s);
    lim_add(p.r, 1, v);
    lim_add_cross(p.r, w, p.x);
    lim_add_cross(p.ds, w, p.s);
    T += b->point[i].w * (lim_dot(p.r, p.ds) + lim_dot(p.ds, p.ds) / 2);
  }
  return T;
}

// Energy of strings beyond that of K.
static double string_energy(const lim_body *b, const double *eta) {
  double U = 0;
  for (int k = 0; k < b->nstretch; k++) {
    const lim_body_axial_stretch *s = &b->axial_stretch[k];
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

void lim_floating_energies(lim_energies *e, const lim_arm *s, int body, const lim_world_motion *m,
                           const double *q, const double *v) {
  const lim_body *b = s->bodies[body].body;
  const double *eta = q + s->bodies[body].e, *rate = v + s->bodies[body].e;
  double d[3], world[3];
  e->kinetic += kinetic(d, b, m, eta, rate);
  e->kinetic += bent_kinetic(d, b, m, eta, rate);
  e->strain += band_form(b->K, b->width, eta, b->n) / 2 + string_energy(b, eta);
  lim_rotate(world, m->R, d);
  e->gravity -= b->mass * lim_dot(s->gravity, m->p) + lim_dot(s->gravity, world);
}

// --- momentum ---

// m v + w x d + p, and J w + d x v + L, all in the body's axes.
static void first_order_momentum(double p[3], double l[3], const lim_body *b, const double v[3],
                                 const double w[3], const double *eta, const double *rate) {
  double d[3], J[9], Jw[3];
  moments(d, p, l, b, eta, rate);
  inertia_tensor(J, b, eta);
  lim_rotate(Jw, J, w);
  lim_add(p, b->mass, v);
  lim_add_cross(p, w, d);
  lim_add(l, 1, Jw);
  lim_add_cross(l, d, v);
}

// A point moves by s more: w (s' + w x s), and the moment of all that this changes.
static void add_bent_momentum(double p[3], double l[3], const lim_body *b, const double v[3], const double w[3],
                              const double *eta, const double *rate) {
  for (int i = 0; i < b->npoint; i++) {
    bent_point x = bend_point(&b->point[i], eta, rate);
    double moment[3];
    lim_add(x.r, 1, v);
    lim_add_cross(x.r, w, x.x);
    lim_add_cross(x.ds, w, x.s);
    lim_add(x.r, 1, x.ds); // whole velocity
    lim_cross(moment, x.x, x.ds);
    lim_add_cross(moment, x.s, x.r);
    lim_add(p, b->point[i].w, x.ds);
    lim_add(l, b->point[i].w, moment);
  }
}

void lim_floating_momentum(double p[3], double l[3], const lim_arm *s, int body, const lim_world_motion *m,
                           const double *q, const double *v) {
  const lim_arm_body *b = &s->bodies[body];
  double velocity[3], w[3];
  lim_rotate_back(velocity, m->R, m->v);
  lim_rotate_back(w, m->R, m->w);
  first_order_momentum(p, l, b->body, velocity, w, q + b->e, v + b->e);
  add_bent_momentum(p, l, b->body, velocity, w, q + b->e, v + b->e);
}

// --- matrices and sizes ---

double lim_floating_part(const lim_arm_body *m, int part, const double *x, const double *q, double *scratch) {
  static const int part_of[6] = {LIM_STRETCHING, LIM_BENDING_Y, LIM_BENDING_Z,
                                 LIM_TORSION,    LIM_BENDING_Z, LIM_BENDING_Y};
  (void)q;
  lim_basis_matrix_expand(scratch, m->shapes, x);
  for (int i = 0; i < m->mesh->ndof; i++)
    if (part_of[i % 6] != part) scratch[i] = 0;
  return lim_band_product(m->mesh->K, scratch, scratch);
}

void lim_floating_stiffness(double *K, size_t rows, const lim_arm_body *m, const double *q) {
  const lim_body *b = m->body;
  (void)q;
  for (int r = 0; r < b->n; r++)
    for (int c = r > b->width ? r - b->width : 0; c <= r; c++) {
      double x = b->K[r * (b->width + 1) + c - r + b->width];
      K[(size_t)c * rows + (size_t)r] = K[(size_t)r * rows + (size_t)c] = x;
    }
}

double lim_floating_length(const lim_arm_body *m, const double *q) {
  (void)q;
  return m->line->length;
}

double lim_floating_unit(const lim_arm_body *m) {
  const lim_basis_matrix *x = m->shapes;
  if (x->index) return 1;
  double largest = 0;
  for (int i = 0; i < x->ndof * x->n; i++)
    if (i % x->ndof % 6 < 3) largest = fmax(largest, fabs(x->Phi[i]));
  return largest;
}
