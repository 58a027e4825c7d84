// vibration.c - mass, damping and stiffness of an arm about a state. Theory: docs/theory/modes.md (1)-(7).
#include "analysis/vibration/vibration.h"

#include "analysis/statics/contact_states.h"
#include "analysis/statics/equilibrium.h"
#include "analysis/vibration/tangent.h"
#include "dynamics/mass_matrix.h"
#include "math/null_space.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t square(int n) { return (size_t)n * (size_t)n; }

// --- what cannot be treated ---

static lim_code check(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->configuration.count; i++) {
    const lim_joint_state *q = &m->configuration.item[i];
    if (lim_joint_in_ball(&m->links.item[q->joint].joint) &&
        lim_dot(q->velocity, q->velocity) + lim_dot(q->angular_velocity, q->angular_velocity) > 0)
      return lim_tree_error(err, q->head.node, "joint '%s' is free and moves: modes cannot treat that yet",
                            q->head.name);
    if (m->links.item[q->joint].joint.rail && q->velocity[0] != 0)
      return lim_tree_error(
          err, q->head.node,
          "joint '%s' moves along its rail, so that the arm is another one at every moment: modes "
          "are those of a carriage that stands; leave its velocity out",
          q->head.name);
  }
  return LIM_OK;
}

// --- joints ---

static const char *word_for(const lim_inputs *inputs, const lim_joint_drive *d, lim_joints joints) {
  bool yields = lim_drive_yields(d) || lim_feedback_needed(inputs, d),
       follows = d->type == LIM_DRIVE_PRESCRIBED || d->motor_given;
  if (joints == LIM_JOINTS_DEFAULT || joints == LIM_JOINTS_OPEN)
    joints = yields ? LIM_JOINTS_HELD : follows ? LIM_JOINTS_LOCKED : LIM_JOINTS_FREE;
  if (joints == LIM_JOINTS_HELD && yields) return "held";
  return joints == LIM_JOINTS_FREE ? "free" : "locked";
}

static void name_joint(lim_modes *r, const char *name, const char *word) {
  int n = r->joint.count;
  if (!r->joints) r->joints = word;
  if (strcmp(r->joints, word)) r->joints = "mixed";
  if (n == 0 || r->joint.item[n - 1].name != name) // a free joint has several freedoms
    r->joint.item[r->joint.count++] = (lim_mode_joint){name, word};
}

// Coordinates that move: of joints that are not locked (behind an elastic gear the motor is what is locked),
// and of all deformations.
static lim_code choose_coordinates(lim_vibration *x, lim_modes *r, bool *held, lim_joints joints,
                                   lim_error *err) {
  const lim_arm *s = x->a.s;
  x->index = lim_arena_array(&x->a.arena, (size_t)s->n, sizeof *x->index);
  r->joint.item = lim_arena_array(&r->arena, (size_t)s->nbody, sizeof *r->joint.item);
  x->unloaded = lim_arena_array(&x->a.arena, (size_t)s->n, sizeof *x->unloaded);
  if (!x->index || !r->joint.item || !x->unloaded) return lim_no_memory(err);
  memcpy(x->unloaded, x->a.q, (size_t)s->n * sizeof *x->unloaded);
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (b->q >= 0) {
      const char *word = word_for(x->a.inputs, &x->a.inputs->drive[i], joints);
      const lim_joint *joint = &s->model->links.item[b->link].joint;
      const bool ball = lim_joint_in_ball(joint);                  // which nothing could lock
      if (ball || (s->passive && s->passive[b->q])) word = "free"; // a pin follows the others
      name_joint(r, lim_joint_in_ball(joint) ? joint->whole : joint->head.name, word);
      held[i] = !strcmp(word, "held");
      bool locked = !strcmp(word, "locked") && !(s->passive && s->passive[b->q]);
      if (!locked || b->m >= 0) x->index[x->N++] = b->q;
      if (!locked && b->m >= 0) x->index[x->N++] = b->m;
    }
    for (int k = 0; k < b->body->n; k++) x->index[x->N++] = b->e + k;
  }
  if (!r->joints) r->joints = "locked"; // there is nothing to hold
  return LIM_OK;
}

