// canvas.c - a sheet of paper in millimetres, by cairo.
#include "report/figure/canvas.h"

#include "base/text.h"
#include "report/figure/cairo_calls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INCH 25.4 // [mm]

enum { DPI = 300, LONGEST = 256 }; // of PNG; bytes of a text

// Colours that also those tell apart who see red and green alike. Yellow is left out: too pale on white.
static const unsigned colours[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000};
static const double dashes[][6] = {{0},        {2.2, 0.9}, {2.6, 0.7, 0.5, 0.7},
                                   {0.7, 0.7}, {4, 0.8},   {2.2, 0.6, 0.5, 0.6, 0.5, 0.6}};

// --- surface ---

static cairo_status_t receive(void *out, const unsigned char *bytes, unsigned count) {
  lim_text *text = out;
  lim_text_bytes(text, bytes, count);
  return text->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *new_surface(lim_text *out, lim_figure_format format, double width, double height) {
  double points = 72 / INCH;
  cairo_surface_t *s = NULL;
  switch (format) {
  case LIM_FIGURE_SVG:
    s = cairo_svg_surface_create_for_stream(receive, out, width * points, height * points);
    break;
  case LIM_FIGURE_PDF:
    s = cairo_pdf_surface_create_for_stream(receive, out, width * points, height * points);
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, ""); // the same bytes every day
    break;
  case LIM_FIGURE_PNG:
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * DPI / INCH),
                                   (int)lround(height * DPI / INCH));
    break;
  }
  return s;
}

