// h5.c - HDF5 behind a small interface.
#include "base/hdf5/h5.h"

#include "base/hdf5/hdf5_calls.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFLATE = 4 }; // zlib's level: more costs time and gains little on shuffled doubles

// The format of 1.10: headers with checksums, and rows that can be added safely.
static hid_t format(void) {
  hid_t how = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(how, H5F_LIBVER_V110, H5F_LIBVER_V110);
  return how;
}

lim_code lim_h5_load(lim_error *err) { return lim_hdf5_load(err); }

lim_h5 lim_h5_create(const char *path) {
  hid_t file = -1;
  H5dont_atexit(); // ours are all closed; what is left of one that could not be written must not be touched
                   // again
  H5E_BEGIN_TRY {
    hid_t how = format();
    unlink(path);
    file = H5Fcreate(path, H5F_ACC_EXCL, H5P_DEFAULT, how); // not through a link that was put there
    H5Pclose(how);
  }
  H5E_END_TRY;
  return file;
}

bool lim_h5_rows_only(lim_h5 file) {
  herr_t status = -1;
  H5E_BEGIN_TRY { status = H5Fstart_swmr_write(file); }
  H5E_END_TRY;
  return status >= 0;
}

void lim_h5_abandon(lim_h5 file) {
  int *descriptor = NULL, nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  H5E_BEGIN_TRY {
    H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&descriptor);
    if (descriptor && nowhere >= 0) dup2(nowhere, *descriptor);
  }
  H5E_END_TRY;
  if (nowhere >= 0) close(nowhere);
}

lim_h5 lim_h5_reopen(const char *path) {
  hid_t file = -1;
  H5E_BEGIN_TRY {
    hid_t how = format();
    file = H5Fopen(path, H5F_ACC_RDWR, how);
    H5Pclose(how);
  }
  H5E_END_TRY;
  return file;
}

bool lim_h5_flush(lim_h5 file) {
  herr_t status = -1;
  H5E_BEGIN_TRY { status = H5Fflush(file, H5F_SCOPE_LOCAL); }
  H5E_END_TRY;
  return status >= 0;
}

bool lim_h5_close(lim_h5 file) {
  herr_t status = 0;
  if (file < 0) return true;
  H5E_BEGIN_TRY { status = H5Fclose(file); }
  H5E_END_TRY;
  return status >= 0;
}

