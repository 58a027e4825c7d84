// path_line.c - tests of frames that follow lines: closed forms of inverse kinematics, closed chains,
// redundant arms, what cannot be followed, and what analyses make of it.
#include "fixture.h"

#include "analysis/inverse.h"
#include "analysis/simulation/simulate.h"
#include "arm/kinematics.h"
#include "arm/loop.h"
#include "drive/inputs.h"
#include "path/assembly.h"

typedef struct {
  lim_model *m;
  lim_arm *s;
  lim_inputs *inputs;
} arm;

static lim_code try_arm(arm *x, const char *text, bool rigid, lim_error *err) {
  *x = (arm){.m = parse(text)};
  lim_code code = lim_arm_new(&x->s, x->m, rigid, err);
  return code == LIM_OK ? lim_inputs_new(&x->inputs, x->s, NULL, err) : code;
}

static void drop(arm *x) {
  lim_inputs_free(x->inputs);
  lim_arm_free(x->s);
  lim_model_free(x->m);
}

static arm arm_of(const char *text, bool rigid) {
  arm x;
  lim_error err = {0};
  lim_code code = try_arm(&x, text, rigid, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return x;
}

static void refused(const char *text, int line, const char *message) {
  arm x;
  lim_error err = {0};
  assert_int_equal(try_arm(&x, text, false, &err), LIM_BAD_INPUT);
  if (!strstr(err.note[0].text, message)) fail_msg("'%s' does not say '%s'", err.note[0].text, message);
  assert_int_equal(err.count, 1);
  assert_int_equal(err.note[0].line, line);
  lim_error_clear(&err);
  drop(&x);
}

static void near(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.17g, expected %.17g", x, expected);
}

#define LINK(name, length)                                                                                     \
  "  - {name: " name ", body: {mass: 1, inertia: [1, 1, 1], tip: [" length ", 0, 0]}}\n"
#define TWO  "limber: 1\nplanar: xy\nlinks:\n" LINK("a", "0.6") LINK("b", "0.4")
#define LINE "line: {from: [0.7, 0.1, 0], to: [0.2, 0.6, 0]}"

// --- open chains ---

// Position, speed and acceleration as one number with two derivatives, for closed forms.
typedef struct {
  double x, d, dd;
} jet;

static jet jet_sum(double a, jet x, double b, jet y) {
  return (jet){a * x.x + b * y.x, a * x.d + b * y.d, a * x.dd + b * y.dd};
}
static jet jet_product(jet x, jet y) {
  return (jet){x.x * y.x, x.d * y.x + x.x * y.d, x.dd * y.x + 2 * x.d * y.d + x.x * y.dd};
}
// f(x) with f' and f''.
static jet jet_of(jet x, double f, double df, double ddf) {
  return (jet){f, df * x.d, ddf * x.d * x.d + df * x.dd};
}
static jet jet_acos(jet x) {
  double w = 1 - x.x * x.x;
  return jet_of(x, acos(x.x), -1 / sqrt(w), -x.x / (w * sqrt(w)));
}
static jet jet_cos(jet x) { return jet_of(x, cos(x.x), -sin(x.x), -cos(x.x)); }
static jet jet_sin(jet x) { return jet_of(x, sin(x.x), cos(x.x), -sin(x.x)); }
static jet jet_atan2(jet y, jet x) {
  double r = x.x * x.x + y.x * y.x, n = x.x * y.d - y.x * x.d, dr = 2 * (x.x * x.d + y.x * y.d);
  return (jet){atan2(y.x, x.x), n / r, (x.x * y.dd - y.x * x.dd) / r - n * dr / (r * r)};
}

// Angles of the two-link arm with its tip at (x, y).
static void two_links(jet q[2], jet x, jet y, double branch) {
  const double a = 0.6, b = 0.4;
  jet r2 = jet_sum(1, jet_product(x, x), 1, jet_product(y, y));
  jet c = {(r2.x - a * a - b * b) / (2 * a * b), r2.d / (2 * a * b), r2.dd / (2 * a * b)};
  jet e = jet_acos(c);
  q[1] = (jet){branch * e.x, branch * e.d, branch * e.dd};
  jet u = jet_cos(q[1]), w = jet_sin(q[1]);
  u = (jet){a + b * u.x, b * u.d, b * u.dd};
  w = (jet){b * w.x, b * w.d, b * w.dd};
  q[0] = jet_sum(1, jet_atan2(y, x), -1, jet_atan2(w, u));
}

static void check_two_links(const arm *x, double branch) {
  const double T = 1.6, start = 0.3, w = 2 * M_PI / T;
  for (double t = 0.0137; t < 2.2; t += 0.0391) {
    double tau = fmin(fmax(t - start, 0), T);
    bool moves = t > start && t < start + T;
    jet s = {tau / T - sin(w * tau) / (2 * M_PI), moves ? (1 - cos(w * tau)) / T : 0,
             moves ? w * sin(w * tau) / T : 0};
    jet q[2], px = {0.7 - 0.5 * s.x, -0.5 * s.d, -0.5 * s.dd}, py = {0.1 + 0.5 * s.x, 0.5 * s.d, 0.5 * s.dd};
    two_links(q, px, py, branch);
    for (int i = 0; i < 2; i++) {
      lim_sample c = lim_trajectory_at(x->inputs->drive[i].motion, t);
      near(c.value, q[i].x, 1e-9);
      near(c.rate, q[i].d, 1e-9);
      near(c.second, q[i].dd, 1e-9);
    }
  }
}

static void two_link_arm_matches_the_closed_form_on_both_branches(void **state) {
  (void)state;
  for (int branch = -1; branch <= 1; branch += 2) {
    char text[1000];
    snprintf(text, sizeof text,
             TWO "configuration: {a: %g, b: %g}\n"
                 "motion: {b.tip: {profile: cycloidal, " LINE ", start: 0.3, duration: 1.6}}\n",
             -0.6 * branch, 1.2 * branch);
    arm x = arm_of(text, false);
    check_two_links(&x, branch);
    assert_int_equal(x.inputs->drive[0].type, LIM_DRIVE_PRESCRIBED);
    assert_int_equal(x.inputs->drive[0].motion->nbreak,
                     2); // where the cycloid begins and ends, not the samples
    near(x.inputs->drive[0].motion->breaks[0].time, 0.3, 1e-12);
    near(x.inputs->drive[0].motion->end, 1.9, 1e-12);
    double q[2], v[2]; // the start is on the line
    lim_arm_start(q, v, x.s);
    near(q[0], lim_trajectory_at(x.inputs->drive[0].motion, 0).value, 1e-13);
    near(q[1], lim_trajectory_at(x.inputs->drive[1].motion, 0).value, 1e-13);
    drop(&x);
  }
}

static void stretched_configuration_bends_one_way(void **state) {
  (void)state;
  arm x = arm_of(TWO "motion: {tip: {profile: cycloidal, " LINE ", start: 0.3, duration: 1.6}}\n", false);
  check_two_links(&x, 1);
  drop(&x);
}

static void jumps_of_acceleration_are_breaks(void **state) {
  (void)state;
  arm x = arm_of(TWO "configuration: {a: -0.6, b: 1.2}\n"
                     "motion: {tip: {profile: trapezoidal, " LINE ", duration: 1.5}}\n",
                 false);
  const double expected[] = {0, 0.5, 1, 1.5};
  const lim_trajectory *c = x.inputs->drive[0].motion;
  assert_int_equal(c->nbreak, 4);
  for (int i = 0; i < 4; i++) {
    near(c->breaks[i].time, expected[i], 1e-12);
    assert_int_equal(c->breaks[i].order, 2);
  }
  assert_true(fabs(lim_trajectory_at(c, 0.5).second - lim_trajectory_before(c, 0.5).second) > 0.1);
  assert_int_equal(x.inputs->nbreak, 3);
  drop(&x);
}

// Where the frame is at t by the commanded motions: position, speed, acceleration. Joints without stay at the
// start.
static lim_world_motion tip_at(const arm *x, double t) {
  double q[64] = {0}, v[64] = {0}, a[64] = {0};
  lim_world_motion body[16];
  assert_true(x->s->n <= 64 && x->s->nbody <= 16);
  lim_arm_start(q, v, x->s);
  memset(v, 0, sizeof v);
  for (int i = 0; i < x->s->nbody; i++) {
    if (x->s->bodies[i].q < 0 || !x->inputs->drive[i].motion) continue;
    lim_sample c = lim_trajectory_at(x->inputs->drive[i].motion, t);
    q[x->s->bodies[i].q] = c.value;
    v[x->s->bodies[i].q] = c.rate;
    a[x->s->bodies[i].q] = c.second;
  }
  lim_kinematics(body, x->s, q, v, a);
  const lim_site *site = &x->s->site[0].site;
  return lim_kinematics_site(x->s, site, &body[site->body], q, v, a);
}

// s(t) of a quintic of duration 1.
static jet quintic(double t) {
  t = fmin(fmax(t, 0), 1);
  return (jet){t * t * t * (10 - 15 * t + 6 * t * t), 30 * t * t * (1 - t) * (1 - t),
               60 * t * (1 - t) * (1 - 2 * t)};
}

static void check_tip(const arm *x, const double from[3], const double to[3], double start) {
  for (double t = start + 0.0071; t < start + 1; t += 0.0193) {
    lim_world_motion tip = tip_at(x, t);
    jet s = quintic(t - start);
    for (int k = 0; k < 3; k++) {
      near(tip.p[k], from[k] + s.x * (to[k] - from[k]), 1e-9);
      near(tip.v[k], s.d * (to[k] - from[k]), 1e-8);
      near(tip.a[k], s.dd * (to[k] - from[k]), 1e-6);
    }
  }
}

#define SPATIAL                                                                                                \
  "limber: 1\nlinks:\n  - {name: turn, body: {tip: [0, 0, 0.5]}}\n"                                            \
  "  - {name: upper, joint: {axis: [0, -1, 0]}, body: {tip: [0.7, 0, 0]}}\n"                                   \
  "  - {name: fore, joint: {axis: [0, -1, 0]}, body: {tip: [0.5, 0, 0.1]}}\n"

static void spatial_arm_stays_on_the_line(void **state) {
  (void)state;
  arm x = arm_of(SPATIAL "configuration: {upper: 1, fore: -1.5}\n"
                         "motion: {fore.tip: {profile: quintic, duration: 1, "
                         "line: {from: [0.6, -0.4, 0.3], to: [0.3, 0.7, 0.8]}}}\n",
                 false);
  check_tip(&x, (double[3]){0.6, -0.4, 0.3}, (double[3]){0.3, 0.7, 0.8}, 0);
  drop(&x);
}

static void redundant_arm_stays_on_the_line_at_the_least_speeds(void **state) {
  (void)state;
  arm x = arm_of("limber: 1\nplanar: xy\nlinks:\n" LINK("a", "0.5") LINK("b", "0.4")
                     LINK("c", "0.3") "configuration: {a: 0.3, b: 0.8, c: -0.4}\n"
                                      "motion: {tip: {profile: quintic, duration: 1, line: {from: [0.8, 0.4, "
                                      "0], to: [0.1, 0.8, 0]}}}\n",
                 false);
  check_tip(&x, (double[3]){0.8, 0.4, 0}, (double[3]){0.1, 0.8, 0}, 0);
  const double L[3] = {0.5, 0.4, 0.3};
  for (double t = 0.05; t < 1;
       t += 0.07) { // the speeds have no part along the self-motion n, which moves no tip
    double q = 0, n[3], J[2][3] = {{0}}, x1[3], y1[3];
    lim_sample c[3];
    for (int i = 0; i < 3; i++) {
      c[i] = lim_trajectory_at(x.inputs->drive[i].motion, t);
      q += c[i].value;
      x1[i] = L[i] * cos(q);
      y1[i] = L[i] * sin(q);
    }
    for (int j = 0; j < 3; j++)
      for (int i = j; i < 3; i++) {
        J[0][j] -= y1[i];
        J[1][j] += x1[i];
      }
    for (int i = 0; i < 3; i++)
      n[i] = J[0][(i + 1) % 3] * J[1][(i + 2) % 3] - J[0][(i + 2) % 3] * J[1][(i + 1) % 3];
    near(c[0].rate * n[0] + c[1].rate * n[1] + c[2].rate * n[2], 0, 1e-9);
  }
  drop(&x);
}

static void two_lines_follow_each_other(void **state) {
  (void)state;
  arm x = arm_of(
      TWO "configuration: {a: -0.6, b: 1.2}\n"
          "motion: {tip: [{profile: quintic, duration: 1, line: {from: [0.7, 0.1, 0], to: [0.7, 0.5, 0]}},\n"
          "  {profile: quintic, start: 1.5, duration: 1, line: {from: [0.7, 0.5, 0], to: [0.2, 0.5, 0]}}]}\n",
      false);
  check_tip(&x, (double[3]){0.7, 0.1, 0}, (double[3]){0.7, 0.5, 0}, 0);
  check_tip(&x, (double[3]){0.7, 0.5, 0}, (double[3]){0.2, 0.5, 0}, 1.5);
  near(tip_at(&x, 1.2).p[0], 0.7, 1e-12);
  near(lim_trajectory_before(x.inputs->drive[0].motion, 1).rate, 0, 1e-12);
  drop(&x);
}

static void joint_with_a_motion_of_its_own_is_taken_along(void **state) {
  (void)state;
  arm x =
      arm_of("limber: 1\nplanar: xy\nlinks:\n"
             "  - {name: slide, joint: {type: prismatic, axis: [0, 1, 0]}, body: {mass: 1}}\n" LINK("a", "0.6")
                 LINK("b", "0.4") "drives: {a: {type: servo, stiffness: 10}, b: {type: prescribed}}\n"
                                  "configuration: {slide: 0, a: -0.6, b: 1.2}\n"
                                  "motion:\n  slide: {profile: harmonic, amplitude: 0.1, frequency: 2}\n"
                                  "  tip: {profile: quintic, duration: 1, start: 0.5, "
                                  "line: {from: [0.7, 0.1, 0], to: [0.2, 0.6, 0]}}\n"
                                  "solver: {duration: 2}\n",
             false);
  check_tip(&x, (double[3]){0.7, 0.1, 0}, (double[3]){0.2, 0.6, 0}, 0.5);
  near(tip_at(&x, 1.83).p[1], 0.6, 1e-9);
  near(tip_at(&x, 0.2).p[0], 0.7, 1e-9);
  drop(&x);
}

static void lines_of_two_frames_are_solved_together(void **state) {
  (void)state;
  arm x = arm_of(
      "limber: 1\nplanar: xy\nlinks:\n" LINK("a", "0.5") LINK("b", "0.5") LINK("c", "0.4") LINK(
          "d",
          "0.4") "configuration: {a: 0.3, b: 0.8, c: -0.9, d: 0.8}\n"
                 "motion:\n  b.tip: {profile: quintic, duration: 1, line: {from: [0.6, 0.6, 0], to: [0.5, 0.8, "
                 "0]}}\n"
                 "  d.tip: {profile: quintic, duration: 1, line: {from: [1.2, 0.8, 0], to: [1, 1.1, 0]}}\n",
      false);
  check_tip(&x, (double[3]){1.2, 0.8, 0}, (double[3]){1, 1.1, 0}, 0);
  drop(&x);
}

static void flexible_arm_gets_the_motions_of_the_rigid_one(void **state) {
  (void)state;
  const char *text = "limber: 1\nplanar: xy\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
                     "sections: {s: {shape: circle, diameter: 10 mm}}\nlinks:\n"
                     "  - {name: a, beam: {length: 0.6, section: s, material: m, elements: 3}}\n"
                     "  - {name: b, beam: {length: 0.4, section: s, material: m, elements: 4, segments: 2}}\n"
                     "configuration: {a: -0.6, b: 1.2}\n"
                     "motion: {b.tip: {profile: cycloidal, " LINE ", start: 0.3, duration: 1.6}}\n";
  for (int rigid = 0; rigid < 2; rigid++) {
    arm x = arm_of(text, rigid);
    double t = 0.87;
    jet q[2], s = {(t - 0.3) / 1.6 - sin(2 * M_PI * (t - 0.3) / 1.6) / (2 * M_PI), 0, 0};
    two_links(q, (jet){0.7 - 0.5 * s.x, 0, 0}, (jet){0.1 + 0.5 * s.x, 0, 0}, 1);
    for (int link = 0; link < 2; link++) {
      assert_true(lim_arm_commands(x.s, link));
      near(lim_trajectory_at(x.inputs->drive[x.s->first_body[link]].motion, t).value, q[link].x, 1e-10);
    }
    drop(&x);
  }
}

// --- closed chains ---

// A parallelogram: the forearm is turned by a crank at the base through a rod. Its angle is the crank's plus
// pi.
#define PARALLELOGRAM                                                                                          \
  "limber: 1\nplanar: xy\nlinks:\n" LINK("upper", "0.6")                                                       \
      LINK("fore", "0.5") "  - {name: crank, parent: base, body: {mass: 1, inertia: [1, 1, 1], tip: [0.2, 0, " \
                          "0]}}\n" LINK("rod", "0.6") "frames: [{name: heel, on: fore, xyz: [-0.2, 0, 0]}, "   \
                                                      "{name: tip, on: fore, xyz: [0.5, 0, 0]}]\n"             \
                                                      "loops: [{name: pin, between: [rod.tip, fore.heel]}]\n"  \
                                                      "configuration: {upper: 60 deg, fore: -80 deg, crank: "  \
                                                      "160 deg, rod: -100 deg}\n"
#define TOOL "motion: {tip: {profile: quintic, duration: 1, line: {from: [0.75, 0.3, 0], to: [0.4, 0.6, 0]}}}\n"

static void parallelogram_follows_by_both_inputs(void **state) {
  (void)state;
  arm x = arm_of(
      PARALLELOGRAM TOOL "drives: {upper: {type: prescribed}, crank: {type: servo, stiffness: 100}}\n", false);
  assert_true(x.s->moved[0] && !x.s->moved[1] && x.s->moved[2] && !x.s->moved[3]);
  assert_null(x.inputs->drive[1].motion);
  assert_int_equal(x.inputs->drive[2].type, LIM_DRIVE_SERVO);
  for (double t = 0; t < 1.1; t += 0.0317) { // tip = 0.6 e(upper) - 0.5 e(crank)
    lim_sample a = lim_trajectory_at(x.inputs->drive[0].motion, t),
               c = lim_trajectory_at(x.inputs->drive[2].motion, t);
    jet s = quintic(t), q1 = {a.value, a.rate, a.second}, q2 = {c.value, c.rate, c.second};
    jet px = jet_sum(0.6, jet_cos(q1), -0.5, jet_cos(q2)), py = jet_sum(0.6, jet_sin(q1), -0.5, jet_sin(q2));
    near(px.x, 0.75 - 0.35 * s.x, 1e-9);
    near(py.x, 0.3 + 0.3 * s.x, 1e-9);
    near(px.d, -0.35 * s.d, 1e-8);
    near(py.dd, 0.3 * s.dd, 1e-6);
  }
  lim_row_state row[6]; // the start is closed, and on the line
  lim_world_motion body[4];
  double q[4], v[4];
  lim_arm_start(q, v, x.s);
  lim_kinematics(body, x.s, q, v, NULL);
  lim_loops_evaluate(row, x.s, body, q, v, NULL);
  for (int i = 0; i < x.s->nrow; i++) near(row[i].value, 0, 1e-12);
  near(tip_at(&x, 0).p[0], 0.75, 1e-12);
  drop(&x);
}

static void closed_chain_without_drives_is_moved_by_joints_that_do_not_follow(void **state) {
  (void)state;
  arm x = arm_of(PARALLELOGRAM TOOL, false);
  int moved = 0;
  for (int i = 0; i < 4; i++) {
    moved += x.s->moved[i];
    assert_int_equal(x.s->moved[i], !x.s->passive[x.s->bodies[i].q]);
  }
  assert_int_equal(moved, 2);
  drop(&x);
}

// --- what cannot be followed ---

static void lines_that_cannot_be_followed_are_refused(void **state) {
  (void)state;
  refused(TWO "motion: {tip: {profile: quintic, line: {from: [1.2, 0, 0], to: [1, 1, 0]}, duration: 1}}\n", 6,
          "motion 'tip': at t = 0 s the line is out of reach of the driven joints from this configuration: 0.2 "
          "m are left");
  refused(TWO "configuration: {b: 1}\n"
              "motion: {tip: {profile: quintic, line: {from: [0.8, 0, 0], to: [1.1, 0, 0]}, duration: 1}}\n",
          7, "s the line leads out of reach of the driven joints: at its end 0.1 m are left");
  refused(TWO "configuration: {b: 1}\n"
              "motion: {tip: {profile: quintic, line: {from: [0.8, 0, 0], to: [1, 0, 0]}, duration: 1}}\n",
          7, "s the line leads into a singular position of the arm");
  refused(TWO "motion: {tip: {profile: quintic, line: {from: [1, 0, 0], to: [0.5, 0, 0]}, duration: 1}}\n", 6,
          "s the line leads into a singular position of the arm");
  refused(TWO
          "motion: {tip: {profile: quintic, line: {from: [0.8, 0, 0.1], to: [0.5, 0, 0.1]}, duration: 1}}\n",
          6, "motion 'tip': the line begins 0.1 m off the plane in which the frame moves");
  refused(TWO "drives: {b: {type: effort}}\nmotion: {tip: {profile: quintic, " LINE ", duration: 1}}\n", 7,
          "motion 'tip': no joint is driven that could move the frame");
  refused(TWO "drives: {b: {type: servo, stiffness: 1}}\nconfiguration: {b: 1}\n"
              "motion: {tip: {profile: quintic, " LINE ", duration: 1}}\n",
          8, "at t = 0 s the line is out of reach of the driven joints");
}

// How far it reaches, and when: the tip passes 1 m where s = 2/3.
static void message_names_the_time_at_which_the_line_leaves_reach(void **state) {
  (void)state;
  arm x;
  lim_error err = {0};
  assert_int_not_equal(
      try_arm(
          &x,
          TWO
          "configuration: {b: 1}\n"
          "motion: {tip: {profile: trapezoidal, line: {from: [0.8, 0, 0], to: [1.1, 0, 0]}, duration: 3}}\n",
          false, &err),
      LIM_OK);
  // rates of trapezoids: 1/2 per s after 1 s; s(t) = 1/4 + (t - 1)/2
  double t = 0;
  const char *at = strstr(err.note[0].text, "at t = ");
  assert_non_null(at);
  sscanf(at, "at t = %lf", &t);
  near(t, 1 + 2 * (2.0 / 3 - 0.25), 1e-2);
  lim_error_clear(&err);
  drop(&x);
}

// --- analyses ---

typedef struct {
  double error, commanded; // of the tip, against the line and against the reference
  int n;
} observed;

static lim_code observe(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  observed *o = user;
  const lim_site *site = &m->system->site[0].site, *rigid = &m->rigid->site[0].site;
  lim_world_motion tip = lim_kinematics_site(m->system, site, &m->body[site->body], m->q, m->v, m->a);
  lim_world_motion there =
      lim_kinematics_site(m->rigid, rigid, &m->reference[rigid->body], m->rq, m->rv, m->ra);
  jet s = quintic(m->t);
  double line[2] = {0.75 - 0.35 * s.x, 0.3 + 0.3 * s.x};
  for (int k = 0; k < 2; k++) {
    o->error = fmax(o->error, fabs(tip.p[k] - line[k]));
    o->commanded = fmax(o->commanded, fabs(there.p[k] - line[k]));
  }
  o->n++;
  return LIM_OK;
}

static observed simulate(const char *text) {
  observed o = {0};
  lim_run run;
  lim_error err = {0};
  lim_model *m = parse(text);
  lim_simulate_hooks hooks = {.record = observe, .user = &o};
  lim_code code = lim_simulate(&run, m, NULL, &hooks, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  lim_model_free(m);
  return o;
}

#define FLEXIBLE                                                                                               \
  "limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"           \
  "sections: {s: {shape: circle, diameter: 20 mm}}\nlinks:\n"                                                  \
  "  - {name: a, beam: {length: 0.6, section: s, material: m, elements: 2}}\n"                                 \
  "  - {name: b, beam: {length: 0.5, section: s, material: m, elements: 2}}\n"                                 \
  "configuration: {a: 60 deg, b: -80 deg}\n"

static void rigid_simulation_keeps_the_tip_on_the_line(void **state) {
  (void)state;
  observed o = simulate(FLEXIBLE TOOL "solver: {mode: rigid, duration: 1.2, step: 10 ms}\n");
  assert_true(o.n > 100);
  near(o.error, 0, 1e-9);
  near(o.commanded, 0, 1e-9);
}

static void closed_chain_in_rigid_simulation_keeps_the_tip_on_the_line(void **state) {
  (void)state;
  observed o = simulate(PARALLELOGRAM TOOL "drives: {upper: {type: prescribed}, crank: {type: prescribed}}\n"
                                           "solver: {mode: rigid, duration: 1.2, step: 10 ms}\n");
  near(o.error, 0, 1e-9);
  near(o.commanded, 0, 1e-9);
}

static void flexible_simulation_has_the_line_as_reference(void **state) {
  (void)state;
  const char *drives[] = {
      "", "drives: {a: {type: servo, stiffness: 1e4, damping: 100}, b: {type: servo, stiffness: 1e4, "
          "damping: 100}}\n"};
  const char *modes[] = {"nonlinear", "linear", "quasi-static"};
  for (int i = 0; i < 6; i++) {
    char text[2000];
    snprintf(text, sizeof text, FLEXIBLE TOOL "%ssolver: {mode: %s, duration: 1.1, step: 10 ms}\n",
             drives[i / 3], modes[i % 3]);
    observed o = simulate(text);
    near(o.commanded, 0, 1e-9);
    assert_true(o.error > 1e-5 && o.error < 1e-2);
  }
}

static void inverse_lists_the_joints_that_lines_move(void **state) {
  (void)state;
  const char *drives[] = {"drives: {upper: {type: servo, stiffness: 50}, crank: {type: prescribed}}\n", ""};
  for (int i = 0; i < 2; i++) {
    char text[2000];
    lim_inverse *x = NULL;
    lim_error err = {0};
    snprintf(text, sizeof text, PARALLELOGRAM TOOL "solver: {duration: 1, step: 10 ms}\n%s", drives[i]);
    lim_model *m = parse(text);
    lim_code code = lim_inverse_new(&x, m, NULL, NULL, &err);
    print_notes(&err);
    assert_int_equal(code, LIM_OK);
    assert_int_equal(x->joints.count, 2);
    assert_string_equal(x->joints.item[0].name, "upper");
    assert_string_equal(x->joints.item[1].name, i ? "fore" : "crank");
    assert_int_equal(x->n, 101);
    assert_true(x->joints.item[0].of_effort.peak > 0.1);
    lim_inverse_free(x);
    lim_model_free(m);
    lim_error_clear(&err);
  }
}

// Open loop with what the rigid arm needs: without deformation it stays on the line.
static void rigid_efforts_follow_the_line(void **state) {
  (void)state;
  observed o =
      simulate(FLEXIBLE TOOL "drives: {a: {type: effort, effort: rigid}, b: {type: effort, effort: rigid}}\n"
                             "solver: {mode: rigid, method: rk4, duration: 1, step: 1 ms}\n");
  near(o.error, 0, 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_link_arm_matches_the_closed_form_on_both_branches),
      cmocka_unit_test(stretched_configuration_bends_one_way),
      cmocka_unit_test(jumps_of_acceleration_are_breaks),
      cmocka_unit_test(spatial_arm_stays_on_the_line),
      cmocka_unit_test(redundant_arm_stays_on_the_line_at_the_least_speeds),
      cmocka_unit_test(two_lines_follow_each_other),
      cmocka_unit_test(joint_with_a_motion_of_its_own_is_taken_along),
      cmocka_unit_test(lines_of_two_frames_are_solved_together),
      cmocka_unit_test(flexible_arm_gets_the_motions_of_the_rigid_one),
      cmocka_unit_test(parallelogram_follows_by_both_inputs),
      cmocka_unit_test(closed_chain_without_drives_is_moved_by_joints_that_do_not_follow),
      cmocka_unit_test(lines_that_cannot_be_followed_are_refused),
      cmocka_unit_test(message_names_the_time_at_which_the_line_leaves_reach),
      cmocka_unit_test(rigid_simulation_keeps_the_tip_on_the_line),
      cmocka_unit_test(closed_chain_in_rigid_simulation_keeps_the_tip_on_the_line),
      cmocka_unit_test(flexible_simulation_has_the_line_as_reference),
      cmocka_unit_test(inverse_lists_the_joints_that_lines_move),
      cmocka_unit_test(rigid_efforts_follow_the_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
