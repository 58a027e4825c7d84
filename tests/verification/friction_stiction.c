// friction_stiction.c - friction that truly sticks: blocks that rest, break away, slide, stop, stick and slip
// when the closed form says so, with every method and without chatter; two frictions at once, friction behind
// an elastic gear, gears with losses, and presliding by LuGre.
#include "motor_fixture.h"

// A block of mass M on a slide.
static const double M = 2, COULOMB = 3, STICTION = 4;

#define DRY "coulomb: 3, stiction: 4"

// A closed form, and how far a run is from it.
typedef struct {
  double (*position)(double t);
  double worst, last_q, last_v, moved; // moved: largest |q|
  double loss;                         // by friction [J]
} follower;

static void follow(void *user, const lim_snapshot *m) {
  follower *x = user;
  x->last_q = m->q[0];
  x->last_v = m->v[0];
  x->moved = fmax(x->moved, fabs(m->q[0]));
  x->loss = m->energy_balance.friction_loss;
  if (x->position) x->worst = fmax(x->worst, fabs(m->q[0] - x->position(m->t)));
}

// rk4 and cvode to `tight`, the implicit methods, of second order, to `loose`; no chatter: about one step per
// step.
static void follow_all(const char *text, double (*position)(double), double tight, double loose, double balance,
                       const char *source) {
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {.position = position};
    lim_model *m = model_of(text, (const char *[]){METHODS[i], NULL});
    double grid = m->solver.duration / m->solver.step;
    lim_run run = run_model(m, NULL, follow, &x);
    lim_model_free(m);
    char what[64];
    snprintf(what, sizeof what, "%s, %ld steps", method_name(METHODS[i]), run.steps);
    table_bound(what, x.worst, i < EXPLICIT ? tight : loose, source);
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-6 : balance,
                "closed books");
    if ((double)run.steps > 1.2 * grid + 500) fail_msg("%ld steps for %g", run.steps, grid);
  }
}

// --- sticking ---

static void block_below_breakaway_rests(void **state) {
  (void)state;
  static const char *const TEXTS[] = {
      BLOCK("type: effort, effort: 3.99", DRY),
      BLOCK("type: effort, effort: {profile: harmonic, amplitude: 3.99, frequency: 3 Hz}", DRY),
      BLOCK("type: servo, stiffness: 100, damping: 5",
            DRY) "motion: {block: {profile: constant, value: 0.0399}}\nconfiguration: {block: 0}\n",
      BLOCK("type: motor, torque: 0.0399, motor: {rotor_inertia: 1e-5, ratio: 100}", DRY)};
  static const char *const NAMES[] = {"steady effort", "swinging effort", "servo off its goal", "motor"};
  table_head("Block pushed with 0.9975 of its stiction for 10 s: how far it moves [m]");
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < NMETHODS; i++) {
      follower x = {.position = NULL};
      lim_run run = run_text(TEXTS[k], (const char *[]){METHODS[i], "solver.duration=10 s", NULL}, follow, &x);
      char what[96];
      snprintf(what, sizeof what, "%s, %s (%ld steps)", NAMES[k], method_name(METHODS[i]), run.steps);
      table_bound(what, x.moved, 1e-9, "it sticks");
      assert_true(run.steps <= 10001);
    }
}

static void joint_under_gravity_rests(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\n"
      "gravity: [0, -9.81, 0]\n"
      "links:\n"
      "  - {name: upper, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}\n"
      "  - {name: fore, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}\n"
      "drives:\n" // 0.2 + 0.6 = 0.8 kg m and 0.2 kg m of weight
      "  upper: {type: effort, friction: {coulomb: 5, stiction: 7.86}}\n"
      "  fore: {type: effort, friction: {coulomb: 1, stiction: 1.97}}\n"
      "solver: {duration: 10 s, step: 1 ms}\n";
  table_head("Two-link arm held level by stiction alone for 10 s: how far its shoulder moves [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {.position = NULL};
    run_text(text, (const char *[]){METHODS[i], NULL}, follow, &x);
    table_bound(method_name(METHODS[i]), x.moved, 1e-9, "it sticks");
  }
}

// --- breaking away ---

// Effort A sin(w t): rests until A sin = STICTION, slides with COULOMB, stops, rests until it breaks away the
// other way, and so on.
static const double A = 5, W = 6.283185307179586;

