// options.c - the command line.
#include "base/error.h"
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;  // long name
  char letter;       // short name, or 0
  const char *value; // what follows it; NULL: nothing
  const char *help;
} option;

// Options every command understands, then those of some commands.
static const option options[] = {
    {"output", 'o', "PATH", "write the answer to PATH instead of standard output"},
    {"json", 0, NULL, "answer as one JSON object"},
    {"set", 0, "PATH=VALUE", "override an entry of the model: --set links.upper.beam.length='0.5 m'"},
    {"quiet", 'q', NULL, "nothing on standard output but JSON"},
    {"help", 'h', NULL, "show this"},
    {"version", 0, NULL, "show the version"},
    {"joints", 0, "free|locked|held", "how the joints are held (default: by their drives)"},
    {"count", 'n', "COUNT", "number of modes (default: 10)"},
    {"mode", 0, "MODE", "nonlinear, linear, quasi-static or rigid (default: the model's)"},
    {"error", 0, NULL, "repeat with half the step and a richer basis, and print the error of every number"},
    {"markdown", 0, NULL, "as the reference page of the documentation"},
};
enum { COMMON = 6, OPTIONS = sizeof options / sizeof *options };

static bool belongs(int i, const cli_command *command) {
  if (i < COMMON) return true;
  size_t n = strlen(options[i].name);
  const char *at = command ? strstr(command->options, options[i].name) : NULL;
  return at && (at[n] == 0 || at[n] == ' ') && (at == command->options || at[-1] == ' ');
}

static lim_code unknown_option(const char *arg, const cli_command *command, lim_error *err) {
  char name[64];
  snprintf(name, sizeof name, "%s", arg + strspn(arg, "-"));
  name[strcspn(name, "=")] = 0;
  lim_nearest near = lim_nearest_start(name);
  for (int i = 0; i < OPTIONS; i++)
    if (belongs(i, command)) lim_nearest_try(&near, options[i].name);
  if (near.best)
    return LIM_FAIL(err, LIM_BAD_INPUT, "unknown option '%.60s'; did you mean '--%s'?", arg, near.best);
  return LIM_FAIL(err, LIM_BAD_INPUT, "unknown option '%.60s'; see 'limber %s%s--help'", arg,
                  command ? command->name : "", command ? " " : "");
}

// Which option an argument is, and the value written into it ("--set=a=b", "-n5"); -1: none.
static int find_option(const char *arg, const cli_command *command, const char **value) {
  *value = NULL;
  for (int i = 0; i < OPTIONS; i++) {
    if (!belongs(i, command)) continue;
    size_t n = strlen(options[i].name);
    if (arg[1] == '-' && !strncmp(arg + 2, options[i].name, n) && (arg[2 + n] == 0 || arg[2 + n] == '=')) {
      if (arg[2 + n] == '=') *value = arg + 3 + n;
      return i;
    }
    if (arg[1] != '-' && options[i].letter && arg[1] == options[i].letter) {
      if (arg[2]) *value = arg + 2;
      return i;
    }
  }
  return -1;
}

static lim_code apply(cli_options *o, const char *name, const char *value, lim_error *err) {
  if (!strcmp(name, "output")) o->output = value;
  if (!strcmp(name, "json")) o->json = true;
  if (!strcmp(name, "quiet")) o->quiet = true;
  if (!strcmp(name, "help")) o->help = true;
  if (!strcmp(name, "version")) o->version = true;
  if (!strcmp(name, "markdown")) o->markdown = true;
  if (!strcmp(name, "mode")) {
    o->mode = value;
    if (strcmp(value, "nonlinear") && strcmp(value, "linear") && strcmp(value, "quasi-static") &&
        strcmp(value, "rigid"))
      return LIM_FAIL(err, LIM_BAD_INPUT, "--mode is '%.40s', must be nonlinear, linear, quasi-static or rigid",
                      value);
  }
  if (!strcmp(name, "error")) o->error = true;
  if (!strcmp(name, "joints")) {
    o->joints = value;
    if (strcmp(value, "free") && strcmp(value, "locked") && strcmp(value, "held"))
      return LIM_FAIL(err, LIM_BAD_INPUT, "--joints is '%.40s', must be free, locked or held", value);
  }
  if (!strcmp(name, "count")) {
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end || n < 1 || n > 10000)
      return LIM_FAIL(err, LIM_BAD_INPUT, "-n is '%.40s', must be a whole number from 1 to 10000", value);
    o->count = (int)n;
  }
  if (!strcmp(name, "set")) {
    if (o->nset == CLI_SETS_MAX) return LIM_FAIL(err, LIM_BAD_INPUT, "more than %d --set", CLI_SETS_MAX);
    o->set[o->nset++] = value;
  }
  return LIM_OK;
}

