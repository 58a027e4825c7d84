// short_of_memory.c - allocations of the program and the library that are counted and made to fail. The linker
// leads their calls here (--wrap in tests/CMakeLists.txt); what other libraries take inside themselves is not
// seen. FAIL_AT: the call that fails; the number of calls is written to the file COUNT_TO.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

static long calls, failing;

static void tell(void) {
  const char *path = getenv("COUNT_TO");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAIL_AT");
  failing = at ? strtol(at, NULL, 10) : 0;
  atexit(tell);
}

static int fails(void) { return ++calls == failing; }

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }
