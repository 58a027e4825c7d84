// follower.c - joints that bring the tool to poses of its path, and their derivatives along it. Theory:
// docs/theory/programs.md (14)-(17).
#include "path/follower.h"

#include "kinematics/closed_chain.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOOL = 6, FIRST = 64, MOST = 4096 }; // rows of the tool; points of a segment

static const double SAME = 1e-12;     // gaps are closed to this share of the arm's size
static const double CLOSED = 1e-10;   // larger ones are not closed
static const double STRAIGHT = 2e-11; // how far the tool may be off its path between points, of the same
static const double SINGULAR = 1e-9;  // singular values below this share of the largest are none
static const double LEAP = 0.3;       // the most by which a step changes a joint [rad, m]

// --- segments ---

static double distance(const double a[3], const double b[3]) {
  const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  return sqrt(lim_dot(d, d));
}

// Turn from R0 to R1 about one axis: the great circle between their quaternions.
static double set_turn(lim_path_segment *w, const double R0[9], const double *R1) {
  double back[9], D[9], t[3];
  memcpy(w->R, R0, sizeof w->R);
  if (!R1) return 0;
  for (int i = 0; i < 9; i++) back[i] = R0[3 * (i % 3) + i / 3];
  lim_mat3_product(D, R1, back);
  lim_rotation_vector(t, D);
  const double angle = sqrt(lim_dot(t, t));
  for (int i = 0; i < 3; i++) w->axis[i] = angle > 0 ? t[i] / angle : 0;
  return angle;
}

lim_path_segment lim_path_segment_straight(const double p0[3], const double R0[9], const double p1[3],
                                           const double *R1) {
  lim_path_segment w = {0};
  const double angle = set_turn(&w, R0, R1), apart = distance(p0, p1);
  memcpy(w.p, p0, sizeof w.p);
  w.length = apart > 1e-12 ? apart : angle;
  for (int i = 0; i < 3 && w.length > 0; i++) w.direction[i] = (p1[i] - p0[i]) / w.length;
  w.turn = w.length > 0 ? angle / w.length : 0;
  return w;
}

bool lim_path_segment_round(lim_path_segment *w, const double p0[3], const double R0[9], const double via[3],
                            const double p1[3], const double *R1) {
  double a[3], b[3], n[3], na[3], nb[3];
  *w = (lim_path_segment){.round = true};
  for (int i = 0; i < 3; i++) {
    a[i] = via[i] - p0[i];
    b[i] = p1[i] - p0[i];
  }
  lim_cross(n, a, b);
  const double nn = lim_dot(n, n), aa = lim_dot(a, a), bb = lim_dot(b, b);
  if (!(nn > 1e-12 * aa * bb) || !(aa > 0) || !(bb > 0)) return false;
  lim_cross(nb, b, n);
  lim_cross(na, n, a);
  for (int i = 0; i < 3; i++) { // the circle through 0, a, b
    w->u[i] = -(aa * nb[i] + bb * na[i]) / (2 * nn);
    w->c[i] = p0[i] - w->u[i];
    w->p[i] = p0[i];
  }
  w->radius = sqrt(lim_dot(w->u, w->u));
  lim_cross(w->v, n, w->u);
  double end[3], x = 0, y = 0;
  for (int i = 0; i < 3; i++) {
    w->v[i] /= sqrt(nn);
    end[i] = p1[i] - w->c[i];
    x += end[i] * w->u[i];
    y += end[i] * w->v[i];
  }
  double angle = atan2(y, x);
  if (angle <= 0) angle += 2 * M_PI;
  w->length = w->radius * angle;
  w->turn = set_turn(w, R0, R1) / w->length;
  return true;
}

bool lim_path_segment_turns_only(const lim_path_segment *w) {
  return !w->round && !(lim_dot(w->direction, w->direction) > 0.5);
}

lim_world_motion lim_path_segment_at(const lim_path_segment *w, double s) {
  lim_world_motion x = {0};
  double turn[9];
  const double phi = w->round ? s / w->radius : 0, C = cos(phi), S = sin(phi);
  for (int i = 0; i < 3; i++) {
    x.p[i] = w->round ? w->c[i] + C * w->u[i] + S * w->v[i] : w->p[i] + s * w->direction[i];
    x.v[i] = w->round ? (C * w->v[i] - S * w->u[i]) / w->radius : w->direction[i];
    x.a[i] = w->round ? -(C * w->u[i] + S * w->v[i]) / (w->radius * w->radius) : 0;
    x.w[i] = w->turn * w->axis[i];
  }
  lim_rotation_axis(turn, w->axis, w->turn * s);
  lim_mat3_product(x.R, turn, w->R);
  return x;
}

// --- rows ---

