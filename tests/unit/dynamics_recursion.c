// dynamics_recursion.c - the recursion against independent paths: energies, kinematics by differences, its own
// inverse.
#include "fixture.h"

#include "arm/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/recursion.h"
#include "path/assembly.h"

// A branched spatial arm: flexible links of several bases, a rigid link, prismatic and fixed joints, offset
// frames, DH rows, segments, masses with offsets; motors of all kinds: where their joint is and elsewhere, with
// tilted axes, behind rigid and elastic gears, on the world, complete and simple.
static const char tree[] =
    "limber: 1\n"
    "gravity: [1, -2, -9.81]\n"
    "materials: {m: {E: 2 GPa, nu: 0.3, rho: 2700}}\n"
    "sections:\n"
    "  a: {shape: rectangle, y: 60 mm, z: 90 mm}\n"
    "  b: {shape: tube, outer: 90 mm, inner: 60 mm}\n"
    "frames:\n"
    "  - {name: bracket, on: five, at: 0.5, xyz: [0, 0.02, 0], rpy: [0.1, 0.2, 0.3]}\n"
    "  - {name: side, on: one, at: 0.43, xyz: [0.01, 0.05, -0.02], rpy: [0.3, -0.2, 0.5]}\n"
    "links:\n"
    "  - name: one\n"
    "    joint: {axis: [1, 2, 2], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}}\n"
    "    beam: {length: 0.8, section: a, material: m, elements: 4}\n"
    "    masses: [{at: 0.3, mass: 0.5, xyz: [0, 0.1, 0.05], inertia: [1e-3, 2e-3, 3e-3, 1e-4, 0, 2e-4]}]\n"
    "    damping: {ratio: 0.02}\n"
    "  - name: two\n"
    "    joint: {type: prismatic, axis: [0, 1, 1], origin: {rpy: [0.1, 0.2, 0.3]}}\n"
    "    beam: {length: 0.6, section: b, material: m, elements: 6, segments: 2}\n"
    "    basis: {type: modes, count: 5}\n"
    "    damping: {mass: 0.1, stiffness: 1e-4}\n"
    "  - name: three\n"
    "    parent: one\n"
    "    at: side\n"
    "    joint: {type: revolute, axis: [0, 1, 0]}\n"
    "    body: {mass: 1.5, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.04, 0.001, 0.002, 0.003], tip: "
    "[0.3, 0.1, 0]}\n"
    "  - name: four\n"
    "    joint: {dh: {a: 0.5, alpha: 60 deg, d: 0.1, theta: 20 deg}}\n"
    "    beam: {section: {from: a, to: a}, material: m, elements: 5}\n"
    "    basis: {type: craig-bampton, count: 3}\n"
    "    masses: [{mass: 0.3, inertia: [1e-3, 1e-3, 2e-3]}]\n"
    "  - name: five\n"
    "    joint: {type: fixed, origin: {rpy: [0, 0, 45 deg]}}\n"
    "    beam: {length: 0.3, section: a, material: m, elements: 2, element: euler-bernoulli}\n"
    "  - name: six\n"
    "    joint: {axis: [1, 0, 1]}\n"
    "    body: {mass: 0.2, com: [0.1, 0, 0], inertia: [1e-3, 2e-3, 2e-3]}\n"
    "  - name: seven\n"
    "    joint: {axis: [0, 1, 0]}\n"
    "    body: {mass: 0.2, com: [0.1, 0, 0], inertia: [1e-3, 2e-3, 2e-3]}\n"
    "drives:\n"
    "  one: {type: motor, motor: {mass: 1, rotor_inertia: 1e-4, ratio: 50}}\n"
    "  two: {type: motor, motor: {mass: 0.4, rotor_inertia: 2e-4, stator_inertia: 1e-4, ratio: 8, radius: 0.2, "
    "on: side, "
    "offset: [0.01, 0.02, 0.03], axis: [1, 2, -2]}, gear: {stiffness: 100}}\n"
    "  three: {type: motor, motor: {mass: 0.3, rotor_inertia: 3e-3, ratio: -5, axis: [1, 1, 0]}}\n"
    "  four: {type: motor, motor: {mass: 0.2, rotor_inertia: 2e-3, ratio: 7, on: bracket, axis: [0, 1, 2]}}\n"
    "  six: {type: motor, motor: {mass: 0.1, rotor_inertia: 1e-3, ratio: 4}, gear: {stiffness: 100}}\n"
    "  seven: {type: motor, motor: {mass: 0.1, rotor_inertia: 1e-3, ratio: 3, rotor: simple}}\n";

