// equilibrium.c - r(q) = 0 at rest: by iteration with the elastic stiffness, and where that is too slow (large
// deflections) or ends where the arm does not stay, by Newton's method along growing loads.
// Theory: docs/theory/statics.md (1)-(5).
#include "analysis/statics/equilibrium.h"

#include "analysis/statics/contact_states.h"
#include "analysis/statics/released/descent.h"
#include "analysis/statics/released/holding_names.h"
#include "analysis/statics/released/release.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-13; // of the last correction, relative
static const double FIRST_PART = 0.1, MOST = 0.25, CLOSE = 1e-3, LEAST = 1e-5; // of the load, in one go
static const double LARGE_TURN = 1;          // [rad] within a body: nothing that is easy
static const double JUMP = 0.5, BACK = 0.02; // [rad] of all bodies, in one go
enum { EASY = 40 };                          // iterations

typedef lim_equilibrium_search search;

// --- (2): with the elastic stiffness ---

static bool by_stiffness(search *p) {
  double before = INFINITY, largest, rounding;
  if (p->e->nrow) return false; // pins have no stiffness of their own
  lim_equilibrium_search_load(p, 1);
  lim_equilibrium_search_residual(p);
  lim_step_matrix c = {.K = 1, .joint = p->e->joint, .gear = p->e->gear};
  lim_equations_tangents(p->e, c);
  if (lim_rec_factor(p->w, p->q, c) >= 0) return false;
  for (int k = 0; k < EASY; k++) {
    lim_rec_solve(p->r, p->w);
    for (int j = 0; j < p->m; j++) p->x[j] = p->r[p->index[j]];
    double change = lim_equilibrium_search_correct(p, &largest, &rounding);
    if (change <= fmax(TOLERANCE * largest, rounding)) return lim_equilibrium_search_turn(p) < LARGE_TURN;
    if (!isfinite(change)) return false;
    if (k > 2 && change > 0.7 * before && change > 1e-10 * largest) return false;
    lim_equilibrium_search_residual(p);
    before = change;
  }
  return false;
}

// --- (4), (5): Newton's method under a growing part of the load ---

static lim_code gives_way(search *p, double part, lim_error *err) {
  static const double SINGULAR = 1e-13;
  double condition = lim_equilibrium_search_condition(p, err);
  if (condition < SINGULAR)
    return LIM_FAIL(
        err, LIM_FAILED,
        "no equilibrium to any digits: the stiffness of the arm has a condition number of %.0e. Parts "
        "of it are too many orders of magnitude stiffer than others (shear factors, sections); the "
        "element 'timoshenko-cubic' bears any shear factor",
        1 / fmax(condition, 1e-20));
  return LIM_FAIL(err, LIM_FAILED,
                  "no stable equilibrium: the arm gives way at %.3g %% of its load. It buckles or falls, or "
                  "bends more than its segments can follow (beam: {segments: ...})",
                  100 * part);
}

// Flutter that has become divergence passes no singular tangent: there is this one equilibrium, at which the
// arm does not stay.
static bool may_pass(search *p) {
  bool may = p->verdict.diverges && !p->verdict.slow && !p->verdict.passed_zero && !p->leaves;
  p->leaves = p->leaves || may;
  return may;
}

// To another branch: too far in one go, or back the way. Where the path itself turns back, it does so slowly.
static bool is_jump(search *p) {
  double turned = lim_equilibrium_search_turned(p);
  return turned > JUMP || turned < -BACK;
}

static lim_code by_newton(search *p, lim_error *err) {
  size_t size = (size_t)p->n * sizeof *p->q;
  memset(p->way, 0, size);
  memcpy(p->q, p->start, size);
  memcpy(p->kept, p->start, size);
  double part = 0, step = FIRST_PART;
  while (part < 1) {
    bool done;
    double next = fmin(1, part + step);
    lim_equilibrium_search_load(p, next);
    lim_code code = lim_equilibrium_search_newton(&done, p, err);
    if (code != LIM_OK) return code;
    if (done && is_jump(p)) done = false;
    for (int i = 0; i < p->n && done; i++) p->way[i] = p->q[i] - p->kept[i];
    memcpy(done ? p->kept : p->q, done ? p->q : p->kept, size);
    if (done) part = next;
    step = done ? fmin(1.5 * step, MOST) : step / 2;
    if (step < CLOSE && !done && may_pass(p)) step = FIRST_PART;
    if (step < LEAST) return gives_way(p, part, err);
  }
  return LIM_OK;
}

