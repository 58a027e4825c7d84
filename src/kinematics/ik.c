// ik.c - which way suits a chain, and what comes out of it: solutions that were looked at, the nearest first.
// Theory: docs/theory/kinematics.md.
#include "kinematics/ik.h"

#include "kinematics/placing.h"
#include "kinematics/search.h"
#include "kinematics/turning.h"
#include "math/rotation.h"
#include "math/rows.h"

#include <stdio.h>
#include <stdlib.h>

enum { FOUND = 64, STARTS_NEAR = 40, STARTS_ALL = 200, ROUNDS = 200, POLISH = 12 };

static const double SAME = 1e-6;     // joints nearer than this are one solution [rad, or of the arm's size]
static const double SINGULAR = 1e-4; // a direction that needs 10^4 times the speed counts as lost
static const double MEET = 1e-9;     // axes that pass at this share of the arm's size meet

struct lim_ik {
  lim_arena arena;
  const lim_chain *c;
  lim_goal_kind kind;
  lim_ik_method method;
  lim_ik_rest rest;
  double tolerance, angle;
  int nplace, nturn, nvirtual; // joints that place a point, and that turn about it; a slide across a planar arm
  lim_chain_joint kernel[3];   // those that place, the virtual one first
  double point[3];             // all joints at 0
  lim_chain place;             // the first nplace joints and that point
  lim_search whole, part;      // of the chain, of place
  double *aim;                 // posture that is preferred            (n)
  double *start, *trial;       // (n)
  double *found;               // solutions, the nearest first   (FOUND x n)
  int nfound;
};

// --- which way ---

static bool parallel(const double a[3], const double b[3]) {
  double c[3];
  lim_cross(c, a, b);
  return lim_dot(c, c) < MEET * MEET;
}

// The point of line a nearest to line b, which is not parallel; and how far they pass.
static double crossing(double at[3], const lim_chain_joint *a, const lim_chain_joint *b) {
  double w[3] = {b->o[0] - a->o[0], b->o[1] - a->o[1], b->o[2] - a->o[2]}, normal[3];
  double c = lim_dot(a->k, b->k), s = (lim_dot(w, a->k) - c * lim_dot(w, b->k)) / (1 - c * c);
  for (int i = 0; i < 3; i++) at[i] = a->o[i] + s * a->k[i];
  lim_cross(normal, a->k, b->k);
  return fabs(lim_dot(normal, w)) / sqrt(lim_dot(normal, normal));
}

// Distance of a point from an axis.
static double beside(const double x[3], const lim_chain_joint *a) {
  double w[3] = {x[0] - a->o[0], x[1] - a->o[1], x[2] - a->o[2]}, c[3];
  lim_cross(c, a->k, w);
  return sqrt(lim_dot(c, c));
}

// Last three joints that turn about axes through one point, neighbours not parallel.
static bool find_wrist(lim_ik *ik) {
  const lim_chain_joint *j = ik->c->joint + ik->c->n - 3;
  if (j[0].slides || j[1].slides || j[2].slides) return false;
  if (parallel(j[0].k, j[1].k) || parallel(j[1].k, j[2].k)) return false;
  double near = MEET * ik->c->size;
  return crossing(ik->point, &j[1], &j[2]) < near && beside(ik->point, &j[0]) < near;
}