typedef struct {
  double t, q;   // from where on
  int direction; // 0: rests
} phase;

static double slide_speed(const phase *p, double t) {
  return (A / W * (cos(W * p->t) - cos(W * t)) - p->direction * COULOMB * (t - p->t)) / M;
}

static double slide_place(const phase *p, double t) {
  double d = t - p->t;
  return p->q + (A / W * cos(W * p->t) * d - A / W / W * (sin(W * t) - sin(W * p->t)) -
                 p->direction * COULOMB * d * d / 2) /
                    M;
}

// The moment at which a slide ends: the speed is back at 0, by bisection after it has passed its largest.
static double slide_end(const phase *p) {
  double low = (asin(COULOMB / A) / W), high;
  low = 0.5 - low + floor(p->t / 0.5) * 0.5; // effort has fallen to COULOMB: fastest
  for (high = low; p->direction * slide_speed(p, high) > 0; high += 1e-3) low = high;
  for (int i = 0; i < 60; i++) {
    double t = (low + high) / 2;
    *(p->direction * slide_speed(p, t) > 0 ? &low : &high) = t;
  }
  return high;
}

static double swung(double t) {
  phase p = {0, 0, 0};
  for (int half = 0;; half++) {
    double away = 0.5 * half + asin(STICTION / A) / W;
    if (t <= away) return p.q;
    p = (phase){away, p.q, half % 2 ? -1 : 1};
    double end = slide_end(&p);
    if (t <= end) return slide_place(&p, t);
    p.q = slide_place(&p, end);
  }
}

// A run by method i: its worst error, its books (explicit methods to 1e-6 %), and that it does not chatter.
static void judge(int i, const lim_run *run, double worst, double bound, const char *source, double balance,
                  long steps) {
  char what[64];
  snprintf(what, sizeof what, "%s, %ld steps", method_name(METHODS[i]), run->steps);
  table_bound(what, worst, bound, source);
  table_bound("  energy balance [% rms]", run->balance_percent_rms, i < EXPLICIT ? 1e-6 : balance,
              "closed books");
  assert_true(run->steps < steps);
}

static void swinging_effort_breaks_away_at_the_exact_moment(void **state) {
  (void)state;
  static const char text[] = BLOCK("type: effort, effort: {profile: harmonic, amplitude: 5, frequency: 1 Hz}",
                                   DRY) "configuration: {block: 0}\n";
  table_head("Block under 5 N sin, breakaway at 4 N: largest error in three periods [m]");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {.position = swung};
    lim_run run = run_text(text, (const char *[]){METHODS[i], "solver.duration=3 s", NULL}, follow, &x);
    judge(i, &run, x.worst, i < EXPLICIT ? 1e-9 : 1e-6, "slides in closed form", 1e-1, 3600);
  }
}

// --- stopping ---

static double stopping(double t) {
  double end = M * 1.5 / COULOMB;
  t = fmin(t, end);
  return 1.5 * t - COULOMB / M * t * t / 2;
}

// M v' = -COULOMB - D v from 1.5 m/s, D = 4.
static double stopping_in_oil(double t) {
  double D = 4, end = M / D * log(1 + D * 1.5 / COULOMB);
  t = fmin(t, end);
  return (1.5 + COULOMB / D) * M / D * (1 - exp(-D / M * t)) - COULOMB / D * t;
}

static void sliding_block_stops_in_time_and_stays(void **state) {
  (void)state;
  table_head("Block sliding at 1.5 m/s, Coulomb friction: largest error in 2 s [m]");
  follow_all(BLOCK("type: effort", DRY) "configuration: {block: {position: 0, velocity: 1.5}}\n", stopping,
             1e-11, 1e-11, 1e-6, "stops at M v/COULOMB");
  table_head("The same with viscous friction");
  follow_all(BLOCK("type: effort", DRY ", viscous: 4") "configuration: {block: {position: 0, velocity: 1.5}}\n",
             stopping_in_oil, 1e-10, 1e-6, 1e-3, "stops at M/D ln(1 + D v/COULOMB)");
  table_head("What friction has taken [J], and the speed at the end");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {.position = NULL};
    run_text(BLOCK("type: effort", DRY) "configuration: {block: {position: 0, velocity: 1.5}}\n",
             (const char *[]){METHODS[i], "solver.duration=1.5 s", NULL}, follow, &x);
    table_row(method_name(METHODS[i]), x.loss, M * 1.5 * 1.5 / 2, 1e-9, "all of M v^2/2");
    assert_true(x.last_v == 0);
  }
}

