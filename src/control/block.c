// block.c - the table of kinds, and what several of them use.
#include "control/kinds.h"

#include <math.h>
#include <stdint.h>

const lim_block_kind *const lim_block_kinds[] = {
    &lim_block_gain,         &lim_block_sum,
    &lim_block_integrator,   &lim_block_first_order,
    &lim_block_second_order, &lim_block_lead_lag,
    &lim_block_notch,        &lim_block_transfer_function,
    &lim_block_limiter,      &lim_block_dead_zone,
    &lim_block_table,        &lim_block_rate_limiter,
    &lim_block_sample_hold,  &lim_block_delay,
    &lim_block_sensor,       &lim_block_noise,
    &lim_block_signal,       NULL,
};

lim_code lim_box_numbers(lim_box *b, int count, const lim_box_setup *s, lim_error *err) {
  b->np = count;
  b->p = lim_arena_array(s->arena, (size_t)count, sizeof *b->p);
  return b->p ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
}

double lim_box_held(const lim_box *b, double t, bool before, const double *u, const double *x,
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
