// line.c - joint motions from lines of frames: which joints move, where they start, samples dense enough for
// quintics. Theory: docs/theory/motion.md, "Lines of a frame".
#include "path/line.h"

#include "arm/coupling.h"
#include "base/grow.h"
#include "path/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 12 }; // a span is halved at most so many times

static const double POSITION = 1e-10; // error between samples [rad, m], twice as far apart as they will be
static const double SECOND = 2e-9;    // the same of accelerations, relative to the largest

// Samples as they are found.
typedef struct {
  lim_tracker *x;
  double *middle, *here, *next; // states: (DEPTH + 1) of them, where it is, scratch
  int n;
  size_t capacity;
  double *knot; // t, state: (n) x (1 + 3 m)
} samples;

// --- which joints ---

static bool one_freedom(const lim_model *m, int link) {
  const lim_joint *j = &m->links.item[link].joint;
  return lim_joint_is_single(j) && !lim_joint_in_ball(j);
}

bool lim_drive_takes_command(const lim_drive *d) {
  switch (d->type) {
  case LIM_DRIVE_PRESCRIBED:
  case LIM_DRIVE_SERVO: return true;
  case LIM_DRIVE_MOTOR: return d->control.head.node || lim_drive_follows(d) || d->torque.rigid;
  case LIM_DRIVE_EFFORT: return d->effort.rigid;
  default: return false;
  }
}

static bool nobody_drives(const lim_model *m) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].type != LIM_DRIVE_FREE) return false;
  for (int i = 0; i < m->motion.count; i++)
    if (m->motion.item[i].joint >= 0) return false;
  return true;
}

static void mark(lim_arm *s, int body) {
  const lim_arm_body *b = &s->bodies[body];
  if (b->q < 0 || !one_freedom(s->model, b->link) || lim_model_drive(s->model, b->link)) return;
  s->moved[body] = !(s->passive && s->passive[b->q]);
}

static void mark_path(lim_arm *s, int body) {
  for (; body >= 0; body = s->parent[body]) mark(s, body);
}

static bool is_coupled(const lim_arm *s, int coordinate) {
  for (int i = 0; i < s->ncoupling; i++)
    for (int k = 0; k < s->coupling[i].count; k++)
      if (s->coupling[i].q[k] == coordinate) return true;
  return false;
}

// Driven joints without a motion of their own; in a model without any, those that the frames hang on.
static void mark_moved(lim_tracker *x) {
  lim_arm *s = x->s;
  const lim_model *m = s->model;
  bool all = nobody_drives(m);
  for (int i = 0; !all && i < s->nbody; i++) {
    int link = s->bodies[i].link;
    const lim_drive *d = lim_model_drive(m, link);
    s->moved[i] = s->bodies[i].q >= 0 && one_freedom(m, link) && d && lim_drive_takes_command(d) &&
                  !lim_model_motion(m, link);
  }
  for (int i = 0; all && i < x->nguide; i++) mark_path(s, x->guide[i].site.body);
  for (int i = 0; all && i < 2 * s->nloop; i++) mark_path(s, s->loop[i / 2].site[i % 2].body);
  for (int i = 0; all && i < s->nbody; i++)
    if (is_coupled(s, s->bodies[i].q)) mark(s, i);
}

static lim_code begin(lim_tracker *x, lim_arm *s, lim_error *err) {
  lim_code code = lim_track_begin(x, s, err);
  if (code == LIM_OK && !s->moved) {
    s->moved = lim_arena_array(&s->arena, (size_t)s->nbody, sizeof *s->moved);
    if (!s->moved) return lim_no_memory(err);
    mark_moved(x);
  }
  return code == LIM_OK ? lim_track_allocate(x, DEPTH + 3, err) : code;
}

// --- samples ---

static bool note(samples *k, double t, const double *y) {
  size_t wide = 1 + 3 * (size_t)k->x->m;
  if (!lim_grow(&k->knot, &k->capacity, (size_t)k->n + 1, wide * sizeof *k->knot)) return false;
  double *knot = k->knot + (size_t)k->n++ * wide;
  knot[0] = t;
  memcpy(knot + 1, y, (wide - 1) * sizeof *knot);
  return true;
}

