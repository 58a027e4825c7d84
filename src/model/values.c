// values.c - the kinds of values that fill one field: numbers, words, names, places, vectors. Each kind says
// how it is read and what a JSON Schema should be told.
#include "model/schema.h"

#include "base/text.h"
#include "base/units/units.h"
#include "model/file/yaml_slips.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers beyond this, or its inverse, are slips: no quantity of an arm has them, and their squares would
// overflow.
static const double LARGEST = 1e50;

enum { SHOWN = 40, NAME_LENGTH = 64 }; // letters of a bad value in a message; longest name

// A scalar that is not empty, or a message about what was expected.
static bool is_scalar(lim_reader *r, const lim_key *key, const lim_node *node, const char *expected) {
  char buffer[64];
  if (node->kind == LIM_SCALAR && (node->text[0] || node->quoted)) return true;
  lim_read_error(r, node, "%s is %s, must be %s", key->name, lim_node_text(node, buffer), expected);
  return false;
}

// --- ranges ---

typedef struct {
  double min, max;
  bool open, nonzero; // open: min itself is outside
} range;

static range range_of(const char *text) {
  range r = {-INFINITY, INFINITY, false, false};
  if (!text) return r;
  if (text[0] == '>') {
    r.open = text[1] != '=';
    r.min = atof(text + (r.open ? 1 : 2));
  } else if (text[0] == '!') {
    r.nonzero = true;
  } else {
    const char *dots = strstr(text, "..");
    r.min = atof(text);
    r.max = atof(dots + 2);
  }
  return r;
}

static bool range_holds(const char *text, double x) {
  range r = range_of(text);
  return (r.open ? x > r.min : x >= r.min) && x <= r.max && !(r.nonzero && x == 0);
}

static const char *range_words(const char *text, char *buffer, size_t size) {
  range r = range_of(text);
  if (r.nonzero)
    snprintf(buffer, size, "different from 0");
  else if (r.max == r.min)
    snprintf(buffer, size, "%g", r.min);
  else if (r.max < INFINITY)
    snprintf(buffer, size, "between %g and %g", r.min, r.max);
  else if (r.open && r.min == 0)
    snprintf(buffer, size, "positive");
  else if (r.min == 0)
    snprintf(buffer, size, "0 or more");
  else
    snprintf(buffer, size, "%s %g", r.open ? "above" : "at least", r.min);
  return buffer;
}

static void range_schema(lim_json *j, const char *text) {
  range r = range_of(text);
  if (r.min > -INFINITY) {
    lim_json_key(j, r.open ? "exclusiveMinimum" : "minimum");
    lim_json_number(j, r.min);
  }
  if (r.max < INFINITY) {
    lim_json_key(j, "maximum");
    lim_json_number(j, r.max);
  }
}

static void type_schema(lim_json *j, const char *type) {
  lim_json_key(j, "type");
  lim_json_text(j, type);
}

// --- numbers ---

// "a number in m or rad", "a pure number", "a pure number, or in m/rad or rad/m".
static void words_of_units(char *buffer, size_t size, const char *unit) {
  const char *rest = unit[0] == '|' ? unit + 1 : unit;
  int n = (int)strcspn(rest, "|");
  const char *lead = rest > unit ? "a pure number, or in " : unit[0] ? "a number in " : "a pure number";
  snprintf(buffer, size, "%s%.*s%s%s", lead, n, rest, rest[n] ? " or " : "", rest[n] ? rest + n + 1 : "");
}

// "a number in m or rad"; where a value in time is expected, also ", a profile or 'rigid'".
static const char *expected_number(const lim_key *key, const char *unit, char *buffer, size_t size) {
  char number[64], profile[64] = "";
  words_of_units(number, sizeof number, unit);
  if (key->table && key->words)
    snprintf(profile, sizeof profile, ", a profile or '%s'", key->words);
  else if (key->table)
    snprintf(profile, sizeof profile, ", or a profile");
  else if (key->kind == &lim_number_or_word)
    snprintf(profile, sizeof profile, ", or '%s'", key->words);
  snprintf(buffer, size, "%s%s", number, profile);
  return buffer;
}

// 2 for 2 %: a share that would be one as per cent.
static bool meant_percent(const lim_key *key, const lim_node *node, double x) {
  bool share = lim_key_listed("ratio damping efficiency", key->name);
  return share && !strchr(node->text, '%') && x > 1 && range_holds(key->range, x / 100);
}

