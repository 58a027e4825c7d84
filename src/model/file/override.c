// override.c - "--set path=value": replaces, adds or, where the value is null, removes one entry of the tree
// before anything is read from it.
#include "model/tree.h"

#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// If `path` begins with `name`, followed by a dot or the end: what follows; else NULL.
static const char *after(const char *path, const char *name) {
  size_t n = strlen(name);
  if (n == 0 || strncmp(path, name, n)) return NULL;
  return path[n] == '.' ? path + n + 1 : path[n] == 0 ? path + n : NULL;
}

// A list's item by its name, else by its place ("at"), else by its number from 0.
static int find_item(const lim_node *list, const char *path, const char **rest) {
  static const char *const labels[] = {"name", "at"};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < list->count; i++) {
      const lim_node *label = lim_tree_get(list->item[i], labels[k]);
      if (label && label->kind == LIM_SCALAR && (*rest = after(path, label->text))) return i;
    }
  char *end;
  long i = strtol(path, &end, 10);
  if (end == path || (*end && *end != '.') || i < 0 || i >= list->count) return -1;
  *rest = *end ? end + 1 : end;
  return (int)i;
}

static int find_key(const lim_node *mapping, const char *path, const char **rest) {
  for (int i = 0; i < mapping->count; i++)
    if ((*rest = after(path, mapping->key[i]->text))) return i;
  return -1;
}

const lim_node *lim_tree_find(const lim_node *root, const char *path) {
  for (const lim_node *at = root; at;) {
    const char *rest = NULL;
    if (at->kind == LIM_SCALAR) return NULL;
    int i = at->kind == LIM_SEQUENCE ? find_item(at, path, &rest) : find_key(at, path, &rest);
    if (i < 0) return NULL;
    at = at->item[i];
    if (!*rest) return at;
    path = rest;
  }
  return NULL;
}

// The part of the path up to the next dot.
static void first_part(char *buffer, size_t size, const char *path) {
  snprintf(buffer, size, "%.*s", (int)strcspn(path, "."), path);
}

static lim_code no_such_item(const lim_node *list, const lim_node *at, const char *within, const char *path,
                             lim_error *err) {
  char word[128];
  first_part(word, sizeof word, path);
  lim_choice choice = lim_choice_start(word);
  for (int i = 0; i < list->count; i++) {
    const lim_node *name = lim_tree_get(list->item[i], "name");
    if (!name || name->kind != LIM_SCALAR) continue;
    lim_choice_try(&choice, name->text);
  }
  if (choice.count)
    lim_tree_error(err, at, "%s has no item '%s'%s", within, word,
                   lim_choice_say(&choice, "its items are", NULL));
  else
    lim_tree_error(err, at, "%s has no item '%s'; its %d items have numbers from 0", within, word, list->count);
  return LIM_BAD_INPUT;
}

static lim_node *node_at(lim_arena *arena, lim_node_kind kind, const lim_node *place, const char *text,
                         size_t n) {
  lim_node *node = lim_arena_allocate(arena, sizeof *node);
  if (!node) return NULL;
  *node = *place;
  node->kind = kind;
  node->text = lim_arena_text(arena, text, n);
  return node->text ? node : NULL;
}

static bool is_null(const lim_node *value) {
  static const char *const words[] = {"null", "Null", "NULL", "~"};
  for (int i = 0; i < 4; i++)
    if (value->kind == LIM_SCALAR && !value->quoted && !strcmp(value->text, words[i])) return true;
  return false;
}

// The entries behind the one that goes move up: an item of a list is then one number lower.
static void take_out(lim_node *from, int i) {
  from->count--;
  for (; i < from->count; i++) {
    from->key[i] = from->key[i + 1];
    from->item[i] = from->item[i + 1];
  }
}

