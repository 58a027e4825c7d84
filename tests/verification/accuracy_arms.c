// accuracy_arms.c - errors that `simulate --error` prints, against true ones: arms of every basis and
// method, and for each the same arm in a full basis with three times the elements and segments, in an eighth of
// the step. The true error is at most three times the printed one for every final and peak value; the printed
// one is at most ten times the true one for nine values in ten, of those that are off by more than 1e-6 of the
// peak. The rest are final values at which the true error happens to change its sign.
#include "engine_fixture.h"

#include "analysis/simulation/simulate.h"
#include "kind_numbers.h"
#include "store/accuracy.h"

#include <string.h>

#define AL "limber: 1\nmaterials: {al: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"
#define LINK(name, more, length, elements, rest)                                                               \
  "  - name: " name "\n" more "    beam: {length: " length ", section: rod, material: al, " elements "}"       \
  "\n" rest
#define TWO(thick, offset, elements)                                                                           \
  AL "sections: {rod: {shape: rectangle, y: " thick                                                            \
     ", z: 20 mm}}\nlinks:\n" LINK("upper", "    joint: {name: shoulder}\n", "0.6", elements, "")              \
         LINK("fore", "    joint: {name: elbow" offset "}\n", "0.5", elements,                                 \
              "    masses: [{at: tip, mass: 0.3}]\n    gauges: [{name: root, at: 0.1, face: +y}]\n")
#define TWO_SHOWN                                                                                              \
  "outputs: {channels: [tip.position, tip.error, shoulder.effort, elbow.effort, upper.deflection, "            \
  "fore.deflection, fore.root.strain, energy.kinetic, energy.strain]}\n"
#define RIGID_SHOWN                                                                                            \
  "outputs: {channels: [tip.position, shoulder.position, elbow.position, elbow.velocity, energy.kinetic]}\n"
#define PLANE "planar: xy\ngravity: [0, -9.81, 0]\n"
#define SPACE "gravity: [0, 0, -9.81]\n"
#define MOVE                                                                                                   \
  "motion:\n  shoulder: {profile: cycloidal, from: 0, to: 40 deg, duration: 0.3 s}\n"                          \
  "  elbow: {profile: cycloidal, from: 30 deg, to: 60 deg, duration: 0.3 s}\n"
#define SWING                                                                                                  \
  "configuration: {shoulder: 20 deg, elbow: 30 deg}\n"                                                         \
  "drives: {shoulder: {type: servo, stiffness: 200, damping: 2}, elbow: {type: free}}\n"
#define SPIN(elements)                                                                                         \
  AL PLANE "sections: {rod: {shape: rectangle, y: 6 mm, z: 20 mm}}\nlinks:\n" LINK(                            \
      "arm", "", "1", elements,                                                                                \
      "") "motion: {arm: {profile: cycloidal, from: 0, to: 60 deg, duration: 0.4 s}}\n"                        \
          "outputs: {channels: [tip.position, tip.error, arm.effort, arm.deflection, energy.kinetic]}\n"
#define BAR(name, more, length, rest) LINK(name, more, length, "elements: 4", rest)
#define FIVE                                                                                                   \
  AL PLANE "sections: {rod: {shape: rectangle, y: 8 mm, z: 20 mm}}\nlinks:\n" BAR("a1", "", "0.3", "") BAR(    \
      "a2", "", "0.4", "") BAR("b1", "    parent: base\n    joint: {origin: {xyz: [0.3, 0, 0]}}\n", "0.3", "") \
      BAR("b2", "", "0.4",                                                                                     \
          "    masses: [{at: tip, mass: 0.5}]\n") "loops: [{name: pin, between: [a2.tip, b2.tip]}]\n"          \
                                                  "motion:\n  a1: {profile: cycloidal, from: 120 deg, to: "    \
                                                  "100 deg, duration: 0.3 s}\n"                                \
                                                  "  b1: {profile: cycloidal, from: 60 deg, to: 70 deg, "      \
                                                  "duration: 0.3 s}\n"                                         \
                                                  "configuration: {a2: -60 deg, b2: 60 deg}\n"                 \
                                                  "outputs: {channels: [a1.effort, b1.effort, "                \
                                                  "a1.deflection.y, a2.deflection.y, b2.tip.position]}\n"

