// coupling.c - rows of couplings, and couplings solved for joints that follow. Theory: docs/theory/loops.md.
#include "arm/coupling.h"

#include "math/lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDING = 64 * DBL_EPSILON; // of a sum, against the sizes of its terms
static const double NOTHING = 1e-12;             // what elimination may leave of a factor that is 0

// --- rows ---

static double sum_of(const lim_joint_coupling *c, const double *x, double offset) {
  double sum = -offset, size = fabs(offset);
  for (int k = 0; x && k < c->count; k++) {
    const double term = c->factor[k] * x[c->q[k]];
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) <= ROUNDING * size ? 0 : sum;
}

lim_row_state lim_coupling_evaluate(const lim_joint_coupling *c, const double *q, const double *v,
                                    const double *a) {
  return (lim_row_state){sum_of(c, q, c->offset), sum_of(c, v, 0), sum_of(c, a, 0)};
}

double lim_couplings_effort(const lim_arm *s, int coordinate, const double *lambda) {
  double sum = 0;
  for (int i = 0; i < s->ncoupling; i++) {
    const lim_joint_coupling *c = &s->coupling[i];
    for (int k = 0; k < c->count; k++)
      if (c->q[k] == coordinate) sum += c->factor[k] * lambda[c->row];
  }
  return sum;
}

lim_code lim_couplings_build(lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  s->coupling = lim_arena_array(&s->arena, (size_t)m->couplings.count, sizeof *s->coupling);
  if (!s->coupling) return lim_no_memory(err);
  for (int i = 0; i < m->couplings.count; i++) {
    const lim_coupling *from = &m->couplings.item[i];
    const size_t count = (size_t)from->joints.count;
    lim_joint_coupling *c = &s->coupling[s->ncoupling];
    *c = (lim_joint_coupling){
        .name = from->head.name, .from = from, .row = s->nrow, .count = (int)count, .offset = from->offset};
    c->q = lim_arena_array(&s->arena, count, sizeof *c->q);
    c->factor = lim_arena_array(&s->arena, count, sizeof *c->factor);
    if (!c->q || !c->factor) return lim_no_memory(err);
    memcpy(c->factor, from->factors.item, count * sizeof *c->factor);
    for (size_t k = 0; k < count; k++) c->q[k] = s->bodies[s->first_body[from->joints.item[k].index]].q;
    s->row[s->nrow++] = (lim_loop_row){.kind = LIM_ROW_JOINTS, .loop = s->ncoupling++};
  }
  return LIM_OK;
}

// --- solved for joints ---

static double largest(const double *row, int n) {
  double max = 0;
  for (int k = 0; k < n; k++) max = fmax(max, fabs(row[k]));
  return max;
}

// Where a coordinate stands in a coupling; -1: it came in by elimination.
static int place_in(const lim_joint_coupling *c, int coordinate) {
  for (int k = 0; k < c->count; k++)
    if (c->q[k] == coordinate) return k;
  return -1;
}

static int choose_pivot(const lim_joint_coupling *c, const double *row, const int *prefer, int n) {
  int best = -1;
  const double least = NOTHING * largest(c->factor, c->count);
  for (int k = 0; k < n; k++) {
    if (prefer[k] < 0 || !(fabs(row[k]) > least)) continue;
    const int more = best < 0 ? 1 : prefer[k] - prefer[best];
    if (more > 0 || (more == 0 && place_in(c, k) > place_in(c, best))) best = k;
  }
  return best;
}

// Row i gets 1 at its pivot, all others 0 there.
static void eliminate(lim_coupling_form *f, int i, int rows, int n) {
  const int pivot = f->pivot[i];
  double *own = f->C + (size_t)i * (size_t)n;
  const double by = own[pivot];
  for (int k = 0; k < n; k++) own[k] /= by;
  f->rest[i] /= by;
  for (int j = 0; j < rows; j++) {
    double *other = f->C + (size_t)j * (size_t)n;
    const double part = other[pivot];
    if (j == i || part == 0) continue;
    for (int k = 0; k < n; k++) other[k] -= part * own[k];
    other[pivot] = 0;
    f->rest[j] -= part * f->rest[i];
  }
}

