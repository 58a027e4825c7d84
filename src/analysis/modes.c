// modes.c - an arm that vibrates: M z'' + D z' + K z = 0 in the coordinates that its joints leave. Theory:
// docs/theory/modes.md.
#include "analysis/modes.h"

#include "analysis/vibration.h"
#include "math/damped.h"
#include "math/eigen.h"
#include "math/null_space.h"

#include <math.h>
#include <stdlib.h>

// Modes that may couple: through damping; through spin and forces that follow, whose combination converges
// slowly. Of the latter none beyond this multiple of the last frequency that is asked for.
enum { DAMPED_MODES = 100, GENERAL_MODES = 300 };
static const double GENERAL_SPAN = 1e4;

// The modes of K, M without damping: what all others are combined from.
typedef struct {
  int n, skip;    // found; of these without, or with negative stiffness
  double *lambda; // (n)
  double *z;      // (N x n)
} plain_modes;

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- one list of modes ---

// C (n x n) = z'A z
static double *between(lim_vibration *x, const double *A, const double *z, int n) {
  int N = x->N;
  double *Az = lim_arena_array(&x->a.arena, (size_t)N * (size_t)n, sizeof *Az);
  double *C = lim_arena_array(&x->a.arena, (size_t)n * (size_t)n, sizeof *C);
  if (!Az || !C) return NULL;
  lim_project(C, A, z, N, n, Az);
  return C;
}

static lim_code list_modes(lim_modes *r, lim_vibration *x, const lim_damped *mode, int n, const double *z,
                           int count, lim_error *err) {
  r->modes.item = lim_arena_array(&r->arena, (size_t)count, sizeof *r->modes.item);
  if (!r->modes.item) return no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; code == LIM_OK && i < n && r->modes.count < count; i++) {
    lim_natural_mode *out = &r->modes.item[r->modes.count++];
    double rounding = (x->general ? 1e-10 : 1e-14) * mode[n - 1].omega, decay = mode[i].zeta * mode[i].omega;
    *out = (lim_natural_mode){.frequency = mode[i].omega / (2 * M_PI),
                              .damping = fabs(decay) > rounding ? mode[i].zeta : 0};
    code = lim_shape_of(out, r, x, z + (size_t)mode[i].most * (size_t)x->N, err);
  }
  return code;
}

// K and M symmetric, D small or large: the plain modes of positive frequency, and damping between them.   (8)
static lim_code list_damped(lim_modes *r, lim_vibration *x, const plain_modes *p, int count, lim_error *err) {
  int n = p->n - p->skip;
  const double *lambda = p->lambda + p->skip, *z = p->z + (size_t)p->skip * (size_t)x->N;
  for (int i = 0; i < p->skip; i++) *(p->lambda[i] < 0 ? &r->unstable : &r->rigid) += 1;
  lim_damped *mode = lim_arena_array(&x->a.arena, (size_t)n, sizeof *mode);
  double *C = x->damped ? between(x, x->D, z, n) : NULL;
  if (!mode || (x->damped && !C)) return no_memory(err);
  for (int i = 0; i < n; i++) mode[i] = (lim_damped){sqrt(lambda[i]), 0, i};
  lim_code code = x->damped ? lim_damped_modes(mode, lambda, C, n, err) : LIM_OK;
  return code == LIM_OK ? list_modes(r, x, mode, n, z, count, err) : code;
}

// How many of the plain modes lie within GENERAL_SPAN.
static int within_span(const plain_modes *p, int count) {
  int last = p->skip + count - 1, n = p->n;
  while (last < n - 1 && p->lambda[n - 1] > GENERAL_SPAN * GENERAL_SPAN * p->lambda[last]) n--;
  return n;
}

// States of controllers in terms of n modes z: z'F, E z, G z.
static lim_code states_between(lim_damped_states *y, lim_vibration *x, const double *z, int n, lim_error *err) {
  const lim_feedback *f = &x->back;
  const size_t N = (size_t)x->N, nx = (size_t)f->nx;
  double *out = lim_arena_array(&x->a.arena, 3 * (size_t)n * nx, sizeof *out);
  if (!out) return no_memory(err);
  double *F = out, *E = F + (size_t)n * nx, *G = E + (size_t)n * nx;
  for (size_t i = 0; i < (size_t)n; i++)
    for (size_t k = 0; k < nx; k++)
      for (size_t j = 0; j < N; j++) {
        F[k * (size_t)n + i] += z[i * N + j] * f->F[k * N + j];
        E[i * nx + k] += z[i * N + j] * f->E[j * nx + k];
        G[i * nx + k] += z[i * N + j] * f->G[j * nx + k];
      }
  *y = (lim_damped_states){f->nx, F, E, G, f->A};
  return LIM_OK;
}

