// equilibrium.c - r(q) = 0 at rest: by iteration with the elastic stiffness, and where that is too slow (large
// deflections) or ends where the arm does not stay, by Newton's method along growing loads.
// Theory: docs/theory/statics.md (1)-(5).
#include "analysis/equilibrium.h"

#include "analysis/tangent.h"
#include "math/null_space.h"

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
  double *x;          // (m)
  int *index, *pivot; // the unknowns                                              (m)
  double *T, *A;      // tangent (n x n), of the unknowns (m x m); from make_tangent on
  // closed chains
  double *G, *packed; // rows (nrow x n), of the unknowns (nrow x m)
  double *B, *b;      // the unknowns with the multipliers (m + nrow)^2, (m + nrow)
} search;

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- the arm under part of its load ---

static void load(search *p, double part) {
  const lim_equations *e = p->e;
  for (int i = 0; i < 3; i++) p->s.gravity[i] = part * e->s->gravity[i];
  for (int i = 0; i < p->n; i++) p->part_v[i] = sqrt(part) * p->v[i];
  lim_actuation_loads(e->wrench, e->act, p->t, LIM_AFTER, e->control.signal);
  for (int i = 0; i < e->act->nload; i++)
    for (int k = 0; k < 3; k++) {
      e->wrench[i].force[k] *= part;
      e->wrench[i].moment[k] *= part;
    }
  lim_bonds_lengths(e->length, &e->act->bonds, p->t, false);
  lim_rec_apply(p->w, e->wrench, e->act->nload);
}

static void residual(search *p) {
  lim_rec_residual(p->r, p->w, p->q, p->part_v, p->zero);
  p->e->resting = true;
  lim_equations_drive(p->e, p->t, LIM_AFTER, p->q, p->zero);
  p->e->resting = false;
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_member *b = &p->s.member[i];
    if (b->q >= 0) p->r[b->q] -= p->e->answer[i].joint;
    if (b->m >= 0) p->r[b->m] -= p->e->answer[i].motor;
  }
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
  if (p->s.nrow) return false; // pins have no stiffness of their own
  load(p, 1);
  residual(p);
  lim_step_matrix c = {.K = 1, .joint = p->e->joint, .gear = p->e->gear};
  lim_equations_tangents(p->e, c);
  if (lim_rec_factor(p->w, p->q, c) >= 0) return false;
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
  lim_code code = lim_tangent(p->T, &p->s, p->e, LIM_BY_POSITION, p->q, p->part_v, err);
  if (code == LIM_OK) lim_equations_matrix(p->T, &p->s, p->e->answer, false);
  for (size_t j = 0; code == LIM_OK && j < m; j++)
    for (size_t i = 0; i < m; i++) {
      int row = p->index[i], column = p->index[j];
      p->A[j * m + i] = p->T[(size_t)column * n + (size_t)row];
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

static lim_code check_closed(bool *stable, search *p, lim_error *err);

// Whether the tangent at q is positive: of a symmetric one all eigenvalues, else their product (forces that
// follow).
static lim_code check_stability(bool *stable, search *p, lim_error *err) {
  lim_code code = make_tangent(p, err);
  *stable = true;
  if (code != LIM_OK || p->m == 0) return code;
  if (p->s.nrow) return check_closed(stable, p, err);
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

// --- closed chains ---

static void make_rows(search *p) {
  lim_rec_loop_rows(p->G, p->w, p->q);
  for (int i = 0; i < p->s.nrow; i++)
    for (int j = 0; j < p->m; j++)
      p->packed[(size_t)i * (size_t)p->m + (size_t)j] = p->G[(size_t)i * (size_t)p->n + (size_t)p->index[j]];
}

// A x - G' y = r, G x = gap, by least squares, because rows may follow from others; y is taken from the
// multipliers. After make_tangent. False: no solution.
static bool solve_closed(search *p) {
  int m = p->m, rows = p->s.nrow, n = m + rows, rank;
  double scale = 0;
  lim_equations_rows(p->e, p->q, NULL, NULL);
  make_rows(p);
  for (int i = 0; i < m; i++) scale = fmax(scale, fabs(p->A[(size_t)i * (size_t)(m + 1)]));
  memset(p->B, 0, (size_t)n * (size_t)n * sizeof *p->B);
  for (int j = 0; j < m; j++)
    memcpy(p->B + (size_t)j * (size_t)n, p->A + (size_t)j * (size_t)m, (size_t)m * sizeof *p->A);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < m; j++) {
      double g = scale * p->packed[(size_t)i * (size_t)m + (size_t)j];
      p->B[(size_t)j * (size_t)n + (size_t)(m + i)] = g;
      p->B[(size_t)(m + i) * (size_t)n + (size_t)j] = -g;
    }
  memcpy(p->b, p->x, (size_t)m * sizeof *p->b);
  for (int i = 0; i < rows; i++) p->b[m + i] = scale * p->e->row[i].value;
  for (int i = 0; i < n; i++) p->pivot[i] = 0;
  if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n, 1, p->B, n, p->b, n, p->pivot, 1e-13, &rank)) return false;
  memcpy(p->x, p->b, (size_t)m * sizeof *p->x);
  for (int i = 0; i < rows; i++) p->e->lambda[i] -= scale * p->b[m + i];
  return true;
}

