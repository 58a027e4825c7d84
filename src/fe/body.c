// body.c - the body of a reduced link: its own inertia data, and those of the masses it carries. Theory:
// docs/theory/finite-elements.md.
#include "body/sums.h"
#include "fe/link.h"
#include "math/rotation.h"

#include <stdlib.h>
#include <string.h>

// Own mass, first moment and inertia.
static void take_rigid(lim_body *b, const lim_fe_link *x) {
  b->mass = x->mass;
  memcpy(b->moment, x->moment, sizeof b->moment);
  memcpy(b->inertia, x->inertia, sizeof b->inertia);
}

// What depends on the coordinates. Spinning stiffens as the inertia falls by which the square of the speed is
// multiplied: J_zz = S_xx + S_yy loses eta'K_zz eta, J_xy = -S_xy loses eta'K_xy eta.   (13)
static void take_flexible(lim_body_sums *s, const lim_fe_link *x, bool stiffening) {
  lim_body *b = s->body;
  const int n = b->n, w = b->width;
  memcpy(b->first, x->first, 3 * (size_t)n * sizeof(double));
  memcpy(b->second, x->second, 3 * (size_t)n * sizeof(double));
  memcpy(b->inertia1, x->inertia1, 6 * (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int at = i * n + j, to = i * (2 * w + 1) + j - i + w;
      double J[6] = {0}; // that is lost
      for (int k = 0; k < 6 && stiffening; k++) J[k] = x->spin[k] ? x->spin[k][at] : 0;
      for (int k = 0; k < 9; k++) s->S[k / 3][k % 3][to] = x->S[k / 3][k % 3][at];
      for (int k = 0; k < 3; k++) s->S[k][k][to] -= (J[0] + J[1] + J[2]) / 2 - J[k];
      static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
      for (int k = 0; k < 3; k++) {
        s->S[pair[k][0]][pair[k][1]][to] += J[3 + k];
        s->S[pair[k][1]][pair[k][0]][to] += J[3 + k];
      }
      lim_body_add_band(b->M, w, i, j, x->M[at]);
      lim_body_add_band(b->K, w, i, j, x->K[at]);
    }
}

// --- masses ---

static void offset_of(double r[3], double X[3], const lim_fe_place *p, const lim_mass *mass) {
  for (int i = 0; i < 3; i++) {
    r[i] = mass->xyz[i];
    X[i] = p->X[i] + r[i];
  }
}

// Rows of a mass that is r off its place: u + theta x r.
static void mass_rows(double *A, const lim_fe_place *p, const double r[3], int n) {
  memcpy(A, p->N, 6 * (size_t)n * sizeof *A);
  for (int j = 0; j < n; j++) {
    const double t[3] = {A[3 * n + j], A[4 * n + j], A[5 * n + j]};
    double turn[3];
    lim_cross(turn, t, r);
    for (int i = 0; i < 3; i++) A[i * n + j] += turn[i];
  }
}

// What a mass moves to second order: with its place, and turned about it.
static bool add_point(lim_body *b, const lim_fe_place *p, const lim_mass *mass, const double *A) {
  const size_t n = (size_t)b->n;
  lim_body_point *x = &b->point[b->npoint];
  *x = (lim_body_point){.w = mass->mass, .count = b->n, .moves = {true, true, true}};
  double r[3];
  offset_of(r, x->X, p, mass);
  const bool offset = lim_dot(r, r) > 0;
  if (!offset && !p->G[0] && !p->G[1] && !p->G[2]) return true;
  x->N = lim_arena_array(&b->arena, 3 * n, sizeof *x->N);
  for (int l = 0; l < 3; l++) x->H[l] = lim_arena_array(&b->arena, n * n, sizeof(double));
  if (!x->N || !x->H[0] || !x->H[1] || !x->H[2]) return false;
  memcpy(x->N, A, 3 * n * sizeof *x->N);
  if (offset && !lim_body_turn_offset(x, &b->arena, p->N + 3 * n, r)) return false;
  for (int l = 0; l < 3; l++)
    for (size_t k = 0; p->G[l] && k < n * n; k++) x->H[l][k] -= p->G[l][k];
  b->npoint++;
  return true;
}

static bool add_masses(lim_body_sums *s, lim_arena *scratch, const lim_link *link, bool stiffening) {
  lim_body *b = s->body;
  const size_t n = (size_t)b->n;
  double *A = lim_arena_array(scratch, 6 * n, sizeof *A);
  int *index = lim_arena_array(scratch, n, sizeof *index);
  b->point = lim_arena_array(&b->arena, (size_t)link->masses.count, sizeof *b->point);
  if (!A || !index || !b->point) return false;
  for (int j = 0; j < b->n; j++) index[j] = j;
  for (int i = 0; i < link->masses.count; i++) {
    const lim_mass *mass = &link->masses.item[i];
    const lim_fe_place *p = lim_fe_link_at(link->fe.link, mass->at.value);
    double r[3], X[3];
    offset_of(r, X, p, mass);
    if (b->n) mass_rows(A, p, r, b->n);
    lim_body_add_point(s, mass->mass, X, A, index, b->n);
    lim_body_add_rotary(s, mass->inertia, A, index, b->n);
    if (b->n && stiffening && !add_point(b, p, mass, A)) return false;
  }
  return true;
}

lim_code lim_fe_body(lim_body **out, const lim_link *link, bool rigid, bool stiffening, lim_error *err) {
  const lim_fe_link *x = link->fe.link;
  lim_arena scratch = {0};
  lim_body_sums s;
  lim_body *b = *out = calloc(1, sizeof *b);
  if (!b) return lim_no_memory(err);
  b->n = rigid ? 0 : x->n;
  b->width = b->n > 0 ? b->n - 1 : 0;
  bool good = lim_body_sums_start(&s, &scratch, b);
  s.whole = true;
  if (good) take_rigid(b, x);
  if (good && b->n) take_flexible(&s, x, stiffening);
  good = good && add_masses(&s, &scratch, link, stiffening) && lim_body_sums_end(&s);
  lim_arena_free(&scratch);
  if (good) return LIM_OK;
  lim_body_free(b);
  *out = NULL;
  return lim_no_memory(err);
}
