// delay.c - the input at the ticks of its clock, each held for a period, `delay` later.
#include "control/block/kinds.h"

#include <math.h>

typedef struct {
  double delay;
} keys;

static const lim_key own[] = {{"delay", &lim_number, offsetof(keys, delay),
                               "how much later its samples come out", .unit = "s", .range = ">= 0",
                               .need = "*"},
                              {0}};

enum { SAMPLES = 100000 }; // on their way

static void check(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  const keys *k = b->own;
  lim_block_one_input(v, block);
  if (k->delay * b->rate > SAMPLES)
    lim_resolve_error(v, &b->head, "delay", "delay is %g samples, must be at most %d", k->delay * b->rate,
                      SAMPLES);
}

// Parts of a period below this are rounding.
static const double WHOLE = 1e-6;

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  (void)s, (void)err;
  const keys *k = b->from->own;
  const double ticks = k->delay / b->period;
  b->whole = (int)floor(ticks + WHOLE);
  b->shift = ticks - b->whole > WHOLE ? k->delay - b->whole * b->period : 0;
  b->direct = b->whole == 0 && b->shift == 0;
  b->nz = 2 + b->whole;
  return LIM_OK;
}

static void start(double *x, double *z, const lim_block_instance *b) {
  (void)x;
  z[0] = b->from->initial;
}

static void store(double *z, const lim_block_instance *b, long k, const double *u) {
  lim_queue_store(z, b->whole, k, u[0]);
}

static void release(double *z, const lim_block_instance *b, long k) { lim_queue_release(z, b->whole, k); }

static void tick(double *z, const lim_block_instance *b, long k, const double *u) { // without a delay
  (void)b, (void)k;
  z[0] = u[0];
}

const lim_block_kind lim_block_delay = {.row = {.word = "delay",
                                                .help = "the input, later",
                                                .takes = "input rate initial",
                                                .needs = "input rate",
                                                .own = own,
                                                .size = sizeof(keys),
                                                .check = check},
                                        .linear = true,
                                        .prepare = prepare,
                                        .start = start,
                                        .output = lim_block_held,
                                        .tick = tick,
                                        .store = store,
                                        .release = release};
