// position_subproblem.c - the first joint is eliminated by what it cannot change, the second by its sine and
// cosine; the last is a root of a polynomial of degree four. Theory: docs/theory/kinematics.md (8)-(14).
#include "kinematics/position_subproblem.h"

#include "kinematics/wrist.h"
#include "math/roots.h"
#include "math/rotation.h"

static const double SMALL = 1e-6; // sines and shares of the arm's size below this count as 0

static const double BLURRED = 1e-3;

// A number that depends on the last joint: a + b cos q + c sin q, or a + b q + c q^2 where it slides.
typedef struct {
  double a, b, c;
} form;

// A complex polynomial: in z = exp(i q), a form times z; or in q.
typedef struct {
  double complex c[5];
} polynomial;

typedef struct {
  const lim_chain_joint *j; // (3)
  const double *w, *near;
  double size;
  double d0[3], d1[3], d2[3]; // d = place of the point, before the last joint, from `from`: d0 + d1 b + d2 c
  double from[3];
  form far; // |d|^2
  double (*q)[3];
  int n;
} task;

// --- forms ---

static form along(const task *t, const double a[3]) {
  return (form){lim_dot(a, t->d0), lim_dot(a, t->d1), lim_dot(a, t->d2)};
}

static form plus(form x, double k, form y) { return (form){x.a + k * y.a, x.b + k * y.b, x.c + k * y.c}; }
static form constant(double x) { return (form){x, 0, 0}; }

static double value(const task *t, form f, double q) {
  return t->j[2].slides ? f.a + q * (f.b + q * f.c) : f.a + f.b * cos(q) + f.c * sin(q);
}

// Its derivative.
static double slope_of(const task *t, form f, double q) {
  return t->j[2].slides ? f.b + 2 * f.c * q : f.c * cos(q) - f.b * sin(q);
}

static void point_at(double d[3], const task *t, double q) {
  double b = t->j[2].slides ? q : cos(q), c = t->j[2].slides ? 0 : sin(q);
  for (int i = 0; i < 3; i++) d[i] = t->d0[i] + b * t->d1[i] + c * t->d2[i];
}

// Where the last joint puts the point.
static void take_point(task *t, const double c[3], const double from[3]) {
  const lim_chain_joint *j = &t->j[2];
  double r[3], k[3];
  memcpy(t->from, from, sizeof t->from);
  if (j->slides) {
    for (int i = 0; i < 3; i++) {
      t->d0[i] = c[i] - from[i];
      t->d1[i] = j->k[i];
      t->d2[i] = 0;
    }
    t->far = (form){lim_dot(t->d0, t->d0), 2 * lim_dot(t->d0, t->d1), 1};
    return;
  }
  for (int i = 0; i < 3; i++) r[i] = c[i] - j->o[i];
  double kr = lim_dot(j->k, r);
  lim_cross(k, j->k, r);
  for (int i = 0; i < 3; i++) {
    t->d0[i] = j->o[i] + kr * j->k[i] - from[i];
    t->d1[i] = r[i] - kr * j->k[i];
    t->d2[i] = k[i];
  }
  t->far = (form){lim_dot(t->d0, t->d0) + lim_dot(t->d1, t->d1), 2 * lim_dot(t->d0, t->d1),
                  2 * lim_dot(t->d0, t->d2)};
}

// --- polynomials ---

// A form times z where the joint turns: cos q = (z + 1/z)/2, sin q = (z - 1/z)/2i.
static void expand(double complex p[3], const task *t, form f) {
  p[0] = t->j[2].slides ? f.a : (f.b + I * f.c) / 2;
  p[1] = t->j[2].slides ? f.b : f.a;
  p[2] = t->j[2].slides ? f.c : (f.b - I * f.c) / 2;
}

// p += k x y
static void add_product(polynomial *p, const task *t, double k, form x, form y) {
  double complex a[3], b[3];
  expand(a, t, x);
  expand(b, t, y);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) p->c[i + j] += k * a[i] * b[j];
}

