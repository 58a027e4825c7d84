// session.c - building, advancing and looking at a simulation. Theory: docs/theory/simulation.md.
#include "analysis/session.h"

#include "analysis/design.h"
#include "analysis/equilibrium.h"
#include "analysis/planning.h"
#include "analysis/quasi_static.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- looking ---

// The rigid arm's loops: joints that are not commanded follow from those that are.
static void close_reference(lim_session *r) {
  lim_equations *e = r->closed;
  lim_equations_residual(r->rest, e, r->flow->t, LIM_BEFORE, r->rq, r->rv, r->zero);
  if (lim_equations_factor(e, r->rq, (lim_step_matrix){.M = 1}, NULL) == LIM_OK)
    lim_equations_project(e, r->rq, r->rv);
}

// The reference: commanded joints where they are told to be, others where they are.
static void refer(lim_session *r) {
  const lim_equations *e = r->flow->e;
  for (int i = 0; i < r->s->nbody; i++) {
    int k = r->s->member[i].q, j = k < 0 ? -1 : r->rigid->member[r->rigid->first_body[r->s->member[i].link]].q;
    if (k < 0) continue;
    const lim_course *c = e->act->drive[i].motion;
    lim_sample x = c ? lim_course_before(c, r->flow->t) : (lim_sample){r->q[k], r->v[k], r->a[k]};
    r->rq[j] = x.value;
    r->rv[j] = x.rate;
    r->ra[j] = x.second;
  }
  if (r->closed) close_reference(r);
  lim_kinematics(r->reference, r->rigid, r->rq, r->rv, r->ra);
}

// Modes linear and quasi-static: the deviation about the rigid motion, and points a little to either side of
// it.
static void expand(lim_session *r) {
  const lim_flow *f = r->flow;
  const double *deviation[3] = {f->q, f->v, f->a};
  double *total[3] = {r->q, r->v, r->a};
  double largest = 0;
  for (int i = 0; i < f->n; i++) largest = fmax(largest, fabs(f->q[i]));
  r->moment.epsilon =
      1e-4 / fmax(largest, 1e-2); // keeps the nonlinear part of the difference far below its value
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < f->n; i++) {
      double base = f->ref[k * f->n + i], d = deviation[k][i];
      total[k][i] = base + d;
      r->beside[0][k][i] = base - r->moment.epsilon * d;
      r->beside[1][k][i] = base + r->moment.epsilon * d;
    }
  for (int i = 0; i < 2; i++)
    lim_kinematics(r->side[i], r->s, r->beside[i][0], r->beside[i][1], r->beside[i][2]);
}

static void keep_books(lim_session *r) {
  lim_energies e = lim_energies_of(r->s, r->body, r->q, r->v);
  double stored = 0;
  if (r->equations->stores) {
    lim_equations_residual(r->flow->r, r->equations, r->flow->t, LIM_BEFORE, r->q, r->v, r->a);
    stored = lim_equations_power(r->equations, r->flow->body, r->q, r->v, r->flow->r).stored;
  }
  lim_books *b = &r->moment.books;
  const double *book = r->flow->book;
  *b = (lim_books){.kinetic = e.kinetic,
                   .strain = e.strain + stored,
                   .gravity = e.gravity,
                   .work = book[LIM_WORK],
                   .dissipated = book[LIM_DISSIPATED],
                   .gear_loss = book[LIM_GEAR_LOSS],
                   .friction_loss = book[LIM_FRICTION_LOSS]};
  double sum = b->kinetic + b->strain + b->gravity + b->dissipated - b->work;
  if (r->looks == 0) r->start_energy = sum;
  b->balance = sum - r->start_energy;
  r->peak = fmax(r->peak, b->kinetic + b->strain);
  r->square += b->balance * b->balance;
}

// A floating frame holds for deflections that are small beside its length.
static void watch_bending(lim_session *r) {
  for (int i = 0; i < r->s->nsite; i++) {
    const lim_site *site = &r->s->site[i].site;
    const lim_section_motion *x = &site->section;
    if (site->body < 0 || x->count == 0 || !r->s->member[site->body].mesh) continue;
    const double *eta = r->q + r->s->member[site->body].e + x->first;
    double u[3] = {0};
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < x->count; j++) u[k] += x->N[k * x->count + j] * eta[j];
    double length = r->s->member[site->body].mesh->length;
    if (x->slide) length = r->q[r->s->member[site->body].q];
    if (length < 0.02 * r->s->member[site->body].mesh->length) continue; // drawn in
    double bend = sqrt(lim_dot(u, u)) / length;
    if (bend <= r->bend) continue;
    r->bend = bend;
    r->bend_link = r->s->member[site->body].link;
  }
}

