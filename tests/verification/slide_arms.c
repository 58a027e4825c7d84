// slide_arms.c - beams that slide through their joints as parts of an arm: at rest, their frequencies, with
// links and motors, in all modes of the solver. Against plain beams and closed forms.
#include "engine_fixture.h"
#include "unit/analysis_fixture.h"

// A strip of 1.5 m: EI = 4.725 N m^2, EA = 6.3 MN, GJ = 4.725 N m^2, rho A = 0.243 kg/m.
#define STRIP_OF(planar, gravity)                                                                              \
  "limber: 1\n" planar "gravity: " gravity "\nmaterials: {m: {E: 70 GPa, nu: 0, rho: 2700}}\n"                 \
  "sections: {s: {shape: general, A: 9e-5, Iy: 6.75e-11, Iz: 6.75e-11, J: 1.35e-10, y: 3 mm, z: 3 "            \
  "mm}}\nlinks:\n"
#define BEAM_OF(more) BEAM_WITH("6", more)
#define BEAM_WITH(elements, more)                                                                              \
  "  - name: arm\n    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam" more "}}\n"         \
  "    beam: {length: 1.5, section: s, material: m, elements: " elements "}\n"
#define GUIDE "  - {name: guide, joint: {axis: [0, 0, 1]}, body: {mass: 0.1, inertia: [0.02, 0.02, 0.02]}}\n"

static const double EI = 4.725, EA = 6.3e6, GJ = 4.725, RHO_A = 0.243, LENGTH = 1.5;

// --- at rest ---

static void tip_load_stretches_and_twists(const char *model, double length, const char *what) {
  char line[100];
  rest r = rest_of(model);
  snprintf(line, sizeof line, "%s: stretch by 100 N [m]", what);
  table_row(line, frame_of(r, "tip")->displacement[0], 100 * length / EA, 1e-6, "F L/EA");
  snprintf(line, sizeof line, "%s: twist by 0.1 N m [rad]", what);
  table_row(line, frame_of(r, "tip")->rotation[0], 0.1 * length / GJ, 1e-6, "T L/GJ");
  rest_free(r);
}

static void flexible_behind_stretches_and_twists_all_along(void **state) {
  (void)state;
#define LOADED                                                                                                 \
  "configuration: {arm: 0.6}\ndrives: {arm: {type: prescribed}}\n"                                             \
  "loads: [{at: tip, force: [100, 0, 0], moment: [0.1, 0, 0]}]\n"
  table_head("Strip of 1.5 m, 0.6 m beyond its guide, force and torque along it at its tip");
  tip_load_stretches_and_twists(STRIP_OF("", "[0, 0, 0]") BEAM_OF("") LOADED, 0.6, "rigid behind");
  tip_load_stretches_and_twists(STRIP_OF("", "[0, 0, 0]") BEAM_OF(", behind: flexible") LOADED, LENGTH,
                                "flexible behind");
}

// At a fraction of what is beyond the guide.
static void gauge_reads_the_bending_moment(void **state) {
  (void)state;
  rest r = rest_of(STRIP_OF("planar: xy\n", "[0, -2, 0]")
                       BEAM_OF("") "    gauges: [{name: root, at: base}, {name: there, at: 0.25}]\n"
                                   "configuration: {arm: 0.8}\ndrives: {arm: {type: prescribed}}\n");
  table_head("Strains of a strip under 2 m/s^2 across it, 0.8 m beyond its guide");
  assert_int_equal(r.s->gauges.count, 2);
  for (int i = 0; i < 2; i++) {
    double beyond = i ? 0.75 * 0.8 : 0.8, moment = RHO_A * 2 * beyond * beyond / 2;
    table_row(i ? "at 0.25 of the free length" : "at the guide", r.s->gauges.item[i].strain,
              moment / EI * 1.5e-3, 0.01, "M c/EI");
  }
  rest_free(r);
}

// --- frequencies ---

