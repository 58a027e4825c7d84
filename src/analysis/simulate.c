// simulate.c - a run from start to end: steps, jumps, records. Theory: docs/theory/simulation.md.
#include "analysis/simulate.h"

#include "analysis/planning.h"
#include "analysis/session.h"

#include <math.h>
#include <time.h>

typedef struct {
  double duration, step, every; // [s]
} schedule;

static lim_code bad_solver(const lim_model *m, const char *key, lim_error *err, const char *text) {
  const lim_node *solver = m->solver.head.node, *at = solver ? lim_tree_get(solver, key) : NULL;
  return lim_tree_error(err, at ? at : solver ? solver : m->head.node, "solver: %s", text);
}

static lim_code read_schedule(schedule *s, const lim_model *m, lim_error *err) {
  *s = (schedule){m->solver.duration, m->solver.step, m->outputs.every};
  if (isnan(s->every)) s->every = s->step;
  if (isnan(s->duration))
    return bad_solver(m, "duration", err, "duration is missing; how long shall the simulation run?");
  if (s->duration > 1e9 * fmin(s->step, s->every))
    return bad_solver(m, "step", err, "more than 1e9 steps or records; take a longer step or outputs.every");
  if (s->step > s->duration) return bad_solver(m, "step", err, "step is longer than the duration");
  return LIM_OK;
}

static lim_code record(lim_session *s, const lim_simulate_hooks *hooks, lim_error *err) {
  lim_session_look(s);
  return hooks->record ? hooks->record(hooks->user, &s->moment, err) : LIM_OK;
}

// No link bends by ten times its length: the model does not hold any more.
static lim_code runaway(const lim_session *s, lim_error *err) {
  return LIM_FAIL(err, LIM_FAILED,
                  "at t = %g s link '%s' bends by more than ten times its length: either the step is too long, "
                  "or small deflections do not hold; try a smaller step, or more segments",
                  s->flow->t, s->model->links.item[s->bend_link].head.name);
}

static lim_code march(lim_session *s, const schedule *p, const lim_simulate_hooks *hooks, lim_run *out,
                      lim_error *err) {
  double slack = 1e-9 * p->step, next_record = p->every;
  long steps = 0, records = 1;
  lim_code code = lim_session_restart(s, err);
  if (code == LIM_OK) code = record(s, hooks, err);
  while (code == LIM_OK && s->flow->t < p->duration - slack) {
    if (hooks->stop && *hooks->stop) {
      out->status = LIM_RUN_INTERRUPTED;
      return LIM_OK;
    }
    double next_step = (double)(steps + 1) * p->step, jump = lim_session_next(s, s->flow->t + slack);
    double to = fmin(fmin(next_step, next_record), fmin(jump, p->duration));
    if (jump <= to + slack) to = jump; // to the jump itself, not to a grid point beside it
    code = lim_session_advance(s, to, err);
    if (code != LIM_OK) return code;
    if (to >= next_step - slack) steps++;
    if (to >= next_record - slack || to >= p->duration - slack) {
      code = record(s, hooks, err);
      next_record = (double)++records * p->every;
    }
    if (code == LIM_OK && s->bend > 10) code = runaway(s, err);
    if (code == LIM_OK && to >= jump - slack && to < p->duration - slack) code = lim_session_restart(s, err);
    if (hooks->progress) hooks->progress(hooks->user, s->flow->t, p->duration);
  }
  return code;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

lim_code lim_simulate(lim_run *out, const lim_model *model, const char *directory,
                      const lim_simulate_hooks *hooks, lim_error *err) {
  *out = (lim_run){.status = LIM_RUN_FAILED, .balance_percent_rms = NAN, .bend_link = -1, .pull_link = -1};
  double begin = seconds();
  schedule plan;
  lim_model copy;
  lim_session *s = NULL;
  lim_code code = lim_plan_copy(&model, &copy, model, directory, err);
  if (code == LIM_OK) code = read_schedule(&plan, model, err);
  if (code == LIM_OK) code = lim_session_new(&s, model, directory, err);
  if (code == LIM_OK) {
    out->status = LIM_RUN_DONE;
    code = march(s, &plan, hooks, out, err);
    if (code != LIM_OK) out->status = LIM_RUN_FAILED;
    out->end = s->flow->t;
    out->steps = s->flow->steps;
    out->iterations = s->flow->iterations;
    out->bend = s->bend;
    out->bend_link = s->bend_link;
    out->pull = s->pull;
    out->pull_link = s->pull_link;
    out->constraints = s->s->nrow;
    out->redundant = s->s->nrow - (s->ground ? s->ground->e : s->equations)->rank;
    out->gap = s->gap;
    out->opening = s->opening;
    if (s->moment.has_books && s->looks && s->peak > 0)
      out->balance_percent_rms = 100 * sqrt(s->square / (double)s->looks) / s->peak;
  }
  lim_session_free(s);
  lim_plan_end(&copy);
  out->wall = seconds() - begin;
  return code;
}
