// spring_bushing.c - springs and bushings between frames of links and the world: equilibrium and frequencies in
// closed form; `static`, `modes` and `simulate` tell the same.
#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"

#include "spring_fixture.h"

// An aluminium beam of 0.5 m, of different stiffness about y and z.
static const double E = 70e9, NU = 0.3, L = 0.5, A = 4e-4, IY = 2e-8, IZ = 1e-8, TORSION = 1.5e-8, KAPPA = 0.8;
static double shear(void) { return E / 2 / (1 + NU); }

// --- static ---

typedef struct {
  double u[3], turn[3];
} displaced;

static displaced rest_of_tip(const char *text, const char *const *set, const char *frame, double *effort) {
  lim_model *m = model_of(text, set);
  lim_static *x = NULL;
  lim_error err = {0};
  lim_code code = lim_static_new(&x, m, NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  displaced d = {{NAN, NAN, NAN}, {0}};
  for (int i = 0; i < x->frames.count; i++)
    if (!strcmp(x->frames.item[i].name, frame)) {
      memcpy(d.u, x->frames.item[i].displacement, sizeof d.u);
      memcpy(d.turn, x->frames.item[i].rotation, sizeof d.turn);
    }
  if (effort) *effort = x->joints.item[0].effort;
  lim_static_free(x);
  lim_model_free(m);
  return d;
}

static double beam_stiffness(double I) { return 1 / (L * L * L / (3 * E * I) + L / (KAPPA * shear() * A)); }

static void springs_share_the_load_of_beams(void **state) {
  (void)state;
  static const char one[] = BEAMS "links:\n" BEAM(
      "arm", "joint: {type: fixed}") "frames: [{name: hook, on: base, xyz: [0.5, 0.3, 0]}]\n"
                                     "springs: [{name: s, between: [arm.tip, hook], stiffness: 3e4}]\n"
                                     "loads: [{at: arm.tip, force: [0, 1e-3, 0]}]\n";
  static const char two[] = BEAMS "links:\n" BEAM("low", "joint: {type: fixed}")
      BEAM("high", "parent: base, joint: {type: fixed, origin: {xyz: [0, 0, "
                   "0.2]}}") "springs: [{name: s, between: [low.tip, high.tip], "
                             "stiffness: 3e4}]\n"
                             "loads: [{at: low.tip, force: [0, 0, 1e-3]}]\n";
  double k = 3e4, b = beam_stiffness(IZ), c = beam_stiffness(IY);
  table_head("Beam and spring under 1 mN at the tip [m]");
  table_row("tip held by a spring to the world", rest_of_tip(one, NULL, "arm.tip", NULL).u[1], 1e-3 / (b + k),
            1e-7, "stiffnesses add");
  table_row("two beams joined at their tips: loaded one", rest_of_tip(two, NULL, "low.tip", NULL).u[2],
            1e-3 / (c + k * c / (k + c)), 1e-7, "stiffnesses in a row");
  table_row("  the other", rest_of_tip(two, NULL, "high.tip", NULL).u[2],
            1e-3 / (c + k * c / (k + c)) * k / (k + c), 1e-7, "stiffnesses in a row");
}

// Joint held at its configuration: its effort is the moment of the spring's tension.
static void joint_carries_the_moment_of_a_stretched_spring(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\ngravity: [0, 0, 0]\n"
      "links: [{name: arm, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}]\n"
      "frames: [{name: hook, on: base, xyz: [0.1, 0.5, 0]}]\n"
      "springs: [{name: s, between: [hook, arm.tip], stiffness: 500, length: 0.2, preload: 7}]\n"
      "configuration: {arm: -0.3}\n";
  double P[2] = {0.4 * cos(-0.3), 0.4 * sin(-0.3)}, d[2] = {0.1 - P[0], 0.5 - P[1]}, l = hypot(d[0], d[1]),
         effort;
  double T = 7 + 500 * (l - 0.2);
  rest_of_tip(text, NULL, "tip", &effort);
  table_head("Joint held against a stretched spring [N m]");
  table_row("effort", effort, -T * (P[0] * d[1] - P[1] * d[0]) / l, 1e-12, "tension times lever");
}

// Tip of a beam in a bushing: in every direction the beam's stiffness and the bushing's.
static void bushing_yields_in_each_direction(void **state) {
  (void)state;
  static const double k[6] = {2e7, 3e4, 5e4, 900, 700, 400};
  static const char text[] = BEAMS
      "links:\n" BEAM("arm", "joint: {type: fixed}") "frames: [{name: seat, on: base, xyz: [0.5, 0, 0]}]\n"
                                                     "bushings: [{name: b, between: [arm.tip, seat], "
                                                     "stiffness: [2e7, 3e4, 5e4, 900, 700, 400]}]\n";
  static const char *const what[] = {"x", "y", "z", "about x", "about y", "about z"};
  double K[6][6] = {{0}};
  K[0][0] = E * A / L;
  K[3][3] = shear() * TORSION / L;
  for (int plane = 0; plane < 2; plane++) { // flexibility of the tip (u, turn), inverted
    double I = plane ? IY : IZ, sign = plane ? -1 : 1, f = L * L * L / (3 * E * I) + L / (KAPPA * shear() * A),
           g = sign * L * L / (2 * E * I), h = L / (E * I), det = f * h - g * g;
    int u = plane ? 2 : 1, t = plane ? 4 : 5;
    K[u][u] = h / det;
    K[t][t] = f / det;
    K[u][t] = K[t][u] = -g / det;
  }
  table_head("Tip of a beam in a bushing of six stiffnesses, loads of 0.1: displacement along the load");
  for (int i = 0; i < 6; i++) {
    char load[96];
    snprintf(load, sizeof load, "loads=[{at: arm.tip, %s: [%s]}]", i < 3 ? "force" : "moment",
             i % 3 == 0   ? "0.1, 0, 0"
             : i % 3 == 1 ? "0, 0.1, 0"
                          : "0, 0, 0.1");
    displaced d = rest_of_tip(text, (const char *[]){load, NULL}, "arm.tip", NULL);
    int j = i == 1 ? 5 : i == 5 ? 1 : i == 2 ? 4 : i == 4 ? 2 : -1; // what it is coupled with
    double own = K[i][i] + k[i], expected = 0.1 / own;
    if (j >= 0) expected = 0.1 * (K[j][j] + k[j]) / (own * (K[j][j] + k[j]) - K[i][j] * K[i][j]);
    table_row(what[i], i < 3 ? d.u[i] : d.turn[i - 3], expected, 1e-6, "beam and bushing in closed form");
  }
}

// --- frequencies ---

static double mode_of(const char *text, const char *const *set, int which, lim_joints joints, double *damping) {
  lim_model *m = model_of(text, set);
  lim_modes *x = NULL;
  lim_error err = {0};
  lim_code code = lim_modes_new(&x, m, NULL, joints, which + 1, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_true(x->modes.count > which);
  double hertz = x->modes.item[which].frequency;
  if (damping) *damping = x->modes.item[which].damping;
  lim_modes_free(x);
  lim_model_free(m);
  return hertz;
}

// A rigid link of inertia 0.06 about its joint, held by a spring across its tip, or by tension along it.
#define HELD(hook, spring)                                                                                     \
  "limber: 1\ngravity: [0, 0, 0]\n"                                                                            \
  "links: [{name: arm, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}]\n"   \
  "frames: [{name: hook, on: base, xyz: [" hook "]}]\n"                                                        \
  "springs: [{name: s, between: [arm.tip, hook], " spring "}]\n"

typedef struct {
  double w, amplitude, worst;
} oscillation;

static void watch_oscillation(void *user, const lim_snapshot *m) {
  oscillation *x = user;
  x->worst = fmax(x->worst, fabs(m->q[0] - x->amplitude * sin(x->w * m->t)) / x->amplitude);
}

static void spring_holds_a_joint_with_its_frequency(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    double stiffness; // about the joint
  } ROWS[] = {
      {"across the link", HELD("0.4, 0.3, 0", "stiffness: 500"), 500 * 0.4 * 0.4},
      {"tension along the link", HELD("0.7, 0, 0", "stiffness: 500, length: 0.2"), 50 * 0.4 * 0.7 / 0.3},
      {"preload along the link", HELD("0.7, 0, 0", "stiffness: 500, preload: 50"), 50 * 0.4 * 0.7 / 0.3}};
  table_head("Joint held by a spring: `modes` [Hz], and `simulate` of 1e-5 rad against its sine");
  for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
    double w = sqrt(ROWS[k].stiffness / 0.06), damping;
    table_row(ROWS[k].name, mode_of(ROWS[k].text, NULL, 0, LIM_JOINTS_FREE, NULL), w / TURN, 1e-9,
              "k r^2, T r (r + a)/a");
    char kick[96];
    snprintf(kick, sizeof kick, "configuration={arm: {position: 0, velocity: %.17g}}", 1e-5 * w);
    for (int i = 0; i < NMETHODS; i++) {
      oscillation x = {.w = w, .amplitude = 1e-5};
      run_text(ROWS[k].text,
               (const char *[]){METHODS[i], kick, "solver={duration: 0.5, step: 5e-5, tolerance: 1e-12}",
                                "outputs={every: 5e-3}", NULL},
               watch_oscillation, &x);
      table_bound(method_name(METHODS[i]), x.worst, i < EXPLICIT ? 1e-5 : 1e-4, "sine of the mode");
    }
    if (k == 0) {
      mode_of(ROWS[k].text, (const char *[]){"springs.s.damping=20", NULL}, 0, LIM_JOINTS_FREE, &damping);
      table_row("  with a damper: ratio", damping, 20 * 0.16 / (2 * sqrt(ROWS[k].stiffness * 0.06)), 1e-9,
                "d r^2");
    }
  }
}

