// calls3.c - calls of FMI 3.0, right and wrong. See calls.h.
#include "fmi3.h"

#include "calls.h"

static void say(fmi3InstanceEnvironment e, fmi3Status status, fmi3String category, fmi3String message) {
  TRUE(e == &logged && status == fmi3Error && !strcmp(category, "logStatusError") && message && *message);
  logged++;
}

static fmi3Instance stepping(const char *name, const char *token) {
  return fmi3InstantiateCoSimulation(name, token, NULL, false, true, false, false, NULL, 0, &logged, say, NULL);
}

static fmi3Instance exchanging(const char *name, const char *token) {
  return fmi3InstantiateModelExchange(name, token, NULL, false, true, &logged, say);
}

typedef fmi3Instance maker(const char *name, const char *token);

static fmi3Instance running(const subject *s, maker *make) {
  fmi3Instance c = make("arm", s->token);
  if (!c) {
    printf("no instance\n");
    exit(1);
  }
  EXPECT(fmi3EnterInitializationMode(c, false, 0, 0, true, 1), fmi3OK);
  EXPECT(fmi3ExitInitializationMode(c), fmi3OK);
  return c;
}

static fmi3Status do_step(fmi3Instance c, double t, double h) {
  fmi3Boolean event, end, early;
  fmi3Float64 reached;
  return fmi3DoStep(c, t, h, true, &event, &end, &early, &reached);
}

static fmi3Status update(fmi3Instance c) {
  fmi3Boolean again, end, nominals, values, has_next;
  fmi3Float64 next;
  return fmi3UpdateDiscreteStates(c, &again, &end, &nominals, &values, &has_next, &next);
}

static fmi3Status set(fmi3Instance c, fmi3ValueReference r, double x) {
  return fmi3SetFloat64(c, &r, 1, &x, 1);
}

// After an error nothing goes on but reading, a saved state, reset and free.
#define WRONG(make, call)                                                                                      \
  do {                                                                                                         \
    fmi3Instance c = running(s, make);                                                                         \
    int before = logged;                                                                                       \
    EXPECT(call, fmi3Error);                                                                                   \
    TRUE(logged == before + 1);                                                                                \
    EXPECT(fmi3Terminate(c), fmi3Error);                                                                       \
    EXPECT(do_step(c, 0, 0.01), fmi3Error);                                                                    \
    EXPECT(fmi3Reset(c), fmi3OK);                                                                              \
    EXPECT(fmi3EnterInitializationMode(c, false, 0, 0, true, 1), fmi3OK);                                      \
    fmi3FreeInstance(c);                                                                                       \
  } while (0)

static void instances(const subject *s) {
  TRUE(!strcmp(fmi3GetVersion(), "3.0"));
  TRUE(!stepping("arm", "{another}") && !exchanging("arm", NULL) && !stepping("", s->token) &&
       !stepping(NULL, s->token));
  TRUE(logged == 4);
  // no event mode in co-simulation, no scheduled execution
  TRUE(
      !fmi3InstantiateCoSimulation("arm", s->token, "", false, true, true, false, NULL, 0, &logged, say, NULL));
  TRUE(!fmi3InstantiateScheduledExecution("arm", s->token, "", false, true, &logged, say, NULL, NULL, NULL));
  fmi3Instance c = fmi3InstantiateModelExchange("arm", s->token, NULL, false, true, NULL, NULL);
  EXPECT(do_step(c, 0, 0.01), fmi3Error); // nobody to tell
  fmi3FreeInstance(c);
  fmi3FreeInstance(NULL);
}

