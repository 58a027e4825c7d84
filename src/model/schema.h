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

extern const lim_kind lim_number, lim_count, lim_words, lim_string, lim_own_name, lim_reference, lim_along,
    lim_in_arm, lim_two_in_arm, lim_vector, lim_spread, lim_inertia, lim_strings, lim_points, lim_record,
    lim_records, lim_record_or_records, lim_named_records, lim_in_time, lim_in_time_or_block, lim_numbers,
    lim_inputs;

struct lim_key {
  const char *name;
  const lim_kind *kind;
  size_t offset;      // of the field in its record
  const char *help;   // one line
  const char *unit;   // what a plain number means; "m|rad": linear or rotational joint; "@": of the signal
  const char *range;  // "> 0", ">= 0", "!= 0" or "1..1000"
  const char *preset; // default, as the user would write it; NULL: none
  const char *words;  // "revolute|prismatic": the index of the word is stored; of a name: words that are taken
  int n;              // numbers of a vector
  const lim_table *table; // of records
  const char *only;       // words of the table's tag to which the key belongs; NULL: all
  const char *need;       // words of the tag for which it is required; "*": always
};

// The keys of one record.
struct lim_table {
  const char *name; // "link": what messages call an entry
  const char *help;
  size_t size;        // of the record, which begins with a lim_head
  const char *tag;    // the key whose word says which others belong; NULL: none
  const char *brief;  // the key meant when a value stands in place of the record; NULL: none
  bool whole;         // the value always stands for the brief key
  const lim_key *key; // ends with a row without name
};

extern const lim_table lim_root_table;

// State of reading one file.
struct lim_reader {
  lim_arena *arena;
  lim_error *err;
  lim_code code;          // the worst so far
  int errors;             // messages so far
  const char *where;      // "link 'upper', gauge 'root'": the entry being read; "" at top level
  const lim_table *entry; // its table
  const char *unit;       // of the signal being read
};

// A message at a node, with the entry before it.
void lim_read_error(lim_reader *r, const lim_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lim_read_no_memory(lim_reader *r);

// Fill a record from a node: defaults, every key, unknown and missing keys. `by` is the key that holds the
// record; NULL for entries of a list or under a name.
void lim_read_record(lim_reader *r, const lim_table *table, const lim_key *by, const lim_node *node,
                     void *record);

// Fill a field as if its default had been written, or leave it as absent; messages would point `near`.
void lim_read_default(lim_reader *r, const lim_key *key, const lim_node *near, void *field);

// Read the whole file.
void lim_read_model(lim_reader *r, const lim_node *root, lim_model *m);

// Whether a key holds a value in time.
bool lim_key_in_time(const lim_key *key);

// Whether anybody will see another message; if not, its details need not be found.
bool lim_error_heard(const lim_error *err);

// Whether `word` is one of "a|b|c", and which (-1: none).
int lim_words_index(const char *words, const char *word);

// Whether `word` is one of the blank-separated `list` (of `only` or `need`); NULL and "*" list everything.
bool lim_key_listed(const char *list, const char *word);

// The key's row: of those with this name the one that belongs to the tag's word (any, if tag is NULL).
const lim_key *lim_table_key(const lim_table *table, const char *name, const char *tag);

// The word of the record's tag, as written in `node` or by default; NULL if the table has no tag.
const char *lim_table_tag(const lim_table *table, const lim_node *node);

// The unit of a key within a signal of unit `outer`; writes into `room` where it must be put together.
const char *lim_key_unit(const lim_key *key, const char *outer, char *room, size_t size);

// Linear ("m") or rotational ("rad") half of "m|rad".
const char *lim_unit_for(const char *unit, bool linear, char *room, size_t size);

// The JSON Schema and the reference page, made from the tables.
void lim_schema_json(lim_text *out);
void lim_schema_markdown(lim_text *out);

#endif
