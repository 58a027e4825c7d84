// sliding.c - shape functions, stiffness and damping of a beam that slides through a guide.
// Theory: docs/theory/sliding.md.
#include "body/sliding.h"

#include "beam/element.h"
#include "math/eigen/eigen.h"
#include "math/gauss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// At x in 0..1 of an element of length h.
static void hermite(lim_cubic *out, double x, double h) {
  const double N[4] = {1 - 3 * x * x + 2 * x * x * x, h * x * (1 - x) * (1 - x), x * x * (3 - 2 * x),
                       h * x * x * (x - 1)};
  const double d1[4] = {6 * x * (x - 1) / h, (1 - x) * (1 - 3 * x), 6 * x * (1 - x) / h, x * (3 * x - 2)};
  const double d2[4] = {(12 * x - 6) / (h * h), (6 * x - 4) / h, (6 - 12 * x) / (h * h), (6 * x - 2) / h};
  const double d3[4] = {12 / (h * h * h), 6 / (h * h), -12 / (h * h * h), 6 / (h * h)};
  memcpy(out->N, N, sizeof N);
  memcpy(out->d1, d1, sizeof d1);
  memcpy(out->d2, d2, sizeof d2);
  memcpy(out->d3, d3, sizeof d3);
}

// Nodal coordinate k (0..3) of a field of an element.
static int nodal(int element, int field, int k) { return LIM_NODE * (element + k / 2) + 2 * field + k % 2; }

// --- matrices over the nodes ---

typedef enum { BY_VALUE, BY_FIRST, BY_SECOND } derivative;

static const double *rows_of(const lim_cubic *h, derivative d) {
  return d == BY_VALUE ? h->N : d == BY_FIRST ? h->d1 : h->d2;
}

// A (ndof x ndof) += k integral over s of the squares of a field, or of its derivatives.
static void add_squares(double *A, const lim_sliding *s, int field, derivative d, double k) {
  for (int e = 0; e < s->nelement; e++)
    for (int g = 0; g < LIM_SLIDING_POINTS; g++)
      for (int i = 0; i < 16; i++) {
        const double *N = rows_of(&s->at[g], d);
        A[(size_t)nodal(e, field, i / 4) * (size_t)s->ndof + (size_t)nodal(e, field, i % 4)] +=
            k * s->w[g] * N[i / 4] * N[i % 4];
      }
}

// out (n x n) = Phi'A Phi
static void reduce(double *out, const lim_sliding *s, const double *A) {
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) {
      double sum = 0;
      for (int k = 0; k < s->ndof; k++) {
        double x = s->Phi[(size_t)i * (size_t)s->ndof + (size_t)k];
        for (int l = 0; x != 0 && l < s->ndof; l++)
          sum +=
              x * A[(size_t)k * (size_t)s->ndof + (size_t)l] * s->Phi[(size_t)j * (size_t)s->ndof + (size_t)l];
      }
      out[j * s->n + i] = sum;
    }
}

// The same of the difference of two fields' derivatives.
static void add_differences(double *A, const lim_sliding *s, int field, int other, double k) {
  add_squares(A, s, field, BY_FIRST, k);
  add_squares(A, s, other, BY_FIRST, k);
  for (int e = 0; e < s->nelement; e++)
    for (int i = 0; i < 16; i++) {
      size_t a = (size_t)nodal(e, field, i / 4), b = (size_t)nodal(e, other, i % 4);
      A[a * (size_t)s->ndof + b] -= k * s->Ge[i];
      A[b * (size_t)s->ndof + a] -= k * s->Ge[i];
    }
}

// The field by whose derivative sections turn that bend v or w (1, 2).
static int slope_of(const lim_sliding *s, int field) { return s->sheared ? field + 3 : field; }

static void fill_stiffness(double *K1, double *K3, double *Kb, const lim_sliding *s) {
  add_squares(K1, s, 0, BY_FIRST, s->rigidity[0]);
  add_squares(K1, s, 3, BY_FIRST, s->rigidity[1]);
  for (int f = 1; f <= 2; f++) {
    add_squares(K3, s, slope_of(s, f), BY_SECOND, s->rigidity[f + 1]);
    if (s->sheared) add_differences(K1, s, f, f + 3, s->shear[f - 1]);
  }
  if (!s->flexible) return;
  Kb[0] += s->rigidity[0]; // value of u at the guide
  Kb[(size_t)6 * (size_t)(s->ndof + 1)] += s->rigidity[1];
}

