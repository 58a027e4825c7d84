// equations.c - drives, springs and loads joined to the recursion. Theory: docs/theory/dynamics.md.
#include "integrate/equations.h"
#include "arm/air.h"

#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- given coordinates ---

void lim_equations_prescribe(const lim_equations *e, double t, lim_side side, double *q, double *v, double *a) {
  for (int i = 0; i < e->s->nbody; i++) {
    const int side_of[2] = {e->s->bodies[i].q, e->s->bodies[i].m};
    for (int c = 0; c < 2; c++) {
      int k = side_of[c];
      if (k < 0 || !e->given[k]) continue;
      lim_sample x = {e->hold[k], 0, 0};
      if (e->prescribed[k]) x = lim_inputs_sample(e->inputs->drive[i].motion, t, side);
      if (q) q[k] = x.value;
      if (v) v[k] = x.rate;
      if (a) a[k] = x.second;
    }
  }
}

bool lim_equations_gives(const lim_equations *e) {
  for (int i = 0; i < e->s->nbody; i++) {
    const lim_arm_body *b = &e->s->bodies[i];
    if ((b->q >= 0 && e->given[b->q]) || (b->m >= 0 && e->given[b->m])) return true;
  }
  return false;
}

void lim_equations_lock(lim_equations *e) {
  for (int k = 0; k < e->s->n; k++) lim_rec_lock(e->w, k, e->given[k]);
  e->factors++;
}

// --- drives ---

static lim_control_instant moment_of(const lim_equations *e, double t, lim_side side, const double *q,
                                     const double *v) {
  return (lim_control_instant){.t = t, .side = side, .q = q, .v = v, .span = e->span, .resting = e->resting};
}

// Which way friction points on a coordinate that is moved at a given speed.
static int sense(double v) { return (v > 0) - (v < 0); }

static lim_drive_motion motion_of(const lim_equations *e, int i, const double *q, const double *v) {
  const lim_arm_body *b = &e->s->bodies[i];
  int m = b->m >= 0 ? b->m : b->q;
  const lim_controls *c = &e->control;
  const double rigid = e->inputs->drive[i].rigid ? c->needed[c->rigid_q[i]] : 0;
  return (lim_drive_motion){q[b->q], v[b->q], q[m], v[m], rigid, c->command[i], e->resting};
}

// What end stops do beside the drive. press NULL: at rest.
static void add_stops(lim_drive_answer *a, const lim_end_stops *s, const lim_press *press, double q, double v) {
  for (int k = 0; k < LIM_STOPS; k++) {
    const lim_stop_moment m = lim_stop_evaluate(s, k, press ? press[k] : LIM_PRESS_AS_IT_MOVES, q, v);
    a->joint += m.force;
    a->joint_k += m.k;
    a->joint_d += m.d;
    a->energy += m.energy;
    a->dissipated += m.dissipated;
  }
}

static void drive_joint(lim_equations *e, int i, double t, lim_side side, const double *q, const double *v) {
  const lim_arm_body *b = &e->s->bodies[i];
  const lim_joint_drive *d = &e->inputs->drive[i];
  lim_joint_drive at_rest;
  if (e->resting) {
    at_rest = *d;
    at_rest.inductance = 0;
    d = &at_rest;
  }
  int m = b->m >= 0 ? b->m : b->q;
  lim_drive_motion x = motion_of(e, i, q, v);
  int slip[2] = {e->slip[i][0], e->slip[i][1]};
  if (e->prescribed[b->q]) slip[0] = sense(v[b->q]);
  if (e->prescribed[m]) slip[1] = sense(v[m]);
  if (e->span > 0 && e->ns)
    lim_drive_step(&e->end[i], &e->state[i], &e->rate[i], e->span, d, t, side, &x);
  else
    e->end[i] = e->state[i];
  lim_drive_evaluate(&e->answer[i], d, t, side, &x, slip, &e->end[i], e->span);
  if (d->stop.stiffness > 0) add_stops(&e->answer[i], &d->stop, e->resting ? NULL : e->press[i], x.q, x.v);
  e->tau[b->q] = e->answer[i].effort;
}

static void drive_joints(lim_equations *e, double t, lim_side side, const double *q, const double *v) {
  for (int i = 0; i < e->s->nbody; i++)
    if (e->s->bodies[i].q >= 0) drive_joint(e, i, t, side, q, v);
}

