// slide_cantilever.c - a beam that slides through its joint, `slide: {free_length: beam}`: the motion of its
// tip, the force of its drive and its energy. Against the equation of the moving beam and against Lagrange's
// equations, both solved by slide_fixture.h.
#include "engine_fixture.h"
#include "slide_fixture.h"
#include "unit/analysis_fixture.h"

// A strip of 1.5 m, 3 mm thick: EI = 4.725 N m^2, rho A = 0.243 kg/m; shear and rotary inertia do not matter.
#define STRIP_OF(planar, gravity)                                                                              \
  "limber: 1\n" planar "gravity: " gravity "\nmaterials: {m: {E: 70 GPa, nu: 0, rho: 2700}}\n"                 \
  "sections: {s: {shape: general, A: 9e-5, Iy: 6.75e-11, Iz: 6.75e-11, J: 1.35e-10}}\nlinks:\n"
#define BEAM_OF(more)                                                                                          \
  "  - name: arm\n    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam" more "}}\n"         \
  "    beam: {length: 1.5, section: s, material: m, elements: 6, element: euler-bernoulli}\n"
#define SLIDER   STRIP_OF("planar: xy\n", "[0, -0.5, 0]") BEAM_OF("")
#define TIP_MASS "    masses: [{at: tip, mass: 0.1}]\n"
#define GUIDE    "  - {name: guide, joint: {axis: [0, 0, 1]}, body: {mass: 0.1, inertia: [0.02, 0.02, 0.02]}}\n"

static const slide_beam STRIP_BEAM = {.EI = 4.725, .rho_A = 0.243, .length = 1.5, .g = 0.5};

enum { EVERY = 40 }; // records of 0.25 ms between comparisons: 10 ms
#define STEP 0.25e-3

// --- the references against each other ---

static const slide_stroke OUT = {0.5, 0.3, 0}, IN = {1.1, -0.3, 0}, OUT_FAST = {0.5, 0.75, 0.8},
                          IN_FAST = {1.1, -0.75, 0.8};

// The equation of the moving beam and Lagrange's equations; work of the drive against energy.
static void both_references_agree(void **state) {
  (void)state;
  const slide_stroke stroke[] = {IN, OUT_FAST};
  table_head("Moving-beam equation against Lagrange's, tip of the strip with 0.1 kg");
  for (int i = 0; i < 2; i++) {
    moving_beam beam = {STRIP_BEAM, stroke[i]};
    beam.beam.mass = 0.1;
    sliding_arm arm = {.beam = beam.beam, .given = {true, true}, .stroke = {{0}, stroke[i]}};
    double y[2 * SHAPES] = {0}, z[2 * SLIDE_ALL] = {0}, a[SLIDE_ALL], effort[2], tip[2], worst = 0, largest = 0,
                 work = 0, peak = 0, h = 2e-3;
    sliding_place(z, z + SLIDE_ALL, &arm, 0);
    double energy = sliding_total(&arm, z);
    for (int k = 0; k < 500; k++) {
      for (int part = 0; part < 3; part++) { // Simpson's rule
        if (part) sliding_advance(z, &arm, h * (k + 0.5 * (part - 1)), h / 2, 10);
        sliding_solve(a, effort, &arm, h * (k + 0.5 * part), z, z + SLIDE_ALL);
        work += h / 6 * (part == 1 ? 4 : 1) * effort[1] * z[SLIDE_ALL + 1];
      }
      moving_beam_advance(y, &beam, h * k, h, 20);
      sliding_tip(tip, z);
      worst = fmax(worst, fabs(tip[1] - moving_beam_tip(y)));
      largest = fmax(largest, fabs(tip[1]));
      peak = fmax(peak, fabs(sliding_total(&arm, z)));
    }
    table_bound(i ? "out: off, over the largest" : "in: off, over the largest", worst / largest, 1e-3,
                "Lagrange");
    table_bound("Lagrange: energy less work, over the largest energy",
                (sliding_total(&arm, z) - energy - work) / peak, 1e-4, "balance");
  }
}

// --- the tip against the equation of the moving beam ---

enum { MOMENTS = 201, BEAMS = 8 }; // of the comparisons; references at most

typedef struct {
  moving_beam beam;
  double tip[MOMENTS];
} reference;

