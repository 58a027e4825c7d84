// market.c - matrices of the Matrix Market exchange format: coordinate or array, real or integer, general or
// symmetric. https://math.nist.gov/MatrixMarket/formats.html
#include "fe/read/entries.h"

#include <string.h>
#include <strings.h>

typedef struct {
  bool array, symmetric;
} kind;

// The next word of the first line: `first` or another that is allowed; others are refused.
static bool choose(lim_lines *l, const char **at, const char *name, const char *const word[3], int *chosen) {
  const char *s = *at;
  const int n = lim_field_length(s);
  *at = lim_field_next(s);
  for (int i = 0; i < 3 && word[i]; i++) {
    *chosen = i;
    if ((int)strlen(word[i]) == n && !strncasecmp(s, word[i], (size_t)n)) return true;
  }
  lim_lines_error(l, "%s '%.*s' of a Matrix Market file: must be %s%s%s", name, n < 20 ? n : 20, s, word[0],
                  word[1] ? " or " : "", word[1] ? word[1] : "");
  return false;
}

static bool read_kind(kind *out, lim_lines *l) {
  static const char *const object[3] = {"matrix"}, *const format[3] = {"coordinate", "array"},
                           *const field[3] = {"real", "integer", "double"},
                           *const symmetry[3] = {"general", "symmetric"};
  const char *at = lim_field_next(l->text);
  int is_array, of, is_symmetric;
  if (!choose(l, &at, "object", object, &of) || !choose(l, &at, "format", format, &is_array)) return false;
  if (!choose(l, &at, "field", field, &of) || !choose(l, &at, "symmetry", symmetry, &is_symmetric))
    return false;
  *out = (kind){is_array, is_symmetric};
  return true;
}

// "rows columns entries", or "rows columns" of an array.
static bool read_size(lim_fe_entries *e, size_t *count, lim_lines *l, kind k, const lim_fe_matrix_file *from) {
  int rows, columns, entries = 0;
  if (!lim_lines_next_of(l, "%")) {
    if (l->code == LIM_OK) lim_lines_error(l, "the file ends before the size of the matrix");
    return false;
  }
  const char *at = l->text;
  if (!lim_lines_whole(&rows, l, &at) || !lim_lines_whole(&columns, l, &at)) return false;
  if (!k.array && !lim_lines_whole(&entries, l, &at)) return false;
  if (rows < 1 || rows != columns || entries < 0 || !lim_field_none(at))
    lim_lines_error(l, "the size of a symmetric matrix is 'rows columns%s' with as many rows as columns",
                    k.array ? "" : " entries");
  else if (rows > from->most)
    lim_lines_error(l, "a matrix of %d rows, but %s", rows, from->why);
  const size_t n = (size_t)rows;
  *count = !k.array ? (size_t)entries : k.symmetric ? n * (n + 1) / 2 : n * n;
  e->told = true;
  e->n = rows;
  return l->code == LIM_OK;
}

static bool read_coordinate(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from) {
  const int rows = e->n;
  if (!lim_fe_entries_triplet(e, l, from)) return false;
  if (e->n == rows) return true;
  return lim_lines_error(l, "row or column %d, but the header says %d rows", e->n, rows) == LIM_OK;
}

// The values of a line, by columns; of a symmetric matrix from the diagonal down.
static bool read_array(lim_fe_entries *e, lim_lines *l, size_t count, kind k, int *i, int *j) {
  for (const char *at = l->text; !lim_field_none(at);) {
    double x;
    if (!lim_lines_number(&x, l, &at)) return false;
    if (e->count == count) return lim_lines_error(l, "more than %zu numbers", count) == LIM_OK;
    if (!lim_fe_entries_add(e, l, *i, *j, x)) return false;
    if (++*i < e->n) continue;
    ++*j;
    *i = k.symmetric ? *j : 0;
  }
  return true;
}

lim_code lim_fe_entries_market(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from) {
  size_t count;
  kind k;
  int i = 0, j = 0;
  if (!read_kind(&k, l) || !read_size(e, &count, l, k, from)) return l->code;
  while (lim_lines_next_of(l, "%")) {
    if (l->cut) return lim_lines_error(l, "nothing ends the last line: the file may be cut off here");
    if (!k.array && e->count == count)
      return lim_lines_error(l, "more than the %zu entries of the header", count);
    if (k.array ? !read_array(e, l, count, k, &i, &j) : !read_coordinate(e, l, from)) return l->code;
  }
  if (l->code == LIM_OK && e->count < count)
    lim_lines_error(l, "the file ends after %zu of %zu entries", e->count, count);
  return l->code;
}
