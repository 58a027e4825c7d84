// shape_functions.c - shape functions of solids and shells, with the order of nodes of CalculiX and Abaqus.
// Three families, each linear or quadratic with nodes in the middle of edges: bricks (serendipity), simplices,
// wedges. Theory: docs/theory/finite-elements.md.
#include "fe/surface/shape_functions.h"

#include <string.h>

// --- where nodes are -------------------------------------------------------------------------------------

static const double HEX[20][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                  {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {1, 0, -1},
                                  {0, 1, -1},   {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},   {0, 1, 1},
                                  {-1, 0, 1},   {-1, -1, 0}, {1, -1, 0}, {1, 1, 0},   {-1, 1, 0}};
static const double QUAD[8][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
static const double TET[10][3] = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                                  {.5, .5, 0}, {0, .5, 0}, {0, 0, .5}, {.5, 0, .5}, {0, .5, .5}};
static const double TRI[6][3] = {{0, 0}, {1, 0}, {0, 1}, {.5, 0}, {.5, .5}, {0, .5}};
static const double WEDGE[15][3] = {{0, 0, -1},  {1, 0, -1},  {0, 1, -1},   {0, 0, 1},   {1, 0, 1},
                                    {0, 1, 1},   {.5, 0, -1}, {.5, .5, -1}, {0, .5, -1}, {.5, 0, 1},
                                    {.5, .5, 1}, {0, .5, 1},  {0, 0, 0},    {1, 0, 0},   {0, 1, 0}};

// --- faces -----------------------------------------------------------------------------------------------

static const lim_fe_face HEX_FACE[] = {{4, {0, 3, 2, 1, 11, 10, 9, 8}},   {4, {4, 5, 6, 7, 12, 13, 14, 15}},
                                       {4, {0, 1, 5, 4, 8, 17, 12, 16}},  {4, {1, 2, 6, 5, 9, 18, 13, 17}},
                                       {4, {2, 3, 7, 6, 10, 19, 14, 18}}, {4, {3, 0, 4, 7, 11, 16, 15, 19}}};
static const lim_fe_face TET_FACE[] = {
    {3, {0, 2, 1, 6, 5, 4}}, {3, {0, 1, 3, 4, 8, 7}}, {3, {1, 2, 3, 5, 9, 8}}, {3, {2, 0, 3, 6, 7, 9}}};
static const lim_fe_face WEDGE_FACE[] = {{3, {0, 2, 1, 8, 7, 6}},
                                         {3, {3, 4, 5, 9, 10, 11}},
                                         {4, {0, 1, 4, 3, 6, 13, 9, 12}},
                                         {4, {1, 2, 5, 4, 7, 14, 10, 13}},
                                         {4, {2, 0, 3, 5, 8, 12, 11, 14}}};
static const lim_fe_face QUAD_FACE[] = {{4, {0, 1, 2, 3, 4, 5, 6, 7}}};
static const lim_fe_face TRI_FACE[] = {{3, {0, 1, 2, 3, 4, 5}}};

// --- bricks: quadrilaterals and hexahedra ----------------------------------------------------------------

// One factor of a product along a coordinate, and its derivative: 1 + x a at a corner, 1 - x^2 at a middle.
typedef struct {
  double f, df;
} factor;

static factor along(double x, double a) {
  return a == 0 ? (factor){1 - x * x, -2 * x} : (factor){1 + x * a, a};
}

// c times the product of factors, with its derivatives
static double product(double dN[3], double c, const factor *p, int dimension) {
  double N = c;
  for (int i = 0; i < dimension; i++) {
    N *= p[i].f;
    dN[i] = c * p[i].df;
    for (int k = 0; k < dimension; k++) dN[i] *= k == i ? 1 : p[k].f;
  }
  return N;
}

// N = 2^-d prod(1 + r_i a_i), times (sum r_i a_i - d + 1) at corners of quadratic ones; at middles
// 2^(1-d) (1 - r^2) prod of the others
static void brick(double *N, double (*dN)[3], const lim_fe_shape_row *row, const double r[3]) {
  const int d = row->dimension;
  for (int n = 0; n < row->nodes; n++) {
    const double *a = row->place[n];
    factor p[3];
    double sum = 1 - d;
    memset(dN[n], 0, sizeof dN[n]);
    for (int i = 0; i < d; i++) p[i] = along(r[i], a[i]), sum += r[i] * a[i];
    N[n] = product(dN[n], (n < row->corners ? 1.0 : 2.0) / (1 << d), p, d);
    if (!row->middles || n >= row->corners) continue;
    for (int i = 0; i < d; i++) dN[n][i] = dN[n][i] * sum + N[n] * a[i];
    N[n] *= sum;
  }
}

// --- simplices: triangles and tetrahedra -----------------------------------------------------------------

// Ends of the edges with nodes in the middle, of tetrahedra; the first three are those of triangles.
static const int SIDE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// L_0 = 1 - r - s - t, L_1 = r ..., and their derivatives
static void barycentric(double L[4], double dL[4][3], int d, const double r[3]) {
  memset(L, 0, 4 * sizeof *L);
  memset(dL, 0, 4 * sizeof dL[0]);
  L[0] = 1;
  for (int i = 0; i < d; i++) {
    L[0] -= r[i];
    L[i + 1] = r[i];
    dL[0][i] = -1;
    dL[i + 1][i] = 1;
  }
}

// N = L at corners, L (2 L - 1) with nodes in the middle of edges, and 4 La Lb there
static void simplex(double *N, double (*dN)[3], const lim_fe_shape_row *row, const double r[3]) {
  double L[4], dL[4][3];
  barycentric(L, dL, row->dimension, r);
  for (int n = 0; n < row->corners; n++) {
    N[n] = row->middles ? L[n] * (2 * L[n] - 1) : L[n];
    for (int i = 0; i < 3; i++) dN[n][i] = dL[n][i] * (row->middles ? 4 * L[n] - 1 : 1);
  }
  for (int n = row->corners; n < row->nodes; n++) {
    const int a = SIDE[n - row->corners][0], b = SIDE[n - row->corners][1];
    N[n] = 4 * L[a] * L[b];
    for (int i = 0; i < 3; i++) dN[n][i] = 4 * (dL[a][i] * L[b] + L[a] * dL[b][i]);
  }
}

// --- wedges ----------------------------------------------------------------------------------------------

// Corners: N = L (1 + t a)/2; L ((2 L - 1)(1 + t a) - (1 - t^2))/2 with nodes in the middle of edges.
static void wedge_corner(double *N, double dN[3], double L, const double dL[3], factor end,
                         const factor *middle) {
  const double h = middle ? (2 * L - 1) * end.f - middle->f : end.f;
  const double dh = middle ? (2 * L - 1) * end.df - middle->df : end.df;
  *N = L * h / 2;
  for (int i = 0; i < 2; i++) dN[i] = dL[i] * (h + (middle ? 2 * L * end.f : 0)) / 2;
  dN[2] = L * dh / 2;
}

// Middles of edges of the two triangles: N = 2 La Lb (1 + t a)
static void wedge_side(double *N, double dN[3], const double L[4], double dL[4][3], const int side[2],
                       factor end) {
  const int a = side[0], b = side[1];
  *N = 2 * L[a] * L[b] * end.f;
  for (int i = 0; i < 2; i++) dN[i] = 2 * (dL[a][i] * L[b] + L[a] * dL[b][i]) * end.f;
  dN[2] = 2 * L[a] * L[b] * end.df;
}

static void wedge(double *N, double (*dN)[3], const lim_fe_shape_row *row, const double r[3]) {
  double L[4], dL[4][3];
  barycentric(L, dL, 2, r);
  const factor middle = along(r[2], 0);
  for (int n = 0; n < 6; n++)
    wedge_corner(&N[n], dN[n], L[n % 3], dL[n % 3], along(r[2], row->place[n][2]),
                 row->middles ? &middle : NULL);
  if (!row->middles) return;
  for (int n = 6; n < 12; n++) wedge_side(&N[n], dN[n], L, dL, SIDE[n % 3], along(r[2], row->place[n][2]));
  for (int k = 0; k < 3; k++) { // along the axis: N = L (1 - t^2)
    N[12 + k] = L[k] * middle.f;
    for (int i = 0; i < 2; i++) dN[12 + k][i] = dL[k][i] * middle.f;
    dN[12 + k][2] = L[k] * middle.df;
  }
}

// --- the table -------------------------------------------------------------------------------------------

// Points where strains are best, as those of Gauss: +-1/sqrt 3 of hexahedra, quadrilaterals and along wedges
// (Barlow); the half way from the middle of a triangle to its corners, 1/sqrt 5 in a tetrahedron. Linear
// hexahedra and wedges have them too, though their shears are best in the centre: one element through the
// thickness of a plate would else show no bending. Shears that bending feigns between the ends of such an
// element are of opposite sign in the next, and averages at nodes free of them but at ends.
#define GAUSS2    0.57735026918962576451
#define GAUSS_TET 0.44721359549995793928

#define HEX_ROW(count, with)                                                                                   \
  {                                                                                                            \
    .dimension = 3, .nodes = count, .corners = 8, .middles = with, .place = HEX, .functions = brick,           \
    .points = 8, .part = {GAUSS2, GAUSS2, GAUSS2}, .linear = LIM_FE_HEX8, .nface = 6, .face = HEX_FACE         \
  }
#define WEDGE_ROW(count, with)                                                                                 \
  {                                                                                                            \
    .dimension = 3, .nodes = count, .corners = 6, .middles = with, .place = WEDGE, .centre = {1. / 3, 1. / 3}, \
    .functions = wedge, .points = 6, .part = {.5, .5, GAUSS2}, .linear = LIM_FE_WEDGE6, .nface = 5,            \
    .face = WEDGE_FACE                                                                                         \
  }
#define TET_ROW(count, with, best)                                                                             \
  {                                                                                                            \
    .dimension = 3, .nodes = count, .corners = 4, .middles = with, .place = TET, .centre = {.25, .25, .25},    \
    .functions = simplex, .points = best, .part = {GAUSS_TET, GAUSS_TET, GAUSS_TET}, .linear = LIM_FE_TET4,    \
    .nface = 4, .face = TET_FACE                                                                               \
  }
#define TRI_ROW(count, with, best)                                                                             \
  {                                                                                                            \
    .dimension = 2, .nodes = count, .corners = 3, .middles = with, .place = TRI, .centre = {1. / 3, 1. / 3},   \
    .functions = simplex, .points = best, .part = {.5, .5}, .linear = LIM_FE_TRI3, .nface = 1,                 \
    .face = TRI_FACE                                                                                           \
  }
#define QUAD_ROW(count, with)                                                                                  \
  {                                                                                                            \
    .dimension = 2, .nodes = count, .corners = 4, .middles = with, .place = QUAD, .functions = brick,          \
    .points = 4, .part = {GAUSS2, GAUSS2}, .linear = LIM_FE_QUAD4, .nface = 1, .face = QUAD_FACE               \
  }

static const lim_fe_shape_row ROW[LIM_FE_SHAPES] = {
    [LIM_FE_TET4] = TET_ROW(4, false, 1),
    [LIM_FE_TET10] = TET_ROW(10, true, 4),
    [LIM_FE_WEDGE6] = WEDGE_ROW(6, false),
    [LIM_FE_WEDGE15] = WEDGE_ROW(15, true),
    [LIM_FE_HEX8] = HEX_ROW(8, false),
    [LIM_FE_HEX20] = HEX_ROW(20, true),
    [LIM_FE_TRI3] = TRI_ROW(3, false, 1),
    [LIM_FE_TRI6] = TRI_ROW(6, true, 3),
    [LIM_FE_QUAD4] = QUAD_ROW(4, false),
    [LIM_FE_QUAD8] = QUAD_ROW(8, true),
    [LIM_FE_BEAM2] = {.dimension = 1, .nodes = 2, .corners = 2},
    [LIM_FE_BEAM3] = {.dimension = 1, .nodes = 3, .corners = 2, .middles = true}, // end, middle, end
};

const lim_fe_shape_row *lim_fe_shape_row_of(lim_fe_shape shape) { return &ROW[shape]; }

void lim_fe_shape_point(double r[3], const lim_fe_shape_row *row, int point) {
  for (int i = 0; i < 3; i++) {
    const double c = row->centre[i];
    r[i] = row->points == 1 ? c : c + row->part[i] * (row->place[point][i] - c);
  }
}

void lim_fe_shape_carry(double *weight, const lim_fe_shape_row *row, const double r[3]) {
  double x[3], dN[LIM_FE_POINTS][3];
  weight[0] = 1;
  if (row->points == 1) return;
  for (int i = 0; i < 3; i++) {
    const double c = row->centre[i];
    x[i] = row->part[i] > 0 ? c + (r[i] - c) / row->part[i] : c;
  }
  const lim_fe_shape_row *linear = &ROW[row->linear];
  linear->functions(weight, dN, linear, x);
}
