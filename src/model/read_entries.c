// read_entries.c - lists and mappings of records: each entry has its name or number before its messages.
#include "model/joint.h"
#include "model/schema.h"

#include <stdio.h>
#include <string.h>

void lim_read_model(lim_reader *r, const lim_node *root, lim_model *m) {
  r->where = "";
  r->entry = &lim_root_table;
  lim_read_record(r, &lim_root_table, NULL, root, m);
}

// --- entries: records with a name or a number before their messages ---

typedef struct {
  const char *where;
  const lim_table *entry;
} place_in_file;

// "link 'upper', gauge 'root'"; number, from 1, where there is no name; neither for one of its kind: "solver".
static place_in_file enter(lim_reader *r, const lim_table *table, const char *name, int number) {
  const place_in_file outer = {r->where, r->entry};
  char text[256], label[64] = "";
  if (name)
    snprintf(label, sizeof label, " '%.40s'", name);
  else if (number)
    snprintf(label, sizeof label, " %d", number);
  snprintf(text, sizeof text, "%s%s%s%s", outer.where, outer.where[0] ? ", " : "", table->name, label);
  r->where = lim_arena_text(r->arena, text, strlen(text));
  r->entry = table;
  if (r->where) return outer;
  r->where = outer.where;
  lim_read_no_memory(r);
  return outer;
}

static void leave(lim_reader *r, place_in_file outer) {
  r->where = outer.where;
  r->entry = outer.entry;
}

static void read_entry(lim_reader *r, const lim_table *table, const lim_node *node, const lim_node *label,
                       int number, void *record) {
  lim_head *head = record;
  head->name = label ? label->text : "";
  head->label = label;
  place_in_file outer = enter(r, table, label ? label->text : NULL, number);
  lim_read_record(r, table, NULL, node, record);
  leave(r, outer);
}

static void read_record(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  bool top = !r->where[0];
  place_in_file outer = top ? enter(r, key->table, NULL, 0) : (place_in_file){r->where, r->entry};
  lim_read_record(r, key->table, key, node, field);
  leave(r, outer);
}

