// loop_closing.c - the configuration that closes the loops of an arm and keeps its couplings. Theory:
// docs/theory/loops.md.
#include "dynamics/loop_closing.h"

#include "arm/coupling.h"
#include "arm/pose.h"
#include "dynamics/recursion.h"
#include "math/damped_least_squares.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-10; // singular values below this share of the largest are none
static const double LEAP = 0.3;       // the most by which a step changes a joint [rad, m]
static const double CLOSED = 1e-11;   // gaps below this are none

// Which joints a closing may adjust: those without a drive and without a motion.
static bool adjustable(const lim_arm *s, int body) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_drive *d = lim_model_drive(s->model, b->link);
  return b->q >= 0 && !lim_model_motion(s->model, b->link) && (!d || d->type == LIM_DRIVE_FREE);
}

static bool carries(const lim_arm *s, int body, int other) {
  while (other >= 0 && other != body) other = s->parent[other];
  return other == body;
}

// Whether a joint can close anything: it carries one end of a loop, or is coupled. One that carries whole loops
// would only turn the gaps that they have, and the whole arm with them.
static bool closes(const lim_arm *s, int body) {
  for (int i = 0; i < s->nloop; i++)
    if (carries(s, body, s->loop[i].site[0].body) != carries(s, body, s->loop[i].site[1].body)) return true;
  for (int i = 0; i < s->ncoupling; i++)
    for (int k = 0; k < s->coupling[i].count; k++)
      if (s->coupling[i].q[k] == s->bodies[body].q) return true;
  return false;
}

typedef struct {
  lim_arena arena;
  lim_arm *s;
  lim_rec_work *w;
  lim_world_motion *body;   // (nbody)
  double *q, *v, *zero, *r; // (n)
  lim_row_state *row;       // (nrow)
  int *index, m;            // joints that may be adjusted
  double *G;                // (nrow x n)
  double *y;                // positions of these joints (m)
  lim_least_squares solver; // (nrow x m)
  lim_coupling_form form;   // of couplings
  int *prefer;              // (n)
} closing;

static bool allocate(closing *c) {
  size_t n = (size_t)c->s->n, rows = (size_t)c->s->nrow;
  c->w = lim_rec_work_new(c->s);
  c->body = lim_arena_array(&c->arena, (size_t)c->s->nbody, sizeof *c->body);
  c->zero = lim_arena_array(&c->arena, 2 * n, sizeof *c->zero);
  c->row = lim_arena_array(&c->arena, rows, sizeof *c->row);
  c->index = lim_arena_array(&c->arena, n, sizeof *c->index);
  c->G = lim_arena_array(&c->arena, rows * n + n, sizeof *c->G);
  c->prefer = lim_arena_array(&c->arena, n, sizeof *c->prefer);
  if (!c->w || !c->body || !c->zero || !c->row || !c->index || !c->G || !c->prefer) return false;
  c->r = c->zero + n;
  c->y = c->G + rows * n;
  return lim_least_squares_allocate(&c->solver, &c->arena, c->s->nrow, c->s->n, SINGULAR);
}

static void evaluate(closing *c) {
  lim_kinematics(c->body, c->s, c->q, c->v, NULL);
  lim_loops_evaluate(c->row, c->s, c->body, c->q, c->v, NULL);
}

static double largest_gap(closing *c) {
  double max = 0;
  evaluate(c);
  for (int i = 0; i < c->s->nrow; i++) max = fmax(max, fabs(c->row[i].value));
  return max;
}

// Columns of the loops' rows by the joints that may be adjusted.
static void columns(closing *c, double *J) {
  int rows = c->s->nrow;
  lim_rec_residual(c->r, c->w, c->q, c->zero, c->zero); // poses
  lim_rec_loop_rows(c->G, c->w, c->q);
  for (int j = 0; j < c->m; j++)
    for (int i = 0; i < rows; i++) J[j * rows + i] = c->G[(size_t)i * (size_t)c->s->n + (size_t)c->index[j]];
}

