// basis.c - the four bases of a link. Theory: docs/theory/body.md (1)-(13).
//
// The coordinates of a straight beam fall into groups that do not see each other: stretching, torsion, bending
// in two planes. Modes are sought group by group and then put in one order. That is cheaper than all at once,
// and keeps the two planes apart where a round section gives them equal frequencies.
#include "body/basis.h"

#include "math/blas.h"
#include "math/eigen/eigen.h"
#include "math/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-9;       // places closer than this part of the length are one
static const double TIE = 1e-9;        // lambdas closer than this part are equal
static const double DEPENDENT = 1e-10; // part of a constraint mode's energy that must be new   (9)
static const double NODE = 1e-3;       // part of the largest displacement that counts as a node of a mode

// Coordinates coupled with each other only, and what is found in them.
typedef struct {
  int n;            // coordinates; 0: an empty group
  int *index;       // their numbers in the mesh, ascending                      (n)
  double *K, *M;    // (n x n)
  int found, taken; // modes in x, and how many of them are already used
  double *lambda;   // ascending                                                 (found)
  double *x;        // modes                                                     (n x found)
} group;

typedef struct {
  lim_arena arena; // scratch
  const lim_model *model;
  const lim_mesh *mesh;
  const lim_link *link;
  int number;     // of the link
  int count;      // of modes, as the model says
  double start;   // of the mesh, from the joint [m]
  int label[6];   // group of each kind of nodal coordinate: the first kind in it; -1: not kept
  group group[6]; // by label
  int nplace;
  double *place; // held places, fractions of the mesh in (0, 1]                 (nplace)
} builder;

static double *take(lim_arena *arena, int rows, int columns) {
  return lim_arena_array(arena, (size_t)rows * (size_t)columns, sizeof(double));
}

static double *column(double *a, int rows, int j) { return a + (size_t)rows * (size_t)j; }
static int min(int a, int b) { return a < b ? a : b; }

// --- groups of coordinates

static void join(int label[6], int a, int b) {
  int keep = min(label[a], label[b]), drop = label[a] + label[b] - keep;
  for (int k = 0; k < 6; k++)
    if (label[k] == drop) label[k] = keep;
}

static void join_coupled(int label[6], lim_band b) {
  for (int j = 6; j < b.n; j++)
    for (int i = j + 1; i < b.n && i <= j + b.width; i++)
      if (label[i % 6] >= 0 && label[j % 6] >= 0 && lim_band_get(b, i, j) != 0) join(label, i % 6, j % 6);
}

static bool fill_group(builder *w, int label) {
  group *g = &w->group[label];
  if (!(g->index = lim_arena_array(&w->arena, (size_t)w->mesh->ndof, sizeof *g->index))) return false;
  for (int i = 6; i < w->mesh->ndof; i++)
    if (w->label[i % 6] == label) g->index[g->n++] = i;
  if (!(g->K = take(&w->arena, g->n, g->n)) || !(g->M = take(&w->arena, g->n, g->n))) return false;
  lim_band_gather(g->K, w->mesh->K, g->index, g->n);
  lim_band_gather(g->M, w->mesh->M, g->index, g->n);
  return true;
}

static lim_code find_groups(builder *w, lim_error *err) {
  join_coupled(w->label, w->mesh->K);
  join_coupled(w->label, w->mesh->M);
  for (int k = 0; k < 6; k++)
    if (!fill_group(w, k)) return lim_no_memory(err);
  return LIM_OK;
}

// --- from groups to shapes

// The group with the lowest mode not taken yet, the first of those with equal ones; NULL: none is left.
static group *lowest(builder *w) {
  group *best = NULL;
  for (group *g = w->group; g < w->group + 6; g++)
    if (g->taken < g->found && (!best || g->lambda[g->taken] < (1 - TIE) * best->lambda[best->taken])) best = g;
  return best;
}

