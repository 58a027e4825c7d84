// fe_motion.c - links from finite elements in motion: what holds a spinning tube, a tube that tumbles without
// forces, velocities and accelerations of frames as derivatives, and the power of the equations of motion.
#include "fe_fixture.h"

#include "arm/kinematics.h"
#include "dynamics/recursion.h"
#include "kind_numbers.h"
#include "path/assembly.h"

// --- a spin ---

typedef struct {
  double force, momentum, r; // of the last record: reaction, momentum, distance of the centre
} spun;

static lim_code see_spin(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  spun *x = user;
  const lim_arm_body *b = &m->system->bodies[0];
  double force[3], moment[3], first[3];
  lim_snapshot_reaction(force, moment, m, 0);
  const lim_momentum p = lim_snapshot_momentum(m);
  for (int k = 0; k < 3; k++) {
    first[k] = b->body->moment[k];
    for (int j = 0; j < b->body->n; j++) first[k] += b->body->first[k * b->body->n + j] * m->q[b->e + j];
  }
  *x = (spun){sqrt(lim_dot(force, force)), sqrt(lim_dot(p.linear, p.linear)),
              sqrt(lim_dot(first, first)) / b->body->mass};
  return LIM_OK;
}

#define SPIN                                                                                                   \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - name: tube\n"                                                                                           \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    damping: {ratio: 0.5}\n"                                                                                \
  "    basis: {type: craig-bampton, count: 20}\n" TUBE_FE(                                                     \
      "", "rigid", "mean") "motion: {tube: {profile: speed, value: 50, ramp: 0.1 s}}\n"                        \
                           "solver: {duration: 0.3 s, step: 0.2 ms}\n"

// After its way up to speed all swinging has died out.
// The tube stretches: rho omega^2/E (L^2 x/2 - x^3/6) at x, of which the mean is 5/24 rho omega^2 L^3/E.
static void spinning_tube_is_held_by_its_mass_radius_and_speed(void **state) {
  (void)state;
  const double mass = 2710 * (0.06 * 0.06 - 0.052 * 0.052), omega = 50;
  lim_model *m = fe_model(SPIN, NULL);
  lim_error err = {0};
  lim_run run;
  spun x = {0};
  const lim_simulate_hooks hooks = {.record = see_spin, .user = &x};
  if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(m);
  table_head("Spin of 50 rad/s");
  table_row("force at the joint [N], centre where it is", x.force, mass * x.r * omega * omega, 1e-9,
            "m r omega^2");
  table_row("the same, centre at rest", x.force, mass * 0.5 * omega * omega, 1e-4, "m r omega^2");
  table_row("momentum [kg m/s]", x.momentum, mass * x.r * omega, 1e-9, "m r omega");
  table_row("way of the centre outwards [m]", x.r - 0.5, 5.0 / 24 * 2710 * omega * omega / 71e9, 0.01,
            "a bar that stretches");
}

// --- tumbling ---

typedef struct {
  bool begun;
  double energy, linear[3], angular[3]; // at the start
  double drift, moved, turned;          // largest changes
  double strain;                        // largest strain energy
} books;

static double away(const double x[3], const double y[3]) {
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return sqrt(lim_dot(d, d) / lim_dot(y, y));
}

static lim_code see_tumbling(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  books *b = user;
  const lim_momentum p = lim_snapshot_momentum(m);
  const double energy = m->energy_balance.kinetic + m->energy_balance.strain;
  if (!b->begun) {
    b->energy = energy;
    memcpy(b->linear, p.linear, sizeof b->linear);
    memcpy(b->angular, p.angular, sizeof b->angular);
  }
  b->begun = true;
  b->drift = fmax(b->drift, fabs(energy / b->energy - 1));
  b->moved = fmax(b->moved, away(p.linear, b->linear));
  b->turned = fmax(b->turned, away(p.angular, b->angular));
  b->strain = fmax(b->strain, m->energy_balance.strain / b->energy);
  return LIM_OK;
}