static void held_slide_has_the_frequencies_of_a_cantilever(void **state) {
  (void)state;
  vibes slide = vibes_of(STRIP_OF("", "[0, 0, 0]") BEAM_WITH("12", "") "configuration: {arm: 0.8}\n",
                         LIM_JOINTS_LOCKED, 8),
        plain =
            vibes_of(STRIP_OF("", "[0, 0, 0]") "  - name: arm\n    joint: {type: fixed}\n"
                                               "    beam: {length: 0.8, section: s, material: m, elements: 12, "
                                               "element: euler-bernoulli}\n",
                     LIM_JOINTS_LOCKED, 8);
  table_head("Frequencies of a strip held with 0.8 m beyond its guide [Hz]");
  for (int i = 0; i < 8; i++)
    table_row(slide.m->modes.item[i].kind, hertz(slide, i), hertz(plain, i), 1e-3, "cantilever");
  vibes_free(slide);
  vibes_free(plain);
}

// The whole beam against its gear: all of its mass, whatever its free length.
static void elastic_gear_carries_the_whole_beam(void **state) {
  (void)state;
  table_head("Strip on a gear of 200 N/m whose motor is held [Hz]");
  for (int i = 0; i < 2; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             "%s    basis: {type: %s}\nconfiguration: {arm: %g}\ndrives: {arm: {type: motor, "
             "motor: {mass: 0.2, rotor_inertia: 1e3, ratio: 50, radius: 0.02}, gear: {stiffness: 200}}}\n",
             STRIP_OF("planar: xy\n", "[0, 0, 0]") BEAM_OF(""), i ? "full" : "rigid", i ? 0.3 : 1.0);
    vibes v = vibes_of(text, LIM_JOINTS_FREE, 1);
    table_row(i ? "0.3 m beyond the guide" : "rigid, 1 m beyond it", hertz(v, 0),
              sqrt(200 / (RHO_A * LENGTH)) / (2 * M_PI), 1e-3, "sqrt(k/m)");
    vibes_free(v);
  }
}

// --- in motion ---

#define MOVES                                                                                                  \
  "motion:\n  guide: {profile: cycloidal, from: 0, to: 60 deg, duration: 1}\n"                                 \
  "  arm: {profile: cycloidal, from: 0.5, to: 1.1, duration: 1}\n"
#define FORE                                                                                                   \
  "  - name: fore\n    joint: {axis: [0, 0, 1]}\n    beam: {length: 0.3, section: s, material: m, elements: "  \
  "3}\n"                                                                                                       \
  "    masses: [{mass: 0.05}]\n"

static void link_on_the_tip_balances(void **state) {
  (void)state;
  static const struct {
    const char *name, *drive;
  } ROWS[] = {{"prescribed joints", MOVES "  fore: {profile: cycloidal, from: 0, to: -90 deg, duration: 1}\n"},
              {"fore free", MOVES "configuration: {fore: 0.5}\ndrives: {fore: {type: free}}\n"},
              {"driven by efforts",
               "configuration: {arm: 0.7}\ndrives:\n  guide: {type: effort, effort: 0.2}\n"
               "  arm: {type: effort, effort: 0.1}\n  fore: {type: effort, effort: -0.01}\n"}};
  table_head("Strip out of a turning guide with a flexible link on its tip, 1 s: rms balance [%]");
  for (int i = 0; i < 3; i++) {
    char text[2500];
    snprintf(text, sizeof text, "%s%ssolver: {duration: 1, step: 0.1 ms, tolerance: 1e-12}\n",
             STRIP_OF("planar: xy\n", "[0, -1, 0]") GUIDE BEAM_OF("") FORE, ROWS[i].drive);
    observation o = {0};
    observe(&o, text,
            (const char *[]){"links.arm.basis={type: modes, count: 4}",
                             "links.fore.basis={type: modes, count: 2}", "solver.start=equilibrium", NULL});
    table_bound(ROWS[i].name, o.run.balance_percent_rms, 1e-4, "closed books");
    assert_true(o.t > 0.999);
  }
}

