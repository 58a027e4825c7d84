// calls2.c - calls of FMI 2.0, right and wrong. See calls.h.
#include "fmi2.h"

#include "calls.h"

static void say(fmi2ComponentEnvironment e, fmi2String name, fmi2Status status, fmi2String category,
                fmi2String message, ...) {
  TRUE(e == &logged && !strcmp(name, "arm") && status == fmi2Error && !strcmp(category, "logStatusError") &&
       message);
  logged++;
}

static const fmi2CallbackFunctions callbacks = {.logger = say, .componentEnvironment = &logged};

static fmi2Component fresh(const subject *s, fmi2Type type) {
  fmi2Component c = fmi2Instantiate("arm", type, s->token, "", &callbacks, 0, 1);
  if (!c) {
    printf("no instance\n");
    exit(1);
  }
  return c;
}

static fmi2Component running(const subject *s, fmi2Type type) {
  fmi2Component c = fresh(s, type);
  EXPECT(fmi2SetupExperiment(c, 0, 0, 0, 1, 1), fmi2OK);
  EXPECT(fmi2EnterInitializationMode(c), fmi2OK);
  EXPECT(fmi2ExitInitializationMode(c), fmi2OK);
  return c;
}

// After an error nothing goes on but reading, a saved state, reset and free.
#define WRONG(type, call)                                                                                      \
  do {                                                                                                         \
    fmi2Component c = running(s, type);                                                                        \
    int before = logged;                                                                                       \
    EXPECT(call, fmi2Error);                                                                                   \
    TRUE(logged == before + 1);                                                                                \
    EXPECT(fmi2Terminate(c), fmi2Error);                                                                       \
    EXPECT(fmi2DoStep(c, 0, 0.01, 1), fmi2Error);                                                              \
    EXPECT(fmi2Reset(c), fmi2OK);                                                                              \
    EXPECT(fmi2EnterInitializationMode(c), fmi2OK);                                                            \
    fmi2FreeInstance(c);                                                                                       \
  } while (0)

static void instances(const subject *s) {
  TRUE(!strcmp(fmi2GetVersion(), "2.0") && !strcmp(fmi2GetTypesPlatform(), "default"));
  TRUE(!fmi2Instantiate("arm", fmi2CoSimulation, "{another}", "", &callbacks, 0, 1));
  TRUE(!fmi2Instantiate("arm", fmi2CoSimulation, NULL, "", &callbacks, 0, 1));
  TRUE(logged == 2);
  TRUE(!fmi2Instantiate("arm", fmi2CoSimulation, s->token, "", NULL, 0, 1));
  TRUE(!fmi2Instantiate("arm", (fmi2Type)7, s->token, "", &callbacks, 0, 1));
  TRUE(!fmi2Instantiate("", fmi2CoSimulation, s->token, "", &callbacks, 0, 0));
  TRUE(!fmi2Instantiate(NULL, fmi2CoSimulation, s->token, "", &callbacks, 0, 0));
  fmi2CallbackFunctions silent = {0};
  fmi2Component c = fmi2Instantiate("arm", fmi2CoSimulation, s->token, NULL, &silent, 1, 1);
  EXPECT(fmi2DoStep(c, 0, 0.01, 1), fmi2Error); // nobody to tell
  fmi2FreeInstance(c);
  fmi2FreeInstance(NULL);
}

static void without_instance(void) {
  fmi2ValueReference r = 0;
  fmi2Real x = 0;
  fmi2Boolean b = 0;
  fmi2EventInfo info;
  fmi2FMUstate state = NULL;
  size_t size;
  EXPECT(fmi2SetDebugLogging(NULL, 1, 0, NULL), fmi2Error);
  EXPECT(fmi2SetupExperiment(NULL, 0, 0, 0, 0, 0), fmi2Error);
  EXPECT(fmi2EnterInitializationMode(NULL), fmi2Error);
  EXPECT(fmi2ExitInitializationMode(NULL), fmi2Error);
  EXPECT(fmi2Terminate(NULL), fmi2Error);
  EXPECT(fmi2Reset(NULL), fmi2Error);
  EXPECT(fmi2GetReal(NULL, &r, 1, &x), fmi2Error);
  EXPECT(fmi2SetReal(NULL, &r, 1, &x), fmi2Error);
  EXPECT(fmi2GetBoolean(NULL, &r, 1, &b), fmi2Error);
  EXPECT(fmi2SetBoolean(NULL, &r, 1, &b), fmi2Error);
  EXPECT(fmi2GetFMUstate(NULL, &state), fmi2Error);
  EXPECT(fmi2SetFMUstate(NULL, state), fmi2Error);
  EXPECT(fmi2FreeFMUstate(NULL, &state), fmi2Error);
  EXPECT(fmi2SerializedFMUstateSize(NULL, state, &size), fmi2Error);
  EXPECT(fmi2EnterEventMode(NULL), fmi2Error);
  EXPECT(fmi2NewDiscreteStates(NULL, &info), fmi2Error);
  EXPECT(fmi2EnterContinuousTimeMode(NULL), fmi2Error);
  EXPECT(fmi2CompletedIntegratorStep(NULL, 1, &b, &b), fmi2Error);
  EXPECT(fmi2SetTime(NULL, 0), fmi2Error);
  EXPECT(fmi2GetDerivatives(NULL, &x, 1), fmi2Error);
  EXPECT(fmi2DoStep(NULL, 0, 1, 1), fmi2Error);
  EXPECT(fmi2CancelStep(NULL), fmi2Error);
  EXPECT(fmi2GetRealStatus(NULL, fmi2LastSuccessfulTime, &x), fmi2Error);
}

