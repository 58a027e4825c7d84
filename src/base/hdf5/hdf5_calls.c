// hdf5_calls.c - the table of HDF5's functions.
#include "base/hdf5/hdf5_calls.h"

#define ONE(name) +1

lim_hdf5_calls lim_hdf5;

static const char *const names[] = {LIM_HDF5_CALLS(LIM_LIBRARY_NAME)};

enum { VARIABLES = 0 LIM_HDF5_VARIABLES(ONE) };

static lim_library library = {"HDF5",    LIM_HDF5_FILE, names, sizeof names / sizeof *names,
                              VARIABLES, &lim_hdf5,     false};

lim_code lim_hdf5_load(lim_error *err) { return lim_library_load(&library, err); }