// --- set-up ---

static bool allocate(search *p) {
  size_t n = (size_t)p->n;
  double **vector[] = {&p->part_v, &p->zero, &p->start, &p->kept, &p->way, &p->r, &p->x, &p->image};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&p->arena, n, sizeof(double)))) return false;
  size_t ndof = 0;
  for (int i = 0; i < p->s.nbody; i++)
    if ((size_t)p->s.bodies[i].mesh->ndof > ndof) ndof = (size_t)p->s.bodies[i].mesh->ndof;
  if (!(p->nodes = lim_arena_array(&p->arena, ndof, sizeof *p->nodes))) return false;
  p->index = lim_arena_array(&p->arena, n, sizeof *p->index);
  p->released = lim_arena_array(&p->arena, n, sizeof *p->released);
  size_t rows = (size_t)p->e->nrow;
  p->pivot = lim_arena_array(&p->arena, n + rows, sizeof *p->pivot);
  p->G = lim_arena_array(&p->arena, 2 * rows * n, sizeof *p->G);
  p->packed = p->G + rows * n;
  p->B = lim_arena_array(&p->arena, rows ? (n + rows) * (n + rows + 2) : 0, sizeof *p->B);
  p->b = p->B + (n + rows) * (n + rows);
  p->unit = p->b + n + rows;
  if (!p->G || !p->B) return false;
  p->w = lim_rec_work_new(&p->s);
  if (p->w) lim_rec_close(p->w, p->e->lambda);
  return p->index && p->released && p->pivot && p->w && lim_equations_bind(p->w, p->e);
}

static void choose(search *p, int k, bool yields) {
  lim_rec_lock(p->w, k, !yields);
  if (yields) p->index[p->m++] = k;
}

// An integral leaves no error at rest.
static bool holds_exactly(const lim_joint_drive *d) { return d->law.kind && d->law.kind->integral; }

// The arm as its joints stand now, with links that bear nothing.
static void unload(search *p) {
  memcpy(p->start, p->q, (size_t)p->n * sizeof *p->q);
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_arm_body *b = &p->s.bodies[i];
    for (int k = 0; k < b->body->n; k++) p->start[b->e + k] = 0;
  }
}

// All joints but those that yield, are released, or follow from others by loops, are locked; these and
// deformations are unknowns. Behind an elastic gear the joint yields, the motor where it has a controller.
static void choose_unknowns(search *p) {
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_arm_body *b = &p->s.bodies[i];
    const lim_joint_drive *d = &p->e->inputs->drive[i];
    bool yields = lim_drive_yields(d), leaves = yields && !holds_exactly(d);
    const bool loose = b->q >= 0 && (p->released[b->q] || (p->s.passive && p->s.passive[b->q]));
    if (b->q >= 0) choose(p, b->q, leaves || b->m >= 0 || loose);
    if (b->q >= 0 && p->released[b->q]) p->nreleased++;
    if (b->m >= 0) choose(p, b->m, leaves);
    double start = yields ? lim_inputs_sample(d->motion, p->t, LIM_AFTER).value : 0;
    if (b->q >= 0 && yields) p->q[b->q] = start;
    if (b->m >= 0 && yields) p->q[b->m] = start;
    for (int k = 0; k < b->body->n; k++) p->index[p->m++] = b->e + k;
  }
  lim_equations_prescribe(p->e, p->t, LIM_AFTER, p->q, NULL, NULL);
  unload(p);
}

// Whether links begin deformed: near an equilibrium, it is to be hoped.
static bool is_warm(const search *p) { return memcmp(p->q, p->start, (size_t)p->n * sizeof *p->q) != 0; }

