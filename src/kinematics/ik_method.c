// ik_method.c - which method suits a chain, room for it, and what a posture is like: what is left,
// singularities. Theory: docs/theory/kinematics.md.
#include "kinematics/ik_method.h"

#include "kinematics/parallel.h"
#include "math/rotation.h"
#include "math/rows.h"

#include <stdio.h>
#include <stdlib.h>

static const double SINGULAR = 1e-4; // a direction that needs 10^4 times the speed counts as lost
static const double MEET = 1e-9;     // axes that pass at this share of the arm's size meet

// --- which method ---

// Distance of a point from an axis.
static double perturbed(const double x[3], const lim_chain_joint *a) {
  double w[3] = {x[0] - a->o[0], x[1] - a->o[1], x[2] - a->o[2]}, c[3];
  lim_cross(c, a->k, w);
  return sqrt(lim_dot(c, c));
}

// Last three joints that turn about axes through one point, neighbours not parallel.
static bool find_wrist(lim_ik *ik) {
  const lim_chain_joint *j = ik->c->joint + ik->c->n - 3;
  if (j[0].slides || j[1].slides || j[2].slides) return false;
  if (lim_axes_parallel(j[0].k, j[1].k, MEET) || lim_axes_parallel(j[1].k, j[2].k, MEET)) return false;
  double near = MEET * ik->c->size;
  return lim_axes_crossing(ik->point, &j[1], &j[2]) < near && perturbed(ik->point, &j[0]) < near;
}

// Whether all turning joints have parallel axes; their direction.
static bool find_normal(double normal[3], const lim_chain *c) {
  bool any = false;
  for (int i = 0; i < c->n; i++) {
    if (c->joint[i].slides) continue;
    if (any && !lim_axes_parallel(normal, c->joint[i].k, MEET)) return false;
    if (!any) memcpy(normal, c->joint[i].k, 3 * sizeof *normal);
    any = true;
  }
  return any;
}

// All motion in a plane.
static bool find_plane(double normal[3], const lim_chain *c) {
  if (!find_normal(normal, c)) return false;
  for (int i = 0; i < c->n; i++)
    if (c->joint[i].slides && fabs(lim_dot(normal, c->joint[i].k)) > MEET) return false;
  return true;
}

// The foot of the frame's origin on the axis of a joint.
static void foot(double at[3], const lim_chain *c, int joint) {
  const lim_chain_joint *j = &c->joint[joint];
  double w[3] = {c->p[0] - j->o[0], c->p[1] - j->o[1], c->p[2] - j->o[2]}, along = lim_dot(w, j->k);
  for (int i = 0; i < 3; i++) at[i] = j->o[i] + along * j->k[i];
}

// Joints that place and turn, of a chain for which there is a closed form; SEARCH where there is none.
static lim_ik_method choose(lim_ik *ik) {
  const lim_chain *c = ik->c;
  double normal[3];
  if (c->s) return LIM_IK_SEARCH;
  bool pose = ik->kind == LIM_GOAL_POSE, last_turns = c->n && !c->joint[c->n - 1].slides;
  memcpy(ik->point, c->p, sizeof ik->point);
  if (c->moving) return LIM_IK_SEARCH; // couplings: no joint moves alone
  ik->nplace = 3;
  if (pose && c->n == 6 && find_wrist(ik)) {
    ik->nturn = 3;
    return LIM_IK_WRIST;
  }
  if (pose && lim_parallel_suits(ik->point, c, MEET * c->size)) return LIM_IK_PARALLEL;
  if (c->n == 3 && !pose && !find_plane(normal, c)) return LIM_IK_POINT;
  if (c->n == 4 && pose && last_turns && find_normal(normal, c)) {
    ik->nturn = 1;
    foot(ik->point, c, 3);
    return LIM_IK_POINT;
  }
  ik->nturn = pose && c->n == 3 && last_turns;
  if ((c->n == 2 && !pose) || ik->nturn)
    if (find_plane(normal, c)) {
      ik->nplace = 2;
      ik->nvirtual = 1;
      if (ik->nturn) foot(ik->point, c, 2);
      ik->kernel[0] = (lim_chain_joint){.slides = true, .k = {normal[0], normal[1], normal[2]}};
      return LIM_IK_PLANAR;
    }
  return LIM_IK_SEARCH;
}

