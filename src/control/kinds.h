// kinds.h - what the kinds of blocks share: fractions of polynomials, delays, noise. Inside src/control.
#ifndef LIM_CONTROL_KINDS_H
#define LIM_CONTROL_KINDS_H

#include "control/block.h"

extern const lim_block_kind lim_block_gain, lim_block_sum, lim_block_integrator, lim_block_first_order,
    lim_block_second_order, lim_block_lead_lag, lim_block_notch, lim_block_transfer_function, lim_block_limiter,
    lim_block_dead_zone, lim_block_table, lim_block_rate_limiter, lim_block_sample_hold, lim_block_delay,
    lim_block_sensor, lim_block_noise, lim_block_signal;

// Numbers of its own, zeroed.
lim_code lim_box_numbers(lim_box *b, int count, const lim_box_setup *s, lim_error *err);

// What a sampled block holds.
double lim_box_held(const lim_box *b, double t, bool before, const double *u, const double *x, const double *z);

// num/den, each `count` coefficients, highest power first, den[0] != 0.   (2)-(4)
lim_code lim_fraction_prepare(lim_box *b, const double *num, const double *den, int count,
                              const lim_box_setup *s, lim_error *err);
double lim_fraction_output(const lim_box *b, double t, bool before, const double *u, const double *x,
                           const double *z);
void lim_fraction_rates(double *rate, const lim_box *b, const double *u, const double *x);

// Values that come out `whole` ticks later. z: what comes out now, then the ring   (2 + whole)
void lim_queue_store(double *z, int whole, long k, double value);
void lim_queue_release(double *z, int whole, long k); // nothing before tick `whole`

// A number of a normal distribution: the k-th of a sequence.
double lim_normal(int seed, long k);

#endif
