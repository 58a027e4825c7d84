// model_yaml.c - tests of the tree: what stands where in a YAML text.
#include "model_fixture.h"

typedef struct {
  lim_arena arena;
  lim_error err;
  lim_node *root;
  lim_code code;
} tree;

static tree parse_bytes(const char *text, size_t size) {
  tree t = {0};
  t.code = lim_yaml_parse(&t.root, &t.arena, text, size, "test.yaml", &t.err);
  return t;
}

static tree tree_of(const char *text) { return parse_bytes(text, strlen(text)); }

static void done(tree *t) {
  lim_arena_free(&t->arena);
  lim_error_clear(&t->err);
}

static void expect_refused(const char *text, size_t size, int line, int column, const char *message) {
  tree t = parse_bytes(text, size);
  assert_int_equal(t.code, LIM_BAD_INPUT);
  assert_null(t.root);
  assert_int_equal(t.err.count, 1);
  assert_string_equal(t.err.note[0].text, message);
  assert_int_equal(t.err.note[0].line, line);
  assert_int_equal(t.err.note[0].column, column);
  done(&t);
}

static void expect_at(const lim_node *node, int line, int column) {
  assert_int_equal(node->line, line);
  assert_int_equal(node->column, column);
}

static void tree_mapping_keeps_order_and_kinds(void **state) {
  (void)state;
  tree t = tree_of("b: 1\na: [x, y]\nc: {d: e}\n");
  assert_int_equal(t.code, LIM_OK);
  assert_int_equal(t.root->kind, LIM_MAPPING);
  assert_int_equal(t.root->count, 3);
  assert_string_equal(t.root->key[0]->text, "b");
  assert_string_equal(t.root->key[1]->text, "a");
  assert_int_equal(t.root->item[0]->kind, LIM_SCALAR);
  assert_int_equal(t.root->item[1]->kind, LIM_SEQUENCE);
  assert_string_equal(t.root->item[1]->item[1]->text, "y");
  assert_string_equal(lim_tree_get(lim_tree_get(t.root, "c"), "d")->text, "e");
  assert_null(lim_tree_get(t.root, "e"));
  assert_null(lim_tree_get(t.root->item[0], "b"));
  assert_null(lim_tree_get(NULL, "b"));
  done(&t);
}

static void tree_positions_count_letters_from_one(void **state) {
  (void)state;
  tree t = tree_of("a: 1\nb:\n  - {é€: [2, 'x'], \"y\": z}\n");
  assert_int_equal(t.code, LIM_OK);
  expect_at(t.root, 1, 1);
  expect_at(t.root->item[0], 1, 4);
  expect_at(t.root->key[1], 2, 1);
  const lim_node *item = t.root->item[1]->item[0];
  expect_at(item, 3, 5);
  expect_at(item->key[0], 3, 6);
  expect_at(item->item[0]->item[0], 3, 11);
  expect_at(item->item[0]->item[1], 3, 14); // the quote, not the letter behind it
  expect_at(item->key[1], 3, 20);
  expect_at(item->item[1], 3, 25);
  done(&t);
}

static void tree_empty_value_stands_at_its_key(void **state) {
  (void)state;
  tree t = tree_of("a: 1\nbc:\nd:\n  -\n");
  assert_string_equal(t.root->item[1]->text, "");
  assert_false(t.root->item[1]->quoted);
  expect_at(t.root->item[1], 2, 1);
  assert_string_equal(t.root->item[2]->item[0]->text, "");
  expect_at(t.root->item[2]->item[0], 4, 3);
  done(&t);
}

static void tree_windows_line_ends_and_byte_order_mark_are_taken(void **state) {
  (void)state;
  tree t = tree_of("\xEF\xBB\xBF"
                   "a: 1\r\nb: two\r\nc: 'it''s\r\n  three'\r\n");
  assert_int_equal(t.code, LIM_OK);
  assert_string_equal(lim_tree_get(t.root, "a")->text, "1");
  assert_string_equal(lim_tree_get(t.root, "b")->text, "two");
  assert_string_equal(lim_tree_get(t.root, "c")->text, "it's three");
  expect_at(lim_tree_get(t.root, "b"), 2, 4);
  done(&t);
}

