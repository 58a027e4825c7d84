// plot.c - limber plot: figures of recorded channels and of tables.
#include "base/error.h"
#include "cli.h"
#include "names.h"
#include "report/figure.h"
#include "report/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES = 64, STACK = 8 }; // channels of a figure; panels without --stack

typedef struct {
  const cli_options *o;
  int ntable, nword;
  lim_table table[CLI_WORDS_MAX];
  const char *label[CLI_WORDS_MAX]; // of the tables
  long first[CLI_WORDS_MAX], rows[CLI_WORDS_MAX];
  const char *word[CLI_WORDS_MAX]; // the arguments that are no results
  const char *name[NAMES];         // of the channels to draw
  int count;
  lim_arena arena;
} plot;

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- results ---

static bool exists(const char *path) {
  struct stat info;
  return !stat(path, &info);
}

static lim_code open_tables(plot *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < p->o->nword && code == LIM_OK; i++) {
    if (exists(p->o->word[i]))
      code = lim_table_open(&p->table[p->ntable++], p->o->word[i], err);
    else
      p->word[p->nword++] = p->o->word[i];
  }
  if (code != LIM_OK || p->ntable) return code;
  if (p->nword) return LIM_FAIL(err, LIM_IO, "there is no file or folder '%s'", p->word[0]);
  return LIM_FAIL(err, LIM_BAD_INPUT, "plot needs a result: limber plot RESULT... CHANNEL... -o FIGURE");
}

// Results of the same name are told apart by their paths.
static lim_code set_labels(plot *p, lim_error *err) {
  if (p->o->plot.nlabel > p->ntable)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%d --label, but %d result%s", p->o->plot.nlabel, p->ntable,
                    p->ntable == 1 ? "" : "s");
  for (int i = 0; i < p->ntable; i++) {
    p->label[i] = p->table[i].label;
    for (int k = 0; k < p->ntable; k++)
      if (k != i && !strcmp(p->table[k].label, p->table[i].label)) p->label[i] = p->table[i].path;
    if (i < p->o->plot.nlabel) p->label[i] = p->o->plot.label[i];
  }
  return LIM_OK;
}

// Rows between --from and --to.
static lim_code set_rows(plot *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < p->ntable && code == LIM_OK; i++)
    code = cli_rows_between(&p->first[i], &p->rows[i], &p->table[i], p->o, err);
  return code;
}

// --- channels ---

static lim_code unknown_name(plot *p, const char *word, lim_error *err) {
  return cli_unknown_channel(word, p->table, p->ntable, err);
}

static lim_code add_name(plot *p, const char *name, lim_error *err) {
  for (int i = 0; i < p->count; i++)
    if (!strcmp(p->name[i], name)) return LIM_OK;
  if (p->count == NAMES) return LIM_FAIL(err, LIM_BAD_INPUT, "more than %d channels in one figure", NAMES);
  p->name[p->count++] = name;
  return LIM_OK;
}

// The channel of that name, or else all that continue it after a dot.
static lim_code add_selected(plot *p, const char *word, lim_error *err) {
  for (int i = 0; i < p->ntable; i++)
    if (lim_table_find(&p->table[i], word) >= 0) return add_name(p, word, err);
  bool found = false;
  for (int i = 0; i < p->ntable; i++)
    for (int k = 0; k < p->table[i].count; k++) {
      if (!lim_table_selects(word, p->table[i].column[k].name)) continue;
      lim_code code = add_name(p, p->table[i].column[k].name, err);
      if (code != LIM_OK) return code;
      found = true;
    }
  return found ? LIM_OK : unknown_name(p, word, err);
}

static lim_code select_names(plot *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < p->nword; i++) {
    lim_code one = add_selected(p, p->word[i], err);
    if (code == LIM_OK) code = one;
  }
  if (code != LIM_OK || p->count) return code;
  lim_text list = {0};
  cli_list_names(&list, &p->table[0]);
  code = LIM_FAIL(err, LIM_BAD_INPUT, "plot needs a channel; %s has %s", p->table[0].path,
                  list.text ? list.text : "none");
  lim_text_free(&list);
  return code;
}

static const lim_reading_channel *column_of(const plot *p, int table, const char *name) {
  int k = lim_table_find(&p->table[table], name);
  return k < 0 ? NULL : &p->table[table].column[k];
}