// Where the tip is every EVERY STEP, solved once for each beam.
static const double *reference_of(const moving_beam *beam) {
  static reference known[BEAMS];
  static int count;
  for (int i = 0; i < count; i++)
    if (!memcmp(&known[i].beam, beam, sizeof *beam)) return known[i].tip;
  assert_true(count < BEAMS);
  reference *x = &known[count++];
  double y[2 * SHAPES] = {0}, h = EVERY * STEP;
  memcpy(&x->beam, beam, sizeof *beam);
  for (int k = 0; k < MOMENTS; k++) {
    if (k) moving_beam_advance(y, beam, h * (k - 1), h, 120);
    x->tip[k] = moving_beam_tip(y);
  }
  return x->tip;
}

typedef struct {
  moving_beam beam;
  const double *tip;
  double across[3]; // direction of the deflection in the world
  double worst, largest;
  double length; // largest difference to the stroke
  long records;
} tip_watch;

static void watch_tip(void *user, const lim_snapshot *m) {
  tip_watch *w = user;
  long k = w->records++;
  if (k % EVERY) return;
  assert_true(k / EVERY < MOMENTS);
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  double v = 0;
  for (int i = 0; i < 3; i++) v += w->across[i] * tip.p[i];
  double exact = w->tip[k / EVERY];
  w->worst = fmax(w->worst, fabs(v - exact));
  w->largest = fmax(w->largest, fabs(exact));
  w->length = fmax(w->length, fabs(tip.p[0] - slide_at(w->beam.stroke, m->t).x));
}

static void tip_matches(const char *what, const char *text, const moving_beam *beam, const double across[3],
                        const char *const *set) {
  tip_watch w = {.beam = *beam, .tip = reference_of(beam), .across = {across[0], across[1], across[2]}};
  observation o = {.watch = watch_tip, .user = &w};
  char line[120];
  observe(&o, text, set);
  assert_true(w.records > 100 * EVERY);
  snprintf(line, sizeof line, "%s: off, over %.2f mm", what, 1e3 * w.largest);
  table_bound(line, w.worst / w.largest, 5e-3, "moving-beam equation");
  snprintf(line, sizeof line, "%s: length off [m]", what);
  table_bound(line, w.length, 1e-3, "stroke, but for the shortening");
  snprintf(line, sizeof line, "%s: rms balance [%%]", what);
  table_bound(line, o.run.balance_percent_rms, 1e-4, "closed books");
}

static const double ALONG_Y[3] = {0, 1, 0};
#define MOVE_OUT      "configuration: {arm: 0.5}\nmotion: {arm: {profile: speed, value: 0.3}}\n"
#define MOVE_IN       "configuration: {arm: 1.1}\nmotion: {arm: {profile: speed, value: -0.3}}\n"
#define MOVE_OUT_FAST "motion: {arm: {profile: cycloidal, from: 0.5, to: 1.1, duration: 0.8}}\n"
#define MOVE_IN_FAST  "motion: {arm: {profile: cycloidal, from: 1.1, to: 0.5, duration: 0.8}}\n"

static const char *with_solver(char *text, size_t buffer, const char *model, double duration) {
  snprintf(text, buffer, "%ssolver: {duration: %g, step: %g, tolerance: 1e-12}\n", model, duration, STEP);
  return text;
}

static void constant_axial_speed_matches_the_moving_beam(void **state) {
  (void)state;
  char text[2000];
  moving_beam out = {STRIP_BEAM, OUT}, in = {STRIP_BEAM, IN};
  table_head("Strip under a weight across it, 0.3 m/s, 2 s, tip");
  tip_matches("0.5 to 1.1 m", with_solver(text, sizeof text, SLIDER MOVE_OUT, 2), &out, ALONG_Y, NULL);
  tip_matches("1.1 to 0.5 m", with_solver(text, sizeof text, SLIDER MOVE_IN, 2), &in, ALONG_Y, NULL);
}

static void bases_and_elements_agree_on_the_moving_beam(void **state) {
  (void)state;
  static const char *const rows[][2] = {{"4 modes", "links.arm.basis={type: modes, count: 4}"},
                                        {"4 elements", "links.arm.beam.elements=4"},
                                        {"12 elements", "links.arm.beam.elements=12"},
                                        {"flexible behind", "links.arm.joint.slide.behind=flexible"},
                                        {"newmark", "solver.method=newmark"}};
  moving_beam out = {STRIP_BEAM, OUT};
  char text[2000];
  with_solver(text, sizeof text, SLIDER MOVE_OUT, 2);
  table_head("Strip under a weight across it, 0.5 to 1.1 m at 0.3 m/s, tip");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    tip_matches(rows[i][0], text, &out, ALONG_Y, (const char *[]){rows[i][1], NULL});
}

