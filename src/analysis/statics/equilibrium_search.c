// equilibrium_search.c - an arm under part of its load, Newton's method with its tangent or products of it, and
// whether the arm stays where that ends. Theory: docs/theory/statics.md (3)-(5), "Stability".
#include "analysis/statics/equilibrium_search.h"

#include "arm/ball.h"
#include "dynamics/mass_matrix.h"
#include "math/blas.h"
#include "math/eigen/krylov.h"
#include "math/lapack.h"
#include "math/null_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-12;           // of the last correction, relative
static const double NOISE = 1e-5;                // largest correction that may be rounding
enum { NEWTON = 25, PRODUCTS = 400, RITZ = 80 }; // iterations, products for one of them, for a check
// Unknowns from which products are cheaper; up to which the last check has all matrices.
enum { BY_PRODUCTS = 240, CHECKED = 1000 };

static bool by_products(const lim_equilibrium_search *p) {
  return !p->dense && !p->e->nrow && p->m > BY_PRODUCTS;
}

// --- the arm under part of its load ---

void lim_equilibrium_search_load(lim_equilibrium_search *p, double part) {
  const lim_equations *e = p->e;
  for (int i = 0; i < 3; i++) p->s.gravity[i] = part * e->s->gravity[i];
  for (int i = 0; i < p->n; i++) p->part_v[i] = sqrt(part) * p->v[i];
  lim_inputs_loads(e->wrench, e->inputs, p->t, LIM_AFTER, e->control.signal);
  for (int i = 0; i < e->inputs->nload; i++)
    for (int k = 0; k < 3; k++) {
      e->wrench[i].force[k] *= part;
      e->wrench[i].moment[k] *= part;
    }
  lim_springs_lengths(e->length, &e->inputs->spring_elements, p->t, false);
  lim_rec_apply(p->w, e->wrench, e->inputs->nload);
}

void lim_equilibrium_search_residual(lim_equilibrium_search *p) {
  lim_rec_residual(p->r, p->w, p->q, p->part_v, p->zero);
  p->e->resting = true;
  lim_equations_drive(p->e, p->t, LIM_AFTER, p->q, p->zero);
  p->e->resting = false;
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_arm_body *b = &p->s.bodies[i];
    if (b->q >= 0) p->r[b->q] -= p->e->answer[i].joint;
    if (b->m >= 0) p->r[b->m] -= p->e->answer[i].motor;
  }
}

double lim_equilibrium_search_correct(lim_equilibrium_search *p, double *largest, double *rounding) {
  double change = 0;
  bool finite = true;
  *largest = *rounding = 0;
  for (int j = 0; j < p->m; j++) {
    int i = p->index[j];
    p->q[i] -= p->x[j];
    finite = finite && isfinite(p->q[i]); // fmax passes over NaN
    change = fmax(change, fabs(p->x[j]));
    *largest = fmax(*largest, fabs(p->q[i] - p->start[i]));
    *rounding = fmax(*rounding, 1e-14 * fabs(p->q[i]));
  }
  return finite ? change : INFINITY;
}

// What there is of the rigid arm in the drives turns along.
void lim_equilibrium_search_recentre(lim_equilibrium_search *p, bool all) {
  lim_arm rigid = p->e->control.rigid ? *p->e->control.rigid : (lim_arm){0};
  for (int i = 0; i < p->s.nball; i++) {
    const lim_ball *b = &p->s.ball[i];
    double quaternion[4];
    if (!lim_ball_is_whole(b) || (!all && !lim_ball_is_far(b, p->q))) continue;
    lim_ball_centre(quaternion, b, p->q);
    lim_ball_rewrite(b, quaternion, p->q, p->zero, NULL, 0);
    lim_ball_rewrite(b, quaternion, p->start, p->zero, NULL, 0);
    lim_ball_set(&p->s, i, quaternion); // its joints are those of the run's arm
    if (rigid.nball) lim_ball_set(&rigid, i, quaternion);
  }
}

