// ik.c - limber ik: joint positions that put a frame at a pose; or, without one, where a frame is and how
// joints move it.
#include "ik.h"

#include "base/error.h"
#include "base/units.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_ik_option(cli_ik_options *p, const char *name, const char *value) {
  const struct {
    const char *name, **to;
  } texts[] = {{"frame", &p->frame},        {"position", &p->position}, {"rpy", &p->rpy},
               {"near", &p->near},          {"hold", &p->hold},         {"rest", &p->rest},
               {"tolerance", &p->tolerance}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp(name, texts[i].name)) *texts[i].to = value;
  if (!strcmp(name, "all")) p->all = true;
  if (!strcmp(name, "deformed")) p->deformed = true;
}

// --- reading the command line ---

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// The part of a list up to the next comma, without blanks around it; moves on. False: the list is at its end.
static bool next_part(char *part, size_t size, const char **list) {
  if (!*list) return false;
  const char *at = *list + strspn(*list, " \t");
  size_t length = strcspn(at, ","), used = length;
  while (used > 0 && strchr(" \t", at[used - 1])) used--;
  snprintf(part, size, "%.*s", (int)(used < size ? used : size - 1), at);
  *list = at[length] ? at + length + 1 : NULL;
  return true;
}

static lim_code number_of(double *x, const char *text, const char *unit, const char *option, lim_error *err) {
  char bad[40] = "";
  lim_number_status status = lim_number_parse(x, text, unit, bad, sizeof bad);
  if (status == LIM_NUMBER_OK) return LIM_OK;
  if (status == LIM_NUMBER_UNIT)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: unknown unit '%s' in '%.60s'", option, bad, text);
  if (status == LIM_NUMBER_DIMENSION)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: '%.60s' is not in %s", option, text, unit);
  return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: '%.60s' is not a number", option, text);
}

// As many numbers as there are, at most three. Returns how many through count.
static lim_code numbers_of(double x[3], int *count, const char *list, const char *unit, const char *option,
                           lim_error *err) {
  char part[80];
  *count = 0;
  while (next_part(part, sizeof part, &list)) {
    if (*count == 3) return LIM_FAIL(err, LIM_BAD_INPUT, "--%s has more than three numbers", option);
    lim_code code = number_of(&x[(*count)++], part, unit, option, err);
    if (code != LIM_OK) return code;
  }
  return LIM_OK;
}

static lim_code unknown_joint(const cli_ik_question *x, const char *name, const char *option, lim_error *err) {
  lim_nearest near = lim_nearest_start(name);
  for (int i = 0; i < x->m->links.count; i++) lim_nearest_try(&near, x->m->links.item[i].joint.head.name);
  if (near.best)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: unknown joint '%.60s'; did you mean '%s'?", option, name,
                    near.best);
  return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: unknown joint '%.60s'", option, name);
}

// The link of a joint that moves; -1 with a message.
static int link_of(const cli_ik_question *x, const char *name, const char *option, lim_error *err) {
  for (int i = 0; i < x->m->links.count; i++) {
    const lim_joint *j = &x->m->links.item[i].joint;
    if (strcmp(j->head.name, name)) continue;
    if (j->type == LIM_REVOLUTE || j->type == LIM_PRISMATIC) return i;
    LIM_FAIL(err, LIM_BAD_INPUT, "--%s: joint '%s' does not turn or slide", option, name);
    return -1;
  }
  unknown_joint(x, name, option, err);
  return -1;
}

// "a=1,b=20 deg" into q, coordinates of the system. outside: whether joints beyond their limits are let
// through.
static lim_code posture_of(double *q, const cli_ik_question *x, const char *list, const char *option,
                           lim_error *err) {
  char part[160];
  while (next_part(part, sizeof part, &list)) {
    char *equals = strchr(part, '=');
    if (!equals)
      return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: '%.60s' is not of the form joint=position", option, part);
    *equals = 0;
    int link = link_of(x, part, option, err);
    if (link < 0) return LIM_BAD_INPUT;
    bool slides = x->m->links.item[link].joint.type == LIM_PRISMATIC;
    double value;
    lim_code code = number_of(&value, equals + 1, slides ? "m" : "rad", option, err);
    if (code != LIM_OK) return code;
    q[x->s->member[x->s->first_body[link]].q] = value;
  }
  return LIM_OK;
}

static lim_code take_held(cli_ik_question *x, lim_error *err) {
  const char *list = x->o->ik.hold;
  char part[160];
  while (next_part(part, sizeof part, &list)) {
    int link = link_of(x, part, "hold", err);
    if (link < 0) return LIM_BAD_INPUT;
    x->held[link] = true;
  }
  return LIM_OK;
}

