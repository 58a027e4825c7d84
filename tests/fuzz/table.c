// table.c - fuzz target: any bytes as a CSV table, of a motion and of a figure.
#include "report/table.h"
#include "motion/csv.h"
#include "place.h"

#include <math.h>

// Rows that were read are finite and have their lines in order.
static bool read_numbers(const char *path) {
  lim_error err = {0};
  lim_csv t;
  const lim_code code = lim_csv_read(&t, path, &err);
  if ((code == LIM_OK) != (err.count == 0) || (code == LIM_OK) != (t.rows > 0)) abort();
  for (int i = 0; i < t.rows; i++) {
    if (t.line[i] <= (i ? t.line[i - 1] : 0)) abort();
    for (int k = 0; k < t.columns; k++)
      if (isnan(t.value[i * t.columns + k])) abort();
  }
  lim_csv_free(&t);
  lim_error_clear(&err);
  return code == LIM_OK;
}

static void read_columns(const char *path) {
  lim_error err = {0};
  lim_result_table t;
  const lim_code code = lim_table_open(&t, path, &err);
  if ((code == LIM_OK) != (err.count == 0)) abort();
  for (int i = 0; i < t.count && code == LIM_OK; i++) {
    double sum = 0;
    for (long k = 0; k < t.rows; k++) sum += t.column[i].value[k];
    if (sum > 0 && lim_table_find(&t, t.column[i].name) > i) abort();
  }
  lim_table_close(&t);
  lim_error_clear(&err);
}

static void follow(void) {
  static const char model[] = "limber: 1\n"
                              "links: [{name: arm, body: {mass: 1, tip: [1, 0, 0]}}]\n"
                              "motion: {arm: {profile: table, file: table.csv}}\n";
  lim_error err = {0};
  lim_model *m;
  lim_sim *sim;
  if (lim_model_parse(&m, model, sizeof model - 1, "arm.yaml", NULL, 0, &err) != LIM_OK) abort();
  const lim_code code = lim_sim_new(&sim, m, place.folder, &err);
  if ((code == LIM_OK) != (sim != NULL) || (code == LIM_OK) != (err.count == 0)) abort();
  lim_sim_free(sim);
  lim_model_free(m);
  lim_error_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = place_of("table.csv");
  place_write(path, data, size);
  read_columns(path);
  if (read_numbers(path)) follow();
  return 0;
}
