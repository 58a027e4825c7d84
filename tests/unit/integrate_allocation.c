// integrate_allocation.c - memory of a simulation: none is taken between its records, and where set-up cannot
// get any, it says so and gives back all it had. What CVODE takes inside its own library is not seen.
#include "fixture.h"

#include "analysis/simulation/session.h"
#include "memory_fixture.h"

// Every kind of joint, drive, load, basis and damping; the motions and the load jump at 10 ms.
static const char arm[] = "limber: 1\n"
                          "gravity: [1, -2, -9.81]\n"
                          "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
                          "sections: {a: {shape: rectangle, y: 40 mm, z: 50 mm}}\n"
                          "links:\n"
                          "  - {name: one, joint: {axis: [1, 2, 2]}, beam: {length: 0.8, section: a, material: "
                          "m, elements: 4, segments: 2}, "
                          "basis: {type: modes, count: 3}, damping: {ratio: 0.02}}\n"
                          "  - {name: two, joint: {type: prismatic, axis: [0, 1, 1]}, beam: {length: 0.6, "
                          "section: a, material: m, elements: 2}, "
                          "basis: {type: craig-bampton, count: 1}, damping: {stiffness: 1e-5}}\n"
                          "  - {name: three, joint: {type: fixed, origin: {rpy: [0, 0, 1]}}, body: {mass: 1, "
                          "inertia: [0.01, 0.01, 0.01]}}\n"
                          "  - {name: four, joint: {axis: [0, 1, 0]}, beam: {length: 0.4, section: a, "
                          "material: m, elements: 2}, basis: "
                          "{type: modes, count: 2}}\n"
                          "  - {name: five, joint: {axis: [0, 0, 1]}, body: {mass: 1, com: [0.1, 0, 0], "
                          "inertia: [0.01, 0.01, 0.01]}}\n"
                          "drives:\n"
                          "  two: {type: servo, stiffness: 1e4, damping: 100}\n"
                          "  four: {type: effort, effort: rigid}\n"
                          "  five: {type: effort, effort: {profile: harmonic, amplitude: 1, frequency: 3 Hz}}\n"
                          "motion:\n"
                          "  one: {profile: trapezoidal, from: 0, to: 0.1, duration: 30 ms, ramp: 10 ms}\n"
                          "  two: {profile: cycloidal, from: 0, to: 0.01, duration: 30 ms}\n"
                          "  four: {profile: bang-bang, from: 0, to: 0.1, duration: 20 ms}\n"
                          "loads:\n"
                          "  - {at: four.tip, force: [0, 1, 2], from: 0, to: 10 ms}\n"
                          "solver: {duration: 30 ms, step: 1 ms}\n";

