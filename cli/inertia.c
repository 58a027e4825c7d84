// inertia.c - limber inertia: which inertia does each joint, and its motor, have to accelerate?
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// An entry of a joint at moment k: along a motion it is a list.
static double at(const lim_answer *joint, const char *key, int k) {
  const double *list = lim_answer_array(joint, key, NULL);
  return list ? list[k] : lim_answer_number(joint, key);
}

static bool has_motor(const lim_answer *joint) { return !isnan(at(joint, "motor_side", 0)); }
static bool slides(const lim_answer *joint) { return !strcmp(lim_answer_unit(joint, "inertia"), "kg"); }

// Moments that were asked for; along: there may be several.
static int moments(const lim_answer *a, bool *along) {
  *along = lim_answer_kind_of(a, "time") != LIM_ANSWER_NUMBER;
  return *along ? lim_answer_count(a, "time") : 1;
}

// --- CSV ---

// ,name.what [unit], in quotes where the name holds one (RFC 4180); names hold no commas.
static void csv_name(cli_text *out, const char *name, const char *what, const char *unit) {
  const char *quote = strchr(name, '"') ? "\"" : "";
  cli_add(out, ",%s", quote);
  for (const char *s = name; *s; s++) cli_add(out, *s == '"' ? "\"\"" : "%c", *s);
  cli_add(out, ".%s [%s]%s", what, unit, quote);
}

static void as_csv(cli_text *out, const lim_answer *a) {
  bool along;
  int n = moments(a, &along);
  cli_add(out, "t [s]");
  for (int i = 0; i < lim_answer_count(a, "joints"); i++) {
    const lim_answer *j = lim_answer_item(a, "joints", i);
    const char *name = lim_answer_key(a, "joints", i), *unit = lim_answer_unit(j, "inertia");
    csv_name(out, name, "inertia", unit);
    csv_name(out, name, "arm", unit);
    if (has_motor(j)) csv_name(out, name, "motor_side", "kg m^2");
  }
  for (int k = 0; k < n; k++) {
    cli_add(out, "\n%.15g", at(a, "time", k));
    for (int i = 0; i < lim_answer_count(a, "joints"); i++) {
      const lim_answer *j = lim_answer_item(a, "joints", i);
      cli_add(out, ",%.17g,%.17g", at(j, "inertia", k), at(j, "arm", k));
      if (has_motor(j)) cli_add(out, ",%.17g", at(j, "motor_side", k));
    }
  }
  cli_add(out, "\n");
}

// --- in words ---

// Whether some joint has a controller given by a bandwidth; a motor; a motor and slides.
static bool designed(const lim_answer *joint) { return lim_answer_at(joint, "kv"); }
static bool slides_by_motor(const lim_answer *joint) { return has_motor(joint) && slides(joint); }

static bool any(const lim_answer *a, bool (*of)(const lim_answer *joint)) {
  for (int i = 0; i < lim_answer_count(a, "joints"); i++)
    if (of(lim_answer_item(a, "joints", i))) return true;
  return false;
}

static void table_of_moment(cli_text *out, const lim_answer *a) {
  static const char *const head[] = {"joint",        "unit",         "arm", "rotor", "ratio",
                                     "at the motor", "at the joint", "kp",  "kv"};
  static const char *const key[] = {"motor", "ratio", "motor_side", "inertia", "kp", "kv"};
  int columns = any(a, designed) ? 9 : 7;
  cli_table t = cli_table_start(columns == 9 ? "llrrrrrrr" : "llrrrrr");
  for (int i = 0; i < columns; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(a, "joints"); i++) {
    const lim_answer *j = lim_answer_item(a, "joints", i);
    cli_table_cell(&t, "%s", lim_answer_key(a, "joints", i));
    cli_table_cell(&t, "%s", lim_answer_unit(j, "inertia"));
    cli_table_cell(&t, "%.5g", at(j, "arm", 0));
    for (int k = 0; k < columns - 3; k++) cli_table_cell(&t, "%.5g", at(j, key[k], 0));
  }
  cli_table_end(&t, out);
}

// Moments of the smallest and the largest inertia; what differs by rounding is the same.
static void range_of(int *low, int *high, const double *x, int n) {
  *low = *high = 0;
  for (int k = 1; k < n; k++) {
    if (x[k] < x[*low] * (1 - 1e-9)) *low = k;
    if (x[k] > x[*high] * (1 + 1e-9)) *high = k;
  }
}

