// plot.c - figures of recorded channels and of tables: lim_result_plot of limber.h.
#include "api/api.h"
#include "api/columns.h"
#include "report/figure/figure.h"
#include "report/figure/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES = 64, STACK = 8, WORDS = 64 }; // channels of a figure; panels without stack; results and channels

typedef struct {
  lim_plot_options o;
  const char *const *given; // results and channels (ngiven)
  int ngiven;
  const char *output;
  int ntable, nword;
  lim_result_table table[WORDS];
  const char *label[WORDS]; // of the tables
  long first[WORDS], rows[WORDS];
  const char *word[WORDS]; // the arguments that are no results
  const char *name[NAMES]; // of the channels to draw
  int count;
  lim_arena arena;
} plot;

// --- results ---

static bool exists(const char *path) {
  struct stat info;
  return !stat(path, &info);
}

static lim_code open_tables(plot *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < p->ngiven && code == LIM_OK; i++) {
    if (exists(p->given[i]))
      code = lim_table_open(&p->table[p->ntable++], p->given[i], err);
    else
      p->word[p->nword++] = p->given[i];
  }
  if (code != LIM_OK || p->ntable) return code;
  if (p->nword) return LIM_FAIL(err, LIM_IO, "there is no file or folder '%s'", p->word[0]);
  return LIM_FAIL(err, LIM_BAD_INPUT, "plot needs a result: limber plot RESULT... CHANNEL... -o FIGURE");
}

// Results of the same name are told apart by their paths.
static lim_code set_labels(plot *p, lim_error *err) {
  if (p->o.nlabel > p->ntable)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%d --label, but %d result%s", p->o.nlabel, p->ntable,
                    p->ntable == 1 ? "" : "s");
  for (int i = 0; i < p->ntable; i++) {
    p->label[i] = p->table[i].label;
    for (int k = 0; k < p->ntable; k++)
      if (k != i && !strcmp(p->table[k].label, p->table[i].label)) p->label[i] = p->table[i].path;
    if (i < p->o.nlabel) p->label[i] = p->o.label[i];
  }
  return LIM_OK;
}

// Rows between --from and --to.
static lim_code set_rows(plot *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < p->ntable && code == LIM_OK; i++)
    code = lim_columns_rows(&p->first[i], &p->rows[i], &p->table[i], &p->o, err);
  return code;
}

// --- channels ---

static lim_code unknown_name(plot *p, const char *word, lim_error *err) {
  return lim_columns_unknown(word, p->table, p->ntable, err);
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
  lim_columns_list(&list, &p->table[0]);
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
static bool stacked(const plot *p) { return p->o.stack || (p->ntable > 1 && p->count <= STACK); }

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
  return p->o.against ? p->o.against : p->table[table].column[0].name;
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
    if (!c->label) return lim_no_memory(err);
  }
  return LIM_OK;
}

static lim_code fill_panel(plot *p, lim_panel *panel, const char *const *name, int count, lim_error *err) {
  size_t start = common_start(name, count), end = common_end(name, count, start);
  panel->unit = unit_of(p, name[0]);
  panel->name = axis_name(p, name, count, start, end);
  panel->curve = lim_arena_array(&p->arena, (size_t)count * (size_t)p->ntable, sizeof *panel->curve);
  if (!panel->name || !panel->curve) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < count && code == LIM_OK; i++) {
    size_t length = strlen(name[i]) - start - end;
    const char *shortened = lim_arena_text(&p->arena, name[i] + start, length);
    code = shortened ? add_curves(p, panel, name[i], shortened, i, count, err) : lim_no_memory(err);
  }
  return code;
}

