// arm_loop.c - tests of closures: the configuration that closes them, what is refused, joints that follow,
// rows in motion against differences, rows of rails, rows in a plane, redundant rows.
#include "fixture.h"

#include "arm/loop.h"
#include "arm/rail.h"
#include "dynamics/recursion.h"
#include "path/assembly.h"

typedef struct {
  lim_model *m;
  lim_arm *s;
  double q[32], v[32];
  lim_world_motion body[16];
  lim_row_state row[32];
} chain;

static void look(chain *c) {
  lim_kinematics(c->body, c->s, c->q, c->v, NULL);
  lim_loops_evaluate(c->row, c->s, c->body, c->q, c->v, NULL);
}

static chain chain_of(const char *text) {
  chain c = {.m = parse(text)};
  lim_error err = {0};
  lim_code code = lim_arm_new(&c.s, c.m, false, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_true(c.s->n <= 32 && c.s->nbody <= 16 && c.s->nrow <= 32);
  lim_arm_start(c.q, c.v, c.s);
  look(&c);
  return c;
}

static void chain_free(chain *c) {
  lim_arm_free(c->s);
  lim_model_free(c->m);
}

static void near(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.15g, expected %.15g to %g", x, expected, tolerance);
}

static void assert_closed(const chain *c) {
  assert_true(c->s->nrow > 0);
  for (int i = 0; i < c->s->nrow; i++) {
    near(c->row[i].value, 0, 1e-11);
    near(c->row[i].rate, 0, 1e-9);
  }
}

// The one message, which has to stand at the loop's line.
static void refused(const char *text, int line, const char *message) {
  lim_model *m = parse(text);
  lim_arm *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, m, false, &err), LIM_BAD_INPUT);
  assert_null(s);
  assert_int_equal(err.count, 1);
  if (!strstr(err.note[0].text, message)) fail_msg("'%s' lacks '%s'", err.note[0].text, message);
  assert_int_equal(err.note[0].line, line);
  lim_error_clear(&err);
  lim_model_free(m);
}

#define BODY(length) "body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, 0.01], tip: [" length ", 0, 0]}}\n"
// A four-bar: crank, coupler, and a rocker 0.5 m away.
#define BARS(plane)                                                                                            \
  "limber: 1\n" plane "links:\n  - {name: crank, " BODY("0.2") "  - {name: coupler, " BODY(                    \
      "0.5") "  - {name: rocker, parent: base, joint: {origin: {xyz: [0.5, 0, 0]}}, " BODY("0.4")
#define PIN      "loops: [{name: pin, between: [coupler.tip, rocker.tip]}]\n"
#define FOUR_BAR BARS("planar: xy\n") PIN

// --- closing ---

static void configuration_is_closed_and_driven_joints_stay(void **state) {
  (void)state;
  chain c = chain_of(FOUR_BAR "drives: {crank: {type: prescribed}}\n"
                              "configuration: {crank: 0.5, coupler: 0.3, rocker: 1.5}\n");
  assert_closed(&c);
  near(c.q[0], 0.5, 0);
  // two circles: coupler above the line from the crank's tip to the rocker's base
  double x = 0.5 - 0.2 * cos(0.5), y = -0.2 * sin(0.5), r = hypot(x, y);
  near(c.q[0] + c.q[1], atan2(y, x) + acos((r * r + 0.25 - 0.16) / (r * 1.0)), 1e-11);
  chain_free(&c);
}

static void any_drive_or_motion_keeps_a_joint(void **state) {
  (void)state;
  static const char *const DRIVES[] = {
      "drives: {rocker: {type: servo, stiffness: 1}}\n", "drives: {rocker: {type: effort}}\n",
      "motion: {rocker: {profile: cycloidal, from: 1.5, to: 1, duration: 1}}\n"};
  for (int i = 0; i < 3; i++) {
    char text[1500];
    snprintf(text, sizeof text, "%s%sconfiguration: {crank: 0.5, coupler: 0.3, rocker: 1.5}\n", FOUR_BAR,
             DRIVES[i]);
    chain c = chain_of(text);
    assert_closed(&c);
    near(c.q[2], 1.5, 0);
    chain_free(&c);
  }
}

