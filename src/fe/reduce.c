// reduce.c - Craig-Bampton: motions of the interfaces, and modes with all of them held. Theory:
// docs/theory/finite-elements.md (4)-(8).
#include "fe/reduce.h"

#include "fe/lowest.h"
#include "math/blas.h"
#include "math/eigen/eigen.h"
#include "math/sparse/factor.h"

#include <math.h>
#include <string.h>

typedef struct {
  lim_arena arena; // scratch
  lim_arena held;  // scratch of the system with all interfaces held, given back before the next
  lim_arena *keep; // of what is handed over
  const lim_fe_coupled *c;
  const lim_fe_request *r;
  lim_fe_system inner; // all interfaces held
  double *C;           // rows of means on inner freedoms      (nc x inner by rows)
  int nc;
  lim_factor *factor; // of [K C'; C 0]
  lim_fe_shapes *out;
  int interfaces; // coordinates
  double *lambda; // of the modes, and of the first that is left out   (modes + 1)
  double *x;      // the modes, inner freedoms                         (inner x (modes + 1))
  int found;
} reduction;

lim_code lim_fe_tell(const lim_fe_request *r, const char *what, double part, lim_error *err) {
  if (r->hooks.stop && *r->hooks.stop) return LIM_FAIL(err, LIM_FAILED, "stopped");
  if (r->hooks.progress) r->hooks.progress(r->hooks.user, what, part);
  return LIM_OK;
}

enum { MODES = 1000 }; // at most, as count in the schema

static size_t size(int a, int b) { return (size_t)a * (size_t)b; }

// --- means ---

static int mean_interfaces(const lim_fe_coupled *c) {
  int count = 0;
  for (int k = 0; k < c->count; k++) count += !c->at[k].rigid;
  return count;
}

// Rows of all means, on inner freedoms; in the order of the interfaces.
static lim_code take_means(reduction *w, lim_error *err) {
  const lim_fe_mesh *mesh = w->c->mesh;
  w->nc = 6 * mean_interfaces(w->c);
  w->C = lim_arena_array(&w->arena, size(w->nc, w->inner.inner) + 1, sizeof *w->C);
  double *rows = lim_arena_array(&w->arena, 6 * (size_t)mesh->ndof + 1, sizeof *rows);
  if (!w->C || !rows) return lim_no_memory(err);
  for (int k = 0, at = 0; k < w->c->count; k++) {
    const lim_fe_interface *x = &w->c->at[k];
    if (x->rigid) continue;
    lim_fe_mean_rows(rows, mesh, x->node, x->count, x->X);
    for (int row = 0; row < 6; row++, at++)
      for (int i = 0; i < w->inner.inner; i++)
        w->C[size(at, w->inner.inner) + (size_t)i] = rows[size(row, mesh->ndof) + (size_t)w->inner.dof[i]];
  }
  return LIM_OK;
}

// --- the factor ---

static lim_code singular(const reduction *w, lim_error *err) {
  static const char *const word[] = {"displacement x of", "displacement y of", "displacement z of",
                                     "rotation x of",     "rotation y of",     "rotation z of"};
  const int row = lim_factor_null_row(w->factor, 0);
  if (row < 0 || row >= w->inner.inner)
    return lim_tree_error(err, w->r->node, "link '%s': its frames do not hold it: the stiffness is singular",
                          w->r->link);
  const int dof = w->inner.dof[row], node = w->c->mesh->dof_node[dof];
  const bool inner = lim_fe_is_inner(w->c->mesh, node);
  return lim_tree_error(
      err, w->r->node,
      "link '%s': %d freedoms have no stiffness with all frames held, the first is %s node %d: "
      "a part that hangs on nothing, or a freedom that no element has",
      w->r->link, lim_factor_null(w->factor),
      inner ? "an inner freedom of an element," : word[w->c->mesh->dof_direction[dof]], w->c->mesh->id[node]);
}

static lim_code factorise(reduction *w, lim_error *err) {
  lim_symmetric A = w->inner.K;
  lim_code code = LIM_OK;
  if (w->nc) code = lim_fe_border(&A, &w->held, &w->inner.K, w->C, w->inner.inner, w->nc, err);
  if (code == LIM_OK) code = lim_factor_new(&w->factor, &A, err);
  if (code != LIM_OK) return code;
  if (lim_factor_null(w->factor)) return singular(w, err);
  const int negative = lim_factor_negative(w->factor) - w->nc;
  if (negative)
    return lim_tree_error(err, w->r->node,
                          "link '%s': its stiffness is indefinite: with all frames held %d motion%s would give "
                          "energy back",
                          w->r->link, negative, negative == 1 ? "" : "s");
  return LIM_OK;
}

