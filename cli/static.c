// static.c - limber static: where does the arm rest under gravity and loads?
#include "cli.h"

#include <math.h>
#include <string.h>

// A heading with a unit for each of x, y, z.
static void three_heads(cli_table *t, const char *what, cli_prefix prefix, const char *unit) {
  for (int i = 0; i < 3; i++) cli_table_cell(t, "%s%c [%s%s]", what, "xyz"[i], prefix.sign, unit);
}

static void three(cli_table *t, const lim_answer *a, const char *key, cli_prefix prefix) {
  const double *x = lim_answer_array(a, key, NULL);
  for (int i = 0; i < 3; i++) cli_table_number(t, x[i], prefix);
}

// The largest component of a vector of all entries of an object.
static double largest(const lim_answer *object, const char *key) {
  double max = 0;
  for (int i = 0; i < lim_answer_count(object, NULL); i++) {
    const double *x = lim_answer_array(lim_answer_item(object, NULL, i), key, NULL);
    max = fmax(max, fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))));
  }
  return max;
}

static void table_of_frames(cli_text *out, const lim_answer *frames) {
  double far = largest(frames, "position"), moved = largest(frames, "displacement");
  cli_prefix at = cli_prefix_of(far < 10 ? fmin(far, 0.9) : far), by = cli_prefix_of(moved); // arms: in mm
  cli_table t = cli_table_start("lrrrrrr");
  cli_table_cell(&t, "frame");
  three_heads(&t, "", at, "m");
  three_heads(&t, "d", by, "m");
  for (int i = 0; i < lim_answer_count(frames, NULL); i++) {
    const lim_answer *x = lim_answer_item(frames, NULL, i);
    cli_table_cell(&t, "%s", lim_answer_key(frames, NULL, i));
    three(&t, x, "position", at);
    three(&t, x, "displacement", by);
  }
  cli_table_end(&t, out);
}

// Whether some joint with one freedom came to rest by itself: its position is an answer.
static bool any_released(const lim_answer *joints) {
  for (int i = 0; i < lim_answer_count(joints, NULL); i++) {
    const lim_answer *x = lim_answer_item(joints, NULL, i);
    if (lim_answer_at(x, "released") && lim_answer_at(x, "position")) return true;
  }
  return false;
}

// "12.3 deg", "40.2 mm"; joints with several freedoms have none.
static void position_cell(cli_table *t, const lim_answer *joint) {
  char buffer[CLI_CELL];
  const char *unit = lim_answer_unit(joint, "position");
  const double x = lim_answer_number(joint, "position");
  if (!unit)
    cli_table_cell(t, "%s", "");
  else if (!strcmp(unit, "rad"))
    cli_table_cell(t, "%.5g deg", x * 180 / M_PI);
  else
    cli_table_cell(t, "%s", cli_quantity(buffer, x, unit));
}

static void table_of_joints(cli_text *out, const lim_answer *joints) {
  char buffer[CLI_CELL];
  const bool released = any_released(joints);
  cli_prefix F = cli_prefix_of(largest(joints, "force")), M = cli_prefix_of(largest(joints, "moment"));
  cli_table t = cli_table_start(released ? "lrrrrrrrr" : "lrrrrrrr");
  cli_table_cell(&t, "joint");
  if (released) cli_table_cell(&t, "position");
  cli_table_cell(&t, "effort");
  three_heads(&t, "F", F, "N");
  three_heads(&t, "M", M, "N m");
  for (int i = 0; i < lim_answer_count(joints, NULL); i++) {
    const lim_answer *x = lim_answer_item(joints, NULL, i);
    cli_table_cell(&t, "%s", lim_answer_key(joints, NULL, i));
    if (released) position_cell(&t, x);
    cli_table_cell(&t, "%s",
                   cli_quantity(buffer, lim_answer_number(x, "effort"), lim_answer_unit(x, "effort")));
    three(&t, x, "force", F);
    three(&t, x, "moment", M);
  }
  cli_table_end(&t, out);
}

static void table_of_couplings(cli_text *out, const lim_answer *couplings) {
  char buffer[CLI_CELL];
  cli_table t = cli_table_start("lr");
  cli_table_cell(&t, "coupling");
  cli_table_cell(&t, "effort");
  for (int i = 0; i < lim_answer_count(couplings, NULL); i++) {
    const lim_answer *x = lim_answer_item(couplings, NULL, i);
    cli_table_cell(&t, "%s", lim_answer_key(couplings, NULL, i));
    cli_table_cell(&t, "%s",
                   cli_quantity(buffer, lim_answer_number(x, "effort"), lim_answer_unit(x, "effort")));
  }
  cli_table_end(&t, out);
}