static void closed_configuration_stays_as_it_is(void **state) {
  (void)state; // a square
  chain c = chain_of("limber: 1\nplanar: xy\nlinks:\n  - {name: a, " BODY("0.4") "  - {name: b, " BODY(
      "0.4") "  - {name: c, parent: base, joint: {origin: {xyz: [0.4, 0, "
             "0]}}, " BODY("0.4") "loops: [{name: pin, between: [b.tip, "
                                  "c.tip]}]\nconfiguration: {a: 90 deg, b: -90 "
                                  "deg, c: 90 deg}\n");
  assert_closed(&c);
  for (int i = 0; i < 3; i++) near(c.q[i], i == 1 ? -M_PI / 2 : M_PI / 2, 1e-14);
  chain_free(&c);
}

static void speeds_of_other_joints_follow_the_driven_one(void **state) {
  (void)state;
  chain c =
      chain_of(FOUR_BAR "drives: {crank: {type: effort}}\n"
                        "configuration: {crank: {position: 0.5, velocity: 2}, coupler: 0.3, rocker: 1.5}\n");
  assert_closed(&c);
  near(c.v[0], 2, 0);
  // velocity of the pin along the coupler is that of the crank's tip: a w1 sin(q1 - phi) = c w3 sin(psi - phi)
  double phi = c.q[0] + c.q[1];
  near(0.4 * c.v[2] * sin(c.q[2] - phi), 0.2 * 2 * sin(c.q[0] - phi), 1e-12);
  chain_free(&c);
}

static void two_loops_are_closed_at_once(void **state) {
  (void)state; // a six-bar: a second rocker on the coupler's end
  chain c = chain_of(BARS("planar: xy\n") "  - {name: arm, parent: rocker, at: tip, " BODY(
      "0.5") "  - {name: last, parent: base, joint: {origin: {xyz: [1, 0, 0]}}, " BODY("0.3") "loops: [{name: "
                                                                                              "pin, between: "
                                                                                              "[coupler.tip, "
                                                                                              "rocker.tip]}, "
                                                                                              "{name: end, "
                                                                                              "between: "
                                                                                              "[arm.tip, "
                                                                                              "last.tip]}]\n"
                                                                                              "drives: {crank: "
                                                                                              "{type: "
                                                                                              "prescribed}}\n"
                                                                                              "configuration: "
                                                                                              "{crank: 0.4, "
                                                                                              "coupler: 0.6, "
                                                                                              "rocker: 1.6, "
                                                                                              "arm: -1.6, "
                                                                                              "last: 1.4}\n");
  assert_int_equal(c.s->nloop, 2);
  assert_int_equal(c.s->nrow, 4);
  assert_closed(&c);
  int follow = 0;
  for (int i = 0; i < c.s->n; i++) follow += c.s->passive[i];
  assert_int_equal(follow, 4);
  assert_false(c.s->passive[0]);
  chain_free(&c);
}

static void loop_to_the_world_is_closed(void **state) {
  (void)state;
  chain c =
      chain_of(BARS("planar: xy\n") "frames: [{name: rail, on: base, xyz: [0, 0.3, 0]}]\n"
                                    "loops: [{name: guide, type: point-on-line, between: [rail, coupler.tip], "
                                    "axis: [1, 0, 0]}]\nconfiguration: {crank: 0.5, coupler: 0.3}\n");
  assert_int_equal(c.s->nrow, 1);
  assert_closed(&c);
  near(0.2 * sin(c.q[0]) + 0.5 * sin(c.q[0] + c.q[1]), 0.3, 1e-11);
  chain_free(&c);
}

// --- what is refused ---

static void links_that_do_not_reach_are_refused(void **state) {
  (void)state;
  refused("limber: 1\nplanar: xy\nlinks:\n  - {name: a, " BODY("0.4") "  - {name: b, " BODY(
              "0.4") "frames: [{name: far, on: base, xyz: [1, 0, 0]}]\n"
                     "loops:\n  - {name: pin, between: [b.tip, far]}\n"
                     "configuration: {a: 0.3, b: -0.6}\n",
          8, "loop 'pin' cannot be closed from this configuration: a gap of 0.2 m is left");
}

