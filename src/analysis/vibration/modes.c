// modes.c - an arm that vibrates: M z'' + D z' + K z = 0 in the coordinates that its joints leave. Theory:
// docs/theory/modes.md.
#include "analysis/vibration/modes.h"

#include "analysis/warnings.h"

#include "analysis/overview.h"
#include "analysis/unused.h"

#include "analysis/statics/segments.h"
#include "analysis/vibration/loop_stability.h"
#include "analysis/vibration/repeated.h"
#include "analysis/vibration/vibration.h"
#include "math/eigen/damped.h"
#include "math/eigen/eigen.h"
#include "math/null_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Modes that may couple: through damping; through spin and forces that follow, whose combination converges
// slowly. Of the latter none beyond this multiple of the last frequency that is asked for.
enum { DAMPED_MODES = 100, GENERAL_MODES = 300 };
static const double GENERAL_SPAN = 1e4;

// The modes of K, M without damping: what all others are combined from.
typedef struct {
  int n, skip;    // found; of these without, or with negative stiffness
  double *lambda; // (n)
  double *z;      // (N x n)
  double *shown;  // z, where frequencies repeat in combinations of their own   (N x n)
} plain_modes;

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

// In two lists: the lowest `count` that swing; those that only decay and are mostly one of the lowest plain
// modes, below `limit`. Under damping that grows with frequency the highest have the longest time constants.
static lim_code list_modes(lim_modes *r, lim_vibration *x, const lim_damped *mode, int n, const double *z,
                           int count, int limit, lim_error *err) {
  r->modes.item = lim_arena_array(&r->arena, (size_t)count, sizeof *r->modes.item);
  r->overdamped.item = lim_arena_array(&r->arena, (size_t)n, sizeof *r->overdamped.item);
  if (!r->modes.item || !r->overdamped.item) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; code == LIM_OK && i < n; i++) {
    lim_natural_mode out = {.frequency = mode[i].omega / (2 * M_PI)};
    double rounding = (x->general ? 1e-10 : 1e-14) * mode[n - 1].omega, decay = mode[i].zeta * mode[i].omega;
    if (mode[i].decays ? mode[i].max >= limit : r->modes.count == count) continue;
    out.damping = fabs(decay) > rounding ? mode[i].zeta : 0;
    code = lim_mode_shape_of(&out, r, x, z + (size_t)mode[i].max * (size_t)x->N, err);
    if (mode[i].decays)
      r->overdamped.item[r->overdamped.count++] = (lim_decay){1 / mode[i].omega, out.kind, out.shape};
    else
      r->modes.item[r->modes.count++] = out;
  }
  return code;
}

// The mode that grows fastest, by the plain mode z that has the largest part in it.
static lim_code note_growth(lim_modes *r, lim_vibration *x, double growth, double swing, const double *z,
                            lim_error *err) {
  lim_natural_mode mode = {.frequency = swing / (2 * M_PI)};
  lim_code code = lim_mode_shape_of(&mode, r, x, z, err);
  r->growth = growth;
  r->growing = mode.frequency;
  r->grows = mode.kind;
  return code;
}

