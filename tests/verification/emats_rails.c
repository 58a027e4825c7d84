// emats_rails.c - the rails of the EMATS-like robot of FEDEM, which bend and sit on springs: what they add to
// the error of the tool under gravity, against a frame of Euler and Bernoulli's elements that is assembled
// here; their feet as springs; what they take from the frequencies.
#include "rail_frame_fixture.h"

static const double LENGTH = 5, HEIGHT = 2, START = -0.5, SLIDE_X = 3.75, SLIDE_Z = 1,
                    BESIDE = 0.2;                               // [m]; x, y of the rails
static const double FOOT = 0.02, STIFF = 2e6, STIFF_TURN = 2e4; // [m, N/m, N m/rad]

// --- the robot ---

#define EXACT_JOINTS                                                                                           \
  "drives.j1={type: prescribed}", "drives.j2={type: prescribed}", "drives.j3={type: prescribed}",              \
      "drives.j4={type: prescribed}", "drives.j5={type: prescribed}", "drives.j6={type: prescribed}",          \
      "drives.j7={type: prescribed}", "drives.j8={type: prescribed}"
#define WITHOUT_SHEAR                                                                                          \
  "links.upper_rail.beam.element=euler-bernoulli", "links.lower_rail.beam.element=euler-bernoulli",            \
      "links.gantry.beam.element=euler-bernoulli"
#define RIGID_SUPPORTS "links.upper_foot.basis={type: rigid}", "links.lower_foot.basis={type: rigid}"
#define RIGID_RAILS                                                                                            \
  RIGID_SUPPORTS, "links.upper_rail.basis={type: rigid}", "links.lower_rail.basis={type: rigid}",              \
      "links.gantry.basis={type: rigid}"
// A thousand times as stiff as they are.
#define STIFF_SPRINGS                                                                                          \
  "materials.support={E: 1e12, G: 1e12, rho: 1000 kg/m^3}", STIFF_SPRING("lower_m"), STIFF_SPRING("lower_e"),  \
      STIFF_SPRING("upper_m"), STIFF_SPRING("upper_e")
#define STIFF_SPRING(name) "bushings." name ".stiffness=[2e9, 2e9, 2e9, 2e7, 2e7, 2e7]"

static asked ask_emats(const char *const *set) {
  int count = 0;
  while (set[count]) count++;
  asked a = {0};
  lim_error err = {0};
  lim_code code = lim_model_load(&a.model, "models/emats.yaml", set, count, &err);
  if (code == LIM_OK) code = lim_study_new(&a.study, a.model, &err);
  answered(code, &err, "the model");
  return a;
}

static asked emats_static(const char *const *set) {
  asked a = ask_emats(set);
  lim_error err = {0};
  answered(lim_study_static(&a.answer, a.study, NULL, &err), &err, "static");
  return a;
}

enum { MODES = 10 };

// Motors locked.
static void emats_modes(double hz[MODES], const char *const *set) {
  asked a = ask_emats(set);
  lim_error err = {0};
  lim_modes_options options = lim_modes_options_default();
  options.count = MODES;
  options.joints = "locked";
  answered(lim_study_modes(&a.answer, a.study, &options, &err), &err, "modes");
  int count = 0;
  const double *f = lim_answer_array(a.answer, "frequencies_hz", &count);
  assert_int_equal(count, MODES);
  memcpy(hz, f, MODES * sizeof *hz);
  asked_free(&a);
}

// --- its gantry by finite elements ---

enum { UPPER = 0, LOWER = 5, COLUMN = 10, TOP = 12, NODES = 13 };

typedef struct {
  frame *f;
  frame_beam upper, lower, column;
} gantry;

static frame_section box(double y, double z, double wall) {
  const double E = 71e9, G = E / 2 / 1.33, rho = 2700, b = y - 2 * wall, c = z - 2 * wall, h = y - wall,
               w = z - wall, A = y * z - b * c, Iy = (y * z * z * z - b * c * c * c) / 12,
               Iz = (z * y * y * y - c * b * b * b) / 12, J = 2 * wall * h * h * w * w / (h + w);
  return (frame_section){E * A, G * J, E * Iy, E * Iz, rho * A, rho * (Iy + Iz), rho * Iy, rho * Iz};
}