static void motor_with_elastic_gear_and_damping_balances(void **state) {
  (void)state;
  char text[2500];
  snprintf(text, sizeof text,
           "%s    basis: {type: modes, count: 4}\n    damping: {ratio: 0.02}\nconfiguration: {arm: 0.6}\n"
           "drives: {arm: {type: motor, torque: {profile: harmonic, amplitude: 0.02, frequency: 1 Hz}, "
           "motor: {mass: 0.2, rotor_inertia: 1e-5, ratio: 10, radius: 0.05}, gear: {stiffness: 2000, damping: "
           "1}}}\n"
           "solver: {duration: 1, step: 0.1 ms, tolerance: 1e-12}\n",
           STRIP_OF("planar: xy\n", "[0, -1, 0]") BEAM_OF(""));
  observation o = {0};
  observe(&o, text, NULL);
  table_head("Strip driven by a motor behind an elastic gear, damped, 1 s");
  table_bound("rms balance [%]", o.run.balance_percent_rms, 1e-4, "closed books");
  assert_true(o.tip[0] > 0.62 && o.tip[0] < 1.5);
}

// Tips of runs of one motion.
typedef struct {
  long n;
  double tip[4001][2], length[4001];
} path;

static void keep_tip(void *user, const lim_snapshot *m) {
  path *p = user;
  if (p->n == 4001) return;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  p->tip[p->n][0] = tip.p[0];
  p->tip[p->n][1] = tip.p[1];
  p->length[p->n++] = m->q[m->system->bodies[0].q];
}

static path *path_of(const char *mode) {
  path *p = calloc(1, sizeof *p);
  char set[40];
  snprintf(set, sizeof set, "solver.mode=%s", mode);
  observation o = {.watch = keep_tip, .user = p};
  observe(&o,
          STRIP_OF("planar: xy\n", "[0, -0.5, 0]")
              BEAM_OF("") "    basis: {type: modes, count: 4}\n"
                          "motion: {arm: {profile: cycloidal, from: 0.5, to: 1.1, duration: 1}}\n"
                          "solver: {duration: 1, step: 0.25 ms, start: equilibrium}\n",
          (const char *[]){set, NULL});
  assert_int_equal(p->n, 4001);
  return p;
}

static void modes_of_the_solver_agree(void **state) {
  (void)state;
  path *full = path_of("nonlinear"), *linear = path_of("linear"), *still = path_of("quasi-static");
  double largest = 0, off[2] = {0}, sag = 0;
  for (int i = 0; i < 4001; i++) {
    largest = fmax(largest, fabs(full->tip[i][1]));
    off[0] = fmax(off[0], fabs(full->tip[i][1] - linear->tip[i][1]));
    off[1] = fmax(off[1], fabs(full->tip[i][1] - still->tip[i][1]));
  }
  sag = RHO_A * 0.5 * pow(1.1, 4) / (8 * EI);
  table_head("Strip under 0.5 m/s^2 across it, 0.5 to 1.1 m in 1 s, tip");
  table_row("quasi-static at the end [m]", still->tip[4000][1], -sag, 2e-3, "rho A g l^4/(8 EI)");
  table_bound("linear, over the largest", off[0] / largest, 0.01, "nonlinear: small deflections");
  table_bound("quasi-static, over the largest", off[1] / largest, 0.5, "nonlinear oscillates about it");
  assert_true(off[1] > 0.01 * largest);
  free(full);
  free(linear);
  free(still);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flexible_behind_stretches_and_twists_all_along),
      cmocka_unit_test(gauge_reads_the_bending_moment),
      cmocka_unit_test(held_slide_has_the_frequencies_of_a_cantilever),
      cmocka_unit_test(elastic_gear_carries_the_whole_beam),
      cmocka_unit_test(link_on_the_tip_balances),
      cmocka_unit_test(motor_with_elastic_gear_and_damping_balances),
      cmocka_unit_test(modes_of_the_solver_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
