// keep.h - numbers of the model that stay adjustable in generated code.
#ifndef LIM_EXPORT_KEEP_H
#define LIM_EXPORT_KEEP_H

#include "analysis/session.h"
#include "export/graph.h"

enum { LIM_KEEP_MOST = 16 };

// Sessions of the model with the kept numbers changed: from how the constants of the bodies differ between them
// follows how they depend on the numbers.
typedef struct {
  int count;
  const char *path[LIM_KEEP_MOST]; // as for --set
  double value[LIM_KEEP_MOST];     // in the model as it is; found by lim_keep_constants
  lim_model *model[LIM_KEEP_MOST + 2];
  lim_session *session[LIM_KEEP_MOST + 2]; // all at FIRST; each in turn at SECOND; all at THIRD
} lim_keep;

// Load and build the changed models. file, set: as lim_model_load; directory: for tables.
lim_code lim_keep_new(lim_keep **out, const char *file, const char *const *set, int nset,
                      const char *const *keep, int nkeep, const char *directory, lim_error *err);
void lim_keep_free(lim_keep *k);

// In a tidy system s of the model as it is: constants that depend on kept numbers become expressions of the
// inputs `array` of the graph. Refuses numbers that enter otherwise than linearly, or not the bodies at all.
lim_code lim_keep_constants(lim_keep *k, lim_system *s, lim_graph *g, int array, lim_arena *arena,
                            lim_error *err);

// The values of the last of the sessions, and that session, to check by.
double lim_keep_third(void);
const lim_session *lim_keep_check(const lim_keep *k);

#endif
