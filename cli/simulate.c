// simulate.c - limber simulate: the motion in time.
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// --- answers ---

static void table_of_channels(cli_text *out, const lim_answer *a) {
  static const char *const head[] = {"channel", "unit", "final", "+-", "peak", "+-", "rms"};
  const lim_answer *error = lim_answer_at(a, "error");
  cli_table t = cli_table_start(error ? "llrrrrr" : "llrrr");
  for (int i = 0; i < 7; i++)
    if (error || (i != 3 && i != 5)) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(a, "final"); i++) {
    const lim_answer *last = lim_answer_item(a, "final", i);
    cli_table_cell(&t, "%s", lim_answer_key(a, "final", i));
    cli_table_cell(&t, "%s", lim_answer_unit(last, NULL));
    cli_table_cell(&t, "%.6g", lim_answer_number(last, NULL));
    if (error) cli_table_cell(&t, "%.1g", lim_answer_number(lim_answer_item(error, "final", i), NULL));
    cli_table_cell(&t, "%.6g", lim_answer_number(lim_answer_item(a, "peak", i), NULL));
    if (error) cli_table_cell(&t, "%.1g", lim_answer_number(lim_answer_item(error, "peak", i), NULL));
    cli_table_cell(&t, "%.6g", lim_answer_number(lim_answer_item(a, "rms", i), NULL));
  }
  cli_table_end(&t, out);
}

static void print_vibration(cli_text *out, const lim_answer *x) {
  char buffer[CLI_CELL];
  const double *d = lim_answer_array(x, "direction", NULL);
  double amplitude = lim_answer_number(x, "amplitude"), damping = lim_answer_number(x, "damping_ratio");
  int n;
  const double *frequency = lim_answer_array(x, "frequencies_hz", &n);
  const double *line = lim_answer_array(x, "frequency_amplitudes", NULL);
  cli_add(out, "    amplitude     %s", cli_quantity(buffer, amplitude, "m"));
  if (amplitude > 0) cli_add(out, " along [%.3g, %.3g, %.3g]", d[0], d[1], d[2]);
  cli_add(out, "\n    frequencies  ");
  for (int i = 0; i < n; i++)
    cli_add(out, "%s %.5g Hz (%s)", i ? "," : "", frequency[i], cli_quantity(buffer, line[i], "m"));
  if (!n) cli_add(out, " none seen");
  if (isnan(damping)) return;
  if (fabs(damping) < 1e-5)
    cli_add(out, "\n    damping ratio below 1e-5");
  else
    cli_add(out, "\n    damping ratio %.3g", damping);
}

static void print_residual(cli_text *out, const lim_answer *x) {
  char buffer[CLI_CELL];
  if (!x) return;
  const double *level = lim_answer_array(x, "level", NULL), *error = lim_answer_array(x, "error_level", NULL);
  double settled = lim_answer_number(x, "settling_time");
  cli_add(out, "\n  %s after the commands, from %g s on\n", lim_answer_text(x, "frame"),
          lim_answer_number(x, "start"));
  cli_add(out, "    steady at     [%.6g, %.6g, %.6g] m, error [%.3g, %.3g, %.3g] m\n", level[0], level[1],
          level[2], error[0], error[1], error[2]);
  print_vibration(out, x);
  cli_add(out, "\n    within %s %s", cli_quantity(buffer, lim_answer_number(x, "band"), "m"),
          isnan(settled) ? "not yet" : "after ");
  if (!isnan(settled)) cli_add(out, "%.4g s", settled);
  cli_add(out, "\n");
}

// " by finite-difference", of methods that say what is simulated.
static void say_method(cli_text *out, const char *method) {
  if (!strcmp(method, "finite-difference") || !strcmp(method, "modal-newmark")) cli_add(out, " by %s", method);
}

static void say_utilisation(cli_text *out, const lim_answer *x) {
  if (x) cli_add(out, "\n");
  for (int i = 0; i < lim_answer_count(x, NULL); i++)
    cli_add(out, "  largest stress in %s: %.3g of its yield strength\n", lim_answer_key(x, NULL, i),
            lim_answer_number(lim_answer_item(x, NULL, i), NULL));
}

// Where the mode has no balance, it has no unit either.
static void say_balance(cli_text *out, const lim_answer *a, double balance) {
  bool there = lim_answer_unit(a, "energy_balance_percent_rms");
  if (!isnan(balance))
    cli_add(out, "\n  energy balance: %.2g %% of the peak energy (rms)\n", balance);
  else
    cli_add(out, "\n  energy balance: %s\n",
            there ? "nothing to balance, the energy is 0 throughout" : "none in this mode");
}

static void as_table(cli_text *out, const lim_answer *a, const char *folder) {
  double steps = lim_answer_number(a, "steps"), iterations = lim_answer_number(a, "iterations");
  double balance = lim_answer_number(a, "energy_balance_percent_rms");
  const char *status = lim_answer_text(a, "status");
  cli_add(out, "%s, %s", lim_answer_text(a, "model"), lim_answer_text(a, "mode"));
  say_method(out, lim_answer_text(a, "method"));
  cli_add(out, ": %s at %g s, %.0f steps, %.1f iterations each, %.3g s\n\n", status,
          lim_answer_number(a, "end"), steps, steps > 0 ? iterations / steps : 0,
          lim_answer_number(a, "wall_s"));
  table_of_channels(out, a);
  print_residual(out, lim_answer_at(a, "residual"));
  say_utilisation(out, lim_answer_at(a, "utilisation"));
  cli_say_gains(out, a);
  cli_say_program(out, a);
  if (!isnan(balance) || !strcmp(status, "done")) say_balance(out, a, balance);
  if (folder) cli_add(out, "\n  written to %s: channels.csv, report.html, result.h5, summary.json\n", folder);
}

// The options with --mode as an override.
static void add_mode(cli_options *with, char mode[192], const cli_options *o) {
  *with = *o;
  snprintf(mode, 192, "solver.mode=%s", o->mode ? o->mode : "");
  if (o->mode) with->set[with->nset++] = mode;
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  char mode[192];
  cli_options with;
  cli_case c;
  cli_bar bar = {.shown = -1};
  lim_answer *a = NULL;
  lim_simulate_options options = lim_simulate_options_default();
  options.folder = o->output;
  options.error = o->error;
  options.settle = o->settle;
  options.settle_share = o->settle_share;
  options.hooks = cli_hooks(o, &bar);
  options.hooks.stop = cli_interrupted();
  cli_catch_interrupt(); // the run ends and keeps what it has
  add_mode(&with, mode, o);
  lim_code code = cli_open(&c, &with, err);
  if (code == LIM_OK) code = lim_study_simulate(&a, c.study, &options, err);
  if (a && o->json) cli_say_json(out, a);
  if (a && !o->json && !o->quiet) as_table(out, a, o->output);
  lim_answer_free(a);
  cli_close(&c);
  return code;
}

const cli_command cli_simulate = {
    .name = "simulate",
    .question = "how does it move in time?",
    .arguments = "MODEL",
    .options = "mode error settle allow",
    .words = 1,
    .output = CLI_FOLDER,
    .writes = "channels.csv, " CLI_FOLDER_HOLDS,
    .run = run,
};
