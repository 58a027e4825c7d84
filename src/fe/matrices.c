// matrices.c - links whose matrices were reduced by other programs: frames take the part of nodes. Theory:
// docs/theory/finite-elements.md (17).
#include "fe/matrices.h"

#include "fe/integrals.h"
#include "fe/proof.h"
#include "fe/read/read.h"
#include "math/eigen/eigen.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

typedef struct {
  lim_arena arena; // scratch
  const lim_fe *fe;
  const lim_link *link;
  int N, frames, base;     // coordinates in all; frames; which of them is the base
  double *K, *M;           // (N x N)
  double (*X)[3], (*R)[9]; // frames, axes of base                       (frames)
  double *T;               // raw coordinates but the base's = T eta          (n x n by columns)
  int n;
} matrices;

static double at(const double *A, int N, int i, int j) { return A[(size_t)j * (size_t)N + (size_t)i]; }

// Number in the file of raw coordinate i, base left out.
static int number(const matrices *w, int i) { return i < 6 * w->base ? i : i + 6; }

static lim_code wrong(const matrices *w, lim_error *err, const char *what, double x) {
  return lim_tree_error(err, w->fe->reduced.head.node, "link '%s': %s (%g)", w->link->head.name, what, x);
}

static lim_code read_both(matrices *w, const char *mass, const char *stiffness, lim_error *err) {
  int N = 0;
  lim_code code = lim_fe_read_dense(&w->K, &w->N, &w->arena, stiffness, err);
  if (code == LIM_OK) code = lim_fe_read_dense(&w->M, &N, &w->arena, mass, err);
  if (code != LIM_OK) return code;
  if (N != w->N)
    return lim_tree_error(err, w->fe->reduced.head.node,
                          "link '%s': the mass matrix has %d rows, the stiffness matrix %d", w->link->head.name,
                          N, w->N);
  if (N < 6 * w->frames)
    return lim_tree_error(err, w->fe->reduced.head.node,
                          "link '%s': the matrices have %d rows, but its %d frames need six each",
                          w->link->head.name, N, w->frames);
  return LIM_OK;
}

static lim_code place_frames(matrices *w, lim_error *err) {
  double R0[9];
  w->X = lim_arena_array(&w->arena, (size_t)w->frames, sizeof *w->X);
  w->R = lim_arena_array(&w->arena, (size_t)w->frames, sizeof *w->R);
  if (!w->X || !w->R) return lim_no_memory(err);
  const lim_fe_frame *base = &w->fe->frames.item[w->base];
  lim_rotation_rpy(R0, base->rpy);
  for (int k = 0; k < w->frames; k++) {
    const lim_fe_frame *f = &w->fe->frames.item[k];
    double r[3], R[9];
    for (int i = 0; i < 3; i++) r[i] = f->xyz[i] - base->xyz[i];
    lim_rotate_back(w->X[k], R0, r);
    lim_rotation_rpy(R, f->rpy);
    lim_mat3_seen_from(w->R[k], R0, R);
  }
  return LIM_OK;
}

// Rigid motions (N x 6 by columns), about base.
static void rigid_motions(double *out, const matrices *w) {
  memset(out, 0, 6 * (size_t)w->N * sizeof *out);
  for (int k = 0; k < 6; k++)
    for (int f = 0; f < w->frames; f++) {
      double e[3] = {0}, swing[3] = {0}, *x = out + (size_t)k * (size_t)w->N + 6 * (size_t)f;
      e[k % 3] = 1;
      if (k > 2) lim_cross(swing, e, w->X[f]);
      for (int i = 0; i < 3; i++) {
        x[i] = k < 3 ? e[i] : swing[i];
        x[3 + i] = k < 3 ? 0 : e[i];
      }
    }
}

// Momentum of all frames in a motion (N).
static lim_fe_momentum momentum_of(const matrices *w, const double *u) {
  lim_fe_momentum sum = {{0}, {0}, {0}};
  for (int f = 0; f < w->frames; f++) {
    double p[6] = {0};
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < w->N; j++) p[i] += at(w->M, w->N, 6 * f + i, j) * u[j];
    lim_fe_momentum_add(&sum, w->X[f], p, p + 3);
  }
  return sum;
}

