// engine_first_order.c - what the printed linear peaks of the fast flexible 2R arm are (the Timoshenko thesis,
// 60 degrees in 0.5 s and 0.35 s).
//
// limber's mode `linear` expands the equations of motion to first order in the deformation d about the rigid
// motion. The printed peaks come from kinematics cut to first order *before* virtual power is formed: points
// move by J d with the Jacobian J of the undeformed arm, so that
//
//   J' m (x_r'' + (J d)'') + K d = 0,
//
// which lacks (dJ/dq d)' m x_r'': the inertia forces of the rigid motion on second-order displacements. In this
// arm these are the turning of link 2 by the elastic rotation t of link 1's tip,
//
//   G = Hessian of the sum over link 2 of w f . (-X t^2/2 + t e_z x N d2),  f = x_r'' of its points.
//
// The test takes G out of the exact derivatives and integrates. Mode `linear` keeps it, mode `conventional` is
// without.
#include "engine_fixture.h"

#include "dynamics/mass_matrix.h"
#include "dynamics/recursion.h"
#include "path/assembly.h"

static const char arm[] = ROD "links:\n"
                              "  - name: upper\n"
                              "    beam: {length: 1 m, section: rod, material: aluminium, elements: 8}\n"
                              "    basis: {type: craig-bampton, count: 6}\n"
                              "  - name: fore\n"
                              "    beam: {length: 1 m, section: rod, material: aluminium, elements: 8}\n"
                              "    basis: {type: craig-bampton, count: 6}\n"
                              "motion:\n"
                              "  upper: {profile: cycloidal, from: 0, to: 60 deg, duration: 0.5 s}\n"
                              "  fore: {profile: cycloidal, from: 0, to: 60 deg, duration: 0.5 s}\n"
                              "solver: {duration: 1 s, step: 0.5 ms, mode: linear, stiffening: off}\n";

enum { MAX = 40 };

typedef struct {
  lim_model *model;
  lim_arm *s;
  lim_rec_work *w;
  lim_dual_work *dual;
  int n;
  double q[MAX], v[MAX], a[MAX];                // rigid motion
  double M[MAX][MAX], C[MAX][MAX], K[MAX][MAX]; // of the deviation
  double r[MAX];                                // inertia forces of the rigid motion
} expansion;

// 60 degrees on a cycloid, both joints.
static void rigid_motion(expansion *x, double t, double T) {
  double S = M_PI / 3, u = fmin(t / T, 1), w = 2 * M_PI / T;
  for (int i = 0; i < 2; i++) {
    int j = x->s->bodies[i].q;
    x->q[j] = S * (u - sin(2 * M_PI * u) / (2 * M_PI));
    x->v[j] = S / T * (1 - cos(2 * M_PI * u));
    x->a[j] = S / T * w * sin(2 * M_PI * u);
  }
}

