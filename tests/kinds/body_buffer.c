// body_buffer.c - a kind of body for the test of kinds: links named 'buffer' are masses on a spring along x,
// whose stiffness is 16 times their mass.
#include "arm/body/kind.h"

#include <stdlib.h>
#include <string.h>

static bool is(const lim_link *link) { return !strcmp(link->head.name, "buffer"); }

static lim_code count(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err) {
  (void)m, (void)link, (void)keep, (void)err;
  *n += 1;
  return LIM_OK;
}

// Integrals of a point that moves along x: sum w N = w, S_xx = M = w.
static lim_code integrals(lim_body *b, double mass, lim_error *err) {
  const double none[] = {0};
  b->n = 1;
  b->mass = mass;
  bool good = (b->first = lim_arena_array(&b->arena, 3, sizeof(double))) &&
              (b->second = lim_arena_array(&b->arena, 3, sizeof(double))) &&
              (b->inertia1 = lim_arena_array(&b->arena, 6, sizeof(double))) &&
              (b->M = lim_arena_array(&b->arena, 1, sizeof(double))) &&
              (b->K = lim_arena_array(&b->arena, 1, sizeof(double)));
  for (int i = 0; i < 6; i++) good = good && lim_sparse_of(&b->S[i], &b->arena, i ? none : &mass, 1);
  for (int i = 0; i < 3; i++) good = good && lim_sparse_of(&b->B[i], &b->arena, none, 1);
  if (!good) return lim_no_memory(err);
  b->first[0] = b->M[0] = mass;
  b->K[0] = 16 * mass;
  return LIM_OK;
}

static lim_code loaded(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                       lim_error *err) {
  (void)m, (void)stiffening;
  *out = calloc(1, sizeof **out);
  return *out ? integrals(*out, link->body.mass, err) : lim_no_memory(err);
}

static lim_code build(lim_arm *s, lim_arm_body *m, int segment, const bool keep[6], bool rigid,
                      lim_error *err) {
  if (rigid) return lim_body_is_rigid.build(s, m, segment, keep, rigid, err);
  lim_code code = loaded(&m->body, m, &s->model->links.item[m->link], false, err);
  return code == LIM_OK ? lim_arm_body_bare(m, 2, err) : code;
}

static lim_code section(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, double place,
                        lim_error *err) {
  *out = (lim_section_motion){.X = {0}};
  if (place == 0 || s->bodies[body].body->n == 0) return LIM_OK;
  out->N = lim_arena_array(arena, 6, sizeof *out->N);
  if (!out->N) return lim_no_memory(err);
  out->count = 1;
  out->N[0] = 1;
  return LIM_OK;
}

static lim_code node(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, int k,
                     lim_error *err) {
  return section(out, arena, s, body, k, err);
}

static double unit(const lim_arm_body *m) { return m->body->n; }

static void node_rates(double *out, const lim_arm *s, int body, const lim_world_motion *motion, const double *q,
                       const double *rate, const double R[9], double *scratch) {
  (void)q, (void)scratch;
  for (int k = 0; k < 2; k++) {
    const double X[3] = {0}, d[6] = {k * rate[s->bodies[body].e]};
    lim_body_place_rate(out + 6 * k, &motion[body], X, d, R);
  }
}

const lim_body_kind lim_body_is_buffer = {
    .name = "buffer",
    LIM_FLOATING_FRAME_ANSWERS,
    .is = is,
    .count = count,
    .build = build,
    .loaded = loaded,
    .section = section,
    .node = node,
    .unit = unit,
    .node_rates = node_rates,
};