// A body on six freedoms, slides and hinges, in a bushing: six frequencies.
static void body_in_a_bushing_has_its_six_frequencies(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\ngravity: [0, 0, 0]\n"
      "links:\n"
      "  - {name: x, joint: {type: prismatic, axis: [1, 0, 0]}}\n"
      "  - {name: y, joint: {type: prismatic, axis: [0, 1, 0]}}\n"
      "  - {name: z, joint: {type: prismatic, axis: [0, 0, 1]}}\n"
      "  - {name: a, joint: {axis: [1, 0, 0]}}\n"
      "  - {name: b, joint: {axis: [0, 1, 0]}}\n"
      "  - {name: c, joint: {axis: [0, 0, 1]}, body: {mass: 2, inertia: [0.01, 0.02, 0.03]}}\n"
      "bushings: [{name: rail, between: [c.base, base], stiffness: [1e4, 2e4, 3e4, 400, 1000, 2000], damping: "
      "[2, 4, "
      "6, 0.08, 0.2, 0.4]}]\n"; // damping 2e-4 of stiffness
  static const double k[6] = {1e4, 2e4, 3e4, 400, 1000, 2000}, m[6] = {2, 2, 2, 0.01, 0.02, 0.03};
  table_head("Body of six freedoms in a bushing [Hz]");
  for (int i = 0; i < 6; i++) { // the list above ascends
    double damping, w = sqrt(k[i] / m[i]);
    double hertz = mode_of(text, NULL, i, LIM_JOINTS_FREE, &damping);
    char what[32];
    snprintf(what, sizeof what, "direction %d", i + 1);
    table_row(what, hertz, w / TURN, 1e-8, "sqrt(k/m)");
    table_row("  damping ratio", damping, 2e-4 * w / 2, 1e-8, "d w/2k");
  }
}