// Whether the quintic from y0 to y2 passes through y1, half-way.
static bool fits(const lim_tracker *x, const double *y0, const double *y1, const double *y2, double h) {
  int m = x->m;
  for (int j = 0; j < m; j++) {
    double dv = y2[m + j] - y0[m + j], sum = y0[2 * m + j] + y2[2 * m + j];
    double q = (y0[j] + y2[j]) / 2 - 5 * h / 32 * dv + h * h / 64 * sum, a = 1.5 * dv / h - sum / 4;
    if (fabs(q - y1[j]) > POSITION) return false;
    if (fabs(a - y1[2 * m + j]) > SECOND * x->fastest + 1e-13 / h) return false;
  }
  return true;
}

static lim_code cannot_follow(lim_tracker *x, const double *y, double t, lim_error *err);

// From y0 to y2 with a sample half-way, halved until the samples say it all. y2 may be y0.
static lim_code span(samples *k, double *y2, double t2, const double *y0, double t0, int depth,
                     lim_error *err) {
  lim_tracker *x = k->x;
  double *y1 = k->middle + 3 * x->m * depth, t1 = (t0 + t2) / 2;
  if (lim_track_step(x, y1, t1, y0, t0) && lim_track_step(x, k->next, t2, y1, t1) &&
      fits(x, y0, y1, k->next, t2 - t0)) {
    memcpy(y2, k->next, 3 * (size_t)x->m * sizeof *y2);
    return note(k, t1, y1) && note(k, t2, y2) ? LIM_OK : lim_no_memory(err);
  }
  if (depth == DEPTH) return cannot_follow(x, y0, t0, err);
  lim_code code = span(k, y1, t1, y0, t0, depth + 1, err);
  return code == LIM_OK ? span(k, y2, t2, y1, t1, depth + 1, err) : code;
}

// --- what cannot be ---

static double missing(const lim_tracker *x, int i) {
  double sum = 0;
  for (int k = i * x->naxis; k < (i + 1) * x->naxis; k++) {
    double d = x->aim[k].value - x->row[k].value;
    sum += d * d;
  }
  return sqrt(sum);
}

// The frame that is farthest from where it should be; the loops' gaps count for all.
static int worst_guide(const lim_tracker *x) {
  int worst = 0;
  for (int i = 1; i < x->nguide; i++)
    if (missing(x, i) > missing(x, worst)) worst = i;
  return worst;
}

static lim_code cannot_start(lim_tracker *x, lim_error *err) {
  lim_track_gap(x);
  int worst = worst_guide(x);
  const lim_head *head = &x->guide[worst].from->head;
  double left = missing(x, worst);
  if (left <= LIM_TRACK_SAME * x->size)
    return lim_tree_error(
        err, head->node, "motion '%s': at t = 0 s the loops of the arm do not close with the frame on its line",
        head->name);
  return lim_tree_error(err, head->node,
                        "motion '%s': at t = 0 s the line is out of reach of the driven joints from this "
                        "configuration: %.3g m are left",
                        head->name, left);
}

// Where the joints stop following at t, in state y: the line leads out of reach, or through a singular
// position.
static lim_code cannot_follow(lim_tracker *x, const double *y, double t, lim_error *err) {
  double end = 0;
  for (int i = 0; i < x->nguide; i++) end = fmax(end, x->guide[i].along->end);
  for (int i = 0; i < x->nguide; i++) { // the end of the line on which a frame is at t
    const lim_guide *g = &x->guide[i];
    double next = floor(lim_trajectory_at(g->along, t).value) + 1, lo = t, hi = g->along->end;
    for (int k = 0; k < 60 && hi > lo; k++) {
      double middle = (lo + hi) / 2;
      *(lim_trajectory_at(g->along, middle).value < next ? &lo : &hi) = middle;
    }
    if (hi > t) end = fmin(end, hi);
  }
  lim_track_put(x, y);
  lim_track_aim(x, end, false);
  bool there = lim_track_reach_anyhow(x);
  lim_track_gap(x);
  int worst = worst_guide(x);
  const lim_head *head = &x->guide[worst].from->head;
  double left = missing(x, worst);
  if (!there && left > LIM_TRACK_SAME * x->size)
    return lim_tree_error(
        err, head->node,
        "motion '%s': at t = %.4g s the line leads out of reach of the driven joints: at its end "
        "%.3g m are left",
        head->name, t, left);
  return lim_tree_error(
      err, head->node,
      "motion '%s': at t = %.4g s the line leads into a singular position of the arm, where its "
      "joints cannot follow at a bounded speed",
      head->name, t);
}

