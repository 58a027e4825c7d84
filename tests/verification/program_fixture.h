// program_fixture.h - robot programs for the tests: planned from text, and where they put the tool.
#ifndef PROGRAM_FIXTURE_H
#define PROGRAM_FIXTURE_H

#include "fixture.h"

#include "analysis/prepare.h"
#include "arm/kinematics.h"
#include "path/assembly.h"
#include "program/result.h"
#include "verification/table_fixture.h"

#include <unistd.h>

// A file for the program, which is gone when the model has been planned.
static inline lim_code plan_text(lim_model **out, const char *model, const char *program, lim_error *err) {
  char path[] = "/tmp/limber-program-XXXXXX.lua", text[4096];
  const int file = mkstemps(path, 4);
  assert_true(file >= 0);
  assert_int_equal(write(file, program, strlen(program)), (long)strlen(program));
  close(file);
  snprintf(text, sizeof text, "%s\nprogram: %s\n", model, path);
  static const char *const folder[] = {"/tmp"};
  const lim_model_setup setup = {.allow = folder, .nallow = 1};
  lim_code code = lim_model_parse_with(out, text, (long)strlen(text), "test.yaml", &setup, err);
  if (code == LIM_OK) code = lim_prepare_model(*out, NULL, err);
  unlink(path);
  return code;
}

typedef struct {
  lim_model *m;
  lim_arm *s; // rigid
  lim_world_motion *body;
  double *q, *v, *a;
} planned;

static inline planned plan_of(const char *model, const char *program) {
  planned x = {0};
  lim_error err = {0};
  lim_code code = plan_text(&x.m, model, program, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(lim_arm_new(&x.s, x.m, true, &err), LIM_OK);
  x.body = calloc((size_t)x.s->nbody, sizeof *x.body);
  x.q = calloc(3 * (size_t)x.s->n, sizeof *x.q);
  x.v = x.q + x.s->n;
  x.a = x.v + x.s->n;
  return x;
}

static inline void plan_free(planned x) {
  lim_arm_free(x.s);
  lim_model_free(x.m);
  free(x.body);
  free(x.q);
}

static inline const lim_trajectory *course_of(const planned *x, const char *joint) {
  for (int i = 0; i < x->m->motion.count; i++)
    if (!strcmp(x->m->motion.item[i].head.name, joint)) return x->m->motion.item[i].profile.ready;
  fail_msg("no motion of '%s'", joint);
  return NULL;
}

// The tool (the tip) at t.
static inline lim_world_motion tool_at(planned *x, double t) {
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    if (b->q < 0) continue;
    const lim_sample s = lim_trajectory_at(course_of(x, x->m->links.item[b->link].joint.head.name), t);
    x->q[b->q] = s.value;
    x->v[b->q] = s.rate;
    x->a[b->q] = s.second;
  }
  lim_kinematics(x->body, x->s, x->q, x->v, x->a);
  const lim_site *tip = &x->s->site[0].site;
  return lim_kinematics_site(x->s, tip, &x->body[tip->body], x->q, x->v, x->a);
}

// The k-th entry of the trace with this command.
static inline const lim_trace *trace_of(const planned *x, const char *command, int k) {
  for (int i = 0; i < x->m->plan->trace.count; i++)
    if (!strcmp(x->m->plan->trace.item[i].command, command) && k-- == 0) return &x->m->plan->trace.item[i];
  fail_msg("no '%s' in the trace", command);
  return NULL;
}

// Three joints in a plane; six with a spherical wrist; seven.
#define PLANAR                                                                                                 \
  "limber: 1\nplanar: xy\nlinks:\n"                                                                            \
  "  - {name: a, body: {mass: 1, tip: [0.5, 0, 0]}}\n"                                                         \
  "  - {name: b, body: {mass: 1, tip: [0.4, 0, 0]}}\n"                                                         \
  "  - {name: c, body: {mass: 1, tip: [0.2, 0, 0]}}\n"                                                         \
  "configuration: {a: 0.5, b: 0.9, c: -0.6}\nsolver: {step: 1 ms}\n"

#define WRISTED                                                                                                \
  "limber: 1\nlinks:\n"                                                                                        \
  "  - {name: a, joint: {dh: {d: 0.4, alpha: 90 deg}}, body: {mass: 1}}\n"                                     \
  "  - {name: b, joint: {axis: [0, 0, 1]}, body: {mass: 1, tip: [0.5, 0, 0]}}\n"                               \
  "  - {name: c, joint: {dh: {a: 0.05, alpha: 90 deg, theta: 90 deg}}, body: {mass: 1}}\n"                     \
  "  - {name: d, joint: {dh: {d: 0.4, alpha: -90 deg}}, body: {mass: 1}}\n"                                    \
  "  - {name: e, joint: {dh: {alpha: 90 deg}}, body: {mass: 1}}\n"                                             \
  "  - {name: f, joint: {dh: {d: 0.1}}, body: {mass: 1}}\n"                                                    \
  "configuration: {a: 0.3, b: 0.7, c: -0.5, d: 0.4, e: 0.8, f: -0.3}\nsolver: {step: 1 ms}\n"

#endif
