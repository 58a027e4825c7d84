// options.c - the command line.
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Options every command understands, then those of some commands.
static const cli_option options[] = {
    {"output", 'o', "PATH", "write the answer to PATH instead of standard output"},
    {"json", 0, NULL, "answer as one JSON object"},
    {"set", 0, "PATH=VALUE",
     "override an entry of the model: --set links.upper.beam.length='0.5 m'; null removes it"},
    {"quiet", 'q', NULL, "nothing on standard output but JSON"},
    {"help", 'h', NULL, "show this"},
    {"version", 0, NULL, "show the version"},
    {"allow", 0, "DIR", "let the model read files in DIR, outside its own folder; repeatable"},
    {"joints", 0, "free|locked|held", "how the joints are held (default: by their drives)", "modes"},
    {"joints", 0, "NAME=VALUE,...", "the posture whose pose and Jacobian are asked for", "ik"},
    {"count", 'n', "COUNT", "number of modes (default: 10)"},
    {"mode", 0, "MODE", "nonlinear, linear, conventional, quasi-static or rigid (default: the model's)"},
    {"error", 0, NULL, "repeat in finer steps and with richer bases, and print the error of every number"},
    {"settle", 0, "BAND",
     "in which the tool counts as settled: '5 %' of its peak error, or '0.1 mm' (default: '2 %')"},
    {"frame", 0, "NAME",
     "the frame: tip, LINK.tip, LINK.base or one of the model's (default: the tool of the model)"},
    {"position", 0, "X,Y,Z", "where it shall be, world axes: 0.5,0,'200 mm'"},
    {"rpy", 0, "R,P,Y", "how it shall be turned: roll, pitch, yaw about fixed axes (default: any way)"},
    {"near", 0, "NAME=VALUE,...", "the posture to stay near to (default: the configuration)"},
    {"hold", 0, "NAME,...", "joints that stay where they are"},
    {"rest", 0, "near|middle",
     "what more joints than needed prefer: --near, or the middle of limits (default: near)"},
    {"tolerance", 0, "LENGTH", "what may be left of the way; of rotations the same in rad (default: 1e-9 m)"},
    {"all", 0, NULL, "all solutions, the nearest first"},
    {"deformed", 0, NULL, "the arm as gravity and loads bend it, instead of the undeformed one"},
    {"fmu", 0, "2|3", "an FMU of this version of FMI, into the file PATH, instead of a folder of C"},
    {"no-binary", 0, NULL, "an FMU of sources only, for which no C compiler is needed"},
    {"keep", 0, "PATH", "a number that stays adjustable, such as links.upper.masses.payload.mass; repeatable"},
    {"channel", 0, "NAME", "the channel to transform, such as tip.error.y"},
    {"window", 0, "WINDOW", "hann, hamming, blackman, rectangular or flattop (default: hann)"},
    {"detrend", 0, "none|mean|linear", "what is taken from every segment (default: mean)"},
    {"segments", 0, "COUNT", "segments that are averaged (default: 1)"},
    {"overlap", 0, "SHARE", "of neighbouring segments, 0 to 0.95 (default: 0.5)"},
    {"peaks", 0, "COUNT", "peaks to list at most (default: 5)"},
    {"against", 0, "CHANNEL", "what the horizontal axis shows instead of time"},
    {"from", 0, "TIME", "leave out what was before, in seconds"},
    {"to", 0, "TIME", "leave out what was after"},
    {"stack", 0, NULL, "a panel for every channel instead of one for every unit"},
    {"label", 0, "TEXT", "what the legend calls a result, in their order; repeatable"},
    {"title", 0, "TEXT", "above the figure"},
    {"size", 0, "WxH", "width and height in mm, or the width alone (default: 88)"},
    {"log", 0, "x|y|xy", "logarithmic axes"},
};
enum { COMMON = 6, OPTIONS = sizeof options / sizeof *options, ALL = OPTIONS + CLI_OWN_MAX };

static bool belongs(int i, const cli_command *command) {
  if (i < COMMON) return true;
  if (options[i].only && command && strcmp(options[i].only, command->name)) return false;
  size_t n = strlen(options[i].name), length;
  for (const char *at = command ? command->options : ""; *at; at += length + strspn(at + length, " ")) {
    length = strcspn(at, " ");
    if (length == n && !strncmp(at, options[i].name, n)) return true;
  }
  return false;
}

