// engine_momentum.c - linear and angular momentum: its rate is what acts from outside, on random states and in
// runs; it stays where nothing acts; parts and rotors count. That it is the derivative of the kinetic energy by
// a motion of the world is a test of dynamics_recursion.
#include "engine_fixture.h"
#include "recorded_fixture.h"

#include "dynamics/recursion.h"
#include "path/assembly.h"

// Linear and angular momentum about the world's origin. out (6)
static void momentum(double out[6], const lim_arm *s, const double *q, const double *v) {
  lim_world_motion *body = calloc((size_t)s->nbody, sizeof *body);
  lim_kinematics(body, s, q, v, NULL);
  lim_momentum m = lim_momentum_of(s, body, q, v);
  memcpy(out, m.linear, sizeof m.linear);
  memcpy(out + 3, m.angular, sizeof m.angular);
  free(body);
}

// What acts from outside: weight, and the reactions of bodies that hang on the world. out (6)
static void outer_forces(double out[6], const lim_arm *s, lim_rec_work *w, const double *q, const double *v) {
  lim_world_motion *body = calloc((size_t)s->nbody, sizeof *body);
  double F[3], N[3], mass = 0, moment[3];
  lim_kinematics(body, s, q, v, NULL);
  memset(out, 0, 6 * sizeof *out);
  for (int i = 0; i < s->nbody; i++) {
    mass += s->bodies[i].body->mass;
    if (s->parent[i] >= 0) continue;
    double f[3] = {0}, n[3] = {0};
    lim_rec_reaction(F, N, w, i);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) {
        f[r] += body[i].R[3 * r + c] * F[c];
        n[r] += body[i].R[3 * r + c] * N[c];
      }
    const double *p = body[i].p;
    const double lever[3] = {p[1] * f[2] - p[2] * f[1], p[2] * f[0] - p[0] * f[2], p[0] * f[1] - p[1] * f[0]};
    for (int k = 0; k < 3; k++) {
      out[k] += f[k];
      out[3 + k] += n[k] + lever[k];
    }
  }
  lim_arm up = *s; // the energy in a field of -1 along an axis is the first moment along it
  for (int k = 0; k < 3; k++) {
    memset(up.gravity, 0, sizeof up.gravity);
    up.gravity[k] = -1;
    moment[k] = lim_energies_of(&up, body, q, v).gravity;
    out[k] += mass * s->gravity[k];
  }
  const double *g = s->gravity;
  out[3] += moment[1] * g[2] - moment[2] * g[1];
  out[4] += moment[2] * g[0] - moment[0] * g[2];
  out[5] += moment[0] * g[1] - moment[1] * g[0];
  free(body);
}

static const char tree[] =
    "limber: 1\n"
    "gravity: [1, -2, -9.81]\n"
    "materials: {m: {E: 2 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 60 mm, z: 90 mm}}\n"
    "links:\n"
    "  - name: slide\n"
    "    joint: {type: prismatic, axis: [1, 1, 0], origin: {xyz: [0.3, 0.1, 0.2], rpy: [0.1, 0.2, 0.3]}}\n"
    "    body: {mass: 0.7, com: [0.01, 0.02, 0.03], inertia: [1e-3, 2e-3, 2e-3], tip: [0.1, 0, 0.1]}\n"
    "  - name: one\n"
    "    joint: {axis: [1, 2, 2], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}}\n"
    "    beam: {length: 0.8, section: a, material: m, elements: 3}\n"
    "    masses: [{at: 0.3, mass: 0.5, xyz: [0, 0.1, 0.05], inertia: [1e-3, 2e-3, 3e-3, 1e-4, 0, 2e-4]}]\n"
    "  - name: two\n"
    "    joint: {type: prismatic, axis: [0, 1, 1], origin: {rpy: [0.1, 0.2, 0.3]}}\n"
    "    beam: {length: 0.6, section: a, material: m, elements: 4, segments: 2}\n"
    "    basis: {type: modes, count: 5}\n"
    "  - name: other\n"
    "    parent: base\n"
    "    joint: {axis: [0, 1, 0], origin: {xyz: [-0.2, 0.4, 0]}}\n"
    "    beam: {length: 0.5, section: a, material: m, elements: 2}\n";

