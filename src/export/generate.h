// generate.h - a model as stand-alone C: texts of the files, and what they hold. Theory:
// docs/theory/generate.md.
#ifndef LIM_EXPORT_GENERATE_H
#define LIM_EXPORT_GENERATE_H

#include "base/text.h"
#include "export/plan.h"
#include "export/written.h"

typedef struct {
  char name[64];        // prefix of everything, a name of C
  lim_session *session; // what it was written from
  lim_keep *keep;       // NULL: nothing is kept
  lim_written *written;
  lim_recipe *plan[LIM_FUNCTIONS]; // NULL: the function has no outputs
  lim_operations operations[LIM_FUNCTIONS];
  lim_text header, source, main, readme;
} lim_generated;

// Generate code. name: of the files, made a name of C; directory: of the model file, for tables. The model's
// method of integration becomes rk4. The model must outlive the result; the caller owns *out.
// keep: numbers that stay adjustable, which the result then owns; NULL: none.
lim_code lim_generate(lim_generated **out, lim_model *model, const char *name, const char *directory,
                      lim_keep *keep, lim_error *err);
void lim_generated_free(lim_generated *g);

// Write NAME.h, NAME.c, main.c and README into a folder, which is made.
lim_code lim_generated_write(const lim_generated *g, const char *folder, lim_error *err);

#endif
