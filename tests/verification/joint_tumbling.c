// joint_tumbling.c - a body that tumbles without torque against Jacobi's elliptic functions (Landau and
// Lifshitz, Mechanics, section 37): angular velocity and orientation over 100 turns, near the axis that is not
// stable too; the order of each method.
#include "joint_fixture.h"

#include "math/gauss.h"

// --- the closed form ---

// Principal moments I1 < I2 < I3 [kg m^2].
static const double I[3] = {0.02, 0.03, 0.04};

// A tumbling body that begins with omega_2 = 0 about the axes 1 and 3; `around` is that of the two about which
// the angular velocity goes: 2 where L^2 > 2 E I2, else 0.
typedef struct {
  double size[3]; // of omega
  double rate, m; // tau = rate t
  double L;
  int around;
  double to_world[9]; // axes with z along L, in the world
} tumbling;

static void tumbling_speed(double w[3], const tumbling *x, double t) {
  double sn, cn, dn;
  elliptic(&sn, &cn, &dn, x->rate * t, x->m);
  w[x->around] = x->size[x->around] * dn;
  w[1] = x->size[1] * sn;
  w[2 - x->around] = x->size[2 - x->around] * cn;
}

// Angles psi and theta of the body against L, and the rate of phi about it.
static double tumbling_angles(double angle[2], const tumbling *x, double t) {
  double w[3], l[3];
  tumbling_speed(w, x, t);
  for (int k = 0; k < 3; k++) l[k] = I[k] * w[k];
  angle[0] = atan2(l[0], l[1]);
  angle[1] = atan2(hypot(l[0], l[1]), l[2]);
  return x->L * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1]) / (l[0] * l[0] + l[1] * l[1]);
}

static void tumbling_rotation(double R[9], const tumbling *x, double phi, double t) {
  double angle[2], local[9];
  tumbling_angles(angle, x, t);
  euler_rotation(local, phi, angle[1], angle[0]);
  lim_mat3_product(R, x->to_world, local);
}

// Begins in the orientation R0 with the angular velocity (a, 0, c) in the body's axes, both positive.
static tumbling tumble(double a, double c, const double R0[9]) {
  const double E2 = I[0] * a * a + I[2] * c * c, L2 = I[0] * I[0] * a * a + I[2] * I[2] * c * c;
  const int around = L2 > E2 * I[1] ? 2 : 0, other = 2 - around;
  const double dn = fabs(L2 - E2 * I[other]), cn = fabs(E2 * I[around] - L2), far = fabs(I[around] - I[1]),
               near = fabs(I[1] - I[other]);
  tumbling x = {.around = around, .L = sqrt(L2)};
  x.size[0] = a;
  x.size[2] = c;
  x.size[1] = sqrt(cn / (I[1] * far));
  x.rate = sqrt(far * dn / (I[0] * I[1] * I[2]));
  x.m = near * cn / (far * dn);
  double local[9], angle[2];
  tumbling_angles(angle, &x, 0);
  euler_rotation(local, 0, angle[1], angle[0]);
  for (int i = 0; i < 3; i++) // to_world local = R0
    for (int j = 0; j < 3; j++) {
      x.to_world[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) x.to_world[3 * i + j] += R0[3 * i + k] * local[3 * j + k];
    }
  return x;
}

// phi goes on from t to `to`: Gauss' rule on eight parts.
static double precession(const tumbling *x, double t, double to) {
  const lim_gauss g = lim_gauss_rule(5);
  const double part = (to - t) / 8;
  double sum = 0, angle[2];
  for (int i = 0; i < 8 * g.n; i++)
    sum += part * g.w[i % g.n] * tumbling_angles(angle, x, t + part * (i / g.n + g.s[i % g.n]));
  return sum;
}

// --- checks of the closed form ---