// Raw coordinate i, base left out, of coordinate j.
static double raw(const matrices *w, int i, int j) { return w->T[(size_t)j * (size_t)w->n + (size_t)i]; }

// Displacement i (0..5) of a frame in coordinate j.
static double moves(const matrices *w, int frame, int i, int j) {
  if (frame == w->base) return 0;
  return raw(w, 6 * (frame - (frame > w->base)) + i, j);
}

// S_kl by masses between frames: a third of the sum of those along x, y, z.
static void fill_products(lim_fe_link *x, const matrices *w) {
  const int n = w->n;
  for (int f = 0; f < w->frames; f++)
    for (int g = 0; g < w->frames; g++) {
      double m = 0;
      for (int d = 0; d < 3; d++) m += at(w->M, w->N, 6 * f + d, 6 * g + d) / 3;
      for (int k = 0; k < 9; k++)
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++)
            x->S[k / 3][k % 3][i * n + j] += m * moves(w, f, k / 3, i) * moves(w, g, k % 3, j);
    }
}

// Rigid motions cost nothing, if frames are where the matrices have them.
static lim_code prove(lim_fe_link *x, matrices *w, lim_error *err) {
  double *R = lim_arena_array(&w->arena, 6 * (size_t)w->N + 1, sizeof *R);
  if (!R) return lim_no_memory(err);
  rigid_motions(R, w);
  return lim_fe_prove_dense(&x->facts, w->K, R, w->N, w->link, err);
}

static lim_code diagonalise(lim_fe_link *x, matrices *w, lim_error *err) {
  const int n = w->n;
  double *lambda = lim_arena_array(&w->arena, (size_t)n + 1, sizeof *lambda);
  w->T = lim_arena_array(&w->arena, (size_t)n * (size_t)n + 1, sizeof *w->T);
  if (!lambda || !w->T) return lim_no_memory(err);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      x->K[(size_t)j * (size_t)n + (size_t)i] = at(w->K, w->N, number(w, i), number(w, j));
      x->M[(size_t)j * (size_t)n + (size_t)i] = at(w->M, w->N, number(w, i), number(w, j));
    }
  lim_code code = lim_fe_orthonormalise(w->T, x->K, x->M, lambda, n, err);
  if (code != LIM_OK) return code;
  if (n && !(lambda[0] > 0))
    return wrong(w, err, "its stiffness is not positive with base held: lowest lambda", lambda[0]);
  for (int i = 0; i < n && i < LIM_FE_FREQUENCIES; i++)
    x->facts.clamped_hz[x->facts.nclamped++] = x->facts.reduced_hz[i] = sqrt(lambda[i]) / (2 * M_PI);
  return LIM_OK;
}

static lim_code free_frequencies(lim_fe_link *x, matrices *w, lim_error *err) {
  double *lambda = lim_arena_array(&w->arena, (size_t)w->N + 1, sizeof *lambda);
  lim_eigen_count count;
  if (!lambda) return lim_no_memory(err);
  lim_code code = lim_eigen_lowest(lambda, NULL, &count, w->K, w->M, w->N, w->N, err);
  for (int i = 6; code == LIM_OK && i < count.found && x->facts.nfree < LIM_FE_FREQUENCIES; i++)
    x->facts.free_hz[x->facts.nfree++] = sqrt(fmax(lambda[i], 0)) / (2 * M_PI);
  return code;
}

