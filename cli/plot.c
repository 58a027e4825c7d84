// api/plot.c - limber plot: figures of recorded channels and of tables.
#include "cli.h"

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_answer *a;
  lim_plot_options look = o->plot;
  look.label = o->label;
  lim_code code = lim_result_plot(&a, o->word, o->nword, o->output, &look, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  lim_answer_free(a);
  return code;
}

const cli_command cli_plot = {
    .name = "plot",
    .question = "what do channels look like (a figure for print)?",
    .arguments = "RESULT... CHANNEL...",
    .options = "against from to stack label title size log",
    .words = CLI_WORDS_MAX,
    .output = CLI_OWN,
    .writes = "the figure to PATH, which ends with .svg, .png or .pdf",
    .run = run,
};
