// arena.h - memory that is taken piece by piece and given back all at once.
#ifndef LIM_BASE_ARENA_H
#define LIM_BASE_ARENA_H

#include <stddef.h>

typedef struct lim_arena_block lim_arena_block;

typedef struct {
  lim_arena_block *last; // newest block; blocks are chained for lim_arena_free
} lim_arena;

// size zeroed bytes, aligned for any type; NULL when memory is out.
void *lim_arena_take(lim_arena *arena, size_t size);

// count zeroed items of `size` bytes; NULL when memory is out or the product overflows.
void *lim_arena_array(lim_arena *arena, size_t count, size_t size);

// A copy of length bytes of text, terminated.
char *lim_arena_text(lim_arena *arena, const char *text, size_t length);

void lim_arena_free(lim_arena *arena);

#endif
