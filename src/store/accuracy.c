// accuracy.c - estimates by repetition. Theory: docs/theory/simulation.md#errors-of-the-numbers.
#include "store/accuracy.h"

#include "arm/body/kind.h"
#include "fe/link.h"
#include "integrate/state.h"
#include "model/kinds.h"

#include <math.h>
#include <stdlib.h>

static const double TIGHTER = 100, TIGHTEST = 1e-12; // tolerances
static const double LAST = 0.01;                     // part of the run that counts as its end
enum { ELEMENTS = 200, SEGMENTS = 200, HALVINGS = 12 };

// --- finer steps ---

static double tighter(const lim_solver *s) {
  const double preset = lim_method_controls(s) ? LIM_STEP_TOLERANCE : LIM_TOLERANCE,
               given = isnan(s->tolerance) ? preset : s->tolerance;
  return fmax(given / TIGHTER, fmin(TIGHTEST, given));
}

// The same moments are recorded, so that histories can be compared.
static void same_moments(lim_model *out, const lim_model *model) {
  if (isnan(model->outputs.every)) out->outputs.every = model->solver.step;
}

void lim_accuracy_finer(lim_model *out, const lim_model *model) {
  *out = *model;
  same_moments(out, model);
  if (lim_method_adapts(&model->solver))
    out->solver.tolerance = tighter(&model->solver);
  else
    out->solver.step /= 2;
}

// The error of a run by its difference from the finer one: 2^p/(2^p - 1) times it for a method of order p. Of
// adaptive ones the error falls slower than the tolerance, and unevenly.
static double richardson(const lim_solver *s) {
  const lim_integrator *method = lim_integrator_of(s->method);
  const int power = 1 << (method->order ? method->order(s) : 2);
  return lim_method_adapts(s) ? 1.1 : power / (power - 1.0);
}

// --- richer bases ---

// Places on a link where something may act, beside its tip.
static int places(const lim_model *m, int link) {
  int n = m->links.item[link].masses.count;
  for (int i = 0; i < m->links.count; i++) n += m->links.item[i].parent.index == link;
  for (int i = 0; i < m->frames.count; i++) n += m->frames.item[i].on.index == link;
  return n;
}

// Craig-Bampton carries what cantilever modes leave out: forces at the tip, stretch, twist. Where the mesh has
// too few coordinates for it, or the beam slides, all of them.
static void enrich_basis(lim_link *a, const lim_model *m, int link) {
  int count = a->basis.type == LIM_BASIS_MODES ? 2 * a->basis.count + 2 : 2 * a->basis.count + 4;
  int kinds = m->planar ? 3 : 6, elements = a->beam.elements / a->beam.segments;
  if (!lim_body_kind_of(a)->split || count > kinds * (elements - 1 - places(m, link)))
    a->basis = (lim_basis){.head = a->basis.head, .type = LIM_BASIS_FULL};
  else
    a->basis = (lim_basis){.head = a->basis.head, .type = LIM_BASIS_CRAIG_BAMPTON, .count = count};
}

static int twice(int n, int max) { return n > max / 2 ? (n > max ? n : max) : 2 * n; }

static void enrich_link(lim_link *a, const lim_model *m, int link) {
  bool grid = lim_integrator_of(m->solver.method)->grid;
  a->beam.elements = twice(a->beam.elements, ELEMENTS);
  if (!grid && lim_body_kind_of(a)->split) a->beam.segments = twice(a->beam.segments, SEGMENTS);
  if (a->basis.type == LIM_BASIS_MODES || a->basis.type == LIM_BASIS_CRAIG_BAMPTON) enrich_basis(a, m, link);
}