// Real solutions of the last joint, those that rounding made a little complex too. Any will do (near's) where
// the polynomial vanishes.
static int solve(double q[4], const task *t, const double complex *p, int degree, double scale) {
  double complex z[LIM_ROOTS_MOST];
  double max = 0;
  int found = 0;
  for (int i = 0; i <= degree; i++) max = fmax(max, cabs(p[i]));
  int n = max > 1e-13 * scale ? lim_roots(z, p, degree) : -1;
  if (n < 0) q[found++] = t->near[2];
  for (int i = 0; i < n; i++) {
    if (t->j[2].slides && fabs(cimag(z[i])) < 1e-3 * t->size) q[found++] = creal(z[i]);
    if (!t->j[2].slides && fabs(cabs(z[i]) - 1) < 1e-3) q[found++] = carg(z[i]);
  }
  return found;
}

// Solutions of f = 0.
static int solve_form(double q[4], const task *t, form f, double scale) {
  double complex p[3];
  expand(p, t, f);
  return solve(q, t, p, 2, scale);
}

static double *next(task *t) { return t->n < LIM_PLACINGS ? t->q[t->n++] : NULL; }

// --- the second joint turns ---

// Axes of the elimination: x across both axes, z along the second.
typedef struct {
  double x[3], y[3];
  double sine, cosine; // between the axes: k0 = cosine z + sine y
} axes;

static axes axes_of(const lim_chain_joint *a, const lim_chain_joint *b, const double between[3]) {
  axes x;
  lim_cross(x.x, a->k, b->k);
  x.sine = sqrt(lim_dot(x.x, x.x));
  x.cosine = lim_dot(a->k, b->k);
  if (x.sine < SMALL) { // parallel: along what parts them, or any
    double along = lim_dot(between, b->k);
    for (int i = 0; i < 3; i++) x.x[i] = between[i] - along * b->k[i];
    if (!(lim_dot(x.x, x.x) > 0))
      lim_cross(x.x, b->k, (double[3]){fabs(b->k[0]) < 0.7, fabs(b->k[0]) >= 0.7, 0});
    x.sine = 0;
  }
  double size = sqrt(lim_dot(x.x, x.x));
  for (int i = 0; i < 3; i++) x.x[i] /= size;
  lim_cross(x.y, b->k, x.x);
  return x;
}

// The first joint, once the other two are known.
static void add(task *t, double q1, double q2) {
  const lim_chain_joint *a = &t->j[0], *b = &t->j[1];
  double d[3], turn[9], x[3], from[3], to[3], *q = next(t);
  if (!q) return;
  point_at(d, t, q2);
  if (b->slides) {
    for (int i = 0; i < 3; i++) x[i] = t->from[i] + d[i] + q1 * b->k[i];
  } else { // d is from a point of the second axis
    lim_rotation_axis(turn, b->k, q1);
    lim_rotate(x, turn, d);
    for (int i = 0; i < 3; i++) x[i] += t->from[i];
  }
  for (int i = 0; i < 3; i++) {
    from[i] = x[i] - a->o[i];
    to[i] = t->w[i] - a->o[i];
  }
  q[1] = q1;
  q[2] = q2;
  q[0] = t->near[0];
  if (a->slides)
    q[0] = lim_dot(a->k, to) - lim_dot(a->k, from);
  else
    lim_turn_between(&q[0], a->k, from, to, 1e-10 * t->size);
}

// The second joint from X = cos q dx - sin q dy and Y = sin q dx + cos q dy.
static void add_turned(task *t, const axes *x, double X, double Y, double q2) {
  double d[3], q1 = t->near[1], dx, dy;
  point_at(d, t, q2);
  dx = lim_dot(x->x, d);
  dy = lim_dot(x->y, d);
  if (hypot(dx, dy) > 1e-10 * t->size) q1 = atan2(dx * Y - dy * X, dx * X + dy * Y);
  add(t, q1, q2);
}

// small T = S and large U = K with T^2 + U^2 = |d|^2 - dz^2, where `small` is almost or quite 0.
typedef struct {
  double small, large;
  form S, K, dz;
} pair;

