// example_polishing.c - models/polishing.yaml, docs/examples/polishing.md: the force of the contact against
// beam theory, frequencies of the spring with a free tip and with one on the plate against Euler and
// Bernoulli's equation, chatter of a run as the modes tell it.
#include "example_fixture.h"

#define POLISHING "models/polishing.yaml"
static const double E = 210e9, RHO = 7850, G = 9.81, L = 0.5, WIDTH = 0.03, HEIGHT = 0.008;
static const double TOOL = 0.6, COM = 0.055, INERTIA = 6e-4, LEVER = 0.12, PAD = 200e3;

static double bending(void) { return E * WIDTH * HEIGHT * HEIGHT * HEIGHT / 12; }
static double line(void) { return RHO * WIDTH * HEIGHT; }

// How far the feed of 9 mm presses in what hangs 5 mm above the plate and has sagged.
static double pressed(void) {
  const double sag = TOOL * G * L * L * L / (3 * bending()) + line() * G * L * L * L * L / (8 * bending());
  return 0.009 - 0.005 + sag;
}

// friction: negative where the tool is pulled.
static double force(double friction) {
  const double spring = L * L * L / (3 * bending()), by_moment = friction * LEVER * L * L / (2 * bending());
  return pressed() / (spring - by_moment + 1 / PAD);
}

static double mean(const recorded *r, const char *channel, double from, double to) {
  const double *x = recorded_channel(r, channel);
  double sum = 0;
  int n = 0;
  for (int i = 0; i < r->count; i++)
    if (r->t[i] > from && r->t[i] < to) {
      sum += x[i];
      n++;
    }
  return sum / n;
}

// The tilt of the tool, 11 mrad, moves the force off the end of the spring.
static void contact_force_is_that_of_beam_theory(void **state) {
  (void)state;
  static const double TILT = 0.008;
  const double mu = 0.25;
  recorded r = record_run(example(POLISHING), NULL);
  table_head("Polishing, friction 0.25: force of the contact");
  table_row("pushed out [N]", mean(&r, "plate.force.y", 0.75, 0.85), force(mu), TILT, "spring and pad");
  table_row("  friction [N]", mean(&r, "plate.force.x", 0.75, 0.85), -mu * force(mu), TILT, "Coulomb");
  table_row("pulled back [N]", mean(&r, "plate.force.y", 1.3, 1.4), force(-mu), TILT, "spring and pad");
  table_row("  friction [N]", mean(&r, "plate.force.x", 1.3, 1.4), mu * force(-mu), TILT, "Coulomb");
  table_bound("never pulls [N]", fmin(0, mean(&r, "plate.force.y", 0, 0.1)), 0, "contact");
  recorded_free(&r);
  asked s = ask_static(example(POLISHING), (const char *[]){"motion={}", "configuration.feed=-9 mm", NULL});
  table_row("static [N]", three(&s, "contacts.plate.force")[1], force(mu), TILT, "spring and pad");
  asked_free(&s);
}

// --- frequencies ---

// Of the tool about the end of the spring, which stretches as the mass below it swings.
static double inertia(double p) {
  const double axial = E * WIDTH * HEIGHT / L, moving = TOOL + line() * L / 3,
               more = TOOL * p * p / (axial - moving * p * p);
  return INERTIA + TOOL * COM * COM * (1 + more);
}

// w = A (cosh - cos) + B (sinh - sin); at the end EI w'' = J p^2 w', EI w''' = (k - m p^2) w with J of the
// tool.
static double determinant(double frequency, double pad) {
  const double p = 2 * M_PI * frequency, b = sqrt(p * sqrt(line() / bending())), x = b * L, EI = bending();
  const double J = inertia(p), held = pad - TOOL * p * p;
  const double w[2] = {cosh(x) - cos(x), sinh(x) - sin(x)},
               w1[2] = {b * (sinh(x) + sin(x)), b * (cosh(x) - cos(x))},
               w2[2] = {b * b * (cosh(x) + cos(x)), b * b * (sinh(x) + sin(x))},
               w3[2] = {b * b * b * (sinh(x) - sin(x)), b * b * b * (cosh(x) + cos(x))};
  double row[2][2];
  for (int i = 0; i < 2; i++) {
    row[0][i] = EI * w2[i] - J * p * p * w1[i];
    row[1][i] = EI * w3[i] - held * w[i];
  }
  return row[0][0] * row[1][1] - row[0][1] * row[1][0];
}

// The n-th root above 1 Hz.
static double root(double pad, int n) {
  double low = 1, high = low;
  for (; n > 0; n--) {
    low = high;
    high = low + 0.1;
    while (determinant(low, pad) * determinant(high, pad) > 0) {
      low = high;
      high += 0.1;
    }
  }
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    if (determinant(low, pad) * determinant(middle, pad) > 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Without weight and pressed in by next to nothing, so that the tool does not tilt; damping of 1 % moves them
// by 5e-5 at most.
static void contact_changes_frequencies_as_a_spring_at_the_tip(void **state) {
  (void)state;
  table_head("Polishing without weight and friction: frequencies [Hz]");
  for (int on = 0; on < 2; on++) {
    asked a = ask_modes(example(POLISHING),
                        (const char *[]){"contacts.plate.friction=0", "motion={}", "gravity=[0, 0, 0]",
                                         "links.spring.beam.element=euler-bernoulli",
                                         "links.spring.beam.rotary=off", "links.spring.beam.elements=16",
                                         on ? "configuration.feed=-5.001 mm" : "configuration.feed=0", NULL},
                        3);
    int count = 0;
    const double *f = lim_answer_array(a.answer, "frequencies_hz", &count);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++)
      table_row(text("%s, mode %d", on ? "on the plate" : "free", i + 1), f[i], root(on ? PAD : 0, i + 1), 1e-4,
                "Euler, Bernoulli");
    asked_free(&a);
  }
}

// --- chatter ---

static double swing(const recorded *r, double from, double to) {
  const double *x = recorded_channel(r, "plate.force.y");
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < r->count; i++) {
    if (r->t[i] < from || r->t[i] > to) continue;
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return (high - low) / 2;
}

// Pushed with a friction of 0.5, at constant speed; pulled back it calms down.
static void chatter_grows_as_the_modes_tell(void **state) {
  (void)state;
  const char *const dry = "contacts.plate.friction=0.5";
  double each = 0;
  asked a =
      ask_modes(example(POLISHING), (const char *[]){dry, "motion={}", "configuration.feed=-9 mm", NULL}, 3);
  const char *warning = lim_answer_text(a.answer, "warnings[0].text"),
             *told = strstr(warning ? warning : "", "each ");
  assert_non_null(told);
  assert_int_equal(sscanf(told, "each %lf s", &each), 1);
  recorded r =
      record_run(example(POLISHING), (const char *[]){dry, "solver.step=0.1 ms", "outputs.every=0.2 ms", NULL});
  table_head("Polishing, friction 0.5");
  table_row("pushed, grows by e each [s]", 0.2 / log(swing(&r, 0.82, 0.86) / swing(&r, 0.62, 0.66)), each, 0.05,
            "modes");
  table_bound("pulled: swing over that of 0.1 s before", swing(&r, 1.35, 1.4) / swing(&r, 1.25, 1.3), 0.8,
              "no growth");
  recorded_free(&r);
  asked_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_force_is_that_of_beam_theory),
      cmocka_unit_test(contact_changes_frequencies_as_a_spring_at_the_tip),
      cmocka_unit_test(chatter_grows_as_the_modes_tell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
