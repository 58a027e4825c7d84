// clean.c - constants without what rounding left in them.
#include "export/symbolic/clean.h"

#include <math.h>
#include <string.h>

static const double SMALL = 1e-12;

static double *copy_of(lim_arena *arena, const double *x, size_t n) {
  double *y = lim_arena_array(arena, n + 1, sizeof *y);
  if (y && n) memcpy(y, x, n * sizeof *y);
  return y;
}

// Entries that are small beside the largest become 0, those near +-1 that.
static void clean(double *x, size_t n) {
  double max = 0;
  for (size_t i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  for (size_t i = 0; i < n; i++) {
    if (fabs(x[i]) < SMALL * max) x[i] = 0;
    if (fabs(fabs(x[i]) - 1) < SMALL) x[i] = copysign(1, x[i]);
  }
}

// Off the diagonal: beside the entries of the diagonal.
static void tidy_band(double *B, int width, int n) {
  for (int i = 0; i < n; i++) {
    double *row = B + i * (width + 1) + width - i;
    for (int j = i > width ? i - width : 0; j < i; j++)
      if (fabs(row[j]) < SMALL * sqrt(fabs(row[i] * B[j * (width + 1) + width]))) row[j] = 0;
    if (fabs(row[i] - 1) < SMALL) row[i] = 1;
  }
}

static double diagonal(const lim_sparse *S, int i) {
  for (int k = S->start[i]; k < S->start[i + 1]; k++)
    if (S->column[k] == i) return S->value[k];
  return 0;
}

// A copy without the entries that are small beside the largest of their matrices.
static bool tidy_sparse(lim_sparse *out, lim_arena *arena, const lim_sparse *S, double max) {
  size_t n = (size_t)S->n, count = S->n ? (size_t)S->start[S->n] : 0;
  *out = (lim_sparse){.n = S->n, .start = lim_arena_array(arena, n + 1, sizeof *out->start)};
  out->column = lim_arena_array(arena, count + 1, sizeof *out->column);
  out->value = lim_arena_array(arena, count + 1, sizeof *out->value);
  if (!out->start || !out->column || !out->value) return false;
  int kept = 0;
  for (int i = 0; i < S->n; i++) {
    for (int k = S->start[i]; k < S->start[i + 1]; k++) {
      double x = S->value[k], perturbed = sqrt(fabs(diagonal(S, i) * diagonal(S, S->column[k])));
      if (fabs(x) < SMALL * fmax(perturbed, SMALL * max)) x = 0; // its place stays, for numbers that are kept
      out->column[kept] = S->column[k];
      out->value[kept++] = fabs(x - 1) < SMALL ? 1 : x;
    }
    out->start[i + 1] = kept;
  }
  return true;
}

// Points: entries of H beside the largest of all.
static bool tidy_points(lim_body *b, lim_arena *arena, const lim_body *from) {
  b->point = lim_arena_array(arena, (size_t)b->npoint + 1, sizeof *b->point);
  if (!b->point) return false;
  for (int i = 0; i < b->npoint; i++) {
    lim_body_point *p = &b->point[i];
    *p = from->point[i];
    size_t c = (size_t)p->count;
    if (!(p->N = copy_of(arena, p->N, 3 * c))) return false;
    clean(p->N, 3 * c);
    for (int k = 0; k < 3; k++) {
      if (!p->H[k]) continue;
      if (!(p->H[k] = copy_of(arena, p->H[k], c * c))) return false;
      clean(p->H[k], c * c);
    }
  }
  return true;
}

static bool copy_bow(lim_body_foreshortening *b, lim_arena *arena) {
  size_t n = (size_t)b->count;
  b->block = NULL; // the sums above are parameters
  if (n == 0) return true;
  b->mass = copy_of(arena, b->mass, n);
  b->moment = copy_of(arena, b->moment, n);
  b->square = copy_of(arena, b->square, n * n);
  bool good = b->mass && b->moment && b->square;
  for (int d = 0; d < 3 && good; d++)
    good = (b->cross[d] = copy_of(arena, b->cross[d], (size_t)b->columns[d] * n)) != NULL;
  return good;
}

static bool copy_strings(lim_body *b, lim_arena *arena, const lim_body *from) {
  size_t n = (size_t)b->nstretch;
  b->axial_stretch = lim_arena_array(arena, n + 1, sizeof *b->axial_stretch);
  if (b->axial_stretch && n) memcpy(b->axial_stretch, from->axial_stretch, n * sizeof *b->axial_stretch);
  return b->axial_stretch != NULL;
}

static lim_body *tidy_body(lim_arena *arena, const lim_body *from) {
  lim_body *b = lim_arena_allocate(arena, sizeof *b);
  if (!b) return NULL;
  *b = *from;
  b->rows = NULL; // bands alone are tidied, and may become parameters
  size_t n = (size_t)b->n, band = n * (size_t)(b->width + 1);
  b->first = copy_of(arena, from->first, 3 * n);
  b->second = copy_of(arena, from->second, 3 * n);
  b->inertia1 = copy_of(arena, from->inertia1, 6 * n);
  b->M = copy_of(arena, from->M, band);
  b->K = copy_of(arena, from->K, band);
  if (!b->first || !b->second || !b->inertia1 || !b->M || !b->K) return NULL;
  clean(b->first, 3 * n);
  clean(b->second, 3 * n);
  clean(b->inertia1, 6 * n);
  clean(b->moment, 3);
  clean(b->inertia, 6);
  tidy_band(b->M, b->width, b->n);
  tidy_band(b->K, b->width, b->n);
  double max = 0;
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < (from->S[k].n ? from->S[k].start[from->S[k].n] : 0); i++)
      max = fmax(max, fabs(from->S[k].value[i]));
  for (int k = 0; k < 6; k++)
    if (!tidy_sparse(&b->S[k], arena, &from->S[k], max)) return NULL;
  for (int k = 0; k < 3; k++) {
    size_t count = from->B[k].n ? (size_t)from->B[k].start[from->B[k].n] : 0;
    if (!(b->B[k].value = copy_of(arena, from->B[k].value, count))) return NULL;
  }
  return tidy_points(b, arena, from) && copy_bow(&b->foreshortening, arena) && copy_strings(b, arena, from)
             ? b
             : NULL;
}

