// possible.c - all channels of an arm in the order of their names.
#include "channel/possible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lim_possible_name(char name[LIM_CHANNEL_FULL], const lim_quantity_kind *kind, const lim_owner_item *x,
                       int component) {
  static const char *const END[] = {"", ".x", ".y", ".z"};
  const char *end = END[kind->components == 3 ? component + 1 : 0];
  snprintf(name, LIM_CHANNEL_FULL, "%s%s%s%s", x->name, kind->name[0] ? "." : "", kind->name, end);
}

static bool add(lim_possible_list *l, const lim_quantity_kind *kind, const lim_owner_item *x, int component) {
  char name[LIM_CHANNEL_FULL];
  lim_possible_name(name, kind, x, component);
  const char *kept = lim_arena_text(&l->arena, name, strlen(name));
  l->item[l->count] = (lim_possible){.name = kept,
                                     .kind = kind,
                                     .index = x->index,
                                     .gauge = x->gauge,
                                     .fraction = x->fraction,
                                     .linear = x->linear,
                                     .component = component,
                                     .order = l->count};
  l->count++;
  return kept != NULL;
}

// Of equal names (a frame may be called as a link's own) the first comes first.
static int by_name(const void *a, const void *b) {
  const lim_possible *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->order - y->order;
}

bool lim_possible_start(lim_possible_list *l, const lim_arm *s) {
  *l = (lim_possible_list){.count = 0};
  size_t max = 1;
  for (const lim_quantity_kind *kind = lim_quantity_kinds; kind->name; kind++)
    max += (size_t)lim_owner_count(s, kind->of) * (size_t)kind->components;
  l->item = malloc(max * sizeof *l->item);
  bool good = l->item != NULL;
  lim_owner_item x;
  for (const lim_quantity_kind *kind = lim_quantity_kinds; kind->name && good; kind++)
    for (int i = 0, n = lim_owner_count(s, kind->of); i < n && good; i++)
      if (lim_owner_get(&x, s, kind, i, NULL))
        for (int k = 0; k < kind->components && good; k++) good = add(l, kind, &x, k);
  if (good) qsort(l->item, (size_t)l->count, sizeof *l->item, by_name);
  return good;
}

void lim_possible_end(lim_possible_list *l) {
  lim_arena_free(&l->arena);
  free(l->item);
}

// The first item whose name is not before `name`.
static int place_of(const lim_possible_list *l, const char *name) {
  int low = 0, high = l->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(l->item[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int run_of(const lim_possible_list *l, int first, const char *start, size_t length) {
  int n = 0;
  while (first + n < l->count && !strncmp(l->item[first + n].name, start, length)) n++;
  return n;
}

lim_possible *lim_possible_find(int *count, lim_possible_list *l, const char *name) {
  size_t length = strlen(name);
  int first = place_of(l, name);
  *count = run_of(l, first, name, length + 1); // with the end of the text
  if (*count == 0) {
    char start[LIM_CHANNEL_FULL];
    if (length + 1 >= sizeof start) return NULL;
    snprintf(start, sizeof start, "%s.", name);
    first = place_of(l, start);
    *count = run_of(l, first, start, length + 1);
  }
  return *count ? &l->item[first] : NULL;
}
