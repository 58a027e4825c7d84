// schedule.c - paths without a stop: their limits, their times, their shaping, and what they add to the
// motions of the joints. Theory: docs/theory/programs.md.
#include "program/schedule.h"

#include "base/grow.h"
#include "motion/profile/build.h"
#include "motion/timing.h"
#include "path/assembly.h"
#include "path/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The motion of a joint so far.
typedef struct lim_lane {
  int narc, nbreak;
  size_t arc_capacity, break_capacity;
  lim_arc *arc;
  lim_break *breaks;
} lim_lane;

// Into how many parts a step of the path is cut to time it, which is what is lost against the shortest time;
// and such a part that begins or ends at rest.
enum { STEPS = 4, PARTS = 8 };

int lim_schedule_note(lim_schedule *x, int line, const char *command, const char *text) {
  lim_program_result *p = x->plan;
  lim_trace *more = lim_arena_grow(&x->m->arena, p->trace.item, (size_t)p->trace.count, sizeof *more);
  char *copy = lim_arena_text(&x->m->arena, text, strlen(text));
  if (!more || !copy) return -1;
  p->trace.item = more;
  p->trace.item[p->trace.count] = (lim_trace){line, x->t, x->t, command, copy};
  return p->trace.count++;
}

// --- a path under way ---

lim_code lim_schedule_add(lim_schedule *x, const lim_path *move, const lim_piece_of_path *piece, double blend,
                          lim_error *err) {
  if (!LIM_GROW(x->piece.item, x->piece_capacity, x->piece.count)) return lim_no_memory(err);
  x->piece.item[x->piece.count++] = *piece;
  lim_code code = lim_path_join(&x->path, move, x->blend, x->last / 2, err);
  x->blend = blend;
  x->last = lim_path_length(move);
  return code == LIM_OK && blend == 0 ? lim_schedule_stop(x, err) : code;
}

// --- limits ---

// What is known of the path at its points: first and second derivatives of joints and tool, and their limits.
typedef struct {
  lim_arena arena;
  lim_paced paced;
  double *d1, *d2, *speed, *accel;
  double *t, *rate, *push;
  double hardest; // largest push
} sheet;

static double min(double a, double b) { return isnan(b) ? a : fmin(a, b); }

// Limits of the piece at a point; two at a corner.
static void set_limits(sheet *y, const lim_schedule *x, int k, const lim_piece_of_path *piece) {
  double *speed = y->speed + (size_t)k * (size_t)y->paced.groups,
         *accel = y->accel + (size_t)k * (size_t)y->paced.groups;
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    if (b->q < 0 || !x->commanded[i]) continue;
    const bool slides = b->screw.slides;
    const double limit = x->s->model->links.item[b->link].joint.limits.velocity;
    speed[b->q] = fmin(speed[b->q], min(slides ? piece->speed.slide : piece->speed.joint, limit));
    accel[b->q] = fmin(accel[b->q], slides ? piece->accel.slide : piece->accel.joint);
  }
  if (!piece->tool) return;
  speed[x->s->n] = fmin(speed[x->s->n], piece->speed.linear);
  accel[x->s->n] = fmin(accel[x->s->n], piece->accel.linear);
  speed[x->s->n + 1] = fmin(speed[x->s->n + 1], piece->speed.angular);
  accel[x->s->n + 1] = fmin(accel[x->s->n + 1], piece->accel.angular);
}

static void fill_point(sheet *y, lim_schedule *x, int k, double *q) {
  const int n = x->s->n, rows = y->paced.rows;
  const lim_sample *at = x->path.x + (size_t)k * (size_t)n;
  double *d1 = y->d1 + (size_t)k * (size_t)rows, *d2 = y->d2 + (size_t)k * (size_t)rows;
  for (int i = 0; i < n; i++) {
    q[i] = at[i].value;
    d1[i] = at[i].rate;
    d2[i] = at[i].second;
  }
  const lim_world_motion tool = lim_follower_tool(&x->follower, q, d1, d2);
  for (int i = 0; i < 3; i++) {
    d1[n + i] = tool.v[i];
    d2[n + i] = tool.a[i];
    d1[n + 3 + i] = tool.w[i];
    d2[n + 3 + i] = tool.alpha[i];
  }
  set_limits(y, x, k, &x->piece.item[x->path.piece[k]]);
  if (k + 1 < x->path.n && x->path.piece[k + 1] != x->path.piece[k])
    set_limits(y, x, k, &x->piece.item[x->path.piece[k + 1]]);
}

