// surface.c - surfaces of links from finite elements: what is drawn of them, their stresses and strains.
#include "scene/surface.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; // vertices whose sums are made together

// The deviator of a strain with shears as gamma = 2 epsilon; product of two: e:f
static double deviator_product(const double a[6], const double b[6]) {
  const double ma = (a[0] + a[1] + a[2]) / 3, mb = (b[0] + b[1] + b[2]) / 3;
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (a[i] - ma) * (b[i] - mb);
  for (int i = 3; i < 6; i++) sum += a[i] * b[i] / 2;
  return sum;
}

// --- set-up ---

// Moduli G from stresses and strains, which the skin has of every coordinate: s:e = 2 G e:e summed over them.
static bool find_moduli(lim_surface *x, lim_arena *arena, int n) {
  const lim_fe_skin *k = &x->skin;
  if (!k->stress || !k->strain || n == 0) return true;
  x->shear = lim_arena_array(arena, (size_t)k->nvertex, sizeof *x->shear);
  for (int v = 0; x->shear && v < k->nvertex; v++) {
    double both = 0, own = 0;
    for (int j = 0; j < n; j++) {
      const size_t at = 6 * ((size_t)j * (size_t)k->nvertex + (size_t)v);
      double e[6], s[6];
      for (size_t i = 0; i < 6; i++) e[i] = (double)k->strain[at + i], s[i] = (double)k->stress[at + i];
      for (int i = 3; i < 6; i++) s[i] *= 2; // as strains have them
      both += deviator_product(s, e);
      own += deviator_product(e, e);
    }
    x->shear[v] = own > 0 ? (float)(both / own / 2) : 0;
  }
  return x->shear != NULL;
}

lim_code lim_surface_of(lim_surface *out, lim_arena *arena, const lim_arm *s, int body, lim_error *err) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_fe_skin *skin = b->kind->skin ? b->kind->skin(s, body) : NULL;
  *out = (lim_surface){.body = body, .n = b->body->n};
  if (!skin || skin->ntriangle + skin->nedge == 0) return LIM_OK;
  out->whole = skin->nvertex;
  out->skin = *skin;
  lim_code code = LIM_OK;
  if (skin->nvertex > LIM_SURFACE_VERTICES)
    code = lim_surface_thin(&out->skin, arena, skin, out->n, LIM_SURFACE_VERTICES, err);
  if (code == LIM_OK && !find_moduli(out, arena, out->n)) code = lim_no_memory(err);
  return code;
}

// --- answers ---

// Strains of `count` vertices from v on. out (6 BLOCK)
static void combine(float *out, const lim_surface *x, const double *eta, int v, int count) {
  memset(out, 0, (size_t)(6 * count) * sizeof *out);
  for (int j = 0; j < x->n; j++) {
    const size_t at = 6 * ((size_t)j * (size_t)x->skin.nvertex + (size_t)v);
    const float factor = (float)eta[j], *from = x->skin.strain + at;
    for (int i = 0; i < 6 * count; i++) out[i] += factor * from[i];
  }
}

// The principal strain that is largest in size: those of the deviator are 2 sqrt(e:e/6) cos(a + 2 pi k/3) with
// cos 3a = sqrt(54) det e/(e:e)^(3/2).
static double principal(const double e[6], double square) {
  const double mean = (e[0] + e[1] + e[2]) / 3, r = sqrt(square / 6);
  if (!(r > 0)) return mean;
  const double x = e[0] - mean, y = e[1] - mean, z = e[2] - mean, xy = e[3] / 2, xz = e[4] / 2, yz = e[5] / 2;
  const double det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const double a = acos(fmax(-1, fmin(1, det / (2 * r * r * r)))) / 3;
  const double most = mean + 2 * r * cos(a), least = mean + 2 * r * cos(a + 2.0943951023931953);
  return most >= -least ? most : least;
}

lim_strength lim_surface_strength(const lim_surface *x, const double *eta) {
  lim_strength out = {NAN, NAN};
  float sum[6 * BLOCK];
  if (!x->skin.strain || x->n == 0) return out;
  for (int v = 0; v < x->skin.nvertex; v++) {
    const int in = v % BLOCK, left = x->skin.nvertex - v;
    if (in == 0) combine(sum, x, eta, v, left < BLOCK ? left : BLOCK);
    double e[6];
    for (int i = 0; i < 6; i++) e[i] = (double)sum[6 * in + i];
    const double square = deviator_product(e, e);
    const double stress = x->shear ? 2 * (double)x->shear[v] * sqrt(1.5 * square) : NAN;
    out = lim_strength_larger(out, (lim_strength){stress, principal(e, square)});
  }
  return out;
}
