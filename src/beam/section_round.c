// section_round.c - the circle and the tube; a circle is a tube without a hole. Theory: docs/theory/section.md.
#include "beam/section_shape.h"

#include <math.h>

enum { DIAMETER = 0, OUTER = 0, INNER = 1 }; // sizes of the circle, and of the tube

// Areas (S2), torsion (S4), Cowper's factor (S8). a, b: outer and inner radius.
static lim_section_data round_data(double a, double b, double nu) {
  const double m = b / a, m2 = m * m, p = (1 + m2) * (1 + m2);
  const double kappa = 6 * (1 + nu) * p / ((7 + 6 * nu) * p + (20 + 12 * nu) * m2);
  const double A = M_PI * (a - b) * (a + b), I = A * (a * a + b * b) / 4;
  return (lim_section_data){
      .A = A, .Iy = I, .Iz = I, .J = 2 * I, .kappa_y = kappa, .kappa_z = kappa, .y = 2 * a, .z = 2 * a};
}

// Shear along one axis in its polar form (S19) per V/I: tau_r = f cos(phi), tau_phi = g sin(phi), phi from
// the direction of the force. Returned along (u) and across (v) the force, at the point (u, v).
static void flexure(double *tau_u, double *tau_v, double a, double b, double u, double v) {
  const double r = hypot(u, v), c = r > 0 ? u / r : 1, s = r > 0 ? v / r : 0;
  const double rho = fmax(r, b), r2 = rho * rho, hole = b > 0 ? a * a * b * b / r2 : 0;
  const double f = (a * a + b * b - r2 - hole) / 3;
  const double g = -(r2 + (a * a + b * b - 3 * r2 + hole) / 3);
  *tau_u = f * c * c - g * s * s;
  *tau_v = (f + g) * s * c;
}

static lim_stress round_shear(double a, double b, const lim_section_data *d, lim_section_force f, double y,
                              double z) {
  double yy, yz, zz, zy; // [force direction][stress direction]
  flexure(&yy, &yz, a, b, y, z);
  flexure(&zz, &zy, a, b, z, y);
  const double qy = f.Vy / d->Iz, qz = f.Vz / d->Iy, twist = f.T / d->J; // (S20)
  return (lim_stress){.xy = qy * yy + qz * zy - twist * z, .xz = qy * yz + qz * zz + twist * y};
}

// Both ends of the diameter along (u, v), or along y where that vanishes.
static int diameter_ends(lim_section_point *p, int n, double radius, double u, double v) {
  const double h = hypot(u, v), y = h > 0 ? radius * u / h : radius, z = h > 0 ? radius * v / h : 0;
  p[n++] = (lim_section_point){y, z};
  p[n++] = (lim_section_point){-y, -z};
  return n;
}

// On each rim: where bending is largest, its neutral axis, and across the shear force.
static int round_points(lim_section_point *p, double a, double b, const lim_section_data *d,
                        lim_section_force f) {
  const double gy = -f.Mz / d->Iz, gz = f.My / d->Iy; // gradient of the bending stress
  const double radius[2] = {a, b};
  int n = 0;
  for (int i = 0; i < 2 && radius[i] > 0; i++) {
    n = diameter_ends(p, n, radius[i], gy, gz);
    n = diameter_ends(p, n, radius[i], -gz, gy);
    n = diameter_ends(p, n, radius[i], -f.Vz, f.Vy);
  }
  if (!(b > 0)) p[n++] = (lim_section_point){0, 0};
  return n;
}

static lim_section_data circle_data(const lim_section *s, double nu) {
  return round_data(s->size[DIAMETER] / 2, 0, nu);
}

static lim_stress circle_shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                               double z) {
  return round_shear(s->size[DIAMETER] / 2, 0, d, f, y, z);
}

static int circle_points(lim_section_point *p, const lim_section *s, const lim_section_data *d,
                         lim_section_force f) {
  return round_points(p, s->size[DIAMETER] / 2, 0, d, f);
}

static lim_section_data tube_data(const lim_section *s, double nu) {
  return round_data(s->size[OUTER] / 2, s->size[INNER] / 2, nu);
}

static lim_stress tube_shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                             double z) {
  return round_shear(s->size[OUTER] / 2, s->size[INNER] / 2, d, f, y, z);
}

static int tube_points(lim_section_point *p, const lim_section *s, const lim_section_data *d,
                       lim_section_force f) {
  return round_points(p, s->size[OUTER] / 2, s->size[INNER] / 2, d, f);
}

static const lim_key circle_own[] = {LIM_SIZE_KEY("diameter", DIAMETER, "diameter", "> 0"), {0}};

static void circle_outline(lim_outline *o, const lim_section *s) {
  o->outer_count = lim_outline_circle(o->outer, s->size[DIAMETER]);
}

const lim_section_kind lim_section_circle = {
    .row = {.word = "circle", .help = "a solid circle", .own = circle_own},
    .data = circle_data,
    .shear = circle_shear,
    .points = circle_points,
    .outline = circle_outline,
    .round = true};

static const lim_key tube_own[] = {LIM_SIZE_KEY("outer", OUTER, "outer diameter", "> 0"),
                                   LIM_SIZE_KEY("inner", INNER, "inner diameter", ">= 0"),
                                   {0}};

static void tube_check(lim_resolver *v, const void *section) {
  const lim_section *s = section;
  if (s->size[INNER] >= s->size[OUTER])
    lim_resolve_error(v, &s->head, "inner", "inner is %g m, must be below outer, which is %g m", s->size[INNER],
                      s->size[OUTER]);
}

static void tube_outline(lim_outline *o, const lim_section *s) {
  o->outer_count = lim_outline_circle(o->outer, s->size[OUTER]);
  o->inner_count = lim_outline_circle(o->inner, s->size[INNER]);
}

const lim_section_kind lim_section_tube = {
    .row = {.word = "tube", .help = "a circle with a hole", .own = tube_own, .check = tube_check},
    .data = tube_data,
    .shear = tube_shear,
    .points = tube_points,
    .outline = tube_outline,
    .round = true};
