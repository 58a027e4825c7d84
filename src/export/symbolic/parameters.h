// parameters.h - numbers of the model that stay adjustable in generated code.
#ifndef LIM_EXPORT_SYMBOLIC_PARAMETERS_H
#define LIM_EXPORT_SYMBOLIC_PARAMETERS_H

#include "analysis/simulation/session.h"
#include "export/graph/graph.h"

enum { LIM_KEEP_MOST = 16 };

// Sessions of the model with the kept numbers changed a little: from how the constants of the bodies differ
// between them follows how they depend on the numbers.
typedef struct {
  int count;
  const char *path[LIM_KEEP_MOST]; // as for --set
  double value[LIM_KEEP_MOST];     // in the model as it is
  lim_model *model[2 * LIM_KEEP_MOST + 2];
  // all at their own values; each in turn at its second; each in turn at its third; all at their third
  lim_session *session[2 * LIM_KEEP_MOST + 2];
} lim_parameters;

// Load and build the changed models. file, setup: as lim_model_load_with; directory: for tables. Refuses what
// is not a number of the model.
lim_code lim_parameters_new(lim_parameters **out, const char *file, const lim_model_setup *setup,
                            const char *const *keep, int nkeep, const char *directory, lim_error *err);
void lim_parameters_free(lim_parameters *k);

// In a tidy system s of the model as it is: constants that depend on kept numbers become expressions of the
// inputs `array` of the graph. Refuses numbers that enter otherwise than linearly, or not the bodies at all.
lim_code lim_parameters_constants(lim_parameters *k, lim_arm *s, lim_graph *g, int array, lim_arena *arena,
                                  lim_error *err);

// To check by: trials are each number in turn at its third value (0 ... count - 1), and all of them (count).
// The session of one, and the numbers that it has (count).
const lim_session *lim_parameters_trial(const lim_parameters *k, int trial, double *p);

#endif
