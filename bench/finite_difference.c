// finite_difference.c - grid-point updates per second of the finite-difference scheme against
// what the arithmetic of one core can do, as Markdown. Figures: bench/README.md.
#include "analysis/study/fd_scheme.h"
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- arithmetic ---

// Sums and products of doubles in registers, in chains that do not wait for each other; as many products as
// sums, and twice as many sums, as cores differ in what they do at once.
enum { ROUNDS = 2000000, CHAINS = 12 };

typedef double two __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
typedef double eight __attribute__((vector_size(64)));

#define CHAIN(type, name, attribute, operations, expression)                                                   \
  attribute static double name(void) {                                                                         \
    type x[CHAINS], a, b;                                                                                      \
    for (int i = 0; i < (int)(sizeof a / sizeof(double)); i++) {                                               \
      a[i] = 0.999999;                                                                                         \
      b[i] = 1e-6;                                                                                             \
      for (int k = 0; k < CHAINS; k++) x[k][i] = k;                                                            \
    }                                                                                                          \
    double begin = bench_seconds();                                                                            \
    for (int r = 0; r < ROUNDS; r++) {                                                                         \
      _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) x[k] = expression;                             \
    }                                                                                                          \
    double seconds = bench_seconds() - begin;                                                                  \
    volatile double sink = 0;                                                                                  \
    for (int k = 0; k < CHAINS; k++) sink = sink + x[k][0];                                                    \
    return (double)operations * ROUNDS * CHAINS * (double)(sizeof a / sizeof(double)) / seconds;               \
  }

CHAIN(two, even_as_built, , 2, x[k] * a + b)
CHAIN(two, sums_as_built, , 3, (x[k] + b) * a + b)

// With all that the core has. Elsewhere than on x86 a build uses it anyway.
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define WITH(features) __attribute__((target(features), optimize("fp-contract=fast")))
#define HAS(feature)   __builtin_cpu_supports(feature)
#else
#define WITH(features)
#define HAS(feature) 0
#endif
CHAIN(four, even_of_avx2, WITH("avx2,fma"), 2, x[k] * a + b)
CHAIN(eight, even_of_avx512, WITH("avx512f,fma"), 2, x[k] * a + b)

static double best_of(double (*measure)(void)) {
  double best = 0;
  for (int i = 0; i < 15; i++) best = fmax(best, measure());
  return best;
}

// --- the scheme ---

// Updates per second of the manipulator of Tokhi 1995 with n sections.
static double updates(int n) {
  lim_fd_link link = {.n = n,
                      .length = 0.96,
                      .mass = 0.164858,
                      .stiffness = 3.686604,
                      .hub = 5.86e-4,
                      .tip = 0.01,
                      .damping = 0.024};
  lim_fd *s = NULL;
  double h = 0, best = 0;
  if (lim_fd_new(&s, &link, NULL) != LIM_OK || lim_fd_largest_step(&h, s, NULL) != LIM_OK) exit(1);
  lim_fd_start(s, 0.9 * h, 0);
  long steps = 20000000 / n;
  for (int k = 0; k < 9; k++) {
    double begin = bench_seconds();
    for (long i = 0; i < steps; i++) lim_fd_step(s, i < steps / 2 ? 0.1 : -0.1);
    best = fmax(best, (double)steps * n / (bench_seconds() - begin));
  }
  if (!isfinite(s->now[n])) exit(1);
  lim_fd_free(s);
  return best;
}

// Operations per second of one core.
typedef struct {
  double built, all; // in the instructions of this build, with all that it has
} arithmetic;

static arithmetic measure_arithmetic(void) {
  arithmetic a = {.built = fmax(best_of(even_as_built), best_of(sums_as_built))};
  a.all = a.built;
  if (HAS("avx2") && HAS("fma")) a.all = fmax(a.all, best_of(even_of_avx2));
  if (HAS("avx512f")) a.all = fmax(a.all, best_of(even_of_avx512));
  return a;
}

int main(void) {
  static const int N[] = {19, 38, 76, 152, 304, 608, 1216};
  arithmetic core = measure_arithmetic();
  printf("One core does %.1f Gflop/s in the instructions of this build, %.1f with all it has.\n\n",
         1e-9 * core.built, 1e-9 * core.all);
  printf("| n | updates/s | Gflop/s | of the build's arithmetic | of the core's |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof N / sizeof *N; i++) {
    double rate = updates(N[i]), flops = LIM_FD_FLOPS * rate;
    printf("| %d | %.2g | %.1f | %.0f %% | %.0f %% |\n", N[i], rate, 1e-9 * flops, 100 * flops / core.built,
           100 * flops / core.all);
  }
  return 0;
}