static void loop_of_driven_joints_is_refused(void **state) {
  (void)state;
  refused(
      BARS("planar: xy\n") "loops:\n  - {name: pin, between: [coupler.tip, rocker.tip]}\n"
                           "drives: {crank: {type: prescribed}, coupler: {type: prescribed}, rocker: {type: "
                           "prescribed}}\nconfiguration: {crank: 0, coupler: 0, rocker: 0}\n",
      8, "loop 'pin' cannot be closed from this configuration: a gap of 0.2 m is left; every joint is driven");
}

static void axes_that_cannot_meet_are_refused(void **state) {
  (void)state;
  refused("limber: 1\nlinks:\n  - {name: a, " BODY("0.4") "  - {name: b, " BODY(
              "0.4") "frames: [{name: seat, on: base, xyz: [0.4, 0.4, 0]}]\n"
                     "loops:\n  - {name: pin, between: [b.tip, seat], axis2: [1, 0, 0]}\n"
                     "configuration: {a: 0, b: 90 deg}\n",
          7, "loop 'pin' cannot be closed from this configuration: a gap of 1 (sine of an angle) is left");
}

static void gap_names_the_loop_that_is_left_open(void **state) {
  (void)state;
  refused(BARS("planar: xy\n") "  - {name: far, parent: base, joint: {origin: {xyz: [3, 0, 0]}}, " BODY(
              "0.2") "loops:\n  - {name: pin, between: [coupler.tip, rocker.tip]}\n  - {name: end, between: "
                     "[rocker.tip, "
                     "far.tip]}\nconfiguration: {crank: 0.5, coupler: 0.3, rocker: 1.5}\n",
          10, "loop 'end' cannot be closed");
}

static void speeds_that_do_not_agree_are_refused(void **state) {
  (void)state;
  refused(BARS("planar: xy\n") "loops:\n  - {name: pin, between: [coupler.tip, rocker.tip]}\n"
                               "drives: {crank: {type: effort}, rocker: {type: effort}}\n"
                               "configuration: {crank: {position: 0.5, velocity: 2}, rocker: {position: 1.5, "
                               "velocity: "
                               "5}, coupler: 0.3}\n",
          8, "loop 'pin'");
}

// --- rows ---

// The coordinate along x of the free link b.
static int free_link(const lim_arm *s) {
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].screw.slides) return s->bodies[i].q;
  return -1;
}