void lim_equations_drive(lim_equations *e, double t, lim_side side, const double *q, const double *v) {
  const lim_control_instant m = moment_of(e, t, side, q, v);
  lim_controls_evaluate(&e->control, &m);
  drive_joints(e, t, side, q, v);
}

void lim_equations_rates(lim_equations *e, double t, lim_side side, const double *q, const double *v) {
  if (!e->ns) return;
  const lim_control_instant m = moment_of(e, t, side, q, v);
  lim_controls_rates(&e->control, &m);
  for (int i = 0; i < e->s->nbody; i++) {
    if (e->s->bodies[i].q < 0) continue;
    lim_drive_motion x = motion_of(e, i, q, v);
    lim_drive_rates(&e->rate[i], &e->inputs->drive[i], t, side, &x, &e->state[i]);
  }
}

void lim_equations_keep(lim_equations *e) {
  if (e->ns) memcpy(e->state, e->end, (size_t)e->ns * sizeof(double));
}

lim_code lim_equations_tick(lim_equations *e, double t, const double *q, const double *v, lim_error *err) {
  const lim_control_instant m = {.t = t, .side = LIM_AFTER, .q = q, .v = v};
  return lim_controls_tick(&e->control, &m, err);
}

double lim_equations_next_tick(const lim_equations *e, double t) {
  return e->control.any_clock ? lim_controls_next(&e->control, t) : INFINITY;
}

void lim_equations_signals(lim_equations *e, double t, lim_side side, const double *q, const double *v) {
  const lim_control_instant m = {.t = t, .side = side, .q = q, .v = v};
  if (e->inputs->network) lim_controls_evaluate(&e->control, &m);
}

// What a program adds on a joint.
static double extra_of(const lim_equations *e, int i, lim_side side) {
  return (side == LIM_BEFORE ? e->extra_before : e->extra)[e->s->bodies[i].q];
}

// A joint that is moved exactly: its drive gives what is missing.
static void finish_joint(double *r, lim_equations *e, int i, lim_side side) {
  const lim_arm_body *b = &e->s->bodies[i];
  const lim_drive_answer *a = &e->answer[i];
  double extra = extra_of(e, i, side);
  r[b->q] -= a->joint;
  if (b->m >= 0) {
    r[b->m] -= a->motor;
    e->tau[b->m] = e->prescribed[b->m] ? r[b->m] : e->inputs->drive[i].ratio * a->torque;
  }
  if (e->prescribed[b->q]) {
    e->tau[b->q] = r[b->q];
  } else {
    r[b->q] -= extra;
    e->tau[b->q] += extra;
  }
}

// Controllers, loads and springs of a moment.
static void set_moment(lim_equations *e, double t, lim_side side, const double *q, const double *felt) {
  const lim_control_instant m = moment_of(e, t, side, q, felt);
  lim_controls_evaluate(&e->control, &m);
  lim_inputs_loads(e->wrench, e->inputs, t, side, e->control.signal);
  lim_springs_lengths(e->length, &e->inputs->spring_elements, t, side == LIM_BEFORE);
}

void lim_equations_act(lim_equations *e, double t, lim_side side, const double *q, const double *v) {
  set_moment(e, t, side, q, v);
  lim_rec_damp(e->w, q, v);
  drive_joints(e, t, side, q, v);
  for (int i = 0; i < e->s->nbody; i++) {
    const lim_arm_body *b = &e->s->bodies[i];
    if (b->q >= 0) e->tau[b->q] += extra_of(e, i, side);
    if (b->m >= 0) e->tau[b->m] = e->inputs->drive[i].ratio * e->answer[i].torque;
  }
}

static void residual(double *r, lim_equations *e, double t, lim_side side, const double *q, const double *v,
                     const double *a, const double *felt) {
  set_moment(e, t, side, q, felt);
  lim_rec_apply(e->w, e->wrench, e->inputs->nload);
  lim_rec_residual(r, e->w, q, v, a);
  drive_joints(e, t, side, q, felt);
  for (int i = 0; i < e->s->nbody; i++)
    if (e->s->bodies[i].q >= 0) finish_joint(r, e, i, side);
}

void lim_equations_residual(double *r, lim_equations *e, double t, lim_side side, const double *q,
                            const double *v, const double *a) {
  residual(r, e, t, side, q, v, a, v);
}

