// hybrid.c - derivatives of controllers, blocks and their clocks, by central differences, in the modes of the
// arm that they act on. Theory: docs/theory/control.md (12), (13).
#include "analysis/vibration/hybrid.h"

#include "math/eigen/eigen.h"
#include "math/null_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 100, PERIODS = 64, TICKS = 256 }; // modes taken; the longest clock's in a common period; ticks

// --- clocks ---

static void add_clock(lim_hybrid *h, double period, double shift, int done) {
  h->clock[h->nclock++] = (lim_hybrid_clock){period, 0, done};
  h->clock[h->nclock++] = (lim_hybrid_clock){period, shift, done + 1};
}

static void find_clocks(lim_hybrid *h) {
  const lim_inputs *inputs = h->x.a.inputs;
  const lim_network *net = inputs->network;
  for (int i = 0; net && i < net->nbox; i++) {
    const lim_block_instance *b = &net->box[i];
    if (!(b->period > 0)) continue;
    add_clock(h, b->period, b->shift, 2 * i);
    if (b->whole > 0) h->ring[h->nring++] = (lim_hybrid_ring){b->z + 1, b->whole + 1, b->period};
  }
  for (int i = 0; i < inputs->s->nbody; i++) {
    const lim_joint_drive *d = &inputs->drive[i];
    if (!d->law.kind || d->law_z < 0) continue;
    add_clock(h, d->law.period, d->law_shift, d->law_clock);
    if (d->law_whole > 0)
      h->ring[h->nring++] = (lim_hybrid_ring){d->law_z + 2, d->law_whole + 1, d->law.period};
  }
}

static bool whole_number(double x) { return fabs(x - round(x)) < 1e-6; }

// The common period of all clocks, and a multiple of it from which every delay has passed. False: there is
// none.
static bool find_period(lim_hybrid *h) {
  double longest = 0, delay = 0;
  for (int i = 0; i < h->nclock; i++) longest = fmax(longest, h->clock[i].period);
  for (int i = 0; i < h->nring; i++) delay = fmax(delay, (h->ring[i].count + 1) * h->ring[i].period);
  for (int k = 1; k <= PERIODS; k++) {
    bool common = true;
    for (int i = 0; i < h->nclock; i++) common = common && whole_number(k * longest / h->clock[i].period);
    if (!common) continue;
    h->period = k * longest;
    h->from = (ceil(delay / h->period) + 1) * h->period;
    return true;
  }
  return false;
}

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Moments of all ticks within the period, each once. False: too many.
static bool find_ticks(lim_hybrid *h) {
  int count = 0;
  for (int i = 0; i < h->nclock; i++) {
    const lim_hybrid_clock *c = &h->clock[i];
    const int ticks = (int)lround(h->period / c->period);
    for (int k = 0; k < ticks; k++) {
      if (count == TICKS) return false;
      h->time[count++] = k * c->period + c->shift;
    }
  }
  qsort(h->time, (size_t)count, sizeof *h->time, by_time);
  for (int i = 0; i < count; i++)
    if (h->nt == 0 || h->time[i] - h->time[h->nt - 1] > 1e-9 * h->period) h->time[h->nt++] = h->time[i];
  return true;
}

// --- modes of the arm alone ---

static lim_code find_modes(lim_hybrid *h, lim_error *err) {
  lim_vibration *x = &h->x;
  const size_t N = (size_t)x->N, all = (size_t)x->a.s->n, max = N < MODES ? N : MODES;
  lim_arena *arena = &x->a.arena;
  double *S = lim_arena_array(arena, N * N + 1, sizeof *S);
  h->lambda = lim_arena_array(arena, 2 * max + 1, sizeof *h->lambda);
  h->z = lim_arena_array(arena, N * max + 1, sizeof *h->z);
  h->P = lim_arena_array(arena, all * max + 1, sizeof *h->P);
  if (!S || !h->lambda || !h->z || !h->P) return lim_no_memory(err);
  for (size_t j = 0; j < N; j++)
    for (size_t i = 0; i < N; i++) S[j * N + i] = (x->K[j * N + i] + x->K[i * N + j]) / 2;
  lim_eigen_count found;
  lim_code code = lim_eigen_lowest(h->lambda, h->z, &found, S, x->M, x->N, (int)max, err);
  if (code != LIM_OK) return code;
  h->n = found.found;
  h->w = h->lambda + max;
  for (int j = 0; j < h->n; j++) h->w[j] = fmax(sqrt(fabs(h->lambda[j])), h->period > 0 ? 1 / h->period : 1);
  for (size_t j = 0; j < (size_t)h->n; j++)
    for (size_t i = 0; i < (size_t)x->moving; i++) {
      double *to = &h->P[j * all + (size_t)x->index[i]];
      if (!x->basis) *to = h->z[j * N + i];
      for (size_t k = 0; x->basis && k < N; k++) *to += x->basis[k * (size_t)x->moving + i] * h->z[j * N + k];
    }
  return LIM_OK;
}