// Whether all turning joints have parallel axes; their direction.
static bool find_normal(double normal[3], const lim_chain *c) {
  bool any = false;
  for (int i = 0; i < c->n; i++) {
    if (c->joint[i].slides) continue;
    if (any && !parallel(normal, c->joint[i].k)) return false;
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
  bool pose = ik->kind == LIM_GOAL_POSE, last_turns = c->n && !c->joint[c->n - 1].slides;
  memcpy(ik->point, c->p, sizeof ik->point);
  ik->nplace = 3;
  if (pose && c->n == 6 && find_wrist(ik)) {
    ik->nturn = 3;
    return LIM_IK_WRIST;
  }
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
  double A[9], square[3], most = 0;
  int rank = 0;
  for (int k = 0; k < n; k++) memcpy(A + 3 * k, J + 6 * k, 3 * sizeof *A);
  lim_rows_orthogonal(A, square, n, 3, 3);
  for (int k = 0; k < n; k++) most = fmax(most, square[k]);
  most = fmax(most, 1e-6 * size * size); // all of them lost
  for (int k = 0; k < n; k++) rank += square[k] > SINGULAR * SINGULAR * most;
  return rank;
}

// Three joints place a point only if they move it in all directions, somewhere.
static bool places(lim_ik *ik) {
  lim_place_in_world at;
  for (int k = 0; k < ik->place.n; k++)
    ik->trial[k] = (0.7 + 0.4 * k) * (ik->place.joint[k].slides ? ik->c->size : 1);
  lim_chain_jacobian(&at, ik->part.J, &ik->place, ik->trial);
  return rank_of(ik->part.J, ik->place.n, ik->c->size) == ik->place.n;
}

// --- set-up ---

static bool room_for(lim_search *x, lim_arena *arena, const lim_chain *c, int rows) {
  size_t n = (size_t)c->n;
  x->c = c;
  x->rows = rows;
  x->length = c->size;
  x->J = lim_arena_array(arena, 6 * n + 6 * (n + 6) + 3 * n + n * n, sizeof *x->J);
  x->fixed = lim_arena_array(arena, n + 1, sizeof *x->fixed);
  if (!x->J || !x->fixed) return false;
  x->A = x->J + 6 * n;
  x->step = x->A + 6 * (n + 6);
  x->trial = x->step + n;
  x->before = x->trial + n;
  x->H = x->before + n;
  return true;
}

static bool set_up(lim_ik *ik) {
  const lim_chain *c = ik->c;
  size_t n = (size_t)c->n;
  ik->method = choose(ik);
  ik->aim = lim_arena_array(&ik->arena, 3 * n + FOUND * n + 1, sizeof *ik->aim);
  if (!ik->aim || !room_for(&ik->whole, &ik->arena, c, ik->kind == LIM_GOAL_POSE ? 6 : 3)) return false;
  ik->start = ik->aim + n;
  ik->trial = ik->start + n;
  ik->found = ik->trial + n;
  if (ik->method == LIM_IK_SEARCH) return true;
  memcpy(ik->kernel + ik->nvirtual, c->joint, (size_t)ik->nplace * sizeof *ik->kernel);
  ik->place =
      (lim_chain){.n = ik->nplace, .joint = c->joint, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .size = c->size};
  memcpy(ik->place.p, ik->point, sizeof ik->point);
  if (!room_for(&ik->part, &ik->arena, &ik->place, 3)) return false;
  if (!places(ik)) ik->method = LIM_IK_SEARCH;
  return true;
}

lim_code lim_ik_new(lim_ik **out, const lim_chain *chain, lim_goal_kind kind, lim_error *err) {
  *out = NULL;
  lim_ik *ik = calloc(1, sizeof *ik);
  if (ik) {
    ik->c = chain;
    ik->kind = kind;
    lim_ik_set_tolerance(ik, 1e-10 * chain->size, 1e-10);
    if (set_up(ik)) {
      *out = ik;
      return LIM_OK;
    }
  }
  lim_ik_free(ik);
  return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
}

void lim_ik_free(lim_ik *ik) {
  if (!ik) return;
  lim_arena_free(&ik->arena);
  free(ik);
}

lim_ik_method lim_ik_method_of(const lim_ik *ik) { return ik->method; }

const char *lim_ik_method_name(lim_ik_method m) {
  static const char *const name[] = {"wrist", "point", "planar", "search"};
  return name[m];
}

void lim_ik_set_tolerance(lim_ik *ik, double distance, double angle) {
  ik->tolerance = distance;
  ik->angle = angle;
}

void lim_ik_set_rest(lim_ik *ik, lim_ik_rest rest) { ik->rest = rest; }

// --- looking at a posture ---

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

static unsigned singular_at(lim_ik *ik, const double *q) {
  lim_place_in_world at;
  unsigned out = 0;
  if (ik->method == LIM_IK_SEARCH) {
    double s[6];
    int rows = ik->whole.rows < ik->c->n ? ik->whole.rows : ik->c->n;
    lim_chain_jacobian(&at, ik->whole.J, ik->c, q);
    lim_chain_singular_values(s, ik->whole.J, ik->c->n, ik->whole.rows == 6 ? ik->c->size : 0);
    return rows && s[rows - 1] < SINGULAR * s[0] ? LIM_SINGULAR_OTHER : 0;
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

static bool good(const lim_ik *ik, const lim_miss *m) {
  return m->distance <= ik->tolerance && m->angle <= ik->angle;
}

// The joint that is farthest beyond its limits; -1: none is.
static int beyond(const lim_ik *ik, const double *q) {
  int worst = -1;
  double most = 1e-12;
  for (int k = 0; k < ik->c->n; k++) {
    const lim_chain_joint *j = &ik->c->joint[k];
    double out = fmax(j->low - q[k], q[k] - j->high);
    if (!(out > most)) continue;
    most = out;
    worst = k;
  }
  return worst;
}

lim_ik_outcome lim_ik_look(lim_ik *ik, const lim_goal *goal, const double *q) {
  lim_place_in_world at;
  double e[6];
  lim_chain_pose(&at, ik->c, q);
  lim_miss m = lim_search_miss(e, &ik->whole, &at, goal);
  int out = beyond(ik, q);
  return (lim_ik_outcome){.reached = good(ik, &m) && out < 0,
                          .distance = m.distance,
                          .angle = m.angle,
                          .singular = singular_at(ik, q),
                          .beyond = out};
}

const char *lim_ik_singular_name(char text[64], unsigned singular) {
  static const char *const name[] = {"wrist", "elbow", "shoulder", "a direction is lost"};
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < 4; i++)
    if (singular & 1u << i)
      used += (size_t)snprintf(text + used, 64 - used, "%s%s", used ? " and " : "", name[i]);
  return text;
}

// --- solutions found ---

// Whole turns so that q is nearest to near and, if it can be, within limits.
static void choose_turns(const lim_ik *ik, double *q, const double *near) {
  for (int k = 0; k < ik->c->n; k++) {
    const lim_chain_joint *j = &ik->c->joint[k];
    if (j->slides) continue;
    q[k] = near[k] + remainder(q[k] - near[k], 2 * M_PI);
    if (q[k] > j->high) q[k] -= 2 * M_PI * ceil((q[k] - j->high) / (2 * M_PI) - 1e-12);
    if (q[k] < j->low) q[k] += 2 * M_PI * ceil((j->low - q[k]) / (2 * M_PI) - 1e-12);
  }
}

static double apart(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

static bool is_known(const lim_ik *ik, const double *q) {
  int n = ik->c->n;
  for (int i = 0; i < ik->nfound; i++) {
    bool same = true;
    for (int k = 0; k < n && same; k++) {
      double way = q[k] - ik->found[i * n + k];
      same = ik->c->joint[k].slides ? fabs(way) < SAME * ik->c->size : fabs(remainder(way, 2 * M_PI)) < SAME;
    }
    if (same) return true;
  }
  return false;
}

// Put a solution where it belongs; the farthest is dropped where there is no more room.
static void keep(lim_ik *ik, const double *q) {
  int n = ik->c->n, at = ik->nfound;
  if (is_known(ik, q)) return;
  double far = apart(q, ik->aim, n);
  while (at > 0 && apart(ik->found + (at - 1) * n, ik->aim, n) > far) at--;
  if (at == FOUND) return;
  if (ik->nfound < FOUND) ik->nfound++;
  memmove(ik->found + (at + 1) * n, ik->found + at * n, (size_t)((ik->nfound - 1 - at) * n) * sizeof *q);
  memcpy(ik->found + at * n, q, (size_t)n * sizeof *q);
}

// What is preferred: near, or the middle of limits.
static void take_aim(lim_ik *ik, const double *near) {
  for (int k = 0; k < ik->c->n; k++) {
    const lim_chain_joint *j = &ik->c->joint[k];
    bool middle = ik->rest == LIM_REST_MIDDLE && isfinite(j->low) && isfinite(j->high);
    ik->aim[k] = middle ? (j->low + j->high) / 2 : near[k];
  }
}

// --- closed forms ---

// Where the point has to be, and the rotation (from all joints at 0) of the frame.
static void targets(double w[3], double turn[9], const lim_ik *ik, const lim_goal *goal) {
  double back[9], offset[3];
  memcpy(w, goal->position, 3 * sizeof *w);
  if (ik->kind == LIM_GOAL_POSITION) return;
  for (int i = 0; i < 9; i++) back[i] = ik->c->R[3 * (i % 3) + i / 3];
  lim_mat3_product(turn, goal->R, back);
  for (int i = 0; i < 3; i++) offset[i] = ik->point[i] - ik->c->p[i];
  double moved[3];
  lim_rotate(moved, turn, offset);
  for (int i = 0; i < 3; i++) w[i] += moved[i];
}

// Joints that turn about the point, once those that place it stand in q. Returns how many ways, into turned.
static int turn_ways(double turned[2][3], const lim_ik *ik, const double *q, const double turn[9],
                     const double *near) {
  lim_place_in_world at;
  double back[9], Q[9];
  if (ik->nturn == 0) return 1;
  lim_chain_pose(&at, &ik->place, q);
  for (int i = 0; i < 9; i++) back[i] = at.R[3 * (i % 3) + i / 3];
  lim_mat3_product(Q, back, turn);
  const lim_chain_joint *j = ik->c->joint + ik->nplace;
  if (ik->nturn == 3)
    return lim_turn_three(turned, (const double *[3]){j[0].k, j[1].k, j[2].k}, Q, near + ik->nplace);
  turned[0][0] = lim_turn_nearest(j[0].k, Q);
  return 1;
}

// Correct a candidate, look at it and keep it if it is a solution; limits do not count yet.
static void polish(lim_ik *ik, double *q, const lim_goal *goal, const double *near) {
  lim_place_in_world at;
  double e[6], size = ik->c->size;
  lim_chain_pose(&at, ik->c, q);
  lim_miss m = lim_search_miss(e, &ik->whole, &at, goal);
  if (m.square > 1e-26 * size * size) lim_search_reach(&m, &ik->whole, q, goal, false, POLISH);
  if (!good(ik, &m)) return;
  choose_turns(ik, q, near);
  keep(ik, q);
}

static void solve_closed(lim_ik *ik, const lim_goal *goal, const double *near) {
  double way[LIM_PLACINGS][3], turned[2][3], w[3], turn[9] = {0}, beside_near[3] = {0};
  memcpy(beside_near + ik->nvirtual, near, (size_t)ik->nplace * sizeof *near);
  targets(w, turn, ik, goal);
  int n = lim_placing(way, ik->kernel, ik->point, w, beside_near, ik->c->size);
  for (int i = 0; i < n; i++) {
    memcpy(ik->trial, way[i] + ik->nvirtual, (size_t)ik->nplace * sizeof *ik->trial);
    int ways = turn_ways(turned, ik, ik->trial, turn, near);
    for (int k = 0; k < ways; k++) {
      memcpy(ik->trial, way[i] + ik->nvirtual, (size_t)ik->nplace * sizeof *ik->trial);
      memcpy(ik->trial + ik->nplace, turned[k], (size_t)ik->nturn * sizeof *ik->trial);
      polish(ik, ik->trial, goal, near);
    }
  }
}

// --- searches ---

// A posture to start from: near, then others ever farther from it.
static void start_from(double *q, const lim_chain *c, const double *near, int start, int starts,
                       unsigned *seed) {
  double part = fmin(1, 2.0 * start / starts);
  for (int k = 0; k < c->n; k++) {
    const lim_chain_joint *j = &c->joint[k];
    double reach = j->slides ? c->size : M_PI;
    double low = isfinite(j->low) ? j->low : fmin(near[k], j->high) - reach;
    double high = isfinite(j->high) ? j->high : fmax(near[k], j->low) + reach;
    *seed = *seed * 1664525u + 1013904223u;
    double any = low + (high - low) * (double)(*seed >> 8) / (1 << 24);
    q[k] = near[k] + part * (any - near[k]);
  }
}

// The least that is left of a chain's way to a goal, from several postures, into q. It stops where it arrives.
static int approach(lim_miss *left, lim_search *x, double *q, double *trial, const lim_goal *goal,
                    const double *near, double enough) {
  unsigned seed = 1;
  int rounds = 0, n = x->c->n;
  *left = (lim_miss){.square = INFINITY};
  for (int start = 0; start < STARTS_NEAR; start++) {
    lim_miss m;
    start_from(trial, x->c, near, start, STARTS_NEAR, &seed);
    rounds += lim_search_reach(&m, x, trial, goal, true, ROUNDS);
    if (!(m.square < left->square)) continue;
    *left = m;
    memcpy(q, trial, (size_t)n * sizeof *q);
    if (m.square <= enough) return rounds;
  }
  return rounds + lim_search_refine(left, x, q, goal, true);
}

// As near as a closed form's arm gets: its point first, the orientation kept.
static int approach_closed(lim_ik *ik, double *q, const lim_goal *goal, const double *near) {
  double w[3], turn[9] = {0}, turned[2][3];
  lim_goal point = {.R = {0}};
  lim_miss left, best = {.square = INFINITY};
  targets(w, turn, ik, goal);
  memcpy(point.position, w, sizeof w);
  int rounds = approach(&left, &ik->part, q, ik->trial, &point, near, 0);
  int n = ik->c->n, ways = turn_ways(turned, ik, q, turn, near);
  for (int k = 0; k < ways; k++) {
    double e[6];
    lim_place_in_world at;
    memcpy(ik->trial, q, (size_t)ik->nplace * sizeof *q);
    memcpy(ik->trial + ik->nplace, turned[k], (size_t)ik->nturn * sizeof *q);
    choose_turns(ik, ik->trial, near);
    int out = beyond(ik, ik->trial);
    lim_chain_pose(&at, ik->c, ik->trial);
    left = lim_search_miss(e, &ik->whole, &at, goal);
    if (out >= 0 || left.angle > ik->angle) {
      rounds += lim_search_reach(&left, &ik->whole, ik->trial, goal, true, ROUNDS);
      rounds += lim_search_refine(&left, &ik->whole, ik->trial, goal, true);
    }
    bool equal = k > 0 && fabs(left.square - best.square) <= 1e-12 * best.square;
    if (equal ? apart(ik->trial, ik->aim, n) >= apart(ik->start, ik->aim, n) : left.square > best.square)
      continue;
    best = left;
    memcpy(ik->start, ik->trial, (size_t)n * sizeof *q);
  }
  memcpy(q, ik->start, (size_t)n * sizeof *q);
  return rounds;
}

// Solutions from many postures, each brought to the posture that is preferred where there is a choice.
static int solve_search(lim_ik *ik, const lim_goal *goal, const double *near, int starts, bool all) {
  unsigned seed = 1;
  int rounds = 0;
  for (int start = 0; start < starts && (all || ik->nfound == 0); start++) {
    lim_miss m;
    start_from(ik->trial, ik->c, near, start, starts, &seed);
    rounds += lim_search_reach(&m, &ik->whole, ik->trial, goal, true, ROUNDS);
    if (!good(ik, &m)) continue;
    choose_turns(ik, ik->trial, near);
    if (beyond(ik, ik->trial) >= 0) continue;
    memcpy(ik->start, ik->trial, (size_t)ik->c->n * sizeof *ik->trial);
    rounds += lim_search_settle(&ik->whole, ik->trial, goal, ik->aim);
    keep(ik, lim_ik_look(ik, goal, ik->trial).reached ? ik->trial : ik->start);
  }
  return rounds;
}

// --- interface ---

// Of the solutions found: the first whose joints are within limits, and how many are.
static int within(lim_ik *ik) {
  int n = ik->c->n, kept = 0;
  for (int i = 0; i < ik->nfound; i++) {
    if (beyond(ik, ik->found + i * n) >= 0) continue;
    if (kept < i) memcpy(ik->found + kept * n, ik->found + i * n, (size_t)n * sizeof *ik->found);
    kept++;
  }
  return kept;
}

static lim_ik_outcome solve(lim_ik *ik, double *q, const lim_goal *goal, const double *near, bool all) {
  int n = ik->c->n, rounds = 0, out = -1;
  ik->nfound = 0;
  take_aim(ik, near);
  if (ik->method == LIM_IK_SEARCH) {
    rounds = solve_search(ik, goal, near, all ? STARTS_ALL : STARTS_NEAR, all);
  } else {
    solve_closed(ik, goal, near);
    if (ik->nfound) out = beyond(ik, ik->found);
    ik->nfound = within(ik);
  }
  lim_ik_outcome x;
  if (ik->nfound) {
    if (q) memcpy(q, ik->found, (size_t)n * sizeof *q);
    x = lim_ik_look(ik, goal, ik->found);
    x.rounds = rounds;
    return x;
  }
  lim_miss left;
  if (ik->method == LIM_IK_SEARCH || out >= 0)
    rounds += approach(&left, &ik->whole, ik->found, ik->trial, goal, near, 0);
  else
    rounds += approach_closed(ik, ik->found, goal, near);
  if (q) memcpy(q, ik->found, (size_t)n * sizeof *q);
  x = lim_ik_look(ik, goal, ik->found);
  if (x.reached)
    ik->nfound = 1; // rounding kept the closed form from it
  else
    x.beyond = out;
  x.rounds = rounds;
  return x;
}

lim_ik_outcome lim_ik_near(lim_ik *ik, double *q, const lim_goal *goal, const double *near) {
  return solve(ik, q, goal, near, false);
}

int lim_ik_all(lim_ik *ik, double *q, int room, lim_ik_outcome *first, const lim_goal *goal,
               const double *near) {
  lim_ik_outcome x = solve(ik, NULL, goal, near, true);
  int n = ik->c->n, count = x.reached ? ik->nfound : 0, put = count < room ? count : room;
  if (count == 0) put = room > 0; // as near as it gets
  memcpy(q, ik->found, (size_t)(put * n) * sizeof *q);
  if (first) *first = x;
  return count;
}
