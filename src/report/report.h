// report.h - one HTML file that shows results: the page of viewer/ with data in it. Layout: viewer/README.md.
#ifndef LIM_REPORT_REPORT_H
#define LIM_REPORT_REPORT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

enum { LIM_REPORT_FRAMES = 1000, LIM_REPORT_ROWS = 4000 }; // at most, of the animation and of a channel

typedef struct {
  const char *label, *kind, *name, *status, *path;
} lim_report_run;

typedef struct {
  lim_arena arena; // owns the texts of run
  int count;
  lim_report_run *run; // (count)
  lim_text html;
} lim_report;

// From folders of results, or their result.h5. LIM_IO: one cannot be read; LIM_BAD_INPUT: it is of another
// version.
lim_code lim_report_new(lim_report **out, const char *const *path, int count, lim_error *err);
void lim_report_free(lim_report *r);

// DIR/report.html of the result in DIR, whole or not at all. Other runs are kept out of DIR meanwhile.
lim_code lim_report_write(const lim_report *r, const char *directory, lim_error *err);

// Both at once.
lim_code lim_report_folder(const char *directory, lim_error *err);

#endif
