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
  lim_tree_error(r->err, at, "%s%s", r->context, text);
  if (r->code == LIM_OK) r->code = LIM_BAD_INPUT;
}

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

static void fill_default(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
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

static void unknown_key(lim_reader *r, const lim_table *table, const lim_node *key, const char *tag) {
  const lim_key *elsewhere = lim_table_key(table, key->text, NULL);
  if (elsewhere) {
    lim_read_error(r, key, "key '%s' does not go with %s '%s', only with %s", key->text, table->tag, tag,
                   elsewhere->only);
    return;
  }
  lim_nearest near = lim_nearest_start(key->text);
  lim_text all = {0};
  for (const lim_key *k = table->key; k->name; k++)
    if (lim_key_listed(k->only, tag) || !tag) {
      lim_nearest_try(&near, k->name);
      lim_text_add(&all, "%s%s", all.length ? ", " : "", k->name);
    }
  if (near.best)
    lim_read_error(r, key, "unknown key '%.40s' in %s; did you mean '%s'?", key->text, table->name, near.best);
  else
    lim_read_error(r, key, "unknown key '%.40s' in %s; it has %s", key->text, table->name,
                   all.text ? all.text : "");
  lim_text_free(&all);
}

static void check_keys(lim_reader *r, const lim_table *table, const lim_node *node, const char *tag) {
  for (int i = 0; i < node->count; i++)
    if (!lim_table_key(table, node->key[i]->text, tag)) unknown_key(r, table, node->key[i], tag);
  for (const lim_key *key = table->key; key->name; key++)
    if (required(key, tag) && !lim_tree_get(node, key->name)) {
      bool by_tag = tag && strcmp(key->need, "*");
      lim_read_error(r, node, "%s has no '%s'%s%s%s%s%s", table->name, key->name, by_tag ? ", which " : "",
                     by_tag ? table->tag : "", by_tag ? " '" : "", by_tag ? tag : "", by_tag ? "' needs" : "");
    }
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

void lim_read_record(lim_reader *r, const lim_table *table, const lim_node *node, void *record) {
  if (table->brief && (table->whole || node->kind != LIM_MAPPING)) {
    node = expand_brief(r, table, node);
    if (!node) return;
  }
  if (node->kind != LIM_MAPPING) {
    lim_read_error(r, node, "%s must be a mapping of keys to values", table->name);
    return;
  }
  lim_head *head = record;
  head->node = node;
  const char *tag = lim_table_tag(table, node);
  check_keys(r, table, node, tag);
  for (const lim_key *key = table->key; key->name && r->code != LIM_NO_MEMORY; key++) {
    if (tag && !lim_key_listed(key->only, tag) && lim_table_key(table, key->name, tag))
      continue; // another row fills it
    void *field = (char *)record + key->offset;
    const lim_node *value = lim_tree_get(node, key->name);
    fill_default(r, key, node, field);
    if (value) key->kind->read(r, key, value, field);
  }
}

static void read_record(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  lim_read_record(r, key->table, node, field);
}

// A record that was not written has all its defaults, and no node.
static void absent_record(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  for (const lim_key *k = key->table->key; k->name && r->code != LIM_NO_MEMORY; k++)
    fill_default(r, k, near, (char *)field + k->offset);
}

// --- lists of records ---

enum { ENTRIES = 4096 }; // of one list

typedef LIM_LIST(char) record_list; // the layout that all LIM_LISTs share

static bool make_room(lim_reader *r, const lim_table *table, int count, record_list *list) {
  list->item = lim_arena_array(r->arena, (size_t)count, table->size);
  list->count = list->item ? count : 0;
  if (!list->item) lim_read_no_memory(r);
  return list->item != NULL;
}

// Read an entry with its name before every message: "link 'upper': ...".
static void read_entry(lim_reader *r, const lim_table *table, const lim_node *node, const char *name,
                       void *record) {
  char outer[sizeof r->context];
  memcpy(outer, r->context, sizeof outer);
  if (name) snprintf(r->context, sizeof r->context, "%s '%.40s': ", table->name, name);
  ((lim_head *)record)->name = name ? name : "";
  lim_read_record(r, table, node, record);
  memcpy(r->context, outer, sizeof outer);
}

static void read_records(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind != LIM_SEQUENCE) {
    lim_read_error(r, node, "%s must be a list: entries that begin with '-'", key->name);
    return;
  }
  if (node->count > ENTRIES) {
    lim_read_error(r, node, "%s has %d entries, must have at most %d", key->name, node->count, ENTRIES);
    return;
  }
  record_list *list = field;
  if (!make_room(r, key->table, node->count, list)) return;
  for (int i = 0; i < node->count && r->code != LIM_NO_MEMORY; i++) {
    const lim_node *name = lim_tree_get(node->item[i], "name");
    bool usable = name && name->kind == LIM_SCALAR && name->text[0];
    read_entry(r, key->table, node->item[i], usable ? name->text : NULL,
               list->item + (size_t)i * key->table->size);
  }
}

static void read_record_or_records(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  record_list *list = field;
  if (node->kind == LIM_SEQUENCE && node->count == 0)
    lim_read_error(r, node, "%s is an empty list", key->name);
  else if (node->kind == LIM_SEQUENCE)
    read_records(r, key, node, field);
  else if (make_room(r, key->table, 1, list)) {
    ((lim_head *)list->item)->name = "";
    lim_read_record(r, key->table, node, list->item);
  }
}

static void read_named_records(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  if (node->kind != LIM_MAPPING) {
    lim_read_error(r, node, "%s must be a mapping of names to entries", key->name);
    return;
  }
  record_list *list = field;
  if (!make_room(r, key->table, node->count, list)) return;
  for (int i = 0; i < node->count && r->code != LIM_NO_MEMORY; i++)
    read_entry(r, key->table, node->item[i], node->key[i]->text, list->item + (size_t)i * key->table->size);
}

// A value in time: a profile, a list of them, a plain number, or the key's one word.
static void read_in_time(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  lim_signal *signal = field;
  if (key->words && node->kind == LIM_SCALAR && !strcmp(node->text, key->words)) {
    signal->rigid = true;
    return;
  }
  const char *outer = r->unit;
  if (key->unit[0] != '@') r->unit = key->unit;
  read_record_or_records(r, key, node, &signal->list);
  r->unit = outer;
}

// --- their schemas ---

static void reference(lim_json *j, const lim_table *table) {
  char path[64];
  snprintf(path, sizeof path, "#/$defs/%s", table->name);
  lim_json_object(j);
  lim_json_key(j, "$ref");
  lim_json_text(j, path);
  lim_json_end(j, '}');
}

static void schema_record(lim_json *j, const lim_key *key) {
  lim_json_key(j, "allOf");
  lim_json_list(j);
  reference(j, key->table);
  lim_json_end(j, ']');
}

static void array_of(lim_json *j, const lim_table *table) {
  lim_json_key(j, "type");
  lim_json_text(j, "array");
  lim_json_key(j, "items");
  reference(j, table);
}

static void schema_records(lim_json *j, const lim_key *key) { array_of(j, key->table); }

static void schema_record_or_records(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  reference(j, key->table);
  lim_json_object(j);
  array_of(j, key->table);
  lim_json_end(j, '}');
  if (key->words) {
    lim_json_object(j);
    lim_json_key(j, "const");
    lim_json_text(j, key->words);
    lim_json_end(j, '}');
  }
  lim_json_end(j, ']');
}

static void schema_named_records(lim_json *j, const lim_key *key) {
  lim_json_key(j, "type");
  lim_json_text(j, "object");
  lim_json_key(j, "additionalProperties");
  reference(j, key->table);
}

static void absent_list(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  (void)r, (void)key, (void)near, (void)field;
}

const lim_kind lim_record = {"mapping", read_record, absent_record, schema_record};
const lim_kind lim_records = {"list", read_records, absent_list, schema_records};
const lim_kind lim_record_or_records = {"mapping or list", read_record_or_records, absent_list,
                                        schema_record_or_records};
const lim_kind lim_named_records = {"mapping by name", read_named_records, absent_list, schema_named_records};
const lim_kind lim_in_time = {"value in time", read_in_time, absent_list, schema_record_or_records};