static lim_code fill(sheet *y, lim_schedule *x, lim_error *err) {
  const size_t n = (size_t)x->s->n, N = (size_t)x->path.n, groups = n + 2, rows = n + 6;
  lim_limited *group = lim_arena_array(&y->arena, groups, sizeof *group);
  double *q = lim_arena_array(&y->arena, n, sizeof *q);
  y->d1 = lim_arena_array(&y->arena, 2 * N * rows, sizeof *y->d1);
  y->speed = lim_arena_array(&y->arena, 2 * N * groups, sizeof *y->speed);
  y->t = lim_arena_array(&y->arena, 3 * N, sizeof *y->t);
  if (!group || !q || !y->d1 || !y->speed || !y->t) return lim_no_memory(err);
  y->d2 = y->d1 + N * rows;
  y->accel = y->speed + N * groups;
  y->rate = y->t + N;
  y->push = y->t + 2 * N;
  for (size_t i = 0; i < 2 * N * groups; i++) y->speed[i] = INFINITY;
  for (size_t g = 0; g < groups; g++)
    group[g] = g < n ? (lim_limited){(int)g, 1} : (lim_limited){(int)(n + 3 * (g - n)), 3};
  y->paced = (lim_paced){x->path.n, (int)rows, (int)groups, x->path.s, y->d1, y->d2, group, y->speed, y->accel};
  for (int k = 0; k < x->path.n; k++) fill_point(y, x, k, q);
  return LIM_OK;
}

// --- motions in time ---

// A joint where the path has come to x, at speed v and acceleration `push` along it.
static lim_sample moving(lim_sample x, double v, double push) {
  return (lim_sample){x.value, x.rate * v, x.rate * push + x.second * v * v};
}

// Whether accelerations jump at point k: by more than the cutting of a smooth change into steps makes of it.
static bool jumps(const sheet *y, int k) {
  const int last = y->paced.n - 1;
  return k == 0 || k == last || fabs(y->push[k] - y->push[k - 1]) > 0.02 * y->hardest;
}

// The acceleration along the path at point k, on one side of it: at jumps that of the step, else the mean.
static double push_at(const sheet *y, int k, bool after) {
  const double before = k ? y->push[k - 1] : 0, next = k + 1 < y->paced.n ? y->push[k] : 0;
  return jumps(y, k) ? (after ? next : before) : (before + next) / 2;
}

// s in time during step k.
static lim_arc along(const sheet *y, int k) {
  const lim_sample from = {y->paced.s[k], y->rate[k], push_at(y, k, true)};
  const lim_sample to = {y->paced.s[k + 1], y->rate[k + 1], push_at(y, k + 1, false)};
  return lim_arc_between(from, to, y->t[k + 1] - y->t[k]);
}

// Into how many parts a step is cut: what is a quintic by s is none by t where the speed changes.
static int parts_of(const sheet *y, int k) {
  const double slow = fmin(y->rate[k], y->rate[k + 1]), fast = fmax(y->rate[k], y->rate[k + 1]);
  const bool even = fabs(push_at(y, k + 1, false) - push_at(y, k, true)) < 1e-6 * y->hardest;
  return fast > 4 * slow ? PARTS : fast > 1.2 * slow ? PARTS / 2 : even ? 1 : 2;
}

typedef struct {
  const sheet *y;
  const lim_schedule *x;
  int joint, n, narc, nbreak;
  double *t;
  lim_sample *out;
  lim_break *breaks;
  int *step; // of each arc
} sampler;

