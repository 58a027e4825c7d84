// integrals.c - inertia data of a reduced link. Theory: docs/theory/finite-elements.md (9)-(11).
#include "fe/integrals.h"

#include "math/blas.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static size_t size(int a, int b) { return (size_t)a * (size_t)b; }

void lim_fe_momentum_add(lim_fe_momentum *to, const double X[3], const double p[3], const double l[3]) {
  double moment[3];
  lim_cross(moment, X, p);
  lim_add(to->F, 1, p);
  lim_add(to->L, 1, moment);
  lim_add(to->L, 1, l);
  for (int i = 0; i < 9; i++) to->H[i] += X[i / 3] * p[i % 3];
}

bool lim_fe_take_link(lim_fe_link *x, lim_arena *arena) {
  const size_t n = (size_t)x->n;
  bool good = (x->first = lim_arena_array(arena, 3 * n + 1, sizeof(double))) &&
              (x->second = lim_arena_array(arena, 3 * n + 1, sizeof(double))) &&
              (x->inertia1 = lim_arena_array(arena, 6 * n + 1, sizeof(double))) &&
              (x->M = lim_arena_array(arena, n * n + 1, sizeof(double))) &&
              (x->K = lim_arena_array(arena, n * n + 1, sizeof(double)));
  for (int k = 0; k < 9 && good; k++)
    good = (x->S[k / 3][k % 3] = lim_arena_array(arena, n * n + 1, sizeof(double))) != NULL;
  return good;
}

// Angular momentum of e_d is moment x e_d in a displacement, inertia e_d in a rotation.
static void fill_rigid(lim_fe_link *x, const lim_fe_momentum r[6]) {
  x->mass = (r[0].F[0] + r[1].F[1] + r[2].F[2]) / 3;
  x->moment[0] = (r[1].L[2] - r[2].L[1]) / 2;
  x->moment[1] = (r[2].L[0] - r[0].L[2]) / 2;
  x->moment[2] = (r[0].L[1] - r[1].L[0]) / 2;
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 6; k++)
    x->inertia[k] = (r[3 + pair[k][0]].L[pair[k][1]] + r[3 + pair[k][1]].L[pair[k][0]]) / 2;
}

void lim_fe_fill_inertia(lim_fe_link *x, const lim_fe_momentum *of, const lim_fe_momentum rigid[6]) {
  const int n = x->n;
  fill_rigid(x, rigid);
  for (int j = 0; j < n; j++) {
    const double *H = of[j].H;
    for (int i = 0; i < 3; i++) {
      x->first[i * n + j] = of[j].F[i];
      x->second[i * n + j] = of[j].L[i];
      x->inertia1[i * n + j] = 2 * (H[0] + H[4] + H[8] - H[4 * i]);
    }
    x->inertia1[3 * n + j] = -(H[1] + H[3]);
    x->inertia1[4 * n + j] = -(H[2] + H[6]);
    x->inertia1[5 * n + j] = -(H[5] + H[7]);
  }
}

void lim_fe_fill_facts(lim_fe_link *x, const double X[3], const double R[9]) {
  const double m = x->mass, *from = x->inertia;
  const double c[3] = {x->moment[0] / m, x->moment[1] / m, x->moment[2] / m};
  double J[9] = {from[0], from[3], from[4], from[3], from[1], from[5], from[4], from[5], from[2]}, T[9], A[9],
         moved[3];
  for (int i = 0; i < 9; i++) J[i] -= m * ((i % 4 == 0) * lim_dot(c, c) - c[i / 3] * c[i % 3]);
  lim_mat3_product(T, R, J);
  for (int i = 0; i < 9; i++) A[i] = lim_dot(T + 3 * (i / 3), R + 3 * (i % 3)); // R J R'
  lim_rotate(moved, R, c);
  static const int at[6] = {0, 4, 8, 1, 2, 5};
  x->facts.mass = m;
  for (int i = 0; i < 3; i++) x->facts.com[i] = X[i] + moved[i];
  for (int i = 0; i < 6; i++) x->facts.inertia[i] = A[at[i]];
}

// --- from a mesh ---

typedef struct {
  lim_arena arena;
  const lim_fe_coupled *c;
  const double *R; // axes of base
  int n;
  double *X;      // places of nodes, axes of base                                   (3 nnode)
  double *shape;  // displacements of nodes by the coordinates                       (nnode x 3 x n)
  double *pushed; // the same, times masses                                          (nnode x 3 x n)
  double *u, *Mu; // of one motion                                                   (ndof)
  double *node;   // momentum and its moment of each node, file axes                 (6 nnode)
} integration;

static bool start(integration *w) {
  const lim_fe_mesh *m = w->c->mesh;
  w->X = lim_arena_array(&w->arena, 3 * (size_t)m->nnode + 1, sizeof *w->X);
  w->shape = lim_arena_array(&w->arena, 3 * size(m->nnode, w->n) + 1, sizeof *w->shape);
  w->pushed = lim_arena_array(&w->arena, 3 * size(m->nnode, w->n) + 1, sizeof *w->pushed);
  w->u = lim_arena_array(&w->arena, 6 * (size_t)m->ndof + 1, sizeof *w->u);
  w->Mu = lim_arena_array(&w->arena, (size_t)m->ndof + 1, sizeof *w->Mu);
  w->node = lim_arena_array(&w->arena, 6 * (size_t)m->nnode + 1, sizeof *w->node);
  if (!w->X || !w->shape || !w->pushed || !w->u || !w->Mu || !w->node) return false;
  const double *base = w->c->at[w->c->base].X;
  for (int i = 0; i < m->nnode; i++) {
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = m->X[3 * (size_t)i + (size_t)k] - base[k];
    lim_rotate_back(w->X + 3 * (size_t)i, w->R, r);
  }
  return true;
}

