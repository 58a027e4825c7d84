// answer.c - answers read by key and written as JSON: lim_answer_* of limber.h.
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void lim_answer_free(lim_answer *a) { lim_tree_free((lim_tree *)a); }

// --- paths ---

static const lim_answer *find(const lim_answer *a, const char *path);

// What follows a value in a path: nothing, ".key", "[...]".
static bool ends(char c) { return c == 0 || c == '.' || c == '['; }

static const lim_answer *rest(const lim_answer *a, const char *path) {
  return find(a, *path == '.' ? path + 1 : path);
}

// ["key"] or ['key'], for keys of any letters.
static const lim_answer *quoted(const lim_answer *a, const char *path) {
  const char *key = path + 2, *end = strchr(key, path[1]);
  if (!end || end[1] != ']' || a->kind != LIM_ANSWER_OBJECT) return NULL;
  size_t length = (size_t)(end - key);
  for (int i = 0; i < a->count; i++)
    if (!strncmp(a->item[i].key, key, length) && !a->item[i].key[length]) return rest(&a->item[i], end + 2);
  return NULL;
}

static const lim_answer *numbered(const lim_answer *a, const char *path) {
  char *end;
  long i = strtol(path + 1, &end, 10);
  if (end == path + 1 || *end != ']' || a->kind != LIM_ANSWER_LIST || i < 0 || i >= a->count) return NULL;
  return rest(&a->item[i], end + 1);
}

// Keys may hold dots themselves: whatever continues the path counts.
static const lim_answer *named(const lim_answer *a, const char *path) {
  for (int i = 0; a->kind == LIM_ANSWER_OBJECT && i < a->count; i++) {
    size_t length = strlen(a->item[i].key);
    if (strncmp(a->item[i].key, path, length) != 0 || !ends(path[length])) continue;
    const lim_answer *found = rest(&a->item[i], path + length);
    if (found) return found;
  }
  return NULL;
}

static const lim_answer *find(const lim_answer *a, const char *path) {
  if (!*path) return a;
  if (*path != '[') return named(a, path);
  return path[1] == '"' || path[1] == '\'' ? quoted(a, path) : numbered(a, path);
}

const lim_answer *lim_answer_at(const lim_answer *a, const char *path) { return a && path ? find(a, path) : a; }

// --- values ---

lim_answer_kind lim_answer_kind_of(const lim_answer *a, const char *path) {
  const lim_answer *x = lim_answer_at(a, path);
  return x ? x->kind : LIM_ANSWER_NONE;
}

// A number that stands in an array: "position[0]".
static double number_in(const lim_answer *a, const char *path) {
  const char *bracket = strrchr(path, '[');
  char *end, buffer[256];
  if (!bracket || (size_t)(bracket - path) >= sizeof buffer) return NAN;
  long i = strtol(bracket + 1, &end, 10);
  if (end == bracket + 1 || strcmp(end, "]") != 0) return NAN;
  memcpy(buffer, path, (size_t)(bracket - path));
  buffer[bracket - path] = 0;
  const lim_answer *x = lim_answer_at(a, buffer);
  return x && x->kind == LIM_ANSWER_NUMBERS && i >= 0 && i < x->count ? x->array[i] : NAN;
}

double lim_answer_number(const lim_answer *a, const char *path) {
  const lim_answer *x = lim_answer_at(a, path);
  if (!x) return a && path ? number_in(a, path) : NAN;
  return x->kind == LIM_ANSWER_NUMBER || x->kind == LIM_ANSWER_BOOL ? x->number : NAN;
}

const char *lim_answer_text(const lim_answer *a, const char *path) {
  const lim_answer *x = lim_answer_at(a, path);
  return x && x->kind == LIM_ANSWER_TEXT ? x->text : NULL;
}

const char *lim_answer_unit(const lim_answer *a, const char *path) {
  const lim_answer *x = lim_answer_at(a, path);
  return x ? x->unit : NULL;
}

const double *lim_answer_array(const lim_answer *a, const char *path, int *count) {
  const lim_answer *x = lim_answer_at(a, path);
  bool numbers = x && x->kind == LIM_ANSWER_NUMBERS;
  if (count) *count = numbers ? x->count : 0;
  return numbers ? x->array : NULL;
}

int lim_answer_count(const lim_answer *a, const char *path) {
  const lim_answer *x = lim_answer_at(a, path);
  return x ? x->count : 0;
}

const lim_answer *lim_answer_item(const lim_answer *a, const char *path, int i) {
  const lim_answer *x = lim_answer_at(a, path);
  return x && x->item && i >= 0 && i < x->count ? &x->item[i] : NULL;
}

const char *lim_answer_key(const lim_answer *a, const char *path, int i) {
  const lim_answer *item = lim_answer_item(a, path, i);
  return item ? item->key : NULL;
}

// --- JSON ---

static void write_value(lim_json *j, const lim_answer *a);

static void write_items(lim_json *j, const lim_answer *a) {
  for (int i = 0; i < a->count; i++) {
    if (a->kind == LIM_ANSWER_OBJECT) lim_json_key(j, a->item[i].key);
    write_value(j, &a->item[i]);
  }
}

static void write_list(lim_json *j, const lim_answer *a) {
  if (a->flat)
    lim_json_flat(j);
  else
    lim_json_list(j);
  if (a->kind == LIM_ANSWER_NUMBERS)
    for (int i = 0; i < a->count; i++) lim_json_number(j, a->array[i]);
  else
    write_items(j, a);
  lim_json_end(j, ']');
}

static void write_value(lim_json *j, const lim_answer *a) {
  switch (a->kind) {
  case LIM_ANSWER_NONE: lim_json_number(j, NAN); break;
  case LIM_ANSWER_OBJECT:
    lim_json_object(j);
    write_items(j, a);
    lim_json_end(j, '}');
    break;
  case LIM_ANSWER_LIST:
  case LIM_ANSWER_NUMBERS: write_list(j, a); break;
  case LIM_ANSWER_NUMBER: lim_json_number(j, a->number); break;
  case LIM_ANSWER_BOOL: lim_json_bool(j, a->number != 0); break;
  case LIM_ANSWER_TEXT: lim_json_text(j, a->text); break;
  }
}

const char *lim_answer_json(lim_answer *a) {
  lim_tree *t = (lim_tree *)a;
  if (!t) return NULL;
  if (!t->json.length) {
    lim_json j = lim_json_start(&t->json);
    write_value(&j, a);
    lim_text_add(&t->json, "\n");
  }
  return t->json.failed ? NULL : t->json.text;
}

lim_code lim_answer_write(lim_answer *a, const char *path, lim_error *err) {
  if (!a || !path) return LIM_FAIL(err, LIM_BAD_INPUT, "answer and path must not be NULL");
  const char *json = lim_answer_json(a);
  if (!json) return lim_no_memory(err);
  return lim_file_write(path, json, strlen(json), err);
}
