// report_packing.c - numbers as text, and back.
#include "fixture.h"

#include "report/packing.h"

#include <zlib.h>

static int digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = strchr(digits, c);
  assert_true(c && at);
  return (int)(at - digits);
}

// The bytes of the stream. out (room)
static size_t unpack(unsigned char *out, size_t buffer, const char *text) {
  size_t n = strlen(text), size = 0;
  unsigned char *packed = malloc(n + 1);
  assert_true(packed && n % 4 == 0);
  for (size_t i = 0; i < n; i += 4) {
    int pad = (text[i + 2] == '=') + (text[i + 3] == '=');
    int group = digit(text[i]) << 18 | digit(text[i + 1]) << 12 | (pad < 2 ? digit(text[i + 2]) << 6 : 0) |
                (pad < 1 ? digit(text[i + 3]) : 0);
    for (int b = 0; b < 3 - pad; b++) packed[size++] = (unsigned char)(group >> (16 - 8 * b));
  }
  uLongf got = buffer;
  assert_int_equal(uncompress(out, &got, packed, size), Z_OK);
  free(packed);
  return got;
}

static void pack_gives_numbers_back(void **state) {
  (void)state;
  enum { SINGLES = 1001, DOUBLES = 77 };
  static float x[SINGLES];
  static double y[DOUBLES];
  static unsigned char bytes[4 * SINGLES + 8 * DOUBLES + 1];
  unsigned seed = 1;
  for (int i = 0; i < SINGLES; i++) x[i] = (float)noise(&seed);
  for (int i = 0; i < DOUBLES; i++) y[i] = 1e30 * noise(&seed);
  x[3] = NAN;
  lim_pack p = {0};
  lim_text text = {0};
  assert_int_equal(lim_pack_floats(&p, x, SINGLES), 0);
  assert_int_equal(lim_pack_doubles(&p, y, DOUBLES), 4 * SINGLES);
  lim_pack_text(&text, &p);
  assert_false(text.failed);
  assert_int_equal(unpack(bytes, sizeof bytes, text.text), 4 * SINGLES + 8 * DOUBLES);
  for (int i = 0; i < SINGLES; i++) { // little-endian, the bytes of all numbers sorted by their place
    uint32_t bits = 0, same;
    for (int b = 0; b < 4; b++) bits |= (uint32_t)bytes[b * SINGLES + i] << 8 * b;
    memcpy(&same, &x[i], sizeof same);
    assert_int_equal(bits, same);
  }
  for (int i = 0; i < DOUBLES; i++) {
    uint64_t bits = 0, same;
    for (int b = 0; b < 8; b++) bits |= (uint64_t)bytes[4 * SINGLES + b * DOUBLES + i] << 8 * b;
    memcpy(&same, &y[i], sizeof same);
    assert_true(bits == same);
  }
  lim_text_free(&text);
  lim_pack_free(&p);
}

static void whole_numbers_come_back(void **state) {
  (void)state;
  const int32_t x[3] = {0, 70000, -2};
  const int16_t y[2] = {-32767, 258};
  unsigned char bytes[17];
  lim_pack p = {0};
  lim_text text = {0};
  assert_int_equal(lim_pack_ints(&p, x, 3), 0);
  assert_int_equal(lim_pack_shorts(&p, y, 2), 12);
  lim_pack_text(&text, &p);
  assert_int_equal(unpack(bytes, sizeof bytes, text.text), 16);
  for (int i = 0; i < 3; i++) {
    uint32_t bits = 0;
    for (int b = 0; b < 4; b++) bits |= (uint32_t)bytes[3 * b + i] << 8 * b;
    assert_true(bits == (uint32_t)x[i]);
  }
  for (int i = 0; i < 2; i++) assert_true((bytes[12 + i] | bytes[14 + i] << 8) == (uint16_t)y[i]);
  lim_text_free(&text);
  lim_pack_free(&p);
}

static void pack_of_nothing_is_a_stream(void **state) {
  (void)state;
  unsigned char bytes[1];
  lim_pack p = {0};
  lim_text text = {0};
  lim_pack_floats(&p, NULL, 0);
  lim_pack_text(&text, &p);
  assert_int_equal(unpack(bytes, sizeof bytes, text.text), 0);
  lim_text_free(&text);
  lim_pack_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pack_gives_numbers_back),
      cmocka_unit_test(whole_numbers_come_back),
      cmocka_unit_test(pack_of_nothing_is_a_stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
