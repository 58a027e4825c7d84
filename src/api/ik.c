// ik.c - joint positions that put a frame at a pose; or, without one, where a frame is and how joints move it:
// lim_model_ik of limber.h.
#include "analysis/prepare.h"
#include "analysis/statics/sag_ik.h"
#include "analysis/warnings.h"
#include "api/api.h"
#include "api/posture.h"
#include "api/texts.h"
#include "base/suggest.h"
#include "dynamics/loop_closing.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOLUTIONS = 64 };

typedef struct {
  lim_call *call;
  lim_ik_options o;
  const lim_model *m;
  lim_model prepared; // where it has a program
  lim_sag_ik p;
  lim_arm *s; // of p
  lim_chain *c;
  lim_ik *ik;
  const char *frame;
  bool *held;       // (links)
  double *solution; // (SOLUTIONS x n)
  lim_ik_outcome outcome[SOLUTIONS];
  lim_goal goal;
  double tolerance;
  int count; // solutions; 0: one that is as near as it gets
} question;

// --- reading the options ---

static lim_code unknown_frame(const question *x, lim_error *err) {
  lim_choice choice = lim_arm_sites(x->s, x->frame);
  return LIM_FAIL(err, LIM_BAD_INPUT, "--frame: unknown frame '%.60s'%s", x->frame,
                  lim_choice_say(&choice, "there are", LIM_CHOICE_ALL));
}

// --- set-up ---

static lim_code check_options(const lim_ik_options *p, lim_error *err) {
  if (p->rpy && !p->position) return LIM_FAIL(err, LIM_BAD_INPUT, "--rpy needs --position beside it");
  if (p->joints && p->position)
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "--joints asks where the frame is, --position says it: give one of them");
  if (p->rest && strcmp(p->rest, "near") && strcmp(p->rest, "middle"))
    return LIM_FAIL(err, LIM_BAD_INPUT, "--rest is '%.40s', must be near or middle", p->rest);
  const char *idle = p->near ? "near" : p->all ? "all" : p->rest ? "rest" : p->tolerance ? "tolerance" : NULL;
  if (idle && !p->position) return LIM_FAIL(err, LIM_BAD_INPUT, "--%s needs --position beside it", idle);
  return LIM_OK;
}

// Loops closed at the joints that were told. Where they only say near what to look, they may be left open.
static lim_code close_loops(question *x, double *q, lim_error *err) {
  size_t n = (size_t)x->s->n;
  const char *list = x->o.joints ? x->o.joints : x->o.near;
  if (!x->s->nrow || !list) return LIM_OK;
  if (!x->s->nloop) return lim_posture_couple(q, &x->p.arena, x->m, x->s, x->held, list, x->o.joints, err);
  double *closed = calloc(2 * n, sizeof *closed);
  lim_error own = {0};
  if (!closed) return lim_no_memory(err);
  memcpy(closed, q, n * sizeof *q);
  lim_code code = lim_loops_close(x->s, closed, closed + n, x->o.joints ? err : &own);
  if (code == LIM_OK) memcpy(q, closed, n * sizeof *q);
  free(closed);
  return x->o.joints || code == LIM_NO_MEMORY ? code : LIM_OK;
}

static bool in_chain(const lim_chain *c, int link) {
  for (int k = 0; k < c->n; k++)
    if (c->joint[k].link == link) return true;
  return false;
}

// Free and spherical joints before the frame that no loop moves stay where they are: nobody can tell them to
// move.
static void warn_of_balls(const question *x, const lim_site *site, lim_error *err) {
  for (int body = site->body; body >= 0; body = x->s->parent[body]) {
    const lim_link *a = &x->m->links.item[x->s->bodies[body].link];
    if (!lim_joint_in_ball(&a->joint) || lim_link_is_inserted(a)) continue;
    if (body != x->s->first_body[x->s->bodies[body].link] || in_chain(x->c, x->s->bodies[body].link)) continue;
    lim_warn(err, NAN, a->joint.whole, "joint '%.80s' is %s: it stays where the configuration has it",
             a->joint.whole, lim_joint_word(a->joint.kind));
  }
}

