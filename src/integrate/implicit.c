// implicit.c - the Newmark family: displacement and velocity from the acceleration at the end of the step,
// which Newton's iteration finds. Theory: docs/theory/simulation.md (1)-(6).
#include "integrate/implicit.h"

#include "integrate/linear_energy.h"
#include "integrate/step_control.h"
#include "math/packed.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 25, HALVINGS = 10, CALM = 8, GRACE = 16 };

// Steps until the rate of the iteration is measured anew; steps that a factor serves; steps until energies are
// looked at.
enum { MEASURE = 8, SERVES = 8, GUARD = 8 };

// Of the step's error, what the iteration may leave, and never more than LOOSEST. Corrections above MEASURABLE
// tell a rate.
static const double SHARE = 1e-3, LOOSEST = 1e-9, MEASURABLE = 1e-12;

// Generalized-alpha with a spectral radius of 0 at infinite frequency, and how much energy of the method's own
// making calls for a few steps of it.
static const lim_implicit CALMING = {.am = -1, .beta = 1, .gamma = 1.5};
static const double GAIN = 1e-2;

// An error of a step, against the largest values, above which it does not resolve the motion.
static const double UNRESOLVED = 1e-3;

// Corrections below this are rounding, whatever the tolerance.
static const double ROUNDING = 2e-15;

// Closing a loop of lengths and angles of order 1 leaves rounding that small deflections are measured against.
static const double CLOSING = 1e-7;

// Factors of stiffness and damping in the matrix of a step.   (4)
static double stiffness_factor(const lim_implicit *p, double h) {
  return p->beta * h * h * (1 - p->af) / (1 - p->am);
}

static double damping_factor(const lim_implicit *p, double h) {
  return p->gamma * h * (1 - p->af) / (1 - p->am);
}

// (1) (1 - am) A' + am A = (1 - af) a' + af a; (2) q' = q + h v + h^2 ((1/2 - beta) A + beta A'); (3) v'
// likewise. What does not depend on a' is the same for all iterates: the start of the step, into `base`.
static void begin_step(lim_state *f, double h, const lim_implicit *p) {
  const double c = 1 / (1 - p->am), start = p->af * c, last = p->am * c, beta = p->beta, gamma = p->gamma;
  const double qA = h * h * (0.5 - beta - beta * last), qb = h * h * beta * start,
               vA = h * (1 - gamma - gamma * last), vb = h * gamma * start;
  const double *q = f->q, *v = f->v, *b = f->b, *A = f->A;
  double *restrict base = f->base, *restrict rate = base + f->n;
  for (int i = 0; i < f->n; i++) {
    base[i] = q[i] + h * v[i] + qA * A[i] + qb * b[i];
    rate[i] = v[i] + vA * A[i] + vb * b[i];
  }
}

static void update(lim_state *f, double h, const lim_implicit *p) {
  const double cK = stiffness_factor(p, h), cD = damping_factor(p, h);
  const double *base = f->base, *rate = base + f->n, *a = f->an;
  lim_packed_axpy(f->qn, base, cK, a, f->n);
  lim_packed_axpy(f->vn, rate, cD, a, f->n);
}

// Weights of the coordinates at the present iterate: one over the largest value of their group, so far or
// there. An iterate that runs away must not leave its size behind, or nothing would count beside it ever after.
// Returns the largest of the corrections r by these weights.
static double weigh(lim_state *f, double cK) {
  double *scale = f->trial, worst = 0;
  memcpy(scale, f->scale, (size_t)f->ngroup * sizeof *scale);
  for (int k = 0; k < f->nrun; k++) {
    lim_state_run *x = &f->run[k];
    x->most = lim_packed_max(f->r + x->first, x->count);
    const double size = lim_larger(lim_packed_max(f->qn + x->first, x->count), cK * x->most);
    if (size > scale[x->group] && isfinite(size)) scale[x->group] = size;
  }
  for (int g = 0; g < f->ngroup; g++) scale[g] = scale[g] > 0 ? cK / scale[g] : 0;
  for (int k = 0; k < f->nrun; k++) {
    const lim_state_run *x = &f->run[k];
    const double weight = scale[x->group];
    for (int i = x->first; i < x->first + x->count; i++) f->weight[i] = weight;
    worst = lim_larger(weight * x->most, worst);
  }
  return worst;
}

