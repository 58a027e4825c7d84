// error.h - how a function of the library says what went wrong.
#ifndef LIM_BASE_ERROR_H
#define LIM_BASE_ERROR_H

#include "limber/limber.h"

#include <math.h>
#include <stdarg.h>

// Append a message and return `code`. err may be NULL; file may be NULL and line, column 0.
lim_code lim_error_add(lim_error *err, lim_code code, const char *file, int line, int column,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));
lim_code lim_error_addv(lim_error *err, lim_code code, const char *file, int line, int column,
                        const char *format, va_list args);

// More of the last message, behind it. err may be NULL; without a message nothing happens.
void lim_error_continue(lim_error *err, const char *more);

// A doubt about numbers that are given all the same: every command prints it and lists it in its JSON. time NAN
// and place NULL: none. The text is one sentence that names its place itself; its time is printed behind it.
// The same text is kept once.
void lim_warn(lim_error *err, double time, const char *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// All of `from` to err, which may be NULL; and its warnings alone. from keeps them.
void lim_error_merge(lim_error *err, const lim_error *from);
void lim_warn_merge(lim_error *err, const lim_error *from);

// The code itself, so that a static analyser sees that a failure is never LIM_OK.
static inline lim_code lim_error_code(lim_code code, lim_code added) {
  (void)added;
  return code;
}

// return LIM_FAIL(err, LIM_FAILED, "...", ...);
#define LIM_FAIL(err, code, ...) lim_error_code((code), lim_error_add((err), (code), NULL, 0, 0, __VA_ARGS__))

// return lim_no_memory(err);
static inline lim_code lim_no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

#endif