// The largest rotation within body i, of coordinates q (n).
static double turn_of(lim_equilibrium_search *p, int i, const double *q) {
  const lim_arm_body *b = &p->s.bodies[i];
  double largest = 0;
  lim_basis_matrix_expand(p->nodes, b->shapes, q + b->e);
  for (int k = 0; k < b->mesh->nnode; k++)
    for (int j = 3; j < 6; j++) largest = fmax(largest, fabs(p->nodes[6 * k + j]));
  return largest;
}

double lim_equilibrium_search_turn(lim_equilibrium_search *p) {
  double largest = 0;
  for (int i = 0; i < p->s.nbody; i++) largest = fmax(largest, turn_of(p, i, p->q));
  return largest;
}

double lim_equilibrium_search_turned(lim_equilibrium_search *p) {
  double sum = 0, along = 0;
  for (int i = 0; i < p->n; i++) {
    p->x[i] = p->q[i] - p->kept[i];
    along += p->x[i] * p->way[i];
  }
  for (int i = 0; i < p->s.nbody; i++) sum += turn_of(p, i, p->x);
  return along < 0 ? -sum : sum;
}

// --- (3): the tangent ---

lim_code lim_equilibrium_search_tangent(lim_equilibrium_search *p, lim_error *err) {
  size_t n = (size_t)p->n, m = (size_t)p->m;
  if (!p->T) p->T = lim_arena_array(&p->arena, n * n + 2 * m * m, sizeof *p->T);
  if (!p->T) return lim_no_memory(err);
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

// --- closed chains ---

// Rows that nothing moves are rounding, and would be scaled up to rows that count.
static void clear_rounding(double *G, int rows, int m) {
  static const double ROUNDING = 1e-12;
  double largest = 0;
  for (int i = 0; i < rows * m; i++) largest = fmax(largest, fabs(G[i]));
  for (int i = 0; i < rows; i++) {
    double *row = G + (size_t)i * (size_t)m, own = 0;
    for (int j = 0; j < m; j++) own = fmax(own, fabs(row[j]));
    if (own <= ROUNDING * largest) memset(row, 0, (size_t)m * sizeof *row);
  }
}

static void make_rows(lim_equilibrium_search *p) {
  lim_rec_loop_rows(p->G, p->w, p->q);
  for (int i = 0; i < p->e->nrow; i++)
    for (int j = 0; j < p->m; j++)
      p->packed[(size_t)i * (size_t)p->m + (size_t)j] = p->G[(size_t)i * (size_t)p->n + (size_t)p->index[j]];
  clear_rounding(p->packed, p->e->nrow, p->m);
}

// B = D B D with D such that every row's largest entry is about 1: modal coordinates of short segments have
// stiffnesses 10^13 times those of joints, which is no reason to take any of them for dependent.
static void equilibrate(double *B, double *D, int n) {
  enum { ROUNDS = 8 };
  for (int i = 0; i < n; i++) D[i] = 1;
  for (int k = 0; k < ROUNDS; k++)
    for (int i = 0; i < n; i++) {
      double top = 0;
      for (int j = 0; j < n; j++) top = fmax(top, fabs(B[(size_t)j * (size_t)n + (size_t)i]));
      if (!(top > 0)) continue;
      double d = 1 / sqrt(top);
      D[i] *= d;
      lim_blas(cblas_dscal(n, d, B + i, n));
      lim_blas(cblas_dscal(n, d, B + (size_t)i * (size_t)n, 1));
    }
}

// A x - G' y = r, G x = gap, by least squares, because rows may follow from others; y is taken from the
// multipliers. After lim_equilibrium_search_tangent. False: no solution.
static bool solve_closed(lim_equilibrium_search *p) {
  int m = p->m, rows = p->e->nrow, n = m + rows, rank;
  lim_equations_rows(p->e, p->q, NULL, NULL);
  make_rows(p);
  memset(p->B, 0, (size_t)n * (size_t)n * sizeof *p->B);
  for (int j = 0; j < m; j++)
    memcpy(p->B + (size_t)j * (size_t)n, p->A + (size_t)j * (size_t)m, (size_t)m * sizeof *p->A);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < m; j++) {
      double g = p->packed[(size_t)i * (size_t)m + (size_t)j];
      p->B[(size_t)j * (size_t)n + (size_t)(m + i)] = g;
      p->B[(size_t)(m + i) * (size_t)n + (size_t)j] = -g;
    }
  equilibrate(p->B, p->unit, n);
  for (int i = 0; i < m; i++) p->b[i] = p->unit[i] * p->x[i];
  for (int i = 0; i < rows; i++) p->b[m + i] = p->unit[m + i] * p->e->row[i].value;
  for (int i = 0; i < n; i++) p->pivot[i] = 0;
  if (lim_dgelsy(n, n, 1, p->B, n, p->b, n, p->pivot, 1e-13, &rank)) return false;
  for (int i = 0; i < m; i++) p->x[i] = p->unit[i] * p->b[i];
  for (int i = 0; i < rows; i++) p->e->lambda[i] -= p->unit[m + i] * p->b[m + i];
  return true;
}

