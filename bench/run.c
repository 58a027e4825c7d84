// run.c - models loaded, stepped and looked at for benchmarks.
#include "run.h"

#include "analysis/prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void need(lim_code code, const lim_error *err, const char *what) {
  if (code == LIM_OK) return;
  fprintf(stderr, "bench: %s\n", what);
  for (int i = 0; i < err->kept; i++) fprintf(stderr, "  %d: %s\n", err->note[i].line, err->note[i].text);
  exit(1);
}

// The folder of a file; to be freed.
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  if (!folder) exit(1);
  return folder;
}

bench_run bench_begin(lim_model *model, const char *folder, const char *what) {
  bench_run r = {.model = model};
  lim_error err = {0};
  lim_code code = lim_prepare_model(model, folder, &err);
  if (code == LIM_OK) code = lim_session_new(&r.session, model, folder, &err);
  if (code == LIM_OK) code = lim_session_restart(r.session, &err);
  need(code, &err, what);
  lim_error_clear(&err);
  return r;
}

bench_run bench_open(const char *path, const char *const *set, int nset) {
  lim_model *model = NULL;
  lim_error err = {0};
  need(lim_model_load(&model, path, set, nset, &err), &err, path);
  char *folder = folder_of(path);
  bench_run r = bench_begin(model, folder, path);
  free(folder);
  return r;
}

bench_run bench_open_text(const char *text, const char *const *set, int nset) {
  lim_model *model = NULL;
  lim_error err = {0};
  need(lim_model_parse(&model, text, (long)strlen(text), "text", set, nset, &err), &err, "text");
  return bench_begin(model, NULL, "text");
}

void bench_close(bench_run *r) {
  lim_session_free(r->session);
  lim_model_free(r->model);
  *r = (bench_run){0};
}

// To a time, or to a jump of forces before it, after which the motion begins anew. Returns whether it was
// reached.
static bool advance(lim_session *s, double to, double slack) {
  lim_error err = {0};
  double jump = lim_session_next(s, s->motion_state->t + slack);
  bool jumps = jump <= to + slack;
  lim_code code = lim_session_advance(s, jumps ? jump : to, &err);
  if (code == LIM_OK && jumps) code = lim_session_restart(s, &err);
  need(code, &err, "a step failed");
  return !jumps || jump >= to - slack;
}

void bench_steps(bench_run *r, int count) {
  const double step = r->model->solver.step, slack = 1e-9 * step;
  for (long last = r->steps + count; r->steps < last;)
    if (advance(r->session, (double)(r->steps + 1) * step, slack)) r->steps++;
}

void bench_until(bench_run *r, double end) {
  const double step = r->model->solver.step;
  if (!lim_method_adapts(&r->model->solver))
    bench_steps(r, (int)(lround(end / step) - r->steps));
  else
    while (!advance(r->session, end, 1e-9 * step)) continue;
}

int bench_steps_left(const bench_run *r) {
  return (int)(lround(r->model->solver.duration / r->model->solver.step) - r->steps);
}

void bench_tip(double tip[3], bench_run *r) {
  lim_session *s = r->session;
  lim_session_sample(s);
  lim_world_motion at = lim_snapshot_site(&s->snapshot, &s->s->site[s->s->tool].site);
  memcpy(tip, at.p, 3 * sizeof *tip);
}

double bench_distance(const double a[3], const double b[3]) {
  return fmax(fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])), fabs(a[2] - b[2]));
}
