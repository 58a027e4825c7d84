// dofs.c - reads the map from rows to freedoms.
#include "fe/read/dofs.h"

#include "base/grow.h"
#include "fe/read/lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  int row, code; // code: 6 node + direction
  int line;
} freedom;

typedef struct {
  lim_lines l;
  const lim_fe_mesh *mesh;
  bool numbered; // lines begin with their row
  size_t count, capacity;
  freedom *freedom;
} reader;

static bool begins_number(const char *s) { return *s >= '0' && *s <= '9'; }

static bool add(reader *r, int row, int id, int direction) {
  const int node = lim_fe_node(r->mesh, id);
  if (direction < 1 || direction > 6)
    lim_lines_error(&r->l, "direction %d of node %d: must be 1 .. 3 (displacements) or 4 .. 6 (rotations)",
                    direction, id);
  else if (node < 0)
    lim_lines_error(&r->l,
                    "node %d has no coordinates (CalculiX makes nodes of its own for shells, beams and C3D8I: "
                    "take other solid elements)",
                    id);
  else if (!LIM_GROW(r->freedom, r->capacity, r->count))
    r->l.code = lim_no_memory(r->l.err);
  else
    r->freedom[r->count++] = (freedom){row, 6 * node + direction - 1, r->l.line};
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

// Whether all are different; line: of each freedom, 0 at first (6 nnode).
static bool check_once(reader *r, int *line) {
  for (size_t i = 0; i < r->count; i++) {
    const freedom *f = &r->freedom[i];
    if (line[f->code]) {
      error_at(r, f, "direction %d of node %d is given twice, also in line %d", f->code % 6 + 1,
               r->mesh->id[f->code / 6], line[f->code]);
      return false;
    }
    line[f->code] = f->line;
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
    out->node[row] = f->code / 6;
    out->direction[row] = f->code % 6;
  }
}

static void finish(lim_fe_dofs *out, lim_arena *arena, reader *r) {
  int *line = calloc(6 * (size_t)r->mesh->nnode + 1, sizeof *line);
  if (line && check_once(r, line)) { // so that there are at most 6 nnode
    *out = (lim_fe_dofs){.count = (int)r->count,
                         .node = lim_arena_array(arena, r->count, sizeof *out->node),
                         .direction = lim_arena_array(arena, r->count, sizeof *out->direction)};
    if (out->node && out->direction)
      put(out, r, line);
    else
      r->l.code = lim_no_memory(r->l.err);
  } else if (!line) {
    r->l.code = lim_no_memory(r->l.err);
  }
  free(line);
}

lim_code lim_fe_dofs_read(lim_fe_dofs *out, lim_arena *arena, const char *path, const lim_fe_mesh *mesh,
                          const lim_hooks *hooks, lim_error *err) {
  reader r = {.mesh = mesh};
  *out = (lim_fe_dofs){0};
  lim_lines_open(&r.l, path, "reading the freedoms", hooks, err);
  if (r.l.code == LIM_OK) read_lines(&r);
  if (r.l.code == LIM_OK) finish(out, arena, &r);
  const lim_code code = r.l.code;
  free(r.freedom);
  lim_lines_close(&r.l);
  return code;
}