// A frame on a rail that moves, held there: what its rows say of speeds and accelerations against differences
// and G.
static void rail_rows_are_consistent_with_their_derivatives(void **state) {
  (void)state;
  static const char *const BASES[] = {"full", "{type: modes, count: 4}", "{type: modes, count: 2}"};
  static const double SIZES[] = {0.03, 0.003, 1e-4}; // of coordinates: shapes of short segments are large
  for (int k = 0; k < 3; k++) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "limber: 1\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
        "sections: {s: {shape: circle, diameter: 10 mm}}\nlinks:\n"
        "  - {name: a, joint: {axis: [0, 1, 1]}, beam: {length: 0.6, section: s, material: m, elements: 3, "
        "segments: %d}, basis: %s}\n"
        "  - {name: b, parent: base, joint: {type: free}, body: {mass: 1, inertia: [1, 1, 1]}}\n"
        "configuration: {b: {position: [0.2, 0, 0]}}\n"
        "loops: [{name: shoe, type: rail, between: [b.base, a]}]\n",
        k == 2 ? 3 : 1, BASES[k]);
    chain c = chain_of(text);
    const int n = c.s->n, b = free_link(c.s);
    assert_int_equal(c.s->nrow, 2);
    unsigned seed = 5u + (unsigned)k;
    double q[32], v[32], a[32], zero[32] = {0}, r[32], G[2 * 32];
    fill(q, n, SIZES[k], &seed);
    fill(v, n, 30 * SIZES[k], &seed);
    fill(a, n, 30 * SIZES[k], &seed);
    // onto the rail, and along it
    const lim_rail *rail = c.s->loop[0].rail;
    const lim_rail_span *span = &rail->span[1];
    lim_kinematics(c.body, c.s, q, v, a);
    const double place[3] = {span->start + 0.4 * span->length, 0.7, 0};
    const lim_world_motion at = lim_kinematics_on_rail(c.s, span, place, &c.body[span->body], q, v, a);
    memcpy(q + b, at.p, sizeof at.p);
    memcpy(v + b, at.v, sizeof at.v);
    lim_row_state row[3][32];
    for (int i = -1; i <= 1; i++) {
      const double h = i * 1e-6;
      for (int j = 0; j < n; j++) {
        c.q[j] = q[j] + h * v[j] + h * h / 2 * a[j];
        c.v[j] = v[j] + h * a[j];
      }
      lim_kinematics(c.body, c.s, c.q, c.v, a);
      lim_loops_evaluate(row[i + 1], c.s, c.body, c.q, c.v, a);
      if (i == 0) near(lim_rail_place(c.s, &c.s->loop[0], c.body, c.q), place[0], 1e-14);
    }
    lim_rec_work *w = lim_rec_work_new(c.s);
    assert_non_null(w);
    lim_rec_residual(r, w, q, zero, zero);
    lim_rec_loop_rows(G, w, q);
    lim_row_state same[32];
    double any[32];
    fill(any, n, 1, &seed);
    lim_kinematics(c.body, c.s, q, any, NULL);
    lim_loops_evaluate(same, c.s, c.body, q, any, NULL);
    for (int i = 0; i < 2; i++) {
      double rate = 0;
      for (int j = 0; j < n; j++) rate += G[i * n + j] * any[j];
      near(row[1][i].value, 0, 1e-15);
      near(row[1][i].rate, 0, 1e-14);
      near(rate, same[i].rate, 1e-12);
      near((row[2][i].rate - row[0][i].rate) / 2e-6, row[1][i].second, 1e-7);
      assert_true(fabs(row[1][i].second) > 1e-3);
    }
    lim_rec_residual(r, w, q, v, a); // the recursion's own motions
    lim_row_state own[32];
    assert_true(lim_rec_loop_states(own, w, q, v, a));
    for (int i = 0; i < 2; i++) near(own[i].second, row[1][i].second, 1e-12);
    lim_rec_work_free(w);
    chain_free(&c);
  }
}

// Of all types, spatial, with flexible links in motion: derivatives in time against differences, and G against
// both.
static void rows_are_consistent_with_their_derivatives(void **state) {
  (void)state;
  static const char *const TYPES[] = {"revolute, axis: [0.3, 1, 0.2]", "spherical", "fixed",
                                      "prismatic, axis: [1, 2, 0]", "point-on-line, axis: [1, 0, 1]"};
  static const int ROWS[] = {5, 3, 6, 5, 2};
  for (int type = 0; type < 5; type++) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "limber: 1\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
        "sections: {s: {shape: circle, diameter: 10 mm}}\nlinks:\n"
        "  - {name: a, joint: {axis: [0, 1, 1]}, beam: {length: 0.5, section: s, material: m, elements: 2}, "
        "basis: {type: modes, count: 3}}\n"
        "  - {name: b, parent: base, joint: {axis: [1, 0, 1]}, body: {mass: 1, inertia: [1, 1, 1]}}\n"
        "frames: [{name: seat, on: a, at: tip, xyz: [0, 0.1, 0], rpy: [0.3, 0.2, 0.1]}, {name: spot, on: b, "
        "xyz: "
        "[0.5, 0.1, 0], rpy: [0.3, 0.2, 0.1]}]\n"
        "loops: [{name: knot, between: [seat, spot], type: %s}]\n",
        TYPES[type]);
    chain c = chain_of(text);
    int n = c.s->n, rows = c.s->nrow;
    assert_int_equal(rows, ROWS[type]);
    unsigned seed = 17u + (unsigned)type;
    double q[32], v[32], a[32], zero[32] = {0}, r[32], G[6 * 32], step = 1e-6;
    fill(q, n, 0.05, &seed);
    fill(v, n, 1, &seed);
    fill(a, n, 1, &seed);
    lim_row_state at[3][32];
    for (int k = -1; k <= 1; k++) {
      double h = k * step;
      for (int i = 0; i < n; i++) {
        c.q[i] = q[i] + h * v[i] + h * h / 2 * a[i];
        c.v[i] = v[i] + h * a[i];
      }
      lim_kinematics(c.body, c.s, c.q, c.v, a);
      lim_loops_evaluate(at[k + 1], c.s, c.body, c.q, c.v, a);
    }
    lim_rec_work *w = lim_rec_work_new(c.s);
    assert_non_null(w);
    lim_rec_residual(r, w, q, zero, zero);
    lim_rec_loop_rows(G, w, q);
    for (int i = 0; i < rows; i++) {
      double rate = 0;
      for (int j = 0; j < n; j++) rate += G[i * n + j] * v[j];
      near(at[1][i].rate, (at[2][i].value - at[0][i].value) / (2 * step), 1e-8 * (1 + fabs(at[1][i].rate)));
      near(at[1][i].second, (at[2][i].rate - at[0][i].rate) / (2 * step), 1e-8 * (1 + fabs(at[1][i].second)));
      near(rate, at[1][i].rate, 1e-11 * (1 + fabs(rate)));
    }
    lim_rec_work_free(w);
    chain_free(&c);
  }
}