// --- stick and slip ---

// A spring K2 whose end moves at V from `late` on pulls the block.
static const double K2 = 200, V = 0.1, RAMP = 0.01;

static double stick_slip(double t) {
  double w = sqrt(K2 / M), late = RAMP / 2, y0 = (STICTION - COULOMB) / K2;
  double slip = 2 * (TURN / 2 - atan(w * y0 / V)) / w, rest = 2 * (STICTION - COULOMB) / (K2 * V);
  double first = late + STICTION / (K2 * V), jump = V * slip + 2 * y0;
  if (t < first) return 0;
  int cycles = (int)((t - first) / (slip + rest));
  double in = t - first - cycles * (slip + rest);
  if (in >= slip) return (cycles + 1) * jump;
  // y = spring's stretch less COULOMB/K2 swings freely
  double y = y0 * cos(w * in) + V / w * sin(w * in);
  return cycles * jump + V * in + y0 - y;
}

static void pulled_block_sticks_and_slips(void **state) {
  (void)state;
  static const char text[] =
      BLOCK("type: servo, stiffness: 200",
            DRY) "motion: {block: {profile: speed, value: 0.1, ramp: 10 ms}}\nconfiguration: {block: 0}\n";
  table_head("Block pulled by a spring at 0.1 m/s: largest error in 4 s of stick and slip [m]");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {.position = stick_slip};
    lim_run run = run_text(text, (const char *[]){METHODS[i], "solver.duration=4 s", NULL}, follow, &x);
    judge(i, &run, x.worst, i < EXPLICIT ? 1e-8 : 2e-5, "event-driven closed form", 1e-2, 4600);
  }
}

// The same by a spring between the block and a carriage that is moved.
static void spring_between_frames_pulls_the_same_way(void **state) {
  (void)state;
  static const char text[] = "limber: 1\n"
                             "gravity: [0, 0, 0]\n"
                             "links:\n"
                             "  - {name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}\n"
                             "  - {name: hook, parent: base, joint: {type: prismatic, axis: [1, 0, 0], origin: "
                             "{xyz: [1, 0, 0]}}, body: {mass: "
                             "0.01}}\n"
                             "drives: {block: {type: effort, friction: {coulomb: 3, stiction: 4}}}\n"
                             "motion: {hook: {profile: speed, value: 0.1, ramp: 10 ms}}\n"
                             "springs: [{name: rope, between: [block.base, hook.base], stiffness: 200}]\n"
                             "configuration: {block: 0, hook: 0}\n"
                             "solver: {duration: 4 s, step: 1 ms, tolerance: 1e-12}\n";
  table_head("The same through `springs`: largest error [m]");
  for (int i = 0; i < NMETHODS; i++) {
    follower x = {.position = stick_slip};
    lim_run run = run_text(text, (const char *[]){METHODS[i], NULL}, follow, &x);
    table_bound(method_name(METHODS[i]), x.worst, i < EXPLICIT ? 1e-8 : 2e-5, "event-driven closed form");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-6 : 1e-2,
                "closed books");
  }
}

// --- two frictions ---

// A block on a sledge: sledge 3 kg on the ground, block 1 kg on the sledge; 20 N on the sledge for 1 s.
// Together they would go at (20 - 2)/4 = 4.5 m/s^2, which the block's 2 N do not allow: it slides back, until
// the sledge, let go and held by both, is as slow; then they go on together and stop.
static void stacked(double t, double out[2]) {
  const double fg = 2, fb = 2, ms = 3, mb = 1, F = 20;
  double as = (F - fg - fb) / ms, ab = fb / mb, xs, xb, vs, vb;
  double d = fmin(t, 1);
  xs = as * d * d / 2, xb = ab * d * d / 2, vs = as * d, vb = ab * d;
  if (t > 1) {
    double slow = (fg + fb) / ms, meet = (vs - vb) / (slow + ab);
    d = fmin(t - 1, meet);
    xs += vs * d - slow * d * d / 2, xb += vb * d + ab * d * d / 2;
    vs -= slow * d, vb += ab * d;
    if (t > 1 + meet) { // together, slowed by the ground's 2 N: 0.5 m/s^2, the block holds with 0.5 N
      double stop = vs / (fg / (ms + mb));
      d = fmin(t - 1 - meet, stop);
      xs += vs * d - fg / (ms + mb) * d * d / 2;
      xb += vb * d - fg / (ms + mb) * d * d / 2;
    }
  }
  out[0] = xs;
  out[1] = xb - xs;
}

