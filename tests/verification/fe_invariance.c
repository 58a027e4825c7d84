// fe_invariance.c - one part, written in several ways, is one arm: in turned axes elsewhere, undone by the axes
// of its frames; in other units; with masses in its nodes.
#include "fe_fixture.h"

#include "fe/read/read.h"
#include "fe_calculix.h"

static const double RPY[3] = {0.3, -0.7, 1.9}, SHIFT[3] = {2, -1, 0.5};

// --- a beam in turned axes ---

#define ARM_HEAD                                                                                               \
  "limber: 1\n"                                                                                                \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {s: {shape: general, A: 400 mm^2, Iy: 40000 mm^4, Iz: 20000 mm^4, J: 30000 mm^4}}\n"
#define BEAM_FE(name, rpy)                                                                                     \
  "fe: {stiffness: @/" name "-k.mtx, mass: @/" name "-m.mtx, nodes: @/" name ".csv, frames: {base: {nodes: "   \
  "[1]" rpy "}, tip: {nodes: [7]" rpy "}}}, basis: {type: craig-bampton, count: 10}"
#define ARM(fe)                                                                                                \
  ARM_HEAD "links:\n"                                                                                          \
           "  - {name: upper, joint: {axis: [0, 0, 1]}, " fe "}\n"                                             \
           "  - {name: fore, joint: {axis: [0, 1, 1]}, " fe                                                    \
           ", masses: [{mass: 0.3, xyz: [0.01, 0.02, 0.03], inertia: [1e-4, 2e-4, 3e-4]}]}\n"                  \
           "configuration: {upper: {position: 20 deg}, fore: {position: 50 deg}}\n"                            \
           "loads: [{at: tip, force: [0.2, 0.1, -0.3], moment: [0.01, 0.02, 0.03], axes: link}]\n"             \
           "motion:\n"                                                                                         \
           "  upper: {profile: quintic, to: 120 deg, duration: 0.25 s}\n"                                      \
           "  fore: {profile: quintic, to: -150 deg, duration: 0.25 s}\n"                                      \
           "solver: {duration: 0.3 s, step: 0.5 ms, tolerance: 1e-12}\n"                                       \
           "outputs: {every: 1 ms}\n"

static void turned_beam_is_the_same_arm(void **state) {
  (void)state;
  enum { COUNT = 12 };
  static const char *const text[] = {ARM(BEAM_FE("beam", "")),
                                     ARM(BEAM_FE("turned", ", rpy: [0.3, -0.7, 1.9]"))};
  static path p[2];
  double Q[9], hz[2][COUNT];
  resting r[2];
  part x = part_of_beam(ARM_HEAD
                        "links: [{name: a, beam: {length: 0.5 m, section: s, material: m, elements: 6}}]\n");
  part_write(&x, "beam");
  lim_rotation_rpy(Q, RPY);
  part_move(&x, Q, SHIFT);
  part_write(&x, "turned");
  part_free(&x);
  for (int i = 0; i < 2; i++) {
    frequencies(hz[i], COUNT, text[i], NULL, LIM_JOINTS_LOCKED);
    r[i] = at_rest(text[i], NULL, "fore.tip");
    move_arm(&p[i], text[i], NULL);
  }
  table_head("A beam in a file with turned axes: differences");
  table_bound("frequencies", apart(hz[1], hz[0], COUNT), 1e-10, "axes of base");
  table_bound("displacement at rest", apart(r[1].displacement, r[0].displacement, 3), 1e-10, "axes of base");
  table_bound("rotation at rest", apart(r[1].rotation, r[0].rotation, 3), 1e-10, "axes of base");
  table_bound("tip against the rigid arm", apart(p[1].bend, p[0].bend, 3 * p[0].count), 1e-10, "axes of base");
  table_bound("efforts of its joints", apart(p[1].effort, p[0].effort, 2 * p[0].count), 1e-10, "axes of base");
}