static void tree_scalar_styles_say_whether_quoted(void **state) {
  (void)state;
  tree t =
      tree_of("a: plain\nb: 'single ''quoted'''\nc: \"double \\\"quoted\\\"\\u00e9\"\nd: |\n  block\n  lines\n"
              "e: >\n  folded\n  lines\nf: plain\n  goes on\n");
  static const struct {
    const char *key, *text;
    bool quoted;
  } expected[] = {
      {"a", "plain", false},         {"b", "single 'quoted'", true}, {"c", "double \"quoted\"é", true},
      {"d", "block\nlines\n", true}, {"e", "folded lines\n", true},  {"f", "plain goes on", false}};
  assert_int_equal(t.code, LIM_OK);
  for (int i = 0; i < 6; i++) {
    const lim_node *node = lim_tree_get(t.root, expected[i].key);
    assert_string_equal(node->text, expected[i].text);
    assert_int_equal(node->quoted, expected[i].quoted);
  }
  done(&t);
}

static void tree_single_quotes_fold_lines(void **state) {
  (void)state;
  tree t = tree_of("a: 'one\n  two\n\n  three'\nb: ''\nc: ''''''''''''''''''''''''''''''''''''''''\n");
  assert_int_equal(t.code, LIM_OK);
  assert_string_equal(lim_tree_get(t.root, "a")->text, "one two\nthree");
  assert_string_equal(lim_tree_get(t.root, "b")->text, "");
  assert_string_equal(lim_tree_get(t.root, "c")->text, "'''''''''''''''''''");
  done(&t);
}

static void tree_alias_is_a_copy_at_the_place_of_its_anchor(void **state) {
  (void)state;
  tree t = tree_of("a: &x {b: [1, 2]}\nc: *x\n");
  assert_int_equal(t.code, LIM_OK);
  const lim_node *first = lim_tree_get(t.root, "a"), *second = lim_tree_get(t.root, "c");
  assert_ptr_not_equal(first, second);
  assert_string_equal(lim_tree_get(second, "b")->item[1]->text, "2");
  assert_ptr_not_equal(lim_tree_get(first, "b"), lim_tree_get(second, "b"));
  expect_at(lim_tree_get(second, "b"), 1, 11);
  done(&t);
}

static void tree_alias_refers_to_the_last_anchor_of_its_name(void **state) {
  (void)state;
  tree t = tree_of("a: &x 1\nb: &x 2\nc: *x\n");
  assert_string_equal(lim_tree_get(t.root, "c")->text, "2");
  done(&t);
}

static void tree_duplicate_key_is_an_error_that_leaves_a_tree(void **state) {
  (void)state;
  tree t = tree_of("a: 1\nb: {c: 1, c: 2}\na: 3\n");
  assert_int_equal(t.code, LIM_BAD_INPUT);
  assert_non_null(t.root);
  assert_int_equal(t.err.count, 2);
  assert_string_equal(t.err.note[0].text, "key 'c' stands here a second time; the first is in line 2");
  assert_string_equal(t.err.note[1].text, "key 'a' stands here a second time; the first is in line 1");
  assert_string_equal(lim_tree_get(t.root, "a")->text, "1");
  done(&t);
}

static void tree_text_without_content_is_null(void **state) {
  (void)state;
  static const char *const texts[] = {"", "\n\n", "# a comment\n"};
  for (int i = 0; i < 3; i++) {
    tree t = tree_of(texts[i]);
    assert_int_equal(t.code, LIM_OK);
    assert_null(t.root);
    assert_int_equal(t.err.count, 0);
    done(&t);
  }
}

static void tree_bytes_that_are_no_text_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t size;
    int column, byte;
  } bad[] = {{"a: \0b", 5, 4, 0},
             {"a: \x1b[m", 6, 4, 0x1B},
             {"\x7f", 1, 1, 0x7F},
             {"a: \xff", 4, 4, 0xFF},
             {"a: \xc0\xaf", 5, 4, 0xC0},
             {"é: \xe2\x82", 6, 4, 0xE2},
             {"\xed\xa0\x80", 3, 1, 0xED},
             {"\xe0\x80\x80", 3, 1, 0xE0},
             {"\xf0\x80\x80\x80", 4, 1, 0xF0},
             {"\xf4\x90\x80\x80", 4, 1, 0xF4},
             {"\xf5\x80\x80\x80", 4, 1, 0xF5},
             {"\xc2\x9b", 2, 1, 0xC2},
             {"\xef\xbf\xbe", 3, 1, 0xEF},
             {"\x80", 1, 1, 0x80}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[80];
    snprintf(message, sizeof message, "byte 0x%02X is not text; a model file is UTF-8 text in YAML",
             bad[i].byte);
    expect_refused(bad[i].text, bad[i].size, 1, bad[i].column, message);
  }
}

static void tree_letters_of_all_sizes_are_taken(void **state) {
  (void)state;
  tree t = tree_of("a: µ€𝄞\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBD\n");
  assert_int_equal(t.code, LIM_OK);
  assert_string_equal(lim_tree_get(t.root, "a")->text, "µ€𝄞\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBD");
  done(&t);
}