static lim_code fill_places(lim_fe_link *x, lim_arena *arena, const matrices *w, lim_error *err) {
  const lim_fe *fe = w->fe;
  x->place = lim_arena_array(arena, (size_t)fe->places.count + 1, sizeof *x->place);
  if (!x->place) return lim_no_memory(err);
  for (int i = 0; i < fe->places.count; i++) {
    const int frame = fe->places.item[i].frame;
    lim_fe_place *p = &x->place[x->nplace++];
    if (frame < 0)
      return lim_tree_error(err, fe->places.item[i].node, "link '%s' has no nodes, only frames",
                            w->link->head.name);
    *p = (lim_fe_place){.name = fe->places.item[i].name, .frame = true, .turns = true};
    p->N = lim_arena_array(arena, 6 * (size_t)w->n + 1, sizeof *p->N);
    if (!p->N) return lim_no_memory(err);
    memcpy(p->X, w->X[frame], sizeof p->X);
    memcpy(p->R, w->R[frame], sizeof p->R);
    for (int k = 0; k < 6 * w->n; k++) p->N[k] = moves(w, frame, k / w->n, k % w->n);
  }
  return LIM_OK;
}

static void measure(lim_fe_link *x, const matrices *w) {
  for (int k = 0; k < w->frames; k++) x->facts.size = fmax(x->facts.size, sqrt(lim_dot(w->X[k], w->X[k])));
}

// Momenta of the coordinates and of rigid motions.
static lim_code fill_inertia(lim_fe_link *x, matrices *w, lim_error *err) {
  const size_t N = (size_t)w->N;
  double *R = lim_arena_array(&w->arena, 7 * N + 1, sizeof *R), *u = R ? R + 6 * N : NULL;
  lim_fe_momentum rigid[6], *of = lim_arena_array(&w->arena, (size_t)w->n + 1, sizeof *of);
  if (!R || !of) return lim_no_memory(err);
  rigid_motions(R, w);
  for (int k = 0; k < 6; k++) rigid[k] = momentum_of(w, R + (size_t)k * N);
  for (int j = 0; j < w->n; j++) {
    memset(u, 0, N * sizeof *u);
    for (int i = 0; i < w->n; i++) u[number(w, i)] = raw(w, i, j);
    of[j] = momentum_of(w, u);
  }
  lim_fe_fill_inertia(x, of, rigid);
  fill_products(x, w);
  double *reach = lim_arena_array(&w->arena, (size_t)w->n + 1, sizeof *reach);
  if (!reach) return lim_no_memory(err);
  for (int k = 0; k < 3 * w->frames; k++)
    for (int j = 0; j < w->n; j++) reach[j] = fmax(reach[j], fabs(moves(w, k / 3, k % 3, j)));
  for (int j = 0; j < w->n; j++) reach[j] = fmax(reach[j], 1 / sqrt(x->mass)); // of modes that move no frame
  measure(x, w);
  lim_code code = lim_fe_make_positive(x, of, reach, err);
  if (code != LIM_OK) return code;
  double R0[9];
  const lim_fe_frame *base = &w->fe->frames.item[w->base];
  lim_rotation_rpy(R0, base->rpy);
  lim_fe_fill_facts(x, base->xyz, R0);
  return LIM_OK;
}

lim_code lim_fe_link_of_matrices(lim_fe_link *x, lim_arena *arena, const lim_link *link, const char *mass,
                                 const char *stiffness, lim_error *err) {
  matrices w = {.fe = &link->fe, .link = link, .frames = link->fe.frames.count};
  while (strcmp(link->fe.frames.item[w.base].head.name, "base") != 0) w.base++;
  lim_code code = read_both(&w, mass, stiffness, err);
  w.n = x->n = w.N - 6;
  x->modes = w.N - 6 * w.frames;
  x->facts.left_out_hz = x->facts.kept_hz = NAN;
  for (int i = 0; i < 3; i++) x->facts.modal_mass[i] = NAN;
  if (code == LIM_OK && !lim_fe_take_link(x, arena)) code = lim_no_memory(err);
  if (code == LIM_OK) code = place_frames(&w, err);
  if (code == LIM_OK) code = prove(x, &w, err);
  if (code == LIM_OK) code = diagonalise(x, &w, err);
  if (code == LIM_OK) code = fill_inertia(x, &w, err);
  if (code == LIM_OK) code = free_frequencies(x, &w, err);
  if (code == LIM_OK) code = fill_places(x, arena, &w, err);
  lim_arena_free(&w.arena);
  return code;
}
