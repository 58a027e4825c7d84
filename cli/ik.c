// ik.c - limber ik: joint positions that put a frame at a pose; or, without one, where a frame is and how
// joints move it.
#include "cli.h"

#include <math.h>
#include <string.h>

enum { ACROSS = 8 }; // columns of a table

void cli_ik_option(lim_ik_options *p, const char *name, const char *value) {
  const struct {
    const char *name, **to;
  } texts[] = {{"frame", &p->frame},        {"position", &p->position}, {"rpy", &p->rpy},
               {"near", &p->near},          {"hold", &p->hold},         {"rest", &p->rest},
               {"tolerance", &p->tolerance}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp(name, texts[i].name)) *texts[i].to = value;
  if (!strcmp(name, "all")) p->all = 1;
  if (!strcmp(name, "deformed")) p->deformed = 1;
}

// --- pose and Jacobian ---

static void table_of_jacobian(cli_text *out, const lim_answer *a) {
  static const char *const row[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  int n; // joints that follow come after those that have columns
  lim_answer_array(lim_answer_item(a, "jacobian", 0), NULL, &n);
  for (int first = 0; first < n; first += ACROSS) {
    int last = first + ACROSS < n ? first + ACROSS : n;
    cli_table t = cli_table_start("lrrrrrrrr");
    t.columns = 1 + last - first;
    cli_table_cell(&t, "per speed of");
    for (int k = first; k < last; k++) cli_table_cell(&t, "%s", lim_answer_key(a, "joints", k));
    for (int i = 0; i < 6; i++) {
      const double *J = lim_answer_array(lim_answer_item(a, "jacobian", i), NULL, NULL);
      cli_table_cell(&t, "%s", row[i]);
      for (int k = first; k < last; k++) cli_table_cell(&t, "%.5g", fabs(J[k]) < 1e-12 ? 0 : J[k]);
    }
    cli_table_end(&t, out);
    cli_add(out, "\n");
  }
}

// No -0, no rounding.
static double plain(double x, double size) { return fabs(x) < 1e-12 * size ? 0 : x; }

static void say_pose(cli_text *out, const char *title, const lim_answer *a) {
  const double *p = lim_answer_array(a, "position", NULL), *rpy = lim_answer_array(a, "rpy", NULL);
  double size = lim_answer_number(a, "length"), deg = 180 / M_PI;
  int n;
  const double *s = lim_answer_array(a, "singular_values", &n);
  cli_add(out, "%s, frame %s\n\n", title, lim_answer_text(a, "frame"));
  cli_add(out, "  position  %.6g  %.6g  %.6g m\n", plain(p[0], size), plain(p[1], size), plain(p[2], size));
  cli_add(out, "  rpy       %.6g  %.6g  %.6g deg\n\n", plain(rpy[0], 1) * deg, plain(rpy[1], 1) * deg,
          plain(rpy[2], 1) * deg);
  table_of_jacobian(out, a);
  cli_add(out, "  singular values (rotations by %.4g m per rad):", size);
  for (int i = 0; i < n; i++) cli_add(out, " %.4g", s[i]);
  cli_add(out, "\n");
  const char *singular = lim_answer_text(a, "singular");
  if (*singular) cli_add(out, "  singular: %s\n", singular);
}

// --- solutions ---

// The i-th solution; where there is none, what is nearest.
static const lim_answer *posture(const lim_answer *a, int i) {
  return lim_answer_count(a, "solutions") ? lim_answer_item(a, "solutions", i) : lim_answer_at(a, "nearest");
}

static void table_of_solutions(cli_text *out, const lim_answer *a, const char *key, int from, int to,
                               bool numbered) {
  const lim_answer *joints = lim_answer_at(posture(a, 0), key);
  cli_table t = cli_table_start("llrrrrrrrr");
  t.columns = 2 + to - from;
  cli_table_cell(&t, strcmp(key, "joints") ? "follows" : "joint");
  cli_table_cell(&t, "unit");
  for (int i = from; i < to; i++)
    if (numbered)
      cli_table_cell(&t, "%d", i + 1);
    else
      cli_table_cell(&t, "position");
  for (int k = 0; k < lim_answer_count(joints, NULL); k++) {
    bool slides = !strcmp(lim_answer_unit(lim_answer_item(joints, NULL, k), NULL), "m");
    cli_table_cell(&t, "%s", lim_answer_key(joints, NULL, k));
    cli_table_cell(&t, "%s", slides ? "mm" : "deg");
    for (int i = from; i < to; i++) {
      double q = lim_answer_number(lim_answer_item(posture(a, i), key, k), NULL);
      double value = q * (slides ? 1000 : 180 / M_PI);
      cli_table_cell(&t, "%.3f", fabs(value) < 5e-4 ? 0 : value);
    }
  }
  cli_table_end(&t, out);
  cli_add(out, "\n");
}

static void say_singular(cli_text *out, const lim_answer *a, int shown) {
  for (int i = 0; i < shown; i++) {
    const char *singular = lim_answer_text(posture(a, i), "singular");
    if (!*singular) continue;
    if (shown > 1)
      cli_add(out, "  solution %d is singular: %s\n", i + 1, singular);
    else
      cli_add(out, "  singular: %s\n", singular);
  }
}

static const char *how(const char *method) {
  static const char *const words[][2] = {
      {"wrist", "closed form: three joints place the wrist, three axes that meet turn it"},
      {"parallel", "closed form: three joints in parallel planes, two axes that meet"},
      {"point", "closed form: three joints place a point"},
      {"planar", "closed form of a planar arm"},
      {"search", "damped least squares"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i][0], method)) return words[i][1];
  return method;
}

