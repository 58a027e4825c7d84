// stepper.c - a motion rounded to the steps of a stepper motor. Theory: docs/theory/motion.md (12), (15)-(17).
//
// The times at which the motion passes half a step are found exactly; each starts a quintic of one step. Steps
// that follow each other within the rise add up, so the trajectory stays smooth however close they are.
#include "base/grow.h"
#include "motion/profile/build.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS_MAX = 200000, OVERLAP_MAX = 1000 };

typedef struct {
  double time; // [s], from the profile's start
  int sign;    // +1, -1
} event;

typedef struct {
  lim_builder *b;
  double origin, step; // where the motor stands at first, size of a step [rad or m]
  double n;            // steps made so far, with their sign
  event *event;        // times ascend   (count)
  int count;
  size_t capacity;
} motor;

// --- when steps are made ---

static void emit(motor *m, double time, int sign) {
  if (m->count == STEPS_MAX) {
    lim_build_error(m->b, NULL, "the stepper makes more than %d steps", STEPS_MAX);
    return;
  }
  if (!LIM_GROW(m->event, m->capacity, m->count)) {
    m->b->code = lim_no_memory(m->b->err);
    return;
  }
  m->event[m->count++] = (event){time, sign};
  m->n += sign;
}

// Which way the next step goes when the motion is at x: a step is made once half of it is passed.   (16)
static int direction(const motor *m, double x) {
  const double past = (x - m->origin) / m->step - m->n,
               half = 0.5 + 1e-9; // half a step to rounding is not passed
  return past > half ? 1 : past < -half ? -1 : 0;
}

// All steps while arc p runs from lo to hi, between which its value is monotone.
static void follow(motor *m, const lim_arc *p, double lo, double hi) {
  const double x = lim_arc_derivative(p, hi, 0);
  for (int way; m->b->code == LIM_OK && (way = direction(m, x)) != 0;) {
    const double level = m->origin + (m->n + 0.5 * way) * m->step;
    lo = lim_arc_solve(p, 0, level, lo, hi);
    emit(m, p->time + lo, way);
  }
}

static void follow_arc(motor *m, const lim_arc *p, double T) {
  const double space = lim_arc_turns_capacity(p, T);
  if (space > STEPS_MAX) {
    lim_build_error(m->b, NULL, "the motion turns more than %d times", STEPS_MAX);
    return;
  }
  double *turn = malloc(2 * (size_t)space * sizeof *turn), lo = 0;
  if (!turn) {
    m->b->code = lim_no_memory(m->b->err);
    return;
  }
  const int n = lim_arc_turns(turn, turn + (size_t)space, p, T);
  for (int i = 0; i <= n; i++) {
    const double hi = i < n ? turn[i] : T;
    follow(m, p, lo, hi);
    lo = hi;
  }
  free(turn);
}

// All steps that a jump of the motion to x asks for at once.
static void jump(motor *m, double time, double x) {
  for (int way; m->b->code == LIM_OK && (way = direction(m, x)) != 0;) emit(m, time, way);
}

// Go along the motion up to the time `until`.
static void find_steps(motor *m, const lim_trajectory *of, double until) {
  for (int i = 1; i < of->narc && m->b->code == LIM_OK; i++) {
    const lim_arc *p = &of->arc[i];
    const double end = i + 1 < of->narc ? fmin(of->arc[i + 1].time, until) : until;
    if (p->time > until) return;
    jump(m, p->time, p->c[0] + p->a * sin(p->phi));
    if (end > p->time && m->b->code == LIM_OK) follow_arc(m, p, end - p->time);
  }
}

// --- the trajectory they make ---

// The sum of the steps first..last-1, which run at the time t, on top of those that have ended.   (17)
static lim_arc sum(const motor *m, double ended, int first, int last, double t, double rise) {
  lim_arc arc = {.c = {m->origin + ended * m->step}};
  for (int k = first; k < last; k++)
    lim_quintic_add(arc.c, (t - m->event[k].time) / rise, m->event[k].sign * m->step, rise);
  return arc;
}

// One arc from every start or end of a step to the next.
static void lay_down(motor *m, double start, double rise) {
  double ended = 0; // steps
  for (int first = 0, last = 0; first < m->count && m->b->code == LIM_OK;) {
    const bool starts = last < m->count && m->event[last].time <= m->event[first].time + rise;
    const double t = starts ? m->event[last].time : m->event[first].time + rise;
    if (starts)
      last++;
    else
      ended += m->event[first++].sign;
    if (last - first > OVERLAP_MAX)
      lim_build_error(m->b, "rise", "more than %d steps fall into one rise of %g s", OVERLAP_MAX, rise);
    m->b->time = start + t;
    lim_build_put(m->b, sum(m, ended, first, last, t, rise));
  }
  lim_build_hold(m->b, m->origin + m->n * m->step);
}

// --- the profile ---

static void check(lim_builder *b, const lim_profile *p) {
  if (!(p->rise > 0)) lim_build_error(b, "rise", "rise is %g s, must be positive", p->rise);
  if (!(p->steps_per_turn * p->reduction > 0))
    lim_build_error(b, "steps_per_turn", "steps_per_turn and reduction must be positive");
  if (p->of.list.count == 0) lim_build_error(b, "of", "a stepper needs a motion to follow: 'of'");
}

// Endless motions are followed up to the horizon.
static void step_along(lim_builder *b, const lim_profile *p, const lim_trajectory *of) {
  const double start = b->time, until = isfinite(of->end) ? of->end : b->setup->horizon - start;
  motor m = {
      .b = b, .origin = of->arc[0].c[0], .step = 2 * LIM_PI / (p->steps_per_turn * p->reduction)}; // (15)
  if (!isfinite(until)) {
    lim_build_error(b, "of", "steps of an endless motion need a duration of the simulation");
    return;
  }
  lim_build_reach(b, of->narc > 1 ? fmin(of->arc[1].time, 0) : 0, m.origin);
  find_steps(&m, of, until);
  if (b->code == LIM_OK) lay_down(&m, start, p->rise);
  b->time = fmax(b->time, start + until); // it ends with its motion, or with the last step
  b->endless = !isfinite(of->end);
  free(m.event);
}

static const lim_key own[] = {
    {"steps_per_turn", &lim_number, offsetof(lim_profile, steps_per_turn), "steps of the motor in one turn",
     .unit = "", .range = "> 0", .need = "*"},
    {"reduction", &lim_number, offsetof(lim_profile, reduction), "turns of the motor for one turn of the joint",
     .unit = "", .range = "> 0", .preset = "1"},
    {"rise", &lim_number, offsetof(lim_profile, rise), "time of one step", .unit = "s", .range = "> 0",
     .need = "*"},
    {"of", &lim_in_time, offsetof(lim_profile, of), "the motion that is rounded to steps", .unit = "@",
     .table = &lim_in_time_table, .need = "*"},
    {0}};

static void build(lim_builder *b, const lim_profile *p) {
  lim_trajectory_setup setup = *b->setup;
  lim_trajectory *of = NULL;
  check(b, p);
  if (b->code != LIM_OK) return;
  setup.start = b->value;
  setup.horizon -= b->time;
  b->code = lim_trajectory_new(&of, &p->of, &setup, b->err);
  if (of) step_along(b, p, of);
  lim_trajectory_free(of);
}

const lim_profile_kind lim_profile_stepper = {
    .row = {.word = "stepper", .help = "a motion in the steps of a motor", .own = own}, .build = build};