double lim_equilibrium_search_condition(lim_equilibrium_search *p, lim_error *err) {
  size_t m = (size_t)p->m;
  double norm = 0, left = 0;
  if (by_products(p) && p->m > CHECKED) return 1;
  memcpy(p->q, p->start, (size_t)p->n * sizeof *p->q);
  lim_equilibrium_search_load(p, 0);
  lim_equilibrium_search_residual(p);
  if (lim_equilibrium_search_tangent(p, err) != LIM_OK) return 1;
  for (size_t i = 0; i < m; i++) p->x[i] = sqrt(fabs(p->A[i * (m + 1)]));
  for (size_t j = 0; j < m; j++) {
    double sum = 0;
    for (size_t i = 0; i < m; i++) {
      if (p->x[i] * p->x[j] > 0) p->A[j * m + i] /= p->x[i] * p->x[j];
      sum += fabs(p->A[j * m + i]);
    }
    norm = fmax(norm, sum);
  }
  if (lim_dgetrf(p->m, p->A, p->m, p->pivot)) return 0;
  lim_dgecon(p->m, p->A, p->m, norm, &left);
  return left;
}

// --- products of the tangent ---

// The elastic stiffness, ready to be divided by: loads move few eigenvalues of the quotient away from 1. False:
// something has no stiffness of its own.
static bool prepare_products(lim_equilibrium_search *p) {
  lim_step_matrix c = {.K = 1, .joint = p->e->joint, .gear = p->e->gear};
  lim_equations_tangents(p->e, c);
  lim_slope_at(p->slope, p->q, p->part_v);
  return lim_rec_factor(p->w, p->q, c) < 0;
}

static void tangent_times(double *y, const double *x, lim_equilibrium_search *p) {
  lim_slope_along(y, p->slope, x);
  lim_equations_matrix_times(y, &p->s, p->e->answer, x);
}

static void quotient_times(double *y, const double *x, void *search) {
  tangent_times(y, x, search);
  lim_rec_solve(y, ((lim_equilibrium_search *)search)->w);
}

// x = T^-1 r by products, or with the matrix where they do not get there.
static lim_code solve_by_products(bool *solved, lim_equilibrium_search *p, lim_error *err) {
  double left = 1;
  *solved = false;
  if (!p->slope && lim_slope_new(&p->slope, &p->s, p->e, err) != LIM_OK) return LIM_NO_MEMORY;
  if (!prepare_products(p)) return LIM_OK;
  lim_rec_solve(p->r, p->w);
  lim_code code = lim_gmres(p->image, &left, quotient_times, p, p->r, p->n, PRODUCTS, 1e-10, err);
  *solved = code == LIM_OK && left <= 1e-10;
  for (int j = 0; j < p->m; j++) p->x[j] = p->image[p->index[j]];
  return code;
}