static void put(sampler *z, double t, lim_sample x, int step) {
  if (z->n && t > z->t[z->n - 1]) z->step[++z->narc] = step;
  z->t[z->n] = t;
  z->out[z->n++] = x;
}

// Inside step k.
static void put_inside(sampler *z, int k) {
  const sheet *y = z->y;
  const lim_path *p = &z->x->path;
  const int parts = parts_of(y, k);
  const size_t at = (size_t)k * (size_t)p->rows + (size_t)z->joint;
  const lim_arc way = along(y, k),
                arc = lim_arc_between(p->x[at], p->x[at + (size_t)p->rows], p->s[k + 1] - p->s[k]);
  for (int i = 1; i < parts; i++) {
    const double tau = (y->t[k + 1] - y->t[k]) * i / parts;
    const lim_sample s = lim_arc_at(&way, tau);
    put(z, y->t[k] + tau, moving(lim_arc_at(&arc, s.value - p->s[k]), s.rate, s.second), k);
  }
}

// Samples of a joint: two at jumps, before and after them; at the same times for all joints.
static void sample(sampler *z, int joint) {
  const sheet *y = z->y;
  const lim_path *p = &z->x->path;
  const int last = p->n - 1;
  z->joint = joint;
  z->n = z->narc = z->nbreak = 0;
  for (int k = 0; k <= last; k++) {
    const lim_sample x = p->x[(size_t)k * (size_t)p->rows + (size_t)joint];
    put(z, y->t[k], moving(x, y->rate[k], push_at(y, k, false)), k - 1);
    if (jumps(y, k)) {
      put(z, y->t[k], moving(x, y->rate[k], push_at(y, k, true)), k - 1);
      z->breaks[z->nbreak++] = (lim_break){y->t[k], 2};
    }
    if (k < last) put_inside(z, k);
  }
}

// By how much the trajectory of a joint passes its limits between the points of the path: the factor by which
// it must be slower. step: of each arc.
static double excess(const lim_trajectory *c, const sheet *y, int group, const int *step) {
  enum { LOOKS = 8 };
  double max = 1;
  for (int i = 1; i + 1 < c->narc; i++) {
    const size_t at = (size_t)step[i] * (size_t)y->paced.groups + (size_t)group,
                 next = at + (size_t)y->paced.groups;
    const double speed = fmax(y->speed[at], y->speed[next]), accel = fmax(y->accel[at], y->accel[next]);
    for (int k = 0; k <= LOOKS; k++) {
      const lim_sample x = lim_arc_at(&c->arc[i], (c->arc[i + 1].time - c->arc[i].time) * k / LOOKS);
      max = fmax(max, fmax(fabs(x.rate) / speed, sqrt(fabs(x.second) / accel)));
    }
  }
  return max;
}

// The trajectories of all joints; by how much they are too fast into *factor.
static lim_code make_courses(lim_trajectory **trajectory, double *factor, sheet *y, lim_schedule *x,
                             lim_error *err) {
  size_t capacity = 2 * (size_t)x->path.n;
  y->hardest = 0;
  for (int k = 0; k + 1 < x->path.n; k++) y->hardest = fmax(y->hardest, fabs(y->push[k]));
  for (int k = 0; k + 1 < x->path.n; k++) capacity += (size_t)parts_of(y, k);
  sampler z = {.y = y, .x = x};
  z.t = lim_arena_array(&y->arena, capacity, sizeof *z.t);
  z.out = lim_arena_array(&y->arena, capacity, sizeof *z.out);
  z.breaks = lim_arena_array(&y->arena, capacity, sizeof *z.breaks);
  z.step = lim_arena_array(&y->arena, capacity, sizeof *z.step);
  lim_code code = z.t && z.out && z.breaks && z.step ? LIM_OK : lim_no_memory(err);
  *factor = 1;
  for (int i = 0; i < x->s->nbody && code == LIM_OK; i++) {
    if (!x->commanded[i]) continue;
    sample(&z, x->s->bodies[i].q);
    const lim_samples from = {z.n, z.nbreak, z.t, z.out, z.breaks};
    lim_trajectory_free(trajectory[i]);
    code = lim_trajectory_through(&trajectory[i], &from, err);
    if (code == LIM_OK) *factor = fmax(*factor, excess(trajectory[i], y, x->s->bodies[i].q, z.step));
  }
  return code;
}