// A record that was not written has all its defaults, and no node.
static void absent_record(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  lim_read_absent(r, key->table, near, field);
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

static void read_records(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  char buffer[64];
  record_list *list = field;
  if (node->kind != LIM_SEQUENCE)
    lim_read_error(r, node, "%s is %s, must be a list: entries that begin with '-'", key->name,
                   lim_node_text(node, buffer));
  else if (node->count > ENTRIES)
    lim_read_error(r, node, "%s has %d entries, must have at most %d", key->name, node->count, ENTRIES);
  else if (make_room(r, key->table, node->count, list))
    for (int i = 0; i < node->count && r->code != LIM_NO_MEMORY; i++) {
      const lim_node *name = lim_tree_get(node->item[i], "name");
      bool usable = name && name->kind == LIM_SCALAR && name->text[0];
      read_entry(r, key->table, node->item[i], usable ? name : NULL, i + 1,
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
    lim_read_record(r, key->table, key, node, list->item);
  }
}

static void read_named_records(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  char buffer[64];
  record_list *list = field;
  if (node->kind != LIM_MAPPING)
    lim_read_error(r, node, "%s is %s, must be a mapping of names to entries", key->name,
                   lim_node_text(node, buffer));
  else if (make_room(r, key->table, node->count, list))
    for (int i = 0; i < node->count && r->code != LIM_NO_MEMORY; i++)
      read_entry(r, key->table, node->item[i], node->key[i], 0, list->item + (size_t)i * key->table->size);
}

// A mapping without one of its keys; node itself where it has no such key. NULL: out of memory.
static const lim_node *without(lim_reader *r, const lim_node *node, const char *key) {
  if (node->kind != LIM_MAPPING || !lim_tree_get(node, key)) return node;
  lim_node *rest = lim_arena_allocate(r->arena, sizeof *rest);
  if (!rest) return NULL;
  *rest = (lim_node){.kind = LIM_MAPPING, .source = node->source, .line = node->line, .column = node->column};
  for (int i = 0; i < node->count; i++)
    if (strcmp(node->key[i]->text, key) != 0 && !lim_tree_append(r->arena, rest, node->key[i], node->item[i]))
      return NULL;
  return rest;
}

// Whether freedoms of the joint of that name have names.
static bool has_named_freedoms(const lim_model *m, const char *joint) {
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    const char *name = j->head.name ? j->head.name : m->links.item[i].head.name;
    if (name && !strcmp(name, joint)) return lim_joint_has_named_freedoms(j);
  }
  return false;
}

// Entries of joints whose freedoms have names, `wrist: {first: 1}`, as those of the freedoms, `wrist.first: 1`.
// NULL: out of memory.
static const lim_node *by_freedom(lim_reader *r, const lim_model *m, const lim_node *node) {
  if (!node || node->kind != LIM_MAPPING) return node;
  lim_node *out = lim_arena_allocate(r->arena, sizeof *out);
  if (!out) return NULL;
  *out = (lim_node){.kind = LIM_MAPPING, .source = node->source, .line = node->line, .column = node->column};
  for (int i = 0; i < node->count; i++) {
    lim_node *item = node->item[i];
    const bool apart = item->kind == LIM_MAPPING && has_named_freedoms(m, node->key[i]->text);
    if (!apart && !lim_tree_append(r->arena, out, node->key[i], item)) return NULL;
    for (int k = 0; apart && k < item->count; k++) {
      char name[256];
      lim_node *label = lim_arena_allocate(r->arena, sizeof *label);
      snprintf(name, sizeof name, "%.120s.%.120s", node->key[i]->text, item->key[k]->text);
      if (!label) return NULL;
      *label = *item->key[k];
      label->text = lim_arena_text(r->arena, name, strlen(name));
      if (!label->text || !lim_tree_append(r->arena, out, label, item->item[k])) return NULL;
    }
  }
  return out;
}

// Joints by name, and links under `deformation`.
static void read_configuration(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  lim_model *m = (lim_model *)((char *)field - offsetof(lim_model, configuration));
  const lim_node *joints = by_freedom(r, m, without(r, node, key->more->name));
  const lim_node *links = node->kind == LIM_MAPPING ? lim_tree_get(node, key->more->name) : NULL;
  const lim_key more = {.name = key->more->name, .table = key->more};
  if (!joints)
    lim_read_no_memory(r);
  else
    read_named_records(r, key, joints, field);
  if (links) read_named_records(r, &more, links, &m->deformation);
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

// A value in time, or {block: name}: the output of a block.
static void read_in_time_or_block(lim_reader *r, const lim_key *key, const lim_node *node, void *field) {
  lim_signal *signal = field;
  const lim_node *block = node->kind == LIM_MAPPING && node->count == 1 ? lim_tree_get(node, "block") : NULL;
  const lim_key name = {.name = "block"};
  if (block)
    lim_reference.read(r, &name, block, &signal->block);
  else
    read_in_time(r, key, node, field);
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

// {block: name}
static void block_schema(lim_json *j) {
  lim_json_object(j);
  lim_json_key(j, "type");
  lim_json_text(j, "object");
  lim_json_key(j, "properties");
  lim_json_object(j);
  lim_json_key(j, "block");
  lim_json_object(j);
  lim_json_key(j, "type");
  lim_json_text(j, "string");
  lim_json_end(j, '}');
  lim_json_end(j, '}');
  lim_json_key(j, "required");
  lim_json_list(j);
  lim_json_text(j, "block");
  lim_json_end(j, ']');
  lim_json_key(j, "additionalProperties");
  lim_json_bool(j, false);
  lim_json_end(j, '}');
}

static void schema_record_or_records(lim_json *j, const lim_key *key) {
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  reference(j, key->table);
  lim_json_object(j);
  array_of(j, key->table);
  lim_json_end(j, '}');
  if (key->kind == &lim_in_time_or_block) block_schema(j);
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

// An entry, or those of the freedoms of a joint by their names.
static void schema_configuration(lim_json *j, const lim_key *key) {
  const lim_key more = {.table = key->more};
  lim_json_key(j, "type");
  lim_json_text(j, "object");
  lim_json_key(j, "additionalProperties");
  lim_json_object(j);
  lim_json_key(j, "anyOf");
  lim_json_list(j);
  reference(j, key->table);
  lim_json_object(j);
  schema_named_records(j, key);
  lim_json_end(j, '}');
  lim_json_end(j, ']');
  lim_json_end(j, '}');
  lim_json_key(j, "properties");
  lim_json_object(j);
  lim_json_key(j, key->more->name);
  lim_json_object(j);
  schema_named_records(j, &more);
  lim_json_end(j, '}');
  lim_json_end(j, '}');
}

static void absent_list(lim_reader *r, const lim_key *key, const lim_node *near, void *field) {
  (void)r, (void)key, (void)near, (void)field;
}

const lim_kind lim_record = {"mapping", read_record, absent_record, schema_record};
const lim_kind lim_records = {"list", read_records, absent_list, schema_records};
const lim_kind lim_record_or_records = {"mapping or list", read_record_or_records, absent_list,
                                        schema_record_or_records};
const lim_kind lim_named_records = {"mapping by name", read_named_records, absent_list, schema_named_records};
const lim_kind lim_configuration = {"mapping by name", read_configuration, absent_list, schema_configuration};
const lim_kind lim_in_time = {"value in time", read_in_time, absent_list, schema_record_or_records};
const lim_kind lim_in_time_or_block = {"value in time", read_in_time_or_block, absent_list,
                                       schema_record_or_records};

bool lim_key_in_time(const lim_key *key) {
  return key->kind == &lim_in_time || key->kind == &lim_in_time_or_block;
}