// Beams with springs: frequency of a tip mass on beam and spring, by modes; static and simulate rest alike.
typedef struct {
  double first, drift, tip;
  bool begun;
} still;

static void watch_still(void *user, const lim_snapshot *m) {
  still *x = user;
  double y = lim_snapshot_site(m, &m->system->site[0].site).p[1];
  if (!x->begun) x->first = y;
  x->begun = true;
  x->tip = y;
  x->drift = fmax(x->drift, fabs(y - x->first));
}

static void equilibrium_on_springs_is_where_static_says_and_stays(void **state) {
  (void)state;
  static const char text[] = BEAMS "links:\n" BEAM("upper", "joint: {axis: [0, 0, 1]}") BEAM(
      "fore", "joint: {axis: [0, 0, 1]}") "frames: [{name: hook, on: base, xyz: [0.8, 0.6, 0.1]}]\n"
                                          "springs:\n"
                                          "  - {name: up, between: [fore.tip, hook], stiffness: 80, damping: "
                                          "1, length: 0.3}\n"
                                          "  - {name: brace, between: [upper.base, fore.tip], stiffness: 40}\n"
                                          "bushings: [{name: b, between: [upper.tip, base], stiffness: [10, "
                                          "20, 30, 1, 1, 1]}]\n"
                                          "configuration: {upper: 0.2, fore: -0.4}\n"
                                          "drives: {upper: {type: servo, stiffness: 200, damping: 1}, fore: "
                                          "{type: servo, stiffness: 100, damping: 1}}\n"
                                          "solver: {duration: 0.2 s, step: 0.05 ms, start: equilibrium, "
                                          "tolerance: 1e-12}\n";
  double at = rest_of_tip(text, (const char *[]){"gravity=[0, -9.81, 0]", NULL}, "tip", NULL).u[1];
  double undeformed = 0.5 * sin(0.2) + 0.5 * sin(-0.2);
  table_head("Two flexible links on springs, a bushing and servos, under gravity: tip at the start [m], its "
             "drift in 0.2 s");
  for (int i = EXPLICIT; i < NMETHODS; i++) { // all coordinates, as `static`: too stiff for the others
    still x = {.begun = false};
    run_text(text, (const char *[]){METHODS[i], "gravity=[0, -9.81, 0]", NULL}, watch_still, &x);
    table_row(method_name(METHODS[i]), x.first - undeformed, at, 1e-8, "`static`");
    table_bound("  drift", x.drift, 1e-9, "rests");
  }
}

