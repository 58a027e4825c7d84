// control_fixture.h - what tests of controllers and blocks share: outputs of blocks, one rigid joint on a
// motor.
#ifndef CONTROL_FIXTURE_H
#define CONTROL_FIXTURE_H

#include "motor_fixture.h"

// The output of a block at a moment.
static inline double block_output(const lim_snapshot *m, const char *name) {
  const lim_model *model = m->system->model;
  for (int i = 0; i < model->blocks.count; i++)
    if (!strcmp(model->blocks.item[i].head.name, name))
      return m->equations->control.signal[lim_network_signal(m->equations->inputs->network, i)];
  fail_msg("there is no block '%s'", name);
  return NAN;
}

// A joint of 0.165 kg m^2 and a rotor of 1e-5 kg m^2 behind a gear of 100: 0.265 kg m^2 together.
static const double RATIO = 100, INERTIA = 0.265;

#define MOTOR_JOINT(control, more)                                                                             \
  RIGID_ARM                                                                                                    \
  "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, control: {" control "}}}\n" more

#endif