// Whether the tangent is positive along the motions that keep the loops closed.
static lim_code check_closed(bool *stable, search *p, lim_error *err) {
  size_t m = (size_t)p->m;
  int left;
  double *N = malloc((2 * m * m + 1) * sizeof *N), *C = N ? N + m * m : NULL;
  if (!N) return no_memory(err);
  make_rows(p);
  lim_code code = lim_null_space(N, &left, p->packed, p->s.nrow, p->m, err);
  if (code == LIM_OK && left > 0) {
    lim_project(p->A, p->A, N, p->m, left, C);
    *stable = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', left, p->A, left) == 0;
  }
  free(N);
  return code;
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
    bool solved = p->s.nrow ? solve_closed(p)
                            : !LAPACKE_dgesv(LAPACK_COL_MAJOR, p->m, 1, p->A, p->m, p->pivot, p->x, p->m);
    if (!solved) return LIM_OK;
    double change = correct(p, &largest, &rounding);
    bool near = change <= fmax(10 * TOLERANCE * largest, rounding) ||
                (change <= 1e-9 * largest && change > 0.1 * before);
    *done = near && !p->stay;
    if (near) return *done ? LIM_OK : check_stability(done, p, err);
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
  double **vector[] = {&p->part_v, &p->zero, &p->start, &p->kept, &p->r, &p->x};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&p->arena, n, sizeof(double)))) return false;
  p->index = lim_arena_array(&p->arena, n, sizeof *p->index);
  size_t rows = (size_t)p->s.nrow;
  p->pivot = lim_arena_array(&p->arena, n + rows, sizeof *p->pivot);
  p->G = lim_arena_array(&p->arena, 2 * rows * n, sizeof *p->G);
  p->packed = p->G + rows * n;
  p->B = lim_arena_array(&p->arena, rows ? (n + rows) * (n + rows + 1) : 0, sizeof *p->B);
  p->b = p->B + (n + rows) * (n + rows);
  if (!p->G || !p->B) return false;
  p->w = lim_rec_work_new(&p->s);
  if (p->w) lim_rec_close(p->w, p->e->lambda);
  return p->index && p->pivot && p->w &&
         lim_rec_bind(p->w, p->e->act->bonds.bond, p->e->length, p->e->act->bonds.count);
}

static void choose(search *p, int k, bool yields) {
  lim_rec_lock(p->w, k, !yields);
  if (yields) p->index[p->m++] = k;
}

// An integral leaves no error at rest.
static bool holds_exactly(const lim_joint_drive *d) { return d->law.kind && d->law.kind->integral; }

