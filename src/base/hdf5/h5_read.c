// h5_read.c - what h5.c has written, read back. What a file says about sizes and types is not believed.
#include "base/hdf5/h5.h"

#include "base/hdf5/hdf5_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NAMES = 100000,     // most members of a group or list
  NAME = 1024,        // most bytes of the name of one
  TEXT = 1 << 28,     // most bytes of a text
  DEFLATE_MOST = 1100 // bytes that one compressed byte can stand for
};

lim_h5 lim_h5_open(const char *path) {
  hid_t file = -1;
  H5dont_atexit(); // it would complain, on standard error, of what it lost on damaged files; ours are all
                   // closed
  H5E_BEGIN_TRY {
    file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) { // still written, or its writer was killed
      hid_t how = H5Pcreate(H5P_FILE_ACCESS);
      H5Pset_metadata_read_attempts(how, 5); // of 100, each longer than the one before
      file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how);
      H5Pclose(how);
    }
  }
  H5E_END_TRY;
  return file;
}

bool lim_h5_has(lim_h5 parent, const char *name) {
  htri_t has = 0;
  H5E_BEGIN_TRY { has = H5Lexists(parent, name, H5P_DEFAULT); }
  H5E_END_TRY;
  return has != 0; // also where HDF5 cannot tell
}

lim_h5 lim_h5_open_group(lim_h5 parent, const char *name) {
  hid_t group = -1;
  H5E_BEGIN_TRY { group = H5Gopen2(parent, name, H5P_DEFAULT); }
  H5E_END_TRY;
  return group;
}

// --- names of members ---

// Whether a group of other programs may be asked in the order of creation.
static H5_index_t index_of(lim_h5 group) {
  unsigned tracked = 0;
  hid_t how = H5Gget_create_plist(group);
  bool known = H5Pget_link_creation_order(how, &tracked) >= 0 && (tracked & H5P_CRT_ORDER_INDEXED);
  H5Pclose(how);
  return known ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

// One by one: H5Literate of libhdf5 1.10 crashes on damaged groups.
static const char *name_at(lim_h5 group, H5_index_t index, hsize_t i, lim_arena *arena) {
  char name[NAME];
  ssize_t n = H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, name, NAME, H5P_DEFAULT);
  return n > 0 && n < NAME ? lim_arena_text(arena, name, (size_t)n) : NULL;
}

int lim_h5_names(const char ***out, lim_h5 group, lim_arena *arena) {
  int count = -1;
  *out = NULL;
  H5E_BEGIN_TRY {
    H5G_info_t info;
    if (group >= 0 && H5Gget_info(group, &info) >= 0 && info.nlinks <= NAMES) {
      H5_index_t index = index_of(group);
      *out = lim_arena_array(arena, (size_t)info.nlinks + 1, sizeof **out);
      for (count = 0; *out && (hsize_t)count < info.nlinks; count++)
        if (!((*out)[count] = name_at(group, index, (hsize_t)count, arena))) *out = NULL;
    }
  }
  H5E_END_TRY;
  return *out ? count : -1;
}

// --- texts: of a fixed length, as text_type of h5.c makes them ---

static bool copy_texts(const char **out, const char *all, size_t length, int count, lim_arena *arena) {
  for (int i = 0; i < count; i++) {
    const char *text = all + (size_t)i * length;
    out[i] = lim_arena_text(arena, text, strnlen(text, length));
    if (!out[i]) return false;
  }
  return true;
}

// Read `count` texts of an attribute or a dataset.
static bool read_texts(const char **out, hid_t id, bool attribute, int count, lim_arena *arena) {
  hid_t type = attribute ? H5Aget_type(id) : H5Dget_type(id);
  size_t length = H5Tget_size(type);
  bool good = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && length <= TEXT;
  char *all = good ? calloc((size_t)count + 1, length) : NULL;
  if (all) {
    herr_t status = attribute ? H5Aread(id, type, all) : H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    good = status >= 0 && copy_texts(out, all, length, count, arena);
  }
  free(all);
  H5Tclose(type);
  return all && good;
}

static const char *text_of(hid_t id, bool attribute, lim_arena *arena) {
  const char *text = NULL;
  hid_t space = attribute ? H5Aget_space(id) : H5Dget_space(id);
  if (H5Sget_simple_extent_npoints(space) != 1 || !read_texts(&text, id, attribute, 1, arena)) text = NULL;
  H5Sclose(space);
  return text;
}

const char *lim_h5_get_text(lim_h5 on, const char *name, lim_arena *arena) {
  const char *text = NULL;
  H5E_BEGIN_TRY {
    bool attribute = H5Aexists(on, name) > 0;
    hid_t id = attribute ? H5Aopen(on, name, H5P_DEFAULT) : H5Dopen2(on, name, H5P_DEFAULT);
    if (id >= 0) text = text_of(id, attribute, arena);
    attribute ? H5Aclose(id) : H5Dclose(id);
  }
  H5E_END_TRY;
  return text;
}

