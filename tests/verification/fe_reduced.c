// fe_reduced.c - matrices that were reduced elsewhere: a beam of finite elements, reduced here by Craig and
// Bampton, is the arm that limber makes of its mesh. Frequencies and rest are the same; in motion the mass
// between the frames is only known as theirs.
#include "fe_fixture.h"

#include "math/eigen/eigen.h"

enum { ELEMENTS = 8, MODES = 6, SIZE = 12 + MODES };

#define ARM_HEAD                                                                                               \
  "limber: 1\n"                                                                                                \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {s: {shape: general, A: 400 mm^2, Iy: 40000 mm^4, Iz: 20000 mm^4, J: 30000 mm^4}}\n"

// --- reduction ---

// X := A^-1 X by elimination with pivots, X (n x m by rows).
static void solve(const double *A, double *X, int n, int m) {
  double *B = dense(n);
  memcpy(B, A, (size_t)(n * n) * sizeof *B);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(B[i * n + k]) > fabs(B[best * n + k])) best = i;
    for (int j = 0; j < n + m; j++) {
      double *a = j < n ? &B[k * n + j] : &X[k * m + j - n],
             *b = j < n ? &B[best * n + j] : &X[best * m + j - n];
      const double t = *a;
      *a = *b;
      *b = t;
    }
    for (int i = 0; i < n; i++) {
      const double f = i == k ? 0 : B[i * n + k] / B[k * n + k];
      for (int j = 0; j < n && f != 0; j++) B[i * n + j] -= f * B[k * n + j];
      for (int j = 0; j < m && f != 0; j++) X[i * m + j] -= f * X[k * m + j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) X[i * m + j] /= B[i * n + i];
  free(B);
}

// Rows and columns from 6 on, but for the last six.
static double *inside(const double *A, int ndof) {
  const int n = ndof - 12;
  double *out = dense(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[i * n + j] = A[(6 + i) * ndof + 6 + j];
  return out;
}

// out (SIZE x SIZE) = T'A T
static void project(double *out, const double *A, const double *T, int n) {
  double *B = dense(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < SIZE; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += A[i * n + k] * T[k * SIZE + j];
      B[i * SIZE + j] = sum;
    }
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += T[k * SIZE + i] * B[k * SIZE + j];
      out[i * SIZE + j] = sum;
    }
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < i; j++) out[i * SIZE + j] = out[j * SIZE + i];
  free(B);
}

// Motions of the first and the last node, then modes with both held: name-k.mtx, name-m.mtx.
static void reduce(const part *p, const char *name) {
  const int n = p->ndof - 12;
  double *Kii = inside(p->K, p->ndof), *Mii = inside(p->M, p->ndof), *X = dense(p->ndof), *T = dense(p->ndof);
  double lambda[MODES], K[SIZE * SIZE], M[SIZE * SIZE];
  lim_eigen_count count;
  for (int j = 0; j < 12; j++) {
    const int at = j < 6 ? j : p->ndof - 12 + j;
    T[at * SIZE + j] = 1;
    for (int i = 0; i < n; i++) X[i * 12 + j] = -p->K[(6 + i) * p->ndof + at];
  }
  solve(Kii, X, n, 12);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 12; j++) T[(6 + i) * SIZE + j] = X[i * 12 + j];
  assert_int_equal(lim_eigen_lowest(lambda, X, &count, Kii, Mii, n, MODES, NULL), LIM_OK);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < MODES; j++) T[(6 + i) * SIZE + 12 + j] = X[j * n + i];
  project(K, p->K, T, p->ndof);
  project(M, p->M, T, p->ndof);
  write_matrix(name, "-k.mtx", K, SIZE);
  write_matrix(name, "-m.mtx", M, SIZE);
  free(Kii);
  free(Mii);
  free(X);
  free(T);
}

static int setup(void **state) {
  if (make_folder(state)) return -1;
  part p = part_of_beam(ARM_HEAD
                        "links: [{name: a, beam: {length: 0.5 m, section: s, material: m, elements: 8}}]\n");
  part_write(&p, "beam");
  reduce(&p, "reduced");
  part_free(&p);
  return 0;
}

// --- arms ---

static const char MESH[] =
    "fe: {stiffness: @/beam-k.mtx, mass: @/beam-m.mtx, nodes: @/beam.csv, "
    "frames: {base: {nodes: [1]}, tip: {nodes: [9]}}}, basis: {type: craig-bampton, count: 6}";
static const char MATRICES[] = "fe: {reduced: {stiffness: @/reduced-k.mtx, mass: @/reduced-m.mtx}, "
                               "frames: {base: {xyz: [0, 0, 0]}, tip: {xyz: [0.5, 0, 0]}}}";
// The same with the axes of a file that are turned.
static const char TURNED[] = "fe: {reduced: {stiffness: @/reduced-k.mtx, mass: @/reduced-m.mtx}, "
                             "frames: {base: {xyz: [1, 2, 3], rpy: [0, 0, 90 deg]}, "
                             "tip: {xyz: [1, 2.5, 3], rpy: [0, 0, 90 deg]}}}";

