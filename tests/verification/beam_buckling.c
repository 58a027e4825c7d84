// beam_buckling.c - geometric stiffness: columns that buckle, beams under axial force, spinning beams.
#include "beam_fixture.h"
#include "kind_numbers.h"

// K + geometric stiffness of the axial forces N (3 nelement); in the arena.
static lim_band stiffened(lim_arena *arena, const lim_mesh *mesh, const double *N) {
  lim_band K = lim_band_new(arena, mesh->ndof, mesh->K.width);
  assert_non_null(K.a);
  lim_band_copy(K, mesh->K);
  lim_mesh_add_geometric(K, mesh, N);
  return K;
}

// Axial force of the column under a unit of its load, N (3 nelement): by a static solution.
static double *axial_force(const lim_mesh *mesh, const lim_beam_load *load) {
  double *u = fixture_cantilever(mesh, load), *N = fixture_zeros(3 * mesh->nelement);
  lim_beam_axial_force(N, mesh, u, load);
  free(u);
  return N;
}

// The smallest load factor at which K + factor Kg is singular: K x = factor (-Kg) x. -Kg, semidefinite under
// compression, takes the place of the mass matrix.
static double critical_factor(const lim_mesh *mesh, const double *N, support first, support last) {
  lim_arena arena = {0};
  lim_band Kg = lim_band_new(&arena, mesh->ndof, mesh->K.width);
  lim_mesh_add_geometric(Kg, mesh, N);
  for (int i = 0; i < Kg.n * (Kg.width + 1); i++) Kg.a[i] = -Kg.a[i];
  double factor;
  fixture_modes(&factor, 1, mesh, mesh->K, Kg, first, last);
  lim_arena_free(&arena);
  return factor;
}

// Flexibility of a fixture_unit beam against shear, 0 for Euler-Bernoulli.
static double flexibility(int type) {
  return type == LIM_ELEMENT_euler_bernoulli ? 0 : 2.6 * (7 + 6 * 0.3) / (6 * 1.3);
}

// A column whose buckled shape has wave number k: P = k^2 EI. The Hermite element is too stiff by (k h)^4/720.
static void column(int type, int elements, support first, support last, double k, const char *name) {
  fixture f;
  fixture_unit(&f, type, elements, 0.05);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_point_load push = {1, {-1, 0, 0}, {0}};
  lim_beam_load load = {.point = &push, .npoint = 1};
  double *N = axial_force(mesh, &load), PE = k * k * f.section[0].Iz;
  bool hermite = type == LIM_ELEMENT_euler_bernoulli;
  char what[96];
  snprintf(what, sizeof what, "%s, %s, n = %d", name, element_name(type), elements);
  table_row(what, critical_factor(mesh, N, first, last), PE / (1 + PE * flexibility(type)),
            hermite                                ? 1.1 * pow(k / elements, 4) / 720
            : type == LIM_ELEMENT_timoshenko_cubic ? 1e-4
                                                   : 1e-3,
            hermite ? "Euler" : "Engesser P/(1 + P/kappa A G)");
  free(N);
  lim_mesh_free(mesh);
}

static void columns_buckle_at_closed_form_loads(void **state) {
  (void)state;
  static const struct {
    int type, elements;
  } MESH[] = {
      {LIM_ELEMENT_euler_bernoulli, 20}, {LIM_ELEMENT_timoshenko_cubic, 160}, {LIM_ELEMENT_timoshenko, 160}};
  table_head("Critical axial force, EI = 0.0025, L = 1");
  for (int i = 0; i < 3; i++) {
    column(MESH[i].type, MESH[i].elements, CLAMPED_END, FREE_END, PI / 2, "clamped-free");
    column(MESH[i].type, MESH[i].elements, PINNED_END, PINNED_END, PI, "pinned");
    column(MESH[i].type, MESH[i].elements, CLAMPED_END, CLAMPED_END, 2 * PI, "clamped-clamped");
  }
}

// q L^3/EI = 9/4 j^2, j the first zero of the Bessel function J_-1/3. The axial force is linear along x.
static void standing_column_buckles_under_its_weight(void **state) {
  (void)state;
  fixture f;
  fixture_unit(&f, LIM_ELEMENT_euler_bernoulli, 20, 0.05);
  lim_mesh *mesh = fixture_mesh(&f);
  double *g = fixture_zeros(mesh->ndof), j = 1.8663508588;
  lim_mesh_rigid_field(g, mesh, (double[]){-1, 0, 0}, (double[3]){0});
  lim_beam_load load = {.field = g};
  double *N = axial_force(mesh, &load);
  table_head("Clamped column under its own weight, q L^3/EI");
  table_row("axial force at the foot", N[0], -1, 1e-12, "-q L");
  table_row("axial force in the middle of element 1", N[1], -0.975, 1e-12, "-q (L - x)");
  table_row("critical weight", critical_factor(mesh, N, CLAMPED_END, FREE_END) / f.section[0].Iz, 2.25 * j * j,
            1e-6, "Greenhill 7.8373");
  free(g);
  free(N);
  lim_mesh_free(mesh);
}

