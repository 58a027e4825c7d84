// beam_options.c - lumped masses, links that start bent and drag of the air, against closed forms.
#include "engine_fixture.h"
#include "table_fixture.h"

#include "analysis/simulation/simulate.h"
#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"

#define PI 3.14159265358979323846

// --- lumped masses ---

#define CANTILEVER                                                                                             \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nmaterials: {m: {E: 70 GPa, rho: 2700, yield: 200 MPa}}\n"        \
  "sections: {s: {shape: rectangle, y: 5 mm, z: 20 mm}}\n"                                                     \
  "links:\n  - {name: arm, beam: {length: 1, section: s, material: m, element: euler-bernoulli}}\n"            \
  "drives: {arm: {type: prescribed}}\n"

static const double EI = 70e9 * 0.02 * 5e-3 * 5e-3 * 5e-3 / 12, MU = 2700 * 0.02 * 5e-3; // [N m^2], [kg/m]

static double frequency(const char *elements, const char *mass, const char *rotary, int mode) {
  char n[60], m[60], r[60];
  snprintf(n, sizeof n, "links.arm.beam.elements=%s", elements);
  snprintf(m, sizeof m, "links.arm.beam.mass=%s", mass);
  snprintf(r, sizeof r, "links.arm.beam.rotary=%s", rotary);
  lim_model *model = model_of(CANTILEVER, (const char *[]){n, m, r, NULL});
  lim_modes *x;
  assert_int_equal(lim_modes_new(&x, model, NULL, LIM_JOINTS_LOCKED, mode + 1, NULL), LIM_OK);
  double f = x->modes.item[mode].frequency;
  lim_modes_free(x);
  lim_model_free(model);
  return f;
}

// n masses on a massless cantilever: m/2 at its tip; m/2 and m/4 at middle and tip, whose flexibilities are
// 1/24, 5/48 and 1/3 of l^3/EI.
static void lumped_cantilever_has_the_frequencies_of_masses_on_a_spring(void **state) {
  (void)state;
  double unit = sqrt(EI / MU) / (2 * PI), a = 1.0 / 48, d = 1.0 / 12, b = 5.0 / 48 * 5.0 / 48 / 8;
  double middle = (a + d) / 2, apart = sqrt((a - d) * (a - d) / 4 + b);
  table_head("Cantilever with lumped masses without rotary inertia [Hz]");
  table_row("1 element", frequency("1", "lumped", "off", 0), sqrt(6) * unit, 1e-9, "one mass");
  table_row("2 elements, mode 1", frequency("2", "lumped", "off", 0), unit / sqrt(middle + apart), 1e-9,
            "two masses");
  table_row("2 elements, mode 2", frequency("2", "lumped", "off", 1), unit / sqrt(middle - apart), 1e-9,
            "two masses");
}

static void lumped_masses_converge_with_the_second_order(void **state) {
  (void)state;
  double exact = 1.8751040687119611 * 1.8751040687119611 * sqrt(EI / MU) / (2 * PI);
  double coarse = frequency("10", "lumped", "off", 0) - exact,
         fine = frequency("20", "lumped", "off", 0) - exact;
  double consistent = frequency("20", "consistent", "off", 0) - exact;
  table_head("Lumped masses: first frequency of a cantilever, error at 10 and 20 elements");
  table_row("order", log2(coarse / fine), 2, 0.01, "theory");
  table_bound("consistent, without rotary inertia, relative", fabs(consistent) / exact, 1e-6,
              "1.8751^2 sqrt(EI/mu)/2 pi");
}

// --- links that start bent ---

typedef struct {
  double max, first;
} difference;

// Of a cantilever let go: sum of 4 F/(m w^2) cos(w t), F = 3 EI d/l^3; rates: of the same with sines.
static double released(double t, double d, double rate) {
  static const double lambda[] = {1.8751040687,  4.6940911330,  7.8547574382,  10.9955407349,
                                  14.1371683910, 17.2787595321, 20.4203522510, 23.5619449018};
  double sum = 0;
  for (int i = 0; i < 8; i++) {
    double w = lambda[i] * lambda[i] * sqrt(EI / MU), c = 4 * 3 * EI / (MU * w * w);
    sum += c * (d * cos(w * t) + rate / w * sin(w * t));
  }
  return sum;
}

static double bent_rate;

static lim_code compare(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  difference *x = user;
  double y = lim_snapshot_site(m, &m->system->site[0].site).p[1];
  if (m->t == 0) x->first = y;
  x->max = fmax(x->max, fabs(y - released(m->t, bent_rate > 0 ? 0 : 2e-3, bent_rate)));
  return LIM_OK;
}

static void bent_cantilever_let_go_is_the_sum_of_its_modes(void **state) {
  (void)state;
  static const char *const basis[] = {"full", "{type: modes, count: 4}", "{type: craig-bampton, count: 3}"};
  table_head("Cantilever let go 2 mm from its rest, or pushed with 0.2 m/s: largest difference over its "
             "amplitude in 0.5 s");
  for (int i = 0; i < 5; i++) {
    char set[80], start[80];
    bent_rate = i == 4 ? 0.2 : 0;
    snprintf(set, sizeof set, i == 3 ? "links.arm.beam.segments=2" : "links.arm.basis=%s", basis[i % 4 % 3]);
    snprintf(start, sizeof start, "configuration={deformation: {arm: {%s}}}",
             i == 4 ? "rate: [0, 0.2, 0]" : "tip: [0, 2 mm, 0]");
    lim_model *model =
        model_of(CANTILEVER "solver: {duration: 0.5, step: 0.2 ms}\n", (const char *[]){set, start, NULL});
    difference x = {0};
    lim_run run;
    assert_int_equal(
        lim_simulate(&run, model, NULL, &(lim_simulate_hooks){.record = compare, .user = &x}, NULL), LIM_OK);
    if (i < 4) table_row("starts at [m]", x.first, 2e-3, 1e-6, "as asked");
    table_bound(i == 3   ? "two segments"
                : i == 4 ? "full, pushed"
                         : basis[i],
                x.max / (i == 4 ? 0.2 / 25.8 : 2e-3), 0.01, "modal sum");
    lim_model_free(model);
  }
}