// The chain in a posture: the configuration, with joints as the command line says.
static lim_code take_chain(question *x, lim_error *err) {
  const lim_ik_options *o = &x->o;
  double *q = x->p.arm.q;
  x->frame = o->frame ? o->frame : x->s->site[x->s->tool].name;
  const lim_site *site = lim_chain_frame(x->s, x->frame);
  if (!site) return unknown_frame(x, err);
  lim_code code = lim_posture_read(q, x->m, x->s, o->joints ? o->joints : o->near, o->joints, err);
  if (code == LIM_OK) code = lim_posture_held(x->held, x->m, x->s, o->hold, err);
  if (code == LIM_OK) code = close_loops(x, q, err);
  if (code == LIM_OK && o->deformed && !o->position) {
    code = lim_sag_ik_settle(q, &x->p, err);
    if (code == LIM_OK) code = lim_warn_of_turns(err, NAN, x->s, q);
  }
  if (code == LIM_OK) code = lim_chain_new(&x->c, x->s, site, q, x->held, err);
  if (code == LIM_OK) warn_of_balls(x, site, err);
  if (code == LIM_OK && x->c->n == 0)
    code = LIM_FAIL(err, LIM_BAD_INPUT, "no joint moves frame '%s'%s", x->frame,
                    o->hold ? " but those that are held" : "");
  return code;
}

// Positions of a planar model may leave out what is across its plane.
static lim_code take_position(question *x, lim_error *err) {
  static const int across[] = {[LIM_SPATIAL] = -1, [LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  int count, out = across[x->m->planar];
  double given[3];
  lim_world_pose now;
  lim_code code = lim_texts_numbers(given, &count, x->o.position, "m", "position", err);
  if (code != LIM_OK) return code;
  if (count != 3 && !(count == 2 && out >= 0))
    return LIM_FAIL(err, LIM_BAD_INPUT, "--position has %d number%s, must have three%s", count,
                    count == 1 ? "" : "s", out >= 0 ? " (or the two of the plane)" : "");
  lim_ik_pose(&now, NULL, x->ik, x->c->start);
  for (int i = 0, k = 0; i < 3; i++) x->goal.position[i] = count == 2 && i == out ? now.p[i] : given[k++];
  return LIM_OK;
}

static lim_code take_goal(question *x, lim_error *err) {
  int count;
  double rpy[3];
  lim_code code = take_position(x, err);
  if (code != LIM_OK || !x->o.rpy) return code;
  code = lim_texts_numbers(rpy, &count, x->o.rpy, "rad", "rpy", err);
  if (code != LIM_OK) return code;
  if (count != 3)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--rpy has %d number%s, must have three", count, count == 1 ? "" : "s");
  lim_rotation_rpy(x->goal.R, rpy);
  return LIM_OK;
}

// Of a frame that its joints cannot turn as they like, how many motions they leave it.
static const char *say_freedoms(char text[100], const question *x) {
  int freedoms = lim_ik_freedoms(x->ik, x->solution), all = x->m->planar == LIM_SPATIAL ? 6 : 3;
  text[0] = 0;
  if (x->o.rpy && x->outcome[0].angle > 1e-9 && freedoms < all)
    snprintf(text, 100, "; its joints give it %d of the %d freedoms of a pose", freedoms, all);
  return text;
}

static lim_code not_reached(const question *x, lim_error *err) {
  char left[32], turned[64] = "", limit[200] = "", freedoms[100];
  if (x->outcome[0].angle > 1e-9)
    snprintf(turned, sizeof turned, " and %.4g deg", x->outcome[0].angle * 180 / M_PI);
  if (x->outcome[0].beyond >= 0)
    snprintf(limit, sizeof limit, "; without the limits of joint '%.100s' it would get there",
             x->c->joint[x->outcome[0].beyond].name);
  return LIM_FAIL(err, LIM_FAILED, "frame '%s' cannot get there: %s%s left%s%s", x->frame,
                  lim_texts_length(left, x->outcome[0].distance), turned, limit, say_freedoms(freedoms, x));
}

// Solutions of the undeformed arm.
static void solve(question *x) {
  if (x->o.all) {
    x->count = lim_ik_all(x->ik, x->solution, SOLUTIONS, &x->outcome[0], &x->goal, x->c->start);
    if (x->count > SOLUTIONS) x->count = SOLUTIONS;
  } else {
    x->outcome[0] = lim_ik_near(x->ik, x->solution, &x->goal, x->c->start);
    x->count = x->outcome[0].reached;
  }
  for (int i = 1; i < x->count; i++)
    x->outcome[i] = lim_ik_evaluate(x->ik, &x->goal, x->solution + i * x->c->n);
}

// Each of them, made up for the sag; those that cannot be are dropped.
static lim_code make_up(question *x, lim_error *err) {
  size_t size = (size_t)x->c->n * sizeof *x->solution;
  int kept = 0, count = x->count;
  for (int i = 0; i < count; i++) {
    lim_ik_outcome out;
    double *q = x->solution + i * x->c->n;
    lim_code code =
        lim_sag_ik_reach(&out, q, &x->p, x->c, x->frame, x->held, x->o.rpy ? LIM_GOAL_POSE : LIM_GOAL_POSITION,
                         &x->goal, x->tolerance, x->tolerance, err);
    if (code != LIM_OK) return code;
    if (!out.reached && (kept > 0 || i + 1 < count)) continue;
    if (kept < i) memmove(x->solution + kept * x->c->n, q, size);
    x->outcome[kept] = out;
    kept += out.reached;
  }
  x->count = kept;
  return LIM_OK;
}

// Roll, pitch, yaw about fixed axes; at pitch +-90 deg the yaw is 0.
static void rpy_of(double rpy[3], const double R[9]) {
  double level = hypot(R[0], R[3]);
  rpy[1] = atan2(-R[6], level);
  rpy[0] = level > 1e-12 ? atan2(R[7], R[8]) : atan2(-R[5], R[4]);
  rpy[2] = level > 1e-12 ? atan2(R[3], R[0]) : 0;
}

// Turns of ball joints are not shown: they have no meaning of their own.
static void json_positions(lim_json *j, const char *key, bool follow, const question *x, const double *q) {
  const lim_chain *c = x->c;
  lim_json_key(j, key);
  lim_json_object(j);
  for (int k = 0; k < c->n; k++) {
    const lim_chain_joint *a = &c->joint[k];
    if (a->follows != follow || lim_joint_in_ball(&x->m->links.item[a->link].joint)) continue;
    lim_put_number(j, a->name, q[k]);
    lim_json_unit(j, a->slides ? "m" : "rad");
  }
  for (int k = 0; follow && k < c->nfollower; k++) {
    if (!c->follower[k].moves) continue;
    lim_put_number(j, c->follower[k].joint.name, lim_chain_follow(c, k, q));
    lim_json_unit(j, c->follower[k].joint.slides ? "m" : "rad");
  }
  lim_json_end(j, '}');
}

// Those that can be told where to be and, of a closed chain, those that follow them.
static void json_joints(lim_json *j, const question *x, const double *q) {
  json_positions(j, "joints", false, x, q);
  if (x->c->s || x->c->nfollower) json_positions(j, "passive", true, x, q);
}

// J without the columns (6 each) of joints that follow; how many are left.
static int independent(double *J, const lim_chain *c) {
  int n = 0;
  for (int k = 0; k < c->n; k++)
    if (!c->joint[k].follows) memmove(J + 6 * n++, J + 6 * k, 6 * sizeof *J);
  return n;
}

static void json_jacobian(lim_json *j, const question *x, const double *J, int n) {
  double s[6], row[LIM_CHAIN_MOST];
  lim_chain_singular_values(s, J, n, x->c->size);
  lim_json_key(j, "jacobian");
  lim_json_list(j);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < n; k++) row[k] = J[6 * k + i];
    lim_json_numbers(j, row, n);
  }
  lim_json_end(j, ']');
  lim_put_numbers(j, "singular_values", s, n < 6 ? n : 6);
}

