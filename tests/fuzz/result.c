// result.c - fuzz target: results whose parts were replaced, removed, cut or changed in any way that HDF5
// allows, read by what reports, figures and spectra are made with. Damage of the bytes is left to
// tests/unit/store_reading.c: libhdf5 itself does not bear all of it.
#include "place.h"
#include "report/figure/figure.h"
#include "report/report.h"
#include "report/table.h"
#include "signal/spectrum.h"
#include "stream.h"

#include <hdf5.h>

enum { BASES = 3, PARTS = 200, EDITS = 8, BYTES = 1 << 20 };

// A result of arm.yaml, and the paths of its parts.
typedef struct {
  unsigned char *bytes;
  size_t size;
  int parts;
  char *part[PARTS];
} base;

// --- the results to begin with, which the build makes ---

static herr_t collect(hid_t file, const char *name, const H5O_info_t *info, void *user) {
  base *b = user;
  (void)file, (void)info;
  if (b->parts < PARTS && strcmp(name, ".")) b->part[b->parts++] = strdup(name);
  return 0;
}

static herr_t collect_attribute(hid_t file, const char *name, const H5A_info_t *info, void *user) {
  base *b = user;
  char path[256];
  (void)file, (void)info;
  snprintf(path, sizeof path, "@%s", name);
  if (b->parts < PARTS) b->part[b->parts++] = strdup(path);
  return 0;
}

static void load(base *b, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) abort();
  b->bytes = malloc(BYTES);
  b->size = fread(b->bytes, 1, BYTES, file);
  fclose(file);
  hid_t id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hsize_t n = 0;
  H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, &n, collect_attribute, b);
  H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, collect, b, H5O_INFO_BASIC);
  H5Fclose(id);
  if (!b->size || b->size == BYTES || !b->parts) abort();
}

static const base *bases(void) {
  static const char *const path[BASES] = {RESULTS "/simulate/result.h5", RESULTS "/static/result.h5",
                                          RESULTS "/modes/result.h5"};
  static base all[BASES];
  for (int i = 0; i < BASES && !all[i].bytes; i++) load(&all[i], path[i]);
  return all;
}

// --- edits ---

static hid_t take_space(stream *s) {
  static const hsize_t sizes[] = {1, 2, 0, 3, 5, 8, 101, 1000};
  hsize_t size[4];
  const int rank = take(s, 5);
  for (int i = 0; i < rank; i++) size[i] = sizes[take(s, i < 2 ? 8 : 4)];
  return rank ? H5Screate_simple(rank, size, NULL) : H5Screate(take(s, 2) ? H5S_NULL : H5S_SCALAR);
}

static hid_t take_type(stream *s) {
  const int what = take(s, 8);
  hid_t type = H5Tcopy(what < 2    ? H5T_NATIVE_DOUBLE
                       : what == 2 ? H5T_NATIVE_FLOAT
                       : what == 3 ? H5T_NATIVE_SCHAR
                                   : H5T_C_S1);
  if (what == 5) H5Tset_size(type, 40);
  if (what == 6) H5Tset_size(type, H5T_VARIABLE);
  if (what == 7) H5Tset_size(type, 100000);
  return type;
}

// The numbers, or the text, that a new part has. NULL: they would be too many.
static void *take_content(stream *s, hid_t type, hid_t space) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const size_t each = H5Tget_size(type), size = each * (size_t)(count > 0 ? count : 0) + sizeof(double);
  if (size > BYTES) return NULL;
  unsigned char *content = calloc(1, size);
  const double x = take_number(s);
  if (!content || H5Tis_variable_str(type) > 0) return content; // texts that are not there
  for (size_t i = 0; i < size - sizeof x; i++)
    content[i] = (unsigned char)(s->at < s->end ? *s->at++ : i % 64 == 63 ? 0 : 'x');
  if (H5Tget_class(type) == H5T_FLOAT && each == sizeof x)
    for (size_t i = 0; i < size - sizeof x; i += each) memcpy(content + i, &x, each);
  return content;
}

static void put(hid_t file, const char *part, stream *s) {
  hid_t type = take_type(s), space = take_space(s), id = -1;
  void *content = take_content(s, type, space);
  if (*part == '@') {
    if (content) id = H5Acreate2(file, part + 1, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0) H5Awrite(id, type, content);
    H5Aclose(id);
  } else {
    if (content) id = H5Dcreate2(file, part, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0) H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
    H5Dclose(id);
  }
  free(content);
  H5Sclose(space);
  H5Tclose(type);
}

