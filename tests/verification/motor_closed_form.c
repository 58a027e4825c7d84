// motor_closed_form.c - rotors against what can be derived by hand: mass matrix and torques of a rigid planar
// arm with a geared motor at its elbow; the gyroscopic moment of a rotor whose axis is tilted against its
// joint, as a reaction and as free motion.
#include "analysis/inverse.h"
#include "analysis/vibration/modes.h"
#include "path/assembly.h"

#include "motor_fixture.h"

// An arm with what its recursion needs. q, v, a, r (n).
typedef struct {
  lim_model *model;
  lim_arm *s;
  lim_inputs *inputs;
  lim_equations *e;
  double *q, *v, *a, *r;
} arm;

static arm arm_of(const char *text, const char *const *set) {
  arm x = {.model = model_of(text, set)};
  lim_error err = {0};
  lim_code code = lim_arm_new(&x.s, x.model, false, &err);
  if (code == LIM_OK) code = lim_inputs_new(&x.inputs, x.s, NULL, &err);
  if (code == LIM_OK) code = lim_equations_new(&x.e, x.s, x.inputs, NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  x.q = calloc(4 * (size_t)x.s->n, sizeof *x.q);
  assert_non_null(x.q);
  x.v = x.q + x.s->n;
  x.a = x.v + x.s->n;
  x.r = x.a + x.s->n;
  return x;
}

static void arm_free(arm x) {
  free(x.q);
  lim_equations_free(x.e);
  lim_inputs_free(x.inputs);
  lim_arm_free(x.s);
  lim_model_free(x.model);
}

static void randomise(arm *x, unsigned *seed) {
  fill(x->q, x->s->n, 2, seed);
  fill(x->v, x->s->n, 3, seed);
  fill(x->a, x->s->n, 5, seed);
}

// --- the planar arm ---

// Link i: mass m, centre c, length l, inertia I. Motors: shoulder rotor N1^2 R1 on the world; elbow motor of
// mass MM and stator S on the tip of link 1, rotor R2 with ratio N2.
static const double M1 = 1.3, C1 = 0.21, L1 = 0.5, I1 = 0.03, M2 = 0.9, C2 = 0.17, I2 = 0.02;
static const double R1 = 8e-5, N1 = 60, MM = 0.7, S = 4e-4, R2 = 3e-4, N2 = 25, G = 9.81;

#define PLANAR(elbow)                                                                                          \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "links:\n"                                                                                                   \
  "  - {name: upper, joint: {axis: [0, 0, 1]}, body: {mass: 1.3, com: [0.21, 0, 0], inertia: [0.01, 0.03, "    \
  "0.03], tip: [0.5, 0, 0]}}\n"                                                                                \
  "  - {name: fore, joint: {axis: [0, 0, 1]}, body: {mass: 0.9, com: [0.17, 0, 0], inertia: [0.01, 0.02, "     \
  "0.02], tip: [0.4, 0, 0]}}\n"                                                                                \
  "drives:\n"                                                                                                  \
  "  upper: {type: motor, torque: 0, motor: {mass: 2, rotor_inertia: 8e-5, ratio: 60}}\n"                      \
  "  fore: {type: motor, torque: 0, motor: {mass: 0.7, rotor_inertia: 3e-4, stator_inertia: 4e-4, ratio: "     \
  "25}" elbow "}\n"

// From T = 1/2 (I1 + M1 C1^2 + MM L1^2 + S + N1^2 R1) w1^2 + 1/2 I2 (w1 + w2)^2 + 1/2 M2 v2^2
//         + 1/2 R2 (w1 + N2 u)^2,   u = w2 with a rigid gear, else the motor's speed.
// M (3 x 3): shoulder, elbow, motor; with a rigid gear the motor's row and column join the elbow's.
static void mass_matrix(double M[3][3], double q2, bool complete) {
  double cross = M2 * L1 * C2 * cos(q2), fore = I2 + M2 * C2 * C2;
  memset(M, 0, 9 * sizeof(double));
  M[0][0] = I1 + M1 * C1 * C1 + MM * L1 * L1 + S + N1 * N1 * R1 + fore + M2 * L1 * L1 + 2 * cross;
  M[0][1] = M[1][0] = fore + cross;
  M[1][1] = fore;
  M[2][2] = N2 * N2 * R2;
  if (!complete) return;
  M[0][0] += R2;
  M[0][2] = M[2][0] = N2 * R2;
}

static void torques(double tau[3], const double q[2], const double v[2], const double a[3], bool complete) {
  double M[3][3], h = M2 * L1 * C2 * sin(q[1]), up = M2 * C2 * G * cos(q[0] + q[1]);
  mass_matrix(M, q[1], complete);
  for (int i = 0; i < 3; i++) tau[i] = M[i][0] * a[0] + M[i][1] * a[1] + M[i][2] * a[2];
  tau[0] += -h * (2 * v[0] * v[1] + v[1] * v[1]) + (M1 * C1 + (MM + M2) * L1) * G * cos(q[0]) + up;
  tau[1] += h * v[0] * v[0] + up;
}

// Largest difference of entries over the largest entry: of M, column by column, of the efforts, and of
// accelerations found back from them.
typedef struct {
  double M, effort, back;
} differences;

static void compare_state(differences *d, arm *x, bool complete) {
  int n = x->s->n; // shoulder, elbow[, motor]
  bool elastic = n == 3;
  double M[3][3], tau[3], full[3] = {x->a[0], x->a[1], x->a[n - 1]}, size = 0;
  lim_equations_residual(x->r, x->e, 0, LIM_AFTER, x->q, x->v, x->a);
  torques(tau, x->q, x->v, full, complete);
  if (!elastic) tau[1] += tau[2];
  if (elastic) { // without what the gear gives
    double gear = 700 * (x->q[2] - x->q[1]);
    tau[1] -= gear;
    tau[2] += gear;
  }
  for (int i = 0; i < n; i++) size = fmax(size, fabs(tau[i]));
  for (int i = 0; i < n; i++) d->effort = fmax(d->effort, fabs(x->r[i] - tau[i]) / size);

  mass_matrix(M, x->q[1], complete);
  if (!elastic) {
    for (int i = 0; i < 3; i++) M[i][1] += M[i][2];
    for (int i = 0; i < 3; i++) M[1][i] += M[2][i];
  }
  double zero[3], one[3], unit[3];
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) unit[i] = i == j;
    lim_equations_residual(one, x->e, 0, LIM_AFTER, x->q, x->v, unit);
    lim_equations_residual(zero, x->e, 0, LIM_AFTER, x->q, x->v, (double[3]){0});
    for (int i = 0; i < n; i++) d->M = fmax(d->M, fabs(one[i] - zero[i] - M[i][j]) / M[0][0]);
  }
  // M^-1 of the recursion: the efforts that a needs, put on the joints, give a
  double found[3], scratch[3];
  for (int i = 0; i < n; i++) scratch[i] = x->r[i];
  lim_error err = {0};
  lim_equations_residual(scratch, x->e, 0, LIM_AFTER, x->q, x->v, (double[3]){0});
  assert_int_equal(lim_equations_factor(x->e, x->q, (lim_step_matrix){.M = 1}, &err), LIM_OK);
  for (int i = 0; i < n; i++) found[i] = x->r[i] - scratch[i];
  lim_rec_solve(found, x->e->w);
  for (int i = 0; i < n; i++) d->back = fmax(d->back, fabs(found[i] - x->a[i]) / 5);
}

