// equilibrium.c - r(q) = 0 at rest: by iteration with the elastic stiffness, and where that is too slow (large
// deflections) or ends where the arm does not stay, by Newton's method along growing loads.
// Theory: docs/theory/statics.md (1)-(5).
#include "analysis/equilibrium.h"

#include "analysis/tangent.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-13;                           // of the last correction, relative
static const double FIRST_PART = 0.1, MOST = 0.25, LEAST = 1e-5; // of the load, in one go
enum { EASY = 40, NEWTON = 25 };                                 // iterations
enum { CHECKED = 1000 }; // unknowns up to which an easily found equilibrium is checked for stability

typedef struct {
  lim_arena arena;
  lim_equations *e;
  double t;
  bool stay; // only an equilibrium at which the arm stays is wanted
  int n, m;
  lim_system s;       // the arm with part of its gravity; all else is borrowed
  lim_rec_work *w;    // of s
  const double *v;    // speeds                                                    (n)
  double *part_v;     // times the root of the part: centrifugal forces grow with it   (n)
  double *zero;       // (n)
  double *q, *start;  // the search; where it began                                (n)
  double *kept, *r;   // the last point that was reached; residual                 (n)
  double *joint;      // stiffness of servos                                       (n)
  double *x;          // (m)
  int *index, *pivot; // the unknowns                                              (m)
  double *T, *A;      // tangent (n x n), of the unknowns (m x m); from make_tangent on
} search;

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

void lim_equilibrium_residual(double *r, lim_equations *e, double t, const double *q, const double *v,
                              const double *zero) {
  lim_equations_residual(r, e, t, LIM_AFTER, q, v, zero);
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->s->member[i].q;
    const lim_joint_drive *d = &e->act->drive[i];
    if (k < 0 || d->type != LIM_DRIVE_SERVO) continue;
    double damper = d->damping * (lim_actuation_sample(d->motion, t, LIM_AFTER).rate - v[k]);
    e->tau[k] -= damper;
    r[k] += damper;
  }
}

// --- the arm under part of its load ---

static void load(search *p, double part) {
  const lim_equations *e = p->e;
  for (int i = 0; i < 3; i++) p->s.gravity[i] = part * e->s->gravity[i];
  for (int i = 0; i < p->n; i++) p->part_v[i] = sqrt(part) * p->v[i];
  lim_actuation_loads(e->wrench, e->act, p->t, LIM_AFTER);
  for (int i = 0; i < e->act->nload; i++)
    for (int k = 0; k < 3; k++) {
      e->wrench[i].force[k] *= part;
      e->wrench[i].moment[k] *= part;
    }
  lim_rec_apply(p->w, e->wrench, e->act->nload);
}

static void residual(search *p) {
  lim_rec_residual(p->r, p->w, p->q, p->part_v, p->zero);
  for (int i = 0; i < p->n; i++)
    if (p->joint[i] > 0) p->r[i] += p->joint[i] * (p->q[i] - p->start[i]);
}

// Take the correction x of the unknowns: q -= x. Its size, that of what has been found so far, and that of
// rounding.
static double correct(search *p, double *largest, double *rounding) {
  double change = 0;
  *largest = *rounding = 0;
  for (int j = 0; j < p->m; j++) {
    int i = p->index[j];
    p->q[i] -= p->x[j];
    change = fmax(change, fabs(p->x[j]));
    *largest = fmax(*largest, fabs(p->q[i] - p->start[i]));
    *rounding = fmax(*rounding, 1e-14 * fabs(p->q[i]));
  }
  return isfinite(*largest) ? change : INFINITY;
}

// --- (2): with the elastic stiffness ---

static bool by_stiffness(search *p) {
  double before = INFINITY, largest, rounding;
  load(p, 1);
  residual(p);
  if (lim_rec_factor(p->w, p->q, (lim_step_matrix){.K = 1}, p->joint) >= 0) return false;
  for (int k = 0; k < EASY; k++) {
    lim_rec_solve(p->r, p->w);
    for (int j = 0; j < p->m; j++) p->x[j] = p->r[p->index[j]];
    double change = correct(p, &largest, &rounding);
    if (change <= fmax(TOLERANCE * largest, rounding)) return true;
    if (!isfinite(change) || (k > 2 && change > 0.7 * before && change > 1e-10 * largest)) return false;
    residual(p);
    before = change;
  }
  return false;
}

// --- (3): the tangent, and what it says about stability ---

static lim_code make_tangent(search *p, lim_error *err) {
  size_t n = (size_t)p->n, m = (size_t)p->m;
  if (!p->T) p->T = lim_arena_array(&p->arena, n * n + m * m, sizeof *p->T);
  if (!p->T) return no_memory(err);
  p->A = p->T + n * n;
  lim_code code =
      lim_tangent(p->T, &p->s, p->e->wrench, p->e->act->nload, LIM_BY_POSITION, p->q, p->part_v, err);
  for (size_t j = 0; code == LIM_OK && j < m; j++)
    for (size_t i = 0; i < m; i++) {
      int row = p->index[i], column = p->index[j];
      p->A[j * m + i] = p->T[(size_t)column * n + (size_t)row] + (row == column ? p->joint[row] : 0);
    }
  return code;
}

// Sign of the determinant after a factorisation.
static double sign_of(const search *p) {
  double sign = 1;
  for (int i = 0; i < p->m; i++)
    if ((p->A[(size_t)i * (size_t)(p->m + 1)] < 0) != (p->pivot[i] != i + 1)) sign = -sign;
  return sign;
}

