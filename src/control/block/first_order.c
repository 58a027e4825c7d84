// first_order.c - gain/(1 + time s)
#include "control/block/kinds.h"

typedef struct {
  double time;
} keys;

static const lim_key own[] = {
    {"time", &lim_number, offsetof(keys, time), "time constant", .unit = "s", .range = "> 0", .need = "*"},
    {0}};

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  const keys *k = b->from->own;
  const double num[2] = {0, b->from->gain}, den[2] = {k->time, 1};
  return lim_fraction_prepare(b, num, den, 2, s, err);
}

const lim_block_kind lim_block_first_order = {.row = {.word = "first-order",
                                                      .help = "gain/(1 + time s): a low-pass filter",
                                                      .takes = "input gain",
                                                      .needs = "input",
                                                      .own = own,
                                                      .size = sizeof(keys),
                                                      .check = lim_block_one_input},
                                              .linear = true,
                                              .prepare = prepare,
                                              .output = lim_fraction_output,
                                              .rates = lim_fraction_rates};