static void steps(const subject *s) {
  WRONG(fmi2CoSimulation, fmi2DoStep(c, 0, 0, 1));
  WRONG(fmi2CoSimulation, fmi2DoStep(c, 0, -0.01, 1));
  WRONG(fmi2CoSimulation, fmi2DoStep(c, 0, NAN, 1));
  WRONG(fmi2CoSimulation, fmi2DoStep(c, 0, INFINITY, 1));
  WRONG(fmi2CoSimulation, fmi2DoStep(c, 0.5, 0.01, 1)); // not where the instance is
  WRONG(fmi2CoSimulation, fmi2DoStep(c, NAN, 0.01, 1));
  WRONG(fmi2CoSimulation, fmi2DoStep(c, 0, 1.5, 1)); // beyond the stop time
  fmi2Component c = fresh(s, fmi2CoSimulation);      // without a stop time: not for ever
  EXPECT(fmi2EnterInitializationMode(c), fmi2OK);
  EXPECT(fmi2ExitInitializationMode(c), fmi2OK);
  EXPECT(fmi2DoStep(c, 0, 1e300, 1), fmi2Error);
  fmi2FreeInstance(c);
  // steps of any length, also shorter than those inside
  c = running(s, fmi2CoSimulation);
  fmi2Real t;
  EXPECT(fmi2DoStep(c, 0, 1e-5, 1), fmi2OK);
  EXPECT(fmi2DoStep(c, 1e-5, 0.0123, 1), fmi2OK);
  EXPECT(fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &t), fmi2OK);
  TRUE(fabs(t - 0.01231) < 1e-12);
  EXPECT(fmi2GetRealStatus(c, fmi2LastSuccessfulTime, NULL), fmi2Discard);
  EXPECT(fmi2GetStatus(c, fmi2DoStepStatus, NULL), fmi2Discard);
  fmi2Boolean ended = 1;
  EXPECT(fmi2GetBooleanStatus(c, fmi2Terminated, &ended), fmi2OK);
  TRUE(!ended);
  EXPECT(fmi2CancelStep(c), fmi2Error);
  fmi2FreeInstance(c);
}

// An integration that fails leaves the state from which the step started.
static void failing_step(const subject *s) {
  fmi2Component c = fresh(s, fmi2CoSimulation);
  const fmi2ValueReference inner = 1, time = 0, position = 3;
  const fmi2Real long_step = 0.05;
  fmi2Real t, q;
  EXPECT(fmi2SetReal(c, &inner, 1, &long_step), fmi2OK);
  EXPECT(fmi2SetReal(c, &s->input, 1, &(fmi2Real){1}), fmi2OK);
  EXPECT(fmi2EnterInitializationMode(c), fmi2OK);
  EXPECT(fmi2ExitInitializationMode(c), fmi2OK);
  EXPECT(fmi2DoStep(c, 0, 1000, 1), fmi2Error);
  EXPECT(fmi2GetReal(c, &time, 1, &t), fmi2OK);
  EXPECT(fmi2GetReal(c, &position, 1, &q), fmi2OK);
  TRUE(t == 0 && q == 0);
  fmi2FreeInstance(c);
}

