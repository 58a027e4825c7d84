// sandbox_library.c - the globals of a sandbox: what of Lua's own library is left, and what replaces the rest.
//
// Kept out: files, system, clock, debug, packages, load, coroutines (their hooks and errors are their own),
// string patterns (their matching can take for ever), finalizers (hooks do not count in them). Replaced: all
// that loops in C for as long as its arguments say, now charged as instructions, and all that follows chance
// (the order of keys, addresses, seeds).
#include "base/lua/sandbox_library.h"

#include "base/lua/sandbox.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// --- text of values ---

// On the stack: the value as text, without its address.
static const char *as_text(lua_State *L, int index) {
  const int type = lua_type(L, index);
  const bool plain = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA;
  if (plain && luaL_getmetafield(L, index, "__tostring") == LUA_TNIL)
    return lua_pushstring(L, lua_typename(L, type));
  if (plain) lua_pop(L, 1);
  return luaL_tolstring(L, index, NULL);
}

static int to_string(lua_State *L) {
  luaL_checkany(L, 1);
  as_text(L, 1);
  return 1;
}

static int print(lua_State *L) {
  const int n = lua_gettop(L);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 1; i <= n; i++) {
    if (i > 1) luaL_addchar(&b, '\t');
    as_text(L, i);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  lim_sandbox_charge(L, 200 + 10 * (double)lua_rawlen(L, -1));
  lim_sandbox_print(L, lua_tostring(L, -1));
  return 0;
}

// --- tables ---

// Numbers before texts before truths; others stay where they are, at the end.
static int kind_of_key(lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TNUMBER: return 0;
  case LUA_TSTRING: return 1;
  case LUA_TBOOLEAN: return 2;
  default: return 3;
  }
}

static int key_before(lua_State *L) {
  const int a = kind_of_key(L, 1), b = kind_of_key(L, 2);
  bool before = a < b;
  if (a == b && a < 2) before = lua_compare(L, 1, 2, LUA_OPLT);
  if (a == b && a == 2) before = !lua_toboolean(L, 1) && lua_toboolean(L, 2);
  lua_pushboolean(L, before);
  return 1;
}

static double sorting(double n) { return 10 * n * log2(n + 2); }

// Iterator over (keys in order, how far): upvalues.
static int next_pair(lua_State *L) {
  const lua_Integer i = lua_tointeger(L, lua_upvalueindex(3)) + 1;
  for (lua_Integer k = i;; k++) {
    if (lua_rawgeti(L, lua_upvalueindex(2), k) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) { // removed on the way
      lua_settop(L, 0);
      continue;
    }
    lua_pushinteger(L, k);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
  }
}

// pairs in the order of the keys: Lua's own order changes from run to run.
static int pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_newtable(L);
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, 2, ++n);
  }
  lim_sandbox_charge(L, sorting((double)n));
  lua_getfield(L, LUA_REGISTRYINDEX, "sort");
  lua_pushvalue(L, 2);
  lua_pushcfunction(L, key_before);
  lua_call(L, 2, 0);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

static int set_metatable(lua_State *L) {
  const int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "__gc is not available here");
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

// How long a table is, which no metamethod may say.
static double length_of(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) luaL_error(L, "not for tables with __len");
  return (double)lua_rawlen(L, 1);
}

// The function kept as upvalue, after its work was charged.
static int charged(lua_State *L, double work) {
  lim_sandbox_charge(L, work);
  const int n = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

static int table_shift(lua_State *L) { return charged(L, length_of(L)); }
static int table_sort(lua_State *L) { return charged(L, sorting(length_of(L))); }
static int table_concat(lua_State *L) { return charged(L, 10 * length_of(L)); }

static int table_unpack(lua_State *L) {
  const double n = length_of(L);
  return charged(L, fabs((double)luaL_optinteger(L, 3, (lua_Integer)n) - (double)luaL_optinteger(L, 2, 1)));
}

// --- strings ---

static int no_patterns(lua_State *L) {
  return luaL_error(L, "string patterns are not available here, they could run for ever; "
                       "string.find(s, text) and string.sub are");
}

// string.find(s, text [, init]), of plain text only.
static int string_find(lua_State *L) {
  size_t n, m;
  const char *s = luaL_checklstring(L, 1, &n), *text = luaL_checklstring(L, 2, &m);
  lua_Integer from = luaL_optinteger(L, 3, 1);
  if (!lua_toboolean(L, 4) && strpbrk(text, "^$*+?.([%-")) return no_patterns(L);
  if (from < 0) from = from + (lua_Integer)n < 0 ? 1 : (lua_Integer)n + from + 1;
  if (from == 0) from = 1;
  lim_sandbox_charge(L, (double)n / 16);
  const char *at = from > (lua_Integer)n + 1 ? NULL : memmem(s + from - 1, n - (size_t)from + 1, text, m);
  if (!at) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, at - s + 1);
  lua_pushinteger(L, at - s + (lua_Integer)m);
  return 2;
}

static int string_rep(lua_State *L) {
  size_t n, m;
  luaL_checklstring(L, 1, &n);
  luaL_optlstring(L, 3, "", &m);
  const double count = (double)luaL_checkinteger(L, 2);
  if (count * (double)(n + m) > 1 << 14) return luaL_error(L, "a string is longer than the 16 KiB it may have");
  return charged(L, fmax(count, 0));
}