bool lim_equilibrium_search_solve(lim_equilibrium_search *p) {
  for (int j = 0; j < p->m; j++) p->x[j] = p->r[p->index[j]];
  if (p->m == 0 && p->e->nrow == 0) return true; // nothing gives way
  return p->e->nrow ? solve_closed(p) : !lim_dgesv(p->m, 1, p->A, p->m, p->pivot, p->x, p->m);
}

static lim_code solve_by_matrix(bool *solved, lim_equilibrium_search *p, lim_error *err) {
  lim_code code = lim_equilibrium_search_tangent(p, err);
  if (code == LIM_OK) *solved = lim_equilibrium_search_solve(p);
  return code;
}

// --- to first order ---

lim_code lim_equilibrium_search_linear(lim_equilibrium_search *p, lim_error *err) {
  size_t size = (size_t)p->n * sizeof *p->q;
  double largest, rounding;
  bool solved = false;
  memcpy(p->q, p->start, size);
  memset(p->e->lambda, 0, (size_t)p->e->nrow * sizeof *p->e->lambda);
  lim_equilibrium_search_load(p, 1);
  lim_equilibrium_search_residual(p);
  lim_equilibrium_search_load(p, 0);
  lim_code code = by_products(p) ? solve_by_products(&solved, p, err) : LIM_OK;
  if (code == LIM_OK && !solved) {
    lim_equilibrium_search_load(p, 1);
    lim_equilibrium_search_residual(p);
    lim_equilibrium_search_load(p, 0);
    code = solve_by_matrix(&solved, p, err);
  }
  if (code != LIM_OK) return code;
  if (!solved || !isfinite(lim_equilibrium_search_correct(p, &largest, &rounding)))
    return LIM_FAIL(err, LIM_FAILED,
                    "no equilibrium to first order: the unloaded arm has no stiffness somewhere");
  return LIM_OK;
}

// --- stability ---

lim_code lim_equilibrium_search_motions(double *N, int *free, lim_equilibrium_search *p, lim_error *err) {
  make_rows(p);
  return lim_null_space(N, free, p->packed, p->e->nrow, p->m, err);
}

// The coordinates in which the arm is free: those of closed chains keep the loops closed. A and M become
// theirs, *n their number.
static lim_code keep_closed(int *n, lim_equilibrium_search *p, double *M, lim_error *err) {
  size_t m = (size_t)p->m;
  *n = p->m;
  if (!p->e->nrow) return LIM_OK;
  double *N = malloc((2 * m * m + 1) * sizeof *N), *scratch = N ? N + m * m : NULL;
  if (!N) return lim_no_memory(err);
  lim_code code = lim_equilibrium_search_motions(N, n, p, err);
  if (code == LIM_OK && *n > 0) lim_project(p->A, p->A, N, p->m, *n, scratch);
  if (code == LIM_OK && *n > 0 && M) lim_project(M, M, N, p->m, *n, scratch);
  free(N);
  return code;
}

void lim_equilibrium_search_mass(double *M, lim_equilibrium_search *p, double *scratch) {
  size_t n = (size_t)p->n, m = (size_t)p->m;
  lim_assemble_mass(p->T, p->w, &p->s, p->q, scratch);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      size_t row = (size_t)p->index[i], column = (size_t)p->index[j];
      M[j * m + i] = (p->T[column * n + row] + p->T[row * n + column]) / 2;
    }
}