// +1 or -1: makes the first kind of displacement positive at its outermost place that is no node of the mode.
static double sign_of(const group *g, const double *x) {
  int kind = g->index[0] % 6;
  double top = 0;
  for (int i = 0; i < g->n; i++) top = fmax(top, g->index[i] % 6 == kind ? fabs(x[i]) : 0);
  for (int i = g->n - 1; i >= 0; i--)
    if (g->index[i] % 6 == kind && fabs(x[i]) > NODE * top) return x[i] < 0 ? -1 : 1;
  return 1;
}

static bool take_shapes(lim_basis_matrix *a, int n) {
  a->n = n;
  return (a->Phi = take(&a->arena, a->ndof, n)) != NULL;
}

// Phi: the n lowest modes of all groups; there are that many.
static lim_code collect(lim_basis_matrix *a, builder *w, int n, lim_error *err) {
  a->lambda = take(&a->arena, n, 1);
  if (!a->lambda || !take_shapes(a, n)) return lim_no_memory(err);
  for (int j = 0; j < n; j++) {
    group *g = lowest(w);
    const double *x = column(g->x, g->n, g->taken);
    double sign = sign_of(g, x), *phi = column(a->Phi, a->ndof, j);
    for (int i = 0; i < g->n; i++) phi[g->index[i]] = sign * x[i];
    a->lambda[j] = g->lambda[g->taken++];
  }
  return LIM_OK;
}

static int all_found(const builder *w) {
  int n = 0;
  for (int k = 0; k < 6; k++) n += w->group[k].found;
  return n;
}

// Whether there are as many modes as the model asks for. If not, no group has reached `count`: all are found.
static lim_code check_count(const builder *w, const char *what, lim_error *err) {
  const lim_node *at = w->link->basis.head.node, none = {0};
  if (w->count <= all_found(w)) return LIM_OK;
  if (!at) at = &none;
  return lim_error_add(err, LIM_BAD_INPUT, at->source, at->line, at->column,
                       "link '%s': basis has count %d, but its mesh has only %d %s", w->link->head.name,
                       w->count, all_found(w), what);
}

// --- full, rigid, modes

static lim_code full(lim_basis_matrix *a, builder *w, lim_error *err) {
  int n = 0;
  if (!(a->index = lim_arena_array(&a->arena, (size_t)a->ndof, sizeof *a->index))) return lim_no_memory(err);
  for (int i = 6; i < a->ndof; i++)
    if (w->label[i % 6] >= 0) a->index[n++] = i;
  if (!take_shapes(a, n)) return lim_no_memory(err);
  for (int j = 0; j < n; j++) column(a->Phi, a->ndof, j)[a->index[j]] = 1; // (4)
  return LIM_OK;
}

static lim_code rigid(lim_basis_matrix *a, builder *w, lim_error *err) {
  (void)w;
  return take_shapes(a, 0) ? LIM_OK : lim_no_memory(err);
}

static bool take_modes(group *g, lim_arena *arena, int count) {
  return (g->lambda = take(arena, count, 1)) && (g->x = take(arena, g->n, count));
}

static lim_code modes_of(group *g, builder *w, lim_error *err) {
  int count = min(w->count, g->n);
  lim_eigen_count out;
  if (!take_modes(g, &w->arena, count)) return lim_no_memory(err);
  lim_code code = lim_eigen_lowest(g->lambda, g->x, &out, g->K, g->M, g->n, count, err); // (5)
  g->found = out.found;
  return code;
}

static lim_code cantilever_modes(lim_basis_matrix *a, builder *w, lim_error *err) {
  lim_code code = find_groups(w, err);
  for (int k = 0; k < 6 && code == LIM_OK; k++) code = modes_of(&w->group[k], w, err);
  if (code == LIM_OK) code = check_count(w, "modes", err);
  return code == LIM_OK ? collect(a, w, w->count, err) : code;
}

// --- Craig-Bampton: the places

// Fraction of the link's length. A chain of frames that never ends counts as the base.
static double fraction_of(const lim_model *m, const lim_link_location *at) {
  for (int hop = 0; at->kind == LIM_AT_FRAME && hop < m->frames.count; hop++)
    at = &m->frames.item[at->frame.index].at;
  return at->kind == LIM_AT_TIP ? 1 : at->kind == LIM_AT_FRACTION ? at->value : 0;
}

