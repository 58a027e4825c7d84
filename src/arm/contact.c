// contact.c - spheres against planes: geometry, law, rows of those that stick. Theory: docs/theory/contact.md.
#include "arm/contact.h"

#include "arm/pose.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- what only presses ---

lim_press lim_press_of(double depth, double rate, double force) {
  if (!(depth > 0 || (depth == 0 && rate > 0))) return LIM_PRESS_APART;
  return force >= 0 ? LIM_PRESS_ON : LIM_PRESS_SLACK;
}

double lim_press_beyond(lim_press now, double depth, double force_depth) {
  if (now == LIM_PRESS_APART) return depth;
  return fmax(-depth, now == LIM_PRESS_ON ? -force_depth : force_depth);
}

// --- geometry ---

// The sphere as the plane sees it: in the axes of the plane.
typedef struct {
  double x[3], dx[3], ddx[3]; // its centre, and derivatives
  double w[3], dw[3];         // its angular velocity, and the derivative
} relative;

static relative seen(const lim_world_motion *first, const lim_world_motion *second) {
  relative r;
  double apart[3], rate[3], acc[3], w[3], dw[3], twice[3], carried[3];
  for (int i = 0; i < 3; i++) {
    apart[i] = first->p[i] - second->p[i];
    rate[i] = first->v[i] - second->v[i];
    acc[i] = first->a[i] - second->a[i];
    w[i] = first->w[i] - second->w[i];
    dw[i] = first->alpha[i] - second->alpha[i];
  }
  lim_cross(carried, second->w, apart);
  lim_add(rate, -1, carried);
  for (int i = 0; i < 3; i++) twice[i] = -2 * second->w[i];
  lim_add_cross(acc, twice, rate);
  for (int i = 0; i < 3; i++) twice[i] = -second->w[i];
  lim_add_cross(acc, twice, carried);
  lim_add_cross(dw, twice, w);
  for (int i = 0; i < 3; i++) twice[i] = -second->alpha[i];
  lim_add_cross(acc, twice, apart);
  lim_rotate_back(r.x, second->R, apart);
  lim_rotate_back(r.dx, second->R, rate);
  lim_rotate_back(r.ddx, second->R, acc);
  lim_rotate_back(r.w, second->R, w);
  lim_rotate_back(r.dw, second->R, dw);
  return r;
}

// Axes of the sphere in those of the plane.
static void relative_axes(double R[9], const lim_world_motion *first, const lim_world_motion *second) {
  double back[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) back[3 * i + j] = second->R[3 * j + i];
  lim_mat3_product(R, back, first->R);
}

// What a turning w does along tangent t at the point of the sphere in the plane, for a height 1 of its centre:
// t . (n x w)
static double sweep(const double t[3], const double w[3]) { return t[1] * w[0] - t[0] * w[1]; }

// Velocity of that point along t.   (4)
static double slip_of(const double t[3], const relative *r) {
  return lim_dot(t, r->dx) + r->x[2] * sweep(t, r->w);
}

// --- law ---

// (4)
static double friction_force(double T[2], const lim_contact_element *c, const lim_contact_state *x,
                             const double slip[2], double normal, const double *lambda) {
  double power = 0;
  T[0] = T[1] = 0;
  if (x->friction == LIM_CONTACT_STICKS && lambda)
    for (int i = 0; i < c->tangents; i++) T[i] = lambda[i];
  if (x->friction != LIM_CONTACT_SLIDES) return 0;
  const bool back = slip[0] * x->direction[0] + slip[1] * x->direction[1] < 0; // in a step that is not over
  const double size = hypot(slip[0], slip[1]), speed = back ? -size : size;
  for (int i = 0; i < c->tangents; i++) {
    const double u = c->tangents > 1 && size > LIM_CONTACT_SLOW ? slip[i] / speed : x->direction[i];
    T[i] = -c->friction * normal * u;
    power -= T[i] * slip[i];
  }
  return power;
}

void lim_contact_sites(lim_world_motion at[2], const lim_contact_element *c, const lim_arm *s,
                       const lim_world_motion *body, const double *q, const double *v, const double *a) {
  for (int k = 0; k < 2; k++) at[k] = lim_kinematics_at(s, &c->site[k], body, q, v, a);
}

