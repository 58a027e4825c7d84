// rail_moving_mass.c - a mass that runs over a simply supported rail, driven at a constant speed below and
// above the critical one, and rolling by itself, against a Galerkin solution in sines with all convective
// terms.
//
// The beam is w(x, t) = sum of q_n sin(n pi x/L), upwards; the mass m at x(t) rides on it, z = w(x(t), t), and
// presses by N = m (z'' + g):
//
//   z'' = w_tt + 2 x' w_xt + x'^2 w_xx + x'' w_x
//   M_n q_n'' + K_n q_n = -N sin(n pi x/L),   M_n = rho A L/2,  K_n = EI (n pi/L)^4 L/2
//   x'' = -N w_x/m  where it rolls by itself, else 0.
//
// x is where the mass is in space; along the axis of the beam it has then come s = x + 1/2 int w_x^2 dx.
#include "rail_fixture.h"

// E is such that the critical speed pi/L sqrt(EI/rho A) is 10 m/s.
static const double L = 1, LINE = 1.56, IY = 1e-8 / 6, CRITICAL = 10, GRAVITY = 9.81;

static const char rail[] =
    "limber: 1\nplanar: xz\ngravity: [0, 0, 0]\n"
    "links:\n"
    "  - name: rail\n    joint: {axis: [0, 1, 0]}\n"
    "    beam: {length: 1, section: s, material: m, element: euler-bernoulli, rotary: off}\n"
    "  - {name: trolley, joint: {type: prismatic, rail: beam}, body: {}}\n"
    "frames: [{name: far, on: base, xyz: [1, 0, 0]}, {name: mid, on: rail, at: 0.5}]\n"
    "loops: [{name: roller, type: point-on-line, between: [far, rail.tip], axis: [1, 0, 0]}]\n"
    "outputs:\n  channels: [trolley.base.position, trolley.base.velocity, mid.position, trolley.position, "
    "trolley.velocity, energy]\n";

// --- the reference ---

enum { MODES = 80, RECORDS = 200 };

typedef struct {
  int modes, elements;
  double mass, speed, gravity; // of the mass; where it starts
  bool rolls;                  // by itself
  bool heavy;                  // the beam bears its own weight, and starts at rest under it
  double area;                 // of the section: how stiff it is along; the reference is not stretched
} passage;

#define USUAL .modes = MODES, .elements = 24, .area = 2e-4

typedef struct {
  double q[MODES], v[MODES], x, u; // u = x'
} galerkin;

// Of every record, from 0: under the mass, at the middle; place and speed of the mass in space and along the
// rail.
typedef struct {
  double under[RECORDS + 1], middle[RECORDS + 1], x[RECORDS + 1], u[RECORDS + 1], along[RECORDS + 1];
} reference;

static double stiffness(int n) { return pow(n * M_PI / L, 4) * pow(CRITICAL * L / M_PI, 2) * LINE * L / 2; }

// Weight of the beam in shape n.
static double own_weight(const passage *p, int n) {
  return p->heavy && n % 2 ? -LINE * p->gravity * 2 * L / (n * M_PI) : 0;
}

static void rates(galerkin *d, const galerkin *y, const passage *p) {
  const double M = LINE * L / 2, m = p->mass;
  double f[MODES], phi[MODES], yields = 0, slope = 0, rest = 0, s = 0, c = 1;
  const double s1 = sin(M_PI * y->x / L), c1 = cos(M_PI * y->x / L);
  for (int i = 0; i < p->modes; i++) {
    const double k = (i + 1) * M_PI / L, before = c;
    c = c * c1 - s * s1; // of k x
    s = s * c1 + before * s1;
    phi[i] = s;
    f[i] = own_weight(p, i + 1) - stiffness(i + 1) * y->q[i];
    yields += m * s * s / M;
    slope += k * c * y->q[i];
    rest += s * f[i] / M + 2 * y->u * k * c * y->v[i] - y->u * y->u * k * k * s * y->q[i];
  }
  if (p->rolls) yields += slope * slope;
  const double N = m * (rest + p->gravity) / (1 + yields); // z'' = rest - yields N/m
  for (int i = 0; i < p->modes; i++) {
    d->q[i] = y->v[i];
    d->v[i] = (f[i] - N * phi[i]) / M;
  }
  d->x = y->u;
  d->u = p->rolls ? -N * slope / m : 0;
}

