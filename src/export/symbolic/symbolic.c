// symbolic.c - the equations of a model as expressions.
#include "export/symbolic/symbolic.h"

#include "arm/body/kind.h"
#include "export/symbolic/clean.h"
#include "export/symbolic/drive_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lim_symbolic_name(lim_symbolic_function f) {
  static const char *const name[LIM_FUNCTIONS] = {"accelerations", "efforts", "mass",   "frames", "energies",
                                                  "rates",         "rows",    "drives", "gauges"};
  return name[f];
}

static const char *joint_name(const lim_symbolic *x, int body) {
  return x->session->model->links.item[x->s->bodies[body].link].joint.head.name;
}

// --- what is refused ---

static lim_code check_size(const lim_session *s, lim_error *err) {
  if (s->s->n <= LIM_WRITTEN_COORDINATES) return LIM_OK;
  int max = 0;
  for (int i = 1; i < s->s->nbody; i++)
    if (s->s->bodies[i].body->n > s->s->bodies[max].body->n) max = i;
  return LIM_FAIL(
      err, LIM_BAD_INPUT,
      "the model has %d coordinates, generated code unrolls at most %d: give link '%s' (%d coordinates) a "
      "reduced basis, such as --set links.%s.basis='{type: modes, count: 2}'",
      s->s->n, LIM_WRITTEN_COORDINATES, s->model->links.item[s->s->bodies[max].link].head.name,
      s->s->bodies[max].body->n, s->model->links.item[s->s->bodies[max].link].head.name);
}

static lim_code check_bonds(const lim_session *s, lim_error *err) {
  for (int i = 0; i < s->inputs->spring_elements.count; i++) {
    const lim_spring_element *b = &s->inputs->spring_elements.spring[i];
    const char *why = b->bushing                         ? "a bushing"
                      : b->curve                         ? "a spring with a table"
                      : b->length && b->length->end != 0 ? "a spring whose length is driven"
                                                         : NULL;
    if (why) return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' is %s, for which no code is generated", b->name, why);
  }
  if (s->inputs->contacts.count)
    return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' is a contact, for which no code is generated",
                    s->inputs->contacts.item[0].name);
  return LIM_OK;
}

// What moves, holds or computes in ways that generated code does not know.
static lim_code check_scope(const lim_session *s, lim_error *err) {
  for (int i = 0; i < s->s->nbody; i++) {
    const lim_link *link = &s->model->links.item[s->s->bodies[i].link];
    const lim_control_law *law = &s->inputs->drive[i].law;
    const char *why = s->s->bodies[i].nspan ? "runs along a beam that bends" : s->s->bodies[i].kind->no_code;
    if (why)
      return LIM_FAIL(err, LIM_BAD_INPUT, "link '%s' %s, for which no code is generated", link->head.name, why);
    if (law->kind && !lim_control_plain(law))
      return LIM_FAIL(
          err, LIM_BAD_INPUT,
          "the drive of joint '%s' is controlled by %s with more than kp and kv: code is generated for "
          "pd with constant gains",
          link->joint.head.name, law->kind->row.word);
  }
  if (s->inputs->network && s->inputs->network->nbox > 0)
    return LIM_FAIL(err, LIM_BAD_INPUT, "the model has blocks, for which no code is generated");
  for (int i = 0; i < s->s->nloop; i++)
    if (s->s->loop[i].rail)
      return LIM_FAIL(err, LIM_BAD_INPUT, "loop '%s' is on a beam that bends, for which no code is generated",
                      s->s->loop[i].name);
  if (s->gripping)
    return LIM_FAIL(err, LIM_BAD_INPUT, "the model's program grips parts, for which no code is generated");
  return LIM_OK;
}

// Efforts called rigid come from another system, whose constants stay.
static lim_code check_rigid(const lim_session *s, lim_error *err) {
  for (int i = 0; i < s->s->nbody; i++)
    if (s->inputs->drive[i].rigid)
      return LIM_FAIL(err, LIM_BAD_INPUT, "numbers cannot be kept beside efforts called 'rigid'");
  return LIM_OK;
}

static lim_code check(const lim_session *s, lim_error *err) {
  lim_code code = check_scope(s, err);
  if (code == LIM_OK) code = check_size(s, err);
  for (int i = 0; i < s->s->nbody && code == LIM_OK; i++)
    if (s->s->bodies[i].q >= 0) code = lim_graph_drive_check(s, i, err);
  return code == LIM_OK ? check_bonds(s, err) : code;
}