// One panel per unit, or per channel.
static lim_code fill_panels(lim_figure *f, plot *p, lim_error *err) {
  bool done[NAMES] = {false};
  f->panel = lim_arena_array(&p->arena, (size_t)p->count, sizeof *f->panel);
  if (!f->panel) return lim_no_memory(err);
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
  const lim_plot_options *o = &p->o;
  *f = (lim_figure){.width = o->width > 0 ? o->width : LIM_FIGURE_WIDTH,
                    .height = o->height,
                    .title = o->title,
                    .x_name = x_name(p, 0),
                    .log_x = o->log_x,
                    .log_y = o->log_y};
  for (int i = 0; i < p->ntable; i++)
    if (!column_of(p, i, x_name(p, i))) return unknown_name(p, x_name(p, i), err);
  f->x_unit = column_of(p, 0, f->x_name)->unit;
  lim_code code = fill_panels(f, p, err);
  if (code != LIM_OK) return code;
  f->equal = o->against && f->count == 1 && !o->log_x && !o->log_y && !strcmp(f->x_unit, f->panel[0].unit) &&
             is_position(o->against) && is_position(p->name[0]);
  return LIM_OK;
}

static void fill(lim_call *call, const plot *p, const lim_figure *f, lim_figure_format format, size_t bytes) {
  static const char *const word[] = {"svg", "png", "pdf"};
  lim_json j = lim_call_json(call);
  lim_put_text(&j, "file", p->output);
  lim_put_text(&j, "format", word[format]);
  lim_put_int(&j, "bytes", (long)bytes);
  lim_put_int(&j, "panels", f->count);
  lim_json_key(&j, "results");
  lim_json_flat(&j);
  for (int i = 0; i < p->ntable; i++) lim_json_text(&j, p->label[i]);
  lim_json_end(&j, ']');
  lim_json_key(&j, "channels");
  lim_json_flat(&j);
  for (int i = 0; i < p->count; i++) lim_json_text(&j, p->name[i]);
  lim_json_end(&j, ']');
  lim_call_close(call, &j);
}

static lim_code check_output(lim_figure_format *format, const plot *p, lim_error *err) {
  if (!p->output)
    return LIM_FAIL(err, LIM_BAD_INPUT, "plot needs -o FIGURE, which ends with .svg, .png or .pdf");
  if (!lim_figure_format_of(format, p->output))
    return LIM_FAIL(err, LIM_BAD_INPUT, "-o is '%s', must end with .svg, .png or .pdf", p->output);
  if (p->ngiven > WORDS) return LIM_FAIL(err, LIM_BAD_INPUT, "more than %d results and channels", WORDS);
  return LIM_OK;
}

static lim_code draw(lim_call *call, plot *p, lim_error *err) {
  lim_figure_format format = LIM_FIGURE_SVG;
  lim_figure f;
  lim_text file = {0};
  lim_code code = check_output(&format, p, err);
  if (code == LIM_OK) code = lim_columns_look(&p->o, err);
  if (code == LIM_OK) code = open_tables(p, err);
  if (code == LIM_OK) code = set_labels(p, err);
  if (code == LIM_OK) code = set_rows(p, err);
  if (code == LIM_OK) code = select_names(p, err);
  if (code == LIM_OK) code = set_figure(&f, p, err);
  if (code == LIM_OK) code = lim_figure_draw(&file, &f, format, err);
  if (code == LIM_OK) code = lim_file_write(p->output, file.text, file.length, err);
  if (code == LIM_OK) fill(call, p, &f, format, file.length);
  lim_text_free(&file);
  return code;
}

lim_code lim_result_plot(lim_answer **out, const char *const *words, int nword, const char *output,
                         const lim_plot_options *options, lim_error *err) {
  if (!words || nword < 0) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, NULL, err);
  plot *p = calloc(1, sizeof *p);
  if (!p && call.code == LIM_OK) call.code = lim_no_memory(&call.own);
  if (call.code == LIM_OK) {
    p->o = lim_plot_options_default();
    p->given = words;
    p->ngiven = nword;
    p->output = output;
    lim_call_options(&call, &p->o, options);
  }
  if (call.code == LIM_OK) {
    lim_code code = draw(&call, p, &call.own);
    if (call.code == LIM_OK) call.code = code;
  }
  for (int i = 0; p && i < p->ntable; i++) lim_table_close(&p->table[i]);
  if (p) lim_arena_free(&p->arena);
  free(p);
  return lim_call_end(&call);
}
