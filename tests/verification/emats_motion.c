// emats_motion.c - the EMATS-like arm of FEDEM without gravity: it arrives without error and overshoot, on
// the path that its controllers' lag predicts, but for its elastic deflection.
#include "emats_fixture.h"

#include "math/lu.h"
#include "path/assembly.h"

static emats_log *run; // what is looked at

// The robot as it is, once for each bandwidth.
static void run_at(double bandwidth) {
  static emats_log slow, fast;
  char control[64];
  snprintf(control, sizeof control, "control.bandwidth=%g rad/s", bandwidth);
  run = bandwidth < 10 ? &slow : &fast;
  if (run->n == 0) emats_run(run, NULL, (const char *[]){control, NULL});
}

// --- arrival ---

static void arrives(double bandwidth) {
  run_at(bandwidth);
  const emats_record *end = emats_end(run);
  char what[96];
  double over = 0;
  for (int i = 0; i < run->n; i++) over = fmax(over, run->at[i].tip[0] - GOAL[0]);
  for (int i = 0; i < 3; i++) {
    snprintf(what, sizeof what, "error of the tool at the end, %c [m]", 'x' + i);
    table_bound(what, end->tip[i] - GOAL[i], 1e-6 * STROKE, "no gravity: none");
  }
  table_bound("overshoot of the tool [m]", over, 1e-3 * STROKE, "0.1 % of the stroke");
  for (int k = 0; k < 6; k++) {
    const double stroke = end->ref[k] - run->at[0].ref[k];
    over = 0;
    for (int i = 0; i < run->n; i++) over = fmax(over, (run->at[i].q[k] - end->ref[k]) / stroke);
    snprintf(what, sizeof what, "overshoot of %s, over its stroke of %.3g rad", EMATS_JOINT[k], stroke);
    table_bound(what, over, 1e-3, "0.1 %");
  }
}

static void arrives_without_error_and_overshoot(void **state) {
  (void)state;
  table_head("Straight line of 0.2 m in 4 s, no gravity: 6 rad/s");
  arrives(6);
  table_head("The same with 30 rad/s");
  arrives(30);
}

// --- what the joints should do ---

// The arm with rigid links and gears under its controllers, by Lagrange's equations from its kinetic energy,
// which comes from the motions of its parts in the world: d/dt dT/dv - dT/dq = D (w^2 (ref - q) - 2 w v), where
// D has the inertias for which the controllers are designed. With M = D, every joint has a double pole at -w.
typedef struct {
  const lim_arm *s;
  const lim_trajectory *told[EMATS_JOINTS];
  double inertia[EMATS_JOINTS]; // D
  double w;                     // bandwidth
  bool coupled;                 // else M = D
} servo_arm;

enum { N = EMATS_JOINTS };

static double kinetic(const servo_arm *x, const double *q, const double *v) {
  lim_world_motion body[EMATS_BODIES];
  double p[N], u[N];
  for (int k = 0; k < N; k++) {
    const int i = x->s->bodies[x->s->first_body[EMATS_LINK[k]]].q;
    p[i] = q[k];
    u[i] = v[k];
  }
  lim_kinematics(body, x->s, p, u, NULL);
  return lim_energies_of(x->s, body, p, u).kinetic;
}

// M u, from the energy, which is quadratic.
static void momentum(double *out, const servo_arm *x, const double *q, const double *u) {
  const double T = kinetic(x, q, u);
  for (int k = 0; k < N; k++) {
    double e[N] = {0}, both[N];
    e[k] = 1;
    for (int i = 0; i < N; i++) both[i] = u[i] + e[i];
    out[k] = kinetic(x, q, both) - T - kinetic(x, q, e);
  }
}

