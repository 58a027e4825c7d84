// rail_bases.c - rails in reduced bases and in segments against all coordinates of their mesh: a carriage at
// rest, against what modes of a frame of finite elements that is assembled here leave out; a mass that runs
// over; crossing from one segment to the next.
#include "rail_frame_fixture.h"

// --- at rest, on a cantilever ---

enum { ELEMENTS = 12, NODES = ELEMENTS + 1 };
static const double EIY = 200e9 * 2e-8, LOAD = -0.01; // [N]

static const char cantilever[] =
    "limber: 1\nplanar: xz\ngravity: [0, 0, 0]\nmaterials: {m: {E: 200 GPa, nu: 0.3, rho: 7800}}\n"
    "sections: {s: {shape: general, A: 600 mm^2, Iy: 2e4 mm^4, Iz: 4.5e4 mm^4, J: 5e4 mm^4}}\nlinks:\n"
    "  - name: rail\n    joint: {type: fixed}\n"
    "    beam: {length: 1, section: s, material: m, elements: 12, element: euler-bernoulli}\n"
    "  - {name: trolley, joint: {type: prismatic, rail: beam}, body: {mass: 1}}\n"
    "loads: [{at: trolley.base, force: [0, 0, -10 mN]}]\n"
    "solver: {start: equilibrium, duration: 0.1 ms, step: 0.1 ms}\n"
    "outputs: {channels: [trolley.base.position]}\n";

static double rest(double place, const char *basis) {
  recorded r =
      record_run(cantilever, (const char *[]){text("configuration={trolley: %.17g}", place), basis, NULL});
  const double z = recorded_channel(&r, "trolley.base.position.z")[0];
  recorded_free(&r);
  return z;
}

// A rail of 1 m in the plane, its tip held or not.
static frame *plane_rail(frame_beam *b, const frame_section *section, bool held) {
  frame *f = frame_new(NODES);
  *b = (frame_beam){0, ELEMENTS, 1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, *section};
  frame_add(f, b);
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < 6; k++)
      if (i == 0 || k == 1 || k == 3 || k == 5 || (held && i == NODES - 1)) frame_hold(f, 6 * i + k);
  return f;
}

// What the lowest `count` modes leave out of the deflection at x under a unit force there.
static double left_out(const frame_section *section, double x, int count, bool held) {
  static double hz[FRAME_MOST], shape[FRAME_MOST][FRAME_MOST];
  frame_beam b;
  frame *f = plane_rail(&b, section, held);
  double rows[6][FRAME_MOST], missing = 0;
  frame_modes(hz, shape, f, f->kept);
  frame_section_rows(rows, &b, x);
  for (int k = f->kept - 1; k >= count; k--) {
    double at = 0;
    for (int i = 0; i < f->n; i++) at += rows[2][i] * shape[k][i];
    missing += at * at;
  }
  free(f);
  return missing;
}

// Shapes that a basis has beyond its modes can only make it better.
static void reduced_basis_misses_no_more_than_its_modes_leave_out(void **state) {
  (void)state;
  static const int counts[] = {1, 2, 4, 8};
  static const double places[] = {0.25, 0.5, 0.71};
  const frame_section section = {200e9 * 6e-4, 1, EIY, 1, 7800 * 6e-4, 1, 7800 * 2e-8, 1};
  for (int held = 0; held < 2; held++)
    for (int p = 0; p < 3; p++) {
      const double x = places[p], whole = rest(x, "links.rail.basis=full");
      double before = INFINITY;
      table_head(text("Cantilever, carriage at %g m, %s: what a basis misses, over the deflection", x,
                      held ? "craig-bampton" : "modes"));
      for (int i = 0; i < 4; i++) {
        const double z = rest(x, text("links.rail.basis={type: %s, count: %d}",
                                      held ? "craig-bampton" : "modes", counts[i])),
                     missing = 1 - z / whole, bound = left_out(&section, x, counts[i], held) * LOAD / whole;
        table_bound(text("count %d", counts[i]), missing, 1.000001 * bound + 1e-9, "sum over the other modes");
        assert_true(missing > -1e-9 && missing <= before + 1e-9); // never softer, and better with more
        before = missing;
      }
    }
}

static void segments_rest_as_one_beam(void **state) {
  (void)state;
  table_head("Cantilever in segments, full basis: deflection under the carriage [m]");
  for (int segments = 2; segments <= 4; segments *= 2)
    for (double x = 0.25; x < 1; x += 0.23) { // 0.25: where segments meet
      const double h = 1.0 / ELEMENTS, p = x / h - floor(x / h + 1e-9),
                   missing = pow(p * (1 - p), 3) * h * h * h / 3;
      table_row(text("%d segments, carriage at %g m", segments, x),
                rest(x, text("links.rail.beam.segments=%d", segments)),
                LOAD * (cantilever_deflection(x, x, 1) - missing) / EIY, 1e-8, "closed form of the mesh");
    }
}