// --- a solid in turned axes, with states of loads ---

static double *dense_of(const lim_symmetric *A) {
  double *out = dense(A->n);
  for (int i = 0; i < A->n; i++)
    for (long k = A->start[i]; k < A->start[i + 1]; k++)
      out[i * A->n + A->column[k]] = out[A->column[k] * A->n + i] = A->value[k];
  return out;
}

static void write_turned(const char *ending, const lim_symmetric *A, const double Q[9]) {
  double *x = dense_of(A);
  turn_matrix(x, A->n, Q);
  write_matrix("tube", ending, x, A->n);
  free(x);
}

static lim_fe_mesh *read_tube(void) {
  lim_fe_mesh *m = NULL;
  lim_error err = {0};
  const lim_fe_files files = {.stiffness = "models/fe/tube.sti",
                              .mass = "models/fe/tube.mas",
                              .dofs = "models/fe/tube.dof",
                              .nodes = "models/fe/tube.inp",
                              .length = 1,
                              .mass_unit = 1};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_OK);
  lim_error_clear(&err);
  for (int i = 0; i < m->ndof; i++) assert_int_equal(m->dof_node[i] * 3 + m->dof_direction[i], i);
  return m;
}

static void write_further(const char *ending, const char *file, const lim_fe_mesh *m, const double Q[9]) {
  lim_arena arena = {0};
  lim_symmetric K;
  lim_error err = {0};
  assert_int_equal(lim_fe_read_further(&K, &arena, m, file, NULL, 1, 1, &err), LIM_OK);
  lim_error_clear(&err);
  write_turned(ending, &K, Q);
  lim_arena_free(&arena);
}

// Nodes and the sets of its ends.
static void write_deck(const lim_fe_mesh *m, const double Q[9]) {
  FILE *file = open_file("tube", ".inp");
  fprintf(file, "*NODE\n");
  for (int i = 0; i < m->nnode; i++) {
    double x[3];
    lim_rotate(x, Q, m->X + 3 * i);
    fprintf(file, "%d, %.17g, %.17g, %.17g\n", m->id[i], x[0] + SHIFT[0], x[1] + SHIFT[1], x[2] + SHIFT[2]);
  }
  for (int k = 0; k < 2; k++) {
    const lim_fe_set *s = lim_fe_find_set(m, k ? "TIP" : "ROOT");
    fprintf(file, "*NSET, NSET=%s\n", s->name);
    for (int i = 0; i < s->count; i++) fprintf(file, "%d,\n", m->id[s->node[i]]);
  }
  fclose(file);
}

#define STATES(pull, spin)                                                                                     \
  "      prestressed:\n"                                                                                       \
  "        - {force: %s, at: tip, stiffness: " pull "}\n"                                                      \
  "        - {spin: %s, stiffness: " spin "}\n"
#define TUBE_ARM(fe)                                                                                           \
  "limber: 1\ngravity: [0, 0, 0]\nlinks:\n  - name: tube\n    basis: {type: craig-bampton, count: 10}\n" fe    \
  "configuration: {tube: {velocity: 50}}\n"                                                                    \
  "loads: [{at: tube.tip, force: [900, 0, 0]}]\n"                                                              \
  "solver: {start: equilibrium}\n"
#define TURNED_FE                                                                                              \
  "    fe:\n"                                                                                                  \
  "      stiffness: @/tube-k.mtx\n"                                                                            \
  "      mass: @/tube-m.mtx\n"                                                                                 \
  "      nodes: @/tube.inp\n" STATES(                                                                          \
      "@/tube-pull.mtx", "@/tube-spin.mtx") "      frames: {base: {nodes: ROOT, rpy: [0.3, -0.7, 1.9]}, "      \
                                            "tip: {nodes: TIP, coupling: mean, rpy: [0.3, -0.7, 1.9]}}\n"

static void vector_text(char out[100], const double x[3]) {
  snprintf(out, 100, "[%.17g, %.17g, %.17g]", x[0], x[1], x[2]);
}

