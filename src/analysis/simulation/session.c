// session.c - building, advancing and looking at a simulation. Theory: docs/theory/simulation.md.
#include "analysis/simulation/session.h"

#include "analysis/beginning.h"
#include "analysis/gain_design.h"
#include "analysis/simulation/bent.h"
#include "analysis/simulation/growth.h"
#include "analysis/simulation/quasi_static.h"
#include "analysis/simulation/together.h"
#include "analysis/statics/equilibrium.h"
#include "arm/ball.h"
#include "arm/body/kind.h"
#include "integrate/recentre.h"
#include "integrate/step_control.h"
#include "math/rotation.h"
#include "model/words.h"
#include "path/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- looking ---

// The rigid arm's loops: joints that are not commanded follow from those that are.
static void close_rigid(lim_session *r, double *q, double *v) {
  lim_equations *e = r->closed;
  lim_equations_residual(r->rest, e, r->motion_state->t, LIM_BEFORE, q, v, r->zero);
  if (lim_equations_factor(e, q, (lim_step_matrix){.M = 1}, NULL) == LIM_OK) lim_equations_project(e, q, v);
}

// The reference: commanded joints where they are told to be, others where they are.
static void evaluate_reference(lim_session *r) {
  const lim_equations *e = r->motion_state->e;
  for (int i = 0; i < r->s->nbody; i++) {
    int k = r->s->bodies[i].q, j = k < 0 ? -1 : lim_arm_same_freedom(r->rigid, r->s, i);
    if (k < 0) continue;
    const lim_trajectory *c = e->inputs->drive[i].motion;
    lim_sample x = c ? lim_trajectory_before(c, r->motion_state->t) : (lim_sample){r->q[k], r->v[k], r->a[k]};
    r->rq[j] = x.value;
    r->rv[j] = x.rate;
    r->ra[j] = x.second;
  }
  if (r->closed) close_rigid(r, r->rq, r->rv);
  lim_kinematics(r->reference, r->rigid, r->rq, r->rv, r->ra);
}

// The rigid arm where its joints are, or the motors behind their elastic gears.
static void lag(lim_session *r) {
  bool lags = false;
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_arm_body *b = &r->s->bodies[i];
    if (b->q < 0) continue;
    int j = lim_arm_same_freedom(r->rigid, r->s, i);
    r->lag_q[0][j] = r->q[b->m >= 0 ? b->m : b->q];
    double told = r->motion_state->e->inputs->drive[i].motion ? r->rq[j] : r->q[b->q];
    lags = lags || r->lag_q[0][j] != told;
  }
  r->snapshot.lagging.body = lags ? r->lag_body[0] : NULL;
  if (!lags) return;
  if (r->closed) {
    memcpy(r->lag_v, r->rv, (size_t)r->rigid->n * sizeof *r->lag_v);
    close_rigid(r, r->lag_q[0], r->lag_v);
  }
  lim_kinematics(r->lag_body[0], r->rigid, r->lag_q[0], r->rv, r->ra);
  for (int k = 1; k < 3 && r->reference_state; k++) {
    double part = (k == 1 ? -1 : 1) * r->snapshot.epsilon;
    for (int j = 0; j < r->rigid->n; j++) r->lag_q[k][j] = r->rq[j] + part * (r->lag_q[0][j] - r->rq[j]);
    lim_kinematics(r->lag_body[k], r->rigid, r->lag_q[k], r->rv, r->ra);
  }
}

// Modes linear and quasi-static: the deviation about the rigid motion, and points a little to either side of
// it.
static void expand(lim_session *r) {
  const lim_state *f = r->motion_state;
  const double *deviation[3] = {f->q, f->v, f->a};
  double *total[3] = {r->q, r->v, r->a};
  double largest = 0;
  for (int i = 0; i < f->n; i++) largest = fmax(largest, fabs(f->q[i]));
  r->snapshot.epsilon =
      1e-4 / fmax(largest, 1e-2); // keeps the nonlinear part of the difference far below its value
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < f->n; i++) {
      double base = f->ref[k * f->n + i], d = deviation[k][i];
      total[k][i] = base + d;
      r->perturbed[0][k][i] = base - r->snapshot.epsilon * d;
      r->perturbed[1][k][i] = base + r->snapshot.epsilon * d;
    }
  for (int i = 0; i < 2; i++)
    lim_kinematics(r->side[i], r->s, r->perturbed[i][0], r->perturbed[i][1], r->perturbed[i][2]);
}

