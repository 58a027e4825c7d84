// strain_rate_damping.c - f = D d2(du/dt)/dx2 across each body of a link. It is no force of a spring or damper
// between sections: at the ends of the link nothing balances it, so that it acts on the frame too. Theory:
// docs/theory/dynamics.md.
#include "arm/strain_rate_damping.h"

#include "math/gauss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const lim_arm_body *b;
  double *A;     // forces on the nodes by the rates of the nodes      (ndof x ndof by columns)
  double *F;     // force and moment about the frame by these          (6 x ndof by rows)
  double *u, *v; // (ndof)
} nodal;

// At a place of an element: d2 uy/dx2 = d tz/dx, d2 uz/dx2 = -d ty/dx, exact by differences where rotations are
// quadratic.
static void add_place(nodal *x, const lim_element *e, double s, double weight) {
  const lim_mesh *mesh = x->b->mesh;
  size_t ndof = (size_t)mesh->ndof;
  double at = e->x + s * e->L, step = 1e-3 * e->L, N[72], ahead[72], behind[72];
  int first = lim_mesh_interpolation(N, mesh, at / mesh->length);
  lim_mesh_interpolation(ahead, mesh, (at + step) / mesh->length);
  lim_mesh_interpolation(behind, mesh, (at - step) / mesh->length);
  for (int j = 0; j < 12; j++) {
    double fy = weight * (ahead[5 * 12 + j] - behind[5 * 12 + j]) / (2 * step),
           fz = -weight * (ahead[4 * 12 + j] - behind[4 * 12 + j]) / (2 * step);
    size_t column = (size_t)first + (size_t)j;
    for (int i = 0; i < 12; i++)
      x->A[column * ndof + (size_t)first + (size_t)i] += N[12 + i] * fy + N[24 + i] * fz;
    x->F[1 * ndof + column] += fy;
    x->F[2 * ndof + column] += fz;
    x->F[4 * ndof + column] -= at * fz;
    x->F[5 * ndof + column] += at * fy;
  }
}

// Column j of the drag in the coordinates of the body.
static void add_column(lim_strain_damper *d, double *Q, nodal *x, int j) {
  const lim_arm_body *b = x->b;
  size_t n = (size_t)b->body->n, ndof = (size_t)b->mesh->ndof;
  memset(x->u, 0, ndof * sizeof *x->u);
  if (b->shapes->index)
    x->u[b->shapes->index[j]] = 1;
  else
    memcpy(x->u, b->shapes->Phi + (size_t)j * ndof, ndof * sizeof *x->u);
  memset(x->v, 0, ndof * sizeof *x->v);
  for (size_t k = 0; k < ndof; k++)
    for (size_t i = 0; i < ndof && x->u[k] != 0; i++) x->v[i] += x->A[k * ndof + i] * x->u[k];
  lim_basis_matrix_project(Q + (size_t)j * n, b->shapes, x->v);
  for (size_t i = 0; i < 6; i++)
    for (size_t k = 0; k < ndof; k++) d->F[i * n + (size_t)j] += x->F[i * ndof + k] * x->u[k];
}

static lim_code build_body(lim_arm *s, lim_arm_body *b, double strength, lim_error *err) {
  size_t n = (size_t)b->body->n, ndof = (size_t)b->mesh->ndof;
  lim_gauss rule = lim_gauss_rule(5);
  nodal x = {.b = b};
  double *scratch = calloc(ndof * ndof + 8 * ndof + n * n, sizeof *scratch);
  lim_strain_damper *d = lim_arena_array(&s->arena, 1, sizeof *d);
  if (d) d->F = lim_arena_array(&s->arena, 6 * n, sizeof *d->F);
  bool good = scratch && d && d->F;
  if (good) {
    x.A = scratch;
    x.F = x.A + ndof * ndof;
    x.u = x.F + 6 * ndof;
    x.v = x.u + ndof;
    double *Q = x.v + ndof;
    for (int e = 0; e < b->mesh->nelement; e++)
      for (int g = 0; g < rule.n; g++)
        add_place(&x, &b->mesh->element[e], rule.s[g], strength * rule.w[g] * b->mesh->element[e].L);
    for (int j = 0; j < b->body->n; j++) add_column(d, Q, &x, j);
    good = lim_sparse_of(&d->Q, &s->arena, Q, b->body->n);
  }
  free(scratch);
  if (good) b->strain_damper = d;
  return good ? LIM_OK : lim_no_memory(err);
}

lim_code lim_strain_damper_build(lim_arm *s, int link, double strength, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = s->first_body[link]; i <= s->last_body[link] && code == LIM_OK; i++)
    if (s->bodies[i].body->n > 0) code = build_body(s, &s->bodies[i], strength, err);
  return code;
}
