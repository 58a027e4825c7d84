// stiffening_rotating_beam.c - a cantilever that spins, bending out of the plane of rotation (flap) and within
// it (lag): one floating frame with second-order displacements, and segments, which stiffen by their
// kinematics. A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang, J. Appl. Mech. 49 (1982) 197-202; lag^2
// = flap^2 - speed^2. The table is solved anew here by a power series of
//   v'''' - (W^2/2 ((1 - x^2) v')') = w^2 v,  v = v' = 0 at 0,  v'' = v''' = 0 at 1.
#include "beam_fixture.h"
#include "engine_fixture.h"
#include "unit/analysis_modes_fixture.h"

// L = rho A = EI = 1, slender and hard to stretch, so that speeds and frequencies are without dimension.
#define BLADE                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 1 GPa, nu: 0, rho: 1000}}\n"                              \
  "sections: {s: {shape: general, A: 1e-3, Iy: 1e-9, Iz: 1e-9, J: 2e-9}}\nlinks:\n  - name: arm\n"             \
  "    beam: {length: 1, section: s, material: m, element: euler-bernoulli, elements: 32}\n"

enum { SPEEDS = 6, MODES = 3 };

static const double TABLE[SPEEDS][1 + MODES] = {
    {0, 3.5160, 22.0345, 61.6972}, {1, 3.6816, 22.1810, 61.8418},   {2, 4.1373, 22.6149, 62.2732},
    {5, 6.4495, 25.4461, 65.2050}, {10, 11.2023, 33.6404, 74.6493}, {12, 13.1702, 37.6031, 79.6145}};

static double lag_of(double flap, double speed) { return sqrt(flap * flap - speed * speed); }

// --- the table ---

// Second and third derivative at the tip of the solution that begins with x^first.
static void series(double out[2], int first, double w, double W) {
  enum { TERMS = 160 };
  double a[TERMS + 4] = {0};
  a[first] = 1;
  for (int n = 0; n < TERMS; n++) {
    double inertia = w * w * a[n], pull = W * W / 2 * ((n + 2.0) * (n + 1) * a[n + 2] - n * (n + 1.0) * a[n]);
    a[n + 4] = (inertia + pull) / ((n + 4.0) * (n + 3) * (n + 2) * (n + 1));
  }
  out[0] = out[1] = 0;
  for (int n = 2; n < TERMS + 4; n++) {
    out[0] += n * (n - 1.0) * a[n];
    out[1] += n * (n - 1.0) * (n - 2) * a[n];
  }
}

static double free_tip(double w, const void *speed) {
  double a[2], b[2], W = *(const double *)speed;
  series(a, 2, w, W);
  series(b, 3, w, W);
  return a[0] * b[1] - b[0] * a[1];
}

static void power_series_gives_the_published_table(void **state) {
  (void)state;
  table_head("flap frequencies of a cantilever that spins at W, by a power series");
  for (int i = 0; i < SPEEDS; i++)
    for (int k = 0; k < MODES; k++) {
      char what[80];
      snprintf(what, sizeof what, "W = %g, mode %d", TABLE[i][0], k + 1);
      table_row(what, root(free_tip, &TABLE[i][0], k), TABLE[i][1 + k], 5e-5, "Wright 1982");
    }
}

// --- by `modes` ---

// set: up to the first NULL; stride: of the speeds. Modes come as lag, flap, lag, flap ...
static void frequencies_match(const char *name, int stride, const char *const *set) {
  char title[120];
  snprintf(title, sizeof title, "%s: frequencies at the speed W, by `modes`", name);
  table_head(title);
  for (int i = SPEEDS - 1; i >= 0; i -= stride) {
    char text[1000];
    snprintf(text, sizeof text, BLADE "configuration: {arm: {velocity: %.12g}}\n", TABLE[i][0]);
    vibes v = {.model = model_of(text, set)};
    lim_error err = {0};
    if (lim_modes_new(&v.m, v.model, NULL, LIM_JOINTS_LOCKED, 2 * MODES, &err) != LIM_OK)
      fail_msg("%s", err.note[0].text);
    for (int k = 0; k < MODES; k++) {
      char what[80];
      double flap = TABLE[i][1 + k];
      snprintf(what, sizeof what, "W = %g, flap %d", TABLE[i][0], k + 1);
      table_row(what, 2 * PI * hertz(v, 2 * k + 1), flap, 5e-3, "Wright 1982");
      snprintf(what, sizeof what, "W = %g, lag %d", TABLE[i][0], k + 1);
      table_row(what, 2 * PI * hertz(v, 2 * k), lag_of(flap, TABLE[i][0]), 5e-3, "flap and speed");
    }
    vibes_free(v);
  }
}

