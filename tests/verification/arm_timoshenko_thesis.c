// arm_timoshenko_thesis.c - the 2R arms of the Timoshenko thesis at rest: first frequencies, static sag, and
// efforts of the motion, against the values of the thesis as recomputed; bases and segments against each
// other.
#include "beam_fixture.h"
#include "unit/analysis_fixture.h"

#include "analysis/inverse.h"

#define FLEXIBLE(beam, more)                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"               \
  "sections: {s: {shape: general, A: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, J: 20000 mm^4, kappa: "         \
  "0.8864}}\n"                                                                                                 \
  "links:\n  - name: upper\n    joint: {name: shoulder}\n    beam: {length: 1, section: s, material: m, " beam \
  "}\n" more "  - name: fore\n    joint: {name: elbow}\n    beam: {length: 1, section: s, material: m, " beam  \
  "}\n" more
#define STEEL                                                                                                  \
  "limber: 1\ngravity: [0, -9.81, 0]\nplanar: xy\nmaterials: {m: {E: 207 GPa, nu: 0.3, rho: 7850}}\n"          \
  "sections: {s: {shape: tube, outer: 100 mm, inner: 94 mm, kappa: 0.54}}\n"                                   \
  "links:\n  - {name: upper, joint: {name: shoulder}, beam: {length: 1, section: s, material: m}}\n"           \
  "  - {name: fore, joint: {name: elbow}, beam: {length: 1.5, section: s, material: m}}\n"

static void stretched_arms_have_the_frequencies_and_sag_of_the_seed(void **state) {
  (void)state;
  table_head("2R arms of the Timoshenko thesis, stretched, joints locked");
  vibes v = vibes_of(FLEXIBLE("elements: 8", ""), LIM_JOINTS_LOCKED, 1);
  table_row("flexible 2R, first frequency [Hz]", hertz(v, 0), 3.806, 1e-3, "recomputed");
  vibes_free(v);
  v = vibes_of(STEEL, LIM_JOINTS_LOCKED, 1);
  table_row("rigid 2R, first frequency [Hz]", hertz(v, 0), 15.73, 1e-3, "recomputed");
  vibes_free(v);
  rest r = rest_of(STEEL);
  table_row("rigid 2R, sag of the tip [mm]", -1e3 * frame_of(r, "tip")->displacement[1], 1.550, 5e-3,
            "recomputed");
  rest_free(r);
}

// Two links locked in line are one cantilever: closed forms of length 2.5 m, with shear.
static void rigid_arm_sags_as_one_cantilever(void **state) {
  (void)state;
  double outer = 0.1, inner = 0.094, area = PI / 4 * (outer * outer - inner * inner),
         I = PI / 64 * (pow(outer, 4) - pow(inner, 4)), q = 9.81 * 7850 * area;
  double sag = q * pow(2.5, 4) / (8 * 207e9 * I) + q * 2.5 * 2.5 / (2 * 0.54 * 207e9 / 2.6 * area);
  table_head("rigid 2R arm of the Timoshenko thesis");
  rest r = rest_of(STEEL);
  table_row("sag of the tip [m]", -frame_of(r, "tip")->displacement[1], sag, 1e-6, "q L^4/8EI + q L^2/2kGA");
  table_row("moment at the shoulder [N m]", r.s->joints.item[0].effort, q * 2.5 * 2.5 / 2, 1e-5, "q L^2/2");
  table_row("moment at the elbow [N m]", r.s->joints.item[1].effort, q * 1.5 * 1.5 / 2, 1e-5, "q L^2/2");
  rest_free(r);
}

static void bases_and_segments_agree(void **state) {
  (void)state;
  const struct {
    const char *name, *beam, *basis;
    double tolerance;
  } rows[] = {{"craig-bampton, 4 modes", "elements: 12", "    basis: {type: craig-bampton, count: 4}\n", 3e-4},
              {"cantilever modes, 4", "elements: 12", "    basis: {type: modes, count: 4}\n", 2e-2},
              {"cantilever modes, 12", "elements: 12", "    basis: {type: modes, count: 12}\n", 2e-3},
              {"3 segments", "elements: 12, segments: 3", "", 1e-9},
              {"12 segments", "elements: 12, segments: 12", "", 1e-9}};
  double full[3];
  table_head("flexible 2R arm, joints free, elbow at 50 degrees: frequencies [Hz]");
  vibes v = vibes_of(FLEXIBLE("elements: 12", "") "configuration: {elbow: 50 deg}\n", LIM_JOINTS_FREE, 3);
  for (int i = 0; i < 3; i++) full[i] = hertz(v, i);
  vibes_free(v);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[2000], what[80];
    snprintf(text, sizeof text, FLEXIBLE("%s", "%s") "configuration: {elbow: 50 deg}\n", rows[k].beam,
             rows[k].basis, rows[k].beam, rows[k].basis);
    v = vibes_of(text, LIM_JOINTS_FREE, 3);
    assert_int_equal(v.m->rigid, 2);
    for (int i = 0; i < 3; i++) {
      snprintf(what, sizeof what, "%s, mode %d", rows[k].name, i + 1);
      table_row(what, hertz(v, i), full[i], rows[k].tolerance, "full basis");
    }
    vibes_free(v);
  }
}

static void efforts_of_the_motion_match_the_seed(void **state) {
  (void)state;
  lim_model *m = parse(
      FLEXIBLE("elements: 8", "") "motion:\n"
                                  "  shoulder: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}\n"
                                  "  elbow: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}\n"
                                  "solver: {duration: 4 s, step: 1 ms}\n");
  lim_inverse *x = NULL;
  lim_error err = {0};
  assert_int_equal(lim_inverse_new(&x, m, NULL, NULL, &err), LIM_OK);
  table_head("flexible 2R arm of the Timoshenko thesis: largest torque at the base [N m]");
  table_row("rigid", x->joints.item[0].of_rigid.peak, 3.453, 1e-2, "recomputed");
  table_row("flexible", x->joints.item[0].of_effort.peak, 3.733, 1e-2, "recomputed");
  lim_inverse_free(x);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stretched_arms_have_the_frequencies_and_sag_of_the_seed),
      cmocka_unit_test(rigid_arm_sags_as_one_cantilever),
      cmocka_unit_test(bases_and_segments_agree),
      cmocka_unit_test(efforts_of_the_motion_match_the_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
