// scene.h - what does not move in a picture of an arm: links with their sections, joints, masses, motors,
// frames. As JSON: viewer/README.md ("scene").
#ifndef LIM_SCENE_SCENE_H
#define LIM_SCENE_SCENE_H

#include "base/text.h"
#include "scene/skeleton.h"

// One JSON object. The skeleton is that of the system; the model as it was read.
lim_code lim_scene_json(lim_text *out, const lim_model *model, const lim_skeleton *k, const lim_arm *s,
                        const lim_arm *rigid, lim_error *err);

#endif