// A bent cantilever's energy is F d/2 at the start: no stretch is struck by what bending shortens.
static lim_code keep_energy(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  if (m->t == 0) *(double *)user = m->energy_balance.strain;
  return LIM_OK;
}

static void bent_cantilever_stores_the_work_of_the_force(void **state) {
  (void)state;
  double energy = 0;
  lim_model *model = model_of(CANTILEVER "solver: {duration: 1 ms, step: 1 ms}\n"
                                         "configuration: {deformation: {arm: {tip: [0, 50 mm, 0]}}}\n",
                              NULL);
  lim_run run;
  assert_int_equal(
      lim_simulate(&run, model, NULL, &(lim_simulate_hooks){.record = keep_energy, .user = &energy}, NULL),
      LIM_OK);
  table_head("Strain energy of a cantilever that starts 50 mm bent [J]");
  table_row("full basis, with stiffening", energy, 1.5 * EI * 0.05 * 0.05, 1e-9, "3 EI d^2/2 l^3");
  lim_model_free(model);
}

// --- air ---

#define BLADE                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 200 GPa, rho: 1000}}\n"                                   \
  "sections: {s: {shape: rectangle, y: 20 mm, z: 50 mm}}\n"                                                    \
  "links: [{name: arm, beam: {length: 1.5, section: s, material: m, elements: 4}, basis: rigid,\n"             \
  "         air: {density: 1.2 kg/m^3, drag: 1.1}}]\nsolver: {duration: 1, step: 2 ms}\n"
#define FREE   BLADE "configuration: {arm: {position: 0, velocity: 20}}\n"
#define DRIVEN BLADE "motion: {arm: {profile: speed, value: 20}}\n"

typedef struct {
  double speed, effort, dissipated;
} spin;

static lim_code keep_spin(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  *(spin *)user = (spin){m->v[0], m->effort[0], m->energy_balance.dissipated};
  return LIM_OK;
}

static spin spin_of(const char *text, const char *set, lim_run *run) {
  spin x = {0};
  lim_model *model = model_of(text, (const char *[]){set, NULL});
  assert_int_equal(lim_simulate(run, model, NULL, &(lim_simulate_hooks){.record = keep_spin, .user = &x}, NULL),
                   LIM_OK);
  lim_model_free(model);
  return x;
}

// k = rho c d l^4/8: torque k w^2, and J w' = -k w^2.
static void turning_bar_feels_the_drag_of_the_air(void **state) {
  (void)state;
  lim_run run;
  double k = 1.2 * 1.1 * 0.05 * pow(1.5, 4) / 8, m = 1000 * 0.02 * 0.05 * 1.5;
  double J = m * 1.5 * 1.5 / 3 + 1000 * 0.05 * pow(0.02, 3) / 12 * 1.5, w = 20 / (1 + k * 20 / J);
  table_head("Bar of 1.5 m in air, turning with 20 rad/s");
  table_row("torque that keeps it [N m]", spin_of(DRIVEN, NULL, &run).effort, k * 400, 1e-9,
            "rho c d w^2 l^4/8");
  static const char *const set[] = {"solver.method=rk4", "solver.method=generalized-alpha",
                                    "solver.method=cvode"};
  for (int i = 0; i < 3; i++) {
    spin x = spin_of(FREE, set[i], &run);
    table_row(set[i], x.speed, w, i == 1 ? 1e-5 : 1e-8, "w/(1 + k w t/J), left after 1 s");
    table_row("  dissipated [J]", x.dissipated, J * (400 - w * w) / 2, 1e-5, "loss of J w^2/2");
    table_bound("  energy balance [%]", run.balance_percent_rms, 1e-4, "0");
  }
  spin x = spin_of(DRIVEN, "sections.s={shape: tube, outer: 30 mm, inner: 26 mm}", &run);
  table_row("round section: torque [N m]", x.effort, k * 400 * 0.03 / 0.05, 1e-9, "the same with its diameter");
}

// What a flexible bar loses to the air is in its books.
// rigid bar.
static void flexible_bar_feels_the_same_drag(void **state) {
  (void)state;
  static const char *const set[] = {"links.arm.basis=full", "links.arm.basis={type: modes, count: 3}",
                                    "links.arm.beam.segments=2"};
  lim_run run;
  table_head("The same bar, flexible, let go at 20 rad/s: energy balance [%]");
  for (int i = 0; i < 3; i++) {
    lim_model *model = model_of(
        FREE, (const char *[]){set[i], "solver.duration=0.1", i == 2 ? "links.arm.basis=full" : NULL, NULL});
    spin x = {0};
    assert_int_equal(
        lim_simulate(&run, model, NULL, &(lim_simulate_hooks){.record = keep_spin, .user = &x}, NULL), LIM_OK);
    table_bound(set[i], run.balance_percent_rms, 0.01, "0");
    lim_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lumped_cantilever_has_the_frequencies_of_masses_on_a_spring),
      cmocka_unit_test(lumped_masses_converge_with_the_second_order),
      cmocka_unit_test(bent_cantilever_let_go_is_the_sum_of_its_modes),
      cmocka_unit_test(bent_cantilever_stores_the_work_of_the_force),
      cmocka_unit_test(turning_bar_feels_the_drag_of_the_air),
      cmocka_unit_test(flexible_bar_feels_the_same_drag),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