static void cut(hid_t file, const char *part, stream *s) {
  hsize_t size[H5S_MAX_RANK];
  hid_t set = H5Dopen2(file, part, H5P_DEFAULT), space = H5Dget_space(set);
  const int rank = H5Sget_simple_extent_dims(space, size, NULL);
  for (int i = 0; i < rank; i++) size[i] = (hsize_t)take(s, 128);
  if (rank > 0) H5Dset_extent(set, size);
  H5Sclose(space);
  H5Dclose(set);
}

// One number of many.
static void change(hid_t file, const char *part, stream *s) {
  hid_t set = H5Dopen2(file, part, H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const H5T_class_t class = H5Tget_class(type);
  if (count > 0 && count < BYTES && (class == H5T_FLOAT || class == H5T_INTEGER)) {
    double *x = calloc((size_t)count, sizeof *x);
    if (x && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0) {
      x[(take(s, 256) * 256 + take(s, 256)) % count] = take_number(s);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    }
    free(x);
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
}

static void edit(hid_t file, const base *b, stream *s) {
  const char *part = b->part[take(s, b->parts)];
  const int what = take(s, 8);
  if (*part == '@' || what < 3) {
    *part == '@' ? H5Adelete(file, part + 1) : H5Ldelete(file, part, H5P_DEFAULT);
    if (what) put(file, part, s);
    return;
  }
  switch (what) {
  case 3: cut(file, part, s); break;
  case 4:
    H5Ldelete(file, part, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, part, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    break;
  case 5:
    H5Ldelete(file, part, H5P_DEFAULT);
    H5Lcreate_soft(b->part[take(s, b->parts)], file, part, H5P_DEFAULT, H5P_DEFAULT);
    break;
  default: change(file, part, s);
  }
}

static void write_edited(const char *path, const base *b, stream *s) {
  place_write(path, b->bytes, b->size);
  H5E_BEGIN_TRY {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (int i = 0; i < EDITS && s->at < s->end; i++) edit(file, b, s);
    H5Fclose(file);
  }
  H5E_END_TRY;
}

// --- readers ---

static void report(const char *path) {
  lim_error err = {0};
  lim_report *r;
  const lim_code code = lim_report_new(&r, &path, 1, &err);
  if ((code == LIM_OK) != (r != NULL) || (code == LIM_OK) != (err.count == 0)) abort();
  lim_report_free(r);
  lim_error_clear(&err);
}

static void spectrum(const lim_result_table *t, int column, stream *s) {
  lim_error err = {0};
  lim_spectrum *p;
  lim_spectrum_setup setup = lim_spectrum_default();
  setup.segments = 1 + take(s, 4);
  const lim_code code =
      lim_spectrum_new(&p, t->column[0].value, t->column[column].value, t->rows, &setup, &err);
  if ((code == LIM_OK) != (p != NULL) || (code == LIM_OK) != (err.count == 0)) abort();
  lim_spectrum_free(p);
  lim_error_clear(&err);
}

static void figure(const lim_result_table *t, int column, stream *s) {
  const lim_reading_channel *y = &t->column[column];
  lim_curve curve = {.label = t->label, .x = t->column[0].value, .y = y->value, .count = t->rows};
  lim_panel panel = {.name = y->name, .unit = y->unit, .count = 1, .curve = &curve};
  const lim_figure f = {.width = LIM_FIGURE_WIDTH,
                        .x_name = "t",
                        .x_unit = "s",
                        .log_y = take(s, 2),
                        .count = 1,
                        .panel = &panel};
  lim_error err = {0};
  lim_text out = {0};
  if ((lim_figure_draw(&out, &f, LIM_FIGURE_SVG, &err) == LIM_OK) != (err.count == 0)) abort();
  lim_text_free(&out);
  lim_error_clear(&err);
}

static void table(const char *path, stream *s) {
  lim_error err = {0};
  lim_result_table t;
  const lim_code code = lim_table_open(&t, path, &err);
  if ((code == LIM_OK) != (err.count == 0)) abort();
  if (code == LIM_OK && t.count > 1) {
    const int column = 1 + take(s, t.count - 1);
    spectrum(&t, column, s);
    figure(&t, column, s);
  }
  lim_table_close(&t);
  lim_error_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stream s = {data, data + size};
  const base *b = &bases()[take(&s, BASES)];
  const char *path = place_of(take(&s, 4) ? "result.h5" : "result.h5.part");
  write_edited(path, b, &s);
  if (take(&s, 2))
    table(path, &s);
  else
    report(path);
  return 0;
}
