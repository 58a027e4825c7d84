// schema.h - the keys of the model file, each described once.
//
// From these tables come the reader (read.c, values.c), the JSON Schema (schema_json.c) and the reference page
// (schema_markdown.c).
#ifndef LIM_MODEL_SCHEMA_H
#define LIM_MODEL_SCHEMA_H

#include "base/json.h"
#include "model/model.h"

typedef struct lim_key lim_key;
typedef struct lim_table lim_table;
typedef struct lim_reader lim_reader;

// How a value is written: how to read it, what a JSON Schema and a person should be told about it.
typedef struct {
  const char *label; // for people, e.g. "number"
  void (*read)(lim_reader *r, const lim_key *key, const lim_node *node, void *field);
  // Fill the field where there is neither value nor preset; `near` is where messages would point.
  void (*absent)(lim_reader *r, const lim_key *key, const lim_node *near, void *field);
  void (*schema)(lim_json *j, const lim_key *key);
} lim_kind;

extern const lim_kind lim_number, lim_number_or_word, lim_count, lim_words, lim_string, lim_file, lim_own_name,
    lim_reference, lim_along, lim_in_arm, lim_two_in_arm, lim_vector, lim_spread, lim_inertia_tensor,
    lim_strings, lim_points, lim_record, lim_records, lim_record_or_records, lim_named_records, lim_in_time,
    lim_in_time_or_block, lim_numbers, lim_series, lim_names, lim_nodes, lim_input_names, lim_configuration;

// What the model file knows of a kind: its word, its keys, its checks, its help. The row of a kind begins with
// it; which tables of kinds there are: kinds.h.
typedef struct lim_resolver lim_resolver; // check/resolve.h
typedef struct {
  const char *word;
  const char *help;   // one line
  const char *takes;  // keys of the table that go with it, of those whose `only` is LIM_BY_KIND; NULL: none
  const char *needs;  // keys that it must have, of those whose `need` is LIM_BY_KIND; NULL: none
  const lim_key *own; // keys of this kind alone, or of those that share the list; ends with a row without name
  size_t size;        // of the record of its own that they fill; 0: they fill fields of the table's record
  void (*check)(lim_resolver *v, const void *record); // what needs several keys; NULL: nothing does
} lim_kind_row;
#define LIM_BY_KIND  "@"
#define LIM_OWN_KEYS "" // in place of a name: here stand the keys that kinds have alone

struct lim_key {
  const char *name;
  const lim_kind *kind;
  size_t offset;      // of the field in its record
  const char *help;   // one line
  const char *unit;   // what a plain number means; "m|rad": linear or rotational joint; "@": of the signal;
                      // "|m/rad": a pure number, or with that unit
  const char *range;  // "> 0", ">= 0", "!= 0" or "1..1000"
  const char *preset; // default, as the user would write it; NULL: none
  const char *words;  // "on|off": the index of the word is stored; of a name: words that are taken
  const lim_kind_row *(*kinds)(int i); // instead of words: row i of a table of kinds; NULL: there is none
  int n;                               // numbers of a vector
  const lim_table *table;              // of records
  const lim_table *more; // of mappings by name: the table of the entry that bears its name; NULL: none
  const char *only;      // words of the table's tag to which the key belongs; NULL: all
  const char *need;      // words of the tag for which it is required; "*": always; of an own key: by its kind
};

// The keys of one record.
struct lim_table {
  const char *name; // "link": what messages call an entry
  const char *help;
  size_t size;        // of the record, which begins with a lim_head
  const char *tag;    // the key whose word says which others belong; NULL: none
  const char *brief;  // the key meant when a value stands in place of the record; NULL: none
  bool whole;         // the value always stands for the brief key
  size_t own;         // offset of the pointer to the record of the kind's own; 0: there is none
  const lim_key *key; // ends with a row without name
};

extern const lim_table lim_root_table;
extern const lim_table lim_in_time_table; // a value in time
extern const lim_table lim_limits_table;  // of a joint

// A word of the model file.
typedef struct {
  const char *text; // NULL: there is none
  int length;
} lim_word;

