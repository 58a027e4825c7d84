// engine_rigid_limit.c - the rigid limit of the engine: efforts of random trees with basis `rigid` against an
// independent computation in another formulation, and quasi-static efforts of links that are almost rigid.
//
// The other formulation: every link's pose in the world is a product of 4 x 4 transforms whose entries carry
// their first and second time derivatives (so no formula of relative motion is used); efforts follow from
// virtual power, summing the inertia forces of all links that a joint moves.
#include "engine_fixture.h"

#include "dynamics/recursion.h"
#include "path/assembly.h"

// --- numbers with their first and second derivative in time ---

typedef struct {
  double x, d, dd;
} jet;

static jet constant(double x) { return (jet){x, 0, 0}; }
static jet plus(jet a, jet b) { return (jet){a.x + b.x, a.d + b.d, a.dd + b.dd}; }
static jet times(jet a, jet b) {
  return (jet){a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd};
}
static jet minus(jet a) { return (jet){-a.x, -a.d, -a.dd}; }
static jet sine(jet a) {
  double s = sin(a.x), c = cos(a.x);
  return (jet){s, c * a.d, c * a.dd - s * a.d * a.d};
}
static jet cosine(jet a) {
  double s = sin(a.x), c = cos(a.x);
  return (jet){c, -s * a.d, -s * a.dd - c * a.d * a.d};
}

typedef struct {
  jet m[4][4];
} transform;

static transform unit(void) {
  transform T = {0};
  for (int i = 0; i < 4; i++) T.m[i][i] = constant(1);
  return T;
}

static transform product(transform A, transform B) {
  transform C = {0};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++) C.m[i][j] = plus(C.m[i][j], times(A.m[i][k], B.m[k][j]));
  return C;
}

static transform shift(jet x, jet y, jet z) {
  transform T = unit();
  T.m[0][3] = x;
  T.m[1][3] = y;
  T.m[2][3] = z;
  return T;
}

static transform move(const double x[3]) { return shift(constant(x[0]), constant(x[1]), constant(x[2])); }

// About one of the axes x, y, z.
static transform turn(int axis, jet angle) {
  transform T = unit();
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  T.m[i][i] = T.m[j][j] = cosine(angle);
  T.m[i][j] = minus(sine(angle));
  T.m[j][i] = sine(angle);
  return T;
}

// About a unit vector given by two angles: n = Rz(yaw) Ry(pitch) x.
static transform turn_about(double yaw, double pitch, jet angle) {
  transform to = product(turn(2, constant(yaw)), turn(1, constant(pitch)));
  transform back = product(turn(1, constant(-pitch)), turn(2, constant(-yaw)));
  return product(product(to, turn(0, angle)), back);
}

// Fixed axes: roll about x, then pitch about y, then yaw about z.
static transform roll_pitch_yaw(const double a[3]) {
  return product(turn(2, constant(a[2])), product(turn(1, constant(a[1])), turn(0, constant(a[0]))));
}

// --- random trees ---

enum { LINKS = 7, LUMPS = 2, TREES = 40, STATES = 5 };

typedef enum { REVOLUTE, PRISMATIC, FIXED } kind;

typedef struct {
  double mass, com[3], inertia[6]; // about com: xx yy zz xy xz yz
} lump;

typedef struct {
  int parent; // -1: the world
  bool at_base;
  kind joint;
  bool dh, beam;
  double xyz[3], rpy[3], yaw, pitch; // origin, axis
  double a, alpha, d, theta;
  double tip[3];
  int nlump;
  lump lumps[LUMPS];
} link_data;

typedef struct {
  link_data link[LINKS];
  int count;
  double gravity[3];
  char text[8000];
  size_t used;
} tree;

static int pick(unsigned *seed, int n) { return (int)((noise(seed) + 1) / 2 * n) % n; }