static void arm_of(char out[TEXT_MOST], const char *kind, const char *more) {
  snprintf(out, TEXT_MOST,
           ARM_HEAD "links:\n"
                    "  - {name: upper, joint: {axis: [0, 0, 1]}, %s}\n"
                    "  - {name: fore, joint: {axis: [0, 1, 1]}, %s, masses: [{mass: 0.3}]}\n"
                    "configuration: {upper: {position: 20 deg}, fore: {position: 50 deg}}\n"
                    "%s",
           kind, kind, more);
}

static void frequencies_are_those_of_the_mesh(void **state) {
  (void)state;
  enum { COUNT = 14 };
  char text[TEXT_MOST];
  double mesh[COUNT], hz[COUNT];
  arm_of(text, MESH, "");
  frequencies(mesh, COUNT, text, NULL, LIM_JOINTS_LOCKED);
  arm_of(text, MATRICES, "");
  frequencies(hz, COUNT, text, NULL, LIM_JOINTS_LOCKED);
  table_head("Two links that were reduced before [Hz]");
  for (int i = 0; i < COUNT; i++) table_row("", hz[i], mesh[i], 1e-9, "reduced by limber");
}

static void rest_is_that_of_the_mesh(void **state) {
  (void)state;
  char text[TEXT_MOST];
  resting r[2];
  for (int i = 0; i < 2; i++) {
    arm_of(text, i ? MATRICES : MESH,
           "loads: [{at: tip, force: [0.2, 0.1, -0.3], moment: [0.01, 0.02, 0.03]}]\ngravity: [0, 0, -0.1]\n");
    r[i] = at_rest(text, NULL, "fore.tip");
  }
  table_head("At rest under a small load and gravity");
  for (int i = 0; i < 3; i++)
    table_row("displacement of the tip [m]", r[1].displacement[i], r[0].displacement[i], 1e-9,
              "reduced by limber");
  for (int i = 0; i < 3; i++)
    table_row("its rotation [rad]", r[1].rotation[i], r[0].rotation[i], 1e-9, "reduced by limber");
}

#define FAST(time)                                                                                             \
  "motion:\n"                                                                                                  \
  "  upper: {profile: quintic, to: 120 deg, duration: " time " s}\n"                                           \
  "  fore: {profile: quintic, to: -150 deg, duration: " time " s}\n"                                           \
  "solver: {duration: 0.35 s, step: 0.5 ms}\n"                                                                 \
  "outputs: {every: 1 ms}\n"

// Momentum is exact, and so is the centre; how inertia changes as the links bend is that of masses in the
// frames, raised to what keeps the energy positive: theory (18). In 0.25 s the links bend by 24 mm, where the
// masses alone would not.
static void motion_is_nearly_that_of_the_mesh(void **state) {
  (void)state;
  static path p[2];
  static const char *const fast[] = {FAST("0.3"), FAST("0.25")};
  char text[TEXT_MOST];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) {
      arm_of(text, i ? MATRICES : MESH, fast[k]);
      move_arm(&p[i], text, NULL);
    }
    table_head(k ? "The same in 0.25 s"
                 : "Two links turn by 120 and 150 deg in 0.3 s: largest difference beside the "
                   "largest value");
    table_bound("tip against the rigid arm", apart(p[1].bend, p[0].bend, 3 * p[0].count), 3e-2,
                "reduced by limber");
    table_bound("efforts of its joints", apart(p[1].effort, p[0].effort, 2 * p[0].count), 3e-2,
                "reduced by limber");
  }
}

static void turned_frames_give_the_same_arm(void **state) {
  (void)state;
  enum { COUNT = 14 };
  static path p[2];
  char text[TEXT_MOST];
  double hz[2][COUNT];
  for (int i = 0; i < 2; i++) {
    arm_of(text, i ? TURNED : MATRICES, FAST("0.3"));
    move_arm(&p[i], text, NULL);
    frequencies(hz[i], COUNT, text, NULL, LIM_JOINTS_LOCKED);
  }
  table_head("Frames of a file with turned axes: differences");
  table_bound("frequencies", apart(hz[1], hz[0], COUNT), 1e-10, "axes of base");
  table_bound("tip against the rigid arm", apart(p[1].bend, p[0].bend, 3 * p[0].count), 1e-10, "axes of base");
  table_bound("efforts of its joints", apart(p[1].effort, p[0].effort, 2 * p[0].count), 1e-10, "axes of base");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_are_those_of_the_mesh),
      cmocka_unit_test(rest_is_that_of_the_mesh),
      cmocka_unit_test(motion_is_nearly_that_of_the_mesh),
      cmocka_unit_test(turned_frames_give_the_same_arm),
  };
  return cmocka_run_group_tests(tests, setup, remove_folder);
}
