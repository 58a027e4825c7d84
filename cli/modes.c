// modes.c - limber modes: natural frequencies, damping ratios and mode shapes.
#include "cli.h"

#include <math.h>
#include <string.h>

// Decimals that show four digits of the lowest frequency, and so at least four of each.
static int decimals(double lowest) {
  int n = lowest > 0 ? 3 - (int)floor(log10(lowest)) : 3;
  return n < 0 ? 0 : n > 9 ? 9 : n;
}

static void table_of_modes(cli_text *out, const lim_answer *a) {
  static const char *const head[] = {"mode", "frequency [Hz]", "damping [%]", "what moves most"};
  int n;
  const double *frequency = lim_answer_array(a, "frequencies_hz", &n);
  const double *damping = lim_answer_array(a, "damping_ratios", NULL);
  cli_table t = cli_table_start("rrrl");
  for (int i = 0; i < 4; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < n; i++) {
    cli_table_cell(&t, "%d", i + 1);
    cli_table_cell(&t, "%.*f", decimals(frequency[0]), frequency[i]);
    cli_table_cell(&t, "%.3f", 100 * damping[i]);
    cli_table_cell(&t, "%s", lim_answer_text(lim_answer_item(a, "kinds", i), NULL));
  }
  cli_table_end(&t, out);
}

// What has no frequency.
static void table_of_decays(cli_text *out, const lim_answer *decays) {
  static const char *const head[] = {"time constant [s]", "what decays without swinging"};
  cli_table t = cli_table_start("rl");
  for (int i = 0; i < 2; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(decays, NULL); i++) {
    const lim_answer *x = lim_answer_item(decays, NULL, i);
    cli_table_cell(&t, "%.4g", lim_answer_number(x, "time_constant_s"));
    cli_table_cell(&t, "%s", lim_answer_text(x, "kind"));
  }
  cli_table_end(&t, out);
}

// "joint locked", "joints free", "joints shoulder held, elbow locked"
static void words_for_joints(cli_text *out, const lim_answer *a) {
  const char *joints = lim_answer_text(a, "joints");
  int n = lim_answer_count(a, "joint");
  cli_add(out, "joint%s ", n > 1 ? "s" : "");
  if (strcmp(joints, "mixed")) cli_add(out, "%s", joints);
  for (int i = 0; !strcmp(joints, "mixed") && i < n; i++)
    cli_add(out, "%s%s %s", i ? ", " : "", lim_answer_key(a, "joint", i),
            lim_answer_text(lim_answer_item(a, "joint", i), NULL));
}

// "contact floor sticks, wall apart"
static void words_for_contacts(cli_text *out, const lim_answer *a) {
  const int n = lim_answer_count(a, "contacts");
  for (int i = 0; i < n; i++)
    cli_add(out, "%s%s %s",
            i       ? ", "
            : n > 1 ? ", contacts "
                    : ", contact ",
            lim_answer_key(a, "contacts", i), lim_answer_text(lim_answer_item(a, "contacts", i), NULL));
}

static void as_table(cli_text *out, const lim_answer *model, const lim_answer *a) {
  int rigid = (int)lim_answer_number(a, "rigid_modes");
  bool loaded = !strcmp(lim_answer_text(model, "start"), "equilibrium");
  cli_add(out, "%s, ", lim_answer_text(model, "name"));
  words_for_joints(out, a);
  words_for_contacts(out, a);
  cli_add(out, ", %s\n\n", loaded ? "under its loads" : "undeformed");
  if (lim_answer_count(a, "frequencies_hz"))
    table_of_modes(out, a);
  else
    cli_add(out, "  nothing that could vibrate\n");
  if (lim_answer_count(a, "overdamped")) {
    cli_add(out, "\n");
    table_of_decays(out, lim_answer_at(a, "overdamped"));
  }
  if (rigid) cli_add(out, "\n  and %d rigid-body mode%s\n", rigid, rigid > 1 ? "s" : "");
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  cli_case c;
  lim_answer *a = NULL, *model = NULL;
  lim_modes_options options = lim_modes_options_default();
  options.folder = o->folder;
  options.joints = o->joints;
  options.count = o->count;
  lim_code code = cli_open(&c, o, err);
  if (code == LIM_OK) code = lim_study_modes(&a, c.study, &options, err);
  if (code == LIM_OK) code = lim_model_describe(&model, c.model, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, model, a);
  if (code == LIM_OK && cli_in_words(o)) cli_say_written(out, o);
  lim_answer_free(model);
  lim_answer_free(a);
  cli_close(&c);
  return code;
}

const cli_command cli_modes = {
    .name = "modes",
    .question = "what are its natural frequencies, damping ratios and mode shapes?",
    .arguments = "MODEL",
    .options = "joints count allow",
    .words = 1,
    .output = CLI_EITHER,
    .writes = CLI_FOLDER_HOLDS,
    .run = run,
};