static void order(const subject *s) {
  fmi2Real x = 0;
  fmi2EventInfo info;
  fmi2Component c = fresh(s, fmi2CoSimulation);
  EXPECT(fmi2GetReal(c, &s->output, 1, &x), fmi2Error); // not initialised
  EXPECT(fmi2Reset(c), fmi2OK);
  EXPECT(fmi2ExitInitializationMode(c), fmi2Error);
  EXPECT(fmi2Reset(c), fmi2OK);
  EXPECT(fmi2DoStep(c, 0, 0.01, 1), fmi2Error);
  EXPECT(fmi2Reset(c), fmi2OK);
  EXPECT(fmi2SetupExperiment(c, 0, 0, 1, 1, 0.5), fmi2Error); // stops before it starts
  EXPECT(fmi2Reset(c), fmi2OK);
  EXPECT(fmi2SetupExperiment(c, 0, 0, NAN, 0, 0), fmi2Error);
  fmi2FreeInstance(c);
  WRONG(fmi2CoSimulation, fmi2SetupExperiment(c, 0, 0, 0, 0, 0));
  WRONG(fmi2CoSimulation, fmi2EnterInitializationMode(c));
  WRONG(fmi2CoSimulation, fmi2EnterEventMode(c));
  WRONG(fmi2CoSimulation, fmi2NewDiscreteStates(c, &info));
  WRONG(fmi2CoSimulation, fmi2EnterContinuousTimeMode(c));
  WRONG(fmi2CoSimulation, fmi2SetTime(c, 0.5));
  WRONG(fmi2ModelExchange, fmi2DoStep(c, 0, 0.01, 1));
  WRONG(fmi2ModelExchange, fmi2CompletedIntegratorStep(c, 1, NULL, NULL)); // in event mode
  c = running(s, fmi2CoSimulation);
  EXPECT(fmi2Terminate(c), fmi2OK);
  EXPECT(fmi2GetReal(c, &s->output, 1, &x), fmi2OK); // the last values stay
  EXPECT(fmi2DoStep(c, 0, 0.01, 1), fmi2Error);
  fmi2FreeInstance(c);
}

static void variables(const subject *s) {
  const fmi2ValueReference none[] = {s->count, 1000000000, 0xffffffffu}, time = 0, own = 2, state = 3;
  fmi2Real x[300];
  fmi2Boolean b;
  fmi2Integer n;
  fmi2String text;
  for (int i = 0; i < 3; i++) {
    WRONG(fmi2CoSimulation, fmi2GetReal(c, &none[i], 1, x));
    WRONG(fmi2CoSimulation, fmi2SetReal(c, &none[i], 1, &(fmi2Real){0}));
    WRONG(fmi2CoSimulation, fmi2GetBoolean(c, &none[i], 1, &b));
  }
  WRONG(fmi2CoSimulation, fmi2GetReal(c, &own, 1, x)); // of another type
  WRONG(fmi2CoSimulation, fmi2GetBoolean(c, &state, 1, &b));
  WRONG(fmi2CoSimulation, fmi2SetBoolean(c, &own, 1, &(fmi2Boolean){0})); // fixed
  WRONG(fmi2CoSimulation, fmi2GetInteger(c, &state, 1, &n));
  WRONG(fmi2CoSimulation, fmi2GetString(c, &state, 1, &text));
  WRONG(fmi2CoSimulation, fmi2SetReal(c, &time, 1, &(fmi2Real){1}));
  WRONG(fmi2CoSimulation, fmi2SetReal(c, &state, 1, &(fmi2Real){1}));
  WRONG(fmi2CoSimulation, fmi2SetReal(c, &s->output, 1, &(fmi2Real){1}));
  WRONG(fmi2CoSimulation, fmi2SetReal(c, &s->input, 1, &(fmi2Real){NAN}));
  WRONG(fmi2CoSimulation, fmi2GetReal(c, NULL, 1, x));
  WRONG(fmi2CoSimulation, fmi2GetReal(c, &state, 1, NULL));
  WRONG(fmi2CoSimulation, fmi2SetReal(c, NULL, 1, x));
  WRONG(fmi2CoSimulation, fmi2GetBoolean(c, &own, 1, NULL));
  WRONG(fmi2CoSimulation, fmi2SetRealInputDerivatives(c, &s->input, 1, NULL, NULL));
  WRONG(fmi2CoSimulation, fmi2GetRealOutputDerivatives(c, &s->output, 1, NULL, NULL));
  WRONG(fmi2CoSimulation, fmi2GetDirectionalDerivative(c, NULL, 0, NULL, 0, NULL, NULL));
  fmi2Component c = running(s, fmi2CoSimulation);
  EXPECT(fmi2GetReal(c, NULL, 0, NULL), fmi2OK); // nothing is asked for
  EXPECT(fmi2GetInteger(c, NULL, 0, NULL), fmi2OK);
  EXPECT(fmi2GetReal(c, &s->input, 1, x), fmi2OK); // an input that was not set has its start value
  TRUE(x[0] == 0);
  for (fmi2ValueReference r = 0; r < s->count && r < 300; r++)
    if (r != own) {
      x[r] = NAN;
      EXPECT(fmi2GetReal(c, &r, 1, &x[r]), fmi2OK);
      TRUE(isfinite(x[r]));
    }
  EXPECT(fmi2SetReal(c, &s->input, 1, &(fmi2Real){0.25}), fmi2OK);
  EXPECT(fmi2GetReal(c, &s->input, 1, x), fmi2OK);
  TRUE(x[0] == 0.25);
  fmi2FreeInstance(c);
}