static lim_code json_pose(question *x, double *J, lim_error *err) {
  double rpy[3], *q = x->c->start;
  char text[96];
  lim_world_pose at;
  lim_code code = lim_ik_new(&x->ik, x->c, LIM_GOAL_POSE, err);
  if (code != LIM_OK) return code;
  lim_ik_pose(&at, J, x->ik, q);
  memcpy(x->goal.position, at.p, sizeof at.p);
  memcpy(x->goal.R, at.R, sizeof at.R);
  lim_json j = lim_call_json(x->call);
  rpy_of(rpy, at.R);
  lim_put_text(&j, "frame", x->frame);
  lim_put_numbers(&j, "position", at.p, 3);
  lim_put_numbers(&j, "rpy", rpy, 3);
  json_joints(&j, x, q);
  json_jacobian(&j, x, J, independent(J, x->c));
  lim_put_number(&j, "length", x->c->size);
  lim_json_key(&j, "freedoms");
  lim_json_int(&j, lim_ik_freedoms(x->ik, q));
  lim_put_text(&j, "singular", lim_ik_singular_name(text, lim_ik_evaluate(x->ik, &x->goal, q).singular));
  lim_call_close(x->call, &j);
  return LIM_OK;
}

static void json_posture(lim_json *j, const question *x, int i) {
  char text[96];
  double rpy[3], *q = x->solution + i * x->c->n;
  lim_world_pose at;
  lim_ik_pose(&at, NULL, x->ik, q);
  rpy_of(rpy, at.R);
  lim_json_object(j);
  json_joints(j, x, q);
  if (!x->o.deformed) lim_put_numbers(j, "rpy", rpy, 3);
  lim_put_number(j, "error", x->outcome[i].distance);
  lim_put_number(j, "angle_error", x->outcome[i].angle);
  if (x->c->s) lim_put_number(j, "gap", x->outcome[i].gap);
  lim_put_text(j, "singular", lim_ik_singular_name(text, x->outcome[i].singular));
  lim_json_end(j, '}');
}

