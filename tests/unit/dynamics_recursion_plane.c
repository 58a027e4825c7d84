// dynamics_recursion_plane.c - the recursion in the plane against the one in space, on every planar model that
// there is and on one with everything that may hang on an arm.
#include "fixture.h"

#include "analysis/prepare.h"
#include "analysis/simulation/session.h"
#include "arm/plane.h"
#include "dynamics/recursion_instances.h"

#include <dirent.h>

// Bases of all kinds, segments, a slide, a rigid link with axes of its own, masses beside the axis and above
// the plane; motors where their joint is and elsewhere, behind rigid and elastic gears; springs, a bushing,
// loads that follow and that do not, air, all kinds of damping; gravity across the plane as well.
static const char everything[] =
    "limber: 1\n"
    "planar: xy\n"
    "gravity: [1, -9, -3]\n"
    "materials: {m: {E: 2 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 60 mm, z: 90 mm}}\n"
    "links:\n"
    "  - name: one\n"
    "    joint: {axis: [0, 0, 1], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0, 0, 0.6]}}\n"
    "    beam: {length: 0.8, section: a, material: m, elements: 4}\n"
    "    masses: [{at: 0.3, mass: 0.5, xyz: [0, 0.1, 0.05], inertia: [1e-3, 2e-3, 3e-3, 1e-4, 0, 2e-4]}]\n"
    "    damping: {ratio: 0.02}\n"
    "    air: {density: 1.2, drag: 1.1}\n"
    "  - name: two\n"
    "    joint: {type: prismatic, axis: [1, 2, 0], origin: {rpy: [0, 0, 0.3]}}\n"
    "    beam: {length: 0.6, section: a, material: m, elements: 6, segments: 2}\n"
    "    basis: {type: modes, count: 5}\n"
    "    masses: [{at: 0.7, mass: 0.2, xyz: [0.01, -0.05, 0.02]}]\n"
    "    damping: {mass: 0.1, stiffness: 1e-4}\n"
    "  - name: three\n"
    "    parent: one\n"
    "    joint: {axis: [0, 0, -1], origin: {xyz: [0, 0, 0.1]}}\n"
    "    body: {mass: 1.5, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.04, 0.001, 0.002, 0.003], tip: "
    "[0.3, 0.1, 0]}\n"
    "  - name: four\n"
    "    joint: {axis: [0, 0, 1]}\n"
    "    beam: {length: 0.5, section: a, material: m, elements: 5}\n"
    "    basis: {type: craig-bampton, count: 3}\n"
    "  - name: five\n"
    "    joint: {type: fixed, origin: {rpy: [0, 0, 45 deg]}}\n"
    "    beam: {length: 0.3, section: a, material: m, elements: 8}\n"
    "    basis: {type: modes, count: 16}\n"
    "drives:\n"
    "  one: {type: motor, motor: {mass: 1, rotor_inertia: 1e-4, ratio: 50}}\n"
    "  three: {type: motor, motor: {mass: 0.3, rotor_inertia: 3e-3, ratio: -5, on: two.tip, axis: [1, 1, 2]}}\n"
    "  four: {type: motor, motor: {mass: 0.1, rotor_inertia: 1e-3, ratio: 4}, gear: {stiffness: 100}}\n"
    "frames: [{name: above, on: one, at: 0.5, xyz: [0, 0.02, 0.1]}]\n"
    "springs:\n"
    "  - {name: s, between: [above, three.tip], stiffness: 300, damping: 2}\n"
    "bushings:\n"
    "  - {name: b, between: [two.tip, base], stiffness: [100, 200, 300, 1, 2, 3], damping: [1, 2, 3, 0.1, 0.2, "
    "0.3]}\n"
    "loads:\n"
    "  - {at: two.tip, force: [1, 2, 3], moment: [0.1, 0.2, 0.3]}\n"
    "  - {at: five.tip, force: [3, -2, 1], moment: [0.3, 0.2, 0.1], axes: link}\n";

typedef struct {
  lim_model *model;
  lim_session *session;
  lim_equations *e;
  lim_space_work *space;
  lim_plane_work *plane;
  int n;
  double *q, *v, *a, *r[2]; // (n)
  const char *name;
} arm;

