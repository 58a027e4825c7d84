// h5_both.c - one call for both ways.
#include "base/hdf5/h5_both.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 1 << 18 }; // bytes

// --- numbers ---

static size_t size_of(lim_number_type type) {
  return type == LIM_BOTH_INT ? sizeof(int) : type == LIM_BOTH_FLOAT ? sizeof(float) : sizeof(double);
}

static size_t items(lim_shape s) { return (size_t)s.rows * (size_t)s.wide * (size_t)s.deep; }

static bool list_start(lim_h5_list *l, const lim_both *b, const char *name, const char *unit,
                       lim_number_type type, lim_shape s) {
  const size_t row = items((lim_shape){1, s.wide, s.deep}) * size_of(type);
  long chunk = row < CHUNK ? (long)(CHUNK / row) : 1;
  if (chunk > s.rows) chunk = s.rows;
  *l = (lim_h5_list){.set = -1, .single = type == LIM_BOTH_FLOAT, .whole = type == LIM_BOTH_INT};
  l->width[0] = s.wide > 1 || s.deep > 1 ? s.wide : 0;
  l->width[1] = s.deep > 1 ? s.deep : 0;
  return lim_h5_list_start(l, b->at, name, unit, chunk);
}

static bool is_finite(const void *x, lim_number_type type, size_t count) {
  const double *d = x;
  const float *f = x;
  bool good = true;
  for (size_t i = 0; i < count && type == LIM_BOTH_DOUBLE; i++) good &= isfinite(d[i]) != 0;
  for (size_t i = 0; i < count && type == LIM_BOTH_FLOAT; i++) good &= isfinite(f[i]) != 0;
  for (size_t i = 0; i < count && type == LIM_BOTH_DOUBLE_OR_NAN; i++) good &= !isinf(d[i]);
  return good;
}

static void *get(lim_both *b, const char *name, lim_number_type type, lim_shape s) {
  long found[3];
  void *x = type == LIM_BOTH_INT     ? (void *)lim_h5_get_ints(b->at, name, found, b->arena)
            : type == LIM_BOTH_FLOAT ? (void *)lim_h5_get_floats(b->at, name, found, b->arena)
                                     : (void *)lim_h5_get_doubles(b->at, name, found, b->arena);
  if (x && found[0] == s.rows && found[1] == s.wide && found[2] == s.deep && is_finite(x, type, items(s)))
    return x;
  b->good = false;
  return NULL;
}

void *lim_both_array(lim_both *b, const char *name, const char *unit, lim_number_type type, const void *x,
                     lim_shape s) {
  lim_h5_list l;
  if (!b->good) return NULL;
  if (items(s) == 0) {
    void *none = b->reading ? lim_arena_array(b->arena, 1, sizeof(double)) : (void *)x;
    b->good = none || !b->reading;
    return none;
  }
  if (b->reading) return get(b, name, type, s);
  b->good = list_start(&l, b, name, unit, type, s) && lim_h5_list_add(&l, x, s.rows);
  b->good &= lim_h5_list_end(&l);
  return (void *)x;
}

double *lim_both_doubles(lim_both *b, const char *name, const char *unit, const double *x, lim_shape s) {
  return lim_both_array(b, name, unit, LIM_BOTH_DOUBLE, x, s);
}

void lim_both_fixed(lim_both *b, const char *name, const char *unit, lim_number_type type, double *x,
                    int count) {
  const double *found = lim_both_array(b, name, unit, type, x, (lim_shape){count, 1, 1});
  if (b->reading && found) memcpy(x, found, (size_t)count * sizeof *x);
}

void lim_both_whole(lim_both *b, const char *name, int *x, int most) {
  if (!b->good) return;
  if (!b->reading) {
    b->good = lim_h5_set_number(b->at, name, *x);
    return;
  }
  const double found = lim_h5_get_number(b->at, name);
  b->good = found >= 0 && found <= most && found == floor(found);
  *x = b->good ? (int)found : 0;
}

bool lim_both_flag(lim_both *b, const char *name, bool x) {
  int value = x;
  lim_both_whole(b, name, &value, 1);
  return value;
}

void lim_both_stack(lim_both *b, const char *name, const char *unit, double **item, int count, int wide,
                    int deep) {
  lim_h5_list l;
  const lim_shape s = {count, wide, deep};
  if (!b->good) return;
  if (b->reading) {
    double *all = lim_both_doubles(b, name, unit, NULL, s);
    for (int i = 0; i < count && all; i++) item[i] = all + (size_t)i * items((lim_shape){1, wide, deep});
    return;
  }
  if (items(s) == 0) return;
  b->good = list_start(&l, b, name, unit, LIM_BOTH_DOUBLE, s);
  for (int i = 0; i < count && b->good; i++) b->good = lim_h5_list_add(&l, item[i], 1);
  b->good &= lim_h5_list_end(&l);
}

void lim_both_stack_known(lim_both *b, const char *name, const char *which, const char *unit, double **item,
                          int count, int n) {
  int known = 0;
  double **some = lim_arena_array(b->arena, (size_t)count + 1, sizeof *some);
  int *of = lim_arena_array(b->arena, (size_t)count + 1, sizeof *of);
  b->good = b->good && some && of;
  for (int i = 0; i < count && b->good && !b->reading; i++) {
    if (!item[i]) continue;
    of[known] = i;
    some[known++] = item[i];
  }
  lim_both_whole(b, which, &known, count);
  of = lim_both_array(b, which, "", LIM_BOTH_INT, of, (lim_shape){known, 1, 1});
  for (int i = 0; i < known && b->good; i++) b->good = of[i] > (i ? of[i - 1] : -1) && of[i] < count;
  lim_both_stack(b, name, unit, some, known, n, n);
  for (int i = 0; i < known && b->good && b->reading; i++) item[of[i]] = some[i];
}

int *lim_both_indices(lim_both *b, const char *name, const int *x, lim_shape s, int most) {
  int *found = lim_both_array(b, name, "", LIM_BOTH_INT, x, s);
  for (size_t i = 0; b->good && i < items(s); i++) b->good = found[i] >= 0 && found[i] < most;
  return found;
}

// --- groups ---

lim_h5 lim_both_enter(lim_both *b, const char *name) {
  const lim_h5 outer = b->at;
  if (b->good) b->at = b->reading ? lim_h5_open_group(outer, name) : lim_h5_group(outer, name);
  b->good = b->good && b->at >= 0;
  if (!b->good) b->at = outer;
  return outer;
}

void lim_both_leave(lim_both *b, lim_h5 outer) {
  if (b->at != outer) lim_h5_group_close(b->at);
  b->at = outer;
}

// --- texts ---

void lim_both_texts(lim_both *b, const char *name, const char **text, int count) {
  const char **found;
  if (!b->good) return;
  if (!b->reading) {
    b->good = lim_h5_texts(b->at, name, text, count);
    return;
  }
  b->good = lim_h5_get_texts(&found, b->at, name, b->arena) == count;
  for (int i = 0; i < count && b->good; i++) text[i] = found[i];
}