lim_world_motion lim_follower_tool(lim_follower *x, const double *q, const double *v, const double *a) {
  lim_kinematics(x->body, x->s, q, v, a);
  const lim_world_motion *body = x->tool.body >= 0 ? &x->body[x->tool.body] : NULL;
  return lim_kinematics_site(x->s, &x->tool, body, q, v, a);
}

// Rates and accelerations of all rows; turns in units of length.
static void evaluate_rows(lim_follower *x, const double *q, const double *v, const double *a) {
  const lim_world_motion at = lim_follower_tool(x, q, v, a);
  for (int i = 0; i < 3; i++) {
    x->row[i] = (lim_row_state){0, at.v[i], at.a[i]};
    x->row[3 + i] = (lim_row_state){0, x->turns ? x->size * at.w[i] : 0, x->turns ? x->size * at.alpha[i] : 0};
  }
  lim_loops_evaluate(x->row + TOOL, x->s, x->body, q, v, a);
}

// b := what is missing to a pose, and to closed loops.
static lim_left missing(lim_follower *x, const double *q, const double p[3], const double R[9]) {
  const lim_world_motion at = lim_follower_tool(x, q, NULL, NULL);
  double back[9], D[9], t[3];
  for (int i = 0; i < 9; i++) back[i] = at.R[3 * (i % 3) + i / 3];
  lim_mat3_product(D, R, back);
  lim_rotation_vector(t, D);
  lim_loops_evaluate(x->row + TOOL, x->s, x->body, q, NULL, NULL);
  for (int i = 0; i < 3; i++) {
    x->b[i] = p[i] - at.p[i];
    x->b[3 + i] = x->turns ? x->size * t[i] : 0;
  }
  double open = 0;
  for (int i = TOOL; i < x->rows; i++) {
    x->b[i] = -x->row[i].value;
    open = fmax(open, fabs(x->b[i]));
  }
  return (lim_left){fmax(sqrt(lim_dot(x->b, x->b)), open), x->turns ? sqrt(lim_dot(t, t)) : 0};
}

static void columns(lim_follower *x, double *J, const double *q) {
  for (int j = 0; j < x->m; j++) {
    x->unit[x->index[j]] = 1;
    evaluate_rows(x, q, x->unit, NULL);
    x->unit[x->index[j]] = 0;
    for (int i = 0; i < x->rows; i++) J[j * x->rows + i] = x->row[i].rate;
  }
}

static double size_of(const lim_follower *x, lim_left left) {
  return hypot(left.distance, x->size * left.angle);
}

// --- poses ---

static void put(double *q, const lim_follower *x, const double *y) {
  for (int j = 0; j < x->m; j++) q[x->index[j]] = y[j];
}

static double miss_at(void *of, double *e, const double *y) {
  lim_follower *x = of;
  double sum = 0;
  put(x->q0, x, y);
  missing(x, x->q0, x->goal_p, x->goal_R);
  for (int i = 0; i < x->rows; i++) {
    e[i] = (i < TOOL ? 1 : LIM_LOOP_WEIGHT) * x->b[i];
    sum += e[i] * e[i];
  }
  return sum;
}

static void columns_at(void *of, double *J, const double *y) {
  lim_follower *x = of;
  put(x->q0, x, y);
  columns(x, J, x->q0);
  for (int j = 0; j < x->m; j++)
    for (int i = TOOL; i < x->rows; i++) J[j * x->rows + i] *= LIM_LOOP_WEIGHT;
}

lim_left lim_follower_pose(lim_follower *x, double *q, const double p[3], const double R[9]) {
  const double done = SAME * x->size, rounding = CLOSED * x->size;
  const lim_least_squares_problem problem = {.of = x,
                                             .miss = miss_at,
                                             .columns = columns_at,
                                             .leap = LEAP,
                                             .done = done * done,
                                             .rounding = rounding * rounding,
                                             .rounds = 100};
  double left;
  x->goal_p = p;
  x->goal_R = R;
  memcpy(x->q0, q, (size_t)x->s->n * sizeof *q);
  for (int j = 0; j < x->m; j++) x->y[j] = q[x->index[j]];
  lim_least_squares_reach(&left, &x->solver, x->y, &problem);
  put(q, x, x->y);
  return missing(x, q, p, R);
}

static bool there(const lim_follower *x, lim_left left) { return size_of(x, left) < CLOSED * x->size; }

// --- derivatives along the path ---

