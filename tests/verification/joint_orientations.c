// joint_orientations.c - no orientation of a free or spherical joint is special: accelerations in closed form
// at 100000 random ones, motions written anew about each of them, runs, modes and rest of the same arm turned
// as a whole.
#include "joint_fixture.h"

#include "arm/ball.h"
#include "arm/kinematics.h"
#include "dynamics/recursion.h"
#include "path/assembly.h"

enum { ORIENTATIONS = 100000 };

// Evenly spread over all orientations: a direction in four dimensions.
static void random_quaternion(double out[4], unsigned *seed) {
  double size;
  do {
    fill(out, 4, 1, seed);
    size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
  } while (size > 1 || size < 0.1);
  for (int i = 0; i < 4; i++) out[i] /= size;
}

// --- inside: one arm, whose joint is turned ---

typedef struct {
  lim_model *model;
  lim_arm *built, *s;
  lim_rec_work *w;
  double *q, *v, *a, *r; // (n)
  lim_world_motion *body;
} inside;

static inside open_arm(const char *text) {
  inside x = {.model = parse(text)};
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&x.built, x.model, false, &err), LIM_OK);
  assert_int_equal(lim_arm_enter(&x.s, x.built, &err), LIM_OK);
  x.w = lim_rec_work_new(x.s);
  x.q = calloc(4 * (size_t)x.s->n, sizeof *x.q);
  x.v = x.q + x.s->n;
  x.a = x.v + x.s->n;
  x.r = x.a + x.s->n;
  x.body = calloc(2 * (size_t)x.s->nbody, sizeof *x.body);
  assert_int_equal(x.s->nball, 1);
  return x;
}

static void close_arm(inside *x) {
  lim_rec_work_free(x->w);
  lim_arm_leave(x->s);
  lim_arm_free(x->built);
  lim_model_free(x->model);
  free(x->q);
  free(x->body);
}

// Turned by any quaternion, and by turns after it as large as they become.
static void turn_joint(inside *x, unsigned *seed) {
  const lim_ball *b = &x->s->ball[0];
  double quaternion[4];
  random_quaternion(quaternion, seed);
  lim_ball_set(x->s, 0, quaternion);
  for (int i = 0; i < 3; i++) x->q[b->turn[i]] = (i == 1 ? 0.8 : 3) * noise(seed);
}

// M a + bias = 0
static void accelerate(inside *x) {
  memset(x->a, 0, (size_t)x->s->n * sizeof *x->a);
  lim_rec_residual(x->r, x->w, x->q, x->v, x->a);
  assert_int_equal(lim_rec_factor(x->w, x->q, (lim_step_matrix){.M = 1}), -1);
  lim_rec_solve(x->r, x->w);
  for (int i = 0; i < x->s->n; i++) x->a[i] = -x->r[i];
}

static const double MASS = 0.7, COM[3] = {0.1, 0.05, -0.02}, INERTIA[3] = {2e-3, 3e-3, 4e-3},
                    GRAVITY[3] = {1, -2, -9.81};

#define BODY(type)                                                                                             \
  "limber: 1\ngravity: [1, -2, -9.81]\nlinks:\n"                                                               \
  "  - name: body\n    joint: {name: ball, type: " type ", origin: {xyz: [0.3, 0.1, 0.2], rpy: [0.4, 0.5, "    \
  "0.6]}}\n    body: {mass: 0.7, com: [0.1, 0.05, -0.02], inertia: [2e-3, 3e-3, 4e-3]}\n"

// Of a body that falls freely: a_com = g, I w' + w x I w = 0.
static void free_error(double error[2], const lim_world_motion *m) {
  double c[3], wc[3], a[3], w[3], dw[3];
  lim_rotate(c, m->R, COM);
  lim_cross(wc, m->w, c);
  memcpy(a, m->a, sizeof a);
  lim_add_cross(a, m->alpha, c);
  lim_add_cross(a, m->w, wc);
  lim_rotate_back(w, m->R, m->w);
  lim_rotate_back(dw, m->R, m->alpha);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    error[0] = fmax(error[0], fabs(a[i] - GRAVITY[i]));
    error[1] = fmax(error[1], fabs(dw[i] - (INERTIA[j] - INERTIA[k]) / INERTIA[i] * w[j] * w[k]));
  }
}

