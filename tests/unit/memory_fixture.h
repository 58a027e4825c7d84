// memory_fixture.h - allocations that are counted and made to fail. The linker leads the library's calls here
// (--wrap in tests/CMakeLists.txt); what other shared libraries take inside themselves is not seen.
#ifndef LIM_TESTS_MEMORY_FIXTURE_H
#define LIM_TESTS_MEMORY_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

static long calls, failing, live; // calls so far; the call that fails, 0: none; blocks not yet given back
static bool forbidden;            // every call fails

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *block);

static bool fails(void) { return ++calls == failing || forbidden; }

static void *counted(void *block) {
  live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : counted(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : counted(__real_calloc(count, size)); }

void *__wrap_realloc(void *old, size_t size) {
  if (fails()) return NULL;
  void *block = __real_realloc(old, size);
  if (!old) counted(block);
  return block;
}

void __wrap_free(void *block) {
  live -= block != NULL;
  __real_free(block);
}

// Count anew; call number n, from 1, fails.
static void fail_call(long n) {
  calls = live = 0;
  failing = n;
}

#endif