static void say(tree *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(tree *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  t->used += (size_t)vsnprintf(t->text + t->used, sizeof t->text - t->used, format, args);
  va_end(args);
  assert_true(t->used < sizeof t->text);
}

// A solid rectangle of 40 x 70 mm: what its beam weighs, as a lump.
static const double Y = 0.04, Z = 0.07, RHO = 2700;

static lump beam_lump(double L) {
  double A = Y * Z, Iz = Z * Y * Y * Y / 12, Iy = Y * Z * Z * Z / 12, m = RHO * A * L;
  return (lump){
      m, {L / 2, 0, 0}, {RHO * L * (Iy + Iz), m * L * L / 12 + RHO * L * Iy, m * L * L / 12 + RHO * L * Iz}};
}

static lump random_lump(unsigned *seed) {
  lump x = {.mass = 1.2 + noise(seed)};
  fill(x.com, 3, 0.2, seed);
  for (int i = 0; i < 3; i++) x.inertia[i] = 0.03 + 0.01 * noise(seed);
  fill(x.inertia + 3, 3, 0.003, seed);
  return x;
}

static void random_link(tree *t, int i, unsigned *seed) {
  link_data *a = &t->link[i];
  *a = (link_data){.parent = i == 0 ? -1 : pick(seed, i + 1) - 1, .at_base = pick(seed, 4) == 0};
  a->joint = (kind)pick(seed, 3);
  if (i == 0 && a->joint == FIXED) a->joint = REVOLUTE;
  a->dh = pick(seed, 3) == 0 && a->joint != FIXED;
  a->beam = pick(seed, 3) == 0;
  fill(a->xyz, 3, 0.3, seed);
  fill(a->rpy, 3, 1.5, seed);
  fill(a->tip, 3, 0.4, seed);
  a->yaw = 3 * noise(seed);
  a->pitch = noise(seed);
  a->a = a->dh ? 0.5 + 0.3 * noise(seed) : 0;
  a->alpha = noise(seed);
  a->d = 0.3 * noise(seed);
  a->theta = noise(seed);
  double length = a->dh ? a->a : 0.6 + 0.2 * noise(seed);
  if (a->beam) {
    a->lumps[0] = beam_lump(length);
    a->tip[0] = length;
    a->tip[1] = a->tip[2] = 0;
  } else {
    a->lumps[0] = random_lump(seed);
  }
  a->lumps[1] = random_lump(seed); // a concentrated mass at the base
  a->nlump = LUMPS;
}

static void describe_link(tree *t, int i) {
  static const char *const types[] = {"revolute", "prismatic", "fixed"};
  const link_data *a = &t->link[i];
  say(t, "  - name: l%d\n", i);
  if (a->parent < 0)
    say(t, "    parent: base\n");
  else
    say(t, "    parent: l%d\n    at: %s\n", a->parent, a->at_base ? "base" : "tip");
  say(t, "    joint: {type: %s, ", types[a->joint]);
  if (a->joint != FIXED && !a->dh)
    say(t, "axis: [%.17g, %.17g, %.17g], ", cos(a->pitch) * cos(a->yaw), cos(a->pitch) * sin(a->yaw),
        -sin(a->pitch));
  if (a->dh)
    say(t, "dh: {a: %.17g, alpha: %.17g, d: %.17g, theta: %.17g}}\n", a->a, a->alpha, a->d, a->theta);
  else
    say(t, "origin: {xyz: [%.17g, %.17g, %.17g], rpy: [%.17g, %.17g, %.17g]}}\n", a->xyz[0], a->xyz[1],
        a->xyz[2], a->rpy[0], a->rpy[1], a->rpy[2]);
  const lump *x = &a->lumps[0], *y = &a->lumps[1];
  if (a->beam && a->dh)
    say(t, "    beam: {section: s, material: m, elements: 3}\n");
  else if (a->beam)
    say(t, "    beam: {length: %.17g, section: s, material: m, elements: 3}\n", a->tip[0]);
  else
    say(t,
        "    body: {mass: %.17g, com: [%.17g, %.17g, %.17g], inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, "
        "%.17g], "
        "tip: [%.17g, %.17g, %.17g]}\n",
        x->mass, x->com[0], x->com[1], x->com[2], x->inertia[0], x->inertia[1], x->inertia[2], x->inertia[3],
        x->inertia[4], x->inertia[5], a->tip[0], a->tip[1], a->tip[2]);
  if (a->beam) say(t, "    basis: {type: rigid}\n");
  say(t,
      "    masses: [{at: base, mass: %.17g, xyz: [%.17g, %.17g, %.17g], inertia: [%.17g, %.17g, %.17g, %.17g, "
      "%.17g, "
      "%.17g]}]\n",
      y->mass, y->com[0], y->com[1], y->com[2], y->inertia[0], y->inertia[1], y->inertia[2], y->inertia[3],
      y->inertia[4], y->inertia[5]);
}

static void random_tree(tree *t, unsigned *seed) {
  *t = (tree){.count = 1 + pick(seed, LINKS)};
  fill(t->gravity, 3, 10, seed);
  say(t, "limber: 1\ngravity: [%.17g, %.17g, %.17g]\n", t->gravity[0], t->gravity[1], t->gravity[2]);
  say(t,
      "materials: {m: {E: 70 GPa, nu: 0.3, rho: %g}}\nsections: {s: {shape: rectangle, y: %g, z: "
      "%g}}\nlinks:\n",
      RHO, Y, Z);
  for (int i = 0; i < t->count; i++) {
    random_link(t, i, seed);
    describe_link(t, i);
  }
}

// --- efforts by virtual power ---

// Pose of each link and, in `joint`, of its joint before it moves.
static void poses(transform *pose, transform *joint, const tree *t, const jet *q) {
  for (int i = 0; i < t->count; i++) {
    const link_data *a = &t->link[i];
    transform T = a->parent < 0 ? unit() : pose[a->parent];
    if (a->parent >= 0 && !a->at_base) {
      const link_data *p = &t->link[a->parent];
      double x = p->tip[0] + (p->dh && !p->beam ? p->a : 0);
      T = product(T, move((double[]){x, p->tip[1], p->tip[2]}));
      if (p->dh) T = product(T, turn(0, constant(p->alpha)));
    }
    jet zero = constant(0);
    if (a->dh) {
      joint[i] = T;
      T = product(T, turn(2, plus(constant(a->theta), a->joint == REVOLUTE ? q[i] : zero)));
      T = product(T, shift(zero, zero, plus(constant(a->d), a->joint == PRISMATIC ? q[i] : zero)));
    } else {
      T = joint[i] = product(product(T, move(a->xyz)), roll_pitch_yaw(a->rpy));
      if (a->joint == REVOLUTE) T = product(T, turn_about(a->yaw, a->pitch, q[i]));
      jet x = times(constant(cos(a->pitch) * cos(a->yaw)), q[i]),
          y = times(constant(cos(a->pitch) * sin(a->yaw)), q[i]), z = times(constant(-sin(a->pitch)), q[i]);
      if (a->joint == PRISMATIC) T = product(T, shift(x, y, z));
    }
    pose[i] = T;
  }
}

static void cross(double out[3], const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = a[j] * b[k] - a[k] * b[j];
  }
}

