// library.h - shared libraries that are loaded when they are first needed: HDF5, cairo, libzip, Lua, MUMPS,
// ARPACK. Who does without them neither waits for them nor has to have them.
//
// A file xxx_calls.h lists what limber calls of a library, as LIM_XXX_CALLS(X). Of that list a table of
// pointers is made, with the types of the library's own header, and for every name stands a macro that leads to
// its pointer: code that includes xxx_calls.h instead of the library's header reads as it always did. The table
// belongs to the process, is filled once and never changes; nothing may be called before lim_xxx_load was fine.
#ifndef LIM_BASE_LIBRARY_LIBRARY_H
#define LIM_BASE_LIBRARY_LIBRARY_H

#include "base/error.h"

#include <stdbool.h>

#define LIM_LIBRARY_POINTER(name) __typeof__(name) *name; // of a function, or of a variable
#define LIM_LIBRARY_NAME(name)    #name,

typedef struct {
  const char *name;          // as people know it
  const char *file;          // as the system knows it
  const char *const *symbol; // in the order of the table          (count)
  int count, variables;      // all of them; the last ones, which are variables
  void *table;               // of pointers                                      (count)
  bool loaded;
  // NULL, or a name that this library and others share: all it calls is found when it is loaded, and in itself
  // first where somebody has brought such a name into the process. (Not always so: the address sanitizer
  // cannot.)
  const char *shared;
} lim_library;

// Nothing happens if it is loaded already. LIM_IO: it is not there, or lacks something.
lim_code lim_library_load(lim_library *library, lim_error *err);

#endif
