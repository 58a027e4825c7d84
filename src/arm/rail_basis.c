// rail_basis.c - what a reduced basis leaves out of the deflection under a load that moves along a rail.
// Theory: docs/theory/rails.md (10).
#include "arm/rail_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Yielding of a clamped beam: what unit forces at x do at x and at the place that is held, and that place
// itself.
typedef struct {
  double own, cross, held;
} yielding;

// The place that is held beside the base takes its part.
static double yields(const yielding *c, bool is_held) {
  return is_held && c->held > 0 ? c->own - c->cross * c->cross / c->held : c->own;
}

typedef struct {
  const lim_mesh *mesh;
  const lim_basis_matrix *shapes;
  lim_band factor;  // of K of the clamped mesh
  double *load, *u; // (ndof)
  double fraction;  // of the mesh, at which it is held; NaN: nowhere
  double *at;       // nodal forces of a unit force there, and what they do, of one direction   (2 ndof)
} survey;

// Nodal forces of a unit force across the beam.
static void unit_force(double *f, const survey *w, double fraction, int direction) {
  double N[72];
  memset(f, 0, (size_t)w->mesh->ndof * sizeof *f);
  const int first = lim_mesh_interpolation(N, w->mesh, fraction);
  for (int i = 0; i < 12; i++) f[first + i] = N[12 * direction + i];
}

static void bend(double *u, const survey *w, const double *f) {
  memcpy(u, f, (size_t)w->mesh->ndof * sizeof *u);
  memset(u, 0, 6 * sizeof *u);
  lim_band_solve(w->factor, u + 6, 1);
}

static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// f'Phi (Phi'K Phi)^-1 Phi'g; modes of the basis are orthogonal.
static double by_shapes(const survey *w, const double *f, const double *g) {
  const lim_basis_matrix *h = w->shapes;
  double sum = 0;
  for (int j = 0; j < h->n; j++) {
    const double *shape = h->Phi + (size_t)j * (size_t)h->ndof;
    const double stiff = isinf(h->lambda[j]) ? 1 : h->lambda[j];
    sum += dot(shape, f, h->ndof) * dot(shape, g, h->ndof) / stiff;
  }
  return sum;
}

// What is missing of the yielding at the middles and ends of elements: the most; whole: the most that yields.
static void look_along(double *missing, double *whole, double *where, survey *w, int direction) {
  const int n = w->mesh->ndof;
  const bool held = !isnan(w->fraction);
  double *hold = w->at, *held_u = w->at + n;
  if (held) {
    unit_force(hold, w, w->fraction, direction);
    bend(held_u, w, hold);
  }
  for (int k = 1; k <= 2 * w->mesh->nelement; k++) {
    const int e = (k - 1) / 2;
    const double x = k % 2 ? (w->mesh->x[e] + w->mesh->x[e + 1]) / 2 : w->mesh->x[e + 1],
                 fraction = x / w->mesh->length;
    unit_force(w->load, w, fraction, direction);
    bend(w->u, w, w->load);
    yielding full = {.own = dot(w->load, w->u, n)}, reduced = {.own = by_shapes(w, w->load, w->load)};
    if (held) {
      full.cross = dot(w->load, held_u, n);
      full.held = dot(hold, held_u, n);
      reduced.cross = by_shapes(w, w->load, hold);
      reduced.held = by_shapes(w, hold, hold);
    }
    const double all = yields(&full, held), less = fabs(all - yields(&reduced, held));
    *whole = fmax(*whole, all);
    if (less <= *missing) continue;
    *missing = less;
    *where = x;
  }
}

// The farthest place on the link, as a fraction of it, that loops or bushings hold; NaN: none.
static double held_place(const lim_model *m, int link) {
  double farthest = NAN;
  for (int i = 0; i < 2 * (m->loops.count + m->bushings.count); i++) {
    const lim_loop *loop = i < 2 * m->loops.count ? &m->loops.item[i / 2] : NULL;
    const lim_location *x =
        loop ? &loop->between[i % 2] : &m->bushings.item[i / 2 - m->loops.count].between[i % 2];
    if (x->link != link || (loop && loop->type == LIM_LOOP_RAIL)) continue;
    const double at = x->kind == LIM_AT_TIP     ? 1
                      : x->kind == LIM_AT_FRAME ? m->frames.item[x->frame].at.value
                                                : 0;
    if (at > 0) farthest = fmax(at, isnan(farthest) ? 0 : farthest);
  }
  return farthest;
}

static lim_code prepare(survey *w, lim_arena *arena, lim_error *err) {
  const size_t n = (size_t)w->mesh->ndof;
  lim_band K = lim_band_new(arena, w->mesh->ndof, w->mesh->K.width);
  w->load = lim_arena_array(arena, 4 * n, sizeof *w->load);
  if (!K.a || !w->load) return lim_no_memory(err);
  w->u = w->load + n;
  w->at = w->u + n;
  lim_band_copy(K, w->mesh->K);
  w->factor = lim_band_tail(K, 6);
  return lim_band_factor(w->factor, err);
}

lim_code lim_rail_doubt(const lim_arm *s, int link, lim_error *err) {
  const lim_link *a = &s->model->links.item[link];
  const lim_arm_body *b = &s->bodies[s->first_body[link]];
  if (s->first_body[link] != s->last_body[link] || !b->shapes->lambda) return LIM_OK;
  survey w = {.mesh = b->mesh, .shapes = b->shapes, .fraction = held_place(s->model, link)};
  lim_arena arena = {0};
  double missing = 0, whole = 0, where = 0;
  int worst = 1;
  lim_code code = prepare(&w, &arena, err);
  for (int direction = 1; direction < 3 && code == LIM_OK; direction++) {
    double less = 0, all = 0, at = 0;
    look_along(&less, &all, &at, &w, direction);
    if (s->model->planar != LIM_SPATIAL && less == all) continue; // out of the plane
    if (less * whole < missing * all) continue;
    missing = less;
    whole = all;
    where = at;
    worst = direction;
  }
  lim_arena_free(&arena);
  if (code == LIM_OK && missing > 0.01 * whole)
    lim_warn(
        err, NAN, a->head.name,
        "link '%.80s' is a rail, and its basis leaves out deflection along %c under a load that moves along "
        "it: %.*f %% "
        "of the largest where it stands at %.4g m; take more modes, frames along it with basis craig-bampton, "
        "or basis full",
        a->head.name, worst == 1 ? 'y' : 'z', missing < 0.1 * whole, 100 * missing / whole, where);
  return code;
}
