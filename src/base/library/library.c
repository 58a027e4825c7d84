// library.c - shared libraries that are loaded when they are first needed. They stay until the process ends.
#include "base/library/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER; // of all tables

// Variables are looked for as the library itself does it: a program that is linked with it may have them as its
// own.
static const void *find(const lim_library *l, void *handle, int i) {
  const void *pointer = i >= l->count - l->variables ? dlsym(RTLD_DEFAULT, l->symbol[i]) : NULL;
  return pointer ? pointer : dlsym(handle, l->symbol[i]);
}

static lim_code fill(const lim_library *l, void *handle, lim_error *err) {
  for (int i = 0; i < l->count; i++) {
    const void *pointer = find(l, handle, i);
    if (!pointer)
      return LIM_FAIL(err, LIM_IO, "%s cannot be used: %s has no %s", l->name, l->file, l->symbol[i]);
    memcpy((char *)l->table + (size_t)i * sizeof pointer, &pointer, sizeof pointer);
  }
  return LIM_OK;
}

// Names of the process come before the library's own, unless it is bound deeply.
static int binding(const lim_library *l) {
  if (!l->shared) return RTLD_LAZY;
  return dlsym(RTLD_DEFAULT, l->shared) ? RTLD_NOW | RTLD_DEEPBIND : RTLD_NOW;
}

static lim_code load(lim_library *l, lim_error *err) {
  void *handle = dlopen(l->file, binding(l) | RTLD_LOCAL);
  if (!handle) return LIM_FAIL(err, LIM_IO, "%s cannot be loaded: %s", l->name, dlerror());
  lim_code code = fill(l, handle, err);
  l->loaded = code == LIM_OK;
  if (!l->loaded) dlclose(handle);
  return code;
}

lim_code lim_library_load(lim_library *library, lim_error *err) {
  pthread_mutex_lock(&guard);
  lim_code code = library->loaded ? LIM_OK : load(library, err);
  pthread_mutex_unlock(&guard);
  return code;
}