static void turned_tube_is_the_same_arm(void **state) {
  (void)state;
  enum { COUNT = 8 };
  char text[TEXT_MOST], force[100], spin[100];
  double Q[9], x[3], hz[2][COUNT];
  lim_rotation_rpy(Q, RPY);
  lim_fe_mesh *m = read_tube();
  write_turned("-k.mtx", &m->K, Q);
  write_turned("-m.mtx", &m->M, Q);
  write_further("-pull.mtx", "models/fe/tube-pull.sti", m, Q);
  write_further("-spin.mtx", "models/fe/tube-spin-z.sti", m, Q);
  write_deck(m, Q);
  lim_fe_mesh_free(m);
  snprintf(text, sizeof text,
           TUBE_ARM(TUBE_FE(STATES("models/fe/tube-pull.sti", "models/fe/tube-spin-z.sti"), "rigid", "mean")),
           "[1000, 0, 0]", "[0, 0, 50]");
  frequencies(hz[0], COUNT, text, NULL, LIM_JOINTS_LOCKED);
  lim_rotate(x, Q, (double[3]){1000, 0, 0});
  vector_text(force, x);
  lim_rotate(x, Q, (double[3]){0, 0, 50});
  vector_text(spin, x);
  snprintf(text, sizeof text, TUBE_ARM(TURNED_FE), force, spin);
  frequencies(hz[1], COUNT, text, NULL, LIM_JOINTS_LOCKED);
  table_head("A tube in a file with turned axes, pulled, spinning [Hz]");
  for (int i = 0; i < COUNT; i++) table_row("", hz[1][i], hz[0][i], 1e-8, "axes of the files of models/fe");
}

// --- units ---

// A file of rows "i j value" with values times a factor.
static void scale_matrix(const char *from, const char *ending, double factor) {
  FILE *in = fopen(from, "r"), *out = open_file("bracket", ending);
  int i, j;
  double x;
  assert_non_null(in);
  while (fscanf(in, "%d %d %lf", &i, &j, &x) == 3) fprintf(out, "%d %d %.17g\n", i, j, factor * x);
  fclose(in);
  fclose(out);
}

// A deck with places of nodes times a factor.
static void scale_deck(const char *from, double factor) {
  FILE *in = fopen(from, "r"), *out = open_file("bracket", ".inp");
  char line[300];
  bool nodes = false;
  assert_non_null(in);
  while (fgets(line, sizeof line, in)) {
    int id;
    double x[3];
    if (line[0] == '*' && line[1] != '*') nodes = !strncmp(line, "*NODE,", 6) || !strncmp(line, "*NODE\n", 6);
    if (nodes && sscanf(line, "%d, %lf, %lf, %lf", &id, x, x + 1, x + 2) == 4)
      fprintf(out, "%d, %.17g, %.17g, %.17g\n", id, factor * x[0], factor * x[1], factor * x[2]);
    else
      fputs(line, out);
  }
  fclose(in);
  fclose(out);
}

#define BRACKET(folder, units)                                                                                 \
  "limber: 1\n"                                                                                                \
  "links:\n"                                                                                                   \
  "  - name: fork\n"                                                                                           \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    basis: {type: craig-bampton, count: 20}\n"                                                              \
  "    fe: {stiffness: " folder "/bracket.sti, mass: " folder "/bracket.mas, dofs: models/fe/bracket.dof, "    \
  "nodes: " folder "/bracket.inp, frames: {base: {nodes: ROOT}, tip: {nodes: TIP}}" units "}\n"                \
  "loads: [{nodes: fork.TIP, force: [0, 0, -100]}]\n"

