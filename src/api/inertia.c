// inertia.c - inertia that each joint, and its motor, has to accelerate: lim_study_inertia of limber.h.
#include "analysis/inertia.h"
#include "api/api.h"

#include <math.h>

static const char *const routes[] = {"mass", "jacobian", NULL};

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
  lim_json_unit(j, x->slides ? "kg" : "kg m^2");
  json_series(j, "arm", x->arm, r);
  lim_json_unit(j, x->slides ? "kg" : "kg m^2");
  lim_put_number(j, "motor", x->rotor);
  lim_put_number(j, "ratio", x->ratio);
  if (x->motor) {
    json_series(j, "motor_side", x->motor_side, r);
  } else {
    lim_put_number(j, "motor_side", NAN);
  }
  if (designed(x)) {
    json_series(j, "kp", x->kp, r);
    json_series(j, "kv", x->kv, r);
  }
  lim_json_end(j, '}');
}

static void fill(lim_json *j, const lim_inertia *r, lim_inertia_route route) {
  lim_put_text(j, "route", routes[route]);
  json_series(j, "time", r->time, r);
  lim_json_key(j, "joints");
  lim_json_object(j);
  for (int i = 0; i < r->joints.count; i++) json_joint(j, &r->joints.item[i], r);
  lim_json_end(j, '}');
}

static lim_code plan_of(lim_inertia_plan *plan, const lim_inertia_options *o, lim_error *err) {
  if (o->along && isfinite(o->at))
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "--along is about the whole motion, --at about one moment: give one of them");
  int route = lim_word_of(routes, "route", o->route, err);
  if (route < 0) return LIM_BAD_INPUT;
  if (o->along && (o->along < 2 || o->along > 1000000))
    return LIM_FAIL(err, LIM_BAD_INPUT, "%d moments are asked for, must be 2 to 1000000", o->along);
  *plan = (lim_inertia_plan){.route = route ? LIM_ROUTE_JACOBIAN : LIM_ROUTE_MASS,
                             .count = o->along,
                             .at = isfinite(o->at) ? o->at : NAN};
  if (plan->at < 0) return LIM_FAIL(err, LIM_BAD_INPUT, "the moment is %g s, must be at least 0", plan->at);
  return LIM_OK;
}

lim_code lim_study_inertia(lim_answer **out, const lim_study *study, const lim_inertia_options *options,
                           lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  lim_inertia_options o = lim_inertia_options_default();
  lim_inertia_plan plan;
  lim_inertia *r = NULL;
  lim_call_options(&call, &o, options);
  if (call.code == LIM_OK) call.code = plan_of(&plan, &o, &call.own);
  if (call.code == LIM_OK)
    call.code = lim_inertia_new(&r, &study->model, study->model.origin.folder, &plan, &call.own);
  if (call.code == LIM_OK) {
    lim_json j = lim_call_json(&call);
    fill(&j, r, plan.route);
    lim_call_close(&call, &j);
  }
  lim_inertia_free(r);
  return lim_call_end(&call);
}
