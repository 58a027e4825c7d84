// skeleton.c - nodes of all links and where they are. Reference: docs/reference/channels.md (shapes).
#include "result/skeleton.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "system/pose.h"

#include <stdlib.h>
#include <string.h>

// Nodes that a body adds: the first of a later segment is the last of the segment before.
static int first_node(const lim_system *s, int body) { return body > s->first_body[s->member[body].link]; }
static int node_count(const lim_system *s, int body) {
  return s->member[body].mesh ? s->member[body].mesh->nnode : 2;
}

static lim_code add_node(lim_skeleton *k, const lim_system *s, const lim_system *rigid, int body, int node,
                         lim_error *err) {
  const lim_member *m = &s->member[body];
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  lim_site *site = &k->site[k->count], *reference = &k->reference[k->count];
  *site = (lim_site){.body = body};
  memcpy(site->Rc, unit, sizeof unit);
  k->link[k->count] = m->link;
  lim_pose_along(site->section.X, &s->model->links.item[m->link], node);
  k->x[k->count] = m->mesh ? m->start + m->mesh->x[node] : sqrt(lim_dot(site->section.X, site->section.X));
  if (m->mesh) memcpy(site->section.X, (double[3]){m->mesh->x[node]}, sizeof site->section.X);
  *reference = *site;
  reference->body = rigid->first_body[m->link];
  if (m->mesh) reference->section.X[0] = k->x[k->count];
  k->count++;
  if (!m->mesh || node == 0 || m->body->n == 0) return LIM_OK;
  return lim_body_section(&site->section, &k->arena, m->mesh, m->shapes, m->mesh->x[node] / m->mesh->length,
                          err);
}

lim_code lim_skeleton_new(lim_skeleton **out, const lim_system *s, const lim_system *rigid, lim_error *err) {
  *out = NULL;
  size_t room = 0;
  for (int i = 0; i < s->nbody; i++) room += (size_t)node_count(s, i);
  lim_skeleton *k = calloc(1, sizeof *k);
  if (!k) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  k->link = lim_arena_array(&k->arena, room, sizeof *k->link);
  k->x = lim_arena_array(&k->arena, room, sizeof *k->x);
  k->site = lim_arena_array(&k->arena, room, sizeof *k->site);
  k->reference = lim_arena_array(&k->arena, room, sizeof *k->reference);
  bool taken = k->link && k->x && k->site && k->reference;
  lim_code code = taken ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < s->nbody && code == LIM_OK; i++)
    for (int n = first_node(s, i); n < node_count(s, i) && code == LIM_OK; n++)
      code = add_node(k, s, rigid, i, n, err);
  if (code == LIM_OK)
    *out = k;
  else
    lim_skeleton_free(k);
  return code;
}

void lim_skeleton_free(lim_skeleton *k) {
  if (!k) return;
  lim_arena_free(&k->arena);
  free(k);
}

void lim_skeleton_pose(float *position, float *rotation, float *reference, const lim_skeleton *k,
                       const lim_moment *m) {
  for (int i = 0; i < k->count; i++) {
    lim_motion_in_world x = lim_moment_site(m, &k->site[i]);
    lim_motion_in_world rigid = lim_moment_reference(m, &k->reference[i]);
    double turn[3];
    lim_rotation_vector(turn, x.R);
    for (int c = 0; c < 3; c++) {
      position[3 * i + c] = (float)x.p[c];
      rotation[3 * i + c] = (float)turn[c];
      reference[3 * i + c] = (float)rigid.p[c];
    }
  }
}