// From near it under all of the load, if that helps; else from the unloaded arm.
static lim_code seek(search *p, lim_error *err) {
  bool done = false;
  lim_code code = LIM_OK;
  if (is_warm(p)) {
    lim_equilibrium_search_load(p, 1);
    code = lim_equilibrium_search_newton(&done, p, err);
  }
  return code == LIM_OK && !done ? by_newton(p, err) : code;
}

static lim_code solve(search *p, lim_error *err) {
  lim_code code = LIM_OK;
  bool stays = true;
  if (p->nreleased) return p->linear ? lim_descent_linear(p, err) : lim_descent(p, err);
  if (p->linear) return lim_equilibrium_search_linear(p, err);
  memcpy(p->kept, p->q, (size_t)p->n * sizeof *p->q);
  if (!by_stiffness(p)) {
    memcpy(p->q, p->kept, (size_t)p->n * sizeof *p->q);
    code = seek(p, err);
  }
  if (code == LIM_OK && p->stay) code = lim_equilibrium_search_check(&stays, p, true, err);
  if (code != LIM_OK || stays) return code;
  p->dense = true; // what products did not see, or (2) passed by
  return by_newton(p, err);
}

// Gears with play: first without it, which tells the flanks that touch; from there on with it.
static lim_code solve_with_play(search *p, lim_error *err) {
  lim_equations *e = p->e;
  const lim_inputs *inputs = e->inputs;
  lim_inputs without = *inputs;
  bool any = false;
  without.drive = lim_arena_array(&p->arena, (size_t)p->s.nbody, sizeof *without.drive);
  if (!without.drive) return lim_no_memory(err);
  for (int i = 0; i < p->s.nbody; i++) {
    without.drive[i] = inputs->drive[i];
    any = any || inputs->drive[i].backlash > 0;
    without.drive[i].backlash = 0;
  }
  if (!any) return solve(p, err);
  e->inputs = &without;
  lim_code code = solve(p, err);
  if (p->linear) {
    lim_warn(err, NAN, NULL, "play of gears counts as none with 'geometry: linear'");
    e->inputs = inputs;
    return code;
  }
  if (code == LIM_OK) lim_equilibrium_search_residual(p);
  double max = 0;
  for (int i = 0; i < p->s.nbody; i++) max = fmax(max, fabs(e->answer[i].gear));
  for (int i = 0; i < p->s.nbody; i++) { // a gear without load stays in the middle of its play
    if (p->s.bodies[i].m < 0 || !(fabs(e->answer[i].gear) > 1e-9 * max)) continue;
    without.drive[i].backlash = inputs->drive[i].backlash;
    p->q[p->s.bodies[i].q] -= copysign(inputs->drive[i].backlash / 2, e->answer[i].gear);
  }
  unload(p);
  if (code == LIM_OK && max > 0) code = solve(p, err);
  e->inputs = inputs;
  return code;
}

// Motors behind elastic gears whose controllers have an integral of the joint's error: by how far the joints
// are off, which the motors then make up for.
static double wind_up(search *p) {
  double max = 0;
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_arm_body *b = &p->s.bodies[i];
    const lim_joint_drive *d = &p->e->inputs->drive[i];
    if (b->m < 0 || !holds_exactly(d) || d->law.measure_motor) continue;
    const double off = lim_inputs_sample(d->motion, p->t, LIM_AFTER).value - p->q[b->q];
    p->q[b->m] += off;
    max = fmax(max, fabs(off));
  }
  return max;
}