// Of one that hangs on a point: d/dt of the angular momentum about it is the moment of its weight. In parts of
// the smallest inertia.
static void hung_error(double *error, const lim_world_motion *m) {
  double c[3], wc[3], w[3], dw[3], a[3] = {0}, L[3], local[3], moment[3];
  lim_rotate(c, m->R, COM);
  lim_cross(wc, m->w, c);
  lim_add_cross(a, m->alpha, c);
  lim_add_cross(a, m->w, wc);
  lim_add(a, -1, GRAVITY);
  lim_cross(moment, c, a); // m c x (a_com - g) + I w' + w x I w = 0
  lim_rotate_back(w, m->R, m->w);
  lim_rotate_back(dw, m->R, m->alpha);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    local[i] = INERTIA[i] * dw[i] - (INERTIA[j] - INERTIA[k]) * w[j] * w[k];
  }
  lim_rotate(L, m->R, local);
  lim_add(L, MASS, moment);
  for (int i = 0; i < 3; i++) *error = fmax(*error, fabs(L[i]) / INERTIA[0]);
}

static void accelerations_are_newtons_and_eulers_at_any_orientation(void **state) {
  (void)state;
  inside floats = open_arm(BODY("free")), hangs = open_arm(BODY("spherical"));
  double error[2] = {0, 0}, moment = 0;
  unsigned seed = 5;
  for (int k = 0; k < ORIENTATIONS; k++) {
    inside *const both[] = {&floats, &hangs};
    for (int i = 0; i < 2; i++) {
      inside *x = both[i];
      turn_joint(x, &seed);
      fill(x->v, x->s->n, 3, &seed);
      accelerate(x);
      lim_kinematics(x->body, x->s, x->q, x->v, x->a);
    }
    free_error(error, &floats.body[floats.s->nbody - 1]);
    hung_error(&moment, &hangs.body[hangs.s->nbody - 1]);
  }
  close_arm(&floats);
  close_arm(&hangs);
  table_head("A body at 100000 random orientations, turns and speeds: largest error");
  table_bound("free: acceleration of its centre [m/s^2]", error[0], 1e-9, "gravity");
  table_bound("free: angular acceleration [rad/s^2]", error[1], 1e-9, "Euler's equations");
  table_bound("spherical: moment about the joint over inertia [1/s^2]", moment, 1e-9, "Euler's equations");
}

// A link that turns carries a spherical joint, and that a flexible link.
static const char carried[] =
    "limber: 1\n"
    "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"
    "sections: {bar: {shape: rectangle, y: 8 mm, z: 12 mm}}\n"
    "links:\n"
    "  - name: one\n    joint: {axis: [0, 1, 0]}\n    body: {mass: 1, tip: [0.3, 0, 0]}\n"
    "  - name: two\n    joint: {type: spherical, origin: {rpy: [0.3, -0.2, 0.5]}}\n"
    "    beam: {length: 0.5, section: bar, material: m, elements: 2}\n"
    "    basis: {type: modes, count: 3}\n";