typedef struct {
  double worst, v[2];
} pair;

static void watch_stacked(void *user, const lim_snapshot *m) {
  pair *x = user;
  double expected[2];
  stacked(m->t, expected);
  for (int i = 0; i < 2; i++) {
    x->worst = fmax(x->worst, fabs(m->q[i] - expected[i]));
    x->v[i] = m->v[i];
  }
}

static void block_on_a_sledge_slides_and_sticks(void **state) {
  (void)state;
  static const char text[] = "limber: 1\n"
                             "gravity: [0, 0, 0]\n"
                             "links:\n"
                             "  - {name: sledge, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 3}}\n"
                             "  - {name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 1}}\n"
                             "drives:\n"
                             "  sledge: {type: effort, friction: {coulomb: 2, stiction: 2.5}}\n"
                             "  block: {type: effort, friction: {coulomb: 2}}\n"
                             "loads: [{at: sledge.base, force: [20, 0, 0], to: 1 s}]\n"
                             "solver: {duration: 12 s, step: 2 ms, tolerance: 1e-13}\n";
  table_head("Block on a sledge, both with friction: largest error in 12 s [m]");
  for (int i = 0; i < NMETHODS; i++) {
    pair x = {0, {0}};
    lim_run run = run_text(text, (const char *[]){METHODS[i], NULL}, watch_stacked, &x);
    char what[64];
    snprintf(what, sizeof what, "%s, %ld steps", method_name(METHODS[i]), run.steps);
    table_bound(what, x.worst, 1e-9, "constant accelerations");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, 1e-6, "closed books");
    assert_true(x.v[0] == 0 && x.v[1] == 0);
    assert_true(run.steps < 6100);
  }
}

// A two-link arm thrown, with friction in both joints and gravity across: all methods tell the same story.
typedef struct {
  double q[201][2];
  int count;
  double v;
} throw;

static void watch_throw(void *user, const lim_snapshot *m) {
  throw *x = user;
  assert_true(x->count < 201);
  x->q[x->count][0] = m->q[0];
  x->q[x->count++][1] = m->q[1];
  x->v = fmax(fabs(m->v[0]), fabs(m->v[1]));
}

static void thrown_arm_comes_to_rest_with_every_method(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\n"
      "gravity: [0, -9.81, 0]\n"
      "links:\n"
      "  - {name: upper, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}\n"
      "  - {name: fore, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}\n"
      "drives:\n"
      "  upper: {type: effort, friction: {coulomb: 2, stiction: 2.5, viscous: 0.05}}\n"
      "  fore: {type: effort, friction: {coulomb: 0.6, stiction: 0.7, stribeck_speed: 0.1}}\n"
      "configuration: {upper: {position: 0, velocity: 4}, fore: {position: 0.5, velocity: -6}}\n"
      "solver: {duration: 4 s, step: 0.5 ms, tolerance: 1e-12}\n"
      "outputs: {every: 20 ms}\n";
  throw tight = {.count = 0};
  run_text(text, (const char *[]){"solver.method=cvode", NULL}, watch_throw, &tight);
  assert_true(tight.v == 0);
  table_head("Arm thrown against gravity, stiction in both joints: largest distance from cvode in 4 s [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    throw x = {.count = 0};
    lim_run run = run_text(text, (const char *[]){METHODS[i], NULL}, watch_throw, &x);
    double worst = 0;
    for (int k = 0; k < x.count; k++)
      for (int j = 0; j < 2; j++) worst = fmax(worst, fabs(x.q[k][j] - tight.q[k][j]));
    char what[64];
    snprintf(what, sizeof what, "%s, %ld steps", method_name(METHODS[i]), run.steps);
    table_bound(what, worst, i < EXPLICIT ? 1e-7 : 1e-3, "cvode, rtol 1e-12");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-6 : 1e-2,
                "closed books");
    assert_true(x.v == 0);
    assert_true(run.steps < 8500);
  }
}

