// table_report.c - the tables of a model, each read once more for its size, range and units.
#include "motion/table_report.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  lim_table_reports *out;
  size_t capacity; // of its items
  const char *directory;
  lim_error *err;
  lim_code code;
} reader;

static lim_table_report describe(const lim_csv *t, const char *file, const char *use) {
  lim_table_report x = {.file = file, .use = use, .rows = t->rows, .columns = t->columns};
  x.from = x.low = INFINITY;
  x.to = x.high = -INFINITY;
  for (int i = 0; i < t->rows; i++) {
    const double *row = t->value + (size_t)i * (size_t)t->columns, y = t->columns > 1 ? row[1] : NAN;
    x.from = fmin(x.from, row[0]);
    x.to = fmax(x.to, row[0]);
    x.low = fmin(x.low, y);
    x.high = fmax(x.high, y);
  }
  for (int i = 0; i < LIM_CSV_UNIT; i++) x.unit[i] = t->unit[1][i];
  return x;
}

static void add(reader *r, const lim_head *head, const char *key, const char *file) {
  lim_csv t;
  lim_text path;
  if (!file || r->code != LIM_OK) return;
  r->code = lim_csv_of(&t, &path, head, key, file, r->directory, r->err);
  if (r->code == LIM_OK) {
    if (LIM_GROW(r->out->item, r->capacity, r->out->count))
      r->out->item[r->out->count++] = describe(&t, file, head->where);
    else
      r->code = lim_no_memory(r->err);
  }
  lim_csv_free(&t);
  lim_text_free(&path);
}

static void add_signal(reader *r, const lim_signal *signal) {
  for (int i = 0; i < signal->list.count; i++) {
    const lim_profile *p = &signal->list.item[i];
    add(r, &p->head, "file", p->file);
    add_signal(r, &p->of);
  }
}

static void add_law(reader *r, const lim_law *law) {
  if (law->head.node) add(r, &law->head, "table", law->table);
}

lim_code lim_table_reports_new(lim_table_reports *out, const lim_model *m, const char *directory,
                               lim_error *err) {
  reader r = {.out = out, .directory = directory, .err = err};
  *out = (lim_table_reports){0};
  const lim_code named = lim_model_check_files(m, directory, err);
  if (named != LIM_OK) return named;
  for (int i = 0; i < m->motion.count; i++) add_signal(&r, &m->motion.item[i].profile);
  for (int i = 0; i < m->drives.count; i++) {
    add_signal(&r, &m->drives.item[i].effort);
    add_signal(&r, &m->drives.item[i].torque);
    add_law(&r, &m->drives.item[i].gear.torque);
  }
  for (int i = 0; i < m->loads.count; i++) add_signal(&r, &m->loads.item[i].factor);
  for (int i = 0; i < m->springs.count; i++) {
    add_signal(&r, &m->springs.item[i].length);
    add_law(&r, &m->springs.item[i].force);
  }
  for (int i = 0; i < m->blocks.count; i++) {
    add_signal(&r, &m->blocks.item[i].value);
    add(&r, &m->blocks.item[i].head, "file", m->blocks.item[i].file);
  }
  if (r.code == LIM_OK) return LIM_OK;
  free(out->item);
  *out = (lim_table_reports){0};
  return r.code;
}
