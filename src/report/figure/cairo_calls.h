// cairo_calls.h - cairo, loaded when it is first needed (base/library/library.h): include this instead of its
// headers. Inside src/report only.
#ifndef LIM_REPORT_FIGURE_CAIRO_CALLS_H
#define LIM_REPORT_FIGURE_CAIRO_CALLS_H

#include "base/library/library.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

// clang-format off
#define LIM_CAIRO_CALLS(X)                                                                                    \
  X(cairo_arc) X(cairo_clip) X(cairo_create) X(cairo_destroy) X(cairo_fill) X(cairo_font_options_create)      \
  X(cairo_font_options_destroy) X(cairo_font_options_set_antialias) X(cairo_font_options_set_hint_metrics)    \
  X(cairo_font_options_set_hint_style) X(cairo_image_surface_create) X(cairo_line_to) X(cairo_move_to)        \
  X(cairo_new_path) X(cairo_paint) X(cairo_pdf_surface_create_for_stream) X(cairo_pdf_surface_set_metadata)   \
  X(cairo_rectangle) X(cairo_restore) X(cairo_rotate) X(cairo_save) X(cairo_scale)                            \
  X(cairo_select_font_face) X(cairo_set_dash) X(cairo_set_font_options) X(cairo_set_font_size)                \
  X(cairo_set_line_cap) X(cairo_set_line_join) X(cairo_set_line_width) X(cairo_set_source_rgb)                \
  X(cairo_show_text) X(cairo_status) X(cairo_status_to_string) X(cairo_stroke) X(cairo_surface_destroy)       \
  X(cairo_surface_finish) X(cairo_surface_status) X(cairo_surface_write_to_png_stream)                        \
  X(cairo_svg_surface_create_for_stream) X(cairo_text_extents) X(cairo_translate)
// clang-format on

typedef struct {
  LIM_CAIRO_CALLS(LIM_LIBRARY_POINTER)
} lim_cairo_calls;

extern lim_cairo_calls lim_cairo;

// Before anything else of cairo. LIM_IO: it is not on this machine.
lim_code lim_cairo_load(lim_error *err);

#define cairo_arc                           (*lim_cairo.cairo_arc)
#define cairo_clip                          (*lim_cairo.cairo_clip)
#define cairo_create                        (*lim_cairo.cairo_create)
#define cairo_destroy                       (*lim_cairo.cairo_destroy)
#define cairo_fill                          (*lim_cairo.cairo_fill)
#define cairo_font_options_create           (*lim_cairo.cairo_font_options_create)
#define cairo_font_options_destroy          (*lim_cairo.cairo_font_options_destroy)
#define cairo_font_options_set_antialias    (*lim_cairo.cairo_font_options_set_antialias)
#define cairo_font_options_set_hint_metrics (*lim_cairo.cairo_font_options_set_hint_metrics)
#define cairo_font_options_set_hint_style   (*lim_cairo.cairo_font_options_set_hint_style)
#define cairo_image_surface_create          (*lim_cairo.cairo_image_surface_create)
#define cairo_line_to                       (*lim_cairo.cairo_line_to)
#define cairo_move_to                       (*lim_cairo.cairo_move_to)
#define cairo_new_path                      (*lim_cairo.cairo_new_path)
#define cairo_paint                         (*lim_cairo.cairo_paint)
#define cairo_pdf_surface_create_for_stream (*lim_cairo.cairo_pdf_surface_create_for_stream)
#define cairo_pdf_surface_set_metadata      (*lim_cairo.cairo_pdf_surface_set_metadata)
#define cairo_rectangle                     (*lim_cairo.cairo_rectangle)
#define cairo_restore                       (*lim_cairo.cairo_restore)
#define cairo_rotate                        (*lim_cairo.cairo_rotate)
#define cairo_save                          (*lim_cairo.cairo_save)
#define cairo_scale                         (*lim_cairo.cairo_scale)
#define cairo_select_font_face              (*lim_cairo.cairo_select_font_face)
#define cairo_set_dash                      (*lim_cairo.cairo_set_dash)
#define cairo_set_font_options              (*lim_cairo.cairo_set_font_options)
#define cairo_set_font_size                 (*lim_cairo.cairo_set_font_size)
#define cairo_set_line_cap                  (*lim_cairo.cairo_set_line_cap)
#define cairo_set_line_join                 (*lim_cairo.cairo_set_line_join)
#define cairo_set_line_width                (*lim_cairo.cairo_set_line_width)
#define cairo_set_source_rgb                (*lim_cairo.cairo_set_source_rgb)
#define cairo_show_text                     (*lim_cairo.cairo_show_text)
#define cairo_status                        (*lim_cairo.cairo_status)
#define cairo_status_to_string              (*lim_cairo.cairo_status_to_string)
#define cairo_stroke                        (*lim_cairo.cairo_stroke)
#define cairo_surface_destroy               (*lim_cairo.cairo_surface_destroy)
#define cairo_surface_finish                (*lim_cairo.cairo_surface_finish)
#define cairo_surface_status                (*lim_cairo.cairo_surface_status)
#define cairo_surface_write_to_png_stream   (*lim_cairo.cairo_surface_write_to_png_stream)
#define cairo_svg_surface_create_for_stream (*lim_cairo.cairo_svg_surface_create_for_stream)
#define cairo_text_extents                  (*lim_cairo.cairo_text_extents)
#define cairo_translate                     (*lim_cairo.cairo_translate)

#endif