// Exact derivatives of the residual about the rigid motion.
static void expand(expansion *x) {
  double scratch[4 * MAX], M[MAX * MAX];
  lim_dual y[4 * MAX];
  int n = x->n;
  lim_assemble_mass(M, x->w, x->s, x->q, scratch);
  lim_rec_residual(x->r, x->w, x->q, x->v, x->a);
  for (int c = 0; c < 2 * n; c++) {
    for (int i = 0; i < n; i++) {
      y[i] = (lim_dual){x->q[i], i == c};
      y[n + i] = (lim_dual){x->v[i], n + i == c};
      y[2 * n + i] = (lim_dual){x->a[i], 0};
    }
    lim_dual_residual(y + 3 * n, x->dual, y, y + n, y + 2 * n);
    for (int i = 0; i < n; i++) *(c < n ? &x->K[i][c] : &x->C[i][c - n]) = y[3 * n + i].d;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x->M[i][j] = M[i * n + j];
}

// K -= G. Sums over link 2 from its coefficients: w X, w X^2, w N, w X N (rotary inertia of sections aside).
static void cut_kinematics(expansion *x) {
  const lim_arm_body *one = &x->s->bodies[0], *two = &x->s->bodies[1];
  const lim_body *b = two->body;
  const lim_section_motion *tip = &two->on.section;
  double w1 = x->v[one->q], w2 = w1 + x->v[two->q], alpha1 = x->a[one->q], alpha2 = alpha1 + x->a[two->q];
  double c = cos(x->q[two->q]), s = sin(x->q[two->q]), L = 1;
  double ax = -w1 * w1 * L * c + alpha1 * L * s,
         ay = w1 * w1 * L * s + alpha1 * L * c; // of the elbow, axes of link 2
  const double *turn = tip->N + 5 * tip->count; // t = turn . d1
  double tt = -(b->moment[0] * ax - w2 * w2 * b->inertia[2]);
  for (int i = 0; i < tip->count; i++) {
    double *row = x->K[one->e + tip->first + i];
    for (int j = 0; j < tip->count; j++) row[one->e + tip->first + j] -= tt * turn[i] * turn[j];
    for (int j = 0; j < b->n; j++) {
      double t2 = -b->first[b->n + j] * ax + w2 * w2 * b->second[2 * b->n + j] + b->first[j] * ay +
                  alpha2 * b->inertia1[b->n + j] / 2;
      row[two->e + j] -= t2 * turn[i];
      x->K[two->e + j][one->e + tip->first + i] -= t2 * turn[i];
    }
  }
}

// x := A^-1 x, A (n x n) is destroyed: elimination without exchange, A is near its symmetric positive part.
static void eliminate(double A[MAX][MAX], double *x, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
}

// Newmark's step of M d'' + C d' + K d + r = 0; joints stay.
static void step(const expansion *x, double *d, double *rate, double *acc, double h) {
  double A[MAX][MAX], b[MAX];
  int n = x->n;
  for (int i = 0; i < n; i++) {
    d[i] += h * rate[i] + h * h / 4 * acc[i];
    rate[i] += h / 2 * acc[i];
  }
  for (int i = 0; i < n; i++) {
    bool joint = i == x->s->bodies[0].q || i == x->s->bodies[1].q;
    b[i] = joint ? 0 : -x->r[i];
    for (int j = 0; j < n; j++) {
      A[i][j] = joint ? i == j : x->M[i][j] + h / 2 * x->C[i][j] + h * h / 4 * x->K[i][j];
      if (!joint) b[i] -= x->C[i][j] * rate[j] + x->K[i][j] * d[j];
    }
  }
  eliminate(A, b, n);
  for (int i = 0; i < n; i++) {
    acc[i] = b[i];
    rate[i] += h / 2 * b[i];
    d[i] += h * h / 4 * b[i];
  }
}

// Tip error to first order: central difference along d.
static void tip_error(double out[2], const expansion *x, const double *d) {
  double side[2][3], q[MAX];
  lim_world_motion body[2];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < x->n; i++) q[i] = x->q[i] + (k ? 1e-4 : -1e-4) * d[i];
    lim_kinematics(body, x->s, q, NULL, NULL);
    memcpy(side[k], lim_kinematics_site(x->s, &x->s->site[0].site, &body[1], q, NULL, NULL).p, sizeof side[k]);
  }
  for (int i = 0; i < 2; i++) out[i] = (side[1][i] - side[0][i]) / 2e-4;
}

static void peaks_of(double peak[2], double T, bool cut) {
  static expansion x;
  x = (expansion){.model = model_of(arm, NULL)};
  assert_int_equal(lim_arm_new(&x.s, x.model, false, NULL), LIM_OK);
  x.w = lim_rec_work_new(x.s);
  x.dual = lim_dual_work_new(x.s);
  x.n = x.s->n;
  assert_true(x.n <= MAX && x.s->nbody == 2);
  double d[MAX] = {0}, rate[MAX] = {0}, acc[MAX] = {0}, error[2], h = 5e-4;
  peak[0] = peak[1] = 0;
  for (int k = 1; k <= 2000; k++) {
    rigid_motion(&x, k * h, T);
    expand(&x);
    if (cut) cut_kinematics(&x);
    step(&x, d, rate, acc, h);
    tip_error(error, &x, d);
    for (int i = 0; i < 2; i++) peak[i] = fmax(peak[i], fabs(error[i]));
  }
  lim_dual_work_free(x.dual);
  lim_rec_work_free(x.w);
  lim_arm_free(x.s);
  lim_model_free(x.model);
}

