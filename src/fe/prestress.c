// prestress.c - geometric stiffness from stiffness matrices of loaded states. Theory:
// docs/theory/finite-elements.md (12), (13).
#include "fe/places.h"

#include "fe/read/read.h"
#include "math/lapack.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is gathered of one kind of load: D_i = sum of f_ik G_k, of which the G_k are wanted.
typedef struct {
  int count, width;  // loads; kinds of load: 3 directions of a force, 6 products of a spin
  double (*load)[6]; // (count)
  double **D;        // Phi'(K_i - K) Phi                                  (count of n x n)
} gathered;

// Products of two axes count twice. The norm of six products is that of the matrix, whatever its axes, when
// both factors and what they multiply bear a root of 2.
static double mixed(const gathered *g, int k) { return g->width == 6 && k > 2 ? sqrt(2) : 1; }

// Least squares and least norm: G = pinv(f) D, entry by entry.
static lim_code separate(double **G, lim_arena *arena, const gathered *g, int n, lim_error *err) {
  double F[6 * 64], P[64 * 64] = {0};
  int pivot[6] = {0}, rank = 0;
  const int rows = g->count, high = rows > g->width ? rows : g->width;
  if (rows == 0) return LIM_OK;
  if (rows > 60)
    return LIM_FAIL(err, LIM_BAD_INPUT, "there are %d prestressed states of one kind, more than 60", rows);
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < g->width; k++) F[k * rows + i] = g->load[i][k];
    P[i * high + i] = 1;
  }
  int info = lim_dgelsy(rows, g->width, rows, F, rows, P, high, pivot, 1e-9, &rank);
  if (info) return lim_lapack_code(info, "prestressed states: their loads cannot be told apart", err);
  for (int k = 0; k < g->width; k++) {
    double largest = 0;
    for (int i = 0; i < rows; i++) largest = fmax(largest, fabs(P[i * high + k]));
    if (!(largest > 0)) continue; // nothing is known of this direction
    double *out = G[k] = lim_arena_array(arena, (size_t)n * (size_t)n + 1, sizeof *out);
    if (!out) return lim_no_memory(err);
    for (int i = 0; i < rows; i++)
      for (int e = 0; e < n * n; e++) out[e] += P[i * high + k] / mixed(g, k) * g->D[i][e];
  }
  return LIM_OK;
}

// --- one state ---

typedef struct {
  lim_arena arena; // scratch
  const lim_fe_coupled *c;
  const lim_fe_shapes *s;
  lim_symmetric K; // of the loaded mesh
  double *R;       // rigid motions                                      (ndof x 6)
} state;

// x'(K_i - K) x
static double change(const state *w, const double *x) {
  return lim_symmetric_form(&w->K, x, x) - lim_symmetric_form(&w->c->mesh->K, x, x);
}

// Some programs put the softening by spin, -omega^2 M across the axis, into the stiffness: displacements of the
// whole mesh show it, which stresses do not resist. limber has it in its inertia: it is taken out.   (13)
static lim_code softening(double *share, const state *w, const lim_fe_prestressed *p, const lim_head *head,
                          lim_error *err) {
  const double speed = lim_dot(p->spin, p->spin);
  double worst = 0, sum = 0;
  for (int d = 0; d < 3; d++) {
    const double *x = w->R + (size_t)d * (size_t)w->c->mesh->ndof;
    const double mass = lim_symmetric_form(&w->c->mesh->M, x, x), across = speed - p->spin[d] * p->spin[d];
    const double found = -change(w, x) / (mass * speed), wanted = across / speed;
    sum += found / 2; // 1 where it is in, 0 where it is not
    worst = fmax(worst, fmin(fabs(found), fabs(found - wanted)));
  }
  *share = sum > 0.5;
  if (worst > 0.05)
    return lim_tree_error(
        err, p->head.node,
        "%s, prestressed: displacements of the whole mesh change its energy by %.2g of what spin "
        "softening would; is the matrix that of this mesh, with all its nodes free, at this speed?",
        head->where, worst);
  return LIM_OK;
}

