// sandbox.h - Lua 5.4 for text that is not trusted: robot programs, controllers. Guide: docs/guide/programs.md.
//
// No files, no system, no clock, no binary chunks, no string patterns; bounded memory, bounded work, no chance:
// the same text does the same in every run (pairs goes in the order of the keys, random begins with the same
// seed). The C functions that the owner adds see the plain Lua API; what they raise (luaL_error) becomes an
// error at the file and line of the text.
#ifndef LIM_BASE_LUA_SANDBOX_H
#define LIM_BASE_LUA_SANDBOX_H

#include "base/error.h"
#include "base/library/lua_calls.h"

#include <stddef.h>

typedef struct lim_sandbox lim_sandbox;

typedef struct {
  size_t memory;       // of the whole state [bytes]; 0: 16 MiB
  double instructions; // of Lua's machine in one lim_sandbox_call; 0: 1e7
  double seconds;      // of processor time in one lim_sandbox_call, for instructions that take long; 0: 30
  void (*print)(void *user, int line, const char *text); // what the text prints; NULL: nobody hears it
  void *user;                                            // handed to print
} lim_sandbox_setup;

// setup may be NULL: all defaults. On success the caller owns *out. LIM_IO: there is no Lua on this machine.
lim_code lim_sandbox_new(lim_sandbox **out, const lim_sandbox_setup *setup, lim_error *err);
void lim_sandbox_free(lim_sandbox *box);

// The state, to push arguments and to read results. Outside lim_sandbox_call memory has no limit, so that
// pushing numbers and texts does not raise; what may call back into Lua (lua_getglobal, lua_gettable,
// comparisons) can, and then ends the process: use lim_sandbox_global and raw access.
lua_State *lim_sandbox_state(lim_sandbox *box);

// Push a global of that name, or nil; its type, LUA_TFUNCTION and so on.
int lim_sandbox_global(lim_sandbox *box, const char *name);

// Global functions; `self` is their first upvalue: lua_touserdata(L, lua_upvalueindex(1)). The list ends with
// {NULL, NULL}.
lim_code lim_sandbox_offer(lim_sandbox *box, const luaL_Reg *list, void *self, lim_error *err);

// Compile a file (LIM_IO where it cannot be read), or a text that messages call `file`. The chunk is left on
// the stack, for lim_sandbox_call. `file` must outlive the box; several texts of one box share the last name.
lim_code lim_sandbox_load(lim_sandbox *box, const char *path, lim_error *err);
lim_code lim_sandbox_text(lim_sandbox *box, const char *file, const char *text, size_t length, lim_error *err);

// Call the function below its arguments, as lua_pcall does; the count of instructions begins anew. After a
// failure err names file and line, nothing is left on the stack, and the code is LIM_BAD_INPUT.
lim_code lim_sandbox_call(lim_sandbox *box, int arguments, int results, lim_error *err);

// For functions of the owner: the line of the text that is being run (0: none); and work that counts as so many
// instructions, which raises where the limit is passed.
int lim_sandbox_line(lua_State *L);
void lim_sandbox_charge(lua_State *L, double instructions);

#endif
