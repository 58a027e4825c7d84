// loop_fixture.h - closed chains for the tests: runs of models from text or file, how far loops are open by
// kinematics, the force that closes one.
#ifndef LOOP_FIXTURE_H
#define LOOP_FIXTURE_H

#include "engine_fixture.h"

#include "analysis/inverse.h"
#include "analysis/overview.h"
#include "analysis/simulation/simulate.h"
#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"
#include "arm/loop.h"

static inline void must(lim_code code, lim_error *err, const char *what) {
  if (code == LIM_OK) return;
  print_notes(err);
  fail_msg("%s failed", what);
}

typedef void (*watcher)(void *user, const lim_snapshot *m);

typedef struct {
  watcher look;
  void *user;
} watching;

static inline lim_code pass_on(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  watching *w = user;
  w->look(w->user, m);
  return LIM_OK;
}

// Run a model, which is freed.
static inline lim_run watch(lim_model *model, watcher look, void *user) {
  lim_run run;
  lim_error err = {0};
  watching w = {look, user};
  lim_simulate_hooks hooks = {.record = pass_on, .user = &w};
  must(lim_simulate(&run, model, NULL, &hooks, &err), &err, "the simulation");
  lim_model_free(model);
  return run;
}

// A model of models/.
static inline lim_model *load_with(const char *path, const char *const *set) {
  lim_model *m = NULL;
  lim_error err = {0};
  int count = 0;
  while (set && set[count]) count++;
  must(lim_model_load(&m, path, set, count, &err), &err, path);
  return m;
}

// The distance between the two frames of each loop, of their velocities and of their accelerations, largest.
typedef struct {
  double gap, speed, parting, acceleration; // the last: of the frames themselves
} openness;

static inline void look_at_gaps(openness *o, const lim_snapshot *m) {
  for (int i = 0; i < m->system->nloop; i++) {
    lim_world_motion a = lim_snapshot_site(m, &m->system->loop[i].site[0]),
                     b = lim_snapshot_site(m, &m->system->loop[i].site[1]);
    double gap = 0, speed = 0, parting = 0;
    for (int k = 0; k < 3; k++) {
      gap += (a.p[k] - b.p[k]) * (a.p[k] - b.p[k]);
      speed += (a.v[k] - b.v[k]) * (a.v[k] - b.v[k]);
      parting += (a.a[k] - b.a[k]) * (a.a[k] - b.a[k]);
    }
    o->gap = fmax(o->gap, sqrt(gap));
    o->speed = fmax(o->speed, sqrt(speed));
    o->parting = fmax(o->parting, sqrt(parting));
    o->acceleration = fmax(o->acceleration, sqrt(a.a[0] * a.a[0] + a.a[1] * a.a[1] + a.a[2] * a.a[2]));
  }
}

// Force and moment of the first loop on its first frame, world axes.
static inline void loop_wrench(double force[3], double moment[3], const lim_snapshot *m) {
  const lim_closure *c = &m->system->loop[0];
  lim_world_motion a = lim_snapshot_site(m, &c->site[0]), b = lim_snapshot_site(m, &c->site[1]);
  lim_loop_wrench(force, moment, m->system, 0, m->lambda, &a, &b);
}

static inline int link_called(const lim_arm *s, const char *name) {
  for (int i = 0; i < s->model->links.count; i++)
    if (!strcmp(s->model->links.item[i].head.name, name)) return i;
  fail_msg("no link '%s'", name);
  return -1;
}

// Coordinate of a link's joint.
static inline int joint_of(const lim_arm *s, const char *link) {
  return s->bodies[s->first_body[link_called(s, link)]].q;
}

static inline const lim_site *site_called(const lim_arm *s, const char *name) {
  for (int i = 0; i < s->nsite; i++)
    if (!strcmp(s->site[i].name, name)) return &s->site[i].site;
  fail_msg("no frame '%s'", name);
  return NULL;
}

static inline lim_modes *modes_of(const lim_model *m, lim_joints joints, int count) {
  lim_modes *x = NULL;
  lim_error err = {0};
  must(lim_modes_new(&x, m, NULL, joints, count, &err), &err, "modes");
  assert_true(x->modes.count >= count);
  return x;
}

static inline lim_static *static_of(const lim_model *m) {
  lim_static *x = NULL;
  lim_error err = {0};
  must(lim_static_new(&x, m, NULL, &err), &err, "static");
  return x;
}

#endif
