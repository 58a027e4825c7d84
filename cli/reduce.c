// reduce.c - limber reduce: links from finite elements, once for all.
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// "5.9e-05 %": the largest error of the lowest frequencies with base held.
static void error_of(char buffer[CLI_CELL], const lim_answer *x) {
  int n, m;
  const double *whole = lim_answer_array(x, "clamped_frequencies_hz", &n);
  const double *kept = lim_answer_array(x, "reduced_frequencies_hz", &m);
  double worst = 0;
  for (int i = 0; i < 3 && i < n && i < m; i++) worst = fmax(worst, fabs(kept[i] / whole[i] - 1));
  snprintf(buffer, CLI_CELL, "-");
  if (n && m) snprintf(buffer, CLI_CELL, "%.1g %%", worst < 1e-12 ? 0 : 100 * worst);
}

// "0, 88, 88 %": share of the mass that the modes carry along x, y, z.
static void share_of(char buffer[CLI_CELL], const lim_answer *x) {
  const double *share = lim_answer_array(x, "modal_mass", NULL);
  snprintf(buffer, CLI_CELL, "-");
  if (share && !isnan(share[0] + share[1] + share[2]))
    snprintf(buffer, CLI_CELL, "%.0f, %.0f, %.0f %%", 100 * share[0], 100 * share[1], 100 * share[2]);
}

static void row(cli_table *t, const char *name, const lim_answer *x) {
  char buffer[CLI_CELL];
  const double dofs = lim_answer_number(x, "dofs"), out = lim_answer_number(x, "left_out_hz");
  cli_table_cell(t, "%s", name);
  if (dofs > 0)
    cli_table_cell(t, "%.0f", dofs);
  else
    cli_table_cell(t, "-");
  cli_table_cell(t, "%.0f", lim_answer_number(x, "frames"));
  cli_table_cell(t, "%.0f", lim_answer_number(x, "modes"));
  cli_table_cell(t, "%.0f", lim_answer_number(x, "coordinates"));
  cli_table_cell(t, "%s", cli_quantity(buffer, lim_answer_number(x, "mass"), "kg"));
  cli_table_cell(t, "%s", isnan(out) ? "-" : cli_quantity(buffer, out, "Hz"));
  share_of(buffer, x);
  cli_table_cell(t, "%s", buffer);
  error_of(buffer, x);
  cli_table_cell(t, "%s", buffer);
}

static void as_table(cli_text *out, const lim_answer *a, const char *title) {
  static const char *const head[] = {"link", "freedoms",      "frames",        "modes", "coordinates",
                                     "mass", "left out from", "mass in modes", "error"};
  cli_add(out, "%s\n\n", title);
  cli_table t = cli_table_start("lrrrrrrrr");
  for (int i = 0; i < 9; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(a, "links"); i++)
    row(&t, lim_answer_key(a, "links", i), lim_answer_item(a, "links", i));
  cli_table_end(&t, out);
  cli_add(out, "\n");
  for (int i = 0; i < lim_answer_count(a, "links"); i++) {
    const lim_answer *x = lim_answer_item(a, "links", i);
    cli_add(out, "  %s: %s%s\n", lim_answer_key(a, "links", i), lim_answer_text(x, "file"),
            lim_answer_number(x, "written") != 0 ? "" : ", reduced before and left as it is");
  }
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_model *model = NULL;
  lim_answer *a = NULL;
  lim_reduce_options options = lim_reduce_options_default();
  options.folder = o->output;
  if (!o->output) return cli_fail(err, LIM_BAD_INPUT, "reduce needs a folder for the reduced links: -o DIR");
  lim_code code = cli_load(&model, o, err);
  if (code == LIM_OK) code = lim_model_reduce(&a, model, &options, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, a, lim_model_name(model));
  lim_answer_free(a);
  lim_model_free(model);
  return code;
}

const cli_command cli_reduce = {
    .name = "reduce",
    .question = "what is left of links from finite elements, in files that load at once?",
    .arguments = "MODEL",
    .options = "allow",
    .words = 1,
    .output = CLI_FOLDER,
    .writes = "LINK.h5 of each link from finite elements into the folder PATH",
    .run = run,
};
