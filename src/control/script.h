// script.h - a controller that the user writes in Lua: a function from what is measured to a torque, in a
// sandbox. Guide: docs/guide/control.md. One per thread: it may remember what it likes.
#ifndef LIM_CONTROL_SCRIPT_H
#define LIM_CONTROL_SCRIPT_H

#include "base/error.h"

typedef struct lim_script lim_script;

// What the function is told of its joint, by name.
typedef struct {
  const char *name;
  double value;
} lim_script_field;

// Load and run a file, which has to leave a global function `control`. On
// success the caller owns *out.
lim_code lim_script_new(lim_script **out, const char *path, lim_error *err);
void lim_script_free(lim_script *s);

// torque = control(t, joint) with a table of n fields. Only Lua's own memory is taken.
lim_code lim_script_call(double *torque, lim_script *s, double t, const lim_script_field *field, int n,
                         lim_error *err);

#endif
