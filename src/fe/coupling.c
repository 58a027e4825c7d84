// coupling.c - frames on a mesh. Theory: docs/theory/finite-elements.md (1)-(4).
#include "fe/coupling.h"

#include "math/rotation.h"

#include <math.h>
#include <string.h>

lim_code lim_fe_couple(lim_fe_coupled *out, lim_arena *arena, const lim_fe_mesh *mesh,
                       const lim_fe_interface *at, int count, int base, lim_error *err) {
  int *of_node = lim_arena_array(arena, (size_t)mesh->nnode + 1, sizeof *of_node);
  *out = (lim_fe_coupled){.mesh = mesh, .count = count, .base = base, .at = at};
  out->of_dof = lim_arena_array(arena, (size_t)mesh->ndof + 1, sizeof *out->of_dof);
  if (!of_node || !out->of_dof) return lim_no_memory(err);
  for (int i = 0; i < mesh->nnode; i++) of_node[i] = -1;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < at[k].count && at[k].rigid; i++) of_node[at[k].node[i]] = k;
  for (int i = 0; i < mesh->ndof; i++) out->of_dof[i] = of_node[mesh->dof_node[i]];
  return LIM_OK;
}

// Displacement or rotation, along d, of a node at r from a frame that moves by x (6).   (1)
static double carried(const double r[3], int d, const double x[6]) {
  double swing[3];
  lim_cross(swing, x + 3, r);
  return d < 3 ? x[d] + swing[d] : x[d];
}

static double carried_dof(const lim_fe_mesh *m, int dof, const double X[3], const double x[6]) {
  if (lim_fe_is_inner(m, m->dof_node[dof])) return 0;
  const double *at = m->X + 3 * (size_t)m->dof_node[dof];
  const double r[3] = {at[0] - X[0], at[1] - X[1], at[2] - X[2]};
  return carried(r, m->dof_direction[dof], x);
}

void lim_fe_carry(double *u, const lim_fe_coupled *c, int interface, const double x[6]) {
  for (int i = 0; i < c->mesh->ndof; i++)
    if (c->of_dof[i] == interface) u[i] += carried_dof(c->mesh, i, c->at[interface].X, x);
}

void lim_fe_rigid_motion(double *R, const lim_fe_mesh *mesh, const double X[3]) {
  const size_t n = (size_t)mesh->ndof;
  for (size_t k = 0; k < 6; k++) {
    double x[6] = {0};
    x[k] = 1;
    for (int i = 0; i < mesh->ndof; i++) R[k * n + (size_t)i] = carried_dof(mesh, i, X, x);
  }
}

// --- means ---

// Inverse of a symmetric 3 x 3 matrix; false: it is singular beside its largest entry.
static bool invert(double B[9], const double A[9]) {
  double largest = 0;
  for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(A[i]));
  for (int i = 0; i < 9; i++) {
    const int r = i / 3, c = i % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    B[3 * c + r] = A[3 * r1 + c1] * A[3 * r2 + c2] - A[3 * r1 + c2] * A[3 * r2 + c1];
  }
  const double det = A[0] * B[0] + A[1] * B[3] + A[2] * B[6];
  if (!(fabs(det) > 1e-9 * largest * largest * largest)) return false;
  for (int i = 0; i < 9; i++) B[i] /= det;
  return true;
}

// Least squares of u_i = U + Theta x r_i over the nodes, of their displacements alone; r from their mean.   (2)
bool lim_fe_mean_rows(double *C, const lim_fe_mesh *mesh, const int *node, int count, const double X[3]) {
  const size_t n = (size_t)mesh->ndof;
  double mean[3] = {0}, A[9] = {0}, B[9] = {0};
  memset(C, 0, 6 * n * sizeof *C);
  for (int i = 0; i < count; i++) lim_add(mean, 1.0 / count, mesh->X + 3 * (size_t)node[i]);
  for (int i = 0; i < count; i++) {
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = mesh->X[3 * (size_t)node[i] + (size_t)k] - mean[k];
    for (int k = 0; k < 9; k++) A[k] += (k % 4 == 0) * lim_dot(r, r) - r[k / 3] * r[k % 3];
  }
  const bool turns = invert(B, A);
  for (int i = 0; i < mesh->ndof; i++) {
    const int d = mesh->dof_direction[i], own = mesh->dof_node[i];
    if (d > 2) continue;
    if (!lim_fe_among(node, count, own)) continue;
    double r[3], e[3] = {0}, moment[3], turn[3] = {0}, back[3];
    e[d] = 1;
    for (int k = 0; k < 3; k++) r[k] = mesh->X[3 * (size_t)own + (size_t)k] - mean[k];
    lim_cross(moment, r, e);
    if (turns) lim_rotate(turn, B, moment);
    const double off[3] = {X[0] - mean[0], X[1] - mean[1], X[2] - mean[2]};
    lim_cross(back, turn, off);
    for (size_t k = 0; k < 3; k++) {
      C[k * n + (size_t)i] = e[k] / count + back[k];
      C[(3 + k) * n + (size_t)i] = turn[k];
    }
  }
  return turns;
}