// |T| at q2, and the derivative of its square.
static double other(double *slope, const task *t, const pair *p, double q2) {
  double z = value(t, p->dz, q2), u = value(t, p->K, q2) / p->large;
  *slope = slope_of(t, t->far, q2) - 2 * z * slope_of(t, p->dz, q2) - 2 * u * slope_of(t, p->K, q2) / p->large;
  return sqrt(fmax(value(t, t->far, q2) - z * z - u * u, 0));
}

// Newton on S - small T = 0, from a root of S = 0.
static double refine(const task *t, const pair *p, int sign, double q2) {
  for (int round = 0; round < 6 && p->small != 0; round++) {
    double slope, T = sign * other(&slope, t, p, q2);
    double rise = slope_of(t, p->S, q2) - (T != 0 ? p->small * slope / (2 * T) : 0);
    double step = (value(t, p->S, q2) - p->small * T) / rise;
    if (!(fabs(step) < 0.1 * (t->j[2].slides ? t->size : 1))) break;
    q2 -= step;
  }
  return q2;
}

// From A X = E, B Y = F where one of A and B is small: its equation gives the last joint, the other leaves a
// sign.
static void turned_by_one(task *t, const axes *x, double A, form E, double B, form F) {
  bool is_x = fabs(A) >= fabs(B);
  pair p = {is_x ? B : A, is_x ? A : B, is_x ? F : E, is_x ? E : F, along(t, t->j[1].k)};
  double root[4], slope;
  if (fabs(p.small) < SMALL) p.small = 0;
  int n = solve_form(root, t, p.S, t->size);
  for (int i = 0; i < n; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double q2 = refine(t, &p, sign, root[i]), T = sign * other(&slope, t, &p, q2),
             U = value(t, p.K, q2) / p.large;
      add_turned(t, x, is_x ? U : T, is_x ? T : U, q2);
      if (T == 0 && p.small == 0) break;
    }
}

// From A X = E, B Y = F and X^2 + Y^2 = |d|^2 - dz^2. A and B are at most about 1. Where one of them is small,
// roots come in pairs that rounding blurs: then those without it are candidates too.
static void turned(task *t, const axes *x, double A, form E, double B, form F) {
  form dz = along(t, t->j[1].k);
  double q2[4], min = fmin(fabs(A), fabs(B));
  if (fabs(A) < SMALL && fabs(B) < SMALL) return;
  if (min < BLURRED) turned_by_one(t, x, A, E, B, F);
  if (min < SMALL) return;
  polynomial p = {{0}};
  add_product(&p, t, B * B, E, E);
  add_product(&p, t, A * A, F, F);
  add_product(&p, t, -A * A * B * B, t->far, constant(1));
  add_product(&p, t, A * A * B * B, dz, dz);
  int n = solve(q2, t, p.c, 4, A * A * B * B * t->size * t->size);
  for (int i = 0; i < n; i++) add_turned(t, x, value(t, E, q2[i]) / A, value(t, F, q2[i]) / B, q2[i]);
}

// Feet of the common normal of two axes.
static void feet(double o0[3], double o1[3], const lim_chain_joint *a, const lim_chain_joint *b) {
  double w[3] = {b->o[0] - a->o[0], b->o[1] - a->o[1], b->o[2] - a->o[2]};
  double c = lim_dot(a->k, b->k), wa = lim_dot(w, a->k), wb = lim_dot(w, b->k), det = 1 - c * c;
  double s = det > SMALL * SMALL ? (wa - c * wb) / det : wa, u = det > SMALL * SMALL ? (c * wa - wb) / det : 0;
  for (int i = 0; i < 3; i++) {
    o0[i] = a->o[i] + s * a->k[i];
    o1[i] = b->o[i] + u * b->k[i];
  }
}

