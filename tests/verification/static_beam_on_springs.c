// static_beam_on_springs.c - a beam that floats on two springs at its ends, and one that floats freely: sag and
// frequencies of the rigid bar by two equations, of Euler-Bernoulli's beam by its closed forms and by the roots
// of the determinant of its four conditions.
#include "loop_fixture.h"
#include "table_fixture.h"

static const double G = 9.81, LENGTH = 2, B = 0.02, LINE = 8000 * 4e-4, EI = 200e9 * 1.6e-7 / 12;

#define BEAM(more, basis)                                                                                      \
  "limber: 1\nplanar: xz\nmaterials: {steel: {E: 200 GPa, nu: 0.3, rho: 8000}}\n"                              \
  "sections: {s: {shape: rectangle, y: 20 mm, z: 20 mm}}\nlinks:\n"                                            \
  "  - {name: beam, joint: {name: float, type: free}, beam: {length: 2, section: s, material: steel, "         \
  "element: "                                                                                                  \
  "euler-bernoulli, rotary: off" more "}" basis "}\n"
#define ENDS(one, two)                                                                                         \
  "frames: [{name: far, on: base, xyz: [2, 0, 0]}, {name: mid, on: beam, at: 0.5}]\nbushings:\n"               \
  "  - {name: one, between: [beam.base, base], stiffness: [300, 0, " one ", 0, 0, 0]}\n"                       \
  "  - {name: two, between: [beam.tip, far], stiffness: [300, 0, " two ", 0, 0, 0]}\n"
#define REST       "solver: {start: equilibrium}\n"
#define WEIGHTLESS "gravity: [0, 0, 0]\n"

static const lim_static_frame *frame(const lim_static *x, const char *name) {
  for (int i = 0; i < x->frames.count; i++)
    if (!strcmp(x->frames.item[i].name, name)) return &x->frames.item[i];
  fail_msg("no frame '%s'", name);
  return NULL;
}

// --- a rigid bar ---

// Ends at (x1, z1) and (x2, z2), the bar at the angle a below the level; springs 300 along, k1, k2 upright.
// Along, both ends lack the same: x1 = L (1 - cos a)/2. The potential does not change with z1: k1 z1 + k2 z2 =
// -m g, where z2 = z1 - L sin a; nor with a: (k1 z1 - k2 z2) cos a + 300 L (1 - cos a) sin a = 0.
static double bar_moment(double a) {
  const double k1 = 300, k2 = 150, weight = LINE * LENGTH * G;
  const double z1 = (-weight + k2 * LENGTH * sin(a)) / (k1 + k2), z2 = z1 - LENGTH * sin(a);
  return (k1 * z1 - k2 * z2) * cos(a) + 300 * LENGTH * (1 - cos(a)) * sin(a);
}

static double root_between(double f(double), double a, double b) {
  assert_true(f(a) * f(b) < 0);
  for (int i = 0; i < 200; i++) {
    double c = (a + b) / 2;
    *(f(a) * f(c) > 0 ? &a : &b) = c;
  }
  return a;
}

static void rigid_bar_sags_far(void **state) {
  (void)state;
  lim_model *m = parse(BEAM("", ", basis: rigid") ENDS("300", "150"));
  lim_static *x = static_of(m);
  const double a = root_between(bar_moment, 0, 1), weight = LINE * LENGTH * G;
  const double z1 = (-weight + 150 * LENGTH * sin(a)) / 450;
  table_head("A rigid bar of 2 m on two springs, one of them soft");
  table_row("angle [rad]", frame(x, "tip")->rotation[1], a, 1e-11, "two equations");
  table_row("stiff end [m]", frame(x, "beam.base")->displacement[2], z1, 1e-11, "two equations");
  table_row("soft end [m]", frame(x, "tip")->displacement[2], z1 - LENGTH * sin(a), 1e-11, "two equations");
  table_row("stiff end, along [m]", frame(x, "beam.base")->displacement[0], LENGTH * (1 - cos(a)) / 2, 1e-10,
            "both ends alike");
  lim_static_free(x);
  lim_model_free(m);
}

// [k1 + k2, (k2 - k1) L/2; (k2 - k1) L/2, (k1 + k2) L^2/4] against m, m L^2/12.
static void rigid_bar_heaves_and_pitches(void **state) {
  (void)state;
  lim_model *m = parse(WEIGHTLESS BEAM("", ", basis: rigid") ENDS("300", "150") REST);
  lim_modes *v = modes_of(m, LIM_JOINTS_DEFAULT, 3);
  const double mass = LINE * LENGTH, J = mass * LENGTH * LENGTH / 12, a = 450 / mass, c = -75 * LENGTH,
               d = 450 * LENGTH * LENGTH / 4 / J, off = c * c / (mass * J);
  const double low = (a + d) / 2 - sqrt((a - d) * (a - d) / 4 + off),
               high = (a + d) / 2 + sqrt((a - d) * (a - d) / 4 + off);
  table_head("A rigid bar on two springs");
  table_row("heave [Hz]", v->modes.item[0].frequency, sqrt(low) / (2 * M_PI), 1e-10, "2 x 2");
  table_row("along [Hz]", v->modes.item[1].frequency, sqrt(600 / mass) / (2 * M_PI), 1e-10, "sqrt(2 k/m)");
  table_row("pitch [Hz]", v->modes.item[2].frequency, sqrt(high) / (2 * M_PI), 1e-10, "2 x 2");
  assert_int_equal(v->rigid, 0);
  lim_modes_free(v);
  lim_model_free(m);
}

