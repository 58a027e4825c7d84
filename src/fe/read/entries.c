// entries.c - matrices as triplets "row column value", and as the matrix input of Abaqus: "node, direction,
// node, direction, value".
#include "fe/read/entries.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void lim_fe_entries_free(lim_fe_entries *e) {
  free(e->entry);
  free(e->mark);
  *e = (lim_fe_entries){0};
}

int lim_fe_entries_line(const lim_fe_entries *e, size_t i) {
  size_t k = e->nmark;
  while (k > 1 && e->mark[k - 1].entry > i) k--;
  return k ? e->mark[k - 1].line + (int)(i - e->mark[k - 1].entry) : 0;
}

static bool mark_line(lim_fe_entries *e, const lim_lines *l) {
  const lim_fe_mark *last = e->nmark ? &e->mark[e->nmark - 1] : NULL;
  if (last && last->line + (long)(e->count - last->entry) == l->line) return true;
  if (!LIM_GROW(e->mark, e->mark_capacity, e->nmark)) return false;
  e->mark[e->nmark++] = (lim_fe_mark){e->count, l->line};
  return true;
}

bool lim_fe_entries_add(lim_fe_entries *e, lim_lines *l, int row, int column, double value) {
  if ((e->count == e->capacity && !LIM_GROW(e->entry, e->capacity, e->count)) || !mark_line(e, l)) {
    l->code = lim_no_memory(l->err);
    return false;
  }
  e->entry[e->count++] = (lim_fe_entry){row, column, value};
  return true;
}

// --- triplets ---

static bool check_index(lim_lines *l, const char *what, int i, const lim_fe_matrix_file *from) {
  if (i < 1)
    lim_lines_error(l, "%s %d: rows and columns count from 1", what, i);
  else if (i > from->most)
    lim_lines_error(l, "%s %d, but %s", what, i, from->why);
  return l->code == LIM_OK;
}

static bool check_rest(lim_lines *l, const char *at, int columns) {
  if (!lim_field_none(at)) lim_lines_error(l, "more than %d columns", columns);
  return l->code == LIM_OK;
}

bool lim_fe_entries_triplet(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from) {
  const char *at = l->text;
  int i, j;
  double x;
  if (!lim_lines_whole(&i, l, &at) || !lim_lines_whole(&j, l, &at) || !lim_lines_number(&x, l, &at))
    return false;
  if (!check_rest(l, at, 3) || !check_index(l, "row", i, from) || !check_index(l, "column", j, from))
    return false;
  if (i > e->n) e->n = i;
  if (j > e->n) e->n = j;
  return lim_fe_entries_add(e, l, i - 1, j - 1, x);
}

// --- matrix input of Abaqus ---

// A freedom "node, direction" as 6 node + direction; last: the node before, which is often the same.
static bool read_freedom(int *out, lim_lines *l, const char **at, const lim_fe_mesh *mesh, int *last) {
  int id, direction;
  if (!lim_lines_whole(&id, l, at) || !lim_lines_whole(&direction, l, at)) return false;
  if (*last < 0 || mesh->id[*last] != id) *last = lim_fe_node(mesh, id);
  if (*last < 0)
    lim_lines_error(l, "node %d has no coordinates", id);
  else if (direction < 1 || direction > 6)
    lim_lines_error(l, "direction %d of node %d: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)",
                    direction, id);
  *out = 6 * *last + direction - 1;
  return l->code == LIM_OK;
}

static bool read_named(lim_fe_entries *e, lim_lines *l, const lim_fe_mesh *mesh, int last[2]) {
  const char *at = l->text;
  int i, j;
  double x;
  if (!read_freedom(&i, l, &at, mesh, &last[0]) || !read_freedom(&j, l, &at, mesh, &last[1])) return false;
  if (!lim_lines_number(&x, l, &at) || !check_rest(l, at, 5)) return false;
  return lim_fe_entries_add(e, l, i, j, x);
}

// --- files ---

static bool decide(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from) {
  const int columns = lim_field_count(l->text);
  e->named = e->by_node = columns == 5 && from->mesh;
  if (columns == 3 || e->named) return true;
  lim_lines_error(l, "%d column%s, must be 3 (row, column, value)%s", columns, columns == 1 ? "" : "s",
                  from->mesh ? " or 5 (node, direction, node, direction, value)" : "");
  return false;
}

// The lines from this one on. Keywords and comments of Abaqus begin with a star.
static void read_rows(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from) {
  int last[2] = {-1, -1};
  bool good = true;
  for (l->again = true; good && lim_lines_next_of(l, "*");) {
    if (l->cut)
      good = lim_lines_error(l, "nothing ends the last line: the file may be cut off here") == LIM_OK;
    else if (e->count == 0 && !decide(e, l, from))
      good = false;
    else
      good = e->named ? read_named(e, l, from->mesh, last) : lim_fe_entries_triplet(e, l, from);
  }
}

static void read_any(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from) {
  if (!lim_lines_next(l)) return;
  if (!strncasecmp(l->text, "%%MatrixMarket", 14))
    lim_fe_entries_market(e, l, from);
  else
    read_rows(e, l, from);
}

lim_code lim_fe_entries_read(lim_fe_entries *out, const lim_fe_matrix_file *from, lim_error *err) {
  lim_lines l;
  *out = (lim_fe_entries){.path = from->path};
  lim_lines_open(&l, from->path, from->what, from->hooks, err);
  if (l.code == LIM_OK) read_any(out, &l, from);
  if (l.code == LIM_OK && out->count == 0) lim_lines_error(&l, "the file has no entries");
  const lim_code code = l.code;
  lim_lines_close(&l);
  return code;
}

static lim_code unknown_row(const lim_fe_entries *e, size_t i, int row, const lim_fe_mesh *mesh,
                            lim_error *err) {
  const int line = lim_fe_entries_line(e, i);
  if (!e->named) return lim_error_add(err, LIM_BAD_INPUT, e->path, line, 0, "row %d is not known", row + 1);
  return lim_error_add(err, LIM_BAD_INPUT, e->path, line, 0,
                       "direction %d of node %d is not among the freedoms of the stiffness matrix", row % 6 + 1,
                       mesh->id[row / 6]);
}

lim_code lim_fe_entries_rename(lim_fe_entries *e, const int *table, int n, const lim_fe_mesh *mesh,
                               lim_error *err) {
  for (size_t i = 0; i < e->count; i++) {
    lim_fe_entry *x = &e->entry[i];
    if (table[x->row] < 0) return unknown_row(e, i, x->row, mesh, err);
    if (table[x->column] < 0) return unknown_row(e, i, x->column, mesh, err);
    x->row = table[x->row];
    x->column = table[x->column];
  }
  e->by_node = true;
  e->n = n;
  return LIM_OK;
}