// Every kind of controller and block.
static const char controlled[] =
    "limber: 1\n"
    "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 40 mm, z: 50 mm}}\n"
    "links:\n"
    "  - {name: one, beam: {length: 0.8, section: a, material: m, elements: 4}, basis: {type: modes, count: "
    "2}, "
    "gauges: [{name: g, at: 0.1}]}\n"
    "  - {name: two, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], tip: [0.4, 0, 0]}}\n"
    "  - {name: three, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], tip: [0.4, 0, 0]}}\n"
    "  - {name: four, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], tip: [0.4, 0, 0]}}\n"
    "  - {name: five, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], tip: [0.4, 0, 0]}}\n"
    "drives:\n"
    "  one: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 100}, gear: {stiffness: 2e4, damping: 20}, "
    "control: "
    "{type: pid, bandwidth: 20 rad/s, integral_time: 0.3 s, gains: scheduled, limit: 3, rate: 400 Hz, delay: 4 "
    "ms}}\n"
    "  two: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 100}, control: {type: pid, kp: 4, kv: 0.01, ki: "
    "3}}\n"
    "  three: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 50}, control: {type: computed-torque, "
    "bandwidth: 20 "
    "rad/s}}\n"
    "  four: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 50}, control: {type: pd-gravity, bandwidth: 20 "
    "rad/s, "
    "gains: maximum, feedforward: {velocity: 1, torque: 1}, position: encoder}}\n"
    "  five: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 50}, control: {type: block, block: torque}}\n"
    "motion: {one: {profile: quintic, to: 0.1, duration: 20 ms}, three: {profile: quintic, to: 0.1, duration: "
    "20 ms}}\n"
    "blocks:\n"
    "  - {name: encoder, type: sensor, input: four.position, rate: 1 kHz, deviation: 1e-5, resolution: 1e-4}\n"
    "  - {name: error, type: sum, input: [five.reference, five.position], weights: [1, -1]}\n"
    "  - {name: a, type: gain, input: error, gain: 2}\n"
    "  - {name: b, type: integrator, input: a}\n"
    "  - {name: c, type: first-order, input: tip.position.y, time: 0.1}\n"
    "  - {name: d, type: second-order, input: one.g.strain, frequency: 10}\n"
    "  - {name: e, type: lead-lag, input: a, lead: 0.1, lag: 0.02}\n"
    "  - {name: f, type: notch, input: e, frequency: 20}\n"
    "  - {name: g, type: transfer-function, input: f, num: [1], den: [0.001, 1]}\n"
    "  - {name: h, type: limiter, input: g, limits: [-1, 1]}\n"
    "  - {name: i, type: dead-zone, input: b, limits: [-0.1, 0.1]}\n"
    "  - {name: j, type: table, input: c, x: [-1, 1], y: [-2, 2]}\n"
    "  - {name: k, type: rate-limiter, input: j, rate: 1 kHz, limit: 5}\n"
    "  - {name: l, type: sample-hold, input: k, rate: 300 Hz}\n"
    "  - {name: m, type: delay, input: l, rate: 1 kHz, delay: 2.5 ms}\n"
    "  - {name: n, type: noise, rate: 500 Hz, deviation: 0.01}\n"
    "  - {name: o, type: signal, value: {profile: bang-bang, amplitude: 1, duration: 8 ms}}\n"
    "  - {name: torque, type: sum, input: [h, i, m, n, d, five.motor_velocity], weights: [1, 1, 0, 1, 1, "
    "-0.01]}\n"
    "loads: [{at: tip, force: [0, 1, 0], factor: {block: o}}]\n"
    "solver: {duration: 30 ms, step: 1 ms}\n";

// Whole-arm damping that is built anew along the motion, of an open and of a closed chain.
static const char renewed[] = "limber: 1\nplanar: xy\nmaterials: {al: {E: 70 GPa, rho: 2700}}\n"
                              "sections: {bar: {shape: rectangle, y: 5 mm, z: 20 mm}}\nlinks:\n"
                              "  - {name: one, beam: {length: 0.5, material: al, section: bar, elements: 3}}\n"
                              "  - {name: two, beam: {length: 0.5, material: al, section: bar, elements: 3}}\n"
                              "motion: {one: {profile: quintic, to: 0.1, duration: 20 ms}, two: {profile: "
                              "quintic, to: 1, duration: 20 ms}}\n"
                              "damping: {ratio: [0.01, 0.02], update: 5 ms}\n"
                              "solver: {duration: 30 ms, step: 1 ms}\n";

static const char renewed_loop[] =
    "limber: 1\nplanar: xy\nmaterials: {al: {E: 70 GPa, rho: 2700}}\n"
    "sections: {bar: {shape: rectangle, y: 5 mm, z: 20 mm}}\nlinks:\n"
    "  - {name: crank, body: {mass: 0.5, inertia: [1e-5, 5e-4, 5e-4], tip: [0.1, 0, 0]}}\n"
    "  - {name: coupler, beam: {length: 0.35, material: al, section: bar, elements: 3}}\n"
    "  - {name: rocker, parent: base, joint: {origin: {xyz: [0.4, 0, 0]}}, beam: {length: 0.25, material: al, "
    "section: bar, elements: 3}}\n"
    "loops: [{name: pin, type: revolute, between: [coupler.tip, rocker.tip]}]\n"
    "configuration: {coupler: -60 deg, rocker: 100 deg}\n"
    "motion: {crank: {profile: quintic, from: 1.57, to: 1.7, duration: 20 ms}}\n"
    "damping: {ratio: 0.02, update: 5 ms}\nsolver: {duration: 30 ms, step: 1 ms}\n";