static void units_do_not_matter(void **state) {
  (void)state;
  enum { COUNT = 8 };
  static const char *const text[] = {BRACKET("models/fe", ", units: {length: mm, mass: t}"), BRACKET("@", "")};
  double hz[2][COUNT];
  resting r[2];
  lim_fe_facts f[2];
  scale_matrix("models/fe/bracket.sti", ".sti", 1e3);
  scale_matrix("models/fe/bracket.mas", ".mas", 1e3);
  scale_deck("models/fe/bracket.inp", 1e-3);
  for (int i = 0; i < 2; i++) {
    lim_model *m = fe_model(text[i], NULL);
    f[i] = m->links.item[0].fe.link->facts;
    lim_model_free(m);
    frequencies(hz[i], COUNT, text[i], NULL, LIM_JOINTS_LOCKED);
    r[i] = at_rest(text[i], NULL, "fork.tip");
  }
  table_head("A bracket in mm and t, and in m and kg: differences");
  table_bound("mass", apart(&f[1].mass, &f[0].mass, 1), 1e-12, "the same part");
  table_bound("centre", apart(f[1].com, f[0].com, 3), 1e-12, "the same part");
  table_bound("inertia", apart(f[1].inertia, f[0].inertia, 6), 1e-12, "the same part");
  table_bound("frequencies", apart(hz[1], hz[0], COUNT), 1e-10, "the same part");
  table_bound("displacement at rest", apart(r[1].displacement, r[0].displacement, 3), 1e-9, "the same part");
  table_head("and against CalculiX, root held and tip rigid [Hz]");
  for (int i = 0; i < 5; i++) table_row("", hz[0][i], BRACKET_CLAMPED_RIGID[i], 1e-3, "CalculiX");
}

// --- masses in the nodes ---

// Each node has the share of the mass that its diagonal has: mass and centre stay, frequencies nearly, but for
// the moment of inertia about the axis, which grows by a quarter as masses move to corners.
static void lumped_masses_are_nearly_the_same_arm(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\nlinks:\n  - name: tube\n    basis: {type: craig-bampton, count: 40}\n    fe:\n"
      "      stiffness: models/fe/tube.sti\n      mass: @/lumped-m.mtx\n      dofs: models/fe/tube.dof\n"
      "      nodes: models/fe/tube.inp\n      frames: {base: {nodes: ROOT}, tip: {nodes: TIP}}\n";
  lim_fe_mesh *m = read_tube();
  double *M = dense(m->ndof), *whole = dense_of(&m->M), all = 0, sum = 0, hz[5];
  for (int i = 0; i < m->ndof; i++) {
    for (int j = 0; j < m->ndof; j++) all += whole[i * m->ndof + j];
    sum += whole[i * m->ndof + i];
  }
  for (int i = 0; i < m->ndof; i++) M[i * m->ndof + i] = whole[i * m->ndof + i] * all / sum;
  write_matrix("lumped", "-m.mtx", M, m->ndof);
  free(M);
  free(whole);
  lim_fe_mesh_free(m);
  lim_model *model = fe_model(text, NULL);
  const lim_fe_facts *f = &model->links.item[0].fe.link->facts;
  table_head("A tube with masses in its nodes");
  table_row("mass [kg]", f->mass, 2.42816, 1e-10, "closed form");
  table_row("centre [m]", f->com[0], 0.5, 1e-10, "symmetry");
  table_row("moment of inertia about y [kg m^2]", f->inertia[1], 0.20362226, 0.05, "closed form");
  frequencies(hz, 5, text, NULL, LIM_JOINTS_LOCKED);
  for (int i = 0; i < 4; i++)
    table_row("bending [Hz]", hz[i], TUBE_CLAMPED_RIGID[i], 0.03, "CalculiX, consistent");
  table_row("twist [Hz]", hz[4], TUBE_CLAMPED_RIGID[4] * sqrt(2.5511867733e-3 / f->inertia[0]), 0.01,
            "CalculiX, by moments of inertia");
  lim_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_beam_is_the_same_arm),
      cmocka_unit_test(turned_tube_is_the_same_arm),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(lumped_masses_are_nearly_the_same_arm),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