static void start(arm *t, lim_model *model, const char *name) {
  lim_error err = {0};
  *t = (arm){.model = model, .name = name};
  lim_code code = lim_prepare_model(model, "models", &err);
  if (code == LIM_OK) code = lim_session_new(&t->session, model, NULL, &err);
  if (code == LIM_OK) code = lim_session_restart(t->session, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  t->e = t->session->equations;
  const lim_spring_elements *bonds = &t->e->inputs->spring_elements;
  t->n = t->e->s->n;
  t->space = lim_space_work_new(t->e->s);
  t->plane = lim_plane_work_new(t->e->s);
  assert_true(lim_space_bind(t->space, bonds->spring, t->e->length, bonds->count));
  assert_true(lim_plane_bind(t->plane, bonds->spring, t->e->length, bonds->count));
  lim_space_close(t->space, t->e->lambda);
  lim_plane_close(t->plane, t->e->lambda);
  lim_space_apply(t->space, t->e->wrench, t->e->inputs->nload);
  lim_plane_apply(t->plane, t->e->wrench, t->e->inputs->nload);
  t->q = calloc(5 * (size_t)t->n, sizeof *t->q);
  t->v = t->q + t->n;
  t->a = t->v + t->n;
  t->r[0] = t->a + t->n;
  t->r[1] = t->r[0] + t->n;
}

static void end(arm *t) {
  lim_space_work_free(t->space);
  lim_plane_work_free(t->plane);
  lim_session_free(t->session);
  lim_model_free(t->model);
  free(t->q);
}

// Joints of order 1, deformations small enough to be one; forces in loops.
static void random_state(arm *t, unsigned seed) {
  fill(t->q, t->n, 1e-3, &seed);
  fill(t->v, t->n, 0.02, &seed);
  fill(t->a, t->n, 1.0, &seed);
  fill(t->e->lambda, t->e->s->nrow, 1.0, &seed);
  for (int i = 0; i < t->e->s->nbody; i++) {
    int q = t->e->s->bodies[i].q;
    if (q < 0) continue;
    t->q[q] *= 1200;
    t->v[q] *= 50;
  }
}

static void equal(const arm *t, const double *x, const double *y, int n, double tolerance, const char *what) {
  double scale = 0;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(y[i]));
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i] - y[i]) <= tolerance * scale))
      fail_msg("%s, %s %d: %.17g in the plane, %.17g in space, largest %g", t->name, what, i, x[i], y[i],
               scale);
}

static void compare_residuals(arm *t) {
  lim_plane_residual(t->r[0], t->plane, t->q, t->v, t->a);
  lim_space_residual(t->r[1], t->space, t->q, t->v, t->a);
  equal(t, t->r[0], t->r[1], t->n, 1e-12, "residual");
  double power[2] = {lim_plane_damping_power(t->plane), lim_space_damping_power(t->space)};
  equal(t, power, power + 1, 1, 1e-12, "power of dampers");
  for (int i = 0; i < t->e->s->nbody; i++) {
    double F[3], N[3], along = lim_plane_axial_force(t->plane, i);
    lim_space_reaction(F, N, t->space, i);
    if (!(fabs(along - F[0]) <= 1e-11 * (fabs(F[0]) + fabs(F[1]) + fabs(N[2]))))
      fail_msg("%s: axial force", t->name);
  }
}

// The matrix of a step of 1 ms, with some drive on every joint.
static void compare_solutions(arm *t, unsigned seed) {
  const lim_step_matrix c = {.M = 1, .D = 5e-4, .K = 2.5e-7, .joint = t->e->joint, .gear = t->e->gear};
  for (int i = 0; i < t->e->s->nbody; i++) t->e->gear[i] = 2.5e-5;
  int bad = lim_space_factor(t->space, t->q, c);
  assert_int_equal(lim_plane_factor(t->plane, t->q, c), bad);
  if (bad >= 0) return; // pressed beyond what it bears
  fill(t->r[0], t->n, 1, &seed);
  memcpy(t->r[1], t->r[0], (size_t)t->n * sizeof *t->r[1]);
  lim_plane_solve(t->r[0], t->plane);
  lim_space_solve(t->r[1], t->space);
  equal(t, t->r[0], t->r[1], t->n, 1e-9, "solution"); // M has light axial coordinates beside heavy joints
}

static void compare_rows(arm *t) {
  size_t size = (size_t)t->e->s->nrow * (size_t)t->n;
  double *G = calloc(2 * size + 1, sizeof *G);
  lim_plane_loop_rows(G, t->plane, t->q);
  lim_space_loop_rows(G + size, t->space, t->q);
  equal(t, G, G + size, (int)size, 1e-12, "row of a loop");
  free(G);
}