static lim_code unknown_frame(const cli_ik_question *x, lim_error *err) {
  lim_nearest near = lim_nearest_start(x->frame);
  for (int i = 0; i < x->s->nsite; i++) lim_nearest_try(&near, x->s->site[i].name);
  if (near.best)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--frame: unknown frame '%.60s'; did you mean '%s'?", x->frame,
                    near.best);
  return LIM_FAIL(err, LIM_BAD_INPUT, "--frame: unknown frame '%.60s'; a link has LINK.base and LINK.tip",
                  x->frame);
}

// --- set-up ---

static lim_code check_options(const cli_options *o, lim_error *err) {
  const cli_ik_options *p = &o->ik;
  if (p->rpy && !p->position) return LIM_FAIL(err, LIM_BAD_INPUT, "--rpy needs --position beside it");
  if (o->joints && p->position)
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "--joints asks where the frame is, --position says it: give one of them");
  if (p->rest && strcmp(p->rest, "near") && strcmp(p->rest, "middle"))
    return LIM_FAIL(err, LIM_BAD_INPUT, "--rest is '%.40s', must be near or middle", p->rest);
  const char *idle = p->near ? "near" : p->all ? "all" : p->rest ? "rest" : p->tolerance ? "tolerance" : NULL;
  if (idle && !p->position) return LIM_FAIL(err, LIM_BAD_INPUT, "--%s needs --position beside it", idle);
  return LIM_OK;
}

// The chain in a posture: the configuration, with joints as the command line says.
static lim_code take_chain(cli_ik_question *x, lim_error *err) {
  const cli_options *o = x->o;
  double *q = x->p.arm.q;
  x->frame = o->ik.frame ? o->ik.frame : "tip";
  const lim_site *site = lim_chain_frame(x->s, x->frame);
  if (!site) return unknown_frame(x, err);
  lim_code code = posture_of(q, x, o->joints ? o->joints : o->ik.near, o->joints ? "joints" : "near", err);
  if (code == LIM_OK) code = take_held(x, err);
  if (code == LIM_OK && o->ik.deformed && !o->ik.position) code = lim_posture_settle(q, &x->p, err);
  if (code == LIM_OK) code = lim_chain_new(&x->c, x->s, site, q, x->held, err);
  if (code == LIM_OK && x->c->n == 0)
    code = LIM_FAIL(err, LIM_BAD_INPUT, "no joint moves frame '%s'%s", x->frame,
                    o->ik.hold ? " but those that are held" : "");
  return code;
}