void lim_equations_rest(double *r, lim_equations *e, double t, const double *q, const double *v,
                        const double *zero) {
  e->resting = true;
  residual(r, e, t, LIM_AFTER, q, v, zero, zero);
  e->resting = false;
}

// --- matrix ---

bool lim_drive_yields(const lim_joint_drive *d) {
  return d->type == LIM_DRIVE_SERVO || (d->type == LIM_DRIVE_MOTOR && d->law.kind && d->law.kind->holds);
}

lim_drive_answer lim_equations_small(const lim_equations *e, int body, const double *q, bool held) {
  const lim_arm_body *b = &e->s->bodies[body];
  lim_joint_drive d = e->inputs->drive[body];
  lim_drive_answer a;
  if ((!held && d.type == LIM_DRIVE_SERVO) || d.type == LIM_DRIVE_EFFORT) d.type = LIM_DRIVE_FREE;
  d.rigid = false;
  d.backlash = 0;
  d.efficiency = 1;
  d.inductance = 0;
  lim_drive_motion at = {.q = q[b->q], .p = q[b->m >= 0 ? b->m : b->q]};
  if (held) at.command = lim_drive_command(&d, 0, LIM_AFTER, &at);
  lim_drive_states none = {{0}, 0};
  lim_drive_evaluate(&a, &d, 0, LIM_AFTER, &at, (int[2]){0, 0}, &none, 0);
  if (d.stop.stiffness > 0) add_stops(&a, &d.stop, NULL, at.q, 0);
  return a;
}

void lim_equations_matrix(double *A, const lim_arm *s, const lim_drive_answer *answer, bool damping) {
  size_t n = (size_t)s->n;
  for (int i = 0; i < s->nbody; i++) {
    const lim_drive_answer *a = &answer[i];
    if (s->bodies[i].q < 0) continue;
    size_t q = (size_t)s->bodies[i].q, m = (size_t)s->bodies[i].m;
    A[q * n + q] += damping ? a->joint_d : a->joint_k;
    if (s->bodies[i].m < 0) continue;
    double gear = damping ? a->gear_d : a->gear_k;
    A[q * n + q] += gear;
    A[m * n + q] -= gear;
    A[m * n + m] += (damping ? a->motor_d : a->motor_k) + a->reaction * gear;
    A[q * n + m] += (damping ? a->control_d : a->control_k) - a->reaction * gear;
  }
}

void lim_equations_matrix_times(double *y, const lim_arm *s, const lim_drive_answer *answer, const double *x) {
  for (int i = 0; i < s->nbody; i++) {
    const lim_drive_answer *a = &answer[i];
    int q = s->bodies[i].q, m = s->bodies[i].m;
    if (q < 0) continue;
    y[q] += a->joint_k * x[q];
    if (m < 0) continue;
    double gear = a->gear_k * (x[q] - x[m]);
    y[q] += gear;
    y[m] += a->motor_k * x[m] + a->control_k * x[q] - a->reaction * gear;
  }
}

const char *lim_equations_owner(const lim_arm *s, int k) {
  for (int i = 0; i < s->nbody; i++) {
    const lim_link *link = &s->model->links.item[s->bodies[i].link];
    const bool ball = lim_joint_in_ball(&link->joint);
    if (k == s->bodies[i].q || k == s->bodies[i].m) return ball ? link->joint.whole : link->joint.head.name;
    if (k >= s->bodies[i].e && k < s->bodies[i].e + s->bodies[i].body->n) return link->head.name;
  }
  return "?";
}

void lim_equations_tangents(lim_equations *e, lim_step_matrix c) {
  for (int i = 0; i < e->s->nbody; i++) {
    const lim_arm_body *b = &e->s->bodies[i];
    const lim_drive_answer *a = &e->answer[i];
    e->gear[i] = 0;
    if (b->q < 0) continue;
    e->joint[b->q] = c.K * a->joint_k + c.D * a->joint_d;
    if (b->m < 0) continue;
    e->joint[b->m] = c.K * (a->motor_k + a->control_k) + c.D * (a->motor_d + a->control_d);
    e->gear[i] = c.K * a->gear_k + c.D * a->gear_d;
  }
}

// --- loops ---

