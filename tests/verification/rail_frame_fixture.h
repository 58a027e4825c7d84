// rail_frame_fixture.h - frames of straight beams in space by finite elements, for the tests: Euler and
// Bernoulli's elements of 12 coordinates in world axes, conditions between coordinates by elimination,
// displacements under forces, natural frequencies by Jacobi's rotations. It shares nothing with the library.
#ifndef RAIL_FRAME_FIXTURE_H
#define RAIL_FRAME_FIXTURE_H

#include "rail_fixture.h"

enum { FRAME_MOST = 180 }; // coordinates

typedef struct {
  int n;    // coordinates: ux uy uz tx ty tz of every node, world axes
  int kept; // those that conditions have left
  double K[FRAME_MOST][FRAME_MOST], M[FRAME_MOST][FRAME_MOST];
  double T[FRAME_MOST][FRAME_MOST]; // u = T y                                        (n x kept)
} frame;

typedef struct {
  double EA, GJ, EIy, EIz, line, polar, rotary_y, rotary_z; // line: mass per length
} frame_section;

// A beam: its nodes stand together; axes: rows are its local x, y, z in the world.
typedef struct {
  int first, elements;
  double length, axes[3][3];
  frame_section section;
} frame_beam;

static inline frame *frame_new(int nodes) {
  frame *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->n = f->kept = 6 * nodes;
  assert_true(f->n <= FRAME_MOST);
  for (int i = 0; i < f->n; i++) f->T[i][i] = 1;
  return f;
}

// --- elements ---

// Displacement and rotation at the part s of an element of length h, from its 12 coordinates, beam axes.
static inline void frame_shape(double N[6][12], double s, double h) {
  memset(N, 0, 6 * sizeof *N);
  const double v[4] = {1 - 3 * s * s + 2 * s * s * s, h * s * (1 - s) * (1 - s), s * s * (3 - 2 * s),
                       -h * s * s * (1 - s)},
               t[4] = {-6 * s * (1 - s) / h, 1 - 4 * s + 3 * s * s, 6 * s * (1 - s) / h, s * (3 * s - 2)};
  static const int y[4] = {1, 5, 7, 11}, z[4] = {2, 4, 8, 10};
  static const double sign[4] = {1, -1, 1, -1}; // ty = -w'
  N[0][0] = N[3][3] = 1 - s;
  N[0][6] = N[3][9] = s;
  for (int i = 0; i < 4; i++) {
    N[1][y[i]] = v[i];
    N[5][y[i]] = t[i];
    N[2][z[i]] = sign[i] * v[i];
    N[4][z[i]] = -sign[i] * t[i];
  }
}

// Stretch, twist, curvatures -w'', v'' from the same.
static inline void frame_strain(double B[4][12], double s, double h) {
  memset(B, 0, 4 * sizeof *B);
  const double c[4] = {(12 * s - 6) / (h * h), (6 * s - 4) / h, (6 - 12 * s) / (h * h), (6 * s - 2) / h};
  B[0][0] = B[1][3] = -1 / h;
  B[0][6] = B[1][9] = 1 / h;
  static const int y[4] = {1, 5, 7, 11}, z[4] = {2, 4, 8, 10};
  static const double sign[4] = {1, -1, 1, -1};
  for (int i = 0; i < 4; i++) {
    B[2][z[i]] = -sign[i] * c[i];
    B[3][y[i]] = c[i];
  }
}

// The same rows on coordinates in world axes.
static inline void frame_turn(double (*rows)[12], int count, const double axes[3][3]) {
  for (int r = 0; r < count; r++)
    for (int block = 0; block < 12; block += 3) {
      const double x[3] = {rows[r][block], rows[r][block + 1], rows[r][block + 2]};
      for (int j = 0; j < 3; j++)
        rows[r][block + j] = x[0] * axes[0][j] + x[1] * axes[1][j] + x[2] * axes[2][j];
    }
}

static inline void frame_element(frame *f, const frame_beam *b, int i) {
  static const double at[4] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813,
                               0.93056815579702629},
                      weight[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                   0.17392742256872693};
  const double h = b->length / b->elements;
  const frame_section *c = &b->section;
  const double m[6] = {c->line, c->line, c->line, c->polar, c->rotary_y, c->rotary_z},
               k[4] = {c->EA, c->GJ, c->EIy, c->EIz};
  const int first = 6 * (b->first + i);
  for (int g = 0; g < 4; g++) {
    double N[6][12], B[4][12];
    frame_shape(N, at[g], h);
    frame_strain(B, at[g], h);
    frame_turn(N, 6, b->axes);
    frame_turn(B, 4, b->axes);
    for (int r = 0; r < 12; r++)
      for (int q = 0; q < 12; q++) {
        for (int j = 0; j < 6; j++) f->M[first + r][first + q] += weight[g] * h * m[j] * N[j][r] * N[j][q];
        for (int j = 0; j < 4; j++) f->K[first + r][first + q] += weight[g] * h * k[j] * B[j][r] * B[j][q];
      }
  }
}

