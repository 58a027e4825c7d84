// contact_block.c - friction of contacts that truly sticks: a block on four feet below and above the friction
// angle, balls that roll and that come to roll, with every method.
#include "contact_fixture.h"

// --- a block on a slope ---

static const double SLOPE = 0.26179938779914943; // 15 degrees
static const double G = 9.81, MASS = 2, STIFFNESS = 1e5;

// Feet at the height of the block's centre, so that nothing tips it; the plane of the world is level, and
// gravity is inclined. depth: of each foot.
static void write_block(char *text, size_t size, double friction, double depth, const char *speed) {
  int n =
      snprintf(text, size,
               "limber: 1\n"
               "gravity: [%.17g, 0, %.17g]\n"
               "links: [{name: block, joint: {name: fly, type: free}, body: {mass: 2, inertia: [0.01, 0.02, "
               "0.025]}}]\n"
               "configuration: {fly: {position: [0, 0, %.17g], velocity: [%s, 0, 0]}}\n"
               "solver: {duration: 10 s, step: 1 ms, tolerance: 1e-12}\n"
               "outputs: {every: 0.1 s, channels: [fly, foot0, foot1, foot2, foot3, energy]}\n"
               "frames:\n",
               G * sin(SLOPE), -G * cos(SLOPE), -depth, speed);
  for (int i = 0; i < 4; i++)
    n += snprintf(text + n, size - (size_t)n, "  - {name: f%d, on: block, xyz: [%g, %g, 0]}\n", i,
                  i % 2 ? 0.1 : -0.1, i / 2 ? 0.07 : -0.07);
  n += snprintf(text + n, size - (size_t)n, "contacts:\n");
  for (int i = 0; i < 4; i++)
    n += snprintf(
        text + n, size - (size_t)n,
        "  - {name: foot%d, frame: f%d, stiffness: 1e5, damping: 0.3, friction: %g, plane: {normal: [0, 0, "
        "1]}}\n",
        i, i, friction);
  assert_true((size_t)n < size);
}

static const double DEPTH = 2 * 9.81 * 0.9659258262890683 / 4e5; // of a foot at rest

// Friction acts in the plane, that much above the block's centre, and tips it against feet 0.1 m away.
static const double TIPS = 2 * 0.2679491924311227 * (2 * 9.81 * 0.9659258262890683 / 4e5) / 0.1;

static void block_below_the_friction_angle_stays_without_creep(void **state) {
  (void)state;
  char text[2048];
  write_block(text, sizeof text, 0.3, DEPTH, "0"); // tan 15 = 0.268
  table_head("Block on four feet on a slope of 15 degrees, friction 0.3, for 10 s");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(text, (const char *[]){METHODS[i], "solver.start=equilibrium", NULL});
    const double *x[3], *force[3];
    double creep = 0, held = 0;
    recorded_vector(x, &r, "fly.translation");
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < r.count; j++) creep = fmax(creep, fabs(x[k][j] - x[k][0]));
    for (int f = 0; f < 4; f++) {
      char name[32];
      snprintf(name, sizeof name, "foot%d.force", f);
      recorded_vector(force, &r, name);
      held -= force[0][r.count - 1];
      table_row("  share of a foot [N]", -force[0][r.count - 1], MASS * G * sin(SLOPE) / 4, TIPS,
                "one in four");
    }
    table_bound(method_of(i), creep, 1e-12, "it stays [m]");
    table_row("  held [N]", held, MASS * G * sin(SLOPE), 1e-9, "its weight along the slope");
    recorded_free(&r);
  }
}

static void block_above_the_friction_angle_slides(void **state) {
  (void)state;
  char text[2048];
  const double a = G * (sin(SLOPE) - 0.2 * cos(SLOPE));
  write_block(text, sizeof text, 0.2, DEPTH, "0");
  table_head("The same with friction 0.2: it slides, for 1 s");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(text, (const char *[]){METHODS[i], "solver.duration=1 s", NULL});
    const double *x = recorded_channel(&r, "fly.translation.x"), *v = recorded_channel(&r, "fly.velocity.x"),
                 *balance = recorded_channel(&r, "energy.balance");
    const int end = r.count - 1;
    table_row(method_of(i), v[end], a, 1e-6, "g (sin - 0.2 cos) [m/s]");
    table_row("  way [m]", x[end], a / 2, 1e-6, "half of it");
    table_bound("  energy balance", largest(balance, r.count), 1e-6, "closed books");
    recorded_free(&r);
  }
}

// Up the slope: it comes to rest at v^2/2a and stays.
static void block_that_is_pushed_up_stops_and_stays(void **state) {
  (void)state;
  char text[2048];
  const double a = G * (sin(SLOPE) + 0.3 * cos(SLOPE));
  write_block(text, sizeof text, 0.3, DEPTH, "-0.5");
  table_head("Pushed up the slope with 0.5 m/s, friction 0.3");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(text, (const char *[]){METHODS[i], "solver.duration=1 s", NULL});
    const double *x = recorded_channel(&r, "fly.translation.x"), *v = recorded_channel(&r, "fly.velocity.x");
    table_row(method_of(i), -x[r.count - 1], 0.25 / (2 * a), i < HIGH ? 1e-6 : 1e-5, "v^2/2a [m]");
    table_bound("  speed [m/s]", v[r.count - 1], 1e-6, "it stays");
    recorded_free(&r);
  }
}

