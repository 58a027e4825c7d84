// section_general.c - a section known by its constants only. Theory: docs/theory/section.md.
#include "beam/section_shape.h"

#include <math.h>

// A, Iy, Iz are the user's and are put over these by the caller. (S3), (S14)
lim_section_data lim_general_data(const lim_section *s, double nu) {
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

lim_stress lim_general_shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                             double z) {
  (void)s;
  return (lim_stress){.xy = flexure(f.Vy, d->kappa_y, d->A, y, d->y) - f.T / d->J * z,
                      .xz = flexure(f.Vz, d->kappa_z, d->A, z, d->z) + f.T / d->J * y};
}

// Those of the rectangle round it.
int lim_general_points(lim_section_point *p, const lim_section *s, const lim_section_data *d,
                       lim_section_force f) {
  return lim_rectangle_points(p, s, d, f);
}
