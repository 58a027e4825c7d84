// engine_energy.c - the books of undamped arms in motion: energy over 25000 steps, linear and angular momentum.
// What an integrator dissipates by itself counts as error. Bound: 1e-6 % of the peak of kinetic plus strain
// energy, root mean square over the run (FLEXROB, table 3 reports 2.53e-4 and 2.46e-3).
#include "engine_fixture.h"

#include "dynamics/recursion.h"
#include "path/assembly.h"

static const char strip[] =
    STRIP("    basis: {type: modes, count: 3}\n") "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

static const char prototype[] = PROTOTYPE "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

// The spatial arm of the Timoshenko thesis on a wall, let go: the first axis is not along gravity, so that it
// falls in space.
static const char spatial[] =
    "limber: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: {steel: {E: 207 GPa, nu: 0.3, rho: 7850}}\n"
    "sections: {tube: {shape: general, A: 915 mm^2, Iy: 1.08e6 mm^4, Iz: 1.08e6 mm^4, J: 2.16e6 mm^4, kappa: "
    "0.54}}\n"
    "links:\n"
    "  - name: column\n"
    "    joint: {dh: {a: 0, alpha: 90 deg, d: 500 mm}}\n"
    "    body: {mass: 5, inertia: [0.1, 0.1, 0.05]}\n"
    "  - name: upper\n"
    "    joint: {dh: {a: 1000 mm, alpha: 0, d: 0}}\n"
    "    beam: {section: tube, material: steel, elements: 4}\n"
    "    basis: {type: modes, count: 4}\n"
    "  - name: fore\n"
    "    joint: {dh: {a: 1000 mm, alpha: 0, d: 0}}\n"
    "    beam: {section: tube, material: steel, elements: 4}\n"
    "    basis: {type: modes, count: 4}\n"
    "configuration: {upper: 30 deg, fore: -60 deg}\n"
    "solver: {duration: 1 s, step: 0.04 ms, tolerance: 1e-12}\n";

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// Balance and end of each method; the end against CVODE at a tight tolerance, in parts of the arm's reach.
static void balance(const char *title, const char *text, double reach, const char *extra1, const char *extra2) {
  static const struct {
    const char *method, *name;
    double end; // bound of the distance to the reference, over the reach
  } ROWS[] = {{"solver.method=newmark", "newmark", 1e-6},
              {"solver.method=generalized-alpha", "generalized-alpha", 1e-6},
              {"solver.method=rk4", "rk4", 1e-8}};
  observation reference = {0};
  observe(&reference, text,
          (const char *[]){"solver.method=cvode", "solver.step=10 ms", "solver.tolerance=1e-9", extra1, extra2,
                           NULL});
  table_head(title);
  table_bound("cvode: rms balance [%]", reference.run.balance_percent_rms, 1e-6,
              "closed books; FLEXROB, table 3");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    observation o = {0};
    char what[64];
    observe(&o, text, (const char *[]){ROWS[i].method, extra1, extra2, NULL});
    assert_true(o.run.steps >= 25000);
    snprintf(what, sizeof what, "%s: rms balance [%%]", ROWS[i].name);
    table_bound(what, o.run.balance_percent_rms, 1e-6, "closed books; FLEXROB, table 3");
    snprintf(what, sizeof what, "%s: tip at 1 s off cvode's, over reach", ROWS[i].name);
    table_bound(what, distance(o.tip, reference.tip) / reach, ROWS[i].end, "tight reference");
  }
}

static void torque_driven_two_link_arm_balances_its_energy(void **state) {
  (void)state;
  balance("Two-link strip, torques in time", strip, 1, NULL, NULL);
  observation o = {0};
  observe(&o, strip, (const char *[]){"links.upper.basis={type: full}", "links.fore.basis={type: full}", NULL});
  table_bound("generalized-alpha, full basis: rms balance [%]", o.run.balance_percent_rms, 1e-6,
              "closed books");
}