// --- inputs ---

static int add_input(lim_symbolic *x, lim_input like) {
  x->input[x->ninput] = like;
  return x->ninput++;
}

static void name_input(lim_input *in, const char *what, const char *of) {
  snprintf(in->name, sizeof in->name, "%s %s", what, of);
}

static void add_reference(lim_symbolic *x, int body, const lim_trajectory *trajectory) {
  static const char *const what[3] = {"reference of", "rate of the reference of",
                                      "second derivative of the reference of"};
  bool slides = x->s->bodies[body].screw.slides;
  const char *const unit[3] = {slides ? "m" : "rad", slides ? "m/s" : "rad/s", slides ? "m/s^2" : "rad/s^2"};
  for (int k = 0; k < 3; k++) {
    lim_input in = {.trajectory = trajectory, .order = k, .unit = unit[k], .from = -INFINITY, .to = INFINITY};
    name_input(&in, what[k], joint_name(x, body));
    int at = add_input(x, in);
    if (k == 0) x->reference[body] = at;
  }
}

static void add_effort(lim_symbolic *x, int body, const lim_joint_drive *d) {
  bool motor = d->type == LIM_DRIVE_MOTOR;
  lim_input in = {.trajectory = d->effort, .from = -INFINITY, .to = INFINITY};
  in.unit = !motor && x->s->bodies[body].screw.slides ? "N" : "N m";
  name_input(&in, motor ? "torque of the motor of" : "effort on", joint_name(x, body));
  x->effort[body] = add_input(x, in);
}

static void add_inputs(lim_symbolic *x) {
  const lim_inputs *inputs = x->session->inputs;
  const lim_equations *e = x->session->equations;
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    const lim_joint_drive *d = &inputs->drive[i];
    x->reference[i] = x->effort[i] = x->drive[i] = -1;
    if (b->q < 0) continue;
    x->drive[i] = x->ndrive++;
    if (d->motion) add_reference(x, i, d->motion);
    if (e->prescribed[b->q]) x->second[b->q] = x->reference[i] + 2;
    if (b->m >= 0 && e->prescribed[b->m]) x->second[b->m] = x->reference[i] + 2;
    const bool driven = !lim_joint_in_ball(&x->session->model->links.item[b->link].joint);
    if (driven && !e->prescribed[b->q] && !(b->m >= 0 && e->prescribed[b->m])) add_effort(x, i, d);
  }
  for (int i = 0; i < inputs->nload; i++) {
    const lim_load_in_time *l = &inputs->load[i];
    x->factor[i] = -1;
    for (int k = 0; k < i; k++)
      if (inputs->load[k].load == l->load) x->factor[i] = x->factor[k];
    if (x->factor[i] >= 0) continue;
    lim_input in = {.trajectory = l->factor, .constant = 1, .from = l->from, .to = l->to, .unit = "1"};
    snprintf(in.name, sizeof in.name, "factor of load %d", (int)(l->load - x->session->model->loads.item) + 1);
    x->factor[i] = add_input(x, in);
  }
}

// --- expressions ---

// Different numbers of the size that states have, without pattern: where a recursion compares, nothing is
// equal by chance.
static double sample_of(int i) {
  double y = 0.61803398874989485 * (i + 1);
  return 2 * (y - floor(y)) - 1;
}

// Coordinates of a link from finite elements are as under one load: a thousandth in all of them is no shape it
// takes.
static double size_of(const lim_arm *s, int coordinate) {
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    const int own = coordinate - b->e;
    if (!b->kind->gauge || own < 0 || own >= b->body->n) continue;
    const double *K = b->body->K, lowest = K[b->body->width],
                 stiff = K[own * (b->body->width + 1) + b->body->width];
    return stiff > lowest ? 1e-3 * lowest / stiff : 1e-3;
  }
  return 1e-3;
}

static void declare(lim_symbolic *x) {
  const double *q = x->session->motion_state->q;
  for (int i = 0; i < x->n; i++) {
    x->q[i] = lim_graph_input(x->g, LIM_IN_Q, i, q[i] + size_of(x->session->s, i) * sample_of(i));
    x->v[i] = lim_graph_input(x->g, LIM_IN_V, i, 0.1 * sample_of(i + 7));
    x->a[i] = lim_graph_input(x->g, LIM_IN_A, i, sample_of(i + 13));
    x->zero[i] = lim_graph_constant(0);
  }
  for (int i = 0; i < x->ninput; i++) x->u[i] = lim_graph_input(x->g, LIM_IN_U, i, sample_of(i + 17));
  for (int i = 0; i < x->nstate; i++) x->x[i] = lim_graph_input(x->g, LIM_IN_X, i, 1e-3 * sample_of(i + 23));
}