static void elliptic_functions_keep_their_identities(void **state) {
  (void)state;
  double worst[3] = {0};
  unsigned seed = 7;
  for (int i = 0; i < 2000; i++) {
    const double m = 0.5 + 0.4999 * noise(&seed), u = 10 * noise(&seed), v = 3 * noise(&seed);
    double s[3], c[3], d[3], half, cn, dn;
    elliptic(&s[0], &c[0], &d[0], u, m);
    elliptic(&s[1], &c[1], &d[1], v, m);
    elliptic(&s[2], &c[2], &d[2], u + v, m);
    elliptic(&half, &cn, &dn, elliptic_k(m) / 2, m);
    const double over = 1 - m * s[0] * s[0] * s[1] * s[1];
    worst[0] = fmax(worst[0], fabs(s[2] * over - s[0] * c[1] * d[1] - s[1] * c[0] * d[0]));
    worst[1] = fmax(worst[1], fabs(d[2] * over - d[0] * d[1] + m * s[0] * s[1] * c[0] * c[1]));
    worst[2] = fmax(worst[2], fabs(half * half * (1 + sqrt(1 - m)) - 1));
  }
  table_head("Jacobi's functions, 2000 random arguments");
  table_bound("addition theorem of sn", worst[0], 1e-12, "Abramowitz and Stegun 16.17");
  table_bound("addition theorem of dn", worst[1], 1e-12, "Abramowitz and Stegun 16.17");
  table_bound("sn(K/2)", worst[2], 1e-12, "Abramowitz and Stegun 16.5");
}

// Differences of the closed form against Euler's equations, and of its orientation against its angular
// velocity: fourth order.
static void closed_form_solves_eulers_equations(void **state) {
  (void)state;
  static const double weight[2] = {8.0 / 12, -1.0 / 12}, start[3][2] = {{2, 5}, {4, 1}, {3, 2.2}};
  const double h = 1e-3, R0[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double euler = 0, poisson = 0;
  for (int n = 0; n < 3; n++) {
    const tumbling x = tumble(start[n][0], start[n][1], R0);
    for (double t = 0.1; t < 10; t += 0.37) {
      double w[3], side[3], rate[3] = {0}, R[9], spin[3] = {0};
      tumbling_speed(w, &x, t);
      tumbling_rotation(R, &x, 0, t);
      for (int k = -2; k <= 2; k++) {
        if (k == 0) continue;
        double Q[9], D[9], turn[3], factor = (k > 0 ? 1 : -1) * weight[abs(k) - 1] / h;
        tumbling_speed(side, &x, t + k * h);
        tumbling_rotation(Q, &x, precession(&x, t, t + k * h), t + k * h);
        for (int i = 0; i < 9; i++)
          D[i] = R[i / 3] * Q[i % 3] + R[3 + i / 3] * Q[3 + i % 3] + R[6 + i / 3] * Q[6 + i % 3];
        lim_rotation_vector(turn, D);
        lim_add(rate, factor, side);
        lim_add(spin, factor, turn);
      }
      for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        euler = fmax(euler, fabs(I[i] * rate[i] - (I[j] - I[k]) * w[j] * w[k]));
        poisson = fmax(poisson, fabs(spin[i] - w[i]));
      }
    }
  }
  table_head("The closed form");
  table_bound("Euler's equations [N m]", euler, 1e-10, "differences of fourth order");
  table_bound("rate of the orientation [rad/s]", poisson, 1e-9, "differences of fourth order");
}

// --- runs ---

#define BODY(type)                                                                                             \
  "limber: 1\ngravity: [0, 0, 0]\nlinks:\n"                                                                    \
  "  - {name: body, joint: {name: ball, type: " type "}, body: {mass: 0.7, inertia: [0.02, 0.03, 0.04]}}\n"    \
  "solver: {duration: 105 s, step: 1 ms, method: cvode, tolerance: 1e-13}\n"                                   \
  "outputs: {every: 50 ms, channels: [ball.rotation, ball.angular_velocity]}\n"

typedef struct {
  double speed, turn; // largest errors [rad/s], [rad]
  double turns;       // about L
} comparison;

