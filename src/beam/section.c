// section.c - cross-sections: the table of shapes, tapering, stresses, outlines. Theory:
// docs/theory/section.md.
#include "beam/section.h"

#include "beam/section_shape.h"

#include <math.h>

static const lim_section_kind *const kinds[] = {
#define ROW(kind) &lim_section_##kind,
#include "beam/sections.def"
#undef ROW
    NULL,
};

const lim_kind_row *lim_section_row(int i) { return kinds[i] ? &kinds[i]->row : NULL; }

static const lim_section_kind *kind_of(const lim_section *s) { return kinds[s->shape]; }

void lim_section_size(double size[2], const lim_section *s) {
  const lim_section_data d = kind_of(s)->data(s, 0);
  size[0] = d.y;
  size[1] = d.z;
}

bool lim_section_is_round(const lim_section *s) { return kind_of(s)->round; }

// --- constants ---

static double given_or(double given, double derived) { return isnan(given) ? derived : given; }

// Constants of one section: those of its shape, under those given. One kappa stands for both directions.
static lim_section_data section_data(const lim_section *s, double nu) {
  lim_section_data d = kind_of(s)->data(s, nu);
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
  for (int i = 0; i < LIM_SECTION_SIZES; i++) s->size[i] = mix(a->size[i], b->size[i], t);
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
  lim_stress r = kind_of(s)->shear(s, d, f, y, z);
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

// The largest over the points that the shape names for these forces.
static double largest_mises(const lim_section *s, const lim_section_data *d, lim_section_force f) {
  if (!(d->y > 0 && d->z > 0)) return NAN;
  lim_section_point p[LIM_SHAPE_POINTS];
  const int n = kind_of(s)->points(p, s, d, f);
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const double mises = lim_stress_mises(point_stress(s, d, f, p[i].y, p[i].z));
    if (isnan(mises)) return mises; // a NaN among the forces is passed on, not hidden
    largest = fmax(largest, mises);
  }
  return largest;
}

double lim_section_mises(const lim_section *a, const lim_section *b, double fraction, double nu,
                         lim_section_force f) {
  const lim_section s = section_at(a, b, fraction, nu);
  const lim_section_data d = section_data(&s, nu);
  return largest_mises(&s, &d, f);
}

// --- many forces on one section ---

struct lim_critical_point {
  double y, z;
  lim_stress by_Vy, by_Vz, by_T; // shear stresses of unit forces
};

bool lim_critical_section_start(lim_critical_section *c, lim_arena *arena, const lim_section *a,
                                const lim_section *b, double fraction, double nu) {
  *c = (lim_critical_section){.section = section_at(a, b, fraction, nu)};
  c->data = section_data(&c->section, nu);
  lim_section_point p[LIM_SHAPE_POINTS];
  if (!kind_of(a)->fixed || !(c->data.y > 0 && c->data.z > 0)) return true;
  lim_section_shear_fn *shear = kind_of(a)->shear;
  const int n = kind_of(a)->points(p, &c->section, &c->data, (lim_section_force){0});
  c->point = lim_arena_array(arena, (size_t)n, sizeof *c->point);
  if (!c->point) return false;
  for (int i = 0; i < n; i++)
    c->point[i] = (lim_critical_point){
        p[i].y, p[i].z, shear(&c->section, &c->data, (lim_section_force){.Vy = 1}, p[i].y, p[i].z),
        shear(&c->section, &c->data, (lim_section_force){.Vz = 1}, p[i].y, p[i].z),
        shear(&c->section, &c->data, (lim_section_force){.T = 1}, p[i].y, p[i].z)};
  c->count = n;
  return true;
}

double lim_critical_section_mises(const lim_critical_section *c, lim_section_force f) {
  if (!c->count) return largest_mises(&c->section, &c->data, f);
  const double axial = f.N / c->data.A, y = -f.Mz / c->data.Iz, z = f.My / c->data.Iy; // (S15)
  double largest = 0;                                                                  // squared
  for (int i = 0; i < c->count; i++) {
    const lim_critical_point *p = &c->point[i];
    const double xx = axial + y * p->y + z * p->z;
    const double xy = f.Vy * p->by_Vy.xy + f.Vz * p->by_Vz.xy + f.T * p->by_T.xy;
    const double xz = f.Vy * p->by_Vy.xz + f.Vz * p->by_Vz.xz + f.T * p->by_T.xz;
    const double square = xx * xx + 3 * (xy * xy + xz * xz); // (S16)
    if (isnan(square)) return square;
    largest = fmax(largest, square);
  }
  return sqrt(largest);
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

// --- outlines ---

lim_outline lim_section_outline(const lim_section *s) {
  lim_outline o = {0};
  kind_of(s)->outline(&o, s);
  return o;
}

int lim_outline_rectangle(double p[][2], double y, double z) {
  static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  if (!(y > 0 && z > 0)) return 0;
  for (int i = 0; i < 4; i++) {
    p[i][0] = sign[i][0] * y / 2;
    p[i][1] = sign[i][1] * z / 2;
  }
  return 4;
}

int lim_outline_circle(double p[][2], double diameter) {
  if (!(diameter > 0)) return 0;
  for (int i = 0; i < LIM_OUTLINE_POINTS; i++) {
    double angle = 2 * M_PI * i / LIM_OUTLINE_POINTS;
    p[i][0] = diameter / 2 * cos(angle);
    p[i][1] = diameter / 2 * sin(angle);
  }
  return LIM_OUTLINE_POINTS;
}