static void accelerated_axial_motion_matches_the_moving_beam(void **state) {
  (void)state;
  char text[2000];
  moving_beam out = {STRIP_BEAM, OUT_FAST}, in = {STRIP_BEAM, IN_FAST};
  table_head("Strip under a weight across it, cycloid of 0.8 s, tip");
  tip_matches("0.5 to 1.1 m", with_solver(text, sizeof text, SLIDER MOVE_OUT_FAST, 2), &out, ALONG_Y, NULL);
  tip_matches("1.1 to 0.5 m", with_solver(text, sizeof text, SLIDER MOVE_IN_FAST, 2), &in, ALONG_Y, NULL);
}

static void tip_mass_matches_the_moving_beam(void **state) {
  (void)state;
  char text[2000];
  moving_beam out = {STRIP_BEAM, OUT_FAST}, in = {STRIP_BEAM, IN};
  out.beam.mass = in.beam.mass = 0.1;
  table_head("Strip with 0.1 kg at its tip, tip");
  tip_matches("0.5 to 1.1 m, cycloid", with_solver(text, sizeof text, SLIDER TIP_MASS MOVE_OUT_FAST, 2), &out,
              ALONG_Y, NULL);
  tip_matches("1.1 to 0.5 m, 0.3 m/s", with_solver(text, sizeof text, SLIDER TIP_MASS MOVE_IN, 2), &in, ALONG_Y,
              NULL);
}

static void skew_plane_matches_the_moving_beam(void **state) {
  (void)state;
  char text[2000];
  moving_beam out = {STRIP_BEAM, OUT};
  table_head("Strip of equal stiffness about y and z, weight askew, 0.5 to 1.1 m at 0.3 m/s, tip");
  with_solver(text, sizeof text, STRIP_OF("", "[0, -0.3, -0.4]") BEAM_OF("") MOVE_OUT, 2);
  tip_matches("along the weight", text, &out, (const double[3]){0, 0.6, 0.8}, NULL);
}

// --- the force of the drive ---

// Held, with a force across its tip: U - F v = -F^2 l^3/(6 EI), so that the beam pushes out with F^2 l^2/(2
// EI).
static void held_beam_pushes_out_with_the_configurational_force(void **state) {
  (void)state;
  static const double lengths[] = {0.4, 0.8, 1.2};
  table_head("Force of the drive that holds the strip, 0.2 N across its tip [N]");
  for (int i = 0; i < 3; i++) {
    char text[2000], what[80];
    snprintf(text, sizeof text,
             STRIP_OF("planar: xy\n", "[0, 0, 0]") BEAM_OF("") "configuration: {arm: %g}\n"
                                                               "drives: {arm: {type: prescribed}}\n"
                                                               "loads: [{at: tip, force: [0, 0.2, 0]}]\n",
             lengths[i]);
    rest r = rest_of(text);
    double moment = 0.2 * lengths[i];
    snprintf(what, sizeof what, "l = %g m", lengths[i]);
    table_row(what, r.s->joints.item[0].effort, -moment * moment / (2 * STRIP_BEAM.EI), 5e-3,
              "-1/2 EI kappa^2");
    snprintf(what, sizeof what, "l = %g m: deflection [m]", lengths[i]);
    table_row(what, frame_of(r, "tip")->displacement[1], moment * lengths[i] * lengths[i] / (3 * STRIP_BEAM.EI),
              5e-3, "F l^3/(3 EI)");
    rest_free(r);
  }
}

typedef struct {
  sliding_arm arm;
  double y[2 * SLIDE_ALL];
  int links; // bodies before the strip: 0 or 1
  long records;
  double momentum, before; // along the guide, one comparison ago and two
  double curvature, told;  // one comparison ago: 1/2 EI kappa^2, effort of the engine
  double worst[6],
      largest[6];   // effort of the guide, of the slide, its formula; angle; deflection; 1/2 EI kappa^2
  double length[2]; // first and last of the engine
} arm_watch;

enum { TORQUE, FORCE, FORMULA, ANGLE, DEFLECTION, CURVATURE };

static void note(arm_watch *w, int k, double computed, double exact) {
  w->worst[k] = fmax(w->worst[k], fabs(computed - exact));
  w->largest[k] = fmax(w->largest[k], fabs(exact));
}

