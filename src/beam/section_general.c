// section_general.c - a section known by its constants only. Theory: docs/theory/section.md.
#include "beam/section_shape.h"

#include <math.h>

// A, Iy, Iz are the user's and are put over these by the caller. (S3), (S14)
static lim_section_data data(const lim_section *s, double nu) {
  (void)nu;
  return (lim_section_data){.A = s->A,
                            .Iy = s->Iy,
                            .Iz = s->Iz,
                            .J = s->Iy + s->Iz,
                            .kappa_y = 5.0 / 6,
                            .kappa_z = 5.0 / 6,
                            .y = isnan(s->y) ? 0 : s->y,
                            .z = isnan(s->z) ? 0 : s->z};
}

// Shear along one axis: the mean the strain energy knows (S27), none on the free face it would cross.
static double flexure(double V, double kappa, double A, double at, double size) {
  return size > 0 && fabs(at) >= size / 2 ? 0 : V / (kappa * A);
}

static lim_stress shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                        double z) {
  (void)s;
  return (lim_stress){.xy = flexure(f.Vy, d->kappa_y, d->A, y, d->y) - f.T / d->J * z,
                      .xz = flexure(f.Vz, d->kappa_z, d->A, z, d->z) + f.T / d->J * y};
}

static void outline(lim_outline *o, const lim_section *s) {
  o->outer_count = lim_outline_rectangle(o->outer, s->y, s->z);
}

const lim_section_kind lim_section_general = {
    .row = {.word = "general", .help = "bare numbers", .takes = "y z", .needs = "A Iy Iz"},
    .data = data,
    .shear = shear,
    .points = lim_rectangle_points,
    .outline = outline,
    .fixed = true};