// Option i of a command, then those that it has alone; NULL: it has none of this number.
static const cli_option *option_of(const cli_command *command, int i) {
  if (i < OPTIONS) return belongs(i, command) ? &options[i] : NULL;
  return command && command->own[i - OPTIONS].name ? &command->own[i - OPTIONS] : NULL;
}

static lim_code unknown_option(const char *arg, const cli_command *command, lim_error *err) {
  char name[64];
  snprintf(name, sizeof name, "%s", arg + strspn(arg, "-"));
  name[strcspn(name, "=")] = 0;
  const char *list[ALL];
  int n = 0;
  for (int i = 0; i < ALL; i++)
    if (option_of(command, i)) list[n++] = option_of(command, i)->name;
  const char *near = lim_word_nearest(name, list, n);
  if (near) return cli_fail(err, LIM_BAD_INPUT, "unknown option '%.60s'; did you mean '--%s'?", arg, near);
  return cli_fail(err, LIM_BAD_INPUT, "unknown option '%.60s'; see 'limber %s%s--help'", arg,
                  command ? command->name : "", command ? " " : "");
}

// Which option an argument is, and the value written into it ("--set=a=b", "-n5"); -1: none.
static int find_option(const char *arg, const cli_command *command, const char **value) {
  *value = NULL;
  for (int i = 0; i < ALL; i++) {
    const cli_option *x = option_of(command, i);
    if (!x) continue;
    size_t n = strlen(x->name);
    if (arg[1] == '-' && !strncmp(arg + 2, x->name, n) && (arg[2 + n] == 0 || arg[2 + n] == '=')) {
      if (arg[2 + n] == '=') *value = arg + 3 + n;
      return i;
    }
    if (arg[1] != '-' && x->letter && arg[1] == x->letter) {
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
  if (!strcmp(name, "no-binary")) o->no_binary = true;
  if (!strcmp(name, "fmu")) {
    o->fmu = !strcmp(value, "2") ? 2 : !strcmp(value, "3") ? 3 : 0;
    if (!o->fmu) return cli_fail(err, LIM_BAD_INPUT, "--fmu is '%.40s', must be 2 or 3", value);
  }
  if (!strcmp(name, "mode")) {
    o->mode = value;
    if (strcmp(value, "nonlinear") && strcmp(value, "linear") && strcmp(value, "quasi-static") &&
        strcmp(value, "rigid") && strcmp(value, "conventional"))
      return cli_fail(err, LIM_BAD_INPUT,
                      "--mode is '%.40s', must be nonlinear, linear, conventional, quasi-static or rigid",
                      value);
  }
  if (!strcmp(name, "error")) o->error = true;
  if (!strcmp(name, "keep")) {
    if (o->nkeep == CLI_WORDS_MAX) return cli_fail(err, LIM_BAD_INPUT, "more than %d --keep", CLI_WORDS_MAX);
    o->keep[o->nkeep++] = value;
  }
  if (!strcmp(name, "joints")) {
    o->joints = value;
    bool posture = o->command && !strcmp(o->command, "ik");
    if (!posture && strcmp(value, "free") && strcmp(value, "locked") && strcmp(value, "held"))
      return cli_fail(err, LIM_BAD_INPUT, "--joints is '%.40s', must be free, locked or held", value);
  }
  if (!strcmp(name, "count")) {
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end || n < 1 || n > 10000)
      return cli_fail(err, LIM_BAD_INPUT, "-n is '%.40s', must be a whole number from 1 to 10000", value);
    o->count = (int)n;
  }
  if (!strcmp(name, "set")) {
    if (o->nset == CLI_SETS_MAX) return cli_fail(err, LIM_BAD_INPUT, "more than %d --set", CLI_SETS_MAX);
    o->set[o->nset++] = value;
  }
  if (!strcmp(name, "allow")) {
    if (o->nallow == CLI_WORDS_MAX) return cli_fail(err, LIM_BAD_INPUT, "more than %d --allow", CLI_WORDS_MAX);
    o->allow[o->nallow++] = value;
  }
  cli_ik_option(&o->ik, name, value);
  lim_code code = cli_spectrum_option(o, name, value, err);
  return code == LIM_OK ? cli_plot_option(o, name, value, err) : code;
}

static lim_code option_at(cli_options *o, int *i, int argc, char **argv, lim_error *err) {
  const cli_command *command = o->command ? cli_find_command(o->command) : NULL;
  const char *arg = argv[*i], *value;
  int k = find_option(arg, command, &value);
  if (k < 0) return unknown_option(arg, command, err);
  const cli_option *x = option_of(command, k);
  if (!x->value && value) return cli_fail(err, LIM_BAD_INPUT, "--%s takes no value", x->name);
  if (x->value && !value) {
    if (*i + 1 >= argc) return cli_fail(err, LIM_BAD_INPUT, "%s needs %s after it", arg, x->value);
    value = argv[++*i];
  }
  if (!value) value = "";
  if (k < OPTIONS) return apply(o, x->name, value, err);
  o->own[k - OPTIONS] = value;
  return LIM_OK;
}

static lim_code word_at(cli_options *o, const char *word, lim_error *err) {
  if (!o->command) {
    o->command = word;
    if (cli_find_command(word)) return LIM_OK;
    const char *list[CLI_WORDS_MAX];
    int n = 0;
    for (const cli_command *const *c = cli_commands; *c; c++) list[n++] = (*c)->name;
    const char *near = lim_word_nearest(word, list, n);
    if (near) return cli_fail(err, LIM_BAD_INPUT, "unknown command '%.40s'; did you mean '%s'?", word, near);
    return cli_fail(err, LIM_BAD_INPUT, "unknown command '%.40s'; 'limber --help' lists them", word);
  }
  if (o->nword == cli_find_command(o->command)->words)
    return cli_fail(err, LIM_BAD_INPUT, "unexpected argument '%.60s'", word);
  o->word[o->nword++] = word;
  o->model = o->word[0];
  return LIM_OK;
}

// Whether -o names a folder: a file is one that is there, or ends like an answer.
static bool names_folder(const cli_command *command, const char *path) {
  struct stat info;
  size_t n = strlen(path);
  if (command->output != CLI_EITHER) return command->output == CLI_FOLDER;
  if (stat(path, &info) == 0) return S_ISDIR(info.st_mode);
  return !(n > 5 && !strcmp(path + n - 5, ".json")) && !(n > 4 && !strcmp(path + n - 4, ".txt"));
}

lim_code cli_parse(cli_options *o, int argc, char **argv, lim_error *err) {
  *o = (cli_options){.count = 10,
                     .ik = lim_ik_options_default(),
                     .spectrum = lim_spectrum_options_default(),
                     .plot = lim_plot_options_default()};
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
  if (!o->command) return cli_fail(err, LIM_BAD_INPUT, "no command; 'limber --help' lists them");
  const cli_command *command = cli_find_command(o->command);
  if (command->words && !o->model)
    return cli_fail(err, LIM_BAD_INPUT, "%s needs a %s: limber %s %s", o->command,
                    strncmp(command->arguments, "RESULT", 6) ? "model file" : "result", o->command,
                    command->arguments);
  if (o->output && names_folder(command, o->output)) o->folder = o->output;
  return LIM_OK;
}

bool cli_in_words(const cli_options *o) { return !o->json && (!o->quiet || (o->output && !o->folder)); }

void cli_print_usage(cli_text *out) {
  cli_add(out,
          "limber %s - flexible manipulators from one model file\n\nusage: limber COMMAND MODEL [options]\n\n",
          LIM_VERSION);
  for (const cli_command *const *c = cli_commands; *c; c++)
    cli_add(out, "  %-10s%s\n", (*c)->name, (*c)->question);
  cli_add(out, "\n'limber COMMAND --help' shows the options of a command.\n");
}

void cli_print_help(cli_text *out, const cli_command *command) {
  cli_add(out, "limber %s%s%s [options]: %s\n\n", command->name, command->arguments[0] ? " " : "",
          command->arguments, command->question);
  for (int i = 0; i < ALL; i++) {
    const cli_option *x = option_of(command, i);
    if (!x) continue;
    char left[64], letter[8] = "";
    if (x->letter) snprintf(letter, sizeof letter, "-%c, ", x->letter);
    snprintf(left, sizeof left, "%s--%s %s", letter, x->name, x->value ? x->value : "");
    bool own = x->letter == 'o' && command->writes;
    cli_add(out, "  %-28s %s%s\n", left, own ? "write " : "", own ? command->writes : x->help);
  }
}
