// beam_erol.c - Erol 2002: the cubic Timoshenko element. Its printed matrices, entry by entry, and the
// frequencies it gives on the beam of the Timoshenko thesis, table I.
#include "beam_fixture.h"
#include "kind_numbers.h"

// An element of L = 0.3 m, A, I of the seed's 10 x 15 mm section; beta = 4 EI/(kappa A G L^2).
static lim_element element_of(const lim_section *section) {
  lim_element e = {
      .type = LIM_ELEMENT_timoshenko_cubic, .L = 0.3, .E = 210e9, .G = 210e9 / 2.6, .nu = 0.3, .rho = 7800};
  e.from = e.to = section;
  lim_element_prepare(&e);
  return e;
}

static const lim_section SECTION = {.shape = LIM_SECTION_general,
                                    .A = 150e-6,
                                    .Iy = 1.25e-9,
                                    .Iz = 2.8125e-9,
                                    .J = 3e-9,
                                    .kappa = {5.0 / 6, 5.0 / 6}};

static double beta_of(const lim_element *e) {
  return 4 * e->E * SECTION.Iz / (SECTION.kappa[0] * SECTION.A * e->G * e->L * e->L);
}

// Lower triangle of a symmetric matrix on (v1, theta1, v2, theta2), in the seed's order of symbols.
static void fill(double out[4][4], double a11, double a21, double a22, double a31, double a32, double a33,
                 double a41, double a42, double a43, double a44) {
  const double low[4][4] = {{a11}, {a21, a22}, {a31, a32, a33}, {a41, a42, a43, a44}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) out[i][j] = i >= j ? low[i][j] : low[j][i];
}

// The stiffness lost from the seed's text, as seeds.md restores it.
static void printed_stiffness(double k[4][4], const lim_element *e) {
  double L = e->L, b = beta_of(e), c = e->E * SECTION.Iz / (L * L * L * (1 + 3 * b));
  double d = (4 + 3 * b) * L * L, o = (2 - 3 * b) * L * L;
  fill(k, 12, 6 * L, d, -12, -6 * L, 12, 6 * L, o, -6 * L, d);
  for (int i = 0; i < 16; i++) (&k[0][0])[i] *= c;
}

// m1 ... m10 as printed in the appendix.
static void printed_mass(double m[4][4], const lim_element *e) {
  double L = e->L, b = beta_of(e), h = L / 2, s = (1 + 3 * b) * (1 + 3 * b);
  double m1 = 156 + 882 * b + 1260 * b * b, m2 = (44 + 231 * b + 315 * b * b) * h;
  double m3 = 54 + 378 * b + 630 * b * b, m4 = (-26 - 189 * b - 315 * b * b) * h;
  double m5 = (16 + 84 * b + 126 * b * b) * h * h, m6 = (-12 - 84 * b - 126 * b * b) * h * h;
  double m7 = 18, m8 = (3 - 45 * b) * h;
  double m9 = (8 + 30 * b + 180 * b * b) * h * h, m10 = (-2 - 30 * b + 90 * b * b) * h * h;
  double translation[4][4], rotation[4][4];
  fill(translation, m1, m2, m5, m3, -m4, m1, m4, m6, -m2, m5);
  fill(rotation, m7, m8, m9, -m7, -m8, m7, m8, m10, -m8, m9);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = e->rho * SECTION.A * L / (420 * s) * translation[i][j] +
                e->rho * SECTION.Iz / (15 * L * s) * rotation[i][j];
}

static void compare(const char *name, const double got[144], double want[4][4]) {
  static const int index[4] = {1, 5, 7, 11}; // uy1 tz1 uy2 tz2
  for (int i = 0; i < 4; i++)
    for (int j = 0; j <= i; j++) {
      char what[64];
      snprintf(what, sizeof what, "%s %d%d", name, i + 1, j + 1);
      table_row(what, got[12 * index[i] + index[j]], want[i][j], 1e-12, "Erol 2002, appendix");
    }
}

static void element_matrices_match_the_printed_ones(void **state) {
  (void)state;
  lim_element e = element_of(&SECTION);
  double got[144], want[4][4];
  table_head("Cubic Timoshenko element on (v1, theta1, v2, theta2)");
  table_row("Phi", e.phi[0], 3 * beta_of(&e), 1e-14, "Phi = 3 beta");
  lim_element_stiffness(got, &e);
  printed_stiffness(want, &e);
  compare("k", got, want);
  table_row("k axial 11", got[0], e.E * SECTION.A / e.L, 1e-12, "Erol 2002, appendix");
  lim_element_mass(got, &e);
  printed_mass(want, &e);
  compare("m", got, want);
  table_row("m axial 11", got[0], e.rho * SECTION.A * e.L / 3, 1e-12, "Erol 2002, appendix");
  table_row("m axial 41", got[6], e.rho * SECTION.A * e.L / 6, 1e-12, "Erol 2002, appendix");
}

static double first_lambda(int elements) {
  fixture f;
  fixture_unit(&f, LIM_ELEMENT_timoshenko_cubic, elements, 0.1);
  lim_mesh *mesh = fixture_mesh(&f);
  double lambda;
  fixture_modes(&lambda, 1, mesh, mesh->K, mesh->M, PINNED_END, PINNED_END);
  lim_mesh_free(mesh);
  return sqrt(lambda) / 0.1;
}

static void table_one_beam_frequencies_match(void **state) {
  (void)state;
  static const struct {
    int n;
    double lambda;
  } SEED[] = {{1, 10.4447}, {2, 8.6347}, {5, 8.4692}, {10, 8.4476}};
  table_head("Simply supported beam of the Timoshenko thesis, table I, aspect ratio 0.10, cubic elements");
  for (int i = 0; i < 4; i++) {
    char what[64];
    snprintf(what, sizeof what, "n = %d", SEED[i].n);
    table_row(what, first_lambda(SEED[i].n), SEED[i].lambda, 1e-5, "Erol 2002 element, checked");
  }
  table_row("n = 60", first_lambda(60), 8.4405, 3e-5, "exact");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(element_matrices_match_the_printed_ones),
      cmocka_unit_test(table_one_beam_frequencies_match),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