static void planar_arm_with_elbow_motor_matches_the_closed_form(void **state) {
  (void)state;
  static const struct {
    const char *name, *set[2];
    bool complete;
  } ROWS[] = {
      {"rigid gear, complete", {NULL}, true},
      {"rigid gear, simple", {"drives.fore.motor.rotor=simple", NULL}, false},
      {"elastic gear, complete", {"drives.fore.gear={stiffness: 700}", NULL}, true},
      {"elastic gear, simple", {"drives.fore.gear={stiffness: 700}", "drives.fore.motor.rotor=simple"}, false},
      {"rigid gear, motor said to be on the tip", {"drives.fore.motor.on=upper.tip", NULL}, true},
      {"elastic gear, motor said to be on the tip",
       {"drives.fore.motor.on=upper.tip", "drives.fore.gear={stiffness: 700}"},
       true}};
  table_head("Rigid planar arm, geared motor at the elbow: 200 random states, largest relative difference");
  for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
    arm x = arm_of(PLANAR(""), (const char *[]){ROWS[k].set[0], ROWS[k].set[1], NULL});
    differences d = {0, 0, 0};
    unsigned seed = 7;
    for (int i = 0; i < 200; i++) {
      randomise(&x, &seed);
      compare_state(&d, &x, ROWS[k].complete);
    }
    char what[96];
    snprintf(what, sizeof what, "%s: mass matrix", ROWS[k].name);
    table_bound(what, d.M, 1e-12, "Lagrange, in this file");
    table_bound("  joint and motor torques", d.effort, 1e-12, "Lagrange, in this file");
    table_bound("  accelerations from torques", d.back, 1e-11, "inverse of the same");
    arm_free(x);
  }
}