// Forces without a potential: by the eigenvalues of the dynamics.
static lim_code judge_dynamics(bool *stable, lim_equilibrium_search *p, lim_error *err) {
  size_t m = (size_t)p->m;
  int n;
  double *M = calloc(m * m + 4 * (size_t)p->n + 1, sizeof *M);
  lim_code code = M ? lim_equilibrium_search_tangent(p, err) : lim_no_memory(err);
  if (code == LIM_OK) lim_equilibrium_search_mass(M, p, M + m * m);
  if (code == LIM_OK) lim_equilibrium_search_residual(p); // the pose of the rows
  if (code == LIM_OK) code = keep_closed(&n, p, M, err);
  if (code == LIM_OK) code = lim_stability_of(&p->verdict, p->A, M, n, err);
  *stable = !p->verdict.diverges || (p->leaves && !p->verdict.passed_zero);
  free(M);
  return code;
}

static lim_code check_by_matrix(bool *stable, lim_equilibrium_search *p, bool last, lim_error *err) {
  bool odd = false;
  int n;
  lim_code code = lim_equilibrium_search_tangent(p, err);
  if (code == LIM_OK) code = keep_closed(&n, p, NULL, err);
  if (code != LIM_OK || n == 0) return code;
  *stable = lim_stability_definite(&odd, p->A, n, p->A + (size_t)p->m * (size_t)p->m);
  return odd && (last || !*stable) ? judge_dynamics(stable, p, err) : LIM_OK;
}

// Many unknowns: by the eigenvalues that loads move away from 1 in K^-1 T, which are negative where T is not
// positive. Complex ones: forces without a potential.
static lim_code check_by_products(bool *stable, lim_equilibrium_search *p, lim_error *err) {
  lim_ritz found[RITZ];
  int count = 0;
  lim_equilibrium_search_residual(p);
  if (!p->slope && lim_slope_new(&p->slope, &p->s, p->e, err) != LIM_OK) return LIM_NO_MEMORY;
  *stable = prepare_products(p);
  lim_code code = *stable ? lim_arnoldi(found, &count, quotient_times, NULL, p, p->n, RITZ, err) : LIM_OK;
  for (int i = 0; i < count; i++) {
    if (!(found[i].error < 1e-4)) continue;
    if (found[i].re < 0) *stable = false;
    if (fabs(found[i].im) > 1e-3 * fabs(found[i].re)) p->unjudged = true;
  }
  return code;
}

lim_code lim_equilibrium_search_check(bool *stable, lim_equilibrium_search *p, bool last, lim_error *err) {
  *stable = true;
  p->verdict = (lim_stability){false};
  p->unjudged = false;
  if (p->m == 0) return LIM_OK;
  bool many = by_products(p) && (!last || p->m > CHECKED);
  return many ? check_by_products(stable, p, err) : check_by_matrix(stable, p, last, err);
}

// --- (4): Newton's method ---

// Whether corrections have stopped becoming smaller because of rounding.
static bool is_noise(double change, double before, double largest, int k) {
  return k > 1 && change > 0.3 * before && change <= NOISE * largest;
}

lim_code lim_equilibrium_search_newton(bool *done, lim_equilibrium_search *p, lim_error *err) {
  double before = INFINITY, largest, rounding;
  *done = false;
  for (int k = 0; k < NEWTON; k++) {
    bool solved = false;
    lim_equilibrium_search_residual(p);
    lim_code code = by_products(p) ? solve_by_products(&solved, p, err) : LIM_OK;
    if (code == LIM_OK && !solved) {
      lim_equilibrium_search_residual(p);
      code = solve_by_matrix(&solved, p, err);
    }
    if (code != LIM_OK || !solved) return code;
    double change = lim_equilibrium_search_correct(p, &largest, &rounding);
    bool noise = is_noise(change, before, largest, k);
    *done = change <= fmax(TOLERANCE * largest, rounding) || noise;
    if (noise) p->noise = fmax(p->noise, change / largest);
    if (*done) return p->stay ? lim_equilibrium_search_check(done, p, false, err) : LIM_OK;
    if (!isfinite(change) || (k > 4 && change > 2 * before)) return LIM_OK;
    before = change;
  }
  return LIM_OK;
}
