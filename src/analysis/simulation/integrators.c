// integrators.c - the table of integrators.
#include "integrate/integrators.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const lim_integrator *const table[] = {
#define ROW(kind) &lim_integrator_##kind,
#include "integrate/integrators.def"
#undef ROW
    NULL,
};

const lim_integrator *lim_integrator_of(int method) { return table[method]; }

const lim_kind_row *lim_method_row(int i) { return table[i] ? &table[i]->row : NULL; }

int lim_method_number(const char *word) {
  int i = 0;
  while (strcmp(table[i]->row.word, word) != 0) i++;
  return i;
}

bool lim_method_is_implicit(int method) { return table[method]->implicit; }
bool lim_method_controls(const lim_solver *s) { return s->adaptive && table[s->method]->implicit; }

bool lim_method_adapts(const lim_solver *s) { return table[s->method]->own_steps || lim_method_controls(s); }

bool lim_method_is_small(int method) { return table[method]->about != NULL; }

lim_mode lim_solver_mode(const lim_solver *s) {
  return lim_method_is_small(s->method) && s->mode == LIM_MODE_NONLINEAR ? LIM_MODE_LINEAR : (lim_mode)s->mode;
}

lim_code lim_method_refuse(const lim_model *m, lim_error *err, const char *format, ...) {
  const lim_node *solver = m->solver.head.node, *at = solver ? lim_tree_get(solver, "method") : NULL;
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return lim_tree_error(err, at ? at : solver ? solver : m->head.node, "method: %s", text);
}