// A run that begins with (a, 0, c) rad/s.
static comparison compare(const char *text, double a, double c, const char *const *more) {
  static const double rpy[3] = {0.3, -0.4, 0.5};
  const char *set[10];
  char start[200];
  int n = 0;
  snprintf(start, sizeof start, "configuration.ball={rpy: [%g, %g, %g], angular_velocity: [%.17g, 0, %.17g]}",
           rpy[0], rpy[1], rpy[2], a, c);
  set[n++] = start;
  while (more && *more) set[n++] = *more++;
  set[n] = NULL;
  recorded r = record_run(text, set);
  const turning seen = turning_of(&r, "ball");
  double R0[9], phi = 0;
  rpy_rotation(R0, rpy);
  const tumbling x = tumble(a, c, R0);
  comparison out = {0};
  for (int i = 0; i < r.count; i++) {
    double R[9], w[3], expected[9], speed[3];
    if (i) phi += precession(&x, r.t[i - 1], r.t[i]);
    turning_at(R, w, &seen, i);
    tumbling_speed(speed, &x, r.t[i]);
    tumbling_rotation(expected, &x, phi, r.t[i]);
    for (int k = 0; k < 3; k++) out.speed = fmax(out.speed, fabs(w[k] - speed[k]));
    out.turn = fmax(out.turn, turn_between(R, expected));
  }
  out.turns = phi / (2 * M_PI);
  recorded_free(&r);
  return out;
}

static void body_tumbles_for_a_hundred_turns(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    double a, c;
  } rows[] = {{"free, about the axis of most inertia", BODY("free"), 2, 5},
              {"free, about the axis of least inertia", BODY("free"), 6, 1},
              {"spherical, about the axis of most inertia", BODY("spherical"), 2, 5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const comparison x = compare(rows[i].text, rows[i].a, rows[i].c, NULL);
    table_head(rows[i].name);
    assert_true(x.turns >= 100);
    table_bound("cvode: largest error of the orientation [rad]", x.turn, 1e-6, "elliptic functions");
    table_bound("cvode: of the angular velocity [rad/s]", x.speed, 1e-6, "elliptic functions");
  }
}

// About the middle axis a body turns over again and again: of what it begins with, differences grow by e each
// 1/(w sqrt((I3 - I2)(I2 - I1)/(I1 I3))).
static void body_turns_over_about_its_middle_axis(void **state) {
  (void)state;
  // L^2 = 2 E I2 nearly: (a, c) with I1 (I2 - I1) a^2 = I3 (I3 - I2) c^2 beside 1 %
  const double c = 3, a = 1.01 * c * sqrt(I[2] * (I[2] - I[1]) / (I[0] * (I[1] - I[0])));
  const comparison x = compare(BODY("free"), a, c, (const char *[]){"solver.duration=20 s", NULL});
  table_head("Turning over about the middle axis, 20 s");
  table_bound("cvode: largest error of the orientation [rad]", x.turn, 1e-6, "elliptic functions");
}

static void methods_have_their_order(void **state) {
  (void)state;
  static const struct {
    const char *name, *set;
    double ratio, tolerance;
  } rows[] = {{"newmark", "solver.method=newmark", 4, 0.05},
              {"generalized-alpha", "solver.method=generalized-alpha", 4, 0.05},
              {"rk4", "solver.method=rk4", 16, 0.1}};
  table_head("Tumbling for 5 s: error of the orientation at 4 ms over that at 2 ms");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    comparison x[2];
    for (int k = 0; k < 2; k++)
      x[k] = compare(BODY("free"), 2, 5,
                     (const char *[]){rows[i].set, "solver.duration=5 s", "outputs.every=100 ms",
                                      k ? "solver.step=2 ms" : "solver.step=4 ms", NULL});
    table_row(rows[i].name, x[0].turn / x[1].turn, rows[i].ratio, rows[i].tolerance, "order of the method");
  }
  const comparison x =
      compare(BODY("free"), 2, 5,
              (const char *[]){"solver.method=ida", "solver.tolerance=1e-11", "solver.duration=5 s", NULL});
  table_bound("ida: largest error of the orientation [rad]", x.turn, 1e-6, "elliptic functions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elliptic_functions_keep_their_identities),
      cmocka_unit_test(closed_form_solves_eulers_equations),
      cmocka_unit_test(body_tumbles_for_a_hundred_turns),
      cmocka_unit_test(body_turns_over_about_its_middle_axis),
      cmocka_unit_test(methods_have_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