// How far loops are open, against kinematics in the world.
static void compare_openings(arm *t) {
  size_t rows = (size_t)t->e->s->nrow;
  lim_row_state *row = calloc(3 * rows + 1, sizeof *row), *space = row + rows, *world = row + 2 * rows;
  lim_world_motion *body = calloc((size_t)t->e->s->nbody, sizeof *body);
  lim_kinematics(body, t->e->s, t->q, t->v, t->a);
  lim_loops_evaluate(world, t->e->s, body, t->q, t->v, t->a);
  lim_plane_loop_states(row, t->plane, t->q, t->v, t->a);
  lim_space_loop_states(space, t->space, t->q, t->v, t->a);
  equal(t, (double *)row, (double *)world, 3 * (int)rows, 1e-11, "opening of a loop");
  equal(t, (double *)space, (double *)world, 3 * (int)rows, 1e-11, "opening of a loop, in space");
  free(row);
  free(body);
}

// Energies against those point by point in space; of gravity the change, as what is across the plane is
// constant.
static void compare_energies(arm *t, bool gathered) {
  lim_world_motion *body = calloc((size_t)t->e->s->nbody, sizeof *body);
  lim_energies plane[2], space[2];
  for (unsigned k = 0; k < 2; k++) {
    random_state(t, 7 + k);
    const bool there = lim_plane_energies(&plane[k], t->plane, t->q, t->v);
    if (gathered) assert_true(there);
    if (!there) break;
    lim_kinematics(body, t->e->s, t->q, t->v, NULL);
    space[k] = lim_energies_of(t->e->s, body, t->q, t->v);
    equal(t, &plane[k].kinetic, &space[k].kinetic, 1, 1e-12, "kinetic energy");
    equal(t, &plane[k].strain, &space[k].strain, 1, 1e-12, "strain energy");
    if (k == 0) continue;
    const double change = space[1].gravity - space[0].gravity;
    if (!(fabs(plane[1].gravity - plane[0].gravity - change) <= 1e-12 * (1 + fabs(change))))
      fail_msg("%s: energy of gravity", t->name);
  }
  free(body);
}

static void compare(arm *t) {
  for (unsigned seed = 1; seed <= 3; seed++) {
    random_state(t, seed);
    compare_residuals(t);
    compare_rows(t);
    compare_openings(t);
    compare_solutions(t, seed);
  }
  for (int i = 0; i < t->e->s->nbody; i++) { // joints that are moved
    if (t->e->s->bodies[i].q < 0) continue;
    lim_plane_lock(t->plane, t->e->s->bodies[i].q, true);
    lim_space_lock(t->space, t->e->s->bodies[i].q, true);
  }
  compare_solutions(t, 4);
}

static void arm_with_everything_is_the_same_in_the_plane(void **state) {
  (void)state;
  arm t;
  start(&t, parse(everything), "everything");
  assert_true(lim_arm_in_plane(t.e->s));
  compare(&t);
  end(&t);
}

static void compare_model(const char *file, int *count) {
  lim_error err = {0};
  lim_model *model = NULL;
  char path[300];
  arm t;
  snprintf(path, sizeof path, "models/%s", file);
  assert_int_equal(lim_model_load(&model, path, NULL, 0, &err), LIM_OK);
  lim_error_clear(&err);
  if (model->planar != LIM_PLANE_XY) {
    lim_model_free(model);
    return;
  }
  start(&t, model, file);
  if (!lim_arm_in_plane(t.e->s)) fail_msg("%s is planar, but not in the plane", file);
  compare(&t);
  compare_energies(&t, false);
  end(&t);
  (*count)++;
}

static void planar_models_are_the_same_in_the_plane(void **state) {
  (void)state;
  int count = 0;
  DIR *folder = opendir("models");
  assert_non_null(folder);
  for (struct dirent *x; (x = readdir(folder));) {
    const char *dot = strrchr(x->d_name, '.');
    if (dot && !strcmp(dot, ".yaml")) compare_model(x->d_name, &count);
  }
  closedir(folder);
  assert_true(count > 15);
}

