// fmu3.c - fuzz target: any calls of an FMU of FMI 3.0, in any order, with any arguments.
#include "calls.h"

static void say(fmi3InstanceEnvironment e, fmi3Status status, fmi3String category, fmi3String message) {
  if (!e || !category || !message || (status != fmi3Error && status != fmi3Discard)) abort();
}

// --- life ---

static void make(scene *x) {
  const int what = take(&x->in, 16);
  const bool logging = what < 12, events = what == 4;
  const char *name = what == 0   ? NULL
                     : what == 1 ? ""
                                 : "arm",
             *token = what == 2   ? "{}"
                      : what == 3 ? NULL
                                  : FMU_TOKEN;
  subject *s = x->now;
  s->type = what % 2 || events ? FMU_CO_SIMULATION : FMU_MODEL_EXCHANGE;
  s->mode = FMU_INSTANTIATED;
  fmi3FreeInstance(s->f);
  if (what == 5)
    s->f = fmi3InstantiateScheduledExecution(name, token, NULL, 0, logging, x, say, NULL, NULL, NULL);
  else if (s->type == FMU_CO_SIMULATION)
    s->f = fmi3InstantiateCoSimulation(name, token, NULL, 0, logging, events, 0, NULL, 0, x, say, NULL);
  else
    s->f = fmi3InstantiateModelExchange(name, token, NULL, 0, logging, x, say);
  if ((what < 6) != !s->f) abort();
}

static void discard(scene *x) {
  fmi3FreeInstance(x->now->f);
  x->now->f = NULL;
}

static void enter_initialization(scene *x) {
  const double tolerance = take_number(&x->in), start = take_number(&x->in), stop = take_number(&x->in);
  const int has = take(&x->in, 4);
  const worth w = isfinite(start) && (!(has & 2) || stop >= start) ? RIGHT : WRONG;
  const int status =
      (int)fmi3EnterInitializationMode(x->now->f, has & 1, tolerance, start, (has & 2) != 0, stop);
  lead(x, FMU_INSTANTIATED, w, status, FMU_INITIALIZATION);
}

static void exit_initialization(scene *x) {
  const int to = x->now->type == FMU_MODEL_EXCHANGE ? FMU_EVENT : FMU_STEP;
  lead(x, FMU_INITIALIZATION, NUMBERS, (int)fmi3ExitInitializationMode(x->now->f), to);
}

static void terminate(scene *x) { lead(x, FMU_RUNNING, RIGHT, (int)fmi3Terminate(x->now->f), FMU_TERMINATED); }

static void reset(scene *x) { lead(x, FMU_ANY, RIGHT, (int)fmi3Reset(x->now->f), FMU_INSTANTIATED); }

static void debug(scene *x) {
  const int n = take(&x->in, 3);
  judge(x, FMU_ANY, n ? WRONG : RIGHT, (int)fmi3SetDebugLogging(x->now->f, n & 1, (size_t)n, NULL));
}

// --- variables ---

static void get_numbers(scene *x) {
  array a = take_array(x);
  const size_t more = take(&x->in, 16) == 1;
  const worth w = more ? WRONG : worth_getting(&a);
  judge(x, FMU_READABLE, w, (int)fmi3GetFloat64(x->now->f, a.reference, a.n, a.value, a.n + more));
  drop(&a);
}

static void set_numbers(scene *x) {
  array a = take_array(x);
  const size_t more = take(&x->in, 16) == 1;
  const worth w = more ? WRONG : worth_setting(x, &a);
  judge(x, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_RUNNING, w,
        (int)fmi3SetFloat64(x->now->f, a.reference, a.n, a.value, a.n + more));
  drop(&a);
}

static void boolean(scene *x) {
  unsigned r = (unsigned)take(&x->in, 6);
  const int what = take(&x->in, 4), early = FMU_INSTANTIATED | FMU_INITIALIZATION;
  bool value = what & 1;
  const worth w = r == FMU_OWN ? RIGHT : WRONG;
  if (what < 2)
    judge(x, early, w, (int)fmi3SetBoolean(x->now->f, &r, 1, &value, 1));
  else
    judge(x, FMU_READABLE, w, (int)fmi3GetBoolean(x->now->f, &r, 1, &value, 1));
}