// omega^2 u across the axis, of all freedoms that are displacements.
static void across_axis(double *out, const double *u, const lim_fe_mesh *m, const double spin[3],
                        double *node) {
  memset(node, 0, 3 * (size_t)m->nnode * sizeof *node);
  for (int i = 0; i < m->ndof; i++)
    if (m->dof_direction[i] < 3) node[3 * (size_t)m->dof_node[i] + (size_t)m->dof_direction[i]] = u[i];
  for (int i = 0; i < m->ndof; i++) {
    const double *x = node + 3 * (size_t)m->dof_node[i];
    const int d = m->dof_direction[i];
    out[i] = d < 3 ? lim_dot(spin, spin) * x[d] - lim_dot(spin, x) * spin[d] : 0;
  }
}

// Phi'(K_i - K) Phi, with softening put back.
static lim_code difference(double *D, state *w, double soft, const double spin[3], lim_error *err) {
  const lim_fe_mesh *m = w->c->mesh;
  const size_t ndof = (size_t)m->ndof;
  const int n = w->s->n;
  double *a = lim_arena_array(&w->arena, 3 * ndof + 3 * (size_t)m->nnode + 1, sizeof *a);
  if (!a) return lim_no_memory(err);
  double *b = a + ndof, *field = b + ndof, *node = field + ndof;
  for (int j = 0; j < n; j++) {
    const double *u = w->s->Phi + (size_t)j * ndof;
    lim_symmetric_times(a, &w->K, u, 1);
    lim_symmetric_times(b, &m->K, u, 1);
    for (size_t i = 0; i < ndof; i++) a[i] -= b[i];
    if (soft > 0) {
      across_axis(field, u, m, spin, node);
      lim_symmetric_times(b, &m->M, field, 1);
      for (size_t i = 0; i < ndof; i++) a[i] += b[i];
    }
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (size_t k = 0; k < ndof; k++) sum += w->s->Phi[(size_t)i * ndof + k] * a[k];
      D[i * n + j] = sum;
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) D[i * n + j] = D[j * n + i] = (D[i * n + j] + D[j * n + i]) / 2;
  return LIM_OK;
}

static lim_code read_state(state *w, const lim_fe_prestressed *p, const char *directory, double length,
                           double mass, lim_error *err) {
  const lim_fe_mesh *m = w->c->mesh;
  char *file = lim_fe_path(&w->arena, directory, p->stiffness);
  char *dofs = p->dofs ? lim_fe_path(&w->arena, directory, p->dofs) : NULL;
  w->R = lim_arena_array(&w->arena, 6 * (size_t)m->ndof + 1, sizeof *w->R);
  if (!file || (p->dofs && !dofs) || !w->R) return lim_no_memory(err);
  lim_fe_rigid_motion(w->R, m, w->c->at[w->c->base].X);
  return lim_fe_read_further(&w->K, &w->arena, m, file, dofs, length, mass, err);
}

// A load does not take half of the stiffness away, and stresses do not resist displacements of the whole mesh.
static lim_code check_change(const double *D, const state *w, const lim_fe_prestressed *p, const lim_head *head,
                             lim_error *err) {
  const int n = w->s->n;
  double largest = 0, moved = 0;
  for (int i = 0; i < n && i < 6; i++) {
    const double own = D[i * (n + 1)], K = w->s->K[i * (n + 1)];
    largest = fmax(largest, fabs(own));
    if (own < -0.5 * K)
      return lim_tree_error(
          err, p->head.node,
          "%s, prestressed: the load would take %.2g %% of the stiffness of mode %d away: is the matrix that "
          "of this mesh under this load?",
          head->where, -100 * own / K, i + 1);
  }
  for (int d = 0; d < 3 && isnan(p->spin[0]) && !p->dofs; d++) {
    const double *x = w->R + (size_t)d * (size_t)w->c->mesh->ndof;
    moved = fmax(moved, fabs(change(w, x)) / lim_symmetric_form(&w->c->mesh->M, x, x));
  }
  if (moved > 0.01 * largest)
    return lim_tree_error(
        err, p->head.node,
        "%s, prestressed: displacements of the whole mesh change its energy, which a force does not: is the "
        "matrix that of this mesh under a force, with all its nodes free?",
        head->where);
  return LIM_OK;
}

