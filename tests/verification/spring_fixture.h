// spring_fixture.h - aluminium beams of 0.5 m, of different stiffness about y and z, for arms on springs.
#ifndef LIM_TESTS_SPRING_FIXTURE_H
#define LIM_TESTS_SPRING_FIXTURE_H

#include "motor_fixture.h"

#define BEAMS                                                                                                  \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "materials: {m: {E: 70e9, nu: 0.3, rho: 2700}}\n"                                                            \
  "sections: {s: {shape: general, A: 4e-4, Iy: 2e-8, Iz: 1e-8, J: 1.5e-8, kappa: 0.8}}\n"
#define BEAM(name, more)                                                                                       \
  "  - {name: " name ", " more ", beam: {length: 0.5, section: s, material: m, elements: 4}}\n"

#endif
