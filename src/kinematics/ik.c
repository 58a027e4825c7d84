// ik.c - solutions: in closed form or by search, each checked, the nearest first; or what is left where there
// are none. Theory: docs/theory/kinematics.md.
#include "kinematics/ik.h"

#include "kinematics/ik_method.h"
#include "kinematics/parallel.h"
#include "kinematics/position_subproblem.h"
#include "kinematics/wrist.h"
#include "math/rotation.h"

enum { STARTS_NEAR = 40, STARTS_CLOSED = 12, STARTS_ALL = 200, ROUNDS = 200, POLISH = 12 };

static const double SAME = 1e-6; // joints nearer than this are one solution [rad, or of the arm's size]

// --- solutions found ---

// Whole turns so that q is nearest to near and, if it can be, within limits.
static void choose_turns(const lim_ik *ik, double *q, const double *near) {
  for (int k = 0; k < ik->c->n; k++) {
    const lim_chain_joint *j = &ik->c->joint[k];
    if (j->slides || j->leads) continue;
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

// Which solution has these joints already, those apart that follow others; -1: none.
static int known(const lim_ik *ik, const double *q) {
  int n = ik->c->n;
  for (int i = 0; i < ik->nfound; i++) {
    bool same = true;
    for (int k = 0; k < n && same; k++) {
      if (ik->c->joint[k].follows) continue;
      const lim_chain_joint *j = &ik->c->joint[k];
      const double difference = q[k] - ik->found[i * n + k];
      same = j->slides ? fabs(difference) < SAME * ik->c->size
                       : fabs(j->leads ? difference : remainder(difference, 2 * M_PI)) < SAME;
    }
    if (same) return i;
  }
  return -1;
}

static void drop(lim_ik *ik, int i) {
  size_t n = (size_t)ik->c->n, behind = (size_t)(--ik->nfound - i);
  double *at = ik->found + (size_t)i * n;
  memmove(at, at + n, behind * n * sizeof *at);
}

// Put a solution where it belongs, once; the farthest is dropped where there is no more room.
static void keep(lim_ik *ik, const double *q) {
  int n = ik->c->n, same = known(ik, q);
  double far = apart(q, ik->aim, n);
  if (same >= 0 && apart(ik->found + same * n, ik->aim, n) <= far) return;
  if (same >= 0) drop(ik, same); // the same joints, those that follow farther away
  int at = ik->nfound;
  while (at > 0 && apart(ik->found + (at - 1) * n, ik->aim, n) > far) at--;
  if (at == LIM_SOLVER_FOUND) return;
  if (ik->nfound < LIM_SOLVER_FOUND) ik->nfound++;
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

// Joints that turn about the point, once those that place it stand in q. Returns how many solutions, into
// turned.
static int turn_about(double turned[2][3], const lim_ik *ik, const double *q, const double turn[9],
                      const double *near) {
  lim_world_pose at;
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

// Correct a candidate, check it and keep it if it is a solution; limits do not count yet.
static void polish(lim_ik *ik, double *q, const lim_goal *goal, const double *near) {
  double size = ik->c->size;
  lim_miss m = lim_ik_search_miss(ik->whole.e, &ik->whole, q, goal);
  if (m.square > 1e-26 * size * size) lim_ik_search_reach(&m, &ik->whole, q, goal, false, POLISH);
  if (!lim_solver_good(ik, &m)) return;
  choose_turns(ik, q, near);
  keep(ik, q);
}

static void solve_closed(lim_ik *ik, const lim_goal *goal, const double *near) {
  double candidate[LIM_PLACINGS][3], turned[2][3], w[3], turn[9] = {0}, beside_near[3] = {0};
  memcpy(beside_near + ik->nvirtual, near, (size_t)ik->nplace * sizeof *near);
  targets(w, turn, ik, goal);
  int n = lim_position_subproblem(candidate, ik->kernel, ik->point, w, beside_near, ik->c->size);
  for (int i = 0; i < n; i++) {
    memcpy(ik->trial, candidate[i] + ik->nvirtual, (size_t)ik->nplace * sizeof *ik->trial);
    int count = turn_about(turned, ik, ik->trial, turn, near);
    for (int k = 0; k < count; k++) {
      memcpy(ik->trial, candidate[i] + ik->nvirtual, (size_t)ik->nplace * sizeof *ik->trial);
      memcpy(ik->trial + ik->nplace, turned[k], (size_t)ik->nturn * sizeof *ik->trial);
      polish(ik, ik->trial, goal, near);
    }
  }
}

static void solve_parallel(lim_ik *ik, const lim_goal *goal, const double *near) {
  double candidate[LIM_PARALLELS][6], back[9], turn[9], moved[3], shift[3];
  for (int i = 0; i < 9; i++) back[i] = ik->c->R[3 * (i % 3) + i / 3];
  lim_mat3_product(turn, goal->R, back);
  lim_rotate(moved, turn, ik->c->p);
  for (int i = 0; i < 3; i++) shift[i] = goal->position[i] - moved[i];
  int n = lim_parallel(candidate, ik->c, ik->point, turn, shift, near);
  for (int i = 0; i < n; i++) polish(ik, candidate[i], goal, near);
}

// --- searches ---

// A posture to start from: near, then others ever farther from it.
static void start_from(double *q, const lim_chain *c, const double *near, int start, int starts,
                       unsigned *seed) {
  double part = fmin(1, 2.0 * start / starts);
  for (int k = 0; k < c->n; k++) {
    const lim_chain_joint *j = &c->joint[k];
    double reach = j->slides ? j->unit : M_PI * j->unit;
    double low = isfinite(j->low) ? j->low : fmin(near[k], j->high) - reach;
    double high = isfinite(j->high) ? j->high : fmax(near[k], j->low) + reach;
    *seed = *seed * 1664525u + 1013904223u;
    double any = low + (high - low) * (double)(*seed >> 8) / (1 << 24);
    q[k] = near[k] + part * (any - near[k]);
  }
}

// The least that is left of a chain's error to a goal, from several postures, into q. It stops where it
// arrives.
static int approach(lim_miss *left, lim_ik_search *x, double *q, double *trial, const lim_goal *goal,
                    const double *near, double enough) {
  unsigned seed = 1;
  int rounds = 0, n = x->c->n, starts = x->c->s ? STARTS_CLOSED : STARTS_NEAR;
  *left = (lim_miss){.square = INFINITY};
  memcpy(q, near, (size_t)n * sizeof *q);
  for (int start = 0; start < starts; start++) {
    lim_miss m;
    start_from(trial, x->c, near, start, starts, &seed);
    rounds += lim_ik_search_reach(&m, x, trial, goal, true, ROUNDS);
    if (x->c->s) rounds += lim_ik_search_refine(&m, x, trial, goal, true);
    if (!(m.square < left->square * (1 - 1e-9))) continue; // the same again may be farther from near
    *left = m;
    memcpy(q, trial, (size_t)n * sizeof *q);
    if (m.square <= enough) return rounds;
  }
  return rounds + (x->c->s ? 0 : lim_ik_search_refine(left, x, q, goal, true));
}

// As near as a closed form's arm gets: its point first, the orientation kept.
static int approach_closed(lim_ik *ik, double *q, const lim_goal *goal, const double *near) {
  double w[3], turn[9] = {0}, turned[2][3];
  lim_goal point = {.R = {0}};
  lim_miss left, best = {.square = INFINITY};
  targets(w, turn, ik, goal);
  memcpy(point.position, w, sizeof w);
  int rounds = approach(&left, &ik->part, q, ik->trial, &point, near, 0);
  int n = ik->c->n, count = turn_about(turned, ik, q, turn, near);
  for (int k = 0; k < count; k++) {
    memcpy(ik->trial, q, (size_t)ik->nplace * sizeof *q);
    memcpy(ik->trial + ik->nplace, turned[k], (size_t)ik->nturn * sizeof *q);
    choose_turns(ik, ik->trial, near);
    int out = lim_solver_beyond(ik, ik->trial);
    left = lim_ik_search_miss(ik->whole.e, &ik->whole, ik->trial, goal);
    if (out >= 0 || left.angle > ik->angle) {
      rounds += lim_ik_search_reach(&left, &ik->whole, ik->trial, goal, true, ROUNDS);
      rounds += lim_ik_search_refine(&left, &ik->whole, ik->trial, goal, true);
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

// Of searches for one solution: there is none yet, or it is so far that another posture may lead to a nearer
// one.
static bool wants_more(const lim_ik *ik, int start) {
  enum { AGAIN = 5 };
  const double close = 0.5; // [rad, m]
  double far = 0;
  for (int k = 0; k < ik->c->n && ik->nfound; k++)
    if (!ik->c->joint[k].follows) far = hypot(far, ik->found[k] - ik->aim[k]);
  return ik->nfound == 0 || (start < AGAIN && far > close);
}

// Solutions from many postures, each brought to the posture that is preferred where there is a choice.
static int solve_search(lim_ik *ik, const lim_goal *goal, const double *near, int starts, bool all) {
  unsigned seed = 1;
  int rounds = 0;
  for (int start = 0; start < starts && (all || wants_more(ik, start)); start++) {
    lim_miss m;
    start_from(ik->trial, ik->c, near, start, starts, &seed);
    rounds += lim_ik_search_reach(&m, &ik->whole, ik->trial, goal, true, ROUNDS);
    if (!lim_solver_good(ik, &m)) continue;
    choose_turns(ik, ik->trial, near);
    if (lim_solver_beyond(ik, ik->trial) >= 0) continue;
    memcpy(ik->start, ik->trial, (size_t)ik->c->n * sizeof *ik->trial);
    bool settled;
    rounds += lim_ik_search_settle(&ik->whole, ik->trial, goal, ik->aim, &settled);
    if (!settled && ik->nfound) continue; // others of its kind will be
    keep(ik, lim_ik_evaluate(ik, goal, ik->trial).reached ? ik->trial : ik->start);
  }
  return rounds;
}

// Of a goal that searches do not reach: a joint without whose limits they do; -1: none.
static int in_the_way(lim_ik *ik, const lim_goal *goal, const double *near) {
  enum { STARTS = 10 };
  unsigned seed = 1;
  bool any = false;
  for (int k = 0; k < ik->c->n; k++)
    any = any || isfinite(ik->c->joint[k].low) || isfinite(ik->c->joint[k].high);
  for (int start = 0; start < STARTS && any; start++) {
    lim_miss m;
    start_from(ik->trial, ik->c, near, start, STARTS, &seed);
    lim_ik_search_reach(&m, &ik->whole, ik->trial, goal, false, ROUNDS);
    choose_turns(ik, ik->trial, near);
    if (lim_solver_good(ik, &m)) return lim_solver_beyond(ik, ik->trial);
  }
  return -1;
}

// --- interface ---

// Of the solutions found: the first whose joints are within limits, and how many are.
static int within(lim_ik *ik) {
  int n = ik->c->n, kept = 0;
  for (int i = 0; i < ik->nfound; i++) {
    if (lim_solver_beyond(ik, ik->found + i * n) >= 0) continue;
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
    if (ik->method == LIM_IK_PARALLEL)
      solve_parallel(ik, goal, near);
    else
      solve_closed(ik, goal, near);
    if (ik->nfound) out = lim_solver_beyond(ik, ik->found);
    ik->nfound = within(ik);
  }
  lim_ik_outcome x;
  if (ik->nfound) {
    if (q) memcpy(q, ik->found, (size_t)n * sizeof *q);
    x = lim_ik_evaluate(ik, goal, ik->found);
    x.rounds = rounds;
    return x;
  }
  lim_miss left;
  if (ik->method == LIM_IK_SEARCH) out = in_the_way(ik, goal, near);
  if (ik->method == LIM_IK_SEARCH || ik->method == LIM_IK_PARALLEL || out >= 0)
    rounds += approach(&left, &ik->whole, ik->found, ik->trial, goal, near, 0);
  else
    rounds += approach_closed(ik, ik->found, goal, near);
  if (q) memcpy(q, ik->found, (size_t)n * sizeof *q);
  x = lim_ik_evaluate(ik, goal, ik->found);
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

int lim_ik_all(lim_ik *ik, double *q, int capacity, lim_ik_outcome *first, const lim_goal *goal,
               const double *near) {
  lim_ik_outcome x = solve(ik, NULL, goal, near, true);
  int n = ik->c->n, count = x.reached ? ik->nfound : 0, put = count < capacity ? count : capacity;
  if (count == 0) put = capacity > 0; // as near as it gets
  if (put > 0) memcpy(q, ik->found, (size_t)(put * n) * sizeof *q);
  if (first) *first = x;
  return count;
}
