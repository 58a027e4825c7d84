// fmu_fixture.h - an FMU of a model, unpacked and loaded, and one set of calls for both versions of FMI.
#ifndef LIM_TESTS_FMU_FIXTURE_H
#define LIM_TESTS_FMU_FIXTURE_H

#include "fixture.h"

#include "export/fmu/fmi2.h.in"
#include "export/fmu/fmi3.h.in"
#include "export/fmu/fmu.h"

#include <dlfcn.h>
#include <unistd.h>
#include <zip.h>

typedef struct {
  int version;
  char folder[64], path[96];
  char *description; // modelDescription.xml
  char token[64];
  void *library;
  int states;
} fmu;

// A function of the library, with the type that its declaration gives.
#define CALL2(f, name) ((__typeof__(fmi2##name) *)symbol_of(f, "fmi2" #name))
#define CALL3(f, name) ((__typeof__(fmi3##name) *)symbol_of(f, "fmi3" #name))

typedef void any_function(void);

static inline any_function *symbol_of(const fmu *f, const char *name) {
  any_function *call;
  void *found = dlsym(f->library, name);
  if (!found) print_error("%s is missing\n", name);
  assert_non_null(found);
  memcpy(&call, &found, sizeof call); // C has no cast from a pointer to a function
  return call;
}

// The bytes of a file of the archive, terminated. The caller frees them.
static inline char *unpack(const char *path, const char *name, size_t *size) {
  zip_stat_t info;
  zip_t *z = zip_open(path, ZIP_RDONLY, NULL);
  assert_non_null(z);
  assert_int_equal(zip_stat(z, name, 0, &info), 0);
  char *bytes = malloc(info.size + 1);
  assert_non_null(bytes);
  zip_file_t *file = zip_fopen(z, name, 0);
  assert_non_null(file);
  assert_int_equal(zip_fread(file, bytes, info.size), info.size);
  bytes[info.size] = 0;
  zip_fclose(file);
  assert_int_equal(zip_close(z), 0);
  if (size) *size = info.size;
  return bytes;
}

static inline bool same_files(const char *a, const char *b) {
  FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
  assert_true(x && y);
  int c, d;
  do {
    c = fgetc(x);
    d = fgetc(y);
  } while (c == d && c != EOF);
  fclose(x);
  fclose(y);
  return c == d;
}

static inline void text_between(char *to, size_t buffer, const char *text, const char *before,
                                const char *after) {
  const char *from = strstr(text, before);
  assert_non_null(from);
  from += strlen(before);
  const char *end = strstr(from, after);
  assert_true(end && (size_t)(end - from) < buffer);
  memcpy(to, from, (size_t)(end - from));
  to[end - from] = 0;
}

