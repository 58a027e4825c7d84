// emats_table.c - the EMATS-like arm against what FEDEM prints of EMATS: inertias, gains of all eight
// controllers, structural modes; and its inertias along the motion.
#include "analysis/inertia.h"
#include "analysis/vibration/modes.h"

#include "emats_fixture.h"

// Table 1 of FEDEM; K_p of row 8 is illegible and follows from the others. J_low of rows 7 and 8 is printed as
// 31.8 and 38.8: slide x carries slide z, so it moves more and not less, and here has the larger one.
typedef struct {
  double low, effective, kv, kp;
} row;

static const row TABLE[EMATS_JOINTS] = {
    {10.1, 4.19e-4, 5.03e-3, 3.920},    {18.6, 5.40e-4, 6.48e-3, 5.060},  {4.89, 2.28e-4, 2.74e-3, 1.640},
    {5.58e-2, 2.30e-5, 2.76e-4, 0.132}, {0.194, 3.06e-5, 3.67e-4, 0.176}, {5.40e-2, 2.33e-5, 2.80e-4, 0.134},
    {38.8, 6.58e-5, 7.90e-4, 4.645},    {31.8, 7.72e-4, 9.26e-3, 174.8},
};
static const double PRINTED = 0.004; // three digits in everything

enum { MOMENTS = 41 };

static const int LISTED[EMATS_JOINTS] = {2, 3, 4, 5, 6, 7, 0, 1}; // the order of the links

static lim_inertia *along(lim_inertia_route route, const char *const *set) {
  lim_model *m = emats_model(set, NULL);
  lim_inertia *x = NULL;
  lim_error err = {0};
  const lim_inertia_plan plan = {.route = route, .count = MOMENTS, .at = NAN};
  assert_int_equal(lim_inertia_new(&x, m, "models", &plan, &err), LIM_OK);
  assert_int_equal(x->n, MOMENTS);
  assert_int_equal(x->joints.count, EMATS_JOINTS);
  lim_model_free(m);
  return x;
}

static double max(const double *x, int n) {
  double r = x[0];
  for (int i = 1; i < n; i++) r = fmax(r, x[i]);
  return r;
}

static void inertias_and_gains_are_those_of_the_table(void **state) {
  (void)state;
  static emats_log run;
  char what[80];
  lim_inertia *x = along(LIM_ROUTE_MASS, NULL);
  emats_run(&run, NULL, NULL);
  table_head("The arm at 6 rad/s, damping 1, with the largest inertia of the motion");
  for (int k = 0; k < EMATS_JOINTS; k++) {
    const lim_inertia_joint *j = &x->joints.item[LISTED[k]];
    snprintf(what, sizeof what, "%s: J_low [kg m^2, kg]", EMATS_JOINT[k]);
    table_row(what, max(j->arm, x->n), TABLE[k].low, PRINTED, "FEDEM, table 1");
    snprintf(what, sizeof what, "%s: J_eff [kg m^2]", EMATS_JOINT[k]);
    table_row(what, max(j->motor_side, x->n), TABLE[k].effective, PRINTED, "FEDEM, table 1");
    snprintf(what, sizeof what, "%s: K_v [N m s/rad]", EMATS_JOINT[k]);
    table_row(what, run.kv[k], TABLE[k].kv, PRINTED, "FEDEM, table 1");
    snprintf(what, sizeof what, "%s: K_p [N m per unit of the joint]", EMATS_JOINT[k]);
    table_row(what, run.kp[k], TABLE[k].kp, PRINTED, "FEDEM, table 1");
  }
  lim_inertia_free(x);
}

// Figure 6: joints 1 and 2 feel the arm grow, the others do not.
static void inertias_along_the_motion(void **state) {
  (void)state;
  // the second route knows open chains: without the guide on the upper rail, which moves nothing but bends
  lim_inertia *x = along(LIM_ROUTE_MASS, NULL),
              *y = along(LIM_ROUTE_JACOBIAN, (const char *[]){"loops=[]", NULL});
  char what[80];
  double apart = 0;
  printf("\nJ_eff at the motor over that at the start\n%6s", "t [s]");
  for (int k = 0; k < EMATS_JOINTS; k++) printf("%9s", EMATS_JOINT[k]);
  for (int i = 0; i < x->n; i++) {
    if (i % 4 == 0 && x->time[i] < 4.1) printf("\n%6.2f", x->time[i]);
    for (int k = 0; k < EMATS_JOINTS; k++) {
      const lim_inertia_joint *a = &x->joints.item[LISTED[k]], *b = &y->joints.item[LISTED[k]];
      apart = fmax(apart, fabs(a->arm[i] / b->arm[i] - 1));
      if (i % 4 == 0 && x->time[i] < 4.1) printf("%9.5f", a->motor_side[i] / a->motor_side[0]);
    }
  }
  printf("\n");
  table_head("Inertias along the motion");
  table_bound("mass matrix against nodes of the elements", apart, 1e-12, "two routes");
  for (int k = 0; k < EMATS_JOINTS; k++) {
    const double *J = x->joints.item[LISTED[k]].motor_side;
    const double growth = J[MOMENTS - 1] / J[0] - 1;
    snprintf(what, sizeof what, "growth of J_eff of %s", EMATS_JOINT[k]);
    if (k < 2) {
      printf("%-52s %16.3g %16.3g %10s  FEDEM; its lengths and masses are others\n", what, growth,
             k ? 0.26 : 0.12, "");
      assert_true(growth > 0.05);
      assert_true(J[MOMENTS - 1] == max(J, MOMENTS));
    } else
      table_bound(what, growth, 0.01, "FEDEM: negligible");
  }
  lim_inertia_free(x);
  lim_inertia_free(y);
}

static void five_modes_below_30_hz(void **state) {
  (void)state;
  lim_model *m = emats_model(NULL, NULL);
  lim_modes *r = NULL;
  lim_error err = {0};
  int below = 0;
  assert_int_equal(lim_modes_new(&r, m, "models", LIM_JOINTS_LOCKED, 10, &err), LIM_OK);
  table_head("Structural modes: motors locked, at the start of the motion");
  for (int i = 0; i < r->modes.count; i++) {
    const lim_natural_mode *a = &r->modes.item[i];
    printf("%2d %9.3f Hz  %5.2f %%  %s\n", i + 1, a->frequency, 100 * a->damping, a->kind);
    below += a->frequency < 30;
  }
  table_row("lowest [Hz]", r->modes.item[0].frequency, 10, 0.02, "FEDEM: 10 Hz");
  table_row("number below 30 Hz", below, 5, 0, "FEDEM");
  lim_modes_free(r);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inertias_and_gains_are_those_of_the_table),
      cmocka_unit_test(inertias_along_the_motion),
      cmocka_unit_test(five_modes_below_30_hz),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
