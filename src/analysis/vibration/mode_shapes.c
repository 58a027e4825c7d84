// mode_shapes.c - how the nodes of an arm move in a mode, and a word for it. Theory: docs/theory/modes.md (10).
#include "analysis/vibration/vibration.h"
#include "arm/body/kind.h"
#include "arm/pose.h"
#include "dynamics/recursion.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- nodes ---

// Segments share the nodes at their seams.
static int count_nodes(const lim_arm *s, int link) {
  int n = 1;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) n += s->bodies[i].line->nnode - 1;
  return n;
}

lim_code lim_mode_shape_nodes(lim_modes *r, const lim_vibration *x, lim_error *err) {
  const lim_model *m = x->a.s->model;
  r->links.item = lim_arena_array(&r->arena, (size_t)m->links.count, sizeof *r->links.item);
  if (!r->links.item) return lim_no_memory(err);
  for (int i = 0; i < m->links.count; i++) {
    if (lim_link_is_inserted(&m->links.item[i])) continue;
    int n = count_nodes(x->a.s, i);
    r->links.item[r->links.count++] = (lim_mode_link){m->links.item[i].head.name, i, r->nnode, n};
    r->nnode += n;
  }
  return LIM_OK;
}

// --- motion ---

static void all_nodes(double *shape, const lim_modes *r, const lim_vibration *x, const lim_world_motion *m,
                      const double *rate, double *scratch) {
  const lim_arm *s = x->a.s;
  for (int i = 0; i < r->links.count; i++) {
    double *out = shape + 6 * r->links.item[i].first;
    int link = r->links.item[i].index, first = s->first_body[link];
    for (int k = first; k <= s->last_body[link]; k++) { // its first node is the last of the body before
      s->bodies[k].kind->node_rates(out, s, k, m, x->a.q, rate, m[first].R, scratch);
      out += 6 * (s->bodies[k].line->nnode - 1);
    }
  }
}

// --- scale ---

static double length_of(const lim_link *link) {
  double X[3];
  lim_pose_along(X, link, 1);
  return sqrt(lim_dot(X, X));
}

// The largest displacement, or rotation times the length of all links, becomes 1; rounding becomes 0. Where
// several are the largest, up to rounding, the first of them is positive. Rates follow.
static void normalise(double *shape, double *rates, const lim_modes *r, const lim_arm *s) {
  const lim_model *m = s->model;
  double largest = 0, first = 0, length = 0;
  for (int i = 0; i < m->links.count; i++) length += length_of(&m->links.item[i]);
  for (int i = 0; i < 6 * r->nnode; i++) {
    double size = i % 6 < 3 ? shape[i] : shape[i] * (length > 0 ? length : 1);
    largest = fmax(largest, fabs(size));
    if (fabs(size) > fabs(first) * (1 + 1e-6)) first = size;
  }
  for (int i = 0; i < 6 * r->nnode; i++) {
    double size = largest != 0 ? shape[i] / copysign(largest, first) : 0;
    shape[i] = fabs(size) > 1e-9 ? size : 0;
  }
  for (int i = 0; i < s->n && largest != 0; i++) rates[i] /= copysign(largest, first);
}

// --- kind ---

typedef struct {
  double energy;
  int link;         // -1: none yet
  const char *what; // NULL: its joint
} share;

// Of links that move alike, as those of a symmetric arm, the first gives its name.
static void try_share(share *best, share other) {
  if (other.energy > best->energy * (1 + 1e-6) || best->link < 0) *best = other;
}

// Energies of a link, over all its segments, in stretching, bending and torsion.   (10)
static void link_shares(share *best, const lim_vibration *x, int link, const double *rate, double *scratch) {
  static const char *const names[LIM_STRAIN_PARTS] = {[LIM_STRETCHING] = "axial",
                                                      [LIM_BENDING_Y] = "bending y",
                                                      [LIM_BENDING_Z] = "bending z",
                                                      [LIM_TORSION] = "torsion",
                                                      [LIM_WHOLE] = "deformation"};
  const lim_arm *s = x->a.s;
  for (int g = 0; g < LIM_STRAIN_PARTS; g++) {
    double energy = 0;
    for (int k = s->first_body[link]; k <= s->last_body[link]; k++) {
      const lim_arm_body *b = &s->bodies[k];
      if (b->body->n == 0) continue;
      double *stretch = scratch + b->mesh->ndof; // bending alone shortens, and that is no strain
      lim_rec_stretch_rates(stretch, b->body, x->a.q + b->e, rate + b->e);
      energy += b->kind->part(b, g, stretch, x->a.q, scratch);
    }
    if (energy != 0) try_share(best, (share){fabs(energy), link, names[g]});
  }
}

static const char *kind_of(lim_modes *r, const lim_vibration *x, const double *rate, double *scratch) {
  const lim_arm *s = x->a.s;
  const lim_model *m = s->model;
  share best = {0, -1, NULL};
  for (int i = 0; i < m->links.count; i++) link_shares(&best, x, i, rate, scratch);
  for (int i = 0; i < s->nbody; i++) {
    int k = s->bodies[i].q;
    if (k >= 0) try_share(&best, (share){fabs(x->diagonal[k]) * rate[k] * rate[k], s->bodies[i].link, NULL});
  }
  if (best.link < 0) return "";
  if (lim_written_links(m) == 1) return best.what ? best.what : "joint";
  const lim_link *link = &m->links.item[best.link];
  const char *left = best.what ? link->head.name : "joint", *right = best.what ? best.what
                                                                     : lim_joint_in_ball(&link->joint)
                                                                         ? link->joint.whole
                                                                         : link->joint.head.name;
  size_t size = strlen(left) + strlen(right) + 2;
  char *text = lim_arena_allocate(&r->arena, size);
  if (text) snprintf(text, size, "%s %s", left, right);
  return text;
}

// --- one mode ---

lim_code lim_mode_shape_of(lim_natural_mode *out, lim_modes *r, lim_vibration *x, const double *z,
                           lim_error *err) {
  const lim_arm *s = x->a.s;
  lim_arena scratch = {0};
  size_t n = (size_t)s->n, ndof = 0;
  for (int i = 0; i < s->nbody; i++)
    if ((size_t)s->bodies[i].mesh->ndof > ndof) ndof = (size_t)s->bodies[i].mesh->ndof;
  double *rate = lim_arena_array(&scratch, 2 * n + 2 * ndof, sizeof *rate);
  out->rates = lim_arena_array(&r->arena, n + 1, sizeof *out->rates);
  lim_world_motion *motion = lim_arena_array(&scratch, (size_t)s->nbody, sizeof *motion);
  out->shape = lim_arena_array(&r->arena, 6 * (size_t)r->nnode, sizeof *out->shape);
  lim_code code = rate && motion && out->shape && out->rates ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    for (int i = 0; i < x->moving; i++) {
      double along = x->basis ? 0 : z[i];
      for (int j = 0; x->basis && j < x->N; j++)
        along += x->basis[(size_t)j * (size_t)x->moving + (size_t)i] * z[j];
      rate[x->index[i]] = along;
    }
    lim_kinematics(motion, s, x->a.q, rate, NULL);
    all_nodes(out->shape, r, x, motion, rate, rate + n);
    memcpy(out->rates, rate, n * sizeof *rate);
    normalise(out->shape, out->rates, r, s);
    out->kind = kind_of(r, x, rate, rate + n);
    if (!out->kind) code = lim_no_memory(err);
  }
  lim_arena_free(&scratch);
  return code;
}
