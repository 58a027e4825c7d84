// motion_fixture.h - trajectories from the YAML a user would write, and what every trajectory must fulfil.
#ifndef LIM_TESTS_MOTION_FIXTURE_H
#define LIM_TESTS_MOTION_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "motion/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static inline void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) {
    print_error("%.17g and %.17g differ by %g, more than %g\n", a, b, fabs(a - b), tolerance);
    fail();
  }
}

// The signal is the motion, or the effort, of joint a.
static inline lim_code try_course(lim_trajectory **out, const char *profile, lim_trajectory_setup setup,
                                  lim_error *err) {
  char text[2048];
  snprintf(text, sizeof text, "limber: 1\nlinks: [{name: a, body: {mass: 1}}]\n%s\n  %s%s\n",
           setup.motion ? "motion: {a:" : "drives: {a: {type: effort, effort:", profile,
           setup.motion ? "}" : "}}");
  lim_model *m = NULL;
  *out = NULL;
  lim_code code = lim_model_parse(&m, text, (long)strlen(text), "arm.yaml", NULL, 0, err);
  if (code != LIM_OK) return code;
  const lim_signal *s = setup.motion ? &m->motion.item[0].profile : &m->drives.item[0].effort;
  code = lim_trajectory_new(out, s, &setup, err);
  lim_model_free(m);
  return code;
}

static inline lim_trajectory *trajectory(const char *profile, lim_trajectory_setup setup) {
  lim_trajectory *c;
  lim_error err = {0};
  if (try_course(&c, profile, setup, &err) != LIM_OK) {
    print_error("%s: %s\n", profile, err.kept ? err.note[0].text : "?");
    fail();
  }
  lim_error_clear(&err);
  return c;
}

static inline lim_trajectory *motion_of(const char *profile) {
  return trajectory(profile, (lim_trajectory_setup){.motion = true, .horizon = NAN});
}

static inline lim_trajectory *value_of(const char *profile) {
  return trajectory(profile, (lim_trajectory_setup){.horizon = NAN});
}

// A profile that is refused, with a message that holds `part`; returns the line the message points to.
static inline int refused(const char *profile, lim_trajectory_setup setup, const char *part) {
  lim_trajectory *c;
  lim_error err = {0};
  assert_int_not_equal(try_course(&c, profile, setup, &err), LIM_OK);
  assert_null(c);
  assert_int_equal(err.kept, err.count);
  assert_true(err.kept >= 1);
  if (!strstr(err.note[0].text, part)) {
    print_error("'%s' does not say '%s'\n", err.note[0].text, part);
    fail();
  }
  const int line = err.note[0].line;
  lim_error_clear(&err);
  return line;
}

static inline double uniform(unsigned *seed, double lo, double hi) {
  *seed = *seed * 1664525u + 1013904223u;
  return lo + (hi - lo) * (*seed >> 8) / 16777216.0;
}

static inline double distance_to_break(const lim_trajectory *c, double t) {
  double min = INFINITY;
  for (int i = 0; i < c->nbreak; i++) min = fmin(min, fabs(t - c->breaks[i].time));
  return min;
}

// Rate and second derivative against central differences of fourth order, away from breaks. h suits the
// trajectory's time scale; the bounds are relative to the largest value met.
static inline void assert_consistent(const lim_trajectory *c, double from, double to, double h) {
  unsigned seed = 7;
  double top = 1e-300, top2 = 1e-300, error = 0, error2 = 0;
  for (int i = 0; i < 500; i++) {
    const double t = uniform(&seed, from, to);
    if (distance_to_break(c, t) < 2.5 * h) continue;
    lim_sample s[5];
    for (int k = 0; k < 5; k++) s[k] = lim_trajectory_at(c, t + (k - 2) * h);
    const double d = (8 * (s[3].value - s[1].value) - (s[4].value - s[0].value)) / (12 * h);
    const double d2 = (8 * (s[3].rate - s[1].rate) - (s[4].rate - s[0].rate)) / (12 * h);
    top = fmax(top, fabs(s[2].rate));
    top2 = fmax(top2, fabs(s[2].second));
    error = fmax(error, fabs(d - s[2].rate));
    error2 = fmax(error2, fabs(d2 - s[2].second));
  }
  assert_near(error / top, 0, 1e-7);
  assert_near(error2 / top2, 0, 1e-7);
}

// No derivative below `order` jumps anywhere, and breaks rise.
static inline void assert_smooth(const lim_trajectory *c, int order) {
  double previous = -INFINITY;
  for (int i = 0; i < c->nbreak; i++) {
    const double t = c->breaks[i].time;
    assert_true(t > previous);
    previous = t;
    assert_true(c->breaks[i].order >= order);
    const lim_sample a = lim_trajectory_before(c, t), b = lim_trajectory_at(c, t);
    assert_near(a.value, b.value, 1e-9 * (1 + fabs(b.value)));
    if (order > 1) assert_near(a.rate, b.rate, 1e-9 * (1 + fabs(b.rate)));
  }
}

#endif
