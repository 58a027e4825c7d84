// friction.c - Coulomb friction with stiction, and LuGre. Theory: docs/theory/drives.md.
#include "drive/friction.h"

#include "dynamics/number/real_double.h"

#define LIM_LAWS_FRICTION
#include "drive/drive_laws.inc" // over the numbers above

static double sign(double x) { return (x > 0) - (x < 0); }

bool lim_friction_acts(const lim_friction_law *f) {
  return f->bristles || f->viscous != 0 || lim_friction_sticks(f);
}

bool lim_friction_sticks(const lim_friction_law *f) {
  return !f->bristles && (f->coulomb > 0 || f->stiction > 0 || f->share > 0);
}

// g(v) and dg/dv
static double level(const lim_friction_law *f, double v, double load, double *slope) {
  const double of_speed = law_level(f, v);
  *slope = f->stribeck > 0 ? -2 * v / (f->stribeck * f->stribeck) * (of_speed - f->coulomb) : 0;
  return of_speed + f->share * fabs(load);
}

double lim_friction_level(const lim_friction_law *f, double v, double load, bool stuck) {
  double slope;
  return stuck ? f->stiction + f->share * fabs(load) : level(f, v, load, &slope);
}

// F = -(s0 z + s1 dz/dt). In a step of the trapezoidal rule z depends on v:
//   z (1 + h a/2) = ... + h v/2   =>   dz/dv = h/2 (1 - a' z)/(1 + h a/2)
static void lugre(lim_friction_answer *out, const lim_friction_law *f, double v, double g, double slope,
                  double z, double h) {
  const double s0 = f->bristle_stiffness, s1 = f->bristle_damping, a = law_release(f, v, g);
  const double a_v = g > 0 ? s0 * sign(v) / g - a * slope / g : 0;
  const double z_v = h / 2 * (1 - a_v * z) / (1 + h * a / 2);
  out->rate = law_bristle_rate(v, a, z);
  out->force = law_bristle_force(f, z, out->rate);
  out->d = s0 * z_v + s1 * (1 - a_v * z - a * z_v);
  out->energy = s0 * z * z / 2;
  out->rubbed = -out->force * v - s0 * z * out->rate;
}

void lim_friction_evaluate(lim_friction_answer *out, const lim_friction_law *f, double v, double load, int slip,
                           double z, double h) {
  double slope;
  *out = (lim_friction_answer){.level = level(f, v, load, &slope)};
  if (f->bristles) {
    lugre(out, f, v, out->level, slope, z, h);
  } else {
    out->force = -slip * out->level;
    out->d = slip * slope;
    out->rubbed = slip * out->level * v;
  }
  out->d = fmax(out->d, 0) + f->viscous; // a level that falls with speed would take stiffness from the step
  out->force -= f->viscous * v;
  out->viscous = f->viscous * v * v;
}

double lim_friction_rate(const lim_friction_law *f, double v, double load, double z) {
  double slope;
  return f->bristles ? law_bristle_rate(v, law_release(f, v, level(f, v, load, &slope)), z) : 0;
}

double lim_friction_step(const lim_friction_law *f, double z, double rate, double h, double v, double load) {
  double slope;
  if (!f->bristles) return 0;
  return (z + h / 2 * (rate + v)) / (1 + h / 2 * law_release(f, v, level(f, v, load, &slope)));
}
