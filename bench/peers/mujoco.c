// mujoco.c - the benchmark arms in MuJoCo: a chain of hinges with springs. Its Euler steps take springs
// explicitly, and are stable up to 0.1 ms (B2) and 0.05 ms (B1).
#include "strip.h"

#include <mujoco/mujoco.h>

// The arm as MJCF; to be freed.
static char *describe(const strip_case *c) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!file) exit(1);
  fprintf(file,
          "<mujoco><option timestep='%g' gravity='0 %g 0' integrator='Euler'><flag contact='disable'/></option>"
          "<worldbody>",
          c->two_link ? 1e-4 : 5e-5, c->two_link ? 0 : -9.81);
  for (int i = 0; i < SEGMENTS; i++) {
    strip_inertia inertia = strip_inertia_of(c, i);
    fprintf(file,
            "<body pos='%.17g 0 0'><joint type='hinge' axis='0 0 1' stiffness='%.17g'/>"
            "<inertial pos='%.17g 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
            i ? SEGMENT : 0, strip_hinge(c, i) ? 0 : SPRING, inertia.centre, inertia.mass, inertia.inertia,
            inertia.inertia, inertia.inertia);
  }
  fprintf(file, "<site name='tip' pos='%.17g 0 0'/>", SEGMENT);
  for (int i = 0; i < SEGMENTS; i++) fprintf(file, "</body>");
  fprintf(file, "</worldbody></mujoco>");
  if (fclose(file)) exit(1);
  return text;
}

static mjModel *load(const strip_case *c) {
  char *text = describe(c), message[500] = "";
  mjVFS *files = malloc(sizeof *files);
  if (!files) exit(1);
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "arm.xml", (int)strlen(text));
  memcpy(files->filedata[0], text, strlen(text));
  mjModel *model = mj_loadXML("arm.xml", files, message, sizeof message);
  if (!model) {
    fprintf(stderr, "mujoco: %s\n", message);
    exit(1);
  }
  mj_deleteVFS(files);
  free(files);
  free(text);
  return model;
}

// What is timed, and under callgrind counted.
__attribute__((noinline)) void peer_steps(const mjModel *model, mjData *data, const strip_case *c);
__attribute__((noinline)) void peer_steps(const mjModel *model, mjData *data, const strip_case *c) {
  long steps = lround(1e-3 * c->milliseconds / model->opt.timestep);
  for (long k = 0; k < steps; k++) {
    if (c->two_link) {
      data->qfrc_applied[0] = strip_torque(0, data->time);
      data->qfrc_applied[SEGMENTS / 2] = strip_torque(1, data->time);
    }
    mj_step(model, data);
  }
}

int main(int argc, char **argv) {
  strip_case c = strip_case_of(argc, argv);
  mjModel *model = load(&c);
  mjData *data = mj_makeData(model);
  double best = INFINITY;
  for (int k = 0; k < c.runs; k++) {
    mj_resetData(model, data);
    double begin = strip_seconds();
    peer_steps(model, data, &c);
    best = fmin(best, strip_seconds() - begin);
  }
  mj_kinematics(model, data);
  strip_print(best, c.milliseconds, data->site_xpos[0], data->site_xpos[1]);
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
