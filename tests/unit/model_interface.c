// model_interface.c - the model with every section of the interface loads, and its values arrive in SI.
#include "model_fixture.h"

#include "model/joint.h"

#define PI 3.14159265358979323846

static lim_model *model;

static int setup(void **state) {
  (void)state;
  lim_error err = {0};
  lim_code code = lim_model_load(&model, "tests/models/interface.yaml", NULL, 0, &err);
  for (int i = 0; i < err.kept; i++)
    print_error("%d:%d: %s\n", err.note[i].line, err.note[i].column, err.note[i].text);
  lim_error_clear(&err);
  return code != LIM_OK;
}

static int teardown(void **state) {
  (void)state;
  lim_model_free(model);
  return 0;
}

static void interface_every_section_has_its_entries(void **state) {
  (void)state;
  const lim_model *m = model;
  assert_int_equal(m->version, 1);
  assert_string_equal(m->title, "two-link arm");
  assert_int_equal(m->planar, LIM_PLANE_XY);
  assert_int_equal(m->materials.count, 2);
  assert_int_equal(m->sections.count, 7);
  assert_int_equal(lim_written_links(m), 7);
  assert_int_equal(m->links.count, 12); // a free joint is six
  assert_int_equal(m->loops.count, 1);
  assert_int_equal(m->frames.count, 4);
  assert_int_equal(m->configuration.count, 3);
  assert_int_equal(m->drives.count, 6);
  assert_int_equal(m->motion.count, 3);
  assert_string_equal(m->program, "pick.lua");
  assert_int_equal(m->springs.count, 2);
  assert_int_equal(m->bushings.count, 1);
  assert_int_equal(m->loads.count, 3);
  assert_int_equal(m->outputs.channels.count, 5);
}

static void interface_materials_and_sections_are_in_si(void **state) {
  (void)state;
  const lim_material *alu = &model->materials.item[0], *steel = &model->materials.item[1];
  const lim_section *s = model->sections.item;
  assert_near(alu->E, 71e9);
  assert_near(alu->rho, 2710);
  assert_near(steel->rho, 7850);
  assert_near(s[0].y, 5e-3);
  assert_near(s[1].A, 350e-6);
  assert_near(s[1].Iy, 1e-8);
  assert_near(s[1].kappa[1], 0.8864);
  assert_near(s[2].size[0], 0.02);
  assert_near(s[5].size[0], 2e-3);
  assert_near(s[6].kappa[1], 0.5);
}

static void interface_links_are_in_si(void **state) {
  (void)state;
  const lim_link *upper = &model->links.item[0], *carriage = upper + 1, *output = upper + 2,
                 *coupler = upper + 3;
  assert_near(upper->joint.limits.position[0], -3.1);
  assert_near(upper->joint.limits.effort, 200);
  assert_near(upper->beam.length, 1);
  assert_int_equal(upper->beam.elements, 8);
  assert_int_equal(upper->basis.count, 2);
  assert_near(upper->masses.item[0].mass, 0.94);
  assert_vector(upper->masses.item[0].inertia, 0, 0, 1.27e-4);
  assert_near(upper->gauges.item[0].at.value, 0.05);
  assert_near(upper->gauges.item[0].rate, 1000);
  assert_int_equal(upper->gauges.item[0].bits, 12);
  assert_int_equal(carriage->parent.index, 0);
  assert_int_equal(carriage->joint.type, lim_joint_type("prismatic"));
  assert_vector(carriage->body.tip, 0.2, 0, 0);
  assert_int_equal(output->parent.index, -1);
  assert_int_equal(output->at.kind, LIM_AT_FRAME);
  assert_near(output->beam.length, 0.5);
  assert_int_equal(output->beam.pieces.count, 2);
  assert_near(output->damping.stiffness, 1e-4);
  assert_near(coupler->beam.length, 0.4);
  assert_near(coupler->joint.dh.theta, PI / 2);
  assert_int_equal(model->links.item[4].joint.slide.behind, 1);
  const lim_link *free_link = &model->links.item[lim_written_link(model, 5)];
  assert_int_equal(free_link->joint.kind, lim_joint_type("free"));
  assert_int_equal(free_link->joint.parts, 6);
  assert_int_equal(free_link->joint.part, 5);
}

static void interface_frames_and_configuration_are_in_si(void **state) {
  (void)state;
  const lim_joint_state *s = model->configuration.item;
  assert_vector(model->frames.item[0].xyz, 0.2, 0, 0.05);
  assert_near(model->frames.item[1].at.value, 0.5);
  assert_vector(model->frames.item[1].rpy, 0, 0, PI / 2);
  assert_near(s[0].position[0], PI / 6);
  assert_near(s[1].position[0], 0.1);
  assert_near(s[1].velocity[0], 0.5);
  assert_vector(s[2].position, 0, 0, 1);
  assert_near(s[2].angular_velocity[2], PI / 3);
  assert_int_equal(model->loops.item[0].between[0].link, 3);
  assert_int_equal(model->loops.item[0].between[1].frame, 1);
}

static void interface_drives_and_motion_are_in_si(void **state) {
  (void)state;
  const lim_drive *d = model->drives.item;
  assert_int_equal(d[0].type, LIM_DRIVE_MOTOR);
  assert_near(d[0].motor.ratio, 200);
  assert_near(d[0].gear.friction.stiction, 0.7);
  assert_near(d[0].control.kv, 5.03e-3);
  assert_near(d[1].stiffness, 1000);
  assert_near(d[2].frequency, 3.8);
  assert_int_equal(d[2].friction.on, 1);
  assert_near(d[3].effort.list.item[0].amplitude, 0.1);
  const lim_motion *q = model->motion.item;
  assert_near(q[0].profile.list.item[0].to, PI / 3);
  assert_int_equal(q[1].profile.list.count, 2);
  assert_near(q[1].profile.list.item[1].amplitude, 0.01);
  assert_near(q[1].profile.list.item[1].frequency, 2);
  assert_int_equal(q[2].joint, -1);
  assert_near(q[2].profile.list.item[0].line.to[1], 0.2);
}

static void interface_forces_and_solver_are_in_si(void **state) {
  (void)state;
  const lim_load *x = model->loads.item;
  assert_near(model->springs.item[0].length.list.item[0].value, 0.4);
  assert_int_equal(model->springs.item[1].length.list.count, 0);
  assert_string_equal(model->springs.item[1].force.table, "f.csv");
  assert_near(model->bushings.item[0].stiffness[5], 1e4);
  assert_vector(x[0].force, 0, -10, 0);
  assert_int_equal(x[0].at.frame, 3); // 'tip' is a frame of this model
  assert_near(x[0].to, 1);
  assert_int_equal(x[1].along.index, 0);
  assert_vector(x[2].moment, 0, 0, 2);
  assert_int_equal(x[2].axes, 1);
  assert_int_equal(model->damping.ratio.count, 1);
  assert_near(model->damping.ratio.item[0], 0.02);
  assert_near(model->solver.duration, 3);
  assert_near(model->solver.step, 1e-3);
  assert_int_equal(model->solver.start, 1);
  assert_int_equal(model->solver.stiffening, 0);
  assert_near(model->outputs.every, 1e-3);
  assert_int_equal(model->outputs.frequencies, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interface_every_section_has_its_entries),
      cmocka_unit_test(interface_materials_and_sections_are_in_si),
      cmocka_unit_test(interface_links_are_in_si),
      cmocka_unit_test(interface_frames_and_configuration_are_in_si),
      cmocka_unit_test(interface_drives_and_motion_are_in_si),
      cmocka_unit_test(interface_forces_and_solver_are_in_si),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
