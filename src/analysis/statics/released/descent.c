// descent.c - steps of Newton's method, shortened by the mass matrix where the arm is not stable or they would
// lead far; what nothing holds is left where it is. Theory: docs/theory/statics.md (5c)-(5e).
#include "analysis/statics/released/descent.h"

#include "analysis/statics/released/extent.h"
#include "analysis/statics/released/holding_names.h"
#include "math/blas.h"
#include "math/lapack.h"
#include "math/null_space.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-12, ROUNDING = 1e-13; // of the last step: of the way, of sizes
static const double NOISE = 1e-5;                        // largest last step that may be rounding, of the way
static const double STEP = 0.3;                          // the longest [rad], [sizes of the arm]
static const double FAR = 1e3, ROUND = 30;  // [sizes], [rad]: nothing is left that could hold a joint
static const double NEAR = 1e-4, AT = 1e-9; // steps near an equilibrium, and at one that is not stable
enum { STEPS = 400, TRIES = 60, HALVES = 12 };

typedef lim_equilibrium_search search;

typedef struct {
  search *p;
  lim_arena arena, looked; // of everything; of p->holding
  double *K, *M, *N;       // tangent, mass, motions that loops leave                (m x m)
  double *small, *scratch; // both in these motions                                  (2 m^2), (m^2 + 4 n)
  double *lift;            // tangent of the step, and in these motions              (2 m^2)
  double *step, *before;   // (m), (n)
  int *joint;              // released ones among the unknowns                       (nreleased)
  double *unit_of;         // 1 rad, or the size of the arm [m]                      (nreleased)
  int free;
  double mu;    // [1/s^2] part of the mass in the matrix of the step
  double unit;  // [1/s^2] of mu
  double reach; // the longest step of sliding joints, in that of turning ones
  double ease;  // part of what holds neutral motions
  bool lifted;  // that tangent is another than K
  bool saddle;  // at an equilibrium that is not stable
} descent;

static double way(const descent *d) {
  search *p = d->p;
  for (int i = 0; i < p->n; i++) p->image[i] = p->q[i] - p->start[i];
  return lim_extent(p, p->image, 1);
}

// --- matrices ---

// What accelerates released joints by their unit, and their own stiffness: the scale of all frequencies here.
static double scale_of(const descent *d) {
  const search *p = d->p;
  double max = 0;
  for (int k = 0; k < p->nreleased; k++) {
    size_t i = (size_t)d->joint[k], at = i * (size_t)(p->m + 1);
    if (d->M[at] > 0) max = fmax(max, (fabs(d->K[at]) + fabs(p->r[p->index[i]]) / d->unit_of[k]) / d->M[at]);
  }
  return max > 0 ? max : 1;
}

// A (m x m) in the motions that loops leave.
static void keep_closed(double *out, const descent *d, const double *A) {
  const search *p = d->p;
  if (p->e->nrow && d->free)
    lim_project(out, A, d->N, p->m, d->free, d->scratch);
  else if (!p->e->nrow)
    memcpy(out, A, (size_t)p->m * (size_t)p->m * sizeof *out);
}

// Residual, tangent, mass and motions at q.
static lim_code linearise(descent *d, lim_error *err) {
  search *p = d->p;
  size_t m = (size_t)p->m;
  lim_code code = lim_equilibrium_search_tangent(p, err);
  if (code != LIM_OK) return code;
  memcpy(d->K, p->A, m * m * sizeof *d->K);
  lim_equilibrium_search_mass(d->M, p, d->scratch);
  lim_equilibrium_search_residual(p); // the pose of the rows
  d->free = p->m;
  if (p->e->nrow) code = lim_equilibrium_search_motions(d->N, &d->free, p, err);
  if (code != LIM_OK) return code;
  d->unit = scale_of(d);
  keep_closed(d->small, d, d->K);
  keep_closed(d->small + m * m, d, d->M);
  return LIM_OK;
}

// K + mu M, in the motions that loops leave, positive? Of controllers and of forces without a potential K is
// not symmetric, and this does not tell.
static bool is_positive(descent *d, const double *K, double mu) {
  size_t m = (size_t)d->p->m, n = (size_t)d->free;
  double *A = d->p->A;
  bool odd = false;
  if (d->free == 0) return true;
  for (size_t i = 0; i < n * n; i++) A[i] = K[i] + mu * d->small[m * m + i];
  return lim_stability_definite(&odd, A, d->free, d->scratch) || odd;
}

// --- steps ---