// Whether a change of the stiffness is but rounding.
static bool is_nothing(const double *D, const double *K, int n) {
  for (int i = 0; i < n * n; i++)
    if (fabs(D[i]) > 1e-11 * sqrt(fabs(K[i / n * (n + 1)] * K[i % n * (n + 1)]))) return false;
  return true;
}

static lim_code add_state(gathered *to, lim_arena *arena, state *w, const lim_fe_prestressed *p,
                          const lim_head *head, lim_error *err) {
  const double *R = w->c->at[w->c->base].R;
  const int n = w->s->n;
  const bool spins = to->width == 6;
  double soft = 0, x[3], *D = to->D[to->count] = lim_arena_array(arena, (size_t)n * (size_t)n + 1, sizeof *D);
  if (!D) return lim_no_memory(err);
  lim_rotate_back(x, R, spins ? p->spin : p->force);
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < to->width; k++)
    to->load[to->count][k] = spins ? mixed(to, k) * x[pair[k][0]] * x[pair[k][1]] : x[k];
  lim_code code = spins ? softening(&soft, w, p, head, err) : LIM_OK;
  if (code == LIM_OK) code = difference(D, w, soft, p->spin, err);
  if (code == LIM_OK && n) code = check_change(D, w, p, head, err);
  if (code == LIM_OK && n && is_nothing(D, w->s->K, n))
    code = lim_tree_error(err, p->head.node, "%s, prestressed: the matrix is that of the unloaded mesh",
                          head->where);
  to->count++;
  return code;
}

static bool take(gathered *g, lim_arena *arena, int most, int width) {
  *g = (gathered){.width = width};
  g->load = lim_arena_array(arena, (size_t)most + 1, sizeof *g->load);
  g->D = lim_arena_array(arena, (size_t)most + 1, sizeof *g->D);
  return g->load && g->D;
}

// All states of forces at one interface, or of spins (-1).
static lim_code gather(gathered *g, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                       const lim_fe *fe, int at, const char *directory, double length, double mass,
                       lim_error *err) {
  lim_code code = take(g, arena, fe->prestressed.count, at < 0 ? 6 : 3) ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < fe->prestressed.count && code == LIM_OK; i++) {
    const lim_fe_prestressed *p = &fe->prestressed.item[i];
    const bool spins = !isnan(p->spin[0]);
    if (spins != (at < 0) || (!spins && p->at.index != at)) continue;
    state w = {.c = c, .s = s};
    code = read_state(&w, p, directory, length, mass, err);
    if (code == LIM_OK) code = add_state(g, arena, &w, p, &fe->head, err);
    lim_arena_free(&w.arena);
  }
  return code;
}

// A set of the same nodes moves as its frame does.
static void share(lim_fe_link *link, const lim_fe_coupled *c, const lim_fe *fe) {
  for (int i = 0; i < fe->places.count; i++) {
    const int frame = fe->places.item[i].frame;
    for (int k = 0; k < link->nplace && frame >= 0; k++) {
      const lim_fe_set *set = link->place[k].frame ? NULL : lim_fe_find_set(c->mesh, link->place[k].name);
      if (!set || set->count != c->at[frame].count ||
          memcmp(set->node, c->at[frame].node, (size_t)set->count * sizeof *set->node) != 0)
        continue;
      memcpy(link->place[k].G, link->place[i].G, sizeof link->place[k].G);
    }
  }
}

lim_code lim_fe_fill_prestress(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c,
                               const lim_fe_shapes *s, const lim_fe *fe, const char *directory, double length,
                               double mass, lim_error *err) {
  lim_code code = LIM_OK;
  for (int at = -1; at < c->count && code == LIM_OK && fe->prestressed.count; at++) {
    lim_arena scratch = {0};
    gathered g;
    double **G = link->spin;
    for (int i = 0; i < link->nplace && at >= 0; i++)
      if (i < fe->places.count && fe->places.item[i].frame == at) G = link->place[i].G;
    code = gather(&g, &scratch, c, s, fe, at, directory, length, mass, err);
    if (code == LIM_OK) code = separate(G, arena, &g, s->n, err);
    lim_arena_free(&scratch);
  }
  if (code == LIM_OK) share(link, c, fe);
  return code;
}