// keep: numbers that stay adjustable, or NULL; the FMU does not need them afterwards.
static inline fmu fmu_load_keeping(lim_model *m, const char *name, int version, lim_parameters *keep) {
  fmu f = {.version = version};
  lim_error err = {0};
  lim_generated *g = NULL;
  char inside[160], library[128];
  size_t size;
  snprintf(f.folder, sizeof f.folder, "/tmp/limber-fmu-XXXXXX");
  assert_non_null(mkdtemp(f.folder));
  snprintf(f.path, sizeof f.path, "%s/model.fmu", f.folder);
  lim_code code = lim_generate(&g, m, name, "models", keep, &err);
  if (code == LIM_OK) code = lim_fmu_write(g, (lim_fmu_options){.version = version}, f.path, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  snprintf(inside, sizeof inside, "binaries/%s/%s.so", version == 2 ? "linux64" : "x86_64-linux", g->name);
  char *bytes = unpack(f.path, inside, &size);
  snprintf(library, sizeof library, "%s/model.so", f.folder);
  FILE *file = fopen(library, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  free(bytes);
  f.description = unpack(f.path, "modelDescription.xml", NULL);
  text_between(f.token, sizeof f.token, f.description, version == 2 ? " guid=\"" : " instantiationToken=\"",
               "\"");
  f.library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!f.library) print_error("%s\n", dlerror());
  assert_non_null(f.library);
  for (const char *at = f.description; (at = strstr(at, " derivative=\"")) != NULL; at++) f.states++;
  lim_generated_free(g);
  return f;
}

static inline fmu fmu_load(lim_model *m, const char *name, int version) {
  return fmu_load_keeping(m, name, version, NULL);
}

static inline void fmu_drop(fmu *f) {
  char command[128];
  dlclose(f->library);
  free(f->description);
  snprintf(command, sizeof command, "rm -r %s", f->folder);
  assert_int_equal(system(command), 0);
}

// Value reference of a variable; -1: there is none.
static inline int fmu_reference(const fmu *f, const char *name) {
  char key[200];
  snprintf(key, sizeof key, " name=\"%s\" valueReference=\"", name);
  const char *found = strstr(f->description, key);
  return found ? atoi(found + strlen(key)) : -1;
}

// --- calls ---

static inline void say2(fmi2ComponentEnvironment e, fmi2String name, fmi2Status status, fmi2String category,
                        fmi2String message, ...) {
  (void)e, (void)status, (void)message;
  print_error("%s, %s: an error\n", name, category);
}

static inline void *fmu_new(const fmu *f, const char *name, bool exchange) {
  static const fmi2CallbackFunctions callbacks = {.logger = say2};
  if (f->version == 2)
    return CALL2(f, Instantiate)(name, exchange ? fmi2ModelExchange : fmi2CoSimulation, f->token, NULL,
                                 &callbacks, 0, 1);
  if (exchange) return CALL3(f, InstantiateModelExchange)(name, f->token, NULL, false, false, NULL, NULL);
  return CALL3(f, InstantiateCoSimulation)(name, f->token, NULL, false, false, false, false, NULL, 0, NULL,
                                           NULL, NULL);
}

#define BOTH(f, name, ...)                                                                                     \
  ((f)->version == 2 ? (int)CALL2(f, name)(__VA_ARGS__) : (int)CALL3(f, name)(__VA_ARGS__))

static inline void fmu_free_instance(const fmu *f, void *i) {
  if (f->version == 2)
    CALL2(f, FreeInstance)(i);
  else
    CALL3(f, FreeInstance)(i);
}

static inline void fmu_initialise(const fmu *f, void *i, double stop) {
  if (f->version == 2) {
    assert_int_equal(CALL2(f, SetupExperiment)(i, 0, 0, 0, 1, stop), 0);
    assert_int_equal(CALL2(f, EnterInitializationMode)(i), 0);
  } else
    assert_int_equal(CALL3(f, EnterInitializationMode)(i, false, 0, 0, true, stop), 0);
  assert_int_equal(BOTH(f, ExitInitializationMode, i), 0);
}

static inline int fmu_step(const fmu *f, void *i, double t, double h) {
  bool event, terminate, early;
  double reached;
  if (f->version == 2) return CALL2(f, DoStep)(i, t, h, 1);
  int status = CALL3(f, DoStep)(i, t, h, true, &event, &terminate, &early, &reached);
  if (status == 0) assert_true(!event && !terminate && !early && fabs(reached - t - h) < 1e-12);
  return status;
}

static inline double fmu_get(const fmu *f, void *i, int reference) {
  const unsigned r = (unsigned)reference;
  double x = NAN;
  int status =
      f->version == 2 ? (int)CALL2(f, GetReal)(i, &r, 1, &x) : (int)CALL3(f, GetFloat64)(i, &r, 1, &x, 1);
  assert_int_equal(status, 0);
  return x;
}

static inline double fmu_value(const fmu *f, void *i, const char *name) {
  int reference = fmu_reference(f, name);
  if (reference < 0) fail_msg("there is no variable %s", name);
  return fmu_get(f, i, reference);
}

static inline int fmu_set(const fmu *f, void *i, const char *name, double x) {
  const unsigned r = (unsigned)fmu_reference(f, name);
  return f->version == 2 ? (int)CALL2(f, SetReal)(i, &r, 1, &x) : (int)CALL3(f, SetFloat64)(i, &r, 1, &x, 1);
}

static inline void fmu_derivatives(const fmu *f, void *i, double *x) {
  int status = f->version == 2 ? (int)CALL2(f, GetDerivatives)(i, x, (size_t)f->states)
                               : (int)CALL3(f, GetContinuousStateDerivatives)(i, x, (size_t)f->states);
  assert_int_equal(status, 0);
}

// Handle an event; when the next one in time is. HUGE_VAL: never.
static inline double fmu_event(const fmu *f, void *i, bool *moved) {
  double next;
  if (f->version == 2) {
    fmi2EventInfo info = {.newDiscreteStatesNeeded = 1};
    while (info.newDiscreteStatesNeeded) assert_int_equal(CALL2(f, NewDiscreteStates)(i, &info), 0);
    *moved = info.valuesOfContinuousStatesChanged;
    next = info.nextEventTimeDefined ? info.nextEventTime : HUGE_VAL;
  } else {
    bool again = true, terminate, nominals, has_next;
    while (again)
      assert_int_equal(
          CALL3(f, UpdateDiscreteStates)(i, &again, &terminate, &nominals, moved, &has_next, &next), 0);
    if (!has_next) next = HUGE_VAL;
  }
  assert_int_equal(BOTH(f, EnterContinuousTimeMode, i), 0);
  return next;
}

static inline bool fmu_completed(const fmu *f, void *i) {
  if (f->version == 2) {
    int event, terminate;
    assert_int_equal(CALL2(f, CompletedIntegratorStep)(i, 1, &event, &terminate), 0);
    return event;
  }
  bool event, terminate;
  assert_int_equal(CALL3(f, CompletedIntegratorStep)(i, true, &event, &terminate), 0);
  return event;
}

#endif