static bool number(lim_reader *r, const lim_key *key, const lim_node *node, double *out) {
  char unit_room[64], words_room[128], bad[SHOWN + 1] = "", hint[LIM_UNIT_HINT] = "", slip[LIM_SLIP];
  const char *unit = lim_key_unit(key, r->unit, unit_room, sizeof unit_room);
  const char *expected = expected_number(key, unit, words_room, sizeof words_room);
  if (!is_scalar(r, key, node, expected)) return false;
  double x = NAN;
  switch (lim_number_parse(&x, node->text, unit, bad, sizeof bad)) {
  case LIM_NUMBER_OK: break;
  case LIM_NUMBER_NONE:
    lim_read_error(r, node, "%s is '%.*s', must be %s%s", key->name, SHOWN, node->text, expected,
                   lim_slip_of_number(slip, node->text));
    return false;
  case LIM_NUMBER_INFINITE:
    lim_read_error(r, node, "%s is %.*s, must be finite", key->name, SHOWN, node->text);
    return false;
  case LIM_NUMBER_UNIT:
    lim_read_error(r, node, "%s is '%.*s': unknown unit '%s', must be %s%s", key->name, SHOWN, node->text, bad,
                   expected,
                   lim_unit_hint(hint, bad, node->text, unit)[0] ? hint : lim_slip_of_number(slip, node->text));
    return false;
  case LIM_NUMBER_DIMENSION:
    lim_read_error(r, node, "%s is '%.*s': '%s' does not fit, must be %s", key->name, SHOWN, node->text, bad,
                   expected);
    return false;
  }
  if (x != 0 && !(fabs(x) < LARGEST && fabs(x) > 1 / LARGEST)) {
    lim_read_error(r, node, "%s is %.*s, must be 0 or lie between 1e-50 and 1e50 in size", key->name, SHOWN,
                   node->text);
    return false;
  }
  if (!range_holds(key->range, x)) {
    bool shows_unit = strpbrk(node->text, " %") || !unit[0] || strchr(unit, '|');
    if (meant_percent(key, node, x)) snprintf(hint, sizeof hint, "; did you mean '%g %%'?", x);
    lim_read_error(r, node, "%s is %.*s%s%s, must be %s%s", key->name, SHOWN, node->text, shows_unit ? "" : " ",
                   shows_unit ? "" : unit, range_words(key->range, words_room, sizeof words_room), hint);
    return false;
  }
  *out = x;
  return true;
}

static void read_number(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  number(r, key, node, field);
}

static void absent_number(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  (void)r, (void)near;
  for (int i = 0; i < (key->n ? key->n : 1); i++) ((double *)field)[i] = NAN;
}

static void schema_number(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  type_schema(j, "number");
  range_schema(j, key->range);
  lim_json_end(j, '}');
  lim_json_object(j);
  type_schema(j, "string");
  lim_json_key(j, "pattern");
  lim_json_text(j, "^\\s*[-+]?[0-9.]");
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

const lim_kind lim_number = {"number", read_number, absent_number, schema_number};

// A word stands for what is not given as a number: NAN.
static void read_number_or_word(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind == LIM_SCALAR && !strcmp(node->text, key->words))
    *(double *)field = NAN;
  else
    number(r, key, node, field);
}