// Weights, loads and pretensions times the size of the arm [N m].
static double weight_of(const search *p) {
  const lim_spring_elements *b = &p->e->inputs->spring_elements;
  const double g = sqrt(lim_dot(p->s.gravity, p->s.gravity));
  double sum = 0;
  for (int i = 0; i < p->s.nbody; i++) sum += p->s.bodies[i].body->mass * g * p->size;
  for (int i = 0; i < p->e->inputs->nload; i++) {
    const lim_wrench *w = &p->e->wrench[i];
    sum += sqrt(lim_dot(w->force, w->force)) * p->size + sqrt(lim_dot(w->moment, w->moment));
  }
  for (int i = 0; i < b->count; i++) sum += fabs(b->spring[i].preload) * p->size;
  return sum;
}

// Stiffness of springs and bushings times its square [N m].
static double springs_of(const search *p) {
  const lim_spring_elements *b = &p->e->inputs->spring_elements;
  double sum = 0;
  for (int i = 0; i < b->count; i++)
    for (int k = 0; k < (b->spring[i].bushing ? 6 : 1); k++)
      sum += b->spring[i].stiffness[k] * (k < 3 ? p->size * p->size : 1);
  return sum;
}

// The softest motions of the released joints, into p->holding.
static lim_code look(descent *d, lim_error *err) {
  search *p = d->p;
  double shift = d->unit;
  for (int k = 0; k < TRIES && !is_positive(d, d->small, shift); k++) shift *= 4;
  const lim_holding_of_what of = {d->K,         d->M,         p->e->nrow ? d->N : NULL,
                                  p->m,         d->free,      d->joint,
                                  d->unit_of,   p->nreleased, shift,
                                  weight_of(p), springs_of(p)};
  lim_arena_free(&d->looked);
  return lim_holding_of(&p->holding, &of, &d->looked, err);
}

// What holds a motion that nothing holds: as much as weights would, and less of that from step to step, so that
// what is pushed goes off all the same.
static double hold_of(const descent *d, int k) {
  const double weight = d->p->holding.weight[k];
  return d->ease * (weight > 0 ? weight : d->unit);
}

// What lambda of motion k is to become: none is negative (but where the search stays), none leads farther than
// a step, and what nothing holds stays where it is.
static double lifted(const descent *d, int k, const double *x) {
  const search *p = d->p;
  const lim_holding *h = &p->holding;
  double push = 0;
  for (int j = 0; j < p->m; j++) push += p->r[p->index[j]] * x[j];
  const double own = h->hold[k] == LIM_NEUTRAL ? hold_of(d, k) : d->saddle ? h->lambda[k] : fabs(h->lambda[k]);
  const double least = fabs(push) * lim_extent_of_unknowns(d->p, x, d->reach) / STEP;
  return fabs(own) < least ? least : own;
}

// A (m x m) = K with these lambda: K + (lifted - lambda)(M x)(M x)'. Whether other than neutral motions are
// lifted, or neutral ones pushed.
static bool lift(double *A, descent *d) {
  search *p = d->p;
  const lim_holding *h = &p->holding;
  size_t m = (size_t)p->m;
  double *Mx = d->scratch;
  bool any = false;
  memcpy(A, d->K, m * m * sizeof *A);
  for (int k = 0; k < h->count; k++) {
    const double *x = h->x + (size_t)k * m, to = lifted(d, k, x);
    if (to == h->lambda[k]) continue;
    lim_blas(cblas_dsymv(CblasColMajor, CblasLower, p->m, 1, d->M, p->m, x, 1, 0, Mx, 1));
    lim_blas(cblas_dger(CblasColMajor, p->m, p->m, to - h->lambda[k], Mx, 1, Mx, 1, A, p->m));
    any = any || h->hold[k] != LIM_NEUTRAL || to > hold_of(d, k);
  }
  return any;
}

// x of the next step. Links that are not stable, or bend too far, are slowed down by a part mu of their mass.
// False: there is no step.
static bool choose_step(descent *d) {
  search *p = d->p;
  size_t m = (size_t)p->m;
  double *K = d->lift, *small = d->lift + m * m;
  d->lifted = lift(K, d);
  d->mu = 0;
  keep_closed(small, d, K);
  for (int k = 0; k < TRIES; k++) {
    if (d->saddle || is_positive(d, small, d->mu)) {
      for (size_t i = 0; i < m * m; i++) p->A[i] = K[i] + d->mu * d->M[i];
      if (!lim_equilibrium_search_solve(p)) return false;
      const double size = lim_extent_of_unknowns(d->p, p->x, d->reach),
                   most = STEP * sqrt(1 + p->holding.count);
      for (int j = 0; j < p->m; j++) d->step[j] = (size > STEP ? STEP / size : 1) * p->x[j];
      if (d->saddle || size <= most) return isfinite(size);
    }
    d->mu = fmax(4 * d->mu, 1e-3 * d->unit);
  }
  return false;
}

