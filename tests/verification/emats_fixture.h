// emats_fixture.h - the EMATS-like robot of models/emats.yaml for the tests: overrides, what a run shows, the
// robot with rigid links and rails at any joint positions.
#ifndef EMATS_FIXTURE_H
#define EMATS_FIXTURE_H

#include "analysis/prepare.h"
#include "motor_fixture.h"

// Joints in the order of the table of FEDEM: six that turn, slide x, slide z; the links that they move.
enum { EMATS_JOINTS = 8, EMATS_BODIES = 12, EMATS_LINES = 5000 };
static const char *const EMATS_JOINT[EMATS_JOINTS] = {"j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8"};
static const int EMATS_LINK[EMATS_JOINTS] = {6, 7, 8, 9, 10, 11, 4, 5};

static const double STROKE = 0.2; // of the tool, along x [m]
static const double GOAL[3] = {4.5295, -0.161, 0.175};

// The arm, its program run. `each` (may be NULL) is set in the drive of every joint, "control.bandwidth=30".
static inline lim_model *emats_model(const char *const *set, const char *const *each) {
  enum { ROOM = 100 };
  static char text[ROOM][120];
  const char *all[ROOM];
  int n = 0;
  for (; set && *set; set++) all[n++] = *set;
  for (; each && *each; each++)
    for (int k = 0; k < EMATS_JOINTS; k++, n++) {
      assert_true(n < ROOM - 1);
      snprintf(text[n], sizeof text[n], "drives.%s.%s", EMATS_JOINT[k], *each);
      all[n] = text[n];
    }
  all[n] = NULL;
  lim_model *m = load_with("models/emats.yaml", all);
  lim_error err = {0};
  lim_code code = lim_prepare_model(m, "models", &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  return m;
}

// Rails and gantry that do not bend, and supports that do not give way.
#define EMATS_RIGID_RAILS                                                                                      \
  "links.upper_foot.basis={type: rigid}", "links.upper_rail.basis={type: rigid}",                              \
      "links.lower_foot.basis={type: rigid}", "links.lower_rail.basis={type: rigid}",                          \
      "links.gantry.basis={type: rigid}"

// What is seen at a record.
typedef struct {
  double t;
  double tip[3], stiff[3];     // the tool; the tool of rigid links on the same joint positions
  double reference[3];         // where the tool is told to be
  double q[EMATS_JOINTS];      // positions of the joints
  double ref[EMATS_JOINTS];    // what they are told
  double motor[EMATS_JOINTS];  // positions of the motors, over the ratio
  double effort[EMATS_JOINTS]; // what the gears transmit
} emats_record;

typedef struct {
  int n;
  emats_record at[EMATS_LINES];
  double ratio[EMATS_JOINTS], kp[EMATS_JOINTS], kv[EMATS_JOINTS]; // of the controllers
} emats_log;

// The tool of the rigid arm at joint positions q.
static inline void emats_tool(double p[3], const lim_arm *rigid, const double q[EMATS_JOINTS]) {
  lim_world_motion body[EMATS_BODIES];
  double x[EMATS_JOINTS] = {0};
  assert_true(rigid->n == EMATS_JOINTS && rigid->nbody == EMATS_BODIES);
  for (int k = 0; k < EMATS_JOINTS; k++) x[rigid->bodies[rigid->first_body[EMATS_LINK[k]]].q] = q[k];
  lim_kinematics(body, rigid, x, NULL, NULL);
  const lim_site *tip = &rigid->site[0].site;
  const lim_world_motion at = lim_kinematics_site(rigid, tip, &body[tip->body], x, NULL, NULL);
  memcpy(p, at.p, sizeof at.p);
}

static inline void emats_watch(void *user, const lim_snapshot *m) {
  emats_log *log = user;
  assert_true(log->n < EMATS_LINES);
  emats_record *x = &log->at[log->n++];
  x->t = m->t;
  const lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site),
                         told = lim_snapshot_reference(m, &m->rigid->site[0].site);
  memcpy(x->tip, tip.p, sizeof tip.p);
  memcpy(x->reference, told.p, sizeof told.p);
  for (int k = 0; k < EMATS_JOINTS; k++) {
    const int link = EMATS_LINK[k], i = joint_of(m, link);
    const lim_joint_drive *d = &m->equations->inputs->drive[m->system->first_body[link]];
    log->ratio[k] = d->ratio;
    log->kp[k] = d->law.kp;
    log->kv[k] = d->law.kv;
    x->q[k] = m->q[i];
    x->motor[k] = m->q[rotor_of(m, link)];
    x->effort[k] = m->effort[i];
    x->ref[k] = m->rq[m->rigid->bodies[m->rigid->first_body[link]].q];
  }
  emats_tool(x->stiff, m->rigid, x->q);
}

static inline void emats_run(emats_log *log, const char *const *set, const char *const *each) {
  lim_model *m = emats_model(set, each);
  log->n = 0;
  const lim_run run = run_model(m, "models", emats_watch, log);
  printf("run: %ld steps, %.2f s\n", run.steps, run.wall);
  lim_model_free(m);
}

static inline const emats_record *emats_end(const emats_log *log) { return &log->at[log->n - 1]; }

// Distance from the straight line of the tool.
static inline double emats_off(const double p[3]) { return hypot(p[1] - GOAL[1], p[2] - GOAL[2]); }

#endif
