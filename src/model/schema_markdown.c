// schema_markdown.c - the tables as the reference page docs/reference/model.md.
#include "model/schema.h"

#include <stdio.h>
#include <string.h>

// `|` separates columns in Markdown.
static void cell(lim_text *out, const char *text) {
  for (const char *c = text; *c; c++) lim_text_add(out, *c == '|' ? "\\|" : "%c", *c);
}

static void type_cell(lim_text *out, const lim_key *key) {
  if (key->kind == &lim_words) {
    lim_word w;
    for (int i = 0; (w = lim_key_word(key, i)).text; i++)
      lim_text_add(out, "%s`%.*s`", i ? ", " : "", w.length, w.text);
    return;
  }
  if (key->kind == &lim_vector)
    lim_text_add(out, "%d numbers", key->n);
  else if (key->kind == &lim_spread)
    lim_text_add(out, "number, or %d", key->n);
  else
    lim_text_add(out, "%s", key->kind->label);
  if (key->table) lim_text_add(out, " ([%s](#%s))", key->table->name, key->table->name);
}

static void unit_cell(lim_text *out, const lim_key *key) {
  const char *unit = key->unit ? key->unit : "";
  if (unit[0] == '@') unit = !strcmp(unit, "@/s") ? "of the value, per s" : "of the value";
  if (unit[0] == '|') lim_text_add(out, "1, ");
  unit += unit[0] == '|';
  const char *bar = strchr(unit, '|');
  if (bar)
    lim_text_add(out, "%.*s or %s", (int)(bar - unit), unit, bar + 1);
  else
    lim_text_add(out, "%s", unit);
}

static void default_cell(lim_text *out, const lim_table *table, const lim_key *key) {
  if (lim_key_always(table, key)) {
    lim_text_add(out, "**required**");
  } else if (key->need) {
    lim_text_add(out, "required for ");
    lim_key_variants(out, table, key, " ", lim_key_needed);
  } else if (key->preset) {
    lim_text_add(out, "`%s`", key->preset);
  }
}

static void row(lim_text *out, const lim_table *table, const lim_key *key) {
  lim_text_add(out, "| `%s` | ", key->name);
  type_cell(out, key);
  lim_text_add(out, " | ");
  unit_cell(out, key);
  lim_text_add(out, " | ");
  default_cell(out, table, key);
  lim_text_add(out, " | %s%s | ", key->range ? key->range : "", "");
  cell(out, key->help);
  if (key->only || lim_key_owner(table, key)) {
    lim_text_add(out, " (only: ");
    lim_key_variants(out, table, key, " ", lim_key_belongs);
    lim_text_add(out, ")");
  }
  lim_text_add(out, " |\n");
}

// What each kind is.
static void kinds(lim_text *out, const lim_key *key) {
  if (!key->kinds) return;
  lim_text_add(out, "\n| %s | is |\n|---|---|\n", key->name);
  for (int i = 0; key->kinds(i); i++) {
    lim_text_add(out, "| `%s` | ", key->kinds(i)->word);
    cell(out, key->kinds(i)->help);
    lim_text_add(out, " |\n");
  }
}

static void section(lim_text *out, const lim_table *table, const lim_table **done, int *count) {
  for (int i = 0; i < *count; i++)
    if (done[i] == table) return;
  done[(*count)++] = table;
  lim_text_add(out, "\n## %s\n\n%s\n", table->name, table->help);
  if (table->whole)
    lim_text_add(out, "\nWritten as the value itself.\n");
  else if (table->brief)
    lim_text_add(out, "\nA value in place of the mapping means `%s`.\n", table->brief);
  lim_text_add(out, "\n| key | value | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) row(out, table, w.key);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) kinds(out, w.key);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (w.key->table) section(out, w.key->table, done, count);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (w.key->more) section(out, w.key->more, done, count);
}

void lim_schema_markdown(lim_text *out) {
  const lim_table *done[64];
  int count = 0;
  lim_text_add(
      out,
      "# The model file\n\n"
      "YAML 1.2. Plain numbers are SI and radians; a text with a unit (`500 mm`, `71 GPa`, `90 "
      "deg`) is converted\n"
      "and its dimension checked ([units](units.md)). \"m or rad\" means metres for prismatic and radians for "
      "revolute joints. A key that\n"
      "is not listed is an error. This page is made from the program's own tables by `limber "
      "schema --markdown`;\n"
      "`limber schema` writes the same as a JSON Schema for editors.\n");
  section(out, &lim_root_table, done, &count);
}