// K and M symmetric, D small or large: the plain modes of positive frequency, and damping between them.   (8)
static lim_code list_damped(lim_modes *r, lim_vibration *x, const plain_modes *p, int count, lim_error *err) {
  int n = p->n - p->skip;
  const size_t first = (size_t)p->skip * (size_t)x->N;
  const double *lambda = p->lambda + p->skip, *z = p->z + first;
  for (int i = 0; i < p->skip; i++) *(p->lambda[i] < 0 ? &r->unstable : &r->rigid) += 1;
  lim_damped *mode = lim_arena_array(&x->a.arena, 2 * (size_t)n, sizeof *mode);
  double *C = x->damped ? between(x, x->D, z, n) : NULL;
  if (!mode || (x->damped && !C)) return lim_no_memory(err);
  for (int i = 0; i < n; i++) mode[i] = (lim_damped){sqrt(lambda[i]), 0, i, false};
  int found = n;
  lim_code code = r->unstable ? note_growth(r, x, sqrt(-p->lambda[0]), 0, p->shown, err) : LIM_OK;
  if (code == LIM_OK && x->damped) code = lim_damped_modes(mode, &found, lambda, C, n, err);
  return code == LIM_OK ? list_modes(r, x, mode, found, p->shown + first, count, count, err) : code;
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
  if (!out) return lim_no_memory(err);
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
  lim_damped *mode = lim_arena_array(&x->a.arena, 2 * (size_t)n + (size_t)x->back.nx, sizeof *mode);
  double *K = between(x, x->K, p->z, n), *C = between(x, x->D, p->z, n);
  if (!mode || !K || !C) return lim_no_memory(err);
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
  if (found.unstable)
    code = note_growth(r, x, found.growth, found.swing, p->shown + (size_t)found.most * (size_t)x->N, err);
  if (code != LIM_OK) return code;
  return list_modes(r, x, mode, found.found, p->shown, count, p->skip + count, err);
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
  if (!p->lambda || !p->z) return lim_no_memory(err);
  lim_eigen_count found;
  lim_code code = lim_eigen_lowest(p->lambda, p->z, &found, K, x->M, x->N, wanted, err);
  if (code != LIM_OK) return code;
  p->n = found.found;
  p->skip = 0;
  while (p->skip < p->n && p->lambda[p->skip] <= 0) p->skip++;
  bool few = wanted < x->N && p->n - p->skip < count;
  return few ? find_plain(p, x, K, count, 2 * more + p->skip, err) : LIM_OK; // buckled
}

static lim_code choose_shown(plain_modes *p, lim_vibration *x, lim_error *err) {
  const size_t size = (size_t)x->N * (size_t)p->n;
  p->shown = lim_arena_array(&x->a.arena, size + 1, sizeof *p->shown);
  if (!p->shown) return lim_no_memory(err);
  memcpy(p->shown, p->z, size * sizeof *p->shown);
  return lim_repeated_modes(p->shown, x, p->lambda, p->n, err);
}

static lim_code solve(lim_modes *r, lim_vibration *x, int count, lim_error *err) {
  if (x->N == 0) return LIM_OK;
  const double *K = symmetric_part(x);
  if (!K) return lim_no_memory(err);
  plain_modes p = {.n = 0};
  int more = x->general ? GENERAL_MODES : x->damped ? DAMPED_MODES : 6 + r->joint.count;
  lim_code code = find_plain(&p, x, K, count, more, err);
  if (code == LIM_OK) code = choose_shown(&p, x, err);
  if (code != LIM_OK) return code;
  return x->general ? list_general(r, x, &p, count, err) : list_damped(r, x, &p, count, err);
}

static lim_code run(lim_modes **out, const lim_model *model, const char *directory, lim_joints joints,
                    int count, lim_error *err) {
  *out = NULL;
  lim_modes *r = calloc(1, sizeof *r);
  if (!r) return lim_no_memory(err);
  lim_vibration x;
  lim_code code = lim_vibration_start(&x, r, model, directory, joints, err);
  if (code == LIM_OK) code = lim_mode_shape_nodes(r, &x, err);
  if (code == LIM_OK) code = solve(r, &x, count, err);
  r->arm = x.a;
  r->unloaded = x.unloaded;
  if (code == LIM_OK)
    *out = r;
  else
    lim_modes_free(r);
  return code;
}

// --- doubts ---

enum { CHEAP = 400 }; // coordinates up to which a repeat is

// About undeformed links at rest segments leave nothing out.
static bool is_doubtful(const lim_modes *m, const lim_model *model) {
  const lim_arm *s = m->arm.s;
  bool moves = model->solver.start == 1;
  for (int i = 0; i < s->n; i++) moves = moves || m->arm.v[i] != 0;
  return moves && s->n <= CHEAP;
}