// --- behind an elastic gear ---

// Link J, rotor, gear K; stiction of the rotor 9.1e-3 N m, 0.91 N m on the output.
static const double J = 0.165, K = 2000;

#define GEARED(friction, more)                                                                                 \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links: [{name: arm, body: {mass: 2, com: [0.25, 0, 0], inertia: [0.001, 0.04, 0.04]}}]\n"                   \
  "drives: {arm: {type: motor, torque: 0, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: {stiffness: 2000, "  \
  "friction: {" friction "}}}}\n" more "solver: {duration: 1 s, step: 0.05 ms, tolerance: 1e-12}\n"            \
  "outputs: {every: 1 ms}\n"

typedef struct {
  double link, motor, loss, p, q; // largest angles; last ones
} swing;

static void watch_swing(void *user, const lim_snapshot *m) {
  swing *x = user;
  x->q = m->q[joint_of(m, 0)];
  x->p = m->q[rotor_of(m, 0)];
  x->link = fmax(x->link, fabs(x->q));
  x->motor = fmax(x->motor, fabs(x->p));
  x->loss = m->energy_balance.friction_loss;
}

// A blow of F for d makes the link swing by 2 F/K sin(w d/2): 0.908 N m in the gear.
static void link_swings_on_a_stuck_motor(void **state) {
  (void)state;
  static const char text[] = GEARED("on: motor, coulomb: 5e-3, stiction: 9.1e-3",
                                    "loads: [{at: arm.base, moment: [0, 0, 16.5], to: 0.5 ms}]\n");
  table_head("Motor stuck behind its gear, link struck");
  for (int i = 0; i < NMETHODS; i++) {
    swing x = {0};
    lim_run run = run_text(text, (const char *[]){METHODS[i], "outputs.every=0.05 ms", NULL}, watch_swing, &x);
    table_row(method_name(METHODS[i]), x.link, 2 * 16.5 / K * sin(sqrt(K / J) * 0.25e-3), 1e-5,
              "swing after a blow");
    table_bound("  motor [rad]", x.motor, 1e-15, "stuck");
    table_bound("  friction's loss [J]", x.loss, 1e-12, "nothing rubs");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-6 : 1e-2,
                "closed books");
  }
}

// A slow pull on the link: the rotor gives way at 0.91 N m, not before.
static void pulled_link_drags_its_motor_along(void **state) {
  (void)state;
  static const struct {
    double moment;
    bool moves;
  } ROWS[] = {{0.9, false}, {0.92, true}};
  table_head("Link pulled slowly, motor stuck up to 0.91 N m on the output: motor's angle after 1 s [rad]");
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < NMETHODS; i++) {
      char text[1000];
      snprintf(text, sizeof text,
               GEARED("on: motor, coulomb: 5e-3, stiction: 9.1e-3",
                      "loads: [{at: arm.base, moment: [0, 0, %g], factor: {profile: cycloidal, from: 0, to: 1, "
                      "duration: 0.8}}]\n"),
               ROWS[k].moment);
      swing x = {0};
      run_text(text, (const char *[]){METHODS[i], NULL}, watch_swing, &x);
      printf("%s, pull %g N m: motor %.3e, link %.6e\n", method_name(METHODS[i]), ROWS[k].moment, x.p, x.q);
      if (ROWS[k].moves) {
        assert_true(x.p > 1e-3);
      } else {
        assert_true(x.p == 0);
        table_row("  link", x.q, 0.9 / K, 1e-3, "moment/K");
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_below_breakaway_rests),
      cmocka_unit_test(joint_under_gravity_rests),
      cmocka_unit_test(swinging_effort_breaks_away_at_the_exact_moment),
      cmocka_unit_test(sliding_block_stops_in_time_and_stays),
      cmocka_unit_test(pulled_block_sticks_and_slips),
      cmocka_unit_test(spring_between_frames_pulls_the_same_way),
      cmocka_unit_test(block_on_a_sledge_slides_and_sticks),
      cmocka_unit_test(thrown_arm_comes_to_rest_with_every_method),
      cmocka_unit_test(link_swings_on_a_stuck_motor),
      cmocka_unit_test(pulled_link_drags_its_motor_along),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
