// names.c - what can be named in the model, in options and in programs: lim_study_names of limber.h.
#include "api/api.h"
#include "arm/tree.h"
#include "channel/possible.h"
#include "path/assembly.h"

static void one(void *json, const char *name) { lim_json_text(json, name); }

static void begin(lim_json *j, const char *what) {
  lim_json_key(j, what);
  lim_json_list(j);
}

static void fill(lim_json *j, const lim_model *m, const lim_possible_list *channels) {
  begin(j, "joints");
  for (int i = 0; i < m->links.count; i++)
    if (lim_joint_shown(&m->links.item[i])) one(j, lim_joint_shown(&m->links.item[i]));
  lim_json_end(j, ']');
  begin(j, "frames");
  lim_model_frames(m, one, j);
  lim_json_end(j, ']');
  begin(j, "signals");
  lim_model_signals(m, one, j);
  lim_json_end(j, ']');
  begin(j, "channels");
  for (int i = 0; i < channels->count; i++) {
    one(j, channels->item[i].name);
  }
  lim_json_end(j, ']');
}

lim_code lim_study_names(lim_answer **out, const lim_study *study, lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  lim_arm *s = NULL;
  lim_possible_list channels = {.count = 0};
  if (call.code == LIM_OK) call.code = lim_arm_new(&s, &study->model, false, &call.own);
  if (call.code == LIM_OK && !lim_possible_start(&channels, s)) call.code = lim_no_memory(&call.own);
  if (call.code == LIM_OK) {
    lim_json j = lim_call_json(&call);
    fill(&j, &study->model, &channels);
    lim_call_close(&call, &j);
  }
  lim_possible_end(&channels);
  lim_arm_free(s);
  return lim_call_end(&call);
}