static double along(const descent *d) {
  double sum = 0;
  for (int j = 0; j < d->p->m; j++) sum += d->p->r[d->p->index[j]] * d->step[j];
  return sum;
}

// Take the step, or the part of it that does not lead far beyond the lowest place on its way. Its part.
static double take_step(descent *d) {
  search *p = d->p;
  const double push = along(d), size = lim_extent_of_unknowns(d->p, d->step, 1);
  double part = 1;
  memcpy(d->before, p->q, (size_t)p->n * sizeof *p->q);
  for (int k = 0; k < HALVES; k++, part /= 2) {
    for (int j = 0; j < p->m; j++) p->q[p->index[j]] = d->before[p->index[j]] - part * d->step[j];
    lim_equilibrium_search_residual(p);
    if (part * size < NEAR || along(d) >= -0.5 * push) break;
  }
  return part;
}

// --- the search ---

static bool allocate(descent *d) {
  size_t m = (size_t)d->p->m, n = (size_t)d->p->n;
  double **matrix[] = {&d->K, &d->M, &d->N};
  for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
    if (!(*matrix[i] = lim_arena_array(&d->arena, m * m, sizeof(double)))) return false;
  d->small = lim_arena_array(&d->arena, 2 * m * m, sizeof *d->small);
  d->lift = lim_arena_array(&d->arena, 2 * m * m, sizeof *d->lift);
  d->scratch = lim_arena_array(&d->arena, m * m + 4 * n, sizeof *d->scratch);
  d->step = lim_arena_array(&d->arena, m, sizeof *d->step);
  d->before = lim_arena_array(&d->arena, n, sizeof *d->before);
  d->joint = lim_arena_array(&d->arena, (size_t)d->p->nreleased, sizeof *d->joint);
  d->unit_of = lim_arena_array(&d->arena, (size_t)d->p->nreleased, sizeof *d->unit_of);
  return d->small && d->lift && d->scratch && d->step && d->before && d->joint && d->unit_of;
}

static void list_joints(descent *d) {
  const search *p = d->p;
  for (int j = 0, k = 0; j < p->m; j++) {
    int body = 0;
    if (!p->released[p->index[j]]) continue;
    while (p->s.bodies[body].q != p->index[j]) body++;
    d->unit_of[k] = p->s.bodies[body].screw.turns ? 1 : p->size;
    d->joint[k++] = j;
  }
}

static lim_code prepare(descent *d, search *p, lim_error *err) {
  *d = (descent){.p = p, .reach = 1, .ease = 1};
  lim_world_motion *body = lim_arena_array(&d->arena, (size_t)p->s.nbody, sizeof *body);
  if (!body || !allocate(d)) return lim_no_memory(err);
  p->size = lim_extent_size(p, body);
  list_joints(d);
  p->holding = (lim_holding){0};
  return LIM_OK;
}

static bool is_far(const descent *d) {
  const search *p = d->p;
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_arm_body *b = &p->s.bodies[i];
    if (b->q >= 0 && fabs(p->q[b->q] - p->start[b->q]) > (b->screw.turns ? ROUND : FAR * d->p->size))
      return true;
  }
  return false;
}

static lim_code lost(const descent *d, lim_error *err) {
  search *p = d->p;
  const bool moves = lim_extent_of_unknowns(p, d->step, 1) > 0;
  const lim_code held =
      moves ? LIM_OK : lim_holding_check(p, err); // what nothing pushes may be held by nothing
  if (held != LIM_OK) return held;
  memset(p->image, 0, (size_t)p->n * sizeof *p->image);
  for (int j = 0; j < p->m; j++) p->image[p->index[j]] = -d->step[j];
  return lim_holding_lost(p, p->image, is_far(d) || p->holding.neutral, err);
}

// Sliding joints that are pushed without end get there in ever longer steps.
static void lengthen(descent *d, double size) { d->reach = size > 0.1 * STEP ? fmin(1.5 * d->reach, FAR) : 1; }