static void table_of_contacts(cli_text *out, const lim_answer *contacts) {
  char buffer[CLI_CELL];
  cli_prefix F = cli_prefix_of(largest(contacts, "force"));
  cli_table t = cli_table_start("llrrrr");
  cli_table_cell(&t, "contact");
  cli_table_cell(&t, "state");
  three_heads(&t, "F", F, "N");
  cli_table_cell(&t, "depth");
  for (int i = 0; i < lim_answer_count(contacts, NULL); i++) {
    const lim_answer *x = lim_answer_item(contacts, NULL, i);
    cli_table_cell(&t, "%s", lim_answer_key(contacts, NULL, i));
    cli_table_cell(&t, "%s", lim_answer_text(x, "state"));
    three(&t, x, "force", F);
    cli_table_cell(&t, "%s", cli_quantity(buffer, lim_answer_number(x, "depth"), "m"));
  }
  cli_table_end(&t, out);
}

// Joints that press on their stops.
static void say_stops(cli_text *out, const lim_answer *joints) {
  char buffer[CLI_CELL];
  bool any = false;
  for (int i = 0; i < lim_answer_count(joints, NULL); i++) {
    const lim_answer *x = lim_answer_item(joints, NULL, i);
    if (!lim_answer_at(x, "stop") || lim_answer_number(x, "stop") == 0) continue;
    cli_add(out, "%s  %s presses on its stop: %s\n", any ? "" : "\n", lim_answer_key(joints, NULL, i),
            cli_quantity(buffer, fabs(lim_answer_number(x, "stop")), lim_answer_unit(x, "stop")));
    any = true;
  }
}

static void table_of_gauges(cli_text *out, const lim_answer *gauges) {
  cli_table t = cli_table_start("lrr");
  cli_table_cell(&t, "gauge");
  cli_table_cell(&t, "strain [µm/m]");
  cli_table_cell(&t, "stress [MPa]");
  for (int i = 0; i < lim_answer_count(gauges, NULL); i++) {
    const lim_answer *x = lim_answer_item(gauges, NULL, i);
    cli_table_cell(&t, "%s", lim_answer_key(gauges, NULL, i));
    cli_table_number(&t, lim_answer_number(x, "strain"), (cli_prefix){1e-6, 0, "µ"});
    cli_table_number(&t, lim_answer_number(x, "stress"), (cli_prefix){1e6, 0, "M"});
  }
  cli_table_end(&t, out);
}

static void say_stress(cli_text *out, const char *link, double stress, double utilisation) {
  char buffer[CLI_CELL];
  cli_add(out, "  largest stress in %s: %s (von Mises)", link, cli_quantity(buffer, stress, "Pa"));
  if (!isnan(utilisation)) cli_add(out, ", %.3g of its yield strength", utilisation);
  cli_add(out, "\n");
}

// An entry of an object of numbers by its key, which may hold anything.
static double entry(const lim_answer *object, const char *key) {
  for (int i = 0; i < lim_answer_count(object, NULL); i++)
    if (!strcmp(lim_answer_key(object, NULL, i), key))
      return lim_answer_number(lim_answer_item(object, NULL, i), NULL);
  return NAN;
}

static void say_stresses(cli_text *out, const lim_answer *a) {
  for (int i = 0; i < lim_answer_count(a, "stress"); i++) {
    const char *link = lim_answer_key(a, "stress", i);
    double stress = lim_answer_number(lim_answer_item(a, "stress", i), NULL);
    if (isnan(stress))
      cli_add(
          out,
          "  stress in %s: unknown, a section lacks its outer size y, z, or finite elements their material\n",
          link);
    else
      say_stress(out, link, stress, entry(lim_answer_at(a, "utilisation"), link));
  }
}

static void as_table(cli_text *out, const char *title, const lim_answer *a) {
  cli_add(out, "%s at rest\n\n", title);
  table_of_frames(out, lim_answer_at(a, "frames"));
  cli_add(out, "\n");
  table_of_joints(out, lim_answer_at(a, "joints"));
  if (lim_answer_count(a, "couplings")) {
    cli_add(out, "\n");
    table_of_couplings(out, lim_answer_at(a, "couplings"));
  }
  say_stops(out, lim_answer_at(a, "joints"));
  if (lim_answer_count(a, "contacts")) {
    cli_add(out, "\n");
    table_of_contacts(out, lim_answer_at(a, "contacts"));
  }
  if (lim_answer_count(a, "gauges")) {
    cli_add(out, "\n");
    table_of_gauges(out, lim_answer_at(a, "gauges"));
  }
  if (lim_answer_count(a, "stress")) cli_add(out, "\n");
  say_stresses(out, a);
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  cli_case c;
  lim_answer *a = NULL;
  lim_static_options options = lim_static_options_default();
  options.folder = o->folder;
  lim_code code = cli_open(&c, o, err);
  if (code == LIM_OK) code = lim_study_static(&a, c.study, &options, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, lim_model_name(c.model), a);
  if (code == LIM_OK && cli_in_words(o)) cli_say_written(out, o);
  lim_answer_free(a);
  cli_close(&c);
  return code;
}

const cli_command cli_static = {
    .name = "static",
    .question = "where does the arm rest under gravity and loads?",
    .arguments = "MODEL",
    .options = "allow",
    .words = 1,
    .output = CLI_EITHER,
    .writes = CLI_FOLDER_HOLDS,
    .run = run,
};
