// lead_lag.c - gain (1 + lead s)/(1 + lag s)
#include "control/block/kinds.h"

typedef struct {
  double lead, lag;
} keys;

static const lim_key own[] = {{"lead", &lim_number, offsetof(keys, lead), "time constant of the numerator",
                               .unit = "s", .range = ">= 0", .need = "*"},
                              {"lag", &lim_number, offsetof(keys, lag), "time constant of the denominator",
                               .unit = "s", .range = "> 0", .need = "*"},
                              {0}};

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  const keys *k = b->from->own;
  const double gain = b->from->gain;
  const double num[2] = {gain * k->lead, gain}, den[2] = {k->lag, 1};
  return lim_fraction_prepare(b, num, den, 2, s, err);
}

const lim_block_kind lim_block_lead_lag = {.row = {.word = "lead-lag",
                                                   .help = "gain (1 + lead s)/(1 + lag s)",
                                                   .takes = "input gain",
                                                   .needs = "input",
                                                   .own = own,
                                                   .size = sizeof(keys),
                                                   .check = lim_block_one_input},
                                           .linear = true,
                                           .prepare = prepare,
                                           .output = lim_fraction_output,
                                           .rates = lim_fraction_rates};
