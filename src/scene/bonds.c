// bonds.c - what joins frames in the scene: springs, bushings, loops, contacts.
#include "math/rotation.h"
#include "model/words.h"
#include "scene/writer.h"

// What joins two frames; its object stays open.
static void bond(lim_scene *c, const char *name, const lim_location between[2]) {
  lim_json_object(&c->j);
  lim_scene_text(c, "name", name ? name : "");
  lim_scene_list(c, "ends");
  for (int i = 0; i < 2; i++) {
    lim_site site = lim_scene_site(c, &between[i]);
    lim_json_object(&c->j);
    lim_scene_frame(c, &site);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void springs(lim_scene *c) {
  lim_scene_list(c, "springs");
  for (int i = 0; i < c->m->springs.count; i++) {
    bond(c, c->m->springs.item[i].head.name, c->m->springs.item[i].between);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void bushings(lim_scene *c) {
  lim_scene_list(c, "bushings");
  for (int i = 0; i < c->m->bushings.count; i++) {
    bond(c, c->m->bushings.item[i].head.name, c->m->bushings.item[i].between);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void loops(lim_scene *c) {
  char word[LIM_WORD];
  lim_scene_list(c, "loops");
  for (int i = 0; i < c->m->loops.count; i++) {
    const lim_loop *loop = &c->m->loops.item[i];
    double axis[3];
    lim_rotate(axis, lim_scene_site(c, &loop->between[0]).Rc, loop->axis);
    bond(c, loop->head.name, loop->between);
    lim_scene_text(c, "type", lim_word_at(word, "loops.type", loop->type));
    lim_scene_vector(c, "axis", axis);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- contacts ---

// The frame that carries it, and a point and the normal in its axes.
static void plane(lim_scene *c, const lim_contact_plane *plane) {
  const lim_site world = {.body = -1, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                 on = plane->on.ref.text ? lim_scene_site(c, &plane->on) : world;
  lim_scene_object(c, "plane");
  lim_scene_frame(c, &on);
  lim_scene_vector(c, "point", plane->point);
  lim_scene_vector(c, "normal", plane->normal);
  lim_json_end(&c->j, '}');
}

static void contacts(lim_scene *c) {
  lim_scene_list(c, "contacts");
  for (int i = 0; i < c->m->contacts.count; i++) {
    const lim_contact *contact = &c->m->contacts.item[i];
    const lim_site centre = lim_scene_site(c, &contact->frame);
    lim_json_object(&c->j);
    lim_scene_text(c, "name", contact->head.name);
    lim_scene_object(c, "centre");
    lim_scene_frame(c, &centre);
    lim_json_end(&c->j, '}');
    lim_scene_number(c, "radius", contact->radius);
    plane(c, &contact->plane);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

void lim_scene_bonds(lim_scene *c) {
  springs(c);
  bushings(c);
  loops(c);
  contacts(c);
}
