// analysis_hanging_beam.c - vibrations of a beam that hangs under its own weight, or stands, with a tip load,
// from a beam without gravity to a chain: `modes` with start: equilibrium against the power series of
//   v'''' - (n v')' = b v,  n = t + g (1 - x),  x in 0..1,
// g = rho A gravity L^3/EI, t = (tip load) L^2/EI (tension positive), b = omega^2 rho A L^4/EI.
#include "beam_fixture.h"
#include "unit/analysis_fixture.h"

enum { TERMS = 160 };

typedef struct {
  double weight, tip; // g, t
  bool pinned;        // at the root, else clamped
} column;

// v'' and v''' - t v' at x = 1, of the solution whose coefficients of the first four powers are start[].
static void tip_of(long double out[2], const column *c, long double b, const long double start[4]) {
  long double a[TERMS + 4];
  memcpy(a, start, 4 * sizeof *a);
  out[0] = out[1] = 0;
  for (int k = 0; k < TERMS; k++)
    a[k + 4] = (((long double)c->tip + c->weight) * (k + 2) * (k + 1) * a[k + 2] -
                (long double)c->weight * (k + 1) * (k + 1) * a[k + 1] + b * a[k]) /
               ((k + 4.0L) * (k + 3) * (k + 2) * (k + 1));
  for (int k = TERMS + 3; k > 0; k--) {
    out[0] += (long double)k * (k - 1) * a[k];
    out[1] += (long double)k * (k - 1) * (k - 2) * a[k] - (long double)c->tip * k * a[k];
  }
}

// 0 at an eigenvalue b.
static long double determinant(const column *c, long double b) {
  const long double first[4] = {0, c->pinned, !c->pinned, 0}, second[4] = {0, 0, 0, 1};
  long double p[2], q[2];
  tip_of(p, c, b, first);
  tip_of(q, c, b, second);
  return p[0] * q[1] - p[1] * q[0];
}

// sqrt of eigenvalue number k (from 0): a walk in steps far below the distance of the frequencies, then
// bisection.
static double frequency(const column *c, int k) {
  const long double step = 0.1L;
  for (long double w = 1e-6L; w < 1000; w += step) {
    if (determinant(c, w * w) * determinant(c, (w + step) * (w + step)) > 0) continue;
    if (k-- > 0) continue;
    long double low = w, high = w + step;
    for (int i = 0; i < 60; i++) {
      long double middle = (low + high) / 2;
      *(determinant(c, low * low) * determinant(c, middle * middle) > 0 ? &low : &high) = middle;
    }
    return (double)low;
  }
  fail_msg("no root");
  return NAN;
}

// L = 1, rho A = 1, EI = 1e-6: gravity and the tip load make g and t.
static vibes beam(const column *c) {
  char text[1000];
  snprintf(text, sizeof text,
           "limber: 1\ngravity: [%.15g, 0, 0]\nplanar: xy\nmaterials: {m: {E: 1 MPa, rho: 1000}}\n"
           "sections: {s: {shape: general, A: 1e-3, Iy: 1e-12, Iz: 1e-12}}\n"
           "links: [{name: arm, beam: {length: 1, section: s, material: m, elements: 100, element: "
           "euler-bernoulli}}]\n"
           "loads: [{at: tip, force: [%.15g, 0, 0]}]\nsolver: {start: equilibrium}\n",
           1e-6 * c->weight, 1e-6 * c->tip);
  return vibes_of(text, c->pinned ? LIM_JOINTS_FREE : LIM_JOINTS_LOCKED, 3);
}

static void compare(column c) {
  vibes v = beam(&c);
  for (int i = 0; i < 3; i++) {
    char what[100];
    snprintf(what, sizeof what, "%s, weight %g, tip load %g, mode %d", c.pinned ? "pinned" : "clamped",
             c.weight, c.tip, i + 1);
    double omega = 2 * PI * hertz(v, i) * 1e3; // sqrt(rho A L^4/EI) = 1000 s
    table_row(what, omega, frequency(&c, i), 1e-6, "power series");
  }
  vibes_free(v);
}

static void beam_under_its_weight_matches_power_series(void **state) {
  (void)state;
  table_head("omega sqrt(rho A L^4/EI) of a beam under its own weight (hanging: positive) and a tip load");
  const column rows[] = {{0, 0, false},  {10, 0, false}, {100, 0, false}, {-7, 0, false}, {0, 20, false},
                         {0, -2, false}, {30, 5, false}, {10, 0, true},   {100, 0, true}, {0, 20, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) compare(rows[i]);
}

// A chain: J0(2 omega sqrt(L/gravity)) = 0. The first bending stiffness correction is of order 1/sqrt(g).
static void slender_beam_tends_to_the_hanging_chain(void **state) {
  (void)state;
  table_head("omega sqrt(L/gravity) of a pinned hanging beam, against the chain's");
  const double zero[3] = {2.404825557695773, 5.520078110286311, 8.653727912911012}; // of J0
  for (int i = 0; i < 3; i++) {
    column c = {.weight = 1e6, .pinned = true};
    vibes v = beam(&c);
    char what[60];
    snprintf(what, sizeof what, "weight 1e6, mode %d", i + 1);
    table_row(what, 2 * PI * hertz(v, i), zero[i] / 2, 2e-3 * (i + 1), "J0");
    vibes_free(v);
  }
}

// Greenhill: a column clamped below buckles under its own weight at g = 7.8373.
static void standing_column_buckles_at_greenhills_weight(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    column c = {.weight = -7.837347 * (i ? 1.0001 : 0.9999)};
    vibes v = beam(&c);
    assert_int_equal(v.m->unstable, i);
    vibes_free(v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beam_under_its_weight_matches_power_series),
      cmocka_unit_test(slender_beam_tends_to_the_hanging_chain),
      cmocka_unit_test(standing_column_buckles_at_greenhills_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