// --- stiffness ---

// With the loads as at t = 0.
static lim_code tangent(double *T, lim_vibration *x, lim_tangent_by by, const double *v, lim_error *err) {
  const lim_equations *e = x->a.e;
  lim_inputs_loads(e->wrench, e->inputs, 0, LIM_AFTER, e->control.signal);
  lim_springs_lengths(e->length, &e->inputs->spring_elements, 0, false);
  return lim_tangent(T, e->s, e, by, x->a.q, v, err);
}

static bool moves(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (v[i] != 0) return true;
  return false;
}

// K of the undeformed arm without loads; in motion with what speeds add: T(v) - T(0).   (3)
static lim_code undeformed_stiffness(double *K, lim_vibration *x, const double *zero, lim_error *err) {
  int n = x->a.s->n;
  lim_assemble_stiffness(K, x->a.s, x->a.q);
  lim_springs_lengths(x->a.e->length, &x->a.inputs->spring_elements, 0, false);
  lim_code code = lim_tangent_add_springs(K, x->a.e, x->a.q, err);
  if (code != LIM_OK || !moves(x->a.v, n)) return code;
  double *T = lim_arena_array(&x->a.arena, square(n), sizeof *T);
  if (!T) return lim_no_memory(err);
  for (int k = 0; k < 2 && code == LIM_OK; k++) {
    lim_inputs_loads(x->a.e->wrench, x->a.e->inputs, 0, LIM_AFTER, x->a.e->control.signal);
    code = lim_tangent_slack(T, x->a.e, x->a.q, k ? zero : x->a.v, err);
    for (size_t i = 0; i < square(n) && code == LIM_OK; i++) K[i] += k ? -T[i] : T[i];
  }
  return code;
}

// K about the equilibrium: everything that gravity, loads and speeds do.   (5)
static lim_code equilibrium_stiffness(double *K, lim_vibration *x, lim_error *err) {
  lim_code code = lim_equilibrium_moving(x->a.q, x->a.v, x->a.e, 0, err);
  if (code == LIM_OK) code = tangent(K, x, LIM_BY_POSITION, x->a.v, err);
  return code;
}

// --- assembly ---

static lim_code allocate(lim_vibration *x, lim_error *err) {
  const lim_arm *s = x->a.s;
  lim_arena *arena = &x->a.arena;
  x->M = lim_arena_array(arena, square(x->N), sizeof *x->M);
  x->K = lim_arena_array(arena, square(x->N), sizeof *x->K);
  x->D = lim_arena_array(arena, square(x->N), sizeof *x->D);
  x->diagonal = lim_arena_array(arena, (size_t)s->n, sizeof *x->diagonal);
  return x->M && x->K && x->D && x->diagonal ? LIM_OK : lim_no_memory(err);
}

static void pack(double *out, const double *A, const lim_vibration *x) {
  size_t n = (size_t)x->a.s->n;
  for (int j = 0; j < x->N; j++)
    for (int i = 0; i < x->N; i++) out[j * x->N + i] = A[(size_t)x->index[j] * n + (size_t)x->index[i]];
}

// Whether A (n x n) differs from its transpose by more than rounding; rounding is removed.
static bool unsymmetric(double *A, int n) {
  double largest = 0, odd = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fabs(A[j * n + i]));
      odd = fmax(odd, fabs(A[j * n + i] - A[i * n + j]));
    }
  if (odd > 1e-12 * largest) return true;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) A[j * n + i] = A[i * n + j] = (A[j * n + i] + A[i * n + j]) / 2;
  return false;
}

