// rigid.c - links without a beam: mass, centre and inertia alone.
#include "arm/body/kind.h"

#include "arm/pose.h"
#include "math/rotation.h"

#include <math.h>

static bool is(const lim_link *link) {
  (void)link;
  return true; // what nothing else takes
}

static lim_code count(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err) {
  (void)n, (void)m, (void)link, (void)keep, (void)err;
  return LIM_OK;
}

// Its line has two nodes: base and tip.
static lim_code build(lim_arm *s, lim_arm_body *m, int segment, const bool keep[6], bool rigid,
                      lim_error *err) {
  (void)segment, (void)keep, (void)rigid;
  const lim_link *link = &s->model->links.item[m->link];
  lim_code code = lim_body_rigid(&m->body, link, err);
  if (code == LIM_OK) code = lim_arm_body_bare(m, 2, err);
  if (code != LIM_OK) return code;
  double tip[3];
  lim_pose_along(tip, link, 1);
  m->line->x[1] = m->line->length = sqrt(lim_dot(tip, tip));
  return LIM_OK;
}

static lim_code loaded(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                       lim_error *err) {
  (void)m, (void)stiffening;
  return lim_body_rigid(out, link, err);
}

static lim_code section(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, double place,
                        lim_error *err) {
  (void)arena, (void)err;
  *out = (lim_section_motion){.X = {0}};
  lim_pose_along(out->X, &s->model->links.item[s->bodies[body].link], place);
  return LIM_OK;
}

static lim_code node(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, int k,
                     lim_error *err) {
  return section(out, arena, s, body, k, err);
}

static void node_rates(double *out, const lim_arm *s, int body, const lim_world_motion *motion, const double *q,
                       const double *rate, const double R[9], double *scratch) {
  static const double still[6];
  (void)q, (void)rate, (void)scratch;
  for (int k = 0; k < 2; k++) {
    double X[3];
    lim_pose_along(X, &s->model->links.item[s->bodies[body].link], k);
    lim_body_place_rate(out + 6 * k, &motion[body], X, still, R);
  }
}

const lim_body_kind lim_body_is_rigid = {
    .name = "rigid body",
    LIM_FLOATING_FRAME_ANSWERS,
    .is = is,
    .count = count,
    .build = build,
    .loaded = loaded,
    .section = section,
    .node = node,
    .unit = lim_floating_unit,
    .node_rates = node_rates,
};
