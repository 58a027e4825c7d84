// feedback.c - derivatives of controllers and blocks by central differences. Theory: docs/theory/control.md
// (11).
#include "analysis/vibration/feedback.h"

#include <string.h>

static bool uses_blocks(const lim_joint_drive *d) {
  return d->wired >= 0 || (d->law.kind && (d->law.block >= 0 || d->law.position >= 0));
}

// Whether blocks see what the arm does, not only what it is told.
static bool blocks_measure(const lim_network *n) {
  for (int i = 0; i < n->nmeasured; i++) {
    const int kind = n->measured[i]->kind;
    if (kind != LIM_SENSE_REFERENCE && kind != LIM_SENSE_REFERENCE_VELOCITY &&
        kind != LIM_SENSE_REFERENCE_ACCELERATION)
      return true;
  }
  return false;
}

bool lim_feedback_needed(const lim_inputs *inputs, const lim_joint_drive *d) {
  const lim_control_kind *kind = d->law.kind;
  if (kind && (kind->asks != LIM_ARM_NOT_ASKED || d->law_x >= 0)) return true;
  return uses_blocks(d) && blocks_measure(inputs->network);
}

static lim_code check(const lim_equations *e, const bool *held, lim_error *err) {
  const lim_network *n = e->inputs->network;
  bool used = false;
  for (int i = 0; i < e->s->nbody; i++) used = used || (held[i] && uses_blocks(&e->inputs->drive[i]));
  for (int i = 0; used && i < n->nbox; i++)
    if (n->box[i].period > 0)
      return lim_tree_error(
          err, n->box[i].from->head.node,
          "block '%s' has a clock: modes cannot treat that; take the joints as locked or free",
          n->box[i].from->head.name);
  return LIM_OK;
}

// Efforts (n) and rates (nx) at a state. x: the states of e, which are changed.
typedef struct {
  lim_equations *e;
  const lim_feedback_about *about;
  double *q, *v; // (n)
  double *effort[2], *rate[2];
} probe;

static void look(probe *p, int side) {
  lim_equations *e = p->e;
  const lim_control_instant m = {
      .t = 0, .side = LIM_AFTER, .q = p->q, .v = p->v, .resting = true, .weightless = p->about->weightless};
  memset(p->effort[side], 0, (size_t)e->s->n * sizeof(double));
  lim_controls_rates(&e->control, &m);
  memcpy(p->rate[side], e->control.rate, (size_t)e->control.nx * sizeof(double));
  lim_controls_evaluate(&e->control, &m);
  for (int i = 0; i < e->s->nbody; i++) {
    const lim_arm_body *b = &e->s->bodies[i];
    if (b->q < 0 || !p->about->held[i] || e->inputs->drive[i].type == LIM_DRIVE_SERVO) continue;
    p->effort[side][b->m >= 0 ? b->m : b->q] = e->inputs->drive[i].ratio * e->control.command[i].value;
  }
}

// Columns of efforts and rates by *x, times the signs.
static void differentiate(double *effort, double effort_sign, double *rate, probe *p, double *x) {
  const double small = 1e-5, at = *x;
  for (int k = 0; k < 2; k++) {
    *x = at + (k ? small : -small);
    look(p, k);
  }
  *x = at;
  for (int i = 0; i < p->e->s->n; i++)
    effort[i] = effort_sign * (p->effort[1][i] - p->effort[0][i]) / (2 * small);
  for (int i = 0; i < p->e->control.nx; i++) rate[i] = (p->rate[1][i] - p->rate[0][i]) / (2 * small);
}

// States that act on the drives, directly or through others, and only these.
static void drop_idle(lim_feedback *x, int n, bool *acts) {
  const int nx = x->nx;
  int kept = 0;
  for (int k = 0; k < nx; k++)
    for (int i = 0; i < n; i++) acts[k] = acts[k] || x->F[k * n + i] != 0;
  for (int round = 0; round < nx; round++)
    for (int k = 0; k < nx; k++)
      for (int i = 0; i < nx; i++) acts[k] = acts[k] || (acts[i] && x->A[k * nx + i] != 0);
  for (int k = 0; k < nx; k++) kept += acts[k];
  for (int j = 0; j < n;
       j++) // rows of E and G: columns move to the front, which are read before they are written
    for (int k = 0, at = 0; k < nx; k++)
      if (acts[k]) {
        x->E[j * kept + at] = x->E[j * nx + k];
        x->G[j * kept + at++] = x->G[j * nx + k];
      }
  for (int j = 0, to = 0; j < nx; j++) {
    if (!acts[j]) continue;
    memmove(x->F + to * n, x->F + j * n, (size_t)n * sizeof *x->F);
    for (int k = 0, at = 0; k < nx; k++)
      if (acts[k]) x->A[to * kept + at++] = x->A[j * nx + k];
    to++;
  }
  x->nx = kept;
}

lim_code lim_feedback_start(lim_feedback *x, lim_arena *arena, lim_equations *e,
                            const lim_feedback_about *about, lim_error *err) {
  const size_t n = (size_t)e->s->n, nx = (size_t)e->control.nx;
  lim_code code = check(e, about->held, err);
  if (code != LIM_OK) return code;
  double *scratch = lim_arena_array(arena, 4 * n + 2 * nx, sizeof *scratch);
  *x = (lim_feedback){.nx = e->control.nx};
  x->K = lim_arena_array(arena, 2 * n * n, sizeof *x->K);
  x->F = lim_arena_array(arena, 3 * n * nx + nx * nx, sizeof *x->F);
  bool *acts = lim_arena_array(arena, nx, sizeof *acts);
  if (!scratch || !acts || !x->K || !x->F) return lim_no_memory(err);
  x->D = x->K + n * n;
  x->E = x->F + n * nx;
  x->G = x->E + n * nx;
  x->A = x->G + n * nx;
  probe p = {e,
             about,
             scratch,
             scratch + n,
             {scratch + 2 * n, scratch + 3 * n},
             {scratch + 4 * n, scratch + 4 * n + nx}};
  memcpy(p.q, about->q, n * sizeof *p.q);
  memcpy(p.v, about->v, n * sizeof *p.v);
  for (size_t j = 0; j < n; j++) {
    differentiate(x->K + j * n, -1, x->E + j * nx, &p, &p.q[j]);
    differentiate(x->D + j * n, -1, x->G + j * nx, &p, &p.v[j]);
  }
  for (size_t j = 0; j < nx; j++) differentiate(x->F + j * n, 1, x->A + j * nx, &p, &e->control.x[j]);
  drop_idle(x, (int)n, acts);
  return LIM_OK;
}