static void rigid_torques_on_prototype_balance_its_energy(void **state) {
  (void)state;
  balance("Prototype of FLEXROB, pick and place (quintic), rigid torques", prototype, 0.8, NULL, NULL);
  balance("Prototype of FLEXROB, steps of acceleration (bang-bang), rigid torques", prototype, 0.8,
          "motion.upper.profile=bang-bang", "motion.fore.profile=bang-bang");
}

static void falling_spatial_arm_balances_its_energy(void **state) {
  (void)state;
  balance("Falling spatial 3R arm", spatial, 2, NULL, NULL);
}

// The balance of implicit methods falls with the square of the step: it is the method's, not the equations'.
static void balance_of_implicit_method_falls_with_the_square_of_the_step(void **state) {
  (void)state;
  double rms[2];
  for (int i = 0; i < 2; i++) {
    observation o = {0};
    observe(&o, spatial, (const char *[]){i ? "solver.step=0.1 ms" : "solver.step=0.2 ms", NULL});
    rms[i] = o.run.balance_percent_rms;
  }
  table_head("Falling spatial 3R arm: balance at 0.2 ms over balance at 0.1 ms");
  table_row("generalized-alpha", rms[0] / rms[1], 4, 0.1, "second order");
}

// --- momentum ---

// Momentum is the derivative of the kinetic energy along a common velocity (or spin about the world's origin);
// the energy is quadratic, so a central difference of any size is exact.
static double momentum_along(const lim_arm *s, const lim_world_motion *body, lim_world_motion *moved,
                             const double *q, const double *v, const double push[3], const double spin[3]) {
  double T[2];
  for (int side = 0; side < 2; side++) {
    double sign = side ? 1 : -1;
    for (int i = 0; i < s->nbody; i++) {
      moved[i] = body[i];
      const double *p = body[i].p;
      double turn[3] = {spin[1] * p[2] - spin[2] * p[1], spin[2] * p[0] - spin[0] * p[2],
                        spin[0] * p[1] - spin[1] * p[0]};
      for (int k = 0; k < 3; k++) {
        moved[i].v[k] += sign * (push[k] + turn[k]);
        moved[i].w[k] += sign * spin[k];
      }
    }
    T[side] = lim_energies_of(s, moved, q, v).kinetic;
  }
  return (T[1] - T[0]) / 2;
}

// Linear and angular momentum about the world's origin. out (6)
static void momentum(double out[6], const lim_arm *s, const double *q, const double *v) {
  lim_world_motion *body = calloc(2 * (size_t)s->nbody, sizeof *body);
  lim_kinematics(body, s, q, v, NULL);
  for (int k = 0; k < 6; k++) {
    double along[6] = {0};
    along[k] = 1;
    out[k] = momentum_along(s, body, body + s->nbody, q, v, along, along + 3);
  }
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
  momentum(P, m->system, m->q, m->v);
  if (!x->begun) memcpy(x->first, P, sizeof P);
  x->begun = true;
  for (int k = 0; k < 6; k++) {
    x->drift[k] = fmax(x->drift[k], fabs(P[k] - x->first[k]));
    x->size[k] = fmax(x->size[k], fabs(P[k]));
  }
}

static void angular_momentum_about_a_free_axis_is_conserved(void **state) {
  (void)state;
  momentum_watch x = {.begun = false};
  observation o = {.watch = watch_momentum, .user = &x};
  observe(&o, strip,
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torque_driven_two_link_arm_balances_its_energy),
      cmocka_unit_test(rigid_torques_on_prototype_balance_its_energy),
      cmocka_unit_test(falling_spatial_arm_balances_its_energy),
      cmocka_unit_test(balance_of_implicit_method_falls_with_the_square_of_the_step),
      cmocka_unit_test(rate_of_momentum_equals_outer_forces),
      cmocka_unit_test(angular_momentum_about_a_free_axis_is_conserved),
      cmocka_unit_test(linear_momentum_along_free_slides_is_conserved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
