// notch.c - (s^2 + 2 depth damping w s + w^2)/(s^2 + 2 damping w s + w^2), w = 2 pi frequency: depth is left at
// w
#include "control/block/kinds.h"

#include <math.h>

typedef struct {
  double depth;
} keys;

static const lim_key own[] = {{"depth", &lim_number, offsetof(keys, depth),
                               "what a notch leaves at its frequency", .unit = "", .range = ">= 0",
                               .preset = "0"},
                              {0}};

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  const lim_block *from = b->from;
  const keys *k = from->own;
  const double w = 2 * M_PI * from->frequency, d = 2 * from->damping * w;
  const double num[3] = {1, k->depth * d, w * w}, den[3] = {1, d, w * w};
  return lim_fraction_prepare(b, num, den, 3, s, err);
}

const lim_block_kind lim_block_notch = {.row = {.word = "notch",
                                                .help = "takes a frequency out, but for depth",
                                                .takes = "input frequency damping",
                                                .needs = "input frequency",
                                                .own = own,
                                                .size = sizeof(keys),
                                                .check = lim_block_one_input},
                                        .linear = true,
                                        .prepare = prepare,
                                        .output = lim_fraction_output,
                                        .rates = lim_fraction_rates};
