// static.c - limber static: where does the arm rest under gravity and loads?
#include "analysis/static.h"
#include "cli.h"

#include <math.h>

static void numbers(lim_json *j, const char *key, const double x[3]) {
  lim_json_key(j, key);
  lim_json_numbers(j, x, 3);
}

static void as_json(lim_text *out, const lim_static *s) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "frames");
  lim_json_object(&j);
  for (int i = 0; i < s->frames.count; i++) {
    lim_json_key(&j, s->frames.item[i].name);
    lim_json_object(&j);
    numbers(&j, "position", s->frames.item[i].position);
    numbers(&j, "displacement", s->frames.item[i].displacement);
    numbers(&j, "rotation", s->frames.item[i].rotation);
    lim_json_end(&j, '}');
  }
  lim_json_end(&j, '}');
  lim_json_key(&j, "joints");
  lim_json_object(&j);
  for (int i = 0; i < s->joints.count; i++) {
    lim_json_key(&j, s->joints.item[i].name);
    lim_json_object(&j);
    lim_json_key(&j, "effort");
    lim_json_number(&j, s->joints.item[i].effort);
    numbers(&j, "force", s->joints.item[i].force);
    numbers(&j, "moment", s->joints.item[i].moment);
    lim_json_end(&j, '}');
  }
  lim_json_end(&j, '}');
  lim_json_key(&j, "stress");
  lim_json_object(&j);
  for (int i = 0; i < s->links.count; i++) {
    lim_json_key(&j, s->links.item[i].name);
    lim_json_number(&j, s->links.item[i].stress);
  }
  lim_json_end(&j, '}');
  lim_json_key(&j, "gauges");
  lim_json_object(&j);
  for (int i = 0; i < s->gauges.count; i++) {
    lim_text name = {0};
    lim_text_add(&name, "%s.%s", s->gauges.item[i].link, s->gauges.item[i].name);
    lim_json_key(&j, name.text ? name.text : "");
    lim_json_object(&j);
    lim_json_key(&j, "strain");
    lim_json_number(&j, s->gauges.item[i].strain);
    lim_json_key(&j, "stress");
    lim_json_number(&j, s->gauges.item[i].stress);
    lim_json_end(&j, '}');
    lim_text_free(&name);
  }
  lim_json_end(&j, '}');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void three(cli_table *t, const double x[3], const char *unit) {
  char room[CLI_CELL];
  for (int i = 0; i < 3; i++) cli_table_cell(t, "%s", cli_quantity(room, x[i], unit));
}

static void as_table(lim_text *out, const lim_model *m, const lim_static *s) {
  char room[CLI_CELL];
  static const char *const frame_head[] = {"frame", "x", "y", "z", "moved x", "moved y", "moved z"};
  static const char *const joint_head[] = {"joint",   "effort",   "force x",  "force y",
                                           "force z", "moment x", "moment y", "moment z"};
  lim_text_add(out, "%s at rest\n\n", m->title);
  cli_table t = cli_table_start(1, frame_head, 7);
  for (int i = 0; i < s->frames.count; i++) {
    cli_table_cell(&t, "%s", s->frames.item[i].name);
    three(&t, s->frames.item[i].position, "m");
    three(&t, s->frames.item[i].displacement, "m");
  }
  cli_table_end(&t, out);
  lim_text_add(out, "\n");
  t = cli_table_start(1, joint_head, 8);
  for (int i = 0; i < s->joints.count; i++) {
    bool slides = m->links.item[i].joint.type == LIM_PRISMATIC;
    cli_table_cell(&t, "%s", s->joints.item[i].name);
    cli_table_cell(&t, "%s", cli_quantity(room, s->joints.item[i].effort, slides ? "N" : "N m"));
    three(&t, s->joints.item[i].force, "N");
    three(&t, s->joints.item[i].moment, "N m");
  }
  cli_table_end(&t, out);
  for (int i = 0; i < s->links.count; i++)
    lim_text_add(out, "\n  largest stress in %s: %s (von Mises)\n", s->links.item[i].name,
                 cli_quantity(room, s->links.item[i].stress, "Pa"));
  for (int i = 0; i < s->gauges.count; i++)
    lim_text_add(out, "  strain at %s.%s: %.5g µm/m\n", s->gauges.item[i].link, s->gauges.item[i].name,
                 s->gauges.item[i].strain * 1e6);
}

lim_code cli_static(lim_text *out, const cli_options *o, lim_error *err) {
  lim_model *m;
  lim_code code = lim_model_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  lim_static *s;
  code = lim_static_new(&s, m, err);
  if (code == LIM_OK && o->json) as_json(out, s);
  if (code == LIM_OK && !o->json && !o->quiet) as_table(out, m, s);
  lim_static_free(s);
  lim_model_free(m);
  return code;
}