// Beams that slide: with a full basis, with modes, rigid; flexible behind the guide and not; with masses and
// links on their tips, behind an elastic gear.
static const char slides[] =
    "limber: 1\n"
    "gravity: [1, -2, -9.81]\n"
    "materials: {m: {E: 2 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 30 mm, z: 40 mm}}\n"
    "links:\n"
    "  - name: one\n"
    "    joint: {axis: [1, 2, 2], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}}\n"
    "    beam: {length: 0.5, section: a, material: m, elements: 2}\n"
    "    damping: {ratio: 0.02}\n"
    "  - name: two\n"
    "    joint: {type: prismatic, axis: [1, 0, 0], origin: {rpy: [0.1, 0.2, 0.3]}, slide: {behind: flexible}}\n"
    "    beam: {length: 1.6, section: a, material: m, elements: 3}\n"
    "    masses: [{mass: 0.5, xyz: [0, 0.1, 0.05], inertia: [1e-3, 2e-3, 3e-3, 1e-4, 0, 2e-4]}]\n"
    "    damping: {mass: 0.1, stiffness: 1e-4}\n"
    "  - name: three\n"
    "    joint: {axis: [0, 1, 1]}\n"
    "    beam: {length: 0.5, section: a, material: m, elements: 2}\n"
    "  - name: four\n"
    "    joint: {type: prismatic, axis: [1, 0, 0], origin: {rpy: [0.3, -0.2, 0.5]}, slide: {free_length: "
    "beam}}\n"
    "    beam: {length: 1.2, section: a, material: m, elements: 4}\n"
    "    basis: {type: modes, count: 6}\n"
    "    damping: {ratio: 0.03}\n"
    "  - name: five\n"
    "    joint: {axis: [0, 0, 1]}\n"
    "    body: {mass: 0.2, com: [0.1, 0.02, 0], inertia: [1e-3, 2e-3, 2e-3]}\n"
    "  - name: six\n"
    "    parent: one\n"
    "    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}\n"
    "    beam: {length: 1, section: a, material: m, elements: 2}\n"
    "    basis: {type: rigid}\n"
    "    masses: [{mass: 0.2}]\n"
    "drives:\n"
    "  four: {type: motor, motor: {mass: 0.4, rotor_inertia: 2e-4, ratio: 8, radius: 0.2}, gear: {stiffness: "
    "100}}\n";