static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// Feet of a block stick alike: which of their rows is left out must not change with rounding.
static const double STEADY = 1.01;

// y: what pivots of S are measured by; 0 for rows that nothing moves, whose diagonal is rounding.
static void measure_rows(lim_equations *e) {
  static const double ROUNDING = 1e-24; // squared: rows count in S twice
  const int m = e->nrow;
  double largest = 0;
  for (int i = 0; i < m; i++) largest = fmax(largest, e->S[i * m + i]);
  for (int i = 0; i < m; i++) {
    const double own = e->S[i * m + i];
    e->y[i] = own > ROUNDING * largest ? own : 0;
  }
}

// S = L L' with diagonal pivots; rows that follow from those before them come last and are left out.
static void factor_rows(lim_equations *e) {
  int m = e->nrow;
  double *S = e->S;
  measure_rows(e);
  for (int i = 0; i < m; i++) e->order[i] = i;
  for (e->rank = 0; e->rank < m; e->rank++) {
    int j = e->rank, best = -1;
    double max = 1e-9;
    for (int i = j; i < m; i++) {
      double left = e->y[e->order[i]] > 0 ? S[e->order[i] * m + e->order[i]] / e->y[e->order[i]] : 0;
      if (left > (e->order[i] < e->s->nrow ? max : STEADY * max)) {
        max = left;
        best = i;
      }
    }
    if (best < 0) return;
    int row = e->order[best];
    e->order[best] = e->order[j];
    e->order[j] = row;
    double pivot = S[row * m + row] = sqrt(S[row * m + row]);
    for (int i = j + 1; i < m; i++) S[e->order[i] * m + row] /= pivot;
    for (int i = j + 1; i < m; i++)
      for (int k = j + 1; k <= i; k++) {
        int a = e->order[i], b = e->order[k];
        double less = S[a * m + row] * S[b * m + row];
        S[a * m + b] -= less;
        if (a != b) S[b * m + a] -= less;
      }
  }
}

static void factor_loops(lim_equations *e, const double *q) {
  int m = e->nrow, n = e->s->n;
  lim_rec_loop_rows(e->G, e->w, q);
  memcpy(e->Z, e->G, (size_t)m * (size_t)n * sizeof *e->Z);
  for (int k = 0; k < m; k++) lim_rec_solve(e->Z + (size_t)k * (size_t)n, e->w);
  for (int i = 0; i < m; i++)
    for (int k = 0; k <= i; k++)
      e->S[i * m + k] = e->S[k * m + i] = dot(e->G + (size_t)i * (size_t)n, e->Z + (size_t)k * (size_t)n, n);
  factor_rows(e);
}

// y := S^-1 y, 0 for rows that follow from others.
static void solve_rows(lim_equations *e) {
  int m = e->nrow;
  const double *S = e->S;
  for (int i = 0; i < e->rank; i++) {
    int a = e->order[i];
    for (int k = 0; k < i; k++) e->y[a] -= S[a * m + e->order[k]] * e->y[e->order[k]];
    e->y[a] /= S[a * m + a];
  }
  for (int i = e->rank - 1; i >= 0; i--) {
    int a = e->order[i];
    for (int k = i + 1; k < e->rank; k++) e->y[a] -= S[e->order[k] * m + a] * e->y[e->order[k]];
    e->y[a] /= S[a * m + a];
  }
  for (int i = e->rank; i < m; i++) e->y[e->order[i]] = 0;
}

// x += Z y
static void add_rows(double *x, const lim_equations *e) {
  for (int k = 0; k < e->nrow; k++)
    for (int i = 0; i < e->s->n; i++) x[i] += e->y[k] * e->Z[(size_t)k * (size_t)e->s->n + (size_t)i];
}

void lim_equations_solve(double *x, lim_equations *e, const double *c, double factor) {
  lim_rec_solve(x, e->w);
  if (!e->nrow) return;
  for (int k = 0; k < e->nrow; k++) e->y[k] = c[k] - dot(e->G + (size_t)k * (size_t)e->s->n, x, e->s->n);
  solve_rows(e);
  add_rows(x, e);
  for (int k = 0; k < e->nrow; k++) e->lambda[k] += factor * e->y[k];
}