typedef struct {
  const char *name, *text, *solver, *basis;
} arm;

static const arm ARMS[] = {
    {"two links, 2 modes", TWO("8 mm", "", "elements: 6") PLANE MOVE TWO_SHOWN, "duration: 0.2 s, step: 2 ms",
     "modes, count: 2"},
    {"stiff links, 2 modes", TWO("20 mm", "", "elements: 6") PLANE MOVE TWO_SHOWN,
     "duration: 0.2 s, step: 2 ms", "modes, count: 2"},
    {"stiff links, 1 mode, newmark", TWO("20 mm", "", "elements: 6") PLANE MOVE TWO_SHOWN,
     "duration: 0.2 s, step: 1 ms, method: newmark, start: equilibrium", "modes, count: 1"},
    {"stiff links, craig-bampton", TWO("20 mm", "", "elements: 4") PLANE MOVE TWO_SHOWN,
     "duration: 0.2 s, step: 1 ms, start: equilibrium", "craig-bampton, count: 0"},
    {"linear elements, full basis", TWO("15 mm", "", "elements: 3, element: timoshenko") PLANE MOVE TWO_SHOWN,
     "duration: 0.2 s, step: 2 ms, start: equilibrium", "full"},
    {"swinging, 3 modes", TWO("8 mm", "", "elements: 4") PLANE SWING TWO_SHOWN, "duration: 0.2 s, step: 2 ms",
     "modes, count: 3"},
    {"in space, 4 modes", TWO("12 mm", ", origin: {rpy: [90 deg, 0, 0]}", "elements: 4") SPACE MOVE TWO_SHOWN,
     "duration: 0.15 s, step: 2 ms, start: equilibrium", "modes, count: 4"},
    {"in space, craig-bampton",
     TWO("12 mm", ", origin: {rpy: [90 deg, 0, 0]}", "elements: 4") SPACE MOVE TWO_SHOWN,
     "duration: 0.15 s, step: 1 ms, start: equilibrium", "craig-bampton, count: 1"},
    {"five-bar linkage, 1 mode", FIVE, "duration: 0.1 s, step: 2 ms, start: equilibrium", "modes, count: 1"},
    {"two segments of 2 modes", SPIN("elements: 8, segments: 2"), "duration: 0.3 s, step: 2 ms",
     "modes, count: 2"},
    {"runge-kutta, 2 modes", SPIN("elements: 4"), "duration: 0.1 s, step: 1 ms, method: rk4",
     "modes, count: 2"},
    {"cvode, 2 modes", SPIN("elements: 4"), "duration: 0.1 s, step: 2 ms, method: cvode, tolerance: 1e-5",
     "modes, count: 2"},
    {"cvode, rigid links", TWO("8 mm", "", "elements: 1") PLANE SWING RIGID_SHOWN,
     "duration: 0.3 s, step: 10 ms, method: cvode, tolerance: 1e-4", "rigid"},
    {"cvode, rigid links, tighter", TWO("8 mm", "", "elements: 1") PLANE SWING RIGID_SHOWN,
     "duration: 0.3 s, step: 5 ms, method: cvode, tolerance: 1e-6", "rigid"},
    {"runge-kutta, rigid links", TWO("8 mm", "", "elements: 1") PLANE SWING RIGID_SHOWN,
     "duration: 0.3 s, step: 10 ms, method: rk4", "rigid"},
};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS };

typedef struct {
  int values, counted, low, high; // all; off by more than 1e-6 of the peak; too small; too large
  double worst;                   // largest true over printed
} tally;

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  return lim_recorder_record(user, m, err);
}

static lim_recorder *run_of(const lim_model *m) {
  lim_recorder_setup setup = {.model = m, .keep = true};
  lim_recorder *r = NULL;
  lim_error err = {0};
  lim_run run;
  assert_int_equal(lim_recorder_new(&r, &setup, &err), LIM_OK);
  lim_simulate_hooks hooks = {.record = record, .user = r, .quiet = true};
  if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  return r;
}

