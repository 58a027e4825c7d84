// skeleton.c - nodes of all links and where they are. Reference: docs/reference/channels.md (shapes).
#include "scene/skeleton.h"

#include "arm/body/kind.h"
#include "channel/strength.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "model/joint.h"

#include <stdlib.h>
#include <string.h>

// --- set-up ---

// Nodes that a body adds: the first of a later segment is the last of the segment before.
static int first_node(const lim_arm *s, int body) { return body > s->first_body[s->bodies[body].link]; }
static int node_count(const lim_arm *s, int body) { return s->bodies[body].line->nnode; }

// The end of an element, if the body has that element; of a later segment where the node is its seam.
static lim_code add_end(lim_node_end *end, lim_skeleton *k, const lim_arm *s, int body, int element, double at,
                        lim_error *err) {
  const lim_arm_body *m = &s->bodies[body];
  end->body = -1;
  if (element == m->line->nelement && body < s->last_body[m->link])
    return add_end(end, k, s, body + 1, 0, 0, err);
  if (element < 0 || element >= m->line->nelement) return LIM_OK;
  end->body = body;
  end->at = (lim_point){element, at};
  end->section = lim_strength_section(&k->sections, &k->arena, &m->line->element[element], at);
  if (!end->section) return lim_no_memory(err);
  return lim_section_cut_start_in(&end->cut, &k->arena, s, body, end->at, err);
}

static lim_code add_node(lim_skeleton *k, const lim_arm *s, const lim_arm *rigid, int link, int body, int node,
                         lim_error *err) {
  const lim_arm_body *m = &s->bodies[body];
  int i = k->count++;
  lim_site *site = &k->site[i], *reference = &k->reference[i];
  *site = (lim_site){.body = body, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  *reference = *site;
  reference->body = rigid->first_body[m->link];
  k->link[i] = link;
  k->slides[i] = m->inner;
  k->node[i] = node;
  k->x[i] = m->start + m->line->x[node];
  lim_code code = add_end(&k->end[i][0], k, s, body, node - 1, 1, err);
  if (code == LIM_OK) code = add_end(&k->end[i][1], k, s, body, node, 0, err);
  if (code == LIM_OK) code = m->kind->node(&site->section, &k->arena, s, body, node, err);
  reference->section.X[0] = k->x[i]; // a segment is one of several; others are as a whole in the rigid arm
  if (code != LIM_OK || m->kind->split) return code;
  return m->kind->node(&reference->section, &k->arena, rigid, reference->body, node, err);
}

static lim_code allocate(lim_skeleton *k, const lim_arm *s, lim_error *err) {
  size_t capacity = 0;
  for (int i = 0; i < s->nbody; i++) capacity += (size_t)node_count(s, i);
  k->links = lim_written_links(s->model);
  k->link = lim_arena_array(&k->arena, capacity, sizeof *k->link);
  k->first = lim_arena_array(&k->arena, (size_t)k->links + 1, sizeof *k->first);
  k->index = lim_arena_array(&k->arena, (size_t)k->links, sizeof *k->index);
  k->slides = lim_arena_array(&k->arena, capacity, sizeof *k->slides);
  k->node = lim_arena_array(&k->arena, capacity, sizeof *k->node);
  k->x = lim_arena_array(&k->arena, capacity, sizeof *k->x);
  k->site = lim_arena_array(&k->arena, capacity, sizeof *k->site);
  k->reference = lim_arena_array(&k->arena, capacity, sizeof *k->reference);
  k->end = lim_arena_array(&k->arena, capacity, sizeof *k->end);
  bool taken =
      k->link && k->first && k->index && k->slides && k->node && k->x && k->site && k->reference && k->end;
  return taken ? LIM_OK : lim_no_memory(err);
}

// Bodies of a link are its segments; links that were put in for freedoms of a joint have no nodes.
static lim_code add_nodes(lim_skeleton *k, const lim_arm *s, const lim_arm *rigid, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < k->links; i++) {
    const int link = lim_written_link(s->model, i);
    k->first[i] = k->count;
    k->index[i] = link;
    for (int b = s->first_body[link]; b <= s->last_body[link]; b++)
      for (int n = first_node(s, b); n < node_count(s, b) && code == LIM_OK; n++)
        code = add_node(k, s, rigid, i, b, n, err);
  }
  k->first[k->links] = k->count;
  return code;
}

static lim_code add_surfaces(lim_skeleton *k, const lim_arm *s, lim_error *err) {
  lim_code code = LIM_OK;
  k->surface = lim_arena_array(&k->arena, (size_t)k->links + 1, sizeof *k->surface);
  if (!k->surface) return lim_no_memory(err);
  for (int i = 0; i < k->links && code == LIM_OK; i++) {
    lim_surface *x = &k->surface[k->surfaces];
    code = lim_surface_of(x, &k->arena, s, s->first_body[k->index[i]], err);
    x->link = i;
    if (x->skin.nvertex) k->surfaces++;
  }
  return code;
}

