// limber.c - limber as one of the peers: the best of some runs of a model's steps. Prints what all peers print.
//
//   bench_limber MODEL MILLISECONDS RUNS [OVERRIDE...]
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// What is timed, and under callgrind counted.
__attribute__((noinline)) void peer_steps(bench_run *r, double end);
__attribute__((noinline)) void peer_steps(bench_run *r, double end) { bench_until(r, end); }

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s MODEL MILLISECONDS RUNS [OVERRIDE...]\n", argv[0]);
    return 2;
  }
  int milliseconds = atoi(argv[2]), runs = atoi(argv[3]);
  double best = INFINITY, tip[3] = {0};
  for (int k = 0; k < runs; k++) {
    bench_run r = bench_open(argv[1], (const char *const *)argv + 4, argc - 4);
    double begin = bench_seconds();
    peer_steps(&r, 1e-3 * milliseconds);
    best = fmin(best, bench_seconds() - begin);
    bench_tip(tip, &r);
    bench_close(&r);
  }
  printf("%.3f %.9f %.9f\n", 1e6 * best / milliseconds, tip[0], tip[1]);
  return 0;
}
