// nominal.c - of what size states are, for integrators that scale their tolerances by it. Deformations: those
// that one gravity in any direction gives, and as much strain energy in coordinates that it does not move.
// Guide: docs/guide/generate.md.
#include "export/code/nominal.h"

#include "math/band.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double GRAVITY = 9.81;

// One digit: what rounding leaves in models does not show.
static double one_digit(double x) {
  char text[32];
  snprintf(text, sizeof text, "%.0e", x);
  return strtod(text, NULL);
}

// --- deformations ---

static double entry(const double *band, int width, int i) {
  return band[(size_t)i * (size_t)(width + 1) + (size_t)width];
}

static lim_band band_of(lim_arena *arena, const double *from, int width, int n) {
  lim_band b = lim_band_new(arena, n, width);
  for (int i = 0; b.a && i < n; i++)
    for (int j = i > width ? i - width : 0; j <= i; j++)
      lim_band_add(b, i, j, from[i * (width + 1) + j - i + width]);
  return b;
}

// Generalised forces of gravity along an axis at the start (n); axis 3: without any.
static void forces(double *r, lim_rec_work *w, lim_arm *s, const double *q, const double *zero, int axis) {
  for (int k = 0; k < 3; k++) s->gravity[k] = k == axis ? GRAVITY : 0;
  lim_rec_residual(r, w, q, zero, zero);
}

typedef struct {
  double energy; // [J] twice that of the largest deformation
  double rate;   // [rad/s] with which that shape vibrates, by the body's own mass
} sag;

// Largest static deformation of a body over the three axes, into eta (n).
static sag sag_of(double *eta, const lim_body *b, const double *force[3], lim_arena *arena) {
  sag out = {0, 0};
  double *x = lim_arena_array(arena, (size_t)b->n + 1, sizeof *x);
  lim_band K = band_of(arena, b->K, b->width, b->n), M = band_of(arena, b->M, b->width, b->n);
  if (!x || !K.a || !M.a || lim_band_factor(K, NULL) != LIM_OK) return out;
  for (int axis = 0; axis < 3; axis++) {
    double work = 0;
    memcpy(x, force[axis], (size_t)b->n * sizeof *x);
    lim_band_solve(K, x, 1);
    for (int i = 0; i < b->n; i++) work += x[i] * force[axis][i], eta[i] = fmax(eta[i], fabs(x[i]));
    double mass = lim_band_product(M, x, x);
    if (work > out.energy) out = (sag){work, mass > 0 ? sqrt(work / mass) : 0};
  }
  return out;
}

static void nominals_of_body(lim_nominals *to, const lim_arm_body *b, const double *force[3],
                             lim_arena *arena) {
  const lim_body *body = b->body;
  double *q = to->q + b->e, *v = to->v + b->e;
  const double *part[3] = {force[0] + b->e, force[1] + b->e, force[2] + b->e};
  for (int i = 0; i < body->n; i++) q[i] = 0;
  sag s = sag_of(q, body, part, arena);
  for (int i = 0; i < body->n; i++) {
    double K = entry(body->K, body->width, i), M = entry(body->M, body->width, i);
    double min = K > 0 ? sqrt(s.energy / K) : 0;
    bool moved = q[i] >= min;
    if (!moved) q[i] = min;
    v[i] = moved ? q[i] * s.rate : M > 0 ? sqrt(s.energy / M) : 0;
  }
}

// --- joints ---

// How far and how fast a motion goes.
static void of_motion(double *q, double *v, const lim_trajectory *c, double duration) {
  enum { SAMPLES = 64 };
  double first = lim_trajectory_at(c, 0).value;
  *q = *v = 0;
  for (int i = 0; i <= SAMPLES; i++) {
    lim_sample x = lim_trajectory_at(c, duration * i / SAMPLES);
    *q = fmax(*q, fabs(x.value - first));
    *v = fmax(*v, fabs(x.rate));
  }
}

static void nominals_of_joint(lim_nominals *to, const lim_session *ss, int body) {
  const lim_arm_body *b = &ss->s->bodies[body];
  const lim_trajectory *c = ss->inputs->drive[body].motion;
  const double duration = ss->model->solver.duration;
  double q = 1, v = 1;
  if (c) of_motion(&q, &v, c, isnan(duration) ? 1 : duration);
  if (b->q >= 0) to->q[b->q] = fmin(q, 1), to->v[b->q] = v;
  if (b->m >= 0) to->q[b->m] = fmin(q, 1), to->v[b->m] = v;
}

// --- whole ---

static bool allocate(lim_nominals *to, double *r[4], double **zero, lim_arena *arena, size_t n) {
  to->q = lim_arena_array(arena, n + 1, sizeof *to->q);
  to->v = lim_arena_array(arena, n + 1, sizeof *to->v);
  *zero = lim_arena_array(arena, n + 1, sizeof **zero);
  bool good = to->q && to->v && *zero;
  for (int k = 0; k < 4 && good; k++) good = (r[k] = lim_arena_array(arena, n + 1, sizeof **r)) != NULL;
  return good;
}

lim_code lim_nominals_new(lim_nominals *to, const lim_session *ss, lim_arena *arena, lim_error *err) {
  lim_arm s = *ss->s;
  double *r[4], *zero;
  if (!allocate(to, r, &zero, arena, (size_t)s.n)) return lim_no_memory(err);
  lim_rec_work *w = lim_rec_work_new(&s);
  if (!w) return lim_no_memory(err);
  for (int k = 0; k < 4; k++) forces(r[k], w, &s, ss->motion_state->q, zero, k);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < s.n; i++) r[k][i] -= r[3][i];
  lim_rec_work_free(w);
  for (int i = 0; i < s.nbody; i++) {
    nominals_of_joint(to, ss, i);
    if (s.bodies[i].body->n) nominals_of_body(to, &s.bodies[i], (const double *[3]){r[0], r[1], r[2]}, arena);
  }
  for (int i = 0; i < s.n; i++) {
    to->q[i] = to->q[i] > 0 && isfinite(to->q[i]) ? one_digit(to->q[i]) : 1;
    to->v[i] = to->v[i] > 0 && isfinite(to->v[i]) ? one_digit(to->v[i]) : 1;
  }
  return LIM_OK;
}
