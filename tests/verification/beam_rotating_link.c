// beam_rotating_link.c - the Timoshenko thesis, (3.4)-(3.5): quasi-static deflection of a link that turns about
// its clamped end with the angular acceleration alpha. The inertial load rho A alpha x is the mass matrix times
// the rigid acceleration field.
#include "beam_fixture.h"
#include "kind_numbers.h"

// Tip deflection opposite to the motion, over 11 w0 L^4/(120 EI), w0 = rho A alpha L.
static double ratio(int element, int elements) {
  const double alpha = 3;
  fixture f;
  fixture_init(&f, element, elements);
  lim_mesh *mesh = fixture_mesh(&f);
  double *a = fixture_zeros(mesh->ndof);
  lim_mesh_rigid_field(a, mesh, (double[3]){0}, (double[]){0, 0, -alpha}); // minus the acceleration
  lim_beam_load load = {.field = a};
  double *u = fixture_cantilever(mesh, &load);
  double w0 = f.material.rho * f.section[0].A * alpha;
  double exact = 11 * w0 / (120 * f.material.E * f.section[0].Iz);
  double tip = -u[mesh->ndof - 5];
  free(a);
  free(u);
  lim_mesh_free(mesh);
  return tip / exact;
}

// Moment at the root: integral of rho A alpha x^2 plus rotary inertia, exact for every element and mesh.
static double root_moment(int element, double expected[1]) {
  fixture f;
  fixture_init(&f, element, 3);
  lim_mesh *mesh = fixture_mesh(&f);
  double *a = fixture_zeros(mesh->ndof);
  lim_mesh_rigid_field(a, mesh, (double[3]){0}, (double[]){0, 0, -1});
  lim_beam_load load = {.field = a};
  double *u = fixture_cantilever(mesh, &load);
  *expected = -f.material.rho * (f.section[0].A / 3 + f.section[0].Iz);
  double Mz = lim_beam_section_force(mesh, u, &load, 0).Mz;
  free(a);
  free(u);
  lim_mesh_free(mesh);
  return Mz;
}

static void rotating_link_reduced_elements_match_seed(void **state) {
  (void)state;
  static const struct {
    int n;
    double ratio;
  } SEED[] = {{2, 0.9663}, {4, 0.9912}, {8, 0.9981}};
  table_head("Rotating link: tip deflection over 11 w0 L^4/(120 EI)");
  for (int i = 0; i < 3; i++) {
    char what[64];
    snprintf(what, sizeof what, "timoshenko, n = %d", SEED[i].n);
    table_row(what, ratio(LIM_ELEMENT_timoshenko, SEED[i].n), SEED[i].ratio, 1e-4,
              "the Timoshenko thesis, rotating link");
  }
}

// Exactly 1 but for rotary inertia, of order (r/L)^2 = 2.9e-5, and (cubic) shear.
static void rotating_link_higher_elements_match_closed_form(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 1);
  double r2 = f.section[0].Iz / f.section[0].A,
         rotary = r2 * 40 / 11; // rho I alpha L^3/3EI over 11 w0 L^4/120EI
  double shear = f.material.E / (f.material.G * f.section[0].kappa[0]) * r2 * (120.0 / 33);
  table_head("Rotating link with rotary inertia (and shear)");
  table_row("euler-bernoulli, n = 3", ratio(LIM_ELEMENT_euler_bernoulli, 3), 1 + rotary, 1e-9, "closed form");
  table_row("timoshenko-cubic, n = 3", ratio(LIM_ELEMENT_timoshenko_cubic, 3), 1 + rotary + shear, 1e-9,
            "closed form");
}

static void rotating_link_root_moment_is_exact(void **state) {
  (void)state;
  table_head("Rotating link: moment at the root, 3 elements");
  for (int type = LIM_ELEMENT_timoshenko; type <= LIM_ELEMENT_euler_bernoulli; type++) {
    double expected, computed = root_moment(type, &expected);
    table_row(element_name(type), computed, expected, 1e-9, "-alpha rho (A L^3/3 + I L)");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotating_link_reduced_elements_match_seed),
      cmocka_unit_test(rotating_link_higher_elements_match_closed_form),
      cmocka_unit_test(rotating_link_root_moment_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
