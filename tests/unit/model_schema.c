// model_schema.c - tests of the tables of keys: each row is consistent, and the JSON Schema made from them
// accepts the example models and refuses what it can see to be wrong.
#include "model_fixture.h"

#include "base/units/units.h"
#include "kind_numbers.h"
#include "model/words.h"

#include <glob.h>
#include <stdlib.h>

// --- the tables ---

enum { TABLES = 64 };

static const lim_table *table[TABLES];
static int ntable;

static void collect(const lim_table *t) {
  for (int i = 0; i < ntable; i++)
    if (table[i] == t) return;
  assert_true(ntable < TABLES);
  table[ntable++] = t;
  for (lim_key_walk w = lim_key_walk_start(t); lim_key_next(&w);)
    if (w.key->table) collect(w.key->table);
}

static int collect_all(void **state) {
  (void)state;
  collect(&lim_root_table);
  return 0;
}

// Call `check` for every row of every table.
static void each_row(void (*check)(const lim_table *t, const lim_key *key)) {
  for (int i = 0; i < ntable; i++)
    for (lim_key_walk w = lim_key_walk_start(table[i]); lim_key_next(&w);) check(table[i], w.key);
}

#define REQUIRE(condition, t, key)                                                                             \
  if (!(condition)) fail_msg("%s.%s: not %s", (t)->name, (key)->name, #condition)

static void is_described(const lim_table *t, const lim_key *key) {
  size_t n = key->help ? strlen(key->help) : 0;
  REQUIRE(n > 0 && n < 110 && key->help[n - 1] != '.', t, key);
  REQUIRE(key->kind && key->kind->label && key->kind->read && key->kind->absent && key->kind->schema, t, key);
  const lim_kind_row *owner = lim_key_owner(t, key);
  if (owner && owner->size) {
    REQUIRE(key->offset < owner->size && t->own > 0, t, key);
    return;
  }
  REQUIRE(key->offset >= sizeof(lim_head) || !strcmp(key->name, "name"), t, key);
  REQUIRE(key->offset < t->size, t, key);
}

static void table_rows_are_described(void **state) {
  (void)state;
  each_row(is_described);
}

static void table_names_are_unique(void **state) {
  (void)state;
  for (int i = 0; i < ntable; i++)
    for (int k = 0; k < i; k++) assert_string_not_equal(table[i]->name, table[k]->name);
}

static void has_a_sound_range(const lim_table *t, const lim_key *key) {
  if (!key->range) return;
  char *end;
  const char *dots = strstr(key->range, "..");
  if (dots) {
    char low[32];
    snprintf(low, sizeof low, "%.*s", (int)(dots - key->range), key->range);
    double min = strtod(low, &end);
    REQUIRE(low[0] && *end == 0, t, key);
    double max = strtod(dots + 2, &end);
    REQUIRE(*end == 0 && min <= max, t, key);
    return;
  }
  REQUIRE(!strncmp(key->range, "> ", 2) || !strncmp(key->range, ">= ", 3) || !strcmp(key->range, "!= 0"), t,
          key);
  const char *number = strchr(key->range, ' ') + 1;
  strtod(number, &end);
  REQUIRE(end > number && *end == 0, t, key);
}

static void table_ranges_are_well_formed(void **state) {
  (void)state;
  each_row(has_a_sound_range);
}

static void has_a_sound_unit(const lim_table *t, const lim_key *key) {
  if (!key->unit || key->unit[0] == '@') return;
  for (const char *u = key->unit; u;) {
    char unit[64];
    lim_unit parsed;
    size_t n = strcspn(u, "|");
    snprintf(unit, sizeof unit, "%.*s", (int)n, u);
    REQUIRE(lim_unit_parse(&parsed, unit, NULL, 0), t, key);
    u = u[n] ? u + n + 1 : NULL;
  }
}

static void table_units_are_units(void **state) {
  (void)state;
  each_row(has_a_sound_unit);
}

static void has_a_sound_preset(const lim_table *t, const lim_key *key) {
  if (!key->preset) return;
  REQUIRE(!lim_key_always(t, key), t, key);
  static _Alignas(max_align_t) char record[4096];
  REQUIRE(t->size <= sizeof record, t, key);
  lim_arena arena = {0};
  lim_error err = {0};
  lim_node *node;
  assert_int_equal(lim_yaml_parse(&node, &arena, key->preset, strlen(key->preset), "preset", &err), LIM_OK);
  lim_reader r = {.arena = &arena, .err = &err, .where = "", .entry = t, .unit = "m|rad"};
  key->kind->read(&r, key, node, record + key->offset);
  if (err.count) fail_msg("%s.%s: %s", t->name, key->name, err.note[0].text);
  lim_error_clear(&err);
  lim_arena_free(&arena);
}

static void table_presets_can_be_read(void **state) {
  (void)state;
  each_row(has_a_sound_preset);
}

static void words_are_of_the_tag(const lim_table *t, const lim_key *key, const char *list) {
  if (!list || !strcmp(list, "*") || !strcmp(list, LIM_BY_KIND)) return;
  REQUIRE(t->tag, t, key);
  const lim_key *tag = lim_table_key(t, t->tag, NULL);
  for (const char *w = list; *w;) {
    char word[64];
    size_t n = strcspn(w, " ");
    snprintf(word, sizeof word, "%.*s", (int)n, w);
    REQUIRE(lim_key_index(tag, word) >= 0, t, key);
    w += n + (w[n] == ' ');
  }
}

static void has_sound_variants(const lim_table *t, const lim_key *key) {
  words_are_of_the_tag(t, key, key->only);
  words_are_of_the_tag(t, key, key->need);
  for (lim_key_walk w = lim_key_walk_start(t); lim_key_next(&w) && w.key != key;) {
    const lim_key *other = w.key; // rows of one name belong to different words
    if (strcmp(other->name, key->name)) continue;
    REQUIRE((key->only || lim_key_owner(t, key)) && (other->only || w.kind), t, key);
    const lim_key *tag = lim_table_key(t, t->tag, NULL);
    lim_word x;
    for (int i = 0; (x = lim_key_word(tag, i)).text; i++) {
      char word[64];
      snprintf(word, sizeof word, "%.*s", x.length, x.text);
      REQUIRE(!lim_key_belongs(t, key, word) || !lim_key_belongs(t, other, word), t, key);
    }
  }
}

static void table_variants_are_words_of_the_tag(void **state) {
  (void)state;
  each_row(has_sound_variants);
}

// Every key that a row of a kind names is one that asks the rows; every such key is named by some row.
static void names_keys_that_ask(const lim_table *t, const char *list, bool needs) {
  for (const char *w = list; w && *w;) {
    char name[64];
    size_t n = strcspn(w, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, w);
    const lim_key *key = lim_table_key(t, name, NULL);
    const char *asks = key ? (needs ? key->need : key->only) : NULL;
    if (!asks || strcmp(asks, LIM_BY_KIND))
      fail_msg("%s: a kind names '%s', which does not ask", t->name, name);
    w += n + (w[n] == ' ');
  }
}

static void is_named_by_a_row(const lim_table *t, const lim_key *key) {
  lim_text takers = {0}, needers = {0};
  if (key->only && !strcmp(key->only, LIM_BY_KIND)) {
    lim_key_variants(&takers, t, key, " ", lim_key_belongs);
    REQUIRE(takers.length > 0, t, key);
  }
  if (key->need && !strcmp(key->need, LIM_BY_KIND)) {
    lim_key_variants(&needers, t, key, " ", lim_key_needed);
    REQUIRE(needers.length > 0, t, key);
  }
  lim_text_free(&takers);
  lim_text_free(&needers);
}

static void table_kinds_are_whole(void **state) {
  (void)state;
  for (int i = 0; i < ntable; i++) {
    const lim_key *tag = table[i]->tag ? lim_table_key(table[i], table[i]->tag, NULL) : NULL;
    for (int k = 0; tag && tag->kinds && tag->kinds(k); k++) {
      const lim_kind_row *kind = tag->kinds(k);
      if (!kind->help || !kind->help[0]) fail_msg("%s: '%s' has no help", table[i]->name, kind->word);
      for (int j = 0; j < k; j++)
        if (!strcmp(tag->kinds(j)->word, kind->word))
          fail_msg("%s: two kinds are called '%s'", table[i]->name, kind->word);
      if (kind->size && !kind->own) fail_msg("%s: '%s' has no keys", table[i]->name, kind->word);
      names_keys_that_ask(table[i], kind->takes, false);
      names_keys_that_ask(table[i], kind->needs, true);
    }
  }
  each_row(is_named_by_a_row);
}

static void table_tags_and_briefs_exist(void **state) {
  (void)state;
  for (int i = 0; i < ntable; i++) {
    const lim_table *t = table[i];
    const lim_key *tag = t->tag ? lim_table_key(t, t->tag, NULL) : NULL;
    if (t->tag && !(tag && tag->kind == &lim_words && (tag->words || tag->kinds))) fail_msg("%s: tag", t->name);
    if (tag && !tag->preset && !(tag->need && !strcmp(tag->need, "*")))
      fail_msg("%s: tag may be missing", t->name);
    if (t->brief && !lim_table_key(t, t->brief, NULL)) fail_msg("%s: brief", t->name);
    if (t->whole && !t->brief) fail_msg("%s: whole without brief", t->name);
  }
}

static void fits_its_kind(const lim_table *t, const lim_key *key) {
  const lim_kind *k = key->kind;
  bool records = k == &lim_record || k == &lim_records || k == &lim_record_or_records ||
                 k == &lim_named_records || k == &lim_configuration || lim_key_in_time(key);
  REQUIRE(records == (key->table != NULL), t, key);
  REQUIRE((k == &lim_vector || k == &lim_spread || k == &lim_inertia_tensor) <= (key->n > 0), t, key);
  REQUIRE((k == &lim_words) <= (key->words || key->kinds), t, key);
  REQUIRE((k == &lim_number || k == &lim_numbers || k == &lim_vector || lim_key_in_time(key) ||
           k == &lim_points) <= (key->unit != NULL),
          t, key);
  REQUIRE((k == &lim_count) <= (key->range != NULL), t, key);
}

static void table_rows_have_what_their_kind_needs(void **state) {
  (void)state;
  each_row(fits_its_kind);
}

// --- the JSON Schema: as much of it as the program writes ---

typedef struct {
  lim_arena arena;
  lim_node *root;
} document;

static document document_of(const char *text, size_t size) {
  document d = {0};
  lim_error err = {0};
  lim_code code = lim_yaml_parse(&d.root, &d.arena, text, size, "text", &err); // JSON is YAML
  if (code != LIM_OK) fail_msg("%d:%d: %s", err.note[0].line, err.note[0].column, err.note[0].text);
  lim_error_clear(&err);
  return d;
}

static document schema(void) {
  lim_text text = {0};
  lim_schema_json(&text);
  assert_false(text.failed);
  document d = document_of(text.text, text.length);
  lim_text_free(&text);
  return d;
}

static const lim_node *resolve(const lim_node *root, const char *ref) {
  static const char defs[] = "#/$defs/";
  assert_memory_equal(ref, defs, sizeof defs - 1);
  const lim_node *found = lim_tree_get(lim_tree_get(root, "$defs"), ref + sizeof defs - 1);
  if (!found) fail_msg("no definition for %s", ref);
  return found;
}

static bool is_number(const lim_node *v, double *x) {
  char *end;
  if (v->kind != LIM_SCALAR || v->quoted || !v->text[0]) return false;
  *x = strtod(v->text, &end);
  return !*end;
}

static bool has_type(const lim_node *v, const char *type) {
  double x;
  if (!strcmp(type, "object")) return v->kind == LIM_MAPPING;
  if (!strcmp(type, "array")) return v->kind == LIM_SEQUENCE;
  if (!strcmp(type, "number")) return is_number(v, &x);
  if (!strcmp(type, "integer")) return is_number(v, &x) && x == floor(x);
  assert_string_equal(type, "string");
  return v->kind == LIM_SCALAR && !is_number(v, &x);
}

static bool type_holds(const lim_node *v, const lim_node *type) {
  if (!type) return true;
  if (type->kind == LIM_SCALAR) return has_type(v, type->text);
  for (int i = 0; i < type->count; i++)
    if (has_type(v, type->item[i]->text)) return true;
  return false;
}

static bool bound_holds(const lim_node *v, const lim_node *s, const char *key, int sign, bool open) {
  const lim_node *bound = lim_tree_get(s, key);
  double x;
  if (!bound || !is_number(v, &x)) return true;
  double above = sign * (x - atof(bound->text));
  return open ? above > 0 : above >= 0;
}

static bool holds(const lim_node *root, const lim_node *s, const lim_node *v);

static bool object_holds(const lim_node *root, const lim_node *s, const lim_node *v) {
  const lim_node *properties = lim_tree_get(s, "properties"), *more = lim_tree_get(s, "additionalProperties");
  const lim_node *required = lim_tree_get(s, "required");
  if (v->kind != LIM_MAPPING) return true;
  for (int i = 0; required && i < required->count; i++)
    if (!lim_tree_get(v, required->item[i]->text)) return false;
  for (int i = 0; i < v->count; i++) {
    const lim_node *p = lim_tree_get(properties, v->key[i]->text);
    if (p && !holds(root, p, v->item[i])) return false;
    if (!p && more && (more->kind == LIM_SCALAR || !holds(root, more, v->item[i]))) return false;
  }
  return true;
}

static bool array_holds(const lim_node *root, const lim_node *s, const lim_node *v) {
  const lim_node *items = lim_tree_get(s, "items"), *min = lim_tree_get(s, "minItems"),
                 *max = lim_tree_get(s, "maxItems");
  if (v->kind != LIM_SEQUENCE) return true;
  if ((min && v->count < atoi(min->text)) || (max && v->count > atoi(max->text))) return false;
  for (int i = 0; items && i < v->count; i++)
    if (!holds(root, items, v->item[i])) return false;
  return true;
}

static bool scalar_holds(const lim_node *s, const lim_node *v) {
  const lim_node *words = lim_tree_get(s, "enum"), *word = lim_tree_get(s, "const");
  bool listed = !words;
  for (int i = 0; words && i < words->count; i++)
    if (v->kind == LIM_SCALAR && !strcmp(words->item[i]->text, v->text)) listed = true;
  if (!listed || (word && (v->kind != LIM_SCALAR || strcmp(word->text, v->text)))) return false;
  if (lim_tree_get(s, "pattern") && v->kind == LIM_SCALAR && !strchr("+-.0123456789", v->text[0])) return false;
  return bound_holds(v, s, "minimum", 1, false) && bound_holds(v, s, "exclusiveMinimum", 1, true) &&
         bound_holds(v, s, "maximum", -1, false);
}

static bool combinations_hold(const lim_node *root, const lim_node *s, const lim_node *v) {
  const lim_node *any = lim_tree_get(s, "anyOf"), *all = lim_tree_get(s, "allOf"),
                 *ref = lim_tree_get(s, "$ref");
  const lim_node *condition = lim_tree_get(s, "if");
  bool one = !any;
  for (int i = 0; any && i < any->count; i++) one = one || holds(root, any->item[i], v);
  for (int i = 0; all && i < all->count; i++)
    if (!holds(root, all->item[i], v)) return false;
  if (ref && !holds(root, resolve(root, ref->text), v)) return false;
  return one && (!condition || !holds(root, condition, v) || holds(root, lim_tree_get(s, "then"), v));
}

static bool holds(const lim_node *root, const lim_node *s, const lim_node *v) {
  return type_holds(v, lim_tree_get(s, "type")) && scalar_holds(s, v) && array_holds(root, s, v) &&
         object_holds(root, s, v) && combinations_hold(root, s, v);
}

static bool accepted(const lim_node *root, const char *text) {
  document d = document_of(text, strlen(text));
  bool good = holds(root, root, d.root);
  lim_arena_free(&d.arena);
  return good;
}

static bool has_help(const lim_node *p, const lim_key *key) {
  const lim_node *text = lim_tree_get(p, "description");
  return text && !strncmp(text->text, key->help, strlen(key->help));
}

// A key's help, or that of one among several keys of its name.
static bool tells(const lim_node *p, const lim_key *key) {
  const lim_node *any = lim_tree_get(p, "anyOf");
  if (has_help(p, key)) return true;
  for (int i = 0; any && i < any->count; i++)
    if (has_help(any->item[i], key)) return true;
  return false;
}

static void schema_has_every_table_and_key(void **state) {
  (void)state;
  document d = schema();
  for (int i = 0; i < ntable; i++) {
    const lim_node *s = i ? lim_tree_get(lim_tree_get(d.root, "$defs"), table[i]->name) : d.root;
    if (!s) fail_msg("no definition of %s", table[i]->name);
    if (table[i]->whole) continue;
    const lim_node *any = lim_tree_get(s, "anyOf"); // the short form, the record
    const lim_node *properties = lim_tree_get(any ? any->item[1] : s, "properties");
    for (lim_key_walk w = lim_key_walk_start(table[i]); lim_key_next(&w);) {
      const lim_node *p = lim_tree_get(properties, w.key->name);
      REQUIRE(p && tells(p, w.key), table[i], w.key);
    }
  }
  lim_arena_free(&d.arena);
}

static void expect_references_resolve(const lim_node *root, const lim_node *s) {
  const lim_node *ref = lim_tree_get(s, "$ref");
  if (ref) resolve(root, ref->text);
  for (int i = 0; i < s->count; i++) expect_references_resolve(root, s->item[i]);
}

static void schema_references_resolve(void **state) {
  (void)state;
  document d = schema();
  expect_references_resolve(d.root, d.root);
  lim_arena_free(&d.arena);
}

static void expect_file_accepted(const lim_node *root, const char *path) {
  static char text[1 << 16];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = 0;
  if (!accepted(root, text)) fail_msg("the schema refuses %s", path);
}

static void schema_accepts_the_example_models(void **state) {
  (void)state;
  document d = schema();
  glob_t found;
  assert_int_equal(glob("models/*.yaml", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) expect_file_accepted(d.root, found.gl_pathv[i]);
  globfree(&found);
  expect_file_accepted(d.root, "tests/models/interface.yaml");
  lim_arena_free(&d.arena);
}

static void schema_refuses_what_it_can_see(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "links: [{name: a}]",
      "limber: 1",
      "limber: 2\nlinks: [{name: a}]",
      RIGID "gravty: [0, 0, 0]",
      RIGID "gravity: [0, 0]",
      RIGID "gravity: 9.81",
      RIGID "planar: yx",
      RIGID "materials: {a: {E: -1, rho: 1}}",
      RIGID "materials: {a: {E: 1}}",
      RIGID "sections: {a: {shape: circle}}",
      RIGID "sections: {a: {shape: rectangle, y: 1}}",
      RIGID "sections: {a: {shape: ball}}",
      RIGID "solver: {step: soon}",
      RIGID "drives: {shoulder: {type: motor}}",
      RIGID "motion: {shoulder: {profile: harmonic, amplitude: 1}}",
      RIGID "outputs: {channels: energy}",
      "limber: 1\nlinks: {a: {}}",
      "limber: 1\nlinks: [{name: a, beam: {length: 1, section: s, material: m, elements: 0}}]",
      "limber: 1\nlinks: [{name: a, beam: {length: 1, section: s, material: m, elements: 2.5}}]",
      "limber: 1\nlinks: [{name: a, body: {inertia: [1, 1]}}]",
  };
  document d = schema();
  assert_true(accepted(d.root, RIGID));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (accepted(d.root, wrong[i])) fail_msg("the schema accepts:\n%s", wrong[i]);
  lim_arena_free(&d.arena);
}

// --- words by path ---

static void words_of_a_path_are_those_of_its_enumeration(void **state) {
  (void)state;
  static const struct {
    const char *path;
    int i;
    const char *word;
  } row[] = {{"planar", LIM_PLANE_YZ, "yz"},
             {"solver.mode", LIM_MODE_CONVENTIONAL, "conventional"},
             {"solver.method", LIM_METHOD_modal_newmark, "modal-newmark"},
             {"links.joint.type", 1, "prismatic"},
             {"links.basis.type", LIM_BASIS_RIGID, "rigid"},
             {"loops.type", LIM_LOOP_POINT_ON_LINE, "point-on-line"},
             {"drives.control.gains", LIM_GAINS_SCHEDULED, "scheduled"},
             {"motion.profile.shape.type", LIM_UNSHAPED, "none"},
             {"solver.mode", 5, ""},
             {"solver.mood", 0, ""},
             {"solver.mode.of", 0, ""},
             {"", 0, ""}};
  char word[LIM_WORD];
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    assert_string_equal(lim_word_at(word, row[i].path, row[i].i), row[i].word);
  assert_null(lim_key_at("solver.mood"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_rows_are_described),
      cmocka_unit_test(table_names_are_unique),
      cmocka_unit_test(table_ranges_are_well_formed),
      cmocka_unit_test(table_units_are_units),
      cmocka_unit_test(table_presets_can_be_read),
      cmocka_unit_test(table_variants_are_words_of_the_tag),
      cmocka_unit_test(table_kinds_are_whole),
      cmocka_unit_test(table_tags_and_briefs_exist),
      cmocka_unit_test(table_rows_have_what_their_kind_needs),
      cmocka_unit_test(words_of_a_path_are_those_of_its_enumeration),
      cmocka_unit_test(schema_has_every_table_and_key),
      cmocka_unit_test(schema_references_resolve),
      cmocka_unit_test(schema_accepts_the_example_models),
      cmocka_unit_test(schema_refuses_what_it_can_see),
  };
  return cmocka_run_group_tests(tests, collect_all, NULL);
}
