// design.c - gains from the effective inertia of each joint. Theory: docs/theory/drives.md.
#include "analysis/design.h"

#include "analysis/inertia.h"

#include <stdlib.h>

lim_code lim_design_gains(lim_actuation *act, const lim_equations *e, lim_error *err) {
  const lim_system *s = e->s;
  bool any = false;
  for (int i = 0; i < s->nbody; i++) any = any || act->drive[i].bandwidth > 0;
  if (!any) return LIM_OK;
  size_t n = (size_t)s->n;
  double *q = calloc(6 * n + 1, sizeof *q);
  if (!q) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_system_start(q, q + n, s);
  lim_code code = LIM_OK;
  for (int i = 0; i < s->nbody && code == LIM_OK; i++) {
    double arm, rotor;
    if (!(act->drive[i].bandwidth > 0)) continue;
    code = lim_inertia_at(&arm, &rotor, s, i, q, e->w, q + 2 * n);
    if (code == LIM_OK) lim_drive_design(&act->drive[i], arm, rotor);
  }
  free(q);
  return code;
}
