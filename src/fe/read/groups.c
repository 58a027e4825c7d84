// groups.c - sets of an input deck, as ranges of ids: they stay short whatever a deck generates or repeats.
#include "base/grow.h"
#include "fe/read/deck.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void lim_fe_groups_free(lim_fe_groups *g) {
  for (size_t i = 0; i < g->count; i++) free(g->group[i].range);
  free(g->group);
  *g = (lim_fe_groups){0};
}

int lim_fe_group_find(const lim_fe_groups *g, const char *name) {
  for (size_t i = 0; i < g->count; i++)
    if (!strcasecmp(g->group[i].name, name)) return (int)i;
  return -1;
}

int lim_fe_group_make(lim_fe_groups *g, lim_arena *arena, const char *name, lim_deck_place at) {
  const int there = lim_fe_group_find(g, name);
  if (there >= 0) return there;
  const char *copy = lim_arena_text(arena, name, strlen(name));
  if (!copy || !LIM_GROW(g->group, g->capacity, g->count)) return -1;
  g->group[g->count] = (lim_fe_group){.name = copy, .at = at};
  return (int)g->count++;
}

// Ids that follow each other make one range, if messages about them name the same line.
static bool follows(const lim_fe_range *a, const lim_fe_range *b) {
  return a->step == 1 && b->step == 1 && a->last + 1L == b->first && !a->generated && !b->generated &&
         a->at.line == b->at.line && a->at.file == b->at.file;
}

bool lim_fe_group_add(lim_fe_group *g, lim_fe_range range) {
  if (g->count && follows(&g->range[g->count - 1], &range)) {
    g->range[g->count - 1].last = range.last;
    return true;
  }
  if (!LIM_GROW(g->range, g->capacity, g->count)) return false;
  g->range[g->count++] = range;
  return true;
}

static int compare(const void *x, const void *y) {
  const lim_fe_range *a = x, *b = y;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  if (a->last != b->last) return a->last < b->last ? -1 : 1;
  if (a->step != b->step) return a->step < b->step ? -1 : 1;
  return a->at.line < b->at.line ? -1 : a->at.line > b->at.line;
}

// Sets that name others again and again do not grow without end: the same range is kept once.
static void keep_once(lim_fe_group *g) {
  size_t n = 0;
  if (g->count) qsort(g->range, g->count, sizeof *g->range, compare);
  for (size_t i = 0; i < g->count; i++) {
    const lim_fe_range *a = n ? &g->range[n - 1] : NULL, *b = &g->range[i];
    if (!a || a->first != b->first || a->last != b->last || a->step != b->step) g->range[n++] = *b;
  }
  g->count = n;
}

bool lim_fe_group_join(lim_fe_group *g, const lim_fe_group *other) {
  if (g == other) return true;
  for (size_t i = 0; i < other->count; i++) {
    if (!LIM_GROW(g->range, g->capacity, g->count)) return false;
    g->range[g->count++] = other->range[i];
  }
  keep_once(g);
  return true;
}
