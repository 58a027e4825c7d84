// transfer_function.c - gain num(s)/den(s), highest powers first
#include "control/kinds.h"

enum { ORDER = 30 }; // the model is checked for it

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  const lim_block *from = b->from;
  double num[ORDER + 1] = {0};
  const int gap = from->den.count - from->num.count;
  for (int i = 0; i < from->num.count; i++) num[gap + i] = from->gain * from->num.item[i];
  return lim_fraction_prepare(b, num, from->den.item, from->den.count, s, err);
}

const lim_block_kind lim_block_transfer_function = {.name = "transfer-function",
                                                    .linear = true,
                                                    .prepare = prepare,
                                                    .output = lim_fraction_output,
                                                    .rates = lim_fraction_rates};
