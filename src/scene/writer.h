// writer.h - what parts of the scene are written with. Inside src/scene only.
#ifndef LIM_SCENE_WRITER_H
#define LIM_SCENE_WRITER_H

#include "base/json.h"
#include "beam/section.h"
#include "scene/skeleton.h"

typedef struct {
  lim_json j;
  const lim_skeleton *k;
  const lim_arm *s, *rigid;
  const lim_model *m;
  lim_outline
      *outline; // all that differ                                          (count, room for two per node)
  int count;
} lim_scene;

// A key and its value.
void lim_scene_text(lim_scene *c, const char *key, const char *value);
void lim_scene_int(lim_scene *c, const char *key, long x);
void lim_scene_number(lim_scene *c, const char *key, double x);
void lim_scene_vector(lim_scene *c, const char *key, const double x[3]);
void lim_scene_list(lim_scene *c, const char *key);   // stays open
void lim_scene_object(lim_scene *c, const char *key); // the same

// link, node and offset of a site of the rigid arm, whose bodies are the links. moved: further, in its axes.
void lim_scene_seat(lim_scene *c, const lim_site *site, const double moved[3]);

// The same and its turn: a frame, without a name.
void lim_scene_frame(lim_scene *c, const lim_site *site);

// The frame that a spot names, on the rigid arm.
lim_site lim_scene_site(const lim_scene *c, const lim_location *spot);

// Parts of the scene, each a key or several.
void lim_scene_joints(lim_scene *c);
void lim_scene_bonds(lim_scene *c);

#endif
