// fe_tube.c - a box tube of solid elements (models/fe/tube) against CalculiX 2.20 on the same mesh, with the
// same constraints at its ends; mass, centre and inertia against closed forms; sag, and a payload at its tip.
#include "fe_fixture.h"

#include "fe_calculix.h"

#define TUBE(joint, root, tip)                                                                                 \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - name: tube\n"                                                                                           \
  "    joint: {type: " joint "}\n"                                                                             \
  "    basis: {type: craig-bampton, count: 40}\n" TUBE_FE("", root, tip)

// Frequencies of CalculiX have seven digits.
static void compare(const char *title, const char *text, const char *const *set, lim_joints joints,
                    const double *calculix, int count, double tolerance) {
  double hz[8];
  frequencies(hz, count, text, set, joints);
  table_head(title);
  for (int i = 0; i < count; i++) table_row("", hz[i], calculix[i], tolerance, "CalculiX");
}

static void frequencies_match_calculix(void **state) {
  (void)state;
  compare("Root held, tip rigid [Hz]", TUBE("fixed", "rigid", "rigid"), NULL, LIM_JOINTS_LOCKED,
          TUBE_CLAMPED_RIGID, 5, 1e-3);
  compare("Root held, tip free [Hz]", TUBE("fixed", "rigid", "mean"), NULL, LIM_JOINTS_LOCKED, TUBE_CLAMPED, 5,
          1e-3);
  compare("Free, both ends rigid [Hz]", TUBE("free", "rigid", "rigid"), NULL, LIM_JOINTS_FREE, TUBE_FREE_RIGID,
          5, 1e-3);
  compare("Free, ends by their means [Hz]", TUBE("free", "mean", "mean"), NULL, LIM_JOINTS_FREE, TUBE_FREE, 5,
          1e-3);
}

// What the reduced link has lost against its mesh falls with the modes that are kept.
static void mesh_itself_has_the_frequencies_of_calculix(void **state) {
  (void)state;
  lim_model *m = fe_model(TUBE("fixed", "rigid", "rigid"), (const char *[]){"links.tube.basis.count=1", NULL});
  const lim_fe_facts *f = &m->links.item[0].fe.link->facts;
  table_head("Whole mesh, ends rigid, root held, then free [Hz]");
  for (int i = 0; i < 8; i++) table_row("held", f->clamped_hz[i], TUBE_CLAMPED_RIGID[i], 2e-6, "CalculiX");
  for (int i = 0; i < 8; i++) table_row("free", f->free_hz[i], TUBE_FREE_RIGID[i], 2e-6, "CalculiX");
  lim_model_free(m);
}

static void payload_matches_calculix(void **state) {
  (void)state;
  const char *const set[] = {"links.tube.masses=[{at: tip, mass: 2}]", NULL};
  compare("2 kg on the rigid tip [Hz]", TUBE("fixed", "rigid", "rigid"), set, LIM_JOINTS_LOCKED,
          TUBE_PAYLOAD_RIGID, 8, 1e-3);
  compare("2 kg on the mean of the tip [Hz]", TUBE("fixed", "rigid", "mean"), set, LIM_JOINTS_LOCKED,
          TUBE_PAYLOAD_MEAN, 8, 1e-3);
}

static void sag_matches_calculix(void **state) {
  (void)state;
  static const char *const loads[] = {"loads=[{nodes: tube.TIP, force: [0, 0, -100]}]",
                                      "loads=[{at: tube.tip, force: [0, 0, -100]}]"};
  table_head("100 N at the tip: its mean displacement [m]");
  for (int i = 0; i < 2; i++) {
    const resting r = at_rest(TUBE("fixed", "rigid", "mean"),
                              (const char *[]){loads[i], "solver.geometry=linear", NULL}, "tube.tip");
    table_row(i ? "on the frame" : "on its nodes", r.displacement[2], TUBE_SAG[2], 2e-6, "CalculiX");
    table_bound("sideways", r.displacement[1], 1e-8 * 1e-3, "symmetry, to the digits of the files");
    table_row("force of the joint [N]", r.force[2], 100, 1e-12, "balance");
    table_row("moment of the joint [N m]", r.moment[1], -100, 1e-9, "balance");
  }
}

// a = 60 mm outside, b = 52 mm inside, 1 m long, 2710 kg/m^3.
static void mass_and_inertia_match_closed_forms(void **state) {
  (void)state;
  const double a = 0.06, b = 0.052, rho = 2710, mass = rho * (a * a - b * b),
               I = rho * (a * a * a * a - b * b * b * b) / 12;
  const double expected[6] = {2 * I, mass / 12 + I, mass / 12 + I, 0, 0, 0};
  lim_model *m = fe_model(TUBE("fixed", "rigid", "rigid"), (const char *[]){"links.tube.basis.count=1", NULL});
  const lim_fe_facts *f = &m->links.item[0].fe.link->facts;
  table_head("Mass, centre, inertia about it: the mesh is the tube itself");
  table_row("mass [kg]", f->mass, mass, 1e-10, "closed form");
  table_row("centre x [m]", f->com[0], 0.5, 1e-10, "closed form");
  for (int k = 1; k < 3; k++) table_bound("centre y, z [m]", f->com[k], 1e-10, "symmetry");
  for (int k = 0; k < 3; k++)
    table_row("moment of inertia [kg m^2]", f->inertia[k], expected[k], 1e-10, "closed form");
  for (int k = 3; k < 6; k++) table_bound("product of inertia [kg m^2]", f->inertia[k], 1e-10, "symmetry");
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_match_calculix),
      cmocka_unit_test(mesh_itself_has_the_frequencies_of_calculix),
      cmocka_unit_test(payload_matches_calculix),
      cmocka_unit_test(sag_matches_calculix),
      cmocka_unit_test(mass_and_inertia_match_closed_forms),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
