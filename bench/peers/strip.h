// strip.h - the two benchmark arms as chains of rigid segments with springs between them, for codes without
// beams; the numbers are those of models/strip-pendulum.yaml (B1) and models/strip-two-link.yaml (B2). And what
// every peer prints.
#ifndef LIM_BENCH_PEERS_STRIP_H
#define LIM_BENCH_PEERS_STRIP_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEGMENTS = 20 };

static const double SEGMENT = 1.0 / SEGMENTS;                      // [m]
static const double SEGMENT_MASS = 2700 * 5e-3 * 20e-3 / SEGMENTS; // [kg]
static const double SPRING =
    70e9 * 20e-3 * 5e-3 * 5e-3 * 5e-3 / 12 * SEGMENTS; // EI/l of the segments it joins [N m/rad]
static const double POINT_MASS = 0.1;                  // of B2 at elbow and tip [kg]

typedef struct {
  int two_link; // B2: a hinge in the middle, masses behind each half, torques; else B1: gravity
  int milliseconds, runs;
} strip_case;

static inline strip_case strip_case_of(int argc, char **argv) {
  if (argc != 4 || (strcmp(argv[1], "b1") && strcmp(argv[1], "b2"))) {
    fprintf(stderr, "usage: %s b1|b2 MILLISECONDS RUNS\n", argv[0]);
    exit(2);
  }
  strip_case c = {!strcmp(argv[1], "b2"), atoi(argv[2]), atoi(argv[3])};
  return c;
}

// A joint without spring: the first one, and the elbow.
static inline int strip_hinge(const strip_case *c, int segment) {
  return segment == 0 || (c->two_link && segment == SEGMENTS / 2);
}

// A point mass stands at the tip of this segment [kg].
static inline double strip_point_mass(const strip_case *c, int segment) {
  return c->two_link && (segment + 1) % (SEGMENTS / 2) == 0 ? POINT_MASS : 0;
}

// Mass, its centre along the segment from its base, moment of inertia about that centre.
typedef struct {
  double mass, centre, inertia;
} strip_inertia;

static inline strip_inertia strip_inertia_of(const strip_case *c, int segment) {
  double point = strip_point_mass(c, segment), mass = SEGMENT_MASS + point;
  double centre = (SEGMENT_MASS * SEGMENT / 2 + point * SEGMENT) / mass;
  double about_base = SEGMENT_MASS * SEGMENT * SEGMENT / 3 + point * SEGMENT * SEGMENT;
  strip_inertia i = {mass, centre, about_base - mass * centre * centre};
  return i;
}

// Torques of B2 at shoulder and elbow [N m].
static inline double strip_torque(int elbow, double t) {
  return (elbow ? -0.05 : 0.2) * sin(2 * 3.14159265358979323846 * t);
}

// Processor time of this thread [s].
static inline double strip_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Processor time of the best run per simulated time [us/ms]; tip at the end [m].
static inline void strip_print(double seconds, int milliseconds, double x, double y) {
  printf("%.3f %.9f %.9f\n", 1e6 * seconds / milliseconds, x, y);
}

#endif