// --- matrices of what is left ---

typedef struct {
  const lim_fe_coupled *c;
  lim_fe_system *s;
  int *number;    // of an inner freedom; -1: it is carried                   (ndof)
  double *u, *Au; // one motion of interfaces and its forces               (ndof)
  double *B;      // forces on inner freedoms by each motion                 (6 count x ndof by rows)
  double *E;      // of the motions themselves                               (6 count x 6 count)
} assembly;

// Which of the free interfaces one is; -1: none.
static int free_one(const lim_fe_system *s, int interface) {
  for (int k = 0; k < s->count; k++)
    if (s->carrier[k] == interface) return k;
  return -1;
}

// B and E of A: T'A T of (1).
static void border_blocks(assembly *w, const lim_symmetric *A) {
  const lim_fe_coupled *c = w->c;
  const size_t n = (size_t)c->mesh->ndof, m = 6 * (size_t)w->s->count;
  memset(w->E, 0, m * m * sizeof *w->E);
  for (size_t k = 0; k < m; k++) {
    double x[6] = {0};
    x[k % 6] = 1;
    memset(w->u, 0, n * sizeof *w->u);
    lim_fe_carry(w->u, c, w->s->carrier[k / 6], x);
    lim_symmetric_times(w->B + k * n, A, w->u, 1);
  }
  for (int i = 0; i < c->mesh->ndof; i++) {
    const int at = c->of_dof[i] < 0 ? -1 : free_one(w->s, c->of_dof[i]);
    for (size_t d = 0; at >= 0 && d < 6; d++) {
      double x[6] = {0};
      x[d] = 1;
      const double moves = carried_dof(c->mesh, i, c->at[c->of_dof[i]].X, x);
      for (size_t k = 0; k < m; k++) w->E[k * m + 6 * (size_t)at + d] += moves * w->B[k * n + (size_t)i];
    }
  }
}

// Rows of the inner freedoms with what interfaces add behind them, then rows of these. pass 0 counts.
static long fill(lim_symmetric *out, const assembly *w, const lim_symmetric *A, bool store) {
  const size_t n = (size_t)w->c->mesh->ndof, m = 6 * (size_t)w->s->count;
  long count = 0;
  for (int i = 0; i < w->s->inner; i++) {
    const int dof = w->s->dof[i];
    if (store) out->start[i] = count;
    for (long k = A->start[dof]; k < A->start[dof + 1]; k++) {
      const int j = w->number[A->column[k]];
      if (j < 0) continue;
      if (store) out->column[count] = j, out->value[count] = A->value[k];
      count++;
    }
    for (size_t k = 0; k < m; k++) {
      const double x = w->B[k * n + (size_t)dof];
      if (x == 0) continue;
      if (store) out->column[count] = w->s->inner + (int)k, out->value[count] = x;
      count++;
    }
  }
  for (size_t k = 0; k < m; k++) {
    if (store) out->start[w->s->inner + (int)k] = count;
    for (size_t l = k; l < m; l++, count++)
      if (store) out->column[count] = w->s->inner + (int)l, out->value[count] = w->E[k * m + l];
  }
  if (store) out->start[w->s->inner + (int)m] = count;
  return count;
}

static bool take(lim_symmetric *out, lim_arena *arena, int n, long entries) {
  *out = (lim_symmetric){.n = n};
  out->start = lim_arena_array(arena, (size_t)n + 1, sizeof *out->start);
  out->column = lim_arena_array(arena, (size_t)entries + 1, sizeof *out->column);
  out->value = lim_arena_array(arena, (size_t)entries + 1, sizeof *out->value);
  return out->start && out->column && out->value;
}