// Carriages on rails that bend: in bases of all kinds, on segments, a beam as the carriage of another, two on
// one rail, with offsets, behind gears, with motors at the base of the rail and on the carriage; and a rail
// without shortening of its own, as its basis is rigid.
static const char rails[] =
    "limber: 1\n"
    "gravity: [1, -2, -9.81]\n"
    "materials: {m: {E: 2 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 30 mm, z: 40 mm}}\n"
    "links:\n"
    "  - name: one\n"
    "    joint: {axis: [1, 2, 2], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}}\n"
    "    beam: {length: 1.5, section: a, material: m, elements: 5}\n"
    "    damping: {ratio: 0.02}\n"
    "  - name: two\n"
    "    joint: {type: prismatic, rail: beam, origin: {xyz: [0.02, 0.05, -0.03], rpy: [0.1, 0.2, 0.3]}}\n"
    "    beam: {length: 1.2, section: a, material: m, elements: 6, segments: 2}\n"
    "    damping: {mass: 0.1, stiffness: 1e-4}\n"
    "  - name: three\n"
    "    joint: {type: prismatic, rail: beam, origin: {rpy: [0.3, -0.2, 0.5]}}\n"
    "    beam: {length: 1, section: a, material: m, elements: 4, element: timoshenko}\n"
    "    basis: {type: modes, count: 6}\n"
    "  - name: four\n"
    "    joint: {type: prismatic, rail: beam, origin: {xyz: [0, 0.1, 0]}}\n"
    "    body: {mass: 0.2, com: [0.1, 0.02, 0], inertia: [1e-3, 2e-3, 2e-3]}\n"
    "  - name: five\n"
    "    parent: one\n"
    "    joint: {type: prismatic, rail: beam}\n"
    "    beam: {length: 1, section: a, material: m, elements: 4, element: euler-bernoulli}\n"
    "    basis: {type: craig-bampton, count: 2}\n"
    "  - name: six\n"
    "    joint: {type: prismatic, rail: beam}\n"
    "    beam: {length: 1, section: a, material: m, elements: 2}\n"
    "    basis: rigid\n"
    "  - name: seven\n"
    "    joint: {type: prismatic, rail: beam, origin: {xyz: [0, 0.1, 0.1], rpy: [0, 1, 0]}}\n"
    "    body: {mass: 0.2, com: [0.1, 0.02, 0], inertia: [1e-3, 2e-3, 2e-3]}\n"
    "drives:\n"
    "  three: {type: motor, motor: {mass: 0.4, rotor_inertia: 2e-4, ratio: 8, radius: 0.2}, gear: {stiffness: "
    "100}}\n"
    "  five: {type: motor, motor: {mass: 0.4, rotor_inertia: 2e-4, ratio: 8, radius: 0.2, axis: [0, 1, 1]}}\n"
    "  seven: {type: motor, motor: {mass: 0.1, rotor_inertia: 2e-4, ratio: 8, radius: 0.2, on: seven.base}}\n";

typedef struct {
  lim_model *model;
  lim_arm *s;
  lim_rec_work *w;
  int n;
  double *q, *v, *a, *r, *x;
  lim_world_motion *body;
} arm;

// A beam in its guide; or one that hardly has a free length, and is as stiff. Stretch and twist are small, as
// in beams: what passes the guide with a strain is as much faster by it, which the equations leave out.
static void place_slide(arm *t, const lim_arm_body *b, bool is_short) {
  const lim_sliding *x = b->slide;
  t->q[b->q] = is_short ? 0.6 * x->edge : x->length * (0.5 + 0.3 * t->q[b->q]);
  t->v[b->q] *= is_short ? 0.02 : 1;
  t->a[b->q] *= is_short ? 0.02 : 1;
  for (int k = 0; k < x->n; k++) {
    bool along = x->index && x->index[k] % LIM_NODE / 2 % 3 == 0;
    t->q[b->e + k] *= (along ? 1e-5 : 1) * (is_short ? 1e-4 : 1);
    t->v[b->e + k] *= (along ? 1e-5 : 1) * (is_short ? 1e-3 : 1);
  }
}

// A carriage on a span, away from its nodes, at which accelerations have steps.
static void place_on_rail(arm *t, const lim_arm_body *b, unsigned *seed) {
  const int k = (int)((noise(seed) + 1) / 2 * b->nspan);
  const lim_rail_span *x = b->spans[k].section.rail;
  t->q[b->q] = x->start + x->length * (0.5 + 0.3 * noise(seed));
}

// Joints of order 1, deformations small enough to be one.
static void random_state(arm *t, unsigned seed) {
  fill(t->q, t->n, 1e-3, &seed);
  fill(t->v, t->n, 0.02, &seed);
  fill(t->a, t->n, 1.0, &seed);
  for (int i = 0; i < t->s->nbody; i++) {
    int q = t->s->bodies[i].q;
    if (q < 0) continue;
    t->q[q] *= 1200;
    t->v[q] *= 50;
    if (t->s->bodies[i].slide) place_slide(t, &t->s->bodies[i], seed == 3);
    if (t->s->bodies[i].nspan) place_on_rail(t, &t->s->bodies[i], &seed);
    int m = t->s->bodies[i].m;
    if (m < 0) continue;
    t->q[m] *= 1200;
    t->v[m] *= 50;
  }
}

