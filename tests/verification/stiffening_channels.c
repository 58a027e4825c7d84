// stiffening_channels.c - what bending shortens, in all that is read off a link: its deflection, strains as
// signals, mode shapes about a bent equilibrium. A cantilever under a force at its tip, v = P (3 L x^2 -
// x^3)/(6 E I), is shorter by 1/2 int v'^2 dx = 3/5 v(L)^2/L. Terms of fourth order are left out.
#include "engine_fixture.h"

#include "analysis/simulation/simulate.h"
#include "analysis/vibration/modes.h"
#include "store/recorder.h"

#include <string.h>

static const double L = 0.5, E = 71e9, I = 0.04 * 0.002 * 0.002 * 0.002 / 12, FORCE = 0.6;

#define BENT                                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 71 GPa, nu: 0.3, rho: 2700}}\n"                           \
  "sections: {strip: {shape: rectangle, y: 2 mm, z: 40 mm}}\nlinks:\n"                                         \
  "  - name: arm\n    beam: {length: 0.5, section: strip, material: m, elements: 8, element: "                 \
  "euler-bernoulli}\n"                                                                                         \
  "    gauges: [{name: up, at: 0.31, face: +y}, {name: down, at: 0.31, face: -y}]\n"                           \
  "loads: [{at: tip, force: [0, 0.6, 0]}]\n"
#define SLIDING                                                                                                \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 71 GPa, nu: 0.3, rho: 2700}}\n"                           \
  "sections: {strip: {shape: rectangle, y: 2 mm, z: 40 mm}}\nlinks:\n"                                         \
  "  - name: arm\n    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}\n"                 \
  "    beam: {length: 0.8, section: strip, material: m, elements: 8}\n"                                        \
  "configuration: {arm: 0.5}\nloads: [{at: tip, force: [0, 0.6, 0]}]\n"
#define HELD "drives: {arm: {type: prescribed}}\nsolver: {duration: 2 ms, step: 1 ms, start: equilibrium}\n"

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  return lim_recorder_record(user, m, err);
}

// Final values of channels, in the order of the model file.
static void finals(double *out, int count, const char *text, const char *const *set) {
  lim_model *model = model_of(text, set);
  lim_recorder *r = NULL;
  lim_error err = {0};
  lim_run run;
  lim_recorder_setup setup = {.model = model};
  assert_int_equal(lim_recorder_new(&r, &setup, &err), LIM_OK);
  lim_simulate_hooks hooks = {.record = record, .user = r};
  if (lim_simulate(&run, model, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  assert_int_equal(lim_recorder_channels(r)->count, count);
  for (int i = 0; i < count; i++) out[i] = lim_summary_final(lim_recorder_summary(r), i);
  lim_recorder_free(r);
  lim_model_free(model);
}

static void deflection_along_the_link_is_what_bending_shortens(void **state) {
  (void)state;
  static const struct {
    const char *name, *text, *set[3];
  } rows[] = {
      {"full basis", BENT, {0}},
      {"8 modes", BENT, {"links.arm.basis={type: modes, count: 8}"}},
      {"craig-bampton", BENT, {"links.arm.basis={type: craig-bampton, count: 0}"}},
      {"4 segments of modes", BENT, {"links.arm.basis={type: modes, count: 2}", "links.arm.beam.segments=4"}},
      {"sliding beam", SLIDING, {0}},
      {"sliding beam, 8 modes", SLIDING, {"links.arm.basis={type: modes, count: 8}"}},
  };
  table_head("Deflection of a cantilever under a force at its tip, 2.6 % of its length");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1500], what[80];
    double x[2], across = FORCE * L * L * L / (3 * E * I);
    snprintf(text, sizeof text, "%soutputs: {channels: [arm.deflection.x, arm.deflection.y]}\n%s", rows[i].text,
             HELD);
    finals(x, 2, text, rows[i].set);
    snprintf(what, sizeof what, "%s: across [m]", rows[i].name);
    table_row(what, x[1], across, 2e-3, "P L^3/(3 E I)");
    snprintf(what, sizeof what, "%s: along [m]", rows[i].name);
    table_row(what, x[0], -0.6 * across * across / L, 5e-3, "-3/5 v^2/L");
  }
}

// The axial strain is that of the force along the bent beam, next to nothing: in a full basis the nodes draw in
// by 1e-3 of the length all the same.
static void strain_as_a_signal_is_that_of_the_gauge(void **state) {
  (void)state;
  static const char text[] = BENT
      "blocks: [{name: a, type: gain, input: arm.up.strain}, {name: b, type: gain, input: arm.down.strain}]\n"
      "outputs: {channels: [arm.up.strain, arm.down.strain, a, b]}\n" HELD;
  static const char *const set[][2] = {{NULL}, {"links.arm.basis={type: craig-bampton, count: 0}"}};
  table_head("Strain of a bent cantilever");
  for (int i = 0; i < 2; i++) {
    double x[4], bend = FORCE * 0.69 * L * 1e-3 / (E * I);
    finals(x, 4, text, set[i]);
    for (int k = 0; k < 2; k++) {
      table_row(k ? "face -y, as a signal" : "face +y, as a signal", x[2 + k], x[k], 1e-5, "as a channel");
      table_row(k ? "face -y" : "face +y", x[k], k ? bend : -bend, 5e-3, "P (L - x) y/(2 E I)");
    }
  }
}

// The tip of the first mode in the bent plane: along over across.
static double slope_of_mode(const char *basis) {
  char set[80];
  lim_modes *x = NULL;
  lim_error err = {0};
  snprintf(set, sizeof set, "links.arm.basis={type: %s}", basis);
  lim_model *m = model_of(BENT "solver: {start: equilibrium}\n", (const char *[]){set, NULL});
  if (lim_modes_new(&x, m, NULL, LIM_JOINTS_LOCKED, 1, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  const double *tip = x->modes.item[0].shape + 6 * (x->links.item[0].first + 8);
  double slope = tip[0] / tip[1];
  lim_modes_free(x);
  lim_model_free(m);
  return slope;
}

static void mode_about_a_bent_equilibrium_draws_its_tip_in(void **state) {
  (void)state;
  double full = slope_of_mode("full");
  table_head("First mode of a bent cantilever: tip along over across");
  table_row("full basis", full, -1.2 * FORCE * L * L / (3 * E * I), 0.03, "about -6/5 v/L");
  table_row("8 modes", slope_of_mode("modes, count: 8"), full, 1e-3, "full basis");
  table_row("craig-bampton", slope_of_mode("craig-bampton, count: 4"), full, 1e-3, "full basis");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deflection_along_the_link_is_what_bending_shortens),
      cmocka_unit_test(strain_as_a_signal_is_that_of_the_gauge),
      cmocka_unit_test(mode_about_a_bent_equilibrium_draws_its_tip_in),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
