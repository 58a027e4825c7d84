// names.h - channels and rows of a result, as plot and spectrum ask for them.
#ifndef LIM_CLI_NAMES_H
#define LIM_CLI_NAMES_H

#include "cli.h"
#include "report/table.h"

// Rows between --from and --to of the first column, which is the time of a result.
lim_code cli_rows_between(long *first, long *rows, const lim_table *t, const cli_options *o, lim_error *err);

// "t, tip.position.x, ..."
void cli_list_names(lim_text *list, const lim_table *t);

// The message about a name that none of the tables (count) has; fails always.
lim_code cli_unknown_channel(const char *word, const lim_table *table, int count, lim_error *err);

#endif
