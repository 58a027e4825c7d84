// sandbox.c - a Lua state with bounds: memory by its allocator, work by a hook, errors with file and line.
#include "base/lua/sandbox.h"

#include "base/file.h"
#include "base/lua/sandbox_library.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  TICK = 1000,      // instructions between two looks at the count
  STRING = 1 << 14, // longest string [bytes]: what one instruction can be made to copy or compare
  PIECE = 1 << 20,  // largest piece of memory [bytes]: a table, or the stack of calls
  TURNOVER = 64,    // in one call, at most so many times the whole memory is taken and given back
  SOURCE = 1 << 20, // longest text [bytes]
};

#define CHUNK "lua" // what Lua calls the text in its messages, before they get the file's name

typedef enum { FINE, MEMORY, LONG_STRING, LARGE, WORK } shortage;

struct lim_sandbox {
  lua_State *L;
  lim_sandbox_setup setup;
  const char *file;
  char *path;          // own copy of a file's name
  size_t used, turned; // bytes in use; taken since the call began
  double done;         // instructions since the call began
  double begin;        // processor time when it began [s]
  bool running;        // Lua runs the text: limits count
  bool spent;          // the limit was passed: nothing runs any more
  shortage why;        // of the last refusal of memory
  int line;            // that is being run, or where the last error was
};

static lim_sandbox *box_of(lua_State *L) { return *(lim_sandbox **)lua_getextraspace(L); }

lua_State *lim_sandbox_state(lim_sandbox *box) { return box->L; }

int lim_sandbox_global(lim_sandbox *box, const char *name) {
  lua_pushglobaltable(box->L);
  lua_pushstring(box->L, name);
  const int type = lua_rawget(box->L, -2);
  lua_remove(box->L, -2);
  return type;
}

int lim_sandbox_line(lua_State *L) {
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "l", &at);
    if (at.currentline > 0) return at.currentline;
  }
  return 0;
}

void lim_sandbox_print(lua_State *L, const char *text) {
  const lim_sandbox *box = box_of(L);
  if (box->setup.print) box->setup.print(box->setup.user, lim_sandbox_line(L), text);
}

// --- memory: the allocator must not ask Lua anything, whose state may be half changed ---

static shortage judge(const lim_sandbox *box, size_t kind, size_t old, size_t size) {
  if (kind == LUA_TSTRING && size > STRING) return LONG_STRING;
  if (size > PIECE) return LARGE;
  if (box->used - old + size > box->setup.memory) return MEMORY;
  return box->turned > TURNOVER * box->setup.memory ? WORK : FINE;
}

static void *allocate(void *user, void *block, size_t old, size_t size) {
  lim_sandbox *box = user;
  const size_t kind = block ? 0 : old, before = block ? old : 0; // Lua tells the kind of a new object by `old`
  if (size == 0) {
    box->used -= before;
    free(block);
    return NULL;
  }
  const shortage why =
      box->running && size > before ? judge(box, kind, before, size) : FINE; // what shrinks never fails
  if (why != FINE) {
    box->why = why;
    return NULL;
  }
  void *p = realloc(block, size);
  if (!p) return size <= before ? block : NULL;
  box->used += size - before;
  if (size > before) box->turned += size;
  return p;
}

// --- work ---

// Of this thread [s].
static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool too_long(const lim_sandbox *box) { return processor_time() - box->begin > box->setup.seconds; }

static void pass_limit(lua_State *L, lim_sandbox *box) {
  bool work = box->done >= box->setup.instructions;
  char limit[64];
  box->spent = true;
  snprintf(limit, sizeof limit, "%g %s", work ? box->setup.instructions : box->setup.seconds,
           work ? "instructions" : "s of processor time");
  lua_pushfstring(L, CHUNK ":%d: more than %s: does a loop never end?", lim_sandbox_line(L), limit);
  lua_error(L);
}

// Notes the line that begins, for errors of memory, and counts. Once a limit is passed every instruction
// raises, so that no pcall in a loop goes on for ever.
static void watch(lua_State *L, lua_Debug *at) {
  lim_sandbox *box = box_of(L);
  if (at->event == LUA_HOOKLINE) {
    box->line = at->currentline;
    return;
  }
  box->done += TICK;
  if (box->done < box->setup.instructions && !box->spent && !too_long(box)) return;
  lua_sethook(L, watch, LUA_MASKCOUNT, 1);
  pass_limit(L, box);
}

void lim_sandbox_charge(lua_State *L, double instructions) {
  lim_sandbox *box = box_of(L);
  box->done += instructions;
  if (box->done >= box->setup.instructions) pass_limit(L, box);
}

// --- errors ---

// The first line number of a message "lua:12: text", whose text is left in *message; 0: it has none.
static int take_line(const char **message) {
  const size_t prefix = strlen(CHUNK ":");
  if (strncmp(*message, CHUNK ":", prefix) != 0) return 0;
  char *end;
  const long line = strtol(*message + prefix, &end, 10);
  if (end == *message + prefix || strncmp(end, ": ", 2) != 0) return 0;
  *message = end + 2;
  return (int)line;
}

static lim_code out_of_memory(lim_sandbox *box, lim_error *err) {
  static const char *const text[] = {
      [MEMORY] = "Lua needs more memory than the %g MiB it may have",
      [LONG_STRING] = "a string is longer than the 16 KiB it may have",
      [LARGE] = "a table, or the depth of calls, is larger than the 1 MiB it may have",
      [WORK] = "Lua goes on taking memory: does a loop never end?",
  };
  if (box->why == FINE) return lim_no_memory(err);
  const double size = (double)box->setup.memory / (1 << 20);
  return box->why == MEMORY ? lim_error_add(err, LIM_BAD_INPUT, box->file, box->line, 0, text[MEMORY], size)
                            : lim_error_add(err, LIM_BAD_INPUT, box->file, box->line, 0, "%s", text[box->why]);
}

