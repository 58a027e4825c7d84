// contact_bounce.c - a ball that bounces off a plane by the law of Hunt and Crossley: times and speeds against
// closed forms, with every method; bodies that collide keep their momentum; a force that never pulls.
#include "contact_fixture.h"

static const double M = 2, K = 1e5, V = 1; // without gravity, from 10 mm above the floor

// ln((1 + c V)/(1 - c v)) = c (V + v)
static double rebound(double c) {
  double low = 0, high = fmin(V, 1 / c);
  for (int i = 0; i < 200; i++) {
    const double v = (low + high) / 2;
    *(log((1 + c * V) / (1 - c * v)) < c * (V + v) ? &low : &high) = v;
  }
  return low;
}

// Deepest: k d^2/(2 m) = V/c - ln(1 + c V)/c^2
static double deepest(double c) { return sqrt(2 * M / K * (V / c - log(1 + c * V) / (c * c))); }

static void bounce_once(const char *method, double c, double tolerance) {
  char damping[48], what[64];
  snprintf(damping, sizeof damping, "contacts.floor.damping=%.17g", c);
  recorded r = record_run(BALL("[0, 0, 0]", ", damping: 0", "position: [0, 0, 0.11], velocity: [0, 0, -1]"),
                          (const char *[]){damping, method, NULL});
  const double *v = recorded_channel(&r, "fly.velocity.z"), *z = recorded_channel(&r, "fly.translation.z"),
               *force = recorded_channel(&r, "floor.force.z"), *depth = recorded_channel(&r, "floor.depth"),
               *lost = recorded_channel(&r, "energy.dissipated"),
               *balance = recorded_channel(&r, "energy.balance");
  const int end = r.count - 1;
  const double out = c > 0 ? rebound(c) : V, way = c > 0 ? deepest(c) : V * sqrt(M / K);
  double pull = 0, deep = 0;
  for (int i = 0; i < r.count; i++) {
    pull = fmax(pull, -force[i]);
    deep = fmax(deep, depth[i]);
    if (fabs(depth[i] - 0.1 + z[i]) > 1e-15) fail_msg("depth %g at a height of %g", depth[i], z[i]);
  }
  snprintf(what, sizeof what, "%s, damping %g: speed", strchr(method, '=') + 1, c);
  table_row(what, v[end], out, tolerance, "Hunt and Crossley");
  table_row("  depth, of records", deep, way, fmax(1e-4, tolerance), "Hunt and Crossley");
  if (c > 0) table_row("  energy lost", lost[end], M * (V * V - out * out) / 2, 10 * tolerance, "speeds");
  if (c == 0)
    table_row("  place", z[end], 0.1 + V * (r.t[end] - 0.01 / V - M_PI * sqrt(M / K)), tolerance,
              "half a swing");
  table_bound("  energy balance", largest(balance, r.count), 10 * tolerance, "closed books");
  if (pull > 0) fail_msg("the floor pulls with %g N", pull);
  recorded_free(&r);
}

// Second order: (w h)^2 = 5e-4 of a step of 0.1 ms.
static void ball_rebounds_as_the_closed_form_says(void **state) {
  (void)state;
  static const double C[] = {0, 0.3, 3};
  table_head("Ball of 2 kg at 1 m/s on a floor of 100 N/mm [m/s, m, J]");
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < NMETHODS; i++) bounce_once(METHODS[i], C[k], i < HIGH ? 1e-7 : 5e-4);
}

// --- collisions ---