// N l^2/EI of every floating frame: what geometric stiffness it would have beside its own, which is left out.
static void watch_pull(lim_session *r) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_member *m = &r->s->member[i];
    if (!m->mesh || m->slide || m->body->n == 0) continue;
    double F[3], N[3];
    if (r->flow->dual)
      lim_dual_reaction(F, N, r->flow->dual, i);
    else
      lim_rec_reaction(F, N, r->equations->w, i);
    lim_section_data a = lim_mesh_section(m->mesh, 0.5);
    double I = r->model->planar == LIM_PLANE_XY ? a.Iz : fmin(a.Iy, a.Iz);
    double pull = fabs(F[0]) * m->mesh->length * m->mesh->length / (m->mesh->element[0].E * I);
    if (pull <= r->pull) continue;
    r->pull = pull;
    r->pull_link = m->link;
  }
}

static void watch_loops(lim_session *r) {
  lim_equations *e = r->equations;
  lim_loops_look(e->row, r->s, r->body, r->q, r->v, NULL);
  for (int i = 0; i < r->s->nrow; i++) {
    r->gap = fmax(r->gap, fabs(e->row[i].value));
    r->opening = fmax(r->opening, fabs(e->row[i].rate));
  }
}

void lim_session_look(lim_session *r) {
  const lim_flow *f = r->flow;
  size_t size = (size_t)f->n * sizeof(double);
  if (r->method->show && !r->quasi_static) r->method->show(r->flow);
  if (r->ground) {
    expand(r);
  } else {
    memcpy(r->q, f->q, size);
    memcpy(r->v, f->v, size);
    memcpy(r->a, f->a, size);
  }
  for (int i = 0; i < r->s->nrow; i++)
    r->lambda[i] = r->equations->lambda[i] + (r->ground ? r->ground->e->lambda[i] : 0);
  lim_kinematics(r->body, r->s, r->q, r->v, r->a);
  refer(r);
  r->moment.t = f->t;
  if (!r->ground) lim_equations_signals(r->equations, f->t, r->looks ? LIM_BEFORE : LIM_AFTER, r->q, r->v);
  if (!r->ground) keep_books(r);
  watch_bending(r);
  if (r->method == r->under) watch_pull(r); // not of forces in a few modes
  if (r->s->nrow && !r->ground) watch_loops(r);
  r->looks++;
}

// --- time ---

double lim_session_next(const lim_session *r, double t) {
  return fmin(lim_actuation_next_break(r->act, t), lim_equations_next_tick(r->equations, t));
}

lim_code lim_session_restart(lim_session *r, lim_error *err) {
  lim_code code = LIM_OK;
  if (r->ground && r->under->pause && r->ground->started) r->under->pause(r->ground);
  if (r->method->pause && !r->quasi_static && r->flow->started) r->method->pause(r->flow);
  code = lim_gripping_turn(r->gripping, err);
  if (code == LIM_OK && !r->ground)
    code = lim_equations_tick(r->equations, r->flow->t, r->flow->q, r->flow->v, err);
  if (code != LIM_OK) return code;
  memcpy(r->equations->extra_before, r->equations->extra, (size_t)r->s->n * sizeof(double));
  if (r->ground)
    code = r->under->restart(r->ground, err);
  else
    code = lim_events_settle(r->events, err);
  if (code != LIM_OK || !r->quasi_static) return code == LIM_OK ? r->method->restart(r->flow, err) : code;
  lim_flow_about(r->flow);
  return lim_quasi_static(r->flow, LIM_AFTER, err);
}

// A beam that slides stays in its guide, and within the limits of its joint.
static lim_code check_slides(const lim_session *r, lim_error *err) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_member *b = &r->s->member[i];
    if (!b->slide) continue;
    const lim_joint *j = &r->model->links.item[b->link].joint;
    double low = fmax(0, j->limits.position[0]), high = fmin(b->slide->length, j->limits.position[1]);
    double q = r->flow->q[b->q] + (r->ground ? r->flow->ref[b->q] : 0), slack = 1e-9 * b->slide->length;
    if (q >= low - slack && q <= high + slack) continue;
    return LIM_FAIL(
        err, LIM_FAILED,
        "at t = %g s joint '%s' is at %g m, beyond its %s limit %g m: the beam leaves its guide there",
        r->flow->t, j->head.name, q, q < low ? "lower" : "upper", q < low ? low : high);
  }
  return LIM_OK;
}