// All joints but those that yield, or follow from others by loops, are locked; these and deformations are
// unknowns. Behind an elastic gear the joint yields, the motor where it has a controller.
static void choose_unknowns(search *p) {
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_member *b = &p->s.member[i];
    const lim_joint_drive *d = &p->e->act->drive[i];
    bool yields = lim_drive_yields(d), leaves = yields && !holds_exactly(d);
    if (b->q >= 0) choose(p, b->q, leaves || b->m >= 0 || (p->s.passive && p->s.passive[b->q]));
    if (b->m >= 0) choose(p, b->m, leaves);
    double start = yields ? lim_actuation_sample(d->motion, p->t, LIM_AFTER).value : 0;
    if (b->q >= 0 && yields) p->q[b->q] = start;
    if (b->m >= 0 && yields) p->q[b->m] = start;
    for (int k = 0; k < b->body->n; k++) p->index[p->m++] = b->e + k;
  }
  lim_equations_prescribe(p->e, p->t, LIM_AFTER, p->q, NULL, NULL);
  memcpy(p->start, p->q, (size_t)p->n * sizeof *p->q);
}

static lim_code solve(search *p, lim_error *err) {
  bool done = by_stiffness(p);
  lim_code code = LIM_OK;
  if (done && p->stay && p->m <= CHECKED) code = check_stability(&done, p, err);
  return code == LIM_OK && !done ? by_newton(p, err) : code;
}

// Gears with play: first without it, which tells the flanks that touch; from there on with it.
static lim_code solve_with_play(search *p, lim_error *err) {
  lim_equations *e = p->e;
  const lim_actuation *act = e->act;
  lim_actuation without = *act;
  bool any = false;
  without.drive = lim_arena_array(&p->arena, (size_t)p->s.nbody, sizeof *without.drive);
  if (!without.drive) return no_memory(err);
  for (int i = 0; i < p->s.nbody; i++) {
    without.drive[i] = act->drive[i];
    any = any || act->drive[i].backlash > 0;
    without.drive[i].backlash = 0;
  }
  if (!any) return solve(p, err);
  e->act = &without;
  lim_code code = solve(p, err);
  if (code == LIM_OK) residual(p);
  double most = 0;
  for (int i = 0; i < p->s.nbody; i++) most = fmax(most, fabs(e->answer[i].gear));
  for (int i = 0; i < p->s.nbody; i++) { // a gear without load stays in the middle of its play
    if (p->s.member[i].m < 0 || !(fabs(e->answer[i].gear) > 1e-9 * most)) continue;
    without.drive[i].backlash = act->drive[i].backlash;
    p->q[p->s.member[i].q] -= copysign(act->drive[i].backlash / 2, e->answer[i].gear);
  }
  memcpy(p->start, p->q, (size_t)p->n * sizeof *p->q);
  if (code == LIM_OK && most > 0) code = solve(p, err);
  e->act = act;
  return code;
}

// Motors behind elastic gears whose controllers have an integral of the joint's error: by how far the joints
// are off, which the motors then make up for.
static double wind_up(search *p) {
  double most = 0;
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_member *b = &p->s.member[i];
    const lim_joint_drive *d = &p->e->act->drive[i];
    if (b->m < 0 || !holds_exactly(d) || d->law.measure_motor) continue;
    const double off = lim_actuation_sample(d->motion, p->t, LIM_AFTER).value - p->q[b->q];
    p->q[b->m] += off;
    most = fmax(most, fabs(off));
  }
  return most;
}

static lim_code find(search *p, lim_error *err) {
  enum { ROUNDS = 50 };
  choose_unknowns(p);
  lim_code code = solve_with_play(p, err);
  for (int k = 0; k < ROUNDS && code == LIM_OK && wind_up(p) > 1e-14; k++) {
    memcpy(p->start, p->q, (size_t)p->n * sizeof *p->q);
    code = solve(p, err);
  }
  if (code == LIM_OK) lim_equations_rest(p->r, p->e, p->t, p->q, p->v, p->zero);
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
