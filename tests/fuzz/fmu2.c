// fmu2.c - fuzz target: any calls of an FMU of FMI 2.0, in any order, with any arguments.
#include "calls.h"

static void say(fmi2ComponentEnvironment e, fmi2String name, fmi2Status status, fmi2String category,
                fmi2String message, ...) {
  if (!e || !name || !category || !message || (status != fmi2Error && status != fmi2Discard)) abort();
}

// --- life ---

static void make(scene *x) {
  const fmi2CallbackFunctions functions = {.logger = say, .componentEnvironment = x};
  const int what = take(&x->in, 16);
  const char *name = what == 0   ? NULL
                     : what == 1 ? ""
                                 : "arm",
             *token = what == 2   ? "{}"
                      : what == 3 ? NULL
                                  : FMU_TOKEN;
  const int type = what == 4 ? 9 : what & 1;
  subject *s = x->now;
  fmi2FreeInstance(s->f);
  s->f = fmi2Instantiate(name, (fmi2Type)type, token, NULL, what == 5 ? NULL : &functions, 0, what < 12);
  if ((what < 6) != !s->f) abort();
  s->type = type == fmi2ModelExchange ? FMU_MODEL_EXCHANGE : FMU_CO_SIMULATION;
  s->mode = FMU_INSTANTIATED;
}

static void discard(scene *x) {
  fmi2FreeInstance(x->now->f);
  x->now->f = NULL;
}

static void set_up(scene *x) {
  const double tolerance = take_number(&x->in), start = take_number(&x->in), stop = take_number(&x->in);
  const int has = take(&x->in, 4);
  const worth w = isfinite(start) && (!(has & 2) || stop >= start) ? RIGHT : WRONG;
  judge(x, FMU_INSTANTIATED, w, (int)fmi2SetupExperiment(x->now->f, has & 1, tolerance, start, has & 2, stop));
}

static void enter_initialization(scene *x) {
  lead(x, FMU_INSTANTIATED, RIGHT, (int)fmi2EnterInitializationMode(x->now->f), FMU_INITIALIZATION);
}

static void exit_initialization(scene *x) {
  const int to = x->now->type == FMU_MODEL_EXCHANGE ? FMU_EVENT : FMU_STEP;
  lead(x, FMU_INITIALIZATION, NUMBERS, (int)fmi2ExitInitializationMode(x->now->f), to);
}

static void terminate(scene *x) { lead(x, FMU_RUNNING, RIGHT, (int)fmi2Terminate(x->now->f), FMU_TERMINATED); }

static void reset(scene *x) { lead(x, FMU_ANY, RIGHT, (int)fmi2Reset(x->now->f), FMU_INSTANTIATED); }

static void debug(scene *x) {
  const int n = take(&x->in, 3);
  judge(x, FMU_ANY, n ? WRONG : RIGHT, (int)fmi2SetDebugLogging(x->now->f, n & 1, (size_t)n, NULL));
}

// --- variables ---

static void get_real(scene *x) {
  array a = take_array(x);
  judge(x, FMU_READABLE, worth_getting(&a), (int)fmi2GetReal(x->now->f, a.reference, a.n, a.value));
  drop(&a);
}

static void set_real(scene *x) {
  array a = take_array(x);
  const worth w = worth_setting(x, &a);
  judge(x, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_RUNNING, w,
        (int)fmi2SetReal(x->now->f, a.reference, a.n, a.value));
  drop(&a);
}

static void boolean(scene *x) {
  unsigned r = (unsigned)take(&x->in, 6);
  int value = take(&x->in, 4);
  const worth w = r == FMU_OWN ? RIGHT : WRONG;
  const int early = FMU_INSTANTIATED | FMU_INITIALIZATION;
  if (value < 2)
    judge(x, early, w, (int)fmi2SetBoolean(x->now->f, &r, 1, &value));
  else
    judge(x, FMU_READABLE, w, (int)fmi2GetBoolean(x->now->f, &r, 1, &value));
}

static void other_types(scene *x) {
  const int early = FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_STEP, what = take(&x->in, 8);
  const size_t n = (size_t)(what & 1);
  const worth w = n ? WRONG : RIGHT;
  fmi2Component c = x->now->f;
  switch (what / 2) {
  case 0: judge(x, FMU_READABLE, w, (int)fmi2GetInteger(c, NULL, n, NULL)); break;
  case 1: judge(x, early, w, (int)fmi2SetInteger(c, NULL, n, NULL)); break;
  case 2: judge(x, FMU_READABLE, w, (int)fmi2GetString(c, NULL, n, NULL)); break;
  default: judge(x, early, w, (int)fmi2SetString(c, NULL, n, NULL)); break;
  }
}

// --- saved states ---

static void save(scene *x) {
  void **to = take(&x->in, 16) == 1 ? NULL : &x->saved[take(&x->in, SAVED)];
  judge(x, FMU_ANY, to ? RIGHT : WRONG, (int)fmi2GetFMUstate(x->now->f, to));
}