#define TUMBLING                                                                                               \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - name: tube\n"                                                                                           \
  "    joint: {type: free}\n"                                                                                  \
  "    basis: {type: craig-bampton, count: 4}\n" TUBE_FE(                                                      \
      "", "rigid", "rigid") "configuration: {tube: {velocity: [1, -2, 3], angular_velocity: [40, 20, 30]}}\n"  \
                            "solver: {method: rk4, duration: 0.2 s, step: 5e-6 s}\n"                           \
                            "outputs: {every: 1 ms}\n"

static void tumbling_tube_keeps_energy_and_momentum(void **state) {
  (void)state;
  lim_model *m = fe_model(TUMBLING, NULL);
  lim_error err = {0};
  lim_run run;
  books b = {0};
  const lim_simulate_hooks hooks = {.record = see_tumbling, .user = &b};
  if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(m);
  table_head("A free tube tumbles about no axis of its own, 0.2 s");
  printf("largest strain energy: %.2g of all energy\n", b.strain);
  table_bound("change of energy", b.drift, 1e-8, "conservation");
  table_bound("change of momentum", b.moved, 1e-8, "conservation");
  table_bound("change of angular momentum", b.turned, 1e-8, "conservation");
}

// --- derivatives ---

enum { MOST = 64 };

// Two tubes with states of loads, payloads beside their frames, a frame of its own in the middle of the first.
#define ARM                                                                                                    \
  "limber: 1\n"                                                                                                \
  "gravity: [1, -2, -9.81]\n"                                                                                  \
  "links:\n"                                                                                                   \
  "  - name: upper\n"                                                                                          \
  "    joint: {axis: [1, 2, 2]}\n"                                                                             \
  "    basis: {type: craig-bampton, count: 3}\n" TUBE_FE(                                                      \
      STATES, "rigid",                                                                                         \
      "mean") "    masses: [{at: tip, mass: 1, xyz: [0.1, -0.05, 0.02], inertia: [1e-3, 2e-3, 3e-3]}]\n"       \
              "  - name: fore\n"                                                                               \
              "    joint: {axis: [0, 1, 1], origin: {xyz: [0.1, 0, 0.05], rpy: [0.1, 0.2, 0.3]}}\n"            \
              "    basis: {type: craig-bampton, count: 3}\n" TUBE_FE(                                          \
                  STATES, "mean", "rigid") "    masses: [{at: tip, mass: 2}]\n"                                \
                                           "frames: [{name: tool, on: fore, at: tip, xyz: [0.1, 0.02, 0.03], " \
                                           "rpy: [0.3, 0.1, 0.2]}]\n"
#define STATES                                                                                                 \
  "      prestressed:\n"                                                                                       \
  "        - {force: [1000, 0, 0], at: tip, stiffness: models/fe/tube-pull.sti}\n"                             \
  "        - {spin: [0, 50, 0], stiffness: models/fe/tube-spin-y.sti}\n"                                       \
  "        - {spin: [0, 0, 50], stiffness: models/fe/tube-spin-z.sti}\n"

typedef struct {
  lim_model *model;
  lim_arm *s;
  double q[MOST], v[MOST], a[MOST];
} moving;