static lim_code advance(lim_session *r, double to, lim_error *err) {
  lim_code code = LIM_OK;
  if (r->ground) {
    code = r->under->advance(r->ground, to, err);
    if (code == LIM_OK) lim_flow_about(r->flow);
  }
  if (code != LIM_OK) return code;
  if (r->events) return lim_events_advance(r->events, r->method, to, err);
  if (!r->quasi_static) return r->method->advance(r->flow, to, err);
  r->flow->t = to;
  r->flow->steps++;
  return lim_quasi_static(r->flow, LIM_BEFORE, err);
}

lim_code lim_session_advance(lim_session *r, double to, lim_error *err) {
  lim_code code = advance(r, to, err);
  return code == LIM_OK ? check_slides(r, err) : code;
}

// --- set-up ---

// In the rigid motion of modes linear and quasi-static, servos and controlled motors follow their command
// exactly.
static void stiffen_servos(lim_actuation *a) {
  for (int i = 0; i < a->s->nbody; i++)
    if (lim_drive_yields(&a->drive[i])) a->drive[i].type = LIM_DRIVE_PRESCRIBED;
}

// What an expansion cannot treat of a controller, or of blocks at work; NULL: nothing. steps: it advances
// states.
static const char *unfit(const lim_joint_drive *d, bool steps) {
  const lim_control_law *law = &d->law;
  if (d->wired >= 0) return "a block";
  if (!law->kind) return NULL;
  if (law->block >= 0 || law->position >= 0) return "a controller with blocks";
  if (law->kind->asks != LIM_ARM_NOT_ASKED) return "a controller that knows the arm";
  if (isfinite(law->limit)) return "a controller with a limit";
  if (law->kind->integral && !steps) return "an integral";
  return law->period > 0 ? "a controller with a clock" : NULL;
}

static lim_code check_loads(const lim_session *r, lim_error *err) {
  for (int i = 0; i < r->act->nload; i++)
    if (r->act->load[i].wired >= 0)
      return lim_tree_error(
          err, r->act->load[i].load->head.node,
          "a load whose factor is a block cannot be treated in modes linear and quasi-static; "
          "simulate with mode nonlinear");
  return LIM_OK;
}

// Modes linear and quasi-static are expansions: no law of a drive may have a corner.
static lim_code check_linear(const lim_session *r, lim_error *err) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_joint_drive *d = &r->act->drive[i];
    const char *corner = lim_drive_sticks(d, 0) || lim_drive_sticks(d, 1)     ? "dry friction"
                         : d->friction[0].bristles || d->friction[1].bristles ? "friction with bristles"
                         : d->backlash > 0                                    ? "backlash"
                         : d->gear_curve                                      ? "a gear with a table"
                         : d->efficiency < 1                                  ? "a gear with losses"
                         : isfinite(d->torque_limit)                          ? "a torque limit"
                         : isfinite(d->voltage_limit)                         ? "a voltage limit"
                                                                              : NULL;
    const char *other = unfit(d, !r->quasi_static && r->method == r->under);
    if (!corner && !other) continue;
    const lim_link *link = &r->model->links.item[r->s->member[i].link];
    const lim_drive *from = lim_model_drive(r->model, r->s->member[i].link);
    if (!corner)
      return lim_tree_error(
          err, from->head.node,
          "drive '%s': %s cannot be treated in modes linear and quasi-static; simulate with mode "
          "nonlinear (and not modal-newmark)",
          link->joint.head.name, other);
    return lim_tree_error(
        err, from->head.node,
        "drive '%s': %s is not linear; simulate with mode nonlinear (and not modal-newmark), or without it",
        link->joint.head.name, corner);
  }
  return check_loads(r, err);
}

static lim_code bad_method(const lim_model *m, lim_error *err, const char *text) {
  const lim_node *solver = m->solver.head.node, *at = solver ? lim_tree_get(solver, "method") : NULL;
  return lim_tree_error(err, at ? at : solver ? solver : m->head.node, "method: %s", text);
}

// At the reference, joints with a command are where it puts them.
static void lock_commanded(const lim_session *r) {
  for (int i = 0; i < r->rigid->nbody; i++) {
    int k = r->rigid->member[i].q;
    if (k >= 0) r->closed->given[k] = r->rigid_act->drive[i].motion != NULL;
  }
  lim_equations_lock(r->closed);
}

