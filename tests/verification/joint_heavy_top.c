// joint_heavy_top.c - a heavy symmetric top on a spherical joint (Landau and Lifshitz, Mechanics, section 35):
// steady precession and the period of nutation in closed form, the motion by an integration in Euler's angles
// apart from limber, and what is conserved.
#include "joint_fixture.h"

static const double MASS = 0.5, ARM = 0.08, ACROSS = 1e-3, ALONG = 8e-4, G = 9.81; // inertia about its centre
static const double SPIN = 150;                                                    // about its axis [rad/s]

#define TOP                                                                                                    \
  "limber: 1\ngravity: [0, 0, -9.81]\nlinks:\n"                                                                \
  "  - name: top\n    joint: {name: ball, type: spherical}\n"                                                  \
  "    body: {mass: 0.5, com: [0, 0, 0.08], inertia: [1e-3, 1e-3, 8e-4]}\n"                                    \
  "solver: {duration: 2 s, step: 1 ms, method: cvode, tolerance: 1e-13}\n"                                     \
  "outputs: {every: 10 ms, channels: [ball.rotation, ball.angular_velocity, momentum.angular, energy]}\n"

// Of its motion about the joint: inertia across the axis, moment of the weight, momentum about the axis.
static double across(void) { return ACROSS + MASS * ARM * ARM; }
static double weight(void) { return MASS * G * ARM; }
static double axial(void) { return ALONG * SPIN; }

// A run that begins inclined by theta, its axis carried around the vertical by `precession`.
static recorded run_top(double theta, double precession, double duration) {
  char start[200], length[60];
  snprintf(start, sizeof start, "configuration.ball={rpy: [%.17g, 0, 0], angular_velocity: [0, %.17g, %.17g]}",
           theta, precession * sin(theta), SPIN);
  snprintf(length, sizeof length, "solver.duration=%.17g", duration);
  return record_run(TOP, (const char *[]){start, length, NULL});
}

// --- steady precession ---

// I phi'^2 cos(theta) - p phi' + m g l = 0
static void axis_precesses_steadily_in_closed_form(void **state) {
  (void)state;
  const double theta = M_PI / 6, p = axial(), root = sqrt(p * p - 4 * across() * weight() * cos(theta));
  for (int fast = 0; fast < 2; fast++) {
    const double rate = (p + (fast ? root : -root)) / (2 * across() * cos(theta));
    recorded r = run_top(theta, rate, 2);
    const turning seen = turning_of(&r, "ball");
    double turn = 0, lean = 0;
    for (int i = 0; i < r.count; i++) {
      double R[9], w[3], expected[9];
      turning_at(R, w, &seen, i);
      euler_rotation(expected, rate * r.t[i], theta, (SPIN - rate * cos(theta)) * r.t[i]);
      turn = fmax(turn, turn_between(R, expected));
      lean = fmax(lean, fabs(acos(R[8]) - theta));
    }
    recorded_free(&r);
    table_head(fast ? "Fast steady precession of a heavy top, 2 s"
                    : "Slow steady precession of a heavy top, 2 s");
    table_bound("inclination changes by [rad]", lean, 1e-6, "constant");
    table_bound("error of the orientation [rad]", turn, 1e-6, "closed form");
  }
}

// --- nutation, against an integration in Euler's angles ---

enum { THETA, RATE, PHI, PSI, ANGLES };

// Lagrange's equations with the momenta p about the axis and b about the vertical.
static void top_equations(double out[ANGLES], const double y[ANGLES], double b) {
  const double s = sin(y[THETA]), c = cos(y[THETA]), p = axial(), phi = (b - p * c) / (across() * s * s);
  out[THETA] = y[RATE];
  out[RATE] = phi * phi * s * c - (p * phi - weight()) * s / across();
  out[PHI] = phi;
  out[PSI] = p / ALONG - phi * c;
}

// Gragg's midpoint rule in n parts of h.
static void midpoint_steps(double out[ANGLES], const double y[ANGLES], double b, double h, int n) {
  double old[ANGLES], now[ANGLES], rate[ANGLES];
  const double part = h / n;
  memcpy(old, y, sizeof old);
  top_equations(rate, y, b);
  for (int i = 0; i < ANGLES; i++) now[i] = y[i] + part * rate[i];
  for (int k = 1; k < n; k++) {
    top_equations(rate, now, b);
    for (int i = 0; i < ANGLES; i++) {
      const double next = old[i] + 2 * part * rate[i];
      old[i] = now[i];
      now[i] = next;
    }
  }
  top_equations(rate, now, b);
  for (int i = 0; i < ANGLES; i++) out[i] = (old[i] + now[i] + part * rate[i]) / 2;
}

// One step of twelfth order: midpoint rules extrapolated to parts of length 0 (Bulirsch and Stoer).
static void extrapolated_step(double y[ANGLES], double b, double h) {
  enum { ROWS = 6 };
  double table[ROWS][ANGLES];
  for (int k = 0; k < ROWS; k++) {
    midpoint_steps(table[k], y, b, h, 2 * (k + 1));
    for (int j = k - 1; j >= 0; j--) {
      const double ratio = (double)(k + 1) / (j + 1), factor = 1 / (ratio * ratio - 1);
      for (int i = 0; i < ANGLES; i++) table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) * factor;
    }
  }
  memcpy(y, table[0], sizeof table[0]);
}