// --- motions of interfaces ---

// Forces on inner freedoms, and values of means, of coordinate k of the interfaces; its rigid part into u. (5)
static void load_of(double *f, double *u, double *scratch, const reduction *w, int interface, int direction,
                    int mean) {
  const lim_fe_mesh *mesh = w->c->mesh;
  double x[6] = {0};
  x[direction] = 1;
  memset(f, 0, (size_t)(w->inner.inner + w->nc) * sizeof *f);
  memset(u, 0, (size_t)mesh->ndof * sizeof *u);
  if (!w->c->at[interface].rigid) {
    f[w->inner.inner + 6 * mean + direction] = 1;
    return;
  }
  lim_fe_carry(u, w->c, interface, x);
  lim_symmetric_times(scratch, &mesh->K, u, 1);
  for (int i = 0; i < w->inner.inner; i++) f[i] = -scratch[w->inner.dof[i]];
}

static lim_code interface_shapes(reduction *w, lim_error *err) {
  const lim_fe_mesh *mesh = w->c->mesh;
  const int rows = w->inner.inner + w->nc, m = w->interfaces;
  double *f = lim_arena_array(&w->held, size(rows, m) + 1, sizeof *f);
  double *scratch = lim_arena_array(&w->arena, (size_t)mesh->ndof + 1, sizeof *scratch);
  if (!f || !scratch) return lim_no_memory(err);
  for (int k = 0, at = 0, mean = 0; k < w->c->count; k++) {
    for (int d = 0; d < 6 && k != w->c->base; d++, at++)
      load_of(f + size(rows, at), w->out->Phi + size(mesh->ndof, at), scratch, w, k, d, mean);
    mean += !w->c->at[k].rigid;
  }
  lim_code code = lim_factor_solve(w->factor, f, m, err);
  for (int k = 0; k < m && code == LIM_OK; k++)
    for (int i = 0; i < w->inner.inner; i++)
      w->out->Phi[size(mesh->ndof, k) + (size_t)w->inner.dof[i]] = f[size(rows, k) + (size_t)i];
  return code;
}

// --- modes with all interfaces held ---

// How many there are below a square of frequencies: negative pivots of K - sigma M.
static lim_code count_modes(int *count, double sigma, reduction *w, lim_error *err) {
  lim_arena arena = {0};
  lim_symmetric A, B;
  lim_factor *f = NULL;
  lim_code code = lim_fe_shift(&A, &arena, &w->inner.K, sigma, &w->inner.M, err);
  if (code == LIM_OK && w->nc) code = lim_fe_border(&B, &arena, &A, w->C, w->inner.inner, w->nc, err);
  if (code == LIM_OK) code = lim_factor_new(&f, w->nc ? &B : &A, err);
  if (code == LIM_OK) *count = lim_factor_negative(f) - w->nc;
  lim_factor_free(f);
  lim_arena_free(&arena);
  return code;
}

static lim_code held_modes(reduction *w, lim_error *err) {
  int count = w->r->count;
  const int most = w->inner.inner - w->nc;
  const double highest = 2 * M_PI * w->r->up_to;
  lim_code code = isnan(highest) || most <= 0 ? LIM_OK : count_modes(&count, highest * highest, w, err);
  if (code != LIM_OK) return code;
  if (!isnan(w->r->up_to) && most <= 0) count = 0;
  if (count > MODES)
    return lim_tree_error(err, w->r->node, "link '%s': there are %d modes up to %g Hz; at most %d may be kept",
                          w->r->link, count, w->r->up_to, MODES);
  const int wanted = count < most ? count + 1 : most > 0 ? most : 0;
  w->lambda = lim_arena_array(&w->arena, (size_t)wanted + 1, sizeof *w->lambda);
  w->x = lim_arena_array(&w->held, size(w->inner.inner, wanted) + 1, sizeof *w->x);
  if (!w->lambda || !w->x) return lim_no_memory(err);
  const lim_fe_pencil p = {&w->inner.K, &w->inner.M, w->C, w->nc, w->inner.inner, w->factor, 0};
  if (wanted) code = lim_fe_lowest(w->lambda, w->x, &w->found, &p, wanted, err);
  if (code != LIM_OK) return code;
  if (w->found < count)
    return lim_tree_error(err, w->r->node,
                          "link '%s': basis has count %d, but with its frames held the mesh has only %d modes",
                          w->r->link, count, w->found);
  w->out->modes = count;
  return LIM_OK;
}