// What is copied or looked at, byte by byte.
static int string_bytes(lua_State *L) {
  size_t n;
  luaL_checklstring(L, 1, &n);
  return charged(L, (double)n / 16);
}

// As many results as letters are asked for.
static int string_byte(lua_State *L) {
  size_t n;
  luaL_checklstring(L, 1, &n);
  const double from = (double)luaL_optinteger(L, 2, 1), to = (double)luaL_optinteger(L, 3, (lua_Integer)from);
  const double first = from < 0 ? from + (double)n : from, last = to < 0 ? to + (double)n : to;
  return charged(L, fmax(0, fmin(last, (double)n) - fmax(first, 0)));
}

// Formatted numbers are slow: 100 instructions each. Values are written without their addresses.
static int string_format(lua_State *L) {
  size_t n;
  const char *format = luaL_checklstring(L, 1, &n);
  double conversions = 0;
  for (const char *c = format; c < format + n; c++) {
    if (*c != '%') continue;
    conversions++;
    if (c[1] == '%') {
      c++;
      continue;
    }
    c += strspn(c + 1, "-+ #0123456789.");
    if (c[1] == 'p') return luaL_error(L, "'%%p' is not available here: addresses differ from run to run");
  }
  for (int i = 2; i <= lua_gettop(L); i++) {
    const int type = lua_type(L, i);
    if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TUSERDATA) continue;
    as_text(L, i);
    lua_replace(L, i);
  }
  return charged(L, 100 * conversions + (double)n / 4);
}

static int base_tonumber(lua_State *L) { return charged(L, (double)lua_rawlen(L, 1) / 4); }

// As long as it has arguments.
static int per_argument(lua_State *L) { return charged(L, lua_gettop(L)); }

// --- chance ---

static int random_seed(lua_State *L) {
  luaL_checknumber(L, 1); // without a number Lua takes the time
  lua_settop(L, 1);
  return charged(L, 0);
}

// --- putting together ---

static const luaL_Reg base_own[] = {
    {"print", print}, {"tostring", to_string}, {"pairs", pairs}, {"setmetatable", set_metatable}, {NULL, NULL}};
static const char *const base_kept[] = {"assert", "error",        "ipairs",   "pcall",  "rawequal",
                                        "rawget", "rawlen",       "rawset",   "select", "tonumber",
                                        "type",   "getmetatable", "_VERSION", NULL};

static const luaL_Reg base_charged[] = {{"select", per_argument}, {"tonumber", base_tonumber}, {NULL, NULL}};

static const luaL_Reg table_charged[] = {
    {"insert", table_shift},  {"remove", table_shift}, {"sort", table_sort}, {"concat", table_concat},
    {"unpack", table_unpack}, {"pack", per_argument},  {NULL, NULL}};
static const char *const table_kept[] = {"insert", "remove", "sort", "concat", "unpack", "pack", NULL};

static const luaL_Reg string_own[] = {{"find", string_find},
                                      {"match", no_patterns},
                                      {"gmatch", no_patterns},
                                      {"gsub", no_patterns},
                                      {NULL, NULL}};
static const luaL_Reg string_charged[] = {
    {"rep", string_rep},       {"byte", string_byte},   {"char", per_argument},
    {"format", string_format}, {"lower", string_bytes}, {"upper", string_bytes},
    {"reverse", string_bytes}, {"sub", string_bytes},   {NULL, NULL}};
static const char *const string_kept[] = {"byte", "char",    "format", "len",   "lower",
                                          "rep",  "reverse", "sub",    "upper", NULL};

static const luaL_Reg math_charged[] = {
    {"randomseed", random_seed}, {"max", per_argument}, {"min", per_argument}, {NULL, NULL}};

// Of the table on the stack, a new one in its place with the names of a list.
static void keep(lua_State *L, const char *const *name) {
  lua_newtable(L);
  for (; *name; name++) {
    lua_getfield(L, -2, *name);
    lua_setfield(L, -2, *name);
  }
  lua_replace(L, -2);
}

// Functions of the table on the stack that now charge before they are called.
static void charge(lua_State *L, const luaL_Reg *list) {
  for (; list->name; list++) {
    lua_getfield(L, -1, list->name);
    lua_pushcclosure(L, list->func, 1);
    lua_setfield(L, -2, list->name);
  }
}

static void open_base(lua_State *L) {
  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  keep(L, base_kept);
  charge(L, base_charged);
  luaL_setfuncs(L, base_own, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

static void open_strings(lua_State *L) {
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
  keep(L, string_kept);
  luaL_setfuncs(L, string_own, 0);
  charge(L, string_charged);
  lua_pushliteral(L, "");
  lua_newtable(L); // ("text"):upper()
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  lua_setglobal(L, LUA_STRLIBNAME);
}

static void open_tables(lua_State *L) {
  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 0);
  lua_getfield(L, -1, "sort");
  lua_setfield(L, LUA_REGISTRYINDEX, "sort");
  keep(L, table_kept);
  charge(L, table_charged);
  lua_setglobal(L, LUA_TABLIBNAME);
}

static void open_math(lua_State *L) {
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
  charge(L, math_charged);
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, 1);
  lua_call(L, 1, 0);
  lua_setglobal(L, LUA_MATHLIBNAME);
}

void lim_sandbox_library(lua_State *L) {
  open_base(L);
  open_strings(L);
  open_tables(L);
  open_math(L);
  lua_settop(L, 0);
}