// Force at the centre of mass and moment about it that the motion of a lump needs, world axes.
static void lump_forces(double c[3], double f[3], double n[3], const lump *x, const transform *T,
                        const double g[3]) {
  double w[3], alpha[3], I[3][3], Iw[3] = {0}, Ia[3] = {0};
  const double J[3][3] = {{x->inertia[0], x->inertia[3], x->inertia[4]},
                          {x->inertia[3], x->inertia[1], x->inertia[5]},
                          {x->inertia[4], x->inertia[5], x->inertia[2]}};
  for (int i = 0; i < 3; i++) {
    jet p = T->m[i][3];
    for (int k = 0; k < 3; k++) p = plus(p, times(T->m[i][k], constant(x->com[k])));
    c[i] = p.x;
    f[i] = x->mass * (p.dd - g[i]);
  }
  for (int i = 0; i < 3; i++) { // w~ = R' Rt, alpha~ = R'' Rt + R' R't: entries (k, j) of (i, j, k) cyclic
    int j = (i + 1) % 3, k = (i + 2) % 3;
    w[i] = alpha[i] = 0;
    for (int l = 0; l < 3; l++) {
      w[i] += T->m[k][l].d * T->m[j][l].x;
      alpha[i] += T->m[k][l].dd * T->m[j][l].x + T->m[k][l].d * T->m[j][l].d;
    }
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      I[i][j] = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) I[i][j] += T->m[i][k].x * J[k][l] * T->m[j][l].x;
      Iw[i] += I[i][j] * w[j];
      Ia[i] += I[i][j] * alpha[j];
    }
  cross(n, w, Iw);
  for (int i = 0; i < 3; i++) n[i] += Ia[i];
}

