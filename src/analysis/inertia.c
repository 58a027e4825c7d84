// inertia.c - effective inertia of joints by the mass matrix, and along a motion. Theory:
// docs/theory/inertia.md.
#include "analysis/inertia.h"
#include "arm/ball.h"
#include "dynamics/loop_closing.h"
#include "math/lapack.h"

#include "analysis/gain_design.h"
#include "analysis/statics/equilibrium.h"
#include "analysis/statics/rest.h"
#include "analysis/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- one joint: d'M d with d = 1 for the joint, and for its motor behind an elastic gear; pins of closed
// chains follow ---

static int followers(int *index, const lim_arm *s, const lim_arm_body *own, bool all) {
  int m = 0;
  for (int i = 0; i < s->nbody; i++) {
    int k = s->bodies[i].q, link = s->bodies[i].link;
    if (k < 0 || k == own->q) continue;
    bool held = lim_arm_commands(s, link) || lim_model_drive(s->model, link);
    if (all || s->passive[k] || (s->passive[own->q] && !held)) index[m++] = k;
  }
  return m;
}

// Pins of closed chains follow the joint; of a pin, all joints that nothing drives. Where that is not enough,
// driven joints that it cannot move without go along.
static bool follow(double *d, const lim_arm *s, const lim_arm_body *own, const double *q) {
  static const double OPEN = 1e-9;
  double open = 0;
  int *index = malloc(((size_t)s->nbody + 1) * sizeof *index);
  bool good = index && lim_loops_follow(d, &open, s, q, index, followers(index, s, own, false));
  if (good && open > OPEN) good = lim_loops_follow(d, &open, s, q, index, followers(index, s, own, true));
  for (int i = 0; i < s->nbody; i++) // motors turn with their joints
    if (s->bodies[i].m >= 0) d[s->bodies[i].m] = d[s->bodies[i].q];
  free(index);
  return good;
}

// Coordinates of free and spherical joints, but for those that loops move. Returns how many.
static int let_go_of(int *index, const lim_arm *s) {
  int count = 0;
  for (int i = 0; i < 6 * s->nball; i++) {
    const lim_ball *b = &s->ball[i / 6];
    const int at = i % 6 < 3 ? b->shift[i % 6] : b->turn[i % 6 - 3];
    if (at < 0 || (s->passive && s->passive[at])) continue;
    if (index) index[count] = at;
    count++;
  }
  return count;
}

// Nothing holds free and spherical joints: they recoil so that no effort is left on them, M_bb d_b = -M_b d.
// (1a)
static bool recoil(double *d, const lim_arm *s, const double *q, lim_rec_work *w, const double *zero,
                   const double *rest, double *r) {
  const int n = let_go_of(NULL, s);
  if (n == 0) return true;
  const size_t size = (size_t)n * (size_t)n;
  int *index = malloc((size_t)n * sizeof *index);
  double *A = calloc(size + (size_t)n + (size_t)s->n, sizeof *A), *b = A ? A + size : NULL,
         *unit = A ? b + n : NULL;
  if (index && A) {
    let_go_of(index, s);
    lim_rec_residual(r, w, q, zero, d);
    for (int i = 0; i < n; i++) b[i] = rest[index[i]] - r[index[i]];
    for (int k = 0; k < n; k++) {
      unit[index[k]] = 1;
      lim_rec_residual(r, w, q, zero, unit);
      unit[index[k]] = 0;
      for (int i = 0; i < n; i++) A[k * n + i] = r[index[i]] - rest[index[i]];
    }
    const bool solved = lim_dposv(n, 1, A, n, b, n) == 0; // a rod's spin about its axis may have no inertia
    for (int i = 0; i < n && solved; i++) d[index[i]] += b[i];
  }
  const bool good = index && A;
  free(index);
  free(A);
  return good;
}

lim_code lim_inertia_at(double *arm, double *rotor, const lim_arm *s, int body, const double *q,
                        lim_rec_work *w, double *scratch) {
  const lim_arm_body *b = &s->bodies[body];
  if (b->q < 0) return LIM_BAD_INPUT;
  size_t n = (size_t)s->n;
  double *zero = scratch, *d = scratch + n, *rest = scratch + 2 * n, *r = scratch + 3 * n;
  memset(scratch, 0, 2 * n * sizeof *scratch);
  lim_rec_residual(rest, w, q, zero, zero); // gravity, stiffness, springs
  d[b->q] = 1;
  if (b->m >= 0) d[b->m] = 1;
  if (s->nrow && !follow(d, s, b, q)) return LIM_NO_MEMORY;
  if (!recoil(d, s, q, w, zero, rest, r)) return LIM_NO_MEMORY;
  lim_rec_residual(r, w, q, zero, d);
  double total = 0;
  for (size_t i = 0; i < n; i++) total += d[i] * (r[i] - rest[i]);
  const lim_rotor *own = b->rotor < 0 ? NULL : &s->rotor[b->rotor];
  *rotor = own ? own->inertia : 0;
  *arm = total - (own ? own->ratio * own->ratio * own->inertia : 0);
  return LIM_OK;
}

