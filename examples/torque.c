// torque.c - a program of one's own around limber: load an arm, push its joints by a law of one's own, read
// channels.
//
//   cc torque.c $(pkg-config --cflags --libs limber) -lm -o torque && ./torque examples/arm.yaml
#include <limber/limber.h>

#include <stdio.h>

static int complain(const lim_error *err) {
  for (int i = 0; i < err->kept; i++) {
    const lim_note *n = &err->note[i];
    fprintf(stderr, "%s:%d:%d: %s\n", n->file ? n->file : "limber", n->line, n->column, n->text);
  }
  return 1;
}

// A spring and a damper that pull a joint to a target.
static double law(const lim_sim *sim, int joint, double target) {
  return 2 * (target - lim_sim_position(sim, joint)) - 1 * lim_sim_velocity(sim, joint);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "examples/arm.yaml";
  lim_error err = {0};
  lim_model *model = NULL;
  lim_sim *sim = NULL;
  lim_code code = lim_model_load(&model, path, NULL, 0, &err);
  if (code == LIM_OK) code = lim_sim_new(&sim, model, ".", &err);
  int shoulder = code == LIM_OK ? lim_sim_joint(sim, "shoulder") : -1;
  int elbow = code == LIM_OK ? lim_sim_joint(sim, "elbow") : -1;
  int x = code == LIM_OK ? lim_sim_channel(sim, "tip.position.x") : -1;
  for (int k = 0; k < 6000 && code == LIM_OK; k++) {
    if (k % 1000 == 0)
      printf("t %.1f s: shoulder %7.4f rad, elbow %7.4f rad, tip x %.4f m\n", lim_sim_time(sim),
             lim_sim_position(sim, shoulder), lim_sim_position(sim, elbow), lim_sim_value(sim, x));
    code = lim_sim_effort(sim, shoulder, law(sim, shoulder, 0.5), &err);
    if (code == LIM_OK) code = lim_sim_effort(sim, elbow, 0.1 * law(sim, elbow, -1), &err);
    if (code == LIM_OK) code = lim_sim_step(sim, 1e-3, &err);
  }
  int status = code == LIM_OK ? 0 : complain(&err);
  if (status == 0)
    printf("at the end: shoulder %.4f rad, elbow %.4f rad\n", lim_sim_position(sim, shoulder),
           lim_sim_position(sim, elbow));
  lim_sim_free(sim);
  lim_model_free(model);
  lim_error_clear(&err);
  return status;
}