bool lim_couplings_solve(lim_coupling_form *out, lim_arena *arena, const lim_arm *s, const int *prefer) {
  const size_t n = (size_t)s->n, rows = (size_t)s->ncoupling;
  out->pivot = lim_arena_array(arena, rows, sizeof *out->pivot);
  out->C = lim_arena_array(arena, rows * n, sizeof *out->C);
  out->rest = lim_arena_array(arena, rows, sizeof *out->rest);
  if (!out->pivot || !out->C || !out->rest) return false;
  for (int i = 0; i < s->ncoupling; i++) {
    const lim_joint_coupling *c = &s->coupling[i];
    for (int k = 0; k < c->count; k++) out->C[(size_t)i * n + (size_t)c->q[k]] = c->factor[k];
    out->rest[i] = c->offset;
  }
  for (int i = 0; i < s->ncoupling; i++) {
    out->pivot[i] = choose_pivot(&s->coupling[i], out->C + (size_t)i * n, prefer, s->n);
    if (out->pivot[i] >= 0) eliminate(out, i, s->ncoupling, s->n);
  }
  return true;
}

void lim_couplings_follow(double *x, const lim_coupling_form *f, const lim_arm *s, bool rates) {
  for (int i = 0; i < s->ncoupling; i++) {
    const double *row = f->C + (size_t)i * (size_t)s->n;
    const int pivot = f->pivot[i];
    if (pivot < 0) continue;
    double sum = rates ? 0 : f->rest[i];
    for (int k = 0; k < s->n; k++)
      if (k != pivot) sum -= row[k] * x[k];
    x[pivot] = sum;
  }
}

// --- reactions ---

static double factor_at(const lim_arm *s, int row, int coordinate) {
  for (int i = 0; i < s->ncoupling; i++) {
    const int place = place_in(&s->coupling[i], coordinate);
    if (s->coupling[i].row == row) return place < 0 ? 0 : s->coupling[i].factor[place];
  }
  return 0;
}

// sum over couplings of factor x lambda = r at each follower
bool lim_coupling_reactions_start(lim_coupling_reactions *out, lim_arena *arena, const lim_arm *s) {
  const size_t n = (size_t)s->n, rows = (size_t)s->ncoupling;
  lim_coupling_form f;
  int *prefer = lim_arena_array(arena, n, sizeof *prefer);
  *out = (lim_coupling_reactions){.follower = lim_arena_array(arena, 3 * rows, sizeof *out->follower),
                                  .LU = lim_arena_array(arena, rows * rows + rows, sizeof *out->LU)};
  if (!prefer || !out->follower || !out->LU) return false;
  for (size_t k = 0; k < n; k++) prefer[k] = s->passive && s->passive[k] ? 0 : -1;
  if (!lim_couplings_solve(&f, arena, s, prefer)) return false;
  out->row = out->follower + rows;
  out->pivot = out->row + rows;
  out->x = out->LU + rows * rows;
  for (int i = 0; i < s->ncoupling; i++) {
    if (f.pivot[i] < 0) continue;
    out->follower[out->count] = f.pivot[i];
    out->row[out->count++] = s->coupling[i].row;
  }
  for (int i = 0; i < out->count; i++)
    for (int k = 0; k < out->count; k++)
      out->LU[i * out->count + k] = factor_at(s, out->row[k], out->follower[i]);
  return lim_lu_factor(out->LU, out->pivot, out->count);
}

void lim_coupling_reactions_add(double *lambda, lim_coupling_reactions *x, const double *r) {
  for (int i = 0; i < x->count; i++) x->x[i] = r[x->follower[i]];
  lim_lu_solve(x->x, x->LU, x->pivot, x->count);
  for (int i = 0; i < x->count; i++) lambda[x->row[i]] += x->x[i];
}