lim_code lim_canvas_start(lim_canvas *c, lim_text *out, lim_figure_format format, double width, double height,
                          lim_error *err) {
  *c = (lim_canvas){.format = format, .width = width, .height = height};
  lim_code code = lim_cairo_load(err);
  if (code != LIM_OK) return code;
  c->surface = new_surface(out, format, width, height);
  c->pen = cairo_create(c->surface);
  if (cairo_status(c->pen) != CAIRO_STATUS_SUCCESS)
    return LIM_FAIL(err, LIM_NO_MEMORY, "the figure cannot be drawn: %s",
                    cairo_status_to_string(cairo_status(c->pen)));
  double scale = (format == LIM_FIGURE_PNG ? DPI : 72) / INCH;
  cairo_scale(c->pen, scale, scale);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(c->pen, options);
  cairo_font_options_destroy(options);
  cairo_select_font_face(c->pen, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_line_cap(c->pen, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join(c->pen, CAIRO_LINE_JOIN_ROUND);
  lim_canvas_grey(c, 1);
  cairo_paint(c->pen);
  return LIM_OK;
}

// Three decimals are enough for paths, where cairo writes six: SVG files become a third smaller. In place.
static void shorten_svg(lim_text *t) {
  size_t n = 0;
  int decimals = -1; // of the number so far; < 0: before its point
  bool path = false; // inside d="..."
  for (size_t i = 0; i < t->length; i++) {
    char c = t->text[i];
    bool digit = c >= '0' && c <= '9';
    if (c == '"') path = !path && n >= 3 && !strncmp(t->text + n - 3, " d=", 3);
    decimals = c == '.' ? 0 : digit && decimals >= 0 ? decimals + 1 : -1;
    if (!path || decimals <= 3) t->text[n++] = c;
  }
  t->text[n] = 0;
  t->length = n;
}

lim_code lim_canvas_end(lim_canvas *c, lim_text *out, lim_error *err) {
  if (!c->pen) return LIM_IO; // it never began
  cairo_status_t status = cairo_status(c->pen);
  cairo_destroy(c->pen);
  if (status == CAIRO_STATUS_SUCCESS && c->format == LIM_FIGURE_PNG)
    status = cairo_surface_write_to_png_stream(c->surface, receive, out);
  cairo_surface_finish(c->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(c->surface);
  cairo_surface_destroy(c->surface);
  if (c->format == LIM_FIGURE_SVG && out->length) shorten_svg(out);
  if (status == CAIRO_STATUS_SUCCESS && !out->failed) return LIM_OK;
  return LIM_FAIL(err, status == CAIRO_STATUS_NO_MEMORY ? LIM_NO_MEMORY : LIM_FAILED,
                  "the figure cannot be drawn: %s", cairo_status_to_string(status));
}

// --- lines ---

void lim_canvas_grey(lim_canvas *c, double grey) { cairo_set_source_rgb(c->pen, grey, grey, grey); }

void lim_canvas_colour(lim_canvas *c, int colour) {
  unsigned x = colours[(unsigned)colour % (sizeof colours / sizeof *colours)];
  cairo_set_source_rgb(c->pen, (x >> 16) / 255.0, (x >> 8 & 255) / 255.0, (x & 255) / 255.0);
}

void lim_canvas_line(lim_canvas *c, const lim_point *p, long count, double thickness, int dash) {
  const double *d = dashes[(unsigned)dash % (sizeof dashes / sizeof *dashes)];
  int n = 0;
  while (n < 6 && d[n] > 0) n++;
  cairo_set_dash(c->pen, d, n, 0);
  cairo_set_line_width(c->pen, thickness);
  cairo_new_path(c->pen); // a text leaves a point
  for (long i = 0; i < count; i++) cairo_line_to(c->pen, p[i].x, p[i].y);
  cairo_stroke(c->pen);
  cairo_set_dash(c->pen, NULL, 0, 0);
}

void lim_canvas_segment(lim_canvas *c, double x1, double y1, double x2, double y2, double thickness) {
  const lim_point p[] = {{x1, y1}, {x2, y2}};
  lim_canvas_line(c, p, 2, thickness, 0);
}

void lim_canvas_dot(lim_canvas *c, double x, double y, double radius) {
  cairo_new_path(c->pen);
  cairo_arc(c->pen, x, y, radius, 0, 2 * M_PI);
  cairo_fill(c->pen);
}

void lim_canvas_clip(lim_canvas *c, double x, double y, double width, double height) {
  cairo_save(c->pen);
  cairo_rectangle(c->pen, x, y, width, height);
  cairo_clip(c->pen);
}

void lim_canvas_unclip(lim_canvas *c) { cairo_restore(c->pen); }

// --- texts ---

// At most LONGEST bytes that can be shown, in whole letters.
static void clean(char out[LONGEST], const char *text) {
  snprintf(out, LONGEST - 8, "%s", text);
  lim_text_clean(out);
}

static double width_of(lim_canvas *c, const char *text, double size) {
  cairo_text_extents_t e;
  cairo_set_font_size(c->pen, size);
  cairo_text_extents(c->pen, text, &e);
  return e.x_advance;
}

double lim_canvas_text_width(lim_canvas *c, const char *text, double size) {
  char shown[LONGEST];
  clean(shown, text);
  return width_of(c, shown, size);
}

// Take away characters of the text until the rest, an ellipsis and the tail fit.
static void fit(lim_canvas *c, char shown[2 * LONGEST], const char *text, const char *tail, double size,
                double buffer) {
  char end[LONGEST];
  clean(shown, text);
  clean(end, tail);
  size_t n = strlen(shown);
  snprintf(shown + n, 2 * LONGEST - n, "%s", end);
  while (n > 0 && width_of(c, shown, size) > buffer) {
    do n--;
    while (n > 0 && (shown[n] & 0xC0) == 0x80);
    snprintf(shown + n, 2 * LONGEST - n, "…%s", end);
  }
}

void lim_canvas_text(lim_canvas *c, double x, double y, const char *text, const char *tail, double size,
                     lim_align align, bool turned, double buffer) {
  char shown[2 * LONGEST];
  fit(c, shown, text, tail, size, buffer);
  double shift = align == LIM_ALIGN_LEFT ? 0 : width_of(c, shown, size) * (align == LIM_ALIGN_CENTRE ? 0.5 : 1);
  cairo_save(c->pen);
  cairo_translate(c->pen, x, y);
  if (turned) cairo_rotate(c->pen, -M_PI / 2);
  cairo_set_font_size(c->pen, size);
  cairo_move_to(c->pen, -shift, 0);
  cairo_show_text(c->pen, shown);
  cairo_restore(c->pen);
}
