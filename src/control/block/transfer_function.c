// transfer_function.c - gain num(s)/den(s), highest powers first
#include "control/block/kinds.h"

typedef struct {
  LIM_LIST(double) num, den; // highest powers first
} keys;

static const lim_key own[] = {
    {"num", &lim_numbers, offsetof(keys, num), "coefficients of the numerator, highest power of s first",
     .unit = "", .need = "*"},
    {"den", &lim_numbers, offsetof(keys, den), "coefficients of the denominator, highest power of s first",
     .unit = "", .need = "*"},
    {0}};

enum { ORDER = 30 };

static void check(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  const keys *k = b->own;
  lim_block_one_input(v, block);
  if (k->den.count > ORDER + 1)
    lim_resolve_error(v, &b->head, "den", "den has %d coefficients, must have at most %d", k->den.count,
                      ORDER + 1);
  else if (k->den.item[0] == 0)
    lim_resolve_error(v, &b->head, "den", "den begins with 0, must begin with the highest power of s");
  else if (k->num.count > k->den.count)
    lim_resolve_error(v, &b->head, "num",
                      "num has %d coefficients, must have at most as many as den, which has %d", k->num.count,
                      k->den.count);
}

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  const keys *k = b->from->own;
  double num[ORDER + 1] = {0};
  const int gap = k->den.count - k->num.count;
  for (int i = 0; i < k->num.count; i++) num[gap + i] = b->from->gain * k->num.item[i];
  return lim_fraction_prepare(b, num, k->den.item, k->den.count, s, err);
}

const lim_block_kind lim_block_transfer_function = {.row = {.word = "transfer-function",
                                                            .help = "gain num(s)/den(s)",
                                                            .takes = "input gain",
                                                            .needs = "input",
                                                            .own = own,
                                                            .size = sizeof(keys),
                                                            .check = check},
                                                    .linear = true,
                                                    .prepare = prepare,
                                                    .output = lim_fraction_output,
                                                    .rates = lim_fraction_rates};
