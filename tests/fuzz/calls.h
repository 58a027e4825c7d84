// calls.h - what fmu2.c and fmu3.c share: instances of an FMU whose source is compiled in, and the status that
// calls must give. The modes in which a call is allowed are those of the standard, followed here by themselves.
#ifndef LIM_FUZZ_CALLS_H
#define LIM_FUZZ_CALLS_H

#include "stream.h"

#include "all.c" // of the FMU

enum { INSTANCES = 2, SAVED = 2, CALLS = 64, ARRAY = 8 };

// What the arguments of a call are worth where it is allowed.
typedef enum {
  RIGHT,   // OK
  WRONG,   // Error
  UNEVEN,  // right, then wrong: not OK
  NUMBERS, // the equations decide
} worth;

typedef struct {
  fmu_instance *f; // NULL: none
  int type, mode;
} subject;

typedef struct {
  stream in;
  subject subject[INSTANCES], *now; // now: of the call
  void *saved[SAVED];
} scene;

// A call has given a status: abort unless it is right.
static int judge(scene *x, int modes, worth w, int status) {
  subject *s = x->now;
  if (!s->f || !(s->mode & modes)) w = WRONG;
  const int bad = (w == WRONG && status != FMU_ERROR) || (w == RIGHT && status != FMU_OK) ||
                  (w == UNEVEN && status == FMU_OK) || status == FMU_WARNING || status > FMU_ERROR ||
                  (status == FMU_DISCARD && s->type == FMU_CO_SIMULATION);
  if (bad) abort();
  if (status == FMU_ERROR) s->mode = FMU_FAILED;
  if (s->f && s->f->now.mode != s->mode) abort();
  return status == FMU_OK;
}

// After a call that leads to another mode.
static void lead(scene *x, int from, worth w, int status, int to) {
  subject *s = x->now;
  if (s->f && status == FMU_OK && (s->mode & from)) s->mode = to;
  judge(x, status == FMU_OK ? to : from, w, status);
}

// --- arrays of the right size, so that the sanitizer sees what is read beyond them; sometimes NULL ---

typedef struct {
  size_t n;
  unsigned *reference;
  double *value;
} array;

static array take_array(scene *x) {
  const int n = take(&x->in, ARRAY + 1), less = take(&x->in, 16);
  array a = {.n = (size_t)n};
  if (less != 1) a.reference = malloc((size_t)n * sizeof *a.reference);
  if (less != 2) a.value = malloc((size_t)n * sizeof *a.value);
  for (int i = 0; i < n; i++) {
    unsigned r = (unsigned)take(&x->in, 128);
    double value = take_number(&x->in);
    if (r == 127) r = 0xffffffffu;
    if (r == FMU_INNER && value > 0 && value < 1e-4) value = 1e-3; // or steps take for ever
    if (a.reference) a.reference[i] = r;
    if (a.value) a.value[i] = value;
  }
  return a;
}

static void drop(array *a) {
  free(a->reference);
  free(a->value);
}

static worth worth_getting(const array *a) {
  if (a->n && (!a->reference || !a->value)) return WRONG;
  for (size_t i = 0; i < a->n; i++)
    if (a->reference[i] >= FMU_REFERENCES || a->reference[i] == FMU_OWN) return UNEVEN;
  return NUMBERS;
}

static int settable(int mode, unsigned r, double value) {
  const int early = mode & (FMU_INSTANTIATED | FMU_INITIALIZATION);
  if (r >= FMU_OUTPUT || r == FMU_OWN || r == FMU_TIME || !isfinite(value)) return 0;
  if (r == FMU_INNER) return early && value > 0;
  if (r < FMU_DERIVATIVE) return early;
  if (r < FMU_INPUT) return 0;
  return r < FMU_PARAMETER || mode != FMU_CONTINUOUS;
}

static worth worth_setting(const scene *x, const array *a) {
  if (a->n && (!a->reference || !a->value)) return WRONG;
  for (size_t i = 0; i < a->n; i++)
    if (!settable(x->now->mode, a->reference[i], a->value[i])) return WRONG;
  return RIGHT;
}

static worth worth_states(size_t n, const double *value) {
  return n != FMU_STATES || (n && !value) ? WRONG : NUMBERS;
}

// --- steps ---

// Whether a step is of a length that fuzzing can wait for.
static int short_enough(const scene *x, double length) {
  const fmu_instance *f = x->now->f;
  return !f || !(length / f->now.step > 1e3) || length / f->now.step > 1e9;
}

static worth worth_step(const scene *x, double from, double length) {
  const fmu_instance *f = x->now->f;
  return f && isfinite(from) && length > 0 && isfinite(length) ? NUMBERS : WRONG;
}

// --- saved states ---

static worth worth_restoring(const scene *x, const void *saved) {
  const fmu_saved *s = saved;
  if (!s) return WRONG;
  const int other = x->now->type == FMU_CO_SIMULATION ? FMU_EVENT | FMU_CONTINUOUS : FMU_STEP;
  return s->now.mode & other ? WRONG : RIGHT;
}

// Bytes of a state with one of them changed, or not.
static void damage(scene *x, unsigned char *bytes, size_t size) {
  const int where = take(&x->in, 256), how = take(&x->in, 256);
  if (size) bytes[(size_t)where * 7 % size] ^= (unsigned char)how;
}

static void end(scene *x) {
  for (int i = 0; i < SAVED; i++) free(x->saved[i]);
  for (int i = 0; i < INSTANCES; i++) fmu_free(x->subject[i].f);
}

typedef void (*call)(scene *x);

static void run(const call *calls, int count, const uint8_t *data, size_t size) {
  scene x = {.in = {data, data + size}};
  for (int i = 0; i < CALLS && x.in.at < x.in.end; i++) {
    const int what = take(&x.in, count * INSTANCES);
    x.now = &x.subject[what % INSTANCES];
    calls[what / INSTANCES](&x);
  }
  end(&x);
}

#define ALL(calls) (calls), (int)(sizeof(calls) / sizeof *(calls))

#endif