static int set_up_model(void **state, const char *text) {
  lim_error err = {0};
  arm *t = calloc(1, sizeof *t);
  t->model = parse(text);
  if (lim_arm_new(&t->s, t->model, false, &err) != LIM_OK) {
    print_notes(&err);
    return 1;
  }
  t->n = t->s->n;
  t->w = lim_rec_work_new(t->s);
  t->q = calloc(5 * (size_t)t->n, sizeof(double));
  t->v = t->q + t->n;
  t->a = t->v + t->n;
  t->r = t->a + t->n;
  t->x = t->r + t->n;
  t->body = calloc((size_t)t->s->nbody, sizeof *t->body);
  *state = t;
  return 0;
}

static int set_up(void **state) { return set_up_model(state, tree); }
static int set_up_slides(void **state) { return set_up_model(state, slides); }
static int set_up_rails(void **state) { return set_up_model(state, rails); }

static int tear_down(void **state) {
  arm *t = *state;
  lim_rec_work_free(t->w);
  lim_arm_free(t->s);
  lim_model_free(t->model);
  free(t->body);
  free(t->q);
  free(t);
  return 0;
}

static void near(double x, double y, double tolerance, double scale, const char *what) {
  if (!(fabs(x - y) <= tolerance * scale)) fail_msg("%s: %.17g against %.17g, scale %g", what, x, y, scale);
}

static double largest(const double *x, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  return max;
}

static void forward_of_inverse_returns_the_accelerations(void **state) {
  arm *t = *state;
  for (unsigned seed = 1; seed <= 20; seed++) {
    random_state(t, seed);
    for (int i = 0; i < t->s->nbody;
         i++) // elastic forces are far larger than inertia forces: leave digits for these
      for (int k = 0; k < t->s->bodies[i].body->n; k++) t->q[t->s->bodies[i].e + k] *= 1e-4;
    double *zero = t->x;
    memset(zero, 0, (size_t)t->n * sizeof *zero);
    double *bias = calloc((size_t)t->n, sizeof *bias);
    lim_rec_residual(t->r, t->w, t->q, t->v, t->a);
    lim_rec_residual(bias, t->w, t->q, t->v, zero);
    assert_int_equal(lim_rec_factor(t->w, t->q, (lim_step_matrix){.M = 1}), -1);
    for (int i = 0; i < t->n; i++) t->r[i] -= bias[i];
    lim_rec_solve(t->r, t->w);
    for (int i = 0; i < t->n; i++) near(t->r[i], t->a[i], 1e-10, largest(t->a, t->n), "acceleration");
    free(bias);
  }
}

// M x = b: b - M x against the largest it is made of, which no condition of M spoils.
static void solution_solves_the_assembled_mass_matrix(void **state) {
  arm *t = *state;
  size_t n = (size_t)t->n;
  double *M = calloc(n * n + 4 * n, sizeof *M);
  for (unsigned seed = 1; seed <= 5; seed++) {
    random_state(t, seed);
    lim_assemble_mass(M, t->w, t->s, t->q, M + n * n);
    lim_rec_residual(t->r, t->w, t->q, t->v, t->a);
    memcpy(t->x, t->a, n * sizeof *t->x);
    assert_int_equal(lim_rec_factor(t->w, t->q, (lim_step_matrix){.M = 1}), -1);
    lim_rec_solve(t->x, t->w);
    for (size_t i = 0; i < n; i++) {
      double sum = 0, size = 0;
      for (size_t j = 0; j < n; j++) {
        sum += M[i * n + j] * t->x[j];
        size += fabs(M[i * n + j] * t->x[j]);
      }
      near(sum, t->a[i], 1e-8, size, "force"); // M is off by 1e-12 of its largest, not of each row
    }
  }
  free(M);
}

