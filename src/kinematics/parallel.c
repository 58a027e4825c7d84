// parallel.c - the first joint from what the middle three cannot change, a height; the fifth and sixth from the
// direction they cannot change; then a planar arm is left. Theory: docs/theory/kinematics.md (17)-(19).
#include "kinematics/parallel.h"

#include "kinematics/position_subproblem.h"
#include "kinematics/wrist.h"
#include "math/rotation.h"

bool lim_parallel_suits(double c[3], const lim_chain *chain, double meet) {
  const lim_chain_joint *j = chain->joint;
  double sine = meet / chain->size;
  if (chain->n != 6 || j[0].slides || j[3].slides || j[4].slides || j[5].slides) return false;
  for (int i = 1; i < 3; i++)
    if (j[i].slides ? fabs(lim_dot(j[i].k, j[3].k)) > sine : !lim_axes_parallel(j[i].k, j[3].k, sine))
      return false;
  if (lim_axes_parallel(j[0].k, j[3].k, sine) || lim_axes_parallel(j[4].k, j[3].k, sine)) return false;
  return !lim_axes_parallel(j[4].k, j[5].k, sine) && lim_axes_crossing(c, &j[4], &j[5]) < meet;
}

// x := o + exp(-k q)(x - o)
static void turn_back(double x[3], const lim_chain_joint *j, double q) {
  double turn[9], from[3] = {x[0] - j->o[0], x[1] - j->o[1], x[2] - j->o[2]};
  lim_rotation_axis(turn, j->k, -q);
  lim_rotate(x, turn, from);
  for (int i = 0; i < 3; i++) x[i] += j->o[i];
}

// Solutions of a.exp(k q) b = c, two; near's where q does not matter.
static int solve_along(double q[2], const double a[3], const double k[3], const double b[3], double c,
                       double tiny, double near) {
  double across[3], ak = lim_dot(a, k), kb = lim_dot(k, b);
  lim_cross(across, k, b);
  double x = lim_dot(a, b) - ak * kb, y = lim_dot(a, across);
  if (hypot(x, y) > tiny) return lim_turn_sum(q, x, y, c - ak * kb);
  q[0] = near;
  return 1;
}

typedef struct {
  const lim_chain *c;
  const double *turn, *shift, *near;
  double (*q)[6];
  int n;
} task;

// The middle three joints, once the others stand in q; R: what of the rotation is left before the last two.
static void add_planar(task *t, const double outer[6], const double R[9]) {
  const lim_chain_joint *j = t->c->joint;
  lim_chain_joint kernel[3] = {{.slides = true, .k = {j[3].k[0], j[3].k[1], j[3].k[2]}}, j[1], j[2]};
  double candidate[LIM_PLACINGS][3], x[3], w[3], near[3] = {0, t->near[1], t->near[2]};
  memcpy(x, j[3].o, sizeof x);
  turn_back(x, &j[4], outer[4]);
  turn_back(x, &j[5], outer[5]);
  lim_rotate(w, t->turn, x);
  for (int i = 0; i < 3; i++) w[i] += t->shift[i];
  turn_back(w, &j[0], outer[0]);
  int n = lim_position_subproblem(candidate, kernel, j[3].o, w, near, t->c->size);
  for (int i = 0; i < n && t->n < LIM_PARALLELS; i++) {
    double *q = t->q[t->n++], a[9], b[9], left[9];
    memcpy(q, outer, 6 * sizeof *q);
    memcpy(left, R, sizeof left);
    for (int k = 1; k < 3; k++) {
      q[k] = candidate[i][k];
      if (j[k].slides) continue;
      lim_rotation_axis(a, j[k].k, -q[k]);
      lim_mat3_product(b, a, left);
      memcpy(left, b, sizeof left);
    }
    q[3] = lim_turn_nearest(j[3].k, left);
  }
}

// The fifth and sixth joint; R: the rotation without the first.
static void add_wrists(task *t, double q0, const double R[9]) {
  const lim_chain_joint *j = t->c->joint;
  const double *k = j[3].k;
  double aim[3], q4[2], outer[6] = {q0}, a[3], b[3], fifth[9], sixth[9], part[9], middle[9];
  lim_rotate(aim, R, j[5].k);
  int n = solve_along(q4, k, j[4].k, j[5].k, lim_dot(k, aim), 1e-10, t->near[4]);
  for (int i = 0; i < n; i++) {
    outer[4] = q4[i];
    outer[5] = t->near[5];
    lim_rotate_back(a, R, k);
    lim_rotation_axis(fifth, j[4].k, -q4[i]);
    lim_rotate(b, fifth, k);
    lim_turn_between(&outer[5], j[5].k, a, b, 1e-9);
    lim_rotation_axis(sixth, j[5].k, -outer[5]);
    lim_mat3_product(part, R, sixth);
    lim_mat3_product(middle, part, fifth);
    add_planar(t, outer, middle);
  }
}

int lim_parallel(double q[LIM_PARALLELS][6], const lim_chain *chain, const double c[3], const double turn[9],
                 const double shift[3], const double near[6]) {
  const lim_chain_joint *j = chain->joint;
  task t = {.c = chain, .turn = turn, .shift = shift, .near = near, .q = q};
  double u[3], q0[2], back[9], R[9], from[3], size = chain->size;
  lim_rotate(u, turn, c);
  for (int i = 0; i < 3; i++) {
    u[i] += shift[i] - j[0].o[i];
    from[i] = c[i] - j[0].o[i];
  }
  // k.exp(-k0 q0) u = u.exp(k0 q0) k = k.(c - o0)
  int n = solve_along(q0, u, j[0].k, j[3].k, lim_dot(j[3].k, from), 1e-10 * size, near[0]);
  for (int i = 0; i < n; i++) {
    lim_rotation_axis(back, j[0].k, -q0[i]);
    lim_mat3_product(R, back, turn);
    add_wrists(&t, q0[i], R);
  }
  return t.n;
}