// --- basis ---

// Whether a field is of bending and shear.
static bool bends(int field) { return field != 0 && field != 3; }

// Nodal coordinates that may move: not those at the guide, unless they are of stretch and twist, or of the
// slope that shear leaves there.
static int free_coordinates(int *index, const lim_sliding *s, const bool keep[6]) {
  const bool exists[LIM_FIELDS] = {
      keep[0], keep[1], keep[2], keep[3], s->sheared && keep[1], s->sheared && keep[2]};
  int n = 0;
  for (int i = 0; i < s->ndof; i++) {
    int field = i % LIM_NODE / 2;
    bool value = i % 2 == 0, held = value ? bends(field) || !s->flexible : bends(field);
    if (s->sheared && field < 3 && !value) held = false;
    if (!exists[field] || (i < LIM_NODE && held)) continue;
    index[n++] = i;
  }
  return n;
}

typedef struct {
  double *K1, *K3, *Kb, *M, *R; // (ndof x ndof)
  double *k, *m;                // of the free coordinates at the whole length   (free x free)
  double *lambda, *x;           // modes                                          (free), (free x free)
  int *index, n;
} basis_work;

static bool take_work(basis_work *w, lim_arena *scratch, const lim_sliding *s, const bool keep[6]) {
  size_t square = (size_t)s->ndof * (size_t)s->ndof;
  w->index = lim_arena_array(scratch, (size_t)s->ndof, sizeof *w->index);
  double **matrix[] = {&w->K1, &w->K3, &w->Kb, &w->M, &w->R, &w->k, &w->m, &w->x};
  for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
    if (!(*matrix[i] = lim_arena_array(scratch, square, sizeof(double)))) return false;
  w->lambda = lim_arena_array(scratch, (size_t)s->ndof, sizeof *w->lambda);
  if (!w->index || !w->lambda) return false;
  w->n = free_coordinates(w->index, s, keep);
  return true;
}

// Stiffness and mass of the beam at its whole length, all of it beyond the guide; behind it a short rest.
static void whole_matrices(basis_work *w, const lim_sliding *s) {
  double L = s->length;
  fill_stiffness(w->K1, w->K3, w->Kb, s);
  for (int f = 0; f < 4; f++) add_squares(w->M, s, f, BY_VALUE, (f == 3 ? s->polar : s->mass) * L);
  for (int f = 4; f < LIM_FIELDS && s->sheared; f++) add_squares(w->R, s, f, BY_FIRST, s->turning[f - 4]);
  for (int j = 0; j < w->n; j++)
    for (int i = 0; i < w->n; i++) {
      size_t at = (size_t)w->index[i] * (size_t)s->ndof + (size_t)w->index[j];
      w->k[j * w->n + i] = w->K1[at] / L + w->K3[at] / (L * L * L) + w->Kb[at] / s->edge;
      w->m[j * w->n + i] = w->M[at] + w->R[at] / L;
    }
}

static lim_code choose_shapes(lim_sliding *s, const basis_work *w, const lim_basis *basis, lim_error *err) {
  bool full = basis->type == LIM_BASIS_FULL;
  if (!full && basis->count > w->n)
    return lim_tree_error(err, basis->head.node, "basis has count %d, but the sliding beam has only %d modes",
                          basis->count, w->n);
  s->n = full ? w->n : basis->count;
  s->Phi = lim_arena_array(&s->arena, (size_t)s->ndof * (size_t)s->n, sizeof *s->Phi);
  if (full) s->index = lim_arena_array(&s->arena, (size_t)s->n, sizeof *s->index);
  if (!s->Phi || (full && !s->index)) return lim_no_memory(err);
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < w->n; i++)
      s->Phi[(size_t)j * (size_t)s->ndof + (size_t)w->index[i]] = full ? i == j : w->x[j * w->n + i];
  if (full) memcpy(s->index, w->index, (size_t)s->n * sizeof *s->index);
  return LIM_OK;
}

