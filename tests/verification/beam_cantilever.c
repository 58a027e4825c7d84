// beam_cantilever.c - clamped beams against closed forms: tip displacement, tip rotation, forces at the root.
// The cubic and the Euler-Bernoulli element are exact at the nodes; the reduced linear element follows its law.
#include "beam_fixture.h"
#include "kind_numbers.h"

#include <string.h>

static const double TOLERANCE = 1e-9;

static const int EXACT_TYPES[] = {LIM_ELEMENT_timoshenko_cubic, LIM_ELEMENT_euler_bernoulli};

// Stiffnesses of the fixture's beam; L = 1.
typedef struct {
  double EA, GJ, EIy, EIz, gy, gz; // gy, gz: shear flexibilities 1/(kappa A G), 0 for Euler-Bernoulli
} stiffness;

static stiffness stiffness_of(const fixture *f) {
  const lim_section *a = &f->section[0];
  double E = f->material.E, GA = f->material.G * a->A,
         shear = f->link.beam.element != LIM_ELEMENT_euler_bernoulli;
  return (stiffness){E * a->A,  f->material.G * a->J,       E * a->Iy,
                     E * a->Iz, shear / (a->kappa[0] * GA), shear / (a->kappa[1] * GA)};
}

// Tip (ux uy uz tx ty tz) and root forces (N Vy Vz T My Mz) of a tip force P, moment m and load per length q.
// In x-y: uy = P L^3/3EI + PgL + m L^2/2EI + q L^4/8EI + q g L^2/2, tz its rotation; in x-z likewise with -ty.
static void closed_form(double tip[6], double root[6], stiffness k, const double P[3], const double m[3],
                        const double q[3]) {
  tip[0] = P[0] / k.EA + q[0] / (2 * k.EA);
  tip[1] = P[1] * (1 / (3 * k.EIz) + k.gy) + m[2] / (2 * k.EIz) + q[1] * (1 / (8 * k.EIz) + k.gy / 2);
  tip[2] = P[2] * (1 / (3 * k.EIy) + k.gz) - m[1] / (2 * k.EIy) + q[2] * (1 / (8 * k.EIy) + k.gz / 2);
  tip[3] = m[0] / k.GJ;
  tip[4] = m[1] / k.EIy - P[2] / (2 * k.EIy) - q[2] / (6 * k.EIy);
  tip[5] = m[2] / k.EIz + P[1] / (2 * k.EIz) + q[1] / (6 * k.EIz);
  for (int i = 0; i < 3; i++) root[i] = P[i] + q[i];
  root[3] = m[0];
  root[4] = m[1] - P[2] - q[2] / 2;
  root[5] = m[2] + P[1] + q[1] / 2;
}

static void compare(const char *name, const fixture *f, const lim_point_load *P, const double q[3]) {
  static const char *const label[12] = {"tip ux", "tip uy",  "tip uz",  "tip tx", "tip ty",  "tip tz",
                                        "root N", "root Vy", "root Vz", "root T", "root My", "root Mz"};
  lim_mesh *mesh = fixture_mesh(f);
  lim_beam_load load = {.q = {q[0], q[1], q[2]}, .point = P, .npoint = 1};
  double *u = fixture_cantilever(mesh, &load), got[12], want[12];
  closed_form(want, want + 6, stiffness_of(f), P->force, P->moment, q);
  memcpy(got, u + mesh->ndof - 6, 6 * sizeof *got);
  lim_section_force s = lim_beam_section_force(mesh, u, &load, 0);
  memcpy(got + 6, (double[]){s.N, s.Vy, s.Vz, s.T, s.My, s.Mz}, 6 * sizeof *got);
  for (int i = 0; i < 12; i++) {
    char what[96];
    snprintf(what, sizeof what, "%s, %s, %s", name, element_name(f->link.beam.element), label[i]);
    if (want[i] != 0) table_row(what, got[i], want[i], TOLERANCE, "closed form");
  }
  free(u);
  lim_mesh_free(mesh);
}

