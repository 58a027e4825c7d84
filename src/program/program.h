// program.h - a robot program while it runs: what its commands share. Inside src/program only. Guide:
// docs/guide/programs.md.
//
// Commands are C functions of Lua; what goes wrong is raised, at the line of the program.
#ifndef LIM_PROGRAM_PROGRAM_H
#define LIM_PROGRAM_PROGRAM_H

#include "base/lua/sandbox.h"
#include "program/schedule.h"

typedef struct {
  lim_schedule way;
  lim_pace speed, accel;
  double R[9], p[3]; // the frame in which places are given
  lim_code code;     // of a failure that is not the program's
  lim_error *err;    // of the caller, for doubts
} lim_program;

lim_program *lim_program_of(lua_State *L);

// --- failures (read.c): what the library says becomes an error of the program ---

_Noreturn void lim_program_raise(lua_State *L, const char *command, lim_code code, lim_error *own);
void lim_program_expect(lua_State *L, const char *command, lim_code code, lim_error *own); // code is LIM_OK

// --- tables of commands, at index 1 ---

// The number under a key; `otherwise` where there is none.
double lim_program_number(lua_State *L, const char *key, double fallback);
double lim_program_positive(lua_State *L, const char *key, double fallback);
void lim_program_finite(lua_State *L, double x, const char *what);

// The n numbers of the list on the stack; of that under a key, false where there is none.
void lim_program_list(lua_State *L, double *x, int n, const char *what);
bool lim_program_numbers(lua_State *L, double *x, int n, const char *key);

// A text, which the table keeps.
const char *lim_program_text(lua_State *L, const char *key, const char *fallback);

// Every key is one of a list, ended by NULL.
void lim_program_keys(lua_State *L, const char *command, const char *const *known);

// --- trace ---

enum { LIM_SCRIPT_TEXT = 240 };

// "key = value" where the table has the key; of all keys of a list.
void lim_program_entry(lua_State *L, char text[LIM_SCRIPT_TEXT], const char *key);
void lim_program_describe(lua_State *L, char text[LIM_SCRIPT_TEXT], const char *const *keys);

// An entry of the trace, its index; that of a command with its table.
int lim_program_note(lua_State *L, const char *command, const char *text);
void lim_program_note_table(lua_State *L, const char *command, const char *const *keys);

// --- what commands share ---

// Come to a stop.
void lim_program_stop(lua_State *L, const char *command);

// A frame of the model by its name.
const lim_named_site *lim_program_site(lua_State *L, const lim_arm *s, const char *command, const char *name);

// --- commands ---

int lim_program_movej(lua_State *L), lim_program_movel(lua_State *L), lim_program_movec(lua_State *L);
int lim_program_hold(lua_State *L);
int lim_program_shape(lua_State *L), lim_program_grip(lua_State *L), lim_program_release(lua_State *L);

#endif