// Rates of the joints by s, into v (n): A v = those of the tool. False: no rates do that.   (16)
static bool rates(lim_follower *x, double *v, const double *q, const lim_world_motion *to) {
  columns(x, x->solver.J, q);
  for (int i = 0; i < x->rows; i++) x->b[i] = 0;
  for (int i = 0; i < 3; i++) {
    x->b[i] = to->v[i];
    x->b[3 + i] = x->turns ? x->size * to->w[i] : 0;
  }
  double wanted[TOOL], gap = 0;
  memcpy(wanted, x->b, sizeof wanted);
  x->rank = lim_least_squares_solve(&x->solver, x->b);
  memset(v, 0, (size_t)x->s->n * sizeof *v);
  put(v, x, x->solver.step);
  evaluate_rows(x, q, v, NULL);
  for (int i = 0; i < TOOL; i++) gap = fmax(gap, fabs(x->row[i].rate - wanted[i]));
  return gap < 1e-7 * fmax(1, x->turns ? x->size * sqrt(lim_dot(to->w, to->w)) : 0);
}

// Their derivatives by s, into a: A a = those of the tool less what the rates v cause.
static void seconds(lim_follower *x, double *a, const double *q, const double *v, const lim_world_motion *to) {
  columns(x, x->solver.J, q);
  memset(a, 0, (size_t)x->s->n * sizeof *a);
  evaluate_rows(x, q, v, a);
  for (int i = 0; i < x->rows; i++) x->b[i] = -x->row[i].second;
  for (int i = 0; i < 3; i++) x->b[i] += to->a[i];
  x->rank = lim_least_squares_solve(&x->solver, x->b);
  put(a, x, x->solver.step);
}

// The same of arms with more joints than needed, whose rates are those of least norm: by differences of the
// rates a little before and after.   (17)
static bool seconds_by_rates(lim_follower *x, double *a, const double *q, const double *v,
                             const lim_path_segment *segment, double s) {
  const double e = 1e-5 * segment->length;
  double *side = x->v;
  memset(a, 0, (size_t)x->s->n * sizeof *a);
  for (int sign = -1; sign <= 1; sign += 2) {
    const lim_world_motion to = lim_path_segment_at(segment, s + sign * e);
    for (int i = 0; i < x->s->n; i++) x->q1[i] = q[i] + sign * e * v[i];
    if (!rates(x, side, x->q1, &to)) return false;
    for (int i = 0; i < x->s->n; i++) a[i] += sign * side[i] / (2 * e);
  }
  return true;
}

// The point at s, from the q before it.
static bool point(lim_follower *x, lim_sample *out, double *q, const lim_path_segment *segment, double s,
                  lim_followed *how) {
  const lim_world_motion to = lim_path_segment_at(segment, s);
  const int n = x->s->n;
  double *v = x->v + n, *a = x->v + 2 * n;
  how->done = s;
  how->left = lim_follower_pose(x, q, to.p, to.R);
  how->singular = false;
  if (!there(x, how->left)) return false;
  how->singular = true;
  if (!rates(x, v, q, &to)) return false;
  const bool spare = x->rank < x->m;
  if (!spare) seconds(x, a, q, v, &to);
  if (spare && !seconds_by_rates(x, a, q, v, segment, s)) return false;
  for (int i = 0; i < n; i++) out[i] = (lim_sample){q[i], v[i], a[i]};
  return true;
}

// The joints from one point to the next as its derivatives say.
static void predict(double *q, const lim_sample *from, const lim_sample *to, double h, int n) {
  for (int i = 0; i < n; i++)
    q[i] =
        to ? from[i].value + h / 2 * (from[i].rate + to[i].rate) + h * h / 12 * (from[i].second - to[i].second)
           : from[i].value + h * (from[i].rate + h / 2 * from[i].second);
}

// The whole segment in `count` steps.
static lim_code march(lim_path *out, bool *arrived, lim_followed *how, lim_follower *x, double *q,
                      const lim_path_segment *segment, int count, int piece, lim_error *err) {
  const int n = x->s->n;
  out->n = 0;
  *arrived = true;
  for (int k = 0; k <= count; k++) {
    const double s = segment->length * k / count, h = segment->length / count;
    lim_sample *at = lim_path_add(out, s, piece), *before = k ? at - n : NULL;
    if (!at) return lim_no_memory(err);
    if (k) predict(q, before, NULL, h, n);
    *arrived = point(x, at, q, segment, s, how);
    for (int again = 0; *arrived && k && x->rank < x->m && again < 2; again++) { // stay with the rates
      predict(q, before, at, h, n);
      *arrived = point(x, at, q, segment, s, how);
    }
    if (!*arrived) break;
  }
  return LIM_OK;
}