// Largest correction of a coordinate, against the largest value in its group so far.
static double correct(lim_state *f, double cK) {
  lim_packed_negate(f->r, f->n); // 0 where the motion is given
  if (!isfinite(lim_packed_sum(f->r, f->n))) return INFINITY;
  const double worst = weigh(f, cK); // multipliers go along with the accelerations, with no weight of their own
  lim_anderson_next(f->an, &f->anderson, f->r, f->weight);
  return worst;
}

// First guess: accelerations go on as they did; at first, where that moves the arm more than its speed does, as
// after a blow, those that make the displacement go on.
static void predict(lim_state *f, double h, const lim_implicit *p) {
  lim_predictor *past = &f->newton.predictor;
  lim_predictor_rewind(past, f->t);
  if (past->count > 1) {
    lim_predictor_guess(f->an, past, f->t + h);
    return;
  }
  double blow = 0, pace = 0;
  for (int i = 0; i < f->n; i++) {
    double scale = f->scale[f->group[i]] > 0 ? f->scale[f->group[i]] : 1;
    blow = fmax(blow, h * h * p->beta * fabs(f->b[i]) / scale);
    pace = fmax(pace, (fabs(h * f->v[i]) + 1e-2 * fabs(f->q[i])) / scale);
  }
  for (int i = 0; i < f->n; i++) {
    double A = -(0.5 - p->beta) / p->beta * f->A[i];
    f->an[i] = blow <= pace ? f->b[i] : ((1 - p->am) * A + p->am * f->A[i] - p->af * f->b[i]) / (1 - p->af);
  }
  memcpy(f->an + f->n, f->b + f->n, (size_t)f->e->nrow * sizeof *f->an);
}

// Work of the forces that are still missing, An, on the correction.   (4a)
static double energy(const lim_state *f) {
  double sum = 0;
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) sum += fabs(f->An[i] * f->r[i]);
  return sum;
}

// Error of a step of the method itself in the displacements, relative as corrections are; r is scratch.   (4c)
static double step_error(const lim_state *f, double h, const lim_implicit *p) {
  const double shift = p->am - p->af, place = fabs(p->beta + shift / 2 - 1.0 / 6),
               speed = fabs(p->gamma + shift - 0.5), cK = stiffness_factor(p, h);
  double *change = f->r, max = 0; // A' - A, but for its factor
  lim_packed_sum3(change, 1 - p->af, f->an, p->af, f->b, -1, f->A, f->n);
  for (int k = 0; k < f->nrun; k++) {
    const lim_state_run *x = &f->run[k];
    max = lim_larger(f->weight[x->first] * lim_packed_max(change + x->first, x->count), max);
  }
  return (place + speed) * h * h / cK * max / (1 - p->am);
}

// What the last correction leaves, where the rate of the iteration is known: one that has not been measured for
// some steps may have doubled.   (4d)
static double remainder_of(const lim_newton *x, double reached, bool measured) {
  double rate = measured ? x->rate : 2 * x->rate;
  if (!(rate < 0.5) || (!measured && x->steps >= MEASURE)) return INFINITY;
  return rate / (1 - rate) * reached;
}

static void measure(lim_newton *x, double rate) {
  x->rate = isnan(x->rate) ? rate : fmax(rate, x->rate / 2);
  x->rate = fmax(x->rate, 1e-4);
  x->steps = 0;
}

// Whether what is left may stay.
static bool is_met(const lim_state *f, double h, const lim_implicit *p, double reached, bool measured) {
  if (!f->by_estimate || f->watched) return reached <= f->tolerance;
  double left = fmin(reached, remainder_of(&f->newton, reached, measured));
  if (left <= f->tolerance) return true;
  return left <= LOOSEST && left <= SHARE * step_error(f, h, p);
}

