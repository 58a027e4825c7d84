// mode_shapes.c - how the nodes of an arm move in a mode, and a word for it. Theory: docs/theory/modes.md (10).
#include "analysis/vibration.h"
#include "math/rotation.h"
#include "system/kinematics.h"
#include "system/pose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- nodes ---

// Segments share the nodes at their seams.
static int count_nodes(const lim_system *s, int link) {
  int n = 1;
  const lim_member *b = &s->member[s->first_body[link]];
  if (!b->mesh) return 2;
  if (b->slide) return b->mesh->nnode;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) n += s->member[i].mesh->nnode - 1;
  return n;
}

lim_code lim_shape_nodes(lim_modes *r, const lim_vibration *x, lim_error *err) {
  const lim_model *m = x->a.s->model;
  r->links.item = lim_arena_array(&r->arena, (size_t)m->links.count, sizeof *r->links.item);
  if (!r->links.item) return no_memory(err);
  for (int i = 0; i < m->links.count; i++) {
    int n = count_nodes(x->a.s, i);
    r->links.item[r->links.count++] = (lim_mode_link){m->links.item[i].head.name, r->nnode, n};
    r->nnode += n;
  }
  return LIM_OK;
}

// --- motion ---

// Motion of a place X of a body that also moves by d (ux uy uz tx ty tz) in it, in the axes R of its link.
static void place_motion(double out[6], const lim_motion_in_world *body, const double X[3], const double d[6],
                         const double R[9]) {
  double r[3], u[3], t[3], swing[3];
  lim_rotate(r, body->R, X);
  lim_rotate(u, body->R, d);
  lim_rotate(t, body->R, d + 3);
  lim_cross(swing, body->w, r);
  for (int i = 0; i < 3; i++) {
    u[i] += body->v[i] + swing[i];
    t[i] += body->w[i];
  }
  lim_rotate_back(out, R, u);
  lim_rotate_back(out + 3, R, t);
}

// Nodes of a body: u (ndof) where they are, du how they move. The first is the last of the body before.
static void body_nodes(double *out, const lim_member *b, const lim_motion_in_world *m, const double *u,
                       const double *du, const double R[9]) {
  for (int k = 0; k < b->mesh->nnode; k++) {
    const double X[3] = {b->mesh->x[k] + u[6 * k], u[6 * k + 1], u[6 * k + 2]};
    place_motion(out + 6 * k, m, X, du + 6 * k, R);
  }
}

static void rigid_nodes(double *out, const lim_link *link, const lim_motion_in_world *m) {
  static const double still[6];
  for (int k = 0; k < 2; k++) {
    double X[3];
    lim_pose_along(X, link, k);
    place_motion(out + 6 * k, m, X, still, m->R);
  }
}

