// main.c - limber COMMAND MODEL [options].
#include "base/error.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER "report.html, result.h5 and summary.json into the folder PATH"

const cli_command cli_commands[] = {
    {"check", "is this model valid, and what is in it?", "MODEL", "", 1, CLI_FILE, NULL, cli_check},
    {"static", "where does the arm rest under gravity and loads?", "MODEL", "", 1, CLI_EITHER, FOLDER,
     cli_static},
    {"modes", "what are its natural frequencies, damping ratios and mode shapes?", "MODEL", "joints count", 1,
     CLI_EITHER, FOLDER, cli_modes},
    {"simulate", "how does it move in time?", "MODEL", "mode error settle", 1, CLI_FOLDER,
     "channels.csv, " FOLDER, cli_simulate},
    {"inverse", "which efforts make the commanded motion, and how much of them does flexibility cause?",
     "MODEL", "", 1, CLI_FILE, NULL, cli_inverse},
    {"inertia", "which inertia does each joint accelerate, seen from the joint and from its motor?", "MODEL",
     "route along at", 1, CLI_FILE, "the answer to PATH; one that ends with .csv gets a column per joint",
     cli_inertia},
    {"ik", "which joint positions put a frame at a pose (without one: where is it, and how do joints move it)?",
     "MODEL", "frame position rpy near all deformed hold rest tolerance joints", 1, CLI_FILE, NULL, cli_ik},
    {"generate", "what are its equations (stand-alone C, fast)?", "MODEL", "keep fmu no-binary", 1, CLI_FOLDER,
     "NAME.h, NAME.c, main.c and README into the folder PATH, or an FMU to it", cli_generate},
    {"report", "what do results look like (one HTML file: 3-D animation, plots, tables)?", "RESULT...", "",
     CLI_WORDS_MAX, CLI_OWN, "the page to PATH (default: report.html beside the result)", cli_report},
    {"plot", "what do channels look like (a figure for print)?", "RESULT... CHANNEL...",
     "against from to stack label title size log", CLI_WORDS_MAX, CLI_OWN,
     "the figure to PATH, which ends with .svg, .png or .pdf", cli_plot},
    {"spectrum", "which frequencies are in a recorded channel (spectral density, peaks)?", "RESULT",
     "channel window detrend segments overlap from to peaks title size", 1, CLI_OWN,
     "the density to PATH: a table (.csv) or a figure (.svg, .png, .pdf)", cli_spectrum},
    {"schema", "what may stand in a model file (JSON Schema, for editors)?", "", "markdown", 0, CLI_FILE, NULL,
     cli_schema},
    {0},
};

const cli_command *cli_find_command(const char *name) {
  for (const cli_command *c = cli_commands; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

// Whether two names are of one file.
static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return a && b && !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool overwrites(const cli_options *o) {
  for (int i = 0; i < o->nword; i++)
    if (same_file(o->word[i], o->output)) return true;
  return false;
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
  else if (overwrites(&o))
    code = LIM_FAIL(err, LIM_BAD_INPUT, "-o %s would overwrite what is read", o.output);
  else {
    *path = o.folder || command->output == CLI_OWN ? NULL : o.output;
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