// Whether the factor at hand is still good for this step.
static bool factor_serves(const lim_state *f, double cD, double cK) {
  const lim_newton *x = &f->newton;
  return f->by_estimate && !f->watched && f->e->nrow == 0 && x->factor == f->e->factors && x->served < SERVES &&
         x->D == cD && x->K == cK && x->rate < 0.1;
}

static bool factor(lim_state *f, double cD, double cK) {
  if (lim_state_factor(f, f->qn, (lim_step_matrix){1, cD, cK}, NULL) != LIM_OK) return false;
  f->newton.factor = f->e->factors;
  f->newton.served = 0;
  f->newton.D = cD;
  f->newton.K = cK;
  return true;
}

// The acceleration at the end of the step. `reached` is the size of the last correction.
static bool iterate(lim_state *f, double h, const lim_implicit *p, double *reached) {
  const double cK = stiffness_factor(p, h), cD = damping_factor(p, h), t = f->t + h;
  double before = INFINITY, first = 0;
  bool old = factor_serves(f, cD, cK), given = lim_equations_gives(f->e);
  begin_step(f, h, p);
  predict(f, h, p);
  f->anderson.count = 0;
  f->e->span = h;
  f->newton.steps++;
  f->newton.served++;
  for (int k = 0; k < ITERATIONS; k++) {
    if (given) lim_state_prescribe(f, t, LIM_BEFORE, NULL, NULL, f->an);
    update(f, h, p);
    if (given) lim_state_prescribe(f, t, LIM_BEFORE, f->qn, f->vn, f->an);
    memcpy(f->e->lambda, f->an + f->n, (size_t)f->e->nrow * sizeof *f->an);
    lim_state_residual(f->r, f, t, LIM_BEFORE, f->qn, f->vn, f->an);
    bool renew = k == 0 ? !old : k == 2 && old;
    if (renew && !factor(f, cD, cK)) return false;
    if (f->by_energy) memcpy(f->An, f->r, (size_t)f->n * sizeof *f->An);
    lim_equations_solve(f->r, f->e, lim_state_gaps(f, f->qn, 1 / cK), -1);
    for (int i = 0; i < f->e->nrow; i++) f->r[f->n + i] = f->e->lambda[i] - f->an[f->n + i];
    double work = f->by_energy ? energy(f) : 0;
    if (k == 0) first = work;
    *reached = correct(f, cK);
    f->iterations++;
    if (k == 1 && before > MEASURABLE) measure(&f->newton, *reached / before);
    bool met = f->by_energy ? work <= f->tolerance * first : is_met(f, h, p, *reached, k > 0);
    if (isfinite(*reached) && (met || *reached <= ROUNDING)) return true;
    bool stalls = f->e->nrow && k > 2 && *reached > 0.3 * before && *reached < CLOSING;
    if (stalls) return true;
    if (!isfinite(*reached) || (k > 8 && *reached > 0.9 * before && *reached > 1e-6)) return false;
    before = *reached;
  }
  return false;
}

// The end of the step, put on the loops with its speeds and accelerations; forces that go with it into An. Left
// to the step alone, accelerations of a method that does not damp swing about the loops, ever more.
static void close_end(lim_state *f, double t) {
  enum { ROUNDS = 2 }; // the factor is of the first iterate
  lim_equations_project(f->e, f->qn, f->vn);
  memset(f->r, 0, (size_t)f->n * sizeof *f->r); // forces are in balance but for what this changes
  for (int k = 0; k < ROUNDS; k++) {
    lim_equations_solve(f->r, f->e, lim_equations_openings(f->e, f->qn, f->vn, f->an), -1);
    for (int i = 0; i < f->n; i++)
      if (!f->e->given[i]) f->an[i] -= f->r[i];
    lim_state_residual(f->r, f, t, LIM_BEFORE, f->qn, f->vn, f->an);
  }
  memcpy(f->An, f->r, (size_t)f->n * sizeof *f->An);
}

// Whether somebody needs all forces at the very end of the step: efforts of given motions, what friction holds,
// deviations of mode linear. The last residual is that of the iterate before the last correction.
static bool needs_forces(const lim_state *f) { return f->about || lim_equations_gives(f->e); }

