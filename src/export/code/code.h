// code.h - tapes as C. Theory: docs/theory/generate.md.
#ifndef LIM_EXPORT_CODE_CODE_H
#define LIM_EXPORT_CODE_CODE_H

#include "base/text.h"
#include "export/graph/tape.h"

// The statements of a tape: inputs are array[index], outputs are put into out[0], out[1] ... by name.
typedef struct {
  const char *const *array; // names of the arrays of inputs
  const char *out;          // name of the array of outputs
} lim_code_names;

void lim_code_tape(lim_text *to, const lim_tape *p, const lim_code_names *names);

// Which arrays a tape reads: used[array] becomes true.
void lim_code_used(bool *used, const lim_tape *p);

// A number that reads back as itself and is a double in C.
void lim_code_number(lim_text *to, double x);

#endif
