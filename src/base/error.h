// error.h - how a function of the library says what went wrong.
#ifndef LIM_BASE_ERROR_H
#define LIM_BASE_ERROR_H

#include "limber/limber.h"

#include <stdarg.h>

// Append a message and return `code`. err may be NULL; file may be NULL and line, column 0.
lim_code lim_error_add(lim_error *err, lim_code code, const char *file, int line, int column,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));
lim_code lim_error_addv(lim_error *err, lim_code code, const char *file, int line, int column,
                        const char *format, va_list args);

// The code itself, so that a static analyser sees that a failure is never LIM_OK.
static inline lim_code lim_error_code(lim_code code, lim_code added) {
  (void)added;
  return code;
}

// return LIM_FAIL(err, LIM_FAILED, "...", ...);
#define LIM_FAIL(err, code, ...) lim_error_code((code), lim_error_add((err), (code), NULL, 0, 0, __VA_ARGS__))

#endif