static void mass_matrix_is_symmetric_and_its_form_is_twice_the_kinetic_energy(void **state) {
  arm *t = *state;
  size_t n = (size_t)t->n;
  double *M = calloc(n * n + 4 * n, sizeof *M);
  for (unsigned seed = 1; seed <= 5; seed++) {
    random_state(t, seed);
    lim_assemble_mass(M, t->w, t->s, t->q, M + n * n);
    double scale = largest(M, (int)(n * n)), form = 0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        near(M[i * n + j], M[j * n + i], 1e-12, scale, "symmetry");
        form += t->v[i] * M[i * n + j] * t->v[j];
      }
    lim_kinematics(t->body, t->s, t->q, t->v, NULL);
    double T = lim_energies_of(t->s, t->body, t->q, t->v).kinetic;
    near(form / 2, T, 1e-12, T, "kinetic energy");
  }
  free(M);
}

// Kinetic energy of two coordinates moving at once, from kinematics in world axes.
static double energy_of_pair(arm *t, int i, int j) {
  memset(t->v, 0, (size_t)t->n * sizeof *t->v);
  t->v[i] += 1;
  if (j >= 0) t->v[j] += 1;
  lim_kinematics(t->body, t->s, t->q, t->v, NULL);
  return lim_energies_of(t->s, t->body, t->q, t->v).kinetic;
}

// M_ij = T(e_i + e_j) - T(e_i) - T(e_j): assembled body by body, without the recursion.
static void mass_matrix_of_the_recursion_equals_the_assembled_one(void **state) {
  arm *t = *state;
  size_t n = (size_t)t->n;
  double *M = calloc(n * n + 5 * n, sizeof *M), *alone = M + n * n + 4 * n;
  random_state(t, 11);
  lim_assemble_mass(M, t->w, t->s, t->q, M + n * n);
  double scale = largest(M, (int)(n * n));
  for (int i = 0; i < t->n; i++) alone[i] = energy_of_pair(t, i, -1);
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j <= i; j++) {
      double assembled = i == j ? 2 * alone[i] : energy_of_pair(t, i, j) - alone[i] - alone[j];
      near(M[(size_t)i * n + (size_t)j], assembled, 1e-12, scale, "mass matrix");
    }
  free(M);
}

static double total_energy(arm *t, const double *q, const double *v) {
  lim_kinematics(t->body, t->s, q, v, NULL);
  lim_energies e = lim_energies_of(t->s, t->body, q, v);
  return e.kinetic + e.strain + e.gravity;
}

// v . residual = d/dt (kinetic + strain + gravity) + v . D v: the equations derive from the energies.
static void power_of_the_residual_is_the_rate_of_energy(void **state) {
  arm *t = *state;
  for (unsigned seed = 1; seed <= 10; seed++) {
    random_state(t, seed);
    lim_rec_residual(t->r, t->w, t->q, t->v, t->a);
    double power = 0, rate = 0, damped, h = 4e-4;
    for (int i = 0; i < t->n; i++) power += t->v[i] * t->r[i];
    damped = lim_rec_damping_power(t->w);
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}; // 4th-order difference
    static const double at[4] = {-2, -1, 1, 2};
    double *q = calloc(2 * (size_t)t->n, sizeof *q), *v = q + t->n;
    for (int k = 0; k < 4; k++) {
      double dt = at[k] * h;
      for (int i = 0; i < t->n; i++) {
        q[i] = t->q[i] + dt * t->v[i] + dt * dt / 2 * t->a[i];
        v[i] = t->v[i] + dt * t->a[i];
      }
      rate += weight[k] * total_energy(t, q, v) / h;
    }
    near(power, rate + damped, 1e-8, fabs(power) + fabs(rate), "power");
    assert_true(fabs(damped) > 0);
    free(q);
  }
}

