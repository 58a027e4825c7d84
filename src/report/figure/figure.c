// figure.c - curves over a common axis: layout first, which measures every text, then drawing.
#include "report/figure/figure.h"

#include "report/figure/canvas.h"
#include "report/figure/scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// [mm]
#define LETTER    2.8  // size of letters: 8 pt
#define SMALL     2.45 // of ticks: 7 pt
#define EDGE      1.2  // white around everything
#define GAP       1.2  // between texts and what they belong to
#define SAMPLE    7.0  // a line in a legend
#define ROW       3.9  // of a legend
#define COLUMN    0.3  // in which a curve shows only its extremes
#define TOLERANCE 0.04 // of a curve's place
#define CURVE     0.35 // thickness

enum { MARKED = 40 }; // curves of up to so many points show them

typedef struct {
  lim_scale y;
  lim_shown_unit unit;
  lim_ticks ticks;
  double top, height; // of the axes
  int legend;         // rows; 0: none
} panel_layout;

typedef struct {
  const lim_figure *f;
  lim_canvas *c;
  lim_scale x;
  lim_shown_unit x_unit;
  lim_ticks ticks;
  double width, height; // of the sheet
  double left, across;  // of the axes
  panel_layout *panel;
} layout;

bool lim_figure_format_of(lim_figure_format *out, const char *path) {
  static const char *const end[] = {".svg", ".png", ".pdf"};
  size_t n = strlen(path);
  for (int i = 0; i < 3; i++)
    if (n > 4 && !strcasecmp(path + n - 4, end[i])) {
      *out = (lim_figure_format)i;
      return true;
    }
  return false;
}

// --- ranges ---

typedef struct {
  double low, high, largest;
} range;

static const range NOTHING = {INFINITY, -INFINITY, 0};

static bool shows(double x, bool log) { return isfinite(x) && (!log || x > 0); }

static bool has_point(const lim_figure *f, const lim_curve *c, long i) {
  return shows(c->x[i], f->log_x) && shows(c->y[i], f->log_y);
}

static void include(range *r, double x) {
  r->low = fmin(r->low, x);
  r->high = fmax(r->high, x);
  r->largest = fmax(r->largest, fabs(x));
}

static void include_panel(range *x, range *y, const lim_figure *f, const lim_panel *p) {
  for (int k = 0; k < p->count; k++)
    for (long i = 0; i < p->curve[k].count; i++)
      if (has_point(f, &p->curve[k], i)) include(x, p->curve[k].x[i]), include(y, p->curve[k].y[i]);
}

static lim_scale shown_scale(range r, double factor, bool log, bool tight) {
  return lim_scale_around(r.low * factor, r.high * factor, log, tight);
}

static bool is_marked(const lim_curve *c) { return c->count <= MARKED; }

static bool has_marks(const lim_figure *f) {
  for (int i = 0; i < f->count; i++)
    for (int k = 0; k < f->panel[i].count; k++)
      if (is_marked(&f->panel[i].curve[k])) return true;
  return false;
}

static lim_code set_scales(layout *l, lim_error *err) {
  const lim_figure *f = l->f;
  range x = NOTHING;
  for (int i = 0; i < f->count; i++) {
    const lim_panel *p = &f->panel[i];
    range y = NOTHING;
    include_panel(&x, &y, f, p);
    if (y.low > y.high)
      return LIM_FAIL(err, LIM_BAD_INPUT, "there is nothing to draw: '%s' has no %s numbers%s", p->name,
                      f->log_x || f->log_y ? "positive" : "finite",
                      f->log_x || f->log_y ? ", as a logarithmic axis needs" : "");
    if (f->equal) y.largest = fmax(x.largest, y.largest);
    l->panel[i].unit = lim_shown_unit_of(p->name, p->unit, y.largest);
    l->panel[i].y = shown_scale(y, l->panel[i].unit.factor, f->log_y, false);
    if (f->equal) x.largest = y.largest;
  }
  l->x_unit = lim_shown_unit_of(f->x_name, f->x_unit, x.largest);
  l->x = shown_scale(x, l->x_unit.factor, f->log_x, !f->equal && !has_marks(f));
  return LIM_OK;
}

// --- legend ---

static bool same_legend(const lim_panel *a, const lim_panel *b) {
  bool same = a->count == b->count;
  for (int i = 0; same && i < a->count; i++)
    same = !strcmp(a->curve[i].label, b->curve[i].label) && a->curve[i].colour == b->curve[i].colour &&
           a->curve[i].dash == b->curve[i].dash;
  return same;
}