static lim_code option_at(cli_options *o, int *i, int argc, char **argv, lim_error *err) {
  const cli_command *command = o->command ? cli_find_command(o->command) : NULL;
  const char *arg = argv[*i], *value;
  int k = find_option(arg, command, &value);
  if (k < 0) return unknown_option(arg, command, err);
  if (!options[k].value && value) return LIM_FAIL(err, LIM_BAD_INPUT, "--%s takes no value", options[k].name);
  if (options[k].value && !value) {
    if (*i + 1 >= argc) return LIM_FAIL(err, LIM_BAD_INPUT, "%s needs %s after it", arg, options[k].value);
    value = argv[++*i];
  }
  return apply(o, options[k].name, value ? value : "", err);
}

static lim_code word_at(cli_options *o, const char *word, lim_error *err) {
  if (!o->command) {
    o->command = word;
    if (cli_find_command(word)) return LIM_OK;
    lim_nearest near = lim_nearest_start(word);
    for (const cli_command *c = cli_commands; c->name; c++) lim_nearest_try(&near, c->name);
    if (near.best)
      return LIM_FAIL(err, LIM_BAD_INPUT, "unknown command '%.40s'; did you mean '%s'?", word, near.best);
    return LIM_FAIL(err, LIM_BAD_INPUT, "unknown command '%.40s'; 'limber --help' lists them", word);
  }
  if (o->model || !cli_find_command(o->command)->needs_model)
    return LIM_FAIL(err, LIM_BAD_INPUT, "unexpected argument '%.60s'", word);
  o->model = word;
  return LIM_OK;
}

lim_code cli_parse(cli_options *o, int argc, char **argv, lim_error *err) {
  *o = (cli_options){.count = 10};
  bool words_only = false;
  for (int i = 1; i < argc; i++) {
    bool dash = argv[i][0] == '-' && argv[i][1] && !words_only;
    lim_code code = LIM_OK;
    if (dash && !strcmp(argv[i], "--"))
      words_only = true;
    else
      code = dash ? option_at(o, &i, argc, argv, err) : word_at(o, argv[i], err);
    if (code != LIM_OK) return code;
  }
  if (o->help || o->version) return LIM_OK;
  if (!o->command) return LIM_FAIL(err, LIM_BAD_INPUT, "no command; 'limber --help' lists them");
  if (cli_find_command(o->command)->needs_model && !o->model)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%s needs a model file: limber %s MODEL", o->command, o->command);
  return LIM_OK;
}

bool cli_in_words(const cli_options *o) { return !o->json && (!o->quiet || o->output); }

void cli_print_usage(lim_text *out) {
  lim_text_add(
      out, "limber %s - flexible manipulators from one model file\n\nusage: limber COMMAND MODEL [options]\n\n",
      LIM_VERSION);
  for (const cli_command *c = cli_commands; c->name; c++)
    lim_text_add(out, "  %-10s%s\n", c->name, c->question);
  lim_text_add(out, "\n'limber COMMAND --help' shows the options of a command.\n");
}

void cli_print_help(lim_text *out, const cli_command *command) {
  lim_text_add(out, "limber %s%s%s [options]: %s\n\n", command->name, command->arguments[0] ? " " : "",
               command->arguments, command->question);
  for (int i = 0; i < OPTIONS; i++) {
    if (!belongs(i, command)) continue;
    char left[64], letter[8] = "";
    if (options[i].letter) snprintf(letter, sizeof letter, "-%c, ", options[i].letter);
    snprintf(left, sizeof left, "%s--%s %s", letter, options[i].name, options[i].value ? options[i].value : "");
    bool folder = options[i].letter == 'o' && command->fills_folder;
    lim_text_add(out, "  %-28s %s\n", left,
                 folder ? "write channels.csv, result.h5 and summary.json into the folder PATH"
                        : options[i].help);
  }
}