static void block_at_rest_is_found(void **state) {
  (void)state;
  char text[2048];
  write_block(text, sizeof text, 0.3, -0.01, "0"); // from above its plane
  lim_model *m = parse(text);
  lim_study *study = NULL;
  lim_answer *rest = NULL;
  lim_error err = {0};
  assert_int_equal(lim_study_new(&study, m, &err), LIM_OK);
  assert_int_equal(lim_study_static(&rest, study, NULL, &err), LIM_OK);
  table_head("The block laid down on the slope");
  table_row("depth [m]", lim_answer_number(rest, "contacts.foot0.depth"), DEPTH, TIPS, "its weight across");
  table_row("friction of a foot [N]", lim_answer_array(rest, "contacts.foot0.force", NULL)[0],
            -MASS * G * sin(SLOPE) / 4, TIPS, "one in four");
  table_bound("moved along [m]", lim_answer_array(rest, "joints.fly.translation", NULL)[0], 1e-9,
              "where it is laid down, but for its tilt");
  assert_string_equal(lim_answer_text(rest, "contacts.foot3.state"), "sticks");
  lim_answer_free(rest);
  lim_study_free(study);
  lim_model_free(m);
  write_block(text, sizeof text, 0.2, DEPTH, "0");
  m = parse(text);
  assert_int_equal(lim_study_new(&study, m, &err), LIM_OK);
  assert_int_equal(lim_study_static(&rest, study, NULL, &err), LIM_FAILED); // it slides away
  lim_answer_free(rest);
  lim_study_free(study);
  lim_model_free(m);
  lim_error_clear(&err);
}

// --- balls ---

// In a plane the height of the centre, 0.1 m less the depth, is the radius on which it rolls.
static double rolling_radius(double normal) { return 0.1 - normal / STIFFNESS; }

static void ball_rolls_down_a_slope(void **state) {
  (void)state;
  char gravity[96], start[96];
  const double r0 = rolling_radius(2 * G * cos(SLOPE)), a = G * sin(SLOPE) / (1 + 0.008 / (2 * r0 * r0));
  snprintf(gravity, sizeof gravity, "gravity=[%.17g, 0, %.17g]", G * sin(SLOPE), -G * cos(SLOPE));
  snprintf(start, sizeof start, "configuration.fly.position=[0, 0, %.17g]", r0);
  table_head("Ball that rolls down a slope of 15 degrees for 1 s");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(
        BALL("[0, 0, -1]", ", damping: 0.1, friction: 0.5", "position: [0, 0, 0.1]"),
        (const char *[]){gravity, start, METHODS[i], "solver.duration=1 s", "solver.step=1 ms", NULL});
    const double *v = recorded_channel(&r, "fly.velocity.x"), *x = recorded_channel(&r, "fly.translation.x"),
                 *w = recorded_channel(&r, "fly.angular_velocity.y"),
                 *balance = recorded_channel(&r, "energy.balance");
    const int end = r.count - 1;
    table_row(method_of(i), v[end], a, i < HIGH ? 1e-7 : 1e-5, "g sin/(1 + J/m r^2) [m/s]");
    table_row("  way [m]", x[end], a / 2, i < HIGH ? 1e-7 : 1e-5, "half of it");
    table_row("  turning [rad/s]", w[end], a / r0, i < HIGH ? 1e-7 : 1e-5, "it rolls");
    table_bound("  energy balance", largest(balance, r.count), 1e-5, "closed books");
    recorded_free(&r);
  }
}

// v0 - mu g t = (m r^2/J) mu g t
static void ball_that_slides_comes_to_roll(void **state) {
  (void)state;
  char start[96];
  const double r0 = rolling_radius(2 * G), k = 2 * r0 * r0 / 0.008, mu = 0.2, v0 = 1,
               moment = v0 / (mu * G * (1 + k)), v1 = v0 - mu * G * moment,
               way = v0 * moment - mu * G * moment * moment / 2 + v1 * (1 - moment);
  snprintf(start, sizeof start, "configuration.fly.position=[0, 0, %.17g]", r0);
  table_head("Ball that is thrown along a floor with 1 m/s, for 1 s");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r =
        record_run(BALL("[0, 0, -9.81]", ", damping: 0.1, friction: 0.2",
                        "position: [0, 0, 0.1], velocity: [0.6, "
                        "0.8, 0]"),
                   (const char *[]){start, METHODS[i], "solver.duration=1 s", "solver.step=1 ms", NULL});
    const double *vx = recorded_channel(&r, "fly.velocity.x"), *vy = recorded_channel(&r, "fly.velocity.y"),
                 *x = recorded_channel(&r, "fly.translation.x"), *y = recorded_channel(&r, "fly.translation.y"),
                 *balance = recorded_channel(&r, "energy.balance");
    const int end = r.count - 1;
    table_row(method_of(i), hypot(vx[end], vy[end]), v1, i < HIGH ? 1e-7 : 1e-5, "v/(1 + J/m r^2) [m/s]");
    table_row("  way [m]", hypot(x[end], y[end]), way, i < HIGH ? 1e-7 : 1e-5, "sliding, then rolling");
    table_row("  direction", vy[end] / vx[end], 0.8 / 0.6, 1e-7, "straight on");
    table_bound("  energy balance", largest(balance, r.count), i < HIGH ? 1e-7 : 1e-5, "closed books");
    recorded_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_below_the_friction_angle_stays_without_creep),
      cmocka_unit_test(block_above_the_friction_angle_slides),
      cmocka_unit_test(block_that_is_pushed_up_stops_and_stays),
      cmocka_unit_test(block_at_rest_is_found),
      cmocka_unit_test(ball_rolls_down_a_slope),
      cmocka_unit_test(ball_that_slides_comes_to_roll),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