// The same with twice the segments; where that fails, it has nothing to say.
static lim_code compare(const lim_modes *m, const lim_model *model, const char *directory, lim_joints joints,
                        int count, lim_error *err) {
  lim_arena arena = {0};
  lim_modes *twice = NULL;
  lim_model more;
  lim_error own = {0};
  bool any;
  lim_code code = lim_segments_twice(&more, &any, model, &arena, err);
  if (code == LIM_OK && any) {
    code = run(&twice, &more, directory, joints, count, &own);
    if (code == LIM_OK) lim_segments_compare_modes(err, m, twice);
    code = code == LIM_NO_MEMORY ? lim_no_memory(err) : LIM_OK;
  }
  lim_modes_free(twice);
  lim_error_clear(&own);
  lim_arena_free(&arena);
  return code;
}

static void warn_of_growth(const lim_modes *r, lim_error *err) {
  char text[320];
  lim_unstable_mode(text, sizeof text, r->growth, r->growing, r->grows ? r->grows : "");
  lim_warn(err, NAN, NULL, "%d unstable mode%s: the arm does not stay here; %s %s", r->unstable,
           r->unstable > 1 ? "s" : "", r->unstable > 1 ? "the fastest" : "this", text);
}

// The first joint that a controller with a clock holds; NULL: there is none.
static const char *sampled_joint(const lim_modes *r) {
  const lim_arm *s = r->arm.s;
  for (int i = 0; i < s->nbody; i++) {
    const lim_joint_drive *d = &r->arm.inputs->drive[i];
    if (s->bodies[i].q < 0 || !d->law.kind || d->law_z < 0) continue;
    const char *name = s->model->links.item[s->bodies[i].link].joint.head.name;
    for (int k = 0; k < r->joint.count; k++)
      if (!strcmp(r->joint.item[k].name, name) && !strcmp(r->joint.item[k].held, "held")) return name;
  }
  return NULL;
}

static const double LONG_RUN = 10; // [s]

// Modes know no clocks, but the loop that has them may be unstable.
static void warn_of_clocks(const lim_modes *r, const lim_model *model, const char *directory, lim_error *err) {
  const char *joint = sampled_joint(r);
  if (!joint) return;
  lim_warn(err, NAN, joint,
           "modes take controllers as continuous: samples and delays, as of '%s', are left out", joint);
  lim_error own = {0};
  lim_unstable u;
  char text[1024];
  const lim_code code = lim_unstable_find(&u, model, directory, &own);
  lim_error_clear(&own);
  if (code != LIM_OK || !lim_unstable_shows(&u, LONG_RUN)) return;
  lim_unstable_text(text, sizeof text, &u);
  lim_warn(err, NAN, NULL, "%s", text);
}

lim_code lim_modes_new(lim_modes **out, const lim_model *model, const char *directory, lim_joints joints,
                       int count, lim_error *err) {
  lim_code code = run(out, model, directory, joints, count, err);
  if (code == LIM_OK && (*out)->unstable) warn_of_growth(*out, err);
  if (code == LIM_OK) warn_of_clocks(*out, model, directory, err);
  if (code == LIM_OK) code = lim_warn_of_stiffening(err, &(*out)->arm);
  if (code == LIM_OK && model->solver.start != 1) lim_warn_of_unused_release(err, model);
  if (code == LIM_OK && (*out)->modes.count)
    lim_warn_of_frequency(err, NULL, "the lowest frequency", (*out)->modes.item[0].frequency);
  if (code == LIM_OK && is_doubtful(*out, model)) code = compare(*out, model, directory, joints, count, err);
  if (code != LIM_OK && *out) {
    lim_modes_free(*out);
    *out = NULL;
  }
  return code;
}

void lim_modes_free(lim_modes *m) {
  if (!m) return;
  lim_rest_end(&m->arm);
  lim_arena_free(&m->arena);
  free(m);
}