// --- a flexible beam ---

static void flexible_beam_sags(void **state) {
  (void)state;
  lim_model *m = parse(BEAM(", elements: 8", "") ENDS("3e3", "3e3") "solver: {geometry: linear}\n"),
            *far = parse(BEAM(", elements: 8", "") ENDS("3e3", "3e3"));
  lim_static *x = static_of(m), *y = static_of(far);
  const double q = LINE * G, end = -q * LENGTH / 2 / 3e3, mid = end - 5 * q * pow(LENGTH, 4) / (384 * EI),
               stress = q * LENGTH * LENGTH / 8 * (B / 2) / (pow(B, 4) / 12);
  table_head("A flexible beam on two springs under its weight");
  table_row("ends, to first order [m]", frame(x, "tip")->displacement[2], end, 1e-9, "q L/2k");
  table_row("middle, to first order [m]", frame(x, "mid")->displacement[2], mid, 1e-9, "and 5 q L^4/384 EI");
  table_row("stress, to first order [Pa]", x->links.item[0].stress, stress, 1e-8, "q L^2/8 W");
  table_row("slope of the end [rad]", frame(x, "beam.base")->rotation[1], q * pow(LENGTH, 3) / (24 * EI), 1e-9,
            "q L^3/24 EI");
  table_row("ends [m]", frame(y, "tip")->displacement[2], end, 1e-4, "q L/2k");
  table_row("middle [m]", frame(y, "mid")->displacement[2], mid, 1e-3, "and 5 q L^4/384 EI");
  lim_static_free(x);
  lim_static_free(y);
  lim_model_free(m);
  lim_model_free(far);
}

// w = A sin + B cos + C sinh + B cosh of bx: no moment at 0. There EI w''' = -k w; at the other end w'' = 0 and
// EI w''' = k w. y: b L.
static double on_springs(double y) {
  const double k = 3e3 * pow(LENGTH / y, 3) / EI, s = sin(y), c = cos(y), sh = sinh(y), ch = cosh(y);
  const double a[3][3] = {{-1, 2 * k, 1}, {-s, ch - c, sh}, {c + k * s, -s - sh + k * (c + ch), -ch + k * sh}};
  return (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
          a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
          a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])) /
         (ch * ch);
}

// Root number n of it, from 0.
static double root_number(int n) {
  const double h = 1e-3;
  for (double y = 0.3; y < 40; y += h)
    if (on_springs(y) * on_springs(y + h) < 0 && n-- == 0) return root_between(on_springs, y, y + h);
  fail_msg("no root");
  return NAN;
}

static double hertz_of(double y) { return y * y / (LENGTH * LENGTH) * sqrt(EI / LINE) / (2 * M_PI); }

// The bending mode number n of an answer, from 0: what moves along is at sqrt(2 k/m).
static double bending(const lim_modes *v, int n) {
  const double along = sqrt(600 / (LINE * LENGTH)) / (2 * M_PI);
  for (int i = 0; i < v->modes.count; i++)
    if (fabs(v->modes.item[i].frequency / along - 1) > 1e-3 && n-- == 0) return v->modes.item[i].frequency;
  fail_msg("no mode");
  return NAN;
}

static void flexible_beam_on_springs_vibrates(void **state) {
  (void)state;
  lim_model *m = parse(WEIGHTLESS BEAM(", elements: 60", "") ENDS("3e3", "3e3") REST);
  lim_modes *v = modes_of(m, LIM_JOINTS_DEFAULT, 6);
  table_head("A flexible beam on two springs");
  for (int i = 0; i < 5; i++) {
    char what[32];
    snprintf(what, sizeof what, "mode %d [Hz]", i + 1);
    table_row(what, bending(v, i), hertz_of(root_number(i)), 1e-6, "determinant");
  }
  assert_int_equal(v->rigid, 0);
  lim_modes_free(v);
  lim_model_free(m);
}

static void free_beam_has_the_roots_of_the_textbook(void **state) {
  (void)state;
  static const double roots[] = {4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464};
  lim_model *m = parse(WEIGHTLESS BEAM(", elements: 100", "")),
            *space = parse_with(WEIGHTLESS BEAM(", elements: 100", ""), (const char *const[]){"planar=no"}, 1);
  lim_modes *v = modes_of(m, LIM_JOINTS_DEFAULT, 4), *w = modes_of(space, LIM_JOINTS_DEFAULT, 8);
  table_head("A flexible beam that nothing holds");
  for (int i = 0; i < 4; i++) {
    char what[32];
    snprintf(what, sizeof what, "mode %d [Hz]", i + 1);
    table_row(what, v->modes.item[i].frequency, hertz_of(roots[i]), 1e-6, "cos cosh = 1");
  }
  for (int i = 0; i < 4; i++) // a square section bends alike both ways
    table_row("in space [Hz]", w->modes.item[i].frequency, hertz_of(roots[i / 2]), 1e-6, "cos cosh = 1");
  assert_int_equal(v->rigid, 3);
  assert_int_equal(w->rigid, 6);
  lim_modes_free(v);
  lim_modes_free(w);
  lim_model_free(m);
  lim_model_free(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_bar_sags_far),
      cmocka_unit_test(rigid_bar_heaves_and_pitches),
      cmocka_unit_test(flexible_beam_sags),
      cmocka_unit_test(flexible_beam_on_springs_vibrates),
      cmocka_unit_test(free_beam_has_the_roots_of_the_textbook),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