void lim_equations_rows(lim_equations *e, const double *q, const double *v, const double *a) {
  if (!e->nrow || (v && a && lim_rec_loop_states(e->row, e->w, q, v, a))) return;
  lim_kinematics(e->body, e->s, q, v, a);
  lim_loops_evaluate(e->row, e->s, e->body, q, v, a);
  for (int i = 0; i < e->inputs->contacts.count; i++) {
    const lim_contact_element *c = &e->inputs->contacts.item[i];
    if (c->row < 0) continue;
    lim_world_motion at[2];
    lim_contact_sites(at, c, e->s, e->body, q, v, a);
    lim_contact_rows(e->row + c->row, c, &e->contact[i], &at[0], &at[1]);
  }
}

// One correction; the size of what was to be corrected.
static double project(double *x, lim_equations *e, bool rate) {
  double max = 0;
  for (int k = 0; k < e->nrow; k++) e->y[k] = rate ? -e->row[k].rate : -e->row[k].value;
  for (int i = 0; i < e->rank; i++) max = fmax(max, fabs(e->y[e->order[i]]));
  solve_rows(e);
  add_rows(x, e);
  return max;
}

const double *lim_equations_openings(lim_equations *e, const double *q, const double *v, const double *a) {
  lim_equations_rows(e, q, v, a);
  for (int k = 0; k < e->nrow; k++) e->opening[k] = e->row[k].second;
  return e->opening;
}

bool lim_equations_project(lim_equations *e, double *q, double *v) {
  enum { ROUNDS = 30 };
  double gap = 0, speed = 0;
  if (!e->nrow) return true;
  for (int k = 0; k < ROUNDS; k++) {
    lim_equations_rows(e, q, NULL, NULL);
    double before = gap;
    gap = project(q, e, false);
    if (gap < 1e-14 || (k > 1 && gap < 1e-12 && gap > 0.3 * before)) break;
  }
  for (int k = 0; k < ROUNDS && v; k++) {
    lim_equations_rows(e, q, v, NULL);
    double before = speed;
    speed = project(v, e, true);
    if (speed < 1e-14 || (k > 1 && speed < 1e-11 && speed > 0.3 * before)) break;
  }
  return gap < 1e-10 && speed < 1e-9;
}

lim_code lim_equations_factor(lim_equations *e, const double *q, lim_step_matrix c, lim_error *err) {
  e->factors++;
  lim_equations_tangents(e, c);
  c.joint = e->joint;
  c.gear = e->gear;
  int bad = lim_rec_factor(e->w, q, c);
  if (bad < 0) {
    if (e->nrow) factor_loops(e, q);
    return LIM_OK;
  }
  return LIM_FAIL(
      err, LIM_FAILED,
      "'%s' moves without mass: its acceleration cannot be found; give the link a mass, or fix its joint",
      lim_equations_owner(e->s, bad));
}

