// skeleton.c - nodes of all links and where they are. Reference: docs/reference/channels.md (shapes).
#include "result/skeleton.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "result/strength.h"
#include "system/pose.h"

#include <stdlib.h>
#include <string.h>

// --- set-up ---

// Nodes that a body adds: the first of a later segment is the last of the segment before.
static int first_node(const lim_system *s, int body) { return body > s->first_body[s->member[body].link]; }
static int node_count(const lim_system *s, int body) {
  return s->member[body].mesh ? s->member[body].mesh->nnode : 2;
}

// The end of an element, if the body has that element; of a later segment where the node is its seam.
static lim_code add_end(lim_node_end *end, lim_skeleton *k, const lim_system *s, int body, int element,
                        double at, lim_error *err) {
  const lim_member *m = &s->member[body];
  end->body = -1;
  if (m->mesh && element == m->mesh->nelement && body < s->last_body[m->link])
    return add_end(end, k, s, body + 1, 0, 0, err);
  if (!m->mesh || element < 0 || element >= m->mesh->nelement) return LIM_OK;
  end->body = body;
  end->at = (lim_point){element, at};
  return lim_cut_start_in(&end->cut, &k->arena, s, body, end->at, err);
}

static lim_code add_node(lim_skeleton *k, const lim_system *s, const lim_system *rigid, int body, int node,
                         lim_error *err) {
  const lim_member *m = &s->member[body];
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int i = k->count++;
  lim_site *site = &k->site[i], *reference = &k->reference[i];
  *site = (lim_site){.body = body};
  memcpy(site->Rc, unit, sizeof unit);
  k->link[i] = m->link;
  k->slides[i] = m->slide != NULL;
  lim_pose_along(site->section.X, &s->model->links.item[m->link], node);
  k->x[i] = m->mesh ? m->start + m->mesh->x[node] : sqrt(lim_dot(site->section.X, site->section.X));
  if (m->mesh) memcpy(site->section.X, (double[3]){m->mesh->x[node]}, sizeof site->section.X);
  *reference = *site;
  reference->body = rigid->first_body[m->link];
  if (m->mesh) reference->section.X[0] = k->x[i];
  lim_code code = add_end(&k->end[i][0], k, s, body, node - 1, 1, err);
  if (code == LIM_OK) code = add_end(&k->end[i][1], k, s, body, node, 0, err);
  if (code == LIM_OK && m->slide) {
    double place = (double)node / m->mesh->nelement;
    code = lim_system_sliding(&site->section, &k->arena, s, body, place, err);
    if (code == LIM_OK)
      code = lim_system_sliding(&reference->section, &k->arena, rigid, reference->body, place, err);
    return code;
  }
  if (code != LIM_OK || !m->mesh || node == 0 || m->body->n == 0) return code;
  return lim_body_section(&site->section, &k->arena, m->mesh, m->shapes, m->mesh->x[node] / m->mesh->length,
                          s->model->solver.stiffening, err);
}

static lim_code take(lim_skeleton *k, const lim_system *s, lim_error *err) {
  size_t room = 0;
  for (int i = 0; i < s->nbody; i++) room += (size_t)node_count(s, i);
  k->links = s->model->links.count;
  k->link = lim_arena_array(&k->arena, room, sizeof *k->link);
  k->first = lim_arena_array(&k->arena, (size_t)k->links + 1, sizeof *k->first);
  k->slides = lim_arena_array(&k->arena, room, sizeof *k->slides);
  k->x = lim_arena_array(&k->arena, room, sizeof *k->x);
  k->site = lim_arena_array(&k->arena, room, sizeof *k->site);
  k->reference = lim_arena_array(&k->arena, room, sizeof *k->reference);
  k->end = lim_arena_array(&k->arena, room, sizeof *k->end);
  bool taken = k->link && k->first && k->slides && k->x && k->site && k->reference && k->end;
  return taken ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
}