// Positions of a planar model may leave out what is across its plane.
static lim_code take_position(cli_ik_question *x, lim_error *err) {
  static const int across[] = {[LIM_SPATIAL] = -1, [LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  int count, out = across[x->m->planar];
  double given[3];
  lim_place_in_world now;
  lim_code code = numbers_of(given, &count, x->o->ik.position, "m", "position", err);
  if (code != LIM_OK) return code;
  if (count != 3 && !(count == 2 && out >= 0))
    return LIM_FAIL(err, LIM_BAD_INPUT, "--position has %d number%s, must have three%s", count,
                    count == 1 ? "" : "s", out >= 0 ? " (or the two of the plane)" : "");
  lim_chain_pose(&now, x->c, x->c->start);
  for (int i = 0, k = 0; i < 3; i++) x->goal.position[i] = count == 2 && i == out ? now.p[i] : given[k++];
  return LIM_OK;
}

static lim_code take_goal(cli_ik_question *x, lim_error *err) {
  int count;
  double rpy[3];
  lim_code code = take_position(x, err);
  if (code != LIM_OK || !x->o->ik.rpy) return code;
  code = numbers_of(rpy, &count, x->o->ik.rpy, "rad", "rpy", err);
  if (code != LIM_OK) return code;
  if (count != 3)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--rpy has %d number%s, must have three", count, count == 1 ? "" : "s");
  lim_rotation_rpy(x->goal.R, rpy);
  return LIM_OK;
}

static lim_code not_reached(const cli_ik_question *x, lim_error *err) {
  char left[CLI_CELL], turned[64] = "", limit[200] = "";
  if (x->outcome[0].angle > 1e-9)
    snprintf(turned, sizeof turned, " and %.4g deg", x->outcome[0].angle * 180 / M_PI);
  if (x->outcome[0].beyond >= 0)
    snprintf(limit, sizeof limit, "; without the limits of joint '%.100s' it would get there",
             x->c->joint[x->outcome[0].beyond].name);
  return LIM_FAIL(err, LIM_FAILED, "frame '%s' cannot get there: %s%s left%s", x->frame,
                  cli_quantity(left, x->outcome[0].distance, "m"), turned, limit);
}

// Solutions of the undeformed arm.
static void solve(cli_ik_question *x) {
  if (x->o->ik.all) {
    x->count = lim_ik_all(x->ik, x->solution, CLI_SOLUTIONS, &x->outcome[0], &x->goal, x->c->start);
    if (x->count > CLI_SOLUTIONS) x->count = CLI_SOLUTIONS;
  } else {
    x->outcome[0] = lim_ik_near(x->ik, x->solution, &x->goal, x->c->start);
    x->count = x->outcome[0].reached;
  }
  for (int i = 1; i < x->count; i++) x->outcome[i] = lim_ik_look(x->ik, &x->goal, x->solution + i * x->c->n);
}

// Each of them, made up for the sag; those that cannot be are dropped.
static lim_code make_up(cli_ik_question *x, lim_error *err) {
  size_t size = (size_t)x->c->n * sizeof *x->solution;
  int kept = 0, count = x->count;
  for (int i = 0; i < count; i++) {
    lim_ik_outcome out;
    double *q = x->solution + i * x->c->n;
    lim_code code = lim_posture_reach(&out, q, &x->p, x->c, x->frame, x->held,
                                      x->o->ik.rpy ? LIM_GOAL_POSE : LIM_GOAL_POSITION, &x->goal, x->tolerance,
                                      x->tolerance, err);
    if (code != LIM_OK) return code;
    if (!out.reached && (kept > 0 || i + 1 < count)) continue;
    if (kept < i) memmove(x->solution + kept * x->c->n, q, size);
    x->outcome[kept] = out;
    kept += out.reached;
  }
  x->count = kept;
  return LIM_OK;
}

static lim_code inverse(lim_text *out, cli_ik_question *x, lim_error *err) {
  const cli_options *o = x->o;
  lim_code code = take_goal(x, err);
  x->tolerance = 1e-9;
  if (code == LIM_OK && o->ik.tolerance)
    code = number_of(&x->tolerance, o->ik.tolerance, "m", "tolerance", err);
  if (code == LIM_OK && !(x->tolerance > 0))
    code = LIM_FAIL(err, LIM_BAD_INPUT, "--tolerance is '%.40s', must be above 0", o->ik.tolerance);
  if (code == LIM_OK) code = lim_ik_new(&x->ik, x->c, o->ik.rpy ? LIM_GOAL_POSE : LIM_GOAL_POSITION, err);
  if (code != LIM_OK) return code;
  lim_ik_set_tolerance(x->ik, x->tolerance, x->tolerance);
  if (o->ik.rest && !strcmp(o->ik.rest, "middle")) lim_ik_set_rest(x->ik, LIM_REST_MIDDLE);
  solve(x);
  if (o->ik.deformed) code = make_up(x, err);
  if (code != LIM_OK) return code;
  if (o->json) cli_ik_print_json(out, x);
  if (cli_in_words(o)) cli_ik_print_words(out, x);
  return x->count ? LIM_OK : not_reached(x, err);
}

// --- the command ---

static lim_code answer(lim_text *out, cli_ik_question *x, lim_error *err) {
  lim_code code = take_chain(x, err);
  if (code != LIM_OK) return code;
  double *J = calloc(6 * (size_t)x->c->n, sizeof *J);
  x->solution = calloc(CLI_SOLUTIONS * (size_t)x->c->n, sizeof *x->solution);
  if (!J || !x->solution)
    code = no_memory(err);
  else if (x->o->ik.position)
    code = inverse(out, x, err);
  else
    cli_ik_print_pose(out, x, J);
  free(J);
  return code;
}

static lim_code start(cli_ik_question *x, lim_error *err) {
  lim_code code = lim_model_load(&x->m, x->o->model, x->o->set, x->o->nset, err);
  if (code != LIM_OK) return code;
  char *folder = cli_folder(x->o->model);
  x->held = calloc((size_t)x->m->links.count, sizeof *x->held);
  code = folder && x->held ? lim_posture_start(&x->p, x->m, folder, err) : no_memory(err);
  x->s = x->p.arm.s;
  free(folder);
  return code;
}

lim_code cli_ik(lim_text *out, const cli_options *o, lim_error *err) {
  cli_ik_question x = {.o = o};
  lim_code code = check_options(o, err);
  if (code == LIM_OK) code = start(&x, err);
  if (code == LIM_OK) code = answer(out, &x, err);
  free(x.solution);
  free(x.held);
  lim_ik_free(x.ik);
  lim_chain_free(x.c);
  lim_posture_end(&x.p);
  lim_model_free(x.m);
  return code;
}