// Sums by products of coordinates against their derivatives.
static void closed_products_make_the_same_matrix(void **state) {
  (void)state;
  static const char *const set[] = {"links.upper.basis={type: modes, count: 3}",
                                    "links.fore.basis={type: modes, count: 3}"};
  lim_error err = {0};
  lim_model *model = NULL;
  arm t;
  assert_int_equal(lim_model_load(&model, "models/strip-two-link.yaml", set, 2, &err), LIM_OK);
  start(&t, model, "modes");
  random_state(&t, 5);
  lim_plane_residual(t.r[0], t.plane, t.q, t.v, t.a);
  lim_space_residual(t.r[1], t.space, t.q, t.v, t.a);
  const lim_step_matrix c = {.M = 1};
  assert_int_equal(lim_plane_factor(t.plane, t.q, c), -1);
  for (int i = 0; i < t.e->s->nbody; i++) {
    lim_body_foreshortening *b = &t.e->s->bodies[i].body->foreshortening;
    assert_non_null(b->block);
    b->block = NULL;
  }
  assert_int_equal(lim_space_factor(t.space, t.q, c), -1);
  for (int k = 0; k < t.n; k++) t.r[0][k] = t.r[1][k] = t.a[k];
  lim_plane_solve(t.r[0], t.plane);
  lim_space_solve(t.r[1], t.space);
  equal(&t, t.r[0], t.r[1], t.n, 1e-11, "acceleration");
  end(&t);
}

// The strip with two links, both changed alike, and whether it is gathered for the plane as it should be.
static void compare_strip(const char *change, const char *stiffening, bool beam, bool modes) {
  char set[2][128];
  lim_error err = {0};
  lim_model *model = NULL;
  arm t;
  snprintf(set[0], sizeof set[0], "links.upper.%s", change);
  snprintf(set[1], sizeof set[1], "links.fore.%s", change);
  const char *const all[] = {set[0], set[1], stiffening};
  assert_int_equal(lim_model_load(&model, "models/strip-two-link.yaml", all, 3, &err), LIM_OK);
  start(&t, model, change);
  for (int i = 0; i < t.e->s->nbody; i++) {
    assert_int_equal(t.e->s->bodies[i].body->beam != NULL, beam);
    assert_int_equal(t.e->s->bodies[i].body->modes != NULL, modes);
  }
  compare(&t);
  const lim_planar_modes *few = t.e->s->bodies[0].body->modes;
  const bool bends = few && few->shortened; // and nothing else
  if (!strcmp(change, "basis={type: modes, count: 3}") && strstr(stiffening, "=on")) assert_true(bends);
  compare_energies(&t, beam || bends);
  end(&t);
}

// Nodes and elements in pairs, with one left over and without; a few modes of every number, and more.
static void what_is_gathered_for_the_plane_is_the_same(void **state) {
  (void)state;
  static const char *const STIFFENING[] = {"solver.stiffening=on", "solver.stiffening=off"};
  for (int k = 0; k < 2; k++) {
    for (int elements = 1; elements <= 5; elements++) {
      char change[64];
      snprintf(change, sizeof change, "beam.elements=%d", elements);
      compare_strip(change, STIFFENING[k], true, elements == 1); // of few coordinates in either way
    }
    for (int count = 1; count <= 5; count++) {
      char change[64];
      snprintf(change, sizeof change, "basis={type: modes, count: %d}", count);
      compare_strip(change, STIFFENING[k], false, count <= LIM_PLANAR_MODES);
    }
    compare_strip("basis={type: craig-bampton, count: 1}", STIFFENING[k], false, true);
    compare_strip("masses=[{at: 0.4, mass: 0.1}]", STIFFENING[k], true, false);
    compare_strip("masses=[{at: 0.4, mass: 0.1, xyz: [0, 0.02, 0]}]", STIFFENING[k], false, false);
  }
}

// A spring out of the plane has a length that the plane does not show; a beam that slides has a recursion of
// its own.
static void what_leaves_the_plane_is_left_to_space(void **state) {
  (void)state;
  static const char *const set[] = {"springs.s.between=[one.tip, three.tip]"};
  arm t;
  start(&t, parse_with(everything, set, 1), "spring");
  assert_true(lim_arm_in_plane(t.e->s));
  assert_false(lim_spring_in_plane(t.e->s, &t.e->inputs->spring_elements.spring[0]));
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arm_with_everything_is_the_same_in_the_plane),
      cmocka_unit_test(planar_models_are_the_same_in_the_plane),
      cmocka_unit_test(closed_products_make_the_same_matrix),
      cmocka_unit_test(what_is_gathered_for_the_plane_is_the_same),
      cmocka_unit_test(what_leaves_the_plane_is_left_to_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