// Springs at the offset x along a rail from one of its nodes.
static void support(frame *f, int node, double x, double across) {
  const double k[6] = {STIFF, across, across, STIFF_TURN, STIFF_TURN, STIFF_TURN};
  double rows[6][FRAME_MOST] = {{0}};
  for (int i = 0; i < 6; i++) rows[i][6 * node + i] = 1;
  frame_offset(rows, (double[3]){x, 0, 0});
  for (int r = 0; r < 6; r++)
    for (int i = 0; i < f->n; i++)
      for (int j = 0; j < f->n; j++) f->K[i][j] += k[r] * rows[r][i] * rows[r][j];
}

// A short beam is six springs in its middle: what bends it there yields by 1/k across, and by l^3/12EI more.
static void supports(frame *f, int first) {
  const double across = 1 / (1 / STIFF + FOOT * FOOT / (12 * STIFF_TURN));
  support(f, first, -FOOT / 2, across);
  support(f, first + 2, 0, STIFF);
  support(f, first + 4, 0, STIFF);
}

static gantry gantry_new(void) {
  const frame_section rail = box(0.12, 0.12, 0.004);
  gantry g = {.f = frame_new(NODES),
              .upper = {UPPER, 4, LENGTH, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, rail},
              .lower = {LOWER, 4, LENGTH, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, rail},
              .column = {COLUMN, 2, HEIGHT, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, box(0.15, 0.2, 0.0016)}};
  double rows[6][FRAME_MOST];
  frame_add(g.f, &g.upper);
  frame_add(g.f, &g.lower);
  frame_add(g.f, &g.column);
  supports(g.f, UPPER);
  supports(g.f, LOWER);
  for (int end = 0; end < 2; end++) { // wheels and shoe
    frame_section_rows(rows, &g.column, end * HEIGHT);
    frame_mass(g.f, rows, 0.504, (double[3]){0, 0, 0});
  }
  frame_section_rows(rows, &g.lower, SLIDE_X);
  for (int i = 0; i < 6; i++) frame_follow(g.f, 6 * COLUMN + i, rows[i]);
  frame_section_rows(rows, &g.upper, SLIDE_X);
  frame_follow(g.f, 6 * TOP + 1, rows[1]);
  frame_follow(g.f, 6 * TOP + 2, rows[2]);
  return g;
}

// Its own weight, and force and moment that the carriage puts on it.
static void loads(double p[FRAME_MOST], const gantry *g, double rows[6][FRAME_MOST], const double *force,
                  const double *moment) {
  for (int i = 0; i < g->f->n; i++) {
    p[i] = 0;
    for (int j = 2; j < g->f->n; j += 6) p[i] -= 9.81 * g->f->M[i][j];
    for (int k = 0; k < 3; k++) p[i] -= rows[k][i] * force[k] + rows[3 + k][i] * moment[k];
  }
}

// How far the tool moves when the carriage does.
static void carried(double out[3], const gantry *g, const asked *rigid) {
  const double *tool = three(rigid, "frames.tip.position"), *moved = displacement(rigid, "tip");
  double rows[6][FRAME_MOST], p[FRAME_MOST] = {0}, u[FRAME_MOST], arm[3];
  frame_section_rows(rows, &g->column, SLIDE_Z);
  frame_offset(rows, (double[3]){0, -BESIDE, 0});
  loads(p, g, rows, three(rigid, "joints.j8.force"), three(rigid, "joints.j8.moment"));
  frame_solve(u, g->f, p);
  const double carriage[3] = {START + SLIDE_X, 0, SLIDE_Z};
  for (int i = 0; i < 3; i++) arm[i] = tool[i] - moved[i] - carriage[i];
  frame_offset(rows, arm);
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int j = 0; j < g->f->n; j++) out[i] += rows[i][j] * u[j];
  }
}