static void keep_books(lim_session *r) {
  lim_energies e = {.kinetic = r->motion_state->kinetic, .strain = r->motion_state->strain}; // of the deviation
  if (!r->reference_state) e = lim_energies_of(r->s, r->body, r->q, r->v);
  double stored = 0;
  if (r->equations->stores && !r->reference_state) {
    const lim_side side = r->samples == 0 ? LIM_AFTER : LIM_BEFORE; // at the start everything acts already
    lim_equations_residual(r->motion_state->r, r->equations, r->motion_state->t, side, r->q, r->v, r->a);
    stored = lim_equations_power_at(r->equations, r->body, r->q, r->v, r->motion_state->r).stored;
  }
  lim_energy_balance *b = &r->snapshot.energy_balance;
  const double *energy_integrals = r->motion_state->energy_integrals;
  *b = (lim_energy_balance){.kinetic = e.kinetic,
                            .strain = e.strain + stored,
                            .gravity = e.gravity,
                            .work = energy_integrals[LIM_WORK],
                            .dissipated = energy_integrals[LIM_DISSIPATED],
                            .gear_loss = energy_integrals[LIM_GEAR_LOSS],
                            .friction_loss = energy_integrals[LIM_FRICTION_LOSS]};
  double sum = b->kinetic + b->strain + b->gravity + b->dissipated - b->work;
  if (r->samples == 0) r->start_energy = sum;
  b->balance = sum - r->start_energy;
  r->peak = fmax(r->peak, b->kinetic + b->strain);
  r->square += b->balance * b->balance;
}

// Within a floating frame rotations add up as vectors: the product of twist and bending is left out.
static void watch_twist(lim_session *r, int body, const lim_section_motion *x, const double *eta) {
  double turn[3] = {0};
  for (int k = 0; k < 3 && x->formulation == LIM_FLOATING_FRAME; k++)
    for (int j = 0; j < x->count; j++) turn[k] += x->N[(3 + k) * x->count + j] * eta[j];
  double product = fabs(turn[0]) * hypot(turn[1], turn[2]);
  if (product <= r->twist) return;
  r->twist = product;
  r->twist_link = r->s->bodies[body].link;
}

// A floating frame holds for deflections that are small beside its length.
static void watch_bending(lim_session *r) {
  for (int i = 0; i < r->s->nsite; i++) {
    const lim_site *site = &r->s->site[i].site;
    const lim_section_motion *x = &site->section;
    if (site->body < 0 || x->count == 0) continue;
    const double *eta = r->q + r->s->bodies[site->body].e + x->first;
    double u[3] = {0};
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < x->count; j++) u[k] += x->N[k * x->count + j] * eta[j];
    const lim_arm_body *b = &r->s->bodies[site->body];
    double length = b->kind->length(b, r->q);
    if (length < 0.02 * b->line->length) continue; // drawn in
    watch_twist(r, site->body, x, eta);
    double bend = sqrt(lim_dot(u, u)) / length;
    if (bend <= r->bend) continue;
    r->bend = bend;
    r->bend_link = r->s->bodies[site->body].link;
  }
}

// N l^2/EI of every floating frame: what geometric stiffness it would have beside its own, which is left out.
static void watch_pull(lim_session *r) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_arm_body *m = &r->s->bodies[i];
    if (m->mesh->nelement == 0 || m->body->n == 0) continue;
    double F[3], N[3];
    if (r->motion_state->dual)
      lim_dual_reaction(F, N, r->motion_state->dual, i);
    else
      F[0] = lim_rec_axial_force(r->equations->w, i);
    lim_section_data a = lim_mesh_section(m->mesh, 0.5);
    double I = r->model->planar == LIM_PLANE_XY ? a.Iz : fmin(a.Iy, a.Iz);
    double pull = fabs(F[0]) * m->mesh->length * m->mesh->length / (m->mesh->element[0].E * I);
    if (pull <= r->pull) continue;
    r->pull = pull;
    r->pull_link = m->link;
  }
}

// Links whose geometric stiffness is not known.
static void watch_stiffening(lim_session *r) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_arm_body *m = &r->s->bodies[i];
    double F[3], N[3];
    if (!m->kind->unstiffened || m->body->n == 0) continue;
    if (r->motion_state->dual)
      lim_dual_reaction(F, N, r->motion_state->dual, i);
    else
      lim_rec_reaction(F, N, r->equations->w, i);
    const double w = sqrt(lim_dot(r->body[i].w, r->body[i].w)), change = m->kind->unstiffened(r->s, i, w, F);
    if (!(change > r->unstiffened)) continue;
    r->unstiffened = change;
    r->unstiffened_at = r->motion_state->t;
    r->unstiffened_link = m->link;
  }
}

