// inertia.c - limber inertia: which inertia does each joint, and its motor, have to accelerate?
#include "analysis/inertia.h"
#include "base/error.h"
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const routes[] = {"mass", "jacobian"};

// --- JSON and CSV ---

static void json_series(lim_json *j, const char *key, const double *x, const lim_inertia *r) {
  lim_json_key(j, key);
  if (r->along)
    lim_json_numbers(j, x, r->n);
  else
    lim_json_number(j, x[0]);
}

// Whether its controller is given by a bandwidth.
static bool designed(const lim_inertia_joint *x) { return !isnan(x->kv[0]); }

static void json_joint(lim_json *j, const lim_inertia_joint *x, const lim_inertia *r) {
  lim_json_key(j, x->name);
  lim_json_object(j);
  json_series(j, "inertia", x->joint, r);
  json_series(j, "arm", x->arm, r);
  lim_json_key(j, "motor");
  lim_json_number(j, x->rotor);
  lim_json_key(j, "ratio");
  lim_json_number(j, x->ratio);
  if (x->motor) {
    json_series(j, "motor_side", x->motor_side, r);
  } else {
    lim_json_key(j, "motor_side");
    lim_json_number(j, NAN);
  }
  if (designed(x)) {
    json_series(j, "kp", x->kp, r);
    json_series(j, "kv", x->kv, r);
  }
  lim_json_end(j, '}');
}

static void as_json(lim_text *out, const lim_inertia *r, lim_inertia_route route) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "route");
  lim_json_text(&j, routes[route]);
  json_series(&j, "time", r->time, r);
  lim_json_key(&j, "joints");
  lim_json_object(&j);
  for (int i = 0; i < r->joints.count; i++) json_joint(&j, &r->joints.item[i], r);
  lim_json_end(&j, '}');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

// ,name.what [unit], in quotes where the name holds one (RFC 4180); names hold no commas.
static void csv_name(lim_text *out, const char *name, const char *what, const char *unit) {
  const char *quote = strchr(name, '"') ? "\"" : "";
  lim_text_add(out, ",%s", quote);
  for (const char *s = name; *s; s++) lim_text_add(out, *s == '"' ? "\"\"" : "%c", *s);
  lim_text_add(out, ".%s [%s]%s", what, unit, quote);
}

static void as_csv(lim_text *out, const lim_inertia *r) {
  lim_text_add(out, "t [s]");
  for (int i = 0; i < r->joints.count; i++) {
    const lim_inertia_joint *j = &r->joints.item[i];
    csv_name(out, j->name, "inertia", j->slides ? "kg" : "kg m^2");
    csv_name(out, j->name, "arm", j->slides ? "kg" : "kg m^2");
    if (j->motor) csv_name(out, j->name, "motor_side", "kg m^2");
  }
  for (int k = 0; k < r->n; k++) {
    lim_text_add(out, "\n%.15g", r->time[k]);
    for (int i = 0; i < r->joints.count; i++) {
      const lim_inertia_joint *j = &r->joints.item[i];
      lim_text_add(out, ",%.17g,%.17g", j->joint[k], j->arm[k]);
      if (j->motor) lim_text_add(out, ",%.17g", j->motor_side[k]);
    }
  }
  lim_text_add(out, "\n");
}

// --- in words ---

static bool any_designed(const lim_inertia *r) {
  for (int i = 0; i < r->joints.count; i++)
    if (designed(&r->joints.item[i])) return true;
  return false;
}

