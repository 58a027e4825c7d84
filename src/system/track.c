// track.c - rows of frames on lines and of loops, solved by damped least squares. Theory: docs/theory/motion.md
// (22)-(26).
#include "system/track.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-7; // smaller singular values count as 0, relative to the largest

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

static lim_sample sample(const lim_course *c, double t, bool before) {
  return before ? lim_course_before(c, t) : lim_course_at(c, t);
}

// --- set-up ---

static void choose_axes(lim_tracker *x) {
  static const int across[] = {[LIM_SPATIAL] = -1, [LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  for (int i = 0; i < 3; i++)
    if (i != across[x->s->model->planar]) x->axis[x->naxis++] = i;
}

static lim_code take_guides(lim_tracker *x, lim_error *err) {
  const lim_model *m = x->s->model;
  const lim_course_setup setup = {.motion = true, .horizon = NAN};
  x->guide = lim_arena_array(&x->arena, (size_t)m->motion.count, sizeof *x->guide);
  if (!x->guide) return no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->motion.count && code == LIM_OK; i++) {
    const lim_motion *q = &m->motion.item[i];
    if (q->joint >= 0) continue;
    lim_guide *g = &x->guide[x->nguide++];
    g->from = q;
    code = lim_system_site(&g->site, x->s, q->frame.link, q->frame.kind, q->frame.kind == LIM_AT_TIP,
                           q->frame.frame, err);
    if (code == LIM_OK) code = lim_course_new(&g->along, &q->profile, &setup, err);
  }
  return code;
}

static lim_code take_unknowns(lim_tracker *x, lim_error *err) {
  const lim_system *s = x->s;
  x->index = lim_arena_array(&x->arena, 2 * (size_t)s->nbody, sizeof *x->index);
  if (!x->index) return no_memory(err);
  x->owner = x->index + s->nbody;
  bool any = false;
  for (int i = 0; i < s->nbody; i++) {
    int k = s->member[i].q;
    if (k < 0 || !(s->moved[i] || (s->passive && s->passive[k]))) continue;
    any = any || s->moved[i];
    x->owner[x->m] = i;
    x->index[x->m++] = k;
  }
  const lim_head *head = &x->guide[0].from->head;
  if (!any)
    return lim_tree_error(
        err, head->node,
        "motion '%s': no joint is driven that could move the frame; name the joints that shall "
        "under drives, as {type: prescribed}",
        head->name);
  return LIM_OK;
}

static lim_code take_room(lim_tracker *x, int spare, lim_error *err) {
  size_t n = (size_t)x->s->n, m = (size_t)x->m;
  x->rows = x->nguide * x->naxis + x->s->nrow;
  size_t tall = (size_t)x->rows + m;
  x->q = lim_arena_array(&x->arena, 4 * n, sizeof *x->q);
  x->body = lim_arena_array(&x->arena, (size_t)x->s->nbody, sizeof *x->body);
  x->row = lim_arena_array(&x->arena, 2 * (size_t)x->rows, sizeof *x->row);
  x->A = lim_arena_array(&x->arena, 2 * tall * m + tall + 4 * m + 3 * m * (size_t)spare, sizeof *x->A);
  if (!x->q || !x->body || !x->row || !x->A) return no_memory(err);
  x->v = x->q + n;
  x->a = x->v + n;
  x->unit = x->a + n;
  x->aim = x->row + x->rows;
  x->B = x->A + tall * m;
  x->b = x->B + tall * m;
  x->singular = x->b + tall;
  x->left = x->singular + m;
  x->spare = x->left + 3 * m;
  lim_system_start(x->q, x->v, x->s);
  return LIM_OK;
}

static void measure_size(lim_tracker *x) {
  lim_kinematics(x->body, x->s, x->q, NULL, NULL);
  for (int i = 0; i < 3 * x->s->nbody; i++) x->size = fmax(x->size, fabs(x->body[i / 3].p[i % 3]));
  for (int i = 0; i < x->nguide; i++)
    for (int k = 0; k < 3; k++) {
      const lim_line *line = &x->guide[i].from->profile.list.item[0].line;
      x->size = fmax(x->size, fmax(fabs(line->from[k]), fabs(line->to[k])));
    }
}

// Lines of a planar model lie where the frame does, across the plane.
static lim_code check_plane(lim_tracker *x, lim_error *err) {
  int across = 3 - x->axis[0] - x->axis[1];
  for (int i = 0; x->naxis == 2 && i < x->nguide; i++) {
    const lim_guide *g = &x->guide[i];
    lim_motion_in_world at = lim_kinematics_site(x->s, &g->site, &x->body[g->site.body], x->q, NULL, NULL);
    for (int k = 0; k < g->from->profile.list.count; k++) {
      const lim_line *line = &g->from->profile.list.item[k].line;
      for (int end = 0; end < 2; end++) {
        double out = (end ? line->to : line->from)[across] - at.p[across];
        if (fabs(out) > 1e-9 * x->size)
          return lim_tree_error(err, line->head.node,
                                "motion '%s': the line %s %.3g m off the plane in which the frame moves",
                                g->from->head.name, end ? "ends" : "begins", fabs(out));
      }
    }
  }
  return LIM_OK;
}

lim_code lim_track_begin(lim_tracker *x, lim_system *s, lim_error *err) {
  *x = (lim_tracker){.s = s};
  choose_axes(x);
  return take_guides(x, err);
}

lim_code lim_track_room(lim_tracker *x, int spare, lim_error *err) {
  lim_code code = take_unknowns(x, err);
  if (code == LIM_OK) code = take_room(x, spare, err);
  if (code == LIM_OK) measure_size(x);
  return code == LIM_OK ? check_plane(x, err) : code;
}

void lim_track_end(lim_tracker *x) {
  for (int i = 0; i < x->nguide; i++) lim_course_free(x->guide[i].along);
  lim_arena_free(&x->arena);
}

// --- rows ---

// Where a frame should be: from + u (to - from) with u = s - i.
static void aim_guide(lim_row_state *aim, const lim_tracker *x, const lim_guide *g, double t, bool before) {
  lim_sample s = sample(g->along, t, before);
  int last = g->from->profile.list.count - 1, i = (int)fmin(fmax(floor(s.value), 0), last);
  const lim_line *line = &g->from->profile.list.item[i].line;
  for (int k = 0; k < x->naxis; k++) {
    double from = line->from[x->axis[k]], way = line->to[x->axis[k]] - from;
    aim[k] = (lim_row_state){from + (s.value - i) * way, s.rate * way, s.second * way};
  }
}

// What should be at t, and the joints that have a motion of their own.
void lim_track_aim(lim_tracker *x, double t, bool before) {
  for (int i = 0; i < x->nguide; i++) aim_guide(x->aim + i * x->naxis, x, &x->guide[i], t, before);
  memset(x->v, 0, 2 * (size_t)x->s->n * sizeof *x->v); // and a
  for (int i = 0; x->given && i < x->s->nbody; i++) {
    int k = x->s->member[i].q;
    if (k < 0 || !x->given[i]) continue;
    lim_sample s = sample(x->given[i], t, before);
    x->q[k] = s.value;
    x->v[k] = s.rate;
    x->a[k] = s.second;
  }
}

static void look(lim_tracker *x, const double *v, const double *a) {
  lim_kinematics(x->body, x->s, x->q, v, a);
  for (int i = 0; i < x->nguide; i++) {
    const lim_site *site = &x->guide[i].site;
    lim_motion_in_world at = lim_kinematics_site(x->s, site, &x->body[site->body], x->q, v, a);
    for (int k = 0; k < x->naxis; k++)
      x->row[i * x->naxis + k] = (lim_row_state){at.p[x->axis[k]], at.v[x->axis[k]], at.a[x->axis[k]]};
  }
  lim_loops_look(x->row + x->nguide * x->naxis, x->s, x->body, x->q, v, a);
}

void lim_track_gap(lim_tracker *x) {
  look(x, NULL, NULL);
  x->gap = 0;
  for (int i = 0; i < x->rows; i++) x->gap = fmax(x->gap, fabs(x->aim[i].value - x->row[i].value));
}

// Rates are linear in the speeds: column j is the rates at speed 1 of joint j.
void lim_track_columns(lim_tracker *x) {
  int tall = x->rows + x->m;
  memset(x->A, 0, (size_t)(tall * x->m) * sizeof *x->A);
  for (int j = 0; j < x->m; j++) {
    x->unit[x->index[j]] = 1;
    look(x, x->unit, NULL);
    x->unit[x->index[j]] = 0;
    for (int i = 0; i < x->rows; i++) x->A[j * tall + i] = x->row[i].rate;
  }
}

static bool least_squares(lim_tracker *x, int rows, int columns, double *A, double *b, int tall,
                          double *singular, int *rank) {
  int info = LAPACKE_dgelss(LAPACK_COL_MAJOR, rows, columns, 1, A, rows, b, tall, singular, SINGULAR, rank);
  x->starved = x->starved || info == LAPACK_WORK_MEMORY_ERROR;
  return info == 0;
}

// b := the x of least norm among those with the least |A x - b|^2 + |damping x|^2.
bool lim_track_solve(lim_tracker *x, double damping) {
  int tall = x->rows + x->m, rank;
  memcpy(x->B, x->A, (size_t)(tall * x->m) * sizeof *x->B);
  for (int j = 0; j < x->m; j++) {
    x->B[j * tall + x->rows + j] = damping;
    x->b[x->rows + j] = 0;
  }
  if (!least_squares(x, tall, x->m, x->B, x->b, tall, x->singular, &rank)) return false;
  if (damping == 0) {
    x->rank = rank;
    if (rank > x->most) x->most = rank;
  }
  return true;
}

// --- positions ---

// A step of damped least squares from q, which is kept in `left`. False: LAPACK gave up.
static bool correct(lim_tracker *x, double damping) {
  double most = 0;
  for (int j = 0; j < x->m; j++) x->left[j] = x->q[x->index[j]];
  look(x, NULL, NULL);
  for (int i = 0; i < x->rows; i++) x->b[i] = x->aim[i].value - x->row[i].value;
  if (!lim_track_solve(x, damping)) return false;
  for (int j = 0; j < x->m; j++) most = fmax(most, fabs(x->b[j]));
  double part = most > 0.3 ? 0.3 / most : 1; // no leaps
  for (int j = 0; j < x->m; j++) x->q[x->index[j]] += part * x->b[j];
  lim_track_gap(x);
  return isfinite(x->gap);
}

void lim_track_put(lim_tracker *x, const double *y) {
  for (int j = 0; j < x->m; j++) x->q[x->index[j]] = y[j];
}

// there.
bool lim_track_reach(lim_tracker *x) {
  enum { ROUNDS = 200 };
  double damping = 0;
  lim_track_gap(x);
  lim_track_columns(x);
  for (int k = 0; k < ROUNDS; k++) {
    double before = x->gap;
    if (!correct(x, damping)) return false;
    if (x->gap < before) {
      damping = damping < 1e-6 * x->singular[0] ? 0 : damping / 10;
      lim_track_columns(x);
      continue;
    }
    for (int j = 0; j < x->m; j++) x->q[x->index[j]] = x->left[j];
    x->gap = before;
    if (before <= LIM_TRACK_SAME * x->size) return true;
    damping = fmax(10 * damping, 1e-4 * x->singular[0]);
    if (damping > 1e8 * x->singular[0]) return false;
  }
  return x->gap <= LIM_TRACK_SAME * x->size;
}

bool lim_track_reach_anyhow(lim_tracker *x) {
  double *first = x->left + x->m;
  for (int j = 0; j < x->m; j++) first[j] = x->q[x->index[j]];
  if (lim_track_reach(x)) return true;
  double *best = first + x->m, gap = x->gap;
  for (int j = 0; j < x->m; j++) {
    best[j] = x->q[x->index[j]];
    x->q[x->index[j]] = first[j] + (x->s->moved[x->owner[j]] ? 0.1 : 0);
  }
  if (lim_track_reach(x)) return true;
  if (x->gap > gap) lim_track_put(x, best);
  return false;
}

// --- speeds and accelerations ---

static void accelerate_aim(lim_tracker *x) {
  look(x, x->v, x->a);
  for (int i = 0; i < x->rows; i++) x->b[i] = x->aim[i].second - x->row[i].second;
}

// Of a redundant arm, whose speeds are G' mu: the part of G'^. mu that moves no frame. The derivative of column
// j along the speeds v is (h(v + e_j) - h(v - e_j))/4, where h(v) is the rows' acceleration without that of
// joints.
static bool add_drift(lim_tracker *x, double *acceleration) {
  int tall = x->rows + x->m, rank;
  double *w = x->left, *mu = x->b;
  for (int i = 0; i < x->rows; i++) // B := G'
    for (int j = 0; j < x->m; j++) x->B[i * x->m + j] = x->A[j * tall + i];
  for (int j = 0; j < x->m; j++) mu[j] = x->v[x->index[j]];
  if (!least_squares(x, x->m, x->rows, x->B, mu, tall, x->left + x->m, &rank)) return false;
  for (int j = 0; j < x->m; j++) {
    int k = x->index[j];
    double speed = x->v[k];
    w[j] = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
      x->v[k] = speed + sign;
      look(x, x->v, x->unit);
      for (int i = 0; i < x->rows; i++) w[j] += sign * mu[i] * x->row[i].second / 4;
    }
    x->v[k] = speed;
  }
  for (int i = 0; i < x->rows; i++) {
    x->b[i] = 0;
    for (int j = 0; j < x->m; j++) x->b[i] += x->A[j * tall + i] * w[j];
  }
  if (!lim_track_solve(x, 0)) return false;
  for (int j = 0; j < x->m; j++) acceleration[j] += w[j] - x->b[j];
  return true;
}

