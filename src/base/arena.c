// arena.c - a chain of blocks, each handing out its bytes in order.
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16384 };

struct lim_arena_block {
  lim_arena_block *before;
  size_t used, size;
  alignas(max_align_t) char bytes[];
};

void *lim_arena_allocate(lim_arena *arena, size_t size) {
  const size_t grain = alignof(max_align_t);
  if (size > SIZE_MAX / 2) return NULL;
  size = (size + grain - 1) / grain * grain;
  lim_arena_block *block = arena->last;
  if (!block || block->size - block->used < size) {
    size_t capacity = size > BLOCK ? size : BLOCK;
    block = calloc(1, sizeof *block + capacity);
    if (!block) return NULL;
    block->size = capacity;
    block->before = arena->last;
    arena->last = block;
  }
  void *piece = block->bytes + block->used;
  block->used += size;
  return piece;
}

void *lim_arena_array(lim_arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return lim_arena_allocate(arena, count * size);
}

void *lim_arena_grow(lim_arena *arena, void *array, size_t count, size_t size) {
  if (count & (count - 1)) return array; // full at powers of two
  if (count > SIZE_MAX / 2) return NULL;
  void *more = lim_arena_array(arena, count ? 2 * count : 1, size);
  if (more && count) memcpy(more, array, count * size);
  return more;
}

char *lim_arena_text(lim_arena *arena, const char *text, size_t length) {
  char *copy = lim_arena_allocate(arena, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

void lim_arena_free(lim_arena *arena) {
  while (arena->last) {
    lim_arena_block *block = arena->last;
    arena->last = block->before;
    free(block);
  }
}