static lim_code build(lim_session *r, const char *directory, lim_error *err) {
  const lim_model *m = r->model;
  int mode = m->solver.mode;
  bool about = mode == LIM_MODE_LINEAR || mode == LIM_MODE_QUASI_STATIC || r->method != r->under;
  lim_code code = lim_system_new(&r->rigid, m, true, err);
  if (code == LIM_OK) code = lim_system_new(&r->s, m, mode == LIM_MODE_RIGID, err);
  if (code == LIM_OK) code = lim_actuation_new(&r->act, r->s, directory, err);
  if (code == LIM_OK) code = lim_equations_new(&r->equations, r->s, r->act, r->rigid, err);
  if (code == LIM_OK) code = lim_design_gains(r->act, r->equations, err);
  if (code == LIM_OK && about) {
    code = lim_actuation_new(&r->rigid_act, r->rigid, directory, err);
    if (code == LIM_OK) stiffen_servos(r->rigid_act);
    if (code == LIM_OK) code = lim_equations_new(&r->rigid_equations, r->rigid, r->rigid_act, r->rigid, err);
    if (code == LIM_OK) code = lim_flow_new(&r->ground, r->rigid_equations, NULL, m->solver.tolerance, err);
  }
  if (code == LIM_OK && r->rigid->nrow) {
    if (!r->rigid_act) code = lim_actuation_new(&r->rigid_act, r->rigid, directory, err);
    if (code == LIM_OK) code = lim_equations_new(&r->closed, r->rigid, r->rigid_act, r->rigid, err);
    if (code == LIM_OK) lock_commanded(r);
  }
  if (code == LIM_OK && about) code = check_linear(r, err);
  if (code == LIM_OK) code = lim_flow_new(&r->flow, r->equations, r->ground, m->solver.tolerance, err);
  return code == LIM_OK && !about ? lim_events_new(&r->events, r->flow, err) : code;
}

// At rest the integral of a controller carries what its joint, or motor, needs; one with a clock has given what
// it gives at rest before.
static void settle_controls(lim_session *r) {
  lim_equations *e = r->equations;
  lim_equations_rest(r->flow->r, e, 0, r->flow->q, r->flow->v, r->flow->a);
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_joint_drive *d = &r->act->drive[i];
    const lim_member *b = &r->s->member[i];
    if (!d->law.kind || b->q < 0) continue;
    double torque = e->control.command[i].value;
    if (d->law.kind->integral) torque += lim_drive_torque(d, r->flow->r[b->m >= 0 ? b->m : b->q], 0);
    if (d->law_x >= 0) e->control.x[d->law_x] = torque;
    if (d->law_z < 0) continue;
    if (d->law.kind->integral) e->control.z[d->law_z] = torque;
    e->control.z[d->law_z + 1] = torque;
  }
}

// solver.start: equilibrium - deformed by gravity and loads, at rest. Deviations of mode linear begin at the
// shape that balances the rigid arm at its start.
static lim_code settle(lim_session *r, lim_error *err) {
  if (r->model->solver.start != 1 || r->quasi_static || r->method != r->under) return LIM_OK;
  if (!r->ground) {
    lim_code code = lim_equilibrium(r->flow->q, r->equations, 0, err);
    lim_equations_lock(r->equations);
    for (int i = 0; i < r->s->nbody; i++) // windings have their steady current
      if (r->act->drive[i].electrical)
        r->equations->state[i].current = r->equations->answer[i].torque / r->act->drive[i].torque_constant;
    if (code == LIM_OK) settle_controls(r);
    return code;
  }
  lim_flow *g = r->ground; // what its loops carry counts
  lim_code code =
      r->s->nrow ? lim_equations_accelerate(g->a, g->r, g->e, 0, LIM_AFTER, g->q, g->v, err) : LIM_OK;
  if (code != LIM_OK) return code;
  lim_flow_about(r->flow);
  memset(r->flow->ref + r->flow->n, 0, 2 * (size_t)r->flow->n * sizeof(double)); // at rest
  code = lim_quasi_static(r->flow, LIM_AFTER, err);
  lim_equations_lock(r->equations);
  return code;
}

