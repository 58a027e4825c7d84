// fe_prestressed.c - stiffness matrices of loaded states of a box tube (models/fe/tube): frequencies under a
// pull and in a spin against CalculiX, which solves with the whole loaded matrix; what is left without
// stiffening; energy and momentum of motions with them.
#include "fe_fixture.h"

#include "fe_calculix.h"
#include "kind_numbers.h"

#define TUBE(prestressed)                                                                                      \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - name: tube\n"                                                                                           \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    basis: {type: craig-bampton, count: 40}\n" TUBE_FE("      prestressed: [" prestressed "]\n", "rigid",   \
                                                          "mean")

#define PULL   "{force: [1000, 0, 0], at: tip, stiffness: models/fe/tube-pull.sti}"
#define SPIN_Y "{spin: [0, 50, 0], stiffness: models/fe/tube-spin-y.sti}"
#define SPIN_Z "{spin: [0, 0, 50], stiffness: models/fe/tube-spin-z.sti}"

static double square(double x) { return x * x; }

// --- a pull ---

#define PULLED "loads=[{at: tube.tip, force: [1000, 0, 0]}]", "solver.start=equilibrium"

static void pulled_tube_matches_calculix(void **state) {
  (void)state;
  double hz[6], plain[6];
  frequencies(hz, 6, TUBE(PULL), (const char *[]){PULLED, NULL}, LIM_JOINTS_LOCKED);
  frequencies(plain, 6, TUBE(PULL), NULL, LIM_JOINTS_LOCKED);
  table_head("Pulled by 1000 N [Hz]");
  for (int i = 0; i < 6; i++) table_row("", hz[i], TUBE_PULL[i], 1e-4, "CalculiX");
  table_head("What the pull adds to squares of frequencies of bending [Hz^2]");
  for (int i = 0; i < 4; i++)
    table_row("", square(hz[i]) - square(plain[i]), square(TUBE_PULL[i]) - square(TUBE_CLAMPED[i]), 3e-4,
              "CalculiX");
}

static void pull_changes_nothing_without_stiffening(void **state) {
  (void)state;
  double hz[6];
  frequencies(hz, 6, TUBE(PULL), (const char *[]){PULLED, "solver.stiffening=off", NULL}, LIM_JOINTS_LOCKED);
  table_head("Pulled by 1000 N, stiffening off [Hz]");
  for (int i = 0; i < 6; i++) table_row("", hz[i], TUBE_CLAMPED[i], 1e-4, "CalculiX, not pulled");
}

// --- a spin ---

// Integral of the squared integral of a clamped beam's first mode from x to its end, over that of the squared
// mode.
static double carried(void) {
  enum { STEPS = 20000 };
  const double b = 1.8751040687119611, c = (cosh(b) + cos(b)) / (sinh(b) + sin(b)), h = 1.0 / STEPS;
  double beyond = 0, sum = 0, square_sum = 0;
  for (int i = STEPS - 1; i >= 0; i--) {
    const double x = b * (i + 0.5) * h, mode = cosh(x) - cos(x) - c * (sinh(x) - sin(x));
    sum += square(beyond + mode * h / 2) * h;
    beyond += mode * h;
    square_sum += square(mode) * h;
  }
  return sum / square_sum;
}