// Which coordinates bend, and what each bends.
static lim_code find_bending(lim_sliding *s, lim_error *err) {
  s->bend = lim_arena_array(&s->arena, (size_t)s->n, sizeof *s->bend);
  s->bend_of = lim_arena_array(&s->arena, (size_t)s->ndof, sizeof *s->bend_of);
  s->reach = lim_arena_array(&s->arena, (size_t)s->nelement + 1, sizeof *s->reach);
  if (!s->bend || !s->bend_of || !s->reach) return lim_no_memory(err);
  for (int i = 0; i < s->ndof; i++) s->bend_of[i] = -1;
  s->width = s->n - 1;
  if (s->index) { // those of two nodes
    s->width = 0;
    for (int i = 0, j = 0; i < s->n; i++) {
      while (s->index[j] / LIM_NODE < s->index[i] / LIM_NODE - 1) j++;
      if (i - j > s->width) s->width = i - j;
    }
  }
  for (int j = 0; j < s->n; j++) {
    int field = s->index ? s->index[j] % LIM_NODE / 2 : 1;
    if (field != 1 && field != 2) continue;
    if (s->index) s->bend_of[s->index[j]] = s->nbend;
    s->bend[s->nbend++] = j;
  }
  for (int i = 0; i <= s->nelement; i++) {
    s->reach[i] = s->index ? 0 : s->nbend;
    for (int j = 0; s->index && j < s->nbend; j++) s->reach[i] += s->index[s->bend[j]] < LIM_NODE * (i + 1);
  }
  for (int i = 0; i < s->n * s->ndof; i++) s->has[i % s->ndof % LIM_NODE / 2] |= s->Phi[i] != 0;
  return LIM_OK;
}

// --- damping ---

// Bending modes of the beam at a free length l have the dampers of the whole length times length/l; stretch and
// twist keep theirs.
static lim_code fill_damping(lim_sliding *s, const basis_work *w, const lim_damping *d, lim_arena *scratch,
                             lim_error *err) {
  if (!lim_damping_given(d)) return LIM_OK;
  size_t square = (size_t)s->ndof * (size_t)s->ndof;
  double *all = lim_arena_array(scratch, 2 * square, sizeof *all),
         *y = lim_arena_array(scratch, (size_t)w->n, sizeof *y);
  s->D0 = lim_arena_array(&s->arena, (size_t)s->n * (size_t)s->n, sizeof *s->D0);
  s->D1 = lim_arena_array(&s->arena, (size_t)s->n * (size_t)s->n, sizeof *s->D1);
  if (!all || !y || !s->D0 || !s->D1) return lim_no_memory(err);
  for (int k = 0, group = 0; k < w->n && d->ratio.count; k++) {
    if (!(w->lambda[k] > 0)) continue;
    if (!lim_eigen_same(w->lambda[group], w->lambda[k])) group = k;
    for (int i = 0; i < w->n; i++) {
      y[i] = 0;
      for (int j = 0; j < w->n; j++) y[i] += w->m[j * w->n + i] * w->x[k * w->n + j];
    }
    for (int i = 0; i < w->n * w->n; i++) {
      int row = w->index[i / w->n], col = w->index[i % w->n];
      all[(bends(row % LIM_NODE / 2) ? square : 0) + (size_t)row * (size_t)s->ndof + (size_t)col] +=
          2 * lim_damping_ratio(d, group) * sqrt(w->lambda[k]) * y[i / w->n] * y[i % w->n];
    }
  }
  double mass = d->mass > 0 ? d->mass : 0,
         stiffness = d->stiffness > 0 ? d->stiffness : 0; // NaN where not given
  for (size_t i = 0; i < square; i++) {
    double L = s->length;
    int field = (int)(i / (size_t)s->ndof) % LIM_NODE / 2;
    all[(bends(field) ? square : 0) + i] +=
        mass * (w->M[i] + w->R[i] / L) + stiffness * (w->K1[i] / L + w->K3[i] / (L * L * L));
  }
  reduce(s->D0, s, all);
  reduce(s->D1, s, all + square);
  return LIM_OK;
}

// --- rows at places ---

// The element of a place, and the shape functions there.
static int shapes_at(lim_cubic *h, const lim_sliding *s, double place) {
  int e = (int)(place * s->nelement);
  if (e > s->nelement - 1) e = s->nelement - 1;
  hermite(h, place * s->nelement - e, 1.0 / s->nelement);
  return e;
}

// row (n) = k times a field's shape functions, in the coordinates
static void put_row(double *row, const lim_sliding *s, int element, int field, const double N[4], double k) {
  for (int j = 0; j < s->n; j++) {
    row[j] = 0;
    for (int i = 0; i < 4; i++)
      row[j] += k * N[i] * s->Phi[(size_t)j * (size_t)s->ndof + (size_t)nodal(element, field, i)];
  }
}