// `limber inverse` along a motion: the torques of the closed form at its moments.
static void inverse_gives_the_closed_form_along_a_motion(void **state) {
  (void)state;
  static const char text[] = PLANAR("") "motion:\n"
                                        "  upper: {profile: harmonic, amplitude: 0.7, frequency: 1 Hz}\n"
                                        "  fore: {profile: harmonic, amplitude: -1.1, frequency: 1.5 Hz}\n"
                                        "solver: {duration: 1 s, step: 10 ms}\n";
  lim_model *m = model_of(text, NULL);
  lim_inverse *x = NULL;
  lim_error err = {0};
  lim_code code = lim_inverse_new(&x, m, NULL, NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  double worst = 0, size = 0;
  for (int i = 0; i < x->n; i++) {
    double w1 = TURN, w2 = 1.5 * TURN, t = x->time[i], tau[3];
    double q[2] = {0.7 * sin(w1 * t), -1.1 * sin(w2 * t)},
           v[2] = {0.7 * w1 * cos(w1 * t), -1.1 * w2 * cos(w2 * t)};
    double a[3] = {-w1 * w1 * q[0], -w2 * w2 * q[1], -w2 * w2 * q[1]};
    torques(tau, q, v, a, true);
    const double expected[2] = {tau[0], tau[1] + tau[2]};
    for (int k = 0; k < 2; k++) {
      size = fmax(size, fabs(expected[k]));
      worst = fmax(worst, fabs(x->joints.item[k].effort[i] - expected[k]));
    }
  }
  table_head(
      "The same by `inverse` along a motion: largest difference of joint efforts over the largest effort");
  table_bound("101 moments", worst / size, 1e-12, "Lagrange, in this file");
  lim_inverse_free(x);
  lim_model_free(m);
}

// --- a motor away from its joint ---

static const char chain[] = "limber: 1\n"
                            "gravity: [0, 0, 0]\n"
                            "links:\n"
                            "  - {name: a, joint: {axis: [0, 0, 1]}, body: {mass: 1, com: [0.2, 0, 0], "
                            "inertia: [0.01, 0.03, 0.03], tip: "
                            "[0.5, 0, 0]}}\n"
                            "  - {name: b, joint: {axis: [0, 0, 1]}, body: {mass: 1, com: [0.2, 0, 0], "
                            "inertia: [0.01, 0.03, 0.03], tip: "
                            "[0.5, 0, 0]}}\n"
                            "  - {name: c, joint: {axis: [0, 0, 1]}, body: {mass: 1, com: [0.2, 0, 0], "
                            "inertia: [0.01, 0.03, 0.03], tip: "
                            "[0.5, 0, 0]}}\n"
                            "drives: {c: {type: motor, torque: 0, motor: {rotor_inertia: 2e-3, ratio: 12}}}\n";

// The rotor of joint c rides on link `rides` (0..2; 3: the world) and adds R d d' to M, d = (1.. up to it) and
// ratio on c.
static void motor_away_from_its_joint_couples_with_its_carrier(void **state) {
  (void)state;
  static const struct {
    const char *on;
    double carrier[3];
  } ROWS[] = {{"base", {0, 0, 0}},
              {"a.tip", {1, 0, 0}},
              {"b.base", {1, 1, 0}},
              {"b.tip", {1, 1, 0}},
              {"c.tip", {1, 1, 1}}};
  table_head(
      "Motor of the third joint on other links: what its rotor adds to the mass matrix, largest difference");
  for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++)
    for (int elastic = 0; elastic < 2; elastic++) {
      char on[64];
      snprintf(on, sizeof on, "drives.c.motor.on=%s", ROWS[k].on);
      const char *gear = elastic ? "drives.c.gear={stiffness: 300}" : NULL;
      arm x = arm_of(chain, (const char *[]){on, gear, NULL}),
          y = arm_of(chain, (const char *[]){on, "drives.c.motor.rotor_inertia=1e-30", gear, NULL});
      int n = x.s->n, last = n - 1;
      unsigned seed = 3;
      double worst = 0, back = 0;
      for (int i = 0; i < 20; i++) {
        randomise(&x, &seed);
        double d[4] = {0}, unit[4], with[4], without[4], found[4];
        for (int j = 0; j < 3; j++) d[j] = ROWS[k].carrier[j];
        d[last] += 12;
        for (int j = 0; j < n; j++) {
          for (int r = 0; r < n; r++) unit[r] = r == j;
          lim_rec_residual(with, x.e->w, x.q, x.v, unit);
          lim_rec_residual(without, y.e->w, x.q, x.v, unit);
          for (int r = 0; r < n; r++) worst = fmax(worst, fabs(with[r] - without[r] - 2e-3 * d[r] * d[j]));
        }
        lim_equations_residual(with, x.e, 0, LIM_AFTER, x.q, x.v, x.a);
        lim_equations_residual(without, x.e, 0, LIM_AFTER, x.q, x.v, (double[4]){0});
        for (int r = 0; r < n; r++) found[r] = with[r] - without[r];
        assert_int_equal(lim_equations_factor(x.e, x.q, (lim_step_matrix){.M = 1}, NULL), LIM_OK);
        lim_rec_solve(found, x.e->w);
        for (int r = 0; r < n; r++) back = fmax(back, fabs(found[r] - x.a[r]) / 5);
      }
      char what[96];
      snprintf(what, sizeof what, "on %s, %s gear", ROWS[k].on, elastic ? "elastic" : "rigid");
      table_bound(what, worst, 1e-12, "rotor d d'");
      table_bound("  accelerations from torques", back, 1e-11, "inverse of the same");
      arm_free(x);
      arm_free(y);
    }
}

