// engine_fixture.h - arms in motion for the tests: a model from text and overrides, a run that keeps peaks and
// ends; arms of several tests.
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include "fixture.h"

#include "analysis/prepare.h"
#include "analysis/simulation/simulate.h"
#include "verification/table_fixture.h"

enum { MAX_JOINTS = 8, MAX_SETTINGS = 12 };

// What a run leaves behind.
typedef struct {
  lim_run run;
  double t;                  // of the last record
  double tip[3];             // there
  double error[3];           // largest |tip - tip of the rigid arm|, component by component [m]
  double error_end[3];       // the last one
  double low[3], high[3];    // range of the error
  double effort[MAX_JOINTS]; // largest |effort| of each joint
  void (*watch)(void *user, const lim_snapshot *m); // called at every record; may be NULL
  void *user;
} observation;

// Overrides as on the command line, "solver.step=1 ms"; up to the first NULL.
static inline lim_model *model_of(const char *text, const char *const *set) {
  int count = 0;
  while (set && set[count]) count++;
  return parse_with(text, set, count);
}

static inline lim_code observe_moment(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  observation *o = user;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  lim_world_motion rigid = lim_snapshot_reference(m, &m->rigid->site[0].site);
  for (int i = 0; i < 3; i++) {
    double error = tip.p[i] - rigid.p[i];
    o->tip[i] = tip.p[i];
    o->error_end[i] = error;
    o->error[i] = fmax(o->error[i], fabs(error));
    o->low[i] = fmin(o->low[i], error);
    o->high[i] = fmax(o->high[i], error);
  }
  int joint = 0;
  for (int i = 0; i < m->system->nbody && joint < MAX_JOINTS; i++) {
    if (m->system->bodies[i].q < 0) continue;
    o->effort[joint] = fmax(o->effort[joint], fabs(m->effort[m->system->bodies[i].q]));
    joint++;
  }
  o->t = m->t;
  if (o->watch) o->watch(o->user, m);
  return LIM_OK;
}

// Run a model and keep what it shows in *o, whose watch and user may be set before.
static inline lim_code observe_code(observation *o, const char *text, const char *const *set, lim_error *err) {
  lim_model *model = model_of(text, set);
  lim_simulate_hooks hooks = {.record = observe_moment, .user = o};
  lim_code code = lim_prepare_model(model, NULL, err);
  if (code == LIM_OK) code = lim_simulate(&o->run, model, NULL, &hooks, err);
  lim_model_free(model);
  return code;
}

// The same where it has to succeed.
static inline void observe(observation *o, const char *text, const char *const *set) {
  lim_error err = {0};
  if (observe_code(o, text, set, &err) == LIM_OK) return;
  print_notes(&err);
  fail_msg("the simulation failed");
}

// --- arms; `solver` and more may follow ---

// The prototype of FLEXROB under the torques of its rigid inverse dynamics. The reflected inertias of its
// rotors sit at the joints; its elbow motor is a mass.
#define PROTOTYPE                                                                                              \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"                                                 \
  "sections: {strip: {shape: rectangle, y: 5 mm, z: 40 mm}}\n"                                                 \
  "links:\n"                                                                                                   \
  "  - name: upper\n"                                                                                          \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    beam: {length: 0.4 m, section: strip, material: aluminium, elements: 10}\n"                             \
  "    masses: [{at: base, mass: 0, inertia: [0, 0, 0.32]}, {at: tip, mass: 0.94}]\n"                          \
  "    basis: {type: modes, count: 2}\n"                                                                       \
  "  - name: fore\n"                                                                                           \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    beam: {length: 0.4 m, section: strip, material: aluminium, elements: 10}\n"                             \
  "    masses: [{at: base, mass: 0, inertia: [0, 0, 0.0235]}]\n"                                               \
  "    basis: {type: modes, count: 2}\n"                                                                       \
  "drives: {upper: {type: effort, effort: rigid}, fore: {type: effort, effort: rigid}}\n"                      \
  "motion:\n"                                                                                                  \
  "  upper: {profile: quintic, from: 0, to: 90 deg, duration: 1 s}\n"                                          \
  "  fore: {profile: quintic, from: 0, to: 90 deg, duration: 1 s}\n"

// The two-link strip that other codes agree on, driven by torques in time. basis: a line of each link, or "".
#define STRIP(basis)                                                                                           \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                 \
  "sections: {strip: {shape: rectangle, y: 5 mm, z: 20 mm, kappa: 0.833333333333}}\n"                          \
  "links:\n"                                                                                                   \
  "  - name: upper\n"                                                                                          \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    beam: {length: 0.5 m, section: strip, material: aluminium, elements: 10}\n"                             \
  "    masses: [{at: tip, mass: 0.1}]\n" basis "  - name: fore\n"                                              \
  "    joint: {axis: [0, 0, 1]}\n"                                                                             \
  "    beam: {length: 0.5 m, section: strip, material: aluminium, elements: 10}\n"                             \
  "    masses: [{at: tip, mass: 0.1}]\n" basis "drives:\n"                                                     \
  "  upper: {type: effort, effort: {profile: harmonic, amplitude: 0.2 N m, frequency: 1 Hz}}\n"                \
  "  fore: {type: effort, effort: {profile: harmonic, amplitude: -0.05 N m, frequency: 1 Hz}}\n"

// Chapter IV of the Timoshenko thesis, up to its links: aluminium, A = 350 mm^2, I = 10000 mm^4.
#define ROD                                                                                                    \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"                                                  \
  "sections: {rod: {shape: general, A: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, J: 20000 mm^4, kappa: "       \
  "0.8864}}\n"

#endif