static bool has_legend(const lim_figure *f, int i) {
  return f->panel[i].count > 1 && (i == 0 || !same_legend(&f->panel[i], &f->panel[i - 1]));
}

// Entries side by side, in as many rows as they need; draws them if asked to. y: base line of the first row.
static int flow_legend(layout *l, const lim_panel *p, double y, bool draw) {
  double x = l->left, max = l->left + l->across;
  int rows = 1;
  for (int i = 0; i < p->count; i++) {
    const lim_curve *k = &p->curve[i];
    double text = fmin(lim_canvas_text_width(l->c, k->label, SMALL), l->across - SAMPLE - GAP);
    if (x > l->left && x + SAMPLE + GAP + text > max) x = l->left, rows++;
    double base = y + (rows - 1) * ROW, middle = base - 0.36 * SMALL;
    if (draw) {
      const lim_point line[] = {{x, middle}, {x + SAMPLE, middle}};
      lim_canvas_colour(l->c, k->colour);
      lim_canvas_line(l->c, line, 2, CURVE * 1.3, k->dash);
      lim_canvas_grey(l->c, 0.1);
      lim_canvas_text(l->c, x + SAMPLE + GAP, base, k->label, "", SMALL, LIM_ALIGN_LEFT, false, text + 0.01);
    }
    x += SAMPLE + GAP + text + 3 * GAP;
  }
  return rows;
}

// --- layout ---

static double widest(lim_canvas *c, const lim_ticks *t) {
  char text[LIM_SCALE_TEXT];
  double width = 0;
  for (int i = 0; i < t->count; i++) {
    if (!t->major[i]) continue;
    lim_tick_text(text, t, i);
    width = fmax(width, lim_canvas_text_width(c, text, SMALL));
  }
  return width;
}

// As many ticks as have room for their labels.
static void set_x_ticks(layout *l) {
  int max = (int)fmin(12, l->across / 9);
  do {
    l->ticks = lim_ticks_of(&l->x, max);
    int labels = 0;
    for (int i = 0; i < l->ticks.count; i++) labels += l->ticks.major[i];
    if (labels * (widest(l->c, &l->ticks) + 2.2) <= l->across) return;
  } while (--max > 2);
}

static void set_y_ticks(layout *l) {
  for (int i = 0; i < l->f->count; i++) {
    panel_layout *p = &l->panel[i];
    p->ticks = lim_ticks_of(&p->y, (int)fmin(10, fmax(3, p->height / 5.2)));
  }
}

static double top_of(const lim_figure *f) { return EDGE + (f->title ? LETTER * 1.7 : 0); }

// Below the axes: labels of the ticks, name of the axis.
static double bottom_of(void) { return EDGE + SMALL * 1.5 + LETTER * 1.6; }

// The room that the axes of all panels share.
static double axes_height(const layout *l) {
  double taken = top_of(l->f) + bottom_of() + 1.2; // half a label above the axes
  for (int i = 0; i < l->f->count; i++) taken += l->panel[i].legend * ROW + (i ? 2.5 : 0);
  return l->height - taken;
}

static void set_heights(layout *l) {
  int n = l->f->count;
  double each = fmax(axes_height(l) / n, 4), y = top_of(l->f) + 1.2;
  for (int i = 0; i < n; i++) {
    y += l->panel[i].legend * ROW + (i ? 2.5 : 0);
    l->panel[i].top = y;
    l->panel[i].height = each;
    y += each;
  }
}

// Left: name of the axis, labels of the ticks. They depend on the ticks, and those on the height.
static void set_widths(layout *l) {
  double labels = 0;
  for (int i = 0; i < l->f->count; i++) labels = fmax(labels, widest(l->c, &l->panel[i].ticks));
  l->left = EDGE + LETTER * 1.35 + labels + GAP;
  l->across = fmax(l->width - l->left - EDGE - fmax(2.5, widest(l->c, &l->ticks) / 2), 8);
}

static void count_legends(layout *l) {
  for (int i = 0; i < l->f->count; i++)
    l->panel[i].legend = has_legend(l->f, i) ? flow_legend(l, &l->f->panel[i], 0, false) : 0;
}

// The same length of paper for the same length along x and y: the range that has more room grows.
static void make_equal(layout *l) {
  for (int i = 0; i < l->f->count; i++) {
    panel_layout *p = &l->panel[i];
    double dx = l->x.high - l->x.low, dy = p->y.high - p->y.low, per = fmax(dx / l->across, dy / p->height);
    double more_x = (per * l->across - dx) / 2, more_y = (per * p->height - dy) / 2;
    if (i == 0) l->x.low -= more_x, l->x.high += more_x;
    p->y.low -= more_y, p->y.high += more_y;
  }
}