// z'K z over w, z'D z.
static lim_code project_arm(lim_hybrid *h, lim_error *err) {
  lim_vibration *x = &h->x;
  const size_t n = (size_t)h->n;
  double *scratch = lim_arena_array(&x->a.arena, (size_t)x->N * n + 1, sizeof *scratch);
  h->K = lim_arena_array(&x->a.arena, 2 * n * n + 1, sizeof *h->K);
  if (!scratch || !h->K) return lim_no_memory(err);
  h->C = h->K + n * n;
  lim_project(h->K, x->K, h->z, x->N, h->n, scratch);
  lim_project(h->C, x->D, h->z, x->N, h->n, scratch);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) h->K[j * n + i] /= h->w[j];
  return LIM_OK;
}

// --- controllers ---

// The state about which, and room for one beside it; out: what is differentiated, on both sides.
typedef struct {
  lim_hybrid *h;
  double *q, *v, *x, *z, *out[2];
  int tick; // whose map; -1: torques and rates
} probe;

static lim_control_instant moment_of(const probe *p, double t) {
  return (lim_control_instant){.t = t,
                               .side = LIM_AFTER,
                               .q = p->q,
                               .v = p->v,
                               .still = true,
                               .weightless = p->h->x.a.s->model->solver.start != 1};
}

// Clocks as they are when only those with a tick at t are due.
static void set_clocks(const lim_hybrid *h, double t) {
  double *done = h->x.a.e->control.done;
  for (int i = 0; i < h->nclock; i++) {
    const lim_hybrid_clock *c = &h->clock[i];
    const double k = (t - c->shift) / c->period;
    done[c->done] = whole_number(k) ? round(k) - 1 : floor(k);
  }
}

static lim_code look(probe *p, double *out, lim_error *err) {
  const lim_hybrid *h = p->h;
  lim_controls *c = &h->x.a.e->control;
  if (p->tick >= 0) {
    const lim_control_instant m = moment_of(p, h->from + h->time[p->tick]);
    set_clocks(h, m.t);
    lim_code code = lim_controls_tick(c, &m, err);
    if (h->nz) memcpy(out, c->z, (size_t)h->nz * sizeof *out);
    return code;
  }
  const lim_control_instant m = moment_of(p, h->from);
  lim_controls_rates(c, &m);
  if (h->nx) memcpy(out + h->nfed, c->rate, (size_t)h->nx * sizeof *out);
  lim_controls_evaluate(c, &m);
  for (int i = 0; i < h->nfed; i++) out[i] = c->command[h->fed[i].body].value;
  return LIM_OK;
}

static void move_back(probe *p) {
  const lim_hybrid *h = p->h;
  const lim_rest *a = &h->x.a;
  memcpy(p->q, a->q, (size_t)a->s->n * sizeof *p->q);
  memcpy(p->v, a->v, (size_t)a->s->n * sizeof *p->v);
  if (h->nx) memcpy(a->e->control.x, p->x, (size_t)h->nx * sizeof *p->x);
  if (h->nz) memcpy(a->e->control.z, p->z, (size_t)h->nz * sizeof *p->z);
}

// The state moved along its column j by e times the direction; the size of that direction.
static double move(probe *p, int j, double e) {
  const lim_hybrid *h = p->h;
  const lim_rest *a = &h->x.a;
  const int n = h->n, all = a->s->n;
  double size = 1;
  move_back(p);
  if (j < 2 * n) {
    const double *P = h->P + (size_t)(j % n) * (size_t)all, scale = j < n ? 1 / h->w[j] : 1;
    size = 0;
    for (int i = 0; i < all; i++) size = fmax(size, fabs(scale * P[i]));
    for (int i = 0; i < all && size > 0; i++) (j < n ? p->q : p->v)[i] += e * scale * P[i] / size;
  } else if (j < 2 * n + h->nx) {
    a->e->control.x[j - 2 * n] += e;
  } else {
    a->e->control.z[j - 2 * n - h->nx] += e;
  }
  return size;
}

// Rows (count) of derivatives by the whole state.
static lim_code differentiate(double *rows, probe *p, int count, lim_error *err) {
  const double small = 1e-5;
  lim_code code = LIM_OK;
  for (int j = 0; j < p->h->size && code == LIM_OK; j++) {
    double size = 1;
    for (int k = 0; k < 2 && code == LIM_OK; k++) {
      size = move(p, j, k ? small : -small);
      code = look(p, p->out[k], err);
    }
    for (int i = 0; i < count; i++)
      rows[(size_t)i * (size_t)p->h->size + (size_t)j] = size * (p->out[1][i] - p->out[0][i]) / (2 * small);
  }
  move_back(p);
  return code;
}