static void json_solutions(question *x) {
  lim_json j = lim_call_json(x->call);
  lim_put_text(&j, "frame", x->frame);
  lim_put_numbers(&j, "position", x->goal.position, 3);
  lim_put_text(&j, "method", lim_ik_method_name(lim_ik_method_of(x->ik)));
  lim_json_key(&j, "reachable");
  lim_json_bool(&j, x->count > 0);
  lim_put_number(&j, "distance", x->outcome[0].distance);
  lim_put_number(&j, "angle", x->outcome[0].angle);
  lim_json_key(&j, "solutions");
  lim_json_list(&j);
  for (int i = 0; i < x->count; i++) json_posture(&j, x, i);
  lim_json_end(&j, ']');
  if (x->count == 0) {
    lim_json_key(&j, "nearest");
    json_posture(&j, x, 0);
    if (x->outcome[0].beyond >= 0) lim_put_text(&j, "beyond", x->c->joint[x->outcome[0].beyond].name);
  }
  lim_call_close(x->call, &j);
}

static lim_code inverse(question *x, lim_error *err) {
  const lim_ik_options *o = &x->o;
  lim_code code = lim_ik_new(&x->ik, x->c, o->rpy ? LIM_GOAL_POSE : LIM_GOAL_POSITION, err);
  if (code == LIM_OK) code = take_goal(x, err);
  x->tolerance = 1e-9;
  if (code == LIM_OK && o->tolerance)
    code = lim_texts_number(&x->tolerance, o->tolerance, "m", "tolerance", err);
  if (code == LIM_OK && !(x->tolerance > 0))
    code = LIM_FAIL(err, LIM_BAD_INPUT, "--tolerance is '%.40s', must be above 0", o->tolerance);
  if (code != LIM_OK) return code;
  lim_ik_set_tolerance(x->ik, x->tolerance, x->tolerance);
  if (o->rest && !strcmp(o->rest, "middle")) lim_ik_set_rest(x->ik, LIM_REST_MIDDLE);
  solve(x);
  if (o->deformed) code = make_up(x, err);
  if (code != LIM_OK) return code;
  json_solutions(x);
  return x->count ? LIM_OK : not_reached(x, err);
}

// --- the call ---

static lim_code answer(question *x, lim_error *err) {
  lim_code code = take_chain(x, err);
  if (code != LIM_OK) return code;
  double *J = calloc(6 * (size_t)x->c->n, sizeof *J);
  x->solution = calloc(SOLUTIONS * (size_t)x->c->n, sizeof *x->solution);
  if (!J || !x->solution)
    code = lim_no_memory(err);
  else if (x->o.position)
    code = inverse(x, err);
  else
    code = json_pose(x, J, err);
  free(J);
  return code;
}

static lim_code start(question *x, lim_error *err) {
  lim_code code = check_options(&x->o, err);
  if (code != LIM_OK) return code;
  x->held = calloc((size_t)x->m->links.count + 1, sizeof *x->held);
  code = x->held ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK && x->m->program) { // it may hold something at the start
    code = lim_prepare_copy(&x->prepared, x->m, x->m->origin.folder, err);
    x->m = &x->prepared;
  }
  if (code == LIM_OK) code = lim_sag_ik_start(&x->p, x->m, x->m->origin.folder, err);
  x->s = x->p.arm.s;
  return code;
}

lim_code lim_model_ik(lim_answer **out, const lim_model *model, const lim_ik_options *options, lim_error *err) {
  if (!model) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &model->said, err);
  question x = {.call = &call, .o = lim_ik_options_default(), .m = model};
  lim_call_options(&call, &x.o, options);
  if (call.code == LIM_OK) call.code = start(&x, &call.own);
  if (call.code == LIM_OK) {
    lim_code code = answer(&x, &call.own);
    if (call.code == LIM_OK) call.code = code;
  }
  free(x.solution);
  free(x.held);
  lim_ik_free(x.ik);
  lim_chain_free(x.c);
  lim_sag_ik_end(&x.p);
  lim_prepare_end(&x.prepared);
  return lim_call_end(&call);
}
