// stiffening_spin_up.c - the beam of T. R. Kane, R. R. Ryan, A. K. Banerjee (J. Guidance 10 (1987) 139-151)
// with the data of J. C. Simo, L. Vu-Quoc (J. Appl. Mech. 53 (1986) 849-854), spun up from rest to 6 rad/s in
// 15 s; its first frequency at rest is 3.8 rad/s. One floating frame with second-order displacements, and
// segments, against a rod of exact geometry that is solved here: its tangent turns by psi(t) + sum q_k xi^k,
// its length is constant.
#include "engine_fixture.h"

#define ROTOR                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nmaterials: {m: {E: 28 GPa, nu: 0.4, rho: 1200}}\n"               \
  "sections: {s: {shape: general, A: 1e-3, Iy: 5e-7, Iz: 5e-7, J: 1e-6, kappa: 1}}\nlinks:\n  - name: arm\n"   \
  "    beam: {length: 10, section: s, material: m, elements: 16}\n"
#define TOLD ROTOR "motion: {arm: {profile: speed, value: 6, ramp: 15}}\nsolver: {duration: 20, step: 5 ms}\n"
#define DRIVEN                                                                                                 \
  ROTOR "drives: {arm: {type: effort, effort: {profile: harmonic, amplitude: 252, frequency: "                 \
        "0.0333333333333333, "                                                                                 \
        "duration: 15}}}\nsolver: {duration: 20, step: 2 ms}\n"

static const double LENGTH = 10, EI = 1.4e4, EA = 2.8e7, RHO_A = 1.2, SPEED = 6, RAMP = 15, TORQUE = 252;

// --- the rod ---

enum { TURN = 6, PIECES = 100 }; // psi and five powers

typedef struct {
  bool driven;   // by the torque; else told where to be
  double tip[2]; // in the axes of the hub, at the last rate
} rod;

static void solve(double *A, double *b, int n) { // symmetric and positive, without pivots
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = A[i * TURN + k] / A[k * TURN + k];
      for (int j = k; j < n; j++) A[i * TURN + j] -= f * A[k * TURN + j];
      b[i] -= f * b[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k * TURN + j] * b[j];
    b[k] /= A[k * TURN + k];
  }
}

static double told_speed(double t) {
  return t < RAMP ? SPEED * (t / RAMP - sin(2 * M_PI * t / RAMP) / (2 * M_PI)) : SPEED;
}

static double told_acceleration(double t) {
  return t < RAMP ? SPEED / RAMP * (1 - cos(2 * M_PI * t / RAMP)) : 0;
}

// In axes that have the direction of the hub but do not turn: r = int (cos, sin)(theta), where theta has the
// rates of psi in it. y = psi, q_k, and their rates.
static void rate(double *dy, const double *y, double t, rod *r) {
  const double *q = y, *v = y + TURN;
  double *a = dy + TURN, A[TURN * TURN] = {0}, J[2][TURN] = {{0}}, place[2] = {0}, pull[2] = {0};
  memcpy(dy, v, TURN * sizeof *dy);
  for (int i = 0; i < TURN; i++) a[i] = 0;
  for (int p = 0; p < PIECES; p++) {
    double h = LENGTH / PIECES, xi = (p + 0.5) / PIECES, power[TURN] = {1}, theta = 0, omega = v[0];
    for (int k = 1; k < TURN; k++) {
      power[k] = power[k - 1] * xi;
      theta += power[k] * q[k];
      omega += power[k] * v[k];
    }
    double c = cos(theta), s = sin(theta), m = RHO_A * h * (p == PIECES - 1 ? 0.5 : 1);
    for (int k = 0; k < TURN; k++) {
      J[0][k] -= h * s * power[k];
      J[1][k] += h * c * power[k];
    }
    place[0] += h * c;
    place[1] += h * s;
    pull[0] -= h * c * omega * omega;
    pull[1] -= h * s * omega * omega;
    for (int i = 0; i < TURN; i++) {
      for (int j = 0; j < TURN; j++) A[i * TURN + j] += m * (J[0][i] * J[0][j] + J[1][i] * J[1][j]);
      a[i] -= m * (J[0][i] * pull[0] + J[1][i] * pull[1]);
    }
  }
  for (int i = 1; i < TURN; i++)
    for (int j = 1; j < TURN; j++) a[i] -= EI / LENGTH * i * j / (i + j - 1) * q[j];
  r->tip[0] = place[0];
  r->tip[1] = place[1];
  if (r->driven) {
    a[0] += t < RAMP ? TORQUE * sin(M_PI * t / RAMP) : 0;
  } else {
    a[0] = told_acceleration(t);
    for (int i = 1; i < TURN; i++) {
      a[i] -= A[i * TURN] * a[0];
      A[i * TURN] = A[i] = 0;
    }
    A[0] = 1;
  }
  solve(A, a, TURN);
}

