// spring.c - springs and bushings of the model, their laws and their books. Theory: docs/theory/springs.md.
#include "arm/spring.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- laws ---

lim_spring_pull lim_spring_law(const lim_spring_element *b, double x) {
  if (!b->curve)
    return (lim_spring_pull){b->preload + b->stiffness[0] * x, b->stiffness[0],
                             (b->preload + b->stiffness[0] * x / 2) * x};
  lim_curve_point p = lim_curve_at(b->curve, x);
  return (lim_spring_pull){b->preload + p.value, p.slope, b->preload * x + p.integral};
}

static lim_spring_state evaluate_spring(const lim_spring_element *b, const lim_world_motion *first,
                                        const lim_world_motion *second, const double length[2]) {
  lim_spring_state s = {.length = 0};
  double d[3], v[3];
  for (int i = 0; i < 3; i++) {
    d[i] = first->p[i] - second->p[i];
    v[i] = first->v[i] - second->v[i];
  }
  s.length = sqrt(lim_dot(d, d));
  s.rate = s.length > 0 ? lim_dot(d, v) / s.length : 0;
  lim_spring_pull pull = lim_spring_law(b, s.length - length[0]);
  double damper = b->damping[0] * (s.rate - length[1]);
  s.force = pull.force + damper;
  for (int i = 0; i < 3; i++) s.F[i] = s.length > 0 ? -s.force * d[i] / s.length : 0;
  s.energy = pull.energy;
  s.work = -s.force * length[1];
  s.dissipated = damper * (s.rate - length[1]);
  return s;
}

// J' x of the rotation vector t: x + t x x/2 + c t x (t x x), J the inverse of its left Jacobian.
static void by_inverse_jacobian(double out[3], const double t[3], const double x[3]) {
  double s = lim_dot(t, t), half = sqrt(s) / 2, tx[3], ttx[3];
  double c = s < 1e-4 ? 1.0 / 12 + s / 720 : (1 - half / tan(half)) / s;
  lim_cross(tx, t, x);
  lim_cross(ttx, t, tx);
  for (int i = 0; i < 3; i++) out[i] = x[i] + tx[i] / 2 + c * ttx[i];
}

static lim_spring_state evaluate_bushing(const lim_spring_element *b, const lim_world_motion *first,
                                         const lim_world_motion *second) {
  lim_spring_state s = {.length = 0};
  double apart[3], v[3], w[3], carried[3], d[3], rate[3], spin[3], back[9], T[9], turn[3];
  for (int i = 0; i < 3; i++) apart[i] = first->p[i] - second->p[i];
  lim_cross(carried, second->w, apart);
  for (int i = 0; i < 3; i++) {
    v[i] = first->v[i] - second->v[i] - carried[i];
    w[i] = first->w[i] - second->w[i];
    for (int j = 0; j < 3; j++) back[3 * i + j] = second->R[3 * j + i];
  }
  lim_rotate(d, back, apart);
  lim_rotate(rate, back, v);
  lim_rotate(spin, back, w);
  lim_mat3_product(T, back, first->R);
  lim_rotation_vector(turn, T);
  double force[3], elastic[3], moment[3];
  for (int i = 0; i < 3; i++) elastic[i] = b->stiffness[3 + i] * turn[i];
  by_inverse_jacobian(moment, turn, elastic);
  for (int i = 0; i < 3; i++) {
    force[i] = -b->stiffness[i] * d[i] - b->damping[i] * rate[i];
    moment[i] = -moment[i] - b->damping[3 + i] * spin[i];
  }
  lim_rotate(s.F, second->R, force);
  lim_rotate(s.N, second->R, moment);
  for (int i = 0; i < 3; i++) {
    s.energy += (b->stiffness[i] * d[i] * d[i] + b->stiffness[3 + i] * turn[i] * turn[i]) / 2;
    s.dissipated += b->damping[i] * rate[i] * rate[i] + b->damping[3 + i] * spin[i] * spin[i];
  }
  return s;
}