// Rank of columns of J, of positions only: (3 x n), each by its size.
static int rank_of(const double *J, int n, double size) {
  double A[9], square[3], max = 0;
  int rank = 0;
  for (int k = 0; k < n; k++) memcpy(A + 3 * k, J + 6 * k, 3 * sizeof *A);
  lim_rows_orthogonal(A, square, n, 3, 3);
  for (int k = 0; k < n; k++) max = fmax(max, square[k]);
  max = fmax(max, 1e-6 * size * size); // all of them lost
  for (int k = 0; k < n; k++) rank += square[k] > SINGULAR * SINGULAR * max;
  return rank;
}

// Three joints place a point only if they move it in all directions, somewhere.
static bool places(lim_ik *ik) {
  lim_world_pose at;
  for (int k = 0; k < ik->place.n; k++)
    ik->trial[k] = (0.7 + 0.4 * k) * (ik->place.joint[k].slides ? ik->c->size : 1);
  lim_chain_jacobian(&at, ik->part.J, &ik->place, ik->trial);
  return rank_of(ik->part.J, ik->place.n, ik->c->size) == ik->place.n;
}

// --- set-up ---

static bool set_up(lim_ik *ik) {
  const lim_chain *c = ik->c;
  size_t n = (size_t)c->n;
  ik->method = choose(ik);
  ik->aim = lim_arena_array(&ik->arena, 3 * n + LIM_SOLVER_FOUND * n + 1, sizeof *ik->aim);
  if (!ik->aim || !lim_ik_search_allocate(&ik->whole, &ik->arena, c, ik->kind == LIM_GOAL_POSE ? 6 : 3))
    return false;
  ik->start = ik->aim + n;
  ik->trial = ik->start + n;
  ik->found = ik->trial + n;
  if (ik->method == LIM_IK_SEARCH || ik->method == LIM_IK_PARALLEL) return true;
  memcpy(ik->kernel + ik->nvirtual, c->joint, (size_t)ik->nplace * sizeof *ik->kernel);
  ik->place =
      (lim_chain){.n = ik->nplace, .joint = c->joint, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .size = c->size};
  memcpy(ik->place.p, ik->point, sizeof ik->point);
  if (!lim_ik_search_allocate(&ik->part, &ik->arena, &ik->place, 3)) return false;
  if (!places(ik)) ik->method = LIM_IK_SEARCH;
  return true;
}

static void find_rank(lim_ik *ik);

lim_code lim_ik_new(lim_ik **out, const lim_chain *chain, lim_goal_kind kind, lim_error *err) {
  *out = NULL;
  lim_ik *ik = calloc(1, sizeof *ik);
  if (ik) {
    ik->c = chain;
    ik->kind = kind;
    lim_ik_set_tolerance(ik, 1e-10 * chain->size, 1e-10);
    if (set_up(ik)) {
      find_rank(ik);
      *out = ik;
      return LIM_OK;
    }
  }
  lim_ik_free(ik);
  return lim_no_memory(err);
}

void lim_ik_free(lim_ik *ik) {
  if (!ik) return;
  lim_arena_free(&ik->arena);
  free(ik);
}

lim_ik_method lim_ik_method_of(const lim_ik *ik) { return ik->method; }

const char *lim_ik_method_name(lim_ik_method m) {
  static const char *const name[] = {"wrist", "parallel", "point", "planar", "search"};
  return name[m];
}

void lim_ik_set_tolerance(lim_ik *ik, double distance, double angle) {
  ik->tolerance = distance;
  ik->angle = angle;
}

void lim_ik_set_rest(lim_ik *ik, lim_ik_rest rest) { ik->rest = rest; }

// --- what a posture is like ---

static unsigned singular_place(const lim_ik *ik) {
  const double *J = ik->part.J;
  int n = ik->place.n;
  bool turns = true;
  for (int k = 0; k < n; k++) turns = turns && !ik->place.joint[k].slides;
  int all = rank_of(J, n, ik->c->size);
  if (all == n) return 0;
  if (!turns) return LIM_SINGULAR_OTHER;
  if (n == 2) return LIM_SINGULAR_ELBOW;
  int elbow = rank_of(J + 6, 2, ik->c->size);
  return (elbow < 2 ? LIM_SINGULAR_ELBOW : 0u) | (all < elbow + 1 ? LIM_SINGULAR_SHOULDER : 0u);
}