// A link from finite elements with twice its modes, where its mesh is at hand.
static bool enrich_elements(lim_link *a, lim_error *err) {
  if (!a->fe.link || a->basis.type == LIM_BASIS_RIGID) return false;
  const lim_fe_facts *f = &a->fe.link->facts;
  const int most = f->dofs - 6 * (a->fe.frames.count + 1), count = 2 * a->fe.link->modes + 4;
  if (f->dofs == 0 || a->fe.file) {
    lim_warn(err, NAN, a->head.name,
             "the errors leave out the reduction of link '%.80s', whose mesh is not at hand", a->head.name);
    return false;
  }
  a->basis.up_to = NAN;
  a->basis.count = count < most ? count : a->fe.link->modes;
  a->fe.link = NULL;
  return true;
}

// Those links read anew; memory of theirs from the arena.
static lim_code load_elements(lim_model *out, lim_arena *arena, lim_error *err) {
  out->arena = *arena;
  lim_code code = lim_fe_load(out, out->origin.folder, NULL, err);
  *arena = out->arena;
  return code;
}

lim_code lim_accuracy_richer(lim_model *out, lim_arena *arena, const lim_model *model, lim_error *err) {
  *out = *model;
  same_moments(out, model);
  out->links.item = lim_arena_array(arena, (size_t)model->links.count, sizeof *out->links.item);
  if (!out->links.item) return lim_no_memory(err);
  bool elements = false;
  for (int i = 0; i < model->links.count; i++) {
    lim_link *a = &out->links.item[i];
    *a = model->links.item[i];
    if (a->beam.head.node && a->basis.type != LIM_BASIS_RIGID) enrich_link(a, model, i);
    if (enrich_elements(a, err)) elements = true;
  }
  lim_code code = elements ? load_elements(out, arena, err) : LIM_OK;
  if (code != LIM_OK) return code;
  if (lim_integrator_of(model->solver.method)->grid) out->solver.step /= 4; // stable: the square of the spacing
  out->solver.intervals *= 2;                                               // both of modal-newmark alone
  out->solver.modes *= 2;
  return LIM_OK;
}

// The same for meshes and segments, whose errors fall at least with the square; with the first power where the
// hub of a finite-difference scheme is that in print.
static double refined(const lim_solver *s) {
  return lim_integrator_of(s->method)->grid && s->hub ? 2 : 4.0 / 3;
}

// --- runs ---

typedef struct {
  const lim_accuracy_setup *setup;
  const char *what;
  lim_recorder *recorder;
} repetition;

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  return lim_recorder_record(((repetition *)user)->recorder, m, err);
}

static void progress(void *user, double t, double duration) {
  const repetition *r = user;
  r->setup->progress(r->setup->user, r->what, t, duration);
}

static lim_code repeat(repetition *r, const lim_model *model, lim_error *err) {
  lim_recorder_setup setup = {.model = model, .keep = true};
  lim_simulate_hooks hooks = {.record = record,
                              .user = r,
                              .progress = r->setup->progress ? progress : NULL,
                              .quiet = true,
                              .stop = r->setup->stop};
  lim_run run;
  lim_recorder_free(r->recorder);
  lim_code code = lim_recorder_new(&r->recorder, &setup, err);
  if (code == LIM_OK) code = lim_simulate(&run, model, r->setup->directory, &hooks, err);
  if (code == LIM_OK && run.status == LIM_RUN_INTERRUPTED)
    code = LIM_FAIL(err, LIM_FAILED, "interrupted at t = %g s", run.end);
  return code;
}

static lim_code failure(const repetition *r, lim_code code, const lim_error *trial, lim_error *err) {
  if (code == LIM_OK) return LIM_OK;
  return LIM_FAIL(err, code, "the errors of the numbers are not known, the run with %s failed: %s", r->what,
                  trial->kept ? trial->note[0].text : "");
}

static lim_code repeat_finer(repetition *r, lim_error *err) {
  lim_model finer;
  lim_error trial = {0};
  r->what = "finer steps";
  lim_accuracy_finer(&finer, r->setup->model);
  lim_code code = failure(r, repeat(r, &finer, &trial), &trial, err);
  lim_error_clear(&trial);
  return code;
}

