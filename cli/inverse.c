// inverse.c - limber inverse: which efforts produce the commanded motion, and how much of them flexibility
// causes?
#include "cli.h"

static void say_motors(cli_text *out, const lim_answer *joints) {
  for (int i = 0; i < lim_answer_count(joints, NULL); i++) {
    const lim_answer *x = lim_answer_item(joints, NULL, i);
    if (lim_answer_at(x, "motor_torque"))
      cli_add(out, "%s  motor of %s: %.5g N m peak, %.5g N m rms on its shaft\n", i ? "" : "\n",
              lim_answer_key(joints, NULL, i), lim_answer_number(x, "motor_peak"),
              lim_answer_number(x, "motor_rms"));
  }
}

static void as_table(cli_text *out, const char *title, const lim_answer *a) {
  static const char *const head[] = {"joint",      "unit",      "peak",          "rms",
                                     "rigid peak", "rigid rms", "by flexibility"};
  static const char *const size[] = {"peak", "rms", "rigid_peak", "rigid_rms"};
  int n;
  const double *time = lim_answer_array(a, "time", &n);
  const lim_answer *joints = lim_answer_at(a, "joints");
  cli_add(out, "%s, efforts of its motion in %g s\n\n", title, n ? time[n - 1] : 0);
  cli_table t = cli_table_start("llrrrrr");
  for (int i = 0; i < 7; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(joints, NULL); i++) {
    const lim_answer *x = lim_answer_item(joints, NULL, i);
    cli_table_cell(&t, "%s", lim_answer_key(joints, NULL, i));
    cli_table_cell(&t, "%s", lim_answer_unit(x, "effort"));
    for (int k = 0; k < 4; k++) cli_table_cell(&t, "%.5g", lim_answer_number(x, size[k]));
    cli_table_cell(&t, "%.3g %%", 100 * lim_answer_number(x, "flexibility_share"));
  }
  cli_table_end(&t, out);
  say_motors(out, joints);
  cli_add(out, "\n  by flexibility: rms of the difference from the rigid arm, of the rms of the effort\n");
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  cli_case c;
  cli_bar bar = {.shown = -1};
  lim_inverse_options options = lim_inverse_options_default();
  options.hooks = cli_hooks(o, &bar);
  lim_answer *a = NULL;
  lim_code code = cli_open(&c, o, err);
  if (code == LIM_OK) code = lim_study_inverse(&a, c.study, &options, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, lim_model_name(c.model), a);
  lim_answer_free(a);
  cli_close(&c);
  return code;
}

const cli_command cli_inverse = {
    .name = "inverse",
    .question = "which efforts make the commanded motion, and how much of them does flexibility cause?",
    .arguments = "MODEL",
    .options = "allow",
    .words = 1,
    .output = CLI_FILE,
    .run = run,
};
