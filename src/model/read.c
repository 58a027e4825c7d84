// read.c - fills records from the tree by their tables: defaults, known keys, unknown keys, missing keys.
#include "model/schema.h"

#include "model/file/yaml_slips.h"

#include <stdio.h>
#include <string.h>

void lim_read_no_memory(lim_reader *r) {
  if (r->code != LIM_NO_MEMORY) lim_no_memory(r->err);
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

static const lim_key *tag_of(const lim_table *table) {
  for (const lim_key *key = table->key; table->tag && key->name; key++)
    if (!strcmp(key->name, table->tag)) return key;
  return NULL;
}

const lim_kind_row *lim_table_kind(const lim_table *table, const char *word) {
  const lim_key *tag = tag_of(table);
  for (int i = 0; word && tag && tag->kinds && tag->kinds(i); i++)
    if (!strcmp(tag->kinds(i)->word, word)) return tag->kinds(i);
  return NULL;
}

lim_key_walk lim_key_walk_start(const lim_table *table) {
  const lim_key *tag = tag_of(table);
  return (lim_key_walk){.next = table->key, .kinds = tag ? tag->kinds : NULL};
}

// The next kind that has keys of its own, from number w->at on.
// Whether an earlier kind has the same keys of its own: kinds may share them.
static bool shares_own(const lim_key_walk *w) {
  for (int i = 0; i < w->at; i++)
    if (w->kinds(i)->own == w->kind->own) return true;
  return false;
}

static bool next_kind(lim_key_walk *w) {
  while ((w->kind = w->kinds(w->at)) && (!w->kind->own || shares_own(w))) w->at++;
  w->key = w->kind ? w->kind->own : NULL;
  return w->kind != NULL;
}

bool lim_key_next(lim_key_walk *w) {
  if (w->kind) {
    if ((++w->key)->name) return true;
    w->at++;
    if (next_kind(w)) return true;
  } else if (w->next->name && !w->next->name[0]) {
    w->next++;
    if (next_kind(w)) return true;
  }
  w->key = w->next->name ? w->next++ : NULL;
  return w->key != NULL;
}

const lim_kind_row *lim_key_owner(const lim_table *table, const lim_key *key) {
  for (lim_key_walk w = lim_key_walk_start(table); w.kinds && lim_key_next(&w);)
    if (w.key == key) return w.kind;
  return NULL;
}

// Whether the keys that one kind has alone are also another's.
static bool has_own(const lim_kind_row *owner, const lim_kind_row *kind) {
  return kind && kind->own == owner->own;
}

static bool listed_by_kind(const char *list, const char *name) { return list && lim_key_listed(list, name); }

static bool by_kind(const char *list) { return list && !strcmp(list, LIM_BY_KIND); }

bool lim_key_belongs(const lim_table *table, const lim_key *key, const char *tag) {
  const lim_kind_row *owner = lim_key_owner(table, key), *kind = lim_table_kind(table, tag);
  if (owner) return has_own(owner, kind);
  if (by_kind(key->only)) return kind && listed_by_kind(kind->takes, key->name);
  return lim_key_listed(key->only, tag);
}

bool lim_key_always(const lim_table *table, const lim_key *key) {
  return key->need && !strcmp(key->need, "*") && !lim_key_owner(table, key);
}

bool lim_key_needed(const lim_table *table, const lim_key *key, const char *tag) {
  if (!key->need) return false;
  const lim_kind_row *owner = lim_key_owner(table, key), *kind = lim_table_kind(table, tag);
  if (owner) return has_own(owner, kind);
  if (by_kind(key->need)) return kind && listed_by_kind(kind->needs, key->name);
  return lim_key_listed(key->need, tag);
}

void lim_key_variants(lim_text *out, const lim_table *table, const lim_key *key, const char *glue,
                      lim_key_fn *holds) {
  const lim_key *tag = tag_of(table);
  bool first = true;
  lim_word w;
  for (int i = 0; (w = lim_key_word(tag, i)).text; i++) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", w.length, w.text);
    if (!holds(table, key, word)) continue;
    lim_text_add(out, "%s%s", first ? "" : glue, word);
    first = false;
  }
}

const lim_key *lim_table_key(const lim_table *table, const char *name, const char *tag) {
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (!strcmp(w.key->name, name) && (!tag || lim_key_belongs(table, w.key, tag))) return w.key;
  return NULL;
}

