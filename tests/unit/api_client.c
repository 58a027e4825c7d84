/* api_client.c - a program of somebody else's, in C99, that knows limber.h alone and is linked to the shared
   library: every function is called, and what it answers is held against what another one says. */
#include <limber/limber.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;
static lim_error *err;

#define EXPECT(condition)                                                                                      \
  do {                                                                                                         \
    if (!(condition)) {                                                                                        \
      printf("api_client.c:%d: not %s\n", __LINE__, #condition);                                               \
      complain();                                                                                              \
      failures++;                                                                                              \
    }                                                                                                          \
  } while (0)

static void complain(void) {
  int i;
  for (i = 0; i < lim_error_notes(err); i++)
    printf("  %s:%d:%d: %s\n", lim_error_file(err, i) ? lim_error_file(err, i) : "", lim_error_line(err, i),
           lim_error_column(err, i), lim_error_text(err, i));
  lim_error_clear(err);
}

static int near_to(double a, double b, double tolerance) {
  return fabs(a - b) <= tolerance * (1 + fabs(a) + fabs(b));
}

static void errors_have_accessors(void) {
  lim_model *m;
  static const char text[] = "limber: 1\nname: x\nlinks:\n  - {name: a, beam: {length: -1}}\n";
  EXPECT(!strcmp(lim_version(), LIM_VERSION));
  EXPECT(!strcmp(lim_code_text(LIM_OK), "done") && strlen(lim_code_text(LIM_NO_MEMORY)) > 0);
  EXPECT(lim_model_parse(&m, text, (long)strlen(text), "x.yaml", NULL, 0, err) == LIM_BAD_INPUT && !m);
  EXPECT(lim_error_notes(err) > 0 && !strcmp(lim_error_file(err, 0), "x.yaml") && lim_error_line(err, 0) == 4);
  EXPECT(lim_error_column(err, 0) > 0 && !lim_error_text(err, -1) && !lim_error_text(err, 1000));
  EXPECT(lim_error_warnings(err) == 0 && !lim_error_warning(err, 0) && !lim_error_warning_place(err, 0));
  EXPECT(isnan(lim_error_warning_time(err, 0)));
  lim_error_clear(err);
  EXPECT(lim_error_say(err, LIM_IO, NULL, 0, 0, "mine") == LIM_IO && !strcmp(lim_error_text(err, 0), "mine"));
  lim_error_clear(err);
}

static void words_and_numbers_are_read(void) {
  static const char *const list[] = {"static", "modes"};
  double x = 0;
  lim_answer *a = NULL;
  EXPECT(!strcmp(lim_word_nearest("statik", list, 2), "static") && !lim_word_nearest("zzz", list, 2));
  EXPECT(lim_quantity(&x, "200 mm", "m", err) == LIM_OK && near_to(x, 0.2, 1e-15));
  EXPECT(lim_quantity(&x, "200 kg", "m", err) == LIM_BAD_INPUT);
  lim_error_clear(err);
  EXPECT(lim_schema(&a, err) == LIM_OK && lim_answer_at(a, "properties.links"));
  lim_answer_free(a);
  EXPECT(lim_schema_page(&a, err) == LIM_OK && strlen(lim_answer_text(a, NULL)) > 1000);
  lim_answer_free(a);
  EXPECT(lim_units_page(&a, err) == LIM_OK && strlen(lim_answer_text(a, NULL)) > 100);
  lim_answer_free(a);
}

static void model_tells_what_is_in_it(const lim_model *m) {
  lim_answer *a = NULL;
  EXPECT(lim_model_links(m) == 2 && lim_model_link_parent(m, 0) == -1 && lim_model_link_parent(m, 1) == 0);
  EXPECT(lim_model_joint_name(m, 1) && !lim_model_joint_name(m, 2) && !lim_model_link_name(m, -1));
  EXPECT(!strcmp(lim_model_joint_kind(m, 0), "revolute") && !strcmp(lim_model_folder(m), "examples"));
  EXPECT(lim_model_reads(m, "examples/../examples/arm.yaml") && !lim_model_reads(m, "README.md"));
  EXPECT(!lim_model_reads(m, NULL) && !lim_model_reads(NULL, "README.md"));
  EXPECT(lim_model_describe(&a, m, err) == LIM_OK);
  EXPECT(!strcmp(lim_answer_text(a, "name"), lim_model_name(m)));
  EXPECT(lim_answer_number(a, "duration") == lim_model_duration(m));
  EXPECT(lim_answer_number(a, "step") == lim_model_step(m));
  EXPECT(!strcmp(lim_answer_key(a, "links", 1), lim_model_link_name(m, 1)));
  lim_answer_free(a);
}

static void answers_agree(const lim_study *s, const lim_model *m) {
  lim_answer *check = NULL, *rest = NULL, *modes = NULL, *inertia = NULL, *names = NULL, *pose = NULL;
  lim_modes_options few = lim_modes_options_default();
  lim_static_options plain = lim_static_options_default();
  lim_inertia_options start = lim_inertia_options_default();
  lim_ik_options where = lim_ik_options_default();
  int n = 0;
  few.count = 3;
  start.at = 0;
  EXPECT(lim_study_check(&check, s, err) == LIM_OK && lim_answer_number(check, "links") == 2);
  EXPECT(lim_study_names(&names, s, err) == LIM_OK && lim_answer_count(names, "joints") == 2);
  EXPECT(lim_study_static(&rest, s, &plain, err) == LIM_OK);
  EXPECT(lim_study_modes(&modes, s, &few, err) == LIM_OK);
  EXPECT(lim_answer_array(modes, "frequencies_hz", &n) && n == 3);
  EXPECT(lim_answer_kind_of(modes, "kinds") == LIM_ANSWER_LIST);
  few.size = 0;
  lim_answer_free(modes);
  EXPECT(lim_study_modes(&modes, s, &few, err) == LIM_BAD_INPUT && !modes);
  lim_error_clear(err);
  EXPECT(lim_study_inertia(&inertia, s, &start, err) == LIM_OK);
  EXPECT(!strcmp(lim_answer_unit(lim_answer_item(inertia, "joints", 0), "inertia"), "kg m^2"));
  EXPECT(lim_model_ik(&pose, m, &where, err) == LIM_OK);
  EXPECT(lim_answer_count(pose, "jacobian") == 6 && lim_answer_json(pose)[0] == '{');
  where.position = "1e3,0,0";
  lim_answer_free(pose);
  EXPECT(lim_model_ik(&pose, m, &where, err) == LIM_FAILED && lim_answer_at(pose, "nearest"));
  lim_error_clear(err);
  lim_answer_free(pose);
  lim_answer_free(inertia);
  lim_answer_free(rest);
  lim_answer_free(names);
  lim_answer_free(check);
}

static int steps_told;
static void progress(void *user, const char *what, double part) {
  (void)user;
  (void)what;
  (void)part;
  steps_told++;
}

/* The last of the recorded values is the final one; files of the folder can be drawn and transformed. */
static void runs_are_recorded(const lim_study *s, const char *folder) {
  char path[300];
  const char *words[2];
  lim_answer *a = NULL, *b = NULL;
  lim_simulate_options o = lim_simulate_options_default();
  lim_inverse_options inverse = lim_inverse_options_default();
  lim_spectrum_options spectrum = lim_spectrum_options_default();
  lim_plot_options look = lim_plot_options_default();
  int n = 0, count = 0;
  const double *x, *t;
  o.record = 1;
  o.folder = folder;
  o.hooks.progress = progress;
  EXPECT(lim_study_simulate(&a, s, &o, err) == LIM_OK && steps_told > 0);
  t = lim_answer_array(a, "time", &n);
  x = lim_answer_array(lim_answer_at(a, "channels"), "tip.position.x", &count);
  EXPECT(t && x && n == count && n > 2 && t[n - 1] == lim_answer_number(a, "end"));
  EXPECT(x && x[n - 1] == lim_answer_number(a, "final[\"tip.position.x\"]"));
  EXPECT(!strcmp(lim_answer_unit(a, "channels.tip.position.x"), "m"));
  EXPECT(lim_answer_kind_of(a, "warnings") == LIM_ANSWER_LIST);
  words[0] = folder;
  words[1] = "tip.position.x";
  snprintf(path, sizeof path, "%s/figure.svg", folder);
  EXPECT(lim_result_plot(&b, words, 2, path, &look, err) == LIM_OK && lim_answer_number(b, "panels") == 1);
  lim_answer_free(b);
  spectrum.channel = words[1];
  EXPECT(lim_result_spectrum(&b, folder, &spectrum, NULL, err) == LIM_OK && lim_answer_at(b, "density"));
  lim_answer_free(b);
  EXPECT(lim_result_report(&b, words, 1, NULL, err) == LIM_OK && lim_answer_number(b, "bytes") > 1000);
  lim_answer_free(b);
  snprintf(path, sizeof path, "%s/answer.json", folder);
  EXPECT(lim_answer_write(a, path, err) == LIM_OK && !unlink(path));
  EXPECT(lim_file_write(path, "x", 1, err) == LIM_OK && !unlink(path));
  lim_answer_free(a);
  EXPECT(lim_study_inverse(&a, s, &inverse, err) == LIM_OK && lim_answer_at(a, "joints.shoulder.effort"));
  lim_answer_free(a);
}

static void code_is_generated(const lim_model *m, const char *folder) {
  lim_answer *a = NULL;
  lim_generate_options o = lim_generate_options_default();
  o.output = folder;
  EXPECT(lim_model_generate(&a, m, &o, err) == LIM_OK && !strcmp(lim_answer_text(a, "name"), "arm"));
  lim_answer_free(a);
}

static void links_are_reduced(const lim_model *m, const char *folder) {
  static const char text[] =
      "limber: 1\nlinks:\n  - name: tube\n    joint: {name: j}\n    fe: {stiffness: models/fe/tube.sti, "
      "mass: models/fe/tube.mas, dofs: models/fe/tube.dof, nodes: models/fe/tube.inp, "
      "frames: {base: {nodes: ROOT}, tip: {nodes: TIP}}}\n    basis: {type: rigid}\n";
  char path[600];
  lim_answer *a = NULL;
  lim_model *tube = NULL;
  lim_reduce_options o = lim_reduce_options_default();
  o.folder = folder;
  EXPECT(lim_model_reduce(&a, m, &o, err) == LIM_BAD_INPUT && !a); /* it has no such links */
  lim_error_clear(err);
  EXPECT(lim_model_parse(&tube, text, (long)strlen(text), "tube.yaml", NULL, 0, err) == LIM_OK);
  EXPECT(lim_model_reduce(&a, tube, NULL, err) == LIM_BAD_INPUT && !a); /* nowhere */
  lim_error_clear(err);
  EXPECT(lim_model_reduce(&a, tube, &o, err) == LIM_OK && lim_answer_number(a, "links.tube.dofs") == 1128);
  snprintf(path, sizeof path, "%s/tube.h5", folder);
  EXPECT(!strcmp(lim_answer_text(a, "links.tube.file"), path) && !unlink(path));
  EXPECT(near_to(lim_answer_number(a, "links.tube.mass"), 2.42816, 1e-6));
  lim_answer_free(a);
  lim_model_free(tube);
}

/* Of rigid links the joints are all coordinates: 1/2 v' M v is the kinetic energy, J v the velocity of the tip.
 */
static void matrices_of_rigid_links_fit_the_channels(const lim_model *m) {
  static const char *const set[] = {"solver.mode=rigid", "outputs.channels=[energy.kinetic, tip.velocity]"};
  double M[4], J[12], v[2], p[2] = {0, 0}, efforts[2] = {0.3, -0.2}, energy = 0, x = 0, y = 0;
  int i, k, joint[2];
  lim_model *rigid = NULL;
  lim_sim *sim = NULL;
  EXPECT(lim_model_override(&rigid, m, set, 2, err) == LIM_OK);
  EXPECT(lim_sim_new(&sim, rigid, NULL, err) == LIM_OK && lim_sim_coordinates(sim) == 2);
  if (!sim) exit(1);
  EXPECT(lim_sim_efforts(sim, efforts, err) == LIM_OK);
  for (i = 0; i < 40; i++) EXPECT(lim_sim_step(sim, 5e-3, err) == LIM_OK);
  EXPECT(lim_sim_velocities(sim, v, err) == LIM_OK && fabs(v[0]) > 0.01 && fabs(v[1]) > 0.01);
  EXPECT(lim_sim_mass(sim, M, err) == LIM_OK && lim_sim_jacobian(sim, "tip", J, err) == LIM_OK);
  for (i = 0; i < 2; i++) joint[i] = lim_sim_joint_coordinate(sim, i);
  for (i = 0; i < 2; i++)
    for (k = 0; k < 2; k++) p[i] += M[2 * joint[k] + joint[i]] * v[k];
  energy = (p[0] * v[0] + p[1] * v[1]) / 2;
  for (k = 0; k < 2; k++) x += J[6 * joint[k]] * v[k], y += J[6 * joint[k] + 1] * v[k];
  EXPECT(near_to(energy, lim_sim_value(sim, lim_sim_channel(sim, "energy.kinetic")), 1e-12));
  EXPECT(near_to(x, lim_sim_value(sim, lim_sim_channel(sim, "tip.velocity.x")), 1e-12));
  EXPECT(near_to(y, lim_sim_value(sim, lim_sim_channel(sim, "tip.velocity.y")), 1e-12));
  lim_sim_free(sim);
  lim_model_free(rigid);
}

/* Symmetric; the tip of a straight arm moves with the shoulder at its distance. */
static void matrices_fit_the_motion(lim_sim *sim) {
  int n = lim_sim_coordinates(sim), k, i;
  double *M = calloc((size_t)(n * n) + 1, sizeof *M), *J = calloc((size_t)(6 * n) + 1, sizeof *J);
  if (!M || !J) exit(1);
  EXPECT(lim_sim_mass(sim, M, err) == LIM_OK && lim_sim_jacobian(sim, "tip", J, err) == LIM_OK);
  for (k = 0; k < n; k++)
    for (i = 0; i < k; i++) EXPECT(near_to(M[n * k + i], M[n * i + k], 1e-9));
  k = lim_sim_joint_coordinate(sim, 0);
  EXPECT(k >= 0 && lim_sim_joint_coordinate(sim, 99) == -1);
  EXPECT(near_to(J[6 * k + 1], lim_sim_value(sim, lim_sim_channel(sim, "tip.position.x")), 1e-9));
  EXPECT(lim_sim_jacobian(sim, "nowhere", J, err) == LIM_BAD_INPUT);
  lim_error_clear(err);
  free(M);
  free(J);
}

static double run(lim_sim *sim, int steps) {
  int k;
  for (k = 0; k < steps; k++) EXPECT(lim_sim_step(sim, 1e-3, err) == LIM_OK);
  return lim_sim_value(sim, lim_sim_channel(sim, "tip.position.x"));
}

static void states_are_taken_up(lim_sim *sim, lim_sim *other) {
  size_t size = lim_sim_state_size(sim);
  char *state = malloc(size + 1);
  double first, again, elsewhere, start[2], efforts[2] = {0.01, -0.01}, values[64];
  EXPECT(size > 0 && state && lim_sim_joints(sim) == 2 && lim_sim_channels(sim) <= 64);
  EXPECT(lim_sim_efforts(sim, efforts, err) == LIM_OK);
  run(sim, 20);
  EXPECT(lim_sim_state_get(sim, state, size, err) == LIM_OK);
  first = run(sim, 10);
  EXPECT(lim_sim_state_set(sim, state, size, err) == LIM_OK && near_to(lim_sim_time(sim), 0.02, 1e-12));
  again = run(sim, 10);
  EXPECT(lim_sim_state_set(other, state, size, err) == LIM_OK);
  elsewhere = run(other, 10);
  EXPECT(near_to(first, again, 1e-7) && again == elsewhere);
  EXPECT(lim_sim_values(sim, values, err) == LIM_OK);
  EXPECT(values[lim_sim_channel(sim, "tip.position.x")] == again);
  EXPECT(lim_sim_state_set(sim, state, size - 1, err) == LIM_BAD_INPUT);
  memset(state, 0, size);
  EXPECT(lim_sim_state_set(sim, state, size, err) == LIM_BAD_INPUT);
  lim_error_clear(err);
  EXPECT(lim_sim_reset(sim, err) == LIM_OK && lim_sim_time(sim) == 0);
  EXPECT(lim_sim_positions(sim, start, err) == LIM_OK && start[0] == lim_sim_position(sim, 0));
  EXPECT(lim_sim_velocities(sim, start, err) == LIM_OK && start[1] == lim_sim_velocity(sim, 1));
  EXPECT(lim_sim_effort(sim, 2, 1, err) == LIM_BAD_INPUT && isnan(lim_sim_position(sim, -1)));
  lim_error_clear(err);
  free(state);
}

static void arms_are_stepped(const lim_model *m) {
  lim_sim *sim = NULL, *other = NULL;
  EXPECT(lim_sim_new(&sim, m, NULL, err) == LIM_OK && lim_sim_new(&other, m, NULL, err) == LIM_OK);
  if (!sim || !other) return;
  EXPECT(lim_sim_joint(sim, lim_sim_joint_name(sim, 1)) == 1 && lim_sim_channel_name(sim, 0));
  matrices_fit_the_motion(sim);
  states_are_taken_up(sim, other);
  lim_sim_free(sim);
  lim_sim_free(other);
}

static void kinematics_go_both_ways(const lim_model *m) {
  lim_kin *kin = NULL;
  double q[2], back[2], all[8], p[3], R[9], J[12], left, angle;
  EXPECT(lim_kin_new(&kin, m, "tip", err) == LIM_OK);
  if (!kin) return;
  EXPECT(lim_kin_joints(kin) == 2 && lim_kin_joint_name(kin, 0) && !lim_kin_joint_follows(kin, 0));
  lim_kin_start(kin, q);
  q[0] += 0.2;
  q[1] += 0.3;
  lim_kin_pose(kin, q, p, R, J);
  EXPECT(lim_kin_near(kin, back, p, NULL, q, &left, &angle) == 1 && left < 1e-8);
  EXPECT(lim_kin_all(kin, all, 4, p, NULL, q) >= 1);
  lim_kin_free(kin);
}

int main(int argc, char **argv) {
  static const char *const set[] = {"solver.duration=0.05", "solver.step=0.001"};
  static const char *const more[] = {"outputs.channels=[tip]", "drives={shoulder: {type: prescribed}}",
                                     "motion={shoulder: {profile: quintic, to: 0.1, duration: 0.05}}"};
  const char *folder = argc > 1 ? argv[1] : ".";
  lim_model_setup setup = {sizeof setup, set, 2, NULL, 0};
  lim_model *given = NULL, *m = NULL, *parsed = NULL;
  lim_study *s = NULL;
  lim_use_one_thread();
  err = lim_error_new();
  EXPECT(lim_model_load_with(&given, "examples/arm.yaml", &setup, err) == LIM_OK);
  EXPECT(lim_model_override(&m, given, more, 3, err) == LIM_OK);
  lim_model_free(given);
  EXPECT(lim_model_load(&given, "examples/arm.yaml", set, 2, err) == LIM_OK);
  EXPECT(lim_model_parse_with(&parsed, "limber: 1", 9, "x", &setup, err) == LIM_BAD_INPUT && !parsed);
  lim_error_clear(err);
  EXPECT(lim_study_new(&s, m, err) == LIM_OK);
  if (failures) return 1;
  errors_have_accessors();
  words_and_numbers_are_read();
  model_tells_what_is_in_it(m);
  answers_agree(s, m);
  runs_are_recorded(s, folder);
  code_is_generated(m, folder);
  links_are_reduced(m, folder);
  arms_are_stepped(given);
  matrices_of_rigid_links_fit_the_channels(given);
  kinematics_go_both_ways(m);
  lim_study_free(s);
  lim_model_free(m);
  lim_model_free(given);
  lim_model_free(parsed);
  lim_error_free(err);
  return failures != 0;
}