// v += the least change of the adjustable joints' speeds that brings the loops' rates to 0.
static void close_rates(closing *c) {
  double *b = c->solver.e;
  largest_gap(c);
  c->solver.n = c->m;
  columns(c, c->solver.J);
  for (int i = 0; i < c->s->nrow; i++) b[i] = -c->row[i].rate;
  lim_least_squares_solve(&c->solver, b);
  for (int j = 0; j < c->m; j++) c->v[c->index[j]] += c->solver.step[j];
}

// --- couplings ---

static bool slides(const lim_arm *s, int coordinate) {
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].q == coordinate) return s->bodies[i].screw.slides;
  return false;
}

// Where the last joint of a coupling is, and where the others want it.
static lim_code broken_coupling(const closing *c, const lim_joint_coupling *x, bool rates, lim_error *err) {
  const int last = x->count - 1, k = x->q[last];
  const double gap = rates ? c->row[x->row].rate : c->row[x->row].value, is = rates ? c->v[k] : c->q[k];
  const char *unit = slides(c->s, k) ? rates ? "m/s" : "m" : rates ? "rad/s" : "rad";
  return lim_tree_error(
      err, x->from->head.node,
      "coupling '%s': joint '%s' %s at %.6g %s, but must %s at %.6g %s by the others; no joint is left to "
      "follow: those "
      "that are driven, told a motion, named in the configuration or moved by another coupling stay",
      x->name, x->from->joints.item[last].text, rates ? "moves" : "is", is, unit, rates ? "move" : "be",
      is - gap / x->factor[last], unit);
}

// Couplings are linear: joints that may be adjusted go where they must, at once. prefer (n): which of them, see
// lim_couplings_solve.
static lim_code follow_couplings(closing *c, const int *prefer, bool rates, lim_error *err) {
  const lim_arm *s = c->s;
  if (!lim_couplings_solve(&c->form, &c->arena, s, prefer)) return lim_no_memory(err);
  lim_couplings_follow(rates ? c->v : c->q, &c->form, s, rates);
  evaluate(c);
  for (int i = 0; i < s->ncoupling; i++) {
    const lim_row_state *row = &c->row[s->coupling[i].row];
    if (c->form.pivot[i] < 0 && fabs(rates ? row->rate : row->value) > CLOSED)
      return broken_coupling(c, &s->coupling[i], rates, err);
  }
  return LIM_OK;
}

// Whether the configuration says where a joint is, or how fast it moves.
static bool is_written(const lim_model *m, int link, const char *key) {
  const lim_joint_state *x = lim_pose_state(m, link);
  return x && x->head.node && lim_tree_get(x->head.node, key);
}

// Joints that stand in the configuration stay, unless they may be guesses: in arms with loops.
static void prefer_unwritten(int *prefer, const lim_arm *s, const char *key) {
  for (int k = 0; k < s->n; k++) prefer[k] = -1;
  for (int i = 0; i < s->nbody; i++) {
    if (!adjustable(s, i)) continue;
    const bool written = is_written(s->model, s->bodies[i].link, key);
    prefer[s->bodies[i].q] = !written ? 1 : s->nloop ? 0 : -1;
  }
}

// --- loops ---

static lim_code cannot_close(closing *c, lim_error *err) {
  int worst = 0;
  for (int i = 1; i < c->s->nrow; i++)
    if (fabs(c->row[i].value) > fabs(c->row[worst].value)) worst = i;
  if (c->s->row[worst].kind == LIM_ROW_JOINTS)
    return broken_coupling(c, &c->s->coupling[c->s->row[worst].loop], false, err);
  const lim_closure *loop = &c->s->loop[c->s->row[worst].loop];
  bool length = c->s->row[worst].kind != LIM_ROW_DOT;
  return lim_tree_error(err, loop->from->head.node,
                        "loop '%s' cannot be closed from this configuration: a gap of %.3g %s is left; %s",
                        loop->name, fabs(c->row[worst].value), length ? "m" : "(sine of an angle)",
                        c->m ? "its links do not reach, or the configuration is too far from a closed one"
                             : "every joint is driven, so that none can be adjusted");
}