static void rails_yield_as_their_frame(void **state) {
  (void)state;
#define FIRST_ORDER EXACT_JOINTS, WITHOUT_SHEAR, "gravity=[0, 0, -9.81]", "solver.geometry=linear"
  asked rigid = emats_static((const char *[]){FIRST_ORDER, RIGID_RAILS, NULL}),
        whole = emats_static((const char *[]){FIRST_ORDER, NULL});
  gantry g = gantry_new();
  double expected[3];
  carried(expected, &g, &rigid);
  table_head("Tool under gravity, joints exact: what bends below the carriage moves it [m], first order");
  for (int i = 0; i < 3; i++)
    table_row(text("%c", 'x' + i), displacement(&whole, "tip")[i] - displacement(&rigid, "tip")[i], expected[i],
              1e-6, "assembled frame");
  asked_free(&rigid);
  asked_free(&whole);
  free(g.f);
}

// --- feet ---

#define LIGHT                                                                                                  \
  "materials.support={E: 1e9, G: 1e9, rho: 1e-3 kg/m^3}",                                                      \
      "damping={ratio: 0}" // feet that are springs and nothing else

// Rigid feet that float, held by bushings in their middle: another way to the same rails.
static void feet_are_springs(void **state) {
  (void)state;
  double beams[MODES], floating[MODES];
  const double across = 1 / (1 / STIFF + FOOT * FOOT / (12 * STIFF_TURN));
  const char *const end = "[2e6, 2e6, 2e6, 2e4, 2e4, 2e4]";
  emats_modes(beams, (const char *[]){LIGHT, NULL});
  emats_modes(
      floating,
      (const char *[]){
          LIGHT, RIGID_SUPPORTS, "links.upper_foot.joint={type: free, origin: {xyz: [-0.52, 0.2, 2]}}",
          "links.lower_foot.joint={type: free, origin: {xyz: [-0.52, 0.2, 0]}}",
          "frames=[{name: lower_middle, on: lower_rail, at: 0.5}, {name: upper_middle, on: upper_rail, at: "
          "0.5}, "
          "{name: lower_wall, on: base, xyz: [2, 0.2, 0]}, {name: upper_wall, on: base, xyz: [2, 0.2, 2]}, "
          "{name: lower_end, on: base, xyz: [4.5, 0.2, 0]}, {name: upper_end, on: base, xyz: [4.5, 0.2, 2]}, "
          "{name: lower_foot_middle, on: lower_foot, at: 0.5}, "
          "{name: upper_foot_middle, on: upper_foot, at: 0.5}, "
          "{name: lower_start, on: base, xyz: [-0.51, 0.2, 0]}, "
          "{name: upper_start, on: base, xyz: [-0.51, 0.2, 2]}]",
          text("bushings=[{name: a, between: [lower_middle, lower_wall], stiffness: %s}, "
               "{name: b, between: [lower_rail.tip, lower_end], stiffness: %s}, "
               "{name: c, between: [upper_middle, upper_wall], stiffness: %s}, "
               "{name: d, between: [upper_rail.tip, upper_end], stiffness: %s}, "
               "{name: e, between: [lower_foot_middle, lower_start], stiffness: [2e6, %.17g, %.17g, 2e4, 2e4, "
               "2e4]}, "
               "{name: f, between: [upper_foot_middle, upper_start], stiffness: [2e6, %.17g, %.17g, 2e4, 2e4, "
               "2e4]}]",
               end, end, end, end, across, across, across, across),
          NULL});
  table_head("Motors locked: feet as short beams");
  for (int i = 0; i < MODES; i++)
    table_row(text("mode %d [Hz]", i + 1), beams[i], floating[i], 1e-9, "free joints on bushings");
}

// --- frequencies ---

static void what_gives_way_lowers_the_frequencies(void **state) {
  (void)state;
  double rigid[MODES], bend[MODES], springs[MODES];
  emats_modes(rigid, (const char *[]){RIGID_RAILS, NULL});
  emats_modes(bend, (const char *[]){STIFF_SPRINGS, NULL});
  emats_modes(springs, (const char *[]){NULL});
  printf("\nMotors locked [Hz]\n%8s %12s %12s %12s\n", "mode", "rigid", "bend", "on springs");
  for (int i = 0; i < MODES; i++) {
    printf("%8d %12.4f %12.4f %12.4f\n", i + 1, rigid[i], bend[i], springs[i]);
    assert_true(springs[i] < bend[i] && bend[i] < rigid[i]); // the same inertia, less stiffness
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rails_yield_as_their_frame),
      cmocka_unit_test(feet_are_springs),
      cmocka_unit_test(what_gives_way_lowers_the_frequencies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
