// spring_motion.c - arms in motion on springs and bushings: energy kept, stiff bushings in an implicit step,
// free lengths that do work, tables against quadrature.
#include "spring_fixture.h"

#include <unistd.h>

// --- energy ---

#define SPATIAL(damping)                                                                                       \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, -9.81]\n"                                                                                   \
  "materials: {m: {E: 70e9, nu: 0.3, rho: 2700}}\n"                                                            \
  "sections: {s: {shape: rectangle, y: 10 mm, z: 20 mm}}\n"                                                    \
  "links:\n"                                                                                                   \
  "  - {name: upper, joint: {axis: [0, 0, 1]}, beam: {length: 0.5, section: s, material: m}, basis: {type: "   \
  "modes, count: 2}}\n"                                                                                        \
  "  - {name: fore, joint: {axis: [0, 1, 0]}, beam: {length: 0.4, section: s, material: m}, basis: {type: "    \
  "modes, count: 2}, masses: [{at: tip, mass: 0.3}]}\n"                                                        \
  "frames: [{name: hook, on: base, xyz: [0.3, 0.4, 0.6]}, {name: seat, on: base, xyz: [0.9, 0.1, 0.1], rpy: "  \
  "[0.2, 0.3, 0.4]}, {name: eye, on: upper, at: 0.6, xyz: [0, 0.02, 0.05]}]\n"                                 \
  "springs:\n"                                                                                                 \
  "  - {name: a, between: [fore.tip, hook], stiffness: 60, length: 0.4" damping "}\n"                          \
  "  - {name: b, between: [eye, fore.tip], stiffness: 90, preload: 3" damping "}\n"                            \
  "  - {name: c, between: [upper.tip, hook], stiffness: 50" damping "}\n"                                      \
  "bushings: [{name: r, between: [fore.tip, seat], stiffness: [30, 20, 40, 2, 3, 4]}, {name: s, between: "     \
  "[fore.tip, upper.base], stiffness: [5, 6, 7, 1, 1, 1]}]\n"                                                  \
  "configuration: {upper: {position: 0.3, velocity: 1}, fore: {position: -0.2, velocity: -2}}\n"               \
  "solver: {duration: 0.2 s, step: 0.02 ms, tolerance: 1e-11}\n"                                               \
  "outputs: {every: 5 ms}\n"

typedef struct {
  double tip[3];
} end;

static void watch_end(void *user, const lim_snapshot *m) {
  lim_world_motion x = lim_snapshot_site(m, &m->system->site[0].site);
  memcpy(((end *)user)->tip, x.p, sizeof x.p);
}

// Tips after the run without damping, of implicit methods with the shorter step.
static void methods_agree(const end at[NMETHODS]) {
  table_head("The same arm: tip after 0.2 s, distance from cvode [m]");
  for (int i = 0; i < NMETHODS; i++) {
    double d = 0;
    for (int k = 0; k < 3; k++) d = fmax(d, fabs(at[i].tip[k] - at[1].tip[k]));
    table_bound(method_name(METHODS[i]), d, i < EXPLICIT ? 1e-8 : 1e-4, "cvode");
  }
}

static void springs_and_bushings_keep_the_energy_and_methods_agree(void **state) {
  (void)state;
  end at[2][NMETHODS];
  table_head("Spatial flexible arm on three springs and two bushings: energy balance in 0.2 s [% rms]");
  for (int damped = 0; damped < 2; damped++) {
    const char *text = damped ? SPATIAL(", damping: 2") : SPATIAL("");
    for (int i = 0; i < NMETHODS; i++) {
      lim_run run = run_text(text,
                             (const char *[]){METHODS[i],
                                              i == 0         ? NULL
                                              : i < EXPLICIT ? "solver.tolerance=1e-9"
                                                             : "solver.step=0.1 ms",
                                              NULL},
                             watch_end, &at[damped][i]);
      char what[64];
      snprintf(what, sizeof what, "%s%s", method_name(METHODS[i]), damped ? ", damped" : "");
      if (i < EXPLICIT) {
        table_bound(what, run.balance_percent_rms, 1e-7, "conserved");
        continue;
      }
      lim_run half =
          run_text(text, (const char *[]){METHODS[i], "solver.step=0.05 ms", NULL}, watch_end, &at[damped][i]);
      printf("%s: %.3e, with half the step %.3e\n", what, run.balance_percent_rms, half.balance_percent_rms);
      table_row("  ratio", run.balance_percent_rms / half.balance_percent_rms, 4, 0.25, "second order");
    }
  }
  methods_agree(at[0]);
}

