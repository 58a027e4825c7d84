// script.c - controllers in Lua. Guide: docs/guide/control.md.
#include "control/script.h"

#include "base/lua/sandbox.h"

#include <math.h>
#include <stdlib.h>

// At every tick, beside the arm's own work: more than a controller needs, and over in a moment.
static const double INSTRUCTIONS = 1e6, SECONDS = 2;

struct lim_lua_controller {
  lim_sandbox *box;
};

// What one call reads and writes; Lua may raise, so it happens inside a call.
typedef struct {
  double t, torque;
  const lim_lua_controller_field *field;
  int n;
} question;

static int ask(lua_State *L) {
  question *x = lua_touserdata(L, 1);
  lua_getglobal(L, "control");
  lua_pushnumber(L, x->t);
  lua_createtable(L, 0, x->n);
  for (int i = 0; i < x->n; i++) {
    lua_pushnumber(L, x->field[i].value);
    lua_setfield(L, -2, x->field[i].name);
  }
  lua_call(L, 2, 1);
  int number;
  x->torque = lua_tonumberx(L, -1, &number);
  if (!number) return luaL_error(L, "control gives a %s, must give a number: the torque", luaL_typename(L, -1));
  if (!isfinite(x->torque)) return luaL_error(L, "control gives %f, must give a finite torque", x->torque);
  return 0;
}

lim_code lim_lua_controller_call(double *torque, lim_lua_controller *s, double t,
                                 const lim_lua_controller_field *field, int n, lim_error *err) {
  question x = {.t = t, .field = field, .n = n};
  lua_State *L = lim_sandbox_state(s->box);
  lua_pushcfunction(L, ask);
  lua_pushlightuserdata(L, &x);
  lim_code code = lim_sandbox_call(s->box, 1, 0, err);
  *torque = x.torque;
  return code;
}

static int look_for_function(lua_State *L) {
  lua_getglobal(L, "control");
  if (!lua_isfunction(L, -1))
    return luaL_error(L, "there is no function 'control(t, joint)' that gives the torque");
  return 0;
}

lim_code lim_lua_controller_new(lim_lua_controller **out, const char *path, lim_error *err) {
  lim_lua_controller *s = *out = calloc(1, sizeof *s);
  if (!s) return lim_no_memory(err);
  lim_code code =
      lim_sandbox_new(&s->box, &(lim_sandbox_setup){.instructions = INSTRUCTIONS, .seconds = SECONDS}, err);
  if (code == LIM_OK) code = lim_sandbox_load(s->box, path, err);
  if (code == LIM_OK) code = lim_sandbox_call(s->box, 0, 0, err);
  if (code == LIM_OK) {
    lua_pushcfunction(lim_sandbox_state(s->box), look_for_function);
    code = lim_sandbox_call(s->box, 0, 0, err);
  }
  if (code == LIM_OK) return LIM_OK;
  lim_lua_controller_free(s);
  *out = NULL;
  return code;
}

void lim_lua_controller_free(lim_lua_controller *s) {
  if (!s) return;
  lim_sandbox_free(s->box);
  free(s);
}