lim_contact_moment lim_contact_evaluate(const lim_contact_element *c, const lim_contact_state *x,
                                        const lim_world_motion *first, const lim_world_motion *second,
                                        const double *lambda) {
  const relative r = seen(first, second);
  lim_contact_moment m = {.depth = c->radius - r.x[2], .rate = -r.dx[2]};
  for (int i = 0; i < c->tangents; i++) {
    m.place[i] = lim_dot(c->along[i], r.x);
    m.slip[i] = slip_of(c->along[i], &r);
  }
  for (int i = 0; i < 3; i++) m.point[i] = first->p[i] - r.x[2] * second->R[3 * i + 2];
  const double law = 1 + c->damping * m.rate;
  const lim_press press = x->press == LIM_PRESS_AS_IT_MOVES ? lim_press_of(m.depth, m.rate, law) : x->press;
  if (press == LIM_PRESS_APART) return m;
  const double spring = c->stiffness * m.depth;
  m.presses = press == LIM_PRESS_ON;
  m.normal = m.presses ? spring * law : 0;
  m.energy = spring * m.depth / 2;
  m.dissipated = (m.normal - spring) * m.rate;
  double T[2], local[3] = {0, 0, m.normal};
  m.dissipated += friction_force(T, c, x, m.slip, m.normal, m.presses ? lambda : NULL);
  for (int i = 0; i < 2 && i < c->tangents; i++) lim_add(local, T[i], c->along[i]);
  lim_rotate(m.force, second->R, local);
  return m;
}

double lim_contact_bound(const lim_contact_element *c, double normal) {
  static const double ROUNDING = 1e-12; // [m]
  return c->friction * fmax(normal, 0) + ROUNDING * c->stiffness;
}

// --- sticking ---

// turn: of the sphere since it was anchored. Its sweep is that of the mean height: up to third order.   (7)
static double value_of(const lim_contact_state *x, const lim_contact_element *c, int i, const double place[3],
                       const double turn[3]) {
  return lim_dot(c->along[i], place) + (place[2] + x->height) / 2 * sweep(c->along[i], turn) - x->anchor[i];
}

// Rotation of the sphere since it was anchored, in the axes of the plane.
static void turned(double turn[3], const lim_contact_state *x, const lim_world_motion *first,
                   const lim_world_motion *second) {
  double R[9], back[9], T[9];
  relative_axes(R, first, second);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) back[3 * i + j] = x->R[3 * j + i];
  lim_mat3_product(T, R, back);
  lim_rotation_vector(turn, T);
}

void lim_contact_rows(lim_row_state *row, const lim_contact_element *c, const lim_contact_state *x,
                      const lim_world_motion *first, const lim_world_motion *second) {
  const relative r = seen(first, second);
  const bool holds = lim_contact_holds(x, c->radius - r.x[2]);
  double turn[3] = {0};
  if (holds) turned(turn, x, first, second);
  for (int i = 0; i < c->tangents; i++) {
    row[i] = (lim_row_state){0};
    if (!holds) continue;
    row[i].value = value_of(x, c, i, r.x, turn);
    row[i].rate = slip_of(c->along[i], &r);
    row[i].second =
        lim_dot(c->along[i], r.ddx) + r.x[2] * sweep(c->along[i], r.dw) + r.dx[2] * sweep(c->along[i], r.w);
  }
}

void lim_contact_anchor(lim_contact_state *x, const lim_contact_element *c, const lim_world_motion *first,
                        const lim_world_motion *second, bool carry) {
  const relative r = seen(first, second);
  double turn[3] = {0}, left[2] = {0};
  if (carry) turned(turn, x, first, second);
  for (int i = 0; i < c->tangents; i++) {
    if (carry) left[i] = value_of(x, c, i, r.x, turn);
    x->anchor[i] = lim_dot(c->along[i], r.x) - left[i];
  }
  x->height = r.x[2];
  relative_axes(x->R, first, second);
}

// --- set-up ---

