// section_i_beam.c - the i-beam: web along y, two flanges of width z. Theory: docs/theory/section.md.
#include "beam/section_shape.h"

#include <math.h>
#include <string.h>

enum { WEB, FLANGE }; // of the sizes

// Half sizes: outer (y, z), clear web (yw), web thickness (zw); flange thickness t.
typedef struct {
  double y, z, yw, zw, t;
} i_beam;

static i_beam i_beam_of(const lim_section *s) {
  const double y = s->y / 2, t = s->size[FLANGE];
  return (i_beam){y, s->z / 2, y - t, s->size[WEB] / 2, t};
}

// (S12), the force along the web.
static double kappa_strong(const lim_section *s, double nu) {
  const double h = s->y - s->size[FLANGE], n = s->z / h, m = 2 * s->z * s->size[FLANGE] / (h * s->size[WEB]);
  return lim_thin_wall_kappa(m, nu, 30 * n * n * (m + m * m) + 5 * nu * n * n * (8 * m + 9 * m * m));
}

// (S2), (S6), (S12), (S13).
static lim_section_data data(const lim_section *s, double nu) {
  const double y = s->y, z = s->z, w = s->size[WEB], t = s->size[FLANGE], h = y - 2 * t, A = 2 * z * t + h * w;
  return (lim_section_data){.A = A,
                            .Iy = (2 * t * z * z * z + h * w * w * w) / 12,
                            .Iz = (z * y * y * y - (z - w) * h * h * h) / 12,
                            .J = (2 * z * t * t * t + h * w * w * w) / 3,
                            .kappa_y = kappa_strong(s, nu),
                            .kappa_z = lim_rectangle_kappa(nu) * 2 * z * t / A,
                            .y = y,
                            .z = z};
}

// Web: shear of Vy (S23), of Vz (S18), torsion (S26).
static lim_stress web_shear(i_beam b, const lim_section_data *d, lim_section_force f, double y, double z) {
  const double Q = b.z * (b.y * b.y - b.yw * b.yw) + b.zw * (b.yw * b.yw - y * y);
  return (lim_stress){.xy = f.Vy / d->Iz * Q / (2 * b.zw) - 2 * f.T / d->J * z,
                      .xz = f.Vz / d->Iy * (b.zw * b.zw - z * z) / 2};
}

// Flange: Vy comes out of the web and flows to the tips (S24), Vz is that of a rectangle (S18), torsion (S26).
static lim_stress flange_shear(i_beam b, const lim_section_data *d, lim_section_force f, double y, double z) {
  const double centre = copysign(b.y - b.t / 2, y), za = fmin(fabs(z), b.z);
  const double motion_state = za >= b.zw ? b.z - za : (b.z - b.zw) * za / b.zw;
  return (lim_stress){.xy = f.Vy / d->Iz * (b.y * b.y - y * y) / 2,
                      .xz = f.Vy / d->Iz * centre * copysign(motion_state, z) +
                            f.Vz / d->Iy * (b.z * b.z - z * z) / 2 + 2 * f.T / d->J * (y - centre)};
}

// The gaps beside the web carry nothing.
static lim_stress shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                        double z) {
  const i_beam b = i_beam_of(s);
  if (fabs(y) <= b.yw && fabs(z) <= b.zw) return web_shear(b, d, f, y, z);
  if (fabs(y) >= b.yw) return flange_shear(b, d, f, y, z);
  return (lim_stress){0};
}

// Tips and middles of the flanges, middle and ends of the web on its faces, and the flange's inner face just
// clear of the web.
static int points(lim_section_point *p, const lim_section *s, const lim_section_data *d, lim_section_force f) {
  (void)d, (void)f;
  const i_beam b = i_beam_of(s);
  int n = lim_section_mirror(p, 0, b.y, b.z);
  n = lim_section_mirror(p, n, b.y, 0);
  n = lim_section_mirror(p, n, 0, b.zw);
  n = lim_section_mirror(p, n, b.yw, b.zw);
  return lim_section_mirror(p, n, b.yw, fmin(2 * b.zw, b.z));
}

static const lim_key own[] = {
    LIM_SIZE_KEY("web", WEB, "thickness of the web, which stands along y", "> 0"),
    LIM_SIZE_KEY("flange", FLANGE, "thickness of each flange, which lies along z", "> 0"),
    {0}};

static void check(lim_resolver *v, const void *section) {
  const lim_section *s = section;
  if (2 * s->size[FLANGE] >= s->y)
    lim_resolve_error(v, &s->head, "flange", "flange is %g m, must be below half of y, which is %g m",
                      s->size[FLANGE], s->y);
  if (s->size[WEB] > s->z)
    lim_resolve_error(v, &s->head, "web", "web is %g m, must be at most the width z of the flanges, %g m",
                      s->size[WEB], s->z);
}

static void outline(lim_outline *o, const lim_section *s) {
  const double y = s->y / 2, z = s->z / 2, w = s->size[WEB] / 2, f = y - s->size[FLANGE];
  const double corner[12][2] = {{-y, -z}, {-f, -z}, {-f, -w}, {f, -w}, {f, -z}, {y, -z},
                                {y, z},   {f, z},   {f, w},   {-f, w}, {-f, z}, {-y, z}};
  memcpy(o->outer, corner, sizeof corner);
  o->outer_count = 12;
}

const lim_section_kind lim_section_i_beam = {.row = {.word = "i-beam",
                                                     .help = "a web between two flanges",
                                                     .takes = "y z",
                                                     .needs = "y z",
                                                     .own = own,
                                                     .check = check},
                                             .data = data,
                                             .shear = shear,
                                             .points = points,
                                             .outline = outline,
                                             .fixed = true};
