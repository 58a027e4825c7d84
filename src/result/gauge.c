// gauge.c - strain gauges and the converters that read them. Reference: docs/reference/channels.md.
#include "result/probe.h"

#include <math.h>

// Sample and hold: the strain at the last sampling instant k/rate, linear between moments.
static double sampled(lim_probe *p, double t, double x) {
  double last = floor(t * p->gauge->rate + 1e-9) / p->gauge->rate; // 1e-9: t = k/rate up to rounding
  if (!p->begun)
    p->held = x;
  else if (last > p->t)
    p->held = t > p->t ? p->strain + (x - p->strain) * fmin((last - p->t) / (t - p->t), 1) : x;
  p->begun = true;
  p->t = t;
  p->strain = x;
  return p->held;
}

// To the nearest of the 2^bits steps of the converter, clipped at its range.
static double quantised(double x, int bits) {
  double half = ldexp(1, bits - 1), step = LIM_GAUGE_RANGE / half;
  if (isnan(x)) return x;
  return step * fmin(fmax(round(x / step), -half), half - 1);
}

void lim_probe_strain(double out[3], lim_probe *p, const lim_moment *m) {
  double x = lim_cut_strain(&p->cut, m, (lim_face)p->gauge->face);
  if (p->gauge->rate > 0) x = sampled(p, m->t, x);
  if (p->gauge->bits > 0) x = quantised(x, p->gauge->bits);
  out[0] = x;
}

void lim_probe_stress(double out[3], lim_probe *p, const lim_moment *m) {
  lim_probe_strain(out, p, m);
  out[0] *= p->cut.element.element->E; // what the reading stands for: uniaxial stress
}
