// suggest.c - "did you mean", and a list that is not too long.
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

lim_choice lim_choice_start(const char *word) { return (lim_choice){.near = lim_nearest_start(word)}; }

void lim_choice_also(lim_choice *c, const char *name) {
  enum { TRIED = 4000 };
  if (c->tried++ >= TRIED) return;
  const int before = c->near.distance;
  lim_nearest_try(&c->near, name);
  if (c->near.distance < before) snprintf(c->best, sizeof c->best, "%s", name);
  c->near.best = NULL; // the copy counts: names may be made up one after the other
}

void lim_choice_try(lim_choice *c, const char *name) {
  const size_t used = strlen(c->all), capacity = sizeof c->all - used;
  lim_choice_also(c, name);
  c->count++;
  if (c->listed + 1 < c->count || c->listed == LIM_CHOICE_LISTED || capacity <= strlen(name) + sizeof ", ")
    return;
  snprintf(c->all + used, capacity, "%s%s", used ? ", " : "", name);
  c->listed++;
}

const char *lim_choice_say(lim_choice *c, const char *defined, const char *lists) {
  const int more = c->count - c->listed;
  const bool meant = c->best[0] != 0,
             list = c->listed > 0 && !(meant && c->count == 1 && !strcmp(c->best, c->all));
  size_t n = 0;
  c->text[0] = 0;
  if (meant) n += (size_t)snprintf(c->text, sizeof c->text, "; did you mean '%s'?", c->best);
  if (list)
    n += (size_t)snprintf(c->text + n, sizeof c->text - n, "%s %s %s", meant ? "" : ";", defined, c->all);
  if (list && more)
    snprintf(c->text + n, sizeof c->text - n, " and %d more%s%s", more, lists ? "; " : "", lists ? lists : "");
  if (!meant && !list) snprintf(c->text, sizeof c->text, "; there is none");
  return c->text;
}
