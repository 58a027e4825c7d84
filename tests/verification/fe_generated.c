// fe_generated.c - generated code of arms with links from finite elements moves as the library does, with the
// same method and step.
#include "fe_fixture.h"
#include "generated_fixture.h"

#include "kind_numbers.h"

static place simulate(const char *text, double step, double time) {
  place p = {{0}, {0}};
  lim_error err = {0};
  lim_run run;
  lim_model *m = fe_model(text, NULL);
  m->solver.method = LIM_METHOD_rk4;
  m->solver.duration = m->outputs.every = time;
  m->solver.step = step;
  const lim_simulate_hooks hooks = {.record = record, .user = &p, .quiet = true};
  const lim_code code = lim_simulate(&run, m, NULL, &hooks, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_error_clear(&err);
  lim_model_free(m);
  return p;
}

static void follow(const char *title, const char *text, double step, double time) {
  generated x = {.model = fe_model(text, NULL)};
  lim_error err = {0};
  const lim_code code = lim_generate(&x.g, x.model, "arm", ".", NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_error_clear(&err);
  compile(&x, "-O0");
  double state[CODE_MOST];
  ((start_function *)(uintptr_t)symbol_of(&x, "start"))(state);
  run_function *run = (run_function *)(uintptr_t)symbol_of(&x, "run");
  input_function *inputs = (input_function *)(uintptr_t)symbol_of(&x, "inputs");
  assert_int_equal(run(state, time, step, inputs, NULL), 0);
  const place p = simulate(text, step, time);
  const int n = x.g->written->n;
  table_head(title);
  printf("%d coordinates\n", n);
  table_bound("positions: difference beside the largest", apart(q_of(state), p.q, n), 1e-10, "library");
  table_bound("speeds: difference beside the largest", apart(v_of_state(&x, state), p.v, n), 1e-10, "library");
  drop_generated(&x);
}

#define BEAM                                                                                                   \
  "limber: 1\n"                                                                                                \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {s: {shape: general, A: 400 mm^2, Iy: 40000 mm^4, Iz: 20000 mm^4, J: 30000 mm^4}}\n"
#define FE                                                                                                     \
  "fe: {stiffness: @/beam-k.mtx, mass: @/beam-m.mtx, nodes: @/beam.csv, frames: {base: {nodes: [1]}, "         \
  "tip: {nodes: [13]}}}, basis: {type: craig-bampton, count: 2}"

static void code_of_beams_moves_as_the_library(void **state) {
  (void)state;
  part p =
      part_of_beam(BEAM "links: [{name: a, beam: {length: 0.5 m, section: s, material: m, elements: 12}}]\n");
  part_write(&p, "beam");
  part_free(&p);
  follow("Two links from finite elements, driven by torques",
         BEAM "links:\n"
              "  - {name: upper, joint: {axis: [0, 0, 1]}, " FE "}\n"
              "  - {name: fore, joint: {axis: [0, 1, 1]}, " FE
              ", masses: [{mass: 0.3, xyz: [0.02, 0, 0.01]}]}\n"
              "drives:\n"
              "  upper: {type: effort, effort: {profile: harmonic, amplitude: 5 N m, frequency: 4 Hz}}\n"
              "  fore: {type: effort, effort: {profile: harmonic, amplitude: -2 N m, frequency: 4 Hz}}\n",
         2e-5, 0.2);
}

// Force at its tip and spin change its stiffness.
static void code_of_a_prestressed_tube_moves_as_the_library(void **state) {
  (void)state;
  follow("A tube with prestressed states, pulled at its tip",
         "limber: 1\nlinks:\n  - name: arm\n    basis: {type: craig-bampton, count: 2}\n" TUBE_FE(
             "      prestressed:\n"
             "        - {force: [1000, 0, 0], at: tip, stiffness: models/fe/tube-pull.sti}\n"
             "        - {spin: [0, 0, 50], stiffness: models/fe/tube-spin-z.sti}\n",
             "rigid", "mean") "drives: {arm: {type: effort, effort: {profile: harmonic, amplitude: 200 N m, "
                              "frequency: 4 Hz}}}\n"
                              "loads: [{at: tip, force: [300, 0, 20]}]\n"
                              "configuration: {arm: {velocity: 20}}\n",
         2e-5, 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(code_of_beams_moves_as_the_library),
      cmocka_unit_test(code_of_a_prestressed_tube_moves_as_the_library),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
