// contact_fixture.h - what tests of contacts share: the methods, balls and blocks on planes.
#ifndef LIM_TESTS_CONTACT_FIXTURE_H
#define LIM_TESTS_CONTACT_FIXTURE_H

#include "recorded_fixture.h"

#include <string.h>

static const char *const METHODS[] = {"solver.method=rk4", "solver.method=cvode", "solver.method=ida",
                                      "solver.method=newmark", "solver.method=generalized-alpha"};
enum { NMETHODS = 5, HIGH = 3 }; // the first are of high order

static inline const char *method_of(int i) { return strchr(METHODS[i], '=') + 1; }

static inline double largest(const double *x, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  return max;
}

// A ball of 2 kg, 0.1 m and 0.008 kg m^2 above a floor of 100 N/mm; what follows are further keys of the
// contact.
#define BALL(gravity, contact, place)                                                                          \
  "limber: 1\n"                                                                                                \
  "gravity: " gravity "\n"                                                                                     \
  "links:\n"                                                                                                   \
  "  - {name: ball, joint: {name: fly, type: free}, body: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"        \
  "contacts: [{name: floor, frame: ball.base, radius: 0.1, stiffness: 1e5, plane: {normal: [0, 0, 1]}" contact \
  "}]\n"                                                                                                       \
  "configuration: {fly: {" place "}}\n"                                                                        \
  "solver: {duration: 0.2 s, step: 0.1 ms, tolerance: 1e-12}\n"                                                \
  "outputs: {every: 0.1 ms, channels: [fly, floor, energy]}\n"

#endif
