// modes.c - limber modes: natural frequencies, damping ratios and mode shapes.
#include "analysis/modes.h"
#include "base/error.h"
#include "cli.h"
#include "report/report.h"
#include "result/still.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void json_shape(lim_json *j, const lim_modes *r, const lim_natural_mode *mode) {
  lim_json_object(j);
  for (int i = 0; i < r->links.count; i++) {
    const lim_mode_link *link = &r->links.item[i];
    lim_json_key(j, link->name);
    lim_json_list(j);
    for (int k = link->first; k < link->first + link->nnode; k++) lim_json_numbers(j, mode->shape + 6 * k, 6);
    lim_json_end(j, ']');
  }
  lim_json_end(j, '}');
}

static void json_joints(lim_json *j, const lim_modes *r) {
  lim_json_key(j, "joints");
  lim_json_text(j, r->joints);
  lim_json_key(j, "joint");
  lim_json_object(j);
  for (int i = 0; i < r->joint.count; i++) {
    lim_json_key(j, r->joint.item[i].name);
    lim_json_text(j, r->joint.item[i].held);
  }
  lim_json_end(j, '}');
}

static void as_json(lim_text *out, const lim_modes *r) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  json_joints(&j, r);
  lim_json_key(&j, "rigid_modes");
  lim_json_int(&j, r->rigid);
  lim_json_key(&j, "unstable_modes");
  lim_json_int(&j, r->unstable);
  lim_json_key(&j, "frequencies_hz");
  lim_json_flat(&j);
  for (int i = 0; i < r->modes.count; i++) lim_json_number(&j, r->modes.item[i].frequency);
  lim_json_end(&j, ']');
  lim_json_key(&j, "damping_ratios");
  lim_json_flat(&j);
  for (int i = 0; i < r->modes.count; i++) lim_json_number(&j, r->modes.item[i].damping);
  lim_json_end(&j, ']');
  lim_json_key(&j, "kinds");
  lim_json_flat(&j);
  for (int i = 0; i < r->modes.count; i++) lim_json_text(&j, r->modes.item[i].kind);
  lim_json_end(&j, ']');
  lim_json_key(&j, "shapes");
  lim_json_list(&j);
  for (int i = 0; i < r->modes.count; i++) {
    json_shape(&j, r, &r->modes.item[i]);
  }
  lim_json_end(&j, ']');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

// Decimals that show four digits of the lowest frequency, and so at least four of each.
static int decimals(const lim_modes *r) {
  double lowest = r->modes.count ? r->modes.item[0].frequency : 1;
  int n = lowest > 0 ? 3 - (int)floor(log10(lowest)) : 3;
  return n < 0 ? 0 : n > 9 ? 9 : n;
}

static void table_of_modes(lim_text *out, const lim_modes *r) {
  static const char *const head[] = {"mode", "frequency [Hz]", "damping [%]", "what moves most"};
  cli_table t = cli_table_start("rrrl");
  for (int i = 0; i < 4; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < r->modes.count; i++) {
    cli_table_cell(&t, "%d", i + 1);
    cli_table_cell(&t, "%.*f", decimals(r), r->modes.item[i].frequency);
    cli_table_cell(&t, "%.3f", 100 * r->modes.item[i].damping);
    cli_table_cell(&t, "%s", r->modes.item[i].kind);
  }
  cli_table_end(&t, out);
}

// "joint locked", "joints free", "joints shoulder held, elbow locked"
static void words_for_joints(lim_text *out, const lim_modes *r) {
  lim_text_add(out, "joint%s ", r->joint.count > 1 ? "s" : "");
  if (strcmp(r->joints, "mixed")) lim_text_add(out, "%s", r->joints);
  for (int i = 0; !strcmp(r->joints, "mixed") && i < r->joint.count; i++)
    lim_text_add(out, "%s%s %s", i ? ", " : "", r->joint.item[i].name, r->joint.item[i].held);
}

static void as_table(lim_text *out, const lim_model *m, const lim_modes *r) {
  lim_text_add(out, "%s, ", m->title);
  words_for_joints(out, r);
  lim_text_add(out, ", %s\n\n", m->solver.start == 1 ? "under its loads" : "undeformed");
  if (r->modes.count)
    table_of_modes(out, r);
  else
    lim_text_add(out, "  nothing that could vibrate\n");
  if (r->rigid) lim_text_add(out, "\n  and %d rigid-body mode%s\n", r->rigid, r->rigid > 1 ? "s" : "");
  if (r->unstable)
    lim_text_add(out, "\n  and %d unstable mode%s: the arm does not stay here\n", r->unstable,
                 r->unstable > 1 ? "s" : "");
}

static lim_joints joints_of(const char *word) {
  if (!word) return LIM_JOINTS_DEFAULT;
  return !strcmp(word, "free")     ? LIM_JOINTS_FREE
         : !strcmp(word, "locked") ? LIM_JOINTS_LOCKED
                                   : LIM_JOINTS_HELD;
}

static lim_code fill_folder(const cli_options *o, const lim_model *m, const lim_modes *r, lim_error *err) {
  lim_text summary = {0};
  char *text = cli_text_of(o->model);
  const lim_recorder_setup setup = {
      .model = m, .directory = o->folder, .text = text, .set = o->set, .nset = o->nset};
  as_json(&summary, r);
  lim_code code = summary.failed ? LIM_FAIL(err, LIM_NO_MEMORY, "out of memory")
                                 : lim_still_write_modes(&setup, r, summary.text, err);
  if (code == LIM_OK) code = lim_report_folder(o->folder, err);
  lim_text_free(&summary);
  free(text);
  return code;
}

lim_code cli_modes(lim_text *out, const cli_options *o, lim_error *err) {
  lim_model *m;
  lim_code code = cli_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  char *folder = cli_folder(o->model);
  lim_modes *r = NULL;
  code = folder ? lim_modes_new(&r, m, folder, joints_of(o->joints), o->count, err)
                : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK && o->folder) code = fill_folder(o, m, r, err);
  if (code == LIM_OK && o->json) as_json(out, r);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, m, r);
  if (code == LIM_OK && cli_in_words(o)) cli_say_written(out, o);
  lim_modes_free(r);
  free(folder);
  lim_model_free(m);
  return code;
}