// Bodies of a link are its segments; the chain of a free joint before them has no nodes.
static lim_code add_nodes(lim_skeleton *k, const lim_system *s, const lim_system *rigid, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < k->links; i++) {
    k->first[i] = k->count;
    for (int b = s->first_body[i]; b <= s->last_body[i]; b++)
      for (int n = first_node(s, b); n < node_count(s, b) && code == LIM_OK; n++)
        code = add_node(k, s, rigid, b, n, err);
  }
  k->first[k->links] = k->count;
  return code;
}

lim_code lim_skeleton_new(lim_skeleton **out, const lim_system *s, const lim_system *rigid, lim_error *err) {
  *out = NULL;
  lim_skeleton *k = calloc(1, sizeof *k);
  if (!k) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = take(k, s, err);
  if (code == LIM_OK) code = add_nodes(k, s, rigid, err);
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

// --- a frame ---

static void put(float *out, const double x[3]) {
  for (int i = 0; i < 3; i++) out[i] = (float)x[i];
}

// The rotation vector of R A', world axes.
static void turn_between(double t[3], const double R[9], const double A[9]) {
  double T[9];
  for (int i = 0; i < 9; i++) T[i] = lim_dot(R + 3 * (i / 3), A + 3 * (i % 3));
  lim_rotation_vector(t, T);
}

static void node_pose(lim_frame_data *f, int i, const lim_skeleton *k, const lim_moment *m) {
  lim_motion_in_world x = lim_moment_site(m, &k->site[i]), rigid = lim_moment_reference(m, &k->reference[i]);
  double rotation[3], moved[3], turn[3];
  lim_rotation_vector(rotation, x.R);
  turn_between(turn, x.R, rigid.R);
  for (int c = 0; c < 3; c++) moved[c] = x.p[c] - rigid.p[c];
  put(f->position + 3 * i, x.p);
  put(f->rotation + 3 * i, rotation);
  put(f->reference + 3 * i, rigid.p);
  put(f->displacement + 3 * i, moved);
  put(f->turn + 3 * i, turn);
}

// The section at a node is that at the end of the element before it; of the one after it where there is none,
// or where the section changes.
static bool both_ends_count(const lim_node_end end[2], const lim_system *s) {
  if (end[0].body < 0 || end[1].body < 0) return true;
  const lim_element *a = &s->member[end[0].body].mesh->element[end[0].at.element],
                    *b = &s->member[end[1].body].mesh->element[end[1].at.element];
  return a->to != b->from;
}

static lim_strength end_strength(const lim_node_end *end, const lim_moment *m, const lim_inner *inner) {
  const lim_mesh *mesh = end->body < 0 ? NULL : m->system->member[end->body].mesh;
  if (!mesh || end->cut.n == 0 || !(inner || m->equations)) return (lim_strength){NAN, NAN};
  lim_section_force f = inner && !end->cut.slide
                            ? lim_beam_element_force(mesh, inner[end->body].u, &inner[end->body].load, end->at)
                            : lim_cut_force(&end->cut, m);
  return lim_strength_of(&mesh->element[end->at.element], end->at.s, f);
}

void lim_skeleton_pose(lim_frame_data *f, const lim_skeleton *k, const lim_moment *m, const lim_inner *inner) {
  for (int i = 0; i < k->count; i++) {
    node_pose(f, i, k, m);
    lim_strength a = end_strength(&k->end[i][0], m, inner);
    if (both_ends_count(k->end[i], m->system))
      a = lim_strength_larger(a, end_strength(&k->end[i][1], m, inner));
    f->stress[i] = (float)a.stress;
    f->strain[i] = (float)a.strain;
  }
  for (int i = 0; i < k->links; i++) {
    const lim_motion_in_world *x = &m->reference[m->rigid->first_body[i]];
    double rotation[3];
    lim_rotation_vector(rotation, x->R);
    put(f->rigid + 6 * i, x->p);
    put(f->rigid + 6 * i + 3, rotation);
  }
}