void lim_sliding_rows(double *rows, const lim_sliding *s, double place) {
  lim_cubic h;
  int e = shapes_at(&h, s, place), n = s->n;
  for (int f = 0; f < 4; f++) put_row(rows + f * n, s, e, f, h.N, 1);
  put_row(rows + 4 * n, s, e, slope_of(s, 2), h.d1, -1);
  put_row(rows + 5 * n, s, e, slope_of(s, 1), h.d1, 1);
}

void lim_sliding_strains(double *rows, const lim_sliding *s, double place) {
  lim_cubic h;
  int e = shapes_at(&h, s, place), n = s->n;
  put_row(rows, s, e, 0, h.d1, 1);
  put_row(rows + n, s, e, 3, h.d1, 1);
  for (int f = 1; f <= 2; f++) {
    double *curve = rows + (f + 1) * n, *across = rows + (f + 3) * n, slope[4];
    put_row(curve, s, e, slope_of(s, f), h.d2, 1);
    put_row(across, s, e, f, s->sheared ? h.d1 : h.d3, 1);
    for (int k = 0; k < 4; k++) slope[k] = -h.d1[k];
    for (int j = 0; s->sheared && j < n; j++)
      for (int k = 0; k < 4; k++)
        across[j] += slope[k] * s->Phi[(size_t)j * (size_t)s->ndof + (size_t)nodal(e, f + 3, k)];
  }
}

void lim_sliding_shortening(double *G, const lim_sliding *s, double place) {
  lim_gauss rule = lim_gauss_rule(LIM_SLIDING_POINTS);
  memset(G, 0, (size_t)s->n * (size_t)s->n * sizeof *G);
  for (int e = 0; e < s->nelement && e < place * s->nelement; e++) {
    double part = fmin(place * s->nelement - e, 1);
    for (int g = 0; g < rule.n; g++) {
      lim_cubic h;
      hermite(&h, part * rule.s[g], 1.0 / s->nelement);
      for (int f = 1; f <= 2; f++)
        for (int i = 0; i < s->n * s->n; i++) {
          double a = 0, b = 0;
          for (int k = 0; k < 4; k++) {
            a += h.d1[k] * s->Phi[(size_t)(i / s->n) * (size_t)s->ndof + (size_t)nodal(e, f, k)];
            b += h.d1[k] * s->Phi[(size_t)(i % s->n) * (size_t)s->ndof + (size_t)nodal(e, f, k)];
          }
          G[i] += part * rule.w[g] / s->nelement * a * b;
        }
    }
  }
}

// --- lengths ---

void lim_sliding_length(double out[3], const lim_sliding *s, double free) {
  double x = free / s->edge;
  out[0] = free;
  out[1] = 1;
  out[2] = 0;
  if (x >= 1) return;
  x = fmax(x, 0);
  out[0] = s->edge * (0.5 + x * x * x * x * (2.5 + x * (x - 3)));
  out[1] = x * x * x * (10 + x * (6 * x - 15));
  out[2] = 30 * x * x * (1 - x) * (1 - x) / s->edge;
}

lim_section_force lim_sliding_force(const lim_sliding *s, const double *strains, const double *eta,
                                    double free) {
  double l[3], e[6];
  lim_sliding_length(l, s, free);
  for (int i = 0; i < 6; i++) {
    e[i] = 0;
    for (int j = 0; j < s->n; j++) e[i] += strains[i * s->n + j] * eta[j];
  }
  double over = 1 / l[0], two = over * over, across[2];
  for (int f = 0; f < 2; f++)
    across[f] = s->sheared ? s->shear[f] * e[4 + f] * over : -s->rigidity[2 + f] * e[4 + f] * two * over;
  return (lim_section_force){.N = s->rigidity[0] * e[0] * over,
                             .T = s->rigidity[1] * e[1] * over,
                             .Mz = s->rigidity[2] * e[2] * two,
                             .My = -s->rigidity[3] * e[3] * two,
                             .Vy = across[0],
                             .Vz = across[1]};
}

void lim_sliding_stiffness(double *K, size_t rows, const lim_sliding *s, double free) {
  double l[3], rest[3];
  lim_sliding_length(l, s, free);
  lim_sliding_length(rest, s, s->length - free);
  size_t n = (size_t)s->n;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) {
      size_t k = j * n + i;
      K[j * rows + i] = s->K1[k] / l[0] + s->K3[k] / (l[0] * l[0] * l[0]) + s->Kb[k] / rest[0];
    }
}

// --- set-up ---