static void table_of_moment(lim_text *out, const lim_inertia *r) {
  static const char *const head[] = {"joint",        "unit",         "arm", "rotor", "ratio",
                                     "at the motor", "at the joint", "kp",  "kv"};
  int columns = any_designed(r) ? 9 : 7;
  cli_table t = cli_table_start(columns == 9 ? "llrrrrrrr" : "llrrrrr");
  for (int i = 0; i < columns; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < r->joints.count; i++) {
    const lim_inertia_joint *j = &r->joints.item[i];
    const double value[] = {j->rotor, j->ratio, j->motor_side[0], j->joint[0], j->kp[0], j->kv[0]};
    cli_table_cell(&t, "%s", j->name);
    cli_table_cell(&t, "%s", j->slides ? "kg" : "kg m^2");
    cli_table_cell(&t, "%.5g", j->arm[0]);
    for (int k = 0; k < columns - 3; k++)
      if (isnan(value[k]))
        cli_table_cell(&t, "-");
      else
        cli_table_cell(&t, "%.5g", value[k]);
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

static void table_of_motion(lim_text *out, const lim_inertia *r) {
  static const char *const head[] = {"joint",   "unit", "smallest",  "at t",
                                     "largest", "at t", "varies by", "at the motor"};
  cli_table t = cli_table_start("llrrrrrl");
  for (int i = 0; i < 8; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < r->joints.count; i++) {
    const lim_inertia_joint *j = &r->joints.item[i];
    int low, high;
    range_of(&low, &high, j->joint, r->n);
    cli_table_cell(&t, "%s", j->name);
    cli_table_cell(&t, "%s", j->slides ? "kg" : "kg m^2");
    cli_table_cell(&t, "%.5g", j->joint[low]);
    cli_table_cell(&t, "%.4g s", r->time[low]);
    cli_table_cell(&t, "%.5g", j->joint[high]);
    cli_table_cell(&t, "%.4g s", r->time[high]);
    cli_table_cell(&t, "%.3g %%", low == high ? 0 : 100 * (j->joint[high] / j->joint[low] - 1));
    if (j->motor)
      cli_table_cell(&t, "%.5g to %.5g", j->motor_side[low], j->motor_side[high]);
    else
      cli_table_cell(&t, "-");
  }
  cli_table_end(&t, out);
}

static bool any(const lim_inertia *r, bool slides) {
  for (int i = 0; i < r->joints.count; i++)
    if (r->joints.item[i].motor && (!slides || r->joints.item[i].slides)) return true;
  return false;
}

static void in_words(lim_text *out, const lim_model *m, const lim_inertia *r) {
  if (r->along)
    lim_text_add(out, "%s, effective inertia of its joints from t = %g to %g s\n\n", m->title, r->time[0],
                 r->time[r->n - 1]);
  else
    lim_text_add(out, "%s, effective inertia of its joints at t = %g s\n\n", m->title, r->time[0]);
  if (r->along)
    table_of_motion(out, r);
  else
    table_of_moment(out, r);
  lim_text_add(out, "\n  the other joints held, links as they are\n");
  if (!any(r, false)) return;
  lim_text_add(out, "  at the motor: rotor + arm/ratio^2 [kg m^2]; at the joint: arm + ratio^2 rotor\n");
  if (any(r, true)) lim_text_add(out, "  joints that slide: ratio in rad/m\n");
  if (!r->along && any_designed(r))
    lim_text_add(out,
                 "  kp [N m per rad or m of the joint], kv [N m s/rad of the rotor]: from the bandwidth\n");
}

// --- the command ---

static bool wants_csv(const cli_options *o) {
  size_t n = o->output ? strlen(o->output) : 0;
  return !o->json && n > 4 && !strcmp(o->output + n - 4, ".csv");
}

lim_code cli_inertia(lim_text *out, const cli_options *o, lim_error *err) {
  lim_model *m;
  lim_code code = cli_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  const lim_inertia_plan plan = {.route = o->route && !strcmp(o->route, routes[1]) ? LIM_ROUTE_JACOBIAN
                                                                                   : LIM_ROUTE_MASS,
                                 .count = o->along,
                                 .at = o->at};
  char *folder = cli_folder(o->model);
  lim_inertia *r = NULL;
  code = folder ? lim_inertia_new(&r, m, folder, &plan, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK && o->json) as_json(out, r, plan.route);
  if (code == LIM_OK && wants_csv(o)) as_csv(out, r);
  if (code == LIM_OK && !wants_csv(o) && cli_in_words(o)) in_words(out, m, r);
  lim_inertia_free(r);
  free(folder);
  lim_model_free(m);
  return code;
}