static void other_types(scene *x) {
  const int early = FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_STEP, what = take(&x->in, 12);
  const size_t n = (size_t)(what & 1);
  const worth w = n ? WRONG : RIGHT;
  fmi3Instance c = x->now->f;
  switch (what / 2) {
  case 0: judge(x, FMU_READABLE, w, (int)fmi3GetInt32(c, NULL, n, NULL, n)); break;
  case 1: judge(x, early, w, (int)fmi3SetUInt8(c, NULL, 0, NULL, n)); break;
  case 2: judge(x, FMU_READABLE, w, (int)fmi3GetBinary(c, NULL, n, NULL, NULL, 0)); break;
  case 3: judge(x, early, w, (int)fmi3SetString(c, NULL, n, NULL, n)); break;
  case 4: judge(x, FMU_ANY, w, (int)fmi3GetClock(c, NULL, n, NULL)); break;
  default: judge(x, FMU_ANY, w, (int)fmi3SetIntervalDecimal(c, NULL, n, NULL)); break;
  }
}

// --- saved states ---

static void save(scene *x) {
  void **to = take(&x->in, 16) == 1 ? NULL : &x->saved[take(&x->in, SAVED)];
  judge(x, FMU_ANY, to ? RIGHT : WRONG, (int)fmi3GetFMUState(x->now->f, to));
}

static void restore(scene *x) {
  fmu_saved *from = x->saved[take(&x->in, SAVED)];
  const worth w = worth_restoring(x, from);
  const int status = (int)fmi3SetFMUState(x->now->f, from);
  if (x->now->f && status == FMU_OK) x->now->mode = from->now.mode;
  judge(x, FMU_ANY, w, status);
}

static void forget(scene *x) {
  void **which = &x->saved[take(&x->in, SAVED)];
  judge(x, FMU_ANY, RIGHT, (int)fmi3FreeFMUState(x->now->f, which));
  if (x->now->f && *which) abort();
}

static void serialize(scene *x) {
  void *from = x->saved[take(&x->in, SAVED)], **to = &x->saved[take(&x->in, SAVED)];
  size_t size = 0, less = take(&x->in, 8) == 1;
  if (!judge(x, FMU_ANY, from ? RIGHT : WRONG, (int)fmi3SerializedFMUStateSize(x->now->f, from, &size))) return;
  fmi3Byte *bytes = malloc(size);
  if (judge(x, FMU_ANY, less ? WRONG : RIGHT,
            (int)fmi3SerializeFMUState(x->now->f, from, bytes, size - less))) {
    damage(x, bytes, size);
    judge(x, FMU_ANY, NUMBERS, (int)fmi3DeserializeFMUState(x->now->f, bytes, size, to));
  }
  free(bytes);
}

// --- model exchange ---

static void enter_event(scene *x) {
  lead(x, FMU_CONTINUOUS, RIGHT, (int)fmi3EnterEventMode(x->now->f), FMU_EVENT);
}

static void enter_continuous(scene *x) {
  lead(x, FMU_EVENT, RIGHT, (int)fmi3EnterContinuousTimeMode(x->now->f), FMU_CONTINUOUS);
}

static void discrete_states(scene *x) {
  bool flag[5];
  double next;
  const int without = take(&x->in, 8) == 1;
  const int status = (int)fmi3UpdateDiscreteStates(x->now->f, without ? NULL : &flag[0], &flag[1], &flag[2],
                                                   &flag[3], &flag[4], &next);
  judge(x, FMU_EVENT, without ? WRONG : NUMBERS, status);
}

static void evaluate(scene *x) {
  judge(x, FMU_INITIALIZATION | FMU_EVENT, RIGHT, (int)fmi3EvaluateDiscreteStates(x->now->f));
}