// The error on the stack, taken off, as a message at its file and line.
static lim_code report(lim_sandbox *box, int status, lim_error *err) {
  lua_State *L = box->L;
  lim_code code;
  if (status == LUA_ERRMEM) {
    code = out_of_memory(box, err);
  } else if (lua_type(L, -1) != LUA_TSTRING) {
    code = lim_error_add(err, LIM_BAD_INPUT, box->file, box->line, 0, "an error that is a %s, not a text",
                         luaL_typename(L, -1));
  } else {
    const char *message = lua_tostring(L, -1);
    const int line = take_line(&message);
    code = lim_error_add(err, LIM_BAD_INPUT, box->file, line ? line : box->line, 0, "%s", message);
  }
  lua_pop(L, 1);
  return code;
}

static int note_line(lua_State *L) {
  box_of(L)->line = lim_sandbox_line(L);
  return 1;
}

// --- running ---

lim_code lim_sandbox_call(lim_sandbox *box, int arguments, int results, lim_error *err) {
  lua_State *L = box->L;
  const int handler = lua_gettop(L) - arguments;
  box->done = 0;
  box->begin = processor_time();
  box->turned = 0;
  box->spent = false;
  box->why = FINE;
  box->line = 0;
  lua_sethook(L, watch, LUA_MASKCOUNT | LUA_MASKLINE, TICK);
  lua_pushcfunction(L, note_line);
  lua_insert(L, handler);
  box->running = true;
  const int status = lua_pcall(L, arguments, results, handler);
  box->running = false;
  lua_remove(L, handler);
  return status == LUA_OK ? LIM_OK : report(box, status, err);
}

lim_code lim_sandbox_text(lim_sandbox *box, const char *file, const char *text, size_t length, lim_error *err) {
  box->file = file;
  box->turned = 0;
  box->why = FINE;
  box->line = 0;
  if (length > SOURCE) return lim_error_add(err, LIM_BAD_INPUT, file, 0, 0, "the text is longer than 1 MiB");
  if (length && text[0] == LUA_SIGNATURE[0])
    return lim_error_add(err, LIM_BAD_INPUT, file, 0, 0, "this is compiled Lua; only its text is taken");
  box->running = true;
  const int status = luaL_loadbufferx(box->L, text, length, "=" CHUNK, "t");
  box->running = false;
  return status == LUA_OK ? LIM_OK : report(box, status, err);
}

lim_code lim_sandbox_load(lim_sandbox *box, const char *path, lim_error *err) {
  FILE *file;
  lim_code code = lim_file_open(&file, path, "a program", false, err);
  if (code != LIM_OK) return code;
  char *text = malloc(SOURCE + 1);
  char *name = strdup(path);
  if (!text || !name) code = lim_no_memory(err);
  free(box->path);
  box->path = name;
  errno = 0;
  const size_t length = code == LIM_OK ? fread(text, 1, SOURCE + 1, file) : 0;
  if (code == LIM_OK && ferror(file))
    code = lim_error_add(err, LIM_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
  if (code == LIM_OK) code = lim_sandbox_text(box, name, text, length, err);
  free(text);
  fclose(file);
  return code;
}

// --- set-up ---

static int open_library(lua_State *L) {
  lim_sandbox_library(L);
  return 0;
}

typedef struct {
  const luaL_Reg *list;
  void *self;
} offer;

static int open_offer(lua_State *L) {
  const offer *o = lua_touserdata(L, 1);
  for (const luaL_Reg *f = o->list; f->name; f++) {
    lua_pushlightuserdata(L, o->self);
    lua_pushcclosure(L, f->func, 1);
    lua_setglobal(L, f->name);
  }
  return 0;
}

static lim_code set_up(lim_sandbox *box, lua_CFunction f, void *argument, lim_error *err) {
  box->turned = 0;
  lua_pushcfunction(box->L, f);
  lua_pushlightuserdata(box->L, argument);
  box->running = true;
  const int status = lua_pcall(box->L, 1, 0, 0);
  box->running = false;
  return status == LUA_OK ? LIM_OK : report(box, status, err);
}

lim_code lim_sandbox_offer(lim_sandbox *box, const luaL_Reg *list, void *self, lim_error *err) {
  offer o = {list, self};
  return set_up(box, open_offer, &o, err);
}

lim_code lim_sandbox_new(lim_sandbox **out, const lim_sandbox_setup *setup, lim_error *err) {
  *out = NULL;
  lim_code code = lim_lua_load(err);
  if (code != LIM_OK) return code;
  lim_sandbox *box = *out = calloc(1, sizeof *box);
  if (!box) return lim_no_memory(err);
  if (setup) box->setup = *setup;
  if (!box->setup.memory) box->setup.memory = (size_t)16 << 20;
  if (!(box->setup.instructions > 0)) box->setup.instructions = 1e7;
  if (!(box->setup.seconds > 0)) box->setup.seconds = 30;
  lua_State *L = lua_newstate(allocate, box);
  if (L) {
    *(lim_sandbox **)lua_getextraspace(L) = box;
    box->L = L;
    code = set_up(box, open_library, NULL, err);
  } else {
    code = lim_no_memory(err);
  }
  if (code == LIM_OK) return LIM_OK;
  lim_sandbox_free(box);
  *out = NULL;
  return code;
}

void lim_sandbox_free(lim_sandbox *box) {
  if (!box) return;
  if (box->L) lua_close(box->L);
  free(box->path);
  free(box);
}