// d/dt of the momentum along the guide is what the drive does and 1/2 EI kappa^2, which the guide does.
static void watch_formula(arm_watch *w, double effort) {
  double p = sliding_momentum(&w->arm, w->y), kappa = moving_beam_curvature(w->y + 2, w->y[1]);
  if (w->records > 2 * EVERY) note(w, FORMULA, w->told, (p - w->before) / (2 * EVERY * STEP) - w->curvature);
  w->before = w->momentum;
  w->momentum = p;
  w->curvature = w->arm.beam.EI * kappa * kappa / 2;
  note(w, CURVATURE, 0, w->curvature);
  w->told = effort;
}

static void watch_arm(void *user, const lim_snapshot *m) {
  arm_watch *w = user;
  const lim_arm *s = m->system;
  long k = w->records++;
  int slide = s->bodies[s->first_body[w->links]].q;
  w->length[1] = m->q[slide];
  if (k == 0) w->length[0] = m->q[slide];
  if (k % EVERY) return;
  if (k) sliding_advance(w->y, &w->arm, m->t - EVERY * STEP, EVERY * STEP, 100);
  double a[SLIDE_ALL], effort[2], tip[2];
  sliding_solve(a, effort, &w->arm, m->t, w->y, w->y + SLIDE_ALL);
  sliding_tip(tip, w->y);
  lim_world_motion at = lim_snapshot_site(m, &s->site[0].site);
  double angle = w->links ? m->q[s->bodies[0].q] : 0, v = cos(angle) * at.p[1] - sin(angle) * at.p[0];
  if (w->links) note(w, TORQUE, m->effort[s->bodies[0].q], effort[0]);
  if (w->links) note(w, ANGLE, angle, w->y[0]);
  note(w, FORCE, m->effort[slide], effort[1]);
  note(w, DEFLECTION, v, tip[1]);
  if (w->links == 0) watch_formula(w, m->effort[slide]);
}

static arm_watch arm_run(const char *text, const sliding_arm *arm, const double *start, int links,
                         const char *const *set) {
  arm_watch w = {.arm = *arm, .links = links};
  memcpy(w.y, start, sizeof w.y);
  observation o = {.watch = watch_arm, .user = &w};
  observe(&o, text, set);
  assert_true(w.records > 50 * EVERY);
  table_bound("rms balance [%]", o.run.balance_percent_rms, 1e-4, "closed books");
  table_bound("deflection of the tip, over its largest", w.worst[DEFLECTION] / w.largest[DEFLECTION], 0.01,
              "Lagrange");
  return w;
}

// Enough weight for the bent beam to matter beside its inertia. From rest under its weight: a sudden weight
// rings in all modes, of which the curvature at the guide shows ever more.
static void drive_feels_the_configurational_force(void **state) {
  (void)state;
  char text[2000];
  sliding_arm arm = {.beam = STRIP_BEAM, .given = {true, true}, .stroke = {{0}, OUT}};
  arm.beam.g = 2;
  double start[2 * SLIDE_ALL] = {0};
  sliding_place(start, start + SLIDE_ALL, &arm, 0);
  const double l = start[1], sag = arm.beam.rho_A * arm.beam.g * l * l * l * l / (24 * arm.beam.EI);
  start[2] = -6 * sag; // xi^2, xi^3, xi^4
  start[3] = 4 * sag;
  start[4] = -sag;
  table_head("Strip under 2 m/s^2 across it, 0.5 to 1.1 m at 0.3 m/s");
  with_solver(text, sizeof text, STRIP_OF("planar: xy\n", "[0, -2, 0]") BEAM_OF("") MOVE_OUT, 2);
  arm_watch w = arm_run(text, &arm, start, 0, (const char *[]){"solver.start=equilibrium", NULL});
  table_bound("force of the drive, over its largest", w.worst[FORCE] / w.largest[FORCE], 5e-3, "Lagrange");
  table_bound("the same", w.worst[FORMULA] / w.largest[FORMULA], 0.02, "dp/dt - 1/2 EI kappa^2");
  printf("%-52s %16.3e\n", "1/2 EI kappa^2 at most, over the largest force",
         w.largest[CURVATURE] / w.largest[FORCE]);
  assert_true(w.largest[CURVATURE] > 0.5 * w.largest[FORCE]);
}