// --- moments ---

typedef struct {
  const lim_model *model;
  const lim_inertia_plan *plan;
  lim_rest a;
  lim_world_motion *pose; // (nbody)
  double *scratch;
  double now; // where commanded joints were placed last [s]
  lim_inertia *out;
} survey;

static lim_code bad_solver(const lim_model *m, const char *key, lim_error *err, const char *text) {
  const lim_node *solver = m->solver.head.node, *at = solver ? lim_tree_get(solver, key) : NULL;
  return lim_tree_error(err, at ? at : solver ? solver : m->head.node, "%s", text);
}

enum { MOMENTS = 1000000 }; // at most

// How many moments, and the time between them.
static lim_code schedule(int *n, double *every, const lim_model *m, const lim_inertia_plan *plan,
                         lim_error *err) {
  const lim_solver *s = &m->solver;
  *n = 1;
  *every = 0;
  if (!isnan(plan->at) || (!plan->count && (!m->motion.count || isnan(s->duration)))) return LIM_OK;
  if (!m->motion.count) return bad_solver(m, "", err, "no joint has a motion: along which motion?");
  if (isnan(s->duration))
    return bad_solver(m, "", err, "solver: duration is missing; how long does the motion last?");
  *every = isnan(m->outputs.every) ? s->step : m->outputs.every;
  double records = ceil(s->duration / *every * (1 - 1e-9)) + 1;
  if (!plan->count && records > MOMENTS)
    return bad_solver(m, "duration", err, "more than 1e6 moments; take some of them (--along 1000)");
  *n = plan->count ? plan->count : (int)records;
  if (plan->count) *every = *n > 1 ? s->duration / (*n - 1) : 0;
  return LIM_OK;
}

static double moment(const survey *x, int i, double every) {
  if (!isnan(x->plan->at)) return x->plan->at;
  return every > 0 ? fmin(i * every, x->model->solver.duration) : 0;
}

// Closed chains on their way to a moment: far away they could close otherwise.
static lim_code walk(survey *x, double t, lim_error *err) {
  enum { WAYS = 100 }; // of the whole duration
  const double far =
      x->a.s->nrow && x->model->solver.duration > 0 ? x->model->solver.duration / WAYS : INFINITY;
  const double from = x->now;
  const int steps = fabs(t - from) > far ? (int)fmin(ceil(fabs(t - from) / far), 10 * WAYS) : 1;
  lim_code code = LIM_OK;
  for (int k = 1; k <= steps && code == LIM_OK; k++)
    code =
        lim_gain_design_place(x->a.q, x->a.e, k == steps ? t : from + (t - from) * k / steps, x->scratch, err);
  x->now = t;
  return code;
}

// Commanded joints, and their motors, go where they are told to be.
static lim_code place(survey *x, double t, lim_error *err) {
  if (x->a.holds) lim_payload_set(x->a.holds, lim_payload_at(x->a.holds, t));
  lim_code code = walk(x, t, err);
  if (code != LIM_OK) return code;
  if (x->model->solver.start != 1 || x->model->solver.mode == LIM_MODE_RIGID) return LIM_OK;
  code = lim_equilibrium(x->a.q, x->a.e, t, err);
  return code == LIM_OK ? lim_warn_of_turns(err, x->out->along ? t : NAN, x->a.s, x->a.q) : code;
}

// Joints that users can name.
static bool is_listed(const lim_arm *s, int body) {
  const lim_arm_body *b = &s->bodies[body];
  return b->q >= 0 && !lim_joint_in_ball(&s->model->links.item[b->link].joint);
}