static lim_code nothing_to_remove(const lim_node *mapping, const lim_node *at, const char *within,
                                  const char *path, lim_error *err) {
  char word[128];
  first_part(word, sizeof word, path);
  lim_nearest near = lim_nearest_start(word);
  lim_text all = {0};
  for (int i = 0; i < mapping->count; i++) {
    lim_nearest_try(&near, mapping->key[i]->text);
    if (all.length < 200) lim_text_add(&all, "%s%.40s", all.length ? ", " : "", mapping->key[i]->text);
  }
  if (near.best)
    lim_tree_error(err, at, "%s has no entry '%s' to remove; did you mean '%s'?", within, word, near.best);
  else
    lim_tree_error(err, at, "%s has no entry '%s' to remove; it has %s", within, word,
                   all.text ? all.text : "none");
  lim_text_free(&all);
  return LIM_BAD_INPUT;
}

// An entry for the first part of the path: the value itself, or a mapping for what follows.
static lim_code add_entry(lim_node *at, lim_arena *arena, const char *path, const char **rest,
                          const lim_node *place, lim_node *value, lim_error *err) {
  size_t n = strcspn(path, ".");
  if (n == 0) return lim_tree_error(err, place, "the path has an empty part");
  *rest = path[n] ? path + n + 1 : path + n;
  lim_node *key = node_at(arena, LIM_SCALAR, place, path, n);
  lim_node *item = **rest ? node_at(arena, LIM_MAPPING, place, "", 0) : value;
  if (!key || !item || !lim_tree_append(arena, at, key, item)) return lim_no_memory(err);
  return LIM_OK;
}

// Walk down to the entry, adding mappings that are missing, and put the value there; null takes the entry out.
static lim_code put(lim_node *at, lim_arena *arena, const char *path, const lim_node *place, lim_node *value,
                    lim_error *err) {
  const bool remove = is_null(value);
  char within[128] = "the model"; // the part of the path that `at` is
  for (int depth = 0; depth < LIM_TREE_DEPTH; depth++) {
    const char *rest = NULL;
    char value_room[64];
    if (at->kind == LIM_SCALAR)
      return lim_tree_error(err, place, "%s is %s and has no entries", within, lim_node_text(at, value_room));
    int i = at->kind == LIM_SEQUENCE ? find_item(at, path, &rest) : find_key(at, path, &rest);
    if (i < 0 && at->kind == LIM_SEQUENCE) return no_such_item(at, place, within, path, err);
    if (i < 0 && remove) return nothing_to_remove(at, place, within, path, err);
    if (i < 0) {
      lim_code code = add_entry(at, arena, path, &rest, place, value, err);
      if (code != LIM_OK) return code;
      i = at->count - 1;
    }
    if (!*rest) {
      at->item[i] = value;
      if (remove) take_out(at, i);
      return LIM_OK;
    }
    snprintf(within, sizeof within, "'%.*s'", (int)(rest - path) - 1, path);
    at = at->item[i];
    path = rest;
  }
  return lim_tree_error(err, place, "the path is more than %d deep", LIM_TREE_DEPTH);
}

// Everything below an override is reported at the override.
static void relabel(lim_node *node) {
  node->line = node->column = 0;
  for (int i = 0; i < node->count; i++) {
    relabel(node->item[i]);
    if (node->key[i]) relabel(node->key[i]);
  }
}

lim_code lim_tree_override(lim_node *root, lim_arena *arena, const char *assignment, lim_error *err) {
  const char *equals = strchr(assignment, '=');
  size_t n = equals ? (size_t)(equals - assignment) : 0;
  static const char prefix[] = "--set ";
  size_t capacity = sizeof prefix + (equals ? n : strlen(assignment));
  char *source = lim_arena_allocate(arena, capacity);
  if (!source) return lim_no_memory(err);
  memcpy(source, prefix, sizeof prefix - 1);
  memcpy(source + sizeof prefix - 1, assignment, capacity - sizeof prefix);
  lim_node place = {.source = source};
  if (n == 0) return lim_tree_error(err, &place, "expected PATH=VALUE, as in links.upper.beam.length='0.5 m'");

  lim_node *value;
  lim_code code = lim_yaml_parse(&value, arena, equals + 1, strlen(equals + 1), source, err);
  if (code != LIM_OK) return code;
  if (!value) return lim_tree_error(err, &place, "the value is missing; expected PATH=VALUE");
  relabel(value);
  return put(root, arena, source + sizeof prefix - 1, &place, value, err);
}
