// limits.c - joints beyond their limits. Theory: docs/theory/simulation.md.
#include "analysis/limits.h"

#include "analysis/beginning.h"

#include "arm/body/kind.h"
#include "arm/pose.h"
#include "path/assembly.h"

#include "arm/carriage.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>

// A limit as a bound from above of a value that grows towards it; NaN: there is none. The body has its own
// range.
static double bound_of(const lim_link *a, lim_limit which) {
  const lim_limits *x = &a->joint.limits;
  double own[2];
  lim_body_range(own, a);
  switch (which) {
  case LIM_LIMIT_LOW: return isinf(own[0]) ? -x->position[0] : -fmax(own[0], x->position[0]);
  case LIM_LIMIT_HIGH: return isinf(own[1]) ? x->position[1] : fmin(own[1], x->position[1]);
  case LIM_LIMIT_SPEED: return x->velocity;
  default: return x->effort;
  }
}

static double towards(lim_limit which, double value) {
  return which == LIM_LIMIT_LOW ? -value : which == LIM_LIMIT_HIGH ? value : fabs(value);
}

// Rounding does not count.
static bool is_beyond(double bound, double value) { return value > bound + 1e-9 * (1 + fabs(bound)); }

void lim_limits_see(lim_excess *excess, const lim_model *m, int link, lim_limit which, double value, double t) {
  lim_excess *x = &excess[link * LIM_LIMITS + (int)which];
  if (!is_beyond(bound_of(&m->links.item[link], which), towards(which, value))) return;
  if (!x->exceeded) *x = (lim_excess){true, t, value};
  x->first = fmin(x->first, t);
  if (towards(which, value) > towards(which, x->worst)) x->worst = value;
}

void lim_limits_bounds(double bound[LIM_LIMIT_EFFORT], const lim_link *link) {
  for (int k = 0; k < LIM_LIMIT_EFFORT; k++) bound[k] = bound_of(link, (lim_limit)k);
}

bool lim_limits_hold(const double bound[LIM_LIMIT_EFFORT], double position, double speed) {
  return !is_beyond(bound[LIM_LIMIT_LOW], -position) && !is_beyond(bound[LIM_LIMIT_HIGH], position) &&
         !is_beyond(bound[LIM_LIMIT_SPEED], fabs(speed));
}

void lim_limits_see_motion(lim_excess *excess, const lim_model *m, int link, double position, double speed,
                           double t) {
  lim_limits_see(excess, m, link, LIM_LIMIT_LOW, position, t);
  lim_limits_see(excess, m, link, LIM_LIMIT_HIGH, position, t);
  lim_limits_see(excess, m, link, LIM_LIMIT_SPEED, speed, t);
}

static void warn(lim_error *err, const lim_excess *x, const lim_link *a, lim_limit which) {
  static const char *const word[] = {"lower position", "upper position", "velocity", "effort"};
  static const char *const unit[][2] = {{"rad", "m"}, {"rad", "m"}, {"rad/s", "m/s"}, {"N m", "N"}};
  const lim_joint *j = &a->joint;
  const char *u = unit[which][lim_joint_is_linear(j)];
  double bound = bound_of(a, which);
  bool given = which > LIM_LIMIT_HIGH || fabs(bound) == fabs(j->limits.position[which == LIM_LIMIT_HIGH]);
  if (!x->exceeded) return;
  if (given && which <= LIM_LIMIT_HIGH && j->limits.stop.head.node)
    lim_warn(err, x->first, j->head.name, "joint '%.80s' is taken beyond its %s stop, at %.4g %s, to %.4g %s",
             j->head.name, which == LIM_LIMIT_LOW ? "lower" : "upper", which == LIM_LIMIT_LOW ? -bound : bound,
             u, x->worst, u);
  else if (given)
    lim_warn(err, x->first, j->head.name, "joint '%.80s' exceeds its %s limit of %.4g %s: it comes to %.4g %s",
             j->head.name, word[which], which == LIM_LIMIT_LOW ? -bound : bound, u, x->worst, u);
  else
    lim_warn(
        err, x->first, j->head.name,
        "joint '%.80s' comes to %.4g m, but a beam of %.4g m has 0 to %.4g m beyond its guide: it leaves it",
        j->head.name, x->worst, a->beam.length, a->beam.length);
}

void lim_limits_warn(lim_error *err, const lim_excess *excess, const lim_model *m) {
  for (int i = 0; i < m->links.count; i++)
    for (int k = 0; k < LIM_LIMITS; k++)
      warn(err, &excess[i * LIM_LIMITS + k], &m->links.item[i], (lim_limit)k);
}

// --- motions ---

typedef struct {
  const lim_arc *arc;
  lim_limit which;
} scan;

static double value_at(const scan *x, double t) {
  lim_sample s = lim_arc_at(x->arc, t - x->arc->time);
  return x->which == LIM_LIMIT_SPEED ? s.rate : s.value;
}

// Where the value is farthest towards its limit in lo..hi, within which it has one peak: golden sections.
static double peak_in(const scan *x, double lo, double hi) {
  const double golden = 0.6180339887498949;
  for (int i = 0; i < 60; i++) {
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    if (towards(x->which, value_at(x, a)) > towards(x->which, value_at(x, b)))
      hi = b;
    else
      lo = a;
  }
  return (lo + hi) / 2;
}

