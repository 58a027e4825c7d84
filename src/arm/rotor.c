// rotor.c - masses and rotors of motors. Theory: docs/theory/motors.md.
#include "arm/rotor.h"

#include "arm/pose.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lim_motor_yields(const lim_drive *d) {
  return d && d->type == LIM_DRIVE_MOTOR && lim_gear_is_elastic(&d->gear);
}

// Where the link attaches to its parent, or where the motor is said to be.
static lim_frame_on_link carrier_of(const lim_model *m, const lim_drive *d) {
  const lim_location *on = &d->motor.on;
  const lim_link *link = &m->links.item[d->joint];
  if (on->ref.text) return lim_pose_frame(m, on->link, on->kind, on->kind == LIM_AT_TIP, on->frame);
  return lim_pose_frame(m, link->parent.index, link->at.kind, link->at.value, link->at.frame.index);
}

// The joint's axis as it points in the configuration, in the axes of the carrying link.
static bool axis_on(double axis[3], const lim_model *m, int joint, int carrier) {
  lim_world_pose *pose = calloc((size_t)m->links.count, sizeof *pose);
  if (!pose) return false;
  double world[3];
  lim_pose_links(pose, m);
  lim_rotate(world, pose[joint].R, m->links.item[joint].joint.axis);
  memcpy(axis, world, sizeof world);
  if (carrier >= 0) lim_rotate_back(axis, pose[carrier].R, world);
  free(pose);
  return true;
}

// The rotor's axis, in the axes of the carrier's section: given in those of the carrying frame, or the joint's.
static bool axis_of(double axis[3], const lim_model *m, const lim_drive *d, const lim_frame_on_link *c) {
  if (isnan(d->motor.axis[0])) return axis_on(axis, m, d->joint, c->link);
  double n[3], size = sqrt(lim_dot(d->motor.axis, d->motor.axis));
  for (int i = 0; i < 3; i++) n[i] = d->motor.axis[i] / size;
  lim_rotate(axis, c->R, n);
  return true;
}

// --- masses ---

static int carried(const lim_model *m, int link) {
  int count = 0;
  for (int i = 0; i < m->drives.count; i++)
    count += m->drives.item[i].type == LIM_DRIVE_MOTOR && carrier_of(m, &m->drives.item[i]).link == link;
  return count;
}

static bool mass_of(lim_mass *out, const lim_model *m, const lim_drive *d, const lim_frame_on_link *c) {
  lim_mass x = {.head = d->motor.head, .mass = d->motor.mass};
  double n[3], offset[3], I = d->motor.stator_inertia;
  x.at = (lim_link_location){.kind = LIM_AT_FRACTION, .value = c->fraction};
  lim_rotate(offset, c->R, d->motor.offset);
  if (!axis_of(n, m, d, c)) return false;
  for (int i = 0; i < 3; i++) {
    x.xyz[i] = c->c[i] + offset[i];
    x.inertia[i] = I * n[i] * n[i];
  }
  x.inertia[3] = I * n[0] * n[1];
  x.inertia[4] = I * n[0] * n[2];
  x.inertia[5] = I * n[1] * n[2];
  *out = x;
  return true;
}

static lim_code add_to_link(lim_arm *s, lim_link *link, int index, const lim_model *m, lim_error *err) {
  int more = carried(m, index);
  if (more == 0) return LIM_OK;
  lim_mass *list = lim_arena_array(&s->arena, (size_t)link->masses.count + (size_t)more, sizeof *list);
  if (!list) return lim_no_memory(err);
  if (link->masses.count) memcpy(list, link->masses.item, (size_t)link->masses.count * sizeof *list);
  link->masses.item = list;
  for (int i = 0; i < m->drives.count; i++) {
    const lim_drive *d = &m->drives.item[i];
    if (d->type != LIM_DRIVE_MOTOR) continue;
    lim_frame_on_link c = carrier_of(m, d);
    if (c.link == index && !mass_of(&list[link->masses.count++], m, d, &c)) return lim_no_memory(err);
  }
  return LIM_OK;
}

lim_code lim_motor_masses(lim_arm *s, const lim_model *model, lim_error *err) {
  bool any = false;
  for (int i = 0; i < model->drives.count; i++) any = any || model->drives.item[i].type == LIM_DRIVE_MOTOR;
  s->model = model;
  if (!any) return LIM_OK;
  lim_model *copy = lim_arena_allocate(&s->arena, sizeof *copy);
  lim_link *links = lim_arena_array(&s->arena, (size_t)model->links.count, sizeof *links);
  if (!copy || !links) return lim_no_memory(err);
  *copy = *model;
  memcpy(links, model->links.item, (size_t)model->links.count * sizeof *links);
  copy->links.item = links;
  s->model = copy;
  lim_code code = LIM_OK;
  for (int i = 0; i < model->links.count && code == LIM_OK; i++)
    code = add_to_link(s, &links[i], i, model, err);
  return code;
}

// --- rotors ---

static lim_code add_rotor(lim_arm *s, const lim_drive *d, lim_error *err) {
  const lim_model *m = s->model;
  int body = s->first_body[d->joint];
  lim_arm_body *b = &s->bodies[body];
  lim_rotor *r = &s->rotor[s->nrotor];
  lim_frame_on_link c = carrier_of(m, d);
  *r = (lim_rotor){.body = body,
                   .inertia = d->motor.rotor_inertia,
                   .ratio = d->motor.ratio / (d->motor.radius > 0 ? d->motor.radius : 1),
                   .x = b->m >= 0 ? b->m : b->q,
                   .complete = d->motor.rotor == 0,
                   .here = !d->motor.on.ref.text && !b->nspan}; // of a joint on a rail: at its base
  if (b->q < 0) return LIM_OK;
  b->rotor = s->nrotor++;
  if (!axis_of(r->axis, m, d, &c)) return lim_no_memory(err);
  lim_code code = lim_arm_site(&r->on, s, c.link, LIM_AT_FRACTION, c.fraction, -1, err);
  if (r->here) r->on = b->on; // the very same section
  return code;
}

lim_code lim_motor_rotors(lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  s->rotor = lim_arena_array(&s->arena, (size_t)m->drives.count, sizeof *s->rotor);
  if (!s->rotor) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->drives.count && code == LIM_OK; i++)
    if (m->drives.item[i].type == LIM_DRIVE_MOTOR) code = add_rotor(s, &m->drives.item[i], err);
  return code;
}
