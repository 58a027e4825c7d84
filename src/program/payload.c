// payload.c - parts held by the arm, as masses of its links. Theory: docs/theory/programs.md (18).
#include "arm/body/kind.h"
#include "arm/pose.h"
#include "math/rotation.h"
#include "program/result.h"

#include <stdlib.h>
#include <string.h>

// Whether the part of grip i is still held after the first `count` grips.
static bool holds(const lim_grip *grips, int count, int i) {
  if (!grips[i].take) return false;
  for (int k = i + 1; k < count; k++)
    if (!strcmp(grips[k].name, grips[i].name)) return false;
  return true;
}

// R I R' of a symmetric I: xx yy zz xy xz yz.
static void turn_inertia(double out[6], const double R[9], const double I[6]) {
  const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double left[9];
  lim_mat3_product(left, R, full);
  for (int k = 0; k < 6; k++) out[k] = lim_dot(left + 3 * row[k], R + 3 * column[k]);
}

static lim_mass mass_of(const lim_model *m, const lim_grip *g, int *link) {
  const lim_frame_on_link f = lim_pose_frame(m, g->at.link, g->at.kind, g->at.kind == LIM_AT_TIP, g->at.frame);
  lim_mass x = {.head = {.name = g->name}, .mass = g->mass};
  x.at = (lim_link_location){.kind = LIM_AT_FRACTION, .value = f.fraction};
  lim_rotate(x.xyz, f.R, g->xyz);
  for (int i = 0; i < 3; i++) x.xyz[i] += f.c[i];
  turn_inertia(x.inertia, f.R, g->inertia);
  *link = f.link;
  return x;
}

lim_link *lim_grips_links(lim_arena *arena, const lim_model *m, const lim_grip *grips, int count) {
  lim_link *links = lim_arena_array(arena, (size_t)m->links.count, sizeof *links);
  if (!links) return NULL;
  memcpy(links, m->links.item, (size_t)m->links.count * sizeof *links);
  for (int i = 0; i < count; i++) {
    int link;
    if (!holds(grips, count, i)) continue;
    const lim_mass x = mass_of(m, &grips[i], &link);
    lim_link *a = &links[link];
    lim_mass *list = lim_arena_array(arena, (size_t)a->masses.count + 1, sizeof *list);
    if (!list) return NULL;
    if (a->masses.count) memcpy(list, a->masses.item, (size_t)a->masses.count * sizeof *list);
    list[a->masses.count++] = x;
    a->masses.item = list;
  }
  return links;
}

// --- bodies ---

static bool same_masses(const lim_link *a, const lim_link *b) { return a->masses.item == b->masses.item; }

// A beam that slides holds parts at its tip, if that has a body.
static lim_code check_slides(const lim_arm *s, const lim_grip *g, lim_error *err) {
  const lim_frame_on_link f =
      lim_pose_frame(s->model, g->at.link, g->at.kind, g->at.kind == LIM_AT_TIP, g->at.frame);
  const lim_link *a = &s->model->links.item[f.link];
  if (!lim_body_kind_of(a)->inner || (a->masses.count && f.fraction == 1)) return LIM_OK;
  return LIM_FAIL(
      err, LIM_BAD_INPUT,
      "the beam '%s' slides through its joint: it can grip '%s' at its tip only, and if that carries a "
      "mass, of 0 kg if need be",
      a->head.name, g->name);
}

// The bodies after `count` grips; those whose links carry what they carried before are shared.
static lim_code build_state(lim_payload *h, int count, lim_arena *arena, lim_link **before, lim_error *err) {
  const lim_arm *s = h->s;
  const lim_grip *grips = h->plan->grips.item;
  lim_body **own = h->body + (size_t)count * (size_t)s->nbody, **last = own - s->nbody;
  lim_link *links = lim_grips_links(arena, s->model, grips, count);
  if (!links) return lim_no_memory(err);
  lim_code code = check_slides(s, &grips[count - 1], err);
  for (int i = 0; i < s->nbody; i++) own[i] = last[i];
  for (int i = 0; i < s->nbody && code == LIM_OK; i++) {
    const int link = s->bodies[i].link;
    if (i < s->first_body[link] || same_masses(&links[link], &(*before)[link])) continue;
    lim_body *body = NULL;
    code = s->bodies[i].kind->loaded(&body, &s->bodies[i], &links[link], s->model->solver.stiffening, err);
    if (body) own[i] = body;
  }
  *before = links;
  return code;
}

lim_code lim_payload_new(lim_payload **out, lim_arm *s, lim_error *err) {
  const lim_program_result *plan = s->model->plan;
  *out = NULL;
  if (!plan || plan->grips.count == 0) return LIM_OK;
  const int count = plan->grips.count;
  lim_arena arena = {0};
  lim_link *links = s->model->links.item;
  lim_payload *h = calloc(1, sizeof *h);
  if (h) {
    *h = (lim_payload){.s = s, .plan = plan};
    h->body = calloc((size_t)(count + 1) * (size_t)s->nbody, sizeof *h->body);
  }
  lim_code code = h && h->body ? LIM_OK : lim_no_memory(err);
  for (int i = 0; code == LIM_OK && i < s->nbody; i++) h->body[i] = s->bodies[i].body;
  for (int k = 1; code == LIM_OK && k <= count; k++) code = build_state(h, k, &arena, &links, err);
  lim_arena_free(&arena);
  if (code == LIM_OK)
    *out = h;
  else
    lim_payload_free(h);
  return code;
}

void lim_payload_free(lim_payload *h) {
  if (!h) return;
  if (h->body) {
    const int nbody = h->s->nbody;
    if (h->body[0]) lim_payload_set(h, 0);
    for (int i = nbody; i < (h->plan->grips.count + 1) * nbody; i++)
      if (h->body[i] != h->body[i - nbody]) lim_body_free(h->body[i]);
  }
  free(h->body);
  free(h);
}

void lim_payload_set(lim_payload *h, int count) {
  for (int i = 0; i < h->s->nbody; i++)
    h->s->bodies[i].body = h->body[(size_t)count * (size_t)h->s->nbody + (size_t)i];
  h->now = count;
}

int lim_payload_at(const lim_payload *h, double t) {
  int count = 0;
  while (count < h->plan->grips.count && h->plan->grips.item[count].time <= t + 1e-12) count++;
  return count;
}