static lim_recorder *reference(const lim_model *m) {
  lim_model fine = *m;
  lim_link link[8];
  bool rigid = m->links.item[0].basis.type == LIM_BASIS_RIGID;
  assert_true(m->links.count <= 8);
  fine.links.item = link;
  for (int i = 0; i < m->links.count; i++) {
    link[i] = m->links.item[i];
    if (rigid) continue;
    link[i].basis.type = LIM_BASIS_FULL;
    link[i].beam.elements *= 3;
    link[i].beam.segments *= 3;
  }
  fine.solver.method = rigid ? LIM_METHOD_rk4 : LIM_METHOD_generalized_alpha;
  fine.solver.step /= rigid ? 50 : 8;
  fine.solver.tolerance = 1e-10;
  fine.outputs.every = m->solver.step;
  return run_of(&fine);
}

static void compare(tally *t, const char *name, double value, double printed, double true_value, double peak) {
  double off = fabs(value - true_value);
  if (off < 1e-9 * peak || !(peak > 1e-12)) return;
  t->values++;
  t->worst = fmax(t->worst, off / printed);
  t->low += off > 3 * printed;
  if (off > 3 * printed) printf("    %s: off by %.2e, printed %.2e\n", name, off, printed);
  if (off < 1e-6 * peak) return;
  t->counted++;
  t->high += printed > 10 * off;
}

static lim_basis_type type_of(char letter) {
  return letter == 'm'   ? LIM_BASIS_MODES
         : letter == 'c' ? LIM_BASIS_CRAIG_BAMPTON
         : letter == 'r' ? LIM_BASIS_RIGID
                         : LIM_BASIS_FULL;
}

static tally look_at(const arm *a) {
  char text[4000];
  tally t = {0};
  lim_error err = {0};
  snprintf(text, sizeof text, "%ssolver: {%s}\n", a->text, a->solver);
  lim_model *m = model_of(text, NULL);
  for (int i = 0; i < m->links.count; i++) {
    lim_basis *b = &m->links.item[i].basis;
    b->type = type_of(*a->basis);
    b->count = strstr(a->basis, "count: ") ? atoi(strstr(a->basis, "count: ") + 7) : 0;
  }
  lim_recorder *r = run_of(m), *fine = reference(m);
  lim_accuracy *x = NULL;
  lim_accuracy_setup setup = {.model = m, .recorder = r};
  if (lim_accuracy_new(&x, &setup, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  for (int i = 0; i < x->count; i++) {
    const char *name = lim_recorder_channels(r)->channel[i].name;
    const lim_summary *s = lim_recorder_summary(r);
    double peak = lim_history_peak(lim_recorder_history(fine), i, true);
    compare(&t, name, lim_summary_final(s, i), x->final[i], lim_summary_final(lim_recorder_summary(fine), i),
            peak);
    compare(&t, name, lim_summary_peak(s, i), x->peak[i], peak, peak);
  }
  lim_accuracy_free(x);
  lim_recorder_free(r);
  lim_recorder_free(fine);
  lim_model_free(m);
  return t;
}

static void printed_errors_hold(void **state) {
  (void)state;
  tally all = {0};
  printf("%-32s %8s %12s %10s %10s\n", "", "values", "true/printed", "too small", "too large");
  for (int i = 0; i < ARM_COUNT; i++) {
    tally t = look_at(&ARMS[i]);
    printf("%-32s %8d %12.2f %10d %10d\n", ARMS[i].name, t.values, t.worst, t.low, t.high);
    all.values += t.values;
    all.counted += t.counted;
    all.low += t.low;
    all.high += t.high;
  }
  printf("%-32s %8d %12s %10d %10d\n", "all", all.values, "", all.low, all.high);
  assert_true(all.values > 200);
  assert_int_equal(all.low, 0);
  assert_true(10 * all.high <= all.counted);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(printed_errors_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
