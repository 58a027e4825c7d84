// gauge.c - strain gauges and the converters that read them. Reference: docs/reference/channels.md.
#include "channel/quantity.h"

#include <math.h>

// Sample and hold: the strain at the last sampling instant k/rate, linear between recorded times.
static double sampled(lim_owner_state *x, double t, double strain) {
  double last = floor(t * x->gauge->rate + 1e-9) / x->gauge->rate; // 1e-9: t = k/rate up to rounding
  if (!x->begun)
    x->held = strain;
  else if (last > x->t)
    x->held = t > x->t ? x->strain + (strain - x->strain) * fmin((last - x->t) / (t - x->t), 1) : strain;
  x->begun = true;
  x->t = t;
  x->strain = strain;
  return x->held;
}

// To the nearest of the 2^bits steps of the converter, clipped at its range.
static double quantised(double x, int bits) {
  double half = ldexp(1, bits - 1), step = LIM_GAUGE_RANGE / half;
  if (isnan(x)) return x;
  return step * fmin(fmax(round(x / step), -half), half - 1);
}

static double read_gauge(lim_owner_state *x, const lim_snapshot *m) {
  double strain = lim_section_cut_strain(&x->cut, m, (lim_face)x->gauge->face);
  if (x->gauge->rate > 0) strain = sampled(x, m->t, strain);
  return x->gauge->bits > 0 ? quantised(strain, x->gauge->bits) : strain;
}

void lim_quantity_strain(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) x->reading = read_gauge(x, m);
  x->known = true;
  out[0] = x->reading;
}

void lim_quantity_stress(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_quantity_strain(out, p, m);
  out[0] *= lim_section_cut_modulus(&p->owner->cut); // what the reading stands for: uniaxial stress
}