static void exchange(const subject *s) {
  fmi2Real x[64];
  fmi2EventInfo info;
  fmi2Boolean event, end;
  fmi2Component c = running(s, fmi2ModelExchange);
  EXPECT(fmi2NewDiscreteStates(c, &info), fmi2OK);
  EXPECT(fmi2EnterContinuousTimeMode(c), fmi2OK);
  EXPECT(fmi2GetContinuousStates(c, x, 12), fmi2OK);
  EXPECT(fmi2GetNominalsOfContinuousStates(c, x, 12), fmi2OK);
  TRUE(x[0] > 0 && x[11] > 0);
  EXPECT(fmi2GetEventIndicators(c, NULL, 0), fmi2OK);
  EXPECT(fmi2CompletedIntegratorStep(c, 1, &event, &end), fmi2OK);
  TRUE(!event && !end);
  EXPECT(fmi2GetDerivatives(c, x, 11), fmi2Error);
  fmi2FreeInstance(c);
  WRONG(fmi2ModelExchange, fmi2NewDiscreteStates(c, NULL));
  WRONG(fmi2ModelExchange, fmi2GetContinuousStates(c, NULL, 12));
  WRONG(fmi2ModelExchange, fmi2GetContinuousStates(c, x, 13));
  WRONG(fmi2ModelExchange, fmi2SetContinuousStates(c, x, 12)); // in event mode
  WRONG(fmi2ModelExchange, fmi2SetTime(c, NAN));
  WRONG(fmi2ModelExchange, fmi2GetEventIndicators(c, x, 1));
}

static void states(const subject *s) {
  fmi2FMUstate state = NULL, other = NULL;
  size_t size = 0;
  fmi2Component c = running(s, fmi2CoSimulation), e = running(s, fmi2ModelExchange);
  EXPECT(fmi2GetFMUstate(c, &state), fmi2OK);
  EXPECT(fmi2GetFMUstate(c, &state), fmi2OK); // into the same place
  EXPECT(fmi2SetFMUstate(e, state), fmi2Error);
  EXPECT(fmi2SerializedFMUstateSize(c, state, &size), fmi2OK);
  fmi2Byte *bytes = malloc(size);
  EXPECT(fmi2SerializeFMUstate(c, state, bytes, size), fmi2OK);
  EXPECT(fmi2SerializeFMUstate(c, state, bytes, size - 1), fmi2Error);
  EXPECT(fmi2SetFMUstate(c, state), fmi2OK); // an error is over with a state from before it
  EXPECT(fmi2DoStep(c, 0, 0.01, 1), fmi2OK);
  EXPECT(fmi2DeSerializeFMUstate(c, bytes, size - 1, &other), fmi2Error);
  EXPECT(fmi2DeSerializeFMUstate(c, NULL, size, &other), fmi2Error);
  EXPECT(fmi2DeSerializeFMUstate(c, bytes, size, NULL), fmi2Error);
  for (size_t i = 0; i < 40 && i < size; i++) { // bytes of another model
    bytes[i] ^= 1;
    if (i < strlen(s->token)) EXPECT(fmi2DeSerializeFMUstate(c, bytes, size, &other), fmi2Error);
    bytes[i] ^= 1;
  }
  TRUE(!other);
  EXPECT(fmi2DeSerializeFMUstate(c, bytes, size, &other), fmi2OK);
  EXPECT(fmi2SetFMUstate(c, other), fmi2OK);
  EXPECT(fmi2DoStep(c, 0, 0.01, 1), fmi2OK);
  EXPECT(fmi2FreeFMUstate(c, &other), fmi2OK);
  EXPECT(fmi2FreeFMUstate(c, &other), fmi2OK); // nothing there
  EXPECT(fmi2FreeFMUstate(c, &state), fmi2OK);
  EXPECT(fmi2SetFMUstate(c, NULL), fmi2Error);
  EXPECT(fmi2GetFMUstate(c, NULL), fmi2Error);
  EXPECT(fmi2FreeFMUstate(c, NULL), fmi2Error);
  EXPECT(fmi2SerializedFMUstateSize(c, NULL, &size), fmi2Error);
  free(bytes);
  fmi2FreeInstance(c);
  fmi2FreeInstance(e);
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
  printf("FMI 2: %d failures, %d errors told\n", failures, logged);
  return failures > 0;
}
