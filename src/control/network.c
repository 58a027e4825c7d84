// network.c - blocks in an order in which each finds its inputs. Theory: docs/theory/control.md.
#include "control/network.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- clocks ---

// Parts of a period below this are rounding.
static const double ROUNDING = 1e-6;

double lim_clock_next(double period, double shift, double t) {
  return shift + fmax(floor((t - shift) / period + 1e-9) + 1, 0) * period;
}

bool lim_clock_due(long *k, double period, double shift, double t, double *done) {
  *k = (long)floor((t - shift) / period + ROUNDING);
  if ((double)*k <= *done) return false;
  *done = (double)*k;
  return true;
}

double lim_network_next(const lim_network *n, double t) {
  double next = INFINITY;
  for (int i = 0; i < n->nbox; i++) {
    const lim_block_instance *b = &n->box[i];
    if (!(b->period > 0)) continue;
    next = fmin(next, lim_clock_next(b->period, 0, t));
    if (b->shift > 0) next = fmin(next, lim_clock_next(b->period, b->shift, t));
  }
  return next;
}

// --- evaluation ---

static const double *inputs(double *u, const lim_block_instance *b, const double *signal) {
  for (int i = 0; i < b->nin; i++) u[i] = signal[b->in[i]];
  return u;
}

static void put_out(double *signal, const lim_network *n, int i, double t, bool before, const double *x,
                    const double *z, double *u) {
  const lim_block_instance *b = &n->box[i];
  signal[n->nmeasured + i] = b->kind->output(b, t, before, inputs(u, b, signal), x + b->x, z + b->z);
}

void lim_network_outputs(double *signal, const lim_network *n, double t, bool before, const double *x,
                         const double *z, double *u) {
  for (int i = 0; i < n->nbox; i++) put_out(signal, n, n->order[i], t, before, x, z, u);
}

void lim_network_rates(double *rate, const lim_network *n, const double *signal, const double *x, double *u) {
  for (int i = 0; i < n->nbox; i++) {
    const lim_block_instance *b = &n->box[i];
    if (b->nx) b->kind->rates(rate + b->x, b, inputs(u, b, signal), x + b->x);
  }
}

// A box that is direct takes and gives at once. One that is not gives first, and takes when all others have
// given.
void lim_network_tick(double *signal, const lim_network *n, double t, const double *x, double *z, double *done,
                      double *u) {
  long k;
  for (int j = 0; j < n->nbox; j++) {
    const int i = n->order[j];
    const lim_block_instance *b = &n->box[i];
    if (b->period > 0 && b->direct && lim_clock_due(&k, b->period, 0, t, &done[2 * i]))
      b->kind->tick(z + b->z, b, k, inputs(u, b, signal));
    if (b->period > 0 && !b->direct && lim_clock_due(&k, b->period, b->shift, t, &done[2 * i + 1]))
      b->kind->release(z + b->z, b, k);
    put_out(signal, n, i, t, false, x, z, u);
  }
  for (int i = 0; i < n->nbox; i++) {
    const lim_block_instance *b = &n->box[i];
    if (b->period > 0 && !b->direct && lim_clock_due(&k, b->period, 0, t, &done[2 * i]))
      b->kind->store(z + b->z, b, k, inputs(u, b, signal));
  }
}

void lim_network_start(double *x, double *z, double *done, const lim_network *n) {
  memset(x, 0, (size_t)n->nx * sizeof *x);
  memset(z, 0, (size_t)n->nz * sizeof *z);
  for (int i = 0; i < 2 * n->nbox; i++) done[i] = -1;
  for (int i = 0; i < n->nbox; i++) {
    const lim_block_instance *b = &n->box[i];
    if (b->kind->start) b->kind->start(x + b->x, z + b->z, b);
  }
}

// --- set-up ---

// The signal of a source; what is measured is listed once. -1: out of memory.
static int signal_of(lim_network *n, const lim_source *s) {
  for (int i = 0; i < n->nmeasured; i++)
    if (!strcmp(n->measured[i]->ref.text, s->ref.text)) return i;
  n->measured[n->nmeasured] = s;
  return n->nmeasured++;
}

// What is measured first, so that the numbers of the blocks' signals are known.
static lim_code wire(lim_network *n, const lim_model *m, lim_error *err) {
  size_t all = 0;
  for (int i = 0; i < m->blocks.count; i++) all += (size_t)m->blocks.item[i].inputs.count;
  n->measured = lim_arena_array(&n->arena, all, sizeof(*n->measured));
  int *in = lim_arena_array(&n->arena, all, sizeof *in);
  if (!n->measured || !in) return lim_no_memory(err);
  for (int pass = 0, at = 0; pass < 2; pass++, at = 0)
    for (int i = 0; i < n->nbox; i++) {
      lim_block_instance *b = &n->box[i];
      b->nin = b->from->inputs.count;
      b->in = in + at;
      n->nin = b->nin > n->nin ? b->nin : n->nin;
      for (int k = 0; k < b->nin; k++) {
        const lim_source *s = &b->from->inputs.item[k];
        in[at++] = s->kind == LIM_SENSE_BLOCK ? n->nmeasured + s->ref.index : signal_of(n, s);
      }
    }
  return LIM_OK;
}

