// inverse.c - limber inverse: which efforts produce the commanded motion, and how much of them flexibility
// causes?
#include "analysis/inverse.h"
#include "base/error.h"
#include "cli.h"

#include <stdlib.h>
#include <unistd.h>

static void entry(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

// Part of the effort that is not there when the links are rigid.
static double share(const lim_inverse_joint *x) {
  return x->of_effort.rms > 0 ? x->of_difference.rms / x->of_effort.rms : 0;
}

static void json_joint(lim_json *j, const lim_inverse_joint *x, int n) {
  lim_json_key(j, x->name);
  lim_json_object(j);
  lim_json_key(j, "effort");
  lim_json_numbers(j, x->effort, n);
  lim_json_key(j, "rigid_effort");
  lim_json_numbers(j, x->rigid, n);
  entry(j, "peak", x->of_effort.peak);
  entry(j, "rms", x->of_effort.rms);
  entry(j, "rigid_peak", x->of_rigid.peak);
  entry(j, "rigid_rms", x->of_rigid.rms);
  entry(j, "flexibility_share", share(x));
  if (x->motor) {
    lim_json_key(j, "motor_torque");
    lim_json_numbers(j, x->torque, n);
    entry(j, "motor_peak", x->of_torque.peak);
    entry(j, "motor_rms", x->of_torque.rms);
  }
  lim_json_end(j, '}');
}

static void as_json(lim_text *out, const lim_inverse *r) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "time");
  lim_json_numbers(&j, r->time, r->n);
  lim_json_key(&j, "joints");
  lim_json_object(&j);
  for (int i = 0; i < r->joints.count; i++) json_joint(&j, &r->joints.item[i], r->n);
  lim_json_end(&j, '}');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void as_table(lim_text *out, const lim_model *m, const lim_inverse *r) {
  static const char *const head[] = {"joint",      "unit",      "peak",          "rms",
                                     "rigid peak", "rigid rms", "by flexibility"};
  lim_text_add(out, "%s, efforts of its motion in %g s\n\n", m->title, r->run.end);
  cli_table t = cli_table_start("llrrrrr");
  for (int i = 0; i < 7; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < r->joints.count; i++) {
    const lim_inverse_joint *x = &r->joints.item[i];
    const double size[] = {x->of_effort.peak, x->of_effort.rms, x->of_rigid.peak, x->of_rigid.rms};
    cli_table_cell(&t, "%s", x->name);
    cli_table_cell(&t, "%s", x->slides ? "N" : "N m");
    for (int k = 0; k < 4; k++) cli_table_cell(&t, "%.5g", size[k]);
    cli_table_cell(&t, "%.3g %%", 100 * share(x));
  }
  cli_table_end(&t, out);
  for (int i = 0; i < r->joints.count; i++) {
    const lim_inverse_joint *x = &r->joints.item[i];
    if (x->motor)
      lim_text_add(out, "%s  motor of %s: %.5g N m peak, %.5g N m rms on its shaft\n", i ? "" : "\n", x->name,
                   x->of_torque.peak, x->of_torque.rms);
  }
  lim_text_add(out, "\n  by flexibility: rms of the difference from the rigid arm, of the rms of the effort\n");
}

static void progress(void *shown, double t, double duration) {
  cli_progress("inverse dynamics", shown, t / duration);
}

lim_code cli_inverse(lim_text *out, const cli_options *o, lim_error *err) {
  lim_model *m;
  lim_code code = cli_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  int shown = -1;
  bool bar = !o->quiet && isatty(STDERR_FILENO);
  const lim_simulate_hooks hooks = {.progress = bar ? progress : NULL, .user = &shown};
  char *folder = cli_folder(o->model);
  lim_inverse *r = NULL;
  code = folder ? lim_inverse_new(&r, m, folder, &hooks, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK && o->json) as_json(out, r);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, m, r);
  lim_inverse_free(r);
  free(folder);
  lim_model_free(m);
  return code;
}