static double suitable_height(const layout *l) {
  const lim_figure *f = l->f;
  double each = f->count == 1 ? 40 : fmax(24, 34 - 2 * f->count);
  if (f->equal) {
    double dx = l->x.high - l->x.low, dy = l->panel[0].y.high - l->panel[0].y.low;
    each = fmin(fmax(l->across * dy / dx, 25), 1.25 * l->across);
  }
  return l->height - axes_height(l) + each * f->count;
}

static void set_layout(layout *l) {
  const lim_figure *f = l->f;
  l->width = f->width;
  l->height = f->height > 0 ? f->height : 60;
  for (int pass = 0; pass < 3; pass++) { // sizes of texts and of axes depend on each other
    set_y_ticks(l);
    set_widths(l);
    set_x_ticks(l);
    count_legends(l);
    if (f->height <= 0) l->height = suitable_height(l);
    set_heights(l);
  }
  if (f->equal) make_equal(l);
  set_y_ticks(l);
  set_widths(l);
  set_x_ticks(l);
}

// --- drawing ---

static double x_on_paper(const layout *l, double shown) {
  return l->left + l->across * lim_scale_place(&l->x, shown);
}

static double y_on_paper(const panel_layout *p, double shown) {
  return p->top + p->height * (1 - lim_scale_place(&p->y, shown));
}

static void draw_grid(const layout *l, const panel_layout *p) {
  double right = l->left + l->across, bottom = p->top + p->height;
  for (int i = 0; i < l->ticks.count; i++) {
    double x = x_on_paper(l, l->ticks.at[i]);
    lim_canvas_grey(l->c, l->ticks.major[i] ? 0.85 : 0.93);
    lim_canvas_segment(l->c, x, p->top, x, bottom, 0.12);
  }
  for (int i = 0; i < p->ticks.count; i++) {
    double y = y_on_paper(p, p->ticks.at[i]);
    bool zero = !p->y.log && fabs(p->ticks.at[i]) < 1e-9 * (p->y.high - p->y.low);
    lim_canvas_grey(l->c, zero ? 0.55 : p->ticks.major[i] ? 0.85 : 0.93);
    lim_canvas_segment(l->c, l->left, y, right, y, zero ? 0.15 : 0.12);
  }
}

static void draw_frame(const layout *l, const panel_layout *p) {
  double right = l->left + l->across, bottom = p->top + p->height;
  lim_canvas_grey(l->c, 0.25);
  const lim_point box[] = {
      {l->left, p->top}, {right, p->top}, {right, bottom}, {l->left, bottom}, {l->left, p->top}};
  lim_canvas_line(l->c, box, 5, 0.2, 0);
}

// "name [unit]" as wide as there is room for: in smaller letters first, then with less of the name.
static void draw_axis_name(const layout *l, double x, double y, const char *name, const char *unit, bool turned,
                           double buffer) {
  char tail[LIM_SCALE_TEXT + 8] = "";
  if (unit[0]) snprintf(tail, sizeof tail, " [%s]", unit);
  double wide = lim_canvas_text_width(l->c, name, LETTER) + lim_canvas_text_width(l->c, tail, LETTER);
  lim_canvas_text(l->c, x, y, name, tail, LETTER * fmin(1, fmax(0.75, buffer / wide)), LIM_ALIGN_CENTRE, turned,
                  buffer);
}

static void draw_tick_label(const layout *l, const lim_ticks *t, int k, double x, double y, lim_align align) {
  char text[LIM_SCALE_TEXT];
  lim_tick_text(text, t, k);
  if (t->major[k]) lim_canvas_text(l->c, x, y, text, "", SMALL, align, false, l->width);
}

static void draw_y_labels(const layout *l, int i) {
  const panel_layout *p = &l->panel[i];
  lim_canvas_grey(l->c, 0.1);
  for (int k = 0; k < p->ticks.count; k++)
    draw_tick_label(l, &p->ticks, k, l->left - GAP, y_on_paper(p, p->ticks.at[k]) + 0.36 * SMALL,
                    LIM_ALIGN_RIGHT);
  draw_axis_name(l, EDGE + LETTER * 0.85, p->top + p->height / 2, l->f->panel[i].name, p->unit.unit, true,
                 p->height);
}

static void draw_x_labels(const layout *l) {
  const panel_layout *last = &l->panel[l->f->count - 1];
  double bottom = last->top + last->height;
  lim_canvas_grey(l->c, 0.1);
  for (int k = 0; k < l->ticks.count; k++)
    draw_tick_label(l, &l->ticks, k, x_on_paper(l, l->ticks.at[k]), bottom + SMALL * 1.3, LIM_ALIGN_CENTRE);
  draw_axis_name(l, l->left + l->across / 2, bottom + SMALL * 1.5 + LETTER * 1.15, l->f->x_name, l->x_unit.unit,
                 false, l->across);
}

