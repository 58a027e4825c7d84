// along.c - K z = lambda M(q) z with q of the joints as they are now. Theory: docs/theory/modes.md (1)-(3).
#include "analysis/along.h"

#include "math/eigen.h"
#include "system/assemble.h"

#include <math.h>
#include <stdlib.h>

static bool take(lim_along_motion *x) {
  size_t n = (size_t)x->s->n;
  double **matrix[] = {&x->M, &x->K, &x->reduced_M, &x->reduced_K};
  for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
    if (!(*matrix[i] = lim_arena_array(&x->arena, n * n, sizeof(double)))) return false;
  x->frequency = lim_arena_array(&x->arena, (size_t)x->count, sizeof *x->frequency);
  x->index = lim_arena_array(&x->arena, n, sizeof *x->index);
  x->q = lim_arena_array(&x->arena, 7 * n, sizeof *x->q);
  if (!x->frequency || !x->index || !x->q) return false;
  x->servo = x->q + n;
  x->lambda = x->q + 2 * n;
  x->room = x->q + 3 * n;
  return (x->w = lim_rec_work_new(x->s)) != NULL;
}

lim_code lim_along_new(lim_along_motion **out, const lim_system *s, int count, lim_error *err) {
  *out = NULL;
  lim_along_motion *x = calloc(1, sizeof *x);
  if (!x) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  x->s = s;
  x->count = count;
  if (!take(x)) {
    lim_along_free(x);
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  lim_assemble_stiffness(x->K, s);
  *out = x;
  return LIM_OK;
}

void lim_along_free(lim_along_motion *x) {
  if (!x) return;
  lim_rec_work_free(x->w);
  lim_arena_free(&x->arena);
  free(x);
}

// Joints that are not locked, and all deformations: their number, and how many are joints without stiffness.
static int choose_coordinates(lim_along_motion *x, const lim_actuation *act, int *loose) {
  int N = 0;
  *loose = 0;
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_member *b = &x->s->member[i];
    const lim_joint_drive *d = &act->drive[i];
    if (b->q >= 0 && d->type != LIM_DRIVE_PRESCRIBED) {
      x->servo[b->q] = d->type == LIM_DRIVE_SERVO ? d->stiffness : 0;
      *loose += x->servo[b->q] == 0;
      x->index[N++] = b->q;
    }
    for (int k = 0; k < b->body->n; k++) x->index[N++] = b->e + k;
  }
  return N;
}

static void place_joints(lim_along_motion *x, const double *q) {
  for (int i = 0; i < x->s->nbody; i++) {
    int k = x->s->member[i].q;
    if (k >= 0) x->q[k] = q[k];
  }
}

// The rows and columns of N coordinates; what rounding leaves unsymmetric in M is removed.
static void reduce(lim_along_motion *x, int N) {
  size_t n = (size_t)x->s->n;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      size_t r = (size_t)x->index[i], c = (size_t)x->index[j];
      x->reduced_M[j * N + i] = (x->M[c * n + r] + x->M[r * n + c]) / 2;
      x->reduced_K[j * N + i] = x->K[c * n + r] + (r == c ? x->servo[r] : 0);
    }
}

lim_code lim_along_evaluate(lim_along_motion *x, const lim_actuation *act, const double *q, lim_error *err) {
  int loose, N = choose_coordinates(x, act, &loose);
  int wanted = x->count + loose < N ? x->count + loose : N; // each loose joint may give a rigid-body mode
  for (int i = 0; i < x->count; i++) x->frequency[i] = NAN;
  place_joints(x, q);
  lim_assemble_mass(x->M, x->w, x->s, x->q, x->room);
  reduce(x, N);
  lim_eigen_count found;
  lim_code code = lim_eigen_lowest(x->lambda, NULL, &found, x->reduced_K, x->reduced_M, N, wanted, err);
  if (code != LIM_OK) return code;
  for (int i = 0, k = 0; i < found.found && k < x->count; i++)
    if (x->lambda[i] > 0) x->frequency[k++] = sqrt(x->lambda[i]) / (2 * M_PI);
  return LIM_OK;
}