// Nodes of a beam that slides: places of its free length.
static void sliding_nodes(double *out, const lim_vibration *x, int body, const lim_motion_in_world *m,
                          const double *rate) {
  const lim_system *s = x->a.s;
  const lim_member *b = &s->member[body];
  lim_arena arena = {0};
  for (int k = 0; k < b->mesh->nnode; k++) {
    lim_site site = {.body = body, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    lim_error err = {0};
    double place = (double)k / b->mesh->nelement;
    if (lim_system_sliding(&site.section, &arena, s, body, place, &err) != LIM_OK) break;
    lim_motion_in_world at = lim_kinematics_site(s, &site, m, x->a.q, rate, NULL);
    lim_rotate_back(out + 6 * k, m->R, at.v);
    lim_rotate_back(out + 6 * k + 3, m->R, at.w);
  }
  lim_arena_free(&arena);
}

static void all_nodes(double *shape, const lim_modes *r, const lim_vibration *x, const lim_motion_in_world *m,
                      const double *rate, double *scratch) {
  const lim_system *s = x->a.s;
  for (int i = 0; i < r->links.count; i++) {
    double *out = shape + 6 * r->links.item[i].first;
    int first = s->first_body[i];
    if (!s->member[first].mesh) {
      rigid_nodes(out, &s->model->links.item[i], &m[first]);
      continue;
    }
    if (s->member[first].slide) {
      sliding_nodes(out, x, first, &m[first], rate);
      continue;
    }
    for (int k = first; k <= s->last_body[i]; k++) {
      const lim_member *b = &s->member[k];
      lim_shapes_expand(scratch, b->shapes, x->a.q + b->e);
      lim_shapes_expand(scratch + b->mesh->ndof, b->shapes, rate + b->e);
      body_nodes(out, b, &m[k], scratch, scratch + b->mesh->ndof, m[first].R);
      out += 6 * (b->mesh->nnode - 1);
    }
  }
}

// --- scale ---

static double length_of(const lim_link *link) {
  double X[3];
  lim_pose_along(X, link, 1);
  return sqrt(lim_dot(X, X));
}

// The largest displacement, or rotation times the length of all links, becomes 1; rounding becomes 0.
static void normalise(double *shape, const lim_modes *r, const lim_model *m) {
  double largest = 0, length = 0;
  for (int i = 0; i < m->links.count; i++) length += length_of(&m->links.item[i]);
  for (int i = 0; i < 6 * r->nnode; i++) {
    double size = i % 6 < 3 ? shape[i] : shape[i] * (length > 0 ? length : 1);
    if (fabs(size) > fabs(largest)) largest = size;
  }
  for (int i = 0; i < 6 * r->nnode; i++) {
    double size = largest != 0 ? shape[i] / largest : 0;
    shape[i] = fabs(size) > 1e-9 ? size : 0;
  }
}

// --- kind ---

typedef struct {
  double energy;
  int link;         // -1: none yet
  const char *what; // NULL: its joint
} share;

static void try_share(share *best, share other) {
  if (other.energy > best->energy * (1 + 1e-9) || best->link < 0) *best = other;
}

// Of a beam that slides, at a free length.
static double sliding_energy(const lim_sliding *s, int group, const double *rate, double free) {
  double l[3], energy = 0;
  lim_sliding_length(l, s, free);
  for (int i = 0; i < s->n * s->n; i++) {
    static const int field_of[4] = {0, 1, 2, 3};
    double a = 0, x = rate[i / s->n], y = rate[i % s->n];
    for (int k = 0; k < s->ndof; k++) // does coordinate i / n move this field?
      if (k % LIM_NODE / 2 == field_of[group])
        a = fmax(a, fabs(s->Phi[(size_t)(i / s->n) * (size_t)s->ndof + (size_t)k]));
    if (a > 0) energy += x * y * (group == 0 || group == 3 ? s->K1[i] / l[0] : s->K3[i] / (l[0] * l[0] * l[0]));
  }
  return energy;
}

// Energies of a link, over all its segments, in stretching, bending and torsion.   (10)
static void link_shares(share *best, const lim_vibration *x, int link, const double *rate, double *scratch) {
  static const char *const names[] = {"axial", "bending y", "bending z", "torsion"};
  static const int group[6] = {0, 1, 2, 3, 2, 1};
  const lim_system *s = x->a.s;
  for (int g = 0; g < 4; g++) {
    double energy = 0;
    for (int k = s->first_body[link]; k <= s->last_body[link]; k++) {
      const lim_member *b = &s->member[k];
      if (b->body->n == 0) continue;
      if (b->slide) {
        energy += sliding_energy(b->slide, g, rate + b->e, x->a.q[b->q]);
        continue;
      }
      lim_shapes_expand(scratch, b->shapes, rate + b->e);
      for (int i = 0; i < b->mesh->ndof; i++)
        if (group[i % 6] != g) scratch[i] = 0;
      energy += lim_band_product(b->mesh->K, scratch, scratch);
    }
    if (energy != 0) try_share(best, (share){fabs(energy), link, names[g]});
  }
}

static const char *kind_of(lim_modes *r, const lim_vibration *x, const double *rate, double *scratch) {
  const lim_system *s = x->a.s;
  const lim_model *m = s->model;
  share best = {0, -1, NULL};
  for (int i = 0; i < m->links.count; i++) link_shares(&best, x, i, rate, scratch);
  for (int i = 0; i < s->nbody; i++) {
    int k = s->member[i].q;
    if (k >= 0) try_share(&best, (share){fabs(x->diagonal[k]) * rate[k] * rate[k], s->member[i].link, NULL});
  }
  if (best.link < 0) return "";
  if (m->links.count == 1) return best.what ? best.what : "joint";
  const lim_link *link = &m->links.item[best.link];
  const char *left = best.what ? link->head.name : "joint",
             *right = best.what ? best.what : link->joint.head.name;
  size_t size = strlen(left) + strlen(right) + 2;
  char *text = lim_arena_take(&r->arena, size);
  if (text) snprintf(text, size, "%s %s", left, right);
  return text;
}

// --- one mode ---

lim_code lim_shape_of(lim_natural_mode *out, lim_modes *r, lim_vibration *x, const double *z, lim_error *err) {
  const lim_system *s = x->a.s;
  lim_arena scratch = {0};
  size_t n = (size_t)s->n, ndof = 0;
  for (int i = 0; i < s->nbody; i++)
    if (s->member[i].mesh && (size_t)s->member[i].mesh->ndof > ndof) ndof = (size_t)s->member[i].mesh->ndof;
  double *rate = lim_arena_array(&scratch, n + 2 * ndof, sizeof *rate);
  lim_motion_in_world *motion = lim_arena_array(&scratch, (size_t)s->nbody, sizeof *motion);
  out->shape = lim_arena_array(&r->arena, 6 * (size_t)r->nnode, sizeof *out->shape);
  lim_code code = rate && motion && out->shape ? LIM_OK : no_memory(err);
  if (code == LIM_OK) {
    for (int i = 0; i < x->moving; i++) {
      double along = x->basis ? 0 : z[i];
      for (int j = 0; x->basis && j < x->N; j++)
        along += x->basis[(size_t)j * (size_t)x->moving + (size_t)i] * z[j];
      rate[x->index[i]] = along;
    }
    lim_kinematics(motion, s, x->a.q, rate, NULL);
    all_nodes(out->shape, r, x, motion, rate, rate + n);
    normalise(out->shape, r, s->model);
    out->kind = kind_of(r, x, rate, rate + n);
    if (!out->kind) code = no_memory(err);
  }
  lim_arena_free(&scratch);
  return code;
}