// CalculiX leaves Coriolis forces out. Bending along the axis of the spin meets hardly any. Within its plane
// they pull along the tube, which yields: with a velocity u' across, 2 omega rho A u' on each length, and
//   lambda falls by 4 omega^2 rho/E (integral of (integral of u from x on)^2)/(integral of u^2) of itself.
static void spinning_tube_matches_calculix(void **state) {
  (void)state;
  const double coriolis = -4 * square(50) * 2710 / 71e9 * carried();
  for (int k = 0; k < 2; k++) {
    double hz[6], plain[6];
    const double *calculix = k ? TUBE_SPIN_Z : TUBE_SPIN_Y;
    const char *text = k ? TUBE(SPIN_Z) : TUBE(SPIN_Y),
               *axis = k ? "links.tube.joint.axis=[0, 0, 1]" : "links.tube.joint.axis=[0, 1, 0]";
    frequencies(hz, 6, text, (const char *[]){"configuration={tube: {velocity: 50}}", axis, NULL},
                LIM_JOINTS_LOCKED);
    frequencies(plain, 6, text, NULL, LIM_JOINTS_LOCKED);
    table_head(k ? "Spin of 50 rad/s about z [Hz]" : "Spin of 50 rad/s about y [Hz]");
    table_row("along the axis, first", hz[1], calculix[1], 1e-5, "CalculiX");
    table_row("second", hz[3], calculix[3], 1e-4, "CalculiX");
    table_row("within the plane, first", hz[0], calculix[0], 1e-4, "CalculiX");
    table_row("second", hz[2], calculix[2], 1e-4, "CalculiX");
    table_row("twist", hz[4], calculix[4], 1e-4, "CalculiX");
    table_row("spin adds to the square, along, first [Hz^2]", square(hz[1]) - square(plain[1]),
              square(calculix[1]) - square(TUBE_CLAMPED[1]), 1e-3, "CalculiX");
    table_row("within, first, beside CalculiX, of the square", square(hz[0] / calculix[0]) - 1, coriolis, 0.02,
              "Coriolis forces");
  }
}

// What is left is the softening by spin: of all motion within the plane, as that of sections that turn out of
// it, by omega^2 I/A (integral of u'^2)/(integral of u^2).
static void spin_only_softens_without_stiffening(void **state) {
  (void)state;
  const double I_A = (0.06 * 0.06 + 0.052 * 0.052) / 12, rotary = square(50 / (2 * M_PI)) * I_A * 4.6478;
  double hz[2];
  frequencies(hz, 2, TUBE(SPIN_Z),
              (const char *[]){"configuration={tube: {velocity: 50}}", "solver.stiffening=off", NULL},
              LIM_JOINTS_LOCKED);
  table_head("Spin of 50 rad/s about z, stiffening off [Hz]");
  table_row("along the axis", hz[1], sqrt(square(TUBE_CLAMPED[0]) - rotary), 5e-6,
            "CalculiX, at rest, less that");
  table_row("within the plane", hz[0], sqrt(square(TUBE_CLAMPED[0]) - square(50 / (2 * M_PI))), 1e-4,
            "less the square of the speed");
}

// --- motion ---

typedef struct {
  double force[3], from; // that acts at the tip all the time; when books begin
  bool begun;
  double energy, momentum;  // at the start
  double peak, drift, turn; // largest kinetic energy; largest changes
  double swing;             // of the tip along z [m]
} books;

static lim_code keep(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  books *b = user;
  if (m->t < b->from) return LIM_OK;
  const lim_world_motion tip = lim_snapshot_frame(m, 0);
  const double energy = m->energy_balance.kinetic + m->energy_balance.strain - lim_dot(b->force, tip.p),
               momentum = lim_snapshot_momentum(m).angular[2];
  if (!b->begun) b->energy = energy, b->momentum = momentum;
  b->begun = true;
  b->swing = fmax(b->swing, fabs(tip.p[2]));
  b->peak = fmax(b->peak, m->energy_balance.kinetic);
  b->drift = fmax(b->drift, fabs(energy - b->energy));
  b->turn = fmax(b->turn, fabs(momentum / b->momentum - 1));
  return LIM_OK;
}

// Without damping, by a method without any.
static books move(const char *text, const char *const *set, const double force[3], double from) {
  lim_model *m = fe_model(text, set);
  lim_error err = {0};
  lim_run run;
  books b = {.force = {force[0], force[1], force[2]}, .from = from};
  m->solver.method = LIM_METHOD_rk4;
  const lim_simulate_hooks hooks = {.record = keep, .user = &b, .quiet = true};
  if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(m);
  return b;
}