// d/dt of linear and angular momentum equals the outer forces, on random states: eighth-order differences.
static void rate_of_momentum_equals_outer_forces(void **state) {
  (void)state;
  static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h = 0.01;
  lim_model *model = model_of(tree, NULL);
  lim_arm *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, model, false, &err), LIM_OK);
  lim_rec_work *w = lim_rec_work_new(s);
  size_t n = (size_t)s->n;
  double *q = calloc(6 * n, sizeof *q), *v = q + n, *a = v + n, *r = a + n, *qt = r + n, *vt = qt + n;
  double worst[2] = {0, 0};
  for (unsigned seed = 1; seed <= 20; seed++) {
    unsigned random = seed;
    for (size_t i = 0; i < n; i++) {
      q[i] = 1e-3 * noise(&random);
      v[i] = 0.02 * noise(&random);
      a[i] = 0.1 * noise(&random);
    }
    for (int i = 0; i < s->nbody; i++)
      if (s->bodies[i].q >= 0) {
        q[s->bodies[i].q] *= 1000;
        v[s->bodies[i].q] *= 50;
      }
    double rate[6] = {0}, force[6], P[6], size[2] = {0, 0};
    for (int k = -4; k <= 4; k++) {
      if (k == 0) continue;
      for (size_t i = 0; i < n; i++) {
        qt[i] = q[i] + k * h * v[i] + k * h * k * h / 2 * a[i];
        vt[i] = v[i] + k * h * a[i];
      }
      momentum(P, s, qt, vt);
      for (int j = 0; j < 6; j++) rate[j] += (k > 0 ? 1 : -1) * weight[abs(k) - 1] * P[j] / h;
    }
    lim_rec_residual(r, w, q, v, a);
    outer_forces(force, s, w, q, v);
    for (int j = 0; j < 6; j++) size[j / 3] = fmax(size[j / 3], fabs(rate[j]));
    for (int j = 0; j < 6; j++) worst[j / 3] = fmax(worst[j / 3], fabs(rate[j] - force[j]) / size[j / 3]);
  }
  table_head("Rate of momentum against weight and reactions of the base, 20 random states, largest difference");
  table_bound("linear", worst[0], 1e-10, "Newton");
  table_bound("angular", worst[1], 1e-10, "Euler");
  free(q);
  lim_rec_work_free(w);
  lim_arm_free(s);
  lim_model_free(model);
}

typedef struct {
  double first[6], drift[6], size[6];
  bool begun;
} momentum_watch;

static void watch_momentum(void *user, const lim_snapshot *m) {
  momentum_watch *x = user;
  double P[6];
  lim_momentum now = lim_snapshot_momentum(m);
  memcpy(P, now.linear, sizeof now.linear);
  memcpy(P + 3, now.angular, sizeof now.angular);
  if (!x->begun) memcpy(x->first, P, sizeof P);
  x->begun = true;
  for (int k = 0; k < 6; k++) {
    x->drift[k] = fmax(x->drift[k], fabs(P[k] - x->first[k]));
    x->size[k] = fmax(x->size[k], fabs(P[k]));
  }
}

static const char strip_arm[] =
    STRIP("    basis: {type: modes, count: 3}\n") "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

static void angular_momentum_about_a_free_axis_is_conserved(void **state) {
  (void)state;
  momentum_watch x = {.begun = false};
  observation o = {.watch = watch_momentum, .user = &x};
  observe(&o, strip_arm,
          (const char *[]){"drives.upper={type: free}", "configuration.upper={position: 0, velocity: 3}",
                           "solver.method=rk4", "outputs.every=1 ms", NULL});
  table_head("Angular momentum about the free shoulder, elbow driven: drift over its value, 1 s");
  table_bound("rk4, 0.04 ms", x.drift[5] / x.size[5], 1e-10, "no moment about the axis");
}

