// canvas.h - a sheet of paper in millimetres, by cairo: lines and texts; SVG, PNG, PDF. Inside src/report only.
#ifndef LIM_REPORT_FIGURE_CANVAS_H
#define LIM_REPORT_FIGURE_CANVAS_H

#include "base/error.h"
#include "base/text.h"
#include "report/figure/figure.h"
#include "report/figure/simplify.h"

typedef struct {
  lim_figure_format format;
  double width, height; // [mm]
  void *surface, *pen;  // cairo_surface_t, cairo_t
} lim_canvas;

typedef enum { LIM_ALIGN_LEFT, LIM_ALIGN_CENTRE, LIM_ALIGN_RIGHT } lim_align;

// The bytes of the file come into out; out must stay where it is. End it always, also after a failure.
lim_code lim_canvas_start(lim_canvas *c, lim_text *out, lim_figure_format format, double width, double height,
                          lim_error *err);
lim_code lim_canvas_end(lim_canvas *c, lim_text *out, lim_error *err);

// Grey from 0 (black) to 1, or one of the colours of curves (Okabe and Ito), which repeat.
void lim_canvas_grey(lim_canvas *c, double grey);
void lim_canvas_colour(lim_canvas *c, int colour);

// dash: 0 solid, then patterns that repeat.
void lim_canvas_line(lim_canvas *c, const lim_point *p, long count, double thickness, int dash);
void lim_canvas_segment(lim_canvas *c, double x1, double y1, double x2, double y2, double thickness);
void lim_canvas_dot(lim_canvas *c, double x, double y, double radius);
void lim_canvas_clip(lim_canvas *c, double x, double y, double width, double height);
void lim_canvas_unclip(lim_canvas *c);

// size: of the letters [mm]. What is wider than `room` ends with an ellipsis, which leaves out nothing of
// `tail`. Turned: upwards.
double lim_canvas_text_width(lim_canvas *c, const char *text, double size);
void lim_canvas_text(lim_canvas *c, double x, double y, const char *text, const char *tail, double size,
                     lim_align align, bool turned, double buffer);

#endif