// Momentum of a motion u: what rigid motions do with M u, which leave inner freedoms alone.
static lim_fe_momentum momentum_of(integration *w, const double *u) {
  const lim_fe_mesh *m = w->c->mesh;
  lim_fe_momentum sum = {{0}, {0}, {0}};
  lim_symmetric_times(w->Mu, &m->M, u, 1);
  lim_fe_by_node(w->node, m, w->Mu);
  for (int i = 0; i < m->nnode - m->ninner; i++) {
    double p[3], l[3];
    lim_rotate_back(p, w->R, w->node + 6 * (size_t)i);
    lim_rotate_back(l, w->R, w->node + 6 * (size_t)i + 3);
    lim_fe_momentum_add(&sum, w->X + 3 * (size_t)i, p, l);
  }
  return sum;
}

// Displacements of the nodes in coordinate j.
static void fill_shape(integration *w, const double *u, int j) {
  const lim_fe_mesh *m = w->c->mesh;
  lim_fe_by_node(w->node, m, u);
  for (int i = 0; i < m->nnode; i++) {
    double d[3];
    lim_rotate_back(d, w->R, w->node + 6 * (size_t)i);
    for (size_t k = 0; k < 3; k++) w->shape[(3 * (size_t)i + k) * (size_t)w->n + (size_t)j] = d[k];
  }
}

// pushed = m shape, m the masses between nodes: a third of the sum of those along x, y, z.   (11)
static void push(integration *w) {
  const lim_fe_mesh *m = w->c->mesh;
  const size_t row = 3 * (size_t)w->n;
  for (int i = 0; i < m->ndof; i++) {
    if (m->dof_direction[i] > 2) continue;
    for (long k = m->M.start[i]; k < m->M.start[i + 1]; k++) {
      const int j = m->M.column[k];
      if (m->dof_direction[j] != m->dof_direction[i]) continue;
      const double x = m->M.value[k] / 3;
      const size_t a = (size_t)m->dof_node[i] * row, b = (size_t)m->dof_node[j] * row;
      for (size_t l = 0; l < row; l++) w->pushed[a + l] += x * w->shape[b + l];
      for (size_t l = 0; l < row && i != j; l++) w->pushed[b + l] += x * w->shape[a + l];
    }
  }
}

// S_kl = sum over nodes of shape_k' pushed_l.
static bool fill_products(lim_fe_link *x, integration *w) {
  const int n = w->n, row = 3 * n;
  double *all = lim_arena_array(&w->arena, size(row, row) + 1, sizeof *all);
  if (!all || n == 0) return all;
  push(w);
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, row, row, w->c->mesh->nnode, 1, w->shape, row,
                       w->pushed, row, 0, all, row));
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x->S[k][l][i * n + j] = all[size(l * n + j, row) + (size_t)(k * n + i)];
  return true;
}

// Momenta of the six rigid motions along and about the axes of base.
static bool rigid_momenta(lim_fe_momentum out[6], integration *w) {
  const lim_fe_interface *base = &w->c->at[w->c->base];
  const int n = w->c->mesh->ndof;
  double *turned = lim_arena_array(&w->arena, (size_t)n + 1, sizeof *turned);
  if (!turned) return false;
  lim_fe_rigid_motion(w->u, w->c->mesh, base->X);
  for (int k = 0; k < 6; k++) {
    const double *u = w->u + size(k / 3 * 3, n), *R = base->R + k % 3;
    for (int i = 0; i < n; i++)
      turned[i] = R[0] * u[i] + R[3] * u[size(1, n) + (size_t)i] + R[6] * u[size(2, n) + (size_t)i];
    out[k] = momentum_of(w, turned);
  }
  return true;
}

lim_code lim_fe_integrate(lim_fe_link *x, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                          lim_error *err) {
  const lim_fe_interface *base = &c->at[c->base];
  integration w = {.c = c, .n = s->n, .R = base->R};
  lim_fe_momentum rigid[6], *of = lim_arena_array(&w.arena, (size_t)s->n + 1, sizeof *of);
  x->n = s->n;
  x->modes = s->modes;
  bool good = of && start(&w) && lim_fe_take_link(x, arena) && rigid_momenta(rigid, &w);
  for (int j = 0; good && j < s->n; j++) {
    const double *u = s->Phi + size(c->mesh->ndof, j);
    of[j] = momentum_of(&w, u);
    fill_shape(&w, u, j);
  }
  good = good && fill_products(x, &w);
  if (good) {
    lim_fe_fill_inertia(x, of, rigid);
    memcpy(x->M, s->M, size(s->n, s->n) * sizeof *x->M);
    memcpy(x->K, s->K, size(s->n, s->n) * sizeof *x->K);
    lim_fe_fill_facts(x, base->X, base->R);
  }
  lim_arena_free(&w.arena);
  return good ? LIM_OK : lim_no_memory(err);
}