static inline void frame_add(frame *f, const frame_beam *b) {
  for (int i = 0; i < b->elements; i++) frame_element(f, b, i);
}

// Rows of the section at the distance x along a beam: its displacement and rotation, all in world axes, from
// all coordinates. The shapes give those along the axes of the beam.
static inline void frame_section_rows(double rows[6][FRAME_MOST], const frame_beam *b, double x) {
  const double h = b->length / b->elements;
  int i = (int)(x / h);
  if (i > b->elements - 1) i = b->elements - 1;
  double N[6][12];
  frame_shape(N, x / h - i, h);
  frame_turn(N, 6, b->axes);
  memset(rows, 0, 6 * sizeof *rows);
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 12; c++)
      for (int j = 0; j < 3; j++) rows[r - r % 3 + j][6 * (b->first + i) + c] += b->axes[r % 3][j] * N[r][c];
}

// What stands on a section at the offset r (world axes): rows of a point that moves with it.
static inline void frame_offset(double rows[6][FRAME_MOST], const double r[3]) {
  for (int c = 0; c < FRAME_MOST; c++) {
    const double t[3] = {rows[3][c], rows[4][c], rows[5][c]};
    rows[0][c] += t[1] * r[2] - t[2] * r[1];
    rows[1][c] += t[2] * r[0] - t[0] * r[2];
    rows[2][c] += t[0] * r[1] - t[1] * r[0];
  }
}

// A mass with the inertia `turning` about the three world axes.
static inline void frame_mass(frame *f, double rows[6][FRAME_MOST], double mass, const double turning[3]) {
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < f->n; i++)
      for (int j = 0; j < f->n; j++) f->M[i][j] += (k < 3 ? mass : turning[k - 3]) * rows[k][i] * rows[k][j];
}

static inline void frame_springs(frame *f, int node, const double k[6]) {
  for (int i = 0; i < 6; i++) f->K[6 * node + i][6 * node + i] += k[i];
}

// --- conditions ---

// row u = 0: takes away the coordinate on which it depends most.
static inline void frame_condition(frame *f, const double row[FRAME_MOST]) {
  double on[FRAME_MOST];
  int most = 0;
  for (int j = 0; j < f->kept; j++) {
    on[j] = 0;
    for (int i = 0; i < f->n; i++) on[j] += row[i] * f->T[i][j];
    if (fabs(on[j]) > fabs(on[most])) most = j;
  }
  assert_true(fabs(on[most]) > 1e-9);
  const int last = --f->kept;
  for (int i = 0; i < f->n; i++) {
    const double pivot = f->T[i][most] / on[most];
    for (int j = 0; j <= last; j++)
      if (j != most) f->T[i][j] -= on[j] * pivot;
    f->T[i][most] = f->T[i][last];
  }
}

// Coordinate of a node like that of a section.
static inline void frame_follow(frame *f, int coordinate, const double row[FRAME_MOST]) {
  double c[FRAME_MOST];
  memcpy(c, row, sizeof c);
  c[coordinate] -= 1;
  frame_condition(f, c);
}

static inline void frame_hold(frame *f, int coordinate) {
  const double none[FRAME_MOST] = {0};
  frame_follow(f, coordinate, none);
}

// --- answers ---

typedef struct {
  int n;
  double a[FRAME_MOST][FRAME_MOST];
} frame_matrix;

// T' A T.
static inline void frame_reduced(frame_matrix *out, const frame *f, const double A[FRAME_MOST][FRAME_MOST]) {
  static double AT[FRAME_MOST][FRAME_MOST];
  out->n = f->kept;
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->kept; j++) {
      AT[i][j] = 0;
      for (int k = 0; k < f->n; k++) AT[i][j] += A[i][k] * f->T[k][j];
    }
  for (int i = 0; i < f->kept; i++)
    for (int j = 0; j < f->kept; j++) {
      out->a[i][j] = 0;
      for (int k = 0; k < f->n; k++) out->a[i][j] += f->T[k][i] * AT[k][j];
    }
}

// A = L L', L in the lower triangle.
static inline void frame_cholesky(frame_matrix *A) {
  for (int j = 0; j < A->n; j++)
    for (int i = j; i < A->n; i++) {
      double x = A->a[i][j];
      for (int k = 0; k < j; k++) x -= A->a[i][k] * A->a[j][k];
      if (i == j) assert_true(x > 0);
      A->a[i][j] = i == j ? sqrt(x) : x / A->a[j][j];
    }
}