// The state at the q that was reached.
bool lim_track_state(lim_tracker *x, double *y) {
  int m = x->m;
  lim_track_columns(x);
  look(x, x->v, NULL);
  for (int i = 0; i < x->rows; i++) x->b[i] = x->aim[i].rate - x->row[i].rate;
  if (!lim_track_solve(x, 0)) return false;
  for (int j = 0; j < m; j++) {
    y[j] = x->q[x->index[j]];
    y[m + j] = x->v[x->index[j]] = x->b[j];
  }
  accelerate_aim(x);
  if (!lim_track_solve(x, 0)) return false;
  memcpy(y + 2 * m, x->b, (size_t)m * sizeof *y);
  if (x->rank < m && !add_drift(x, y + 2 * m)) return false;
  for (int j = 0; j < m; j++) {
    x->v[x->index[j]] = 0;
    x->fastest = fmax(x->fastest, fabs(y[2 * m + j]));
  }
  return true;
}

// The state after a step h from y0. What the rows leave open follows from the speeds:
// q1 = q0 + h/2 (q0' + q1') + h^2/12 (q0'' - q1'').
bool lim_track_step(lim_tracker *x, double *y1, double t1, const double *y0, double t0) {
  enum { ROUNDS = 6 };
  int m = x->m;
  double h = t1 - t0;
  lim_track_aim(x, t1, true);
  for (int j = 0; j < m; j++) x->q[x->index[j]] = y0[j] + h * (y0[m + j] + h / 2 * y0[2 * m + j]);
  if (!lim_track_reach(x) || !lim_track_state(x, y1)) return false;
  for (int round = 0; x->rank < m && round < ROUNDS; round++) {
    double change = 0;
    for (int j = 0; j < m; j++) {
      double q = y0[j] + h / 2 * (y0[m + j] + y1[m + j]) + h * h / 12 * (y0[2 * m + j] - y1[2 * m + j]);
      change = fmax(change, fabs(q - y1[j]));
      x->q[x->index[j]] = q;
    }
    if (change < 1e-14) break;
    if (!lim_track_reach(x) || !lim_track_state(x, y1)) return false;
  }
  return x->rank == x->most;
}
