// section_ellipse.c - a shape of section for the test of kinds: the ellipse, by its two axes.
#include "beam/section_shape.h"

#include <math.h>

enum { HEIGHT, WIDTH }; // of the sizes: along y, along z

static lim_section_data data(const lim_section *s, double nu) {
  (void)nu;
  const double a = s->size[HEIGHT] / 2, b = s->size[WIDTH] / 2, A = M_PI * a * b;
  return (lim_section_data){.A = A,
                            .Iy = A * b * b / 4,
                            .Iz = A * a * a / 4,
                            .J = A * a * a * b * b / (a * a + b * b),
                            .kappa_y = 0.9,
                            .kappa_z = 0.9,
                            .y = 2 * a,
                            .z = 2 * b};
}

// Saint-Venant's torsion; of the shear force the mean.
static lim_stress shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                        double z) {
  const double a = s->size[HEIGHT] / 2, b = s->size[WIDTH] / 2, twist = 2 * f.T / (M_PI * a * b);
  return (lim_stress){.xy = f.Vy / d->A - twist * z / (b * b), .xz = f.Vz / d->A + twist * y / (a * a)};
}

static int points(lim_section_point *p, const lim_section *s, const lim_section_data *d, lim_section_force f) {
  (void)d, (void)f;
  int n = lim_section_mirror(p, 0, s->size[HEIGHT] / 2, 0);
  return lim_section_mirror(p, n, 0, s->size[WIDTH] / 2);
}

static void outline(lim_outline *o, const lim_section *s) {
  o->outer_count = lim_outline_circle(o->outer, 1);
  for (int i = 0; i < o->outer_count; i++) {
    o->outer[i][0] *= s->size[HEIGHT];
    o->outer[i][1] *= s->size[WIDTH];
  }
}

static const lim_key own[] = {LIM_SIZE_KEY("height", HEIGHT, "axis along y", "> 0"),
                              LIM_SIZE_KEY("width", WIDTH, "axis along z", "> 0"),
                              {0}};

const lim_section_kind lim_section_ellipse = {.row = {.word = "ellipse", .help = "a solid ellipse", .own = own},
                                              .data = data,
                                              .shear = shear,
                                              .points = points,
                                              .outline = outline,
                                              .fixed = true};