// Whether the tangent at q is positive: of a symmetric one all eigenvalues, else their product (forces that
// follow).
static lim_code check_stability(bool *stable, search *p, lim_error *err) {
  lim_code code = make_tangent(p, err);
  if (code != LIM_OK || p->m == 0) return code;
  size_t m = (size_t)p->m;
  double largest = 0, odd = 0;
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      largest = fmax(largest, fabs(p->A[j * m + i]));
      odd = fmax(odd, fabs(p->A[j * m + i] - p->A[i * m + j]));
    }
  if (odd <= 1e-9 * largest)
    *stable = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', p->m, p->A, p->m) == 0;
  else
    *stable = LAPACKE_dgetrf(LAPACK_COL_MAJOR, p->m, p->m, p->A, p->m, p->pivot) == 0 && sign_of(p) > 0;
  return LIM_OK;
}

// --- (4), (5): Newton's method under a growing part of the load ---

static lim_code newton(bool *done, search *p, lim_error *err) {
  double before = INFINITY, largest, rounding;
  *done = false;
  for (int k = 0; k < NEWTON; k++) {
    residual(p);
    lim_code code = make_tangent(p, err);
    if (code != LIM_OK) return code;
    for (int j = 0; j < p->m; j++) p->x[j] = p->r[p->index[j]];
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, p->m, 1, p->A, p->m, p->pivot, p->x, p->m)) return LIM_OK;
    double change = correct(p, &largest, &rounding);
    bool near = change <= fmax(10 * TOLERANCE * largest, rounding) ||
                (change <= 1e-9 * largest && change > 0.1 * before);
    if (near) return check_stability(done, p, err);
    if (!isfinite(change) || (k > 4 && change > 2 * before)) return LIM_OK;
    before = change;
  }
  return LIM_OK;
}

static lim_code by_newton(search *p, lim_error *err) {
  size_t size = (size_t)p->n * sizeof *p->q;
  memcpy(p->q, p->start, size);
  memcpy(p->kept, p->start, size);
  double part = 0, step = FIRST_PART;
  while (part < 1) {
    bool done;
    double next = fmin(1, part + step);
    load(p, next);
    lim_code code = newton(&done, p, err);
    if (code != LIM_OK) return code;
    memcpy(done ? p->kept : p->q, done ? p->q : p->kept, size);
    if (done) part = next;
    step = done ? fmin(1.5 * step, MOST) : step / 2;
    if (step < LEAST)
      return LIM_FAIL(
          err, LIM_FAILED,
          "no stable equilibrium: the arm gives way at %.3g %% of its load. It buckles or falls, or "
          "bends more than its segments can follow (beam: {segments: ...})",
          100 * part);
  }
  return LIM_OK;
}

// --- set-up ---

static bool take(search *p) {
  size_t n = (size_t)p->n;
  double **vector[] = {&p->part_v, &p->zero, &p->start, &p->kept, &p->r, &p->joint, &p->x};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&p->arena, n, sizeof(double)))) return false;
  p->index = lim_arena_array(&p->arena, n, sizeof *p->index);
  p->pivot = lim_arena_array(&p->arena, n, sizeof *p->pivot);
  p->w = lim_rec_work_new(&p->s);
  return p->index && p->pivot && p->w;
}

// All joints but those of servos are locked; servos and deformations are unknowns.
static void choose_unknowns(search *p) {
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_member *b = &p->s.member[i];
    const lim_joint_drive *d = &p->e->act->drive[i];
    bool yields = b->q >= 0 && d->type == LIM_DRIVE_SERVO;
    lim_rec_lock(p->w, i, !yields);
    if (yields) {
      p->index[p->m++] = b->q;
      p->joint[b->q] = d->stiffness;
      p->q[b->q] = lim_actuation_sample(d->motion, p->t, LIM_AFTER).value;
    }
    for (int k = 0; k < b->body->n; k++) p->index[p->m++] = b->e + k;
  }
  lim_equations_prescribe(p->e, p->t, LIM_AFTER, p->q, NULL, NULL);
  memcpy(p->start, p->q, (size_t)p->n * sizeof *p->q);
}

static lim_code find(search *p, lim_error *err) {
  choose_unknowns(p);
  bool done = by_stiffness(p);
  lim_code code = LIM_OK;
  if (done && p->stay && p->m <= CHECKED) code = check_stability(&done, p, err);
  if (code == LIM_OK && !done) code = by_newton(p, err);
  if (code == LIM_OK) lim_equilibrium_residual(p->r, p->e, p->t, p->q, p->v, p->zero);
  return code;
}

static lim_code start(search p, lim_error *err) {
  p.n = p.e->s->n;
  p.s = *p.e->s;
  lim_code code = take(&p) ? find(&p, err) : no_memory(err);
  lim_rec_work_free(p.w);
  lim_arena_free(&p.arena);
  return code;
}

lim_code lim_equilibrium_moving(double *q, const double *v, lim_equations *e, double t, lim_error *err) {
  return start((search){.e = e, .t = t, .q = q, .v = v}, err);
}

lim_code lim_equilibrium(double *q, lim_equations *e, double t, lim_error *err) {
  double *v = calloc((size_t)e->s->n + 1, sizeof *v);
  lim_code code = v ? start((search){.e = e, .t = t, .stay = true, .q = q, .v = v}, err) : no_memory(err);
  free(v);
  return code;
}