static void put(closing *c, const double *y) {
  for (int j = 0; j < c->m; j++) c->q[c->index[j]] = y[j];
}

static double miss_at(void *of, double *e, const double *y) {
  closing *c = of;
  double sum = 0;
  put(c, y);
  largest_gap(c);
  for (int i = 0; i < c->s->nrow; i++) {
    e[i] = -c->row[i].value;
    sum += e[i] * e[i];
  }
  return sum;
}

static void columns_at(void *of, double *J, const double *y) {
  closing *c = of;
  put(c, y);
  columns(c, J);
}

static lim_code close_positions(closing *c, lim_error *err) {
  const lim_least_squares_problem problem = {.of = c,
                                             .miss = miss_at,
                                             .columns = columns_at,
                                             .leap = LEAP,
                                             .done = 1e-28,
                                             .rounding = CLOSED * CLOSED,
                                             .rounds = 100};
  double left;
  c->solver.n = c->m;
  for (int j = 0; j < c->m; j++) c->y[j] = c->q[c->index[j]];
  lim_least_squares_reach(&left, &c->solver, c->y, &problem);
  put(c, c->y);
  return largest_gap(c) <= CLOSED ? LIM_OK : cannot_close(c, err);
}

static lim_code close_speeds(closing *c, lim_error *err) {
  double max = 0;
  for (int k = 0; k < 3; k++) close_rates(c);
  largest_gap(c);
  int worst = 0;
  for (int i = 0; i < c->s->nrow; i++)
    if (fabs(c->row[i].rate) > max) max = fabs(c->row[worst = i].rate);
  if (!(max > 1e-9)) return LIM_OK;
  if (c->s->row[worst].kind == LIM_ROW_JOINTS)
    return broken_coupling(c, &c->s->coupling[c->s->row[worst].loop], true, err);
  const lim_closure *loop = &c->s->loop[c->s->row[worst].loop];
  return lim_tree_error(err, loop->from->head.node,
                        "loop '%s' would open at a speed of %.3g: the speeds of the configuration do not agree",
                        loop->name, max);
}

// Motors turn with their joints.
static void follow(closing *c) {
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_arm_body *b = &c->s->bodies[i];
    if (b->m < 0) continue;
    c->q[b->m] = c->q[b->q];
    c->v[b->m] = c->v[b->q];
  }
}

// Whether a joint's column of J is independent of those chosen before; then it is chosen, too.
// Joints that move a loop as a whole have nothing but the rounding of its gap there.
static bool choose(closing *c, int j, int *rank, double largest) {
  const int rows = c->s->nrow;
  double *chosen = c->solver.A; // columns, orthogonal and of length 1
  double *column = chosen + (size_t)*rank * (size_t)rows, size = 0, left = 0;
  memcpy(column, c->solver.J + (size_t)j * (size_t)rows, (size_t)rows * sizeof *column);
  for (int i = 0; i < rows; i++) size += column[i] * column[i];
  for (int round = 0; round < 2; round++) // twice is enough
    for (int k = 0; k < *rank; k++) {
      const double *other = chosen + (size_t)k * (size_t)rows;
      double along = 0;
      for (int i = 0; i < rows; i++) along += column[i] * other[i];
      for (int i = 0; i < rows; i++) column[i] -= along * other[i];
    }
  for (int i = 0; i < rows; i++) left += column[i] * column[i];
  if (!(left > 1e-16 * size && size > 1e-18 * largest)) return false;
  for (int i = 0; i < rows; i++) column[i] /= sqrt(left);
  c->s->passive[c->index[j]] = true;
  ++*rank;
  return true;
}

