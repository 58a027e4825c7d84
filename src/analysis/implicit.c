// implicit.c - the Newmark family: displacement and velocity from the acceleration at the end of the step,
// which Newton's iteration finds. Theory: docs/theory/simulation.md (1)-(6).
#include "analysis/implicit.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 25, HALVINGS = 10 };

// Corrections below this are rounding, whatever the tolerance.
static const double ROUNDING = 2e-15;

// (1) (1 - am) A' + am A = (1 - af) a' + af a; (2) q' = q + h v + h^2 ((1/2 - beta) A + beta A'); (3) v'
// likewise
static void update(lim_flow *f, double h, const lim_implicit *p) {
  for (int i = 0; i < f->n; i++) {
    double A = ((1 - p->af) * f->an[i] + p->af * f->a[i] - p->am * f->A[i]) / (1 - p->am);
    f->qn[i] = f->q[i] + h * f->v[i] + h * h * ((0.5 - p->beta) * f->A[i] + p->beta * A);
    f->vn[i] = f->v[i] + h * ((1 - p->gamma) * f->A[i] + p->gamma * A);
  }
}

// Largest correction of a coordinate, against the largest value in its group so far.
static double correct(lim_flow *f, double cK) {
  double worst = 0;
  for (int i = 0; i < f->n; i++) {
    if (f->e->given[i]) continue;
    f->an[i] -= f->r[i];
    double *scale = &f->scale[f->group[i]];
    double size = fmax(fabs(f->qn[i]), cK * fabs(f->an[i]));
    if (size > *scale) *scale = size;
    if (*scale > 0) worst = fmax(worst, cK * fabs(f->r[i]) / *scale);
    if (!isfinite(f->an[i])) worst = INFINITY;
  }
  return worst;
}

// The acceleration at the end of the step. `reached` is the size of the last correction.
static bool iterate(lim_flow *f, double h, const lim_implicit *p, double *reached, lim_code *code,
                    lim_error *err) {
  double share = (1 - p->af) / (1 - p->am), cK = p->beta * h * h * share, cD = p->gamma * h * share,
         t = f->t + h;
  double before = INFINITY;
  memcpy(f->an, f->a, (size_t)f->n * sizeof *f->an);
  lim_flow_prescribe(f, t, LIM_BEFORE, NULL, NULL, f->an);
  for (int k = 0; k < ITERATIONS; k++) {
    update(f, h, p);
    lim_flow_prescribe(f, t, LIM_BEFORE, f->qn, f->vn, f->an);
    lim_flow_residual(f->r, f, t, LIM_BEFORE, f->qn, f->vn, f->an);
    if (k == 0 || *reached > 0.3 * before) *code = lim_flow_factor(f, f->qn, (lim_step_matrix){1, cD, cK}, err);
    if (*code != LIM_OK) return false;
    if (k) before = *reached;
    lim_rec_solve(f->r, f->e->w);
    *reached = correct(f, cK);
    f->iterations++;
    if (*reached <= f->tolerance || *reached <= ROUNDING) return true;
    if (!isfinite(*reached) || (k > 5 && *reached > 0.9 * before && *reached > 1e-6)) return false;
  }
  return false;
}

// Take over the end of the step; work and dissipation by the trapezoidal rule.
static void accept(lim_flow *f, double h, const lim_implicit *p) {
  double P0, D0, P1, D1;
  update(f, h, p);
  lim_flow_prescribe(f, f->t + h, LIM_BEFORE, f->qn, f->vn, f->an);
  P0 = f->k[0][0];
  D0 = f->k[0][1];
  lim_flow_power(&P1, &D1, f, f->t + h, LIM_BEFORE, f->qn, f->vn);
  f->work += h * (P0 + P1) / 2;
  f->dissipated += h * (D0 + D1) / 2;
  f->k[0][0] = P1;
  f->k[0][1] = D1;
  for (int i = 0; i < f->n; i++) {
    f->A[i] = ((1 - p->af) * f->an[i] + p->af * f->a[i] - p->am * f->A[i]) / (1 - p->am);
    f->q[i] = f->qn[i];
    f->v[i] = f->vn[i];
    f->a[i] = f->an[i];
  }
  f->t += h;
  f->steps++;
}

lim_code lim_implicit_restart(lim_flow *f, lim_error *err) {
  lim_code code = lim_flow_accelerate(f, LIM_AFTER, err);
  memcpy(f->A, f->a, (size_t)f->n * sizeof *f->A);
  if (code == LIM_OK) lim_flow_power(&f->k[0][0], &f->k[0][1], f, f->t, LIM_AFTER, f->q, f->v);
  return code;
}

lim_code lim_implicit_advance(lim_flow *f, double to, lim_implicit p, lim_error *err) {
  double full = to - f->t, h = full;
  while (f->t < to - 1e-9 * full) {
    double reached = 0, before = f->t;
    lim_code code = LIM_OK;
    h = fmin(h, to - f->t);
    bool last = f->t + h > to - 1e-9 * full;
    if (iterate(f, h, &p, &reached, &code, err)) {
      accept(f, h, &p);
      if (last) f->t = to;
      continue;
    }
    if (code != LIM_OK) return code;
    f->t = before;
    h /= 2;
    if (h < full / (1 << HALVINGS) || f->about)
      return LIM_FAIL(
          err, LIM_FAILED,
          isfinite(reached)
              ? "at t = %g s the iteration stays at a correction of %.2g, above the tolerance %.2g, "
                "even with a step of %.2g s; try a smaller step or a larger tolerance"
              : "at t = %g s the motion grows without bound (%g, tolerance %.2g, step %.2g s); try a smaller "
                "step",
          f->t, reached, f->tolerance, h * 2);
  }
  return LIM_OK;
}
