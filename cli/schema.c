// schema.c - limber schema: what may stand in a model file.
#include "model/schema.h"
#include "cli.h"

lim_code cli_schema(lim_text *out, const cli_options *o, lim_error *err) {
  (void)err;
  if (o->markdown)
    lim_schema_markdown(out);
  else
    lim_schema_json(out);
  return LIM_OK;
}