static void slow_down(sheet *y, double factor) {
  for (int k = 0; k < y->paced.n; k++) {
    y->t[k] *= factor;
    y->rate[k] /= factor;
    y->push[k] /= factor * factor;
  }
}

// Trajectories that keep the limits between the points of the path too, not only there.
static lim_code time_path(lim_trajectory **trajectory, sheet *y, lim_schedule *x, lim_error *err) {
  double factor;
  lim_code code = lim_timing(y->t, y->rate, y->push, &y->paced, err);
  if (code == LIM_OK) code = make_courses(trajectory, &factor, y, x, err);
  for (int i = 0; i < 3 && code == LIM_OK && factor > 1 + 1e-10; i++) {
    slow_down(y, factor * (1 + 1e-14));
    code = make_courses(trajectory, &factor, y, x, err);
  }
  return code;
}

// A move that shall take longer than it must.
static lim_code stretch(lim_trajectory **trajectory, sheet *y, lim_schedule *x, lim_error *err) {
  const double asked = x->piece.item[0].duration, least_time = y->t[y->paced.n - 1];
  double factor;
  if (isnan(asked)) return LIM_OK;
  if (asked < least_time * (1 - 1e-12))
    return LIM_FAIL(err, LIM_BAD_INPUT, "it takes at least %.3g s, not %g s, under these limits", least_time,
                    asked);
  slow_down(y, asked / least_time);
  return make_courses(trajectory, &factor, y, x, err);
}

// --- shaping ---

static lim_code shaper_of(lim_shaper *out, lim_schedule *x, lim_error *err) {
  lim_shaped_mode mode[200], one_mode;
  int highest = 0, count = x->shapes.count;
  lim_shaper one;
  for (int i = 0; i < count; i++) highest = x->shapes.item[i].mode > highest ? x->shapes.item[i].mode : highest;
  if (highest > 200) return LIM_FAIL(err, LIM_BAD_INPUT, "shape: mode %d is too high", highest);
  lim_code code = LIM_OK;
  if (highest)
    code = x->setup->modes(x->setup->user, mode, highest, x->q, x->plan->grips.item, x->plan->grips.count, err);
  *out = (lim_shaper){.n = 1, .share = {1}};
  for (int i = 0; i < count && code == LIM_OK; i++) {
    const lim_shaping *a = &x->shapes.item[i];
    one_mode = a->mode ? mode[a->mode - 1] : (lim_shaped_mode){a->frequency, 0};
    if (!isnan(a->damping)) one_mode.damping = a->damping;
    code = lim_shaper_make(&one, a->type, &one_mode, 1, a->tolerance, err);
    if (code == LIM_OK) code = lim_shaper_convolve(out, &one, err);
  }
  return code;
}

static lim_code shape(lim_trajectory **trajectory, lim_schedule *x, lim_error *err) {
  lim_shaper s;
  lim_code code = x->shapes.count ? shaper_of(&s, x, err) : LIM_OK;
  if (code != LIM_OK || !x->shapes.count) return code;
  for (int i = 0; i < x->s->nbody && code == LIM_OK; i++) {
    lim_trajectory *plain = trajectory[i];
    if (!plain) continue;
    trajectory[i] = NULL;
    code = lim_trajectory_shaped(&trajectory[i], plain, &s, err);
    lim_trajectory_free(plain);
  }
  return code;
}

// --- what is told to the joints ---

