// report.c - limber report: results as one HTML file.
#include "cli.h"

static void as_words(cli_text *out, const lim_answer *a) {
  static const char *const head[] = {"label", "kind", "status", "model"};
  cli_add(out, "written to %s (%.1f MB)\n\n", lim_answer_text(a, "report"),
          1e-6 * lim_answer_number(a, "bytes"));
  cli_table t = cli_table_start("llll");
  for (int i = 0; i < 4; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(a, "runs"); i++)
    for (int k = 0; k < 4; k++)
      cli_table_cell(&t, "%s", lim_answer_text(lim_answer_item(a, "runs", i), head[k]));
  cli_table_end(&t, out);
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_answer *a;
  if (o->nset) return cli_fail(err, LIM_BAD_INPUT, "report takes no --set: the model has run already");
  lim_code code = lim_result_report(&a, o->word, o->nword, o->output, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && !o->json && !o->quiet) as_words(out, a);
  lim_answer_free(a);
  return code;
}

const cli_command cli_report = {
    .name = "report",
    .question = "what do results look like (one HTML file: 3-D animation, plots, tables)?",
    .arguments = "RESULT...",
    .options = "",
    .words = CLI_WORDS_MAX,
    .output = CLI_OWN,
    .writes = "the page to PATH (default: report.html beside the result)",
    .run = run,
};