// Whether none is missing among those found, as one of a pair of equal frequencies might be: up to the last gap
// between two of them there are as many as the pivots say.
static lim_code prove_modes(reduction *w, lim_error *err) {
  int k = w->found - 1, below;
  if (lim_fe_lowest_is_dense(w->inner.K.n, w->found)) return LIM_OK; // all were found at once
  while (k > 0 && !(w->lambda[k] > (1 + 1e-6) * w->lambda[k - 1])) k--;
  if (k <= 0) return LIM_OK;
  lim_code code = count_modes(&below, sqrt(w->lambda[k] * w->lambda[k - 1]), w, err);
  if (code == LIM_OK && below != k)
    code = LIM_FAIL(err, LIM_FAILED,
                    "link '%s': %d modes were found below %g Hz, where there are %d: ask for another count",
                    w->r->link, k, sqrt(w->lambda[k]) / (2 * M_PI), below);
  return code;
}

// Share of the inner mass that the modes carry along x, y, z.
static void modal_mass(lim_fe_facts *facts, const reduction *w, double *u, double *Mu) {
  const lim_fe_mesh *mesh = w->c->mesh;
  const int n = w->inner.inner;
  for (int d = 0; d < 3; d++) {
    double all = 0, sum = 0;
    for (int i = 0; i < n; i++) {
      const int dof = w->inner.dof[i];
      u[i] = mesh->dof_direction[dof] == d && !lim_fe_is_inner(mesh, mesh->dof_node[dof]);
    }
    lim_symmetric_times(Mu, &w->inner.M, u, 1);
    for (int i = 0; i < n; i++) all += u[i] * Mu[i];
    for (int k = 0; k < w->out->modes; k++) {
      double L = 0;
      for (int i = 0; i < n; i++) L += w->x[size(n, k) + (size_t)i] * Mu[i];
      sum += L * L;
    }
    facts->modal_mass[d] = all > 0 ? sum / all : NAN;
  }
}

// --- forces on sets of nodes ---

// A force along an axis of base, shared by the nodes of a set: on inner freedoms.
static void share_force(double *f, const reduction *w, const lim_fe_set *set, int axis) {
  const lim_fe_mesh *mesh = w->c->mesh;
  const double *R = w->c->at[w->c->base].R;
  for (int i = 0; i < w->inner.inner; i++) {
    const int dof = w->inner.dof[i], d = mesh->dof_direction[dof];
    f[i] = d < 3 && lim_fe_among(set->node, set->count, mesh->dof_node[dof]) ? R[3 * d + axis] / set->count : 0;
  }
}

// f'K^-1 f with the frames held, less what the kept modes have of it.   (8)
static lim_code forces_on_sets(reduction *w, lim_error *err) {
  const int rows = w->inner.inner + w->nc, nset = w->c->mesh->nset;
  double *f = lim_arena_array(&w->held, 3 * (size_t)rows + 1, sizeof *f), *u = f ? f + rows : NULL;
  w->out->left = lim_arena_array(w->keep, 3 * (size_t)nset + 1, sizeof *w->out->left);
  if (!f || !w->out->left) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int k = 0; k < 3 * nset && code == LIM_OK; k++) {
    double whole = 0, kept = 0;
    share_force(f, w, &w->c->mesh->set[k / 3], k % 3);
    memset(u, 0, (size_t)rows * sizeof *u);
    memcpy(u, f, (size_t)w->inner.inner * sizeof *u);
    code = lim_factor_solve(w->factor, u, 1, err);
    for (int i = 0; i < w->inner.inner; i++) whole += f[i] * u[i];
    for (int m = 0; m < w->out->modes; m++) {
      double by = 0;
      for (int i = 0; i < w->inner.inner; i++) by += f[i] * w->x[size(w->inner.inner, m) + (size_t)i];
      kept += by * by / w->lambda[m];
    }
    w->out->left[k] = fmax(whole - kept, 0);
  }
  return code;
}

// --- all shapes ---

static lim_code take_shapes(reduction *w, lim_error *err) {
  lim_fe_shapes *s = w->out;
  const int ndof = w->c->mesh->ndof;
  s->n = w->interfaces + s->modes;
  s->Phi = lim_arena_array(w->keep, size(ndof, s->n) + 1, sizeof *s->Phi);
  s->K = lim_arena_array(w->keep, size(s->n, s->n) + 1, sizeof *s->K);
  s->M = lim_arena_array(w->keep, size(s->n, s->n) + 1, sizeof *s->M);
  s->T = lim_arena_array(w->keep, size(s->n, s->n) + 1, sizeof *s->T);
  if (!s->Phi || !s->K || !s->M || !s->T) return lim_no_memory(err);
  for (int k = 0; k < s->modes; k++)
    for (int i = 0; i < w->inner.inner; i++)
      s->Phi[size(ndof, w->interfaces + k) + (size_t)w->inner.dof[i]] =
          w->x[size(w->inner.inner, k) + (size_t)i];
  return LIM_OK;
}