static void tree_nesting_up_to_the_bound_is_taken(void **state) {
  (void)state;
  char text[2 * LIM_TREE_DEPTH + 8];
  memset(text, '[', LIM_TREE_DEPTH);
  memset(text + LIM_TREE_DEPTH, ']', LIM_TREE_DEPTH);
  tree t = parse_bytes(text, 2 * LIM_TREE_DEPTH);
  assert_int_equal(t.code, LIM_OK);
  done(&t);
  memset(text, '[', LIM_TREE_DEPTH + 1);
  expect_refused(text, LIM_TREE_DEPTH + 1, 1, LIM_TREE_DEPTH + 1, "nested more than 32 deep");
}

static void tree_nesting_by_aliases_is_bounded(void **state) {
  (void)state;
  char text[4096] = "a0: &a0 [1]\n";
  for (int i = 1; i < 40; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "a%d: &a%d [*a%d]\n", i, i, i - 1);
  }
  tree t = tree_of(text);
  assert_int_equal(t.code, LIM_BAD_INPUT);
  assert_string_equal(t.err.note[0].text, "nested more than 32 deep");
  done(&t);
}

static void tree_version_directive_is_taken_others_refused(void **state) {
  (void)state;
  tree t = tree_of("%YAML 1.2\n---\na: 5 %\n");
  assert_int_equal(t.code, LIM_OK);
  assert_string_equal(lim_tree_get(t.root, "a")->text, "5 %");
  done(&t);
  static const char text[] = "a: 1\n%TAG ! b\n";
  expect_refused(text, sizeof text - 1, 2, 1,
                 "a line that begins with % is a directive; the only one allowed is %YAML 1.2");
}

static void tree_second_document_is_refused(void **state) {
  (void)state;
  static const char marked[] = "a: 1\n---\nb: 2\n", open[] = "a: 1\n...\nb: 2\n";
  expect_refused(marked, sizeof marked - 1, 3, 1, "a second document begins here; a model file holds one");
  expect_refused(open, sizeof open - 1, 3, 1, "a second document begins here; a model file holds one");
  tree t = tree_of("---\na: 1\n...\n");
  assert_int_equal(t.code, LIM_OK);
  done(&t);
}

static void tree_message_holds_no_control_characters(void **state) {
  (void)state;
  tree t = tree_of("\"a\\e[31m\\nb\": 1\n\"a\\e[31m\\nb\": 2\n");
  assert_string_equal(t.err.note[0].text, "key 'a [31m b' stands here a second time; the first is in line 1");
  done(&t);
}

static void tree_message_is_cut_between_letters(void **state) {
  (void)state;
  char text[1200], message[2400] = "";
  lim_error err = {0};
  const lim_node at = {.source = "test.yaml"};
  for (int pad = 0; pad < 4; pad++) { // letters of three bytes, so that one of the pads cuts into each byte
    memset(text, 'x', (size_t)pad);
    text[pad] = 0;
    snprintf(message, sizeof message, "%s", text);
    while (strlen(message) < 1100) strcat(message, "€");
    lim_tree_error(&err, &at, "%s", message);
    const char *kept = err.note[pad].text;
    assert_true(strlen(kept) > 990);
    assert_memory_equal(kept, message, strlen(kept));
    assert_int_equal((strlen(kept) - (size_t)pad) % 3, 0);
  }
  lim_error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tree_mapping_keeps_order_and_kinds),
      cmocka_unit_test(tree_positions_count_letters_from_one),
      cmocka_unit_test(tree_empty_value_stands_at_its_key),
      cmocka_unit_test(tree_windows_line_ends_and_byte_order_mark_are_taken),
      cmocka_unit_test(tree_scalar_styles_say_whether_quoted),
      cmocka_unit_test(tree_single_quotes_fold_lines),
      cmocka_unit_test(tree_alias_is_a_copy_at_the_place_of_its_anchor),
      cmocka_unit_test(tree_alias_refers_to_the_last_anchor_of_its_name),
      cmocka_unit_test(tree_duplicate_key_is_an_error_that_leaves_a_tree),
      cmocka_unit_test(tree_text_without_content_is_null),
      cmocka_unit_test(tree_bytes_that_are_no_text_are_refused),
      cmocka_unit_test(tree_letters_of_all_sizes_are_taken),
      cmocka_unit_test(tree_nesting_up_to_the_bound_is_taken),
      cmocka_unit_test(tree_nesting_by_aliases_is_bounded),
      cmocka_unit_test(tree_version_directive_is_taken_others_refused),
      cmocka_unit_test(tree_second_document_is_refused),
      cmocka_unit_test(tree_message_holds_no_control_characters),
      cmocka_unit_test(tree_message_is_cut_between_letters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