const char *lim_table_tag(const lim_table *table, const lim_node *node) {
  if (!table->tag) return NULL;
  const lim_key *key = lim_table_key(table, table->tag, NULL);
  const lim_node *value = lim_tree_get(node, table->tag);
  if (value && value->kind == LIM_SCALAR && lim_key_index(key, value->text) >= 0) return value->text;
  return value ? NULL : key->preset; // a wrong word is reported once; then every key is taken to belong
}

// "@" stands for the signal's unit, "@/s" for its rate, "@!" for its value, or the acceleration of a motion.
const char *lim_key_unit(const lim_key *key, const char *outer, char *buffer, size_t size) {
  if (!key->unit) return "";
  if (key->unit[0] != '@') return key->unit;
  if (!outer) outer = "";
  bool motion = !strcmp(outer, "m|rad");
  if (motion && !strcmp(key->unit, "@/s")) return "m/s|rad/s";
  if (motion && !strcmp(key->unit, "@!")) return "m/s^2|rad/s^2";
  snprintf(buffer, size, "%s", outer);
  return buffer;
}

const char *lim_unit_for(const char *unit, bool linear, char *buffer, size_t size) {
  const char *bar = strchr(unit, '|');
  if (!bar) return unit;
  if (!linear) return bar + 1;
  snprintf(buffer, size, "%.*s", (int)(bar - unit), unit);
  return buffer;
}

// --- records ---

// The node of a default, as if the user had written it: a scalar, or a flat list in brackets.
static lim_node *preset_node(lim_reader *r, const char *text, const lim_node *near) {
  lim_node *node = lim_arena_allocate(r->arena, sizeof *node);
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
static const char *inside(const lim_reader *r, const lim_table *table, char buffer[64]) {
  if (table == r->entry) return "";
  snprintf(buffer, 64, " in %s", table->name);
  return buffer;
}

// "a, b, c": the words of the tag with which a key goes, of all rows that have its name.
static void list_variants(lim_text *all, const lim_table *table, const char *name) {
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) {
    if (strcmp(w.key->name, name)) continue;
    if (all->length) lim_text_add(all, ", ");
    lim_key_variants(all, table, w.key, ", ", lim_key_belongs);
  }
}

// The key that was probably meant; that of "mass:1" is "mass".
static const char *meant(const lim_table *table, const char *name, const char *tag) {
  char cut[64];
  size_t slip = lim_slip_key(name);
  snprintf(cut, sizeof cut, "%.*s", (int)(slip < 63 ? slip : 63), name);
  lim_nearest near = lim_nearest_start(slip ? cut : name);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (!tag || lim_key_belongs(table, w.key, tag)) lim_nearest_try(&near, w.key->name);
  return near.best;
}

static void unknown_key(lim_reader *r, const lim_table *table, const lim_node *key, const char *tag) {
  char buffer[64], slip[LIM_SLIP];
  lim_text all = {0};
  const char *near = lim_error_heard(r->err) ? meant(table, key->text, tag) : NULL;
  if (lim_table_key(table, key->text, NULL)) {
    list_variants(&all, table, key->text);
    lim_read_error(r, key, "key '%s' does not go with %s '%s', only with %s", key->text, table->tag, tag,
                   all.text ? all.text : "others");
  } else if (lim_slip_of_entry(slip, key->text)[0]) {
    lim_read_error(r, key, "unknown key '%.40s'%s%s", key->text, inside(r, table, buffer), slip);
  } else if (near) {
    lim_read_error(r, key, "unknown key '%.40s'%s; did you mean '%s'?", key->text, inside(r, table, buffer),
                   near);
  } else {
    for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
      if (!tag || lim_key_belongs(table, w.key, tag))
        lim_text_add(&all, "%s%s", all.length ? ", " : "", w.key->name);
    lim_read_error(r, key, "unknown key '%.40s'%s; known are %s", key->text, inside(r, table, buffer),
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
  char buffer[64];
  const char *in = inside(r, table, buffer);
  if (tag && !lim_key_always(table, key))
    lim_read_error(r, node, "'%s' is missing%s; %s '%s' needs it", key->name, in, table->tag, tag);
  else
    lim_read_error(r, node, "'%s' is missing%s", key->name, in);
}

static void check_keys(lim_reader *r, const lim_table *table, const lim_node *node, const char *tag) {
  for (int i = 0; i < node->count; i++)
    if (!lim_table_key(table, node->key[i]->text, tag)) unknown_key(r, table, node->key[i], tag);
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);)
    if (lim_key_needed(table, w.key, tag) && !lim_tree_get(node, w.key->name) &&
        !(lim_error_heard(r->err) && misspelt(table, node, tag, w.key->name)))
      missing_key(r, table, node, w.key, tag);
}

