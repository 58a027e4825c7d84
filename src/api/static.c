// static.c - where does the arm rest under gravity and loads? lim_study_static of limber.h.
#include "analysis/statics/static.h"
#include "api/api.h"
#include "report/report.h"
#include "store/snapshot_file.h"

#include <math.h>

static void json_frames(lim_json *j, const lim_static *s) {
  lim_json_key(j, "frames");
  lim_json_object(j);
  for (int i = 0; i < s->frames.count; i++) {
    lim_json_key(j, s->frames.item[i].name);
    lim_json_object(j);
    lim_put_numbers(j, "position", s->frames.item[i].position, 3);
    lim_put_numbers(j, "displacement", s->frames.item[i].displacement, 3);
    lim_put_numbers(j, "rotation", s->frames.item[i].rotation, 3);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

// Where a joint is; of free and spherical ones how they are turned, and where.
static void json_place(lim_json *j, const lim_static_joint *x) {
  if (!isnan(x->position)) {
    lim_put_number(j, "position", x->position);
    lim_json_unit(j, x->slides ? "m" : "rad");
  }
  if (x->turns) lim_put_numbers(j, "rotation", x->rotation, 3);
  if (x->floats) lim_put_numbers(j, "translation", x->translation, 3);
  if (!x->released) return;
  lim_json_key(j, "released");
  lim_json_bool(j, true);
}

static void json_joints(lim_json *j, const lim_static *s) {
  lim_json_key(j, "joints");
  lim_json_object(j);
  for (int i = 0; i < s->joints.count; i++) {
    lim_json_key(j, s->joints.item[i].name);
    lim_json_object(j);
    json_place(j, &s->joints.item[i]);
    lim_put_number(j, "effort", s->joints.item[i].effort);
    lim_json_unit(j, s->joints.item[i].slides ? "N" : "N m");
    if (!isnan(s->joints.item[i].stop)) {
      lim_put_number(j, "stop", s->joints.item[i].stop);
      lim_json_unit(j, s->joints.item[i].slides ? "N" : "N m");
    }
    lim_put_numbers(j, "force", s->joints.item[i].force, 3);
    lim_put_numbers(j, "moment", s->joints.item[i].moment, 3);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

// Of models that have some.
static void json_couplings(lim_json *j, const lim_static *s) {
  const lim_arm *arm = s->arm.s;
  if (!arm->ncoupling) return;
  lim_json_key(j, "couplings");
  lim_json_object(j);
  for (int i = 0; i < arm->ncoupling; i++) {
    const lim_joint_coupling *c = &arm->coupling[i];
    const lim_link *last = &arm->model->links.item[c->from->joints.item[c->count - 1].index];
    lim_json_key(j, c->name);
    lim_json_object(j);
    lim_put_number(j, "effort", s->arm.e->lambda[c->row]);
    lim_json_unit(j, lim_joint_is_linear(&last->joint) ? "N" : "N m");
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

// Of models that have some.
static void json_contacts(lim_json *j, const lim_static *s) {
  if (!s->contacts.count) return;
  lim_json_key(j, "contacts");
  lim_json_object(j);
  for (int i = 0; i < s->contacts.count; i++) {
    const lim_static_contact *c = &s->contacts.item[i];
    lim_json_key(j, c->name);
    lim_json_object(j);
    lim_put_text(j, "state", c->state);
    lim_put_numbers(j, "force", c->force, 3);
    lim_put_number(j, "depth", c->depth);
    lim_json_unit(j, "m");
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

// Of links whose material has a yield strength.
static void json_utilisation(lim_json *j, const lim_static *s) {
  bool any = false;
  for (int i = 0; i < s->links.count; i++) {
    if (isnan(s->links.item[i].utilisation)) continue;
    if (!any) {
      lim_json_key(j, "utilisation");
      lim_json_object(j);
    }
    any = true;
    lim_json_key(j, s->links.item[i].name);
    lim_json_number(j, s->links.item[i].utilisation);
  }
  if (any) lim_json_end(j, '}');
}

static void json_gauges(lim_json *j, const lim_static *s) {
  lim_json_key(j, "gauges");
  lim_json_object(j);
  for (int i = 0; i < s->gauges.count; i++) {
    lim_text name = {0};
    lim_text_add(&name, "%s.%s", s->gauges.item[i].link, s->gauges.item[i].name);
    lim_json_key(j, name.text ? name.text : "");
    lim_json_object(j);
    lim_put_number(j, "strain", s->gauges.item[i].strain);
    lim_put_number(j, "stress", s->gauges.item[i].stress);
    lim_json_end(j, '}');
    lim_text_free(&name);
  }
  lim_json_end(j, '}');
}

static void fill(lim_call *call, const lim_static *s) {
  lim_json j = lim_call_json(call);
  json_frames(&j, s);
  json_joints(&j, s);
  json_couplings(&j, s);
  json_contacts(&j, s);
  json_links(&j, s, "stress", false);
  json_utilisation(&j, s);
  json_links(&j, s, "turn", true);
  json_gauges(&j, s);
  lim_call_close(call, &j);
}

static lim_code fill_folder(lim_call *call, const char *folder, const lim_model *m, const lim_static *s) {
  const lim_recorder_setup setup = lim_recorder_setup_of(m, folder);
  fill(call, s);
  const char *summary = call->code == LIM_OK ? lim_answer_json(&call->tree->root) : NULL;
  if (!summary) return lim_no_memory(&call->own);
  lim_code code = lim_snapshot_file_write_static(&setup, s, summary, &call->own);
  return code == LIM_OK ? lim_report_folder(folder, &call->own) : code;
}

lim_code lim_study_static(lim_answer **out, const lim_study *study, const lim_static_options *options,
                          lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  lim_static_options o = lim_static_options_default();
  lim_static *s = NULL;
  lim_call_options(&call, &o, options);
  if (call.code == LIM_OK) call.code = lim_static_new(&s, &study->model, study->model.origin.folder, &call.own);
  if (call.code == LIM_OK && o.folder) call.code = fill_folder(&call, o.folder, &study->model, s);
  if (call.code == LIM_OK) fill(&call, s);
  lim_static_free(s);
  return lim_call_end(&call);
}
