// channel_channels.c - names and units of channels, the default choice, messages.
#include "channel_fixture.h"
#include "path/assembly.h"

#include <time.h>

static void names(const char *text, const char *expected) {
  probe p;
  start(&p, text);
  lim_text list = {0};
  for (int i = 0; i < p.c->count; i++)
    lim_text_add(&list, "%s[%s] ", p.c->channel[i].name, p.c->channel[i].unit);
  assert_string_equal(list.text, expected);
  lim_text_free(&list);
  end(&p);
}

#define TWO                                                                                                    \
  HEAD("[0, 0, 0]")                                                                                            \
  "links:\n  - name: arm\n    " BEAM "\n    gauges: [{name: root, at: 0.1}]\n"                                 \
  "  - name: slide\n    joint: {type: prismatic}\n    body: {mass: 1}\n"                                       \
  "  - name: tool\n    joint: {type: fixed}\n    body: {mass: 1}\n"

static void no_list_gives_a_useful_choice(void **state) {
  (void)state;
  const char *kinematic = "tip.position.x[m] tip.position.y[m] tip.position.z[m] tip.error.x[m] tip.error.y[m] "
                          "tip.error.z[m] arm.position[rad] arm.velocity[rad/s] arm.effort[N m] "
                          "slide.position[m] slide.velocity[m/s] slide.effort[N] arm.root.strain[-] ";
  char all[1024];
  snprintf(all, sizeof all,
           "%senergy.kinetic[J] energy.strain[J] energy.gravity[J] energy.work[J] energy.dissipated[J] "
           "energy.balance[-] ",
           kinematic);
  names(TWO, all);
  names(TWO "solver: {mode: linear}\n", all);
  names(TWO "solver: {mode: quasi-static}\n", kinematic);
  names(TWO "solver: {method: modal-newmark}\n", kinematic);
}

static void a_short_name_selects_all_that_continue_it_once(void **state) {
  (void)state;
  names(TWO "outputs: {channels: [tip.position.y, tip.position, arm.root, slide.acceleration, tool.force]}\n",
        "tip.position.y[m] tip.position.x[m] tip.position.z[m] arm.root.strain[-] arm.root.stress[Pa] "
        "slide.acceleration[m/s^2] tool.force.x[N] tool.force.y[N] tool.force.z[N] ");
  names(TWO "outputs: {channels: [arm.section.0.25.moment.z, arm.section.1.force]}\n",
        "arm.section.0.25.moment.z[N m] arm.section.1.force.x[N] arm.section.1.force.y[N] "
        "arm.section.1.force.z[N] ");
  names(TWO "outputs: {channels: [momentum.angular.z, momentum]}\n",
        "momentum.angular.z[kg m^2/s] momentum.linear.x[kg m/s] momentum.linear.y[kg m/s] momentum.linear.z[kg "
        "m/s] momentum.angular.x[kg m^2/s] momentum.angular.y[kg m^2/s] ");
}

static void frequencies_stand_beside_other_channels_once(void **state) {
  (void)state;
  names(TWO "outputs: {frequencies: 2, channels: [frequency.2, tip.error.x, frequency.100]}\n",
        "frequency.2[Hz] tip.error.x[m] frequency.100[Hz] frequency.1[Hz] ");
  probe p;
  start(&p, TWO "outputs: {frequencies: 3}\n");
  assert_int_equal(p.c->count, 19 + 3);
  assert_int_equal(channel_of(p.c, "frequency.3"), 21);
  end(&p);
}

static void refused(const char *channel, const char *expected) {
  char text[2048];
  snprintf(text, sizeof text, "%soutputs:\n  channels:\n    - tip.position\n    - %s\n", TWO, channel);
  arm x;
  arm_start(&x, text);
  lim_channels *c;
  lim_error err = {0};
  assert_int_equal(lim_channels_new(&c, x.s, &err), LIM_BAD_INPUT);
  assert_null(c);
  assert_int_equal(err.count, 1);
  assert_memory_equal(err.note[0].text, expected, strlen(expected));
  if (strstr(expected, "does not exist"))
    assert_non_null(strstr(err.note[0].text, " there are tip.position, "));
  assert_string_equal(err.note[0].file, "test.yaml");
  int lines = 0;
  for (const char *s = text; *s; s++) lines += *s == '\n';
  assert_int_equal(err.note[0].line, lines);
  assert_int_equal(err.note[0].column, 7);
  lim_error_clear(&err);
  assert_int_equal(lim_channels_new(&c, x.s, NULL), LIM_BAD_INPUT);
  arm_end(&x);
}