// v = V sin kx, theta = T cos kx, k = m pi, under the axial force P, with shear flexibility g:
//   [S k^2 + P k^2 - w^2, -S k; -S k, I k^2 + S - I w^2] (V, T) = 0,  S = 1/g
static double loaded_exact(double I, double g, double P, int m) {
  double k = m * PI, k2 = k * k;
  if (g == 0) return sqrt((I * k2 * k2 + P * k2) / (1 + I * k2));
  double S = 1 / g, a = I, b = -((S + P) * k2 * I + I * k2 + S), c = (S + P) * k2 * (I * k2 + S) - S * S * k2;
  return sqrt(2 * c / (-b + sqrt(b * b - 4 * a * c)));
}

static void loaded(int type, int elements, double part, double tolerance) {
  fixture f;
  fixture_unit(&f, type, elements, 0.02);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_arena arena = {0};
  double I = f.section[0].Iz, P = part * PI * PI * I, *N = fixture_zeros(3 * mesh->nelement), lambda[2];
  for (int i = 0; i < 3 * mesh->nelement; i++) N[i] = P;
  fixture_modes(lambda, 2, mesh, stiffened(&arena, mesh, N), mesh->M, PINNED_END, PINNED_END);
  for (int m = 1; m <= 2; m++) {
    char what[96];
    snprintf(what, sizeof what, "%s, n = %d, N = %+.1f Pe, mode %d", element_name(type), elements, part, m);
    table_row(what, sqrt(lambda[m - 1]), loaded_exact(I, flexibility(type), P, m), tolerance, "closed form");
  }
  lim_arena_free(&arena);
  free(N);
  lim_mesh_free(mesh);
}

static void axially_loaded_beam_frequencies_match_closed_form(void **state) {
  (void)state;
  static const double PART[] = {-0.9, -0.5, 1, 10};
  table_head("Frequencies of a pinned beam under axial force, rad/s");
  for (int i = 0; i < 4; i++) {
    loaded(LIM_ELEMENT_euler_bernoulli, 20, PART[i], 1e-4);
    loaded(LIM_ELEMENT_timoshenko_cubic, 40, PART[i], 1e-3);
    loaded(LIM_ELEMENT_timoshenko, 160, PART[i], 1e-3);
  }
}

// Clamped-free beam spinning at W about its foot, bending out of the plane of spin: N = W^2 (1 - x^2)/2, which
// is quadratic along each element. omega and W in units of sqrt(EI/(rho A L^4)).
static double spinning(double W) {
  const double r = 1e-3; // slender: rotary inertia is below 1e-5
  fixture f;
  fixture_unit(&f, LIM_ELEMENT_euler_bernoulli, 20, r);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_arena arena = {0};
  double *a = fixture_zeros(mesh->ndof), lambda;
  for (int k = 0; k < mesh->nnode; k++)
    a[6 * k] = W * W * r * r * mesh->x[k]; // minus the centripetal acceleration
  lim_beam_load load = {.field = a};
  double *N = axial_force(mesh, &load);
  fixture_modes(&lambda, 1, mesh, stiffened(&arena, mesh, N), mesh->M, CLAMPED_END, FREE_END);
  lim_arena_free(&arena);
  free(a);
  free(N);
  lim_mesh_free(mesh);
  return sqrt(lambda) / r;
}

// The same by power series: v'''' = W^2/2 ((1 - x^2) v')' + w^2 v, v = sum a_k x^k from a_2 or a_3; the
// determinant of v''(1), v'''(1) of both.
static double free_end(double W, double w) {
  enum { TERMS = 120 };
  double end[2][2] = {{0}};
  for (int j = 0; j < 2; j++) {
    double a[TERMS] = {0};
    a[2 + j] = 1;
    for (int k = 0; k + 4 < TERMS; k++)
      a[k + 4] = (0.5 * W * W * ((k + 2) * (k + 1) * a[k + 2] - k * (k + 1) * a[k]) + w * w * a[k]) /
                 ((k + 4.0) * (k + 3) * (k + 2) * (k + 1));
    for (int k = 2; k < TERMS; k++) {
      end[j][0] += k * (k - 1.0) * a[k];
      end[j][1] += k * (k - 1.0) * (k - 2) * a[k];
    }
  }
  return end[0][0] * end[1][1] - end[0][1] * end[1][0];
}

// The first frequency lies between W and sqrt(3.6^2 + 2 W^2).
static double spinning_exact(double W) {
  double low = W, high = sqrt(3.6 * 3.6 + 2 * W * W);
  assert_true(free_end(W, low) * free_end(W, high) < 0);
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    if (free_end(W, low) * free_end(W, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void spinning_beam_stiffens_as_its_power_series(void **state) {
  (void)state;
  static const double SPIN[] = {0, 1, 2, 5, 10};
  table_head("Spinning clamped beam, first frequency out of plane");
  for (size_t i = 0; i < sizeof SPIN / sizeof *SPIN; i++) {
    char what[64];
    snprintf(what, sizeof what, "spin %g", SPIN[i]);
    table_row(what, spinning(SPIN[i]), spinning_exact(SPIN[i]), 1e-5, "power series");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_buckle_at_closed_form_loads),
      cmocka_unit_test(standing_column_buckles_under_its_weight),
      cmocka_unit_test(axially_loaded_beam_frequencies_match_closed_form),
      cmocka_unit_test(spinning_beam_stiffens_as_its_power_series),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
