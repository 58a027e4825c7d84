// check.c - limber check: is this model valid, and what is in it?
#include "analysis/overview.h"
#include "cli.h"
#include "result/channels.h"
#include "result/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const joint_names[] = {"revolute", "prismatic", "fixed", "free"};
static const char *const basis_names[] = {"full", "modes", "craig-bampton", "rigid"};

static void as_json(lim_text *out, const lim_model *m, const lim_overview *o) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "name");
  lim_json_text(&j, m->title);
  lim_json_key(&j, "links");
  lim_json_int(&j, m->links.count);
  lim_json_key(&j, "joints");
  lim_json_int(&j, m->links.count);
  lim_json_key(&j, "dof");
  lim_json_int(&j, o->joint_dof + o->elastic_dof + o->motor_dof - o->closed);
  lim_json_key(&j, "joint_dof");
  lim_json_int(&j, o->joint_dof);
  lim_json_key(&j, "elastic_dof");
  lim_json_int(&j, o->elastic_dof);
  lim_json_key(&j, "motor_dof");
  lim_json_int(&j, o->motor_dof);
  lim_json_key(&j, "closed_dof");
  lim_json_int(&j, o->closed);
  lim_json_key(&j, "redundant_constraints");
  lim_json_int(&j, o->redundant);
  lim_json_key(&j, "mass");
  lim_json_number(&j, o->mass);
  lim_json_key(&j, "link");
  lim_json_object(&j);
  for (int i = 0; i < m->links.count; i++) {
    lim_json_key(&j, m->links.item[i].head.name);
    lim_json_object(&j);
    lim_json_key(&j, "joint");
    lim_json_text(&j, m->links.item[i].joint.head.name);
    lim_json_key(&j, "type");
    lim_json_text(&j, joint_names[m->links.item[i].joint.type]);
    lim_json_key(&j, "mass");
    lim_json_number(&j, o->link[i].mass);
    lim_json_key(&j, "elastic_dof");
    lim_json_int(&j, o->link[i].elastic_dof);
    lim_json_key(&j, "frequencies_hz");
    lim_json_numbers(&j, o->link[i].frequency, o->link[i].nfrequency);
    lim_json_end(&j, '}');
  }
  lim_json_end(&j, '}');
  lim_trace_json(&j, m->plan);
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void row(cli_table *t, const lim_model *m, int i, const lim_link_overview *o) {
  const lim_link *a = &m->links.item[i];
  char room[CLI_CELL], lowest[CLI_CELL] = "-";
  bool beam = a->beam.head.node;
  cli_table_cell(t, "%s", a->head.name);
  cli_table_cell(t, "%s", a->parent.index < 0 ? "base" : m->links.item[a->parent.index].head.name);
  cli_table_cell(t, "%s", a->joint.head.name);
  cli_table_cell(t, "%s", joint_names[a->joint.type]);
  if (o->nfrequency) snprintf(lowest, sizeof lowest, "%.4g%s", o->frequency[0], o->nfrequency > 1 ? "" : " Hz");
  for (int k = 1; k < o->nfrequency; k++) {
    size_t used = strlen(lowest);
    snprintf(lowest + used, sizeof lowest - used, ", %.4g%s", o->frequency[k],
             k + 1 < o->nfrequency ? "" : " Hz");
  }
  cli_table_cell(t, "%s", beam ? basis_names[a->basis.type] : a->body.head.node ? "rigid" : "massless");
  cli_table_cell(t, "%s", beam ? cli_quantity(room, a->beam.length, "m") : "-");
  cli_table_cell(t, "%s", cli_quantity(room, o->mass, "kg"));
  cli_table_cell(t, "%d", o->elastic_dof);
  cli_table_cell(t, "%s", lowest);
}

static void as_table(lim_text *out, const lim_model *m, const lim_overview *o, const char *path) {
  char room[CLI_CELL];
  static const char *const head[] = {"link",   "on",   "joint",   "type",           "basis",
                                     "length", "mass", "elastic", "lowest, clamped"};
  int dof = o->joint_dof + o->elastic_dof + o->motor_dof - o->closed;
  lim_text_add(out, "%s: %s\n", path, m->title);
  lim_text_add(out, "valid: %d link%s, %s, %d degree%s of freedom (%d of joints, %d elastic", m->links.count,
               m->links.count == 1 ? "" : "s", cli_quantity(room, o->mass, "kg"), dof, dof == 1 ? "" : "s",
               o->joint_dof, o->elastic_dof);
  if (o->motor_dof) lim_text_add(out, ", %d of motors behind elastic gears", o->motor_dof);
  if (o->closed) lim_text_add(out, ", less %d by loops", o->closed);
  lim_text_add(out, ")\n\n");
  if (o->redundant)
    lim_text_add(
        out,
        "  %d of the %d constraints of its loops follow%s from the others: their reactions are not unique\n\n",
        o->redundant, o->redundant + o->closed, o->redundant == 1 ? "s" : "");
  cli_table t = cli_table_start("lllllrrrl");
  for (int i = 0; i < 9; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < m->links.count; i++) row(&t, m, i, &o->link[i]);
  cli_table_end(&t, out);
  cli_say_program(out, m);
}

// What a simulation would record must exist. Arms that cannot be simulated yet are not asked.
static lim_code check_outputs(const lim_model *m, lim_error *err) {
  lim_system *arm;
  lim_channels *channels;
  if (lim_system_new(&arm, m, false, NULL) != LIM_OK) return LIM_OK;
  lim_code code = lim_channels_new(&channels, arm, err);
  lim_channels_free(channels);
  lim_system_free(arm);
  return code;
}

lim_code cli_check(lim_text *out, const cli_options *o, lim_error *err) {
  lim_model *m;
  lim_code code = cli_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  lim_overview overview;
  code = lim_overview_new(&overview, m, err);
  if (code == LIM_OK) {
    code = check_outputs(m, err);
    if (code != LIM_OK) free(overview.link);
  }
  if (code == LIM_OK && o->json) as_json(out, m, &overview);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, m, &overview, o->model);
  if (code == LIM_OK) free(overview.link);
  lim_model_free(m);
  return code;
}