// out (n x n) = Phi'A Phi; scratch (ndof x n)
static void project(double *out, const lim_symmetric *A, const double *Phi, double *scratch, int n) {
  lim_symmetric_times(scratch, A, Phi, n);
  lim_blas(
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, A->n, 1, Phi, A->n, scratch, A->n, 0, out, n));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      const double mean = (out[size(n, j) + (size_t)i] + out[size(n, i) + (size_t)j]) / 2;
      out[size(n, j) + (size_t)i] = out[size(n, i) + (size_t)j] = mean;
    }
}

lim_code lim_fe_orthonormalise(double *T, double *K, double *M, double *lambda, int n, lim_error *err) {
  lim_eigen_count count = {0};
  if (n == 0) return LIM_OK;
  lim_code code = lim_eigen_lowest(lambda, T, &count, K, M, n, n, err);
  if (code != LIM_OK) return code;
  const bool whole = count.found == n;
  if (!whole) memset(T, 0, size(n, n) * sizeof *T);
  for (int i = 0; i < n && !whole; i++) T[size(n, i) + (size_t)i] = 1;
  if (!whole) return LIM_OK;
  memset(K, 0, size(n, n) * sizeof *K);
  memset(M, 0, size(n, n) * sizeof *M);
  for (int i = 0; i < n; i++) {
    K[size(n, i) + (size_t)i] = lambda[i];
    M[size(n, i) + (size_t)i] = 1;
  }
  return LIM_OK;
}

static lim_code combine(reduction *w, lim_fe_facts *facts, lim_error *err) {
  lim_fe_shapes *s = w->out;
  const int ndof = w->c->mesh->ndof, n = s->n;
  double *scratch = lim_arena_array(&w->held, size(ndof, n) + 1, sizeof *scratch);
  double *lambda = lim_arena_array(&w->arena, (size_t)n + 1, sizeof *lambda);
  if (!scratch || !lambda) return lim_no_memory(err);
  project(s->K, &w->c->mesh->K, s->Phi, scratch, n);
  project(s->M, &w->c->mesh->M, s->Phi, scratch, n);
  lim_code code = lim_fe_orthonormalise(s->T, s->K, s->M, lambda, n, err);
  if (code != LIM_OK || n == 0) return code;
  memcpy(scratch, s->Phi, size(ndof, n) * sizeof *scratch);
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, ndof, n, n, 1, scratch, ndof, s->T, n, 0,
                       s->Phi, ndof));
  for (int i = 0; i < n && i < LIM_FE_FREQUENCIES; i++)
    facts->reduced_hz[i] = sqrt(fmax(lambda[i], 0)) / (2 * M_PI);
  return LIM_OK;
}

// --- frequencies of the whole mesh ---

// Lowest frequencies with some interfaces free: above shift, which is 0 or less.
static lim_code whole_frequencies(double *hz, int *count, const reduction *w, const bool *free, bool base_mean,
                                  double shift, int rigid, lim_error *err) {
  lim_arena arena = {0};
  lim_fe_system s;
  lim_symmetric A, B;
  lim_factor *f = NULL;
  const int wanted = LIM_FE_FREQUENCIES + rigid;
  double *lambda = lim_arena_array(&arena, (size_t)wanted, sizeof *lambda), *x = NULL, *C = NULL;
  int nc = base_mean ? 6 : 0, found = 0;
  lim_code code = lambda ? lim_fe_system_of(&s, &arena, w->c, free, err) : lim_no_memory(err);
  if (code == LIM_OK) {
    x = lim_arena_array(&arena, size(s.K.n, wanted) + 1, sizeof *x);
    C = lim_arena_array(&arena, size(nc, s.inner) + 1, sizeof *C);
    if (!x || !C) code = lim_no_memory(err);
  }
  for (int k = 0, at = 0; code == LIM_OK && base_mean && k < w->c->count; k++) {
    if (k == w->c->base) memcpy(C, w->C + size(at, s.inner), size(6, s.inner) * sizeof *C);
    at += w->c->at[k].rigid ? 0 : 6;
  }
  if (code == LIM_OK) A = s.K;
  if (code == LIM_OK && shift != 0) code = lim_fe_shift(&A, &arena, &s.K, shift, &s.M, err);
  if (code == LIM_OK && nc) code = lim_fe_border(&B, &arena, &A, C, s.inner, nc, err);
  if (code == LIM_OK) code = lim_factor_new(&f, nc ? &B : &A, err);
  const lim_fe_pencil p = {&s.K, &s.M, C, nc, s.inner, f, shift};
  if (code == LIM_OK)
    code = lim_fe_lowest(lambda, x, &found, &p, wanted < s.K.n - nc ? wanted : s.K.n - nc, err);
  for (int i = rigid; code == LIM_OK && i < found; i++) hz[(*count)++] = sqrt(fmax(lambda[i], 0)) / (2 * M_PI);
  lim_factor_free(f);
  lim_arena_free(&arena);
  return code;
}