lim_spring_state lim_spring_evaluate(const lim_spring_element *b, const lim_world_motion *first,
                                     const lim_world_motion *second, const double length[2]) {
  return b->bushing ? evaluate_bushing(b, first, second) : evaluate_spring(b, first, second, length);
}

void lim_springs_lengths(double *length, const lim_spring_elements *b, double t, bool before) {
  for (int i = 0; i < b->count; i++) {
    const lim_trajectory *c = b->spring[i].length;
    lim_sample x = {.value = b->spring[i].still};
    if (c) x = before ? lim_trajectory_before(c, t) : lim_trajectory_at(c, t);
    length[2 * i] = x.value;
    length[2 * i + 1] = x.rate;
  }
}

// --- set-up ---

static lim_code find_sites(lim_spring_element *b, lim_arm *s, const lim_location between[2], lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < 2 && code == LIM_OK; i++)
    code = lim_arm_site(&b->site[i], s, between[i].link, between[i].kind, between[i].kind == LIM_AT_TIP,
                        between[i].frame, err);
  return code;
}

// Distance of the two places in the configuration.
static lim_code find_length(lim_spring_element *b, const lim_arm *s, lim_error *err) {
  size_t n = (size_t)s->n;
  double *q = calloc(2 * n + 1, sizeof *q), d[3];
  lim_world_motion *body = calloc((size_t)s->nbody + 1, sizeof *body), x[2];
  lim_code code = q && body ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(q, q + n, s);
    lim_kinematics(body, s, q, NULL, NULL);
    for (int i = 0; i < 2; i++) x[i] = lim_kinematics_at(s, &b->site[i], body, q, NULL, NULL);
    for (int i = 0; i < 3; i++) d[i] = x[0].p[i] - x[1].p[i];
    b->still = sqrt(lim_dot(d, d));
  }
  free(q);
  free(body);
  return code;
}

static lim_code build_spring(lim_spring_element *b, lim_arm *s, const lim_spring *from,
                             lim_trajectory_setup setup, lim_error *err) {
  *b = (lim_spring_element){.name = from->head.name, .preload = from->preload};
  if (!isnan(from->stiffness)) b->stiffness[0] = from->stiffness;
  b->damping[0] = from->damping;
  setup.motion = false;
  setup.start = 0;
  lim_code code = find_sites(b, s, from->between, err);
  if (code == LIM_OK) code = find_length(b, s, err);
  if (code == LIM_OK && from->force.table) code = lim_curve_new(&b->curve, &from->force, setup.directory, err);
  if (code == LIM_OK && from->length.list.count)
    code = lim_trajectory_new(&b->length, &from->length, &setup, err);
  return code;
}

static lim_code build_bushing(lim_spring_element *b, lim_arm *s, const lim_bushing *from, lim_error *err) {
  *b = (lim_spring_element){.name = from->head.name, .bushing = true};
  memcpy(b->stiffness, from->stiffness, sizeof b->stiffness);
  memcpy(b->damping, from->damping, sizeof b->damping);
  return find_sites(b, s, from->between, err);
}

lim_code lim_springs_build(lim_spring_elements *out, lim_arena *arena, lim_arm *s,
                           const lim_trajectory_setup *setup, lim_error *err) {
  const lim_model *m = s->model;
  *out = (lim_spring_elements){.count = 0};
  out->spring =
      lim_arena_array(arena, (size_t)m->springs.count + (size_t)m->bushings.count, sizeof *out->spring);
  if (!out->spring) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->springs.count && code == LIM_OK; i++)
    code = build_spring(&out->spring[out->count++], s, &m->springs.item[i], *setup, err);
  for (int i = 0; i < m->bushings.count && code == LIM_OK; i++)
    code = build_bushing(&out->spring[out->count++], s, &m->bushings.item[i], err);
  return code;
}

void lim_springs_free(lim_spring_elements *b) {
  for (int i = 0; i < b->count; i++) {
    lim_trajectory_free(b->spring[i].length);
    lim_curve_free(b->spring[i].curve);
  }
}