static lim_code take(lim_session *r, lim_error *err) {
  size_t n = (size_t)r->s->n, nr = (size_t)r->rigid->n, nb = (size_t)r->s->nbody;
  double *x = lim_arena_array(&r->arena, 9 * n + 3 * nr, sizeof *x);
  r->rest = lim_arena_array(&r->arena, 2 * nr, sizeof *r->rest);
  r->lambda = lim_arena_array(&r->arena, (size_t)r->s->nrow, sizeof *r->lambda);
  r->body = lim_arena_array(&r->arena, 3 * nb, sizeof *r->body);
  r->reference = lim_arena_array(&r->arena, (size_t)r->rigid->nbody, sizeof *r->reference);
  if (!x || !r->rest || !r->lambda || !r->body || !r->reference)
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  r->zero = r->rest + nr;
  r->side[0] = r->body + nb;
  r->side[1] = r->body + 2 * nb;
  double **vector[] = {&r->q,
                       &r->v,
                       &r->a,
                       &r->beside[0][0],
                       &r->beside[0][1],
                       &r->beside[0][2],
                       &r->beside[1][0],
                       &r->beside[1][1],
                       &r->beside[1][2]};
  for (size_t i = 0; i < 9; i++) *vector[i] = x + i * n;
  r->rq = x + 9 * n;
  r->rv = r->rq + nr;
  r->ra = r->rv + nr;
  lim_system_start(r->rq, r->rv, r->rigid);
  r->moment = (lim_moment){.system = r->s,
                           .rigid = r->rigid,
                           .equations = r->equations,
                           .q = r->q,
                           .v = r->v,
                           .a = r->a,
                           .effort = r->equations->tau,
                           .lambda = r->lambda,
                           .rq = r->rq,
                           .rv = r->rv,
                           .ra = r->ra,
                           .body = r->body,
                           .reference = r->reference,
                           .linear = r->ground != NULL,
                           .has_books = r->ground == NULL,
                           .at_side = {r->side[0], r->side[1]},
                           .dual = r->flow->dual};
  for (int i = 0; i < 6; i++) r->moment.beside[i / 3][i % 3] = r->beside[i / 3][i % 3];
  return LIM_OK;
}

void lim_session_free(lim_session *r) {
  if (!r) return;
  if (r->method && r->method->finish && r->flow) r->method->finish(r->flow);
  if (r->under && r->under->finish && r->ground) r->under->finish(r->ground);
  lim_events_free(r->events);
  lim_gripping_free(r->gripping);
  lim_flow_free(r->flow);
  lim_flow_free(r->ground);
  lim_equations_free(r->equations);
  lim_equations_free(r->rigid_equations);
  lim_equations_free(r->closed);
  lim_actuation_free(r->act);
  lim_actuation_free(r->rigid_act);
  lim_system_free(r->s);
  lim_system_free(r->rigid);
  lim_arena_free(&r->arena);
  lim_plan_end(&r->planned);
  free(r);
}

static lim_code choose_method(lim_session *r, lim_error *err) {
  const lim_solver *s = &r->model->solver;
  r->method = lim_integrator_of(s->method);
  r->quasi_static = s->mode == LIM_MODE_QUASI_STATIC;
  if (!r->method)
    return bad_method(
        r->model, err,
        "this version integrates with newmark, generalized-alpha, modal-newmark, finite-difference, rk4 "
        "or cvode");
  r->under = r->method;
  const bool whole = s->method != LIM_MODAL_NEWMARK && s->method != LIM_FINITE_DIFFERENCE;
  if (!whole && r->model->plan && r->model->plan->grips.count)
    return bad_method(r->model, err,
                      "parts that are gripped need another method than modal-newmark or finite-difference");
  if (s->method == LIM_MODAL_NEWMARK) { // about the rigid motion, whatever the mode says
    r->under = lim_integrator_of(LIM_GENERALIZED_ALPHA);
    if (s->mode == LIM_MODE_NONLINEAR || s->mode == LIM_MODE_LINEAR) return LIM_OK;
    return bad_method(r->model, err, "modal-newmark gives small vibrations about the motion: mode linear");
  }
  if (s->method == LIM_FINITE_DIFFERENCE) { // about the arm at rest
    r->under = lim_integrator_at_rest();
    if (s->mode == LIM_MODE_NONLINEAR || s->mode == LIM_MODE_LINEAR) return LIM_OK;
    return bad_method(r->model, err, "finite-difference gives small motions of a flexible link: mode linear");
  }
  bool implicit = s->method == LIM_NEWMARK || s->method == LIM_GENERALIZED_ALPHA;
  if (s->mode == LIM_MODE_LINEAR && !implicit)
    return bad_method(r->model, err, "mode linear is integrated with newmark or generalized-alpha");
  return LIM_OK;
}

lim_code lim_session_new(lim_session **out, const lim_model *model, const char *directory, lim_error *err) {
  *out = NULL;
  lim_session *r = calloc(1, sizeof *r);
  if (!r) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  r->bend_link = r->pull_link = -1;
  lim_code code = lim_plan_copy(&r->model, &r->planned, model, directory, err);
  if (code == LIM_OK) code = choose_method(r, err);
  if (code == LIM_OK) code = build(r, directory, err);
  if (code == LIM_OK) code = take(r, err);
  if (code == LIM_OK) code = lim_gripping_new(&r->gripping, r->s, r->rigid, r->flow, err);
  if (code == LIM_OK) code = settle(r, err);
  if (code == LIM_OK)
    *out = r;
  else
    lim_session_free(r);
  return code;
}