// Whether powers and states of drives there need them evaluated anew: after a first correction the iterate
// before it is too far from the end, after more only states count.
static bool needs_drives(const lim_state *f, int iterations) { return iterations == 1 || f->ns; }

// The end of the step, and the power there.
static void finish(lim_state *f, double h, const lim_implicit *p, int iterations, lim_powers *power) {
  const double t = f->t + h;
  update(f, h, p);
  lim_state_prescribe(f, t, LIM_BEFORE, f->qn, f->vn, f->an);
  memcpy(f->e->lambda, f->an + f->n, (size_t)f->e->nrow * sizeof *f->an);
  const bool closes = f->e->nrow && !f->about, needed = needs_forces(f);
  if (closes)
    close_end(f, t);
  else if (needed)
    lim_state_residual(f->An, f, t, LIM_BEFORE, f->qn, f->vn, f->an);
  else if (needs_drives(f, iterations))
    lim_equations_act(f->e, t, LIM_BEFORE, f->qn, f->vn);
  f->newton.exact = closes || needed;
  *power = lim_equations_power(f->e, f->body, f->qn, f->vn, f->An);
}

// All energy there and what was lost, less the work: constant but for the error of the method.   (7)
static double balance_at(lim_state *f, const double *q, const double *v, const double *energy_integrals,
                         const lim_powers *power) {
  const double stored = power->stored;
  lim_energies e;
  if (!lim_rec_energies(&e, f->e->w, q, v)) {
    if (!power->motions) lim_kinematics(f->body, f->e->s, q, v, NULL);
    e = lim_energies_of(f->e->s, f->body, q, v);
  }
  f->peak = fmax(f->peak, e.kinetic + e.strain + stored);
  return e.kinetic + e.strain + stored + e.gravity + energy_integrals[LIM_DISSIPATED] -
         energy_integrals[LIM_WORK];
}

static void start_calming(lim_state *f) {
  f->calm = CALM;
  if (f->calms++ == 0) f->calmed = f->t;
}

// Energies cost as much as a residual. Where steps resolve the motion the method gains none: they are looked at
// now and then; at every step where they do not, and while vibrations are damped.
static bool is_due(lim_state *f, bool final) {
  if (!f->guarded) return false;
  f->unseen++;
  return final || f->calm > 0 || f->grace > 0 || f->unseen >= GUARD || f->error > UNRESOLVED;
}

// Whether the method itself has put energy in. No method of this family is stable for every nonlinear motion:
// what a step cannot resolve, axial vibrations of bent links above all, may grow without end. final: go on all
// the same.
static bool gains(lim_state *f, double h, const lim_powers *power, bool final) {
  double energy_integrals[LIM_POWERS], peak = f->peak;
  if (!is_due(f, final)) return false;
  const int unseen = f->unseen;
  f->unseen = 0;
  for (int i = 0; i < LIM_POWERS; i++)
    energy_integrals[i] = f->energy_integrals[i] + h * (f->k[0][i] + power->power[i]) / 2;
  double now = balance_at(f, f->qn, f->vn, energy_integrals, power);
  if (f->grace > 0) f->min = now;
  bool more = now - f->min > GAIN * f->peak;
  if (more && !final && unseen == 1) {
    f->peak = peak;
    return true;
  }
  if (more && unseen > 1) start_calming(f);
  f->min = more ? now : fmin(f->min, now);
  return false;
}

// State, accelerations and largest values of the end of the step.
static void take_over(lim_state *f, const lim_implicit *p) {
  const size_t size = (size_t)f->n * sizeof(double);
  const double c = 1 / (1 - p->am), end = (1 - p->af) * c, start = p->af * c, last = p->am * c;
  lim_packed_sum3(f->A, end, f->an, start, f->b, -last, f->A, f->n); // (2)
  memcpy(f->q, f->qn, size);
  memcpy(f->v, f->vn, size);
  memcpy(f->a, f->an, size);
  memcpy(f->b, f->an, size);
  for (int k = 0; k < f->nrun; k++) {
    double *scale = &f->scale[f->run[k].group];
    *scale = lim_larger(*scale, lim_packed_max(f->q + f->run[k].first, f->run[k].count));
  }
}

