// confirm.h - generated code against the library.
#ifndef LIM_EXPORT_CODE_CONFIRM_H
#define LIM_EXPORT_CODE_CONFIRM_H

#include "export/code/generate.h"

// Refuse a model whose accelerations the code would not give as the library does.
lim_code lim_generated_confirm(const lim_generated *g, lim_error *err);

#endif