// Whether the search has ended, after a step of this part and size.
static bool has_ended(descent *d, double part, double size, double before) {
  const double far = way(d);
  if (d->mu > 0 || d->lifted || part < 1) return false;
  if (size <= fmax(TOLERANCE * far, ROUNDING)) return true;
  if (!(size > 0.3 * before) || size > NOISE * far) return false;
  d->p->noise = fmax(d->p->noise, size / far);
  return true;
}

static lim_code go(descent *d, lim_error *err) {
  double before = INFINITY;
  for (int k = 0; k < STEPS; k++) {
    lim_equilibrium_search_recentre(d->p, false);
    lim_code code = linearise(d, err);
    if (code == LIM_OK) code = look(d, err);
    if (code != LIM_OK) return code;
    if (!choose_step(d)) break;
    const double size = lim_extent_of_unknowns(d->p, d->step, 1),
                 reached = lim_extent_of_unknowns(d->p, d->step, d->reach);
    const double part = take_step(d);
    if (is_far(d)) break;
    if (has_ended(d, part, size, before)) return LIM_OK;
    d->saddle = d->p->holding.unstable && size <= AT;
    lengthen(d, reached);
    d->ease = fmax(d->ease / 2, 1e-3);
    before = size;
  }
  return lost(d, err);
}

static lim_code finish(descent *d, lim_error *err) {
  bool stays = true;
  search *p = d->p;
  lim_equilibrium_search_recentre(p, true); // rates of turns are then those of the body
  lim_code code = linearise(d, err);
  if (code == LIM_OK) code = look(d, err);
  if (code == LIM_OK) code = lim_holding_check(p, err);
  if (code == LIM_OK && p->stay && !p->holding.neutral && !p->holding.unstable)
    code = lim_equilibrium_search_check(&stays, p, true, err);
  return code;
}

lim_code lim_descent(search *p, lim_error *err) {
  descent d;
  lim_code code = prepare(&d, p, err);
  if (code == LIM_OK) {
    lim_equilibrium_search_load(p, 1);
    lim_equilibrium_search_residual(p);
    code = go(&d, err);
  }
  if (code == LIM_OK) code = finish(&d, err);
  lim_arena_free(&p->looked);
  p->looked = d.looked;
  lim_arena_free(&d.arena);
  return code;
}

// --- to first order ---

// Whether loads push along a motion that nothing holds, after solve.
static bool is_pushed(const descent *d) {
  search *p = d->p;
  const lim_holding *h = &p->holding;
  const double all = lim_extent_of_unknowns(d->p, p->x, 1);
  for (int k = 0; k < h->count; k++) {
    const double *x = h->x + (size_t)k * (size_t)p->m;
    double push = 0;
    for (int j = 0; j < p->m && h->hold[k] == LIM_NEUTRAL; j++) push += p->r[p->index[j]] * x[j];
    if (fabs(push) / hold_of(d, k) * lim_extent_of_unknowns(d->p, x, 1) > AT * all) return true;
  }
  return false;
}

static lim_code solve_to_first_order(descent *d, lim_error *err) {
  search *p = d->p;
  lim_equilibrium_search_load(p, 1);
  lim_equilibrium_search_residual(p);
  lim_equilibrium_search_load(p, 0);
  lift(p->A, d);
  bool solved = lim_equilibrium_search_solve(p);
  if (solved && !is_pushed(d)) {
    for (int j = 0; j < p->m; j++) p->q[p->index[j]] -= p->x[j];
    return LIM_OK;
  }
  memset(p->image, 0, (size_t)p->n * sizeof *p->image);
  for (int j = 0; j < p->m; j++) p->image[p->index[j]] = -p->x[j];
  return lim_holding_lost(p, p->image, true, err);
}

lim_code lim_descent_linear(search *p, lim_error *err) {
  descent d;
  memcpy(p->q, p->start, (size_t)p->n * sizeof *p->q);
  memset(p->e->lambda, 0, (size_t)p->e->nrow * sizeof *p->e->lambda);
  lim_code code = prepare(&d, p, err);
  if (code == LIM_OK) {
    lim_equilibrium_search_load(p, 0);
    lim_equilibrium_search_residual(p);
    code = linearise(&d, err);
  }
  if (code == LIM_OK) code = look(&d, err);
  if (code == LIM_OK) code = lim_holding_check(p, err);
  if (code == LIM_OK) code = solve_to_first_order(&d, err);
  lim_arena_free(&p->looked);
  p->looked = d.looked;
  lim_arena_free(&d.arena);
  return code;
}