static void printed_linear_peaks_come_from_kinematics_cut_to_first_order(void **state) {
  (void)state;
  static const struct {
    double T;
    const char *upper, *fore, *name;
    double printed[2];
  } ROWS[] = {{0.5, "motion.upper.duration=0.5", "motion.fore.duration=0.5", "0.5 s", {278.2, 232.3}},
              {0.35, "motion.upper.duration=0.35", "motion.fore.duration=0.35", "0.35 s", {823.7, 430.5}}};
  static const char *const axis[2] = {"|dx|", "|dy|"};
  char what[64];
  table_head("Flexible 2R arm, fast: largest tip errors to first order [mm]");
  for (int i = 0; i < 2; i++) {
    double cut[2], exact[2];
    observation o = {0}, conventional = {0};
    peaks_of(cut, ROWS[i].T, true);
    peaks_of(exact, ROWS[i].T, false);
    observe(&o, arm, (const char *[]){ROWS[i].upper, ROWS[i].fore, NULL});
    observe(&conventional, arm,
            (const char *[]){ROWS[i].upper, ROWS[i].fore, "solver.mode=conventional", NULL});
    for (int k = 0; k < 2; k++) {
      snprintf(what, sizeof what, "%s, kinematics cut first, %s", ROWS[i].name, axis[k]);
      table_row(what, 1e3 * cut[k], ROWS[i].printed[k], 5e-3, "the Timoshenko thesis, recomputed (linear)");
      snprintf(what, sizeof what, "%s, mode linear, %s", ROWS[i].name, axis[k]);
      table_row(what, 1e3 * o.error[k], 1e3 * exact[k], 1e-3, "derivatives of the residual, this test");
      snprintf(what, sizeof what, "%s, mode conventional, %s", ROWS[i].name, axis[k]);
      table_row(what, 1e3 * conventional.error[k], 1e3 * cut[k], 1e-3, "kinematics cut first, this test");
    }
  }
}

static void conventional_peaks_of_the_full_basis_are_the_printed_ones(void **state) {
  (void)state;
  static const double PRINTED[2] = {278.07, 232.21};
  observation o = {0};
  observe(&o, arm,
          (const char *[]){"links.upper.basis={type: full}", "links.fore.basis={type: full}",
                           "solver.step=0.25 ms", "solver.mode=conventional", NULL});
  table_head("Flexible 2R arm in 0.5 s, mode conventional, full basis [mm]");
  for (int k = 0; k < 2; k++)
    table_row(k ? "|dy|" : "|dx|", 1e3 * o.error[k], PRINTED[k], 2e-4, "the Timoshenko thesis, recomputed");
}

// --- in space ---

// Links without mass to speak of, with points of mass: J'm (J d)'' + K d and J'm (x_r'' - g) can be had from
// the places of the points alone.
static const char spatial[] =
    ROD "links:\n"
        "  - name: upper\n"
        "    joint: {axis: [0, 0, 1]}\n"
        "    beam: {length: 1 m, section: rod, material: aluminium, elements: 2}\n"
        "    masses: [{at: tip, mass: 2}]\n"
        "  - name: fore\n"
        "    joint: {axis: [0, 1, 0], origin: {rpy: [0.3, 0, 0]}}\n"
        "    beam: {length: 0.7 m, section: rod, material: aluminium, elements: 2}\n"
        "    masses: [{at: 0.5, mass: 0.5}, {at: tip, mass: 1}]\n"
        "frames: [{name: middle, on: fore, at: 0.5}, {name: elbow, on: upper, at: tip}, "
        "{name: hand, on: fore, at: tip}]\n"
        "configuration: {upper: 0.4, fore: -0.8}\n"
        "solver: {stiffening: off}\n";

enum { POINTS = 3, WIDE = 64 };
static const char *const POINT[POINTS] = {"elbow", "middle", "hand"};
static const double MASS[POINTS] = {2, 0.5, 1};

// The motion of all coordinates in time: value, rate, acceleration.
typedef struct {
  const lim_arm *s;
  int n;
  double rigid[3][WIDE], deviation[3][WIDE];
} path;

static double at(const double x[3][WIDE], int i, double t) { return x[0][i] + t * (x[1][i] + t / 2 * x[2][i]); }

static void place_of(double p[3], const path *x, const lim_site *site, const double *q) {
  lim_world_motion body[4];
  lim_kinematics(body, x->s, q, NULL, NULL);
  memcpy(p, lim_kinematics_site(x->s, site, &body[site->body], q, NULL, NULL).p, 3 * sizeof *p);
}

