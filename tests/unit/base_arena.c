// base_arena.c - tests of the arena.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

static void arena_unused_is_freeable(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_arena_free(&arena);
  assert_null(arena.last);
}

static void take_any_size_is_aligned(void **state) {
  (void)state;
  lim_arena arena = {0};
  for (size_t size = 0; size < 300; size++) {
    void *piece = lim_arena_allocate(&arena, size);
    assert_non_null(piece);
    assert_int_equal((uintptr_t)piece % alignof(max_align_t), 0);
  }
  lim_arena_free(&arena);
}

static void take_is_zeroed(void **state) {
  (void)state;
  lim_arena arena = {0};
  for (int i = 0; i < 200; i++) {
    char *piece = lim_arena_allocate(&arena, 777);
    for (int k = 0; k < 777; k++) assert_int_equal(piece[k], 0);
    memset(piece, 0xAA, 777);
  }
  lim_arena_free(&arena);
}

// Pieces of mixed sizes, some above a block's, each filled with its own mark: none may touch another.
static void take_pieces_do_not_overlap(void **state) {
  (void)state;
  enum { N = 120 };
  lim_arena arena = {0};
  unsigned char *piece[N];
  size_t size[N];
  for (int i = 0; i < N; i++) {
    size[i] = i % 10 == 3 ? 50000u + (size_t)i : (size_t)(i * 37 % 1500 + 1);
    piece[i] = lim_arena_allocate(&arena, size[i]);
    assert_non_null(piece[i]);
    memset(piece[i], i + 1, size[i]);
  }
  for (int i = 0; i < N; i++)
    for (size_t k = 0; k < size[i]; k++) assert_int_equal(piece[i][k], i + 1);
  lim_arena_free(&arena);
}

static void take_impossible_size_is_null(void **state) {
  (void)state;
  lim_arena arena = {0};
  assert_null(lim_arena_allocate(&arena, SIZE_MAX));
  assert_null(lim_arena_allocate(&arena, SIZE_MAX - 7));
  assert_non_null(lim_arena_allocate(&arena, 8)); // still usable
  lim_arena_free(&arena);
}

static void array_overflowing_product_is_null(void **state) {
  (void)state;
  lim_arena arena = {0};
  assert_null(lim_arena_array(&arena, SIZE_MAX / 4, 8));
  assert_null(lim_arena_array(&arena, 8, SIZE_MAX / 4));
  assert_null(lim_arena_array(&arena, SIZE_MAX / 2 + 1, 2));
  lim_arena_free(&arena);
}

static void array_is_zeroed_and_writable(void **state) {
  (void)state;
  lim_arena arena = {0};
  double *x = lim_arena_array(&arena, 5000, sizeof *x);
  assert_non_null(x);
  for (int i = 0; i < 5000; i++) {
    assert_true(x[i] == 0);
    x[i] = i;
  }
  assert_non_null(lim_arena_array(&arena, 0, sizeof *x));
  assert_non_null(lim_arena_array(&arena, 3, 0));
  lim_arena_free(&arena);
}

static void text_is_copied_and_terminated(void **state) {
  (void)state;
  lim_arena arena = {0};
  char source[] = "upper arm";
  char *copy = lim_arena_text(&arena, source, 5);
  source[0] = 'X';
  assert_string_equal(copy, "upper");
  assert_string_equal(lim_arena_text(&arena, "", 0), "");
  char *full = lim_arena_text(&arena, "0123456789abcdef", 16); // as long as the grain of the arena
  memset(lim_arena_allocate(&arena, 16), 'x', 16);
  assert_string_equal(full, "0123456789abcdef");
  lim_arena_free(&arena);
}

static void free_empties_and_allows_reuse(void **state) {
  (void)state;
  lim_arena arena = {0};
  for (int i = 0; i < 10; i++) assert_non_null(lim_arena_allocate(&arena, 10000));
  lim_arena_free(&arena);
  assert_null(arena.last);
  assert_string_equal(lim_arena_text(&arena, "again", 5), "again");
  lim_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_unused_is_freeable),
      cmocka_unit_test(take_any_size_is_aligned),
      cmocka_unit_test(take_is_zeroed),
      cmocka_unit_test(take_pieces_do_not_overlap),
      cmocka_unit_test(take_impossible_size_is_null),
      cmocka_unit_test(array_overflowing_product_is_null),
      cmocka_unit_test(array_is_zeroed_and_writable),
      cmocka_unit_test(text_is_copied_and_terminated),
      cmocka_unit_test(free_empties_and_allows_reuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
