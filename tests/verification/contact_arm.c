// contact_arm.c - flexible arms on contacts: the force of a beam on a support at its tip, its frequencies and
// section forces; a planar arm whose hand sticks; a driven arm that presses.
#include "contact_fixture.h"

// --- a beam that comes down on a support ---

// Slender, so that shear and rotary inertia do not count: (h/L)^2 = 4e-6.
#define BEAM                                                                                                   \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {steel: {E: 210 GPa, nu: 0.3, rho: 7850}}\n"                                                     \
  "sections: {strip: {shape: rectangle, y: 2 mm, z: 20 mm}}\n"                                                 \
  "links: [{name: beam, joint: {name: root, type: fixed}, beam: {length: 1, section: strip, material: steel, " \
  "elements: 20}}]\n"                                                                                          \
  "loads: [{name: push, at: tip, force: [0, -1e-4, 0]}]\n"                                                     \
  "contacts: [{name: floor, frame: tip, stiffness: 20, damping: 100, plane: {point: [0, -1e-6, 0], normal: "   \
  "[0, 1, "                                                                                                    \
  "0]}}]\n"                                                                                                    \
  "solver: {duration: 1 s, step: 1 ms}\n"

static const double EI = 210e9 * 0.02 * 8e-9 / 12, L = 1, K = 20, GAP = 1e-6, PUSH = 1e-4;

typedef struct {
  lim_model *model;
  lim_study *study;
  lim_error err;
} studied;

static studied study_of(const char *text, const char *const *set, int count) {
  studied s = {.model = parse_with(text, set, count)};
  assert_int_equal(lim_study_new(&s.study, s.model, &s.err), LIM_OK);
  return s;
}

static void end_study(studied *s) {
  lim_study_free(s->study);
  lim_model_free(s->model);
  lim_error_clear(&s->err);
}

static void beam_presses_on_its_support(void **state) {
  (void)state;
  lim_answer *a = NULL;
  studied s = study_of(BEAM, NULL, 0);
  assert_int_equal(lim_study_static(&a, s.study, NULL, &s.err), LIM_OK);
  const double own = 3 * EI / (L * L * L), depth = (PUSH - own * GAP) / (own + K);
  table_head("Cantilever pushed 0.1 mN on a support at its tip, 1 um below");
  table_row("depth [m]", lim_answer_number(a, "contacts.floor.depth"), depth, 1e-5, "springs side by side");
  table_row("force [N]", lim_answer_array(a, "contacts.floor.force", NULL)[1], K * depth, 1e-5, "its spring");
  table_row("moment at the root [N m]", lim_answer_array(a, "joints.root.moment", NULL)[2], PUSH - K * depth,
            1e-5, "what is left of the push");
  table_row("largest stress [Pa]", lim_answer_number(a, "stress.beam"), (PUSH - K * depth) * 6 / (0.02 * 4e-6),
            1e-4, "of that moment");
  lim_answer_free(a);
  end_study(&s);
}

// Apart, the arm does not feel it.
static void beam_above_its_support_does_not_press(void **state) {
  (void)state;
  lim_answer *a = NULL;
  studied s = study_of(BEAM, (const char *[]){"contacts.floor.plane.point=[0, -1e-3, 0]"}, 1);
  assert_int_equal(lim_study_static(&a, s.study, NULL, &s.err), LIM_OK);
  assert_string_equal(lim_answer_text(a, "contacts.floor.state"), "apart");
  assert_true(lim_answer_array(a, "contacts.floor.force", NULL)[1] == 0);
  lim_answer_free(a);
  end_study(&s);
}

// --- its frequencies ---

// b^3 (1 + cos b cosh b) + k (sin b cosh b - cos b sinh b), k = K L^3/EI
static double characteristic(double b, double k) {
  return b * b * b * (1 + cos(b) * cosh(b)) + k * (sin(b) * cosh(b) - cos(b) * sinh(b));
}

static double root_between(double low, double high, double k) {
  const bool rising = characteristic(low, k) < 0;
  for (int i = 0; i < 200; i++) {
    const double b = (low + high) / 2;
    *((characteristic(b, k) < 0) == rising ? &low : &high) = b;
  }
  return low;
}