lim_h5 lim_h5_group(lim_h5 parent, const char *name) {
  hid_t group = -1;
  H5E_BEGIN_TRY {
    hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(how, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    group = H5Gcreate2(parent, name, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
  }
  H5E_END_TRY;
  return group;
}

void lim_h5_group_close(lim_h5 group) {
  if (group >= 0) H5Gclose(group);
}

// --- texts and numbers that are written once ---

// UTF-8, filled up with zeros to a fixed length: what HDF5 stores beside a length of its own has no checksum,
// and libraries have crashed on damaged ones.
static hid_t text_type(size_t length) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length ? length : 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

static bool set_attribute(lim_h5 on, const char *name, hid_t type, const void *value) {
  herr_t status = -1;
  H5E_BEGIN_TRY {
    hid_t space = H5Screate(H5S_SCALAR), a = H5Acreate2(on, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    status = H5Awrite(a, type, value);
    H5Aclose(a);
    H5Sclose(space);
  }
  H5E_END_TRY;
  return status >= 0;
}

bool lim_h5_set_text(lim_h5 on, const char *name, const char *text) {
  hid_t type = text_type(strlen(text));
  bool good = set_attribute(on, name, type, text);
  H5Tclose(type);
  return good;
}

bool lim_h5_set_number(lim_h5 on, const char *name, double x) {
  return set_attribute(on, name, H5T_NATIVE_DOUBLE, &x);
}

// count < 0: a single value
static bool write_set(lim_h5 parent, const char *name, hid_t type, const void *value, int count) {
  herr_t status = -1;
  H5E_BEGIN_TRY {
    hsize_t size = (hsize_t)(count < 0 ? 1 : count);
    hid_t space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    status = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    H5Dclose(set);
    H5Sclose(space);
  }
  H5E_END_TRY;
  return status >= 0;
}

bool lim_h5_text(lim_h5 parent, const char *name, const char *text) {
  hid_t type = text_type(strlen(text));
  bool good = write_set(parent, name, type, text, -1);
  H5Tclose(type);
  return good;
}

bool lim_h5_texts(lim_h5 parent, const char *name, const char *const *text, int count) {
  size_t length = 1;
  for (int i = 0; i < count; i++)
    if (strlen(text[i]) > length) length = strlen(text[i]);
  char *all = calloc((size_t)count + 1, length);
  if (!all) return false;
  for (int i = 0; i < count; i++) memcpy(all + (size_t)i * length, text[i], strlen(text[i]));
  hid_t type = text_type(length);
  bool good = write_set(parent, name, type, all, count);
  H5Tclose(type);
  free(all);
  return good;
}

bool lim_h5_ints(lim_h5 parent, const char *name, const int *x, int count) {
  return write_set(parent, name, H5T_NATIVE_INT, x, count);
}

bool lim_h5_doubles(lim_h5 parent, const char *name, const double *x, int count) {
  return write_set(parent, name, H5T_NATIVE_DOUBLE, x, count);
}

bool lim_h5_int_rows(lim_h5 parent, const char *name, const int *x, int rows, int wide) {
  herr_t status = -1;
  const hsize_t size[2] = {(hsize_t)rows, (hsize_t)wide};
  H5E_BEGIN_TRY {
    hid_t space = H5Screate_simple(2, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, 2, size);
    H5Pset_shuffle(how);
    H5Pset_deflate(how, DEFLATE);
    hid_t set = H5Dcreate2(parent, name, H5T_NATIVE_INT, space, H5P_DEFAULT, how, H5P_DEFAULT);
    status = H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
  }
  H5E_END_TRY;
  return status >= 0;
}

bool lim_h5_pages(lim_h5 parent, const char *name, const char *unit, const float *x, int count, int rows,
                  int wide) {
  lim_h5_list list = {.set = -1, .single = true, .width = {rows, wide}};
  bool good = lim_h5_list_start(&list, parent, name, unit, 1);
  for (int i = 0; i < count && good; i++)
    good = lim_h5_list_add(&list, x + (size_t)i * (size_t)rows * (size_t)wide, 1);
  return lim_h5_list_end(&list) && good;
}

bool lim_h5_overwrite(lim_h5 parent, const char *name, const double *x) {
  herr_t status = -1;
  H5E_BEGIN_TRY {
    hid_t set = H5Dopen2(parent, name, H5P_DEFAULT);
    if (set >= 0) status = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    H5Dclose(set);
  }
  H5E_END_TRY;
  return status >= 0;
}

// --- lists that grow ---

static int rank_of(const lim_h5_list *l) { return l->width[1] ? 3 : l->width[0] ? 2 : 1; }

static hid_t type_of(const lim_h5_list *l) {
  return l->whole ? H5T_NATIVE_INT : l->single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

// Sizes with `rows` in the first place.
static void sizes(hsize_t out[3], const lim_h5_list *l, long rows) {
  out[0] = (hsize_t)rows;
  out[1] = (hsize_t)l->width[0];
  out[2] = (hsize_t)l->width[1];
}

bool lim_h5_list_start(lim_h5_list *l, lim_h5 parent, const char *name, const char *unit, long chunk) {
  hsize_t now[3], max[3], piece[3];
  sizes(now, l, 0);
  sizes(max, l, 0);
  sizes(piece, l, chunk);
  max[0] = H5S_UNLIMITED;
  H5E_BEGIN_TRY {
    hid_t space = H5Screate_simple(rank_of(l), now, max), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, rank_of(l), piece);
    H5Pset_shuffle(how);
    H5Pset_deflate(how, DEFLATE);
    l->set = H5Dcreate2(parent, name, type_of(l), space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
  }
  H5E_END_TRY;
  return l->set >= 0 && lim_h5_set_text(l->set, "unit", unit);
}

bool lim_h5_list_add(lim_h5_list *l, const void *rows, long count) {
  hsize_t whole[3], piece[3], from[3] = {(hsize_t)l->rows};
  herr_t status = 0;
  sizes(whole, l, l->rows + count);
  sizes(piece, l, count);
  if (count == 0) return true;
  H5E_BEGIN_TRY {
    status = H5Dset_extent(l->set, whole);
    hid_t file = H5Dget_space(l->set), memory = H5Screate_simple(rank_of(l), piece, NULL);
    H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, piece, NULL);
    if (status >= 0) status = H5Dwrite(l->set, type_of(l), memory, file, H5P_DEFAULT, rows);
    H5Sclose(memory);
    H5Sclose(file);
  }
  H5E_END_TRY;
  l->rows += count;
  return status >= 0;
}

bool lim_h5_list_replace(lim_h5_list *l, const double *rows) {
  herr_t status = -1;
  H5E_BEGIN_TRY { status = H5Dwrite(l->set, type_of(l), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows); }
  H5E_END_TRY;
  return status >= 0;
}

bool lim_h5_list_end(lim_h5_list *l) {
  herr_t status = 0;
  if (l->set < 0) return true;
  H5E_BEGIN_TRY { status = H5Dclose(l->set); }
  H5E_END_TRY;
  l->set = -1;
  return status >= 0;
}