#define FEW    "links.tube.basis.count=2", "solver.duration=0.1 s", "solver.step=5e-6 s", "outputs.every=1 ms"
#define TURNED "drives={tube: {type: free}}"
#define SPUN   "configuration={tube: {velocity: 50}}"

// A push for 10 ms makes it swing by some centimetres. What the method of fourth order loses falls with the
// fifth power of the step.
static void energy_and_momentum_are_kept_at_speed(void **state) {
  (void)state;
  static const char *const step[] = {"solver.step=10e-6 s", "solver.step=5e-6 s"},
                           *const push =
                               "loads=[{at: tube.tip, force: [0, 1000, 2000], axes: link, to: 10 ms}]";
  books b[2];
  for (int i = 0; i < 2; i++)
    b[i] = move(TUBE(PULL ", " SPIN_Y ", " SPIN_Z), (const char *[]){FEW, TURNED, SPUN, push, step[i], NULL},
                (double[3]){0}, 0.0105);
  table_head("Free to turn at 50 rad/s, after a push, 0.1 s");
  printf("moves along its axis by %.3g mm\n", 1e3 * b[1].swing);
  table_bound("change of energy beside the kinetic energy", b[1].drift / b[1].peak, 1e-8, "conservation");
  table_bound("change of momentum about the axis", b[1].turn, 1e-8, "conservation");
  table_row("change of energy with double the step, over it", b[0].drift / b[1].drift, 32, 0.05,
            "order of the method");
}

// The force works as far as its place moves, to second order: with 2 kg there as well.
static void energy_is_balanced_under_a_pull(void **state) {
  (void)state;
  const books b = move(TUBE(PULL ", " SPIN_Y ", " SPIN_Z),
                       (const char *[]){FEW, TURNED, SPUN, "loads=[{at: tube.tip, force: [700, 300, -2000]}]",
                                        "links.tube.masses=[{at: tip, mass: 2}]", NULL},
                       (double[3]){700, 300, -2000}, 0);
  table_head("The same with 2 kg at the tip, and a force there that keeps its direction");
  printf("moves along its axis by %.3g mm\n", 1e3 * b.swing);
  table_bound("change of energy, less work, beside the kinetic", b.drift / b.peak, 1e-8, "balance");
}

// Of a spin about z alone nothing is known about y, in whatever axes base has.
static void spins_that_are_not_given_stay_linear(void **state) {
  (void)state;
  double hz[2], turned[2], plain[2];
  const char *const about_y = "links.tube.joint.axis=[0, 1, 0]", *const fast =
                                                                     "configuration={tube: {velocity: 200}}";
  frequencies(plain, 2, TUBE(SPIN_Z), (const char *[]){fast, about_y, "links.tube.fe.prestressed=null", NULL},
              LIM_JOINTS_LOCKED);
  frequencies(hz, 2, TUBE(SPIN_Z), (const char *[]){fast, about_y, NULL}, LIM_JOINTS_LOCKED);
  frequencies(turned, 2, TUBE(SPIN_Z),
              (const char *[]){fast, "links.tube.fe.frames.base.rpy=[45 deg, 0, 0]",
                               "links.tube.joint.axis=[0, 0.7071067811865476, -0.7071067811865476]", NULL},
              LIM_JOINTS_LOCKED);
  table_head("Spinning about y at 200 rad/s, prestressed for z alone [Hz]");
  for (int i = 0; i < 2; i++) {
    table_row("base in the axes of the file", hz[i], plain[i], 1e-9, "not prestressed");
    table_row("base turned by 45 deg", turned[i], plain[i], 1e-9, "not prestressed");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulled_tube_matches_calculix),
      cmocka_unit_test(pull_changes_nothing_without_stiffening),
      cmocka_unit_test(spinning_tube_matches_calculix),
      cmocka_unit_test(spin_only_softens_without_stiffening),
      cmocka_unit_test(spins_that_are_not_given_stay_linear),
      cmocka_unit_test(energy_and_momentum_are_kept_at_speed),
      cmocka_unit_test(energy_is_balanced_under_a_pull),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