// The wrench of each row does the work of its multiplier: force and moment on the first frame and their
// opposites on the second, on the motion of both.
static void wrench_of_a_loop_works_on_its_opening(void **state) {
  (void)state;
  chain c =
      chain_of("limber: 1\nlinks:\n  - {name: a, joint: {axis: [0, 1, 1]}, body: {mass: 1, tip: [0.5, 0, 0]}}\n"
               "  - {name: b, parent: base, joint: {axis: [0, 1, 1]}, body: {mass: 1, tip: [0.5, 0, 0]}}\n"
               "loops: [{name: slot, type: prismatic, between: [a.tip, b.tip], axis: [1, 2, 0]}]\n");
  unsigned seed = 5;
  fill(c.q, c.s->n, 0.4, &seed);
  fill(c.v, c.s->n, 1, &seed);
  look(&c);
  lim_world_motion at[2];
  for (int k = 0; k < 2; k++) {
    const lim_site *site = &c.s->loop[0].site[k];
    at[k] = lim_kinematics_site(c.s, site, &c.body[site->body], c.q, c.v, NULL);
  }
  for (int i = 0; i < c.s->nrow; i++) {
    double lambda[8] = {0}, force[3], moment[3], power = 0;
    lambda[i] = 1;
    lim_loop_wrench(force, moment, c.s, 0, lambda, &at[0], &at[1]);
    double arm[3] = {at[0].p[0] - at[1].p[0], at[0].p[1] - at[1].p[1], at[0].p[2] - at[1].p[2]};
    for (int k = 0; k < 3; k++) { // on the second: the opposite, at the place of the first
      int x = (k + 1) % 3, y = (k + 2) % 3;
      double there = at[1].v[k] + at[1].w[x] * arm[y] - at[1].w[y] * arm[x];
      power += force[k] * (at[0].v[k] - there) + moment[k] * (at[0].w[k] - at[1].w[k]);
    }
    near(power, c.row[i].rate, 1e-12);
  }
  chain_free(&c);
}

static void plane_keeps_the_rows_that_act_in_it(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int rows;
  } TYPES[] = {{"revolute", 2},
               {"spherical", 2},
               {"fixed", 3},
               {"prismatic, axis: [1, 0, 0]", 2},
               {"point-on-line, axis: [1, 0, 0]", 1}};
  for (int i = 0; i < 5; i++) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "%s  - {name: more, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 1, tip: [0.1, 0, 0]}}\n"
        "loops: [{name: pin, between: [more.tip, coupler.tip], type: %s}]\n"
        "configuration: {crank: 0.5, coupler: 0.8, rocker: 1.8}\n",
        BARS("planar: xy\n"), TYPES[i].type);
    chain c = chain_of(text);
    assert_int_equal(c.s->nrow, TYPES[i].rows);
    assert_closed(&c);
    chain_free(&c);
  }
}

