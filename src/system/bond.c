// bond.c - springs and bushings of the model, their laws and their books. Theory: docs/theory/springs.md.
#include "system/bond.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- laws ---

lim_bond_pull lim_bond_law(const lim_bond *b, double x) {
  if (!b->curve)
    return (lim_bond_pull){b->preload + b->stiffness[0] * x, b->stiffness[0],
                           (b->preload + b->stiffness[0] * x / 2) * x};
  lim_curve_point p = lim_curve_at(b->curve, x);
  return (lim_bond_pull){b->preload + p.value, p.slope, b->preload * x + p.integral};
}

static lim_bond_state look_at_spring(const lim_bond *b, const lim_motion_in_world *first,
                                     const lim_motion_in_world *second, const double length[2]) {
  lim_bond_state s = {.length = 0};
  double d[3], v[3];
  for (int i = 0; i < 3; i++) {
    d[i] = first->p[i] - second->p[i];
    v[i] = first->v[i] - second->v[i];
  }
  s.length = sqrt(lim_dot(d, d));
  s.rate = s.length > 0 ? lim_dot(d, v) / s.length : 0;
  lim_bond_pull pull = lim_bond_law(b, s.length - length[0]);
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

static lim_bond_state look_at_bushing(const lim_bond *b, const lim_motion_in_world *first,
                                      const lim_motion_in_world *second) {
  lim_bond_state s = {.length = 0};
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

lim_bond_state lim_bond_look(const lim_bond *b, const lim_motion_in_world *first,
                             const lim_motion_in_world *second, const double length[2]) {
  return b->bushing ? look_at_bushing(b, first, second) : look_at_spring(b, first, second, length);
}

void lim_bonds_lengths(double *length, const lim_bonds *b, double t, bool before) {
  for (int i = 0; i < b->count; i++) {
    const lim_course *c = b->bond[i].length;
    lim_sample x = {.value = b->bond[i].still};
    if (c) x = before ? lim_course_before(c, t) : lim_course_at(c, t);
    length[2 * i] = x.value;
    length[2 * i + 1] = x.rate;
  }
}

// --- set-up ---

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

static lim_code find_sites(lim_bond *b, lim_system *s, const lim_spot between[2], lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < 2 && code == LIM_OK; i++)
    code = lim_system_site(&b->site[i], s, between[i].link, between[i].kind, between[i].kind == LIM_AT_TIP,
                           between[i].frame, err);
  return code;
}

// Distance of the two places in the configuration.
static lim_code find_length(lim_bond *b, const lim_system *s, lim_error *err) {
  size_t n = (size_t)s->n;
  double *q = calloc(2 * n + 1, sizeof *q), d[3];
  lim_motion_in_world *body = calloc((size_t)s->nbody + 1, sizeof *body), x[2];
  lim_code code = q && body ? LIM_OK : no_memory(err);
  if (code == LIM_OK) {
    lim_system_start(q, q + n, s);
    lim_kinematics(body, s, q, NULL, NULL);
    for (int i = 0; i < 2; i++) {
      int at = b->site[i].body;
      x[i] = lim_kinematics_site(s, &b->site[i], at < 0 ? NULL : &body[at], q, NULL, NULL);
    }
    for (int i = 0; i < 3; i++) d[i] = x[0].p[i] - x[1].p[i];
    b->still = sqrt(lim_dot(d, d));
  }
  free(q);
  free(body);
  return code;
}

static lim_code build_spring(lim_bond *b, lim_system *s, const lim_spring *from, lim_course_setup setup,
                             lim_error *err) {
  *b = (lim_bond){.name = from->head.name, .preload = from->preload};
  if (!isnan(from->stiffness)) b->stiffness[0] = from->stiffness;
  b->damping[0] = from->damping;
  setup.motion = false;
  setup.start = 0;
  lim_code code = find_sites(b, s, from->between, err);
  if (code == LIM_OK) code = find_length(b, s, err);
  if (code == LIM_OK && from->force.table) code = lim_curve_new(&b->curve, &from->force, setup.directory, err);
  if (code == LIM_OK && from->length.list.count) code = lim_course_new(&b->length, &from->length, &setup, err);
  return code;
}

static lim_code build_bushing(lim_bond *b, lim_system *s, const lim_bushing *from, lim_error *err) {
  *b = (lim_bond){.name = from->head.name, .bushing = true};
  memcpy(b->stiffness, from->stiffness, sizeof b->stiffness);
  memcpy(b->damping, from->damping, sizeof b->damping);
  return find_sites(b, s, from->between, err);
}

lim_code lim_bonds_build(lim_bonds *out, lim_arena *arena, lim_system *s, const lim_course_setup *setup,
                         lim_error *err) {
  const lim_model *m = s->model;
  *out = (lim_bonds){.count = 0};
  out->bond = lim_arena_array(arena, (size_t)m->springs.count + (size_t)m->bushings.count, sizeof *out->bond);
  if (!out->bond) return no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->springs.count && code == LIM_OK; i++)
    code = build_spring(&out->bond[out->count++], s, &m->springs.item[i], *setup, err);
  for (int i = 0; i < m->bushings.count && code == LIM_OK; i++)
    code = build_bushing(&out->bond[out->count++], s, &m->bushings.item[i], err);
  return code;
}

void lim_bonds_free(lim_bonds *b) {
  for (int i = 0; i < b->count; i++) {
    lim_course_free(b->bond[i].length);
    lim_curve_free(b->bond[i].curve);
  }
}
