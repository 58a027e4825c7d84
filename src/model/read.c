// read.c - fills records from the tree by their tables: defaults, known keys, unknown keys, missing keys.
#include "model/schema.h"

#include <stdio.h>
#include <string.h>

void lim_read_no_memory(lim_reader *r) {
  if (r->code != LIM_NO_MEMORY) lim_error_add(r->err, LIM_NO_MEMORY, NULL, 0, 0, "out of memory");
  r->code = LIM_NO_MEMORY;
}

void lim_read_error(lim_reader *r, const lim_node *at, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  lim_tree_error(r->err, at, "%s%s%s", r->where, r->where[0] ? ": " : "", text);
  r->errors++;
  if (r->code == LIM_OK) r->code = LIM_BAD_INPUT;
}

bool lim_error_heard(const lim_error *err) { return err && err->kept < LIM_NOTES_MAX; }

// --- tables ---

bool lim_key_listed(const char *list, const char *word) {
  if (!list || !strcmp(list, "*")) return true;
  if (!word) return false;
  size_t n = strlen(word);
  for (const char *w = list; *w;) {
    size_t length = strcspn(w, " ");
    if (length == n && !strncmp(w, word, n)) return true;
    w += length + (w[length] == ' ');
  }
  return false;
}

static bool required(const lim_key *key, const char *tag) {
  return key->need && lim_key_listed(key->need, tag);
}

const lim_key *lim_table_key(const lim_table *table, const char *name, const char *tag) {
  for (const lim_key *key = table->key; key->name; key++)
    if (!strcmp(key->name, name) && (!tag || lim_key_listed(key->only, tag))) return key;
  return NULL;
}

const char *lim_table_tag(const lim_table *table, const lim_node *node) {
  if (!table->tag) return NULL;
  const lim_key *key = lim_table_key(table, table->tag, NULL);
  const lim_node *value = lim_tree_get(node, table->tag);
  if (value && value->kind == LIM_SCALAR && lim_words_index(key->words, value->text) >= 0) return value->text;
  return value ? NULL : key->preset; // a wrong word is reported once; then every key is taken to belong
}

// "@" stands for the signal's unit, "@/s" for its rate, "@!" for its value, or the acceleration of a motion.
const char *lim_key_unit(const lim_key *key, const char *outer, char *room, size_t size) {
  if (!key->unit) return "";
  if (key->unit[0] != '@') return key->unit;
  if (!outer) outer = "";
  bool motion = !strcmp(outer, "m|rad");
  if (motion && !strcmp(key->unit, "@/s")) return "m/s|rad/s";
  if (motion && !strcmp(key->unit, "@!")) return "m/s^2|rad/s^2";
  snprintf(room, size, "%s", outer);
  return room;
}

const char *lim_unit_for(const char *unit, bool linear, char *room, size_t size) {
  const char *bar = strchr(unit, '|');
  if (!bar) return unit;
  if (!linear) return bar + 1;
  snprintf(room, size, "%.*s", (int)(bar - unit), unit);
  return room;
}

// --- records ---

// The node of a default, as if the user had written it: a scalar, or a flat list in brackets.
static lim_node *preset_node(lim_reader *r, const char *text, const lim_node *near) {
  lim_node *node = lim_arena_take(r->arena, sizeof *node);
  if (!node) return NULL;
  *node = (lim_node){
      .kind = LIM_SCALAR, .source = near->source, .line = near->line, .column = near->column, .text = text};
  if (text[0] != '[') return node;
  node->kind = LIM_SEQUENCE;
  for (const char *p = text + 1; *p && *p != ']';) {
    size_t n = strcspn(p, ",]");
    char *item = lim_arena_text(r->arena, p, n);
    lim_node *scalar = item ? preset_node(r, item, near) : NULL;
    if (!scalar || !lim_tree_append(r->arena, node, NULL, scalar)) return NULL;
    p += n + (p[n] == ',');
  }
  return node;
}

void lim_read_default(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  if (!key->preset) {
    key->kind->absent(r, key, near, field);
    return;
  }
  const lim_node *node = preset_node(r, key->preset, near);
  if (node)
    key->kind->read(r, key, node, field);
  else
    lim_read_no_memory(r);
}

// " in beam", unless it is the entry itself, which stands before the message.
static const char *inside(const lim_reader *r, const lim_table *table, char room[64]) {
  if (table == r->entry) return "";
  snprintf(room, 64, " in %s", table->name);
  return room;
}

// "a, b, c": the words of the tag with which a key goes, of all rows that have its name.
static void list_variants(lim_text *all, const lim_table *table, const char *name) {
  for (const lim_key *key = table->key; key->name; key++) {
    if (strcmp(key->name, name)) continue;
    for (const char *w = key->only; *w;) {
      size_t n = strcspn(w, " ");
      lim_text_add(all, "%s%.*s", all->length ? ", " : "", (int)n, w);
      w += n + (w[n] == ' ');
    }
  }
}

static const char *meant(const lim_table *table, const char *name, const char *tag) {
  lim_nearest near = lim_nearest_start(name);
  for (const lim_key *k = table->key; k->name; k++)
    if (!tag || lim_key_listed(k->only, tag)) lim_nearest_try(&near, k->name);
  return near.best;
}