static void advance_angles(double y[ANGLES], double b, double duration) {
  const int steps = (int)ceil(duration / 2e-3 - 1e-9);
  for (int i = 0; i < steps; i++) extrapolated_step(y, b, duration / steps);
}

// u = cos(theta): u'^2 = (a - k u)(1 - u^2) - (b - p u)^2/I^2, which at rest in theta has the root u0; of the
// others u1 the next, beyond 1 the third. Let go with phi' = 0: b = p u0 and a = k u0, so with
// c = p^2/(I^2 k) they solve 1 - u^2 = c (u0 - u).
static double nutation_period(double u0) {
  const double k = 2 * weight() / across(), c = axial() * axial() / (across() * across() * k);
  const double root = sqrt(c * c / 4 - c * u0 + 1), u1 = c / 2 - root, u2 = c / 2 + root;
  return 4 / sqrt(k * (u2 - u1)) * elliptic_k((u0 - u1) / (u2 - u1));
}

static void period_of_nutation_is_that_of_the_angles(void **state) {
  (void)state;
  const double theta = M_PI / 3, T = nutation_period(cos(theta)), b = axial() * cos(theta);
  double y[ANGLES] = {theta, 0, 0, 0}, half[ANGLES] = {theta, 0, 0, 0};
  advance_angles(y, b, 20 * T);
  advance_angles(half, b, T / 2);
  table_head("The integration in Euler's angles");
  table_bound("rate of the inclination after 20 nutations [rad/s]", y[RATE], 1e-9, "elliptic K");
  table_bound("after half a nutation [rad/s]", half[RATE], 1e-9, "elliptic K");
}

static void top_nutates_as_in_eulers_angles(void **state) {
  (void)state;
  const double theta = M_PI / 3, T = nutation_period(cos(theta)), b = axial() * cos(theta);
  recorded r = run_top(theta, 0, 20 * T);
  const turning seen = turning_of(&r, "ball");
  const double *L[3], *balance = recorded_channel(&r, "energy.balance");
  recorded_vector(L, &r, "momentum.angular");
  double y[ANGLES] = {theta, 0, 0, 0}, turn = 0, vertical = 0, along = 0, books = 0, R[9], w[3];
  for (int i = 0; i < r.count; i++) {
    double expected[9];
    if (i) advance_angles(y, b, r.t[i] - r.t[i - 1]);
    turning_at(R, w, &seen, i);
    euler_rotation(expected, y[PHI], y[THETA], y[PSI]);
    turn = fmax(turn, turn_between(R, expected));
    vertical = fmax(vertical, fabs(L[2][i] - b));
    along = fmax(along, fabs(ALONG * w[2] - axial()));
    books = fmax(books, fabs(balance[i]));
  }
  // after 20 nutations u' = (R (w x e_z))_z is 0, u'' = -theta'' sin(theta)
  const double u = R[6] * w[1] - R[7] * w[0];
  double rate[ANGLES], back[ANGLES] = {theta, 0, 0, 0};
  top_equations(rate, back, b);
  recorded_free(&r);
  table_head("A heavy top let go at 60 degrees, 20 nutations");
  table_bound("error of the orientation [rad]", turn, 1e-6, "Euler's angles, twelfth order");
  table_bound("error of the period, in parts of it", u / (rate[RATE] * sin(theta) * 20 * T), 1e-8,
              "elliptic K");
  table_bound("angular momentum about the vertical, change over it", vertical / b, 1e-9, "conserved");
  table_bound("about its axis, change over it", along / axial(), 1e-9, "conserved");
  table_bound("energy balance over the peak", books, 1e-8, "conserved");
}

// --- forces ---

// Forces and accelerations that are recorded belong to the same moment, within steps and at their ends:
// Newton's law for the centre of mass.
static void forces_are_those_of_their_moment(void **state) {
  (void)state;
  static const char *const steps[] = {"solver.step=1 ms", "solver.step=auto"};
  static const char tail[] = "xyz";
  table_head("A nutating top: force of its joint against mass times acceleration [N]");
  for (int k = 0; k < 2; k++) {
    double worst = 0;
    recorded r = record_run(
        TOP, (const char *[]){"configuration.ball={rpy: [0.5, 0, 0], angular_velocity: [0, 0, 150]}",
                              "links.top.body.tip=[0, 0, 0.08]", "solver={method: generalized-alpha}", steps[k],
                              "solver.duration=0.5",
                              "outputs={every: 5 ms, channels: [ball.force, tip.acceleration]}", NULL});
    for (int c = 0; c < 3; c++) {
      char force[20], acceleration[24];
      snprintf(force, sizeof force, "ball.force.%c", tail[c]);
      snprintf(acceleration, sizeof acceleration, "tip.acceleration.%c", tail[c]);
      const double *F = recorded_channel(&r, force), *a = recorded_channel(&r, acceleration);
      for (int i = 0; i < r.count; i++) worst = fmax(worst, fabs(F[i] - MASS * (a[i] + (c == 2 ? G : 0))));
    }
    recorded_free(&r);
    table_bound(steps[k], worst, 1e-9, "Newton");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axis_precesses_steadily_in_closed_form),
      cmocka_unit_test(period_of_nutation_is_that_of_the_angles),
      cmocka_unit_test(top_nutates_as_in_eulers_angles),
      cmocka_unit_test(forces_are_those_of_their_moment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