static void add(galerkin *out, const galerkin *y, const galerkin *d, double h, int modes) {
  for (int i = 0; i < modes; i++) {
    out->q[i] = y->q[i] + h * d->q[i];
    out->v[i] = y->v[i] + h * d->v[i];
  }
  out->x = y->x + h * d->x;
  out->u = y->u + h * d->u;
}

static void runge_kutta(galerkin *y, double h, const passage *p) {
  galerkin a, b, c, d, at;
  rates(&a, y, p);
  add(&at, y, &a, h / 2, p->modes);
  rates(&b, &at, p);
  add(&at, y, &b, h / 2, p->modes);
  rates(&c, &at, p);
  add(&at, y, &c, h, p->modes);
  rates(&d, &at, p);
  add(y, y, &a, h / 6, p->modes);
  add(y, y, &b, h / 3, p->modes);
  add(y, y, &c, h / 3, p->modes);
  add(y, y, &d, h / 6, p->modes);
}

static double deflection(const galerkin *y, double x, int modes) {
  double w = 0;
  for (int i = 0; i < modes; i++) w += y->q[i] * sin((i + 1) * M_PI * x / L);
  return w;
}

// d/dt of x + 1/2 int_0^x w_x^2, by Simpson's rule.
static double speed_along(const galerkin *y, int modes) {
  enum { PARTS = 400 };
  double total = 0, slope = 0;
  for (int j = 0; j <= PARTS; j++) {
    double turning = 0;
    slope = 0;
    for (int i = 0; i < modes; i++) {
      const double k = (i + 1) * M_PI / L, c = k * cos(k * y->x * j / PARTS);
      slope += c * y->q[i];
      turning += c * y->v[i];
    }
    total += (j == 0 || j == PARTS ? 1 : j % 2 ? 4 : 2) * slope * turning * y->x / PARTS / 3;
  }
  return y->u + slope * slope / 2 * y->u + total;
}

// Records at even times until `end`, by steps of a quarter of what the highest mode bears.
static void solve(reference *r, const passage *p, double end) {
  galerkin y = {.u = p->speed};
  for (int i = 0; i < p->modes; i++) y.q[i] = own_weight(p, i + 1) / stiffness(i + 1);
  const double fastest = sqrt(stiffness(p->modes) / (LINE * L / 2)), every = end / RECORDS;
  const int steps = (int)ceil(every * fastest / 0.7);
  for (int k = 0; k <= RECORDS; k++) {
    r->under[k] = deflection(&y, y.x, p->modes);
    r->middle[k] = deflection(&y, L / 2, p->modes);
    r->x[k] = y.x;
    r->u[k] = y.u;
    if (p->rolls) r->along[k] = speed_along(&y, p->modes);
    for (int i = 0; i < steps && k < RECORDS; i++) runge_kutta(&y, every / steps, p);
  }
}

// Largest difference over the largest value.
static double off(const double *a, const double *b) {
  double worst = 0, size = 0;
  for (int k = 0; k <= RECORDS; k++) {
    worst = fmax(worst, fabs(a[k] - b[k]));
    size = fmax(size, fabs(b[k]));
  }
  return worst / size;
}

// --- runs ---

// The same passage with limber. `solver` ends a list of the solver's keys.
static recorded run(const passage *p, double end, const char *solver) {
  const char *set[] = {
      text("materials={m: {E: %.17g, nu: 0.3, rho: %.17g}}", pow(CRITICAL * L / M_PI, 2) * LINE / IY,
           LINE / p->area),
      text("sections={s: {shape: general, A: %.17g, Iy: %.17g, Iz: %.17g}}", p->area, IY, IY),
      text("links.trolley.body.mass=%.17g", p->mass),
      text("links.rail.beam.elements=%d", p->elements),
      p->heavy ? text("gravity=[0, 0, %.17g]", -p->gravity)
               : text("loads=[{at: trolley.base, force: [0, 0, %.17g]}]", -p->mass * p->gravity),
      p->rolls ? text("configuration={trolley: {position: 0, velocity: %.17g}}", p->speed)
               : text("motion={trolley: {profile: speed, value: %.17g}}", p->speed),
      text("solver={duration: %.17g, start: %s, %s}", end, p->heavy ? "equilibrium" : "undeformed", solver),
      text("outputs.every=%.17g", end / RECORDS),
      NULL};
  recorded r = record_run(rail, set);
  assert_int_equal(r.count, RECORDS + 1);
  return r;
}