lim_code lim_skeleton_new(lim_skeleton **out, const lim_arm *s, const lim_arm *rigid, lim_error *err) {
  *out = NULL;
  lim_skeleton *k = calloc(1, sizeof *k);
  if (!k) return lim_no_memory(err);
  lim_code code = allocate(k, s, err);
  if (code == LIM_OK) code = add_nodes(k, s, rigid, err);
  if (code == LIM_OK) code = add_surfaces(k, s, err);
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

static void node_pose(lim_frame_data *f, int i, const lim_skeleton *k, const lim_snapshot *m) {
  lim_world_motion x = lim_snapshot_node(m, &k->site[i], k->node[i]);
  lim_world_motion rigid = lim_snapshot_reference(m, &k->reference[i]);
  lim_world_motion lagging = m->lagging.body ? lim_snapshot_lagging(m, &k->reference[i]) : rigid;
  double rotation[3], moved[3], turn[3], deflection[3], bend[3];
  lim_rotation_vector(rotation, x.R);
  turn_between(turn, x.R, rigid.R);
  turn_between(bend, x.R, lagging.R);
  for (int c = 0; c < 3; c++) moved[c] = x.p[c] - rigid.p[c];
  for (int c = 0; c < 3; c++) deflection[c] = x.p[c] - lagging.p[c];
  put(f->position + 3 * i, x.p);
  put(f->rotation + 3 * i, rotation);
  put(f->reference + 3 * i, rigid.p);
  put(f->displacement + 3 * i, moved);
  put(f->turn + 3 * i, turn);
  put(f->deflection + 3 * i, deflection);
  put(f->bend + 3 * i, bend);
}

// The section at a node is that at the end of the element before it; of the one after it where there is none,
// or where the section changes.
static bool both_ends_count(const lim_node_end end[2], const lim_arm *s) {
  if (end[0].body < 0 || end[1].body < 0) return true;
  const lim_element *a = &s->bodies[end[0].body].line->element[end[0].at.element],
                    *b = &s->bodies[end[1].body].line->element[end[1].at.element];
  return a->to != b->from;
}

static lim_strength end_strength(const lim_node_end *end, const lim_snapshot *m,
                                 const lim_section_forces *inner) {
  if (end->body < 0 || end->cut.n == 0 || !(inner || m->equations)) return (lim_strength){NAN, NAN};
  const lim_arm_body *b = &m->system->bodies[end->body];
  lim_section_force f = inner && !end->cut.strains ? lim_beam_element_force(b->mesh, inner[end->body].u,
                                                                            &inner[end->body].load, end->at)
                                                   : lim_section_cut_force(&end->cut, m);
  return lim_strength_of(&b->line->element[end->at.element], end->section, f);
}

static void put_axes(float *out, const lim_world_motion *x) {
  double rotation[3];
  lim_rotation_vector(rotation, x->R);
  put(out, x->p);
  put(out + 3, rotation);
}

// Stresses of a surface are asked for where those of beams are known.
static void surface_pose(lim_frame_data *f, int i, const lim_skeleton *k, const lim_snapshot *m, bool known) {
  const lim_surface *x = &k->surface[i];
  const double *eta = m->q + m->system->bodies[x->body].e;
  for (int j = 0; j < x->n; j++) f->coordinates[i][j] = (float)eta[j];
  lim_strength a = known ? lim_surface_strength(x, eta) : (lim_strength){NAN, NAN};
  for (int n = k->first[x->link]; n < k->first[x->link + 1]; n++) {
    f->stress[n] = (float)a.stress;
    f->strain[n] = (float)a.strain;
  }
}

void lim_skeleton_pose(lim_frame_data *f, const lim_skeleton *k, const lim_snapshot *m,
                       const lim_section_forces *inner) {
  for (int i = 0; i < k->count; i++) {
    node_pose(f, i, k, m);
    lim_strength a = end_strength(&k->end[i][0], m, inner);
    if (both_ends_count(k->end[i], m->system))
      a = lim_strength_larger(a, end_strength(&k->end[i][1], m, inner));
    f->stress[i] = (float)a.stress;
    f->strain[i] = (float)a.strain;
  }
  for (int i = 0; i < k->surfaces; i++) surface_pose(f, i, k, m, inner || m->equations);
  for (int i = 0; i < k->links; i++) {
    const lim_site axes = {.body = m->rigid->first_body[k->index[i]], .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    lim_world_motion lagging = lim_snapshot_lagging(m, &axes);
    put_axes(f->rigid + 6 * i, &m->reference[axes.body]);
    put_axes(f->lagging + 6 * i, &lagging);
  }
}