// Nothing drives it: what moves it out is the force at the guide alone.
static void free_slide_is_pushed_out_by_bending(void **state) {
  (void)state;
  char text[2000];
  sliding_arm arm = {.beam = STRIP_BEAM, .given = {true, false}};
  arm.beam.g = 2;
  arm.beam.mass = 0.3;
  double start[2 * SLIDE_ALL] = {0};
  start[1] = 0.8;
  table_head("Free strip, 0.3 kg at its tip, under 2 m/s^2 across it, 1 s");
  with_solver(text, sizeof text,
              STRIP_OF("planar: xy\n", "[0, -2, 0]")
                  BEAM_OF("") "    masses: [{at: tip, mass: 0.3}]\nconfiguration: {arm: 0.8}\n"
                              "drives: {arm: {type: free}}\n",
              1);
  arm_watch w = arm_run(text, &arm, start, 0, NULL);
  table_row("way out [m]", w.length[1] - w.length[0], w.y[1] - 0.8, 0.01, "Lagrange");
  assert_true(w.length[1] - w.length[0] > 0.02);
}

static void force_driven_slide_matches_lagrange(void **state) {
  (void)state;
  char text[2000];
  sliding_arm arm = {.beam = STRIP_BEAM, .given = {true, false}, .effort = {0, 0.4}};
  arm.beam.g = 1;
  double start[2 * SLIDE_ALL] = {0};
  start[1] = 0.6;
  table_head("Strip pushed out by 0.4 N, under 1 m/s^2 across it, 0.9 s");
  with_solver(text, sizeof text,
              STRIP_OF("planar: xy\n", "[0, -1, 0]")
                  BEAM_OF("") "configuration: {arm: 0.6}\ndrives: {arm: {type: effort, effort: 0.4}}\n",
              0.9);
  arm_watch w = arm_run(text, &arm, start, 0, NULL);
  table_row("way out [m]", w.length[1] - w.length[0], w.y[1] - 0.6, 0.005, "Lagrange");
}

// --- a guide that turns ---

static void slide_in_a_turning_guide_matches_lagrange(void **state) {
  (void)state;
  char text[2000];
  sliding_arm arm = {
      .beam = STRIP_BEAM, .given = {true, true}, .stroke = {{0, M_PI / 3 / 2.4, 2.4}, {0.6, 0.5 / 2.4, 2.4}}};
  arm.beam.g = 0;
  arm.beam.mass = 0.1;
  arm.beam.hub = 0.02;
  double start[2 * SLIDE_ALL] = {0};
  sliding_place(start, start + SLIDE_ALL, &arm, 0);
  table_head("Guide turns by 60 degrees, strip with 0.1 kg slides from 0.6 to 1.1 m, cycloids of 2.4 s");
  with_solver(text, sizeof text,
              STRIP_OF("planar: xy\n", "[0, 0, 0]") GUIDE BEAM_OF("") TIP_MASS
              "motion:\n  guide: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.4}\n"
              "  arm: {profile: cycloidal, from: 0.6, to: 1.1, duration: 2.4}\n",
              2.6);
  arm_watch w = arm_run(text, &arm, start, 1, NULL);
  table_bound("torque of the guide, over its largest", w.worst[TORQUE] / w.largest[TORQUE], 0.01, "Lagrange");
  table_bound("force of the slide, over its largest", w.worst[FORCE] / w.largest[FORCE], 0.01, "Lagrange");
}

// The guide turns freely; the strip is thrown out.
static void free_guide_throws_the_strip_out(void **state) {
  (void)state;
  char text[2000];
  sliding_arm arm = {.beam = STRIP_BEAM};
  arm.beam.g = 0;
  arm.beam.hub = 0.02;
  arm.effort[0] = 0.05;
  double start[2 * SLIDE_ALL] = {0};
  start[1] = 0.8;
  start[SLIDE_ALL] = 1;
  table_head("Guide turns at 1 rad/s, driven by 0.05 N m, strip free, from 0.8 m, 1 s");
  with_solver(text, sizeof text,
              STRIP_OF("planar: xy\n", "[0, 0, 0]")
                  GUIDE BEAM_OF("") "configuration: {guide: {position: 0, velocity: 1}, arm: 0.8}\n"
                                    "drives: {guide: {type: effort, effort: 0.05}, arm: {type: free}}\n",
              1);
  arm_watch w = arm_run(text, &arm, start, 1, NULL);
  table_row("way out [m]", w.length[1] - w.length[0], w.y[1] - 0.8, 0.005, "Lagrange");
  table_bound("angle of the guide, over its largest", w.worst[ANGLE] / w.largest[ANGLE], 0.002, "Lagrange");
}

// --- the ends of the stroke ---