static void without_instance(void) {
  fmi3ValueReference r = 0;
  fmi3Float64 x = 0;
  fmi3Boolean b = false;
  fmi3FMUState state = NULL;
  size_t n;
  EXPECT(fmi3SetDebugLogging(NULL, true, 0, NULL), fmi3Error);
  EXPECT(fmi3EnterInitializationMode(NULL, false, 0, 0, false, 0), fmi3Error);
  EXPECT(fmi3ExitInitializationMode(NULL), fmi3Error);
  EXPECT(fmi3EnterEventMode(NULL), fmi3Error);
  EXPECT(fmi3Terminate(NULL), fmi3Error);
  EXPECT(fmi3Reset(NULL), fmi3Error);
  EXPECT(fmi3GetFloat64(NULL, &r, 1, &x, 1), fmi3Error);
  EXPECT(fmi3SetFloat64(NULL, &r, 1, &x, 1), fmi3Error);
  EXPECT(fmi3GetBoolean(NULL, &r, 1, &b, 1), fmi3Error);
  EXPECT(fmi3GetFMUState(NULL, &state), fmi3Error);
  EXPECT(fmi3SetFMUState(NULL, state), fmi3Error);
  EXPECT(fmi3SerializedFMUStateSize(NULL, state, &n), fmi3Error);
  EXPECT(update(NULL), fmi3Error);
  EXPECT(fmi3EnterContinuousTimeMode(NULL), fmi3Error);
  EXPECT(fmi3CompletedIntegratorStep(NULL, true, &b, &b), fmi3Error);
  EXPECT(fmi3SetTime(NULL, 0), fmi3Error);
  EXPECT(fmi3GetContinuousStateDerivatives(NULL, &x, 1), fmi3Error);
  EXPECT(fmi3GetNumberOfContinuousStates(NULL, &n), fmi3Error);
  EXPECT(do_step(NULL, 0, 1), fmi3Error);
}

static void steps(const subject *s) {
  WRONG(stepping, do_step(c, 0, 0));
  WRONG(stepping, do_step(c, 0, -0.01));
  WRONG(stepping, do_step(c, 0, NAN));
  WRONG(stepping, do_step(c, 0, INFINITY));
  WRONG(stepping, do_step(c, 0.5, 0.01)); // not where the instance is
  WRONG(stepping, do_step(c, 0, 1.5));    // beyond the stop time
  WRONG(stepping, fmi3DoStep(c, 0, 0.01, true, NULL, NULL, NULL, NULL));
  fmi3Instance c = stepping("arm", s->token); // without a stop time: not for ever
  EXPECT(fmi3EnterInitializationMode(c, false, 0, 0, false, 0), fmi3OK);
  EXPECT(fmi3ExitInitializationMode(c), fmi3OK);
  EXPECT(do_step(c, 0, 1e300), fmi3Error);
  fmi3FreeInstance(c);
  c = running(s, stepping);
  EXPECT(do_step(c, 0, 1e-5), fmi3OK);
  EXPECT(do_step(c, 1e-5, 0.0123), fmi3OK);
  fmi3FreeInstance(c);
}

// An integration that fails leaves the state from which the step started.
static void failing_step(const subject *s) {
  fmi3Instance c = stepping("arm", s->token);
  const fmi3ValueReference seen[] = {0, 3};
  fmi3Float64 x[2], reached;
  fmi3Boolean event, end, early;
  EXPECT(set(c, 1, 0.05), fmi3OK);
  EXPECT(set(c, s->input, 1), fmi3OK);
  EXPECT(fmi3EnterInitializationMode(c, false, 0, 0, false, 0), fmi3OK);
  EXPECT(fmi3ExitInitializationMode(c), fmi3OK);
  EXPECT(fmi3DoStep(c, 0, 1000, true, &event, &end, &early, &reached), fmi3Error);
  EXPECT(fmi3GetFloat64(c, seen, 2, x, 2), fmi3OK);
  TRUE(x[0] == 0 && x[1] == 0 && reached == 0);
  fmi3FreeInstance(c);
}

static void order(const subject *s) {
  fmi3Float64 x = 0;
  fmi3Instance c = stepping("arm", s->token);
  EXPECT(fmi3GetFloat64(c, &s->output, 1, &x, 1), fmi3Error); // not initialised
  EXPECT(fmi3Reset(c), fmi3OK);
  EXPECT(fmi3ExitInitializationMode(c), fmi3Error);
  EXPECT(fmi3Reset(c), fmi3OK);
  EXPECT(do_step(c, 0, 0.01), fmi3Error);
  EXPECT(fmi3Reset(c), fmi3OK);
  EXPECT(fmi3EnterInitializationMode(c, false, 0, 1, true, 0.5), fmi3Error); // stops before it starts
  EXPECT(fmi3Reset(c), fmi3OK);
  EXPECT(fmi3EnterInitializationMode(c, false, 0, NAN, false, 0), fmi3Error);
  fmi3FreeInstance(c);
  WRONG(stepping, fmi3EnterInitializationMode(c, false, 0, 0, true, 1));
  WRONG(stepping, fmi3EnterEventMode(c));
  WRONG(stepping, fmi3EnterStepMode(c));
  WRONG(stepping, update(c));
  WRONG(stepping, fmi3EnterContinuousTimeMode(c));
  WRONG(stepping, fmi3SetTime(c, 0.5));
  WRONG(stepping, fmi3EnterConfigurationMode(c));
  WRONG(stepping, fmi3ActivateModelPartition(c, 0, 0));
  WRONG(exchanging, do_step(c, 0, 0.01));
  WRONG(exchanging, fmi3EnterEventMode(c)); // it is there already
  c = running(s, stepping);
  EXPECT(fmi3Terminate(c), fmi3OK);
  EXPECT(fmi3GetFloat64(c, &s->output, 1, &x, 1), fmi3OK); // the last values stay
  EXPECT(do_step(c, 0, 0.01), fmi3Error);
  fmi3FreeInstance(c);
}