static lim_code measure(survey *x, int i, lim_error *err) {
  const lim_arm *s = x->a.s;
  lim_inertia *out = x->out;
  if (x->plan->route == LIM_ROUTE_JACOBIAN) lim_kinematics(x->pose, s, x->a.q, NULL, NULL);
  for (int body = 0, k = 0; body < s->nbody; body++) {
    double arm = NAN, rotor = NAN;
    if (!is_listed(s, body)) continue;
    const lim_code code = x->plan->route == LIM_ROUTE_JACOBIAN
                              ? lim_inertia_nodal(&arm, &rotor, s, body, x->a.q, x->pose, x->scratch)
                              : lim_inertia_at(&arm, &rotor, s, body, x->a.q, x->a.e->w, x->scratch);
    if (code != LIM_OK) return lim_no_memory(err); // it has a freedom
    lim_inertia_joint *j = &out->joints.item[k++];
    double square = j->motor ? j->ratio * j->ratio : NAN;
    j->arm[i] = arm;
    j->joint[i] = arm + (j->motor ? square * rotor : 0);
    j->motor_side[i] = rotor + arm / square;
    lim_joint_drive d = x->a.inputs->drive[body];
    if (d.law.bandwidth > 0) lim_drive_design(&d, arm, rotor);
    j->kp[i] = d.law.bandwidth > 0 ? d.law.kp : NAN;
    j->kv[i] = d.law.bandwidth > 0 ? d.law.kv : NAN;
  }
  return LIM_OK;
}

// --- set-up ---

static lim_code list_joints(survey *x, lim_error *err) {
  const lim_arm *s = x->a.s;
  lim_inertia *out = x->out;
  if ((s->nrow || s->nball) && x->plan->route == LIM_ROUTE_JACOBIAN)
    return LIM_FAIL(
        err, LIM_BAD_INPUT,
        "the route 'jacobian' knows open chains without couplings, free and spherical joints only; use 'mass'");
  out->joints.item = lim_arena_array(&out->arena, (size_t)s->nbody, sizeof *out->joints.item);
  if (!out->joints.item) return lim_no_memory(err);
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (!is_listed(s, i)) continue;
    const lim_joint *joint = &x->model->links.item[b->link].joint;
    lim_inertia_joint *j = &out->joints.item[out->joints.count++];
    *j = (lim_inertia_joint){.name = joint->head.name, .slides = lim_joint_is_linear(joint)};
    j->motor = b->rotor >= 0;
    j->rotor = j->motor ? s->rotor[b->rotor].inertia : NAN;
    j->ratio = j->motor ? s->rotor[b->rotor].ratio : NAN;
    j->arm = lim_arena_array(&out->arena, 5 * (size_t)out->n, sizeof *j->arm);
    if (!j->arm) return lim_no_memory(err);
    j->joint = j->arm + out->n;
    j->motor_side = j->arm + 2 * out->n;
    j->kp = j->arm + 3 * out->n;
    j->kv = j->arm + 4 * out->n;
  }
  if (out->joints.count) return LIM_OK;
  return lim_tree_error(err, x->model->head.node, "no joint turns or slides: there is nothing to accelerate");
}

static lim_code run(survey *x, const char *directory, lim_error *err) {
  lim_inertia *out = x->out;
  double every;
  lim_code code = schedule(&out->n, &every, x->model, x->plan, err);
  if (code == LIM_OK) code = lim_rest_start(&x->a, x->model, directory, err);
  if (code != LIM_OK) return code;
  out->along = every > 0;
  out->time = lim_arena_array(&out->arena, (size_t)out->n, sizeof *out->time);
  x->pose = lim_arena_array(&x->a.arena, (size_t)x->a.s->nbody, sizeof *x->pose);
  x->scratch = lim_arena_array(&x->a.arena, lim_inertia_scratch(x->a.s), sizeof *x->scratch);
  if (!out->time || !x->pose || !x->scratch) return lim_no_memory(err);
  code = list_joints(x, err);
  for (int i = 0; i < out->n && code == LIM_OK; i++) {
    out->time[i] = moment(x, i, every);
    code = place(x, out->time[i], err);
    if (code == LIM_OK) code = measure(x, i, err);
  }
  return code;
}

lim_code lim_inertia_new(lim_inertia **out, const lim_model *model, const char *directory,
                         const lim_inertia_plan *plan, lim_error *err) {
  *out = NULL;
  survey x = {.plan = plan, .out = calloc(1, sizeof *x.out)};
  if (!x.out) return lim_no_memory(err);
  x.model = model;
  lim_code code = run(&x, directory, err);
  lim_rest_end(&x.a);
  if (code == LIM_OK)
    *out = x.out;
  else
    lim_inertia_free(x.out);
  return code;
}

void lim_inertia_free(lim_inertia *x) {
  if (!x) return;
  lim_arena_free(&x->arena);
  free(x);
}
