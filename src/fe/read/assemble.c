// assemble.c - entries in any order into the upper triangle by rows: counted and put down twice, by columns and
// then by rows, in time linear in their number. Mirrored entries have to agree.
#include "fe/read/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far (i, j) and (j, i) may differ: as a share of the larger one, or of the diagonal between them.
static const double unequal = 1e-6;

enum { UPPER, LOWER, BOTH, DROPPED };

// An entry among those of its column.
typedef struct {
  int row;
  int side; // UPPER ... DROPPED
  double value;
} item;

typedef struct {
  const lim_fe_entries *e;
  const lim_fe_mesh *mesh;
  lim_error *err;
  int n;
  long *start;      // of the columns' items (n + 1)
  item *items;      // (count)
  long *seen;       // the item of a row in the column at hand, if not before its start (n)
  double *diagonal; // (n)
  bool mirrored;    // some entries are given with their mirrored ones
} sorter;

// --- messages ---

enum { PLACE = 100 };

static const char *place_of(char out[PLACE], const sorter *s, int row, int column) {
  const lim_fe_mesh *m = s->mesh;
  if (s->e->by_node && m)
    snprintf(out, PLACE, "direction %d of node %d with direction %d of node %d", m->dof_direction[row] + 1,
             m->id[m->dof_node[row]], m->dof_direction[column] + 1, m->id[m->dof_node[column]]);
  else
    snprintf(out, PLACE, "row %d, column %d", row + 1, column + 1);
  return out;
}

// The next entry at a place from entry i on.
static size_t find(const lim_fe_entries *e, size_t i, int row, int column) {
  while (i < e->count && (e->entry[i].row != row || e->entry[i].column != column)) i++;
  return i;
}

static lim_code given_twice(const sorter *s, int row, int column) {
  char place[PLACE];
  size_t a = find(s->e, 0, row, column), b = find(s->e, a + 1, row, column);
  return lim_error_add(s->err, LIM_BAD_INPUT, s->e->path, lim_fe_entries_line(s->e, b), 0,
                       "%s is given twice, also in line %d", place_of(place, s, row, column),
                       lim_fe_entries_line(s->e, a));
}

static lim_code not_symmetric(const sorter *s, int row, int column) {
  char here[PLACE], there[PLACE];
  size_t a = find(s->e, 0, row, column), b = find(s->e, 0, column, row);
  if (b < s->e->count && (a == s->e->count || lim_fe_entries_line(s->e, a) > lim_fe_entries_line(s->e, b))) {
    const size_t swap = a;
    const int i = row;
    a = b, b = swap, row = column, column = i;
  }
  const int line = lim_fe_entries_line(s->e, a);
  place_of(here, s, row, column);
  place_of(there, s, column, row);
  if (b == s->e->count)
    return lim_error_add(s->err, LIM_BAD_INPUT, s->e->path, line, 0,
                         "the matrix is not symmetric: %s is %.9g, %s is not given", here, s->e->entry[a].value,
                         there);
  return lim_error_add(s->err, LIM_BAD_INPUT, s->e->path, line, 0,
                       "the matrix is not symmetric: %s is %.9g, %s is %.9g (line %d)", here,
                       s->e->entry[a].value, there, s->e->entry[b].value, lim_fe_entries_line(s->e, b));
}

// --- by columns ---

static void sort_by_column(sorter *s) {
  const lim_fe_entry *entry = s->e->entry;
  for (size_t i = 0; i < s->e->count; i++)
    s->start[(entry[i].row > entry[i].column ? entry[i].row : entry[i].column) + 1]++;
  for (int j = 0; j < s->n; j++) s->start[j + 1] += s->start[j];
  memcpy(s->seen, s->start, (size_t)s->n * sizeof *s->seen); // where the next item of a column goes
  for (size_t i = 0; i < s->e->count; i++) {
    const bool lower = entry[i].row > entry[i].column;
    const int row = lower ? entry[i].column : entry[i].row, column = lower ? entry[i].row : entry[i].column;
    s->items[s->seen[column]++] = (item){row, lower ? LOWER : UPPER, entry[i].value};
    if (row == column) s->diagonal[row] = entry[i].value;
  }
}