static void schema_number_or_word(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  schema_number(j, key);
  lim_json_end(j, '}');
  lim_json_object(j);
  lim_json_key(j, "const");
  lim_json_text(j, key->words);
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

const lim_kind lim_number_or_word = {"number or word", read_number_or_word, absent_number,
                                     schema_number_or_word};

static void read_count(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (!is_scalar(r, key, node, "a whole number")) return;
  char *end, words[64];
  double x = strtod(node->text, &end);
  if (end == node->text || *end || strpbrk(node->text, "xXnNpP") || x != floor(x))
    lim_read_error(r, node, "%s is '%.*s', must be a whole number", key->name, SHOWN, node->text);
  else if (!range_holds(key->range, x))
    lim_read_error(r, node, "%s is %.*s, must be %s", key->name, SHOWN, node->text,
                   range_words(key->range, words, sizeof words));
  else
    *(int *)field = (int)x;
}

// Records are zero to begin with.
static void absent_zero(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  (void)r, (void)key, (void)near, (void)field;
}

static void schema_count(lim_json *j, const lim_key *key) {
  type_schema(j, "integer");
  range_schema(j, key->range);
}

const lim_kind lim_count = {"whole number", read_count, absent_zero, schema_count};

// --- words and names ---

lim_word lim_key_word(const lim_key *key, int i) {
  if (key->kinds) {
    const lim_kind_row *kind = key->kinds(i);
    return kind ? (lim_word){kind->word, (int)strlen(kind->word)} : (lim_word){0};
  }
  const char *w = key->words;
  for (; w && i > 0; i--) {
    w = strchr(w, '|');
    if (w) w++;
  }
  return (lim_word){w, w ? (int)strcspn(w, "|") : 0};
}

int lim_key_index(const lim_key *key, const char *word) {
  const int n = (int)strlen(word);
  lim_word w;
  for (int i = 0; (w = lim_key_word(key, i)).text; i++)
    if (w.length == n && !strncmp(w.text, word, (size_t)n)) return i;
  return -1;
}

// "a, b or c"
static void words_text(const lim_key *key, char *buffer, size_t size) {
  size_t used = 0;
  lim_word w;
  for (int i = 0; (w = lim_key_word(key, i)).text && used < size; i++) {
    const char *glue = !lim_key_word(key, i + 1).text ? "" : lim_key_word(key, i + 2).text ? ", " : " or ";
    used += (size_t)snprintf(buffer + used, size - used, "%.*s%s", w.length, w.text, glue);
  }
}

static void bad_word(lim_reader *r, const lim_key *key, const lim_node *node) {
  char all[256] = "", word[64];
  lim_nearest near = lim_nearest_start(node->text);
  char best[64] = "";
  lim_word w;
  for (int i = 0; (w = lim_key_word(key, i)).text; i++) {
    snprintf(word, sizeof word, "%.*s", w.length, w.text);
    int before = near.distance;
    lim_nearest_try(&near, word);
    if (near.distance < before) memcpy(best, word, sizeof best);
  }
  words_text(key, all, sizeof all);
  if (best[0])
    lim_read_error(r, node, "%s is '%.*s', must be %s; did you mean '%s'?", key->name, SHOWN, node->text, all,
                   best);
  else
    lim_read_error(r, node, "%s is '%.*s', must be %s", key->name, SHOWN, node->text, all);
}

// Keys that are on or off, or may be 'no', take the other words of YAML for it too.
static bool is_switch(const lim_key *key) {
  return lim_key_index(key, "off") >= 0 || lim_key_index(key, "no") >= 0;
}

static const char *switch_word(const lim_key *key, const char *word) {
  static const char *const on[] = {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"},
                           *const off[] = {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"};
  if (lim_key_index(key, word) >= 0) return word;
  for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
    if (!strcmp(word, on[i]) && lim_key_index(key, "on") >= 0) return "on";
    if (!strcmp(word, off[i])) return lim_key_index(key, "off") >= 0 ? "off" : "no";
  }
  return word;
}

static void read_words(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  char all[256] = "";
  words_text(key, all, sizeof all);
  if (!is_scalar(r, key, node, all)) return;
  const char *word = node->text;
  if (!node->quoted && is_switch(key)) word = switch_word(key, word);
  int i = lim_key_index(key, word);
  if (i < 0)
    bad_word(r, key, node);
  else
    *(int *)field = i;
}

static void schema_words(lim_json *j, const lim_key *key) {
  lim_json_key(j, "enum");
  lim_json_flat(j);
  char word[64];
  lim_word w;
  for (int i = 0; (w = lim_key_word(key, i)).text; i++) {
    snprintf(word, sizeof word, "%.*s", w.length, w.text);
    lim_json_text(j, word);
  }
  const bool both = lim_key_index(key, "on") >= 0;
  if (both) lim_json_text(j, "yes");
  if (both) lim_json_text(j, "no");
  if (is_switch(key) && !both) lim_json_text(j, "off");
  if (is_switch(key)) lim_json_bool(j, false);
  if (both) lim_json_bool(j, true);
  lim_json_end(j, ']');
}

const lim_kind lim_words = {"word", read_words, absent_zero, schema_words};

static void read_string(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (is_scalar(r, key, node, "a text")) *(const char **)field = node->text;
}

static void schema_string(lim_json *j, const lim_key *key) {
  (void)key;
  type_schema(j, "string");
}

const lim_kind lim_string = {"text", read_string, absent_zero, schema_string};

// The name of a file, which is kept: where it lies is checked when the model's folder is known.
static void read_file(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  read_string(r, key, node, field);
  if (!*(const char **)field) return;
  lim_named_file *file = lim_arena_allocate(r->arena, sizeof *file);
  if (!file) {
    lim_read_no_memory(r);
    return;
  }
  *file = (lim_named_file){node, r->where, r->files};
  r->files = file;
}

const lim_kind lim_file = {"file", read_file, absent_zero, schema_string};

// Names become parts of channel names and paths: no dots, nothing invisible.
static bool name_valid(const char *name) {
  size_t n = strlen(name);
  if (n == 0 || n > NAME_LENGTH || isspace((unsigned char)name[0]) || isspace((unsigned char)name[n - 1]))
    return false;
  for (const char *c = name; *c; c++)
    if (*c == '.' || *c == '=' || *c == ',' || lim_text_steers(c)) return false;
  return true;
}

static void read_own_name(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (!is_scalar(r, key, node, "a name")) return;
  if (!name_valid(node->text))
    lim_read_error(
        r, node, "name is '%.*s', must have 1 to %d printable letters, none of . = , and no blank at its ends",
        SHOWN, node->text, NAME_LENGTH);
  else if (key->words && lim_key_index(key, node->text) >= 0)
    lim_read_error(r, node, "name is '%s', which is taken: it stands for a place on every link", node->text);
  else
    *(const char **)field = node->text;
}

const lim_kind lim_own_name = {"name", read_own_name, absent_zero, schema_string};

static void read_reference(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (!is_scalar(r, key, node, "a name")) return;
  lim_ref *ref = field;
  if (!ref->text) *ref = (lim_ref){.text = node->text, .node = node, .index = -1};
}

static void absent_reference(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  (void)r, (void)key, (void)near;
  lim_ref *ref = field;
  if (!ref->text) ref->index = -1;
}

const lim_kind lim_reference = {"name of another entry", read_reference, absent_reference, schema_string};

// --- places ---

static void read_along(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  static const char *const expected = LIM_PLACES_ALONG;
  if (!is_scalar(r, key, node, key->n == 1 ? "base, tip or the name of a frame" : expected)) return;
  lim_link_location *place = field;
  *place = (lim_link_location){.node = node, .frame = {.text = NULL, .index = -1}};
  char bad[SHOWN + 1];
  const bool pure = lim_number_parse(&place->value, node->text, "", bad, sizeof bad) == LIM_NUMBER_OK;
  const bool distance =
      !pure && lim_number_parse(&place->value, node->text, "m", bad, sizeof bad) == LIM_NUMBER_OK;
  if (!strcmp(node->text, "base")) {
    place->kind = LIM_AT_BASE;
    place->value = 0;
  } else if (!strcmp(node->text, "tip")) {
    place->kind = LIM_AT_TIP;
    place->value = 1;
  } else if (key->n == 1 ||
             (key->n && !pure && !distance)) { // of these a slip of the pen is told when it is resolved
    place->kind = LIM_AT_FRAME;
    place->frame = (lim_ref){.text = node->text, .node = node, .index = -1};
  } else if (pure && place->value >= 0 && place->value <= 1)
    place->kind = LIM_AT_FRACTION;
  else if (distance)
    place->kind = LIM_AT_DISTANCE;
  else
    lim_read_error(r, node, pure ? "%s is %.*s, must be %s" : "%s is '%.*s', must be %s", key->name, SHOWN,
                   node->text, expected);
}

static void schema_along(lim_json *j, const lim_key *key) {
  (void)key;
  lim_json_key(j, "type");
  lim_json_flat(j);
  lim_json_text(j, "string");
  lim_json_text(j, "number");
  lim_json_end(j, ']');
}

const lim_kind lim_along = {"place on a link", read_along, absent_zero, schema_along};

static void read_in_arm(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (!is_scalar(r, key, node, "a frame, as link.tip or a frame's name")) return;
  *(lim_location *)field =
      (lim_location){.ref = {.text = node->text, .node = node, .index = -1}, .link = -1, .frame = -1};
}

static void absent_in_arm(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  (void)r, (void)key, (void)near;
  *(lim_location *)field = (lim_location){.link = -1, .frame = -1};
}

const lim_kind lim_in_arm = {"frame", read_in_arm, absent_in_arm, schema_string};

// Whether a decimal comma made two entries of one, as in [0, 0, -9,81]: some have a blank between them, others
// not.
static bool has_decimal_comma(const lim_node *list) {
  bool blanks = false, none = false;
  for (int i = 0; i + 1 < list->count; i++) {
    const lim_node *item = list->item[i], *next = list->item[i + 1];
    bool plain = item->kind == LIM_SCALAR && next->kind == LIM_SCALAR && item->line == next->line;
    bool close = plain && next->column == item->column + (int)strlen(item->text) + 1;
    bool digits = plain && strspn(next->text, "0123456789") > 0;
    blanks = blanks || !close;
    none = none || (close && digits);
  }
  return blanks && none;
}

static void bad_list(lim_reader *r, const lim_key *key, const lim_node *node, const char *expected) {
  char buffer[64];
  if (node->kind == LIM_SEQUENCE)
    lim_read_error(r, node, "%s has %d entr%s, must be %s%s", key->name, node->count,
                   node->count == 1 ? "y" : "ies", expected,
                   key->n && node->count > key->n && has_decimal_comma(node) ? "; decimals take a point" : "");
  else
    lim_read_error(r, node, "%s is %s, must be %s", key->name, lim_node_text(node, buffer), expected);
}

static bool is_list_of(const lim_node *node, int count) {
  return node->kind == LIM_SEQUENCE && node->count == count;
}

static void read_two_in_arm(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (!is_list_of(node, 2)) {
    bad_list(r, key, node, "a list of 2 frames");
    return;
  }
  for (int i = 0; i < 2; i++) read_in_arm(r, key, node->item[i], (lim_location *)field + i);
}

static void list_schema(lim_json *j, const lim_key *key, int min, int max,
                        void (*items)(lim_json *, const lim_key *)) {
  type_schema(j, "array");
  lim_json_key(j, "minItems");
  lim_json_int(j, min);
  lim_json_key(j, "maxItems");
  lim_json_int(j, max);
  lim_json_key(j, "items");
  lim_json_object(j);
  items(j, key);
  lim_json_end(j, '}');
}

static void schema_two_in_arm(lim_json *j, const lim_key *key) { list_schema(j, key, 2, 2, schema_string); }

const lim_kind lim_two_in_arm = {"two frames", read_two_in_arm, absent_zero, schema_two_in_arm};

// --- lists of numbers ---

static void read_vector(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  char expected[64];
  snprintf(expected, sizeof expected, "%sa list of %d numbers", key->kind == &lim_spread ? "a number or " : "",
           key->n);
  if (!is_list_of(node, key->n))
    bad_list(r, key, node, expected);
  else
    for (int i = 0; i < key->n; i++) number(r, key, node->item[i], (double *)field + i);
}

static void schema_vector(lim_json *j, const lim_key *key) {
  list_schema(j, key, key->n, key->n, schema_number);
}

const lim_kind lim_vector = {"list of numbers", read_vector, absent_number, schema_vector};

// One number, or a list of n. One number stands for all of kappa, and for the only freedom of a joint.
static void read_spread(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  double *x = field;
  if (node->kind == LIM_SEQUENCE) {
    read_vector(r, key, node, field);
  } else if (number(r, key, node, x)) {
    for (int i = 1; i < key->n; i++) x[i] = x[0];
  }
}

static void schema_spread(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  schema_number(j, key);
  lim_json_end(j, '}');
  lim_json_object(j);
  schema_vector(j, key);
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

const lim_kind lim_spread = {"number or list of numbers", read_spread, absent_number, schema_spread};

// Three moments of inertia, or six with the products.
static void read_inertia(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind != LIM_SEQUENCE || (node->count != 3 && node->count != 6)) {
    bad_list(r, key, node, "a list of 3 or 6 numbers");
    return;
  }
  double *inertia = field;
  for (int i = 0; i < node->count; i++) number(r, key, node->item[i], inertia + i);
}

static void schema_inertia(lim_json *j, const lim_key *key) { list_schema(j, key, 3, 6, schema_number); }

const lim_kind lim_inertia_tensor = {"list of 3 or 6 numbers", read_inertia, absent_zero, schema_inertia};

static void read_strings(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind != LIM_SEQUENCE) {
    bad_list(r, key, node, "a list of texts");
    return;
  }
  LIM_LIST(const char *) *list = field;
  list->item = lim_arena_array(r->arena, (size_t)node->count, sizeof *list->item);
  if (!list->item) {
    lim_read_no_memory(r);
    return;
  }
  for (int i = 0; i < node->count; i++) read_string(r, key, node->item[i], &list->item[list->count++]);
}

static void schema_strings(lim_json *j, const lim_key *key) {
  type_schema(j, "array");
  lim_json_key(j, "items");
  lim_json_object(j);
  schema_string(j, key);
  lim_json_end(j, '}');
}

const lim_kind lim_strings = {"list of texts", read_strings, absent_zero, schema_strings};

// A list of numbers, at least one.
static void read_numbers(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind != LIM_SEQUENCE || node->count == 0) {
    bad_list(r, key, node, "a list of numbers");
    return;
  }
  LIM_LIST(double) *list = field;
  list->item = lim_arena_array(r->arena, (size_t)node->count, sizeof *list->item);
  if (!list->item) {
    lim_read_no_memory(r);
    return;
  }
  for (int i = 0; i < node->count; i++)
    if (!number(r, key, node->item[i], &list->item[list->count++])) return;
}

