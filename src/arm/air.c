// air.c - where the air acts on beams, and what it takes. Theory: docs/theory/dynamics.md.
#include "arm/air.h"

#include "math/gauss.h"
#include "math/rotation.h"

#include <math.h>

enum { POINTS = 3 }; // of each element: exact for |v| v of a straight beam that turns

static lim_code add_element(lim_arm *s, int link, const lim_arm_body *b, const lim_element *x, lim_error *err) {
  const lim_link *a = &s->model->links.item[link];
  const lim_gauss rule = lim_gauss_rule(POINTS);
  lim_code code = LIM_OK;
  for (int g = 0; g < rule.n && code == LIM_OK; g++) {
    lim_air_point *p = &s->air[s->nair++];
    const lim_section_data d = lim_element_section(x, rule.s[g]);
    *p = (lim_air_point){.k = a->air.density * a->air.drag / 2 * rule.w[g] * x->L,
                         .y = d.y,
                         .z = d.z,
                         .round = lim_section_is_round(x->from)};
    code = lim_arm_site(&p->site, s, link, LIM_AT_FRACTION,
                        (b->start + x->x + rule.s[g] * x->L) / a->beam.length, -1, err);
  }
  return code;
}

lim_code lim_air_build(lim_arm *s, lim_error *err) {
  size_t capacity = 0;
  for (int i = 0; i < s->nbody; i++) {
    const lim_link *a = &s->model->links.item[s->bodies[i].link];
    if (a->air.head.node) capacity += POINTS * (size_t)s->bodies[i].mesh->nelement;
  }
  if (capacity == 0) return LIM_OK;
  s->air = lim_arena_array(&s->arena, capacity, sizeof *s->air);
  if (!s->air) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < s->nbody && code == LIM_OK; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (!s->model->links.item[b->link].air.head.node) continue;
    for (int e = 0; e < b->mesh->nelement && code == LIM_OK; e++)
      code = add_element(s, b->link, b, &b->mesh->element[e], err);
  }
  return code;
}

double lim_air_power(const lim_arm *s, const lim_world_motion *body, const double *q, const double *v) {
  double power = 0;
  for (int i = 0; i < s->nair; i++) {
    const lim_air_point *p = &s->air[i];
    const lim_world_motion m = lim_kinematics_site(s, &p->site, &body[p->site.body], q, v, NULL);
    double u[3];
    lim_rotate_back(u, m.R, m.v);
    const double speed = sqrt(u[1] * u[1] + u[2] * u[2]);
    const double wide = p->round ? p->y * speed : p->y * fabs(u[2]) + p->z * fabs(u[1]); // d |v|
    power += p->k * wide * speed * speed;
  }
  return power;
}