static void add_place(builder *w, const lim_link_location *at) {
  double s = (fraction_of(w->model, at) * w->link->beam.length - w->start) / w->mesh->length;
  if (!(s > SAME && s <= 1 + SAME)) return; // clamped, or on another segment
  for (int k = 0; k < w->nplace; k++)
    if (fabs(w->place[k] - s) <= SAME) return;
  w->place[w->nplace++] = s;
}

static lim_code take_places(builder *w, lim_error *err) {
  const lim_model *m = w->model;
  w->place = take(&w->arena, 1 + m->links.count + m->frames.count + w->link->masses.count, 1);
  if (!w->place) return lim_no_memory(err);
  w->place[w->nplace++] = 1; // the tip of the link or of the segment
  return LIM_OK;
}

static void find_places(builder *w) {
  const lim_model *m = w->model;
  for (int i = 0; i < m->links.count; i++)
    if (m->links.item[i].parent.index == w->number) add_place(w, &m->links.item[i].at);
  for (int i = 0; i < m->frames.count; i++)
    if (m->frames.item[i].on.index == w->number) add_place(w, &m->frames.item[i].at);
  for (int i = 0; i < w->link->masses.count; i++) add_place(w, &w->link->masses.item[i].at);
}

// --- Craig-Bampton: the modes of a group

typedef struct {
  lim_arena arena;   // scratch
  int n, rows, rank; // coordinates, constraints, the independent ones of these
  double *C, *W;     // constraints as columns (6), K^-1 C                          (n x rows)
  double *V, *G;     // constraint modes, followed by fixed-interface modes; K V    (n x n)
  double *P, *S;     // projector (10); scratch                                     (n x n)
  double *A, *B;     // stiffness and mass in a subspace                            (n x n)
} craig;

static bool take_craig(craig *c) {
  double **square[] = {&c->V, &c->G, &c->P, &c->S, &c->A, &c->B};
  for (int k = 0; k < 6; k++)
    if (!(*square[k] = take(&c->arena, c->n, c->n))) return false;
  return (c->C = take(&c->arena, c->n, c->rows)) && (c->W = take(&c->arena, c->n, c->rows));
}

// out (m x k) = op(X) Y, inner size n
static void multiply(double *out, CBLAS_TRANSPOSE op, const double *X, const double *Y, int m, int k, int n) {
  lim_blas(
      cblas_dgemm(CblasColMajor, op, CblasNoTrans, m, k, n, 1, X, op == CblasTrans ? n : m, Y, n, 0, out, m));
}

// out (m x m) = T'A T, T (n x m)
static void congruence(double *out, const double *A, const double *T, double *scratch, int n, int m) {
  multiply(scratch, CblasNoTrans, A, T, n, m, n);
  multiply(out, CblasTrans, T, scratch, m, m, n);
}

// The rows of the interpolation at all places that belong to the group.   (6)
static void fill_constraints(craig *c, const builder *w, const group *g) {
  double *to = c->C, N[72];
  for (int k = 0; k < w->nplace; k++) {
    int first = lim_mesh_interpolation(N, w->mesh, w->place[k]);
    for (int r = 0; r < 6; r++) {
      if (w->label[r] != g->index[0] % 6) continue;
      for (int i = 0; i < g->n; i++, to++)
        if (g->index[i] >= first && g->index[i] < first + 12) *to = N[12 * r + g->index[i] - first];
    }
  }
}

// W = K^-1 C   (7)
static bool flexibility(craig *c, const group *g) {
  memcpy(c->S, g->K, (size_t)c->n * (size_t)c->n * sizeof *c->S);
  memcpy(c->W, c->C, (size_t)c->n * (size_t)c->rows * sizeof *c->W);
  return lim_dposv(c->n, c->rows, c->S, c->n, c->W, c->n) == 0;
}

