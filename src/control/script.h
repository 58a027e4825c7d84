// script.h - a controller that the user writes in Lua: a function from what is measured to a torque, in a
// sandbox. Guide: docs/guide/control.md. One per thread: it may remember what it likes.
#ifndef LIM_CONTROL_SCRIPT_H
#define LIM_CONTROL_SCRIPT_H

#include "base/error.h"

typedef struct lim_lua_controller lim_lua_controller;

// What the function is told of its joint, by name.
typedef struct {
  const char *name;
  double value;
} lim_lua_controller_field;

// Load and run a file, which has to leave a global function `control`. On
// success the caller owns *out.
lim_code lim_lua_controller_new(lim_lua_controller **out, const char *path, lim_error *err);
void lim_lua_controller_free(lim_lua_controller *s);

// torque = control(t, joint) with a table of n fields. Only Lua's own memory is taken.
lim_code lim_lua_controller_call(double *torque, lim_lua_controller *s, double t,
                                 const lim_lua_controller_field *field, int n, lim_error *err);

#endif
