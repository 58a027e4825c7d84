// frequency_track.c - K z = lambda M(q) z with q of the joints as they are now. Theory: docs/theory/modes.md
// (1)-(3).
#include "analysis/vibration/frequency_track.h"

#include "analysis/vibration/tangent.h"
#include "arm/body/kind.h"
#include "dynamics/mass_matrix.h"
#include "math/eigen/eigen.h"
#include "math/null_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool allocate(lim_frequency_track *x) {
  size_t n = (size_t)x->s->n;
  double **matrix[] = {&x->M, &x->K, &x->whole, &x->reduced_M, &x->reduced_K, &x->z, &x->basis};
  for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
    if (!(*matrix[i] = lim_arena_array(&x->arena, n * n, sizeof(double)))) return false;
  x->frequency = lim_arena_array(&x->arena, (size_t)x->count, sizeof *x->frequency);
  x->shape = lim_arena_array(&x->arena, n * (size_t)x->count, sizeof *x->shape);
  x->G = lim_arena_array(&x->arena, 2 * (size_t)x->s->nrow * n, sizeof *x->G);
  x->answer = lim_arena_array(&x->arena, (size_t)x->s->nbody, sizeof *x->answer);
  x->index = lim_arena_array(&x->arena, n, sizeof *x->index);
  x->q = lim_arena_array(&x->arena, 6 * n, sizeof *x->q);
  if (!x->shape || !x->G || !x->frequency || !x->answer || !x->index || !x->q) return false;
  x->lambda = x->q + n;
  x->scratch = x->q + 2 * n;
  return (x->w = lim_rec_work_new(x->s)) != NULL;
}

lim_code lim_frequency_track_new(lim_frequency_track **out, const lim_arm *s, int count, lim_error *err) {
  *out = NULL;
  lim_frequency_track *x = calloc(1, sizeof *x);
  if (!x) return lim_no_memory(err);
  x->s = s;
  x->count = count;
  if (!allocate(x)) {
    lim_frequency_track_free(x);
    return lim_no_memory(err);
  }
  *out = x;
  return LIM_OK;
}

void lim_frequency_track_free(lim_frequency_track *x) {
  if (!x) return;
  lim_rec_work_free(x->w);
  lim_arena_free(&x->arena);
  free(x);
}

// Joints that are not locked (behind an elastic gear the motor is what is locked), and all deformations: their
// number, and how many are without stiffness.
static int choose_coordinates(lim_frequency_track *x, const lim_inputs *inputs, int *loose) {
  int N = 0;
  *loose = 0;
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    const lim_joint_drive *d = &inputs->drive[i];
    if (b->q >= 0 && d->type != LIM_DRIVE_PRESCRIBED) x->index[N++] = b->q;
    if (b->m >= 0 && !d->motor_given) x->index[N++] = b->m;
    *loose += b->q >= 0 && d->type != LIM_DRIVE_PRESCRIBED && !d->motor_given && !lim_drive_yields(d);
    for (int k = 0; k < b->body->n; k++) x->index[N++] = b->e + k;
  }
  return N;
}

static void place_joints(lim_frequency_track *x, const double *q) {
  for (int i = 0; i < x->s->nbody; i++) {
    int k = x->s->bodies[i].q, m = x->s->bodies[i].m;
    if (k >= 0) x->q[k] = q[k];
    if (m >= 0) x->q[m] = q[m];
  }
}

// K + what drives and springs add, into `whole`.
static lim_code stiffen(lim_frequency_track *x, const lim_equations *e, lim_error *err) {
  size_t square = (size_t)x->s->n * (size_t)x->s->n;
  if (!x->assembled) lim_assemble_stiffness(x->K, x->s, x->q);
  x->assembled = true;
  for (int i = 0; i < x->s->nbody; i++)
    if (x->s->bodies[i].kind->varies) x->assembled = false;
  memcpy(x->whole, x->K, square * sizeof *x->K);
  for (int i = 0; i < x->s->nbody; i++)
    if (x->s->bodies[i].q >= 0)
      x->answer[i] = lim_equations_small(e, i, x->q, lim_drive_yields(&e->inputs->drive[i]));
  lim_equations_matrix(x->whole, x->s, x->answer, false);
  return lim_tangent_add_springs(x->whole, e, x->q, err);
}

// The rows and columns of N coordinates; what rounding leaves unsymmetric in M is removed.
static void reduce(lim_frequency_track *x, int N) {
  size_t n = (size_t)x->s->n;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      size_t r = (size_t)x->index[i], c = (size_t)x->index[j];
      x->reduced_M[j * N + i] = (x->M[c * n + r] + x->M[r * n + c]) / 2;
      x->reduced_K[j * N + i] = (x->whole[c * n + r] + x->whole[r * n + c]) / 2;
    }
}

// Closed chains: the matrices of motions that keep them closed; their number into *left.
static lim_code close_loops(lim_frequency_track *x, int N, int *left, lim_error *err) {
  const lim_arm *s = x->s;
  *left = N;
  if (!s->nrow || N == 0) return LIM_OK;
  double *packed = x->G + (size_t)s->nrow * (size_t)s->n, *scratch = x->z;
  lim_rec_loop_rows(x->G, x->w, x->q);
  for (int i = 0; i < s->nrow; i++)
    for (int j = 0; j < N; j++) packed[i * N + j] = x->G[(size_t)i * (size_t)s->n + (size_t)x->index[j]];
  lim_code code = lim_null_space(x->basis, left, packed, s->nrow, N, err);
  if (code != LIM_OK) return code;
  lim_project(x->reduced_M, x->reduced_M, x->basis, N, *left, scratch);
  lim_project(x->reduced_K, x->reduced_K, x->basis, N, *left, scratch);
  return LIM_OK;
}

static void keep_shape(lim_frequency_track *x, int k, const double *z, int N, int left) {
  double *out = x->shape + (size_t)k * (size_t)x->s->n;
  for (int i = 0; i < N; i++) {
    double sum = x->s->nrow ? 0 : z[i];
    for (int j = 0; x->s->nrow && j < left; j++) sum += x->basis[j * N + i] * z[j];
    out[x->index[i]] = sum;
  }
}

lim_code lim_frequency_track_evaluate(lim_frequency_track *x, const lim_equations *e, const double *q,
                                      lim_error *err) {
  int loose, N = choose_coordinates(x, e->inputs, &loose);
  for (int i = 0; i < x->count; i++) x->frequency[i] = NAN;
  place_joints(x, q);
  lim_code code = stiffen(x, e, err);
  if (code != LIM_OK) return code;
  lim_assemble_mass(x->M, x->w, x->s, x->q, x->scratch);
  reduce(x, N);
  memset(x->shape, 0, (size_t)x->count * (size_t)x->s->n * sizeof *x->shape);
  lim_eigen_count found = {0};
  int left = 0;
  code = close_loops(x, N, &left, err);
  int wanted = x->count + loose < left ? x->count + loose : left; // each loose joint may give a rigid-body mode
  if (code == LIM_OK && left > 0)
    code = lim_eigen_lowest(x->lambda, x->z, &found, x->reduced_K, x->reduced_M, left, wanted, err);
  if (code != LIM_OK || left == 0) return code;
  for (int i = 0, k = 0; i < found.found && k < x->count; i++) {
    if (!(x->lambda[i] > 0)) continue;
    keep_shape(x, k, x->z + (size_t)i * (size_t)left, N, left);
    x->frequency[k++] = sqrt(x->lambda[i]) / (2 * M_PI);
  }
  return LIM_OK;
}