// The first moment in lo..hi beyond the bound: it is not at lo, it is at hi.
static double crossing(const scan *x, double bound, double lo, double hi) {
  for (int i = 0; i < 60; i++) {
    double middle = (lo + hi) / 2;
    if (is_beyond(bound, towards(x->which, value_at(x, middle))))
      hi = middle;
    else
      lo = middle;
  }
  return hi;
}

// One arc in from..to, at samples between which it has at most one peak.
static void scan_arc(lim_excess *excess, const lim_model *m, int link, const scan *x, double from, double to) {
  const double turns = x->arc->a != 0 ? x->arc->w * (to - from) / (2 * M_PI) : 0,
               bound = bound_of(&m->links.item[link], x->which);
  const int n = 32 + (int)fmin(16 * turns, 1e5);
  double before = from, best = from;
  bool crossed = false;
  for (int i = 0; i <= n; i++) {
    double t = from + (to - from) * i / n, value = towards(x->which, value_at(x, t));
    if (value > towards(x->which, value_at(x, best))) best = t;
    if (!crossed && is_beyond(bound, value)) {
      double first = i ? crossing(x, bound, before, t) : t;
      lim_limits_see(excess, m, link, x->which, value_at(x, first), first);
      crossed = true;
    }
    before = t;
  }
  double step = (to - from) / n, peak = peak_in(x, fmax(from, best - step), fmin(to, best + step));
  lim_limits_see(excess, m, link, x->which, value_at(x, peak), peak);
  lim_limits_see(excess, m, link, x->which, value_at(x, best), best);
}

static void scan_course(lim_excess *excess, const lim_model *m, int link, const lim_trajectory *c, double end) {
  for (int i = 0; i < c->narc; i++) {
    const lim_arc *arc = &c->arc[i];
    double from = i ? fmax(arc->time, 0) : 0, to = i + 1 < c->narc ? c->arc[i + 1].time : end;
    if (isinf(to)) to = from + (arc->a != 0 && arc->w > 0 ? 2 * M_PI / arc->w : 0); // it goes on like this
    to = fmin(to, end);
    for (int k = 0; k < LIM_LIMIT_EFFORT && from <= to; k++)
      if (!isnan(bound_of(&m->links.item[link], (lim_limit)k)))
        scan_arc(excess, m, link, &(scan){arc, (lim_limit)k}, from, to);
  }
}

// --- a model ---

lim_code lim_limits_speeds(const lim_inputs *inputs, bool fail, lim_error *err) {
  const lim_arm *s = inputs->s;
  for (int i = 0; i < s->nbody; i++) {
    const lim_joint_drive *d = &inputs->drive[i];
    const lim_joint_state *x = s->bodies[i].q >= 0 ? lim_pose_state(s->model, s->bodies[i].link) : NULL;
    if (!x || !x->head.node || d->type != LIM_DRIVE_PRESCRIBED || x->velocity[0] == 0) continue;
    double v = x->velocity[0], rate = lim_trajectory_at(d->motion, 0).rate;
    const lim_node *at = lim_tree_get(x->head.node, "velocity");
    if (fabs(v - rate) <= 1e-9 * (fabs(v) + fabs(rate))) continue;
    const char *why =
        lim_arm_commands(s, s->bodies[i].link) ? "its motion begins otherwise" : "it has no motion: it is held";
    if (fail)
      return lim_tree_error(err, at ? at : x->head.node,
                            "configuration '%s': velocity is %g, but the joint is prescribed and %s, at %g",
                            x->head.name, v, why, rate);
    lim_warn(err, 0, x->head.name,
             "configuration '%.80s': velocity is %g, but the joint is prescribed and %s, at %g; only modes (of "
             "a steady "
             "spin) take it",
             x->head.name, v, why, rate);
  }
  return LIM_OK;
}

typedef struct {
  lim_arm *s;
  lim_inputs *inputs;
  double *x; // start and speeds (2 n)
  lim_excess *excess;
} asked;

static void look(const asked *a, const lim_model *m) {
  double end = isnan(m->solver.duration) ? INFINITY : m->solver.duration;
  lim_arm_start(a->x, a->x + a->s->n, a->s);
  for (int i = 0; i < a->s->nbody; i++) {
    int q = a->s->bodies[i].q, link = a->s->bodies[i].link;
    if (q < 0) continue;
    lim_limits_see_motion(a->excess, m, link, a->x[q], a->x[a->s->n + q], 0);
    if (a->inputs->drive[i].motion) scan_course(a->excess, m, link, a->inputs->drive[i].motion, end);
  }
}

lim_code lim_limits_check(const lim_model *m, const char *directory, lim_error *err) {
  asked a = {0};
  lim_code code = lim_carriage_warn(err, m);
  if (code != LIM_OK || lim_arm_new(&a.s, m, true, NULL) != LIM_OK) return code;
  code = lim_inputs_new(&a.inputs, a.s, directory, err);
  size_t capacity = (size_t)m->links.count * LIM_LIMITS;
  a.x = calloc(2 * (size_t)a.s->n + 1, sizeof *a.x);
  a.excess = calloc(capacity, sizeof *a.excess);
  if (code == LIM_OK && (!a.x || !a.excess)) code = lim_no_memory(err);
  if (code == LIM_OK) {
    look(&a, m);
    lim_limits_speeds(a.inputs, false, err);
    lim_limits_warn(err, a.excess, m);
    if (m->solver.start != 1) code = lim_beginning_warn(err, a.inputs, a.x);
  }
  free(a.excess);
  free(a.x);
  lim_inputs_free(a.inputs);
  lim_arm_free(a.s);
  return code;
}