typedef struct {
  const char *method, *mode, *text; // text NULL: arm
} setting;

static lim_model *model_of(const setting *s) {
  return parse_with(s->text ? s->text : arm, (const char *[]){s->method, s->mode}, 2);
}

static const setting SETTINGS[] = {
    {"solver.method=newmark", "solver.mode=nonlinear"},
    {"solver.method=generalized-alpha", "solver.mode=nonlinear"},
    {"solver.method=rk4", "solver.mode=nonlinear"},
    {"solver.method=cvode", "solver.mode=nonlinear"},
    {"solver.method=newmark", "solver.mode=linear"},
    {"solver.method=newmark", "solver.mode=quasi-static"},
    {"solver.method=rk4", "solver.mode=rigid"},
    {"solver.method=newmark", "solver.mode=nonlinear", controlled},
    {"solver.method=generalized-alpha", "solver.mode=nonlinear", controlled},
    {"solver.method=rk4", "solver.mode=nonlinear", controlled},
    {"solver.method=cvode", "solver.mode=rigid", controlled},
    {"solver.method=ida", "solver.mode=rigid", controlled},
    {"solver.method=newmark", "solver.mode=nonlinear", renewed},
    {"solver.method=newmark", "solver.mode=linear", renewed},
    {"solver.method=newmark", "solver.mode=nonlinear", renewed_loop},
};

// Steps from jump to jump, looking at every one, as simulate.c marches.
static lim_code march(lim_session *s, double h, double end, lim_error *err) {
  lim_code code = LIM_OK;
  while (code == LIM_OK && s->motion_state->t < end - 1e-9) {
    double jump = lim_session_next(s, s->motion_state->t + 1e-9);
    double to = fmin(s->motion_state->t + h, jump);
    code = lim_session_advance(s, to, err);
    lim_session_sample(s);
    if (code == LIM_OK && to >= jump - 1e-9) code = lim_session_restart(s, err);
  }
  return code;
}

static void step_makes_no_allocation(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
    lim_error err = {0};
    lim_session *s = NULL;
    lim_model *model = model_of(&SETTINGS[i]);
    double h = strstr(SETTINGS[i].method, "rk4") ? 1e-5 : 1e-3;
    assert_int_equal(lim_session_new(&s, model, NULL, &err), LIM_OK);
    assert_int_equal(lim_session_restart(s, &err), LIM_OK);
    calls = 0;
    forbidden = true;
    lim_code code = march(s, h, 0.03, &err);
    forbidden = false;
    for (int k = 0; k < err.kept; k++) printf("%s: %s\n", SETTINGS[i].method, err.note[k].text);
    printf("%s, %s: %ld steps, %ld allocations\n", SETTINGS[i].method, SETTINGS[i].mode, s->motion_state->steps,
           calls);
    assert_int_equal(code, LIM_OK);
    assert_int_equal(calls, 0);
    assert_true(s->motion_state->steps >= 30);
    lim_session_free(s);
    lim_model_free(model);
  }
}

// Let the n-th allocation of set-up and start fail, for all n until none does.
static long fail_each(const lim_model *model) {
  long n = 1;
  for (bool done = false; !done; n++) {
    lim_error err = {0};
    lim_session *s = NULL;
    fail_call(n);
    lim_code code = lim_session_new(&s, model, NULL, &err);
    assert_int_equal(code == LIM_OK, s != NULL);
    if (code == LIM_OK) code = lim_session_restart(s, &err);
    done = calls < n;
    failing = 0;
    if (done)
      assert_int_equal(code, LIM_OK);
    else
      // LAPACK and SUNDIALS only say that they failed; warnings that are lost are messages
      assert_true(code == LIM_NO_MEMORY || code == LIM_FAILED || err.code == LIM_NO_MEMORY);
    lim_session_free(s);
    lim_error_clear(&err);
    assert_int_equal(live, 0);
  }
  return n - 1;
}