// A ball off the centre of a plate that floats, with friction.
#define COLLISION                                                                                              \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: ball, joint: {name: fly, type: free}, body: {mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"        \
  "  - {name: plate, parent: base, joint: {name: drift, type: free}, body: {mass: 5, inertia: [0.1, 0.2, "     \
  "0.25]}}\n"                                                                                                  \
  "contacts: [{name: hit, frame: ball.base, radius: 0.1, stiffness: 1e5, damping: 0.2, friction: 0.4, plane: " \
  "{on: plate, point: [0, 0, 0.02], normal: [0.1, 0, 1]}}]\n"                                                  \
  "configuration: {fly: {position: [0.1, 0.05, 0.15], velocity: [0.5, 0.2, -1], angular_velocity: [3, 0, "     \
  "1]}, "                                                                                                      \
  "drift: {angular_velocity: [0, 1, 0.5]}}\n"                                                                  \
  "solver: {duration: 0.1 s, step: 0.1 ms, tolerance: 1e-12}\n"                                                \
  "outputs: {every: 1 ms, channels: [momentum, hit, energy]}\n"

static double spread(const double *x, int n) {
  double low = x[0], high = x[0];
  for (int i = 1; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return high - low;
}

static void bodies_that_collide_keep_their_momentum(void **state) {
  (void)state;
  static const char *const NAMES[] = {"momentum.linear", "momentum.angular"};
  table_head("Ball that hits a floating plate off its centre, with friction");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(COLLISION, (const char *[]){METHODS[i], NULL});
    double worst = 0;
    for (int k = 0; k < 2; k++) {
      const double *x[3];
      recorded_vector(x, &r, NAMES[k]);
      for (int j = 0; j < 3; j++) worst = fmax(worst, spread(x[j], r.count));
    }
    const double *lost = recorded_channel(&r, "energy.dissipated"),
                 *balance = recorded_channel(&r, "energy.balance");
    table_bound(method_of(i), worst, i < HIGH ? 1e-8 : 1e-3, "momentum is kept [kg m/s, kg m^2/s]");
    table_bound("  energy balance", largest(balance, r.count), i < HIGH ? 1e-6 : 1e-3, "closed books");
    assert_true(lost[r.count - 1] > 0.1);
    recorded_free(&r);
  }
}

// --- pulled away ---

// A block that is torn off its floor faster than the law would let go: from 1 + c d' < 0 on no force is left.
#define TORN                                                                                                   \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links: [{name: block, joint: {name: lift, type: prismatic, axis: [0, 0, 1]}, body: {mass: 2}}]\n"           \
  "drives: {lift: {type: effort, effort: {profile: harmonic, amplitude: 2000, frequency: 20 Hz}}}\n"           \
  "contacts: [{name: floor, frame: block.base, radius: 0, stiffness: 1e5, damping: 2, plane: {point: [0, 0, "  \
  "0.01]}}]\n"                                                                                                 \
  "solver: {duration: 0.2 s, step: 0.1 ms, tolerance: 1e-12}\n"                                                \
  "outputs: {every: 0.1 ms, channels: [lift, floor, energy]}\n"

static void block_that_is_torn_off_is_not_held(void **state) {
  (void)state;
  table_head("Block pressed 10 mm into a floor and torn off: no force below 0");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(TORN, (const char *[]){METHODS[i], NULL});
    const double *force = recorded_channel(&r, "floor.force.z"), *depth = recorded_channel(&r, "floor.depth"),
                 *v = recorded_channel(&r, "lift.velocity"), *balance = recorded_channel(&r, "energy.balance");
    double pull = 0;
    int slack = 0;
    for (int k = 0; k < r.count; k++) {
      pull = fmax(pull, -force[k]);
      if (depth[k] > 0 && 1 - 2 * v[k] < -1e-6) {
        slack++;
        if (force[k] != 0) fail_msg("%g N where the law would pull", force[k]);
      }
    }
    table_bound(method_of(i), pull, 0, "it never pulls [N]");
    table_bound("  energy balance", largest(balance, r.count), i < HIGH ? 1e-6 : 1e-3, "closed books");
    if (slack == 0) fail_msg("nothing was torn off");
    recorded_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_rebounds_as_the_closed_form_says),
      cmocka_unit_test(bodies_that_collide_keep_their_momentum),
      cmocka_unit_test(block_that_is_torn_off_is_not_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