// d(M v)/dt at constant v, less dT/dq.
static void coriolis(double *out, const servo_arm *x, const double *q, const double *v) {
  const double e = 1e-4;
  double a[N], b[N], p[N], m[N];
  for (int k = 0; k < N; k++) {
    a[k] = q[k] + e * v[k];
    b[k] = q[k] - e * v[k];
  }
  momentum(p, x, a, v);
  momentum(m, x, b, v);
  for (int k = 0; k < N; k++) {
    memcpy(a, q, sizeof a);
    memcpy(b, q, sizeof b);
    a[k] += e;
    b[k] -= e;
    out[k] = (p[k] - m[k]) / (2 * e) - (kinetic(x, a, v) - kinetic(x, b, v)) / (2 * e);
  }
}

// y: q, v; into dy.
static void rate(double *dy, const servo_arm *x, double t, const double *y) {
  double effort[N], M[N * N], bias[N] = {0};
  int pivot[N];
  if (x->coupled) coriolis(bias, x, y, y + N);
  for (int k = 0; k < N; k++) {
    const double e = lim_trajectory_at(x->told[k], t).value - y[k];
    effort[k] = x->inertia[k] * (x->w * x->w * e - 2 * x->w * y[N + k]) - bias[k];
    double unit[N] = {0};
    unit[k] = 1;
    if (x->coupled) momentum(M + (size_t)k * N, x, y, unit);
    dy[k] = y[N + k];
    dy[N + k] = effort[k] / x->inertia[k];
  }
  if (!x->coupled) return;
  assert_true(lim_lu_factor(M, pivot, N));
  lim_lu_solve(effort, M, pivot, N);
  memcpy(dy + N, effort, sizeof effort);
}

static void runge_kutta(double *y, const servo_arm *x, double t, double h) {
  static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double k[2 * N] = {0}, at[2 * N], sum[2 * N] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 2 * N; i++) at[i] = y[i] + part[s] * h * k[i];
    rate(k, x, t + part[s] * h, at);
    for (int i = 0; i < 2 * N; i++) sum[i] += weight[s] * k[i];
  }
  for (int i = 0; i < 2 * N; i++) y[i] += h / 6 * sum[i];
}

// --- the path ---

typedef struct {
  double lag;   // of the tool behind its command, along the line, largest [m]
  double off;   // beside the line, largest [m]
  double apart; // beside the line, from the tool of rigid links on the simulated joints, largest [m]
} path;

static double largest(double a, double b) { return fmax(a, fabs(b)); }

// Where the controllers should lead the tool of the rigid arm, beside what the run shows.
static path predict(const char *const *set, const char *const *each, double w, bool coupled) {
  lim_model *m = emats_model(set, each);
  lim_arm *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, m, true, &err), LIM_OK);
  servo_arm x = {.s = s, .w = w, .coupled = coupled};
  double y[2 * N] = {0};
  path r = {0};
  for (int k = 0; k < N; k++) {
    y[k] = run->at[0].ref[k];
    x.inertia[k] = run->kv[k] * run->ratio[k] * run->ratio[k] / (2 * w);
    for (int i = 0; i < m->motion.count; i++)
      if (!strcmp(m->motion.item[i].head.name, EMATS_JOINT[k])) x.told[k] = m->motion.item[i].profile.ready;
  }
  for (int i = 1; i < run->n; i++) {
    const emats_record *a = &run->at[i];
    double p[3];
    runge_kutta(y, &x, run->at[i - 1].t, a->t - run->at[i - 1].t);
    emats_tool(p, s, y);
    r.lag = largest(r.lag, a->reference[0] - p[0]);
    r.off = largest(r.off, emats_off(p));
    r.apart = largest(r.apart, hypot(a->stiff[1] - p[1], a->stiff[2] - p[2]));
  }
  lim_arm_free(s);
  lim_model_free(m);
  return r;
}

// Of the run: the tool; the tool of rigid links on its joints; the distance of both.
typedef struct {
  path tip, joints;
  double elastic;
} shown;