static void restore(scene *x) {
  fmu_saved *from = x->saved[take(&x->in, SAVED)];
  const worth w = worth_restoring(x, from);
  const int status = (int)fmi2SetFMUstate(x->now->f, from);
  if (x->now->f && status == FMU_OK) x->now->mode = from->now.mode;
  judge(x, FMU_ANY, w, status);
}

static void forget(scene *x) {
  void **which = &x->saved[take(&x->in, SAVED)];
  judge(x, FMU_ANY, RIGHT, (int)fmi2FreeFMUstate(x->now->f, which));
  if (x->now->f && *which) abort();
}

static void serialize(scene *x) {
  void *from = x->saved[take(&x->in, SAVED)], **to = &x->saved[take(&x->in, SAVED)];
  size_t size = 0, less = take(&x->in, 8) == 1;
  if (!judge(x, FMU_ANY, from ? RIGHT : WRONG, (int)fmi2SerializedFMUstateSize(x->now->f, from, &size))) return;
  char *bytes = malloc(size);
  if (judge(x, FMU_ANY, less ? WRONG : RIGHT,
            (int)fmi2SerializeFMUstate(x->now->f, from, bytes, size - less))) {
    damage(x, (unsigned char *)bytes, size);
    judge(x, FMU_ANY, NUMBERS, (int)fmi2DeSerializeFMUstate(x->now->f, bytes, size, to));
  }
  free(bytes);
}

// --- model exchange ---

static void enter_event(scene *x) {
  lead(x, FMU_EVENT | FMU_CONTINUOUS, RIGHT, (int)fmi2EnterEventMode(x->now->f), FMU_EVENT);
}

static void enter_continuous(scene *x) {
  lead(x, FMU_EVENT, RIGHT, (int)fmi2EnterContinuousTimeMode(x->now->f), FMU_CONTINUOUS);
}

static void discrete_states(scene *x) {
  fmi2EventInfo info = {0};
  const int without = take(&x->in, 8) == 1;
  judge(x, FMU_EVENT, without ? WRONG : NUMBERS, (int)fmi2NewDiscreteStates(x->now->f, without ? NULL : &info));
}

static void completed(scene *x) {
  int event, ended;
  const int without = take(&x->in, 8) == 1;
  judge(x, FMU_CONTINUOUS, without ? WRONG : RIGHT,
        (int)fmi2CompletedIntegratorStep(x->now->f, 1, without ? NULL : &event, &ended));
}

static void set_time(scene *x) {
  const double t = take_number(&x->in);
  judge(x, FMU_EVENT | FMU_CONTINUOUS, isfinite(t) ? RIGHT : WRONG, (int)fmi2SetTime(x->now->f, t));
}

static void states(scene *x) {
  array a = take_array(x);
  const int what = take(&x->in, 4);
  const worth w = worth_states(a.n, a.value);
  fmi2Component c = x->now->f;
  switch (what) {
  case 0: judge(x, FMU_CONTINUOUS, w, (int)fmi2SetContinuousStates(c, a.value, a.n)); break;
  case 1: judge(x, FMU_READABLE, w, (int)fmi2GetContinuousStates(c, a.value, a.n)); break;
  case 2:
    judge(x, FMU_READABLE & ~(FMU_INITIALIZATION | FMU_STEP), w, (int)fmi2GetDerivatives(c, a.value, a.n));
    break;
  default:
    judge(x, FMU_INSTANTIATED | FMU_READABLE, w, (int)fmi2GetNominalsOfContinuousStates(c, a.value, a.n));
  }
  drop(&a);
}

static void indicators(scene *x) {
  const size_t n = (size_t)take(&x->in, 3);
  judge(x, FMU_READABLE, n ? WRONG : RIGHT, (int)fmi2GetEventIndicators(x->now->f, NULL, n));
}

// --- co-simulation ---

static void step(scene *x) {
  const fmu_instance *f = x->now->f;
  const double from = f && take(&x->in, 8) ? f->now.s.t : take_number(&x->in), length = take_number(&x->in);
  const worth w = worth_step(x, from, length);
  if (short_enough(x, length)) judge(x, FMU_STEP, w, (int)fmi2DoStep(x->now->f, from, length, 1));
}

static void not_provided(scene *x) {
  const int early = FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP;
  fmi2Component c = x->now->f;
  switch (take(&x->in, 4)) {
  case 0: judge(x, FMU_ANY, WRONG, (int)fmi2CancelStep(c)); break;
  case 1: judge(x, early, WRONG, (int)fmi2SetRealInputDerivatives(c, NULL, 1, NULL, NULL)); break;
  case 2: judge(x, FMU_ANY, WRONG, (int)fmi2GetRealOutputDerivatives(c, NULL, 1, NULL, NULL)); break;
  default: judge(x, FMU_ANY, WRONG, (int)fmi2GetDirectionalDerivative(c, NULL, 1, NULL, 1, NULL, NULL));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const call calls[] = {make,
                               set_up,
                               enter_initialization,
                               exit_initialization,
                               step,
                               get_real,
                               set_real,
                               boolean,
                               enter_continuous,
                               enter_event,
                               states,
                               set_time,
                               discrete_states,
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