static lim_code find_controllers(lim_hybrid *h, lim_error *err) {
  const lim_rest *a = &h->x.a;
  const size_t all = (size_t)a->s->n, nx = (size_t)h->nx, nz = (size_t)h->nz, size = (size_t)h->size;
  const size_t max = (size_t)h->nfed + nx + nz;
  double *scratch = lim_arena_array(&h->x.a.arena, 2 * all + nx + nz + 2 * max + 1, sizeof *scratch);
  h->U = lim_arena_array(&h->x.a.arena, ((size_t)h->nfed + nx) * size + 1, sizeof *h->U);
  h->T = lim_arena_array(&h->x.a.arena, (size_t)h->nt * nz * size + 1, sizeof *h->T);
  if (!scratch || !h->U || !h->T) return lim_no_memory(err);
  h->R = h->U + (size_t)h->nfed * size;
  probe p = {.h = h, .q = scratch, .v = scratch + all, .x = scratch + 2 * all, .tick = -1};
  p.z = p.x + nx;
  p.out[0] = p.z + nz;
  p.out[1] = p.out[0] + max;
  if (nx) memcpy(p.x, a->e->control.x, nx * sizeof *p.x);
  if (nz) memcpy(p.z, a->e->control.z, nz * sizeof *p.z);
  lim_code code = differentiate(h->U, &p, h->nfed + h->nx, err);
  for (p.tick = 0; p.tick < h->nt && code == LIM_OK; p.tick++)
    code = differentiate(h->T + (size_t)p.tick * nz * size, &p, h->nz, err);
  return code;
}

// --- set-up ---

// Drives that are fed, with the limits of their controllers, beyond which nothing is linear, taken away.
static void find_fed(lim_hybrid *h) {
  const lim_arm *s = h->x.a.s;
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    lim_joint_drive *d = &h->x.a.inputs->drive[i];
    if (b->q < 0 || d->type == LIM_DRIVE_SERVO || (!d->law.kind && d->wired < 0)) continue;
    if (h->x.a.e->control.script[i]) h->why_not = "a controller is a script";
    d->law.limit = INFINITY;
    h->fed[h->nfed++] = (lim_fed_drive){i, b->m >= 0 ? b->m : b->q, d->ratio};
  }
  for (int i = 0; i < h->x.a.inputs->nload; i++)
    if (h->x.a.inputs->load[i].wired >= 0) h->why_not = "a block drives a load";
}

static lim_code allocate(lim_hybrid *h, lim_error *err) {
  const lim_inputs *inputs = h->x.a.inputs;
  const size_t body_count = (size_t)inputs->s->nbody,
               sampled = body_count + (size_t)(inputs->network ? inputs->network->nbox : 0);
  lim_arena *arena = &h->x.a.arena;
  h->fed = lim_arena_array(arena, body_count + 1, sizeof *h->fed);
  h->clock = lim_arena_array(arena, 2 * sampled + 1, sizeof *h->clock);
  h->ring = lim_arena_array(arena, sampled + 1, sizeof *h->ring);
  h->time = lim_arena_array(arena, TICKS, sizeof *h->time);
  return h->fed && h->clock && h->ring && h->time ? LIM_OK : lim_no_memory(err);
}

lim_code lim_hybrid_start(lim_hybrid *h, const lim_model *model, const char *directory, lim_error *err) {
  *h = (lim_hybrid){.r = calloc(1, sizeof *h->r)};
  if (!h->r) return lim_no_memory(err);
  lim_code code = lim_vibration_start(&h->x, h->r, model, directory, LIM_JOINTS_OPEN, err);
  if (code == LIM_OK) code = lim_mode_shape_nodes(h->r, &h->x, err);
  if (code == LIM_OK) code = allocate(h, err);
  if (code != LIM_OK) return code;
  find_clocks(h);
  find_fed(h);
  if (h->nclock && !(find_period(h) && find_ticks(h)))
    h->why_not = "the clocks of controllers and blocks have no common period, or a long one";
  if (h->why_not) return LIM_OK;
  code = find_modes(h, err);
  h->nx = h->x.a.e->control.nx;
  h->nz = h->nclock ? h->x.a.inputs->nz : 0;
  h->size = 2 * h->n + h->nx + h->nz;
  if (code == LIM_OK) code = project_arm(h, err);
  return code == LIM_OK ? find_controllers(h, err) : code;
}

void lim_hybrid_end(lim_hybrid *h) {
  if (!h->r) return;
  h->r->arm = h->x.a;
  lim_modes_free(h->r);
}