// --- stiff bushings ---

static void stiff_bushing_takes_few_iterations(void **state) {
  (void)state;
  static const char block[] =
      "limber: 1\ngravity: [0, 0, 0]\n"
      "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}]\n"
      "bushings: [{name: b, between: [block.base, base], stiffness: [1e9, 1e9, 1e9, 1e9, 1e9, 1e9], damping: "
      "[1e5, 1e5, "
      "1e5, 1e5, 1e5, 1e5]}]\n"
      "loads: [{at: block.base, force: [100, 0, 0]}]\n"
      "solver: {duration: 0.5 s, step: 1 ms}\n";
  static const char arm[] = BEAMS "links:\n" BEAM("one", "joint: {axis: [0, 0, 1]}") BEAM(
      "two",
      "parent: base, joint: {axis: [0, 0, 1]}") "bushings: [{name: b, between: [one.tip, two.tip], stiffness: "
                                                "[1e9, 1e9, 1e9, 1e9, 1e9, 1e9], damping: [1e5, "
                                                "1e5, 1e5, 1e5, 1e5, 1e5]}]\n"
                                                "drives: {one: {type: effort, effort: {profile: harmonic, "
                                                "amplitude: 3 N m, frequency: 2 Hz}}}\n"
                                                "solver: {duration: 0.5 s, step: 1 ms}\n";
  table_head("Bushings of 1e9, steps of 1 ms");
  for (int i = EXPLICIT; i < NMETHODS; i++) {
    lim_run run = run_text(block, (const char *[]){METHODS[i], NULL}, NULL, NULL);
    printf("%s, block: %ld steps, %ld iterations\n", method_name(METHODS[i]), run.steps, run.iterations);
    assert_int_equal(run.steps, 500);
    assert_true(run.iterations <= 4 * run.steps);
    run = run_text(arm, (const char *[]){METHODS[i], NULL}, NULL, NULL);
    printf("%s, two links: %ld steps, %ld iterations\n", method_name(METHODS[i]), run.steps, run.iterations);
    assert_int_equal(run.steps, 500);
    assert_true(run.iterations <= 8 * run.steps);
  }
}

// --- a free length in motion ---

// Block of 2 kg at 1 m on a spring of 300 N/m whose free length goes from 1 m to 0.9 m as a cycloid of 0.5 s.
typedef struct {
  double worst, work, expected;
} winding;

static void watch_winding(void *user, const lim_snapshot *m) {
  winding *x = user;
  const double k = 300, mass = 2, D = -0.1, T = 0.5, w = sqrt(k / mass), W = TURN / T,
               c = -D * TURN / T / T / (w * w - W * W);
  double t = m->t, y, dy, l, dl;
  if (t <= T) {
    y = c * (sin(W * t) - W / w * sin(w * t));
    dy = c * W * (cos(W * t) - cos(w * t));
    l = 1 + D * (t / T - sin(W * t) / TURN);
    dl = D / T * (1 - cos(W * t));
  } else {
    double yT = -c * W / w * sin(w * T), dyT = c * W * (1 - cos(w * T)), d = t - T;
    y = yT * cos(w * d) + dyT / w * sin(w * d);
    dy = dyT * cos(w * d) - yT * w * sin(w * d);
    l = 1 + D;
    dl = 0;
  }
  x->worst = fmax(x->worst, fabs(1 + m->q[0] - (y + l)));
  x->work = m->energy_balance.work;
  x->expected = mass * (dy + dl) * (dy + dl) / 2 + k * y * y / 2;
}