// --- curves ---

static bool rises(const lim_point *p, long count) {
  for (long i = 1; i < count; i++)
    if (p[i].x < p[i - 1].x) return false;
  return true;
}

// A piece of a curve without gaps; p is changed.
static void draw_piece(const layout *l, lim_point *p, long count, const lim_curve *k, bool marked) {
  for (long i = 0; i < count && marked; i++) lim_canvas_dot(l->c, p[i].x, p[i].y, 0.55);
  if (count == 1 && !marked) lim_canvas_dot(l->c, p[0].x, p[0].y, CURVE / 2);
  if (rises(p, count)) count = lim_simplify_columns(p, count, COLUMN);
  count = lim_simplify_path(p, count, TOLERANCE);
  if (count > 1) lim_canvas_line(l->c, p, count, CURVE, k->dash);
}

static lim_code draw_curve(const layout *l, const panel_layout *p, const lim_curve *k, lim_error *err) {
  lim_point *piece = malloc(((size_t)k->count + 1) * sizeof *piece);
  if (!piece) return lim_no_memory(err);
  long n = 0;
  lim_canvas_colour(l->c, k->colour);
  for (long i = 0; i <= k->count; i++) {
    if (i < k->count && has_point(l->f, k, i))
      piece[n++] =
          (lim_point){x_on_paper(l, k->x[i] * l->x_unit.factor), y_on_paper(p, k->y[i] * p->unit.factor)};
    else if (n > 0) {
      draw_piece(l, piece, n, k, is_marked(k));
      n = 0;
    }
  }
  free(piece);
  return LIM_OK;
}

static lim_code draw_panel(layout *l, int i, lim_error *err) {
  const panel_layout *p = &l->panel[i];
  const lim_panel *panel = &l->f->panel[i];
  lim_code code = LIM_OK;
  draw_grid(l, p);
  lim_canvas_clip(l->c, l->left - 0.6, p->top - 0.6, l->across + 1.2, p->height + 1.2);
  for (int k = 0; k < panel->count && code == LIM_OK; k++) code = draw_curve(l, p, &panel->curve[k], err);
  lim_canvas_unclip(l->c);
  draw_frame(l, p);
  draw_y_labels(l, i);
  if (p->legend) flow_legend(l, panel, p->top - p->legend * ROW + 0.62 * ROW, true);
  return code;
}

static lim_code draw_all(layout *l, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < l->f->count && code == LIM_OK; i++) code = draw_panel(l, i, err);
  draw_x_labels(l);
  if (l->f->title)
    lim_canvas_text(l->c, l->left + l->across / 2, EDGE + LETTER * 1.05, l->f->title, "", LETTER * 1.1,
                    LIM_ALIGN_CENTRE, false, fmin(2 * (l->width - EDGE - l->left - l->across / 2), l->width));
  return code;
}

// Texts are measured on a sheet that is thrown away: the height is known only afterwards.
static lim_code measure(layout *l, lim_figure_format format, lim_error *err) {
  lim_text nothing = {0};
  lim_canvas sheet;
  lim_code code = lim_canvas_start(&sheet, &nothing, format, l->f->width, LIM_FIGURE_LEAST, err);
  l->c = &sheet;
  if (code == LIM_OK) set_layout(l);
  lim_code end = lim_canvas_end(&sheet, &nothing, NULL);
  lim_text_free(&nothing);
  l->c = NULL;
  return code != LIM_OK ? code : end;
}

static lim_code draw(layout *l, lim_text *out, lim_figure_format format, lim_error *err) {
  lim_canvas sheet;
  lim_code code = lim_canvas_start(&sheet, out, format, l->width, l->height, err);
  l->c = &sheet;
  if (code == LIM_OK) code = draw_all(l, err);
  lim_code end = lim_canvas_end(&sheet, out, code == LIM_OK ? err : NULL);
  l->c = NULL;
  return code != LIM_OK ? code : end;
}

lim_code lim_figure_draw(lim_text *out, const lim_figure *f, lim_figure_format format, lim_error *err) {
  layout l = {.f = f, .panel = calloc((size_t)f->count + 1, sizeof *l.panel)};
  if (!l.panel) return lim_no_memory(err);
  lim_code code = set_scales(&l, err);
  if (code == LIM_OK) code = measure(&l, format, err);
  if (code == LIM_OK) code = draw(&l, out, format, err);
  free(l.panel);
  return code;
}