// What is richer has higher frequencies, for which the step of an explicit method may be too large.
static lim_code repeat_richer(repetition *r, lim_error *err) {
  lim_arena arena = {0};
  lim_model richer;
  r->what = "richer bases";
  lim_code code = lim_accuracy_richer(&richer, &arena, r->setup->model, err);
  bool may_grow = lim_integrator_of(richer.solver.method)->unstable;
  for (int k = 0; code == LIM_OK; k++) {
    lim_error trial = {0};
    code = repeat(r, &richer, &trial);
    bool again = code == LIM_FAILED && may_grow && k < HALVINGS && !(r->setup->stop && *r->setup->stop);
    if (!again) code = failure(r, code, &trial, err);
    lim_error_clear(&trial);
    if (!again) break;
    richer.solver.step /= 2;
    code = LIM_OK;
  }
  lim_arena_free(&arena);
  return code;
}

// --- differences ---

// energy.balance is kept as energy; all else has the scale 1.
static double scale_of(const lim_recorder *r, int channel) {
  return lim_recorder_summary(r)->entry[channel].scale;
}

// At the end two runs may agree by accident, where their difference changes its sign: the largest difference of
// the last moments.
static double final_difference(const lim_recorder *a, const lim_recorder *b, int channel) {
  const lim_history *x = lim_recorder_history(a), *y = lim_recorder_history(b);
  double end = x->time[x->count - 1], begin = end - LAST * (end - x->time[0]), max = 0;
  for (long i = x->count - 1; i >= 0 && (x->time[i] >= begin || i == x->count - 2); i--) {
    double t = x->time[i], d = scale_of(a, channel) * lim_history_at(x, channel, t) -
                               scale_of(b, channel) * lim_history_at(y, channel, t);
    max = isnan(d) ? NAN : fmax(max, fabs(d));
    if (isnan(d)) break;
  }
  return max;
}

static double peak_of(const lim_recorder *r, int channel, bool between) {
  return scale_of(r, channel) * lim_history_peak(lim_recorder_history(r), channel, between);
}

static void add_differences(lim_accuracy *a, double factor, const lim_recorder *base,
                            const lim_recorder *other) {
  for (int i = 0; i < a->count; i++) {
    a->final[i] += factor * final_difference(base, other, i);
    a->peak[i] += factor * fabs(peak_of(base, i, true) - peak_of(other, i, true));
  }
}

// A peak between two records is missed.
static void add_sampling(lim_accuracy *a, const lim_recorder *base) {
  for (int i = 0; i < a->count; i++) a->peak[i] += peak_of(base, i, true) - peak_of(base, i, false);
}

// --- interface ---

static bool allocate(lim_accuracy **out, int count) {
  lim_accuracy *a = *out = calloc(1, sizeof *a);
  if (a) a->final = calloc(2 * (size_t)count + 1, sizeof *a->final);
  if (!a || !a->final) return false;
  a->count = count;
  a->peak = a->final + count;
  return true;
}

lim_code lim_accuracy_new(lim_accuracy **out, const lim_accuracy_setup *setup, lim_error *err) {
  repetition r = {.setup = setup};
  const lim_solver *s = &setup->model->solver;
  *out = NULL;
  lim_code code = allocate(out, lim_recorder_channels(setup->recorder)->count) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) code = repeat_finer(&r, err);
  if (code == LIM_OK) add_differences(*out, richardson(s), setup->recorder, r.recorder);
  if (code == LIM_OK) code = repeat_richer(&r, err);
  if (code == LIM_OK) add_differences(*out, refined(s), setup->recorder, r.recorder);
  if (code == LIM_OK) add_sampling(*out, setup->recorder);
  lim_recorder_free(r.recorder);
  if (code != LIM_OK) {
    lim_accuracy_free(*out);
    *out = NULL;
  }
  return code;
}

void lim_accuracy_free(lim_accuracy *a) {
  if (!a) return;
  free(a->final);
  free(a);
}
