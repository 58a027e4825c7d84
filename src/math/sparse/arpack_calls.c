// arpack_calls.c - the table of ARPACK's functions.
#include "math/sparse/arpack_calls.h"

lim_arpack_calls lim_arpack;

static const char *const names[] = {LIM_ARPACK_CALLS(LIM_LIBRARY_NAME)};

static lim_library library = {"ARPACK", LIM_ARPACK_FILE, names, sizeof names / sizeof *names,
                              0,        &lim_arpack,     false};

lim_code lim_arpack_load(lim_error *err) { return lim_library_load(&library, err); }