static const char fixed_steps[] = "method: generalized-alpha, rho_inf: 1, step: %.17g, tolerance: 1e-12",
                  tight[] = "method: cvode, tolerance: 1e-8";

static void print_peak(const double *w) {
  double low = 0;
  for (int k = 0; k <= RECORDS; k++) low = fmin(low, w[k]);
  printf("%-52s %16.9g\n", "lowest place of the mass [m]", low);
}

// Rows of one passage with one method. Returns how far off it is under the mass.
static double compare(const passage *p, double end, const char *name, const char *solver) {
  static reference x;
  solve(&x, p, end);
  recorded r = run(p, end, solver);
  const double *z = recorded_channel(&r, "trolley.base.position.z");
  print_peak(z);
  const double under = off(z, x.under);
  table_bound(text("%s: under the mass, off over peak", name), under, 2e-3, "Galerkin, 80 sines");
  table_bound(text("%s: middle, off over peak", name), off(recorded_channel(&r, "mid.position.z"), x.middle),
              2e-3, "Galerkin, 80 sines");
  table_bound(text("%s: rms energy balance [%%]", name),
              lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-4, "closed books");
  recorded_free(&r);
  return under;
}

// A smaller weight makes deflections of 1e-4 L, whose squares do not matter. All is linear in it.
static const double LIGHT = 0.2;

static void galerkin_solution_has_converged(void **state) {
  (void)state;
  static reference few, more, most;
  const passage p = {.mass = 0.5 * LINE * L, .speed = 12, .gravity = LIGHT, .modes = 20};
  passage q = p, s = p;
  q.modes = 40;
  s.modes = 80;
  const double end = L / p.speed;
  solve(&few, &p, end);
  solve(&more, &q, end);
  solve(&most, &s, end);
  table_head(
      "Galerkin solutions at 1.2 of the critical speed, half the mass of the rail: off that of 80 sines");
  table_bound("20 sines, under the mass", off(few.under, most.under), 2e-3, "what is claimed");
  table_bound("40 sines, under the mass", off(more.under, most.under), 4e-4, "a fifth of what is claimed");
  table_bound("40 sines, middle", off(more.middle, most.middle), 4e-4, "a fifth of what is claimed");
}

static void driven_mass_moves_as_galerkin_says(void **state) {
  (void)state;
  static const double speeds[] = {0.5, 1.2}, masses[] = {0.2, 0.5};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      const passage p = {USUAL, .mass = masses[k] * LINE * L, .speed = speeds[i] * CRITICAL, .gravity = LIGHT};
      const double end = L / p.speed;
      table_head(text("A mass of %g of the rail's at %g of the critical speed", masses[k], speeds[i]));
      compare(&p, end, "generalized-alpha", text(fixed_steps, end / 4000));
    }
}

// What a mesh lacks between its nodes falls with the third power of the size of its elements.
static void error_of_the_mesh_is_of_third_order(void **state) {
  (void)state;
  passage p = {USUAL, .mass = 0.5 * LINE * L, .speed = 0.5 * CRITICAL, .gravity = LIGHT};
  const double end = L / p.speed;
  double under[2];
  table_head("A mass of half of the rail's at half the critical speed, coarse meshes");
  p.elements = 6;
  under[0] = compare(&p, end, "6 elements, generalized-alpha", text(fixed_steps, end / 4000));
  p.elements = 12;
  under[1] = compare(&p, end, "12 elements, generalized-alpha", text(fixed_steps, end / 4000));
  table_row("coarse over fine", under[0] / under[1], 8, 0.25, "third order");
  p.elements = 8;
  compare(&p, end, "8 elements, cvode", tight);
}