static void beam_on_a_closed_contact_vibrates_on_its_spring(void **state) {
  (void)state;
  static const double RANGE[] = {1.8, 3.9, 7.0}; // free tip, pinned tip, and so on
  const double unit = sqrt(EI / (7850 * 4e-5)) / (L * L) / (2 * M_PI);
  table_head("Frequencies of a cantilever on a contact at its tip [Hz]");
  for (int k = 0; k < 2; k++) {
    lim_answer *a = NULL;
    const char *const set[] = {"contacts.floor.damping=0",
                               k ? "solver.start=equilibrium" : "contacts.floor.plane.point=[0, 1e-7, 0]"};
    studied s = study_of(BEAM, set, 2);
    assert_int_equal(lim_study_modes(&a, s.study, NULL, &s.err), LIM_OK);
    const double *found = lim_answer_array(a, "frequencies_hz", NULL);
    for (int i = 0; i < 2; i++) {
      const double b = root_between(RANGE[i], RANGE[i + 1], K * L * L * L / EI);
      table_row(k ? "about the equilibrium" : "pressed in the configuration", found[i], unit * b * b, 5e-5,
                "Euler's beam on a spring");
    }
    assert_string_equal(lim_answer_text(a, "contacts.floor"), "slides");
    lim_answer_free(a);
    end_study(&s);
  }
}

// --- a hand that sticks ---

// Two links in a plane, the tip on a floor: sticking takes what one more joint would.
#define HAND                                                                                                   \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "planar: xy\n"                                                                                               \
  "links:\n"                                                                                                   \
  "  - {name: upper, joint: {name: shoulder}, body: {mass: 3, com: [0.25, 0, 0], inertia: [0.01, 0.06, "       \
  "0.06], "                                                                                                    \
  "tip: [0.5, 0, 0]}}\n"                                                                                       \
  "  - {name: fore, joint: {name: elbow}, body: {mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.03, 0.03], "     \
  "tip: "                                                                                                      \
  "[0.4, 0, 0]}}\n"                                                                                            \
  "configuration: {shoulder: 60 deg, elbow: -100 deg}\n"                                                       \
  "contacts: [{name: floor, frame: tip, radius: 20 mm, stiffness: 5e4, damping: 0.5, friction: 0.6, plane: "   \
  "{point: [0, 0.15, 0], normal: [0, 1, 0]}}]\n"                                                               \
  "solver: {duration: 1 s, step: 0.5 ms, tolerance: 1e-11}\n"                                                  \
  "outputs: {every: 1 ms, channels: [tip.position, tip.velocity, floor, energy, shoulder, elbow]}\n"

// It falls on its floor, slides, sticks: methods agree, the books close, friction stays within its cone.
static void hand_falls_slides_and_sticks(void **state) {
  (void)state;
  double place[NMETHODS] = {0};
  table_head("Two links that fall on a floor, for 1 s");
  for (int i = 0; i < NMETHODS; i++) {
    recorded r = record_run(HAND, (const char *[]){METHODS[i], NULL});
    const double *x = recorded_channel(&r, "tip.position.x"), *fx = recorded_channel(&r, "floor.force.x"),
                 *fy = recorded_channel(&r, "floor.force.y"), *balance = recorded_channel(&r, "energy.balance");
    double beyond = 0;
    for (int k = 0; k < r.count; k++) beyond = fmax(beyond, fabs(fx[k]) - 0.6 * fy[k]);
    place[i] = x[r.count - 1];
    table_bound(method_of(i), beyond, 1e-6, "within the cone of friction [N]");
    table_bound("  energy balance", largest(balance, r.count), i < HIGH ? 1e-4 : 2e-2, "closed books");
    recorded_free(&r);
  }
  table_row("place of the tip, ida against cvode [m]", place[2], place[1], 1e-6, "the same motion");
  table_row("place of the tip, rk4 against cvode [m]", place[0], place[1], 1e-3, "the same motion");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beam_presses_on_its_support),
      cmocka_unit_test(beam_above_its_support_does_not_press),
      cmocka_unit_test(beam_on_a_closed_contact_vibrates_on_its_spring),
      cmocka_unit_test(hand_falls_slides_and_sticks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
