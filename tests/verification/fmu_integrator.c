// fmu_integrator.c - claim: an importer that integrates with CVODE and takes its absolute tolerances from the
// nominals of the states gets the motion as accurate as it asks for; closed loops ask for few events; states
// and derivatives that are not finite make it try again.
#include "verification/fmu_fixture.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct {
  const fmu *f;
  void *instance;
  int events, steps;
} importer;

static lim_model *load(const char *name, const char *const *set, int nset, double step) {
  char path[128];
  lim_model *m = NULL;
  lim_error err = {0};
  snprintf(path, sizeof path, "models/%s.yaml", name);
  assert_int_equal(lim_model_load(&m, path, set, nset, &err), LIM_OK);
  print_notes(&err);
  m->solver.step = step;
  return m;
}

static int derivatives(double t, N_Vector x, N_Vector rate, void *user) {
  const importer *p = user;
  const size_t n = (size_t)p->f->states;
  assert_int_equal(BOTH(p->f, SetTime, p->instance, t), 0);
  if (BOTH(p->f, SetContinuousStates, p->instance, N_VGetArrayPointer(x), n)) return 1;
  const int status =
      p->f->version == 2
          ? (int)CALL2(p->f, GetDerivatives)(p->instance, N_VGetArrayPointer(rate), n)
          : (int)CALL3(p->f, GetContinuousStateDerivatives)(p->instance, N_VGetArrayPointer(rate), n);
  return status == fmi2OK ? 0 : status == fmi2Discard ? 1 : -1;
}

// As an importer does it: relative tolerance, absolute ones by the nominals; event mode where it is asked for.
static importer start(const fmu *f, double tolerance, double stop) {
  importer p = {.f = f, .instance = fmu_new(f, "arm", true)};
  if (f->version == 2) {
    assert_int_equal(CALL2(f, SetupExperiment)(p.instance, 1, tolerance, 0, 1, stop), 0);
    assert_int_equal(CALL2(f, EnterInitializationMode)(p.instance), 0);
  } else
    assert_int_equal(CALL3(f, EnterInitializationMode)(p.instance, true, tolerance, 0, true, stop), 0);
  assert_int_equal(BOTH(f, ExitInitializationMode, p.instance), 0);
  fmu_event(f, p.instance, &(bool){false});
  return p;
}

typedef void visit_function(void *user, const importer *p, double t);