static void table_of_motion(cli_text *out, const lim_answer *a, int n) {
  static const char *const head[] = {"joint",   "unit", "smallest",  "at t",
                                     "largest", "at t", "varies by", "at the motor"};
  const double *time = lim_answer_array(a, "time", NULL);
  cli_table t = cli_table_start("llrrrrrl");
  for (int i = 0; i < 8; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < lim_answer_count(a, "joints"); i++) {
    const lim_answer *j = lim_answer_item(a, "joints", i);
    const double *inertia = lim_answer_array(j, "inertia", NULL);
    int low, high;
    range_of(&low, &high, inertia, n);
    cli_table_cell(&t, "%s", lim_answer_key(a, "joints", i));
    cli_table_cell(&t, "%s", lim_answer_unit(j, "inertia"));
    cli_table_cell(&t, "%.5g", inertia[low]);
    cli_table_cell(&t, "%.4g s", time[low]);
    cli_table_cell(&t, "%.5g", inertia[high]);
    cli_table_cell(&t, "%.4g s", time[high]);
    cli_table_cell(&t, "%.3g %%", low == high ? 0 : 100 * (inertia[high] / inertia[low] - 1));
    if (has_motor(j))
      cli_table_cell(&t, "%.5g to %.5g", at(j, "motor_side", low), at(j, "motor_side", high));
    else
      cli_table_cell(&t, "-");
  }
  cli_table_end(&t, out);
}

static void in_words(cli_text *out, const char *title, const lim_answer *a) {
  bool along;
  int n = moments(a, &along);
  cli_add(out, "%s, effective inertia of its joints ", title);
  if (along)
    cli_add(out, "from t = %g to %g s\n\n", at(a, "time", 0), at(a, "time", n - 1));
  else
    cli_add(out, "at t = %g s\n\n", at(a, "time", 0));
  if (along)
    table_of_motion(out, a, n);
  else
    table_of_moment(out, a);
  cli_add(out, "\n  the other joints held (free and spherical ones recoil), links as they are\n");
  if (!any(a, has_motor)) return;
  cli_add(out, "  at the motor: rotor + arm/ratio^2 [kg m^2]; at the joint: arm + ratio^2 rotor\n");
  if (any(a, slides_by_motor)) cli_add(out, "  joints that slide: ratio in rad/m\n");
  if (!along && any(a, designed))
    cli_add(out, "  kp [N m per rad or m of the joint], kv [N m s/rad of the rotor]: from the bandwidth\n");
}

// --- the command ---

static bool wants_csv(const cli_options *o) {
  size_t n = o->output ? strlen(o->output) : 0;
  return !o->json && n > 4 && !strcmp(o->output + n - 4, ".csv");
}

enum { ROUTE, ALONG, AT };

static lim_code read_own(lim_inertia_options *x, const char *const *own, lim_error *err) {
  const char *route = own[ROUTE], *along = own[ALONG], *moment = own[AT];
  char *end;
  if (route && strcmp(route, "mass") && strcmp(route, "jacobian"))
    return cli_fail(err, LIM_BAD_INPUT, "--route is '%.40s', must be mass or jacobian", route);
  if (route) x->route = route;
  const long n = along ? strtol(along, &end, 10) : 2;
  if (along && (end == along || *end || n < 2 || n > 1000000))
    return cli_fail(err, LIM_BAD_INPUT, "--along is '%.40s', must be a whole number from 2 to 1000000", along);
  if (along) x->along = (int)n;
  const double t = moment ? strtod(moment, &end) : 0;
  if (moment && (end == moment || *end || !(t >= 0 && isfinite(t))))
    return cli_fail(err, LIM_BAD_INPUT, "--at is '%.40s', must be a time in seconds, at least 0", moment);
  if (moment) x->at = t;
  return LIM_OK;
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  cli_case c;
  lim_answer *a = NULL;
  lim_inertia_options options = lim_inertia_options_default();
  lim_code code = read_own(&options, o->own, err);
  if (code != LIM_OK) return code;
  code = cli_open(&c, o, err);
  if (code == LIM_OK) code = lim_study_inertia(&a, c.study, &options, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && wants_csv(o)) as_csv(out, a);
  if (code == LIM_OK && !wants_csv(o) && cli_in_words(o)) in_words(out, lim_model_name(c.model), a);
  lim_answer_free(a);
  cli_close(&c);
  return code;
}

const cli_command cli_inertia = {
    .name = "inertia",
    .question = "which inertia does each joint accelerate, seen from the joint and from its motor?",
    .arguments = "MODEL",
    .options = "allow",
    .own = {[ROUTE] = {"route", 0, "mass|jacobian",
                       "from the mass matrix, or from the nodes of the finite elements (default: mass)"},
            [ALONG] = {"along", 0, "COUNT", "moments of the motion, evenly spaced (default: one per record)"},
            [AT] = {"at", 0, "TIME", "one moment of the motion only, in seconds"}},
    .words = 1,
    .output = CLI_FILE,
    .writes = "the answer to PATH; one that ends with .csv gets a column per joint",
    .run = run,
};