// --- breaks ---

static int by_time(const void *a, const void *b) {
  const lim_break *x = a, *y = b;
  return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->order - y->order;
}

static void add_breaks(lim_break *list, int *n, const lim_trajectory *c, double end) {
  for (int i = 0; c && i < c->nbreak; i++)
    if (c->breaks[i].time >= 0 && c->breaks[i].time <= end) list[(*n)++] = c->breaks[i];
}

// Times between which everything is smooth: breaks of lines and of motions of other joints, rising, each with
// the lowest order.
static lim_break *gather_breaks(int *n, lim_tracker *x, double end) {
  size_t capacity = 0;
  for (int i = 0; i < x->nguide; i++) capacity += (size_t)x->guide[i].along->nbreak;
  for (int i = 0; i < x->s->nbody; i++) capacity += x->motion[i] ? (size_t)x->motion[i]->nbreak : 0;
  lim_break *list = lim_arena_array(&x->arena, capacity + 1, sizeof *list);
  if (!list) return NULL;
  int count = 0;
  for (int i = 0; i < x->nguide; i++) add_breaks(list, &count, x->guide[i].along, end);
  for (int i = 0; i < x->s->nbody; i++) add_breaks(list, &count, x->motion[i], end);
  qsort(list, (size_t)count, sizeof *list, by_time);
  *n = 0;
  for (int i = 0; i < count; i++) {
    bool apart = *n == 0 || list[i].time > list[*n - 1].time + 1e-12;
    if (apart)
      list[(*n)++] = list[i];
    else if (list[i].order < list[*n - 1].order)
      list[*n - 1].order = list[i].order;
  }
  return list;
}

// --- following ---

static double shortest_wave(const lim_trajectory *c, double shortest) {
  for (int i = 0; c && i < c->narc; i++)
    if (c->arc[i].a != 0) shortest = fmin(shortest, 2 * M_PI / c->arc[i].w);
  return shortest;
}

// The longest span to begin with: none may skip a wave.
static double first_span(const lim_tracker *x, double end) {
  double shortest = end;
  for (int i = 0; i < x->nguide; i++) shortest = shortest_wave(x->guide[i].along, shortest);
  for (int i = 0; i < x->s->nbody; i++) shortest = shortest_wave(x->motion[i], shortest);
  return fmin(end / 16, shortest / 8);
}

static double last_time(const lim_tracker *x, double horizon) {
  double lines = 0, end;
  for (int i = 0; i < x->nguide; i++) lines = fmax(lines, x->guide[i].along->end);
  end = lines;
  for (int i = 0; i < x->s->nbody; i++)
    if (x->motion[i]) end = fmax(end, isfinite(x->motion[i]->end) ? x->motion[i]->end : horizon);
  return end;
}

// A sample of what holds from t on.
static lim_code note_after(samples *k, double t, lim_error *err) {
  lim_track_put(k->x, k->here);
  lim_track_aim(k->x, t, false);
  if (!lim_track_reach(k->x)) return cannot_follow(k->x, k->here, t, err);
  lim_track_state(k->x, k->here);
  return note(k, t, k->here) ? LIM_OK : lim_no_memory(err);
}

// Samples from one break to the next.
static lim_code follow_to(samples *k, double from, double to, double longest, lim_error *err) {
  int count = (int)fmax(ceil((to - from) / longest), 4);
  double t = from;
  lim_code code = note_after(k, from, err);
  for (int i = 1; i <= count && code == LIM_OK; i++) {
    double next = i == count ? to : from + (to - from) * i / count;
    code = span(k, k->here, next, k->here, t, 0, err);
    t = next;
  }
  return code;
}

static lim_code follow(samples *k, double end, const lim_break *breaks, int n, lim_error *err) {
  lim_tracker *x = k->x;
  double t = 0, longest = first_span(x, end);
  lim_code code = LIM_OK;
  for (int j = 0; j < x->m; j++) k->here[j] = x->q[x->index[j]];
  for (int i = 0; i <= n && code == LIM_OK; i++) {
    double to = i < n ? breaks[i].time : end;
    if (!(to > t)) continue;
    code = follow_to(k, t, to, longest, err);
    t = to;
  }
  return code == LIM_OK ? note_after(k, end, err) : code;
}

