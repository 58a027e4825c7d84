// inertia_fedem.c - the controllers of the EMATS space robot (FEDEM, table 1): effective inertias at the
// motors and the gains that follow from them, by the rule that limber itself designs controllers with.
#include "fixture.h"

#include "drive/drive.h"
#include "kind_numbers.h"
#include "verification/table_fixture.h"

// As printed, but for row 3, whose ratio is printed as 260 beside i = 1/200, and K_p of row 8, which is
// illegible and follows from the others.
typedef struct {
  const char *joint;
  double high, low, i, effective, kv, kp;
  bool consistent; // J_eff = J_high + J_low i^2 in print
} row;

static const row table[] = {
    {"1", 2.70e-4, 10.1, 1 / 260.0, 4.19e-4, 5.03e-3, 3.920, true},
    {"2", 2.66e-4, 18.6, 1 / 260.0, 5.40e-4, 6.48e-3, 5.060, true},
    {"3", 1.06e-4, 4.89, 1 / 200.0, 2.28e-4, 2.74e-3, 1.640, true},
    {"4", 2.30e-5, 5.58e-2, 1 / 160.0, 2.30e-5, 2.76e-4, 0.132, false},
    {"5", 2.30e-5, 0.194, 1 / 160.0, 3.06e-5, 3.67e-4, 0.176, true},
    {"6", 2.30e-5, 5.40e-2, 1 / 160.0, 2.33e-5, 2.80e-4, 0.134, false},
    {"7", 6.50e-5, 31.8, 5.10e-4, 6.58e-5, 7.90e-4, 4.645, false},
    {"8", 7.62e-4, 38.8, 1.59e-4, 7.72e-4, 9.26e-3, 174.8, false},
};
enum { ROWS = sizeof table / sizeof *table };

static const double PRINTED = 0.004; // three digits in everything

// The controller that limber makes of inertias, at 6 rad/s and critical damping.
static lim_joint_drive designed(double low, double high, double i) {
  lim_joint_drive d = lim_drive_plain(LIM_DRIVE_MOTOR);
  d.ratio = 1 / i;
  d.law.kind = lim_control_kinds[LIM_CONTROL_pd];
  d.law.bandwidth = 6;
  d.law.damping = 1;
  lim_drive_design(&d, low, high);
  return d;
}

// What the design took for the effective inertia at the motor.
static double effective(const lim_joint_drive *d) {
  return d->law.kv / (2 * d->law.damping * d->law.bandwidth);
}

static void gains_follow_from_printed_effective_inertias(void **state) {
  (void)state;
  table_head("gains at 6 rad/s, damping 1, from J_eff as printed");
  for (int i = 0; i < ROWS; i++) {
    char what[80];
    lim_joint_drive d = designed(0, table[i].effective, table[i].i);
    snprintf(what, sizeof what, "joint %s: K_v [N m s/rad]", table[i].joint);
    table_row(what, d.law.kv, table[i].kv, PRINTED, "FEDEM, table 1");
    snprintf(what, sizeof what, "joint %s: K_p [N m per unit of the joint]", table[i].joint);
    table_row(what, d.law.kp, table[i].kp, PRINTED, "FEDEM, table 1");
  }
}

static void effective_inertias_follow_from_arm_and_rotor(void **state) {
  (void)state;
  table_head("J_eff = J_high + J_low i^2 from J_high and J_low as printed");
  for (int i = 0; i < ROWS; i++) {
    const row *x = &table[i];
    char what[80];
    lim_joint_drive d = designed(x->low, x->high, x->i);
    snprintf(what, sizeof what, "joint %s: J_eff [kg m^2]", x->joint);
    if (x->consistent)
      table_row(what, effective(&d), x->effective, PRINTED, "FEDEM, table 1");
    else
      printf("%-52s %16.9g %16.9g %10.1e  FEDEM, inconsistent in print\n", what, effective(&d), x->effective,
             effective(&d) / x->effective - 1);
  }
}

// What the inconsistent rows are: the slides have each other's i; in rows 4 and 6 no printed ratio helps.
static void slides_are_consistent_with_their_ratios_exchanged(void **state) {
  (void)state;
  table_head("rows that are inconsistent in print");
  for (int k = 6; k < 8; k++) {
    char what[80];
    lim_joint_drive d = designed(table[k].low, table[k].high, table[13 - k].i);
    snprintf(what, sizeof what, "joint %s: J_eff with i of joint %s", table[k].joint, table[13 - k].joint);
    table_row(what, effective(&d), table[k].effective, PRINTED, "FEDEM, table 1");
  }
  for (int k = 3; k < 6; k += 2) {
    const row *x = &table[k];
    char what[80];
    double needed = sqrt(fmax(x->effective - x->high, 0) / x->low);
    snprintf(what, sizeof what, "joint %s: i that J_eff - J_high would need", x->joint);
    printf("%-52s %16.3g %16.3g %10s  printed\n", what, needed, x->i, "");
    assert_true(needed < 0.5 * x->i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gains_follow_from_printed_effective_inertias),
      cmocka_unit_test(effective_inertias_follow_from_arm_and_rotor),
      cmocka_unit_test(slides_are_consistent_with_their_ratios_exchanged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
