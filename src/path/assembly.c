// assembly.c - an arm from a model: its tree, then what needs the recursion.
#include "path/assembly.h"

#include "arm/carriage.h"
#include "arm/rail.h"
#include "dynamics/damping.h"
#include "dynamics/loop_closing.h"
#include "path/line.h"

lim_code lim_arm_new(lim_arm **out, const lim_model *model, bool rigid, lim_error *err) {
  lim_arm *s;
  lim_code code = lim_arm_build(&s, model, rigid, err);
  *out = s;
  if (code == LIM_OK) code = lim_loops_start(s, err);
  if (code == LIM_OK) code = lim_lines_start(s, err);
  if (code == LIM_OK) code = lim_rails_start(s, err);
  if (code == LIM_OK) code = lim_damping_build(s, err);
  if (code == LIM_OK && !rigid) code = lim_carriage_warn(err, model);
  if (code == LIM_OK) return LIM_OK;
  lim_arm_free(s);
  *out = NULL;
  return code;
}