// Positions, velocities and accelerations of all bodies do not change when turns are taken over.
static void motions_written_anew_are_the_same(void **state) {
  (void)state;
  inside x = open_arm(carried);
  lim_world_motion *after = x.body + x.s->nbody;
  double worst = 0;
  unsigned seed = 11;
  for (int k = 0; k < ORIENTATIONS; k++) {
    const lim_ball *b = &x.s->ball[0];
    double quaternion[4];
    fill(x.q, 3 * x.s->n, 0.02, &seed);
    turn_joint(&x, &seed);
    for (int i = 0; i < 4; i++) {
      const int c = i < 3 ? b->turn[i] : x.s->bodies[0].q;
      x.v[c] *= 100;
      x.a[c] *= 100;
    }
    lim_kinematics(x.body, x.s, x.q, x.v, x.a);
    lim_ball_centre(quaternion, b, x.q);
    lim_ball_rewrite(b, quaternion, x.q, x.v, &x.a, 1);
    lim_ball_set(x.s, 0, quaternion);
    lim_kinematics(after, x.s, x.q, x.v, x.a);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(x.q[b->turn[i]]));
    for (int i = x.s->first_body[x.s->model->links.count - 1]; i < x.s->nbody; i++)
      for (size_t j = 0; j < sizeof *after / sizeof(double); j++)
        worst = fmax(worst, fabs(((double *)&after[i])[j] - ((double *)&x.body[i])[j]));
  }
  close_arm(&x);
  table_head("Turns taken over by the quaternion, 100000 times: largest change");
  table_bound("of axes, positions, velocities and accelerations", worst, 1e-11, "the same motion");
}

