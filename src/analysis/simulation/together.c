// together.c - whether the arm of a run still holds together: loops and couplings, beams in their guides, what
// runs on rails on them. Theory: docs/theory/simulation.md.
#include "analysis/simulation/together.h"

#include "arm/rail.h"

#include <math.h>

// --- loops and couplings ---

// Rows that follow from others are left out: motions that are given may contradict them.
lim_code lim_together_rows(const lim_session *r, lim_error *err) {
  static const double TORN = 1e-6; // [m, rad]
  const lim_state *f = r->reference_state ? r->reference_state : r->motion_state;
  lim_equations *e = f->e;
  if (e->s->nrow == 0 || e->rank == e->nrow) return LIM_OK;
  lim_equations_rows(e, f->q, NULL, NULL);
  for (int i = 0; i < e->s->nrow; i++) {
    const lim_loop_row *row = &e->s->row[i];
    const bool joints = row->kind == LIM_ROW_JOINTS;
    if (!(fabs(e->row[i].value) > TORN)) continue;
    return LIM_FAIL(err, LIM_FAILED,
                    "at t = %g s %s '%s' does not hold any more, a gap of %.3g is there: motions of joints "
                    "contradict it",
                    f->t, joints ? "coupling" : "loop",
                    joints ? e->s->coupling[row->loop].name : e->s->loop[row->loop].name,
                    fabs(e->row[i].value));
  }
  return LIM_OK;
}

// --- guides and rails ---

static lim_code off_rail(const lim_session *r, const lim_arm_body *b, double q, lim_error *err) {
  const lim_link *link = &r->model->links.item[b->link];
  const double length = r->model->links.item[link->parent.index].beam.length;
  const bool stop = lim_session_stopped(r, (int)(b - r->s->bodies)) && !r->reference_state,
             moved = r->inputs->drive[b - r->s->bodies].type == LIM_DRIVE_PRESCRIBED;
  return LIM_FAIL(err, LIM_FAILED,
                  "at t = %g s joint '%s' is at %.9g m, %s the %s end of its rail, at %.9g m: %s",
                  r->motion_state->t, link->joint.head.name, q, stop ? "pressed far beyond" : "beyond",
                  q < 0 ? "lower" : "upper", q < 0 ? 0 : length,
                  stop    ? "its stop is too soft to hold it"
                  : moved ? "its motion leads it off the rail"
                          : "it leaves it there; limits with a stop would hold it");
}

// A beam that slides stays in its guide, and within the limits of its joint; one that runs on a rail stays on
// it.
static lim_code check_range(const lim_session *r, const lim_arm_body *b, lim_error *err) {
  const lim_joint *j = &r->model->links.item[b->link].joint;
  double low = b->range[0], high = b->range[1], slack = 1e-9 * (high - low);
  double q = r->motion_state->q[b->q] + (r->reference_state ? r->motion_state->ref[b->q] : 0);
  if (!j->rail && !lim_session_stopped(r, (int)(b - r->s->bodies))) {
    low = fmax(low, j->limits.position[0]);
    high = fmin(high, j->limits.position[1]);
  }
  if (q >= low - slack && q <= high + slack) return LIM_OK;
  const char *side = q < low ? "lower" : "upper";
  if (j->rail) return off_rail(r, b, q, err);
  return LIM_FAIL(
      err, LIM_FAILED,
      "at t = %g s joint '%s' is at %g m, beyond its %s limit %g m: the beam leaves its guide there",
      r->motion_state->t, j->head.name, q, side, q < low ? low : high);
}

// Frames of loops stay on their rails.
static lim_code check_rails(const lim_session *r, lim_error *err) {
  const lim_state *f = r->reference_state ? r->reference_state : r->motion_state;
  lim_equations *e = f->e;
  bool known = false;
  for (int i = 0; i < e->s->nloop; i++) {
    const lim_closure *c = &e->s->loop[i];
    if (c->from->type != LIM_LOOP_RAIL) continue;
    if (!known) lim_kinematics(e->body, e->s, f->q, NULL, NULL);
    known = true;
    const lim_link *rail = &r->model->links.item[c->from->between[1].link];
    const double at = lim_rail_place(e->s, c, e->body, f->q), length = rail->beam.length;
    if (at >= -1e-9 * length && at <= (1 + 1e-9) * length) continue;
    return LIM_FAIL(
        err, LIM_FAILED,
        "at t = %g s the frame of loop '%s' is at %g m of link '%s', which is %g m long: it leaves its "
        "rail there",
        f->t, c->name, at, rail->head.name, length);
  }
  return LIM_OK;
}

lim_code lim_together_ranges(const lim_session *r, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < r->s->nbody && code == LIM_OK; i++)
    if (!isinf(r->s->bodies[i].range[0])) code = check_range(r, &r->s->bodies[i], err);
  return code == LIM_OK ? check_rails(r, err) : code;
}