// Take from v, and from g = K v, their parts along the V found so far; what is left of v'K v.   (8)
static double orthogonalise(const craig *c, double *v, double *g) {
  for (int k = 0; k < c->rank; k++) {
    double h = lim_blas_dot(c->n, column(c->G, c->n, k), v);
    lim_blas(cblas_daxpy(c->n, -h, column(c->V, c->n, k), 1, v, 1));
    lim_blas(cblas_daxpy(c->n, -h, column(c->G, c->n, k), 1, g, 1));
  }
  return lim_blas_dot(c->n, v, g);
}

// V: the columns of W, each less its part along those before. The second pass removes what rounding left.
static void constraint_modes(craig *c) {
  int n = c->n;
  for (int j = 0; j < c->rows && c->rank < n; j++) {
    double *v = column(c->W, n, j), *g = column(c->C, n, j), whole = lim_blas_dot(n, v, g);
    orthogonalise(c, v, g);
    double rest = orthogonalise(c, v, g), *V = column(c->V, n, c->rank), *G = column(c->G, n, c->rank);
    if (!(rest > DEPENDENT * whole)) continue; // (9)
    lim_blas(cblas_daxpy(n, 1 / sqrt(rest), v, 1, V, 1));
    lim_blas(cblas_daxpy(n, 1 / sqrt(rest), g, 1, G, 1));
    c->rank++;
  }
}

// With P = 1 - V V'K the problem K x = lambda P'M P x has the fixed-interface modes; V has no mass in it. (10)
static lim_code fixed_modes(craig *c, group *g, int count, lim_error *err) {
  int n = c->n;
  lim_eigen_count out;
  for (int i = 0; i < n; i++) column(c->P, n, i)[i] = 1;
  lim_blas(
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, c->rank, -1, c->V, n, c->G, n, 1, c->P, n));
  congruence(c->B, g->M, c->P, c->S, n, n);
  lim_code code =
      lim_eigen_lowest(g->lambda, column(c->V, n, c->rank), &out, g->K, c->B, n, min(count, n - c->rank), err);
  g->found = out.found;
  return code;
}

// x: combinations of V that make K and M diagonal. Without mass V stays as it is.   (12)
static lim_code orthonormalise(craig *c, group *g, lim_error *err) {
  int n = c->n, m = c->rank + g->taken;
  lim_eigen_count out;
  if (n == 0) return LIM_OK;
  congruence(c->A, g->K, c->V, c->S, n, m);
  congruence(c->B, g->M, c->V, c->S, n, m);
  lim_code code = lim_eigen_lowest(g->lambda, c->P, &out, c->A, c->B, m, m, err);
  if (out.found == 0) memcpy(g->x, c->V, (size_t)n * (size_t)m * sizeof *g->x);
  multiply(g->x, CblasNoTrans, c->V, c->P, n, out.found, m);
  for (int j = out.found; j < m; j++) g->lambda[j] = INFINITY;
  g->found = out.found ? out.found : m;
  g->taken = 0;
  return code;
}

static lim_code hold(craig *c, builder *w, group *g, lim_error *err) {
  if (g->n == 0) return LIM_OK;
  c->n = g->n;
  c->rows = w->nplace * (g->n / (w->mesh->nnode - 1)); // kinds of coordinates in the group
  if (!take_modes(g, &w->arena, g->n) || !take_craig(c)) return lim_no_memory(err);
  fill_constraints(c, w, g);
  if (!flexibility(c, g))
    return LIM_FAIL(err, LIM_FAILED, "link '%s': its stiffness is not positive definite", w->link->head.name);
  constraint_modes(c);
  return fixed_modes(c, g, w->count, err);
}

// Constraint modes of the places and `count` modes with them held; at_most: or as many as there are.
static lim_code held_modes(lim_basis_matrix *a, builder *w, bool at_most, lim_error *err) {
  craig c[6] = {0};
  lim_code code = find_groups(w, err);
  for (int k = 0; k < 6 && code == LIM_OK; k++) code = hold(&c[k], w, &w->group[k], err);
  if (at_most) w->count = min(w->count, all_found(w));
  if (code == LIM_OK) code = check_count(w, "modes with its frames held", err);
  for (int i = 0; i < w->count && code == LIM_OK; i++) lowest(w)->taken++;
  for (int k = 0; k < 6 && code == LIM_OK; k++) code = orthonormalise(&c[k], &w->group[k], err);
  if (code == LIM_OK) code = collect(a, w, all_found(w), err);
  for (int k = 0; k < 6; k++) lim_arena_free(&c[k].arena);
  return code;
}