static const char *unit_of(const plot *p, const char *name) {
  const lim_reading_channel *c = NULL;
  for (int i = 0; i < p->ntable && !c; i++) c = column_of(p, i, name);
  return c->unit;
}

// --- what names have in common ---

// Parts of a channel's name end at a dot, words of a column's at a blank.
static bool separates(char c) { return c == '.' || c == ' '; }

// Length of the parts, with their separators, that all names start with; less than any of them.
static size_t common_start(const char *const *name, int count) {
  size_t n = 0;
  for (size_t k = 0; name[0][k]; k++) {
    for (int i = 1; i < count; i++)
      if (name[i][k] != name[0][k]) return n;
    if (separates(name[0][k])) n = k + 1;
  }
  return n;
}

static size_t common_end(const char *const *name, int count, size_t start) {
  size_t n = 0, length = strlen(name[0]);
  for (size_t k = 1; k + start < length; k++) {
    char c = name[0][length - k];
    for (int i = 1; i < count; i++) {
      size_t other = strlen(name[i]);
      if (k + start >= other || name[i][other - k] != c) return n;
    }
    if (separates(c)) n = k;
  }
  return n;
}

// --- panels ---

// Several channels of several results are easier told apart in panels of their own.
static bool stacked(const plot *p) { return p->o->plot.stack || (p->ntable > 1 && p->count <= STACK); }

static bool share_panel(const plot *p, const char *a, const char *b) {
  const char *one = unit_of(p, a), *other = unit_of(p, b);
  return !stacked(p) && !strcmp(one, other) && lim_shown_as_strain(a, one) == lim_shown_as_strain(b, other);
}

// The name of a panel's axis: what all its channels have in common; the legend has the rest.
static const char *axis_name(plot *p, const char *const *name, int count, size_t start, size_t end) {
  lim_text t = {0};
  size_t length = strlen(name[0]);
  if (count == 1)
    lim_text_add(&t, "%s", name[0]);
  else
    lim_text_add(&t, "%.*s%s%s", start ? (int)start - 1 : 0, name[0], start && end ? " " : "",
                 end ? name[0] + length - end + 1 : "");
  const char *text = t.failed ? NULL : lim_arena_text(&p->arena, t.text ? t.text : "", t.length);
  lim_text_free(&t);
  return text;
}

static const char *curve_label(plot *p, const char *name, bool named, const char *result) {
  lim_text t = {0};
  if (named) lim_text_add(&t, "%s", name);
  if (p->ntable > 1) lim_text_add(&t, "%s%s", named ? ", " : "", result);
  const char *text = t.failed ? NULL : lim_arena_text(&p->arena, t.text ? t.text : "", t.length);
  lim_text_free(&t);
  return text;
}

static const char *x_name(const plot *p, int table) {
  return p->o->plot.against ? p->o->plot.against : p->table[table].column[0].name;
}

// Curves of channel i of a panel of `of` channels. short_name: without what all have in common.
static lim_code add_curves(plot *p, lim_panel *panel, const char *name, const char *short_name, int i, int of,
                           lim_error *err) {
  for (int k = 0; k < p->ntable; k++) {
    const lim_reading_channel *y = column_of(p, k, name), *x = column_of(p, k, x_name(p, k));
    if (!y) continue;
    if (!x) return unknown_name(p, x_name(p, k), err);
    if (strcmp(y->unit, unit_of(p, name)))
      return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' has unit %s in %s, but %s in another result", name, y->unit,
                      p->table[k].path, unit_of(p, name));
    lim_curve *c = &panel->curve[panel->count++];
    *c = (lim_curve){.label = curve_label(p, short_name, of > 1, p->label[k]),
                     .x = x->value + p->first[k],
                     .y = y->value + p->first[k],
                     .count = p->rows[k],
                     .colour = of > 1 ? i * p->ntable + k : k,
                     .dash = p->ntable > 1 ? k : i};
    if (!c->label) return no_memory(err);
  }
  return LIM_OK;
}

static lim_code fill_panel(plot *p, lim_panel *panel, const char *const *name, int count, lim_error *err) {
  size_t start = common_start(name, count), end = common_end(name, count, start);
  panel->unit = unit_of(p, name[0]);
  panel->name = axis_name(p, name, count, start, end);
  panel->curve = lim_arena_array(&p->arena, (size_t)count * (size_t)p->ntable, sizeof *panel->curve);
  if (!panel->name || !panel->curve) return no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < count && code == LIM_OK; i++) {
    size_t length = strlen(name[i]) - start - end;
    const char *shortened = lim_arena_text(&p->arena, name[i] + start, length);
    code = shortened ? add_curves(p, panel, name[i], shortened, i, count, err) : no_memory(err);
  }
  return code;
}