// Gravity on all of it: the rail has sagged before, and the mass runs through its curve.
static void heavy_rail_is_run_over_as_galerkin_says(void **state) {
  (void)state;
  const passage p = {USUAL, .mass = 0.5 * LINE * L, .speed = 0.8 * CRITICAL, .gravity = LIGHT, .heavy = true};
  table_head("A mass of half of the rail's at 0.8 of the critical speed, the rail sagged by its weight");
  compare(&p, L / p.speed, "newmark",
          text("method: newmark, step: %.17g, tolerance: 1e-12", L / p.speed / 4000));
}

// --- rolling by itself ---

static void less_start(double *out, const double *u, double start) {
  for (int k = 0; k <= RECORDS; k++) out[k] = u[k] - start;
}

// What its speed changes is of second order in the deflection, as is what bending shortens: so the speed in
// space and that along the axis are two numbers.
static void rolling_mass_moves_as_galerkin_says(void **state) {
  (void)state;
  static reference x;
  static double gain[RECORDS + 1], expected[RECORDS + 1];
  passage p = {USUAL, .mass = 0.5 * LINE * L, .speed = 5, .gravity = 4 * LIGHT, .rolls = true};
  p.area = 2e-2; // it hardly stretches
  const double end = 0.99 * L / p.speed;
  solve(&x, &p, end);
  recorded r = run(&p, end, text(fixed_steps, end / 8000));
  table_head("A mass of half of the rail's that enters at half the critical speed and rolls on");
  print_peak(recorded_channel(&r, "trolley.base.position.z"));
  table_bound("under the mass, off over peak", off(recorded_channel(&r, "trolley.base.position.z"), x.under),
              2e-3, "Galerkin, 80 sines");
  table_bound("middle, off over peak", off(recorded_channel(&r, "mid.position.z"), x.middle), 2e-3,
              "Galerkin, 80 sines");
  less_start(gain, recorded_channel(&r, "trolley.base.velocity.x"), p.speed);
  less_start(expected, x.u, p.speed);
  table_bound("gain of speed in space, off over peak", off(gain, expected), 2e-3, "Galerkin, 80 sines");
  less_start(gain, recorded_channel(&r, "trolley.velocity"), p.speed);
  less_start(expected, x.along, p.speed);
  table_bound("gain of speed along the rail, off over peak", off(gain, expected), 2e-3, "Galerkin, 80 sines");
  table_bound("rms energy balance [%]", lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-4,
              "closed books");
  recorded_free(&r);
}

// The energy of the rolling mass and the rail is what it was: nothing drives, nothing damps.
static void rolling_mass_keeps_the_energy(void **state) {
  (void)state;
  const passage p = {USUAL, .mass = 0.2 * LINE * L, .speed = 12, .gravity = GRAVITY, .rolls = true};
  const double end = 0.97 * L / p.speed;
  recorded r = run(&p, end, text(fixed_steps, end / 4000));
  const double *kinetic = recorded_channel(&r, "energy.kinetic"),
               *strain = recorded_channel(&r, "energy.strain"),
               *z = recorded_channel(&r, "trolley.base.position.z");
  double worst = 0, exchanged = 0;
  for (int k = 0; k < r.count; k++) {
    const double height = p.mass * p.gravity * z[k];
    worst = fmax(worst, fabs(kinetic[k] + strain[k] + height - kinetic[0]));
    exchanged = fmax(exchanged, fabs(strain[k]));
  }
  table_head("A mass of 0.2 of the rail's that enters at 1.2 of the critical speed and rolls on, 9.81 m/s^2");
  table_bound("kinetic + strain + height, change over peak strain", worst / exchanged, 1e-4, "conserved");
  table_bound("  over the kinetic energy of the start", worst / kinetic[0], 1e-6, "conserved");
  table_bound("rms energy balance [%]", lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-4,
              "closed books");
  recorded_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(galerkin_solution_has_converged),
      cmocka_unit_test(driven_mass_moves_as_galerkin_says),
      cmocka_unit_test(error_of_the_mesh_is_of_third_order),
      cmocka_unit_test(heavy_rail_is_run_over_as_galerkin_says),
      cmocka_unit_test(rolling_mass_moves_as_galerkin_says),
      cmocka_unit_test(rolling_mass_keeps_the_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
