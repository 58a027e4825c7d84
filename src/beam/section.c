// section.c - cross-sections: the table of shapes, tapering, stresses. Theory: docs/theory/section.md.
#include "beam/section.h"

#include "beam/section_shape.h"

#include <math.h>

// One row per shape; a new shape is one file and one row.
static const struct {
  lim_shape_data_fn *data;
  lim_shape_shear_fn *shear;
  lim_shape_points_fn *points;
} shapes[] = {
    [LIM_RECTANGLE] = {lim_rectangle_data, lim_rectangle_shear, lim_rectangle_points},
    [LIM_CIRCLE] = {lim_circle_data, lim_circle_shear, lim_circle_points},
    [LIM_TUBE] = {lim_tube_data, lim_tube_shear, lim_tube_points},
    [LIM_BOX] = {lim_box_data, lim_box_shear, lim_box_points},
    [LIM_I_BEAM] = {lim_i_beam_data, lim_i_beam_shear, lim_i_beam_points},
    [LIM_GENERAL] = {lim_general_data, lim_general_shear, lim_general_points},
};

static double given_or(double given, double derived) { return isnan(given) ? derived : given; }

// Constants of one section: those of its shape, under those given. One kappa stands for both directions.
static lim_section_data section_data(const lim_section *s, double nu) {
  lim_section_data d = shapes[s->shape].data(s, nu);
  d.A = given_or(s->A, d.A);
  d.Iy = given_or(s->Iy, d.Iy);
  d.Iz = given_or(s->Iz, d.Iz);
  d.J = given_or(s->J, d.J);
  d.kappa_z = given_or(s->kappa[1], given_or(s->kappa[0], d.kappa_z));
  d.kappa_y = given_or(s->kappa[0], d.kappa_y);
  return d;
}

static double mix(double a, double b, double t) { return a + (b - a) * t; }

// A constant given at one end only is met by the derived one of the other end; NaN: given at neither.
static double mix_given(double a, double b, double derived_a, double derived_b, double t) {
  if (isnan(a) && isnan(b)) return NAN;
  return mix(given_or(a, derived_a), given_or(b, derived_b), t);
}

static void mix_sizes(lim_section *s, const lim_section *a, const lim_section *b, double t) {
  s->y = mix(a->y, b->y, t);
  s->z = mix(a->z, b->z, t);
  s->diameter = mix(a->diameter, b->diameter, t);
  s->outer = mix(a->outer, b->outer, t);
  s->inner = mix(a->inner, b->inner, t);
  s->wall = mix(a->wall, b->wall, t);
  s->web = mix(a->web, b->web, t);
  s->flange = mix(a->flange, b->flange, t);
}

// (S1): every dimension and every given constant linear between the ends.
static lim_section section_at(const lim_section *a, const lim_section *b, double t, double nu) {
  if (a == b) return *a;
  lim_section s = *a;
  const lim_section_data da = section_data(a, nu), db = section_data(b, nu);
  mix_sizes(&s, a, b, t);
  s.A = mix_given(a->A, b->A, da.A, db.A, t);
  s.Iy = mix_given(a->Iy, b->Iy, da.Iy, db.Iy, t);
  s.Iz = mix_given(a->Iz, b->Iz, da.Iz, db.Iz, t);
  s.J = mix_given(a->J, b->J, da.J, db.J, t);
  s.kappa[0] = mix_given(a->kappa[0], b->kappa[0], da.kappa_y, db.kappa_y, t);
  s.kappa[1] = mix_given(a->kappa[1], b->kappa[1], da.kappa_z, db.kappa_z, t);
  return s;
}

lim_section_data lim_section_between(const lim_section *a, const lim_section *b, double fraction, double nu) {
  const lim_section s = section_at(a, b, fraction, nu);
  return section_data(&s, nu);
}

// (S15), with the shear stresses of the shape.
static lim_stress point_stress(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                               double z) {
  lim_stress r = shapes[s->shape].shear(s, d, f, y, z);
  r.xx = f.N / d->A - f.Mz * y / d->Iz + f.My * z / d->Iy;
  return r;
}

lim_stress lim_section_stress(const lim_section *a, const lim_section *b, double fraction, double nu,
                              lim_section_force f, double y, double z) {
  const lim_section s = section_at(a, b, fraction, nu);
  const lim_section_data d = section_data(&s, nu);
  return point_stress(&s, &d, f, y, z);
}

// (S16)
double lim_stress_mises(lim_stress s) { return sqrt(s.xx * s.xx + 3 * (s.xy * s.xy + s.xz * s.xz)); }

double lim_section_mises(const lim_section *a, const lim_section *b, double fraction, double nu,
                         lim_section_force f) {
  const lim_section s = section_at(a, b, fraction, nu);
  const lim_section_data d = section_data(&s, nu);
  if (!(d.y > 0 && d.z > 0)) return NAN;
  lim_section_point p[LIM_SHAPE_POINTS];
  const int n = shapes[s.shape].points(p, &s, &d, f);
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const double mises = lim_stress_mises(point_stress(&s, &d, f, p[i].y, p[i].z));
    if (isnan(mises)) return mises; // a NaN among the forces is passed on, not hidden
    largest = fmax(largest, mises);
  }
  return largest;
}

int lim_section_mirror(lim_section_point *p, int n, double y, double z) {
  for (int i = 0; i < 4; i++) {
    const bool low_y = i & 1, low_z = i & 2;
    if ((low_y && y == 0) || (low_z && z == 0)) continue;
    p[n++] = (lim_section_point){low_y ? -y : y, low_z ? -z : z};
  }
  return n;
}

// (S10)
double lim_thin_wall_kappa(double m, double nu, double wide) {
  const double solid = 12 + m * (72 + m * (150 + m * 90));
  const double poisson = 11 + m * (66 + m * (135 + m * 90));
  return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) / (solid + nu * poisson + wide);
}