static const double IDENTITY[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// --- outside: a whole arm turned by Q, with gravity and all it is fixed to ---

// Axes and roll, pitch and yaw of them.
static void random_turn(double Q[9], double rpy[3], double quaternion[4], unsigned *seed) {
  random_quaternion(quaternion, seed);
  lim_rotation_quaternion(Q, quaternion);
  rpy[0] = atan2(Q[7], Q[8]);
  rpy[1] = atan2(-Q[6], hypot(Q[7], Q[8]));
  rpy[2] = atan2(Q[3], Q[0]);
}

#define SWINGING                                                                                               \
  "limber: 1\n"                                                                                                \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {bar: {shape: rectangle, y: 8 mm, z: 12 mm}}\n"                                                   \
  "links:\n"                                                                                                   \
  "  - name: hub\n    joint: {name: ball, type: spherical}\n"                                                  \
  "    body: {mass: 0.5, com: [0.02, 0.01, 0.03], inertia: [1e-3, 2e-3, 3e-3], tip: [0.05, 0, 0]}\n"           \
  "  - name: arm\n    joint: {axis: [0, 0, 1]}\n"                                                              \
  "    beam: {length: 0.4, section: bar, material: m, elements: 4}\n    basis: {type: modes, count: 2}\n"      \
  "solver: {duration: 0.3 s, step: 0.2 ms, method: rk4}\n"                                                     \
  "outputs: {every: 0.3 s, channels: [ball.rotation, ball.angular_velocity, arm.position, arm.deflection]}\n"

// What a run ends with, its orientation turned back by Q. values: angular velocity, joint, deflection.
static void run_turned(double R[9], double values[7], const double Q[9], const char *orientation) {
  static const char *const names[7] = {
      "ball.angular_velocity.x", "ball.angular_velocity.y", "ball.angular_velocity.z", "arm.position",
      "arm.deflection.x",        "arm.deflection.y",        "arm.deflection.z"};
  double g[3], now[9], w[3];
  char gravity[120], start[240];
  lim_rotate(g, Q, (double[3]){3, -4, -8});
  snprintf(gravity, sizeof gravity, "gravity=[%.17g, %.17g, %.17g]", g[0], g[1], g[2]);
  snprintf(start, sizeof start, "configuration.ball={%s, angular_velocity: [2, -7, 4]}", orientation);
  recorded r = record_run(SWINGING, (const char *[]){gravity, start, NULL});
  const turning seen = turning_of(&r, "ball");
  turning_at(now, w, &seen, r.count - 1);
  for (int i = 0; i < 9; i++)
    R[i] = Q[i / 3] * now[i % 3] + Q[3 + i / 3] * now[3 + i % 3] + Q[6 + i / 3] * now[6 + i % 3];
  for (int i = 0; i < 7; i++) values[i] = recorded_channel(&r, names[i])[r.count - 1];
  recorded_free(&r);
}

static void runs_from_any_orientation_are_the_same(void **state) {
  (void)state;
  static const double turns[][3] = {
      {0.3, M_PI / 2, 0.2}, {0, -M_PI / 2, 0}, {M_PI, 0, 0}, {0, 0, M_PI}, {0, M_PI, 0}};
  double R0[9], x0[7], turn = 0, change = 0;
  unsigned seed = 3;
  run_turned(R0, x0, IDENTITY, "rpy: [0, 0, 0]");
  for (int k = 0; k < 60; k++) {
    double Q[9], rpy[3], p[4], R[9], x[7];
    char orientation[120];
    random_turn(Q, rpy, p, &seed);
    if (k % 2 && k < 10) {
      memcpy(rpy, turns[k / 2], sizeof rpy);
      rpy_rotation(Q, rpy);
    }
    if (k % 2)
      snprintf(orientation, sizeof orientation, "rpy: [%.17g, %.17g, %.17g]", rpy[0], rpy[1], rpy[2]);
    else
      snprintf(orientation, sizeof orientation, "quaternion: [%.17g, %.17g, %.17g, %.17g]", p[0], p[1], p[2],
               p[3]);
    run_turned(R, x, Q, orientation);
    turn = fmax(turn, turn_between(R, R0));
    for (int i = 0; i < 7; i++) change = fmax(change, fabs(x[i] - x0[i]) / fmax(fabs(x0[i]), 1e-3));
  }
  table_head("A flexible link on a spherical joint, from 60 orientations, 0.3 s with rk4: largest change");
  table_bound("of the orientation, turned back [rad]", turn, 1e-9, "turned as a whole");
  table_bound("of speeds, joint and deflection, in parts", change, 1e-9, "turned as a whole");
}

// --- modes and rest, on a bushing ---

#define HELD                                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\n"                                                                            \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {bar: {shape: rectangle, y: 8 mm, z: 12 mm}}\n"                                                   \
  "links:\n"                                                                                                   \
  "  - name: hub\n    joint: {name: float, type: free}\n"                                                      \
  "    body: {mass: 0.5, com: [0.02, 0.01, 0.03], inertia: [1e-3, 2e-3, 3e-3], tip: [0.05, 0, 0]}\n"           \
  "  - name: arm\n    joint: {type: fixed}\n"                                                                  \
  "    beam: {length: 0.4, section: bar, material: m, elements: 4}\n"                                          \
  "frames: [{name: mount, on: base, xyz: [0.1, 0.2, 0.3]}]\n"                                                  \
  "bushings:\n"                                                                                                \
  "  - {name: rubber, between: [hub.base, mount], stiffness: [2e3, 3e3, 4e3, 30, 40, 50]}\n"

enum { FREQUENCIES = 8 };

// The model turned by a quaternion, which is rpy as well, under a gravity that is turned with it. End with
// held_end.
typedef struct {
  lim_model *model;
  lim_study *study;
  lim_answer *answer;
} held;

static held held_start(const double Q[9], const double rpy[3], const double p[4]) {
  char start[240], mount[120], gravity[120];
  double g[3];
  lim_error err = {0};
  lim_rotate(g, Q, (double[3]){3, -4, -8});
  snprintf(gravity, sizeof gravity, "gravity=[%.17g, %.17g, %.17g]", g[0], g[1], g[2]);
  snprintf(start, sizeof start,
           "configuration.float={position: [0.1, 0.2, 0.3], velocity: [0, 0, 0], quaternion: [%.17g, %.17g, "
           "%.17g, %.17g]}",
           p[0], p[1], p[2], p[3]);
  snprintf(mount, sizeof mount, "frames.mount.rpy=[%.17g, %.17g, %.17g]", rpy[0], rpy[1], rpy[2]);
  held x = {.model = parse_with(HELD, (const char *[]){start, mount, gravity}, 3)};
  assert_int_equal(lim_study_new(&x.study, x.model, &err), LIM_OK);
  return x;
}

static void held_end(held *x, lim_code code, lim_error *err) {
  print_notes(err);
  assert_int_equal(code, LIM_OK);
  lim_error_clear(err);
  lim_answer_free(x->answer);
  lim_study_free(x->study);
  lim_model_free(x->model);
}

static void frequencies_turned(double out[FREQUENCIES], const double Q[9], const double rpy[3],
                               const double p[4]) {
  held x = held_start(Q, rpy, p);
  lim_error err = {0};
  int count = 0;
  lim_code code = lim_study_modes(&x.answer, x.study, NULL, &err);
  const double *f = lim_answer_array(x.answer, "frequencies_hz", &count);
  for (int i = 0; i < FREQUENCIES; i++) out[i] = i < count ? f[i] : NAN;
  held_end(&x, code, &err);
}

static void frequencies_do_not_depend_on_the_orientation(void **state) {
  (void)state;
  double f0[FREQUENCIES], worst = 0;
  unsigned seed = 17;
  frequencies_turned(f0, IDENTITY, (double[3]){0}, (double[4]){1});
  assert_true(f0[0] > 0.1);
  for (int k = 0; k < 100; k++) {
    double Q[9], rpy[3], p[4], f[FREQUENCIES];
    random_turn(Q, rpy, p, &seed);
    frequencies_turned(f, Q, rpy, p);
    for (int i = 0; i < FREQUENCIES; i++) worst = fmax(worst, fabs(f[i] / f0[i] - 1));
  }
  table_head("A flexible arm on a free joint, held by a bushing, turned with it 100 times");
  table_bound("largest change of 8 frequencies, in parts", worst, 1e-8, "turned as a whole");
}

// Displacements of hub and tip at rest, turned back. out (2 x 3)
static void sag_turned(double out[6], const double Q[9], const double rpy[3], const double p[4]) {
  static const char *const frames[2] = {"frames[\"hub.base\"].displacement",
                                        "frames[\"arm.tip\"].displacement"};
  held x = held_start(Q, rpy, p);
  lim_error err = {0};
  lim_code code = lim_study_static(&x.answer, x.study, NULL, &err);
  for (int i = 0; i < 2 && code == LIM_OK; i++) {
    int count = 0;
    const double *d = lim_answer_array(x.answer, frames[i], &count);
    assert_int_equal(count, 3);
    lim_rotate_back(out + 3 * i, Q, d);
  }
  held_end(&x, code, &err);
}

static void rest_does_not_depend_on_the_orientation(void **state) {
  (void)state;
  double sag[6], worst = 0;
  unsigned seed = 23;
  sag_turned(sag, IDENTITY, (double[3]){0}, (double[4]){1});
  for (int k = 0; k < 100; k++) {
    double Q[9], rpy[3], p[4], x[6];
    random_turn(Q, rpy, p, &seed);
    sag_turned(x, Q, rpy, p);
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(x[i] - sag[i]));
  }
  table_head("The same at rest under its weight, which is turned with it: sag of the hub against its mount");
  table_bound("largest change of displacements [m]", worst, 1e-10, "turned as a whole");
  // forces of the bushing carry the weight, in its axes to first order: turns of the hub are small
  const double mass = 0.5 + 2700 * 0.008 * 0.012 * 0.4, k[3] = {2e3, 3e3, 4e3}, g[3] = {3, -4, -8};
  for (int i = 0; i < 3; i++) table_row("sag [m]", sag[i], mass * g[i] / k[i], 1e-12, "m g/k");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_newtons_and_eulers_at_any_orientation),
      cmocka_unit_test(motions_written_anew_are_the_same),
      cmocka_unit_test(runs_from_any_orientation_are_the_same),
      cmocka_unit_test(frequencies_do_not_depend_on_the_orientation),
      cmocka_unit_test(rest_does_not_depend_on_the_orientation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
