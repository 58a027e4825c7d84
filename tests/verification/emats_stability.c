// emats_stability.c - position measured behind elastic gears: the EMATS-like arm of FEDEM is stable only
// with gears that are stiffer than its controllers, k > eta K_p. By modes and by simulation.
//
// With M q" + K q = K p of the arm on its gears, B p" + C p' + K p = (K - eta K_p) q of its motors: where
// K = eta K_p in all joints, motors do not feel the arm and the arm swings on their gears for ever, whatever
// its links; with K = (1 + e) eta K_p every such mode has a damping in proportion to e.
#include "analysis/vibration/modes.h"

#include "emats_fixture.h"

static emats_log run;

enum { JOINTS = EMATS_JOINTS };
#define UNDAMPED    "damping={ratio: 0}"
#define RIGID_LINKS EMATS_RIGID_RAILS, "links.upper.basis={type: rigid}", "links.fore.basis={type: rigid}"

static double wanted[JOINTS]; // eta K_p at 30 rad/s

static void find_gains(void) {
  if (wanted[0] > 0) return;
  emats_run(&run, NULL, (const char *[]){"control.bandwidth=30 rad/s", NULL});
  for (int k = 0; k < JOINTS; k++) wanted[k] = run.ratio[k] * run.kp[k];
}

// All gears `part` times as stiff as their controllers, without damping; then `more` (up to 8, NULL at its
// end).
static const char *const *gears(double part, const char *const *more) {
  static char text[JOINTS][80];
  static const char *set[JOINTS + 9];
  for (int k = 0; k < JOINTS; k++) {
    snprintf(text[k], sizeof text[k], "drives.%s.gear={stiffness: %.15g}", EMATS_JOINT[k], part * wanted[k]);
    set[k] = text[k];
  }
  int n = JOINTS;
  for (; *more; more++) set[n++] = *more;
  set[n] = NULL;
  return set;
}

static const char *const FAST[] = {"control.bandwidth=30 rad/s", "motor.rotor=simple", NULL};

static int unstable(double part, const char *const *more) {
  lim_model *m = emats_model(gears(part, more), FAST);
  lim_modes *r = NULL;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&r, m, "models", LIM_JOINTS_DEFAULT, 30, &err), LIM_OK);
  const int count = r->unstable;
  lim_modes_free(r);
  lim_model_free(m);
  return count;
}

// The stiffness, over eta K_p, at which the arm becomes stable.
static double border(const char *const *more) {
  double low = 0.999, high = 1.001;
  assert_true(unstable(low, more) > 0 && unstable(high, more) == 0);
  while (high - low > 1e-5) {
    const double middle = (low + high) / 2;
    *(unstable(middle, more) ? &low : &high) = middle;
  }
  return (low + high) / 2;
}

static void modes_find_the_border(void **state) {
  (void)state;
  static const char *const rigid[] = {UNDAMPED, RIGID_LINKS, NULL}, *const flexible[] = {UNDAMPED, NULL};
  find_gains();
  table_head("Border of stability by modes: gear stiffness over eta K_p in all joints, 30 rad/s");
  table_row("rigid links", border(rigid), 1, 1e-4, "k > eta K_p");
  table_row("flexible links", border(flexible), 1, 1e-4, "the same");
  table_row("modes that grow at 0.9, rigid links", unstable(0.9, rigid), JOINTS, 0, "one for each gear");
}

// --- in time ---

// Half of the range of the tool's height between two times.
static double swing(double from, double to) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < run.n; i++) {
    if (run.at[i].t < from || run.at[i].t > to) continue;
    low = fmin(low, run.at[i].tip[2]);
    high = fmax(high, run.at[i].tip[2]);
  }
  return (high - low) / 2;
}

static void simulation_grows_or_calms(void **state) {
  (void)state;
  static const double part[] = {0.9, 1.1, 1.5};
  table_head("After the motion, no damping but the controllers': height of the tool, 7..8 s against 5..6 s");
  for (int i = 0; i < 3; i++) {
    char what[80];
    emats_run(&run, gears(part[i], (const char *[]){UNDAMPED, NULL}), FAST);
    const double growth = swing(7, 8) / swing(5, 6);
    snprintf(what, sizeof what, "gears of %.1f eta K_p", part[i]);
    if (part[i] < 1) {
      printf("%-52s %16.3g %16s %10s  unstable\n", what, growth, "above 1", "");
      assert_true(growth > 1.5);
    } else
      table_bound(what, growth, 0.9, "stable");
  }
}

