// beam_frequencies.c - bending frequencies of beams that are clamped-free, pinned-free and clamped-clamped, of
// length over height 100, 20 and 5, against the transcendental equations; orders of convergence.
//
// Exact solution of a Timoshenko beam with L = E = A = rho = 1, I = r^2, shear flexibility g = 1/(kappa G) (0:
// Rayleigh beam), frequency w, v and theta ~ e^(px):
//   (p^2 + g w^2)(I p^2 + I w^2) = w^2,  theta' = v'' + g w^2 v,
// one root p^2 = -a^2 and, below the cut-off, one p^2 = b^2.
#include "beam_fixture.h"
#include "kind_numbers.h"

enum { MODES = 3 };

typedef struct {
  double r, g;
  support first, last;
} beam;

// One of the four solutions at x: v, theta, bending moment EI theta', shear force -EI theta'' - I w^2 theta.
typedef struct {
  double v, theta, moment, shear;
} solution;

// v and its antiderivative's factor c: theta = c * (the conjugate function), d its derivative factor.
static solution solution_at(const beam *b, double w, int k, double x) {
  double I = b->r * b->r, q = b->g * w * w;
  double m = q + w * w, root = sqrt((q - w * w) * (q - w * w) + 4 * w * w / I);
  double p2 = (root - m) / 2, a2 = (root + m) / 2; // b^2 and a^2
  double v, theta, dtheta;
  if (k < 2) { // sin ax, cos ax
    double a = sqrt(a2), c = (a2 - q) / a;
    v = k ? cos(a * x) : sin(a * x);
    theta = c * (k ? -sin(a * x) : cos(a * x));
    dtheta = -c * a * v;
  } else { // e^(-bx), e^(b(x-1))
    double p = k == 2 ? -sqrt(p2) : sqrt(p2), c = (p2 + q) / p;
    v = exp(p * (k == 2 ? x : x - 1));
    theta = c * v;
    dtheta = c * p * v;
  }
  double second = k < 2 ? -a2 * theta : p2 * theta;
  return (solution){v, theta, I * dtheta, -I * second - I * w * w * theta};
}

// The two conditions of a support.
static void conditions(double out[2], support s, solution f) {
  out[0] = s == FREE_END ? f.shear : f.v;
  out[1] = s == CLAMPED_END ? f.theta : f.moment;
}