static void tell_doubts(const search *p, lim_error *err) {
  static const double WORTH_TELLING = 1e-3;
  if (p->noise > 1e-9)
    lim_warn(err, NAN, NULL,
             "rounding leaves %.0e of the deformation uncertain: stiffnesses in the arm differ by too many "
             "orders of magnitude",
             p->noise);
  if (p->verdict.diverges)
    lim_warn(
        err, NAN, NULL,
        "the arm does not stay in this equilibrium: it leaves it without swinging, because a moment of fixed "
        "axis, or a force that follows, has no potential");
  else if (p->verdict.ratio > WORTH_TELLING)
    lim_warn(err, NAN, NULL,
             "the arm stays in this equilibrium only with a damping ratio above %.2g: else it flutters at %.4g "
             "Hz (a moment of fixed axis, or a force that follows, has no potential)",
             p->verdict.ratio, p->verdict.frequency);
  if (p->unjudged)
    lim_warn(err, NAN, NULL,
             "forces have no potential here, and the arm has too many coordinates to see whether it flutters");
}

// Motors whose limits the arm needs more than: beyond them they have no stiffness, and do not hold.
static lim_code check_limits(const search *p, const lim_inputs *inputs, lim_error *err) {
  for (int i = 0; i < p->s.nbody; i++) {
    const lim_joint_drive *d = &inputs->drive[i];
    double max = fmin(d->torque_limit, d->law.limit), needs = fabs(p->e->answer[i].torque);
    if (d->resistance > 0) max = fmin(max, d->voltage_limit * d->torque_constant / d->resistance);
    if (d->type != LIM_DRIVE_MOTOR || !d->law.kind || !(needs > (1 + 1e-9) * max)) continue;
    return LIM_FAIL(err, LIM_FAILED,
                    "no equilibrium: the motor of joint '%.80s' gives %.4g N m at most and would need %.4g N m",
                    p->s.model->links.item[p->s.bodies[i].link].joint.head.name, max, needs);
  }
  return LIM_OK;
}

static lim_code lift_limits(lim_inputs *out, search *p, lim_error *err) {
  *out = *p->e->inputs;
  out->drive = lim_arena_array(&p->arena, (size_t)p->s.nbody, sizeof *out->drive);
  if (!out->drive) return lim_no_memory(err);
  for (int i = 0; i < p->s.nbody; i++) {
    lim_joint_drive *d = &out->drive[i];
    *d = p->e->inputs->drive[i];
    d->torque_limit = d->voltage_limit = d->law.limit = INFINITY;
  }
  return LIM_OK;
}

static lim_code find_without_limits(search *p, lim_error *err) {
  enum { ROUNDS = 50 };
  lim_code code = solve_with_play(p, err);
  for (int k = 0; k < ROUNDS && code == LIM_OK && wind_up(p) > 1e-14; k++) {
    unload(p);
    code = solve(p, err);
  }
  return code;
}

// Contacts with friction stick where they stand; those that cannot hold slide, until all can.
static lim_code find_with_contacts(search *p, lim_error *err) {
  enum { ROUNDS = 30 };
  lim_equations *e = p->e;
  if (e->inputs->contacts.count == 0) return find_without_limits(p, err);
  lim_contact_review review;
  if (!lim_contact_review_start(&review, &p->arena, e)) return lim_no_memory(err);
  memset(e->lambda, 0, (size_t)e->nrow * sizeof *e->lambda);
  lim_contacts_stick(e, review.body, p->q);
  lim_code code = LIM_OK;
  for (int k = 0; k < ROUNDS; k++) {
    code = find_without_limits(p, err);
    if (code != LIM_OK || !lim_contact_review_change(&review, e, p->t, p->q, p->zero)) return code;
    unload(p);
  }
  return LIM_FAIL(err, LIM_FAILED, "no equilibrium: contacts stick and slide in turn, over and over");
}

// Limits of motors are lifted for the search, which may begin where they cut a command, and checked at its end.
// Small deflections within a body hold for a tenth of this; a body that is bent round is no answer.
static lim_code check_turn(search *p, lim_error *err) {
  static const double ROUND = 3; // [rad]
  double turn = p->linear ? 0 : lim_equilibrium_search_turn(p);
  if (!(turn > ROUND)) return LIM_OK;
  return LIM_FAIL(
      err, LIM_FAILED,
      "no equilibrium that can be trusted: a link bends by %.2g rad within one segment, where small "
      "deflections are assumed; its loads are far too large, or it needs more segments",
      turn);
}