static void modes_of_segments_converge(void **state) {
  (void)state;
  const double x = 0.4, whole = rest(x, "links.rail.basis=full");
  double before = 0;
  table_head("Cantilever, carriage at 0.4 m, 2 modes in each segment: what is missing, over the deflection");
  for (int segments = 1; segments <= 4; segments *= 2) {
    recorded r = record_run(cantilever, (const char *[]){"configuration={trolley: 0.4}",
                                                         "links.rail.basis={type: modes, count: 2}",
                                                         text("links.rail.beam.segments=%d", segments), NULL});
    const double missing = 1 - recorded_channel(&r, "trolley.base.position.z")[0] / whole;
    recorded_free(&r);
    table_bound(text("%d segments", segments), missing, segments == 1 ? 0.02 : before, "falls with segments");
    before = missing;
  }
}

// --- a mass that runs over ---

static const char passage[] =
    "limber: 1\nplanar: xz\ngravity: [0, 0, 0]\n"
    "materials: {m: {E: 9.4829e9, nu: 0.3, rho: 7800}}\n" // about 10 m/s critical
    "sections: {s: {shape: general, A: 2e-4, Iy: 1.6666666666666667e-9, Iz: 1e-8}}\n"
    "links:\n"
    "  - name: rail\n    joint: {axis: [0, 1, 0]}\n"
    "    beam: {length: 1, section: s, material: m, elements: 16, element: euler-bernoulli, rotary: off}\n"
    "  - {name: trolley, joint: {type: prismatic, rail: beam}, body: {mass: 0.78}}\n"
    "frames: [{name: far, on: base, xyz: [1, 0, 0]}, {name: mid, on: rail, at: 0.5}]\n"
    "loops: [{name: roller, type: point-on-line, between: [far, rail.tip], axis: [1, 0, 0]}]\n"
    "loads: [{at: trolley.base, force: [0, 0, -0.156]}]\n"
    "motion: {trolley: {profile: speed, value: 8}}\n"
    "solver: {duration: 0.125, step: 25 us, method: generalized-alpha, rho_inf: 1, tolerance: 1e-12}\n"
    "outputs: {every: 0.05 ms, channels: [trolley.base.position, trolley.base.velocity, "
    "trolley.base.acceleration, mid.position, trolley.position]}\n";

static double off(const recorded *a, const recorded *b, const char *name) {
  const double *x = recorded_channel(a, name), *y = recorded_channel(b, name);
  double worst = 0, size = 0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    worst = fmax(worst, fabs(x[i] - y[i]));
    size = fmax(size, fabs(y[i]));
  }
  return worst / size;
}

// Largest force between the mass and the rail, and largest deflection.
static void peaks(double *force, double *deflection, const recorded *r) {
  const double *z = recorded_channel(r, "trolley.base.position.z"),
               *a = recorded_channel(r, "trolley.base.acceleration.z");
  *force = *deflection = 0;
  for (int i = 0; i < r->count; i++) {
    *force = fmax(*force, fabs(0.156 + 0.78 * a[i]));
    *deflection = fmax(*deflection, fabs(z[i]));
  }
}

// Modes that are left out would follow the force on the rail as at rest: they are fast.
static void moving_mass_in_reduced_bases_converges(void **state) {
  (void)state;
  static const int counts[] = {2, 4, 8};
  const frame_section section = {9.4829e9 * 2e-4, 1, 9.4829e9 * 1e-8 / 6, 1, 1.56, 1, 1e-9, 1};
  double force, deflection;
  recorded full = record_run(passage, NULL);
  peaks(&force, &deflection, &full);
  printf("largest force on the rail over the load: %.3g\n", force / 0.156);
  table_head("A mass runs over a simply supported rail, craig-bampton: off the full basis, over the peak");
  for (int i = 0; i < 3; i++) {
    double bound = 0;
    for (int k = 1; k < 24; k++)
      bound = fmax(bound, 1.5 * left_out(&section, k / 24.0, counts[i], true) * force / deflection);
    recorded r = record_run(
        passage, (const char *[]){text("links.rail.basis={type: craig-bampton, count: %d}", counts[i]), NULL});
    table_bound(text("count %d: under the mass", counts[i]), off(&r, &full, "trolley.base.position.z"), bound,
                "1.5 x largest force x what modes leave out");
    table_bound("  middle", off(&r, &full, "mid.position.z"), bound,
                "1.5 x largest force x what modes leave out");
    table_bound("  rms energy balance [%]", lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-4,
                "closed books");
    recorded_free(&r);
  }
  recorded_free(&full);
}

// What the trapezoidal rule misses from one record to the next, over the largest x: the largest where the
// carriage comes over the ends of `segments`, and elsewhere.
static void missed(double out[2], const recorded *r, const char *y, const char *x, int segments) {
  const double *s = recorded_channel(r, "trolley.position"), *a = recorded_channel(r, y),
               *b = recorded_channel(r, x), dt = r->t[1] - r->t[0];
  double size = 0;
  out[0] = out[1] = 0;
  for (int i = 0; i + 1 < r->count; i++) {
    const double gap = fabs(a[i + 1] - a[i] - dt / 2 * (b[i] + b[i + 1]));
    const bool crosses = floor(s[i] * segments) != floor(s[i + 1] * segments);
    out[!crosses] = fmax(out[!crosses], gap);
    size = fmax(size, fabs(a[i]));
  }
  out[0] /= size;
  out[1] /= size;
}

