// guard.c - what is read is never written over: models and the files they name, results and tables.
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

// Whether two names are of one file.
static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return a && b && !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static const char *const parts[] = {"result.h5", "result.h5.part", "channels.csv", "summary.json"};
enum { PARTS = sizeof parts / sizeof *parts };

// The length of the folder of a result, of which a word names the folder or a part.
static size_t folder_of(const char *word) {
  const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
  for (int i = 0; i < PARTS; i++)
    if (!strcmp(name, parts[i])) return (size_t)(name - word);
  return strlen(word);
}

// Whether a file is one word of the command line, or a part of the result it names.
static bool is_read(const char *word, const char *path) {
  bool found = same_file(word, path);
  int length = (int)folder_of(word);
  for (int i = 0; i < PARTS && !found; i++) {
    cli_text part = {0};
    cli_add(&part, "%.*s%s%s", length, word, length ? "/" : "", parts[i]);
    found = same_file(part.text, path);
    cli_text_free(&part);
  }
  return found;
}

static lim_code refuse(const cli_options *o, lim_error *err) {
  return cli_fail(err, LIM_BAD_INPUT, "-o %s would overwrite what is read", o->output);
}

lim_code cli_guard(const cli_options *o, lim_error *err) {
  for (int i = 0; o->output && i < o->nword; i++)
    if (is_read(o->word[i], o->output)) return refuse(o, err);
  return LIM_OK;
}

// Whether a model reads what is made in the folder of -o: a file of this name, or its draft.
static bool reads_in_folder(const cli_options *o, const lim_model *model, const char *name, int length,
                            const char *ending) {
  bool found = false;
  for (int draft = 0; draft < 2 && !found; draft++) {
    cli_text path = {0};
    cli_add(&path, "%s/%.*s%s%s", o->folder, length, name, ending, draft ? ".part" : "");
    found = lim_model_reads(model, path.text);
    cli_text_free(&path);
  }
  return found;
}

static lim_code guard_model(const cli_options *o, const lim_model *model, lim_error *err) {
  static const char *const files[] = {"channels.csv", "report.html", "result.h5",
                                      "summary.json", "main.c",      "README"};
  bool found = lim_model_reads(model, o->output);
  for (size_t i = 0; o->folder && i < sizeof files / sizeof *files; i++)
    found = found || reads_in_folder(o, model, files[i], (int)strlen(files[i]), "");
  const char *slash = strrchr(o->model, '/'), *name = slash ? slash + 1 : o->model, *dot = strrchr(name, '.');
  int length = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)); // of generated code
  for (int i = 0; o->folder && i < 2; i++)
    found = found || reads_in_folder(o, model, name, length, i ? ".h" : ".c");
  return found ? refuse(o, err) : LIM_OK;
}

lim_code cli_load(lim_model **out, const cli_options *o, lim_error *err) {
  cli_bar bar = {.shown = -1, .delay = 1};
  lim_model_setup setup = {.size = sizeof setup,
                           .set = o->set,
                           .nset = o->nset,
                           .allow = o->allow,
                           .nallow = o->nallow,
                           .hooks = cli_hooks(o, &bar)};
  setup.hooks.stop = cli_interrupted();
  const cli_signal before = cli_catch_interrupt();
  if (before == SIG_IGN) cli_release_interrupt(before); // in the background
  lim_code code = lim_model_load_with(out, o->model, &setup, err);
  cli_bar_end(&bar);
  cli_release_interrupt(before);
  if (code == LIM_OK && *cli_interrupted()) code = cli_fail(err, LIM_FAILED, "stopped");
  return code == LIM_OK ? guard_model(o, *out, err) : code;
}
