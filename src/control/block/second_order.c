// second_order.c - gain w^2/(s^2 + 2 damping w s + w^2), w = 2 pi frequency
#include "control/block/kinds.h"

#include <math.h>

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  const lim_block *from = b->from;
  const double w = 2 * M_PI * from->frequency;
  const double num[3] = {0, 0, from->gain * w * w}, den[3] = {1, 2 * from->damping * w, w * w};
  return lim_fraction_prepare(b, num, den, 3, s, err);
}

const lim_block_kind lim_block_second_order = {
    .row = {.word = "second-order",
            .help = "gain w^2/(s^2 + 2 damping w s + w^2), w = 2 pi frequency",
            .takes = "input gain frequency damping",
            .needs = "input frequency",
            .check = lim_block_one_input},
    .linear = true,
    .prepare = prepare,
    .output = lim_fraction_output,
    .rates = lim_fraction_rates};
