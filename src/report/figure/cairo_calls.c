// cairo_calls.c - the table of cairo's functions.
#include "report/figure/cairo_calls.h"

lim_cairo_calls lim_cairo;

static const char *const names[] = {LIM_CAIRO_CALLS(LIM_LIBRARY_NAME)};

static lim_library library = {"cairo", LIM_CAIRO_FILE, names, sizeof names / sizeof *names,
                              0,       &lim_cairo,     false};

lim_code lim_cairo_load(lim_error *err) { return lim_library_load(&library, err); }