// --- one joint: its rate of growth in closed form ---

typedef struct {
  double rate, frequency; // [1/s], [rad/s]
} swinging;

// Of joint 2 after the motion: a straight line through the logarithms of its extremes.
static swinging measured(void) {
  double n = 0, t = 0, y = 0, tt = 0, ty = 0, first = 0, last = 0;
  for (int i = 1; i + 1 < run.n; i++) {
    const double rest = run.at[i].ref[1], a = run.at[i - 1].q[1] - rest, b = run.at[i].q[1] - rest,
                 c = run.at[i + 1].q[1] - rest, bend = a - 2 * b + c;
    if (run.at[i].t < 5.5 || (b - a) * (c - b) > 0 || b * bend >= 0) continue;
    const double at = run.at[i].t + (run.at[i + 1].t - run.at[i].t) * (a - c) / (2 * bend),
                 size = log(fabs(b - (a - c) * (a - c) / (8 * bend)));
    if (n == 0) first = at;
    last = at;
    n++;
    t += at;
    y += size;
    tt += at * at;
    ty += at * size;
  }
  assert_true(n > 20);
  return (swinging){(n * ty - t * y) / (n * tt - t * t), TURN / 2 * (n - 1) / (last - first)};
}

// Joint J on a gear k, motor B (both at the joint), controller P = eta K_p, C = eta^2 K_v:
//   B J s^4 + C J s^3 + k (B + J) s^2 + C k s + k P = 0, the root near the gear's frequency.
static swinging closed_form(double J, double B, double C, double k, double P) {
  double re = 0, im = sqrt(k / J);
  for (int i = 0; i < 50; i++) {
    const double a[] = {B * J, C * J, k * (B + J), C * k, k * P};
    double f[2] = {0}, d[2] = {0}; // Horner, and its derivative
    for (int j = 0; j < 5; j++) {
      const double dr = d[0] * re - d[1] * im + f[0], di = d[0] * im + d[1] * re + f[1];
      const double fr = f[0] * re - f[1] * im + a[j], fi = f[0] * im + f[1] * re;
      d[0] = dr, d[1] = di, f[0] = fr, f[1] = fi;
    }
    const double size = d[0] * d[0] + d[1] * d[1];
    re -= (f[0] * d[0] + f[1] * d[1]) / size;
    im -= (f[1] * d[0] - f[0] * d[1]) / size;
  }
  return (swinging){re, im};
}

static void one_joint_grows_at_its_rate(void **state) {
  (void)state;
  static const double part[] = {0.95, 1.05};
  const double rotor = 2.66e-4 * 260 * 260;
  find_gains();
  table_head("Joint 2 alone under control, rigid links: how it swings after the motion");
  for (int i = 0; i < 2; i++) {
    char gear[80], what[80];
    snprintf(gear, sizeof gear, "drives.j2.gear={stiffness: %.15g}", part[i] * wanted[1]);
    emats_run(&run,
              (const char *[]){"drives.j1={type: prescribed}", "drives.j3={type: prescribed}",
                               "drives.j4={type: prescribed}", "drives.j5={type: prescribed}",
                               "drives.j6={type: prescribed}", "drives.j7={type: prescribed}",
                               "drives.j8={type: prescribed}", RIGID_LINKS, UNDAMPED, gear,
                               "drives.j2.control.bandwidth=30 rad/s", "drives.j2.motor.rotor=simple",
                               "solver.step=0.25 ms", "outputs.every=2 ms", NULL},
              NULL);
    const double C = run.kv[1] * run.ratio[1] * run.ratio[1], J = C / 60 - rotor;
    const swinging is = measured(), expected = closed_form(J, rotor, C, part[i] * wanted[1], wanted[1]);
    snprintf(what, sizeof what, "gear of %.2f eta K_p: rate [1/s]", part[i]);
    table_row(what, is.rate, expected.rate, 2e-3, "root of its equation of motion");
    table_row("  frequency [rad/s]", is.frequency, expected.frequency, 1e-3, "the same");
    assert_true((is.rate > 0) == (part[i] < 1));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_find_the_border),
      cmocka_unit_test(simulation_grows_or_calms),
      cmocka_unit_test(one_joint_grows_at_its_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