static void set_up_reports_every_failing_allocation(void **state) {
  (void)state;
  static const int some[] = {1, 3, 4, 5, 8, 11}; // of SETTINGS
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    lim_model *model = model_of(&SETTINGS[some[i]]);
    printf("%s, %s: %ld allocations\n", SETTINGS[some[i]].method, SETTINGS[some[i]].mode, fail_each(model));
    lim_model_free(model);
  }
}

static const char LINK[] =
    "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {s: {shape: rectangle, y: 4 mm, z: 4 mm}}\nlinks:\n"
    "  - {name: arm, beam: {length: 1, section: s, material: m, elements: 10}, damping: {strain_rate: 0.1}}\n"
    "drives: {arm: {type: effort, effort: {profile: bang-bang, amplitude: 0.1, duration: 20 ms}}}\n"
    "solver: {method: finite-difference, duration: 30 ms, step: 0.2 ms}\n";

static void finite_differences_allocate_at_the_start_only(void **state) {
  (void)state;
  lim_model *model = parse(LINK);
  lim_session *s = NULL;
  assert_int_equal(lim_session_new(&s, model, NULL, NULL), LIM_OK);
  assert_int_equal(lim_session_restart(s, NULL), LIM_OK);
  calls = 0;
  forbidden = true;
  lim_code code = march(s, 2e-4, 0.03, NULL);
  forbidden = false;
  assert_int_equal(code, LIM_OK);
  assert_int_equal(calls, 0);
  lim_session_free(s);
  printf("finite-difference: %ld allocations\n", fail_each(model));
  lim_model_free(model);
}

// A closed chain whose tool follows a line, beside a joint with a motion of its own.
static void set_up_of_a_line_reports_every_failing_allocation(void **state) {
  (void)state;
  lim_model *model =
      parse("limber: 1\nplanar: xy\nlinks:\n"
            "  - {name: slide, joint: {type: prismatic, axis: [0, 1, 0]}, body: {mass: 1}}\n"
            "  - {name: upper, body: {mass: 1, inertia: [1, 1, 1], tip: [0.6, 0, 0]}}\n"
            "  - {name: fore, body: {mass: 1, inertia: [1, 1, 1], tip: [0.5, 0, 0]}}\n"
            "  - {name: crank, parent: slide, body: {mass: 1, inertia: [1, 1, 1], tip: [0.2, 0, 0]}}\n"
            "  - {name: rod, body: {mass: 1, inertia: [1, 1, 1], tip: [0.6, 0, 0]}}\n"
            "frames: [{name: heel, on: fore, xyz: [-0.2, 0, 0]}]\n"
            "loops: [{name: pin, between: [rod.tip, fore.heel]}]\n"
            "configuration: {upper: 60 deg, fore: -80 deg, crank: 160 deg, rod: -100 deg}\n"
            "drives: {upper: {type: prescribed}, crank: {type: servo, stiffness: 100}}\n"
            "motion:\n  slide: {profile: quintic, to: 0.01, duration: 1}\n"
            "  fore.tip: {profile: quintic, duration: 1, line: {from: [0.75, 0.3, 0], to: [0.4, 0.6, "
            "0]}}\n"
            "solver: {duration: 1, step: 10 ms}\n");
  printf("a line: %ld allocations\n", fail_each(model));
  lim_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_makes_no_allocation),
      cmocka_unit_test(finite_differences_allocate_at_the_start_only),
      cmocka_unit_test(set_up_reports_every_failing_allocation),
      cmocka_unit_test(set_up_of_a_line_reports_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