static bool agree(const sorter *s, int row, int column, double a, double b) {
  const double between = sqrt(fabs(s->diagonal[row])) * sqrt(fabs(s->diagonal[column]));
  return fabs(a - b) <= unequal * fmax(fmax(fabs(a), fabs(b)), between);
}

// An item that is the second of its row in its column.
static lim_code join(sorter *s, item *first, item *second, int column) {
  const int row = first->row;
  if (first->side == BOTH || first->side == second->side)
    return second->side == LOWER ? given_twice(s, column, row) : given_twice(s, row, column);
  if (!agree(s, row, column, first->value, second->value)) return not_symmetric(s, row, column);
  if (first->value != second->value) first->value = 0.5 * first->value + 0.5 * second->value;
  first->side = BOTH;
  second->side = DROPPED;
  s->mirrored = true;
  return LIM_OK;
}

static lim_code join_mirrored(sorter *s) {
  lim_code code = LIM_OK;
  for (int i = 0; i < s->n; i++) s->seen[i] = -1;
  for (int j = 0; j < s->n && code == LIM_OK; j++)
    for (long k = s->start[j]; k < s->start[j + 1] && code == LIM_OK; k++) {
      const int row = s->items[k].row;
      if (s->seen[row] >= s->start[j])
        code = join(s, &s->items[s->seen[row]], &s->items[k], j);
      else
        s->seen[row] = k;
    }
  return code;
}

// Where some entries have a mirrored one, all of them must: the file has the full matrix. Entries that are 0
// go.
static lim_code drop_zeros(sorter *s) {
  for (int j = 0; j < s->n; j++)
    for (long k = s->start[j]; k < s->start[j + 1]; k++) {
      item *x = &s->items[k];
      if (s->mirrored && x->row != j && x->side < BOTH && !agree(s, x->row, j, x->value, 0))
        return not_symmetric(s, x->row, j);
      if (x->value == 0) x->side = DROPPED;
    }
  return LIM_OK;
}

// --- by rows ---

static lim_code put_by_row(lim_symmetric *out, lim_arena *arena, const sorter *s, lim_error *err) {
  const long count = s->start[s->n];
  *out = (lim_symmetric){.n = s->n, .start = lim_arena_array(arena, (size_t)s->n + 1, sizeof *out->start)};
  if (!out->start) return lim_no_memory(err);
  for (long k = 0; k < count; k++)
    if (s->items[k].side != DROPPED) out->start[s->items[k].row + 1]++;
  for (int i = 0; i < s->n; i++) out->start[i + 1] += out->start[i];
  out->column = lim_arena_array(arena, (size_t)out->start[s->n] + 1, sizeof *out->column);
  out->value = lim_arena_array(arena, (size_t)out->start[s->n] + 1, sizeof *out->value);
  if (!out->column || !out->value) return lim_no_memory(err);
  memcpy(s->seen, out->start, (size_t)s->n * sizeof *s->seen);
  for (int j = 0; j < s->n; j++)
    for (long k = s->start[j]; k < s->start[j + 1]; k++) {
      if (s->items[k].side == DROPPED) continue;
      const long at = s->seen[s->items[k].row]++;
      out->column[at] = j;
      out->value[at] = s->items[k].value;
    }
  return LIM_OK;
}

lim_code lim_fe_entries_symmetric(lim_symmetric *out, lim_arena *arena, lim_fe_entries *e, int n,
                                  const lim_fe_mesh *mesh, lim_error *err) {
  sorter s = {.e = e, .mesh = mesh, .err = err, .n = n};
  s.start = calloc((size_t)n + 1, sizeof *s.start);
  s.items = calloc(e->count + 1, sizeof *s.items);
  s.seen = malloc(((size_t)n + 1) * sizeof *s.seen);
  s.diagonal = calloc((size_t)n + 1, sizeof *s.diagonal);
  lim_code code = s.start && s.items && s.seen && s.diagonal ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) sort_by_column(&s);
  if (code == LIM_OK) code = join_mirrored(&s);
  if (code == LIM_OK) code = drop_zeros(&s);
  lim_fe_entries_free(e); // before the memory of the result is taken
  if (code == LIM_OK) code = put_by_row(out, arena, &s, err);
  free(s.start);
  free(s.items);
  free(s.seen);
  free(s.diagonal);
  return code;
}
