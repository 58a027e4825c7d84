// generate.h - a model as stand-alone C: texts of the files, and what they hold. Theory:
// docs/theory/generate.md.
#ifndef LIM_EXPORT_CODE_GENERATE_H
#define LIM_EXPORT_CODE_GENERATE_H

#include "base/text.h"
#include "export/graph/tape.h"
#include "export/symbolic/symbolic.h"

typedef struct {
  char name[64]; // prefix of everything, a name of C
  const lim_model *model;
  lim_session *session; // what it was written from
  double step;          // [s] of its own integrator, unless another is asked for
  lim_parameters *keep; // NULL: nothing is kept
  lim_symbolic *written;
  lim_tape *tape[LIM_FUNCTIONS]; // NULL: the function has no outputs
  lim_operations operations[LIM_FUNCTIONS];
  lim_text header, source, main, readme;
} lim_generated;

// Generate code. name: of the files, made a name of C; directory: of the model file, for tables. The model's
// method of integration becomes rk4, and it is prepared (analysis/prepare.h). The model must outlive the
// result; the caller owns *out. keep: numbers that stay adjustable, which the result then owns; NULL: none.
lim_code lim_generate(lim_generated **out, lim_model *model, const char *name, const char *directory,
                      lim_parameters *keep, lim_error *err);
void lim_generated_free(lim_generated *g);

// Refuse kept numbers with which the code would not be that of a model with other values of them: every
// function is compared, and the inputs that the model has by itself.
lim_code lim_parameters_verify(const lim_generated *g, lim_error *err);

// Write NAME.h, NAME.c, main.c and README into a folder, which is made.
lim_code lim_generated_write(const lim_generated *g, const char *folder, lim_error *err);

#endif