static void schema_numbers(lim_json *j, const lim_key *key) {
  type_schema(j, "array");
  lim_json_key(j, "items");
  lim_json_object(j);
  schema_number(j, key);
  lim_json_end(j, '}');
}

const lim_kind lim_numbers = {"list of numbers", read_numbers, absent_zero, schema_numbers};

// The same, or one number.
static void read_series(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  LIM_LIST(double) *list = field;
  if (node->kind == LIM_SEQUENCE) {
    read_numbers(r, key, node, field);
    return;
  }
  list->item = lim_arena_array(r->arena, 1, sizeof *list->item);
  if (!list->item)
    lim_read_no_memory(r);
  else if (number(r, key, node, list->item))
    list->count = 1;
}

static void schema_series(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  schema_number(j, key);
  lim_json_end(j, '}');
  lim_json_object(j);
  schema_numbers(j, key);
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

const lim_kind lim_series = {"number or list of numbers", read_series, absent_zero, schema_series};

// One name, or a list of them, into records of this size that begin with a lim_ref.
static void read_list_of_names(lim_reader *r, const lim_key *key, const lim_node *node, void *field,
                               size_t size) {
  LIM_LIST(char) *list = field;
  const bool several = node->kind == LIM_SEQUENCE;
  const int count = several ? node->count : 1;
  if (count == 0) bad_list(r, key, node, "a name or a list of names");
  list->item = lim_arena_array(r->arena, (size_t)count, size);
  if (!list->item) {
    lim_read_no_memory(r);
    return;
  }
  for (int i = 0; i < count; i++)
    read_reference(r, key, several ? node->item[i] : node, list->item + (size_t)list->count++ * size);
}

static void read_names(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  read_list_of_names(r, key, node, field, sizeof(lim_ref));
}

// What a block takes.
static void read_inputs(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  read_list_of_names(r, key, node, field, sizeof(lim_source));
}

static void schema_inputs(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  schema_string(j, key);
  lim_json_end(j, '}');
  lim_json_object(j);
  schema_strings(j, key);
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

const lim_kind lim_input_names = {"name or list of names", read_inputs, absent_zero, schema_inputs};
const lim_kind lim_names = {"name or list of names", read_names, absent_zero, schema_inputs};

// The name of a set of nodes, or numbers of nodes.
static void schema_nodes(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  schema_along(j, key); // a text or a number
  lim_json_end(j, '}');
  lim_json_object(j);
  type_schema(j, "array");
  lim_json_key(j, "items");
  lim_json_object(j);
  schema_along(j, key);
  lim_json_end(j, '}');
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

const lim_kind lim_nodes = {"set or list of nodes", read_names, absent_zero, schema_nodes};

// [[t, value], ...] with rising times.
static void read_points(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind != LIM_SEQUENCE || node->count < 2) {
    bad_list(r, key, node, "a list of at least two [t, value]");
    return;
  }
  LIM_LIST(double) *list = field;
  list->item = lim_arena_array(r->arena, 2 * (size_t)node->count, sizeof *list->item);
  if (!list->item) {
    lim_read_no_memory(r);
    return;
  }
  const lim_key time = {.name = "t", .unit = "s"}, one = {.name = "one of the points"};
  for (int i = 0; i < node->count; i++) {
    const lim_node *point = node->item[i];
    if (!is_list_of(point, 2)) {
      bad_list(r, &one, point, "[t, value]");
      return;
    }
    double *p = list->item + 2 * i;
    if (!number(r, &time, point->item[0], p) || !number(r, key, point->item[1], p + 1)) return;
    if (i && !(p[0] > p[-2]))
      lim_read_error(r, point, "t is %g s, must rise, but %g s stands before it", p[0], p[-2]);
    list->count += 2;
  }
}

static void schema_points(lim_json *j, const lim_key *key) {
  type_schema(j, "array");
  lim_json_key(j, "items");
  lim_json_object(j);
  list_schema(j, key, 2, 2, schema_number);
  lim_json_end(j, '}');
}

const lim_kind lim_points = {"list of [t, value]", read_points, absent_zero, schema_points};
