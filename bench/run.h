// run.h - what benchmarks share: the processor's clock, and simulations that they step themselves.
#ifndef LIM_BENCH_RUN_H
#define LIM_BENCH_RUN_H

#include "analysis/simulation/session.h"

// A simulation at the start of its next step. Every function below ends the program where something fails.
typedef struct {
  lim_model *model;
  lim_session *session;
  long steps; // of solver.step, taken so far
} bench_run;

// Processor time of this thread alone [s]: the threads of BLAS spin for a while after an eigenproblem, which
// the clock of the process would count as work.
double bench_seconds(void);

// A model file, or the text of one, ready for its first step. End with bench_close.
bench_run bench_open(const char *path, const char *const *set, int nset);
bench_run bench_open_text(const char *text, const char *const *set, int nset);
void bench_close(bench_run *r);

// The same of a model that is loaded, which becomes the run's; folder: of its files, what: its name in
// messages.
bench_run bench_begin(lim_model *model, const char *folder, const char *what);

// Steps of solver.step, with stops where forces jump or a controller's clock ticks.
void bench_steps(bench_run *r, int count);

// To a time, in steps of solver.step or, where the model leaves them to the method, in its own.
void bench_until(bench_run *r, double end);

// Steps that are left until the end of the model's motion.
int bench_steps_left(const bench_run *r);

// The tool, world axes [m].
void bench_tip(double tip[3], bench_run *r);

// The largest difference of two points along an axis [m].
double bench_distance(const double a[3], const double b[3]);

#endif