static void cantilever_under_each_load_matches_closed_form(void **state) {
  (void)state;
  static const struct {
    const char *name;
    lim_point_load tip;
    double q[3];
  } LOAD[] = {
      {"tip force y", {1, {0, 10, 0}, {0}}, {0}},
      {"tip force z", {1, {0, 0, 10}, {0}}, {0}},
      {"tip moment z", {1, {0}, {0, 0, 5}}, {0}},
      {"tip moment y", {1, {0}, {0, 5, 0}}, {0}},
      {"torsion", {1, {0}, {3, 0, 0}}, {0}},
      {"axial", {1, {1000, 0, 0}, {0}}, {0}},
      {"load per length", {1, {0}, {0}}, {20, -9, 7}},
      {"combined", {1, {100, 10, -20}, {3, 5, -2}}, {20, -9, 7}},
  };
  table_head("Clamped beam, 1 m, 6 elements");
  for (size_t i = 0; i < sizeof LOAD / sizeof *LOAD; i++)
    for (int t = 0; t < 2; t++) {
      fixture f;
      fixture_init(&f, EXACT_TYPES[t], 6);
      compare(LOAD[i].name, &f, &LOAD[i].tip, LOAD[i].q);
    }
}

// Self weight through the mass matrix is the same load as rho A g per length.
static void self_weight_matches_closed_form_for_every_element(void **state) {
  (void)state;
  table_head("Clamped beam under its weight, g = 9.81 m/s^2 along -y, 3 elements");
  for (int type = LIM_ELEMENT_timoshenko; type <= LIM_ELEMENT_euler_bernoulli; type++) {
    fixture f;
    fixture_init(&f, type, 3);
    lim_mesh *mesh = fixture_mesh(&f);
    double *g = fixture_zeros(mesh->ndof), q = -9.81 * f.material.rho * f.section[0].A;
    lim_mesh_rigid_field(g, mesh, (double[]){0, -9.81, 0}, (double[3]){0});
    lim_beam_load load = {.field = g};
    double *u = fixture_cantilever(mesh, &load);
    lim_section_force root = lim_beam_section_force(mesh, u, &load, 0);
    lim_section_force inner = lim_beam_section_force(mesh, u, &load, 0.4);
    stiffness k = stiffness_of(&f);
    char what[64];
    snprintf(what, sizeof what, "%s, root moment qL^2/2", element_name(type));
    table_row(what, root.Mz, q / 2, TOLERANCE, "closed form");
    snprintf(what, sizeof what, "%s, moment at 0.4 L", element_name(type));
    table_row(what, inner.Mz, q * 0.36 / 2, TOLERANCE, "closed form");
    snprintf(what, sizeof what, "%s, shear force at 0.4 L", element_name(type));
    table_row(what, inner.Vy, q * 0.6, TOLERANCE, "closed form");
    snprintf(what, sizeof what, "%s, tip deflection", element_name(type));
    if (type >= LIM_ELEMENT_timoshenko_cubic)
      table_row(what, u[mesh->ndof - 5], q / (8 * k.EIz) + q * k.gy / 2, TOLERANCE, "closed form");
    free(g);
    free(u);
    lim_mesh_free(mesh);
  }
}

// Tip deflection under a tip force over exact; *law is 1 - 1/(4 n^2) on the part of it that is bending.
static double reduced_ratio(int n, double *law) {
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko, n);
  lim_mesh *mesh = fixture_mesh(&f);
  lim_point_load tip = {1, {0, 10, 0}, {0}};
  lim_beam_load load = {.point = &tip, .npoint = 1};
  double *u = fixture_cantilever(mesh, &load);
  stiffness k = stiffness_of(&f);
  double bending = 10 / (3 * k.EIz), shear = 10 * k.gy, computed = u[mesh->ndof - 5];
  *law = (bending * (1 - 1 / (4.0 * n * n)) + shear) / (bending + shear);
  free(u);
  lim_mesh_free(mesh);
  return computed / (bending + shear);
}

static void reduced_elements_follow_their_law(void **state) {
  (void)state;
  static const struct {
    int n;
    double ratio;
  } SEED[] = {{1, 0.75}, {2, 0.9375}, {4, 0.98437}, {6, 0.99306}};
  table_head("End-loaded cantilever of n reduced elements over exact");
  for (int i = 0; i < 4; i++) {
    double law, ratio = reduced_ratio(SEED[i].n, &law);
    char what[64];
    snprintf(what, sizeof what, "n = %d", SEED[i].n);
    table_row(what, ratio, law, TOLERANCE, "1 - 1/(4 n^2), bending part");
    table_row(what, ratio, SEED[i].ratio, 1e-4, "the Timoshenko thesis, in place of table II");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever_under_each_load_matches_closed_form),
      cmocka_unit_test(self_weight_matches_closed_form_for_every_element),
      cmocka_unit_test(reduced_elements_follow_their_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