// `x` in place of `{brief: x}`
static const lim_node *expand_brief(lim_reader *r, const lim_table *table, const lim_node *node) {
  lim_node *mapping = lim_arena_allocate(r->arena, sizeof *mapping);
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
  for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) rows += !strcmp(w.key->name, key->name);
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

// The kind of a record, with room for what is of its own.
static const lim_kind_row *take_kind(lim_reader *r, const lim_table *table, const char *tag, void *record) {
  const lim_kind_row *kind = lim_table_kind(table, tag);
  if (!kind || !kind->size) return kind;
  void **own = (void **)(void *)((char *)record + table->own);
  *own = lim_arena_allocate(r->arena, kind->size);
  if (!*own) lim_read_no_memory(r);
  return kind;
}

// The field of a key; NULL: it is of another kind, or out of memory. Where the kind is not known every key is
// read, if only for its messages.
static void *field_of(lim_reader *r, const lim_table *table, const lim_key_walk *w, const lim_kind_row *kind,
                      void *record) {
  char *base = record;
  if (w->kind && kind && !has_own(w->kind, kind)) return NULL;
  if (w->kind && w->kind->size)
    base = kind ? *(void **)(void *)(base + table->own) : lim_arena_allocate(r->arena, w->kind->size);
  if (!base) lim_read_no_memory(r);
  return base ? base + w->key->offset : NULL;
}

// Defaults of what other kinds than this one keep in the table's record, in which kinds may share fields.
static void read_others(lim_reader *r, const lim_table *table, const lim_kind_row *kind, const lim_node *near,
                        void *record) {
  for (lim_key_walk w = lim_key_walk_start(table); r->code != LIM_NO_MEMORY && lim_key_next(&w);)
    if (w.kind && !has_own(w.kind, kind) && !w.kind->size)
      lim_read_default(r, w.key, near, (char *)record + w.key->offset);
}

static void read_key(lim_reader *r, const lim_table *table, const lim_key *key, const lim_key *by,
                     const lim_node *node, const char *tag, void *field) {
  if (tag && !lim_key_belongs(table, key, tag) && lim_table_key(table, key->name, tag))
    return; // another row fills it
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
  const lim_kind_row *kind = take_kind(r, table, tag, record);
  read_others(r, table, kind, node, record);
  for (lim_key_walk w = lim_key_walk_start(table); r->code != LIM_NO_MEMORY && lim_key_next(&w);) {
    void *field = field_of(r, table, &w, kind, record);
    if (field) read_key(r, table, w.key, by, node, tag, field);
  }
  head->flawed = r->errors > before;
}

void lim_read_absent(lim_reader *r, const lim_table *table, const lim_node *near, void *record) {
  const lim_key *tag = tag_of(table);
  const lim_kind_row *kind = take_kind(r, table, tag ? tag->preset : NULL, record);
  read_others(r, table, kind, near, record);
  for (lim_key_walk w = lim_key_walk_start(table); r->code != LIM_NO_MEMORY && lim_key_next(&w);) {
    void *field = field_of(r, table, &w, kind, record);
    if (field) lim_read_default(r, w.key, near, field);
  }
}

void lim_read_record(lim_reader *r, const lim_table *table, const lim_key *by, const lim_node *node,
                     void *record) {
  char buffer[64], slip[LIM_SLIP] = "";
  if (table->brief && (table->whole || node->kind != LIM_MAPPING)) {
    const lim_node *mapping = expand_brief(r, table, node);
    if (mapping) read_fields(r, table, by, mapping, record);
  } else if (node->kind == LIM_MAPPING) {
    read_fields(r, table, NULL, node, record);
  } else {
    if (node->kind == LIM_SCALAR && lim_slip_key(node->text)) lim_slip_of_entry(slip, node->text);
    lim_read_error(r, node, "%s is %s, must be a mapping of keys to values%s", by ? by->name : table->name,
                   lim_node_text(node, buffer), slip);
    ((lim_head *)record)->flawed = true;
  }
}