// Bodies with a common velocity and a spin about the world's origin more.
static double energy_carried_along(arm *t, lim_world_motion *moved, const double along[6], double sign) {
  for (int i = 0; i < t->s->nbody; i++) {
    const double *p = t->body[i].p, *w = along + 3;
    const double v[3] = {along[0] + w[1] * p[2] - w[2] * p[1], along[1] + w[2] * p[0] - w[0] * p[2],
                         along[2] + w[0] * p[1] - w[1] * p[0]};
    moved[i] = t->body[i];
    for (int k = 0; k < 3; k++) {
      moved[i].v[k] += sign * v[k];
      moved[i].w[k] += sign * w[k];
    }
  }
  return lim_energies_of(t->s, moved, t->q, t->v).kinetic;
}

// Momentum is the derivative of the kinetic energy along that, which is quadratic: a central difference of any
// size is exact. A rotor on the world, which does not move, has its own.
static void momentum_is_the_derivative_of_the_kinetic_energy_by_a_common_motion(void **state) {
  arm *t = *state;
  lim_world_motion *moved = calloc((size_t)t->s->nbody, sizeof *moved);
  for (unsigned seed = 1; seed <= 20; seed++) {
    random_state(t, seed);
    lim_kinematics(t->body, t->s, t->q, t->v, NULL);
    lim_momentum m = lim_momentum_of(t->s, t->body, t->q, t->v);
    for (int k = 0; k < 6; k++) {
      double along[6] = {0}, spin = 0;
      along[k] = 1;
      for (int i = 0; i < t->s->nrotor; i++) {
        const lim_rotor *r = &t->s->rotor[i];
        if (r->on.body < 0 && k >= 3) spin += r->inertia * r->ratio * t->v[r->x] * r->axis[k - 3];
      }
      double plus = energy_carried_along(t, moved, along, 1), minus = energy_carried_along(t, moved, along, -1);
      near(k < 3 ? m.linear[k] : m.angular[k - 3], (plus - minus) / 2 + spin, 1e-14, plus + minus, "momentum");
    }
  }
  free(moved);
}

// Velocities and accelerations of every site equal differences of positions and rotations.
static void kinematics_equal_finite_differences(void **state) {
  arm *t = *state;
  double *q = calloc(2 * (size_t)t->n, sizeof *q), *v = q + t->n, h = 5e-4;
  lim_world_motion *moved = calloc((size_t)t->s->nbody, sizeof *moved);
  for (unsigned seed = 1; seed <= 10; seed++) {
    random_state(t, seed);
    lim_kinematics(t->body, t->s, t->q, t->v, t->a);
    for (int k = 0; k < t->s->nsite; k++) {
      const lim_site *site = &t->s->site[k].site;
      const lim_world_motion *b = site->body < 0 ? NULL : &t->body[site->body];
      lim_world_motion m = lim_kinematics_site(t->s, site, b, t->q, t->v, t->a), side[4];
      static const double at[4] = {-2, -1, 1, 2};
      for (int i = 0; i < 4; i++) {
        double dt = at[i] * h;
        for (int j = 0; j < t->n; j++) {
          q[j] = t->q[j] + dt * t->v[j] + dt * dt / 2 * t->a[j];
          v[j] = t->v[j] + dt * t->a[j];
        }
        lim_kinematics(moved, t->s, q, v, NULL);
        side[i] = lim_kinematics_at(t->s, site, moved, q, v, NULL);
      }
// 4th-order central difference
#define RATE(x) ((side[0].x - 8 * side[1].x + 8 * side[2].x - side[3].x) / (12 * h))
      for (int i = 0; i < 3; i++) {
        near(m.v[i], RATE(p[i]), 1e-7, 1 + largest(m.v, 3), "velocity");
        near(m.a[i], RATE(v[i]), 1e-7, 1 + largest(m.a, 3), "acceleration");
        near(m.alpha[i], RATE(w[i]), 1e-7, 1 + largest(m.alpha, 3), "angular acceleration");
      }
      for (int i = 0; i < 3; i++) // R' = w~ R
        for (int j = 0; j < 3; j++) {
          int k1 = (i + 1) % 3, k2 = (i + 2) % 3;
          near(RATE(R[3 * i + j]), m.w[k1] * m.R[3 * k2 + j] - m.w[k2] * m.R[3 * k1 + j], 1e-7,
               1 + largest(m.w, 3), "rotation");
        }
    }
  }
  free(moved);
  free(q);
}

