// schema.c - limber schema: what may stand in a model file.
#include "cli.h"

enum { MARKDOWN, UNITS };

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_answer *a;
  lim_code code = o->own[UNITS]      ? lim_units_page(&a, err)
                  : o->own[MARKDOWN] ? lim_schema_page(&a, err)
                                     : lim_schema(&a, err);
  if (code == LIM_OK && (o->own[UNITS] || o->own[MARKDOWN]))
    cli_add(out, "%s", lim_answer_text(a, NULL));
  else if (code == LIM_OK)
    cli_say_json(out, a);
  lim_answer_free(a);
  return code;
}

const cli_command cli_schema = {
    .name = "schema",
    .question = "what may stand in a model file (JSON Schema, for editors)?",
    .arguments = "",
    .options = "",
    .own = {[MARKDOWN] = {"markdown", 0, NULL, "as the reference page of the documentation"},
            [UNITS] = {"units", 0, NULL, "all units that numbers may bear, as a page of the documentation"}},
    .words = 0,
    .output = CLI_FILE,
    .run = run,
};