static bool assemble(lim_symmetric *out, lim_arena *arena, assembly *w, const lim_symmetric *A) {
  border_blocks(w, A);
  if (!take(out, arena, w->s->inner + 6 * w->s->count, fill(NULL, w, A, false))) return false;
  fill(out, w, A, true);
  return true;
}

lim_code lim_fe_system_of(lim_fe_system *out, lim_arena *arena, const lim_fe_coupled *c, const bool *free,
                          lim_error *err) {
  const size_t n = (size_t)c->mesh->ndof;
  lim_arena scratch = {0};
  assembly w = {.c = c, .s = out};
  *out = (lim_fe_system){.inner = 0};
  out->dof = lim_arena_array(arena, n + 1, sizeof *out->dof);
  out->carrier = lim_arena_array(arena, (size_t)c->count + 1, sizeof *out->carrier);
  w.number = lim_arena_array(&scratch, n + 1, sizeof *w.number);
  bool good = out->dof && out->carrier && w.number;
  for (int k = 0; good && k < c->count; k++)
    if (free[k] && c->at[k].rigid) out->carrier[out->count++] = k;
  for (int i = 0; good && i < c->mesh->ndof; i++) {
    w.number[i] = c->of_dof[i] < 0 ? out->inner : -1;
    if (c->of_dof[i] < 0) out->dof[out->inner++] = i;
  }
  const size_t m = 6 * (size_t)out->count;
  w.u = lim_arena_array(&scratch, n + 1, sizeof *w.u);
  w.B = lim_arena_array(&scratch, m * n + 1, sizeof *w.B);
  w.E = lim_arena_array(&scratch, m * m + 1, sizeof *w.E);
  good = good && w.u && w.B && w.E && assemble(&out->K, arena, &w, &c->mesh->K) &&
         assemble(&out->M, arena, &w, &c->mesh->M);
  lim_arena_free(&scratch);
  return good ? LIM_OK : lim_no_memory(err);
}

lim_code lim_fe_border(lim_symmetric *out, lim_arena *arena, const lim_symmetric *A, const double *C, int inner,
                       int count, lim_error *err) {
  long entries = A->start[A->n];
  for (long k = 0; k < (long)inner * count; k++) entries += C[k] != 0;
  if (!take(out, arena, A->n + count, entries)) return lim_no_memory(err);
  long at = 0;
  for (int i = 0; i < A->n; i++) {
    out->start[i] = at;
    for (long k = A->start[i]; k < A->start[i + 1]; k++, at++) {
      out->column[at] = A->column[k];
      out->value[at] = A->value[k];
    }
    for (int k = 0; k < count && i < inner; k++) {
      const double x = C[(size_t)k * (size_t)inner + (size_t)i];
      if (x == 0) continue;
      out->column[at] = A->n + k;
      out->value[at++] = x;
    }
  }
  for (int k = 0; k <= count; k++) out->start[A->n + k] = at;
  return LIM_OK;
}

// Rows of both merged.
static long merge(lim_symmetric *out, const lim_symmetric *A, double sigma, const lim_symmetric *B,
                  bool store) {
  long count = 0;
  for (int i = 0; i < A->n; i++) {
    long a = A->start[i], b = B->start[i];
    if (store) out->start[i] = count;
    while (a < A->start[i + 1] || b < B->start[i + 1]) {
      const int p = a < A->start[i + 1] ? A->column[a] : A->n, q = b < B->start[i + 1] ? B->column[b] : A->n;
      const int j = p < q ? p : q;
      const double x = (p == j ? A->value[a++] : 0) - sigma * (q == j ? B->value[b++] : 0);
      if (store) out->column[count] = j, out->value[count] = x;
      count++;
    }
  }
  if (store) out->start[A->n] = count;
  return count;
}

lim_code lim_fe_shift(lim_symmetric *out, lim_arena *arena, const lim_symmetric *A, double sigma,
                      const lim_symmetric *B, lim_error *err) {
  if (!take(out, arena, A->n, merge(NULL, A, sigma, B, false))) return lim_no_memory(err);
  merge(out, A, sigma, B, true);
  return LIM_OK;
}