// Determinant by elimination with pivots; rows are scaled, which leaves its sign.
static double determinant(double A[4][4]) {
  double det = 1;
  for (int k = 0; k < 4; k++) {
    int best = k;
    for (int i = k + 1; i < 4; i++)
      if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
    for (int j = 0; j < 4 && best != k; j++) {
      double t = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = t;
    }
    det *= best != k ? -A[k][k] : A[k][k];
    for (int i = k + 1; i < 4; i++)
      for (int j = 3; j >= k; j--) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  return det;
}

static double characteristic(const beam *b, double w) {
  double A[4][4];
  for (int k = 0; k < 4; k++) {
    double start[2], end[2];
    conditions(start, b->first, solution_at(b, w, k, 0));
    conditions(end, b->last, solution_at(b, w, k, 1));
    A[0][k] = start[0], A[1][k] = start[1], A[2][k] = end[0], A[3][k] = end[1];
  }
  return determinant(A);
}

static double bisect(const beam *b, double low, double high) {
  double sign = characteristic(b, low);
  for (int i = 0; i < 200 && high - low > 0; i++) {
    double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    if (sign * characteristic(b, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

// The lowest frequencies: scan for changes of sign, then bisect. The steps are 0.1 in omega L^2 sqrt(rho A/EI).
static void exact(double w[MODES], const beam *b) {
  double step = 0.1 * b->r, low = 5 * step;
  for (int n = 0; n < MODES; low += step)
    if (characteristic(b, low) * characteristic(b, low + step) < 0) w[n++] = bisect(b, low, low + step);
  if (b->g > 0) assert_true(w[MODES - 1] < 1 / (b->r * sqrt(b->g))); // below the cut-off
}

static void finite_elements(double w[MODES], const beam *b, int type, int elements) {
  fixture f;
  fixture_unit(&f, type, elements, b->r);
  lim_mesh *mesh = fixture_mesh(&f);
  double lambda[MODES + 1];
  lim_eigen_count c = fixture_modes(lambda, MODES + 1, mesh, mesh->K, mesh->M, b->first, b->last);
  assert_int_equal(c.rigid, b->first == PINNED_END); // pinned-free turns about its pin
  for (int k = 0; k < MODES; k++) w[k] = sqrt(lambda[c.rigid + k]);
  lim_mesh_free(mesh);
}

static const struct {
  const char *name;
  support first, last;
} SUPPORTS[] = {
    {"clamped-free", CLAMPED_END, FREE_END},
    {"pinned-free", PINNED_END, FREE_END},
    {"clamped-clamped", CLAMPED_END, CLAMPED_END},
};

static const double SLENDER[] = {100, 20, 5}; // length over height of a rectangle: r = h/sqrt(12)

static beam beam_of(int supports, double slender, bool shear) {
  double kappa = 6 * 1.3 / (7 + 6 * 0.3); // as fixture_unit
  return (beam){1 / (slender * sqrt(12)), shear ? 2.6 / kappa : 0, SUPPORTS[supports].first,
                SUPPORTS[supports].last};
}

// The classical values of a slender Euler-Bernoulli beam check the exact solver itself.
static void exact_solver_tends_to_classical_values(void **state) {
  (void)state;
  static const double CLASSICAL[3][MODES] = {{3.5160152685, 22.0344915647, 61.6972144135},
                                             {15.4182057170, 49.9648620318, 104.2476966008},
                                             {22.3732854481, 61.6728228679, 120.9033916389}};
  table_head("Exact solver in the slender limit, omega L^2 sqrt(rho A/EI)");
  for (int i = 0; i < 3; i++) {
    beam b = beam_of(i, 1e5, false);
    double w[MODES];
    exact(w, &b);
    for (int k = 0; k < MODES; k++) table_row(SUPPORTS[i].name, w[k] / b.r, CLASSICAL[i][k], 1e-7, "textbook");
  }
}

static void frequencies_tend_to_exact(int type, int elements, double tolerance) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      beam b = beam_of(i, SLENDER[j], type != LIM_ELEMENT_euler_bernoulli);
      double fe[MODES], w[MODES];
      finite_elements(fe, &b, type, elements);
      exact(w, &b);
      for (int k = 0; k < MODES; k++) {
        char what[96];
        snprintf(what, sizeof what, "%s, %s, L/h %g, mode %d", element_name(type), SUPPORTS[i].name, SLENDER[j],
                 k + 1);
        table_row(what, fe[k] / b.r, w[k] / b.r, tolerance, "transcendental equation");
      }
    }
}

static void frequencies_match_transcendental_equations(void **state) {
  (void)state;
  table_head("omega L^2 sqrt(rho A/EI): Timoshenko 160 elements, Euler-Bernoulli 40");
  frequencies_tend_to_exact(LIM_ELEMENT_timoshenko_cubic, 160, 1e-3);
  frequencies_tend_to_exact(LIM_ELEMENT_timoshenko, 160, 1e-3);
  frequencies_tend_to_exact(LIM_ELEMENT_euler_bernoulli, 40, 1e-4);
}

// log2 of the ratio of errors of the first frequency with n and 2n elements.
static double order(const beam *b, int type, int n) {
  double w[MODES], coarse[MODES], fine[MODES];
  exact(w, b);
  finite_elements(coarse, b, type, n);
  finite_elements(fine, b, type, 2 * n);
  return log2(fabs(coarse[0] / w[0] - 1) / fabs(fine[0] / w[0] - 1));
}

static void order_is(int type, int n, double slender, double expected) {
  for (int i = 0; i < 3; i++) {
    beam b = beam_of(i, slender, type != LIM_ELEMENT_euler_bernoulli);
    char what[96];
    snprintf(what, sizeof what, "%s, %s, L/h %g, n %d to %d", element_name(type), SUPPORTS[i].name, slender, n,
             2 * n);
    table_row(what, order(&b, type, n), expected, 0.05, "order of the element");
  }
}

static void frequencies_converge_with_the_order_of_the_element(void **state) {
  (void)state;
  table_head("Order of convergence of the first frequency");
  for (int j = 0; j < 3; j++) {
    order_is(LIM_ELEMENT_timoshenko, 32, SLENDER[j], 2);
    order_is(LIM_ELEMENT_euler_bernoulli, 8, SLENDER[j], 4);
  }
  order_is(LIM_ELEMENT_timoshenko_exact, 64, 5, 2); // thinner beams lock, see below
}

// The shear angle of a cubic element is constant: an error of order h^2 in proportion to the shear energy,
// which shows once the bending error of order h^4 has fallen below it.
static void cubic_frequencies_converge_with_4_slender_and_2_deep(void **state) {
  (void)state;
  table_head("Order of convergence of the first frequency, cubic Timoshenko");
  order_is(LIM_ELEMENT_timoshenko_cubic, 4, 1000, 4);
  order_is(LIM_ELEMENT_timoshenko_cubic, 32, 5, 2);
}

// Locking: with exact integration bending is stiffer by 1 + 1/Phi (docs/theory/beam.md (18)).
static void exactly_integrated_frequencies_lock_as_predicted(void **state) {
  (void)state;
  table_head("First frequency of timoshenko-exact over that of timoshenko, clamped-free, 20 elements");
  for (int j = 0; j < 2; j++) {
    beam b = beam_of(0, SLENDER[j], true);
    double locked[MODES], reduced[MODES], phi = 12 * b.g * b.r * b.r * 20 * 20;
    finite_elements(locked, &b, LIM_ELEMENT_timoshenko_exact, 20);
    finite_elements(reduced, &b, LIM_ELEMENT_timoshenko, 20);
    char what[64];
    snprintf(what, sizeof what, "L/h %g, Phi = %.3g", SLENDER[j], phi);
    table_row(what, locked[0] / reduced[0], sqrt(1 + 1 / phi), 0.01, "sqrt(1 + 1/Phi)");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_solver_tends_to_classical_values),
      cmocka_unit_test(frequencies_match_transcendental_equations),
      cmocka_unit_test(frequencies_converge_with_the_order_of_the_element),
      cmocka_unit_test(cubic_frequencies_converge_with_4_slender_and_2_deep),
      cmocka_unit_test(exactly_integrated_frequencies_lock_as_predicted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