static void fill_section(lim_sliding *s, const lim_model *model, const lim_link *link) {
  const lim_material *m = &model->materials.item[link->beam.material.index];
  const lim_section *section = &model->sections.item[link->beam.pieces.item[0].from.index];
  lim_section_data a = lim_section_between(section, section, 0, m->nu);
  s->mass = m->rho * a.A;
  s->polar = m->rho * (a.Iy + a.Iz);
  const double rotary[3] = {s->polar * s->length, m->rho * a.Iy * s->length, m->rho * a.Iz * s->length};
  memcpy(s->rotary, rotary, sizeof rotary);
  const double rigidity[4] = {m->E * a.A, m->G * a.J, m->E * a.Iz, m->E * a.Iy};
  memcpy(s->rigidity, rigidity, sizeof rigidity);
  s->sheared = lim_element_sheared(link->beam.element) && link->basis.type == LIM_BASIS_FULL;
  s->shear[0] = a.kappa_y * m->G * a.A;
  s->shear[1] = a.kappa_z * m->G * a.A;
  s->turning[0] = m->rho * a.Iz;
  s->turning[1] = m->rho * a.Iy;
}

static lim_code build(lim_sliding *s, const lim_link *link, const bool keep[6], lim_arena *scratch,
                      lim_error *err) {
  basis_work w;
  size_t n;
  if (!take_work(&w, scratch, s, keep)) return lim_no_memory(err);
  whole_matrices(&w, s);
  lim_eigen_count count;
  lim_code code = lim_eigen_lowest(w.lambda, w.x, &count, w.k, w.m, w.n, w.n, err);
  if (code == LIM_OK) code = choose_shapes(s, &w, &link->basis, err);
  if (code == LIM_OK) code = find_bending(s, err);
  if (code != LIM_OK) return code;
  n = (size_t)s->n;
  s->K1 = lim_arena_array(&s->arena, n * n, sizeof *s->K1);
  s->K3 = lim_arena_array(&s->arena, n * n, sizeof *s->K3);
  s->Kb = lim_arena_array(&s->arena, n * n, sizeof *s->Kb);
  s->G = lim_arena_array(&s->arena, n * n, sizeof *s->G);
  s->M = lim_arena_array(&s->arena, n * n, sizeof *s->M);
  s->R = lim_arena_array(&s->arena, n * n, sizeof *s->R);
  s->tip = lim_arena_array(&s->arena, 6 * n, sizeof *s->tip);
  if (!s->K1 || !s->K3 || !s->Kb || !s->G || !s->M || !s->R || !s->tip) return lim_no_memory(err);
  reduce(s->K1, s, w.K1);
  reduce(s->K3, s, w.K3);
  reduce(s->Kb, s, w.Kb);
  reduce(s->M, s, w.M);
  reduce(s->R, s, w.R);
  lim_sliding_rows(s->tip, s, 1);
  if (s->shortens) lim_sliding_shortening(s->G, s, 1);
  return fill_damping(s, &w, &link->damping, scratch, err);
}

lim_code lim_sliding_new(lim_sliding **out, const lim_model *model, int link, const bool keep[6], bool rigid,
                         lim_error *err) {
  const lim_link *a = &model->links.item[link];
  lim_sliding *s = *out = calloc(1, sizeof *s);
  if (!s) return lim_no_memory(err);
  s->length = a->beam.length;
  s->edge = s->length / 50;
  s->nelement = a->beam.elements;
  s->ndof = LIM_NODE * (s->nelement + 1);
  s->flexible = a->joint.slide.behind == 1;
  s->shortens = model->solver.stiffening;
  fill_section(s, model, a);
  lim_gauss rule = lim_gauss_rule(LIM_SLIDING_POINTS);
  for (int g = 0; g < rule.n; g++) {
    s->s[g] = rule.s[g] / s->nelement;
    s->w[g] = rule.w[g] / s->nelement;
    hermite(&s->at[g], rule.s[g], 1.0 / s->nelement);
    for (int i = 0; i < 16; i++) s->Ge[i] += s->w[g] * s->at[g].d1[i / 4] * s->at[g].d1[i % 4];
    for (int i = 0; i < 16; i++) s->Me[i] += s->w[g] * s->at[g].N[i / 4] * s->at[g].N[i % 4];
  }
  if (rigid) return LIM_OK;
  lim_arena scratch = {0};
  lim_code code = build(s, a, keep, &scratch, err);
  lim_arena_free(&scratch);
  return code;
}

void lim_sliding_free(lim_sliding *s) {
  if (!s) return;
  lim_arena_free(&s->arena);
  free(s);
}