// Derivative of a point's place along d at the rigid motion of time t.
static void along(double out[3], const path *x, const lim_site *site, double t, const double *d) {
  double q[WIDE], p[2][3], e = 1e-4;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < x->n; i++) q[i] = at(x->rigid, i, t) + (k ? e : -e) * d[i];
    place_of(p[k], x, site, q);
  }
  for (int i = 0; i < 3; i++) out[i] = (p[1][i] - p[0][i]) / (2 * e);
}

// (J d)'' at t = 0 of a point by differences in time.
static void first_order_acceleration(double out[3], const path *x, const lim_site *site) {
  double d[WIDE], u[3][3], h = 2e-3;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < x->n; i++) d[i] = at(x->deviation, i, (k - 1) * h);
    along(u[k], x, site, (k - 1) * h, d);
  }
  for (int i = 0; i < 3; i++) out[i] = (u[0][i] - 2 * u[1][i] + u[2][i]) / (h * h);
}

static const lim_site *site_of(const lim_arm *s, const char *name) {
  for (int i = 0; i < s->nsite; i++)
    if (!strcmp(s->site[i].name, name)) return &s->site[i].site;
  fail_msg("no site '%s'", name);
  return NULL;
}

static void conventional_equations_are_those_of_points_that_move_to_first_order(void **state) {
  (void)state;
  lim_model *m = model_of(
      spatial, (const char *[]){"materials.aluminium.rho=1e-6", "planar=no", "gravity=[0.5, -9.81, 2]", NULL});
  lim_arm *s = NULL;
  assert_int_equal(lim_arm_new(&s, m, false, NULL), LIM_OK);
  path x = {.s = s, .n = s->n};
  assert_true(s->n <= WIDE);
  for (int i = 0; i < s->nbody; i++) {
    int q = s->bodies[i].q;
    x.rigid[0][q] = i ? -0.8 : 0.4, x.rigid[1][q] = i ? 3 : -2, x.rigid[2][q] = i ? -5 : 7;
  }
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3; k++) x.deviation[k][i] = (1 + k) * 1e-2 * sin(1 + 3 * i + 5 * k);
  lim_dual_work *w = lim_dual_work_new(s);
  lim_dual_truncated(w);
  lim_dual y[4 * WIDE], still[4 * WIDE];
  int n = s->n;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++) {
      y[k * n + i] = (lim_dual){x.rigid[k][i], x.deviation[k][i]};
      still[k * n + i] = (lim_dual){0, k ? 0 : x.deviation[0][i]};
    }
  lim_dual_residual(y + 3 * n, w, y, y + n, y + 2 * n);
  double expected[WIDE] = {0}, acc[3], J[3], worst = 0, largest = 0;
  for (int p = 0; p < POINTS; p++) {
    first_order_acceleration(acc, &x, site_of(s, POINT[p]));
    for (int i = 0; i < n; i++) {
      double unit[WIDE] = {0};
      unit[i] = 1;
      along(J, &x, site_of(s, POINT[p]), 0, unit);
      for (int k = 0; k < 3; k++) expected[i] += MASS[p] * J[k] * acc[k];
    }
  }
  // K d: of the arm at rest without weight, where nothing else is left
  lim_dual_work *rest = lim_dual_work_new(s);
  lim_dual_truncated(rest);
  memset(s->gravity, 0, sizeof s->gravity);
  lim_dual_residual(still + 3 * n, rest, still, still + n, still + 2 * n);
  for (int i = 0; i < n; i++) {
    double here = y[3 * n + i].d - still[3 * n + i].d;
    worst = fmax(worst, fabs(here - expected[i]));
    largest = fmax(largest, fabs(expected[i]));
    assert_true(fabs(y[3 * n + i].x) < 1e-9); // values are left to the rigid motion
  }
  table_head(
      "Points of mass on flexible links in space, mode conventional: forces against differences of places");
  table_bound("largest difference over largest force", worst / largest, 1e-4, "J'm (J d)''");
  lim_dual_work_free(w);
  lim_dual_work_free(rest);
  lim_arm_free(s);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printed_linear_peaks_come_from_kinematics_cut_to_first_order),
      cmocka_unit_test(conventional_peaks_of_the_full_basis_are_the_printed_ones),
      cmocka_unit_test(conventional_equations_are_those_of_points_that_move_to_first_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
