// analysis_modes_fixture.h - a ribbon whose vibrations are those of textbooks, and roots of their equations.
#ifndef ANALYSIS_MODES_FIXTURE_H
#define ANALYSIS_MODES_FIXTURE_H

#include "analysis_fixture.h"

// A ribbon without rotary inertia to speak of, EI = 0.07 N m^2, rho A = 20 kg/m: Euler-Bernoulli's beam.
#define RIBBON                                                                                                 \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\n" MATERIAL                                                       \
  "sections: {s: {shape: general, A: 1e-2, Iy: 1e-12, Iz: 1e-12}}\nlinks:\n  - name: arm\n"                    \
  "    beam: {length: 0.5, section: s, material: m, elements: 60, element: euler-bernoulli}\n"
static const double EI = 0.07, RHO_A = 20;

static inline double hertz_of_root(double b) { return b * b * sqrt(EI / RHO_A) / (L * L) / (2 * M_PI); }

// A payload of ARM.
#define PAYLOAD "    masses: [{at: tip, mass: 500 g, inertia: [1e-4, 1e-4, 1e-4]}]\n"

// Root number k (from 0) of f above 0.05, by a fine walk and bisection.
static inline double root(double f(double, const void *), const void *data, int k) {
  const double h = 1e-3;
  double here = f(0.05, data), next;
  for (double x = 0.05; x < 100; x += h, here = next) {
    next = f(x + h, data);
    if (here * next > 0 || k-- > 0) continue;
    double low = x, high = x + h;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      *(f(low, data) * f(middle, data) > 0 ? &low : &high) = middle;
    }
    return low;
  }
  fail_msg("no root");
  return NAN;
}

#endif
