// names.c - channels and rows of a result, as plot and spectrum ask for them.
#include "names.h"

#include "base/error.h"

#include <string.h>

enum { LISTED = 60 }; // names in a message

lim_code cli_rows_between(long *first, long *rows, const lim_table *t, const cli_options *o, lim_error *err) {
  if (t->count == 0 && t->kind)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%s is a result of '%s' and has no channels; see its report.html",
                    t->path, t->kind);
  if (t->count == 0 || t->rows == 0) return LIM_FAIL(err, LIM_BAD_INPUT, "%s has no rows", t->path);
  const double *x = t->column[0].value;
  long begin = 0, end = t->rows;
  while (begin < end && x[begin] < o->plot.from) begin++;
  while (end > begin && x[end - 1] > o->plot.to) end--;
  if (begin == end)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%s has nothing from %g to %g: it goes from %g to %g", t->path,
                    o->plot.from, o->plot.to, x[0], x[t->rows - 1]);
  *first = begin;
  *rows = end - begin;
  return LIM_OK;
}

void cli_list_names(lim_text *list, const lim_table *t) {
  for (int i = 0; i < t->count && i < LISTED; i++) lim_text_add(list, "%s%s", i ? ", " : "", t->column[i].name);
  if (t->count > LISTED) lim_text_add(list, ", ...");
}

static bool looks_like_path(const char *word) {
  const char *dot = strrchr(word, '.');
  return strchr(word, '/') || (dot && (!strcmp(dot, ".h5") || !strcmp(dot, ".csv")));
}

// Names, and their parts that end at a dot.
static void try_names(lim_nearest *near, lim_arena *arena, const lim_table *t) {
  for (int i = 0; i < t->count; i++) {
    const char *name = t->column[i].name;
    lim_nearest_try(near, name);
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
      const char *part = lim_arena_text(arena, name, (size_t)(dot - name));
      if (part) lim_nearest_try(near, part);
    }
  }
}

lim_code cli_unknown_channel(const char *word, const lim_table *table, int count, lim_error *err) {
  if (looks_like_path(word)) return LIM_FAIL(err, LIM_IO, "there is no file, folder or channel '%s'", word);
  lim_nearest near = lim_nearest_start(word);
  lim_arena arena = {0};
  lim_text list = {0};
  for (int i = 0; i < count; i++) try_names(&near, &arena, &table[i]);
  cli_list_names(&list, &table[0]);
  lim_code code = LIM_FAIL(err, LIM_BAD_INPUT, "unknown channel '%.60s'%s%s%s %s has %s", word,
                           near.best ? "; did you mean '" : "", near.best ? near.best : "",
                           near.best ? "'?" : ";", table[0].path, list.text ? list.text : "none");
  lim_text_free(&list);
  lim_arena_free(&arena);
  return code;
}
