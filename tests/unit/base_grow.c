// base_grow.c - tests of arrays that grow: what they hold, how often they move, what they refuse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "memory_fixture.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double x[3];
} item;

static void array_grown_one_by_one_keeps_its_items_and_moves_seldom(void **state) {
  (void)state;
  enum { N = 100000 };
  item *list = NULL;
  size_t capacity = 0;
  fail_call(0);
  for (int i = 0; i < N; i++) {
    assert_true(LIM_GROW(list, capacity, i));
    list[i] = (item){i, {i, -i, 0.5 * i}};
  }
  assert_in_range(capacity, N, 2 * N);
  assert_in_range(calls, 1, 17); // 2^17 > N
  for (int i = 0; i < N; i++) assert_true(list[i].n == i && list[i].x[1] == -i && list[i].x[2] == 0.5 * i);
  free(list);
  assert_int_equal(live, 0);
}

static void array_with_room_is_not_touched(void **state) {
  (void)state;
  char *text = NULL;
  size_t capacity = 0;
  assert_true(lim_grow(&text, &capacity, 1000, 1));
  char *const before = text;
  fail_call(0);
  for (size_t need = 0; need <= capacity; need++) assert_true(lim_grow(&text, &capacity, need, 1));
  assert_ptr_equal(text, before);
  assert_int_equal(calls, 0);
  free(text);
}

static void need_of_many_at_once_is_met(void **state) {
  (void)state;
  for (size_t need = 1; need < 5000; need += 37) {
    char *text = NULL;
    size_t capacity = 0;
    assert_true(lim_grow(&text, &capacity, need, 1));
    assert_in_range(capacity, need, 2 * need + 16);
    memset(text, 'x', capacity);
    free(text);
  }
}

static void failed_allocation_leaves_array_and_capacity(void **state) {
  (void)state;
  double *x = NULL;
  size_t capacity = 0;
  fail_call(1);
  assert_false(LIM_GROW(x, capacity, 0));
  assert_null(x);
  assert_int_equal(capacity, 0);
  fail_call(0);
  assert_true(LIM_GROW(x, capacity, 0));
  const size_t full = capacity;
  double *const before = x;
  for (size_t i = 0; i < full; i++) x[i] = (double)i;
  fail_call(1);
  assert_false(LIM_GROW(x, capacity, full));
  assert_ptr_equal(x, before);
  assert_int_equal(capacity, full);
  for (size_t i = 0; i < full; i++) assert_true(x[i] == (double)i);
  assert_true(LIM_GROW(x, capacity, full)); // the next call does not fail
  for (size_t i = 0; i < full; i++) assert_true(x[i] == (double)i);
  free(x);
}

static void sizes_that_overflow_are_refused_without_a_call(void **state) {
  (void)state;
  item *list = NULL;
  size_t capacity = 0;
  fail_call(0);
  const size_t need[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX / sizeof *list + 2,
                         SIZE_MAX / 2 / sizeof *list + 1};
  for (size_t i = 0; i < sizeof need / sizeof *need; i++)
    assert_false(lim_grow(&list, &capacity, need[i], sizeof *list));
  assert_false(lim_grow_to(&list, SIZE_MAX / 8, 16));
  assert_false(lim_grow_to(&list, 0, 16));
  assert_null(list);
  assert_int_equal(capacity, 0);
  assert_int_equal(calls, 0);
  assert_int_equal(lim_grow_capacity(0, SIZE_MAX), 0);
  assert_in_range(lim_grow_capacity(16, SIZE_MAX / 2), SIZE_MAX / 2, SIZE_MAX);
}

// Rows of no columns: there is an array all the same, so that NULL always means that memory is out.
static void items_of_no_size_are_an_array(void **state) {
  (void)state;
  double *value = NULL;
  size_t capacity = 0;
  assert_true(lim_grow(&value, &capacity, 100, 0));
  assert_non_null(value);
  assert_true(capacity >= 100);
  assert_true(lim_grow(&value, &capacity, 1000, 0));
  free(value);
}

static void arena_array_grown_one_by_one_keeps_its_items(void **state) {
  (void)state;
  enum { N = 5000 };
  lim_arena arena = {0};
  item *list = NULL;
  for (int i = 0; i < N; i++) {
    list = lim_arena_grow(&arena, list, (size_t)i, sizeof *list);
    assert_non_null(list);
    list[i].n = i;
  }
  for (int i = 0; i < N; i++) assert_int_equal(list[i].n, i);
  assert_null(lim_arena_grow(&arena, list, SIZE_MAX / 2 + 1, 1));
  assert_null(lim_arena_grow(&arena, list, (size_t)1 << 60, sizeof *list));
  forbidden = true;
  assert_null(lim_arena_grow(&arena, list, 1 << 20, sizeof *list));
  forbidden = false;
  lim_arena_free(&arena);
}

static void memory_that_is_out_is_said_once_and_alike(void **state) {
  (void)state;
  lim_error err = {0};
  assert_int_equal(lim_no_memory(&err), LIM_NO_MEMORY);
  assert_int_equal(lim_no_memory(NULL), LIM_NO_MEMORY);
  assert_int_equal(err.code, LIM_NO_MEMORY);
  assert_string_equal(err.note[0].text, lim_code_text(LIM_NO_MEMORY));
  lim_error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(array_grown_one_by_one_keeps_its_items_and_moves_seldom),
      cmocka_unit_test(array_with_room_is_not_touched),
      cmocka_unit_test(need_of_many_at_once_is_met),
      cmocka_unit_test(failed_allocation_leaves_array_and_capacity),
      cmocka_unit_test(sizes_that_overflow_are_refused_without_a_call),
      cmocka_unit_test(items_of_no_size_are_an_array),
      cmocka_unit_test(arena_array_grown_one_by_one_keeps_its_items),
      cmocka_unit_test(memory_that_is_out_is_said_once_and_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