static void say_solutions(cli_text *out, const char *title, const lim_answer *a, bool turned) {
  const double *p = lim_answer_array(a, "position", NULL);
  int count = lim_answer_count(a, "solutions"), shown = count ? count : 1;
  cli_add(out, "%s, frame %s at %.6g, %.6g, %.6g m%s\n\n", title, lim_answer_text(a, "frame"), p[0], p[1], p[2],
          turned ? "" : ", turned any way");
  if (count == 0) cli_add(out, "  not reached; as near as it gets:\n");
  for (int from = 0; from < shown; from += ACROSS) {
    int to = from + ACROSS < shown ? from + ACROSS : shown;
    table_of_solutions(out, a, "joints", from, to, shown > 1);
    if (lim_answer_count(posture(a, 0), "passive")) table_of_solutions(out, a, "passive", from, to, shown > 1);
  }
  if (count > 1) cli_add(out, "  %d solutions\n", count);
  cli_add(out, "  %s\n", how(lim_answer_text(a, "method")));
  if (count) cli_add(out, "  left: %.2g m%s", lim_answer_number(a, "distance"), turned ? "" : "\n");
  if (count && turned) cli_add(out, ", %.2g rad\n", lim_answer_number(a, "angle"));
  if (lim_answer_at(posture(a, 0), "gap"))
    cli_add(out, "  loops closed to %.2g\n", lim_answer_number(posture(a, 0), "gap"));
  say_singular(out, a, shown);
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_ik_options options = o->ik;
  lim_model *m = NULL;
  lim_answer *a = NULL;
  options.joints = o->joints;
  lim_code code = cli_load(&m, o, err);
  if (code == LIM_OK) code = lim_model_ik(&a, m, &options, err);
  if (a && o->json) cli_say_json(out, a);
  if (a && cli_in_words(o) && o->ik.position) say_solutions(out, lim_model_name(m), a, o->ik.rpy);
  if (a && cli_in_words(o) && !o->ik.position) say_pose(out, lim_model_name(m), a);
  lim_answer_free(a);
  lim_model_free(m);
  return code;
}

const cli_command cli_ik = {
    .name = "ik",
    .question =
        "which joint positions put a frame at a pose (without one: where is it, and how do joints move it)?",
    .arguments = "MODEL",
    .options = "frame position rpy near all deformed hold rest tolerance joints allow",
    .words = 1,
    .output = CLI_FILE,
    .run = run,
};
