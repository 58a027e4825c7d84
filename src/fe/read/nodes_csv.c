// nodes_csv.c - nodes as lines of numbers, separated by commas, semicolons or blanks.
#include "fe/read/nodes_csv.h"

static bool title(const char *s) {
  const char c = *s == '"' ? s[1] : *s;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void read_node(lim_fe_deck *d, lim_lines *l) {
  const char *at = l->text;
  const int columns = lim_field_count(at);
  int id;
  double x[3];
  if (columns != 4) {
    lim_lines_error(l, "%d column%s, must be 4: id, x, y, z", columns, columns == 1 ? "" : "s");
    return;
  }
  if (!lim_lines_whole(&id, l, &at)) return;
  for (int i = 0; i < 3; i++)
    if (!lim_lines_number(&x[i], l, &at)) return;
  if (id < 1)
    lim_lines_error(l, "node %d: ids are positive", id);
  else
    lim_fe_deck_add_node(d, l, id, x);
}

void lim_fe_nodes_csv(lim_fe_deck *d, lim_lines *l) {
  for (bool first = true; lim_lines_next_of(l, "#"); first = false)
    if (!first || !title(l->text)) read_node(d, l);
}
