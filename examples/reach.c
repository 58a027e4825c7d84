// api/kin.c - joint positions that lead the tool of a six-axis arm around a circle, from each point to the
// next.
#include <limber/limber.h>

#include <math.h>
#include <stdio.h>

enum { JOINTS = 6, POINTS = 8 };

static int lead(lim_kin *reach) {
  double q[JOINTS], centre[3], R[9], left;
  lim_kin_start(reach, q);
  lim_kin_pose(reach, q, centre, R, NULL);
  for (int i = 0; i <= POINTS; i++) {
    double turn = 2 * acos(-1) * i / POINTS;
    double position[3] = {centre[0] - 0.2, centre[1] + 0.1 * cos(turn), centre[2] + 0.1 * sin(turn)};
    if (!lim_kin_near(reach, q, position, R, q, &left, NULL)) {
      fprintf(stderr, "point %d cannot be reached: %g m left\n", i, left);
      return 1;
    }
    for (int k = 0; k < JOINTS; k++)
      printf("%s %7.4f%s", lim_kin_joint_name(reach, k), q[k], k + 1 < JOINTS ? "  " : "\n");
  }
  return 0;
}

int main(int argc, char **argv) {
  lim_error err = {0};
  lim_model *model = NULL;
  lim_kin *reach = NULL;
  lim_code code = lim_model_load(&model, argc > 1 ? argv[1] : "models/six-axis.yaml", NULL, 0, &err);
  if (code == LIM_OK) code = lim_kin_new(&reach, model, "tool", &err);
  int status = 1;
  if (code == LIM_OK && lim_kin_joints(reach) == JOINTS) status = lead(reach);
  for (int i = 0; i < err.kept; i++) fprintf(stderr, "%s\n", err.note[i].text);
  lim_kin_free(reach);
  lim_model_free(model);
  lim_error_clear(&err);
  return status;
}