// --- the gyroscope ---

// Two gimbals, about z and then y, carry a motor whose axis is n, and the link that it drives about `axis`.
#define GIMBALS                                                                                                \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: outer, joint: {axis: [0, 0, 1]}, body: {mass: 1, inertia: [0.02, 0.03, 0.04]}}\n"                \
  "  - {name: inner, joint: {axis: [0, 1, 0]}, body: {mass: 1, inertia: [0.01, 0.02, 0.03]}}\n"

// n in the inner gimbal, h = I (spin + n.w): moment I (spin' + n.w') n + h w x n on the rotor.
static void gyroscopic_moment(double N[3], double *along, const double q[2], const double v[2],
                              const double a[2], const double n[3], double I, double spin, double spin_rate) {
  double s = sin(q[1]), c = cos(q[1]);
  double w[3] = {-s * v[0], v[1], c * v[0]},
         dw[3] = {-s * a[0] - c * v[0] * v[1], a[1], c * a[0] - s * v[0] * v[1]};
  double h = I * spin, dh = I * spin_rate;
  for (int i = 0; i < 3; i++) {
    h += I * n[i] * w[i];
    dh += I * n[i] * dw[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    N[i] = dh * n[i] + h * (w[j] * n[k] - w[k] * n[j]);
  }
  *along = dh;
}

// The moment of the outer gimbal on the inner one, with the rotor less that without it.
static void tilted_rotor_loads_its_carrier_with_the_gyroscopic_moment(void **state) {
  (void)state;
  static const char text[] = GIMBALS
      "  - {name: driven, joint: {axis: [0, 0, 1]}, body: {mass: 0.3, com: [0.1, 0, 0.02], inertia: [1e-3, "
      "2e-3, 3e-3]}}\n"
      "drives: {driven: {type: motor, torque: 0, motor: {rotor_inertia: 5e-3, ratio: 30, axis: [1, 2, 2]}}}\n";
  const double n[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, I = 5e-3, ratio = 30;
  table_head(
      "Rotor tilted against its joint, on gimbals that turn: 100 random states, largest relative difference");
  for (int kind = 0; kind < 3; kind++) {
    const char *on = kind == 1 ? "drives.driven.motor.on=inner.tip" : NULL;
    if (kind == 2) on = "drives.driven.gear={stiffness: 100}";
    arm x = arm_of(text, (const char *[]){on, NULL}),
        y = arm_of(text, (const char *[]){"drives.driven.motor.rotor_inertia=1e-30", on, NULL});
    int last = x.s->n - 1;
    unsigned seed = 11;
    double moment = 0, effort = 0;
    for (int i = 0; i < 100; i++) {
      randomise(&x, &seed);
      double N[3], along, F[2][3], T[2][3], expected[4] = {0}, size = 0;
      lim_rec_residual(x.r, x.e->w, x.q, x.v, x.a);
      lim_rec_residual(y.r, y.e->w, x.q, x.v, x.a);
      lim_rec_reaction(F[0], T[0], x.e->w, 1);
      lim_rec_reaction(F[1], T[1], y.e->w, 1);
      gyroscopic_moment(N, &along, x.q, x.v, x.a, n, I, ratio * x.v[last], ratio * x.a[last]);
      for (int k = 0; k < 3; k++) size = fmax(size, fabs(N[k]));
      for (int k = 0; k < 3; k++)
        moment = fmax(moment, fmax(fabs(T[0][k] - T[1][k] - N[k]), fabs(F[0][k] - F[1][k])) / size);
      expected[0] = -sin(x.q[1]) * N[0] + cos(x.q[1]) * N[2];
      expected[1] = N[1];
      expected[last] += ratio * along;
      for (int k = 0; k <= last; k++) size = fmax(size, fabs(expected[k]));
      for (int k = 0; k <= last; k++) effort = fmax(effort, fabs(x.r[k] - y.r[k] - expected[k]) / size);
    }
    static const char *const names[] = {"at its joint", "said to be there", "behind an elastic gear"};
    char what[96];
    snprintf(what, sizeof what, "%s: moment on the carrier", names[kind]);
    table_bound(what, moment, 1e-12, "d/dt of I (W + n.w) n");
    table_bound("  efforts of all joints", effort, 1e-12, "the same along their axes");
    arm_free(x);
    arm_free(y);
  }
}

// The textbook's I W w: carrier at a steady turn, axis of the rotor across, here also as the channel's moment.
typedef struct {
  double moment[3];
} reaction;

static void watch_reaction(void *user, const lim_snapshot *m) {
  double F[3];
  lim_snapshot_reaction(F, ((reaction *)user)->moment, m, 0);
}

static void steady_turn_of_a_spinning_rotor_needs_the_textbook_moment(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\n"
      "gravity: [0, 0, 0]\n"
      "links:\n"
      "  - {name: table, joint: {axis: [0, 0, 1]}, body: {mass: 1, inertia: [0.02, 0.02, 0.02]}}\n"
      "  - {name: wheel, joint: {axis: [0, 0, 1]}, body: {mass: 0.1, inertia: [1e-3, 1e-3, 1e-3]}}\n"
      "drives: {wheel: {type: motor, motor: {rotor_inertia: 5e-3, ratio: 30, axis: [1, 0, 0]}}}\n"
      "configuration: {table: 0, wheel: 0}\n"
      "motion: {table: {profile: via, points: [[0, 0], [1, 2]]}, wheel: {profile: via, points: [[0, 0], [1, "
      "3]]}}\n"
      "solver: {duration: 1 s, step: 1 ms, method: rk4}\n";
  // the spline is clamped: speeds 1.5 (end - start) in the middle
  reaction x = {{0}};
  run_text(text, (const char *[]){"solver.duration=0.5 s", "solver.step=0.5 ms", NULL}, watch_reaction, &x);
  double w = 1.5 * 2, spin = 30 * 1.5 * 3, angle = 1; // half of the way
  table_head("Rotor across a table that turns: moment of the world on the table [N m]");
  table_row("x", x.moment[0], -5e-3 * spin * w * sin(angle), 1e-9, "I W w, across both");
  table_row("y", x.moment[1], 5e-3 * spin * w * cos(angle), 1e-9, "I W w, across both");
  table_bound("z", x.moment[2], 1e-10, "steady");
}

// --- free gyroscopes ---

typedef struct {
  double worst_precession, worst_nutation, speed, amplitude, frequency;
} top;

static void watch_precession(void *user, const lim_snapshot *m) {
  top *x = user;
  x->worst_precession = fmax(x->worst_precession, fabs(m->q[0] - x->speed * m->t));
  x->worst_nutation = fmax(x->worst_nutation, fabs(m->q[1]));
}

// A mass on the axis of the rotor, which lies level and turns at a given speed: m g l = I W w.
static void heavy_gyroscope_precesses_steadily(void **state) {
  (void)state;
  const double I = 5e-3, spin = 30 * 40.0, weight = 0.4 * 9.81 * 0.25, w = weight / (I * spin + 1e-9 * 40);
  char text[2000];
  snprintf(text, sizeof text,
           "%s  - {name: driven, joint: {axis: [1, 0, 0]}, body: {mass: 0, inertia: [1e-9, 0, 0]}}\n"
           "frames: [{name: end, on: inner, xyz: [0.25, 0, 0]}]\n"
           "loads: [{at: end, force: [0, 0, %.17g]}]\n"
           "drives: {driven: {type: motor, motor: {rotor_inertia: 5e-3, ratio: 30}}}\n"
           "configuration: {outer: {position: 0, velocity: %.17g}, driven: {position: 0, velocity: 40}}\n"
           "motion: {driven: {profile: speed, value: 40}}\n"
           "solver: {duration: 2 s, step: 0.5 ms, method: rk4, tolerance: 1e-11}\n"
           "outputs: {every: 10 ms}\n",
           GIMBALS, -0.4 * 9.81, w);
  table_head("Level gyroscope, its weight at 0.25 m: 2 s of steady precession, largest deviation [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    top x = {.speed = w};
    run_text(text, (const char *[]){METHODS[i], NULL}, watch_precession, &x);
    table_bound(method_name(METHODS[i]), x.worst_precession, 1e-8, "w = m g l/(I W)");
    table_bound("  nutation", x.worst_nutation, 1e-8, "0");
  }
}

static void watch_nutation(void *user, const lim_snapshot *m) {
  top *x = user;
  double expected = x->amplitude * sin(x->frequency * m->t);
  x->worst_nutation = fmax(x->worst_nutation, fabs(m->q[1] - expected) / x->amplitude);
}

// Pushed a little, the gimbals nod at I W/sqrt(A B), A and B their inertias about z and y.
static void pushed_gyroscope_nutates_with_its_frequency(void **state) {
  (void)state;
  const double I = 5e-3, spin = 30 * 40.0, A = 0.04 + 0.03, B = 0.02, w = (I * spin + 1e-9 * 40) / sqrt(A * B);
  char text[2000];
  snprintf(text, sizeof text,
           "%s  - {name: driven, joint: {axis: [1, 0, 0]}, body: {mass: 0, inertia: [1e-9, 0, 0]}}\n"
           "drives: {driven: {type: motor, torque: 0, motor: {rotor_inertia: 5e-3, ratio: 30}}}\n"
           "configuration: {inner: {position: 0, velocity: 1e-2}, driven: {position: 0, velocity: 40}}\n"
           "solver: {duration: 0.2 s, step: 0.02 ms, method: rk4, tolerance: 1e-14}\n"
           "outputs: {every: 1 ms}\n",
           GIMBALS);
  table_head("Gyroscope pushed by 0.01 rad/s: nutation, largest difference over its amplitude");
  for (int i = 0; i < NMETHODS; i++) {
    // the tolerance is about the largest angle, the rotor's: it has to be tight for so small a motion
    top x = {.amplitude = 1e-2 / w, .frequency = w};
    run_text(text, (const char *[]){METHODS[i], NULL}, watch_nutation, &x);
    table_bound(method_name(METHODS[i]), x.worst_nutation, i < EXPLICIT ? 1e-6 : 1e-4, "sin(I W t/sqrt(A B))");
  }
  lim_model *m = model_of(text, NULL);
  lim_modes *modes = NULL;
  lim_error err = {0};
  lim_code code = lim_modes_new(&modes, m, NULL, LIM_JOINTS_FREE, 1, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_true(modes->modes.count > 0);
  table_row("modes, with the rotor's spin [Hz]", modes->modes.item[0].frequency, w / TURN, 1e-6,
            "I W/sqrt(A B)");
  lim_modes_free(modes);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_arm_with_elbow_motor_matches_the_closed_form),
      cmocka_unit_test(inverse_gives_the_closed_form_along_a_motion),
      cmocka_unit_test(motor_away_from_its_joint_couples_with_its_carrier),
      cmocka_unit_test(tilted_rotor_loads_its_carrier_with_the_gyroscopic_moment),
      cmocka_unit_test(steady_turn_of_a_spinning_rotor_needs_the_textbook_moment),
      cmocka_unit_test(heavy_gyroscope_precesses_steadily),
      cmocka_unit_test(pushed_gyroscope_nutates_with_its_frequency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