// How far off its path the tool is half-way between points; where most, into *worst.
static double deviation(lim_follower *x, const lim_path *p, const lim_path_segment *segment,
                        lim_sample *scratch, double *worst) {
  double max = 0;
  for (int k = 0; k + 1 < p->n; k++) {
    const double s = (p->s[k] + p->s[k + 1]) / 2;
    const lim_world_motion to = lim_path_segment_at(segment, s);
    lim_path_at(scratch, p, s);
    for (int i = 0; i < x->s->n; i++) x->q1[i] = scratch[i].value;
    const double off = size_of(x, missing(x, x->q1, to.p, to.R));
    if (off > max) *worst = s;
    max = fmax(max, off);
  }
  return max;
}

lim_code lim_follower_follow(lim_path *out, bool *arrived, lim_followed *how, lim_follower *x, double *q,
                             const lim_path_segment *segment, int piece, lim_error *err) {
  const size_t n = (size_t)x->s->n;
  double *start = malloc(n * sizeof *start);
  lim_sample *scratch = malloc(n * sizeof *scratch);
  lim_code code = start && scratch ? LIM_OK : lim_no_memory(err);
  if (start) memcpy(start, q, n * sizeof *q);
  bool straight = false;
  for (int count = FIRST; code == LIM_OK && count <= MOST && !straight; count *= 2) {
    memcpy(q, start, n * sizeof *q);
    code = march(out, arrived, how, x, q, segment, count, piece, err);
    if (code != LIM_OK || !*arrived) break;
    straight = deviation(x, out, segment, scratch, &how->done) < STRAIGHT * x->size;
  }
  if (code == LIM_OK && *arrived && !straight) { // joints leap from one posture to another
    *arrived = false;
    how->singular = true;
  }
  free(start);
  free(scratch);
  return code;
}

// --- set-up ---

static void measure(lim_follower *x) {
  double *q = x->q0;
  lim_arm_start(q, x->q1, x->s);
  lim_kinematics(x->body, x->s, q, NULL, NULL);
  for (int i = 0; i < x->s->nsite; i++) {
    const lim_site *site = &x->s->site[i].site;
    if (site->body < 0) continue;
    const lim_world_motion at = lim_kinematics_site(x->s, site, &x->body[site->body], q, NULL, NULL);
    x->size = fmax(x->size, sqrt(lim_dot(at.p, at.p)));
  }
  if (!(x->size > 0)) x->size = 1;
}

// The joints on the way to the tool, and those that loops couple with them.
static lim_code join(lim_follower *x, lim_error *err) {
  const lim_arm *s = x->s;
  bool *row = lim_arena_array(&x->arena, (size_t)s->nrow + 1, sizeof *row);
  if (!row) return lim_no_memory(err);
  for (int i = x->tool.body; i >= 0; i = s->parent[i]) x->joined[i] = s->bodies[i].q >= 0;
  return s->nrow ? lim_closed_chain_join(x->joined, row, s, x->q0, NULL, err) : LIM_OK;
}

lim_code lim_follower_begin(lim_follower *x, const lim_arm *s, const bool *commanded, lim_error *err) {
  *x = (lim_follower){.s = s, .rows = TOOL + s->nrow, .tool = s->site[s->tool].site};
  const size_t n = (size_t)s->n;
  x->index = lim_arena_array(&x->arena, n, sizeof *x->index);
  x->joined = lim_arena_array(&x->arena, (size_t)s->nbody, sizeof *x->joined);
  x->body = lim_arena_array(&x->arena, (size_t)s->nbody, sizeof *x->body);
  x->row = lim_arena_array(&x->arena, (size_t)x->rows, sizeof *x->row);
  x->unit = lim_arena_array(&x->arena, n, sizeof *x->unit);
  x->b = lim_arena_array(&x->arena, (size_t)x->rows, sizeof *x->b);
  x->q0 = lim_arena_array(&x->arena, 6 * n, sizeof *x->q0);
  bool solver = lim_least_squares_allocate(&x->solver, &x->arena, x->rows, s->n, SINGULAR);
  bool good = x->index && x->joined && x->body && x->row && x->unit && x->b && x->q0 && solver;
  if (!good) return lim_no_memory(err);
  x->q1 = x->q0 + n;
  x->v = x->q0 + 2 * n;
  x->y = x->q0 + 5 * n;
  lim_follower_choose(x, commanded, NULL);
  measure(x);
  return join(x, err);
}

void lim_follower_choose(lim_follower *x, const bool *commanded, const bool *held) {
  const lim_arm *s = x->s;
  x->m = 0;
  for (int i = 0; i < s->nbody; i++) {
    const int k = s->bodies[i].q;
    if (k < 0 || (held && held[i])) continue;
    if (commanded[i] || (s->passive && s->passive[k])) x->index[x->m++] = k;
  }
  x->solver.n = x->m;
}

void lim_follower_end(lim_follower *x) { lim_arena_free(&x->arena); }