// Loads with their factors, bonds and locks for the expressions.
static bool set_up(lim_symbolic *x) {
  const lim_inputs *inputs = x->session->inputs;
  for (int i = 0; i < inputs->nload; i++) {
    const lim_load_in_time *l = &inputs->load[i];
    x->wrench[i] = (lim_wrench){.site = lim_clean_site(&x->arena, inputs->wrench[i].site),
                                .follows = inputs->wrench[i].follows};
    for (int k = 0; k < 3; k++) {
      x->wrench[i].force[k] = l->weight * l->load->force[k];
      x->wrench[i].moment[k] = l->weight * l->load->moment[k];
    }
    x->load[i] = x->u[x->factor[i]];
  }
  lim_graph_apply(x->w, x->wrench, inputs->nload);
  lim_graph_factors(x->w, x->load);
  for (int i = 0; i < x->n; i++) lim_graph_lock(x->w, i, x->second[i] >= 0);
  double *length = lim_arena_array(&x->arena, 2 * (size_t)inputs->spring_elements.count + 1, sizeof *length);
  if (!length) return false;
  lim_springs_lengths(length, &inputs->spring_elements, 0, false);
  return lim_graph_bind(x->w, inputs->spring_elements.spring, length, inputs->spring_elements.count);
}

static lim_expr *take_out(lim_symbolic *x, lim_symbolic_function f, int count) {
  x->count[f] = count;
  return x->out[f] = lim_arena_array(&x->arena, (size_t)count + 1, sizeof(lim_expr));
}

// Efforts of the arm with rigid links along its references, into `needed` (rigid->n). False: out of memory.
static bool rigid_efforts(lim_expr *needed, lim_symbolic *x) {
  const lim_session *ss = x->session;
  lim_arm *rigid = lim_clean(&x->arena, ss->rigid);
  lim_graph_work *w = rigid ? lim_graph_work_new(rigid) : NULL;
  size_t n = (size_t)ss->rigid->n;
  lim_expr *q = lim_arena_array(&x->arena, 3 * n + 1, sizeof *q), *v = q + n, *a = v + n;
  double *start = lim_arena_array(&x->arena, 2 * n + 1, sizeof *start);
  if (w && q && start) {
    lim_arm_start(start, start + n, ss->rigid);
    for (size_t k = 0; k < n; k++) q[k] = lim_graph_constant(start[k]);
    for (int i = 0; i < x->s->nbody; i++) {
      int k = x->s->bodies[i].q < 0 ? -1 : lim_arm_same_freedom(rigid, x->s, i);
      if (k < 0 || x->reference[i] < 0) continue;
      q[k] = x->u[x->reference[i]];
      v[k] = x->u[x->reference[i] + 1];
      a[k] = x->u[x->reference[i] + 2];
    }
    lim_graph_residual(needed, w, q, v, a);
  }
  bool good = w && q && start;
  lim_graph_work_free(w);
  return good;
}

// Efforts of drives on the coordinates, into r (n), and rates of their states.
static bool drive_efforts(lim_expr *r, lim_symbolic *x, lim_expr *rates, lim_expr *drives) {
  const lim_session *ss = x->session;
  lim_expr *needed = NULL;
  int state = 0;
  for (int i = 0; i < x->n; i++) r[i] = lim_graph_constant(0);
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    const lim_joint_drive *d = &ss->inputs->drive[i];
    if (b->q < 0) continue;
    if (d->rigid && !needed) {
      needed = lim_arena_array(&x->arena, (size_t)ss->rigid->n + 1, sizeof *needed);
      if (!needed || !rigid_efforts(needed, x)) return false;
    }
    int m = b->m >= 0 ? b->m : b->q, k = lim_arm_same_freedom(ss->rigid, x->s, i);
    lim_graph_drive_in in = {.q = x->q[b->q], .v = x->v[b->q], .p = x->q[m], .u = x->v[m], .x = x->x + state};
    for (int c = 0; c < 3 && x->reference[i] >= 0; c++) in.reference[c] = x->u[x->reference[i] + c];
    in.effort = x->effort[i] >= 0 ? x->u[x->effort[i]] : lim_graph_constant(0);
    if (d->rigid) in.rigid = needed[k];
    lim_graph_drive_out out;
    lim_graph_drive(&out, d, &in);
    drives[2 * x->drive[i]] = out.effort;
    drives[2 * x->drive[i] + 1] = out.torque;
    r[b->q] = out.joint;
    if (b->m >= 0) r[b->m] = out.motor;
    for (int c = 0; c < lim_graph_drive_states(d); c++) rates[state++] = out.rate[c];
  }
  return true;
}

