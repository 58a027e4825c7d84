// notch.c - (s^2 + 2 depth damping w s + w^2)/(s^2 + 2 damping w s + w^2), w = 2 pi frequency: depth is left at
// w
#include "control/kinds.h"

#include <math.h>

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  const lim_block *from = b->from;
  const double w = 2 * M_PI * from->frequency, d = 2 * from->damping * w;
  const double num[3] = {1, from->depth * d, w * w}, den[3] = {1, d, w * w};
  return lim_fraction_prepare(b, num, den, 3, s, err);
}

const lim_block_kind lim_block_notch = {.name = "notch",
                                        .linear = true,
                                        .prepare = prepare,
                                        .output = lim_fraction_output,
                                        .rates = lim_fraction_rates};