static void unknown_key(lim_reader *r, const lim_table *table, const lim_node *key, const char *tag) {
  char room[64];
  lim_text all = {0};
  const char *near = lim_error_heard(r->err) ? meant(table, key->text, tag) : NULL;
  if (lim_table_key(table, key->text, NULL)) {
    list_variants(&all, table, key->text);
    lim_read_error(r, key, "key '%s' does not go with %s '%s', only with %s", key->text, table->tag, tag,
                   all.text ? all.text : "others");
  } else if (near) {
    lim_read_error(r, key, "unknown key '%.40s'%s; did you mean '%s'?", key->text, inside(r, table, room),
                   near);
  } else {
    for (const lim_key *k = table->key; k->name; k++)
      if (!tag || lim_key_listed(k->only, tag)) lim_text_add(&all, "%s%s", all.length ? ", " : "", k->name);
    lim_read_error(r, key, "unknown key '%.40s'%s; known are %s", key->text, inside(r, table, room),
                   all.text ? all.text : "others");
  }
  lim_text_free(&all);
}

// Whether an unknown key was taken for a slip of this one, which then is not missing.
static bool misspelt(const lim_table *table, const lim_node *node, const char *tag, const char *name) {
  for (int i = 0; i < node->count; i++) {
    const char *text = node->key[i]->text;
    const char *near = lim_table_key(table, text, NULL) ? NULL : meant(table, text, tag);
    if (near && !strcmp(near, name)) return true;
  }
  return false;
}

static void missing_key(lim_reader *r, const lim_table *table, const lim_node *node, const lim_key *key,
                        const char *tag) {
  char room[64];
  const char *in = inside(r, table, room);
  if (tag && strcmp(key->need, "*"))
    lim_read_error(r, node, "'%s' is missing%s; %s '%s' needs it", key->name, in, table->tag, tag);
  else
    lim_read_error(r, node, "'%s' is missing%s", key->name, in);
}

static void check_keys(lim_reader *r, const lim_table *table, const lim_node *node, const char *tag) {
  for (int i = 0; i < node->count; i++)
    if (!lim_table_key(table, node->key[i]->text, tag)) unknown_key(r, table, node->key[i], tag);
  for (const lim_key *key = table->key; key->name; key++)
    if (required(key, tag) && !lim_tree_get(node, key->name) &&
        !(lim_error_heard(r->err) && misspelt(table, node, tag, key->name)))
      missing_key(r, table, node, key, tag);
}

// `x` in place of `{brief: x}`
static const lim_node *expand_brief(lim_reader *r, const lim_table *table, const lim_node *node) {
  lim_node *mapping = lim_arena_take(r->arena, sizeof *mapping);
  lim_node *key = mapping ? preset_node(r, table->brief, node) : NULL;
  if (!key) {
    lim_read_no_memory(r);
    return NULL;
  }
  *mapping =
      (lim_node){.kind = LIM_MAPPING, .source = node->source, .line = node->line, .column = node->column};
  if (!lim_tree_append(r->arena, mapping, key, (lim_node *)node)) {
    lim_read_no_memory(r);
    return NULL;
  }
  return mapping;
}

// Where the tag is wrong, a key that means different things by it cannot be read.
static bool ambiguous(const lim_table *table, const lim_key *key) {
  int rows = 0;
  for (const lim_key *k = table->key; k->name; k++) rows += !strcmp(k->name, key->name);
  return rows > 1;
}

// The brief key under the name by which the user wrote its value: `effort: 5 N`, not `value: 5 N`.
static lim_key called(const lim_table *table, const lim_key *key, const lim_key *by) {
  lim_key row = *key;
  if (!by || strcmp(key->name, table->brief)) return row;
  row.name = by->name;
  if (!lim_key_in_time(by)) return row;
  row.table = by->table;
  row.words = by->words;
  return row;
}

static void read_key(lim_reader *r, const lim_table *table, const lim_key *key, const lim_key *by,
                     const lim_node *node, const char *tag, void *record) {
  if (tag && !lim_key_listed(key->only, tag) && lim_table_key(table, key->name, tag))
    return; // another row fills it
  void *field = (char *)record + key->offset;
  const lim_node *value = lim_tree_get(node, key->name);
  const lim_key row = called(table, key, by);
  lim_read_default(r, key, node, field);
  if (value && (tag || !table->tag || !ambiguous(table, key))) row.kind->read(r, &row, value, field);
}

// Fill a record from a mapping: defaults, every key, unknown and missing keys. `by` is the key whose value
// stands in place of the record; NULL where the record is written out.
static void read_fields(lim_reader *r, const lim_table *table, const lim_key *by, const lim_node *node,
                        void *record) {
  lim_head *head = record;
  const char *tag = lim_table_tag(table, node);
  int before = r->errors;
  head->node = node;
  head->where = r->where;
  check_keys(r, table, node, tag);
  for (const lim_key *key = table->key; key->name && r->code != LIM_NO_MEMORY; key++)
    read_key(r, table, key, by, node, tag, record);
  head->flawed = r->errors > before;
}

void lim_read_record(lim_reader *r, const lim_table *table, const lim_key *by, const lim_node *node,
                     void *record) {
  char room[64];
  if (table->brief && (table->whole || node->kind != LIM_MAPPING)) {
    const lim_node *mapping = expand_brief(r, table, node);
    if (mapping) read_fields(r, table, by, mapping, record);
  } else if (node->kind == LIM_MAPPING) {
    read_fields(r, table, NULL, node, record);
  } else {
    lim_read_error(r, node, "%s is %s, must be a mapping of keys to values", by ? by->name : table->name,
                   lim_node_text(node, room));
    ((lim_head *)record)->flawed = true;
  }
}