static void variables(const subject *s) {
  const fmi3ValueReference none[] = {s->count, 1000000000, 0xffffffffu}, own = 2, state = 3;
  fmi3Float64 x[300];
  fmi3Boolean b;
  for (int i = 0; i < 3; i++) {
    WRONG(stepping, fmi3GetFloat64(c, &none[i], 1, x, 1));
    WRONG(stepping, set(c, none[i], 0));
    WRONG(stepping, fmi3GetBoolean(c, &none[i], 1, &b, 1));
  }
  WRONG(stepping, fmi3GetFloat64(c, &own, 1, x, 1)); // of another type
  WRONG(stepping, fmi3GetBoolean(c, &state, 1, &b, 1));
  WRONG(stepping, fmi3SetBoolean(c, &own, 1, &(fmi3Boolean){false}, 1)); // fixed
  WRONG(stepping, fmi3GetFloat64(c, &state, 1, x, 2));                   // a variable has one value
  WRONG(stepping, fmi3SetFloat64(c, &s->input, 1, x, 0));
  WRONG(stepping, fmi3GetFloat64(c, NULL, 1, x, 1));
  WRONG(stepping, fmi3GetFloat64(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetBoolean(c, &own, 1, NULL, 1));
  WRONG(stepping, fmi3GetFloat32(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetInt8(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetUInt8(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetInt16(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetUInt16(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetInt32(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetUInt32(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetInt64(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetUInt64(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3SetString(c, &state, 1, NULL, 1));
  WRONG(stepping, fmi3GetBinary(c, &state, 1, NULL, NULL, 1));
  WRONG(stepping, fmi3GetClock(c, &state, 1, NULL));
  WRONG(stepping, fmi3GetIntervalDecimal(c, &state, 1, NULL, NULL));
  WRONG(stepping, set(c, 0, 1));
  WRONG(stepping, set(c, state, 1));
  WRONG(stepping, set(c, s->output, 1));
  WRONG(stepping, set(c, s->input, INFINITY));
  WRONG(stepping, fmi3GetOutputDerivatives(c, &s->output, 1, NULL, NULL, 1));
  WRONG(stepping, fmi3GetDirectionalDerivative(c, NULL, 0, NULL, 0, NULL, 0, NULL, 0));
  WRONG(stepping, fmi3GetNumberOfVariableDependencies(c, 3, NULL));
  fmi3Instance c = stepping("arm", s->token);
  EXPECT(set(c, 1, 0), fmi3Error); // a step of 0 inside
  fmi3FreeInstance(c);
  c = running(s, stepping);
  EXPECT(fmi3GetFloat64(c, NULL, 0, NULL, 0), fmi3OK); // nothing is asked for
  EXPECT(fmi3GetInt32(c, NULL, 0, NULL, 0), fmi3OK);
  EXPECT(fmi3GetFloat64(c, &s->input, 1, x, 1), fmi3OK); // an input that was not set has its start value
  TRUE(x[0] == 0);
  for (fmi3ValueReference r = 0; r < s->count && r < 300; r++)
    if (r != own) {
      x[r] = NAN;
      EXPECT(fmi3GetFloat64(c, &r, 1, &x[r], 1), fmi3OK);
      TRUE(isfinite(x[r]));
    }
  fmi3FreeInstance(c);
}

static void exchange(const subject *s) {
  fmi3Float64 x[64];
  fmi3Boolean event, end;
  size_t n = 9;
  fmi3Instance c = running(s, exchanging);
  EXPECT(fmi3EvaluateDiscreteStates(c), fmi3OK);
  EXPECT(update(c), fmi3OK);
  EXPECT(fmi3EnterContinuousTimeMode(c), fmi3OK);
  EXPECT(fmi3GetNumberOfEventIndicators(c, &n), fmi3OK);
  TRUE(n == 0);
  EXPECT(fmi3GetNumberOfContinuousStates(c, &n), fmi3OK);
  TRUE(n == 12);
  EXPECT(fmi3GetContinuousStates(c, x, n), fmi3OK);
  EXPECT(fmi3SetContinuousStates(c, x, n), fmi3OK);
  EXPECT(fmi3GetNominalsOfContinuousStates(c, x, n), fmi3OK);
  TRUE(x[0] > 0 && x[11] > 0);
  EXPECT(fmi3CompletedIntegratorStep(c, true, &event, &end), fmi3OK);
  TRUE(!event && !end);
  EXPECT(fmi3GetContinuousStateDerivatives(c, x, n - 1), fmi3Error);
  fmi3FreeInstance(c);
  WRONG(exchanging, fmi3UpdateDiscreteStates(c, NULL, NULL, NULL, NULL, NULL, NULL));
  WRONG(exchanging, fmi3GetContinuousStates(c, NULL, 12));
  WRONG(exchanging, fmi3SetContinuousStates(c, x, 12)); // in event mode
  WRONG(exchanging, fmi3SetTime(c, NAN));
  WRONG(exchanging, fmi3GetEventIndicators(c, x, 1));
  WRONG(exchanging, fmi3GetNumberOfContinuousStates(c, NULL));
}

static void states(const subject *s) {
  fmi3FMUState state = NULL, other = NULL;
  size_t size = 0;
  fmi3Instance c = running(s, stepping), e = running(s, exchanging);
  EXPECT(fmi3GetFMUState(c, &state), fmi3OK);
  EXPECT(fmi3GetFMUState(c, &state), fmi3OK); // into the same place
  EXPECT(fmi3SetFMUState(e, state), fmi3Error);
  EXPECT(fmi3SerializedFMUStateSize(c, state, &size), fmi3OK);
  fmi3Byte *bytes = malloc(size);
  EXPECT(fmi3SerializeFMUState(c, state, bytes, size), fmi3OK);
  EXPECT(fmi3SerializeFMUState(c, state, bytes, size - 1), fmi3Error);
  EXPECT(fmi3SetFMUState(c, state), fmi3OK); // an error is over with a state from before it
  EXPECT(do_step(c, 0, 0.01), fmi3OK);
  EXPECT(fmi3DeserializeFMUState(c, bytes, size - 1, &other), fmi3Error);
  EXPECT(fmi3DeserializeFMUState(c, NULL, size, &other), fmi3Error);
  EXPECT(fmi3DeserializeFMUState(c, bytes, size, NULL), fmi3Error);
  bytes[3] ^= 1; // bytes of another model
  EXPECT(fmi3DeserializeFMUState(c, bytes, size, &other), fmi3Error);
  bytes[3] ^= 1;
  TRUE(!other);
  EXPECT(fmi3DeserializeFMUState(c, bytes, size, &other), fmi3OK);
  EXPECT(fmi3SetFMUState(c, other), fmi3OK);
  EXPECT(do_step(c, 0, 0.01), fmi3OK);
  EXPECT(fmi3FreeFMUState(c, &other), fmi3OK);
  EXPECT(fmi3FreeFMUState(c, &other), fmi3OK); // nothing there
  EXPECT(fmi3FreeFMUState(c, &state), fmi3OK);
  EXPECT(fmi3SetFMUState(c, NULL), fmi3Error);
  EXPECT(fmi3GetFMUState(c, NULL), fmi3Error);
  free(bytes);
  fmi3FreeInstance(c);
  fmi3FreeInstance(e);
}

int main(int argc, char **argv) {
  const subject s = subject_of(argc, argv);
  instances(&s);
  without_instance();
  steps(&s);
  failing_step(&s);
  order(&s);
  variables(&s);
  exchange(&s);
  states(&s);
  printf("FMI 3: %d failures, %d errors told\n", failures, logged);
  return failures > 0;
}