static void integrate(importer *p, double tolerance, double every, int records, visit_function *visit,
                      void *user) {
  const fmu *f = p->f;
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector x = N_VNew_Serial(f->states, context), min = N_VNew_Serial(f->states, context);
  SUNMatrix A = SUNDenseMatrix(f->states, f->states, context);
  SUNLinearSolver solver = SUNLinSol_Dense(x, A, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  assert_int_equal(BOTH(f, GetContinuousStates, p->instance, N_VGetArrayPointer(x), (size_t)f->states), 0);
  assert_int_equal(
      BOTH(f, GetNominalsOfContinuousStates, p->instance, N_VGetArrayPointer(min), (size_t)f->states), 0);
  N_VScale(tolerance, min, min);
  assert_true(CVodeInit(cvode, derivatives, 0, x) == 0 && CVodeSVtolerances(cvode, tolerance, min) == 0);
  assert_true(CVodeSetUserData(cvode, p) == 0 && CVodeSetLinearSolver(cvode, solver, A) == 0);
  assert_int_equal(CVodeSetMaxNumSteps(cvode, 1000000), 0);
  double t = 0;
  for (int k = 1; k <= records; k++) {
    assert_int_equal(CVodeSetStopTime(cvode, k * every), 0);
    while (t < k * every) {
      assert_true(CVode(cvode, k * every, x, &t, CV_ONE_STEP) >= 0);
      p->steps++;
      assert_int_equal(derivatives(t, x, min, p), 0);
      if (!fmu_completed(f, p->instance)) continue;
      p->events++;
      assert_int_equal(BOTH(f, EnterEventMode, p->instance), 0);
      fmu_event(f, p->instance, &(bool){false});
      assert_int_equal(BOTH(f, GetContinuousStates, p->instance, N_VGetArrayPointer(x), (size_t)f->states), 0);
      assert_int_equal(CVodeReInit(cvode, t, x), 0);
    }
    visit(user, p, t);
  }
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(x);
  N_VDestroy(min);
  SUNContext_Free(&context);
}

// Against co-simulation with a short step.
typedef struct {
  void *perturbed;
  const char *const *name;
  int count;
  double t, difference[4], largest[4];
} comparison;

static void compare(void *user, const importer *p, double t) {
  comparison *c = user;
  assert_int_equal(fmu_step(p->f, c->perturbed, c->t, t - c->t), 0);
  c->t = t;
  for (int i = 0; i < c->count; i++) {
    const double x = fmu_value(p->f, c->perturbed, c->name[i]);
    c->difference[i] = fmax(c->difference[i], fabs(fmu_value(p->f, p->instance, c->name[i]) - x));
    c->largest[i] = fmax(c->largest[i], fabs(x));
  }
}

static double worst_of(const comparison *c) {
  double worst = 0;
  for (int i = 0; i < c->count; i++) worst = fmax(worst, c->difference[i] / c->largest[i]);
  return worst;
}

// Discard, and the instance goes on from where it was. States beyond any arm have derivatives that are not
// finite.
static void refuses_what_is_not_finite(const fmu *f, void *instance) {
  const size_t n = (size_t)f->states;
  double *x = calloc(3 * n, sizeof *x), *bad = x + n, *rate = bad + n;
  assert_non_null(x);
  assert_int_equal(BOTH(f, GetContinuousStates, instance, x, n), 0);
  static const double values[] = {NAN, INFINITY, -INFINITY, 1e308};
  for (int k = 0; k < 4; k++)
    for (size_t i = 0; i < n; i++) {
      memcpy(bad, x, n * sizeof *x);
      bad[i] = values[k];
      int status = BOTH(f, SetContinuousStates, instance, bad, n);
      assert_int_equal(status, k < 3 ? fmi2Discard : fmi2OK);
      status = f->version == 2 ? (int)CALL2(f, GetDerivatives)(instance, rate, n)
                               : (int)CALL3(f, GetContinuousStateDerivatives)(instance, rate, n);
      assert_true(status == fmi2OK || (k == 3 && status == fmi2Discard));
      for (size_t j = 0; j < n && status == fmi2OK; j++) assert_true(isfinite(rate[j]));
      assert_int_equal(BOTH(f, SetContinuousStates, instance, x, n), 0);
      fmu_derivatives(f, instance, rate);
    }
  free(x);
}

static void nominals_make_tolerances_hold(void **state) {
  (void)state;
  static const char *const set[] = {"links.arm.basis={type: modes, count: 2}"}, *const name[] = {
                                                                                    "tip.position.y",
                                                                                    "tip.velocity.y",
                                                                                    "energy.kinetic"};
  lim_model *m = load("cantilever", set, 1, 1e-4);
  fmu f = fmu_load(m, "cantilever", 2);
  static const double tolerance[] = {1e-4, 1e-6}, max[] = {1e-2, 1e-4};
  for (int k = 0; k < 2; k++) {
    importer p = start(&f, tolerance[k], 1);
    comparison c = {.perturbed = fmu_new(&f, "beside", false), .name = name, .count = 3};
    fmu_initialise(&f, c.perturbed, 1);
    integrate(&p, tolerance[k], 0.01, 100, compare, &c);
    print_message("cantilever, tolerance %.0e: %d steps, differs by %.2g of the largest, at most %.0e\n",
                  tolerance[k], p.steps, worst_of(&c), max[k]);
    assert_true(worst_of(&c) < max[k]);
    if (k) refuses_what_is_not_finite(&f, p.instance);
    fmu_free_instance(&f, p.instance);
    fmu_free_instance(&f, c.perturbed);
  }
  fmu_drop(&f);
  lim_model_free(m);
}

static void closed_loops_ask_for_few_events(void **state) {
  (void)state;
  static const char *const name[] = {"crank.position", "tip.position.x", "tip.position.y"};
  const double tolerance = 1e-8;
  lim_model *m = load("four-bar", NULL, 0, 1e-3);
  fmu f = fmu_load(m, "four-bar", 3);
  importer p = start(&f, tolerance, 2);
  comparison c = {.perturbed = fmu_new(&f, "beside", false), .name = name, .count = 3};
  fmu_initialise(&f, c.perturbed, 2);
  integrate(&p, tolerance, 0.05, 40, compare, &c);
  print_message("four-bar, tolerance %.0e: %d steps, %d events (at most 4), differs by %.2g of the largest, at "
                "most 1e-4\n",
                tolerance, p.steps, p.events, worst_of(&c));
  assert_true(p.events <= 4 && worst_of(&c) < 1e-4);
  refuses_what_is_not_finite(&f, p.instance);
  fmu_free_instance(&f, p.instance);
  fmu_free_instance(&f, c.perturbed);
  fmu_drop(&f);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nominals_make_tolerances_hold),
      cmocka_unit_test(closed_loops_ask_for_few_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