static void watch_loops(lim_session *r) {
  lim_equations *e = r->equations;
  lim_loops_evaluate(e->row, r->s, r->body, r->q, r->v, NULL);
  for (int i = 0; i < r->s->nrow; i++) {
    r->gap = fmax(r->gap, fabs(e->row[i].value));
    r->opening = fmax(r->opening, fabs(e->row[i].rate));
  }
}

// Whether a joint ends at stops, which it may press in; one that is led along goes on.
bool lim_session_stopped(const lim_session *r, int body) {
  const lim_joint_drive *d = &r->inputs->drive[body];
  return d->stop.stiffness > 0 && d->type != LIM_DRIVE_PRESCRIBED;
}

// Position and speed of joints, after every step.
static void watch_motion(lim_session *r) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_arm_body *b = &r->s->bodies[i];
    const double *ref = r->reference_state ? r->motion_state->ref : NULL;
    if (b->q < 0) continue;
    double q = r->motion_state->q[b->q] + (ref ? ref[b->q] : 0),
           v = r->motion_state->v[b->q] + (ref ? ref[r->motion_state->n + b->q] : 0);
    if (lim_limits_hold(r->bound + b->link * LIM_LIMIT_EFFORT, q, v)) continue;
    if (lim_session_stopped(r, i))
      lim_limits_see(r->excess, r->model, b->link, LIM_LIMIT_SPEED, v, r->motion_state->t);
    else
      lim_limits_see_motion(r->excess, r->model, b->link, q, v, r->motion_state->t);
  }
}

// Efforts, at recorded times.
static void watch_efforts(lim_session *r) {
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_arm_body *b = &r->s->bodies[i];
    if (b->q < 0 || isnan(r->model->links.item[b->link].joint.limits.effort)) continue;
    lim_limits_see(r->excess, r->model, b->link, LIM_LIMIT_EFFORT, lim_snapshot_effort(&r->snapshot, b->link),
                   r->motion_state->t);
  }
}

// The main steps are:
//   coordinates, rates and accelerations of the whole motion, forces of loops;
//   where bodies are, where the rigid arm would be, and where it is behind its lagging joints;
//   signals of controllers, the energy balance;
//   doubts: bending, pull, loops that open, limits of joints.
void lim_session_sample(lim_session *r) {
  const lim_state *f = r->motion_state;
  size_t size = (size_t)f->n * sizeof(double);
  if (r->method->show && !r->quasi_static) r->method->show(r->motion_state);
  if (r->reference_state) {
    expand(r);
  } else {
    memcpy(r->q, f->q, size);
    memcpy(r->v, f->v, size);
    memcpy(r->a, f->a, size);
  }
  for (int i = 0; i < r->equations->nrow; i++)
    r->lambda[i] = r->equations->lambda[i] + (r->reference_state ? r->reference_state->e->lambda[i] : 0);
  lim_kinematics(r->body, r->s, r->q, r->v, r->a);
  evaluate_reference(r);
  lag(r);
  lim_snapshot_renew(&r->snapshot);
  r->snapshot.t = f->t;
  if (!r->reference_state)
    lim_equations_signals(r->equations, f->t, r->samples ? LIM_BEFORE : LIM_AFTER, r->q, r->v);
  if (r->snapshot.has_energy_balance) keep_books(r);
  watch_bending(r);
  if (r->method == r->reference_method) watch_pull(r); // not of forces in a few modes
  if (r->method == r->reference_method) watch_stiffening(r);
  if (r->s->nrow && !r->reference_state) watch_loops(r);
  watch_motion(r);
  watch_efforts(r);
  r->samples++;
}

// --- time ---

// The next time at which the damping of the arm is built anew.
static double next_update(const lim_session *r) {
  return r->damping ? (double)r->updates * r->model->damping.update : INFINITY;
}

double lim_session_next(const lim_session *r, double t) {
  double jump = fmin(lim_inputs_next_break(r->inputs, t), lim_equations_next_tick(r->equations, t));
  return fmin(jump, next_update(r));
}

// The damper of the whole arm where it stands: at the start, and whenever it is due.
static lim_code renew_damping(lim_session *r, lim_error *err) {
  bool first = r->updates == 0;
  if (!first && r->motion_state->t < next_update(r) * (1 - 1e-12)) return LIM_OK;
  if (r->reference_state) lim_state_about(r->motion_state);
  const double *q = r->reference_state ? r->motion_state->ref : r->motion_state->q;
  r->updates++;
  return r->damping ? lim_damping_renew(r->damping, q, err) : lim_damping_at(r->s, q, err);
}

