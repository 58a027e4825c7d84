// cli.h - the program: commands, options, output. The only place that prints or exits.
#ifndef LIM_CLI_CLI_H
#define LIM_CLI_CLI_H

#include "limber/limber.h"

#include <stdbool.h>
#include <stddef.h>

// A text that grows. Start with {0}; `failed` stays set once memory was out.
typedef struct {
  char *text; // terminated; NULL while empty
  size_t length, capacity;
  bool failed;
} cli_text;
void cli_add(cli_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_text_free(cli_text *t);

// A message about the command line; returns code.
lim_code cli_fail(lim_error *err, lim_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

enum { CLI_SETS_MAX = 256, CLI_WORDS_MAX = 64, CLI_OWN_MAX = 8 };

typedef struct {
  const char *command, *model;     // model: the first word after the command; NULL if there is none
  const char *word[CLI_WORDS_MAX]; // all words after the command
  int nword;
  const char *output; // -o; NULL: standard output
  const char *folder; // the same where it names a folder that the command fills; else NULL
  bool json, quiet, help, version;
  const char *set[CLI_SETS_MAX + 1]; // with room for --mode
  int nset;
  const char *allow[CLI_WORDS_MAX]; // what the model may read outside its folder
  int nallow;
  const char *keep[CLI_WORDS_MAX]; // generate: numbers that stay adjustable
  int nkeep;
  const char *joints;               // modes: NULL, "free", "locked" or "held"; ik: a posture
  int count;                        // modes: -n
  int fmu;                          // generate: version of FMI; 0: not given
  bool no_binary;                   // generate
  const char *mode;                 // simulate: NULL or a mode
  bool error;                       // simulate: with the errors of its numbers
  double settle, settle_share;      // simulate: band [m], or as a share of the peak; 0: not given
  lim_ik_options ik;                // but joints
  lim_spectrum_options spectrum;    // but output
  lim_plot_options plot;            // but label; also from and to of spectrum
  const char *label[CLI_WORDS_MAX]; // plot: of the results
  const char *own[CLI_OWN_MAX];     // options that the command has alone, as written; NULL: not given
} cli_options;

// What -o names.
typedef enum {
  CLI_FILE,   // a file for the answer
  CLI_FOLDER, // a folder that the command fills
  CLI_EITHER, // a folder, or a file for the answer if it ends in .json or .txt or is one
  CLI_OWN     // something that the command writes itself
} cli_place;

typedef struct {
  const char *name;  // long name
  char letter;       // short name, or 0
  const char *value; // what follows it; NULL: nothing
  const char *help;
  const char *only; // the command that it belongs to where commands have options of one name; NULL: any
} cli_option;

typedef struct {
  const char *name;
  const char *question;        // the one it answers
  const char *arguments;       // for its usage line
  const char *options;         // long names of those that it shares with others, separated by blanks
  cli_option own[CLI_OWN_MAX]; // those that it has alone, whose values are in own[] of the options
  int words;                   // that it takes at most; it needs one if it takes any
  cli_place output;            // what -o names
  const char *writes;          // and what it puts there, for its help
  lim_code (*run)(cli_text *out, const cli_options *o, lim_error *err);
} cli_command;

extern const cli_command *const cli_commands[]; // ends with NULL

#define ROW(command) extern const cli_command cli_##command;
#include "commands.def"
#undef ROW

// What commands with results write.
#define CLI_FOLDER_HOLDS "report.html, result.h5 and summary.json into the folder PATH"

const cli_command *cli_find_command(const char *name); // NULL: unknown

// Read the command line. LIM_BAD_INPUT with a message where it is wrong.
lim_code cli_parse(cli_options *o, int argc, char **argv, lim_error *err);

// An option of plot; does nothing for others.
lim_code cli_plot_option(cli_options *o, const char *name, const char *value, lim_error *err);

// An option of ik; does nothing for others. Its values are read with the model.
void cli_ik_option(lim_ik_options *p, const char *name, const char *value);

// An option of spectrum, or --settle; does nothing for others.
lim_code cli_spectrum_option(cli_options *o, const char *name, const char *value, lim_error *err);

// LIM_BAD_INPUT with a message where -o names what is read: a word of the command line, or a part of a result.
lim_code cli_guard(const cli_options *o, lim_error *err);

// The model with --set and --allow. LIM_BAD_INPUT with a message where the files of -o are some that it reads.
lim_code cli_load(lim_model **out, const cli_options *o, lim_error *err);

// A model and its study. End with cli_close, also after a failure.
typedef struct {
  lim_model *model;
  lim_study *study;
} cli_case;
lim_code cli_open(cli_case *c, const cli_options *o, lim_error *err);
void cli_close(cli_case *c);

// The whole answer of --json.
void cli_say_json(cli_text *out, lim_answer *a);

// What the program of a model did and printed, and gains that were designed; nothing where there is none.
void cli_say_program(cli_text *out, const lim_answer *a);
void cli_say_gains(cli_text *out, const lim_answer *a);

// The answer is wanted in words: not as JSON, and not on a quiet standard output.
bool cli_in_words(const cli_options *o);

// --- output ---

// Warnings below an answer in words, and on standard error below any other.
void cli_say_warnings(cli_text *out, const lim_error *err);
void cli_print_warnings(const lim_error *err);

void cli_print_usage(cli_text *out);
void cli_print_help(cli_text *out, const cli_command *command);
void cli_print_errors(const lim_error *err); // on standard error

// A bar on standard error where that is a terminal, redrawn when the percentage changes. shown: -1 before.
typedef struct {
  const char *label;
  int shown;
  double delay; // [s] before it is drawn for the first time: work that is short has none
  double since; // when it began
} cli_bar;
lim_hooks cli_hooks(const cli_options *o, cli_bar *bar);
void cli_bar_end(cli_bar *bar); // takes away what is left of it

// The first Ctrl-C is caught from now on: cli_interrupted is nonzero then. The second one ends the program.
// What was done with it before, for cli_release_interrupt.
typedef void (*cli_signal)(int);
cli_signal cli_catch_interrupt(void);
void cli_release_interrupt(cli_signal before);
const volatile int *cli_interrupted(void);

// Write the answer to standard output, or to the file of -o: whole or not at all.
lim_code cli_write(const cli_text *text, const char *path, lim_error *err);

// "written to DIR: ..." where -o names a folder of static or modes.
void cli_say_written(cli_text *out, const cli_options *o);

// A table: rows of cells, columns as wide as their widest cell. align has a letter per column: l or r.
enum { CLI_COLUMNS = 10, CLI_CELL = 48 };
typedef struct {
  const char *align;
  int columns, cells, capacity;
  char (*cell)[CLI_CELL]; // row after row
  bool failed;
} cli_table;

cli_table cli_table_start(const char *align);
void cli_table_cell(cli_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_table_end(cli_table *t, cli_text *out); // prints and frees

// A number with a unit and a prefix that suits it: 1.55 mm, 70 GPa.
const char *cli_quantity(char buffer[CLI_CELL], double x, const char *unit);

// A prefix that suits the largest of several numbers, and one of them without its unit.
typedef struct {
  double factor, largest;
  const char *sign;
} cli_prefix;
cli_prefix cli_prefix_of(double largest);
void cli_table_number(cli_table *t, double x, cli_prefix prefix);

#endif
