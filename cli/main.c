// main.c - limber COMMAND MODEL [options].
#include "cli.h"

#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {
#define ROW(command) &cli_##command,
#include "commands.def"
#undef ROW
    NULL,
};

const cli_command *cli_find_command(const char *name) {
  for (const cli_command *const *c = cli_commands; *c; c++)
    if (!strcmp((*c)->name, name)) return *c;
  return NULL;
}

static lim_code answer(cli_text *out, int argc, char **argv, const char **path, lim_error *err) {
  cli_options o;
  lim_code code = cli_parse(&o, argc, argv, err);
  if (code != LIM_OK) return code;
  const cli_command *command = o.command ? cli_find_command(o.command) : NULL;
  if (o.version)
    cli_add(out, "limber %s\n", LIM_VERSION);
  else if (!command)
    cli_print_usage(out);
  else if (o.help)
    cli_print_help(out, command);
  else if ((code = cli_guard(&o, err)) == LIM_OK) {
    *path = o.folder || command->output == CLI_OWN ? NULL : o.output;
    code = command->run(out, &o, err);
    if (out->length && cli_in_words(&o))
      cli_say_warnings(out, err);
    else
      cli_print_warnings(err);
  }
  if (out->failed) code = cli_fail(err, LIM_NO_MEMORY, "out of memory");
  return code;
}

int main(int argc, char **argv) {
  lim_error err = {0};
  cli_text out = {0};
  const char *path = NULL;
  lim_use_one_thread();
  lim_code code = answer(&out, argc, argv, &path, &err);
  if (!out.failed && (code == LIM_OK || out.length)) { // a run that failed still tells what it has
    lim_code written = cli_write(&out, path, &err);
    if (code == LIM_OK) code = written;
  }
  if (code == LIM_OK && err.count) code = err.code; // a warning is lost
  if (code != LIM_OK && !err.count)
    cli_fail(&err, code, "%s",
             code == LIM_NO_MEMORY ? "out of memory" : "failed for a reason that is not known");
  cli_print_errors(&err);
  lim_error_clear(&err);
  cli_text_free(&out);
  return code == LIM_NO_MEMORY ? LIM_FAILED : (int)code;
}
