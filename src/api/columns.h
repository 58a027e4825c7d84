// columns.h - channels and rows of a result, as plot and spectrum ask for them. Inside src/api
// only.
#ifndef LIM_API_COLUMNS_H
#define LIM_API_COLUMNS_H

#include "base/text.h"
#include "report/table.h"

// Rows between o->from and o->to of the first column, which is the time of a result.
lim_code lim_columns_rows(long *first, long *rows, const lim_result_table *t, const lim_plot_options *o,
                          lim_error *err);

// "t, tip.position.x, ..."
void lim_columns_list(lim_text *list, const lim_result_table *t);

// The message about a name that none of the tables (count) has; fails always.
lim_code lim_columns_unknown(const char *word, const lim_result_table *table, int count, lim_error *err);

// A figure of a size that can be drawn.
lim_code lim_columns_look(const lim_plot_options *o, lim_error *err);

#endif
