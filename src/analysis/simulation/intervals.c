// intervals.c - the path of the tip with the intervals given, and with twice as many.
#include "analysis/simulation/intervals.h"

#include "base/error.h"
#include "base/grow.h"

#include <math.h>
#include <stdlib.h>

static const double GOOD = 0.05; // of the largest deviation

static lim_code keep(lim_intervals *x, const double p[3], lim_error *err) {
  if (!lim_grow(&x->tip, &x->capacity, (size_t)x->count + 1, 3 * sizeof *x->tip)) return lim_no_memory(err);
  for (int i = 0; i < 3; i++) x->tip[3 * x->count + i] = p[i];
  x->count++;
  return LIM_OK;
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  lim_intervals *x = user;
  lim_world_motion tip = lim_snapshot_frame(m, m->system->tool);
  if (!x->second) {
    lim_code code = keep(x, tip.p, err);
    return code == LIM_OK && x->user->record ? x->user->record(x->user->user, m, err) : code;
  }
  lim_world_motion rigid = lim_snapshot_frame_reference(m, m->rigid->tool);
  x->deviation = fmax(x->deviation, distance(tip.p, rigid.p));
  if (x->again < x->count) x->difference = fmax(x->difference, distance(tip.p, x->tip + 3 * x->again));
  x->again++;
  return LIM_OK;
}

static void progress(void *user, double t, double duration) {
  const lim_intervals *x = user;
  if (x->user->progress && !x->second) x->user->progress(x->user->user, t, duration);
}

void lim_intervals_begin(lim_intervals *x, const lim_simulate_hooks *user) {
  *x = (lim_intervals){.user = user};
  x->hooks = (lim_simulate_hooks){.record = record, .progress = progress, .user = x, .stop = user->stop};
}

void lim_intervals_repeat(lim_intervals *x) { x->second = true; }

void lim_intervals_end(lim_intervals *x, const lim_model *m, lim_error *err) {
  if (x->again && x->difference > GOOD * x->deviation)
    lim_warn(err, NAN, NULL,
             "%d intervals of frozen modes are too few: with twice as many the %s is elsewhere by up to %.3g "
             "m, %.2g "
             "times its largest deviation there; take more 'intervals', or mode linear",
             m->solver.intervals, m->tool.ref.text, x->difference, x->difference / x->deviation);
  free(x->tip);
}