// Accelerations that are given; unknown ones 0.
static void given(lim_expr *a, const lim_symbolic *x) {
  for (int i = 0; i < x->n; i++) a[i] = x->second[i] < 0 ? lim_graph_constant(0) : x->u[x->second[i]];
}

static lim_code no_mass(const lim_symbolic *x, int k, lim_error *err) {
  for (int i = 0; i < x->s->nbody; i++)
    if (x->s->bodies[i].q == k || x->s->bodies[i].m == k)
      return LIM_FAIL(err, LIM_FAILED, "'%s' moves without mass: its acceleration cannot be found",
                      joint_name(x, i));
  return LIM_FAIL(err, LIM_FAILED, "a link moves without mass: its acceleration cannot be found");
}

// x := -(M^-1 (residual - efforts)), by the residual and its solution.
static lim_code by_residual(lim_expr *out, lim_symbolic *x, const lim_expr *effort, lim_error *err) {
  lim_expr *a = x->r;
  given(a, x);
  lim_graph_residual(out, x->w, x->q, x->v, a);
  int bad = lim_graph_factor(x->w, x->q, (lim_step_matrix){.M = 1});
  if (bad >= 0) return no_mass(x, bad, err);
  for (int i = 0; i < x->n; i++) out[i] = lim_graph_sub(out[i], effort[i]);
  lim_graph_solve(out, x->w);
  return LIM_OK;
}

static lim_code by_passes(lim_expr *out, lim_symbolic *x, const lim_expr *effort, lim_error *err) {
  lim_expr *a = x->r, *bias = lim_arena_array(&x->arena, 6 * (size_t)x->s->nbody + 1, sizeof *bias),
           *scratch = lim_arena_array(&x->arena, (size_t)x->n + 1, sizeof *scratch);
  if (!bias || !scratch) return lim_no_memory(err);
  given(a, x);
  for (int i = 0; i < x->n; i++) out[i] = effort[i];
  int bad = lim_graph_accelerate(out, x->w, x->q, x->v, a, bias, scratch);
  return bad >= 0 ? no_mass(x, bad, err) : LIM_OK;
}

static void finish(lim_expr *out, const lim_symbolic *x, double sign) {
  for (int i = 0; i < x->n; i++) out[i] = x->second[i] < 0 ? lim_graph_scale(sign, out[i]) : x->u[x->second[i]];
}

// Direction of states in time: q' = v; v' and everything else stay.
static lim_expr along_speed(const void *user, int array, int index) {
  const lim_symbolic *x = user;
  return array == LIM_IN_Q ? x->v[index] : lim_graph_constant(0);
}

static lim_expr dot(const lim_expr *a, const lim_expr *b, int n) {
  lim_expr sum = lim_graph_constant(0);
  for (int i = 0; i < n; i++) sum = lim_graph_add(sum, lim_graph_mul(a[i], b[i]));
  return sum;
}

int lim_symbolic_terms(const lim_symbolic *x) {
  return x->n + 2 * x->nrow * x->n + x->nrow * x->nrow + x->nrow;
}

// What the multipliers of loops follow from, after the solution in out (n).
static lim_code loop_terms(lim_expr *out, lim_symbolic *x, lim_error *err) {
  int n = x->n, m = x->nrow;
  lim_expr *G = out + n, *Z = G + m * n, *S = Z + m * n, *c = S + m * m, *a = x->r;
  lim_expr *rate = lim_arena_array(&x->arena, (size_t)m + 1, sizeof *rate);
  if (!rate) return lim_no_memory(err);
  lim_graph_loop_rows(G, x->w, x->q);
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++) Z[k * n + i] = G[k * n + i];
    lim_graph_solve(Z + k * n, x->w);
    rate[k] = dot(G + k * n, x->v, n);
  }
  for (int i = 0; i < m; i++)
    for (int k = 0; k < m; k++) S[i * m + k] = dot(G + i * n, Z + (k > i ? i : k) * n, n);
  for (int i = 0; i < m; i++) // symmetric: both halves by one expression
    for (int k = 0; k < i; k++) S[k * m + i] = S[i * m + k];
  if (!lim_graph_derivative(c, rate, m, along_speed, x)) return lim_no_memory(err);
  given(a, x);
  for (int k = 0; k < m; k++) c[k] = lim_graph_add(c[k], dot(G + k * n, a, n));
  return LIM_OK;
}

