// block.c - the table of kinds, and what several of them use.
#include "control/block/kinds.h"

#include <math.h>
#include <stdint.h>

const lim_block_kind *const lim_block_kinds[] = {
#define ROW(kind) &lim_block_##kind,
#include "control/block/kinds.def"
#undef ROW
    NULL,
};

const lim_kind_row *lim_block_row(int i) { return lim_block_kinds[i] ? &lim_block_kinds[i]->row : NULL; }

// --- checks ---

void lim_block_one_input(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  if (b->inputs.count > 1)
    lim_resolve_error(v, &b->head, "input", "input has %d names, must be one: only a sum takes several",
                      b->inputs.count);
}

void lim_block_limits(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  lim_block_one_input(v, block);
  if (b->limits[0] > b->limits[1])
    lim_resolve_error(v, &b->head, "limits", "limits begin with %g, must be at most the second, %g",
                      b->limits[0], b->limits[1]);
}

// --- numbers ---

lim_code lim_block_numbers(lim_block_instance *b, int count, const lim_block_setup *s, lim_error *err) {
  b->np = count;
  b->p = lim_arena_array(s->arena, (size_t)count, sizeof *b->p);
  return b->p ? LIM_OK : lim_no_memory(err);
}

double lim_block_held(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                      const double *z) {
  (void)b, (void)t, (void)before, (void)u, (void)x;
  return z[0];
}

// --- delays ---

void lim_queue_store(double *z, int whole, long k, double value) { z[1 + k % (whole + 1)] = value; }

void lim_queue_release(double *z, int whole, long k) {
  if (k >= whole) z[0] = z[1 + (k - whole) % (whole + 1)];
}

// --- noise ---

// Mixes all bits of a number with all others: the finaliser of splitmix64.
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Evenly spread, above 0 and at most 1.
static double uniform(uint64_t x) { return ((double)(mix(x) >> 11) + 1) * 0x1p-53; }

double lim_normal(int seed, long k) {
  const uint64_t step = 0x9e3779b97f4a7c15u, at = mix(step * ((uint64_t)seed + 1)) + 2 * step * (uint64_t)k;
  return sqrt(-2 * log(uniform(at))) * cos(2 * M_PI * uniform(at + step)); // Box and Muller
}
