// first_order.c - gain/(1 + time s)
#include "control/kinds.h"

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  const double num[2] = {0, b->from->gain}, den[2] = {b->from->time, 1};
  return lim_fraction_prepare(b, num, den, 2, s, err);
}

const lim_block_kind lim_block_first_order = {.name = "first-order",
                                              .linear = true,
                                              .prepare = prepare,
                                              .output = lim_fraction_output,
                                              .rates = lim_fraction_rates};