static void unknown_channel_reports_its_place_and_the_nearest(void **state) {
  (void)state;
  refused("tip.positon.x", "channel 'tip.positon.x' does not exist; did you mean 'tip.position.x'?");
  refused("tip.velocty", "channel 'tip.velocty' does not exist; did you mean 'tip.velocity'?");
  refused("arm.rot.strain", "channel 'arm.rot.strain' does not exist; did you mean 'arm.root.strain'?");
  refused("enrgy", "channel 'enrgy' does not exist; did you mean 'energy'?");
  refused("momentun", "channel 'momentun' does not exist; did you mean 'momentum'?");
  refused("arm.section.0.5.momnt.z",
          "channel 'arm.section.0.5.momnt.z' does not exist; did you mean 'arm.section.0.5.moment.z'?");
  refused("something-else-altogether", "channel 'something-else-altogether' does not exist");
  refused("tool.position", "channel 'tool.position' does not exist; did you mean 'tip.position'?");
  refused("frequency", "channel 'frequency' needs a number: 'frequency.1' is the lowest");
  refused("frequency.101", "channel 'frequency.101' does not exist; did you mean 'frequency.10'?");
  refused("arm.section.1.5.force.x",
          "channel 'arm.section.1.5.force.x' is about a section beyond the link: its "
          "place is a fraction 0..1 of the length");
  refused("arm.section.nan.force.x",
          "channel 'arm.section.nan.force.x' is about a section beyond the link: its "
          "place is a fraction 0..1 of the length");
}

static void channel_of_later_versions_says_so(void **state) {
  (void)state;
  refused("arm.motor_torque", "channel 'arm.motor_torque' does not exist");
}

static void all_unknown_channels_are_reported_at_once(void **state) {
  (void)state;
  arm x;
  arm_start(&x, TWO "outputs: {frequencies: 3, channels: [a.b, tip.position, frequency, c.d]}\n");
  lim_channels *c;
  lim_error err = {0};
  assert_int_equal(lim_channels_new(&c, x.s, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 3);
  lim_error_clear(&err);
  arm_end(&x);
}

// 4000 frames of 1000 links, 1250 requests: a look at every channel for every request would take a minute.
static void many_channels_are_found_without_a_look_at_all(void **state) {
  (void)state;
  lim_text model = {0};
  lim_text_add(&model, "limber: 1\nlinks:\n");
  for (int i = 0; i < 1000; i++)
    lim_text_add(&model, "  - {name: l%d, body: {mass: 1, tip: [0.1, 0, 0], inertia: [0, 0, 1]}}\n", i);
  lim_text_add(&model, "frames:\n");
  for (int i = 0; i < 2000; i++) lim_text_add(&model, "  - {name: f%d, on: l%d, xyz: [0, 0, 1]}\n", i, i / 2);
  lim_text_add(&model, "outputs: {channels: [l7.position");
  for (int i = 0; i < 1250; i++) lim_text_add(&model, ", f%d.position", i);
  lim_text_add(&model, "]}\n");
  lim_model *m = parse(model.text);
  lim_arm *s;
  lim_channels *c;
  assert_int_equal(lim_arm_new(&s, m, false, NULL), LIM_OK);
  clock_t begin = clock();
  assert_int_equal(lim_channels_new(&c, s, NULL), LIM_OK);
  assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5); // 0.05 s; more under sanitizers
  assert_int_equal(c->count, 1 + 3 * 1250);
  assert_string_equal(c->channel[0].name, "l7.position");
  assert_string_equal(c->channel[3750].name, "f1249.position.z");
  lim_channels_free(c);
  lim_arm_free(s);
  lim_model_free(m);
  lim_text_free(&model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_channels_are_found_without_a_look_at_all),
      cmocka_unit_test(no_list_gives_a_useful_choice),
      cmocka_unit_test(a_short_name_selects_all_that_continue_it_once),
      cmocka_unit_test(frequencies_stand_beside_other_channels_once),
      cmocka_unit_test(unknown_channel_reports_its_place_and_the_nearest),
      cmocka_unit_test(channel_of_later_versions_says_so),
      cmocka_unit_test(all_unknown_channels_are_reported_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
