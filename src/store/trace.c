// trace.c - the trace of a robot program as JSON and in result.h5.
#include "store/trace.h"

#include <stdlib.h>

static void entry(lim_json *j, const lim_trace *t) {
  lim_json_object(j);
  lim_json_key(j, "from");
  lim_json_number(j, t->from);
  lim_json_key(j, "to");
  lim_json_number(j, t->to);
  lim_json_key(j, "line");
  lim_json_int(j, t->line);
  lim_json_key(j, "command");
  lim_json_text(j, t->command);
  lim_json_key(j, "text");
  lim_json_text(j, t->text);
  lim_json_end(j, '}');
}

void lim_trace_json(lim_json *j, const lim_program_result *p) {
  if (!p) return;
  lim_json_key(j, "program");
  lim_json_object(j);
  lim_json_key(j, "file");
  lim_json_text(j, p->file);
  lim_json_key(j, "end");
  lim_json_number(j, p->end);
  lim_json_key(j, "trace");
  lim_json_list(j);
  for (int i = 0; i < p->trace.count; i++) entry(j, &p->trace.item[i]);
  lim_json_end(j, ']');
  lim_json_end(j, '}');
}

bool lim_trace_write(lim_h5 file, const lim_program_result *p) {
  if (!p) return true;
  const int n = p->trace.count;
  const size_t capacity = (size_t)n + 1;
  double *time = malloc(2 * capacity * sizeof *time);
  int *line = malloc(capacity * sizeof *line);
  const char **word = malloc(2 * capacity * sizeof *word);
  bool good = time && line && word;
  for (int i = 0; good && i < n; i++) {
    const lim_trace *t = &p->trace.item[i];
    time[i] = t->from;
    time[capacity + (size_t)i] = t->to;
    line[i] = t->line;
    word[i] = t->command;
    word[capacity + (size_t)i] = t->text;
  }
  const lim_h5 group = good ? lim_h5_group(file, "program") : -1;
  good = group >= 0 && lim_h5_set_text(group, "file", p->file) && lim_h5_set_number(group, "end", p->end) &&
         lim_h5_doubles(group, "from", time, n) && lim_h5_doubles(group, "to", time + capacity, n) &&
         lim_h5_ints(group, "line", line, n) && lim_h5_texts(group, "command", word, n) &&
         lim_h5_texts(group, "text", word + capacity, n);
  if (group >= 0) lim_h5_group_close(group);
  free(time);
  free(line);
  free(word);
  return good;
}