// Take over the end of the step; work and dissipation by the trapezoidal rule.
static void accept(lim_state *f, double h, const lim_implicit *p, const lim_powers *power) {
  memcpy(f->b + f->n, f->e->lambda, (size_t)f->e->nrow * sizeof *f->b);
  for (int i = 0; i < LIM_POWERS && !f->energy_balance; i++) {
    f->energy_integrals[i] += h * (f->k[0][i] + power->power[i]) / 2;
    f->k[0][i] = power->power[i];
  }
  take_over(f, p);
  f->t += h;
  f->steps++;
  lim_predictor_take(&f->newton.predictor, f->t, f->b, f->weight);
  if (f->energy_balance) lim_linear_energy(f, h);
  f->e->span = 0;
  if (f->calm > 0) f->calm--;
  if (f->grace > 0) f->grace--;
  lim_equations_keep(f->e);
  lim_state_rates(f, LIM_BEFORE);
}

void lim_implicit_show(lim_state *f) {
  if (f->newton.exact) return;
  lim_state_residual(f->r, f, f->t, LIM_BEFORE, f->q, f->v, f->a);
  f->newton.exact = true;
}

// Past accelerations and the factor are those of other coordinates.
lim_code lim_implicit_recentred(lim_state *f, lim_error *err) {
  (void)err;
  f->newton.factor = -1;
  f->newton.exact = false;
  lim_predictor_forget(&f->newton.predictor);
  lim_predictor_take(&f->newton.predictor, f->control ? lim_step_control_end(f) : f->t, f->b, f->weight);
  return LIM_OK;
}

void lim_implicit_pause(lim_state *f) {
  lim_state_residual(f->k[1], f, f->t, LIM_BEFORE, f->q, f->v, f->a);
  for (int i = 0; i < f->n; i++) // what was held was in balance
    if (f->e->given[i]) f->k[1][i] = 0;
}

// What a change r of forces does to the accelerations: all of it, M a = -r, and what a step can resolve of it,
// (M + h D/2 + h^2 K/4) b = -r. A method that started from the first would carry the swinging of modes far
// above its step into the motion.
static lim_code respond(lim_state *f, lim_error *err) {
  double h = f->step;
  memcpy(f->an, f->r, (size_t)f->n * sizeof *f->an);
  lim_code code = lim_state_factor(f, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_equations_solve(f->r, f->e, lim_state_openings(f, f->q, f->v, f->a), -1);
  bool stiff = lim_state_factor(f, f->q, (lim_step_matrix){1, h / 2, h * h / 4}, NULL) == LIM_OK;
  if (stiff) lim_equations_solve(f->an, f->e, lim_state_openings(f, f->q, f->v, f->A), 0);
  for (int i = 0; i < f->n; i++) {
    if (f->e->given[i]) continue;
    f->a[i] -= f->r[i];
    if (!stiff) continue;
    f->b[i] -= f->an[i];
    f->A[i] -= f->an[i];
  }
  if (!stiff) f->calm = CALM; // pressed links
  return LIM_OK;
}

lim_code lim_implicit_restart(lim_state *f, lim_error *err) {
  if (f->about) lim_state_about(f);
  if (!f->started) {
    memset(f->k[1], 0, (size_t)f->n * sizeof(double)); // from rest: all forces are new
    f->grace = GRACE;
  }
  f->started = true;
  lim_state_prescribe(f, f->t, LIM_AFTER, NULL, NULL, f->a);
  lim_state_residual(f->r, f, f->t, LIM_AFTER, f->q, f->v, f->a);
  for (int i = 0; i < f->n; i++) f->r[i] -= f->k[1][i];
  lim_code code = respond(f, err);
  if (code != LIM_OK) return code;
  lim_state_residual(f->r, f, f->t, LIM_AFTER, f->q, f->v, f->a); // efforts that go with these accelerations
  memcpy(f->b + f->n, f->e->lambda, (size_t)f->e->nrow * sizeof *f->b);
  lim_powers power = lim_equations_power(f->e, f->body, f->q, f->v, f->r);
  memcpy(f->k[0], power.power, sizeof power.power);
  if (f->energy_balance) lim_linear_energy(f, 0);
  if (f->guarded) f->min = balance_at(f, f->q, f->v, f->energy_integrals, &power);
  lim_state_rates(f, LIM_AFTER);
  f->newton.rate = NAN;
  f->newton.exact = true;
  f->span = 0;
  if (f->control) lim_step_control_restart(f);
  lim_predictor_forget(&f->newton.predictor);
  lim_predictor_take(&f->newton.predictor, f->t, f->b, f->weight);
  return LIM_OK;
}

static lim_code give_up(lim_state *f, double reached, double h, lim_error *err) {
  const bool grows = !isfinite(reached);
  f->advice = f->control ? "try another tolerance, or a fixed step"
              : grows    ? "try a smaller step"
                         : "try a smaller step or a larger tolerance";
  if (grows)
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s the motion grows without bound (tolerance %.2g, step %.2g s)",
                    f->t, f->tolerance, h);
  return LIM_FAIL(
      err, LIM_FAILED,
      "at t = %g s the iteration stays at a correction of %.2g, above the tolerance %.2g, even with a "
      "step of %.2g s",
      f->t, reached, f->tolerance, h);
}