// What is released rests.
static lim_code check_speeds(const search *p, lim_error *err) {
  for (int i = 0; i < p->n; i++)
    if (p->released[i] && p->v[i] != 0)
      return LIM_FAIL(err, LIM_FAILED, "joint '%.80s' is released and moves: what is released comes to rest",
                      lim_equations_owner(p->e->s, i));
  return LIM_OK;
}

static lim_code find(search *p, lim_error *err) {
  lim_equations *e = p->e;
  const lim_inputs *inputs = e->inputs;
  lim_inputs lifted;
  lim_code code = lift_limits(&lifted, p, err);
  if (code == LIM_OK) code = lim_release_find(p->released, e, err);
  if (code == LIM_OK) code = check_speeds(p, err);
  if (code != LIM_OK) return code;
  choose_unknowns(p);
  if (e->s->model->solver.release.all && !p->nreleased)
    lim_warn(err, NAN, NULL, "solver: release has no effect: every joint is driven, or follows others");
  e->inputs = e->control.inputs = &lifted;
  code = find_with_contacts(p, err);
  if (code == LIM_OK) lim_equilibrium_search_residual(p);
  if (code == LIM_OK) code = check_limits(p, inputs, err);
  e->inputs = e->control.inputs = inputs;
  if (code == LIM_OK) code = check_turn(p, err);
  if (code == LIM_OK) tell_doubts(p, err);
  if (code == LIM_OK) code = lim_holding_warn(p, err);
  if (code == LIM_OK) lim_equations_rest(p->r, e, p->t, p->q, p->v, p->zero);
  return code;
}

static lim_code start(search p, lim_error *err) {
  p.n = p.e->s->n;
  p.s = *p.e->s;
  lim_code code = allocate(&p) ? find(&p, err) : lim_no_memory(err);
  lim_rec_work_free(p.w);
  lim_slope_free(p.slope);
  lim_arena_free(&p.looked);
  lim_arena_free(&p.arena);
  return code;
}

// First-order equilibria are those of `static` alone.
static void warn_of_geometry(const lim_equations *e, lim_error *err) {
  if (e->s->model->solver.geometry)
    lim_warn(err, NAN, NULL,
             "'geometry: linear' counts in 'static' only: this equilibrium is the nonlinear one");
}

lim_code lim_equilibrium_moving(double *q, const double *v, lim_equations *e, double t, lim_error *err) {
  warn_of_geometry(e, err);
  return start((search){.e = e, .t = t, .q = q, .v = v}, err);
}

// To first order an arm neither closes nor opens a contact, nor comes to a stop.
static lim_code check_one_sided(const lim_equations *e, lim_error *err) {
  if (e->inputs->contacts.count)
    return lim_tree_error(err, e->inputs->contacts.item[0].from->head.node,
                          "contact '%s' cannot be treated with 'geometry: linear'; take nonlinear",
                          e->inputs->contacts.item[0].name);
  for (int i = 0; i < e->s->nbody; i++)
    if (e->inputs->drive[i].stop.stiffness > 0)
      lim_warn(err, NAN, NULL,
               "the stop of joint '%.80s' counts as it stands in the configuration with 'geometry: linear'",
               e->s->model->links.item[e->s->bodies[i].link].joint.head.name);
  return LIM_OK;
}

lim_code lim_equilibrium_linear(double *q, lim_equations *e, double t, lim_error *err) {
  if (check_one_sided(e, err) != LIM_OK) return LIM_BAD_INPUT;
  double *v = calloc((size_t)e->s->n + 1, sizeof *v);
  lim_code code = v ? start((search){.e = e, .t = t, .linear = true, .q = q, .v = v}, err) : lim_no_memory(err);
  free(v);
  return code;
}

lim_code lim_equilibrium(double *q, lim_equations *e, double t, lim_error *err) {
  warn_of_geometry(e, err);
  double *v = calloc((size_t)e->s->n + 1, sizeof *v);
  lim_code code = v ? start((search){.e = e, .t = t, .stay = true, .q = q, .v = v}, err) : lim_no_memory(err);
  free(v);
  return code;
}