static shown seen(void) {
  shown r = {0};
  for (int i = 0; i < run->n; i++) {
    const emats_record *a = &run->at[i];
    double d = 0;
    for (int c = 0; c < 3; c++) d += (a->tip[c] - a->stiff[c]) * (a->tip[c] - a->stiff[c]);
    r.elastic = largest(r.elastic, sqrt(d));
    r.tip.lag = largest(r.tip.lag, a->reference[0] - a->tip[0]);
    r.tip.off = largest(r.tip.off, emats_off(a->tip));
    r.joints.off = largest(r.joints.off, emats_off(a->stiff));
  }
  return r;
}

// Joints that do not feel each other: rotors and gains ten thousand times as large, gears rigid,
// rotors that turn with their gears alone, links as they are.
static void equal_poles_lead_the_tool(void **state) {
  (void)state;
  static const char *const heavy[] = {"drives.j1.motor.rotor_inertia=2.70",
                                      "drives.j2.motor.rotor_inertia=2.66",
                                      "drives.j3.motor.rotor_inertia=1.06",
                                      "drives.j4.motor.rotor_inertia=0.208",
                                      "drives.j5.motor.rotor_inertia=0.230",
                                      "drives.j6.motor.rotor_inertia=0.212",
                                      "drives.j7.motor.rotor_inertia=0.575",
                                      "drives.j8.motor.rotor_inertia=7.71",
                                      NULL};
  const char *const stiff[] = {"gear={}", "motor.rotor=simple", NULL};
  static emats_log decoupled;
  run = &decoupled;
  emats_run(run, heavy, stiff);
  const path equal = predict(heavy, stiff, 6, false);
  const shown is = seen();
  table_head("Rotors so heavy that joints do not feel each other, 6 rad/s: double poles in every joint");
  table_row("lag of the tool [m]", is.tip.lag, equal.lag, 1e-3, "w^2/(s + w)^2 in every joint");
  table_row("beside the line, by the joints [m]", is.joints.off, equal.off, 0.01, "the same");
  table_bound("  apart from the prediction [m]", equal.apart, 0.01 * equal.off, "");
  table_bound("beside the line, tool less joints [m]", is.tip.off - is.joints.off, is.elastic,
              "elastic deflection");
}

static void path_is_that_of_the_lag(double w) {
  char control[64];
  snprintf(control, sizeof control, "control.bandwidth=%g rad/s", w);
  const char *const each[] = {control, NULL};
  run_at(w);
  const path equal = predict(NULL, each, w, false), rigid = predict(NULL, each, w, true);
  const shown is = seen();
  table_row("lag of the tool [m]", is.tip.lag, equal.lag, 0.01, "w^2/(s + w)^2 in every joint");
  table_row("  the same", is.tip.lag, rigid.lag, 1e-3, "rigid arm, joints coupled");
  table_row("beside the line, by the joints [m]", is.joints.off, rigid.off, 0.01, "rigid arm, joints coupled");
  printf("%-52s %16s %16.9g\n", "  of this by equal poles alone [m]", "", equal.off);
  table_bound("  apart from the prediction [m]", rigid.apart, is.elastic, "elastic deflection");
  printf("%-52s %16.9g\n", "elastic deflection of the links, largest [m]", is.elastic);
  table_bound("beside the line, tool less joints [m]", is.tip.off - is.joints.off, is.elastic,
              "elastic deflection");
  table_bound("beside the line, over the stroke", is.tip.off / STROKE, 0.01, "1 %");
}

static void lag_leads_the_tool_of_the_arm(void **state) {
  (void)state;
  table_head("The arm as it is, 6 rad/s: joints feel each other");
  path_is_that_of_the_lag(6);
  table_head("The same with 30 rad/s");
  path_is_that_of_the_lag(30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrives_without_error_and_overshoot),
      cmocka_unit_test(equal_poles_lead_the_tool),
      cmocka_unit_test(lag_leads_the_tool_of_the_arm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
