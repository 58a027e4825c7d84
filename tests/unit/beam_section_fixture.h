// beam_section_fixture.h - cross-sections of every shape, and points to integrate over them.
#ifndef BEAM_SECTION_FIXTURE_H
#define BEAM_SECTION_FIXTURE_H

#include "beam/section.h"
#include "kind_numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define assert_near(actual, expected, tolerance) near_(actual, expected, tolerance, __FILE__, __LINE__)

// |actual - expected| <= tolerance * |expected|, or <= tolerance where 0 is expected.
static inline void near_(double actual, double expected, double tolerance, const char *file, int line) {
  const double scale = expected == 0 ? 1 : fabs(expected);
  if (fabs(actual - expected) <= tolerance * scale) return;
  print_error("%.15g, expected %.15g\n", actual, expected);
  _fail(file, line);
}

// --- sections ---

static inline lim_section blank(int shape) {
  lim_section s = {.shape = shape};
  s.y = s.z = NAN;
  for (int i = 0; i < LIM_SECTION_SIZES; i++) s.size[i] = NAN;
  s.A = s.Iy = s.Iz = s.J = s.kappa[0] = s.kappa[1] = NAN;
  return s;
}

static inline lim_section rectangle(double y, double z) {
  lim_section s = blank(LIM_SECTION_rectangle);
  s.y = y, s.z = z;
  return s;
}

static inline lim_section circle(double diameter) {
  lim_section s = blank(LIM_SECTION_circle);
  s.size[0] = diameter;
  return s;
}

static inline lim_section tube(double outer, double inner) {
  lim_section s = blank(LIM_SECTION_tube);
  s.size[0] = outer, s.size[1] = inner;
  return s;
}

static inline lim_section box(double y, double z, double wall) {
  lim_section s = blank(LIM_SECTION_box);
  s.y = y, s.z = z, s.size[0] = wall;
  return s;
}

static inline lim_section i_beam(double y, double z, double web, double flange) {
  lim_section s = blank(LIM_SECTION_i_beam);
  s.y = y, s.z = z, s.size[0] = web, s.size[1] = flange;
  return s;
}

static inline lim_section general(double A, double Iy, double Iz) {
  lim_section s = blank(LIM_SECTION_general);
  s.A = A, s.Iy = Iy, s.Iz = Iz;
  return s;
}

static inline lim_section_data data_of(lim_section s, double nu) { return lim_section_between(&s, &s, 0, nu); }

// --- quadrature ---

typedef struct {
  double y, z, w;
} sample;

typedef struct {
  int count;
  sample at[60000];
} cloud;

enum { CELLS = 40 };
static const double GAUSS[2] = {0.21132486540518712, 0.78867513459481288};

// Two-point Gauss in each direction of CELLS^2 cells: exact for cubics in each cell.
static inline void add_block(cloud *c, double y0, double y1, double z0, double z1) {
  const double h = (y1 - y0) / CELLS, k = (z1 - z0) / CELLS;
  for (int n = 0; n < 4 * CELLS * CELLS; n++) {
    const int i = n / 4 / CELLS, j = n / 4 % CELLS;
    c->at[c->count++] = (sample){y0 + h * (i + GAUSS[n & 1]), z0 + k * (j + GAUSS[n / 2 & 1]), h * k / 4};
  }
}

static inline void add_ring(cloud *c, double a, double b) {
  const double h = (a - b) / CELLS, step = 2 * M_PI / CELLS;
  for (int n = 0; n < 2 * CELLS * CELLS; n++) {
    const double r = b + h * (n / 2 / CELLS + GAUSS[n & 1]), phi = (n / 2 % CELLS) * step;
    c->at[c->count++] = (sample){r * cos(phi), r * sin(phi), r * step * h / 2};
  }
}

// Cut at the inner faces, where the stresses jump; the middle of the nine blocks is the hole.
static inline void add_box(cloud *c, const lim_section *s) {
  const double y = s->y / 2, z = s->z / 2, t = s->size[0];
  const double ys[4] = {-y, t - y, y - t, y}, zs[4] = {-z, t - z, z - t, z};
  for (int i = 0; i < 9; i++)
    if (i != 4) add_block(c, ys[i / 3], ys[i / 3 + 1], zs[i % 3], zs[i % 3 + 1]);
}

static inline void add_i_beam(cloud *c, const lim_section *s) {
  const double y = s->y / 2, z = s->z / 2, t = s->size[1];
  add_block(c, -y, t - y, -z, z);
  add_block(c, y - t, y, -z, z);
  add_block(c, t - y, y - t, -s->size[0] / 2, s->size[0] / 2);
}

// Caller frees.
static inline cloud *cloud_of(lim_section s) {
  cloud *c = calloc(1, sizeof *c);
  assert_non_null(c);
  if (s.shape == LIM_SECTION_rectangle) add_block(c, -s.y / 2, s.y / 2, -s.z / 2, s.z / 2);
  if (s.shape == LIM_SECTION_circle) add_ring(c, s.size[0] / 2, 0);
  if (s.shape == LIM_SECTION_tube) add_ring(c, s.size[0] / 2, s.size[1] / 2);
  if (s.shape == LIM_SECTION_box) add_box(c, &s);
  if (s.shape == LIM_SECTION_i_beam) add_i_beam(c, &s);
  return c;
}

#endif
