// section_rectangle.c - the solid rectangle y x z. Theory: docs/theory/section.md.
#include "beam/section_shape.h"

#include <math.h>

static const double SUM_ODD_5 = 1.00452376279513961613; // sum over odd n of n^-5 = (31/32) zeta(5)
enum { TERMS = 400 };                                   // of the stress series, where it decays slowly

// (S5): Saint-Venant, w the short side. The sum of tanh is split so that what is left to sum decays as
// exp(-n pi l/w).
static double torsion_constant(double y, double z) {
  const double w = fmin(y, z), l = fmax(y, z);
  double sum = SUM_ODD_5;
  for (int n = 1; n <= 13; n += 2) sum -= 2 / ((exp(n * M_PI * l / w) + 1) * pow(n, 5));
  return l * w * w * w / 3 * (1 - 192 / pow(M_PI, 5) * (w / l) * sum);
}

double lim_rectangle_kappa(double nu) { return 10 * (1 + nu) / (12 + 11 * nu); }

static lim_section_data data(const lim_section *s, double nu) {
  const double y = s->y, z = s->z, kappa = lim_rectangle_kappa(nu);
  return (lim_section_data){.A = y * z,
                            .Iy = y * z * z * z / 12,
                            .Iz = z * y * y * y / 12,
                            .J = torsion_constant(y, z),
                            .kappa_y = kappa,
                            .kappa_z = kappa,
                            .y = y,
                            .z = z};
}

// Slopes of Prandtl's function for a unit twist G theta = 1 on a rectangle with the short side w along s and
// the long side l along t. (S22)
typedef struct {
  double ds, dt;
} slopes;

// Alternating sums of (S22) at s, t >= 0. `near` and `far` are cosh +- sinh over cosh(n pi l/2w), written
// with falling exponentials. The last term counts half, which cancels most of the alternating remainder.
static slopes series(double s, double t, double w, double l) {
  slopes sum = {0, 0};
  for (int i = 0; i < TERMS; i++) {
    const double n = 2 * i + 1, k = n * M_PI / w;
    const double near = exp(k * (t - l / 2)), far = exp(-k * (t + l / 2));
    const double c = (i % 2 ? -1 : 1) * (i < TERMS - 1 ? 1 : 0.5) / (n * n * (1 + exp(-k * l)));
    sum.ds += c * (near + far) * sin(k * s);
    sum.dt += c * (near - far) * cos(k * s);
    if (near < 1e-17) break;
  }
  return sum;
}

// Points beyond the outline count as the nearest on it. Along an edge the function is constant, so there its
// slope is exactly zero.
static slopes prandtl(double s, double t, double w, double l) {
  const double sa = fmin(fabs(s), w / 2), ta = fmin(fabs(t), l / 2), c = 8 * w / (M_PI * M_PI);
  const slopes sum = series(sa, ta, w, l);
  const double ds = ta < l / 2 ? -2 * sa + c * sum.ds : 0;
  const double dt = sa < w / 2 ? -c * sum.dt : 0;
  return (slopes){s < 0 ? -ds : ds, t < 0 ? -dt : dt};
}

// (S21): tau_xy = dphi/dz, tau_xz = -dphi/dy.
static lim_stress torsion(const lim_section *r, double twist, double y, double z) {
  const bool upright = r->y >= r->z; // the long side lies along y
  const slopes p = upright ? prandtl(z, y, r->z, r->y) : prandtl(y, z, r->y, r->z);
  return (lim_stress){.xy = twist * (upright ? p.ds : p.dt), .xz = -twist * (upright ? p.dt : p.ds)};
}

// Jourawski's parabolas (S18) and the torsion.
static lim_stress shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                        double z) {
  lim_stress r = {0};
  if (f.T != 0) r = torsion(s, f.T / d->J, y, z);
  r.xy += f.Vy * (s->y * s->y / 4 - y * y) / (2 * d->Iz);
  r.xz += f.Vz * (s->z * s->z / 4 - z * z) / (2 * d->Iy);
  return r;
}

// Points along the sides, where bending, torsion and shear peak at different places, and the centre.
int lim_rectangle_points(lim_section_point *p, const lim_section *s, const lim_section_data *d,
                         lim_section_force f) {
  (void)d, (void)f;
  int n = lim_section_mirror(p, 0, 0, 0);
  for (int i = 0; i <= LIM_SIDE_POINTS; i++) {
    double part = (double)i / LIM_SIDE_POINTS;
    n = lim_section_mirror(p, n, s->y / 2, part * s->z / 2);
    n = lim_section_mirror(p, n, part * s->y / 2, s->z / 2);
  }
  return n;
}

static void outline(lim_outline *o, const lim_section *s) {
  o->outer_count = lim_outline_rectangle(o->outer, s->y, s->z);
}

const lim_section_kind lim_section_rectangle = {
    .row = {.word = "rectangle", .help = "a solid rectangle", .takes = "y z", .needs = "y z"},
    .data = data,
    .shear = shear,
    .points = lim_rectangle_points,
    .outline = outline,
    .fixed = true};
