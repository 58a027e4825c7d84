// dofs.c - reads the map from rows to freedoms.
#include "fe/read/dofs.h"

#include "base/grow.h"
#include "fe/read/lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  int row, id, direction; // direction: 0 .. 5
  int line;
} freedom;

typedef struct {
  lim_lines l;
  const lim_fe_mesh *mesh;
  bool inner;       // nodes above all of the mesh's are inner freedoms
  bool numbered;    // lines begin with their row
  int ninner, *own; // ids of these, ascending; heap
  size_t count, capacity;
  freedom *freedom;
} reader;

static bool begins_number(const char *s) { return *s >= '0' && *s <= '9'; }

static bool has_place(const reader *r, int id) { return lim_fe_node(r->mesh, id) >= 0; }

static bool may_be_inner(const reader *r, int id, int direction) {
  return r->inner && direction <= 3 && r->mesh->nnode && id > r->mesh->id[r->mesh->nnode - 1];
}

static bool add(reader *r, int row, int id, int direction) {
  if (direction < 1 || direction > 6)
    lim_lines_error(&r->l, "direction %d of node %d: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)",
                    direction, id);
  else if (!has_place(r, id) && !may_be_inner(r, id, direction))
    lim_lines_error(&r->l,
                    "node %d has no coordinates (CalculiX makes nodes of its own for shells and beams: take "
                    "solid elements)",
                    id);
  else if (!LIM_GROW(r->freedom, r->capacity, r->count))
    r->l.code = lim_no_memory(r->l.err);
  else
    r->freedom[r->count++] = (freedom){row, id, direction - 1, r->l.line};
  return r->l.code == LIM_OK;
}

// "12.3": not the number 12.3, of which 12.30 would be the same.
static bool read_pointed(reader *r) {
  const char *s = r->l.text;
  char *point, *end = NULL;
  const long id = strtol(s, &point, 10), direction = *point == '.' ? strtol(point + 1, &end, 10) : 0;
  if (*point != '.' || !begins_number(point + 1) || !lim_field_none(end) || id > INT_MAX) {
    lim_lines_error(&r->l, "'%.20s' is not node.direction, as 12.3", s);
    return false;
  }
  return add(r, 0, (int)id, direction < 0 || direction > 99 ? 99 : (int)direction);
}

