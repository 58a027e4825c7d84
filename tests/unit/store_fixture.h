// store_fixture.h - three moments of a turning link, and a directory of its own for every test of files.
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include "channel_fixture.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURNING                                                                                                \
  "limber: 1\nname: turning\ngravity: [0, 0, 0]\nlinks:\n  - name: arm\n    joint: {name: hub}\n"              \
  "    body: {mass: 2, tip: [0.5, 0, 0]}\nsolver: {duration: 2 s, step: 0.5 s}\n"
#define HUB TURNING "outputs: {channels: [hub.position, energy.kinetic, energy.balance, hub.effort]}\n"

static const lim_run DONE = {.status = LIM_RUN_DONE, .end = 2, .steps = 4, .iterations = 9, .wall = 0.25};

// --- a directory of its own for every test ---

static inline int in_directory(void **state) {
  char path[] = "/tmp/limber-test-XXXXXX";
  *state = strdup(mkdtemp(path) ? path : "");
  return 0;
}

static inline int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
  (void)info, (void)kind, (void)walk;
  return remove(path);
}

static inline int leave_directory(void **state) {
  nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  free(*state);
  return 0;
}

typedef struct {
  char text[512];
} path;

static inline path in(const char *directory, const char *file) {
  path p;
  snprintf(p.text, sizeof p.text, "%s/%s", directory, file);
  return p;
}

static inline bool exists(const char *directory, const char *file) {
  return access(in(directory, file).text, F_OK) == 0;
}

static inline char *content(const char *directory, const char *file) {
  FILE *f = fopen(in(directory, file).text, "rb");
  assert_non_null(f);
  char *text = calloc(1, 1 << 20);
  assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

// --- recording ---

// At t = 0, 0.5, 1.5: position t^2, kinetic energy 4 t, imbalance t/8, effort -1/3.
static inline lim_code record_three(lim_recorder *r, arm *x, lim_error *err) {
  const double t[] = {0, 0.5, 1.5};
  lim_code code = LIM_OK;
  for (int i = 0; i < 3 && code == LIM_OK; i++) {
    x->q[0] = t[i] * t[i];
    x->effort[0] = -1.0 / 3;
    x->m.energy_balance = (lim_energy_balance){.kinetic = 4 * t[i], .balance = t[i] / 8};
    code = lim_recorder_record(r, arm_snapshot(x, t[i]), err);
  }
  return code;
}

static inline lim_recorder *recorder(arm *x, const char *text, const char *directory) {
  static const char *const set[] = {"solver.step=0.5 s"};
  arm_start(x, text);
  const lim_recorder_setup setup = {x->model, directory, text, set, 1};
  lim_recorder *r;
  assert_int_equal(lim_recorder_new(&r, &setup, NULL), LIM_OK);
  return r;
}

#define WITH_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, in_directory, leave_directory)

#endif