lim_code lim_equations_accelerate(double *a, double *r, lim_equations *e, double t, lim_side side,
                                  const double *q, const double *v, lim_error *err) {
  for (int i = 0; i < e->s->n; i++)
    if (!e->given[i]) a[i] = 0;
  lim_equations_residual(r, e, t, side, q, v, a);
  lim_code code = lim_equations_factor(e, q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_equations_solve(r, e, lim_equations_openings(e, q, v, a), -1);
  for (int i = 0; i < e->s->n; i++)
    if (!e->given[i]) a[i] = -r[i];
  return LIM_OK;
}

// --- a second factor ---

struct lim_spare {
  lim_rec_work *w;
  double *G, *Z, *S;
  int *order, rank;
};

bool lim_equations_spare(lim_equations *e) {
  size_t m = (size_t)e->nrow, n = (size_t)e->s->n;
  if (e->spare) return true;
  struct lim_spare *x = lim_arena_allocate(&e->arena, sizeof *x);
  if (!x || !(x->w = lim_rec_work_new(e->s))) return false;
  e->spare = x; // freed with the equations from here on
  x->G = lim_arena_array(&e->arena, m * n, sizeof *x->G);
  x->Z = lim_arena_array(&e->arena, m * n, sizeof *x->Z);
  x->S = lim_arena_array(&e->arena, m * m, sizeof *x->S);
  x->order = lim_arena_array(&e->arena, m, sizeof *x->order);
  lim_rec_close(x->w, e->lambda);
  return x->G && x->Z && x->S && x->order && lim_equations_bind(x->w, e);
}

void lim_equations_swap(lim_equations *e) {
  const struct lim_spare here = {e->w, e->G, e->Z, e->S, e->order, e->rank}, there = *e->spare;
  *e->spare = here;
  e->w = there.w;
  e->G = there.G;
  e->Z = there.Z;
  e->S = there.S;
  e->order = there.order;
  e->rank = there.rank;
  lim_equations_lock(e);
}

double lim_equations_torque(const lim_equations *e, int body, const double *v) {
  const lim_arm_body *b = &e->s->bodies[body];
  if (b->rotor < 0) return 0;
  int k = b->m >= 0 ? b->m : b->q;
  return e->prescribed[k] ? lim_drive_torque(&e->inputs->drive[body], e->tau[k], v[k]) : e->answer[body].torque;
}

// --- powers ---

// A wrench in world axes: those that follow their section are written in its axes, R Rc'.
static void world_wrench(double force[3], double moment[3], const lim_wrench *w, const double R[9]) {
  double section[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) section[3 * i + j] = lim_dot(R + 3 * i, w->site.Rc + 3 * j);
  memcpy(force, w->force, 3 * sizeof *force);
  memcpy(moment, w->moment, 3 * sizeof *moment);
  if (!w->follows) return;
  lim_rotate(force, section, w->force);
  lim_rotate(moment, section, w->moment);
}

// Rate of the section's rotation vector and of its body: what an applied moment works on.
static void section_spin(double w[3], const lim_arm *s, const lim_site *site, const lim_world_motion *body,
                         const double *v) {
  const lim_section_motion *x = &site->section;
  const double *rate = v + s->bodies[site->body].e + x->first;
  double local[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < x->count; j++) local[i] += x->N[(3 + i) * x->count + j] * rate[j];
  lim_rotate(w, body->R, local);
  for (int i = 0; i < 3; i++) w[i] += body->w[i];
}

static lim_world_motion site_motion(const lim_arm *s, const lim_site *site, const lim_world_motion *body,
                                    const double *q, const double *v) {
  return lim_kinematics_at(s, site, body, q, v, NULL);
}

static double load_power(const lim_equations *e, const lim_world_motion *body, const double *q,
                         const double *v) {
  double power = 0, force[3], moment[3], w_section[3];
  for (int i = 0; i < e->inputs->nload; i++) {
    const lim_wrench *w = &e->wrench[i];
    if (w->site.body < 0) continue;
    lim_world_motion m = site_motion(e->s, &w->site, body, q, v);
    world_wrench(force, moment, w, m.R);
    section_spin(w_section, e->s, &w->site, &body[w->site.body], v);
    power += lim_dot(force, m.v) + lim_dot(moment, w_section);
  }
  return power;
}

// Minus the power of strain-rate damping: of its forces on the frames and on the deformations.
static double drag_power(const lim_arm *s, const lim_world_motion *body, const double *v) {
  double power = 0;
  for (int i = 0; i < s->nbody; i++) {
    const lim_strain_damper *d = s->bodies[i].strain_damper;
    if (!d) continue;
    const double *rate = v + s->bodies[i].e;
    double f[6] = {0}, frame[6];
    lim_rotate_back(frame, body[i].R, body[i].v);
    lim_rotate_back(frame + 3, body[i].R, body[i].w);
    for (int k = 0; k < 6; k++) {
      for (int j = 0; j < d->Q.n; j++) f[k] += d->F[k * d->Q.n + j] * rate[j];
      power -= f[k] * frame[k];
    }
    for (int k = 0; k < d->Q.n; k++)
      for (int j = d->Q.start[k]; j < d->Q.start[k + 1]; j++)
        power -= rate[k] * d->Q.value[j] * rate[d->Q.column[j]];
  }
  return power;
}

static void add_bonds(lim_powers *p, const lim_equations *e, const lim_world_motion *body, const double *q,
                      const double *v) {
  for (int i = 0; i < e->inputs->spring_elements.count; i++) {
    const lim_spring_element *b = &e->inputs->spring_elements.spring[i];
    lim_world_motion first = site_motion(e->s, &b->site[0], body, q, v),
                     second = site_motion(e->s, &b->site[1], body, q, v);
    lim_spring_state x = lim_spring_evaluate(b, &first, &second, e->length + 2 * i);
    p->power[LIM_WORK] += x.work;
    p->power[LIM_DISSIPATED] += x.dissipated;
    p->stored += x.energy;
  }
}

static void add_contacts(lim_powers *p, const lim_equations *e, const lim_world_motion *body, const double *q,
                         const double *v) {
  for (int i = 0; i < e->inputs->contacts.count; i++) {
    const lim_contact_element *c = &e->inputs->contacts.item[i];
    const lim_world_motion first = site_motion(e->s, &c->site[0], body, q, v),
                           second = site_motion(e->s, &c->site[1], body, q, v);
    const lim_contact_moment m = lim_contact_evaluate(c, &e->contact[i], &first, &second, NULL);
    p->power[LIM_DISSIPATED] += m.dissipated;
    p->stored += m.energy;
  }
}

static void add_drive(lim_powers *p, const lim_equations *e, int i, const double *v, const double *r) {
  const lim_arm_body *b = &e->s->bodies[i];
  const lim_drive_answer *a = &e->answer[i];
  p->power[LIM_WORK] += a->work;
  p->power[LIM_DISSIPATED] += a->dissipated;
  p->power[LIM_GEAR_LOSS] += a->gear_loss;
  p->power[LIM_FRICTION_LOSS] += a->friction_loss;
  p->stored += a->energy;
  if (e->prescribed[b->q]) p->power[LIM_WORK] += r[b->q] * v[b->q];
  if (b->m >= 0 && e->prescribed[b->m]) p->power[LIM_WORK] += r[b->m] * v[b->m];
  if (!e->prescribed[b->q]) p->power[LIM_WORK] += (e->tau[b->q] - a->effort) * v[b->q]; // what a program adds
}

// Whether something acts at sites, or by the motion of bodies.
static bool needs_motions(const lim_equations *e) {
  return e->inputs->nload || e->inputs->spring_elements.count || e->inputs->contacts.count || e->rate_forces;
}

lim_powers lim_equations_power(lim_equations *e, lim_world_motion *body, const double *q, const double *v,
                               const double *r) {
  if (needs_motions(e)) lim_kinematics(body, e->s, q, v, NULL);
  return lim_equations_power_at(e, body, q, v, r);
}

lim_powers lim_equations_power_at(lim_equations *e, const lim_world_motion *body, const double *q,
                                  const double *v, const double *r) {
  lim_powers p = {.power = {[LIM_DISSIPATED] = lim_rec_damping_power(e->w)}, .motions = needs_motions(e)};
  if (p.motions) {
    p.power[LIM_DISSIPATED] += drag_power(e->s, body, v) + lim_air_power(e->s, body, q, v);
    p.power[LIM_WORK] += load_power(e, body, q, v);
    add_bonds(&p, e, body, q, v);
    add_contacts(&p, e, body, q, v);
  }
  for (int i = 0; i < e->s->nbody; i++)
    if (e->s->bodies[i].q >= 0) add_drive(&p, e, i, v, r);
  return p;
}

// --- set-up ---

bool lim_equations_bind(lim_rec_work *w, const lim_equations *e) {
  const lim_inputs *in = e->inputs;
  return lim_rec_bind(w, in->spring_elements.spring, e->length, in->spring_elements.count) &&
         lim_rec_touch(w, in->contacts.item, e->contact, in->contacts.count);
}

bool lim_equations_bind_dual(lim_dual_work *w, const lim_equations *e) {
  const lim_inputs *in = e->inputs;
  return lim_dual_bind(w, in->spring_elements.spring, e->length, in->spring_elements.count) &&
         lim_dual_touch(w, in->contacts.item, e->contact, in->contacts.count);
}

static bool allocate(lim_equations *e) {
  size_t n = (size_t)e->s->n, nb = (size_t)e->s->nbody;
  double **vector[] = {&e->hold, &e->joint, &e->extra, &e->extra_before, &e->tau};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&e->arena, n, sizeof(double)))) return false;
  e->w = lim_rec_work_new(e->s);
  e->wrench = lim_arena_array(&e->arena, (size_t)e->inputs->nload, sizeof *e->wrench);
  e->length = lim_arena_array(&e->arena, 2 * (size_t)e->inputs->spring_elements.count, sizeof *e->length);
  e->given = lim_arena_array(&e->arena, n, sizeof *e->given);
  e->prescribed = lim_arena_array(&e->arena, n, sizeof *e->prescribed);
  e->gear = lim_arena_array(&e->arena, nb, sizeof *e->gear);
  e->answer = lim_arena_array(&e->arena, nb, sizeof *e->answer);
  const size_t drives = nb * sizeof *e->state, states = drives + (size_t)e->inputs->nx * sizeof(double);
  e->state = lim_arena_allocate(&e->arena, states);
  e->rate = lim_arena_allocate(&e->arena, states);
  e->end = lim_arena_allocate(&e->arena, states);
  e->slip = lim_arena_array(&e->arena, nb, sizeof *e->slip);
  e->contact = lim_arena_array(&e->arena, (size_t)e->inputs->contacts.count, sizeof *e->contact);
  e->press = lim_arena_array(&e->arena, nb, sizeof *e->press);
  size_t m = (size_t)e->nrow;
  e->lambda = lim_arena_array(&e->arena, m, sizeof *e->lambda);
  e->y = lim_arena_array(&e->arena, m, sizeof *e->y);
  e->opening = lim_arena_array(&e->arena, m, sizeof *e->opening);
  e->G = lim_arena_array(&e->arena, m * n, sizeof *e->G);
  e->Z = lim_arena_array(&e->arena, m * n, sizeof *e->Z);
  e->S = lim_arena_array(&e->arena, m * m, sizeof *e->S);
  e->order = lim_arena_array(&e->arena, m, sizeof *e->order);
  e->row = lim_arena_array(&e->arena, m, sizeof *e->row);
  e->body = lim_arena_array(&e->arena, nb, sizeof *e->body);
  if (!e->lambda || !e->y || !e->opening || !e->G || !e->Z || !e->S || !e->order || !e->row || !e->body)
    return false;
  if (e->w) lim_rec_close(e->w, e->lambda);
  if (e->state) e->control.x = (double *)(e->state + nb);
  if (e->rate) e->control.rate = (double *)(e->rate + nb);
  if (e->end) e->control.end = (double *)(e->end + nb);
  return e->w && e->wrench && e->length && e->given && e->prescribed && e->gear && e->answer && e->state &&
         e->rate && e->end && e->slip && e->press && e->contact && lim_equations_bind(e->w, e);
}