static void completed(scene *x) {
  bool event, ended;
  const int without = take(&x->in, 8) == 1;
  judge(x, FMU_CONTINUOUS, without ? WRONG : RIGHT,
        (int)fmi3CompletedIntegratorStep(x->now->f, 1, without ? NULL : &event, &ended));
}

static void set_time(scene *x) {
  const double t = take_number(&x->in);
  judge(x, FMU_EVENT | FMU_CONTINUOUS, isfinite(t) ? RIGHT : WRONG, (int)fmi3SetTime(x->now->f, t));
}

static void states(scene *x) {
  array a = take_array(x);
  const int what = take(&x->in, 4);
  const worth w = worth_states(a.n, a.value);
  fmi3Instance c = x->now->f;
  switch (what) {
  case 0: judge(x, FMU_CONTINUOUS, w, (int)fmi3SetContinuousStates(c, a.value, a.n)); break;
  case 1: judge(x, FMU_READABLE, w, (int)fmi3GetContinuousStates(c, a.value, a.n)); break;
  case 2: judge(x, FMU_READABLE, w, (int)fmi3GetContinuousStateDerivatives(c, a.value, a.n)); break;
  default: judge(x, FMU_READABLE, w, (int)fmi3GetNominalsOfContinuousStates(c, a.value, a.n)); break;
  }
  drop(&a);
}

static void indicators(scene *x) {
  const size_t n = (size_t)take(&x->in, 3);
  judge(x, FMU_READABLE, n ? WRONG : RIGHT, (int)fmi3GetEventIndicators(x->now->f, NULL, n));
}

// --- co-simulation ---

static void step(scene *x) {
  const fmu_instance *f = x->now->f;
  const double from = f && take(&x->in, 8) ? f->now.s.t : take_number(&x->in), length = take_number(&x->in);
  const int without = take(&x->in, 16) == 1;
  const worth w = without ? WRONG : worth_step(x, from, length);
  bool flag[3];
  double reached;
  if (!short_enough(x, length)) return;
  judge(x, FMU_STEP, w,
        (int)fmi3DoStep(x->now->f, from, length, 1, &flag[0], &flag[1], &flag[2], without ? NULL : &reached));
}

static void not_provided(scene *x) {
  fmi3Instance c = x->now->f;
  size_t n;
  switch (take(&x->in, 8)) {
  case 0: judge(x, FMU_ANY, WRONG, (int)fmi3EnterStepMode(c)); break;
  case 1: judge(x, FMU_ANY, WRONG, (int)fmi3EnterConfigurationMode(c)); break;
  case 2: judge(x, FMU_ANY, WRONG, (int)fmi3ExitConfigurationMode(c)); break;
  case 3: judge(x, FMU_ANY, WRONG, (int)fmi3GetOutputDerivatives(c, NULL, 1, NULL, NULL, 1)); break;
  case 4: judge(x, FMU_ANY, WRONG, (int)fmi3GetNumberOfVariableDependencies(c, 3, &n)); break;
  case 5: judge(x, FMU_ANY, WRONG, (int)fmi3ActivateModelPartition(c, 0, 0)); break;
  case 6: judge(x, FMU_ANY, RIGHT, (int)fmi3GetNumberOfContinuousStates(c, &n)); break;
  default: judge(x, FMU_ANY, WRONG, (int)fmi3GetDirectionalDerivative(c, NULL, 1, NULL, 1, NULL, 1, NULL, 1));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const call calls[] = {make,
                               enter_initialization,
                               exit_initialization,
                               step,
                               get_numbers,
                               set_numbers,
                               boolean,
                               enter_continuous,
                               enter_event,
                               states,
                               set_time,
                               discrete_states,
                               evaluate,
                               completed,
                               save,
                               restore,
                               serialize,
                               forget,
                               terminate,
                               reset,
                               debug,
                               discard,
                               other_types,
                               indicators,
                               not_provided};
  run(ALL(calls), data, size);
  return 0;
}