lim_code lim_session_restart(lim_session *r, lim_error *err) {
  lim_code code = LIM_OK;
  if (r->reference_state && r->reference_method->pause && r->reference_state->started)
    r->reference_method->pause(r->reference_state);
  if (r->method->pause && !r->quasi_static && r->motion_state->started) r->method->pause(r->motion_state);
  code = lim_gripping_turn(r->gripping, err);
  if (code == LIM_OK) code = renew_damping(r, err);
  if (code == LIM_OK && !r->reference_state)
    code = lim_equations_tick(r->equations, r->motion_state->t, r->motion_state->q, r->motion_state->v, err);
  if (code != LIM_OK) return code;
  memcpy(r->equations->extra_before, r->equations->extra, (size_t)r->s->n * sizeof(double));
  if (r->reference_state)
    code = r->reference_method->restart(r->reference_state, err);
  else
    code = lim_events_settle(r->events, err);
  if (code != LIM_OK || !r->quasi_static)
    return code == LIM_OK ? r->method->restart(r->motion_state, err) : code;
  lim_state_about(r->motion_state);
  return lim_quasi_static(r->motion_state, LIM_AFTER, err);
}

// Forces are smooth up to here: the next jump, not before `to`; or the end of the run.
static double horizon(const lim_session *r, double to) {
  const double next = fmax(to, lim_session_next(r, to - 1e-9 * r->motion_state->step)),
               end = r->model->solver.duration;
  return to <= end ? fmin(next, end) : next;
}

// Methods stop on the way where a ball joint has turned far.
static lim_code march(lim_session *r, double to, lim_error *err) {
  lim_state *f = r->motion_state;
  lim_code code;
  do {
    code = r->reference_state ? LIM_OK : lim_state_recentre(f, r->method, NULL, NULL, err);
    if (code == LIM_OK) code = r->method->advance(f, to, err);
  } while (code == LIM_OK && f->t < to && lim_state_is_far(f));
  return code;
}

static lim_code advance(lim_session *r, double to, lim_error *err) {
  lim_code code = LIM_OK;
  if (r->reference_state) {
    code = lim_state_recentre(r->reference_state, r->reference_method, r->motion_state, r->method, err);
    if (code == LIM_OK) code = r->reference_method->advance(r->reference_state, to, err);
    if (code == LIM_OK) lim_state_about(r->motion_state);
  }
  if (code != LIM_OK) return code;
  r->motion_state->horizon = horizon(r, to);
  if (r->events) return lim_events_advance(r->events, r->method, to, err);
  if (!r->quasi_static) return march(r, to, err);
  r->motion_state->t = to;
  r->motion_state->steps++;
  return lim_quasi_static(r->motion_state, LIM_BEFORE, err);
}

lim_code lim_session_advance(lim_session *r, double to, lim_error *err) {
  lim_code code = advance(r, to, err);
  if (code == LIM_OK) code = lim_growth_check(r, err);
  if (code == LIM_OK) code = lim_together_rows(r, err);
  if (code != LIM_OK) return code;
  watch_motion(r);
  return lim_together_ranges(r, err);
}

// --- set-up ---

// In the rigid motion of modes linear and quasi-static, servos and controlled motors follow their command
// exactly.
static void stiffen_servos(lim_inputs *a) {
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

// In these modes joints follow their commands, and go on beyond their stops: limits are watched instead.
static void remove_stops(lim_inputs *a) {
  for (int i = 0; i < a->s->nbody; i++) a->drive[i].stop = (lim_end_stops){.stiffness = 0};
}

static lim_code check_loads(const lim_session *r, lim_error *err) {
  for (int i = 0; i < r->inputs->nload; i++)
    if (r->inputs->load[i].wired >= 0)
      return lim_tree_error(
          err, r->inputs->load[i].load->head.node,
          "a load whose factor is a block cannot be treated in modes linear and quasi-static; "
          "simulate with mode nonlinear");
  return LIM_OK;
}

// A contact that is open or closed is no small motion.
static lim_code refuse_contacts(const lim_session *r, lim_error *err) {
  if (!r->model->contacts.count) return LIM_OK;
  return lim_tree_error(err, r->model->contacts.item[0].head.node,
                        "contact '%s' opens and closes, which is not linear; simulate with mode nonlinear or "
                        "rigid (and not modal-newmark)",
                        r->model->contacts.item[0].head.name);
}

// Steps that are chosen by displacements pass over moments at which a contact that rests gives way.
static lim_code check_chosen_steps(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->contacts.count && lim_method_controls(&m->solver); i++)
    if (m->contacts.item[i].friction > 0)
      return lim_tree_error(
          err, lim_tree_get(m->solver.head.node, "step"),
          "contact '%s' has friction: step: auto would pass over moments at which it gives way; give "
          "a step, or take cvode or ida",
          m->contacts.item[i].head.name);
  return LIM_OK;
}

