// section_box.c - the box: y x z outside, walls of one thickness. Theory: docs/theory/section.md.
#include "beam/section_shape.h"

#include <math.h>

enum { WALL }; // of the sizes

// Half sizes: outer (y, z), inner (yi, zi), wall t.
typedef struct {
  double y, z, yi, zi, t;
} box;

static box box_of(const lim_section *s) {
  const double y = s->y / 2, z = s->z / 2, t = s->size[WALL];
  return (box){y, z, y - t, z - t, t};
}

static box turned(box b) { return (box){b.z, b.y, b.zi, b.yi, b.t}; }

// (S11): h, b centre-line sizes along and across the force.
static double kappa(double h, double b, double nu) {
  const double n = b / h, m = n;
  return lim_thin_wall_kappa(m, nu, 10 * n * n * ((3 + nu) * m + 3 * m * m));
}

// (S2), Bredt (S6), (S11).
static lim_section_data data(const lim_section *s, double nu) {
  const double y = s->y, z = s->z, t = s->size[WALL], yi = y - 2 * t, zi = z - 2 * t, h = y - t, b = z - t;
  return (lim_section_data){.A = 2 * t * (h + b),
                            .Iy = (y * z * z * z - yi * zi * zi * zi) / 12,
                            .Iz = (z * y * y * y - zi * yi * yi * yi) / 12,
                            .J = 2 * t * h * h * b * b / (h + b),
                            .kappa_y = kappa(h, b, nu),
                            .kappa_z = kappa(b, h, nu),
                            .y = y,
                            .z = z};
}

static bool in_hole(box b, double y, double z) { return fabs(y) < b.yi && fabs(z) < b.zi; }

// A force along y per V/I (S23), (S24). The webs, along y, take Q(y)/2t and carry it on into the flanges,
// where it runs across the force; at the corners that flow fades to nothing at the free outer face.
static void flexure(double *along, double *across, box b, double y, double z) {
  const double ya = fabs(y), za = fabs(z);
  const bool flange = ya > b.yi || (ya == b.yi && za < b.zi);
  *across = 0;
  if (!flange) {
    *along = (b.z * (b.y * b.y - b.yi * b.yi) + b.t * (b.yi * b.yi - y * y)) / (2 * b.t);
    return;
  }
  const double motion_state = za <= b.zi ? za : b.zi * (b.z - za) / b.t;
  *along = (b.y * b.y - y * y) / 2;
  *across = -copysign(b.y - b.t / 2, y) * copysign(1, z) * motion_state;
}

// Bredt's flow round the wall (S25), of the same size as it turns a corner.
static lim_stress torsion(box b, double tau, double y, double z) {
  const double ya = fabs(y), za = fabs(z), sy = copysign(1, y), sz = copysign(1, z);
  if (ya > b.yi && za > b.zi) return (lim_stress){.xy = -sz * tau * M_SQRT1_2, .xz = sy * tau * M_SQRT1_2};
  return za >= b.zi ? (lim_stress){.xy = -sz * tau} : (lim_stress){.xz = sy * tau};
}

static lim_stress shear(const lim_section *s, const lim_section_data *d, lim_section_force f, double y,
                        double z) {
  const box b = box_of(s);
  if (in_hole(b, y, z)) return (lim_stress){0};
  double yy, yz, zz, zy; // [force direction][stress direction]
  flexure(&yy, &yz, b, y, z);
  flexure(&zz, &zy, turned(b), z, y);
  const double Am = (s->y - b.t) * (s->z - b.t), qy = f.Vy / d->Iz, qz = f.Vz / d->Iy;
  lim_stress r = torsion(b, f.T / (2 * Am * b.t), y, z);
  r.xy += qy * yy + qz * zy;
  r.xz += qy * yz + qz * zz;
  return r;
}

// Outer corners, middles of the walls, and both ends of every wall on its centre line (a flow is a mean over
// the wall, so it goes with the bending stress there).
static int points(lim_section_point *p, const lim_section *s, const lim_section_data *d, lim_section_force f) {
  (void)d, (void)f;
  const box b = box_of(s);
  int n = lim_section_mirror(p, 0, b.y, b.z);
  n = lim_section_mirror(p, n, b.y, 0);
  n = lim_section_mirror(p, n, 0, b.z);
  n = lim_section_mirror(p, n, b.yi, b.z - b.t / 2);
  return lim_section_mirror(p, n, b.y - b.t / 2, b.zi);
}

static const lim_key own[] = {LIM_SIZE_KEY("wall", WALL, "thickness of the four walls", "> 0"), {0}};

static void check(lim_resolver *v, const void *section) {
  const lim_section *s = section;
  if (2 * s->size[WALL] >= fmin(s->y, s->z))
    lim_resolve_error(v, &s->head, "wall",
                      "wall is %g m, must be below half of y and z, which are %g m and %g m", s->size[WALL],
                      s->y, s->z);
}

static void outline(lim_outline *o, const lim_section *s) {
  o->outer_count = lim_outline_rectangle(o->outer, s->y, s->z);
  o->inner_count = lim_outline_rectangle(o->inner, s->y - 2 * s->size[WALL], s->z - 2 * s->size[WALL]);
}

const lim_section_kind lim_section_box = {.row = {.word = "box",
                                                  .help = "a hollow rectangle with walls of one thickness",
                                                  .takes = "y z",
                                                  .needs = "y z",
                                                  .own = own,
                                                  .check = check},
                                          .data = data,
                                          .shear = shear,
                                          .points = points,
                                          .outline = outline,
                                          .fixed = true};