// Rows of A (n x count by columns) of the coordinates that move, or columns of A (count x n).
static lim_code pack_rows(double **A, lim_vibration *x, int count, bool columns, lim_error *err) {
  const int n = x->a.s->n;
  double *out = lim_arena_array(&x->a.arena, (size_t)x->N * (size_t)count, sizeof *out);
  if (!out) return lim_no_memory(err);
  for (int i = 0; i < x->N; i++)
    for (int k = 0; k < count; k++)
      out[columns ? i * count + k : k * x->N + i] =
          (*A)[columns ? x->index[i] * count + k : k * n + x->index[i]];
  *A = out;
  return LIM_OK;
}

// Controllers with states, blocks or the arm in them: for all that are held.
static lim_code find_feedback(lim_vibration *x, const bool *held, bool open, lim_error *err) {
  bool needed = false;
  for (int i = 0; i < x->a.s->nbody; i++)
    needed = needed || (held[i] && lim_feedback_needed(x->a.inputs, &x->a.inputs->drive[i]));
  if (!needed || open) return LIM_OK;
  lim_feedback *f = &x->back;
  const lim_feedback_about about = {held, x->a.q, x->a.v, x->a.s->model->solver.start != 1};
  lim_code code = lim_feedback_start(f, &x->a.arena, x->a.e, &about, err);
  if (code == LIM_OK) code = pack_rows(&f->F, x, f->nx, false, err);
  if (code == LIM_OK) code = pack_rows(&f->E, x, f->nx, true, err);
  return code == LIM_OK ? pack_rows(&f->G, x, f->nx, true, err) : code;
}

// open: controllers are switched off
static lim_code assemble(lim_vibration *x, const bool *held, bool open, lim_error *err) {
  int n = x->a.s->n;
  const lim_arm *s = x->a.s;
  lim_drive_answer *answer = lim_arena_array(&x->a.arena, (size_t)s->nbody, sizeof *answer);
  if (!answer) return lim_no_memory(err);
  double *A = lim_arena_array(&x->a.arena, square(n) + (size_t)n, sizeof *A), *zero = A + square(n);
  if (!A) return lim_no_memory(err);
  lim_code code = x->a.s->model->solver.start == 1 ? equilibrium_stiffness(A, x, err)
                                                   : undeformed_stiffness(A, x, zero, err);
  if (code != LIM_OK) return code;
  code = find_feedback(x, held, open, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < s->nbody; i++) {
    if (s->bodies[i].q < 0) continue;
    const bool servo = x->a.inputs->drive[i].type == LIM_DRIVE_SERVO;
    answer[i] = lim_equations_small(x->a.e, i, x->a.q, held[i] && (servo || !(x->back.K || open)));
  }
  lim_equations_matrix(A, s, answer, false);
  for (size_t i = 0; x->back.K && i < square(n); i++) A[i] += x->back.K[i];
  pack(x->K, A, x);
  for (int i = 0; i < n; i++) x->diagonal[i] = A[(size_t)i * (size_t)(n + 1)];
  code = tangent(A, x, LIM_BY_VELOCITY, x->a.v, err);
  if (code != LIM_OK) return code;
  lim_equations_matrix(A, s, answer, true);
  for (size_t i = 0; x->back.K && i < square(n); i++) A[i] += x->back.D[i];
  pack(x->D, A, x);
  code = tangent(A, x, LIM_BY_ACCELERATION, x->a.v, err);
  if (code == LIM_OK) pack(x->M, A, x);
  return code;
}

// Contacts are taken as they stand: where they press they are springs, and those with friction stick.
static lim_code name_contacts(lim_vibration *x, lim_modes *r, lim_error *err) {
  const lim_contact_elements *c = &x->a.inputs->contacts;
  lim_world_motion *body = lim_arena_array(&x->a.arena, (size_t)x->a.s->nbody, sizeof *body);
  r->contact.item = lim_arena_array(&r->arena, (size_t)c->count, sizeof *r->contact.item);
  if (!body || !r->contact.item) return lim_no_memory(err);
  lim_kinematics(body, x->a.s, x->a.q, NULL, NULL);
  for (int i = 0; i < c->count; i++) {
    lim_contact_moment m;
    const char *word = lim_contact_word(&m, x->a.e, i, body, x->a.q);
    r->contact.item[r->contact.count++] = (lim_mode_joint){c->item[i].from->head.name, word};
  }
  return LIM_OK;
}

