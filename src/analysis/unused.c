// unused.c - which keys of the solver mean something for which method and mode.
#include "analysis/unused.h"

#include "base/error.h"
#include "integrate/state.h"
#include "model/words.h"

#include <string.h>

// What means nothing with any method.
static const lim_unused_key ALWAYS[] = {{"start", LIM_IN_MODE(LIM_MODE_QUASI_STATIC),
                                         offsetof(lim_solver, start),
                                         ": mode quasi-static is in equilibrium at every moment"},
                                        {0}};

static bool is_written(const lim_model *m, const char *key) {
  return m->solver.head.node && lim_tree_get(m->solver.head.node, key);
}

static bool holds(const lim_unused_key *x, const lim_solver *s) {
  int value = 1;
  if (x->field) memcpy(&value, (const char *)s + x->field, sizeof value);
  return (x->modes >> s->mode & 1) && value == 1;
}

static void warn_of(lim_error *err, const lim_model *m, const lim_unused_key *list) {
  char methods[LIM_KIND_WORDS];
  for (const lim_unused_key *x = list; x && x->key; x++) {
    if (!is_written(m, x->key) || !holds(x, &m->solver)) continue;
    if (x->why)
      lim_warn(err, NAN, NULL, "solver: %s has no effect%s", x->key, x->why);
    else
      lim_warn(err, NAN, NULL, "solver: %s has no effect: only %s have iterations that it ends", x->key,
               lim_kind_words(methods, lim_method_row, lim_method_is_implicit, " and "));
  }
}

void lim_warn_of_unused(lim_error *err, const lim_model *m) {
  warn_of(err, m, lim_integrator_of(m->solver.method)->unused);
  warn_of(err, m, ALWAYS);
}

void lim_warn_of_unused_geometry(lim_error *err, const lim_model *m) {
  if (is_written(m, "geometry") && m->solver.geometry != 0)
    lim_warn(err, NAN, NULL,
             "solver: geometry has no effect on a simulation: it is of static, and mode says what is linear");
}

void lim_warn_of_unused_release(lim_error *err, const lim_model *m) {
  char mode[LIM_WORD];
  if (!is_written(m, "release")) return;
  if (m->solver.start != 1)
    lim_warn(err, NAN, NULL, "solver: release has no effect without 'start: equilibrium', but in static");
  else if (m->solver.mode != LIM_MODE_NONLINEAR && m->solver.mode != LIM_MODE_RIGID)
    lim_warn(err, NAN, NULL, "solver: release has no effect: mode %s is about the commanded motion",
             lim_word_at(mode, "solver.mode", m->solver.mode));
}

void lim_warn_of_unused_step(lim_error *err, const lim_model *m) {
  const lim_integrator *method = lim_integrator_of(m->solver.method);
  if (method->own_steps && !m->solver.adaptive && m->solver.mode != LIM_MODE_QUASI_STATIC &&
      is_written(m, "step") && !isnan(m->outputs.every))
    lim_warn(
        err, NAN, NULL,
        "solver: step has no effect: %s chooses its steps by the tolerance, and outputs.every says when is "
        "recorded",
        method->row.word);
}
