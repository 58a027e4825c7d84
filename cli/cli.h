// cli.h - the program: commands, options, output. The only place that prints or exits.
#ifndef LIM_CLI_CLI_H
#define LIM_CLI_CLI_H

#include "base/json.h"
#include "base/text.h"
#include "limber/limber.h"
#include "result/spectrum.h"

enum { CLI_SETS_MAX = 256, CLI_WORDS_MAX = 64 };

typedef struct {
  const char *label[CLI_WORDS_MAX]; // of the results
  int nlabel;
  const char *title, *against; // NULL: none
  double width, height;        // [mm]; 0: what suits
  double from, to;             // [s]; infinite: all
  bool stack, log_x, log_y;
} cli_plot_options;

typedef struct {
  const char *frame, *position, *rpy, *near, *hold, *rest, *tolerance; // as written; NULL: not given
  bool all, deformed;
} cli_ik_options;

typedef struct {
  const char *command, *model;     // model: the first word after the command; NULL if there is none
  const char *word[CLI_WORDS_MAX]; // all words after the command
  int nword;
  const char *output; // -o; NULL: standard output
  const char *folder; // the same where it names a folder that the command fills; else NULL
  bool json, quiet, help, version;
  const char *set[CLI_SETS_MAX];
  int nset;
  const char *keep[CLI_WORDS_MAX]; // generate: numbers that stay adjustable
  int nkeep;
  const char *joints;          // modes: NULL, "free", "locked" or "held"; ik: a posture
  int count;                   // modes: -n
  bool markdown;               // schema
  int fmu;                     // generate: version of FMI; 0: not given
  bool no_binary;              // generate
  const char *mode;            // simulate: NULL or a mode
  bool error;                  // simulate: with the errors of its numbers
  const char *route;           // inertia: NULL, "mass" or "jacobian"
  int along;                   // inertia: moments of the motion; 0: not given
  double at;                   // inertia: this moment [s]; NaN: not given
  double settle, settle_share; // simulate: band [m], or as a share of the peak; 0: not given
  cli_ik_options ik;
  const char *channel; // spectrum
  lim_spectrum_setup spectrum;
  cli_plot_options plot; // also from and to of spectrum
} cli_options;

// What -o names.
typedef enum {
  CLI_FILE,   // a file for the answer
  CLI_FOLDER, // a folder that the command fills
  CLI_EITHER, // a folder, or a file for the answer if it ends in .json or .txt or is one
  CLI_OWN     // something that the command writes itself
} cli_place;

typedef struct {
  const char *name;
  const char *question;  // the one it answers
  const char *arguments; // for its usage line
  const char *options;   // long names of its own options, separated by blanks
  int words;             // that it takes at most; it needs one if it takes any
  cli_place output;      // what -o names
  const char *writes;    // and what it puts there, for its help
  lim_code (*run)(lim_text *out, const cli_options *o, lim_error *err);
} cli_command;

extern const cli_command cli_commands[]; // ends with a row without name

lim_code cli_check(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_spectrum(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_static(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_modes(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_simulate(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_ik(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_inertia(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_inverse(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_generate(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_plot(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_report(lim_text *out, const cli_options *o, lim_error *err);
lim_code cli_schema(lim_text *out, const cli_options *o, lim_error *err);

const cli_command *cli_find_command(const char *name); // NULL: unknown

// Read the command line. LIM_BAD_INPUT with a message where it is wrong.
lim_code cli_parse(cli_options *o, int argc, char **argv, lim_error *err);

// An option of plot; does nothing for others.
lim_code cli_plot_option(cli_plot_options *p, const char *name, const char *value, lim_error *err);

// An option of ik; does nothing for others. Its values are read with the model.
void cli_ik_option(cli_ik_options *p, const char *name, const char *value);

// An option of spectrum, or --settle; does nothing for others.
lim_code cli_spectrum_option(cli_options *o, const char *name, const char *value, lim_error *err);

// Read a model file and run its program.
lim_code cli_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err);

// What the program of a model did and printed; nothing without one.
void cli_say_program(lim_text *out, const lim_model *m);

// The folder of a file, for tables beside it. The caller frees it; NULL: out of memory.
char *cli_folder(const char *path);

// The text of a file, for the result; NULL where it cannot be read. The caller frees it.
char *cli_text_of(const char *path);

// The answer is wanted in words: not as JSON, and not on a quiet standard output.
bool cli_in_words(const cli_options *o);

// --- output ---

void cli_print_usage(lim_text *out);
void cli_print_help(lim_text *out, const cli_command *command);
void cli_print_errors(const lim_error *err); // on standard error

// A bar on standard error, redrawn when the percentage changes. shown: -1 before the first call.
void cli_progress(const char *label, int *shown, double part);

// Write the answer to standard output, or to the file of -o: whole or not at all.
lim_code cli_write(const lim_text *text, const char *path, lim_error *err);

// "written to DIR: ..." where -o names a folder of static or modes.
void cli_say_written(lim_text *out, const cli_options *o);

// A table: rows of cells, columns as wide as their widest cell. align has a letter per column: l or r.
enum { CLI_COLUMNS = 10, CLI_CELL = 48 };
typedef struct {
  const char *align;
  int columns, cells, room;
  char (*cell)[CLI_CELL]; // row after row
  bool failed;
} cli_table;

cli_table cli_table_start(const char *align);
void cli_table_cell(cli_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_table_end(cli_table *t, lim_text *out); // prints and frees

// A number with a unit and a prefix that suits it: 1.55 mm, 70 GPa.
const char *cli_quantity(char room[CLI_CELL], double x, const char *unit);

// A prefix that suits the largest of several numbers, and one of them without its unit.
typedef struct {
  double factor, largest;
  const char *sign;
} cli_prefix;
cli_prefix cli_prefix_of(double largest);
void cli_table_number(cli_table *t, double x, cli_prefix prefix);

#endif
