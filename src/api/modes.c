// modes.c - natural frequencies, damping ratios and mode shapes: lim_study_modes of limber.h.
#include "analysis/vibration/modes.h"
#include "api/api.h"
#include "report/report.h"
#include "store/snapshot_file.h"

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
  lim_put_text(j, "joints", r->joints);
  lim_json_key(j, "joint");
  lim_json_object(j);
  for (int i = 0; i < r->joint.count; i++) {
    lim_json_key(j, r->joint.item[i].name);
    lim_json_text(j, r->joint.item[i].held);
  }
  lim_json_end(j, '}');
}

// How contacts are taken.
static void json_contacts(lim_json *j, const lim_modes *r) {
  lim_json_key(j, "contacts");
  lim_json_object(j);
  for (int i = 0; i < r->contact.count; i++) lim_put_text(j, r->contact.item[i].name, r->contact.item[i].held);
  lim_json_end(j, '}');
}

static void fill(lim_json *j, const lim_modes *r) {
  json_joints(j, r);
  if (r->contact.count) json_contacts(j, r);
  lim_put_int(j, "rigid_modes", r->rigid);
  lim_put_int(j, "unstable_modes", r->unstable);
  lim_json_key(j, "frequencies_hz");
  lim_json_flat(j);
  for (int i = 0; i < r->modes.count; i++) lim_json_number(j, r->modes.item[i].frequency);
  lim_json_end(j, ']');
  lim_json_key(j, "damping_ratios");
  lim_json_flat(j);
  for (int i = 0; i < r->modes.count; i++) lim_json_number(j, r->modes.item[i].damping);
  lim_json_end(j, ']');
  lim_json_key(j, "kinds");
  lim_json_flat(j);
  for (int i = 0; i < r->modes.count; i++) lim_json_text(j, r->modes.item[i].kind);
  lim_json_end(j, ']');
  lim_json_key(j, "shapes");
  lim_json_list(j);
  for (int i = 0; i < r->modes.count; i++) {
    json_shape(j, r, &r->modes.item[i]);
  }
  lim_json_end(j, ']');
  lim_json_key(j, "overdamped");
  lim_json_list(j);
  for (int i = 0; i < r->overdamped.count; i++) {
    lim_json_object(j);
    lim_put_number(j, "time_constant_s", r->overdamped.item[i].time_constant);
    lim_put_text(j, "kind", r->overdamped.item[i].kind);
    lim_json_end(j, '}');
  }
  lim_json_end(j, ']');
}

static void make(lim_call *call, const lim_modes *r) {
  lim_json j = lim_call_json(call);
  fill(&j, r);
  lim_call_close(call, &j);
}

static lim_code fill_folder(lim_call *call, const char *folder, const lim_model *m, const lim_modes *r) {
  const lim_recorder_setup setup = lim_recorder_setup_of(m, folder);
  make(call, r);
  const char *summary = call->code == LIM_OK ? lim_answer_json(&call->tree->root) : NULL;
  if (!summary) return lim_no_memory(&call->own);
  lim_code code = lim_snapshot_file_write_modes(&setup, r, summary, &call->own);
  return code == LIM_OK ? lim_report_folder(folder, &call->own) : code;
}

// How the joints are held; -1 with a message.
static int held(const lim_modes_options *o, lim_error *err) {
  static const char *const word[] = {"free", "locked", "held", NULL};
  static const lim_joints joints[] = {LIM_JOINTS_FREE, LIM_JOINTS_LOCKED, LIM_JOINTS_HELD};
  if (!o->joints) return LIM_JOINTS_DEFAULT;
  int i = lim_word_of(word, "joints", o->joints, err);
  return i < 0 ? -1 : (int)joints[i];
}

static lim_code check(const lim_modes_options *o, lim_error *err) {
  if (o->count >= 1 && o->count <= 10000) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "%d modes are asked for, must be 1 to 10000", o->count);
}

lim_code lim_study_modes(lim_answer **out, const lim_study *study, const lim_modes_options *options,
                         lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  lim_modes_options o = lim_modes_options_default();
  lim_modes *r = NULL;
  lim_call_options(&call, &o, options);
  int joints = call.code == LIM_OK ? held(&o, &call.own) : -1;
  if (call.code == LIM_OK) call.code = joints < 0 ? LIM_BAD_INPUT : check(&o, &call.own);
  if (call.code == LIM_OK)
    call.code =
        lim_modes_new(&r, &study->model, study->model.origin.folder, (lim_joints)joints, o.count, &call.own);
  if (call.code == LIM_OK && o.folder) call.code = fill_folder(&call, o.folder, &study->model, r);
  if (call.code == LIM_OK) make(&call, r);
  lim_modes_free(r);
  return lim_call_end(&call);
}
