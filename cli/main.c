// main.c - limber COMMAND MODEL [options].
#include "base/error.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const cli_command cli_commands[] = {
    {"check", "is this model valid, and what is in it?", "MODEL", "", true, false, cli_check},
    {"static", "where does the arm rest under gravity and loads?", "MODEL", "", true, false, cli_static},
    {"modes", "what are its natural frequencies, damping ratios and mode shapes?", "MODEL", "joints count",
     true, false, cli_modes},
    {"simulate", "how does it move in time?", "MODEL", "mode error", true, true, cli_simulate},
    {"inverse", "which efforts make the commanded motion, and how much of them does flexibility cause?",
     "MODEL", "", true, false, cli_inverse},
    {"schema", "what may stand in a model file (JSON Schema, for editors)?", "", "markdown", false, false,
     cli_schema},
    {0},
};

const cli_command *cli_find_command(const char *name) {
  for (const cli_command *c = cli_commands; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

// Whether -o would overwrite the model.
static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return a && b && !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static lim_code answer(lim_text *out, int argc, char **argv, const char **path, lim_error *err) {
  cli_options o;
  lim_code code = cli_parse(&o, argc, argv, err);
  if (code != LIM_OK) return code;
  const cli_command *command = o.command ? cli_find_command(o.command) : NULL;
  if (o.version)
    lim_text_add(out, "limber %s\n", LIM_VERSION);
  else if (!command)
    cli_print_usage(out);
  else if (o.help)
    cli_print_help(out, command);
  else if (same_file(o.model, o.output))
    code = LIM_FAIL(err, LIM_BAD_INPUT, "-o %s would overwrite the model", o.output);
  else {
    *path = command->fills_folder ? NULL : o.output;
    code = command->run(out, &o, err);
  }
  if (code == LIM_OK && out->failed) code = LIM_NO_MEMORY;
  return code;
}

int main(int argc, char **argv) {
  lim_error err = {0};
  lim_text out = {0};
  const char *path = NULL;
  lim_code code = answer(&out, argc, argv, &path, &err);
  if (code == LIM_OK || out.length) { // a run that failed still tells what it has
    lim_code written = cli_write(&out, path, &err);
    if (code == LIM_OK) code = written;
  }
  cli_print_errors(&err);
  lim_error_clear(&err);
  lim_text_free(&out);
  return code == LIM_NO_MEMORY ? LIM_FAILED : (int)code;
}
