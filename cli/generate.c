// generate.c - limber generate: the model as fast stand-alone C.
#include "cli.h"

static void as_table(cli_text *out, const char *title, const lim_answer *a, const char *path, int fmu) {
  static const char *const head[] = {"operations", "trig", "add", "mul", "div", "sqrt"};
  const char *name = lim_answer_text(a, "name");
  cli_add(out, "%s: %.0f coordinates, %.0f inputs\n\n", title, lim_answer_number(a, "coordinates"),
          lim_answer_number(a, "inputs"));
  cli_table t = cli_table_start("lrrrrr");
  for (int i = 0; i < 6; i++) cli_table_cell(&t, "%s", head[i]);
  for (int f = 0; f < lim_answer_count(a, "functions"); f++) {
    cli_table_cell(&t, "%s", lim_answer_key(a, "functions", f));
    for (int i = 1; i < 6; i++)
      cli_table_cell(&t, "%.0f", lim_answer_number(lim_answer_item(a, "functions", f), head[i]));
  }
  cli_table_end(&t, out);
  if (fmu)
    cli_add(out, "\nwritten to %s: FMI %d.0, model exchange and co-simulation\n", path, fmu);
  else
    cli_add(out, "\nwritten to %s: %s.h, %s.c, main.c, README\n", path, name, name);
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_model *m = NULL;
  lim_answer *a = NULL;
  lim_generate_options options = lim_generate_options_default();
  options.output = o->output;
  options.keep = o->keep;
  options.nkeep = o->nkeep;
  options.fmu = o->fmu;
  options.no_binary = o->no_binary;
  lim_code code = cli_load(&m, o, err);
  if (code == LIM_OK) code = lim_model_generate(&a, m, &options, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, lim_model_name(m), a, o->output, o->fmu);
  lim_answer_free(a);
  lim_model_free(m);
  return code;
}

const cli_command cli_generate = {
    .name = "generate",
    .question = "what are its equations (stand-alone C, fast)?",
    .arguments = "MODEL",
    .options = "keep fmu no-binary allow",
    .words = 1,
    .output = CLI_FOLDER,
    .writes = "NAME.h, NAME.c, main.c and README into the folder PATH, or an FMU to it",
    .run = run,
};
