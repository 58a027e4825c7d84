// track.c - rows of frames on lines and of loops, solved by damped least squares. Theory: docs/theory/motion.md
// (22)-(26).
#include "path/track.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-7; // smaller singular values count as 0, relative to the largest
static const double LEAP = 0.3;      // the most by which a step changes a joint [rad, m]

static lim_sample sample(const lim_trajectory *c, double t, bool before) {
  return before ? lim_trajectory_before(c, t) : lim_trajectory_at(c, t);
}

// --- set-up ---

static void choose_axes(lim_tracker *x) {
  static const int across[] = {[LIM_SPATIAL] = -1, [LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  for (int i = 0; i < 3; i++)
    if (i != across[x->s->model->planar]) x->axis[x->naxis++] = i;
}

static lim_code take_guides(lim_tracker *x, lim_error *err) {
  const lim_model *m = x->s->model;
  const lim_trajectory_setup setup = {.motion = true, .horizon = NAN};
  x->guide = lim_arena_array(&x->arena, (size_t)m->motion.count, sizeof *x->guide);
  if (!x->guide) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->motion.count && code == LIM_OK; i++) {
    const lim_motion *q = &m->motion.item[i];
    if (q->joint >= 0) continue;
    lim_guide *g = &x->guide[x->nguide++];
    g->from = q;
    code = lim_arm_site(&g->site, x->s, q->frame.link, q->frame.kind, q->frame.kind == LIM_AT_TIP,
                        q->frame.frame, err);
    if (code == LIM_OK) code = lim_trajectory_new(&g->along, &q->profile, &setup, err);
  }
  return code;
}

static lim_code take_unknowns(lim_tracker *x, lim_error *err) {
  const lim_arm *s = x->s;
  x->index = lim_arena_array(&x->arena, 2 * (size_t)s->nbody, sizeof *x->index);
  if (!x->index) return lim_no_memory(err);
  x->owner = x->index + s->nbody;
  bool any = false;
  for (int i = 0; i < s->nbody; i++) {
    int k = s->bodies[i].q;
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
  size_t rows = (size_t)x->rows;
  x->q = lim_arena_array(&x->arena, 4 * n, sizeof *x->q);
  x->body = lim_arena_array(&x->arena, (size_t)x->s->nbody, sizeof *x->body);
  x->row = lim_arena_array(&x->arena, 2 * rows, sizeof *x->row);
  x->b = lim_arena_array(&x->arena, rows + 3 * m + 3 * m * (size_t)spare, sizeof *x->b);
  bool solvers = lim_least_squares_allocate(&x->solver, &x->arena, x->rows, x->m, SINGULAR) &&
                 lim_least_squares_allocate(&x->speeds, &x->arena, x->m, x->rows, SINGULAR);
  if (!x->q || !x->body || !x->row || !x->b || !solvers) return lim_no_memory(err);
  x->v = x->q + n;
  x->a = x->v + n;
  x->unit = x->a + n;
  x->aim = x->row + x->rows;
  x->y = x->b + rows;
  x->spare = x->y + 3 * m;
  lim_arm_start(x->q, x->v, x->s);
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
    lim_world_motion at = lim_kinematics_site(x->s, &g->site, &x->body[g->site.body], x->q, NULL, NULL);
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

lim_code lim_track_begin(lim_tracker *x, lim_arm *s, lim_error *err) {
  *x = (lim_tracker){.s = s};
  choose_axes(x);
  return take_guides(x, err);
}

lim_code lim_track_allocate(lim_tracker *x, int spare, lim_error *err) {
  lim_code code = take_unknowns(x, err);
  if (code == LIM_OK) code = take_room(x, spare, err);
  if (code == LIM_OK) measure_size(x);
  return code == LIM_OK ? check_plane(x, err) : code;
}

void lim_track_end(lim_tracker *x) {
  for (int i = 0; i < x->nguide; i++) lim_trajectory_free(x->guide[i].along);
  lim_arena_free(&x->arena);
}

// --- rows ---

// Where a frame should be: from + u (to - from) with u = s - i.
static void aim_guide(lim_row_state *aim, const lim_tracker *x, const lim_guide *g, double t, bool before) {
  lim_sample s = sample(g->along, t, before);
  int last = g->from->profile.list.count - 1, i = (int)fmin(fmax(floor(s.value), 0), last);
  const lim_line *line = &g->from->profile.list.item[i].line;
  for (int k = 0; k < x->naxis; k++) {
    double from = line->from[x->axis[k]], length = line->to[x->axis[k]] - from;
    aim[k] = (lim_row_state){from + (s.value - i) * length, s.rate * length, s.second * length};
  }
}

// What should be at t, and the joints that have a motion of their own.
void lim_track_aim(lim_tracker *x, double t, bool before) {
  for (int i = 0; i < x->nguide; i++) aim_guide(x->aim + i * x->naxis, x, &x->guide[i], t, before);
  memset(x->v, 0, 2 * (size_t)x->s->n * sizeof *x->v); // and a
  for (int i = 0; x->motion && i < x->s->nbody; i++) {
    int k = x->s->bodies[i].q;
    if (k < 0 || !x->motion[i]) continue;
    lim_sample s = sample(x->motion[i], t, before);
    x->q[k] = s.value;
    x->v[k] = s.rate;
    x->a[k] = s.second;
  }
}

static void evaluate_rows(lim_tracker *x, const double *v, const double *a) {
  lim_kinematics(x->body, x->s, x->q, v, a);
  for (int i = 0; i < x->nguide; i++) {
    const lim_site *site = &x->guide[i].site;
    lim_world_motion at = lim_kinematics_site(x->s, site, &x->body[site->body], x->q, v, a);
    for (int k = 0; k < x->naxis; k++)
      x->row[i * x->naxis + k] = (lim_row_state){at.p[x->axis[k]], at.v[x->axis[k]], at.a[x->axis[k]]};
  }
  lim_loops_evaluate(x->row + x->nguide * x->naxis, x->s, x->body, x->q, v, a);
}

void lim_track_gap(lim_tracker *x) {
  evaluate_rows(x, NULL, NULL);
  x->gap = 0;
  for (int i = 0; i < x->rows; i++) x->gap = fmax(x->gap, fabs(x->aim[i].value - x->row[i].value));
}

// Rates are linear in the speeds: column j is the rates at speed 1 of joint j.
static void fill_columns(lim_tracker *x, double *J) {
  for (int j = 0; j < x->m; j++) {
    x->unit[x->index[j]] = 1;
    evaluate_rows(x, x->unit, NULL);
    x->unit[x->index[j]] = 0;
    for (int i = 0; i < x->rows; i++) J[j * x->rows + i] = x->row[i].rate;
  }
}

void lim_track_columns(lim_tracker *x) { fill_columns(x, x->solver.J); }

void lim_track_solve(lim_tracker *x) {
  x->rank = lim_least_squares_solve(&x->solver, x->b);
  if (x->rank > x->max) x->max = x->rank;
}

// --- positions ---

void lim_track_put(lim_tracker *x, const double *y) {
  for (int j = 0; j < x->m; j++) x->q[x->index[j]] = y[j];
}

static double weight(const lim_tracker *x, int row) { return row < x->nguide * x->naxis ? 1 : LIM_LOOP_WEIGHT; }

static double miss_at(void *of, double *e, const double *y) {
  lim_tracker *x = of;
  double sum = 0;
  lim_track_put(x, y);
  evaluate_rows(x, NULL, NULL);
  for (int i = 0; i < x->rows; i++) {
    e[i] = weight(x, i) * (x->aim[i].value - x->row[i].value);
    sum += e[i] * e[i];
  }
  return sum;
}

static void columns_at(void *of, double *J, const double *y) {
  lim_tracker *x = of;
  lim_track_put(x, y);
  fill_columns(x, J);
  for (int j = 0; j < x->m; j++)
    for (int i = 0; i < x->rows; i++) J[j * x->rows + i] *= weight(x, i);
}

bool lim_track_reach(lim_tracker *x) {
  const double same = LIM_TRACK_SAME * x->size;
  const lim_least_squares_problem p = {
      .of = x, .miss = miss_at, .columns = columns_at, .leap = LEAP, .rounding = same * same, .rounds = 200};
  double left;
  for (int j = 0; j < x->m; j++) x->y[j] = x->q[x->index[j]];
  lim_least_squares_reach(&left, &x->solver, x->y, &p);
  lim_track_put(x, x->y);
  lim_track_gap(x);
  return x->gap <= same;
}

bool lim_track_reach_anyhow(lim_tracker *x) {
  double *first = x->y + x->m;
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
  evaluate_rows(x, x->v, x->a);
  for (int i = 0; i < x->rows; i++) x->b[i] = x->aim[i].second - x->row[i].second;
}

// Of a redundant arm, whose speeds are G' mu: the part of G'^. mu that moves no frame. The derivative of column
// j along the speeds v is (h(v + e_j) - h(v - e_j))/4, where h(v) is the rows' acceleration without that of
// joints.
static void add_drift(lim_tracker *x, double *acceleration) {
  double *w = x->y, *speed = x->y + x->m;
  const double *mu = x->speeds.step;
  for (int i = 0; i < x->rows; i++) // G'
    for (int j = 0; j < x->m; j++) x->speeds.J[i * x->m + j] = x->solver.J[j * x->rows + i];
  for (int j = 0; j < x->m; j++) speed[j] = x->v[x->index[j]];
  lim_least_squares_solve(&x->speeds, speed);
  for (int j = 0; j < x->m; j++) {
    int k = x->index[j];
    w[j] = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
      x->v[k] = speed[j] + sign;
      evaluate_rows(x, x->v, x->unit);
      for (int i = 0; i < x->rows; i++) w[j] += sign * mu[i] * x->row[i].second / 4;
    }
    x->v[k] = speed[j];
  }
  for (int i = 0; i < x->rows; i++) {
    x->b[i] = 0;
    for (int j = 0; j < x->m; j++) x->b[i] += x->solver.J[j * x->rows + i] * w[j];
  }
  lim_track_solve(x);
  for (int j = 0; j < x->m; j++) acceleration[j] += w[j] - x->solver.step[j];
}

void lim_track_state(lim_tracker *x, double *y) {
  int m = x->m;
  lim_track_columns(x);
  evaluate_rows(x, x->v, NULL);
  for (int i = 0; i < x->rows; i++) x->b[i] = x->aim[i].rate - x->row[i].rate;
  lim_track_solve(x);
  for (int j = 0; j < m; j++) {
    y[j] = x->q[x->index[j]];
    y[m + j] = x->v[x->index[j]] = x->solver.step[j];
  }
  accelerate_aim(x);
  lim_track_solve(x);
  memcpy(y + 2 * m, x->solver.step, (size_t)m * sizeof *y);
  if (x->rank < m) add_drift(x, y + 2 * m);
  for (int j = 0; j < m; j++) {
    x->v[x->index[j]] = 0;
    x->fastest = fmax(x->fastest, fabs(y[2 * m + j]));
  }
}

// The state after a step h from y0. What the rows leave open follows from the speeds:
// q1 = q0 + h/2 (q0' + q1') + h^2/12 (q0'' - q1'').
bool lim_track_step(lim_tracker *x, double *y1, double t1, const double *y0, double t0) {
  enum { ROUNDS = 6 };
  int m = x->m;
  double h = t1 - t0;
  lim_track_aim(x, t1, true);
  for (int j = 0; j < m; j++) x->q[x->index[j]] = y0[j] + h * (y0[m + j] + h / 2 * y0[2 * m + j]);
  if (!lim_track_reach(x)) return false;
  lim_track_state(x, y1);
  for (int round = 0; x->rank < m && round < ROUNDS; round++) {
    double change = 0;
    for (int j = 0; j < m; j++) {
      double q = y0[j] + h / 2 * (y0[m + j] + y1[m + j]) + h * h / 12 * (y0[2 * m + j] - y1[2 * m + j]);
      change = fmax(change, fabs(q - y1[j]));
      x->q[x->index[j]] = q;
    }
    if (change < 1e-14) break;
    if (!lim_track_reach(x)) return false;
    lim_track_state(x, y1);
  }
  return x->rank == x->max;
}