static void dual_residual_derivative_equals_difference(void **state) {
  arm *t = *state;
  lim_dual_work *w = lim_dual_work_new(t->s);
  lim_dual *x = calloc(4 * (size_t)t->n, sizeof *x);
  double *d = calloc(6 * (size_t)t->n, sizeof *d), *plus = d + 3 * t->n, *side = d + 4 * t->n, h = 1e-5;
  unsigned seed = 7;
  random_state(t, 3);
  fill(d, 3 * t->n, 0.1, &seed);
  for (int i = 0; i < t->s->nbody; i++) { // what is short changes quickly
    const lim_arm_body *b = &t->s->bodies[i];
    for (int k = b->q; b->slide && k < b->e + b->body->n; k++) d[k] *= 1e-3;
  }
  for (int i = 0; i < t->n; i++) {
    x[i] = (lim_dual){t->q[i], d[i]};
    x[t->n + i] = (lim_dual){t->v[i], d[t->n + i]};
    x[2 * t->n + i] = (lim_dual){t->a[i], d[2 * t->n + i]};
  }
  lim_dual_residual(x + 3 * t->n, w, x, x + t->n, x + 2 * t->n);
  lim_rec_residual(t->r, t->w, t->q, t->v, t->a);
  for (int k = 0; k < 2; k++) {
    double sign = k ? -2 * h : h; // t ends at -h
    for (int i = 0; i < t->n; i++) {
      t->q[i] += sign * d[i];
      t->v[i] += sign * d[t->n + i];
      t->a[i] += sign * d[2 * t->n + i];
    }
    lim_rec_residual(k ? side : plus, t->w, t->q, t->v, t->a);
  }
  double scale = largest(plus, t->n);
  for (int i = 0; i < t->n; i++) {
    near(x[3 * t->n + i].x, t->r[i], 1e-13, scale, "value");
    near(x[3 * t->n + i].d, (plus[i] - side[i]) / (2 * h), 1e-8, scale, "derivative");
  }
  free(d);
  free(x);
  lim_dual_work_free(w);
}

// Every point by itself, as if none were gathered. The number of bodies of each kind that changes.
static void scatter(arm *t, int kind[2]) {
  for (int i = 0; i < t->s->nbody; i++) {
    lim_body *b = (lim_body *)t->s->bodies[i].body;
    kind[0] += b->foreshortening.count > 0;
    kind[1] += b->nstretch > 0;
    b->gathered = b->foreshortening.count = 0;
    for (int k = 0; k < b->nstretch; k++) b->axial_stretch[k].w = 0;
  }
}

// x := residual, then the accelerations it makes
static void forces_and_solution(arm *t, double *x) {
  lim_rec_residual(x, t->w, t->q, t->v, t->a);
  memcpy(x + t->n, x, (size_t)t->n * sizeof *x);
  assert_int_equal(lim_rec_factor(t->w, t->q, (lim_step_matrix){.M = 1}), -1);
  lim_rec_solve(x + t->n, t->w);
}