static void four_bar_in_space_has_the_same_configuration(void **state) {
  (void)state;
  static const char tail[] =
      PIN "drives: {crank: {type: prescribed}}\nconfiguration: {crank: 0.5, coupler: 0.3, "
          "rocker: 1.5}\n";
  char text[2][1500];
  snprintf(text[0], sizeof text[0], "%s%s", BARS("planar: xy\n"), tail);
  snprintf(text[1], sizeof text[1], "%s%s", BARS(""), tail);
  chain c[2] = {chain_of(text[0]), chain_of(text[1])};
  assert_int_equal(c[0].s->nrow, 2);
  assert_int_equal(c[1].s->nrow, 5);
  assert_closed(&c[1]);
  for (int i = 0; i < 3; i++) {
    near(c[1].q[i], c[0].q[i], 1e-10);
    assert_int_equal(c[1].s->passive[i], c[0].s->passive[i]);
  }
  for (int i = 0; i < 2; i++) chain_free(&c[i]);
}

// Closing a loop from a rough guess leaves alone what carries both of its ends.
static void joint_that_carries_a_whole_loop_stays(void **state) {
  (void)state;
  static const char *const joints[] = {"type: free", "type: revolute"}, *const starts[] = {
                                                                            "{rpy: [0, 0, 30 deg]}", "30 deg"};
  for (int i = 0; i < 2; i++) {
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nlinks:\n"
             "  - {name: s, joint: {name: f, %s}, body: {mass: 10, inertia: [1, 1, 1]}}\n"
             "  - {name: crank, body: {mass: 0.3, inertia: [0, 0, 1e-3], tip: [0.1, 0, 0]}}\n"
             "  - {name: coupler, body: {mass: 0.3, inertia: [0, 0, 1e-3], tip: [0.35, 0, 0]}}\n"
             "  - {name: rocker, parent: s, joint: {origin: {xyz: [0.4, 0, 0]}}, body: {mass: 0.3, inertia: "
             "[0, 0, 1e-3], tip: [0.25, 0, 0]}}\n"
             "loops: [{name: pin, type: revolute, between: [coupler.tip, rocker.tip]}]\n"
             "drives: {crank: {type: prescribed}}\n"
             "configuration: {f: %s, crank: 90 deg, coupler: -20 deg, rocker: 150 deg}\n",
             joints[i], starts[i]);
    chain c = chain_of(text);
    assert_closed(&c);
    const int s = c.s->first_body[lim_written_link(c.m, 0)];
    near(atan2(c.body[s].R[3], c.body[s].R[0]), M_PI / 6, 1e-14);
    chain_free(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joint_that_carries_a_whole_loop_stays),
      cmocka_unit_test(configuration_is_closed_and_driven_joints_stay),
      cmocka_unit_test(any_drive_or_motion_keeps_a_joint),
      cmocka_unit_test(closed_configuration_stays_as_it_is),
      cmocka_unit_test(speeds_of_other_joints_follow_the_driven_one),
      cmocka_unit_test(two_loops_are_closed_at_once),
      cmocka_unit_test(loop_to_the_world_is_closed),
      cmocka_unit_test(links_that_do_not_reach_are_refused),
      cmocka_unit_test(loop_of_driven_joints_is_refused),
      cmocka_unit_test(axes_that_cannot_meet_are_refused),
      cmocka_unit_test(gap_names_the_loop_that_is_left_open),
      cmocka_unit_test(speeds_that_do_not_agree_are_refused),
      cmocka_unit_test(rows_are_consistent_with_their_derivatives),
      cmocka_unit_test(rail_rows_are_consistent_with_their_derivatives),
      cmocka_unit_test(wrench_of_a_loop_works_on_its_opening),
      cmocka_unit_test(plane_keeps_the_rows_that_act_in_it),
      cmocka_unit_test(four_bar_in_space_has_the_same_configuration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
