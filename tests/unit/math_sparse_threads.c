// math_sparse_threads.c - factors and modes of several threads at once are those of one.
#include "sparse_fixture.h"

#include <pthread.h>

enum { WIDTH = 20, POINTS = WIDTH * WIDTH, COUNT = 8, THREADS = 4, RUNS = 3 };

typedef struct {
  lim_code code;
  double b[POINTS], lambda[COUNT], x[COUNT * POINTS];
} result;

static void *run(void *user) {
  result *r = user;
  unsigned seed = 4;
  lim_symmetric K = membrane(WIDTH, WIDTH), M = diagonal(POINTS, 0.7);
  for (int i = 0; i < RUNS; i++) {
    lim_factor *f = NULL;
    fill(r->b, POINTS, 1, &seed);
    r->code = lim_factor_new(&f, &K, NULL);
    if (r->code == LIM_OK) r->code = lim_factor_solve(f, r->b, 1, NULL);
    if (r->code == LIM_OK) r->code = lim_sparse_modes(r->lambda, r->x, f, 0, &M, COUNT, NULL);
    lim_factor_free(f);
  }
  symmetric_free(&K);
  symmetric_free(&M);
  return NULL;
}

static void threads_have_the_bits_of_one(void **state) {
  (void)state;
  static result alone, of[THREADS];
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, run, &of[i]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  run(&alone);
  assert_int_equal(alone.code, LIM_OK);
  for (int i = 0; i < THREADS; i++) assert_memory_equal(&of[i], &alone, sizeof alone);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_have_the_bits_of_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
