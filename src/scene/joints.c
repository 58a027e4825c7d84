// joints.c - joints of the scene: type and axis, the frame that carries them, rails and end stops.
#include "math/rotation.h"
#include "model/joint.h"
#include "scene/writer.h"

#include <math.h>

// The frame in which a joint starts.
static void carrier(lim_scene *c, int index) {
  lim_scene_object(c, "on");
  lim_scene_frame(c, &c->rigid->bodies[c->rigid->first_body[index]].on);
  lim_json_end(&c->j, '}');
}

// The direction of each freedom as it stands at 0, and the frame in which they move.
static void freedoms(lim_scene *c, int index) {
  const int first = lim_first_part(c->m, index);
  lim_scene_list(c, "axes");
  for (int i = first; i <= index; i++) lim_json_numbers(&c->j, c->m->links.item[i].joint.axis, 3);
  lim_json_end(&c->j, ']');
  carrier(c, first);
}

// The link whose beam a carriage runs on, and from its own base the way back to the centre of the section on
// which it stands, which `origin` leads away from.
static void rail(lim_scene *c, int index) {
  const lim_joint *joint = &c->m->links.item[index].joint;
  double R[9], offset[3];
  lim_rotation_rpy(R, joint->origin.rpy);
  lim_rotate_back(offset, R, joint->origin.xyz);
  for (int i = 0; i < 3; i++) offset[i] = offset[i] == 0 ? 0 : -offset[i];
  lim_scene_object(c, "rail");
  lim_scene_int(c, "link", lim_written_parent(c->m, index));
  lim_scene_vector(c, "offset", offset);
  lim_json_end(&c->j, '}');
}

static void stop(lim_scene *c, const lim_limits *limits) {
  lim_json_key(&c->j, "stop");
  lim_json_numbers(&c->j, limits->position, 2);
}

void lim_scene_joints(lim_scene *c) {
  lim_scene_list(c, "joints");
  for (int i = 0; i < c->k->links; i++) {
    const int index = c->k->index[i];
    const lim_joint *joint = &c->m->links.item[index].joint;
    const bool several = lim_joint_is_part(joint), stops = !several && joint->limits.stop.head.node;
    lim_json_object(&c->j);
    lim_scene_text(c, "name", joint->whole);
    lim_scene_text(c, "type", lim_joint_word(joint->kind));
    lim_scene_int(c, "link", i);
    lim_scene_vector(c, "axis", joint->axis);
    if (several) freedoms(c, index);
    if (joint->rail) rail(c, index);
    if (stops) stop(c, &joint->limits);
    if (stops && !joint->rail) carrier(c, index);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}
