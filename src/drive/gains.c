// gains.c - gains that controllers use, given or designed, for answers. Theory: docs/theory/control.md.
#include "drive/gains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void set_origin(char out[LIM_WORD], const lim_control_law *law) {
  if (law->bandwidth > 0)
    lim_word_at(out, "drives.control.gains", law->gains);
  else
    snprintf(out, LIM_WORD, "given");
}

bool lim_gains_list(lim_gains_used *out, const lim_inputs *inputs) {
  const lim_arm *s = inputs->s;
  out->count = 0;
  out->item = calloc((size_t)s->nbody + 1, sizeof *out->item);
  if (!out->item) return false;
  for (int i = 0; i < s->nbody; i++) {
    const lim_control_law *law = &inputs->drive[i].law;
    if (inputs->drive[i].type != LIM_DRIVE_MOTOR || !law->kind || (law->kp == 0 && law->kv == 0)) continue;
    lim_gain_used *x = &out->item[out->count++];
    *x = (lim_gain_used){.joint = s->model->links.item[s->bodies[i].link].joint.head.name,
                         .kp = law->kp,
                         .kv = law->kv,
                         .ki = law->ki,
                         .inertia = law->bandwidth > 0 ? law->inertia : NAN};
    set_origin(x->from, law);
  }
  return true;
}

static void number(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

void lim_gains_json(lim_json *j, const lim_gains_used *g) {
  lim_json_key(j, "gains");
  lim_json_object(j);
  for (int i = 0; i < g->count; i++) {
    const lim_gain_used *x = &g->item[i];
    lim_json_key(j, x->joint);
    lim_json_object(j);
    lim_json_key(j, "from");
    lim_json_text(j, x->from);
    number(j, "kp", x->kp);
    number(j, "kv", x->kv);
    number(j, "ki", x->ki);
    if (!isnan(x->inertia)) number(j, "inertia", x->inertia);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}