// Modes linear and quasi-static are expansions: no law of a drive may have a corner.
static lim_code check_linear(const lim_session *r, lim_error *err) {
  lim_code code = refuse_contacts(r, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_joint_drive *d = &r->inputs->drive[i];
    const char *corner = lim_drive_sticks(d, 0) || lim_drive_sticks(d, 1)     ? "dry friction"
                         : d->friction[0].bristles || d->friction[1].bristles ? "friction with bristles"
                         : d->backlash > 0                                    ? "backlash"
                         : d->gear_curve                                      ? "a gear with a table"
                         : d->efficiency < 1                                  ? "a gear with losses"
                         : isfinite(d->torque_limit)                          ? "a torque limit"
                         : isfinite(d->voltage_limit)                         ? "a voltage limit"
                                                                              : NULL;
    const char *other = unfit(d, !r->quasi_static && r->method == r->reference_method);
    if (!corner && !other) continue;
    const lim_link *link = &r->model->links.item[r->s->bodies[i].link];
    const lim_drive *from = lim_model_drive(r->model, r->s->bodies[i].link);
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

// At the reference, joints with a command are where it puts them.
static void lock_commanded(const lim_session *r) {
  for (int i = 0; i < r->rigid->nbody; i++) {
    int k = r->rigid->bodies[i].q;
    if (k >= 0) r->closed->given[k] = r->rigid_inputs->drive[i].motion != NULL;
  }
  lim_equations_lock(r->closed);
}

// Ball joints of both arms turn with the motion that is integrated: the rigid one of modes linear and
// quasi-static.
static void share_arms(lim_session *r) {
  lim_state *f = r->reference_state ? r->reference_state : r->motion_state;
  f->arms[0] = r->s;
  f->arms[1] = r->rigid;
}

static lim_code build(lim_session *r, const char *directory, lim_error *err) {
  const lim_model *m = r->model;
  int mode = m->solver.mode;
  bool about = mode == LIM_MODE_LINEAR || mode == LIM_MODE_CONVENTIONAL || mode == LIM_MODE_QUASI_STATIC ||
               r->method != r->reference_method;
  lim_code code = lim_arm_new(&r->built[1], m, true, err);
  if (code == LIM_OK) code = lim_arm_new(&r->built[0], m, mode == LIM_MODE_RIGID, err);
  if (code == LIM_OK) code = lim_arm_enter(&r->rigid, r->built[1], err);
  if (code == LIM_OK) code = lim_arm_enter(&r->s, r->built[0], err);
  if (code == LIM_OK) code = lim_inputs_new(&r->inputs, r->s, directory, err);
  if (code == LIM_OK) code = lim_limits_speeds(r->inputs, true, err);
  if (code == LIM_OK) code = lim_equations_new(&r->equations, r->s, r->inputs, r->rigid, err);
  if (code == LIM_OK) code = lim_gain_design(r->inputs, r->equations, err);
  if (code == LIM_OK && about) {
    code = lim_inputs_new(&r->rigid_inputs, r->rigid, directory, err);
    if (code == LIM_OK) stiffen_servos(r->rigid_inputs);
    if (code == LIM_OK) remove_stops(r->rigid_inputs);
    if (code == LIM_OK) remove_stops(r->inputs);
    if (code == LIM_OK) code = lim_equations_new(&r->rigid_equations, r->rigid, r->rigid_inputs, r->rigid, err);
    if (code == LIM_OK) code = lim_state_new(&r->reference_state, r->rigid_equations, NULL, LIM_TOLERANCE, err);
  }
  if (code == LIM_OK && r->rigid->nrow) {
    if (!r->rigid_inputs) code = lim_inputs_new(&r->rigid_inputs, r->rigid, directory, err);
    if (code == LIM_OK) code = lim_equations_new(&r->closed, r->rigid, r->rigid_inputs, r->rigid, err);
    if (code == LIM_OK) lock_commanded(r);
  }
  if (code == LIM_OK && about) code = check_linear(r, err);
  if (code == LIM_OK)
    code = lim_state_new(&r->motion_state, r->equations, r->reference_state, m->solver.tolerance, err);
  if (code == LIM_OK) code = check_chosen_steps(m, err);
  if (code == LIM_OK && lim_method_controls(&m->solver))
    code = lim_step_control_new(r->motion_state,
                                isnan(m->solver.tolerance) ? LIM_STEP_TOLERANCE : m->solver.tolerance, err);
  if (code == LIM_OK) share_arms(r);
  if (code == LIM_OK) r->motion_state->slows = lim_growth_slows;
  return code == LIM_OK && !about ? lim_events_new(&r->events, r->motion_state, err) : code;
}

// At rest the integral of a controller carries what its joint, or motor, needs; one with a clock has given what
// it gives at rest before.
static void settle_controls(lim_session *r) {
  lim_equations *e = r->equations;
  lim_equations_rest(r->motion_state->r, e, 0, r->motion_state->q, r->motion_state->v, r->motion_state->a);
  for (int i = 0; i < r->s->nbody; i++) {
    const lim_joint_drive *d = &r->inputs->drive[i];
    const lim_arm_body *b = &r->s->bodies[i];
    if (!d->law.kind || b->q < 0) continue;
    double torque = e->control.command[i].value;
    if (d->law.kind->integral) torque += lim_drive_torque(d, r->motion_state->r[b->m >= 0 ? b->m : b->q], 0);
    if (d->law_x >= 0) e->control.x[d->law_x] = torque;
    if (d->law_z < 0) continue;
    if (d->law.kind->integral) e->control.z[d->law_z] = torque;
    e->control.z[d->law_z + 1] = torque;
  }
}

// solver.start: equilibrium - deformed by gravity and loads, at rest. Deviations of mode linear begin at the
// shape that balances the rigid arm at its start.
static lim_code settle(lim_session *r, lim_error *err) {
  if (r->model->solver.start != 1 && !r->reference_state)
    return lim_beginning_warn(err, r->inputs, r->motion_state->q);
  if (r->model->solver.start != 1 || r->quasi_static || r->method != r->reference_method) return LIM_OK;
  if (!r->reference_state) {
    lim_code code = lim_equilibrium(r->motion_state->q, r->equations, 0, err);
    for (int i = 0; i < r->s->nball; i++) lim_ball_set(r->rigid, i, r->s->ball[i].quaternion);
    lim_equations_lock(r->equations);
    for (int i = 0; i < r->s->nbody; i++) // windings have their steady current
      if (r->inputs->drive[i].electrical)
        r->equations->state[i].current = r->equations->answer[i].torque / r->inputs->drive[i].torque_constant;
    if (code == LIM_OK) settle_controls(r);
    return code;
  }
  lim_state *g = r->reference_state; // what its loops carry counts
  lim_code code =
      r->s->nrow ? lim_equations_accelerate(g->a, g->r, g->e, 0, LIM_AFTER, g->q, g->v, err) : LIM_OK;
  if (code != LIM_OK) return code;
  lim_state_about(r->motion_state);
  memset(r->motion_state->ref + r->motion_state->n, 0,
         2 * (size_t)r->motion_state->n * sizeof(double)); // at rest
  code = lim_quasi_static(r->motion_state, LIM_AFTER, err);
  lim_equations_lock(r->equations);
  return code;
}

// Modes linear and conventional audit the energy of the deviation; methods with a state of their own do not.
static bool has_linear_books(const lim_session *r) {
  return r->motion_state->energy_balance && !r->quasi_static && r->method == r->reference_method;
}

// A full basis moves every node: its rotations must have inertia.
static lim_code check_inertia(const lim_session *r, lim_error *err) {
  for (int i = 0; i < r->model->links.count && r->model->solver.mode != LIM_MODE_RIGID; i++) {
    const lim_link *a = &r->model->links.item[i];
    const lim_beam *b = &a->beam;
    bool linear = !lim_element_kind_of(b->element)->by_flexibility;
    if (!b->head.node || !b->no_rotary || a->basis.type != LIM_BASIS_FULL || !(b->lumped || linear)) continue;
    return lim_tree_error(
        err, b->head.node,
        "link '%s': rotary off leaves the rotations of %s without inertia; a run needs rotary on, or "
        "basis modes",
        a->head.name, b->lumped ? "a lumped mass" : "its linear elements");
  }
  return LIM_OK;
}

// configuration.deformation. What has no deformation, or none of its own, leaves it out.
static lim_code bend(lim_session *r, lim_error *err) {
  char mode[LIM_WORD];
  if (r->model->deformation.count == 0) return LIM_OK;
  if (r->quasi_static || r->model->solver.mode == LIM_MODE_RIGID) {
    lim_warn(err, 0, NULL,
             "mode %s has no vibration to start with: 'deformation' in the configuration is left out",
             lim_word_at(mode, "solver.mode", r->model->solver.mode));
    return LIM_OK;
  }
  return lim_bent_start(r->motion_state->q, r->motion_state->v, r->s, !r->reference_state, err);
}

static lim_code allocate(lim_session *r, lim_error *err) {
  size_t n = (size_t)r->s->n, nr = (size_t)r->rigid->n, nb = (size_t)r->s->nbody;
  double *x = lim_arena_array(&r->arena, 9 * n + 7 * nr, sizeof *x);
  r->rest = lim_arena_array(&r->arena, 2 * nr, sizeof *r->rest);
  r->lambda = lim_arena_array(&r->arena, (size_t)r->equations->nrow, sizeof *r->lambda);
  r->body = lim_arena_array(&r->arena, 3 * nb, sizeof *r->body);
  r->reference = lim_arena_array(&r->arena, 4 * (size_t)r->rigid->nbody, sizeof *r->reference);
  r->excess = lim_arena_array(&r->arena, (size_t)r->model->links.count * LIM_LIMITS, sizeof *r->excess);
  r->bound = lim_arena_array(&r->arena, (size_t)r->model->links.count * LIM_LIMIT_EFFORT, sizeof *r->bound);
  for (int i = 0; r->bound && i < r->model->links.count; i++)
    lim_limits_bounds(r->bound + i * LIM_LIMIT_EFFORT, &r->model->links.item[i]);
  if (!x || !r->excess || !r->bound || !r->rest || !r->lambda || !r->body || !r->reference)
    return lim_no_memory(err);
  r->zero = r->rest + nr;
  r->side[0] = r->body + nb;
  r->side[1] = r->body + 2 * nb;
  double **vector[] = {&r->q,
                       &r->v,
                       &r->a,
                       &r->perturbed[0][0],
                       &r->perturbed[0][1],
                       &r->perturbed[0][2],
                       &r->perturbed[1][0],
                       &r->perturbed[1][1],
                       &r->perturbed[1][2]};
  for (size_t i = 0; i < 9; i++) *vector[i] = x + i * n;
  r->rq = x + 9 * n;
  r->rv = r->rq + nr;
  r->ra = r->rv + nr;
  r->lag_v = r->ra + nr;
  for (int i = 0; i < 3; i++) {
    r->lag_q[i] = r->lag_v + (size_t)(i + 1) * nr;
    r->lag_body[i] = r->reference + (i + 1) * r->rigid->nbody;
  }
  lim_arm_start(r->rq, r->rv, r->rigid);
  r->snapshot = (lim_snapshot){.system = r->s,
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
                               .lagging = {r->lag_q[0], NULL},
                               .lag_side = {{r->lag_q[1], r->lag_body[1]}, {r->lag_q[2], r->lag_body[2]}},
                               .linear = r->reference_state != NULL,
                               .has_energy_balance = !r->reference_state || has_linear_books(r),
                               .at_side = {r->side[0], r->side[1]},
                               .dual = r->motion_state->dual,
                               .truncated = r->motion_state->truncated};
  for (int i = 0; i < 6; i++) r->snapshot.perturbed[i / 3][i % 3] = r->perturbed[i / 3][i % 3];
  return lim_snapshot_keep(&r->snapshot, &r->arena, err);
}

void lim_session_free(lim_session *r) {
  if (!r) return;
  if (r->method && r->method->finish && r->motion_state) r->method->finish(r->motion_state);
  if (r->reference_method && r->reference_method->finish && r->reference_state)
    r->reference_method->finish(r->reference_state);
  lim_events_free(r->events);
  lim_damping_leave(r->damping);
  lim_gripping_free(r->gripping);
  lim_state_free(r->motion_state);
  lim_state_free(r->reference_state);
  lim_equations_free(r->equations);
  lim_equations_free(r->rigid_equations);
  lim_equations_free(r->closed);
  lim_inputs_free(r->inputs);
  lim_inputs_free(r->rigid_inputs);
  lim_arm_leave(r->s);
  lim_arm_leave(r->rigid);
  for (int i = 0; i < 2; i++) lim_arm_free(r->built[i]);
  lim_arena_free(&r->arena);
  free(r);
}

// A method that freezes modes damps them.
static lim_code check_update(const lim_model *m, lim_error *err) {
  if (m->damping.update > 0 && m->damping.update < m->solver.step)
    return lim_tree_error(err, lim_tree_get(m->damping.head.node, "update"),
                          "damping: update is %g s, must not be shorter than solver.step, %g s",
                          m->damping.update, m->solver.step);
  const lim_integrator *method = lim_integrator_of(m->solver.method);
  if (!method->frozen || !(m->damping.update > 0)) return LIM_OK;
  return lim_tree_error(err, lim_tree_get(m->damping.head.node, "update"),
                        "damping: %s damps the modes of each of its intervals: leave out update",
                        method->row.word);
}

// Mode conventional: displacements of first order, so bending shortens nothing.
static lim_code choose_conventional(lim_session *r, lim_error *err) {
  const lim_model *m = r->model;
  const lim_node *stiffening = m->solver.head.node ? lim_tree_get(m->solver.head.node, "stiffening") : NULL;
  for (int i = 0; i < m->links.count; i++) {
    const char *varies = lim_link_varies(m, i);
    if (varies)
      return lim_tree_error(err, m->links.item[i].head.node,
                            "link '%s' %s, which mode conventional cannot treat; take linear",
                            m->links.item[i].head.name, varies);
  }
  if (m->loops.count)
    return lim_tree_error(err, m->loops.item[0].head.node,
                          "mode conventional does not treat closed chains; take linear");
  if (stiffening && m->solver.stiffening)
    lim_warn(err, NAN, NULL, "mode conventional has no stiffening: displacements are of first order there");
  r->truncated = *m;
  r->truncated.solver.stiffening = 0;
  r->model = &r->truncated;
  return LIM_OK;
}

// The force of a bent beam at its guide is of second order, as the work of its weight on the sag is: of the
// two, an expansion of first order about the straight beam has a part only.
static void warn_of_guides(const lim_model *m, lim_error *err) {
  bool linear = m->solver.mode == LIM_MODE_LINEAR || m->solver.mode == LIM_MODE_QUASI_STATIC;
  for (int i = 0; i < m->links.count && linear; i++) {
    const lim_link *a = &m->links.item[i];
    if (lim_body_kind_of(a)->inner)
      lim_warn(
          err, NAN, a->joint.head.name,
          "joint '%.80s': modes linear and quasi-static leave the force of the bent beam at its guide out of "
          "the joint's effort; take mode nonlinear for it",
          a->joint.head.name);
  }
}

// What a method that gives small motions about another one cannot treat.
static const char *beyond_small(const lim_model *m) {
  if (m->plan && m->plan->grips.count) return "parts that are gripped need";
  if (m->deformation.count) return "links that start deformed need";
  for (int i = 0; i < m->links.count; i++)
    if (m->links.item[i].air.head.node) return "drag of the air needs";
  return NULL;
}

static lim_code choose_small(lim_session *r, lim_error *err) {
  const lim_solver *s = &r->model->solver;
  const char *beyond = beyond_small(r->model);
  const lim_node *mode = s->head.node ? lim_tree_get(s->head.node, "mode") : NULL;
  char methods[LIM_KIND_WORDS];
  if (beyond)
    return lim_method_refuse(r->model, err, "%s another method than %s", beyond,
                             lim_kind_words(methods, lim_method_row, lim_method_is_small, " or "));
  if (mode && s->mode == LIM_MODE_NONLINEAR)
    return lim_tree_error(err, mode, "solver: mode is nonlinear, but %s gives small motions: mode linear",
                          r->method->row.word);
  r->reference_method = r->method->about;
  return r->method->fits ? r->method->fits(r->model, err) : LIM_OK;
}

static lim_code choose_method(lim_session *r, lim_error *err) {
  const lim_solver *s = &r->model->solver;
  const bool conventional = s->mode == LIM_MODE_CONVENTIONAL, linear = s->mode == LIM_MODE_LINEAR;
  char methods[LIM_KIND_WORDS];
  r->method = r->reference_method = lim_integrator_of(s->method);
  r->quasi_static = s->mode == LIM_MODE_QUASI_STATIC;
  warn_of_guides(r->model, err);
  if (r->method->about) return choose_small(r, err);
  if ((linear || conventional) && !r->method->implicit)
    return lim_method_refuse(r->model, err, "mode %s is integrated with %s", linear ? "linear" : "conventional",
                             lim_kind_words(methods, lim_method_row, lim_method_is_implicit, " or "));
  return conventional ? choose_conventional(r, err) : LIM_OK;
}

lim_code lim_session_new(lim_session **out, const lim_model *model, const char *directory, lim_error *err) {
  *out = NULL;
  lim_session *r = calloc(1, sizeof *r);
  if (!r) return lim_no_memory(err);
  r->bend_link = r->twist_link = r->pull_link = r->unstiffened_link = -1;
  r->model = model;
  lim_code code = check_update(r->model, err);
  if (code == LIM_OK) code = choose_method(r, err);
  if (code == LIM_OK) code = check_inertia(r, err);
  if (code == LIM_OK) code = build(r, directory, err);
  if (code == LIM_OK) code = allocate(r, err);
  if (code == LIM_OK) code = lim_gripping_new(&r->gripping, r->s, r->rigid, r->motion_state, err);
  if (code == LIM_OK) code = lim_damping_follow(&r->damping, r->s, err);
  if (code == LIM_OK) code = settle(r, err);
  if (code == LIM_OK) code = bend(r, err);
  if (code == LIM_OK)
    *out = r;
  else
    lim_session_free(r);
  return code;
}