// The trajectory of each joint through its samples.
static lim_code make_courses(lim_trajectory **motion, const samples *k, const lim_break *breaks, int nbreak,
                             lim_error *err) {
  lim_tracker *x = k->x;
  size_t n = (size_t)k->n, wide = 1 + 3 * (size_t)x->m;
  double *t = lim_arena_array(&x->arena, n, sizeof *t);
  lim_sample *s = lim_arena_array(&x->arena, n, sizeof *s);
  if (!t || !s) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int j = 0; j < x->m && code == LIM_OK; j++) {
    if (!x->s->moved[x->owner[j]]) continue;
    for (size_t i = 0; i < n; i++) {
      const double *knot = k->knot + i * wide, *y = knot + 1;
      t[i] = knot[0];
      s[i] = (lim_sample){y[j], y[x->m + j], y[2 * x->m + j]};
    }
    const lim_samples from = {k->n, nbreak, t, s, breaks};
    code = lim_trajectory_through(&motion[x->owner[j]], &from, err);
  }
  return code;
}

static bool has_lines(const lim_model *m) {
  for (int i = 0; i < m->motion.count; i++)
    if (m->motion.item[i].joint < 0) return true;
  return false;
}

lim_code lim_lines_move(lim_trajectory **motion, lim_arm *s, double horizon, lim_error *err) {
  if (!s->moved) return LIM_OK;
  lim_tracker x;
  samples k = {.x = &x};
  int n = 0;
  lim_code code = begin(&x, s, err);
  if (code == LIM_OK) {
    x.motion = motion;
    k.here = x.spare;
    k.next = k.here + 3 * x.m;
    k.middle = k.next + 3 * x.m;
    double end = last_time(&x, horizon);
    lim_break *breaks = gather_breaks(&n, &x, end);
    code = breaks ? follow(&k, end, breaks, n, err) : lim_no_memory(err);
    if (code == LIM_OK) code = make_courses(motion, &k, breaks, n, err);
  }
  free(k.knot);
  lim_track_end(&x);
  return code;
}

// --- start ---

// Speeds of the joints that follow from the others by loops.
static void close_speeds(lim_tracker *x) {
  lim_track_columns(x);
  int first = x->nguide * x->naxis;
  for (int j = 0; j < x->m; j++)
    for (int i = 0; i < x->rows; i++)
      if (i < first || x->s->moved[x->owner[j]]) x->solver.J[j * x->rows + i] = 0;
  lim_kinematics(x->body, x->s, x->q, x->s->start + x->s->n, NULL);
  lim_loops_evaluate(x->row + first, x->s, x->body, x->q, x->s->start + x->s->n, NULL);
  for (int i = 0; i < x->rows; i++) x->b[i] = i < first ? 0 : -x->row[i].rate;
  lim_track_solve(x);
  for (int j = 0; j < x->m; j++) x->s->start[x->s->n + x->index[j]] += x->solver.step[j];
}

static lim_code keep_start(lim_tracker *x, lim_error *err) {
  lim_arm *s = x->s;
  size_t n = (size_t)s->n;
  if (!s->start) {
    double *start = lim_arena_array(&s->arena, 2 * n, sizeof *start);
    if (!start) return lim_no_memory(err);
    lim_arm_start(start, start + n, s);
    s->start = start;
  }
  memcpy(s->start, x->q, n * sizeof *s->start);
  if (s->nrow) close_speeds(x);
  for (int i = 0; i < s->nbody; i++) { // motors turn with their joints
    const lim_arm_body *b = &s->bodies[i];
    if (b->m < 0) continue;
    s->start[b->m] = s->start[b->q];
    s->start[n + (size_t)b->m] = s->start[n + (size_t)b->q];
  }
  return LIM_OK;
}

lim_code lim_lines_start(lim_arm *s, lim_error *err) {
  if (!has_lines(s->model)) return LIM_OK;
  lim_tracker x;
  lim_code code = begin(&x, s, err);
  if (code == LIM_OK) {
    lim_track_aim(&x, 0, false);
    code = lim_track_reach_anyhow(&x) ? keep_start(&x, err) : cannot_start(&x, err);
  }
  lim_track_end(&x);
  return code;
}
