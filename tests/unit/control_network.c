// control_network.c - tests of the wiring of blocks, their clocks, and the tables of kinds.
#include "fixture.h"

#include "control/law.h"
#include "control/network.h"
#include "model/schema.h"

#define ARM "limber: 1\nlinks: [{name: arm, body: {mass: 1}}]\n"

static const lim_table *table_under(const lim_table *t, const char *key) {
  return lim_table_key(t, key, NULL)->table;
}

static void kinds_stand_in_the_order_of_the_schema(void **state) {
  (void)state;
  const lim_key *blocks = lim_table_key(table_under(&lim_root_table, "blocks"), "type", NULL);
  const lim_table *control = table_under(table_under(&lim_root_table, "drives"), "control");
  const lim_key *laws = lim_table_key(control, "type", NULL);
  int n = 0, m = 0;
  for (; lim_block_kinds[n]; n++) assert_int_equal(lim_key_index(blocks, lim_block_kinds[n]->row.word), n);
  for (; lim_control_kinds[m]; m++) assert_int_equal(lim_key_index(laws, lim_control_kinds[m]->row.word), m);
  assert_null(lim_key_word(blocks, n).text);
  assert_null(lim_key_word(laws, m).text);
}

static void blocks_are_evaluated_after_what_they_take(void **state) {
  (void)state;
  lim_model *m = parse(ARM "blocks:\n"
                           "  - {name: a, type: gain, input: b, gain: 2}\n"
                           "  - {name: b, type: sum, input: [c, arm.position, arm.position]}\n"
                           "  - {name: c, type: integrator, input: a, initial: 5}\n");
  lim_network *n;
  lim_error err = {0};
  assert_int_equal(lim_network_new(&n, m, NULL, &err), LIM_OK);
  assert_true(n->nmeasured == 1 && n->nbox == 3 && n->nx == 1 && n->nz == 0);
  double x[1], z[1], done[6], signal[4] = {7}, u[3], rate[1];
  assert_int_equal(n->nin, 3);
  lim_network_start(x, z, done, n);
  lim_network_outputs(signal, n, 0, false, x, z, u);
  assert_true(signal[1] == 38 && signal[2] == 19 && signal[3] == 5);
  lim_network_rates(rate, n, signal, x, u);
  assert_true(rate[0] == 38);
  assert_true(isinf(lim_network_next(n, 0)));
  lim_network_free(n);
  lim_model_free(m);
}

// Two clocks of 10 Hz in a chain, one of them late: what comes out between ticks.
static void chained_clocks_pass_on_at_once_or_later(void **state) {
  (void)state;
  lim_model *m = parse(ARM "blocks:\n"
                           "  - {name: late, type: delay, input: held, rate: 10 Hz, delay: 0.1, initial: -1}\n"
                           "  - {name: again, type: sample-hold, input: held, rate: 10 Hz}\n"
                           "  - {name: held, type: sample-hold, input: arm.position, rate: 10 Hz}\n");
  lim_network *n;
  lim_error err = {0};
  assert_int_equal(lim_network_new(&n, m, NULL, &err), LIM_OK);
  double x[1], z[8], done[6], signal[4] = {0}, u[1];
  lim_network_start(x, z, done, n);
  for (int k = 0; k < 30; k++) {
    double t = k * 0.1;
    signal[0] = 100 + k;
    lim_network_tick(signal, n, t, x, z, done, u);
    lim_network_tick(signal, n, t, x, z, done, u); // a second call at the same time does nothing
    assert_true(signal[3] == 100 + k && signal[2] == 100 + k);
    assert_true(signal[1] == (k == 0 ? -1 : 99 + k));
    double next = lim_network_next(n, t + 1e-12);
    assert_true(fabs(next - (k + 1) * 0.1) < 1e-12);
    signal[0] = 0;
    lim_network_outputs(signal, n, t + 0.05, false, x, z, u);
    assert_true(signal[3] == 100 + k);
  }
  lim_network_free(n);
  lim_model_free(m);
}

static void clocks_tick_once_at_each_period(void **state) {
  (void)state;
  static const double rates[] = {1000, 3, 7e3, 44100, 1e6};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    double period = 1 / rates[i], done = -1, t = 0;
    long k;
    for (long expected = 0; expected < 2000; expected++) {
      assert_true(lim_clock_due(&k, period, 0, t, &done));
      assert_int_equal(k, expected);
      assert_false(lim_clock_due(&k, period, 0, t, &done));
      assert_false(lim_clock_due(&k, period, 0, t + 0.4 * period, &done));
      t = lim_clock_next(period, 0, t + 1e-12);
    }
  }
  double done = -1;
  long k;
  assert_false(lim_clock_due(&k, 0.1, 0.03, 0, &done)); // the first tick is at the shift
  assert_true(lim_clock_due(&k, 0.1, 0.03, 0.03, &done));
  assert_int_equal(k, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_stand_in_the_order_of_the_schema),
      cmocka_unit_test(blocks_are_evaluated_after_what_they_take),
      cmocka_unit_test(chained_clocks_pass_on_at_once_or_later),
      cmocka_unit_test(clocks_tick_once_at_each_period),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
