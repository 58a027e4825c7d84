// lua_calls.c - the table of Lua's functions.
#include "base/library/lua_calls.h"

lim_lua_calls lim_lua;

static const char *const names[] = {LIM_LUA_CALLS(LIM_LIBRARY_NAME)};

static lim_library library = {"Lua", LIM_LUA_FILE, names, sizeof names / sizeof *names, 0, &lim_lua, false};

lim_code lim_lua_load(lim_error *err) { return lim_library_load(&library, err); }