lim_code lim_equations_new(lim_equations **out, const lim_arm *s, const lim_inputs *inputs,
                           const lim_arm *rigid, lim_error *err) {
  *out = NULL;
  lim_equations *e = calloc(1, sizeof *e);
  if (!e) return lim_no_memory(err);
  e->s = s;
  e->inputs = inputs;
  e->nrow = s->nrow + inputs->contacts.rows;
  lim_code code = allocate(e) ? LIM_OK : lim_no_memory(err);
  for (int i = 0; code == LIM_OK && i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    const lim_joint_drive *d = &inputs->drive[i];
    if (b->q >= 0 && d->type == LIM_DRIVE_PRESCRIBED) e->given[b->q] = e->prescribed[b->q] = true;
    if (b->m >= 0 && d->motor_given) e->given[b->m] = e->prescribed[b->m] = true;
    const bool states =
        d->friction[0].bristles || d->friction[1].bristles || (d->electrical && d->inductance > 0);
    if (states) e->ns = 3 * s->nbody;
    e->stores = e->stores || d->type == LIM_DRIVE_SERVO || b->m >= 0 || states || d->stop.stiffness > 0;
  }
  if (inputs->nx) e->ns = 3 * s->nbody + inputs->nx;
  e->stores = e->stores || inputs->spring_elements.count || inputs->contacts.count;
  for (int i = 0; i < s->nbody; i++) e->rate_forces = e->rate_forces || s->bodies[i].strain_damper || s->nair;
  if (code == LIM_OK) lim_equations_lock(e);
  if (code == LIM_OK) code = lim_controls_start(&e->control, &e->arena, s, inputs, rigid, err);
  if (code == LIM_OK)
    *out = e;
  else
    lim_equations_free(e);
  return code;
}

void lim_equations_free(lim_equations *e) {
  if (!e) return;
  lim_rec_work_free(e->w);
  if (e->spare) lim_rec_work_free(e->spare->w);
  lim_controls_end(&e->control);
  lim_arena_free(&e->arena);
  free(e);
}