// Axes with n for the third: by rows, as columns of R.
static void axes_with(double R[9], const double n[3]) {
  const int min = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double e[3] = {min == 0, min == 1, min == 2}, t[2][3];
  lim_cross(t[0], e, n);
  const double size = sqrt(lim_dot(t[0], t[0]));
  for (int i = 0; i < 3; i++) t[0][i] /= size;
  lim_cross(t[1], n, t[0]);
  for (int i = 0; i < 3; i++) {
    R[3 * i] = t[0][i];
    R[3 * i + 1] = t[1][i];
    R[3 * i + 2] = n[i];
  }
}

static lim_code find_site(lim_site *out, lim_arm *s, const lim_location *at, lim_error *err) {
  return lim_arm_site(out, s, at->link, at->kind, at->kind == LIM_AT_TIP, at->frame, err);
}

// The frame that carries the plane, then its point and normal.
static lim_code find_plane(lim_site *out, lim_arm *s, const lim_contact_plane *p, lim_error *err) {
  lim_code code = LIM_OK;
  double R[9], turned[9], shift[3];
  *out = (lim_site){.body = -1, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (p->on.ref.text) code = find_site(out, s, &p->on, err);
  if (code != LIM_OK) return code;
  lim_rotate(shift, out->Rc, p->point);
  lim_add(out->c, 1, shift);
  axes_with(R, p->normal);
  lim_mat3_product(turned, out->Rc, R);
  memcpy(out->Rc, turned, sizeof turned);
  return LIM_OK;
}

// The motion of the arm in its plane, of which `normal` is the world's: one tangent.
static lim_code find_tangents(lim_contact_element *c, const lim_arm *s, const lim_world_motion *body,
                              const double *q, lim_error *err) {
  static const double e3[3] = {0, 0, 1};
  c->tangents = 2;
  c->along[0][0] = c->along[1][1] = 1;
  if (s->model->planar == LIM_SPATIAL) return LIM_OK;
  const lim_world_motion at = lim_kinematics_at(s, &c->site[1], body, q, NULL, NULL);
  double normal[3];
  lim_rotate_back(normal, at.R, lim_plane_normal(s->model->planar));
  if (fabs(normal[2]) > 1e-9)
    return lim_tree_error(err, c->from->plane.head.node,
                          "contact '%s': the normal of its plane leads out of the model's plane", c->name);
  c->tangents = 1;
  lim_cross(c->along[0], normal, e3);
  return LIM_OK;
}

static lim_code build_contact(lim_contact_element *c, lim_arm *s, const lim_contact *from, lim_error *err) {
  *c = (lim_contact_element){.name = from->head.name,
                             .from = from,
                             .radius = from->radius,
                             .stiffness = from->stiffness,
                             .damping = from->damping,
                             .friction = from->friction,
                             .row = -1};
  lim_code code = find_site(&c->site[0], s, &from->frame, err);
  return code == LIM_OK ? find_plane(&c->site[1], s, &from->plane, err) : code;
}

static lim_code build_tangents(lim_contact_elements *out, const lim_arm *s, lim_error *err) {
  const size_t n = (size_t)s->n;
  double *q = calloc(2 * n + 1, sizeof *q);
  lim_world_motion *body = calloc((size_t)s->nbody + 1, sizeof *body);
  lim_code code = q && body ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(q, q + n, s);
    lim_kinematics(body, s, q, NULL, NULL);
  }
  for (int i = 0; i < out->count && code == LIM_OK; i++) {
    lim_contact_element *c = &out->item[i];
    code = find_tangents(c, s, body, q, err);
    if (!(c->friction > 0)) continue;
    c->row = s->nrow + out->rows;
    out->rows += c->tangents;
  }
  free(q);
  free(body);
  return code;
}

lim_code lim_contacts_build(lim_contact_elements *out, lim_arena *arena, lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  *out = (lim_contact_elements){.count = 0};
  if (m->contacts.count == 0) return LIM_OK;
  out->item = lim_arena_array(arena, (size_t)m->contacts.count, sizeof *out->item);
  if (!out->item) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->contacts.count && code == LIM_OK; i++)
    code = build_contact(&out->item[out->count++], s, &m->contacts.item[i], err);
  return code == LIM_OK ? build_tangents(out, s, err) : code;
}
