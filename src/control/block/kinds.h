// kinds.h - what the kinds of blocks share: fractions of polynomials, delays, noise. Inside src/control only.
#ifndef LIM_CONTROL_BLOCK_KINDS_H
#define LIM_CONTROL_BLOCK_KINDS_H

#include "control/block.h"
#include "model/check/resolve.h"

#define ROW(kind) extern const lim_block_kind lim_block_##kind;
#include "control/block/kinds.def"
#undef ROW

// Checks of a block: that it takes one input; the same, and that its limits rise.
void lim_block_one_input(lim_resolver *v, const void *block);
void lim_block_limits(lim_resolver *v, const void *block);

// Numbers of its own, zeroed.
lim_code lim_block_numbers(lim_block_instance *b, int count, const lim_block_setup *s, lim_error *err);

// What a sampled block holds.
double lim_block_held(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                      const double *z);

// num/den, each `count` coefficients, highest power first, den[0] != 0.   (2)-(4)
lim_code lim_fraction_prepare(lim_block_instance *b, const double *num, const double *den, int count,
                              const lim_block_setup *s, lim_error *err);
double lim_fraction_output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                           const double *z);
void lim_fraction_rates(double *rate, const lim_block_instance *b, const double *u, const double *x);

// Values that come out `whole` ticks later. z: what comes out now, then the ring   (2 + whole)
void lim_queue_store(double *z, int whole, long k, double value);
void lim_queue_release(double *z, int whole, long k); // nothing before tick `whole`

// A number of a normal distribution: the k-th of a sequence.
double lim_normal(int seed, long k);

#endif
