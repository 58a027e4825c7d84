// static.c - limber static: where does the arm rest under gravity and loads?
#include "analysis/static.h"
#include "base/error.h"
#include "cli.h"
#include "report/report.h"
#include "result/still.h"
#include "result/warnings.h"

#include <math.h>
#include <stdlib.h>

static void numbers(lim_json *j, const char *key, const double x[3]) {
  lim_json_key(j, key);
  lim_json_numbers(j, x, 3);
}

static void json_frames(lim_json *j, const lim_static *s) {
  lim_json_key(j, "frames");
  lim_json_object(j);
  for (int i = 0; i < s->frames.count; i++) {
    lim_json_key(j, s->frames.item[i].name);
    lim_json_object(j);
    numbers(j, "position", s->frames.item[i].position);
    numbers(j, "displacement", s->frames.item[i].displacement);
    numbers(j, "rotation", s->frames.item[i].rotation);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

static void json_joints(lim_json *j, const lim_static *s) {
  lim_json_key(j, "joints");
  lim_json_object(j);
  for (int i = 0; i < s->joints.count; i++) {
    lim_json_key(j, s->joints.item[i].name);
    lim_json_object(j);
    lim_json_key(j, "effort");
    lim_json_number(j, s->joints.item[i].effort);
    numbers(j, "force", s->joints.item[i].force);
    numbers(j, "moment", s->joints.item[i].moment);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

static void json_links(lim_json *j, const lim_static *s, const char *key, bool turn) {
  lim_json_key(j, key);
  lim_json_object(j);
  for (int i = 0; i < s->links.count; i++) {
    lim_json_key(j, s->links.item[i].name);
    lim_json_number(j, turn ? s->links.item[i].turn : s->links.item[i].stress);
  }
  lim_json_end(j, '}');
}

static void json_gauges(lim_json *j, const lim_static *s) {
  lim_json_key(j, "gauges");
  lim_json_object(j);
  for (int i = 0; i < s->gauges.count; i++) {
    lim_text name = {0};
    lim_text_add(&name, "%s.%s", s->gauges.item[i].link, s->gauges.item[i].name);
    lim_json_key(j, name.text ? name.text : "");
    lim_json_object(j);
    lim_json_key(j, "strain");
    lim_json_number(j, s->gauges.item[i].strain);
    lim_json_key(j, "stress");
    lim_json_number(j, s->gauges.item[i].stress);
    lim_json_end(j, '}');
    lim_text_free(&name);
  }
  lim_json_end(j, '}');
}

static void as_json(lim_text *out, const lim_static *s) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  json_frames(&j, s);
  json_joints(&j, s);
  json_links(&j, s, "stress", false);
  json_links(&j, s, "turn", true);
  json_gauges(&j, s);
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

// A heading with a unit for each of x, y, z.
static void three_heads(cli_table *t, const char *what, cli_prefix prefix, const char *unit) {
  for (int i = 0; i < 3; i++) cli_table_cell(t, "%s%c [%s%s]", what, "xyz"[i], prefix.sign, unit);
}

static void three(cli_table *t, const double x[3], cli_prefix prefix) {
  for (int i = 0; i < 3; i++) cli_table_number(t, x[i], prefix);
}

static double larger(double most, const double x[3]) {
  return fmax(most, fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))));
}

static void table_of_frames(lim_text *out, const lim_static *s) {
  double far = 0, moved = 0;
  for (int i = 0; i < s->frames.count; i++) {
    far = larger(far, s->frames.item[i].position);
    moved = larger(moved, s->frames.item[i].displacement);
  }
  cli_prefix at = cli_prefix_of(far < 10 ? fmin(far, 0.9) : far), by = cli_prefix_of(moved); // arms: in mm
  cli_table t = cli_table_start("lrrrrrr");
  cli_table_cell(&t, "frame");
  three_heads(&t, "", at, "m");
  three_heads(&t, "d", by, "m");
  for (int i = 0; i < s->frames.count; i++) {
    cli_table_cell(&t, "%s", s->frames.item[i].name);
    three(&t, s->frames.item[i].position, at);
    three(&t, s->frames.item[i].displacement, by);
  }
  cli_table_end(&t, out);
}

static void table_of_joints(lim_text *out, const lim_static *s) {
  char room[CLI_CELL];
  double force = 0, moment = 0;
  for (int i = 0; i < s->joints.count; i++) {
    force = larger(force, s->joints.item[i].force);
    moment = larger(moment, s->joints.item[i].moment);
  }
  cli_prefix F = cli_prefix_of(force), M = cli_prefix_of(moment);
  cli_table t = cli_table_start("lrrrrrrr");
  cli_table_cell(&t, "joint");
  cli_table_cell(&t, "effort");
  three_heads(&t, "F", F, "N");
  three_heads(&t, "M", M, "N m");
  for (int i = 0; i < s->joints.count; i++) {
    cli_table_cell(&t, "%s", s->joints.item[i].name);
    cli_table_cell(&t, "%s",
                   cli_quantity(room, s->joints.item[i].effort, s->joints.item[i].slides ? "N" : "N m"));
    three(&t, s->joints.item[i].force, F);
    three(&t, s->joints.item[i].moment, M);
  }
  cli_table_end(&t, out);
}

static void table_of_gauges(lim_text *out, const lim_static *s) {
  cli_table t = cli_table_start("lrr");
  cli_table_cell(&t, "gauge");
  cli_table_cell(&t, "strain [µm/m]");
  cli_table_cell(&t, "stress [MPa]");
  for (int i = 0; i < s->gauges.count; i++) {
    const lim_static_gauge *g = &s->gauges.item[i];
    cli_table_cell(&t, "%s.%s", g->link, g->name);
    cli_table_number(&t, g->strain, (cli_prefix){1e-6, 0, "µ"});
    cli_table_number(&t, g->stress, (cli_prefix){1e6, 0, "M"});
  }
  cli_table_end(&t, out);
}

// Within a segment deflections are small by assumption.
static void warn_of_turns(lim_text *out, const lim_static *s) {
  char text[LIM_WARNING_LENGTH];
  for (int i = 0; i < s->links.count; i++)
    if (lim_static_warning(text, &s->links.item[i])) lim_text_add(out, "  %s\n", text);
}

static void as_table(lim_text *out, const lim_model *m, const lim_static *s) {
  char room[CLI_CELL];
  lim_text_add(out, "%s at rest\n\n", m->title);
  table_of_frames(out, s);
  lim_text_add(out, "\n");
  table_of_joints(out, s);
  if (s->gauges.count) lim_text_add(out, "\n");
  if (s->gauges.count) table_of_gauges(out, s);
  if (s->links.count) lim_text_add(out, "\n");
  for (int i = 0; i < s->links.count; i++)
    if (isnan(s->links.item[i].stress))
      lim_text_add(out, "  stress in %s: unknown, a section lacks its outer size y, z\n",
                   s->links.item[i].name);
    else
      lim_text_add(out, "  largest stress in %s: %s (von Mises)\n", s->links.item[i].name,
                   cli_quantity(room, s->links.item[i].stress, "Pa"));
  warn_of_turns(out, s);
}

static lim_code fill_folder(const cli_options *o, const lim_model *m, const lim_static *s, lim_error *err) {
  lim_text summary = {0};
  char *text = cli_text_of(o->model);
  const lim_recorder_setup setup = {
      .model = m, .directory = o->folder, .text = text, .set = o->set, .nset = o->nset};
  as_json(&summary, s);
  lim_code code = summary.failed ? LIM_FAIL(err, LIM_NO_MEMORY, "out of memory")
                                 : lim_still_write_static(&setup, s, summary.text, err);
  if (code == LIM_OK) code = lim_report_folder(o->folder, err);
  lim_text_free(&summary);
  free(text);
  return code;
}

lim_code cli_static(lim_text *out, const cli_options *o, lim_error *err) {
  lim_model *m;
  lim_code code = cli_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  char *folder = cli_folder(o->model);
  lim_static *s = NULL;
  code = folder ? lim_static_new(&s, m, folder, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK && o->folder) code = fill_folder(o, m, s, err);
  if (code == LIM_OK && o->json) as_json(out, s);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, m, s);
  if (code == LIM_OK && cli_in_words(o)) cli_say_written(out, o);
  lim_static_free(s);
  free(folder);
  lim_model_free(m);
  return code;
}