// A direction by number or by its label in ANSYS.
static bool read_direction(int *out, reader *r, const char **at) {
  static const char *const label[] = {"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};
  const char *s = lim_field_begin(*at);
  const int n = lim_field_length(s);
  if (n == 0 || begins_number(s) || *s == '-' || *s == '+') return lim_lines_whole(out, &r->l, at);
  *at = lim_field_next(s);
  for (*out = 1; *out <= 6; ++*out)
    if ((int)strlen(label[*out - 1]) == n && !strncasecmp(s, label[*out - 1], (size_t)n)) return true;
  lim_lines_error(&r->l, "'%.*s' is not UX, UY, UZ, ROTX, ROTY or ROTZ", n < 20 ? n : 20, s);
  return false;
}

static bool read_fields(reader *r, int columns) {
  const char *at = r->l.text;
  int row = 0, id, direction;
  if (columns == 3 && !lim_lines_whole(&row, &r->l, &at)) return false;
  if (!lim_lines_whole(&id, &r->l, &at) || !read_direction(&direction, r, &at)) return false;
  if (columns == 3 && row < 1) return lim_lines_error(&r->l, "row %d: rows count from 1", row) == LIM_OK;
  return add(r, row - 1, id, direction);
}

static bool read_line(reader *r) {
  const int columns = lim_field_count(r->l.text);
  if (r->count == 0) r->numbered = columns == 3;
  if (columns > 3 || (columns == 3) != r->numbered) {
    lim_lines_error(&r->l, "%d column%s, must be node.direction, 'node direction' or 'row node label'%s",
                    columns, columns == 1 ? "" : "s", columns > 3 ? "" : ", the same in all lines");
    return false;
  }
  return columns == 1 ? read_pointed(r) : read_fields(r, columns);
}

static void read_lines(reader *r) {
  while (lim_lines_next_of(&r->l, "#")) {
    if (r->count == 0 && !begins_number(r->l.text)) continue; // a title
    if (!read_line(r)) return;
  }
  if (r->l.code == LIM_OK && r->count == 0) lim_lines_error(&r->l, "the file has no freedoms");
}

// --- what was read, by rows ---

static lim_code error_at(reader *r, const freedom *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static lim_code error_at(reader *r, const freedom *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  r->l.code = lim_error_addv(r->l.err, LIM_BAD_INPUT, r->l.path, f->line, 0, format, args);
  va_end(args);
  return r->l.code;
}

static int by_value(const void *x, const void *y) {
  const int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

// Ids of inner nodes, none twice.
static bool list_inner(reader *r) {
  size_t count = 0;
  int n = 0;
  for (size_t i = 0; i < r->count; i++) count += !has_place(r, r->freedom[i].id);
  r->own = malloc((count + 1) * sizeof *r->own);
  if (!r->own) r->l.code = lim_no_memory(r->l.err);
  if (!r->own || count == 0) return r->own;
  count = 0;
  for (size_t i = 0; i < r->count; i++)
    if (!has_place(r, r->freedom[i].id)) r->own[count++] = r->freedom[i].id;
  qsort(r->own, count, sizeof *r->own, by_value);
  for (size_t i = 0; i < count; i++)
    if (n == 0 || r->own[n - 1] != r->own[i]) r->own[n++] = r->own[i];
  r->ninner = n;
  if (n <= INT_MAX / 6 - r->mesh->nnode) return true;
  r->l.code = LIM_FAIL(r->l.err, LIM_BAD_INPUT, "more than %d nodes", INT_MAX / 6);
  return false;
}

static int node_of(const reader *r, const freedom *f) {
  const int node = lim_fe_node(r->mesh, f->id);
  if (node >= 0) return node;
  const int *at = bsearch(&f->id, r->own, (size_t)r->ninner, sizeof *r->own, by_value);
  return r->mesh->nnode + (int)(at - r->own);
}

// Whether all are different; line: of each freedom, 0 at first (6 for each node).
static bool check_once(reader *r, int *line) {
  for (size_t i = 0; i < r->count; i++) {
    const freedom *f = &r->freedom[i];
    int *first = &line[6 * node_of(r, f) + f->direction];
    if (*first) {
      error_at(
          r, f,
          "direction %d of node %d is given twice, also in line %d (CalculiX expands shells and beams into "
          "solids, with several rows for each freedom: take solid elements)",
          f->direction + 1, f->id, *first);
      return false;
    }
    *first = f->line;
  }
  return true;
}

static void put(lim_fe_dofs *out, reader *r, int *line) {
  memset(line, 0, r->count * sizeof *line);
  for (size_t i = 0; i < r->count; i++) {
    const freedom *f = &r->freedom[i];
    const size_t row = r->numbered ? (size_t)f->row : i;
    if (row >= r->count) {
      error_at(r, f, "row %zu, but the file has %zu rows", row + 1, r->count);
      return;
    }
    if (line[row]) {
      error_at(r, f, "row %zu is given twice, also in line %d", row + 1, line[row]);
      return;
    }
    line[row] = f->line;
    out->node[row] = node_of(r, f);
    out->direction[row] = f->direction;
  }
}

static bool take(lim_fe_dofs *out, lim_arena *arena, const reader *r) {
  *out = (lim_fe_dofs){.count = (int)r->count,
                       .node = lim_arena_array(arena, r->count, sizeof *out->node),
                       .direction = lim_arena_array(arena, r->count, sizeof *out->direction),
                       .ninner = r->ninner,
                       .inner = lim_arena_array(arena, (size_t)r->ninner + 1, sizeof *out->inner)};
  if (!out->node || !out->direction || !out->inner) return false;
  if (r->ninner) memcpy(out->inner, r->own, (size_t)r->ninner * sizeof *out->inner);
  return true;
}

static void finish(lim_fe_dofs *out, lim_arena *arena, reader *r) {
  if (!list_inner(r)) return;
  int *line = calloc(6 * ((size_t)r->mesh->nnode + (size_t)r->ninner) + 1, sizeof *line);
  if (!line)
    r->l.code = lim_no_memory(r->l.err);
  else if (check_once(r, line)) { // so that there are at most six of each node
    if (take(out, arena, r))
      put(out, r, line);
    else
      r->l.code = lim_no_memory(r->l.err);
  }
  free(line);
}

lim_code lim_fe_dofs_read(lim_fe_dofs *out, lim_arena *arena, const char *path, const lim_fe_mesh *mesh,
                          bool inner, const lim_hooks *hooks, lim_error *err) {
  reader r = {.mesh = mesh, .inner = inner};
  *out = (lim_fe_dofs){0};
  lim_lines_open(&r.l, path, "reading the freedoms", hooks, err);
  if (r.l.code == LIM_OK) read_lines(&r);
  if (r.l.code == LIM_OK) finish(out, arena, &r);
  const lim_code code = r.l.code;
  free(r.freedom);
  free(r.own);
  lim_lines_close(&r.l);
  return code;
}
