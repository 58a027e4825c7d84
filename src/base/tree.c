// tree.c - an answer in memory, put together.
#include "base/tree.h"

#include <stdlib.h>
#include <string.h>

// An entry of an object or list that is not closed yet.
typedef struct lim_entry {
  lim_answer value;
  struct lim_entry *next;
} lim_entry;

struct lim_open {
  lim_answer value; // without its entries
  lim_entry *first, *last;
  lim_open *around;
};

lim_tree *lim_tree_new(void) { return calloc(1, sizeof(lim_tree)); }

void lim_tree_reset(lim_tree *t) {
  lim_arena_free(&t->arena);
  lim_text_free(&t->json);
  *t = (lim_tree){.key = NULL};
}

void lim_tree_free(lim_tree *t) {
  if (!t) return;
  lim_tree_reset(t);
  free(t);
}

static void *take(lim_tree *t, size_t count, size_t size) {
  void *piece = lim_arena_array(&t->arena, count, size);
  if (!piece) t->failed = true;
  return piece;
}

static const char *copy_of(lim_tree *t, const char *text) {
  const char *copy = lim_arena_text(&t->arena, text, strlen(text));
  if (!copy) t->failed = true;
  return copy;
}

void lim_tree_key(lim_tree *t, const char *key) { t->key = copy_of(t, key); }

// Into the innermost object or list; the first value of all is the root.
static void add(lim_tree *t, lim_answer value) {
  if (!t->open) {
    t->root = value;
    t->last = &t->root;
    return;
  }
  lim_entry *entry = take(t, 1, sizeof *entry);
  if (!entry) return;
  entry->value = value;
  if (t->open->last)
    t->open->last->next = entry;
  else
    t->open->first = entry;
  t->open->last = entry;
  t->open->value.count++;
  t->last = &entry->value;
}

// The key of a value that is about to be added.
static const char *key_of(lim_tree *t) {
  const char *key = t->key;
  t->key = NULL;
  return key;
}

void lim_tree_open(lim_tree *t, bool object, bool flat) {
  lim_open *open = take(t, 1, sizeof *open);
  if (!open) return;
  open->value =
      (lim_answer){.kind = object ? LIM_ANSWER_OBJECT : LIM_ANSWER_LIST, .key = key_of(t), .flat = flat};
  open->around = t->open;
  t->open = open;
}

static bool all_numbers(const lim_open *open) {
  for (const lim_entry *e = open->first; e; e = e->next)
    if (e->value.kind != LIM_ANSWER_NUMBER) return false;
  return open->value.kind == LIM_ANSWER_LIST && open->value.count > 0;
}

// Entries one after the other: numbers as an array, all else as items.
static void gather(lim_tree *t, lim_open *open) {
  lim_answer *value = &open->value;
  if (all_numbers(open))
    value->array = take(t, (size_t)value->count, sizeof *value->array);
  else
    value->item = take(t, (size_t)value->count, sizeof *value->item);
  if (!value->array && !value->item) return;
  int i = 0;
  for (const lim_entry *e = open->first; e; e = e->next, i++)
    if (value->array)
      value->array[i] = e->value.number;
    else
      value->item[i] = e->value;
  if (value->array) value->kind = LIM_ANSWER_NUMBERS;
}

void lim_tree_close(lim_tree *t) {
  lim_open *open = t->open;
  if (t->failed || !open) return;
  gather(t, open);
  t->open = open->around;
  add(t, open->value);
}

void lim_tree_number(lim_tree *t, double x) {
  add(t, (lim_answer){.kind = LIM_ANSWER_NUMBER, .key = key_of(t), .number = x});
}

void lim_tree_bool(lim_tree *t, bool x) {
  add(t, (lim_answer){.kind = LIM_ANSWER_BOOL, .key = key_of(t), .number = x});
}

void lim_tree_text(lim_tree *t, const char *text) {
  add(t, (lim_answer){.kind = LIM_ANSWER_TEXT, .key = key_of(t), .text = copy_of(t, text)});
}

void lim_tree_numbers(lim_tree *t, const double *x, int n) {
  double *array = n > 0 ? take(t, (size_t)n, sizeof *array) : NULL;
  lim_answer value = {
      .kind = array ? LIM_ANSWER_NUMBERS : LIM_ANSWER_LIST, .key = key_of(t), .flat = true, .array = array};
  if (array) memcpy(array, x, (size_t)n * sizeof *x);
  if (array) value.count = n;
  add(t, value);
}

void lim_tree_unit(lim_tree *t, const char *unit) {
  if (t->last && !t->failed) t->last->unit = copy_of(t, unit);
}
