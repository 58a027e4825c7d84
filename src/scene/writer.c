// writer.c - keys and values of the scene, and places on links.
#include "scene/writer.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "model/joint.h"

#include <math.h>
#include <string.h>

// --- values ---

void lim_scene_text(lim_scene *c, const char *key, const char *value) {
  lim_json_key(&c->j, key);
  lim_json_text(&c->j, value);
}

void lim_scene_int(lim_scene *c, const char *key, long x) {
  lim_json_key(&c->j, key);
  lim_json_int(&c->j, x);
}

void lim_scene_number(lim_scene *c, const char *key, double x) {
  lim_json_key(&c->j, key);
  lim_json_number(&c->j, x);
}

void lim_scene_vector(lim_scene *c, const char *key, const double x[3]) {
  lim_json_key(&c->j, key);
  lim_json_numbers(&c->j, x, 3);
}

void lim_scene_list(lim_scene *c, const char *key) {
  lim_json_key(&c->j, key);
  lim_json_list(&c->j);
}

void lim_scene_object(lim_scene *c, const char *key) {
  lim_json_key(&c->j, key);
  lim_json_object(&c->j);
}

// --- places ---

// The node of a link nearest to a place in link axes, and the way from there.
static int nearest(double offset[3], const lim_scene *c, int link, const double place[3]) {
  int best = c->k->first[link];
  double min = INFINITY;
  for (int i = best; i < c->k->first[link + 1]; i++) {
    const double *X = c->k->reference[i].section.X;
    double d[3] = {place[0] - X[0], place[1] - X[1], place[2] - X[2]}, far = lim_dot(d, d);
    if (far >= min) continue;
    min = far;
    best = i;
    memcpy(offset, d, sizeof d);
  }
  return best;
}

void lim_scene_seat(lim_scene *c, const lim_site *site, const double moved[3]) {
  double offset[3], more[3];
  int link = site->body < 0 ? -1 : lim_written_number(c->m, c->rigid->bodies[site->body].link), node = -1;
  lim_rotate(more, site->Rc, moved);
  for (int i = 0; i < 3; i++) offset[i] = site->section.X[i] + site->c[i] + more[i];
  if (link >= 0 && site->section.back) // a place of its free length
    node =
        c->k->first[link] + (int)lround(site->section.place * (c->k->first[link + 1] - c->k->first[link] - 1));
  else if (link >= 0)
    node = nearest(offset, c, link, (const double[3]){offset[0], offset[1], offset[2]});
  for (int i = 0; i < 3; i++) offset[i] = fabs(offset[i]) < 1e-12 ? 0 : offset[i]; // rounding
  lim_scene_int(c, "link", link);
  lim_scene_int(c, "node", node);
  lim_scene_vector(c, "offset", offset);
}

void lim_scene_frame(lim_scene *c, const lim_site *site) {
  static const double nowhere[3];
  double turn[3];
  lim_rotation_vector(turn, site->Rc);
  lim_scene_seat(c, site, nowhere);
  lim_scene_vector(c, "turn", turn);
}

lim_site lim_scene_site(const lim_scene *c, const lim_location *spot) {
  lim_site world = {.body = -1, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (spot->kind == LIM_AT_FRAME) { // one named tip stands before all others
    const char *name = c->rigid->model->frames.item[spot->frame].head.name;
    for (int i = 0; i < c->rigid->nsite; i++)
      if (c->rigid->site[i].name == name) return c->rigid->site[i].site;
    return world;
  }
  return spot->link < 0 ? world : c->rigid->site[1 + 2 * spot->link + (spot->kind == LIM_AT_TIP)].site;
}