static bool moves(const tree *t, int joint, int link) {
  while (link >= 0 && link != joint) link = t->link[link].parent;
  return link == joint;
}

static void efforts(double *tau, const tree *t, const jet *q) {
  transform pose[LINKS], joint[LINKS];
  poses(pose, joint, t, q);
  for (int j = 0; j < t->count; j++) {
    const link_data *a = &t->link[j];
    double local[3] = {cos(a->pitch) * cos(a->yaw), cos(a->pitch) * sin(a->yaw), -sin(a->pitch)}, axis[3] = {0},
           o[3];
    if (a->dh) memcpy(local, (double[]){0, 0, 1}, sizeof local);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) axis[i] += joint[j].m[i][k].x * local[k];
      o[i] = pose[j].m[i][3].x;
    }
    tau[j] = 0;
    for (int i = 0; i < t->count; i++)
      for (int l = 0; l < t->link[i].nlump && moves(t, j, i); l++) {
        double c[3], f[3], n[3], arm[3], lever[3];
        lump_forces(c, f, n, &t->link[i].lumps[l], &pose[i], t->gravity);
        for (int k = 0; k < 3; k++) arm[k] = c[k] - o[k];
        cross(lever, arm, f);
        for (int k = 0; k < 3; k++) tau[j] += axis[k] * (a->joint == PRISMATIC ? f[k] : n[k] + lever[k]);
      }
  }
}

static double compare_tree(const tree *t, unsigned *seed, int *joints) {
  lim_model *model = model_of(t->text, NULL);
  lim_arm *s = NULL;
  assert_int_equal(lim_arm_new(&s, model, false, NULL), LIM_OK);
  lim_rec_work *w = lim_rec_work_new(s);
  assert_int_equal(s->nbody, t->count);
  double worst = 0;
  for (int k = 0; k < STATES; k++) {
    double q[LINKS] = {0}, v[LINKS] = {0}, a[LINKS] = {0}, r[LINKS], tau[LINKS], size = 0;
    jet x[LINKS] = {{0}};
    for (int i = 0; i < s->nbody; i++) {
      if (s->bodies[i].q < 0) continue;
      int j = s->bodies[i].q;
      q[j] = 2 * noise(seed);
      v[j] = 3 * noise(seed);
      a[j] = 10 * noise(seed);
      x[i] = (jet){q[j], v[j], a[j]};
    }
    lim_rec_residual(r, w, q, v, a);
    efforts(tau, t, x);
    for (int i = 0; i < s->nbody; i++)
      if (s->bodies[i].q >= 0) size = fmax(size, fabs(tau[i]));
    for (int i = 0; i < s->nbody; i++)
      if (s->bodies[i].q >= 0) worst = fmax(worst, fabs(r[s->bodies[i].q] - tau[i]) / size);
  }
  *joints += s->n;
  lim_rec_work_free(w);
  lim_arm_free(s);
  lim_model_free(model);
  return worst;
}

