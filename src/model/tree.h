// tree.h - a YAML file as a plain tree: what stands where, before anything is made of it.
#ifndef LIM_MODEL_TREE_H
#define LIM_MODEL_TREE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { LIM_SCALAR, LIM_SEQUENCE, LIM_MAPPING } lim_node_kind;

typedef struct lim_node lim_node;
struct lim_node {
  lim_node_kind kind;
  const char *source; // file, or the override it came from
  int line, column;   // from 1
  const char *text;   // of a scalar; terminated, holds no zero byte
  unsigned hash;      // of a key's text
  bool quoted;        // a scalar in quotes or a block: never a number, a flag or null
  int count;          // children
  lim_node **key;     // scalars, of a mapping (count)
  lim_node **item;    // (count)
};

// Bounds against files that are broken or hostile.
enum { LIM_TREE_DEPTH = 32, LIM_TREE_NODES = 200000, LIM_FILE_SIZE = 4 << 20 };
#define LIM_TOO_LARGE "the file is larger than %d MiB, more than any model needs"

// Build the tree of one YAML document; a text without any gives LIM_OK and NULL. Reports under `source`.
// Duplicate keys are an error, but leave a tree to go on with; after all other errors *out is NULL.
lim_code lim_yaml_parse(lim_node **out, lim_arena *arena, const char *text, size_t size, const char *source,
                        lim_error *err);

// A message unless the text is UTF-8 without control characters, endless tags and directives but %YAML 1.2.
lim_code lim_yaml_check_text(const char *text, size_t size, const char *source, lim_error *err);

// Apply "path=value": value is YAML, null removes the entry; list items are addressed by their name. Reports
// under
// "--set path".
lim_code lim_tree_override(lim_node *root, lim_arena *arena, const char *assignment, lim_error *err);

// What stands at a path, as overrides address it; NULL: nothing.
const lim_node *lim_tree_find(const lim_node *root, const char *path);

// Append to a sequence (key NULL) or a mapping. False when memory is out.
bool lim_tree_append(lim_arena *arena, lim_node *parent, lim_node *key, lim_node *item);

// The value of a mapping's key, or NULL.
lim_node *lim_tree_get(const lim_node *mapping, const char *key);

// What stands at a node, for "gravity is ...": "'9.81'", "a list", "a mapping" or "empty".
const char *lim_node_text(const lim_node *node, char buffer[64]);

// A message at a node.
lim_code lim_tree_error(lim_error *err, const lim_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
