// simulate.c - limber simulate: the motion in time.
#include "analysis/simulate.h"
#include "base/error.h"
#include "cli.h"
#include "report/report.h"
#include "result/recorder.h"
#include "result/warnings.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Set by the first Ctrl-C: the run ends and keeps what it has. The second one ends the program.
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
  interrupted = 1;
  signal(signal_number, SIG_DFL);
}

// One run of the model with some overrides.
typedef struct {
  lim_model *model;
  lim_recorder *recorder;
  lim_run run;
  const cli_options *o;
  const char *label; // before the progress bar
  int shown;         // percent of it
} job;

// --- progress ---

static void progress(void *user, double t, double duration) {
  job *j = user;
  cli_progress(j->label, &j->shown, t / duration);
}

static lim_code record(void *user, const lim_moment *m, lim_error *err) {
  return lim_recorder_record(((job *)user)->recorder, m, err);
}

// --- runs ---

static lim_code run_job(job *j, const cli_options *o, const char *const *set, int nset, const char *directory,
                        lim_error *err) {
  j->o = o;
  lim_code code = cli_load(&j->model, o->model, set, nset, err);
  if (code != LIM_OK) return code;
  char *folder = cli_folder(o->model), *text = directory ? cli_text_of(o->model) : NULL;
  lim_recorder_setup setup = {.model = j->model,
                              .directory = directory,
                              .text = text,
                              .set = set,
                              .nset = nset,
                              .settle = {o->settle, o->settle_share}};
  code = folder ? lim_recorder_new(&j->recorder, &setup, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) {
    bool bar = !o->quiet && isatty(STDERR_FILENO);
    lim_simulate_hooks hooks = {.record = record,
                                .user = j,
                                .progress = bar ? progress : NULL,
                                .stop = (const volatile int *)&interrupted};
    code = lim_simulate(&j->run, j->model, folder, &hooks, err);
    lim_code ended = lim_recorder_end(j->recorder, &j->run, err);
    if (code == LIM_OK) code = ended;
    const lim_summary *recorded = lim_recorder_summary(j->recorder);
    if (directory && ended == LIM_OK && recorded && recorded->moments)
      ended = lim_report_folder(directory, err);
    if (code == LIM_OK) code = ended;
  }
  free(folder);
  free(text);
  return code;
}

static void end_job(job *j) {
  lim_recorder_free(j->recorder);
  lim_model_free(j->model);
}

// --- errors of the numbers: the same run with half the step, and with a richer basis ---

enum { EXTRA = 64, EXTRA_LENGTH = 192 };

typedef struct {
  const char *set[CLI_SETS_MAX + EXTRA];
  int nset;
  char text[EXTRA][EXTRA_LENGTH];
  int ntext;
} overrides;

__attribute__((format(printf, 2, 3))) static void override(overrides *v, const char *format, ...) {
  if (v->ntext == EXTRA) return;
  va_list args;
  va_start(args, format);
  vsnprintf(v->text[v->ntext], EXTRA_LENGTH, format, args);
  va_end(args);
  v->set[v->nset++] = v->text[v->ntext++];
}

static void enrich(overrides *v, const lim_model *m) {
  bool grid = m->solver.method == LIM_FINITE_DIFFERENCE; // its stable step falls with the square of the spacing
  if (grid) override(v, "solver.step=%.17g", m->solver.step / 4);
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *a = &m->links.item[i];
    if (!a->beam.head.node) continue;
    override(v, "links.%s.beam.elements=%d", a->head.name, a->beam.elements > 100 ? 200 : 2 * a->beam.elements);
    if (a->basis.type == LIM_BASIS_MODES || a->basis.type == LIM_BASIS_CRAIG_BAMPTON)
      override(v, "links.%s.basis.count=%d", a->head.name, a->basis.count + 2);
    if (a->basis.type != LIM_BASIS_RIGID && a->beam.segments <= 100 && !grid && !lim_joint_slides(&a->joint))
      override(v, "links.%s.beam.segments=%d", a->head.name, 2 * a->beam.segments);
  }
}