static void one_stiffened_frame_has_the_frequencies_of_a_spinning_beam(void **state) {
  (void)state;
  frequencies_match("full basis", 1, NULL);
  frequencies_match("14 cantilever modes", 1,
                    (const char *[]){"links.arm.basis={type: modes, count: 14}", NULL});
  frequencies_match("craig-bampton, 8 modes", 1,
                    (const char *[]){"links.arm.basis={type: craig-bampton, count: 8}", NULL});
  frequencies_match("full basis, about the stretched beam", 1,
                    (const char *[]){"solver.start=equilibrium", NULL});
}

static void segments_have_the_frequencies_of_a_spinning_beam(void **state) {
  (void)state;
  frequencies_match("8 segments, stiffened", 1, (const char *[]){"links.arm.beam.segments=8", NULL});
  frequencies_match(
      "4 segments of 4 modes beside those of their ends", 1,
      (const char *[]){"links.arm.beam.segments=4", "links.arm.basis={type: modes, count: 4}", NULL});
  frequencies_match("64 segments, by their kinematics alone", 3, // the longest
                    (const char *[]){"links.arm.beam.elements=64", "links.arm.beam.segments=64",
                                     "solver.stiffening=off", "solver.start=equilibrium", NULL});
}

// Without stiffening the lag frequency falls with the speed, and is imaginary above the first frequency at
// rest.
static void without_stiffening_a_spinning_beam_is_unstable(void **state) {
  (void)state;
  static const double speed[] = {2, 3.4, 5};
  table_head("full basis, stiffening off: lag^2 = 3.5160^2 - W^2, unstable above W = 3.516");
  for (int i = 0; i < 3; i++) {
    char text[1000], what[80];
    snprintf(text, sizeof text, BLADE "configuration: {arm: {velocity: %g}}\nsolver: {stiffening: off}\n",
             speed[i]);
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 2);
    snprintf(what, sizeof what, "W = %g", speed[i]);
    if (speed[i] < 3.516) table_row(what, 2 * PI * hertz(v, 0), lag_of(3.51602, speed[i]), 1e-3, "closed form");
    assert_int_equal(v.m->unstable > 0, speed[i] > 3.516);
    vibes_free(v);
  }
}

// --- by `simulate` ---

enum { RECORDS = 20000 };

typedef struct {
  double begin; // free vibration from here on
  int n;
  double t[RECORDS], x[2][RECORDS]; // of the tip in the axes of the hub: lag, flap
} trace;

static void keep(void *user, const lim_snapshot *m) {
  trace *r = user;
  if (m->t < r->begin || r->n == RECORDS) return;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  const double *R = m->body[0].R;
  r->t[r->n] = m->t;
  for (int k = 0; k < 2; k++) {
    r->x[k][r->n] = 0;
    for (int i = 0; i < 3; i++) r->x[k][r->n] += R[3 * i + 1 + k] * (tip.p[i] - m->body[0].p[i]);
  }
  r->n++;
}

// Size of the part of frequency w in a record, through a window that keeps neighbours apart.
static double part(const trace *r, int axis, double w) {
  double c = 0, s = 0, span = r->t[r->n - 1] - r->t[0];
  for (int i = 0; i < r->n; i++) {
    double window = 0.5 - 0.5 * cos(2 * PI * (r->t[i] - r->t[0]) / span);
    c += window * r->x[axis][i] * cos(w * r->t[i]);
    s += window * r->x[axis][i] * sin(w * r->t[i]);
  }
  return c * c + s * s;
}