const char *lim_h5_get_unit(lim_h5 parent, const char *name, lim_arena *arena) {
  const char *text = NULL;
  H5E_BEGIN_TRY {
    hid_t id = H5Aopen_by_name(parent, name, "unit", H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0) text = text_of(id, true, arena);
    H5Aclose(id);
  }
  H5E_END_TRY;
  return text;
}

// --- datasets ---

// HDF5 reads beyond its own memory where a damaged index says that a piece was not compressed. The pieces of
// lim_h5_list_start hold whole rows.
static bool sound_pieces(hid_t set, int rank, const hsize_t size[3]) {
  bool good = true;
  hid_t how = H5Dget_create_plist(set);
  if (H5Pget_layout(how) == H5D_CHUNKED) {
    hsize_t piece[3], at[3] = {0};
    good = H5Pget_chunk(how, rank, piece) == rank;
    for (int i = 1; i < rank; i++) good &= piece[i] >= size[i];
    for (; good && at[0] < size[0]; at[0] += piece[0]) {
      unsigned skipped = 0;
      haddr_t where;
      hsize_t bytes;
      good = H5Dget_chunk_info_by_coord(set, at, &skipped, &where, &bytes) >= 0 && !skipped;
    }
  }
  H5Pclose(how);
  return good;
}

// Opened, with its shape; a dataset that claims more numbers than its bytes can hold is refused.
static hid_t open_set(lim_h5 parent, const char *name, long shape[3]) {
  hsize_t size[3] = {1, 1, 1}, max = 1;
  hid_t set = H5Dopen2(parent, name, H5P_DEFAULT), space = H5Dget_space(set);
  int rank = H5Sget_simple_extent_ndims(space);
  bool good = rank >= 0 && rank <= 3 && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
  max = good ? H5Dget_storage_size(set) * DEFLATE_MOST : 0;
  for (int i = 0; i < 3 && good; i++) {
    good = size[i] == 0 || size[i] <= max;
    max /= size[i] ? size[i] : 1;
    shape[i] = (long)size[i];
  }
  H5Sclose(space);
  if (good && sound_pieces(set, rank, size)) return set;
  H5Dclose(set);
  return -1;
}

static void *numbers(lim_h5 parent, const char *name, long shape[3], hid_t type, lim_arena *arena) {
  void *x = NULL;
  H5E_BEGIN_TRY {
    hid_t set = open_set(parent, name, shape), stored = H5Dget_type(set);
    H5T_class_t class = H5Tget_class(stored);
    if (class == H5T_FLOAT || class == H5T_INTEGER) {
      size_t count = (size_t)(shape[0] * shape[1] * shape[2]);
      x = lim_arena_array(arena, count ? count : 1, H5Tget_size(type));
      if (x && count && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0) x = NULL;
    }
    H5Tclose(stored);
    H5Dclose(set);
  }
  H5E_END_TRY;
  return x;
}

double *lim_h5_get_doubles(lim_h5 parent, const char *name, long shape[3], lim_arena *arena) {
  return numbers(parent, name, shape, H5T_NATIVE_DOUBLE, arena);
}

float *lim_h5_get_floats(lim_h5 parent, const char *name, long shape[3], lim_arena *arena) {
  return numbers(parent, name, shape, H5T_NATIVE_FLOAT, arena);
}

int *lim_h5_get_ints(lim_h5 parent, const char *name, long shape[3], lim_arena *arena) {
  return numbers(parent, name, shape, H5T_NATIVE_INT, arena);
}

int lim_h5_get_texts(const char ***out, lim_h5 parent, const char *name, lim_arena *arena) {
  int count = -1;
  H5E_BEGIN_TRY {
    long shape[3];
    hid_t set = open_set(parent, name, shape);
    if (set >= 0 && shape[0] <= NAMES && shape[1] * shape[2] == 1) {
      *out = lim_arena_array(arena, (size_t)shape[0] + 1, sizeof **out);
      if (*out && read_texts(*out, set, false, (int)shape[0], arena)) count = (int)shape[0];
    }
    H5Dclose(set);
  }
  H5E_END_TRY;
  return count;
}

// --- attributes of one number ---

double lim_h5_get_number(lim_h5 on, const char *name) {
  double x = NAN;
  H5E_BEGIN_TRY {
    hid_t id = H5Aopen(on, name, H5P_DEFAULT), space = H5Aget_space(id), stored = H5Aget_type(id);
    H5T_class_t class = H5Tget_class(stored);
    if (H5Sget_simple_extent_npoints(space) == 1 && (class == H5T_FLOAT || class == H5T_INTEGER) &&
        H5Aread(id, H5T_NATIVE_DOUBLE, &x) < 0)
      x = NAN;
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(id);
  }
  H5E_END_TRY;
  return x;
}
