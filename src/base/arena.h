// arena.h - memory that is taken piece by piece and given back all at once.
#ifndef LIM_BASE_ARENA_H
#define LIM_BASE_ARENA_H

#include <stddef.h>

typedef struct lim_arena_block lim_arena_block;

typedef struct {
  lim_arena_block *last; // newest block; blocks are chained for lim_arena_free
} lim_arena;

// size zeroed bytes, aligned for any type; NULL when memory is out.
void *lim_arena_allocate(lim_arena *arena, size_t size);

// count zeroed items of `size` bytes; NULL when memory is out or the product overflows.
void *lim_arena_array(lim_arena *arena, size_t count, size_t size);

// An array of `count` items with room for one more, which grows by doubling: the array itself, or a copy where
// it is full; NULL when memory is out. It must have grown by this alone, from NULL and 0 on. What it grew out
// of stays with the arena.
void *lim_arena_grow(lim_arena *arena, void *array, size_t count, size_t size);

// A copy of length bytes of text, terminated.
char *lim_arena_text(lim_arena *arena, const char *text, size_t length);

void lim_arena_free(lim_arena *arena);

#endif
