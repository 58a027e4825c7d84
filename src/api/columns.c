// columns.c - channels and rows of a result, as plot and spectrum ask for them.
#include "api/columns.h"

#include "base/error.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LISTED = 60 }; // names in a message

lim_code lim_columns_rows(long *first, long *rows, const lim_result_table *t, const lim_plot_options *o,
                          lim_error *err) {
  if (t->count == 0 && t->kind)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%s is a result of '%s' and has no channels; see its report.html",
                    t->path, t->kind);
  if (t->count == 0 || t->rows == 0) return LIM_FAIL(err, LIM_BAD_INPUT, "%s has no rows", t->path);
  const double *x = t->column[0].value;
  long begin = 0, end = t->rows;
  while (begin < end && x[begin] < o->from) begin++;
  while (end > begin && x[end - 1] > o->to) end--;
  if (begin == end)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%s has nothing from %g to %g: it goes from %g to %g", t->path, o->from,
                    o->to, x[0], x[t->rows - 1]);
  *first = begin;
  *rows = end - begin;
  return LIM_OK;
}

void lim_columns_list(lim_text *list, const lim_result_table *t) {
  for (int i = 0; i < t->count && i < LISTED; i++) lim_text_add(list, "%s%s", i ? ", " : "", t->column[i].name);
  if (t->count > LISTED) lim_text_add(list, ", ...");
}

static bool looks_like_path(const char *word) {
  const char *dot = strrchr(word, '.');
  return strchr(word, '/') || (dot && (!strcmp(dot, ".h5") || !strcmp(dot, ".csv")));
}

// Names, and their parts that end at a dot.
static void try_names(lim_choice *choice, const lim_result_table *t) {
  for (int i = 0; i < t->count; i++) {
    const char *name = t->column[i].name;
    lim_choice_also(choice, name);
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
      char part[LIM_CHOICE_NAME];
      snprintf(part, sizeof part, "%.*s", (int)(dot - name), name);
      lim_choice_also(choice, part);
    }
  }
}

lim_code lim_columns_unknown(const char *word, const lim_result_table *table, int count, lim_error *err) {
  if (looks_like_path(word)) return LIM_FAIL(err, LIM_IO, "there is no file, folder or channel '%s'", word);
  lim_choice choice = lim_choice_start(word);
  lim_text list = {0};
  for (int i = 0; i < count; i++) try_names(&choice, &table[i]);
  lim_columns_list(&list, &table[0]);
  lim_code code = LIM_FAIL(err, LIM_BAD_INPUT, "unknown channel '%.60s'%s%s%s %s has %s", word,
                           choice.best[0] ? "; did you mean '" : "", choice.best, choice.best[0] ? "'?" : ";",
                           table[0].path, list.text ? list.text : "none");
  lim_text_free(&list);
  return code;
}

static bool fits(double mm) { return mm == 0 || (mm >= LIM_FIGURE_LEAST && mm <= LIM_FIGURE_MOST); }

lim_code lim_columns_look(const lim_plot_options *o, lim_error *err) {
  if (fits(o->width) && fits(o->height)) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "the figure is %g x %g mm, must be from %d to %d mm", o->width, o->height,
                  LIM_FIGURE_LEAST, LIM_FIGURE_MOST);
}