// The step as it should be taken next, once the method has gained energy: damped, then shorter too.
static void calm_down(lim_state *f, double *h) {
  if (f->calm > 0) *h /= 2;
  start_calming(f);
}

// The acceleration of the algorithm belongs to a time beside the end of the step, in proportion to its length:
// where the next is of another length, it goes along with the change of accelerations.   (2a)
static void adjust(lim_state *f, double h, const lim_implicit *p) {
  const lim_predictor *past = &f->newton.predictor;
  const double shift = (p->am - p->af) * (h - f->span);
  if (past->count < 2 || f->span == 0 || shift == 0) return;
  const double part = shift / (past->t[0] - past->t[1]);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->A[i] += part * (past->past[0][i] - past->past[1][i]);
  f->span = h;
}

// The main steps are:
//   iterate: predict the accelerations at the end, correct them by residual and factor until the correction is
//   small; finish: the end of the step, put on its loops, and the power there; where the method itself has
//   gained energy, the step again, damped and then shorter; where its error is too large, shorter; accept: take
//   the end over, with work and dissipation.
// A step that does not converge is halved.
lim_code lim_implicit_step(lim_state *f, double *h, double shortest, double limit, lim_implicit p,
                           lim_error *err) {
  for (;;) {
    double reached = INFINITY;
    const long before = f->iterations;
    const lim_implicit now = f->calm > 0 ? CALMING : p;
    lim_powers power;
    if (isfinite(limit)) adjust(f, *h, &now);
    if (!iterate(f, *h, &now, &reached)) {
      f->e->span = 0;
      if (lim_state_stopped(f)) return LIM_FAILED;
      *h /= 2;
      if (*h < shortest || f->about) return give_up(f, reached, *h * 2, err);
      continue;
    }
    f->error = step_error(f, *h, &now);
    if (f->error > limit && f->calm == 0 && *h / 2 > shortest) {
      *h *= fmin(0.7, fmax(0.1, 0.8 * cbrt(limit / f->error)));
      continue;
    }
    finish(f, *h, &now, (int)(f->iterations - before), &power);
    if (gains(f, *h, &power, f->calm > 0 && *h / 2 < shortest)) {
      calm_down(f, h);
      continue;
    }
    if (f->error > limit && f->missed++ == 0) f->missed_at = f->t;
    accept(f, *h, &now, &power);
    f->span = *h;
    return LIM_OK;
  }
}

lim_code lim_implicit_advance(lim_state *f, double to, lim_implicit p, lim_error *err) {
  if (f->control) return lim_step_control_advance(f, to, p, err);
  const double full = to - f->t, shortest = full / (1 << HALVINGS);
  double h = full;
  lim_code code = LIM_OK;
  while (code == LIM_OK && f->t < to - 1e-9 * full) {
    h = fmin(h, to - f->t);
    code = lim_implicit_step(f, &h, shortest, INFINITY, p, err);
    if (code == LIM_OK && f->t > to - 1e-9 * full) f->t = to;
  }
  return code;
}