static inline void frame_forward(double *x, const frame_matrix *L) {
  for (int i = 0; i < L->n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L->a[i][k] * x[k];
    x[i] /= L->a[i][i];
  }
}

static inline void frame_backward(double *x, const frame_matrix *L) {
  for (int i = L->n - 1; i >= 0; i--) {
    for (int k = i + 1; k < L->n; k++) x[i] -= L->a[k][i] * x[k];
    x[i] /= L->a[i][i];
  }
}

// u of all nodes under the forces p on them.
static inline void frame_solve(double u[FRAME_MOST], const frame *f, const double p[FRAME_MOST]) {
  static frame_matrix K;
  double y[FRAME_MOST] = {0};
  frame_reduced(&K, f, f->K);
  frame_cholesky(&K);
  for (int j = 0; j < f->kept; j++)
    for (int i = 0; i < f->n; i++) y[j] += f->T[i][j] * p[i];
  frame_forward(y, &K);
  frame_backward(y, &K);
  for (int i = 0; i < FRAME_MOST; i++) {
    u[i] = 0;
    for (int j = 0; j < f->kept && i < f->n; j++) u[i] += f->T[i][j] * y[j];
  }
}

// What is missing in the balance at a coordinate: the force of the conditions there.
static inline double frame_reaction(const frame *f, const double u[FRAME_MOST], const double p[FRAME_MOST],
                                    int i) {
  double r = -p[i];
  for (int j = 0; j < f->n; j++) r += f->K[i][j] * u[j];
  return r;
}

// One rotation of Jacobi's that makes A[p][q] zero; V collects them by columns.
static inline void frame_rotate(frame_matrix *A, frame_matrix *V, int p, int q) {
  const double theta = (A->a[q][q] - A->a[p][p]) / (2 * A->a[p][q]),
               t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1),
               s = t * c;
  for (int k = 0; k < A->n; k++) {
    const double x = A->a[k][p], y = A->a[k][q], v = V->a[p][k], w = V->a[q][k];
    A->a[k][p] = c * x - s * y;
    A->a[k][q] = s * x + c * y;
    V->a[p][k] = c * v - s * w; // kept as rows
    V->a[q][k] = s * v + c * w;
  }
  for (int k = 0; k < A->n; k++) {
    const double x = A->a[p][k], y = A->a[q][k];
    A->a[p][k] = c * x - s * y;
    A->a[q][k] = s * x + c * y;
  }
}

// Eigenvalues on the diagonal of A, eigenvectors in rows of V.
static inline void frame_jacobi(frame_matrix *A, frame_matrix *V) {
  V->n = A->n;
  for (int i = 0; i < A->n; i++)
    for (int j = 0; j < A->n; j++) V->a[i][j] = i == j;
  for (int sweep = 0; sweep < 40; sweep++) {
    int turned = 0;
    for (int p = 0; p < A->n; p++)
      for (int q = p + 1; q < A->n; q++)
        if (fabs(A->a[p][q]) > 1e-17 * sqrt(fabs(A->a[p][p] * A->a[q][q]))) {
          frame_rotate(A, V, p, q);
          turned++;
        }
    if (!turned) return;
  }
}

// The lowest `count` natural frequencies [Hz] and, unless NULL, shapes u with u' K u = 1. Of K = L L' the
// largest eigenvalues of L^-1 M L^-T, so that low modes keep their digits.
static inline void frame_modes(double *hz, double (*shape)[FRAME_MOST], const frame *f, int count) {
  static frame_matrix K, A, V;
  frame_reduced(&K, f, f->K);
  frame_reduced(&A, f, f->M);
  frame_cholesky(&K);
  for (int i = 0; i < A.n; i++) frame_forward(A.a[i], &K); // rows: (L^-1 M)'
  for (int i = 0; i < A.n; i++)
    for (int j = 0; j < i; j++) {
      const double x = A.a[i][j];
      A.a[i][j] = A.a[j][i];
      A.a[j][i] = x;
    }
  for (int i = 0; i < A.n; i++) frame_forward(A.a[i], &K);
  frame_jacobi(&A, &V);
  bool used[FRAME_MOST] = {false};
  for (int k = 0; k < count; k++) {
    int best = -1;
    for (int i = 0; i < A.n; i++)
      if (!used[i] && (best < 0 || A.a[i][i] > A.a[best][best])) best = i;
    used[best] = true;
    hz[k] = 1 / sqrt(A.a[best][best]) / (2 * M_PI);
    if (!shape) continue;
    frame_backward(V.a[best], &K);
    for (int i = 0; i < FRAME_MOST; i++) {
      shape[k][i] = 0;
      for (int j = 0; j < f->kept && i < f->n; j++) shape[k][i] += f->T[i][j] * V.a[best][j];
    }
  }
}

#endif