// Rms balance [%] of the strip in to nothing and out again, from its equilibrium: of a vibration, the frequency
// and so the energy grow by (0.6 m / 15 mm)^2 until no step follows it.
static double retracts(const char *from, double step) {
  char text[2000];
  snprintf(text, sizeof text,
           SLIDER "motion:\n  arm:\n"
                  "    - {profile: cycloidal, from: %s, to: 0, duration: 1}\n"
                  "    - {profile: cycloidal, from: 0, to: 0.6, duration: 1}\n"
                  "solver: {duration: 2.5, step: %g, tolerance: 1e-12, start: equilibrium}\n",
           from, step);
  observation o = {0};
  observe(&o, text, (const char *[]){"links.arm.basis={type: modes, count: 4}", NULL});
  assert_true(o.run.status == LIM_RUN_DONE && o.t > 2.49);
  table_row("tip along the guide at the end [m]", o.tip[0], 0.6, 1e-4, "stroke");
  double sag = STRIP_BEAM.rho_A * STRIP_BEAM.g * pow(0.6, 4) / (8 * STRIP_BEAM.EI);
  table_row("tip across it [m]", o.tip[1], -sag, 0.01, "rho A g l^4/(8 EI)");
  return o.run.balance_percent_rms;
}

static void retracting_to_nothing_and_out_again_balances(void **state) {
  (void)state;
  table_head("Strip in to nothing and out again, 4 modes");
  double coarse = retracts("0.6", 0.5e-3), fine = retracts("0.6", 0.25e-3), out = retracts("0", 0.5e-3);
  table_bound("from 0.6 m, steps of 0.5 ms: rms balance [%]", coarse, 1e-4, "closed books");
  table_bound("0.25 ms", fine, 1e-4, "closed books");
  table_row("order in the step", log2(coarse / fine), 2, 0.1, "generalized-alpha");
  table_bound("from 0, rest, out to 0.6 m: rms balance [%]", out, 1e-4, "closed books");
}

// What a run says that has to fail.
static void fails(const char *text, const char *part) {
  lim_error err = {0};
  lim_model *model = NULL;
  observation o = {0};
  lim_code code = lim_model_parse(&model, text, (long)strlen(text), "test.yaml", NULL, 0, &err);
  lim_model_free(model);
  if (code == LIM_OK) code = observe_code(&o, text, NULL, &err);
  assert_true(code != LIM_OK);
  assert_true(err.kept > 0);
  printf("%s\n", err.note[0].text);
  assert_non_null(strstr(err.note[0].text, part));
  lim_error_clear(&err);
}

static void leaving_the_guide_is_an_error(void **state) {
  (void)state;
  printf("\nStrip of 1.5 m that leaves its guide\n");
  fails(SLIDER "motion: {arm: {profile: cycloidal, from: 0.5, to: 1.6, duration: 1}}\n"
               "solver: {duration: 1, step: 1 ms}\n",
        "arm");
  fails(SLIDER "motion: {arm: {profile: cycloidal, from: 0.5, to: -0.1, duration: 1}}\n"
               "solver: {duration: 1, step: 1 ms}\n",
        "arm");
  fails(SLIDER "configuration: {arm: 1.3}\ndrives: {arm: {type: effort, effort: 1}}\n"
               "solver: {duration: 2, step: 1 ms}\n",
        "arm");
  fails(SLIDER "configuration: {arm: 0.2}\ndrives: {arm: {type: effort, effort: -1}}\n"
               "solver: {duration: 2, step: 1 ms}\n",
        "arm");
  fails(SLIDER "configuration: {arm: 1.7}\nsolver: {duration: 1, step: 1 ms}\n", "arm");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_references_agree),
      cmocka_unit_test(constant_axial_speed_matches_the_moving_beam),
      cmocka_unit_test(bases_and_elements_agree_on_the_moving_beam),
      cmocka_unit_test(accelerated_axial_motion_matches_the_moving_beam),
      cmocka_unit_test(tip_mass_matches_the_moving_beam),
      cmocka_unit_test(skew_plane_matches_the_moving_beam),
      cmocka_unit_test(held_beam_pushes_out_with_the_configurational_force),
      cmocka_unit_test(drive_feels_the_configurational_force),
      cmocka_unit_test(free_slide_is_pushed_out_by_bending),
      cmocka_unit_test(force_driven_slide_matches_lagrange),
      cmocka_unit_test(slide_in_a_turning_guide_matches_lagrange),
      cmocka_unit_test(free_guide_throws_the_strip_out),
      cmocka_unit_test(retracting_to_nothing_and_out_again_balances),
      cmocka_unit_test(leaving_the_guide_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
