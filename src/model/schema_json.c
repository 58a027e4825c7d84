// schema_json.c - the tables as a JSON Schema (draft 2020-12), which editors use for completion and checks.
#include "model/schema.h"

#include <stdio.h>
#include <string.h>

enum { TABLES = 64 };

typedef struct {
  const lim_table *item[TABLES];
  int count;
} table_list;

// Every table below this one, once.
static void collect(table_list *all, const lim_table *table) {
  for (int i = 0; i < all->count; i++)
    if (all->item[i] == table) return;
  if (all->count == TABLES) return;
  all->item[all->count++] = table;
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (w.key->table) collect(all, w.key->table);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (w.key->more) collect(all, w.key->more);
}

static void describe(lim_json *j, const lim_key *key) {
  char text[400];
  const char *unit = key->unit && key->unit[0] && key->unit[0] != '@' ? key->unit : NULL;
  snprintf(text, sizeof text, "%s%s%s%s%s%s%s", key->help, unit ? " [" : "", unit ? unit : "", unit ? "]" : "",
           key->preset ? " (default: " : "", key->preset ? key->preset : "", key->preset ? ")" : "");
  lim_json_key(j, "description");
  lim_json_text(j, text);
}

static void value_of(lim_json *j, const lim_key *key) {
  lim_json_object(j);
  describe(j, key);
  key->kind->schema(j, key);
  lim_json_end(j, '}');
}

static bool is_alone(const lim_table *table, const lim_key *key) {
  int count = 0;
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) count += !strcmp(w.key->name, key->name);
  return count == 1;
}

// Kinds may have keys of one name that mean different things: any of them will do.
static void property(lim_json *j, const lim_table *table, const lim_key *key) {
  lim_json_key(j, key->name);
  if (is_alone(table, key)) {
    value_of(j, key);
    return;
  }
  lim_json_object(j);
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (!strcmp(w.key->name, key->name)) value_of(j, w.key);
  lim_json_end(j, ']');
  lim_json_end(j, '}');
}

static bool seen_before(const lim_table *table, const lim_key *key) {
  return lim_table_key(table, key->name, NULL) != key;
}

static void properties(lim_json *j, const lim_table *table) {
  lim_json_key(j, "properties");
  lim_json_object(j);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (!seen_before(table, w.key)) property(j, table, w.key);
  lim_json_end(j, '}');
}

// Keys needed when the tag is `word`; always, when word is NULL.
static void required(lim_json *j, const lim_table *table, const char *word) {
  lim_json_key(j, "required");
  lim_json_flat(j);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) {
    const bool always = lim_key_always(table, w.key);
    if (word ? !always && lim_key_needed(table, w.key, word) : always) lim_json_text(j, w.key->name);
  }
  lim_json_end(j, ']');
}

// One rule per word of the tag: which keys it needs.
static void variants(lim_json *j, const lim_table *table) {
  const lim_key *tag = lim_table_key(table, table->tag, NULL);
  lim_json_key(j, "allOf");
  lim_json_list(j);
  lim_word w;
  for (int i = 0; (w = lim_key_word(tag, i)).text; i++) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", w.length, w.text);
    lim_json_object(j);
    lim_json_key(j, "if");
    lim_json_object(j);
    lim_json_key(j, "properties");
    lim_json_object(j);
    lim_json_key(j, table->tag);
    lim_json_object(j);
    lim_json_key(j, "const");
    lim_json_text(j, word);
    lim_json_end(j, '}');
    lim_json_end(j, '}');
    lim_json_key(j, "required");
    lim_json_flat(j);
    lim_json_text(j, table->tag);
    lim_json_end(j, ']');
    lim_json_end(j, '}');
    lim_json_key(j, "then");
    lim_json_object(j);
    required(j, table, word);
    lim_json_end(j, '}');
    lim_json_end(j, '}');
  }
  lim_json_end(j, ']');
}

static void record(lim_json *j, const lim_table *table) {
  lim_json_key(j, "type");
  lim_json_text(j, "object");
  lim_json_key(j, "description");
  lim_json_text(j, table->help);
  lim_json_key(j, "additionalProperties");
  lim_json_bool(j, false);
  properties(j, table);
  required(j, table, NULL);
  if (table->tag) variants(j, table);
}

// A record, or the value that may stand in its place.
static void definition(lim_json *j, const lim_table *table) {
  const lim_key *brief = table->brief ? lim_table_key(table, table->brief, NULL) : NULL;
  if (brief && table->whole) {
    brief->kind->schema(j, brief);
    return;
  }
  if (!brief) {
    record(j, table);
    return;
  }
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  lim_json_object(j);
  brief->kind->schema(j, brief);
  lim_json_end(j, '}');
  lim_json_object(j);
  record(j, table);
  lim_json_end(j, '}');
  lim_json_end(j, ']');
}

void lim_schema_entries(lim_json *out) {
  table_list all = {.count = 0};
  collect(&all, &lim_root_table);
  lim_json_object(out);
  lim_json_key(out, "$schema");
  lim_json_text(out, "https://json-schema.org/draft/2020-12/schema");
  lim_json_key(out, "title");
  lim_json_text(out, "limber model file");
  record(out, &lim_root_table);
  lim_json_key(out, "$defs");
  lim_json_object(out);
  for (int i = 1; i < all.count; i++) {
    lim_json_key(out, all.item[i]->name);
    lim_json_object(out);
    definition(out, all.item[i]);
    lim_json_end(out, '}');
  }
  lim_json_end(out, '}');
  lim_json_end(out, '}');
}

void lim_schema_json(lim_text *out) {
  lim_json j = lim_json_start(out);
  lim_schema_entries(&j);
  lim_text_add(out, "\n");
}