// --- the expansions ---

typedef struct {
  double tip[41];
  int count;
} small_path;

static void watch_small(void *user, const lim_snapshot *m) {
  small_path *x = user;
  assert_true(x->count < 41);
  x->tip[x->count++] = lim_snapshot_site(m, &m->system->site[0].site).p[1];
}

static void linear_mode_knows_springs_and_bushings(void **state) {
  (void)state;
  static const char text[] = BEAMS "links:\n" BEAM(
      "arm",
      "joint: {axis: [0, 0, 1]}") "frames: [{name: hook, on: base, xyz: [0.5, 0.4, 0]}, {name: seat, on: base, "
                                  "xyz: [0.5, 0, 0]}]\n"
                                  "springs: [{name: s, between: [arm.tip, hook], stiffness: 200, damping: 1}]\n"
                                  "bushings: [{name: b, between: [arm.tip, seat], stiffness: [100, 200, 100, "
                                  "1, 1, 5]}]\n"
                                  "motion: {arm: {profile: cycloidal, from: 0, to: 1e-3, duration: 0.1 s}}\n"
                                  "solver: {duration: 0.2 s, step: 0.2 ms, tolerance: 1e-12}\n"
                                  "outputs: {every: 5 ms}\n";
  static const char *const OTHERS[] = {"linear", "quasi-static"};
  small_path full = {.count = 0};
  run_text(text, NULL, watch_small, &full);
  table_head(
      "Prescribed 1 mrad of a beam with spring and bushing at its tip: difference from nonlinear over 0.5 mm");
  for (int k = 0; k < 2; k++) {
    small_path x = {.count = 0};
    char mode[64];
    snprintf(mode, sizeof mode, "solver.mode=%s", OTHERS[k]);
    run_text(text, (const char *[]){mode, NULL}, watch_small, &x);
    double worst = 0;
    for (int i = 0; i < 41; i++) worst = fmax(worst, fabs(x.tip[i] - full.tip[i]) / 5e-4);
    table_bound(OTHERS[k], worst, k ? 0.1 : 1e-5, k ? "without the swinging" : "second order");
  }
  // at rest at 1 mrad: quasi-static is what static says about the same place
  small_path slow = {.count = 0};
  run_text(text, (const char *[]){"solver.mode=quasi-static", NULL}, watch_small, &slow);
  double at = rest_of_tip(text,
                          (const char *[]){"motion={}", "configuration={arm: 1e-3}", "springs.s.length=0.4",
                                           "drives={arm: {type: prescribed}}", NULL},
                          "tip", NULL)
                  .u[1];
  table_row("quasi-static at the end, deflection [m]", slow.tip[40] - 0.5 * sin(1e-3), at, 1e-4, "`static`");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_share_the_load_of_beams),
      cmocka_unit_test(joint_carries_the_moment_of_a_stretched_spring),
      cmocka_unit_test(bushing_yields_in_each_direction),
      cmocka_unit_test(spring_holds_a_joint_with_its_frequency),
      cmocka_unit_test(body_in_a_bushing_has_its_six_frequencies),
      cmocka_unit_test(equilibrium_on_springs_is_where_static_says_and_stays),
      cmocka_unit_test(linear_mode_knows_springs_and_bushings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
