// beginning.c - contacts and stops that are pressed before anything moves: hardly meant, unless the arm begins
// in equilibrium. Theory: docs/theory/contact.md.
#include "analysis/beginning.h"

#include "arm/contact.h"

#include <stdlib.h>

// Less than this is rounding, or a touch [m].
static const double TOUCH = 1e-9;

static void of_contact(lim_error *err, const lim_arm *s, const lim_contact_element *c,
                       const lim_world_motion *body, const double *q) {
  static const lim_contact_state apart = {.press = LIM_PRESS_APART};
  lim_world_motion at[2];
  lim_contact_sites(at, c, s, body, q, NULL, NULL);
  const double depth = lim_contact_evaluate(c, &apart, &at[0], &at[1], NULL).depth;
  if (depth > TOUCH)
    lim_warn(
        err, 0, c->name,
        "contact '%.80s' begins %.4g m inside its plane, which pushes it out with %.4g N (start: equilibrium "
        "begins at rest)",
        c->name, depth, c->stiffness * depth);
}

static void of_stop(lim_error *err, const lim_arm *s, int body, const lim_joint_drive *d, const double *q) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_joint *j = &s->model->links.item[b->link].joint;
  const bool linear = b->screw.slides;
  if (b->q < 0 || !(d->stop.stiffness > 0) || d->type == LIM_DRIVE_PRESCRIBED) return;
  for (int k = 0; k < LIM_STOPS; k++) {
    const lim_stop_moment m = lim_stop_evaluate(&d->stop, k, LIM_PRESS_AS_IT_MOVES, q[b->q], 0);
    if (m.depth > TOUCH)
      lim_warn(err, 0, j->head.name,
               "joint '%.80s' begins %.4g %s beyond its %s stop, which pushes it back with %.4g %s",
               j->head.name, m.depth, linear ? "m" : "rad", k == LIM_LOWER_STOP ? "lower" : "upper", m.size,
               linear ? "N" : "N m");
  }
}

lim_code lim_beginning_warn(lim_error *err, const lim_inputs *inputs, const double *q) {
  const lim_arm *s = inputs->s;
  lim_world_motion *body = calloc((size_t)s->nbody + 1, sizeof *body);
  if (!body) return lim_no_memory(err);
  if (inputs->contacts.count) lim_kinematics(body, s, q, NULL, NULL);
  for (int i = 0; i < inputs->contacts.count; i++) of_contact(err, s, &inputs->contacts.item[i], body, q);
  for (int i = 0; i < s->nbody; i++) of_stop(err, s, i, &inputs->drive[i], q);
  free(body);
  return LIM_OK;
}