static void gathered_points_do_what_each_of_them_does(void **state) {
  arm *t = *state;
  size_t n = (size_t)t->n;
  double *x = calloc(4 * n, sizeof *x), *y = x + 2 * n;
  int kind[2] = {0};
  random_state(t, 17);
  for (int i = 0; i < t->n; i++) t->q[i] *= 30, t->v[i] *= 100; // so far that terms of all orders show
  forces_and_solution(t, x);
  scatter(t, kind);
  forces_and_solution(t, y);
  for (size_t i = 0; i < n; i++) {
    near(x[i], y[i], 1e-13, largest(y, t->n), "force");
    near(x[n + i], y[n + i], 1e-9, largest(y + n, t->n), "solution"); // the matrix's condition takes digits
  }
  assert_true(kind[0] > 0 && kind[1] > 0);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(forward_of_inverse_returns_the_accelerations, set_up, tear_down),
      cmocka_unit_test_setup_teardown(solution_solves_the_assembled_mass_matrix, set_up, tear_down),
      cmocka_unit_test_setup_teardown(mass_matrix_is_symmetric_and_its_form_is_twice_the_kinetic_energy, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(mass_matrix_of_the_recursion_equals_the_assembled_one, set_up, tear_down),
      cmocka_unit_test_setup_teardown(power_of_the_residual_is_the_rate_of_energy, set_up, tear_down),
      cmocka_unit_test_setup_teardown(momentum_is_the_derivative_of_the_kinetic_energy_by_a_common_motion,
                                      set_up, tear_down),
      cmocka_unit_test_setup_teardown(kinematics_equal_finite_differences, set_up, tear_down),
      cmocka_unit_test_setup_teardown(gathered_points_do_what_each_of_them_does, set_up, tear_down),
      cmocka_unit_test_setup_teardown(dual_residual_derivative_equals_difference, set_up, tear_down),
      // the same of beams that slide
      {"slides_solution_solves_the_assembled_mass_matrix", solution_solves_the_assembled_mass_matrix,
       set_up_slides, tear_down, NULL},
      {"slides_mass_matrix_is_symmetric_and_its_form_is_twice_the_kinetic_energy",
       mass_matrix_is_symmetric_and_its_form_is_twice_the_kinetic_energy, set_up_slides, tear_down, NULL},
      {"slides_mass_matrix_of_the_recursion_equals_the_assembled_one",
       mass_matrix_of_the_recursion_equals_the_assembled_one, set_up_slides, tear_down, NULL},
      {"slides_power_of_the_residual_is_the_rate_of_energy", power_of_the_residual_is_the_rate_of_energy,
       set_up_slides, tear_down, NULL},
      {"slides_momentum_is_the_derivative_of_the_kinetic_energy_by_a_common_motion",
       momentum_is_the_derivative_of_the_kinetic_energy_by_a_common_motion, set_up_slides, tear_down, NULL},
      {"slides_kinematics_equal_finite_differences", kinematics_equal_finite_differences, set_up_slides,
       tear_down, NULL},
      {"slides_dual_residual_derivative_equals_difference", dual_residual_derivative_equals_difference,
       set_up_slides, tear_down, NULL},
      // and of carriages on rails
      {"rails_solution_solves_the_assembled_mass_matrix", solution_solves_the_assembled_mass_matrix,
       set_up_rails, tear_down, NULL},
      {"rails_mass_matrix_is_symmetric_and_its_form_is_twice_the_kinetic_energy",
       mass_matrix_is_symmetric_and_its_form_is_twice_the_kinetic_energy, set_up_rails, tear_down, NULL},
      {"rails_mass_matrix_of_the_recursion_equals_the_assembled_one",
       mass_matrix_of_the_recursion_equals_the_assembled_one, set_up_rails, tear_down, NULL},
      {"rails_power_of_the_residual_is_the_rate_of_energy", power_of_the_residual_is_the_rate_of_energy,
       set_up_rails, tear_down, NULL},
      {"rails_momentum_is_the_derivative_of_the_kinetic_energy_by_a_common_motion",
       momentum_is_the_derivative_of_the_kinetic_energy_by_a_common_motion, set_up_rails, tear_down, NULL},
      {"rails_kinematics_equal_finite_differences", kinematics_equal_finite_differences, set_up_rails,
       tear_down, NULL},
      {"rails_dual_residual_derivative_equals_difference", dual_residual_derivative_equals_difference,
       set_up_rails, tear_down, NULL},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