// One panel per unit, or per channel.
static lim_code fill_panels(lim_figure *f, plot *p, lim_error *err) {
  bool done[NAMES] = {false};
  f->panel = lim_arena_array(&p->arena, (size_t)p->count, sizeof *f->panel);
  if (!f->panel) return no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < p->count && code == LIM_OK; i++) {
    const char *name[NAMES];
    int n = 0;
    if (done[i]) continue;
    for (int k = i; k < p->count; k++)
      if (k == i || (!done[k] && share_panel(p, p->name[i], p->name[k])))
        done[k] = true, name[n++] = p->name[k];
    code = fill_panel(p, &f->panel[f->count++], name, n, err);
  }
  return code;
}

// --- figure ---

static bool is_position(const char *name) { return strstr(name, "position") != NULL; }

static lim_code set_figure(lim_figure *f, plot *p, lim_error *err) {
  const cli_options *o = p->o;
  *f = (lim_figure){.width = o->plot.width > 0 ? o->plot.width : LIM_FIGURE_WIDTH,
                    .height = o->plot.height,
                    .title = o->plot.title,
                    .x_name = x_name(p, 0),
                    .log_x = o->plot.log_x,
                    .log_y = o->plot.log_y};
  for (int i = 0; i < p->ntable; i++)
    if (!column_of(p, i, x_name(p, i))) return unknown_name(p, x_name(p, i), err);
  f->x_unit = column_of(p, 0, f->x_name)->unit;
  lim_code code = fill_panels(f, p, err);
  if (code != LIM_OK) return code;
  f->equal = o->plot.against && f->count == 1 && !o->plot.log_x && !o->plot.log_y &&
             !strcmp(f->x_unit, f->panel[0].unit) && is_position(o->plot.against) && is_position(p->name[0]);
  return LIM_OK;
}

static void as_json(lim_text *out, const plot *p, const lim_figure *f, lim_figure_format format, size_t bytes) {
  static const char *const word[] = {"svg", "png", "pdf"};
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "file");
  lim_json_text(&j, p->o->output);
  lim_json_key(&j, "format");
  lim_json_text(&j, word[format]);
  lim_json_key(&j, "bytes");
  lim_json_int(&j, (long)bytes);
  lim_json_key(&j, "panels");
  lim_json_int(&j, f->count);
  lim_json_key(&j, "results");
  lim_json_flat(&j);
  for (int i = 0; i < p->ntable; i++) lim_json_text(&j, p->label[i]);
  lim_json_end(&j, ']');
  lim_json_key(&j, "channels");
  lim_json_flat(&j);
  for (int i = 0; i < p->count; i++) lim_json_text(&j, p->name[i]);
  lim_json_end(&j, ']');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static lim_code draw(lim_text *out, plot *p, lim_error *err) {
  lim_figure_format format;
  lim_figure f;
  lim_text file = {0};
  if (!p->o->output)
    return LIM_FAIL(err, LIM_BAD_INPUT, "plot needs -o FIGURE, which ends with .svg, .png or .pdf");
  if (!lim_figure_format_of(&format, p->o->output))
    return LIM_FAIL(err, LIM_BAD_INPUT, "-o is '%s', must end with .svg, .png or .pdf", p->o->output);
  lim_code code = open_tables(p, err);
  if (code == LIM_OK) code = set_labels(p, err);
  if (code == LIM_OK) code = set_rows(p, err);
  if (code == LIM_OK) code = select_names(p, err);
  if (code == LIM_OK) code = set_figure(&f, p, err);
  if (code == LIM_OK) code = lim_figure_draw(&file, &f, format, err);
  if (code == LIM_OK) code = cli_write(&file, p->o->output, err);
  if (code == LIM_OK && p->o->json) as_json(out, p, &f, format, file.length);
  lim_text_free(&file);
  return code;
}

lim_code cli_plot(lim_text *out, const cli_options *o, lim_error *err) {
  plot *p = calloc(1, sizeof *p);
  if (!p) return no_memory(err);
  p->o = o;
  lim_code code = draw(out, p, err);
  for (int i = 0; i < p->ntable; i++) lim_table_close(&p->table[i]);
  lim_arena_free(&p->arena);
  free(p);
  return code;
}