// A jump of a curve would stand out of the steps before and after.
static void carriage_crosses_segments_without_a_jump(void **state) {
  (void)state;
  recorded full = record_run(passage, NULL);
  for (int segments = 2; segments <= 4; segments *= 2) {
    recorded r = record_run(passage, (const char *[]){text("links.rail.beam.segments=%d", segments), NULL});
    double step[2];
    table_head(text("A mass runs over %d segments, full basis", segments));
    table_bound("under the mass, off one segment", off(&r, &full, "trolley.base.position.z"), 1e-5,
                "same mesh");
    table_bound("velocity, off one segment", off(&r, &full, "trolley.base.velocity.z"), 1e-5, "same mesh");
    table_bound("acceleration, off one segment", off(&r, &full, "trolley.base.acceleration.z"), 1e-4,
                "same mesh");
    missed(step, &r, "trolley.base.position.z", "trolley.base.velocity.z", segments);
    table_bound("position: step at a crossing", step[0], 2 * step[1], "twice that elsewhere");
    missed(step, &r, "trolley.base.velocity.z", "trolley.base.acceleration.z", segments);
    table_bound("velocity: step at a crossing", step[0], 2 * step[1], "twice that elsewhere");
    table_bound("rms energy balance [%]", lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-4,
                "closed books");
    recorded_free(&r);
  }
  recorded_free(&full);
}

// The same with an arm on the carriage, whose weight and inertia bend and twist the rail by moments: curvature
// and twist per length then have a step under the carriage, which its velocity must not have.
static const char with_arm[] =
    "limber: 1\nmaterials: {m: {E: 3 GPa, nu: 0.35, rho: 1400}}\n"
    "sections: {s: {shape: rectangle, y: 30 mm, z: 20 mm}}\nlinks:\n"
    "  - name: rail\n    joint: {type: fixed}\n"
    "    beam: {length: 1, section: s, material: m, elements: 8}\n"
    "  - name: trolley\n    joint: {type: prismatic, rail: beam}\n"
    "    body: {mass: 0.3, com: [0.03, 0.1, 0.02], inertia: [1e-3, 2e-3, 1.5e-3]}\n"
    "frames: [{name: hand, on: trolley, xyz: [0.1, -0.05, 0.15]}]\n"
    "configuration: {deformation: {rail: {tip: [0, 0.02, -0.02]}}}\n"
    "motion: {trolley: {profile: cycloidal, from: 0.13, to: 0.87, duration: 0.2}}\n"
    "solver: {method: rk4, step: 10 us, duration: 0.2}\n"
    "outputs: {every: 10 us, channels: [hand.velocity, trolley.base.velocity, trolley.position, energy]}\n";

// The largest step of a velocity from what a cubic through the four records before says, over its largest
// value: where the carriage comes to 0.5, and up to 50 records before.
static void steps_of(double out[2], const recorded *r, const char *name) {
  const double *s = recorded_channel(r, "trolley.position"), *v[3];
  double size = 0;
  int at = 0;
  recorded_vector(v, r, name);
  while (s[at] < 0.5) at++;
  out[0] = out[1] = 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < r->count; i++) size = fmax(size, fabs(v[k][i]));
    for (int i = at - 50; i <= at; i++) {
      const double step = v[k][i] - 4 * v[k][i - 1] + 6 * v[k][i - 2] - 4 * v[k][i - 3] + v[k][i - 4];
      out[i < at] = fmax(out[i < at], fabs(step));
    }
  }
  out[0] /= size;
  out[1] /= size;
}

static void arm_on_a_carriage_crosses_segments_without_a_jump(void **state) {
  (void)state;
  for (int segments = 1; segments <= 2; segments++) {
    recorded r = record_run(with_arm, (const char *[]){text("links.rail.beam.segments=%d", segments), NULL});
    double step[2];
    table_head(text("A carriage with an arm runs over the middle of a rail in %d segments", segments));
    steps_of(step, &r, "trolley.base.velocity");
    table_bound("velocity of the carriage: step there", step[0], 1e-6, "continuous");
    printf("%-52s %16.3e\n", "  before", step[1]);
    steps_of(step, &r, "hand.velocity");
    table_bound("velocity of the hand: step there", step[0], 1e-6, "continuous");
    printf("%-52s %16.3e\n", "  before", step[1]);
    table_bound("rms energy balance [%]", lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-4,
                "closed books");
    recorded_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduced_basis_misses_no_more_than_its_modes_leave_out),
      cmocka_unit_test(segments_rest_as_one_beam),
      cmocka_unit_test(modes_of_segments_converge),
      cmocka_unit_test(moving_mass_in_reduced_bases_converges),
      cmocka_unit_test(carriage_crosses_segments_without_a_jump),
      cmocka_unit_test(arm_on_a_carriage_crosses_segments_without_a_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