// Two slides along x and y carry a strip that turns and bends; no force of the world acts along the slides.
static void linear_momentum_along_free_slides_is_conserved(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\n"
      "gravity: [0, 0, 0]\n"
      "planar: xy\n"
      "materials: {aluminium: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"
      "sections: {strip: {shape: rectangle, y: 5 mm, z: 20 mm}}\n"
      "links:\n"
      "  - {name: x, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 0.02}}\n"
      "  - {name: y, joint: {type: prismatic, axis: [0, 1, 0]}, body: {mass: 0.02}}\n"
      "  - name: strip\n"
      "    joint: {axis: [0, 0, 1]}\n"
      "    beam: {length: 0.5 m, section: strip, material: aluminium, elements: 10}\n"
      "    masses: [{at: tip, mass: 0.1}]\n"
      "    basis: {type: modes, count: 3}\n"
      "  - name: second\n"
      "    joint: {axis: [0, 0, 1]}\n"
      "    beam: {length: 0.5 m, section: strip, material: aluminium, elements: 10}\n"
      "    basis: {type: modes, count: 3}\n"
      "configuration: {x: {position: 0, velocity: 0.3}, y: {position: 0, velocity: -0.2}, strip: {position: 0, "
      "velocity: 5}}\n"
      "drives: {second: {type: effort, effort: {profile: harmonic, amplitude: 0.05 N m, frequency: 2 Hz}}}\n"
      "solver: {duration: 1 s, step: 0.02 ms, method: rk4}\n"
      "outputs: {every: 1 ms}\n";
  momentum_watch x = {.begun = false};
  observation o = {.watch = watch_momentum, .user = &x};
  observe(&o, text, NULL);
  table_head("Linear momentum of a strip on free slides: drift over its value, 1 s");
  table_bound("along x", x.drift[0] / x.size[0], 1e-10, "no force along the slide");
  table_bound("along y", x.drift[1] / x.size[1], 1e-10, "no force along the slide");
}

// --- runs ---

// A column off the origin carries two flexible links, with a motor whose rotor turns with its carrier.
#define ARM(gravity)                                                                                           \
  "limber: 1\n"                                                                                                \
  "gravity: " gravity "\n"                                                                                     \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {bar: {shape: rectangle, y: 12 mm, z: 20 mm}}\n"                                                  \
  "links:\n"                                                                                                   \
  "  - name: column\n"                                                                                         \
  "    joint: {axis: [0, 0, 1], origin: {xyz: [0.3, -0.2, 0.4]}}\n"                                            \
  "    body: {mass: 2, com: [0.02, 0, 0.1], inertia: [0.02, 0.02, 0.01], tip: [0.1, 0, 0.2]}\n"                \
  "  - name: upper\n"                                                                                          \
  "    joint: {axis: [0, 1, 0]}\n"                                                                             \
  "    beam: {length: 0.6, section: bar, material: m, elements: 3}\n"                                          \
  "    basis: {type: modes, count: 2}\n"                                                                       \
  "  - name: fore\n"                                                                                           \
  "    joint: {axis: [0, 1, 0]}\n"                                                                             \
  "    beam: {length: 0.5, section: bar, material: m, elements: 4}\n"                                          \
  "    basis: {type: modes, count: 2}\n"                                                                       \
  "    masses: [{at: tip, mass: 0.3, xyz: [0, 0.03, 0.02]}]\n"                                                 \
  "drives:\n"                                                                                                  \
  "  upper: {type: motor, motor: {mass: 0.5, rotor_inertia: 4e-5, ratio: 30}}\n"                               \
  "  fore: {type: effort, effort: {profile: harmonic, amplitude: 0.4 N m, frequency: 2 Hz}}\n"                 \
  "configuration: {column: {position: 0.3, velocity: 2}, upper: {position: -0.4, velocity: 0.5}}\n"            \
  "solver: {duration: 0.5 s, step: 0.1 ms, method: rk4}\n"                                                     \
  "outputs: {every: 0.1 ms, channels: [momentum, column.force, column.moment]}\n"