static lim_code write_accelerations(lim_symbolic *x, lim_error *err) {
  lim_expr *rates = take_out(x, LIM_OF_RATES, x->nstate), *drives = take_out(x, LIM_OF_DRIVES, 2 * x->ndrive);
  lim_expr *out = take_out(x, LIM_OF_ACCELERATIONS, x->nrow ? lim_symbolic_terms(x) : x->n);
  lim_expr *effort = lim_arena_array(&x->arena, (size_t)x->n + 1, sizeof *effort);
  if (!rates || !drives || !out || !effort || !drive_efforts(effort, x, rates, drives))
    return lim_no_memory(err);
  bool passes = x->s->nrotor == 0 && x->nrow == 0;
  lim_code code = (passes ? by_passes : by_residual)(out, x, effort, err);
  if (code == LIM_OK && x->nrow) return loop_terms(out, x, err);
  if (code == LIM_OK) finish(out, x, passes ? 1 : -1);
  return code;
}

static lim_expr along_a(const void *user, int array, int index) {
  return array == LIM_IN_A && index == *(const int *)user ? lim_graph_constant(1) : lim_graph_constant(0);
}

// Rest: gravity, stiffness; its part in proportion to a is M a.
static lim_code write_mass(lim_symbolic *x, lim_error *err) {
  int n = x->n;
  lim_expr *M = take_out(x, LIM_OF_MASS, n * n),
           *column = lim_arena_array(&x->arena, (size_t)n + 1, sizeof *column);
  if (!M || !column) return lim_no_memory(err);
  lim_graph_residual(x->r, x->w, x->q, x->zero, x->a);
  for (int j = 0; j < n; j++) {
    if (!lim_graph_derivative(column, x->r, n, along_a, &j)) return lim_no_memory(err);
    for (int i = j; i < n; i++) M[i * n + j] = M[j * n + i] = column[i];
  }
  return LIM_OK;
}

static lim_expr along_v(const void *user, int array, int index) {
  return array == LIM_IN_A ? ((const lim_symbolic *)user)->v[index] : lim_graph_constant(0);
}

static lim_code write_outlook(lim_symbolic *x, lim_error *err) {
  int n = x->n;
  lim_expr *E = take_out(x, LIM_OF_ENERGIES, 3), *F = take_out(x, LIM_OF_FRAMES, 18 * x->s->nsite);
  lim_expr *R = take_out(x, LIM_OF_ROWS, 2 * x->nrow), *T = take_out(x, LIM_OF_EFFORTS, n);
  lim_expr *Mv = lim_arena_array(&x->arena, (size_t)n + 1, sizeof *Mv),
           *G = lim_arena_array(&x->arena, (size_t)x->nrow * (size_t)n + 1, sizeof *G);
  if (!E || !F || !R || !T || !Mv || !G) return lim_no_memory(err);
  lim_graph_residual(x->r, x->w, x->q, x->zero, x->a);
  if (!lim_graph_derivative(Mv, x->r, n, along_v, x)) return lim_no_memory(err);
  lim_graph_residual(T, x->w, x->q, x->v, x->a);
  lim_graph_locate(x->w);
  E[0] = lim_graph_scale(0.5, dot(Mv, x->v, n));
  E[1] = lim_graph_strain_energy(x->w, x->q);
  E[2] = lim_graph_gravity_energy(x->w, x->q);
  for (int i = 0; i < x->s->nsite; i++) lim_graph_site(F + 18 * i, x->w, &x->s->site[i].site, x->q, x->v);
  if (!x->nrow) return LIM_OK;
  lim_graph_loop_values(R, x->w, x->q, x->v);
  lim_graph_loop_rows(G, x->w, x->q);
  for (int k = 0; k < x->nrow; k++) R[x->nrow + k] = dot(G + k * n, x->v, n);
  return LIM_OK;
}

// --- whole ---

