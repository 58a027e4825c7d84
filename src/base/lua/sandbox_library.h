// sandbox_library.h - what the text of a sandbox may call. Inside src/base only.
#ifndef LIM_BASE_LUA_SANDBOX_LIBRARY_H
#define LIM_BASE_LUA_SANDBOX_LIBRARY_H

#include "base/library/lua_calls.h"

// Put the globals into a new state. Raises where memory is out.
void lim_sandbox_library(lua_State *L);

// Hand a line to the owner's print.
void lim_sandbox_print(lua_State *L, const char *text);

#endif