// Word number i of a key.
lim_word lim_key_word(const lim_key *key, int i);
// The number of a word of a key; -1: it is none of them.
int lim_key_index(const lim_key *key, const char *word);

// All keys of a table, those that its kinds have alone among them.
//   for (lim_key_walk w = lim_key_walk_start(table); lim_key_next(&w);) ... w.key ...
typedef struct {
  const lim_key *key;
  const lim_kind_row *kind; // that has it alone; NULL: a key of the table
  const lim_kind_row *(*kinds)(int i);
  const lim_key *next;
  int at;
} lim_key_walk;

lim_key_walk lim_key_walk_start(const lim_table *table);
bool lim_key_next(lim_key_walk *w);

// Row of the kind with a word; NULL: there is none, or the table has no kinds.
const lim_kind_row *lim_table_kind(const lim_table *table, const char *word);

// State of reading one file.
struct lim_reader {
  lim_arena *arena;
  lim_error *err;
  lim_code code;               // the worst so far
  int errors;                  // messages so far
  const char *where;           // "link 'upper', gauge 'root'": the entry being read; "" at top level
  const lim_table *entry;      // its table
  const char *unit;            // of the signal being read
  const lim_named_file *files; // named so far
};

// A message at a node, with the entry before it.
void lim_read_error(lim_reader *r, const lim_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lim_read_no_memory(lim_reader *r);

// Fill a record from a node: defaults, every key, unknown and missing keys. `by` is the key that holds the
// record; NULL for entries of a list or under a name.
void lim_read_record(lim_reader *r, const lim_table *table, const lim_key *by, const lim_node *node,
                     void *record);

// Fill a record that is not written with its defaults.
void lim_read_absent(lim_reader *r, const lim_table *table, const lim_node *near, void *record);

// Fill a field as if its default had been written, or leave it as absent; messages would point `near`.
void lim_read_default(lim_reader *r, const lim_key *key, const lim_node *near, void *field);

// Read the whole file.
void lim_read_model(lim_reader *r, const lim_node *root, lim_model *m);

// Whether a key holds a value in time.
bool lim_key_in_time(const lim_key *key);

// Whether anybody will see another message; if not, its details need not be found.
bool lim_error_heard(const lim_error *err);

// Whether `word` is one of the blank-separated `list` (of `only` or `need`); NULL and "*" list everything.
bool lim_key_listed(const char *list, const char *word);

// The kind that has a key alone; NULL: it is one of the table's.
const lim_kind_row *lim_key_owner(const lim_table *table, const lim_key *key);
// Whether a key is required: always, or with a word of its table's tag.
bool lim_key_always(const lim_table *table, const lim_key *key);
bool lim_key_needed(const lim_table *table, const lim_key *key, const char *tag);

// Whether a key belongs to a word of its table's tag.
bool lim_key_belongs(const lim_table *table, const lim_key *key, const char *tag);
// The words of the tag for which a key `belongs` or is `needed`, with `glue` between them.
typedef bool lim_key_fn(const lim_table *table, const lim_key *key, const char *tag);
void lim_key_variants(lim_text *out, const lim_table *table, const lim_key *key, const char *glue,
                      lim_key_fn *holds);

// The key's row: of those with this name the one that belongs to the tag's word (any, if tag is NULL).
const lim_key *lim_table_key(const lim_table *table, const char *name, const char *tag);

// The word of the record's tag, as written in `node` or by default; NULL if the table has no tag.
const char *lim_table_tag(const lim_table *table, const lim_node *node);

// The unit of a key within a signal of unit `outer`; writes into `room` where it must be put together.
const char *lim_key_unit(const lim_key *key, const char *outer, char *buffer, size_t size);

// Linear ("m") or rotational ("rad") half of "m|rad".
const char *lim_unit_for(const char *unit, bool linear, char *buffer, size_t size);

// The JSON Schema and the reference page, made from the tables.
void lim_schema_entries(lim_json *out);
void lim_schema_json(lim_text *out);
void lim_schema_markdown(lim_text *out);

#endif