static bool allocate(lim_symbolic *x) {
  const lim_session *s = x->session;
  size_t n = (size_t)x->n, nb = (size_t)s->s->nbody, nl = (size_t)s->inputs->nload, capacity = 4 * nb + nl + 1;
  x->input = lim_arena_array(&x->arena, capacity, sizeof *x->input);
  x->state = lim_arena_array(&x->arena, 3 * nb + 1, sizeof *x->state);
  x->reference = lim_arena_array(&x->arena, nb + 1, sizeof *x->reference);
  x->effort = lim_arena_array(&x->arena, nb + 1, sizeof *x->effort);
  x->drive = lim_arena_array(&x->arena, nb + 1, sizeof *x->drive);
  x->factor = lim_arena_array(&x->arena, nl + 1, sizeof *x->factor);
  x->second = lim_arena_array(&x->arena, n + 1, sizeof *x->second);
  x->wrench = lim_arena_array(&x->arena, nl + 1, sizeof *x->wrench);
  lim_expr **vector[] = {&x->q, &x->v, &x->a, &x->zero, &x->r};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&x->arena, n + 1, sizeof(lim_expr)))) return false;
  x->u = lim_arena_array(&x->arena, capacity, sizeof *x->u);
  x->x = lim_arena_array(&x->arena, 3 * nb + 1, sizeof *x->x);
  x->load = lim_arena_array(&x->arena, nl + 1, sizeof *x->load);
  x->s = lim_clean(&x->arena, s->s);
  x->g = lim_graph_new();
  x->w = x->s ? lim_graph_work_new(x->s) : NULL;
  return x->input && x->state && x->reference && x->effort && x->drive && x->factor && x->second && x->wrench &&
         x->u && x->x && x->load && x->s && x->g && x->w;
}

static void add_states(lim_symbolic *x) {
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_joint_drive *d = &x->session->inputs->drive[i];
    if (x->s->bodies[i].q < 0) continue;
    for (int k = 0; k < lim_graph_drive_states(d); k++) {
      lim_drive_state *s = &x->state[x->nstate++];
      snprintf(s->name, sizeof s->name, "%s of %s", lim_graph_drive_state_name(d, k), joint_name(x, i));
      s->start = lim_graph_drive_state_start(d, k, &x->session->equations->state[i]);
      s->nominal = lim_graph_drive_state_nominal(d, k);
    }
  }
}

static lim_code write_all(lim_symbolic *x, bool series, lim_parameters *keep, lim_error *err) {
  lim_code code = LIM_OK;
  if (!allocate(x)) return lim_no_memory(err);
  if (keep) code = lim_parameters_constants(keep, x->s, x->g, LIM_IN_P, &x->arena, err);
  if (code != LIM_OK) return code;
  if (series) lim_graph_use_series(x->g);
  for (int i = 0; i < x->n; i++) x->second[i] = -1;
  add_inputs(x);
  add_states(x);
  declare(x);
  if (!set_up(x)) return lim_no_memory(err);
  code = write_accelerations(x, err);
  if (code == LIM_OK) code = write_mass(x, err);
  if (code == LIM_OK) code = write_outlook(x, err);
  if (code == LIM_OK) code = lim_symbolic_gauges(x, err);
  return code == LIM_OK && lim_graph_failed(x->g) ? lim_no_memory(err) : code;
}

lim_code lim_symbolic_new(lim_symbolic **out, const lim_session *session, lim_parameters *keep,
                          lim_error *err) {
  *out = NULL;
  lim_code code = check(session, err);
  if (code == LIM_OK && keep) code = check_rigid(session, err);
  for (int series = 0; series < 2 && code == LIM_OK; series++) {
    lim_symbolic *x = calloc(1, sizeof *x);
    if (!x) return lim_no_memory(err);
    x->session = session;
    x->n = session->s->n;
    x->nrow = session->s->nrow;
    code = write_all(x, series == 1, keep, err);
    bool divided = false;
    for (int f = 0; f < LIM_FUNCTIONS && code == LIM_OK && !series; f++)
      divided = divided || lim_graph_divides_by_angle(x->out[f], x->count[f]);
    if (code == LIM_OK && !divided) {
      *out = x;
      return LIM_OK;
    }
    lim_symbolic_free(x);
  }
  return code;
}

void lim_symbolic_free(lim_symbolic *x) {
  if (!x) return;
  lim_graph_work_free(x->w);
  lim_graph_free(x->g);
  lim_arena_free(&x->arena);
  free(x);
}