// The most that a joint does to the rows, squared.
static double largest_column(const closing *c) {
  const int rows = c->s->nrow;
  double largest = 0;
  for (int j = 0; j < c->m; j++) {
    double size = 0;
    for (int i = 0; i < rows; i++) size += pow(c->solver.J[j * rows + i], 2);
    largest = fmax(largest, size);
  }
  return largest;
}

static bool follows_by_coupling(const closing *c, int coordinate) {
  for (int i = 0; i < c->s->ncoupling; i++)
    if (c->form.pivot[i] == coordinate) return true;
  return false;
}

// Joints that follow from the others: of those that may be adjusted, the ones that couplings were solved for,
// then from the last to the first, each whose column of G is independent of those chosen before.
static void find_passive(closing *c) {
  int rank = 0;
  columns(c, c->solver.J);
  const double largest = largest_column(c);
  for (int j = c->m - 1; j >= 0 && rank < c->s->nrow; j--)
    if (follows_by_coupling(c, c->index[j])) choose(c, j, &rank, largest);
  for (int j = c->m - 1; j >= 0 && rank < c->s->nrow; j--)
    if (!c->s->passive[c->index[j]]) choose(c, j, &rank, largest);
}

// The configuration, its couplings kept: speeds, then positions, whose joints find_passive takes.
static lim_code start_couplings(closing *c, lim_error *err) {
  if (!c->s->ncoupling) return LIM_OK;
  prefer_unwritten(c->prefer, c->s, "velocity");
  lim_code code = follow_couplings(c, c->prefer, true, err);
  prefer_unwritten(c->prefer, c->s, "position");
  return code == LIM_OK ? follow_couplings(c, c->prefer, false, err) : code;
}

static lim_code close_all(lim_arm *s, double *start, lim_error *err) {
  closing c = {.s = s, .q = start, .v = start + s->n};
  lim_code code = allocate(&c) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(c.q, c.v, s);
    for (int i = 0; i < s->nbody; i++)
      if (adjustable(s, i) && closes(s, i)) c.index[c.m++] = s->bodies[i].q;
    code = start_couplings(&c, err);
  }
  if (code == LIM_OK) code = close_positions(&c, err);
  if (code == LIM_OK) code = close_speeds(&c, err);
  if (code == LIM_OK) find_passive(&c);
  follow(&c);
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return code;
}

lim_code lim_loops_close(const lim_arm *s, double *q, double *v, lim_error *err) {
  closing c = {.s = (lim_arm *)s, .q = q, .v = v}; // the system itself stays as it is
  lim_code code = allocate(&c) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    for (int k = 0; k < s->n; k++) {
      if (s->passive[k]) c.index[c.m++] = k;
      c.prefer[k] = s->passive[k] ? 0 : -1;
    }
    if (s->ncoupling) code = follow_couplings(&c, c.prefer, false, err);
    if (code == LIM_OK && s->ncoupling) code = follow_couplings(&c, c.prefer, true, err);
  }
  if (code == LIM_OK) code = close_positions(&c, err);
  if (code == LIM_OK) code = close_speeds(&c, err);
  if (code == LIM_OK) follow(&c);
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return code;
}

bool lim_loops_follow(double *v, double *open, const lim_arm *s, const double *q, const int *index, int m) {
  closing c = {.s = (lim_arm *)s, .q = (double *)q, .v = v, .m = m}; // q stays as it is
  bool good = allocate(&c);
  if (good) {
    memcpy(c.index, index, (size_t)m * sizeof *index);
    close_rates(&c);
    evaluate(&c);
    *open = 0;
    for (int i = 0; i < s->nrow; i++) *open = fmax(*open, fabs(c.row[i].rate));
  }
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return good;
}

lim_code lim_loops_start(lim_arm *s, lim_error *err) {
  if (s->nrow == 0) return LIM_OK;
  double *start = lim_arena_array(&s->arena, 2 * (size_t)s->n, sizeof *start);
  lim_code code = start ? close_all(s, start, err) : lim_no_memory(err);
  if (code == LIM_OK) s->start = start;
  return code;
}