// Turn, turn: the first keeps the distance from a point of its axis, and the height along it.
static void turn_turn(task *t, const double c[3]) {
  const lim_chain_joint *a = &t->j[0], *b = &t->j[1];
  double o0[3], o1[3], between[3], far[3], high[3];
  feet(o0, o1, a, b);
  for (int i = 0; i < 3; i++) {
    between[i] = o1[i] - o0[i];
    far[i] = t->w[i] - o0[i];
    high[i] = t->w[i] - o1[i];
  }
  take_point(t, c, o1);
  axes x = axes_of(a, b, between);
  form E =
      plus(constant((lim_dot(far, far) - lim_dot(between, between)) / (2 * t->size)), -0.5 / t->size, t->far);
  form F = plus(constant(lim_dot(a->k, high)), -x.cosine, along(t, b->k));
  turned(t, &x, lim_dot(between, x.x) / t->size, E, x.sine, F);
}

// Slide, turn: the first keeps what is across its axis.
static void slide_turn(task *t, const double c[3]) {
  const lim_chain_joint *a = &t->j[0], *b = &t->j[1];
  double to[3], across[3];
  take_point(t, c, b->o);
  axes x = axes_of(a, b, (double[3]){0});
  for (int i = 0; i < 3; i++) {
    to[i] = t->w[i] - b->o[i];
    across[i] = x.cosine * x.y[i] - x.sine * b->k[i];
  }
  form F = plus(constant(lim_dot(across, to)), x.sine, along(t, b->k));
  turned(t, &x, 1, constant(lim_dot(x.x, to)), x.cosine, F);
}

// --- the second joint slides ---

// Turn, slide: A q1 = F from the height, |d + q1 k1| from the distance.
static void turn_slide(task *t, const double c[3]) {
  const lim_chain_joint *a = &t->j[0], *b = &t->j[1];
  double to[3], q2[4], A = lim_dot(a->k, b->k);
  take_point(t, c, a->o);
  for (int i = 0; i < 3; i++) to[i] = t->w[i] - a->o[i];
  form F = plus(constant(lim_dot(a->k, to)), -1, along(t, a->k)), K = along(t, b->k);
  form rest = plus(t->far, -1, constant(lim_dot(to, to)));
  if (fabs(A) < SMALL) {
    int n = solve_form(q2, t, F, t->size);
    for (int i = 0; i < n; i++) {
      double k = value(t, K, q2[i]), root = sqrt(fmax(k * k - value(t, rest, q2[i]), 0));
      add(t, -k + root, q2[i]);
      if (root > 0) add(t, -k - root, q2[i]);
    }
    return;
  }
  polynomial p = {{0}};
  add_product(&p, t, A * A, rest, constant(1));
  add_product(&p, t, 2 * A, F, K);
  add_product(&p, t, 1, F, F);
  int n = solve(q2, t, p.c, 4, A * A * t->size * t->size);
  for (int i = 0; i < n; i++) add(t, value(t, F, q2[i]) / A, q2[i]);
}

// Slide, slide: what is across both is left to the last joint.
static void slide_slide(task *t, const double c[3]) {
  const lim_chain_joint *a = &t->j[0], *b = &t->j[1];
  double normal[3], q2[4], A = lim_dot(a->k, b->k);
  lim_cross(normal, a->k, b->k);
  take_point(t, c, (double[3]){0});
  form f = plus(constant(lim_dot(normal, t->w)), -1, along(t, normal));
  int n = solve_form(q2, t, f, t->size);
  for (int i = 0; i < n; i++) {
    double d[3], step[3];
    point_at(d, t, q2[i]);
    for (int k = 0; k < 3; k++) step[k] = t->w[k] - d[k];
    double wa = lim_dot(step, a->k), wb = lim_dot(step, b->k);
    add(t, (wb - A * wa) / (1 - A * A), q2[i]);
  }
}

int lim_position_subproblem(double q[LIM_PLACINGS][3], const lim_chain_joint joint[3], const double c[3],
                            const double w[3], const double near[3], double size) {
  task t = {.j = joint, .w = w, .near = near, .size = size, .q = q};
  static void (*const kind[2][2])(task *, const double *) = {{turn_turn, turn_slide},
                                                             {slide_turn, slide_slide}};
  kind[joint[0].slides][joint[1].slides](&t, c);
  return t.n;
}