static int rank_at(lim_ik *ik, const double *q, bool turns) {
  lim_ik_search *x = &ik->whole;
  lim_world_pose at;
  double s[6];
  int rank = 0;
  if (ik->c->s)
    return lim_freedoms_at(&x->freedoms, &x->closed, q) ? lim_freedoms_of_frame(&x->freedoms, turns) : 0;
  lim_chain_jacobian(&at, x->J, ik->c, q);
  lim_chain_singular_values(s, x->J, ik->c->n, turns ? ik->c->size : 0);
  while (rank < 6 && rank < ik->c->n && s[rank] > SINGULAR * s[0]) rank++;
  return rank;
}

int lim_ik_freedoms(lim_ik *ik, const double *q) { return rank_at(ik, q, true); }

// The most of a few postures about the configuration.
static void find_rank(lim_ik *ik) {
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < ik->c->n; k++)
      ik->trial[k] = ik->c->start[k] + 0.2 * i * sin(2.0 * k + 3.0 * i) * ik->whole.unit[k];
    if (ik->c->s && !lim_closed_chain_close(&ik->whole.closed, ik->trial, NULL, NULL)) continue;
    int rank = rank_at(ik, ik->trial, ik->whole.frame == 6);
    if (rank > ik->rank) ik->rank = rank;
  }
}

static unsigned singular_at(lim_ik *ik, const double *q) {
  lim_world_pose at;
  unsigned out = 0;
  if (ik->method == LIM_IK_SEARCH || ik->method == LIM_IK_PARALLEL) {
    if (rank_at(ik, q, ik->whole.frame == 6) < ik->rank) out |= LIM_SINGULAR_OTHER;
    if (ik->c->s && lim_freedoms_give_way(&ik->whole.freedoms)) out |= LIM_SINGULAR_HELD;
    return out;
  }
  lim_chain_jacobian(&at, ik->part.J, &ik->place, q);
  out = singular_place(ik);
  if (ik->nturn == 3) {
    const lim_chain_joint *j = ik->c->joint + 3;
    double turn[9], there[3], across[3];
    lim_rotation_axis(turn, j[1].k, q[4]);
    lim_rotate(there, turn, j[2].k);
    lim_cross(across, j[0].k, there);
    if (lim_dot(across, across) < SINGULAR * SINGULAR) out |= LIM_SINGULAR_WRIST;
  }
  return out;
}

bool lim_solver_good(const lim_ik *ik, const lim_miss *m) {
  return m->distance <= ik->tolerance && m->angle <= ik->angle && m->gap <= LIM_LOOP_CLOSED;
}

int lim_solver_beyond(const lim_ik *ik, const double *q) {
  int worst = -1;
  double max = 1e-12;
  for (int k = 0; k < ik->c->n; k++) {
    const lim_chain_joint *j = &ik->c->joint[k];
    double out = fmax(j->low - q[k], q[k] - j->high);
    if (!(out > max)) continue;
    max = out;
    worst = k;
  }
  return worst;
}

lim_ik_outcome lim_ik_evaluate(lim_ik *ik, const lim_goal *goal, const double *q) {
  lim_miss m = lim_ik_search_miss(ik->whole.e, &ik->whole, q, goal);
  int out = lim_solver_beyond(ik, q);
  return (lim_ik_outcome){.reached = lim_solver_good(ik, &m) && out < 0,
                          .distance = m.distance,
                          .angle = m.angle,
                          .gap = m.gap,
                          .singular = singular_at(ik, q),
                          .beyond = out};
}

void lim_ik_pose(lim_world_pose *out, double *J, lim_ik *ik, const double *q) {
  lim_ik_search *x = &ik->whole;
  if (!ik->c->s) {
    lim_chain_jacobian(out, J ? J : x->J, ik->c, q);
    return;
  }
  lim_closed_chain_pose(out, NULL, &x->closed, q);
  if (J && lim_freedoms_at(&x->freedoms, &x->closed, q)) lim_freedoms_jacobian(J, &x->freedoms);
}

bool lim_ik_close(lim_ik *ik, double *q) { return !ik->c->s || lim_closed_chain_follow(&ik->whole.closed, q); }

const char *lim_ik_singular_name(char text[96], unsigned singular) {
  static const char *const name[] = {"wrist", "elbow", "shoulder", "a direction is lost",
                                     "held joints do not hold it"};
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < 5; i++)
    if (singular & 1u << i)
      used += (size_t)snprintf(text + used, 96 - used, "%s%s", used ? " and " : "", name[i]);
  return text;
}