// Some state: joints anywhere, bent by centimetres.
static moving moving_of(void) {
  moving x = {.model = fe_model(ARM, NULL)};
  lim_error err = {0};
  unsigned seed = 7;
  if (lim_arm_new(&x.s, x.model, false, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  assert_true(x.s->n <= MOST);
  fill(x.q, x.s->n, 0.01, &seed);
  fill(x.v, x.s->n, 1, &seed);
  fill(x.a, x.s->n, 100, &seed);
  for (int i = 0; i < x.s->nbody; i++) {
    x.q[x.s->bodies[i].q] = 1 + i;
    x.v[x.s->bodies[i].q] = 10 - 3 * i;
  }
  return x;
}

static void moving_free(moving *x) {
  lim_arm_free(x->s);
  lim_model_free(x->model);
}

// The state a little later, as a parabola.
static void later(double *q, double *v, const moving *x, double h) {
  for (int i = 0; i < x->s->n; i++) {
    q[i] = x->q[i] + h * x->v[i] + h * h / 2 * x->a[i];
    v[i] = x->v[i] + h * x->a[i];
  }
}

static lim_world_motion site_at(const moving *x, int site, const double *q, const double *v, const double *a) {
  lim_world_motion body[8];
  lim_kinematics(body, x->s, q, v, a);
  return lim_kinematics_at(x->s, &x->s->site[site].site, body, q, v, a);
}

static void frames_move_as_their_places_change(void **state) {
  (void)state;
  moving x = moving_of();
  const double h = 1e-6;
  double q[2][MOST], v[2][MOST];
  for (int i = 0; i < 2; i++) later(q[i], v[i], &x, i ? h : -h);
  table_head("Velocities and accelerations against differences, beside their size");
  for (int k = 0; k < x.s->nsite; k++) {
    const lim_world_motion now = site_at(&x, k, x.q, x.v, x.a);
    const lim_world_motion to = site_at(&x, k, q[1], v[1], NULL), from = site_at(&x, k, q[0], v[0], NULL);
    double speed[3], push[3], turn[3], spin[3];
    for (int i = 0; i < 3; i++) {
      const double *R[2] = {from.R + 3 * ((i + 2) % 3), to.R + 3 * ((i + 2) % 3)},
                   *S = now.R + 3 * ((i + 1) % 3);
      speed[i] = (to.p[i] - from.p[i]) / (2 * h);
      push[i] = (to.v[i] - from.v[i]) / (2 * h);
      turn[i] = (to.w[i] - from.w[i]) / (2 * h);
      spin[i] =
          ((R[1][0] - R[0][0]) * S[0] + (R[1][1] - R[0][1]) * S[1] + (R[1][2] - R[0][2]) * S[2]) / (2 * h);
    }
    if (largest_of(now.v, 3) == 0 && largest_of(speed, 3) == 0) continue; // the first base
    printf("%s\n", x.s->site[k].name);
    table_bound("velocity", apart(speed, now.v, 3), 1e-6, "differences");
    table_bound("angular velocity", apart(spin, now.w, 3), 1e-6, "differences");
    table_bound("acceleration", apart(push, now.a, 3), 1e-6, "differences");
    table_bound("angular acceleration", apart(turn, now.alpha, 3), 1e-6, "differences");
  }
  moving_free(&x);
}

static double energy_at(const moving *x, const double *q, const double *v) {
  lim_world_motion body[8];
  lim_kinematics(body, x->s, q, v, NULL);
  const lim_energies e = lim_energies_of(x->s, body, q, v);
  return e.kinetic + e.strain + e.gravity;
}

// v'(M a + bias - gravity + K eta) = dE/dt at any state and acceleration.
static void forces_do_the_work_that_energies_gain(void **state) {
  (void)state;
  moving x = moving_of();
  const double h = 1e-6;
  double q[2][MOST], v[2][MOST], r[MOST], power = 0;
  lim_rec_work *w = lim_rec_work_new(x.s);
  assert_non_null(w);
  for (int i = 0; i < 2; i++) later(q[i], v[i], &x, i ? h : -h);
  lim_rec_residual(r, w, x.q, x.v, x.a);
  for (int i = 0; i < x.s->n; i++) power += r[i] * x.v[i];
  const double gain = (energy_at(&x, q[1], v[1]) - energy_at(&x, q[0], v[0])) / (2 * h);
  table_head("Power at a state of two tubes with states of loads");
  table_row("of the forces of the equations of motion [W]", power, gain, 1e-6, "change of energies");
  lim_rec_work_free(w);
  moving_free(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spinning_tube_is_held_by_its_mass_radius_and_speed),
      cmocka_unit_test(tumbling_tube_keeps_energy_and_momentum),
      cmocka_unit_test(frames_move_as_their_places_change),
      cmocka_unit_test(forces_do_the_work_that_energies_gain),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