lim_site lim_clean_site(lim_arena *arena, lim_site site) {
  size_t c = (size_t)site.section.count;
  clean(site.Rc, 9);
  if (c) {
    double *N = copy_of(arena, site.section.N, 6 * c);
    if (!N) return site;
    clean(N, 3 * c);
    clean(N + 3 * c, 3 * c);
    site.section.N = N;
    for (int i = 0; i < 3; i++) {
      double *G = site.section.G[i] ? copy_of(arena, site.section.G[i], c * c) : NULL;
      if (G) clean(G, c * c), site.section.G[i] = G;
    }
  }
  return site;
}

lim_arm *lim_clean(lim_arena *arena, const lim_arm *from) {
  lim_arm *s = lim_arena_allocate(arena, sizeof *s);
  if (!s) return NULL;
  *s = *from;
  s->bodies = lim_arena_array(arena, (size_t)s->nbody + 1, sizeof *s->bodies);
  s->rotor = lim_arena_array(arena, (size_t)s->nrotor + 1, sizeof *s->rotor);
  s->site = lim_arena_array(arena, (size_t)s->nsite + 1, sizeof *s->site);
  s->loop = lim_arena_array(arena, (size_t)s->nloop + 1, sizeof *s->loop);
  if (!s->bodies || !s->rotor || !s->site || !s->loop) return NULL;
  for (int i = 0; i < s->nbody; i++) {
    s->bodies[i] = from->bodies[i];
    s->bodies[i].on = lim_clean_site(arena, from->bodies[i].on);
    clean(s->bodies[i].moves.along, 3);
    clean(s->bodies[i].moves.about, 3);
    if (!(s->bodies[i].body = tidy_body(arena, from->bodies[i].body))) return NULL;
  }
  for (int i = 0; i < s->nrotor; i++) {
    s->rotor[i] = from->rotor[i];
    s->rotor[i].on = lim_clean_site(arena, from->rotor[i].on);
    clean(s->rotor[i].axis, 3);
  }
  s->nsite = 0;
  for (int i = 0; i < from->nsite; i++) { // those that users know
    if (from->site[i].hidden) continue;
    lim_named_site *site = &s->site[s->nsite++];
    *site = from->site[i];
    site->site = lim_clean_site(arena, from->site[i].site);
  }
  for (int i = 0; i < s->nloop; i++) {
    s->loop[i] = from->loop[i];
    for (int k = 0; k < 2; k++) s->loop[i].site[k] = lim_clean_site(arena, from->loop[i].site[k]);
  }
  return s;
}