static lim_code find_frequencies(reduction *w, lim_fe_facts *facts, lim_error *err) {
  const lim_fe_coupled *c = w->c;
  bool *free = lim_arena_array(&w->arena, (size_t)c->count, sizeof *free);
  if (!free) return lim_no_memory(err);
  for (int k = 0; k < c->count; k++) free[k] = k != c->base;
  lim_code code =
      whole_frequencies(facts->clamped_hz, &facts->nclamped, w, free, !c->at[c->base].rigid, 0, 0, err);
  if (code == LIM_OK) code = lim_fe_tell(w->r, "free frequencies", 0.7, err);
  if (code != LIM_OK || !facts->nclamped) return code;
  free[c->base] = true;
  const double lowest = 2 * M_PI * facts->clamped_hz[0];
  return whole_frequencies(facts->free_hz, &facts->nfree, w, free, false, -lowest * lowest, 6, err);
}

static lim_code run(reduction *w, lim_fe_facts *facts, lim_error *err) {
  const lim_fe_coupled *c = w->c;
  bool *none = lim_arena_array(&w->arena, (size_t)c->count, sizeof *none);
  w->interfaces = 6 * (c->count - 1);
  lim_code code = none ? lim_fe_tell(w->r, "factor", 0, err) : lim_no_memory(err);
  if (code == LIM_OK) code = lim_fe_system_of(&w->inner, &w->held, c, none, err);
  if (code == LIM_OK) code = take_means(w, err);
  if (code == LIM_OK) code = factorise(w, err);
  if (code == LIM_OK) code = lim_fe_tell(w->r, "modes", 0.2, err);
  if (code == LIM_OK) code = held_modes(w, err);
  if (code == LIM_OK) code = take_shapes(w, err);
  if (code == LIM_OK) code = interface_shapes(w, err);
  double *scratch = lim_arena_array(&w->arena, 2 * (size_t)c->mesh->ndof + 1, sizeof *scratch);
  if (code == LIM_OK && !scratch) code = lim_no_memory(err);
  if (code != LIM_OK) return code;
  modal_mass(facts, w, scratch, scratch + c->mesh->ndof);
  code = forces_on_sets(w, err);
  if (code != LIM_OK) return code;
  const int k = w->out->modes;
  facts->kept_hz = k > 0 ? sqrt(fmax(w->lambda[k - 1], 0)) / (2 * M_PI) : NAN;
  facts->left_out_hz = w->found > k ? sqrt(fmax(w->lambda[k], 0)) / (2 * M_PI) : NAN;
  lim_factor_free(w->factor); // memory for the next
  w->factor = NULL;
  code = prove_modes(w, err);
  lim_arena_free(&w->held);
  if (code == LIM_OK) code = combine(w, facts, err);
  lim_arena_free(&w->held);
  if (code == LIM_OK) code = lim_fe_tell(w->r, "clamped frequencies", 0.5, err);
  if (code == LIM_OK) code = find_frequencies(w, facts, err);
  return code == LIM_OK ? lim_fe_tell(w->r, "integrals", 0.9, err) : code;
}

lim_code lim_fe_reduce(lim_fe_shapes *out, lim_fe_facts *facts, lim_arena *arena, const lim_fe_coupled *c,
                       const lim_fe_request *request, lim_error *err) {
  *out = (lim_fe_shapes){.n = 0};
  reduction w = {.keep = arena, .c = c, .r = request, .out = out};
  lim_code code = run(&w, facts, err);
  lim_factor_free(w.factor);
  lim_arena_free(&w.held);
  lim_arena_free(&w.arena);
  return code;
}
