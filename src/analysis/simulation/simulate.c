// simulate.c - a run from start to end: steps, jumps, records. Theory: docs/theory/simulation.md.
#include "analysis/simulation/simulate.h"

#include "analysis/simulation/growth.h"
#include "analysis/simulation/intervals.h"
#include "analysis/simulation/session.h"
#include "analysis/unused.h"
#include "analysis/warnings.h"

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
  if (lim_method_adapts(&m->solver)) s->step = s->every; // it has steps of its own
  if (isnan(s->duration))
    return bad_solver(m, "duration", err, "duration is missing; how long shall the simulation run?");
  if (s->duration > 1e9 * fmin(s->step, s->every))
    return bad_solver(m, "step", err, "more than 1e9 steps or records; take a longer step or outputs.every");
  if (s->step > s->duration && !lim_method_adapts(&m->solver))
    return bad_solver(m, "step", err, "step is longer than the duration");
  return LIM_OK;
}

static lim_code record(lim_session *s, const lim_simulate_hooks *hooks, lim_error *err) {
  lim_session_sample(s);
  return hooks->record ? hooks->record(hooks->user, &s->snapshot, err) : LIM_OK;
}

// No link bends by ten times its length: the model does not hold any more.
static lim_code runaway(const lim_session *s, lim_error *err) {
  s->motion_state->advice =
      "either the step is too long, or small deflections do not hold; try a smaller step, or more "
      "segments";
  return LIM_FAIL(err, LIM_FAILED, "at t = %g s link '%s' bends by more than ten times its length",
                  s->motion_state->t, s->model->links.item[s->bend_link].head.name);
}

static lim_code march(lim_session *s, const schedule *p, const lim_simulate_hooks *hooks, lim_run *out,
                      lim_error *err) {
  double slack = 1e-9 * p->step, next_record = p->every;
  long steps = 0, records = 1;
  s->motion_state->interrupt = hooks->stop;
  if (s->reference_state) s->reference_state->interrupt = hooks->stop;
  lim_code code = lim_session_restart(s, err);
  if (code == LIM_OK) code = record(s, hooks, err);
  while (code == LIM_OK && s->motion_state->t < p->duration - slack) {
    if (lim_state_stopped(s->motion_state)) {
      out->status = LIM_RUN_INTERRUPTED;
      return LIM_OK;
    }
    const bool free = lim_method_adapts(&s->model->solver) && !s->motion_state->watched;
    double next_step = free ? p->duration : (double)(steps + 1) * p->step,
           jump = lim_session_next(s, s->motion_state->t + slack);
    double to = fmin(fmin(next_step, next_record), fmin(jump, p->duration));
    if (jump <= to + slack) to = jump; // to the jump itself, not to a grid point beside it
    code = lim_session_advance(s, to, err);
    if (code != LIM_OK && lim_state_stopped(s->motion_state)) {
      out->status = LIM_RUN_INTERRUPTED;
      return LIM_OK;
    }
    if (code != LIM_OK) return code;
    if (to >= next_step - slack) steps++;
    if (to >= next_record - slack || to >= p->duration - slack) {
      code = record(s, hooks, err);
      next_record = (double)++records * p->every;
    }
    if (code == LIM_OK && s->bend > 10) code = runaway(s, err);
    if (code == LIM_OK && to >= jump - slack && to < p->duration - slack) code = lim_session_restart(s, err);
    if (hooks->progress) hooks->progress(hooks->user, s->motion_state->t, p->duration);
  }
  return code;
}

static const double NOTHING = 1e-30; // [J] an energy below is what rounding makes of none

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Rows of closed chains that follow from others; those of contacts stand behind.
static int redundant(const lim_equations *e) {
  int count = 0;
  for (int i = e->rank; i < e->nrow; i++) count += e->order[i] < e->s->nrow;
  return count;
}

static lim_code run(lim_run *out, const lim_model *model, const char *directory,
                    const lim_simulate_hooks *hooks, lim_error *err) {
  *out = (lim_run){.status = LIM_RUN_FAILED,
                   .balance_percent_rms = NAN,
                   .bend_link = -1,
                   .twist_link = -1,
                   .pull_link = -1,
                   .unstiffened_link = -1};
  double begin = seconds();
  schedule plan;
  lim_session *s = NULL;
  lim_code code = read_schedule(&plan, model, err);
  if (code == LIM_OK) code = lim_session_new(&s, model, directory, err);
  if (code == LIM_OK) {
    out->status = LIM_RUN_DONE;
    code = march(s, &plan, hooks, out, err);
    if (code != LIM_OK) out->status = LIM_RUN_FAILED;
    if (code == LIM_FAILED && !hooks->quiet) lim_growth_explain(s, err);
    out->end = s->motion_state->t;
    out->steps = s->motion_state->steps;
    out->iterations = s->motion_state->iterations;
    out->bend = s->bend;
    out->bend_link = s->bend_link;
    out->twist = s->twist;
    out->twist_link = s->twist_link;
    out->pull = s->pull;
    out->pull_link = s->pull_link;
    out->unstiffened = s->unstiffened;
    out->unstiffened_at = s->unstiffened_at;
    out->unstiffened_link = s->unstiffened_link;
    out->constraints = s->s->nrow;
    out->redundant = redundant(s->reference_state ? s->reference_state->e : s->equations);
    out->gap = s->gap;
    out->calms = s->motion_state->calms;
    out->missed = s->motion_state->missed;
    out->missed_at = s->motion_state->missed_at;
    out->calmed = s->motion_state->calmed;
    out->opening = s->opening;
    out->has_energy_balance = s->snapshot.has_energy_balance;
    if (s->snapshot.has_energy_balance && s->samples && s->peak > NOTHING)
      out->balance_percent_rms = 100 * sqrt(s->square / (double)s->samples) / s->peak;
  }
  if (code == LIM_OK && !hooks->quiet) {
    lim_warn_of_unused(err, model);
    lim_warn_of_unused_geometry(err, model);
    lim_warn_of_unused_release(err, model);
    if (!s->motion_state->watched) lim_warn_of_unused_step(err, model);
    lim_growth_warn(s, err);
    lim_warn_of_run(err, out, model);
  }
  if (s && !hooks->quiet) lim_limits_warn(err, s->excess, model);
  lim_session_free(s);
  out->wall = seconds() - begin;
  return code;
}

// The run, and once more with twice the intervals to see what freezing the modes costs.
static lim_code run_frozen(lim_run *out, const lim_model *model, const char *directory,
                           const lim_simulate_hooks *hooks, lim_error *err) {
  lim_intervals x;
  lim_run again;
  lim_model finer = *model;
  finer.solver.intervals *= 2;
  lim_intervals_begin(&x, hooks);
  lim_code code = run(out, model, directory, &x.hooks, err);
  lim_intervals_repeat(&x);
  x.hooks.quiet = true; // its limits and doubts are not of this run
  if (code == LIM_OK && out->status == LIM_RUN_DONE) code = run(&again, &finer, directory, &x.hooks, err);
  lim_intervals_end(&x, model, err);
  return code;
}

lim_code lim_simulate(lim_run *out, const lim_model *model, const char *directory,
                      const lim_simulate_hooks *hooks, lim_error *err) {
  return (lim_integrator_of(model->solver.method)->frozen ? run_frozen : run)(out, model, directory, hooks,
                                                                              err);
}