static void changing_free_length_does_its_work(void **state) {
  (void)state;
  static const char text[] = "limber: 1\ngravity: [0, 0, 0]\n"
                             "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0], origin: {xyz: "
                             "[1, 0, 0]}}, body: {mass: 2}}]\n"
                             "springs: [{name: s, between: [block.base, base], stiffness: 300, length: "
                             "{profile: cycloidal, from: 1, to: 0.9, "
                             "duration: 0.5 s}}]\n"
                             "solver: {duration: 1 s, step: 0.2 ms, tolerance: 1e-12}\n";
  table_head("Spring whose free length shrinks: block's largest error [m], work done by the change [J]");
  for (int i = 0; i < NMETHODS; i++) {
    winding x = {0, 0, 0};
    lim_run run = run_text(text, (const char *[]){METHODS[i], NULL}, watch_winding, &x);
    table_bound(method_name(METHODS[i]), x.worst, i < EXPLICIT ? 1e-10 : 1e-6, "forced oscillator");
    table_row("  work", x.work, x.expected, i < EXPLICIT ? 1e-8 : 1e-4, "energy of the oscillator");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-6 : 1e-2,
                "closed books");
  }
}

// --- tables ---

static const double X[] = {-0.1, 0, 0.1, 0.2}, F[] = {-30, 0, 10, 60};

static double table_force(double x) {
  int i = x < X[1] ? 0 : x < X[2] ? 1 : 2;
  return F[i] + (F[i + 1] - F[i]) * (x - X[i]) / (X[i + 1] - X[i]);
}

static double table_energy(double x) { // Simpson on each piece, where the force is straight
  double sum = 0, from = 0;
  for (int n = 0; n < 2 && from != x; n++) {
    double to = x < 0 ? x : n == 0 ? fmin(x, X[2]) : x;
    sum += (to - from) * (table_force(from) + 4 * table_force((from + to) / 2) + table_force(to)) / 6;
    from = to;
  }
  return sum;
}

typedef struct {
  double worst, place; // of the energy; block at the end
} table_run;

static void watch_table(void *user, const lim_snapshot *m) {
  table_run *x = user;
  double energy = m->v[0] * m->v[0] + table_energy(m->q[0]); // 2 kg
  x->worst = fmax(x->worst, fabs(energy / table_energy(0.15) - 1));
  x->place = m->q[0];
}

static void table_spring_follows_its_quadrature(void **state) {
  (void)state;
  char directory[] = "/tmp/limber-spring-XXXXXX", file[64];
  assert_non_null(mkdtemp(directory));
  snprintf(file, sizeof file, "%s/f.csv", directory);
  FILE *f = fopen(file, "w");
  assert_non_null(f);
  for (int i = 0; i < 4; i++) fprintf(f, "%g, %g\n", X[i], F[i]);
  fclose(f);
  static const char text[] =
      "limber: 1\ngravity: [0, 0, 0]\n"
      "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0], origin: {xyz: [1, 0, 0]}}, body: {mass: "
      "2}}]\n"
      "springs: [{name: s, between: [block.base, base], length: 1, force: {table: f.csv}}]\n"
      "configuration: {block: 0.15}\n"
      "solver: {duration: 1 s, step: 0.05 ms, tolerance: 1e-12}\n"
      "outputs: {every: 1 ms}\n";
  double x = 0.15, v = 0, h = 1e-6; // own leapfrog
  for (int i = 0; i < 1000000; i++) {
    v -= h / 2 * table_force(x) / 2;
    x += h * v;
    v -= h / 2 * table_force(x) / 2;
  }
  table_head("Block on a spring by a table, released at 0.15 m: energy by quadrature, place after 1 s [m]");
  for (int i = 0; i < NMETHODS; i++) {
    table_run r = {0, 0};
    lim_model *m = model_of(text, (const char *[]){METHODS[i], NULL});
    lim_run run = run_model(m, directory, watch_table, &r);
    lim_model_free(m);
    table_bound(method_name(METHODS[i]), r.worst, i < EXPLICIT ? 1e-7 : 1e-5,
                "m v^2/2 + integral of the table");
    table_row("  place", r.place, x, i < EXPLICIT ? 1e-6 : 1e-5, "own leapfrog, 1e6 steps");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, i < EXPLICIT ? 1e-5 : 1e-3,
                "closed books");
  }
  remove(file);
  rmdir(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_and_bushings_keep_the_energy_and_methods_agree),
      cmocka_unit_test(stiff_bushing_takes_few_iterations),
      cmocka_unit_test(changing_free_length_does_its_work),
      cmocka_unit_test(table_spring_follows_its_quadrature),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