static lim_code hold_contacts(lim_vibration *x, lim_error *err) {
  if (!x->a.inputs->contacts.count || x->a.s->model->solver.start == 1) return LIM_OK;
  lim_world_motion *body = lim_arena_array(&x->a.arena, (size_t)x->a.s->nbody, sizeof *body);
  if (!body) return lim_no_memory(err);
  lim_contacts_stick(x->a.e, body, x->a.q);
  return LIM_OK;
}

// Motions that keep the loops closed.
static lim_code close_loops(lim_vibration *x, lim_error *err) {
  const lim_arm *s = x->a.s;
  size_t n = (size_t)x->N;
  x->moving = x->N;
  if (!x->a.e->nrow || !n) return LIM_OK;
  double *G = lim_arena_array(&x->a.arena, (size_t)x->a.e->nrow * ((size_t)s->n + n), sizeof *G);
  double *scratch = lim_arena_array(&x->a.arena, n * n + 3 * (size_t)s->n, sizeof *scratch);
  x->basis = lim_arena_array(&x->a.arena, n * n, sizeof *x->basis);
  if (!G || !scratch || !x->basis) return lim_no_memory(err);
  double *packed = G + (size_t)x->a.e->nrow * (size_t)s->n, *zero = scratch + n * n;
  lim_rec_residual(zero + s->n, x->a.e->w, x->a.q, zero, zero);
  lim_rec_loop_rows(G, x->a.e->w, x->a.q);
  for (int i = 0; i < x->a.e->nrow; i++)
    for (size_t j = 0; j < n; j++)
      packed[(size_t)i * n + j] = G[(size_t)i * (size_t)s->n + (size_t)x->index[j]];
  lim_code code = lim_null_space(x->basis, &x->N, packed, x->a.e->nrow, (int)n, err);
  if (code != LIM_OK) return code;
  lim_project(x->M, x->M, x->basis, x->moving, x->N, scratch);
  lim_project(x->K, x->K, x->basis, x->moving, x->N, scratch);
  lim_project(x->D, x->D, x->basis, x->moving, x->N, scratch);
  if (x->back.nx)
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "controllers with states on closed chains or coupled joints cannot be treated by modes; "
                    "take the joints as locked");
  return LIM_OK;
}

// Whether a coordinate is pushed along with its speed, as by blocks of the wrong sign: its motion may grow.
static bool pushes(const lim_vibration *x) {
  for (int i = 0; i < x->N; i++)
    if (x->D[i * (x->N + 1)] < 0) return true;
  return false;
}

lim_code lim_vibration_start(lim_vibration *x, lim_modes *r, const lim_model *model, const char *directory,
                             lim_joints joints, lim_error *err) {
  *x = (lim_vibration){.N = 0};
  bool *held = NULL;
  lim_code code = check(model, err);
  if (code == LIM_OK)
    code = (joints == LIM_JOINTS_OPEN ? lim_arm_start_simulated : lim_rest_start)(&x->a, model, directory, err);
  if (code == LIM_OK && !(held = lim_arena_array(&x->a.arena, (size_t)x->a.s->nbody, sizeof *held)))
    code = lim_no_memory(err);
  if (code == LIM_OK) code = choose_coordinates(x, r, held, joints, err);
  if (code == LIM_OK) code = allocate(x, err);
  if (code == LIM_OK) code = hold_contacts(x, err);
  if (code == LIM_OK) code = assemble(x, held, joints == LIM_JOINTS_OPEN, err);
  if (code == LIM_OK) code = name_contacts(x, r, err);
  if (code == LIM_OK) code = close_loops(x, err);
  if (code != LIM_OK) return code;
  x->damped = moves(x->D, x->N * x->N);
  bool odd_stiffness = unsymmetric(x->K, x->N), odd_damping = unsymmetric(x->D, x->N);
  x->general = odd_stiffness || odd_damping || x->back.nx || pushes(x);
  return LIM_OK;
}
