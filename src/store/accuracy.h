// accuracy.h - how far final and peak values of a run are off, by the same run in finer steps and by one with
// richer bases on finer meshes. Theory: docs/theory/simulation.md#errors-of-the-numbers.
#ifndef LIM_STORE_ACCURACY_H
#define LIM_STORE_ACCURACY_H

#include "store/recorder.h"

typedef struct {
  int count;            // channels of the recorder
  double *final, *peak; // estimated absolute errors   (count)
} lim_accuracy;

typedef struct {
  const lim_model *model;       // of the run
  const char *directory;        // of the model file, for tables
  const lim_recorder *recorder; // of the run, with `keep`
  const volatile int *stop;     // may be NULL
  // May be NULL. what: "finer steps", "richer bases"
  void (*progress)(void *user, const char *what, double t, double duration);
  void *user;
} lim_accuracy_setup;

// Repeats the run twice. On success the caller owns *out.
lim_code lim_accuracy_new(lim_accuracy **out, const lim_accuracy_setup *setup, lim_error *err);
void lim_accuracy_free(lim_accuracy *a);

// The model of the run with half the step, or a hundredth of the tolerance where the method chooses its steps;
// and with richer bases on finer meshes. Links are taken from the arena, all else is shared with the model.
void lim_accuracy_finer(lim_model *out, const lim_model *model);
lim_code lim_accuracy_richer(lim_model *out, lim_arena *arena, const lim_model *model, lim_error *err);

#endif