enum { STEPS = 20000, EVERY = 20, SAMPLES = STEPS / EVERY + 1 };

typedef struct {
  double tip[SAMPLES][2], speed[SAMPLES], low; // every 20 ms
} history;

static void rod_history(history *h, bool driven) {
  static const double C[4] = {0, 0.5, 0.5, 1};
  const double step = 1e-3;
  rod r = {.driven = driven};
  double y[2 * TURN] = {0}, k[4][2 * TURN], at[2 * TURN];
  h->low = 0;
  for (int i = 0; i <= STEPS; i++) {
    double t = i * step;
    if (!driven) y[TURN] = told_speed(t);
    for (int s = 0; s < 4; s++) {
      for (int j = 0; j < 2 * TURN; j++) at[j] = y[j] + (s ? step * C[s] * k[s - 1][j] : 0);
      if (!driven) at[TURN] = told_speed(t + C[s] * step);
      rate(k[s], at, t + C[s] * step, &r);
      if (s > 0) continue;
      h->low = fmin(h->low, r.tip[1]);
      if (i % EVERY) continue;
      memcpy(h->tip[i / EVERY], r.tip, sizeof r.tip);
      h->speed[i / EVERY] = y[TURN];
    }
    for (int j = 0; j < 2 * TURN; j++) y[j] += step / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

// --- the engine beside it ---

typedef struct {
  const history *rod;
  double off[2], speed, low, end; // largest differences, least deflection, stretch at the end
} comparison;

static void compare(void *user, const lim_snapshot *m) {
  comparison *c = user;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  double x[2] = {0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) x[k] += m->body[0].R[3 * i + k] * tip.p[i];
  c->low = fmin(c->low, x[1]);
  c->end = x[0] - LENGTH;
  int i = (int)lround(m->t / (EVERY * 1e-3));
  if (fabs(m->t - i * EVERY * 1e-3) > 1e-9 || i >= SAMPLES) return;
  for (int k = 0; k < 2; k++) c->off[k] = fmax(c->off[k], fabs(x[k] - c->rod->tip[i][k]));
  c->speed = fmax(c->speed, fabs(m->v[m->system->bodies[0].q] - c->rod->speed[i]));
}

static const struct {
  const char *name, *set[3];
} ROWS[] = {
    {"full basis", {NULL}},
    {"full basis, 8 elements", {"links.arm.beam.elements=8"}},
    {"2 cantilever modes", {"links.arm.basis={type: modes, count: 2}"}},
    {"4 cantilever modes", {"links.arm.basis={type: modes, count: 4}"}},
    {"8 cantilever modes", {"links.arm.basis={type: modes, count: 8}"}},
    {"craig-bampton, 2 modes", {"links.arm.basis={type: craig-bampton, count: 2}"}},
    {"4 segments", {"links.arm.beam.segments=4"}},
    {"16 segments", {"links.arm.beam.segments=16"}},
    {"32 segments, by their kinematics alone",
     {"links.arm.beam.elements=32", "links.arm.beam.segments=32", "solver.stiffening=off"}},
};

static void prescribed_spin_up_converges_to_one_answer(void **state) {
  (void)state;
  static history exact;
  rod_history(&exact, false);
  table_head("Spin-up to 6 rad/s in 15 s: tip of the beam in the axes of its hub [m]");
  table_row("rod: largest deflection, backwards", -exact.low, 0.57, 0.02, "Simo, Vu-Quoc 1986, figure");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char what[80];
    comparison c = {.rod = &exact};
    observation o = {.watch = compare, .user = &c};
    observe(&o, TOLD, (const char *[]){ROWS[i].set[0], ROWS[i].set[1], ROWS[i].set[2], NULL});
    snprintf(what, sizeof what, "%s: largest", ROWS[i].name);
    table_row(what, -c.low, -exact.low, 0.01, "rod of exact geometry");
    snprintf(what, sizeof what, "%s: off, over the largest", ROWS[i].name);
    table_bound(what, c.off[1] / -exact.low, 0.01, "rod of exact geometry");
    if (i != 0) continue;
    double stretch = RHO_A * SPEED * SPEED * LENGTH * LENGTH * LENGTH / (3 * EA);
    table_row("full basis: stretch at the end", c.end, stretch, 0.01, "rho A W^2 L^3/(3 EA)");
  }
}

// Above the first frequency the frame that does not stiffen bends without end: it fails, or its tip is far
// away.
static void without_stiffening_the_spin_up_diverges(void **state) {
  (void)state;
  static const char *const basis[] = {"links.arm.basis={type: full}",
                                      "links.arm.basis={type: modes, count: 4}"};
  table_head("Spin-up to 6 rad/s in 15 s, stiffening off: largest deflection [m]");
  for (int i = 0; i < 2; i++) {
    history none = {.low = 0};
    comparison c = {.rod = &none};
    observation o = {.watch = compare, .user = &c};
    lim_error err = {0};
    lim_code code = observe_code(&o, TOLD, (const char *[]){basis[i], "solver.stiffening=off", NULL}, &err);
    printf("%-52s %16.3g %16s\n", basis[i], c.off[1], code == LIM_OK ? "" : "fails");
    assert_true(code != LIM_OK || c.off[1] > LENGTH);
    lim_error_clear(&err);
  }
}

// By a torque of half a sine. Angular momentum is the torque's impulse.
static void torque_driven_spin_up_matches_and_balances_its_energy(void **state) {
  (void)state;
  static history exact;
  rod_history(&exact, true);
  double last = TORQUE * 2 * RAMP / M_PI / (RHO_A * LENGTH * LENGTH * LENGTH / 3);
  table_head("Spin-up by a torque of half a sine in 15 s");
  table_row("rod: speed at the end [rad/s]", exact.speed[SAMPLES - 1], last, 0.005, "impulse over inertia");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char what[80];
    comparison c = {.rod = &exact};
    observation o = {.watch = compare, .user = &c};
    observe(&o, DRIVEN,
            (const char *[]){ROWS[i].set[0], ROWS[i].set[1], ROWS[i].set[2], "solver.tolerance=1e-12", NULL});
    snprintf(what, sizeof what, "%s: largest deflection [m]", ROWS[i].name);
    table_row(what, -c.low, -exact.low, 0.01, "rod of exact geometry");
    snprintf(what, sizeof what, "%s: deflection off, over the largest", ROWS[i].name);
    table_bound(what, c.off[1] / -exact.low, 0.01, "rod of exact geometry");
    snprintf(what, sizeof what, "%s: speed off, over 6 rad/s", ROWS[i].name);
    table_bound(what, c.speed / 6, 0.01, "rod of exact geometry");
    snprintf(what, sizeof what, "%s: rms balance [%%]", ROWS[i].name);
    table_bound(what, o.run.balance_percent_rms, 1e-4, "closed books");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prescribed_spin_up_converges_to_one_answer),
      cmocka_unit_test(without_stiffening_the_spin_up_diverges),
      cmocka_unit_test(torque_driven_spin_up_matches_and_balances_its_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
