// read.c - how commands of a robot program read their tables, fail, and leave a trace.
#include "program/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Each command comes here, and counts as some thousand instructions.
lim_program *lim_program_of(lua_State *L) {
  lim_sandbox_charge(L, 3000);
  return lua_touserdata(L, lua_upvalueindex(1));
}

// --- failures: what the library says becomes an error of the program, at its line ---

_Noreturn void lim_program_raise(lua_State *L, const char *command, lim_code code, lim_error *own) {
  lim_program *r = lim_program_of(L);
  if (code == LIM_NO_MEMORY) r->code = code;
  char text[600];
  snprintf(text, sizeof text, "%s: %s", command, own->kept ? own->note[0].text : lim_code_text(LIM_NO_MEMORY));
  lim_error_clear(own);
  luaL_where(L, 1);
  lua_pushstring(L, text);
  lua_concat(L, 2);
  while (true) lua_error(L); // does not return
}

void lim_program_expect(lua_State *L, const char *command, lim_code code, lim_error *own) {
  if (code != LIM_OK) lim_program_raise(L, command, code, own);
  lim_error_clear(own);
}

// --- reading tables ---

void lim_program_finite(lua_State *L, double x, const char *what) {
  if (!isfinite(x)) luaL_error(L, "'%s' is not a finite number", what);
}

// The number under a key of the table at index 1; `otherwise` where there is none.
double lim_program_number(lua_State *L, const char *key, double fallback) {
  double x = fallback;
  if (lua_getfield(L, 1, key) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "'%s' must be a number, not a %s", key, luaL_typename(L, -1));
    x = lua_tonumber(L, -1);
    lim_program_finite(L, x, key);
  }
  lua_pop(L, 1);
  return x;
}

double lim_program_positive(lua_State *L, const char *key, double fallback) {
  const double x = lim_program_number(L, key, fallback);
  if (!(x > 0)) luaL_error(L, "'%s' is %f, must be positive", key, x);
  return x;
}

// The n numbers of the list on the stack.
void lim_program_list(lua_State *L, double *x, int n, const char *what) {
  if (lua_type(L, -1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != n)
    luaL_error(L, "'%s' must be a list of %d numbers", what, n);
  for (int i = 0; i < n; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TNUMBER) luaL_error(L, "'%s' must be a list of %d numbers", what, n);
    x[i] = lua_tonumber(L, -1);
    lim_program_finite(L, x[i], what);
    lua_pop(L, 1);
  }
}

bool lim_program_numbers(lua_State *L, double *x, int n, const char *key) {
  const bool there = lua_getfield(L, 1, key) != LUA_TNIL;
  if (there) lim_program_list(L, x, n, key);
  lua_pop(L, 1);
  return there;
}

const char *lim_program_text(lua_State *L, const char *key, const char *fallback) {
  const char *text = fallback;
  if (lua_getfield(L, 1, key) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'%s' must be a text", key);
    text = lua_tostring(L, -1);
  }
  lua_pop(L, 1); // the table keeps it
  return text;
}

// Every key of the table at index 1 is one of a list, ended by NULL.
void lim_program_keys(lua_State *L, const char *command, const char *const *known) {
  luaL_checktype(L, 1, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *const *k = known;
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "%s: its entries have names: %s{%s = ...}", command, command, *known);
    const char *name = lua_tostring(L, -2);
    lim_choice choice = lim_choice_start(name);
    for (; *k && strcmp(*k, name) != 0; k++) lim_choice_try(&choice, *k);
    if (*k) continue;
    luaL_error(L, "%s: there is no '%s'%s", command, name, lim_choice_say(&choice, "there are", NULL));
  }
}

// --- trace ---

static void add_value(lua_State *L, char text[LIM_SCRIPT_TEXT]) {
  const size_t n = strlen(text);
  const int type = lua_type(L, -1);
  if (type == LUA_TNUMBER)
    snprintf(text + n, LIM_SCRIPT_TEXT - n, "%.6g", lua_tonumber(L, -1));
  else if (type == LUA_TSTRING)
    snprintf(text + n, LIM_SCRIPT_TEXT - n, "%s", lua_tostring(L, -1));
  else
    snprintf(text + n, LIM_SCRIPT_TEXT - n, "%s", luaL_typename(L, -1));
}

// "key = value" of the table at index 1, where it has the key.
void lim_program_entry(lua_State *L, char text[LIM_SCRIPT_TEXT], const char *key) {
  const int type = lua_getfield(L, 1, key);
  size_t n = strlen(text);
  if (type != LUA_TNIL) snprintf(text + n, LIM_SCRIPT_TEXT - n, "%s%s = ", n ? ", " : "", key);
  if (type == LUA_TTABLE) {
    for (int i = 1; i <= 6 && lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
      n = strlen(text);
      snprintf(text + n, LIM_SCRIPT_TEXT - n, "%s", i == 1 ? "{" : ", ");
      add_value(L, text);
    }
    lua_settop(L, lua_gettop(L) - (lua_type(L, -1) == LUA_TNIL));
    n = strlen(text);
    snprintf(text + n, LIM_SCRIPT_TEXT - n, "}");
  } else if (type != LUA_TNIL) {
    add_value(L, text);
  }
  lua_pop(L, 1);
}

void lim_program_describe(lua_State *L, char text[LIM_SCRIPT_TEXT], const char *const *keys) {
  text[0] = 0;
  for (; *keys; keys++) lim_program_entry(L, text, *keys);
}

// An entry of the trace; every command counts as many instructions.
int lim_program_note(lua_State *L, const char *command, const char *text) {
  lim_program *r = lim_program_of(L);
  lim_sandbox_charge(L, 500);
  lim_error none = {0};
  const int entry = lim_schedule_note(&r->way, lim_sandbox_line(L), command, text);
  if (entry < 0) lim_program_raise(L, command, LIM_NO_MEMORY, &none);
  return entry;
}

void lim_program_note_table(lua_State *L, const char *command, const char *const *keys) {
  char text[LIM_SCRIPT_TEXT];
  lim_program_describe(L, text, keys);
  lim_program_note(L, command, text);
}
// --- what commands share ---

void lim_program_stop(lua_State *L, const char *command) {
  lim_error own = {0};
  lim_program_expect(L, command, lim_schedule_stop(&lim_program_of(L)->way, &own), &own);
}

// A frame of the model by its name.
const lim_named_site *lim_program_site(lua_State *L, const lim_arm *s, const char *command, const char *name) {
  const lim_named_site *site = lim_arm_find_site(s, name);
  if (site) return site;
  lim_choice choice = lim_arm_sites(s, name);
  luaL_error(L, "%s: there is no frame '%s'%s", command, name,
             lim_choice_say(&choice, "there are", LIM_CHOICE_ALL));
  return NULL;
}