// The frequency between low and high at which the part is largest: a walk, then thirds.
static double strongest(const trace *r, int axis, double low, double high) {
  double best = low, max = 0, step = (high - low) / 100;
  for (int i = 0; i <= 100; i++) {
    double here = part(r, axis, low + i * step);
    if (here > max) best = low + i * step;
    max = fmax(max, here);
  }
  low = best - step;
  high = best + step;
  for (int i = 0; i < 20; i++) { // to 1e-6 of the width
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (part(r, axis, a) < part(r, axis, b))
      low = a;
    else
      high = b;
  }
  return (low + high) / 2;
}

// A tip force of half a sine along y and z of the beam leaves it vibrating, mostly in its first modes.
static void vibration_matches(const char *name, int stride, const char *const *set) {
  static const int rows[] = {1, 2, 3, 5};
  char title[120];
  snprintf(title, sizeof title, "%s: frequencies of small vibrations about steady spin, by `simulate`", name);
  table_head(title);
  for (int i = 3; i >= 0; i -= stride) {
    const double *row = TABLE[rows[i]];
    double lag = lag_of(row[1], row[0]), pulse = 2.5 / row[1], end = pulse + 10 * 2 * PI / lag;
    char text[1500], what[80];
    snprintf(text, sizeof text,
             BLADE "motion: {arm: {profile: speed, value: %.12g}}\n"
                   "loads: [{at: tip, force: [0, 0.01, 0.01], axes: link, "
                   "factor: {profile: harmonic, amplitude: 1, frequency: %.12g, duration: %.12g}}]\n"
                   "solver: {duration: %.12g, step: %.12g, start: equilibrium}\n",
             row[0], 0.5 / pulse, pulse, end, 0.008); // 60 steps of the shortest period: 1e-3 of it
    trace *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->begin = pulse;
    observation o = {.watch = keep, .user = r};
    observe(&o, text, set);
    assert_true(r->n > 100);
    snprintf(what, sizeof what, "W = %g, lag 1", row[0]);
    table_row(what, strongest(r, 0, 0.8 * lag, 1.2 * lag), lag, 5e-3, "flap and speed");
    snprintf(what, sizeof what, "W = %g, flap 1", row[0]);
    table_row(what, strongest(r, 1, 0.8 * row[1], 1.2 * row[1]), row[1], 5e-3, "Wright 1982");
    free(r);
  }
}

static void stiffened_frame_vibrates_about_steady_spin_as_published(void **state) {
  (void)state;
  vibration_matches("full basis, 8 elements", 1, (const char *[]){"links.arm.beam.elements=8", NULL});
  vibration_matches("12 cantilever modes", 1,
                    (const char *[]){"links.arm.basis={type: modes, count: 12}", NULL});
  vibration_matches("craig-bampton, 8 modes", 1,
                    (const char *[]){"links.arm.basis={type: craig-bampton, count: 8}", NULL});
}

static void segments_vibrate_about_steady_spin_as_published(void **state) {
  (void)state;
  vibration_matches("4 segments, stiffened", 1,
                    (const char *[]){"links.arm.beam.elements=8", "links.arm.beam.segments=4", NULL});
  vibration_matches("64 segments, by their kinematics alone", 2, // the longest
                    (const char *[]){"links.arm.beam.elements=64", "links.arm.beam.segments=64",
                                     "solver.stiffening=off", NULL});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_series_gives_the_published_table),
      cmocka_unit_test(one_stiffened_frame_has_the_frequencies_of_a_spinning_beam),
      cmocka_unit_test(segments_have_the_frequencies_of_a_spinning_beam),
      cmocka_unit_test(without_stiffening_a_spinning_beam_is_unstable),
      cmocka_unit_test(stiffened_frame_vibrates_about_steady_spin_as_published),
      cmocka_unit_test(segments_vibrate_about_steady_spin_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
