// channel_fixture.h - a snapshot of a real arm for the tests of src/channel: model text, systems, and
// coordinates that the test sets.
#ifndef CHANNEL_FIXTURE_H
#define CHANNEL_FIXTURE_H

#include "math/rotation.h" // before link_fixture.h, whose constants have names of its arguments
#include "path/assembly.h"

#include "analysis/simulation/simulate.h"
#include "link_fixture.h"
#include "store/recorder.h"

#define HEAD(gravity) "limber: 1\nname: an arm\ngravity: " gravity "\n" MATERIAL SECTION

typedef struct {
  lim_model *model;
  lim_arm *s, *rigid;
  lim_inputs *inputs;
  lim_equations *equations;
  double *q, *v, *a, *effort, *rq, *rv, *ra;
  lim_world_motion *body, *reference;
  lim_snapshot m;
} arm;

static inline double *zeros(int n) { return calloc((size_t)n + 1, sizeof(double)); }

// An arm at its configuration, at rest.
static inline void arm_start(arm *x, const char *text) {
  *x = (arm){.model = parse(text)};
  x->model->solver.stiffening = 0; // shapes are put in to first order
  assert_int_equal(lim_arm_new(&x->s, x->model, x->model->solver.mode == LIM_MODE_RIGID, NULL), LIM_OK);
  assert_int_equal(lim_arm_new(&x->rigid, x->model, true, NULL), LIM_OK);
  assert_int_equal(lim_inputs_new(&x->inputs, x->s, NULL, NULL), LIM_OK);
  assert_int_equal(lim_equations_new(&x->equations, x->s, x->inputs, x->rigid, NULL), LIM_OK);
  int n = x->s->n, r = x->rigid->n;
  x->q = zeros(n), x->v = zeros(n), x->a = zeros(n), x->effort = zeros(n);
  x->rq = zeros(r), x->rv = zeros(r), x->ra = zeros(r);
  x->body = calloc((size_t)x->s->nbody, sizeof *x->body);
  x->reference = calloc((size_t)x->rigid->nbody, sizeof *x->reference);
  lim_arm_start(x->q, x->v, x->s);
  lim_arm_start(x->rq, x->rv, x->rigid);
}

// The snapshot of what the coordinates are now.
static inline const lim_snapshot *arm_snapshot(arm *x, double t) {
  lim_kinematics(x->body, x->s, x->q, x->v, x->a);
  lim_kinematics(x->reference, x->rigid, x->rq, x->rv, x->ra);
  lim_energy_balance energy_balance = x->m.energy_balance;
  x->m = (lim_snapshot){.t = t,
                        .system = x->s,
                        .rigid = x->rigid,
                        .equations = x->equations,
                        .q = x->q,
                        .v = x->v,
                        .a = x->a,
                        .effort = x->effort,
                        .rq = x->rq,
                        .rv = x->rv,
                        .ra = x->ra,
                        .body = x->body,
                        .reference = x->reference,
                        .has_energy_balance = true,
                        .energy_balance = energy_balance};
  return &x->m;
}

static inline void arm_end(arm *x) {
  lim_equations_free(x->equations);
  lim_inputs_free(x->inputs);
  lim_arm_free(x->s);
  lim_arm_free(x->rigid);
  lim_model_free(x->model);
  double *list[] = {x->q, x->v, x->a, x->effort, x->rq, x->rv, x->ra};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) free(list[i]);
  free(x->body);
  free(x->reference);
}

// Coordinate of a nodal displacement of a body with the full basis.
static inline int coordinate(const arm *x, int body, int node, int kind) {
  const lim_arm_body *m = &x->s->bodies[body];
  for (int j = 0; j < m->shapes->n; j++)
    if (m->shapes->index[j] == 6 * node + kind) return m->e + j;
  fail_msg("node %d has no coordinate %d", node, kind);
  return -1;
}

// Nodal displacements of a body from a function of the place along it. u (6): ux uy uz tx ty tz
static inline void arm_bend(arm *x, int body, void (*shape)(double u[6], double at)) {
  const lim_mesh *mesh = x->s->bodies[body].mesh;
  for (int node = 1; node < mesh->nnode; node++) {
    double u[6];
    shape(u, mesh->x[node]);
    for (int k = 0; k < 6; k++) x->q[coordinate(x, body, node, k)] = u[k];
  }
}

static inline int channel_of(const lim_channels *c, const char *name) {
  for (int i = 0; i < c->count; i++)
    if (!strcmp(c->channel[i].name, name)) return i;
  fail_msg("no channel %s", name);
  return -1;
}

// --- channels of an arm ---

enum { MOST = 64 };

typedef struct {
  arm arm;
  lim_channels *c;
  double value[MOST];
} probe;

static inline void start(probe *p, const char *text) {
  arm_start(&p->arm, text);
  lim_error err = {0};
  if (lim_channels_new(&p->c, p->arm.s, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  assert_true(p->c->count <= MOST);
}

static inline void end(probe *p) {
  lim_channels_free(p->c);
  arm_end(&p->arm);
}

static inline void evaluate(probe *p, double t) {
  lim_channels_evaluate(p->value, p->c, arm_snapshot(&p->arm, t));
}
static inline double get(const probe *p, const char *name) { return p->value[channel_of(p->c, name)]; }

#endif