static bool put_arc(lim_lane *a, lim_arc arc) {
  if (!LIM_GROW(a->arc, a->arc_capacity, a->narc)) return false;
  if (a->narc > 1 && a->arc[a->narc - 1].time >= arc.time) a->narc--; // a hold that lasted no time
  a->arc[a->narc++] = arc;
  return true;
}

static bool put_break(lim_lane *a, lim_break at) {
  if (a->nbreak && a->breaks[a->nbreak - 1].time >= at.time - 1e-12) return true;
  if (!LIM_GROW(a->breaks, a->break_capacity, a->nbreak)) return false;
  a->breaks[a->nbreak++] = at;
  return true;
}

static bool append(lim_lane *a, const lim_trajectory *c, double t) {
  bool good = true;
  for (int i = 1; i < c->narc && good; i++) {
    lim_arc arc = c->arc[i];
    arc.time += t;
    good = put_arc(a, arc);
  }
  for (int i = 0; i < c->nbreak && good; i++)
    good = put_break(a, (lim_break){c->breaks[i].time + t, c->breaks[i].order});
  return good;
}

// When each move of the path begins and ends, without shaping.
static void time_trace(const lim_schedule *x, const sheet *y) {
  for (int k = 0; k < x->path.n; k++) {
    lim_trace *a = &x->plan->trace.item[x->piece.item[x->path.piece[k]].trace];
    if (k == 0 || x->path.piece[k] != x->path.piece[k - 1]) a->from = x->t + y->t[k ? k - 1 : 0];
    a->to = x->t + y->t[k];
  }
}

static lim_code tell(lim_schedule *x, lim_trajectory **trajectory, lim_error *err) {
  double longest = 0;
  for (int i = 0; i < x->s->nbody; i++) {
    if (!trajectory[i]) continue;
    if (!append(&x->lane[i], trajectory[i], x->t)) return lim_no_memory(err);
    longest = fmax(longest, trajectory[i]->end);
  }
  x->t += longest;
  x->plan->trace.item[x->piece.item[x->piece.count - 1].trace].to = x->t;
  return LIM_OK;
}

// A move that is straight in the joints has limits that are the same all along.
static bool is_plain(const lim_schedule *x) { return x->piece.count == 1 && !x->piece.item[0].tool; }

lim_code lim_schedule_stop(lim_schedule *x, lim_error *err) {
  if (x->path.n < 2) return LIM_OK;
  sheet y = {0};
  lim_trajectory **trajectory = lim_arena_array(&y.arena, (size_t)x->s->nbody, sizeof *trajectory);
  lim_code code = trajectory ? lim_path_refine(&x->path, is_plain(x) ? 1 : STEPS, err) : lim_no_memory(err);
  if (code == LIM_OK) code = fill(&y, x, err);
  if (code == LIM_OK) code = time_path(trajectory, &y, x, err);
  if (code == LIM_OK) code = stretch(trajectory, &y, x, err);
  if (code == LIM_OK) time_trace(x, &y);
  if (code == LIM_OK) code = shape(trajectory, x, err);
  if (code == LIM_OK) code = tell(x, trajectory, err);
  for (int i = 0; trajectory && i < x->s->nbody; i++) lim_trajectory_free(trajectory[i]);
  lim_arena_free(&y.arena);
  x->path.n = 0;
  x->piece.count = 0;
  x->blend = x->last = 0;
  return code;
}

// --- set-up ---

// Joints that the program moves: those whose drives take a command; in a model without drives all that turn or
// slide, but for those that follow by loops.
static int choose_joints(lim_schedule *x) {
  const lim_arm *s = x->s;
  bool driven = false;
  int count = 0;
  for (int i = 0; i < s->model->drives.count; i++)
    driven = driven || s->model->drives.item[i].type != LIM_DRIVE_FREE;
  for (int i = 0; i < s->nbody; i++) {
    const lim_drive *d = lim_model_drive(s->model, s->bodies[i].link);
    const int k = s->bodies[i].q;
    if (k < 0 || lim_joint_in_ball(&s->model->links.item[s->bodies[i].link].joint)) continue;
    x->commanded[i] = driven ? d && lim_drive_takes_command(d) : !d && !(s->passive && s->passive[k]);
    count += x->commanded[i];
  }
  return count;
}

