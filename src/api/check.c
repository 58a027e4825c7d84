// check.c - is this model valid, and what is in it? lim_study_check of limber.h.
#include "analysis/limits.h"
#include "analysis/overview.h"
#include "analysis/statics/rest.h"
#include "analysis/unused.h"
#include "api/api.h"
#include "channel/channels.h"
#include "drive/gains.h"
#include "fe/link.h"
#include "motion/table_report.h"
#include "path/assembly.h"
#include "store/trace.h"

#include <stdlib.h>

// What was read of each table.
static void json_tables(lim_json *j, const lim_table_reports *r) {
  lim_json_key(j, "tables");
  lim_json_list(j);
  for (int i = 0; i < r->count; i++) {
    const lim_table_report *x = &r->item[i];
    lim_json_object(j);
    lim_put_text(j, "file", x->file);
    lim_put_text(j, "for", x->use);
    lim_put_int(j, "rows", x->rows);
    lim_put_int(j, "columns", x->columns);
    lim_put_text(j, "unit", x->unit);
    lim_put_numbers(j, "over", (double[]){x->from, x->to}, 2);
    lim_put_numbers(j, "range", (double[]){x->low, x->high}, 2);
    lim_json_end(j, '}');
  }
  lim_json_end(j, ']');
}

static void fill(lim_json *j, const lim_model *m, const lim_overview *o) {
  lim_put_text(j, "name", m->title);
  lim_put_int(j, "links", lim_written_links(m));
  lim_put_int(j, "joints", lim_written_links(m));
  lim_put_int(j, "dof", o->joint_dof + o->elastic_dof + o->motor_dof - o->closed);
  lim_put_int(j, "joint_dof", o->joint_dof);
  lim_put_int(j, "elastic_dof", o->elastic_dof);
  lim_put_int(j, "motor_dof", o->motor_dof);
  lim_put_int(j, "loops", m->loops.count);
  lim_put_int(j, "couplings", m->couplings.count);
  lim_put_int(j, "closed_dof", o->closed);
  lim_put_int(j, "redundant_constraints", o->redundant);
  lim_put_number(j, "mass", o->mass);
  lim_json_key(j, "link");
  lim_json_object(j);
  for (int i = 0; i < m->links.count; i++) {
    const lim_link_overview *x = &o->link[i];
    const lim_link *a = &m->links.item[i];
    if (lim_link_is_inserted(a)) continue;
    lim_json_key(j, a->head.name);
    lim_json_object(j);
    lim_put_text(j, "joint", a->joint.whole);
    lim_put_text(j, "type", lim_joint_word(a->joint.kind));
    lim_put_number(j, "mass", x->mass);
    lim_put_int(j, "elastic_dof", x->elastic_dof);
    lim_put_numbers(j, "frequencies_hz", x->frequency, x->nfrequency);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

// What was found about the files of links from finite elements.
static void json_finite_elements(lim_json *j, const lim_model *m) {
  lim_json_key(j, "fe");
  lim_json_object(j);
  for (int i = 0; i < m->links.count; i++) {
    const lim_fe_link *x = m->links.item[i].fe.link;
    if (!x) continue;
    const lim_fe_facts *f = &x->facts;
    lim_json_key(j, m->links.item[i].head.name);
    lim_json_object(j);
    lim_put_int(j, "dofs", f->dofs);
    lim_put_int(j, "nodes", f->nodes);
    lim_put_int(j, "modes", x->modes);
    lim_put_number(j, "mass", f->mass);
    lim_put_numbers(j, "com", f->com, 3);
    lim_put_numbers(j, "inertia", f->inertia, 6);
    lim_put_numbers(j, "free_frequencies_hz", f->free_hz, f->nfree);
    lim_put_numbers(j, "clamped_frequencies_hz", f->clamped_hz, f->nclamped);
    lim_put_numbers(j, "reduced_frequencies_hz", f->reduced_hz, f->nclamped < x->n ? f->nclamped : x->n);
    lim_put_numbers(j, "rigid_energy", f->rigid_energy, 6);
    lim_put_number(j, "left_out_hz", f->left_out_hz);
    lim_put_numbers(j, "modal_mass", f->modal_mass, 3);
    lim_put_number(j, "stiffens_from_rad_s", lim_fe_stiffening_speed(x));
    lim_put_number(j, "stiffens_from_n", lim_fe_stiffening_load(x));
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

// The arm can be built, and what a simulation would record exists.
static lim_code check_outputs(const lim_model *m, lim_error *err) {
  lim_arm *arm;
  lim_channels *channels = NULL;
  lim_code code = lim_arm_new(&arm, m, false, err);
  if (code == LIM_OK) code = lim_channels_new(&channels, arm, err);
  lim_channels_free(channels);
  lim_arm_free(arm);
  return code;
}

static bool has_controller(const lim_model *m) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].control.head.node) return true;
  return false;
}

// Gains that controllers would use. Arms that cannot be simulated yet have none.
static lim_code find_gains(lim_gains_used *out, const lim_model *m, const char *folder, lim_error *err) {
  lim_rest arm;
  if (!has_controller(m)) return LIM_OK;
  lim_code code = lim_rest_start(&arm, m, folder, NULL);
  bool enough = code != LIM_NO_MEMORY && (code != LIM_OK || lim_gains_list(out, arm.inputs));
  lim_rest_end(&arm);
  return enough ? LIM_OK : lim_no_memory(err);
}

// Tables, limits, outputs: what an analysis would stumble upon.
static lim_code check_rest(lim_table_reports *tables, lim_gains_used *gains, const lim_model *m,
                           lim_error *err) {
  const char *folder = m->origin.folder;
  lim_code code = lim_table_reports_new(tables, m, folder, err);
  if (code == LIM_OK) lim_warn_of_unused(err, m);
  if (code == LIM_OK) code = lim_limits_check(m, folder, err);
  if (code == LIM_OK) code = check_outputs(m, err);
  if (code == LIM_OK) code = find_gains(gains, m, folder, err);
  return code;
}

lim_code lim_study_check(lim_answer **out, const lim_study *study, lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  lim_overview overview = {.link = NULL};
  lim_table_reports tables = {0};
  lim_gains_used gains = {0};
  if (call.code == LIM_OK) call.code = lim_overview_new(&overview, &study->model, &call.own);
  if (call.code == LIM_OK) call.code = check_rest(&tables, &gains, &study->model, &call.own);
  if (call.code == LIM_OK) {
    lim_json j = lim_call_json(&call);
    fill(&j, &study->model, &overview);
    json_finite_elements(&j, &study->model);
    json_tables(&j, &tables);
    lim_gains_json(&j, &gains);
    lim_trace_json(&j, study->model.plan);
    lim_call_close(&call, &j);
  }
  free(overview.link);
  free(tables.item);
  free(gains.item);
  return lim_call_end(&call);
}
