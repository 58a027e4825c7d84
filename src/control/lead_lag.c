// lead_lag.c - gain (1 + lead s)/(1 + lag s)
#include "control/kinds.h"

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  const lim_block *from = b->from;
  const double num[2] = {from->gain * from->lead, from->gain}, den[2] = {from->lag, 1};
  return lim_fraction_prepare(b, num, den, 2, s, err);
}

const lim_block_kind lim_block_lead_lag = {.name = "lead-lag",
                                           .linear = true,
                                           .prepare = prepare,
                                           .output = lim_fraction_output,
                                           .rates = lim_fraction_rates};