lim_code lim_schedule_begin(lim_schedule *x, lim_model *m, const lim_program_setup *setup, lim_error *err) {
  *x = (lim_schedule){.m = m, .setup = setup};
  const lim_node *at = lim_tree_get(m->head.node, "program");
  x->plan = lim_arena_allocate(&m->arena, sizeof *x->plan);
  lim_code code = x->plan ? lim_arm_new(&x->s, m, true, err) : lim_no_memory(err);
  if (code != LIM_OK) return code;
  x->path.rows = x->s->n;
  x->commanded = calloc((size_t)x->s->nbody, sizeof *x->commanded);
  x->held = calloc((size_t)x->s->nbody, sizeof *x->held);
  x->lane = calloc((size_t)x->s->nbody, sizeof *x->lane);
  x->q = calloc(2 * (size_t)x->s->n + 1, sizeof *x->q);
  if (!x->commanded || !x->held || !x->lane || !x->q) return lim_no_memory(err);
  lim_arm_start(x->q, x->q + x->s->n, x->s);
  if (!choose_joints(x)) return lim_tree_error(err, at, "program: the arm has no joint that it could move");
  for (int i = 0; i < x->s->nbody; i++)
    if (x->commanded[i] && !put_arc(&x->lane[i], (lim_arc){.c = {x->q[x->s->bodies[i].q]}}))
      return lim_no_memory(err);
  return lim_follower_begin(&x->follower, x->s, x->commanded, err);
}

void lim_schedule_end(lim_schedule *x) {
  for (int i = 0; x->lane && i < x->s->nbody; i++) {
    free(x->lane[i].arc);
    free(x->lane[i].breaks);
  }
  lim_follower_end(&x->follower);
  lim_path_free(&x->path);
  lim_arm_free(x->s);
  free(x->piece.item);
  free(x->shapes.item);
  free(x->commanded);
  free(x->held);
  free(x->lane);
  free(x->q);
}

// --- into the model ---

static lim_trajectory *keep(lim_arena *arena, const lim_lane *a) {
  lim_trajectory *c = lim_arena_allocate(arena, sizeof *c);
  lim_arc *arc = lim_arena_array(arena, (size_t)a->narc, sizeof *arc);
  lim_break *breaks = lim_arena_array(arena, (size_t)a->nbreak, sizeof *breaks);
  if (!c || !arc || !breaks) return NULL;
  memcpy(arc, a->arc, (size_t)a->narc * sizeof *arc);
  if (a->nbreak) memcpy(breaks, a->breaks, (size_t)a->nbreak * sizeof *breaks);
  *c = (lim_trajectory){a->narc, a->nbreak, arc, breaks, a->narc > 1 ? a->arc[a->narc - 1].time : 0};
  return c;
}

lim_code lim_schedule_finish(lim_schedule *x, lim_error *err) {
  lim_model *m = x->m;
  lim_motion *motion = lim_arena_array(&m->arena, (size_t)x->s->nbody, sizeof *motion);
  if (!motion) return lim_no_memory(err);
  int count = 0;
  for (int i = 0; i < x->s->nbody; i++) {
    if (!x->commanded[i]) continue;
    const int link = x->s->bodies[i].link;
    lim_trajectory *c = keep(&m->arena, &x->lane[i]);
    if (!c) return lim_no_memory(err);
    motion[count++] = (lim_motion){
        .head = {.node = lim_tree_get(m->head.node, "program"), .name = m->links.item[link].joint.head.name},
        .joint = link,
        .profile = {.ready = c}};
  }
  m->motion.item = motion;
  m->motion.count = count;
  x->plan->end = x->t;
  m->plan = x->plan;
  m->program = NULL;
  if (isnan(m->solver.duration)) m->solver.duration = fmax(x->t, m->solver.step);
  return LIM_OK;
}