static lim_code prepare(lim_network *n, const lim_model *m, lim_block_setup setup, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < n->nbox && code == LIM_OK; i++) {
    lim_block_instance *b = &n->box[i];
    b->from = &m->blocks.item[i];
    b->kind = lim_block_kinds[b->from->type];
    b->direct = true;
    b->period = b->kind->tick ? 1 / b->from->rate : 0;
    if (b->kind->prepare) code = b->kind->prepare(b, &setup, err);
    b->x = n->nx;
    b->z = n->nz;
    n->nx += b->nx;
    n->nz += b->nz;
  }
  return code;
}

// Whether all that box i needs now is known.
static bool ready(const lim_network *n, int i, const bool *known) {
  const lim_block_instance *b = &n->box[i];
  for (int k = 0; k < b->nin && b->direct; k++)
    if (b->in[k] >= n->nmeasured && !known[b->in[k] - n->nmeasured]) return false;
  return true;
}

// A box among those not known that a box waits for.
static int waits_for(const lim_network *n, int i, const bool *known) {
  const lim_block_instance *b = &n->box[i];
  int k = 0;
  while (b->in[k] < n->nmeasured || known[b->in[k] - n->nmeasured]) k++;
  return b->in[k] - n->nmeasured;
}

// Each of the boxes that are left waits for another: following them ends in a circle.
static lim_code refuse_loop(const lim_network *n, const bool *known, lim_error *err) {
  int at = 0;
  while (known[at]) at++;
  for (int i = 0; i < n->nbox; i++) at = waits_for(n, at, known);
  const int first = at;
  lim_text names = {0};
  lim_text_add(&names, "'%s'", n->box[first].from->head.name);
  do {
    at = waits_for(n, at, known);
    lim_text_add(&names, " takes '%s'", n->box[at].from->head.name);
    if (at != first) lim_text_add(&names, ", which");
  } while (at != first && !names.failed);
  const lim_node *node = n->box[first].from->head.node;
  lim_code code = names.failed
                      ? lim_no_memory(err)
                      : lim_tree_error(err, node,
                                       "block %s: a loop in which nothing waits; put a delay, an integrator or "
                                       "a low-pass filter into it",
                                       names.text);
  lim_text_free(&names);
  return code;
}

static lim_code find_order(lim_network *n, lim_error *err) {
  bool *known = calloc((size_t)n->nbox + 1, sizeof *known);
  n->order = lim_arena_array(&n->arena, (size_t)n->nbox, sizeof *n->order);
  if (!known || !n->order) {
    free(known);
    return lim_no_memory(err);
  }
  int found = 0;
  for (int before = -1; found > before;) {
    before = found;
    for (int i = 0; i < n->nbox; i++)
      if (!known[i] && ready(n, i, known)) {
        known[i] = true;
        n->order[found++] = i;
      }
  }
  lim_code code = found < n->nbox ? refuse_loop(n, known, err) : LIM_OK;
  free(known);
  return code;
}

static lim_code build(lim_network **out, const lim_model *model, lim_block_setup setup, lim_error *err) {
  *out = NULL;
  lim_network *n = calloc(1, sizeof *n);
  if (!n) return lim_no_memory(err);
  n->nbox = model->blocks.count;
  setup.arena = &n->arena;
  n->box = lim_arena_array(&n->arena, (size_t)n->nbox, sizeof *n->box);
  lim_code code = n->box ? prepare(n, model, setup, err) : lim_no_memory(err);
  if (code == LIM_OK) code = wire(n, model, err);
  if (code == LIM_OK) code = find_order(n, err);
  if (code == LIM_OK)
    *out = n;
  else
    lim_network_free(n);
  return code;
}

lim_code lim_network_new(lim_network **out, const lim_model *model, const char *directory, lim_error *err) {
  return build(out, model, (lim_block_setup){.directory = directory, .horizon = model->solver.duration}, err);
}

lim_code lim_network_check(const lim_model *model, lim_error *err) {
  lim_network *n = NULL;
  lim_code code = build(&n, model, (lim_block_setup){.wiring = true}, err);
  lim_network_free(n);
  return code;
}

void lim_network_free(lim_network *n) {
  if (!n) return;
  for (int i = 0; n->box && i < n->nbox; i++) {
    lim_trajectory_free(n->box[i].trajectory);
    lim_curve_free(n->box[i].curve);
  }
  lim_arena_free(&n->arena);
  free(n);
}