static void rigid_efforts_of_random_trees_equal_virtual_power(void **state) {
  (void)state;
  double worst = 0;
  unsigned seed = 2024;
  int joints = 0;
  tree *t = calloc(1, sizeof *t);
  for (int i = 0; i < TREES; i++) {
    random_tree(t, &seed);
    worst = fmax(worst, compare_tree(t, &seed, &joints));
  }
  free(t);
  table_head("Efforts of random trees with rigid links: largest difference over largest effort");
  char what[64];
  snprintf(what, sizeof what, "%d trees of up to %d links, %d joints, %d states", TREES, LINKS, joints, STATES);
  table_bound(what, worst, 1e-9, "virtual power, poses with derivatives");
}

// --- stiff links, mode quasi-static ---

typedef struct {
  double *effort; // of joints, record after record
  int count;
} effort_list;

static void watch_efforts(void *user, const lim_snapshot *m) {
  effort_list *x = user;
  for (int i = 0; i < m->system->nbody; i++)
    if (m->system->bodies[i].q >= 0) x->effort[x->count++] = m->effort[m->system->bodies[i].q];
}

static void quasi_static_efforts_of_very_stiff_links_equal_the_rigid_ones(void **state) {
  (void)state;
  static const char arm[] = "limber: 1\n"
                            "gravity: [1, -9.81, 2]\n"
                            "materials: {stiff: {E: 7e18, nu: 0.3, rho: 2700}}\n" // 70 GPa times 1e8
                            "sections: {s: {shape: rectangle, y: 40 mm, z: 60 mm}}\n"
                            "links:\n"
                            "  - {name: one, joint: {axis: [0, 0, 1]}, beam: {length: 0.8, section: s, "
                            "material: stiff, elements: 3}}\n"
                            "  - {name: two, joint: {axis: [0, 1, 0]}, beam: {length: 0.6, section: s, "
                            "material: stiff, elements: 4, segments: "
                            "2}, basis: {type: modes, count: 6}}\n"
                            "  - {name: three, joint: {type: prismatic, axis: [1, 0, 0], origin: {rpy: [0.1, "
                            "0.2, 0.3]}}, beam: {length: 0.5, "
                            "section: s, material: stiff, elements: 3}, masses: [{mass: 2}]}\n"
                            "motion:\n"
                            "  one: {profile: cycloidal, from: 0, to: 1, duration: 1 s}\n"
                            "  two: {profile: quintic, from: 0, to: -1, duration: 1 s}\n"
                            "  three: {profile: trapezoidal, from: 0, to: 0.2, duration: 1 s}\n"
                            "solver: {duration: 1 s, step: 10 ms, tolerance: 1e-12}\n";
  effort_list list[2];
  for (int i = 0; i < 2; i++) {
    list[i] = (effort_list){calloc(1000, sizeof(double)), 0};
    observation o = {.watch = watch_efforts, .user = &list[i]};
    observe(&o, arm, (const char *[]){i ? "solver.mode=rigid" : "solver.mode=quasi-static", NULL});
  }
  double worst = 0, size = 0;
  assert_int_equal(list[0].count, list[1].count);
  assert_true(list[0].count > 300);
  for (int i = 0; i < list[0].count; i++) {
    size = fmax(size, fabs(list[1].effort[i]));
    worst = fmax(worst, fabs(list[0].effort[i] - list[1].effort[i]));
  }
  table_head("Links 1e8 times as stiff as aluminium, mode quasi-static: efforts against mode rigid");
  table_bound("largest difference over largest effort", worst / size, 1e-7, "rigid limit");
  free(list[0].effort);
  free(list[1].effort);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_efforts_of_random_trees_equal_virtual_power),
      cmocka_unit_test(quasi_static_efforts_of_very_stiff_links_equal_the_rigid_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