static lim_code craig_bampton(lim_basis_matrix *a, builder *w, lim_error *err) {
  lim_code code = take_places(w, err);
  if (code != LIM_OK) return code;
  find_places(w);
  return held_modes(a, w, false, err);
}

// The rest of the link hangs on the end of a segment but the last: it takes any force and moment there.
static lim_code modes(lim_basis_matrix *a, builder *w, lim_error *err) {
  bool last = w->start + w->mesh->length >= (1 - SAME) * w->link->beam.length;
  if (last) return cantilever_modes(a, w, err);
  lim_code code = take_places(w, err);
  return code == LIM_OK ? held_modes(a, w, true, err) : code;
}

// --- interface

typedef lim_code basis_fn(lim_basis_matrix *a, builder *w, lim_error *err);
static basis_fn *const BASIS[] = {
    [LIM_BASIS_FULL] = full,
    [LIM_BASIS_MODES] = modes,
    [LIM_BASIS_CRAIG_BAMPTON] = craig_bampton,
    [LIM_BASIS_RIGID] = rigid,
};

lim_code lim_basis_matrix_new_from(lim_basis_matrix **out, const lim_model *model, int link,
                                   const lim_mesh *mesh, double start, const bool keep[6], lim_error *err) {
  const lim_link *on = &model->links.item[link];
  builder w = {{0}, model, mesh, on, link, on->basis.count, start};
  lim_basis_matrix *a = calloc(1, sizeof *a);
  *out = NULL;
  if (!a) return lim_no_memory(err);
  a->ndof = mesh->ndof;
  for (int k = 0; k < 6; k++) w.label[k] = keep[k] ? k : -1;
  lim_code code = BASIS[on->basis.type](a, &w, err);
  lim_arena_free(&w.arena);
  *out = code == LIM_OK ? a : NULL;
  if (code != LIM_OK) lim_basis_matrix_free(a);
  return code;
}

lim_code lim_basis_matrix_new(lim_basis_matrix **out, const lim_model *model, int link, const lim_mesh *mesh,
                              const bool keep[6], lim_error *err) {
  return lim_basis_matrix_new_from(out, model, link, mesh, 0, keep, err);
}

void lim_basis_matrix_free(lim_basis_matrix *a) {
  if (!a) return;
  lim_arena_free(&a->arena);
  free(a);
}

void lim_basis_matrix_reduce(double *out, const lim_basis_matrix *a, lim_band B) {
  if (a->index) lim_band_gather(out, B, a->index, a->n);
  for (int j = 0; j < a->n && !a->index; j++)
    for (int i = 0; i <= j; i++) {
      double b = lim_band_product(B, column(a->Phi, a->ndof, i), column(a->Phi, a->ndof, j));
      column(out, a->n, j)[i] = column(out, a->n, i)[j] = b; // (3)
    }
}

void lim_basis_matrix_expand(double *u, const lim_basis_matrix *a, const double *eta) {
  memset(u, 0, (size_t)a->ndof * sizeof *u);
  for (int j = 0; j < a->n; j++) {
    const double *phi = column(a->Phi, a->ndof, j);
    if (a->index) u[a->index[j]] = eta[j];
    for (int i = 0; i < a->ndof && !a->index; i++) u[i] += phi[i] * eta[j];
  }
}

void lim_basis_matrix_project(double *f_eta, const lim_basis_matrix *a, const double *f) {
  for (int j = 0; j < a->n; j++) {
    const double *phi = column(a->Phi, a->ndof, j);
    f_eta[j] = a->index ? f[a->index[j]] : 0;
    for (int i = 0; i < a->ndof && !a->index; i++) f_eta[j] += phi[i] * f[i];
  }
}