// The error of a run by its difference from one with half the step: 2^p/(2^p - 1) times it, p the order of the
// method.
static double richardson(const lim_model *m) {
  int method = m->solver.method;
  return method == LIM_RK4 ? 16.0 / 15 : method == LIM_CVODE ? 1 : 4.0 / 3;
}

// |difference| of final and peak values of two runs, added to error (2 x count).
static void add_difference(double *error, double factor, const job *a, const job *b) {
  const lim_summary *x = lim_recorder_summary(a->recorder), *y = lim_recorder_summary(b->recorder);
  for (int i = 0; x && y && i < x->count; i++) {
    error[2 * i] += factor * fabs(lim_summary_final(x, i) - lim_summary_final(y, i));
    error[2 * i + 1] += factor * fabs(lim_summary_peak(x, i) - lim_summary_peak(y, i));
  }
}

static lim_code estimate(double **error, const job *j, const cli_options *o, const overrides *given,
                         lim_error *err) {
  int count = lim_recorder_channels(j->recorder)->count;
  *error = calloc(2 * (size_t)count, sizeof **error);
  overrides *v = malloc(sizeof *v);
  lim_code code = *error && v ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int k = 0; k < 2 && code == LIM_OK && !interrupted; k++) {
    *v = *given;
    for (int i = 0; i < v->ntext; i++) v->set[v->nset - v->ntext + i] = v->text[i];
    if (k == 0)
      override(v, "solver.step=%.17g", j->model->solver.step / 2);
    else
      enrich(v, j->model);
    if (isnan(j->model->outputs.every)) override(v, "outputs.every=%.17g", j->model->solver.step);
    job other = {.label = k ? "richer basis" : "half the step", .shown = -1};
    code = run_job(&other, o, v->set, v->nset, NULL, err);
    if (code == LIM_OK) add_difference(*error, k == 0 ? richardson(j->model) : 1, j, &other);
    end_job(&other);
  }
  free(v);
  return code;
}

// --- answers ---

static void json_errors(lim_json *out, const job *j, const double *error) {
  const lim_channels *c = lim_recorder_channels(j->recorder);
  static const char *const kind[2] = {"final", "peak"};
  lim_json_key(out, "error");
  lim_json_object(out);
  for (int k = 0; k < 2; k++) {
    lim_json_key(out, kind[k]);
    lim_json_object(out);
    for (int i = 0; i < c->count; i++) {
      lim_json_key(out, c->channel[i].name);
      lim_json_number(out, error[2 * i + k]);
    }
    lim_json_end(out, '}');
  }
  lim_json_end(out, '}');
}

static void as_json(lim_text *out, const job *j, const double *error) {
  lim_json json = lim_json_start(out);
  lim_json_object(&json);
  lim_recorder_entries(&json, j->recorder, &j->run);
  if (error) json_errors(&json, j, error);
  lim_json_end(&json, '}');
  lim_text_add(out, "\n");
}

static void table_of_channels(lim_text *out, const job *j, const double *error) {
  const lim_channels *c = lim_recorder_channels(j->recorder);
  const lim_summary *s = lim_recorder_summary(j->recorder);
  static const char *const head[] = {"channel", "unit", "final", "+-", "peak", "+-", "rms"};
  cli_table t = cli_table_start(error ? "llrrrrr" : "llrrr");
  for (int i = 0; i < 7; i++)
    if (error || (i != 3 && i != 5)) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < c->count; i++) {
    cli_table_cell(&t, "%s", c->channel[i].name);
    cli_table_cell(&t, "%s", c->channel[i].unit);
    cli_table_cell(&t, "%.6g", lim_summary_final(s, i));
    if (error) cli_table_cell(&t, "%.1g", error[2 * i]);
    cli_table_cell(&t, "%.6g", lim_summary_peak(s, i));
    if (error) cli_table_cell(&t, "%.1g", error[2 * i + 1]);
    cli_table_cell(&t, "%.6g", lim_summary_rms(s, i));
  }
  cli_table_end(&t, out);
}

