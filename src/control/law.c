// law.c - the table of controllers, and what several of them use. Theory: docs/theory/control.md (5)-(7).
#include "control/law.h"

#include "control/laws.h"

#include <math.h>

const lim_control_kind *const lim_control_kinds[] = {
#define ROW(kind) &lim_control_##kind,
#include "control/laws.def"
#undef ROW
    NULL,
};

const lim_kind_row *lim_control_row(int i) { return lim_control_kinds[i] ? &lim_control_kinds[i]->row : NULL; }

void lim_control_check_gains(lim_resolver *v, const void *control) {
  const lim_control *c = control;
  bool gains = !isnan(c->kp) || !isnan(c->kv), rule = !isnan(c->bandwidth);
  if (gains && rule)
    lim_resolve_error(v, &c->head, "bandwidth", "a controller has kp and kv, or a bandwidth, not both");
  else if (!gains && !rule)
    lim_resolve_error(v, &c->head, NULL, "a controller needs 'kp' and 'kv', or 'bandwidth'");
  else if (c->gains != LIM_GAINS_INITIAL && !rule)
    lim_resolve_error(v, &c->head, "gains", "gains says which inertia goes with 'bandwidth', which is missing");
}

lim_command lim_control_feedback(const lim_control_law *c, const lim_control_view *m) {
  const double kp = m->inertia * c->kp, kv = m->inertia * c->kv * m->ratio, J = m->inertia * c->inertia;
  const lim_sample *r = &m->reference;
  lim_command x = {.u = -kv};
  x.value = kp * (r->value - m->position) + kv * (c->velocity * r->rate - m->speed) +
            c->acceleration * J * m->ratio * r->second + c->needed * m->needed / m->ratio;
  if (c->position < 0) *(c->measure_motor ? &x.p : &x.q) = -kp;
  return x;
}

bool lim_control_plain(const lim_control_law *c) {
  const bool feeds = c->velocity != 0 || c->acceleration != 0 || c->needed != 0;
  return c->kind == &lim_control_pd && !feeds && !c->schedule && c->position < 0 && !isfinite(c->limit) &&
         !(c->period > 0);
}

lim_command lim_control_limited(const lim_control_law *c, lim_command x) {
  if (fabs(x.value) <= c->limit) return x;
  return (lim_command){.value = copysign(c->limit, x.value)};
}

double lim_control_integral_rate(const lim_control_law *c, const lim_control_view *m, double asked) {
  const double ki = m->inertia * c->ki, back = c->windup > 0 ? c->windup : fabs(c->kp / c->ki);
  const double given = fmin(fmax(asked, -c->limit), c->limit);
  return ki * (m->reference.value - m->position) + (back > 0 ? (given - asked) / back : 0);
}

void lim_control_design(lim_control_law *c, double J, double ratio) {
  const double w = c->bandwidth;
  c->inertia = J;
  if (w > 0) {
    const bool acceleration = c->kind->asks == LIM_ARM_EFFORT; // the arm knows its inertia
    c->kv = 2 * c->damping * w * (acceleration ? 1 : J);
    c->kp = w * w * (acceleration ? 1 : J * ratio);
  }
  if (c->integral_time > 0) c->ki = c->kp / c->integral_time;
}
