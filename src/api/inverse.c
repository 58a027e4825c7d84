// inverse.c - efforts of the commanded motion, and how much of them flexibility causes: lim_study_inverse of
// limber.h.
#include "analysis/inverse.h"
#include "api/api.h"

// Part of the effort that is not there when the links are rigid.
static double share(const lim_inverse_joint *x) {
  return x->of_effort.rms > 0 ? x->of_difference.rms / x->of_effort.rms : 0;
}

static void json_joint(lim_json *j, const lim_inverse_joint *x, int n) {
  lim_json_key(j, x->name);
  lim_json_object(j);
  lim_put_numbers(j, "effort", x->effort, n);
  lim_json_unit(j, x->slides ? "N" : "N m");
  lim_put_numbers(j, "rigid_effort", x->rigid, n);
  lim_json_unit(j, x->slides ? "N" : "N m");
  lim_put_number(j, "peak", x->of_effort.peak);
  lim_put_number(j, "rms", x->of_effort.rms);
  lim_put_number(j, "rigid_peak", x->of_rigid.peak);
  lim_put_number(j, "rigid_rms", x->of_rigid.rms);
  lim_put_number(j, "flexibility_share", share(x));
  if (x->motor) {
    lim_put_numbers(j, "motor_torque", x->torque, n);
    lim_put_number(j, "motor_peak", x->of_torque.peak);
    lim_put_number(j, "motor_rms", x->of_torque.rms);
  }
  lim_json_end(j, '}');
}

static void fill(lim_json *j, const lim_inverse *r) {
  lim_put_numbers(j, "time", r->time, r->n);
  lim_json_key(j, "joints");
  lim_json_object(j);
  for (int i = 0; i < r->joints.count; i++) json_joint(j, &r->joints.item[i], r->n);
  lim_json_end(j, '}');
}

static void progress(void *user, double t, double duration) {
  const lim_hooks *hooks = user;
  hooks->progress(hooks->user, "inverse dynamics", t / duration);
}

lim_code lim_study_inverse(lim_answer **out, const lim_study *study, const lim_inverse_options *options,
                           lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  lim_inverse_options o = lim_inverse_options_default();
  lim_inverse *r = NULL;
  lim_call_options(&call, &o, options);
  const lim_simulate_hooks inner = {
      .progress = o.hooks.progress ? progress : NULL, .user = &o.hooks, .stop = o.hooks.stop};
  if (call.code == LIM_OK)
    call.code = lim_inverse_new(&r, &study->model, study->model.origin.folder, &inner, &call.own);
  if (call.code == LIM_OK) {
    lim_json j = lim_call_json(&call);
    fill(&j, r);
    lim_call_close(&call, &j);
  }
  lim_inverse_free(r);
  return lim_call_end(&call);
}