static void print_vibration(lim_text *out, const lim_residual *x) {
  char room[CLI_CELL];
  const double *d = x->direction;
  lim_text_add(out, "    amplitude     %s", cli_quantity(room, x->amplitude, "m"));
  if (x->amplitude > 0) lim_text_add(out, " along [%.3g, %.3g, %.3g]", d[0], d[1], d[2]);
  lim_text_add(out, "\n    frequencies  ");
  for (int i = 0; i < x->nfrequency; i++)
    lim_text_add(out, "%s %.5g Hz (%s)", i ? "," : "", x->frequency[i], cli_quantity(room, x->line[i], "m"));
  if (!x->nfrequency) lim_text_add(out, " none seen");
  if (isnan(x->damping)) return;
  if (fabs(x->damping) < 1e-5)
    lim_text_add(out, "\n    damping ratio below 1e-5");
  else
    lim_text_add(out, "\n    damping ratio %.3g", x->damping);
}

static void print_residual(lim_text *out, const lim_residual *x) {
  char room[CLI_CELL];
  if (!x->there) return;
  lim_text_add(out, "\n  tip after the commands, from %g s on\n", x->start);
  lim_text_add(out, "    steady at     [%.6g, %.6g, %.6g] m, error [%.3g, %.3g, %.3g] m\n", x->level[0],
               x->level[1], x->level[2], x->error[0], x->error[1], x->error[2]);
  print_vibration(out, x);
  lim_text_add(out, "\n    within %s %s", cli_quantity(room, x->band, "m"),
               isnan(x->settling_time) ? "not yet" : "after ");
  if (!isnan(x->settling_time)) lim_text_add(out, "%.4g s", x->settling_time);
  lim_text_add(out, "\n");
}

static void print_warnings(const job *j) {
  char text[LIM_WARNINGS][LIM_WARNING_LENGTH];
  int count = j->model ? lim_run_warnings(text, &j->run, j->model) : 0;
  for (int i = 0; i < count; i++) fprintf(stderr, "limber: warning: %s\n", text[i]);
}

static void as_table(lim_text *out, const job *j, const double *error) {
  static const char *const modes[] = {"nonlinear", "linear", "quasi-static", "rigid"};
  const lim_run *r = &j->run;
  lim_text_add(out, "%s, %s: %s at %g s, %ld steps, %.1f iterations each, %.3g s\n\n", j->model->title,
               j->model->solver.method == LIM_MODAL_NEWMARK ? "modal-newmark" : modes[j->model->solver.mode],
               lim_run_status_text(r->status), r->end, r->steps,
               r->steps ? (double)r->iterations / (double)r->steps : 0, r->wall);
  table_of_channels(out, j, error);
  print_residual(out, lim_recorder_residual(j->recorder));
  cli_say_program(out, j->model);
  if (!isnan(r->balance_percent_rms))
    lim_text_add(out, "\n  energy balance: %.2g %% of the peak energy (rms)\n", r->balance_percent_rms);
  if (j->o->output)
    lim_text_add(out, "\n  written to %s: channels.csv, report.html, result.h5, summary.json\n", j->o->output);
}

lim_code cli_simulate(lim_text *out, const cli_options *o, lim_error *err) {
  overrides *given = calloc(1, sizeof *given);
  if (!given) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  memcpy(given->set, o->set, (size_t)o->nset * sizeof *o->set);
  given->nset = o->nset;
  if (o->mode) override(given, "solver.mode=%s", o->mode);
  signal(SIGINT, on_interrupt);
  job j = {
      .label = "simulating", .shown = -1, .run = {.status = LIM_RUN_FAILED, .bend_link = -1, .pull_link = -1}};
  double *error = NULL;
  lim_code code = run_job(&j, o, given->set, given->nset, o->output, err);
  print_warnings(&j);
  if (code == LIM_OK && j.run.status == LIM_RUN_INTERRUPTED)
    code =
        LIM_FAIL(err, LIM_FAILED, "interrupted at t = %g s; what was computed until then is kept", j.run.end);
  bool recorded =
      j.recorder && lim_recorder_summary(j.recorder) && lim_recorder_summary(j.recorder)->moments > 0;
  if (code == LIM_OK && o->error && recorded) code = estimate(&error, &j, o, given, err);
  if (recorded && o->json) as_json(out, &j, error);
  if (recorded && !o->json && !o->quiet) as_table(out, &j, error);
  end_job(&j);
  free(error);
  free(given);
  return code;
}