// Spin, or forces that follow: all of K and D between the plain modes, which make the symmetric part of K
// diagonal.   (9)
static lim_code list_general(lim_modes *r, lim_vibration *x, const plain_modes *p, int count, lim_error *err) {
  int n = within_span(p, count), rigid = 0;
  for (int j = 0; j < x->N; j++)
    for (int i = 0; i < j; i++) {
      double odd = (x->K[j * x->N + i] - x->K[i * x->N + j]) / 2;
      x->K[j * x->N + i] = odd;
      x->K[i * x->N + j] = -odd;
    }
  for (int i = 0; i < x->N; i++) x->K[i * (x->N + 1)] = 0;
  lim_damped *mode = lim_arena_array(&x->a.arena, (size_t)n + (size_t)x->back.nx, sizeof *mode);
  double *K = between(x, x->K, p->z, n), *C = between(x, x->D, p->z, n);
  if (!mode || !K || !C) return no_memory(err);
  for (int i = 0; i < n; i++) {
    K[i * (n + 1)] += p->lambda[i];
    rigid += p->lambda[i] == 0;
  }
  lim_general_count found;
  lim_damped_states states = {0};
  lim_code code = states_between(&states, x, p->z, n, err);
  if (code == LIM_OK) code = lim_general_modes(mode, &found, K, C, n, rigid, &states, err);
  if (code != LIM_OK) return code;
  r->rigid = found.rigid;
  r->unstable = found.unstable;
  return list_modes(r, x, mode, found.found, p->z, count, err);
}

// --- solution ---

// The symmetric part of K; K itself where it is symmetric.
static const double *symmetric_part(lim_vibration *x) {
  int N = x->N;
  if (!x->general) return x->K;
  double *S = lim_arena_array(&x->a.arena, (size_t)N * (size_t)N, sizeof *S);
  for (int j = 0; S && j < N; j++)
    for (int i = 0; i < N; i++) S[j * N + i] = (x->K[j * N + i] + x->K[i * N + j]) / 2;
  return S;
}

// `more` modes than are listed: rigid and unstable ones, and those that couple.
static lim_code find_plain(plain_modes *p, lim_vibration *x, const double *K, int count, int more,
                           lim_error *err) {
  int wanted = count + more < x->N ? count + more : x->N;
  p->lambda = lim_arena_array(&x->a.arena, (size_t)x->N, sizeof *p->lambda);
  p->z = lim_arena_array(&x->a.arena, (size_t)x->N * (size_t)wanted, sizeof *p->z);
  if (!p->lambda || !p->z) return no_memory(err);
  lim_eigen_count found;
  lim_code code = lim_eigen_lowest(p->lambda, p->z, &found, K, x->M, x->N, wanted, err);
  if (code != LIM_OK) return code;
  p->n = found.found;
  p->skip = 0;
  while (p->skip < p->n && p->lambda[p->skip] <= 0) p->skip++;
  bool few = wanted < x->N && p->n - p->skip < count;
  return few ? find_plain(p, x, K, count, 2 * more + p->skip, err) : LIM_OK; // buckled
}

static lim_code solve(lim_modes *r, lim_vibration *x, int count, lim_error *err) {
  if (x->N == 0) return LIM_OK;
  const double *K = symmetric_part(x);
  if (!K) return no_memory(err);
  plain_modes p = {.n = 0};
  int more = x->general ? GENERAL_MODES : x->damped ? DAMPED_MODES : 6 + r->joint.count;
  lim_code code = find_plain(&p, x, K, count, more, err);
  if (code != LIM_OK) return code;
  return x->general ? list_general(r, x, &p, count, err) : list_damped(r, x, &p, count, err);
}

lim_code lim_modes_new(lim_modes **out, const lim_model *model, const char *directory, lim_joints joints,
                       int count, lim_error *err) {
  *out = NULL;
  lim_modes *r = calloc(1, sizeof *r);
  if (!r) return no_memory(err);
  lim_vibration x;
  lim_code code = lim_vibration_start(&x, r, model, directory, joints, err);
  if (code == LIM_OK) code = lim_shape_nodes(r, &x, err);
  if (code == LIM_OK) code = solve(r, &x, count, err);
  r->arm = x.a;
  r->unloaded = x.unloaded;
  if (code == LIM_OK)
    *out = r;
  else
    lim_modes_free(r);
  return code;
}

void lim_modes_free(lim_modes *m) {
  if (!m) return;
  lim_arm_end(&m->arm);
  lim_arena_free(&m->arena);
  free(m);
}