// Largest difference of the momentum gained and the integral of what acts, over what is gained at most: linear,
// and of the angular momentum the components from `first` on. Simpson's rule.
static void compare_impulses(double worst[2], const recorded *r, const double weight[3], int first) {
  static const double at[3] = {0.3, -0.2, 0.4};
  const double *P[6], *F[3], *M[3];
  recorded_vector(P, r, "momentum.linear");
  recorded_vector(P + 3, r, "momentum.angular");
  recorded_vector(F, r, "column.force");
  recorded_vector(M, r, "column.moment");
  double sum[6] = {0}, size[2] = {0, 0};
  worst[0] = worst[1] = 0;
  for (int i = 0; i + 2 < r->count; i += 2) {
    for (int j = 0; j < 3; j++) {
      const double share = (j == 1 ? 4 : 1) * (r->t[i + 2] - r->t[i]) / 6;
      for (int k = 0; k < 3; k++) {
        const int y = (k + 1) % 3, z = (k + 2) % 3;
        sum[k] += share * (F[k][i + j] + weight[k]);
        sum[3 + k] += share * (M[k][i + j] + at[y] * F[z][i + j] - at[z] * F[y][i + j]);
      }
    }
    for (int k = 0; k < 6; k++) {
      if (k >= 3 && k < 3 + first) continue;
      const double gained = P[k][i + 2] - P[k][0];
      size[k / 3] = fmax(size[k / 3], fabs(gained));
      worst[k / 3] = fmax(worst[k / 3], fabs(gained - sum[k]));
    }
  }
  for (int k = 0; k < 2; k++) worst[k] /= size[k];
}

static void channels_of_momentum_follow_from_forces_at_the_base(void **state) {
  (void)state;
  static const double none[3];
  double worst[2], coarse[2];
  recorded r = record_run(ARM("[0, 0, 0]"), NULL);
  compare_impulses(worst, &r, none, 0);
  recorded_free(&r);
  table_head("Momentum gained against the integral of force and moment at the base, largest difference");
  table_bound("rk4: linear", worst[0], 1e-7, "Simpson's rule");
  table_bound("rk4: angular", worst[1], 1e-7, "Simpson's rule");
  for (int i = 0; i < 2; i++) {
    memcpy(coarse, worst, sizeof coarse);
    r = record_run(ARM("[0, 0, 0]"), (const char *[]){"solver.method=newmark", "solver.tolerance=1e-12",
                                                      i ? "solver.step=0.05 ms" : "solver.step=0.1 ms",
                                                      "outputs.every=0.1 ms", NULL});
    compare_impulses(worst, &r, none, 0);
    recorded_free(&r);
  }
  table_row("newmark, 0.1 ms over 0.05 ms: linear", coarse[0] / worst[0], 4, 0.1, "second order");
  table_row("newmark, 0.1 ms over 0.05 ms: angular", coarse[1] / worst[1], 4, 0.1, "second order");
}

static void weight_is_among_the_forces(void **state) {
  (void)state;
  static const double g = 9.81, bar = 2700 * 0.012 * 0.02, mass = 2 + 0.5 + bar * 1.1 + 0.3;
  double worst[2];
  recorded r = record_run(ARM("[0, 0, -9.81]"), NULL);
  compare_impulses(worst, &r, (double[]){0, 0, -mass * g}, 2);
  recorded_free(&r);
  table_head("The same under gravity");
  table_bound("rk4: linear", worst[0], 1e-7, "Simpson's rule");
  table_bound("rk4: angular, about the vertical", worst[1], 1e-7, "Simpson's rule");
}

// Mode linear has momentum and reactions to first order in the deviation: they belong to each other. What is
// left is the error of the step, as in mode nonlinear, and 1e-4 of what is of second order in the deviation.
static void momentum_of_mode_linear_follows_from_its_forces(void **state) {
  (void)state;
  static const char text[] =
      ARM("[0, 0, 0]") "motion:\n"
                       "  column: {profile: quintic, from: 0, to: 1, duration: 0.5 s}\n"
                       "  upper: {profile: quintic, from: 0, to: -0.5, duration: 0.5 s}\n"
                       "  fore: {profile: quintic, from: 0, to: 1, duration: 0.5 s}\n";
  static const char *const modes[] = {"solver.mode=nonlinear", "solver.mode=linear"};
  double middle[2];
  table_head("Prescribed motion, momentum gained against the integral of forces");
  for (int k = 0; k < 2; k++) {
    double worst[2];
    recorded r =
        record_run(text, (const char *[]){modes[k], "configuration={}",
                                          "drives={column: {type: prescribed}, upper: {type: "
                                          "prescribed}, fore: {type: prescribed}}",
                                          "solver.method=generalized-alpha", "solver.tolerance=1e-12", NULL});
    compare_impulses(worst, &r, (double[3]){0}, 0);
    middle[k] = recorded_channel(&r, "momentum.angular.z")[r.count / 2];
    recorded_free(&r);
    table_bound(k ? "linear: linear momentum" : "nonlinear: linear momentum", worst[0], 5e-7, "forces");
    table_bound(k ? "linear: angular momentum" : "nonlinear: angular momentum", worst[1], 5e-7, "moments");
  }
  table_row("linear: angular momentum at 0.25 s", middle[1], middle[0], 1e-3, "mode nonlinear");
}

// --- rotors ---

// A link that turns by w about z, and on it another one that does not turn against it.
#define SPINNING                                                                                               \
  "limber: 1\ngravity: [0, 0, 0]\nlinks:\n"                                                                    \
  "  - {name: one, body: {mass: 1, inertia: [0, 0, 0.2], tip: [0.4, 0, 0]}}\n"                                 \
  "  - {name: two, body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0, 0.01]}}\n"                                \
  "configuration: {one: {position: 0, velocity: 3}, two: {position: 0, velocity: 2}}\n"                        \
  "solver: {step: 1 ms, duration: 1 ms}\noutputs: {channels: [momentum.angular.z]}\n"

static double spin_of(const char *drives) {
  recorded r = record_run(SPINNING, (const char *[]){drives, NULL});
  double L = recorded_channel(&r, "momentum.angular.z")[0];
  recorded_free(&r);
  return L;
}

static void rotors_spin_with_their_carriers(void **state) {
  (void)state;
  // mass 1 at 0.5 with velocity 0.4 w1 + 0.1 (w1 + w2)
  const double bare = 0.2 * 3 + 0.01 * 5 + 0.5 * (0.4 * 3 + 0.1 * 5), I = 1e-3;
  table_head("Angular momentum of two links with motors, at 3 and 2 rad/s");
  table_row("without motors", spin_of("drives={}"), bare, 1e-14, "closed form");
  table_row("motor on the world, ratio 10",
            spin_of("drives={one: {type: motor, motor: {mass: 0, rotor_inertia: 1e-3, ratio: 10}}}"),
            bare + I * 10 * 3, 1e-14, "+ I 10 w1");
  table_row("motor on the first link, ratio 10",
            spin_of("drives={two: {type: motor, motor: {mass: 0, rotor_inertia: 1e-3, ratio: 10}}}"),
            bare + I * (10 * 2 + 3), 1e-14, "+ I (10 w2 + w1)");
  table_row(
      "a simple one",
      spin_of("drives={two: {type: motor, motor: {mass: 0, rotor_inertia: 1e-3, ratio: 10, rotor: simple}}}"),
      bare, 1e-14, "reflected inertia only");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rate_of_momentum_equals_outer_forces),
      cmocka_unit_test(angular_momentum_about_a_free_axis_is_conserved),
      cmocka_unit_test(linear_momentum_along_free_slides_is_conserved),
      cmocka_unit_test(channels_of_momentum_follow_from_forces_at_the_base),
      cmocka_unit_test(weight_is_among_the_forces),
      cmocka_unit_test(momentum_of_mode_linear_follows_from_its_forces),
      cmocka_unit_test(rotors_spin_with_their_carriers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
